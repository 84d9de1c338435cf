//! Statistics, quantiles and histograms.

use super::{plain, with};
use leaderboard_testkit::board::Rules;

const TENTHS: u64 = 100_000_000;

#[test]
fn quantiles_are_the_nearest_ranks() {
    let desk = with(plain(), &[("a", 10), ("b", 20), ("c", 30), ("d", 40), ("e", 50)]);
    let quantile = |share| desk.see("all").quantile(share).unwrap()[0];
    assert_eq!([0, 1, 2 * TENTHS, 2 * TENTHS + 1, 5 * TENTHS].map(quantile), [10, 10, 10, 20, 30]);
    assert_eq!([9 * TENTHS, 10 * TENTHS - 1, 10 * TENTHS].map(quantile), [50, 50, 50]);
}

#[test]
fn quantiles_go_by_value_whatever_the_order() {
    let desk = with(Rules { ascending: true, ..plain() }, &[("a", 10), ("b", 20), ("c", 30), ("d", 40)]);
    assert_eq!(desk.see("all").quantile(0), Some(vec![10]));
    assert_eq!(desk.see("all").quantile(5 * TENTHS), Some(vec![20]));
    assert_eq!(desk.see("all").rev().quantile(5 * TENTHS), Some(vec![20]));
    assert_eq!(
        desk.see("all").read().stats(),
        (4, Some(100), Some(vec![10]), Some(vec![40]), Some(vec![20]))
    );
}

#[test]
fn means_have_six_digits_and_halves_go_away_from_0() {
    let mean = |decimals, scores: &[(&str, i64)]| {
        let desk = with(Rules { decimals, ..plain() }, scores);
        desk.see("all").read().mean().unwrap()
    };
    assert_eq!(mean(0, &[("a", 1), ("b", 2)]), "1.500000");
    assert_eq!(mean(0, &[("a", 1), ("b", 0), ("c", 0)]), "0.333333");
    assert_eq!(mean(0, &[("a", -2), ("b", 0), ("c", 0)]), "-0.666667");
    assert_eq!(mean(2, &[("a", 150)]), "1.500000");
    // The mean is 0.0000005.
    assert_eq!(mean(6, &[("a", 1), ("b", 0)]), "0.000001");
    assert_eq!(mean(6, &[("a", -1), ("b", 0)]), "-0.000001");
    // The mean is 0.000000499.
    assert_eq!(mean(9, &[("a", 499)]), "0.000000");
    assert_eq!(mean(9, &[("a", 500)]), "0.000001");
}

#[test]
fn sums_go_beyond_the_range_of_scores() {
    let desk = with(plain(), &[("a", i64::MAX), ("b", i64::MAX), ("c", 1)]);
    let (_, sum, ..) = desk.see("all").read().stats();
    assert_eq!(sum, Some(18_446_744_073_709_551_615));
    assert_eq!(desk.see("all").read().mean().unwrap(), "6148914691236517205.000000");
}

#[test]
fn buckets_have_edges_in_smallest_units() {
    let desk = with(plain(), &[("a", 0), ("b", 3), ("c", 4), ("d", 7), ("e", 10), ("f", 11), ("g", -1)]);
    let read = desk.see("all").read();
    // The edges are 10 / 3 and 20 / 3, rounded up.
    assert_eq!(read.histogram(0, 10, 3), [(0, 4, 2), (4, 7, 1), (7, 10, 2)]);
    assert_eq!(read.histogram(-1, 11, 1), [(-1, 11, 7)]);
}

#[test]
fn more_buckets_than_units_leave_some_without_width() {
    let desk = with(plain(), &[("a", 0), ("b", 1), ("c", 2)]);
    let read = desk.see("all").read();
    assert_eq!(read.histogram(0, 2, 4), [(0, 1, 1), (1, 1, 0), (1, 2, 1), (2, 2, 1)]);
    assert_eq!(read.histogram(1, 1, 2), [(1, 1, 0), (1, 1, 1)]);
}

#[test]
fn buckets_over_the_whole_range() {
    let desk = with(plain(), &[("a", i64::MAX), ("b", -i64::MAX), ("c", 0)]);
    let rows = desk.see("all").read().histogram(-i64::MAX, i64::MAX, 2);
    assert_eq!(rows, [(-i64::MAX, 0, 1), (0, i64::MAX, 2)]);
}

#[test]
fn nobody_has_no_figures() {
    let desk = super::desk(plain());
    let read = desk.see("all").read();
    assert_eq!((read.stats(), read.mean()), ((0, Some(0), None, None, None), None));
    assert_eq!(read.quantile(0), None);
    assert_eq!(read.histogram(0, 9, 2), [(0, 5, 0), (5, 9, 0)]);
}
