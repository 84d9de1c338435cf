//! What options of a vote start a period with, in views of single periods that rank shown votes.

use std::collections::BTreeMap;

use super::change::place_entry;
use super::period::clamped;
use super::span::Span;
use super::turn::{Entries, Turning, order_by};
use super::{Facts, Kind, View, key_of};
use crate::candidates::Candidate;
use crate::index::{Key, MemberId};
use crate::schema::{Schema, Tally};
use crate::time::Millis;

impl View {
    /// Whether options can start its periods with votes.
    pub(super) fn starts_options(&self, facts: &Facts) -> bool {
        let is_single = matches!(self.spec.kind, Kind::Periods { count: 1, .. });
        let is_shown = facts.schema.shown && self.tally == Tally::Shown;
        is_single
            && is_shown
            && facts.candidates.is_some_and(|candidates| candidates.initials(0).next().is_some())
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
        let span = self.timeline.periods().and_then(|periods| periods.span);
        let Some((span, candidates)) = span.zip(board.candidates) else { return };
        for (id, candidate) in candidates.initials(0) {
            if candidate.moment < before && !self.includes_initial(id, &span) {
                self.enter_initial(id, candidate, board);
            }
        }
    }

    /// Enters a few more options into the order of the next period, where nothing else will be in it.
    pub(super) fn prepare_options(&mut self, most: usize, board: &mut Turning) {
        let Some(periods) = self.timeline.periods_mut() else { return };
        let Some(next) = &mut periods.next else { return };
        let candidates = board.candidates.into_iter();
        let some: Vec<_> =
            candidates.flat_map(|candidates| candidates.initials(next.sequence)).take(most).collect();
        match some.last() {
            Some((_, last)) => next.sequence = last.sequence.saturating_add(1),
            None => next.complete = true,
        }
        for (id, candidate) in some {
            let (key, _) = started(board.schema, None, candidate);
            next.index.insert(key, id, &mut board.members.index_members_mut(periods.other, None));
        }
    }

    /// Brings that up to date for an option that has changed what it starts with.
    pub(crate) fn follow_option(&mut self, id: MemberId, candidate: &Candidate, board: &mut Turning) {
        if self.has_buckets() {
            return;
        }
        let Some(periods) = self.timeline.periods_mut() else { return };
        let Some(next) = &mut periods.next else { return };
        let mut index_members = board.members.index_members_mut(periods.other, None);
        if let Some(place) = next.index.find(id, &index_members) {
            next.index.remove(place, id, &mut index_members);
        }
        // It comes last of all from now on.
        if next.complete && candidate.starts() {
            next.index.insert(started(board.schema, None, candidate).0, id, &mut index_members);
        }
    }

    /// Whether a period had begun before, on a clock that had leapt: the points set aside then are all
    /// that the order held.
    fn includes_initial(&self, id: MemberId, span: &Span) -> bool {
        let bucket = || self.timeline.periods()?.bucket(span.period.start);
        !self.has_buckets() && bucket().is_some_and(|bucket| bucket.contains(id))
    }

    /// The same for the entries of a period that nobody saw.
    pub(super) fn add_initials(
        &self,
        entries: &mut Entries,
        span: &Span,
        facts: &Facts,
        sequence: impl Fn(MemberId, Millis) -> Option<u64>,
    ) {
        let Some(candidates) = facts.candidates else { return };
        let arrived = |(key, id): (Key, MemberId)| (id, (key, sequence(id, key.moment)));
        let mut keys: BTreeMap<MemberId, (Key, Option<u64>)> = entries.drain(..).map(arrived).collect();
        for (id, candidate) in candidates.initials(0).filter(|(id, _)| !self.includes_initial(*id, span)) {
            let (key, sequence) = started(facts.schema, keys.get(&id).copied(), candidate);
            keys.insert(id, (key, Some(sequence)));
        }
        entries.extend(keys.iter().map(|(id, (key, _))| (*key, *id)));
        let sequence = |id, _| keys.get(&id).and_then(|(_, sequence)| *sequence);
        entries.sort_unstable_by(order_by(facts, sequence));
    }

    fn enter_initial(&mut self, id: MemberId, candidate: &Candidate, board: &mut Turning) {
        let place = self.find(id, board.members);
        let before = self.sequence().map(|column| board.members.sequence(id, column));
        let (key, sequence) = started(board.schema, place.map(|place| (place.key, before)), candidate);
        let columns = (self.leaf, self.sequence());
        place_entry(&mut self.index, board.members, columns, id, place, Some(key), sequence);
        let anchor = self.timeline.periods_mut().and_then(|periods| periods.boundary.anchor_mut());
        if let Some((anchor, before)) = anchor.zip(before) {
            // The order of the last period has the same numbers, and may come back.
            if anchor.sequences.get(id).is_none() {
                anchor.sequences.insert(id, before);
            }
        }
    }
}

/// The key of an option at the start of a period beside what it carried in, and the number of the write
/// that it has its moment from.
pub(super) fn started(
    schema: &Schema,
    carried: Option<(Key, Option<u64>)>,
    candidate: &Candidate,
) -> (Key, u64) {
    let units = carried.map_or(0, |(key, _)| i128::from(schema.score(key.rank_key).units()));
    let score = clamped(units.saturating_add(i128::from(candidate.initial.units())));
    let own = (candidate.moment, candidate.sequence);
    let last = carried.map(|(key, sequence)| (key.moment, sequence.unwrap_or(0)));
    let (moment, sequence) = last.map_or(own, |last| own.max(last));
    (key_of(schema, score, moment), sequence)
}
