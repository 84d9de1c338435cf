//! The moment of a write that a form makes, for boards whose clock is the time of the writes.

use std::time::{SystemTime, UNIX_EPOCH};

use leaderboard_client::Info;

/// The AT of such a write: the time of the latest write, so that the form does not end a period. `None` if the clock of
/// the server counts.
pub fn event_time(told: &Info) -> Option<i64> {
    if told.text("clock") != Some("EVENT") {
        return None;
    }
    let latest = told.number("now").filter(|now| *now > 0);
    latest.or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(now.as_millis()).ok()
    })
}

#[cfg(test)]
mod tests {
    use leaderboard_client::InfoValue;

    use super::*;

    fn told(clock: &str, now: i64) -> Info {
        let clock = ("clock".to_owned(), InfoValue::Text(clock.to_owned()));
        Info(vec![clock, ("now".to_owned(), InfoValue::Number(now))])
    }

    #[test]
    fn only_writes_that_are_the_clock_need_a_moment() {
        assert_eq!(event_time(&told("SERVER", 7)), None);
        assert_eq!(event_time(&told("EVENT", 7)), Some(7));
        assert!(event_time(&told("EVENT", 0)) > Some(1_700_000_000_000), "nothing was written yet");
    }
}
