//! Lines of rankings between two ranks or two scores.

use axum::Json;
use axum::extract::State;
use leaderboard_client::{Request, Row, range, range_by_score};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Key, Params, Viewing};
use crate::api::numbers::{digits, whole};
use crate::api::paths::AtKey;
use crate::api::rankings::{LINES, Rows, bounded};
use crate::api::reading::reading;
use crate::app::App;
use crate::link::{most_lines, width};
use crate::problem::Problem;

/// The route.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(lines_between))
}

reading! { lines
    /// The members between two ranks (`first`, `last`) or two scores (`min`, `max`).
    Range {
        /// The first rank. A negative rank counts from the end: -1 is the last place.
        #[serde(default, deserialize_with = "whole")]
        #[param(example = 1)]
        pub first: Option<i64>,
        /// The last rank, included.
        #[serde(default, deserialize_with = "whole")]
        #[param(example = 10)]
        pub last: Option<i64>,
        /// The smaller score: `5`, `(5` to exclude 5 itself, or `-inf`.
        #[serde(default, deserialize_with = "digits")]
        pub min: Option<String>,
        /// The greater score, in the same forms, or `+inf`.
        #[serde(default, deserialize_with = "digits")]
        pub max: Option<String>,
        /// The number of lines to skip. Only with `min` and `max`.
        #[serde(default, deserialize_with = "whole")]
        #[param(minimum = 0)]
        #[schema(minimum = 0)]
        pub offset: Option<u64>,
        /// The most lines. Only with `min` and `max`.
        #[serde(default, deserialize_with = "whole")]
        #[param(minimum = 0, maximum = 1_000)]
        #[schema(minimum = 0, maximum = 1_000)]
        pub count: Option<u64>,
    }
}

impl Range {
    /// # Errors
    /// 422 for arguments that exclude each other, and for too many lines. If the number of lines depends on the number
    /// of members, use [`Range::settled`], which first asks for the number of members.
    pub fn request(&self, key: &str) -> Result<Request<Vec<Row>>, Problem> {
        match (self.first, self.last, &self.min, &self.max) {
            (Some(first), Some(last), None, None) => self.by_rank(key, first, last),
            (None, None, Some(min), Some(max)) => self.by_score(key, min, max),
            (Some(_), None, None, None) => Err(Problem::invalid("last: missing, first needs it")),
            (None, Some(_), None, None) => Err(Problem::invalid("first: missing, last needs it")),
            (None, None, Some(_), None) => Err(Problem::invalid("max: missing, min needs it")),
            (None, None, None, Some(_)) => Err(Problem::invalid("min: missing, max needs it")),
            (None, None, None, None) => Err(Problem::invalid("first: give first and last, or min and max")),
            _ => Err(Problem::invalid("min: first and last, or min and max, not both")),
        }
    }

    fn by_rank(&self, key: &str, first: i64, last: i64) -> Result<Request<Vec<Row>>, Problem> {
        let field = [("offset", self.offset), ("count", self.count)].into_iter().find(|(_, n)| n.is_some());
        if let Some((field, _)) = field {
            return Err(Problem::invalid(format!("{field}: goes with min and max")));
        }
        bounded("last", most_lines(first, last).unwrap_or(0))?;
        Ok(self.put(range(key, first, last)))
    }

    fn by_score(&self, key: &str, min: &str, max: &str) -> Result<Request<Vec<Row>>, Problem> {
        let count = self.count.map_or(Ok(LINES.saturating_add(1)), |count| bounded("count", count))?;
        let request = range_by_score(key, min, max).count(count);
        let request = if let Some(offset) = self.offset { request.offset(offset) } else { request };
        Ok(self.put(request))
    }

    /// The request, with a check that it does not return too many lines. If the number of lines depends on the number
    /// of members, this function first asks for that number. The request then names the last rank as a fixed number, so
    /// that no more lines come than were checked.
    ///
    /// # Errors
    /// As [`Range::request`].
    pub async fn settled(mut self, app: &App, key: &str) -> Result<Request<Vec<Row>>, Problem> {
        let request = self.request(key)?;
        let (Some(first), Some(last)) = (self.first, self.last) else { return Ok(request) };
        if most_lines(first, last).is_some() {
            return Ok(request);
        }
        let members = app.link.ask(&self.common().put(leaderboard_client::count(key))).await?;
        let members = i64::try_from(members).unwrap_or(i64::MAX);
        let last = last.saturating_add(members).saturating_add(1);
        bounded("last", width(first, last))?;
        // Ranks begin with 1. The range from rank 2 to rank 1 has no lines.
        let (first, last) = if first <= last { (first, last) } else { (2, 1) };
        (self.first, self.last) = (Some(first), Some(last));
        self.request(key)
    }
}

/// The members between two ranks or two scores, best first.
#[utoipa::path(get, path = "/boards/{key}/range", operation_id = "range", tag = "rankings",
    params(AtKey, Range),
    responses((status = 200, body = Rows), (status = "default", body = Problem)))]
pub async fn lines_between(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(range): Params<Range>,
) -> Result<Json<Rows>, Problem> {
    let request = range.settled(&app, &board.name).await?;
    Ok(Json(app.link.ask(&request).await?.try_into()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words<R>(request: Result<Request<R>, Problem>) -> String {
        request.map_or_else(|problem| problem.detail().to_owned(), |request| format!("{request:?}"))
    }

    fn between(query: &str) -> String {
        words(crate::api::parse::query::<Range>(query).unwrap().request("b"))
    }

    #[test]
    fn ranges_go_by_rank_or_by_score() {
        assert_eq!(between("first=1&last=-1"), "LB.RANGE b 1 -1");
        assert_eq!(between("first=1&last=1000&rev=true"), "LB.RANGE b 1 1000 REV");
        assert_eq!(between("min=(5&max=%2Binf"), "LB.RANGEBYSCORE b (5 +inf COUNT 1001");
        assert_eq!(between("min=1&max=2&offset=3&count=4"), "LB.RANGEBYSCORE b 1 2 COUNT 4 OFFSET 3");
    }

    #[test]
    fn ranges_name_what_is_wrong() {
        for (query, field) in [
            ("", "first: "),
            ("first=1", "last: "),
            ("last=1", "first: "),
            ("min=1", "max: "),
            ("max=1", "min: "),
            ("first=1&last=2&min=3", "min: "),
            ("first=1&last=2&count=3", "count: "),
            ("first=1&last=1001", "last: at most 1000"),
            ("first=-2000&last=-1", "last: at most 1000"),
            ("min=1&max=2&count=1001", "count: at most 1000"),
        ] {
            let said = between(query);
            assert!(said.starts_with(field), "{query}: {said}");
        }
    }

    #[test]
    fn lines_between_ranks_are_counted() {
        assert_eq!(most_lines(1, 10), Some(10));
        assert_eq!(most_lines(10, 1), Some(0));
        assert_eq!(most_lines(-10, -1), Some(10));
        assert_eq!(most_lines(-10, 5), Some(5), "at most the first five and the last ten");
        assert_eq!(most_lines(3, -1), None);
        assert_eq!(most_lines(i64::MIN, i64::MAX), Some(i64::MAX.unsigned_abs()));
    }
}
