//! Special cases that the specification names, with results worked out by hand. This file has the functions
//! through which the cases use a board.

mod expiry;
mod figures;
mod forms;
mod levels;
mod limits;
mod news;
mod periods;
mod requests;
mod saved_segments;
mod score_rules;
mod scores;
mod segments;
mod set_aside;
mod shown;
mod skipped;
mod voters;

use leaderboard_core::NativeType;
use leaderboard_core::board::{
    Alter, CandidateRow, Condition, Declaration, Edit, Effect, Outcome, Reading, Retain, Verdict, Vote, Write,
};
use leaderboard_core::calendar::When;
use leaderboard_core::campaign::RuleChanges;
use leaderboard_core::limits::{Ballot, Rule};
use leaderboard_core::native::Work;
use leaderboard_core::schema::{Aggregate, Order, Ranks, Tally, Ties};
use leaderboard_core::share::Share;
use leaderboard_core::time::{Clock, TimeSource};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Decimal, Error, Schema, Score};

use crate::{MAX_FUTURE, loaded, saved};

const MOST: i64 = i64::MAX;
/// A Monday at midnight, UTC.
const MONDAY: u64 = 1_552_867_200_000;
const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

fn plain() -> Schema {
    Schema::default()
}

fn with_shown() -> Schema {
    Schema { shown: true, ..plain() }
}

fn of(aggregate: Aggregate) -> Schema {
    Schema { aggregate, ..plain() }
}

fn on_events(aggregate: Aggregate) -> Schema {
    Schema { clock: Clock::Event, ..of(aggregate) }
}

fn kind(name: &str) -> Kind {
    Kind::parse(name.as_bytes()).unwrap()
}

fn spec(name: &str, retain: u32) -> Spec {
    Spec { retain, ..Spec::new(kind(name)) }
}

fn carry(name: &str, share: &str, retain: u32) -> Spec {
    Spec { carry: Share::parse(share.as_bytes(), "CARRY").unwrap(), ..spec(name, retain) }
}

fn board(schema: Schema, specs: &[Spec]) -> Board {
    Board::new(schema, specs).unwrap()
}

/// Returns a board with the one view `all`.
fn new(schema: Schema) -> Board {
    viewed(schema, &["all"])
}

/// Returns a board whose views keep two ended periods.
fn viewed(schema: Schema, views: &[&str]) -> Board {
    board(schema, &views.iter().map(|name| spec(name, 2)).collect::<Vec<_>>())
}

/// Parses a rule such as `day voter 2 day BONUS channel acme 3`.
fn limit(rule: &str) -> Rule {
    let words: Vec<&[u8]> = rule.split(' ').map(str::as_bytes).collect();
    let number = |word: &[u8]| std::str::from_utf8(word).unwrap().parse().unwrap();
    let mut rule = Rule::new(words[0], words[1], number(words[2]), words[3]).unwrap();
    for bonus in words[4..].chunks(4) {
        rule.add_bonus(bonus[1], bonus[2], number(bonus[3])).unwrap();
    }
    rule
}

fn limited(schema: Schema, views: &[&str], rules: &[&str]) -> Board {
    let mut board = viewed(schema, views);
    let limits = rules.iter().map(|rule| limit(rule)).collect();
    alter(&mut board, RuleChanges { limits, ..RuleChanges::default() });
    board
}

fn alter(board: &mut Board, voting: RuleChanges) {
    board.alter(&Alter { voting, ..Alter::default() }).unwrap();
}

fn alter_views(board: &mut Board, view: &str, edit: Edit) {
    board.alter(&Alter { views: vec![(kind(view), edit)], ..Alter::default() }).unwrap();
}

fn client(now: u64) -> TimeSource {
    TimeSource::Client { wall: MONDAY + now, max_future: MAX_FUTURE }
}

/// Returns a write at this number of milliseconds after `MONDAY`.
fn at(now: u64) -> Write<'static> {
    Write::new(client(now))
}

/// Returns a write at `now` with an event of another moment. Both are in milliseconds after `MONDAY`.
fn late(now: u64, event: u64) -> Write<'static> {
    Write { at: Some(MONDAY + event), ..at(now) }
}

fn add(board: &mut Board, write: &Write, points: i64, name: &[u8]) -> Result<Outcome, Error> {
    let outcome = board.add(write, Decimal::whole(points), name);
    board.check();
    outcome
}

fn set(board: &mut Board, write: &Write, score: i64, name: &[u8]) -> Result<Outcome, Error> {
    let outcome = board.set(write, Decimal::whole(score), name, Condition::default());
    board.check();
    outcome
}

fn by(voter: &str) -> Ballot<'_> {
    Ballot { voter: Some(voter.as_bytes()), tags: &[] }
}

/// The result of a vote: nothing if it was counted, otherwise the name of the rule that held it back and the
/// milliseconds to wait.
type Held = Option<(String, Option<u64>)>;

fn held<T>(verdict: Verdict<T>) -> Held {
    match verdict {
        Verdict::Accepted(_) => None,
        Verdict::HeldBack { rule, wait } => Some((String::from_utf8(rule).unwrap(), wait)),
    }
}

fn back(rule: &str, wait: Option<u64>) -> Held {
    Some((rule.to_owned(), wait))
}

fn vote(board: &mut Board, write: &Write, ballot: &Ballot, votes: u64, name: &str) -> Held {
    let verdict = held(board.vote(write, ballot, (name.as_bytes(), votes)).unwrap());
    board.check();
    verdict
}

fn declare(board: &mut Board, now: u64, name: &str, weight: Option<u32>, initial: Option<u64>) {
    board
        .declare(name.as_bytes(), Declaration { weight, initial, ..Declaration::default() }, client(now))
        .unwrap();
    board.check();
}

fn work(board: &mut Board, now: u64) {
    while board.work(MONDAY + now) == Work::Now {
        board.check();
    }
}

/// Returns a name so long that 300 members make a large board.
fn of_many(number: impl std::fmt::Display) -> Vec<u8> {
    format!("of many {number}{:90}", "").into_bytes()
}

/// Adds enough members for the large form of a board. With a score of -1,000, they rank below the members of
/// the cases.
fn crowd(board: &mut Board, write: &Write) {
    let names: Vec<_> = (0..300).map(of_many).collect();
    let pairs: Vec<_> = names.iter().map(|name| (Decimal::whole(-1_000), &name[..])).collect();
    board.add_many(write, &pairs).unwrap();
}

/// Returns the current order of the default view.
fn now(board: &Board) -> Reading<'_> {
    board.read(None, When::Now, Tally::Shown).unwrap()
}

/// Returns names and scores of a view in a period, best first.
fn order_of(board: &Board, view: &str, when: When, tally: Tally) -> Vec<(String, i64)> {
    let rows = board.read(Some(view.as_bytes()), when, tally).unwrap().rows(0, u64::MAX, Ranks::Ordinal);
    let name = |id| String::from_utf8(board.name(id).to_vec()).unwrap();
    rows.map(|row| (name(row.id), row.score.units())).collect()
}

fn order(board: &Board, view: &str, when: When) -> Vec<(String, i64)> {
    order_of(board, view, when, Tally::Shown)
}

fn real(board: &Board, view: &str) -> Vec<(String, i64)> {
    order_of(board, view, When::Now, Tally::Real)
}

fn lines(lines: &[(&str, i64)]) -> Vec<(String, i64)> {
    lines.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect()
}

/// Returns the used votes of each rule, the allowed votes, and the milliseconds that are left.
fn quota(board: &Board, now: u64, ballot: &Ballot, member: Option<&str>) -> Vec<(u64, u64, Option<u64>)> {
    let quota = board.quota(ballot, member.map(str::as_bytes), None, client(now)).unwrap();
    quota.iter().map(|each| (each.used, each.max, each.wait)).collect()
}

fn listed(board: &Board) -> Vec<CandidateRow> {
    board.candidates(0, 1_000).1
}
