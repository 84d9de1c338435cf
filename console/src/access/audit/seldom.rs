//! What is noted only once in a while.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the same is not noted again.
const PAUSE: Duration = Duration::from_secs(60);

/// What was noted in the last minute.
#[derive(Debug)]
pub struct Seldom {
    noted: Mutex<HashMap<String, Instant>>,
    /// How many different things are noted in a minute.
    most: usize,
}

impl Seldom {
    /// Notes this number of different things in a minute. When there are more, the others are not noted.
    pub fn new(most: usize) -> Self {
        Self { noted: Mutex::default(), most }
    }

    /// Whether this was not noted in the last minute. Then it counts as noted now.
    pub fn is_due(&self, what: String) -> bool {
        self.is_due_at(what, Instant::now())
    }

    fn is_due_at(&self, what: String, now: Instant) -> bool {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.len() >= self.most {
            noted.retain(|_, at| now.saturating_duration_since(*at) < PAUSE);
        }
        let is_recent = noted.get(&what).is_some_and(|at| now.saturating_duration_since(*at) < PAUSE);
        if is_recent || noted.len() >= self.most && !noted.contains_key(&what) {
            return false;
        }
        noted.insert(what, now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_noted_once_a_minute_and_memory_is_bounded() {
        let (seldom, begin) = (Seldom::new(100), Instant::now());
        let due = |what: usize, seconds| {
            seldom.is_due_at(what.to_string(), begin.checked_add(Duration::from_secs(seconds)).unwrap())
        };
        assert_eq!([due(0, 0), due(0, 59), due(1, 59), due(0, 60)], [true, false, true, true]);
        let noted = (2..2_000).filter(|what| due(*what, 61)).count();
        assert_eq!(noted, 98);
        assert!(due(3_000, 200));
        assert_eq!(seldom.noted.lock().unwrap().len(), 1);
    }
}
