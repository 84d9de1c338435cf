//! Plain boards that become boards over parts: every step can be the last one of a gateway.

#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use std::collections::BTreeMap;

use super::catalog::field;
use super::*;

/// The members of a board and their scores. No two scores are equal.
type Model = BTreeMap<String, i64>;

const MEMBERS: i64 = 24;
const SPREAD: &str = "LB.RESHARD game 2 TIMEOUT 60000";

fn name(number: i64) -> String {
    format!("n{number}")
}

fn first_list() -> String {
    let list: Vec<_> = (0..MEMBERS).map(|number| format!("{} {}", 1 + number * 10, name(number))).collect();
    format!("LB.MADD game ID first {}", list.join(" "))
}

/// Returns servers with a plain board that has members and a text; and the members.
async fn filled() -> (Simulated, Engine<Simulated>, Model) {
    let (servers, engine) = start();
    assert_eq!(say(&engine, "LB.CREATE game VIEWS all,day").await, "OK");
    let made = say(&engine, &first_list()).await;
    assert!(made.starts_with("[[1 "), "{made}");
    assert_eq!(say(&engine, "LB.SETMETA game n3 text").await, "OK");
    let model = (0..MEMBERS).map(|number| (name(number), 1 + number * 10)).collect();
    (servers, engine, model)
}

/// Checks that all reads are exact.
async fn check(engine: &Engine<Simulated>, model: &Model, when: &str) {
    let mut rows: Vec<_> = model.iter().map(|(name, score)| (-score, name)).collect();
    rows.sort_unstable();
    let shown = |((score, name), rank): (&(i64, &String), i64)| format!("[{rank} {name} {}]", -score);
    let top: Vec<_> = rows.iter().zip(1..).map(shown).collect();
    assert_eq!(say(engine, "LB.TOP game 100").await, format!("[{}]", top.join(" ")), "{when}");
    assert_eq!(say(engine, "LB.COUNT game").await, model.len().to_string(), "{when}");
    for ((_, name), rank) in rows.iter().zip(1_i64..).step_by(5) {
        assert_eq!(say(engine, &format!("LB.RANK game {name}")).await, rank.to_string(), "{when}");
    }
    assert_eq!(say(engine, "LB.GETMETA game n3").await, "text", "{when}");
}

/// Adds points to all members.
async fn add_to_all(engine: &Engine<Simulated>, model: &mut Model, id: &str, when: &str) {
    for (name, score) in model.iter_mut() {
        *score += 1_000;
        let said = say(engine, &format!("LB.ADD game 1000 {name} ID {id}{name}")).await;
        assert!(said.starts_with(&format!("[{score} ")) && said.ends_with(" 1]"), "{when}: {said}");
    }
}

fn keys(count: u16) -> Vec<String> {
    let parts = (0..count).map(|number| String::from_utf8(parts(count).key(b"game", number)).unwrap());
    let mut keys: Vec<_> = parts.chain(["game".to_owned()]).collect();
    keys.sort_unstable();
    keys
}

async fn check_spread(servers: &Simulated, engine: &Engine<Simulated>, model: &Model, when: &str) {
    check(engine, model, when).await;
    assert_eq!(field(servers, "game", "state"), "whole", "{when}");
    assert_eq!(servers.keys(), keys(2), "{when}");
    for key in keys(2) {
        assert_eq!(field(servers, &key, "parts"), "2", "{when}");
        assert_eq!(field(servers, &key, "token"), "0", "{when}");
        assert_eq!(field(servers, &key, "schema"), field(servers, "game", "schema"), "{when}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_plain_board_becomes_parts_and_grows() {
    let (servers, living, mut model) = filled().await;
    assert_eq!(say(&living, SPREAD).await, "[2 2]");
    check_spread(&servers, &living, &model, "spread").await;
    assert_eq!(say(&living, SPREAD).await, "[2 2]");
    add_to_all(&living, &mut model, "a", "spread").await;
    assert_eq!(say(&living, "LB.RESHARD game 8 TIMEOUT 60000").await, "[8 8]");
    check(&engine(&servers), &model, "8 parts").await;
    let (servers, old, mut model) = filled().await;
    assert_eq!(say(&engine(&servers), "LB.RESHARD game 4 TIMEOUT 60000").await, "[4 4]");
    // Another gateway that knew a plain board learns that it has parts.
    add_to_all(&old, &mut model, "a", "old").await;
    check(&old, &model, "old").await;
    assert_eq!(servers.keys(), keys(4));
    assert_eq!(say(&old, "LB.REPAIR game").await, "[]");
    assert_eq!(say(&old, "LB.ALTER game VIEWS +week").await, "OK");
    check(&old, &model, "altered").await;
    assert_eq!(say(&old, "DEL game").await, "1");
    assert_eq!(servers.keys(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_gateway_that_dies_while_it_spreads_a_board_is_followed_by_any_other() {
    for after in 0.. {
        let (servers, _, mut model) = filled().await;
        let dying = servers.dying(after);
        let reply = say(&engine(&dying), SPREAD).await;
        if !dying.is_dead() {
            assert_eq!(reply, "[2 2]");
            assert!(after > 12, "{after} commands");
            return;
        }
        let (when, next) = (format!("after {after} commands"), engine(&servers));
        check(&next, &model, &when).await;
        servers.state().pass(6_000);
        // A request that was carried out before is not counted again.
        let again = say(&next, &first_list()).await;
        assert!(again.starts_with("[[1 ") && !again.contains(" 1]"), "{when}: {again}");
        add_to_all(&next, &mut model, "b", &when).await;
        check(&next, &model, &when).await;
        assert_eq!(say(&next, SPREAD).await, "[2 2]", "{when}");
        check_spread(&servers, &next, &model, &when).await;
        let again = say(&next, "LB.ADD game 1000 n3 ID bn3").await;
        assert_eq!(again, format!("[{} nil 0]", model["n3"]), "{when}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_board_that_is_being_spread_is_deleted_with_its_copies() {
    for after in 0..40 {
        let (servers, _, _) = filled().await;
        say(&engine(&servers.dying(after)), SPREAD).await;
        let next = engine(&servers);
        assert_eq!(say(&next, "DEL game").await, "1", "after {after} commands");
        assert_eq!(servers.keys(), Vec::<String>::new(), "after {after} commands");
        assert_eq!(say(&next, "LB.CREATE game PARTS 2").await, "OK");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_takes_over_without_the_last_steps_of_a_spread_loses_nothing() {
    let mut tried = 0;
    for after in 0.. {
        let (servers, _, model) = filled().await;
        let dying = servers.dying(after);
        say(&engine(&dying), SPREAD).await;
        if !dying.is_dead() {
            break;
        }
        // Before the first step and before the first HALVE, the attempt has waited for no replica.
        let is_known = |key: &String| {
            let (part, attempt) = (field(&servers, key, "part"), field(&servers, key, "incarnation"));
            attempt != "0" && (key == "game" || part != "nil")
        };
        let known: Vec<_> = servers.keys().into_iter().filter(is_known).collect();
        let old: Vec<_> = known.into_iter().map(|key| (servers.state().save(key.as_bytes()), key)).collect();
        for (chunks, key) in old {
            let when = format!("{key} as it was after {after} commands");
            servers.state().pass(6_000);
            assert_eq!(say(&engine(&servers), SPREAD).await, "[2 2]", "{when}");
            servers.state().restore(key.as_bytes(), &chunks);
            servers.state().pass(6_000);
            let next = engine(&servers);
            assert_eq!(say(&next, SPREAD).await, "[2 2]", "{when}");
            check_spread(&servers, &next, &model, &when).await;
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

#[tokio::test(start_paused = true)]
async fn a_lost_root_that_was_written_to_is_told_apart_from_a_plain_board() {
    let (servers, _, mut model) = filled().await;
    let dying = servers.dying(4);
    say(&engine(&dying), SPREAD).await;
    let held = servers.state().save(b"game");
    servers.state().pass(6_000);
    let next = engine(&servers);
    assert_eq!(say(&next, SPREAD).await, "[2 2]");
    add_to_all(&next, &mut model, "c", "spread").await;
    // A server takes over that has not heard of the root, and a client writes to it.
    servers.state().restore(b"game", &held);
    servers.direct("LB.ADD game 5 n1");
    let next = engine(&servers);
    let said = say(&next, SPREAD).await;
    assert!(
        said.starts_with("ERR this board is a root that a server has lost, and was written to since"),
        "{said}"
    );
    assert_eq!(say(&next, "RENAME game other").await, "OK");
    let said = say(&engine(&servers), "LB.REPAIR game").await;
    assert!(said.contains("made the root again from 2 of 2 parts"), "{said}");
    check(&engine(&servers), &model, "repaired").await;
}

#[tokio::test(start_paused = true)]
async fn reads_are_exact_and_writes_count_once_while_a_board_is_spread() {
    let (servers, _, mut model) = filled().await;
    let (spreader, user) = (engine(&servers), engine(&servers));
    let spreading = async {
        assert_eq!(say(&spreader, "LB.RESHARD game 4 TIMEOUT 60000").await, "[4 4]");
    };
    let using = async {
        for round in 0..4 {
            add_to_all(&user, &mut model, &format!("r{round}"), &format!("round {round}")).await;
            check(&user, &model, &format!("round {round}")).await;
        }
    };
    tokio::join!(spreading, using);
    check(&engine(&servers), &model, "at the end").await;
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_spread_says_why_and_changes_nothing() {
    let (servers, engine, _) = filled().await;
    for (options, rule) in [
        ("TIES LEX", "TIES LEX"),
        ("KEEP 9", "KEEP"),
        ("CLOCK EVENT", "CLOCK EVENT"),
        ("SHOWN", "SHOWN"),
        ("DECLARED", "DECLARED"),
        ("VIEWS all,day RETAIN 0", "RETAIN 0"),
        ("LIMIT daily VOTER 1 day", "LIMIT"),
    ] {
        assert_eq!(say(&engine, &format!("LB.CREATE other {options}")).await, "OK", "{options}");
        let before = servers.state().save(b"other");
        let said = say(&engine, "LB.RESHARD other 4").await;
        assert_eq!(said, format!("ERR {rule} is not possible with parts"));
        assert_eq!(servers.state().save(b"other"), before);
        assert_eq!(say(&engine, "DEL other").await, "1");
    }
    let key = String::from_utf8(parts(2).key(b"game", 1)).unwrap();
    servers.direct(&format!("SET {key} text"));
    let said = say(&engine, SPREAD).await;
    assert_eq!(said, format!("ERR the key of a new part holds something else: {key}"));
    assert_eq!(servers.keys(), ["game".to_owned(), key.clone()]);
    // The plain board takes writes again at once.
    assert_eq!(say(&engine, "LB.ADD game 7 new").await, "[7 24 1]");
    servers.direct(&format!("DEL {key}"));
    assert_eq!(say(&engine, SPREAD).await, "[2 2]");
    servers.direct("SET text text");
    assert_eq!(say(&engine, "LB.RESHARD text 4").await, "ERR the key holds no board");
}
