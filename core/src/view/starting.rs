//! Starting entries: the scores that members have at the start of each period, in views of single periods. They are
//! stored separately from the points of members, and are not carried over.

use std::collections::BTreeMap;

use super::change::move_entry;
use super::{
    BoardContext, BoardContextMut, Keyed, PeriodView, Periods, Span, StartingEntry, clamped, key_of,
};
use crate::index::{Key, MemberId};
use crate::schema::Schema;
use crate::time::Millis;

/// A key, and the number of the write from which the key has its moment.
type NumberedKey = (Key, Option<u64>);

impl StartingEntry {
    /// Returns the key of the entry's member at the start of a period, and its number. `carried` is the key of the
    /// points that were carried over.
    fn key(&self, schema: &Schema, carried: Option<NumberedKey>) -> (Key, u64) {
        let units = carried.map_or(0, |(key, _)| i128::from(schema.score(key.rank_key).units()));
        let score = clamped(units.saturating_add(i128::from(self.score.units())));
        let own = (self.moment, self.sequence);
        let last = carried.map(|(key, sequence)| (key.moment, sequence.unwrap_or(0)));
        let (moment, sequence) = last.map_or(own, |last| own.max(last));
        (key_of(schema, score, moment), sequence)
    }
}

impl Periods {
    /// Returns whether the view's periods begin with starting entries.
    pub(super) fn starts_with_entries(&self, context: &BoardContext) -> bool {
        self.takes_starting && context.has_starting()
    }

    /// Returns a member's key at the start of a period. `left` is the key of the points that are left by decay or a
    /// carry.
    pub(super) fn with_starting(
        &self,
        context: &BoardContext,
        id: MemberId,
        left: Option<Key>,
    ) -> Option<Key> {
        match context.starting.filter(|_| self.takes_starting).and_then(|starting| starting.of(id)) {
            Some(entry) => Some(entry.key(context.schema, left.map(|key| (key, None))).0),
            None => left,
        }
    }

    /// Adds the starting entries to the entries of a derived period.
    pub(super) fn add_starting(
        &self,
        entries: &mut Vec<Keyed>,
        span: &Span,
        context: &BoardContext,
        sequence: impl Fn(MemberId, Millis) -> Option<u64>,
    ) {
        let numbered = |(key, id): Keyed| (id, (key, sequence(id, key.moment)));
        let mut keys: BTreeMap<MemberId, NumberedKey> = entries.drain(..).map(numbered).collect();
        for entry in context.starting.iter().flat_map(|starting| starting.from(0)) {
            if !self.has_set_aside(entry.id, span) {
                let (key, sequence) = entry.key(context.schema, keys.get(&entry.id).copied());
                keys.insert(entry.id, (key, Some(sequence)));
            }
        }
        entries.extend(keys.iter().map(|(id, (key, _))| (*key, *id)));
        let sequence = |id, _| keys.get(&id).and_then(|(_, sequence)| *sequence);
        entries.sort_unstable_by(context.order_by(sequence));
    }

    /// Returns whether a member's entry was set aside together with its starting entry, when a clock was put back.
    fn has_set_aside(&self, id: MemberId, span: &Span) -> bool {
        !self.has_buckets() && self.bucket(span.period.start).is_some_and(|bucket| bucket.contains(id))
    }
}

impl PeriodView<'_> {
    /// Adds the starting entries to the current period.
    pub(crate) fn enter_starting(&mut self, board: &mut BoardContextMut) {
        self.enter_starting_before(Millis::MAX, board);
    }

    /// Adds the starting entries that were given before a moment to the current period.
    pub(super) fn enter_starting_before(&mut self, before: Millis, board: &mut BoardContextMut) {
        let starting = board.starting.filter(|_| self.periods.takes_starting);
        for entry in starting.iter().flat_map(|starting| starting.from(0)) {
            if entry.moment < before && !self.periods.has_set_aside(entry.id, &self.span) {
                self.enter(&entry, board);
            }
        }
    }

    fn enter(&mut self, entry: &StartingEntry, board: &mut BoardContextMut) {
        let (id, column) = (entry.id, self.periods.contributions.column());
        let place = self.find(id, board.members);
        let before = column.map(|column| board.members.sequence(id, column));
        let (key, sequence) = entry.key(board.schema, place.map(|place| (place.key, before)));
        if let Some(column) = column.filter(|_| place.is_none_or(|place| place.key != key)) {
            board.members.set_sequence(id, column, sequence);
        }
        let index_members = &mut board.members.index_members_mut(*self.leaf, column);
        move_entry(self.index, index_members, id, place, Some(key));
        if let Some(before) = before {
            self.periods.keep_sequence(id, before);
        }
    }

    /// Adds up to `most` starting entries to the next period, if it begins only with starting entries.
    pub(super) fn prepare_starting(&mut self, most: usize, board: &mut BoardContextMut) {
        let Some(next) = &mut self.periods.next else { return };
        let starting = board.starting.iter();
        let some: Vec<_> = starting.flat_map(|starting| starting.from(next.sequence)).take(most).collect();
        match some.last() {
            Some(last) => next.sequence = last.sequence.saturating_add(1),
            None => next.complete = true,
        }
        for entry in some {
            let (key, _) = entry.key(board.schema, None);
            let mut index_members = board.members.index_members_mut(self.periods.spare, None);
            next.index.insert(key, entry.id, &mut index_members);
        }
    }

    /// Updates the next period for a member whose starting entry has changed.
    pub(crate) fn follow_starting(&mut self, id: MemberId, board: &mut BoardContextMut) {
        if !self.periods.has_buckets()
            && let Some(next) = &mut self.periods.next
        {
            let mut index_members = board.members.index_members_mut(self.periods.spare, None);
            next.put(id, None, &mut index_members);
            // The entry is now the last starting entry. So the walk through the starting entries has not reached it
            // yet, unless the walk is complete.
            let entry = board.starting.and_then(|starting| starting.of(id)).filter(|_| next.complete);
            next.put(id, entry.map(|entry| entry.key(board.schema, None).0), &mut index_members);
        }
    }
}
