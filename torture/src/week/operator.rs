//! What happens to the service: corrections, new rules, deploys and failovers.

use leaderboard_testkit::random::Random;

use super::Scale;
use super::expected::{Model, OTHER_PRIZES};
use super::model::board::Member;
use super::model::calendar::{DAY, HOUR, MINUTE};
use super::request::{Action, Alter, Key};

/// Something that happens.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    Correct,
    Remove,
    Hide,
    Unhide,
    LeaveLeague,
    Tier,
    Alter(Alter),
    /// Both servers save, and start again.
    Restart,
    /// The primary starts again from a rewritten append-only file.
    Rewrite,
    FailOver,
}

/// What happens each day.
const DAILY: [Event; 10] = [
    Event::Correct,
    Event::Correct,
    Event::Remove,
    Event::Remove,
    Event::Hide,
    Event::Hide,
    Event::Unhide,
    Event::LeaveLeague,
    Event::Tier,
    Event::Tier,
];

/// Draws all events, in the order of their times.
pub fn plan(begin: u64, scale: &Scale, closes: u64, random: &mut Random) -> Vec<(u64, Event)> {
    let mut events = Vec::new();
    for day in (0..scale.days).map(|day| begin + day * DAY) {
        events.extend(DAILY.map(|event| (day + random.below(DAY), event)));
        let deploy = if random.percent(50) { Event::Restart } else { Event::Rewrite };
        events.push((quiet_time(day, random), deploy));
        events.push((quiet_time(day, random), Event::FailOver));
    }
    let altered = [
        Alter::AddPlatform,
        Alter::AddWeek,
        Alter::DailyVotes(20, 10),
        Alter::Promote([3, 8, 0]),
        Alter::Group(scale.group * 3 / 2),
        Alter::KeepDays(4),
        Alter::Prizes(OTHER_PRIZES),
        Alter::Precision(300),
        Alter::Closes(closes + 5 * HOUR),
    ];
    let span = scale.days * DAY;
    for (number, alter) in (2..).zip(altered) {
        let time = begin + span * number / 12 + random.below(span / 12);
        events.push((time, Event::Alter(alter)));
    }
    events.sort_by_key(|(time, _)| *time);
    events
}

/// A moment of a day that is not near the boundary of any zone's hour: the servers' clocks differ.
fn quiet_time(day: u64, random: &mut Random) -> u64 {
    day + random.below(24) * HOUR + 4 * MINUTE + random.below(20 * MINUTE)
}

/// Returns the operator's request.
pub fn action(event: Event, model: &Model, random: &mut Random) -> Option<Action> {
    let key = *random.pick(&[Key::Arena, Key::Form, Key::Nations]);
    Some(match event {
        Event::Correct => {
            let member = some_member(model, Key::Arena, random)?;
            Action::Correct { member, score: random.within(0..300) }
        }
        Event::Remove => {
            let member = match some_winner(model, random) {
                Some(winner) if key == Key::Arena => winner,
                _ => some_member(model, key, random)?,
            };
            Action::Remove { key, member }
        }
        Event::Hide => Action::Hide { key, member: some_leader(model, key, random)? },
        Event::Unhide => {
            let with_hidden = |key: &Key| !model.board(*key).hidden.is_empty();
            let key = [Key::Arena, Key::Form, Key::Nations].into_iter().find(with_hidden)?;
            Action::Unhide { key, member: *model.board(key).hidden.first()? }
        }
        Event::LeaveLeague => {
            let tables = model.league.tables();
            let members: Vec<Member> = tables.iter().flatten().flatten().map(|(member, _)| *member).collect();
            if members.is_empty() {
                return None;
            }
            Action::LeaveLeague { member: *random.pick(&members) }
        }
        Event::Tier => {
            let member = random.below(model.arena.views[0].entries.len() as u64) as Member;
            Action::Tier { member, tier: random.below(3) as usize }
        }
        Event::Alter(alter) => Action::Alter(alter),
        Event::Restart | Event::Rewrite | Event::FailOver => return None,
    })
}

/// Returns a member of the board's present default view.
fn some_member(model: &Model, key: Key, random: &mut Random) -> Option<Member> {
    let members: Vec<Member> = model.board(key).views[0].all().map(|(member, _)| member).collect();
    (!members.is_empty()).then(|| *random.pick(&members))
}

/// Returns one of the first of a board's default view: a suspect.
fn some_leader(model: &Model, key: Key, random: &mut Random) -> Option<Member> {
    let board = model.board(key);
    let ranking = board.ranking(&board.views[0]);
    let first = &ranking[..ranking.len().min(10)];
    (!first.is_empty()).then(|| random.pick(first).0)
}

/// Returns a winner of the arena's last day that has not claimed its prize.
fn some_winner(model: &Model, random: &mut Random) -> Option<Member> {
    let (start, payout) = model.payouts.last_key_value()?;
    let lines = model.arena.past_of(model.arena.view("day"), *start);
    let winners = payout.winners(&lines, &model.arena.hidden).into_iter().map(|winner| winner.member);
    let unpaid: Vec<Member> = winners.filter(|winner| !payout.claimed.contains_key(winner)).collect();
    (!unpaid.is_empty()).then(|| *random.pick(&unpaid))
}
