//! Reads plots from the counters.

use futures_util::future::join_all;
use leaderboard_client::{Sample, counters, info};

use super::reading::held_back_by;
use super::{Kept, SAMPLES, Subject};
use crate::history::line::Measure;
use crate::history::{BoardFigure, Plot, Range, Series, ServerFigure, rounded};
use crate::link::Link;
use crate::problem::Problem;

/// The seconds between two samples.
const MINUTE: f64 = 60.0;

/// The lines of a plot that are about the same board or server: their labels, and the names of their counters.
struct Wanted<'a> {
    of: Subject<'a>,
    lines: Vec<(String, String)>,
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
        let lines = match figure {
            BoardFigure::HeldBack => {
                let told = link.ask(&info(key)).await?;
                let rules = told.iter().flat_map(|told| told.held_back()).filter(|(_, count)| *count > 0);
                rules.map(|(rule, _)| (rule.clone(), held_back_by(&rule))).collect()
            }
            _ => vec![(key.to_owned(), figure.name().to_owned())],
        };
        self.plot(link, vec![Wanted { of, lines }], figure.measure(), (range, after)).await
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
        });
        self.plot(link, wanted.collect(), figure.measure(), (range, after)).await
    }

    /// How many votes of a board counted on each day in UTC, oldest first; empty if nothing is kept.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn votes_by_day(&self, link: &Link, key: &str) -> Result<Vec<Sample>, Problem> {
        self.by_day(link, key, BoardFigure::Votes.name()).await
    }

    /// As [`Kept::votes_by_day`], of requests that a rule held back.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn held_back_by_day(&self, link: &Link, key: &str, rule: &str) -> Result<Vec<Sample>, Problem> {
        self.by_day(link, key, &held_back_by(rule)).await
    }

    async fn by_day(&self, link: &Link, key: &str, figure: &str) -> Result<Vec<Sample>, Problem> {
        match self.key(Subject::Board(key), figure) {
            Some(key) => link.ask(&counters::get(&key, Range::Year.slice())).await,
            None => Ok(Vec::new()),
        }
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
        let first = after.max(crate::history::seconds().saturating_sub(range.span()));
        let slices = async |of, figure: &str| {
            let Some(key) = self.key(of, figure) else { return Ok(Vec::new()) };
            let from = i64::try_from(first.saturating_mul(1_000)).unwrap_or(i64::MAX);
            link.ask(&counters::get(&key, range.slice()).from(from)).await
        };
        let lines = join_all(wanted.into_iter().map(async |Wanted { of, lines }| {
            let samples = slices(of, SAMPLES).await?;
            let mut read = Vec::new();
            for (label, figure) in lines {
                let sums = slices(of, &figure).await?;
                read.push((label, values(&samples, &sums, measure)));
            }
            Ok::<_, Problem>(read)
        }));
        let lines = lines.await.into_iter().collect::<Result<Vec<_>, _>>()?;
        let plot = joined(lines.into_iter().flatten().collect(), range.slice());
        Ok(Some(plot).filter(|plot| !plot.times.is_empty() || range.is_only_kept()))
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
