//! Any number of voters in 7 KB: the registers of an ExaLogLog (Otmar Ertl, "ExaLogLog: Space-Efficient and
//! Practical Approximate Distinct Counting up to the Exa-Scale", 2024, arXiv 2402.13726) with `t = 2`,
//! `d = 20` and `p = 11`. The standard error is `sqrt(3.67 / (28 * 2048))` = 0.80 %.
//!
//! A hash determines one of 2,048 registers and a value for it. Large values are rare. A register stores its
//! greatest value, and one bit for each of the 20 values below it. The bit is 1 if this value has occurred. These
//! are 8 + 20 bits, so two registers take seven bytes.
//!
//! The crate `exaloglog` computes the estimates, and the saved bytes have the crate's format. The registers are
//! implemented here because votes are frequent: in the crate, the registers are behind two pointers, together with
//! floating-point numbers that depend on the order of insertion. With 1,000 candidates, votes took 50 % longer with
//! the crate.

use exaloglog::ExaLogLog;

use crate::Error;
use crate::mover::Mover;
use crate::prefetch::prefetch;

/// The number of bytes of all registers, which is a size class of the allocator.
pub const BYTES: usize = (1 << PRECISION) / 2 * PAIR;
/// The binary logarithm of the number of registers.
const PRECISION: u32 = 11;
/// The number of bytes of two registers.
const PAIR: usize = 7;
/// The number of low bits of a hash that are part of the value.
const T: u32 = 2;
/// The number of bits of a register in addition to its greatest value: one for each of the values below it.
const D: u32 = 20;
/// The mask of the bits for the values below.
const BELOW: u32 = (1 << D) - 1;
/// The greatest value that a hash can have.
const MOST: u32 = (u64::BITS - PRECISION - T + 1) << T;
/// The bytes that the crate writes before the registers: its name and version, and the parameters.
const HEADER: [u8; 8] = [b'E', b'L', b'L', 0, 1, T as u8, D as u8, PRECISION as u8];

/// Registers, in pairs.
#[derive(Debug, Clone)]
pub struct Registers(Box<[[u8; PAIR]; BYTES / PAIR]>);

impl Registers {
    /// Returns registers without voters.
    pub fn new() -> Self {
        Self(Box::new([[0; PAIR]; BYTES / PAIR]))
    }

    /// Prefetches the memory of the register of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        self.0.get(pair_of(hash)).map(prefetch);
    }

    /// Counts a hash.
    #[inline]
    pub fn insert(&mut self, hash: u64) {
        let Some(pair) = self.0.get_mut(pair_of(hash)) else { return };
        let (mut lower, mut upper) = unpacked(pair);
        let register = if is_upper(hash) { &mut upper } else { &mut lower };
        let before = *register;
        *register = with(before, value_of(hash));
        if *register != before {
            *pair = packed(lower, upper);
        }
    }

    /// Adds the hashes that other registers have counted.
    pub fn merge(&mut self, other: &Self) {
        for (pair, other) in self.0.iter_mut().zip(other.0.iter()) {
            let ((lower, upper), (a, b)) = (unpacked(pair), unpacked(other));
            *pair = packed(both(lower, a), both(upper, b));
        }
    }

    /// Returns an estimate of the number of counted hashes.
    pub fn estimate(&self) -> f64 {
        self.sketch().map_or(0.0, |sketch| sketch.estimate())
    }

    fn sketch(&self) -> Option<ExaLogLog> {
        ExaLogLog::from_bytes(&[&HEADER, self.bytes()].concat()).ok()
    }

    fn fill(&mut self, bytes: &[u8]) {
        let (pairs, _) = bytes.as_chunks();
        self.0.iter_mut().zip(pairs).for_each(|(to, from)| *to = *from);
    }

    /// Returns the bytes that are saved.
    pub fn bytes(&self) -> &[u8] {
        self.0.as_flattened()
    }

    /// Returns the registers that were saved as these bytes. Returns an error if no hashes can give these bytes.
    pub fn load(bytes: &[u8; BYTES]) -> Result<Self, Error> {
        let mut registers = Self::new();
        registers.fill(bytes);
        let mut pairs = registers.0.iter().map(unpacked);
        if pairs.all(|(lower, upper)| can_occur(lower) && can_occur(upper)) {
            Ok(registers)
        } else {
            Err(Error::Corrupt("registers of voters"))
        }
    }

    /// Lets the allocator move the memory to a better place.
    pub fn relocate(self, mover: &mut impl Mover) -> Self {
        Self(mover.relocate(self.0))
    }
}

/// Returns the number of the pair of a hash, which is in bits 3 to 12. Bit 2 determines the register of the pair.
const fn pair_of(hash: u64) -> usize {
    (hash >> (T + 1) & ((1 << (PRECISION - 1)) - 1)) as usize
}

const fn is_upper(hash: u64) -> bool {
    hash >> T & 1 == 1
}

/// Returns the value of a hash. There are four values for each number of leading zeros. Each number of zeros is
/// half as likely as the number before.
const fn value_of(hash: u64) -> u32 {
    let zeros = (hash | ((1 << (PRECISION + T)) - 1)).leading_zeros();
    (zeros << T | hash as u32 & ((1 << T) - 1)).saturating_add(1)
}

/// Returns a register after a value was added to it.
const fn with(register: u32, value: u32) -> u32 {
    let (greatest, below) = (register >> D, register & BELOW);
    match value.checked_sub(greatest) {
        Some(0) => register,
        // The old greatest value becomes one of the values below, unless the distance is too large.
        Some(up @ 1..=D) => value << D | (1 << D | below) >> up,
        Some(_) => value << D,
        None => match D.checked_sub(greatest.saturating_sub(value)) {
            Some(bit) => register | 1 << bit,
            None => register,
        },
    }
}

/// Returns a register with the values of both registers.
const fn both(a: u32, b: u32) -> u32 {
    let (high, low) = if a >> D < b >> D { (b, a) } else { (a, b) };
    match (high >> D).saturating_sub(low >> D) {
        0 => high | low,
        // The greatest value of the lower register becomes one of the values below.
        up @ 1..=D => high | (1 << D | low & BELOW) >> up,
        _ => high,
    }
}

/// Returns whether hashes can produce this state of a register. A register begins with the value 0. The bit of this
/// value must be set as long as it is in range.
const fn can_occur(register: u32) -> bool {
    let (greatest, below) = (register >> D, register & BELOW);
    match D.checked_sub(greatest) {
        Some(D) => below == 0,
        Some(start) => below.trailing_zeros() == start,
        None => greatest <= MOST,
    }
}

#[inline]
const fn unpacked(&[a, b, c, d, e, f, g]: &[u8; PAIR]) -> (u32, u32) {
    (u32::from_le_bytes([a, b, c, d & 0x0f]), u32::from_le_bytes([d, e, f, g]) >> 4)
}

#[inline]
const fn packed(lower: u32, upper: u32) -> [u8; PAIR] {
    let [a, b, c, d] = lower.to_le_bytes();
    let [high, e, f, g] = (upper << 4).to_le_bytes();
    [a, b, c, d | high, e, f, g]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns bytes of registers that all have the same value.
    fn full_of(register: u32) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes.as_chunks_mut().0.fill(packed(register, register));
        bytes
    }

    /// Returns the register of a hash.
    fn register(registers: &Registers, hash: u64) -> u32 {
        let (lower, upper) = unpacked(&registers.0[pair_of(hash)]);
        if is_upper(hash) { upper } else { lower }
    }

    fn hashes() -> impl Iterator<Item = u64> {
        // These hashes have all possible numbers of leading zeros.
        (0..6000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(9) >> (number % 64))
    }

    #[test]
    fn the_crate_has_the_same_registers() {
        let mut theirs = ExaLogLog::new_dense(PRECISION);
        let mut ours = Registers::new();
        let mut halves = [Registers::new(), Registers::new()];
        for (at, hash) in hashes().enumerate() {
            theirs.add_hash(hash);
            let index = (hash >> T) as usize & ((1 << PRECISION) - 1);
            ours.insert(hash);
            assert_eq!(register(&ours, hash), theirs.get_register(index));
            halves[at % 2].insert(hash);
        }
        assert_eq!([&HEADER, ours.bytes()].concat(), theirs.to_bytes());
        assert_eq!(ours.estimate(), theirs.estimate());
        let [one, other] = &halves;
        for (one, other) in [(one, other), (other, one), (&ours, one), (one, &ours)] {
            let mut merged = one.clone();
            merged.merge(other);
            assert_eq!(merged.bytes(), ours.bytes());
        }
        assert!(Registers::load(ours.0.as_flattened().try_into().expect("all of them")).is_ok());
    }

    #[test]
    fn what_no_hash_can_leave_is_refused() {
        for register in [1, 1 << D, 1 << D | 1, (MOST + 1) << D, D << D, D << D | 2, u32::MAX >> 4] {
            assert!(Registers::load(&full_of(register)).is_err(), "{register:#x}");
        }
        for register in [0, 1 << D | 1 << 19, D << D | 1, D << D | 3, (D + 1) << D, MOST << D | BELOW] {
            assert!(Registers::load(&full_of(register)).is_ok(), "{register:#x}");
        }
        assert_eq!(Registers::load(&full_of(MOST << D | BELOW)).map(|all| all.estimate()), Ok(f64::INFINITY));
    }
}
