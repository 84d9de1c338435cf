//! Random games: leagues and steps. Each profile has its own weights for what happens.

mod rules;

use std::ops::Range;

use leaderboard_core::league::{Alter, TierAmount};
use leaderboard_core::share::Share;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::Union;

use crate::MAX_FUTURE;
pub use rules::{Rules, name as tier_name, rules};

/// What a game is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Few members, over time.
    Few,
    /// A clock that leaps and is put right, with writes in between.
    Leaps,
    /// So many members that one group or the whole league has another form.
    Crowd,
}

/// Strategies with their weights in the profiles, in the order of these.
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
    /// None, also where one is needed.
    Unsaid,
    /// None where a server's clock tells it.
    Now,
    Late(u64),
    /// So far from the start of the current period.
    Start(i64),
    /// So far from the moment from which on members wait.
    Deadline(i64),
    /// So many periods ago.
    Periods(u32),
    Ahead(u64),
}

/// What the clock does.
#[derive(Debug, Clone, Copy)]
pub enum Tick {
    Forward(u64),
    /// So far from the end of the current period.
    Boundary(i64),
    /// So far from the moment from which on members wait.
    Deadline(i64),
    /// Over so many periods, and so far into the last.
    Skip(u32, u64),
    /// A little.
    Back(u64),
    /// So many periods back, for good.
    BackTo(u32, u64),
    /// Over so many periods, on over so many more, and back again, with nothing but reads and work in
    /// between.
    Peek([u32; 2], u64),
    /// Over so many periods, and so far into the last, until it is put right.
    Leap(u32, u64),
    /// Back to the true time.
    Correct,
}

/// Points as text, since leagues differ in the digits that they keep.
#[derive(Debug, Clone, Copy)]
pub enum Points {
    Whole(i64),
    /// Tenths, which not all leagues keep.
    Tenths(i64),
    /// So many smallest units, where these are whole numbers.
    Units(i64),
}

#[derive(Debug, Clone)]
pub enum Change {
    Promote(Vec<TierAmount>),
    Demote(Vec<TierAmount>),
    /// A list of another length, or one that promotes out of the top.
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
    /// So many members after the first one.
    JoinMany(usize, usize),
    Add(Points, usize, Option<u8>, At),
    /// Points for so many members after the first one.
    AddMany(i64, usize, usize),
    /// Points with an id that was sent before, once more.
    Retry(Index, At),
    Remove(usize),
    /// To a tier of this number, if there is one.
    SetTier(usize, usize),
    SetMeta(usize, Vec<u8>),
    Alter(Change),
    Tick(Tick),
    /// One of the leagues is saved and loaded.
    Reload,
    /// So many pieces of what can be done between commands.
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

/// A step with so many members.
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

/// Up to `most` steps with so many members.
pub fn steps(profile: Profile, members: usize, most: usize) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(step(profile, members), 1..=most)
}

/// The same, after all have joined.
pub fn crowded_steps(members: usize, most: usize) -> impl Strategy<Value = Vec<Step>> {
    steps(Profile::Crowd, members, most).prop_map(move |mut steps| {
        steps.insert(0, Step::JoinMany(0, members));
        steps
    })
}
