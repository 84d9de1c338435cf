//! Votes. A large campaign sends most of its requests here. Therefore votes are not written to the audit log, and
//! nothing is read twice.

use std::borrow::Cow;
use std::fmt::{self, Formatter};

use axum::Json;
use axum::extract::State;
use leaderboard_client::{Request, VoteOutcome, mvote, vote};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::ObjectBuilder;
use utoipa::openapi::{Object, Type};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::proxy::Origin;
use crate::api::extract::{Body, Key, Nothing, Params, RequestId, TagIp, Voting};
use crate::api::names::one;
use crate::api::numbers::whole;
use crate::api::parse::objects;
use crate::api::paths::{AtKey, WithId};
use crate::api::rankings::bounded;
use crate::api::scores::Position;
use crate::app::App;
use crate::problem::Problem;
use crate::refused::Who;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(cast))
}

/// The votes of a voter. Either all of them count, or none of them.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({
    "by": "user:17", "tags": {"device": "d-881"}, "votes": [{"member": "ember"}, {"member": "tide", "votes": 2}]
}))]
#[serde(deny_unknown_fields)]
pub struct Votes {
    /// The voter.
    #[schema(example = "user:17")]
    pub by: Option<String>,
    /// Tags by name, such as the device.
    #[serde(default, deserialize_with = "pairs")]
    #[schema(value_type = std::collections::BTreeMap<String, String>, example = json!({"device": "d-881"}))]
    pub tags: Vec<(String, String)>,
    /// The members that the votes are for.
    #[serde(deserialize_with = "objects")]
    #[schema(min_items = 1, max_items = 1_000)]
    pub votes: Vec<Vote>,
    /// The moment of the votes, in ms; now if absent.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    pub at: Option<i64>,
}

/// Votes for a member.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Vote {
    /// The member.
    #[schema(example = "tide")]
    pub member: Option<String>,
    /// The member in Base64.
    pub member_b64: Option<String>,
    /// The number of votes; 1 if absent.
    #[serde(default, deserialize_with = "whole")]
    #[schema(example = 2, minimum = 1)]
    pub votes: Option<u64>,
}

impl Votes {
    /// `ip`: the tag that the console adds.
    ///
    /// # Errors
    /// 422 for too many votes, for no votes, for votes without a member, and for a tag `ip` if the console adds this
    /// tag itself.
    pub fn request(
        &self,
        key: &str,
        ip: Option<Origin>,
        id: Option<&[u8]>,
    ) -> Result<Request<VoteOutcome>, Problem> {
        bounded("votes", u64::try_from(self.votes.len()).unwrap_or(u64::MAX))?;
        let mut votes = each(&self.votes)?;
        let mut request = match (votes.pop(), votes.is_empty()) {
            (None, _) => return Err(Problem::invalid("votes: give at least one")),
            (Some((votes, member)), true) => vote(key, votes, member),
            (Some(last), false) => mvote(key, votes.into_iter().chain([last])),
        };
        if let Some(voter) = &self.by {
            request = request.by(voter);
        }
        for (name, value) in &self.tags {
            request = request.tag(name, value);
        }
        if let Some(ip) = ip {
            request = request.tag("ip", self.only(ip)?);
        }
        if let Some(at) = self.at {
            request = request.at(at);
        }
        Ok(if let Some(id) = id { request.id(id) } else { request })
    }

    /// Whose votes these are: the voter, the address, and the tags of the client.
    pub fn whose(&self, ip: Option<Origin>) -> Vec<(Who, String)> {
        let voter = self.by.iter().map(|voter| (Who::Voter, voter.clone()));
        let address = ip.map(|ip| (Who::Address, ip.to_string()));
        let tag = |(name, value): &(String, String)| match name.as_str() {
            "ip" => (Who::Address, value.clone()),
            _ => (Who::Tag, format!("{name}={value}")),
        };
        voter.chain(address).chain(self.tags.iter().map(tag)).collect()
    }

    fn only(&self, ip: Origin) -> Result<String, Problem> {
        match self.tags.iter().any(|(name, _)| name == "ip") {
            true => Err(Problem::invalid("tags.ip: this console gives votes the tag ip itself")),
            false => Ok(ip.to_string()),
        }
    }
}

impl Vote {
    fn member(&self, number: usize) -> Result<Cow<'_, [u8]>, Problem> {
        let member = one("member", self.member.as_deref(), self.member_b64.as_deref());
        member.map_err(|problem| Problem::invalid(format!("votes[{number}].{}", problem.detail())))
    }
}

/// A number of votes, and the member that they are for.
type Pair<'a> = (u64, Cow<'a, [u8]>);

fn each(votes: &[Vote]) -> Result<Vec<Pair<'_>>, Problem> {
    let numbered = votes.iter().enumerate();
    numbered.map(|(number, vote)| Ok((vote.votes.unwrap_or(1), vote.member(number)?))).collect()
}

/// An object of texts, in its order. The server checks for repeated names.
fn pairs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, String)>, D::Error> {
    struct Pairs;
    impl<'de> Visitor<'de> for Pairs {
        type Value = Vec<(String, String)>;

        fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
            f.write_str("an object of texts")
        }

        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
            let mut pairs = Vec::new();
            while let Some(pair) = map.next_entry()? {
                pairs.push(pair);
            }
            Ok(pairs)
        }
    }
    deserializer.deserialize_map(Pairs)
}

/// The result of votes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Outcome {
    /// The votes count. For a repeated request: they counted when they came first.
    Accepted {
        #[schema(value_type = bool, schema_with = always_true)]
        accepted: bool,
        /// One result for each entry of `votes`, in the same order.
        results: Vec<Position>,
    },
    /// A rule does not allow the votes. Nothing has changed.
    HeldBack {
        #[schema(value_type = bool, schema_with = always_false)]
        accepted: bool,
        /// The name of the rule; `closed` before the board opens and after it closes.
        #[schema(example = "perminute")]
        rule: String,
        /// The time until the rule starts again, in ms; null if waiting does not help.
        #[schema(example = 41_280)]
        retry_after_ms: Option<u64>,
    },
}

fn always_true() -> Object {
    always(true)
}

fn always_false() -> Object {
    always(false)
}

/// The only value of a field, by which programs tell the forms of an answer apart.
fn always(value: bool) -> Object {
    ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([value])).build()
}

impl From<VoteOutcome> for Outcome {
    fn from(outcome: VoteOutcome) -> Self {
        match outcome {
            VoteOutcome::Accepted(results) => {
                Self::Accepted { accepted: true, results: results.into_iter().map(Position::from).collect() }
            }
            VoteOutcome::HeldBack { rule, retry_after_ms } => {
                // -1 means that the rule never starts again.
                Self::HeldBack { accepted: false, rule, retry_after_ms: u64::try_from(retry_after_ms).ok() }
            }
        }
    }
}

/// Counts all votes of the request or none of them. Votes that a rule holds back get status 200, too, with `accepted`
/// false.
#[utoipa::path(post, path = "/boards/{key}/votes", operation_id = "vote", tag = "votes",
    params(AtKey, WithId), request_body = Votes,
    responses((status = 200, body = Outcome), (status = "default", body = Problem)))]
pub async fn cast(
    State(app): State<App>,
    board: Key<Voting>,
    _none: Params<Nothing>,
    TagIp(ip): TagIp,
    id: RequestId,
    Body(votes): Body<Votes>,
) -> Result<Json<Outcome>, Problem> {
    let outcome = app.link.ask(&votes.request(&board.name, ip, id.id())?).await?;
    if let VoteOutcome::HeldBack { rule, .. } = &outcome {
        app.refused.note(&board.name, rule, &votes.whose(ip));
    }
    Ok(Json(outcome.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::parse::body;

    fn words(json: &str, ip: Option<Origin>) -> String {
        let request = body::<Votes>(json.as_bytes()).and_then(|votes| votes.request("b", ip, Some(b"r1")));
        request.map_or_else(|problem| problem.detail().to_owned(), |request| format!("{request:?}"))
    }

    #[test]
    fn one_vote_or_several() {
        assert_eq!(words(r#"{"votes":[{"member":"tide"}]}"#, None), "LB.VOTE b 1 tide ID r1");
        assert_eq!(
            words(
                r#"{"by":"u","tags":{"d":"1"},"at":"9","votes":[{"member":"a","votes":2},{"member_b64":"Yg=="}]}"#,
                None
            ),
            "LB.MVOTE b BY u TAG d 1 AT 9 ID r1 2 a 1 b"
        );
    }

    #[test]
    fn the_tag_ip_is_the_consoles_own() {
        let ip = Some(Origin::new("203.0.113.9".parse().unwrap(), 64));
        assert_eq!(words(r#"{"votes":[{"member":"a"}]}"#, ip), "LB.VOTE b 1 a TAG ip 203.0.113.9 ID r1");
        assert!(words(r#"{"tags":{"ip":"x"},"votes":[{"member":"a"}]}"#, ip).starts_with("tags.ip: "));
        assert_eq!(
            words(r#"{"tags":{"ip":"x"},"votes":[{"member":"a"}]}"#, None),
            "LB.VOTE b 1 a TAG ip x ID r1"
        );
    }

    #[test]
    fn what_is_wrong_with_votes_is_named() {
        for (json, field) in [
            (r#"{"votes":[]}"#, "votes: "),
            (r#"{"by":"u"}"#, "body: missing field `votes`"),
            (r#"{"votes":[{"votes":1}]}"#, "votes[0].member: "),
            (r#"{"votes":[{"member":"a"},{"member":"a","member_b64":"YQ=="}]}"#, "votes[1].member: "),
            (r#"{"votes":[{"member":"a","votes":-1}]}"#, "votes[0].votes: "),
            (r#"{"votes":[{"member":"a","score":1}]}"#, "votes[0].score: "),
            (r#"{"votes":[["tide",null,1]]}"#, "votes[0]: "),
            (r#"{"tags":["a"],"votes":[{"member":"a"}]}"#, "tags: "),
            (r#"{"tags":{"a":1},"votes":[{"member":"a"}]}"#, "tags.a: "),
        ] {
            let said = words(json, None);
            assert!(said.starts_with(field), "{json}: {said}");
        }
        let many = vec![r#"{"member":"a"}"#; 1_001].join(",");
        assert!(words(&format!(r#"{{"votes":[{many}]}}"#), None).starts_with("votes: at most 1000"));
    }

    #[test]
    fn outcomes_are_told_as_json() {
        let held = VoteOutcome::HeldBack { rule: "daily".to_owned(), retry_after_ms: -1 };
        let json = serde_json::to_string(&Outcome::from(held)).unwrap();
        assert_eq!(json, r#"{"accepted":false,"rule":"daily","retry_after_ms":null}"#);
    }
}
