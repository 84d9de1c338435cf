//! What a write can say beside its points: the segments of its members, and what more the reply shows.

use super::Pair;
use super::reply::Reply;
use crate::board::segment::{Placed, Value};
use crate::board::{Op, Sent};
use crate::{Words, words};

/// The values of all dimensions. They are few, so that segments are often equal, and often empty.
pub const VALUES: [&[u8]; 4] = [b"de", b"fr", b"\0\xff\r\n", &[b'x'; 64]];

/// Options of a write that do not belong to what a request id stands for.
pub struct Extras {
    /// Whether the reply has score and rank from before the write.
    pub change: bool,
    /// The segments that the members get.
    pub placed: Vec<Placed>,
    /// The dimension in which the reply has the rank.
    pub within: Option<&'static str>,
}

/// A segment as an option of a write.
pub fn option((dimension, value): &Placed) -> Words {
    words(&[b"SEGMENT", dimension.as_bytes(), value])
}

impl Extras {
    /// The options.
    pub fn words(&self) -> Vec<Words> {
        let mut options: Vec<Words> = self.placed.iter().map(option).collect();
        options.extend(self.change.then(|| words(&["WITHCHANGE"])));
        options.extend(self.within.map(|dimension| words(&["WITHIN", dimension])));
        options
    }
}

impl Pair {
    /// Random options for this write. Votes take no segments.
    pub fn extras(&mut self, op: &Op) -> Extras {
        let change = op.is_single() && self.random.percent(30);
        let placed = match op {
            Op::Vote(..) | Op::VoteMany(_) => Vec::new(),
            // All of them get into one segment.
            Op::Many(_) | Op::SetMany(_) => self.placed(12),
            _ => self.placed(30),
        };
        let within = if op.is_single() { self.a_dimension(30) } else { None };
        Extras { change, placed, within }
    }

    /// In this share of cases: a dimension of the board.
    pub fn a_dimension(&mut self, percent: u64) -> Option<&'static str> {
        if self.model.dimensions.is_empty() || !self.random.percent(percent) {
            return None;
        }
        Some(self.random.pick(&self.model.dimensions).name)
    }

    /// A value, now and then a rare one.
    pub fn value(&mut self) -> Value {
        if self.random.percent(3) { b"nowhere".to_vec() } else { self.random.pick(&VALUES).to_vec() }
    }

    /// In this share of cases: values in one or two dimensions, now and then an empty one.
    pub fn placed(&mut self, percent: u64) -> Vec<Placed> {
        if self.model.dimensions.is_empty() || !self.random.percent(percent) {
            return Vec::new();
        }
        let mut dimensions = self.model.dimensions.clone();
        self.random.shuffle(&mut dimensions);
        dimensions.truncate(if self.random.percent(70) { 1 } else { 2 });
        let value = |pair: &mut Self| if pair.random.percent(12) { Value::new() } else { pair.value() };
        dimensions.into_iter().map(|dimension| (dimension.name, value(self))).collect()
    }

    /// The rank that the reply to a write of one member has for `WITHIN`: that in the member's own segment, as it is after
    /// the write. It stands behind what `WITHCHANGE` shows.
    pub fn rank_within(&mut self, sent: &Sent, dimension: &'static str) -> Reply {
        let (_, name) = sent.op.pairs().remove(0);
        self.present(|pair| {
            let (period, options) = pair.period_of(sent.view, false, 0);
            let mut read = pair.plainly(period, options);
            pair.cut_to_own(&mut read, dimension, &name);
            let place = read.ranking.position(&name, read.ranks, false);
            place.map_or(Reply::Nil, |(rank, _)| Reply::count(rank))
        })
    }
}
