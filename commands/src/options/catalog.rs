//! Numbers in the catalogue entry of a root or a part.

use leaderboard_core::Error;
use leaderboard_core::integer::natural;

use super::{Opt, flag};
use crate::arguments::Read;

/// The client gets the reply to its command now.
pub static TOLD: Opt<()> = flag(&["TOLD"]);

/// The attempt to split a part that made the value.
pub static TOKEN: Opt<u64> = Opt::new(&["TOKEN"], "token", |value| number(value.next()?, "TOKEN"));

/// Reads a number of a catalogue entry: a whole number from 0 to 2^63 - 1.
///
/// # Errors
/// [`Error::NotAnInteger`] or [`Error::OutOfRange`], with the name of the argument.
pub fn number(text: &[u8], argument: &'static str) -> Read<u64> {
    let number = natural(text, argument)?;
    if number >> 63 == 0 { Ok(number) } else { Err(Error::OutOfRange(argument).into()) }
}
