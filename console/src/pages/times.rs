//! Moments in the forms that people read and type, in the time zone of a board.

use chrono::{DateTime, FixedOffset, NaiveDateTime, TimeZone, Utc};
use chrono_tz::Tz;

/// The forms in which browsers send a field `datetime-local`. Browsers leave out the seconds if they are 0.
const TYPED: [&str; 2] = ["%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M"];

/// The time zone of a board.
#[derive(Debug, Clone)]
pub struct Zone {
    pub name: String,
    rules: Rules,
}

#[derive(Debug, Clone)]
enum Rules {
    Named(Tz),
    Fixed(FixedOffset),
}

impl Zone {
    /// A time zone by the name that boards use: an IANA name or an offset such as `+08:00`. `None` for another text.
    pub fn find(name: &str) -> Option<Self> {
        let named = || name.parse().ok().map(Rules::Named);
        let fixed = || name.parse().ok().map(Rules::Fixed);
        Some(Self { name: name.to_owned(), rules: named().or_else(fixed)? })
    }

    /// The time zone of a board. If this program does not know the zone, it uses UTC and shows the name UTC.
    pub fn of_board(name: &str) -> Self {
        Self::find(name).unwrap_or_else(|| Self { name: "UTC".to_owned(), rules: Rules::Named(Tz::UTC) })
    }

    /// `2026-11-22 18:04:31`.
    pub fn moment(&self, ms: i64) -> String {
        self.format(ms, "%Y-%m-%d %H:%M:%S")
    }

    /// `2026-11-22 18:04`.
    pub fn minute(&self, ms: i64) -> String {
        self.format(ms, "%Y-%m-%d %H:%M")
    }

    /// The value of a field `datetime-local`.
    pub fn field(&self, ms: i64) -> String {
        self.format(ms, "%Y-%m-%dT%H:%M:%S")
    }

    /// Reads the typed text of a field `datetime-local`, in ms. If clocks show an hour twice, the first of the two
    /// hours is meant. `None` for a text that is not a time, and for an hour that the clocks skip.
    pub fn read(&self, text: &str) -> Option<i64> {
        let local = TYPED.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())?;
        match &self.rules {
            Rules::Named(zone) => zone.from_local_datetime(&local).earliest().map(|at| at.timestamp_millis()),
            Rules::Fixed(zone) => zone.from_local_datetime(&local).earliest().map(|at| at.timestamp_millis()),
        }
    }

    fn format(&self, ms: i64, form: &str) -> String {
        let Some(at) = DateTime::<Utc>::from_timestamp_millis(ms) else { return ms.to_string() };
        match &self.rules {
            Rules::Named(zone) => at.with_timezone(zone).format(form).to_string(),
            Rules::Fixed(zone) => at.with_timezone(zone).format(form).to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_zone() {
        let at = 1_795_359_600_000;
        for (zone, shown) in [
            ("UTC", "2026-11-22 15:00:00"),
            ("Asia/Seoul", "2026-11-23 00:00:00"),
            ("-03:30", "2026-11-22 11:30:00"),
        ] {
            assert_eq!(Zone::of_board(zone).moment(at), shown);
        }
        assert_eq!(Zone::of_board("Mars/Olympus").name, "UTC");
    }

    #[test]
    fn what_is_typed_is_read_back() {
        let zone = Zone::of_board("Asia/Shanghai");
        assert_eq!(zone.read(&zone.field(1_795_359_601_000)), Some(1_795_359_601_000));
        assert_eq!(zone.read("2026-11-23T00:00"), zone.read("2026-11-23T00:00:00"));
        assert_eq!(zone.read("tomorrow"), None);
    }

    #[test]
    fn clocks_that_jump() {
        let zone = Zone::of_board("Europe/Paris");
        assert_eq!(zone.read("2026-03-29T02:30"), None, "skipped");
        assert_eq!(zone.read("2026-10-25T02:30"), Some(1_792_888_200_000), "the first of two");
    }
}
