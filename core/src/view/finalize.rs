//! Makes ended periods final at the first write after a boundary. The ended periods are added to the list of past
//! periods: a sequence of equal orders is one [`Past`]. If there was no write in several periods, the orders of a
//! rolling view are derived later ([`super::ended`]). Other views have few such orders, which are built here.

use super::{BoardContext, BoardContextMut, Garbage, Past, PastOrder, PeriodView, Periods, Span};
use crate::index::MemberId;
use crate::schema::Schema;
use crate::time::Clock;

/// The periods without a write, between the last write and the current period.
enum Between {
    /// The orders of these periods are derived from the period before them. `last` is the start of the last period
    /// in which a member is ranked.
    Run { last: i64, expires: bool },
    /// These periods have separate orders. The list is empty if none of the periods is kept.
    Orders(Vec<Past>),
}

impl PeriodView<'_> {
    /// Makes the last boundary final.
    pub(crate) fn finalize(&mut self, board: &mut BoardContextMut) {
        let Some(anchor) = self.periods.boundary.anchor() else { return };
        // Only a server's clock can be put back.
        if board.schema.clock == Clock::Server {
            // A decaying view has its orders only: that of the newest period with points has those of all before it.
            let newest = self.periods.newest_ahead(&anchor.span, self.span.period.start);
            let newest = newest.filter(|_| self.periods.rules.decay.is_some());
            self.periods.last_written = Some(newest.unwrap_or(anchor.span.period.start));
        }
        let between = self.periods.between(&anchor.span, &self.span, &board.context());
        let Some(anchor) = self.periods.boundary.settle() else { return };
        if let Some(base) = self.periods.past.front_mut() {
            if let Between::Run { last, expires } = between {
                base.last = last;
                base.expires_from = expires.then_some(anchor.span.from);
                base.decay = self.periods.rules.decay.filter(|_| expires);
            }
            // The index is only needed if orders of later periods are derived from it.
            if base.expires_from.is_none() {
                board.garbage.extend(base.base.take().map(Garbage::Index));
            }
            if base.order.len() == 0 {
                let past = self.periods.past.pop_front();
                board.garbage.extend(past.into_iter().flat_map(Past::into_garbage));
            }
        }
        if let Between::Orders(orders) = between {
            orders.into_iter().for_each(|past| self.periods.past.push_front(past));
        }
        self.periods.prune(board.schema, board.garbage);
        // Orders that are derived from the last period need its numbers of writes.
        for (id, number) in anchor.sequences.iter() {
            self.periods.remember_sequence(id, *number);
        }
        self.forget_events(board);
    }

    /// Forgets the latest events of members that have left the view, if there are more events than ranked members.
    fn forget_events(&mut self, board: &BoardContextMut) {
        let Some(mut events) = self.events.take() else { return };
        if events.len() as u64 > self.index.len() {
            let gone = |id: &MemberId| self.find(*id, board.members).is_none();
            let gone: Vec<_> = events.keys().filter(gone).collect();
            gone.into_iter().for_each(|id| _ = events.remove(id));
        }
        *self.events = Some(events).filter(|events| !events.is_empty());
    }
}

impl Periods {
    fn between(&self, anchor: &Span, span: &Span, context: &BoardContext) -> Between {
        let calendar = &context.schema.calendar;
        let last = self.rules.back(calendar, span.period.start, 1);
        // The clock may be put back to a period that cannot be read. With decay, its order is derived from the order
        // at the boundary alone. Points that were set aside for it are in no other order.
        let has_points = || self.newest_ahead(anchor, span.period.start).is_some();
        let may_come_back = self.last_written.is_some() && (self.rules.decay.is_some() || has_points());
        if last <= anchor.period.start || last < self.oldest() && !may_come_back {
            return Between::Orders(Vec::new());
        }
        if !self.follows_alone(anchor, span.period.start, context) {
            return Between::Orders(self.orders_between(context));
        }
        // There was no write after the last period with a write. So the points that counted then are still in their
        // buckets.
        let filled = || self.buckets.iter().filter(|(_, bucket)| !bucket.is_empty()).map(|(start, _)| *start);
        let (gone, expires) = match self.rules.decay {
            Some(decay) => {
                let faded = |past| self.faded_from(decay, (past, anchor), context.schema);
                (self.past.front().and_then(faded), true)
            }
            None => {
                let newest = filled().take_while(|start| *start <= anchor.period.start).last();
                let changes = self.changes_by(filled(), calendar, anchor, span.period.start);
                (newest.and_then(|newest| self.expiry(calendar, newest)), !changes.is_empty())
            }
        };
        let gone = gone.map(|gone| self.rules.back(calendar, gone, 1));
        Between::Run { last: gone.map_or(last, |gone| last.min(gone)), expires }
    }

    /// Returns the orders of the periods between the last write and the present, oldest first. Consecutive periods
    /// with equal orders share one [`Past`].
    fn orders_between(&self, context: &BoardContext) -> Vec<Past> {
        let calendar = &context.schema.calendar;
        let Some(base) = self.past.front() else { return Vec::new() };
        let Some(derivation) = self.derivation(base, calendar) else { return Vec::new() };
        let runs = self.runs_of(base, &derivation, context.schema);
        let ahead = self.newest_ahead(&derivation.base, derivation.end);
        let ahead = ahead.filter(|_| self.last_written.is_some());
        let in_any_case =
            |(first, last): &(i64, i64)| ahead.is_some_and(|start| *first <= start && start <= *last);
        let kept = runs.into_iter().skip(1).filter(|run| run.1 >= self.oldest() || in_any_case(run));
        let past = kept.filter_map(|(first, last)| {
            let span = self.rules.span(calendar, first);
            let entries = self.entries_after(&derivation, base, &span, context);
            let order = if entries.is_empty() { None } else { PastOrder::of(&entries, base.order.dated()) }?;
            Some(Past::new(span.period, last, order))
        });
        past.collect()
    }

    /// Drops points that no longer count and periods that are not kept any more.
    pub(crate) fn prune(&mut self, schema: &Schema, garbage: &mut Vec<Garbage>) {
        self.set_kept(&schema.calendar);
        let Some(current) = self.span else { return };
        let written = self.last_written.map_or(current, |start| self.rules.span(&schema.calendar, start));
        // Writes are judged by the sums of each level over the points that count now. With additional older points,
        // a level could exceed its maximum.
        let from = if schema.levels.is_none() { written.from } else { current.from };
        let kept = self.oldest();
        let mut in_any_case = Vec::new();
        while self.past.back().is_some_and(|past| past.last < kept) {
            let Some(past) = self.past.pop_back() else { break };
            if self.is_kept_in_any_case((past.period.start, past.last)) {
                in_any_case.push(past);
            } else {
                garbage.extend(past.into_garbage());
            }
        }
        self.past.extend(in_any_case.into_iter().rev());
        // A period that was dropped cannot be read again, even if more periods are kept later.
        self.since = self.since.max(kept);
        self.set_needed();
        let has_buckets = self.has_buckets();
        let gone = |start: i64| if has_buckets { start < from } else { start <= current.period.start };
        while self.buckets.front().is_some_and(|(start, _)| gone(*start)) {
            let Some((start, bucket)) = self.buckets.pop_front() else { break };
            match self.history.as_mut().filter(|history| history.needs(start)) {
                Some(history) if has_buckets => history.keep_bucket(start, bucket),
                _ => garbage.push(Garbage::Bucket(bucket)),
            }
        }
        if self.history.as_mut().is_some_and(|history| history.prune(garbage)) {
            self.history = None;
        }
    }

    /// Stores the range of periods whose points are needed to derive the orders of ended periods. Views that derive
    /// no orders do nothing here.
    pub(crate) fn set_needed(&mut self) {
        if self.history.is_none() && self.past.front().is_none_or(|past| past.expires_from.is_none()) {
            return;
        }
        let needed = self.past.iter().filter_map(|past| Some((past.expires_from?, past.period.start)));
        let needed = needed.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        self.history.get_or_insert_default().needed = needed.unwrap_or((i64::MAX, i64::MIN));
    }
}
