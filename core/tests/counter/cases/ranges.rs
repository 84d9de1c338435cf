//! Reads from one slice to another.

use super::*;

/// Returns a counter with 1 in each of the slices 0, 1, 2, 4 and 5, which are five seconds long.
fn five() -> Counter {
    let mut counter = new(&[5, 60], 6);
    add_all(&mut counter, &[0, 5_000, 10_000, 20_000, 25_000]);
    counter
}

fn starts(counter: &Counter, from: Option<i64>, to: Option<i64>) -> Vec<i64> {
    let samples = get(counter, 29_999, 5, range(from, to, false));
    samples.iter().map(|(start, _)| *start).collect()
}

#[test]
fn both_ends_are_slices_that_hold_a_moment() {
    let counter = five();
    assert_eq!(starts(&counter, None, None), [0, 5_000, 10_000, 20_000, 25_000]);
    assert_eq!(starts(&counter, Some(5_000), Some(20_000)), [5_000, 10_000, 20_000]);
    assert_eq!(starts(&counter, Some(9_999), Some(20_000)), [5_000, 10_000, 20_000]);
    assert_eq!(starts(&counter, Some(5_000), Some(24_999)), [5_000, 10_000, 20_000]);
    assert_eq!(starts(&counter, Some(4_999), Some(25_000)), [0, 5_000, 10_000, 20_000, 25_000]);
    assert_eq!(starts(&counter, Some(10_000), Some(19_999)), [10_000]);
}

#[test]
fn one_end_is_enough() {
    let counter = five();
    assert_eq!(starts(&counter, Some(10_001), None), [10_000, 20_000, 25_000]);
    assert_eq!(starts(&counter, Some(15_000), None), [20_000, 25_000]);
    assert_eq!(starts(&counter, None, Some(10_000)), [0, 5_000, 10_000]);
    assert_eq!(starts(&counter, None, Some(9_999)), [0, 5_000]);
    assert_eq!(starts(&counter, None, Some(0)), [0]);
}

#[test]
fn both_ends_may_be_the_same() {
    let counter = five();
    assert_eq!(starts(&counter, Some(12_345), Some(12_345)), [10_000]);
    assert_eq!(starts(&counter, Some(15_000), Some(15_000)), []);
    assert_eq!(starts(&counter, Some(0), Some(4_999)), [0]);
}

#[test]
fn from_after_to_is_empty() {
    let counter = five();
    assert_eq!(starts(&counter, Some(20_000), Some(5_000)), []);
    for fill in [false, true] {
        assert_eq!(get(&counter, 29_999, 5, range(Some(20_000), Some(19_999), fill)), []);
        // The range is also empty if one slice contains both moments.
        assert_eq!(get(&counter, 29_999, 5, range(Some(10_002), Some(10_001), fill)), []);
        assert_eq!(get(&counter, 29_999, 60, range(Some(1), Some(0), fill)), []);
    }
}

#[test]
fn ends_beyond_what_is_kept() {
    let mut counter = five();
    assert_eq!(starts(&counter, Some(-1_000_000), Some(4_000)), [0]);
    assert_eq!(starts(&counter, Some(25_000), Some(1_000_000)), [25_000]);
    assert_eq!(starts(&counter, Some(-2_000), Some(-1_000)), []);
    assert_eq!(starts(&counter, Some(30_000), Some(90_000)), []);
    let all = Range { from: Some(0), to: Some(MAX_MILLIS), fill: false };
    assert_eq!(get(&counter, 29_999, 5, all).len(), 5);
    add(&mut counter, 30_000, 1);
    // The slice that is gone is not shown, even if the range contains it.
    assert_eq!(get(&counter, 30_000, 5, range(Some(0), Some(5_000), false)), [(5_000, 1)]);
}

#[test]
fn a_precision_that_is_not_kept() {
    let counter = five();
    let now = MONDAY + 29_999;
    for precision in [7, 0, 1, 6, 50, u32::MAX] {
        for range in [Range::default(), range(Some(0), Some(5_000), true), range(Some(5_000), Some(0), false)]
        {
            let error = counter.read(precision, range, now).unwrap_err();
            assert_eq!(error.to_string(), format!("precision {precision} is not kept by this counter"));
        }
    }
}

#[test]
fn reading_changes_nothing() {
    let counter = five();
    let before = saved(&counter);
    for now in [0, 29_999, 30_000, DAY, 40 * YEAR] {
        for fill in [false, true] {
            get(&counter, now, 5, range(Some(0), Some(DAY as i64), fill));
            counter.read(60, range(None, None, fill), MONDAY + now).unwrap();
        }
    }
    assert!(saved(&counter) == before);
    assert_eq!(look(&counter, 29_999, 5).len(), 5);
}

#[test]
fn samples_are_plain_data() {
    let sample = Sample { start: MONDAY, count: -3 };
    let counter = {
        let mut counter = new(&[1], 1);
        add(&mut counter, 500, -3);
        counter
    };
    assert_eq!(counter.read(1, Range::default(), MONDAY + 999), Ok(vec![sample]));
}

#[test]
fn ends_that_are_no_moments() {
    let counter = five();
    for (from, to) in [(0, u64::MAX), (u64::MAX, u64::MAX), (u64::MAX, 0)] {
        for fill in [false, true] {
            let range = Range { from: Some(from), to: Some(to), fill };
            let count = if from == 0 { 5 + usize::from(fill) } else { 0 };
            assert_eq!(get(&counter, 29_999, 5, range).len(), count);
        }
    }
}
