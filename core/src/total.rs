//! Exact sums of 64-bit numbers.

/// The sum of up to 2^64 numbers. It takes 16 bytes, but is aligned to 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Total {
    low: u64,
    high: u64,
}

impl Total {
    pub const ZERO: Self = Self { low: 0, high: 0 };

    pub const fn add(&mut self, number: u64) {
        let (low, carried) = self.low.overflowing_add(number);
        (self.low, self.high) = (low, self.high.wrapping_add(carried as u64));
    }

    /// Subtracts a number that was added earlier.
    pub const fn subtract(&mut self, number: u64) {
        let (low, borrowed) = self.low.overflowing_sub(number);
        (self.low, self.high) = (low, self.high.wrapping_sub(borrowed as u64));
    }

    pub const fn get(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_sum_of_what_is_left(numbers in proptest::collection::vec(any::<u64>(), 0..20), taken in 0_usize..20) {
            let mut total = Total::default();
            numbers.iter().for_each(|number| total.add(*number));
            numbers.iter().take(taken).for_each(|number| total.subtract(*number));
            let exact: u128 = numbers.iter().skip(taken).map(|number| u128::from(*number)).sum();
            prop_assert_eq!(total.get(), exact);
        }
    }
}
