//! Random games: counters and steps. Each profile has its own weights for the steps. Moments are named by slices, so
//! that games often meet the ends of slices.

mod looks;
mod rules;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::Union;

pub use looks::{Edge, Look, Looks};
pub use rules::{Rules, rules};

/// The kind of counters that a game plays on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Few samples of few precisions, over time.
    Few,
    /// A clock that leaps and is corrected, with writes in between.
    Leaps,
    /// Many samples of many precisions.
    Wide,
    /// The first and the last moments that can be named.
    Ends,
}

/// Strategies with their weights, one for each profile in the order of `Profile`.
type Weighted<T> = Vec<([u32; 4], BoxedStrategy<T>)>;

impl Profile {
    fn pick<T: std::fmt::Debug>(self, all: Weighted<T>) -> Union<BoxedStrategy<T>> {
        let own = all.into_iter().map(|(weights, strategy)| (weights[self as usize], strategy));
        Union::new_weighted(own.filter(|(weight, _)| *weight > 0).collect())
    }
}

/// A slice of one of the precisions.
#[derive(Debug, Clone, Copy)]
pub enum Slice {
    /// The slice this number of slices before the current one.
    Back(i64),
    /// The slice this number of slices before the oldest kept one.
    Oldest(i64),
}

/// A moment at this distance from the start of a slice, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    pub precision: Index,
    pub slice: Slice,
    pub offset: i64,
}

/// The moment that a write names.
#[derive(Debug, Clone, Copy)]
pub enum At {
    /// No moment, even if the counter requires one.
    Unsaid,
    /// No moment on a counter with a server's clock, and the current moment on a counter with a clock of events.
    Now,
    Late(u64),
    Of(Moment),
    /// A moment this number of milliseconds after now.
    Ahead(u64),
    /// A moment at this distance from the latest moment that is allowed, in milliseconds.
    Most(i64),
    Epoch,
}

/// A change of the clock. Distances in time are in milliseconds.
#[derive(Debug, Clone, Copy)]
pub enum Tick {
    Forward(u64),
    /// Moves over this number of slices of a precision, and to this distance from the start of the last one.
    Slices(Index, u64, i64),
    /// Moves to this distance from the moment at which all samples of a precision are gone.
    Gone(Index, i64),
    /// Moves back by this number of thousandths of the time for which the counter's clock stands still.
    Back(u64),
    /// Moves back by this distance more than the time for which the counter's clock stands still. There is no
    /// correction.
    BackBeyond(u64),
    /// Leaps ahead by this distance, until the clock is corrected.
    Leap(u64),
    /// Leaps over this number of slices, until the clock is corrected.
    LeapOver(Index, u64),
    /// Corrects the clock: moves it back to the true time.
    Correct,
}

/// The amount of an increase.
#[derive(Debug, Clone, Copy)]
pub enum By {
    Just(i64),
    /// The amount that brings the total to the highest count (or the lowest), and this much beyond it.
    TotalToEnd(bool, i64),
    /// The amount that does the same with the count of the slice that contains the moment.
    SliceToEnd(Index, bool, i64),
    /// The amount that brings the count of a slice to 0.
    Undo(Index),
}

#[derive(Debug, Clone)]
pub enum Change {
    Add(u32),
    /// Drops a precision of the counter.
    Drop(Index),
    /// Drops a precision of the counter, and adds another one.
    Replace(Index, u32),
    /// Adds and drops any precisions, also in invalid ways.
    Edits(Vec<(u32, bool)>),
    Samples(u32),
    Dedup(u32),
    Several(Index, u32, u32, u32),
}

/// The time of a write that another server decided: its now and its moment, in milliseconds after the present.
#[derive(Debug, Clone, Copy)]
pub struct Decided {
    pub now: Option<i64>,
    pub at: i64,
}

#[derive(Debug, Clone)]
pub enum Act {
    Increase(By, Option<u8>, At),
    /// Increases by 1, this number of times, at this distance from each other in milliseconds.
    Burst(u8, u64),
    /// Repeats an earlier write with the same request id. The second number is added to its amount.
    Retry(Index, i64, At),
    Decided(Decided, i64, Option<u8>),
    Alter(Change),
    Tick(Tick),
    /// Saves and loads one of the counters.
    Reload,
    /// Replaces one of the counters by its copy.
    Copy,
    /// Moves this number of parts of one of the counters.
    Move(usize),
}

#[derive(Debug, Clone)]
pub struct Step {
    pub act: Act,
    /// The reads after the action.
    pub looks: Looks,
}

fn slice() -> impl Strategy<Value = Slice> {
    prop_oneof![4 => (-1..5_i64).prop_map(Slice::Back), 3 => (-2..3_i64).prop_map(Slice::Oldest)]
}

fn offset() -> impl Strategy<Value = i64> {
    prop_oneof![3 => Just(0_i64), 3 => Just(-1), 2 => 0..1_000_i64]
}

fn moment() -> impl Strategy<Value = Moment> {
    (any::<Index>(), slice(), offset()).prop_map(|(precision, slice, offset)| Moment {
        precision,
        slice,
        offset,
    })
}

fn at(profile: Profile) -> impl Strategy<Value = At> {
    profile.pick(vec![
        ([1, 0, 0, 1], Just(At::Unsaid).boxed()),
        ([16, 20, 16, 12], Just(At::Now).boxed()),
        ([2, 1, 2, 1], (0..3_000_u64).prop_map(At::Late).boxed()),
        ([1, 1, 2, 1], (0..10_000_000_u64).prop_map(At::Late).boxed()),
        ([8, 5, 8, 5], moment().prop_map(At::Of).boxed()),
        ([2, 1, 1, 2], (0..2_000_u64).prop_map(At::Ahead).boxed()),
        ([1, 0, 1, 0], (0..100_000_000_u64).prop_map(At::Ahead).boxed()),
        ([1, 1, 1, 1], (-1..2_i64).prop_map(At::Most).boxed()),
        ([1, 1, 1, 2], Just(At::Epoch).boxed()),
    ])
}

fn tick(profile: Profile) -> impl Strategy<Value = Tick> {
    let slices = |over: std::ops::Range<u64>| {
        (any::<Index>(), over, offset()).prop_map(|(which, over, offset)| Tick::Slices(which, over, offset))
    };
    let gone = (any::<Index>(), -2..3_i64).prop_map(|(which, by)| Tick::Gone(which, by));
    let leap_over = (any::<Index>(), 1..6_u64).prop_map(|(which, over)| Tick::LeapOver(which, over));
    profile.pick(vec![
        ([4, 2, 3, 2], Just(Tick::Forward(0)).boxed()),
        ([4, 3, 4, 3], (1..1_500_u64).prop_map(Tick::Forward).boxed()),
        ([2, 2, 2, 0], (0..100_000_u64).prop_map(Tick::Forward).boxed()),
        ([1, 0, 2, 0], (0..100_000_000_000_u64).prop_map(Tick::Forward).boxed()),
        ([10, 6, 8, 6], slices(1..2).boxed()),
        ([5, 3, 4, 2], slices(2..6).boxed()),
        ([4, 2, 3, 2], gone.boxed()),
        ([2, 2, 1, 2], (0..1_001_u64).prop_map(Tick::Back).boxed()),
        ([1, 2, 1, 1], (1..100_u64).prop_map(Tick::BackBeyond).boxed()),
        ([0, 1, 0, 1], (1..200_000_u64).prop_map(Tick::BackBeyond).boxed()),
        ([1, 5, 1, 0], (0..150_000_u64).prop_map(Tick::Leap).boxed()),
        ([0, 2, 0, 0], (0..4_000_000_u64).prop_map(Tick::Leap).boxed()),
        ([1, 6, 1, 1], leap_over.boxed()),
        ([2, 10, 2, 1], Just(Tick::Correct).boxed()),
    ])
}

fn by(profile: Profile) -> impl Strategy<Value = By> {
    let to_end = || (any::<bool>(), -1..2_i64);
    let slice_to_end =
        (any::<Index>(), to_end()).prop_map(|(which, (up, more))| By::SliceToEnd(which, up, more));
    profile.pick(vec![
        ([12, 12, 12, 10], (1..4_i64).prop_map(By::Just).boxed()),
        ([2, 1, 2, 1], Just(By::Just(0)).boxed()),
        ([3, 2, 3, 2], (-4..0_i64).prop_map(By::Just).boxed()),
        ([3, 2, 3, 1], (0..34_u32).prop_map(|bits| By::Just(1 << bits)).boxed()),
        ([2, 1, 1, 1], to_end().prop_map(|(up, more)| By::TotalToEnd(up, more)).boxed()),
        ([2, 1, 1, 1], slice_to_end.boxed()),
        ([1, 0, 1, 1], any::<i64>().prop_map(By::Just).boxed()),
        ([4, 3, 3, 3], any::<Index>().prop_map(By::Undo).boxed()),
    ])
}

fn change(profile: Profile) -> impl Strategy<Value = Change> {
    let edits = || proptest::collection::vec((rules::precision(profile), any::<bool>()), 1..4);
    let replace = (any::<Index>(), rules::precision(profile));
    let several = (any::<Index>(), rules::precision(profile), rules::samples(profile), rules::dedup());
    profile.pick(vec![
        ([4, 4, 4, 3], rules::precision(profile).prop_map(Change::Add).boxed()),
        ([3, 3, 4, 3], any::<Index>().prop_map(Change::Drop).boxed()),
        ([2, 2, 3, 2], replace.prop_map(|(which, other)| Change::Replace(which, other)).boxed()),
        ([2, 1, 2, 1], edits().prop_map(Change::Edits).boxed()),
        ([6, 6, 6, 6], rules::samples(profile).prop_map(Change::Samples).boxed()),
        ([1, 1, 1, 1], prop_oneof![Just(0_u32), Just(10_001)].prop_map(Change::Samples).boxed()),
        ([3, 3, 2, 2], rules::dedup().prop_map(Change::Dedup).boxed()),
        ([1, 1, 1, 1], Just(Change::Dedup(315_360_001)).boxed()),
        (
            [1, 1, 1, 1],
            several
                .prop_map(|(which, other, samples, dedup)| Change::Several(which, other, samples, dedup))
                .boxed(),
        ),
    ])
}

fn decided() -> impl Strategy<Value = Decided> {
    let shift = || prop_oneof![3 => Just(0_i64), 2 => -5_000..5_000_i64, 1 => -200_000..200_000_i64];
    (proptest::option::weighted(0.8, shift()), shift()).prop_map(|(now, at)| Decided { now, at })
}

fn act(profile: Profile) -> impl Strategy<Value = Act> {
    let id = || proptest::option::weighted(0.25, 0..12_u8);
    let increase = (by(profile), id(), at(profile));
    let retry = (any::<Index>(), prop_oneof![4 => Just(0_i64), 1 => -1..2_i64], at(profile));
    let decided = (decided(), -3..4_i64, id());
    profile.pick(vec![
        ([30, 26, 26, 26], increase.prop_map(|(by, id, at)| Act::Increase(by, id, at)).boxed()),
        ([3, 2, 6, 2], (1..6_u8, 0..1_500_u64).prop_map(|(count, gap)| Act::Burst(count, gap)).boxed()),
        ([4, 4, 3, 3], retry.prop_map(|(which, more, at)| Act::Retry(which, more, at)).boxed()),
        ([2, 2, 2, 2], decided.prop_map(|(decided, by, id)| Act::Decided(decided, by, id)).boxed()),
        ([6, 5, 6, 5], change(profile).prop_map(Act::Alter).boxed()),
        ([20, 24, 18, 18], tick(profile).prop_map(Act::Tick).boxed()),
        ([3, 3, 3, 3], Just(Act::Reload).boxed()),
        ([2, 2, 2, 2], Just(Act::Copy).boxed()),
        ([2, 2, 3, 2], (1..4_usize).prop_map(Act::Move).boxed()),
    ])
}

/// Picks up to `most` steps.
pub fn steps(profile: Profile, most: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (act(profile), any::<u64>()).prop_map(|(act, seed)| Step { act, looks: Looks::new(seed) });
    proptest::collection::vec(step, 1..=most)
}
