//! The order of entries over all parts: by score, then by moment, then by part, then by the place within the part.
//!
//! The moment of an entry is the time when the member got its score. Of equal scores, the moment decides the order.

use leaderboard_core::schema::{Order as End, Ties};
use leaderboard_core::{Schema, Score};

/// The last possible moment. If the first of equal scores wins, this moment is behind all other moments.
const LAST: u64 = i64::MAX.cast_unsigned();

/// The place of an entry in the ranking of the whole board, except for its place within its part. Of two places, the
/// smaller place is ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    key: u64,
    moment: u64,
    part: u16,
}

/// The entries of a part that are ahead of a score and a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Only the better entries.
    Before,
    /// The better entries and the equal ones.
    After,
}

impl Side {
    pub const fn word(self) -> &'static [u8] {
        match self {
            Self::Before => b"BEFORE",
            Self::After => b"AFTER",
        }
    }
}

/// How the entries of a board are ordered: from the first place or from the last place.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    end: End,
    last_wins: bool,
    from_last: bool,
}

impl Order {
    pub fn new(schema: &Schema, from_last: bool) -> Self {
        Self { end: schema.order, last_wins: schema.ties == Ties::Last, from_last }
    }

    /// Returns the place of an entry in the ranking of the whole board, from its score, its moment and the number of
    /// its part.
    pub fn place(self, score: Score, moment: u64, part: u16) -> Place {
        let key = self.end.rank_key(score);
        let moment = if self.last_wins { LAST.saturating_sub(moment) } else { moment };
        match self.from_last {
            false => Place { key, moment, part },
            true => Place { key: !key, moment: !moment, part: !part },
        }
    }

    /// Returns whether entries of the part `other` are ahead of an entry of the part `own` that has the same score and
    /// the same moment. In its own part, the place of the entry is ahead of its equals.
    pub const fn side(self, own: u16, other: u16) -> Side {
        if other != own && (other < own) != self.from_last { Side::After } else { Side::Before }
    }

    /// Returns the moment that is ahead of all other moments of the same score.
    pub const fn foremost(self) -> u64 {
        if self.last_wins == self.from_last { 0 } else { LAST }
    }
}

/// Returns whether the moment of an entry is known. Periods that have ended, and rankings that are computed, do not
/// keep all moments.
pub fn is_known(schema: &Schema, moment: u64) -> bool {
    moment != if schema.ties == Ties::Last { 0 } else { LAST }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns entries as score, moment and part, sorted by their places: the best entry is the first.
    fn sorted(schema: &Schema, from_last: bool) -> Vec<(i64, u64, u16)> {
        let mut all = Vec::new();
        for score in [-1, 5] {
            for moment in [1, 9] {
                all.extend([1, 0].map(|part| (score, moment, part)));
            }
        }
        let order = Order::new(schema, from_last);
        all.sort_by_key(|(score, moment, part)| {
            order.place(Score::from_units(*score).unwrap(), *moment, *part)
        });
        all
    }

    #[test]
    fn scores_moments_and_parts_decide() {
        let schema = Schema::default();
        let first = sorted(&schema, false);
        assert_eq!(first[..4], [(5, 1, 0), (5, 1, 1), (5, 9, 0), (5, 9, 1)]);
        let ascending = Schema { order: End::Asc, ties: Ties::Last, ..Schema::default() };
        assert_eq!(sorted(&ascending, false)[..4], [(-1, 9, 0), (-1, 9, 1), (-1, 1, 0), (-1, 1, 1)]);
    }

    #[test]
    fn from_the_last_place_everything_is_the_other_way_round() {
        for ties in [Ties::First, Ties::Last] {
            let schema = Schema { ties, ..Schema::default() };
            let mut reversed = sorted(&schema, true);
            reversed.reverse();
            assert_eq!(reversed, sorted(&schema, false));
        }
    }

    #[test]
    fn no_moment_is_ahead_of_the_foremost() {
        for (ties, from_last) in
            [(Ties::First, false), (Ties::First, true), (Ties::Last, false), (Ties::Last, true)]
        {
            let order = Order::new(&Schema { ties, ..Schema::default() }, from_last);
            let foremost = order.place(Score::ZERO, order.foremost(), 3);
            assert!([0, 1, 1 << 40, LAST].iter().all(|at| foremost <= order.place(Score::ZERO, *at, 3)));
        }
    }

    #[test]
    fn equals_of_lower_parts_are_ahead() {
        let schema = Schema::default();
        let sides = |from_last| [0, 2].map(|other| Order::new(&schema, from_last).side(1, other));
        assert_eq!(sides(false), [Side::After, Side::Before]);
        assert_eq!(sides(true), [Side::Before, Side::After]);
    }
}
