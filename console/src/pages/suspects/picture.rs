//! The picture of the scores: bars of the bulk of the members. A few scores far away would leave two bars of it, so they are only
//! counted.

use leaderboard_client::{Bucket, Score, Stats, count_between, histogram, quantile};

use crate::app::App;
use crate::problem::Problem;

/// The number of bars.
const BARS: u64 = 40;
/// The share of members from which the width of the picture is taken, on each side. It leaves out at least two members, but never
/// more than a quarter.
const MOST: f64 = 0.99;
const LEAST: f64 = 0.75;
const LEFT_OUT: f64 = 2.0;

/// The picture.
pub struct Picture {
    pub bars: Vec<Bar>,
    /// The scores at both ends.
    pub from: String,
    pub to: String,
    /// How many members are outside, on each side.
    pub below: u64,
    pub above: u64,
}

/// A bar.
pub struct Bar {
    /// The place from the left, from 0.
    pub place: usize,
    /// The height, of 100.
    pub height: u64,
    /// What it stands for.
    pub text: String,
}

/// The picture of a board. `None` for a board without scores.
///
/// # Errors
/// As [`crate::link::Link::ask`].
pub async fn picture(
    app: &App,
    key: &str,
    stats: &Stats,
    decimals: usize,
) -> Result<Option<Picture>, Problem> {
    let (Some(min), Some(max)) = (&stats.min, &stats.max) else { return Ok(None) };
    let scores = app.link.ask(&quantile(key, shares(stats.members))).await?;
    let [low, high] = edges(&scores, decimals);
    // An edge beyond all scores cuts nothing off.
    let low = low.filter(|low| number(low) > number(min.as_str()));
    let high = high.filter(|high| number(high) < number(max.as_str()));
    let outside = async |edge: &Option<String>, is_below: bool| match edge {
        Some(edge) if is_below => app.link.ask(&count_between(key, "-inf", format!("({edge}"))).await,
        Some(edge) => app.link.ask(&count_between(key, format!("({edge}"), "+inf")).await,
        None => Ok(0),
    };
    let (below, above) = tokio::try_join!(outside(&low, true), outside(&high, false))?;
    let from = low.unwrap_or_else(|| min.as_str().to_owned());
    let to = high.unwrap_or_else(|| max.as_str().to_owned());
    let bars = bars(app.link.ask(&histogram(key, &from, &to, BARS)).await?);
    Ok(Some(Picture { bars, from, to, below, above }))
}

/// The shares of the members whose scores `edges` needs.
fn shares(members: u64) -> [String; 2] {
    let members = members.max(1) as f64;
    let high = (1.0 - LEFT_OUT / members).clamp(LEAST, MOST);
    // Half a member more: the server takes the first score with at least this share at or below it.
    [1.0 - high + 0.5 / members, high].map(|share| format!("{share:.9}"))
}

/// The ends of the picture: as far beyond the scores at these shares as they are apart. `None` where there is no such score.
fn edges(scores: &[Option<Score>], decimals: usize) -> [Option<String>; 2] {
    let [Some(low), Some(high)] = scores else { return [None, None] };
    if low == high {
        return [low, high].map(|score| Some(score.as_str().to_owned()));
    }
    let [low, high] = [low, high].map(|score| number(score.as_str()));
    let span = high - low;
    // Beyond the greatest score that a board can have, there is nobody.
    let greatest = i64::MAX as f64 / 10_f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
    [low - span, high + span].map(|edge| (edge.abs() < greatest).then(|| format!("{edge:.decimals$}")))
}

fn number(score: &str) -> f64 {
    score.parse().unwrap_or(f64::NAN)
}

/// The heights are logarithms, so that a few members can be seen beside a million.
fn bars(buckets: Vec<Bucket>) -> Vec<Bar> {
    let height = |members: u64| (members as f64).ln_1p();
    let most = buckets.iter().map(|bucket| height(bucket.members)).fold(1.0, f64::max);
    let bar = |(place, bucket): (usize, Bucket)| Bar {
        place,
        // From 0 to 100.
        height: (100.0 * height(bucket.members) / most).round() as u64,
        text: format!("{} – {}: {}", bucket.from.as_str(), bucket.to.as_str(), bucket.members),
    };
    buckets.into_iter().enumerate().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_ends_where_the_bulk_is_far() {
        let of = |low: &str, high: &str, decimals| {
            edges(&[low, high].map(|score| Some(Score(score.to_owned()))), decimals)
        };
        let text = |edge: &str| Some(edge.to_owned());
        assert_eq!(of("10", "30", 0), [text("-10"), text("50")]);
        assert_eq!(of("1.5", "2.5", 1), [text("0.5"), text("3.5")]);
        assert_eq!(of("9007199254740993", "9007199254740993", 0), [(); 2].map(|()| text("9007199254740993")));
        assert_eq!(of("-9000000000000000000", "9000000000000000000", 0), [None, None]);
        assert_eq!(edges(&[None, None], 0), [None, None]);
    }

    #[test]
    fn one_score_of_a_few_is_left_out_too() {
        let of = |members| shares(members).map(|share| share.parse::<f64>().unwrap());
        assert_eq!(of(20), [0.125, 0.9]);
        assert_eq!(of(100_000), [0.010_005, 0.99]);
    }
}
