//! `LB.UNION` and `LB.INTER`.

use std::ffi::CStr;
use std::ops::ControlFlow;

use leaderboard_core::calendar::When;
use leaderboard_core::combine::{Combination, Part};
use leaderboard_core::schema::{Order, Schema, Tally};
use leaderboard_core::score::Score;
use leaderboard_core::time::Millis;
use leaderboard_core::{Board, Error, NativeType};

use super::import::score_for;
use crate::argument::Argument;
use crate::call::{Call, Handled};
use crate::commit::{Commit, KeyChange, Sent};
use crate::options::Options;
use crate::options::moving::{COMBINE, PERIODS, PerKey};
use crate::options::reading::{AT, REAL};
use crate::refusal::Refusal;
use crate::sorted_sets::{self, Direction, SortedSet};
use crate::stream::{Stream, Word};
use crate::{config, keyspace};

/// `LB.UNION dest n key [key ...] [options]`
pub fn union(call: &Call) -> Handled {
    combine(call, c"lb.union", false)
}

/// `LB.INTER dest n key [key ...] [options]`
pub fn intersection(call: &Call) -> Handled {
    combine(call, c"lb.inter", true)
}

fn combine(call: &Call, event: &'static CStr, of_all: bool) -> Handled {
    let mut args = call.args();
    let dest = args.key()?;
    let keys = args.counted_keys("the number of keys")?;
    let options = call.options(args)?;
    let reading = What::of(&options, keys.len())?;
    let weights = options.weights_of(keys.len())?;
    let (schema, now) = rules(call, keys)?;
    let sources =
        keys.iter().enumerate().map(|(number, key)| Source::read(call, *key, number, &reading, &schema));
    let sources: Vec<_> = sources.collect::<Result<_, _>>()?;
    let mut combination = Combination::new(schema.decimals, options.get(&COMBINE).unwrap_or_default());
    for (source, weight) in sources.iter().zip(weights) {
        combination.add(weight, source.parts())?;
    }
    let board = combination.into_board(schema, now, of_all)?;
    let members = board.as_ref().map_or(0, Board::len);
    match board {
        Some(board) => store(call, dest, board, event)?,
        None => _ = sorted_sets::store(call, dest, std::iter::empty()),
    }
    call.reply().int(members);
    Ok(())
}

/// The rules of the result, and its now: those of the first source that is a board.
fn rules(call: &Call, keys: &[Argument]) -> Result<(Schema, Millis), Refusal> {
    let Some(first) = keys.iter().find(|key| keyspace::holds::<Board>(call, **key)) else {
        return Ok((Schema::default(), call.wall()));
    };
    keyspace::read(call, *first, |board: Option<&Board>| {
        let Some(board) = board else { return Ok((Schema::default(), call.wall())) };
        let schema = Schema { shown: false, declared: false, ..*board.schema() };
        Ok((schema, board.now(call.wall(), config::max_future())))
    })
}

/// What is read of each source that is a board.
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

/// The members of a source, best first.
struct Source {
    names: Vec<u8>,
    rows: Vec<SourceRow>,
    decimals: u8,
}

struct SourceRow {
    /// Where its name ends.
    end: usize,
    score: Score,
    moment: Option<Millis>,
}

impl Source {
    const fn new(decimals: u8) -> Self {
        Self { names: Vec::new(), rows: Vec::new(), decimals }
    }

    fn read(
        call: &Call,
        key: Argument,
        number: usize,
        what: &What,
        schema: &Schema,
    ) -> Result<Self, Refusal> {
        if keyspace::holds::<Board>(call, key) {
            return keyspace::read(call, key, |board: Option<&Board>| {
                let Some(board) = board else { return Ok(Self::new(0)) };
                Self::of_board(board, number, what)
            });
        }
        let direction = if schema.order == Order::Desc { Direction::Down } else { Direction::Up };
        Self::of_set(&SortedSet::open(call, key, direction)?, schema.decimals)
    }

    fn of_board(board: &Board, number: usize, what: &What) -> Result<Self, Refusal> {
        let reading = board.read(what.views.of(number), what.when(number), what.tally)?;
        let mut source = Self::new(board.schema().decimals);
        reading.dated(|id, score, moment| source.push(board.name(id), score, Some(moment)));
        Ok(source)
    }

    fn of_set(set: &SortedSet, decimals: u8) -> Result<Self, Refusal> {
        let (mut source, mut refused) = (Self::new(decimals), None);
        set.walk(0, |member, score| match score_for(member, score, decimals, false) {
            Ok(score) => {
                source.push(member, score, None);
                ControlFlow::Continue(())
            }
            Err(error) => {
                refused = Some(error);
                ControlFlow::Break(())
            }
        });
        refused.map_or(Ok(source), |error| Err(error.into()))
    }

    fn push(&mut self, name: &[u8], score: Score, moment: Option<Millis>) {
        self.names.extend_from_slice(name);
        self.rows.push(SourceRow { end: self.names.len(), score, moment });
    }

    fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let mut start = 0;
        self.rows.iter().map(move |row| {
            let name = self.names.get(start..row.end).unwrap_or_default();
            start = row.end;
            Part { name, score: row.score, decimals: self.decimals, moment: row.moment }
        })
    }
}

/// Puts the result into its key. Replicas get the board as it is.
fn store(call: &Call, dest: Argument, board: Board, event: &'static CStr) -> Result<(), Refusal> {
    let mut chunks = Vec::new();
    NativeType::save(&board, |chunk| chunks.push(chunk.to_vec()));
    let send = move |stream: &Stream| {
        stream.send(c"DEL", std::iter::once(dest.into()));
        chunks
            .iter()
            .for_each(|chunk| stream.send(c"LB.RESTORE", [dest.into(), Word::of(chunk)].into_iter()));
    };
    let change = KeyChange { event, sent: Sent::Instead(Box::new(send)) };
    keyspace::replace(call, dest, board, &Commit { count: None, change: Some(change) })
}
