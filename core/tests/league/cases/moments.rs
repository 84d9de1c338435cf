//! Moments: the order of members with equal scores, and writes with past moments.

use super::*;

#[test]
fn the_earlier_moment_of_a_score_ranks_higher() {
    let mut league = new(flat(5));
    join_all(&mut league, 0, "a b c");
    add(&mut league, 30, 5, "a");
    add(&mut league, 20 + MINUTE, 5, "b");
    // An event with an earlier moment arrives late.
    assert_eq!(put(&mut league, &of(2 * MINUTE, 10), 5, "c"), (Some((5, 1)), true));
    assert_eq!(group(&mut league, 2 * MINUTE, "low", 1), "c a b");
}

#[test]
fn at_the_same_millisecond_the_one_applied_earlier_ranks_higher() {
    let mut league = new(flat(9));
    join_all(&mut league, 0, "a b c d");
    for name in ["c", "a", "d", "b"] {
        add(&mut league, 7, 2, name);
    }
    assert_eq!(group(&mut league, 7, "low", 1), "c a d b");
    // The score goes up and down again in the same millisecond.
    add(&mut league, 7, 1, "c");
    add(&mut league, 7, -1, "c");
    assert_eq!(group(&mut league, 7, "low", 1), "a d b c");
    assert_eq!(group(&mut loaded(&saved(&league)), 7, "low", 1), "a d b c");
}

#[test]
fn no_points_change_no_moment() {
    let mut league = new(flat(5));
    join_all(&mut league, 0, "a b");
    assert_eq!(add(&mut league, 9, 0, "a"), (0, 1));
    assert_eq!(league.last(), MONDAY + 9);
    add(&mut league, 10, 4, "a");
    add(&mut league, 11, 4, "b");
    assert_eq!(add(&mut league, 12, 0, "a"), (4, 1));
    assert_eq!(group(&mut league, 12, "low", 1), "a b");
}

#[test]
fn a_late_event_leaves_the_later_moment() {
    let mut league = new(flat(5));
    add(&mut league, 50, 1, "a");
    add(&mut league, 60, 2, "b");
    assert_eq!(put(&mut league, &of(90, 10), 1, "a"), (Some((2, 1)), true));
    assert_eq!(group(&mut league, 90, "low", 1), "a b");
    assert_eq!(put(&mut league, &of(90, 55), 2, "c"), (Some((2, 2)), true));
    assert_eq!(group(&mut league, 90, "low", 1), "a c b");
}

#[test]
fn a_moment_a_little_ahead_is_now() {
    let mut league = new(flat(5));
    let outcome = give(&mut league, &of(0, MAX_FUTURE), 1, "a").unwrap();
    assert_eq!(outcome.effect, Effect::Applied(Stamp { now: MONDAY, at: MONDAY }));
    let before = saved(&league);
    assert_eq!(give(&mut league, &of(0, MAX_FUTURE + 1), 1, "a").err(), Some(Error::AtInFuture));
    let ahead = of(0, MAX_FUTURE + 1);
    assert_eq!(league.join(&ahead, b"b", None).err(), Some(Error::AtInFuture));
    assert_eq!(saved(&league), before);
}

#[test]
fn what_happened_in_a_period_that_has_ended_changes_nothing() {
    let mut league = new(flat(5));
    add(&mut league, 5, 3, "a");
    assert_eq!(add(&mut league, WEEK + 5, 2, "b"), (2, 1));
    look(&mut league, WEEK + 9);
    let before = saved(&league);
    assert_eq!(put(&mut league, &of(WEEK + 9, WEEK - 1), 4, "b"), (Some((2, 1)), false));
    assert_eq!(put(&mut league, &of(WEEK + 9, WEEK - 1), 4, "a"), (None, false));
    let late = enter(&mut league, &of(WEEK + 9, 0), "a", Some("text"));
    assert_eq!((late.place, late.joined, late.waiting, late.last), (None, false, false, None));
    let late = enter(&mut league, &of(WEEK + 9, WEEK - 1), "b", Some("text"));
    assert_eq!((late.place.map(|place| place.rank), late.joined), (Some(1), false));
    assert_eq!(saved(&league), before);
    // The boundary itself belongs to the new period.
    assert_eq!(put(&mut league, &of(WEEK + 9, WEEK), 4, "a"), (Some((4, 1)), true));
    assert_eq!(names(&league, When::Back(1), "low", 1), "a");
}

#[test]
fn a_late_write_uses_up_no_id() {
    let mut league = new(flat(5));
    join(&mut league, 0, "a");
    let late = Event { request: Some(b"id"), ..of(WEEK, WEEK - 1) };
    assert_eq!(put(&mut league, &late, 4, "a"), (None, false));
    let now = Event { request: Some(b"id"), ..at(WEEK) };
    assert_eq!(put(&mut league, &now, 4, "a"), (Some((4, 1)), true));
    // Now the id is remembered, and the league checks it before anything else.
    assert_eq!(put(&mut league, &late, 4, "a"), (Some((4, 1)), false));
    assert_eq!(give(&mut league, &late, 5, "a").err(), Some(Error::RequestReused));
}

#[test]
fn who_comes_after_the_deadline_waits() {
    let mut league = new(Rules { join_until: half(), ..plain() });
    let deadline = WEEK / 2;
    assert!(join(&mut league, deadline - 1, "a").joined);
    look(&mut league, deadline);
    let before = saved(&league);
    let waiting = enter(&mut league, &at(deadline), "b", Some("text"));
    assert_eq!((waiting.place, waiting.joined, waiting.waiting, waiting.last), (None, false, true, None));
    assert!(!is_applied(waiting.effect));
    let id = Event { request: Some(b"id"), ..at(deadline) };
    assert_eq!(put(&mut league, &id, 5, "b"), (None, false));
    assert_eq!(saved(&league), before);
    // Members that have joined can go on, and an event from before the deadline can still join after it.
    assert_eq!(add(&mut league, deadline, 1, "a"), (1, 1));
    assert!(!join(&mut league, deadline, "a").waiting);
    assert!(enter(&mut league, &of(deadline + 9, deadline - 1), "c", None).joined);
    // No member was queued, and the id is free.
    assert_eq!(group(&mut league, WEEK, "low", 1), "");
    assert_eq!(put(&mut league, &Event { request: Some(b"id"), ..at(WEEK) }, 5, "b"), (Some((5, 1)), true));
}

#[test]
fn the_deadline_is_rounded_down_and_that_of_the_moment() {
    let third = Share::from_billionths(333_333_333).unwrap();
    let mut league = new(Rules { unit: Unit::Seconds(1), join_until: third, ..plain() });
    assert!(join(&mut league, 332, "a").joined);
    assert!(join(&mut league, 333, "b").waiting);
    alter(&mut league, 333, &Alter { join_until: Some(whole()), ..none() });
    assert!(join(&mut league, 999, "b").joined);
    let least = Share::from_billionths(1).unwrap();
    alter(&mut league, 1_000, &Alter { join_until: Some(least), ..none() });
    assert!(join(&mut league, 1_000, "c").waiting);
}

#[test]
fn who_was_removed_waits_like_others() {
    let mut league = new(Rules { join_until: half(), ..plain() });
    join(&mut league, 0, "a");
    assert!(remove(&mut league, 6 * DAY, "a"));
    assert!(join(&mut league, 6 * DAY, "a").waiting);
}
