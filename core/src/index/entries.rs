//! A sorted sequence of entries in one block of bytes: the leaf of the order index.
//!
//! An entry is a [`Key`] and a member id. The keys of one block are close together. So a key is stored as its
//! distance from the smallest rank key and the smallest moment of the block. The upper 16 bits of the id, of which most
//! boards use few, are below it. Both together are the packed key. It takes as many whole bytes as the
//! widest packed key of the block needs (0 to 18; two to six is usual). The division of these bytes into bits is the
//! block's [`Frame`]. If an entry does not fit into the frame, the block gets a new frame.
//!
//! ```text
//!  body  | key 0 | key 1 | key 2 |        free        | id 2 | id 1 | id 0 |
//! ```
//!
//! Packed keys are added from the front, the lower halves of ids (2 bytes) from the back. So a block contains as many
//! entries as its frame allows, and keys and ids share the free space. A member is searched by the lower half of its id.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "offsets follow from len and width, which insert and rewrite keep within the body"
)]

use std::cmp::Ordering;
use std::ops::Range;

use super::frame::{Frame, join};
use super::{Key, MemberId, compare_keys};
use crate::bits::ones;
use crate::schema::Ties;

/// The number of bytes of the lower half of a member id.
pub(super) const ID: usize = 2;
/// The smallest body in bytes. With it, eight bytes from the beginning of a narrow key on are always in the body.
pub const MIN_BODY: usize = 16;

/// A block for reading.
#[derive(Clone, Copy)]
pub struct LeafEntries<'a> {
    pub frame: &'a Frame,
    pub body: &'a [u8],
}

impl<'a> LeafEntries<'a> {
    pub const fn len(&self) -> usize {
        self.frame.len()
    }

    /// Returns the narrow packed key at a place.
    #[inline]
    fn narrow(&self, at: usize) -> u64 {
        let width = usize::from(self.frame.width);
        let mut raw = [0; 8];
        raw.copy_from_slice(&self.body[at * width..at * width + 8]);
        u64::from_le_bytes(raw) & ones(8 * width as u32)
    }

    /// Returns the wide packed key at a place.
    fn wide(&self, at: usize) -> &[u8] {
        let width = usize::from(self.frame.width);
        &self.body[at * width..(at + 1) * width]
    }

    /// Returns the key of the entry at a place.
    #[inline]
    pub fn key(&self, at: usize) -> Key {
        if self.frame.is_wide() {
            self.frame.unpack_wide(self.wide(at))
        } else {
            self.frame.unpack_narrow(self.narrow(at))
        }
    }

    /// Returns the rank key of the entry at a place.
    pub fn rank_key(&self, at: usize) -> u64 {
        self.key(at).rank_key
    }

    /// Returns the member of the entry at a place.
    pub fn id(&self, at: usize) -> MemberId {
        let lower = self.lower_id(at);
        match self.frame.is_wide() {
            true => join(self.wide(at).last_chunk().map_or(0, |raw| u16::from_le_bytes(*raw)), lower),
            false => self.frame.id(self.narrow(at), lower),
        }
    }

    /// Returns the lower half of the id at a place.
    #[inline]
    fn lower_id(&self, at: usize) -> u16 {
        let end = self.body.len() - ID * at;
        let mut raw = [0; ID];
        raw.copy_from_slice(&self.body[end - ID..end]);
        u16::from_le_bytes(raw)
    }

    /// Returns all members, in order.
    pub fn ids(self) -> impl Iterator<Item = MemberId> + 'a {
        (0..self.len()).map(move |at| self.id(at))
    }

    pub fn entry(&self, at: usize) -> (Key, MemberId) {
        (self.key(at), self.id(at))
    }

    /// Appends up to `most` entries, from a place on. Values that all keys share are read only once.
    pub fn read(&self, from: usize, most: usize, into: &mut impl Extend<(Key, MemberId)>) {
        let (from, to) = (from.min(self.len()), self.len().min(from + most));
        if self.frame.is_wide() {
            return into.extend((from..to).map(|at| self.entry(at)));
        }
        // This is a local copy, so that the compiler loads it only once.
        let frame = *self.frame;
        let own = LeafEntries { frame: &frame, body: self.body };
        let (_, ids) = self.body.as_rchunks::<ID>();
        let ids = ids[ids.len() - to..ids.len() - from].iter().rev();
        into.extend(ids.zip(from..to).map(|(lower, at)| {
            let packed = own.narrow(at);
            (frame.unpack_narrow(packed), frame.id(packed, u16::from_le_bytes(*lower)))
        }));
    }

    /// Returns the position of a member's entry in the block.
    pub fn find(&self, id: MemberId) -> Option<usize> {
        let (len, lower) = (self.len(), id as u16);
        // Searches from the back, where the ids begin: in groups of 64 ids, then in groups of 8 of these. The last
        // group may reach beyond the ids. These are loops because the compiler makes slower code from the
        // equivalent iterators.
        let (_, all) = self.body.as_rchunks::<ID>();
        let (_, runs) = all.as_rchunks::<64>();
        let mut passed = 0;
        for run in runs.iter().rev().take(len.div_ceil(64)) {
            if has(run, lower) {
                let (_, eights) = run.as_rchunks::<8>();
                for (number, eight) in eights.iter().rev().enumerate() {
                    if has(eight, lower)
                        && let Some(at) = self.find_within(passed + 8 * number, eight, id)
                    {
                        return Some(at);
                    }
                }
            }
            passed += 64;
        }
        (passed..len).find(|at| self.lower_id(*at) == lower && self.id(*at) == id)
    }

    /// Returns the position of a member's entry among these entries, which begin at a position. Few other members have the
    /// lower half of its id.
    fn find_within(&self, first: usize, ids: &[[u8; ID]; 8], id: MemberId) -> Option<usize> {
        let equal = ids.iter().rev().enumerate().filter(|(_, raw)| u16::from_le_bytes(**raw) == id as u16);
        let mut places = equal.map(|(within, _)| first + within).filter(|at| *at < self.len());
        places.find(|at| self.id(*at) == id)
    }

    /// Returns the first place for which `before` is false. `before` must be true for all earlier places.
    fn partition(&self, before: impl Fn(usize) -> bool) -> usize {
        let (mut low, mut len) = (0, self.len());
        while len > 1 {
            let half = len / 2;
            low = if before(low + half - 1) { low + half } else { low };
            len -= half;
        }
        low + usize::from(len == 1 && before(low))
    }

    /// Returns how many entries are not behind a key, compared by rank key and moment.
    fn up_to(&self, key: Key) -> usize {
        if self.frame.is_wide() {
            return self.partition(|at| self.key(at) <= key);
        }
        match self.frame.ceiling(key) {
            Some(most) => self.partition(|at| self.narrow(at) <= most),
            None => 0,
        }
    }

    /// Returns how many entries have a rank key below this one.
    pub fn before_rank_key(&self, rank_key: u64) -> usize {
        if self.frame.is_wide() {
            return self.partition(|at| self.rank_key(at) < rank_key);
        }
        let distance = self.frame.distance(rank_key);
        distance.map_or(0, |most| self.partition(|at| self.frame.narrow_rank_key(self.narrow(at)) < most))
    }

    /// Returns the place of a new entry by the tie rule. If the rule cannot order the new key and the key of an
    /// entry, `tie` compares the new member with the member of that entry.
    pub fn place(&self, key: Key, ties: Ties, tie: impl Fn(MemberId) -> Ordering) -> usize {
        match ties {
            Ties::First => {
                let mut at = self.up_to(key);
                while at > 0 && self.key(at - 1) == key && tie(self.id(at - 1)) == Ordering::Less {
                    at -= 1;
                }
                at
            }
            Ties::Last => {
                let mut at = self.partition(|at| {
                    let entry = self.key(at);
                    (entry.rank_key, key.moment) < (key.rank_key, entry.moment)
                });
                while at < self.len() && self.key(at) == key && tie(self.id(at)) == Ordering::Greater {
                    at += 1;
                }
                at
            }
            Ties::Lex | Ties::RevLex => self.partition(|at| match self.rank_key(at).cmp(&key.rank_key) {
                Ordering::Equal => tie(self.id(at)) == Ordering::Greater,
                order => order == Ordering::Less,
            }),
        }
    }

    /// Returns how many entries the tie rule orders before a key. Entries with an equal key are not counted.
    pub fn before_key(&self, key: Key, ties: Ties) -> usize {
        self.partition(|at| compare_keys(ties, self.key(at), key) == Ordering::Less)
    }

    /// Returns whether an entry with this rank key, between the entries at `at - 1` and `next`, would be the only
    /// entry of its group. Both of these entries must be in the block.
    pub fn group_opened_at(&self, at: usize, rank_key: u64, next: usize) -> bool {
        self.rank_key(at - 1) != rank_key && self.rank_key(next) != rank_key
    }

    /// Returns how many entries in a range, but for its first one, have another rank key than the entry before them.
    pub fn changes_in(&self, range: Range<usize>) -> u32 {
        if range.len() < 2 {
            return 0;
        }
        // This is a local copy, so that the compiler loads it only once.
        let frame = *self.frame;
        let own = LeafEntries { frame: &frame, body: self.body };
        if frame.is_wide() {
            return changes(range.map(|at| own.rank_key(at)));
        }
        changes(range.map(|at| frame.narrow_rank_key(own.narrow(at))))
    }

    /// Appends all entries to a list.
    pub fn gather(&self, into: &mut impl Extend<(Key, MemberId)>) {
        self.read(0, self.len(), into);
    }
}

/// Returns how many of these numbers, but for the first one, are not the number before them.
fn changes(mut numbers: impl Iterator<Item = u64>) -> u32 {
    let Some(mut last) = numbers.next() else { return 0 };
    numbers.fold(0, |changes, number| {
        let is_new = number != last;
        last = number;
        changes + u32::from(is_new)
    })
}

/// Returns whether an id is in a list. There is no branch inside the loop, so that the compiler uses vector
/// instructions.
fn has<const N: usize>(ids: &[[u8; ID]; N], id: u16) -> bool {
    ids.iter().fold(false, |found, raw| found | (u16::from_le_bytes(*raw) == id))
}

/// A block for changes.
pub struct LeafEntriesMut<'a> {
    pub frame: &'a mut Frame,
    pub body: &'a mut [u8],
}

impl LeafEntriesMut<'_> {
    /// Inserts an entry, if it fits into the frame and the body. Returns whether it was inserted.
    pub fn insert(&mut self, at: usize, key: Key, id: MemberId) -> bool {
        let Some(packed) = self.frame.pack(key, id) else {
            return false;
        };
        let (len, size) = (self.frame.len(), self.body.len());
        if self.frame.bytes(len + 1).max(MIN_BODY) > size {
            return false;
        }
        let width = usize::from(self.frame.width);
        self.body.copy_within(at * width..len * width, (at + 1) * width);
        self.body.copy_within(size - ID * len..size - ID * at, size - ID * (len + 1));
        self.frame.len += 1;
        self.put(at, &packed, id);
        true
    }

    fn put(&mut self, at: usize, packed: &[u8], id: MemberId) {
        let (width, size) = (usize::from(self.frame.width), self.body.len());
        for (to, from) in self.body[at * width..(at + 1) * width].iter_mut().zip(packed) {
            *to = *from;
        }
        self.body[size - ID * (at + 1)..size - ID * at].copy_from_slice(&(id as u16).to_le_bytes());
    }

    /// Changes the key of the entry at `from`, and moves the entry to the place `to`. `to` is counted without this
    /// entry. Returns false if the key does not fit into the frame; then the block is unchanged.
    pub fn move_entry(&mut self, from: usize, to: usize, key: Key, id: MemberId) -> bool {
        let Some(packed) = self.frame.pack(key, id) else {
            return false;
        };
        let (width, size) = (usize::from(self.frame.width), self.body.len());
        if to < from {
            self.body.copy_within(to * width..from * width, (to + 1) * width);
            self.body.copy_within(size - ID * from..size - ID * to, size - ID * (from + 1));
        } else {
            self.body.copy_within((from + 1) * width..(to + 1) * width, from * width);
            self.body.copy_within(size - ID * (to + 1)..size - ID * (from + 1), size - ID * to);
        }
        self.put(to, &packed, id);
        true
    }

    /// Removes the entry at a place.
    pub fn remove(&mut self, at: usize) {
        let (len, size) = (self.frame.len(), self.body.len());
        let width = usize::from(self.frame.width);
        self.body.copy_within((at + 1) * width..len * width, at * width);
        self.body.copy_within(size - ID * len..size - ID * (at + 1), size - ID * (len - 1));
        self.frame.len -= 1;
    }

    /// Writes the whole block again, in the frame that fits these entries best, if they need at most `limit` bytes
    /// of the body. Returns whether it was written.
    pub fn rewrite(&mut self, entries: &[(Key, MemberId)], limit: usize) -> bool {
        let frame = Frame::around(entries);
        if frame.used().max(MIN_BODY) > limit.min(self.body.len()) {
            return false;
        }
        *self.frame = frame;
        if frame.is_wide() {
            for (at, (key, id)) in entries.iter().enumerate() {
                let packed = frame.pack(*key, *id).unwrap_or_default();
                self.put(at, &packed, *id);
            }
        } else {
            self.put_all_narrow(entries);
        }
        true
    }

    /// Writes entries that fit into the frame, with narrow packed keys.
    fn put_all_narrow(&mut self, entries: &[(Key, MemberId)]) {
        // This is a local copy, so that the compiler loads it only once.
        let frame = *self.frame;
        let width = usize::from(frame.width);
        for (at, (key, id)) in entries.iter().enumerate() {
            // Eight bytes are written at once. The surplus bytes belong to the next key, or to ids; both are
            // written later.
            let packed = frame.pack_narrow(*key, *id);
            self.body[at * width..at * width + 8].copy_from_slice(&packed.to_le_bytes());
        }
        let (_, ids) = self.body.as_rchunks_mut::<ID>();
        for (raw, (_, id)) in ids.iter_mut().rev().zip(entries) {
            *raw = (*id as u16).to_le_bytes();
        }
    }
}

/// Returns how many bytes a block of these entries needs.
pub fn body_for(entries: &[(Key, MemberId)]) -> usize {
    Frame::around(entries).used().max(MIN_BODY)
}
