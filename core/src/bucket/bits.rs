//! Fields of up to 64 bits in a list of words. A field may begin at any bit. Bits after the end of the list are
//! zeros.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "shifts are reduced to a word's bits; a block writes only to rows that it has room for"
)]

use crate::bits::ones;

/// The number of bits in a word.
pub const WORD: usize = 64;

/// Returns the field of `count` bits that begins at bit `at`.
#[inline]
pub fn get(words: &[u64], at: usize, count: usize) -> u64 {
    let (word, shift) = (at / WORD, at % WORD);
    let low = words.get(word).map_or(0, |low| low >> shift);
    // There are two shifts, since a single shift cannot shift by 64 bits.
    let high = words.get(word + 1).map_or(0, |high| high << 1 << (WORD - 1 - shift));
    (low | high) & ones(count as u32)
}

/// Writes a field of `count` bits. The value must fit.
#[inline]
pub fn put(words: &mut [u64], at: usize, count: usize, value: u64) {
    if count == 0 {
        return;
    }
    let (word, shift) = (at / WORD, at % WORD);
    words[word] = words[word] & !(ones(count as u32) << shift) | value << shift;
    if shift + count > WORD {
        let above = WORD - shift;
        words[word + 1] = words[word + 1] & !(ones(count as u32) >> above) | value >> above;
    }
}

/// Moves the bits `from..to` up by `by` bits.
pub fn raise(words: &mut [u64], from: usize, to: usize, by: usize) {
    let mut end = to;
    while end > from {
        // Each step writes to a single word, from the word's beginning.
        let start = ((end + by - 1) / WORD * WORD).saturating_sub(by).max(from);
        let field = get(words, start, end - start);
        put(words, start + by, end - start, field);
        end = start;
    }
}

/// Moves the bits `from..to` down by `by` bits.
pub fn lower(words: &mut [u64], from: usize, to: usize, by: usize) {
    let mut start = from;
    while start < to {
        let end = ((start - by) / WORD * WORD + WORD + by).min(to);
        let field = get(words, start, end - start);
        put(words, start - by, end - start, field);
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bit(words: &[u64], at: usize) -> bool {
        words[at / WORD] >> (at % WORD) & 1 == 1
    }

    proptest! {
        #[test]
        fn fields(mut words: [u64; 4], at in 0..192_usize, count in 0..=64_usize, value: u64) {
            let before = words;
            let value = value & ones(count as u32);
            put(&mut words, at, count, value);
            prop_assert_eq!(get(&words, at, count), value);
            for other in (0..at).chain(at + count..256) {
                prop_assert_eq!(bit(&words, other), bit(&before, other));
            }
        }

        #[test]
        fn runs(before: [u64; 8], from in 0..300_usize, len in 0..200_usize, by in 0..=12_usize) {
            // A block moves bits by the width of a row, which is up to 160 bits. This test moves them by up to 156
            // bits.
            let by = by * by + by;
            let (mut up, mut down) = (before, before);
            let from = from.min(512 - by - len);
            raise(&mut up, from, from + len, by);
            lower(&mut down, from + by, from + by + len, by);
            for at in 0..len {
                prop_assert_eq!(bit(&up, from + by + at), bit(&before, from + at));
                prop_assert_eq!(bit(&down, from + at), bit(&before, from + by + at));
            }
            for at in (0..from.min(from + by)).chain(from + by + len..512) {
                prop_assert_eq!(bit(&up, at), bit(&before, at));
                prop_assert_eq!(bit(&down, at), bit(&before, at));
            }
        }
    }
}
