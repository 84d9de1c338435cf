//! A hash table from 64-bit hashes to 32-bit numbers that is never rehashed as a whole.
//!
//! The table is divided into segments by the leading bits of the hash (extendible hashing), and a segment into
//! lines of 64 bytes, which are cache lines. A line has ten slots. A slot contains the number and a tag of 16 bits,
//! which are the low bits of the hash. The home line of an entry is its tag, scaled to the number of lines. So a
//! segment can grow by a fifth at a time, and needs only its tags for that. A segment of 4 KB is split by one more
//! leading bit. Only a split needs full hashes: about six hundred each time.
//!
//! If the home line of an entry is full, the entry goes to the next line, and the full line counts it. So a search
//! ends at the first line that no entry has passed. No slot is ever marked as deleted.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "line numbers are reduced to the segment's lines, slots to len"
)]

use crate::mover::{Mover, Relocation};
use crate::prefetch::prefetch;
use crate::size_class::{bytes_of, room_for, round_up};

/// The number of slots of a line.
const SLOTS: usize = 10;
/// The number of lines of a segment of 4 KB. Larger segments are split, smaller segments grow. A split needs about
/// 600 hashes.
const MOST_LINES: usize = 64;
/// The maximum number of leading bits that segments use. With this number of bits, segments grow beyond
/// [`MOST_LINES`].
const MOST_DEPTH: u32 = 24;

#[derive(Debug, Clone, Copy)]
struct Line {
    numbers: [u32; SLOTS],
    tags: [u16; SLOTS],
    len: u16,
    /// The number of entries that found no free slot in this line and went to the next line.
    passed: u16,
}

const EMPTY: Line = Line { numbers: [0; SLOTS], tags: [0; SLOTS], len: 0, passed: 0 };
const _: () = assert!(size_of::<Line>() == 64);

impl Line {
    fn remove(&mut self, slot: usize) {
        let last = usize::from(self.len) - 1;
        self.numbers[slot] = self.numbers[last];
        self.tags[slot] = self.tags[last];
        self.len -= 1;
    }
}

#[derive(Debug, Clone)]
struct Segment {
    lines: Box<[Line]>,
    count: u32,
    depth: u32,
}

impl Segment {
    fn new(lines: usize, depth: u32) -> Self {
        Self { lines: vec![EMPTY; lines].into_boxed_slice(), count: 0, depth }
    }

    /// Returns a segment with these entries and room for some more entries.
    fn of(entries: &[(u16, u32)], depth: u32) -> Self {
        let mut segment = Self::new(roomy(entries.len()), depth);
        for (tag, number) in entries {
            segment.put(*tag, *number);
        }
        segment
    }

    fn home(&self, tag: u16) -> usize {
        (usize::from(tag) * self.lines.len()) >> 16
    }

    /// Returns the line to which the entries of a full line go.
    fn after(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() { 0 } else { line + 1 }
    }

    fn is_full(&self) -> bool {
        self.count as usize >= self.lines.len() * SLOTS * 9 / 10
    }

    fn put(&mut self, tag: u16, number: u32) {
        let mut at = self.home(tag);
        loop {
            let line = &mut self.lines[at];
            if usize::from(line.len) < SLOTS {
                let slot = usize::from(line.len);
                (line.tags[slot], line.numbers[slot]) = (tag, number);
                line.len += 1;
                self.count += 1;
                return;
            }
            line.passed += 1;
            at = self.after(at);
        }
    }

    fn find(&self, tag: u16, mut is: impl FnMut(u32) -> bool) -> Option<(usize, usize)> {
        let home = self.home(tag);
        let mut at = home;
        loop {
            let line = &self.lines[at];
            for slot in 0..usize::from(line.len) {
                if line.tags[slot] == tag && is(line.numbers[slot]) {
                    return Some((at, slot));
                }
            }
            at = self.after(at);
            if line.passed == 0 || at == home {
                return None;
            }
        }
    }

    fn take(&mut self, tag: u16, number: u32) -> bool {
        let Some((found, slot)) = self.find(tag, |other| other == number) else {
            return false;
        };
        let mut at = self.home(tag);
        while at != found {
            self.lines[at].passed -= 1;
            at = self.after(at);
        }
        self.lines[found].remove(slot);
        self.count -= 1;
        true
    }

    fn entries(&self) -> impl Iterator<Item = (u16, u32)> {
        self.lines
            .iter()
            .flat_map(|line| (0..usize::from(line.len)).map(|slot| (line.tags[slot], line.numbers[slot])))
    }

    fn bytes(&self) -> usize {
        round_up(size_of_val(&*self.lines))
    }
}

/// Returns how many lines are needed for `entries` entries if four fifths of the slots are used, rounded up to the
/// size of an allocation.
fn roomy(entries: usize) -> usize {
    let lines = (entries * 5 / 4).div_ceil(SLOTS).max(1) + 1;
    room_for::<Line>(lines)
}

/// The table. Hashes must come from a keyed function ([`Secret`](crate::secret::Secret)); otherwise a client could
/// fill a single line intentionally.
#[derive(Debug, Clone)]
pub struct Table {
    /// The segment for each value of the leading `depth` bits.
    directory: Vec<u32>,
    depth: u32,
    segments: Vec<Segment>,
    bytes: usize,
}

impl Default for Table {
    fn default() -> Self {
        let first = Segment::new(2, 0);
        let bytes = first.bytes();
        Self { directory: vec![0], depth: 0, segments: vec![first], bytes }
    }
}

const fn tag(hash: u64) -> u16 {
    hash as u16
}

impl Table {
    /// Returns an empty table with room for `entries` entries, so that no segment is split when they are inserted.
    pub fn with_room(entries: usize) -> Self {
        let fit = MOST_LINES * SLOTS * 3 / 4;
        let depth = entries.div_ceil(fit).next_power_of_two().ilog2().min(MOST_DEPTH);
        let each = entries.div_ceil(1 << depth) * 21 / 20;
        let segments: Vec<_> = (0..1 << depth).map(|_| Segment::new(roomy(each), depth)).collect();
        let bytes = segments.iter().map(Segment::bytes).sum();
        Self { directory: (0..1 << depth).collect(), depth, segments, bytes }
    }

    fn segment_of(&self, hash: u64) -> usize {
        let leading = hash.checked_shr(u64::BITS - self.depth).unwrap_or(0);
        self.directory[leading as usize] as usize
    }

    /// Returns the number with this hash for which `is` is true.
    pub fn find(&self, hash: u64, is: impl FnMut(u32) -> bool) -> Option<u32> {
        let segment = &self.segments[self.segment_of(hash)];
        segment.find(tag(hash), is).map(|(line, slot)| segment.lines[line].numbers[slot])
    }

    /// Prefetches the memory that [`find`](Self::find) reads first.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let segment = &self.segments[self.segment_of(hash)];
        prefetch(&segment.lines[segment.home(tag(hash))]);
    }

    /// Returns the number that [`find`](Self::find) checks first, if the number is in the home line.
    #[inline]
    pub fn likely(&self, hash: u64) -> Option<u32> {
        let segment = &self.segments[self.segment_of(hash)];
        let line = &segment.lines[segment.home(tag(hash))];
        let slot = (0..usize::from(line.len)).find(|slot| line.tags[*slot] == tag(hash))?;
        Some(line.numbers[slot])
    }

    /// Inserts a number that is not in the table. `hash_of` returns the hashes of other numbers when a segment is
    /// split.
    pub fn insert(&mut self, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        while self.segments[self.segment_of(hash)].is_full() {
            self.extend(self.segment_of(hash), &hash_of);
        }
        let segment = self.segment_of(hash);
        self.segments[segment].put(tag(hash), number);
    }

    /// Removes a number. Returns whether the table had this number.
    pub fn remove(&mut self, hash: u64, number: u32) -> bool {
        let at = self.segment_of(hash);
        let segment = &mut self.segments[at];
        if !segment.take(tag(hash), number) {
            return false;
        }
        if segment.lines.len() > 4 && (segment.count as usize) < segment.lines.len() * SLOTS * 2 / 5 {
            self.rebuild(at);
        }
        true
    }

    /// Changes the size of a segment to the size that its entries need now.
    fn rebuild(&mut self, at: usize) {
        let entries: Vec<_> = self.segments[at].entries().collect();
        let new = Segment::of(&entries, self.segments[at].depth);
        self.replace(at, new);
    }

    fn replace(&mut self, at: usize, new: Segment) {
        self.bytes = self.bytes + new.bytes() - self.segments[at].bytes();
        self.segments[at] = new;
    }

    fn extend(&mut self, at: usize, hash_of: &impl Fn(u32) -> u64) {
        let segment = &self.segments[at];
        if segment.lines.len() < MOST_LINES || segment.depth >= MOST_DEPTH {
            self.rebuild(at);
        } else {
            self.split(at, hash_of);
        }
    }

    fn split(&mut self, at: usize, hash_of: &impl Fn(u32) -> u64) {
        let depth = self.segments[at].depth + 1;
        if depth > self.depth {
            self.directory = self.directory.iter().flat_map(|segment| [*segment; 2]).collect();
            self.depth = depth;
        }
        let (ones, zeros): (Vec<_>, Vec<_>) = self.segments[at]
            .entries()
            .partition(|(_, number)| hash_of(*number) >> (u64::BITS - depth) & 1 == 1);
        let new = Segment::of(&ones, depth);
        self.bytes += new.bytes();
        let number = self.segments.len() as u32;
        self.segments.push(new);
        self.replace(at, Segment::of(&zeros, depth));
        // The places of a segment are side by side in the directory. The new segment gets the second half, in which
        // the new leading bit is 1.
        let first = self.directory.iter().position(|segment| *segment == at as u32).unwrap_or(0);
        let span = 1 << (self.depth - depth);
        self.directory[first + span..first + 2 * span].fill(number);
    }

    /// Returns the numbers of the segment with a hash, in no particular order, and the first hash behind the segment; `None`
    /// for the last segment. All hashes of a segment have the same leading bits.
    pub fn segment(&self, hash: u64) -> (impl Iterator<Item = u32>, Option<u64>) {
        let segment = &self.segments[self.segment_of(hash)];
        let width = u64::BITS - segment.depth;
        let leading = hash.checked_shr(width).unwrap_or(0) + 1;
        let end =
            if segment.depth == 0 || leading >> segment.depth > 0 { None } else { Some(leading << width) };
        (segment.entries().map(|(_, number)| number), end)
    }

    /// Returns all numbers, in no particular order.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.segments.iter().flat_map(|segment| segment.entries().map(|(_, number)| number))
    }

    pub fn memory(&self) -> usize {
        self.bytes
            + bytes_of::<u32>(self.directory.capacity())
            + bytes_of::<Segment>(self.segments.capacity())
    }

    pub fn allocations(&self) -> usize {
        self.segments.len() + 2
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(self.segments.len(), |at, mover| {
            let lines = std::mem::take(&mut self.segments[at].lines);
            self.segments[at].lines = mover.relocate_slice(lines);
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use proptest::prelude::*;

    /// Returns a hash without a key. `bits` is a mask with which different numbers get equal hashes.
    fn hash(number: u32, bits: u64) -> u64 {
        (u64::from(number).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).rotate_left(29) & bits
    }

    fn check(table: &Table, model: &HashSet<u32>, bits: u64) {
        for number in model {
            assert_eq!(table.find(hash(*number, bits), |other| other == *number), Some(*number));
        }
        let stored: usize = table.segments.iter().map(|segment| segment.entries().count()).sum();
        assert_eq!(stored, model.len());
        let bytes: usize = table.segments.iter().map(Segment::bytes).sum();
        assert_eq!(bytes, table.bytes);
    }

    #[test]
    fn a_hundred_thousand_in_and_out() {
        let (mut table, mut model) = (Table::default(), HashSet::new());
        for number in 0..100_000 {
            table.insert(hash(number, u64::MAX), number, |n| hash(n, u64::MAX));
            model.insert(number);
        }
        check(&table, &model, u64::MAX);
        let each = table.memory() as f64 / 100_000.0;
        assert!(each < 11.0, "{each} bytes an entry");
        for number in (0..100_000).filter(|number| number % 10 != 0) {
            assert!(table.remove(hash(number, u64::MAX), number));
            model.remove(&number);
        }
        check(&table, &model, u64::MAX);
        assert!(table.memory() < 400_000, "{} bytes left", table.memory());
        assert!(!table.remove(hash(1, u64::MAX), 1));
    }

    #[test]
    fn a_table_with_room_splits_nothing_and_goes_on() {
        for entries in [0, 1, 479, 481, 20_000] {
            let (mut table, mut model) = (Table::with_room(entries as usize), HashSet::new());
            let (segments, directory) = (table.segments.len(), table.directory.len());
            assert_eq!(segments, directory);
            for number in 0..entries {
                table.insert(hash(number, u64::MAX), number, |n| hash(n, u64::MAX));
                model.insert(number);
            }
            check(&table, &model, u64::MAX);
            assert_eq!(table.segments.len(), segments);
            for number in entries..entries * 3 + 1_000 {
                table.insert(hash(number, u64::MAX), number, |n| hash(n, u64::MAX));
                model.insert(number);
            }
            check(&table, &model, u64::MAX);
        }
    }

    proptest! {
        #[test]
        fn as_a_set(
            steps in proptest::collection::vec((any::<bool>(), 0..3_000_u32), 0..4_000),
            bits in prop_oneof![Just(u64::MAX), Just(0xff00_0000_0000_0000), Just(0x0fff), Just(0)],
        ) {
            let (mut table, mut model) = (Table::default(), HashSet::new());
            for (enter, number) in steps {
                let hash_of = |n| hash(n, bits);
                if enter && model.insert(number) {
                    table.insert(hash_of(number), number, hash_of);
                } else if !enter {
                    prop_assert_eq!(table.remove(hash_of(number), number), model.remove(&number));
                }
            }
            check(&table, &model, bits);
        }
    }
}
