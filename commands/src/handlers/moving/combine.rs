//! `LB.UNION` and `LB.INTER`.

use std::ffi::CStr;
use std::ops::ControlFlow;

use leaderboard_core::calendar::When;
use leaderboard_core::combine::{Combination, Part};
use leaderboard_core::double::score_for;
use leaderboard_core::schema::{Order, Schema, Tally};
use leaderboard_core::time::Millis;
use leaderboard_core::{Board, Error, NativeType};

use super::room::Room;
use crate::argument::Argument;
use crate::call::{Call, Handled};
use crate::commit::{Commit, KeyChange, Sent};
use crate::host::{Direction, Host};
use crate::keyspace;
use crate::options::Options;
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
    let weights = options.weights_of(keys.len())?;
    let (schema, now) = rules(call, keys)?;
    let mut combination = Combination::new(schema.decimals, options.get(&COMBINE).unwrap_or_default());
    let room = Room::of(call);
    for (number, (key, weight)) in keys.iter().zip(weights).enumerate() {
        combination.begin(weight);
        add_source(call, *key, number, &reading, &schema, (&mut combination, &room))?;
    }
    let board = combination.into_board(schema, now, of_all)?;
    let members = board.as_ref().map_or(0, Board::len);
    match board {
        Some(board) => store(call, dest, board, event)?,
        None => _ = sorted_sets::store(call, dest, std::iter::empty())?,
    }
    call.reply().int(members);
    Ok(())
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
    let mut chunks = Vec::new();
    NativeType::save(&board, |chunk| chunks.push(chunk.to_vec()));
    let send = move |stream: &dyn Stream| {
        stream.send(c"DEL", std::iter::once(dest.into()));
        chunks.iter().for_each(|chunk| stream.send(c"LB.RESTORE", [dest.into(), Word::of(chunk)]));
    };
    let change = KeyChange { event, sent: Sent::Instead(Box::new(send)) };
    keyspace::replace(call, dest, board, &Commit { count: None, change: Some(change) })
}
