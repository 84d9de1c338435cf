//! The frame of a block of entries: it turns entries into bits, and bits into entries.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "keys are packed that are in the frame, and unpacked that were packed in it"
)]

use super::entries::ID;
use super::{Key, MemberId};
use crate::bits::{ones, width};

/// The number of bits of half an id. The lower half is not in packed keys.
const HALF: u32 = 8 * ID as u32;
/// The greatest number of bytes of a narrow packed key. It is read and compared as one number.
const NARROW: u8 = 8;
/// The greatest number of bits of a moment in a narrow packed key, so that each shift is shorter than 64 bits.
const MOMENT: u8 = 63;
/// The greatest number of bytes of a packed key.
const WIDEST: usize = 18;

/// The bases and widths by which a block turns entries into bits. A narrow packed key has the rank key, the moment and the
/// used bits of the upper half of the id, from the highest bits to the lowest. A wide one has the rank key and the moment in its
/// first bytes, and the upper half of the id in the last two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Frame {
    base_rank_key: u64,
    base_moment: u64,
    pub(super) len: u16,
    rank_key_bits: u8,
    moment_bits: u8,
    id_bits: u8,
    /// The number of bytes of a packed key.
    pub(super) width: u8,
}

/// What some entries, in order, need of a frame.
#[derive(Debug, Clone, Copy)]
struct Needs {
    rank_keys: (u64, u64),
    moments: (u64, u64),
    /// The upper halves of all ids, combined by OR.
    ids: u32,
}

impl Needs {
    const fn of_one((key, id): &(Key, MemberId)) -> Self {
        Self { rank_keys: (key.rank_key, key.rank_key), moments: (key.moment, key.moment), ids: *id >> HALF }
    }

    /// Adds an entry behind the others.
    #[inline]
    fn add(&mut self, (key, id): &(Key, MemberId)) {
        self.rank_keys.1 = key.rank_key;
        self.moments = (self.moments.0.min(key.moment), self.moments.1.max(key.moment));
        self.ids |= *id >> HALF;
    }

    /// Returns the numbers of bits of rank keys, moments and upper halves of ids, and the number of bytes of packed keys.
    const fn bits(&self) -> (u8, u8, u8, u8) {
        let rank_keys = width(self.rank_keys.1 - self.rank_keys.0);
        let moments = width(self.moments.1 - self.moments.0);
        let (ids, keys) = (width(self.ids as u64), rank_keys + moments);
        if keys + ids <= 8 * NARROW && moments <= MOMENT {
            (rank_keys, moments, ids, (keys + ids).div_ceil(8))
        } else {
            (rank_keys, moments, HALF as u8, keys.div_ceil(8) + ID as u8)
        }
    }
}

impl Frame {
    /// The frame of an empty block.
    pub const EMPTY: Self = Self {
        base_rank_key: 0,
        base_moment: 0,
        len: 0,
        rank_key_bits: 0,
        moment_bits: 0,
        id_bits: 0,
        width: 0,
    };

    /// Returns the frame for these entries. The last byte of keys may have unused bits. The first of these bits gives room
    /// for rank keys on both sides, and the other bits give room for later moments.
    pub(super) fn around(entries: &[(Key, MemberId)]) -> Self {
        let Some((first, others)) = entries.split_first() else {
            return Self::default();
        };
        let mut needs = Needs::of_one(first);
        others.iter().for_each(|entry| needs.add(entry));
        let (mut rank_key_bits, mut moment_bits, id_bits, bytes) = needs.bits();
        let mut spare = bytes * 8 - rank_key_bits - moment_bits - id_bits;
        let mut base_rank_key = needs.rank_keys.0;
        if spare > 0 && rank_key_bits > 0 && rank_key_bits < 63 {
            rank_key_bits += 1;
            spare -= 1;
            let spread = needs.rank_keys.1 - needs.rank_keys.0;
            base_rank_key = base_rank_key.saturating_sub((ones(rank_key_bits.into()) - spread) / 2);
        }
        moment_bits = (moment_bits + spare).min(moment_bits.max(MOMENT));
        Self {
            base_rank_key,
            base_moment: needs.moments.0,
            len: u16::try_from(entries.len()).unwrap_or(u16::MAX),
            rank_key_bits,
            moment_bits,
            id_bits,
            width: bytes,
        }
    }

    /// Returns how many of these entries, from the first one on, fit into `limit` bytes. At least one of them does.
    pub(super) fn fitting(entries: &[(Key, MemberId)], limit: usize) -> usize {
        let Some(mut needs) = entries.first().map(Needs::of_one) else { return 0 };
        let fits = |(at, entry): &(usize, &(Key, MemberId))| {
            needs.add(entry);
            let (_, _, _, bytes) = needs.bits();
            (at + 1) * (usize::from(bytes) + ID) <= limit
        };
        entries.iter().enumerate().take_while(fits).count()
    }

    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns the number of bytes of the body that are in use.
    pub const fn used(&self) -> usize {
        self.bytes(self.len())
    }

    pub(super) const fn bytes(&self, entries: usize) -> usize {
        entries * (self.width as usize + ID)
    }

    /// Returns whether packed keys are too wide to be read as one number of 64 bits.
    #[inline]
    pub(super) const fn is_wide(&self) -> bool {
        self.width > NARROW
    }

    /// Returns the greatest narrow packed key that is not behind this key; `None` if all packed keys are behind it.
    pub(super) fn ceiling(&self, key: Key) -> Option<u64> {
        let rank_key = self.distance(key.rank_key)?;
        if width(rank_key) > self.rank_key_bits {
            return Some(u64::MAX);
        }
        let least = rank_key << self.moment_bits;
        let most = match key.moment.checked_sub(self.base_moment) {
            Some(moment) => least | moment.min(lowest(self.moment_bits)),
            None => least.checked_sub(1)?,
        };
        Some(most << self.id_bits | lowest(self.id_bits))
    }

    /// Returns whether a key fits into the frame.
    #[inline]
    pub fn holds(&self, key: Key) -> bool {
        key.rank_key >= self.base_rank_key
            && key.moment >= self.base_moment
            && width(key.rank_key - self.base_rank_key) <= self.rank_key_bits
            && width(key.moment - self.base_moment) <= self.moment_bits
    }

    /// Returns the key of a narrow packed key.
    #[inline]
    pub(super) const fn unpack_narrow(&self, packed: u64) -> Key {
        let dated = packed >> self.id_bits;
        Key {
            rank_key: self.base_rank_key + (dated >> self.moment_bits),
            moment: self.base_moment + (dated & lowest(self.moment_bits)),
        }
    }

    /// Returns the distance of a rank key from the smallest rank key of the block; `None` if it is smaller.
    pub(super) const fn distance(&self, rank_key: u64) -> Option<u64> {
        rank_key.checked_sub(self.base_rank_key)
    }

    /// Returns the distance of the rank key of a narrow packed key from the smallest rank key of the block.
    #[inline]
    pub(super) const fn narrow_rank_key(&self, packed: u64) -> u64 {
        packed >> self.id_bits >> self.moment_bits
    }

    /// Returns the key of a wide packed key.
    pub(super) fn unpack_wide(&self, packed: &[u8]) -> Key {
        let mut dated = [0; 16];
        dated[..packed.len() - ID].copy_from_slice(&packed[..packed.len() - ID]);
        let dated = u128::from_le_bytes(dated);
        Key {
            rank_key: self.base_rank_key + (dated >> self.moment_bits) as u64,
            moment: self.base_moment + (dated as u64 & ones(self.moment_bits.into())),
        }
    }

    /// Returns an id from a narrow packed key and the lower half of the id.
    #[inline]
    pub(super) const fn id(&self, packed: u64, lower: u16) -> MemberId {
        join((packed & lowest(self.id_bits)) as u16, lower)
    }

    /// Returns the packed key of an entry, as its first bytes; `None` if the entry does not fit into the frame.
    #[inline]
    pub(super) fn pack(&self, key: Key, id: MemberId) -> Option<[u8; WIDEST]> {
        let upper = id >> HALF;
        if !self.holds(key) || width(upper.into()) > self.id_bits {
            return None;
        }
        let mut packed = [0; WIDEST];
        if self.is_wide() {
            let rank_key = u128::from(key.rank_key - self.base_rank_key);
            let dated = rank_key << self.moment_bits | u128::from(key.moment - self.base_moment);
            packed[..16].copy_from_slice(&dated.to_le_bytes());
            let end = usize::from(self.width);
            packed[end - ID..end].copy_from_slice(&(upper as u16).to_le_bytes());
        } else {
            packed[..8].copy_from_slice(&self.pack_narrow(key, id).to_le_bytes());
        }
        Some(packed)
    }

    /// Returns the narrow packed key of an entry that fits into the frame.
    #[inline]
    pub(super) const fn pack_narrow(&self, key: Key, id: MemberId) -> u64 {
        let rank_key = key.rank_key - self.base_rank_key;
        let dated = rank_key << self.moment_bits | (key.moment - self.base_moment);
        dated << self.id_bits | (id >> HALF) as u64
    }
}

/// Returns a word whose lowest `bits` bits are ones, of at most 63.
#[inline]
const fn lowest(bits: u8) -> u64 {
    (1 << bits) - 1
}

/// Returns the id with these halves.
#[inline]
pub(super) const fn join(upper: u16, lower: u16) -> MemberId {
    (upper as MemberId) << HALF | lower as MemberId
}
