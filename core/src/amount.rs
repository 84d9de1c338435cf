//! Numbers as clients write them, before they are read by the rules of a board: the amounts of writes, and the bounds
//! of ranges, which need not be scores of the board.

use crate::Error;
use crate::levels::is_tuple;
use crate::schema::Schema;
use crate::score::{Decimal, Digits, Score};

/// Points or a score: a decimal, or one whole number for each level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount<'a> {
    /// A decimal. It may also be the value of the only level.
    Decimal(Decimal),
    /// Whole numbers joined by `/`.
    Levels(&'a [u8]),
}

impl From<Decimal> for Amount<'_> {
    fn from(decimal: Decimal) -> Self {
        Self::Decimal(decimal)
    }
}

impl<'a> Amount<'a> {
    /// Reads points or a score. `argument` is named in the error.
    ///
    /// # Errors
    /// The errors of [`Decimal::parse`].
    pub fn parse(text: &'a [u8], argument: &'static str) -> Result<Self, Error> {
        match Decimal::parse(text, argument) {
            Err(_) if text.contains(&b'/') && is_tuple(text) => Ok(Self::Levels(text)),
            number => number.map(Self::Decimal),
        }
    }

    /// Returns this amount as a score of a board.
    ///
    /// # Errors
    /// The errors of [`Decimal::to_score`]; [`Error::NotLevels`] and [`Error::LevelOutOfRange`].
    pub fn to_score(self, schema: &Schema, argument: &'static str) -> Result<Score, Error> {
        let Some(levels) = &schema.levels else {
            return match self {
                Self::Decimal(decimal) => decimal.to_score(schema.decimals, argument),
                Self::Levels(_) => Err(Error::NotANumber(argument)),
            };
        };
        let tuple = match self {
            Self::Levels(text) => levels.read(text),
            // One number is enough only if there is a single level.
            Self::Decimal(decimal) if levels.count() == 1 => {
                let value = decimal.to_score(0, argument).ok();
                value.map(|value| std::iter::once(value.units().into()).collect())
            }
            Self::Decimal(_) => None,
        };
        let tuple = tuple.ok_or(Error::NotLevels(argument, levels.count()))?;
        levels.code(&tuple).map_err(|level| Error::LevelOutOfRange(argument, level))
    }
}

/// One end of a range of scores, as in `ZRANGEBYSCORE`: `5`, `(5`, `-inf`, `+inf`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound<'a> {
    /// Below every score.
    Lowest,
    /// Above every score.
    Highest,
    /// A score that is equal to this is inside of the range.
    Included(Edge<'a>),
    /// A score that is equal to this is outside of the range.
    Excluded(Edge<'a>),
}

impl<'a> Bound<'a> {
    /// Reads one end of a range.
    ///
    /// # Errors
    /// [`Error::NotANumber`], naming the argument.
    pub fn parse(text: &'a [u8], argument: &'static str) -> Result<Self, Error> {
        if text.eq_ignore_ascii_case(b"-inf") {
            return Ok(Self::Lowest);
        }
        if text.eq_ignore_ascii_case(b"+inf") || text.eq_ignore_ascii_case(b"inf") {
            return Ok(Self::Highest);
        }
        match text.strip_prefix(b"(") {
            Some(text) => Edge::parse(text, argument).map(Self::Excluded),
            None => Edge::parse(text, argument).map(Self::Included),
        }
    }
}

/// The number of a bound: a decimal of any length, or whole numbers joined by `/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge<'a>(&'a [u8]);

impl<'a> Edge<'a> {
    fn parse(text: &'a [u8], argument: &'static str) -> Result<Self, Error> {
        let is_number = is_tuple(text) || Digits::of(text).is_some();
        is_number.then_some(Self(text)).ok_or(Error::NotANumber(argument))
    }

    /// Returns the place of the edge in the order of the board's scores.
    fn cut(self, schema: &Schema, argument: &'static str) -> Result<Cut, Error> {
        let (floor, is_score) = match &schema.levels {
            Some(levels) => {
                let tuple = levels.read(self.0).ok_or(Error::NotLevels(argument, levels.count()))?;
                levels.floor(&tuple)
            }
            None => floor(Digits::of(self.0).ok_or(Error::NotANumber(argument))?, schema.decimals),
        };
        Ok(Cut { floor: floor.clamp(BELOW_ALL, ABOVE_ALL), is_score })
    }
}

/// The number of units that is one unit below all scores, and the number that is one unit above all scores.
const BELOW_ALL: i128 = Score::MIN.units() as i128 - 1;
const ABOVE_ALL: i128 = Score::MAX.units() as i128 + 1;

/// A place in the order of scores: at a score, or between two scores.
#[derive(Debug, Clone, Copy)]
struct Cut {
    /// The greatest score that is not above the place, in units.
    floor: i128,
    /// Whether the place is at this score.
    is_score: bool,
}

impl Cut {
    /// Returns the first score above the place.
    const fn above(self) -> i128 {
        self.floor.saturating_add(1)
    }

    /// Returns the first score that is not below the place.
    const fn ceiling(self) -> i128 {
        if self.is_score { self.floor } else { self.above() }
    }

    /// Returns the last score below the place.
    const fn below(self) -> i128 {
        self.ceiling().saturating_sub(1)
    }
}

/// Returns the greatest number of units that is not above a decimal, and whether it is equal to the decimal.
fn floor(Digits { negative, whole, fraction }: Digits, decimals: u8) -> (i128, bool) {
    let (kept, cut) = fraction.split_at_checked(usize::from(decimals)).unwrap_or((fraction, &[]));
    let missing = usize::from(decimals).saturating_sub(kept.len());
    let digits = whole.iter().chain(kept).chain(std::iter::repeat_n(&b'0', missing));
    let magnitude =
        digits.fold(0_i128, |sum, digit| sum.saturating_mul(10).saturating_add(i128::from(digit & 0x0f)));
    // No digits are left over. The last digit of a decimal is never 0, so left-over digits are never all 0.
    let is_whole = cut.is_empty();
    let floor = if negative { magnitude.saturating_neg() } else { magnitude };
    (floor.saturating_sub(i128::from(negative && !is_whole)), is_whole)
}

impl Schema {
    /// Returns the closed range of scores between two bounds; `None` if it is empty.
    ///
    /// # Errors
    /// [`Error::NotANumber`] and [`Error::NotLevels`], naming `min` or `max`.
    pub fn score_range(&self, min: Bound, max: Bound) -> Result<Option<(Score, Score)>, Error> {
        let low = match min {
            Bound::Lowest => BELOW_ALL,
            Bound::Highest => ABOVE_ALL,
            Bound::Included(edge) => edge.cut(self, "min")?.ceiling(),
            Bound::Excluded(edge) => edge.cut(self, "min")?.above(),
        };
        let high = match max {
            Bound::Lowest => BELOW_ALL,
            Bound::Highest => ABOVE_ALL,
            Bound::Included(edge) => edge.cut(self, "max")?.floor,
            Bound::Excluded(edge) => edge.cut(self, "max")?.below(),
        };
        let score = |units: i128| i64::try_from(units).ok().and_then(Score::from_units);
        let range =
            score(low.max(BELOW_ALL.saturating_add(1))).zip(score(high.min(ABOVE_ALL.saturating_sub(1))));
        Ok(range.filter(|(low, high)| low <= high))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

    use super::*;
    use crate::levels::Levels;
    use proptest::prelude::*;

    fn board(decimals: u8, levels: &str) -> Schema {
        let levels = (!levels.is_empty()).then(|| Levels::parse(levels.as_bytes()).unwrap());
        Schema { decimals, levels, ..Schema::default() }
    }

    fn range(schema: &Schema, min: &str, max: &str) -> Result<Option<(i64, i64)>, Error> {
        let min = Bound::parse(min.as_bytes(), "min")?;
        let max = Bound::parse(max.as_bytes(), "max")?;
        Ok(schema.score_range(min, max)?.map(|(low, high)| (low.units(), high.units())))
    }

    #[test]
    fn ranges() {
        let tenths = board(1, "");
        let range = |min: &str, max: &str| range(&tenths, min, max);
        let (most, thousand) = (i64::MAX, "9".repeat(1000));
        assert_eq!(range("-inf", "+inf"), Ok(Some((-most, most))));
        assert_eq!(range("1", "(2"), Ok(Some((10, 19))));
        assert_eq!(range("(1", "2.5"), Ok(Some((11, 25))));
        assert_eq!(range("(1", "(1.1"), Ok(None));
        assert_eq!(range("+inf", "-inf"), Ok(None));
        assert_eq!(range("2", "1"), Ok(None));
        assert_eq!(range("1.05", "1.1500"), Ok(Some((11, 11))));
        assert_eq!(range("(1.05", "(1.1500"), Ok(Some((11, 11))));
        assert_eq!(range("-1.15", "-1.05"), Ok(Some((-11, -11))));
        assert_eq!(range("(1.000", "2.000"), Ok(Some((11, 20))));
        assert_eq!(range(&format!("-{thousand}"), &format!("({thousand}.5")), Ok(Some((-most, most))));
        assert_eq!(range(&thousand, "+inf"), Ok(None));
        assert_eq!(range("-inf", &format!("-{thousand}")), Ok(None));
        assert_eq!(range("922337203685477580.7", "+inf"), Ok(Some((most, most))));
        assert_eq!(range("(922337203685477580.7", "+inf"), Ok(None));
        assert_eq!(range("-inf", "(-922337203685477580.7"), Ok(None));
        assert_eq!(range("-inf", "-922337203685477580.71"), Ok(None));
        for text in ["", "(", "((1", "1.", "x", "1e3", "1/", "1/2.5"] {
            assert_eq!(range(text, "1"), Err(Error::NotANumber("min")), "{text}");
            assert_eq!(range("1", text), Err(Error::NotANumber("max")), "{text}");
        }
        assert_eq!(range("1/2", "3"), Err(Error::NotANumber("min")));
    }

    #[test]
    fn ranges_of_levels() {
        let medals = board(0, "gold:DESC:20,silver:DESC:20");
        let range = |min: &str, max: &str| range(&medals, min, max);
        let most = (41 * 41 - 1) / 2;
        assert_eq!(range("1/2", "(3/4"), Ok(Some((43, 126))));
        assert_eq!(range("-500/0", "500/0"), Ok(Some((-most, most))));
        assert_eq!(range("(1/20", "1/21"), Ok(None));
        assert_eq!(range("1/21", "2/-21"), Ok(None));
        assert_eq!(range("-inf", "+inf"), Ok(Some((-i64::MAX, i64::MAX))));
        assert_eq!(range("1", "3/4"), Err(Error::NotLevels("min", 2)));
        assert_eq!(range("1/2", "3/4/5"), Err(Error::NotLevels("max", 2)));
        assert_eq!(range("1/2", "1.5"), Err(Error::NotLevels("max", 2)));
        assert_eq!(super::tests::range(&board(0, "lives:ASC:20"), "3", "(-4"), Ok(Some((-3, 3))));
    }

    #[test]
    fn amounts() {
        let read = |text: &str, schema: &Schema| {
            Amount::parse(text.as_bytes(), "points")?.to_score(schema, "points").map(Score::units)
        };
        let (hundredths, medals) = (board(2, ""), board(0, "gold:DESC:20,silver:DESC:20"));
        assert_eq!(read("5.00", &hundredths), Ok(500));
        assert_eq!(read("1/2", &hundredths), Err(Error::NotANumber("points")));
        assert_eq!(read("1/2", &medals), Ok(43));
        assert_eq!(read("5", &board(0, "lives:ASC:20")), Ok(-5));
        for text in ["5", "1.5", "1/2/3"] {
            assert_eq!(read(text, &medals), Err(Error::NotLevels("points", 2)), "{text}");
        }
        for text in ["1/x", "/", "1/2.0", "1/"] {
            assert_eq!(read(text, &medals), Err(Error::NotANumber("points")), "{text}");
        }
        let error = read("1/21", &medals).unwrap_err();
        assert_eq!(error.to_string(), "points: level silver is out of range");
    }

    /// Generates a decimal: its value in units of `10^-digits`, `digits`, and its text.
    fn decimal() -> impl Strategy<Value = (i128, u32, String)> {
        let units = prop_oneof![-2_000..2_000_i128, -i128::from(u64::MAX)..i128::from(u64::MAX)];
        (units, 0..13_u32, 0..3_usize).prop_map(|(units, digits, zeros)| {
            let (scale, size) = (10_u128.pow(digits), units.unsigned_abs());
            let sign = if units < 0 { "-" } else { "" };
            let fraction = format!("{:0>width$}{}", size % scale, "0".repeat(zeros), width = digits as usize);
            let text = match digits {
                0 => format!("{sign}{size}"),
                _ => format!("{sign}{}.{fraction}", size / scale),
            };
            (units, digits, text)
        })
    }

    proptest! {
        #[test]
        fn scores_compare_with_any_decimal(
            (units, digits, text) in decimal(),
            decimals in 0..=9_u8,
            near in -2..=2_i128,
            excluded in any::<bool>(),
        ) {
            let schema = board(decimals, "");
            // A score near the bound. The score and the bound are then compared over the same denominator.
            let score = units * 10_i128.pow(decimals.into()) / 10_i128.pow(digits) + near;
            let score = score.clamp(-i128::from(i64::MAX), i128::from(i64::MAX));
            let found = (score * 10_i128.pow(digits)).cmp(&(units * 10_i128.pow(decimals.into())));
            let bound = format!("{}{text}", if excluded { "(" } else { "" });
            let holds = |(low, high): (i64, i64)| i128::from(low) <= score && score <= i128::from(high);
            let above = range(&schema, &bound, "+inf").unwrap().is_some_and(holds);
            let below = range(&schema, "-inf", &bound).unwrap().is_some_and(holds);
            prop_assert_eq!(above, found.is_gt() || !excluded && found.is_eq());
            prop_assert_eq!(below, found.is_lt() || !excluded && found.is_eq());
        }
    }
}
