//! Counts the different voters of a board and of each of its candidates: overall, and in each period that is kept.
//!
//! A voter is a hash, and a count is a [`Sketch`]: it is exact for few voters, and within 1 % for many voters. The
//! periods of one view are a series. The board determines the number of a series, and which of its periods have
//! expired. Expired periods can no longer be read; their memory is freed later, in small steps. The data that is
//! kept and saved depends on the votes and on the calls of the board, but not on the progress of freeing.
//!
//! A period that has ended is final, and so is the number of its voters. But a late vote counts in the current
//! window. So votes are stored separately by their period and by the number of periods by which they were late: a
//! [`VoteBatch`]. For a window that has ended, the batches of votes before its end are counted.
//!
//! ```text
//!  board         | overall | series 0, start, late 0 | series 0, start, late 2 | series 1, start ...
//!  candidate 3   | overall | series 0, start, late 0 ...      each a sketch, in one list
//!  candidate 7   | overall ...
//! ```
//!
//! Measured with five series and all sketches in registers: a vote takes 140 ns if all memory is in the cache, and
//! 500 ns with 1,000 candidates in random order (43 MB); nearly all of this time is waiting for memory. A candidate
//! takes 224 bytes with one voter, 512 bytes with 10 voters, 25 KB with 1,000 voters, and at most 49 KB. An
//! estimate takes 30 to 90 microseconds from registers, and no time from tokens.

mod footprint;
mod list;
mod record;
mod registers;
mod sketch;
#[cfg(test)]
mod tests;
mod window;

use std::borrow::Cow;
use std::collections::BTreeMap;

use arrayvec::ArrayVec;
use footprint::Footprint;
use record::{Floors, Record, Slot, SlotSketch};
pub(crate) use record::{SERIES, VoteBatch};
pub use sketch::Sketch;
pub(crate) use window::PeriodWindow;

use crate::Error;
use crate::index::MemberId;
use crate::mover::{Mover, Relocation};
use crate::sorted::Sorted;

/// Up to this number of candidates and bytes, expired sketches are freed at once.
const SMALL_CANDIDATES: usize = 64;
const SMALL_BYTES: usize = 256 << 10;
/// How many expired sketches a vote frees in a record for each new sketch that it adds to the record.
const FREED_BY_VOTE: usize = 4;
/// The cost of a step of work, as a number of sketches that are checked: about 20 microseconds.
const STEP: usize = 1024;
/// The cost of finding a candidate, and the cost of freeing a sketch, in the same unit.
const FIND: usize = 8;
const FREE: usize = 16;

/// The maximum number of slots in which a vote counts: the overall slot, and one slot for each series.
const MOST_SLOTS: usize = 1 + SERIES as usize;
type Slots = ArrayVec<Slot, MOST_SLOTS>;

/// The voters of one board.
#[derive(Debug, Clone, Default)]
pub(crate) struct Voters {
    board: Record,
    candidates: Sorted<MemberId, Record>,
    floors: Floors,
    footprint: Footprint,
    /// The candidate with which the freeing of expired sketches continues.
    next: Option<MemberId>,
    /// Whether periods have expired since this round of freeing began.
    again: bool,
}

impl Voters {
    /// Expires the periods of a series that start before `kept`. This is fast if they have already expired.
    ///
    /// If a clock is put back, earlier periods are kept again. Their counts begin at 0: data that has expired is
    /// not used again. Later periods are kept. The number of a series must be less than [`SERIES`].
    pub fn expire_before(&mut self, series: u8, kept: i64) {
        let floor = self.floors.get(series);
        if kept == floor || series >= SERIES {
            return;
        }
        if kept < floor {
            self.free_expired();
        }
        self.floors.set(series, kept);
        if self.board_sketches(series).first().is_some_and(|first| self.floors.has_expired(first.slot)) {
            self.begin_round();
        }
    }

    /// Follows a clock that was put back: the last period of this window is current again. Votes that were cast in
    /// later periods now count as if they had been cast in this period. If a vote is for a later period than this
    /// one, it counts as not late.
    pub fn follow_clock_back(&mut self, series: u8, window: &PeriodWindow) {
        let renamed = |slot: Slot| match slot.batch() {
            Some(batch) if batch.series == series => {
                Slot::new(VoteBatch { late: batch.late.min(window.periods_after(batch.start)), ..batch })
            }
            _ => slot,
        };
        if self.board_sketches(series).iter().all(|entry| renamed(entry.slot) == entry.slot) {
            return;
        }
        let Self { board, candidates, footprint, .. } = self;
        for record in std::iter::once(board).chain(candidates.values_mut()) {
            record.rename(renamed, footprint);
        }
    }

    /// Returns the board's sketches of a series. A vote for a candidate counts for the board too, so the board has
    /// a sketch for every batch of its candidates.
    fn board_sketches(&self, series: u8) -> &[SlotSketch] {
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

    /// Frees all expired sketches.
    fn free_expired(&mut self) {
        let floors = std::mem::take(&mut self.floors);
        self.free_all(|slot| floors.has_expired(slot));
        self.floors = floors;
        (self.next, self.again) = (None, false);
    }

    fn free_all(&mut self, goes: impl Fn(Slot) -> bool) {
        let Self { board, candidates, footprint, .. } = self;
        for record in std::iter::once(board).chain(candidates.values_mut()) {
            record.free(&goes, usize::MAX, footprint);
        }
    }

    /// Expires all periods of a series. They stay expired until the series' number is used again.
    pub fn drop_series(&mut self, series: u8) {
        if series < SERIES {
            self.floors.set(series, i64::MAX);
            self.begin_round();
        }
    }

    /// Counts a vote for a candidate by the hash of the voter, in the overall slot and in the batch of each series,
    /// but not in expired periods. All 64 bits of the hash must be nearly random, and the hash must be the same in
    /// every process.
    pub fn count(&mut self, voter: u64, candidate: MemberId, batches: &[VoteBatch]) {
        let Self { board, candidates, floors, footprint, .. } = self;
        let slots = slots(floors, batches);
        for record in [board, candidates.or_default(candidate)] {
            let new = record.count(&slots, voter, footprint);
            if new > 0 {
                let most = FREED_BY_VOTE.saturating_mul(new);
                record.free(|slot| floors.has_expired(slot), most, footprint);
            }
        }
    }

    /// Prefetches the memory of a candidate that [`count`](Self::count) changes.
    pub fn prefetch(&self, voter: u64, candidate: MemberId, batches: &[VoteBatch]) {
        if let Some(record) = self.candidates.get(candidate) {
            record.prefetch(&slots(&self.floors, batches), voter);
        }
    }

    /// Returns the voters of the board or of a candidate, over all time.
    pub fn overall(&self, candidate: Option<MemberId>) -> Cow<'_, Sketch> {
        let record = self.record(candidate);
        record.and_then(|record| record.get(Slot::OVERALL)).map(Cow::Borrowed).unwrap_or_default()
    }

    /// Returns the voters of the board or of a candidate in a window of a series, without expired periods. For a window
    /// that has ended, only votes that were cast before its end are counted. A voter that voted in several periods
    /// counts once.
    pub fn within(
        &self,
        candidate: Option<MemberId>,
        series: u8,
        window: &PeriodWindow,
        has_ended: bool,
    ) -> Cow<'_, Sketch> {
        let bounds = window.bounds().filter(|_| series < SERIES);
        let Some((from, to)) = bounds else { return Cow::default() };
        let from = from.max(self.floors.get(series));
        let Some(record) = self.record(candidate).filter(|_| from <= to) else { return Cow::default() };
        let counts = |slot: Slot| {
            !has_ended || slot.batch().is_some_and(|batch| batch.late <= window.periods_after(batch.start))
        };
        let entries = record.range(Slot::bounds(series, from, to)).iter();
        let mut sketches = entries.filter(|entry| counts(entry.slot)).map(|entry| &entry.sketch);
        let mut all = sketches.next().map(Cow::Borrowed).unwrap_or_default();
        sketches.for_each(|sketch| all.to_mut().merge(sketch));
        all
    }

    fn record(&self, candidate: Option<MemberId>) -> Option<&Record> {
        match candidate {
            Some(candidate) => self.candidates.get(candidate),
            None => Some(&self.board),
        }
    }

    /// Forgets the voters of a candidate. They still count as voters of the board.
    pub fn remove(&mut self, candidate: MemberId) {
        if let Some(record) = self.candidates.remove(candidate) {
            self.footprint.take(record.footprint());
        }
    }

    /// Changes the ids of the candidates. The new ids must be distinct.
    pub fn renumber(&mut self, number: impl Fn(MemberId) -> MemberId) {
        self.candidates.rekey(number);
        self.next = self.next.map(|_| MemberId::MIN);
    }

    /// Returns whether a candidate has voters.
    pub fn contains(&self, candidate: MemberId) -> bool {
        self.candidates.get(candidate).is_some()
    }

    /// Returns the candidates that have voters, by ascending id.
    pub fn candidates(&self) -> impl Iterator<Item = MemberId> + '_ {
        self.candidates.keys()
    }

    /// Returns how many candidates have voters.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Returns the sketches of the board or of a candidate that are saved: first the sketch of all votes, then the
    /// sketches of batches in order. Expired sketches are not saved.
    pub fn sketches(
        &self,
        candidate: Option<MemberId>,
    ) -> impl Iterator<Item = (Option<VoteBatch>, &Sketch)> + '_ {
        let entries = self.record(candidate).map_or(&[][..], Record::entries);
        let kept = entries.iter().filter(|entry| !self.floors.has_expired(entry.slot));
        kept.map(|entry| (entry.slot.batch(), &entry.sketch))
    }

    /// Restores saved sketches of the board and of candidates, in the order in which they are saved. `series` is
    /// the number of series of the board. Restores all sketches, or none.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if a sketch is out of order or is not valid.
    pub fn restore(
        &mut self,
        saved: &[(Option<MemberId>, Option<VoteBatch>, &[u8])],
        series: u8,
    ) -> Result<(), Error> {
        let mut lasts = BTreeMap::new();
        let mut entries = Vec::new();
        for (candidate, batch, bytes) in saved {
            let slot = Slot::of(*batch);
            if batch.is_some_and(|batch| batch.series >= series.min(SERIES)) || slot.batch() != *batch {
                return Err(Error::Corrupt("period of voters"));
            }
            let sketch = Sketch::load(bytes)?;
            let stored = || self.record(*candidate).and_then(Record::last);
            let last = lasts.entry(*candidate).or_insert_with(stored).replace(slot);
            // The overall sketch must come first.
            if sketch.is_empty() || last.map_or(slot != Slot::OVERALL, |last| last >= slot) {
                return Err(Error::Corrupt("voters out of order"));
            }
            entries.push((*candidate, slot, sketch));
        }
        for (candidate, slot, sketch) in entries {
            let record = match candidate {
                Some(candidate) => self.candidates.or_default(candidate),
                None => &mut self.board,
            };
            record.push(slot, sketch, &mut self.footprint);
        }
        Ok(())
    }

    /// Adds a sketch of the board or of a candidate, behind all of its other sketches.
    pub fn adopt(&mut self, candidate: Option<MemberId>, batch: Option<VoteBatch>, sketch: Sketch) {
        let record = match candidate {
            Some(candidate) => self.candidates.or_default(candidate),
            None => &mut self.board,
        };
        record.push(Slot::of(batch), sketch, &mut self.footprint);
    }

    /// Returns whether a candidate has so few voters that their number is exact and fast to compute.
    pub fn is_exact(&self, candidate: MemberId) -> bool {
        let overall = self.candidates.get(candidate).and_then(|record| record.get(Slot::OVERALL));
        overall.is_none_or(Sketch::is_exact)
    }

    /// Frees expired sketches in a step of limited time. Returns whether there are more sketches to check.
    pub fn work(&mut self) -> bool {
        let Some(from) = self.next else { return false };
        self.next = self.work_from(from);
        if self.next.is_none() && self.again {
            (self.next, self.again) = (Some(MemberId::MIN), false);
        }
        self.next.is_some()
    }

    /// Does one step of freeing. Returns the candidate with which to continue; `None` after the last candidate.
    fn work_from(&mut self, from: MemberId) -> Option<MemberId> {
        let Self { board, candidates, floors, footprint, .. } = self;
        let expired = |slot| floors.has_expired(slot);
        let mut left = STEP.saturating_sub(board.free(expired, STEP / FREE, footprint).saturating_mul(FREE));
        if left == 0 {
            return Some(from);
        }
        for (candidate, record) in candidates.range_from_mut(from) {
            if left == 0 {
                return Some(candidate);
            }
            // At least one sketch may be freed, so that each step makes progress.
            let most = (left / FREE).max(1);
            let freed = record.free(expired, most, footprint);
            if freed == most {
                return Some(candidate);
            }
            let cost = FIND.saturating_add(record.len()).saturating_add(freed.saturating_mul(FREE));
            left = left.saturating_sub(cost);
        }
        None
    }

    /// Returns whether there are so many sketches that expired sketches are freed by [`work`](Self::work) and not
    /// at once.
    pub fn is_big(&self) -> bool {
        self.candidates.len() > SMALL_CANDIDATES || self.footprint.bytes > SMALL_BYTES
    }

    /// Returns the number of bytes on the heap. They are counted when they change, so no walk through the lists is
    /// needed.
    pub fn memory(&self) -> usize {
        let rest = [self.candidates.memory(), self.floors.footprint().bytes];
        rest.into_iter().fold(self.footprint.bytes, usize::saturating_add)
    }

    /// Returns about how many allocations must be freed.
    pub fn effort(&self) -> usize {
        self.footprint.allocations.saturating_add(self.candidates.allocations())
    }

    /// Lets the allocator move all records. The list of candidates is not moved.
    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(1, |_, mover| self.board.relocate(mover));
        let count = self.candidates.len();
        let mut records = self.candidates.range_from_mut(MemberId::MIN).enumerate();
        // The steps are called in ascending order, so the iterator can continue.
        walk.steps(count, |step, mover| {
            if let Some((_, (_, record))) = records.find(|(at, _)| *at == step) {
                record.relocate(mover);
            }
        });
    }

    /// Walks through all records. Panics if an invariant is broken. Only tests call it.
    pub fn check(&self) {
        let mut footprint = self.board.footprint();
        for record in self.candidates.values() {
            footprint.add(record.footprint());
            assert!(record.get(Slot::OVERALL).is_some(), "a candidate without voters");
        }
        assert_eq!(self.footprint, footprint);
    }
}

/// Returns the slots in which a vote of these batches counts: the slot of all votes, and the slots of batches that
/// have not expired.
fn slots(floors: &Floors, batches: &[VoteBatch]) -> Slots {
    let kept = |batch: &&VoteBatch| batch.series < SERIES && batch.start >= floors.get(batch.series);
    let slots = batches.iter().filter(kept).map(|batch| Slot::new(*batch));
    std::iter::once(Slot::OVERALL).chain(slots).take(MOST_SLOTS).collect()
}
