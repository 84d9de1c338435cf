//! The tier in which a member joins, and the outcome of its last period in the reply.

use super::*;

fn idling(idle: u32) -> Rules {
    let tiers = ["a", "b", "c", "d", "e"].map(|name| tier(name, NONE, NONE));
    Rules { tiers: tiers.to_vec(), idle, ..plain() }
}

#[test]
fn the_last_period_is_told_once() {
    let mut league = new(Rules { reward: 1, ..plain() });
    join_all(&mut league, 0, "a b c d");
    add(&mut league, 1, 7, "b");
    let first = join(&mut league, WEEK, "b");
    let last = first.last.unwrap();
    assert_eq!((last.start, last_place(&last)), (MONDAY as i64, (0, 1, 1, 3, 7)));
    assert_eq!((last.zone, last.reward, tier_of(&first)), (GroupZone::Promote, 1, 1));
    let again = join(&mut league, WEEK, "b");
    assert_eq!((again.joined, again.waiting, again.last), (false, false, None));
    assert_eq!(again.place, first.place);
    let other = join(&mut league, WEEK, "d").last.unwrap();
    assert_eq!((last_place(&other), other.zone), ((0, 2, 1, 1, 0), GroupZone::Promote));
}

#[test]
fn who_joins_by_points_is_told_nothing_later() {
    let mut league = new(plain());
    join(&mut league, 0, "a");
    assert_eq!(add(&mut league, WEEK, 5, "a"), (5, 1));
    assert_eq!(group(&mut league, WEEK, "mid", 1), "a");
    assert_eq!(join(&mut league, WEEK, "a").last, None);
}

#[test]
fn who_is_idle_loses_tiers_for_whole_periods_only() {
    for (idle, skipped, tier) in [(0, 9, 4), (1, 0, 4), (1, 1, 3), (1, 3, 1), (1, 4, 0), (2, 1, 2), (2, 9, 0)]
    {
        let mut league = new(idling(idle));
        place_in(&mut league, 3 * DAY, "e", "m");
        let next = join(&mut league, (skipped + 1) * WEEK, "m");
        assert_eq!(tier_of(&next), tier, "idle {idle}, {skipped} skipped");
        assert_eq!(next.last.unwrap().place.tier, 4);
    }
}

#[test]
fn tiers_are_lost_after_the_outcome() {
    let mut league = new(Rules { idle: 1, ..plain() });
    join_all(&mut league, 0, "a b");
    score(&mut league, 0, "a b");
    assert_eq!(["a", "b"].map(|name| tier_of(&join(&mut league, 2 * WEEK, name))), [0, 0]);
    // Both members are in the lowest tier now. At the end of this period, one of them goes up, and both join the next
    // period.
    score(&mut league, 2 * WEEK, "a b");
    assert_eq!(["a", "b"].map(|name| tier_of(&join(&mut league, 3 * WEEK, name))), [1, 0]);
}

#[test]
fn idle_is_that_of_the_moment_of_the_join() {
    let mut league = new(idling(0));
    place_in(&mut league, 0, "e", "m n");
    alter(&mut league, 4 * WEEK, &Alter { idle: Some(1), ..none() });
    assert_eq!(tier_of(&join(&mut league, 4 * WEEK, "m")), 1);
    alter(&mut league, 4 * WEEK, &Alter { idle: Some(0), ..none() });
    assert_eq!(tier_of(&join(&mut league, 4 * WEEK, "n")), 4);
}

#[test]
fn years_of_sleep() {
    for (idle, tier) in [(0, 4), (1, 0), (2, 0)] {
        let mut league = new(Rules { retain: 0, ..idling(idle) });
        place_in(&mut league, 0, "e", "m n");
        add(&mut league, 1, 9, "n");
        let mut copy = loaded(&saved(&league));
        for league in [&mut league, &mut copy] {
            let next = join(league, 30 * YEAR, "m");
            let last = next.last.unwrap();
            assert_eq!((tier_of(&next), last.start), (tier, MONDAY as i64));
            assert_eq!(last_place(&last), (4, 1, 2, 2, 0));
            assert_eq!(league.read(When::Now).unwrap().sizes()[tier], (1, 1));
        }
        assert_eq!(saved(&league), saved(&copy));
    }
}

#[test]
fn the_last_period_is_told_after_it_cannot_be_read_any_more() {
    let mut league = new(Rules { retain: 0, reward: 3, ..plain() });
    join_all(&mut league, 0, "a b c");
    score(&mut league, 0, "a b c");
    for week in 1..9 {
        join(&mut league, week * WEEK, &format!("other {week}"));
        work(&mut league, week * WEEK);
        assert_eq!(names(&league, When::Back(1), "low", 1), "");
    }
    let mut league = loaded(&saved(&league));
    let last = join(&mut league, 9 * WEEK, "b").last.unwrap();
    assert_eq!((last.start, last_place(&last)), (MONDAY as i64, (0, 1, 2, 3, 2)));
    assert_eq!((last.zone, last.reward), (GroupZone::Stay, 2));
}

#[test]
fn a_tier_that_is_given_is_for_the_next_join_once() {
    let mut league = new(Rules { idle: 2, ..plain() });
    join(&mut league, 0, "a");
    assert!(set_tier(&mut league, "a", "top"));
    assert!(!set_tier(&mut league, "a", "top"));
    assert_eq!(group(&mut league, 0, "low", 1), "a");
    let next = join(&mut league, 6 * WEEK, "a");
    let last = next.last.unwrap();
    assert_eq!((tier_of(&next), last.place.tier, last.zone), (2, 0, GroupZone::Promote));
    assert_eq!(tier_of(&join(&mut league, 7 * WEEK, "a")), 1);
}

#[test]
fn a_tier_can_be_given_to_one_never_seen() {
    let mut league = new(plain());
    assert!(set_tier(&mut league, "a", "low"));
    assert!(set_tier(&mut league, "a", "mid"));
    let first = join(&mut league, 0, "a");
    assert_eq!((tier_of(&first), first.last), (1, None));
    assert!(set_tier(&mut league, "b", "mid"));
    assert!(remove(&mut league, 0, "b"));
    assert_eq!(tier_of(&join(&mut league, 0, "b")), 0);
}

#[test]
fn a_tier_given_before_points_counts_for_them() {
    let mut league = new(plain());
    set_tier(&mut league, "a", "top");
    add(&mut league, 0, 1, "a");
    assert_eq!(group(&mut league, 0, "top", 1), "a");
}

#[test]
fn a_write_that_waits_uses_up_no_tier() {
    let mut league = new(Rules { join_until: half(), ..plain() });
    set_tier(&mut league, "a", "top");
    assert!(join(&mut league, 4 * DAY, "a").waiting);
    assert_eq!(tier_of(&join(&mut league, WEEK, "a")), 2);
}
