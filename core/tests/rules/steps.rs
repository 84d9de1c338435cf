//! Random sessions. Steps are described so that they are valid on any board.

use std::cmp::Ordering;
use std::ops::Range;

use leaderboard_core::board::Condition;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::Union;

/// The kind of boards that a session plays on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Boards with views of all kinds.
    Views,
    /// Boards that keep their best members.
    Keep,
    /// Boards with scores of several levels.
    Levels,
    /// Boards with real and shown votes.
    Shown,
}

/// Strategies with their weights, one for each profile in the order of `Profile`.
type Weighted<T> = Vec<([u32; 4], BoxedStrategy<T>)>;

impl Profile {
    pub fn pick<T: std::fmt::Debug>(self, all: Weighted<T>) -> Union<BoxedStrategy<T>> {
        let own = all.into_iter().map(|(weights, strategy)| (weights[self as usize], strategy));
        Union::new_weighted(own.filter(|(weight, _)| *weight > 0).collect())
    }
}

/// Points in a form that does not depend on the levels of the board.
#[derive(Debug, Clone, Copy)]
pub enum Points {
    /// Small numbers, clamped to the range of each level.
    Small([i64; 8]),
    /// Numbers that may be out of the range of a level.
    Loose([i64; 8]),
    /// A number up to the ends of the range of scores.
    Wide(i64),
    /// No points.
    Zero,
}

/// The moment that a write names.
#[derive(Debug, Clone, Copy)]
pub enum At {
    /// No moment on a board with a server's clock, and the current moment on a board with a clock of events.
    Now,
    Late(u64),
    /// A moment in an earlier period of a view: the view, how many periods ago, and milliseconds after the start of
    /// that period.
    Periods(Index, u64, u64),
    /// The start of the current period of a view, or a moment at this distance from it in milliseconds.
    Boundary(Index, i64),
    Ahead(u64),
}

#[derive(Debug, Clone)]
pub enum Action {
    Add(Points, usize),
    Roll(Points, usize),
    Set(Points, usize, Condition),
    /// Gives a member the score that it has.
    SetSame(usize),
    Many(Vec<(Points, usize)>),
    SetMany(Vec<(Points, usize)>),
    Vote(i64, usize),
    VoteMany(Vec<(i64, usize)>),
}

#[derive(Debug, Clone)]
pub struct Write {
    pub action: Action,
    pub id: Option<u8>,
    pub view: Index,
    pub at: At,
    pub meta: Option<Vec<u8>>,
}

#[derive(Debug, Clone)]
pub enum Step {
    Write(Write),
    /// Repeats an earlier write with the same request id, and with this text of the member.
    Retry(Index, At, Option<Vec<u8>>),
    Hide(Vec<usize>),
    /// Hides this number of members at the top of a view.
    HideTop(Index, usize),
    HideAll,
    Unhide(Vec<usize>),
    UnhideAll,
    Remove(usize),
    /// Removes the members with these ranks in the default view, from the first to the last.
    RemoveRange(i64, i64),
    SetMeta(usize, Vec<u8>),
    Declare(usize, i64),
    Forward(u64),
    /// Moves the clock to the end of the current period of a view, or to this distance from it.
    Boundary(Index, i64),
    /// Moves the clock over this number of period ends of a view, and then this number of milliseconds further.
    Skip(Index, u64, u64),
    Keep(usize),
    AddView(Index),
    /// Saves and loads one of the boards.
    Reload,
    /// Does up to this number of pieces of work ahead.
    Work(u16),
    Compare(u64),
}

fn points(profile: Profile) -> impl Strategy<Value = Points> {
    profile.pick(vec![
        ([24, 24, 24, 1], proptest::array::uniform8(-3..7_i64).prop_map(Points::Small).boxed()),
        ([3, 3, 3, 0], proptest::array::uniform8(-900..900_i64).prop_map(Points::Loose).boxed()),
        ([1, 1, 0, 0], any::<i64>().prop_map(Points::Wide).boxed()),
        ([2, 2, 2, 0], Just(Points::Zero).boxed()),
    ])
}

fn condition() -> impl Strategy<Value = Condition> {
    let present = prop_oneof![3 => Just(None), 1 => Just(Some(false)), 1 => Just(Some(true))];
    let compared =
        prop_oneof![2 => Just(None), 1 => Just(Some(Ordering::Less)), 1 => Just(Some(Ordering::Greater))];
    (present, compared).prop_map(|(present, compared)| Condition { present, compared })
}

fn list(profile: Profile, members: usize, len: usize) -> impl Strategy<Value = Vec<(Points, usize)>> {
    proptest::collection::vec((points(profile), 0..members), 1..=len)
}

fn action(profile: Profile, members: usize, len: usize) -> impl Strategy<Value = Action> {
    let who = || 0..members;
    let votes = proptest::collection::vec((1..5_i64, who()), 1..=len);
    profile.pick(vec![
        ([8, 8, 8, 0], (points(profile), who()).prop_map(|(points, who)| Action::Add(points, who)).boxed()),
        ([2, 0, 2, 0], (points(profile), who()).prop_map(|(points, who)| Action::Roll(points, who)).boxed()),
        (
            [5, 5, 5, 0],
            (points(profile), who(), condition())
                .prop_map(|(score, who, condition)| Action::Set(score, who, condition))
                .boxed(),
        ),
        ([2, 2, 2, 0], who().prop_map(Action::SetSame).boxed()),
        ([4, 4, 4, 0], list(profile, members, len).prop_map(Action::Many).boxed()),
        ([5, 5, 5, 0], list(profile, members, len).prop_map(Action::SetMany).boxed()),
        ([0, 0, 0, 8], (1..5_i64, who()).prop_map(|(votes, who)| Action::Vote(votes, who)).boxed()),
        ([0, 0, 0, 3], votes.prop_map(Action::VoteMany).boxed()),
    ])
}

fn at() -> impl Strategy<Value = At> {
    prop_oneof![
        20 => Just(At::Now),
        3 => (0..3_u64).prop_map(At::Late),
        1 => (0..100_000_000_u64).prop_map(At::Late),
        4 => (any::<Index>(), 0..9_u64, 0..90_000_u64)
            .prop_map(|(view, back, into)| At::Periods(view, back, into)),
        2 => (any::<Index>(), -1..2_i64).prop_map(|(view, by)| At::Boundary(view, by)),
        1 => (0..70_000_u64).prop_map(At::Ahead),
    ]
}

fn meta() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..4)
}

fn write(action: impl Strategy<Value = Action>) -> impl Strategy<Value = Step> {
    let id = proptest::option::weighted(0.15, 0..40_u8);
    let parts = (action, id, any::<Index>(), at(), proptest::option::weighted(0.2, meta()));
    parts.prop_map(|(action, id, view, at, meta)| Step::Write(Write { action, id, view, at, meta }))
}

fn hiding(members: usize) -> impl Strategy<Value = Step> {
    let some = || proptest::collection::vec(0..members + 3, 1..4);
    prop_oneof![
        6 => some().prop_map(Step::Hide),
        3 => (any::<Index>(), 1..5_usize).prop_map(|(view, count)| Step::HideTop(view, count)),
        1 => Just(Step::HideAll),
        6 => some().prop_map(Step::Unhide),
        2 => Just(Step::UnhideAll),
    ]
}

fn time() -> impl Strategy<Value = Step> {
    let skip = |over: Range<u64>, into: Range<u64>| {
        (any::<Index>(), over, into).prop_map(|(view, over, into)| Step::Skip(view, over, into))
    };
    prop_oneof![
        6 => (0..3_u64).prop_map(Step::Forward),
        3 => (0..4_000_u64).prop_map(Step::Forward),
        2 => (0..40_000_000_u64).prop_map(Step::Forward),
        6 => (any::<Index>(), -1..2_i64).prop_map(|(view, by)| Step::Boundary(view, by)),
        4 => skip(1..4, 0..100_000),
        1 => skip(4..11, 0..9),
    ]
}

fn rank() -> impl Strategy<Value = i64> {
    (-4..5_i64).prop_map(|rank| if rank == 0 { 1 } else { rank })
}

fn keep() -> impl Strategy<Value = usize> {
    prop_oneof![2 => Just(1_usize), 6 => 2..8_usize, 2 => 8..160_usize, 1 => Just(0)]
}

/// Picks a step with this number of members, and with lists of up to `len` entries.
fn step(profile: Profile, members: usize, len: usize) -> impl Strategy<Value = Step> {
    let retry = (any::<Index>(), at(), proptest::option::of(meta()));
    let declare = (0..members, 0..5_i64).prop_map(|(who, weight)| Step::Declare(who, weight));
    let set_meta = (0..members, meta()).prop_map(|(who, meta)| Step::SetMeta(who, meta));
    profile.pick(vec![
        ([30, 30, 30, 30], write(action(profile, members, len)).boxed()),
        ([2, 2, 2, 2], retry.prop_map(|(which, at, meta)| Step::Retry(which, at, meta)).boxed()),
        ([10, 10, 8, 10], hiding(members).boxed()),
        ([2, 2, 1, 1], (0..members).prop_map(Step::Remove).boxed()),
        ([1, 1, 1, 1], (rank(), rank()).prop_map(|(first, last)| Step::RemoveRange(first, last)).boxed()),
        ([1, 2, 1, 1], set_meta.boxed()),
        ([0, 0, 0, 4], declare.boxed()),
        ([10, 9, 9, 9], time().boxed()),
        ([1, 6, 1, 1], keep().prop_map(Step::Keep).boxed()),
        ([1, 1, 1, 1], any::<Index>().prop_map(Step::AddView).boxed()),
        ([3, 3, 3, 3], Just(Step::Reload).boxed()),
        ([3, 3, 3, 3], (0..9_u16).prop_map(Step::Work).boxed()),
        ([1, 1, 1, 1], Just(Step::Work(u16::MAX)).boxed()),
        ([5, 5, 5, 5], any::<u64>().prop_map(Step::Compare).boxed()),
    ])
}

/// Picks the steps of a session with this number of members, and with lists of up to `len` entries.
pub fn steps(profile: Profile, members: usize, len: usize, most: usize) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(step(profile, members, len), 1..=most)
}

/// Picks the steps of a session on a board with many members. The first step gives points to all of them.
pub fn crowded(profile: Profile, members: usize, most: usize) -> impl Strategy<Value = Vec<Step>> {
    let all = match profile {
        Profile::Shown => proptest::collection::vec(1..9_i64, members)
            .prop_map(|votes| Action::VoteMany(votes.into_iter().zip(0..).collect()))
            .boxed(),
        _ => {
            proptest::collection::vec(proptest::array::uniform8(-3..60_i64).prop_map(Points::Small), members)
                .prop_map(|points| Action::Many(points.into_iter().zip(0..).collect()))
                .boxed()
        }
    };
    (write(all), steps(profile, members, 40, most)).prop_map(|(first, mut steps)| {
        steps.insert(0, first);
        steps
    })
}
