//! Random schemas and steps.

use std::cmp::Ordering;

use leaderboard_core::Schema;
use leaderboard_core::board::Condition;
use leaderboard_core::schema::{Aggregate, Order, Ties};
use leaderboard_core::time::Clock;
use proptest::prelude::*;

use crate::MAX_FUTURE;
use crate::model::{Name, Op, Points, Sent};

/// The moment that a write names, by its distance from the board's now.
#[derive(Debug, Clone, Copy)]
pub enum At {
    Unsaid,
    Late(u64),
    Ahead(u64),
}

/// What the server's clock does.
#[derive(Debug, Clone, Copy)]
pub enum Tick {
    Forward(u64),
    Back(u64),
    /// Far ahead of the true time.
    Jump(u64),
    /// Back to the true time.
    Correct,
}

#[derive(Debug, Clone)]
pub enum Step {
    Write(Sent, At),
    /// A write with an id that was sent before, once more.
    Retry(prop::sample::Index, At),
    Remove(Name),
    SetMeta(Name, Vec<u8>),
    Tick(Tick),
    Dedup(u32),
    Reload,
}

pub fn schemas() -> impl Strategy<Value = Schema> {
    let order = prop_oneof![Just(Order::Desc), Just(Order::Asc)];
    let aggregate = prop_oneof![
        2 => Just(Aggregate::Sum),
        1 => Just(Aggregate::Max),
        1 => Just(Aggregate::Min),
        1 => Just(Aggregate::Last),
    ];
    let ties = prop_oneof![Just(Ties::First), Just(Ties::Last), Just(Ties::Lex)];
    let clock = prop_oneof![2 => Just(Clock::Server), 1 => Just(Clock::Event)];
    (order, aggregate, ties, 0..=9_u8, clock, dedup()).prop_map(
        |(order, aggregate, ties, decimals, clock, dedup)| Schema {
            order,
            aggregate,
            ties,
            decimals,
            clock,
            dedup,
            ..Schema::default()
        },
    )
}

fn dedup() -> impl Strategy<Value = u32> {
    prop_oneof![1 => Just(0), 2 => Just(1), 4 => Just(600), 1 => Just(315_360_000)]
}

/// Names of every kind: text, any bytes, short and as long as they may be.
pub fn name(number: usize) -> Name {
    let mut bytes = match number % 11 {
        0 => [&vec![b'x'; 508][..], format!("{number:04}").as_bytes()].concat(),
        1 => vec![0, 0xff, (number >> 8) as u8, number as u8],
        2 => vec![b'z'; number + 1],
        _ => format!("member:{number}").into_bytes(),
    };
    bytes.truncate(512);
    Name(bytes)
}

fn names(members: usize) -> impl Strategy<Value = Name> {
    (0..members).prop_map(name)
}

fn points() -> impl Strategy<Value = Points> {
    const MOST: i64 = i64::MAX;
    prop_oneof![
        12 => (-3..10_i64).prop_map(Points::Units),
        3 => (-100_000..100_000_i64).prop_map(Points::Units),
        1 => (MOST - 5..=MOST).prop_map(Points::Units),
        1 => (-MOST..-MOST + 5).prop_map(Points::Units),
        1 => (-MOST..=MOST).prop_map(Points::Units),
        1 => Just(Points::TooFine),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    let present = prop_oneof![3 => Just(None), 1 => Just(Some(false)), 1 => Just(Some(true))];
    let compared = prop_oneof![
        2 => Just(None),
        1 => Just(Some(Ordering::Less)),
        1 => Just(Some(Ordering::Greater)),
    ];
    (present, compared).prop_map(|(present, compared)| Condition { present, compared })
}

fn op(members: usize, list: usize) -> impl Strategy<Value = Op> {
    // One bad number spoils a whole list, so long lists have none.
    let fine = (-3..10_i64).prop_map(Points::Units);
    prop_oneof![
        4 => (points(), names(members)).prop_map(|(points, name)| Op::Add(points, name)),
        3 => (points(), names(members), condition()).prop_map(|(score, name, when)| Op::Set(score, name, when)),
        1 => proptest::collection::vec((points(), names(members)), 1..8).prop_map(Op::Many),
        1 => proptest::collection::vec((fine, names(members)), 1..=list).prop_map(Op::Many),
    ]
}

fn sent(members: usize, list: usize) -> impl Strategy<Value = Sent> {
    let id = (0..40_u8).prop_map(|id| vec![b'r', id]);
    (op(members, list), proptest::option::of(id), any::<bool>()).prop_map(|(op, id, with_change)| Sent {
        op,
        id,
        with_change,
    })
}

fn at() -> impl Strategy<Value = At> {
    prop_oneof![
        4 => Just(At::Unsaid),
        4 => (0..4_u64).prop_map(At::Late),
        2 => (0..100_000_u64).prop_map(At::Late),
        2 => (0..4_u64).prop_map(At::Ahead),
        1 => (MAX_FUTURE - 1..MAX_FUTURE + 2).prop_map(At::Ahead),
        1 => (0..1_000_000_u64).prop_map(At::Ahead),
    ]
}

fn tick() -> impl Strategy<Value = Tick> {
    prop_oneof![
        8 => (0..3_u64).prop_map(Tick::Forward),
        4 => (300..700_u64).prop_map(Tick::Forward),
        1 => (500_000..700_000_u64).prop_map(Tick::Forward),
        2 => (1..5_u64).prop_map(Tick::Back),
        1 => (0..=MAX_FUTURE).prop_map(Tick::Back),
        1 => (MAX_FUTURE..1_000_000_000).prop_map(Tick::Jump),
        2 => Just(Tick::Correct),
    ]
}

/// Steps with so many members, lists of up to `list` and `len` steps at the most.
pub fn steps(members: usize, list: usize, len: usize) -> impl Strategy<Value = Vec<Step>> {
    let meta = proptest::collection::vec(any::<u8>(), 0..6);
    let step = prop_oneof![
        12 => (sent(members, list), at()).prop_map(|(sent, at)| Step::Write(sent, at)),
        3 => (any::<prop::sample::Index>(), at()).prop_map(|(which, at)| Step::Retry(which, at)),
        2 => names(members).prop_map(Step::Remove),
        2 => (names(members), meta).prop_map(|(name, meta)| Step::SetMeta(name, meta)),
        6 => tick().prop_map(Step::Tick),
        1 => dedup().prop_map(Step::Dedup),
        1 => Just(Step::Reload),
    ];
    proptest::collection::vec(step, 1..=len)
}
