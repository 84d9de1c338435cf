//! The module's replies, in the model's terms.

use std::collections::HashMap;

use redis::Value;

use crate::client::{Result, failed, field};
use crate::model::{Outcome, Place, TIERS, Zone};
use crate::play::{WEEKS, label};

type Map = HashMap<String, Value>;

fn map(reply: &Value) -> Result<Map> {
    redis::from_redis_value_ref(reply).map_err(failed(format_args!("{reply:?} is no map")))
}

/// The reply to a join: where the player stands, and what came of the week before.
pub fn joined(reply: &Value) -> Result<(Place, Option<Outcome>)> {
    let map = map(reply)?;
    if field::<u64>(&map, "joined")? != 1 {
        return Err(format!("{map:?} is no new member"));
    }
    let last = map.get("last").filter(|last| **last != Value::Nil).map(outcome).transpose()?;
    Ok((place(&map, 0)?, last))
}

fn outcome(reply: &Value) -> Result<Outcome> {
    let map = map(reply)?;
    let period: String = field(&map, "period")?;
    let week = (0..WEEKS).find(|week| label(*week) == period).ok_or("an outcome of another week")?;
    let zone = match field::<String>(&map, "outcome")?.as_str() {
        "promoted" => Zone::Promote,
        "demoted" => Zone::Demote,
        _ => Zone::Stay,
    };
    Ok(Outcome { week, place: place(&map, field(&map, "score")?)?, zone, reward: field(&map, "reward")? })
}

/// The reply to LB.LEAGUE.STANDING.
pub fn standing(reply: &Value) -> Result<(Place, Zone)> {
    let map = map(reply)?;
    let zone = match field::<String>(&map, "zone")?.as_str() {
        "promote" => Zone::Promote,
        "demote" => Zone::Demote,
        _ => Zone::Stay,
    };
    Ok((place(&map, field(&map, "score")?)?, zone))
}

fn place(map: &Map, score: u64) -> Result<Place> {
    let tier: String = field(map, "tier")?;
    Ok(Place {
        tier: TIERS.iter().position(|name| *name == tier).ok_or("a tier that was not declared")?,
        group: field(map, "group")?,
        rank: field(map, "rank")?,
        members: field(map, "members")?,
        score,
    })
}
