//! Joins the two halves of a part to one part, or both parts of a board to a plain board: the opposite of
//! [`super::halve`].
//!
//! A new board is filled with the members and entries of both boards, in the order in which a saved board is loaded
//! ([`super::snapshot`]). So a joined board is as compact as a loaded board. Both boards are brought to the later one of
//! the moments of their last writes, as a write at that moment would do. Everything that a saved board has is kept.
//! Equal scores of the same moment are in the order of the parts, as over all parts of a board.
//!
//! `entries` adds members and current entries, and `ended` the points and ended periods. `campaign` adds the votes.
//!
//! Joining `m` entries takes O(m log m) steps. A sequence of ended periods with one order stays a sequence. The orders of
//! periods without a write stay derived, if both boards derive them from the same period, or if only one of them has
//! these periods. Other derived orders are stored as orders, at most one for each period that the board keeps.

mod campaign;
mod ended;
mod entries;
mod merge;

use std::borrow::Cow;

use super::Board;
use crate::Error;
use crate::catalog::CatalogEntry;
use crate::index::MemberId;
use crate::members::MAX_SEQUENCE;
use crate::parts::Role;
use crate::requests::Requests;
use crate::schema::{Schema, Ties};
use crate::secret::HashMap;
use crate::time::Millis;
use crate::view::View;

/// One of the two boards.
struct Side<'a> {
    board: Cow<'a, Board>,
    /// The numbers that the members have on the joined board.
    ids: HashMap<MemberId, MemberId>,
    /// The number that is added to the numbers of writes. So the writes of both boards have different numbers, and equal
    /// entries of the first board come first.
    shift: u64,
}

impl Side<'_> {
    fn id(&self, id: MemberId) -> Result<MemberId, Error> {
        self.ids.get(&id).copied().ok_or(Error::Corrupt("a member that was not named"))
    }

    /// Returns the number that a write has on the joined board. The number 0 is the number of no write.
    const fn number(&self, number: u64) -> u64 {
        if number == 0 { 0 } else { number.saturating_add(self.shift) }
    }
}

/// Two boards, and the board that gets what they have.
struct Joining<'a> {
    sides: [Side<'a>; 2],
    board: Board,
    /// The members of the joined board that are not ranked in the default view.
    unranked: Vec<MemberId>,
    /// Whether ended periods were left out. Nothing may refer to their members any more.
    is_cut: bool,
}

impl Board {
    /// Returns a board with this role and this catalogue entry, which has everything that this board and another one
    /// have. Both boards must be parts of one board, without a common member, and `self` must be the part with the lower
    /// number.
    ///
    /// # Errors
    /// [`Error::OtherRules`]; [`Error::TooManyHidden`]; [`Error::Full`] if there is no room for the names or for the
    /// numbers of writes; [`Error::WrongPart`] if a member does not belong to the role; [`Error::Corrupt`] if both boards
    /// have the same member, or disagree about the time of a period.
    pub(super) fn join(&self, other: &Self, role: Role, entry: CatalogEntry) -> Result<Self, Error> {
        let rules = |board: &Self| board.rules_hash_over(role.parts());
        if rules(self) != rules(other) {
            return Err(Error::OtherRules);
        }
        let mut joining = Joining::new([self, other], role)?;
        if entry != CatalogEntry::default() {
            joining.board.put_catalog(entry);
        }
        joining.add_members()?;
        for view in 0..joining.board.views.len() {
            joining.add_entries(view)?;
            joining.add_points(view)?;
            joining.add_ended(view)?;
        }
        joining.add_campaign()?;
        joining.finish()
    }

    /// Returns the board as it would be if its last write were at the moment `last`, which is not before its last write.
    fn at(&self, last: Millis) -> Cow<'_, Self> {
        let is_earlier = self.last < last;
        if !is_earlier && !self.is_due(last) {
            return Cow::Borrowed(self);
        }
        let mut board = self.clone();
        if is_earlier {
            board.start(last);
        }
        board.advance(last);
        if is_earlier {
            board.finalize_views();
            board.tidy();
            board.last = last;
        }
        Cow::Owned(board)
    }
}

impl<'a> Joining<'a> {
    fn new(pair: [&'a Board; 2], role: Role) -> Result<Self, Error> {
        let [low, high] = pair;
        let last = low.last.max(high.last);
        let schema = Schema { role, ..low.schema.clone() };
        let mut board = Board::new(schema, &low.specs().copied().collect::<Vec<_>>())?;
        board.last = last;
        board.sequences = low.sequences.saturating_add(high.sequences);
        if board.sequences > MAX_SEQUENCE {
            return Err(Error::Full);
        }
        // Of entries with the same key, the latest one is first if the last entry wins ties.
        let shifts = match board.schema.ties {
            Ties::Last => [high.sequences, 0],
            _ => [0, low.sequences],
        };
        let side = |board: &'a Board, shift| Side { board: board.at(last), ids: HashMap::default(), shift };
        let [first, second] = shifts;
        let sides = [side(low, first), side(high, second)];
        let mut joining = Self { sides, board, unranked: Vec::new(), is_cut: false };
        joining.set_periods(usize::from(low.last < high.last))?;
        Ok(joining)
    }

    /// Sets the current periods of all views. `later` is the side with the later last write.
    fn set_periods(&mut self, later: usize) -> Result<(), Error> {
        let Self { sides: [low, high], board, .. } = self;
        let views = board.views.iter_mut().zip(low.board.views.iter().zip(&high.board.views));
        for (view, (low, high)) in views {
            let Some(periods) = view.periods_mut() else { continue };
            // A view that was added after the last write has no period yet.
            let pair = [low, high].map(View::periods);
            let spans = pair
                .iter()
                .enumerate()
                .filter_map(|(side, periods)| Some((side, (*periods)?, (*periods)?.span?)));
            let begun: Vec<_> = spans.collect();
            let Some((_, _, span)) = begun.first() else { continue };
            let start = span.period.start;
            if begun.iter().any(|(_, _, span)| span.period.start != start) {
                return Err(Error::Corrupt("a period"));
            }
            periods.span = Some(periods.rules.span(&board.schema.calendar, start));
            periods.since = begun.iter().map(|(_, side, _)| side.since).min().unwrap_or(start);
            periods.last_written = begun.iter().filter_map(|(_, side, _)| side.last_written).max();
            let last = begun.iter().find(|(side, ..)| *side == later).or(begun.first());
            periods.share = last.and_then(|(_, side, _)| side.share);
            periods.set_kept(&board.schema.calendar);
        }
        board.bound();
        Ok(())
    }

    fn finish(self) -> Result<Board, Error> {
        let Self { sides: [low, high], mut board, unranked, is_cut } = self;
        let requests = [&low, &high].map(|side| side.board.requests.as_deref());
        board.requests = Requests::join(requests, board.last, board.keep())?.map(Box::new);
        board.figures = low.board.figures.and(high.board.figures);
        [&low, &high].into_iter().for_each(|side| board.add_held_back(&side.board));
        if board.upkeep.is_some() {
            let (views, rest) = board.split();
            let periods = views.iter_mut().filter_map(View::periods_mut);
            periods.for_each(|periods| periods.prune(rest.schema, rest.garbage));
        }
        if let Some(upkeep) = board.upkeep.as_mut().filter(|_| is_cut) {
            upkeep.gone = unranked;
        }
        board.tidy();
        board.note_top();
        Ok(board)
    }
}

#[cfg(test)]
mod tests;
