//! The sketches of one candidate, or of the board: one sketch of all votes, and one sketch for each batch of votes.
//!
//! All sketches are in one short list. So a vote finds them by reading one allocation, and a candidate with one
//! vote takes little memory.

use std::mem;

use super::footprint::Footprint;
use super::sketch::Sketch;
use crate::mover::Mover;
use crate::size_class::round_up;

const SLOT_SKETCH: usize = size_of::<SlotSketch>();
/// Up to this number of sketches are searched one by one. A longer list is searched by binary search.
const SHORT: usize = 16;
/// The maximum number of series of periods.
pub const SERIES: u8 = 32;
/// The number of bits of a slot for the lateness of votes. `START_BITS` is the number of bits for the start of
/// their period.
const LATE_BITS: u32 = 9;
const START_BITS: u32 = 49;
/// The greatest lateness that fits into a slot. It is more than the number of periods of any window.
const LATEST: u16 = (1 << LATE_BITS) - 1;
/// The absolute value of a start is less than this: nearly nine thousand years in milliseconds.
const START_LIMIT: i64 = 1 << (START_BITS - 1);

/// The votes for one period that were cast during one period. Votes are cast in their own period or in a later
/// period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct VoteBatch {
    /// The number of the series.
    pub series: u8,
    /// The start of the period.
    pub start: i64,
    /// The number of periods by which the votes were late; 0 means that they were in time.
    pub late: u16,
}

/// The voters that a sketch counts: all voters, or the voters of one batch. The overall slot is the first slot; the
/// other slots are in the order of their batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot(u64);

impl Slot {
    pub const OVERALL: Self = Self(0);

    /// Returns the slot of a batch. A start out of range is replaced by the nearest start in range.
    pub fn new(VoteBatch { series, start, late }: VoteBatch) -> Self {
        let start = start.clamp(-START_LIMIT, START_LIMIT.saturating_sub(1)).wrapping_add(START_LIMIT);
        let period = (u64::from(series).saturating_add(1)) << START_BITS | start as u64;
        Self(period << LATE_BITS | u64::from(late.min(LATEST)))
    }

    /// Returns the slot of a batch, or the slot of all votes if there is no batch.
    pub fn of(batch: Option<VoteBatch>) -> Self {
        batch.map_or(Self::OVERALL, Self::new)
    }

    /// Returns the first and the last slot of the periods whose starts are from `from` to `to`, including both.
    pub fn bounds(series: u8, from: i64, to: i64) -> (Self, Self) {
        let (first, last) =
            (VoteBatch { series, start: from, late: 0 }, VoteBatch { series, start: to, late: LATEST });
        (Self::new(first), Self::new(last))
    }

    /// Returns the batch of the slot; `None` for the slot of all votes.
    pub fn batch(self) -> Option<VoteBatch> {
        let period = self.0 >> LATE_BITS;
        let series = (period >> START_BITS).checked_sub(1)?;
        let start = (period & ((1 << START_BITS) - 1)) as i64;
        let late = self.0 as u16 & LATEST;
        Some(VoteBatch { series: series as u8, start: start.wrapping_sub(START_LIMIT), late })
    }
}

/// The floor of each series: periods that start before the floor have expired.
#[derive(Debug, Clone, Default)]
pub struct Floors(Vec<i64>);

impl Floors {
    pub fn get(&self, series: u8) -> i64 {
        self.0.get(usize::from(series)).copied().unwrap_or(i64::MIN)
    }

    pub fn set(&mut self, series: u8, floor: i64) {
        let at = usize::from(series);
        if self.0.len() <= at {
            self.0.resize(at.saturating_add(1), i64::MIN);
        }
        if let Some(old) = self.0.get_mut(at) {
            *old = floor;
        }
    }

    /// Returns whether a slot belongs to a period that has expired.
    pub fn has_expired(&self, slot: Slot) -> bool {
        slot.batch().is_some_and(|batch| batch.start < self.get(batch.series))
    }

    pub fn footprint(&self) -> Footprint {
        Footprint::list::<i64>(self.0.capacity())
    }
}

/// A slot, and the sketch of the voters that are counted in it.
#[derive(Debug, Clone)]
pub struct SlotSketch {
    pub slot: Slot,
    pub sketch: Sketch,
}

/// Sketches by ascending slot. Each sketch has at least one voter.
#[derive(Debug, Clone, Default)]
pub struct Record(Vec<SlotSketch>);

impl Record {
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    pub fn entries(&self) -> &[SlotSketch] {
        &self.0
    }

    pub fn get(&self, slot: Slot) -> Option<&Sketch> {
        let at = self.find(slot).ok()?;
        self.0.get(at).map(|entry| &entry.sketch)
    }

    /// Returns the sketches between two slots, including both.
    pub fn range(&self, (first, last): (Slot, Slot)) -> &[SlotSketch] {
        let from = self.0.partition_point(|entry| entry.slot < first);
        let to = self.0.partition_point(|entry| entry.slot <= last);
        self.0.get(from..to).unwrap_or_default()
    }

    /// Returns the index of a slot as `Ok`, or the index at which it is to be inserted as `Err`. Most lists are
    /// short and similar, so the processor predicts the end of the search and does not wait for the memory of the
    /// list.
    #[inline]
    fn find(&self, slot: Slot) -> Result<usize, usize> {
        if self.0.len() > SHORT {
            return self.0.binary_search_by_key(&slot, |entry| entry.slot);
        }
        match self.0.iter().position(|entry| entry.slot >= slot) {
            Some(at) if self.0.get(at).is_some_and(|entry| entry.slot == slot) => Ok(at),
            at => Err(at.unwrap_or(self.0.len())),
        }
    }

    /// Searches for a slot that is probably at `place`, just after the previous slot.
    #[inline]
    fn find_near(&self, slot: Slot, place: usize) -> Result<usize, usize> {
        match self.0.get(place) {
            Some(entry) if entry.slot == slot => Ok(place),
            _ => self.find(slot),
        }
    }

    /// Prefetches the memory that is needed to count a voter in these slots.
    pub fn prefetch(&self, slots: &[Slot], voter: u64) {
        let mut next = 0;
        for slot in slots {
            if let Ok(at) = self.find_near(*slot, next)
                && let Some(entry) = self.0.get(at)
            {
                entry.sketch.prefetch(voter);
                next = at.saturating_add(1);
            }
        }
    }

    /// Counts a voter in these slots. Returns how many of the slots are new in the record.
    pub fn count(&mut self, slots: &[Slot], voter: u64, footprint: &mut Footprint) -> usize {
        let (mut next, mut new) = (0, 0_usize);
        for slot in slots {
            let found = self.find_near(*slot, next);
            let (Ok(at) | Err(at)) = found;
            next = at.saturating_add(1);
            if found.is_err() {
                self.insert(at, SlotSketch { slot: *slot, sketch: Sketch::default() }, footprint);
                new = new.saturating_add(1);
            }
            if let Some(SlotSketch { sketch, .. }) = self.0.get_mut(at) {
                sketch.insert(voter, footprint);
            }
        }
        new
    }

    /// Returns the slot of the last sketch.
    pub fn last(&self) -> Option<Slot> {
        self.0.last().map(|entry| entry.slot)
    }

    /// Adds a sketch after all other sketches.
    pub fn push(&mut self, slot: Slot, sketch: Sketch, footprint: &mut Footprint) {
        self.insert(self.0.len(), SlotSketch { slot, sketch }, footprint);
    }

    fn insert(&mut self, at: usize, entry: SlotSketch, footprint: &mut Footprint) {
        footprint.take(Footprint::list::<SlotSketch>(self.0.len()));
        footprint.add(entry.sketch.footprint());
        if self.0.len() == self.0.capacity() {
            let more = room(self.0.len().saturating_add(1)).saturating_sub(self.0.len());
            self.0.reserve_exact(more);
        }
        self.0.insert(at, entry);
        footprint.add(Footprint::list::<SlotSketch>(self.0.len()));
    }

    /// Frees up to `most` sketches whose slots fulfil `goes`. Returns how many sketches it has freed.
    pub fn free(&mut self, goes: impl Fn(Slot) -> bool, most: usize, footprint: &mut Footprint) -> usize {
        let before = self.0.len();
        let mut freed: usize = 0;
        self.0.retain(|entry| {
            let stays = freed == most || !goes(entry.slot);
            if !stays {
                footprint.take(entry.sketch.footprint());
                freed = freed.saturating_add(1);
            }
            stays
        });
        if freed > 0 {
            self.0.shrink_to(room(self.0.len()));
            footprint.take(Footprint::list::<SlotSketch>(before));
            footprint.add(Footprint::list::<SlotSketch>(self.0.len()));
        }
        freed
    }

    /// Changes the slots of sketches; their order must stay the same. Sketches that get the same slot are merged.
    pub fn rename(&mut self, renamed: impl Fn(Slot) -> Slot, footprint: &mut Footprint) {
        footprint.take(self.footprint());
        self.0.iter_mut().for_each(|entry| entry.slot = renamed(entry.slot));
        self.0.dedup_by(|entry, before| {
            let is_same = entry.slot == before.slot;
            if is_same {
                before.sketch.merge(&entry.sketch);
            }
            is_same
        });
        self.0.shrink_to(room(self.0.len()));
        footprint.add(self.footprint());
    }

    /// Lets the allocator move all memory of the record to better places.
    pub fn relocate(&mut self, mover: &mut impl Mover) {
        self.0 = mover.relocate_vec(mem::take(&mut self.0));
        self.0.iter_mut().for_each(|entry| entry.sketch.relocate(mover));
    }

    /// Returns the memory of all sketches. It is computed by a walk through them.
    pub fn footprint(&self) -> Footprint {
        let mut footprint = Footprint::list::<SlotSketch>(self.0.len());
        self.0.iter().for_each(|entry| footprint.add(entry.sketch.footprint()));
        footprint
    }
}

/// Returns how many sketches fit into the allocation that is made for `sketches` sketches.
const fn room(sketches: usize) -> usize {
    match sketches {
        0 => 0,
        _ => round_up(sketches.saturating_mul(SLOT_SKETCH)) / SLOT_SKETCH,
    }
}
