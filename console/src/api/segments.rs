//! Segments: those of a member, the ranking of the segments of a dimension, and the arguments that name a segment.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use leaderboard_client::{
    Name, Request, SegmentRank, SegmentRow, getsegment, segment as segment_request,
    segmentrank as rank_request, segments as segments_request,
};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Body, DimensionOf, Editing, MemberOf, MemberParams, Nothing, Params, Viewing};
use crate::api::names::{one, text_or_base64};
use crate::api::numbers::whole;
use crate::api::paths::{AtDimension, AtMember};
use crate::api::rankings::bounded;
use crate::api::reading::{Common, reading};
use crate::app::App;
use crate::problem::Problem;

/// The number of segments if no count is given.
const SOME: u64 = 10;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(ranking)).routes(routes!(rank)).routes(routes!(of_member, put))
}

/// A segment as an argument of a read: `dimension:value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InSegment {
    pub dimension: String,
    pub value: Vec<u8>,
}

impl InSegment {
    fn split(text: &str) -> Option<(String, &str)> {
        let (dimension, value) = text.split_once(':')?;
        (!dimension.is_empty()).then(|| (dimension.to_owned(), value))
    }
}

const FORM: &str = "a dimension and a segment, such as country:SE";

/// Reads `dimension:value`.
pub fn in_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<InSegment>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let (dimension, value) = InSegment::split(&text).ok_or_else(|| D::Error::custom(FORM))?;
    Ok(Some(InSegment { dimension, value: value.as_bytes().to_vec() }))
}

/// Reads `dimension:value` whose value is in Base64.
pub fn in_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<InSegment>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let (dimension, value) = InSegment::split(&text).ok_or_else(|| D::Error::custom(FORM))?;
    let value = STANDARD.decode(value).map_err(|error| D::Error::custom(format!("no Base64: {error}")))?;
    Ok(Some(InSegment { dimension, value }))
}

/// Puts the segments that a body names into a request: texts, and values in Base64.
///
/// # Errors
/// 422 for a value that is not Base64.
pub fn placed(
    texts: &BTreeMap<String, String>,
    base64: &BTreeMap<String, String>,
) -> Result<Vec<(String, Vec<u8>)>, Problem> {
    let texts = texts.iter().map(|(name, value)| Ok((name.clone(), value.clone().into_bytes())));
    let decoded = base64.iter().map(|(name, value)| {
        let wrong = |error| Problem::invalid(format!("segments_b64: {name}: no Base64: {error}"));
        Ok((name.clone(), STANDARD.decode(value).map_err(wrong)?))
    });
    texts.chain(decoded).collect()
}

/// The segments of a member that change.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({"segments": {"country": "SE"}}))]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The segment in each dimension. An empty one takes the member out of its segment.
    #[serde(default)]
    #[schema(example = json!({"country": "SE"}))]
    pub segments: BTreeMap<String, String>,
    /// Segments in Base64.
    #[serde(default)]
    pub segments_b64: BTreeMap<String, String>,
}

/// How many segments have changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Placed {
    changed: u64,
}

/// The segments of a member.
#[derive(Debug, Serialize, ToSchema)]
pub struct Places {
    segments: Vec<InDimension>,
}

/// A segment of a member.
#[derive(Debug, Serialize, ToSchema)]
pub struct InDimension {
    #[schema(example = "country")]
    dimension: String,
    #[serde(flatten)]
    segment: Segment,
}

impl From<(String, Name)> for InDimension {
    fn from((dimension, segment): (String, Name)) -> Self {
        Self { dimension, segment: segment.into() }
    }
}

/// The name of a segment.
#[derive(Debug, Serialize, ToSchema)]
pub struct Segment {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "SE")]
    segment: Option<String>,
    /// Its name in Base64, if the name is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    segment_b64: Option<String>,
}

impl From<Name> for Segment {
    fn from(name: Name) -> Self {
        let (segment, segment_b64) = text_or_base64(name.0);
        Self { segment, segment_b64 }
    }
}

/// The ranking of the segments of a dimension.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ranking {
    rows: Vec<Row>,
}

/// A line of the ranking of segments.
#[derive(Debug, Serialize, ToSchema)]
pub struct Row {
    #[schema(example = 1)]
    rank: u64,
    #[serde(flatten)]
    segment: Segment,
    /// The sum of its members' scores, their number, or their best score, as the dimension says.
    #[schema(example = "1200")]
    score: String,
    /// The number of its members in the period.
    members: u64,
}

impl From<SegmentRow> for Row {
    fn from(row: SegmentRow) -> Self {
        Self { rank: row.rank, segment: row.value.into(), score: row.score.0, members: row.members }
    }
}

/// The rank of a segment.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rank {
    #[schema(example = 1)]
    rank: u64,
    #[schema(example = "1200")]
    score: String,
    /// The number of its members in the period.
    members: u64,
}

impl From<SegmentRank> for Rank {
    fn from(rank: SegmentRank) -> Self {
        Self { rank: rank.rank, score: rank.score.0, members: rank.members }
    }
}

reading! { period
/// Which segments are listed, of which period.
Listed {
    /// The number of segments, 0 to 1,000; 10 if absent.
    #[serde(default, deserialize_with = "whole")]
    #[param(example = 10, minimum = 0, maximum = 1_000)]
    #[schema(minimum = 0, maximum = 1_000)]
    pub count: Option<u64>,
    /// The number of segments to skip.
    #[serde(default, deserialize_with = "whole")]
    pub offset: Option<u64>,
    /// Count the ranks from the last place.
    #[serde(default)]
    pub rev: bool,
} }

impl Listed {
    /// # Errors
    /// 422 for too many segments.
    pub fn request(&self, key: &str, dimension: &str) -> Result<Request<Vec<SegmentRow>>, Problem> {
        let request = segments_request(key, dimension).count(bounded("count", self.count.unwrap_or(SOME))?);
        let request = if let Some(offset) = self.offset { request.offset(offset) } else { request };
        Ok(Common { rev: self.rev, ..self.period() }.put(request))
    }
}

reading! { period
/// Which segment, in which period.
Ranked {
    /// The segment.
    #[param(example = "SE")]
    pub segment: Option<String>,
    /// The segment in Base64.
    pub segment_b64: Option<String>,
} }

impl Ranked {
    /// # Errors
    /// 422 if no segment is given, or two are.
    pub fn request(&self, key: &str, dimension: &str) -> Result<Request<Option<SegmentRank>>, Problem> {
        let segment = one("segment", self.segment.as_deref(), self.segment_b64.as_deref())?;
        Ok(self.period().put(rank_request(key, dimension, segment)))
    }
}

/// The segments of a dimension, best first.
#[utoipa::path(get, path = "/boards/{key}/segments/{dimension}", operation_id = "segments", tag = "segments",
    params(AtDimension, Listed),
    responses((status = 200, body = Ranking), (status = "default", body = Problem)))]
pub async fn ranking(
    State(app): State<App>,
    board: DimensionOf<Viewing>,
    Params(listed): Params<Listed>,
) -> Result<Json<Ranking>, Problem> {
    let rows = app.link.ask(&listed.request(&board.key, &board.dimension)?).await?;
    Ok(Json(Ranking { rows: rows.into_iter().map(Row::from).collect() }))
}

/// The rank of one segment among the segments of its dimension.
#[utoipa::path(get, path = "/boards/{key}/segments/{dimension}/rank", operation_id = "segmentRank", tag = "segments",
    params(AtDimension, Ranked),
    responses((status = 200, body = Rank), (status = "default", body = Problem)))]
pub async fn rank(
    State(app): State<App>,
    board: DimensionOf<Viewing>,
    Params(ranked): Params<Ranked>,
) -> Result<Json<Rank>, Problem> {
    match app.link.ask(&ranked.request(&board.key, &board.dimension)?).await? {
        Some(rank) => Ok(Json(rank.into())),
        None => Err(Problem::not_found("segment: no member in this view and period")),
    }
}

/// The segments of a member.
#[utoipa::path(get, path = "/boards/{key}/members/{member}/segments", operation_id = "memberSegments", tag = "segments",
    params(AtMember),
    responses((status = 200, body = Places), (status = "default", body = Problem)))]
pub async fn of_member(
    State(app): State<App>,
    board: MemberOf<Viewing>,
    _none: MemberParams<Nothing>,
) -> Result<Json<Places>, Problem> {
    let segments = app.link.ask(&getsegment(&board.key, &board.member)).await?;
    Ok(Json(Places { segments: segments.into_iter().map(InDimension::from).collect() }))
}

/// Puts a member into segments.
#[utoipa::path(put, path = "/boards/{key}/members/{member}/segments", operation_id = "setSegments", tag = "segments",
    params(AtMember),
    request_body = Place,
    responses((status = 200, body = Placed), (status = "default", body = Problem)))]
pub async fn put(
    State(app): State<App>,
    board: MemberOf<Editing>,
    _none: MemberParams<Nothing>,
    Body(place): Body<Place>,
) -> Result<Json<Placed>, Problem> {
    let segments = placed(&place.segments, &place.segments_b64)?;
    if segments.is_empty() {
        return Err(Problem::invalid("segments: name at least one dimension"));
    }
    let request = segment_request(&board.key, &board.member, segments);
    let changed = app.change(&board.caller, "segment", Some(&board.member), &request).await?;
    Ok(Json(Placed { changed }))
}

#[cfg(test)]
mod tests {
    use crate::api::parse::query;
    use crate::api::rankings::Top;

    fn words(query_string: &str) -> String {
        match query::<Top>(query_string).and_then(|top| top.request("b")) {
            Ok(request) => format!("{request:?}"),
            Err(problem) => problem.detail().to_owned(),
        }
    }

    #[test]
    fn a_segment_is_a_dimension_and_a_value() {
        assert_eq!(words("in=country:SE"), "LB.TOP b 10 IN country SE");
        assert_eq!(words("in=country:a:b"), "LB.TOP b 10 IN country a:b");
        assert_eq!(words("in_b64=country:U0U%3D"), "LB.TOP b 10 IN country SE");
        assert!(words("in=SE").starts_with("in: a dimension and a segment"));
        assert!(words("in=:SE").starts_with("in: a dimension and a segment"));
        assert!(words("in_b64=country:*").starts_with("in_b64: no Base64"));
    }
}
