//! Finds the members that a reader can see in a view, in any of its periods.

use std::collections::BTreeSet;

use super::ended::{Derivation, Found};
use super::{BoardContext, EndedPoints, Past, Periods, View};
use crate::index::MemberId;
use crate::members::Members;

impl Periods {
    /// Adds to `shown` the given members that were in a readable ended period, or have points that count.
    fn note_shown(
        &self,
        ids: &[MemberId],
        shown: &mut BTreeSet<MemberId>,
        context: &BoardContext,
        note: &impl Fn(),
    ) {
        let has_points = |id: &&MemberId| self.counted().any(|(_, bucket)| bucket.contains(**id));
        shown.extend(ids.iter().filter(has_points));
        for past in &self.past {
            if shown.len() == ids.len() {
                break;
            }
            for id in past.those_in(ids, context.members) {
                if !shown.contains(&id) && self.shows_in(past, id, context, note) {
                    shown.insert(id);
                }
            }
        }
    }

    /// Returns whether a member of a past order is in the order of at least one readable period: the period of the
    /// past order, or one of the periods whose orders are derived from it.
    fn shows_in(&self, past: &Past, id: MemberId, context: &BoardContext, note: &impl Fn()) -> bool {
        let (calendar, oldest) = (&context.schema.calendar, self.oldest());
        if past.period.start >= oldest {
            return true;
        }
        // Among the periods whose orders are derived from this past period, the oldest readable period and all
        // later periods can be read.
        match self.find_ended(oldest, calendar) {
            Some(Found::Order(other)) => std::ptr::eq(other, past),
            Some(Found::Derived(other, derivation)) if std::ptr::eq(other, past) => {
                let Derivation { base, end, is_final, decay } = derivation;
                if is_final || self.follows_alone(&base, end, context) {
                    let later = self.rules.span(calendar, oldest);
                    let Some(decay) = decay else {
                        return EndedPoints::new(self, context.schema, base).stays(id, &later);
                    };
                    let spot = past.order.ranking(context.schema, context.members).find(id);
                    return spot.is_some_and(|spot| {
                        self.outlasts(decay, spot.rank_key(), &base, &later, context.schema)
                    });
                }
                let runs = self.runs_of(past, &derivation, context.schema).into_iter();
                let mut kept = runs.filter(|(_, last)| *last >= oldest).map(|(first, _)| first.max(oldest));
                kept.any(|start| {
                    self.ended(start, context, note)
                        .is_some_and(|ended| ended.order().contains(id, context.members))
                })
            }
            _ => false,
        }
    }
}

impl View {
    /// Adds to `kept` all given members that are in a period that is kept for the case that the clock is put back. `ids` must be
    /// ascending.
    pub(crate) fn note_kept_in_any_case(
        &self,
        ids: &[MemberId],
        kept: &mut BTreeSet<MemberId>,
        members: &Members,
    ) {
        let Some(periods) = self.periods() else { return };
        let in_any_case = |past: &&Past| periods.is_kept_in_any_case((past.period.start, past.last));
        kept.extend(periods.past.iter().filter(in_any_case).flat_map(|past| past.those_in(ids, members)));
    }

    /// Adds to `shown` all given members that a reader can find in this view: members that are ranked, members that
    /// were in a readable ended period, and members with points that count. `ids` must be ascending. Calls `note`
    /// if an order is derived.
    pub(crate) fn note_shown(
        &self,
        ids: &[MemberId],
        shown: &mut BTreeSet<MemberId>,
        context: &BoardContext,
        note: &impl Fn(),
    ) {
        if shown.len() < ids.len() {
            shown.extend(ids.iter().filter(|id| self.find(**id, context.members).is_some()));
        }
        if let Some(periods) = self.periods().filter(|_| shown.len() < ids.len()) {
            periods.note_shown(ids, shown, context, note);
        }
    }
}
