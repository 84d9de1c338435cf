//! The ids of requests that a board has applied, so that a repeated request does not count twice.
//!
//! Only the first 128 bits of the BLAKE3 hash of an id are stored. 104 of them identify the id: nobody finds a second id
//! with the bits of a given one. The hash has no key that would have to be saved or replicated, so the bytes are the same
//! on a primary, on a replica and in a file. The other 24 bits are combined with the number of the attempt that was
//! applied. So a sender that repeats an attempt is told that this attempt was applied, and the number takes no memory.
//! Without a number, the bits of the hash are unchanged. A fingerprint of 24 bits identifies the write, to detect an id that is used again for
//! another write. With the fingerprint, the time and the hash table, an id takes about 33 bytes.
//!
//! Ids are stored in chunks in the order of time, so the oldest ids are forgotten from the front in small steps.
//! Adding an id needs one distant cache line, in the table. This line is prefetched before the member is looked up
//! ([`Requests::prefetch`]). The lines of ids that will be forgotten are prefetched a few ids ahead.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "places are counted from the first one kept, which chunks hold by construction"
)]

mod list;

use std::collections::VecDeque;
use std::hash::Hasher;

use siphasher::sip::SipHasher13;

use crate::Error;
use crate::mover::{Mover, Relocation};
use crate::secret::{HashMap, HashSet, Secret};
use crate::size_class::{bytes_of, put};
use crate::table::Table;
use crate::time::Millis;
pub use list::{change_keep, finish, is_repeated, seen};

/// The maximum length of a request id, in bytes.
pub const MAX_REQUEST: usize = 256;
/// The number of entries of a chunk: 24 KB, which is a size of the allocator.
const CHUNK: usize = 1024;
/// The maximum number of ids that one write forgets. It is more than one write adds, so memory is freed over time.
const FORGET_STEP: usize = 16;
/// The number of ids for which memory is prefetched ahead when ids are forgotten.
const FORGET_AHEAD: usize = 8;
/// The number of bits of the time, below the fingerprint: 34 years in milliseconds.
const TIME_BITS: u32 = 40;
const TIME_MASK: u64 = (1 << TIME_BITS) - 1;

/// The greatest number of an attempt.
pub const MAX_ATTEMPT: u32 = (1 << ATTEMPT_BITS) - 1;
/// The number of bits of a hash that are combined with the number of an attempt. They are the lowest bits of its second
/// half.
const ATTEMPT_BITS: u32 = 24;
/// The fingerprint of an id whose write is not known any more.
const ANY_WRITE: u32 = 0;

/// The first 128 bits of the hash of a request id.
pub type RequestHash = [u64; 2];

/// The data that a board remembers of a request id and of its write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The first 128 bits of the hash of the id. In a saved request, the lowest bits are combined with the number of
    /// the attempt.
    pub hash: [u64; 2],
    /// 24 bits of a hash of the write.
    pub fingerprint: u32,
    /// The number of the attempt, at most [`MAX_ATTEMPT`]. 0 if the sender gave no number, and in a saved request.
    pub attempt: u32,
}

/// Whether a request was applied before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// The request was not applied, or its id is forgotten.
    Never,
    /// The request was applied, by another attempt, or by an attempt without a number.
    Before,
    /// The same attempt was applied. Its sender has sent it again.
    SameAttempt,
}

/// Returns the bits of a hash that identify an id.
const fn identity([first, second]: [u64; 2]) -> [u64; 2] {
    [first, second >> ATTEMPT_BITS]
}

impl Request {
    /// Returns the request with this id, for a write with this fingerprint.
    pub fn new(id: &[u8], fingerprint: Fingerprint) -> Self {
        let hash = blake3::hash(id);
        let half = |from: usize| {
            let mut raw = [0; 8];
            raw.copy_from_slice(&hash.as_bytes()[from..from + 8]);
            u64::from_le_bytes(raw)
        };
        Self { hash: [half(0), half(8)], fingerprint: fingerprint.finish(), attempt: 0 }
    }

    /// Sets the number of the attempt.
    #[must_use]
    pub const fn of_attempt(self, attempt: u32) -> Self {
        Self { attempt: attempt & MAX_ATTEMPT, ..self }
    }

    /// Returns the hash as it is stored.
    const fn stored(&self) -> [u64; 2] {
        let [first, second] = self.hash;
        [first, second ^ self.attempt as u64]
    }
}

/// A hash of a write: its kind, its members and its points. It is saved, so it must be the same in every process
/// and version.
#[derive(Debug, Clone, Copy)]
pub struct Fingerprint(SipHasher13);

impl Fingerprint {
    /// Returns the fingerprint of a kind of write.
    pub fn of(kind: u8) -> Self {
        let mut hash = SipHasher13::new();
        hash.write_u8(kind);
        Self(hash)
    }

    /// Adds a member and its units to the fingerprint.
    pub fn and(mut self, member: &[u8], units: i64) -> Self {
        self.0.write(&units.to_le_bytes());
        self.0.write(&(member.len() as u16).to_le_bytes());
        self.0.write(member);
        self
    }

    fn finish(self) -> u32 {
        self.0.finish() as u32 >> 8
    }
}

#[derive(Debug, Clone, Copy)]
struct Remembered {
    hash: [u64; 2],
    /// The fingerprint in the upper bits, and the time in the lower bits, in milliseconds since `epoch` of
    /// [`Requests`].
    marks: u64,
}

impl Remembered {
    const fn time(self) -> u64 {
        self.marks & TIME_MASK
    }

    const fn fingerprint(self) -> u32 {
        (self.marks >> TIME_BITS) as u32
    }
}

/// The ids of one board.
#[derive(Debug, Clone)]
pub struct Requests {
    table: Table,
    chunks: VecDeque<Vec<Remembered>>,
    /// The number of entries at the start of the first chunk that are forgotten.
    gone: usize,
    /// The number of the first entry of the first chunk. Entries are numbered since the list was made. After the
    /// greatest number comes 0.
    base: u32,
    len: usize,
    /// The moment from which times are counted. It moves back when a clock is put back, so times never decrease.
    epoch: i64,
    /// Ids before this time stay forgotten, even if the time for which ids are remembered becomes longer later.
    floor: u64,
    /// Clients can choose hashes in saved values, so the places of hashes in the table must depend on a secret.
    secret: Secret,
}

impl Requests {
    /// Returns an empty list of request ids. Times in the list are counted from `epoch`.
    pub fn new(epoch: i64) -> Self {
        Self {
            table: Table::default(),
            chunks: VecDeque::new(),
            gone: 0,
            base: 0,
            len: 0,
            epoch,
            floor: 0,
            secret: Secret::draw(),
        }
    }

    fn entry(&self, number: u32) -> Remembered {
        entry_of(&self.chunks, self.base, number)
    }

    fn find(&self, hash: [u64; 2]) -> Option<u32> {
        let is_same = |number| identity(self.entry(number).hash) == identity(hash);
        self.table.find(self.place(hash), is_same)
    }

    /// Returns the place of an id in the table.
    fn place(&self, hash: [u64; 2]) -> u64 {
        self.secret.place(identity(hash))
    }

    /// Prefetches the memory in which a request is looked up and remembered.
    pub fn prefetch(&self, request: &Request) {
        self.table.prefetch(self.place(request.hash));
    }

    fn elapsed(&self, now: Millis) -> u64 {
        (now as i64).saturating_sub(self.epoch).max(0) as u64
    }

    /// Returns the oldest time that is remembered at the time `elapsed`.
    fn oldest(&self, elapsed: u64, keep: Millis) -> u64 {
        elapsed.saturating_sub(keep).max(self.floor)
    }

    /// Forgets ids that are older than `keep` milliseconds. They stay forgotten, even if a later `keep` is longer.
    pub fn cut(&mut self, now: Millis, keep: Millis) {
        self.floor = self.oldest(self.elapsed(now), keep);
    }

    /// Counts times from a later moment, when they no longer fit into their bits. An event clock can jump over
    /// decades.
    fn rebase(&mut self, now: Millis, keep: Millis) {
        let oldest = self.oldest(self.elapsed(now), keep);
        // The oldest time becomes 1, so that older ids stay older.
        let by = oldest.saturating_sub(1);
        for entry in self.chunks.iter_mut().flatten() {
            let time = entry.time().saturating_sub(by);
            entry.marks = u64::from(entry.fingerprint()) << TIME_BITS | time;
        }
        self.floor = oldest - by;
        self.epoch = self.epoch.saturating_add_unsigned(by);
    }

    /// Follows the board's clock when it goes back by `by` milliseconds: the age of an id does not change.
    pub const fn turn_back(&mut self, by: Millis) {
        self.epoch = self.epoch.saturating_sub_unsigned(by);
    }

    /// Returns whether a request was applied within the last `keep` milliseconds, and by which attempt.
    ///
    /// # Errors
    /// [`Error::RequestReused`] if the id of the request was used for another write.
    pub fn seen(&self, request: &Request, now: Millis, keep: Millis) -> Result<Seen, Error> {
        match self.find(request.hash).map(|number| self.entry(number)) {
            Some(entry) if entry.time() >= self.oldest(self.elapsed(now), keep) => {
                if ![request.fingerprint, ANY_WRITE].contains(&entry.fingerprint()) {
                    return Err(Error::RequestReused);
                }
                let is_same_attempt = request.attempt > 0 && entry.hash == request.stored();
                Ok(if is_same_attempt { Seen::SameAttempt } else { Seen::Before })
            }
            _ => Ok(Seen::Never),
        }
    }

    /// Forgets the writes of all ids, and keeps the ids. From now on, a request with one of these ids counts as repeated,
    /// whatever its write is: the list of a repeated request may be divided among other boards now.
    pub fn forget_writes(&mut self) {
        for entry in self.chunks.iter_mut().flatten() {
            entry.marks = u64::from(ANY_WRITE) << TIME_BITS | entry.time();
        }
    }

    /// Remembers a request that is applied now. An older request with the same id that is not remembered any more
    /// is replaced. A younger request with the same id is kept, so that no id is saved twice.
    pub fn remember(&mut self, request: Request, now: Millis, keep: Millis) {
        if self.elapsed(now) > TIME_MASK {
            self.rebase(now, keep);
        }
        if let Some(old) = self.find(request.hash) {
            if self.entry(old).time() >= self.oldest(self.elapsed(now), keep) {
                return;
            }
            self.table.remove(self.place(request.hash), old);
        }
        let marks = u64::from(request.fingerprint) << TIME_BITS | self.elapsed(now);
        self.push(Remembered { hash: request.stored(), marks });
    }

    fn push(&mut self, entry: Remembered) {
        let number = self.base.wrapping_add((self.gone + self.len) as u32);
        if self.chunks.back().is_none_or(|chunk| chunk.len() == CHUNK) {
            // If there are few ids, a chunk is freed before it is full. So its memory grows in small steps.
            let room = if self.len < CHUNK { 0 } else { CHUNK };
            self.chunks.push_back(Vec::with_capacity(room));
        }
        if let Some(chunk) = self.chunks.back_mut() {
            put(chunk, chunk.len(), entry);
        }
        self.len += 1;
        let Self { table, chunks, base, secret, .. } = self;
        let hash_of = |number| secret.place(identity(entry_of(chunks, *base, number).hash));
        table.insert(secret.place(identity(entry.hash)), number, hash_of);
    }

    /// Returns the entry that is `ahead` entries after the oldest entry.
    fn behind_oldest(&self, ahead: usize) -> Option<&Remembered> {
        let at = self.gone + ahead;
        self.chunks.get(at / CHUNK)?.get(at % CHUNK)
    }

    /// Forgets some ids that are older than `keep` milliseconds.
    pub fn forget(&mut self, now: Millis, keep: Millis) {
        let oldest = self.oldest(self.elapsed(now), keep);
        for _ in 0..FORGET_STEP {
            let Some(entry) = self.behind_oldest(0).copied() else { return };
            if entry.time() >= oldest {
                return;
            }
            // The table's line of each id is at a distant place in memory. Prefetch the line of an id that is
            // forgotten soon.
            if let Some(later) = self.behind_oldest(FORGET_AHEAD) {
                self.table.prefetch(self.place(later.hash));
            }
            let number = self.base.wrapping_add(self.gone as u32);
            self.table.remove(self.place(entry.hash), number);
            self.gone += 1;
            self.len -= 1;
            if self.gone == CHUNK {
                self.chunks.pop_front();
                self.base = self.base.wrapping_add(CHUNK as u32);
                self.gone = 0;
            }
        }
    }

    /// Returns the requests that were applied within the last `keep` milliseconds, oldest first, each with its age
    /// in milliseconds.
    pub fn kept(&self, now: Millis, keep: Millis) -> impl Iterator<Item = (Request, Millis)> + '_ {
        let now = self.elapsed(now);
        let first = self.first_kept(now, keep);
        (first..self.gone + self.len).map(move |at| {
            let entry = self.chunks[at / CHUNK][at % CHUNK];
            let request = Request { hash: entry.hash, fingerprint: entry.fingerprint(), attempt: 0 };
            (request, now.saturating_sub(entry.time()))
        })
    }

    /// Returns how many requests were applied within the last `keep` milliseconds.
    pub fn count_kept(&self, now: Millis, keep: Millis) -> usize {
        self.gone + self.len - self.first_kept(self.elapsed(now), keep)
    }

    fn first_kept(&self, now: u64, keep: u64) -> usize {
        let oldest = self.oldest(now, keep);
        let (mut low, mut high) = (self.gone, self.gone + self.len);
        while low < high {
            let middle = low.midpoint(high);
            let old = self.chunks[middle / CHUNK][middle % CHUNK].time() < oldest;
            (low, high) = if old { (middle + 1, high) } else { (low, middle) };
        }
        low
    }

    /// Restores the requests of a saved board, oldest first, each with its age in milliseconds. Restores all of
    /// them, or none.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if a request is older than the request before, or if its id is in the list already; the
    /// error of the first request that could not be read.
    pub fn restore(
        &mut self,
        saved: impl Iterator<Item = Result<(Request, Millis), Error>>,
        now: Millis,
        keep: Millis,
    ) -> Result<(), Error> {
        if self.elapsed(now) > TIME_MASK {
            self.rebase(now, keep);
        }
        let mut last = self.chunks.back().and_then(|chunk| chunk.last()).map_or(0, |last| last.time());
        let (mut entries, mut hashes) = (Vec::new(), HashSet::default());
        for request in saved {
            let (Request { hash, fingerprint, .. }, age) = request?;
            let time = self.elapsed(now).checked_sub(age).ok_or(Error::Corrupt("age of a request"))?;
            if time < last || self.find(hash).is_some() || !hashes.insert(identity(hash)) {
                return Err(Error::Corrupt("requests out of order"));
            }
            if fingerprint >> (u64::BITS - TIME_BITS) != 0 {
                return Err(Error::Corrupt("fingerprint of a request"));
            }
            entries.push(Remembered { hash, marks: u64::from(fingerprint) << TIME_BITS | time });
            last = time;
        }
        entries.into_iter().for_each(|entry| self.push(entry));
        Ok(())
    }

    /// Returns the requests of two boards that were applied within the last `keep` milliseconds; `None` if there are none.
    /// If both boards know an id, the younger request is kept. Its write is not known then, unless both boards have the
    /// same fingerprint: each board may have applied a share of one list.
    ///
    /// # Errors
    /// The errors of [`Self::restore`].
    pub fn join(pair: [Option<&Self>; 2], now: Millis, keep: Millis) -> Result<Option<Self>, Error> {
        let mut all: Vec<_> =
            pair.into_iter().flatten().flat_map(|requests| requests.kept(now, keep)).collect();
        // The younger request of an id comes first.
        all.sort_by_key(|(_, age)| *age);
        let mut places: HashMap<[u64; 2], usize> = HashMap::default();
        let mut joined: Vec<(Request, Millis)> = Vec::new();
        for (request, age) in all {
            match places.get(&identity(request.hash)).and_then(|place| joined.get_mut(*place)) {
                Some((younger, _)) if younger.fingerprint != request.fingerprint => {
                    younger.fingerprint = ANY_WRITE;
                }
                Some(_) => {}
                None => {
                    places.insert(identity(request.hash), joined.len());
                    joined.push((request, age));
                }
            }
        }
        if joined.is_empty() {
            return Ok(None);
        }
        let mut requests = Self::new((now as i64).saturating_sub_unsigned(keep));
        requests.restore(joined.into_iter().rev().map(Ok), now, keep)?;
        Ok(Some(requests))
    }

    /// Returns how many requests are stored, including old ones that are not forgotten yet.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of bytes on the heap, including this struct, which is in a box.
    pub fn memory(&self) -> usize {
        let last = bytes_of::<Remembered>(self.chunks.back().map_or(0, Vec::capacity));
        let full = self.chunks.len().saturating_sub(1) * bytes_of::<Remembered>(CHUNK);
        let list = bytes_of::<Vec<Remembered>>(self.chunks.capacity());
        bytes_of::<Self>(1) + full + last + list + self.table.memory()
    }

    pub fn effort(&self) -> usize {
        self.chunks.len() + self.table.allocations() + 2
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(self.chunks.len(), |at, mover| {
            self.chunks[at] = mover.relocate_vec(std::mem::take(&mut self.chunks[at]));
        });
        self.table.relocate(walk);
    }
}

fn entry_of(chunks: &VecDeque<Vec<Remembered>>, base: u32, number: u32) -> Remembered {
    let at = number.wrapping_sub(base) as usize;
    chunks[at / CHUNK][at % CHUNK]
}

#[cfg(test)]
mod tests;
