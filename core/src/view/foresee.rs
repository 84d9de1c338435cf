//! What a view will be at a later moment, as far as one member is concerned. A write is judged by this
//! before any view turns: one that is refused or held back then costs nothing and leaves nothing.

use super::change::{Change, Plan};
use super::entry::Entry;
use super::initial::started;
use super::span::{Span, signed};
use super::{Facts, View};
use crate::Error;
use crate::index::{Key, MemberId};
use crate::schema::Schema;
use crate::time::{Millis, Stamp};
use crate::view::Share;

/// A current period, and the share that was carried into it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Current {
    pub(super) span: Span,
    pub(super) share: Option<Share>,
}

impl View {
    /// The current period.
    pub(super) fn current(&self) -> Option<Current> {
        let periods = self.timeline.periods()?;
        Some(Current { span: periods.span?, share: periods.share })
    }

    /// The period that is current at a moment.
    pub(super) fn current_at(&self, schema: &Schema, now: Millis) -> Option<Current> {
        let current = self.current().filter(|current| current.span.contains(signed(now)));
        let later =
            || Some(Current { span: Span::at(&self.spec, schema, signed(now))?, share: self.spec.carry });
        current.or_else(later)
    }

    /// Whether it has seen no write yet.
    pub(crate) fn is_unbegun(&self) -> bool {
        self.periods().is_some_and(|periods| periods.span.is_none())
    }

    /// Whether a write counts in the period that is current at the write's now.
    pub(crate) fn counts(&self, schema: &Schema, stamp: Stamp) -> bool {
        let counts = |current: Current| current.span.from <= signed(stamp.at);
        self.periods().is_none() || self.current_at(schema, stamp.now).is_some_and(counts)
    }

    /// A member's entry at a moment that is not before the current period, if nothing is written until
    /// then. Not for a view with points of periods to come, which only a server's clock can bring about.
    pub(crate) fn entry_at(&self, facts: &Facts, id: MemberId, now: Millis) -> Option<Entry> {
        let (_, entry) = self.entry(facts, id).unzip();
        let Some(later) = self.current_at(facts.schema, now).map(|later| later.span) else { return entry };
        if self.current().is_some_and(|current| current.span.period == later.period) {
            return entry;
        }
        let key = self.find(id, facts.members).map(|place| place.key);
        let key = key.and_then(|key| self.remaining(facts, id, key, &later));
        let key = self.with_initial(facts, id, key)?;
        let event = self.event(id, key.moment);
        Some(Entry { score: facts.schema.score(key.rank_key), moment: key.moment, event })
    }

    /// The key of a member at the beginning of a period, with the votes that it starts with as an option.
    fn with_initial(&self, facts: &Facts, id: MemberId, key: Option<Key>) -> Option<Key> {
        let candidate =
            facts.candidates.and_then(|candidates| candidates.get(id)).filter(|candidate| candidate.starts());
        match candidate.filter(|_| self.starts_options(facts)) {
            Some(candidate) => Some(started(facts.schema, key.map(|key| (key, None)), candidate).0),
            None => key,
        }
    }

    /// Whether a write of a later moment can be counted.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub(crate) fn judge(
        &self,
        facts: &Facts,
        id: Option<MemberId>,
        change: Change,
        stamp: Stamp,
    ) -> Result<(), Error> {
        let entry = id.and_then(|id| self.entry_at(facts, id, stamp.now));
        let current = self.current_at(facts.schema, stamp.now);
        self.plan_in(facts, id, (None, entry), current, change, stamp).map(|_: Plan| ())
    }
}
