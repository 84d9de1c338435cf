//! Reads plots from the counters.

use futures_util::future::join_all;
use leaderboard_client::{Request, Sample, counters, info};

use super::{Kept, SAMPLES, Subject};
use crate::history::line::Measure;
use crate::history::{BoardFigure, Plot, Range, Series, ServerFigure, rounded};
use crate::link::{Link, problem};
use crate::problem::Problem;

/// The seconds between two samples.
const MINUTE: f64 = 60.0;

/// The lines of a plot that are about the same board or server: their labels, and the names of their counters.
struct Wanted<'a> {
    of: Subject<'a>,
    lines: Vec<(String, String)>,
    /// Whether a line is left out if nothing was counted in the range.
    is_by_rule: bool,
}

impl Kept {
    /// A figure of a board from the second `after` on: one line, or a line for each rule that held something back. `None` if nothing
    /// is kept of it, and the memory may have more.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn board(
        &self,
        link: &Link,
        key: &str,
        figure: BoardFigure,
        (range, after): (Range, u64),
    ) -> Result<Option<Plot>, Problem> {
        let of = Subject::Board(key);
        let is_by_rule = figure == BoardFigure::HeldBack;
        let lines = if is_by_rule {
            self.lines_by_rule(key, link.ask(&info(key)).await?.as_ref())
        } else {
            vec![(key.to_owned(), figure.name().to_owned())]
        };
        self.plot(link, vec![Wanted { of, lines, is_by_rule }], figure.measure(), (range, after)).await
    }

    /// A figure of each of these servers, from the second `after` on. `None` as in [`Kept::board`].
    ///
    /// # Errors
    /// If no server answers.
    pub async fn servers(
        &self,
        link: &Link,
        names: &[String],
        figure: ServerFigure,
        (range, after): (Range, u64),
    ) -> Result<Option<Plot>, Problem> {
        let wanted = names.iter().map(|name| Wanted {
            of: Subject::Server(name),
            lines: vec![(name.clone(), figure.name().to_owned())],
            is_by_rule: false,
        });
        self.plot(link, wanted.collect(), figure.measure(), (range, after)).await
    }

    async fn plot(
        &self,
        link: &Link,
        wanted: Vec<Wanted<'_>>,
        measure: Measure,
        (range, after): (Range, u64),
    ) -> Result<Option<Plot>, Problem> {
        if self.prefix().is_none() {
            return Ok(None);
        }
        let lines = join_all(wanted.iter().map(|wanted| self.lines(link, wanted, measure, (range, after))));
        let lines = lines.await.into_iter().collect::<Result<Vec<_>, _>>()?;
        let plot = joined(lines.into_iter().flatten().collect(), range.slice());
        Ok(Some(plot).filter(|plot| !plot.times.is_empty() || range.is_only_kept()))
    }

    /// The lines of a board or server: their labels and values. Whether a rule has a line depends on the whole range, also if only the
    /// values from `after` on are asked for: a plot that adds new values to those before needs the same lines each time.
    async fn lines(
        &self,
        link: &Link,
        Wanted { of, lines, is_by_rule }: &Wanted<'_>,
        measure: Measure,
        (range, after): (Range, u64),
    ) -> Result<Vec<(String, Vec<Value>)>, Problem> {
        let ms = |second: u64| i64::try_from(second.saturating_mul(1_000)).unwrap_or(i64::MAX);
        let first = crate::history::seconds().saturating_sub(range.span());
        let new = ms(first.max(after));
        let figures: Vec<_> = lines.iter().map(|(_, figure)| figure.clone()).collect();
        let samples = self.slices(link, *of, &[SAMPLES.to_owned()], (range, Some(new))).await?.concat();
        let from = if *is_by_rule { ms(first) } else { new };
        let sums = self.slices(link, *of, &figures, (range, Some(from))).await?;
        let read = lines.iter().zip(sums).filter(|(_, sums)| !is_by_rule || !sums.is_empty());
        Ok(read.map(|((label, _), sums)| (label.clone(), values(&samples, &sums, measure))).collect())
    }

    /// The slices of some figures, oldest first, all of them or those from a moment in ms on.
    pub(super) async fn slices(
        &self,
        link: &Link,
        of: Subject<'_>,
        figures: &[String],
        (range, from): (Range, Option<i64>),
    ) -> Result<Vec<Vec<Sample>>, Problem> {
        let keys = figures.iter().filter_map(|figure| self.key(of, figure));
        let requests = keys.map(|key| match from {
            Some(from) => counters::get(&key, range.slice()).from(from),
            None => counters::get(&key, range.slice()),
        });
        let requests: Vec<_> = requests.collect();
        let replies = link.pipeline(requests.iter().map(Request::cmd)).await?;
        let read = |(request, reply): (&Request<_>, Result<_, _>)| {
            request.parse(reply?).map_err(|error| problem(&error))
        };
        requests.iter().zip(replies).map(read).collect()
    }
}

/// A slice: its start in seconds, and its value.
type Value = (u64, f64);

/// The value of each slice with samples.
fn values(samples: &[Sample], sums: &[Sample], measure: Measure) -> Vec<Value> {
    let noted = samples.iter().filter(|sample| sample.count > 0);
    let value = |sample: &Sample| {
        let sum = sums.binary_search_by_key(&sample.start, |sum| sum.start).ok();
        // The 53 bits of precision are enough for plots.
        let sum = sum.and_then(|place| sums.get(place)).map_or(0, |sum| sum.count) as f64;
        let count = sample.count as f64;
        let value = match measure {
            Measure::Level => sum / count,
            Measure::Count => sum / (count * MINUTE),
        };
        Some((u64::try_from(sample.start).ok()? / 1_000, rounded(value)))
    };
    noted.filter_map(value).collect()
}

/// The lines on one axis of time. Slices without a value are gaps.
fn joined(lines: Vec<(String, Vec<Value>)>, step: u64) -> Plot {
    let starts = || lines.iter().flat_map(|(_, values)| values).map(|(start, _)| *start);
    let (Some(first), Some(last)) = (starts().min(), starts().max()) else { return Plot::default() };
    let step_size = usize::try_from(step).unwrap_or(usize::MAX).max(1);
    let times: Vec<u64> = (first..=last).step_by(step_size).collect();
    let series = lines.iter().map(|(label, values)| {
        let at = |time: &u64| values.binary_search_by_key(time, |(start, _)| *start).ok();
        let value = |time: &u64| at(time).and_then(|place| values.get(place)).map(|(_, value)| *value);
        Series { label: label.clone(), values: times.iter().map(value).collect() }
    });
    Plot { series: series.collect(), times }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

    use super::*;

    fn samples(slices: &[(i64, i64)]) -> Vec<Sample> {
        slices.iter().map(|(second, count)| Sample { start: second * 1_000, count: *count }).collect()
    }

    #[test]
    fn a_slice_without_samples_is_a_gap_and_one_without_growth_is_zero() {
        let noted = samples(&[(0, 5), (300, 5), (900, 2)]);
        let writes = values(&noted, &samples(&[(0, 600), (900, 60)]), Measure::Count);
        let members = values(&noted, &samples(&[(0, 35), (300, 50), (900, 22)]), Measure::Level);
        assert_eq!(writes, [(0, 2.0), (300, 0.0), (900, 0.5)]);
        let plot = joined(vec![("writes".to_owned(), writes), ("members".to_owned(), members)], 300);
        assert_eq!(plot.times, [0, 300, 600, 900]);
        assert_eq!(plot.series[0].values, [Some(2.0), Some(0.0), None, Some(0.5)]);
        assert_eq!(plot.series[1].values, [Some(7.0), Some(10.0), None, Some(11.0)]);
    }

    #[test]
    fn nothing_noted_is_an_empty_plot() {
        assert_eq!(joined(vec![("a".to_owned(), Vec::new())], 60), Plot::default());
    }
}
