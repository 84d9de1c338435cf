//! Waits for conditions.

use std::thread;
use std::time::{Duration, Instant};

/// The time limit of every wait. It is long, because a slow machine is not a failure.
pub const PATIENCE: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(5);

/// Waits until the condition is true. Fails the test after [`PATIENCE`].
#[track_caller]
pub fn wait_until(mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "waited for {PATIENCE:?} in vain");
        thread::sleep(POLL);
    }
}
