//! The first chunk of a saved board, its head: the format, the schema, the clock, the views, and the current period
//! of each view.

use crate::Error;
use crate::board::Board;
use crate::catalog::{CatalogEntry, Hold, State};
use crate::dimensions::{Dimensions, MAX_DIMENSIONS, parse_dimensions};
use crate::levels::{Levels, MAX_LEVELS};
use crate::parts::{Parts, Role};
use crate::schema::{Aggregate, Order, Schema, Ties};
use crate::share::Share;
use crate::short_name::MAX_SHORT_NAME;
use crate::snapshot::chunk::Emit;
use crate::snapshot::rules::{
    CLOCKS, WRONG_SCHEMA, code, one_of, read_calendar, read_share, read_unit, write_calendar, write_share,
    write_unit,
};
use crate::snapshot::wire::{Reader, moment, put_bytes, put_number, put_signed, sequence, start};
use crate::view::{Kind, MAX_COUNT, MAX_VIEWS, Spec, View};

pub const HEAD: u8 = 1;

/// The version of the format. It is increased when older software cannot read the new format.
const FORMAT: u8 = 6;

const ORDERS: [Order; 2] = [Order::Desc, Order::Asc];
const AGGREGATES: [Aggregate; 4] = [Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last];
const STATES: [State; 7] = [
    State::Whole,
    State::Making,
    State::Altering,
    State::Ending,
    State::Restoring,
    State::Growing,
    State::Shrinking,
];
const TIES: [Ties; 4] = [Ties::First, Ties::Last, Ties::Lex, Ties::RevLex];
/// The code of the view `all`. Other views have the code of a unit at this position.
const ALL: u8 = 0;
/// The flag of a board that counts real votes apart from shown votes.
const WITH_SHOWN: u8 = 1;
/// The flag of a board on which only declared candidates can get votes.
const WITH_DECLARED: u8 = 2;
/// The maximum length of the text of levels: for each level a name, the order, 19 digits and the separators.
const MAX_LEVELS_TEXT: usize = MAX_LEVELS * (MAX_SHORT_NAME + 26);
/// The maximum length of the text of dimensions: for each a name, a metric and the separators.
const MAX_DIMENSIONS_TEXT: usize = MAX_DIMENSIONS * (MAX_SHORT_NAME + 7);
const WRONG_VIEW: Error = Error::Corrupt("a view");
const WRONG_ENTRY: Error = Error::Corrupt("the catalogue entry");

/// Writes the head of a board that is saved with this role and this catalogue entry.
pub fn write(board: &Board, (role, entry): (Role, CatalogEntry), emit: Emit) {
    let Schema {
        order,
        aggregate,
        ties,
        decimals,
        levels,
        clock,
        dedup,
        calendar,
        shown,
        declared,
        keep,
        notify_top,
        segments,
        role: _,
    } = &board.schema;
    let mut head = vec![HEAD, FORMAT, code(&ORDERS, order), code(&AGGREGATES, aggregate)];
    head.extend([code(&TIES, ties), *decimals, code(&CLOCKS, clock)]);
    put_number(&mut head, u64::from(*dedup));
    put_number(&mut head, u64::from(*notify_top));
    put_number(&mut head, board.last);
    write_calendar(&mut head, calendar);
    put_number(&mut head, board.sequences);
    put_number(&mut head, u64::from(*keep));
    let has_entry = role != Role::Whole || entry != CatalogEntry::default();
    write_role(&mut head, role, has_entry);
    if has_entry {
        write_catalog(&mut head, entry);
    }
    head.push(if *shown { WITH_SHOWN } else { 0 } | if *declared { WITH_DECLARED } else { 0 });
    put_bytes(&mut head, levels.as_ref().map(Levels::to_string).unwrap_or_default().as_bytes());
    put_bytes(&mut head, segments.to_string().as_bytes());
    put_number(&mut head, board.width() as u64);
    board.specs().for_each(|spec| write_spec(&mut head, spec));
    board.views.iter().for_each(|view| write_progress(&mut head, progress(view)));
    emit(&head);
}

pub fn read(head: &[u8]) -> Result<Board, Error> {
    let mut reader = Reader(head);
    if reader.byte()? != HEAD {
        return Err(Error::Corrupt("it does not begin with a head"));
    }
    if reader.byte()? != FORMAT {
        return Err(Error::Corrupt("another format"));
    }
    let (order, aggregate) = (one_of(&mut reader, &ORDERS)?, one_of(&mut reader, &AGGREGATES)?);
    let (ties, decimals) = (one_of(&mut reader, &TIES)?, reader.byte()?);
    let clock = one_of(&mut reader, &CLOCKS)?;
    let dedup = reader.small(Error::Corrupt("DEDUP"))?;
    let notify_top = reader.small(Error::Corrupt("NOTIFYTOP"))?;
    let last = moment(reader.number()?)?;
    let calendar = read_calendar(&mut reader)?;
    let sequences = sequence(reader.number()?)?;
    let keep = reader.small(Error::Corrupt("KEEP"))?;
    let (role, has_entry) = read_role(&mut reader)?;
    let entry = if has_entry { read_catalog(&mut reader)? } else { CatalogEntry::default() };
    if role == Role::Whole && has_entry && !is_of_plain(entry) {
        return Err(WRONG_ENTRY);
    }
    let flags = reader.byte()?;
    if flags & !(WITH_SHOWN | WITH_DECLARED) != 0 {
        return Err(Error::Corrupt("an unknown flag"));
    }
    let (shown, declared) = (flags & WITH_SHOWN != 0, flags & WITH_DECLARED != 0);
    let levels = read_levels(&mut reader)?;
    let segments = read_dimensions(&mut reader)?;
    let schema = Schema {
        order,
        aggregate,
        ties,
        decimals,
        levels,
        clock,
        dedup,
        calendar,
        shown,
        declared,
        keep,
        notify_top,
        segments,
        role,
    };
    let views = reader.number()?;
    if views > MAX_VIEWS as u64 {
        return Err(WRONG_SCHEMA);
    }
    let specs: Vec<_> = (0..views).map(|_| read_spec(&mut reader)).collect::<Result<_, _>>()?;
    let mut board = Board::new(schema, &specs).map_err(|_| WRONG_SCHEMA)?;
    (board.last, board.sequences) = (last, sequences);
    if entry != CatalogEntry::default() {
        board.put_catalog(entry);
    }
    let progress: Vec<_> =
        board.views.iter().map(|_| read_progress(&mut reader)).collect::<Result<_, _>>()?;
    let Board { views, schema, .. } = &mut board;
    views.iter_mut().zip(progress).try_for_each(|(view, progress)| begin(view, schema, progress))?;
    reader.finish()?;
    board.bound();
    Ok(board)
}

/// Writes the number of parts (0 for a whole board), and the number of this part (from 1; 0 for the root). The number of a
/// whole board is 1 if it has a catalogue entry.
fn write_role(head: &mut Vec<u8>, role: Role, has_entry: bool) {
    let number = match role {
        Role::Part { number, .. } => number.saturating_add(1),
        Role::Whole => has_entry.into(),
        Role::Root(_) => 0,
    };
    put_number(head, u64::from(role.parts().map_or(0, Parts::count)));
    put_number(head, u64::from(number));
}

/// Reads a role, and whether a catalogue entry follows.
fn read_role(reader: &mut Reader) -> Result<(Role, bool), Error> {
    let wrong = Error::Corrupt("PARTS");
    let (parts, number): (u16, u16) = (reader.small(wrong)?, reader.small(wrong)?);
    if parts == 0 {
        return if number <= 1 { Ok((Role::Whole, number == 1)) } else { Err(wrong) };
    }
    let parts = Parts::new(parts, "PARTS").map_err(|_| wrong)?;
    match number.checked_sub(1) {
        None => Ok((Role::Root(parts), true)),
        Some(number) if number < parts.count() => Ok((Role::Part { number, parts }, true)),
        Some(_) => Err(wrong),
    }
}

/// Returns whether this can be the entry of a plain board, which a gateway has begun to spread.
fn is_of_plain(entry: CatalogEntry) -> bool {
    let CatalogEntry { incarnation, hold, .. } = entry;
    let is_plain = entry == CatalogEntry { incarnation, hold, ..CatalogEntry::default() };
    is_plain && incarnation > 0 && !matches!(hold, Some(Hold::Copy { .. }))
}

fn write_catalog(head: &mut Vec<u8>, entry: CatalogEntry) {
    let CatalogEntry { incarnation, revision, request, state, target, hold } = entry;
    [incarnation, revision, request].into_iter().for_each(|number| put_number(head, number));
    head.push(code(&STATES, &state));
    put_number(head, u64::from(target.map_or(0, Parts::count)));
    let (token, until) = match hold {
        None => (0, 0),
        Some(Hold::Split { token, until }) => (token, until),
        Some(Hold::Copy { token }) => (token, 0),
    };
    [token, until].into_iter().for_each(|number| put_number(head, number));
}

fn read_catalog(reader: &mut Reader) -> Result<CatalogEntry, Error> {
    let number = |reader: &mut Reader| {
        let number = reader.number()?;
        if number >> 63 == 0 { Ok(number) } else { Err(WRONG_ENTRY) }
    };
    let [incarnation, revision, request] = [number(reader)?, number(reader)?, number(reader)?];
    let state = one_of(reader, &STATES)?;
    let target = match reader.small(WRONG_ENTRY)? {
        0 => None,
        target => Some(Parts::new(target, "PARTS").map_err(|_| WRONG_ENTRY)?),
    };
    let hold = match (number(reader)?, moment(reader.number()?)?) {
        (0, 0) => None,
        (0, _) => return Err(WRONG_ENTRY),
        (token, 0) => Some(Hold::Copy { token }),
        (token, until) => Some(Hold::Split { token, until }),
    };
    Ok(CatalogEntry { incarnation, revision, request, state, target, hold })
}

fn read_levels(reader: &mut Reader) -> Result<Option<Levels>, Error> {
    let text = reader.bytes(0, MAX_LEVELS_TEXT)?;
    if text.is_empty() { Ok(None) } else { Levels::parse(text).map(Some).map_err(|_| WRONG_SCHEMA) }
}

fn read_dimensions(reader: &mut Reader) -> Result<Dimensions, Error> {
    match reader.bytes(0, MAX_DIMENSIONS_TEXT)? {
        [] => Ok(Dimensions::default()),
        text => parse_dimensions(text).map_err(|_| WRONG_SCHEMA),
    }
}

fn write_spec(head: &mut Vec<u8>, spec: &Spec) {
    match spec.kind {
        Kind::All => head.push(ALL),
        Kind::Periods { unit, count } => {
            write_unit(head, unit);
            put_number(head, u64::from(count));
        }
    }
    write_share(head, spec.carry);
    write_share(head, spec.decay);
    put_number(head, u64::from(spec.retain));
}

fn read_spec(reader: &mut Reader) -> Result<Spec, Error> {
    let kind = match reader.byte()? {
        ALL => Kind::All,
        code => {
            let unit = read_unit(reader, code)?;
            let count = Some(reader.small(WRONG_VIEW)?).filter(|count| (1..=MAX_COUNT).contains(count));
            Kind::Periods { unit, count: count.ok_or(WRONG_VIEW)? }
        }
    };
    let (carry, decay) = (read_share(reader)?, read_share(reader)?);
    Ok(Spec { kind, carry, decay, retain: reader.small(WRONG_VIEW)? })
}

/// The periods of a view at the last write.
struct Progress {
    /// The start of the current period.
    current: i64,
    /// The start of the first period that the view has seen and not dropped.
    since: i64,
    /// The start of the last period with a write before the current period, if that period is always kept.
    last_written: Option<i64>,
    /// The share that was carried into the current period.
    share: Option<Share>,
}

/// Returns the periods of a view at the last write; `None` before the first write.
fn progress(view: &View) -> Option<Progress> {
    let periods = view.periods()?;
    let current = periods.written()?;
    let (since, last_written) = (periods.since, periods.last_written);
    Some(Progress { current: current.span.period.start, since, last_written, share: current.share })
}

fn begin(view: &mut View, schema: &Schema, progress: Option<Progress>) -> Result<(), Error> {
    match (view.periods_mut(), progress) {
        (Some(periods), Some(Progress { current, since, last_written, share })) => {
            periods.span = Some(periods.rules.span(&schema.calendar, current));
            (periods.since, periods.last_written, periods.share) = (since, last_written, share);
            // The period may have another start by the present rules of its time zone, but not one before it.
            let begin = periods.span.map(|span| span.period.start);
            if last_written >= begin && last_written.is_some() {
                return Err(Error::Corrupt("a period"));
            }
            periods.set_kept(&schema.calendar);
        }
        (None, Some(_)) => return Err(Error::Corrupt("a period")),
        (_, None) => {}
    }
    Ok(())
}

fn write_progress(head: &mut Vec<u8>, progress: Option<Progress>) {
    head.push(u8::from(progress.is_some()));
    if let Some(Progress { current, since, last_written, share }) = progress {
        put_signed(head, current);
        put_signed(head, since);
        // The last period with a write is always before the current period. So the start of the current period is
        // written for `None`.
        put_signed(head, last_written.unwrap_or(current));
        write_share(head, share);
    }
}

fn read_progress(reader: &mut Reader) -> Result<Option<Progress>, Error> {
    match reader.byte()? {
        0 => Ok(None),
        1 => {
            let (current, since, last_written) = (start(reader)?, start(reader)?, start(reader)?);
            if last_written > current {
                return Err(Error::Corrupt("a period"));
            }
            let last_written = Some(last_written).filter(|start| *start < current);
            Ok(Some(Progress { current, since, last_written, share: read_share(reader)? }))
        }
        _ => Err(Error::Corrupt("a period")),
    }
}
