//! The clock of a game: it goes on, leaps, is corrected, or stops at a boundary.

use leaderboard_core::time::{Clock, MAX_MILLIS};

use super::Play;
use crate::model::{length, slice};
use crate::steps::{At, Moment, Slice, Tick};

/// Returns the nearest moment that can be named.
fn nameable(moment: i128) -> u64 {
    moment.clamp(0, MAX_MILLIS.into()) as u64
}

impl Play {
    pub(super) fn tick(&mut self, tick: Tick) {
        let begin = self.wall;
        let wall = i128::from(begin);
        self.wall = nameable(match tick {
            Tick::Forward(by) => wall + i128::from(by),
            Tick::Slices(which, over, offset) => {
                self.slices_on(*which.get(self.precisions()), over) + i128::from(offset)
            }
            Tick::Gone(which, by) => {
                let samples = self.model.rules.samples.into();
                self.slices_on(*which.get(self.precisions()), samples) + i128::from(by)
            }
            Tick::Back(share) => wall - i128::from(self.max_future * share / 1_000),
            Tick::BackBeyond(by) => i128::from(self.model.last.max(begin)) - i128::from(self.max_future + by),
            Tick::Leap(by) => self.leap(wall + i128::from(by)),
            Tick::LeapOver(which, over) => self.leap(self.slices_on(*which.get(self.precisions()), over)),
            Tick::Correct => self.truth.take().unwrap_or(begin).into(),
        });
        if let (Some(truth), true) = (&mut self.truth, self.wall > begin && !is_leap(tick)) {
            *truth = nameable(i128::from(*truth) + i128::from(self.wall - begin));
        }
    }

    /// Returns the moment to which the clock leaps, and stores the true time.
    fn leap(&mut self, to: i128) -> i128 {
        self.truth.get_or_insert(self.wall);
        to
    }

    /// Returns the start of the slice that is this number of slices after the current one.
    fn slices_on(&self, precision: u32, over: u64) -> i128 {
        (slice(precision, self.wall) + i128::from(over)) * length(precision)
    }

    /// Returns the moment that a write names.
    pub(super) fn moment(&self, at: At) -> Option<u64> {
        let is_event = self.model.rules.clock == Clock::Event;
        let now = if is_event { self.model.last.max(self.wall) } else { self.now() };
        let now_wide = i128::from(now);
        Some(match at {
            At::Unsaid => return None,
            At::Now if !is_event => return None,
            At::Now => now,
            At::Late(by) => nameable(now_wide - i128::from(by)),
            At::Of(moment) => nameable(self.moment_of(moment, now)),
            At::Ahead(by) => nameable(now_wide + i128::from(by)),
            At::Most(by) => nameable(now_wide + i128::from(self.max_future) + i128::from(by)),
            At::Epoch => 0,
        })
    }

    fn moment_of(&self, moment: Moment, now: u64) -> i128 {
        let precision = *moment.precision.get(self.precisions());
        start(precision, moment.slice, self.model.rules.samples, now) + i128::from(moment.offset)
    }

    pub(super) fn precisions(&self) -> &[u32] {
        &self.model.rules.precisions
    }
}

const fn is_leap(tick: Tick) -> bool {
    matches!(tick, Tick::Leap(_) | Tick::LeapOver(..) | Tick::Correct)
}

/// Returns the start of a slice, which may be before the epoch.
pub fn start(precision: u32, named: Slice, samples: u32, now: u64) -> i128 {
    let back = match named {
        Slice::Back(back) => back,
        Slice::Oldest(back) => i64::from(samples) - 1 + back,
    };
    (slice(precision, now) - i128::from(back)) * length(precision)
}
