//! How time and `ALTER` change a view of the model.

use super::*;

impl View {
    /// Moves on to the period of a moment, one boundary after the other.
    pub fn advance(&mut self, schema: &Schema, now: u64, choices: &[Choice]) {
        let (Some((unit, count)), Some(mut span)) = (self.reach(), self.span) else { return };
        let goal = self.span_at(schema, now as i64);
        let mut turns = 0;
        while span.0.start < goal.0.start {
            let ended = self.ranking(schema);
            turns += 1;
            let mut next = span.0.end;
            if turns > count || ended.is_empty() && !self.takes_initials {
                // From here on, all periods have the same order, so only the kept ones have to be visited.
                next = next.max(schema.calendar.back(unit, goal.0.start, self.spec.retain).start);
            }
            if !ended.is_empty() {
                self.past.insert(span.0.start, ended);
            }
            span = self.span_at(schema, next);
            self.span = Some(span);
            self.turn(schema);
            self.enter_initials(choices);
            self.forget(schema, unit);
        }
    }

    /// Begins a period: removes the points that no longer count, and works out what is left of each entry.
    fn turn(&mut self, schema: &Schema) {
        let Some((_, from)) = self.span else { return };
        for own in self.points.values_mut() {
            own.retain(|start, _| *start >= from);
        }
        self.points.retain(|_, own| !own.is_empty());
        self.carried.clear();
        self.started.clear();
        self.share = self.spec.carry;
        for (name, entry) in std::mem::take(&mut self.entries) {
            if let Some(entry) = self.left(schema, &name, entry) {
                self.entries.insert(name, entry);
            }
        }
    }

    /// Returns what is left of an entry when a period begins, or nothing.
    fn left(&mut self, schema: &Schema, name: &Name, entry: Entry) -> Option<Entry> {
        let (period, from) = self.span?;
        let own = self.points.get(name);
        if let Some(share) = self.spec.carry {
            let before = own?.get(&from).filter(|_| from < period.start)?;
            let score = i128::from(share.of(before.units as i64));
            if score == 0 {
                return None;
            }
            self.carried.insert(name.clone(), score);
            return Some(Entry { score, ..entry });
        }
        let counts = |moment: u64| moment as i64 >= from;
        match schema.aggregate {
            Aggregate::Sum => own.map(|_| Entry { score: self.sum(name).clamp(-MOST, MOST), ..entry }),
            Aggregate::Last => Some(entry).filter(|entry| counts(entry.event)),
            Aggregate::Max | Aggregate::Min if counts(entry.since.0) => Some(entry),
            aggregate => {
                let sign = if aggregate == Aggregate::Min { 1 } else { -1 };
                let best = own?.values().min_by_key(|points| (sign * points.units, points.since.0))?;
                Some(Entry { score: best.units, since: best.since, ..entry })
            }
        }
    }

    /// Gives options their initial votes in the period that begins, in addition to what they carried over.
    pub(super) fn enter_initials(&mut self, choices: &[Choice]) {
        for choice in choices.iter().filter(|choice| self.takes_initials && choice.initial != 0) {
            let name = &choice.name;
            self.started.insert(name.clone(), choice.initial);
            let old = self.entries.get(name);
            let since = old.map_or(choice.given, |old| old.since.max(choice.given));
            let entry = Entry { score: self.sum(name), since, event: since.0 };
            self.entries.insert(name.clone(), entry);
        }
    }

    /// Removes the orders of periods that are no longer kept.
    fn forget(&mut self, schema: &Schema, unit: Unit) {
        let Some((period, _)) = self.span else { return };
        let kept = schema.calendar.back(unit, period.start, self.spec.retain).start;
        self.past.retain(|start, _| *start >= kept);
    }

    /// Returns the period of a moment, also after the clock was put back. Returns nothing before the first
    /// write.
    pub fn present(&self, schema: &Schema, now: u64) -> Option<Period> {
        self.span.map(|_| self.span_at(schema, now as i64).0)
    }

    /// Makes the period of a moment readable after the clock was put back to this moment.
    pub fn put_back(&mut self, schema: &Schema, now: u64) {
        self.first = self.present(schema, now).map_or(self.first, |period| self.first.min(period.start));
    }

    /// Marks the periods that are not kept now as lost, so that they do not come back if more periods are kept later.
    pub fn let_go(&mut self, schema: &Schema, now: u64) {
        let (Some((unit, _)), Some(period)) = (self.reach(), self.present(schema, now)) else { return };
        self.first = self.first.max(schema.calendar.back(unit, period.start, self.spec.retain).start);
    }

    /// Takes over a specification of the view, which may be the same as before. Everything before this moment
    /// becomes final.
    pub fn alter(&mut self, schema: &Schema, spec: Spec, now: u64) {
        self.let_go(schema, now);
        match (self.spec.carry, spec.carry) {
            (None, Some(_)) => self.number_anew(schema),
            (Some(_), None) => self.end_carry(),
            _ => {}
        }
        self.spec = spec;
        self.span = self.span.map(|(period, _)| self.span_at(schema, period.start));
        if let Some((unit, _)) = self.reach() {
            self.forget(schema, unit);
        }
    }

    /// Ends the carry: what members carried into the current period becomes points of this period.
    fn end_carry(&mut self) {
        let Some((period, _)) = self.span else { return };
        self.carried.clear();
        let own =
            |entry: &Entry| BTreeMap::from([(period.start, Points { units: entry.score, since: (0, 0) })]);
        self.points = self.entries.iter().map(|(name, entry)| (name.clone(), own(entry))).collect();
    }

    /// Numbers the entries in their current order. From now on, the order of arrival counts. It is known only
    /// for members with equal scores, from their order.
    fn number_anew(&mut self, schema: &Schema) {
        let mut names: Vec<_> = self.ranking(schema).into_iter().map(|line| line.0).collect();
        if schema.ties == Ties::Last {
            names.reverse();
        }
        for (number, name) in (0..).zip(names) {
            self.entries.entry(name).and_modify(|entry| entry.since.1 = number);
        }
    }
}
