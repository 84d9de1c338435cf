//! Options of reads.

use leaderboard_core::Error;
use leaderboard_core::board::{Board, Reading};
use leaderboard_core::calendar::When;
use leaderboard_core::integer::natural;
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::time::Millis;

use super::{Opt, Options, flag, view_name};
use crate::arguments::{Read, millis};

/// The view to read, or the view of a write's reply.
pub static VIEW: Opt<()> = Opt::new(&["VIEW"], "view", |value| view_name(value.next()?));

/// The name of the period to read.
pub static PERIOD: Opt<()> =
    Opt::new(&["PERIOD"], "period", |value| value.next().map(|_| ())).checked(one_period);

/// The time of an event, or a time in the period to read.
pub static AT: Opt<Millis> = Opt::new(&["AT"], "ms", |value| millis(value.next()?, "AT")).checked(one_period);

/// How ranks are counted.
pub static RANKS: Opt<Ranks> = Opt::new(&["RANKS"], "ORDINAL|COMPETITION|DENSE", read_ranks);

/// `RANKS` where it has no effect.
pub static UNUSED_RANKS: Opt<Ranks> = Opt::new(&["RANKS"], "", read_ranks).hidden();

/// Reads real votes instead of shown votes.
pub static REAL: Opt<()> = flag(&["REAL"]);

/// Shows the meta of members.
pub static WITHMETA: Opt<()> = flag(&["WITHMETA"]);

/// How many lines to skip.
pub static OFFSET: Opt<u64> = Opt::new(&["OFFSET"], "n", |value| Ok(natural(value.next()?, "OFFSET")?));

/// How many lines to show at most.
pub static COUNT: Opt<u64> = Opt::new(&["COUNT"], "n", |value| Ok(natural(value.next()?, "COUNT")?));

fn read_ranks(value: &mut super::OptionValue) -> Read<Ranks> {
    Ok(Ranks::parse(value.next()?)?)
}

fn one_period(options: &Options) -> Read<()> {
    if options.has(&AT) && options.has(&PERIOD) {
        return Err(Error::Conflict("PERIOD", "AT").into());
    }
    Ok(())
}

impl<'a> Options<'a> {
    pub fn ranks(&self) -> Ranks {
        self.get(&RANKS).unwrap_or_default()
    }

    /// The period that the options name, if any.
    pub fn period(&self) -> Option<When<'a>> {
        self.text(&PERIOD).map(When::parse).or_else(|| self.get(&AT).map(When::At))
    }

    /// What to read of a board.
    ///
    /// # Errors
    /// Those of [`Board::read`].
    pub fn reading<'b>(&self, board: &'b Board) -> Read<Reading<'b>> {
        let tally = if self.has(&REAL) { Tally::Real } else { Tally::Shown };
        Ok(board.read(self.text(&VIEW), self.period().unwrap_or_default(), tally)?)
    }
}
