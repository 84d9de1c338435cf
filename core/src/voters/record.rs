//! The sketches of one option, or of the board: the overall one, and one for each batch of votes: those
//! of a period that came in time, and those that came so many periods later.
//!
//! All of them stand in one short list, so that a vote goes through one allocation to find them, and an
//! option that got one vote takes little.

use std::mem;

use super::Sketch;
use super::footprint::Footprint;
use crate::mover::Mover;
use crate::size_class::round_up;

/// Bytes of an entry.
const ENTRY: usize = size_of::<Entry>();
/// Up to so many entries, a list is walked.
const SHORT: usize = 16;
/// How many series of periods there can be.
pub const SERIES: u8 = 32;
/// Bits of a slot for how late votes came, and for the start of their period.
const LATE_BITS: u32 = 9;
const START_BITS: u32 = 49;
/// The latest that a slot can tell: more periods than any window has.
const LATEST: u16 = (1 << LATE_BITS) - 1;
/// Starts lie less than this from 0: nearly nine thousand years in milliseconds.
const START_LIMIT: i64 = 1 << (START_BITS - 1);

/// Votes of one period of a series that came during one period: their own, or one so many later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Batch {
    /// The number of the series.
    pub series: u8,
    /// The start of the period.
    pub start: i64,
    /// How many periods later they came.
    pub late: u16,
}

/// What a sketch counts: all voters, or those of one batch. In the order of batches, after the overall
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot(u64);

impl Slot {
    pub const OVERALL: Self = Self(0);

    /// The slot of a batch. What lies beyond all calendars is taken for their end.
    pub fn new(Batch { series, start, late }: Batch) -> Self {
        let start = start.clamp(-START_LIMIT, START_LIMIT.saturating_sub(1)).wrapping_add(START_LIMIT);
        let period = (u64::from(series).saturating_add(1)) << START_BITS | start as u64;
        Self(period << LATE_BITS | u64::from(late.min(LATEST)))
    }

    /// The slot of a batch, or the overall one.
    pub fn of(batch: Option<Batch>) -> Self {
        batch.map_or(Self::OVERALL, Self::new)
    }

    /// The first and the last slot of periods that start from one moment to another.
    pub fn bounds(series: u8, from: i64, to: i64) -> (Self, Self) {
        let (first, last) =
            (Batch { series, start: from, late: 0 }, Batch { series, start: to, late: LATEST });
        (Self::new(first), Self::new(last))
    }

    /// What it counts, where that is a batch.
    pub fn batch(self) -> Option<Batch> {
        let period = self.0 >> LATE_BITS;
        let series = (period >> START_BITS).checked_sub(1)?;
        let start = (period & ((1 << START_BITS) - 1)) as i64;
        let late = self.0 as u16 & LATEST;
        Some(Batch { series: series as u8, start: start.wrapping_sub(START_LIMIT), late })
    }
}

/// Where each series stands: periods that start earlier have expired.
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

    /// Whether a slot is of a period that has expired.
    pub fn hide(&self, slot: Slot) -> bool {
        slot.batch().is_some_and(|batch| batch.start < self.get(batch.series))
    }

    pub fn used(&self) -> Footprint {
        Footprint::list::<i64>(self.0.capacity())
    }
}

#[derive(Debug, Clone)]
pub struct Entry {
    pub slot: Slot,
    pub sketch: Sketch,
}

/// Sketches by ascending slot, none of them empty.
#[derive(Debug, Clone, Default)]
pub struct Record(Vec<Entry>);

impl Record {
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub const fn len(&self) -> usize {
        self.0.len()
    }

    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    pub fn get(&self, slot: Slot) -> Option<&Sketch> {
        let at = self.find(slot).ok()?;
        self.0.get(at).map(|entry| &entry.sketch)
    }

    /// The sketches of slots from one to another, both included.
    pub fn range(&self, (first, last): (Slot, Slot)) -> &[Entry] {
        let from = self.0.partition_point(|entry| entry.slot < first);
        let to = self.0.partition_point(|entry| entry.slot <= last);
        self.0.get(from..to).unwrap_or_default()
    }

    /// Where a slot is, or belongs. Most lists are short and alike, so that the processor foresees where
    /// a walk ends, and need not wait for the list to come.
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

    /// Asks for the memory that counting a voter in these slots will touch.
    pub fn prefetch(&self, slots: impl Iterator<Item = Slot>, voter: u64) {
        slots.filter_map(|slot| self.get(slot)).for_each(|sketch| sketch.prefetch(voter));
    }

    /// Counts a voter in a slot; whether it is a new one.
    pub fn count(&mut self, slot: Slot, voter: u64, used: &mut Footprint) -> bool {
        let found = self.find(slot);
        match found {
            Ok(at) => {
                if let Some(Entry { sketch, .. }) = self.0.get_mut(at) {
                    used.take(sketch.used());
                    sketch.insert(voter);
                    used.add(sketch.used());
                }
            }
            Err(at) => {
                let mut sketch = Sketch::default();
                sketch.insert(voter);
                self.insert(at, Entry { slot, sketch }, used);
            }
        }
        found.is_err()
    }

    /// The slot of the last sketch.
    pub fn last(&self) -> Option<Slot> {
        self.0.last().map(|entry| entry.slot)
    }

    /// Adds a sketch behind all others.
    pub fn push(&mut self, slot: Slot, sketch: Sketch, used: &mut Footprint) {
        self.insert(self.0.len(), Entry { slot, sketch }, used);
    }

    fn insert(&mut self, at: usize, entry: Entry, used: &mut Footprint) {
        used.take(Footprint::list::<Entry>(self.0.len()));
        used.add(entry.sketch.used());
        if self.0.len() == self.0.capacity() {
            let more = room(self.0.len().saturating_add(1)).saturating_sub(self.0.len());
            self.0.reserve_exact(more);
        }
        self.0.insert(at, entry);
        used.add(Footprint::list::<Entry>(self.0.len()));
    }

    /// Frees up to so many sketches of slots that are to go; how many.
    pub fn free(&mut self, goes: impl Fn(Slot) -> bool, most: usize, used: &mut Footprint) -> usize {
        let before = self.0.len();
        let mut freed: usize = 0;
        self.0.retain(|entry| {
            let stays = freed == most || !goes(entry.slot);
            if !stays {
                used.take(entry.sketch.used());
                freed = freed.saturating_add(1);
            }
            stays
        });
        if freed > 0 {
            self.0.shrink_to(room(self.0.len()));
            used.take(Footprint::list::<Entry>(before));
            used.add(Footprint::list::<Entry>(self.0.len()));
        }
        freed
    }

    /// Gives sketches other slots, in the same order. Those that come to have the same one are merged.
    pub fn rename(&mut self, renamed: impl Fn(Slot) -> Slot, used: &mut Footprint) {
        used.take(self.used());
        self.0.iter_mut().for_each(|entry| entry.slot = renamed(entry.slot));
        self.0.dedup_by(|entry, before| {
            let is_same = entry.slot == before.slot;
            if is_same {
                before.sketch.merge(&entry.sketch);
            }
            is_same
        });
        self.0.shrink_to(room(self.0.len()));
        used.add(self.used());
    }

    /// Lets the allocator move all of it to better places.
    pub fn relocate(&mut self, mover: &mut impl Mover) {
        self.0 = mover.relocate_vec(mem::take(&mut self.0));
        self.0.iter_mut().for_each(|entry| entry.sketch.relocate(mover));
    }

    /// What all of it takes, by a walk over it.
    pub fn used(&self) -> Footprint {
        let mut used = Footprint::list::<Entry>(self.0.len());
        self.0.iter().for_each(|entry| used.add(entry.sketch.used()));
        used
    }
}

/// For how many entries there is room in an allocation for so many.
const fn room(entries: usize) -> usize {
    match entries {
        0 => 0,
        _ => round_up(entries.saturating_mul(ENTRY)) / ENTRY,
    }
}
