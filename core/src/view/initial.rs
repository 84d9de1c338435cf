//! What options of a vote start a period with, in views of single periods that rank shown votes.

use std::collections::BTreeMap;

use super::change::place_entry;
use super::period::{Span, clamped};
use super::turn::{Entries, Turning, order_by};
use super::{Facts, Kind, View, key_of};
use crate::campaign::Choice;
use crate::index::{Key, MemberId};
use crate::schema::{Schema, Tally};
use crate::time::Millis;

impl View {
    /// Whether options can start its periods with votes.
    pub(super) fn starts_options(&self, facts: &Facts) -> bool {
        let is_cycle = matches!(self.spec.kind, Kind::Periods { count: 1, .. });
        let is_shown = facts.schema.shown && self.tally == Tally::Shown;
        is_cycle && is_shown && facts.choices.is_some_and(|choices| choices.initials(0).next().is_some())
    }

    /// Gives options the votes that they start a period with. Those stand apart from what they got in
    /// it: nothing of them is carried over.
    pub(crate) fn enter_initials(&mut self, board: &mut Turning) {
        self.enter_initials_given(Millis::MAX, board);
    }

    /// The same for those that were given their votes before a moment.
    pub(super) fn enter_initials_given(&mut self, before: Millis, board: &mut Turning) {
        if !self.starts_options(&board.facts()) {
            return;
        }
        let span = self.cycle.as_deref().and_then(|cycle| cycle.span);
        let Some((span, choices)) = span.zip(board.choices) else { return };
        for (id, choice) in choices.initials(0) {
            if choice.moment < before && !self.includes_initial(id, &span) {
                self.enter_initial(id, choice, board);
            }
        }
    }

    /// Enters a few more options into the order of the next period, where nothing else will be in it.
    pub(super) fn prepare_options(&mut self, most: usize, board: &mut Turning) {
        let Some(cycle) = self.cycle.as_deref_mut() else { return };
        let Some(next) = &mut cycle.next else { return };
        let choices = board.choices.into_iter();
        let some: Vec<_> = choices.flat_map(|choices| choices.initials(next.arrival)).take(most).collect();
        match some.last() {
            Some((_, last)) => next.arrival = last.arrival.saturating_add(1),
            None => next.complete = true,
        }
        for (id, choice) in some {
            let (key, _) = started(board.schema, None, choice);
            next.index.insert(key, id, &mut board.members.seats_mut(cycle.other, None));
        }
    }

    /// Brings that up to date for an option that has changed what it starts with.
    pub(crate) fn follow_option(&mut self, id: MemberId, choice: &Choice, board: &mut Turning) {
        if self.has_buckets() {
            return;
        }
        let Some(cycle) = self.cycle.as_deref_mut() else { return };
        let Some(next) = &mut cycle.next else { return };
        let mut seats = board.members.seats_mut(cycle.other, None);
        if let Some(place) = next.index.find(id, &seats) {
            next.index.remove(place, id, &mut seats);
        }
        // It comes last of all from now on.
        if next.complete && choice.starts() {
            next.index.insert(started(board.schema, None, choice).0, id, &mut seats);
        }
    }

    /// Whether a period had begun before, on a clock that had leapt: the points set aside then are all
    /// that the order held.
    fn includes_initial(&self, id: MemberId, span: &Span) -> bool {
        let bucket = || self.cycle.as_deref()?.bucket(span.period.start);
        !self.has_buckets() && bucket().is_some_and(|bucket| bucket.contains(id))
    }

    /// The same for the entries of a period that nobody saw.
    pub(super) fn add_initials(
        &self,
        entries: &mut Entries,
        span: &Span,
        facts: &Facts,
        arrival: impl Fn(MemberId, Millis) -> Option<u64>,
    ) {
        let Some(choices) = facts.choices else { return };
        let arrived = |(key, id): (Key, MemberId)| (id, (key, arrival(id, key.moment)));
        let mut keys: BTreeMap<MemberId, (Key, Option<u64>)> = entries.drain(..).map(arrived).collect();
        for (id, choice) in choices.initials(0).filter(|(id, _)| !self.includes_initial(*id, span)) {
            let (key, arrival) = started(facts.schema, keys.get(&id).copied(), choice);
            keys.insert(id, (key, Some(arrival)));
        }
        entries.extend(keys.iter().map(|(id, (key, _))| (*key, *id)));
        let arrival = |id, _| keys.get(&id).and_then(|(_, arrival)| *arrival);
        entries.sort_unstable_by(order_by(facts, arrival));
    }

    fn enter_initial(&mut self, id: MemberId, choice: &Choice, board: &mut Turning) {
        let place = self.find(id, board.members);
        let before = self.arrival().map(|column| board.members.arrival(id, column));
        let (key, arrival) = started(board.schema, place.map(|place| (place.key, before)), choice);
        let columns = (self.leaf, self.arrival());
        place_entry(&mut self.index, board.members, columns, id, place, Some(key), arrival);
        let anchor = self.cycle.as_deref_mut().and_then(|cycle| cycle.anchor.as_deref_mut());
        if let Some((anchor, before)) = anchor.zip(before) {
            // The order of the last period has the same numbers, and may come back.
            if anchor.arrivals.get(id).is_none() {
                anchor.arrivals.insert(id, before);
            }
        }
    }

    /// Takes back that the view has begun.
    pub(crate) fn unstart(&mut self, schema: &Schema) {
        self.index = Self::empty(schema, self.index.is_tree());
        if let Some(cycle) = &mut self.cycle {
            (cycle.span, cycle.since, cycle.share) = (None, 0, None);
        }
    }
}

/// The key of an option at the start of a period beside what it carried in, and the number of the write
/// that it has its moment from.
pub(super) fn started(schema: &Schema, carried: Option<(Key, Option<u64>)>, choice: &Choice) -> (Key, u64) {
    let units = carried.map_or(0, |(key, _)| i128::from(schema.score(key.grade).units()));
    let score = clamped(units.saturating_add(i128::from(choice.initial.units())));
    let own = (choice.moment, choice.arrival);
    let last = carried.map(|(key, arrival)| (key.moment, arrival.unwrap_or(0)));
    let (moment, arrival) = last.map_or(own, |last| own.max(last));
    (key_of(schema, score, moment), arrival)
}
