//! `LB.UNION` and `LB.INTER`.

use std::ffi::CStr;
use std::ops::ControlFlow;

use leaderboard_core::board::Rules;
use leaderboard_core::calendar::When;
use leaderboard_core::combine::{Combination, Part};
use leaderboard_core::double::score_for;
use leaderboard_core::parts::Role;
use leaderboard_core::schema::{Aggregate, Order, Schema, Tally};
use leaderboard_core::time::Millis;
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Error, NativeType};

use super::room::Room;
use crate::argument::Argument;
use crate::call::{Call, Handled};
use crate::commit::{Commit, KeyChange, Sent};
use crate::host::{Direction, Host};
use crate::keyspace;
use crate::options::Options;
use crate::options::boards::INCARNATION;
use crate::options::moving::{COMBINE, PERIODS, PerKey};
use crate::options::reading::{AT, REAL};
use crate::refusal::Refusal;
use crate::sorted_sets::{self, SortedSet};
use crate::word::{Stream, Word};

/// Carries out `LB.UNION dest n key [key ...] [options]`.
pub fn union(call: &Call<impl Host>) -> Handled {
    combine(call, c"lb.union", false)
}

/// Carries out `LB.INTER dest n key [key ...] [options]`.
pub fn intersection(call: &Call<impl Host>) -> Handled {
    combine(call, c"lb.inter", true)
}

fn combine(call: &Call<impl Host>, event: &'static CStr, of_all: bool) -> Handled {
    let mut args = call.args();
    let dest = args.key()?;
    let keys = args.counted_keys("the number of keys")?;
    let options = call.options(args)?;
    let reading = What::of(&options, keys.len())?;
    if let Some(incarnation) = options.get(&INCARNATION) {
        return fill_part(call, (dest, incarnation), keys, (&options, &reading), (event, of_all));
    }
    let (schema, now) = rules(call, keys)?;
    let board = combination(call, keys, (&options, &reading), &schema)?.into_board(schema, now, of_all)?;
    let members = board.as_ref().map_or(0, Board::len);
    match board {
        Some(board) => store(call, dest, board, event)?,
        None => _ = sorted_sets::store(call, dest, std::iter::empty())?,
    }
    call.reply().int(members);
    Ok(())
}

/// Reads all sources, with their weights.
fn combination(
    call: &Call<impl Host>,
    keys: &[Argument],
    (options, reading): (&Options, &What),
    schema: &Schema,
) -> Result<Combination, Refusal> {
    let weights = options.weights_of(keys.len())?;
    let mut combination = Combination::new(schema.decimals, options.get(&COMBINE).unwrap_or_default());
    let room = Room::of(call);
    for (number, (key, weight)) in keys.iter().zip(weights).enumerate() {
        combination.begin(weight);
        add_source(call, *key, number, reading, schema, (&mut combination, &room))?;
    }
    Ok(combination)
}

/// Gives a part of a spread board the combined members of the same parts of other boards. A member is in the same part of
/// each board with this number of parts, so the part needs nothing from other nodes. The part is one that the gateway has
/// made for the result, with the rules of the result.
///
/// Replies with the number of members and, for each source, with the hash of its rules and the start of the period that
/// was read. So the gateway notices a part of another board, and parts that have read different periods.
fn fill_part(
    call: &Call<impl Host>,
    (dest, incarnation): (Argument, u64),
    keys: &[Argument],
    (options, reading): (&Options, &What),
    (event, of_all): (&'static CStr, bool),
) -> Handled {
    let Rules { schema, specs, .. } = keyspace::read(call, dest, |board: Option<&Board>| {
        let is_named = |board: &&Board| board.catalog().incarnation == incarnation;
        let board = board.filter(is_named).ok_or(Error::NotAPart)?;
        board.part()?;
        Ok(board.rules())
    })?;
    if schema.aggregate != Aggregate::Sum || specs != [Spec::new(Kind::All)] {
        return Err(Error::Stale("rules").into());
    }
    let mut sources = Vec::with_capacity(keys.len());
    let mut now = None;
    for (number, key) in keys.iter().enumerate() {
        let source = keyspace::read(call, *key, |board: Option<&Board>| {
            let source = board.ok_or(Error::NotAPart)?;
            same_part(source, schema.role)?;
            let now = call.now_of(source);
            let start = source.start_of_period(reading.views.of(number), reading.when(number), now)?;
            Ok((source.rules_hash(), start, now))
        })?;
        now = now.or(Some(source.2));
        sources.push(source);
    }
    let combined = combination(call, keys, (options, reading), &schema)?;
    let now = now.unwrap_or_default();
    let board = match combined.into_board(schema.clone(), now, of_all)? {
        Some(board) => board,
        None => Board::new(schema, &specs)?,
    };
    let members = board.len();
    fill(call, dest, board, event)?;
    let reply = call.reply();
    reply.array(2);
    reply.int(members);
    reply.array(sources.len());
    for (hash, start, _) in sources {
        reply.array(2);
        reply.int(hash);
        match start {
            Some(start) => reply.signed(start),
            None => reply.nil(),
        }
    }
    Ok(())
}

/// Checks that a source is the part with the number of the result.
fn same_part(source: &Board, role: Role) -> Result<(), Error> {
    match role {
        _ if source.schema().role == role => Ok(()),
        Role::Part { parts, .. } => Err(Error::NoPart(parts.count())),
        Role::Whole | Role::Root(_) => Err(Error::NotAPart),
    }
}

/// Returns the rules and the time of the result. Both are taken from the first source that is a board.
fn rules(call: &Call<impl Host>, keys: &[Argument]) -> Result<(Schema, Millis), Refusal> {
    let Some(first) = keys.iter().find(|key| keyspace::holds::<Board>(call, **key)) else {
        return Ok((Schema::default(), call.wall()));
    };
    keyspace::read(call, *first, |board: Option<&Board>| {
        let Some(board) = board else { return Ok((Schema::default(), call.wall())) };
        let Schema { order, ties, decimals, clock, dedup, calendar, .. } = *board.schema();
        let schema = Schema { order, ties, decimals, clock, dedup, calendar, ..Schema::default() };
        Ok((schema, call.now_of(board)))
    })
}

/// The data that is read from each source that is a board.
struct What<'a> {
    views: PerKey<'a>,
    periods: PerKey<'a>,
    at: Option<Millis>,
    tally: Tally,
}

impl<'a> What<'a> {
    fn of(options: &Options<'a>, keys: usize) -> Result<Self, Refusal> {
        let at = options.get(&AT);
        if at.is_some() && options.has(&PERIODS) {
            return Err(Error::Conflict("PERIOD", "AT").into());
        }
        let tally = if options.has(&REAL) { Tally::Real } else { Tally::Shown };
        Ok(Self { views: options.views_of(keys)?, periods: options.periods_of(keys)?, at, tally })
    }

    fn when(&self, number: usize) -> When<'a> {
        self.at.map(When::At).or_else(|| self.periods.of(number).map(When::parse)).unwrap_or_default()
    }
}

/// Adds the members of a source. The source's members are not stored separately, because a list can contain a large
/// source many times.
fn add_source(
    call: &Call<impl Host>,
    key: Argument,
    number: usize,
    what: &What,
    schema: &Schema,
    (combination, room): (&mut Combination, &Room),
) -> Result<(), Refusal> {
    if keyspace::holds::<Board>(call, key) {
        return keyspace::read(call, key, |board: Option<&Board>| {
            board.map_or(Ok(()), |board| add_board(board, number, what, (combination, room)))
        });
    }
    let direction = if schema.order == Order::Desc { Direction::Down } else { Direction::Up };
    add_set(&SortedSet::open(call, key, direction)?, schema.decimals, (combination, room))
}

fn add_board(
    board: &Board,
    number: usize,
    what: &What,
    (combination, room): (&mut Combination, &Room),
) -> Result<(), Refusal> {
    board.schema().needs_decimals("combining boards")?;
    let reading = board.read(what.views.of(number), what.when(number), what.tally)?;
    let decimals = board.schema().decimals;
    let mut added = Ok(());
    reading.dated(|id, score, moment| {
        let part = Part { name: board.name(id), score, decimals, moment: Some(moment) };
        if added.is_ok() {
            added = add(combination, &part, room);
        }
    });
    added
}

/// Adds a part, and checks that the result does not take more memory than there is.
fn add(combination: &mut Combination, part: &Part, room: &Room) -> Result<(), Refusal> {
    combination.add(part)?;
    room.check(combination.bytes())
}

fn add_set(
    set: &SortedSet<impl Host>,
    decimals: u8,
    (combination, room): (&mut Combination, &Room),
) -> Result<(), Refusal> {
    let mut added = Ok(());
    set.walk(0, |name, score| {
        let score = score_for(name, score, decimals, false).map_err(Refusal::from);
        added = score.and_then(|score| add(combination, &Part { name, score, decimals, moment: None }, room));
        if added.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    added
}

/// Stores the result in its key. Replicas get the saved board.
fn store(call: &Call<impl Host>, dest: Argument, board: Board, event: &'static CStr) -> Result<(), Refusal> {
    let change = saved_as(dest, &board, event);
    keyspace::replace(call, dest, board, &Commit { count: None, change: Some(change) })
}

/// Puts the result in the place of a part, with the catalogue entry of the part.
fn fill(
    call: &Call<impl Host>,
    dest: Argument,
    mut board: Board,
    event: &'static CStr,
) -> Result<(), Refusal> {
    let gone = || Err(Error::NotAPart.into());
    keyspace::write(call, dest, gone, |present: &mut Board| {
        board.set_catalog(present.catalog())?;
        let change = saved_as(dest, &board, event);
        *present = board;
        Ok(((), Commit { count: None, change: Some(change) }))
    })
}

/// Returns the change of a key that gets this board.
fn saved_as<'a>(dest: Argument<'a>, board: &Board, event: &'static CStr) -> KeyChange<'a> {
    let mut chunks = Vec::new();
    NativeType::save(board, |chunk| chunks.push(chunk.to_vec()));
    let send = move |stream: &dyn Stream| {
        stream.send(c"DEL", std::iter::once(dest.into()));
        chunks.iter().for_each(|chunk| stream.send(c"LB.RESTORE", [dest.into(), Word::of(chunk)]));
    };
    KeyChange { event, sent: Sent::Instead(Box::new(send)) }
}
