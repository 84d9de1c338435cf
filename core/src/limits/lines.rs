//! A hash table whose lines contain the counts themselves. So a lookup reads only the line of the count.
//!
//! A line is a cache line with five counts. As in [`Table`](crate::table::Table), segments of up to 4 KB are chosen
//! by the leading bits of a place and are split one at a time, so the whole table is never rehashed. Here the
//! hashes are in the lines, so a split reads no other memory. Single counts are never removed, so a search can end
//! at a line that is not full.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "line numbers are reduced to the segment's lines, slots to len"
)]

use crate::mover::{Mover, Relocation};
use crate::prefetch::prefetch;
use crate::secret::Secret;
use crate::size_class::{bytes_of, room_for, round_up};

/// The number of counts in a line.
const SLOTS: usize = 5;
/// The number of lines in a segment of 4 KB. Larger segments are split, smaller segments grow.
const MOST_LINES: usize = 64;
/// The maximum number of leading bits that segments use. With this number of bits, segments grow beyond
/// [`MOST_LINES`].
const MOST_DEPTH: u32 = 24;
/// The number of segments that one step frees. It takes a few microseconds.
const DRAIN_STEP: usize = 32;

/// A hash, and how many votes were counted for it.
pub type HashCount = (u64, u32);

#[derive(Debug, Clone, Copy)]
struct CountLine {
    hashes: [u64; SLOTS],
    used: [u32; SLOTS],
    len: u32,
}

const EMPTY: CountLine = CountLine { hashes: [0; SLOTS], used: [0; SLOTS], len: 0 };
const _: () = assert!(size_of::<CountLine>() == 64);

impl CountLine {
    fn len(&self) -> usize {
        self.len as usize
    }

    fn counts(&self) -> impl Iterator<Item = HashCount> {
        self.hashes.into_iter().zip(self.used).take(self.len())
    }
}

#[derive(Debug, Clone)]
struct CountSegment {
    lines: Box<[CountLine]>,
    len: u32,
    depth: u32,
}

impl CountSegment {
    /// Returns a segment with these counts and room for some more counts.
    fn of(secret: Secret, counts: &[HashCount], depth: u32) -> Self {
        let lines = vec![EMPTY; roomy(counts.len(), depth)].into_boxed_slice();
        let mut segment = Self { lines, len: 0, depth };
        counts.iter().for_each(|count| segment.put(place(secret, count.0), *count));
        segment
    }

    /// Returns the line of a place. The lower bits of the place are scaled to the number of lines.
    fn home(&self, place: u64) -> usize {
        (((place & u64::from(u32::MAX)) * self.lines.len() as u64) >> u32::BITS) as usize
    }

    /// Returns the line that is searched after a full line.
    fn after(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() { 0 } else { line + 1 }
    }

    /// Returns whether the segment has its maximum number of counts. With this maximum, some lines have free slots.
    /// So every search reaches a line with a free slot, and ends there.
    fn is_full(&self) -> bool {
        self.len as usize >= self.lines.len() * SLOTS * 17 / 20
    }

    fn find(&self, place: u64, hash: u64) -> Option<(usize, usize)> {
        let mut at = self.home(place);
        loop {
            let line = &self.lines[at];
            if let Some(slot) = line.hashes[..line.len()].iter().position(|other| *other == hash) {
                return Some((at, slot));
            }
            if line.len() < SLOTS {
                return None;
            }
            at = self.after(at);
        }
    }

    fn put(&mut self, place: u64, (hash, used): HashCount) {
        let mut at = self.home(place);
        while self.lines[at].len() == SLOTS {
            at = self.after(at);
        }
        let line = &mut self.lines[at];
        let slot = line.len();
        (line.hashes[slot], line.used[slot]) = (hash, used);
        line.len += 1;
        self.len += 1;
    }

    fn counts(&self) -> impl Iterator<Item = HashCount> {
        self.lines.iter().flat_map(CountLine::counts)
    }

    fn bytes(&self) -> usize {
        round_up(size_of_val(&*self.lines))
    }
}

/// Returns how many lines are needed for `counts` counts if seven tenths of the slots are used, rounded up to the
/// size of an allocation.
fn roomy(counts: usize, depth: u32) -> usize {
    let lines = room_for::<CountLine>((counts * 10 / 7).div_ceil(SLOTS) + 1);
    if depth < MOST_DEPTH { lines.min(MOST_LINES) } else { lines }
}

/// Returns the place of a hash. Clients can choose hashes, so the places must depend on a secret.
const fn place(secret: Secret, hash: u64) -> u64 {
    secret.place([hash, 0])
}

/// The table. All calls must use the same secret.
#[derive(Debug, Clone)]
pub struct Lines {
    /// The segment for each value of the leading `depth` bits of a place.
    directory: Vec<u32>,
    depth: u32,
    segments: Vec<CountSegment>,
    len: usize,
    bytes: usize,
}

impl Lines {
    /// Returns a table with a few counts.
    pub fn of(secret: Secret, counts: &[HashCount]) -> Self {
        let first = CountSegment::of(secret, counts, 0);
        let bytes = first.bytes();
        Self { directory: vec![0], depth: 0, segments: vec![first], len: counts.len(), bytes }
    }

    pub const fn len(&self) -> usize {
        self.len
    }

    fn segment_of(&self, place: u64) -> usize {
        let leading = place.checked_shr(u64::BITS - self.depth).unwrap_or(0);
        self.directory[leading as usize] as usize
    }

    /// Prefetches the line to which a hash belongs.
    #[inline]
    pub fn prefetch(&self, secret: Secret, hash: u64) {
        let place = place(secret, hash);
        let segment = &self.segments[self.segment_of(place)];
        prefetch(&segment.lines[segment.home(place)]);
    }

    /// Returns the votes of a hash.
    pub fn get(&self, secret: Secret, hash: u64) -> Option<u32> {
        let place = place(secret, hash);
        let segment = &self.segments[self.segment_of(place)];
        segment.find(place, hash).map(|(line, slot)| segment.lines[line].used[slot])
    }

    /// Returns the votes of a hash, for changes.
    pub fn get_mut(&mut self, secret: Secret, hash: u64) -> Option<&mut u32> {
        let place = place(secret, hash);
        let number = self.segment_of(place);
        let segment = &mut self.segments[number];
        segment.find(place, hash).map(|(line, slot)| &mut segment.lines[line].used[slot])
    }

    /// Adds a hash that is not in the table.
    pub fn insert(&mut self, secret: Secret, count: HashCount) {
        let place = place(secret, count.0);
        while self.segments[self.segment_of(place)].is_full() {
            self.extend(secret, place);
        }
        let segment = self.segment_of(place);
        self.segments[segment].put(place, count);
        self.len += 1;
    }

    /// Adds lines to the segment of a place, or splits the segment.
    fn extend(&mut self, secret: Secret, place: u64) {
        let at = self.segment_of(place);
        let CountSegment { lines, depth, .. } = &self.segments[at];
        if lines.len() >= MOST_LINES && *depth < MOST_DEPTH {
            self.split(secret, place);
        } else {
            let counts: Vec<_> = self.segments[at].counts().collect();
            self.replace(at, CountSegment::of(secret, &counts, self.segments[at].depth));
        }
    }

    fn replace(&mut self, at: usize, new: CountSegment) {
        self.bytes = self.bytes + new.bytes() - self.segments[at].bytes();
        self.segments[at] = new;
    }

    fn split(&mut self, secret: Secret, of: u64) {
        let at = self.segment_of(of);
        let depth = self.segments[at].depth + 1;
        if depth > self.depth {
            self.directory = self.directory.iter().flat_map(|segment| [*segment; 2]).collect();
            self.depth = depth;
        }
        let is_upper = |count: &HashCount| place(secret, count.0) >> (u64::BITS - depth) & 1 == 1;
        let (upper, lower): (Vec<_>, Vec<_>) = self.segments[at].counts().partition(is_upper);
        let new = CountSegment::of(secret, &upper, depth);
        self.bytes += new.bytes();
        let number = self.segments.len() as u32;
        self.segments.push(new);
        self.replace(at, CountSegment::of(secret, &lower, depth));
        // The places of a segment are side by side in the directory. The new segment gets the second half, in which
        // the new leading bit is 1.
        let span = 1 << (self.depth - depth);
        let first = (of >> (u64::BITS - depth) | 1) as usize * span;
        self.directory[first..first + span].fill(number);
    }

    /// Returns all counts, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = HashCount> {
        self.segments.iter().flat_map(CountSegment::counts)
    }

    /// Frees some segments of a table that is no longer used. Returns false when there is nothing more to free.
    pub fn drain_some(&mut self) -> bool {
        let left = self.segments.len().saturating_sub(DRAIN_STEP);
        let freed: usize = self.segments.drain(left..).map(|segment| segment.bytes()).sum();
        self.bytes -= freed;
        left > 0
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self) -> usize {
        self.bytes
            + bytes_of::<u32>(self.directory.capacity())
            + bytes_of::<CountSegment>(self.segments.capacity())
    }

    pub const fn allocations(&self) -> usize {
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
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::mover::tests::walk_all;

    fn check(lines: &Lines, model: &BTreeMap<u64, u32>, secret: Secret) {
        assert_eq!(lines.len(), model.len());
        assert_eq!(lines.iter().collect::<BTreeMap<_, _>>(), *model);
        for (hash, used) in model {
            assert_eq!(lines.get(secret, *hash), Some(*used));
        }
        assert_eq!(lines.bytes, lines.segments.iter().map(CountSegment::bytes).sum::<usize>());
        for (at, segment) in lines.segments.iter().enumerate() {
            assert_eq!(segment.len as usize, segment.counts().count());
            let named = lines.directory.iter().filter(|number| **number as usize == at).count();
            assert_eq!(named, 1 << (lines.depth - segment.depth));
        }
    }

    #[test]
    fn a_hundred_thousand_take_a_cache_line_for_three_or_four() {
        let (secret, mut model) = (Secret::draw(), BTreeMap::new());
        let mut lines = Lines::of(secret, &[]);
        for number in 0..100_000_u32 {
            let hash = u64::from(number) << 32;
            assert_eq!(lines.get(secret, hash), None);
            lines.insert(secret, (hash, number));
            model.insert(hash, number);
            let each = lines.memory() as f64 / f64::from(number + 1);
            assert!(number < 5_000 || (15.0..22.0).contains(&each), "{each} bytes with {number}");
        }
        check(&lines, &model, secret);
        let copy = lines.clone();
        let steps = walk_all(|from, mover| Relocation::run(from, mover, |walk| lines.relocate(walk)));
        assert_eq!(steps + 2, lines.allocations());
        check(&lines, &model, secret);
        let (mut old, mut steps) = (copy, 1);
        while old.drain_some() {
            steps += 1;
        }
        assert_eq!((steps, old.bytes), (lines.segments.len().div_ceil(DRAIN_STEP), 0));
    }

    proptest! {
        /// There are few different hashes, so hashes are repeated often.
        #[test]
        fn as_a_map(hashes in proptest::collection::vec(0..4_000_u64, 0..3_000), few in 0..9_usize) {
            let secret = Secret::draw();
            let mut model: BTreeMap<u64, u32> = (0..few).map(|hash| (hash as u64, 7)).collect();
            let mut lines = Lines::of(secret, &model.clone().into_iter().collect::<Vec<_>>());
            for hash in hashes {
                lines.prefetch(secret, hash);
                match lines.get_mut(secret, hash) {
                    Some(used) => *used += 1,
                    None => lines.insert(secret, (hash, 1)),
                }
                *model.entry(hash).or_default() += 1;
            }
            check(&lines, &model, secret);
        }
    }
}
