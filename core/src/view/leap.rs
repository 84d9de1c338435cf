//! The way back: a clock that had leapt ahead is put right, or one that was right is put back. What
//! was written counts in the period of its own time, whenever that comes: points of periods that lie
//! ahead are set aside in buckets, and are there when the clock reaches them.

use std::cmp::Ordering;
use std::mem;

use super::period::{Cycle, Retired, Span, clamped, signed, unsigned};
use super::turn::{Entries, Turning};
use super::{Order, Past, View, Waste, is_sum, key_of};
use crate::bucket::Points;
use crate::calendar::Period;
use crate::index::{Key, MemberId};
use crate::schema::Schema;
use crate::score::Score;

impl View {
    /// Whether points were set aside for periods behind a moment.
    pub(super) fn is_ahead_of(&self, moment: i64) -> bool {
        let last = self.cycle.as_deref().and_then(|cycle| cycle.buckets.back());
        last.is_some_and(|(start, _)| *start >= moment)
    }

    /// Whether points were set aside for periods to come.
    pub(super) fn is_ahead(&self) -> bool {
        let span = self.cycle.as_deref().and_then(|cycle| cycle.span);
        span.is_some_and(|span| self.is_ahead_of(span.period.end))
    }

    /// Makes an earlier period current.
    pub(super) fn go_back(&mut self, new: Span, board: &mut Turning) {
        let Some(cycle) = self.cycle.as_deref_mut() else { return };
        if let Some(old) = cycle.retired.span.filter(|_| cycle.fresh) {
            self.take_back(old, board);
            match new.period.start.cmp(&old.period.start) {
                Ordering::Less => self.go_back(new, board),
                Ordering::Equal => {}
                Ordering::Greater => self.go_on(old, new, board),
            }
            return;
        }
        self.set_aside(&new, board);
        self.finish_packing(board.waste);
        let entries = self.recount(&new, board);
        let index = self.build(&entries, board);
        let old = mem::replace(&mut self.index, index);
        board.waste.push(Waste::Index(old));
        let Some(cycle) = self.cycle.as_deref_mut() else { return };
        mem::swap(&mut self.leaf, &mut cycle.other);
        board.waste.extend(cycle.pop_past(new.period).map(Waste::Order));
        board.waste.extend(cycle.next.take().map(|next| Waste::Index(next.index)));
        board.waste.extend(mem::take(&mut cycle.retired).into_waste());
        cycle.span = Some(new);
        cycle.share = self.spec.carry;
        cycle.since = cycle.since.min(new.period.start);
        cycle.fresh = false;
        if self.has_buckets() {
            // Points do not tell what options started with; orders that were kept do.
            self.enter_initials(board);
        }
        self.drop_own_points(&new, board.waste);
    }

    /// Takes the last boundary back, since nothing has been written behind it: as if it had not come.
    fn take_back(&mut self, old: Span, board: &mut Turning) {
        // What options start with was entered into the later order, and would be once more.
        let starts = self.starts_options(board);
        let Some(cycle) = self.cycle.as_deref_mut() else { return };
        while cycle.past.front().is_some_and(|past| past.period.start > old.period.start) {
            board.waste.extend(cycle.past.pop_front().map(|past| Waste::Order(past.order)));
        }
        let Retired { buckets, past, span, share, arrivals } = mem::take(&mut cycle.retired);
        if let Some(column) = cycle.arrival {
            arrivals.into_iter().for_each(|(id, last)| board.members.set_arrival(id, column, last));
        }
        cycle.share = share;
        let later = mem::replace(&mut cycle.span, span);
        for bucket in buckets.into_iter().rev() {
            cycle.buckets.push_front(bucket);
        }
        cycle.past.extend(past.into_iter().rev());
        cycle.fresh = false;
        let index = match cycle.pop_past(old.period) {
            Some(Order::Live { index, .. }) => index,
            other => {
                board.waste.extend(other.map(Waste::Order));
                Self::empty(board.schema, self.index.is_tree())
            }
        };
        mem::swap(&mut self.leaf, &mut cycle.other);
        let unused = mem::replace(&mut self.index, index);
        let is_next = |later: &Span| cycle.arrival.is_some() && later.period.start == old.period.end;
        match later.filter(|later| is_next(later) && !starts) {
            Some(later) => cycle.next = Some(super::prepare::Next::complete(unused, later)),
            None => board.waste.push(Waste::Index(unused)),
        }
    }

    /// Sets aside what periods later than a span brought. Views of one period have no points but
    /// their order.
    fn set_aside(&mut self, span: &Span, board: &mut Turning) {
        let keeps = self.has_buckets();
        let Some(cycle) = self.cycle.as_deref_mut() else { return };
        while cycle.past.front().is_some_and(|past| past.period.start > span.period.start) {
            let Some(past) = cycle.past.pop_front() else { break };
            if !keeps {
                let entries = past.entries(board);
                cycle.keep_points(past.period.start, entries, board.schema);
            }
            board.waste.push(Waste::Order(past.order));
        }
        if let Some(current) = cycle.span.filter(|_| !keeps) {
            cycle.keep_points(current.period.start, self.index.iter_from(0), board.schema);
        }
    }

    /// A view of one period needs no points beside its order once that is there.
    pub(super) fn drop_own_points(&mut self, span: &Span, waste: &mut Vec<Waste>) {
        if self.has_buckets() {
            return;
        }
        let Some(cycle) = self.cycle.as_deref_mut() else { return };
        while cycle.buckets.front().is_some_and(|(start, _)| *start <= span.period.start) {
            waste.extend(cycle.buckets.pop_front().map(|(_, bucket)| Waste::Bucket(bucket)));
        }
    }

    /// Everybody's entry in a period, from what each period brought, or as the order of it was kept.
    pub(super) fn recount(&self, span: &Span, board: &Turning) -> Entries {
        let Some(cycle) = self.cycle.as_deref() else { return Vec::new() };
        if !self.has_buckets()
            && let Some(past) = cycle.past.front().filter(|past| past.period.start == span.period.start)
        {
            return past.entries(board);
        }
        let facts = board.facts();
        let counted = cycle.buckets.iter().filter(|(start, _)| *start <= span.period.start);
        let mut ids: Vec<MemberId> =
            counted.flat_map(|(_, bucket)| bucket.iter().map(|(id, _)| id)).collect();
        ids.sort_unstable();
        ids.dedup();
        let key = |id| self.recounted(board.schema, id, span, board).map(|key| (key, id));
        let mut entries: Entries = ids.into_iter().filter_map(key).collect();
        self.sort(&mut entries, &facts);
        entries
    }

    /// A member's key by what it got in the periods that count in a span.
    fn recounted(&self, schema: &Schema, id: MemberId, span: &Span, board: &Turning) -> Option<Key> {
        let cycle = self.cycle.as_deref()?;
        if !self.has_buckets() {
            let points = cycle.bucket(span.period.start)?.get(id)?;
            return Some(key_of(schema, Score::from_units(points.units)?, points.moment));
        }
        if !is_sum(schema) {
            return cycle.best(schema, id, span);
        }
        let units = match self.spec.carry {
            Some(share) => cycle.carried(share, id, span)?,
            None => cycle.points(id, span).next().map(|_| cycle.total(id, span))?,
        };
        let counted = |(start, _): &&(i64, _)| span.from <= *start && *start <= span.period.start;
        let mut newest = cycle.buckets.iter().rev().filter(counted);
        let newest = newest.find(|(_, bucket)| bucket.contains(id)).map(|(start, _)| *start)?;
        // The moment of its entry, if that is of a write that counts; sums have no moments of their own.
        let moment = self.find(id, board.members).map(|place| place.key.moment);
        let own = moment.filter(|moment| (newest..span.period.end).contains(&signed(*moment)));
        Some(key_of(schema, clamped(units), own.unwrap_or(unsigned(newest))))
    }
}

impl Cycle {
    /// Takes the order of the last period off, if it is this one.
    fn pop_past(&mut self, period: Period) -> Option<Order> {
        if self.past.front()?.period.start != period.start {
            return None;
        }
        self.past.pop_front().map(|past| past.order)
    }

    /// Keeps the entries of a period as its points.
    fn keep_points(
        &mut self,
        start: i64,
        entries: impl IntoIterator<Item = (Key, MemberId)>,
        schema: &Schema,
    ) {
        let Some(bucket) = self.bucket_mut(start) else { return };
        for (key, id) in entries {
            bucket.set(id, Points { units: schema.score(key.grade).units(), moment: key.moment });
        }
        self.buckets.retain(|(_, bucket)| !bucket.is_empty());
    }

    /// What a member has in a span with what it carried in; nothing where it has neither.
    fn carried(&self, share: super::Share, id: MemberId, span: &Span) -> Option<i128> {
        let units = |start| self.bucket(start).and_then(|bucket| bucket.get(id)).map(|points| points.units);
        let own = units(span.period.start);
        let carried = units(span.from).map_or(0, |units| share.of(units));
        if own.is_none() && carried == 0 {
            return None;
        }
        Some(i128::from(carried).saturating_add(own.map_or(0, i128::from)))
    }
}

impl Past {
    /// Its entries, best first. When they got their scores is not kept: as if at its start.
    fn entries(&self, board: &Turning) -> Entries {
        let moment = unsigned(self.period.start);
        let walk = self.order.ranking(board.schema, board.members).walk(0);
        walk.map(|(grade, id)| (Key { grade, moment }, id)).collect()
    }
}

impl Retired {
    /// What is to be freed of it.
    pub(crate) fn into_waste(self) -> impl Iterator<Item = Waste> {
        let buckets = self.buckets.into_iter().map(|(_, bucket)| Waste::Bucket(bucket));
        buckets.chain(self.past.into_iter().map(|past| Waste::Order(past.order)))
    }
}
