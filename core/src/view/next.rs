//! The order of the next period, as far as it is prepared.

use super::rules::Span;
use crate::index::{Index, Key, MemberId, MemberLookup, MemberStore};
use crate::schema::Ties;

/// The order of the next period.
#[derive(Debug, Clone)]
pub(crate) struct Next {
    pub(crate) index: Index,
    pub(super) span: Span,
    /// The last entry of the current order that was looked at.
    pub(super) cursor: Option<(Key, MemberId)>,
    /// The starting entries before this number were looked at.
    pub(super) sequence: u64,
    pub(super) complete: bool,
}

impl Next {
    pub(super) fn empty(ties: Ties, span: Span) -> Self {
        Self { complete: false, ..Self::complete(Index::tree(ties), span) }
    }

    pub(super) const fn complete(index: Index, span: Span) -> Self {
        Self { index, span, cursor: None, sequence: 0, complete: true }
    }

    /// Gives a member an entry, another one, or none.
    pub(super) fn put(&mut self, id: MemberId, key: Option<Key>, index_members: &mut impl MemberStore) {
        match (self.index.find(id, index_members), key) {
            (None, None) => {}
            (None, Some(key)) => {
                self.index.insert(key, id, index_members);
            }
            (Some(place), None) => self.index.remove(place, id, index_members),
            // An entry with the same key may have another place among its equals now.
            (Some(place), Some(key)) => {
                self.index.update(place, key, id, index_members);
            }
        }
    }

    pub(super) fn remove(&mut self, id: MemberId, index_members: &mut impl MemberStore) {
        self.put(id, None, index_members);
    }

    /// How many entries of the current order are before those that were not looked at yet. If the last
    /// one that was has left its place, all entries with its key count as new.
    pub(super) fn looked_at(&self, current: &Index, index_members: &impl MemberLookup) -> u64 {
        let Some((key, id)) = self.cursor else { return 0 };
        match current.find(id, index_members).filter(|place| place.key == key) {
            Some(place) => current.rank(place).saturating_add(1),
            None => current.before_key(key),
        }
    }
}
