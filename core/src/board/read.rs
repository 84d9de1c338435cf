//! Reading a period of a view: ranks, scores, ranges, standings. Reading changes nothing; who reads calls
//! [`Board::advance`] first.

use super::Board;
use super::periods::Missing;
use crate::Error;
use crate::index::MemberId;
use crate::schema::Ranks;
use crate::score::Score;
use crate::time::Millis;
use crate::view::{Ranking, Spot, View, Walk};

/// A row of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// From 1, counted by [`Ranks`].
    pub rank: u64,
    /// The member, for [`Board::name`] and [`Board::meta_of`].
    pub id: MemberId,
    /// The exact score.
    pub score: Score,
}

/// Rows of a ranking, best first.
#[derive(Debug, Clone)]
pub struct Rows<'a> {
    ranking: Ranking<'a>,
    entries: Walk<'a>,
    left: u64,
    /// How many entries are before the next one.
    before: u64,
    ranks: Ranks,
    /// The rank key and the rank of the row before.
    last: Option<(u64, u64)>,
}

impl Rows<'_> {
    /// How many rows are left.
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
        let (rank_key, id) = self.entries.next()?;
        let ordinal = self.before.saturating_add(1);
        let rank = match (self.ranks, self.last) {
            (Ranks::Ordinal, _) => ordinal,
            (_, Some((last, rank))) if last == rank_key => rank,
            (Ranks::Competition, Some(_)) => ordinal,
            (Ranks::Dense, Some((_, rank))) => rank.saturating_add(1),
            (ranks, None) => {
                self.ranking.select(self.before).map_or(ordinal, |spot| rank_at(&self.ranking, spot, ranks))
            }
        };
        self.last = Some((rank_key, rank));
        self.left = self.left.saturating_sub(1);
        self.before = ordinal;
        Some(Row { rank, id, score: self.ranking.schema().score(rank_key) })
    }
}

/// The member just above or below another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour {
    /// The member.
    pub id: MemberId,
    /// Its score.
    pub score: Score,
}

/// Everything about where a member stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// From 1, counted by [`Ranks`].
    pub rank: u64,
    /// The exact score.
    pub score: Score,
    /// How many members are ranked.
    pub members: u64,
    /// The share of members ranked at or below it, in hundredths of a percent: 10,000 for the leader.
    pub percentile: u64,
    /// The member just above.
    pub ahead: Option<Neighbour>,
    /// The member just below.
    pub behind: Option<Neighbour>,
    /// Rank and score in the period before.
    pub previous: Option<(u64, Score)>,
    /// When it got this score; not known in ended periods.
    pub at: Option<Millis>,
}

/// One period of one view, to read.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    board: &'a Board,
    view: &'a View,
    ranking: Ranking<'a>,
    /// Start of the period.
    start: Option<i64>,
}

fn rank_at(ranking: &Ranking, spot: Spot, ranks: Ranks) -> u64 {
    match ranks {
        Ranks::Ordinal => ranking.before(spot).saturating_add(1),
        Ranks::Competition => ranking.before_rank_key(spot.rank_key()).saturating_add(1),
        Ranks::Dense => ranking.dense(spot),
    }
}

impl<'a> Reading<'a> {
    pub(super) fn new(board: &'a Board, view: &'a View, start: Result<i64, Missing>) -> Self {
        Self { board, view, ranking: board.ranking(view, start), start: start.ok() }
    }

    /// How many members are ranked.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.ranking.len()
    }

    /// Whether no member is ranked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranking.is_empty()
    }

    fn spot(&self, member: &[u8]) -> Option<Spot> {
        self.ranking.find(self.board.members.find(member)?)
    }

    fn score_at(&self, spot: Spot) -> Score {
        self.board.schema.score(spot.rank_key())
    }

    /// A member's rank, from 1.
    #[must_use]
    pub fn rank(&self, member: &[u8], ranks: Ranks) -> Option<u64> {
        self.spot(member).map(|spot| rank_at(&self.ranking, spot, ranks))
    }

    /// A member's score.
    #[must_use]
    pub fn score(&self, member: &[u8]) -> Option<Score> {
        self.spot(member).map(|spot| self.score_at(spot))
    }

    /// A member's rank, from 1, and its score.
    #[must_use]
    pub fn rank_and_score(&self, member: &[u8], ranks: Ranks) -> Option<(u64, Score)> {
        let spot = self.spot(member)?;
        Some((rank_at(&self.ranking, spot, ranks), self.score_at(spot)))
    }

    /// Up to `count` rows behind the first `before` rows.
    #[must_use]
    pub fn rows(&self, before: u64, count: u64, ranks: Ranks) -> Rows<'a> {
        let left = count.min(self.len().saturating_sub(before));
        let ranking = self.ranking;
        Rows { ranking, entries: ranking.walk(before), left, before, ranks, last: None }
    }

    /// Calls `each` with all members, best first, their scores, and when they got these. In an ended period, that
    /// is its last millisecond.
    pub fn dated(&self, mut each: impl FnMut(MemberId, Score, Millis)) {
        let schema = self.board.schema();
        if let Some(dated) = self.ranking.dated() {
            return dated.for_each(|(key, id)| each(id, schema.score(key.rank_key), key.moment));
        }
        let unit = self.view.spec.reach().map(|(unit, _)| unit);
        let end = unit.zip(self.start).map_or(0, |(unit, start)| schema.calendar.period(unit, start).end);
        let last = Millis::try_from(end.saturating_sub(1)).unwrap_or(0);
        self.ranking.walk(0).for_each(|(rank_key, id)| each(id, schema.score(rank_key), last));
    }

    /// The rows from one rank to another, both included; negative ranks count from the end.
    ///
    /// # Errors
    /// [`Error::ZeroRank`] naming `first` or `last`.
    pub fn range(&self, first: i64, last: i64, ranks: Ranks) -> Result<Rows<'a>, Error> {
        let before_of = |rank: i64, argument| match rank {
            0 => Err(Error::ZeroRank(argument)),
            1.. => Ok(i128::from(rank).saturating_sub(1)),
            _ => Ok(i128::from(self.len()).saturating_add(i128::from(rank))),
        };
        let (from, to) = (before_of(first, "first")?.max(0), before_of(last, "last")?);
        let count = u64::try_from(to.saturating_sub(from).saturating_add(1)).unwrap_or(0);
        Ok(self.rows(u64::try_from(from).unwrap_or(u64::MAX), count, ranks))
    }

    /// How many members are better than a range of scores, and how many are in it.
    fn span(&self, low: Score, high: Score) -> (u64, u64) {
        let (best, worst) = self.board.schema.rank_keys(low, high);
        let before = self.ranking.before_rank_key(best);
        (before, self.ranking.before_rank_key(worst.saturating_add(1)).saturating_sub(before))
    }

    /// How many members have a score in a closed range.
    #[must_use]
    pub fn count_between(&self, low: Score, high: Score) -> u64 {
        self.span(low, high).1
    }

    /// Up to `count` rows with a score in a closed range, behind the first `offset` of them.
    #[must_use]
    pub fn rows_between(&self, low: Score, high: Score, offset: u64, count: u64, ranks: Ranks) -> Rows<'a> {
        let (before, within) = self.span(low, high);
        self.rows(before.saturating_add(offset), count.min(within.saturating_sub(offset)), ranks)
    }

    /// A member with up to `count` rows above and below it; no rows for an unknown member.
    #[must_use]
    pub fn around(&self, member: &[u8], count: u64, ranks: Ranks) -> Rows<'a> {
        let Some(spot) = self.spot(member) else { return self.rows(0, 0, ranks) };
        let before = self.ranking.before(spot);
        let from = before.saturating_sub(count);
        let rows = before.saturating_sub(from).saturating_add(count).saturating_add(1);
        self.rows(from, rows, ranks)
    }

    /// Everything about where a member stands.
    #[must_use]
    pub fn standing(&self, member: &[u8], ranks: Ranks) -> Option<Standing> {
        let spot = self.spot(member)?;
        let ordinal = self.ranking.before(spot).saturating_add(1);
        let better = match ranks {
            Ranks::Ordinal => ordinal.saturating_sub(1),
            Ranks::Competition | Ranks::Dense => self.ranking.before_rank_key(spot.rank_key()),
        };
        let members = self.len();
        let score = self.score_at(spot);
        let from = ordinal.saturating_sub(2);
        let mut near = self.ranking.walk(from);
        let neighbour =
            |(rank_key, id): (u64, MemberId)| Neighbour { id, score: self.board.schema.score(rank_key) };
        let ahead = if ordinal > 1 { near.next().map(neighbour) } else { None };
        let behind = near.nth(1).map(neighbour);
        Some(Standing {
            rank: rank_at(&self.ranking, spot, ranks),
            score,
            members,
            percentile: hundredths(members.saturating_sub(better), members),
            ahead,
            behind,
            previous: self.before().and_then(|before| before.rank_and_score(member, ranks)),
            at: self.ranking.moment(spot),
        })
    }

    /// The period before this one.
    fn before(&self) -> Option<Reading<'a>> {
        let (unit, _) = self.view.spec.reach()?;
        let start = self.board.schema.calendar.back(unit, self.start?, 1).start;
        Some(Reading::new(self.board, self.view, Ok(start)))
    }
}

/// A share in hundredths of a percent, rounded to the nearest.
fn hundredths(part: u64, whole: u64) -> u64 {
    let whole = u128::from(whole.max(1));
    let scaled = u128::from(part).saturating_mul(20_000).saturating_add(whole);
    u64::try_from(scaled.checked_div(whole.saturating_mul(2)).unwrap_or(0)).unwrap_or(u64::MAX)
}
