//! The rules of a counter: its precisions, and how many slices it keeps for each precision.

use crate::Error;
use crate::board::Edit;
use crate::calendar::MAX_SECONDS;
use crate::error::Quoted;
use crate::schema::{MAX_DEDUP_SECONDS, Schema};
use crate::time::Clock;

/// The maximum number of precisions of a counter.
pub const MAX_PRECISIONS: usize = 16;
/// The maximum number of slices that a precision keeps.
pub const MAX_SAMPLES: u32 = 10_000;
/// The maximum number of changes in one list: all precisions are dropped, and the same number is added.
const MAX_EDITS: usize = 2 * MAX_PRECISIONS;

/// The rules of a counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// The precisions: the lengths of slices in seconds, each from 1 to 315,360,000. There are 1 to 16 of them.
    pub precisions: Vec<u32>,
    /// How many slices of each precision are kept, including the current slice: 1 to 10,000.
    pub samples: u32,
    /// The clock that gives the time of events.
    pub clock: Clock,
    /// The minimum number of seconds for which a request id is remembered; 0 means that ids are not remembered.
    pub dedup: u32,
}

impl Default for Rules {
    /// Returns the default rules: precisions of 1 and 5 seconds, 1 and 5 minutes, 1 and 5 hours, and a day, with
    /// 120 slices each.
    fn default() -> Self {
        let Schema { clock, dedup, .. } = Schema::default();
        let precisions = vec![1, 5, 60, 300, 3_600, 18_000, 86_400];
        Self { precisions, samples: 120, clock, dedup }
    }
}

impl Rules {
    /// Checks rules that the types of the fields do not check.
    ///
    /// # Errors
    /// The errors name the wrong option.
    pub fn check(&self) -> Result<(), Error> {
        if self.precisions.is_empty() {
            return Err(Error::NoPrecision);
        }
        if self.precisions.len() > MAX_PRECISIONS {
            return Err(Error::TooMany("PRECISIONS", MAX_PRECISIONS, "precisions"));
        }
        for (at, seconds) in self.precisions.iter().enumerate() {
            if !(1..=MAX_SECONDS).contains(seconds) {
                return Err(Error::OutOfRange("PRECISIONS"));
            }
            if self.precisions.iter().take(at).any(|other| other == seconds) {
                return Err(Error::RepeatedPrecision(*seconds));
            }
        }
        if !(1..=MAX_SAMPLES).contains(&self.samples) {
            return Err(Error::OutOfRange("SAMPLES"));
        }
        if self.dedup > MAX_DEDUP_SECONDS { Err(Error::OutOfRange("DEDUP")) } else { Ok(()) }
    }

    /// Returns the precisions as clients write them: `1,5,60`.
    #[must_use]
    pub fn list(&self) -> String {
        self.precisions.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
    }
}

/// Changes to the rules of a counter. A rule without a change stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alter {
    /// Precisions to add and to drop, in seconds.
    pub precisions: Vec<(u32, Edit)>,
    /// How many slices of each precision are kept.
    pub samples: Option<u32>,
    /// For how many seconds a request id is remembered.
    pub dedup: Option<u32>,
}

impl Alter {
    /// Returns the given rules with these changes applied.
    ///
    /// # Errors
    /// The errors of [`Rules::check`]; [`Error::PrecisionKept`], [`Error::NoSuchPrecision`],
    /// [`Error::RepeatedPrecision`].
    pub(super) fn applied_to(&self, mut rules: Rules) -> Result<Rules, Error> {
        for (at, (seconds, _)) in self.precisions.iter().enumerate() {
            if self.precisions.iter().take(at).any(|(other, _)| other == seconds) {
                return Err(Error::RepeatedPrecision(*seconds));
            }
        }
        for (seconds, edit) in &self.precisions {
            let place = rules.precisions.iter().position(|kept| kept == seconds);
            match (edit, place) {
                (Edit::Add, None) => rules.precisions.push(*seconds),
                (Edit::Add, Some(_)) => return Err(Error::PrecisionKept(*seconds)),
                (Edit::Drop, Some(place)) => _ = rules.precisions.remove(place),
                (Edit::Drop, None) => return Err(Error::NoSuchPrecision(*seconds)),
            }
        }
        rules.precisions.sort_unstable();
        rules.samples = self.samples.unwrap_or(rules.samples);
        rules.dedup = self.dedup.unwrap_or(rules.dedup);
        rules.check()?;
        Ok(rules)
    }
}

/// Reads a precision, which is a number of whole seconds.
///
/// # Errors
/// [`Error::BadPrecision`].
pub fn parse_precision(word: &[u8]) -> Result<u32, Error> {
    let is_plain = word.first().is_some_and(|first| *first != b'0') && word.iter().all(u8::is_ascii_digit);
    let seconds = std::str::from_utf8(word).ok().filter(|_| is_plain).and_then(|word| word.parse().ok());
    seconds
        .filter(|seconds| *seconds <= MAX_SECONDS)
        .ok_or(Error::BadPrecision(Quoted::new(word), MAX_SECONDS))
}

/// Reads `s[,s...]`: precisions in seconds.
///
/// # Errors
/// The errors of [`parse_precision`]; [`Error::TooMany`].
pub fn parse_precisions(list: &[u8]) -> Result<Vec<u32>, Error> {
    items(list, MAX_PRECISIONS, parse_precision)
}

/// Reads `+s|-s[,...]`: precisions to add and to drop.
///
/// # Errors
/// The errors of [`parse_precisions`]; [`Error::BadEdit`].
pub fn parse_precision_edits(list: &[u8]) -> Result<Vec<(u32, Edit)>, Error> {
    items(list, MAX_EDITS, |item| match item.split_first() {
        Some((b'+', seconds)) => Ok((parse_precision(seconds)?, Edit::Add)),
        Some((b'-', seconds)) => Ok((parse_precision(seconds)?, Edit::Drop)),
        _ => Err(Error::BadEdit("PRECISIONS", Quoted::new(item))),
    })
}

/// Reads a list of items with commas between them. Stops after `most` items, which limits the cost of parsing.
fn items<T>(list: &[u8], most: usize, item: impl Fn(&[u8]) -> Result<T, Error>) -> Result<Vec<T>, Error> {
    let words = list.split(|byte| *byte == b',').take(most.saturating_add(1));
    let items: Vec<_> = words.map(item).collect::<Result<_, _>>()?;
    if items.len() > most { Err(Error::TooMany("PRECISIONS", most, "precisions")) } else { Ok(items) }
}
