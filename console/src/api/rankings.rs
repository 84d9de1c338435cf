//! Lines of rankings: the best members, and the neighbours of a member.

use axum::Json;
use axum::extract::State;
use leaderboard_client::{Request, Row, around as around_request, beside, top as top_request};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Key, MemberOf, MemberParams, Params, Viewing};
use crate::api::names::{Member, Meta};
use crate::api::numbers::whole;
use crate::api::paths::{AtKey, AtMember};
use crate::api::reading::reading;
use crate::app::App;
use crate::problem::Problem;

/// The most lines of a request.
pub const LINES: u64 = 1_000;
/// The number of lines if no count is given.
const SOME: u64 = 10;
/// The number of lines on each side of a member if no count is given.
const BESIDE: u64 = 5;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(top)).routes(routes!(around))
}

/// Checks that a number of lines is at most [`LINES`].
///
/// # Errors
/// 422 if the number is larger.
pub fn bounded(field: &str, count: u64) -> Result<u64, Problem> {
    if count <= LINES {
        Ok(count)
    } else {
        Err(Problem::invalid(format!("{field}: at most {LINES} at once")))
    }
}

/// Lines of a ranking.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rows {
    pub rows: Vec<Line>,
}

/// A line of a ranking.
#[derive(Debug, Serialize, ToSchema)]
pub struct Line {
    #[schema(example = 1)]
    rank: u64,
    #[serde(flatten)]
    member: Member,
    #[schema(example = "500")]
    score: String,
    #[serde(flatten)]
    meta: Meta,
}

impl From<Row> for Line {
    fn from(row: Row) -> Self {
        Self { rank: row.rank, member: row.member.into(), score: row.score.0, meta: row.meta.into() }
    }
}

/// A request without a count asks for one line more than allowed. If this line comes, the request is refused.
impl TryFrom<Vec<Row>> for Rows {
    type Error = Problem;

    fn try_from(rows: Vec<Row>) -> Result<Self, Problem> {
        if u64::try_from(rows.len()).is_ok_and(|lines| lines > LINES) {
            let detail = format!("count: more than {LINES} lines would come, so ask for pages of them");
            return Err(Problem::invalid(detail));
        }
        Ok(Self { rows: rows.into_iter().map(Line::from).collect() })
    }
}

reading! { lines
    /// The best members.
    Top {
        /// The number of lines, 0 to 1,000; 10 if absent.
        #[serde(default, deserialize_with = "whole")]
        #[param(example = 10, minimum = 0, maximum = 1_000)]
        #[schema(minimum = 0, maximum = 1_000)]
        pub count: Option<u64>,
        /// The number of lines to skip.
        #[serde(default, deserialize_with = "whole")]
        pub offset: Option<u64>,
    }
}

impl Top {
    /// # Errors
    /// 422 for too many lines.
    pub fn request(&self, key: &str) -> Result<Request<Vec<Row>>, Problem> {
        let request = top_request(key, bounded("count", self.count.unwrap_or(SOME))?);
        let request = if let Some(offset) = self.offset { request.offset(offset) } else { request };
        Ok(self.put(request))
    }
}

reading! { lines
    /// A member with the members above and below it.
    Around {
        /// The number of lines on each side; 5 if `count`, `above` and `below` are absent.
        #[serde(default, deserialize_with = "whole")]
        #[param(example = 5, minimum = 0, maximum = 1_000)]
        #[schema(minimum = 0, maximum = 1_000)]
        pub count: Option<u64>,
        /// The number of lines above the member. Not with `count`.
        #[serde(default, deserialize_with = "whole")]
        #[param(minimum = 0, maximum = 1_000)]
        #[schema(minimum = 0, maximum = 1_000)]
        pub above: Option<u64>,
        /// The number of lines below the member. Not with `count`.
        #[serde(default, deserialize_with = "whole")]
        #[param(minimum = 0, maximum = 1_000)]
        #[schema(minimum = 0, maximum = 1_000)]
        pub below: Option<u64>,
        /// If one side has fewer lines than requested, the other side shows more.
        #[serde(default)]
        pub fill: bool,
        /// Only the members of the member's own segment in this dimension. Not with `in`.
        #[param(example = "country")]
        pub within: Option<String>,
    }
}

impl Around {
    /// # Errors
    /// 422 for too many lines.
    pub fn request(&self, key: &str, member: &[u8]) -> Result<Request<Vec<Row>>, Problem> {
        let request = if self.above.is_none() && self.below.is_none() {
            let count = self.count.unwrap_or(BESIDE);
            bounded("count", count.saturating_mul(2).saturating_add(1))?;
            around_request(key, member, count)
        } else {
            self.sides(key, member)?
        };
        let request = if let Some(within) = &self.within { request.within(within) } else { request };
        Ok(self.put(if self.fill { request.fill() } else { request }))
    }

    fn sides(&self, key: &str, member: &[u8]) -> Result<Request<Vec<Row>>, Problem> {
        if self.count.is_some() {
            return Err(Problem::invalid("count: count, or above and below, not both"));
        }
        let (above, below) = (self.above.unwrap_or(0), self.below.unwrap_or(0));
        let greater = if above > below { "above" } else { "below" };
        bounded(greater, above.saturating_add(below).saturating_add(1))?;
        Ok(beside(key, member).above(above).below(below))
    }
}

/// The best members.
#[utoipa::path(get, path = "/boards/{key}/top", operation_id = "top", tag = "rankings",
    params(AtKey, Top),
    responses((status = 200, body = Rows), (status = "default", body = Problem)))]
pub async fn top(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(top): Params<Top>,
) -> Result<Json<Rows>, Problem> {
    let rows = app.link.ask(&top.request(&board.name)?).await?;
    Ok(Json(rows.try_into()?))
}

/// A member with the members above and below it. An unknown member has no lines.
#[utoipa::path(get, path = "/boards/{key}/around/{member}", operation_id = "around", tag = "rankings",
    params(AtMember, Around),
    responses((status = 200, body = Rows), (status = "default", body = Problem)))]
pub async fn around(
    State(app): State<App>,
    board: MemberOf<Viewing>,
    MemberParams(around): MemberParams<Around>,
) -> Result<Json<Rows>, Problem> {
    let rows = app.link.ask(&around.request(&board.key, &board.member)?).await?;
    Ok(Json(rows.try_into()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words<R>(request: Result<Request<R>, Problem>) -> String {
        request.map_or_else(|problem| problem.detail().to_owned(), |request| format!("{request:?}"))
    }

    #[test]
    fn neighbours_are_at_most_a_thousand_lines() {
        let around =
            |query: &str| words(crate::api::parse::query::<Around>(query).unwrap().request("b", b"m"));
        assert_eq!(around(""), "LB.AROUND b m 5");
        assert_eq!(around("count=499&fill=true&meta=true"), "LB.AROUND b m 499 FILL WITHMETA");
        assert_eq!(around("above=0&below=999"), "LB.AROUND b m ABOVE 0 BELOW 999");
        assert!(around("count=500").starts_with("count: "));
        assert!(around("above=999&below=1").starts_with("above: "));
        assert!(around("above=1&count=1").starts_with("count: "));
    }
}
