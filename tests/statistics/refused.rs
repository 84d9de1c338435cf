//! Tests of wrong arguments of statistics: the error names each of them, and nothing has changed.

use crate::arguments::Guarded;

#[test]
fn a_share_is_a_decimal_from_0_to_1() {
    let mut guarded = Guarded::start();
    for share in ["x", "1e-1", ".5", "1.", "<0>", "nan", "inf", "--1", "(0", "\\xff"] {
        guarded.refuses(&format!(
            "LB.QUANTILE KEY {share} => q is not a decimal number
             LB.QUANTILE KEY 0.5 {share} => q is not a decimal number
             LB.QUANTILE KEY 0.5 {share} VIEW all => q is not a decimal number"
        ));
    }
    guarded.refuses(
        "LB.QUANTILE KEY 1.000000001 => q must be from 0 to 1
         LB.QUANTILE KEY 0.5 2 => q must be from 0 to 1
         LB.QUANTILE KEY -0.1 => q must be from 0 to 1
         LB.QUANTILE KEY 99999999999999999999999999 => q must be from 0 to 1
         LB.QUANTILE KEY 0.1234567891 => q has more than 9 digits after the point
         LB.QUANTILE KEY VIEW all => q is not a decimal number
         LB.QUANTILE KEY 0.5 FOO => q is not a decimal number
         LB.QUANTILE KEY 0.5 VIEW => option VIEW needs a value
         LB.QUANTILE KEY 0.5 VIEW all 0.5 => unknown option '0.5'
         LB.QUANTILE board 0.5 VIEW day:7 => VIEW 'day:7' is not a view of this board",
    );
}

#[test]
fn shares_end_with_the_first_one_too_many() {
    let mut guarded = Guarded::start();
    let shares = |count: usize| " 0.5".repeat(count);
    guarded.refuses(&format!(
        "LB.QUANTILE KEY{} x => q is not a decimal number
         LB.QUANTILE KEY{} x => LB.QUANTILE names more than 1000 shares",
        shares(999),
        shares(1_000)
    ));
    let all =
        leaderboard_testkit::session::say(&mut guarded.con, &format!("LB.QUANTILE board{}", shares(1_000)));
    assert_eq!(all, format!("[{}]", ["5"; 1_000].join(" ")));
}

#[test]
fn bounds_and_buckets_are_numbers_in_their_ranges() {
    let mut guarded = Guarded::start();
    for bound in ["x", "1e5", ".5", "1.", "<0>", "nan", "((1", "\\xff", "(inf"] {
        guarded.refuses(&format!(
            "LB.HISTOGRAM KEY {bound} 5 2 => min is not a decimal number
             LB.HISTOGRAM KEY 1 {bound} 2 => max is not a decimal number
             LB.REMRANGEBYSCORE KEY {bound} 5 => min is not a decimal number
             LB.REMRANGEBYSCORE KEY 1 {bound} => max is not a decimal number"
        ));
    }
    for buckets in ["x", "1.5", "<0>", "inf", "-", "1e3"] {
        guarded.refuses(&format!("LB.HISTOGRAM KEY 1 5 {buckets} => buckets is not a whole number"));
    }
    for buckets in ["0", "-1", "10001", "9223372036854775808", "-9223372036854775808"] {
        guarded.refuses(&format!("LB.HISTOGRAM board 1 5 {buckets} => buckets is out of range"));
    }
    guarded.refuses(
        "LB.HISTOGRAM board 5 4 2 => max must not be less than min
         LB.HISTOGRAM board (5 5 2 => max must not be less than min
         LB.HISTOGRAM board 5 (5 2 => max must not be less than min
         LB.HISTOGRAM board (5 (6 2 => max must not be less than min
         LB.HISTOGRAM board +inf -inf 2 => max must not be less than min
         LB.HISTOGRAM cents (0.01 (0.02 2 => max must not be less than min
         LB.HISTOGRAM KEY 1 5 2 FILL => unknown option 'FILL'
         LB.HISTOGRAM KEY 1 5 2 REV REV => option REV is given twice
         LB.STATS KEY REV REV => option REV is given twice
         LB.STATS KEY RANKS ODD => RANKS must be one of ORDINAL, COMPETITION, DENSE
         LB.STATS KEY 1 5 => unknown option '1'",
    );
}

#[test]
fn a_number_of_buckets_is_wrong_without_a_board_too() {
    Guarded::start().refuses(
        "LB.HISTOGRAM absent 1 5 0 => buckets is out of range
         LB.HISTOGRAM absent 1 5 10001 => buckets is out of range",
    );
}

#[test]
fn ten_thousand_buckets_are_told() {
    let mut guarded = Guarded::start();
    let rows: Vec<(u64, u64, u64)> =
        leaderboard_testkit::query(&mut guarded.con, &["LB.HISTOGRAM", "board", "0", "9999", "10000"]);
    assert_eq!(rows.len(), 10_000);
    assert_eq!(rows.iter().map(|row| row.2).sum::<u64>(), 1);
    assert_eq!(rows.iter().find(|row| row.2 == 1).map(|row| row.0), Some(5));
}
