//! The rules of scores through HTTP: what they hold back, and who takes part.

use serde_json::json;

use crate::support::shared;

#[test]
fn a_write_that_a_rule_holds_back_is_a_conflict_that_names_the_rule() {
    let pair = shared();
    let api = pair.api();
    let body =
        json!({"key": "c:cup", "declared": true, "maxmembers": 1, "attempts": "1 all", "bounds": "0 10"});
    api.post("/boards", body).status(201);
    let add = |points: u64, force: bool| {
        api.post("/boards/c:cup/members/ann/score", json!({"points": points, "force": force}))
    };
    let held = add(5, false).problem_value(409);
    assert_eq!(held["type"], "urn:leaderboard:held-back");
    assert_eq!(held["held_back"], json!({"rule": "joined", "retry_after_ms": null}));
    let join = |member: &str| api.put(&format!("/boards/c:cup/entrants/{member}"), json!({"meta": "Ann"}));
    join("ann").is(200, json!({"joined": true}));
    join("ann").is(200, json!({"joined": false}));
    assert_eq!(join("bob").problem_value(409)["held_back"]["rule"], "full");
    assert_eq!(add(11, false).problem_value(409)["held_back"]["rule"], "bounds");
    add(5, false).status(200);
    assert_eq!(add(5, false).problem_value(409)["held_back"]["rule"], "attempts");
    add(50, true).status(200);
    let quota = api.get("/boards/c:cup/quota?member=ann").value(200);
    assert_eq!(quota["quota"][0]["rule"], "attempts", "{quota}");
    api.delete("/boards/c:cup/entrants/ann").status(204);
    api.delete("/boards/c:cup/entrants/ann").status(404);
    assert_eq!(add(1, false).problem_value(409)["held_back"]["rule"], "joined");
    let info = api.get("/boards/c:cup").value(200);
    assert_eq!(info["held_back"], json!({"joined": 2, "bounds": 1, "full": 1, "attempts": 1}));
    let altered =
        api.patch("/boards/c:cup", json!({"attempts": "0 all", "bounds": "-inf +inf", "maxmembers": 0}));
    altered.status(200);
    join("bob").is(200, json!({"joined": true}));
}

#[test]
fn prizes_are_listed_and_claimed_once() {
    let pair = shared();
    let api = pair.api();
    let prizes = json!([{"view": "day", "places": "1=gold,2-3=silver"}, {"view": "day", "places": "1=king", "per": "c"}]);
    let body =
        json!({"key": "c:prizes", "views": "day", "clock": "event", "segments": "c", "prizes": prizes});
    api.post("/boards", body).status(201);
    for (points, member) in [(5, "ann"), (7, "bob"), (9, "eve")] {
        let body = json!({"points": points, "at": 1, "segments": {"c": "fr"}});
        api.post(&format!("/boards/c:prizes/members/{member}/score"), body).status(200);
    }
    let claim = |member: &str, query: &str, id: &str| {
        api.once(id).send("PUT", &format!("/boards/c:prizes/claims/{member}{query}"), None)
    };
    claim("eve", "", "x").status(404);
    api.patch("/boards/c:prizes", json!({"now": 86_400_000})).status(200);
    let page = api.get("/boards/c:prizes/prizes?count=1").value(200);
    let eve = json!({"rank": 1, "member": "eve", "score": "9", "prize": "gold"});
    assert_eq!(page, json!({"winners": [eve], "next": "1"}));
    claim("eve", "", "x").is(200, json!({"prize": "gold", "rank": 1, "first": true}));
    claim("eve", "", "x").is(200, json!({"prize": "gold", "rank": 1, "first": true}));
    claim("eve", "", "y").is(200, json!({"prize": "gold", "rank": 1, "first": false}));
    claim("bob", "", "x").status(409);
    claim("eve", "?per=c&period=-1", "z")
        .is(200, json!({"prize": "king", "rank": 1, "first": true, "segment": "fr"}));
    let left = api.get("/boards/c:prizes/prizes?unclaimed=true&cursor=1").value(200);
    assert_eq!(left["winners"].as_array().map(Vec::len), Some(2), "{left}");
    let claimed = api.get("/boards/c:prizes/prizes?count=1&view=day&at=5").value(200);
    assert_eq!(claimed["winners"][0]["claimed"], 86_400_000);
    api.get("/boards/c:prizes/prizes?count=0").status(400);
    api.patch("/boards/c:prizes", json!({"prizes": [{"view": "day", "places": ""}], "prizedays": 9}))
        .status(200);
    let info = api.get("/boards/c:prizes").value(200);
    assert_eq!((&info["prizes"], &info["prizedays"]), (&json!(["day 1=king PER c"]), &json!(9)));
}
