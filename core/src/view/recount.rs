//! Entries from points alone.

use std::cmp::Ordering;

use super::key_of;
use super::periods::{Periods, clamped};
use super::rules::{Span, signed, unsigned};
use super::ties::Keyed;
use crate::index::{Key, MemberId};
use crate::schema::{Aggregate, Schema};
use crate::score::Score;
use crate::time::Millis;

impl Periods {
    /// The entries in a span, given when members got their present scores.
    pub(super) fn recount_by(
        &self,
        span: &Span,
        schema: &Schema,
        moment: impl Fn(MemberId) -> Option<Millis>,
        order: &impl Fn(&Keyed, &Keyed) -> Ordering,
    ) -> Vec<Keyed> {
        let buckets = self.buckets.iter().filter(|(start, _)| span.counts(*start));
        let mut ids: Vec<MemberId> =
            buckets.flat_map(|(_, bucket)| bucket.iter().map(|(id, _)| id)).collect();
        ids.sort_unstable();
        ids.dedup();
        let key = |id| self.recounted(schema, id, span, moment(id)).map(|key| (key, id));
        let mut entries: Vec<Keyed> = ids.into_iter().filter_map(key).collect();
        entries.sort_unstable_by(order);
        entries
    }

    /// A member's key by what it got in the periods of a span.
    fn recounted(&self, schema: &Schema, id: MemberId, span: &Span, moment: Option<Millis>) -> Option<Key> {
        if !self.has_buckets() {
            let points = self.bucket(span.period.start)?.get(id)?;
            return Some(key_of(schema, Score::from_units(points.units)?, points.moment));
        }
        if schema.aggregate != Aggregate::Sum {
            return self.best(schema, id, span);
        }
        let units = match self.rules.carry {
            Some(_) => self.with_carried(id, span)?,
            None => self.points(id, span).next().map(|_| self.total(id, span))?,
        };
        let mut newest = self.buckets.iter().rev().filter(|(start, _)| span.counts(*start));
        let newest = newest.find(|(_, bucket)| bucket.contains(id)).map(|(start, _)| *start)?;
        // The moment of the entry, if its write counts. Otherwise the start of the newest period: the
        // points of sums have no moments.
        let own = moment.filter(|moment| (newest..span.period.end).contains(&signed(*moment)));
        Some(key_of(schema, clamped(units), own.unwrap_or(unsigned(newest))))
    }

    /// What a member got in the period of a span, with what it carried in. Nothing where it has neither.
    fn with_carried(&self, id: MemberId, span: &Span) -> Option<i128> {
        let units = |start| self.bucket(start).and_then(|bucket| bucket.get(id)).map(|points| points.units);
        let own = units(span.period.start);
        let carried = units(span.from).zip(self.rules.carry).map_or(0, |(units, share)| share.of(units));
        if own.is_none() && carried == 0 {
            return None;
        }
        Some(i128::from(carried).saturating_add(own.map_or(0, i128::from)))
    }
}
