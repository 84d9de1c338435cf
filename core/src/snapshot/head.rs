//! The head of a saved board: everything but members, both ways.

use super::wire::{Reader, put_bytes, put_number, put_signed};
use super::{FORMAT, HEAD};
use crate::Error;
use crate::board::Board;
use crate::calendar::{Calendar, Unit, Weekday, Zone};
use crate::schema::{Aggregate, Order, Schema, Ties};
use crate::time::{Clock, MAX_MILLIS};
use crate::view::{Kind, MAX_VIEWS, Share, Spec, View};

const ORDERS: [Order; 2] = [Order::Desc, Order::Asc];
const AGGREGATES: [Aggregate; 4] = [Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last];
const TIES: [Ties; 3] = [Ties::First, Ties::Last, Ties::Lex];
const CLOCKS: [Clock; 2] = [Clock::Server, Clock::Event];
const DAYS: [Weekday; 7] =
    [Weekday::Mon, Weekday::Tue, Weekday::Wed, Weekday::Thu, Weekday::Fri, Weekday::Sat, Weekday::Sun];
/// What a view counts in, where that is no number of seconds; 0 stands for `all`.
const UNITS: [Unit; 6] = [Unit::Minute, Unit::Hour, Unit::Day, Unit::Week, Unit::Month, Unit::Year];
const SECONDS: u8 = UNITS.len() as u8 + 1;
/// A board that counts real votes apart from shown ones.
const WITH_SHOWN: u8 = 1;
/// A board on which only declared options can be voted for.
const WITH_DECLARED: u8 = 2;
/// Longest name of a zone in bytes.
const MAX_ZONE: usize = 64;

fn code<T: PartialEq>(all: &[T], value: &T) -> u8 {
    all.iter().position(|other| other == value).and_then(|at| u8::try_from(at).ok()).unwrap_or(0)
}

fn one_of<T: Copy>(reader: &mut Reader, all: &[T]) -> Result<T, Error> {
    let code = reader.byte()?;
    all.get(usize::from(code)).copied().ok_or(Error::Corrupt("the schema"))
}

impl Board {
    pub(super) fn head(&self) -> Vec<u8> {
        let Schema { order, aggregate, ties, decimals, clock, dedup, calendar, shown, declared } =
            &self.schema;
        let mut head = vec![HEAD, FORMAT, code(&ORDERS, order), code(&AGGREGATES, aggregate)];
        head.extend([code(&TIES, ties), *decimals, code(&CLOCKS, clock)]);
        put_number(&mut head, u64::from(*dedup));
        put_number(&mut head, self.last);
        put_bytes(&mut head, calendar.zone.to_string().as_bytes());
        head.push(code(&DAYS, &calendar.week_start));
        put_number(&mut head, calendar.origin);
        put_number(&mut head, self.sequences);
        head.push(if *shown { WITH_SHOWN } else { 0 } | if *declared { WITH_DECLARED } else { 0 });
        put_number(&mut head, self.width() as u64);
        self.specs().for_each(|spec| put_spec(&mut head, spec));
        self.views.iter().for_each(|view| put_span(&mut head, view));
        head
    }

    /// Begins a board from its first chunk, the head.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where it is not one, or of a format that this version cannot read.
    pub fn load(head: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader(head);
        if reader.byte()? != HEAD {
            return Err(Error::Corrupt("it does not begin with a head"));
        }
        let format = reader.byte()?;
        if format != FORMAT {
            return Err(Error::Corrupt("another format"));
        }
        let mut schema = Schema {
            order: one_of(&mut reader, &ORDERS)?,
            aggregate: one_of(&mut reader, &AGGREGATES)?,
            ties: one_of(&mut reader, &TIES)?,
            decimals: reader.byte()?,
            clock: one_of(&mut reader, &CLOCKS)?,
            dedup: reader.number()?.try_into().map_err(|_| Error::Corrupt("DEDUP"))?,
            ..Schema::default()
        };
        let last = moment(reader.number()?)?;
        schema.calendar = read_calendar(&mut reader)?;
        let mut board = read_views(&mut reader, schema)?;
        super::load::at_end(&reader)?;
        board.last = last;
        board.bound();
        Ok(board)
    }
}

fn put_spec(head: &mut Vec<u8>, spec: &Spec) {
    match spec.kind {
        Kind::All => head.push(0),
        Kind::Periods { unit: Unit::Seconds(seconds), count } => {
            head.push(SECONDS);
            put_number(head, u64::from(seconds));
            put_number(head, u64::from(count));
        }
        Kind::Periods { unit, count } => {
            head.push(code(&UNITS, &unit).saturating_add(1));
            put_number(head, u64::from(count));
        }
    }
    put_share(head, spec.carry);
    put_number(head, u64::from(spec.retain));
}

/// The current period and the oldest that is kept, by their starts, and what was carried over, if there are any.
fn put_span(head: &mut Vec<u8>, view: &View) {
    let periods = view.periods();
    match periods.and_then(|periods| Some((periods.span?, periods))) {
        Some((span, periods)) => {
            head.push(1);
            put_signed(head, span.period.start);
            put_signed(head, periods.oldest());
            put_share(head, periods.share);
        }
        None => head.push(0),
    }
}

fn read_calendar(reader: &mut Reader) -> Result<Calendar, Error> {
    let zone = Zone::parse(reader.bytes(1, MAX_ZONE)?).ok_or(Error::Corrupt("the zone"))?;
    Ok(Calendar { zone, week_start: one_of(reader, &DAYS)?, origin: moment(reader.number()?)? })
}

fn new_board(schema: Schema, specs: &[Spec]) -> Result<Board, Error> {
    Board::new(schema, specs).map_err(|_| Error::Corrupt("the schema"))
}

/// The current and first period of a view, by their starts, and the share carried into it.
type Begun = Option<(i64, i64, Option<Share>)>;

fn read_views(reader: &mut Reader, mut schema: Schema) -> Result<Board, Error> {
    let sequences = reader.number()?;
    if sequences > crate::members::MAX_SEQUENCE {
        return Err(Error::Corrupt("a write's number"));
    }
    let flags = reader.byte()?;
    if flags & !(WITH_SHOWN | WITH_DECLARED) != 0 {
        return Err(Error::Corrupt("an unknown flag"));
    }
    (schema.shown, schema.declared) = (flags & WITH_SHOWN != 0, flags & WITH_DECLARED != 0);
    let count = reader.number()?;
    if count > MAX_VIEWS as u64 {
        return Err(Error::Corrupt("the schema"));
    }
    let (mut specs, mut begun) = (Vec::new(), Vec::new());
    for _ in 0..count {
        specs.push(read_spec(reader)?);
    }
    let mut board = new_board(schema, &specs)?;
    board.sequences = sequences;
    while begun.len() < board.views.len() {
        begun.push(read_begun(reader)?);
    }
    board.views.iter_mut().zip(begun).try_for_each(|(view, begun)| begin(view, &schema, begun))?;
    Ok(board)
}

fn read_begun(reader: &mut Reader) -> Result<Begun, Error> {
    match reader.byte()? {
        0 => Ok(None),
        1 => Ok(Some((start(reader)?, start(reader)?, read_share(reader)?))),
        _ => Err(Error::Corrupt("a period")),
    }
}

fn begin(view: &mut View, schema: &Schema, begun: Begun) -> Result<(), Error> {
    match (view.periods_mut(), begun) {
        (Some(periods), Some((start, since, share))) => {
            periods.share = share;
            periods.span = Some(periods.rules.span(&schema.calendar, start));
            periods.since = since;
            periods.set_kept(&schema.calendar);
        }
        (None, Some(_)) => return Err(Error::Corrupt("a period")),
        (_, None) => {}
    }
    Ok(())
}

fn read_spec(reader: &mut Reader) -> Result<Spec, Error> {
    let unit = match reader.byte()? {
        0 => None,
        SECONDS => {
            let text = format!("{}s", reader.number()?);
            Some(Unit::parse(text.as_bytes()).ok_or(Error::Corrupt("a view"))?)
        }
        code => {
            let unit = UNITS.get(usize::from(code.saturating_sub(1)));
            Some(*unit.ok_or(Error::Corrupt("a view"))?)
        }
    };
    let kind = match unit {
        None => Kind::All,
        Some(unit) => Kind::Periods { unit, count: count(reader)? },
    };
    let carry = read_share(reader)?;
    let retain = u32::try_from(reader.number()?).map_err(|_| Error::Corrupt("a view"))?;
    Ok(Spec { kind, carry, retain })
}

/// A share, or 0 for none.
fn put_share(head: &mut Vec<u8>, share: Option<Share>) {
    put_number(head, u64::from(share.map_or(0, Share::billionths)));
}

fn read_share(reader: &mut Reader) -> Result<Option<Share>, Error> {
    let share = u32::try_from(reader.number()?).ok();
    match share.ok_or(Error::Corrupt("a share"))? {
        0 => Ok(None),
        share => Share::from_billionths(share).map(Some).ok_or(Error::Corrupt("a share")),
    }
}

fn count(reader: &mut Reader) -> Result<u16, Error> {
    let count = u16::try_from(reader.number()?).ok();
    count.filter(|count| (1..=crate::view::MAX_COUNT).contains(count)).ok_or(Error::Corrupt("a view"))
}

/// The start of a period.
pub(super) fn start(reader: &mut Reader) -> Result<i64, Error> {
    const MOST: u64 = 2 * MAX_MILLIS;
    let start = reader.signed()?;
    if start.unsigned_abs() <= MOST { Ok(start) } else { Err(Error::Corrupt("a period")) }
}

pub(super) fn moment(at: u64) -> Result<u64, Error> {
    if at <= MAX_MILLIS { Ok(at) } else { Err(Error::Corrupt("a moment out of range")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The head of a board of as many views as there can be, which says that there are so many, and ends
    /// in a byte that begins none.
    fn head(count: u8) -> Vec<u8> {
        let specs: Vec<_> = (1..=16)
            .map(|number| Spec::new(Kind::Periods { unit: Unit::Seconds(number), count: 1 }))
            .collect();
        let mut head = Board::new(Schema::default(), &specs).unwrap().head();
        let at = head.iter().position(|byte| usize::from(*byte) == specs.len()).unwrap();
        head[at] = count;
        head.truncate(head.len().saturating_sub(specs.len()));
        head.push(u8::MAX);
        head
    }

    #[test]
    fn saved_views_end_with_the_first_one_too_many() {
        let error = |count| Board::load(&head(count)).unwrap_err();
        assert_eq!(error(16), Error::Corrupt("a period"));
        assert_eq!(error(17), Error::Corrupt("the schema"));
    }
}
