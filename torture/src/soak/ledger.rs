//! Compares what was acknowledged with what readers see: straight from the servers, through the RESP door, and through HTTP.

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use leaderboard_testkit::slots::part_keys;
use leaderboard_testkit::{Server, try_run};
use redis::Value;

use super::book::Scores;
use super::nodes::{Board, PARTS, home_of};
use super::rows::{self, Row};
use super::rude::{HALF, LOOSE};
use super::shared::Shared;
use super::tries::{TRIES, until_done};
use super::web::Web;
use super::wire::{Wire, words};

/// A page of the HTTP API.
const PAGE: usize = 1_000;
/// More members than a board has.
const ALL: usize = 100_000;
/// The gateway remembers the top of a board for less than this time.
const CACHED: Duration = Duration::from_millis(300);
/// At most this number of wrong scores is named.
const SHOWN: usize = 5;

type Found = BTreeMap<String, i64>;

/// Compares all boards. Returns what is wrong.
pub fn check(shared: &Shared, nodes: &[Server], scores: &Scores) -> Vec<String> {
    thread::sleep(CACHED);
    let mut wrong = Vec::new();
    let empty = Found::new();
    for board in &shared.boards {
        let expected = scores.get(&board.key).unwrap_or(&empty);
        let seen = [
            ("on the servers", straight(nodes, board)),
            ("through the RESP door", through_resp(shared, board)),
            ("through HTTP", through_http(shared, board)),
        ];
        for (how, found) in seen {
            let difference = found.and_then(|found| compare(expected, &found));
            wrong.extend(difference.err().map(|error| format!("{} {how}: {error}", board.key)));
        }
        wrong.extend(sums(shared, board, expected).err());
    }
    wrong.extend(half(shared).err());
    wrong
}

fn compare(expected: &Found, found: &Found) -> Result<(), String> {
    let names = expected.keys().chain(found.keys().filter(|name| !expected.contains_key(*name)));
    let wrong = names.filter(|name| expected.get(*name) != found.get(*name));
    let wrong: Vec<_> =
        wrong.map(|name| format!("{name} {:?}, not {:?}", found.get(name), expected.get(name))).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{} wrong scores: {}", wrong.len(), wrong[..wrong.len().min(SHOWN)].join("; ")))
}

fn of_rows(rows: Vec<Row>) -> Found {
    rows.into_iter().map(|(_, member, score)| (member, score)).collect()
}

/// Reads the key of a plain board, or of each part, on its server.
fn straight(nodes: &[Server], board: &Board) -> Result<Found, String> {
    let keys = if board.is_spread { part_keys(&board.key, PARTS) } else { vec![board.key.clone()] };
    let mut all = Found::new();
    for key in keys {
        let read = ["LB.TOP", &key, &ALL.to_string()];
        let reply = try_run(&mut nodes[home_of(&key)].connection(), &read)?;
        all.extend(of_rows(rows::check(&key, rows::of_reply(&reply), ALL)?));
    }
    Ok(all)
}

fn through_resp(shared: &Shared, board: &Board) -> Result<Found, String> {
    let reply = Wire::new(shared).insist(&words(&format!("LB.TOP {} {ALL}", board.key)))?;
    rows::check(&board.key, rows::of_reply(&reply), ALL).map(of_rows)
}

/// Reads all pages.
fn through_http(shared: &Shared, board: &Board) -> Result<Found, String> {
    let web = Web::new(shared, &shared.tokens.player);
    let mut all: Vec<Row> = Vec::new();
    loop {
        let path = format!("/boards/{}/top?count={PAGE}&offset={}", board.key, all.len());
        let (body, _) = until_done(TRIES, || web.get(&path)?.unless_away())?;
        let page = rows::check(&path, rows::of_body(&body), PAGE)?;
        let is_last = page.len() < PAGE;
        all.extend(page);
        if is_last {
            return rows::check(&board.key, Some(all), ALL).map(of_rows);
        }
    }
}

/// Compares the sum over the board with the sums that both doors tell.
fn sums(shared: &Shared, board: &Board, expected: &Found) -> Result<(), String> {
    let sum: i64 = expected.values().sum();
    let web = Web::new(shared, &shared.tokens.viewer);
    let path = format!("/boards/{}/stats", board.key);
    let (body, _) = until_done(TRIES, || web.get(&path)?.unless_away())?;
    if body["sum"].as_str() != Some(&sum.to_string()) || body["members"] != expected.len() {
        return Err(format!("{path}: {body}, not {} members and {sum}", expected.len()));
    }
    let reply = Wire::new(shared).insist(&words(&format!("LB.STATS {}", board.key)))?;
    let fields: BTreeMap<String, Value> =
        redis::from_redis_value(reply).map_err(|error| error.to_string())?;
    match fields.get("sum") {
        Some(Value::Int(found)) if *found == sum => Ok(()),
        found => Err(format!("LB.STATS {}: {found:?}, not {sum}", board.key)),
    }
}

/// Half a request is not carried out.
fn half(shared: &Shared) -> Result<(), String> {
    match Wire::new(shared).insist(&words(&format!("LB.SCORE {LOOSE} {HALF}")))? {
        Value::Nil => Ok(()),
        found => Err(format!("half a request was carried out: {found:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, compare};

    #[test]
    fn lost_doubled_and_foreign_points_are_found() {
        let scores = |scores: &[(&str, i64)]| -> Found {
            scores.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect()
        };
        let expected = scores(&[("ann", 5), ("bob", 7)]);
        assert_eq!(compare(&expected, &expected), Ok(()));
        for found in [&[("ann", 5)][..], &[("ann", 5), ("bob", 14)], &[("ann", 5), ("bob", 7), ("eve", 1)]] {
            compare(&expected, &scores(found)).unwrap_err();
        }
    }
}
