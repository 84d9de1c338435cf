#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "numbers of a test")]

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::board::halve::tests::{
    Rows, START, Step, TOKEN, board, check_voters, hold, names, orders, parts, play, reloaded, step, write,
};
use crate::board::{Half, Write, parse_views};
use crate::native::NativeType;
use crate::parts::Parts;
use crate::schema::{Aggregate, Order};
use crate::score::Decimal;
use crate::time::{MAX_MILLIS, TimeSource};

const DAY: u64 = 86_400_000;

/// Returns the time that passes between two phases.
fn jump() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 0..DAY, 0..12 * DAY]
}

/// The role of the board that is halved, and the number of parts of its halves.
fn roles() -> impl Strategy<Value = (Role, Parts)> {
    prop_oneof![Just((Role::Part { number: 1, parts: parts(2) }, parts(4))), Just((Role::Whole, Parts::TWO)),]
}

fn is_high(of: Parts, name: &[u8]) -> bool {
    of.of(name) & 1 == 1
}

/// Merges the orders of two parts as a gateway does: by score, moment and part. The last two lists have no order.
fn gathered(schema: &Schema, [low, high]: [Vec<Rows>; 2]) -> Vec<Rows> {
    let unordered = low.len() - 2;
    let merge = |(place, (low, high)): (usize, (Rows, Rows))| {
        let mut all: Vec<_> =
            low.into_iter().map(|row| (row, 0)).chain(high.into_iter().map(|row| (row, 1))).collect();
        if place >= unordered {
            all.sort_by(|one, other| one.0.cmp(&other.0));
            return all.into_iter().map(|(row, _)| row).collect();
        }
        all.sort_by_key(|((_, units, moment), part)| {
            let score = if schema.order == Order::Desc { -units } else { *units };
            (score, if schema.ties == Ties::Last { u64::MAX - moment } else { *moment }, *part)
        });
        all.into_iter().map(|(row, _)| row).collect()
    };
    low.into_iter().zip(high).enumerate().map(merge).collect()
}

/// Returns the orders of a board, with entries of one moment in the order of the parts.
fn ordered(board: &Board, of: Parts, names: &[String], now: u64) -> Vec<Rows> {
    let mut all = orders(board, names, now, |_| true);
    let unordered = all.len() - 2;
    for (place, rows) in all.iter_mut().enumerate() {
        if place >= unordered {
            rows.sort();
            continue;
        }
        let mut from = 0;
        while let Some((_, units, moment)) = rows.get(from).cloned() {
            let equal = rows[from..].iter().take_while(|row| (row.1, row.2) == (units, moment)).count();
            if (1..=MAX_MILLIS).contains(&moment) {
                rows[from..from + equal].sort_by_key(|(name, ..)| is_high(of, name));
            }
            from += equal;
        }
    }
    all
}

/// Carries out a step. A plain board does not keep the moments of ended periods, so the order of equals of the same moment
/// cannot be compared. So there it is not the same moment.
fn play_on(board: &mut Board, is_plain: bool, names: &[String], now: &mut u64, step: &(Index, Step)) {
    play(board, names, now, step);
    *now += u64::from(is_plain);
}

fn halves(board: &Board, of: Parts, now: u64) -> [Board; 2] {
    let role = board.schema.role;
    [0, 1].map(|odd| {
        let mut copy = board.clone();
        match role {
            Role::Whole => copy.hold_for_parts((5, TOKEN), (now, now + 5_000)).unwrap(),
            _ => hold(&mut copy, now),
        }
        let number = role.part().unwrap_or(0) * 2 + odd;
        assert_eq!(copy.halve(Half { number, parts: of }, TOKEN, now), Ok(true));
        copy
    })
}

fn joined(pair: &[Board; 2], role: Role) -> Board {
    let entry = pair[0].catalog();
    let joined = pair[0].join(&pair[1], role, CatalogEntry { hold: None, ..entry }).unwrap();
    joined.check();
    joined
}

/// Checks that a board can be saved and loaded, and returns the loaded board.
fn saved(board: &Board) -> Board {
    let (loaded, bytes) = reloaded(board);
    assert!(reloaded(&loaded).1 == bytes);
    loaded.check();
    loaded
}

/// The day before yesterday counts again in a rolling view after the clock was put back, while its old points are stored for
/// the order of an ended period.
#[test]
fn a_joined_board_whose_clock_was_put_back_is_saved_as_it_is_loaded() {
    let role = Role::Part { number: 1, parts: parts(2) };
    let schema = Schema { role, ..Schema::default() };
    let mut specs = parse_views(b"day,day:3,week").unwrap();
    specs.iter_mut().for_each(|spec| spec.retain = 4);
    let mut whole = Board::new(schema, &specs).unwrap();
    whole.put_catalog(CatalogEntry { incarnation: 5, ..CatalogEntry::default() });
    let (names, of, mut now) = (names(role), parts(4), START);
    let add = |board: &mut Board, now: u64, number: usize, late: u64| {
        let name = names[number].as_bytes();
        _ = board.add(&write(now - late, now), Decimal::whole(0), name);
    };
    for (number, late, pass) in [
        (1, 166_400_001, 0),
        (0, 0, 46_363_427 + 70_269_056),
        (1, 110_232_484, 0),
        (0, 0, 32_054_302 + 35_922_701),
        (0, 0, 80_990_514),
        (0, 0, 0),
    ] {
        add(&mut whole, now, number, late);
        now += pass;
    }
    let mut again = joined(&halves(&whole, of, now), role);
    for _ in 0..3 {
        saved(&again);
        now -= 43_200_001;
        again.advance(now);
        add(&mut again, now, 0, 0);
    }
}

/// A period counts again after the clock was put back, while its old points are stored for the order of an ended period. A late
/// write changed these points, and they are not among the points that count again.
#[test]
fn a_late_write_stays_out_of_an_ended_period_after_the_clock_was_put_back() {
    let mut specs = parse_views(b"day:3").unwrap();
    specs.iter_mut().for_each(|spec| spec.retain = 3);
    let names: Vec<String> = ["ann", "bob", "cid", "dan"].map(str::to_owned).to_vec();
    for aggregate in [Aggregate::Max, Aggregate::Sum] {
        let mut board = Board::new(Schema { aggregate, ..Schema::default() }, &specs).unwrap();
        // The day of the write, its present day, the points, and the member. In the end, the clock is put back.
        for (at, now, points, name) in [
            (0, 0, 0, "ann"),
            (2, 2, 1, "bob"),
            (2, 4, 3, "ann"),
            (5, 5, 5, "cid"),
            (6, 6, 8, "dan"),
            (2, 4, 7, "cid"),
        ] {
            let [at, now] = [at, now].map(|day| START + day * DAY);
            board.add(&write(at, now), Decimal::whole(points), name.as_bytes()).unwrap();
            let seen = |board: &Board| orders(board, &names, now, |_| true);
            assert_eq!(seen(&saved(&board)), seen(&board), "{aggregate:?} {name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn a_board_that_was_halved_and_joined_is_the_board_before_and_after_more_writes(
        (board, of) in roles().prop_flat_map(|(role, of)| (board(role), Just(of))),
        before in proptest::collection::vec(step(), 0..80),
        after in proptest::collection::vec(step(), 0..40),
        back in prop_oneof![Just(0), 0..12 * DAY],
    ) {
        let (names, mut whole, mut now) = (names(board.schema.role), board, START);
        let is_plain = whole.schema.role == Role::Whole;
        before.iter().for_each(|step| play_on(&mut whole, is_plain, &names, &mut now, step));
        let mut again = joined(&halves(&whole, of, now), whole.schema.role);
        // After the clock of a plain board was put back, entries of an ended period can have one moment, which is the
        // start of the period.
        let compared = |board: &Board, now| {
            let mut all = ordered(board, of, &names, now);
            if is_plain && back > 0 {
                all.iter_mut().for_each(|rows| rows.sort_by_key(|row| (row.1, row.2, row.0.clone())));
            }
            all
        };
        for _ in 0..3 {
            prop_assert_eq!(compared(&again, now), compared(&whole, now));
            prop_assert_eq!(compared(&saved(&again), now), compared(&whole, now));
            prop_assert_eq!((again.len(), again.last(), again.count()), (whole.len(), whole.last(), whole.count()));
            check_voters(&whole, &[(0, again.clone())], &names, now);
            // The clock is put back, and goes on from there.
            now -= back;
            prop_assert_eq!(compared(&again, now), compared(&whole, now));
            let mut then = now;
            after.iter().for_each(|step| play_on(&mut again, is_plain, &names, &mut then, step));
            after.iter().for_each(|step| play_on(&mut whole, is_plain, &names, &mut now, step));
            again.check();
        }
    }

    #[test]
    fn parts_that_are_played_on_separately_are_one_board(
        (board, of) in roles().prop_flat_map(|(role, of)| (board(role), Just(of))),
        before in proptest::collection::vec(step(), 0..40),
        apart in proptest::collection::vec((0..4_u8, jump(), proptest::collection::vec(step(), 0..20)), 0..6),
        after in proptest::collection::vec(step(), 0..40),
    ) {
        let (names, mut whole, mut now) = (names(board.schema.role), board, START);
        let is_plain = whole.schema.role == Role::Whole;
        before.iter().for_each(|step| play_on(&mut whole, is_plain, &names, &mut now, step));
        let mut pair = halves(&whole, of, now);
        for part in &mut pair {
            let open = CatalogEntry { hold: None, ..part.catalog() };
            part.set_catalog(open).unwrap();
        }
        for (who, jump, steps) in &apart {
            now += jump;
            for one in steps {
                // In a phase, one part or both are busy.
                let name = names[one.0.index(names.len())].as_bytes();
                if matches!(one.1, Step::Pass(_)) || *who > 1 || is_high(of, name) == (*who == 1) {
                    let mut clock = now;
                    pair.iter_mut().for_each(|part| {
                        clock = now;
                        play_on(part, is_plain, &names, &mut clock, one);
                    });
                    clock = now;
                    play_on(&mut whole, is_plain, &names, &mut clock, one);
                    now = clock;
                }
            }
        }
        let mut again = joined(&pair, whole.schema.role);
        for _ in 0..2 {
            let [low, high] = &pair;
            let by_hand = [low, high].map(|part| ordered(part, of, &names, now));
            let by_hand = gathered(&whole.schema, by_hand);
            let own = ordered(&again, of, &names, now);
            prop_assert_eq!(&own, &ordered(&whole, of, &names, now));
            if is_plain {
                prop_assert_eq!(undated(&own), undated(&by_hand));
            } else {
                prop_assert_eq!(&own, &by_hand);
            }
            prop_assert_eq!(ordered(&saved(&again), of, &names, now), own);
            let mut clock = now;
            for part in &mut pair {
                clock = now;
                after.iter().for_each(|step| play_on(part, is_plain, &names, &mut clock, step));
            }
            let mut then = now;
            after.iter().for_each(|step| play_on(&mut whole, is_plain, &names, &mut then, step));
            after.iter().for_each(|step| play_on(&mut again, is_plain, &names, &mut now, step));
            prop_assert_eq!((now, now), (then, clock));
            again.check();
        }
    }

    #[test]
    fn a_joined_board_takes_the_memory_of_a_loaded_board(
        (board, of) in roles().prop_flat_map(|(role, of)| (board(role), Just(of))),
        steps in proptest::collection::vec(step(), 0..60),
    ) {
        let (names, mut whole, mut now) = (names(board.schema.role), board, START);
        let is_vote = |step: &&(Index, Step)| matches!(step.1, Step::Vote { .. });
        steps.iter().filter(|step| !is_vote(step)).for_each(|step| play(&mut whole, &names, &mut now, step));
        let again = joined(&halves(&whole, of, now), whole.schema.role);
        prop_assert_eq!(again.memory(), reloaded(&again).0.memory());
    }
}

/// Returns orders without their moments.
fn undated(orders: &[Rows]) -> Vec<Vec<(Vec<u8>, i64)>> {
    let undated = |rows: &Rows| rows.iter().map(|(name, units, _)| (name.clone(), *units)).collect();
    orders.iter().map(undated).collect()
}

/// Many members, of which most have equal scores. Each part keeps the moments of its first thousand of an ended period.
#[test]
fn many_members_are_in_the_order_of_both_parts() {
    for (views, ties) in [("all,day", Ties::First), ("day:3,all", Ties::Last)] {
        let role = Role::Part { number: 1, parts: parts(2) };
        let schema = Schema { role, ties, ..Schema::default() };
        let mut whole = Board::new(schema, &parse_views(views.as_bytes()).unwrap()).unwrap();
        let all = (0..).map(|number| format!("m{number}"));
        let names: Vec<_> = all.filter(|name| role.check(name.as_bytes()).is_ok()).take(5_000).collect();
        let fill = |board: &mut Board, at: u64, points: &dyn Fn(usize) -> i64| {
            for (place, name) in names.iter().enumerate() {
                if board.check_own([name.as_bytes()]).is_ok() {
                    let at = at + (place as u64 * 7) % 1_000;
                    let origin = TimeSource::Client { wall: at, max_future: 0 };
                    let write = Write::new(origin);
                    board.add(&write, Decimal::whole(points(place)), name.as_bytes()).unwrap();
                }
            }
        };
        fill(&mut whole, START, &|place| (place % 3) as i64);
        let [mut low, mut high] = halves(&whole, parts(4), START);
        for part in [&mut low, &mut high] {
            let open = CatalogEntry { hold: None, ..part.catalog() };
            part.set_catalog(open).unwrap();
        }
        fill(&mut low, START + DAY, &|place| (place % 2) as i64);
        fill(&mut low, START + 2 * DAY, &|_| 1);
        fill(&mut high, START + 2 * DAY, &|place| (place % 5) as i64);
        // Of the current period, a part still knows all moments.
        let now = START + 2 * DAY + 5_000;
        let mut again = joined(&[low.clone(), high.clone()], role);
        for _ in 0..2 {
            let by_hand =
                gathered(&whole.schema, [&low, &high].map(|part| ordered(part, parts(4), &names, now)));
            // The joined part keeps a thousand moments, too. All entries keep their places.
            assert!(undated(&orders(&again, &names, now, |_| true)) == undated(&by_hand));
            again = saved(&again);
        }
    }
}

/// A read passes a boundary, and only a write makes it final.
#[test]
fn a_part_that_passed_boundaries_without_a_write_joins_as_one_that_did_not() {
    let (role, of) = (Role::Part { number: 1, parts: parts(2) }, parts(4));
    let names = names(role);
    let add = |board: &mut Board, now: u64, name: &str| {
        board.add(&write(now, now), Decimal::whole(1), name.as_bytes()).unwrap();
    };
    for days in [1, 2, 3, 9] {
        let mut specs = parse_views(b"day,day:3,all").unwrap();
        specs.iter_mut().for_each(|spec| spec.retain = 1);
        let mut whole = Board::new(Schema { role, ..Schema::default() }, &specs).unwrap();
        whole.put_catalog(CatalogEntry { incarnation: 5, ..CatalogEntry::default() });
        names.iter().for_each(|name| add(&mut whole, START, name));
        let [low, mut high] = halves(&whole, of, START).map(|mut part| {
            let open = CatalogEntry { hold: None, ..part.catalog() };
            part.set_catalog(open).unwrap();
            part
        });
        let now = START + days * DAY;
        add(&mut high, now, names.iter().find(|name| is_high(of, name.as_bytes())).unwrap());
        let mut read = low.clone();
        read.advance(now);
        let bytes = |low: Board| reloaded(&joined(&[low, high.clone()], role)).1;
        assert!(bytes(read) == bytes(low), "after {days} days");
    }
}
