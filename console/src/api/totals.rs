//! How many members, voters and periods a board has.

use axum::Json;
use axum::extract::State;
use leaderboard_client::{
    Period, Request, count as count_request, count_between, periods as periods_request,
    voters as voters_request,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Key, Params, Viewing};
use crate::api::names::either;
use crate::api::numbers::{digits, whole};
use crate::api::paths::AtKey;
use crate::api::reading::reading;
use crate::app::App;
use crate::problem::Problem;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(count)).routes(routes!(voters)).routes(routes!(periods))
}

reading! { numbers
    /// Which members are counted: all, or the members with a score in a range.
    Count {
        /// The smaller score: `5`, `(5` to exclude 5 itself, or `-inf`.
        #[serde(default, deserialize_with = "digits")]
        pub min: Option<String>,
        /// The greater score, in the same forms, or `+inf`.
        #[serde(default, deserialize_with = "digits")]
        pub max: Option<String>,
    }
}

impl Count {
    /// # Errors
    /// 422 if only one end of the range is given.
    pub fn request(&self, key: &str) -> Result<Request<u64>, Problem> {
        match (&self.min, &self.max) {
            (None, None) => Ok(self.put(count_request(key))),
            (Some(min), Some(max)) => {
                Ok(self.put(count_between(key, fixed("min", min)?, fixed("max", max)?)))
            }
            (Some(_), None) => Err(Problem::invalid("max: missing, min needs it")),
            (None, Some(_)) => Err(Problem::invalid("min: missing, max needs it")),
        }
    }
}

/// Checks that a text is a number. The command could read a word as one of its options.
///
/// # Errors
/// 422 if the text is a word.
pub fn fixed<'a>(field: &str, score: &'a str) -> Result<&'a str, Problem> {
    let is_word = score.starts_with(|c: char| c.is_ascii_alphabetic()) && !score.eq_ignore_ascii_case("inf");
    if is_word { Err(Problem::invalid(format!("{field}: '{score}' is no number"))) } else { Ok(score) }
}

/// How many members there are.
#[derive(Debug, Serialize, ToSchema)]
pub struct Members {
    #[schema(example = 12)]
    members: u64,
}

impl From<u64> for Members {
    fn from(members: u64) -> Self {
        Self { members }
    }
}

/// Which voters are counted: of which member, and of which period.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Voters {
    /// Count the voters of this member; if absent, the voters of the board.
    pub member: Option<String>,
    /// The member in Base64.
    pub member_b64: Option<String>,
    /// The view of the period. If view and period are absent, the voters of all time are counted.
    pub view: Option<String>,
    /// The period.
    #[serde(default, deserialize_with = "digits")]
    pub period: Option<String>,
    /// The period that holds this moment, in ms.
    #[serde(default, deserialize_with = "whole")]
    #[param(minimum = 0, maximum = 253_402_300_799_999_i64)]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    pub at: Option<i64>,
}

impl Voters {
    /// # Errors
    /// 422 for a member that is given twice.
    pub fn request(&self, key: &str) -> Result<Request<u64>, Problem> {
        let mut request = voters_request(key);
        if let Some(member) = either("member", self.member.as_deref(), self.member_b64.as_deref())? {
            request = request.member(member);
        }
        if let Some(view) = &self.view {
            request = request.view(view);
        }
        if let Some(period) = &self.period {
            request = request.period(period);
        }
        Ok(if let Some(at) = self.at { request.at(at) } else { request })
    }
}

/// The number of different voters, approximately.
#[derive(Debug, Serialize, ToSchema)]
pub struct VoterCount {
    #[schema(example = 3)]
    voters: u64,
}

impl From<u64> for VoterCount {
    fn from(voters: u64) -> Self {
        Self { voters }
    }
}

/// Which view.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Periods {
    /// The view; the default view of the board if absent.
    #[param(example = "day")]
    pub view: Option<String>,
}

impl Periods {
    /// # Errors
    /// 422 if no view is given: only [`Periods::complete`] finds the default view.
    pub fn request(&self, key: &str) -> Result<Request<Vec<Period>>, Problem> {
        let view = self.view.as_deref().ok_or_else(|| Problem::invalid("view: missing"))?;
        Ok(periods_request(key, view))
    }

    /// The arguments, with the default view of the board if no view is given; `None` for an absent board.
    ///
    /// # Errors
    /// As [`crate::link::Link::ask`].
    pub async fn complete(self, app: &App, key: &str) -> Result<Option<Self>, Problem> {
        if self.view.is_some() {
            return Ok(Some(self));
        }
        let info = app.link.ask(&leaderboard_client::info(key)).await?;
        let views = info.as_ref().and_then(|info| info.text("views"));
        Ok(views.and_then(|views| views.split(',').next()).map(|view| Self { view: Some(view.to_owned()) }))
    }
}

/// The periods that can be read, newest first.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct PeriodList {
    periods: Vec<OnePeriod>,
}

/// A period of a view.
#[derive(Debug, Serialize, ToSchema)]
pub struct OnePeriod {
    /// Its name.
    #[schema(example = "2026-03-21")]
    label: String,
    /// Its first moment, in ms; null for `all`.
    #[schema(example = 1_774_051_200_000_i64)]
    start: Option<i64>,
    /// The first moment after the period, in ms; null for `all`.
    end: Option<i64>,
    /// The number of members of the period.
    members: u64,
}

impl From<Vec<Period>> for PeriodList {
    fn from(periods: Vec<Period>) -> Self {
        let one = |period: Period| OnePeriod {
            label: period.label,
            start: period.start,
            end: period.end,
            members: period.members,
        };
        Self { periods: periods.into_iter().map(one).collect() }
    }
}

/// How many members there are.
#[utoipa::path(get, path = "/boards/{key}/count", operation_id = "count", tag = "statistics",
    params(AtKey, Count),
    responses((status = 200, body = Members), (status = "default", body = Problem)))]
pub async fn count(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(count): Params<Count>,
) -> Result<Json<Members>, Problem> {
    Ok(Json(app.link.ask(&count.request(&board.name)?).await?.into()))
}

/// The number of different voters. It is exact while it is small, and an estimate later.
#[utoipa::path(get, path = "/boards/{key}/voters", operation_id = "voters", tag = "votes",
    params(AtKey, Voters),
    responses((status = 200, body = VoterCount), (status = "default", body = Problem)))]
pub async fn voters(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(voters): Params<Voters>,
) -> Result<Json<VoterCount>, Problem> {
    Ok(Json(app.link.ask(&voters.request(&board.name)?).await?.into()))
}

/// The periods of a view that can be read, newest first.
#[utoipa::path(get, path = "/boards/{key}/periods", operation_id = "periods", tag = "boards",
    params(AtKey, Periods),
    responses((status = 200, body = PeriodList), (status = "default", body = Problem)))]
pub async fn periods(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(periods): Params<Periods>,
) -> Result<Json<PeriodList>, Problem> {
    match periods.complete(&app, &board.name).await? {
        Some(periods) => Ok(Json(app.link.ask(&periods.request(&board.name)?).await?.into())),
        None => Ok(Json(PeriodList::default())),
    }
}
