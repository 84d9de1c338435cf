//! The period that a read requests.

use super::{Calendar, Unit};
use crate::Error;
use crate::error::Quoted;
use crate::time::Millis;

/// The period that a read requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum When<'a> {
    /// The current period.
    #[default]
    Now,
    /// The period that is this number of periods before the current period.
    Back(u32),
    /// A period after the current period. No member has points in it yet.
    Ahead,
    /// The period with this label.
    Label(&'a [u8]),
    /// The period that contains this moment.
    At(Millis),
}

impl<'a> When<'a> {
    /// Reads the name of a period: `0`, `-1`, `-2` and so on, `1` to `999`, or a label.
    #[must_use]
    pub fn parse(name: &'a [u8]) -> Self {
        match name {
            b"0" => return Self::Now,
            // Numbers of up to three digits are not labels: the label of a year has four digits.
            [b'1'..=b'9', rest @ ..] if rest.len() < 3 && rest.iter().all(u8::is_ascii_digit) => {
                return Self::Ahead;
            }
            _ => {}
        }
        let digits = name.strip_prefix(b"-").filter(|digits| digits.iter().all(u8::is_ascii_digit));
        let back = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match back.filter(|digits| !digits.is_empty()) {
            // A number that is too large for `u32` means more periods than any board keeps.
            Some(digits) => Self::Back(digits.parse().unwrap_or(u32::MAX)),
            None => Self::Label(name),
        }
    }

    /// Returns the start of the period. `None` if there is no such period, or if it is more than `retain` periods
    /// before the current period. `current` is the start of the current period, if there was a write.
    ///
    /// # Errors
    /// [`Error::BadPeriod`].
    pub(crate) fn start(
        self,
        calendar: &Calendar,
        unit: Unit,
        current: Option<i64>,
        retain: u32,
    ) -> Result<Option<i64>, Error> {
        Ok(match self {
            Self::Now => current,
            Self::Ahead => None,
            Self::Back(count) if count > retain => None,
            Self::Back(count) => current.map(|start| calendar.back(unit, start, count).start),
            Self::At(at) => Some(calendar.period(unit, i64::try_from(at).unwrap_or(i64::MAX)).start),
            Self::Label(label) => {
                let bad = |_| Error::BadPeriod(Quoted::new(label));
                calendar.parse(unit, label).map_err(bad)?.map(|period| period.start)
            }
        })
    }
}
