//! Random games: leagues and steps. Each profile has its own weights for the steps.

mod rules;

use std::ops::Range;

use leaderboard_core::league::{Alter, TierAmount};
use leaderboard_core::share::Share;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::Union;

use crate::MAX_FUTURE;
pub use rules::{Rules, name as tier_name, rules};

/// The kind of leagues that a game plays on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Few members, over time.
    Few,
    /// A clock that leaps and is corrected, with writes in between.
    Leaps,
    /// Enough members for the large form of a group, or of the whole league.
    Crowd,
}

/// Strategies with their weights, one for each profile in the order of `Profile`.
type Weighted<T> = Vec<([u32; 3], BoxedStrategy<T>)>;

impl Profile {
    fn pick<T: std::fmt::Debug>(self, all: Weighted<T>) -> Union<BoxedStrategy<T>> {
        let own = all.into_iter().map(|(weights, strategy)| (weights[self as usize], strategy));
        Union::new_weighted(own.filter(|(weight, _)| *weight > 0).collect())
    }
}

/// The moment that a write names.
#[derive(Debug, Clone, Copy)]
pub enum At {
    /// No moment, even if the league requires one.
    Unsaid,
    /// No moment on a league with a server's clock, and the current moment on a league with a clock of events.
    Now,
    Late(u64),
    /// A moment at this distance from the start of the current period, in milliseconds.
    Start(i64),
    /// A moment at this distance from the moment from which on new members wait, in milliseconds.
    Deadline(i64),
    /// The start of the period of this number of periods ago.
    Periods(u32),
    Ahead(u64),
}

/// A change of the clock. Distances in time are in milliseconds.
#[derive(Debug, Clone, Copy)]
pub enum Tick {
    Forward(u64),
    /// Moves the clock to the end of the current period plus this distance. A negative distance is before the end.
    Boundary(i64),
    /// Moves the clock to the moment from which on new members wait, plus this distance. A negative distance is before
    /// it.
    Deadline(i64),
    /// Moves over this number of period ends, and then this distance further.
    Skip(u32, u64),
    /// Moves back by this distance, which is too small for a correction.
    Back(u64),
    /// Moves back by this number of periods, and this distance into that period. There is no correction.
    BackTo(u32, u64),
    /// Moves ahead over the first number of periods, then over the second number, and then back. Each move ahead goes
    /// this distance into the period. Only reads and work happen in between.
    Peek([u32; 2], u64),
    /// Leaps over this number of period ends, and this distance further, until the clock is corrected.
    Leap(u32, u64),
    /// Corrects the clock: moves it back to the true time.
    Correct,
}

/// Points as text, because leagues differ in their number of decimals.
#[derive(Debug, Clone, Copy)]
pub enum Points {
    Whole(i64),
    /// A number of tenths. Some leagues have no decimals and refuse it.
    Tenths(i64),
    /// A number that is written as a whole number. On leagues without decimals, it is in smallest units.
    Units(i64),
}

#[derive(Debug, Clone)]
pub enum Change {
    Promote(Vec<TierAmount>),
    Demote(Vec<TierAmount>),
    /// A list of a wrong length, or a list that promotes out of the top tier.
    Impossible(bool),
    Group(u32),
    Reward(u32),
    Dedup(u32),
    Retain(u32),
    Idle(u32),
    JoinUntil(Share),
    Several(Alter),
}

#[derive(Debug, Clone)]
pub enum Step {
    Join(usize, Option<Vec<u8>>, At),
    /// Lets members join: the first member, and how many.
    JoinMany(usize, usize),
    Add(Points, usize, Option<u8>, At),
    /// Gives points to members: the points, the first member, and how many.
    AddMany(i64, usize, usize),
    /// Repeats an earlier write of points with the same request id.
    Retry(Index, At),
    Remove(usize),
    /// Sets the tier of a member to the tier with this number, if it exists.
    SetTier(usize, usize),
    SetMeta(usize, Vec<u8>),
    Alter(Change),
    Tick(Tick),
    /// Saves and loads one of the leagues.
    Reload,
    /// Does up to this number of pieces of work between commands.
    Work(u16),
    Compare,
}

fn points(profile: Profile) -> impl Strategy<Value = Points> {
    const MOST: i64 = i64::MAX;
    profile.pick(vec![
        ([4, 4, 2], Just(Points::Whole(0)).boxed()),
        ([20, 12, 20], (-2..6_i64).prop_map(Points::Whole).boxed()),
        ([4, 2, 4], (-100_000..100_000_i64).prop_map(Points::Whole).boxed()),
        ([2, 1, 1], (-30..60_i64).prop_map(Points::Tenths).boxed()),
        ([1, 0, 1], (MOST - 5..=MOST).prop_map(Points::Units).boxed()),
        ([1, 0, 1], (-MOST..-MOST + 5).prop_map(Points::Units).boxed()),
        ([1, 0, 0], (-MOST..=MOST).prop_map(Points::Units).boxed()),
    ])
}

fn at(profile: Profile) -> impl Strategy<Value = At> {
    let late = |range: Range<u64>| range.prop_map(At::Late).boxed();
    let ahead = |range: Range<u64>| range.prop_map(At::Ahead).boxed();
    profile.pick(vec![
        ([1, 0, 0], Just(At::Unsaid).boxed()),
        ([24, 24, 24], Just(At::Now).boxed()),
        ([4, 4, 4], late(0..4)),
        ([2, 1, 2], late(0..10_000_000)),
        ([4, 2, 2], (-2..3_i64).prop_map(At::Start).boxed()),
        ([3, 1, 1], (-1..2_i64).prop_map(At::Deadline).boxed()),
        ([1, 1, 0], (1..3_u32).prop_map(At::Periods).boxed()),
        ([2, 1, 1], ahead(0..4)),
        ([1, 0, 1], ahead(0..MAX_FUTURE + 1)),
        ([1, 0, 0], ahead(MAX_FUTURE..MAX_FUTURE + 2)),
        ([1, 0, 0], ahead(0..100_000_000)),
    ])
}

fn tick(profile: Profile) -> impl Strategy<Value = Tick> {
    let forward = |range: Range<u64>| range.prop_map(Tick::Forward).boxed();
    let skip =
        |over: Range<u32>| (over, 0..100_000_u64).prop_map(|(over, into)| Tick::Skip(over, into)).boxed();
    let peek = ([1..4_u32, 0..9], 0..10_000_u64).prop_map(|(hops, into)| Tick::Peek(hops, into));
    let leap = (prop_oneof![4 => 1..4_u32, 1 => 4..20_u32], 0..100_000_u64);
    let back = (1..4_u32, 0..10_000_u64).prop_map(|(over, into)| Tick::BackTo(over, into));
    profile.pick(vec![
        ([6, 4, 6], forward(0..4)),
        ([3, 3, 3], forward(0..100_000)),
        ([1, 1, 1], forward(0..4_000_000)),
        ([5, 3, 3], (-2..3_i64).prop_map(Tick::Boundary).boxed()),
        ([2, 1, 1], (-100_000..0_i64).prop_map(Tick::Boundary).boxed()),
        ([2, 1, 1], (-2..3_i64).prop_map(Tick::Deadline).boxed()),
        ([8, 5, 8], skip(1..3)),
        ([3, 1, 2], skip(3..14)),
        ([1, 0, 0], skip(14..200)),
        ([2, 2, 1], (0..=MAX_FUTURE).prop_map(Tick::Back).boxed()),
        ([0, 1, 0], back.boxed()),
        ([2, 2, 1], peek.boxed()),
        ([0, 10, 1], leap.prop_map(|(over, into)| Tick::Leap(over, into)).boxed()),
        ([0, 8, 3], Just(Tick::Correct).boxed()),
    ])
}

fn change(profile: Profile) -> impl Strategy<Value = Change> {
    let amounts = || proptest::collection::vec(rules::amount(), rules::MOST_TIERS);
    let several = (amounts(), rules::group(profile), 0..4_u32, 0..4_u32).prop_map(
        |(promote, group, reward, retain)| {
            let (group, reward, retain) = (Some(group), Some(reward), Some(retain));
            Change::Several(Alter { promote: Some(promote), group, reward, retain, ..Alter::default() })
        },
    );
    profile.pick(vec![
        ([4, 4, 2], amounts().prop_map(Change::Promote).boxed()),
        ([4, 4, 2], amounts().prop_map(Change::Demote).boxed()),
        ([1, 0, 0], any::<bool>().prop_map(Change::Impossible).boxed()),
        ([2, 2, 2], rules::group(profile).prop_map(Change::Group).boxed()),
        ([2, 2, 1], (0..5_u32).prop_map(Change::Reward).boxed()),
        ([2, 1, 1], rules::dedup().prop_map(Change::Dedup).boxed()),
        ([3, 3, 2], rules::retain().prop_map(Change::Retain).boxed()),
        ([2, 1, 1], (0..3_u32).prop_map(Change::Idle).boxed()),
        ([2, 1, 1], rules::join_until().prop_map(Change::JoinUntil).boxed()),
        ([1, 1, 1], several.boxed()),
    ])
}

/// Picks a step with this number of members.
fn step(profile: Profile, members: usize) -> impl Strategy<Value = Step> {
    let member = || 0..members;
    let meta = || proptest::collection::vec(any::<u8>(), 0..4);
    let join = (member(), proptest::option::weighted(0.3, meta()), at(profile));
    let add = (points(profile), member(), proptest::option::weighted(0.3, 0..30_u8), at(profile));
    profile.pick(vec![
        ([16, 16, 8], join.prop_map(|(name, meta, at)| Step::Join(name, meta, at)).boxed()),
        ([5, 4, 4], (member(), 1..=members).prop_map(|(from, count)| Step::JoinMany(from, count)).boxed()),
        ([24, 20, 30], add.prop_map(|(points, name, id, at)| Step::Add(points, name, id, at)).boxed()),
        (
            [2, 2, 5],
            (-1..4_i64, member(), 1..=members)
                .prop_map(|(points, from, count)| Step::AddMany(points, from, count))
                .boxed(),
        ),
        ([3, 1, 2], (any::<Index>(), at(profile)).prop_map(|(which, at)| Step::Retry(which, at)).boxed()),
        ([4, 4, 8], member().prop_map(Step::Remove).boxed()),
        ([5, 3, 3], (member(), 0..6_usize).prop_map(|(name, tier)| Step::SetTier(name, tier)).boxed()),
        ([2, 1, 2], (member(), meta()).prop_map(|(name, meta)| Step::SetMeta(name, meta)).boxed()),
        ([4, 3, 3], change(profile).prop_map(Step::Alter).boxed()),
        ([12, 16, 12], tick(profile).prop_map(Step::Tick).boxed()),
        ([3, 3, 2], Just(Step::Reload).boxed()),
        ([4, 4, 6], (1..8_u16).prop_map(Step::Work).boxed()),
        ([2, 2, 2], Just(Step::Work(u16::MAX)).boxed()),
        ([3, 3, 1], Just(Step::Compare).boxed()),
    ])
}

/// Picks up to `most` steps with this number of members.
pub fn steps(profile: Profile, members: usize, most: usize) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(step(profile, members), 1..=most)
}

/// Picks up to `most` steps. Before them, all members join.
pub fn crowded_steps(members: usize, most: usize) -> impl Strategy<Value = Vec<Step>> {
    steps(Profile::Crowd, members, most).prop_map(move |mut steps| {
        steps.insert(0, Step::JoinMany(0, members));
        steps
    })
}
