//! The members of a small board: records, one after another, in one allocation. A search reads all of them, or finds the
//! name by its tag if there are many. A record is its length and the name. The length has two bytes, and its top bit marks
//! a free record.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "offsets come from walking the records, which fill the bytes exactly"
)]

use super::tags::Tags;
use crate::mover::{Mover, Relocation};
use crate::size_class::{bytes_of, round_up};

/// The bit of the length that marks a free record.
const FREE: u16 = 0x8000;
const HEADER: usize = 2;

/// Records of more bytes than this are found by their tags.
const WALKED: usize = 768;
/// How many records are looked at to find a free one near the one that was freed last.
const NEAR: usize = 32;

#[derive(Debug, Clone, Default)]
pub struct Small {
    bytes: Vec<u8>,
    tagged: Option<Box<Tagged>>,
}

#[derive(Debug, Clone, Default)]
struct Tagged {
    tags: Tags,
    /// The number of bytes of free records.
    free: usize,
    /// The place of the record that was freed last, or of the record behind the one that was added later.
    freed: u16,
}

const fn size(len: usize) -> usize {
    (HEADER + len).next_multiple_of(2)
}

impl Small {
    fn header(&self, at: usize) -> (usize, bool) {
        let raw = u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]);
        (usize::from(raw & !FREE), raw & FREE != 0)
    }

    fn set_header(&mut self, at: usize, len: usize, free: bool) {
        let raw = len as u16 | if free { FREE } else { 0 };
        self.bytes[at..at + HEADER].copy_from_slice(&raw.to_le_bytes());
    }

    pub fn name(&self, at: u32) -> &[u8] {
        let start = at as usize + HEADER;
        &self.bytes[start..start + self.header(at as usize).0]
    }

    pub fn find(&self, name: &[u8]) -> Option<u32> {
        if let Some(tagged) = &self.tagged {
            return tagged.tags.find(name, |at| self.name(at.into()) == name).map(u32::from);
        }
        let mut at = 0;
        let header = (name.len() as u16).to_le_bytes();
        while at < self.bytes.len() {
            let (len, _) = self.header(at);
            if self.bytes[at..at + HEADER] == header && &self.bytes[at + HEADER..at + HEADER + len] == name {
                return Some(at as u32);
            }
            at += size(len);
        }
        None
    }

    /// Adds a new name. Returns its id.
    pub fn insert(&mut self, name: &[u8]) -> u32 {
        let at = self.room(size(name.len()));
        self.set_header(at, name.len(), false);
        self.bytes[at + HEADER..at + HEADER + name.len()].copy_from_slice(name);
        match &mut self.tagged {
            Some(tagged) => tagged.tags.insert(name, at as u16),
            None if self.bytes.len() > WALKED => self.tag(),
            None => {}
        }
        at as u32
    }

    /// Gives each name a tag.
    fn tag(&mut self) {
        let mut tagged = Tagged { tags: Tags::default(), free: self.bytes.len(), freed: 0 };
        for (at, name) in self.iter() {
            tagged.tags.insert(name, at as u16);
            tagged.free -= size(name.len());
        }
        self.tagged = Some(Box::new(tagged));
    }

    /// Makes room for `need` bytes: in free records if they are found fast or are many, or else at the end.
    fn room(&mut self, need: usize) -> usize {
        let found = self.free_room(need);
        let at = found.map_or_else(|| self.room_at_end(need), |(at, _)| at);
        if let Some((_, size)) = found.filter(|(_, size)| *size > need) {
            self.set_header(at + need, size - need - HEADER, true);
        }
        if let Some(tagged) = &mut self.tagged {
            tagged.free -= found.map_or(0, |_| need);
            tagged.freed = (at + need) as u16;
        }
        at
    }

    fn room_at_end(&mut self, need: usize) -> usize {
        let at = self.bytes.len();
        let wanted = at + need;
        if wanted > self.bytes.capacity() {
            self.bytes.reserve_exact(round_up(wanted) - at);
        }
        self.bytes.resize(wanted, 0);
        at
    }

    /// Returns the place and the number of bytes of a sequence of free records that is long enough.
    fn free_room(&self, need: usize) -> Option<(usize, usize)> {
        let Some(tagged) = &self.tagged else { return self.first_room(0, need, usize::MAX) };
        if tagged.free < need {
            return None;
        }
        // A board that drops members for new ones finds the place of the last one here.
        let found = self.first_room(tagged.freed.into(), need, NEAR);
        let are_many = tagged.free * 4 > self.bytes.len();
        if found.is_none() && are_many { self.first_room(0, need, usize::MAX) } else { found }
    }

    /// Returns the first such sequence from a record on, among at most `most` records and sequences.
    fn first_room(&self, mut at: usize, need: usize, most: usize) -> Option<(usize, usize)> {
        for _ in 0..most {
            if at >= self.bytes.len() {
                break;
            }
            let end = self.free_run_end(at);
            if end - at >= need {
                return Some((at, end - at));
            }
            at = if end > at { end } else { at + size(self.header(at).0) };
        }
        None
    }

    /// Returns the end of the sequence of free records that begins at `at`. It is `at` if that record is not free.
    fn free_run_end(&self, mut at: usize) -> usize {
        while at < self.bytes.len() {
            let (len, free) = self.header(at);
            if !free {
                break;
            }
            at += size(len);
        }
        at
    }

    pub fn remove(&mut self, at: u32) {
        let (id, at) = (at, at as usize);
        let (len, _) = self.header(at);
        let is_last = at + size(len) == self.bytes.len();
        if let Some(mut tagged) = self.tagged.take() {
            tagged.tags.remove(self.name(id), at as u16);
            tagged.free += if is_last { 0 } else { size(len) };
            tagged.freed = at as u16;
            self.tagged = Some(tagged);
        }
        self.set_header(at, len, true);
        if is_last {
            self.bytes.truncate(at);
        }
    }

    /// Returns the records in use with their names, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < self.bytes.len() {
                let here = at;
                let (len, free) = self.header(here);
                at += size(len);
                if !free {
                    return Some((here as u32, &self.bytes[here + HEADER..here + HEADER + len]));
                }
            }
            None
        })
    }

    /// Returns the number of bytes of all records, including free records.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(1, |_, mover| {
            self.bytes = mover.relocate_vec(std::mem::take(&mut self.bytes));
            self.tagged = self.tagged.take().map(|tagged| mover.relocate(tagged));
            self.tagged.iter_mut().for_each(|tagged| tagged.tags.relocate(mover));
        });
    }

    pub fn memory(&self) -> usize {
        let tagged = self.tagged.as_ref().map_or(0, |tagged| bytes_of::<Tagged>(1) + tagged.tags.memory());
        round_up(self.bytes.capacity()) + tagged
    }

    /// Returns the number of allocations.
    pub fn allocations(&self) -> usize {
        if self.tagged.is_some() { 3 } else { 1 }
    }
}
