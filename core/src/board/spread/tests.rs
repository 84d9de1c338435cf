#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "numbers of a test")]

use proptest::prelude::*;

use super::*;
use crate::board::halve::tests::{
    Rows, START, TOKEN, board, check_voters, names, orders, play, reloaded, step,
};
use crate::board::{Alter, Half, parse_views};
use crate::native::NativeType;
use crate::schema::{Order, Ties};
use crate::time::{Clock, MAX_MILLIS};

const INCARNATION: u64 = 5;

fn hold(board: &mut Board, now: Millis) {
    board.hold_for_parts((INCARNATION, TOKEN), (now, now + 5_000)).unwrap();
}

/// Returns both parts of a plain board that is held.
fn halves(board: &Board, now: Millis) -> Vec<(u16, Board)> {
    let half = |number| {
        let (mut copy, _) = reloaded(board);
        assert_eq!(copy.halve(Half { number, parts: Parts::TWO }, TOKEN, now), Ok(true));
        assert!(copy.is_held(Millis::MAX));
        let open = copy.catalog().opened(TOKEN).unwrap();
        copy.set_catalog(open).unwrap();
        (number, copy)
    };
    vec![half(0), half(1)]
}

/// Returns orders without their moments.
fn undated(orders: &[Rows]) -> Vec<Vec<(Vec<u8>, i64)>> {
    let undated = |rows: &Rows| rows.iter().map(|(name, units, _)| (name.clone(), *units)).collect();
    orders.iter().map(undated).collect()
}

/// Merges the orders of two parts as a gateway does: by score, moment and part.
fn merged(schema: &Schema, orders: [Vec<Rows>; 2]) -> Vec<Vec<(Vec<u8>, i64)>> {
    let [low, high] = orders;
    let merge = |(low, high): (Rows, Rows)| {
        let mut all: Vec<_> =
            low.into_iter().map(|row| (row, 0)).chain(high.into_iter().map(|row| (row, 1))).collect();
        all.sort_by_key(|((_, units, moment), part)| {
            let score = if schema.order == Order::Desc { -units } else { *units };
            (score, if schema.ties == Ties::Last { Millis::MAX - moment } else { *moment }, *part)
        });
        all.into_iter().map(|((name, units, _), _)| (name, units)).collect()
    };
    low.into_iter().zip(high).map(merge).collect()
}

/// Returns the orders that a plain board has when it has two parts. An ended period, whose moments a plain board does not
/// know, keeps its order. In other periods, equal scores of the same millisecond are in the order of the parts.
fn by_parts(schema: &Schema, orders: Vec<Rows>) -> Vec<Vec<(Vec<u8>, i64)>> {
    let is_dated = |rows: &Rows| rows.iter().any(|(_, _, moment)| (1..=MAX_MILLIS).contains(moment));
    let own = |number| {
        let rows = orders.iter().map(|rows| rows.iter().filter(|row| Parts::TWO.of(&row.0) == number));
        rows.map(|rows| rows.cloned().collect()).collect()
    };
    let both = merged(schema, [own(0), own(1)]).into_iter().zip(&orders);
    let undated = |rows: &Rows| rows.iter().map(|(name, units, _)| (name.clone(), *units)).collect();
    both.map(|(both, rows)| if is_dated(rows) { both } else { undated(rows) }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, ..ProptestConfig::default() })]

    #[test]
    fn two_parts_are_the_plain_board_before_and_after_more_writes(
        board in board(Role::Whole),
        before in proptest::collection::vec(step(), 0..80),
        after in proptest::collection::vec(step(), 0..40),
    ) {
        let (names, mut whole, mut now) = (names(Role::Whole), board, START);
        for step in &before {
            play(&mut whole, &names, &mut now, step);
            // Equal scores of the same millisecond would be in the order of the parts.
            now += 1;
        }
        hold(&mut whole, now);
        let mut parts = halves(&whole, now);
        let mut then = now;
        for is_before in [true, false] {
            for (number, part) in &parts {
                let wanted = |name: &[u8]| Parts::TWO.of(name) == *number;
                prop_assert_eq!(undated(&orders(part, &names, then, |_| true)), undated(&orders(&whole, &names, then, wanted)));
                part.check();
                let (loaded, bytes) = reloaded(part);
                loaded.check();
                prop_assert!(reloaded(&loaded).1 == bytes);
            }
            if is_before {
                // The last lists are the hidden members and the texts, which have no order.
                let ordered = |board: &Board| {
                    let mut all = orders(board, &names, then, |_| true);
                    all.truncate(all.len() - 2);
                    all
                };
                let both = merged(&whole.schema, [ordered(&parts[0].1), ordered(&parts[1].1)]);
                prop_assert_eq!(both, by_parts(&whole.schema, ordered(&whole)));
            }
            check_voters(&whole, &parts, &names, then);
            if is_before {
                for (_, part) in &mut parts {
                    let mut clock = now;
                    after.iter().for_each(|step| play(part, &names, &mut clock, step));
                }
                after.iter().for_each(|step| play(&mut whole, &names, &mut then, step));
            }
        }
    }
}

#[test]
fn a_rule_that_parts_cannot_have_is_named_before_anything_changes() {
    for (schema, name) in [
        (Schema { ties: Ties::Lex, ..Schema::default() }, "TIES LEX"),
        (Schema { keep: 9, ..Schema::default() }, "KEEP"),
        (Schema { clock: Clock::Event, ..Schema::default() }, "CLOCK EVENT"),
        (Schema { shown: true, ..Schema::default() }, "SHOWN"),
        (Schema { declared: true, ..Schema::default() }, "DECLARED"),
    ] {
        let mut board = Board::new(schema, &parse_views(b"all").unwrap()).unwrap();
        let held = board.hold_for_parts((INCARNATION, TOKEN), (START, START + 9));
        assert_eq!(held, Err(Error::NotWithParts(name)));
        assert_eq!(board.catalog(), CatalogEntry::default());
    }
    let mut specs = parse_views(b"all,day").unwrap();
    specs[1].retain = 0;
    let mut board = Board::new(Schema::default(), &specs).unwrap();
    let held = board.hold_for_parts((INCARNATION, TOKEN), (START, START + 9));
    assert_eq!(held, Err(Error::NotWithParts("RETAIN 0")));
}

#[test]
fn only_the_attempt_that_holds_a_plain_board_makes_it_a_root_in_time() {
    let mut board = Board::new(Schema::default(), &parse_views(b"all,day").unwrap()).unwrap();
    let plain = board.rules_hash();
    assert_eq!(board.become_root(INCARNATION, TOKEN, START), Err(Error::Stale("incarnation")));
    hold(&mut board, START);
    assert!(board.is_held(START + 4_999) && !board.is_held(START + 5_000));
    assert_eq!(board.rules_hash(), plain);
    // A board that was saved meanwhile is held, too.
    let (mut board, bytes) = reloaded(&board);
    assert_eq!(reloaded(&board).1, bytes);
    assert!(board.is_held(START));
    let other = |board: &mut Board, now| board.hold_for_parts((INCARNATION, TOKEN + 1), (now, now + 5_000));
    assert_eq!(other(&mut board, START), Err(Error::Stale("token")));
    assert_eq!(
        board.hold_for_parts((INCARNATION + 1, TOKEN), (START, START)),
        Err(Error::Stale("incarnation"))
    );
    assert_eq!(board.become_root(INCARNATION, TOKEN + 1, START), Err(Error::Stale("token")));
    assert_eq!(board.become_root(INCARNATION, TOKEN, START + 5_000), Err(Error::Stale("token")));
    // A write, or other rules, end the attempt. The board remembers the incarnation.
    let mut written = board.clone();
    written.note_write();
    assert_eq!(written.become_root(INCARNATION, TOKEN, START), Err(Error::Stale("token")));
    let mut altered = board.clone();
    altered.alter_numbered(&Alter { dedup: Some(9), ..Alter::default() }, None, None).unwrap();
    assert_eq!(altered.become_root(INCARNATION, TOKEN, START), Err(Error::Stale("token")));
    assert_eq!(reloaded(&written).0.catalog().incarnation, INCARNATION);
    let parts = halves(&board, START);
    assert_eq!(board.become_root(INCARNATION, TOKEN, START), Ok(true));
    assert_eq!(board.become_root(INCARNATION, TOKEN, START + 9_000), Ok(false));
    assert_eq!(board.state(), State::Altering);
    assert!(!board.is_held(START));
    for (_, part) in parts {
        assert_eq!(part.rules_hash(), board.rules_hash());
    }
    assert_eq!(board.hold_for_parts((INCARNATION, TOKEN), (START, START)), Err(Error::Stale("state")));
    assert_eq!(board.halve(Half { number: 0, parts: Parts::TWO }, TOKEN, START), Err(Error::NotAPart));
}
