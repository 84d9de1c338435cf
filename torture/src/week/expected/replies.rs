//! What each request changes, and what it is answered.

use redis::Value;

use super::Model;
use crate::week::model::board::{Board, Entry, Member, Span, TooFarAhead, View};
use crate::week::model::calendar::{self, Unit};
use crate::week::model::campaign::{Judged, Limit, Vote};
use crate::week::model::league::{Amount, Last, Outcome};
use crate::week::model::segments::By;
use crate::week::request::{Action, Alter, Key, Request, TIERS};
use crate::week::value::{int, list, map, optional, text};

/// What a request is answered.
#[derive(Debug, PartialEq)]
pub enum Reply {
    /// This, and something may have changed.
    Applied(Value),
    /// This, and nothing has changed.
    Unchanged(Value),
    /// An error.
    Refused,
}

impl From<TooFarAhead> for Reply {
    fn from(_: TooFarAhead) -> Self {
        Self::Refused
    }
}

/// The reply to a request of which `applied` says how much of it was applied.
fn applied(applied: usize, value: Value) -> Reply {
    if applied > 0 { Reply::Applied(value) } else { Reply::Unchanged(value) }
}

impl Model {
    /// Carries out a request at this time of the server's clock.
    pub fn run(&mut self, request: &Request, wall: u64) -> Reply {
        self.advance(wall);
        self.carry_out(request, wall).unwrap_or_else(Reply::from)
    }

    fn carry_out(&mut self, request: &Request, wall: u64) -> Result<Reply, TooFarAhead> {
        let Request { action, id, at, .. } = request;
        Ok(match action {
            Action::Score { pairs } => self.score(Key::Arena, request, pairs, wall)?,
            Action::Roll { member, points } => self.score(Key::Form, request, &[(*member, *points)], wall)?,
            Action::Nation { member, points, country, guild } => {
                self.nation(request, (*member, *points), [("country", *country), ("guild", *guild)], wall)?
            }
            Action::Place { member, dimension, segment } => {
                let now = self.nations.now(wall);
                let before = self.segments.before(&self.nations, *member);
                let is_new = self.segments.put(*member, dimension, *segment);
                self.segments.after(&self.nations, *member, &before, now);
                applied(usize::from(is_new), int(usize::from(is_new)))
            }
            Action::Join { member } => self.join(*member, wall),
            Action::Play { member, points } => {
                let (place, is_applied) = self.league.add(*id, *member, *points, *at, wall)?;
                let [score, rank] =
                    place.map_or([Value::Nil, Value::Nil], |(score, rank)| [int(score), int(rank)]);
                let flag = int(usize::from(is_applied));
                let reply = if request.is_quiet { flag } else { list([score, rank, flag]) };
                applied(usize::from(is_applied), reply)
            }
            Action::Vote { voter, pairs, by_partner } => {
                let vote = Vote { id: *id, voter: *voter, pairs, by_partner: *by_partner, at: *at };
                judged(self.finals.vote(&vote, wall)?, request.is_quiet)
            }
            Action::Count { counter, by } => {
                let (total, is_applied) = self.pages[*counter].add(*id, *by, *at, wall)?;
                let flag = usize::from(is_applied);
                applied(flag, if request.is_quiet { int(flag) } else { int(total) })
            }
            Action::Claim { member, start } => self.claim(*member, *start, *id, wall),
            Action::Correct { member, score } => {
                let old = self.arena.views[0].entries[*member].map_or(0, |entry| entry.score);
                let request = Request { at: None, is_quiet: false, ..request.clone() };
                self.score(Key::Arena, &request, &[(*member, score - old)], wall)?
            }
            Action::Remove { key, member } => self.remove(*key, *member, wall),
            Action::Hide { key, member } => self.hide(*key, *member, true, wall),
            Action::Unhide { key, member } => self.hide(*key, *member, false, wall),
            Action::LeaveLeague { member } => {
                let was_there = usize::from(self.league.remove(*member));
                applied(was_there, int(was_there))
            }
            Action::Tier { member, tier } => {
                self.league.set_tier(*member, *tier);
                Reply::Applied(Value::Okay)
            }
            Action::Alter(alter) => {
                self.alter(alter, wall);
                Reply::Applied(Value::Okay)
            }
        })
    }

    /// Returns a board of players.
    pub fn board(&self, key: Key) -> &Board {
        match key {
            Key::Arena => &self.arena,
            Key::Form => &self.form,
            Key::Nations => &self.nations,
        }
    }

    fn board_mut(&mut self, key: Key) -> &mut Board {
        match key {
            Key::Arena => &mut self.arena,
            Key::Form => &mut self.form,
            Key::Nations => &mut self.nations,
        }
    }

    fn score(
        &mut self,
        key: Key,
        request: &Request,
        pairs: &[(Member, i64)],
        wall: u64,
    ) -> Result<Reply, TooFarAhead> {
        let (at, now) = self.board(key).moment(request.at, wall)?;
        let is_new = !self.board(key).knows(request.id);
        if is_new {
            if key == Key::Form {
                self.form.advance(now, |_, _, _| {});
            }
            self.board_mut(key).add(Some(request.id), pairs, (at, now));
        }
        let number = if is_new { pairs.len() } else { 0 };
        if request.is_quiet {
            return Ok(applied(number, int(number)));
        }
        let board = self.board(key);
        let row = |(member, _): &(Member, i64)| standing_row(board, &board.views[0], *member, is_new);
        let mut rows: Vec<Vec<Value>> = pairs.iter().map(row).collect();
        let is_one = pairs.len() == 1;
        let reply = if is_one { list(rows.remove(0)) } else { list(rows.into_iter().map(list)) };
        Ok(applied(number, reply))
    }

    fn nation(
        &mut self,
        request: &Request,
        (member, points): (Member, i64),
        places: [(&'static str, u16); 2],
        wall: u64,
    ) -> Result<Reply, TooFarAhead> {
        let (at, now) = self.nations.moment(request.at, wall)?;
        let is_new = !self.nations.knows(request.id);
        if is_new {
            let before = self.segments.before(&self.nations, member);
            self.nations.add(Some(request.id), &[(member, points)], (at, now));
            for (dimension, segment) in places {
                self.segments.put(member, dimension, segment);
            }
            self.segments.after(&self.nations, member, &before, at);
        }
        let number = usize::from(is_new);
        if request.is_quiet {
            return Ok(applied(number, int(number)));
        }
        let view = &self.nations.views[0];
        let mut row = standing_row(&self.nations, view, member, is_new);
        row.push(optional(self.rank_within(view, member).map(int)));
        Ok(applied(number, list(row)))
    }

    /// Returns a member's rank in its own country.
    fn rank_within(&self, view: &View, member: Member) -> Option<usize> {
        let places = &self.segments.named("country")?.places;
        let (own, country) = (view.entries[member]?, places[member]?);
        let is_better = |(other, entry): &(Member, Entry)| {
            places[*other] == Some(country)
                && entry.place() < own.place()
                && *other != member
                && !self.nations.hidden.contains(other)
        };
        Some(1 + view.all().filter(is_better).count())
    }

    fn join(&mut self, member: Member, wall: u64) -> Reply {
        let (is_new, last) = self.league.join(member, wall);
        let (tier, group, rank, members, _) = self.league.standing(member).expect("a standing");
        let label = |last: &Last| calendar::day_label(self.league.zone, last.start);
        let reply = map([
            ("tier", text(TIERS[tier])),
            ("group", int(group + 1)),
            ("rank", int(rank)),
            ("members", int(members)),
            ("joined", int(usize::from(is_new))),
            ("waiting", int(0)),
            ("last", optional(last.map(|last| last_map(&last, &label(&last))))),
        ]);
        applied(usize::from(is_new), reply)
    }

    fn claim(&mut self, member: Member, start: u64, id: u64, wall: u64) -> Reply {
        let now = self.arena.now(wall);
        let lines = self.arena.past_of(self.arena.view("day"), start);
        let Some(payout) = self.payouts.get_mut(&start) else { return Reply::Unchanged(Value::Nil) };
        let was_claimed = payout.claimed.len();
        let claim = payout.claim(member, id, now, (&lines, &self.arena.hidden));
        let row = |(prize, rank, is_own): (&str, usize, bool)| {
            list([text(prize), int(rank), int(usize::from(is_own))])
        };
        applied(payout.claimed.len() - was_claimed, optional(claim.map(row)))
    }

    fn remove(&mut self, key: Key, member: Member, wall: u64) -> Reply {
        let now = self.board(key).now(wall);
        let before = (key == Key::Nations).then(|| self.segments.before(&self.nations, member));
        let was_there = usize::from(self.board_mut(key).remove(member));
        if let Some(before) = before {
            self.segments.remove(member);
            self.segments.disturb();
            self.segments.after(&self.nations, member, &before, now);
        }
        if key == Key::Arena {
            self.payouts.values_mut().for_each(|payout| payout.remove(member));
        }
        applied(was_there, int(was_there))
    }

    fn hide(&mut self, key: Key, member: Member, hides: bool, wall: u64) -> Reply {
        let now = self.board(key).now(wall);
        let before = (key == Key::Nations).then(|| self.segments.before(&self.nations, member));
        let hidden = &mut self.board_mut(key).hidden;
        let is_changed = usize::from(if hides { hidden.insert(member) } else { hidden.remove(&member) });
        if let Some(before) = before {
            self.segments.disturb();
            self.segments.after(&self.nations, member, &before, now);
        }
        applied(is_changed, int(is_changed))
    }

    fn alter(&mut self, alter: &Alter, wall: u64) {
        let week = Span::Last(1, Unit::Week);
        match *alter {
            Alter::AddWeek => self.arena.add_view("week", week, 1, wall),
            Alter::KeepDays(days) => {
                self.arena.views[0].retain = days;
                self.arena.views[0].trim();
                self.trim_payouts();
            }
            Alter::Prizes(table) => self.table = table,
            Alter::AddPlatform => self.segments.add("platform", By::Count, &self.nations),
            Alter::DailyVotes(most, bonus) => {
                let is_daily = |limit: &&mut Limit| limit.name == "daily";
                let daily = self.finals.limits.iter_mut().find(is_daily).expect("a limit");
                (daily.most, daily.bonus) = (most, bonus);
            }
            Alter::Closes(at) => self.finals.closes = at,
            Alter::Promote(numbers) => self.league.rules.promote = numbers.map(Amount::Number).to_vec(),
            Alter::Group(size) => self.league.rules.group = size,
            Alter::Precision(seconds) => self.pages[0].add_precision(seconds),
        }
    }
}

/// Score and rank of a member, and whether its request was applied.
fn standing_row(board: &Board, view: &View, member: Member, is_applied: bool) -> Vec<Value> {
    let standing = board.standing(view, member);
    let [score, rank] = standing.map_or([Value::Nil, Value::Nil], |(rank, score)| [int(score), int(rank)]);
    vec![score, rank, int(usize::from(is_applied))]
}

fn judged(judged: Judged, is_quiet: bool) -> Reply {
    let (standings, flag) = match judged {
        Judged::HeldBack(..) if is_quiet => return Reply::Unchanged(int(0)),
        Judged::HeldBack(rule, wait) => {
            let wait = wait.map_or(int(-1), int);
            return Reply::Unchanged(list([int(0), text(rule), wait]));
        }
        Judged::Accepted(standings) => (standings, 1),
        Judged::Repeated(standings) => (standings, 0),
    };
    let number = flag * standings.len();
    if is_quiet {
        return applied(number, int(number));
    }
    let row = |standing: Option<(u64, i64)>| {
        let [score, rank] =
            standing.map_or([Value::Nil, Value::Nil], |(rank, score)| [int(score), int(rank)]);
        list([score, rank, int(flag)])
    };
    applied(number, list([int(1), list(standings.into_iter().map(row))]))
}

fn last_map(last: &Last, label: &str) -> Value {
    let outcome = match last.outcome {
        Outcome::Up => "promoted",
        Outcome::Stay => "stayed",
        Outcome::Down => "demoted",
    };
    map([
        ("period", text(label)),
        ("tier", text(TIERS[last.tier])),
        ("group", int(last.group + 1)),
        ("rank", int(last.rank)),
        ("members", int(last.members)),
        ("score", int(last.score)),
        ("outcome", text(outcome)),
        ("reward", int(last.reward)),
    ])
}
