//! Clocks that go back over ended periods, and saved moments that are invalid.

use leaderboard_core::board::Write;
use leaderboard_core::calendar::When;
use leaderboard_core::parts::Role;
use leaderboard_core::schema::{Ranks, Schema, Tally, Ties};
use leaderboard_core::time::TimeSource;
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Decimal, Error};
use leaderboard_testkit::twin::{loaded, saved};

use crate::steps::role;

const BEGIN: u64 = 1_552_867_200_000;
const MINUTE: u64 = 60_000;

fn board(role: Role, ties: Ties) -> Board {
    let spec = |name: &str| Spec { retain: 5, ..Spec::new(Kind::parse(name.as_bytes()).unwrap()) };
    Board::new(Schema { role, ties, ..Schema::default() }, &[spec("minute")]).unwrap()
}

fn names(count: usize) -> Vec<String> {
    let all = (0..).map(|number| format!("m{number}"));
    all.filter(|name| role().check(name.as_bytes()).is_ok()).take(count).collect()
}

/// Gives each member 5 points, each one millisecond after the member before.
fn fill(board: &mut Board, names: &[String], begin: u64) {
    for (name, now) in names.iter().zip(begin..) {
        let origin = TimeSource::Client { wall: now, max_future: 0 };
        let write = Write::new(origin);
        board.add(&write, Decimal::whole(5), name.as_bytes()).unwrap();
    }
}

fn moments(board: &Board, when: When) -> Vec<u64> {
    let reading = board.read(None, when, Tally::Shown).unwrap();
    let mut moments = Vec::new();
    reading.rows(0, u64::MAX, Ranks::Ordinal).for_all_dated(|row| moments.push(row.moment));
    moments
}

/// Tests a boundary that a later write has made final, on a board that was loaded and on one that was not.
#[test]
fn a_period_that_comes_back_has_the_moments_that_were_kept() {
    for (ties, count) in [Ties::First, Ties::Last].into_iter().flat_map(|ties| [(ties, 5), (ties, 1_200)]) {
        for is_loaded in [false, true] {
            let (mut board, names) = (board(role(), ties), names(count));
            fill(&mut board, &names, BEGIN + 1_000);
            fill(&mut board, &names[..1], BEGIN + MINUTE);
            if is_loaded {
                board = loaded(&saved(&board));
            }
            let before = moments(&board, When::Back(1));
            board.advance(BEGIN + 5_000);
            board.check();
            let after = moments(&board, When::Now);
            assert_eq!(after.len(), count);
            let kept = count.min(1_000);
            assert_eq!(after[..kept], before[..kept], "{ties:?} {count} {is_loaded}");
            assert!(if ties == Ties::First { after.is_sorted() } else { after.is_sorted_by(|a, b| a >= b) });
        }
    }
}

/// Moves the clock over boundaries and back without a write in between. All moments stay as they were.
#[test]
fn a_boundary_that_was_none_leaves_all_moments() {
    for count in [5, 1_200] {
        let (mut board, names) = (board(role(), Ties::First), names(count));
        fill(&mut board, &names, BEGIN + 1_000);
        let before = moments(&board, When::Now);
        board.advance(BEGIN + 2 * MINUTE);
        assert_eq!(moments(&board, When::Back(2))[..count.min(1_000)], before[..count.min(1_000)]);
        board.advance(BEGIN + 5_000);
        assert_eq!(moments(&board, When::Now), before);
    }
}

/// Loads the board's saved chunks, with one byte of the ended period's chunk replaced.
fn with_byte(board: &Board, at: usize, byte: u8) -> Result<(), Error> {
    let mut chunks = saved(board);
    let past = chunks.iter_mut().find(|chunk| chunk[0] == 8).unwrap();
    past[at] = byte;
    let mut copy = Board::load(&chunks[0])?;
    chunks[1..].iter().try_for_each(|chunk| copy.load_chunk(chunk).map(|_| ()))
}

#[test]
fn moments_that_cannot_be_are_refused() {
    let wrong = Err(Error::Corrupt("the moments of a period"));
    let mut part = board(role(), Ties::First);
    fill(&mut part, &names(3), BEGIN + 1_000);
    fill(&mut part, &names(1), BEGIN + MINUTE);
    let chunks = saved(&part);
    let past = chunks.iter().find(|chunk| chunk[0] == 8).unwrap();
    // The chunk begins with the kind and the view, and with the first and the last start in six bytes each. Then
    // comes the number of moments: 1,000, in two bytes.
    assert_eq!(past[14..16], [0xe8, 0x07]);
    assert_eq!(with_byte(&part, 14, 0xe8), Ok(()));
    assert_eq!(with_byte(&part, 14, 0xe9), wrong);
    // The last moment is one millisecond later than the moment before it. With this byte, it is one millisecond
    // earlier.
    let last = past.len() - 1;
    assert_eq!(past[last], 2);
    assert_eq!(with_byte(&part, last, 1), wrong);
    assert_eq!(with_byte(&part, last, 0), Ok(()));

    let mut whole = board(Role::Whole, Ties::First);
    fill(&mut whole, &names(3), BEGIN + 1_000);
    fill(&mut whole, &names(1), BEGIN + MINUTE);
    assert_eq!(with_byte(&whole, 14, 0), Ok(()));
    assert_eq!(with_byte(&whole, 14, 1), wrong);
}
