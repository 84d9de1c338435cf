//! Arguments that the gatherer itself has to read.

use leaderboard_core::Error;
use leaderboard_core::schema::Ranks;

use super::super::asked::Asked;

/// Returns a fixed argument. The command was already checked to have all of them.
pub fn fixed<'a>(asked: &Asked<'a>, number: usize) -> &'a [u8] {
    asked.fixed.get(number).map(Vec::as_slice).unwrap_or_default()
}

/// The form of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Rows with their ranks, which are counted in this way.
    Rows(Ranks),
    /// All rows in one array.
    Flat,
    /// All rows in one string.
    Packed,
}

impl Form {
    pub fn of(asked: &Asked) -> Result<Self, Error> {
        let form = match (asked.has("FLAT"), asked.has("PACKED")) {
            (true, true) => return Err(Error::Conflict("FLAT", "PACKED")),
            (true, false) => "FLAT",
            (false, true) => "PACKED",
            (false, false) => return Ok(Self::Rows(ranks(asked)?)),
        };
        match ranks(asked)? {
            Ranks::Ordinal if form == "FLAT" => Ok(Self::Flat),
            Ranks::Ordinal => Ok(Self::Packed),
            Ranks::Competition => Err(Error::Conflict(form, "RANKS COMPETITION")),
            Ranks::Dense => Err(Error::Conflict(form, "RANKS DENSE")),
        }
    }

    /// Returns how the ranks of the rows are counted.
    pub fn ranks(self) -> Ranks {
        if let Self::Rows(ranks) = self { ranks } else { Ranks::Ordinal }
    }
}

/// Returns how ranks are counted.
pub fn ranks(asked: &Asked) -> Result<Ranks, Error> {
    asked.value("RANKS").map_or(Ok(Ranks::default()), Ranks::parse)
}
