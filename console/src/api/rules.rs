//! The rules of a board in bodies.

use leaderboard_client::{Created, Request, alter, create};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::access::Role;
use crate::api::limits::Limit;
use crate::api::numbers::{digits, whole};
use crate::problem::Problem;

/// A board to make. What is not given is as LB.CREATE says.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Create {
    #[schema(example = "songs")]
    pub key: String,
    /// What the board ranks by; the first one is the default view.
    #[schema(example = "all,day")]
    pub views: Option<String>,
    /// Which end of the scores is rank 1: `desc` or `asc`.
    pub order: Option<String>,
    /// What a write does to a score: `sum`, `max`, `min` or `last`.
    pub aggregate: Option<String>,
    /// Who ranks higher among equal scores: `first`, `last`, `lex` or `revlex`.
    pub ties: Option<String>,
    /// Digits behind the point, 0 to 9.
    #[serde(default, deserialize_with = "whole")]
    pub decimals: Option<u64>,
    /// Scores of several levels, such as `gold:DESC:2000,silver:DESC:2000`.
    pub levels: Option<String>,
    /// The time zone of calendar periods.
    #[schema(example = "Asia/Shanghai")]
    pub tz: Option<String>,
    /// The day on which weeks begin.
    #[schema(example = "mon")]
    pub weekstart: Option<String>,
    /// The moment from which periods of seconds are counted, in ms.
    #[serde(default, deserialize_with = "whole")]
    pub origin: Option<i64>,
    /// What now is: `server` or `event`.
    pub clock: Option<String>,
    /// How many ended periods stay readable, `3` or `day=30,week=4`.
    #[serde(default, deserialize_with = "digits")]
    pub retain: Option<String>,
    /// The share of its points that a member carries into the next period, such as `week=0.2`.
    #[serde(default, deserialize_with = "digits")]
    pub carry: Option<String>,
    /// The share of its score that a member keeps from period to period, such as `day=0.9`.
    #[serde(default, deserialize_with = "digits")]
    pub decay: Option<String>,
    /// For how many seconds at least a request id is remembered.
    #[serde(default, deserialize_with = "whole")]
    pub dedup: Option<u64>,
    /// Count real and shown votes apart.
    #[serde(default)]
    pub shown: bool,
    /// Only declared options can be voted for.
    #[serde(default)]
    pub declared: bool,
    /// Votes before this moment are held back, in ms.
    #[serde(default, deserialize_with = "whole")]
    pub opens: Option<i64>,
    /// Votes from this moment on are held back, in ms.
    #[serde(default, deserialize_with = "whole")]
    pub closes: Option<i64>,
    /// Rules of votes.
    #[serde(default)]
    pub limit: Vec<Limit>,
    /// Each view keeps its best members, so many; 0 is all.
    #[serde(default, deserialize_with = "whole")]
    pub keep: Option<u64>,
    /// Publish an event when others stand in the first places, so many; 0 is never.
    #[serde(default, deserialize_with = "whole")]
    pub notifytop: Option<u64>,
    /// Take the rules of this board, but for what the other fields say.
    pub like: Option<String>,
    /// Leave a board alone that exists.
    #[serde(default)]
    pub nx: bool,
}

impl Create {
    /// # Errors
    /// 400 for a key without a name, and for a rule of votes that is none.
    pub fn request(&self) -> Result<Request<Created>, Problem> {
        if self.key.is_empty() {
            // No path could name it.
            return Err(Problem::invalid("key: must not be empty"));
        }
        let texts = [
            ("VIEWS", &self.views),
            ("ORDER", &self.order),
            ("AGGREGATE", &self.aggregate),
            ("TIES", &self.ties),
            ("LEVELS", &self.levels),
            ("TZ", &self.tz),
            ("WEEKSTART", &self.weekstart),
            ("CLOCK", &self.clock),
            ("RETAIN", &self.retain),
            ("CARRY", &self.carry),
            ("DECAY", &self.decay),
            ("LIKE", &self.like),
        ];
        let counts = [
            ("DECIMALS", self.decimals),
            ("DEDUP", self.dedup),
            ("KEEP", self.keep),
            ("NOTIFYTOP", self.notifytop),
        ];
        let moments = [("ORIGIN", self.origin), ("OPENS", self.opens), ("CLOSES", self.closes)];
        let flags = [("SHOWN", self.shown), ("DECLARED", self.declared), ("NX", self.nx)];
        let request = put_texts(create(&self.key), &texts);
        let request = put_moments(put_counts(request, &counts), &moments);
        let given = flags.into_iter().filter(|(_, given)| *given);
        put_limits(given.fold(request, |request, (name, _)| request.flag(name)), &self.limit)
    }
}

/// What to change of a board.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Alter {
    /// Views to add and to drop.
    #[schema(example = "+month,-day:7")]
    pub views: Option<String>,
    /// How many ended periods stay readable, `3` or `day=30,week=4`.
    #[serde(default, deserialize_with = "digits")]
    pub retain: Option<String>,
    /// The share of its points that a member carries into the next period; 0 ends it.
    #[serde(default, deserialize_with = "digits")]
    pub carry: Option<String>,
    /// The share of its score that a member keeps from period to period; 0 ends it.
    #[serde(default, deserialize_with = "digits")]
    pub decay: Option<String>,
    /// For how many seconds at least a request id is remembered.
    #[serde(default, deserialize_with = "whole")]
    pub dedup: Option<u64>,
    /// Votes before this moment are held back, in ms; 0 is from the beginning.
    #[serde(default, deserialize_with = "whole")]
    pub opens: Option<i64>,
    /// Votes from this moment on are held back, in ms; 0 is without end.
    #[serde(default, deserialize_with = "whole")]
    pub closes: Option<i64>,
    /// Rules of votes to add, or to replace by name.
    #[serde(default)]
    pub limit: Vec<Limit>,
    /// Names of rules to drop.
    #[serde(default)]
    #[schema(example = json!(["perminute"]))]
    pub unlimit: Vec<String>,
    /// Each view keeps its best members, so many; 0 is all.
    #[serde(default, deserialize_with = "whole")]
    pub keep: Option<u64>,
    /// Publish an event when others stand in the first places, so many; 0 is never.
    #[serde(default, deserialize_with = "whole")]
    pub notifytop: Option<u64>,
}

impl Alter {
    /// # Errors
    /// 400 for a rule of votes that is none, and for a body without a change.
    pub fn request(&self, key: &str) -> Result<Request<()>, Problem> {
        let moments = [("OPENS", self.opens), ("CLOSES", self.closes)];
        let is_empty = self.is_of_campaign() && moments.iter().all(|(_, moment)| moment.is_none());
        if is_empty && self.limit.is_empty() && self.unlimit.is_empty() {
            return Err(Problem::invalid("body: name at least one change"));
        }
        let request = put_counts(put_texts(alter(key), &self.texts()), &self.counts());
        let request = put_moments(request, &moments);
        let request = self.unlimit.iter().fold(request, |request, rule| request.unlimit(rule));
        put_limits(request, &self.limit)
    }

    /// The role that the changes take. Who drops a view or keeps fewer members takes data away.
    pub fn role(&self) -> Role {
        if self.is_of_campaign() { Role::Editor } else { Role::Admin }
    }

    /// Whether only dates and limits change.
    fn is_of_campaign(&self) -> bool {
        self.texts().iter().all(|(_, text)| text.is_none())
            && self.counts().iter().all(|(_, count)| count.is_none())
    }

    fn texts(&self) -> [(&'static str, &Option<String>); 4] {
        [("VIEWS", &self.views), ("RETAIN", &self.retain), ("CARRY", &self.carry), ("DECAY", &self.decay)]
    }

    fn counts(&self) -> [(&'static str, Option<u64>); 3] {
        [("DEDUP", self.dedup), ("KEEP", self.keep), ("NOTIFYTOP", self.notifytop)]
    }
}

fn put_texts<R>(request: Request<R>, texts: &[(&str, &Option<String>)]) -> Request<R> {
    let given = texts.iter().filter_map(|(name, text)| text.as_deref().map(|text| (name, text)));
    given.fold(request, |request, (name, text)| request.option(name, text))
}

fn put_counts<R>(request: Request<R>, counts: &[(&str, Option<u64>)]) -> Request<R> {
    let given = counts.iter().filter_map(|(name, count)| count.map(|count| (name, count)));
    given.fold(request, |request, (name, count)| request.option(name, count))
}

fn put_moments<R>(request: Request<R>, moments: &[(&str, Option<i64>)]) -> Request<R> {
    let given = moments.iter().filter_map(|(name, moment)| moment.map(|moment| (name, moment)));
    given.fold(request, |request, (name, moment)| request.option(name, moment))
}

fn put_limits<R>(request: Request<R>, limits: &[Limit]) -> Result<Request<R>, Problem> {
    limits.iter().try_fold(request, |request, limit| Ok(request.option("LIMIT", limit.rule()?.words())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::parse::body;

    #[test]
    fn fields_become_options() {
        let json = r#"{"key":"songs","views":"all,day","order":"asc","decimals":"2","retain":3,"shown":true,
            "declared":false,"opens":5,"limit":["perminute voter 5 minute",["d","voter",8,"day"]],"nx":true}"#;
        let request = body::<Create>(json.as_bytes()).unwrap().request().unwrap();
        assert_eq!(
            format!("{request:?}"),
            "LB.CREATE songs VIEWS all,day ORDER asc RETAIN 3 DECIMALS 2 OPENS 5 SHOWN NX \
             LIMIT perminute voter 5 minute LIMIT d voter 8 day"
        );
        let json = r#"{"views":"+month","unlimit":["d"],"closes":"0","limit":["d voter 9 day"]}"#;
        let request = body::<Alter>(json.as_bytes()).unwrap().request("songs").unwrap();
        assert_eq!(
            format!("{request:?}"),
            "LB.ALTER songs VIEWS +month CLOSES 0 UNLIMIT d LIMIT d voter 9 day"
        );
    }

    #[test]
    fn a_change_without_a_change_is_refused() {
        assert!(body::<Alter>(b"{}").unwrap().request("songs").is_err());
        assert!(body::<Alter>(br#"{"order":"asc"}"#).is_err(), "what cannot be changed later");
    }
}
