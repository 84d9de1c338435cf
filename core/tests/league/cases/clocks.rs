//! Clocks that stand still, go back a little, or follow events. Also request ids.

use super::*;

fn on_events() -> Rules {
    Rules { clock: Clock::Event, ..plain() }
}

fn event(at: u64) -> Event<'static> {
    of(0, at)
}

#[test]
fn a_clock_of_events_is_moved_by_what_is_applied() {
    let mut league = new(on_events());
    assert_eq!(league.join(&at(0), b"a", None).err(), Some(Error::MissingAt));
    assert_eq!(give(&mut league, &at(0), 1, "a").err(), Some(Error::MissingAt));
    assert_eq!((league.last(), league.now(MONDAY, MAX_FUTURE)), (0, 0));
    assert!(enter(&mut league, &event(5), "a", None).joined);
    assert_eq!(league.now(0, MAX_FUTURE), MONDAY + 5);
    // The member has already joined, so nothing is applied.
    assert!(!enter(&mut league, &event(9), "a", None).joined);
    assert_eq!(league.last(), MONDAY + 5);
    // A new text is applied.
    assert!(is_applied(enter(&mut league, &event(9), "a", Some("text")).effect));
    assert_eq!(league.last(), MONDAY + 9);
    assert!(!is_applied(enter(&mut league, &event(12), "a", Some("text")).effect));
    assert_eq!(league.last(), MONDAY + 9);
    // A write of 0 points is applied too.
    assert_eq!(put(&mut league, &event(15), 0, "a"), (Some((0, 1)), true));
    assert_eq!(league.last(), MONDAY + 15);
}

#[test]
fn refused_and_waiting_writes_move_no_clock() {
    let mut league = new(Rules { join_until: half(), ..on_events() });
    put(&mut league, &event(0), i64::MAX, "a");
    let before = saved(&league);
    assert_eq!(give(&mut league, &event(5), 1, "a").err(), Some(Error::Overflow));
    assert!(enter(&mut league, &event(WEEK - 1), "b", None).waiting);
    assert_eq!(put(&mut league, &event(2 * WEEK - 1), 1, "b"), (None, false));
    assert_eq!((league.last(), saved(&league)), (MONDAY, before));
    assert!(!remove(&mut league, 0, "b"));
}

#[test]
fn a_repeated_write_moves_no_clock() {
    let mut league = new(on_events());
    let id = |at| Event { request: Some(b"id"), ..event(at) };
    assert_eq!(put(&mut league, &id(0), 3, "a"), (Some((3, 1)), true));
    assert_eq!(put(&mut league, &id(100), 3, "a"), (Some((3, 1)), false));
    assert_eq!(league.last(), MONDAY);
    // After 600 seconds, the id is forgotten.
    assert_eq!(put(&mut league, &id(600_000), 3, "a"), (Some((3, 1)), false));
    assert_eq!(put(&mut league, &id(600_001), 3, "a"), (Some((6, 1)), true));
}

#[test]
fn a_repeated_event_of_a_later_period_is_answered_in_the_current_one() {
    let mut league = new(on_events());
    let id = |at| Event { request: Some(b"id"), ..event(at) };
    put(&mut league, &id(WEEK - 1), 3, "a");
    assert_eq!(put(&mut league, &id(WEEK), 3, "a"), (Some((3, 1)), false));
    assert_eq!((league.last(), league.read(When::Now).unwrap().sizes()[0].0), (MONDAY + WEEK - 1, 1));
}

#[test]
fn an_event_of_a_period_that_has_ended_is_late() {
    let mut league = new(on_events());
    put(&mut league, &event(WEEK), 1, "a");
    assert_eq!(put(&mut league, &event(WEEK - 1), 1, "a"), (Some((1, 1)), false));
    assert_eq!(put(&mut league, &event(WEEK - 1), 1, "b"), (None, false));
    put(&mut league, &event(WEEK + 50), 1, "a");
    assert_eq!(put(&mut league, &event(WEEK), 1, "b"), (Some((1, 2)), true));
    assert_eq!(league.last(), MONDAY + WEEK + 50);
}

#[test]
fn a_clock_that_steps_back_a_little_stands_still() {
    let mut league = new(plain());
    add(&mut league, WEEK + 10, 1, "a");
    let outcome = give(&mut league, &at(WEEK + 10 - MAX_FUTURE), 1, "a").unwrap();
    let now = MONDAY + WEEK + 10;
    assert_eq!(outcome.effect, Effect::Applied(Stamp { now, at: now }));
    assert_eq!(league.now(now - MAX_FUTURE, MAX_FUTURE), now);
    assert_eq!(league.now(now - MAX_FUTURE - 1, MAX_FUTURE), now - MAX_FUTURE - 1);
}

#[test]
fn a_removal_moves_the_clock_of_a_server() {
    let mut league = new(plain());
    add(&mut league, 0, 1, "a");
    league.set_meta(b"b", b"text").unwrap();
    set_tier(&mut league, "c", "low");
    for (now, name) in [(10, "a"), (WEEK, "b"), (WEEK + 5, "c")] {
        assert!(remove(&mut league, now, name));
        assert_eq!(league.last(), MONDAY + now, "{name}");
        // The member is not known any more, so nothing is removed.
        assert!(!remove(&mut league, now + 3, name));
        assert_eq!(league.last(), MONDAY + now, "{name}");
    }
    // A step back over the boundary is too small to be followed.
    assert_eq!(league.now(MONDAY + WEEK - 1, MAX_FUTURE), MONDAY + WEEK + 5);
}

#[test]
fn rules_tiers_and_texts_move_no_clock() {
    let mut league = new(plain());
    add(&mut league, 0, 1, "a");
    alter(&mut league, 10, &Alter { group: Some(2), retain: Some(1), ..none() });
    set_tier(&mut league, "a", "top");
    league.set_meta(b"a", b"text").unwrap();
    assert_eq!(league.last(), MONDAY);
}

#[test]
fn a_removal_moves_no_clock_of_events() {
    let mut league = new(on_events());
    put(&mut league, &event(5), 1, "a");
    assert!(remove(&mut league, 5, "a"));
    assert_eq!(league.last(), MONDAY + 5);
}

#[test]
fn an_id_stands_for_one_write_only() {
    let mut league = new(plain());
    let id = |now| Event { request: Some(b"id"), ..at(now) };
    assert_eq!(put(&mut league, &id(0), 3, "a"), (Some((3, 1)), true));
    add(&mut league, 1, 2, "a");
    let before = saved(&league);
    assert_eq!(put(&mut league, &id(1), 3, "a"), (Some((5, 1)), false));
    assert_eq!(give(&mut league, &id(1), 4, "a").err(), Some(Error::RequestReused));
    assert_eq!(give(&mut league, &id(1), 3, "b").err(), Some(Error::RequestReused));
    let points = Decimal::parse(b"3.01", "points").unwrap();
    assert_eq!(league.add(&id(1), points, b"a").err(), Some(Error::TooManyDigits("points", 0)));
    assert_eq!((league.requests(MONDAY + 1), saved(&league)), (1, before));
}

#[test]
fn a_repeated_write_after_a_boundary_joins_nobody() {
    let mut league = new(plain());
    let id = |now| Event { request: Some(b"id"), ..at(now) };
    put(&mut league, &id(WEEK - 1), 3, "a");
    assert_eq!(put(&mut league, &id(WEEK), 3, "a"), (None, false));
    assert_eq!(league.read(When::Now).unwrap().sizes(), [(0, 0); 3]);
    assert!(join(&mut league, WEEK, "a").joined);
    assert_eq!(put(&mut league, &id(WEEK), 3, "a"), (Some((0, 1)), false));
}

#[test]
fn ids_outlive_those_who_sent_them() {
    let mut league = new(plain());
    let id = Event { request: Some(b"id"), ..at(0) };
    put(&mut league, &id, 3, "a");
    assert!(remove(&mut league, 0, "a"));
    assert_eq!(put(&mut league, &id, 3, "a"), (None, false));
    assert_eq!((league.requests(MONDAY), league.read(When::Now).unwrap().sizes()[0].0), (1, 0));
}

#[test]
fn ids_are_remembered_for_as_long_as_the_rules_say() {
    let mut league = new(Rules { dedup: 1, ..plain() });
    let id = |now| Event { request: Some(b"id"), ..at(now) };
    put(&mut league, &id(0), 3, "a");
    assert_eq!((league.requests(MONDAY + 1_000), league.requests(MONDAY + 1_001)), (1, 0));
    add(&mut league, 1_001, 0, "a");
    alter(&mut league, 1_001, &Alter { dedup: Some(600), ..none() });
    assert_eq!(league.requests(MONDAY + 1_001), 0);
    assert_eq!(put(&mut league, &id(1_001), 4, "a"), (Some((7, 1)), true));
    alter(&mut league, 1_001, &Alter { dedup: Some(0), ..none() });
    assert_eq!(league.requests(MONDAY + 1_001), 0);
    assert_eq!(put(&mut league, &id(1_001), 4, "a"), (Some((11, 1)), true));
}

#[test]
fn a_write_that_was_decided_asks_no_rule() {
    let mut league = new(Rules { join_until: half(), ..plain() });
    let decided = |now, event| Event {
        at: Some(MONDAY + event),
        request: None,
        origin: TimeSource::Decided { now: Some(MONDAY + now) },
    };
    assert!(enter(&mut league, &decided(6 * DAY, DAY), "a", None).joined);
    assert_eq!(league.last(), MONDAY + 6 * DAY);
    assert_eq!(put(&mut league, &decided(6 * DAY, 2 * DAY), 2, "b"), (Some((2, 1)), true));
}
