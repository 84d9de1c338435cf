//! Counts the bits that numbers need, and finds bits in one word.
#![allow(clippy::arithmetic_side_effects, reason = "counts of bits are those of a word at the most")]

/// Returns a word whose lowest `count` bits are ones.
#[inline]
pub const fn ones(count: u32) -> u64 {
    match count {
        0 => 0,
        count => u64::MAX >> (u64::BITS - count),
    }
}

/// Returns how many bits are needed for the numbers from 0 to `most`.
#[inline]
pub const fn width(most: u64) -> u8 {
    (u64::BITS - most.leading_zeros()) as u8
}

/// Returns the position of the one bit that has `below` one bits below it in `word`. The word must have more than
/// `below` one bits.
pub const fn select(word: u64, mut below: u32) -> u32 {
    let mut from = 0;
    let mut rest = word;
    // Counts one byte at a time: without the popcnt instruction, counting few bits is cheaper.
    loop {
        let here = (rest as u8).count_ones();
        if below < here || from == u64::BITS - 8 {
            break;
        }
        below -= here;
        rest >>= 8;
        from += 8;
    }
    while below > 0 {
        rest &= rest - 1;
        below -= 1;
    }
    from + rest.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_and_their_ones() {
        for bits in 0..=64_u8 {
            assert_eq!(width(ones(bits.into())), bits);
            assert_eq!(ones(bits.into()).count_ones(), bits.into());
        }
    }

    #[test]
    fn each_one_of_a_word_is_found() {
        for word in [1, 1 << 63, u64::MAX, 0x8000_0000_0000_0001, 0x0123_4567_89ab_cdef] {
            let set = (0..64).filter(|bit| word >> bit & 1 == 1);
            assert!(set.enumerate().all(|(below, bit)| select(word, below as u32) == bit));
        }
    }
}
