//! The units of periods, and the first day of the week.

use std::fmt;

/// The longest period in seconds: ten years.
pub const MAX_SECONDS: u32 = 315_360_000;

/// The unit of a view's periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A minute of the zone's clocks.
    Minute,
    /// An hour of the zone's clocks.
    Hour,
    /// A date of the zone.
    Day,
    /// Seven dates from the calendar's first day of the week.
    Week,
    /// A month of dates.
    Month,
    /// A year of dates.
    Year,
    /// This number of seconds, independent of the clocks, counted from the calendar's origin: 1 to [`MAX_SECONDS`].
    Seconds(u32),
}

impl Unit {
    /// Reads `minute`, `hour`, `day`, `week`, `month` or `year`, or a number of seconds like `90s`, in upper or
    /// lower case. Returns `None` for every other text, also for a number out of range or with a leading zero.
    #[must_use]
    pub fn parse(word: &[u8]) -> Option<Self> {
        let words = [Self::Minute, Self::Hour, Self::Day, Self::Week, Self::Month, Self::Year];
        let named = words.into_iter().find(|unit| word.eq_ignore_ascii_case(unit.word().as_bytes()));
        named.or_else(|| seconds(word).map(Self::Seconds))
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
            Self::Seconds(_) => "s",
        }
    }
}

fn seconds(word: &[u8]) -> Option<u32> {
    let (unit, digits) = word.split_last()?;
    let plain = unit.eq_ignore_ascii_case(&b's')
        && digits.first().is_some_and(|first| *first != b'0')
        && digits.iter().all(u8::is_ascii_digit);
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (plain && number <= MAX_SECONDS).then_some(number)
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Seconds(number) = self {
            write!(f, "{number}")?;
        }
        f.write_str(self.word())
    }
}

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weekday {
    /// Monday, as in ISO 8601.
    #[default]
    Mon,
    /// Tuesday.
    Tue,
    /// Wednesday.
    Wed,
    /// Thursday.
    Thu,
    /// Friday.
    Fri,
    /// Saturday.
    Sat,
    /// Sunday.
    Sun,
}

impl Weekday {
    /// All days, from Monday on.
    pub const ALL: [Self; 7] = [Self::Mon, Self::Tue, Self::Wed, Self::Thu, Self::Fri, Self::Sat, Self::Sun];

    /// Reads `MON`, `TUE`, `WED`, `THU`, `FRI`, `SAT` or `SUN`, in upper or lower case.
    #[must_use]
    pub fn parse(word: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|day| word.eq_ignore_ascii_case(day.word().as_bytes()))
    }

    /// Returns how many days after Monday this day is.
    pub(super) const fn after_monday(self) -> i64 {
        match self {
            Self::Mon => 0,
            Self::Tue => 1,
            Self::Wed => 2,
            Self::Thu => 3,
            Self::Fri => 4,
            Self::Sat => 5,
            Self::Sun => 6,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Mon => "MON",
            Self::Tue => "TUE",
            Self::Wed => "WED",
            Self::Thu => "THU",
            Self::Fri => "FRI",
            Self::Sat => "SAT",
            Self::Sun => "SUN",
        }
    }
}

impl fmt::Display for Weekday {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
