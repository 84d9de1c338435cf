//! Secret keys of hash tables. Without the keys, a client cannot choose names or hashes that are all in one line of
//! a table.

use std::collections;
use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use siphasher::sip::SipHasher13;

/// The random number of the host, from which all keys of the process are derived.
static SEED: OnceLock<[u64; 2]> = OnceLock::new();
/// The number of keys that were derived.
static DRAWN: AtomicU64 = AtomicU64::new(0);

/// Sets the random number from which the keys of hash tables are derived. A host that accepts names from untrusted
/// clients must call this function once, before it makes or loads a value. Otherwise the keys are the same in every
/// process. Later calls change nothing.
pub fn seed(random: [u64; 2]) {
    SEED.get_or_init(|| random);
}

/// The keys of one table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Secret([u64; 2]);

impl Secret {
    /// Returns keys that no other table has.
    pub fn draw() -> Self {
        let number = DRAWN.fetch_add(1, Ordering::Relaxed);
        let half = |half: u8| {
            let mut hasher = Self::of_process().hasher();
            hasher.write_u64(number);
            hasher.write_u8(half);
            hasher.finish()
        };
        Self([half(0), half(1)])
    }

    /// Returns keys for hashes that are not stored in a table and never leave the process.
    pub fn of_process() -> Self {
        Self(SEED.get().copied().unwrap_or_default())
    }

    /// Returns a hash function of any bytes.
    pub fn hasher(self) -> SipHasher13 {
        SipHasher13::new_with_keys(self.0[0], self.0[1])
    }

    /// Returns the place of a value that already is a hash. One multiplication is enough, since clients do not know
    /// the keys.
    #[inline]
    pub const fn place(self, hash: [u64; 2]) -> u64 {
        let product = ((hash[0] ^ self.0[0]) as u128).wrapping_mul((hash[1] ^ self.0[1]) as u128);
        product as u64 ^ (product >> u64::BITS) as u64
    }
}

/// The keys of tables that exist only during one call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfProcess(Secret);

impl Default for OfProcess {
    fn default() -> Self {
        Self(Secret::of_process())
    }
}

impl BuildHasher for OfProcess {
    type Hasher = SipHasher13;

    fn build_hasher(&self) -> SipHasher13 {
        self.0.hasher()
    }
}

/// The standard map, with keys that are derived from the seed.
pub(crate) type HashMap<K, V> = collections::HashMap<K, V, OfProcess>;
/// The standard set, with keys that are derived from the seed.
pub(crate) type HashSet<T> = collections::HashSet<T, OfProcess>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_different_keys() {
        let (one, other) = (Secret::draw(), Secret::draw());
        assert_ne!(one.0, other.0);
        assert_ne!(one.0[0], one.0[1]);
    }

    #[test]
    fn a_host_sets_the_seed_once() {
        seed([1, 2]);
        let first = Secret::of_process();
        seed([3, 4]);
        assert_eq!(Secret::of_process().0, first.0);
    }
}
