//! Statistics of a ranking: sums, quantiles and histograms. No function here walks through the ranking.

use std::fmt;

use super::Reading;
use crate::schema::Order;
use crate::score::Score;

/// The whole (a share of 1) in billionths. Shares are given in billionths.
const WHOLE: u128 = 1_000_000_000;
/// The number of digits after the decimal point of a mean.
const DIGITS: u32 = 6;

/// Statistics of the scores of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stats {
    /// How many members are ranked.
    pub members: u64,
    /// The sum of their scores, in smallest units.
    pub sum: i128,
    /// The least score.
    pub min: Option<Score>,
    /// The greatest score.
    pub max: Option<Score>,
    /// The lowest score for which at least half of the members have this score or a lower one.
    pub median: Option<Score>,
}

/// A range of scores in a histogram, in smallest units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistogramBucket {
    /// The score at which the bucket begins.
    pub from: Score,
    /// The score at which the bucket ends. Only the last bucket includes this score.
    pub to: Score,
    /// How many members have a score in the bucket.
    pub members: u64,
}

/// A mean as text: exactly six digits after the point. Halves are rounded away from 0.
#[derive(Debug, Clone, Copy)]
pub struct Mean {
    sum: i128,
    members: u64,
    decimals: u8,
}

impl Stats {
    /// Returns the mean of the scores on a board with this number of decimals.
    #[must_use]
    pub const fn mean(&self, decimals: u8) -> Mean {
        Mean { sum: self.sum, members: self.members, decimals }
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = 10_u128.saturating_pow(DIGITS);
        let parts = self.sum.unsigned_abs().saturating_mul(scale);
        let units = u128::from(self.members).saturating_mul(10_u128.saturating_pow(self.decimals.into()));
        let rounded = parts.saturating_mul(2).saturating_add(units).checked_div(units.saturating_mul(2));
        let rounded = rounded.unwrap_or(0);
        let sign = if self.sum < 0 && rounded > 0 { "-" } else { "" };
        let (whole, rest) = (rounded.checked_div(scale), rounded.checked_rem(scale));
        write!(f, "{sign}{}.{:06}", whole.unwrap_or(0), rest.unwrap_or(0))
    }
}

/// Returns the score at which the first `number` buckets end, when a closed range of scores is divided into
/// `buckets` equal buckets.
#[must_use]
pub fn edge((low, high): (Score, Score), number: u64, buckets: u64) -> Score {
    let width = u128::from(low.distance(high));
    let distance = width.saturating_mul(number.into()).div_ceil(buckets.max(1).into());
    let units = i128::from(low.units()).saturating_add_unsigned(distance);
    i64::try_from(units).ok().and_then(Score::from_units).unwrap_or(high)
}

impl Reading<'_> {
    /// Returns statistics of the scores of visible members.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let members = self.len();
        let median = self.quantile(500_000_000);
        Stats { members, sum: self.sum(), min: self.quantile(0), max: self.quantile(1_000_000_000), median }
    }

    /// Returns the sum of the scores, in smallest units.
    #[must_use]
    pub fn sum(&self) -> i128 {
        self.board.schema().sum_of_rank_keys(self.seen.sum_of_rank_keys(), self.len())
    }

    /// Returns the lowest score for which at least this share of the members has this score or a lower one, by
    /// value, for either order of the board. `None` if no member is ranked. The share is in billionths.
    #[must_use]
    pub fn quantile(&self, share: u32) -> Option<Score> {
        let members = self.len();
        let wanted = u128::from(share).saturating_mul(members.into()).div_ceil(WHOLE);
        let number = u64::try_from(wanted).unwrap_or(u64::MAX).clamp(1, members.max(1));
        let is_from_least = (self.board.schema().order == Order::Asc) != self.from_last;
        let before = if is_from_least { number.checked_sub(1) } else { members.checked_sub(number) };
        let at = self.seen.select(before?)?;
        Some(self.board.schema().score(at.rank_key()))
    }

    /// Returns how many members have scores in each of `buckets` ranges. The widths of the ranges differ by at most
    /// one unit.
    #[must_use]
    pub fn histogram(&self, low: Score, high: Score, buckets: u64) -> Vec<HistogramBucket> {
        let mut all = Vec::with_capacity(usize::try_from(buckets).unwrap_or(0));
        let (mut from, mut before) = (low, self.below(low, false));
        for number in 1..=buckets {
            let to = edge((low, high), number, buckets);
            let up_to = self.below(to, number == buckets);
            all.push(HistogramBucket { from, to, members: up_to.saturating_sub(before) });
            (from, before) = (to, up_to);
        }
        all
    }

    /// Returns how many members have a score below this score, or equal to it if `included` is true.
    fn below(&self, score: Score, included: bool) -> u64 {
        let schema = self.board.schema();
        let rank_key = schema.rank_key(score);
        let better_than = |is_behind: bool| self.seen.better_than(rank_key.saturating_add(is_behind.into()));
        match schema.order {
            Order::Desc => self.len().saturating_sub(better_than(!included)),
            Order::Asc => better_than(included),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_have_six_digits() {
        let mean = |sum, members, decimals| Mean { sum, members, decimals }.to_string();
        assert_eq!(mean(10, 4, 0), "2.500000");
        assert_eq!(mean(-10, 3, 0), "-3.333333");
        assert_eq!(mean(-20, 3, 1), "-0.666667");
        assert_eq!(mean(1, 2_000_000, 0), "0.000001");
        assert_eq!(mean(-1, 3_000_000, 0), "0.000000");
        assert_eq!(mean(5, 1, 9), "0.000000");
        assert_eq!(
            mean(i128::from(i64::MAX) * 4_000_000_000, 4_000_000_000, 0),
            "9223372036854775807.000000"
        );
    }
}
