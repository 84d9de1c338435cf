//! The rules of a board: how writes change scores, and how scores are ordered.

use crate::Error;
use crate::calendar::Calendar;
use crate::dimensions::Dimensions;
use crate::levels::Levels;
use crate::notation::Notation;
use crate::parts::Role;
use crate::score::{MAX_DECIMALS, Score};
use crate::time::{Clock, MAX_MILLIS};
use crate::words::words;

pub use crate::order::Order;

/// The maximum number of places at the top that can be watched. Each change of a board reads all of them.
const MAX_NOTIFY_TOP: u32 = 1_000;
/// The longest time that a request id can be remembered: ten years, in seconds.
pub(crate) const MAX_DEDUP_SECONDS: u32 = 315_360_000;

/// How a write changes a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Aggregate {
    /// The value is added to the score.
    #[default]
    Sum,
    /// The greater of both is the new score.
    Max,
    /// The smaller of both is the new score.
    Min,
    /// The value replaces the score. The latest event is used.
    Last,
}
words!(Aggregate, "AGGREGATE", "SUM, MAX, MIN, LAST", Sum = "SUM", Max = "MAX", Min = "MIN", Last = "LAST");

/// The order of members with equal scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// The member that got the score first is ranked higher.
    #[default]
    First,
    /// The member that got the score last is ranked higher.
    Last,
    /// The member with the smaller name is ranked higher. Names are compared byte by byte.
    Lex,
    /// The member with the greater name is ranked higher.
    RevLex,
}
words!(
    Ties,
    "TIES",
    "FIRST, LAST, LEX, REVLEX",
    First = "FIRST",
    Last = "LAST",
    Lex = "LEX",
    RevLex = "REVLEX"
);

impl Ties {
    /// Returns whether equal scores are ordered by name, so that moments are not used.
    pub(crate) const fn are_by_name(self) -> bool {
        matches!(self, Self::Lex | Self::RevLex)
    }
}

words!(Clock, "CLOCK", "SERVER, EVENT", Server = "SERVER", Event = "EVENT");

/// How ranks are counted among equal scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranks {
    /// 1, 2, 3, 4: members with equal scores are ranked by the tie rule.
    #[default]
    Ordinal,
    /// 1, 2, 2, 4.
    Competition,
    /// 1, 2, 2, 3.
    Dense,
}
words!(
    Ranks,
    "RANKS",
    "ORDINAL, COMPETITION, DENSE",
    Ordinal = "ORDINAL",
    Competition = "COMPETITION",
    Dense = "DENSE"
);

/// One of the two counts of votes on a board with `SHOWN`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tally {
    /// The votes that readers see: votes multiplied by their weights, and the initial votes of candidates.
    #[default]
    Shown,
    /// The votes that were cast.
    Real,
}

/// The rules of a board. Only [`Schema::dedup`], [`Schema::keep`], [`Schema::declared`], [`Schema::notify_top`] and
/// [`Schema::segments`] can be changed after the board was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// Whether the greatest or the smallest score is at the top.
    pub order: Order,
    /// How a write changes a score.
    pub aggregate: Aggregate,
    /// The order of members with equal scores.
    pub ties: Ties,
    /// The number of digits after the point of scores, 0 to 9.
    pub decimals: u8,
    /// The levels of the board's scores, if the scores are not decimals.
    pub levels: Option<Levels>,
    /// The clock that gives the time of writes.
    pub clock: Clock,
    /// The minimum number of seconds for which a request id is remembered; 0 means that ids are not remembered.
    pub dedup: u32,
    /// The time zone and the rules that determine where days, weeks and years begin.
    pub calendar: Calendar,
    /// Whether real votes and shown votes are counted separately.
    pub shown: bool,
    /// Whether only members that have joined, or were declared as candidates, can get scores and votes.
    pub declared: bool,
    /// How many members each view keeps: its best members. 0 means all members.
    pub keep: u32,
    /// The number of watched places at the top. An event is published when another member takes one of these places.
    pub notify_top: u32,
    /// The dimensions in which members are in segments.
    pub segments: Dimensions,
    /// Whether the board is whole, a part, or the root of parts.
    pub role: Role,
}

impl Default for Schema {
    fn default() -> Self {
        Self {
            order: Order::default(),
            aggregate: Aggregate::default(),
            ties: Ties::default(),
            decimals: 0,
            levels: None,
            clock: Clock::default(),
            dedup: 600,
            calendar: Calendar::default(),
            shown: false,
            declared: false,
            keep: 0,
            notify_top: 0,
            segments: Dimensions::default(),
            role: Role::default(),
        }
    }
}

impl Schema {
    /// Checks combinations of rules that the types of the fields do not check.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], [`Error::NeedsSum`], [`Error::NotWithParts`] or [`Error::Conflict`], naming the option.
    pub fn check(&self) -> Result<(), Error> {
        if self.decimals > MAX_DECIMALS {
            return Err(Error::OutOfRange("DECIMALS"));
        }
        if self.dedup > MAX_DEDUP_SECONDS {
            return Err(Error::OutOfRange("DEDUP"));
        }
        if self.notify_top > MAX_NOTIFY_TOP {
            return Err(Error::OutOfRange("NOTIFYTOP"));
        }
        if self.calendar.origin > MAX_MILLIS {
            return Err(Error::OutOfRange("ORIGIN"));
        }
        if self.keep > 0 && self.shown {
            return Err(Error::NotWithShown("KEEP"));
        }
        if self.aggregate != Aggregate::Sum && self.shown {
            return Err(Error::NeedsSum("SHOWN"));
        }
        if self.levels.is_some() && self.segments.have_sums() {
            return Err(Error::NotWithLevels("SEGMENTS with SUM"));
        }
        let excluded =
            [("ORDER", self.order != Order::Desc), ("DECIMALS", self.decimals > 0), ("SHOWN", self.shown)];
        match excluded.into_iter().find(|(_, is_there)| *is_there && self.levels.is_some()) {
            Some((option, _)) => Err(Error::Conflict("LEVELS", option)),
            None => self.check_parts(),
        }
    }

    /// Checks that no rule needs all members, if the members are in parts.
    fn check_parts(&self) -> Result<(), Error> {
        let whole = [
            ("CLOCK EVENT", self.clock == Clock::Event),
            ("TIES LEX", self.ties == Ties::Lex),
            ("TIES REVLEX", self.ties == Ties::RevLex),
            ("SHOWN", self.shown),
            ("DECLARED", self.declared),
            ("KEEP", self.keep > 0),
            ("SEGMENTS", !self.segments.is_empty()),
        ];
        match whole.into_iter().find(|(_, is_there)| *is_there && self.role != Role::Whole) {
            Some((option, _)) => Err(Error::NotWithParts(option)),
            None => Ok(()),
        }
    }

    /// Checks that a saved score is a valid score of the board.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub(crate) fn check_saved(&self, score: Score) -> Result<(), Error> {
        let is_sound = self.levels.as_ref().is_none_or(|levels| levels.has(score));
        if is_sound { Ok(()) } else { Err(Error::Corrupt("a score out of range")) }
    }

    /// Checks that scores have no levels, for a command that only handles decimals.
    ///
    /// # Errors
    /// [`Error::NotWithLevels`], naming the command.
    pub const fn needs_decimals(&self, command: &'static str) -> Result<(), Error> {
        if self.levels.is_some() { Err(Error::NotWithLevels(command)) } else { Ok(()) }
    }

    /// Returns the notation of scores.
    #[must_use]
    pub fn notation(&self) -> Notation {
        match &self.levels {
            Some(levels) => Notation::Levels(levels.clone()),
            None => Notation::Decimals(self.decimals),
        }
    }

    /// Returns the rank key of a score in this order. The best score has the smallest rank key.
    pub(crate) const fn rank_key(&self, score: Score) -> u64 {
        self.order.rank_key(score)
    }

    /// Returns the score that has this rank key: the inverse of [`Schema::rank_key`].
    pub(crate) const fn score(&self, rank_key: u64) -> Score {
        match self.order {
            Order::Desc => Score::from_descending(rank_key),
            Order::Asc => match Score::from_units(Score::MIN.units().wrapping_add_unsigned(rank_key)) {
                Some(score) => score,
                None => Score::MIN,
            },
        }
    }

    /// Returns the sum of the scores of `len` members, in smallest units, from the sum of their rank keys.
    pub(crate) fn sum_of_rank_keys(&self, keys: u128, len: u64) -> i128 {
        let keys = i128::try_from(keys).unwrap_or(i128::MAX);
        let ends = i128::from(Score::MAX.units()).saturating_mul(len.into());
        match self.order {
            Order::Desc => ends.saturating_sub(keys),
            Order::Asc => keys.saturating_sub(ends),
        }
    }

    /// Returns the rank keys of a closed range of scores, best first.
    pub(crate) fn rank_keys(&self, low: Score, high: Score) -> (u64, u64) {
        let (a, b) = (self.rank_key(low), self.rank_key(high));
        (a.min(b), a.max(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_read_in_any_case_and_errors_list_them() {
        assert_eq!(Order::parse(b"asc"), Ok(Order::Asc));
        assert_eq!(Ties::parse(b"RevLex").map(|ties| ties.to_string()), Ok("REVLEX".to_owned()));
        let error = Aggregate::parse(b"AVG").unwrap_err();
        assert_eq!(error.to_string(), "AGGREGATE must be one of SUM, MAX, MIN, LAST");
    }

    proptest! {
        #[test]
        fn rank_keys_order_scores_and_lead_back(a in -i64::MAX..=i64::MAX, b in -i64::MAX..=i64::MAX) {
            let (a, b) = (Score::from_units(a).unwrap(), Score::from_units(b).unwrap());
            let descending = Schema::default();
            let ascending = Schema { order: Order::Asc, ..Schema::default() };
            prop_assert_eq!(descending.rank_key(a).cmp(&descending.rank_key(b)), b.cmp(&a));
            prop_assert_eq!(ascending.rank_key(a).cmp(&ascending.rank_key(b)), a.cmp(&b));
            prop_assert_eq!(descending.score(descending.rank_key(a)), a);
            prop_assert_eq!(ascending.score(ascending.rank_key(a)), a);
        }
    }
}
