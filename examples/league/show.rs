//! Prints the demo.

use std::collections::HashMap;

use indicatif::HumanCount;

use leaderboard_client::{Row, leagues};

use crate::model::{Model, Outcome, Place, TIERS, Zone};
use crate::play::{Action, Event, Write, label};
use crate::replies;
use crate::server::Server;
use client::{Result, ask, typed};

/// A join, and the reply to it.
pub struct Joined {
    pub event: Event,
    pub place: Place,
    pub last: Option<Outcome>,
}

/// A player whose join is printed.
pub struct Hero {
    title: &'static str,
    player: u64,
}

/// Selects a player by an outcome.
type IsOne = fn(&Outcome) -> bool;

/// Selects three players of the third week: one who won a group, one who moved down, and one who moved up and then
/// skipped a week.
pub fn heroes(model: &Model, events: &[Event]) -> Vec<Hero> {
    let kinds: [(&str, IsOne); 3] = [
        ("One who won a group of silver: up to gold, with a reward", |last| {
            last.week == 1 && last.place.tier == 1 && last.reward == 1
        }),
        ("One who came last: down again", |last| last.week == 1 && last.zone == Zone::Demote),
        ("One who had moved up and skipped a week: that costs a tier", |last| {
            last.week == 0 && last.zone == Zone::Promote
        }),
    ];
    if model.week < 2 {
        return Vec::new();
    }
    let joins = || events.iter().filter(|event| matches!(event.action, Action::Join));
    let first = |is_one: IsOne| {
        joins().map(|event| event.player).find(|player| model.outcome(*player).is_some_and(is_one))
    };
    let heroes = kinds.into_iter().map(|(title, is_one)| Some(Hero { title, player: first(is_one)? }));
    heroes.flatten().collect()
}

/// Prints a join as redis-cli does, and its reply in two lines.
pub fn hero(server: &Server, hero: &Hero, joined: &HashMap<u64, Joined>) {
    let Some(Joined { event, place, last }) = joined.get(&hero.player) else { return };
    let Write::Join(request) = event.write(&server.key) else { return };
    println!("\n{}\n> {request}", hero.title);
    println!("now   {}", spot(place));
    if let Some(Outcome { week, place, zone, reward }) = last {
        let outcome = match zone {
            Zone::Promote => "promoted",
            Zone::Stay => "stayed",
            Zone::Demote => "demoted",
        };
        println!("last  {}: {} with {}, {outcome}, reward {reward}", label(*week), spot(place), place.score);
    }
}

fn spot(Place { tier, group, rank, members, .. }: &Place) -> String {
    format!("{} {group}, rank {rank} of {members}", TIERS.get(*tier).unwrap_or(&"?"))
}

/// Prints a group of the middle tier, with the zones.
pub fn group(server: &mut Server) -> Result<()> {
    let rows = typed(&mut server.connection, &leagues::group(&server.key, "silver", 1))?;
    println!("rank  player  shown as    points");
    for Row { rank, member, score, meta } in rows {
        let meta = String::from_utf8_lossy(&meta.unwrap_or_default()).into_owned();
        let standing = ask(&mut server.connection, &leagues::standing(&server.key, &member))?;
        let zone = match replies::standing(standing)?.1 {
            Zone::Promote => "  up",
            Zone::Stay => "",
            Zone::Demote => "  down",
        };
        println!("{rank:>4}  {member:<6}  {meta:<10}  {score:>6}{zone}");
    }
    Ok(())
}

/// Prints the numbers of members and groups of each tier, week by week.
pub fn sizes(weeks: &[Vec<(u64, u64)>]) {
    println!("\nMembers and groups of each tier");
    print!("week    ");
    TIERS.iter().for_each(|tier| print!("  {tier:>13}"));
    println!();
    for (week, tiers) in (0..).zip(weeks) {
        print!("{}", label(week));
        for (members, groups) in tiers {
            print!("  {:>13}", format!("{} in {groups}", HumanCount(*members)));
        }
        println!();
    }
}
