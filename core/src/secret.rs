//! Secret keys, by which entries of hash tables find their places: nobody outside can choose names or
//! hashes that meet there.

use std::hash::{BuildHasher, RandomState};

use siphasher::sip::SipHasher13;

/// The keys of one table.
#[derive(Debug, Clone, Copy)]
pub struct Secret([u64; 2]);

impl Default for Secret {
    fn default() -> Self {
        let random = RandomState::new();
        Self([random.hash_one(0), random.hash_one(1)])
    }
}

impl Secret {
    /// A hash function of any bytes.
    pub fn hasher(self) -> SipHasher13 {
        SipHasher13::new_with_keys(self.0[0], self.0[1])
    }

    /// The place of something that is a hash already. One multiplication is enough, as the keys are
    /// unknown to whoever chose the hash.
    #[inline]
    pub const fn place(self, hash: [u64; 2]) -> u64 {
        let product = ((hash[0] ^ self.0[0]) as u128).wrapping_mul((hash[1] ^ self.0[1]) as u128);
        product as u64 ^ (product >> u64::BITS) as u64
    }
}
