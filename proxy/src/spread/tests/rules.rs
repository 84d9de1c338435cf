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
async fn a_board_whose_parts_cannot_be_made_is_not_begun() {
    let (servers, engine) = start();
    servers.fault(&key(3), Some(Fault::Cut));
    let create = "LB.CREATE game VIEWS day PARTS 4 TIMEOUT 200";
    assert_eq!(say(&engine, create).await, "PARTSDOWN 1 of 4 parts did not answer");
    assert_eq!(servers.keys(), Vec::<String>::new());
    servers.fault(&key(3), Some(Fault::Refuses("LB.CREATE", "OOM command not allowed")));
    assert_eq!(say(&engine, create).await, "OOM command not allowed");
    servers.fault(&key(3), None);
    let other = say(&engine, "LB.CREATE game VIEWS week PARTS 4").await;
    assert_eq!(other, "BOARDEXISTS the board exists already", "the board is completed, with its own rules");
    assert_eq!(say(&engine, create).await, "OK", "the client that began gets the reply");
    assert_eq!(say(&engine, create).await, "BOARDEXISTS the board exists already");
    assert_eq!(servers.keys(), all_keys());
}

#[tokio::test(start_paused = true)]
async fn a_key_of_a_part_that_is_something_else() {
    let (servers, engine) = start();
    servers.direct(&format!("SET {} text", all_keys()[2]));
    let refused = say(&engine, "LB.CREATE game PARTS 4").await;
    assert!(refused.contains("holds something else: game:{"), "{refused}");
    assert_eq!(servers.keys(), [all_keys()[2].clone()]);
    assert_eq!(servers.direct(&format!("GET {}", all_keys()[2])), Value::BulkString(b"text".to_vec()));
}

#[tokio::test(start_paused = true)]
async fn two_gateways_that_make_the_same_board_make_one() {
    let (servers, one) = start();
    let other = engine(&servers);
    let create = "LB.CREATE game VIEWS day PARTS 4";
    let (first, second) = join!(say(&one, create), say(&other, create));
    // The same command may be a repetition, whose client did not get the first reply.
    assert_eq!([first, second], ["OK", "OK"]);
    assert_eq!(say(&one, create).await, "BOARDEXISTS the board exists already");
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
    servers.fault(&key(2), Some(Fault::Cut));
    let alter = "LB.ALTER game VIEWS +day";
    let begun = "UNKNOWN the command has begun and is not finished: 1 of 4 parts did not answer: repeat it";
    assert_eq!(say(&engine, alter).await, begun);
    servers.fault(&key(2), None);
    servers.fault(&key(3), Some(Fault::Lost("LB.CATALOG")));
    let lost = say(&engine, alter).await;
    assert_eq!(lost, "PARTSDOWN 1 of 4 parts did not answer", "this call has not altered the root");
    servers.fault(&key(3), None);
    assert_eq!(say(&engine, alter).await, "OK");
    assert!(say(&engine, "LB.INFO game").await.contains("members=0"));
    assert_eq!(say(&engine, alter).await, "ERR view 'day' is named twice");
    assert_eq!(servers.keys(), all_keys());
}

#[tokio::test(start_paused = true)]
async fn a_part_with_rules_of_its_own_gets_those_of_the_root() {
    let (servers, engine) = with_board().await;
    servers.direct(&format!("LB.ALTER {} DEDUP 7", String::from_utf8(key(1)).unwrap()));
    let refused = say(&engine, "LB.INFO game").await;
    let wanted =
        "ERR the parts do not agree: part 1 has rules of its own: LB.REPAIR game gives it those of the root";
    assert_eq!(refused, wanted);
    assert_eq!(say(&engine, "LB.REPAIR game").await, "[gave part 1 the rules with the number 0]");
    assert_eq!(say(&engine, "LB.REPAIR game").await, "[]");
    assert!(say(&engine, "LB.INFO game").await.contains("dedup=600"));
    servers.direct(&format!("LB.ALTER {} DEDUP 7 VIEWS +day", String::from_utf8(key(2)).unwrap()));
    assert_eq!(say(&engine, "LB.ALTER game DEDUP 60").await, "OK");
    assert!(say(&engine, "LB.INFO game").await.contains("dedup=60"));
    assert_eq!(say(&engine, "LB.COUNT game").await, "0");
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
    assert_eq!(
        say(&engine, "UNLINK game").await,
        "UNKNOWN the command has begun and is not finished: 1 of 4 parts did not answer: repeat it"
    );
    assert!(servers.keys().contains(&"game".to_owned()));
    assert_eq!(say(&engine, "LB.COUNT game").await, "PARTSDOWN 1 of 4 parts did not answer");
    servers.fault(&key(1), None);
    assert_eq!(say(&engine, "DEL game x nothing").await, "2");
    assert_eq!(servers.keys(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn commands_that_would_tear_a_board_apart() {
    let (servers, engine) = with_board().await;
    let part = String::from_utf8(key(2)).unwrap();
    for key in ["game", &part] {
        for line in [
            format!("EXPIRE {key} 100"),
            format!("pexpireat {key} 100"),
            format!("RENAME {key} other"),
            format!("RENAME other {key}"),
            format!("COPY {key} other"),
            format!("COPY other {key} REPLACE"),
            format!("SET {key} text"),
            format!("MSET other text {key} text"),
            format!("ZUNIONSTORE {key} 1 other"),
            format!("SORT other STORE {key}"),
            format!("LB.UNION {key} 1 other"),
        ] {
            let name = line.split(' ').next().unwrap().to_uppercase();
            let refused = say(&engine, &line).await;
            let by_server =
                refused.ends_with("the key holds the root or a part of a board, and has to keep it");
            assert!(
                refused == format!("ERR {name} does not work over parts") || by_server,
                "{line}: {refused}"
            );
        }
    }
    assert_eq!(
        say(&engine, &format!("DEL {part}")).await,
        "ERR DEL: the key holds a part of a board: name the board"
    );
    assert_eq!(say(&engine, "SET other text").await, "OK");
    assert_eq!(say(&engine, "DEL other").await, "1");
    assert_eq!(servers.keys(), all_keys());
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
