//! Random rules for the boards of a game.

use std::ops::Range;

use leaderboard_core::Schema;
use leaderboard_core::calendar::{Calendar, Unit, Weekday, Zone};
use leaderboard_core::schema::{Aggregate, Order, Ties};
use leaderboard_core::share::Share;
use leaderboard_core::time::Clock;
use leaderboard_core::view::{Kind, Spec};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::Profile;
use crate::model::limit::Rule;

/// The rules of a board, and the moment at which a game on it begins.
#[derive(Debug)]
pub struct Rules {
    pub profile: Profile,
    pub schema: Schema,
    pub specs: Vec<Spec>,
    pub limits: Vec<Rule>,
    /// When voting opens, in milliseconds after `begin`, and when it closes, in milliseconds after it opens.
    /// `None` means that there is no such moment.
    pub hours: (Option<u64>, Option<u64>),
    pub begin: u64,
    /// Whether the points of a game include values near the ends of the range of scores.
    pub is_wide: bool,
}

pub fn rules(profile: Profile) -> impl Strategy<Value = Rules> {
    let hours =
        (proptest::option::weighted(0.2, 1..200_000_u64), proptest::option::weighted(0.2, 1..900_000_u64));
    let parts =
        (schema(profile), specs(profile), limits(4), hours, begin(profile), prop::bool::weighted(0.2));
    parts.prop_map(move |(schema, mut specs, mut limits, mut hours, begin, is_wide)| {
        for spec in specs.iter_mut().filter(|_| schema.aggregate != Aggregate::Sum) {
            spec.carry = None;
        }
        if profile != Profile::Votes {
            (limits, hours) = (Vec::new(), (None, None));
        }
        Rules { profile, schema, specs, limits, hours, begin, is_wide: is_wide && profile == Profile::Views }
    })
}

/// Picks how many places at the top listeners watch.
pub fn notify_top() -> impl Strategy<Value = u32> {
    select(&[0_u32, 1, 3, 20])
}

fn schema(profile: Profile) -> impl Strategy<Value = Schema> {
    let order = select(&[Order::Desc, Order::Asc]);
    let aggregate = profile.pick(vec![
        ([2, 3, 1], Just(Aggregate::Sum).boxed()),
        ([3, 3, 0], select(&[Aggregate::Max, Aggregate::Min, Aggregate::Last]).boxed()),
    ]);
    let ties = select(&[Ties::First, Ties::Last, Ties::Lex, Ties::RevLex]);
    let clock =
        profile.pick(vec![([2, 2, 3], Just(Clock::Server).boxed()), ([1, 1, 2], Just(Clock::Event).boxed())]);
    let decimals =
        profile.pick(vec![([1, 1, 0], (0..=9_u8).boxed()), ([0, 0, 1], select(&[0_u8, 2]).boxed())]);
    let flags = (prop::bool::weighted(0.7), prop::bool::weighted(0.15), notify_top());
    (order, aggregate, ties, clock, decimals, calendar(), flags, dedup(profile)).prop_map(
        move |(order, aggregate, ties, clock, decimals, calendar, (shown, declared, notify_top), dedup)| {
            let is_voted = profile == Profile::Votes;
            let (shown, declared) = (shown && is_voted, declared && is_voted);
            Schema {
                order,
                aggregate,
                ties,
                decimals,
                clock,
                calendar,
                shown,
                declared,
                dedup,
                notify_top,
                ..Schema::default()
            }
        },
    )
}

/// Picks for how many seconds a board remembers request ids.
pub fn dedup(profile: Profile) -> impl Strategy<Value = u32> {
    profile.pick(vec![
        ([1, 0, 0], Just(0).boxed()),
        ([2, 0, 0], Just(1).boxed()),
        ([4, 1, 0], Just(600).boxed()),
        ([1, 0, 1], Just(315_360_000).boxed()),
    ])
}

fn calendar() -> impl Strategy<Value = Calendar> {
    const ZONES: &[&str] = &[
        "UTC",
        "America/New_York",
        "Asia/Kathmandu",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "Europe/Paris",
        "+08:00",
    ];
    let origin = prop_oneof![Just(0), any::<u32>().prop_map(u64::from)];
    (select(ZONES), select(&Weekday::ALL[..]), origin).prop_map(|(zone, week_start, origin)| Calendar {
        zone: Zone::parse(zone.as_bytes()).unwrap(),
        week_start,
        origin,
    })
}

/// Picks the moment at which a game begins: any moment, or a moment shortly before a zone changes its clock
/// or leaves out a date.
fn begin(profile: Profile) -> impl Strategy<Value = u64> {
    const CHANGES: &[u64] = &[
        1_325_152_800_000,
        1_383_458_400_000,
        1_552_201_200_000,
        1_553_994_000_000,
        1_554_562_800_000,
        1_572_138_000_000,
    ];
    let before = |most: u64| (select(CHANGES), 0..most).prop_map(|(change, before)| change - before).boxed();
    profile.pick(vec![
        ([1, 0, 0], Just(1_700_000_000_000).boxed()),
        ([0, 2, 0], before(7_200_000)),
        ([0, 0, 3], before(90_000_000)),
        ([0, 1, 1], (1_000_000_000_000..2_000_000_000_000_u64).boxed()),
    ])
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

/// Picks how many periods a view counts. 0 stands for the view `all`.
fn count() -> impl Strategy<Value = u16> {
    prop_oneof![2 => Just(0_u16), 6 => Just(1), 6 => 2..=4_u16, 3 => 5..=10_u16, 1 => Just(366)]
}

fn of(unit: Unit, count: u16) -> Kind {
    if count == 0 { Kind::All } else { Kind::Periods { unit, count } }
}

/// Picks a kind of view whose voters a short game can count.
fn kind_of_votes() -> impl Strategy<Value = Kind> {
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

pub fn kind(profile: Profile) -> impl Strategy<Value = Kind> {
    let any = (unit(), count()).prop_map(|(unit, count)| of(unit, count));
    profile.pick(vec![
        ([1, 0, 0], Just(Kind::All).boxed()),
        ([0, 1, 0], any.boxed()),
        ([0, 0, 1], kind_of_votes().boxed()),
    ])
}

pub fn share(profile: Profile) -> impl Strategy<Value = Share> {
    let all: &[u32] = match profile {
        Profile::Votes => &[1, 500_000_000, 1_000_000_000],
        _ => &[1, 200_000_000, 333_333_333, 500_000_000, 1_000_000_000],
    };
    select(all).prop_map(|billionths| Share::from_billionths(billionths).unwrap())
}

/// Picks the kinds of the views of one board.
fn kinds(profile: Profile) -> impl Strategy<Value = Vec<Kind>> {
    // Few units, so that one boundary of a view does not end all periods of another view.
    let units = proptest::collection::vec(unit(), 1..=2);
    let views =
        (units, proptest::collection::vec((any::<Index>(), count()), 1..=5)).prop_map(|(units, views)| {
            views.into_iter().map(|(unit, count)| of(*unit.get(&units), count)).collect()
        });
    profile.pick(vec![
        ([1, 0, 0], Just(vec![Kind::All]).boxed()),
        ([0, 1, 0], views.boxed()),
        ([0, 0, 1], proptest::collection::vec(kind_of_votes(), 1..=4).boxed()),
    ])
}

/// Returns the range from which the number of kept periods is picked.
pub fn retain(profile: Profile) -> Range<u32> {
    0..if profile == Profile::Votes { 6 } else { 5 }
}

fn specs(profile: Profile) -> impl Strategy<Value = Vec<Spec>> {
    let more = proptest::collection::vec((proptest::option::of(share(profile)), retain(profile)), 5);
    (kinds(profile), more).prop_map(|(kinds, more)| {
        let mut specs: Vec<Spec> = Vec::new();
        for (kind, (share, retain)) in kinds.into_iter().zip(more) {
            if specs.iter().all(|spec| spec.kind != kind) {
                let carry = share.filter(|_| matches!(kind, Kind::Periods { count: 1, .. }));
                specs.push(Spec { carry, retain, ..Spec::new(kind) });
            }
        }
        specs
    })
}

fn rule() -> impl Strategy<Value = Rule> {
    let scope = select(&["member", "voter", "ip", "voter+ip", "member+voter", "ip+member", "voter+member"]);
    let unit = select(&["second", "minute", "hour", "day", "week", "month", "year", "all"]);
    let bonus = (select(&["ip", "chan"]), select(&["a", "b"]), 1..4_u64);
    let bonuses = proptest::collection::vec(bonus, 0..=2);
    let max = prop_oneof![4 => 1..7_u64, 1 => 7..60_u64];
    (0..5_u8, scope, max, unit, bonuses).prop_map(|(name, scope, max, unit, mut bonuses)| {
        bonuses.dedup_by(|b, a| (b.0, b.1) == (a.0, a.1));
        Rule { name: format!("r{name}"), scope, max, unit, bonuses }
    })
}

/// Picks up to `most` rules with different names.
pub fn limits(most: usize) -> impl Strategy<Value = Vec<Rule>> {
    proptest::collection::vec(rule(), 0..=most).prop_map(|mut rules| {
        let mut seen = Vec::new();
        rules.retain(|rule| {
            let is_new = !seen.contains(&rule.name);
            seen.push(rule.name.clone());
            is_new
        });
        rules
    })
}
