//! Reading a board: ranks, scores, ranges, standings. Nothing here changes anything.

use super::Board;
use crate::Error;
use crate::index::{Iter, MemberId, Place};
use crate::schema::Ranks;
use crate::score::Score;
use crate::time::Millis;

/// One line of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// From 1, counted as asked for.
    pub rank: u64,
    /// The member; [`Board::name`] and [`Board::meta_of`] tell more.
    pub id: MemberId,
    /// The exact score.
    pub score: Score,
}

/// Lines of a ranking, best first.
#[derive(Debug, Clone)]
pub struct Rows<'a> {
    board: &'a Board,
    entries: Iter<'a>,
    left: u64,
    /// How many entries are before the next one.
    before: u64,
    ranks: Ranks,
    /// Grade and rank of the line before.
    last: Option<(u64, u64)>,
}

impl Rows<'_> {
    /// How many lines are to come.
    #[must_use]
    pub const fn remaining(&self) -> u64 {
        self.left
    }
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if self.left == 0 {
            return None;
        }
        let (key, id) = self.entries.next()?;
        let ordinal = self.before.saturating_add(1);
        let rank = match (self.ranks, self.last) {
            (Ranks::Ordinal, _) => ordinal,
            (_, Some((grade, rank))) if grade == key.grade => rank,
            (Ranks::Competition, Some(_)) => ordinal,
            (Ranks::Dense, Some((_, rank))) => rank.saturating_add(1),
            (ranks, None) => {
                self.board.index.select(self.before).map_or(ordinal, |place| self.board.rank_at(place, ranks))
            }
        };
        self.last = Some((key.grade, rank));
        self.left = self.left.saturating_sub(1);
        self.before = ordinal;
        Some(Row { rank, id, score: self.board.score_of(key.grade) })
    }
}

/// The member just above or below another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour {
    /// The member.
    pub id: MemberId,
    /// Its score.
    pub score: Score,
    /// Units between the two scores.
    pub gap: u64,
}

/// Everything about where a member stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// From 1, counted as asked for.
    pub rank: u64,
    /// The exact score.
    pub score: Score,
    /// How many members are ranked.
    pub members: u64,
    /// Share of members ranked at or below it, in hundredths of a percent: the leader has 10,000.
    pub percentile: u64,
    /// The one above.
    pub ahead: Option<Neighbour>,
    /// The one below.
    pub behind: Option<Neighbour>,
    /// When it got this score.
    pub at: Millis,
}

impl Board {
    fn place(&self, member: &[u8]) -> Option<Place> {
        self.index.find(self.members.find(member)?, &self.members)
    }

    fn rank_at(&self, place: Place, ranks: Ranks) -> u64 {
        match ranks {
            Ranks::Ordinal => self.index.rank(place).saturating_add(1),
            Ranks::Competition => self.index.before_grade(place.key.grade).saturating_add(1),
            Ranks::Dense => self.index.dense_rank(place),
        }
    }

    /// A member's rank, from 1.
    #[must_use]
    pub fn rank(&self, member: &[u8], ranks: Ranks) -> Option<u64> {
        self.place(member).map(|place| self.rank_at(place, ranks))
    }

    /// A member's score.
    #[must_use]
    pub fn score(&self, member: &[u8]) -> Option<Score> {
        self.place(member).map(|place| self.score_of(place.key.grade))
    }

    /// Both.
    #[must_use]
    pub fn rank_and_score(&self, member: &[u8], ranks: Ranks) -> Option<(u64, Score)> {
        let place = self.place(member)?;
        Some((self.rank_at(place, ranks), self.score_of(place.key.grade)))
    }

    /// Lines of the ranking: so many, behind so many others.
    #[must_use]
    pub fn rows(&self, before: u64, count: u64, ranks: Ranks) -> Rows<'_> {
        let left = count.min(self.len().saturating_sub(before));
        Rows { board: self, entries: self.index.iter_from(before), left, before, ranks, last: None }
    }

    /// The lines from one rank to another, both included; negative ranks count from the end.
    ///
    /// # Errors
    /// [`Error::ZeroRank`] naming `first` or `last`.
    pub fn range(&self, first: i64, last: i64, ranks: Ranks) -> Result<Rows<'_>, Error> {
        let before_of = |rank: i64, argument| match rank {
            0 => Err(Error::ZeroRank(argument)),
            1.. => Ok(i128::from(rank).saturating_sub(1)),
            _ => Ok(i128::from(self.len()).saturating_add(i128::from(rank))),
        };
        let (from, to) = (before_of(first, "first")?.max(0), before_of(last, "last")?);
        let count = u64::try_from(to.saturating_sub(from).saturating_add(1)).unwrap_or(0);
        Ok(self.rows(u64::try_from(from).unwrap_or(u64::MAX), count, ranks))
    }

    /// How many members are before a range of scores, and how many in it.
    fn span(&self, low: Score, high: Score) -> (u64, u64) {
        let (best, worst) = self.schema.grades(low, high);
        let before = self.index.before_grade(best);
        (before, self.index.before_grade(worst.saturating_add(1)).saturating_sub(before))
    }

    /// How many members have a score in a closed range.
    #[must_use]
    pub fn count_between(&self, low: Score, high: Score) -> u64 {
        self.span(low, high).1
    }

    /// The lines with a score in a closed range, but for the first `offset` of them.
    #[must_use]
    pub fn rows_between(&self, low: Score, high: Score, offset: u64, count: u64, ranks: Ranks) -> Rows<'_> {
        let (before, within) = self.span(low, high);
        self.rows(before.saturating_add(offset), count.min(within.saturating_sub(offset)), ranks)
    }

    /// A member with up to so many above and below it; nothing for an unknown one.
    #[must_use]
    pub fn around(&self, member: &[u8], count: u64, ranks: Ranks) -> Rows<'_> {
        let Some(place) = self.place(member) else { return self.rows(0, 0, ranks) };
        let before = self.index.rank(place);
        let from = before.saturating_sub(count);
        let lines = before.saturating_sub(from).saturating_add(count).saturating_add(1);
        self.rows(from, lines, ranks)
    }

    /// Everything about where a member stands.
    #[must_use]
    pub fn standing(&self, member: &[u8], ranks: Ranks) -> Option<Standing> {
        let place = self.place(member)?;
        let ordinal = self.index.rank(place).saturating_add(1);
        let better = match ranks {
            Ranks::Ordinal => ordinal.saturating_sub(1),
            Ranks::Competition | Ranks::Dense => self.index.before_grade(place.key.grade),
        };
        let members = self.len();
        let score = self.score_of(place.key.grade);
        let from = ordinal.saturating_sub(2);
        let mut near = self.index.iter_from(from);
        let neighbour = |(key, id): (crate::index::Key, MemberId)| {
            let other = self.score_of(key.grade);
            Neighbour { id, score: other, gap: other.distance(score) }
        };
        let ahead = if ordinal > 1 { near.next().map(neighbour) } else { None };
        let behind = near.nth(1).map(neighbour);
        Some(Standing {
            rank: self.rank_at(place, ranks),
            score,
            members,
            percentile: hundredths(members.saturating_sub(better), members),
            ahead,
            behind,
            at: place.key.moment,
        })
    }
}

/// A share in hundredths of a percent, rounded to the nearest.
fn hundredths(part: u64, whole: u64) -> u64 {
    let whole = u128::from(whole.max(1));
    let scaled = u128::from(part).saturating_mul(20_000).saturating_add(whole);
    u64::try_from(scaled.checked_div(whole.saturating_mul(2)).unwrap_or(0)).unwrap_or(u64::MAX)
}
