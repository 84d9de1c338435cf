//! Bounds with any decimals, and points with zeros at the end of the fraction.

use leaderboard_core::Amount;

use super::{Desk, desk, plain, with};
use leaderboard_testkit::board::Rules;

/// Returns a board with the scores 1, 1.01 and 2.
fn cents() -> Desk {
    with(Rules { decimals: 2, ..plain() }, &[("a", 100), ("b", 101), ("c", 200)])
}

#[test]
fn a_bound_lies_between_scores() {
    let desk = cents();
    let look = desk.see("all");
    assert_eq!(look.between("1.005", "2"), "1 c 2, 2 b 1.01");
    assert_eq!(look.between("(1.005", "2"), "1 c 2, 2 b 1.01");
    assert_eq!(look.between("1", "1.005"), "3 a 1");
    assert_eq!(look.between("1", "(1.005"), "3 a 1");
    assert_eq!(look.between("1.001", "1.009"), "");
}

#[test]
fn zeros_at_the_end_of_a_bound_do_not_count() {
    let desk = cents();
    let look = desk.see("all");
    assert_eq!(look.between("1.0000000000000000000000", "1.010000000000000"), "2 b 1.01, 3 a 1");
    assert_eq!(look.between("(1.0000000000000000000000", "(2.000000000000"), "2 b 1.01");
}

#[test]
fn a_bound_may_be_very_long() {
    let desk = cents();
    let look = desk.see("all");
    let just_above = format!("1.{}1", "0".repeat(300));
    assert_eq!(look.between(&just_above, "+inf"), "1 c 2, 2 b 1.01");
    assert_eq!(look.between("-inf", &just_above), "3 a 1");
    let just_below = format!("1.00{}", "9".repeat(300));
    assert_eq!(look.between(&just_below, "inf"), "1 c 2, 2 b 1.01");
    let leading = format!("{}1", "0".repeat(300));
    assert_eq!(look.between(&leading, &leading), "3 a 1");
}

#[test]
fn a_bound_beyond_all_scores_is_right() {
    let desk = cents();
    let look = desk.see("all");
    let far = "9".repeat(200);
    assert_eq!(look.between(&format!("-{far}"), &far), "1 c 2, 2 b 1.01, 3 a 1");
    assert_eq!(look.between(&format!("-{far}.{far}"), "1"), "3 a 1");
    assert_eq!(look.between(&far, &far), "");
    assert_eq!(look.between(&far, "+inf"), "");
    assert_eq!(look.between("-inf", &format!("-{far}")), "");
    assert_eq!(look.between("9223372036854775808", "+inf"), "");
}

#[test]
fn scores_at_the_ends_of_the_range_have_neighbours_outside() {
    let desk = with(plain(), &[("a", i64::MAX), ("b", -i64::MAX)]);
    let look = desk.see("all");
    assert_eq!(look.between("9223372036854775806.5", "9223372036854775807.5"), "1 a 9223372036854775807");
    assert_eq!(look.between("(9223372036854775807", "99999999999999999999"), "");
    assert_eq!(look.between("-9223372036854775808", "-9223372036854775807"), "2 b -9223372036854775807");
    assert_eq!(look.between("-9223372036854775809", "(-9223372036854775807"), "");
}

#[test]
fn negative_bounds_lie_where_they_should() {
    let desk = with(plain(), &[("a", 0), ("b", -1), ("c", -2)]);
    let look = desk.see("all");
    assert_eq!(look.between("-1.5", "-0.5"), "2 b -1");
    assert_eq!(look.between("-0.0001", "0.0001"), "1 a 0");
    assert_eq!(look.between("-0", "0"), "1 a 0");
    assert_eq!(look.between("(-2.0", "(0.0"), "2 b -1");
}

#[test]
fn an_excluded_end_at_the_same_place_leaves_nothing() {
    let desk = cents();
    let look = desk.see("all");
    assert_eq!(look.between("(1", "1"), "");
    assert_eq!(look.between("1", "(1"), "");
    assert_eq!(look.between("2", "1"), "");
    assert_eq!(look.rev().between("1", "2"), "1 a 1, 2 b 1.01, 3 c 2");
}

#[test]
fn what_is_not_a_decimal_is_no_bound() {
    for text in ["", "(", "x", "1.", ".5", "1e3", "((1", "1 ", "+1", "nan", "--1", "1.2.3", "(inf1"] {
        let error = leaderboard_core::amount::Bound::parse(text.as_bytes(), "min");
        let error = error.and_then(|bound| desk(plain()).board.schema().score_range(bound, bound));
        assert_eq!(error.unwrap_err().to_string(), "min is not a decimal number", "{text:?}");
    }
}

#[test]
fn zeros_at_the_end_of_points_do_not_count() {
    let mut desk = desk(Rules { decimals: 1, ..plain() });
    let write = |text: &str, desk: &mut Desk| {
        let write = crate::play::write(desk.now);
        let outcome =
            Amount::parse(text.as_bytes(), "points").and_then(|points| desk.board.add(&write, points, b"a"));
        outcome.map(|outcome| outcome.now.unwrap().score.units())
    };
    assert_eq!(write("5.00", &mut desk), Ok(50));
    assert_eq!(write("1.0000000000", &mut desk), Ok(60));
    assert_eq!(write("0.500000000000000000000000000000", &mut desk), Ok(65));
    let error = write("0.05", &mut desk).unwrap_err();
    assert_eq!(error.to_string(), "points has more digits than are kept (DECIMALS 1)");
    assert!(write("0.50000000000000000001", &mut desk).is_err());
}
