//! The options with which a gateway reads and changes the prizes in the root of a board over parts.

use leaderboard_core::Error;
use leaderboard_core::integer::natural;

use super::catalog::number;
use super::reading::read_members;
use super::{Opt, OptionValue, Options, flag};
use crate::argument::Argument;
use crate::arguments::Read;

/// The command is for the root of this incarnation.
pub static ROOT: Opt<u64> =
    Opt::new(&["ROOT"], "incarnation", |value| number(value.next()?, "ROOT")).by_gateway();

/// The start of a period in ms, and its best members as one string.
pub static BEST: Opt<u64> = Opt::new(&["BEST"], "start members", read_best).checked(needs_root).by_gateway();

/// The part of the member says that it may have the prize.
pub static MAY: Opt<()> = flag(&["MAY"]).checked(needs_root).by_gateway();

/// The members whose prizes are taken, because they were removed.
pub static TAKE: Opt<()> =
    Opt::new(&["TAKE"], "n member [member ...]", read_members).checked(needs_root).by_gateway();

fn read_best(value: &mut OptionValue) -> Read<u64> {
    let start = natural(value.next()?, "BEST")?;
    value.next()?;
    Ok(start)
}

fn needs_root(options: &Options) -> Read<()> {
    if options.has(&ROOT) { Ok(()) } else { Err(Error::MissingOption("ROOT").into()) }
}

impl<'a> Options<'a> {
    /// Returns the start of the period of `BEST`, and the list of its best members.
    pub fn best(&self) -> Option<(u64, &'a [u8])> {
        Some((self.get(&BEST)?, self.values(&BEST).get(1)?.bytes()))
    }

    /// Returns the members of `TAKE`.
    pub fn taken(&self) -> impl Iterator<Item = &'a [u8]> {
        self.values(&TAKE).iter().skip(1).map(Argument::bytes)
    }
}
