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
//!                        packed as they ended     every write      being prepared
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
//! nothing was prepared (an idle server, a restart, a clock that leapt) a copy of the index is set aside,
//! and the index itself is brought up to date by what expires.
//!
//! Until the next write nothing is thrown away ([`boundary::Anchor`]): the clock can be put back exactly
//! ([`leap`]), and the periods that it skipped follow from the last one in which somebody wrote
//! ([`ended`], [`fade`]). That write makes the boundary final ([`settle`]).
//!
//! A write is judged by what the view will be at its moment ([`foresee`]), before the view turns.
//!
//! Two indexes of a view never share a column of leaves: while one is current, the other column
//! belongs to the last period until that is packed, then to the next one. An index that was set aside
//! as a copy has none.

mod boundary;
mod change;
mod contributions;
mod ended;
pub(crate) mod entry;
mod fade;
mod foresee;
mod initial;
mod leap;
mod past;
mod period;
mod prepare;
mod ranking;
mod rules;
mod settle;
mod span;
mod spec;
mod turn;
mod worked;

use std::collections::BTreeMap;

use contributions::Contributions;
use entry::Entry;
use worked::Worked;

use crate::Error;
use crate::candidates::Candidates;
use crate::index::{Index, Key, MemberId, Place};
use crate::members::{Column, IndexMembers, Members, Sequences};
use crate::mover::Mover;
use crate::schema::{Aggregate, Schema, Tally};
use crate::score::Score;
use crate::size_class::bytes_of;
use crate::sorted::Sorted;
use crate::time::Millis;

pub(crate) use change::{Change, Plan};
pub(crate) use past::{Order, Past};
pub(crate) use period::{Periods, Timeline};
pub(crate) use prepare::Garbage;
pub use ranking::{Ranking, Spot, Walk};
pub(crate) use span::Span;
pub use spec::{Kind, MAX_COUNT, MAX_RETAIN, MAX_VIEWS, Share, Spec};
pub(crate) use turn::Turning;

/// What a view is not the owner of, but has to know.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) members: &'a Members,
    /// The options that start periods with shown votes.
    pub(crate) candidates: Option<&'a Candidates>,
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
    /// On a board of the last score, the latest event of members whose score it left as it was.
    pub(crate) events: Option<Box<Sorted<MemberId, Millis>>>,
    pub(crate) timeline: Timeline,
}

impl View {
    /// An empty view, with room for its numbers among those of the members.
    pub(crate) fn new(spec: Spec, tally: Tally, schema: &Schema, members: &mut Members) -> Self {
        let large = members.is_large();
        let leaf = members.add_leaf_column();
        let timeline = match spec.reach() {
            None => Timeline::All,
            Some((_, count)) => {
                let other = members.add_leaf_column();
                // Entries of a view over several periods come to another index later, where equals must
                // stand as they do in this one. Where a period's best comes back, its points know the number.
                let contributions = match schema.aggregate {
                    _ if count == 1 => Contributions::OrderOnly,
                    Aggregate::Sum | Aggregate::Last => {
                        Contributions::NumberedBuckets(members.add_sequence_column())
                    }
                    Aggregate::Max | Aggregate::Min => Contributions::Buckets,
                };
                Timeline::Periods(Box::new(Periods::new(other, contributions)))
            }
        };
        Self { spec, tally, index: Self::empty(schema, large), leaf, events: None, timeline }
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
        let sequence = self.sequence();
        if let Some(column) = sequence {
            members.move_column(column, numbers);
        }
        let mut index = Index::tree(schema.ties);
        for (key, id) in self.index.iter_from(0) {
            index.append(key, renumbered(id), &mut members.index_members_mut(self.leaf, None))?;
        }
        self.index = index;
        if let Some(events) = &mut self.events {
            events.rekey(renumbered);
        }
        match self.timeline.periods_mut() {
            Some(periods) => periods.renumber(schema, members, renumbered),
            None => Ok(()),
        }
    }

    fn empty(schema: &Schema, large: bool) -> Index {
        if large { Index::tree(schema.ties) } else { Index::small(schema.ties) }
    }

    /// All columns that it uses.
    pub(crate) fn columns(&self) -> impl Iterator<Item = Column> {
        let periods = self.periods();
        let others =
            periods.into_iter().flat_map(|periods| [Some(periods.other), periods.contributions.column()]);
        std::iter::once(self.leaf).chain(others.flatten())
    }

    pub(crate) fn sequence(&self) -> Option<Column> {
        self.timeline.periods()?.contributions.column()
    }

    /// The members as the current index sees them.
    pub(crate) fn index_members<'a>(&'a self, members: &'a Members) -> IndexMembers<'a, &'a Members> {
        members.index_members(self.leaf, self.sequences())
    }

    fn sequences(&self) -> Sequences<'_> {
        self.timeline.periods().map_or(Sequences::Unknown, Periods::sequences)
    }

    /// A member's latest event, if that is later than the moment of its entry.
    pub(crate) fn event(&self, id: MemberId, moment: Millis) -> Option<Millis> {
        self.events.as_ref()?.get(id).copied().filter(|event| *event > moment)
    }

    pub(crate) fn set_event(&mut self, id: MemberId, event: Option<Millis>) {
        match (event, &mut self.events) {
            (Some(event), events) => {
                events.get_or_insert_default().insert(id, event);
            }
            (None, Some(events)) => {
                events.remove(id);
            }
            (None, None) => {}
        }
    }

    pub(crate) fn find(&self, id: MemberId, members: &Members) -> Option<Place> {
        self.index.find(id, &self.index_members(members))
    }

    /// Asks for the memory that a write to a member will need.
    pub(crate) fn prefetch(&self, id: MemberId, members: &Members) {
        self.index.prefetch(id, &self.index_members(members));
        if let Some((_, bucket)) = self.timeline.periods().and_then(|periods| periods.buckets.back()) {
            bucket.prefetch(id);
        }
    }

    /// A member's entry in the current period, and its place.
    fn entry(&self, facts: &Facts, id: MemberId) -> Option<(Place, Entry)> {
        let place = self.find(id, facts.members)?;
        let Key { rank_key, moment } = place.key;
        let score = facts.schema.score(rank_key);
        Some((place, Entry { score, moment, event: self.event(id, moment) }))
    }

    /// Whether points of more than one period are kept apart.
    pub(crate) fn has_buckets(&self) -> bool {
        self.timeline.periods().is_some_and(|periods| periods.has_buckets())
    }

    /// Whether nothing has been written since the last boundary.
    pub(crate) fn is_reversible(&self) -> bool {
        self.timeline.periods().is_some_and(|periods| periods.boundary.is_reversible())
    }

    /// The periods of the view, unless it is `all`.
    pub(crate) fn periods(&self) -> Option<&Periods> {
        self.timeline.periods()
    }

    /// Whether an ended order is no order of its own yet in which members are found quickly.
    pub(crate) fn has_unpacked(&self) -> bool {
        let unpacked =
            |past: &Past| past.order.live().is_some_and(|live| live.index.is_tree() && !live.owned);
        self.timeline.periods().is_some_and(|periods| periods.unpacked && periods.past.iter().any(unpacked))
    }

    /// Drops orders that were worked out for readers.
    pub(crate) fn forget_worked(&mut self) {
        let past = self.timeline.periods_mut().into_iter().flat_map(|periods| &mut periods.past);
        past.for_each(|past| past.worked = Worked::default());
    }

    /// Whether anything of this view refers to a member.
    pub(crate) fn knows(&self, id: MemberId, members: &Members) -> bool {
        let in_periods = |periods: &Periods| {
            periods.buckets.iter().any(|(_, bucket)| bucket.contains(id))
                || periods.past.iter().any(|past| past.order.contains(id, members))
        };
        self.find(id, members).is_some() || self.timeline.periods().is_some_and(in_periods)
    }

    /// Takes a member out, past periods included.
    pub(crate) fn remove(&mut self, id: MemberId, members: &mut Members) {
        if let Some(place) = self.find(id, members) {
            self.index.remove(place, id, &mut members.index_members_mut(self.leaf, None));
        }
        self.set_event(id, None);
        let Some(periods) = self.timeline.periods_mut() else { return };
        if let Some(next) = &mut periods.next
            && let Some(place) = next.index.find(id, &members.index_members(periods.other, None))
        {
            next.index.remove(place, id, &mut members.index_members_mut(periods.other, None));
        }
        for past in &mut periods.past {
            past.remove(id, members);
        }
        for (_, bucket) in &mut periods.buckets {
            bucket.remove(id);
        }
        if let Some(faded) = &mut periods.history {
            faded.remove(id, periods.buckets.iter().map(|(start, _)| *start));
        }
        if let Some(anchor) = periods.boundary.anchor_mut() {
            anchor.sequences.remove(id);
        }
    }

    /// The greatest distance from 0 that any number of the view can have at a moment, if nothing is
    /// written until then.
    pub(crate) fn peak(&self, schema: &Schema, now: Millis) -> u128 {
        let units = |rank_key| schema.score(rank_key).units().unsigned_abs();
        let index = self.index.extremes().map_or(0, |(best, worst)| units(best).max(units(worst)));
        let peak = u128::from(index.max(self.timeline.periods().map_or(0, |periods| periods.peak)));
        // What expires may be less than 0.
        let expiring = self.spec.reach().map_or(0, |(_, count)| u128::from(count));
        let due = self.is_due(i64::try_from(now).unwrap_or(i64::MAX));
        if due { peak.saturating_mul(expiring.saturating_add(1)) } else { peak }
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let own = bytes_of::<Sorted<MemberId, Millis>>(1);
        let events = self.events.as_ref().map_or(0, |events| events.memory().saturating_add(own));
        let periods = self.timeline.periods().map_or(0, |periods| periods.memory());
        self.index.memory().saturating_add(periods).saturating_add(events)
    }

    /// How many allocations freeing takes, about.
    pub(crate) fn effort(&self) -> usize {
        let events = self.events.as_ref().map_or(0, |events| events.allocations().saturating_add(1));
        let periods = self.timeline.periods().map_or(0, |periods| periods.effort());
        self.index.effort().saturating_add(periods).saturating_add(events)
    }

    /// Lets the allocator move parts to better places, from a step on; where to go on.
    pub(crate) fn relocate(&mut self, step: u64, mover: &mut impl Mover) -> Option<u64> {
        const PART: u32 = 40;
        let mut at = (step & ((1 << PART) - 1)) as usize;
        let mut part = step >> PART;
        loop {
            let next = match (part, self.timeline.periods_mut()) {
                (0, _) => self.index.relocate(at, mover),
                (_, None) => return None,
                (part, Some(periods)) => {
                    let part = usize::try_from(part.saturating_sub(1)).unwrap_or(usize::MAX);
                    if part >= periods.parts() {
                        return None;
                    }
                    periods.relocate(part, at, mover)
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
    Key { rank_key: schema.rank_key(score), moment }
}

/// Whether scores of several periods are added up.
const fn is_sum(schema: &Schema) -> bool {
    matches!(schema.aggregate, Aggregate::Sum)
}
