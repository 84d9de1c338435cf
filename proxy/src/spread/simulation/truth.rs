//! The expected replies. They come from one board in a separate server. This board has the members of all parts, in the
//! order by score, moment, part and place.

use std::collections::{BTreeMap, HashMap};

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};
use leaderboard_core::board::NewRow;
use leaderboard_core::calendar::When;
use leaderboard_core::parts::{Parts, Role};
use leaderboard_core::schema::Ties;
use leaderboard_core::{Board, Error, Schema};
use redis::Value;

use super::cluster::{START, World, run};
use super::order::{Entry, order, place};
use super::values::{array, error, int};

/// A period of the one board.
pub struct Period {
    pub server: PlainServer,
    moments: HashMap<Vec<u8>, u64>,
    dated: HashMap<Vec<u8>, u64>,
    start: Option<i64>,
}

/// The board over parts from which the expected replies are made.
pub struct Truth<'a> {
    pub world: &'a mut World,
    pub name: &'a [u8],
    pub parts: Parts,
    /// The parts whose members count, if some parts may not have answered.
    pub only: Option<&'a [u16]>,
}

/// Returns the value of an option. No member has the name of an option.
fn option<'a>(words: &'a [Vec<u8>], word: &str) -> Option<&'a [u8]> {
    let at = words.iter().position(|other| other == word.as_bytes())?;
    words.get(at + 1).map(Vec::as_slice)
}

/// Returns the view and the period of a read.
fn scope(words: &[Vec<u8>]) -> (Option<&[u8]>, When<'_>) {
    let at = option(words, "AT").map(|at| When::At(std::str::from_utf8(at).unwrap().parse().unwrap()));
    let when = option(words, "PERIOD").map(When::parse).or(at).unwrap_or(When::Now);
    (option(words, "VIEW"), when)
}

/// Returns the same read for a board that only has this period.
fn without_scope(words: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut left = words.to_vec();
    for word in [b"VIEW".as_slice(), b"PERIOD", b"AT"] {
        if let Some(at) = left.iter().position(|other| other == word) {
            left.drain(at..at + 2);
        }
    }
    left
}

impl Truth<'_> {
    /// Returns the expected reply to a read, at the current time of the parts.
    pub fn reply(&mut self, words: &[Vec<u8>]) -> Value {
        self.answer(words).unwrap_or_else(|refused| error(&format!("ERR {refused}")))
    }

    fn answer(&mut self, words: &[Vec<u8>]) -> Result<Value, Error> {
        if words[0] == b"LB.PERIODS" {
            return Ok(self.periods(words));
        }
        let (view, when) = scope(words);
        let now = self.period(view, when)?;
        let before = match now.start {
            Some(start) if start != 0 => Some(self.period(view, When::At(start.cast_unsigned() - 1))?),
            _ => None,
        };
        let mut reply = run(&now.server, &without_scope(words));
        match (words[0].as_slice(), &mut reply) {
            (b"LB.STANDING", standing) => now.complete(standing, before.as_ref(), words, &words[2]),
            (b"LB.MSTANDING", Value::Array(all)) => {
                let at = words.iter().position(|word| word == b"MEMBERS").unwrap();
                for (standing, member) in all.iter_mut().zip(&words[at + 2..]) {
                    now.complete(standing, before.as_ref(), words, member);
                }
            }
            (_, Value::Array(packed)) if words.iter().any(|word| word == b"PACKED") => {
                if let [_, Value::BulkString(rows)] = packed.as_mut_slice() {
                    now.date(rows, words.iter().any(|word| word == b"WITHMETA"));
                }
            }
            _ => {}
        }
        Ok(reply)
    }

    fn numbers(&self) -> Vec<u16> {
        self.only.map_or_else(|| (0..self.parts.count()).collect(), <[u16]>::to_vec)
    }

    /// Calls a function with the board of a part and the part's current time.
    fn look<A>(&self, part: u16, look: impl FnOnce(&Board, u64) -> A) -> A {
        self.world.look(&self.parts.key(self.name, part), look).unwrap()
    }

    /// Returns all entries of a period in their order over parts, the start of the period, and whether it is the
    /// current period.
    pub fn entries(
        &mut self,
        view: Option<&[u8]>,
        when: When,
    ) -> Result<(Vec<Entry>, Option<i64>, bool), Error> {
        let mut all = Vec::new();
        let (mut start, mut is_current) = (None, true);
        for part in self.numbers() {
            let (order, schema) = self.look(part, |board, now| {
                order(board, view, when, now).map(|order| (order, board.schema().clone()))
            })?;
            (start, is_current) = (order.start, order.is_current);
            let placed = order.entries.into_iter().enumerate().map(|(at, entry)| {
                let (score, moment) = place(&schema, entry.score, entry.moment);
                ((score, moment, part, at), entry)
            });
            all.extend(placed);
        }
        all.sort_by_key(|(place, _)| *place);
        Ok((all.into_iter().map(|(_, entry)| entry).collect(), start, is_current))
    }

    /// Returns one board that only has this period.
    pub fn period(&mut self, view: Option<&[u8]>, when: When) -> Result<Period, Error> {
        let (entries, start, is_current) = self.entries(view, when)?;
        // The moments of this board are numbers in this order.
        let schema = self.look(0, |board, _| board.schema().clone());
        let schema = Schema { role: Role::Whole, ties: Ties::First, ..schema };
        let rows = entries.iter().zip(1..).map(|(entry, moment)| NewRow {
            name: &entry.name,
            score: entry.score,
            moment,
        });
        let rows: Vec<_> = rows.collect();
        let mut board = Board::of_rows(schema, 1, rows.into_iter()).unwrap();
        for part in self.numbers() {
            self.look(part, |part, _| {
                part.hidden().into_iter().for_each(|name| _ = board.hide(name).unwrap())
            });
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
        let settings = Settings { clock: START, protocol: Protocol::Resp3, ..Settings::default() };
        let server = PlainServer::new(settings);
        server.put(self.name, board);
        Ok(Period { server, moments, dated, start })
    }

    /// Returns members that have a text. They may have no score.
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
        self.look(part, |board, _| board.meta(name).map(<[u8]>::to_vec))
    }

    /// Returns the reply to `LB.PERIODS`: the periods that any part keeps, with the number of members in all parts.
    fn periods(&mut self, words: &[Vec<u8>]) -> Value {
        let mut all: BTreeMap<i64, (Value, Value, Value, i64)> = BTreeMap::new();
        for part in self.numbers() {
            let key = self.parts.key(self.name, part);
            let reply = self.world.run(&[words[0].clone(), key, words[2].clone()]);
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

impl Period {
    /// Adds the fields of a standing that depend on moments and on the period before.
    fn complete(&self, standing: &mut Value, before: Option<&Self>, words: &[Vec<u8>], member: &[u8]) {
        let Value::Map(fields) = standing else { return };
        let mut field = |name: &str, is: &dyn Fn(Option<i64>) -> Value| {
            let rank = fields
                .iter()
                .find_map(|(_, value)| if let Value::Int(rank) = value { Some(*rank) } else { None });
            let name = Value::BulkString(name.into());
            fields.iter_mut().find(|(own, _)| *own == name).unwrap().1 = is(rank);
        };
        let previous = before.map_or(Value::Nil, |before| before.position(words, member));
        let change = |rank: Option<i64>| match &previous {
            Value::Array(position) => match position.as_slice() {
                [Value::Int(old), ..] => int(old - rank.unwrap()),
                _ => Value::Nil,
            },
            _ => Value::Nil,
        };
        field("change", &change);
        field("previous", &|_| previous.clone());
        field("at", &|_| self.moments.get(member).map_or(Value::Nil, |at| int(at.cast_signed())));
    }

    /// Returns the rank and the score of a member. The command determines how ranks are counted, and from which end.
    fn position(&self, words: &[Vec<u8>], member: &[u8]) -> Value {
        let mut asked = vec![b"LB.MSCORE".to_vec(), words[1].clone()];
        if let Some(ranks) = option(words, "RANKS") {
            asked.extend([b"RANKS".to_vec(), ranks.to_vec()]);
        }
        asked.extend(words.iter().find(|word| *word == b"REV").cloned());
        asked.extend([b"MEMBERS".to_vec(), b"1".to_vec(), member.to_vec()]);
        match run(&self.server, &asked) {
            Value::Array(mut all) => all.pop().unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// Sets the moments of the members in packed rows.
    fn date(&self, mut rows: &mut [u8], with_meta: bool) {
        let len = |bytes: &[u8]| usize::from(u16::from_le_bytes([bytes[0], bytes[1]]));
        while !rows.is_empty() {
            let end = 18 + len(&rows[16..]);
            let moment = self.dated[&rows[18..end]].to_le_bytes();
            rows[8..16].copy_from_slice(&moment);
            let meta = if with_meta { Some(len(&rows[end..])) } else { None };
            let text = meta.map_or(0, |meta| if meta == usize::from(u16::MAX) { 2 } else { 2 + meta });
            rows = &mut rows[end + text..];
        }
    }
}

/// Only the names `m0`, `m1` and so on below this number may have texts. No test has more members.
const TEXTS: usize = 400;

/// Returns a member's name.
pub fn name(number: usize) -> Vec<u8> {
    format!("m{number}").into_bytes()
}

/// Returns a value as a short text, for messages of failed comparisons.
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
