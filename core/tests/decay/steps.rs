//! The steps of a game, and the rules of its boards.

use leaderboard_core::Schema;
use leaderboard_core::calendar::{Calendar, Unit, Zone};
use leaderboard_core::schema::{Order, Ties};
use leaderboard_core::share::Share;
use leaderboard_core::time::Clock;
use leaderboard_core::view::{Kind, Spec};
use proptest::prelude::*;
use proptest::sample::Index;

#[derive(Debug, Clone)]
pub enum Step {
    Add(i64, usize, At),
    Many(Vec<(i64, usize)>, At),
    /// Gives points and a text to a member.
    Texted(i64, usize, At),
    /// Gives points to this number of members in one write.
    Crowd(usize, i64),
    Set(i64, usize, Index),
    Remove(usize),
    Hide(usize),
    Unhide(usize),
    Pass(u64),
    /// Moves the clock to the next boundary of a view, or up to one second before or after it.
    Boundary(Index, i64),
    /// Moves the clock over this number of periods of a view, and some milliseconds further.
    Leap(Index, u32, u64),
    Decay(Index, Option<Share>),
    Retain(Index, u32),
    Reload,
    Work(u16),
    Compare,
    /// Makes the clock wrong by this number of periods of a view, until it is corrected.
    Wrong(Index, i32),
    Right,
}

#[derive(Debug, Clone, Copy)]
pub enum At {
    Now,
    Late(u64),
}

pub fn share() -> impl Strategy<Value = Share> {
    let billionths = prop_oneof![
        Just(1_000_000_000),
        Just(990_000_000),
        Just(900_000_000),
        Just(500_000_000),
        Just(1),
        1..=990_000_000_u32,
    ];
    billionths.prop_map(|share| Share::from_billionths(share).unwrap())
}

fn points() -> impl Strategy<Value = i64> {
    prop_oneof![
        5 => 0..=6_i64,
        2 => -6..=6_i64,
        2 => 1..=1_000_i64,
        1 => -1_000_000_000..=1_000_000_000_i64,
        1 => 0..=100_000_000_000_000_i64,
    ]
}

fn at() -> impl Strategy<Value = At> {
    prop_oneof![5 => Just(At::Now), 2 => (0..200_000_u64).prop_map(At::Late)]
}

pub fn step(members: usize) -> impl Strategy<Value = Step> {
    let member = 0..members;
    let view = any::<Index>();
    let far = prop_oneof![4 => 1..4_u32, 3 => 4..40_u32, 1 => 40..5_000_u32];
    let into = prop_oneof![Just(0_u64), 0..50_000_u64];
    prop_oneof![
        8 => (points(), member.clone(), at()).prop_map(|(points, member, at)| Step::Add(points, member, at)),
        4 => (proptest::collection::vec((points(), member.clone()), 1..6), at())
            .prop_map(|(pairs, at)| Step::Many(pairs, at)),
        3 => (points(), member.clone(), at()).prop_map(|(points, member, at)| Step::Texted(points, member, at)),
        1 => (members / 2..=members, points()).prop_map(|(members, points)| Step::Crowd(members, points)),
        2 => (points(), member.clone(), view.clone()).prop_map(|(score, member, view)| Step::Set(score, member, view)),
        1 => member.clone().prop_map(Step::Remove),
        1 => member.clone().prop_map(Step::Hide),
        1 => member.prop_map(Step::Unhide),
        3 => (0..70_000_u64).prop_map(Step::Pass),
        4 => (view.clone(), -1_000..1_000_i64).prop_map(|(view, by)| Step::Boundary(view, by)),
        4 => (view.clone(), far, into).prop_map(|(view, over, into)| Step::Leap(view, over, into)),
        2 => (view.clone(), proptest::option::weighted(0.8, share()))
            .prop_map(|(view, share)| Step::Decay(view, share)),
        1 => (view.clone(), retain()).prop_map(|(view, retain)| Step::Retain(view, retain)),
        1 => Just(Step::Reload),
        3 => prop_oneof![1..50_u16, Just(u16::MAX)].prop_map(Step::Work),
        3 => Just(Step::Compare),
    ]
}

/// Picks a step for a clock that is sometimes wrong.
pub fn leaping_step(members: usize) -> impl Strategy<Value = Step> {
    let wrong = (any::<Index>(), prop_oneof![-6..6_i32, 0..40_i32]);
    let wrong = wrong.prop_map(|(view, by)| Step::Wrong(view, by));
    // Views without decay do not store the order of members with equal scores that come back.
    let all_decay = |step| match step {
        Step::Decay(_, None) => Step::Compare,
        step => step,
    };
    prop_oneof![12 => step(members).prop_map(all_decay), 1 => wrong, 1 => Just(Step::Right)]
}

fn retain() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 0..5_u32, 2 => 5..60_u32]
}

#[derive(Debug, Clone)]
pub struct Rules {
    pub schema: Schema,
    pub specs: Vec<Spec>,
    pub begin: u64,
}

/// Picks rules for boards whose clock may be corrected.
pub fn decaying_rules() -> impl Strategy<Value = Rules> {
    rules(Just(Clock::Server)).prop_map(|mut rules| {
        let periods = rules.specs.iter_mut().filter(|spec| spec.kind != Kind::All);
        periods.for_each(|spec| spec.decay = spec.decay.or(Some(Share::ALL)));
        // With a limited number of members, returning entries could push other members out.
        rules.schema.keep = 0;
        rules
    })
}

pub fn rules(clock: impl Strategy<Value = Clock>) -> impl Strategy<Value = Rules> {
    let ties = prop_oneof![Just(Ties::First), Just(Ties::Last), Just(Ties::Lex), Just(Ties::RevLex)];
    let order = prop_oneof![2 => Just(Order::Desc), 1 => Just(Order::Asc)];
    let zone = prop_oneof![Just("UTC"), Just("America/New_York"), Just("Pacific/Apia")];
    let unit = prop_oneof![
        3 => Just(Unit::Minute),
        1 => Just(Unit::Hour),
        1 => Just(Unit::Day),
        1 => Just(Unit::Month),
        2 => (1..100_u32).prop_map(Unit::Seconds),
    ];
    let view = (unit, proptest::option::weighted(0.9, share()), retain());
    let view = view.prop_map(|(unit, decay, retain)| {
        let kind = Kind::Periods { unit, count: 1 };
        Spec { decay, retain, ..Spec::new(kind) }
    });
    let keep = prop_oneof![3 => Just(0), 1 => 1..5_u32, 1 => 100..250_u32];
    let views = (proptest::collection::vec(view, 1..3), any::<bool>(), keep);
    let begin = 1_200_000_000_000..1_700_000_000_000_u64;
    (ties, order, zone, clock, views, begin).prop_map(
        |(ties, order, zone, clock, (mut specs, with_all, keep), begin)| {
            specs.dedup_by_key(|spec| spec.kind);
            if with_all {
                specs.push(Spec { retain: 0, ..Spec::new(Kind::All) });
            }
            let zone = Zone::parse(zone.as_bytes()).unwrap();
            let calendar = Calendar { zone, ..Calendar::default() };
            let schema = Schema { ties, order, clock, calendar, keep, ..Schema::default() };
            Rules { schema, specs, begin }
        },
    )
}
