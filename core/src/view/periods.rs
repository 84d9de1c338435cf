//! The periods of a view: the current period, the points that members got in each period, and the points that count
//! later.

use std::collections::VecDeque;

use super::{
    Anchor, Boundary, Contributions, Garbage, History, LostMoments, NextOrder, Past, PeriodRules, Share,
    Span, key_of, signed,
};
use crate::bucket::{Bucket, Points};
use crate::calendar::Calendar;
use crate::effort;
use crate::index::{Key, MemberId};
use crate::members::{Column, Members, Sequences};
use crate::mover::{Mover, Relocation};
use crate::schema::{Aggregate, Schema, Tally};
use crate::score::Score;
use crate::size_class::bytes_of;
use crate::time::Millis;

/// The division of time of a view.
#[derive(Debug, Clone)]
pub(crate) enum Timeline {
    /// The view does not change with time: the view `all`.
    All,
    Periods(Box<Periods>),
}

/// The data of a view of periods, in addition to its index.
#[derive(Debug, Clone)]
pub(crate) struct Periods {
    pub(crate) rules: PeriodRules,
    /// Whether members have the starting entries of the board at the start of each period.
    pub(super) takes_starting: bool,
    /// The current period; `None` before the first write.
    pub(crate) span: Option<Span>,
    /// The column of leaves that the current index does not use.
    pub(crate) spare: Column,
    pub(super) contributions: Contributions,
    /// The start of the first period that the view has seen and not dropped.
    pub(crate) since: i64,
    /// The start of the last period with a write before the current period, on a server's clock. It is kept even
    /// when the period cannot be read any more, so that the clock can be put back to that period.
    pub(crate) last_written: Option<i64>,
    /// The start of the oldest period that stays readable.
    pub(super) kept: i64,
    /// The share that was carried into the current period. A new share is used from the next period on.
    pub(crate) share: Option<Share>,
    /// The points that members got in each period that counts, by the start of the period, oldest first. Periods
    /// without points have no bucket. While the boundary is reversible, older periods are kept too. The periods
    /// that counted in the last period with a write are also kept, so that the clock can be put back to that
    /// period.
    pub(crate) buckets: VecDeque<(i64, Bucket)>,
    /// The greatest distance from 0 that the points of a member in a period ever had.
    pub(crate) peak: u64,
    /// The next period's order, while it is being prepared.
    pub(crate) next: Option<NextOrder>,
    /// The number of the last order that was prepared.
    prepared: u32,
    /// Ended periods in which members were ranked, newest first.
    pub(crate) past: VecDeque<Past>,
    /// Whether the order of an ended period may still be unpacked.
    pub(super) unpacked: bool,
    pub(super) boundary: Boundary,
    pub(super) history: Option<Box<History>>,
}

/// A current period, and the share that was carried into it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Current {
    pub(crate) span: Span,
    pub(crate) share: Option<Share>,
}

impl Periods {
    /// Returns the periods of a new view. In a view over several periods, entries with equal keys must keep their
    /// order when they are copied to another index. So the numbers of writes are kept. They are in a column, or
    /// with the points if the best points of an older period may be used again.
    pub(super) fn new(rules: PeriodRules, tally: Tally, aggregate: Aggregate, members: &mut Members) -> Self {
        Self {
            rules,
            // Real votes have no starting entries.
            takes_starting: !rules.is_rolling() && tally == Tally::Shown,
            span: None,
            spare: members.add_leaf_column(),
            contributions: match aggregate {
                _ if !rules.passes_on() => Contributions::OrderOnly,
                _ if rules.count == 1 => Contributions::NumberedOrder(members.add_sequence_column()),
                Aggregate::Sum | Aggregate::Last => {
                    Contributions::NumberedBuckets(members.add_sequence_column())
                }
                Aggregate::Max | Aggregate::Min => Contributions::Buckets,
            },
            since: 0,
            last_written: None,
            kept: i64::MIN,
            share: None,
            buckets: VecDeque::new(),
            peak: 0,
            next: None,
            prepared: 0,
            past: VecDeque::new(),
            unpacked: false,
            boundary: Boundary::Final,
            history: None,
        }
    }

    /// Returns the current period; `None` before the first write.
    pub(super) fn current(&self) -> Option<Current> {
        Some(Current { span: self.span?, share: self.share })
    }

    /// Returns the period that is current at a moment, and the share that is carried into it.
    pub(super) fn current_at(&self, calendar: &Calendar, now: Millis) -> Current {
        let current = self.current().filter(|current| current.span.contains(signed(now)));
        current.unwrap_or_else(|| Current {
            span: self.rules.span(calendar, signed(now)),
            share: self.rules.carry,
        })
    }

    /// Computes the oldest period that stays readable.
    pub(crate) fn set_kept(&mut self, calendar: &Calendar) {
        if let Some(span) = self.span {
            self.kept = self.rules.back(calendar, span.period.start, self.rules.retain);
        }
    }

    /// Returns the start of the oldest period that can be read.
    pub(crate) fn oldest(&self) -> i64 {
        self.kept.max(self.since)
    }

    /// Returns the start of the oldest period whose points count in the period that contains a moment. A view that carries over or
    /// decays may count the points of any period before it.
    pub(crate) fn counting_in(&self, calendar: &Calendar, moment: i64) -> i64 {
        let has_end = self.rules.carry.is_none() && self.rules.decay.is_none();
        if has_end { self.rules.span(calendar, moment).from } else { i64::MIN }
    }

    /// Returns whether each period that counts has a bucket.
    pub(crate) const fn has_buckets(&self) -> bool {
        !matches!(self.contributions, Contributions::OrderOnly | Contributions::NumberedOrder(_))
    }

    /// Returns whether the numbers of writes are stored only with the points.
    pub(super) const fn numbers_are_with_points(&self) -> bool {
        matches!(self.contributions, Contributions::Buckets)
    }

    /// Returns the column of numbers of writes, if members have points and the numbers are not stored with the
    /// points.
    pub(crate) const fn numbers_beside_points(&self) -> Option<Column> {
        match self.contributions {
            Contributions::NumberedBuckets(column) => Some(column),
            _ => None,
        }
    }

    /// Returns the place of the numbers of writes.
    pub(super) const fn sequences(&self) -> Sequences<'_> {
        self.contributions.sequences(&self.buckets)
    }

    /// Returns the periods whose points count now or will count later, by their starts, oldest first.
    pub(crate) fn counted(&self) -> impl Iterator<Item = &(i64, Bucket)> {
        let span = self.span.map(|span| (span.from, span.period.start));
        let counts = move |start: i64| {
            span.is_some_and(|(from, now)| if self.has_buckets() { from <= start } else { now < start })
        };
        self.buckets.iter().filter(move |(start, _)| counts(*start))
    }

    /// Returns the points of the period with this start.
    pub(super) fn bucket(&self, start: i64) -> Option<&Bucket> {
        bucket_of(&self.buckets, start)
    }

    /// Returns the bucket of a period, for changes. If the period has no bucket, an empty bucket is added.
    pub(crate) fn bucket_mut(&mut self, start: i64) -> Option<&mut Bucket> {
        let at = match self.buckets.binary_search_by_key(&start, |(start, _)| *start) {
            Ok(at) => at,
            Err(at) => {
                self.buckets.insert(at, (start, Bucket::new()));
                at
            }
        };
        self.buckets.get_mut(at).map(|(_, bucket)| bucket)
    }

    /// Returns all buckets, including the buckets of the history, oldest first. After the clock was put back, the
    /// history may have buckets of later periods, and of periods that count again. Of two buckets of one period, the
    /// bucket of the history comes first.
    pub(super) fn all_buckets(&self) -> impl Iterator<Item = &(i64, Bucket)> + Clone {
        let mut old = self.history.iter().flat_map(|history| &history.buckets).peekable();
        let mut own = self.buckets.iter().peekable();
        std::iter::from_fn(move || {
            let is_old = |(old, _): &&(i64, Bucket)| own.peek().is_none_or(|(own, _)| old <= own);
            old.next_if(is_old).or_else(|| own.next())
        })
    }

    /// Returns the points of a member in each period that counts in a span, oldest first.
    pub(super) fn points(&self, id: MemberId, span: &Span) -> impl Iterator<Item = Points> + '_ {
        let span = *span;
        let counted = self.buckets.iter().filter(move |(start, _)| span.counts(*start));
        counted.filter_map(move |(_, bucket)| bucket.get(id))
    }

    /// Returns the sum of a member's points in a span. It may be outside of the range of a score.
    pub(super) fn total(&self, id: MemberId, span: &Span) -> i128 {
        self.points(id, span).fold(0, |sum, points| sum.saturating_add(i128::from(points.units)))
    }

    /// Returns the key of the best or the last points that a member got in the periods of a span.
    pub(super) fn best(&self, schema: &Schema, id: MemberId, span: &Span) -> Option<Key> {
        let rank_key = |points: &Points| match schema.aggregate {
            Aggregate::Min => points.units,
            _ => points.units.saturating_neg(),
        };
        let best = match schema.aggregate {
            Aggregate::Last => self.points(id, span).last()?,
            _ => self.points(id, span).min_by_key(|points| (rank_key(points), points.moment))?,
        };
        Some(key_of(schema, Score::from_units(best.units)?, best.moment))
    }

    /// Returns the key of a member's entry in a later span, if no write happens until then; `None` if no points are
    /// left. `event` is the member's latest event, if it is later than the moment of the entry.
    pub(super) fn remaining(
        &self,
        schema: &Schema,
        (key, id): (Key, MemberId),
        event: Option<Millis>,
        later: &Span,
    ) -> Option<Key> {
        if let Some(decay) = self.rules.decay {
            return self.faded(decay, schema, key, later);
        }
        if let Some(share) = self.rules.carry {
            let points = self.bucket(later.from)?.get(id)?;
            // A member whose only points would be a carried 0 does not enter the period.
            let carried = Some(share.of(points.units)).filter(|units| *units != 0)?;
            return Some(key_of(schema, Score::from_units(carried)?, key.moment));
        }
        let counts = |moment| signed(moment) >= later.from;
        match schema.aggregate {
            _ if !self.rules.is_rolling() => None,
            Aggregate::Sum => self.remaining_sum(schema, (key, id), later),
            Aggregate::Max | Aggregate::Min if counts(key.moment) => Some(key),
            Aggregate::Max | Aggregate::Min => self.best(schema, id, later),
            // Because of the latest event, the member stays in the order. The score keeps its moment.
            Aggregate::Last => Some(key).filter(|_| counts(event.unwrap_or(key.moment))),
        }
    }

    fn remaining_sum(&self, schema: &Schema, (key, id): (Key, MemberId), later: &Span) -> Option<Key> {
        if signed(key.moment) < later.from && self.points(id, later).next().is_none() {
            return None;
        }
        let score = schema.score(key.rank_key);
        let units = if is_at_end(score) {
            self.total(id, later)
        } else {
            let counted = self.span.map_or(i64::MIN, |span| span.from);
            let expires = |(start, _): &&(i64, Bucket)| counted <= *start && *start < later.from;
            let expired = self.buckets.iter().filter(expires).filter_map(|(_, bucket)| bucket.get(id));
            expired
                .fold(i128::from(score.units()), |left, points| left.saturating_sub(i128::from(points.units)))
        };
        Some(key_of(schema, clamped(units), key.moment))
    }

    /// Stores a member's points in a period for derived orders, before a late write changes them.
    pub(super) fn remember_points(&mut self, start: i64, id: MemberId) {
        if let (Some(history), Some(span)) = (&mut self.history, self.span)
            && history.needs(start)
        {
            let old = bucket_of(&self.buckets, start).and_then(|bucket| bucket.get(id));
            history.note_points((start, id), span.period.start, old);
        }
    }

    /// Stores the number of a member's last write, before it is replaced.
    pub(super) fn remember_sequence(&mut self, id: MemberId, old: u64) {
        if let Some((history, span)) = self.history.as_mut().zip(self.span) {
            history.note_sequence(id, span.period.start, old);
        }
    }

    /// Returns a number for an order that is prepared for the next period.
    pub(super) const fn next_number(&mut self) -> u32 {
        self.prepared = self.prepared.wrapping_add(1);
        self.prepared
    }

    /// Drops the order that was prepared for the next period.
    pub(crate) fn forget_next(&mut self, garbage: &mut Vec<Garbage>) {
        garbage.extend(self.next.take().map(|next| Garbage::Index(next.index)));
    }

    /// Removes members from ended periods. `ids` must be ascending.
    pub(super) fn remove_from_past(
        &mut self,
        ids: &[MemberId],
        lost: Option<LostMoments>,
        members: &mut Members,
    ) {
        self.past.iter_mut().for_each(|past| past.remove_all(ids, lost, members));
    }

    /// Removes a member from all other data.
    pub(super) fn remove(&mut self, id: MemberId, members: &mut Members) {
        if let Some(next) = &mut self.next {
            next.put(id, None, &mut members.index_members_mut(self.spare, None));
        }
        for (_, bucket) in &mut self.buckets {
            bucket.remove(id);
        }
        if let Some(history) = &mut self.history {
            history.remove(id, self.buckets.iter().map(|(start, _)| *start));
        }
        if let Boundary::Reversible(anchor) = &mut self.boundary {
            anchor.sequences.remove(id);
        }
    }

    /// Changes the numbers of the members, when the board changes to the form for many members. The boundary must
    /// be final.
    pub(super) fn renumber(
        &mut self,
        schema: &Schema,
        members: &mut Members,
        renumbered: impl Fn(MemberId) -> MemberId,
    ) {
        let old = self.history.iter_mut().flat_map(|history| &mut history.buckets);
        for (_, bucket) in self.buckets.iter_mut().chain(old) {
            let mut points: Vec<_> = bucket.iter().map(|(id, points)| (renumbered(id), points)).collect();
            points.sort_unstable_by_key(|(id, _)| *id);
            *bucket = Bucket::of(&points);
        }
        if let Some(history) = &mut self.history {
            history.renumber(&renumbered);
        }
        self.past.iter_mut().for_each(|past| past.renumber(schema, members, &renumbered));
        self.next = None;
    }

    pub(super) fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        if let Some(next) = &mut self.next {
            next.index.relocate(walk);
        }
        self.buckets.iter_mut().for_each(|(_, bucket)| bucket.relocate(walk));
        self.past.iter_mut().for_each(|past| past.order.relocate(walk));
    }

    pub(super) fn memory(&self) -> usize {
        let lists = [
            bytes_of::<Self>(1),
            bytes_of::<(i64, Bucket)>(self.buckets.capacity()),
            bytes_of::<Past>(self.past.capacity()),
            self.boundary.anchor().map_or(0, |_| bytes_of::<Anchor>(1)),
            self.boundary.anchor().map_or(0, |anchor| anchor.sequences.memory()),
            self.history.as_ref().map_or(0, |history| history.memory()),
            self.next.as_ref().map_or(0, |next| next.index.memory()),
        ];
        let buckets = self.buckets.iter().map(|(_, bucket)| bucket.memory());
        let past = self.past.iter().map(Past::memory);
        lists.into_iter().chain(buckets).chain(past).fold(0, usize::saturating_add)
    }

    pub(super) fn effort(&self) -> usize {
        let buckets = self.buckets.iter().map(|(_, bucket)| bucket.effort());
        let past = self.past.iter().map(Past::effort);
        let next = self.next.iter().map(|next| next.index.effort());
        let history = self.history.iter().map(|history| history.effort());
        effort::sum(next.chain(history).chain(buckets).chain(past))
    }
}

pub(super) fn bucket_of(buckets: &VecDeque<(i64, Bucket)>, start: i64) -> Option<&Bucket> {
    let at = buckets.binary_search_by_key(&start, |(start, _)| *start).ok()?;
    buckets.get(at).map(|(_, bucket)| bucket)
}

/// Returns the score nearest to a number of units.
pub(super) fn clamped(units: i128) -> Score {
    super::entry::score_of(units).unwrap_or(if units < 0 { Score::MIN } else { Score::MAX })
}

/// Returns whether a score is at an end of the range. If so, a sum may have been limited to the range.
pub(super) const fn is_at_end(score: Score) -> bool {
    score.units() == Score::MAX.units() || score.units() == Score::MIN.units()
}
