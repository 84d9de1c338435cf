//! Options of commands that import, export and combine rankings.

use leaderboard_core::Error;
use leaderboard_core::board::Present;
use leaderboard_core::combine::{Combine, Weight};
use leaderboard_core::integer::natural;
use leaderboard_core::score::{Decimal, MAX_DECIMALS};

use super::reading::view_name;
use super::{Opt, OptionValue, Options, flag};
use crate::arguments::Read;
use crate::cursor::Cursor;

/// `MERGE`: adds to the scores of members that are already on the board. `NX`: leaves these members unchanged.
pub static PRESENT: Opt<Present> = Opt::new(&["MERGE", "NX"], "", |value| {
    Ok(if value.word() == "MERGE" { Present::Added } else { Present::Left })
});

/// Rounds each score to the nearest score that the board can hold.
pub static ROUND: Opt<()> = flag(&["ROUND"]);

/// The place where the import continues.
pub static CURSOR: Opt<Cursor> = Opt::new(&["CURSOR"], "cursor", |value| Ok(Cursor::parse(value.next()?)?));

/// The number of members to read in one step.
pub static STEP: Opt<u64> = Opt::new(&["COUNT"], "n", |value| match natural(value.next()?, "COUNT")? {
    0 => Err(Error::OutOfRange("COUNT").into()),
    count => Ok(count),
});

/// A factor for each source.
pub static WEIGHTS: Opt<Vec<Weight>> = Opt::new(&["WEIGHTS"], "weight [weight ...]", weights);

/// How the scores of a member from several sources are combined.
pub static COMBINE: Opt<Combine> =
    Opt::new(&["AGGREGATE"], "SUM|MIN|MAX", |value| Ok(Combine::parse(value.next()?)?));

/// The view that is read: one view for all sources, or one for each source.
pub static VIEWS: Opt<()> =
    Opt::new(&["VIEW"], "views", |value| value.next()?.split(|byte| *byte == b',').try_for_each(view_name));

/// The period that is read: one period for all sources, or one for each source.
pub static PERIODS: Opt<()> = Opt::new(&["PERIOD"], "periods", |value| value.next().map(|_| ()));

/// Reads weights up to the first word that is not a weight.
fn weights(value: &mut OptionValue) -> Read<Vec<Weight>> {
    let mut weights = vec![weight(value.next()?)?];
    while value.peek().is_some_and(|word| Decimal::parse(word, "WEIGHTS").is_ok()) {
        weights.push(weight(value.next()?)?);
    }
    Ok(weights)
}

fn weight(word: &[u8]) -> Read<Weight> {
    let billionths = Decimal::parse(word, "WEIGHTS")?.to_score(MAX_DECIMALS, "WEIGHTS");
    Ok(Weight::of_billionths(billionths.map_err(|error| match error {
        Error::TooManyDigits(name, digits) => Error::TooFine(name, digits),
        error => error,
    })?))
}

/// Values for several keys: one value for all keys, or one value for each key.
pub struct PerKey<'a>(Vec<&'a [u8]>);

impl<'a> PerKey<'a> {
    /// Reads a list of values with commas.
    ///
    /// # Errors
    /// [`Error::ValuesForKeys`].
    fn read(list: Option<&'a [u8]>, option: &'static str, keys: usize) -> Read<Self> {
        let values: Vec<_> = list.into_iter().flat_map(|list| list.split(|byte| *byte == b',')).collect();
        if values.len() <= 1 || values.len() == keys {
            Ok(Self(values))
        } else {
            Err(Error::ValuesForKeys(option, keys).into())
        }
    }

    /// Returns the value for a key.
    pub fn of(&self, key: usize) -> Option<&'a [u8]> {
        let place = if self.0.len() == 1 { 0 } else { key };
        self.0.get(place).copied()
    }
}

impl<'a> Options<'a> {
    /// Returns the views of this number of sources.
    ///
    /// # Errors
    /// [`Error::ValuesForKeys`].
    pub fn views_of(&self, keys: usize) -> Read<PerKey<'a>> {
        PerKey::read(self.text(&VIEWS), "VIEW", keys)
    }

    /// Returns the periods of this number of sources.
    ///
    /// # Errors
    /// [`Error::ValuesForKeys`].
    pub fn periods_of(&self, keys: usize) -> Read<PerKey<'a>> {
        PerKey::read(self.text(&PERIODS), "PERIOD", keys)
    }

    /// Returns the weights of this number of sources.
    ///
    /// # Errors
    /// [`Error::ValuesForKeys`].
    pub fn weights_of(&self, keys: usize) -> Read<Vec<Weight>> {
        match self.get(&WEIGHTS) {
            None => Ok(vec![Weight::default(); keys]),
            Some(weights) if weights.len() == keys => Ok(weights),
            Some(_) => Err(Error::ValuesForKeys("WEIGHTS", keys).into()),
        }
    }
}
