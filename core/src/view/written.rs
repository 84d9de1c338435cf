//! A view as it was at its last write. This state is saved. After the last write only time has passed, and the
//! effects of time can be computed from this state. So the size of a saved board does not depend on how long the
//! board was idle, or on how many ended periods are kept: periods without a write are saved as the order from which
//! they are derived.

use std::ops::Range;
use std::rc::Rc;

use super::decay::Decay;
use super::ended_points::IdSet;
use super::history::{ChangeOf, Changed};
use super::periods::Current;
use super::{BoardContext, EndedIndex, EndedPoints, History, Past, PastOrder, Periods, Share, Span, View};
use crate::Error;
use crate::bucket::{Bucket, Points};
use crate::calendar::{Calendar, Period};
use crate::index::{Index, Key, MemberId, MemberLookup};
use crate::members::Members;
use crate::schema::{Schema, Ties};
use crate::time::Millis;

/// An entry, and the number of the write that set it; 0 if the number is not known.
pub(crate) type NumberedEntry = ((Key, MemberId), u64);

/// The data from which the orders of the periods after an ended period are derived, in addition to its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Recipe {
    /// The start of the oldest period whose points counted in the ended order.
    pub(crate) from: i64,
    /// The share of the whole score that is kept from period to period, if scores decay.
    pub(crate) decay: Option<Share>,
}

/// Returns the newest ended period whose start is in a range and in which the points of the period `start` counted.
/// A later period counts no older points than an earlier period.
fn newest_with(bases: &[(i64, i64)], start: i64, range: Range<i64>) -> Option<i64> {
    let fitting = bases.partition_point(|(base, from)| *base < range.end && *from <= start);
    let (newest, _) = bases.get(fitting.checked_sub(1)?)?;
    Some(*newest).filter(|newest| *newest >= range.start.max(start))
}

impl View {
    /// Returns the order of the period of the last write.
    pub(crate) fn written_index(&self) -> &Index {
        let periods = self.periods().filter(|periods| periods.boundary.is_reversible());
        periods.and_then(|periods| periods.past.front()?.index()).unwrap_or(&self.index)
    }

    /// Returns the number of the write that set a member's entry in the order of the period of the last write; 0 if
    /// the view does not keep it.
    pub(crate) fn written_sequence(&self, id: MemberId, members: &Members) -> u64 {
        let Some((periods, column)) = self.periods().zip(self.sequence()) else { return 0 };
        let old = periods.boundary.anchor().and_then(|anchor| anchor.sequences.get(id).copied());
        old.unwrap_or_else(|| members.sequence(id, column))
    }

    /// Returns the points of the periods that are saved, by the periods' starts, oldest first. Points of members
    /// without an entry contain the numbers of the members' last writes, if these numbers are not saved with an
    /// entry.
    pub(crate) fn written_points<'a>(
        &'a self,
        members: &'a Members,
    ) -> impl Iterator<Item = (i64, impl Iterator<Item = (MemberId, Points)>)> {
        let ranked = self
            .periods()
            .and_then(Periods::numbers_beside_points)
            .map(|_| Rc::new(self.written_index().iter_from(0).map(|(_, id)| id).collect::<IdSet>()));
        self.periods().into_iter().flat_map(Periods::written_points).map(move |(start, bucket)| {
            let ranked = ranked.clone();
            let points = bucket.iter().map(move |(id, points)| {
                let is_ranked = ranked.as_ref().is_none_or(|ranked| ranked.contains(id));
                let sequence = if is_ranked { points.sequence } else { self.written_sequence(id, members) };
                (id, Points { sequence, ..points })
            });
            (*start, points)
        })
    }

    /// Returns whether a member was in a period that is kept, and that had ended by a moment. Boundaries after the last write
    /// are not passed. If the clock was put back since the moment, such a period is the present one or comes again.
    pub(crate) fn had_ended_with(
        &self,
        id: MemberId,
        moment: Millis,
        calendar: &Calendar,
        members: &Members,
    ) -> bool {
        let Some(periods) = self.periods() else { return false };
        let moment = moment.cast_signed();
        let mut past = periods.written_past();
        past.any(|past| past.period.end <= moment && past.contains(id, members))
            || periods.written().is_some_and(|Current { span: Span { period, .. }, .. }| {
                period.end <= moment
                    && (self.is_in_written(id, members)
                        || periods.comes_again_with(id, period.start, moment, calendar))
            })
    }

    /// Returns whether a member is in the order of the period of the last write.
    fn is_in_written(&self, id: MemberId, members: &Members) -> bool {
        let past = self.periods().filter(|periods| periods.boundary.is_reversible());
        let past = past.and_then(|periods| periods.past.front());
        past.map_or_else(|| self.find(id, members).is_some(), |past| past.contains(id, members))
    }
}

impl View {
    /// Returns whether each entry has points with its moment, and whether entries with equal keys are in the order of the
    /// numbers of their writes, if these numbers are stored with the points. A saved board has the points after the entries,
    /// so this is checked after all was loaded.
    pub(crate) fn agrees_with_points(&self, ties: Ties, members: &Members) -> bool {
        if self.periods().is_none_or(|periods| !periods.numbers_are_with_points()) {
            return true;
        }
        let lookup = self.index_members(members);
        let number = |(key, id): (Key, MemberId)| lookup.sequence(id, key.moment);
        let are_in_order = |a, b| match ties {
            Ties::First => number(a) <= number(b),
            Ties::Last => number(a) >= number(b),
            Ties::Lex | Ties::RevLex => true,
        };
        let mut pairs = self.index.iter_from(0).zip(self.index.iter_from(1));
        self.index.iter_from(0).all(|entry| number(entry).is_some())
            && pairs.all(|(a, b)| a.0 != b.0 || are_in_order(a, b))
    }
}

impl Periods {
    /// Returns the period of the last write, and the share that was carried into it.
    pub(crate) fn written(&self) -> Option<Current> {
        let anchor = self.boundary.anchor().map(|anchor| Current { span: anchor.span, share: anchor.share });
        anchor.or_else(|| self.current())
    }

    /// Returns the periods that had ended at the last write.
    pub(crate) fn written_past(&self) -> impl Iterator<Item = &Past> {
        self.past.iter().skip(usize::from(self.boundary.is_reversible()))
    }

    /// Returns whether a member has points in a period after the period `start` that had ended by a moment.
    fn comes_again_with(&self, id: MemberId, start: i64, moment: i64, calendar: &Calendar) -> bool {
        let has_ended = |start| calendar.period(self.rules.unit, start).end <= moment;
        let mut later = self.buckets.iter().rev().take_while(|(other, _)| start < *other);
        later.any(|(other, bucket)| bucket.contains(id) && has_ended(*other))
    }

    /// Returns the points of the periods that counted at the last write, will count later, or will count again if
    /// the clock is put back, by the periods' starts, oldest first.
    pub(crate) fn written_points(&self) -> impl Iterator<Item = &(i64, Bucket)> {
        let start = self.written().map_or(i64::MIN, |current| current.span.period.start);
        self.buckets.iter().filter(move |(other, _)| self.has_buckets() || start < *other)
    }

    /// Returns the entries of an ended period, best first, each with the number of the write that set it, or 0.
    pub(crate) fn numbered<'a>(
        &'a self,
        past: &'a Past,
        recipe: Recipe,
        context: &BoardContext<'a>,
    ) -> impl Iterator<Item = NumberedEntry> + 'a {
        let base = Span { period: past.period, from: recipe.from };
        let points = EndedPoints::new(self, context.schema, base);
        let (members, has_numbers) = (context.members, !self.numbers_are_with_points());
        let entries = past.index().into_iter().flat_map(|index| index.iter_from(0));
        entries.map(move |(key, id)| {
            let number = if has_numbers { points.sequence(members, id, key.moment) } else { None };
            ((key, id), number.unwrap_or(0))
        })
    }

    /// Adds an ended period that was saved, after the periods that were added before.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if a member occurs twice, or if entries are not in order.
    pub(crate) fn push_saved(
        &mut self,
        (first, last): (i64, i64),
        entries: &[NumberedEntry],
        dated: u64,
        recipe: Option<Recipe>,
        (schema, members): (&Schema, &mut Members),
    ) -> Result<(), Error> {
        let twice = Error::Corrupt("a member twice in a period");
        let keyed: Vec<_> = entries.iter().map(|(entry, _)| *entry).collect();
        let known = if recipe.is_some() { keyed.len() as u64 } else { dated };
        let order = match members.is_large() {
            true => PastOrder::of(&keyed, dated),
            false => PastOrder::of_few(&keyed, (known, dated), schema.ties, members),
        };
        let order = order.ok_or(twice)?;
        let period = self.rules.period(&schema.calendar, first);
        let mut past = Past::new(Period { start: first, end: period.end }, last, order);
        if let Some(Recipe { from, decay }) = recipe {
            (past.expires_from, past.decay) = (Some(from), decay.map(Decay::new));
            self.history.get_or_insert_default();
            if members.is_large() {
                past.base = Some(EndedIndex::base(&keyed, schema.ties, members)?);
            }
            self.restore_numbers(first, entries, members);
        }
        self.past.push_back(past);
        Ok(())
    }

    /// Stores the numbers of the entries of an ended period. They become the numbers of the members' last writes,
    /// unless later numbers are known. Newer periods must be added first.
    fn restore_numbers(&mut self, start: i64, entries: &[NumberedEntry], members: &mut Members) {
        if self.numbers_are_with_points() {
            return;
        }
        let column = self.contributions.column();
        let history = self.history.get_or_insert_default();
        for ((_, id), number) in entries {
            let last = column.map(|column| members.sequence(*id, column)).filter(|last| *last > 0);
            match (history.sequence_at(*id, start).or(last), column) {
                (Some(known), _) if known == *number => {}
                (None, None) if *number == 0 => {}
                (None, Some(column)) if *number > 0 => members.set_sequence(*id, column, *number),
                // A 0 is stored too, since the member may have a number in an older period.
                _ => history.restore_sequence(*id, start, *number),
            }
        }
    }

    /// Returns the points and numbers from which orders of ended periods are derived.
    pub(crate) fn history(&self) -> Option<&History> {
        self.history.as_deref()
    }

    /// Returns the points that no longer count and that are needed to derive the orders of ended periods, oldest
    /// first.
    pub(crate) fn old_points(&self) -> impl Iterator<Item = &(i64, Bucket)> {
        let (bases, old) = (self.bases(), self.history.iter().flat_map(|history| &history.buckets));
        old.filter(move |(start, _)| newest_with(&bases, *start, i64::MIN..i64::MAX).is_some())
    }

    /// Returns points as they were in the ended periods that need them: the start of their period, the member, the
    /// start of the newest ended period with these points, and the points. Points that are the same in a newer
    /// ended period or at present are left out.
    pub(crate) fn changed_points(&self) -> Vec<Changed> {
        let bases = self.bases();
        let mut all: Vec<Changed> = Vec::new();
        let mut before = None::<ChangeOf>;
        for ((start, id, until), points) in self.history.iter().flat_map(|history| history.changed_points()) {
            let last = before.replace((start, id, until));
            let last = last.filter(|(other, whose, _)| (*other, *whose) == (start, id));
            let range = last.map_or(i64::MIN, |(.., until)| until)..until;
            all.extend(newest_with(&bases, start, range).map(|ended| ((start, id, ended), points)));
        }
        let mut after = None::<Changed>;
        let mut needed: Vec<Changed> = Vec::new();
        for change @ ((start, id, _), points) in all.into_iter().rev() {
            let next = after.filter(|((other, whose, _), _)| (*other, *whose) == (start, id));
            let is_same =
                next.map_or_else(|| self.is_unchanged(start, id, points), |(_, later)| later == points);
            if !is_same {
                needed.push(change);
            }
            after = Some(change);
        }
        needed
    }

    /// Returns whether a member has these points at present wherever points of the period are stored. After the clock was put
    /// back, a period that counts again has two buckets.
    fn is_unchanged(&self, start: i64, id: MemberId, points: Option<Points>) -> bool {
        let old = self.history.as_ref().and_then(|history| history.bucket(start));
        match [old, self.bucket(start)] {
            [None, None] => points.is_none(),
            buckets => buckets.into_iter().flatten().all(|bucket| bucket.get(id) == points),
        }
    }

    /// Returns the ended periods from which orders of later periods are derived: their starts, and the moments from
    /// which points counted in them, oldest first.
    fn bases(&self) -> Vec<(i64, i64)> {
        let bases = self.written_past().filter_map(|past| Some((past.period.start, past.expires_from?)));
        let mut bases: Vec<_> = bases.collect();
        bases.reverse();
        bases
    }

    /// Returns the points and numbers from which orders of ended periods are derived, for loading, if any of the
    /// loaded orders needs them.
    pub(crate) fn history_to_load(&mut self) -> Option<&mut History> {
        self.set_needed();
        self.history.as_deref_mut()
    }

    /// Stores points as they were in an ended period, see [`History::restore_points`].
    pub(crate) fn restore_changed(&mut self, change: ChangeOf, points: Option<Points>) {
        if let Some(history) = &mut self.history {
            history.restore_points(change, points);
            self.add_bucket(change.0);
        }
    }

    /// Adds an empty bucket for a period, if only its points before a change are known. After the clock was put back, the
    /// period can count again while its old points are stored. Then these are known, and a second bucket of this period would
    /// make the points before a change count twice.
    pub(crate) fn add_bucket(&mut self, start: i64) {
        if self.history.as_ref().is_some_and(|history| history.bucket(start).is_some()) {
            return;
        }
        match (&mut self.history, self.span) {
            (Some(history), Some(span)) if start < span.from => history.keep_bucket(start, Bucket::new()),
            _ => _ = self.bucket_mut(start),
        }
    }
}
