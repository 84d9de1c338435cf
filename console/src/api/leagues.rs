//! Leagues: making them, playing in them, and reading their groups.

use axum::Json;
use axum::extract::{FromRequestParts, RawPathParams, State};
use axum::http::header::LOCATION;
use axum::http::request::Parts;
use axum::http::{HeaderName, StatusCode};
use leaderboard_client::leagues::{
    add as add_request, group as group_request, info, join as join_request, standing, top,
};
use leaderboard_client::{Applied, Joined, Request, Row};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::encoding::segment;
use crate::api::extract::{
    Administering, Body, Editing, Key, MemberOf, MemberParams, Nothing, Params, RequestId, Viewing,
};
use crate::api::info::Described;
use crate::api::league_replies::{InLeague, JoinedLeague, MadeKey};
use crate::api::league_rules::CreateLeague;
use crate::api::names::{either, one};
use crate::api::numbers::{digits, score, whole};
use crate::api::paths::{AtKey, AtMember, WithId};
use crate::api::rankings::{LINES, Rows, bounded};
use crate::api::scores::Position;
use crate::app::App;
use crate::problem::Problem;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(describe, create))
        .routes(routes!(join))
        .routes(routes!(add))
        .routes(routes!(group))
        .routes(routes!(member))
}

/// A member that joins.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(as = JoinLeague, example = json!({"member": "ann", "meta": "Ann"}))]
#[serde(deny_unknown_fields)]
pub struct Join {
    #[schema(example = "ann")]
    member: Option<String>,
    /// The member in Base64.
    member_b64: Option<String>,
    /// A text to keep with the member, such as a name and a picture. An empty text deletes the kept text.
    meta: Option<String>,
    /// The text `meta` in Base64.
    meta_b64: Option<String>,
    /// The moment of the join, in ms; now if absent.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    at: Option<i64>,
}

impl Join {
    fn request(&self, key: &str) -> Result<Request<Joined>, Problem> {
        let mut request =
            join_request(key, one("member", self.member.as_deref(), self.member_b64.as_deref())?);
        if let Some(meta) = either("meta", self.meta.as_deref(), self.meta_b64.as_deref())? {
            request = request.meta(meta);
        }
        Ok(if let Some(at) = self.at { request.at(at) } else { request })
    }
}

/// Points for a member.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({"member": "ann", "points": 25}))]
#[serde(deny_unknown_fields)]
pub struct Play {
    #[schema(example = "ann")]
    member: Option<String>,
    /// The member in Base64.
    member_b64: Option<String>,
    /// The points.
    #[serde(deserialize_with = "score")]
    #[schema(schema_with = crate::api::words::digits)]
    points: String,
    /// The moment of the points, in ms; now if absent.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    at: Option<i64>,
}

impl Play {
    fn request(&self, key: &str, id: Option<&[u8]>) -> Result<Request<Applied>, Problem> {
        let member = one("member", self.member.as_deref(), self.member_b64.as_deref())?;
        let mut request = add_request(key, &self.points, member);
        if let Some(at) = self.at {
            request = request.at(at);
        }
        Ok(if let Some(id) = id { request.id(id) } else { request })
    }
}

/// The group in the path, `{tier}` and `{n}`.
pub struct AtGroup {
    tier: String,
    number: u64,
}

impl<S: Send + Sync> FromRequestParts<S> for AtGroup {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let names = RawPathParams::from_request_parts(parts, state).await;
        let names = names.map_err(|rejection| Problem::unreadable(rejection.body_text()))?;
        let named = |name| names.iter().find(|(given, _)| *given == name).map_or("", |(_, value)| value);
        let number =
            named("n").parse().map_err(|_| Problem::unreadable("n: not a whole number from 1 on"))?;
        Ok(Self { tier: named("tier").to_owned(), number })
    }
}

/// Which lines of a group.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Lines {
    /// The most lines, up to 1,000. If absent, the whole group, which must then have at most 1,000 members.
    #[serde(default, deserialize_with = "whole")]
    #[param(example = 30, minimum = 0, maximum = 1_000)]
    count: Option<u64>,
    /// The period, such as `-1`; the current period if absent.
    #[serde(default, deserialize_with = "digits")]
    period: Option<String>,
}

impl Lines {
    fn put(&self, request: Request<Vec<Row>>) -> Result<Request<Vec<Row>>, Problem> {
        let count = self.count.map_or(Ok(LINES.saturating_add(1)), |count| bounded("count", count))?;
        Ok(in_period(request.count(count), self.period.as_deref()))
    }
}

/// The period whose members and groups are counted.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OfPeriod {
    /// The period, such as `-1`; the current period if absent.
    #[serde(default, deserialize_with = "digits")]
    period: Option<String>,
}

/// What the answer about a member contains.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Told {
    /// The period, such as `-1`; the current period if absent.
    #[serde(default, deserialize_with = "digits")]
    period: Option<String>,
    /// Include the lines of the group of the member.
    #[serde(default)]
    group: bool,
    /// The most lines of the group, up to 1,000. If absent, the whole group, which must then have at most 1,000
    /// members.
    #[serde(default, deserialize_with = "whole")]
    #[param(example = 30, minimum = 0, maximum = 1_000)]
    count: Option<u64>,
}

impl Told {
    fn lines(&self) -> Result<Option<Lines>, Problem> {
        if self.count.is_some() && !self.group {
            return Err(Problem::invalid("count: needs group=true"));
        }
        Ok(self.group.then(|| Lines { count: self.count, period: self.period.clone() }))
    }
}

/// Puts the period into a request, if there is one.
pub fn in_period<R>(request: Request<R>, period: Option<&str>) -> Request<R> {
    if let Some(period) = period { request.period(period) } else { request }
}

/// A league's rules and size.
#[utoipa::path(get, path = "/leagues/{key}", operation_id = "league", tag = "leagues", params(AtKey, OfPeriod),
    responses((status = 200, body = Described), (status = "default", body = Problem)))]
pub async fn describe(
    State(app): State<App>,
    league: Key<Viewing>,
    Params(told): Params<OfPeriod>,
) -> Result<Json<Described>, Problem> {
    match app.link.ask(&in_period(info(&league.name), told.period.as_deref())).await? {
        Some(told) => Ok(Json(Described::new(&league.name, told))),
        None => Err(Problem::not_found("no such league")),
    }
}

/// Makes a league.
#[utoipa::path(post, path = "/leagues/{key}", operation_id = "createLeague", tag = "leagues", params(AtKey),
    request_body = CreateLeague,
    responses(
        (status = 201, body = MadeKey, headers(("Location" = String, description = "The path of the league"))),
        (status = "default", body = Problem)))]
pub async fn create(
    State(app): State<App>,
    league: Key<Administering>,
    _none: Params<Nothing>,
    Body(rules): Body<CreateLeague>,
) -> Result<(StatusCode, [(HeaderName, String); 1], Json<MadeKey>), Problem> {
    app.change(&league.caller, "create", None, &rules.request(&league.name)).await?;
    let place = format!("/api/v1/leagues/{}", segment(&league.name));
    Ok((StatusCode::CREATED, [(LOCATION, place)], Json(MadeKey { key: league.name })))
}

/// Lets a member join the current period. The answer contains the result of the last period of the member.
#[utoipa::path(post, path = "/leagues/{key}/join", operation_id = "joinLeague", tag = "leagues", params(AtKey),
    request_body = Join,
    responses((status = 200, body = JoinedLeague), (status = "default", body = Problem)))]
pub async fn join(
    State(app): State<App>,
    league: Key<Editing>,
    _none: Params<Nothing>,
    Body(join): Body<Join>,
) -> Result<Json<JoinedLeague>, Problem> {
    Ok(Json(app.link.ask(&join.request(&league.name)?).await?.into()))
}

/// Adds points to the score of a member. The rank in the answer is the rank in the group of the member.
#[utoipa::path(post, path = "/leagues/{key}/add", operation_id = "addInLeague", tag = "leagues",
    params(AtKey, WithId), request_body = Play,
    responses((status = 200, body = Position), (status = "default", body = Problem)))]
pub async fn add(
    State(app): State<App>,
    league: Key<Editing>,
    _none: Params<Nothing>,
    id: RequestId,
    Body(play): Body<Play>,
) -> Result<Json<Position>, Problem> {
    Ok(Json(app.link.ask(&play.request(&league.name, id.id())?).await?.into()))
}

/// The lines of a group, named by its tier and its number from 1; best first.
#[utoipa::path(get, path = "/leagues/{key}/groups/{tier}/{n}", operation_id = "group", tag = "leagues",
    params(AtKey, ("tier" = String, Path, example = "bronze"), ("n" = u64, Path, example = 1), Lines),
    responses((status = 200, body = Rows), (status = "default", body = Problem)))]
pub async fn group(
    State(app): State<App>,
    league: Key<Viewing>,
    place: AtGroup,
    Params(lines): Params<Lines>,
) -> Result<Json<Rows>, Problem> {
    let request = lines.put(group_request(&league.name, &place.tier, place.number))?;
    Ok(Json(app.link.ask(&request).await?.try_into()?))
}

/// The standing of a member, and what happens to it at the end of the period.
#[utoipa::path(get, path = "/leagues/{key}/members/{member}", operation_id = "leagueMember", tag = "leagues",
    params(AtMember, Told),
    responses((status = 200, body = InLeague), (status = "default", body = Problem)))]
pub async fn member(
    State(app): State<App>,
    league: MemberOf<Viewing>,
    MemberParams(told): MemberParams<Told>,
) -> Result<Json<InLeague>, Problem> {
    let lines = told.lines()?.map(|lines| lines.put(top(&league.key, &league.member))).transpose()?;
    let request = in_period(standing(&league.key, &league.member), told.period.as_deref());
    let Some(standing) = app.link.ask(&request).await? else {
        return Err(Problem::not_found("member: not in this league in this period"));
    };
    let rows = match &lines {
        Some(request) => Some(Rows::try_from(app.link.ask(request).await?)?),
        None => None,
    };
    Ok(Json(InLeague::of(league.member, standing, rows)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::parse::{body, query};

    fn said<R>(request: Result<Request<R>, Problem>) -> String {
        request.map_or_else(|problem| problem.detail().to_owned(), |request| format!("{request:?}"))
    }

    #[test]
    fn bodies_become_commands() {
        let join = |json: &str| said(body::<Join>(json.as_bytes()).and_then(|join| join.request("l")));
        assert_eq!(join(r#"{"member":"ann","meta":"A","at":"7"}"#), "LB.LEAGUE.JOIN l ann META A AT 7");
        assert!(join("{}").starts_with("member: "));
        let play =
            |json: &str, id| said(body::<Play>(json.as_bytes()).and_then(|play| play.request("l", id)));
        assert_eq!(play(r#"{"member":"ann","points":15}"#, None), "LB.LEAGUE.ADD l 15 ann");
        assert_eq!(
            play(r#"{"member_b64":"YQ==","points":"2","at":7}"#, Some(b"r")),
            "LB.LEAGUE.ADD l 2 a AT 7 ID r"
        );
        assert!(play(r#"{"member":"ann"}"#, None).contains("points"));
    }

    #[test]
    fn groups_have_a_bound() {
        let lines =
            |text: &str| said(query::<Lines>(text).and_then(|lines| lines.put(group_request("l", "t", 1))));
        assert_eq!(lines("count=5&period=-1"), "LB.LEAGUE.GROUP l t 1 COUNT 5 PERIOD -1");
        assert_eq!(lines(""), "LB.LEAGUE.GROUP l t 1 COUNT 1001", "one more shows that there are too many");
        assert!(lines("count=1001").starts_with("count: "));
        assert!(query::<Told>("count=5").unwrap().lines().unwrap_err().detail().starts_with("count: "));
    }
}
