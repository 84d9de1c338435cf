//! Random rules of leagues.

use leaderboard_core::calendar::{Calendar, Unit, Weekday, Zone};
use leaderboard_core::league::{self, LeagueTies, Tier, TierAmount};
use leaderboard_core::share::Share;
use leaderboard_core::time::Clock;
use proptest::prelude::*;
use proptest::sample::select;

use super::Profile;

pub const MOST_TIERS: usize = 5;

/// The rules of a league, and the moment at which its game begins, in milliseconds.
#[derive(Debug, Clone)]
pub struct Rules {
    pub rules: league::Rules,
    pub begin: u64,
}

pub fn rules(profile: Profile) -> impl Strategy<Value = Rules> {
    let digits = prop_oneof![4 => Just(0_u8), 1 => Just(2_u8), 1 => Just(9_u8)];
    let ties = prop_oneof![2 => Just(LeagueTies::Scored), 1 => Just(LeagueTies::Joined)];
    let place = (unit(), ties, calendar(), digits, clock(profile));
    let numbers = (group(profile), 0..4_u32, dedup(), retain(), 0..3_u32, join_until());
    (tiers(), place, numbers, begin()).prop_map(|(tiers, place, numbers, begin)| {
        let (unit, ties, calendar, decimals, clock) = place;
        let (group, reward, dedup, retain, idle, join_until) = numbers;
        let rules = league::Rules {
            tiers,
            unit,
            ties,
            group,
            reward,
            calendar,
            decimals,
            clock,
            dedup,
            retain,
            idle,
            join_until,
        };
        Rules { rules, begin }
    })
}

/// Picks how many members go up or down: sometimes all of them, or more than there are.
pub fn amount() -> impl Strategy<Value = TierAmount> {
    prop_oneof![
        2 => Just(TierAmount::Count(0)),
        4 => (1..4_u32).prop_map(TierAmount::Count),
        1 => Just(TierAmount::Count(1_000_000)),
        4 => select(&[0, 1, 1_000, 2_000, 3_333, 3_334, 5_000, 9_999, 10_000]).prop_map(TierAmount::Share),
    ]
}

fn tiers() -> impl Strategy<Value = Vec<Tier>> {
    let none = || select(&[TierAmount::Count(0), TierAmount::Share(0)]);
    let tiers = prop_oneof![1 => 1..=1_usize, 5 => 2..=MOST_TIERS]
        .prop_flat_map(|count| proptest::collection::vec((amount(), amount()), count));
    (tiers, none(), none()).prop_map(|(mut tiers, promote, demote)| {
        tiers.last_mut().unwrap().0 = promote;
        tiers[0].1 = demote;
        let tier = |(number, (promote, demote)): (usize, (TierAmount, TierAmount))| Tier {
            name: name(number).into(),
            promote,
            demote,
        };
        tiers.into_iter().enumerate().map(tier).collect()
    })
}

/// Returns the name of a tier. The last names are for tiers that a league does not have.
pub fn name(tier: usize) -> &'static [u8] {
    [&b"bronze"[..], b"Bronze", b"\xc3\xa9t\xc3\xa9", b"4", b"\xff", b"none"][tier]
}

pub fn group(profile: Profile) -> impl Strategy<Value = u32> {
    profile.pick(vec![
        ([8, 4, 1], (1..6_u32).boxed()),
        ([1, 1, 0], Just(100).boxed()),
        ([0, 0, 2], Just(150).boxed()),
        ([0, 0, 4], Just(300).boxed()),
    ])
}

pub fn dedup() -> impl Strategy<Value = u32> {
    prop_oneof![1 => Just(0_u32), 2 => Just(1), 4 => Just(600), 1 => Just(315_360_000)]
}

pub fn retain() -> impl Strategy<Value = u32> {
    prop_oneof![12 => 0..4_u32, 1 => Just(40)]
}

pub fn join_until() -> impl Strategy<Value = Share> {
    let some = select(&[1_u32, 500_000_000, 666_666_666, 999_999_999]);
    prop_oneof![6 => Just(1_000_000_000), 2 => some].prop_map(|share| Share::from_billionths(share).unwrap())
}

fn clock(profile: Profile) -> impl Strategy<Value = Clock> {
    profile.pick(vec![([3, 1, 3], Just(Clock::Server).boxed()), ([2, 0, 1], Just(Clock::Event).boxed())])
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

/// Picks the moment at which a game begins: any moment, or a moment shortly before a zone changes its clock or leaves
/// out a date.
fn begin() -> impl Strategy<Value = u64> {
    const CHANGES: &[u64] = &[
        1_325_152_800_000,
        1_383_458_400_000,
        1_552_201_200_000,
        1_553_994_000_000,
        1_554_562_800_000,
        1_572_138_000_000,
    ];
    let before = (select(CHANGES), 0..7_200_000_u64).prop_map(|(change, before)| change - before);
    prop_oneof![before, 1_000_000_000_000..2_000_000_000_000_u64]
}

fn unit() -> impl Strategy<Value = Unit> {
    prop_oneof![
        1 => Just(Unit::Minute),
        2 => Just(Unit::Hour),
        3 => Just(Unit::Day),
        3 => Just(Unit::Week),
        1 => Just(Unit::Month),
        1 => Just(Unit::Year),
        2 => (1..100_000_u32).prop_map(Unit::Seconds),
    ]
}
