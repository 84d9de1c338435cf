//! The hidden members of an order. They stay in the order, and only reads treat them in a special way: they skip
//! them ([`super::seen`]).

use std::cell::OnceCell;

use super::{Ranking, View};
use crate::index::MemberId;
use crate::size_class::bytes_of;
use crate::sorted::Sorted;

/// The hidden members of a board.
pub(crate) type HiddenMembers = Sorted<MemberId, ()>;

/// A hidden member's rank key and number.
pub(crate) type HiddenEntry = (u64, MemberId);

/// The hidden members of one order, best first. They are searched for at the first read, and then kept.
#[derive(Debug, Clone)]
pub(crate) struct HiddenEntries(OnceCell<Box<[HiddenEntry]>>);

impl HiddenEntries {
    pub(crate) const fn new() -> Self {
        Self(OnceCell::new())
    }

    /// Returns the hidden entries of this order.
    pub(crate) fn of(&self, ranking: &Ranking, hidden: Option<&HiddenMembers>) -> &[HiddenEntry] {
        hidden.map_or(&[], |hidden| self.0.get_or_init(|| find_all(ranking, hidden.keys())))
    }

    /// Returns the hidden entries of this order, if only these members can be hidden in it.
    pub(crate) fn among(
        &self,
        ranking: &Ranking,
        mut hidden: impl ExactSizeIterator<Item = MemberId>,
    ) -> &[HiddenEntry] {
        if hidden.len() == 0 {
            return &[];
        }
        self.0.get_or_init(|| find_all(ranking, hidden.by_ref()))
    }

    /// Forgets the entries, since they may have changed.
    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    /// Returns the number of bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.0.get().map_or(0, |entries| bytes_of::<HiddenEntry>(entries.len()))
    }
}

fn find_all(ranking: &Ranking, hidden: impl Iterator<Item = MemberId>) -> Box<[HiddenEntry]> {
    let placed = |id| {
        let spot = ranking.find(id)?;
        Some((ranking.before(spot), (spot.rank_key(), id)))
    };
    let mut found: Vec<_> = hidden.filter_map(placed).collect();
    found.sort_unstable_by_key(|(before, _)| *before);
    found.into_iter().map(|(_, entry)| entry).collect()
}

/// Returns how many hidden members are in an order.
pub(crate) fn hidden_in(ranking: &Ranking, hidden: Option<&HiddenMembers>) -> u64 {
    let found = hidden.into_iter().flat_map(HiddenMembers::keys).filter(|id| ranking.find(*id).is_some());
    found.count() as u64
}

impl View {
    /// Forgets the hidden entries of the current period.
    pub(crate) fn forget_hidden(&mut self) {
        self.hidden.clear();
    }

    /// Forgets the hidden entries of all periods.
    pub(crate) fn forget_hidden_ever(&mut self) {
        self.forget_hidden();
        for past in self.periods_mut().into_iter().flat_map(|periods| &mut periods.past) {
            past.forget_hidden();
        }
    }
}
