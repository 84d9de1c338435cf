//! Slices, and the rules by which they are kept.

use super::*;

#[test]
fn a_slice_begins_at_its_start_and_ends_before_the_next() {
    let mut counter = new(&[1], 5);
    add_all(&mut counter, &[0, 999, 1_000, 1_999, 2_000]);
    assert_eq!(look(&counter, 2_000, 1), [(0, 2), (1_000, 2), (2_000, 1)]);
}

#[test]
fn slices_are_counted_from_the_epoch() {
    let mut counter = new(&[7, 18_000, 86_400], 3);
    add(&mut counter, 0, 1);
    // 1552867200 = 7 * 221838171 + 3 = 18000 * 86270 + 7200.
    assert_eq!(look(&counter, 0, 7), [(-3_000, 1)]);
    assert_eq!(look(&counter, 0, 18_000), [(-7_200_000, 1)]);
    assert_eq!(look(&counter, 0, 86_400), [(0, 1)]);
    add(&mut counter, 4_000, 1);
    assert_eq!(look(&counter, 4_000, 7), [(-3_000, 1), (4_000, 1)]);
}

#[test]
fn the_defaults_of_rules() {
    let rules = Rules::default();
    assert_eq!(rules.precisions, [1, 5, 60, 300, 3_600, 18_000, 86_400]);
    assert_eq!((rules.samples, rules.clock, rules.dedup), (120, Clock::Server, 600));
}

#[test]
fn every_precision_counts_each_event() {
    let mut counter = Counter::new(Rules::default()).unwrap();
    add(&mut counter, 6_500, 2);
    add(&mut counter, 8_000, 3);
    assert_eq!(look(&counter, 8_000, 1), [(6_000, 2), (8_000, 3)]);
    assert_eq!(look(&counter, 8_000, 5), [(5_000, 5)]);
    for precision in [60, 300, 3_600, 86_400] {
        assert_eq!(look(&counter, 8_000, precision), [(0, 5)]);
    }
    assert_eq!(look(&counter, 8_000, 18_000), [(-7_200_000, 5)]);
}

#[test]
fn precisions_stand_in_ascending_order() {
    let counter = new(&[60, 1, 86_400, 5], 3);
    assert_eq!(counter.rules().precisions, [1, 5, 60, 86_400]);
}

#[test]
fn a_new_counter_has_counted_nothing() {
    let counter = new(&[1, 60], 3);
    assert_eq!((counter.total(), counter.last(), counter.requests(MONDAY)), (0, 0, 0));
    assert_eq!(look(&counter, 0, 1), []);
    assert!(!counter.is_loading());
}

#[test]
fn the_kept_slices_with_the_current_one_are_as_many_as_samples() {
    let mut counter = new(&[1], 3);
    add_all(&mut counter, &[0, 1_000, 2_000]);
    for now in [2_000, 2_999] {
        assert_eq!(look(&counter, now, 1), [(0, 1), (1_000, 1), (2_000, 1)]);
    }
    // There are no more writes.
    assert_eq!(look(&counter, 3_000, 1), [(1_000, 1), (2_000, 1)]);
    assert_eq!(look(&counter, 3_999, 1), [(1_000, 1), (2_000, 1)]);
    assert_eq!(look(&counter, 4_000, 1), [(2_000, 1)]);
    assert_eq!(look(&counter, 4_999, 1), [(2_000, 1)]);
    assert_eq!(look(&counter, 5_000, 1), []);
    assert_eq!(counter.total(), 3);
}

#[test]
fn the_same_when_somebody_writes() {
    let mut counter = new(&[1], 3);
    add_all(&mut counter, &[0, 1_000, 2_000, 3_000]);
    assert_eq!(look(&counter, 3_000, 1), [(1_000, 1), (2_000, 1), (3_000, 1)]);
    add(&mut counter, 4_500, 1);
    assert_eq!(look(&counter, 4_500, 1), [(2_000, 1), (3_000, 1), (4_000, 1)]);
    add(&mut counter, 7_000, 1);
    assert_eq!(look(&counter, 7_000, 1), [(7_000, 1)]);
    assert_eq!(counter.total(), 6);
}

#[test]
fn one_sample_is_the_current_slice() {
    let mut counter = new(&[5], 1);
    add_all(&mut counter, &[0, 4_999]);
    assert_eq!(look(&counter, 4_999, 5), [(0, 2)]);
    assert_eq!(look(&counter, 5_000, 5), []);
    add(&mut counter, 5_000, 7);
    assert_eq!(look(&counter, 9_999, 5), [(5_000, 7)]);
}

#[test]
fn coarse_slices_outlast_fine_ones() {
    let mut counter = new(&[1, 5, 60], 2);
    add(&mut counter, 0, 1);
    let counts = |now| [1, 5, 60].map(|precision| look(&counter, now, precision).len());
    assert_eq!(counts(1_999), [1, 1, 1]);
    assert_eq!(counts(2_000), [0, 1, 1]);
    assert_eq!(counts(9_999), [0, 1, 1]);
    assert_eq!(counts(10_000), [0, 0, 1]);
    assert_eq!(counts(119_999), [0, 0, 1]);
    assert_eq!(counts(120_000), [0, 0, 0]);
}

#[test]
fn after_years_only_the_total_is_left() {
    let mut counter = Counter::new(Rules::default()).unwrap();
    add(&mut counter, 0, 5);
    let all = counter.rules().precisions.clone();
    for precision in &all {
        assert_eq!(look(&counter, 40 * YEAR, *precision), []);
    }
    assert_eq!(add(&mut counter, 40 * YEAR, 1), 6);
    for precision in &all {
        let counts: Vec<_> = look(&counter, 40 * YEAR, *precision).iter().map(|(_, count)| *count).collect();
        assert_eq!(counts, [1]);
    }
}

#[test]
fn few_events_over_the_longest_window() {
    let mut counter = new(&[1], MAX_SAMPLES);
    let last = 9_999_000;
    add_all(&mut counter, &[0, 5_000_000, last]);
    assert_eq!(look(&counter, last + 999, 1), [(0, 1), (5_000_000, 1), (last as i64, 1)]);
    assert_eq!(look(&counter, last + 1_000, 1), [(5_000_000, 1), (last as i64, 1)]);
}

#[test]
fn the_longest_slices_reach_back_before_the_epoch() {
    let mut counter = new(&[315_360_000], MAX_SAMPLES);
    add(&mut counter, 0, 1);
    // The moment is in the fifth slice after the epoch. A slice is ten times 365 days long.
    let start = 4 * 315_360_000_000 - MONDAY as i64;
    assert_eq!(look(&counter, 0, 315_360_000), [(start, 1)]);
    let first = Event { at: Some(0), ..at(0) };
    assert_eq!(put(&mut counter, &first, 2), 3);
    assert_eq!(look(&counter, 0, 315_360_000), [(-(MONDAY as i64), 2), (start, 1)]);
}

#[test]
fn the_first_and_the_last_moments_that_can_be_named() {
    let mut counter = new(&[1, 60], 3);
    let write = |wall| Event { origin: TimeSource::Client { wall, max_future: 0 }, ..at(0) };
    let read = |counter: &Counter, precision, now| {
        let samples = counter.read(precision, Range::default(), now).unwrap();
        samples.iter().map(|sample| (sample.start, sample.count)).collect::<Vec<_>>()
    };
    for wall in [0, 999, 1_000] {
        put(&mut counter, &write(wall), 1);
    }
    assert_eq!(read(&counter, 1, 1_000), [(0, 2), (1_000, 1)]);
    assert_eq!(read(&counter, 60, 1_000), [(0, 3)]);
    put(&mut counter, &write(MAX_MILLIS - 1_000), 1);
    put(&mut counter, &write(MAX_MILLIS), 1);
    assert_eq!(read(&counter, 1, MAX_MILLIS), [(MAX_MILLIS - 1_999, 1), (MAX_MILLIS - 999, 1)]);
    assert_eq!(read(&counter, 60, MAX_MILLIS), [(MAX_MILLIS - 59_999, 2)]);
    assert_eq!(counter.total(), 5);
}
