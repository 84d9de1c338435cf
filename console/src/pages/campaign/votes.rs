//! The votes of the first options, real and shown, with the lengths of their bars.

use leaderboard_client::{Row, mscore, top};

use crate::app::App;
use crate::pages::names::{Member, shown};
use crate::problem::Problem;

/// The votes of an option.
pub struct OptionVotes {
    pub member: Member,
    pub meta: Option<String>,
    pub shown: String,
    pub real: String,
    /// The lengths of the bars in percent, with one digit behind the decimal point.
    pub shown_bar: String,
    pub real_bar: String,
}

/// Reads the votes of all time of the first `most` options, the best first. If the board has no view `all`, reads the votes of the
/// current period of the default view.
///
/// # Errors
/// The reason why the server did not answer.
pub async fn read(
    app: &App,
    key: &str,
    views: &[String],
    has_shown: bool,
    most: u64,
) -> Result<Vec<OptionVotes>, Problem> {
    let view = views.iter().find(|view| *view == "all").or(views.first());
    let mut first = top(key, most).with_meta();
    if let Some(view) = view {
        first = first.view(view);
    }
    let rows = app.link.ask(&first).await?;
    let real = if has_shown { real_votes(app, key, view, &rows).await? } else { shown_votes(&rows) };
    let greatest = rows.iter().map(|row| row.score.as_str()).chain(real.iter().map(String::as_str));
    let greatest = greatest.map(amount).fold(1.0, f64::max);
    Ok(rows.into_iter().zip(real).map(|(row, real)| OptionVotes::new(row, real, greatest)).collect())
}

fn shown_votes(rows: &[Row]) -> Vec<String> {
    rows.iter().map(|row| row.score.to_string()).collect()
}

async fn real_votes(
    app: &App,
    key: &str,
    view: Option<&String>,
    rows: &[Row],
) -> Result<Vec<String>, Problem> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut request = mscore(key, rows.iter().map(|row| &row.member)).real();
    if let Some(view) = view {
        request = request.view(view);
    }
    let scores = app.link.ask(&request).await?;
    let text = |score: Option<leaderboard_client::RankScore>| score.map(|score| score.score.to_string());
    Ok(scores.into_iter().map(|score| text(score).unwrap_or_else(|| "0".to_owned())).collect())
}

impl OptionVotes {
    fn new(row: Row, real: String, greatest: f64) -> Self {
        Self {
            shown_bar: length(row.score.as_str(), greatest),
            real_bar: length(&real, greatest),
            member: row.member.into(),
            meta: row.meta.map(|meta| shown(&meta)),
            shown: row.score.0,
            real,
        }
    }
}

fn length(votes: &str, greatest: f64) -> String {
    format!("{:.1}", (amount(votes) / greatest * 100.0).clamp(0.0, 100.0))
}

/// The number of votes that a bar shows. Corrections can make votes negative: the bar then shows 0. For a score with
/// levels, the bar shows the first level.
fn amount(votes: &str) -> f64 {
    votes.split('/').next().and_then(|votes| votes.parse::<f64>().ok()).unwrap_or(0.0).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn bars_are_shares_of_the_greatest() {
        for (votes, percent) in
            [("50", "25.0"), ("200", "100.0"), ("-7", "0.0"), ("0", "0.0"), ("33.3", "16.6")]
        {
            assert_eq!(length(votes, 200.0), percent, "{votes}");
        }
    }
}
