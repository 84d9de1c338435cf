//! Members by parts of their names, and where a member stood in the last periods.

use axum::Json;
use axum::extract::State;
use leaderboard_client::{
    FoundMember, PastStanding, find as find_request, history as history_request, mgetmeta,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Key, MemberOf, MemberParams, Params, Viewing};
use crate::api::names::{Member, Meta};
use crate::api::numbers::whole;
use crate::api::paths::{AtKey, AtMember};
use crate::api::rankings::bounded;
use crate::app::App;
use crate::problem::Problem;

/// How many members the server looks at in one step.
const STEP: u64 = 1_000;
/// The most steps of a page: about 100,000 members.
const STEPS: usize = 100;
/// How many texts are read at once.
const TEXTS: usize = 100;
/// The number of members of a page, and of periods, if no count is given.
const SOME: u64 = 10;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(find)).routes(routes!(history))
}

/// Which members are looked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Sought {
    /// A pattern of names: `*` is any text, `?` one byte, `[a-z]` one byte of a class, and `\` comes before a byte that stands
    /// for itself.
    #[param(example = "em*")]
    name: String,
    /// The position where the page starts: the `next` of the page before.
    cursor: Option<String>,
    /// The most members of the page, 1 to 1,000; 10 if absent.
    #[serde(default, deserialize_with = "whole")]
    #[param(example = 10, minimum = 1, maximum = 1_000)]
    count: Option<u64>,
    /// Show the texts of the members.
    #[serde(default)]
    meta: bool,
}

/// A page of members.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundMembers {
    /// The members, in no particular order. A page before the last one can have fewer than `count` members, or none.
    members: Vec<FoundRow>,
    /// The `cursor` of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A member that was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundRow {
    #[serde(flatten)]
    member: Member,
    /// The rank in the default view; absent if the member is not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 2)]
    rank: Option<u64>,
    /// The score in the default view; absent if the member is not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "480")]
    score: Option<String>,
    #[serde(flatten)]
    meta: Meta,
}

impl From<FoundMember> for FoundRow {
    fn from(found: FoundMember) -> Self {
        Self {
            member: found.member.into(),
            rank: found.rank,
            score: found.score.map(|score| score.0),
            meta: found.meta.into(),
        }
    }
}

/// Looks for members whose names match a pattern, at most `most`. Returns them with the cursor of the next page; 0 after the last page.
///
/// # Errors
/// If the server does not answer; 400 for a cursor or a pattern that is not valid.
pub async fn search(
    app: &App,
    key: &str,
    pattern: &str,
    (mut cursor, most): (u64, usize),
    with_meta: bool,
) -> Result<(u64, Vec<FoundMember>), Problem> {
    let (mut members, mut step) = (Vec::new(), STEP);
    for _ in 0..STEPS {
        let page = app.link.ask(&find_request(key, cursor, pattern).count(step)).await?;
        if step > 1 && members.len().saturating_add(page.members.len()) > most {
            // A cursor is between two steps. So a step with too many members is taken again as smaller ones.
            step = step.div_euclid(2);
            continue;
        }
        members.extend(page.members);
        cursor = page.cursor;
        if cursor == 0 || members.len() >= most {
            break;
        }
    }
    if with_meta {
        find_texts(app, key, &mut members).await?;
    }
    Ok((cursor, members))
}

/// Reads the texts of members, some after the others, because texts are long.
async fn find_texts(app: &App, key: &str, members: &mut [FoundMember]) -> Result<(), Problem> {
    for members in members.chunks_mut(TEXTS) {
        let names: Vec<&[u8]> = members.iter().map(|member| member.member.as_bytes()).collect();
        let texts = app.link.ask(&mgetmeta(key, &names)).await?;
        members.iter_mut().zip(texts).for_each(|(member, text)| member.meta = text);
    }
    Ok(())
}

/// Members whose names match a pattern, page by page. A request looks at up to 100,000 members.
#[utoipa::path(get, path = "/boards/{key}/members", operation_id = "findMembers", tag = "members",
    params(AtKey, Sought),
    responses((status = 200, body = FoundMembers), (status = "default", body = Problem)))]
pub async fn find(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(sought): Params<Sought>,
) -> Result<Json<FoundMembers>, Problem> {
    let bad = || Problem::invalid("cursor: not one that a list gave");
    let cursor = sought.cursor.as_deref().map_or(Ok(0), |cursor| cursor.parse().map_err(|_| bad()))?;
    let most = match sought.count {
        Some(0) => return Err(Problem::invalid("count: at least 1")),
        count => usize::try_from(bounded("count", count.unwrap_or(SOME))?).unwrap_or(usize::MAX),
    };
    let (next, members) = search(&app, &board.name, &sought.name, (cursor, most), sought.meta).await?;
    let next = Some(next).filter(|next| *next > 0).map(|next| next.to_string());
    Ok(Json(FoundMembers { members: members.into_iter().map(FoundRow::from).collect(), next }))
}

/// Which periods are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Listed {
    /// The view; the default view of the board if absent.
    #[param(example = "week")]
    view: Option<String>,
    /// The number of periods, 1 to 1,000; 10 if absent.
    #[serde(default, deserialize_with = "whole")]
    #[param(example = 10, minimum = 1, maximum = 1_000)]
    count: Option<u64>,
    /// Ranks in the member's own segment in this dimension.
    #[param(example = "country")]
    within: Option<String>,
}

/// Where a member stood in the last periods.
#[derive(Debug, Serialize, ToSchema)]
pub struct History {
    /// The periods that can be read, the running one first.
    periods: Vec<PastRow>,
}

/// Where a member stood in a period.
#[derive(Debug, Serialize, ToSchema)]
pub struct PastRow {
    #[schema(example = "2026-W12")]
    label: String,
    /// The first moment of the period, in ms; absent for `all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<i64>,
    /// The rank; absent if the member was not in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 2)]
    rank: Option<u64>,
    /// The score; absent if the member was not in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "480")]
    score: Option<String>,
    /// The number of members of the period.
    members: u64,
}

impl From<PastStanding> for PastRow {
    fn from(past: PastStanding) -> Self {
        let PastStanding { label, start, rank, score, members } = past;
        Self { label, start, rank, score: score.map(|score| score.0), members }
    }
}

/// Where a member stood in the last periods of a view, in one request, for example for a profile page.
#[utoipa::path(get, path = "/boards/{key}/members/{member}/history", operation_id = "history", tag = "members",
    params(AtMember, Listed),
    responses((status = 200, body = History), (status = "default", body = Problem)))]
pub async fn history(
    State(app): State<App>,
    board: MemberOf<Viewing>,
    MemberParams(listed): MemberParams<Listed>,
) -> Result<Json<History>, Problem> {
    let count = match listed.count {
        Some(0) => return Err(Problem::invalid("count: at least 1")),
        count => bounded("count", count.unwrap_or(SOME))?,
    };
    let request = history_request(&board.key, &board.member).count(count);
    let request = if let Some(view) = &listed.view { request.view(view) } else { request };
    let request = if let Some(within) = &listed.within { request.within(within) } else { request };
    let periods = app.link.ask(&request).await?;
    Ok(Json(History { periods: periods.into_iter().map(PastRow::from).collect() }))
}
