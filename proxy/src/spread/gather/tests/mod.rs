//! Compares reads over parts in simulated nodes with the replies of one board.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

mod parts;
mod shapes;
mod troubles;

use std::time::Duration;

use leaderboard_core::schema::{Order as End, Ties};
use leaderboard_testkit::random::Random;
use redis::Value;
use tokio::time::Instant;

use self::parts::{Member, Spread, rules};
use super::{Refused, read};
use crate::nodes::RetryingClient;
use crate::spread::asked::{Asked, Row};
use crate::spread::simulation::cases::{Rules, words};
use crate::spread::simulation::truth::told;

async fn try_ask(spread: &Spread, command: &str) -> Result<Value, Refused> {
    let words = words(command);
    let asked = Asked::read(Row::of(&words[0]).unwrap(), &words).unwrap();
    let deadline = Instant::now() + Duration::from_secs(1);
    let result = read(&RetryingClient::new(spread.nodes.clone()), &spread.root, &asked, deadline).await;
    assert_eq!(spread.nodes.with(|world| world.asked.astray.clone()), Vec::<String>::new());
    result
}

async fn ask(spread: &Spread, command: &str) -> Value {
    try_ask(spread, command).await.unwrap_or_else(|refused| panic!("{command}: {refused:?}"))
}

/// Asks the parts, and checks that one board returns the same reply.
async fn check(spread: &Spread, command: &str) {
    let (got, wanted) = (ask(spread, command).await, spread.one(command));
    assert!(got == wanted, "{command}\n wanted {}\n got    {}", told(&wanted), told(&got));
}

fn members(seed: u64, count: u64, scores: u64, moments: u64) -> Vec<Member> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|number| Member {
            name: format!("m{number}"),
            score: (random.below(scores) as i64 - 3).to_string(),
            moment: random.below(moments),
            meta: random.percent(33).then_some("text"),
            // One board hides at most 1000 members.
            is_hidden: random.percent(5) && number < 15_000,
        })
        .collect()
}

/// Returns the rules of boards in each order.
fn orders(parts: u16) -> [Rules; 4] {
    [(End::Desc, Ties::First), (End::Asc, Ties::First), (End::Desc, Ties::Last), (End::Asc, Ties::Last)]
        .map(|(order, ties)| Rules { order, ties, ..rules(parts) })
}

/// Returns the ways to count ranks, from both ends.
fn ways() -> impl Iterator<Item = String> {
    ["ORDINAL", "COMPETITION", "DENSE"]
        .into_iter()
        .flat_map(|ranks| ["", " REV"].map(|rev| format!("RANKS {ranks}{rev}")))
}

#[tokio::test(start_paused = true)]
async fn pages_and_ranges_are_those_of_one_board() {
    for (seed, rules) in (1..).zip(orders(4)) {
        for scores in [4, 60] {
            let spread = Spread::new(&rules, &members(seed, 300, scores, 5));
            for way in ways() {
                for (offset, count) in [(0, 10), (0, 1000), (37, 25), (280, 50), (500, 5), (3, 0)] {
                    check(&spread, &format!("LB.TOP game {count} OFFSET {offset} {way}")).await;
                }
                check(&spread, &format!("LB.RANGE game -20 -3 {way}")).await;
                for (low, high) in [(0, 2), (-3, 100), (50, 55), (1, 1), (9, 2)] {
                    let range = format!("LB.RANGEBYSCORE game {low} {high} OFFSET 5 COUNT 60 {way}");
                    check(&spread, &range).await;
                    let rev = if way.ends_with("REV") { " REV" } else { "" };
                    check(&spread, &format!("LB.COUNT game {low} {high}{rev}")).await;
                }
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn ranks_of_members_are_those_of_one_board() {
    for (seed, rules) in (1..).zip(orders(8)) {
        let spread = Spread::new(&rules, &members(seed, 120, 12, 3));
        let all = format!("MEMBERS {} {} nobody", spread.names.len() + 1, spread.names.join(" "));
        for way in ways() {
            check(&spread, &format!("LB.MSCORE game {all} {way}")).await;
            check(&spread, &format!("LB.AMONG game {all} {way}")).await;
            for name in spread.names.iter().step_by(7) {
                check(&spread, &format!("LB.RANK game {name} {way}")).await;
            }
        }
    }
}

/// Tests that a list of the maximum length is requested in pieces, so that no part is busy with one command for long.
#[tokio::test(start_paused = true)]
async fn a_long_list_of_members_is_asked_for_in_pieces() {
    let spread = Spread::new(&rules(2), &members(9, 60, 12, 3));
    let names = |number: usize| spread.names[number * 7 % spread.names.len()].as_str();
    let names: Vec<_> = (0..3_000).map(names).collect();
    let command = format!("LB.MSCORE game RANKS COMPETITION MEMBERS {} {}", names.len(), names.join(" "));
    let (_, _, asked) = spread.cost(check(&spread, &command)).await;
    // The requests contain 500 points of entries and the same number of points of their scores. Each point has three
    // words. There are a few more words.
    assert!(asked.longest < 3_100);
}

#[tokio::test(start_paused = true)]
async fn around_a_member_are_those_of_one_board() {
    for (seed, rules) in (1..).zip(orders(4)) {
        let spread = Spread::new(&rules, &members(seed, 150, 20, 3));
        for way in ways() {
            for at in [0, 1, 30, 77, spread.names.len() - 1] {
                let name = &spread.names[at];
                check(&spread, &format!("LB.AROUND game {name} 20 {way}")).await;
                check(&spread, &format!("LB.AROUND game {name} ABOVE 5 BELOW 30 FILL {way}")).await;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn deep_pages_and_quantiles_are_those_of_one_board() {
    // The scores are of one entry each, of some entries each, or the same for all entries. If they are the same for
    // all, only the places lead to the entry.
    for (scores, moments) in [(1_000_000, 1_000), (50, 40), (1, 1)] {
        let spread = Spread::new(&rules(4), &members(4, 40_000, scores, moments));
        for offset in [10_001, 33_333, spread.names.len() - 3] {
            for ranks in ["ORDINAL", "COMPETITION"] {
                check(&spread, &format!("LB.TOP game 20 OFFSET {offset} RANKS {ranks}")).await;
            }
        }
        check(&spread, "LB.QUANTILE game 0 0.25 0.5 1 REV").await;
    }
}
