//! Amounts of increases, and counts that are out of range.

use super::*;

const TEXT: &str = "the count would be out of range";

#[test]
fn the_answer_is_the_total_since_creation() {
    let mut counter = new(&[1], 1);
    assert_eq!(add(&mut counter, 0, 1), 1);
    assert_eq!(add(&mut counter, HOUR, 41), 42);
    assert_eq!(add(&mut counter, DAY, -2), 40);
    assert_eq!(counter.total(), 40);
}

#[test]
fn totals_and_slices_may_be_negative() {
    let mut counter = new(&[1, 60], 3);
    assert_eq!(add(&mut counter, 0, -3), -3);
    assert_eq!(add(&mut counter, 1_000, 2), -1);
    assert_eq!(look(&counter, 1_000, 1), [(0, -3), (1_000, 2)]);
    assert_eq!(look(&counter, 1_000, 60), [(0, -1)]);
}

#[test]
fn an_increase_by_nothing_is_applied() {
    let mut counter = new(&[1], 3);
    add(&mut counter, 0, 1);
    let increase = counter.increase(&with_id(at(3_000), "a"), 0).unwrap();
    let now = MONDAY + 3_000;
    assert_eq!(increase, Increase { effect: Effect::Applied(Stamp { now, at: now }), total: 1 });
    assert_eq!((counter.last(), counter.requests(now)), (now, 1));
    assert_eq!(look(&counter, 3_000, 1), []);
}

#[test]
fn a_slice_whose_count_is_0_is_empty() {
    let mut counter = new(&[1, 60], 5);
    add(&mut counter, 0, 2);
    add(&mut counter, 1_000, 5);
    add(&mut counter, 1_999, -5);
    add(&mut counter, 2_000, 0);
    add(&mut counter, 3_000, 1);
    assert_eq!(look(&counter, 3_000, 1), [(0, 2), (3_000, 1)]);
    assert_eq!(look(&counter, 3_000, 60), [(0, 3)]);
    let filled = get(&counter, 3_000, 1, range(None, None, true));
    assert_eq!(filled, [(0, 2), (1_000, 0), (2_000, 0), (3_000, 1)]);
    add(&mut counter, 3_000, -3);
    assert_eq!(look(&counter, 3_000, 60), []);
}

#[test]
fn a_slice_that_was_empty_again_counts_on() {
    let mut counter = new(&[1], 3);
    add(&mut counter, 0, 5);
    put(&mut counter, &of(2_000, 0), -5);
    assert_eq!(look(&counter, 2_000, 1), []);
    put(&mut counter, &of(2_000, 999), 7);
    assert_eq!(look(&counter, 2_000, 1), [(0, 7)]);
}

#[test]
fn a_total_out_of_range() {
    let mut counter = new(&[1, 60], 2);
    assert_eq!(add(&mut counter, 0, MOST), MOST);
    // All slices are gone, so only the total is out of range.
    let later = HOUR;
    assert_eq!(refusal(&mut counter, &with_id(at(later), "a"), 1), TEXT);
    assert_eq!((counter.total(), counter.last(), counter.requests(MONDAY + later)), (MOST, MONDAY, 0));
    assert_eq!(look(&counter, 0, 1), [(0, MOST)]);
    assert_eq!(put(&mut counter, &with_id(at(later), "a"), -1), MOST - 1);
    assert_eq!(add(&mut counter, later, 1), MOST);
}

#[test]
fn the_least_total() {
    let mut counter = new(&[1], 2);
    assert_eq!(add(&mut counter, 0, -MOST), -MOST);
    assert_eq!(refusal(&mut counter, &at(HOUR), -2), TEXT);
    assert_eq!(refusal(&mut counter, &at(HOUR), -MOST), TEXT);
    assert_eq!(add(&mut counter, 0, MOST), 0);
    assert_eq!(look(&counter, 0, 1), []);
}

#[test]
fn a_slice_out_of_range_while_the_total_is_not() {
    let mut counter = new(&[1], 3);
    add(&mut counter, 0, -MOST);
    add(&mut counter, 1_000, MOST);
    assert_eq!(refusal(&mut counter, &at(1_000), 1), TEXT);
    assert_eq!(refusal(&mut counter, &of(1_000, 0), -2), TEXT);
    assert_eq!(add(&mut counter, 2_000, 1), 1, "another slice has room");
    assert_eq!(look(&counter, 2_000, 1), [(0, -MOST), (1_000, MOST), (2_000, 1)]);
}

#[test]
fn a_slice_of_one_precision_out_of_range_changes_none() {
    let mut counter = new(&[1, 60, 3_600], 2);
    add(&mut counter, DAY, MOST);
    // This event is too late for all slices.
    put(&mut counter, &of(DAY, 0), -MOST);
    let start = DAY as i64;
    assert_eq!(refusal(&mut counter, &at(DAY + 1_000), 1), TEXT);
    assert_eq!(look(&counter, DAY + 1_000, 1), [(start, MOST)]);
    // This event is in another minute, but in the same hour.
    assert_eq!(refusal(&mut counter, &at(DAY + MINUTE), 1), TEXT);
    assert_eq!(add(&mut counter, DAY + HOUR, 1), 1);
    assert_eq!(look(&counter, DAY + HOUR, 3_600), [(start, MOST), (start + HOUR as i64, 1)]);
}

#[test]
fn a_refused_increase_drops_no_old_slice() {
    let mut counter = new(&[1], 2);
    add(&mut counter, 0, MOST);
    assert_eq!(refusal(&mut counter, &at(HOUR), 1), TEXT);
    assert_eq!(look(&counter, 1_000, 1), [(0, MOST)]);
}

#[test]
fn a_slice_that_is_gone_has_no_range() {
    let mut counter = new(&[1], 2);
    add(&mut counter, 0, MOST);
    put(&mut counter, &before(0, HOUR), -MOST);
    // Two seconds later, the slice is gone, and another slice has its place.
    assert_eq!(add(&mut counter, 2_000, MOST), MOST);
    assert_eq!(look(&counter, 2_000, 1), [(2_000, MOST)]);
    assert_eq!(put(&mut counter, &of(2_000, 0), -MOST), 0);
    assert_eq!(look(&counter, 2_000, 1), [(2_000, MOST)]);
}

#[test]
fn a_slice_of_a_leap_has_no_range_when_it_is_dropped() {
    let mut counter = new(&[1], 2);
    add(&mut counter, HOUR, MOST);
    put(&mut counter, &of(HOUR, 0), -MOST);
    add(&mut counter, 0, MOST);
    assert_eq!((look(&counter, 0, 1), look(&counter, HOUR, 1)), (vec![(0, MOST)], vec![]));
}

#[test]
fn counts_are_as_far_from_0_on_both_sides() {
    let mut counter = new(&[1], 2);
    assert_eq!(add(&mut counter, 0, -MOST), -MOST);
    assert_eq!(refusal(&mut counter, &at(0), -1), TEXT);
    assert_eq!(refusal(&mut counter, &at(0), i64::MIN), TEXT);
    assert_eq!(add(&mut counter, 0, MOST), 0);
    refusal(&mut counter, &at(0), i64::MIN);
    assert_eq!(look(&counter, 0, 1), []);
}
