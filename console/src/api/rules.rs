//! The rules of a board, as bodies of requests give them.

use leaderboard_client::{Created, Request, alter, create};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::access::Role;
use crate::api::limits::Limit;
use crate::api::numbers::{digits, whole};
use crate::api::prizes::Table;
use crate::problem::Problem;

/// A board to make. An absent field has the default of LB.CREATE.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({
    "key": "songs", "views": "all,day,week", "ties": "first", "tz": "Asia/Shanghai", "retain": "day=30,week=8",
    "shown": true, "declared": true, "segments": "country:SUM", "limit": ["perminute voter 5 minute"]
}))]
#[serde(deny_unknown_fields)]
pub struct Create {
    #[schema(example = "songs")]
    pub key: String,
    /// The views of the board; the first view is the default view.
    #[schema(example = "all,day")]
    pub views: Option<String>,
    /// Which end of the scores is rank 1: `desc` or `asc`.
    #[schema(schema_with = crate::api::words::order)]
    pub order: Option<String>,
    /// What a write does to a score: `sum`, `max`, `min` or `last`.
    #[schema(schema_with = crate::api::words::aggregate)]
    pub aggregate: Option<String>,
    /// Which member ranks higher among equal scores: `first`, `last`, `lex` or `revlex`.
    #[schema(schema_with = crate::api::words::ties)]
    pub ties: Option<String>,
    /// The number of digits behind the decimal point, 0 to 9.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 9)]
    pub decimals: Option<u64>,
    /// Scores of several levels, such as `gold:DESC:2000,silver:DESC:2000`.
    pub levels: Option<String>,
    /// The time zone of calendar periods.
    #[schema(example = "Asia/Shanghai")]
    pub tz: Option<String>,
    /// The day on which weeks begin.
    #[schema(schema_with = crate::api::words::weekstart)]
    pub weekstart: Option<String>,
    /// The moment from which periods of seconds are counted, in ms.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    pub origin: Option<i64>,
    /// The clock that counts: `server` (the clock of the server) or `event` (the times of the writes).
    #[schema(schema_with = crate::api::words::clock)]
    pub clock: Option<String>,
    /// How many ended periods can still be read, `3` or `day=30,week=4`.
    #[serde(default, deserialize_with = "digits")]
    pub retain: Option<String>,
    /// The share of its points that a member carries into the next period, such as `week=0.2`.
    #[serde(default, deserialize_with = "digits")]
    pub carry: Option<String>,
    /// The share of its score that a member keeps from period to period, such as `day=0.9`.
    #[serde(default, deserialize_with = "digits")]
    pub decay: Option<String>,
    /// The least time for which a request id is remembered, in seconds.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 315_360_000)]
    pub dedup: Option<u64>,
    /// Count real votes and shown votes separately.
    #[serde(default)]
    pub shown: bool,
    /// Only members that have joined can score, and only declared options can be voted for.
    #[serde(default)]
    pub declared: bool,
    /// The moment when the board opens, in ms. Earlier writes and votes do not count.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    pub opens: Option<i64>,
    /// The moment when the board closes, in ms. Writes and votes at this moment or later do not count.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    pub closes: Option<i64>,
    /// The hours of the week in which the board is open, such as `mon-fri=18:00-20:00,sat-sun=10:00-22:00`. Always if absent.
    #[schema(example = "mon-fri=18:00-20:00")]
    pub hours: Option<String>,
    /// How many writes of scores a member may have in a unit of time, such as `3 day`. No rule if absent.
    #[schema(example = "3 day")]
    pub attempts: Option<String>,
    /// How many members may be in the current period of the default view, or join; 0 for any number.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 4_294_967_295_u64)]
    pub maxmembers: Option<u64>,
    /// The range of points and scores that may be written, such as `0 1000` or `(0 +inf`. Every score if absent.
    #[schema(example = "0 1000")]
    pub bounds: Option<String>,
    /// What the places of ended periods win.
    #[serde(default)]
    pub prizes: Vec<Table>,
    /// For how many days unclaimed prizes are kept when their period is not kept any more; 30 if absent.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 3_660)]
    pub prizedays: Option<u64>,
    /// Rules of votes.
    #[serde(default)]
    pub limit: Vec<Limit>,
    /// How many of its best members each view keeps; 0 keeps all members.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 4_294_967_295_u64)]
    pub keep: Option<u64>,
    /// The dimensions of segments, such as countries and guilds, and what ranks the segments of each.
    #[schema(example = "country:SUM,guild")]
    pub segments: Option<String>,
    /// An event is published when this number of first places changes its members or their order; 0 publishes no
    /// events.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 1_000)]
    pub notifytop: Option<u64>,
    /// Take the rules of this board, except the rules that other fields give.
    pub like: Option<String>,
    /// Do not change a board that already exists.
    #[serde(default)]
    pub nx: bool,
}

impl Create {
    /// # Errors
    /// 422 for a key that is empty, and for a wrong rule of votes.
    pub fn request(&self) -> Result<Request<Created>, Problem> {
        if self.key.is_empty() {
            // No path could contain an empty key.
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
            ("SEGMENTS", &self.segments),
            ("HOURS", &self.hours),
            ("LIKE", &self.like),
        ];
        let counts = [
            ("DECIMALS", self.decimals),
            ("DEDUP", self.dedup),
            ("KEEP", self.keep),
            ("NOTIFYTOP", self.notifytop),
            ("MAXMEMBERS", self.maxmembers),
            ("PRIZEDAYS", self.prizedays),
        ];
        let moments = [("ORIGIN", self.origin), ("OPENS", self.opens), ("CLOSES", self.closes)];
        let flags = [("SHOWN", self.shown), ("DECLARED", self.declared), ("NX", self.nx)];
        let pairs = [("ATTEMPTS", &self.attempts), ("BOUNDS", &self.bounds)];
        let request = put_pairs(put_texts(create(&self.key), &texts), pairs)?;
        let request = put_moments(put_counts(request, &counts), &moments);
        let request = self.prizes.iter().fold(request, |request, table| table.put(request));
        let given = flags.into_iter().filter(|(_, given)| *given);
        put_limits(given.fold(request, |request, (name, _)| request.flag(name)), &self.limit)
    }
}

/// The changes to a board.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[schema(example = json!({"views": "+month", "dedup": 86_400, "limit": ["perhour device 20 hour"], "unlimit": ["perminute"]}))]
#[serde(deny_unknown_fields)]
pub struct Alter {
    /// Views to add and to drop.
    #[schema(example = "+month,-day:7")]
    pub views: Option<String>,
    /// Dimensions of segments to add and to drop.
    #[schema(example = "+platform,-guild")]
    pub segments: Option<String>,
    /// How many ended periods can still be read, `3` or `day=30,week=4`.
    #[serde(default, deserialize_with = "digits")]
    pub retain: Option<String>,
    /// The share of its points that a member carries into the next period; 0 ends this rule.
    #[serde(default, deserialize_with = "digits")]
    pub carry: Option<String>,
    /// The share of its score that a member keeps from period to period; 0 ends this rule.
    #[serde(default, deserialize_with = "digits")]
    pub decay: Option<String>,
    /// The least time for which a request id is remembered, in seconds.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 315_360_000)]
    pub dedup: Option<u64>,
    /// The moment when the board opens, in ms. Earlier writes and votes do not count. 0 removes this moment.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    pub opens: Option<i64>,
    /// The moment when the board closes, in ms. Writes and votes at this moment or later do not count. 0 removes this moment.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    pub closes: Option<i64>,
    /// The hours of the week in which the board is open, such as `mon-fri=18:00-20:00,sat-sun=10:00-22:00`. An empty text means always.
    #[schema(example = "mon-fri=18:00-20:00")]
    pub hours: Option<String>,
    /// How many writes of scores a member may have in a unit of time, such as `3 day`. `0 all` ends this rule.
    #[schema(example = "3 day")]
    pub attempts: Option<String>,
    /// How many members may be in the current period of the default view, or join; 0 for any number.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 4_294_967_295_u64)]
    pub maxmembers: Option<u64>,
    /// The range of points and scores that may be written, such as `0 1000` or `(0 +inf`. `-inf +inf` ends this rule.
    #[schema(example = "0 1000")]
    pub bounds: Option<String>,
    /// From now on, only members that have joined can score, and only declared options can be voted for. This does not end.
    #[serde(default)]
    pub declared: bool,
    /// A moment, in ms, to which a clock of events moves forward without a write, so that periods end. No other change may come with it.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    pub now: Option<i64>,
    /// What the places of the periods that end from now on win. An empty table ends the prizes of its view.
    #[serde(default)]
    pub prizes: Vec<Table>,
    /// For how many days unclaimed prizes are kept when their period is not kept any more.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 3_660)]
    pub prizedays: Option<u64>,
    /// Rules of votes to add. A rule replaces the old rule of the same name.
    #[serde(default)]
    pub limit: Vec<Limit>,
    /// Names of rules to drop.
    #[serde(default)]
    #[schema(example = json!(["perminute"]))]
    pub unlimit: Vec<String>,
    /// How many of its best members each view keeps; 0 keeps all members.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 4_294_967_295_u64)]
    pub keep: Option<u64>,
    /// An event is published when this number of first places changes its members or their order; 0 publishes no
    /// events.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 1_000)]
    pub notifytop: Option<u64>,
}

impl Alter {
    /// # Errors
    /// 422 for a wrong rule of votes, and for a body that changes nothing.
    pub fn request(&self, key: &str) -> Result<Request<()>, Problem> {
        if self.is_empty() {
            return Err(Problem::invalid("body: name at least one change"));
        }
        let moments = [("OPENS", self.opens), ("CLOSES", self.closes), ("NOW", self.now)];
        let (hours, pairs) =
            ([("HOURS", &self.hours)], [("ATTEMPTS", &self.attempts), ("BOUNDS", &self.bounds)]);
        let members = [("MAXMEMBERS", self.maxmembers)];
        let request = put_counts(put_texts(alter(key), &self.texts()), &self.counts());
        let request = put_counts(put_pairs(put_texts(request, &hours), pairs)?, &members);
        let request = put_moments(request, &moments);
        let request = if self.declared { request.declared() } else { request };
        let request = self.prizes.iter().fold(request, |request, table| table.put(request));
        let request = self.unlimit.iter().fold(request, |request, rule| request.unlimit(rule));
        put_limits(request, &self.limit)
    }

    /// Whether the body names no change.
    fn is_empty(&self) -> bool {
        let texts = [&self.hours, &self.attempts, &self.bounds];
        self.is_of_campaign()
            && [self.opens, self.closes].iter().all(Option::is_none)
            && texts.iter().all(|text| text.is_none())
            && self.maxmembers.is_none()
            && self.limit.is_empty()
            && self.unlimit.is_empty()
    }

    /// The role that the changes need. Only rules that hold writes and votes back are for editors: other changes, such as dropping a
    /// view, can delete data or end periods.
    pub fn role(&self) -> Role {
        if self.is_of_campaign() { Role::Editor } else { Role::Admin }
    }

    /// Whether the body changes only rules that hold writes and votes back.
    fn is_of_campaign(&self) -> bool {
        self.texts().iter().all(|(_, text)| text.is_none())
            && self.counts().iter().all(|(_, count)| count.is_none())
            && self.now.is_none()
            && self.prizes.is_empty()
            && !self.declared
    }

    fn texts(&self) -> [(&'static str, &Option<String>); 5] {
        [
            ("VIEWS", &self.views),
            ("SEGMENTS", &self.segments),
            ("RETAIN", &self.retain),
            ("CARRY", &self.carry),
            ("DECAY", &self.decay),
        ]
    }

    fn counts(&self) -> [(&'static str, Option<u64>); 4] {
        [
            ("DEDUP", self.dedup),
            ("KEEP", self.keep),
            ("NOTIFYTOP", self.notifytop),
            ("PRIZEDAYS", self.prizedays),
        ]
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

/// Puts options of two words.
fn put_pairs<R>(request: Request<R>, pairs: [(&str, &Option<String>); 2]) -> Result<Request<R>, Problem> {
    let given = pairs.iter().filter_map(|(name, text)| Some((name, text.as_deref()?)));
    given.into_iter().try_fold(request, |request, (name, text)| {
        let words: Vec<_> = text.split_whitespace().collect();
        match words[..] {
            [_, _] => Ok(request.option(name, &words[..])),
            _ => Err(Problem::invalid(format!(
                "{}: two words, such as {}",
                name.to_lowercase(),
                example(name)
            ))),
        }
    })
}

fn example(option: &str) -> &'static str {
    if option == "BOUNDS" { "0 1000" } else { "3 day" }
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
    fn rules_of_scores_are_texts_as_lb_info_writes_them() {
        let json = r#"{"key":"cup","hours":"mon=18:00-20:00","attempts":"3 day","maxmembers":9,"bounds":"(0 +inf","declared":true}"#;
        let request = body::<Create>(json.as_bytes()).unwrap().request().unwrap();
        assert_eq!(
            format!("{request:?}"),
            "LB.CREATE cup HOURS mon=18:00-20:00 ATTEMPTS 3 day BOUNDS (0 +inf MAXMEMBERS 9 DECLARED"
        );
        let alter = |json: &str| body::<Alter>(json.as_bytes()).unwrap();
        let ended = alter(r#"{"hours":"","attempts":"0 all"}"#);
        assert_eq!(format!("{:?}", ended.request("cup").unwrap()), "LB.ALTER cup HOURS \"\" ATTEMPTS 0 all");
        assert_eq!(ended.role(), Role::Editor);
        assert_eq!(alter(r#"{"now":5}"#).role(), Role::Admin);
        let wrong = alter(r#"{"attempts":"3"}"#).request("cup").unwrap_err();
        assert_eq!(wrong.detail(), "attempts: two words, such as 3 day");
        assert!(alter(r#"{"bounds":"1 2 3"}"#).request("cup").is_err());
    }

    #[test]
    fn a_change_without_a_change_is_refused() {
        assert!(body::<Alter>(b"{}").unwrap().request("songs").is_err());
        assert!(body::<Alter>(br#"{"order":"asc"}"#).is_err(), "what cannot be changed later");
    }
}
