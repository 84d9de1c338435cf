//! Request ids and clocks.

use super::*;

/// The moment at which all cases begin, in milliseconds.
const START: u64 = MONDAY;

fn write(id: &[u8], wall: u64) -> Write<'_> {
    let origin = TimeSource::Client { wall, max_future: MAX_FUTURE };
    Write { request: Some(id), origin, ..at(0) }
}

fn one() -> Decimal {
    Decimal::whole(1)
}

/// Adds a point with a request id. Returns whether the board counted it.
fn counts(board: &mut Board, id: &[u8], wall: u64) -> bool {
    board.add(&write(id, wall), one(), b"ann").unwrap().effect != Effect::Repeated
}

fn short(clock: Clock) -> Board {
    new(Schema { dedup: 1, clock, ..plain() })
}

#[test]
fn an_id_stands_for_one_write_only() {
    let mut board = new(plain());
    let id = write(b"id", START);
    let any = Condition::default();
    board.add(&id, one(), b"ann").unwrap();
    let before = saved(&board);
    let again = board.add(&Write { at: Some(START - 50), ..id }, one(), b"ann").unwrap();
    assert_eq!((again.effect, again.now.unwrap().score.units()), (Effect::Repeated, 1));
    let reused = Some(Error::RequestReused);
    assert_eq!(board.add(&id, Decimal::whole(2), b"ann").err(), reused);
    assert_eq!(board.add(&id, one(), b"bob").err(), reused);
    assert_eq!(board.set(&id, one(), b"ann", any).err(), reused);
    assert_eq!(board.add_many(&id, &[(one(), b"ann")]).err(), reused);
    assert_eq!(board.add_many(&id, &[(one(), b"ann"), (one(), b"bob")]).err(), reused);
    assert_eq!(saved(&board), before);
}

#[test]
fn a_write_that_was_refused_or_held_back_leaves_its_id_free() {
    let mut board = new(plain());
    board.add(&write(b"a", START), Decimal::whole(i64::MAX), b"ann").unwrap();
    assert_eq!(board.add(&write(b"b", START), one(), b"ann").err(), Some(Error::Overflow));
    let absent = Condition { present: Some(false), compared: None };
    let held = board.set(&write(b"b", START), one(), b"ann", absent).unwrap();
    assert_eq!(held.effect, Effect::HeldBack);
    assert!(board.add(&write(b"b", START), one(), b"bob").is_ok());
    assert_eq!(board.requests(START), 2);
}

#[test]
fn an_id_is_free_again_after_its_time() {
    let mut board = short(Clock::Server);
    assert!(counts(&mut board, b"id", START));
    assert!(!counts(&mut board, b"id", START + 1_000));
    assert!(counts(&mut board, b"id", START + 1_001));
    assert!(!counts(&mut board, b"id", START + 2_001));
    assert_eq!((board.requests(START + 2_001), board.requests(START + 2_002)), (1, 0));
}

/// Adds points with 100 request ids: more ids than one write forgets.
fn crowd(board: &mut Board, wall: u64) {
    for number in 0..100_u8 {
        assert!(counts(board, &[number], wall));
    }
}

#[test]
fn ids_too_old_do_not_come_back_when_they_are_to_be_kept_for_longer() {
    let mut board = short(Clock::Server);
    crowd(&mut board, START);
    assert!(counts(&mut board, b"later", START + 5_000));
    let mut copy = loaded(&saved(&board));
    for board in [&mut board, &mut copy] {
        board.alter(&Alter { dedup: Some(600), ..Alter::default() }).unwrap();
        assert_eq!(board.requests(START + 5_000), 1);
        assert!(counts(board, &[99], START + 5_000));
        assert!(!counts(board, b"later", START + 5_000));
    }
    assert_eq!(saved(&copy), saved(&board));
}

#[test]
fn ids_too_old_do_not_come_back_with_a_clock_that_is_put_right() {
    let mut board = short(Clock::Server);
    crowd(&mut board, START);
    let ahead = START + 10 * MAX_FUTURE;
    assert!(counts(&mut board, b"ahead", ahead));
    assert_eq!(board.requests(START), 1);
    assert!(counts(&mut board, &[99], START));
    assert!(!counts(&mut board, b"ahead", START));
    assert_eq!(board.requests(START), 2);
}

#[test]
fn a_clock_of_events_can_leap_over_centuries() {
    let mut board = short(Clock::Event);
    let mut at = 7;
    for year in 0..8_000_u64 {
        at = 7 + year * 31_556_952_000;
        let id = if year % 2 == 0 { b"even" } else { b"odds" };
        let write = |id| Write { at: Some(at), ..write(id, START) };
        assert_eq!(
            board.add(&write(b"same"), one(), b"ann").unwrap().now.unwrap().score.units() as u64,
            2 * year + 1
        );
        assert!(matches!(board.add(&write(id), one(), b"ann").unwrap().effect, Effect::Applied(_)));
        assert_eq!(board.add(&write(id), one(), b"ann").unwrap().effect, Effect::Repeated);
        assert_eq!(board.requests(at), 2, "year {year}");
    }
    assert_eq!(board.requests(at + 1_001), 0);
    assert_eq!(saved(&loaded(&saved(&board))), saved(&board));
}

#[test]
fn a_leap_keeps_the_ids_that_are_young_enough() {
    let years = |count: u64| count * 31_556_952_000;
    let mut board = new(Schema { dedup: 315_360_000, clock: Clock::Event, ..plain() });
    for (id, after) in [(b"a", 0), (b"b", 30), (b"c", 34), (b"d", 36)] {
        let write = Write { at: Some(START + years(after)), ..write(id, 0) };
        board.add(&write, one(), b"ann").unwrap();
    }
    for (id, after, effect) in [(b"b", 36, Some(Effect::Repeated)), (b"c", 36, Some(Effect::Repeated))] {
        let write = Write { at: Some(START + years(after)), ..write(id, 0) };
        assert_eq!(Some(board.add(&write, one(), b"ann").unwrap().effect), effect);
    }
    assert_eq!(board.requests(START + years(36)), 3);
    assert_eq!(saved(&loaded(&saved(&board))), saved(&board));
    assert_eq!(board.requests(START + years(41)), 2);
}

#[test]
fn a_decided_write_that_comes_twice_counts_once_but_another_write_with_its_id_counts() {
    let mut board = short(Clock::Server);
    let origin = TimeSource::Decided { now: Some(START) };
    let write = Write { at: Some(START), origin, ..write(b"id", START) };
    for (points, is_applied) in [(1, true), (1, false), (2, true)] {
        let outcome = board.add(&write, Decimal::whole(points), b"ann").unwrap();
        assert_eq!(matches!(outcome.effect, Effect::Applied(_)), is_applied, "{points}");
    }
    assert_eq!(board.requests(START), 1);
    assert_eq!(saved(&loaded(&saved(&board))), saved(&board));
}

#[test]
fn without_dedup_no_id_is_remembered() {
    let mut board = new(Schema { dedup: 0, ..plain() });
    assert!(counts(&mut board, b"id", START) && counts(&mut board, b"id", START));
    assert_eq!(board.requests(START), 0);
    board.alter(&Alter { dedup: Some(5), ..Alter::default() }).unwrap();
    assert!(counts(&mut board, b"id", START) && !counts(&mut board, b"id", START));
}

#[test]
fn a_moment_a_little_ahead_is_now_and_one_far_ahead_an_error() {
    let mut board = short(Clock::Server);
    let at = |ahead| Write { at: Some(START + ahead), request: None, ..write(b"", START) };
    let applied = board.add(&at(MAX_FUTURE), one(), b"ann").unwrap().effect;
    assert!(matches!(applied, Effect::Applied(stamp) if stamp.at == START && stamp.now == START));
    let before = saved(&board);
    assert_eq!(board.add(&at(MAX_FUTURE + 1), one(), b"ann").err(), Some(Error::AtInFuture));
    assert_eq!(saved(&board), before);
    let mut events = short(Clock::Event);
    let unsaid = Write { at: None, ..at(0) };
    assert_eq!(events.add(&unsaid, one(), b"ann").err(), Some(Error::MissingAt));
    assert_eq!((events.len(), events.last()), (0, 0));
}

#[test]
fn scores_of_a_clock_that_ran_ahead_do_not_stand_in_the_way_when_it_is_put_right() {
    let mut board = new(of(Aggregate::Last));
    let year = 31_536_000_000;
    board.add(&write(b"a", START + year), Decimal::whole(5), b"ann").unwrap();
    board.add(&write(b"b", START), Decimal::whole(7), b"ann").unwrap();
    assert_eq!(now(&board).score(b"ann").map(Score::units), Some(7));
    assert_eq!(now(&board).standing(b"ann", Ranks::Ordinal).and_then(|standing| standing.at), Some(START));
}
