//! What commands may cost on boards that keep many ended periods, counted in visits to these.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use super::{Alter, Board, Carry, Edit, Retain, Write};
use crate::effort::GREAT;
use crate::native::{NativeType, Work};
use crate::schema::Schema;
use crate::score::Decimal;
use crate::time::{Clock, TimeSource};
use crate::view::{Kind, Spec, visits};

const PERIODS: u64 = 2_000;
const MEMBERS: u64 = 300;

fn name(number: u64) -> Vec<u8> {
    format!("member {number}").into_bytes()
}

fn add(board: &mut Board, member: u64, at: u64) {
    let origin = TimeSource::Client { wall: 0, max_future: 0 };
    let write = Write { at: Some(at), request: None, origin, with_change: false, view: None, meta: None };
    board.add(&write, Decimal::whole(1), &name(member)).unwrap();
}

fn work(board: &mut Board) {
    while board.has_work() && board.work(board.last()) == Work::Now {}
}

/// A large board that keeps many ended periods, each with one member. Nobody has written in the current one, but
/// member 0.
fn board_of_many_periods() -> Board {
    let schema = Schema { clock: Clock::Event, dedup: 0, ..Schema::default() };
    let spec = Spec { retain: 10_000, ..Spec::new(Kind::parse(b"1s").unwrap()) };
    let mut board = Board::new(schema, &[spec]).unwrap();
    (0..MEMBERS).for_each(|member| add(&mut board, member, 0));
    (1..=PERIODS).for_each(|period| add(&mut board, period % MEMBERS, period * 1_000));
    add(&mut board, 0, (PERIODS + 1) * 1_000);
    work(&mut board);
    board
}

#[test]
fn hiding_many_members_visits_ended_periods_once() {
    let mut board = board_of_many_periods();
    let names: Vec<_> = (0..100).map(name).collect();
    let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
    let (visited, hidden) = visits::of(|| board.hide_all(&names));
    assert_eq!(hidden, Ok(100));
    assert!(visited <= PERIODS as usize + 100, "{visited} visits to hide");
    let (visited, shown) = visits::of(|| board.unhide_all(&names));
    assert_eq!(shown, 100);
    // Whether the board knows a member is asked where it last was.
    assert!(visited <= PERIODS as usize + 100 * MEMBERS as usize, "{visited} visits to show");
}

#[test]
fn removing_many_members_visits_no_more_than_was_written() {
    let mut board = board_of_many_periods();
    let names: Vec<_> = (1..=200).chain([0, 1, 1_000]).map(name).collect();
    let (visited, removed) = visits::of(|| board.remove_all(&names));
    assert_eq!(removed.len(), 201);
    // What there is to read is looked for once, and taken out once.
    let most = 3 * (PERIODS + MEMBERS) as usize;
    assert!(visited <= most, "{visited} visits to remove");
    board.check();
    assert!((1..=200).all(|number| !board.remove(&name(number))));
}

#[test]
fn what_waits_to_be_freed_counts_as_effort() {
    let mut board = board_of_many_periods();
    let before = board.effort();
    assert!(before > PERIODS as usize);
    let retain = Some(Retain::parse(b"1").unwrap());
    board.alter(&Alter { retain, ..Alter::default() }).unwrap();
    let after = board.effort();
    assert!(after >= before.min(GREAT), "{after} of {before}");
    work(&mut board);
    assert!(board.effort() < 100, "{}", board.effort());
}

/// Bytes of a view itself.
const SHELL: usize = 2_000;

/// Changes a board, and asserts that the change frees nothing that grows with the members.
fn alter_without_freeing(board: &mut Board, alter: &Alter) {
    let before = board.memory();
    board.alter(alter).unwrap();
    let after = board.memory();
    assert!(after + SHELL > before, "{before} bytes became {after} at once");
    work(board);
    assert!(board.memory() + SHELL < after, "nothing was freed between commands");
}

#[test]
fn what_altered_views_had_is_freed_between_commands() {
    let schema = Schema { clock: Clock::Event, dedup: 0, ..Schema::default() };
    let specs = ["all", "day"].map(|name| Spec::new(Kind::parse(name.as_bytes()).unwrap()));
    let mut board = Board::new(schema, &specs).unwrap();
    (0..MEMBERS).for_each(|member| add(&mut board, member, member));
    let carry = |share| Alter { carry: Carry::parse(share).unwrap(), ..Alter::default() };
    board.alter(&carry(b"day=0.5")).unwrap();
    alter_without_freeing(&mut board, &carry(b"day=0"));
    let edit = |edit| Alter { views: vec![(Kind::parse(b"day:7").unwrap(), edit)], ..Alter::default() };
    board.alter(&edit(Edit::Add)).unwrap();
    (0..MEMBERS).for_each(|member| add(&mut board, member, MEMBERS + member));
    alter_without_freeing(&mut board, &edit(Edit::Drop));
    board.check();
}
