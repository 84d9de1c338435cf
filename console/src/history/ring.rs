//! A line of values at equal steps of time, of fixed length. Steps without a value are gaps.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// The latest values. A step's number is its time since the Unix epoch, divided by its length.
#[derive(Debug)]
pub struct Ring {
    /// The values, the oldest first. NaN is a gap.
    values: VecDeque<f64>,
    length: usize,
    newest: u64,
}

impl Ring {
    /// An empty ring. All its memory is reserved at once.
    pub fn new(length: usize) -> Self {
        Self { values: VecDeque::with_capacity(length), length, newest: 0 }
    }

    /// Sets the value of the newest step or of a later step. The steps between them become gaps.
    pub fn put(&mut self, step: u64, value: Option<f64>) {
        let value = value.unwrap_or(f64::NAN);
        if self.values.is_empty() || step.saturating_add(1) < self.newest {
            // This is the first value, or the clock of the machine was set to an earlier time.
            self.values.clear();
            self.newest = step;
            self.push(value);
        } else if step > self.newest {
            self.advance(step);
            self.push(value);
        } else if let Some(newest) = self.values.back_mut() {
            *newest = value;
        }
    }

    /// Moves the newest step to this one. Steps between them become gaps.
    fn advance(&mut self, step: u64) {
        let gaps = step.saturating_sub(self.newest).saturating_sub(1);
        for _ in 0..usize::try_from(gaps).unwrap_or(usize::MAX).min(self.length) {
            self.push(f64::NAN);
        }
        self.newest = step;
    }

    fn push(&mut self, value: f64) {
        if self.values.len() >= self.length {
            self.values.pop_front();
        }
        self.values.push_back(value);
    }

    /// The numbers of the steps in the ring, gaps included.
    pub fn steps(&self) -> Option<RangeInclusive<u64>> {
        let behind = u64::try_from(self.values.len()).unwrap_or(u64::MAX).checked_sub(1)?;
        Some(self.newest.saturating_sub(behind)..=self.newest)
    }

    /// The value of a step.
    pub fn at(&self, step: u64) -> Option<f64> {
        let place = step.checked_sub(*self.steps()?.start())?;
        self.values.get(usize::try_from(place).ok()?).copied().filter(|value| !value.is_nan())
    }

    /// The value of the newest step.
    pub fn latest(&self) -> Option<f64> {
        self.values.back().copied().filter(|value| !value.is_nan())
    }

    /// The greatest value.
    pub fn greatest(&self) -> Option<f64> {
        self.values.iter().copied().filter(|value| !value.is_nan()).reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(ring: &Ring) -> Vec<(u64, Option<f64>)> {
        ring.steps().into_iter().flatten().map(|step| (step, ring.at(step))).collect()
    }

    #[test]
    fn steps_without_a_value_are_gaps() {
        let mut ring = Ring::new(5);
        assert_eq!(ring.steps(), None);
        ring.put(100, Some(1.0));
        ring.put(103, Some(4.0));
        ring.put(104, None);
        assert_eq!(all(&ring), [(100, Some(1.0)), (101, None), (102, None), (103, Some(4.0)), (104, None)]);
        assert_eq!((ring.latest(), ring.greatest()), (None, Some(4.0)));
        assert_eq!((ring.at(99), ring.at(105)), (None, None));
    }

    #[test]
    fn it_never_grows() {
        let mut ring = Ring::new(3);
        for step in 0..10 {
            ring.put(step, Some(1.0));
        }
        assert_eq!(ring.steps(), Some(7..=9));
        ring.put(1_000_000_000_000, Some(2.0));
        assert_eq!(ring.steps(), Some(999_999_999_998..=1_000_000_000_000));
        assert_eq!((ring.values.len(), ring.greatest()), (3, Some(2.0)));
    }

    #[test]
    fn a_clock_that_is_put_back_begins_anew() {
        let mut ring = Ring::new(3);
        ring.put(100, Some(1.0));
        ring.put(99, Some(2.0));
        assert_eq!(all(&ring), [(100, Some(2.0))], "a hair's breadth back: the same step");
        ring.put(50, Some(3.0));
        assert_eq!(all(&ring), [(50, Some(3.0))]);
    }
}
