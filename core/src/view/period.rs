//! The periods of a view: which one is current, what each brought, and what of it counts later.

use std::collections::VecDeque;

use super::boundary::Boundary;
use super::contributions::Contributions;
use super::fade::History;
use super::span::{Span, signed};
use super::worked::Worked;
use super::{Facts, Order, Past, Share, View, key_of, prepare};
use crate::Error;
use crate::bucket::{Bucket, Points};
use crate::index::{Key, MemberId};
use crate::members::{Column, Members, Sequences};
use crate::mover::Mover;
use crate::schema::{Aggregate, Schema};
use crate::score::Score;
use crate::size_class::bytes_of;

/// How a view divides time.
#[derive(Debug, Clone)]
pub(crate) enum Timeline {
    /// Not at all: the view `all`.
    All,
    Periods(Box<Periods>),
}

impl Timeline {
    pub(crate) fn periods(&self) -> Option<&Periods> {
        match self {
            Self::All => None,
            Self::Periods(periods) => Some(periods),
        }
    }

    pub(crate) fn periods_mut(&mut self) -> Option<&mut Periods> {
        match self {
            Self::All => None,
            Self::Periods(periods) => Some(periods),
        }
    }
}

/// What a view of periods has beside its index.
#[derive(Debug, Clone)]
pub(crate) struct Periods {
    /// Nothing before the first write.
    pub(crate) span: Option<Span>,
    /// The column of leaves that the current index does not use.
    pub(crate) other: Column,
    pub(crate) contributions: Contributions,
    /// Start of the first period that the view has seen and not dropped.
    pub(crate) since: i64,
    /// Start of the oldest period that stays readable.
    pub(crate) kept: i64,
    /// The share that was carried into the current period. New rules begin with the next one.
    pub(crate) share: Option<Share>,
    /// What members got in each period that counts, by its start, oldest first; only periods in which
    /// anybody did anything. While nothing is written, older ones stay as well.
    pub(crate) buckets: VecDeque<(i64, Bucket)>,
    /// The greatest distance from 0 that points of a period had so far.
    pub(crate) peak: u64,
    /// The next period's order, while it is being prepared.
    pub(crate) next: Option<prepare::Next>,
    /// Ended periods, newest first; only those in which anybody was ranked.
    pub(crate) past: VecDeque<Past>,
    /// Whether the order of one of them may be yet to be packed.
    pub(crate) unpacked: bool,
    /// The boundary before the current period.
    pub(crate) boundary: Boundary,
    /// What orders of ended periods are worked out from, beside what still counts.
    pub(crate) history: Option<Box<History>>,
}

impl Periods {
    pub(crate) fn new(other: Column, contributions: Contributions) -> Self {
        Self {
            span: None,
            other,
            contributions,
            since: 0,
            kept: i64::MIN,
            share: None,
            buckets: VecDeque::new(),
            peak: 0,
            next: None,
            past: VecDeque::new(),
            unpacked: false,
            boundary: Boundary::Final,
            history: None,
        }
    }

    /// Whether each period that counts has a bucket.
    pub(crate) const fn has_buckets(&self) -> bool {
        self.contributions.has_buckets()
    }

    /// Where the numbers of writes are.
    pub(crate) fn sequences(&self) -> Sequences<'_> {
        self.contributions.sequences(&self.buckets)
    }

    /// Start of the oldest period that is kept.
    pub(crate) fn oldest(&self) -> i64 {
        self.kept.max(self.since)
    }

    /// The periods whose points count, by their starts, oldest first.
    pub(crate) fn counted(&self) -> impl Iterator<Item = &(i64, Bucket)> {
        let span = self.span.map(|span| (span.from, span.period.start));
        let counts = move |start: i64| {
            span.is_some_and(|(from, now)| if self.has_buckets() { from <= start } else { now < start })
        };
        self.buckets.iter().filter(move |(start, _)| counts(*start))
    }

    /// The points of the period that begins then.
    pub(crate) fn bucket(&self, start: i64) -> Option<&Bucket> {
        let at = self.buckets.binary_search_by_key(&start, |(start, _)| *start).ok()?;
        self.buckets.get(at).map(|(_, bucket)| bucket)
    }

    /// The same to change; there is one from now on.
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

    /// What a member got in each period that counts in a span, oldest first.
    pub(crate) fn points(&self, id: MemberId, span: &Span) -> impl Iterator<Item = Points> + '_ {
        let (from, to) = (span.from, span.period.start);
        self.buckets
            .iter()
            .filter(move |(start, _)| from <= *start && *start <= to)
            .filter_map(move |(_, bucket)| bucket.get(id))
    }

    /// The sum of those, which may be more than a score can be.
    pub(crate) fn total(&self, id: MemberId, span: &Span) -> i128 {
        self.points(id, span).fold(0, |sum, points| sum.saturating_add(i128::from(points.units)))
    }

    /// Gives all members other numbers, on a board that grows. The boundary is final then.
    pub(crate) fn renumber(
        &mut self,
        schema: &Schema,
        members: &mut Members,
        renumbered: impl Fn(MemberId) -> MemberId,
    ) -> Result<(), Error> {
        let faded = self.history.iter_mut().flat_map(|faded| &mut faded.buckets);
        for (_, bucket) in self.buckets.iter_mut().chain(faded) {
            let mut points: Vec<_> = bucket.iter().map(|(id, points)| (renumbered(id), points)).collect();
            points.sort_unstable_by_key(|(id, _)| *id);
            *bucket = Bucket::new();
            points.into_iter().for_each(|(id, points)| bucket.set(id, points));
        }
        if let Some(faded) = &mut self.history {
            faded.renumber(&renumbered);
        }
        for past in &mut self.past {
            past.worked = Worked::new();
            past.order.renumber(schema, members, &renumbered)?;
        }
        self.next = None;
        Ok(())
    }

    fn parts_list(&mut self) -> impl Iterator<Item = Part<'_>> {
        let next = self.next.iter_mut().map(|next| Part::Index(&mut next.index));
        let buckets = self.buckets.iter_mut().map(|(_, bucket)| Part::Bucket(bucket));
        let past = self.past.iter_mut().map(|past| Part::Order(&mut past.order));
        next.chain(buckets).chain(past)
    }

    /// How many parts defragmentation takes one by one.
    pub(crate) fn parts(&self) -> usize {
        let next = usize::from(self.next.is_some());
        next.saturating_add(self.buckets.len()).saturating_add(self.past.len())
    }

    pub(crate) fn relocate(&mut self, part: usize, from: usize, mover: &mut impl Mover) -> Option<usize> {
        match self.parts_list().nth(part)? {
            Part::Index(index) => index.relocate(from, mover),
            Part::Bucket(bucket) => bucket.relocate(from, mover),
            Part::Order(order) => order.relocate(from, mover),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        let lists = [
            bytes_of::<Self>(1),
            bytes_of::<(i64, Bucket)>(self.buckets.capacity()),
            bytes_of::<Past>(self.past.capacity()),
            self.boundary.anchor().map_or(0, |anchor| anchor.memory()),
            self.history.as_ref().map_or(0, |faded| faded.memory()),
            self.next.as_ref().map_or(0, |next| next.index.memory()),
        ];
        let buckets = self.buckets.iter().map(|(_, bucket)| bucket.memory());
        let past = self.past.iter().map(Past::memory);
        lists.into_iter().chain(buckets).chain(past).fold(0, usize::saturating_add)
    }

    pub(crate) fn effort(&self) -> usize {
        let buckets = self.buckets.iter().map(|(_, bucket)| bucket.effort());
        let past = self.past.iter().map(Past::effort);
        let next = self.next.as_ref().map_or(0, |next| next.index.effort());
        let faded = self.history.as_ref().map_or(0, |faded| faded.effort());
        buckets.chain(past).chain([faded]).fold(next, usize::saturating_add)
    }
}

enum Part<'a> {
    Index(&'a mut crate::index::Index),
    Bucket(&'a mut Bucket),
    Order(&'a mut Order),
}

impl View {
    /// What is left of a member's entry when a later period is current, if nothing more is written.
    pub(crate) fn remaining(&self, facts: &Facts, id: MemberId, key: Key, later: &Span) -> Option<Key> {
        let periods = self.timeline.periods()?;
        if let Some(share) = self.spec.carry {
            let points = periods.bucket(later.from)?.get(id)?;
            // A carried 0 alone enters nobody.
            let carried = Some(share.of(points.units)).filter(|units| *units != 0)?;
            return Some(key_of(facts.schema, Score::from_units(carried)?, key.moment));
        }
        let counts = |moment| signed(moment) >= later.from;
        match facts.schema.aggregate {
            _ if !self.spec.kind.is_rolling() => None,
            Aggregate::Sum => periods.remaining_sum(facts.schema, id, key, later),
            Aggregate::Max | Aggregate::Min if counts(key.moment) => Some(key),
            Aggregate::Max | Aggregate::Min => periods.best(facts.schema, id, later),
            // Its latest event is what keeps it in; the score stays with its moment.
            Aggregate::Last => {
                let latest = self.event(id, key.moment).unwrap_or(key.moment);
                Some(key).filter(|_| counts(latest))
            }
        }
    }
}

impl Periods {
    fn remaining_sum(&self, schema: &Schema, id: MemberId, key: Key, later: &Span) -> Option<Key> {
        let from = later.from;
        if signed(key.moment) < from && self.points(id, later).next().is_none() {
            return None;
        }
        let score = schema.score(key.rank_key);
        let units = if score == Score::MAX || score == Score::MIN {
            // It may have been cut off at the end of the range.
            self.total(id, later)
        } else {
            let counted = self.span.map_or(i64::MIN, |span| span.from);
            let expires = |(start, _): &&(i64, Bucket)| counted <= *start && *start < from;
            let expired = self.buckets.iter().filter(expires).filter_map(|(_, bucket)| bucket.get(id));
            expired
                .fold(i128::from(score.units()), |left, points| left.saturating_sub(i128::from(points.units)))
        };
        Some(key_of(schema, clamped(units), key.moment))
    }

    /// The best, or the last, that a member got in any period of a span, and when it did first.
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
}

/// The score nearest to so many units.
pub(super) fn clamped(units: i128) -> Score {
    super::entry::score_of(units).unwrap_or(if units < 0 { Score::MIN } else { Score::MAX })
}
