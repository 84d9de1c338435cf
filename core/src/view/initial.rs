//! What options of a vote start a period with, in views of single periods that rank shown votes.

use std::collections::BTreeMap;

use super::change::place_entry;
use super::period::{Span, clamped};
use super::turn::{Entries, Turning};
use super::{Kind, View, key_of};
use crate::campaign::Choice;
use crate::index::{Key, MemberId};
use crate::schema::{Schema, Tally};

impl View {
    /// Whether options can start its periods with votes.
    pub(super) fn starts_options(&self, board: &Turning) -> bool {
        let is_cycle = matches!(self.spec.kind, Kind::Periods { count: 1, .. });
        let is_shown = board.schema.shown && self.tally == Tally::Shown;
        is_cycle && is_shown && board.choices.is_some_and(|choices| choices.initials().next().is_some())
    }

    /// Gives options the votes that they start a period with. Those stand apart from what they got in
    /// it: nothing of them is carried over.
    pub(crate) fn enter_initials(&mut self, board: &mut Turning) {
        if !self.starts_options(board) {
            return;
        }
        let span = self.cycle.as_deref().and_then(|cycle| cycle.span);
        let Some((span, choices)) = span.zip(board.choices) else { return };
        for (id, choice) in choices.initials() {
            if !self.includes_initial(id, &span) {
                self.enter_initial(id, choice, board);
            }
        }
    }

    /// Whether a period had begun before, on a clock that had leapt: the points set aside then are all
    /// that the order held.
    fn includes_initial(&self, id: MemberId, span: &Span) -> bool {
        let bucket = || self.cycle.as_deref()?.bucket(span.period.start);
        !self.has_buckets() && bucket().is_some_and(|bucket| bucket.contains(id))
    }

    /// The same for the entries of a period that nobody saw.
    pub(super) fn add_initials(&self, entries: &mut Entries, span: &Span, board: &Turning) {
        let Some(choices) = board.choices else { return };
        let mut keys: BTreeMap<MemberId, Key> = entries.drain(..).map(|(key, id)| (id, key)).collect();
        for (id, choice) in choices.initials().filter(|(id, _)| !self.includes_initial(*id, span)) {
            let key = started(board.schema, keys.get(&id).copied(), choice);
            keys.insert(id, key);
        }
        entries.extend(keys.into_iter().map(|(id, key)| (key, id)));
        self.sort_by(entries, &board.facts(), |id, key| {
            choices.get(id).filter(|choice| choice.moment == key.moment).map(|choice| choice.arrival)
        });
    }

    fn enter_initial(&mut self, id: MemberId, choice: &Choice, board: &mut Turning) {
        let place = self.find(id, board.members);
        let key = Some(started(board.schema, place.map(|place| place.key), choice));
        let columns = (self.leaf, self.arrival());
        place_entry(&mut self.index, board.members, columns, id, place, key, choice.arrival);
    }

    /// Takes back that the view has begun.
    pub(crate) fn unstart(&mut self, schema: &Schema) {
        self.index = Self::empty(schema, self.index.is_tree());
        if let Some(cycle) = &mut self.cycle {
            (cycle.span, cycle.since, cycle.share) = (None, 0, None);
        }
    }
}

/// The key of an option at the start of a period, beside what it carried in.
fn started(schema: &Schema, carried: Option<Key>, choice: &Choice) -> Key {
    let units = carried.map_or(0, |key| i128::from(schema.score(key.grade).units()));
    let score = clamped(units.saturating_add(i128::from(choice.initial.units())));
    key_of(schema, score, carried.map_or(choice.moment, |key| key.moment.max(choice.moment)))
}
