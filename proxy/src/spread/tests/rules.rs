//! Tests of boards that are made, altered and deleted over parts, also by several gateways, and in several attempts.

use tokio::join;

use super::*;
use crate::spread::simulated::{Fault, NOW};

fn all_keys() -> Vec<String> {
    let mut keys: Vec<_> = (0..4).map(|part| String::from_utf8(key(part)).unwrap()).collect();
    keys.push("game".to_owned());
    keys.sort();
    keys
}

#[tokio::test(start_paused = true)]
async fn all_parts_and_a_root_and_nothing_else() {
    let (servers, engine) = start();
    assert_eq!(say(&engine, "LB.CREATE game VIEWS all,day NX PARTS 4").await, "1");
    assert_eq!(servers.keys(), all_keys());
    assert_eq!(say(&engine, "LB.CREATE game VIEWS all,day NX PARTS 4").await, "0");
    assert_eq!(say(&engine, "LB.CREATE game PARTS 4").await, "BOARDEXISTS the board exists already");
    assert_eq!(say(&engine, "LB.CREATE other LIKE game PARTS 4").await, "ERR over parts, LIKE is not known");
    assert_eq!(say(&engine, "DEL game").await, "1");
    assert_eq!(servers.keys(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_board_half_made_is_completed() {
    let (servers, engine) = start();
    servers.fault(&key(3), Some(Fault::Cut));
    let create = "LB.CREATE game VIEWS day PARTS 4 TIMEOUT 200";
    assert_eq!(say(&engine, create).await, "PARTSDOWN 1 of 4 parts did not answer");
    assert_eq!(servers.keys().len(), 3, "no root, and no board on trial");
    servers.fault(&key(3), None);
    let other = say(&engine, "LB.CREATE game VIEWS week PARTS 4").await;
    assert_eq!(other, "ERR part 0 exists with other rules");
    assert_eq!(servers.keys().len(), 3, "nothing more is made by other rules");
    assert_eq!(say(&engine, create).await, "OK");
    assert_eq!(servers.keys(), all_keys());
}

#[tokio::test(start_paused = true)]
async fn a_key_of_a_part_that_is_something_else() {
    let (servers, engine) = start();
    servers.direct(&format!("SET {} text", all_keys()[2]));
    let refused = say(&engine, "LB.CREATE game PARTS 4").await;
    assert!(refused.starts_with("WRONGTYPE") || refused.contains("did not answer"), "{refused}");
    assert!(!servers.keys().contains(&"game".to_owned()));
    assert_eq!(servers.direct(&format!("GET {}", all_keys()[2])), Value::BulkString(b"text".to_vec()));
}

#[tokio::test(start_paused = true)]
async fn two_gateways_that_make_the_same_board_make_one() {
    let (servers, one) = start();
    let other = engine(&servers);
    let create = "LB.CREATE game VIEWS day PARTS 4";
    let (first, second) = join!(say(&one, create), say(&other, create));
    let mut said = [first, second];
    said.sort();
    assert_eq!(said, ["BOARDEXISTS the board exists already", "OK"]);
    assert_eq!(servers.keys(), all_keys());
    let with_other_rules = [("DEL game", "DEL game"), (create, "LB.CREATE game VIEWS week PARTS 4")];
    for (line, of_other) in with_other_rules {
        let (first, second) = join!(say(&one, line), say(&other, of_other));
        assert!(
            [&first, &second].iter().any(|said| ["OK", "1"].contains(&said.as_str())),
            "{first} {second}"
        );
    }
    assert_eq!(servers.keys(), all_keys());
    assert_eq!(say(&one, &format!("LB.ADD game 1 {}", member(2))).await, "[1 nil 1]");
}

#[tokio::test(start_paused = true)]
async fn all_parts_are_altered_and_the_root() {
    let (servers, engine) = with_board().await;
    assert_eq!(say(&engine, "LB.ALTER game DEDUP 60").await, "OK");
    assert_eq!(servers.keys(), all_keys());
    assert!(say(&engine, "LB.INFO game").await.contains("dedup=60"));
    // A part with the new rules would refuse the command. This does not matter, because no command is sent to such a
    // part.
    servers.fault(&key(2), Some(Fault::Cut));
    let alter = "LB.ALTER game VIEWS +day";
    assert_eq!(say(&engine, alter).await, "PARTSDOWN 1 of 4 parts did not answer");
    servers.fault(&key(2), None);
    servers.fault(&key(3), Some(Fault::Lost("LB.ALTER")));
    assert!(say(&engine, alter).await.starts_with("UNKNOWN "));
    servers.fault(&key(3), None);
    assert_eq!(say(&engine, alter).await, "OK");
    assert!(say(&engine, "LB.INFO game").await.contains("members=0"));
    assert_eq!(say(&engine, alter).await, "ERR view 'day' is named twice");
    assert_eq!(servers.keys(), all_keys());
}

#[tokio::test(start_paused = true)]
async fn a_part_with_rules_of_its_own_is_found_out() {
    let (servers, engine) = with_board().await;
    servers.direct(&format!("LB.ALTER {} DEDUP 7", String::from_utf8(key(1)).unwrap()));
    let refused = say(&engine, "LB.ALTER game DEDUP 60").await;
    assert_eq!(refused, "ERR the parts do not agree: part 1 has other rules, of another LB.ALTER");
    assert_eq!(say(&engine, "LB.INFO game").await, "ERR the parts do not agree: part 1 has other rules");
    assert_eq!(say(&engine, "LB.ALTER game DEDUP 7").await, "OK", "what the part has, the others can get");
    assert!(say(&engine, "LB.INFO game").await.contains("dedup=7"));
}

#[tokio::test(start_paused = true)]
async fn whole_boards_are_altered_as_they_are() {
    let (servers, engine) = start();
    servers.direct("LB.CREATE plain");
    assert_eq!(say(&engine, "LB.ALTER plain DEDUP 60").await, "OK");
    assert_eq!(say(&engine, "LB.ALTER nothing DEDUP 60").await, "NOBOARD the board does not exist");
    assert!(say(&engine, "LB.INFO plain").await.contains("dedup=60"));
    assert_eq!(say(&engine, "LB.INFO nothing").await, "nil");
}

/// Returns the memory of a board, as its `LB.INFO` reports it.
fn memory(info: &Value) -> u64 {
    let told = shown(info);
    let memory = told.split(' ').find_map(|field| field.strip_prefix("memory="));
    memory.unwrap().parse().unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_parts_tell_together() {
    let (servers, engine) = with_board().await;
    let list: String = (0..4).map(|part| format!(" 1 {}", member(part))).collect();
    assert!(say(&engine, &format!("LB.MADD game ID r{list}")).await.starts_with("[["));
    let info = say(&engine, "LB.INFO game").await;
    let memory: u64 =
        servers.keys().iter().map(|key| memory(&servers.direct(&format!("LB.INFO {key}")))).sum();
    for field in ["members=4", &format!("memory={memory}"), "parts=4", "part=nil", &format!("now={NOW}")] {
        assert!(info.contains(field), "{field} in {info}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_board_that_is_not_ended_whole_keeps_its_root() {
    let (servers, engine) = with_board().await;
    servers.direct("SET x 1");
    servers.fault(&key(1), Some(Fault::Cut));
    assert_eq!(say(&engine, "UNLINK game").await, "PARTSDOWN 1 of 4 parts did not answer");
    assert!(servers.keys().contains(&"game".to_owned()));
    servers.fault(&key(1), None);
    assert_eq!(say(&engine, "DEL game x nothing").await, "2");
    assert_eq!(servers.keys(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn commands_that_would_tear_a_board_apart() {
    let (servers, engine) = with_board().await;
    for line in ["EXPIRE game 100", "RENAME game other", "COPY game other"] {
        let name = line.split(' ').next().unwrap();
        assert_eq!(say(&engine, line).await, format!("ERR {name} does not work over parts"));
    }
    assert_eq!(servers.keys(), all_keys());
}

#[tokio::test(start_paused = true)]
async fn who_may_not_delete_leaves_no_board_on_trial() {
    let (servers, engine) = start();
    servers.fault(
        b"*",
        Some(Fault::Refuses("DEL", "NOPERM this user has no permissions to run the 'del' command")),
    );
    let refused = say(&engine, "LB.CREATE game PARTS 4").await;
    assert!(refused.starts_with("NOPERM "), "{refused}");
    assert_eq!(servers.keys(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_whole_board_in_the_key_of_a_known_root_is_refused_by_the_server() {
    let (_, engine) = with_board().await;
    assert_eq!(say(&engine, "LB.COUNT game").await, "0", "the engine knows the root");
    assert_eq!(say(&engine, "LB.CREATE game").await, "BOARDEXISTS the board exists already");
    assert_eq!(say(&engine, "LB.CREATE game NX").await, "0");
    assert_eq!(say(&engine, "LB.COUNT game").await, "0");
    assert_eq!(say(&engine, "DEL game").await, "1");
    assert_eq!(say(&engine, "LB.CREATE game").await, "OK");
    assert_eq!(say(&engine, "LB.ADD game 5 ann").await, "[5 1 1]");
}
