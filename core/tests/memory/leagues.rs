//! Tests of the memory that a league reports.

use leaderboard_core::Event;
use leaderboard_core::calendar::Unit;
use leaderboard_core::league::{League, Rules, Tier, TierAmount};
use leaderboard_core::native::Work;
use leaderboard_core::time::{Clock, TimeSource};
use leaderboard_core::{Decimal, NativeType};
use leaderboard_testkit::twin::{loaded, saved};

use super::allocator::given;
use super::kinds::{BEGIN, mixed, name};

/// The length of a period, in milliseconds.
const WEEK: u64 = 7 * 86_400_000;

/// Sizes of groups: one member, a few, a hundred, and more than fit the small form of an index.
const GROUPS: [u32; 4] = [1, 7, 100, 400];

fn league(group: u32) -> League {
    let tier = |name: &str| {
        let (promote, demote) = (TierAmount::Share(3_000), TierAmount::Count(1));
        Tier { name: name.as_bytes().into(), promote, demote }
    };
    let mut tiers = ["bronze", "silver", "gold"].map(tier);
    tiers[0].demote = TierAmount::NONE;
    tiers[2].promote = TierAmount::NONE;
    let rules = Rules::new(tiers.into(), Unit::Week);
    League::new(Rules { group, reward: 3, clock: Clock::Event, ..rules }).unwrap()
}

/// Plays a week in which all members take part, except those whose number is a multiple of `absent`.
fn week(league: &mut League, week: u64, members: usize, absent: usize) {
    let origin = TimeSource::Client { wall: BEGIN, max_future: 0 };
    for number in (0..members).filter(|number| number % absent != 0) {
        let at = Some(BEGIN + week * WEEK + number as u64);
        let id = number.to_le_bytes();
        let request = (number % 3 == 0).then_some(&id[..]);
        let points = Decimal::whole((mixed(number + week as usize) % 50) as i64);
        let meta = "x".repeat(number % 40);
        league.join(&Event { at, request: None, origin }, &name(number), Some(meta.as_bytes())).unwrap();
        league.add(&Event { at, request, origin }, points, &name(number)).unwrap();
    }
}

fn compare(what: &str, change: impl Fn(&mut League)) {
    for group in GROUPS {
        for members in [0, 3, 150, 1_000] {
            let before = given();
            let mut league = Box::new(league(group));
            week(&mut league, 0, members, usize::MAX);
            change(&mut league);
            league.check();
            assert_eq!(
                league.memory(),
                given().wrapping_sub(before),
                "{what}: groups of {group}, {members} members"
            );
        }
    }
}

#[test]
fn leagues_as_they_were_made() {
    compare("new", |_| {});
    compare("copied", |league| *league = league.clone());
    compare("loaded", |league| *league = loaded(&saved(league)));
}

#[test]
fn leagues_behind_boundaries() {
    for steps in [0, 1, 2, 3, 5, 10, 20, 50, usize::MAX] {
        compare("after weeks", |league| {
            let members = league.members() as usize;
            for number in 1..4 {
                week(league, number, members, 3);
                for _ in 0..steps {
                    if league.work(league.last()) != Work::Now {
                        break;
                    }
                }
            }
        });
    }
}

#[test]
fn what_ended_weeks_used_is_freed_between_commands() {
    for group in GROUPS {
        let mut league = league(group);
        (0..4).for_each(|number| week(&mut league, number, 150, 3));
        assert!(league.has_work(), "groups of {group}");
        while league.work(league.last()) == Work::Now {}
        assert!(!league.has_work(), "groups of {group}");
        league.check();
    }
}

#[test]
fn leagues_that_lose_members() {
    for left in [1, 4] {
        compare("removed", |league| {
            for number in (0..league.members() as usize).filter(|number| number % left != 1) {
                league.remove(&name(number), BEGIN);
            }
        });
    }
}
