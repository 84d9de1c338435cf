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
        let mut tagged = Tagged { tags: Tags::default(), free: self.bytes.len() };
        for (at, name) in self.iter() {
            tagged.tags.insert(name, at as u16);
            tagged.free -= size(name.len());
        }
        self.tagged = Some(Box::new(tagged));
    }

    /// Makes room for `need` bytes in the first sequence of free records that is long enough, or at the end.
    fn room(&mut self, need: usize) -> usize {
        let is_full = self.tagged.as_ref().is_some_and(|tagged| tagged.free == 0);
        let mut at = if is_full { self.bytes.len() } else { 0 };
        while at < self.bytes.len() {
            let end = self.free_run_end(at);
            let found = end - at;
            if found >= need {
                if found > need {
                    self.set_header(at + need, found - need - HEADER, true);
                }
                if let Some(tagged) = &mut self.tagged {
                    tagged.free -= need;
                }
                return at;
            }
            at = if found > 0 { end } else { at + size(self.header(at).0) };
        }
        let wanted = at + need;
        if wanted > self.bytes.capacity() {
            self.bytes.reserve_exact(round_up(wanted) - at);
        }
        self.bytes.resize(wanted, 0);
        at
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
        let (len, _) = self.header(at as usize);
        self.set_header(at as usize, len, true);
        let is_last = at as usize + size(len) == self.bytes.len();
        if is_last {
            self.bytes.truncate(at as usize);
        }
        if let Some(tagged) = &mut self.tagged {
            tagged.tags.remove(at as u16);
            tagged.free += if is_last { 0 } else { size(len) };
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
