//! Options of reads.

use leaderboard_core::Amount;
use leaderboard_core::board::{Around, Board, Reading, Side};
use leaderboard_core::calendar::When;
use leaderboard_core::dimensions::MAX_SEGMENT;
use leaderboard_core::error::Quoted;
use leaderboard_core::integer::natural;
use leaderboard_core::parts::MAX_PARTS;
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::time::Millis;
use leaderboard_core::view::Kind;
use leaderboard_core::{Error, MAX_NAME};

use super::writing::not_quiet;
use super::{Opt, OptionValue, Options, flag};
use crate::argument::Argument;
use crate::arguments::{Read, millis, sized};
use crate::refusal::Refusal;

/// The view to read, or the view of a write's reply.
pub static VIEW: Opt<()> = Opt::new(&["VIEW"], "view", |value| view_name(value.next()?));

/// The name of the period to read.
pub static PERIOD: Opt<()> =
    Opt::new(&["PERIOD"], "period", |value| value.next().map(|_| ())).checked(one_period);

/// The time of an event, or a time in the period to read.
pub static AT: Opt<Millis> = Opt::new(&["AT"], "ms", |value| millis(value.next()?, "AT")).checked(one_period);

/// How ranks are counted.
pub static RANKS: Opt<Ranks> =
    Opt::new(&["RANKS"], "ORDINAL|COMPETITION|DENSE", read_ranks).checked(ranks_follow);

/// The members of one segment alone.
pub static IN: Opt<()> = Opt::new(&["IN"], "name value", |value| {
    value.next()?;
    sized(value.next()?, "value", MAX_SEGMENT).map(|_| ())
})
.checked(one_segment);

/// The members of the segment of the named member alone.
pub static WITHIN: Opt<()> =
    Opt::new(&["WITHIN"], "name", |value| value.next().map(|_| ())).checked(within_alone);

/// The dimension of a prize table with the places in each segment.
pub static PER: Opt<()> = Opt::new(&["PER"], "name", |value| value.next().map(|_| ()));

/// Only prizes that nobody has claimed.
pub static UNCLAIMED: Opt<()> = flag(&["UNCLAIMED"]);

/// `RANKS`, for commands on which it has no effect.
pub static UNUSED_RANKS: Opt<Ranks> = Opt::new(&["RANKS"], "ORDINAL|COMPETITION|DENSE", read_ranks).hidden();

/// Reads real votes instead of shown votes.
pub static REAL: Opt<()> = flag(&["REAL"]);

/// Counts ranks from the last place.
pub static REV: Opt<()> = flag(&["REV"]);

/// `REV`, for commands on which it has no effect.
pub static UNUSED_REV: Opt<()> = flag(&["REV"]).hidden();

/// Includes the meta of members.
pub static WITHMETA: Opt<()> = flag(&["WITHMETA"]);

/// The form of a page, if it is not an array of rows.
pub static FORM: Opt<Form> = Opt::new(&["FLAT", "PACKED"], "", read_form).checked(ranks_follow);

/// The members to read.
pub static MEMBERS: Opt<()> = Opt::new(&["MEMBERS"], "n member [member ...]", read_members).required();

/// Places next to entries, by score and moment.
pub static PLACES: Opt<()> = Opt::new(&["PLACES"], "n score moment side [score moment side ...]", |value| {
    read_places(value).map(|_| ())
})
.required();

/// The number of lines to show above a member.
pub static ABOVE: Opt<u64> = Opt::new(&["ABOVE"], "n", |value| Ok(natural(value.next()?, "ABOVE")?));

/// The number of lines to show below a member.
pub static BELOW: Opt<u64> = Opt::new(&["BELOW"], "n", |value| Ok(natural(value.next()?, "BELOW")?));

/// Shows more lines on one side of a member if there are too few lines on the other side.
pub static FILL: Opt<()> = flag(&["FILL"]);

/// The number of lines to skip.
pub static OFFSET: Opt<u64> = Opt::new(&["OFFSET"], "n", |value| Ok(natural(value.next()?, "OFFSET")?));

/// The maximum number of lines to show.
pub static COUNT: Opt<u64> = Opt::new(&["COUNT"], "n", |value| Ok(natural(value.next()?, "COUNT")?));

pub(super) fn read_members(value: &mut OptionValue) -> Read<()> {
    let incomplete = |_| Refusal::from(Error::IncompleteList("members"));
    let members = natural(value.next()?, value.word())?;
    if members == 0 {
        return Err(Error::OutOfRange(value.word()).into());
    }
    (0..members).try_for_each(|_| {
        sized(value.next().map_err(incomplete)?, "member", MAX_NAME)?;
        Ok(())
    })
}

/// A place directly before or after all entries with a score and a moment.
#[derive(Clone, Copy)]
pub struct Beside<'a> {
    /// The score of the entries.
    pub score: Amount<'a>,
    /// The moment when the members got this score.
    pub moment: Millis,
    /// The side: before or after the entries.
    pub side: BesideSide,
}

/// The side of equal entries on which a place is.
#[derive(Clone, Copy)]
pub enum BesideSide {
    /// The same side in each part.
    Each(Side),
    /// The place of an entry of this part, in the order of the whole board: equal entries of parts with lower numbers
    /// are before it.
    OfPart(u16),
}

impl BesideSide {
    /// Returns the side in one part. `is_reversed` is true if places count from the other end.
    pub const fn in_part(self, number: u16, is_reversed: bool) -> Side {
        match self {
            Self::Each(side) => side,
            Self::OfPart(part) if number != part && (number < part) != is_reversed => Side::After,
            Self::OfPart(_) => Side::Before,
        }
    }
}

impl<'a> Beside<'a> {
    /// Reads a score, a moment and a side.
    ///
    /// # Errors
    /// The errors of the value that is wrong.
    pub fn read(mut next: impl FnMut() -> Read<&'a [u8]>) -> Read<Self> {
        Ok(Self {
            score: Amount::parse(next()?, "score")?,
            moment: natural(next()?, "moment")?,
            side: read_side(next()?)?,
        })
    }
}

fn read_side(word: &[u8]) -> Read<BesideSide> {
    match word {
        _ if word.eq_ignore_ascii_case(b"BEFORE") => Ok(BesideSide::Each(Side::Before)),
        _ if word.eq_ignore_ascii_case(b"AFTER") => Ok(BesideSide::Each(Side::After)),
        _ => {
            let part = natural(word, "side").ok().and_then(|part| u16::try_from(part).ok());
            let part = part.filter(|part| *part < MAX_PARTS);
            let wrong = Error::NotOneOf("the side", "BEFORE, AFTER, or the number of a part");
            Ok(BesideSide::OfPart(part.ok_or(wrong)?))
        }
    }
}

fn read_places(value: &mut OptionValue) -> Read<()> {
    let places = natural(value.next()?, "PLACES")?;
    if places == 0 {
        return Err(Error::OutOfRange("PLACES").into());
    }
    (0..places).try_for_each(|_| {
        Beside::read(|| value.next().map_err(|_| Error::IncompleteList("places").into()))?;
        Ok(())
    })
}

/// The forms of a page that contain the rank of the first row only.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// All rows in one array.
    Flat,
    /// All rows in one string.
    Packed,
}

fn read_form(value: &mut OptionValue) -> Read<Form> {
    Ok(if value.word() == "FLAT" { Form::Flat } else { Form::Packed })
}

/// Checks that ranks can be left out of the reply. In some forms of a reply, only the rank of the first row is written,
/// and the other ranks must follow from it.
fn ranks_follow(options: &Options) -> Read<()> {
    let Some(form) = options.get(&FORM) else { return Ok(()) };
    let form = if form == Form::Flat { "FLAT" } else { "PACKED" };
    match options.ranks() {
        Ranks::Ordinal => Ok(()),
        Ranks::Competition => Err(Error::Conflict(form, "RANKS COMPETITION").into()),
        Ranks::Dense => Err(Error::Conflict(form, "RANKS DENSE").into()),
    }
}

fn read_ranks(value: &mut OptionValue) -> Read<Ranks> {
    Ok(Ranks::parse(value.next()?)?)
}

fn one_segment(options: &Options) -> Read<()> {
    if options.has(&IN) && options.has(&WITHIN) {
        return Err(Error::Conflict("IN", "WITHIN").into());
    }
    Ok(())
}

fn within_alone(options: &Options) -> Read<()> {
    one_segment(options)?;
    not_quiet(options)
}

fn one_period(options: &Options) -> Read<()> {
    if options.has(&AT) && options.has(&PERIOD) {
        return Err(Error::Conflict("PERIOD", "AT").into());
    }
    Ok(())
}

impl<'a> Options<'a> {
    /// Returns how ranks are counted.
    pub fn ranks(&self) -> Ranks {
        self.get(&RANKS).unwrap_or_default()
    }

    /// Returns the period that the options name; `None` if they name no period.
    pub fn period(&self) -> Option<When<'a>> {
        self.text(&PERIOD).map(When::parse).or_else(|| self.get(&AT).map(When::At))
    }

    /// Returns the data of a board to read.
    ///
    /// # Errors
    /// The errors of [`Board::read`].
    pub fn reading<'b>(&self, board: &'b Board) -> Read<Reading<'b>> {
        self.reading_at(board, self.period().unwrap_or_default())
    }

    /// Returns the data of a board to read, in a period.
    ///
    /// # Errors
    /// The errors of [`Options::reading`].
    pub fn reading_at<'b>(&self, board: &'b Board, when: When) -> Read<Reading<'b>> {
        self.restricted(board, board.read(self.text(&VIEW), when, self.tally())?)
    }

    /// Returns the data of a board to read for a member. `None` if the member's own segment is to be read, and it is in none.
    ///
    /// # Errors
    /// The errors of [`Options::reading`].
    pub fn reading_of<'b>(&self, board: &'b Board, member: &[u8]) -> Read<Option<Reading<'b>>> {
        let when = self.period().unwrap_or_default();
        let reading = board.read_of(member, self.text(&VIEW), when, self.tally())?;
        self.for_member(board, self.restricted(board, reading)?, member)
    }

    fn tally(&self) -> Tally {
        if self.has(&REAL) { Tally::Real } else { Tally::Shown }
    }

    /// Returns the same period from the end that the options name, with the members of the segment that they name.
    fn restricted<'b>(&self, board: &'b Board, reading: Reading<'b>) -> Read<Reading<'b>> {
        let reading = if self.has(&REV) { reading.reversed() } else { reading };
        let [name, value] = self.values(&IN) else { return Ok(reading) };
        Ok(reading.in_segment(board.schema().segments.find(name.bytes())?, value.bytes()))
    }

    /// Returns the part of what is read that is for a member. `None` if the member's own segment is to be read, and it is in none.
    ///
    /// # Errors
    /// [`Error::NoSuchDimension`].
    pub fn for_member<'b>(
        &self,
        board: &'b Board,
        reading: Reading<'b>,
        member: &[u8],
    ) -> Read<Option<Reading<'b>>> {
        Ok(match self.within(board)? {
            Some(dimension) => reading.within(dimension, member),
            None => Some(reading),
        })
    }

    /// Returns the number of the dimension that `WITHIN` names.
    ///
    /// # Errors
    /// [`Error::NoSuchDimension`].
    pub fn within(&self, board: &Board) -> Read<Option<usize>> {
        Ok(self.text(&WITHIN).map(|name| board.schema().segments.find(name)).transpose()?)
    }

    /// Returns the members to read.
    pub fn members(&self) -> Vec<&'a [u8]> {
        self.values(&MEMBERS).iter().skip(1).map(Argument::bytes).collect()
    }

    /// Returns the places to read.
    pub fn places(&self) -> Read<Vec<Beside<'a>>> {
        let mut words = self.values(&PLACES).iter().skip(1).map(Argument::bytes);
        let mut places = Vec::with_capacity(words.len() / 3);
        while words.len() > 0 {
            places.push(Beside::read(|| words.next().ok_or(Refusal::Arity))?);
        }
        Ok(places)
    }

    /// Returns the number of lines to show on each side of a member. `count` is the number for both sides, if the call
    /// contains it.
    ///
    /// # Errors
    /// [`Error::Conflict`], [`Error::MissingOption`].
    pub fn around_a_member(&self, count: Option<u64>) -> Read<Around> {
        let (above, below, fill) = (self.get(&ABOVE), self.get(&BELOW), self.has(&FILL));
        match (count, above, below) {
            (Some(count), None, None) => Ok(Around { fill, ..Around::both(count) }),
            (Some(_), Some(_), _) => Err(Error::Conflict("count", "ABOVE").into()),
            (Some(_), None, Some(_)) => Err(Error::Conflict("count", "BELOW").into()),
            (None, None, None) => Err(Error::MissingOption("count").into()),
            (None, above, below) => Ok(Around { above: above.unwrap_or(0), below: below.unwrap_or(0), fill }),
        }
    }
}

/// Checks that a view can have this name.
pub fn view_name(name: &[u8]) -> Read<()> {
    Kind::parse(name).map_err(|_| Error::NoSuchView("VIEW", Quoted::new(name)))?;
    Ok(())
}
