//! Random boards and steps.

use leaderboard_core::Schema;
use leaderboard_core::calendar::{Calendar, Unit, Weekday, Zone};
use leaderboard_core::schema::{Order, Ties};
use leaderboard_core::time::Clock;
use leaderboard_core::view::{Kind, Share, Spec};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::MAX_FUTURE;
use crate::limit::{Ballot, Rule};

/// The moment that a write names.
#[derive(Debug, Clone, Copy)]
pub enum At {
    Unsaid,
    Late(u64),
    /// So many periods of a view ago, so far into that one.
    Periods(Index, u32, u64),
    Ahead(u64),
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
    /// Over so many periods of a view and back again, with nothing but reads in between.
    Peek(Index, u32, u64),
    /// Far ahead of the true time, for good until it is put right.
    Leap(u64),
    /// Back to the true time.
    Correct,
}

#[derive(Debug, Clone)]
pub enum Action {
    Vote(Ballot, u64, usize),
    VoteMany(Ballot, Vec<(u64, usize)>),
    Add(i64, usize),
    Many(Vec<(i64, usize)>),
    Set(i64, usize),
}

#[derive(Debug, Clone)]
pub enum Change {
    AddView(Kind),
    DropView(Index),
    Retain(u32),
    Limits(Vec<u8>, Vec<Rule>),
    /// So far from now; or never, or from the beginning.
    VotingWindow(Option<Option<i64>>, Option<Option<i64>>),
}

#[derive(Debug, Clone)]
pub enum Step {
    /// A write, whose positions are those of a view, with a request id or not.
    Write(Action, Option<u8>, Index, At),
    /// A write with an id that was sent before, once more.
    Retry(Index, At),
    Declare(usize, Option<u32>, Option<u64>),
    Remove(usize),
    Tick(Tick),
    Alter(Change),
    Quota(Ballot, Option<usize>, At),
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
    pub limits: Vec<Rule>,
    /// From the beginning, or so long after it; without end, or so long after that.
    pub hours: (Option<u64>, Option<u64>),
    pub begin: u64,
}

pub fn rules() -> impl Strategy<Value = Rules> {
    let spec = (kind(), proptest::option::of(share()), 0..6_u32);
    let hours =
        (proptest::option::weighted(0.2, 1..200_000_u64), proptest::option::weighted(0.2, 1..900_000_u64));
    let limits = proptest::collection::vec(rule(), 0..=4);
    (schema(), proptest::collection::vec(spec, 1..=4), limits, hours, begin()).prop_map(
        |(schema, views, mut limits, hours, begin)| {
            let mut specs: Vec<Spec> = Vec::new();
            for (kind, share, retain) in views {
                if specs.iter().all(|spec| spec.kind != kind) {
                    let is_cycle = matches!(kind, Kind::Periods { count: 1, .. });
                    specs.push(Spec { carry: share.filter(|_| is_cycle), retain, ..Spec::new(kind) });
                }
            }
            distinct(&mut limits);
            Rules { schema, specs, limits, hours, begin }
        },
    )
}

/// Each name once.
fn distinct(rules: &mut Vec<Rule>) {
    let mut seen = Vec::new();
    rules.retain(|rule| {
        !seen.contains(&rule.name) && {
            seen.push(rule.name.clone());
            true
        }
    });
}

fn schema() -> impl Strategy<Value = Schema> {
    let order = select(&[Order::Desc, Order::Asc]);
    let ties = select(&[Ties::First, Ties::Last, Ties::Lex]);
    let clock = prop_oneof![3 => Just(Clock::Server), 2 => Just(Clock::Event)];
    let decimals = select(&[0_u8, 2]);
    let flags = (prop::bool::weighted(0.7), prop::bool::weighted(0.15));
    (order, ties, decimals, clock, calendar(), flags).prop_map(
        |(order, ties, decimals, clock, calendar, (shown, declared))| Schema {
            order,
            ties,
            decimals,
            clock,
            calendar,
            shown,
            declared,
            dedup: 315_360_000,
            ..Schema::default()
        },
    )
}

fn calendar() -> impl Strategy<Value = Calendar> {
    const ZONES: &[&str] = &["UTC", "America/New_York", "Asia/Kathmandu", "Europe/Paris"];
    let origin = prop_oneof![Just(0), any::<u32>().prop_map(u64::from)];
    (select(ZONES), select(&Weekday::ALL[..]), origin).prop_map(|(zone, week_start, origin)| Calendar {
        zone: Zone::parse(zone.as_bytes()).unwrap(),
        week_start,
        origin,
    })
}

/// Any time, and times when clocks are changed.
fn begin() -> impl Strategy<Value = u64> {
    const CHANGES: &[u64] = &[1_383_458_400_000, 1_552_201_200_000, 1_553_994_000_000, 1_572_138_000_000];
    prop_oneof![
        3 => (select(CHANGES), 0..90_000_000_u64).prop_map(|(change, before)| change - before),
        1 => 1_000_000_000_000..1_700_000_000_000_u64,
    ]
}

fn kind() -> impl Strategy<Value = Kind> {
    let of = |unit, count| Kind::Periods { unit, count };
    prop_oneof![
        3 => Just(Kind::All),
        2 => Just(of(Unit::Hour, 1)),
        3 => Just(of(Unit::Day, 1)),
        1 => Just(of(Unit::Week, 1)),
        2 => Just(of(Unit::Day, 2)),
        2 => Just(of(Unit::Seconds(40), 3)),
        1 => Just(of(Unit::Hour, 4)),
        2 => Just(of(Unit::Seconds(40), 1)),
    ]
}

fn share() -> impl Strategy<Value = Share> {
    select(&[1, 500_000_000, 1_000_000_000]).prop_map(|share| Share::from_billionths(share).unwrap())
}

pub fn rule() -> impl Strategy<Value = Rule> {
    let scope = select(&["member", "voter", "ip", "voter+ip", "member+voter", "ip+member", "voter+member"]);
    let unit = select(&["second", "minute", "hour", "day", "week", "month", "year", "all"]);
    let bonus = (select(&["ip", "chan"]), select(&["a", "b"]), 1..4_u64);
    let bonuses = proptest::collection::vec(bonus, 0..=2);
    let max = prop_oneof![4 => 1..7_u64, 1 => 7..60_u64];
    (0..5_u8, scope, max, unit, bonuses).prop_map(|(name, scope, max, unit, mut bonuses)| {
        if bonuses.len() == 2 && bonuses[0].0 == bonuses[1].0 && bonuses[0].1 == bonuses[1].1 {
            bonuses.pop();
        }
        Rule { name: format!("r{name}"), scope, max, unit, bonuses }
    })
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

fn action(members: usize) -> impl Strategy<Value = Action> {
    let points = || -3..10_i64;
    let list = proptest::collection::vec((votes(), 0..members), 1..5);
    let many = proptest::collection::vec((points(), 0..members), 1..6);
    prop_oneof![
        12 => (ballot(), votes(), 0..members).prop_map(|(ballot, votes, name)| Action::Vote(ballot, votes, name)),
        5 => (ballot(), list).prop_map(|(ballot, votes)| Action::VoteMany(ballot, votes)),
        2 => (points(), 0..members).prop_map(|(points, name)| Action::Add(points, name)),
        1 => many.prop_map(Action::Many),
        2 => (points(), 0..members).prop_map(|(score, name)| Action::Set(score, name)),
    ]
}

fn at() -> impl Strategy<Value = At> {
    prop_oneof![
        14 => Just(At::Unsaid),
        2 => (0..4_u64).prop_map(At::Late),
        1 => (0..10_000_000_u64).prop_map(At::Late),
        8 => (any::<Index>(), 0..4_u32, 0..100_000_u64).prop_map(|(view, back, into)| At::Periods(view, back, into)),
        2 => (0..=MAX_FUTURE).prop_map(At::Ahead),
        1 => (MAX_FUTURE..200_000_000).prop_map(At::Ahead),
    ]
}

fn tick() -> impl Strategy<Value = Tick> {
    let view = || any::<Index>();
    prop_oneof![
        4 => (0..3_000_u64).prop_map(Tick::Forward),
        2 => (0..4_000_000_u64).prop_map(Tick::Forward),
        1 => (0..400_000_000_u64).prop_map(Tick::Forward),
        4 => (view(), -2..3_i64).prop_map(|(view, by)| Tick::Boundary(view, by)),
        1 => (view(), -1_000_000..0_i64).prop_map(|(view, by)| Tick::Boundary(view, by)),
        4 => (view(), 1..4_u32, 0..100_000_u64).prop_map(|(view, over, into)| Tick::Skip(view, over, into)),
        1 => (view(), 4..13_u32, 0..100_000_u64).prop_map(|(view, over, into)| Tick::Skip(view, over, into)),
        2 => (0..=MAX_FUTURE).prop_map(Tick::Back),
        2 => (view(), 1..4_u32, 0..10_000_u64).prop_map(|(view, over, into)| Tick::Peek(view, over, into)),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let hour = || proptest::option::of(proptest::option::weighted(0.7, -100_000..100_000_i64));
    let lifted = proptest::collection::vec(0..5_u8, 0..=1);
    let limits = proptest::collection::vec(rule(), 0..=2).prop_map(|mut rules| {
        distinct(&mut rules);
        rules
    });
    prop_oneof![
        2 => kind().prop_map(Change::AddView),
        1 => any::<Index>().prop_map(Change::DropView),
        1 => (0..6_u32).prop_map(Change::Retain),
        4 => (lifted, limits).prop_map(|(lifted, limits)| Change::Limits(lifted, limits)),
        2 => (hour(), hour()).prop_map(|(opens, closes)| Change::VotingWindow(opens, closes)),
    ]
}

/// A step with so many members, of which a clock that leaps is no part.
fn step(members: usize) -> impl Strategy<Value = Step> {
    let id = || proptest::option::weighted(0.3, 0..30_u8);
    let weight = proptest::option::of(prop_oneof![4 => 0..4_u32, 1 => Just(1000)]);
    let initial = proptest::option::of(prop_oneof![4 => 0..6_u64, 1 => Just(1000)]);
    prop_oneof![
        24 => (action(members), id(), any::<Index>(), at()).prop_map(|(op, id, view, at)| Step::Write(op, id, view, at)),
        2 => (any::<Index>(), at()).prop_map(|(which, at)| Step::Retry(which, at)),
        6 => (0..members, weight, initial).prop_map(|(name, weight, initial)| Step::Declare(name, weight, initial)),
        1 => (0..members).prop_map(Step::Remove),
        10 => tick().prop_map(Step::Tick),
        2 => change().prop_map(Step::Alter),
        2 => (ballot(), proptest::option::of(0..members), at()).prop_map(|(ballot, name, at)| Step::Quota(ballot, name, at)),
        1 => Just(Step::Reload),
        3 => (0..12_u16).prop_map(Step::Work),
        1 => Just(Step::Work(u16::MAX)),
        3 => Just(Step::Compare),
    ]
}

/// Up to `len` steps with so many members, and not few.
pub fn steps(members: usize, len: usize) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(step(members), len / 3..=len)
}

/// The same on a clock that leaps far ahead, and is put right later.
pub fn leaping_steps(members: usize, len: usize) -> impl Strategy<Value = Vec<Step>> {
    let leap = prop_oneof![
        3 => (MAX_FUTURE + 1..400_000_000).prop_map(Tick::Leap),
        1 => (MAX_FUTURE + 1..40_000_000_000).prop_map(Tick::Leap),
        3 => Just(Tick::Correct),
    ];
    let step = prop_oneof![10 => step(members), 2 => leap.prop_map(Step::Tick)];
    proptest::collection::vec(step, len / 3..=len)
}
