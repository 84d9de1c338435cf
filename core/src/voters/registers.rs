//! Any number of voters in 7 KB: the registers of an ExaLogLog (Otmar Ertl, "ExaLogLog: Space-Efficient and
//! Practical Approximate Distinct Counting up to the Exa-Scale", 2024, arXiv 2402.13726) with `t = 2`,
//! `d = 20` and `p = 11`. The standard error is `sqrt(3.67 / (28 * 2048))` = 0.80 %.
//!
//! A hash names one of 2,048 registers and gives it a value. Great values are rare. A register keeps its greatest
//! value, and one bit for each of the 20 values below it, which says whether that value has occurred: 8 + 20 bits, so
//! two registers take seven bytes.
//!
//! The crate `exaloglog` computes the estimates, and the saved bytes have its format. The registers are here because
//! votes are frequent: in the crate they are behind two pointers, beside floating-point numbers that depend on the
//! order of insertion. With 1,000 candidates, votes in the crate took half as long again.

use exaloglog::ExaLogLog;

use crate::Error;
use crate::mover::Mover;
use crate::prefetch::prefetch;

/// Bytes of all registers, which is a size class of the allocator.
pub const BYTES: usize = (1 << PRECISION) / 2 * PAIR;
/// Binary logarithm of the number of registers.
const PRECISION: u32 = 11;
/// Bytes of two registers.
const PAIR: usize = 7;
/// Low bits of a hash that go into the value.
const T: u32 = 2;
/// Bits of a register beside its greatest value, one for each of the values below.
const D: u32 = 20;
/// The bits for the values below.
const BELOW: u32 = (1 << D) - 1;
/// The greatest value that a hash can give.
const MOST: u32 = (u64::BITS - PRECISION - T + 1) << T;
/// What the crate writes before the registers: its name and version, and the parameters.
const HEADER: [u8; 8] = [b'E', b'L', b'L', 0, 1, T as u8, D as u8, PRECISION as u8];

/// Registers, in pairs.
#[derive(Debug, Clone)]
pub struct Registers(Box<[[u8; PAIR]; BYTES / PAIR]>);

impl Registers {
    /// Registers without voters.
    pub fn new() -> Self {
        Self(Box::new([[0; PAIR]; BYTES / PAIR]))
    }

    /// Asks for the memory of the register that a hash names.
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

    /// Adds what other registers have counted.
    pub fn merge(&mut self, other: &Self) {
        for (pair, other) in self.0.iter_mut().zip(other.0.iter()) {
            let ((lower, upper), (a, b)) = (unpacked(pair), unpacked(other));
            *pair = packed(both(lower, a), both(upper, b));
        }
    }

    /// About how many hashes were counted.
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

    /// The bytes that are saved.
    pub fn bytes(&self) -> &[u8] {
        self.0.as_flattened()
    }

    /// The registers that were saved in these bytes.
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

/// Bits 3 to 12 of a hash name a pair, bit 2 one register of the pair.
const fn pair_of(hash: u64) -> usize {
    (hash >> (T + 1) & ((1 << (PRECISION - 1)) - 1)) as usize
}

const fn is_upper(hash: u64) -> bool {
    hash >> T & 1 == 1
}

/// Four values for each count of leading zeros. Each count is half as likely as the one before.
const fn value_of(hash: u64) -> u32 {
    let zeros = (hash | ((1 << (PRECISION + T)) - 1)).leading_zeros();
    (zeros << T | hash as u32 & ((1 << T) - 1)).saturating_add(1)
}

/// A register after a value.
const fn with(register: u32, value: u32) -> u32 {
    let (greatest, below) = (register >> D, register & BELOW);
    match value.checked_sub(greatest) {
        Some(0) => register,
        // The old greatest value becomes one of the values below, unless it is too far below.
        Some(up @ 1..=D) => value << D | (1 << D | below) >> up,
        Some(_) => value << D,
        None => match D.checked_sub(greatest.saturating_sub(value)) {
            Some(bit) => register | 1 << bit,
            None => register,
        },
    }
}

/// A register with the values of two.
const fn both(a: u32, b: u32) -> u32 {
    let (high, low) = if a >> D < b >> D { (b, a) } else { (a, b) };
    match (high >> D).saturating_sub(low >> D) {
        0 => high | low,
        // The greatest value of the lower one becomes one of the values below.
        up @ 1..=D => high | (1 << D | low & BELOW) >> up,
        _ => high,
    }
}

/// Whether hashes can leave a register in this state. A register begins with the value 0, whose bit must be set as
/// long as it is in range.
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

    /// All registers have the same value.
    fn full_of(register: u32) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes.as_chunks_mut().0.fill(packed(register, register));
        bytes
    }

    /// The register that a hash names.
    fn register(registers: &Registers, hash: u64) -> u32 {
        let (lower, upper) = unpacked(&registers.0[pair_of(hash)]);
        if is_upper(hash) { upper } else { lower }
    }

    fn hashes() -> impl Iterator<Item = u64> {
        // All counts of leading zeros.
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
