//! Orders to read: that of the current period, or of an ended one in the shape that it has at the
//! moment. Readers need not know which.

use super::past::Live;
use crate::frozen::{self, Frozen};
use crate::index::{self, Index, MemberId, Place};
use crate::members::{Members, Seats};
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
    Live { index: &'a Index, seats: Seats<'a, &'a Members>, ended: Option<Ended<'a>> },
    Frozen(&'a Frozen),
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
    grade: u64,
}

impl<'a> Ranking<'a> {
    /// Nobody at all.
    pub(crate) const fn empty(schema: &'a Schema) -> Self {
        Self { schema, shape: Shape::Empty }
    }

    pub(crate) const fn live(schema: &'a Schema, index: &'a Index, seats: Seats<'a, &'a Members>) -> Self {
        Self { schema, shape: Shape::Live { index, seats, ended: None } }
    }

    pub(crate) const fn frozen(schema: &'a Schema, frozen: &'a Frozen) -> Self {
        Self { schema, shape: Shape::Frozen(frozen) }
    }

    /// The order of an ended period.
    pub(crate) const fn ended(self, live: &'a Live, members: &'a Members) -> Self {
        match self.shape {
            Shape::Live { index, seats, .. } => {
                Self { shape: Shape::Live { index, seats, ended: Some(Ended { live, members }) }, ..self }
            }
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
            Shape::Frozen(frozen) => frozen.len(),
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
            Shape::Live { index, seats, ended } => {
                let place = match ended {
                    Some(Ended { live, members }) => live.find(id, members),
                    None => index.find(id, &seats),
                }?;
                Some(Spot { place: Some(place), before: 0, grade: place.key.grade })
            }
            Shape::Frozen(frozen) => {
                let before = frozen.place(id)?;
                let (grade, _) = frozen.entry(before)?;
                Some(Spot { place: None, before, grade })
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
                Some(Spot { place: Some(place), before, grade: place.key.grade })
            }
            Shape::Frozen(frozen) => {
                let (grade, _) = frozen.entry(before)?;
                Some(Spot { place: None, before, grade })
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

    /// How many have a better grade.
    #[must_use]
    pub fn before_grade(&self, grade: u64) -> u64 {
        match self.shape {
            Shape::Live { index, .. } => index.before_grade(grade),
            Shape::Frozen(frozen) => frozen.before_grade(grade),
            Shape::Empty => 0,
        }
    }

    /// How many distinct scores there are up to a spot, its own included.
    #[must_use]
    pub fn dense(&self, spot: Spot) -> u64 {
        match (self.shape, spot.place) {
            (Shape::Live { index, .. }, Some(place)) => index.dense_rank(place),
            (Shape::Frozen(frozen), _) => frozen.dense(spot.before),
            _ => 0,
        }
    }

    /// Grades and members from a place on, best first.
    #[must_use]
    pub fn walk(&self, before: u64) -> Walk<'a> {
        match self.shape {
            Shape::Live { index, .. } => Walk::Live(index.iter_from(before)),
            Shape::Frozen(frozen) => Walk::Frozen(frozen.iter_from(before)),
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
    pub const fn grade(&self) -> u64 {
        self.grade
    }
}

/// Grades and members in order, from [`Ranking::walk`].
#[derive(Debug, Clone)]
pub enum Walk<'a> {
    /// Through an index.
    Live(index::Iter<'a>),
    /// Through a packed order.
    Frozen(frozen::Iter<'a>),
    /// Nowhere.
    Empty,
}

impl Iterator for Walk<'_> {
    type Item = (u64, MemberId);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Live(iter) => iter.next().map(|(key, id)| (key.grade, id)),
            Self::Frozen(iter) => iter.next(),
            Self::Empty => None,
        }
    }
}
