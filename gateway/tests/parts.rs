//! Tests of boards that are spread over parts. The console shows each of them as one board.

mod twins;

use serde_json::json;

use crate::servers::{Server, run, wait_until};
use crate::setup::{rows, say};
use crate::support::{Api, encoded, shared};

/// Makes a board of four parts, and returns the keys of the parts.
fn spread(server: &Server, key: &str) -> Vec<String> {
    spread_by(server, key, "VIEWS all,day", "")
}

/// As [`spread`], with these rules. Only the root has prizes.
fn spread_by(server: &Server, key: &str, rules: &str, prizes: &str) -> Vec<String> {
    say(server, &format!("LB.CREATE {key} {rules} {prizes} PARTS 4"));
    let told = run(&mut server.connection(), &["LB.INFO", key]);
    let info: std::collections::HashMap<String, redis::Value> = redis::from_redis_value(told).unwrap();
    let keys: Vec<String> = redis::from_redis_value(info["keys"].clone()).unwrap();
    for (number, part) in keys.iter().enumerate() {
        say(server, &format!("LB.CREATE {part} {rules} PART {number} OF 4"));
    }
    keys
}

/// The server's present time in ms.
fn now() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a time");
    now.as_millis() as u64
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
fn the_list_of_boards_has_no_parts_but_lost_ones() {
    let pair = shared();
    let api = pair.api();
    let parts = spread(&pair.server, "p:listed");
    let lost = spread(&pair.server, "p:rootless");
    say(&pair.server, "DEL p:rootless");
    // These have the form of a part's key, and are boards of their own.
    for board in ["p:listed:{0}", "p:plain", "p:plain:{1}"] {
        assert!(!parts.iter().any(|part| part == board));
        say(&pair.server, &format!("LB.CREATE {board}"));
    }
    let listed = |filter: &str| {
        let boards = api.get(&format!("/boards?kind=board&filter={filter}")).value(200)["boards"].clone();
        let keys =
            boards.as_array().expect("a list").iter().map(|board| board["key"].as_str().expect("a key"));
        keys.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(listed("p:listed"), ["p:listed", "p:listed:{0}"]);
    assert_eq!(listed("p:plain"), ["p:plain", "p:plain:{1}"]);
    let mut lost = lost;
    lost.sort();
    assert_eq!(listed("p:rootless"), lost);
    let page = api.get("//boards?filter=p:listed").status(200);
    assert!(!page.text().contains(&encoded(&parts[0])), "{}", page.text());
}

#[test]
fn the_file_of_a_period_has_the_prizes_of_all_parts() {
    const PERIOD: u64 = 3_000;
    let pair = shared();
    let api = pair.api();
    spread_by(&pair.server, "p:prizes", "VIEWS 3s RETAIN 100", "PRIZES 3s 1=gold,2-3=silver");
    // The writes fit into one period, on each part: a late write changes no ended period.
    wait_until(|| now() % PERIOD < PERIOD / 10);
    let at = now();
    for (points, member) in [(9, "ann"), (8, "bob"), (7, "cid"), (6, "dora"), (5, "eve")] {
        let body = json!({"points": points, "at": at});
        api.post(&format!("/boards/p:prizes/members/{member}/score"), body).status(200);
    }
    let period = || {
        let periods = api.get("/boards/p:prizes/periods?view=3s").value(200)["periods"].clone();
        let of_writes =
            |period: &&serde_json::Value| period["start"].as_u64().is_some_and(|start| start <= at);
        periods.as_array().expect("a list").iter().find(of_writes).expect("a period").clone()
    };
    wait_until(|| period()["end"].as_u64().is_some_and(|end| end < now()));
    let period = period()["label"].as_str().expect("a label").to_owned();
    let file = |form: &str| api.get(&format!("/boards/p:prizes/periods/{period}.{form}")).status(200);
    assert_eq!(
        file("csv").text(),
        "\u{feff}rank,member,meta,score,prize,claimed\n1,ann,,9,gold,\n2,bob,,8,silver,\n3,cid,,7,silver,\n\
         4,dora,,6,,\n5,eve,,5,,\n"
    );
    let claim = format!("/boards/p:prizes/claims/bob?period={period}");
    assert_eq!(api.once("pay-1").send("PUT", &claim, None).value(200)["first"], true);
    // A winner that was paid stays in the file, also when no row shows it.
    api.post("/boards/p:prizes/members/bob/hidden", json!({})).status(200);
    let text = file("jsonl").text().to_owned();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let members: Vec<_> = lines.iter().map(|line| line["member"].as_str().expect("a name")).collect();
    assert_eq!(members, ["ann", "bob", "cid", "dora", "eve"]);
    assert!(lines[1]["claimed"].as_u64().is_some_and(|claimed| claimed > at), "{text}");
    assert_eq!(
        lines.iter().map(|line| line["prize"].clone()).collect::<Vec<_>>(),
        [json!("gold"), json!("silver"), json!("silver"), json!(null), json!(null)]
    );
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
