//! Moments, and the clock of a board, which determines the present time of a write or a read. Time is always a
//! parameter here; the module reads the server's clock once for each command.

use crate::Error;

/// Milliseconds since the Unix epoch.
pub type Millis = u64;

/// The last moment that clients can use: the end of the year 9999.
pub const MAX_MILLIS: Millis = 253_402_300_799_999;

/// The source of the time of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeSource {
    /// A client sent the command.
    Client {
        /// The server's clock.
        wall: Millis,
        /// The maximum time in milliseconds by which an `AT` may be after the present time. Such an `AT` counts as
        /// the present.
        max_future: Millis,
    },
    /// The write was decided before: by the primary, or in the append-only file. It is applied as it was decided;
    /// clocks are not checked.
    Decided {
        /// The board's time when the write was applied; `None` if this time was the write's own moment.
        now: Option<Millis>,
    },
}

impl TimeSource {
    /// Returns whether the write was decided before.
    #[must_use]
    pub const fn is_decided(self) -> bool {
        matches!(self, Self::Decided { .. })
    }
}

/// The times of one write: when it is applied, and when its event happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The board's time after this write.
    pub now: Millis,
    /// The moment of the event. With a server's clock, it is never after `now`.
    pub at: Millis,
}

/// The clock of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// The server's clock.
    #[default]
    Server,
    /// The greatest `AT` of all writes.
    Event,
}

impl Clock {
    /// Returns the present time of a board whose last write was applied at `last`. If the server's clock goes back
    /// a little, the board's time stops until the clock has reached it again. If the server's clock was far ahead
    /// and is put back, the board's time goes back too.
    pub(crate) fn now(self, last: Millis, wall: Millis, max_future: Millis) -> Millis {
        match self {
            Self::Event => last,
            Self::Server if wall < last && last.saturating_sub(wall) <= max_future => last,
            Self::Server => wall,
        }
    }

    /// Returns the times of a write. `at` is the write's `AT`, if it has one.
    ///
    /// # Errors
    /// [`Error::MissingAt`] on an event clock; [`Error::AtInFuture`] if `at` is more than `max_future` after the
    /// present time.
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
