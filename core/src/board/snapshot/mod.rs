//! A board as bytes, in chunks (see [`crate::snapshot`]):
//!
//! ```text
//!  head        format, schema, clock; views and their periods
//!  rules       of votes: the hours of voting, and the limits
//!  ranked      members of the default view, best first: name, score, moment, text
//!  others      members to which only other parts refer, by name: name, text
//!  view        entries of another view, best first: member, score, moment     (for each of them)
//!  points      of one period of a view: member, points                        (for each of them)
//!  past        ended periods of a view with one order, best first: member, score  (for each of them)
//!  base        like past, with moments, if the orders of later periods are derived from it
//!  old         points of a period of a view that no longer count, for derived orders   (for each of them)
//!  changed     points of a view as they were before they changed, for derived orders
//!  candidates  in the order of declaration: member, weight, initial votes
//!  usage       of a limit in a period: hash of each user, quantity used       (for each of them)
//!  voters      sketches: of all voters or of a member's voters, for all time or a period of a view, by delay
//!  segments    of each dimension: names, members, moves, and last changes in current and ended periods
//!  tables      of prizes: the moments at which they were set
//!  winners     of a period with prizes: member, prize, rank, score, claim     (for each of them)
//!  requests    request ids that are remembered, oldest first, with their age
//!  end         the number of items of each part
//! ```
//!
//! Members are named once. After that, a part refers to a member by its place in the list of names. Views are saved
//! as they were at the last write. All changes by time since then follow from that state: a board that was loaded
//! is brought to the present. So the bytes do not depend on how long a board was idle.
//!
//! The order of a board is the order of its entries here, so the order of equal entries needs no number. The same
//! board gives the same bytes in every process. A board that was loaded is saved as the same bytes again.

pub(super) mod campaign;
pub(super) mod entries;
mod head;
mod history;
pub(super) mod loading;
mod needed;
mod past;
mod places;
mod points;
mod prizes;
mod segments;

use super::Board;
use crate::Error;
use crate::catalog::CatalogEntry;
use crate::parts::Role;
use crate::snapshot::chunk::{Emit, read_end, write_end};
use crate::snapshot::prizes::{TABLES, WINNERS};
use crate::snapshot::requests;
use crate::snapshot::wire::Reader;
use crate::view::{Periods, View};
use places::MemberPlaces;

const END: u8 = 5;

impl Board {
    /// Calls `emit` with the chunks of the board, one after the other.
    pub fn save(&self, emit: impl FnMut(&[u8])) {
        self.save_share(self.schema.role, self.catalog(), emit);
    }

    /// Calls `emit` with the chunks of a board with this role and this catalogue entry, which has the members of this
    /// board that belong to that role, and all request ids.
    pub(super) fn save_share(&self, role: Role, entry: CatalogEntry, mut emit: impl FnMut(&[u8])) {
        let emit: Emit = &mut emit;
        head::write(self, (role, entry), emit);
        campaign::write_rules(self, emit);
        let mut places = MemberPlaces::new(self, role);
        let ranked = entries::write_ranked(self, &mut places, emit);
        let others = entries::write_others(self, &mut places, emit);
        let [mut views, mut points, mut past, mut old, mut changed] = [0_u64; 5];
        for number in 0..self.views.len() {
            if number > 0 {
                views = views.saturating_add(entries::write_view(self, number, &places, emit));
            }
            points = points.saturating_add(points::write(self, number, &places, emit));
            past = past.saturating_add(past::write(self, number, &places, emit));
            old = old.saturating_add(history::write_old(self, number, &places, emit));
            changed = changed.saturating_add(history::write_changed(self, number, &places, emit));
        }
        let candidates = campaign::write_candidates(self, &places, emit);
        let usage = campaign::write_usage(self, emit);
        let voters = campaign::write_voters(self, &places, emit);
        let [names, members, moves, moments] = segments::write(self, &places, emit);
        let [tables, winners] = prizes::write(self, role, emit);
        let requests = requests::write(self.requests.as_deref(), self.last, self.keep(), emit);
        let counts = [ranked, others, requests, views, points, past, candidates, usage, voters, old, changed];
        write_end(END, &[&counts[..], &[names, members, moves, moments, tables, winners]].concat(), emit);
    }

    /// Makes a board from its first chunk, the head.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for a chunk that is not a head, or has a format that this version cannot read.
    pub fn load(head: &[u8]) -> Result<Self, Error> {
        let mut board = head::read(head)?;
        board.loading = Some(Box::default());
        Ok(board)
    }

    /// Loads one more chunk. Returns whether it was the last one. A chunk that is refused changes nothing.
    ///
    /// # Errors
    /// [`Error::Exists`] after the last chunk; [`Error::Corrupt`] with the check that failed; [`Error::Full`] when
    /// there is no room for more names: in this case, some items of the chunk were loaded.
    pub fn load_chunk(&mut self, chunk: &[u8]) -> Result<bool, Error> {
        if self.loading.is_none() {
            return Err(Error::Exists);
        }
        let mut reader = Reader(chunk);
        let kind = reader.byte()?;
        if ![past::PAST, past::BASE].contains(&kind) {
            past::finish(self)?;
        }
        if kind != WINNERS {
            prizes::finish(self)?;
        }
        let is_prize = [TABLES, WINNERS].contains(&kind);
        if self.schema.role.part().is_some() && is_prize {
            return Err(Error::Corrupt("prizes in a part"));
        }
        if self.is_root() && !is_prize && ![campaign::RULES, END].contains(&kind) {
            return Err(Error::Corrupt("a root with more than rules and prizes"));
        }
        match kind {
            campaign::RULES => campaign::read_rules(self, &mut reader)?,
            entries::RANKED => entries::read_ranked(self, &mut reader)?,
            entries::OTHERS => entries::read_others(self, &mut reader)?,
            entries::VIEW => entries::read_view(self, &mut reader)?,
            points::POINTS => points::read(self, &mut reader)?,
            past::PAST | past::BASE => past::read(self, kind, &mut reader)?,
            history::OLD_POINTS => history::read_old(self, &mut reader)?,
            history::CHANGED_POINTS => history::read_changed(self, &mut reader)?,
            campaign::CANDIDATES => campaign::read_candidates(self, &mut reader)?,
            campaign::USAGE => campaign::read_usage(self, &mut reader)?,
            campaign::VOTERS => campaign::read_voters(self, &mut reader)?,
            segments::NAMES..=segments::ENDED => segments::read(self, kind, &mut reader)?,
            TABLES => prizes::read_tables(self, &mut reader)?,
            WINNERS => prizes::read_winners(self, &mut reader)?,
            requests::REQUESTS => {
                let (last, keep) = (self.last, self.keep());
                requests::read(&mut self.requests, last, keep, &mut reader)?;
            }
            END => {
                read_end(&mut reader, &self.counts_loaded())?;
                places::check(self)?;
                entries::check(self)?;
                segments::check(self)?;
                self.loading = None;
                segments::finish(self);
                self.views.iter_mut().filter_map(View::periods_mut).for_each(Periods::set_needed);
                if self.has_many_lists() {
                    self.enlarge()?;
                }
                self.note_top();
            }
            _ => return Err(Error::Corrupt("an unknown part")),
        }
        Ok(kind == END)
    }

    /// Returns how many items of each part the board has after it is loaded, in the order in which the end chunk
    /// lists the parts.
    fn counts_loaded(&self) -> [u64; 17] {
        let others = (self.members.len() as u64).saturating_sub(self.len());
        let views = self.views.iter().skip(1).map(|view| view.index.len()).sum();
        let (requests, points, past) =
            (requests::count(self.requests.as_deref()), points::count(self), past::count(self));
        let [candidates, usage, voters] = campaign::counts(self);
        let [old, changed] = history::counts(self);
        let [names, members, moves, moments] = segments::counts(self);
        let [tables, winners] = prizes::counts(self);
        [
            self.len(),
            others,
            requests,
            views,
            points,
            past,
            candidates,
            usage,
            voters,
            old,
            changed,
            names,
            members,
            moves,
            moments,
            tables,
            winners,
        ]
    }
}

#[cfg(test)]
mod tests;
