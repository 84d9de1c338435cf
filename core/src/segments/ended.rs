//! Ended periods, divided by segments. The first read of a segment divides the whole period, and the result is kept for the
//! next reads.

use std::cell::OnceCell;

use arrayvec::ArrayVec;

use super::SegmentId;
use super::hidden::{HiddenBySegment, HiddenMember};
use super::rank::SegmentRank;
use crate::index::{Key, MemberId, SMALL};
use crate::packed::{PackedOrder, Packer};
use crate::schema::{Schema, Ties};
use crate::size_class::bytes_of;
use crate::sorted::Sorted;
use crate::time::Millis;
use crate::view::{HiddenEntries, Ranking, Seen};

/// The number of members whose segments are read together.
const GROUP: usize = 32;

/// The order of the members of one segment in an ended period.
#[derive(Debug, Clone)]
pub struct EndedSegment {
    order: Order,
    hidden: HiddenEntries,
}

/// The rank keys and the members of a segment, best first.
#[derive(Debug, Clone)]
enum Order {
    /// Up to [`SMALL`] members. Most segments are this small, so a packed order would take many times the memory.
    Few(Box<[(u64, MemberId)]>),
    Many(Box<PackedOrder>),
}

impl Order {
    fn of(entries: &[Entry]) -> Self {
        let pairs = entries.iter().map(|entry| (entry.rank_key, entry.id));
        if entries.len() <= SMALL {
            return Self::Few(pairs.collect());
        }
        let mut packer = Packer::new();
        pairs.for_each(|(rank_key, id)| packer.push(rank_key, id));
        // The entries of a period are in order, each with another member.
        packer.finish().map_or_else(|| Self::Few(Box::default()), |packed| Self::Many(Box::new(packed)))
    }

    fn remove(&mut self, id: MemberId) {
        match self {
            Self::Few(pairs) => *pairs = pairs.iter().copied().filter(|(_, other)| *other != id).collect(),
            Self::Many(packed) => _ = packed.remove(id),
        }
    }

    fn len(&self) -> u64 {
        match self {
            Self::Few(pairs) => pairs.len() as u64,
            Self::Many(packed) => packed.len(),
        }
    }

    fn memory(&self) -> usize {
        match self {
            Self::Few(pairs) => bytes_of::<(u64, MemberId)>(pairs.len()),
            Self::Many(packed) => packed.memory(),
        }
    }
}

impl EndedSegment {
    /// Returns the order as readers see it. `hidden` are the hidden members of the segment.
    fn seen<'a>(&'a self, schema: &'a Schema, hidden: &[HiddenMember]) -> Seen<'a> {
        let ranking = match &self.order {
            Order::Few(pairs) => Ranking::few(schema, pairs),
            Order::Many(packed) => Ranking::packed(schema, packed),
        };
        Seen::new(ranking, self.hidden.among(&ranking, hidden.iter().map(|(_, id)| *id)))
    }
}

/// An ended period, divided by the segments of one dimension.
#[derive(Debug, Clone, Default)]
pub struct EndedSegments {
    segments: Sorted<SegmentId, EndedSegment>,
    /// The segments with visible members, best first. They are ranked by the first read that needs the ranking.
    ranked: OnceCell<Box<[SegmentId]>>,
    /// The hidden members of each segment, after they were needed.
    hidden: OnceCell<HiddenBySegment>,
}

/// A member of a segment.
#[derive(Debug, Clone, Copy)]
struct Entry {
    segment: SegmentId,
    id: MemberId,
    rank_key: u64,
}

impl EndedSegments {
    /// Divides the entries of a period, which come best first. `segment` returns the segment in which a member ended the
    /// period. It is called for some members together, after `approach` was called for each of them.
    pub fn divide(
        mut entries: impl Iterator<Item = (Key, MemberId)>,
        approach: impl Fn(MemberId),
        segment: impl Fn(MemberId) -> Option<SegmentId>,
    ) -> Self {
        let mut divided: Vec<Entry> = Vec::new();
        loop {
            let group: ArrayVec<_, GROUP> = entries.by_ref().take(GROUP).collect();
            group.iter().for_each(|(_, id)| approach(*id));
            let placed = group.iter().filter_map(|(key, id)| {
                Some(Entry { segment: segment(*id)?, id: *id, rank_key: key.rank_key })
            });
            divided.extend(placed);
            if !group.is_full() {
                break;
            }
        }
        divided.sort_by_key(|entry| entry.segment);
        let mut segments = Sorted::default();
        for entries in divided.chunk_by(|one, other| one.segment == other.segment) {
            if let [first, ..] = entries {
                let order = Order::of(entries);
                segments.insert(first.segment, EndedSegment { order, hidden: HiddenEntries::new() });
            }
        }
        Self { segments, ..Self::default() }
    }

    /// Returns the order of a segment as readers see it; `None` if nobody ended the period in it. If the hidden members of the
    /// segments are not known, `hidden` returns them.
    pub fn seen<'a>(
        &'a self,
        segment: SegmentId,
        schema: &'a Schema,
        hidden: impl FnOnce() -> HiddenBySegment,
    ) -> Option<Seen<'a>> {
        Some(self.segments.get(segment)?.seen(schema, self.hidden.get_or_init(hidden).of(segment)))
    }

    /// Returns all segments.
    pub fn ids(&self) -> impl Iterator<Item = SegmentId> {
        self.segments.keys()
    }

    /// Returns the segments with visible members, best first. If they were not ranked since the last change, `ranks` returns
    /// these segments in any order.
    pub fn ranked<'a>(
        &self,
        ties: Ties,
        ranks: impl FnOnce() -> Vec<(SegmentId, SegmentRank<'a>)>,
    ) -> &[SegmentId] {
        self.ranked.get_or_init(|| {
            let mut ranked = ranks();
            ranked.sort_unstable_by(|(_, one), (_, other)| one.compare(other, ties));
            ranked.into_iter().map(|(id, _)| id).collect()
        })
    }

    fn remove(&mut self, segment: SegmentId, id: MemberId) {
        let Some(ended) = self.segments.get_mut(segment) else { return };
        ended.order.remove(id);
        if ended.order.len() == 0 {
            // Another segment may get this number.
            self.segments.remove(segment);
        }
        self.hidden_changed(segment);
    }

    fn hidden_changed(&mut self, segment: SegmentId) {
        self.segments.get_mut(segment).into_iter().for_each(|ended| ended.hidden.clear());
        (self.ranked, self.hidden) = (OnceCell::new(), OnceCell::new());
    }

    fn memory(&self) -> usize {
        let orders =
            self.segments.values().map(|ended| ended.order.memory().saturating_add(ended.hidden.memory()));
        let ranked = self.ranked.get().map_or(0, |ranked| bytes_of::<SegmentId>(ranked.len()));
        let hidden = self.hidden.get().map_or(0, HiddenBySegment::memory);
        let lists = self.segments.memory().saturating_add(ranked).saturating_add(hidden);
        orders.fold(lists, usize::saturating_add)
    }
}

/// Divided periods that are kept for the next read: a short list that grows during reads. The board drops it when it has
/// become long.
#[derive(Debug, Clone)]
pub struct KeptSegments(OnceCell<Box<Link>>);

#[derive(Debug, Clone)]
struct Link {
    /// The start of the period.
    start: i64,
    /// Its end.
    end: Millis,
    divided: EndedSegments,
    rest: KeptSegments,
}

impl KeptSegments {
    pub const fn new() -> Self {
        Self(OnceCell::new())
    }

    /// Returns the divided period with this start and end. If it is not kept, `make` divides it.
    pub fn kept(&self, (start, end): (i64, Millis), make: impl FnOnce() -> EndedSegments) -> &EndedSegments {
        let mut kept = self;
        while let Some(link) = kept.0.get().filter(|link| link.start != start) {
            kept = &link.rest;
        }
        let new = || Box::new(Link { start, end, divided: make(), rest: Self::new() });
        &kept.0.get_or_init(new).divided
    }

    /// Keeps the periods whose start fulfils a condition, and drops the others.
    pub fn retain(&mut self, is_kept: impl Fn(i64) -> bool) {
        let mut left = std::mem::replace(self, Self::new());
        while let Some(mut link) = left.0.take() {
            left = std::mem::replace(&mut link.rest, Self::new());
            if is_kept(link.start) {
                link.rest = std::mem::replace(self, Self::new());
                *self = Self(OnceCell::from(link));
            }
        }
    }

    /// Follows the removal of a member. `segment` returns the segment in which it was just before a moment.
    pub fn remove(&mut self, id: MemberId, segment: impl Fn(Millis) -> Option<SegmentId>) {
        self.each(|end, divided| segment(end).into_iter().for_each(|segment| divided.remove(segment, id)));
    }

    /// Notes that a member is hidden now, or visible again. `segment` returns the segment in which it was just before a moment.
    pub fn hidden_changed(&mut self, segment: impl Fn(Millis) -> Option<SegmentId>) {
        self.each(|end, divided| {
            segment(end).into_iter().for_each(|segment| divided.hidden_changed(segment))
        });
    }

    fn each(&mut self, mut change: impl FnMut(Millis, &mut EndedSegments)) {
        let mut kept = self;
        while let Some(link) = kept.0.get_mut() {
            change(link.end, &mut link.divided);
            kept = &mut link.rest;
        }
    }

    pub fn memory(&self) -> usize {
        self.0.get().map_or(0, |link| {
            bytes_of::<Link>(1).saturating_add(link.divided.memory()).saturating_add(link.rest.memory())
        })
    }
}
