//! The ended periods of two views that are joined: which sequences of periods have one order in both views, and where the
//! orders of later periods can stay derived.

use super::{BoardContext, Keyed, NumberedEntry, Past, Periods, Recipe};
use crate::calendar::Calendar;

/// Ended periods in which each of the two views has one order, or whose orders are derived from one period.
pub(crate) struct Stretch<'a> {
    /// The starts of the first and the last of these periods.
    pub(crate) run: (i64, i64),
    /// How the orders of the later periods are derived from the order of the first one, if they are derived from it.
    pub(crate) recipe: Option<Recipe>,
    sides: [Option<Run<'a>>; 2],
}

/// Ended periods of one view with one order.
#[derive(Clone, Copy)]
struct Run<'a> {
    first: i64,
    last: i64,
    past: &'a Past,
}

type Side<'a> = (&'a Periods, BoardContext<'a>);

impl<'a> Run<'a> {
    /// Returns the recipe of the later periods, if the run begins with the period from which they are derived.
    fn recipe(&self) -> Option<Recipe> {
        self.past.recipe().filter(|_| self.first == self.past.period.start)
    }
}

impl Stretch<'_> {
    /// Returns the entries of one of the views, best first, and how many of them, from the first one, have moments that
    /// are used.
    pub(crate) fn entries(
        &self,
        side: usize,
        periods: &Periods,
        context: &BoardContext,
    ) -> (Vec<NumberedEntry>, u64) {
        let Some(run) = self.sides.get(side).copied().flatten() else { return (Vec::new(), 0) };
        let dated = run.past.order.dated();
        if let Some(recipe) = self.recipe {
            return (periods.numbered(run.past, recipe, context).collect(), dated);
        }
        let unnumbered = |entry: Keyed| (entry, 0);
        let derivation = periods.derivation(run.past, &context.schema.calendar);
        let entries = match derivation.filter(|_| run.first > run.past.period.start) {
            Some(derivation) => {
                let later = periods.rules.span(&context.schema.calendar, run.first);
                periods.entries_after(&derivation, run.past, &later, context)
            }
            None => run.past.order.ranking(context.schema, context.members).walk_dated(0).collect(),
        };
        (entries.into_iter().map(unnumbered).collect(), dated)
    }
}

/// Returns the ended periods of two views, newest first. Their boundaries must be final, and their current periods must be
/// the same. Periods that `joined` does not keep are left out; also returns whether there are any.
pub(crate) fn ended_together<'a>(pair: &[Side<'a>; 2], joined: &Periods) -> (Vec<Stretch<'a>>, bool) {
    let [low, high] = pair;
    let calendar = &low.1.schema.calendar;
    let (low_runs, high_runs) = (runs(low), runs(high));
    let both = || low_runs.iter().chain(&high_runs);
    let ends = both().map(|run| joined.rules.period(calendar, run.last).end);
    let mut cuts: Vec<_> = both().map(|run| run.first).chain(ends).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let before = |end| joined.rules.back(calendar, end, 1);
    let mut stretches: Vec<Stretch> = Vec::new();
    for (at, first) in cuts.iter().enumerate() {
        let Some(next) = cuts.get(at.saturating_add(1)) else { break };
        let sides = [&low_runs, &high_runs].map(|runs| run_at(runs, *first));
        let is_derived = stretches.last().is_some_and(|last| last.recipe.is_some() && *first <= last.run.1);
        if is_derived || sides.iter().all(Option::is_none) {
            continue;
        }
        let derived = derived_from(*first, sides, pair, [&low_runs, &high_runs], calendar);
        let run = (*first, derived.map_or_else(|| before(*next), |(last, _)| last));
        stretches.push(Stretch { run, recipe: derived.map(|(_, recipe)| recipe), sides });
    }
    let all = stretches.len();
    stretches.retain(|stretch| stretch.run.1 >= joined.kept || joined.is_kept_in_any_case(stretch.run));
    stretches.reverse();
    let is_cut = stretches.len() < all;
    (stretches, is_cut)
}

/// Returns all ended periods of a view, oldest first.
fn runs<'a>((periods, context): &Side<'a>) -> Vec<Run<'a>> {
    let mut runs = Vec::new();
    for past in periods.past.iter().rev() {
        match periods.derivation(past, &context.schema.calendar) {
            None => runs.push(Run { first: past.period.start, last: past.last, past }),
            Some(derivation) => {
                let derived = periods.runs_of(past, &derivation, context.schema).into_iter();
                runs.extend(derived.map(|(first, last)| Run { first, last, past }));
            }
        }
    }
    runs
}

fn run_at<'a>(runs: &[Run<'a>], start: i64) -> Option<Run<'a>> {
    let at = runs.partition_point(|run| run.first <= start).checked_sub(1)?;
    runs.get(at).copied().filter(|run| start <= run.last)
}

/// Returns the last of the periods that can stay derived from the period `first` of both views, and their recipe.
fn derived_from(
    first: i64,
    sides: [Option<Run>; 2],
    pair: &[Side; 2],
    runs: [&Vec<Run>; 2],
    calendar: &Calendar,
) -> Option<(i64, Recipe)> {
    let recipes: Vec<_> = sides.iter().flatten().map(Run::recipe).collect();
    let recipe = recipes.first().copied().flatten()?;
    if recipes.iter().any(|other| *other != Some(recipe)) {
        return None;
    }
    // A view without this period must not have points that would count as points of the period.
    let is_alone = |(side, run): (&Side, &Option<Run>)| {
        let counts = |start: i64| recipe.from <= start && start <= first;
        run.is_some() || !side.0.all_buckets().any(|(start, bucket)| counts(*start) && !bucket.is_empty())
    };
    if !pair.iter().zip(&sides).all(is_alone) {
        return None;
    }
    let last = sides.iter().flatten().map(|run| run.past.last).max()?;
    // The orders are derived until one of the views has another order.
    let is_other = |run: &&Run| first < run.first && run.past.period.start != first;
    let next = runs.iter().filter_map(|runs| runs.iter().find(is_other)).map(|run| run.first).min();
    let rules = &pair.first()?.0.rules;
    Some((next.map_or(last, |next| last.min(rules.back(calendar, next, 1))), recipe))
}
