//! Special cases that the contract names, with results worked out by hand. This file has the functions through which
//! the cases use a league.

mod changes;
mod clocks;
mod groups;
mod leaps;
mod moments;
mod periods;
mod put_right;
mod refused;
mod removals;
mod returns;
mod tiers;
mod zones;

use leaderboard_core::Event;
use leaderboard_core::board::{Effect, Outcome};
use leaderboard_core::calendar::{Calendar, Unit, When, Zone as TimeZone};
use leaderboard_core::league::{
    Alter, GroupZone, Joining, Last, League, LeagueTies, Rules, Tier, TierAmount,
};
use leaderboard_core::native::Work;
use leaderboard_core::share::Share;
use leaderboard_core::time::{Clock, Stamp, TimeSource};
use leaderboard_core::{Decimal, Error, NativeType};

use crate::{MAX_FUTURE, loaded, saved};

/// A Monday at midnight, UTC.
const MONDAY: u64 = 1_552_867_200_000;
const MINUTE: u64 = 60_000;
const DAY: u64 = 1_440 * MINUTE;
const WEEK: u64 = 7 * DAY;
const YEAR: u64 = 52 * WEEK;

const NONE: TierAmount = TierAmount::Count(0);
const ONE: TierAmount = TierAmount::Count(1);

fn tier(name: &str, promote: TierAmount, demote: TierAmount) -> Tier {
    Tier { name: name.as_bytes().into(), promote, demote }
}

/// Returns rules with weekly groups of three in three tiers. In each group, one member goes up and one goes down.
fn plain() -> Rules {
    Rules {
        tiers: vec![tier("low", ONE, NONE), tier("mid", ONE, ONE), tier("top", NONE, ONE)],
        unit: Unit::Week,
        ties: LeagueTies::Scored,
        group: 3,
        reward: 0,
        calendar: Calendar::default(),
        decimals: 0,
        clock: Clock::Server,
        dedup: 600,
        retain: 2,
        idle: 0,
        join_until: whole(),
    }
}

/// Returns rules with one tier, and with groups of this size.
fn flat(group: u32) -> Rules {
    Rules { tiers: vec![tier("low", NONE, NONE)], group, ..plain() }
}

/// Returns rules with three tiers, of which the middle one has these shares.
fn sharing(promote: TierAmount, demote: TierAmount, group: u32) -> Rules {
    let tiers = vec![tier("low", ONE, NONE), tier("mid", promote, demote), tier("top", NONE, ONE)];
    Rules { tiers, group, ..plain() }
}

fn whole() -> Share {
    Share::from_billionths(1_000_000_000).unwrap()
}

fn half() -> Share {
    Share::from_billionths(500_000_000).unwrap()
}

fn new(rules: Rules) -> League {
    League::new(rules).unwrap()
}

/// Returns a write at this number of milliseconds after `MONDAY`.
fn at(now: u64) -> Event<'static> {
    let origin = TimeSource::Client { wall: MONDAY + now, max_future: MAX_FUTURE };
    Event { at: None, request: None, origin }
}

/// Returns a write at `now` with an event of another moment. Both are in milliseconds after `MONDAY`.
fn of(now: u64, event: u64) -> Event<'static> {
    Event { at: Some(MONDAY + event), ..at(now) }
}

fn enter(league: &mut League, write: &Event, name: &str, meta: Option<&str>) -> Joining {
    let joining = league.join(write, name.as_bytes(), meta.map(str::as_bytes)).unwrap();
    league.check();
    joining
}

fn join(league: &mut League, now: u64, name: &str) -> Joining {
    enter(league, &at(now), name, None)
}

fn join_all(league: &mut League, now: u64, names: &str) {
    names.split(' ').for_each(|name| assert!(join(league, now, name).joined, "{name}"));
}

fn give(league: &mut League, write: &Event, points: i64, name: &str) -> Result<Outcome, Error> {
    let outcome = league.add(write, Decimal::whole(points), name.as_bytes());
    league.check();
    outcome
}

/// Adds points. Returns the score and the rank, and whether the write was applied.
fn put(league: &mut League, write: &Event, points: i64, name: &str) -> (Option<(i64, u64)>, bool) {
    let Outcome { effect, now, .. } = give(league, write, points, name).unwrap();
    (now.map(|now| (now.score.units(), now.rank)), is_applied(effect))
}

fn add(league: &mut League, now: u64, points: i64, name: &str) -> (i64, u64) {
    let (position, is_applied) = put(league, &at(now), points, name);
    assert!(is_applied);
    position.unwrap()
}

const fn is_applied(effect: Effect) -> bool {
    matches!(effect, Effect::Applied(_))
}

/// Gives points to members so that they rank in the order of the list. The last one gets 1 point.
fn score(league: &mut League, now: u64, names: &str) {
    let names: Vec<_> = names.split(' ').collect();
    for (points, name) in names.iter().rev().enumerate() {
        add(league, now, points as i64 + 1, name);
    }
}

fn look(league: &mut League, now: u64) {
    let now = league.now(MONDAY + now, MAX_FUTURE);
    league.advance(now);
    league.check();
}

fn remove(league: &mut League, now: u64, name: &str) -> bool {
    let removed = league.remove(name.as_bytes(), MONDAY + now);
    league.check();
    removed
}

fn alter(league: &mut League, now: u64, alter: &Alter) {
    league.alter(alter, MONDAY + now).unwrap();
    league.check();
}

fn none() -> Alter {
    Alter::default()
}

/// Returns the names of the members in a group, in their order.
fn names(league: &League, when: When, tier: &str, number: u64) -> String {
    let reading = league.read(when).unwrap();
    let group = reading.group(tier.as_bytes(), number).unwrap();
    let rows = group.map_or_else(Vec::new, |group| group.rows(u64::MAX));
    let names: Vec<_> = rows.iter().map(|row| String::from_utf8_lossy(league.name(row.id))).collect();
    names.join(" ")
}

/// Returns the names of the members in a group of the current period, in their order.
fn group(league: &mut League, now: u64, tier: &str, number: u64) -> String {
    look(league, now);
    names(league, When::Now, tier, number)
}

fn zone(league: &mut League, now: u64, name: &str) -> Option<GroupZone> {
    look(league, now);
    league.read(When::Now).unwrap().standing(name.as_bytes()).map(|standing| standing.zone)
}

/// Returns the zones of the members in a group as letters, in their order.
fn zones(league: &mut League, now: u64, tier: &str, number: u64) -> String {
    let names = group(league, now, tier, number);
    let letter = |zone| match zone {
        GroupZone::Promote => '+',
        GroupZone::Stay => '=',
        GroupZone::Demote => '-',
    };
    names.split(' ').map(|name| letter(zone(league, now, name).unwrap())).collect()
}

fn tier_of(joining: &Joining) -> usize {
    joining.place.unwrap().tier
}

fn work(league: &mut League, now: u64) {
    while league.has_work() && league.work(MONDAY + now) == Work::Now {
        league.check();
    }
}

fn set_tier(league: &mut League, name: &str, tier: &str) -> bool {
    let changed = league.set_tier(name.as_bytes(), tier.as_bytes()).unwrap();
    league.check();
    changed
}

/// Lets members join in this tier.
fn place_in(league: &mut League, now: u64, tier: &str, names: &str) {
    for name in names.split(' ') {
        set_tier(league, name, tier);
        assert!(join(league, now, name).joined);
    }
}

/// Returns a member's place at the end of its last period: tier, group, rank, members, score.
fn last_place(last: &Last) -> (usize, u64, u64, u64, i64) {
    let place = last.place;
    (place.tier, place.group, place.rank, place.members, place.score.units())
}
