//! Tests of leagues and counters.

use serde_json::{Value, json};

use crate::servers::{Flavor, Server, digest};
use crate::setup::say;
use crate::support::{Api, Gateway, shared};

const DAY: u64 = 86_400_000;

fn league(api: &Api, key: &str) -> String {
    let rules = json!({
        "tiers": "bronze,silver", "promote": "1,0", "demote": "0,1", "cycle": "day", "group": 2, "reward": 1, "retain": 3,
        "clock": "event", "joinuntil": "0.5", "idle": 1, "tz": "UTC", "weekstart": "mon", "dedup": 86_400 * 3,
    });
    let path = format!("/leagues/{key}");
    api.post(&path, rules).status(201);
    path
}

#[test]
fn a_league_is_made_and_shown() {
    let pair = shared();
    let api = pair.api();
    let path = league(&api, "l:made");
    let info = api.get(&path).value(200);
    let text = |name: &str| info[name].as_str().map(str::to_owned);
    assert_eq!(
        [text("cycle"), text("clock"), text("period")],
        ["day", "EVENT", "1970-01-01"].map(|text| Some(text.to_owned()))
    );
    let numbers = ["group", "reward", "idle", "retain", "decimals", "start", "end", "known"]
        .map(|name| info[name].clone());
    assert_eq!(json!(numbers), json!([2, 1, 1, 3, 0, 0, DAY, 0]));
    assert_eq!([&info["members"], &info["groups"]], [&json!([0, 0]), &json!([0, 0])]);
    api.post(&path, json!({"tiers": "a", "promote": "0", "demote": "0", "cycle": "day"})).problem(409);
    api.get("/leagues/l:absent").problem(404);
    for (body, word) in [
        (json!({"promote": "0", "demote": "0", "cycle": "day"}), "tiers"),
        (json!({"tiers": "a", "promote": "0", "demote": "0", "cycle": "aeon"}), "aeon"),
        (json!({"tiers": "a", "promote": "1", "demote": "0", "cycle": "day"}), ""),
        (json!({"tiers": "a", "promote": "0", "demote": "0", "cycle": "day", "views": "all"}), "views"),
    ] {
        api.post("/leagues/l:refused", body).refuses(&[word]);
    }
    assert_eq!(say(&pair.server, "EXISTS l:refused"), redis::Value::Int(0));
}

#[test]
fn members_join_and_play() {
    let pair = shared();
    let api = pair.api();
    let path = league(&api, "l:play");
    let join = |member: &str, at: u64| {
        api.post(&format!("{path}/join"), json!({"member": member, "meta": "M", "at": at})).value(200)
    };
    let add = |member: &str, points: u64, at: u64| {
        api.post(&format!("{path}/add"), json!({"member": member, "points": points, "at": at}))
    };
    let first = json!({"tier": "bronze", "group": 1, "rank": 1, "members": 1, "joined": true, "waiting": false, "last": null});
    assert_eq!(join("ann", 1), first);
    assert_eq!(join("ann", 2)["joined"], false);
    add("ann", 5, 3).is(200, json!({"score": "5", "rank": 1, "applied": true}));
    add("bob", 7, 4).is(200, json!({"score": "7", "rank": 1, "applied": true}));
    add("cat", 1, 5).is(200, json!({"score": "1", "rank": 1, "applied": true}));
    let group = json!({"rows": [{"rank": 1, "member": "bob", "score": "7"}, {"rank": 2, "member": "ann", "score": "5", "meta": "M"}]});
    let mut shown = api.get(&format!("{path}/groups/bronze/1")).value(200);
    drop_null_metas(&mut shown);
    assert_eq!(shown, group);
    let best = api.get(&format!("{path}/groups/bronze/1?count=1")).value(200);
    assert_eq!(best["rows"].as_array().map(Vec::len), Some(1));
    let standing = api.get(&format!("{path}/members/ann")).value(200);
    let chosen = ["tier", "group", "rank", "members", "score", "zone"].map(|name| standing[name].clone());
    assert_eq!(json!(chosen), json!(["bronze", 1, 2, 2, "5", "stay"]));
    let mut with_group = api.get(&format!("{path}/members/ann?group=true")).value(200);
    drop_null_metas(&mut with_group["group_rows"]);
    assert_eq!(rows_of(&with_group["group_rows"]), group["rows"]);
    // On the next day: a late member waits, and the reply contains the outcome of the last period.
    let last = join("bob", DAY + 1)["last"].clone();
    let expected = json!({"period": "1970-01-01", "tier": "bronze", "group": 1, "rank": 1, "members": 2, "score": "7", "outcome": "promoted", "reward": 1});
    assert_eq!(last, expected);
    assert_eq!(join("bob", DAY + 2)["last"], Value::Null);
    let late = join("ann", DAY + DAY / 2 + 1);
    assert_eq!(
        json!(["tier", "joined", "waiting"].map(|name| late[name].clone())),
        json!([null, false, true])
    );
    add("ann", 5, DAY + DAY / 2 + 2).is(200, json!({"score": null, "rank": null, "applied": false}));
    let before = api.get(&format!("{path}/members/ann?period=-1")).value(200);
    assert_eq!([&before["score"], &before["zone"]], [&json!("5"), &json!("stay")]);
    api.get(&format!("{path}/members/ann")).problem(404);
    assert_eq!(api.get(&format!("{path}/groups/bronze/2?period=-1")).value(200)["rows"][0]["member"], "cat");
}

fn rows_of(value: &Value) -> Value {
    value.get("rows").unwrap_or(value).clone()
}

fn drop_null_metas(value: &mut Value) {
    let rows = if value.is_array() { value.as_array_mut() } else { value["rows"].as_array_mut() };
    for row in rows.expect("rows") {
        let row = row.as_object_mut().expect("a row");
        if row.get("meta").is_some_and(Value::is_null) {
            row.remove("meta");
        }
    }
}

#[test]
fn points_of_a_league_count_once() {
    let pair = shared();
    let api = pair.api();
    let path = format!("{}/add", league(&api, "l:once"));
    let body = json!({"member": "ann", "points": 5, "at": 1});
    api.once("a").post(&path, body.clone()).is(200, json!({"score": "5", "rank": 1, "applied": true}));
    api.once("a").post(&path, body).is(200, json!({"score": "5", "rank": 1, "applied": false}));
    let other = api.once("a").post(&path, json!({"member": "ann", "points": 6, "at": 1})).problem_value(409);
    assert_eq!(other["type"], "urn:leaderboard:request-reused");
    let odd = json!({"member_b64": "/w==", "points": 3, "at": 2});
    api.post(&path, odd).status(200);
    let group = api.get("/leagues/l:once/groups/bronze/1").value(200);
    assert_eq!(group["rows"][1]["member_b64"], "/w==");
    assert_eq!(api.get("/leagues/l:once/members/_w?b64=true").value(200)["score"], "3");
}

#[test]
fn refused_requests_to_a_league_change_nothing() {
    let pair = shared();
    let api = pair.api();
    let path = league(&api, "l:refused:2");
    let before = digest(&mut pair.server.connection(), "l:refused:2");
    for (what, body) in [
        ("join", json!({})),
        ("join", json!({"member": "ann"})),
        ("join", json!({"member": "ann", "at": 1, "points": 5})),
        ("add", json!({"member": "ann", "at": 1})),
        ("add", json!({"member": "ann", "points": "x", "at": 1})),
        ("add", json!({"member": "ann", "member_b64": "YQ==", "points": 1, "at": 1})),
    ] {
        api.post(&format!("{path}/{what}"), body).refused();
    }
    for what in ["groups/gold/1", "groups/bronze/0", "groups/bronze/x", "groups/bronze/9"] {
        api.get(&format!("{path}/{what}")).problem_value_in(&[400, 404, 422]);
    }
    api.post("/leagues/l:absent/join", json!({"member": "ann"})).problem(404);
    api.post("/leagues/l:absent/add", json!({"member": "ann", "points": 1})).problem(404);
    assert_eq!(digest(&mut pair.server.connection(), "l:refused:2"), before);
}

#[test]
fn events_are_counted() {
    let pair = shared();
    let api = pair.api();
    let path = "/counters/c:clicks";
    api.put(path, json!({"precisions": "1,60", "samples": 10})).status(201);
    say(&pair.server, "LB.COUNTER.CREATE c:event PRECISIONS 1,60 CLOCK EVENT SAMPLES 10");
    let path = "/counters/c:event";
    api.post(path, json!({"at": 60_000})).is(200, json!({"total": "1"}));
    api.post(path, json!({"by": 4, "at": 61_000})).is(200, json!({"total": "5"}));
    api.post(path, json!({"by": "-2", "at": "180000"})).is(200, json!({"total": "3"}));
    let sample = |start: u64, count: &str| json!({"start": start, "count": count});
    api.get(&format!("{path}?precision=60"))
        .is(200, json!({"samples": [sample(60_000, "5"), sample(180_000, "-2")]}));
    api.get(&format!("{path}?precision=60&fill=true"))
        .is(200, json!({"samples": [sample(60_000, "5"), sample(120_000, "0"), sample(180_000, "-2")]}));
    api.get(&format!("{path}?precision=60&from=120000&to=185000"))
        .is(200, json!({"samples": [sample(180_000, "-2")]}));
    let info = api.get(path).value(200);
    assert_eq!(
        json!(["samples", "total", "now", "clock"].map(|name| info[name].clone())),
        json!([10, "3", 180_000, "EVENT"])
    );
    api.get(&format!("{path}?precision=7")).problem(422);
    api.get(&format!("{path}?precision=x")).names(400, &["precision"]);
    api.get("/counters/c:absent").problem(404);
    api.get("/counters/c:absent?precision=60").is(200, json!({"samples": []}));
}

#[test]
fn an_event_counts_once() {
    let pair = shared();
    let api = pair.api();
    api.once("a").post("/counters/c:once", json!({"by": 3})).is(200, json!({"total": "3"}));
    api.once("a").post("/counters/c:once", json!({"by": 3})).is(200, json!({"total": "3"}));
    assert_eq!(
        api.once("a").post("/counters/c:once", json!({"by": 4})).problem_value(409)["type"],
        "urn:leaderboard:request-reused"
    );
    for body in [json!({"by": 1.5}), json!({"by": "x"}), json!({"amount": 1}), json!([])] {
        api.post("/counters/c:once", body).problem(400);
    }
    api.put("/counters/c:once", json!({})).problem(409);
    api.put("/counters/c:bad", json!({"precisions": "x"})).problem(422);
    assert_eq!(api.get("/counters/c:once").value(200)["total"], "3");
}

#[test]
fn the_winners_of_each_group_claim_their_prizes() {
    let pair = shared();
    let api = pair.api();
    let body = json!({
        "tiers": "low,high", "promote": "1,0", "demote": "0,1", "cycle": "day", "group": 2, "clock": "event",
        "prizes": [{"tier": "low", "places": "1=gold"}], "prizedays": 9,
    });
    api.post("/leagues/l:prizes", body).status(201);
    for (points, member) in [(5, "ann"), (7, "bob"), (3, "eve")] {
        api.post("/leagues/l:prizes/add", json!({"points": points, "member": member, "at": 1})).status(200);
    }
    api.post("/leagues/l:prizes/join", json!({"member": "joe", "at": 86_400_000})).status(200);
    let page = api.get("/leagues/l:prizes/prizes?count=1").value(200);
    let bob = json!({"tier": "low", "group": 1, "rank": 1, "member": "bob", "score": "7", "prize": "gold"});
    assert_eq!(page["winners"], json!([bob]), "{page}");
    let claim = || api.once("x").send("PUT", "/leagues/l:prizes/claims/bob?period=-1", None);
    claim().is(200, json!({"prize": "gold", "rank": 1, "first": true}));
    claim().is(200, json!({"prize": "gold", "rank": 1, "first": true}));
    api.send("PUT", "/leagues/l:prizes/claims/ann", None).status(404);
    let left = api.get("/leagues/l:prizes/prizes?unclaimed=true").value(200);
    assert_eq!(left["winners"][0]["group"], 2, "{left}");
    let info = api.get("/leagues/l:prizes?period=-1").value(200);
    assert_eq!((&info["members"], &info["prizes"]), (&json!([3, 0]), &json!(["low 1=gold"])));
    api.get("/leagues/l:prizes/prizes?count=0").status(422);
}

#[test]
fn leagues_and_counters_are_altered_and_deleted() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let api = gateway.api();
    let rules = json!({"tiers": "a,b", "promote": "1,0", "demote": "0,1", "cycle": "day", "clock": "event", "retain": 2});
    api.post("/leagues/course", rules).status(201);
    for (day, points) in [(1_u64, 5), (2, 7)] {
        let at = day * 86_400_000;
        api.post("/leagues/course/add", json!({"member": "ann", "points": points, "at": at})).status(200);
    }
    let altered = api.patch("/leagues/course", json!({"reward": 3, "promote": "2,0"})).value(200);
    assert_eq!((&altered["reward"], &altered["promote"]), (&json!(3), &json!("2,0")));
    api.patch("/leagues/course", json!({"promote": "2"})).problem(422);
    api.patch("/leagues/course", json!({"tiers": "x"})).problem(400);
    // Past periods have their names.
    let page = api.get("//leagues/course?period=-1").status(200).text().to_owned();
    assert!(page.contains(">1970-01-02<"), "{page}");
    // The forms.
    let form =
        |path: &str, body: &str| api.text("POST", path, "application/x-www-form-urlencoded", body.as_bytes());
    let rules = "promote=2%2C0&demote=0%2C1&group=100&reward=5&join_until=1&idle=0&retain=2";
    form("//leagues/course/rules", rules).status(303);
    assert_eq!(api.get("/leagues/course").value(200)["reward"], 5);
    let unchanged = form("//leagues/course/rules", rules).status(303);
    assert_eq!(unchanged.header("location"), Some("/leagues/course?notice=nothing"));
    form("//leagues/course/rules", "promote=x&demote=0%2C1&group=100&reward=5&join_until=1&idle=0&retain=2")
        .status(422);
    api.put("/leagues/course/members/ann/tier", json!({"tier": "b"})).empty(204);
    api.put("/leagues/course/members/ann/tier", json!({"tier": "z"})).problem(422);
    form("//leagues/course/remove", "member=ann&confirm=bob").status(422);
    form("//leagues/course/remove", "member=ann&confirm=ann").status(303);
    api.get("/leagues/course/members/ann").problem(404);
    api.delete("/leagues/course/members/ann?confirm=ann").problem(404);
    form("//leagues/course/delete", "confirm=other").status(422);
    api.delete("/leagues/course").problem(422);
    api.delete("/leagues/course?confirm=course").empty(204);
    api.delete("/leagues/course?confirm=course").problem(404);
    // Counters.
    api.put("/counters/visits", json!({"precisions": "1,60", "samples": 5})).status(201);
    let altered = api.patch("/counters/visits", json!({"precisions": "+3600,-1", "samples": 9})).value(200);
    assert_eq!((&altered["precisions"], &altered["samples"]), (&json!("60,3600"), &json!(9)));
    form("//counters/visits/rules", "precisions=-60&samples=").status(303);
    form("//counters/visits/rules", "precisions=&samples=0").status(400);
    form("//counters/visits/delete", "confirm=visit").status(400);
    // A form of one kind deletes no key of another.
    form("//leagues/visits/delete", "confirm=visits").status(409);
    api.delete("/boards/visits?confirm=visits").problem(409);
    form("//counters/visits/delete", "confirm=visits").status(303);
    api.get("/counters/visits").problem(404);
}
