//! Rows of the whole ranking from one place to another.
//!
//! A stretch is the part of the ranking after a beginning (see [`From`]): all entries up to the end of the ranking, or
//! up to the end of the range of scores.
//!
//! First, each part is asked for its likely share of the rows: `s + 4 (⌊√s⌋ + 1) + 2`, where `s` is the number of rows
//! divided by the number of parts. If all rows of a part are used and the part has more rows, the part is asked again,
//! now for as many rows as it could have at most. Two rounds are enough.

use leaderboard_core::Score;

use super::answer::{Answer, Take};
use super::merge::{Merge, Merged};
use super::operation::{Operation, Point};
use super::order::{Order, Place};
use super::round::{Gather, Stop};
use super::rows::{Packed, Row};
use super::{MOST_ROWS, Refused};
use crate::nodes::Transport;

/// A row to show.
#[derive(Debug, Clone)]
pub struct Line {
    pub score: Score,
    pub moment: u64,
    pub name: Vec<u8>,
    pub meta: Option<Vec<u8>>,
    /// How many rows of the stretch come before the first row that has this score.
    pub tied_from: u64,
    /// How many different better scores the stretch has before this row.
    pub scores_ahead: u64,
}

impl Line {
    /// Returns a line of one row alone: no other row is counted as ahead of it.
    pub fn of(row: Row) -> Self {
        let (name, meta) = (row.name.to_vec(), row.meta.map(<[u8]>::to_vec));
        Self { score: row.score, moment: row.moment, name, meta, tied_from: 0, scores_ahead: 0 }
    }

    pub fn row(&self) -> Row<'_> {
        Row { score: self.score, moment: self.moment, name: &self.name, meta: self.meta.as_deref() }
    }
}

/// Where a stretch of the ranking begins.
#[derive(Debug, Clone, Copy)]
pub enum From<'a> {
    /// At the first place.
    Top,
    /// At the first score of a range.
    Range(&'a [u8], &'a [u8]),
    /// At an entry of a part. Among entries with an equal score and moment, the numbers of their parts decide.
    Entry(&'a Entry),
}

/// An entry at the time when it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub score: Score,
    pub moment: u64,
    pub part: u16,
    /// The number of entries of the same part that are ahead of this entry.
    pub before: u64,
}

/// Rows of a stretch.
#[derive(Debug)]
pub struct Page {
    /// How many entries are ahead of the stretch.
    pub ahead: u64,
    /// How many rows of the stretch are ahead of the first line.
    pub skipped: u64,
    pub lines: Vec<Line>,
    /// Whether the stretch may begin in the middle of entries with equal scores.
    pub is_cut: bool,
}

impl Page {
    /// Returns a page without lines.
    pub const fn empty() -> Self {
        Self { ahead: 0, skipped: 0, lines: Vec::new(), is_cut: false }
    }

    /// Returns how many entries are ahead of the first line.
    pub const fn before(&self) -> u64 {
        self.ahead.saturating_add(self.skipped)
    }
}

/// The rows of a stretch that the caller wants.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// How many entries are ahead of the first row. For a range of scores, only entries of the range are counted, else
    /// all entries.
    pub offset: u64,
    pub count: u64,
    /// How many rows of the stretch are likely to be ahead of the first wanted row.
    pub likely_skip: u64,
    pub with_meta: bool,
}

/// The answer of a part about a stretch.
struct Piece {
    part: u16,
    before: u64,
    /// How many rows of the stretch the part has.
    has: u64,
    rows: Packed,
}

impl Piece {
    fn read(mut answer: Answer, from: From<'_>, with_meta: bool, by_place: Option<u64>) -> Take<Self> {
        let members = answer.members;
        let (before, has) = match (from, by_place) {
            (From::Range(..), _) => (answer.number()?, answer.number()?),
            (From::Entry(_), None) => {
                let before = answer.number()?;
                // Skips the rows above the entry.
                answer.rows(with_meta)?;
                (before, members.saturating_sub(before))
            }
            (_, place) => {
                let before = place.unwrap_or(0).min(members);
                (before, members.saturating_sub(before))
            }
        };
        let rows = answer.rows(with_meta)?;
        Ok(Self { part: answer.part, before, has, rows })
    }

    const fn has_more(&self) -> bool {
        self.rows.count() < self.has
    }
}

/// Returns the likely share of one part in `rows` rows of `parts` parts.
pub fn share(rows: u64, parts: u16) -> u64 {
    let even = rows.div_ceil(parts.max(1).into());
    let more = even.isqrt().saturating_add(1).saturating_mul(4).saturating_add(2);
    rows.min(even.saturating_add(more))
}

impl<T: Transport> Gather<'_, T> {
    /// Returns rows of a stretch, or `None` if the stretch begins behind the first wanted row.
    pub async fn page(&self, from: From<'_>, wanted: Wanted) -> Result<Option<Page>, Stop> {
        let rows = wanted.likely_skip.saturating_add(wanted.count.min(MOST_ROWS));
        let mut pieces =
            self.pieces(from, share(rows, self.parts().end), self.parts().collect(), wanted).await?;
        self.skip_equals(from, wanted, &mut pieces).await?;
        loop {
            let sum = |each: fn(&Piece) -> u64| pieces.iter().map(each).fold(0, u64::saturating_add);
            let (ahead, has) = (sum(|piece| piece.before), sum(|piece| piece.has));
            let skip = match from {
                From::Range(..) => Some(wanted.offset),
                _ => wanted.offset.checked_sub(ahead),
            };
            let Some(skipped) = skip else { return Ok(None) };
            let count = has.saturating_sub(skipped).min(wanted.count);
            if count > MOST_ROWS {
                return Err(too_many_rows().into());
            }
            let up_to = if count == 0 { 0 } else { skipped.saturating_add(count) };
            match self.lines(&pieces, skipped, up_to) {
                Ok(lines) => {
                    let is_cut = matches!(from, From::Entry(_));
                    return Ok(Some(Page { ahead, skipped, lines, is_cut }));
                }
                Err(exhausted) => {
                    pieces.retain(|piece| !exhausted.contains(&piece.part));
                    pieces.extend(self.pieces(from, up_to, exhausted, wanted).await?);
                    pieces.sort_by_key(|piece| piece.part);
                }
            }
        }
    }

    /// Asks parts for up to `rows` rows of a stretch.
    async fn pieces(
        &self,
        from: From<'_>,
        rows: u64,
        parts: Vec<u16>,
        wanted: Wanted,
    ) -> Result<Vec<Piece>, Stop> {
        let operation = match from {
            From::Range(min, max) => Operation::between(min, max, rows),
            From::Entry(entry) => {
                Operation::near(&Point::of(&self.call.root.schema.notation(), entry), 0, rows)
            }
            From::Top => Operation::top(rows),
        };
        let answers = self.ask_each(parts, operation.with_meta(wanted.with_meta)).await?;
        Ok(answers
            .into_iter()
            .map(|answer| Piece::read(answer, from, wanted.with_meta, None))
            .collect::<Take<_>>()?)
    }

    /// Skips equal entries. A stretch may begin at an entry to which very many entries of the same part are equal.
    /// Score and moment are not enough to find this entry among them. So its part is asked for the rows from the
    /// entry's place in the part.
    async fn skip_equals(&self, from: From<'_>, wanted: Wanted, pieces: &mut [Piece]) -> Result<(), Stop> {
        let From::Entry(entry) = from else { return Ok(()) };
        let Some(piece) = pieces.iter_mut().find(|piece| piece.part == entry.part) else { return Ok(()) };
        if entry.before.saturating_sub(piece.before) <= wanted.likely_skip {
            return Ok(());
        }
        let rows = share(wanted.likely_skip.saturating_add(wanted.count), self.parts().end);
        let operation = Operation::top_from(entry.before, rows).with_meta(wanted.with_meta);
        for answer in self.ask_each([entry.part], operation).await? {
            *piece = Piece::read(answer, from, wanted.with_meta, Some(entry.before))?;
        }
        Ok(())
    }

    /// Returns the rows from number `skipped` to number `up_to` of the stretch, or the parts that have to be asked for
    /// more rows.
    fn lines(&self, pieces: &[Piece], skipped: u64, up_to: u64) -> Result<Vec<Line>, Vec<u16>> {
        let merge = Merge::new(self.order, pieces.iter().map(|piece| (piece.part, &piece.rows)));
        let mut used = vec![0_u64; pieces.len()];
        let mut shown: Vec<(Merged, u64, u64)> = Vec::new();
        let (mut last, mut tied_from, mut scores) = (None, 0, 0_u64);
        for (number, merged) in (0..up_to).zip(merge) {
            if let Some(used) = used.get_mut(merged.source) {
                *used = used.saturating_add(1);
            }
            if last.is_some_and(|last| last != merged.row.score) {
                (tied_from, scores) = (number, scores.saturating_add(1));
            }
            last = Some(merged.row.score);
            if number >= skipped {
                shown.push((merged, tied_from, scores));
            }
        }
        let is_exhausted =
            |(piece, used): &(&Piece, u64)| piece.has_more() && *used == piece.rows.count() && up_to > *used;
        let exhausted: Vec<_> =
            pieces.iter().zip(used).filter(is_exhausted).map(|(piece, _)| piece.part).collect();
        if !exhausted.is_empty() {
            return Err(exhausted);
        }
        let line = |(merged, tied_from, scores_ahead): (Merged, u64, u64)| Line {
            tied_from,
            scores_ahead,
            ..Line::of(merged.row)
        };
        Ok(shown.into_iter().map(line).collect())
    }
}

/// Returns the error of a reply that would be too long.
pub fn too_many_rows() -> Refused {
    Refused::Invalid(format!("ERR over parts, a reply has at most {MOST_ROWS} rows"))
}

impl Entry {
    pub fn place(&self, order: Order) -> Place {
        order.place(self.score, self.moment, self.part)
    }
}
