//! Random boards and steps.

use std::cmp::Ordering;

use leaderboard_core::Schema;
use leaderboard_core::board::Condition;
use leaderboard_core::calendar::{Calendar, Unit, Weekday, Zone};
use leaderboard_core::schema::{Aggregate, Order, Ties};
use leaderboard_core::time::Clock;
use leaderboard_core::view::{Kind, Share, Spec};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::MAX_FUTURE;

/// The moment that a write names.
#[derive(Debug, Clone, Copy)]
pub enum At {
    Unsaid,
    Late(u64),
    /// So many periods of a view ago, so far into that one.
    Periods(Index, u32, u64),
    Ahead(u64),
    /// Long before there were leaderboards.
    Epoch(u64),
}

/// What the clock does.
#[derive(Debug, Clone, Copy)]
pub enum Tick {
    Forward(u64),
    /// To the end of the current period of a view, or so far from it.
    Boundary(Index, i64),
    /// Over so many periods of a view, and so far into the last.
    Skip(Index, u32, u64),
    /// A little, as far as no boundary comes in between.
    Back(u64),
    /// Over so many periods of a view, on over so many more, and back again, with nothing but reads and
    /// work in between.
    Peek(Index, [u32; 2], u64),
}

#[derive(Debug, Clone)]
pub enum Action {
    Add(i64, usize),
    Roll(i64, usize),
    Set(i64, usize, Condition),
    /// Gives a member the score that it has.
    SetSame(usize),
    Many(Vec<(i64, usize)>),
}

#[derive(Debug, Clone)]
pub enum Change {
    Add(Kind),
    Drop(Index),
    Retain(u32),
    RetainOf(Index, u32),
    Carry(Index, Option<Share>),
}

#[derive(Debug, Clone)]
pub enum Step {
    /// A write, whose positions are those of a view.
    Write(Action, Index, At),
    Remove(usize),
    SetMeta(usize, Vec<u8>),
    Tick(Tick),
    Alter(Change),
    /// One of the boards is saved and loaded.
    Reload,
    /// So many pieces of what can be done ahead.
    Work(u16),
    Compare,
}

/// A board to make.
#[derive(Debug)]
pub struct Rules {
    pub schema: Schema,
    pub specs: Vec<Spec>,
    pub begin: u64,
    /// Whether its points reach to the ends of the range.
    pub is_wide: bool,
}

pub fn rules() -> impl Strategy<Value = Rules> {
    // Few units, so that one boundary does not end all periods of another view.
    let units = proptest::collection::vec(unit(), 1..=2);
    let views =
        proptest::collection::vec((count(), any::<Index>(), proptest::option::of(share()), 0..5_u32), 1..=5);
    (schema(), units, views, begin(), prop::bool::weighted(0.2)).prop_map(
        |(schema, units, views, begin, is_wide)| {
            let mut specs: Vec<Spec> = Vec::new();
            for (count, unit, share, retain) in views {
                let kind = match count {
                    0 => Kind::All,
                    count => Kind::Periods { unit: units[unit.index(units.len())], count },
                };
                if specs.iter().all(|spec| spec.kind != kind) {
                    let carry = share.filter(|_| count == 1 && schema.aggregate == Aggregate::Sum);
                    specs.push(Spec { carry, retain, ..Spec::new(kind) });
                }
            }
            Rules { schema, specs, begin, is_wide }
        },
    )
}

fn schema() -> impl Strategy<Value = Schema> {
    let order = select(&[Order::Desc, Order::Asc]);
    let aggregate = prop_oneof![
        3 => Just(Aggregate::Sum),
        1 => Just(Aggregate::Max),
        1 => Just(Aggregate::Min),
        1 => Just(Aggregate::Last),
    ];
    let ties = select(&[Ties::First, Ties::Last, Ties::Lex]);
    let clock = prop_oneof![2 => Just(Clock::Server), 1 => Just(Clock::Event)];
    (order, aggregate, ties, 0..=9_u8, clock, calendar()).prop_map(
        |(order, aggregate, ties, decimals, clock, calendar)| Schema {
            order,
            aggregate,
            ties,
            decimals,
            clock,
            calendar,
            ..Schema::default()
        },
    )
}

fn calendar() -> impl Strategy<Value = Calendar> {
    const ZONES: &[&str] =
        &["UTC", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", "+08:00"];
    let origin = prop_oneof![Just(0), any::<u32>().prop_map(u64::from)];
    (select(ZONES), select(&Weekday::ALL[..]), origin).prop_map(|(zone, week_start, origin)| Calendar {
        zone: Zone::parse(zone.as_bytes()).unwrap(),
        week_start,
        origin,
    })
}

/// Any time, and times when clocks are changed or a date is left out.
fn begin() -> impl Strategy<Value = u64> {
    const CHANGES: &[u64] = &[1_383_458_400_000, 1_552_201_200_000, 1_554_562_800_000, 1_325_152_800_000];
    prop_oneof![
        2 => (select(CHANGES), 0..7_200_000_u64).prop_map(|(change, before)| change - before),
        1 => 1_000_000_000_000..2_000_000_000_000_u64,
    ]
}

fn unit() -> impl Strategy<Value = Unit> {
    prop_oneof![
        3 => Just(Unit::Minute),
        2 => Just(Unit::Hour),
        3 => Just(Unit::Day),
        1 => Just(Unit::Week),
        1 => Just(Unit::Month),
        1 => Just(Unit::Year),
        1 => (1..100_000_u32).prop_map(Unit::Seconds),
    ]
}

/// How many periods a view counts; none for `all`.
fn count() -> impl Strategy<Value = u16> {
    prop_oneof![2 => Just(0_u16), 6 => Just(1), 6 => 2..=4_u16, 3 => 5..=10_u16, 1 => Just(366)]
}

fn kind() -> impl Strategy<Value = Kind> {
    (unit(), count()).prop_map(|(unit, count)| match count {
        0 => Kind::All,
        count => Kind::Periods { unit, count },
    })
}

fn share() -> impl Strategy<Value = Share> {
    let billionths = select(&[1, 200_000_000, 333_333_333, 500_000_000, 1_000_000_000]);
    billionths.prop_map(|billionths| Share::from_billionths(billionths).unwrap())
}

fn points() -> impl Strategy<Value = i64> {
    const MOST: i64 = i64::MAX;
    prop_oneof![
        24 => -3..10_i64,
        4 => -100_000..100_000_i64,
        1 => MOST - 5..=MOST,
        1 => -MOST..-MOST + 5,
        1 => -MOST..=MOST,
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    let present = prop_oneof![3 => Just(None), 1 => Just(Some(false)), 1 => Just(Some(true))];
    let compared =
        prop_oneof![2 => Just(None), 1 => Just(Some(Ordering::Less)), 1 => Just(Some(Ordering::Greater))];
    (present, compared).prop_map(|(present, compared)| Condition { present, compared })
}

fn action(members: usize, list: usize) -> impl Strategy<Value = Action> {
    let few = (-3..10_i64, 0..members);
    prop_oneof![
        8 => (points(), 0..members).prop_map(|(points, name)| Action::Add(points, name)),
        1 => (points(), 0..members).prop_map(|(points, name)| Action::Roll(points, name)),
        4 => (points(), 0..members, condition()).prop_map(|(score, name, when)| Action::Set(score, name, when)),
        2 => (0..members).prop_map(Action::SetSame),
        1 => proptest::collection::vec((points(), 0..members), 1..5).prop_map(Action::Many),
        2 => proptest::collection::vec(few, 1..=list).prop_map(Action::Many),
    ]
}

fn at() -> impl Strategy<Value = At> {
    prop_oneof![
        8 => Just(At::Unsaid),
        3 => (0..4_u64).prop_map(At::Late),
        2 => (0..10_000_000_u64).prop_map(At::Late),
        4 => (any::<Index>(), 0..6_u32, 0..100_000_u64).prop_map(|(view, back, into)| At::Periods(view, back, into)),
        // The boundary itself, and the same millisecond again and again.
        4 => (any::<Index>(), 0..4_u32, 0..2_u64).prop_map(|(view, back, into)| At::Periods(view, back, into)),
        1 => (any::<Index>(), 0..400_u32, 0..100_000_u64).prop_map(|(view, back, into)| At::Periods(view, back, into)),
        2 => (0..=MAX_FUTURE).prop_map(At::Ahead),
        1 => (MAX_FUTURE..2 * MAX_FUTURE).prop_map(At::Ahead),
        1 => (0..1_000_000_000_000_u64).prop_map(At::Epoch),
    ]
}

fn tick() -> impl Strategy<Value = Tick> {
    let view = || any::<Index>();
    prop_oneof![
        4 => (0..3_000_u64).prop_map(Tick::Forward),
        1 => (0..4_000_000_u64).prop_map(Tick::Forward),
        6 => (view(), -2..3_i64).prop_map(|(view, by)| Tick::Boundary(view, by)),
        2 => (view(), -1_000_000..0_i64).prop_map(|(view, by)| Tick::Boundary(view, by)),
        5 => (view(), 1..4_u32, 0..100_000_u64).prop_map(|(view, over, into)| Tick::Skip(view, over, into)),
        1 => (view(), 4..13_u32, 0..100_000_u64).prop_map(|(view, over, into)| Tick::Skip(view, over, into)),
        2 => (0..=MAX_FUTURE).prop_map(Tick::Back),
        3 => (view(), 1..4_u32, 0..9_u32, 0..10_000_u64)
            .prop_map(|(view, over, more, into)| Tick::Peek(view, [over, more], into)),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        2 => kind().prop_map(Change::Add),
        1 => any::<Index>().prop_map(Change::Drop),
        1 => (0..5_u32).prop_map(Change::Retain),
        1 => (any::<Index>(), 0..5_u32).prop_map(|(view, retain)| Change::RetainOf(view, retain)),
        2 => (any::<Index>(), proptest::option::weighted(0.8, share())).prop_map(|(view, share)| Change::Carry(view, share)),
    ]
}

/// Steps with so many members, lists of up to `list` and `len` steps at the most.
pub fn steps(members: usize, list: usize, len: usize) -> impl Strategy<Value = Vec<Step>> {
    let meta = proptest::collection::vec(any::<u8>(), 0..6);
    let step = prop_oneof![
        24 => (action(members, list), any::<Index>(), at()).prop_map(|(op, view, at)| Step::Write(op, view, at)),
        2 => (0..members).prop_map(Step::Remove),
        1 => (0..members, meta).prop_map(|(name, meta)| Step::SetMeta(name, meta)),
        12 => tick().prop_map(Step::Tick),
        1 => change().prop_map(Step::Alter),
        1 => Just(Step::Reload),
        4 => (0..12_u16).prop_map(Step::Work),
        1 => Just(Step::Work(u16::MAX)),
        3 => Just(Step::Compare),
    ];
    proptest::collection::vec(step, 1..=len)
}

/// The same on a board of many: all come first, then the worker has much to do, while single ones
/// leave.
pub fn crowded_steps(members: usize, len: usize) -> impl Strategy<Value = Vec<Step>> {
    let all = proptest::collection::vec(-3..50_i64, members);
    let first = (all, any::<Index>()).prop_map(|(points, which)| {
        Step::Write(Action::Many(points.into_iter().zip(0..).collect()), which, At::Unsaid)
    });
    let few = || proptest::collection::vec((-3..10_i64, 0..members), 1..=12);
    let step = prop_oneof![
        4 => (action(members, 40), any::<Index>(), at()).prop_map(|(op, view, at)| Step::Write(op, view, at)),
        6 => (few(), any::<Index>(), at()).prop_map(|(pairs, view, at)| Step::Write(Action::Many(pairs), view, at)),
        8 => (0..members).prop_map(Step::Remove),
        8 => tick().prop_map(Step::Tick),
        4 => (60_000..70_000_u64).prop_map(|by| Step::Tick(Tick::Forward(by))),
        1 => Just(Step::Reload),
        12 => (1..9_u16).prop_map(Step::Work),
        1 => Just(Step::Compare),
    ];
    (first, proptest::collection::vec(step, 1..=len)).prop_map(|(first, mut steps)| {
        steps.insert(0, first);
        steps
    })
}
