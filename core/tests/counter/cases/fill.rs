//! Reads that also list empty slices.

use super::*;

fn filled(counter: &Counter, now: u64, from: Option<i64>, to: Option<i64>) -> Vec<(i64, i64)> {
    get(counter, now, 1, range(from, to, true))
}

/// Returns a counter with 2 in the slice of second 3 and 3 in the slice of second 6. At `NOW`, it keeps the slices
/// from 0 to 9.
fn two() -> Counter {
    let mut counter = new(&[1], 10);
    add(&mut counter, 3_000, 2);
    add(&mut counter, 6_500, 3);
    counter
}

const NOW: u64 = 9_000;

#[test]
fn without_ends_from_the_first_to_the_last_that_is_not_empty() {
    assert_eq!(filled(&two(), NOW, None, None), [(3_000, 2), (4_000, 0), (5_000, 0), (6_000, 3)]);
}

#[test]
fn with_both_ends_from_one_to_the_other() {
    let counter = two();
    let expected = [(2_000, 0), (3_000, 2), (4_000, 0)];
    assert_eq!(filled(&counter, NOW, Some(2_000), Some(4_000)), expected);
    assert_eq!(filled(&counter, NOW, Some(2_999), Some(4_999)), expected);
    assert_eq!(filled(&counter, NOW, Some(6_000), Some(7_000)), [(6_000, 3), (7_000, 0)]);
    assert_eq!(filled(&counter, NOW, Some(3_999), Some(3_999)), [(3_000, 2)]);
}

#[test]
fn with_from_alone_up_to_the_last_that_is_not_empty() {
    let counter = two();
    assert_eq!(filled(&counter, NOW, Some(5_500), None), [(5_000, 0), (6_000, 3)]);
    assert_eq!(filled(&counter, NOW, Some(1_000), None)[..3], [(1_000, 0), (2_000, 0), (3_000, 2)]);
    assert_eq!(filled(&counter, NOW, Some(1_000), None).len(), 6);
    assert_eq!(filled(&counter, NOW, Some(6_999), None), [(6_000, 3)]);
}

#[test]
fn with_to_alone_from_the_first_that_is_not_empty() {
    let counter = two();
    assert_eq!(filled(&counter, NOW, None, Some(5_000)), [(3_000, 2), (4_000, 0), (5_000, 0)]);
    assert_eq!(filled(&counter, NOW, None, Some(8_000)).len(), 6);
    assert_eq!(filled(&counter, NOW, None, Some(8_000))[5], (8_000, 0));
    assert_eq!(filled(&counter, NOW, None, Some(3_000)), [(3_000, 2)]);
}

#[test]
fn without_any_sample_both_ends_are_needed() {
    let counter = two();
    assert_eq!(filled(&counter, NOW, Some(4_000), Some(5_000)), [(4_000, 0), (5_000, 0)]);
    assert_eq!(filled(&counter, NOW, Some(7_000), Some(7_000)), [(7_000, 0)]);
    assert_eq!(filled(&counter, NOW, Some(7_000), None), []);
    assert_eq!(filled(&counter, NOW, None, Some(2_999)), []);
    let counter = new(&[1], 3);
    assert_eq!(filled(&counter, NOW, None, None), []);
    assert_eq!(filled(&counter, NOW, Some(0), None), []);
    assert_eq!(filled(&counter, NOW, None, Some(NOW as i64)), []);
    assert_eq!(filled(&counter, NOW, Some(8_000), Some(9_000)), [(8_000, 0), (9_000, 0)]);
}

#[test]
fn one_sample_alone() {
    let mut counter = new(&[1], 10);
    add(&mut counter, 3_000, 2);
    assert_eq!(filled(&counter, NOW, None, None), [(3_000, 2)]);
    assert_eq!(filled(&counter, NOW, Some(2_000), None), [(2_000, 0), (3_000, 2)]);
    assert_eq!(filled(&counter, NOW, None, Some(4_000)), [(3_000, 2), (4_000, 0)]);
}

#[test]
fn slices_that_are_not_kept_are_not_filled_in() {
    let counter = two();
    let all = filled(&counter, NOW, Some(-50_000), Some(4_000));
    assert_eq!((all.len(), all[0], all[4]), (5, (0, 0), (4_000, 0)));
    let later = filled(&counter, NOW + 2_000, Some(-50_000), Some(4_000));
    assert_eq!(later, [(2_000, 0), (3_000, 2), (4_000, 0)]);
    let from = filled(&counter, NOW + 5_000, Some(0), None);
    assert_eq!(from, [(5_000, 0), (6_000, 3)], "the sample of 3 is gone");
    assert_eq!(filled(&counter, NOW, Some(-50_000), Some(-1)), []);
}

#[test]
fn slices_that_begin_after_now_are_not_filled_in() {
    let counter = two();
    assert_eq!(filled(&counter, 6_999, Some(6_000), Some(50_000)), [(6_000, 3)]);
    assert_eq!(filled(&counter, 7_000, Some(6_000), Some(50_000)), [(6_000, 3), (7_000, 0)]);
    assert_eq!(filled(&counter, 7_000, None, Some(50_000)).len(), 5);
    assert_eq!(filled(&counter, 7_000, Some(8_000), Some(50_000)), []);
    assert_eq!(filled(&counter, 7_000, Some(8_000), None), []);
}

#[test]
fn at_most_as_many_as_samples() {
    for samples in [1, 2, 7, 120] {
        let mut counter = new(&[1], samples);
        add(&mut counter, DAY, 1);
        let all = Range { from: Some(0), to: Some(MAX_MILLIS), fill: true };
        let filled = get(&counter, DAY, 1, all);
        assert_eq!(filled.len(), samples as usize);
        assert_eq!(filled.last(), Some(&(DAY as i64, 1)));
        assert_eq!(filled[0].0, (DAY - u64::from(samples - 1) * 1_000) as i64);
    }
}

#[test]
fn slices_whose_count_came_to_0_are_no_ends() {
    let mut counter = two();
    put(&mut counter, &of(NOW, 3_000), -2);
    put(&mut counter, &of(NOW, 8_000), 0);
    assert_eq!(filled(&counter, NOW, None, None), [(6_000, 3)]);
    assert_eq!(filled(&counter, NOW, Some(3_000), None)[0], (3_000, 0));
    put(&mut counter, &of(NOW, 6_000), -3);
    assert_eq!(filled(&counter, NOW, None, None), []);
    assert_eq!(filled(&counter, NOW, Some(6_000), Some(6_000)), [(6_000, 0)]);
}

#[test]
fn samples_outside_the_range_are_no_ends() {
    let counter = two();
    assert_eq!(filled(&counter, NOW, None, Some(6_000)).len(), 4);
    assert_eq!(filled(&counter, NOW, None, Some(5_999)).len(), 3);
    assert_eq!(filled(&counter, NOW, Some(4_000), None).len(), 3);
    assert_eq!(filled(&counter, NOW, Some(4_000), Some(4_000)), [(4_000, 0)]);
}

#[test]
fn slices_of_a_precision_that_was_added_later_are_filled_in() {
    let mut counter = new(&[60], 5);
    add(&mut counter, 0, 1);
    alter(&mut counter, 10_000, &precisions(&[(1, Edit::Add)]));
    assert_eq!(filled(&counter, 10_000, Some(0), Some(7_000)), [(6_000, 0), (7_000, 0)]);
}

#[test]
fn no_slices_before_the_epoch() {
    let mut counter = new(&[60], 10);
    let origin = TimeSource::Client { wall: 70_000, max_future: 0 };
    put(&mut counter, &Event { origin, ..at(0) }, 1);
    let all = Range { from: Some(0), to: Some(MAX_MILLIS), fill: true };
    let sample = |start, count| Sample { start, count };
    assert_eq!(counter.read(60, all, 70_000), Ok(vec![sample(0, 0), sample(60_000, 1)]));
}
