//! Reads of one segment: `IN name value`, and `WITHIN name` for the segment of the member that is read. In a period that
//! has ended, members are in the segments in which they ended it; so in `previous`.
//!
//! The contract says "nil" of a member that is in no such segment. This model takes it for the reply to an unknown member:
//! for LB.AROUND that is an empty array.

use std::collections::BTreeMap;

use super::reads::{Period, Read};
use super::{Call, Pair};
use crate::board::read::Ranking;
use crate::board::segment::{Ended, Places, Value};
use crate::board::{Entry, Name};
use crate::words;

static NOWHERE: Places = Places::new();

impl Pair {
    /// Sometimes: the read is about one segment.
    pub fn cut_in(&mut self, read: &mut Read) {
        let Some(dimension) = self.a_dimension(35) else { return };
        let value = self.value();
        self.cut_to(read, dimension, &value);
    }

    /// The read is about this segment.
    pub fn cut_to(&self, read: &mut Read, dimension: &'static str, value: &[u8]) {
        read.options.push(words(&[b"IN", dimension.as_bytes(), value]));
        self.cut(read, dimension, &|_| Some(value.to_vec()));
    }

    /// Sometimes: the read is about the member's own segment, where it is not about another one.
    pub fn cut_within(&mut self, read: &mut Read, name: &Name) {
        if read.is_cut {
            return;
        }
        let Some(dimension) = self.a_dimension(45) else { return };
        read.options.push(words(&["WITHIN", dimension]));
        self.cut_to_own(read, dimension, name);
    }

    /// The read is about the member's own segment.
    pub fn cut_to_own(&self, read: &mut Read, dimension: &'static str, name: &Name) {
        self.cut(read, dimension, &|values| values.get(name).cloned());
    }

    /// LB.STANDING in the own segment, of a member that was in the period before, too, if there is one.
    pub fn ask_previous(&mut self, dimension: &'static str) -> Call {
        let views = self.model.views.len();
        let mut periods: Vec<(usize, i64)> = (0..views).flat_map(|view| [(view, 0), (view, 1)]).collect();
        self.random.shuffle(&mut periods);
        let (mut periods, mut both) = (periods.into_iter(), Vec::new());
        let (period, mut options) = loop {
            let (view, back) = periods.next().unwrap_or((0, 0));
            let (period, options) = self.period_of(view, false, back);
            let before = self.entries(&period, 1);
            both.extend(self.entries(&period, 0).keys().filter(|name| before.contains_key(*name)).cloned());
            if !both.is_empty() || periods.len() == 0 {
                break (period, options);
            }
        };
        let name = if both.is_empty() { self.member() } else { self.random.pick(&both).clone() };
        options.push(words(&["WITHIN", dimension]));
        let mut read = self.plainly(period, options);
        self.cut_to_own(&mut read, dimension, &name);
        let expected = self.standing(&read, &name);
        self.ask("LB.STANDING", vec![name], read, expected)
    }

    /// The read is about the segment that these values of the period name.
    fn cut(
        &self,
        read: &mut Read,
        dimension: &'static str,
        value: &dyn Fn(&BTreeMap<Name, Value>) -> Option<Value>,
    ) {
        read.ranking = self.ranking_in((&read.period, 0), dimension, value);
        read.previous = self.ranking_in((&read.period, 1), dimension, value);
        read.is_cut = true;
    }

    fn ranking_in(
        &self,
        (period, back): (&Period, u64),
        dimension: &'static str,
        value: &dyn Fn(&BTreeMap<Name, Value>) -> Option<Value>,
    ) -> Ranking {
        let nobody = BTreeMap::new();
        let values = self.places(period, back).get(dimension).unwrap_or(&nobody);
        let wanted = value(values);
        let is_in = |name: &Name| wanted.is_some() && values.get(name) == wanted.as_ref();
        let entries = self.entries(period, back).iter().filter(|(name, _)| is_in(name));
        let entries: BTreeMap<Name, Entry> =
            entries.map(|(name, entry)| (name.clone(), entry.clone())).collect();
        self.model.ranking(&entries)
    }

    /// The segments in which the members of a period are, or were when it ended.
    pub fn places(&self, period: &Period, back: u64) -> &Places {
        match self.ended(period, back) {
            Some(ended) => &ended.places,
            None if period.is_current && back == 0 => &self.model.places,
            None => &NOWHERE,
        }
    }

    /// What is kept of the segments of a period that has ended.
    pub fn ended(&self, period: &Period, back: u64) -> Option<&Ended> {
        if period.is_current && back == 0 {
            return None;
        }
        let views = if period.is_real { &self.model.real } else { &self.model.views };
        views[period.view].ended.get(&period.number?.checked_sub(back)?)
    }
}
