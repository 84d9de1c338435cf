//! Waits for conditions.

use std::thread;
use std::time::{Duration, Instant};

/// The time limit of every wait. It is long, because a slow machine is not a failure.
pub const PATIENCE: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(5);

/// Waits until the condition is true. Fails the test after [`PATIENCE`].
#[track_caller]
pub fn wait_until(condition: impl FnMut() -> bool) {
    wait_within(PATIENCE, condition);
}

/// Waits until the condition is true. Fails the test after `patience`.
#[track_caller]
pub fn wait_within(patience: Duration, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + patience;
    while !condition() {
        assert!(Instant::now() < deadline, "waited for {patience:?} in vain");
        thread::sleep(POLL);
    }
}
