//! Cases with results worked out by hand from the specification.

use leaderboard_core::board::{Alter, Decays, Write, parse_views};
use leaderboard_core::calendar::{Unit, When};
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::share::Share;
use leaderboard_core::time::{Clock, TimeSource};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Decimal, NativeType, Schema};
use leaderboard_testkit::twin::{loaded, saved};

const HOUR: u64 = 3_600_000;

/// Returns a board on a clock of events whose hourly views decay by half.
fn halving(views: &str, keep: u32) -> Board {
    let schema = Schema { clock: Clock::Event, keep, ..Schema::default() };
    let mut specs = parse_views(views.as_bytes()).unwrap();
    let hours = specs.iter_mut().filter(|spec| spec.kind != Kind::All);
    hours.for_each(|spec| *spec = Spec { decay: Share::from_billionths(500_000_000), ..*spec });
    Board::new(schema, &specs).unwrap()
}

fn add(board: &mut Board, points: i64, member: &str, meta: Option<&[u8]>, at: u64) {
    let origin = TimeSource::Client { wall: 0, max_future: 0 };
    let write = Write { at: Some(at), meta, ..Write::new(origin) };
    board.add(&write, Decimal::whole(points), member.as_bytes()).unwrap();
}

#[test]
fn who_fell_out_of_all_that_can_be_read_is_forgotten_with_its_text() {
    let mut board = halving("hour,all", 2);
    add(&mut board, 100, "m0", None, 0);
    add(&mut board, 1, "ann", Some(b"text"), 0);
    // In hour 1, nothing is left of ann's score. In hour 2, hour 0 cannot be read any more.
    add(&mut board, 5, "m3", None, 2 * HOUR);
    assert_eq!(board.meta(b"ann"), None);
    assert_eq!(saved(&loaded::<Board>(&saved(&board))), saved(&board));
}

#[test]
fn who_is_left_in_a_period_that_can_be_read_keeps_its_text() {
    let mut board = halving("hour,all", 2);
    add(&mut board, 100, "m0", None, 0);
    add(&mut board, 2, "ann", Some(b"text"), 0);
    add(&mut board, 5, "m3", None, 2 * HOUR);
    assert_eq!(board.meta(b"ann"), Some(&b"text"[..]));
}

#[test]
fn a_board_that_keeps_its_best_takes_the_same_memory_however_many_play() {
    let mut board = halving("hour,all", 2);
    for number in 1..=3_000 {
        // After 14 hours, much of the first member's score is left, and nothing of the other scores.
        let at = number as u64 * 14 * HOUR;
        add(&mut board, 1_000_000, "m0", None, at);
        add(&mut board, number, &format!("player {number}"), Some(&[b'x'; 200]), at);
    }
    let bytes: usize = saved(&board).iter().map(Vec::len).sum();
    assert!(bytes < 2_000, "{bytes} bytes saved");
    assert!(board.memory() < 10_000, "{} bytes in memory", board.memory());
}

#[test]
fn who_is_one_unit_below_0_leaves() {
    let mut board = halving("hour", 0);
    for (points, member) in [(-1, "ann"), (1, "bob"), (-3, "cid"), (3, "dan")] {
        add(&mut board, points, member, None, 0);
    }
    let scores = |board: &Board| {
        ["ann", "bob", "cid", "dan"].map(|name| {
            let reading = board.read(None, Default::default(), Default::default()).unwrap();
            reading.score(name.as_bytes()).map(|score| score.units())
        })
    };
    add(&mut board, 5, "eve", None, HOUR);
    assert_eq!(scores(&board), [None, None, Some(-1), Some(1)]);
    add(&mut board, 5, "eve", None, 2 * HOUR);
    assert_eq!(scores(&board), [None; 4]);
}

/// Returns a board on the server's clock whose views keep all of a score at each boundary.
fn keeping(views: &str, retain: u32) -> Board {
    let mut specs = parse_views(views.as_bytes()).unwrap();
    specs.iter_mut().for_each(|spec| *spec = Spec { decay: Some(Share::ALL), retain, ..*spec });
    Board::new(Schema::default(), &specs).unwrap()
}

/// Gives points to several members in one write.
fn add_now(board: &mut Board, pairs: &[(i64, &str)], wall: u64) {
    let origin = TimeSource::Client { wall, max_future: 0 };
    let write = Write::new(origin);
    let pairs: Vec<_> =
        pairs.iter().map(|(points, member)| (Decimal::whole(*points), member.as_bytes())).collect();
    board.add_many(&write, &pairs).unwrap();
}

fn names(board: &Board, back: u32) -> Vec<String> {
    let reading = board.read(None, When::Back(back), Tally::Shown).unwrap();
    let name = |id| String::from_utf8(board.name(id).to_vec()).unwrap();
    reading.rows(0, u64::MAX, Ranks::Ordinal).map(|row| name(row.id)).collect()
}

#[test]
fn an_entry_that_comes_back_changes_no_period_before_it() {
    let mut board = keeping("hour", 1);
    let hour = |number: u64| 1_200_000_000_000 / HOUR * HOUR + number * HOUR;
    // The clock leaps ahead, and is corrected.
    add_now(&mut board, &[(0, "bob")], hour(4));
    board.advance(hour(0));
    add_now(&mut board, &[(1, "ann"), (1, "bob")], hour(1));
    board.advance(hour(4));
    assert_eq!(names(&board, 1), ["ann", "bob"]);
    add_now(&mut board, &[(0, "ann")], hour(4));
    assert_eq!(names(&board, 1), ["ann", "bob"]);
}

#[test]
fn decay_that_ends_and_begins_again_is_saved_with_the_order_of_equals() {
    let mut board = keeping("5s", 13);
    let decay = |share| {
        let kind = Kind::Periods { unit: Unit::Seconds(5), count: 1 };
        Alter { decay: Decays(vec![(kind, share)]), ..Alter::default() }
    };
    let begin = 1_200_000_000_000;
    add_now(&mut board, &[(2, "ann"), (-1, "dan")], begin);
    add_now(&mut board, &[(1, "ann"), (2, "bob"), (3, "cid")], begin + 10_000);
    board.advance(begin + 20_000);
    board.alter(&decay(None)).unwrap();
    board.alter(&decay(Share::from_billionths(1))).unwrap();
    add_now(&mut board, &[(0, "bob")], begin + 20_000);
    assert!(saved(&loaded::<Board>(&saved(&board))) == saved(&board));
}
