//! Points and ended periods of views.

use std::collections::BTreeMap;
use std::mem;

use super::merge::merge;
use super::{Joining, Side};
use crate::Error;
use crate::bucket::Points;
use crate::index::{MemberId, compare_keys};
use crate::view::{BoardContext, MOST_DATED, NumberedEntry, Periods, Stretch, View, ended_together};

type OwnPoints = Vec<(MemberId, Points)>;

impl Side<'_> {
    /// Adds the points from which orders of ended periods are derived, if the joined view still needs them. Members that
    /// are not in any of these orders are left out.
    fn add_history(&self, periods: &Periods, joined: &mut Periods) {
        for (start, bucket) in periods.old_points() {
            if let Some(history) = joined.history_to_load().filter(|history| history.needs(*start)) {
                let own = |(id, points)| Some((self.id(id).ok()?, self.points(points)));
                history.add_points(*start, bucket.iter().filter_map(own).collect());
            }
        }
        for ((start, id, ended), points) in periods.changed_points() {
            let is_needed = joined.history_to_load().is_some_and(|history| history.needs(start));
            if let Some(id) = self.id(id).ok().filter(|_| is_needed) {
                joined.restore_changed((start, id, ended), points.map(|points| self.points(points)));
            }
        }
    }

    const fn points(&self, points: Points) -> Points {
        Points { sequence: self.number(points.sequence), ..points }
    }
}

impl Joining<'_> {
    /// Adds the points of a view that count, or will count.
    pub(super) fn add_points(&mut self, number: usize) -> Result<(), Error> {
        let Self { sides, board, .. } = self;
        let mut all: BTreeMap<i64, OwnPoints> = BTreeMap::new();
        for side in &*sides {
            let Some(view) = side.board.views.get(number) else { continue };
            for (start, points) in view.written_points(&side.board.members) {
                let own = all.entry(start).or_default();
                for (id, points) in points {
                    own.push((side.id(id)?, side.points(points)));
                }
            }
        }
        let Some(periods) = board.views.get_mut(number).and_then(View::periods_mut) else { return Ok(()) };
        for (start, mut points) in all {
            points.sort_unstable_by_key(|(id, _)| *id);
            if let Some(column) = periods.numbers_beside_points() {
                for (id, points) in &mut points {
                    let number = mem::take(&mut points.sequence);
                    if board.members.sequence(*id, column) == 0 {
                        board.members.set_sequence(*id, column, number);
                    }
                }
            }
            let peak = points.iter().map(|(_, points)| points.units.unsigned_abs()).max();
            periods.peak = periods.peak.max(peak.unwrap_or(0));
            if points.is_empty() {
                continue;
            }
            if let Some(bucket) = periods.bucket_mut(start) {
                points.into_iter().for_each(|(id, points)| bucket.set(id, points));
            }
        }
        Ok(())
    }

    /// Adds the ended periods of a view, and the points from which their orders are derived.
    pub(super) fn add_ended(&mut self, number: usize) -> Result<(), Error> {
        let Self { sides: [low, high], board, is_cut, .. } = self;
        let pair = low.board.views.get(number).zip(high.board.views.get(number));
        let pair = pair.and_then(|(low, high)| low.periods().zip(high.periods()));
        let Some((one, other)) = pair else { return Ok(()) };
        let Some(joined) = board.views.get_mut(number).and_then(View::periods_mut) else { return Ok(()) };
        let pair = [(one, low.board.context()), (other, high.board.context())];
        let dated = if board.schema.role.part().is_some() { MOST_DATED } else { 0 };
        let (stretches, cuts) = ended_together(&pair, joined);
        *is_cut |= cuts;
        for stretch in stretches {
            let [first, second] =
                [(0, &*low), (1, &*high)].map(|(at, side)| entries(&stretch, at, &pair, side));
            let (entries, known) = together(first?, second?, |one, other| {
                compare_keys(board.schema.ties, one.0.0, other.0.0).is_gt()
            });
            if !entries.is_empty() {
                let saved = (&board.schema, &mut board.members);
                joined.push_saved(stretch.run, &entries, known.min(dated), stretch.recipe, saved)?;
            }
        }
        for (side, periods) in [(&*low, one), (&*high, other)] {
            side.add_history(periods, joined);
        }
        Ok(())
    }
}

/// The entries that one board has in ended periods, and how many of them, from the first one, have known moments.
type Ended = (Vec<NumberedEntry>, u64);

/// Returns the entries of one of both boards.
fn entries(
    stretch: &Stretch,
    at: usize,
    pair: &[(&Periods, BoardContext); 2],
    side: &Side,
) -> Result<Ended, Error> {
    let Some((periods, context)) = pair.get(at) else { return Ok((Vec::new(), 0)) };
    let (entries, dated) = stretch.entries(at, periods, context);
    let renumbered = |((key, id), number)| Ok(((key, side.id(id)?), side.number(number)));
    Ok((entries.into_iter().map(renumbered).collect::<Result<_, Error>>()?, dated))
}

/// Merges the entries of both boards. The moments are known up to the first entry whose moment one of the boards does not
/// know.
fn together(
    (low, low_dated): Ended,
    (high, high_dated): Ended,
    is_behind: impl Fn(&NumberedEntry, &NumberedEntry) -> bool,
) -> Ended {
    let mut left = [low_dated, high_dated];
    let (mut all, mut known) = (Vec::with_capacity(low.len().saturating_add(high.len())), None);
    for (side, entry) in merge(low.into_iter(), high.into_iter(), is_behind) {
        match left.get_mut(side) {
            Some(left) if *left > 0 => *left = left.saturating_sub(1),
            _ => _ = known.get_or_insert(all.len() as u64),
        }
        all.push(entry);
    }
    let [low_left, high_left] = left;
    let known =
        known.unwrap_or_else(|| (all.len() as u64).saturating_add(low_left).saturating_add(high_left));
    (all, known)
}
