#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "numbers of a test")]

use super::*;
use crate::board::halve::tests::{START, TOKEN, parts};
use crate::board::{Alter, MAX_HIDDEN, Write, parse_views};
use crate::board_rule::BoardRule;
use crate::campaign::RuleChanges;
use crate::limits::Attempts;
use crate::native::NativeType;
use crate::schema::Schema;
use crate::score::Decimal;
use crate::time::TimeSource;

const INCARNATION: u64 = 5;

fn write(request: Option<&[u8]>) -> Write<'_> {
    let origin = TimeSource::Client { wall: START, max_future: 0 };
    Write { request, ..Write::new(origin) }
}

fn held(board: &mut Board) {
    let entry = board.catalog().held(TOKEN, START, START + 5_000).unwrap();
    board.put_catalog(entry);
}

fn made(role: Role) -> Board {
    let mut board = Board::new(Schema { role, ..Schema::default() }, &parse_views(b"all").unwrap()).unwrap();
    board.put_catalog(CatalogEntry { incarnation: INCARNATION, ..CatalogEntry::default() });
    board
}

/// Returns parts `2 * number` and `2 * number + 1`, which an attempt holds.
fn pair(number: u16, of: Parts) -> [Board; 2] {
    [0, 1].map(|odd| {
        let mut part = made(Role::Part { number: number * 2 + odd, parts: of });
        held(&mut part);
        part
    })
}

/// Returns the name of a member of a board.
fn member(board: &Board, after: u32) -> Vec<u8> {
    let names = (after..).map(|number| format!("m{number}").into_bytes());
    names.clone().find(|name| board.schema.role.check(name).is_ok()).unwrap()
}

#[test]
fn only_the_attempt_that_holds_both_parts_merges_them_in_time() {
    let [low, high] = pair(1, parts(4));
    let half = Half { number: 2, parts: parts(4) };
    let merge = |low: &Board, high: &Board, half, token, wall| low.clone().merge(high, half, token, wall);
    assert_eq!(merge(&low, &high, half, TOKEN, START), Ok(true));
    let stale = |what| Err(Error::Stale(what));
    assert_eq!(merge(&low, &high, half, TOKEN + 1, START), stale("token"));
    assert_eq!(merge(&low, &high, half, TOKEN, START + 5_000), stale("token"));
    assert_eq!(merge(&low, &low, half, TOKEN, START), stale("part"));
    assert_eq!(merge(&high, &low, half, TOKEN, START), stale("part"));
    assert_eq!(merge(&low, &high, Half { number: 3, ..half }, TOKEN, START), stale("part"));
    assert_eq!(merge(&low, &high, Half { number: 0, ..half }, TOKEN, START), stale("part"));
    assert_eq!(merge(&low, &high, Half { number: 0, parts: Parts::TWO }, TOKEN, START), stale("part"));
    let change = |board: &Board, change: fn(CatalogEntry) -> CatalogEntry| {
        let mut board = board.clone();
        board.put_catalog(change(board.catalog()));
        board
    };
    let other = change(&high, |entry| CatalogEntry { incarnation: 6, ..entry });
    assert_eq!(merge(&low, &other, half, TOKEN, START), stale("incarnation"));
    let other = change(&high, |entry| CatalogEntry { revision: 1, ..entry });
    assert_eq!(merge(&low, &other, half, TOKEN, START), stale("revision"));
    let other = change(&high, |entry| CatalogEntry { hold: None, ..entry });
    assert_eq!(merge(&low, &other, half, TOKEN, START), stale("token"));
    // A write after the time of the attempt ends it.
    let mut written = low.clone();
    written.note_write();
    assert_eq!(merge(&written, &high, half, TOKEN, START), stale("token"));
}

#[test]
fn a_merged_part_takes_writes_and_knows_that_it_was_merged() {
    let [mut low, mut high] = pair(1, parts(4));
    let (one, other) = (member(&low, 0), member(&high, 0));
    low.add(&write(Some(b"one")), Decimal::whole(1), &one).unwrap();
    high.add(&write(Some(b"two")), Decimal::whole(2), &other).unwrap();
    held(&mut low);
    held(&mut high);
    let half = Half { number: 2, parts: parts(4) };
    assert_eq!(low.merge(&high, half, TOKEN, START), Ok(true));
    assert_eq!(low.merge(&high, half, TOKEN, START), Ok(false));
    assert_eq!(low.schema.role, Role::Part { number: 1, parts: parts(2) });
    assert!(!low.is_held(START));
    assert_eq!(low.catalog().target, Some(parts(4)));
    let later = low.catalog().adopted(1, false).unwrap();
    assert_eq!((later.target, later.revision), (None, 1));
    let again = Board::from_bytes(&low.to_bytes()).unwrap();
    assert_eq!(again.catalog(), low.catalog());
    // Ids of both parts are known, with their writes.
    for (id, points, name) in [(b"one", 1, &one), (b"two", 2, &other)] {
        let answer = low.add(&write(Some(id)), Decimal::whole(points), name).unwrap();
        assert_eq!(format!("{:?}", answer.effect), "Repeated");
        let reused = low.add(&write(Some(id)), Decimal::whole(points + 1), name);
        assert_eq!(reused.map(|_| ()), Err(Error::RequestReused));
    }
}

#[test]
fn an_id_that_both_parts_know_counts_as_repeated_whatever_its_list_is() {
    let [mut low, mut high] = pair(0, parts(4));
    let (one, other) = (member(&low, 0), member(&high, 0));
    low.add(&write(Some(b"both")), Decimal::whole(1), &one).unwrap();
    high.add(&write(Some(b"both")), Decimal::whole(2), &other).unwrap();
    held(&mut low);
    held(&mut high);
    low.merge(&high, Half { number: 0, parts: parts(4) }, TOKEN, START).unwrap();
    let list = [(Decimal::whole(1), one.as_slice()), (Decimal::whole(2), other.as_slice())];
    let answer = low.add_many(&write(Some(b"both")), &list).unwrap();
    assert_eq!(format!("{:?}", answer.0), "Repeated");
    assert_eq!(low.requests(START), 1);
}

#[test]
fn attempts_are_counted_once_when_a_part_was_split_and_is_merged_again() {
    let mut part = made(Role::Part { number: 0, parts: Parts::TWO });
    let attempts = Some(Attempts::new(2, b"day").unwrap());
    let voting = RuleChanges { attempts, ..RuleChanges::default() };
    part.alter(&Alter { voting, ..Alter::default() }).unwrap();
    let names = [0, 1].map(|number| member(&made(Role::Part { number, parts: parts(4) }), 0));
    let adds = |board: &mut Board, name: &[u8]| board.add(&write(None), Decimal::whole(1), name).map(|_| ());
    let held_back = Err(Error::HeldBack(BoardRule::Attempts, Some(6_400_000)));
    names.iter().for_each(|name| adds(&mut part, name).unwrap());
    held(&mut part);
    let mut halves = [0, 1].map(|number| {
        let mut half = part.clone();
        assert_eq!(half.halve(Half { number, parts: parts(4) }, TOKEN, START), Ok(true));
        half.put_catalog(CatalogEntry { hold: None, ..half.catalog() });
        half
    });
    adds(&mut halves[1], &names[1]).unwrap();
    assert_eq!(adds(&mut halves[1], &names[1]), held_back);
    halves.iter_mut().for_each(held);
    let [mut low, high] = halves;
    assert_eq!(low.merge(&high, Half { number: 0, parts: parts(4) }, TOKEN, START), Ok(true));
    assert_eq!(adds(&mut low, &names[1]), held_back);
    adds(&mut low, &names[0]).unwrap();
    assert_eq!(adds(&mut low, &names[0]), held_back);
}

#[test]
fn parts_with_too_many_hidden_members_together_stay_apart() {
    let [mut low, mut high] = pair(0, parts(4));
    for part in [&mut low, &mut high] {
        let mut after = 0;
        for _ in 0..=MAX_HIDDEN / 2 {
            let name = member(part, after);
            after = std::str::from_utf8(&name[1..]).unwrap().parse::<u32>().unwrap() + 1;
            part.hide(&name).unwrap();
        }
        held(part);
    }
    let before = low.to_bytes();
    let half = Half { number: 0, parts: parts(4) };
    assert_eq!(low.merge(&high, half, TOKEN, START), Err(Error::TooManyHidden(MAX_HIDDEN)));
    assert_eq!(low.to_bytes(), before);
}

#[test]
fn a_root_becomes_the_plain_board_of_its_parts() {
    let mut root = made(Role::Root(Parts::TWO));
    let [mut low, mut high] = pair(0, Parts::TWO);
    let (one, other) = (member(&low, 0), member(&high, 0));
    low.add(&write(None), Decimal::whole(1), &one).unwrap();
    high.add(&write(None), Decimal::whole(2), &other).unwrap();
    held(&mut low);
    held(&mut high);
    let attempt = (INCARNATION, TOKEN);
    assert_eq!(root.become_plain([&low, &high], attempt, START), Err(Error::Stale("state")));
    assert_eq!(root.begin_shrinking(INCARNATION, 0, Some(parts(2))), Err(Error::Stale("parts")));
    assert_eq!(root.begin_shrinking(INCARNATION, 0, None), Ok(true));
    assert_eq!(root.begin_shrinking(INCARNATION, 0, None), Ok(false));
    assert_eq!(root.become_plain([&low, &high], attempt, START), Err(Error::Stale("token")));
    held(&mut root);
    assert_eq!(Board::from_bytes(&root.to_bytes()).unwrap().catalog(), root.catalog());
    assert_eq!(root.become_plain([&high, &low], attempt, START), Err(Error::Stale("part")));
    assert_eq!(root.become_plain([&low, &high], attempt, START + 5_000), Err(Error::Stale("token")));
    assert_eq!(root.become_plain([&low, &high], attempt, START), Ok(true));
    assert_eq!(root.become_plain([&low, &high], attempt, START), Ok(false));
    assert_eq!((root.schema.role, root.count(), root.catalog().hold), (Role::Whole, 2, None));
    let again = Board::from_bytes(&root.to_bytes()).unwrap();
    assert_eq!((again.catalog().incarnation, again.count()), (INCARNATION, 2));
}

#[test]
fn a_root_shrinks_to_half_of_its_parts() {
    let mut root = made(Role::Root(parts(8)));
    assert_eq!(root.begin_shrinking(INCARNATION, 0, Some(parts(2))), Err(Error::Stale("parts")));
    assert_eq!(root.begin_shrinking(INCARNATION, 0, None), Err(Error::Stale("parts")));
    assert_eq!(root.begin_shrinking(INCARNATION, 1, Some(parts(4))), Err(Error::Stale("revision")));
    assert_eq!(root.begin_shrinking(INCARNATION, 0, Some(parts(4))), Ok(true));
    assert_eq!(root.begin_shrinking(INCARNATION, 0, Some(parts(4))), Ok(false));
    assert_eq!(root.schema.role, Role::Root(parts(4)));
    assert_eq!(root.catalog().target, Some(parts(8)));
    assert_eq!(root.catalog().altered(None, 0), Err(Error::Shrinking));
    assert_eq!(root.catalog().completed(0, false), Err(Error::Stale("state")));
    assert_eq!(root.finish_shrinking(INCARNATION, parts(8)), Err(Error::Stale("state")));
    assert_eq!(root.finish_shrinking(INCARNATION, parts(4)), Ok(true));
    assert_eq!(root.finish_shrinking(INCARNATION, parts(4)), Ok(false));
    assert_eq!((root.state(), root.catalog().revision), (State::Altering, 1));
    let growing = CatalogEntry { state: State::Growing, target: Some(parts(8)), ..root.catalog() };
    root.put_catalog(growing);
    assert_eq!(root.finish_shrinking(INCARNATION, parts(4)), Err(Error::Stale("state")));
    assert_eq!(root.begin_shrinking(INCARNATION, 1, Some(parts(2))), Err(Error::Stale("state")));
}

#[test]
fn bytes_that_are_no_board_are_refused() {
    let board = pair(0, parts(4)).into_iter().next().unwrap();
    let bytes = board.to_bytes();
    for cut in 0..bytes.len() {
        assert!(Board::from_bytes(&bytes[..cut]).is_err());
    }
    for place in 0..bytes.len() {
        let mut wrong = bytes.clone();
        wrong[place] ^= 1;
        assert!(Board::from_bytes(&wrong).is_err());
    }
    let longer = [&bytes[..bytes.len() - CHECKSUM], b"\x01x"].concat();
    assert!(Board::from_bytes(&[&longer[..], &checksum(&longer)].concat()).is_err());
}
