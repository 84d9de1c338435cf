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
