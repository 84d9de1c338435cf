//! Converts between doubles, which are the scores of sorted sets, and decimals, which are the scores of boards.
//! Only import and export use doubles.

use crate::error::Quoted;
use crate::score::{Decimal, Score};
use crate::{Error, MAX_NAME};

/// The name of the argument in errors.
const NAME: &str = "score";
/// All whole numbers below this limit are exact as doubles.
const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

/// Returns the score of a double: the shortest decimal that is read as this double. If this decimal has more than
/// `decimals` digits and `rounds` is true, the nearest score is used; if two scores are equally near, the one
/// further from 0.
///
/// # Errors
/// [`Error::TooManyDigits`], [`Error::OutOfRange`], naming the argument `score`.
pub fn score_of(double: f64, decimals: u8, rounds: bool) -> Result<Score, Error> {
    if double.fract() == 0.0 && double.abs() < EXACT as f64 {
        return Decimal::whole(double as i64).to_score(decimals, NAME);
    }
    if !double.is_finite() {
        return Err(Error::OutOfRange(NAME));
    }
    let text = double.to_string();
    match Decimal::parse(text.as_bytes(), NAME)?.to_score(decimals, NAME) {
        Err(Error::TooManyDigits(..)) if rounds => rounded(&text, decimals),
        score => score,
    }
}

/// Returns the score that a member of a sorted set gets on a board.
///
/// # Errors
/// [`Error::BadMember`], [`Error::TooManyDigitsOf`], [`Error::ScoreOutOfRange`], naming the member.
pub fn score_for(member: &[u8], score: f64, decimals: u8, rounds: bool) -> Result<Score, Error> {
    if member.is_empty() || member.len() > MAX_NAME {
        return Err(Error::BadMember(Quoted::new(member), MAX_NAME));
    }
    score_of(score, decimals, rounds).map_err(|error| match error {
        Error::TooManyDigits(..) => Error::TooManyDigitsOf(Quoted::new(member), decimals),
        _ => Error::ScoreOutOfRange(Quoted::new(member)),
    })
}

/// Returns the score that is nearest to a decimal with too many digits.
fn rounded(text: &str, decimals: u8) -> Result<Score, Error> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let (kept, cut) = fraction.split_at_checked(usize::from(decimals)).unwrap_or((fraction, ""));
    let kept = if kept.is_empty() { whole.to_owned() } else { format!("{whole}.{kept}") };
    let score = Decimal::parse(kept.as_bytes(), NAME)?.to_score(decimals, NAME)?;
    if !cut.starts_with(['5', '6', '7', '8', '9']) {
        return Ok(score);
    }
    let more = Score::from_units(if text.starts_with('-') { -1 } else { 1 }).unwrap_or_default();
    score.plus(more).map_err(|_| Error::OutOfRange(NAME))
}

/// Returns the double that is nearest to a score.
#[must_use]
pub fn double_of(score: Score, decimals: u8) -> f64 {
    let units = score.units();
    if decimals == 0 || units.unsigned_abs() < EXACT {
        // The quotient of two exact doubles is the double that is nearest to the exact quotient. Powers of ten with
        // up to nine zeros are exact doubles.
        return units as f64 / 10_f64.powi(i32::from(decimals));
    }
    score.display(decimals).to_string().parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn units(double: f64, decimals: u8) -> Result<i64, Error> {
        score_of(double, decimals, false).map(Score::units)
    }

    #[test]
    fn the_shortest_decimal_counts() {
        assert_eq!(units(0.1, 1), Ok(1));
        assert_eq!(units(-2.5, 9), Ok(-2_500_000_000));
        assert_eq!(units(-0.0, 2), Ok(0));
        assert_eq!(units(1e-9, 9), Ok(1));
        assert_eq!(units(9_007_199_254_740_993.0, 0), Ok(9_007_199_254_740_992));
        assert_eq!(units(1e18, 0), Ok(1_000_000_000_000_000_000));
        assert_eq!(units(0.5, 0), Err(Error::TooManyDigits("score", 0)));
        assert_eq!(units(0.1 + 0.2, 9), Err(Error::TooManyDigits("score", 9)));
        for double in [1e19, -1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert_eq!(units(double, 0), Err(Error::OutOfRange("score")), "{double}");
        }
    }

    #[test]
    fn rounding_goes_to_the_nearest() {
        let rounded = |double, decimals| score_of(double, decimals, true).map(Score::units);
        assert_eq!(rounded(0.1 + 0.2, 1), Ok(3));
        assert_eq!(rounded(-2.6, 0), Ok(-3));
        assert_eq!(rounded(-0.04, 1), Ok(0));
        assert_eq!(rounded(1.006, 2), Ok(101));
        assert_eq!(rounded(1.005, 2), Ok(101));
        assert_eq!((rounded(2.5, 0), rounded(-2.5, 0), rounded(-0.5, 0)), (Ok(3), Ok(-3), Ok(-1)));
        assert_eq!(rounded(770_913_414_779_007_000.0, 0), Ok(770_913_414_779_007_000));
        assert_eq!(rounded(900_719_925_474_099.3, 1), Ok(9_007_199_254_740_993));
        assert_eq!(rounded(9e18, 0), Ok(9_000_000_000_000_000_000));
        assert_eq!(rounded(1e19, 0), Err(Error::OutOfRange("score")));
    }

    proptest! {
        #[test]
        fn there_and_back(units in -(1_i64 << 49)..1 << 49, decimals in 0..=9_u8) {
            let score = Score::from_units(units).unwrap();
            prop_assert_eq!(score_of(double_of(score, decimals), decimals, false), Ok(score));
        }

        #[test]
        fn the_nearest_double(units in -i64::MAX..=i64::MAX, decimals in 0..=9_u8) {
            let score = Score::from_units(units).unwrap();
            let text = score.display(decimals).to_string();
            prop_assert_eq!(double_of(score, decimals), text.parse::<f64>().unwrap());
        }
    }
}
