//! The frame of a block of entries: it turns keys into bits, and bits into keys.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "keys are packed that are in the frame, and unpacked that were packed in it"
)]

use super::entries::ID;
use super::{Key, MemberId};
use crate::bits::{ones, width};

/// The bases and widths by which a block turns keys into bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Frame {
    pub(super) base_rank_key: u64,
    pub(super) base_moment: u64,
    pub(super) len: u16,
    rank_key_bits: u8,
    pub(super) moment_bits: u8,
    /// The number of bytes of a key.
    pub(super) width: u8,
}

impl Frame {
    /// The frame of an empty block.
    pub const EMPTY: Self =
        Self { base_rank_key: 0, base_moment: 0, len: 0, rank_key_bits: 0, moment_bits: 0, width: 0 };

    /// Returns the frame for these entries. The last byte may have unused bits. The first of these bits gives room
    /// for rank keys on both sides, and the other bits give room for later moments.
    pub(super) fn around(entries: &[(Key, MemberId)]) -> Self {
        let Some(first) = entries.first() else {
            return Self::default();
        };
        let last = entries.last().unwrap_or(first);
        let (mut earliest, mut latest) = (u64::MAX, 0);
        for (key, _) in entries {
            earliest = earliest.min(key.moment);
            latest = latest.max(key.moment);
        }
        let spread = last.0.rank_key - first.0.rank_key;
        let (mut rank_key_bits, mut moment_bits) = (width(spread), width(latest - earliest));
        let bytes = (rank_key_bits + moment_bits).div_ceil(8);
        let mut spare = bytes * 8 - rank_key_bits - moment_bits;
        let mut base_rank_key = first.0.rank_key;
        if spare > 0 && rank_key_bits > 0 && rank_key_bits < 63 {
            rank_key_bits += 1;
            spare -= 1;
            base_rank_key = base_rank_key.saturating_sub(((1 << rank_key_bits) - 1 - spread) / 2);
        }
        moment_bits = (moment_bits + spare).min(64);
        Self {
            base_rank_key,
            base_moment: earliest,
            len: u16::try_from(entries.len()).unwrap_or(u16::MAX),
            rank_key_bits,
            moment_bits,
            width: bytes,
        }
    }

    /// Returns how many of these entries, from the first one on, fit into `limit` bytes. At least one of them does.
    pub(super) fn fitting(entries: &[(Key, MemberId)], limit: usize) -> usize {
        let base = entries.first().map_or(0, |(key, _)| key.rank_key);
        let (mut earliest, mut latest) = (u64::MAX, 0);
        let fits = |(at, (key, _)): &(usize, &(Key, MemberId))| {
            earliest = earliest.min(key.moment);
            latest = latest.max(key.moment);
            let bits = width(key.rank_key - base) + width(latest - earliest);
            (at + 1) * (usize::from(bits.div_ceil(8)) + ID) <= limit
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

    /// Returns the greatest packed key that is not behind this key, for keys of up to 8 bytes; `None` if all packed
    /// keys are behind it.
    pub(super) fn ceiling(&self, key: Key) -> Option<u64> {
        let rank_key = key.rank_key.checked_sub(self.base_rank_key)?;
        if width(rank_key) > self.rank_key_bits {
            return Some(u64::MAX);
        }
        let least = rank_key.checked_shl(u32::from(self.moment_bits)).unwrap_or(0);
        match key.moment.checked_sub(self.base_moment) {
            Some(moment) => Some(least | moment.min(ones(u32::from(self.moment_bits)))),
            None => least.checked_sub(1),
        }
    }

    /// Returns whether a key fits into the frame.
    pub fn holds(&self, key: Key) -> bool {
        self.pack(key).is_some()
    }

    /// Unpacks a rank key and a moment. The packed moment may have bits of other values above it; these bits are
    /// ignored.
    #[inline]
    pub(super) fn unpack(&self, rank_key: u64, moment: u64) -> Key {
        let moment = moment & ones(self.moment_bits.into());
        Key { rank_key: self.base_rank_key + rank_key, moment: self.base_moment + moment }
    }

    pub(super) fn pack(&self, key: Key) -> Option<u128> {
        let rank_key = key.rank_key.checked_sub(self.base_rank_key)?;
        let moment = key.moment.checked_sub(self.base_moment)?;
        if width(rank_key) > self.rank_key_bits || width(moment) > self.moment_bits {
            return None;
        }
        Some(u128::from(rank_key) << self.moment_bits | u128::from(moment))
    }
}
