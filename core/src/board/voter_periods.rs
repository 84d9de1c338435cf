//! Finds the period of a view in which a voter counts.

use crate::campaign::Campaign;
use crate::schema::Schema;
use crate::time::Millis;
use crate::view::{Kind, View};
use crate::voters::{PeriodWindow, VoteBatch};

/// Returns the window that ends with the period that starts at `start`: all periods whose voters are counted in it.
pub(super) fn window(view: &View, schema: &Schema, start: i64) -> Option<PeriodWindow> {
    let Kind::Periods { unit, count } = view.spec.kind else { return None };
    Some(PeriodWindow::new(&schema.calendar, unit, count, start))
}

/// Returns the batch of a vote in a view. Before that, the voters of the view are brought to the view's current
/// period.
pub(super) fn batch_of(
    campaign: &mut Campaign,
    view: &View,
    schema: &Schema,
    at: Millis,
) -> Option<VoteBatch> {
    let current = view.periods()?.span?.period.start;
    let series = campaign.series.number(view.spec.kind);
    let last = campaign.series.window(series).and_then(PeriodWindow::last);
    if last != Some(current) {
        let window = window(view, schema, current)?;
        campaign.voters.expire_before(series, oldest(view, schema, current)?);
        if last.is_none_or(|last| last > current) {
            campaign.voters.follow_clock_back(series, &window);
        }
        campaign.series.set_window(series, window);
    }
    let start = period_of(view, schema, at)?;
    let late = campaign.series.window(series)?.periods_after(start);
    Some(VoteBatch { series, start, late })
}

/// Returns the start of the period in which a vote counts. An ended period accepts votes only while the view's
/// current period includes it.
fn period_of(view: &View, schema: &Schema, at: Millis) -> Option<i64> {
    let (span, at) = (view.periods()?.span?, i64::try_from(at).unwrap_or(i64::MAX));
    if span.contains(at) {
        return Some(span.period.start);
    }
    let (unit, _) = view.spec.reach()?;
    let counts = view.spec.kind.is_rolling() && span.from <= at;
    counts.then(|| schema.calendar.period(unit, at).start)
}

/// Returns the start of the oldest period whose voters are kept. It is the first period of the oldest window that
/// is kept.
fn oldest(view: &View, schema: &Schema, current: i64) -> Option<i64> {
    let Kind::Periods { unit, count } = view.spec.kind else { return None };
    let back = view.spec.retain.saturating_add(u32::from(count.saturating_sub(1)));
    Some(schema.calendar.back(unit, current, back).start)
}
