//! Tests of reads that only votes have: each board over parts is compared with one board that got the same votes.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use super::*;
use crate::spread::simulated::{Fault, NOW};

const HOUR: u64 = 3_600_000;

/// Returns a board over parts and a board on one server with the same rules, the same votes and the same options.
async fn with_votes(votes: usize) -> (Simulated, Engine<Simulated>) {
    let (servers, engine) = start();
    for parts in ["game PARTS 4", "one"] {
        let created = say(&engine, &format!("LB.CREATE {parts} VIEWS hour:3,day")).await;
        assert_eq!(created, "OK");
    }
    for number in 0..votes {
        // Many voters vote in several parts, and in several periods.
        let (voter, member) = (number * 7 % 23 + number / 50, number % 40);
        let at = NOW - (number as u64 % 5) * HOUR;
        for key in ["game", "one"] {
            let by = if number % 9 == 0 { String::new() } else { format!(" BY v{voter}") };
            let said = say(&engine, &format!("LB.VOTE {key} 1 m{member} AT {at}{by}")).await;
            assert!(said.starts_with("[1 "), "{said}");
        }
    }
    (servers, engine)
}

#[tokio::test(start_paused = true)]
async fn a_voter_of_several_parts_counts_once() {
    for votes in [0, 3, 400, 2_600] {
        let (_, engine) = with_votes(votes).await;
        let options = [
            "",
            " VIEW all",
            " VIEW day",
            " VIEW hour:3",
            " PERIOD -1",
            " PERIOD -2 VIEW hour:3",
            " VIEW all PERIOD -1",
            " MEMBER m7",
            " MEMBER m7 VIEW day",
            " MEMBER nobody",
            " MEMBER m3 PERIOD -1",
            " VIEW week",
            " VIEW all PERIOD x",
            " PERIOD x",
            " PERIOD 0 AT 5",
        ];
        let at = format!(" AT {}", NOW - HOUR);
        for option in options.into_iter().chain([at.as_str()]) {
            let wanted = say(&engine, &format!("LB.VOTERS one{option}")).await;
            assert_eq!(
                say(&engine, &format!("LB.VOTERS game{option}")).await,
                wanted,
                "{votes} votes, {option}"
            );
        }
        let voters: u64 = say(&engine, "LB.VOTERS game").await.parse().unwrap();
        assert_eq!(voters > 0, votes > 0);
    }
}

/// More voters than a sketch stores one by one.
#[tokio::test(start_paused = true)]
async fn many_voters_are_estimated_as_on_one_board() {
    let (_, engine) = with_votes(0).await;
    for voter in 0..5_000 {
        for key in ["game", "one"] {
            say(&engine, &format!("LB.VOTE {key} 1 m{} BY v{voter}", voter % 9)).await;
        }
    }
    let voters = say(&engine, "LB.VOTERS game").await;
    assert_eq!(voters, say(&engine, "LB.VOTERS one").await);
    let voters: f64 = voters.parse().unwrap();
    assert!((4_800.0..5_200.0).contains(&voters), "{voters}");
}

#[tokio::test(start_paused = true)]
async fn voters_of_parts_that_do_not_answer() {
    let (servers, engine) = with_votes(400).await;
    servers.fault(&key(2), Some(Fault::Cut));
    assert_eq!(say(&engine, "LB.VOTERS game TIMEOUT 100").await, "PARTSDOWN 1 of 4 parts did not answer");
    let partial = say(&engine, "LB.VOTERS game PARTIAL").await;
    assert!(partial.starts_with("[3 4 "), "{partial}");
    let of_other = say(&engine, &format!("LB.VOTERS game MEMBER {} TIMEOUT 100", member(1))).await;
    assert!(of_other.parse::<u64>().is_ok(), "{of_other}");
    servers.fault(&key(2), None);
    let long = format!("LB.VOTERS game MEMBER {}", "x".repeat(600));
    assert_eq!(say(&engine, &long).await, say(&engine, &long.replace("game", "one")).await);
}

/// Returns all options of a board, page by page, and the longest page.
async fn listed(engine: &Engine<Simulated>, count: usize) -> (Vec<String>, usize) {
    let (mut cursor, mut all, mut longest) = ("0".to_owned(), Vec::new(), 0);
    loop {
        let reply =
            engine.execute(vec![words(&format!("LB.OPTIONS game {cursor} COUNT {count}"))]).await.remove(0);
        let Value::Array(reply) = reply else { panic!("{reply:?}") };
        let [Value::BulkString(next), Value::Array(page)] = &reply[..] else { panic!("{reply:?}") };
        longest = longest.max(page.len());
        all.extend(page.iter().map(shown));
        assert!(!page.is_empty() || next == b"0", "a page that is not the last has options");
        cursor = String::from_utf8(next.clone()).unwrap();
        if cursor == "0" {
            return (all, longest);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn options_come_exactly_once_whatever_the_size_of_a_page() {
    let (servers, engine) = with_votes(300).await;
    assert_eq!(listed(&engine, 5).await, (Vec::new(), 0));
    for number in 0..90 {
        for key in ["game", "one"] {
            assert_eq!(say(&engine, &format!("LB.OPTION {key} m{number} META text{number}")).await, "OK");
        }
    }
    let mut wanted = Vec::new();
    let Value::Array(one) = servers.direct("LB.OPTIONS one 0 COUNT 1000") else { panic!() };
    if let Value::Array(page) = &one[1] {
        wanted.extend(page.iter().map(shown));
    }
    assert_eq!(wanted.len(), 90);
    wanted.sort();
    for count in [1, 2, 7, 10, 22, 23, 90, 1_000, 1_000_000] {
        let (mut all, longest) = listed(&engine, count).await;
        assert!(longest <= count);
        all.sort();
        assert_eq!(all, wanted, "COUNT {count}");
    }
    assert_eq!(say(&engine, "LB.OPTIONS game 0 COUNT 0").await, "ERR COUNT is out of range");
    assert_eq!(say(&engine, "LB.OPTIONS game x").await, "ERR cursor is not a whole number");
    assert_eq!(say(&engine, &format!("LB.OPTIONS game {}", u64::MAX / 2)).await, "[0 []]");
    let weight = say(&engine, "LB.OPTION game m1 WEIGHT 5").await;
    assert_eq!(weight, say(&engine, "LB.OPTION one m1 WEIGHT 5").await, "it needs SHOWN");
    servers.fault(&key(1), Some(Fault::Cut));
    let down = say(&engine, "LB.OPTIONS game 0 COUNT 1000 TIMEOUT 100").await;
    assert_eq!(down, "PARTSDOWN 1 of 4 parts did not answer");
}

#[tokio::test(start_paused = true)]
async fn a_board_over_parts_has_no_quota() {
    let (servers, engine) = with_votes(10).await;
    let future = NOW + 100_000_000;
    for options in ["", " BY v1", " BY v1 MEMBER m1 TAG ip 7", &format!(" AT {future}"), " MEMBER "] {
        let wanted = shown(&servers.direct(&format!("LB.QUOTA one{options}")));
        assert_eq!(say(&engine, &format!("LB.QUOTA game{options}")).await, wanted, "{options}");
    }
    assert_eq!(say(&engine, "LB.QUOTA game BY v1").await, "[]");
    let limit = say(&engine, "LB.ALTER game LIMIT daily voter 1 day").await;
    assert_eq!(limit, "ERR LIMIT is not possible with parts", "so there is nothing to tell");
}
