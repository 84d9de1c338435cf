//! The distribution of the scores of a ranking.

use axum::Json;
use axum::extract::State;
use leaderboard_client::{
    Bucket, Request, Score, Stats, histogram as buckets_request, quantile as quantile_request,
    stats as stats_request,
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Key, Params, Viewing};
use crate::api::numbers::whole;
use crate::api::paths::AtKey;
use crate::api::rankings::bounded;
use crate::api::reading::reading;
use crate::api::totals::fixed;
use crate::app::App;
use crate::problem::Problem;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(stats)).routes(routes!(quantile)).routes(routes!(histogram))
}

reading! { numbers
    /// How statistics of the scores are read.
    Statistics {}
}

impl Statistics {
    /// # Errors
    /// Never fails.
    pub fn request(&self, key: &str) -> Result<Request<Option<Stats>>, Problem> {
        Ok(self.put(stats_request(key)))
    }
}

/// Statistics of all scores.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct StatsReply {
    members: u64,
    /// The sum of all scores; null if scores have levels.
    #[schema(example = "1200")]
    sum: Option<String>,
    /// The mean, with six digits behind the decimal point; null if there are no members.
    #[schema(example = "100.000000")]
    mean: Option<String>,
    min: Option<String>,
    max: Option<String>,
    /// The median of the scores.
    median: Option<String>,
}

/// An absent board has the statistics of a board that has no members.
impl From<Option<Stats>> for StatsReply {
    fn from(stats: Option<Stats>) -> Self {
        let Some(stats) = stats else { return Self::default() };
        let text = |score: Option<Score>| score.map(|score| score.0);
        Self {
            members: stats.members,
            sum: text(stats.sum),
            mean: stats.mean,
            min: text(stats.min),
            max: text(stats.max),
            median: text(stats.median),
        }
    }
}

reading! { numbers
    /// How the scores at shares of the members are read.
    Quantiles {
        /// A share of the members from the lowest score up, 0 to 1. Can be given several times.
        #[serde(default)]
        #[param(example = json!(["0.5", "0.9"]))]
        pub q: Vec<String>,
    }
}

impl Quantiles {
    /// # Errors
    /// 422 if no share is given.
    pub fn request(&self, key: &str) -> Result<Request<Vec<Option<Score>>>, Problem> {
        if self.q.is_empty() {
            return Err(Problem::invalid("q: give at least one, such as q=0.5"));
        }
        for q in &self.q {
            fixed("q", q)?;
        }
        Ok(self.put(quantile_request(key, &self.q)))
    }

    /// The reply, each score with its share.
    pub fn reply(self, scores: Vec<Option<Score>>) -> QuantileList {
        let one = |(q, score): (String, Option<Score>)| Quantile { q, score: score.map(|score| score.0) };
        QuantileList { quantiles: self.q.into_iter().zip(scores).map(one).collect() }
    }
}

/// Scores at shares.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuantileList {
    quantiles: Vec<Quantile>,
}

/// The score at a share.
#[derive(Debug, Serialize, ToSchema)]
pub struct Quantile {
    #[schema(example = "0.5")]
    q: String,
    /// The least score for which at least this share of the members have this score or a lower one; null if there are
    /// no members.
    #[schema(example = "7")]
    score: Option<String>,
}

reading! { numbers
    /// How the number of members in ranges of scores of equal width is read.
    Histogram {
        /// The least score.
        #[serde(deserialize_with = "crate::api::numbers::score")]
        #[param(example = "0")]
        pub min: String,
        /// The greatest score.
        #[serde(deserialize_with = "crate::api::numbers::score")]
        #[param(example = "1000")]
        pub max: String,
        /// The number of ranges, 1 to 1,000; 10 if absent.
        #[serde(default, deserialize_with = "whole")]
        #[param(minimum = 1, maximum = 1_000)]
        #[schema(minimum = 1, maximum = 1_000)]
        pub buckets: Option<u64>,
    }
}

impl Histogram {
    /// # Errors
    /// 422 for too many ranges.
    pub fn request(&self, key: &str) -> Result<Request<Vec<Bucket>>, Problem> {
        let buckets = bounded("buckets", self.buckets.unwrap_or(10))?;
        Ok(self.put(buckets_request(key, &self.min, &self.max, buckets)))
    }
}

/// How many members there are in ranges of scores.
#[derive(Debug, Serialize, ToSchema)]
pub struct Buckets {
    buckets: Vec<OneBucket>,
}

/// A range of scores, and its number of members.
#[derive(Debug, Serialize, ToSchema)]
pub struct OneBucket {
    /// The least score in it.
    #[schema(example = "0")]
    from: String,
    /// The end of the range. Only the last range includes its end.
    #[schema(example = "100")]
    to: String,
    members: u64,
}

impl From<Vec<Bucket>> for Buckets {
    fn from(buckets: Vec<Bucket>) -> Self {
        let one =
            |bucket: Bucket| OneBucket { from: bucket.from.0, to: bucket.to.0, members: bucket.members };
        Self { buckets: buckets.into_iter().map(one).collect() }
    }
}

/// The sum, the mean and the median of the scores.
#[utoipa::path(get, path = "/boards/{key}/stats", operation_id = "stats", tag = "statistics",
    params(AtKey, Statistics),
    responses((status = 200, body = StatsReply), (status = "default", body = Problem)))]
pub async fn stats(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(stats): Params<Statistics>,
) -> Result<Json<StatsReply>, Problem> {
    Ok(Json(app.link.ask(&stats.request(&board.name)?).await?.into()))
}

/// The scores at shares of the members, such as the median.
#[utoipa::path(get, path = "/boards/{key}/quantile", operation_id = "quantile", tag = "statistics",
    params(AtKey, Quantiles),
    responses((status = 200, body = QuantileList), (status = "default", body = Problem)))]
pub async fn quantile(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(quantiles): Params<Quantiles>,
) -> Result<Json<QuantileList>, Problem> {
    let scores = app.link.ask(&quantiles.request(&board.name)?).await?;
    Ok(Json(quantiles.reply(scores)))
}

/// How many members there are in ranges of scores of equal width.
#[utoipa::path(get, path = "/boards/{key}/histogram", operation_id = "histogram", tag = "statistics",
    params(AtKey, Histogram),
    responses((status = 200, body = Buckets), (status = "default", body = Problem)))]
pub async fn histogram(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(histogram): Params<Histogram>,
) -> Result<Json<Buckets>, Problem> {
    Ok(Json(app.link.ask(&histogram.request(&board.name)?).await?.into()))
}
