//! A write that is repeated, refused or held back leaves no trace on a board, whatever kind of write it is.

use leaderboard_core::NativeType;
use leaderboard_core::board::{Alter, Condition, Declaration, Effect, Verdict, Write, Written};
use leaderboard_core::campaign::RuleChanges;
use leaderboard_core::limits::{Ballot, Rule};
use leaderboard_core::time::{Clock, TimeSource};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Decimal, Error, Schema};

use crate::{MAX_FUTURE, saved};

/// The moment at which all cases begin, in milliseconds.
const START: u64 = 1_700_000_000_000;

fn client(wall: u64) -> TimeSource {
    TimeSource::Client { wall, max_future: MAX_FUTURE }
}

const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;
const ANN: &[u8] = b"ann";
const BOB: &[u8] = b"bob";

fn board(schema: Schema, views: &[&str]) -> Board {
    let specs: Vec<_> = views.iter().map(|name| Spec::new(Kind::parse(name.as_bytes()).unwrap())).collect();
    Board::new(schema, &specs).unwrap()
}

/// Returns a write that contains its own time: `at` milliseconds after `START`.
fn event(at: u64, request: Option<&[u8]>) -> Write<'_> {
    Write { at: Some(START + at), request, ..Write::new(client(START)) }
}

/// Returns a write without its own time. The server's clock shows `at` milliseconds after `START`.
fn wall(at: u64) -> Write<'static> {
    Write::new(client(START + at))
}

fn by(voter: &[u8]) -> Ballot<'_> {
    Ballot { voter: Some(voter), tags: &[] }
}

type Send = fn(&mut Board, &Write, i64) -> Result<Effect, Error>;

/// One write of each kind that gives points, a score or votes to `ann`.
const KINDS: [Send; 6] = [
    |board, write, points| Ok(board.add(write, Decimal::whole(points), ANN)?.effect()),
    |board, write, points| Ok(board.roll_add(write, None, Decimal::whole(points), ANN)?.effect()),
    |board, write, points| Ok(board.set(write, Decimal::whole(points), ANN, Condition::default())?.effect()),
    |board, write, points| Ok(board.add_many(write, &[(Decimal::whole(points), ANN); 2])?.effect()),
    |board, write, points| Ok(board.vote(write, &by(b"v"), (ANN, points as u64))?.effect()),
    |board, write, points| Ok(board.vote_many(write, &by(b"v"), &[(ANN, points as u64); 2])?.effect()),
];

/// Returns everything that shows a change of a board: its bytes, its memory, the number of periods of its views, and
/// whether it has work between commands.
fn traces(board: &Board) -> (Vec<Vec<u8>>, usize, usize, bool) {
    board.check();
    let periods = ["hour", "hour:2"].map(|view| board.periods(view.as_bytes()).map_or(0, |all| all.len()));
    (saved(board), board.memory(), periods.iter().sum(), board.has_work())
}

fn leaves_no_trace(board: &mut Board, write: impl FnOnce(&mut Board)) {
    let before = traces(board);
    write(board);
    assert!(traces(board) == before);
}

fn on_events() -> Schema {
    Schema { clock: Clock::Event, dedup: 86_400, ..Schema::default() }
}

#[test]
fn a_repeat_turns_no_view_of_a_clock_of_events() {
    for (number, send) in KINDS.iter().enumerate() {
        let mut board = board(on_events(), &["hour", "hour:2"]);
        assert!(matches!(send(&mut board, &event(0, Some(b"id")), 1), Ok(Effect::Applied(_))), "{number}");
        leaves_no_trace(&mut board, |board| {
            assert_eq!(send(board, &event(5 * HOUR, Some(b"id")), 1), Ok(Effect::Repeated), "{number}");
            assert_eq!(send(board, &event(5 * HOUR, Some(b"id")), 2), Err(Error::RequestReused));
        });
    }
}

#[test]
fn a_write_that_is_refused_turns_no_view_of_a_clock_of_events() {
    let mut board = board(on_events(), &["all", "hour", "hour:2"]);
    board.add(&event(0, None), Decimal::whole(i64::MAX), ANN).unwrap();
    // A score that is set replaces the old one, so it cannot leave the range.
    for send in KINDS.iter().enumerate().filter(|(number, _)| *number != 2).map(|(_, send)| send) {
        leaves_no_trace(&mut board, |board| {
            assert_eq!(send(board, &event(HOUR, Some(b"id")), 1), Err(Error::Overflow));
        });
    }
    leaves_no_trace(&mut board, |board| {
        let pairs = [(Decimal::whole(1), BOB), (Decimal::whole(1), ANN)];
        assert_eq!(board.add_many(&event(HOUR, None), &pairs), Err(Error::Overflow));
    });
}

#[test]
fn a_write_that_is_held_back_turns_no_view_of_a_clock_of_events() {
    let mut board = board(on_events(), &["hour", "hour:2"]);
    let limit = Rule::new(b"each", b"voter", 1, b"all").unwrap();
    let voting = RuleChanges { limits: vec![limit], ..RuleChanges::default() };
    board.alter(&Alter { voting, ..Alter::default() }).unwrap();
    board.vote(&event(0, None), &by(b"v"), (ANN, 1)).unwrap();
    leaves_no_trace(&mut board, |board| {
        let only = Condition { present: Some(true), ..Condition::default() };
        let held_back = board.set(&event(HOUR, Some(b"id")), Decimal::whole(1), BOB, only).unwrap();
        assert_eq!((held_back.effect, held_back.now), (Effect::HeldBack, None));
        for votes in [&[(BOB, 1)][..], &[(BOB, 1), (ANN, 1)]] {
            let verdict = board.vote_many(&event(HOUR, Some(b"id")), &by(b"v"), votes).unwrap();
            assert!(matches!(verdict, Verdict::HeldBack { .. }) && verdict.effect() == Effect::HeldBack);
        }
    });
}

#[test]
fn a_first_write_that_is_refused_begins_no_view() {
    for clock in [Clock::Event, Clock::Server] {
        let mut board = board(Schema { shown: true, clock, ..Schema::default() }, &["hour", "hour:2"]);
        let said = Declaration { initial: Some(i64::MAX as u64), ..Declaration::default() };
        board.declare(ANN, said, client(START)).unwrap();
        let write = if clock == Clock::Event { event(0, None) } else { wall(0) };
        for (number, send) in KINDS.iter().enumerate().filter(|(number, _)| *number != 2) {
            leaves_no_trace(&mut board, |board| {
                assert_eq!(send(board, &write, 1), Err(Error::Overflow), "{number} with {clock}");
            });
        }
        assert!(board.periods(b"hour").unwrap().is_empty());
        board.add(&write, Decimal::whole(1), BOB).unwrap();
        assert_eq!(board.periods(b"hour").unwrap().len(), 1);
    }
}

#[test]
fn votes_for_several_are_refused_as_a_whole_when_a_clock_that_leapt_is_put_right() {
    let mut board = board(Schema { decimals: 9, ..Schema::default() }, &["day"]);
    let most = (i64::MAX / 1_000_000_000) as u64;
    board.vote(&wall(0), &by(b"v"), (ANN, most)).unwrap();
    board.vote(&wall(DAY), &by(b"v"), (ANN, 1)).unwrap();
    let votes = [(BOB, 1), (ANN, 1)];
    assert_eq!(board.vote_many(&wall(1), &by(b"v"), &votes), Err(Error::Overflow));
    board.check();
    let position = board.add(&wall(1), Decimal::whole(1), BOB).unwrap().now.unwrap();
    assert_eq!(position.score.units(), 1_000_000_000);
}

#[test]
fn a_member_that_is_named_twice_is_entered_once() {
    for members in [1, 300, 1_100] {
        let mut board = board(Schema::default(), &["all", "hour"]);
        let names: Vec<_> = (0..members).map(|number: u32| number.to_le_bytes()).collect();
        let pairs: Vec<_> = names.iter().chain(&names).map(|name| (Decimal::whole(1), &name[..])).collect();
        let (_, positions) = board.add_many(&wall(0), &pairs).unwrap();
        board.check();
        assert!(positions.iter().all(|position| position.unwrap().score.units() == 2));
        assert_eq!(board.len(), u64::from(members));
    }
}
