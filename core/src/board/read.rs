//! Reads a period of a view: ranks, scores, ranges, standings. A read changes nothing. [`Board::advance`] must be
//! called before.

use super::Board;
use super::periods::Missing;
use super::rows::{Own, Row, Rows};
use super::segment_reads::Within;
use crate::Error;
use crate::index::MemberId;
use crate::members::{BATCH, Batch};
use crate::schema::Ranks;
use crate::score::Score;
use crate::time::Millis;
use crate::view::{Seen, Standpoint, View};

/// The member just above or below another member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour {
    /// The member.
    pub id: MemberId,
    /// The neighbour's score.
    pub score: Score,
}

/// A member's rank, score and neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The member's rank, from 1, counted by [`Ranks`].
    pub rank: u64,
    /// The exact score.
    pub score: Score,
    /// How many members are ranked.
    pub members: u64,
    /// The share of members that are ranked at or below this member, in hundredths of a percent: 10,000 for the
    /// leader.
    pub percentile: u64,
    /// The member just above.
    pub ahead: Option<Neighbour>,
    /// The member just below.
    pub behind: Option<Neighbour>,
    /// The member's rank and score in the previous period.
    pub previous: Option<(u64, Score)>,
    /// When the member got this score; `None` in ended periods.
    pub at: Option<Millis>,
}

/// How many rows to show around a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Around {
    /// The maximum number of rows above the member.
    pub above: u64,
    /// The maximum number of rows below the member.
    pub below: u64,
    /// Whether rows that are missing at one end are replaced by rows from the other side.
    pub fill: bool,
}

impl Around {
    /// Returns up to `count` rows on each side.
    #[must_use]
    pub const fn both(count: u64) -> Self {
        Self { above: count, below: count, fill: false }
    }
}

/// A row of a ranking of selected members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmongRow {
    /// The member's place from 1, among the selected members, counted by [`Ranks`].
    pub place: u64,
    /// The member's row in the whole ranking.
    pub row: Row,
}

/// One period of one view, for reads.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    pub(super) board: &'a Board,
    pub(super) view: &'a View,
    pub(super) seen: Seen<'a>,
    /// The start of the period; `None` if it has none.
    pub(super) start: Option<i64>,
    /// Why there is no start, if there is none.
    pub(super) missing: Missing,
    pub(super) from_last: bool,
    /// The segment whose members are read; `None` for all members.
    pub(super) within: Option<Within>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(board: &'a Board, view: &'a View, start: Result<i64, Missing>) -> Self {
        let missing = start.err().unwrap_or(Missing::Nothing);
        let (seen, start) = (board.seen(view, start), start.ok());
        Self { board, view, seen, start, missing, from_last: false, within: None }
    }

    /// Returns the same period, read from the other end: rank 1 is the last place.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { seen: self.seen.reversed(), from_last: !self.from_last, ..self }
    }

    /// Returns how many members are ranked.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.seen.len()
    }

    /// Returns whether no member is ranked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn find(&self, member: &[u8]) -> Option<Standpoint> {
        self.seen.find(self.board.members.find(member)?)
    }

    /// Finds several members. The memory of all members is prefetched together. Returns the id and the standpoint
    /// of each member, or `None` for a member that is not ranked.
    fn find_some(&self, members: &[&[u8]]) -> Batch<Option<(MemberId, Standpoint)>> {
        let ids = self.board.members.find_some(members);
        ids.iter().flatten().for_each(|id| self.seen.prefetch(*id));
        ids.into_iter().map(|id| Some((id?, self.seen.find(id?)?))).collect()
    }

    /// Finds several members. Returns the name and the standpoint of each member; the standpoint is `None` if the
    /// member is not ranked.
    fn find_all<'m>(&self, members: &'m [&'m [u8]]) -> impl Iterator<Item = (&'m [u8], Option<Standpoint>)> {
        members.chunks(BATCH).flat_map(|batch| {
            let found = self.find_some(batch).into_iter();
            batch.iter().copied().zip(found.map(|found| found.map(|(_, at)| at)))
        })
    }

    fn score_at(&self, at: &Standpoint) -> Score {
        self.board.schema.score(at.rank_key())
    }

    /// Returns a member's rank, from 1.
    #[must_use]
    pub fn rank(&self, member: &[u8], ranks: Ranks) -> Option<u64> {
        self.find(member).map(|at| self.seen.rank(&at, ranks))
    }

    /// Returns a member's score.
    #[must_use]
    pub fn score(&self, member: &[u8]) -> Option<Score> {
        self.find(member).map(|at| self.score_at(&at))
    }

    /// Returns a member's rank, from 1, and its score.
    #[must_use]
    pub fn rank_and_score(&self, member: &[u8], ranks: Ranks) -> Option<(u64, Score)> {
        let at = self.find(member)?;
        Some((self.seen.rank(&at, ranks), self.score_at(&at)))
    }

    /// Returns a member's rank and score, and how many members are ranked. A hidden member counts itself.
    #[must_use]
    pub fn rank_among_all(&self, member: &[u8], ranks: Ranks) -> (Option<(u64, Score)>, u64) {
        let at = self.find(member);
        let itself = u64::from(at.as_ref().is_some_and(|at| at.is_hidden));
        let standing = at.map(|at| (self.seen.rank(&at, ranks), self.score_at(&at)));
        (standing, self.len().saturating_add(itself))
    }

    /// Does the same as [`Self::rank_and_score`] for each of these members.
    pub fn ranks_and_scores<'m>(
        &self,
        members: &'m [&'m [u8]],
        ranks: Ranks,
    ) -> impl Iterator<Item = Option<(u64, Score)>> {
        self.find_all(members)
            .map(move |(_, at)| at.map(|at| (self.seen.rank(&at, ranks), self.score_at(&at))))
    }

    /// Returns up to `count` rows behind the first `before` rows.
    #[must_use]
    pub fn rows(&self, before: u64, count: u64, ranks: Ranks) -> Rows<'a> {
        Rows::new(&self.board.members, self.seen, (before, count), ranks).dated_by(self.dates())
    }

    /// Calls `each` with all visible members, best first, with their scores and the moments at which they got these
    /// scores. In an ended period, the moment is the period's last millisecond.
    pub fn dated(&self, mut each: impl FnMut(MemberId, Score, Millis)) {
        let schema = self.board.schema();
        if let Some(dated) = self.seen.dated() {
            return dated.for_each(|(rank_key, id, moment)| each(id, schema.score(rank_key), moment));
        }
        let unit = self.view.spec.reach().map(|(unit, _)| unit);
        let end = unit.zip(self.start).map_or(0, |(unit, start)| schema.calendar.period(unit, start).end);
        let last = Millis::try_from(end.saturating_sub(1)).unwrap_or(0);
        self.seen.walk(0).for_each(|(rank_key, id)| each(id, schema.score(rank_key), last));
    }

    /// Returns the rows from one rank to another, including both. Negative ranks count from the end.
    ///
    /// # Errors
    /// [`Error::ZeroRank`], naming `first` or `last`.
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

    /// Returns how many members are ahead of a range of scores, and how many are in the range.
    #[must_use]
    pub fn span(&self, low: Score, high: Score) -> (u64, u64) {
        let (best, worst) = self.board.schema.rank_keys(low, high);
        let up_to = self.seen.better_than(worst.saturating_add(1));
        let within = up_to.saturating_sub(self.seen.better_than(best));
        (self.seen.ahead_of(if self.from_last { worst } else { best }), within)
    }

    /// Returns how many members have a score in a closed range.
    #[must_use]
    pub fn count_between(&self, low: Score, high: Score) -> u64 {
        self.span(low, high).1
    }

    /// Returns up to `count` rows with a score in a closed range, after the first `offset` rows of the range.
    #[must_use]
    pub fn rows_between(&self, low: Score, high: Score, offset: u64, count: u64, ranks: Ranks) -> Rows<'a> {
        let (before, within) = self.span(low, high);
        self.rows(before.saturating_add(offset), count.min(within.saturating_sub(offset)), ranks)
    }

    /// Returns a member's row with the rows above and below it. There are no rows if the member is not ranked. If
    /// the member is hidden, its own row is included here; no other read shows it. All other rows are the rows that
    /// every reader sees.
    #[must_use]
    pub fn around(&self, member: &[u8], around: Around, ranks: Ranks) -> Rows<'a> {
        let Some(at) = self.find(member) else { return self.rows(0, 0, ranks) };
        let own = u64::from(!at.is_hidden);
        let behind = self.len().saturating_sub(at.before).saturating_sub(own);
        let Around { mut above, mut below, fill } = around;
        if fill {
            let (up, down) = (above.saturating_sub(at.before), below.saturating_sub(behind));
            (above, below) = (above.saturating_add(down), below.saturating_add(up));
        }
        let from = at.before.saturating_sub(above);
        let count = at.before.saturating_sub(from).saturating_add(below).saturating_add(own);
        let rows = self.rows(from, count, ranks);
        match self.board.members.find(member).filter(|_| at.is_hidden) {
            Some(id) => rows.with(Own {
                before: at.before,
                row: Row { rank: self.seen.rank(&at, ranks), id, score: self.score_at(&at) },
                moment: self.moment(member, &at).unwrap_or(self.seen.dated_key(&at).moment),
            }),
            None => rows,
        }
    }

    /// Returns the rows of the given members that are ranked and not hidden, in order. A member that is given twice
    /// has one row.
    #[must_use]
    pub fn among(&self, members: &[&[u8]], ranks: Ranks) -> Vec<AmongRow> {
        let batches = members.chunks(BATCH).flat_map(|batch| self.find_some(batch));
        let mut found: Vec<_> = batches.flatten().filter(|(_, at)| !at.is_hidden).collect();
        found.sort_unstable_by_key(|(_, at)| at.before);
        found.dedup_by_key(|(_, at)| at.before);
        let mut rows: Vec<AmongRow> = Vec::with_capacity(found.len());
        for (number, (id, at)) in (1_u64..).zip(found) {
            let row = Row { rank: self.seen.rank(&at, ranks), id, score: self.score_at(&at) };
            let place = match (ranks, rows.last()) {
                (Ranks::Competition | Ranks::Dense, Some(last)) if last.row.score == row.score => last.place,
                (Ranks::Dense, last) => last.map_or(1, |last| last.place.saturating_add(1)),
                _ => number,
            };
            rows.push(AmongRow { place, row });
        }
        rows
    }

    /// Returns a member's rank, score and neighbours.
    #[must_use]
    pub fn standing(&self, member: &[u8], ranks: Ranks) -> Option<Standing> {
        Some(self.standing_at(member, self.find(member)?, ranks))
    }

    /// Does the same as [`Self::standing`] for each of these members.
    pub fn standings<'m>(
        &self,
        members: &'m [&'m [u8]],
        ranks: Ranks,
    ) -> impl Iterator<Item = Option<Standing>> {
        self.find_all(members).map(move |(member, at)| Some(self.standing_at(member, at?, ranks)))
    }

    fn standing_at(&self, member: &[u8], at: Standpoint, ranks: Ranks) -> Standing {
        let better = match ranks {
            Ranks::Ordinal => at.before,
            Ranks::Competition | Ranks::Dense => self.seen.ahead_of(at.rank_key()),
        };
        let members = self.len().saturating_add(u64::from(at.is_hidden));
        let score = self.score_at(&at);
        let mut near = self.seen.walk(at.before.saturating_sub(1));
        let neighbour =
            |(rank_key, id): (u64, MemberId)| Neighbour { id, score: self.board.schema.score(rank_key) };
        let ahead = if at.before > 0 { near.next().map(neighbour) } else { None };
        // The walk skips hidden members, so it does not pass the member itself if the member is hidden.
        let behind = near.nth(usize::from(!at.is_hidden)).map(neighbour);
        Standing {
            rank: self.seen.rank(&at, ranks),
            score,
            members,
            percentile: hundredths(members.saturating_sub(better), members),
            ahead,
            behind,
            previous: self.before(member).and_then(|before| before.rank_and_score(member, ranks)),
            at: self.moment(member, &at),
        }
    }

    /// Returns the moment at which a member got its score; `None` for ended periods.
    fn moment(&self, member: &[u8], at: &Standpoint) -> Option<Millis> {
        let moment = self.seen.moment(at)?;
        let Some(view) = self.dates() else { return Some(moment) };
        let id = self.board.members.find(member)?;
        Some(view.find(id, &self.board.members)?.key.moment)
    }

    /// Returns the view that has the moments, if the order has none: that of a segment in the current period.
    fn dates(&self) -> Option<&'a View> {
        (self.within.is_some() && self.seen.is_current()).then_some(self.view)
    }

    /// Returns the previous period, read from the same end and for the same segment as this one, or for the segment of the
    /// member.
    fn before(&self, member: &[u8]) -> Option<Reading<'a>> {
        let (unit, _) = self.view.spec.reach()?;
        let start = self.board.schema.calendar.back(unit, self.start?, 1).start;
        if self.view.periods().is_some_and(|periods| start < periods.oldest()) {
            return None;
        }
        let before = Reading::new(self.board, self.view, Ok(start));
        let before = if self.from_last { before.reversed() } else { before };
        before.like(self, member)
    }
}

/// Returns a share in hundredths of a percent, rounded to the nearest integer.
#[must_use]
pub fn hundredths(part: u64, whole: u64) -> u64 {
    let whole = u128::from(whole.max(1));
    let scaled = u128::from(part).saturating_mul(20_000).saturating_add(whole);
    u64::try_from(scaled.checked_div(whole.saturating_mul(2)).unwrap_or(0)).unwrap_or(u64::MAX)
}
