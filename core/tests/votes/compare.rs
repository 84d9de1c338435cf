//! Everything that can be read of a board that is voted on, against the model.

use leaderboard_core::board::{Reading, When};
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::time::TimeSource;
use leaderboard_core::view::Kind;
use leaderboard_core::{Board, Score};

use crate::limit::{Ballot, Quota, Rule};
use crate::model::{Model, Refused, score};
use crate::play::with_ballot;
use crate::view::{Line, Name, View};

/// Compares a board with a model that stands at the same moment.
pub fn all(board: &Board, model: &Model, now: u64, names: &[Name]) {
    assert_eq!((board.schema(), board.last()), (&model.schema, model.last));
    let specs: Vec<_> = model.views.iter().map(|view| view.spec).collect();
    assert_eq!(board.specs().copied().collect::<Vec<_>>(), specs);
    for (number, view) in model.views.iter().enumerate() {
        if !model.leapt || view.spec.kind == Kind::All {
            let real = model.real.get(number).unwrap_or(view);
            for (tally, view) in [(Tally::Shown, view), (Tally::Real, real)] {
                orders(board, model, view, tally);
            }
            periods(board, model, view);
        }
        voters(board, model, view, now, names);
    }
    overall(board, model, names);
    options(board, model);
    rules(board, model, now, names);
}

fn start(view: &View) -> Option<i64> {
    view.span.map(|(period, _)| period.start)
}

/// The current period and those before it, kept or not.
fn orders(board: &Board, model: &Model, view: &View, tally: Tally) {
    let name = view.spec.kind.to_string();
    let name = Some(name.as_bytes());
    let what = |when: When| format!("{} of {:?}, {when:?}", view.spec.kind, tally);
    let lines = view.ranking_of(&model.schema, start(view));
    order(board, &board.read(name, When::Now, tally).unwrap(), &lines, true, &what(When::Now));
    let (Some((unit, _)), Some(now)) = (view.reach(), start(view)) else { return };
    let calendar = &model.schema.calendar;
    for count in 1..=view.spec.retain + 2 {
        let period = calendar.back(unit, now, count);
        let lines = view.ranking_of(&model.schema, Some(period.start));
        let reading = board.read(name, When::Back(count), tally).unwrap();
        order(board, &reading, &lines, false, &what(When::Back(count)));
        let label = calendar.label(unit, period.start);
        for when in [When::Label(label.as_bytes()), When::At(period.end as u64 - 1)] {
            assert_eq!(board.read(name, when, tally).unwrap().len(), lines.len() as u64, "{}", what(when));
        }
    }
}

/// Rank, name and score of every line.
fn order(board: &Board, reading: &Reading, lines: &[Line], is_current: bool, what: &str) {
    let rows = reading.rows(0, u64::MAX, Ranks::Ordinal);
    let got: Vec<(u64, Name, Score)> =
        rows.map(|row| (row.rank, Name(board.name(row.id).to_vec()), row.score)).collect();
    let row = |(before, line): (usize, &Line)| (before as u64 + 1, line.0.clone(), score(line.1));
    let expected: Vec<_> = lines.iter().enumerate().map(row).collect();
    let shown = |lines: &[(u64, Name, Score)]| -> String {
        lines.iter().map(|(_, name, score)| format!("{name:?} {}, ", score.units())).collect()
    };
    assert!(got == expected, "{what}: {}\nbut expected {}", shown(&got), shown(&expected));
    for (name, units, moment) in lines {
        let standing = reading.standing(name, Ranks::Ordinal).unwrap();
        assert_eq!((standing.score, standing.members), (score(*units), lines.len() as u64));
        assert_eq!(standing.at, is_current.then_some(*moment), "moment of {name:?} in {what}");
    }
}

fn periods(board: &Board, model: &Model, view: &View) {
    let kept = board.periods(view.spec.kind.to_string().as_bytes()).unwrap();
    let got = kept.iter().map(|kept| (kept.label.clone(), kept.period, kept.members));
    let mut expected = Vec::new();
    match (view.reach(), view.span) {
        (None, _) => expected.push(("all".to_owned(), None, view.entries.len() as u64)),
        (Some((unit, _)), Some((mut period, _))) => {
            let calendar = &model.schema.calendar;
            for _ in 0..=view.spec.retain {
                if period.end <= view.first {
                    break;
                }
                let members = view.ranking_of(&model.schema, Some(period.start)).len() as u64;
                expected.push((calendar.label(unit, period.start), Some(period), members));
                period = calendar.back(unit, period.start, 1);
            }
        }
        _ => {}
    }
    assert_eq!(got.collect::<Vec<_>>(), expected);
}

/// Voters of every period of a view that is kept, and of some that are not.
fn voters(board: &Board, model: &Model, view: &View, now: u64, names: &[Name]) {
    let present = view.present(&model.schema, now);
    let name = view.spec.kind.to_string();
    let count = |member: Option<&Name>, when| {
        board.voters(member.map(|name| &name[..]), Some(name.as_bytes()), Some(when)).unwrap()
    };
    for member in std::iter::once(None).chain(names.iter().map(Some)) {
        let (Some((unit, _)), Some(period)) = (view.reach(), present) else {
            let expected = if view.reach().is_none() { model.voters.overall(member) } else { 0 };
            assert_eq!(count(member, When::Now), expected);
            continue;
        };
        for back in 0..=view.spec.retain + 2 {
            let start = model.schema.calendar.back(unit, period.start, back).start;
            let is_kept = back <= view.spec.retain && start >= view.first;
            let within = || model.voters.within(&model.schema, view, member, start, back > 0);
            let expected = if is_kept { within() } else { 0 };
            assert_eq!(count(member, When::Back(back)), expected, "voters of {member:?} in {name}, -{back}");
            let expected_at = if start < 0 { continue } else { expected };
            assert_eq!(count(member, When::At(start as u64)), expected_at);
        }
        assert_eq!(count(member, When::At(period.end as u64)), 0);
    }
}

fn overall(board: &Board, model: &Model, names: &[Name]) {
    for member in std::iter::once(None).chain(names.iter().map(Some)) {
        let got = board.voters(member.map(|name| &name[..]), None, None).unwrap();
        assert_eq!(got, model.voters.overall(member), "voters of {member:?}");
    }
}

/// What the organiser's list tells of an option.
type Line4 = (Name, u32, Score, Score, Score, u64);

fn options(board: &Board, model: &Model) {
    for count in [1, 3, 100] {
        let (mut got, mut cursor): (Vec<Line4>, u64) = (Vec::new(), 0);
        loop {
            let (next, page) = board.candidates(cursor, count);
            assert!(page.len() <= count);
            got.extend(page.iter().map(|option| {
                let name = Name(board.name(option.id).to_vec());
                let candidate = option.candidate;
                (name, candidate.weight, candidate.initial, option.real, option.shown, option.voters)
            }));
            cursor = next;
            if next == 0 {
                break;
            }
        }
        let expected = model.candidates.iter().map(|candidate| {
            let name = candidate.name.clone();
            let (real, shown) = if model.leapt && model.views.iter().all(|view| view.spec.kind != Kind::All) {
                let found = got.iter().find(|line| line.0 == name);
                found.map_or((Score::ZERO, Score::ZERO), |line| (line.3, line.4))
            } else {
                let (real, shown) = model.counts(&name);
                (score(real), score(shown))
            };
            let voters = model.voters.overall(Some(&name));
            (name, candidate.weight, score(candidate.initial), real, shown, voters)
        });
        let expected: Vec<Line4> = expected.collect();
        assert_eq!(got, expected);
    }
}

/// What a board tells of its rules to a ballot.
pub fn quota(
    board: &Board,
    ballot: &Ballot,
    member: Option<&Name>,
    at: Option<u64>,
    origin: TimeSource,
) -> Result<Vec<Quota>, Refused> {
    with_ballot(ballot, |ballot| {
        let quota = board.quota(ballot, member.map(|member| &member[..]), at, origin)?;
        let name = |rule: &leaderboard_core::limits::Rule| String::from_utf8(rule.name().to_vec()).unwrap();
        Ok(quota.iter().map(|each| (name(each.rule), each.used.into(), each.max.into(), each.wait)).collect())
    })
}

fn rules(board: &Board, model: &Model, now: u64, names: &[Name]) {
    assert_eq!((board.voting_window().opens, board.voting_window().closes), (model.opens, model.closes));
    let expected: Vec<_> = model.limits.iter().map(|limit| Rule::made(&limit.rule)).collect();
    assert_eq!(board.limits().cloned().collect::<Vec<_>>(), expected);
    let origin = TimeSource::Decided { now: Some(now) };
    for (voter, ip) in [("v1", "a"), ("v2", "b"), ("v3", "a")] {
        let ballot = Ballot { voter: Some(voter), tags: vec![("ip", ip)] };
        for member in std::iter::once(None).chain(names.iter().take(3).map(Some)) {
            let expected = model.quota(&ballot, member, now);
            assert_eq!(
                quota(board, &ballot, member, None, origin),
                Ok(expected),
                "{ballot:?} for {member:?}"
            );
        }
    }
}
