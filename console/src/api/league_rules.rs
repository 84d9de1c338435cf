//! The rules of a league to make.

use leaderboard_client::leagues::create;
use leaderboard_client::{Created, Request};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::api::league_prizes::TierTable;
use crate::api::numbers::{digits, score, whole};

/// A league to make. An absent field has the default of LB.LEAGUE.CREATE.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({
    "tiers": "bronze,silver,gold", "group": 30, "promote": "10,20%,0", "demote": "0,5,5", "cycle": "week",
    "tz": "Asia/Shanghai", "retain": 4
}))]
#[serde(deny_unknown_fields)]
pub struct CreateLeague {
    /// The tiers, the lowest first.
    #[schema(example = "bronze,silver,gold")]
    tiers: String,
    /// How many members of a group move up, an amount for each tier: a number, or a share of the group.
    #[serde(deserialize_with = "score")]
    #[schema(example = "10,20%,0")]
    promote: String,
    /// How many members of a group move down, an amount for each tier: a number, or a share of the group.
    #[serde(deserialize_with = "score")]
    #[schema(example = "0,5,5")]
    demote: String,
    /// How long a period is: `minute`, `hour`, `day`, `week`, `month`, `year`, or seconds such as `90s`.
    #[schema(example = "week")]
    cycle: String,
    /// Which member of a group ranks higher among equal scores: `scored` (the one that got the score first) or `joined`.
    #[schema(schema_with = crate::api::words::ties_of_a_league)]
    ties: Option<String>,
    /// The number of members of a group.
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
    /// The number of digits behind the decimal point, 0 to 9.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 9)]
    decimals: Option<u64>,
    /// The time zone of periods.
    #[schema(example = "Asia/Shanghai")]
    tz: Option<String>,
    /// The day on which weeks begin.
    #[schema(schema_with = crate::api::words::weekstart)]
    weekstart: Option<String>,
    /// The moment from which periods of seconds are counted, in ms.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    origin: Option<i64>,
    /// The clock that counts: `server` (the clock of the server) or `event` (the times of the writes).
    #[schema(schema_with = crate::api::words::clock)]
    clock: Option<String>,
    /// The least time for which a request id is remembered, in seconds.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 315_360_000)]
    dedup: Option<u64>,
    /// What the places in each group of a tier win.
    #[serde(default)]
    prizes: Vec<TierTable>,
    /// For how many days unclaimed prizes are kept when their period is not kept any more; 30 if absent.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 3_660)]
    prizedays: Option<u64>,
}

impl CreateLeague {
    /// The command. The server checks the rules.
    pub fn request(&self, key: &str) -> Request<Created> {
        let request =
            create(key).tiers(&self.tiers).promote(&self.promote).demote(&self.demote).cycle(&self.cycle);
        let counts = [
            ("GROUP", self.group),
            ("REWARD", self.reward),
            ("IDLE", self.idle),
            ("RETAIN", self.retain),
            ("DECIMALS", self.decimals),
            ("DEDUP", self.dedup),
            ("PRIZEDAYS", self.prizedays),
        ];
        let texts = [
            ("TIES", &self.ties),
            ("JOINUNTIL", &self.joinuntil),
            ("TZ", &self.tz),
            ("WEEKSTART", &self.weekstart),
            ("CLOCK", &self.clock),
        ];
        let request = counts.into_iter().fold(request, |request, (name, count)| put(request, name, count));
        let request =
            texts.into_iter().fold(request, |request, (name, text)| put(request, name, text.as_deref()));
        let tables = self.prizes.iter();
        let request = tables.fold(request, |request, table| request.prizes(&table.tier, &table.places));
        put(request, "ORIGIN", self.origin)
    }
}

/// Puts an option into a request, if it is given.
pub fn put<R, V: redis::ToRedisArgs>(request: Request<R>, name: &str, value: Option<V>) -> Request<R> {
    if let Some(value) = value { request.option(name, value) } else { request }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::parse::body;

    #[test]
    fn rules_become_a_command() {
        let json = r#"{"tiers":"a,b","promote":"10,0","demote":"0,5","cycle":"week","group":30,"reward":"3","idle":1,
            "retain":4,"decimals":1,"dedup":60,"joinuntil":"0.5","tz":"Europe/Berlin","weekstart":"sun",
            "clock":"event","origin":7}"#;
        assert_eq!(
            format!("{:?}", body::<CreateLeague>(json.as_bytes()).unwrap().request("l")),
            "LB.LEAGUE.CREATE l TIERS a,b PROMOTE 10,0 DEMOTE 0,5 CYCLE week GROUP 30 REWARD 3 IDLE 1 RETAIN 4 \
             DECIMALS 1 DEDUP 60 JOINUNTIL 0.5 TZ Europe/Berlin WEEKSTART sun CLOCK event ORIGIN 7"
        );
    }
}
