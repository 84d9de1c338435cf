//! Arguments that the gatherer has to read itself.

use leaderboard_core::Error;
use leaderboard_core::schema::Ranks;

use super::super::asked::Asked;

/// A fixed argument; the command was split with all of them.
pub fn fixed<'a>(asked: &Asked<'a>, number: usize) -> &'a [u8] {
    asked.fixed.get(number).map(Vec::as_slice).unwrap_or_default()
}

/// How ranks are counted.
pub fn ranks(asked: &Asked) -> Result<Ranks, Error> {
    asked.value("RANKS").map_or(Ok(Ranks::default()), Ranks::parse)
}
