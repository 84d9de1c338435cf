//! Reads a part's answer: which part answers, the period that it has read, and the values of the operation.

use leaderboard_core::amount::Amount;
use leaderboard_core::{Schema, Score};
use redis::Value;

use super::super::root::Root;
use super::rows::Packed;
use super::{Disagreement, Refused};

/// The answer of a part.
#[derive(Debug)]
pub struct Answer {
    pub part: u16,
    /// The time on the part's clock.
    pub now: i64,
    /// The start of the period that was read, or `None` if the view has no such period.
    pub start: Option<i64>,
    /// The number of members of this part in that period, without hidden members.
    pub members: u64,
    values: std::vec::IntoIter<Value>,
}

/// An entry of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The number of entries of the same part that are ahead of this entry.
    pub before: u64,
    pub score: Score,
    pub moment: u64,
    pub is_hidden: bool,
}

/// A value that can be read from an answer. If the answer does not have the expected form, reading returns an error.
pub type Take<T> = Result<T, Refused>;

impl Answer {
    /// Reads an answer from the key of a part.
    ///
    /// # Errors
    /// [`Refused::Disagree`] if it is another part or has other rules; an error if the answer is not an answer of
    /// `LB.PART`.
    pub fn new(root: &Root, part: u16, value: Value) -> Take<Self> {
        let Value::Array(values) = value else { return Err(odd(part)) };
        let mut values = values.into_iter();
        let mut next = || values.next().ok_or_else(|| odd(part));
        let (number, parts, hash) = (next()?, next()?, next()?);
        let share = root.parts.share(part);
        if [number, parts] != [share.number, share.of.count()].map(|number| Value::Int(number.into())) {
            return Err(Refused::Disagree(Disagreement::Other(part)));
        }
        if hash != Value::Int(root.hash_of(share).cast_signed()) {
            return Err(Refused::Disagree(Disagreement::Rules(part)));
        }
        let (Value::Int(now), start, Value::Int(members)) = (next()?, next()?, next()?) else {
            return Err(odd(part));
        };
        let start = match start {
            Value::Int(start) => Some(start),
            Value::Nil => None,
            _ => return Err(odd(part)),
        };
        let members = u64::try_from(members).map_err(|_| odd(part))?;
        Ok(Self { part, now, start, members, values })
    }

    pub fn next(&mut self) -> Take<Value> {
        self.values.next().ok_or_else(|| odd(self.part))
    }

    pub fn number(&mut self) -> Take<u64> {
        let value = self.next()?;
        natural(&value).ok_or_else(|| odd(self.part))
    }

    pub fn numbers(&mut self) -> Take<Vec<u64>> {
        let Value::Array(values) = self.next()? else { return Err(odd(self.part)) };
        values.iter().map(natural).collect::<Option<_>>().ok_or_else(|| odd(self.part))
    }

    pub fn rows(&mut self, with_meta: bool) -> Take<Packed> {
        let Value::BulkString(bytes) = self.next()? else { return Err(odd(self.part)) };
        Packed::new(bytes, with_meta).ok_or_else(|| odd(self.part))
    }

    /// Returns a text, or `None`.
    pub fn text(&mut self) -> Take<Option<Vec<u8>>> {
        match self.next()? {
            Value::BulkString(text) => Ok(Some(text)),
            Value::Nil => Ok(None),
            _ => Err(odd(self.part)),
        }
    }

    /// Returns the entry of a member, whose fields follow one another in the answer. `None` if the member has no score.
    pub fn spot(&mut self, schema: &Schema) -> Take<Option<Spot>> {
        let before = self.next()?;
        if before == Value::Nil {
            return Ok(None);
        }
        let parts = [before, self.next()?, self.next()?, self.next()?];
        spot(&parts, schema).map(Some).ok_or_else(|| odd(self.part))
    }

    /// Reads entries. Each entry is an array of its fields.
    pub fn spots(&mut self, schema: &Schema) -> Take<Vec<Spot>> {
        let Value::Array(values) = self.next()? else { return Err(odd(self.part)) };
        let read = |value: &Value| match value {
            Value::Array(parts) => spot(parts, schema),
            _ => None,
        };
        values.iter().map(read).collect::<Option<_>>().ok_or_else(|| odd(self.part))
    }

    /// Reads the data of the part about each of `count` members: the entry, and the text if `with_meta` is true.
    pub fn members(&mut self, count: usize, schema: &Schema, with_meta: bool) -> Take<Vec<Known>> {
        let Value::Array(values) = self.next()? else { return Err(odd(self.part)) };
        let read = |value: Value| match (with_meta, value) {
            (false, entry) => Some(Known { spot: entry_of(&entry, schema)?, meta: None }),
            (true, Value::Array(pair)) => {
                let [entry, meta] = <[Value; 2]>::try_from(pair).ok()?;
                let meta = match meta {
                    Value::BulkString(meta) => Some(meta),
                    _ => None,
                };
                Some(Known { spot: entry_of(&entry, schema)?, meta })
            }
            _ => None,
        };
        let known: Option<Vec<_>> = values.into_iter().map(read).collect();
        known.filter(|known| known.len() == count).ok_or_else(|| odd(self.part))
    }
}

/// The data of a part about a member.
#[derive(Debug, Clone, Default)]
pub struct Known {
    pub spot: Option<Spot>,
    pub meta: Option<Vec<u8>>,
}

/// Returns the error of an answer that does not have the expected form.
pub fn odd(part: u16) -> Refused {
    Refused::Invalid(format!("ERR the answer of part {part} is not understood"))
}

/// Reads an entry, or nil if the member has none.
fn entry_of(value: &Value, schema: &Schema) -> Option<Option<Spot>> {
    match value {
        Value::Nil => Some(None),
        Value::Array(parts) => spot(parts, schema).map(Some),
        _ => None,
    }
}

/// Reads the fields of an entry. Samples never include hidden members, so they lack the field for that.
fn spot(parts: &[Value], schema: &Schema) -> Option<Spot> {
    let (before, score, moment, is_hidden) = match parts {
        [before, score, moment] => (before, score, moment, false),
        [before, score, moment, hidden] => (before, score, moment, *hidden == Value::Int(1)),
        _ => return None,
    };
    let score = score_of(score, schema)?;
    Some(Spot { before: natural(before)?, score, moment: natural(moment)?, is_hidden })
}

fn natural(value: &Value) -> Option<u64> {
    match value {
        Value::Int(number) => u64::try_from(*number).ok(),
        _ => None,
    }
}

fn score_of(value: &Value, schema: &Schema) -> Option<Score> {
    match value {
        Value::Int(units) => Score::from_units(*units),
        Value::BulkString(text) => Amount::parse(text, "score").ok()?.to_score(schema, "score").ok(),
        _ => None,
    }
}
