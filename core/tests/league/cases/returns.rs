//! Data that comes back when a clock goes back to an earlier period, and data that does not.

use super::*;

#[test]
fn who_was_removed_after_a_boundary_is_gone_when_the_clock_goes_back_over_it() {
    let mut league = new(flat(3));
    let before = WEEK - 2 * MINUTE;
    join_all(&mut league, before, "a b c");
    assert!(remove(&mut league, WEEK, "a"));
    assert!(!remove(&mut league, before, "a"));
    assert_eq!(add(&mut league, before, 1, "c"), (1, 1));
    assert_eq!(join(&mut league, before, "b").place.map(|place| (place.rank, place.members)), Some((2, 2)));
    assert_eq!(group(&mut league, before, "low", 1), "c b");
}

#[test]
fn a_removal_is_a_write_to_the_period_that_goes_on() {
    let mut league = new(flat(3));
    join_all(&mut league, 0, "a b c");
    join_all(&mut league, 5 * WEEK, "b c");
    assert!(remove(&mut league, 5 * WEEK, "a"));
    assert!(remove(&mut league, 0, "b"));
    assert_eq!(group(&mut league, 0, "low", 1), "c");
    // The members that are left are active in the period again.
    let next = join(&mut league, WEEK, "c");
    assert_eq!(next.last.map(|last| last_place(&last)), Some((0, 1, 1, 1, 0)));
}

#[test]
fn who_was_removed_during_a_leap_and_came_again_is_in_no_period_before() {
    for again in ["join", "text", "tier"] {
        let mut league = new(flat(3));
        join_all(&mut league, 0, "a b");
        join(&mut league, 5 * WEEK, "x");
        assert!(remove(&mut league, 5 * WEEK, "a"));
        match again {
            "join" => drop(join(&mut league, 5 * WEEK, "a")),
            "text" => assert_eq!(league.set_meta(b"a", b"text"), Ok(true)),
            _ => assert!(set_tier(&mut league, "a", "low")),
        }
        add(&mut league, MINUTE, 1, "b");
        assert_eq!(group(&mut league, MINUTE, "low", 1), "b", "known by a {again}");
        assert!(join(&mut league, MINUTE, "a").joined);
    }
}

#[test]
fn who_was_removed_during_a_leap_joins_anew_with_a_text() {
    let mut league = new(flat(1));
    join(&mut league, 0, "a");
    join(&mut league, WEEK, "a");
    assert!(remove(&mut league, WEEK, "a"));
    let again = enter(&mut league, &at(0), "a", Some("text"));
    assert_eq!((again.joined, again.place.map(|place| (place.group, place.members))), (true, Some((1, 1))));
    assert_eq!(league.read(When::Now).unwrap().sizes(), [(1, 1)]);
}

#[test]
fn who_was_removed_is_not_in_the_season_of_a_leap_when_its_time_comes() {
    let mut league = new(flat(3));
    join_all(&mut league, 5 * WEEK, "a b");
    join(&mut league, 0, "x");
    assert!(remove(&mut league, 0, "a"));
    join(&mut league, 1, "a");
    let again = join(&mut league, 5 * WEEK, "a");
    assert_eq!((again.joined, again.last.map(|last| last.start)), (true, Some(MONDAY as i64)));
    assert_eq!(group(&mut league, 5 * WEEK, "low", 1), "b a");
}

#[test]
fn a_text_is_a_write_with_which_a_period_goes_on() {
    let mut league = new(plain());
    join_all(&mut league, 0, "a b");
    join(&mut league, 2 * WEEK, "a");
    assert!(is_applied(enter(&mut league, &at(5), "b", Some("text")).effect));
    let next = join(&mut league, WEEK, "a");
    assert_eq!(next.last.map(|last| last_place(&last)), Some((0, 1, 1, 2, 0)));
}

#[test]
fn shares_altered_before_the_season_of_a_leap_comes_count_for_it() {
    let mut league = new(plain());
    join_all(&mut league, 5 * WEEK, "a b c");
    join(&mut league, 0, "x");
    let promote = Some(vec![TierAmount::Count(2), ONE, NONE]);
    alter(&mut league, 0, &Alter { promote, ..none() });
    assert_eq!(zones(&mut league, 5 * WEEK, "low", 1), "++=");
    assert_eq!(tier_of(&join(&mut league, 6 * WEEK, "b")), 1);
}

#[test]
fn rules_altered_during_a_leap_bring_no_period_out_of_reach() {
    let mut league = new(Rules { retain: 1, ..plain() });
    join(&mut league, 0, "a");
    alter(&mut league, 5 * WEEK, &Alter { idle: Some(1), ..none() });
    look(&mut league, WEEK);
    assert_eq!(names(&league, When::Back(1), "low", 1), "a");
}

#[test]
fn a_league_loaded_between_two_leaps_is_like_the_others() {
    let mut league = new(flat(3));
    join(&mut league, 8 * WEEK, "b");
    join(&mut league, 0, "b");
    join(&mut league, 3 * WEEK, "a");
    join(&mut league, 5 * WEEK, "a");
    let mut copy = loaded(&saved(&league));
    for league in [&mut league, &mut copy] {
        join(league, 8 * WEEK, "a");
        assert_eq!(group(league, 8 * WEEK, "low", 1), "b a");
    }
    assert_eq!(saved(&copy), saved(&league));
}
