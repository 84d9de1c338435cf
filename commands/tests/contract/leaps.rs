//! A server's clock that leaps ahead, and is put right.

use super::calendar::{DAY, HOUR, MINUTE};
use super::session::Session;
use super::writes::Request;

impl Session {
    /// Sometimes lets the clock leap ahead, or puts it right. A write follows, so that the board knows. Returns whether it did.
    pub fn leaps(&mut self) -> bool {
        let clock = self.clock();
        let then = match self.right_clock {
            // One leap a session: a second one can lose the points of the period in which it leaps, if RETAIN does not keep it.
            None if !self.has_leapt && self.random.percent(5) => {
                self.has_leapt = true;
                self.right_clock = Some(clock);
                clock
                    + *self.random.pick(&[2 * HOUR, 7 * HOUR, DAY, 3 * DAY, 9 * DAY])
                    + self.random.within(0..HOUR)
            }
            Some(right) if self.random.percent(20) => {
                self.right_clock = None;
                right + *self.random.pick(&[0, 1, MINUTE, 30 * MINUTE])
            }
            _ => return false,
        };
        self.server.settings.clock = then as u64;
        if self.right_clock.is_none() {
            self.board.is_put_right(then);
        }
        let pairs = vec![(self.random.within(-4..15), self.member())];
        self.writes(&Request { command: "LB.ADD", pairs, ..Request::default() });
        true
    }
}
