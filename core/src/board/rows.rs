//! Rows of a ranking, in order: with their ranks, or with their moments. Their names are asked for ahead, as each of them
//! may be a cache miss.

use super::Board;
use crate::index::MemberId;
use crate::prefetch::in_groups;
use crate::schema::Ranks;
use crate::score::Score;
use crate::time::Millis;
use crate::view::{Seen, SeenWalk};

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

/// A row that knows when its member got there. Its rank follows from the row before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatedRow {
    /// The member, for [`Board::name`] and [`Board::meta_of`].
    pub id: MemberId,
    /// The exact score.
    pub score: Score,
    /// When it got this score, or what stands for that.
    pub moment: Millis,
}

/// The row of a hidden member that reads its own surroundings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Own {
    /// How many entries are before it.
    pub before: u64,
    pub row: Row,
    pub moment: Millis,
}

/// Rows of a ranking, in order.
#[derive(Debug, Clone)]
pub struct Rows<'a> {
    seen: Seen<'a>,
    entries: SeenWalk<'a>,
    /// How many entries are left, without `own`.
    left: u64,
    /// How many entries are before the next one.
    before: u64,
    ranks: Ranks,
    /// The rank key and the rank of the row before.
    last: Option<(u64, u64)>,
    own: Option<Own>,
}

/// The same with moments.
#[derive(Debug, Clone)]
pub struct DatedRows<'a>(Rows<'a>);

impl<'a> Rows<'a> {
    pub(super) fn new(seen: Seen<'a>, before: u64, count: u64, ranks: Ranks) -> Self {
        let left = count.min(seen.len().saturating_sub(before));
        let entries = if left == 0 { SeenWalk::nowhere() } else { seen.walk(before) };
        Self { seen, entries, left, before, ranks, last: None, own: None }
    }

    pub(super) fn with(self, own: Own) -> Self {
        Self { own: Some(own), ..self }
    }

    /// How many rows are left.
    #[must_use]
    pub const fn remaining(&self) -> u64 {
        self.left.saturating_add(self.own.is_some() as u64)
    }

    /// The ordinal rank of the next row. The row of a hidden member that reads its own surroundings counts like
    /// all others.
    #[must_use]
    pub const fn next_rank(&self) -> u64 {
        self.before.saturating_add(1)
    }

    /// The rows with their moments instead of their ranks.
    #[must_use]
    pub const fn dated(self) -> DatedRows<'a> {
        DatedRows(self)
    }

    fn own_turn(&mut self) -> Option<Own> {
        self.own.take_if(|own| own.before == self.before)
    }
}

impl DatedRows<'_> {
    /// How many rows are left.
    #[must_use]
    pub const fn remaining(&self) -> u64 {
        self.0.remaining()
    }
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if let Some(own) = self.own_turn() {
            return Some(own.row);
        }
        self.left = self.left.checked_sub(1)?;
        let (rank_key, id) = self.entries.next()?;
        let ordinal = self.before.saturating_add(1);
        let rank = match (self.ranks, self.last) {
            (Ranks::Ordinal, _) => ordinal,
            (_, Some((last, rank))) if last == rank_key => rank,
            (Ranks::Competition, Some(_)) => ordinal,
            (Ranks::Dense, Some((_, rank))) => rank.saturating_add(1),
            (ranks, None) => self.seen.select(self.before).map_or(ordinal, |at| self.seen.rank(&at, ranks)),
        };
        self.last = Some((rank_key, rank));
        self.before = ordinal;
        Some(Row { rank, id, score: self.seen.schema().score(rank_key) })
    }
}

impl Iterator for DatedRows<'_> {
    type Item = DatedRow;

    fn next(&mut self) -> Option<DatedRow> {
        let Self(rows) = self;
        if let Some(Own { row: Row { id, score, .. }, moment, .. }) = rows.own_turn() {
            return Some(DatedRow { id, score, moment });
        }
        rows.left = rows.left.checked_sub(1)?;
        let (key, id) = rows.entries.next_dated(&rows.seen)?;
        rows.before = rows.before.saturating_add(1);
        Some(DatedRow { id, score: rows.seen.schema().score(key.rank_key), moment: key.moment })
    }
}

impl Board {
    /// Calls `each` with rows and the names of their members.
    pub fn each_row(&self, rows: Rows<'_>, mut each: impl FnMut(Row, &[u8])) {
        let ask = |row: &Row| self.members.prefetch(row.id);
        in_groups(rows, ask, |row| each(row, self.name(row.id)));
    }

    /// The same with moments.
    pub fn each_dated_row(&self, rows: DatedRows<'_>, mut each: impl FnMut(DatedRow, &[u8])) {
        let ask = |row: &DatedRow| self.members.prefetch(row.id);
        in_groups(rows, ask, |row| each(row, self.name(row.id)));
    }
}
