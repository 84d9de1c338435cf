//! How many different voters a board and each of its options have, overall and in each period that is
//! kept.
//!
//! A voter is a hash, and a count is a [`Sketch`]: exact while few, within 1 % otherwise. The board calls
//! the periods of one of its views a series, gives it a number, and tells where it stands: what is older
//! than it keeps is gone for every reader at once, and freed in small steps afterwards. What is kept and
//! what is saved follows from the votes and the turns alone, never from how far the freeing has got.
//!
//! A period that has ended is final, and so is the number of its voters. But a late vote counts in the
//! current window, so votes are told apart by their period and by how many periods later they came: a
//! [`Batch`]. A window that has ended counts those batches that came before its end.
//!
//! ```text
//!  board     | overall | series 0, start, late 0 | series 0, start, late 2 | series 1, start ...
//!  option 3  | overall | series 0, start, late 0 ...      each a sketch, in one list
//!  option 7  | overall ...
//! ```
//!
//! Measured with five series and every sketch in registers: 140 ns a vote in the cache, 500 ns with 1,000
//! options at random (43 MB), nearly all of it waiting for memory. An option with one voter takes 224 bytes,
//! with 10 it takes 512, with 1,000 25 KB, at most 43 KB. An estimate from registers takes 30 to 90 microseconds, from tokens none.
mod footprint;
mod list;
mod record;
mod registers;
mod sketch;
#[cfg(test)]
mod tests;
mod window;

use std::collections::BTreeMap;

use footprint::Footprint;
pub use record::{Batch, SERIES};
use record::{Entry, Floors, Record, Slot};
pub use sketch::Sketch;
pub use window::Window;

use crate::Error;
use crate::index::MemberId;
use crate::mover::Mover;
use crate::sorted::Sorted;

/// Up to so many options and bytes, what has expired is freed at once.
const SMALL_OPTIONS: usize = 64;
const SMALL_BYTES: usize = 256 << 10;
/// Expired sketches that a vote frees of those it comes by, when a new period begins for them.
const FREED_BY_VOTE: usize = 4;
/// What a step of work may cost, in sketches looked at: some 20 microseconds.
const STEP: usize = 1024;
/// What finding an option costs, and freeing a sketch.
const FIND: usize = 8;
const FREE: usize = 16;
/// The voters of one board.
#[derive(Debug, Clone, Default)]
pub struct Voters {
    board: Record,
    options: Sorted<MemberId, Record>,
    floors: Floors,
    used: Footprint,
    /// The option where freeing goes on.
    next: Option<MemberId>,
    /// Whether something has expired since this round began.
    again: bool,
}

impl Voters {
    /// Tells where a series stands: periods that start before `kept` have expired. Cheap where it stands
    /// there already.
    ///
    /// What has expired does not come back where a clock is put back and earlier periods are kept again:
    /// they begin anew. Periods that lie ahead stay. Numbers from [`SERIES`] on are not for series.
    pub fn turn(&mut self, series: u8, kept: i64) {
        let floor = self.floors.get(series);
        if kept == floor || series >= SERIES {
            return;
        }
        if kept < floor {
            self.free_expired();
        }
        self.floors.set(series, kept);
        if self.of_board(series).first().is_some_and(|first| self.floors.hide(first.slot)) {
            self.begin_round();
        }
    }

    /// Tells that the last period of a window is current, and that later ones may have been before, on a
    /// clock that was put back since. Votes that came in those have come in this one then, or in their
    /// own period where that lies ahead.
    pub fn put_back(&mut self, series: u8, window: &Window) {
        let renamed = |slot: Slot| match slot.batch() {
            Some(batch) if batch.series == series => {
                Slot::new(Batch { late: batch.late.min(window.periods_after(batch.start)), ..batch })
            }
            _ => slot,
        };
        if self.of_board(series).iter().all(|entry| renamed(entry.slot) == entry.slot) {
            return;
        }
        let Self { board, options, used, .. } = self;
        for record in std::iter::once(board).chain(options.values_mut()) {
            record.rename(renamed, used);
        }
    }

    /// What the board has of a series. Nobody votes for an option and not on the board, so what an option
    /// has the board has too.
    fn of_board(&self, series: u8) -> &[Entry] {
        self.board.range(Slot::bounds(series, i64::MIN, i64::MAX))
    }

    fn begin_round(&mut self) {
        if !self.is_big() {
            self.free_expired();
        } else if self.next.is_some() {
            self.again = true;
        } else {
            self.next = Some(MemberId::MIN);
        }
    }

    /// Frees all that has expired.
    fn free_expired(&mut self) {
        let floors = std::mem::take(&mut self.floors);
        self.free_all(|slot| floors.hide(slot));
        self.floors = floors;
        (self.next, self.again) = (None, false);
    }

    fn free_all(&mut self, goes: impl Fn(Slot) -> bool) {
        let Self { board, options, used, .. } = self;
        for record in std::iter::once(board).chain(options.values_mut()) {
            record.free(&goes, usize::MAX, used);
        }
    }

    /// Forgets all periods of a series: all have expired, until its number is used again.
    pub fn drop_series(&mut self, series: u8) {
        if series < SERIES {
            self.floors.set(series, i64::MAX);
            self.begin_round();
        }
    }

    /// Counts a vote for an option by the hash of the voter, overall and in the batch of each series; not
    /// where the period has expired. The hash is one of 64 bits that are all as good as random, the same
    /// in every process.
    pub fn count(&mut self, voter: u64, option: MemberId, batches: &[Batch]) {
        let Self { board, options, floors, used, .. } = self;
        let slots = slots(floors, batches);
        let option = options.or_default(option);
        option.prefetch(slots.clone(), voter);
        for record in [board, option] {
            for slot in slots.clone() {
                if record.count(slot, voter, used) {
                    record.free(|slot| floors.hide(slot), FREED_BY_VOTE, used);
                }
            }
        }
    }

    /// Asks for the memory that [`count`](Self::count) will touch for an option.
    pub fn prefetch(&self, voter: u64, option: MemberId, batches: &[Batch]) {
        if let Some(record) = self.options.get(option) {
            record.prefetch(slots(&self.floors, batches), voter);
        }
    }

    /// About how many voters there are overall, of the board or of an option.
    #[must_use]
    pub fn overall(&self, option: Option<MemberId>) -> u64 {
        let record = self.record(option);
        record.and_then(|record| record.get(Slot::OVERALL)).map_or(0, Sketch::estimate)
    }

    /// The same for a window of a series, without what has expired. Of one that has ended, the votes that
    /// came before its end. Who voted in several periods counts once.
    #[must_use]
    pub fn within(&self, option: Option<MemberId>, series: u8, window: &Window, has_ended: bool) -> u64 {
        let Some((from, to)) = window.bounds().filter(|_| series < SERIES) else { return 0 };
        let from = from.max(self.floors.get(series));
        let Some(record) = self.record(option).filter(|_| from <= to) else { return 0 };
        let counts = |slot: Slot| {
            !has_ended || slot.batch().is_some_and(|batch| batch.late <= window.periods_after(batch.start))
        };
        let entries = record.range(Slot::bounds(series, from, to)).iter();
        let mut sketches = entries.filter(|entry| counts(entry.slot)).map(|entry| &entry.sketch);
        let Some(first) = sketches.next() else { return 0 };
        let Some(second) = sketches.next() else { return first.estimate() };
        let mut all = first.clone();
        std::iter::once(second).chain(sketches).for_each(|sketch| all.merge(sketch));
        all.estimate()
    }

    fn record(&self, option: Option<MemberId>) -> Option<&Record> {
        match option {
            Some(option) => self.options.get(option),
            None => Some(&self.board),
        }
    }

    /// Forgets the voters of an option. They stay voters of the board.
    pub fn remove(&mut self, option: MemberId) {
        if let Some(record) = self.options.remove(option) {
            self.used.take(record.used());
        }
    }

    /// Gives the options new numbers, which have to differ from each other.
    pub fn renumber(&mut self, number: impl Fn(MemberId) -> MemberId) {
        self.options.rekey(number);
        self.next = self.next.map(|_| MemberId::MIN);
    }

    /// Whether somebody voted for an option.
    #[must_use]
    pub fn contains(&self, option: MemberId) -> bool {
        self.options.get(option).is_some()
    }

    /// The options that somebody voted for, by ascending number.
    pub fn options(&self) -> impl Iterator<Item = MemberId> + '_ {
        self.options.keys()
    }

    /// How many those are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// Whether nobody has voted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.board.is_empty() && self.options.is_empty()
    }

    /// What is to be saved of the board or an option: the overall sketch, then those of batches in order,
    /// without the expired ones.
    pub fn sketches(&self, option: Option<MemberId>) -> impl Iterator<Item = (Option<Batch>, &Sketch)> + '_ {
        let entries = self.record(option).map_or(&[][..], Record::entries);
        let kept = entries.iter().filter(|entry| !self.floors.hide(entry.slot));
        kept.map(|entry| (entry.slot.batch(), &entry.sketch))
    }

    /// Takes up saved sketches of the board and of options, in the order they are saved in; a board has
    /// `series` series. All of them, or none.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where one comes out of order, or cannot be.
    pub fn restore(
        &mut self,
        saved: &[(Option<MemberId>, Option<Batch>, &[u8])],
        series: u8,
    ) -> Result<(), Error> {
        let mut lasts = BTreeMap::new();
        let mut entries = Vec::new();
        for (option, batch, bytes) in saved {
            let slot = Slot::of(*batch);
            if batch.is_some_and(|batch| batch.series >= series.min(SERIES)) || slot.batch() != *batch {
                return Err(Error::Corrupt("period of voters"));
            }
            let sketch = Sketch::load(bytes)?;
            let stored = || self.record(*option).and_then(Record::last);
            let last = lasts.entry(*option).or_insert_with(stored).replace(slot);
            // The overall sketch comes first.
            if sketch.is_empty() || last.map_or(slot != Slot::OVERALL, |last| last >= slot) {
                return Err(Error::Corrupt("voters out of order"));
            }
            entries.push((*option, slot, sketch));
        }
        for (option, slot, sketch) in entries {
            let record = match option {
                Some(option) => self.options.or_default(option),
                None => &mut self.board,
            };
            record.push(slot, sketch, &mut self.used);
        }
        Ok(())
    }

    /// Whether the voters of an option are so few that their number is exact, and quick to tell.
    #[must_use]
    pub fn is_exact(&self, option: MemberId) -> bool {
        let overall = self.options.get(option).and_then(|record| record.get(Slot::OVERALL));
        overall.is_none_or(Sketch::is_exact)
    }

    /// Frees some of what has expired: a bounded step. Whether there is more to look at.
    pub fn work(&mut self) -> bool {
        let Some(from) = self.next else { return false };
        self.next = self.work_from(from);
        if self.next.is_none() && self.again {
            (self.next, self.again) = (Some(MemberId::MIN), false);
        }
        self.next.is_some()
    }

    /// One step; the option where to go on.
    fn work_from(&mut self, from: MemberId) -> Option<MemberId> {
        let Self { board, options, floors, used, .. } = self;
        let expired = |slot| floors.hide(slot);
        let mut left = STEP.saturating_sub(board.free(expired, STEP / FREE, used).saturating_mul(FREE));
        if left == 0 {
            return Some(from);
        }
        for (option, record) in options.range_from_mut(from) {
            if left == 0 {
                return Some(option);
            }
            // However long the list is, the step gets ahead.
            let most = (left / FREE).max(1);
            let freed = record.free(expired, most, used);
            if freed == most {
                return Some(option);
            }
            let cost = FIND.saturating_add(record.len()).saturating_add(freed.saturating_mul(FREE));
            left = left.saturating_sub(cost);
        }
        None
    }

    /// Whether there is so much that what has expired is freed by [`work`](Self::work), not at once.
    #[must_use]
    pub fn is_big(&self) -> bool {
        self.options.len() > SMALL_OPTIONS || self.used.bytes > SMALL_BYTES
    }

    /// Bytes on the heap. Counted as they change, nothing is walked.
    #[must_use]
    pub fn memory(&self) -> usize {
        let rest = [self.options.memory(), self.floors.used().bytes];
        rest.into_iter().fold(self.used.bytes, usize::saturating_add)
    }

    /// About how many allocations there are to free.
    #[must_use]
    pub fn effort(&self) -> usize {
        self.used.allocations.saturating_add(self.options.allocations())
    }

    /// Lets the allocator move the memory of the board, then of its options, to better places, from a step
    /// on; where to go on, or nothing when all is done. The list of them stays where it is.
    pub fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize> {
        if from == 0 {
            self.board.relocate(mover);
        }
        let first = MemberId::try_from(from.saturating_sub(1)).ok()?;
        for (option, record) in self.options.range_from_mut(first) {
            let at = (option as usize).saturating_add(1);
            if at != from && mover.pause() {
                return Some(at);
            }
            record.relocate(mover);
        }
        None
    }

    /// Walks everything and panics where something does not hold. Only tests call it.
    #[doc(hidden)]
    pub fn check(&self) {
        let mut used = self.board.used();
        for record in self.options.values() {
            used.add(record.used());
            assert!(record.get(Slot::OVERALL).is_some(), "an option without voters");
        }
        assert_eq!(self.used, used);
    }
}

/// Where a vote of these batches counts: overall, and in those whose periods have not expired.
fn slots<'a>(floors: &'a Floors, batches: &'a [Batch]) -> impl Iterator<Item = Slot> + Clone + 'a {
    let kept = |batch: &&Batch| batch.series < SERIES && batch.start >= floors.get(batch.series);
    std::iter::once(Slot::OVERALL).chain(batches.iter().filter(kept).map(|batch| Slot::new(*batch)))
}
