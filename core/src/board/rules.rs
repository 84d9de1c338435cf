//! All rules of a board as one value, for another board to begin with.

use super::{Board, Carry, Decays, Retain};
use crate::campaign::{Campaign, VotingChanges};
use crate::parts::Parts;
use crate::schema::Schema;
use crate::view::{Kind, Spec};

/// The rules of a board, whole: its members and candidates are no part of them.
#[derive(Debug, Clone)]
pub struct Rules {
    /// How scores change and are ordered.
    pub schema: Schema,
    /// Its views, the default one first.
    pub specs: Vec<Spec>,
    /// The rules of votes, as changes of a board that has none.
    pub voting: VotingChanges,
}

impl Default for Rules {
    fn default() -> Self {
        let specs = vec![Spec::new(Kind::All)];
        Self { schema: Schema::default(), specs, voting: VotingChanges::default() }
    }
}

impl Board {
    /// All its rules.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules {
            schema: self.schema.clone(),
            specs: self.specs().copied().collect(),
            voting: self.campaign().map(Campaign::rules).unwrap_or_default(),
        }
    }

    /// A hash of all rules that reads and writes go by, below 2^63: the same for the root of a board and all its parts,
    /// whatever way they came to these rules.
    #[must_use]
    pub fn rules_hash(&self) -> u64 {
        let Schema { order, aggregate, ties, decimals, levels, clock, dedup, calendar, .. } = &self.schema;
        let Schema { shown, declared, keep, notify_top, role, .. } = &self.schema;
        let levels = levels.as_ref().map(ToString::to_string).unwrap_or_default();
        let views: Vec<_> = self.specs().map(|spec| spec.kind.to_string()).collect();
        let window = self.voting_window();
        let text = format!(
            "{order} {aggregate} {ties} {decimals} {levels} {clock} {dedup} {} {} {} {shown} {declared} {keep} {notify_top} {} \
             {} {} {} {} {} {}",
            calendar.zone,
            calendar.week_start,
            calendar.origin,
            role.parts().map_or(0, Parts::count),
            views.join(","),
            // The view `all` can have a number here, which means nothing.
            Retain::of(self.specs()),
            Carry::of(self.specs()),
            Decays::of(self.specs()),
            window.opens,
            window.closes,
        );
        let limits = self.limits().map(|rule| rule.to_string());
        let mut hash = blake3::Hasher::new();
        std::iter::once(text).chain(limits).for_each(|text| {
            hash.update(text.as_bytes()).update(b"\n");
        });
        let first = hash.finalize().as_bytes().first_chunk().copied().unwrap_or_default();
        u64::from_le_bytes(first) >> 1
    }
}
