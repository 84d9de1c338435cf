//! Tests of boards that are spread over parts. The console shows each of them as one board.

use serde_json::json;

use crate::servers::{Server, run};
use crate::setup::{rows, say};
use crate::support::{Api, encoded, shared};

/// Makes a board of four parts, and returns the keys of the parts.
fn spread(server: &Server, key: &str) -> Vec<String> {
    say(server, &format!("LB.CREATE {key} VIEWS all,day PARTS 4"));
    let told = run(&mut server.connection(), &["LB.INFO", key]);
    let info: std::collections::HashMap<String, redis::Value> = redis::from_redis_value(told).unwrap();
    let keys: Vec<String> = redis::from_redis_value(info["keys"].clone()).unwrap();
    for (number, part) in keys.iter().enumerate() {
        say(server, &format!("LB.CREATE {part} VIEWS all,day PART {number} OF 4"));
    }
    keys
}

fn add(api: &Api, key: &str, member: &str, points: u64) -> serde_json::Value {
    api.post(&format!("/boards/{key}/members/{member}/score"), json!({"points": points})).value(200)
}

#[test]
fn a_board_of_parts_is_one_board() {
    let pair = shared();
    let api = pair.api();
    spread(&pair.server, "p:one");
    for (number, member) in ["ann", "bob", "cid", "dora", "eve"].into_iter().enumerate() {
        let added = add(&api, "p:one", member, 10 * (number as u64 + 1));
        assert_eq!([&added["rank"], &added["applied"]], [&json!(null), &json!(true)]);
    }
    let top = [(1, "eve", "50"), (2, "dora", "40"), (3, "cid", "30")];
    api.get("/boards/p:one/top?count=3").is(200, rows(&top));
    assert_eq!(api.get("/boards/p:one/members/bob").value(200)["rank"], 4);
    assert_eq!(api.get("/boards/p:one").value(200)["members"], 5);
    let text = redis::Value::SimpleString("lb-board1".to_owned());
    assert_eq!(say(&pair.server, "TYPE p:one"), text);
}

#[test]
fn scores_of_a_file_go_to_all_parts() {
    let pair = shared();
    let api = pair.api();
    spread(&pair.server, "p:file");
    let put = |score: u64| {
        let lines: String = (0..3_000).map(|number| format!("m{number},{}\n", score + number)).collect();
        let file = format!("member,score\n{lines}");
        api.text("PUT", "/boards/p:file/scores.csv", "text/csv", file.as_bytes()).status(200);
    };
    for score in [1, 50, 1] {
        put(score);
        for number in [0, 1_234, 2_999] {
            let member = api.get(&format!("/boards/p:file/members/m{number}")).value(200);
            assert_eq!(member["score"], json!((score + number).to_string()));
        }
        assert_eq!(api.get("/boards/p:file").value(200)["members"], 3_000);
    }
}

#[test]
fn large_replies_of_parts_come_in_pieces_too() {
    let pair = shared();
    let api = pair.api();
    spread(&pair.server, "p:large");
    let ops = |from: u64| {
        let add = |number: u64| {
            let (member, meta) = (format!("m{number}"), format!("text {number}"));
            json!({"op": "add", "key": "p:large", "member": member, "points": number, "meta": meta})
        };
        json!({"ops": (from..from + 100).map(add).collect::<Vec<_>>()})
    };
    for from in [1, 101, 201] {
        api.post("/batch", ops(from)).status(200);
    }
    let rows = api.get("/boards/p:large/top?count=300&meta=true").value(200)["rows"].clone();
    let row = |place: u64| {
        let number = 301 - place;
        let (member, meta) = (format!("m{number}"), format!("text {number}"));
        json!({"rank": place, "member": member, "score": number.to_string(), "meta": meta})
    };
    assert_eq!(rows, json!((1..=300).map(row).collect::<Vec<_>>()));
}

#[test]
fn rules_are_changed_in_all_parts() {
    let pair = shared();
    let api = pair.api();
    let keys = spread(&pair.server, "p:rules");
    assert_eq!(api.patch("/boards/p:rules", json!({"dedup": 60})).value(200)["dedup"], 60);
    for part in keys {
        assert_eq!(api.get(&format!("/boards/{}", encoded(&part))).value(200)["dedup"], 60, "{part}");
    }
    add(&api, "p:rules", "ann", 5);
}

#[test]
fn a_deleted_board_leaves_no_parts() {
    let pair = shared();
    let api = pair.api();
    let keys = spread(&pair.server, "p:gone");
    add(&api, "p:gone", "ann", 5);
    api.delete("/boards/p:gone?confirm=p:gone").empty(204);
    for part in keys.iter().map(String::as_str).chain(["p:gone"]) {
        assert_eq!(say(&pair.server, &format!("EXISTS {part}")), redis::Value::Int(0), "{part}");
    }
}

#[test]
fn a_part_that_is_gone_is_no_empty_part() {
    let pair = shared();
    let api = pair.api();
    let keys = spread(&pair.server, "p:half");
    say(&pair.server, &format!("DEL {}", keys[2]));
    let detail = api.get("/boards/p:half/top").problem(503);
    assert!(detail.contains("part 2 of 4 is lost"), "{detail}");
}
