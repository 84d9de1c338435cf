//! Clocks that leap far ahead, and are corrected.

use super::*;

/// Returns a league with two members, one of whom has points.
fn begun() -> League {
    let mut league = new(plain());
    join_all(&mut league, 0, "a b");
    add(&mut league, 1, 3, "b");
    league
}

#[test]
fn a_leap_that_was_only_looked_at_has_not_happened() {
    let mut league = begun();
    let mut copy = league.clone();
    for ahead in [WEEK, 3 * WEEK, 40 * YEAR] {
        look(&mut league, ahead);
        work(&mut league, ahead);
        assert_eq!(names(&league, When::Now, "low", 1), "");
        assert!(!is_applied(enter(&mut league, &of(ahead, 5), "c", None).effect));
    }
    for league in [&mut league, &mut copy] {
        assert_eq!(group(league, 2, "low", 1), "b a");
        assert_eq!(put(league, &of(MINUTE, 0), 3, "c"), (Some((3, 1)), true));
        assert_eq!(group(league, MINUTE, "low", 1), "c b a");
    }
    assert_eq!(saved(&copy), saved(&league));
}

#[test]
fn after_a_leap_that_was_written_in_the_present_goes_on() {
    let mut league = begun();
    let ahead = join(&mut league, 5 * WEEK, "b");
    assert_eq!((tier_of(&ahead), ahead.last.unwrap().start), (1, MONDAY as i64));
    add(&mut league, 5 * WEEK, 50, "c");
    let mut copy = loaded(&saved(&league));
    for league in [&mut league, &mut copy] {
        assert_eq!(group(league, 2, "low", 1), "b a");
        assert!(!join(league, 3, "b").joined);
        assert_eq!(add(league, 4, 1, "b"), (4, 1));
        assert_eq!(add(league, 5, 4, "a"), (4, 2));
        // The season of the leap cannot be read before its time.
        assert_eq!(names(league, When::Label(b"2019-W17"), "mid", 1), "");
        assert_eq!(join(league, WEEK, "b").last.unwrap().place.score.units(), 4);
    }
    assert_eq!(saved(&copy), saved(&league));
}

#[test]
fn entries_from_before_a_leap_come_first_among_equals() {
    let mut league = new(flat(9));
    join_all(&mut league, 0, "a b");
    add(&mut league, MINUTE, 3, "b");
    add(&mut league, 2 * MINUTE, 3, "a");
    add(&mut league, 5 * WEEK, 1, "x");
    // An event from before the leap, of a new member.
    put(&mut league, &of(3 * MINUTE, 0), 3, "c");
    assert_eq!(group(&mut league, 3 * MINUTE, "low", 1), "b a c");
    put(&mut league, &of(3 * MINUTE, 7), 3, "d");
    put(&mut league, &of(3 * MINUTE, 5), 3, "e");
    assert_eq!(group(&mut league, 3 * MINUTE, "low", 1), "b a c e d");
}

#[test]
fn who_acted_in_the_leap_only_has_the_tier_of_then() {
    let mut league = begun();
    place_in(&mut league, 5 * WEEK, "mid", "c");
    let now = join(&mut league, 2, "c");
    assert_eq!((tier_of(&now), now.last, now.joined), (1, None, true));
    let next = join(&mut league, WEEK, "c");
    assert_eq!((tier_of(&next), next.last.unwrap().start), (2, MONDAY as i64));
}

#[test]
fn the_season_of_a_leap_goes_on_when_its_time_comes() {
    let mut league = begun();
    join_all(&mut league, 5 * WEEK, "c d");
    add(&mut league, 5 * WEEK, 2, "d");
    for week in 0..5 {
        add(&mut league, week * WEEK + MINUTE, 1, "a");
    }
    let mut copy = loaded(&saved(&league));
    for league in [&mut league, &mut copy] {
        assert_eq!(group(league, 5 * WEEK, "low", 1), "d c");
        assert_eq!(add(league, 5 * WEEK + DAY, 3, "c"), (3, 1));
        assert!(!join(league, 5 * WEEK + DAY, "d").joined);
        let next = join(league, 6 * WEEK, "d");
        assert_eq!(last_place(&next.last.unwrap()), (0, 1, 2, 2, 2));
    }
    assert_eq!(saved(&copy), saved(&league));
}

#[test]
fn who_was_removed_during_a_leap_does_not_come_back() {
    let mut league = begun();
    join(&mut league, 5 * WEEK, "c");
    assert!(remove(&mut league, 5 * WEEK, "b"));
    let mut copy = loaded(&saved(&league));
    for league in [&mut league, &mut copy] {
        let again = join(league, 3, "b");
        assert_eq!((again.joined, again.last, again.place.unwrap().rank), (true, None, 2));
        assert_eq!(group(league, 3, "low", 1), "a b");
    }
    assert_eq!(saved(&copy), saved(&league));
}

#[test]
fn all_who_are_in_a_period_that_goes_on_are_active_in_it() {
    let mut league = begun();
    join(&mut league, 5 * WEEK, "a");
    // Another member writes to the current period.
    add(&mut league, 2, 1, "b");
    let next = join(&mut league, WEEK, "a");
    assert_eq!((next.last.unwrap().start, last_place(&next.last.unwrap())), (MONDAY as i64, (0, 1, 2, 2, 0)));
}

#[test]
fn a_leap_within_a_period_changes_nothing_about_it() {
    let mut league = begun();
    add(&mut league, DAY, 3, "a");
    add(&mut league, 2, 3, "c");
    assert_eq!(group(&mut league, 2, "low", 1), "b c a");
}

#[test]
fn a_leap_over_a_boundary_and_back_with_writes_on_both_sides() {
    let mut league = begun();
    for turn in 1..6 {
        let (ahead, back) = (WEEK + turn, 10 * turn);
        add(&mut league, ahead, 1, "a");
        add(&mut league, back, 1, "b");
        look(&mut league, back);
        assert_eq!(names(&league, When::Now, "low", 1), "b a");
    }
    look(&mut league, WEEK + MINUTE);
    assert_eq!(names(&league, When::Back(1), "low", 1), "b a");
    assert_eq!(add(&mut league, WEEK + MINUTE, 0, "a"), (5, 1));
}
