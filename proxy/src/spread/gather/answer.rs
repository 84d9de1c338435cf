//! Reads a part's answer: which part answers, the period that it has read, and the values of the operation. An answer is
//! read in place, from the string in which a server gives the answers of several parts. The array of `LB.PART` is
//! converted to this form first.

use bytes::{Buf, Bytes};
use leaderboard_commands::answers::{Element, Elements, Head, Writer};
use leaderboard_core::amount::Amount;
use leaderboard_core::{Schema, Score};
use redis::Value;

use super::super::root::Root;
use super::rows::Packed;
use super::{Disagreement, Refused};

/// The reply of a server about a part.
#[derive(Debug)]
pub enum Reply {
    /// The reply to `LB.PART`, or an error.
    Value(Value),
    /// The answer of the part in the reply to `LB.GATHER`: what it says about the part, and the elements.
    Packed(Head, Bytes),
}

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
    /// The elements that have not been read.
    elements: Bytes,
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
    pub fn new(root: &Root, part: u16, reply: Reply) -> Take<Self> {
        let (head, elements) = match reply {
            Reply::Packed(head, elements) => (head, elements),
            Reply::Value(value) => unpacked(&value).ok_or_else(|| odd(part))?,
        };
        if (head.part, head.parts) != (part, root.parts.count()) {
            return Err(Refused::Disagree(Disagreement::Other(part)));
        }
        if head.hash != root.hash {
            return Err(Refused::Disagree(Disagreement::Rules(part)));
        }
        let now = i64::try_from(head.now).map_err(|_| odd(part))?;
        Ok(Self { part, now, start: head.start, members: head.members, elements })
    }

    /// Reads the next element with `read`, which returns `None` if it is of another kind.
    fn read<A>(&mut self, read: impl FnOnce(Element<'_>, &Bytes) -> Option<A>) -> Take<A> {
        let mut elements = Elements::new(&self.elements);
        let element = elements.next_element().ok_or_else(|| odd(self.part))?;
        let taken = self.elements.len().saturating_sub(elements.rest().len());
        let value = read(element, &self.elements).ok_or_else(|| odd(self.part))?;
        self.elements.advance(taken);
        Ok(value)
    }

    /// Reads the number of elements of a list, which follow.
    fn list(&mut self) -> Take<usize> {
        // Each element has at least one byte.
        self.read(|element, all| match element {
            Element::List(count) => usize::try_from(count).ok().filter(|count| *count <= all.len()),
            _ => None,
        })
    }

    pub fn number(&mut self) -> Take<u64> {
        self.read(|element, _| natural(element))
    }

    /// Reads a list of `count` numbers, and gives each of them to `each`.
    pub fn numbers(&mut self, count: usize, mut each: impl FnMut(u64)) -> Take<()> {
        if self.list()? != count {
            return Err(odd(self.part));
        }
        for _ in 0..count {
            each(self.number()?);
        }
        Ok(())
    }

    pub fn rows(&mut self, with_meta: bool) -> Take<Packed> {
        self.read(|element, all| match element {
            Element::Bytes(rows) => Packed::new(all.slice_ref(rows), with_meta),
            _ => None,
        })
    }

    /// Returns a text, or `None`.
    pub fn text(&mut self) -> Take<Option<Vec<u8>>> {
        self.read(|element, _| match element {
            Element::Bytes(text) => Some(Some(text.to_vec())),
            Element::Nil => Some(None),
            _ => None,
        })
    }

    /// Returns the entry of a member, whose fields follow one another in the answer. `None` if the member has no score.
    pub fn spot(&mut self, schema: &Schema) -> Take<Option<Spot>> {
        let before = self.read(|element, _| match element {
            Element::Nil => Some(None),
            element => natural(element).map(Some),
        })?;
        before.map(|before| self.spot_behind(before, true, schema)).transpose()
    }

    /// Reads the fields of an entry behind the first one.
    fn spot_behind(&mut self, before: u64, has_hidden: bool, schema: &Schema) -> Take<Spot> {
        let score = self.read(|element, _| score_of(element, schema))?;
        let moment = self.number()?;
        // Samples never include hidden members, so they lack the field for that.
        let is_hidden = has_hidden && self.number()? == 1;
        Ok(Spot { before, score, moment, is_hidden })
    }

    /// Reads entries of a sample. Each entry is a list of its fields.
    pub fn spots(&mut self, schema: &Schema) -> Take<Vec<Spot>> {
        let count = self.list()?;
        (0..count)
            .map(|_| {
                let fields = self.list()?;
                let before = self.number()?;
                if fields != 3 { Err(odd(self.part)) } else { self.spot_behind(before, false, schema) }
            })
            .collect()
    }

    /// Reads the data of the part about each of `count` members: the entry, and the text if `with_meta` is true.
    pub fn members(&mut self, count: usize, schema: &Schema, with_meta: bool) -> Take<Vec<Known>> {
        if self.list()? != count {
            return Err(odd(self.part));
        }
        (0..count)
            .map(|_| {
                if with_meta && self.list()? != 2 {
                    return Err(odd(self.part));
                }
                let spot = self.entry(schema)?;
                Ok(Known { spot, meta: if with_meta { self.text()? } else { None } })
            })
            .collect()
    }

    /// Reads an entry as a list of its fields, or nil if the member has none.
    fn entry(&mut self, schema: &Schema) -> Take<Option<Spot>> {
        let fields = self.read(|element, _| match element {
            Element::Nil => Some(None),
            Element::List(fields) => Some(Some(fields)),
            _ => None,
        })?;
        match fields {
            None => Ok(None),
            Some(4) => {
                let before = self.number()?;
                self.spot_behind(before, true, schema).map(Some)
            }
            Some(_) => Err(odd(self.part)),
        }
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

/// Reads the array of `LB.PART`.
fn unpacked(value: &Value) -> Option<(Head, Bytes)> {
    let Value::Array(values) = value else { return None };
    let [
        Value::Int(part),
        Value::Int(parts),
        Value::Int(hash),
        Value::Int(now),
        start,
        Value::Int(members),
        rest @ ..,
    ] = values.as_slice()
    else {
        return None;
    };
    let start = match start {
        Value::Int(start) => Some(*start),
        Value::Nil => None,
        _ => return None,
    };
    let head = Head {
        part: u16::try_from(*part).ok()?,
        parts: u16::try_from(*parts).ok()?,
        hash: hash.cast_unsigned(),
        now: u64::try_from(*now).ok()?,
        start,
        members: u64::try_from(*members).ok()?,
    };
    let mut writer = Writer::default();
    rest.iter().try_for_each(|value| pack(value, &mut writer))?;
    Some((head, writer.into_bytes().into()))
}

/// Writes a value of the array of `LB.PART` as an element.
fn pack(value: &Value, writer: &mut Writer) -> Option<()> {
    match value {
        Value::Nil => writer.nil(),
        Value::Int(number) => writer.number(*number),
        Value::BulkString(bytes) => writer.bytes(bytes),
        Value::Array(values) => {
            writer.list(values.len());
            values.iter().try_for_each(|value| pack(value, writer))?;
        }
        _ => return None,
    }
    Some(())
}

fn natural(element: Element) -> Option<u64> {
    match element {
        Element::Number(number) => u64::try_from(number).ok(),
        _ => None,
    }
}

/// Reads a score: a number of smallest units, or a text if the scores of the board are not whole numbers.
fn score_of(element: Element, schema: &Schema) -> Option<Score> {
    match element {
        Element::Number(units) => Score::from_units(units),
        Element::Bytes(text) => Amount::parse(text, "score").ok()?.to_score(schema, "score").ok(),
        _ => None,
    }
}
