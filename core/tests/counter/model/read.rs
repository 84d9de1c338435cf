//! Reads of the model.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use leaderboard_core::counter::{Range, Sample};

use super::{Model, kept, length, slice};

impl Model {
    /// Returns the counts of all slices with a count other than 0, by number of the slice. Slices outside the kept
    /// range are included.
    fn counts(&self, precision: u32) -> BTreeMap<i128, i128> {
        let mut counts = BTreeMap::new();
        for (at, by) in self.events.get(&precision).into_iter().flatten() {
            *counts.entry(slice(precision, *at)).or_default() += i128::from(*by);
        }
        counts.retain(|_, count| *count != 0);
        counts
    }

    /// Returns the count of the slice with this number.
    pub fn count_of(&self, precision: u32, number: i128) -> i128 {
        self.counts(precision).get(&number).copied().unwrap_or_default()
    }

    /// Returns the numbers of the slices with a count other than 0, in ascending order. Slices outside the kept range
    /// are included.
    pub fn filled(&self, precision: u32) -> Vec<i128> {
        self.counts(precision).into_keys().collect()
    }

    pub fn read(&self, precision: u32, range: Range, now: u64) -> Result<Vec<Sample>, String> {
        if !self.rules.precisions.contains(&precision) {
            return Err(format!("precision {precision} is not kept by this counter"));
        }
        if range.from.zip(range.to).is_some_and(|(from, to)| from > to) {
            return Ok(Vec::new());
        }
        let [from, to] = [range.from, range.to].map(|edge| edge.map(|edge| slice(precision, edge)));
        let kept = kept(precision, self.rules.samples, now);
        let is_asked = |number: i128| {
            kept.contains(&number)
                && from.is_none_or(|from| from <= number)
                && to.is_none_or(|to| number <= to)
        };
        let counts = self.counts(precision);
        let shown: Vec<_> = counts.keys().copied().filter(|number| is_asked(*number)).collect();
        let numbers = if range.fill { fill(&shown, (from, to), &kept) } else { shown };
        let sample = |number: i128| Sample {
            start: (number * length(precision)).try_into().unwrap(),
            count: counts.get(&number).map_or(0, |count| (*count).try_into().unwrap()),
        };
        Ok(numbers.into_iter().map(sample).collect())
    }
}

/// Returns the numbers of all slices in a range. `shown` has the numbers of the slices that are not empty.
fn fill(shown: &[i128], ends: (Option<i128>, Option<i128>), kept: &RangeInclusive<i128>) -> Vec<i128> {
    match (ends.0.or(shown.first().copied()), ends.1.or(shown.last().copied())) {
        (Some(first), Some(last)) => (first.max(*kept.start())..=last.min(*kept.end())).collect(),
        _ => Vec::new(),
    }
}
