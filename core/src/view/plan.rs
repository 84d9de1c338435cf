//! What a write will change in a view.

use super::entry::Entry;
use super::key_of;
use crate::bucket::Points;
use crate::index::{EntryPlace, Key};
use crate::schema::Schema;

/// The effect of a write on a member in one view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Whether the write counts in this view.
    pub(crate) counts: bool,
    pub(super) place: Option<EntryPlace>,
    pub(crate) entry: Option<Entry>,
    /// The new points of a period.
    pub(super) bucket: Option<(i64, Points)>,
    pub(super) loses: Loses,
}

/// The points of other periods that a member loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loses {
    Nothing,
    /// The points of periods after the period of the write, if they count now.
    Later,
    /// The points of all other periods, except the points from which the entry has its moment.
    Others,
}

impl Plan {
    pub(super) const fn new(counts: bool, place: Option<EntryPlace>, entry: Option<Entry>) -> Self {
        Self { counts, place, entry, bucket: None, loses: Loses::Nothing }
    }

    /// Returns the key that the member gets, if any; `None` if its key stays as it is.
    pub(crate) fn changed_key(&self, schema: &Schema) -> Option<Option<Key>> {
        let key = self.entry.map(|entry| key_of(schema, entry.score, entry.moment));
        (self.counts && self.place.map(|place| place.key) != key).then_some(key)
    }
}
