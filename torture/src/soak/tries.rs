//! Requests that are repeated until they are acknowledged.

use std::thread;
use std::time::Duration;

use leaderboard_testkit::random::Random;

/// A request is tried this number of times. With the pause, this is longer than any fault.
pub const TRIES: usize = 300;
/// The pause before a request is repeated.
const PAUSE: Duration = Duration::from_millis(50);
/// A writer pauses for less than this number of milliseconds before each request.
const REST: u64 = 8;

/// Tries until there is a result. Returns it with the number of tries.
pub fn until_done<T>(
    most: usize,
    mut attempt: impl FnMut() -> Result<Option<T>, String>,
) -> Result<(T, usize), String> {
    for number in 1..=most {
        if let Some(done) = attempt()? {
            return Ok((done, number));
        }
        thread::sleep(PAUSE);
    }
    Err(format!("no success in {most} tries"))
}

/// Waits as a client does between two requests.
pub fn rest(random: &mut Random) {
    thread::sleep(Duration::from_millis(random.below(REST)));
}

#[cfg(test)]
mod tests {
    use super::until_done;

    #[test]
    fn tries_are_counted_and_end() {
        let mut number = 0;
        let mut third = || {
            number += 1;
            Ok((number == 3).then_some("done"))
        };
        assert_eq!(until_done(5, &mut third), Ok(("done", 3)));
        assert_eq!(until_done::<()>(2, || Ok(None)), Err("no success in 2 tries".to_owned()));
        assert_eq!(until_done::<()>(2, || Err("wrong".to_owned())), Err("wrong".to_owned()));
    }
}
