//! Special cases that the specification names, one by one, worked out by hand; here the doors to a board
//! that they go through.

mod limits;
mod shown;
mod voters;

use leaderboard_core::board::{
    Alter, Condition, Declaration, Edit, Effect, Listed, Retain, Verdict, Vote, When, Write,
};
use leaderboard_core::campaign::VotingChanges;
use leaderboard_core::limits::{Ballot, Rule};
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::time::{Clock, TimeSource};
use leaderboard_core::view::{Kind, Share, Spec};
use leaderboard_core::{Board, Decimal, Error, Schema};

use crate::{MAX_FUTURE, loaded, saved};

/// A Monday at midnight, UTC.
pub const MONDAY: u64 = 1_552_867_200_000;
pub const HOUR: u64 = 3_600_000;
pub const DAY: u64 = 24 * HOUR;

pub fn plain() -> Schema {
    Schema::default()
}

pub fn with_shown() -> Schema {
    Schema { shown: true, ..plain() }
}

pub fn spec(name: &str, retain: u32) -> Spec {
    Spec { retain, ..Spec::new(Kind::parse(name.as_bytes()).unwrap()) }
}

pub fn board(schema: Schema, views: &[&str]) -> Board {
    let specs: Vec<_> = views.iter().map(|name| spec(name, 2)).collect();
    Board::new(schema, &specs).unwrap()
}

/// Rules such as `day voter 2 day BONUS channel acme 3`.
pub fn limit(rule: &str) -> Rule {
    let words: Vec<&[u8]> = rule.split(' ').map(str::as_bytes).collect();
    let number = |word: &[u8]| std::str::from_utf8(word).unwrap().parse().unwrap();
    let mut rule = Rule::new(words[0], words[1], number(words[2]), words[3]).unwrap();
    for bonus in words[4..].chunks(4) {
        rule.add_bonus(bonus[1], bonus[2], number(bonus[3])).unwrap();
    }
    rule
}

pub fn limited(schema: Schema, views: &[&str], rules: &[&str]) -> Board {
    let mut board = board(schema, views);
    alter(&mut board, set(rules));
    board
}

pub fn set(rules: &[&str]) -> VotingChanges {
    VotingChanges { limits: rules.iter().map(|rule| limit(rule)).collect(), ..VotingChanges::default() }
}

pub fn alter(board: &mut Board, voting: VotingChanges) {
    board.alter(&Alter { voting, ..Alter::default() }).unwrap();
}

pub fn client(now: u64) -> TimeSource {
    TimeSource::Client { wall: MONDAY + now, max_future: MAX_FUTURE }
}

/// A write at a time after that Monday.
pub fn at(now: u64) -> Write<'static> {
    Write { at: None, request: None, origin: client(now), with_change: false, view: None }
}

pub fn by(voter: &str) -> Ballot<'_> {
    Ballot { voter: Some(voter.as_bytes()), tags: &[] }
}

/// What came of a vote: nothing where it was counted.
pub type Held = Option<(String, Option<u64>)>;

pub fn held<T>(verdict: Verdict<T>) -> Held {
    match verdict {
        Verdict::Accepted(_) => None,
        Verdict::HeldBack { rule, wait } => Some((String::from_utf8(rule).unwrap(), wait)),
    }
}

pub fn back(rule: &str, wait: Option<u64>) -> Held {
    Some((rule.to_owned(), wait))
}

pub fn vote(board: &mut Board, write: &Write, ballot: &Ballot, votes: u64, name: &str) -> Held {
    let verdict = held(board.vote(write, ballot, (name.as_bytes(), votes)).unwrap());
    board.check();
    verdict
}

pub fn declare(board: &mut Board, now: u64, name: &str, weight: Option<u32>, initial: Option<u64>) {
    board.declare(name.as_bytes(), Declaration { weight, initial }, client(now)).unwrap();
    board.check();
}

/// Names and scores of a view in a period, best first.
pub fn order(board: &Board, view: &str, when: When, tally: Tally) -> Vec<(String, i64)> {
    let rows = board.read(Some(view.as_bytes()), when, tally).unwrap().rows(0, u64::MAX, Ranks::Ordinal);
    let name = |id| String::from_utf8(board.name(id).to_vec()).unwrap();
    rows.map(|row| (name(row.id), row.score.units())).collect()
}

pub fn shown(board: &Board, view: &str, when: When) -> Vec<(String, i64)> {
    order(board, view, when, Tally::Shown)
}

pub fn real(board: &Board, view: &str) -> Vec<(String, i64)> {
    order(board, view, When::Now, Tally::Real)
}

pub fn lines(lines: &[(&str, i64)]) -> Vec<(String, i64)> {
    lines.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect()
}

/// Votes used of each rule, votes that may be, and the time that is left.
pub fn quota(board: &Board, now: u64, ballot: &Ballot, member: Option<&str>) -> Vec<(u32, u32, Option<u64>)> {
    let quota = board.quota(ballot, member.map(str::as_bytes), None, client(now)).unwrap();
    quota.iter().map(|each| (each.used, each.max, each.wait)).collect()
}

pub fn listed(board: &Board) -> Vec<Listed> {
    board.options(0, 1_000).1
}
