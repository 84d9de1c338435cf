//! Clocks that leap far ahead, and are corrected.

use super::*;

/// Returns a counter with two filled slices. The second slice is the current one.
fn begun() -> Counter {
    let mut counter = new(&[1, 60], 3);
    add(&mut counter, 0, 1);
    add(&mut counter, 1_000, 2);
    counter
}

#[test]
fn a_leap_that_was_only_looked_at_has_not_happened() {
    let mut counter = begun();
    let before = saved(&counter);
    for ahead in [10_000, HOUR, DAY, 40 * YEAR] {
        assert_eq!(look(&counter, ahead, 1), []);
        let now = counter.now_of(client(ahead));
        counter.advance(now);
        if counter.has_work() {
            counter.work(now);
        }
    }
    assert!(saved(&counter) == before);
    assert_eq!(look(&counter, 1_500, 1), [(0, 1), (1_000, 2)]);
    assert_eq!(look(&counter, 1_500, 60), [(0, 3)]);
    add(&mut counter, 1_500, 4);
    assert_eq!(look(&counter, 1_500, 1), [(0, 1), (1_000, 6)]);
}

#[test]
fn a_leap_that_was_written_in_drops_what_is_no_longer_kept_then() {
    let mut counter = begun();
    add(&mut counter, 2 * MINUTE, 5);
    assert_eq!(look(&counter, 2 * MINUTE, 1), [(120_000, 5)]);
    assert_eq!(look(&counter, 2 * MINUTE, 60), [(0, 3), (120_000, 5)], "which is kept");
    // The clock is corrected.
    assert_eq!(look(&counter, 2_000, 1), []);
    assert_eq!(look(&counter, 2_000, 60), [(0, 3)]);
    assert_eq!(counter.total(), 8);
}

#[test]
fn slices_of_a_leap_are_not_shown_and_dropped_by_the_next_write() {
    let mut counter = begun();
    add(&mut counter, HOUR, 5);
    assert_eq!(look(&counter, 2_000, 1), []);
    assert_eq!(look(&counter, 2_000, 60), []);
    // There was no write since the leap, so reads at the time of the leap return its slices.
    assert_eq!(look(&counter, HOUR, 1), [(HOUR as i64, 5)]);
    assert_eq!(add(&mut counter, 2_000, 1), 9);
    assert_eq!(look(&counter, 2_000, 1), [(2_000, 1)]);
    assert_eq!(look(&counter, HOUR, 1), []);
    assert_eq!(look(&counter, HOUR, 60), []);
    assert_eq!(counter.total(), 9);
}

#[test]
fn slices_of_a_leap_are_not_filled_in() {
    let mut counter = begun();
    add(&mut counter, HOUR, 5);
    let all = range(Some(1_000), Some(HOUR as i64), true);
    assert_eq!(get(&counter, 2_000, 1, all), [(1_000, 0), (2_000, 0)]);
    assert_eq!(get(&counter, 2_000, 1, range(None, Some(HOUR as i64), true)), []);
}

#[test]
fn an_increase_by_nothing_drops_the_slices_of_a_leap_too() {
    let mut counter = begun();
    add(&mut counter, HOUR, 5);
    add(&mut counter, 2_000, 0);
    assert_eq!(look(&counter, HOUR, 60), []);
}

#[test]
fn a_late_write_drops_the_slices_of_a_leap_too() {
    let mut counter = begun();
    add(&mut counter, HOUR, 5);
    put(&mut counter, &of(2_000, 500), 7);
    assert_eq!(look(&counter, 2_000, 1), [(0, 7)]);
    assert_eq!(look(&counter, HOUR, 60), []);
}

#[test]
fn what_changes_nothing_drops_no_slices_of_a_leap() {
    let mut counter = begun();
    put(&mut counter, &with_id(at(HOUR), "a"), 5);
    assert_eq!(repeat(&mut counter, &with_id(at(2_000), "a"), 5), 8);
    refusal(&mut counter, &with_id(at(2_000), "a"), 6);
    refusal(&mut counter, &at(2_000), MOST);
    refusal(&mut counter, &of(2_000, DAY), 1);
    assert_eq!(look(&counter, HOUR, 1), [(HOUR as i64, 5)]);
}

#[test]
fn a_leap_within_the_window_keeps_what_is_kept() {
    let mut counter = new(&[60], 10);
    add(&mut counter, 0, 1);
    add(&mut counter, 5 * MINUTE, 2);
    assert_eq!(look(&counter, MINUTE, 60), [(0, 1)]);
    add(&mut counter, MINUTE, 4);
    assert_eq!(look(&counter, MINUTE, 60), [(0, 1), (60_000, 4)]);
    assert_eq!(look(&counter, 5 * MINUTE, 60), [(0, 1), (60_000, 4)]);
}

#[test]
fn the_slice_that_is_current_before_and_in_a_leap_goes_on() {
    let mut counter = new(&[1, 3_600], 3);
    add(&mut counter, 0, 1);
    add(&mut counter, 10 * MINUTE, 2);
    add(&mut counter, 1_000, 4);
    assert_eq!(look(&counter, 1_000, 3_600), [(0, 7)]);
    assert_eq!(look(&counter, 1_000, 1), [(1_000, 4)]);
}

#[test]
fn from_a_small_leap_time_stands_still() {
    let mut counter = begun();
    add(&mut counter, MINUTE, 5);
    assert_eq!(look(&counter, 0, 1), [(60_000, 5)], "as of the leap");
    add(&mut counter, 1_000, 1);
    assert_eq!(look(&counter, 0, 1), [(60_000, 6)]);
    // The clock has caught up.
    add(&mut counter, MINUTE + 1_000, 1);
    assert_eq!(look(&counter, MINUTE + 1_000, 1), [(60_000, 6), (61_000, 1)]);
}

#[test]
fn what_a_leap_dropped_stays_gone() {
    let mut counter = begun();
    add(&mut counter, HOUR, 0);
    add(&mut counter, 1_000, 0);
    assert_eq!(look(&counter, 1_000, 1), []);
    assert_eq!(look(&counter, 1_000, 60), []);
    // Late events after that are counted.
    put(&mut counter, &of(1_000, 500), 7);
    assert_eq!(look(&counter, 1_000, 1), [(0, 7)]);
    assert_eq!(counter.total(), 10);
}

#[test]
fn time_goes_on_over_the_slices_of_a_leap() {
    let mut counter = begun();
    add(&mut counter, HOUR, 5);
    let mut copy = loaded(&saved(&counter));
    for counter in [&mut counter, &mut copy] {
        // There was no write since the leap, so the slices are shown when the clock reaches them.
        assert_eq!(look(counter, HOUR - 1, 1), [(HOUR as i64, 5)], "time stands still before that");
        assert_eq!(look(counter, HOUR + 1_000, 1), [(HOUR as i64, 5)]);
        add(counter, HOUR + 1_000, 1);
        assert_eq!(look(counter, HOUR + 1_000, 1), [(HOUR as i64, 5), (HOUR as i64 + 1_000, 1)]);
    }
    assert_eq!(saved(&copy), saved(&counter));
}

#[test]
fn several_leaps_and_corrections() {
    let mut counter = new(&[1, 60], 3);
    for turn in 0..5 {
        let (ahead, back) = (DAY + turn * HOUR, turn * SECOND);
        add(&mut counter, ahead, 1);
        assert_eq!(look(&counter, ahead, 1), [(ahead as i64, 1)]);
        add(&mut counter, back, 1);
        assert_eq!(look(&counter, back, 1), [(back as i64, 1)]);
        assert_eq!(look(&counter, back, 60), [(0, 1)]);
    }
    assert_eq!(counter.total(), 10);
}
