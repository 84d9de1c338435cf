//! Rows of a ranking, in order: with their ranks, or with their moments. Their names are asked for ahead, as each of them
//! may be a cache miss.

use std::mem;

use arrayvec::IntoIter;

use crate::index::{Key, MemberId};
use crate::members::Members;
use crate::schema::Ranks;
use crate::score::Score;
use crate::time::Millis;
use crate::view::{GROUP, Group, Seen, SeenWalk};

/// A row of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// From 1, counted by [`Ranks`].
    pub rank: u64,
    /// The member, for [`Board::name`](super::Board::name) and [`Board::meta_of`](super::Board::meta_of).
    pub id: MemberId,
    /// The exact score.
    pub score: Score,
}

/// A row that knows when its member got there. Its rank follows from the row before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatedRow {
    /// The member, for [`Board::name`](super::Board::name) and [`Board::meta_of`](super::Board::meta_of).
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
    members: &'a Members,
    seen: Seen<'a>,
    entries: SeenWalk<'a>,
    /// Entries whose names are here or under way.
    near: IntoIter<(Key, MemberId), GROUP>,
    /// Those behind them, whose names are under way.
    ahead: Group,
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
    pub(super) fn new(
        members: &'a Members,
        seen: Seen<'a>,
        (before, count): (u64, u64),
        ranks: Ranks,
    ) -> Self {
        let left = count.min(seen.len().saturating_sub(before));
        let entries = if left == 0 { SeenWalk::nowhere() } else { seen.walk(before) };
        let (near, ahead) = (Group::new().into_iter(), Group::new());
        Self { members, seen, entries, near, ahead, left, before, ranks, last: None, own: None }
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

    fn next_entry(&mut self) -> Option<(Key, MemberId)> {
        self.left = self.left.checked_sub(1)?;
        self.before = self.before.saturating_add(1);
        self.near.next().or_else(|| self.next_group())
    }

    /// Goes on to the entries ahead, and asks for the names of those behind them.
    #[inline(never)]
    fn next_group(&mut self) -> Option<(Key, MemberId)> {
        if self.ahead.is_empty() {
            self.ahead = self.read();
        }
        let behind = self.read();
        self.near = mem::replace(&mut self.ahead, behind).into_iter();
        self.near.next()
    }

    fn read(&mut self) -> Group {
        // The next entry is counted, and all that are ahead are still to come.
        let left = self.left.saturating_add(1).saturating_sub(self.ahead.len() as u64);
        let group = self.entries.next_group(&self.seen, usize::try_from(left).unwrap_or(GROUP));
        group.iter().for_each(|(_, id)| self.members.prefetch(*id));
        group
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
        let (Key { rank_key, .. }, id) = self.next_entry()?;
        let ordinal = self.before;
        let rank = match (self.ranks, self.last) {
            (Ranks::Ordinal, _) => ordinal,
            (_, Some((last, rank))) if last == rank_key => rank,
            (Ranks::Competition, Some(_)) => ordinal,
            (Ranks::Dense, Some((_, rank))) => rank.saturating_add(1),
            (ranks, None) => {
                let at = self.seen.select(ordinal.saturating_sub(1));
                at.map_or(ordinal, |at| self.seen.rank(&at, ranks))
            }
        };
        self.last = Some((rank_key, rank));
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
        let (key, id) = rows.next_entry()?;
        Some(DatedRow { id, score: rows.seen.schema().score(key.rank_key), moment: key.moment })
    }
}
