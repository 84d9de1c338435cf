//! The steps of a game, and the rules of the parts that they are played on.

use leaderboard_core::calendar::{Calendar, Unit};
use leaderboard_core::parts::{Parts, Role};
use leaderboard_core::schema::{Aggregate, Order, Schema, Ties};
use leaderboard_core::share::Share;
use leaderboard_core::view::{Kind, Spec};
use proptest::prelude::*;

#[derive(Debug, Clone)]
pub enum Step {
    /// Adds points to a member. If there is a third number, the event is late by this number of milliseconds.
    Add(i64, usize, Option<u64>),
    /// Gives points to this number of members in one write. The second number is the lowest amount.
    Crowd(usize, i64),
    Set(i64, usize),
    Remove(usize),
    /// Removes the second number of members, beginning with the first number.
    RemoveMany(usize, usize),
    Hide(usize),
    Unhide(usize),
    Pass(u64),
    /// Moves the clock over this number of periods of a view, and some milliseconds further.
    Leap(usize, u32, u64),
    Reload,
    Work(u16),
    Compare,
}

#[derive(Debug, Clone)]
pub struct Rules {
    pub schema: Schema,
    pub specs: Vec<Spec>,
    pub begin: u64,
}

pub fn step(members: usize) -> impl Strategy<Value = Step> {
    let member = 0..members;
    let points = prop_oneof![5 => 0..=4_i64, 2 => -4..=4_i64, 1 => 1..=1_000_i64];
    let late = proptest::option::weighted(0.2, 0..90_000_u64);
    prop_oneof![
        10 => (points.clone(), member.clone(), late).prop_map(|(points, member, late)| Step::Add(points, member, late)),
        1 => (members / 2..=members, 1..4_i64).prop_map(|(members, points)| Step::Crowd(members, points)),
        3 => (points, member.clone()).prop_map(|(score, member)| Step::Set(score, member)),
        2 => member.clone().prop_map(Step::Remove),
        1 => (member.clone(), 0..20_usize).prop_map(|(member, count)| Step::RemoveMany(member, count)),
        2 => member.clone().prop_map(Step::Hide),
        1 => member.prop_map(Step::Unhide),
        4 => (0..20_000_u64).prop_map(Step::Pass),
        4 => (0..4_usize, 1..4_u32, 0..20_000_u64).prop_map(|(view, over, more)| Step::Leap(view, over, more)),
        2 => Just(Step::Reload),
        3 => prop_oneof![1..50_u16, Just(u16::MAX)].prop_map(Step::Work),
        3 => Just(Step::Compare),
    ]
}

pub fn role() -> Role {
    Role::Part { number: 1, parts: Parts::new(2, "PARTS").unwrap() }
}

pub fn rules() -> impl Strategy<Value = Rules> {
    let ties = prop_oneof![Just(Ties::First), Just(Ties::Last)];
    let order = prop_oneof![2 => Just(Order::Desc), 1 => Just(Order::Asc)];
    let aggregate = prop_oneof![
        3 => Just(Aggregate::Sum),
        1 => Just(Aggregate::Max),
        1 => Just(Aggregate::Min),
        1 => Just(Aggregate::Last),
    ];
    let begin = 1_500_000_000_000..1_600_000_000_000_u64;
    (ties, order, aggregate, 1..5_u32, begin, any::<[bool; 4]>()).prop_map(
        |(ties, order, aggregate, retain, begin, wanted)| {
            let role = role();
            let schema =
                Schema { ties, order, aggregate, role, calendar: Calendar::default(), ..Schema::default() };
            let specs = specs(aggregate, retain, wanted);
            Rules { schema, specs, begin }
        },
    )
}

fn specs(aggregate: Aggregate, retain: u32, [all, rolling, carry, decay]: [bool; 4]) -> Vec<Spec> {
    let half = Share::from_billionths(500_000_000);
    let seconds = |seconds, count| Kind::Periods { unit: Unit::Seconds(seconds), count };
    let is_sum = aggregate == Aggregate::Sum;
    let spec = |kind| Spec { retain, ..Spec::new(kind) };
    let wanted = [
        (true, spec(seconds(20, 1))),
        (all, Spec::new(Kind::All)),
        (rolling, spec(seconds(15, 3))),
        (carry && is_sum, Spec { carry: half, ..spec(seconds(25, 1)) }),
        (decay && is_sum, Spec { decay: half, ..spec(seconds(30, 1)) }),
    ];
    wanted.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, spec)| spec).collect()
}
