//! Tests that write scores and texts, and that hide and remove members.

use serde_json::{Value, json};

use crate::servers::{Flavor, Server, digest};
use crate::setup::{make, rows, say};
use crate::support::{Api, Gateway, encoded, shared};

fn written(score: &str, rank: u64, applied: bool) -> Value {
    json!({"score": score, "rank": rank, "applied": applied})
}

#[test]
fn points_are_added() {
    let pair = shared();
    let api = pair.api();
    let path = "/boards/s:add/members/ann/score";
    api.post(path, json!({"points": "5"})).is(200, written("5", 1, true));
    api.post(path, json!({"points": 2})).is(200, written("7", 1, true));
    api.post(path, json!({"points": -3, "meta": "Ann"})).is(200, written("4", 1, true));
    api.get("/boards/s:add/members/ann/meta").is(200, json!({"meta": "Ann"}));
    make(&api, "s:day", json!({"views": "all,day", "clock": "event"}));
    let path = "/boards/s:day/members/ann/score";
    api.post(path, json!({"points": 5, "at": 1000})).is(200, written("5", 1, true));
    api.post(path, json!({"points": 1, "at": "86400000", "view": "day"})).is(200, written("1", 1, true));
    api.get("/boards/s:day/top").is(200, rows(&[(1, "ann", "6")]));
    api.post(path, json!({"points": 1})).names(422, &["AT"]);
}

#[test]
fn scores_are_set() {
    let pair = shared();
    let api = pair.api();
    let (ann, bob) = ("/boards/s:set/members/ann/score", "/boards/s:set/members/bob/score");
    api.put(ann, json!({"score": "7"})).is(200, written("7", 1, true));
    api.put(bob, json!({"score": 9, "nx": true})).is(200, written("9", 1, true));
    api.put(bob, json!({"score": 3, "nx": true})).is(200, written("9", 1, false));
    api.put(ann, json!({"score": 3, "gt": true})).is(200, written("7", 2, false));
    api.put(ann, json!({"score": 3, "lt": true, "xx": true})).is(200, written("3", 2, true));
    api.put(ann, json!({"score": 4, "gt": true, "meta": "Ann"})).is(200, written("4", 2, true));
    api.get("/boards/s:set/top?meta=true&offset=1")
        .is(200, json!({"rows": [{"rank": 2, "member": "ann", "score": "4", "meta": "Ann"}]}));
    let nobody = json!({"score": null, "rank": null, "applied": false});
    api.put("/boards/s:set/members/cat/score", json!({"score": 5, "xx": true})).is(200, nobody);
    api.put(ann, json!({"score": 5, "nx": true, "xx": true})).problem(422);
    make(&api, "s:set:event", json!({"views": "all,day", "clock": "event"}));
    let body = json!({"score": 5, "at": 1000, "view": "day"});
    api.put("/boards/s:set:event/members/ann/score", body).is(200, written("5", 1, true));
}

#[test]
fn a_repeated_request_is_told_and_changes_nothing() {
    let pair = shared();
    let api = pair.api();
    let mut con = pair.server.connection();
    let (ann, bob) = ("/boards/s:once/members/ann/score", "/boards/s:once/members/bob/score");
    api.once("a").post(ann, json!({"points": 5})).is(200, written("5", 1, true));
    api.once("b").put(bob, json!({"score": 7})).is(200, written("7", 1, true));
    let before = digest(&mut con, "s:once");
    api.once("a").post(ann, json!({"points": 5})).is(200, written("5", 2, false));
    api.once("a").post(ann, json!({"points": "5"})).is(200, written("5", 2, false));
    api.once("b").put(bob, json!({"score": 7})).is(200, written("7", 1, false));
    for reply in [
        api.once("a").post(ann, json!({"points": 6})),
        api.once("a").post(bob, json!({"points": 5})),
        api.once("a").put(ann, json!({"score": 5})),
        api.once("b").put(bob, json!({"score": 8})),
        api.once("b").post("/boards/s:once/votes", json!({"votes": [{"member": "bob", "votes": 7}]})),
    ] {
        assert_eq!(reply.problem_value(409)["type"], "urn:leaderboard:request-reused");
    }
    assert_eq!(digest(&mut con, "s:once"), before);
}

#[test]
fn an_idempotency_key_has_a_length() {
    let pair = shared();
    let api = pair.api();
    let path = "/boards/s:ids/members/ann/score";
    api.once(&"x".repeat(256)).post(path, json!({"points": 5})).is(200, written("5", 1, true));
    api.once(&"x".repeat(256)).post(path, json!({"points": 5})).is(200, written("5", 1, false));
    for id in ["", &"x".repeat(257)] {
        api.once(id).post(path, json!({"points": 5})).names(400, &["dempotency-"]);
        api.once(id).put(path, json!({"score": 5})).names(400, &["dempotency-"]);
    }
    // Two different ids in one request are an error of the client.
    api.once("a").once("b").post(path, json!({"points": 5})).names(400, &["dempotency-"]);
    api.get("/boards/s:ids/top").is(200, rows(&[(1, "ann", "5")]));
}

#[test]
fn refused_scores_change_nothing() {
    let pair = shared();
    let api = pair.api();
    let mut con = pair.server.connection();
    api.post("/boards/s:refused/members/ann/score", json!({"points": 5})).status(200);
    let before = digest(&mut con, "s:refused");
    let path = "/boards/s:refused/members/ann/score";
    for (body, word) in [
        (json!({"points": "1.5"}), "points"),
        (json!({"points": 1.5}), "points"),
        (json!({"points": "1e3"}), "points"),
        (json!({"points": ""}), "points"),
        (json!({"points": "nan"}), "points"),
        (json!({"points": null}), "points"),
        (json!({"points": true}), "points"),
        (json!({"points": [5]}), "points"),
        (json!({"points": {"n": 5}}), "points"),
        (json!({}), "points"),
        (json!({"points": 1, "score": 1}), "score"),
        (json!({"points": 1, "nx": true}), "nx"),
        (json!({"points": 1, "at": "noon"}), "at"),
        (json!({"points": 1, "at": -1}), "at"),
        (json!({"points": 1, "view": "week"}), "week"),
        (json!({"points": 1, "view": 5}), "view"),
        (json!({"points": 1, "meta": 5}), "meta"),
        (json!({"points": 1, "meta": "x".repeat(4097)}), "meta"),
        (json!({"points": 1, "Points": 1}), "Points"),
    ] {
        let problem = api.post(path, body.clone()).refused();
        let detail = problem["detail"].as_str().expect("a detail").to_lowercase();
        assert!(detail.contains(&word.to_lowercase()), "{body}: {detail} does not name {word}");
    }
    // More digits than the board stores are an error, unless the additional digits are zeros.
    for body in [
        json!({"score": "9223372036854775808"}),
        json!({"score": 1e30}),
        json!({"score": "12/5"}),
        json!({"gt": true}),
    ] {
        api.put(path, body).refused();
    }
    api.post(&format!("/boards/s:refused/members/{}/score", "x".repeat(513)), json!({"points": 1})).refused();
    api.post("/boards/s:refused/members//score", json!({"points": 1})).problem_value_in(&[400, 404]);
    assert_eq!(digest(&mut con, "s:refused"), before);
}

#[test]
fn texts_are_kept_beside_members() {
    let pair = shared();
    let api = pair.api();
    let path = "/boards/s:meta/members/ann/meta";
    api.get(path).problem(404);
    api.put(path, json!({"meta": "Ann ü \u{0}"})).empty(204);
    api.get(path).is(200, json!({"meta": "Ann ü \u{0}"}));
    api.put(path, json!({"meta": ""})).empty(204);
    api.get(path).problem(404);
    for body in [
        json!({}),
        json!({"meta": 5}),
        json!({"meta": "a", "meta_b64": "YQ=="}),
        json!({"meta_b64": "!"}),
        json!({"text": "a"}),
    ] {
        api.put(path, body).refused();
    }
    api.put(path, json!({"meta": "x".repeat(4097)})).problem(422);
    api.get(path).problem(404);
}

#[test]
fn members_are_removed_by_name() {
    let pair = shared();
    let api = pair.api();
    say(&pair.server, "LB.MADD s:rem 5 ann 4 bob");
    for confirm in ["", "?confirm=", "?confirm=bob"] {
        api.delete(&format!("/boards/s:rem/members/ann{confirm}")).refuses(&["confirm"]);
    }
    api.get("/boards/s:rem/top").is(200, rows(&[(1, "ann", "5"), (2, "bob", "4")]));
    api.delete("/boards/s:rem/members/ann?confirm=ann").empty(204);
    api.delete("/boards/s:rem/members/ann?confirm=ann").problem(404);
    api.delete("/boards/s:absent/members/ann?confirm=ann").problem(404);
    api.get("/boards/s:rem/top").is(200, rows(&[(1, "bob", "4")]));
}

#[test]
fn members_are_hidden_and_shown_again() {
    let pair = shared();
    let api = pair.api();
    say(&pair.server, "LB.MADD s:hide 5 ann 4 bob");
    hide(&api, "ann", true);
    hide(&api, "ann", false);
    api.get("/boards/s:hide/hidden").is(200, json!({"members": [{"member": "ann"}]}));
    api.get("/boards/s:hide/top").is(200, rows(&[(1, "bob", "4")]));
    assert_eq!(api.get("/boards/s:hide/members/ann").value(200)["rank"], 1);
    api.delete("/boards/s:hide/members/ann/hidden").is(200, json!({"changed": true}));
    api.delete("/boards/s:hide/members/ann/hidden").is(200, json!({"changed": false}));
    api.get("/boards/s:hide/top").is(200, rows(&[(1, "ann", "5"), (2, "bob", "4")]));
}

#[track_caller]
fn hide(api: &Api, member: &str, changed: bool) {
    let path = format!("/boards/s:hide/members/{}/hidden", encoded(member));
    api.send("POST", &path, Some(b"")).is(200, json!({"changed": changed}));
}

#[test]
fn scores_come_from_a_file() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let api = gateway.api();
    say(&server, "LB.CREATE cup DECIMALS 1 BOUNDS 0 50");
    say(&server, "LB.MADD cup 1.5 ann 2 bob 3 cem");
    let put = |query: &str, body: &str| {
        api.text("PUT", &format!("/boards/cup/scores.csv{query}"), "text/csv; charset=utf-8", body.as_bytes())
    };
    let file = "\u{feff}Rank;Member;Score\r\n1;ann;1,5\r\n2;bob;9,5\r\n3;dan;100\r\n";
    let told = put("?dry_run=true", file).value(200);
    assert_eq!(told, json!({"applied": false, "new": 1, "changed": 1, "same": 1}));
    assert_eq!(say(&server, "LB.SCORE cup dan"), redis::Value::Nil);
    assert_eq!(put("", file).value(200)["applied"], true);
    let scores: Vec<_> = api.get("/boards/cup/top").value(200)["rows"].as_array().expect("rows").clone();
    let told: Vec<_> = scores
        .iter()
        .map(|row| format!("{} {}", row["member"].as_str().unwrap(), row["score"].as_str().unwrap()))
        .collect();
    assert_eq!(told, ["dan 100", "bob 9.5", "cem 3", "ann 1.5"], "past the rules");
    assert_eq!(put("", file).value(200)["same"], 3);
    // A wrong line sets nothing.
    put("", "member,score\nann,7\nbob,x\ncem,1.25\n").problem(422);
    api.text("PUT", "/boards/cup/scores.csv", "application/json", b"{}").problem(415);
    api.text("PUT", "/boards/absent/scores.csv", "text/csv", b"member,score\nann,7\n").problem(404);
    assert_eq!(api.get("/boards/cup/members/ann").value(200)["score"], "1.5");
    // Many members, on a board whose clock is the time of its writes, and on one with levels.
    say(&server, "LB.CREATE late CLOCK EVENT");
    say(&server, "LB.ADD late 5 ann AT 1000");
    let lines: String = (0..1_700).map(|number| format!("m{number},{number}\n")).collect();
    let many = format!("member,score\n{lines}");
    let whole = api.text("PUT", "/boards/late/scores.csv", "text/csv", many.as_bytes()).value(200);
    assert_eq!(
        (&whole["new"], api.get("/boards/late/count").value(200)["members"].as_u64()),
        (&json!(1_700), Some(1_701))
    );
    say(&server, "LB.CREATE medals LEVELS gold:DESC:20,silver:DESC:20");
    api.text("PUT", "/boards/medals/scores.csv", "text/csv", b"member,score\nnor,1/2\n").status(200);
    api.text("PUT", "/boards/medals/scores.csv", "text/csv", b"member,score\nnor,30/2\n").problem(422);
    // What a console gave comes back.
    let csv = api.get("//boards/cup/rows.csv").status(200).text().to_owned();
    assert_eq!(put("?dry_run=true", &csv).value(200)["same"], 4);
    // The pages.
    assert!(api.get("//boards/cup/scores").status(200).text().contains("Scores from CSV"));
    let log = api.get("//audit.jsonl").status(200).text().to_owned();
    assert!(log.contains("1700 of 1700 scores set"), "{log}");
}
