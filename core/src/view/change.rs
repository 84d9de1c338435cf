//! The effect of a write on a view. First, the write is judged by the state that the view will have at the write's
//! moment, before any view goes to another period. So a write that is refused or held back costs little and changes
//! nothing. Then the write is planned for all views of a board, since any of them may refuse it. Last, the plans
//! are applied.

use super::entry::{self, Entry, later};
use super::periods::Current;
use super::plan::{Loses, Plan};
use super::{BoardContext, Contributions, Periods, Timeline, View, is_at_end, key_of, signed};
use crate::Error;
use crate::bucket::Points;
use crate::calendar::{Calendar, Period};
use crate::index::{EntryPlace, Index, Key, Landed, MemberId, MemberStore};
use crate::members::{Members, Sequences};
use crate::schema::{Aggregate, Schema};
use crate::score::Score;
use crate::time::{Millis, Stamp};

/// The number of a write that is only planned. The numbers of applied writes begin with 1.
const NEW: u64 = 0;

/// The change of a member's score by a write.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change {
    /// Adds this number of units. A difference of two scores can be twice as large as a score.
    Add(i128),
    /// Offers a score, on a board whose scores are not sums. The board's aggregate decides whether the score is
    /// used.
    Offer(Score),
    /// Sets the score. The score before is ignored.
    Put(Score),
}

impl View {
    /// Returns whether a write's moment is in a period whose points are no longer added to the score of the current
    /// period in full.
    pub(crate) fn is_over(&self, schema: &Schema, stamp: Stamp) -> bool {
        self.periods().is_some_and(|periods| {
            let span = periods.current_at(&schema.calendar, stamp.now).span;
            let begin = if periods.rules.is_rolling() { span.from } else { span.period.start };
            signed(stamp.at) < begin
        })
    }

    /// Returns the current period at a moment that is not before it; `None` for the endless period.
    pub(crate) fn period_at(&self, calendar: &Calendar, now: Millis) -> Option<Period> {
        self.periods().map(|periods| periods.current_at(calendar, now).span.period)
    }

    /// Plans a change of a member. `id` is `None` for a new member.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub(crate) fn plan(
        &self,
        context: &BoardContext,
        id: Option<MemberId>,
        change: Change,
        stamp: Stamp,
    ) -> Result<Plan, Error> {
        let found = id.and_then(|id| self.entry(context, id)).unzip();
        let current = self.periods().and_then(Periods::current);
        self.plan_in(context.schema, id, found, current, change, stamp)
    }

    /// Plans a change of a member when `current` is the current period. `found` is the member's place and entry in
    /// that period.
    fn plan_in(
        &self,
        schema: &Schema,
        id: Option<MemberId>,
        found: (Option<EntryPlace>, Option<Entry>),
        current: Option<Current>,
        change: Change,
        stamp: Stamp,
    ) -> Result<Plan, Error> {
        let at = signed(stamp.at);
        let (periods, current) = match (&self.timeline, current) {
            (Timeline::All, _) => return changed(schema, found, change, stamp),
            (Timeline::Periods(periods), Some(current)) if current.span.from <= at => (periods, current),
            // The write's moment is in a period that has ended, and its points do not count in any period.
            (Timeline::Periods(_), _) => return Ok(Plan::new(false, found.0, found.1)),
        };
        if !periods.has_buckets() {
            return changed(schema, found, change, stamp);
        }
        let period = if current.span.contains(at) {
            current.span.period
        } else {
            periods.rules.period(&schema.calendar, at)
        };
        let points = id.and_then(|id| periods.bucket(period.start)?.get(id));
        let draft = Draft { schema, stamp, points, period, plan: Plan::new(true, found.0, found.1) };
        match change {
            Change::Add(units) => periods.plan_sum(current, id, draft, units),
            Change::Offer(score) => Ok(draft.offer(score)),
            Change::Put(score) => Ok(draft.put(score)),
        }
    }

    /// Returns whether the view has had no write yet.
    pub(crate) fn is_unbegun(&self) -> bool {
        self.periods().is_some_and(|periods| periods.span.is_none())
    }

    /// Returns whether a write counts in the period that is current at the time of the write.
    pub(crate) fn counts(&self, schema: &Schema, stamp: Stamp) -> bool {
        self.periods().is_none_or(|periods| {
            periods.current_at(&schema.calendar, stamp.now).span.from <= signed(stamp.at)
        })
    }

    /// Returns a member's entry at a moment that is not before the current period, if nothing is written until that
    /// moment. This function must not be called for a view with points of future periods. Such points only exist
    /// after a server's clock was put back.
    pub(crate) fn entry_at(&self, context: &BoardContext, id: MemberId, now: Millis) -> Option<Entry> {
        let (place, entry) = self.entry(context, id).unzip();
        let Timeline::Periods(periods) = &self.timeline else { return entry };
        let later = periods.current_at(&context.schema.calendar, now).span;
        if periods.span.is_some_and(|span| span.period == later.period) {
            return entry;
        }
        let left = place.and_then(|place| {
            let event = self.event(id, place.key.moment);
            periods.remaining(context.schema, (place.key, id), event, &later)
        });
        let key = periods.with_starting(context, id, left)?;
        let event = self.event(id, key.moment);
        Some(Entry { score: context.schema.score(key.rank_key), moment: key.moment, event })
    }

    /// Returns how many members are in the current period at a moment that is not before it, if nothing is written until then;
    /// `enough` if there are this many or more. The cases in which [`Self::entry_at`] must not be called are the same.
    ///
    /// On a clock of events, a moment in a later period of a view that is rolling or carries points over costs a look at each member,
    /// until there are enough.
    pub(crate) fn count_at(&self, context: &BoardContext, now: Millis, enough: u64) -> u64 {
        let len = self.index.len();
        let Timeline::Periods(periods) = &self.timeline else { return len.min(enough) };
        let later = periods.current_at(&context.schema.calendar, now).span;
        if periods.span.is_some_and(|span| span.period == later.period) {
            return len.min(enough);
        }
        let starting = context.starting.filter(|_| periods.takes_starting);
        if !periods.rules.passes_on() {
            return starting.map_or(0, |starting| starting.count() as u64).min(enough);
        }
        let ranked = self.index.iter_from(0).map(|(_, id)| id);
        let stays = ranked.filter(|id| self.entry_at(context, *id, now).is_some());
        let new = starting.into_iter().flat_map(|starting| starting.from(0)).map(|entry| entry.id);
        let new = new.filter(|id| self.entry(context, *id).is_none());
        let most = usize::try_from(enough).unwrap_or(usize::MAX);
        stays.chain(new).take(most).count() as u64
    }

    /// Returns whether a member without an entry at the time of a write gets one by this change. A late write may leave so little to
    /// carry over that the member does not enter.
    pub(crate) fn lets_in(
        &self,
        context: &BoardContext,
        id: Option<MemberId>,
        change: Change,
        stamp: Stamp,
    ) -> bool {
        let current = self.periods().map(|periods| periods.current_at(&context.schema.calendar, stamp.now));
        let plan = self.plan_in(context.schema, id, (None, None), current, change, stamp);
        plan.is_ok_and(|plan| plan.counts && plan.entry.is_some())
    }

    /// Checks whether a write at a later moment can be counted.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub(crate) fn judge(
        &self,
        context: &BoardContext,
        id: Option<MemberId>,
        change: Change,
        stamp: Stamp,
    ) -> Result<(), Error> {
        let entry = id.and_then(|id| self.entry_at(context, id, stamp.now));
        let current = self.periods().map(|periods| periods.current_at(&context.schema.calendar, stamp.now));
        self.plan_in(context.schema, id, (None, entry), current, change, stamp).map(|_| ())
    }

    /// Updates the place in a plan that was made before other members moved.
    pub(crate) fn refresh(&self, members: &Members, id: MemberId, plan: &mut Plan) {
        if plan.place.is_some_and(|place| !self.index.holds(place, id)) {
            plan.place = self.find(id, members);
        }
    }

    /// Prefetches the memory that is needed to apply a plan.
    pub(crate) fn prefetch_target(&self, context: &BoardContext, id: MemberId, plan: &Plan) {
        if let Some(entry) = plan.entry.filter(|_| plan.counts) {
            let key = key_of(context.schema, entry.score, entry.moment);
            self.index.prefetch_target(plan.place, key, id, &self.index_members(context.members));
        }
    }

    /// Applies a plan. Returns the place of the member's entry after that.
    pub(crate) fn apply(
        &mut self,
        schema: &Schema,
        members: &mut Members,
        id: MemberId,
        plan: &Plan,
        sequence: u64,
    ) -> Option<Landed> {
        if !plan.counts {
            return plan.place.map(Landed::from);
        }
        let key = plan.entry.map(|entry| key_of(schema, entry.score, entry.moment));
        let is_new = key.is_some() && plan.place.map(|place| place.key) != key;
        let sequences = match &mut self.timeline {
            Timeline::All => Sequences::Unknown,
            Timeline::Periods(periods) => {
                // The index reads the number of the write, so it must be stored before.
                periods.note(id, plan, sequence);
                // A member that has lost its entry may have an entry again when the clock is put back.
                let is_noted = is_new || key.is_none() && plan.bucket.is_some();
                if let Some(column) = periods.contributions.column().filter(|_| is_noted) {
                    periods.remember_sequence(id, members.sequence(id, column));
                    members.set_sequence(id, column, sequence);
                }
                periods.sequences()
            }
        };
        let index_members = &mut members.index_members_mut(self.leaf, sequences);
        let landed = move_entry(&mut self.index, index_members, id, plan.place, key);
        if schema.aggregate == Aggregate::Last {
            self.set_event(id, plan.entry.and_then(|entry| entry.event));
        }
        landed
    }
}

impl Periods {
    fn plan_sum(
        &self,
        current: Current,
        id: Option<MemberId>,
        Draft { stamp, points, period, plan, .. }: Draft,
        units: i128,
    ) -> Result<Plan, Error> {
        let start = period.start;
        let before = points.map_or(0, |points| points.units);
        let after = entry::score_of(i128::from(before).saturating_add(units))?.units();
        let bucket = Some((start, Points { units: after, moment: 0, sequence: 0 }));
        let entry = match (plan.entry, id) {
            _ if self.rules.carry.is_some() && current.span.period.start != start => {
                self.carried_on(current, plan.entry, id, (before, after), stamp)?
            }
            (Some(old), Some(id)) if units != 0 && is_at_end(old.score) && self.rules.is_rolling() => {
                // This score may have been limited to the end of the range when a period expired.
                let score = entry::score_of(self.total(id, &current.span).saturating_add(units))?;
                Some(Entry { score, moment: later(old.moment, stamp), event: None })
            }
            (old, _) => Some(entry::sum(old, units, stamp)?),
        };
        Ok(Plan { entry, bucket, ..plan })
    }

    /// Returns the member's entry after the member's points in the previous period have changed from `before` to
    /// `after`. A share of these points was carried over into the current period.
    fn carried_on(
        &self,
        current: Current,
        old: Option<Entry>,
        id: Option<MemberId>,
        (before, after): (i64, i64),
        stamp: Stamp,
    ) -> Result<Option<Entry>, Error> {
        let carried_of = |units| current.share.map_or(0, |share| share.of(units));
        let (carried, now) = (carried_of(before), carried_of(after));
        let delta = i128::from(now).saturating_sub(i128::from(carried));
        let has_points = || {
            let bucket = self.bucket(current.span.period.start);
            id.is_some_and(|id| bucket.is_some_and(|bucket| bucket.contains(id)))
        };
        match old {
            Some(old) if now == 0 && old.score.units() == carried && !has_points() => Ok(None),
            None if delta == 0 => Ok(None),
            old => entry::sum(old, delta, stamp).map(Some),
        }
    }

    fn note(&mut self, id: MemberId, plan: &Plan, sequence: u64) {
        let Some((start, points)) = plan.bucket else { return };
        if plan.loses != Loses::Nothing {
            let (from, current) =
                self.span.map_or((i64::MIN, i64::MIN), |span| (span.from, span.period.start));
            let moment = plan.entry.map(|entry| entry.moment);
            for at in 0..self.buckets.len() {
                let Some((other, bucket)) = self.buckets.get(at) else { break };
                let (other, moment_there) = (*other, bucket.get(id).map(|points| points.moment));
                let loses = match plan.loses {
                    Loses::Nothing => false,
                    Loses::Later => start < other && other <= current,
                    Loses::Others => from <= other && other != start && moment_there != moment,
                };
                if loses {
                    self.remember_points(other, id);
                    self.buckets.get_mut(at).map(|(_, bucket)| bucket.remove(id));
                }
            }
        }
        self.peak = self.peak.max(points.units.unsigned_abs());
        self.remember_points(start, id);
        let is_numbered = matches!(self.contributions, Contributions::Buckets) && points.sequence == NEW;
        if let Some(bucket) = self.bucket_mut(start) {
            bucket.set(id, if is_numbered { Points { sequence, ..points } } else { points });
        }
    }
}

/// Changes the key of a member's entry, or removes the entry. Returns the place of the entry after that.
pub(super) fn move_entry(
    index: &mut Index,
    index_members: &mut impl MemberStore,
    id: MemberId,
    place: Option<EntryPlace>,
    key: Option<Key>,
) -> Option<Landed> {
    match (place, key) {
        (None, None) => None,
        (None, Some(key)) => Some(Landed::Behind(index.insert(key, id, index_members))),
        (Some(place), Some(key)) if place.key == key => Some(place.into()),
        (Some(place), Some(key)) => Some(index.update(place, key, id, index_members)),
        (Some(place), None) => {
            index.remove(place, id, index_members);
            None
        }
    }
}

/// Returns the plan for a view in which a member's entry contains all of its points.
fn changed(
    schema: &Schema,
    (place, old): (Option<EntryPlace>, Option<Entry>),
    change: Change,
    stamp: Stamp,
) -> Result<Plan, Error> {
    let entry = match change {
        Change::Add(units) => entry::sum(old, units, stamp)?,
        Change::Offer(score) => entry::best(schema.aggregate, old, score, stamp),
        Change::Put(score) => entry::put(schema.aggregate, old, score, stamp),
    };
    Ok(Plan::new(true, place, Some(entry)))
}

/// An unfinished plan, for a period that has a bucket.
struct Draft<'a> {
    schema: &'a Schema,
    stamp: Stamp,
    /// The member's points in the period of the write.
    points: Option<Points>,
    period: Period,
    plan: Plan,
}

impl Draft<'_> {
    fn offer(self, score: Score) -> Plan {
        let Self { schema: Schema { aggregate, .. }, stamp, points, period, plan } = self;
        let entry = entry::best(*aggregate, plan.entry, score, stamp);
        if *aggregate == Aggregate::Last {
            return self.last(entry, score);
        }
        let old = points.and_then(|points| {
            Some(Entry { score: Score::from_units(points.units)?, moment: points.moment, event: None })
        });
        let best = entry::best(*aggregate, old, score, stamp);
        let points = points.filter(|_| old == Some(best));
        let points = points.unwrap_or_else(|| new_points(best.score, best.moment));
        Plan { entry: Some(entry), bucket: Some((period.start, points)), ..plan }
    }

    /// Plans an event on a board with `AGGREGATE LAST`. Only the points of the latest event are kept.
    fn last(self, entry: Entry, score: Score) -> Plan {
        let is_latest = entry.event.unwrap_or(entry.moment) == self.stamp.at && entry.score == score;
        let bucket = is_latest.then(|| (self.period.start, new_points(score, self.stamp.at)));
        // An event after the present time comes from a clock that was ahead and was put back.
        let is_wrong = |old: Entry| old.event.unwrap_or(old.moment) > self.stamp.now;
        let loses = if self.plan.entry.is_some_and(is_wrong) { Loses::Later } else { Loses::Nothing };
        Plan { entry: Some(entry), bucket, loses, ..self.plan }
    }

    /// Plans that a score is set. It replaces all points of other periods, and belongs to the period of the write.
    /// If the member already had this score, from the same period or an earlier period, the score keeps its moment
    /// as long as the period of this moment counts.
    fn put(self, score: Score) -> Plan {
        let Self { schema, stamp, points, period, plan } = self;
        if schema.aggregate == Aggregate::Last {
            return self.offer(score);
        }
        let is_there = |old: &Entry| old.score == score && signed(old.moment) < period.end;
        let old = plan.entry.filter(is_there);
        let entry = old.unwrap_or(Entry { score, moment: stamp.at, event: None });
        let points = points.filter(|points| old.is_some() && points.units == score.units());
        let points = points.unwrap_or_else(|| new_points(score, stamp.at));
        Plan { entry: Some(entry), bucket: Some((period.start, points)), loses: Loses::Others, ..plan }
    }
}

/// Returns points of a write that has no number yet.
const fn new_points(score: Score, moment: Millis) -> Points {
    Points { units: score.units(), moment, sequence: NEW }
}
