//! The options of a campaign, one at a time and all as CSV.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use leaderboard_client::{Name, OptionsPage, Request, VotingOption, option};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Body, Editing, Key, MemberOf, MemberParams, Nothing, Params, Viewing};
use crate::api::names::{Member, Meta, either};
use crate::api::numbers::whole;
use crate::api::paths::{AtKey, AtMember};
use crate::api::rankings::bounded;
use crate::app::App;
use crate::candidates_csv::{Change, Difference, Values, write};
use crate::options::{all, apply, compare, page as some};
use crate::problem::{Fault, Problem};

/// The largest file, in bytes. The limit for other bodies is smaller.
pub const LARGEST_FILE: usize = 8 << 20;
/// How many options a page has if no count is given.
const SOME: u64 = 10;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(declare)).routes(routes!(export, import))
}

/// Which page of the options.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// The position where the page starts: the `next` of the page before.
    #[serde(default, deserialize_with = "whole")]
    cursor: Option<u64>,
    /// The number of options, 1 to 1,000; 10 if absent.
    #[serde(default, deserialize_with = "whole")]
    #[param(example = 10, minimum = 1, maximum = 1_000)]
    count: Option<u64>,
}

impl Page {
    fn size(&self) -> Result<u64, Problem> {
        match self.count {
            Some(0) => Err(Problem::invalid("count: at least 1")),
            count => bounded("count", count.unwrap_or(SOME)),
        }
    }
}

/// Options in the order of their declaration.
#[derive(Debug, Serialize, ToSchema)]
pub struct Options {
    options: Vec<Entry>,
    /// The `cursor` of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

impl From<OptionsPage> for Options {
    fn from(page: OptionsPage) -> Self {
        let next = Some(page.cursor).filter(|cursor| *cursor > 0);
        let options = page.options.into_iter().map(Entry::from).collect();
        Self { options, next: next.map(|cursor| cursor.to_string()) }
    }
}

/// An option that can be voted for.
#[derive(Debug, Serialize, ToSchema)]
pub struct Entry {
    #[serde(flatten)]
    member: Member,
    /// How many shown votes one vote adds.
    #[schema(example = 1)]
    weight: u64,
    /// The shown votes that it started with.
    #[schema(example = 0)]
    initial: i64,
    #[serde(flatten)]
    meta: Meta,
    /// The real votes, as they were cast.
    #[schema(example = "12")]
    real: String,
    /// The votes as the public sees them.
    #[schema(example = "12")]
    shown: String,
    /// The number of different voters, approximately.
    #[schema(example = 7)]
    voters: u64,
}

impl From<VotingOption> for Entry {
    fn from(option: VotingOption) -> Self {
        Self {
            member: option.member.into(),
            weight: option.weight,
            initial: option.initial,
            meta: option.meta.into(),
            real: option.real.0,
            shown: option.shown.0,
            voters: option.voters,
        }
    }
}

/// The values of an option. An absent field keeps its present value.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({"meta": "Ember", "initial": 100, "weight": 2}))]
#[serde(deny_unknown_fields)]
pub struct Declare {
    /// How many shown votes one vote adds from now on.
    #[serde(default, deserialize_with = "whole")]
    #[schema(example = 2, minimum = 0, maximum = 1_000_000_000)]
    weight: Option<u64>,
    /// The shown votes that it starts with.
    #[serde(default, deserialize_with = "whole")]
    #[schema(example = 100, minimum = 0)]
    initial: Option<u64>,
    /// The text of the option. An empty text deletes the kept text.
    meta: Option<String>,
    /// The text `meta` in Base64.
    meta_b64: Option<String>,
}

impl Declare {
    fn request(&self, key: &str, member: &[u8]) -> Result<Request<()>, Problem> {
        let mut request = option(key, member);
        if let Some(weight) = self.weight {
            request = request.weight(weight);
        }
        if let Some(initial) = self.initial {
            request = request.initial(initial);
        }
        let meta = either("meta", self.meta.as_deref(), self.meta_b64.as_deref())?;
        Ok(if let Some(meta) = meta { request.meta(meta) } else { request })
    }
}

/// How a file is imported.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Import {
    /// Only report what would change.
    #[serde(default)]
    pub dry_run: bool,
}

/// What a file changes.
#[derive(Debug, Serialize, ToSchema)]
pub struct Imported {
    added: Vec<Added>,
    changed: Vec<Changed>,
    /// The number of options in the file that already have these values.
    unchanged: usize,
    /// Whether the changes were made; false for a dry run.
    applied: bool,
    /// Always empty: a file with errors gets a problem that lists them.
    errors: Vec<Fault>,
}

/// An option that is new.
#[derive(Debug, Serialize, ToSchema)]
pub struct Added {
    #[serde(flatten)]
    member: Member,
    #[serde(flatten)]
    to: Declared,
}

/// An option that changes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ChangedOption)]
pub struct Changed {
    #[serde(flatten)]
    member: Member,
    from: Declared,
    to: Declared,
}

/// What an option is declared with.
#[derive(Debug, Serialize, ToSchema)]
pub struct Declared {
    weight: u64,
    initial: u64,
    #[serde(flatten)]
    meta: Meta,
}

impl From<Values> for Declared {
    fn from(values: Values) -> Self {
        Self { weight: values.weight, initial: values.initial, meta: values.meta.into() }
    }
}

impl Imported {
    fn of(difference: Difference, applied: bool) -> Self {
        let added = |(member, to): (Name, Values)| Added { member: member.into(), to: to.into() };
        let changed = |Change { member, from, to }: Change| Changed {
            member: member.into(),
            from: from.into(),
            to: to.into(),
        };
        Self {
            added: difference.added.into_iter().map(added).collect(),
            changed: difference.changed.into_iter().map(changed).collect(),
            unchanged: difference.unchanged,
            applied,
            errors: Vec::new(),
        }
    }
}

/// The declared options, page by page. A page can have fewer options than requested although more pages follow.
#[utoipa::path(get, path = "/boards/{key}/options", operation_id = "options", tag = "votes",
    params(AtKey, Page),
    responses((status = 200, body = Options), (status = "default", body = Problem)))]
pub async fn list(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(page): Params<Page>,
) -> Result<Json<Options>, Problem> {
    let found = some(&app.link, &board.name, page.cursor.unwrap_or_default(), page.size()?).await?;
    Ok(Json(found.into()))
}

/// Declares an option that can be voted for, or changes one.
#[utoipa::path(put, path = "/boards/{key}/options/{member}", operation_id = "option", tag = "votes",
    params(AtMember), request_body = Declare,
    responses((status = 204), (status = "default", body = Problem)))]
pub async fn declare(
    State(app): State<App>,
    board: MemberOf<Editing>,
    _none: MemberParams<Nothing>,
    Body(declare): Body<Declare>,
) -> Result<StatusCode, Problem> {
    let request = declare.request(&board.key, &board.member)?;
    app.change(&board.caller, "option", Some(&board.member), &request).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// All options as CSV: `member,weight,initial,meta`. The columns `member_b64` and `meta_b64` follow if a name or a text
/// is not UTF-8. A text that a spreadsheet would read as a formula has an apostrophe in front.
#[utoipa::path(get, path = "/boards/{key}/options.csv", operation_id = "exportOptions", tag = "votes",
    params(AtKey),
    responses((status = 200, content_type = "text/csv", body = String), (status = "default", body = Problem)))]
pub async fn export(
    State(app): State<App>,
    board: Key<Viewing>,
    _none: Params<Nothing>,
) -> Result<impl IntoResponse, Problem> {
    let options = all(&app.link, &board.name).await?;
    let file = write(&options).map_err(|error| Problem::internal(error.to_string()))?;
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"options.csv\""),
    ];
    Ok((headers, file))
}

/// Declares all options of a CSV file, or no option if one line is wrong, and reports what changes. An absent column or
/// an empty number keeps the present value; an empty `meta` deletes the text. Options that are not in the file do not
/// change.
#[utoipa::path(put, path = "/boards/{key}/options.csv", operation_id = "importOptions", tag = "votes",
    params(AtKey, Import), request_body(content = String, content_type = "text/csv",
        example = json!("member,initial,weight,meta\nember,100,2,Ember\ntide,0,1,Tide\n")),
    responses((status = 200, body = Imported), (status = "default", body = Problem)))]
pub async fn import(
    State(app): State<App>,
    board: Key<Editing>,
    Params(import): Params<Import>,
    headers: HeaderMap,
    file: Result<Bytes, BytesRejection>,
) -> Result<Json<Imported>, Problem> {
    let difference = compare(&app.link, &board.name, &text(&headers, file)?).await?;
    if !import.dry_run {
        apply(&app, &board.caller, &board.name, &difference).await?;
    }
    Ok(Json(Imported::of(difference, !import.dry_run)))
}

/// The bytes of a CSV file that a request sends.
///
/// # Errors
/// 422 for another type, 413 for a file that is too large.
pub fn text(headers: &HeaderMap, file: Result<Bytes, BytesRejection>) -> Result<Bytes, Problem> {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !given.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/csv") {
        return Err(Problem::media_type("text/csv"));
    }
    file.map_err(|rejection| Problem::of_body(&rejection))
}
