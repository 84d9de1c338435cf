//! What the first write behind a boundary makes final, and the periods in between in which nobody wrote.
//!
//! Until that write the view keeps all that it needs to come back ([`Anchor`](super::boundary::Anchor)).
//! Then the ended periods get their place: a run of equal orders is one [`Past`]; the orders of a
//! rolling view are left to be worked out ([`super::fade`]); others are few, and made here.

use super::boundary::Boundary;
use super::fade::History;
use super::period::Periods;
use super::span::Span;
use super::turn::Turning;
use super::{Facts, Garbage, Order, Past, View};
use crate::index::MemberId;
use crate::schema::Schema;

impl View {
    /// Makes the last boundary final.
    pub(crate) fn settle(&mut self, board: &mut Turning) {
        let Some(periods) = self.timeline.periods() else { return };
        let (Some(anchor), Some(span)) = (periods.boundary.anchor(), periods.span) else { return };
        let anchor = anchor.span;
        let between = self.settle_between(&anchor, &span, &board.facts());
        let Some(periods) = self.timeline.periods_mut() else { return };
        periods.boundary = Boundary::Final;
        if let Some(base) = periods.past.front_mut() {
            if let Between::Run { last, fades } = between {
                base.last = last;
                base.fades = fades.then_some(anchor.from);
            }
            // Its entries with their moments are of use only where other orders follow from them.
            if base.fades.is_none() {
                board.garbage.extend(base.base.take().map(Garbage::Index));
            }
            if base.order.len() == 0 {
                board.garbage.extend(periods.past.pop_front().into_iter().flat_map(Past::into_waste));
            }
        }
        if let Between::Orders(orders) = between {
            orders.into_iter().for_each(|past| periods.past.push_front(past));
        }
        self.prune(board.schema, board.garbage);
        self.forget_events(board);
    }

    fn settle_between(&self, anchor: &Span, span: &Span, facts: &Facts) -> Between {
        let Some(periods) = self.timeline.periods() else { return Between::None };
        let Some((unit, _)) = self.spec.reach() else { return Between::None };
        let last = facts.schema.calendar.back(unit, span.period.start, 1).start;
        if last <= anchor.period.start || last < periods.oldest() {
            return Between::None;
        }
        if !self.fades_alone(anchor, span.period.start, facts) {
            return Between::Orders(self.orders_between(anchor, span, facts));
        }
        // Once everything has expired, nobody is ranked.
        let last = self
            .gone_from(facts.schema, anchor)
            .map_or(last, |gone| last.min(facts.schema.calendar.back(unit, gone, 1).start));
        let fades = !self.changes(facts.schema, anchor, span.period.start).is_empty();
        Between::Run { last, fades }
    }

    /// Their orders, each for all the periods in which it stays the same; oldest first.
    fn orders_between(&self, anchor: &Span, span: &Span, facts: &Facts) -> Vec<Past> {
        let Some((periods, base)) =
            self.timeline.periods().and_then(|periods| Some((periods, periods.past.front()?)))
        else {
            return Vec::new();
        };
        let runs = self.runs(facts.schema, anchor, span.period.start);
        let kept = runs.into_iter().skip(1).filter(|(_, last)| *last >= periods.oldest());
        let past = kept.filter_map(|(first, last)| {
            let span = Span::at(&self.spec, facts.schema, first)?;
            let entries = self.entries_between(anchor, base, &span, facts);
            let order = if entries.is_empty() { None } else { Order::of(&entries) }?;
            Some(Past::new(span.period, last, order))
        });
        past.collect()
    }

    /// Forgets what counts no more and what is no longer kept.
    pub(crate) fn prune(&mut self, schema: &Schema, garbage: &mut Vec<Garbage>) {
        self.set_kept(schema);
        let several = self.has_buckets();
        let Some(periods) = self.timeline.periods_mut() else { return };
        let Some(span) = periods.span else { return };
        let kept = periods.kept;
        while periods.past.back().is_some_and(|past| past.last < kept) {
            garbage.extend(periods.past.pop_back().into_iter().flat_map(Past::into_waste));
        }
        // What was dropped does not come back where more is kept later.
        periods.since = periods.since.max(kept);
        periods.set_reach();
        let gone = |start: i64| if several { start < span.from } else { start <= span.period.start };
        while periods.buckets.front().is_some_and(|(start, _)| gone(*start)) {
            let Some((start, bucket)) = periods.buckets.pop_front() else { break };
            match periods.history.as_mut().filter(|faded| faded.needs(start)) {
                Some(faded) => faded.keep(start, bucket),
                None => garbage.push(Garbage::Bucket(bucket)),
            }
        }
        periods.drop_faded(garbage);
    }

    /// Computes since when ended periods are readable.
    pub(crate) fn set_kept(&mut self, schema: &Schema) {
        let Some((unit, _)) = self.spec.reach() else { return };
        let retain = self.spec.retain;
        if let Some(periods) = self.timeline.periods_mut()
            && let Some(span) = periods.span
        {
            periods.kept = schema.calendar.back(unit, span.period.start, retain).start;
        }
    }

    /// Forgets latest events of members who have left the view, once those are the most.
    fn forget_events(&mut self, board: &Turning) {
        let Some(mut events) = self.events.take() else { return };
        if events.len() as u64 > self.index.len() {
            let gone = |id: &MemberId| self.find(*id, board.members).is_none();
            let gone: Vec<_> = events.keys().filter(gone).collect();
            gone.into_iter().for_each(|id| _ = events.remove(id));
        }
        self.events = Some(events).filter(|events| !events.is_empty());
    }
}

/// What becomes of the periods in which nobody wrote.
enum Between {
    /// There are none, or none is kept.
    None,
    /// They follow from the period before them; whether points expire in them.
    Run { last: i64, fades: bool },
    /// They have orders of their own.
    Orders(Vec<Past>),
}

impl Periods {
    /// Notes which points orders of ended periods follow from.
    fn set_reach(&mut self) {
        if self.history.is_none() && self.past.front().is_none_or(|past| past.fades.is_none()) {
            return;
        }
        let needed = self.past.iter().filter_map(|past| Some((past.fades?, past.period.start)));
        let reach = needed.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        match (reach, &mut self.history) {
            (Some(reach), faded) => faded.get_or_insert_default().reach = reach,
            (None, Some(faded)) => faded.reach = (i64::MAX, i64::MIN),
            (None, None) => {}
        }
    }

    /// Forgets points that no order follows from any more.
    fn drop_faded(&mut self, garbage: &mut Vec<Garbage>) {
        let Some(faded) = &mut self.history else { return };
        faded.drop_unneeded(garbage);
        if faded.is_unneeded() {
            self.history = None;
        }
    }

    /// Remembers a member's points as they are, before a late write changes them.
    pub(super) fn remember_points(&mut self, start: i64, id: MemberId) {
        let Some(span) = self.span else { return };
        if !self.history.as_ref().is_some_and(|faded| faded.needs(start)) {
            return;
        }
        let old = self.bucket(start).and_then(|bucket| bucket.get(id));
        if let Some(faded) = &mut self.history {
            faded.note_points((start, id), span.period.start, old);
        }
    }
}

impl History {
    fn drop_unneeded(&mut self, garbage: &mut Vec<Garbage>) {
        let oldest = self.reach.0;
        while self.buckets.front().is_some_and(|(start, _)| *start < oldest) {
            garbage.extend(self.buckets.pop_front().map(|(_, bucket)| Garbage::Bucket(bucket)));
        }
        let gone: Vec<_> = self.points.keys().take_while(|(start, ..)| *start < oldest).collect();
        gone.into_iter().for_each(|key| _ = self.points.remove(key));
        self.sweep();
    }

    const fn is_unneeded(&self) -> bool {
        self.reach.0 > self.reach.1
    }
}
