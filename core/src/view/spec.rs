//! The spec of a view: its name, the number of periods that count in it, its carry or decay, and the number of past
//! periods that it keeps.

use std::fmt;

use crate::Error;
use crate::calendar::{MAX_SECONDS, Unit};
use crate::error::Quoted;
use crate::share::Share;

/// The maximum number of views of a board.
pub const MAX_VIEWS: usize = 16;
/// The maximum number of periods that a rolling view adds up.
pub const MAX_COUNT: u16 = 366;
/// The maximum number of past periods that stay readable.
pub const MAX_RETAIN: u32 = 10_000;

/// The points that a view ranks: all points, or the points of the last `count` periods of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// All points: `all`.
    All,
    /// The last `count` periods, including the current period: `day`, `day:7`.
    Periods {
        /// The unit of the periods.
        unit: Unit,
        /// How many periods count, 1 to 366.
        count: u16,
    },
}

impl Kind {
    /// Reads the name of a view.
    ///
    /// # Errors
    /// [`Error::BadView`], naming `VIEWS`; [`Error::BadWindow`].
    pub fn parse(name: &[u8]) -> Result<Self, Error> {
        let bad = || Error::BadView("VIEWS", Quoted::new(name), MAX_SECONDS);
        if name.eq_ignore_ascii_case(b"all") {
            return Ok(Self::All);
        }
        let mut parts = name.splitn(2, |byte| *byte == b':');
        let unit = parts.next().and_then(Unit::parse).ok_or_else(bad)?;
        let Some(count) = parts.next() else { return Ok(Self::Periods { unit, count: 1 }) };
        if count.is_empty() || !count.iter().all(u8::is_ascii_digit) {
            return Err(bad());
        }
        Self::rolling(count, unit)
    }

    /// Reads the name of a view that an option lists.
    ///
    /// # Errors
    /// The errors of [`Kind::parse`], naming the option.
    pub fn parse_in(option: &'static str, name: &[u8]) -> Result<Self, Error> {
        Self::parse(name).map_err(|error| match error {
            Error::BadView(_, name, most) => Error::BadView(option, name, most),
            error => error,
        })
    }

    /// Returns the kind of a rolling view over `count` periods.
    ///
    /// # Errors
    /// [`Error::BadWindow`], unless `count` is 2 to 366.
    pub fn rolling(count: &[u8], unit: Unit) -> Result<Self, Error> {
        let number = std::str::from_utf8(count).ok().and_then(|text| text.parse().ok());
        match number {
            Some(count @ 2..=MAX_COUNT) => Ok(Self::Periods { unit, count }),
            _ => Err(Error::BadWindow(Quoted::new(count), MAX_COUNT)),
        }
    }

    /// Returns whether more than one period counts.
    #[must_use]
    pub const fn is_rolling(self) -> bool {
        matches!(self, Self::Periods { count: 2.., .. })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Periods { unit, count: 1 } => write!(f, "{unit}"),
            Self::Periods { unit, count } => write!(f, "{unit}:{count}"),
        }
    }
}

/// The rules of one view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec {
    /// The points that the view ranks.
    pub kind: Kind,
    /// The share of a member's points in a period that is carried over into the next period.
    pub carry: Option<Share>,
    /// The share of the whole score that is kept from period to period.
    pub decay: Option<Share>,
    /// How many past periods stay readable, 0 to 10,000.
    pub retain: u32,
}

impl Spec {
    /// Returns the spec of a view that carries nothing over and keeps one past period.
    #[must_use]
    pub const fn new(kind: Kind) -> Self {
        Self { kind, carry: None, decay: None, retain: 1 }
    }

    /// Returns the unit, and the number of periods whose points are used, including the period from which a share
    /// is carried over. `None` for the view `all`.
    #[must_use]
    pub const fn reach(&self) -> Option<(Unit, u16)> {
        match (self.kind, self.carry) {
            (Kind::All, _) => None,
            (Kind::Periods { unit, .. }, Some(_)) => Some((unit, 2)),
            (Kind::Periods { unit, count }, None) => Some((unit, count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_there_and_back() {
        for name in ["all", "minute", "hour", "day", "week", "month", "year", "90s", "day:7", "3600s:366"] {
            assert_eq!(Kind::parse(name.as_bytes()).unwrap().to_string(), name);
        }
        assert_eq!(Kind::parse(b"DAY:7").unwrap().to_string(), "day:7");
        for name in ["", "days", "day:", "day:x", "day:-2", "all:2", ":7", "day:7:7", "0s", "1.5s"] {
            assert!(matches!(Kind::parse(name.as_bytes()), Err(Error::BadView(..))), "{name}");
        }
        for name in ["day:0", "day:1", "day:367", "day:99999999999"] {
            let refused = Kind::parse(name.as_bytes());
            assert!(matches!(refused, Err(Error::BadWindow(_, MAX_COUNT))), "{name}");
        }
    }
}
