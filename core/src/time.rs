//! Moments, and the clock of a board: what "now" is for a write and for a read.
//! Time is always a parameter here; the module reads the server's clock once a command.

use crate::Error;

/// Milliseconds since the Unix epoch.
pub type Millis = u64;

/// The last moment that can be named: the end of the year 9999.
pub const MAX_MILLIS: Millis = 253_402_300_799_999;

/// Where the time of a command comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeSource {
    /// A client: the server's clock, and how far ahead of it an `AT` may lie.
    Client {
        /// The server's clock.
        wall: Millis,
        /// How many milliseconds ahead of now an `AT` may lie and still count as now.
        max_future: Millis,
    },
    /// A write that was decided before: by the primary, or in the append-only file. It is applied as it was decided,
    /// whatever clocks and request ids say.
    Decided {
        /// The board's time when the write was applied; `None` if that time was the write's own moment.
        now: Option<Millis>,
    },
}

/// The time of one write: when it is applied, and when its event happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The board's time after this write.
    pub now: Millis,
    /// The event's moment; on a server clock never after `now`.
    pub at: Millis,
}

/// What drives a board's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// The server's clock.
    #[default]
    Server,
    /// The greatest `AT` seen.
    Event,
}

impl Clock {
    /// The present time of a board whose last write was applied at `last`. If the server's clock steps back a little,
    /// the board's time stops until the clock has caught up. If the server's clock was far ahead and was corrected,
    /// the board follows it back.
    pub(crate) fn now(self, last: Millis, wall: Millis, max_future: Millis) -> Millis {
        match self {
            Self::Event => last,
            Self::Server if wall < last && last.saturating_sub(wall) <= max_future => last,
            Self::Server => wall,
        }
    }

    /// The time of a write, with its `AT` if it has one.
    ///
    /// # Errors
    /// [`Error::MissingAt`] on an event clock, [`Error::AtInFuture`] past `max_future`.
    pub(crate) fn stamp(self, last: Millis, at: Option<Millis>, source: TimeSource) -> Result<Stamp, Error> {
        match (self, source) {
            (_, TimeSource::Decided { now }) => {
                let at = at.ok_or(Error::MissingAt)?;
                let now = match self {
                    Self::Server => now.unwrap_or(at),
                    Self::Event => now.unwrap_or(at).max(last),
                };
                Ok(Stamp { now, at })
            }
            (Self::Event, TimeSource::Client { .. }) => {
                let at = at.ok_or(Error::MissingAt)?;
                Ok(Stamp { now: at.max(last), at })
            }
            (Self::Server, TimeSource::Client { wall, max_future }) => {
                let now = self.now(last, wall, max_future);
                let at = at.unwrap_or(now);
                if at > now.saturating_add(max_future) {
                    return Err(Error::AtInFuture);
                }
                Ok(Stamp { now, at: at.min(now) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_clock_stands_still_through_small_steps_back_and_follows_great_ones() {
        assert_eq!(Clock::Server.now(1_000, 2_000, 100), 2_000);
        assert_eq!(Clock::Server.now(2_000, 1_950, 100), 2_000);
        assert_eq!(Clock::Server.now(2_000, 1_000, 100), 1_000);
        assert_eq!(Clock::Event.now(2_000, 9_000, 100), 2_000);
    }

    #[test]
    fn stamps() {
        let client = |wall| TimeSource::Client { wall, max_future: 100 };
        let stamp = |now, at| Ok(Stamp { now, at });
        assert_eq!(Clock::Server.stamp(0, None, client(500)), stamp(500, 500));
        assert_eq!(Clock::Server.stamp(0, Some(20), client(500)), stamp(500, 20));
        assert_eq!(Clock::Server.stamp(0, Some(600), client(500)), stamp(500, 500));
        assert_eq!(Clock::Server.stamp(0, Some(601), client(500)), Err(Error::AtInFuture));
        assert_eq!(Clock::Event.stamp(0, None, client(500)), Err(Error::MissingAt));
        assert_eq!(Clock::Event.stamp(70, Some(9), client(500)), stamp(70, 9));
        assert_eq!(Clock::Event.stamp(70, Some(99_999), client(500)), stamp(99_999, 99_999));
        let decided = TimeSource::Decided { now: Some(80) };
        assert_eq!(Clock::Server.stamp(900, Some(9), decided), stamp(80, 9));
        assert_eq!(Clock::Server.stamp(900, None, decided), Err(Error::MissingAt));
        assert_eq!(Clock::Event.stamp(900, Some(9), TimeSource::Decided { now: None }), stamp(900, 9));
    }
}
