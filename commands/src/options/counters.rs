//! Options of counters.

use leaderboard_core::board::Edit;
use leaderboard_core::counter::{Alter, Range, Rules, parse_precision_edits, parse_precisions};
use leaderboard_core::integer::{integer, small};
use leaderboard_core::time::Millis;

use super::boards::{CLOCK, DEDUP};
use super::{Opt, Options, flag};
use crate::arguments::{Read, millis};

/// The precisions of a new counter.
pub static PRECISIONS: Opt<Vec<u32>> =
    Opt::new(&["PRECISIONS"], "precisions", |value| Ok(parse_precisions(value.next()?)?))
        .checked(rules_agree);

/// Precisions to add and to drop.
pub static EDITS: Opt<Vec<(u32, Edit)>> =
    Opt::new(&["PRECISIONS"], "changes", |value| Ok(parse_precision_edits(value.next()?)?));

/// The number of slices of each precision that are kept.
pub static SAMPLES: Opt<u32> =
    Opt::new(&["SAMPLES"], "n", |value| Ok(small(value.next()?, "SAMPLES")?)).checked(rules_agree);

/// The number by which a counter is increased.
pub static BY: Opt<i64> = Opt::new(&["BY"], "n", |value| Ok(integer(value.next()?, "BY")?)).sent(0);

/// A moment in the first slice to read.
pub static FROM: Opt<Millis> = Opt::new(&["FROM"], "ms", |value| millis(value.next()?, "FROM"));

/// A moment in the last slice to read.
pub static TO: Opt<Millis> = Opt::new(&["TO"], "ms", |value| millis(value.next()?, "TO"));

/// Includes slices without a count.
pub static FILL: Opt<()> = flag(&["FILL"]);

fn rules_agree(options: &Options) -> Read<()> {
    Ok(options.counter_rules(Rules::default()).check()?)
}

impl Options<'_> {
    /// Returns the rules of a new counter. `default` contains the rules for options that the call does not contain.
    pub fn counter_rules(&self, default: Rules) -> Rules {
        Rules {
            precisions: self.get(&PRECISIONS).unwrap_or(default.precisions),
            samples: self.get(&SAMPLES).unwrap_or(default.samples),
            clock: self.get(&CLOCK).unwrap_or(default.clock),
            dedup: self.get(&DEDUP).unwrap_or(default.dedup),
        }
    }

    /// Returns the changes to the rules of a counter.
    pub fn counter_changes(&self) -> Alter {
        Alter {
            precisions: self.get(&EDITS).unwrap_or_default(),
            samples: self.get(&SAMPLES),
            dedup: self.get(&DEDUP),
        }
    }

    /// Returns the range of slices of a counter to read.
    pub fn range(&self) -> Range {
        Range { from: self.get(&FROM), to: self.get(&TO), fill: self.has(&FILL) }
    }
}
