//! Reads the module's replies as values of the model.

use leaderboard_client::{Joined, LastPeriod, LeagueStanding};

use crate::model::{Outcome, Place, TIERS, Zone};
use crate::play::{WEEKS, label};
use client::{Result, whole};

/// Reads the reply to a join: the player's place, and the outcome of the last week in which the player took part.
pub fn joined(joined: Joined) -> Result<(Place, Option<Outcome>)> {
    let Joined { tier: Some(tier), group: Some(group), rank: Some(rank), members: Some(members), .. } =
        joined
    else {
        return Err(format!("{joined:?} is in no group"));
    };
    if !joined.joined {
        return Err(format!("the player of {tier} {group} is no new member"));
    }
    let place = Place { tier: number(&tier)?, group, rank, members, score: 0 };
    Ok((place, joined.last.map(outcome).transpose()?))
}

fn outcome(last: LastPeriod) -> Result<Outcome> {
    let LastPeriod { period, tier, group, rank, members, score, outcome, reward } = last;
    let week = (0..WEEKS).find(|week| label(*week) == period).ok_or("an outcome of another week")?;
    let zone = match outcome {
        leaderboard_client::Outcome::Promoted => Zone::Promote,
        leaderboard_client::Outcome::Stayed => Zone::Stay,
        leaderboard_client::Outcome::Demoted => Zone::Demote,
    };
    let place = Place { tier: number(&tier)?, group, rank, members, score: whole(&score)? };
    Ok(Outcome { week, place, zone, reward })
}

/// Reads the reply to LB.LEAGUE.STANDING.
pub fn standing(standing: Option<LeagueStanding>) -> Result<(Place, Zone)> {
    let LeagueStanding { tier, group, rank, members, score, zone } =
        standing.ok_or("a player is not in the period")?;
    Ok((Place { tier: number(&tier)?, group, rank, members, score: whole(&score)? }, zone))
}

fn number(tier: &str) -> Result<usize> {
    let number = TIERS.iter().position(|name| *name == tier);
    number.ok_or_else(|| "a tier that was not declared".to_owned())
}
