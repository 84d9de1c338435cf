//! Options of writes to members.

use std::cmp::Ordering;

use leaderboard_core::board::Condition;
use leaderboard_core::calendar::Unit;
use leaderboard_core::dimensions::{MAX_DIMENSIONS, MAX_SEGMENT};
use leaderboard_core::error::Quoted;
use leaderboard_core::parts::Parts;
use leaderboard_core::time::Millis;
use leaderboard_core::view::Kind;
use leaderboard_core::{Board, Error, MAX_ATTEMPT, MAX_REQUEST};

use super::boards::parts;
use super::catalog::number;
use super::reading::{WITHIN, view_name};
use super::{Opt, OptionValue, Options, flag};
use crate::arguments::{Read, meta, millis, sized};

/// `NX`: writes only to new members. `XX`: writes only to members with a score.
pub static PRESENT: Opt<bool> =
    Opt::new(&["NX", "XX"], "", |value| Ok(value.word() == "XX")).checked(comparable).sent(0);

/// `GT`: writes only a greater score. `LT`: writes only a smaller score.
pub static COMPARED: Opt<Ordering> = Opt::new(&["GT", "LT"], "", read_compared).checked(comparable).sent(1);

/// A request id. A request with an id that was already used is not applied again.
pub static ID: Opt<()> =
    Opt::new(&["ID"], "request", |value| sized(value.next()?, "ID", MAX_REQUEST).map(|_| ())).sent(2);

/// The number of an attempt to send a request. If the sender sends the attempt again, the reply says that it was applied.
pub static ATTEMPT: Opt<u32> = Opt::new(&["ATTEMPT"], "number", read_attempt).by_gateway().sent(5);

/// The view in which a score is set.
pub static SET_VIEW: Opt<()> = Opt::new(&["VIEW"], "view", |value| view_name(value.next()?)).sent(3);

/// The rolling view whose position is in the reply.
pub static WINDOW: Opt<Kind> = Opt::new(&["WINDOW"], "n unit", read_window).sent(3);

/// The text of the member. An empty text deletes it.
pub static META: Opt<()> = Opt::new(&["META"], "text", |value| meta(value.next()?).map(|_| ())).sent(4);

/// The new segment of the members in a dimension. An empty value means no segment.
pub static SEGMENT: Opt<()> = Opt::new(&["SEGMENT"], "name value", read_segment)
    .repeated(MAX_DIMENSIONS, Error::TooMany("SEGMENT", MAX_DIMENSIONS, "dimensions"))
    .sent(6);

/// Passes all rules of scores.
pub static FORCE: Opt<()> = flag(&["FORCE"]).sent(7);

/// The number of parts. The key must be one part of a board over this number of parts. If it is 1, which is read as
/// `None`, the key must hold a whole board.
pub static PARTS: Opt<Option<Parts>> = Opt::new(&["PARTS"], "n", read_parts).local();

/// The incarnation of the board of which the key must be a part.
pub static INCARNATION: Opt<u64> =
    Opt::new(&["INCARNATION"], "number", |value| number(value.next()?, "INCARNATION")).local();

/// Also returns the position before the write.
pub static WITHCHANGE: Opt<()> = flag(&["WITHCHANGE"]).checked(not_quiet);

/// Returns only how many items the write has applied.
pub static QUIET: Opt<()> = flag(&["QUIET"]).checked(not_quiet);

/// The board's time when the write was decided. Only the primary and the append-only file send this option.
pub static NOW: Opt<Millis> = Opt::new(&["NOW"], "ms", |value| millis(value.next()?, "NOW")).hidden();

fn read_parts(value: &mut OptionValue) -> Read<Option<Parts>> {
    let number = value.next()?;
    if number == b"1" { Ok(None) } else { parts(number, "PARTS").map(Some) }
}

fn read_segment(value: &mut OptionValue) -> Read<()> {
    value.next()?;
    segment_value(value.next()?).map(|_| ())
}

/// Reads the name of a segment, which is empty for no segment.
///
/// # Errors
/// [`Error::TooLong`].
pub fn segment_value(value: &[u8]) -> Read<&[u8]> {
    if value.len() > MAX_SEGMENT { Err(Error::TooLong("value", MAX_SEGMENT).into()) } else { Ok(value) }
}

fn read_attempt(value: &mut OptionValue) -> Read<u32> {
    let number = u32::try_from(number(value.next()?, "ATTEMPT")?).ok();
    let number = number.filter(|number| (1..=MAX_ATTEMPT).contains(number));
    Ok(number.ok_or(Error::OutOfRange("ATTEMPT"))?)
}

fn read_compared(value: &mut OptionValue) -> Read<Ordering> {
    Ok(if value.word() == "GT" { Ordering::Greater } else { Ordering::Less })
}

fn read_window(value: &mut OptionValue) -> Read<Kind> {
    let (count, unit) = (value.next()?, value.next()?);
    let unit = Unit::parse(unit).ok_or(Error::BadUnit("WINDOW", Quoted::new(unit)))?;
    Ok(Kind::rolling(count, unit)?)
}

/// Checks that `NX` is not used with `GT` or `LT`: a new member has no score to compare with.
fn comparable(options: &Options) -> Read<()> {
    let Condition { present, compared } = options.condition();
    match (present, compared) {
        (Some(false), Some(Ordering::Greater)) => Err(Error::Conflict("NX", "GT").into()),
        (Some(false), Some(_)) => Err(Error::Conflict("NX", "LT").into()),
        _ => Ok(()),
    }
}

/// Checks that `QUIET` is not used with an option that asks for more in the reply.
pub fn not_quiet(options: &Options) -> Read<()> {
    for (more, is_given) in [("WITHCHANGE", options.has(&WITHCHANGE)), ("WITHIN", options.has(&WITHIN))] {
        if is_given && options.has(&QUIET) {
            return Err(Error::Conflict("QUIET", more).into());
        }
    }
    Ok(())
}

/// What the key of a write must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    parts: Option<Option<Parts>>,
    incarnation: Option<u64>,
}

impl Expected {
    /// Checks the board of a key.
    ///
    /// # Errors
    /// [`Error::NoPart`].
    pub fn check(self, board: Option<&Board>) -> Result<(), Error> {
        let wanted = match (self.parts, self.incarnation) {
            (None, None) => return Ok(()),
            (wanted, _) => wanted.flatten(),
        };
        let wrong = Error::NoPart(wanted.map_or(1, Parts::count));
        let board = board.ok_or(wrong)?;
        if self.incarnation.is_some_and(|incarnation| incarnation != board.catalog().incarnation) {
            return Err(wrong);
        }
        if self.parts.is_some() { board.schema().role.check_share(wanted) } else { Ok(()) }
    }
}

impl<'a> Options<'a> {
    /// Returns the new segments of the members: the name of each dimension, and the value.
    pub fn segments(&self) -> Vec<(&'a [u8], &'a [u8])> {
        self.words::<2>(&SEGMENT).map(|[name, value]| (name, value)).collect()
    }
}

impl Options<'_> {
    /// Returns what the key of a write must hold.
    pub fn expected(&self) -> Expected {
        Expected { parts: self.get(&PARTS), incarnation: self.get(&INCARNATION) }
    }

    /// Returns the condition of a write.
    pub fn condition(&self) -> Condition {
        Condition { present: self.get(&PRESENT), compared: self.get(&COMPARED) }
    }
}
