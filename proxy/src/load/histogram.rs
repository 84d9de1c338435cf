//! How long gathers took: a histogram with fixed bounds.

use std::time::Duration;

/// The upper bounds of the buckets, in microseconds. One more bucket has all longer times.
pub const BOUNDS: [u64; 11] =
    [250, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 2_500_000];

/// How many gathers took how long.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histogram {
    /// For each bound, the number of gathers that took at most this time and more than the bound before it.
    buckets: [u64; BOUNDS.len()],
    /// The number of all gathers.
    pub count: u64,
    /// The time of all gathers together.
    pub sum: Duration,
}

impl Histogram {
    /// Adds a gather.
    pub fn add(&mut self, took: Duration) {
        self.count = self.count.saturating_add(1);
        self.sum = self.sum.saturating_add(took);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|bound| micros <= *bound);
        if let Some(bucket) = bucket.and_then(|place| self.buckets.get_mut(place)) {
            *bucket = bucket.saturating_add(1);
        }
    }

    /// Returns for each bound how many gathers took at most this time.
    pub fn up_to(&self) -> impl Iterator<Item = (Duration, u64)> {
        let sums = self.buckets.iter().scan(0_u64, |sum, bucket| {
            *sum = sum.saturating_add(*bucket);
            Some(*sum)
        });
        BOUNDS.iter().map(|bound| Duration::from_micros(*bound)).zip(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_in_all_buckets_that_reach_it() {
        let mut histogram = Histogram::default();
        for micros in [1, 250, 251, 30_000, 9_000_000] {
            histogram.add(Duration::from_micros(micros));
        }
        let counts: Vec<_> = histogram.up_to().map(|(_, count)| count).collect();
        assert_eq!(counts, [2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4]);
        assert_eq!((histogram.count, histogram.sum), (5, Duration::from_micros(9_030_502)));
    }
}
