//! What requests over HTTP this gateway has answered: by status, how long they took, and for each token.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use leaderboard_proxy::Histogram;

/// How many tokens have counts. A file of tokens has fewer.
const MOST_TOKENS: usize = 10_000;

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Door {
    Api,
    Page,
    /// `/metrics`, `/healthz` and `/readyz`.
    Monitoring,
}

impl Door {
    /// The door of a path.
    pub fn of(path: &str) -> Self {
        match path {
            "/healthz" | "/readyz" | "/metrics" => Self::Monitoring,
            _ if path.starts_with("/api/") => Self::Api,
            _ => Self::Page,
        }
    }

    /// The label in metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Page => "page",
            Self::Monitoring => "monitoring",
        }
    }
}

/// What a token has asked for since this gateway was started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    pub requests: u64,
    /// Requests that were not allowed (403), or were too many (429).
    pub refused: u64,
    /// The time of the last request, in ms since the Unix epoch.
    pub last: u64,
}

/// The counts.
#[derive(Debug, Default)]
pub struct Traffic(Mutex<Counted>);

#[derive(Debug, Default)]
struct Counted {
    answers: BTreeMap<(Door, u16), u64>,
    times: BTreeMap<Door, Histogram>,
    tokens: BTreeMap<String, Usage>,
}

impl Traffic {
    fn with<T>(&self, change: impl FnOnce(&mut Counted) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Counts an answer, and the time until its head was there.
    pub fn note(&self, door: Door, status: u16, took: Duration) {
        self.with(|counted| {
            let answers = counted.answers.entry((door, status)).or_default();
            *answers = answers.saturating_add(1);
            counted.times.entry(door).or_default().add(took);
        });
    }

    /// Counts a request of a token.
    pub fn note_token(&self, name: &str, status: u16) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        self.with(|counted| {
            if counted.tokens.len() >= MOST_TOKENS && !counted.tokens.contains_key(name) {
                return;
            }
            let usage = match counted.tokens.get_mut(name) {
                Some(usage) => usage,
                None => counted.tokens.entry(name.to_owned()).or_default(),
            };
            usage.requests = usage.requests.saturating_add(1);
            usage.refused = usage.refused.saturating_add(u64::from(matches!(status, 403 | 429)));
            usage.last = u64::try_from(now).unwrap_or(u64::MAX);
        });
    }

    /// The number of answers, by door and status.
    pub fn answers(&self) -> Vec<((Door, u16), u64)> {
        self.with(|counted| counted.answers.iter().map(|(of, count)| (*of, *count)).collect())
    }

    /// How long answers took, by door.
    pub fn times(&self) -> Vec<(Door, Histogram)> {
        self.with(|counted| counted.times.iter().map(|(door, times)| (*door, times.clone())).collect())
    }

    /// What each token has asked for.
    pub fn tokens(&self) -> BTreeMap<String, Usage> {
        self.with(|counted| counted.tokens.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_door_status_and_token() {
        let traffic = Traffic::default();
        for (path, status) in
            [("/api/v1/boards", 200), ("/api/v1/boards", 200), ("/boards", 403), ("/metrics", 200)]
        {
            traffic.note(Door::of(path), status, Duration::from_millis(3));
            traffic.note_token("ann", status);
        }
        assert_eq!(
            traffic.answers(),
            [((Door::Api, 200), 2), ((Door::Page, 403), 1), ((Door::Monitoring, 200), 1)]
        );
        assert_eq!(traffic.times().iter().map(|(_, times)| times.count).collect::<Vec<_>>(), [2, 1, 1]);
        let ann = traffic.tokens()["ann"];
        assert_eq!((ann.requests, ann.refused), (4, 1));
        assert!(ann.last > 0);
    }
}
