//! A view: the order of a board's members by the points that they got in certain periods.
//!
//! # One idea
//! The score of a view in period i is a weighted sum of the points that members got in the last periods,
//! `S(i) = w0·R(i) + w1·R(i-1) + ...` (or the best or the last of these points). The view `all` has one endless
//! period. A single period (`day`) has the weight 1; `day:7` has seven weights of 1; a carry is a share as the
//! second weight. A decay has a weight for every past period, which is a share of the weight of the next newer
//! period. So one struct is enough for all of them:
//!
//! ```text
//!                      past                         current          next
//!            ... | order of i-2 | order of i-1 | index of S(i) | index of S(i+1)
//!   R(i-6)  ...  |   bucket     |   bucket     |    bucket R(i)
//!                     packed after they end       every write      prepared in steps
//! ```
//!
//! * **current**: an order index of S(i). If more than one period counts, the points R of each period are in a
//!   separate [`Bucket`](crate::bucket::Bucket) ([`states`]). If scores decay, only the order is needed: the next
//!   order is a share of it ([`trend`]).
//! * **next**: S(i+1) as it will be if no write follows, prepared in small steps in the last part of a period
//!   ([`prepare`]). A write to a member also updates its entry in `next`.
//! * **past**: the orders of ended periods ([`past`]). Each is first the index that was current, and is then packed
//!   in small steps ([`past_order`]).
//!
//! At a boundary ([`rollover`]), the prepared index becomes the current index, for any size of the board. If no
//! index was prepared (on an idle server, after a restart, or after a jump of the clock), the new order is derived from the
//! last one: a copy of the index is set aside, and the expired points are removed from the index itself ([`ended_points`]), or
//! a new index is built. Decay keeps the order of the members, so that index has the same leaves.
//!
//! Until the next write, the boundary is reversible ([`states`]), and no data is deleted: the clock can be put back
//! exactly ([`rewind`]), and the orders of the periods that it skipped are derived from the last period with a
//! write ([`ended`]). The next write makes the boundary final ([`finalize`]).
//!
//! A write is judged by the state that the view will have at the write's moment, before the view goes to another
//! period. Then the write is planned in all views of a board, and applied ([`change`]).
//!
//! Two indexes of a view never own the same column of leaves. While one column is used by the current index, the spare
//! column is used by the index of the last period until that is packed, and then by the index of the next period.
//! An index that was set aside as a copy, or at a boundary of decay, owns no column. It reads the column of the current index as
//! hints.
//!
//! A view has no data about votes. The votes that candidates have at the start of a period are entries of the board
//! ([`starting`]).

mod change;
mod context;
mod contributions;
mod decay;
mod ended;
mod ended_points;
pub(crate) mod entry;
mod faded;
mod finalize;
mod first_moments;
pub(crate) mod hidden;
mod history;
mod keep;
mod level_sums;
mod past;
mod past_order;
mod period_view;
mod periods;
mod plan;
mod prepare;
mod ranking;
mod rewind;
mod rollover;
mod seen;
mod shown;
mod spec;
mod starting;
mod states;
mod together;
mod traces;
mod trend;
mod written;

use ended_points::EndedPoints;
use entry::Entry;
use past::{Cached, EndedShape, Kept, LostMoments};
use past_order::EndedIndex;
use period_view::PeriodView;
use periods::{clamped, is_at_end};
pub(crate) use states::Span;
pub(crate) use states::walked;
use states::{Anchor, Boundary, Contributions, NextOrder, PeriodRules, signed, unsigned};

use crate::index::{EntryPlace, Index, Key, MemberId};
use crate::members::{Column, IndexMembers, Members, NewNumbers, Sequences};
use crate::mover::{Mover, Relocation};
use crate::schema::{Schema, Tally};
use crate::score::Score;
use crate::size_class::bytes_of;
use crate::sorted::Sorted;
use crate::time::Millis;

use crate::share::Share;
pub(crate) use change::Change;
use context::Keyed;
pub(crate) use context::{BoardContext, BoardContextMut, Garbage, StartingEntries, StartingEntry};
pub(crate) use first_moments::MOST_DATED;
pub(crate) use hidden::{HiddenEntries, HiddenMembers};
pub(crate) use history::History;
use past::EndedOrder;
pub(crate) use past::Past;
#[cfg(test)]
pub(crate) use past::visits;
pub(crate) use past_order::PastOrder;
pub(crate) use periods::{Periods, Timeline};
pub(crate) use plan::Plan;
pub(crate) use prepare::PreparedOrder;
pub use ranking::Point;
pub(crate) use ranking::{Ranking, Spot, Walk};
pub(crate) use seen::{EntryGroup, GROUP, Seen, SeenWalk, Standpoint};
pub use spec::{Kind, MAX_COUNT, MAX_RETAIN, MAX_VIEWS, Spec};
pub(crate) use together::{Stretch, ended_together};
pub(crate) use written::{NumberedEntry, Recipe};

/// On a board with `AGGREGATE LAST`: the moments of members' latest events, if these events did not change the
/// score.
type Events = Option<Box<Sorted<MemberId, Millis>>>;

/// One view of a board.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) spec: Spec,
    /// The votes that the view ranks, on a board that counts shown and real votes apart.
    pub(crate) tally: Tally,
    /// The order of the current period. `leaf` is the column of its leaves.
    pub(crate) index: Index,
    pub(crate) leaf: Column,
    events: Events,
    /// The hidden members of the current period.
    pub(crate) hidden: HiddenEntries,
    pub(crate) timeline: Timeline,
}

// A size of the server's allocator; the next one is a fourth greater.
const _: () = assert!(size_of::<View>() <= 128);

impl View {
    /// Returns an empty view. Adds columns for its numbers to the members.
    pub(crate) fn new(spec: Spec, tally: Tally, schema: &Schema, members: &mut Members) -> Self {
        let large = members.is_large();
        let leaf = members.add_leaf_column();
        let timeline = match PeriodRules::of(&spec) {
            None => Timeline::All,
            Some(rules) => Timeline::Periods(Box::new(Periods::new(rules, tally, schema.aggregate, members))),
        };
        let (index, hidden) = (Self::empty(schema, large), HiddenEntries::new());
        Self { spec, tally, index, leaf, events: None, hidden, timeline }
    }

    /// Changes the rules of the view. Its last boundary must be final.
    pub(crate) fn set_spec(
        &mut self,
        spec: Spec,
        schema: &Schema,
        members: &mut Members,
        garbage: &mut Vec<Garbage>,
    ) {
        if spec == self.spec {
            return;
        }
        self.spec = spec;
        let (Timeline::Periods(periods), Some(rules)) = (&mut self.timeline, PeriodRules::of(&spec)) else {
            return;
        };
        periods.forget_next(garbage);
        periods.rules = rules;
        periods.set_contributions(&self.index, schema, members, garbage);
        if let Some(span) = periods.span {
            periods.span = Some(rules.span(&schema.calendar, span.period.start));
            periods.prune(schema, garbage);
        }
    }

    /// Changes the view to the form for many members. In that form, members have other numbers.
    pub(crate) fn enlarge(&mut self, schema: &Schema, members: &mut Members, numbers: &NewNumbers) {
        let renumbered = |id| numbers.of(id);
        if let Some(column) = self.sequence() {
            members.move_column(column, numbers);
        }
        let entries: Vec<_> = self.index.iter_from(0).map(|(key, id)| (key, renumbered(id))).collect();
        self.index = Index::tree(schema.ties);
        self.index.append_all(&entries, &mut members.index_members_mut(self.leaf, None));
        self.forget_hidden_ever();
        if let Some(events) = &mut self.events {
            events.rekey(renumbered);
        }
        if let Timeline::Periods(periods) = &mut self.timeline {
            periods.renumber(schema, members, renumbered);
        }
    }

    /// Makes the period of the first write the current period. Returns whether this was the first write.
    pub(crate) fn start(&mut self, schema: &Schema, now: i64) -> bool {
        let Some(periods) = self.periods_mut().filter(|periods| periods.span.is_none()) else { return false };
        let span = periods.rules.span(&schema.calendar, now);
        (periods.span, periods.since, periods.kept) = (Some(span), span.period.start, i64::MIN);
        periods.share = periods.rules.carry;
        true
    }

    fn empty(schema: &Schema, large: bool) -> Index {
        if large { Index::tree(schema.ties) } else { Index::small(schema.ties) }
    }

    /// Returns the view's periods; `None` for the view `all`.
    pub(crate) fn periods(&self) -> Option<&Periods> {
        match &self.timeline {
            Timeline::All => None,
            Timeline::Periods(periods) => Some(periods),
        }
    }

    pub(crate) fn periods_mut(&mut self) -> Option<&mut Periods> {
        match &mut self.timeline {
            Timeline::All => None,
            Timeline::Periods(periods) => Some(periods),
        }
    }

    /// Returns all columns that the view uses.
    pub(crate) fn columns(&self) -> impl Iterator<Item = Column> {
        let spare = self.periods().map(|periods| periods.spare);
        std::iter::once(self.leaf).chain(spare).chain(self.sequence())
    }

    pub(crate) fn sequence(&self) -> Option<Column> {
        self.periods()?.contributions.column()
    }

    /// Returns the members in the form that the current index reads.
    pub(crate) fn index_members<'a>(&'a self, members: &'a Members) -> IndexMembers<'a, &'a Members> {
        members.index_members(self.leaf, self.periods().map_or(Sequences::Unknown, Periods::sequences))
    }

    pub(crate) fn event(&self, id: MemberId, moment: Millis) -> Option<Millis> {
        event_of(&self.events, id, moment)
    }

    pub(crate) fn set_event(&mut self, id: MemberId, event: Option<Millis>) {
        if let Some(event) = event {
            self.events.get_or_insert_default().insert(id, event);
        } else if let Some(events) = &mut self.events {
            events.remove(id);
        }
    }

    pub(crate) fn find(&self, id: MemberId, members: &Members) -> Option<EntryPlace> {
        self.index.find(id, &self.index_members(members))
    }

    /// Prefetches the memory that a write to a member needs.
    pub(crate) fn prefetch(&self, id: MemberId, members: &Members) {
        self.index.prefetch(id, &self.index_members(members));
        if let Some((_, bucket)) = self.periods().and_then(|periods| periods.buckets.back()) {
            bucket.prefetch(id);
        }
    }

    /// Returns a member's entry in the current period, and its place.
    fn entry(&self, context: &BoardContext, id: MemberId) -> Option<(EntryPlace, Entry)> {
        let place = self.find(id, context.members)?;
        let Key { rank_key, moment } = place.key;
        let score = context.schema.score(rank_key);
        Some((place, Entry { score, moment, event: self.event(id, moment) }))
    }

    /// Returns whether the clock can be put back to a moment before the last boundary.
    pub(crate) fn is_reversible(&self) -> bool {
        self.periods().is_some_and(|periods| periods.boundary.is_reversible())
    }

    /// Returns whether the order of the next period exists, in part or completely.
    pub(crate) fn is_preparing(&self) -> bool {
        self.periods().is_some_and(|periods| periods.next.is_some())
    }

    /// Returns whether there may be work between commands.
    pub(crate) fn is_big(&self) -> bool {
        self.periods().is_some() && self.index.is_tree()
    }

    /// Returns whether there is an ended order in which a search for a member may read all leaves.
    pub(crate) fn is_slow_to_search(&self) -> bool {
        let is_slow = |past: &Past| past.order.index().is_some_and(EndedIndex::is_unowned_tree);
        self.periods().is_some_and(|periods| periods.unpacked && periods.past.iter().any(is_slow))
    }

    /// Drops the derived orders that are kept for readers.
    pub(crate) fn drop_cached(&mut self) {
        let past = self.periods_mut().into_iter().flat_map(|periods| &mut periods.past);
        past.for_each(|past| past.cached = Cached::new());
    }

    /// Returns whether any data of this view refers to a member.
    pub(crate) fn knows(&self, id: MemberId, members: &Members) -> bool {
        let in_periods = |periods: &Periods| {
            periods.buckets.iter().any(|(_, bucket)| bucket.contains(id))
                || periods.past.iter().any(|past| past.contains(id, members))
        };
        self.find(id, members).is_some() || self.periods().is_some_and(in_periods)
    }

    /// Returns whether a member is in the order of an ended period.
    pub(crate) fn has_past(&self, id: MemberId, members: &Members) -> bool {
        self.periods().is_some_and(|periods| periods.past.iter().any(|past| past.contains(id, members)))
    }

    /// Returns how many ended orders the view has.
    pub(crate) fn ended_orders(&self) -> usize {
        self.periods().map_or(0, |periods| periods.past.len())
    }

    /// Returns how many lists of the view have numbers of members: its order, those of ended periods, and the points of periods.
    pub(crate) fn numbered_lists(&self) -> usize {
        let of_periods = |periods: &Periods| {
            let old = periods.history.as_ref().map_or(0, |history| history.buckets.len());
            periods.past.len().saturating_add(periods.buckets.len()).saturating_add(old)
        };
        self.periods().map_or(0, of_periods).saturating_add(1)
    }

    /// Removes members, also from ended periods. `ids` must be ascending. If `lost` is given, each ended period of
    /// a part loses the moments of `lost` members.
    pub(crate) fn remove_all(&mut self, ids: &[MemberId], lost: Option<usize>, members: &mut Members) {
        for id in ids {
            if let Some(place) = self.find(*id, members) {
                self.index.remove(place, *id, &mut members.index_members_mut(self.leaf, None));
            }
            self.set_event(*id, None);
        }
        if let Some(periods) = self.periods_mut() {
            ids.iter().for_each(|id| periods.remove(*id, members));
            let in_any_case = periods.rules.passes_on();
            let lost = lost.map(|members| LostMoments { members, in_any_case });
            periods.remove_from_past(ids, lost, members);
        }
    }

    /// Returns the greatest distance from 0 that any number of the view can have at a moment, if no write happens
    /// until then.
    pub(crate) fn peak(&self, schema: &Schema, now: Millis) -> u128 {
        let units = |rank_key| schema.score(rank_key).units().unsigned_abs();
        let index = self.index.extremes().map_or(0, |(best, worst)| units(best).max(units(worst)));
        let Some(periods) = self.periods() else { return u128::from(index) };
        let peak = u128::from(index.max(periods.peak));
        // Expiring points may be negative, so the sum may become greater.
        let expiring = u128::from(periods.rules.count);
        let is_due = periods.span.is_some_and(|span| !span.contains(signed(now)));
        if is_due { peak.saturating_mul(expiring.saturating_add(1)) } else { peak }
    }

    /// Returns the data of the view that is to be freed in steps.
    pub(crate) fn into_garbage(self) -> Vec<Garbage> {
        let mut garbage = vec![Garbage::Index(self.index)];
        if let Timeline::Periods(mut periods) = self.timeline {
            periods.forget_next(&mut garbage);
            let old = periods.history.into_iter().flat_map(|history| history.buckets);
            garbage.extend(periods.buckets.into_iter().chain(old).map(|(_, bucket)| Garbage::Bucket(bucket)));
            garbage.extend(periods.past.into_iter().flat_map(Past::into_garbage));
        }
        garbage
    }

    /// Returns the number of bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let own = bytes_of::<Sorted<MemberId, Millis>>(1);
        let events = self.events.as_ref().map_or(0, |events| events.memory().saturating_add(own));
        let periods = self.periods().map_or(0, Periods::memory);
        let hidden = self.hidden.memory();
        [self.index.memory(), periods, events, hidden].into_iter().fold(0, usize::saturating_add)
    }

    /// Returns about how many allocations must be freed to free the view.
    pub(crate) fn effort(&self) -> usize {
        let events = self.events.as_ref().map_or(0, |events| events.allocations().saturating_add(1));
        let periods = self.periods().map_or(0, Periods::effort);
        self.index.effort().saturating_add(periods).saturating_add(events)
    }

    pub(crate) fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.index.relocate(walk);
        if let Timeline::Periods(periods) = &mut self.timeline {
            periods.relocate(walk);
        }
    }
}

/// Returns the key of an entry.
pub(crate) const fn key_of(schema: &Schema, score: Score, moment: Millis) -> Key {
    Key { rank_key: schema.rank_key(score), moment }
}

/// Returns a member's latest event, if the event is later than the moment of the member's entry.
fn event_of(events: &Events, id: MemberId, moment: Millis) -> Option<Millis> {
    events.as_ref()?.get(id).copied().filter(|event| *event > moment)
}
