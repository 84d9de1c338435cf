//! Checks whether each level of a member's scores stays within its maximum after a write, in the current period of
//! a view and in all later periods. A view without levels is judged only by its sums.

use super::{BoardContext, Periods, View, signed};
use crate::Error;
use crate::bucket::Points;
use crate::index::MemberId;
use crate::levels::{Levels, Tuple};
use crate::score::Score;
use crate::short_name::ShortName;
use crate::time::Stamp;

impl View {
    /// Judges a write that adds the values `more` to the levels.
    ///
    /// # Errors
    /// [`Error::LevelOverflow`].
    pub(crate) fn judge_levels(
        &self,
        context: &BoardContext,
        levels: &Levels,
        id: Option<MemberId>,
        more: &Tuple,
        stamp: Stamp,
    ) -> Result<(), Error> {
        if !self.counts(context.schema, stamp) {
            return Ok(());
        }
        let fits = match self.periods().filter(|periods| periods.has_buckets()) {
            Some(periods) => periods.judge_runs(context, levels, id, more, stamp),
            None => {
                let entry = id.and_then(|id| self.entry_at(context, id, stamp.now));
                let before = levels.values(entry.map_or(Score::ZERO, |entry| entry.score));
                levels.check(&before.plus(more))
            }
        };
        fits.map_err(Error::LevelOverflow)
    }
}

impl Periods {
    /// Judges the points of all sequences of consecutive periods, since each sequence may be the remaining part of
    /// a window. The sum of a sequence is at most the difference between the least and the greatest sum from the
    /// first period on.
    fn judge_runs(
        &self,
        context: &BoardContext,
        levels: &Levels,
        id: Option<MemberId>,
        more: &Tuple,
        stamp: Stamp,
    ) -> Result<(), ShortName> {
        let calendar = &context.schema.calendar;
        let from = self.current_at(calendar, stamp.now).span.from;
        let written = self.rules.period(calendar, signed(stamp.at)).start;
        let none = || levels.values(Score::ZERO);
        let (mut sum, mut least, mut greatest) = (none(), none(), none());
        let mut run = |points: &Tuple| {
            sum = sum.plus(points);
            (least, greatest) = (sum.least(&least), sum.greatest(&greatest));
            levels.check(&sum.minus(&least)).and_then(|()| levels.check(&greatest.minus(&sum)))
        };
        let mut is_written = false;
        for (start, bucket) in self.buckets.iter().filter(|(start, _)| from <= *start) {
            if !is_written && written < *start {
                run(more)?;
            }
            let points =
                id.and_then(|id| bucket.get(id)).and_then(|Points { units, .. }| Score::from_units(units));
            let points = points.map_or_else(none, |points| levels.values(points));
            run(&if written == *start { points.plus(more) } else { points })?;
            is_written = is_written || written <= *start;
        }
        if is_written { Ok(()) } else { run(more) }
    }
}
