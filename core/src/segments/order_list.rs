//! The orders of the members of each segment in a period of a view.

use super::SegmentId;
use super::hidden::{HiddenBySegment, HiddenMember};
use super::members::ties_of_segments;
use crate::effort;
use crate::index::Index;
use crate::members::{Column, Members, Sequences};
use crate::mover::{Mover, Relocation};
use crate::schema::{Schema, Ties};
use crate::sorted::Sorted;
use crate::view::{HiddenEntries, Ranking, Seen};

/// The number of small orders that are freed in one step.
const STEP: usize = 16;

/// The order of the members of one segment.
#[derive(Debug, Clone)]
pub struct SegmentOrder {
    pub index: Index,
    pub hidden: HiddenEntries,
}

impl SegmentOrder {
    /// Returns the empty order of a segment of a board with this tie rule.
    fn new(ties: Ties) -> Self {
        Self { index: Index::small(ties_of_segments(ties)), hidden: HiddenEntries::new() }
    }

    /// Returns the order as readers see it. `hidden` are the hidden members of the segment.
    pub fn seen<'a>(
        &'a self,
        schema: &'a Schema,
        (members, leaf): (&'a Members, Column),
        hidden: &[HiddenMember],
    ) -> Seen<'a> {
        let members = members.index_members(leaf, Sequences::Unknown);
        let ranking = Ranking::current(schema, &self.index, members);
        Seen::new(ranking, self.hidden.among(&ranking, hidden.iter().map(|(_, id)| *id)))
    }
}

/// The orders of the segments that have members. Their memory is counted while they change, because there can be millions of
/// them.
#[derive(Debug, Default)]
pub struct Orders {
    orders: Sorted<SegmentId, SegmentOrder>,
    /// The number of bytes of all indexes.
    bytes: usize,
}

impl Clone for Orders {
    /// Returns a copy. Its indexes have no spare memory, so their bytes are counted again.
    fn clone(&self) -> Self {
        let orders = self.orders.clone();
        let bytes = bytes_of_indexes(&orders);
        Self { orders, bytes }
    }
}

fn bytes_of_indexes(orders: &Sorted<SegmentId, SegmentOrder>) -> usize {
    orders.values().map(|order| order.index.memory()).fold(0, usize::saturating_add)
}

impl Orders {
    pub fn get(&self, segment: SegmentId) -> Option<&SegmentOrder> {
        self.orders.get_near(segment)
    }

    pub const fn is_empty(&self) -> bool {
        self.orders.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (SegmentId, &SegmentOrder)> {
        self.orders.iter()
    }

    /// Returns the segments from one on.
    pub fn segments_from(&self, segment: SegmentId) -> impl Iterator<Item = SegmentId> {
        self.orders.range_from(segment).map(|(segment, _)| segment)
    }

    /// Adds an empty order for a segment that has none. [`Self::change`] has to add a member to it.
    pub fn add(&mut self, segment: SegmentId, ties: Ties) {
        if self.orders.get_near(segment).is_none() {
            self.orders.insert(segment, SegmentOrder::new(ties));
        }
    }

    /// Changes the order of a segment. An order that is empty then is dropped. Returns `None` if the segment has no order.
    pub fn change<R>(
        &mut self,
        segment: SegmentId,
        change: impl FnOnce(&mut SegmentOrder) -> R,
    ) -> Option<R> {
        let order = self.orders.get_near_mut(segment)?;
        let before = order.index.memory();
        let result = change(order);
        let (after, is_empty) = (order.index.memory(), order.index.len() == 0);
        self.bytes = self.bytes.saturating_sub(before);
        if is_empty {
            self.orders.remove(segment);
        } else {
            self.bytes = self.bytes.saturating_add(after);
        }
        Some(result)
    }

    /// Forgets the places of hidden members, which are kept for readers.
    pub fn forget_hidden(&mut self, hidden: &HiddenBySegment) {
        for segment in hidden.segments() {
            self.orders.get_mut(segment).into_iter().for_each(|order| order.hidden.clear());
        }
    }

    /// Frees some of the orders. Returns false when there is nothing more to free. The orders must not be used any more.
    pub fn drain_some(&mut self) -> bool {
        for _ in 0..STEP {
            let Some(last) = self.orders.last_mut() else { return false };
            let before = last.index.memory();
            let has_more = last.index.is_tree() && last.index.drain_some(&mut Vec::new());
            let after = if has_more { last.index.memory() } else { 0 };
            self.bytes = self.bytes.saturating_sub(before).saturating_add(after);
            if has_more {
                return true;
            }
            self.orders.pop();
        }
        true
    }

    /// Returns the number of bytes on the heap. Only orders of segments with hidden members keep the places of hidden members.
    pub fn memory(&self, hidden: &HiddenBySegment) -> usize {
        let own = self.orders.memory().saturating_add(self.bytes);
        let kept = hidden.segments().filter_map(|segment| Some(self.get(segment)?.hidden.memory()));
        kept.fold(own, usize::saturating_add)
    }

    /// Returns about how many allocations there are.
    pub fn effort(&self) -> usize {
        let orders = self.orders.values().map(|order| order.index.effort());
        effort::sum(orders).saturating_add(self.orders.allocations())
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.orders.values_mut().for_each(|order| order.index.relocate(walk));
    }

    /// Checks the count of bytes, and panics if it is wrong.
    pub fn check(&self) {
        assert_eq!(self.bytes, bytes_of_indexes(&self.orders), "the bytes of the orders of segments");
    }
}
