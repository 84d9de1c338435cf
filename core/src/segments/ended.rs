//! Ended periods, divided by segments. A read makes the division of a whole period, and it is kept for the next read.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::SegmentId;
use super::changes::Change;
use super::rank::{SegmentRank, number};
use super::values::Values;
use crate::dimensions::Metric;
use crate::index::{Key, MemberId};
use crate::members::Members;
use crate::schema::Schema;
use crate::secret::HashMap;
use crate::size_class::bytes_of;
use crate::sorted::Sorted;
use crate::view::{HiddenEntries, HiddenMembers, PastOrder, Seen};

/// The order of the members of one segment in an ended period.
#[derive(Debug, Clone)]
pub struct EndedSegment {
    order: PastOrder,
    hidden: HiddenEntries,
}

/// An ended period, divided by the segments of one dimension.
#[derive(Debug, Clone, Default)]
pub struct EndedSegments {
    segments: Sorted<SegmentId, EndedSegment>,
    /// The segments with visible members, best first.
    ranked: Vec<SegmentId>,
}

impl EndedSegment {
    /// Returns the order as readers see it.
    pub fn seen<'a>(
        &'a self,
        schema: &'a Schema,
        members: &'a Members,
        hidden: Option<&HiddenMembers>,
    ) -> Seen<'a> {
        let ranking = self.order.ranking(schema, members);
        Seen::new(ranking, self.hidden.of(&ranking, hidden))
    }
}

impl EndedSegments {
    /// Divides the entries of a period, which come best first. `segment` returns the segment in which a member ended the
    /// period, and `changes` the last changes of segments.
    pub fn divide(
        entries: impl Iterator<Item = (Key, MemberId)>,
        segment: impl Fn(MemberId) -> Option<SegmentId>,
        changes: impl FnOnce(&[SegmentId]) -> HashMap<SegmentId, Change>,
        (metric, values): (Metric, &Values),
        (schema, members, hidden): (&Schema, &Members, Option<&HiddenMembers>),
    ) -> Self {
        let mut divided: BTreeMap<SegmentId, Vec<(Key, MemberId)>> = BTreeMap::new();
        // The place of the best visible member of each segment in the whole period.
        let mut best: HashMap<SegmentId, u64> = HashMap::default();
        for ((key, id), place) in entries.zip(0..) {
            if let Some(segment) = segment(id) {
                if hidden.is_none_or(|hidden| hidden.get(id).is_none()) {
                    best.entry(segment).or_insert(place);
                }
                divided.entry(segment).or_default().push((key, id));
            }
        }
        let order = |entries: Vec<_>| PastOrder::of(&entries, 0).unwrap_or_else(PastOrder::none);
        let ended = |entries| EndedSegment { order: order(entries), hidden: HiddenEntries::new() };
        let mut segments = Sorted::default();
        for (segment, entries) in divided {
            segments.insert(segment, ended(entries));
        }
        let changes = changes(&segments.keys().collect::<Vec<_>>());
        let ranked = segments.iter().filter_map(|(id, segment)| {
            let number = number(&segment.seen(schema, members, hidden), metric, schema)?;
            let name = values.name(id);
            if metric == Metric::Best {
                let place = best.get(&id).copied().unwrap_or(u64::MAX);
                return Some((id, SegmentRank::of_best(number, place, name, schema.ties)));
            }
            Some((id, SegmentRank { number, change: changes.get(&id).copied().unwrap_or_default(), name }))
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_unstable_by(|(_, one), (_, other)| one.compare(other, schema.ties));
        let ranked = ranked.into_iter().map(|(id, _)| id).collect();
        Self { segments, ranked }
    }

    pub fn get(&self, segment: SegmentId) -> Option<&EndedSegment> {
        self.segments.get(segment)
    }

    /// Returns the segments with visible members, best first.
    pub fn ranked(&self) -> &[SegmentId] {
        &self.ranked
    }

    fn memory(&self) -> usize {
        let orders =
            self.segments.values().map(|ended| ended.order.memory().saturating_add(ended.hidden.memory()));
        let lists = self.segments.memory().saturating_add(bytes_of::<SegmentId>(self.ranked.capacity()));
        orders.fold(lists, usize::saturating_add)
    }
}

/// Divided periods that are kept for the next read: a short list that grows during reads. The board drops it when it has
/// become long, or when a member is removed or hidden.
#[derive(Debug, Clone)]
pub struct KeptSegments(OnceCell<Box<Link>>);

#[derive(Debug, Clone)]
struct Link {
    /// The start of the period.
    start: i64,
    divided: EndedSegments,
    rest: KeptSegments,
}

impl KeptSegments {
    pub const fn new() -> Self {
        Self(OnceCell::new())
    }

    /// Returns the divided period with this start. If it is not kept, `make` divides it.
    pub fn kept(&self, start: i64, make: impl FnOnce() -> EndedSegments) -> &EndedSegments {
        let mut kept = self;
        while let Some(link) = kept.0.get().filter(|link| link.start != start) {
            kept = &link.rest;
        }
        let new = || Box::new(Link { start, divided: make(), rest: Self::new() });
        &kept.0.get_or_init(new).divided
    }

    pub fn memory(&self) -> usize {
        self.0.get().map_or(0, |link| {
            bytes_of::<Link>(1).saturating_add(link.divided.memory()).saturating_add(link.rest.memory())
        })
    }
}
