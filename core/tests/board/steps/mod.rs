//! Random games: boards and steps. Each profile has its own weights for the steps.

mod rules;

use std::cmp::Ordering;
use std::ops::Range;

use leaderboard_core::board::{Condition, Positions};
use leaderboard_core::share::Share;
use leaderboard_core::view::Kind;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::Union;

use crate::MAX_FUTURE;
use crate::model::Points;
use crate::model::limit::{Ballot, Rule};
pub use rules::{Rules, rules};

/// The kind of boards that a game plays on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Boards with the one view `all`, on a clock that is often wrong.
    Plain,
    /// Boards with many views, over time.
    Views,
    /// Boards that are voted on.
    Votes,
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
    /// No moment, even if the board requires one.
    Unsaid,
    /// No moment on a board with a server's clock, and the current moment on a board with a clock of events.
    Now,
    Late(u64),
    /// A moment in an earlier period of a view: the view, how many periods ago, and milliseconds after the
    /// start of that period.
    Periods(Index, u32, u64),
    Ahead(u64),
    /// A moment before the year 2002, in milliseconds since 1970.
    Epoch(u64),
}

/// A change of the clock. Distances in time are in milliseconds.
#[derive(Debug, Clone, Copy)]
pub enum Tick {
    Forward(u64),
    /// Moves to the end of the current period of a view, or to this distance from it.
    Boundary(Index, i64),
    /// Moves over this number of period ends of a view, and then this distance further.
    Skip(Index, u32, u64),
    /// Moves back by this distance, if the clock stays in the same period of each view and each limit.
    Back(u64),
    /// Moves ahead over the first number of periods of a view, then over the second number, and then back.
    /// Each move ahead goes this distance into the period. Only reads and work happen in between.
    Peek(Index, [u32; 2], u64),
    /// Makes the clock wrong by this distance, until it is corrected.
    Wrong(i64),
    /// Corrects the clock: moves it back to the true time.
    Correct,
}

#[derive(Debug, Clone)]
pub enum Action {
    Add(Points, usize),
    Roll(Points, usize),
    Set(Points, usize, Condition),
    /// Gives a member the score that it has.
    SetSame(usize),
    Many(Vec<(Points, usize)>),
    Vote(Ballot, u64, usize),
    VoteMany(Ballot, Vec<(u64, usize)>),
}

#[derive(Debug, Clone)]
pub enum Change {
    AddView(Kind),
    DropView(Index),
    Retain(u32),
    RetainOf(Index, u32),
    Carry(Index, Option<Share>),
    Dedup(u32),
    NotifyTop(u32),
    Limits(Vec<u8>, Vec<Rule>),
    /// Sets when voting opens and closes, in milliseconds from now. `Some(None)` removes the moment.
    Hours(Option<Option<i64>>, Option<Option<i64>>),
}

/// A write: its request id, the view of the positions in its reply, and which positions the reply contains.
#[derive(Debug, Clone)]
pub struct Write {
    pub action: Action,
    pub id: Option<u8>,
    pub view: Index,
    pub positions: Positions,
    pub at: At,
}

#[derive(Debug, Clone)]
pub enum Step {
    Write(Write),
    /// Repeats an earlier write with the same request id.
    Retry(Index, At),
    Declare(usize, Option<u32>, Option<u64>),
    Remove(usize),
    SetMeta(usize, Vec<u8>),
    Tick(Tick),
    Alter(Change),
    Quota(Ballot, Option<usize>, At),
    /// Saves and loads one of the boards.
    Reload,
    /// Does up to this number of pieces of work ahead.
    Work(u16),
    Compare,
}

fn units(range: Range<i64>) -> BoxedStrategy<Points> {
    range.prop_map(Points::Units).boxed()
}

fn points(profile: Profile) -> impl Strategy<Value = Points> {
    const MOST: i64 = i64::MAX;
    profile.pick(vec![
        ([12, 24, 1], units(-3..10)),
        ([3, 4, 0], units(-100_000..100_000)),
        ([1, 1, 0], (MOST - 5..=MOST).prop_map(Points::Units).boxed()),
        ([1, 1, 0], units(-MOST..-MOST + 5)),
        ([1, 1, 0], (-MOST..=MOST).prop_map(Points::Units).boxed()),
        ([1, 0, 0], Just(Points::TooFine).boxed()),
    ])
}

fn condition(profile: Profile) -> impl Strategy<Value = Condition> {
    let present = prop_oneof![3 => Just(None), 1 => Just(Some(false)), 1 => Just(Some(true))];
    let compared =
        prop_oneof![2 => Just(None), 1 => Just(Some(Ordering::Less)), 1 => Just(Some(Ordering::Greater))];
    let any = (present, compared).prop_map(|(present, compared)| Condition { present, compared });
    profile.pick(vec![([1, 1, 0], any.boxed()), ([0, 0, 1], Just(Condition::default()).boxed())])
}

fn ballot() -> impl Strategy<Value = Ballot> {
    let voter = proptest::option::weighted(0.95, select(&["v1", "v2", "v3", "v4", "v5"]));
    let ip = proptest::option::weighted(0.95, select(&["a", "b"]));
    let channel = proptest::option::weighted(0.5, select(&["a", "b", "c"]));
    (voter, ip, channel).prop_map(|(voter, ip, channel)| {
        let ip = ip.map(|value| ("ip", value));
        let tags = ip.into_iter().chain(channel.map(|value| ("chan", value))).collect();
        Ballot { voter, tags }
    })
}

fn votes() -> impl Strategy<Value = u64> {
    prop_oneof![9 => Just(1_u64), 3 => 2..4_u64, 1 => 4..40_u64]
}

/// Picks a list of pairs with small points. One invalid number makes the board refuse a whole list, so these long
/// lists contain none.
fn list(members: usize, len: usize) -> impl Strategy<Value = Action> {
    proptest::collection::vec((units(-3..10), 0..members), 1..=len).prop_map(Action::Many)
}

fn action(profile: Profile, members: usize, len: usize) -> impl Strategy<Value = Action> {
    let (points, member) = (|| points(profile), || 0..members);
    let set = (points(), member(), condition(profile));
    let some = proptest::collection::vec((points(), member()), 1..8).prop_map(Action::Many);
    let vote = (ballot(), votes(), member());
    let ballots = (ballot(), proptest::collection::vec((votes(), member()), 1..5));
    profile.pick(vec![
        ([4, 8, 2], (points(), member()).prop_map(|(points, name)| Action::Add(points, name)).boxed()),
        ([0, 1, 0], (points(), member()).prop_map(|(points, name)| Action::Roll(points, name)).boxed()),
        ([3, 4, 2], set.prop_map(|(score, name, when)| Action::Set(score, name, when)).boxed()),
        ([0, 2, 0], member().prop_map(Action::SetSame).boxed()),
        ([1, 1, 1], some.boxed()),
        ([1, 2, 0], list(members, len).boxed()),
        ([0, 0, 12], vote.prop_map(|(ballot, votes, name)| Action::Vote(ballot, votes, name)).boxed()),
        ([0, 0, 5], ballots.prop_map(|(ballot, votes)| Action::VoteMany(ballot, votes)).boxed()),
    ])
}

fn at(profile: Profile) -> impl Strategy<Value = At> {
    let late = |range: Range<u64>| range.prop_map(At::Late).boxed();
    let ahead = |range: Range<u64>| range.prop_map(At::Ahead).boxed();
    let periods = |back: u32, into: u64| {
        (any::<Index>(), 0..back, 0..into)
            .prop_map(|(view, back, into)| At::Periods(view, back, into))
            .boxed()
    };
    profile.pick(vec![
        ([4, 0, 0], Just(At::Unsaid).boxed()),
        ([0, 8, 14], Just(At::Now).boxed()),
        ([4, 3, 2], late(0..4)),
        ([2, 0, 0], late(0..100_000)),
        ([0, 2, 1], late(0..10_000_000)),
        ([0, 4, 0], periods(6, 100_000)),
        ([0, 0, 8], periods(4, 100_000)),
        // Moments at the boundary itself, and the same millisecond many times.
        ([0, 4, 0], periods(4, 2)),
        ([0, 1, 0], periods(400, 100_000)),
        ([2, 0, 0], ahead(0..4)),
        ([0, 2, 2], ahead(0..MAX_FUTURE + 1)),
        ([1, 0, 0], ahead(MAX_FUTURE - 1..MAX_FUTURE + 2)),
        ([0, 1, 0], ahead(MAX_FUTURE..2 * MAX_FUTURE)),
        ([1, 0, 0], ahead(0..1_000_000)),
        ([0, 0, 1], ahead(MAX_FUTURE..200_000_000)),
        ([0, 1, 0], (0..1_000_000_000_000_u64).prop_map(At::Epoch).boxed()),
    ])
}

fn tick(profile: Profile) -> impl Strategy<Value = Tick> {
    let forward = |range: Range<u64>| range.prop_map(Tick::Forward).boxed();
    let wrong = |range: Range<i64>| range.prop_map(Tick::Wrong).boxed();
    let boundary =
        |by: Range<i64>| (any::<Index>(), by).prop_map(|(view, by)| Tick::Boundary(view, by)).boxed();
    let skip = |over: Range<u32>| {
        (any::<Index>(), over, 0..100_000_u64)
            .prop_map(|(view, over, into)| Tick::Skip(view, over, into))
            .boxed()
    };
    let peek = |more: u32| {
        let hops = (1..4_u32, 0..more);
        (any::<Index>(), hops, 0..10_000_u64)
            .prop_map(|(view, (over, more), into)| Tick::Peek(view, [over, more], into))
            .boxed()
    };
    const FAR: i64 = MAX_FUTURE as i64;
    profile.pick(vec![
        ([8, 0, 0], forward(0..3)),
        ([4, 0, 0], forward(300..700)),
        ([1, 0, 0], forward(500_000..700_000)),
        ([0, 4, 4], forward(0..3_000)),
        ([0, 1, 2], forward(0..4_000_000)),
        ([0, 0, 1], forward(0..400_000_000)),
        ([0, 6, 4], boundary(-2..3)),
        ([0, 2, 1], boundary(-1_000_000..0)),
        ([0, 5, 4], skip(1..4)),
        ([0, 1, 1], skip(4..13)),
        ([0, 2, 2], (0..=MAX_FUTURE).prop_map(Tick::Back).boxed()),
        ([0, 3, 0], peek(9)),
        ([0, 0, 2], peek(1)),
        ([2, 0, 0], wrong(-4..0)),
        ([1, 0, 0], wrong(-FAR..1)),
        ([1, 0, 0], wrong(FAR..1_000_000_000)),
        ([2, 0, 0], Just(Tick::Correct).boxed()),
    ])
}

fn change(profile: Profile) -> impl Strategy<Value = Change> {
    let hour = || proptest::option::of(proptest::option::weighted(0.7, -100_000..100_000_i64));
    let carry = (any::<Index>(), proptest::option::weighted(0.8, rules::share(profile)));
    let limits = (proptest::collection::vec(0..5_u8, 0..=1), rules::limits(2));
    profile.pick(vec![
        ([0, 2, 2], rules::kind(profile).prop_map(Change::AddView).boxed()),
        ([0, 1, 1], any::<Index>().prop_map(Change::DropView).boxed()),
        ([0, 1, 1], rules::retain(profile).prop_map(Change::Retain).boxed()),
        (
            [0, 1, 0],
            (any::<Index>(), rules::retain(profile))
                .prop_map(|(view, retain)| Change::RetainOf(view, retain))
                .boxed(),
        ),
        ([0, 2, 0], carry.prop_map(|(view, share)| Change::Carry(view, share)).boxed()),
        ([1, 0, 0], rules::dedup(profile).prop_map(Change::Dedup).boxed()),
        ([1, 1, 1], rules::notify_top().prop_map(Change::NotifyTop).boxed()),
        ([0, 0, 4], limits.prop_map(|(lifted, limits)| Change::Limits(lifted, limits)).boxed()),
        ([0, 0, 2], (hour(), hour()).prop_map(|(opens, closes)| Change::Hours(opens, closes)).boxed()),
    ])
}

fn write(profile: Profile, action: impl Strategy<Value = Action>) -> impl Strategy<Value = Step> {
    let often = [0.5, 0.1, 0.3][profile as usize];
    let id = proptest::option::weighted(often, 0..40_u8);
    let positions = prop_oneof![
        1 => Just(Positions::None),
        2 => Just(Positions::After),
        3 => Just(Positions::BeforeAndAfter),
    ];
    (action, id, any::<Index>(), positions, at(profile))
        .prop_map(|(action, id, view, positions, at)| Step::Write(Write { action, id, view, positions, at }))
}

/// Picks a step with this number of members, and with lists of up to `len` pairs.
fn step(profile: Profile, members: usize, len: usize) -> impl Strategy<Value = Step> {
    let weight = proptest::option::of(prop_oneof![4 => 0..4_u32, 1 => Just(1000)]);
    let initial = proptest::option::of(prop_oneof![4 => 0..6_u64, 1 => Just(1000)]);
    let declare = (0..members, weight, initial);
    let meta = (0..members, proptest::collection::vec(any::<u8>(), 0..6));
    let quota = (ballot(), proptest::option::of(0..members), at(profile));
    profile.pick(vec![
        ([12, 24, 24], write(profile, action(profile, members, len)).boxed()),
        ([3, 1, 2], (any::<Index>(), at(profile)).prop_map(|(which, at)| Step::Retry(which, at)).boxed()),
        ([0, 0, 6], declare.prop_map(|(name, weight, initial)| Step::Declare(name, weight, initial)).boxed()),
        ([2, 2, 1], (0..members).prop_map(Step::Remove).boxed()),
        ([2, 1, 0], meta.prop_map(|(name, meta)| Step::SetMeta(name, meta)).boxed()),
        ([6, 12, 10], tick(profile).prop_map(Step::Tick).boxed()),
        ([1, 1, 2], change(profile).prop_map(Step::Alter).boxed()),
        ([0, 0, 2], quota.prop_map(|(ballot, name, at)| Step::Quota(ballot, name, at)).boxed()),
        ([1, 1, 1], Just(Step::Reload).boxed()),
        ([0, 4, 3], (0..12_u16).prop_map(Step::Work).boxed()),
        ([0, 1, 1], Just(Step::Work(u16::MAX)).boxed()),
        ([0, 3, 3], Just(Step::Compare).boxed()),
    ])
}

/// Picks up to `most` steps with this number of members, and with lists of up to `len` pairs.
pub fn steps(profile: Profile, members: usize, len: usize, most: usize) -> impl Strategy<Value = Vec<Step>> {
    let least = if profile == Profile::Votes { most / 3 } else { 1 };
    proptest::collection::vec(step(profile, members, len), least..=most)
}

/// Picks steps of votes on a clock that leaps far ahead and is corrected later.
pub fn leaping_steps(members: usize, most: usize) -> impl Strategy<Value = Vec<Step>> {
    let ahead = |most: i64| (MAX_FUTURE as i64 + 1..most).prop_map(Tick::Wrong);
    let leap = prop_oneof![3 => ahead(400_000_000), 1 => ahead(40_000_000_000), 3 => Just(Tick::Correct)];
    let step = prop_oneof![10 => step(Profile::Votes, members, 1), 2 => leap.prop_map(Step::Tick)];
    proptest::collection::vec(step, most / 3..=most)
}

/// Picks steps on a board of many members with views. First, all members get points. Then the worker has much
/// to do, while single members are removed.
pub fn crowded_steps(members: usize, most: usize) -> impl Strategy<Value = Vec<Step>> {
    let profile = Profile::Views;
    let all = proptest::collection::vec(units(-3..50), members);
    let all = all.prop_map(|points| Action::Many(points.into_iter().zip(0..).collect()));
    let step = prop_oneof![
        4 => write(profile, action(profile, members, 40)),
        6 => write(profile, list(members, 12)),
        8 => (0..members).prop_map(Step::Remove),
        8 => tick(profile).prop_map(Step::Tick),
        4 => (60_000..70_000_u64).prop_map(|by| Step::Tick(Tick::Forward(by))),
        1 => Just(Step::Reload),
        12 => (1..9_u16).prop_map(Step::Work),
        1 => Just(Step::Compare),
    ];
    (write(profile, all), proptest::collection::vec(step, 1..=most)).prop_map(|(first, mut steps)| {
        steps.insert(0, first);
        steps
    })
}
