//! What a view will be at a later moment, for a single member. A write is judged by this before any view
//! rolls over: a write that is refused or held back costs nothing and leaves nothing.

use super::entry::Entry;
use super::{Change, Facts, Plan, Timeline, View};
use crate::Error;
use crate::index::MemberId;
use crate::time::{Millis, Stamp};

impl View {
    /// A member's entry at a moment that is not before the current period, if nothing is written until
    /// then. Not for a view with points of periods that are yet to come; only a server's clock can bring
    /// these about.
    pub(crate) fn entry_at(&self, facts: &Facts, id: MemberId, now: Millis) -> Option<Entry> {
        let (place, entry) = self.entry(facts, id).unzip();
        let Timeline::Periods(periods) = &self.timeline else { return entry };
        let later = periods.current_at(&facts.schema.calendar, now).span;
        if periods.span.is_some_and(|span| span.period == later.period) {
            return entry;
        }
        let left = place.and_then(|place| {
            let event = self.event(id, place.key.moment);
            periods.remaining(facts.schema, (place.key, id), event, &later)
        });
        let key = periods.with_starting(facts, id, left)?;
        let event = self.event(id, key.moment);
        Some(Entry { score: facts.schema.score(key.rank_key), moment: key.moment, event })
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
        let current = self.periods().map(|periods| periods.current_at(&facts.schema.calendar, stamp.now));
        self.plan_in(facts.schema, id, (None, entry), current, change, stamp).map(|_: Plan| ())
    }
}
