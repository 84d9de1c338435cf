//! Changes of leagues: their rules, the tiers of members, and deletion.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use leaderboard_client::Request;
use leaderboard_client::leagues::{alter as alter_request, info, rem, tier};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Administering, Body, Key, MemberOf, MemberParams, Nothing, Params};
use crate::api::info::Described;
use crate::api::league_prizes::TierTable;
use crate::api::league_rules::put;
use crate::api::members::Confirmation;
use crate::api::numbers::{digits, whole};
use crate::api::paths::{AtKey, AtMember};
use crate::app::App;
use crate::problem::Problem;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(alter, delete)).routes(routes!(remove)).routes(routes!(put_into_tier))
}

/// Changes of a league. An absent field stays as it is.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({"group": 50, "promote": "10,20%,0", "demote": "0,5,5", "joinuntil": "0.5"}))]
#[serde(deny_unknown_fields)]
pub struct AlterLeague {
    /// How many members of a group move up, an amount for each tier.
    #[serde(default, deserialize_with = "digits")]
    #[schema(example = "10,20%,0")]
    promote: Option<String>,
    /// How many members of a group move down, an amount for each tier.
    #[serde(default, deserialize_with = "digits")]
    #[schema(example = "0,5,5")]
    demote: Option<String>,
    /// The number of members of a group, for groups that open from now on.
    #[serde(default, deserialize_with = "whole")]
    #[schema(example = 30, minimum = 1, maximum = 1_000_000)]
    group: Option<u64>,
    /// How many ranks of each group get a reward.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 1_000_000)]
    reward: Option<u64>,
    /// The share of a period, from its start, in which members can join the period.
    #[serde(default, deserialize_with = "digits")]
    #[schema(example = "0.5")]
    joinuntil: Option<String>,
    /// The number of tiers that a member loses for each whole period that it did not join.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 64)]
    idle: Option<u64>,
    /// The number of past periods that can still be read.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 10_000)]
    retain: Option<u64>,
    /// The least time for which a request id is remembered, in seconds.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 315_360_000)]
    dedup: Option<u64>,
    /// What the places in each group of a tier win, in periods that end from now on. An empty text ends it.
    #[serde(default)]
    prizes: Vec<TierTable>,
    /// For how many days unclaimed prizes are kept when their period is not kept any more.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 3_660)]
    prizedays: Option<u64>,
}

impl AlterLeague {
    fn request(&self, key: &str) -> Request<()> {
        let texts = [("PROMOTE", &self.promote), ("DEMOTE", &self.demote), ("JOINUNTIL", &self.joinuntil)];
        let counts = [
            ("GROUP", self.group),
            ("REWARD", self.reward),
            ("IDLE", self.idle),
            ("RETAIN", self.retain),
            ("DEDUP", self.dedup),
            ("PRIZEDAYS", self.prizedays),
        ];
        let request = alter_request(key);
        let request =
            texts.into_iter().fold(request, |request, (name, text)| put(request, name, text.as_deref()));
        let request = counts.into_iter().fold(request, |request, (name, count)| put(request, name, count));
        self.prizes.iter().fold(request, |request, table| request.prizes(&table.tier, &table.places))
    }
}

/// The tier of a member.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({"tier": "gold"}))]
#[serde(deny_unknown_fields)]
pub struct IntoTier {
    /// The tier.
    #[schema(example = "gold")]
    tier: String,
}

fn absent() -> Problem {
    Problem::not_found("no such league")
}

/// Changes rules of a league.
#[utoipa::path(patch, path = "/leagues/{key}", operation_id = "alterLeague", tag = "leagues", params(AtKey),
    request_body = AlterLeague,
    responses((status = 200, body = Described), (status = "default", body = Problem)))]
pub async fn alter(
    State(app): State<App>,
    league: Key<Administering>,
    _none: Params<Nothing>,
    Body(changes): Body<AlterLeague>,
) -> Result<Json<Described>, Problem> {
    app.change(&league.caller, "alter", None, &changes.request(&league.name)).await?;
    let told =
        app.link.ask(&info(&league.name)).await.map_err(Problem::behind_a_change)?.ok_or_else(absent)?;
    Ok(Json(Described::new(&league.name, told)))
}

/// Deletes a league and all its data.
#[utoipa::path(delete, path = "/leagues/{key}", operation_id = "deleteLeague", tag = "leagues",
    params(AtKey, Confirmation),
    responses((status = 204), (status = "default", body = Problem)))]
pub async fn delete(
    State(app): State<App>,
    league: Key<Administering>,
    Params(confirmation): Params<Confirmation>,
) -> Result<StatusCode, Problem> {
    confirmation.require(&league.name)?;
    app.delete(&league.caller, &league.name, &info(&league.name)).await?.then_some(()).ok_or_else(absent)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes a member from the current period and from the tiers.
#[utoipa::path(delete, path = "/leagues/{key}/members/{member}", operation_id = "removeFromLeague", tag = "leagues",
    params(AtMember, Confirmation),
    responses((status = 204), (status = "default", body = Problem)))]
pub async fn remove(
    State(app): State<App>,
    league: MemberOf<Administering>,
    MemberParams(confirmation): MemberParams<Confirmation>,
) -> Result<StatusCode, Problem> {
    confirmation.require(&league.written)?;
    let request = rem(&league.key, [&league.member]);
    match app.change(&league.caller, "remove", Some(&league.member), &request).await? {
        0 => Err(Problem::not_found("member: not in this league")),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

/// Sets the tier that a member joins next.
#[utoipa::path(put, path = "/leagues/{key}/members/{member}/tier", operation_id = "putIntoTier", tag = "leagues",
    params(AtMember), request_body = IntoTier,
    responses((status = 204), (status = "default", body = Problem)))]
pub async fn put_into_tier(
    State(app): State<App>,
    league: MemberOf<Administering>,
    _none: MemberParams<Nothing>,
    Body(into): Body<IntoTier>,
) -> Result<StatusCode, Problem> {
    let request = tier(&league.key, &league.member, &into.tier);
    app.change(&league.caller, "tier", Some(&league.member), &request).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::parse::body;

    #[test]
    fn changes_become_a_command() {
        let json = r#"{"promote":"10,0","demote":5,"joinuntil":"0.5","group":30,"reward":"3","idle":1,"retain":4,
            "dedup":60,"prizedays":9,"prizes":[{"tier":"gold","places":"1=cup"}]}"#;
        assert_eq!(
            format!("{:?}", body::<AlterLeague>(json.as_bytes()).unwrap().request("l")),
            "LB.LEAGUE.ALTER l PROMOTE 10,0 DEMOTE 5 JOINUNTIL 0.5 GROUP 30 REWARD 3 IDLE 1 RETAIN 4 DEDUP 60 \
             PRIZEDAYS 9 PRIZES gold 1=cup"
        );
    }
}
