//! How many votes the voters have left, and how many writes the members.

use axum::Json;
use axum::extract::State;
use leaderboard_client::{Quota, Request, quota as quota_request};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Key, Params, Viewing};
use crate::api::names::either;
use crate::api::numbers::whole;
use crate::api::paths::AtKey;
use crate::app::App;
use crate::problem::Problem;

/// The route.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(quota))
}

/// The votes whose quota is asked for.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Voter {
    /// The voter.
    #[param(example = "user:17")]
    pub by: Option<String>,
    /// The member that the votes are for, or whose scores the question is about.
    pub member: Option<String>,
    /// The member that the votes are for, in Base64.
    pub member_b64: Option<String>,
    /// A tag, `name=value`. Can be given several times.
    #[serde(default)]
    #[param(example = json!(["device=d-881"]))]
    pub tag: Vec<String>,
    /// The moment of the votes, in ms; now if absent.
    #[serde(default, deserialize_with = "whole")]
    #[param(minimum = 0, maximum = 253_402_300_799_999_i64)]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    pub at: Option<i64>,
}

impl Voter {
    /// # Errors
    /// 422 for a member that is given twice, and for a tag that has no value.
    pub fn request(&self, key: &str) -> Result<Request<Vec<Quota>>, Problem> {
        let mut request = quota_request(key);
        if let Some(voter) = &self.by {
            request = request.by(voter);
        }
        if let Some(member) = either("member", self.member.as_deref(), self.member_b64.as_deref())? {
            request = request.member(member);
        }
        for tag in &self.tag {
            let (name, value) =
                tag.split_once('=').ok_or_else(|| Problem::invalid("tag: write name=value"))?;
            request = request.tag(name, value);
        }
        Ok(if let Some(at) = self.at { request.at(at) } else { request })
    }
}

/// What a voter has used of each rule that applies.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuotaList {
    quota: Vec<RuleQuota>,
}

/// What a voter has used of a rule.
#[derive(Debug, Serialize, ToSchema)]
pub struct RuleQuota {
    #[schema(example = "perminute")]
    rule: String,
    /// The number of votes that were counted in this period.
    #[schema(example = 5)]
    used: u64,
    /// The number of votes that are allowed, with bonuses.
    #[schema(example = 5)]
    max: u64,
    /// The time until the rule starts again, in ms; null if it never starts again.
    #[schema(example = 41_280)]
    resets_ms: Option<u64>,
}

impl From<Vec<Quota>> for QuotaList {
    fn from(quota: Vec<Quota>) -> Self {
        let one = |quota: Quota| RuleQuota {
            rule: quota.rule,
            used: quota.used,
            max: quota.max,
            resets_ms: u64::try_from(quota.ms).ok(),
        };
        Self { quota: quota.into_iter().map(one).collect() }
    }
}

/// What a voter, or a member, has used of each rule that applies. With `member` alone, the rules of scores come first.
#[utoipa::path(get, path = "/boards/{key}/quota", operation_id = "quota", tag = "votes",
    params(AtKey, Voter),
    responses((status = 200, body = QuotaList), (status = "default", body = Problem)))]
pub async fn quota(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(voter): Params<Voter>,
) -> Result<Json<QuotaList>, Problem> {
    Ok(Json(app.link.ask(&voter.request(&board.name)?).await?.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::parse::query;

    #[test]
    fn tags_of_a_quota_are_split_at_the_first_sign() {
        let words = |text: &str| query::<Voter>(text).unwrap().request("b");
        assert_eq!(
            format!("{:?}", words("by=u&tag=a=1&tag=b=x%3Dy").unwrap()),
            "LB.QUOTA b BY u TAG a 1 TAG b x=y"
        );
        assert!(words("tag=a").unwrap_err().detail().starts_with("tag: "));
    }
}
