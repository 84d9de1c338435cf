//! The truth: one board with the members of all parts, in the order by score, moment, part and place. Its replies are
//! those that the gatherer owes.

use std::collections::{BTreeMap, HashMap};

use leaderboard_core::board::{NewRow, Reading};
use leaderboard_core::calendar::When;
use leaderboard_core::parts::{Parts, Role};
use leaderboard_core::schema::{Tally, Ties};
use leaderboard_core::{Board, Schema};
use redis::Value;

use super::key::Entry;
use super::module::Keys;
use super::part::place;
use super::plain::{Request, Scene};
use super::values::{array, error, int};
use super::words::Read;

/// A period of the one board.
struct Period {
    board: Board,
    moments: HashMap<Vec<u8>, u64>,
    dated: HashMap<Vec<u8>, u64>,
    start: Option<i64>,
}

/// The parts whose members count, and their keys.
pub struct Truth<'a> {
    pub keys: &'a mut Keys,
    pub name: &'a [u8],
    pub parts: Parts,
    /// Some parts may not have answered.
    pub only: Option<&'a [u16]>,
}

impl Truth<'_> {
    /// The reply to a read, at the moment that the parts were brought to.
    pub fn reply(&mut self, words: &[Vec<u8>]) -> Value {
        self.answer(words).unwrap_or_else(|text| error(&text))
    }

    fn answer(&mut self, words: &[Vec<u8>]) -> Read<Value> {
        let request = Request::read(words)?;
        if request.name == "LB.PERIODS" {
            return Ok(self.periods(words));
        }
        let options = &request.options;
        let now = self.period(options.view, options.when())?;
        let before = match now.start {
            Some(start) if start != 0 => {
                Some(self.period(options.view, When::At(start.cast_unsigned() - 1))?)
            }
            _ => None,
        };
        Scene {
            board: &now.board,
            reading: turned(&now.board, options.rev),
            previous: before.as_ref().map(|before| turned(&before.board, options.rev)),
            moments: &now.moments,
            dated: &now.dated,
        }
        .reply(&request)
    }

    fn numbers(&self) -> Vec<u16> {
        self.only.map_or_else(|| (0..self.parts.count()).collect(), <[u16]>::to_vec)
    }

    /// All entries of a period in their order over parts, and where it starts.
    pub fn entries(&mut self, view: Option<&[u8]>, when: When) -> Read<(Vec<Entry>, Option<i64>, bool)> {
        let mut all = Vec::new();
        let (mut start, mut is_current) = (None, true);
        for part in self.numbers() {
            let key = self.keys.0.get_mut(&self.parts.key(self.name, part)).unwrap();
            let order = key.order(view, when)?;
            (start, is_current) = (order.start, order.is_current);
            let schema = key.board.schema();
            let placed = order.entries.iter().enumerate().map(|(at, entry)| {
                let (score, moment) = place(schema, entry.score, entry.moment);
                ((score, moment, part, at), entry.clone())
            });
            all.extend(placed);
        }
        all.sort_by_key(|(place, _)| *place);
        Ok((all.into_iter().map(|(_, entry)| entry).collect(), start, is_current))
    }

    fn period(&mut self, view: Option<&[u8]>, when: When) -> Read<Period> {
        let (entries, start, is_current) = self.entries(view, when)?;
        let key = &self.keys.0[&self.parts.key(self.name, 0)];
        // Its moments are numbers that give this order.
        let schema = Schema { role: Role::Whole, ties: Ties::First, ..key.board.schema().clone() };
        let rows = entries.iter().zip(1..).map(|(entry, moment)| NewRow {
            name: &entry.name,
            score: entry.score,
            moment,
        });
        let rows: Vec<_> = rows.collect();
        let mut board = Board::of_rows(schema, 1, rows.into_iter()).unwrap();
        for part in self.numbers() {
            let part = &self.keys.0[&self.parts.key(self.name, part)].board;
            for hidden in part.hidden() {
                board.hide(hidden).unwrap();
            }
        }
        let names = entries.iter().map(|entry| entry.name.clone());
        let hidden: Vec<_> = board.hidden().into_iter().map(<[u8]>::to_vec).collect();
        for name in names.chain(hidden).collect::<Vec<_>>() {
            if let Some(meta) = self.meta(&name) {
                board.set_meta(&name, &meta).unwrap();
            }
        }
        for name in self.only_texts() {
            let meta = self.meta(&name).unwrap_or_default();
            board.set_meta(&name, &meta).unwrap();
        }
        let dated: HashMap<_, _> = entries.into_iter().map(|entry| (entry.name, entry.moment)).collect();
        let moments = if is_current { dated.clone() } else { HashMap::new() };
        Ok(Period { board, moments, dated, start })
    }

    /// Names that the test knows of, which may have a text and no score.
    fn only_texts(&self) -> Vec<Vec<u8>> {
        (0..TEXTS)
            .map(|number| format!("m{number}").into_bytes())
            .filter(|name| self.meta(name).is_some())
            .collect()
    }

    fn meta(&self, name: &[u8]) -> Option<Vec<u8>> {
        let part = self.parts.of(name);
        if self.only.is_some_and(|only| !only.contains(&part)) {
            return None;
        }
        let key = &self.keys.0[&self.parts.key(self.name, part)];
        key.board.meta(name).map(<[u8]>::to_vec)
    }

    /// The periods that any part keeps, with the members of all.
    fn periods(&mut self, words: &[Vec<u8>]) -> Value {
        let mut all: BTreeMap<i64, (Value, Value, Value, i64)> = BTreeMap::new();
        for part in self.numbers() {
            let key = self.parts.key(self.name, part);
            let asked = [words[0].clone(), key.clone(), words[2].clone()];
            let wall = self.keys.0[&key].now;
            let reply = self.keys.run(&asked, wall);
            let Value::Array(lines) = reply else { return reply };
            for line in lines {
                let Value::Array(mut fields) = line else { continue };
                let Some(Value::Int(members)) = fields.pop() else { continue };
                let (end, start, label) =
                    (fields.pop().unwrap(), fields.pop().unwrap(), fields.pop().unwrap());
                let order = if let Value::Int(start) = start { start } else { 0 };
                all.entry(order).or_insert((label, start, end, 0)).3 += members;
            }
        }
        array(
            all.into_values()
                .rev()
                .map(|(label, start, end, members)| array([label, start, end, int(members)])),
        )
    }
}

/// The board's only period, from the end that is asked for.
fn turned(board: &Board, rev: bool) -> Reading<'_> {
    let reading = board.read(None, When::Now, Tally::Shown).unwrap();
    if rev { reading.reversed() } else { reading }
}

/// Names `m0`, `m1` and so on may have texts; no test has more.
const TEXTS: usize = 400;

/// A member's name.
pub fn name(number: usize) -> Vec<u8> {
    format!("m{number}").into_bytes()
}

/// For errors of comparison: a value in few words.
pub fn told(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::BulkString(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::Array(items) => format!("[{}]", items.iter().map(told).collect::<Vec<_>>().join(" ")),
        Value::Map(fields) => {
            let fields: Vec<_> =
                fields.iter().map(|(name, value)| format!("{}: {}", told(name), told(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::Nil => "nil".to_owned(),
        other => format!("{other:?}"),
    }
}
