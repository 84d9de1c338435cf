//! The server's clock, moments near boundaries, and names of periods.

use std::ops::Range;

use super::Pair;
use crate::board::{Kind, MAX_FUTURE};

const DAY: u64 = 86_400_000;
const HOUR: u64 = 3_600_000;

impl Pair {
    /// Moves the clock: mostly by nothing or a millisecond, often to a boundary, sometimes over many periods.
    pub fn pass_time(&mut self) {
        match self.leap.take() {
            Some((before, 0)) => return self.wall = before,
            Some((before, left)) => return self.leap = Some((before, left - 1)),
            None => {}
        }
        match self.random.below(100) {
            0..60 => {}
            60..80 => self.wall += self.random.below(3),
            80..86 => self.wall += self.random.below(4_000),
            86..93 => self.go_to_boundary(1, -1..2),
            93..95 => self.go_to_boundary(1, 0..100_000),
            95 => self.wall += self.random.below(10 * HOUR),
            96 => {
                let over = 2 + self.random.below(8);
                self.go_to_boundary(over, 0..9);
            }
            97 if self.random.percent(20) => {
                // Weeks, a year, and longer than times of request ids fit in their bits.
                self.wall += *self.random.pick(&[20 * DAY, 463 * DAY, 13_889 * DAY]);
            }
            97 => self.leap_ahead(),
            _ => self.go_back(),
        }
    }

    /// Until the clock is put right, the board is only read: then it is exactly as it was before.
    fn leap_ahead(&mut self) {
        self.leap = Some((self.wall, 1 + self.random.below(6)));
        self.wall += *self.random.pick(&[MAX_FUTURE + 1, HOUR, DAY, 400 * DAY]) + self.random.below(HOUR);
    }

    /// A small step back: at most by what a board stands still for.
    fn go_back(&mut self) {
        self.latest = self.latest.max(self.wall);
        let by = *self.random.pick(&[1, 2, 1_000, MAX_FUTURE - 1, MAX_FUTURE]);
        self.wall = (self.wall - by).max(self.latest - MAX_FUTURE).max(self.changed);
    }

    /// To the end of this many periods of a view, and so far from it; never back.
    fn go_to_boundary(&mut self, over: u64, away: Range<i64>) {
        let length = self.random.pick(&self.model.rules.kinds).length;
        let end = self.wall.checked_div(length).map_or(self.wall, |period| (period + over) * length);
        self.wall = self.wall.max(end.saturating_add_signed(self.random.within(away)));
    }

    /// The moment of a write. None: now.
    pub fn moment(&mut self) -> Option<u64> {
        let is_event = self.model.rules.is_event;
        let now = if is_event { self.model.last.max(self.wall) } else { self.model.now(self.wall) };
        let length = self.random.pick(&self.model.rules.kinds).length.max(1);
        let by = self.random.within(-1..2);
        if self.is_segmented && self.random.percent(30) {
            // Between the last moments of other segments.
            let most = *self.random.pick(&[6, 6, 5_000]);
            return Some(now.saturating_sub(self.random.below(most)));
        }
        Some(match self.random.below(31) {
            0..20 if is_event => now,
            0..20 => return None,
            20..23 => now - self.random.below(3),
            23 => now - self.random.below(100_000_000),
            24..28 => {
                let (back, into) = (self.random.below(9), self.random.below(90_000));
                ((now / length - back) * length + into % length).min(now)
            }
            28 | 29 => (now / length * length).saturating_add_signed(by).min(now),
            _ => now + *self.random.pick(&[1, 5_000, MAX_FUTURE - 1, MAX_FUTURE, MAX_FUTURE + 1]),
        })
    }
}

/// The name of a period, by its number.
pub fn label(kind: Kind, number: u64) -> String {
    let start = number * kind.length;
    let (year, month, day) = date(start / DAY);
    match kind.length {
        DAY => format!("{year:04}-{month:02}-{day:02}"),
        HOUR => format!("{year:04}-{month:02}-{day:02}T{:02}", start % DAY / HOUR),
        _ => start.to_string(),
    }
}

/// The date of a day since 1970, counted year by year and month by month.
fn date(mut day: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut month) = (1970, 1);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let days = |month| match month {
        2 => 28 + u64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    while day >= days(month) {
        day -= days(month);
        month += 1;
    }
    (year, month, day + 1)
}
