//! The order of scores, and keys of scores that sort in this order.

use crate::score::Score;
use crate::words::words;

/// The order of scores: whether the greatest or the smallest score is at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The greatest score is rank 1.
    #[default]
    Desc,
    /// The smallest score is rank 1.
    Asc,
}
words!(Order, "ORDER", "DESC, ASC", Desc = "DESC", Asc = "ASC");

impl Order {
    /// Returns the rank key of a score in this order. The best score has the smallest rank key.
    #[must_use]
    pub const fn rank_key(self, score: Score) -> u64 {
        match self {
            Self::Desc => score.descending(),
            Self::Asc => score.units().abs_diff(Score::MIN.units()),
        }
    }
}
