//! Orders for reads: the order of the current period, or of an ended period in its present form. Reads are the same
//! for all forms.

use super::faded::{Faded, FadedWalk};
use super::seen::EntryGroup;
use super::{EndedIndex, PastOrder};
use crate::index::{self, EntryPlace, Index, Key, MemberId};
use crate::members::{IndexMembers, Members};
use crate::packed::{self, PackedOrder};
use crate::schema::{Schema, Ties};
use crate::time::Millis;

/// A place between entries: just before all entries with a key, or just behind these entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    pub(crate) key: Key,
    pub(crate) is_behind: bool,
}

impl Point {
    /// Returns whether an entry with this moment and the point's score is before the point.
    const fn is_after(self, ties: Ties, moment: Millis) -> bool {
        let is_before = match ties {
            Ties::Last => moment > self.key.moment,
            _ => moment < self.key.moment,
        };
        is_before || (self.is_behind && moment == self.key.moment)
    }
}

/// An order for reads: the order of the current period of a view, or of an ended period.
#[derive(Debug, Clone, Copy)]
pub struct Ranking<'a> {
    schema: &'a Schema,
    shape: Shape<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Shape<'a> {
    Current(&'a Index, IndexMembers<'a, &'a Members>),
    /// An ended order that is still an index.
    Ended(&'a EndedIndex, &'a Members),
    /// A packed order, and the moments of its first places.
    Packed(&'a PackedOrder, &'a [Millis]),
    /// An order that is derived from an older order by decay.
    Faded(Faded<'a>),
    /// The rank keys and members of an ended order of a few members.
    Few(&'a [(u64, MemberId)]),
}

/// A member's place in a [`Ranking`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The entry's place, if the order is an index.
    place: Option<EntryPlace>,
    before: u64,
    rank_key: u64,
    /// When the member got its score, if the order has this moment without a place.
    moment: Millis,
}

impl<'a> Ranking<'a> {
    /// Returns an empty order.
    pub(crate) const fn empty(schema: &'a Schema) -> Self {
        Self::few(schema, &[])
    }

    /// Returns an ended order of a few members. The entries must come best first.
    pub(crate) const fn few(schema: &'a Schema, entries: &'a [(u64, MemberId)]) -> Self {
        Self { schema, shape: Shape::Few(entries) }
    }

    /// Returns a packed order without moments.
    pub(crate) const fn packed(schema: &'a Schema, packed: &'a PackedOrder) -> Self {
        Self { schema, shape: Shape::Packed(packed, &[]) }
    }

    pub(crate) const fn current(
        schema: &'a Schema,
        index: &'a Index,
        index_members: IndexMembers<'a, &'a Members>,
    ) -> Self {
        Self { schema, shape: Shape::Current(index, index_members) }
    }

    pub(crate) const fn schema(&self) -> &'a Schema {
        self.schema
    }

    pub(super) const fn faded(schema: &'a Schema, faded: Faded<'a>) -> Self {
        Self { schema, shape: Shape::Faded(faded) }
    }

    const fn index(&self) -> Option<&'a Index> {
        match self.shape {
            Shape::Current(index, _) => Some(index),
            Shape::Ended(ended, _) => Some(&ended.index),
            Shape::Packed(..) | Shape::Faded(_) | Shape::Few(_) => None,
        }
    }

    /// Returns how many members are ranked.
    #[must_use]
    pub fn len(&self) -> u64 {
        match self.shape {
            Shape::Packed(packed, _) => packed.len(),
            Shape::Faded(faded) => faded.len(),
            Shape::Few(entries) => entries.len() as u64,
            _ => self.index().map_or(0, Index::len),
        }
    }

    /// Prefetches the memory that [`find`](Self::find) reads for a member, if its address is known.
    pub(super) fn prefetch(&self, id: MemberId) {
        if let Shape::Current(index, index_members) = self.shape {
            index.prefetch(id, &index_members);
        }
    }

    /// Returns the spot of a member.
    #[must_use]
    pub fn find(&self, id: MemberId) -> Option<Spot> {
        let place = match self.shape {
            Shape::Current(index, index_members) => index.find(id, &index_members)?,
            Shape::Ended(ended, members) => ended.find(id, members)?,
            Shape::Packed(packed, _) => return Spot::packed(packed, packed.place(id)?),
            Shape::Faded(faded) => return faded.find(id),
            Shape::Few(entries) => {
                let at = entries.iter().position(|(_, other)| *other == id)?;
                return Spot::listed(entries, at as u64);
            }
        };
        Some(Spot::placed(place, 0))
    }

    /// Returns the spot of the member that has `before` members before it.
    #[must_use]
    pub fn select(&self, before: u64) -> Option<Spot> {
        match self.shape {
            Shape::Packed(packed, _) => Spot::packed(packed, before),
            Shape::Faded(faded) => faded.select(before),
            Shape::Few(entries) => Spot::listed(entries, before),
            _ => Some(Spot::placed(self.index()?.select(before)?, before)),
        }
    }

    /// Returns how many entries are before a spot.
    #[must_use]
    pub fn before(&self, spot: Spot) -> u64 {
        match (self.index(), spot.place) {
            (Some(index), Some(place)) => index.rank(place),
            _ => spot.before,
        }
    }

    /// Returns how many members have a better rank key.
    #[must_use]
    pub fn before_rank_key(&self, rank_key: u64) -> u64 {
        match self.shape {
            Shape::Packed(packed, _) => packed.before_rank_key(rank_key),
            Shape::Faded(faded) => faded.before_rank_key(rank_key),
            Shape::Few(entries) => entries.partition_point(|(other, _)| *other < rank_key) as u64,
            _ => self.index().map_or(0, |index| index.before_rank_key(rank_key)),
        }
    }

    /// Returns how many entries are before a point.
    pub(super) fn before_point(&self, point: Point) -> u64 {
        if let Shape::Current(index, _) = self.shape {
            return index.before_point(point.key, point.is_behind);
        }
        let Key { rank_key, .. } = point.key;
        let end = self.before_rank_key(rank_key.saturating_add(1));
        if point.is_after(self.schema.ties, self.unknown_moment()) {
            return end;
        }
        let (dated, first) = (self.dated_places(), self.before_rank_key(rank_key));
        let dated = dated.clamp(first, end);
        match (self.shape, self.index()) {
            (_, Some(index)) => index.before_point(point.key, point.is_behind).min(dated),
            (Shape::Packed(_, moments), _) => {
                let equals = moments.get(position(first)..position(dated)).unwrap_or_default();
                let before = equals.partition_point(|moment| point.is_after(self.schema.ties, *moment));
                first.saturating_add(before as u64)
            }
            (Shape::Faded(faded), _) => {
                let equals = FadedWalk::new(faded, first).zip(first..dated);
                let before = equals.take_while(|((key, _), _)| point.is_after(self.schema.ties, key.moment));
                first.saturating_add(before.count() as u64)
            }
            _ => first,
        }
    }

    /// Returns how many of the first places have known moments.
    fn dated_places(&self) -> u64 {
        match self.shape {
            Shape::Current(..) => u64::MAX,
            Shape::Ended(ended, _) => ended.dated,
            Shape::Packed(_, moments) => moments.len() as u64,
            Shape::Faded(faded) => faded.dated(),
            Shape::Few(_) => 0,
        }
    }

    /// Returns whether [`Ranking::walk`] returns all moments.
    pub(super) const fn knows_moments(&self) -> bool {
        matches!(self.shape, Shape::Current(..))
    }

    /// Returns the moment that is used in place of an unknown moment. It is behind all other moments.
    const fn unknown_moment(&self) -> Millis {
        match self.schema.ties {
            Ties::Last => 0,
            _ => i64::MAX.cast_unsigned(),
        }
    }

    /// Returns the key of an entry that [`Ranking::walk`] returns at this place, with the entry's moment or
    /// [`unknown_moment`](Self::unknown_moment).
    pub(super) fn dated_key(&self, place: u64, key: Key) -> Key {
        let moment = match self.shape {
            Shape::Packed(_, moments) => moments.get(position(place)).copied(),
            _ => Some(key.moment).filter(|_| place < self.dated_places()),
        };
        Key { moment: moment.unwrap_or(self.unknown_moment()), ..key }
    }

    /// Returns the key of a spot, with its moment or [`unknown_moment`](Self::unknown_moment).
    pub(super) fn key_at(&self, spot: Spot) -> Key {
        let Spot { rank_key, moment, .. } = spot;
        self.dated_key(self.before(spot), Key { rank_key, moment })
    }

    /// Returns the number of distinct scores up to a spot, including the score of the spot.
    #[must_use]
    pub fn dense(&self, spot: Spot) -> u64 {
        match (self.shape, self.index(), spot.place) {
            (Shape::Packed(packed, _), ..) => packed.dense(spot.before),
            (Shape::Faded(faded), ..) => faded.whole().ranking(self.schema, faded.members()).dense(spot),
            (Shape::Few(entries), ..) => {
                let groups = entries.chunk_by(|(one, _), (other, _)| one == other);
                let up_to =
                    groups.take_while(|group| group.first().is_some_and(|(key, _)| *key <= spot.rank_key));
                up_to.count() as u64
            }
            (_, Some(index), Some(place)) => index.dense_rank(place),
            _ => 0,
        }
    }

    /// Returns the sum of all rank keys.
    pub(super) fn sum_of_rank_keys(&self) -> u128 {
        match self.shape {
            Shape::Packed(packed, _) => packed.sum_of_rank_keys(),
            Shape::Faded(faded) => faded.whole().ranking(self.schema, faded.members()).sum_of_rank_keys(),
            Shape::Few(entries) => entries.iter().map(|(rank_key, _)| u128::from(*rank_key)).sum(),
            _ => self.index().map_or(0, Index::sum_of_rank_keys),
        }
    }

    /// Returns the keys and members before a place, worst first. Packed orders have no moments.
    pub(crate) fn walk_back(&self, place: u64) -> Walk<'a> {
        match (self.shape, self.index()) {
            (Shape::Packed(packed, _), _) => Walk::PackedBack(packed, place),
            (Shape::Faded(faded), _) => Walk::Faded(Box::new(FadedWalk::back(faded, place))),
            (Shape::Few(entries), _) => Walk::FewBack(entries.get(..position(place)).unwrap_or(entries)),
            (_, Some(index)) => Walk::IndexBack(index.iter_back_from(place)),
            (_, None) => Walk::Few(&[]),
        }
    }

    /// Returns the keys and members from a place on, best first. Packed orders have no moments.
    #[must_use]
    pub fn walk(&self, before: u64) -> Walk<'a> {
        match (self.shape, self.index()) {
            (Shape::Packed(packed, _), _) => Walk::Packed(packed.iter_from(before)),
            (Shape::Faded(faded), _) => Walk::Faded(Box::new(FadedWalk::new(faded, before))),
            (Shape::Few(entries), _) => Walk::Few(entries.get(position(before)..).unwrap_or_default()),
            (_, Some(index)) => Walk::Index(index.iter_from(before)),
            (_, None) => Walk::Few(&[]),
        }
    }

    /// Returns the keys and members from a place on, best first. Unknown moments are replaced by
    /// [`unknown_moment`](Self::unknown_moment).
    pub(crate) fn walk_dated(self, place: u64) -> impl Iterator<Item = (Key, MemberId)> + 'a {
        self.walk(place).zip(place..).map(move |((key, id), place)| (self.dated_key(place, key), id))
    }

    /// Returns the entries of a current order with their moments, best first; `None` for ended periods.
    pub(crate) fn dated(&self) -> Option<impl Iterator<Item = (Key, MemberId)> + 'a> {
        match self.shape {
            Shape::Current(index, _) => Some(index.iter_from(0)),
            _ => None,
        }
    }

    /// Returns the moment at which the member at a spot got its score; `None` for ended periods.
    #[must_use]
    pub const fn moment(&self, spot: Spot) -> Option<Millis> {
        match (self.shape, spot.place) {
            (Shape::Current(..), Some(place)) => Some(place.key.moment),
            _ => None,
        }
    }
}

/// Returns the position of a place in a list.
fn position(place: u64) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}

impl PastOrder {
    pub(crate) fn ranking<'a>(&'a self, schema: &'a Schema, members: &'a Members) -> Ranking<'a> {
        let shape = match (self, self.index()) {
            (Self::Packed(packed, moments), _) => Shape::Packed(packed, moments.list()),
            (_, Some(ended)) => Shape::Ended(ended, members),
            (_, None) => Shape::Few(&[]),
        };
        Ranking { schema, shape }
    }
}

impl Spot {
    fn packed(packed: &PackedOrder, before: u64) -> Option<Self> {
        let (rank_key, _) = packed.entry(before)?;
        Some(Self::of_key(Key { rank_key, moment: 0 }, before))
    }

    /// Returns the spot of the entry of a list that has `before` entries before it.
    fn listed(entries: &[(u64, MemberId)], before: u64) -> Option<Self> {
        let (rank_key, _) = *entries.get(position(before))?;
        Some(Self::of_key(Key { rank_key, moment: 0 }, before))
    }

    const fn placed(place: EntryPlace, before: u64) -> Self {
        Self { place: Some(place), ..Self::of_key(place.key, before) }
    }

    pub(super) const fn of_key(Key { rank_key, moment }: Key, before: u64) -> Self {
        Self { place: None, before, rank_key, moment }
    }

    /// Returns the rank key of the entry's score.
    #[must_use]
    pub const fn rank_key(&self) -> u64 {
        self.rank_key
    }
}

/// A walk through keys and members in order, from [`Ranking::walk`].
#[derive(Debug, Clone)]
pub enum Walk<'a> {
    /// A walk through an index, best first.
    Index(index::IndexIter<'a>),
    /// A walk through a packed order, best first.
    Packed(packed::PackedIter<'a>),
    /// A walk through an index, worst first.
    IndexBack(index::IndexBackIter<'a>),
    /// A walk through a packed order before a place, worst first.
    PackedBack(&'a PackedOrder, u64),
    /// A walk, in either direction, through an order that is derived from an older order by decay.
    Faded(Box<FadedWalk<'a>>),
    /// A walk through a list, best first.
    Few(&'a [(u64, MemberId)]),
    /// A walk through a list, worst first.
    FewBack(&'a [(u64, MemberId)]),
}

impl Walk<'_> {
    /// Appends up to `most` of the next entries.
    pub(super) fn read(&mut self, most: usize, group: &mut EntryGroup) {
        match self {
            Self::Index(iter) => iter.read(most, group),
            Self::IndexBack(iter) => group.extend(iter.take(most)),
            other => group.extend(other.take(most)),
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = (Key, MemberId);

    fn next(&mut self) -> Option<Self::Item> {
        let undated = |(rank_key, id)| (Key { rank_key, moment: 0 }, id);
        match self {
            Self::Index(iter) => iter.next(),
            Self::Packed(iter) => iter.next().map(undated),
            Self::IndexBack(iter) => iter.next(),
            Self::Faded(walk) => walk.next(),
            Self::PackedBack(packed, left) => {
                *left = left.checked_sub(1)?;
                packed.entry(*left).map(undated)
            }
            Self::Few(entries) => entries.split_off_first().copied().map(undated),
            Self::FewBack(entries) => entries.split_off_last().copied().map(undated),
        }
    }
}
