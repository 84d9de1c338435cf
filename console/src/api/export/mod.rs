//! A whole ended period as a file, for bookkeeping: all ranked members, and all winners of prizes.
//!
//! The file is read page by page while it is sent. Each page begins behind the last member of the page before, so that no
//! member is missing or comes twice while others are hidden or removed.

mod form;
mod lines;
mod merge;

use axum::extract::{Path, State};
use axum::response::Response;
use leaderboard_client::{Info, Period, info, periods};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::form::Form;
use self::lines::PeriodLines;
use crate::api::extract::{Key, Params, Viewing};
use crate::app::App;
use crate::download::{file, file_name};
use crate::problem::Problem;
use crate::share::Visit;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(export))
}

/// The view whose period is exported.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Exported {
    /// The view; if absent, the first view of the board that has periods.
    #[param(example = "week")]
    view: Option<String>,
}

/// A whole ended period as a file: rank, member, meta, score, prize, claimed (ms) and segments of every member, by rank.
///
/// A member that was hidden or removed is not in the file, unless it has claimed a prize. Segments are those in which members
/// ended the period. Prizes are those of the table of the view, not of tables for each segment. Winners have the ranks that
/// their prizes are for; others have those of today, without hidden and removed members.
#[utoipa::path(get, path = "/boards/{key}/periods/{file}", operation_id = "exportPeriod", tag = "prizes",
    params(
        ("key" = String, Path, description = "The key.", example = "songs"),
        ("file" = String, Path, description = "The label of the period, or -1 for the last one that ended, and `.csv` or `.jsonl`.",
            example = "2026-W12.csv"),
        Exported),
    responses(
        (status = 200, content((String = "text/csv"), (String = "application/jsonl"))),
        (status = "default", body = Problem)))]
pub async fn export(
    State(app): State<App>,
    key: Key<Viewing>,
    path: Path<(String, String)>,
    Params(exported): Params<Exported>,
) -> Result<Response, Problem> {
    Visit::allow_a_file();
    let (label, form) = Form::of_file(&path.1)?;
    let told = app.link.ask(&info(&key.name)).await?;
    let told = told.ok_or_else(|| Problem::no_board("the board does not exist".to_owned()))?;
    let view = exported.view.map_or_else(|| first_view(&told), Ok)?;
    let kept = app.link.ask(&periods(&key.name, &view)).await?;
    let period = ended(kept, label)?;
    let name = file_name(&[&key.name, &view, &period.label], form.ending());
    let mut lines = PeriodLines::new(app, (key.name, view, period.label), &told, form);
    // The first lines are read before the download begins, because an error can still be answered now.
    lines.read_ahead().await?;
    Ok(file(form.content_type(), &name, lines))
}

fn first_view(told: &Info) -> Result<String, Problem> {
    let views = told.text("views").unwrap_or_default();
    let first = views.split(',').find(|view| *view != "all");
    first.map(str::to_owned).ok_or_else(|| Problem::invalid("view: the board has no view with periods"))
}

/// Finds an ended period by its label, or by its distance from the current period: -1 is the last one that ended.
fn ended(kept: Vec<Period>, label: &str) -> Result<Period, Problem> {
    if kept.iter().any(|period| period.end.is_none()) {
        return Err(Problem::invalid("view: its period never ends"));
    }
    let back = label.strip_prefix('-').and_then(|back| back.parse::<usize>().ok());
    let is_named = |(number, period): &(usize, Period)| match back {
        Some(back) => *number == back,
        None => period.label == label,
    };
    match kept.into_iter().enumerate().find(is_named) {
        Some((0, _)) => Err(Problem::invalid("file: the period has not ended")),
        Some((_, period)) => Ok(period),
        None => Err(Problem::not_found("file: no such period is kept")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept() -> Vec<Period> {
        let period = |day: i64| Period {
            label: format!("1970-01-0{day}"),
            start: Some(day),
            end: Some(day.saturating_add(1)),
            members: 1,
        };
        vec![period(3), period(2), period(1)]
    }

    #[test]
    fn a_period_has_a_label_and_a_distance() {
        let label = |name| {
            ended(kept(), name).map(|period| period.label).map_err(|problem| problem.detail().to_owned())
        };
        assert_eq!(label("1970-01-01").unwrap(), "1970-01-01");
        assert_eq!(label("-1").unwrap(), "1970-01-02");
        assert_eq!(label("-0").unwrap_err(), "file: the period has not ended");
        assert_eq!(label("1970-01-03").unwrap_err(), "file: the period has not ended");
        for unknown in ["-3", "1970-01-04", "", "-", "--1"] {
            assert_eq!(label(unknown).unwrap_err(), "file: no such period is kept", "{unknown}");
        }
        let endless = vec![Period { label: "all".into(), start: None, end: None, members: 0 }];
        assert_eq!(ended(endless, "all").unwrap_err().detail(), "view: its period never ends");
    }
}
