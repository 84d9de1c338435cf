//! A view: the order of a board's members by what they got in certain periods.
//!
//! # One idea
//! The score of a view in period i is a weighted sum of what members got in the last periods,
//! `S(i) = w0·R(i) + w1·R(i-1) + ...` (or the best, or the last, over them). The view `all` has one
//! endless period; a cycle (`day`) has the weight 1; `day:7` has seven of them; with a carry there
//! is a share as the second weight. So one struct serves them all:
//!
//! ```text
//!                      past                         current          next
//!            ... | order of i-2 | order of i-1 | index of S(i) | index of S(i+1)
//!   R(i-6)  ...  |   bucket     |   bucket     |    bucket R(i)
//!                        frozen as they ended     every write      being prepared
//! ```
//!
//! * **current**: an order index of S(i). Where more than one period counts, each period's points
//!   R are in a [`Bucket`] of their own, the current one's too.
//! * **next**: S(i+1) as it will be if nothing more is written, prepared in small steps in the last
//!   part of a period ([`prepare`]). A write to a member also brings its entry in `next` up to date.
//! * **past**: the orders of ended periods ([`past`]): at first the very index that was current, then
//!   packed in small steps.
//!
//! At a boundary ([`turn`]) the prepared index takes over, whatever the size of the board. Where
//! nothing was prepared (an idle server, a restart, a clock that leapt) the index is built at once
//! from what is there: entries, and buckets.
//!
//! Two indexes of a view never share a column of leaves: while one is current, the other column
//! belongs to the last period until that is packed, then to the next one.

mod change;
pub(crate) mod entry;
mod initial;
mod leap;
mod past;
mod period;
mod prepare;
mod ranking;
mod spec;
mod turn;

use std::collections::BTreeMap;

use entry::Entry;

use crate::Error;
use crate::index::{Index, Key, MemberId, Place};
use crate::members::{Column, Members, Seats};
use crate::mover::Mover;
use crate::schema::{Aggregate, Schema, Tally};
use crate::score::Score;
use crate::time::Millis;

pub(crate) use change::{Change, Plan};
pub(crate) use past::{Order, Past};
pub(crate) use period::{Cycle, Span};
pub(crate) use prepare::Waste;
pub use prepare::Work;
pub use ranking::{Ranking, Spot, Walk};
pub use spec::{Kind, MAX_COUNT, MAX_RETAIN, MAX_VIEWS, Share, Spec};
pub(crate) use turn::Turning;

/// What a view is not the owner of, but has to know.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) members: &'a Members,
    /// On a board of the last score, the latest event of members whose score it left as it was.
    pub(crate) events: Option<&'a BTreeMap<MemberId, Millis>>,
}

impl Facts<'_> {
    /// A member's latest event, if that is later than the moment of its entry.
    pub(crate) fn event(&self, id: MemberId, moment: Millis) -> Option<Millis> {
        self.events?.get(&id).copied().filter(|event| *event > moment)
    }
}

/// One view of a board.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) spec: Spec,
    /// Which votes it ranks, on a board that tells shown from real ones.
    pub(crate) tally: Tally,
    /// The order of the current period.
    pub(crate) index: Index,
    /// The leaves of its entries.
    pub(crate) leaf: Column,
    /// What only views of periods have.
    pub(crate) cycle: Option<Box<Cycle>>,
}

impl View {
    /// An empty view, with room for its numbers among those of the members.
    pub(crate) fn new(spec: Spec, tally: Tally, schema: &Schema, members: &mut Members) -> Self {
        let large = members.is_large();
        let leaf = members.add_leaf_column();
        let cycle = spec.reach().map(|(_, count)| {
            let other = members.add_leaf_column();
            // Entries of a view over several periods come to another index later, where equals must
            // stand as they do in this one.
            let arrival = (count > 1).then(|| members.add_arrival_column());
            Box::new(Cycle::new(other, arrival))
        });
        Self { spec, tally, index: Self::empty(schema, large), leaf, cycle }
    }

    /// Changes over to the form for many members, who have other numbers then.
    ///
    /// # Errors
    /// [`Error::Corrupt`], which entries that are in order cannot cause.
    pub(crate) fn enlarge(
        &mut self,
        schema: &Schema,
        members: &mut Members,
        numbers: &BTreeMap<MemberId, MemberId>,
    ) -> Result<(), Error> {
        let renumbered = |id| numbers.get(&id).copied().unwrap_or(id);
        let arrival = self.arrival();
        if let Some(column) = arrival {
            members.settle(column, numbers);
        }
        let mut index = Index::tree(schema.ties);
        for (key, id) in self.index.iter_from(0) {
            index.append(key, renumbered(id), &mut members.seats_mut(self.leaf, arrival))?;
        }
        self.index = index;
        if let Some(cycle) = &mut self.cycle {
            cycle.renumber(schema, members, renumbered);
        }
        Ok(())
    }

    fn empty(schema: &Schema, large: bool) -> Index {
        if large { Index::tree(schema.ties) } else { Index::small(schema.ties) }
    }

    /// All columns that it uses.
    pub(crate) fn columns(&self) -> impl Iterator<Item = Column> {
        let cycle = self.cycle.as_deref();
        let others = cycle.into_iter().flat_map(|cycle| [Some(cycle.other), cycle.arrival]);
        std::iter::once(self.leaf).chain(others.flatten())
    }

    pub(crate) fn arrival(&self) -> Option<Column> {
        self.cycle.as_ref()?.arrival
    }

    /// The members as the current index sees them.
    pub(crate) fn seats<'a>(&self, members: &'a Members) -> Seats<&'a Members> {
        members.seats(self.leaf, self.arrival())
    }

    pub(crate) fn find(&self, id: MemberId, members: &Members) -> Option<Place> {
        self.index.find(id, &self.seats(members))
    }

    /// Asks for the memory that a write to a member will need.
    pub(crate) fn prefetch(&self, id: MemberId, members: &Members) {
        self.index.prefetch(id, &self.seats(members));
        if let Some((_, bucket)) = self.cycle.as_deref().and_then(|cycle| cycle.buckets.back()) {
            bucket.prefetch(id);
        }
    }

    /// A member's entry in the current period, and its place.
    fn entry(&self, facts: &Facts, id: MemberId) -> Option<(Place, Entry)> {
        let place = self.find(id, facts.members)?;
        let Key { grade, moment } = place.key;
        let score = facts.schema.score(grade);
        Some((place, Entry { score, moment, event: facts.event(id, moment) }))
    }

    /// Whether points of more than one period are kept apart.
    fn has_buckets(&self) -> bool {
        self.arrival().is_some()
    }

    /// Whether anything of this view refers to a member.
    pub(crate) fn knows(&self, id: MemberId, members: &Members) -> bool {
        let in_cycle = |cycle: &Cycle| {
            cycle.buckets.iter().any(|(_, bucket)| bucket.contains(id))
                || cycle.all_past().any(|past| past.order.contains(id, members))
                || cycle.retired.buckets.iter().any(|(_, bucket)| bucket.contains(id))
        };
        self.find(id, members).is_some() || self.cycle.as_deref().is_some_and(in_cycle)
    }

    /// Takes a member out, past periods included.
    pub(crate) fn remove(&mut self, id: MemberId, members: &mut Members) {
        if let Some(place) = self.find(id, members) {
            let arrival = self.arrival();
            self.index.remove(place, id, &mut members.seats_mut(self.leaf, arrival));
        }
        let Some(cycle) = &mut self.cycle else { return };
        if let Some(next) = &mut cycle.next
            && let Some(place) = next.index.find(id, &members.seats(cycle.other, cycle.arrival))
        {
            next.index.remove(place, id, &mut members.seats_mut(cycle.other, cycle.arrival));
        }
        for (_, bucket) in cycle.buckets.iter_mut().chain(&mut cycle.retired.buckets) {
            bucket.remove(id);
        }
        cycle.retired.arrivals.remove(&id);
        for past in cycle.past.iter_mut().chain(&mut cycle.retired.past) {
            past.order.remove(id, members);
        }
    }

    /// The greatest distance from 0 of any number of the view.
    pub(crate) fn peak(&self, schema: &Schema) -> u64 {
        let units = |grade| schema.score(grade).units().unsigned_abs();
        let index = self.index.extremes().map_or(0, |(best, worst)| units(best).max(units(worst)));
        index.max(self.cycle.as_ref().map_or(0, |cycle| cycle.peak))
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.index.memory().saturating_add(self.cycle.as_ref().map_or(0, |cycle| cycle.memory()))
    }

    /// How many allocations freeing takes, about.
    pub(crate) fn effort(&self) -> usize {
        self.index.effort().saturating_add(self.cycle.as_ref().map_or(0, |cycle| cycle.effort()))
    }

    /// Lets the allocator move parts to better places, from a step on; where to go on.
    pub(crate) fn relocate(&mut self, step: u64, mover: &mut impl Mover) -> Option<u64> {
        const PART: u32 = 40;
        let mut at = (step & ((1 << PART) - 1)) as usize;
        let mut part = step >> PART;
        loop {
            let next = match (part, &mut self.cycle) {
                (0, _) => self.index.relocate(at, mover),
                (_, None) => return None,
                (part, Some(cycle)) => {
                    let part = usize::try_from(part.saturating_sub(1)).unwrap_or(usize::MAX);
                    if part >= cycle.parts() {
                        return None;
                    }
                    cycle.relocate(part, at, mover)
                }
            };
            if let Some(next) = next {
                return Some(part << PART | next as u64);
            }
            (part, at) = (part.saturating_add(1), 0);
            if mover.pause() {
                return Some(part << PART);
            }
        }
    }
}

/// The key of an entry.
pub(crate) const fn key_of(schema: &Schema, score: Score, moment: Millis) -> Key {
    Key { grade: schema.grade(score), moment }
}

/// Whether scores of several periods are added up.
const fn is_sum(schema: &Schema) -> bool {
    matches!(schema.aggregate, Aggregate::Sum)
}
