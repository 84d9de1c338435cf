//! Finds the position of a member's entry.
//!
//! The ids are stored as an Elias-Fano list. Each id is stored as its distance from the least id. The low bits of
//! the distances are in a list, together with the positions. The high bits are the number of the range that
//! contains the id; there are one to two ranges per member. `ends` contains bits for all ranges, one range after
//! another: a one bit for each member of the range, and a zero bit for its end.
//!
//! ```text
//!  ends     1 1 0 0 1 0 1 0 ...        two to three bits per member
//!  hints    the bit of `ends` at which every 128th range begins
//!  marks    the number of ranges that end before every 2,048th bit
//!  list     low bits | position        one after another, in the order of ids
//! ```
#![allow(
    clippy::arithmetic_side_effects,
    reason = "ids lie between the least and the greatest, which the widths are made from"
)]

use super::MemberId;
use super::bits::Bits;
use crate::bits::{ones, width};
use crate::mover::{Mover, Relocation};

/// The number of ranges between two hints.
const HINT: u64 = 128;
/// The number of bits of `ends` between two marks. With marks, a range is found quickly even if most ids are in few
/// ranges.
const MARK: u64 = 2048;
/// The maximum number of members of a range whose end is found with one load of `ends`.
const RUN: u32 = 56;

#[derive(Debug, Clone, Default)]
pub struct ByMember {
    least: MemberId,
    low_bits: u32,
    position_bits: u32,
    hint_bits: u32,
    pub len: u64,
    /// The number of ranges that are complete. This is also the number of the range to which members are being added.
    range: u64,
    ends: Bits,
    hints: Bits,
    marks: Bits,
    list: Bits,
}

impl ByMember {
    /// Returns an empty list, with room for `len` members with ids from `least` to `most`.
    pub fn new(len: u64, least: MemberId, most: MemberId) -> Self {
        let spread = u64::from(most.saturating_sub(least));
        let low_bits = u32::from(width(spread / len.max(1))).saturating_sub(1);
        let hint_bits = width(len + (spread >> low_bits) + 1).into();
        let mut new = Self {
            least,
            low_bits,
            position_bits: width(len.saturating_sub(1)).into(),
            hint_bits,
            ..Self::default()
        };
        new.hints.push(0, hint_bits);
        new.marks.push(0, hint_bits);
        new
    }

    /// Moves towards the range of the next member, by one hint at most. Returns whether the range is reached.
    pub fn reach(&mut self, id: MemberId) -> bool {
        let range = u64::from(id - self.least) >> self.low_bits;
        if range > self.range {
            self.end_ranges((range - self.range).min(HINT - self.range % HINT));
        }
        range == self.range
    }

    /// Ends `count` ranges, but not beyond the next range that has a hint.
    fn end_ranges(&mut self, count: u64) {
        let before = self.ends.len();
        self.ends.zeros(count as u32);
        let mark = self.ends.len() / MARK * MARK;
        if mark > before {
            self.marks.push(self.range + mark - before, self.hint_bits);
        }
        self.range += count;
        if self.range.is_multiple_of(HINT) {
            self.hints.push(self.ends.len(), self.hint_bits);
        }
    }

    /// Appends a member to the range that was reached.
    pub fn push(&mut self, id: MemberId, position: u32) {
        self.ends.push(1, 1);
        if self.ends.len().is_multiple_of(MARK) {
            self.marks.push(self.range, self.hint_bits);
        }
        let low = u64::from(id - self.least) & ones(self.low_bits);
        self.list.push(low | u64::from(position) << self.low_bits, self.low_bits + self.position_bits);
        self.len += 1;
    }

    const fn lists(&self) -> [&Bits; 4] {
        [&self.ends, &self.hints, &self.marks, &self.list]
    }

    const fn lists_mut(&mut self) -> [&mut Bits; 4] {
        [&mut self.ends, &mut self.hints, &mut self.marks, &mut self.list]
    }

    /// Finishes the list. Members can be found only after this.
    pub fn seal(&mut self) {
        self.end_ranges(1);
        self.lists_mut().into_iter().for_each(Bits::seal);
    }

    /// Returns the position of a member's entry; `None` if the member has no entry.
    pub fn position(&self, id: MemberId) -> Option<u64> {
        let distance = u64::from(id.checked_sub(self.least)?);
        let range = distance >> self.low_bits;
        if range >= self.range {
            return None;
        }
        let begin = self.begin_of(range);
        let run = self.ends.get(begin, RUN).trailing_ones();
        let end = if run < RUN { begin + u64::from(run) } else { self.begin_of(range + 1) - 1 };
        self.search(begin - range, end - range, distance & ones(self.low_bits))
    }

    /// Returns the bit at which a range begins in `ends`. Before this bit, there is one zero for each earlier
    /// range.
    fn begin_of(&self, range: u64) -> u64 {
        let hint = |number: u64| self.hints.get(number * u64::from(self.hint_bits), self.hint_bits);
        let number = range / HINT;
        let (from, ended) = (hint(number), number * HINT);
        let to = if number < self.range / HINT { hint(number + 1) } else { self.ends.len() };
        let (from, ended) = if to - from > MARK { self.mark(from, ended, to, range) } else { (from, ended) };
        self.ends.pass_zeros(from, (range - ended) as u32)
    }

    /// Returns the last mark before a range, between two hints: its bit, and how many ranges end before it. If
    /// there is no such mark, the first of the two hints.
    fn mark(&self, from: u64, ended: u64, to: u64, range: u64) -> (u64, u64) {
        let mark = |number: u64| self.marks.get(number * u64::from(self.hint_bits), self.hint_bits);
        let first = from / MARK + 1;
        let (mut low, mut high) = (first, to / MARK + 1);
        while low < high {
            let middle = u64::midpoint(low, high);
            if mark(middle) < range { low = middle + 1 } else { high = middle }
        }
        if low == first { (from, ended) } else { ((low - 1) * MARK, mark(low - 1)) }
    }

    /// Returns the position of the member with these low bits, in the items `from` to `end` of the list.
    fn search(&self, mut from: u64, end: u64, low: u64) -> Option<u64> {
        let width = self.low_bits + self.position_bits;
        let item = |at| self.list.get(at * u64::from(width), width);
        let mut to = end;
        while from < to {
            let middle = u64::midpoint(from, to);
            if item(middle) & ones(self.low_bits) < low { from = middle + 1 } else { to = middle }
        }
        let found = if from < end { item(from) } else { return None };
        (found & ones(self.low_bits) == low).then_some(found >> self.low_bits)
    }

    pub fn memory(&self) -> usize {
        self.lists().map(|list| list.bytes.memory()).iter().sum()
    }

    pub fn allocations(&self) -> usize {
        self.lists().map(|list| list.bytes.allocations()).iter().sum()
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.lists_mut().into_iter().for_each(|list| list.bytes.relocate(walk));
    }

    /// Frees one chunk of each list. Returns whether there was a chunk.
    pub fn pop(&mut self) -> bool {
        self.lists_mut().into_iter().fold(false, |some, list| list.bytes.pop_chunk() | some)
    }
}
