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
pub static BEST: Opt<u64> = Opt::new(&["BEST"], "start members", read_best).by_gateway();

/// The part of the member says that it may have the prize.
pub static MAY: Opt<()> = flag(&["MAY"]).by_gateway();

/// The members whose prizes are taken, because they were removed.
pub static TAKE: Opt<()> = Opt::new(&["TAKE"], "n member [member ...]", read_members).by_gateway();

fn read_best(value: &mut OptionValue) -> Read<u64> {
    let start = natural(value.next()?, "BEST")?;
    value.next()?;
    Ok(start)
}

impl<'a> Options<'a> {
    /// Returns the incarnation of the root that the command is for.
    ///
    /// # Errors
    /// [`Error::MissingOption`] for another option of this file without `ROOT`.
    pub fn root(&self) -> Read<Option<u64>> {
        let root = self.get(&ROOT);
        let needs_root = self.has(&BEST) || self.has(&MAY) || self.has(&TAKE);
        if root.is_none() && needs_root { Err(Error::MissingOption("ROOT").into()) } else { Ok(root) }
    }

    /// Returns the start of the period of `BEST`, and the list of its best members.
    pub fn best(&self) -> Option<(u64, &'a [u8])> {
        Some((self.get(&BEST)?, self.values(&BEST).get(1)?.bytes()))
    }

    /// Returns the members of `TAKE`.
    pub fn taken(&self) -> impl Iterator<Item = &'a [u8]> {
        self.values(&TAKE).iter().skip(1).map(Argument::bytes)
    }
}
