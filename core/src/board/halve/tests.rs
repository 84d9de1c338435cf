#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "numbers of a test")]

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::board::{Carry, Condition, Decays, Write, parse_views};
use crate::board_rule::BoardRule;
use crate::calendar::When;
use crate::limits::Ballot;
use crate::native::NativeType;
use crate::schema::{Aggregate, Order, Schema, Tally, Ties};
use crate::score::Decimal;
use crate::time::TimeSource;
use crate::view::Spec;
use crate::voters::Sketch;

pub const START: u64 = 1_700_000_000_000;
const DAY: u64 = 86_400_000;
pub const TOKEN: u64 = 77;

pub fn parts(count: u16) -> Parts {
    Parts::new(count, "PARTS").unwrap()
}

fn half(number: u16) -> Half {
    Half { number, parts: parts(4) }
}

/// Returns members that belong to a role.
pub fn names(role: Role) -> Vec<String> {
    let all = (0..).map(|number| format!("m{number}"));
    all.filter(|name| role == Role::Whole || role.check(name.as_bytes()).is_ok()).take(12).collect()
}

pub fn write(at: u64, now: u64) -> Write<'static> {
    let origin = TimeSource::Client { wall: now, max_future: 0 };
    Write { at: Some(at), ..Write::new(origin) }
}

#[derive(Debug, Clone)]
pub enum Step {
    Add { points: i64, late: u64 },
    Set { score: i64 },
    Meta,
    Hide,
    Show,
    Remove,
    Vote { voter: u8, late: u64 },
    Pass(u64),
}

pub fn step() -> impl Strategy<Value = (Index, Step)> {
    let late = || prop_oneof![Just(0), 0..3 * DAY];
    let step = prop_oneof![
        8 => (-3..9_i64, late()).prop_map(|(points, late)| Step::Add { points, late }),
        2 => (0..5_i64).prop_map(|score| Step::Set { score }),
        1 => Just(Step::Meta),
        1 => Just(Step::Hide),
        1 => Just(Step::Show),
        1 => Just(Step::Remove),
        4 => (0..6_u8, late()).prop_map(|(voter, late)| Step::Vote { voter, late }),
        3 => (0..DAY).prop_map(Step::Pass),
    ];
    (any::<Index>(), step)
}

/// Returns boards with this role.
pub fn board(role: Role) -> impl Strategy<Value = Board> {
    let views = select(vec!["all", "all,day", "day,day:3,week", "hour,all,day:2", "day"]);
    let orders = select(vec![Order::Desc, Order::Asc]);
    let aggregates = select(vec![Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last]);
    let ties = select(vec![Ties::First, Ties::Last]);
    let shares = select(vec!["", "CARRY", "DECAY"]);
    (views, orders, aggregates, ties, shares, 1..9_u32).prop_filter_map(
        "rules that exclude each other",
        move |(views, order, aggregate, ties, shares, retain)| {
            let schema = Schema { order, aggregate, ties, role, ..Schema::default() };
            let mut specs: Vec<Spec> = parse_views(views.as_bytes()).unwrap();
            specs.iter_mut().for_each(|spec| spec.retain = retain);
            match shares {
                "CARRY" => Carry::parse(b"day=0.5").unwrap().apply(&mut specs).ok()?,
                "DECAY" => Decays::parse(b"day=0.5").unwrap().apply(&mut specs).ok()?,
                _ => {}
            }
            let mut board = Board::new(schema, &specs).ok()?;
            board.put_catalog(CatalogEntry { incarnation: 5, ..CatalogEntry::default() });
            Some(board)
        },
    )
}

/// Carries out a step for one of these members. Members that do not belong to the board are left out.
pub fn play(board: &mut Board, names: &[String], now: &mut u64, (member, step): &(Index, Step)) {
    let name = names[member.index(names.len())].as_bytes();
    if board.check_own([name]).is_err() {
        if let Step::Pass(more) = step {
            *now += more;
        }
        return;
    }
    match step {
        Step::Add { points, late } => {
            let at = now.saturating_sub(*late);
            _ = board.add(&write(at, *now), Decimal::whole(*points), name);
        }
        Step::Set { score } => {
            _ = board.set(&write(*now, *now), Decimal::whole(*score), name, Condition::default());
        }
        Step::Meta => board.set_meta(name, b"text").map(|_| ()).unwrap(),
        Step::Hide => _ = board.hide(name).unwrap(),
        Step::Show => _ = board.unhide(name),
        Step::Remove => _ = board.remove(name),
        // Only boards that add up scores take votes.
        Step::Vote { voter, late } => {
            let voter = format!("u{voter}");
            let ballot = Ballot { voter: Some(voter.as_bytes()), ..Ballot::default() };
            _ = board.vote(&write(now.saturating_sub(*late), *now), &ballot, (name, 1));
        }
        Step::Pass(more) => *now += more,
    }
}

pub type Rows = Vec<(Vec<u8>, i64, u64)>;

/// Returns all orders of a board: for each view and each period, the members that `is_wanted` names, best first, with
/// their scores and moments; then the hidden members, and the texts.
pub fn orders(board: &Board, names: &[String], now: u64, is_wanted: impl Fn(&[u8]) -> bool) -> Vec<Rows> {
    let mut shown = board.clone();
    shown.advance(now);
    let hidden: Vec<_> = shown.hidden().into_iter().map(<[u8]>::to_vec).collect();
    hidden.iter().for_each(|name| _ = shown.unhide(name));
    let kinds: Vec<_> = shown.specs().map(|spec| (spec.kind.to_string(), spec.retain)).collect();
    let mut all = Vec::new();
    for (view, retain) in kinds {
        for back in 0..=retain {
            let when = if back == 0 { When::Now } else { When::Back(back) };
            let Ok(read) = shown.read(Some(view.as_bytes()), when, Tally::Shown) else { continue };
            let mut rows = Vec::new();
            read.dated(|id, score, _| {
                let name = shown.name(id);
                if is_wanted(name) {
                    rows.push((name.to_vec(), score.units(), read.dated_place(name).unwrap().moment));
                }
            });
            all.push(rows);
        }
    }
    all.push(hidden.into_iter().filter(|name| is_wanted(name)).map(|name| (name, 0, 0)).collect());
    let texts = names.iter().filter(|name| is_wanted(name.as_bytes()));
    all.push(texts.filter_map(|name| Some((shown.meta(name.as_bytes())?.to_vec(), 0, 0))).collect());
    all
}

pub fn reloaded(board: &Board) -> (Board, Vec<Vec<u8>>) {
    let mut chunks: Vec<Vec<u8>> = Vec::new();
    board.save(|chunk| chunks.push(chunk.to_vec()));
    let mut loaded = Board::load(&chunks[0]).unwrap();
    chunks[1..].iter().for_each(|chunk| _ = loaded.load_chunk(chunk).unwrap());
    (loaded, chunks)
}

pub fn hold(board: &mut Board, now: u64) {
    let entry = board.catalog().held(TOKEN, now, now + 5_000).unwrap();
    board.set_catalog(entry).unwrap();
}

/// Returns the voters of each of these members, and last of the board: for all time, and for each view and period.
pub fn voters(board: &Board, now: u64, members: &[&str]) -> Vec<Sketch> {
    let mut shown = board.clone();
    shown.advance(now);
    let kinds: Vec<_> = shown.specs().map(|spec| (spec.kind.to_string(), spec.retain)).collect();
    let mut all = Vec::new();
    for member in members.iter().map(|member| Some(member.as_bytes())).chain([None]) {
        all.push(shown.voters_sketch(member, None, None).unwrap().into_owned());
        for (view, retain) in &kinds {
            for back in 0..=*retain {
                let when = if back == 0 { When::Now } else { When::Back(back) };
                let found = shown.voters_sketch(member, Some(view.as_bytes()), Some(when));
                all.push(found.unwrap().into_owned());
            }
        }
    }
    all
}

/// Checks that the members of halves have the voters that they have on the whole board, and that all halves together have
/// the voters of the board.
pub fn check_voters(whole: &Board, halves: &[(u16, Board)], names: &[String], now: u64) {
    let count = |sketches: &[Sketch]| sketches.iter().map(Sketch::estimate).collect::<Vec<_>>();
    let mut joined: Vec<Sketch> = Vec::new();
    for (_, half) in halves {
        let own = names.iter().map(String::as_str).filter(|name| half.check_own([name.as_bytes()]).is_ok());
        let own: Vec<_> = own.collect();
        let (of_half, of_whole) = (voters(half, now, &own), voters(whole, now, &own));
        let (members, board) = of_half.split_at(of_half.len() / (own.len() + 1) * own.len());
        assert_eq!(count(members), count(&of_whole[..members.len()]));
        joined.resize(board.len(), Sketch::default());
        joined.iter_mut().zip(board).for_each(|(joined, sketch)| joined.merge(sketch));
    }
    assert_eq!(count(&joined), count(&voters(whole, now, &[])));
}

fn part_1_of_2() -> Role {
    Role::Part { number: 1, parts: parts(2) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn both_halves_together_are_the_part_before_and_after_more_writes(
        board in board(part_1_of_2()),
        before in proptest::collection::vec(step(), 0..80),
        after in proptest::collection::vec(step(), 0..40),
    ) {
        let names = names(part_1_of_2());
        let (mut whole, mut now) = (board, START);
        before.iter().for_each(|step| play(&mut whole, &names, &mut now, step));
        let mut halves = [2, 3].map(|number| {
            let mut copy = whole.clone();
            hold(&mut copy, now);
            prop_assert_eq!(copy.halve(half(number), TOKEN, now), Ok(true));
            Ok((number, copy))
        }).into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut then = now;
        for is_before in [true, false] {
            for (number, copy) in &halves {
                let wanted = |name: &[u8]| parts(4).of(name) == *number;
                prop_assert_eq!(orders(copy, &names, then, |_| true), orders(&whole, &names, then, wanted));
                copy.check();
                let (mut loaded, bytes) = reloaded(copy);
                prop_assert!(reloaded(&loaded).1 == bytes);
                loaded.check();
                loaded.advance(then);
            }
            check_voters(&whole, &halves, &names, then);
            if is_before {
                for (_, copy) in &mut halves {
                    let mut clock = now;
                    after.iter().for_each(|step| play(copy, &names, &mut clock, step));
                }
                after.iter().for_each(|step| play(&mut whole, &names, &mut then, step));
            }
        }
    }

    #[test]
    fn a_half_takes_the_memory_of_a_loaded_board(
        board in board(part_1_of_2()),
        steps in proptest::collection::vec(step(), 0..60),
    ) {
        let (names, mut whole, mut now) = (names(part_1_of_2()), board, START);
        let is_vote = |step: &&(Index, Step)| matches!(step.1, Step::Vote { .. });
        steps.iter().filter(|step| !is_vote(step)).for_each(|step| play(&mut whole, &names, &mut now, step));
        hold(&mut whole, now);
        whole.halve(half(2), TOKEN, now).unwrap();
        prop_assert_eq!(whole.memory(), reloaded(&whole).0.memory());
    }
}

fn part() -> Board {
    let role = part_1_of_2();
    Board::new(Schema { role, ..Schema::default() }, &parse_views(b"all").unwrap()).unwrap()
}

#[test]
fn a_half_goes_on_with_the_counts_of_the_whole() {
    let mut board = part();
    board.add(&write(START, START), Decimal::whole(5), names(part_1_of_2())[0].as_bytes()).unwrap();
    board.count_held_back(BoardRule::Bounds);
    let counts = |board: &Board| (board.figures(), board.extras.as_ref().map(|extras| extras.held_back));
    let before = counts(&board);
    hold(&mut board, START);
    board.halve(half(2), TOKEN, START).unwrap();
    assert_eq!(counts(&board), before);
}

#[test]
fn only_the_attempt_that_holds_a_part_splits_it_in_time() {
    let mut board = part();
    assert_eq!(board.halve(half(2), TOKEN, START), Err(Error::Stale("token")));
    hold(&mut board, START);
    assert!(board.is_held(START + 4_999) && !board.is_held(START + 5_000));
    assert_eq!(board.catalog().held(TOKEN + 1, START, START + 9), Err(Error::Stale("token")));
    assert_eq!(board.halve(half(2), TOKEN + 1, START), Err(Error::Stale("token")));
    assert_eq!(board.halve(half(2), TOKEN, START + 5_000), Err(Error::Stale("token")));
    assert_eq!(board.halve(half(1), TOKEN, START), Err(Error::Stale("part")));
    // Another attempt holds it after that time, and the first one has no effect any more.
    let other = board.catalog().held(TOKEN + 1, START + 5_000, START + 9_000).unwrap();
    assert_eq!(board.catalog().held(TOKEN, START + 5_000, START + 9_000), Err(Error::Stale("token")));
    board.set_catalog(other).unwrap();
    assert_eq!(board.halve(half(2), TOKEN, START), Err(Error::Stale("token")));
    assert_eq!(board.halve(half(2), TOKEN + 1, START + 5_000), Ok(true));
    assert_eq!(board.halve(half(2), TOKEN + 1, START + 5_000), Ok(false));
    assert!(!board.is_held(START));
}

#[test]
fn a_write_ends_an_attempt_whose_time_has_passed() {
    let mut board = part();
    hold(&mut board, START);
    let copy = board.clone();
    board.note_write();
    // A server whose clock is behind must not go on with this attempt.
    assert_eq!(board.halve(half(2), TOKEN, START), Err(Error::Stale("token")));
    let mut copy = copy;
    assert_eq!(copy.halve(half(3), TOKEN, START + 99_000), Ok(true));
    copy.note_write();
    assert!(copy.is_held(u64::MAX));
    assert_eq!(copy.catalog().opened(TOKEN + 1), Err(Error::Stale("token")));
    assert_eq!(copy.catalog().held(9, START, START), Err(Error::Stale("token")));
    let open = copy.catalog().opened(TOKEN).unwrap();
    assert_eq!(open.opened(TOKEN), Ok(open));
}

#[test]
fn both_halves_know_the_ids_of_requests_whatever_their_lists_were() {
    let mut board = part();
    let names = names(part_1_of_2());
    let of =
        |number: u16| names.iter().find(|name| parts(4).of(name.as_bytes()) == number).unwrap().as_bytes();
    let write = Write { request: Some(b"one"), ..write(START, START) };
    let list = [(Decimal::whole(1), of(2)), (Decimal::whole(1), of(3))];
    board.add_many(&write, &list).unwrap();
    hold(&mut board, START);
    for number in [2, 3] {
        let mut half_of = board.clone();
        half_of.halve(half(number), TOKEN, START).unwrap();
        let own = [(Decimal::whole(1), of(number))];
        let answer = half_of.add_many(&write, &own).unwrap();
        assert_eq!(format!("{:?}", answer.0), "Repeated");
        let (mut loaded, _) = reloaded(&half_of);
        assert_eq!(format!("{:?}", loaded.add_many(&write, &own).unwrap().0), "Repeated");
        let other = Write { request: Some(b"two"), ..write };
        assert_ne!(format!("{:?}", loaded.add_many(&other, &own).unwrap().0), "Repeated");
        assert!(matches!(
            loaded.add_many(&other, &[(Decimal::whole(2), of(number))]),
            Err(Error::RequestReused)
        ));
    }
}
