//! Damaged boards that are in no single place wrong: the parts contradict each other. Long tests found each of them.

use super::super::segments::{CHANGES, MOVES};
use super::*;
use crate::snapshot::wire::put_signed;

const HOUR: u64 = 3_600_000;
/// The start of an hour.
const BEGIN: u64 = NOW / HOUR * HOUR;

fn of(names: &[&str], schema: Schema) -> Board {
    let specs: Vec<_> = names
        .iter()
        .map(|name| Spec { retain: 2, ..Spec::new(Kind::parse(name.as_bytes()).unwrap()) })
        .collect();
    Board::new(schema, &specs).unwrap()
}

fn place(chunks: &[Vec<u8>], kind: u8) -> usize {
    chunks.iter().position(|chunk| chunk[0] == kind).unwrap()
}

/// Returns whether any chunk is refused. The board up to there need not be sound: the last chunk judges the whole.
fn is_refused(chunks: &[Vec<u8>]) -> bool {
    let mut board = Board::load(&chunks[0]).unwrap();
    chunks[1..].iter().any(|chunk| board.load_chunk(chunk).is_err())
}

#[test]
fn a_member_of_which_nothing_is_known_is_refused() {
    for view in ["all", "day"] {
        let mut board = of(&[view], Schema::default());
        board.add(&write(NOW), Decimal::whole(1), b"ann").unwrap();
        board.set_meta(b"bob", b"text").unwrap();
        let mut chunks = saved(&board);
        let others = place(&chunks, OTHERS);
        assert_eq!(chunks[others], b"\x03\x01\x03bob\x04text", "{view}");
        chunks[others] = b"\x03\x00\x03bob".to_vec();
        assert!(is_refused(&chunks), "{view}");
    }
}

#[test]
fn equal_entries_against_the_order_of_their_writes_are_refused() {
    let schema = || Schema { aggregate: Aggregate::Max, ..Schema::default() };
    let board = |first: &[u8], second: &[u8]| {
        let mut board = of(&["all", "day:3"], schema());
        board.add(&write(NOW - 9 * 24 * HOUR), Decimal::whole(9), b"ann").unwrap();
        board.add(&write(NOW - 9 * 24 * HOUR), Decimal::whole(8), b"bob").unwrap();
        board.add(&write(NOW), Decimal::whole(1), first).unwrap();
        board.add(&write(NOW), Decimal::whole(1), second).unwrap();
        saved(&board)
    };
    let (mut one, other) = (board(b"ann", b"bob"), board(b"bob", b"ann"));
    let view = place(&one, VIEW);
    assert!(load(&one).is_some() && load(&other).is_some() && one[view] != other[view]);
    one[view] = other[view].clone();
    assert!(is_refused(&one));
}

#[test]
fn an_entry_whose_points_have_another_moment_is_refused() {
    let chunks = |at| {
        let schema = Schema { aggregate: Aggregate::Max, ..Schema::default() };
        let mut board = of(&["all", "day:3"], schema);
        board.add(&write(at), Decimal::whole(1), b"ann").unwrap();
        saved(&board)
    };
    let (mut one, other) = (chunks(NOW), chunks(NOW - 1));
    let points = place(&one, POINTS);
    assert!(load(&one).is_some() && load(&other).is_some() && one[points] != other[points]);
    one[points] = other[points].clone();
    assert!(is_refused(&one));
}

#[test]
fn changes_of_segments_have_numbers_without_gaps() {
    let schema = Schema { segments: parse_dimensions(b"c").unwrap(), ..Schema::default() };
    let mut board = of(&["all"], schema);
    for (member, segment) in [(b"ann", &b"fr"[..]), (b"bob", b"de")] {
        let write = Write { segments: &[(b"c", segment)], ..write(NOW) };
        board.add(&write, Decimal::whole(1), member).unwrap();
    }
    let chunks = saved(&board);
    let changes = place(&chunks, CHANGES);
    assert_eq!(chunks[changes][..5], [CHANGES, 0, 0, 0, 2], "two changes");
    for (at, value) in [(3, 1), (3, 2), (3, 3), (4, 3)] {
        let mut damaged = chunks.clone();
        damaged[changes][at] = value;
        assert!(is_refused(&damaged), "byte {at} is {value}");
    }
    assert!(load(&chunks).is_some());
}

#[test]
fn a_member_leaves_a_segment_once_at_a_moment() {
    let saved_with = |movers: &[&[u8]]| {
        let schema = Schema { segments: parse_dimensions(b"c").unwrap(), ..Schema::default() };
        let mut board = of(&["hour"], schema);
        let first = Write { segments: &[(b"c", b"fr")], ..write(BEGIN) };
        for member in [b"ann", b"bob"] {
            board.add(&first, Decimal::whole(1), member).unwrap();
        }
        board.advance(BEGIN + HOUR);
        let origin = write(BEGIN + HOUR).origin;
        movers.iter().for_each(|member| _ = board.set_segments(member, &[(b"c", b"de")], origin).unwrap());
        saved(&board)
    };
    let (one, mut two) = (saved_with(&[b"ann"]), saved_with(&[b"ann", b"bob"]));
    assert!(load(&two).is_some());
    // Two moves, as the head says, but both are ann's.
    let (anns, moves) = (&one[place(&one, MOVES)], place(&two, MOVES));
    two.splice(moves..=moves, [anns.clone(), anns.clone()]);
    assert!(is_refused(&two));
}

#[test]
fn the_current_period_has_not_ended() {
    let saved_with = |hour: u64| {
        let mut board = of(&["hour"], Schema::default());
        board.add(&write(BEGIN + hour * HOUR), Decimal::whole(1), b"ann").unwrap();
        board.add(&write(BEGIN + (hour + 1) * HOUR), Decimal::whole(1), b"ann").unwrap();
        saved(&board)
    };
    let (mut board, later) = (saved_with(0), saved_with(1));
    assert!(load(&board).is_some());
    let past = place(&board, PAST);
    board[past] = later[place(&later, PAST)].clone();
    assert!(is_refused(&board));
}

#[test]
fn no_segment_has_a_change_in_a_view_without_members() {
    let saved_with = |points: Option<i64>| {
        let schema = Schema { segments: parse_dimensions(b"c").unwrap(), ..Schema::default() };
        let mut board = of(&["all"], schema);
        board.set_segments(b"bob", &[(b"c", b"fr")], write(NOW).origin).unwrap();
        let write = Write { segments: &[(b"c", b"fr")], ..write(NOW) };
        points.map(|points| board.add(&write, Decimal::whole(points), b"bob").unwrap());
        saved(&board)
    };
    let (mut empty, ranked) = (saved_with(None), saved_with(Some(1)));
    let (changes, last) = (place(&empty, CHANGES), empty.len() - 1);
    assert_eq!((empty[changes][4], ranked[place(&ranked, CHANGES)][4]), (0, 1), "no change, and one");
    empty[changes] = ranked[place(&ranked, CHANGES)].clone();
    let changes_at = empty[last].len() - 3;
    empty[last][changes_at] += 1;
    let board = load(&empty).unwrap();
    examine(&board);
    assert!(load(&saved(&board)).is_some());
}

/// A time zone can get other rules, so a loaded period may begin elsewhere than periods begin now.
#[test]
fn a_clock_that_is_put_back_into_a_period_that_began_early_leaves_a_board_that_can_be_loaded() {
    let mut board = of(&["hour"], Schema::default());
    board.add(&write(BEGIN), Decimal::whole(1), b"ann").unwrap();
    board.add(&write(BEGIN + HOUR), Decimal::whole(1), b"ann").unwrap();
    let mut chunks = saved(&board);
    let past = place(&chunks, PAST);
    let header = |first: u64| {
        let mut bytes = vec![PAST, 0];
        put_signed(&mut bytes, first as i64);
        put_signed(&mut bytes, BEGIN as i64);
        bytes
    };
    let (right, early) = (header(BEGIN), header(BEGIN - 1));
    assert!(chunks[past].starts_with(&right));
    chunks[past].splice(..right.len(), early);
    let mut loaded = load(&chunks).unwrap();
    loaded.advance(BEGIN);
    assert!(load(&saved(&loaded)).is_some());
    loaded.add(&write(BEGIN), Decimal::whole(1), b"ann").unwrap();
    assert!(load(&saved(&loaded)).is_some());
}

#[test]
fn the_period_of_the_last_write_is_before_the_current_one() {
    let mut board = of(&["hour"], Schema::default());
    board.add(&write(BEGIN), Decimal::whole(1), b"ann").unwrap();
    board.add(&write(BEGIN + 2 * HOUR), Decimal::whole(1), b"ann").unwrap();
    assert!(load(&saved(&board)).is_some());
    // A current period that does not begin where hours do: the hour around it begins before the last write.
    let periods = board.views[0].periods_mut().unwrap();
    periods.last_written = Some((BEGIN + 2 * HOUR) as i64);
    periods.span.as_mut().unwrap().period.start += 1;
    assert!(Board::load(&saved(&board)[0]).is_err());
}
