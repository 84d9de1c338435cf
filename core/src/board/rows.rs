//! Rows of a ranking, in order: with their ranks, or with their moments. Each name may be a cache miss, so the
//! memory of the names is prefetched.

use std::mem;

use crate::index::{Key, MemberId};
use crate::members::Members;
use crate::schema::Ranks;
use crate::score::Score;
use crate::time::Millis;
use crate::view::{EntryGroup, GROUP, Seen, SeenWalk, View};

/// A row of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The member's rank, from 1, counted by [`Ranks`].
    pub rank: u64,
    /// The member, for [`Board::name`](super::Board::name) and [`Board::meta_of`](super::Board::meta_of).
    pub id: MemberId,
    /// The exact score.
    pub score: Score,
}

/// A row with the moment of its score instead of its rank. The rank follows from the rank of the previous row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatedRow {
    /// The member, for [`Board::name`](super::Board::name) and [`Board::meta_of`](super::Board::meta_of).
    pub id: MemberId,
    /// The exact score.
    pub score: Score,
    /// When the member got this score, or the substitute for an unknown moment.
    pub moment: Millis,
}

/// The row of a hidden member that reads the rows around itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Own {
    /// How many entries are before the row.
    pub before: u64,
    pub row: Row,
    pub moment: Millis,
}

/// Rows of a ranking, in order.
#[derive(Debug, Clone)]
pub struct Rows<'a> {
    members: &'a Members,
    entries: SeenWalk<'a>,
    /// How many entries are left, not counting `own`.
    left: u64,
    /// How many entries are before the next entry.
    before: u64,
    count: Count<'a>,
    own: Option<Own>,
    /// The view that has the moments of the rows, if their order has none.
    dates: Option<&'a View>,
}

/// Counts the ranks of rows.
#[derive(Debug, Clone)]
struct Count<'a> {
    seen: Seen<'a>,
    ranks: Ranks,
    /// The rank key and the rank of the previous row.
    last: Option<(u64, u64)>,
}

/// The next row.
enum Next {
    Entry(Key, MemberId),
    Own(Own),
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        members: &'a Members,
        seen: Seen<'a>,
        (before, count): (u64, u64),
        ranks: Ranks,
    ) -> Self {
        let left = count.min(seen.len().saturating_sub(before));
        let entries = if left == 0 { SeenWalk::nowhere() } else { seen.walk(before) };
        Self {
            members,
            entries,
            left,
            before,
            count: Count { seen, ranks, last: None },
            own: None,
            dates: None,
        }
    }

    pub(super) fn with(self, own: Own) -> Self {
        Self { own: Some(own), ..self }
    }

    /// Returns the same rows, with the moments that a view has.
    pub(super) fn dated_by(self, dates: Option<&'a View>) -> Self {
        Self { dates, ..self }
    }

    /// Returns how many rows are left.
    #[must_use]
    pub const fn remaining(&self) -> u64 {
        self.left.saturating_add(self.own.is_some() as u64)
    }

    /// Returns the ordinal rank of the next row. The row of a hidden member that reads the rows around itself
    /// counts like all other rows.
    #[must_use]
    pub const fn next_rank(&self) -> u64 {
        self.before.saturating_add(1)
    }

    /// Calls `each` with all rows. This is faster than an iteration.
    pub fn for_all(self, mut each: impl FnMut(Row)) {
        let mut count = self.count.clone();
        self.in_groups(|before, next| {
            each(match next {
                Next::Entry(key, id) => count.row(before, key.rank_key, id),
                Next::Own(own) => own.row,
            });
        });
    }

    /// Calls `each` with all rows, with moments instead of ranks.
    pub fn for_all_dated(self, mut each: impl FnMut(DatedRow)) {
        let (schema, members, dates) = (self.count.seen.schema(), self.members, self.dates);
        let in_view = |id| dates?.find(id, members).map(|place| place.key.moment);
        self.in_groups(|_, next| {
            each(match next {
                Next::Entry(Key { rank_key, moment }, id) => {
                    let moment = in_view(id).unwrap_or(moment);
                    DatedRow { id, score: schema.score(rank_key), moment }
                }
                Next::Own(Own { row: Row { id, score, .. }, moment, .. }) => DatedRow { id, score, moment },
            });
        });
    }

    /// Calls `each` with every row that is left, and with the number of entries before the row. While one group of
    /// entries is processed, the names of the next group are loaded from memory.
    fn in_groups(mut self, mut each: impl FnMut(u64, Next)) {
        let (mut group, mut behind) = (&mut EntryGroup::new(), &mut EntryGroup::new());
        let (mut before, own) = (self.before, self.own);
        let own_at = own.map_or(u64::MAX, |own| own.before);
        self.read(group);
        while !group.is_empty() {
            self.read(behind);
            for (key, id) in group.drain(..) {
                if before == own_at {
                    own.into_iter().for_each(|own| each(before, Next::Own(own)));
                }
                each(before, Next::Entry(key, id));
                before = before.saturating_add(1);
            }
            mem::swap(&mut group, &mut behind);
        }
        own.filter(|own| own.before == before).into_iter().for_each(|own| each(before, Next::Own(own)));
    }

    /// Reads some entries into an empty group, and prefetches their names.
    fn read(&mut self, group: &mut EntryGroup) {
        let most = usize::try_from(self.left).unwrap_or(GROUP);
        self.entries.read(&self.count.seen, most, group);
        self.left = self.left.saturating_sub(group.len() as u64);
        group.iter().for_each(|(_, id)| self.members.prefetch(*id));
    }
}

impl Count<'_> {
    #[inline]
    fn row(&mut self, before: u64, rank_key: u64, id: MemberId) -> Row {
        let rank = match self.ranks {
            Ranks::Ordinal => before.saturating_add(1),
            _ => self.rank(before, rank_key),
        };
        Row { rank, id, score: self.seen.schema().score(rank_key) }
    }

    /// Returns the rank of the next row, for ranks that members with equal scores share.
    fn rank(&mut self, before: u64, rank_key: u64) -> u64 {
        let ordinal = before.saturating_add(1);
        let rank = match (self.ranks, self.last) {
            (_, Some((last, rank))) if last == rank_key => rank,
            (Ranks::Dense, Some((_, rank))) => rank.saturating_add(1),
            (_, Some(_)) => ordinal,
            (ranks, None) => self.seen.select(before).map_or(ordinal, |at| self.seen.rank(&at, ranks)),
        };
        self.last = Some((rank_key, rank));
        rank
    }
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if let Some(own) = self.own.take_if(|own| own.before == self.before) {
            return Some(own.row);
        }
        self.left = self.left.checked_sub(1)?;
        let (rank_key, id) = self.entries.next()?;
        let row = self.count.row(self.before, rank_key, id);
        self.before = self.before.saturating_add(1);
        Some(row)
    }
}
