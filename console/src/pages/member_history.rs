//! The standings of a member in the periods of a view, as lines and as a table.

use leaderboard_client::{Period, RankScore, mscore};

use crate::app::App;
use crate::i18n::numbers::grouped;
use crate::pages::member::{Subject, ask_all};
use crate::pages::names::member_path;
use crate::pages::reading::{Reading, with_query};
use crate::pages::times::Zone;
use crate::problem::Problem;

/// The most periods that are shown.
const MOST: usize = 60;
/// The size of the drawing, in the units of the SVG.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 100.0;

/// The periods of a view, newest first.
pub struct History {
    pub past: Vec<Past>,
    /// The drawing of the scores.
    pub scores: Option<Line>,
    /// The drawing of the ranks, with the best rank at the top.
    pub ranks: Option<Line>,
}

/// The standing of the member in a period.
pub struct Past {
    pub label: String,
    pub path: String,
    pub began: String,
    pub members: u64,
    pub place: Option<RankScore>,
}

/// The drawing of a number in each period.
pub struct Line {
    /// The points of each line, in the form of SVG. There is a gap between two lines where the member was not ranked.
    pub pieces: Vec<String>,
    /// All points.
    pub points: Vec<Point>,
    /// The numbers at the bottom and at the top.
    pub bottom: String,
    pub top: String,
    pub first: String,
    pub last: String,
}

/// A point in the drawing.
#[derive(Clone)]
pub struct Point {
    pub x: String,
    pub y: String,
}

impl History {
    /// Asks for the latest periods. The view `all` has a single period that does not end, so it has no history.
    ///
    /// # Errors
    /// As [`crate::link::Link::ask`].
    pub async fn of(app: &App, subject: &Subject, periods: &[Period], zone: &Zone) -> Result<Self, Problem> {
        let with_start = |period: &&Period| period.start.is_some();
        let periods: Vec<&Period> = periods.iter().filter(with_start).take(MOST).collect();
        let reading = |period: &Period| Reading { period: period.label.clone(), ..subject.reading.clone() };
        let place = |period: &&Period| reading(period).put(mscore(&subject.key, [&subject.member.0]));
        let places = ask_all(app, &periods.iter().map(place).collect::<Vec<_>>()).await?;
        let path = member_path(&subject.key, &subject.member, "");
        let past = |(period, places): (&&Period, Vec<Option<RankScore>>)| Past {
            label: period.label.clone(),
            path: with_query(&path, &reading(period).query()),
            began: period.start.map(|start| zone.minute(start)).unwrap_or_default(),
            members: period.members,
            place: places.into_iter().next().flatten(),
        };
        let past: Vec<Past> = periods.iter().zip(places).map(past).collect();
        // Scores with levels are not single numbers.
        let score = |place: &RankScore| place.score.as_str().parse::<f64>().ok();
        let scores = line(numbers(&past, score), &past, |score| score);
        // The better rank is the smaller number, but it is drawn higher.
        let ranks = line(numbers(&past, |place| Some(-(place.rank as f64))), &past, |drawn| -drawn);
        Ok(Self { scores, ranks, past })
    }
}

/// A number of each period, oldest first.
fn numbers(past: &[Past], number: impl Fn(&RankScore) -> Option<f64>) -> Vec<Option<f64>> {
    past.iter().rev().map(|past| past.place.as_ref().and_then(&number)).collect()
}

/// The drawing of numbers; `meant` is what a drawn number means. `None` if there are fewer than two numbers to compare.
fn line(numbers: Vec<Option<f64>>, past: &[Past], meant: impl Fn(f64) -> f64) -> Option<Line> {
    let known = || numbers.iter().flatten().copied();
    if known().count() < 2 {
        return None;
    }
    let (least, most) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    let text = |drawn: f64| grouped(&meant(drawn).to_string());
    let points = points(&numbers, least, most);
    Some(Line {
        pieces: pieces(&points),
        points: points.into_iter().flatten().collect(),
        bottom: text(least),
        top: text(most),
        first: past.last()?.label.clone(),
        last: past.first()?.label.clone(),
    })
}

/// The points at which the scores are drawn, oldest first.
fn points(scores: &[Option<f64>], least: f64, most: f64) -> Vec<Option<Point>> {
    let steps = f64::from(u32::try_from(scores.len().saturating_sub(1)).unwrap_or(u32::MAX)).max(1.0);
    let span = if most > least { most - least } else { 1.0 };
    let point = |place: u32, score: f64| {
        let (x, y) = (f64::from(place) / steps * WIDTH, HEIGHT - (score - least) / span * HEIGHT);
        Point { x: format!("{x:.1}"), y: format!("{y:.1}") }
    };
    (0..).zip(scores).map(|(place, score)| score.map(|score| point(place, score))).collect()
}

/// The lines through points without a gap between them.
fn pieces(points: &[Option<Point>]) -> Vec<String> {
    let text = |point: &Point| format!("{},{}", point.x, point.y);
    let runs = points.split(Option::is_none).filter(|run| run.len() > 1);
    runs.map(|run| run.iter().flatten().map(text).collect::<Vec<_>>().join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_rank_is_at_the_top() {
        let past = |label: &str| Past {
            label: label.to_owned(),
            path: String::new(),
            began: String::new(),
            members: 0,
            place: None,
        };
        let drawn =
            line(vec![Some(-1_200.0), Some(-3.0)], &[past("new"), past("old")], |drawn| -drawn).unwrap();
        assert_eq!((drawn.top.as_str(), drawn.bottom.as_str()), ("3", "1,200"));
        assert_eq!(drawn.pieces, ["0.0,100.0 600.0,0.0"]);
        assert_eq!((drawn.first.as_str(), drawn.last.as_str()), ("old", "new"));
    }

    #[test]
    fn a_line_has_gaps_where_the_member_was_not_ranked() {
        let drawn = |scores: &[Option<f64>], least, most| pieces(&points(scores, least, most));
        let scores = [Some(0.0), Some(10.0), None, Some(5.0)];
        assert_eq!(drawn(&scores, 0.0, 10.0), ["0.0,100.0 200.0,0.0"], "the last is a point alone");
        assert_eq!(points(&scores, 0.0, 10.0).iter().flatten().count(), 3);
        assert_eq!(drawn(&[Some(7.0), Some(7.0)], 7.0, 7.0), ["0.0,100.0 600.0,100.0"]);
    }
}
