//! The clocks of the test: two zones, their days and hours, and opening hours, all worked out minute by minute.

/// Milliseconds of a minute, an hour and a day.
pub const MINUTE: u64 = 60_000;
pub const HOUR: u64 = 60 * MINUTE;
pub const DAY: u64 = 24 * HOUR;
/// 2026-03-29T01:00 and 2026-10-25T01:00 in UTC, when the clocks of Berlin are put forward and back.
pub const SPRING: u64 = 1_774_746_000_000;
pub const AUTUMN: u64 = 1_792_890_000_000;
/// Windows begin and end at multiples of this.
pub const STEP: u64 = 15 * MINUTE;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    Utc,
    Berlin,
}

impl Zone {
    pub fn word(self) -> &'static str {
        match self {
            Self::Utc => "UTC",
            Self::Berlin => "Europe/Berlin",
        }
    }

    /// The time that the clocks show, as if it were UTC.
    pub fn local(self, at: u64) -> u64 {
        match self {
            Self::Utc => at,
            Self::Berlin if (SPRING..AUTUMN).contains(&at) => at + 2 * HOUR,
            Self::Berlin => at + HOUR,
        }
    }
}

/// The unit of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Hour,
    Day,
    All,
}

impl Unit {
    pub fn word(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::All => "all",
        }
    }

    /// The first moment of the period that holds a moment, and the first moment after it.
    pub fn period(self, zone: Zone, at: u64) -> (u64, u64) {
        let length = match self {
            Self::All => return (0, u64::MAX),
            Self::Hour => HOUR,
            Self::Day => DAY,
        };
        let number = |at: u64| (zone.local(at) / length, self == Self::Hour && at < AUTUMN);
        let own = number(at);
        let same = |other: &u64| number(*other) == own;
        // All boundaries are at whole hours of UTC.
        let hour = at - at % HOUR;
        let first = (0..26).map(|back| hour - back * HOUR).take_while(same).last().unwrap_or(hour);
        let end = (1..28).map(|on| hour + on * HOUR).find(|other| !same(other)).unwrap();
        (first, end)
    }
}

/// A window of opening hours: its days from Monday on, and its minutes.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    pub days: (u64, u64),
    pub from: u64,
    pub to: u64,
}

impl Window {
    pub fn word(&self) -> String {
        let day = |day: u64| ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][day as usize];
        let time = |ms: u64| format!("{:02}:{:02}", ms / HOUR, ms % HOUR / MINUTE);
        format!("{}-{}={}-{}", day(self.days.0), day(self.days.1), time(self.from), time(self.to))
    }

    fn has_day(&self, day: u64) -> bool {
        let (first, last) = self.days;
        // The days from the first one on, around the week.
        let length = (last + 7 - first) % 7;
        (day + 7 - first) % 7 <= length
    }

    /// Whether the window is open when the clocks show this time.
    fn holds(&self, local: u64) -> bool {
        // The first day of 1970 was a Thursday.
        let (weekday, time) = ((local / DAY + 3) % 7, local % DAY);
        if self.from < self.to {
            return self.has_day(weekday) && (self.from..self.to).contains(&time);
        }
        self.has_day(weekday) && time >= self.from || self.has_day((weekday + 6) % 7) && time < self.to
    }
}

/// When a board is open.
#[derive(Debug, Clone, Default)]
pub struct Opening {
    pub opens: u64,
    pub closes: u64,
    pub hours: Vec<Window>,
}

impl Opening {
    pub fn holds(&self, zone: Zone, at: u64) -> bool {
        let open = self.hours.is_empty() || self.hours.iter().any(|window| window.holds(zone.local(at)));
        open && at >= self.opens && (self.closes == 0 || at < self.closes)
    }

    /// The time from a moment until it opens; -1 if it never does, or if it is open.
    pub fn wait(&self, zone: Zone, now: u64) -> i64 {
        if self.holds(zone, now) {
            return -1;
        }
        let begin = now.max(self.opens);
        let steps = (1..16 * DAY / STEP).map(|step| begin - begin % STEP + step * STEP);
        let mut moments = std::iter::once(begin).chain(steps);
        moments.find(|at| self.holds(zone, *at)).map_or(-1, |at| (at - now) as i64)
    }
}
