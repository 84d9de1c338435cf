//! Counters that follow the events, and small steps back of a server's clock.

use super::*;

#[test]
fn events_need_a_moment() {
    let mut counter = following(&[1], 3);
    assert_eq!(refusal(&mut counter, &at(0), 1), "AT is needed with CLOCK EVENT");
    put(&mut counter, &of(0, 0), 1);
    assert_eq!(refusal(&mut counter, &at(1_000), 1), "AT is needed with CLOCK EVENT");
}

#[test]
fn now_is_the_greatest_moment_seen() {
    let mut counter = following(&[1], 3);
    // The server's clock has no effect.
    put(&mut counter, &of(0, HOUR), 1);
    assert_eq!(counter.last(), MONDAY + HOUR);
    for now in [0, HOUR, DAY, 40 * YEAR] {
        assert_eq!(counter.now_of(client(now)), MONDAY + HOUR);
        assert_eq!(look(&counter, now, 1), [(HOUR as i64, 1)]);
    }
    put(&mut counter, &of(DAY, HOUR + 2_000), 1);
    assert_eq!(look(&counter, DAY, 1), [(HOUR as i64, 1), (HOUR as i64 + 2_000, 1)]);
    put(&mut counter, &of(0, HOUR + 3_000), 1);
    assert_eq!(look(&counter, 0, 1), [(HOUR as i64 + 2_000, 1), (HOUR as i64 + 3_000, 1)]);
}

#[test]
fn a_late_event_does_not_turn_a_clock_of_events_back() {
    let mut counter = following(&[1, 60], 3);
    put(&mut counter, &of(0, HOUR), 1);
    let increase = counter.increase(&of(0, HOUR - MINUTE), 1).unwrap();
    let (now, at) = (MONDAY + HOUR, MONDAY + HOUR - MINUTE);
    assert_eq!(increase, Increase { effect: Effect::Applied(Stamp { now, at }), total: 2 });
    assert_eq!(look(&counter, 0, 1), [(HOUR as i64, 1)]);
    assert_eq!(look(&counter, 0, 60), [((HOUR - MINUTE) as i64, 1), (HOUR as i64, 1)]);
}

#[test]
fn a_repeat_does_not_move_a_clock_of_events() {
    let mut counter = following(&[1], 3);
    put(&mut counter, &with_id(of(0, 0), "a"), 1);
    assert_eq!(repeat(&mut counter, &with_id(of(0, 2_000), "a"), 1), 1);
    assert_eq!(counter.last(), MONDAY);
}

#[test]
fn a_refused_event_does_not_move_a_clock_of_events() {
    let mut counter = following(&[1], 3);
    put(&mut counter, &with_id(of(0, 0), "a"), MOST);
    assert_eq!(refusal(&mut counter, &of(0, HOUR), 1), "the count would be out of range");
    let text = refusal(&mut counter, &with_id(of(0, 1), "a"), 1);
    assert_eq!(text, "request id was used for a different write");
    assert_eq!((counter.last(), look(&counter, 0, 1)), (MONDAY, vec![(0, MOST)]));
}

#[test]
fn an_increase_by_nothing_moves_a_clock_of_events() {
    let mut counter = following(&[1], 3);
    put(&mut counter, &of(0, 0), 1);
    assert_eq!(put(&mut counter, &of(0, 3_000), 0), 1);
    assert_eq!((counter.last(), look(&counter, 0, 1)), (MONDAY + 3_000, vec![]));
}

#[test]
fn an_event_far_too_early_counts_in_the_total_of_a_clock_of_events() {
    let mut counter = following(&[1], 3);
    put(&mut counter, &of(0, HOUR), 1);
    assert_eq!(put(&mut counter, &Event { at: Some(0), ..at(0) }, 1), 2);
    assert_eq!(look(&counter, 0, 1), [(HOUR as i64, 1)]);
}

#[test]
fn time_stands_still_through_small_steps_back() {
    let mut counter = new(&[1], 3);
    let last = HOUR;
    add(&mut counter, last, 1);
    for back in [1, 1_000, MAX_FUTURE] {
        assert_eq!(counter.now_of(client(last - back)), MONDAY + last);
        assert_eq!(counter.now(MONDAY + last - back, MAX_FUTURE), MONDAY + last);
        let increase = counter.increase(&at(last - back), 1).unwrap();
        let stamp = Stamp { now: MONDAY + last, at: MONDAY + last };
        assert_eq!(increase.effect, Effect::Applied(stamp));
    }
    assert_eq!(look(&counter, last - MAX_FUTURE, 1), [(last as i64, 4)]);
    // The server's clock is 1.5 seconds behind the counter's clock, so an event at its time is late.
    put(&mut counter, &of(last - 1_500, last - 1_500), 1);
    assert_eq!(look(&counter, last, 1), [(last as i64 - 2_000, 1), (last as i64, 4)]);
}

#[test]
fn a_step_back_beyond_that_is_followed() {
    let mut counter = new(&[1, 3_600], 3);
    let last = HOUR + MINUTE + 1;
    add(&mut counter, last, 1);
    assert_eq!(counter.now_of(client(HOUR)), MONDAY + HOUR);
    assert_eq!(look(&counter, HOUR, 1), []);
    assert_eq!(look(&counter, HOUR, 3_600), [(HOUR as i64, 1)], "the slice of then is that of now");
    add(&mut counter, HOUR, 1);
    assert_eq!(counter.last(), MONDAY + HOUR);
    assert_eq!(look(&counter, HOUR, 1), [(HOUR as i64, 1)]);
    assert_eq!(look(&counter, HOUR, 3_600), [(HOUR as i64, 2)]);
}
