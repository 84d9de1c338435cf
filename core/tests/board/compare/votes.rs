//! Compares reads that only a board with votes has.

use leaderboard_core::calendar::When;
use leaderboard_core::time::TimeSource;
use leaderboard_core::view::Kind;
use leaderboard_core::{Board, Error, Score};
use leaderboard_testkit::name::Name;

use crate::model::limit::{Ballot, Quota, Rule};
use crate::model::view::View;
use crate::model::{Model, score};
use crate::play::with_ballot;

pub fn all(board: &Board, model: &Model, now: u64, names: &[Name]) {
    overall(board, model, names);
    options(board, model);
    rules(board, model, now, names);
}

/// Compares the number of voters in every kept period of a view, and in two periods that are no longer kept.
pub fn voters(board: &Board, model: &Model, view: &View, now: u64, names: &[Name]) {
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

/// A line of the organiser's list: name, weight, initial votes, real votes, shown votes, number of voters.
type Line = (Name, u32, Score, Score, Score, u64);

/// Returns the whole list, read in pages of up to `count` options.
fn listed(board: &Board, count: usize) -> Vec<Line> {
    let (mut lines, mut cursor): (Vec<Line>, u64) = (Vec::new(), 0);
    loop {
        let (next, page) = board.candidates(cursor, count);
        assert!(page.len() <= count);
        lines.extend(page.iter().map(|option| {
            let name = Name(board.name(option.id).to_vec());
            (
                name,
                option.candidate.weight,
                option.candidate.initial,
                option.real,
                option.shown,
                option.voters,
            )
        }));
        cursor = next;
        if next == 0 {
            return lines;
        }
    }
}

fn options(board: &Board, model: &Model) {
    let is_followed = !model.leapt || model.views.iter().any(|view| view.spec.kind == Kind::All);
    for count in [1, 3, 100] {
        let mut got = listed(board, count);
        let expected = model.choices.iter().map(|choice| {
            let name = choice.name.clone();
            let (real, shown) = if is_followed { model.counts(&name) } else { (0, 0) };
            let voters = model.voters.overall(Some(&name));
            (name, choice.weight, score(choice.initial), score(real), score(shown), voters)
        });
        for line in got.iter_mut().filter(|_| !is_followed) {
            (line.3, line.4) = (Score::ZERO, Score::ZERO);
        }
        assert_eq!(got, expected.collect::<Vec<_>>());
    }
}

/// Returns what a board reports about each of its rules for a ballot.
pub fn quota(
    board: &Board,
    ballot: &Ballot,
    member: Option<&Name>,
    at: Option<u64>,
    origin: TimeSource,
) -> Result<Vec<Quota>, Error> {
    with_ballot(ballot, |ballot| {
        let quota = board.quota(ballot, member.map(|member| &member[..]), at, origin)?;
        let name = |rule: &[u8]| String::from_utf8(rule.to_vec()).unwrap();
        // The model has no rules of scores.
        let limits = quota.iter().filter(|each| each.rule != b"closed");
        Ok(limits.map(|each| (name(each.rule), each.used, each.max, each.wait)).collect())
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
            let got = quota(board, &ballot, member, None, origin);
            assert_eq!(got, Ok(expected), "{ballot:?} for {member:?}");
        }
    }
}
