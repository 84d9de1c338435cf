//! Runs sessions on all cores until enough was done, and tells what happened.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// After this number of failures, no new session begins.
const ENOUGH: usize = 3;
/// How often progress is shown.
const EVERY: Duration = Duration::from_secs(30);
/// The numbers of the sessions of a seed begin at the seed times this number.
const STRIDE: u64 = 1_000_000_000;

thread_local! {
    /// Where the last panic of this thread came from.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
    /// What this thread works on.
    static PRESENT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Notes what the session works on, for the story of a failure.
pub fn note(present: &[u8]) {
    PRESENT.with_borrow_mut(|noted| {
        noted.clear();
        noted.extend(present);
    });
}

/// What was run, and what came of it.
pub struct Run {
    /// What is counted.
    what: &'static str,
    /// How much is to be done.
    wanted: u64,
    first: u64,
    /// At most this number of sessions.
    most: u64,
    done: u64,
    sessions: u64,
    time: Duration,
    /// The sessions that failed, with their stories, the shortest first.
    pub failures: Vec<(u64, String)>,
}

impl Run {
    /// A run of at least `wanted` of something.
    pub fn new(what: &'static str, wanted: u64, seed: u64) -> Self {
        let first = seed * STRIDE;
        Self {
            what,
            wanted,
            first,
            most: u64::MAX,
            done: 0,
            sessions: 0,
            time: Duration::ZERO,
            failures: Vec::new(),
        }
    }

    /// A run of the session with this number alone.
    pub fn of_one(what: &'static str, number: u64) -> Self {
        Self { first: number, most: 1, ..Self::new(what, 1, 0) }
    }

    /// Runs sessions on all cores. `session` gets the number of the session, which is its seed, and returns how much it did. It
    /// panics if something is wrong.
    pub fn all(mut self, session: fn(u64) -> u64) -> Self {
        let (begin, next, done) = (Instant::now(), AtomicU64::new(self.first), AtomicU64::new(0));
        let failures = Mutex::new(Vec::new());
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            PLACE.with_borrow_mut(|last| *last = place);
        }));
        let goes_on = || done.load(Relaxed) < self.wanted && failures.lock().unwrap().len() < ENOUGH;
        let work = || {
            while goes_on() {
                let number = next.fetch_add(1, Relaxed);
                if number - self.first >= self.most {
                    return;
                }
                note(b"");
                match panic::catch_unwind(AssertUnwindSafe(|| session(number))) {
                    Ok(count) => _ = done.fetch_add(count, Relaxed),
                    Err(payload) => {
                        let story = story(&*payload);
                        eprintln!("session {number}: {story}");
                        failures.lock().unwrap().push((number, story));
                    }
                }
            }
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..cores()).map(|_| scope.spawn(work)).collect();
            let mut shown = Instant::now();
            while workers.iter().any(|worker| !worker.is_finished()) {
                thread::sleep(Duration::from_millis(50));
                if shown.elapsed() >= EVERY {
                    shown = Instant::now();
                    eprintln!("{} of {} {}", done.load(Relaxed), self.wanted, self.what);
                }
            }
        });
        panic::set_hook(hook);
        self.time = begin.elapsed();
        (self.done, self.sessions) = (done.into_inner(), self.most.min(next.into_inner() - self.first));
        self.failures = failures.into_inner().unwrap();
        self.failures.sort_by_key(|(_, story)| story.len());
        self
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the message of a panic, and its place.
fn story(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    let present = PRESENT.with_borrow(|noted| noted.escape_ascii().to_string());
    PLACE.with_borrow(|place| format!("{place}: {text}\n{present}"))
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time.as_secs_f64().max(0.001);
        let each = self.done as f64 / seconds;
        write!(f, "{} {} in {} sessions, {seconds:.0} s, ", self.done, self.what, self.sessions)?;
        write!(f, "{each:.0} a second, {} failed", self.failures.len())?;
        for (number, story) in &self.failures {
            write!(f, "\n\nsession {number}: {story}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_with_its_session_and_its_place() {
        let run = Run::new("steps", 1_000, 2).all(|number| {
            note(b"lucky");
            assert!(number % 7 != 3, "seven");
            1
        });
        assert!((1..=ENOUGH + cores()).contains(&run.failures.len()));
        let (number, story) = &run.failures[0];
        assert!(number % 7 == 3 && *number >= 2 * STRIDE, "{number}");
        assert!(story.contains("workers.rs") && story.ends_with("seven\nlucky"), "{story}");
    }

    #[test]
    fn enough_is_done() {
        let run = Run::new("steps", 1_000, 1).all(|_| 3);
        assert!(run.done >= 1_000 && run.failures.is_empty() && run.done == 3 * run.sessions);
    }
}
