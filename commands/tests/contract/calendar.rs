//! Periods of views, and hours of the week, in zones of a fixed offset.

pub const MINUTE: i64 = 60_000;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// A unit of periods: its length, and a moment at which one of its periods begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    pub len: i64,
    pub base: i64,
}

impl Unit {
    /// Returns the number of the period that holds a moment.
    pub fn period(self, ms: i64) -> i64 {
        if self.len == 0 { 0 } else { (ms - self.base).div_euclid(self.len) }
    }

    /// Returns the moment at which a period begins.
    pub fn start(self, period: i64) -> i64 {
        self.base + period * self.len
    }

    /// Returns how long it is until the next period; -1 for `all`.
    pub fn left(self, now: i64) -> i64 {
        if self.len == 0 { -1 } else { self.start(self.period(now) + 1) - now }
    }
}

/// A zone of a fixed offset, and the ORIGIN of periods of seconds.
#[derive(Debug, Clone, Copy)]
pub struct Zone {
    pub name: &'static str,
    pub offset: i64,
    pub origin: i64,
}

impl Zone {
    /// Returns the unit of a name such as `day` or `90s`.
    pub fn unit(&self, name: &str) -> Unit {
        let local = |len| Unit { len, base: -self.offset };
        match name {
            "all" => Unit { len: 0, base: 0 },
            "second" => local(1_000),
            "minute" => local(MINUTE),
            "hour" => local(HOUR),
            "day" => local(DAY),
            // The fifth of January 1970 was a Monday.
            "week" => Unit { len: 7 * DAY, base: 4 * DAY - self.offset },
            _ => {
                let seconds: i64 = name.strip_suffix('s').expect("seconds").parse().expect("a number");
                Unit { len: seconds * 1_000, base: self.origin }
            }
        }
    }
}

/// A view: a unit, and of how many periods it is.
#[derive(Debug, Clone)]
pub struct View {
    pub name: String,
    pub unit: Unit,
    pub periods: i64,
}

impl View {
    pub fn new(name: &str, zone: &Zone) -> View {
        let (unit, periods) = name.split_once(':').unwrap_or((name, "1"));
        View { name: name.to_owned(), unit: zone.unit(unit), periods: periods.parse().expect("a number") }
    }

    pub fn is_all(&self) -> bool {
        self.unit.len == 0
    }

    pub fn is_rolling(&self) -> bool {
        self.periods > 1
    }

    pub fn period(&self, ms: i64) -> i64 {
        self.unit.period(ms)
    }
}

/// A window of HOURS: from and to, in ms since the begin of a week on Monday.
pub type Hours = Vec<(i64, i64)>;

const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Reads HOURS such as `mon-fri=18:00-20:00,sun=22:00-02:00`.
pub fn hours(text: &str) -> Hours {
    let mut all = Vec::new();
    for window in text.split(',').filter(|window| !window.is_empty()) {
        let (days, times) = window.split_once('=').expect("days");
        let (first, last) = days.split_once('-').unwrap_or((days, days));
        let place = |day| DAYS.iter().position(|name| *name == day).expect("a day") as i64;
        let (from, to) = times.split_once('-').expect("times");
        let (from, to) = (minutes(from) * MINUTE, minutes(to) * MINUTE);
        let to = if to <= from { to + DAY } else { to };
        let (first, last) = (place(first), place(last));
        let count = (last - first).rem_euclid(7) + 1;
        all.extend((first..first + count).map(|day| day % 7 * DAY).map(|day| (day + from, day + to)));
    }
    all
}

fn minutes(time: &str) -> i64 {
    let (hour, minute) = time.split_once(':').expect("a time");
    hour.parse::<i64>().expect("an hour") * 60 + minute.parse::<i64>().expect("a minute")
}

/// Says whether a moment is in one of these hours.
pub fn is_open(hours: &Hours, zone: &Zone, ms: i64) -> bool {
    let week = 7 * DAY;
    let place = (ms + zone.offset - 4 * DAY).rem_euclid(week);
    let holds = |place: i64| hours.iter().any(|&(from, to)| from <= place && place < to);
    hours.is_empty() || holds(place) || holds(place + week)
}

/// Returns the first moment from this one on that is in one of these hours.
pub fn next_open(hours: &Hours, zone: &Zone, ms: i64) -> i64 {
    if is_open(hours, zone, ms) {
        return ms;
    }
    let week = 7 * DAY;
    let begin = ms - (ms + zone.offset - 4 * DAY).rem_euclid(week);
    let starts = hours.iter().flat_map(|&(from, _)| [begin + from, begin + from + week]);
    starts.filter(|&start| start >= ms).min().expect("a window")
}
