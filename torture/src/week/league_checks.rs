//! What is read of the league each hour.

use leaderboard_testkit::random::Random;
use redis::Value;

use super::model::board::Member;
use super::model::league::{League, Outcome, Table, Tables};
use super::players::name;
use super::request::TIERS;
use super::service::Service;
use super::value::{int, list, map, text};

/// Groups of a tier, and members, that are looked at.
const LOOKS: usize = 3;

/// Compares the groups of the present day and of the ended days that are kept.
pub fn check_league(service: &mut Service, league: &League, is_full: bool, random: &mut Random) {
    let looks = if is_full { usize::MAX } else { LOOKS };
    let tables = league.tables();
    check_groups(service, &tables, "", looks, random);
    for (tables, back) in league.ended.values().rev().zip(1..) {
        check_groups(service, tables, &format!(" PERIOD -{back}"), looks, random);
    }
    let members: Vec<Member> = tables.iter().flatten().flatten().map(|(member, _)| *member).collect();
    for _ in 0..LOOKS.min(members.len()) {
        check_standing(service, league, *random.pick(&members));
    }
}

fn check_groups(service: &mut Service, tables: &Tables, period: &str, looks: usize, random: &mut Random) {
    for (tier, groups) in TIERS.iter().zip(tables) {
        let first = random.below(groups.len().saturating_sub(looks) as u64 + 1) as usize;
        for (number, group) in groups.iter().enumerate().skip(first).take(looks) {
            let line = format!("LB.LEAGUE.GROUP course {tier} {}{period}", number + 1);
            service.read(&line, &rows(group));
        }
    }
}

fn rows(group: &Table) -> Value {
    let row = |(place, (member, score)): (usize, &(Member, i64))| {
        list([int(place + 1), text(name(*member)), int(*score), Value::Nil])
    };
    list(group.iter().enumerate().map(row))
}

fn check_standing(service: &mut Service, league: &League, member: Member) {
    let (tier, group, rank, members, score) = league.standing(member).expect("a standing");
    let zone = match league.outcome(tier, rank, members) {
        Outcome::Up => "promote",
        Outcome::Stay => "stay",
        Outcome::Down => "demote",
    };
    let expected = map([
        ("tier", text(TIERS[tier])),
        ("group", int(group + 1)),
        ("rank", int(rank)),
        ("members", int(members)),
        ("score", int(score)),
        ("zone", text(zone)),
    ]);
    service.read(&format!("LB.LEAGUE.STANDING course {}", name(member)), &expected);
}
