//! Orders to read: that of the current period, or of an ended one in the shape that it has at the
//! moment. Readers need not know which.

use super::past::Live;
use crate::index::{self, Index, MemberId, Place};
use crate::members::{IndexMembers, Members};
use crate::packed::{self, PackedOrder};
use crate::schema::Schema;
use crate::time::Millis;

/// An order to read: of the current period of a view, or of an ended one.
#[derive(Debug, Clone, Copy)]
pub struct Ranking<'a> {
    schema: &'a Schema,
    shape: Shape<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Shape<'a> {
    Live { index: &'a Index, index_members: IndexMembers<'a, &'a Members>, ended: Option<Ended<'a>> },
    Packed(&'a PackedOrder),
    Empty,
}

/// An order of an ended period that is still an index: when members got their scores is not kept.
#[derive(Debug, Clone, Copy)]
struct Ended<'a> {
    live: &'a Live,
    members: &'a Members,
}

/// Where a member stands in a [`Ranking`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    place: Option<Place>,
    before: u64,
    rank_key: u64,
}

impl<'a> Ranking<'a> {
    /// Nobody at all.
    pub(crate) const fn empty(schema: &'a Schema) -> Self {
        Self { schema, shape: Shape::Empty }
    }

    pub(crate) const fn live(
        schema: &'a Schema,
        index: &'a Index,
        index_members: IndexMembers<'a, &'a Members>,
    ) -> Self {
        Self { schema, shape: Shape::Live { index, index_members, ended: None } }
    }

    pub(crate) const fn packed(schema: &'a Schema, packed: &'a PackedOrder) -> Self {
        Self { schema, shape: Shape::Packed(packed) }
    }

    /// The order of an ended period.
    pub(crate) const fn ended(self, live: &'a Live, members: &'a Members) -> Self {
        match self.shape {
            Shape::Live { index, index_members, .. } => Self {
                shape: Shape::Live { index, index_members, ended: Some(Ended { live, members }) },
                ..self
            },
            _ => self,
        }
    }

    pub(crate) const fn schema(&self) -> &'a Schema {
        self.schema
    }

    /// How many members are ranked.
    #[must_use]
    pub fn len(&self) -> u64 {
        match self.shape {
            Shape::Live { index, .. } => index.len(),
            Shape::Packed(packed) => packed.len(),
            Shape::Empty => 0,
        }
    }

    /// Whether nobody is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a member stands.
    #[must_use]
    pub fn find(&self, id: MemberId) -> Option<Spot> {
        match self.shape {
            Shape::Live { index, index_members, ended } => {
                let place = match ended {
                    Some(Ended { live, members }) => live.find(id, members),
                    None => index.find(id, &index_members),
                }?;
                Some(Spot { place: Some(place), before: 0, rank_key: place.key.rank_key })
            }
            Shape::Packed(packed) => {
                let before = packed.place(id)?;
                let (rank_key, _) = packed.entry(before)?;
                Some(Spot { place: None, before, rank_key })
            }
            Shape::Empty => None,
        }
    }

    /// Who stands behind so many others.
    #[must_use]
    pub fn select(&self, before: u64) -> Option<Spot> {
        match self.shape {
            Shape::Live { index, .. } => {
                let place = index.select(before)?;
                Some(Spot { place: Some(place), before, rank_key: place.key.rank_key })
            }
            Shape::Packed(packed) => {
                let (rank_key, _) = packed.entry(before)?;
                Some(Spot { place: None, before, rank_key })
            }
            Shape::Empty => None,
        }
    }

    /// How many stand before a spot.
    #[must_use]
    pub fn before(&self, spot: Spot) -> u64 {
        match (self.shape, spot.place) {
            (Shape::Live { index, .. }, Some(place)) => index.rank(place),
            _ => spot.before,
        }
    }

    /// How many have a better rank_key.
    #[must_use]
    pub fn before_rank_key(&self, rank_key: u64) -> u64 {
        match self.shape {
            Shape::Live { index, .. } => index.before_rank_key(rank_key),
            Shape::Packed(packed) => packed.before_rank_key(rank_key),
            Shape::Empty => 0,
        }
    }

    /// How many distinct scores there are up to a spot, its own included.
    #[must_use]
    pub fn dense(&self, spot: Spot) -> u64 {
        match (self.shape, spot.place) {
            (Shape::Live { index, .. }, Some(place)) => index.dense_rank(place),
            (Shape::Packed(packed), _) => packed.dense(spot.before),
            _ => 0,
        }
    }

    /// Grades and members from a place on, best first.
    #[must_use]
    pub fn walk(&self, before: u64) -> Walk<'a> {
        match self.shape {
            Shape::Live { index, .. } => Walk::Live(index.iter_from(before)),
            Shape::Packed(packed) => Walk::Packed(packed.iter_from(before)),
            Shape::Empty => Walk::Empty,
        }
    }

    /// When the member at a spot got its score; not known of ended periods.
    #[must_use]
    pub const fn moment(&self, spot: Spot) -> Option<Millis> {
        match (self.shape, spot.place) {
            (Shape::Live { ended: None, .. }, Some(place)) => Some(place.key.moment),
            _ => None,
        }
    }
}

impl Spot {
    /// Its score, as the order counts it.
    #[must_use]
    pub const fn rank_key(&self) -> u64 {
        self.rank_key
    }
}

/// Grades and members in order, from [`Ranking::walk`].
#[derive(Debug, Clone)]
pub enum Walk<'a> {
    /// Through an index.
    Live(index::IndexIter<'a>),
    /// Through a packed order.
    Packed(packed::PackedIter<'a>),
    /// Nowhere.
    Empty,
}

impl Iterator for Walk<'_> {
    type Item = (u64, MemberId);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Live(iter) => iter.next().map(|(key, id)| (key.rank_key, id)),
            Self::Packed(iter) => iter.next(),
            Self::Empty => None,
        }
    }
}
