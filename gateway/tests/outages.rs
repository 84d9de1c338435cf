//! Tests of a server that stops, hangs, refuses commands, or is replaced by another server. The gateway reports the
//! failure, and works again without a restart.

use std::thread;

use redis::Value as Answer;
use serde_json::json;

use crate::servers::{Flavor, Server, info, run, wait_for_sync, wait_until};
use crate::setup::{rows, say};
use crate::support::{Api, Gateway, signal};

fn patient_for_300_ms(servers: &[&Server]) -> Gateway {
    Gateway::builder(servers).arg("--timeout-ms", "300").start()
}

/// Sends requests of all kinds, and checks that each reply has the status 503, and that of a write one of these statuses.
fn all_unavailable(api: &Api, writes: &[u16]) {
    for path in [
        "/boards",
        "/boards/songs",
        "/boards/songs/top",
        "/boards/songs/members/tide",
        "/boards/songs/options.csv",
        "/boards/songs/live",
        "/leagues/l",
        "/counters/c",
    ] {
        let reply = api.get(path).status(503);
        assert!(reply.header("retry-after").is_some(), "{path}");
        reply.problem(503);
    }
    for reply in [
        api.post("/boards", json!({"key": "new"})),
        api.post("/boards/songs/votes", json!({"votes": [{"member": "tide"}]})),
        api.put("/boards/songs/members/tide/score", json!({"score": 1})),
        api.delete("/boards/songs?confirm=songs"),
    ] {
        assert_eq!(reply.header("retry-after").is_some(), reply.status == 503, "{}", reply.status);
        reply.problem_value_in(writes);
    }
    let batch = api.post("/batch", json!({"ops": [{"op": "top", "key": "songs", "count": 1}, {"op": "top", "key": "other", "count": 1}]}));
    if batch.status == 200 {
        let results = batch.value(200)["results"].clone();
        assert!(
            results.as_array().expect("results").iter().all(|result| result["status"] == 503),
            "{results}"
        );
    } else {
        batch.problem(503);
    }
}

#[test]
fn a_server_that_is_gone_is_told_and_found_again() {
    let mut server = Server::start(Flavor::Redis70);
    let gateway = patient_for_300_ms(&[&server]);
    let api = gateway.api();
    api.post("/boards/songs/members/tide/score", json!({"points": 5})).status(200);
    server.shutdown("SAVE");
    all_unavailable(&api, &[503]);
    assert!(api.get("//healthz").status == 503 || api.get("//healthz").status == 200);
    server.start_again();
    wait_until(|| api.get("/boards/songs/top").status == 200);
    api.get("/boards/songs/top").is(200, rows(&[(1, "tide", "5")]));
    api.post("/boards/songs/members/tide/score", json!({"points": 1})).status(200);
    api.get("/boards").status(200);
}

#[test]
fn a_gateway_starts_before_its_server() {
    let mut server = Server::start(Flavor::Redis70);
    server.shutdown("NOSAVE");
    let gateway = patient_for_300_ms(&[&server]);
    all_unavailable(&gateway.api(), &[503]);
    server.start_again();
    wait_until(|| gateway.api().post("/boards/songs/members/tide/score", json!({"points": 5})).status == 200);
}

fn process_of(server: &Server) -> u32 {
    info(&mut server.connection(), "server", "process_id").parse().expect("a number")
}

/// Lets a stopped server go on, and waits until the gateway serves again.
fn go_on(process: u32, api: &Api) {
    signal(process, "CONT");
    wait_until(|| api.get("/boards/songs/top").status == 200);
}

#[test]
fn no_request_hangs_with_the_server() {
    let server = Server::start(Flavor::Redis70);
    let (gateway, process) = (patient_for_300_ms(&[&server]), process_of(&server));
    let api = gateway.api();
    api.post("/boards/songs/members/tide/score", json!({"points": 5})).status(200);
    signal(process, "STOP");
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| all_unavailable(&api, &[503, 504]));
        }
    });
    go_on(process, &api);
    // The refused write may have been applied or not. It must not be applied later, and not twice.
    let score = api.get("/boards/songs/members/tide").value(200)["score"].clone();
    api.once("x").post("/boards/songs/members/tide/score", json!({"points": 1})).status(200);
    assert_ne!(api.get("/boards/songs/members/tide").value(200)["score"], score);
}

/// Many clients repeat a request after a 503 by themselves. A write that may have been carried out must not count twice.
#[test]
fn a_write_without_an_answer_is_not_repeated_by_itself() {
    let server = Server::start(Flavor::Redis70);
    let (gateway, process) = (patient_for_300_ms(&[&server]), process_of(&server));
    let api = gateway.api();
    api.get("/boards/songs/top").status(200);
    signal(process, "STOP");
    let lost = api.post("/boards/songs/members/tide/score", json!({"points": 1}));
    assert_eq!(lost.header("retry-after"), None);
    assert_eq!(lost.problem_value(504)["type"], "urn:leaderboard:unknown");
    go_on(process, &api);
    signal(process, "STOP");
    let ops = json!([{"op": "top", "key": "songs", "count": 1}, {"op": "add", "key": "songs", "member": "tide", "points": "1"}]);
    let results = api.post("/batch", json!({ "ops": ops })).value(200)["results"].clone();
    assert_eq!((&results[0]["status"], &results[1]["status"]), (&json!(503), &json!(504)), "{results}");
    go_on(process, &api);
    let lost = |id| api.once(id).post("/boards/songs/members/ann/score", json!({"points": 1}));
    signal(process, "STOP");
    assert!(lost("a").problem(504).ends_with("repeat it with its ID"));
    signal(process, "CONT");
    wait_until(|| lost("a").status == 200);
    assert_eq!(say(&server, "LB.SCORE songs ann"), Answer::Int(1));
}

#[test]
fn writes_go_to_the_primary_whatever_the_order() {
    let (primary, replica) = (Server::start(Flavor::Redis70), Server::start(Flavor::Redis70));
    replica.replica_of(&primary);
    wait_for_sync(&primary, &replica);
    let gateway = patient_for_300_ms(&[&replica, &primary]);
    gateway.api().post("/boards/songs/members/tide/score", json!({"points": 5})).status(200);
    assert_eq!(say(&primary, "EXISTS songs"), Answer::Int(1));
}

#[test]
fn a_replica_takes_over_when_the_primary_is_gone() {
    let (mut primary, replica) = (Server::start(Flavor::Valkey91), Server::start(Flavor::Valkey91));
    replica.replica_of(&primary);
    wait_for_sync(&primary, &replica);
    let gateway = patient_for_300_ms(&[&primary, &replica]);
    let api = gateway.api();
    api.post("/boards/songs/members/tide/score", json!({"points": 5})).status(200);
    wait_for_sync(&primary, &replica);
    primary.kill9();
    say(&replica, "REPLICAOF NO ONE");
    wait_until(|| {
        api.once("next").post("/boards/songs/members/tide/score", json!({"points": 1})).status == 200
    });
    api.get("/boards/songs/top").is(200, rows(&[(1, "tide", "6")]));
    assert_eq!(say(&replica, "LB.SCORE songs tide"), Answer::Int(6));
}

#[test]
fn a_primary_that_becomes_a_replica_is_left() {
    let (first, second) = (Server::start(Flavor::Redis82), Server::start(Flavor::Redis82));
    second.replica_of(&first);
    wait_for_sync(&first, &second);
    let gateway = patient_for_300_ms(&[&first, &second]);
    let api = gateway.api();
    api.post("/boards/songs/members/tide/score", json!({"points": 5})).status(200);
    wait_for_sync(&first, &second);
    say(&second, "REPLICAOF NO ONE");
    first.replica_of(&second);
    wait_for_sync(&second, &first);
    // The old primary still replies, with READONLY. No request may fail permanently.
    wait_until(|| {
        api.once("next").post("/boards/songs/members/tide/score", json!({"points": 1})).status == 200
    });
    assert_eq!(say(&second, "LB.SCORE songs tide"), Answer::Int(6));
    wait_until(|| {
        api.post("/boards", json!({"key": "new", "nx": true})).status == 201
            || say(&second, "EXISTS new") == Answer::Int(1)
    });
    assert_eq!(say(&second, "EXISTS new"), Answer::Int(1));
}

#[test]
fn a_server_that_refuses_the_gateway_is_told() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    // The harness connects without a password, so from here on only this connection can be used.
    run(&mut con, &["CONFIG", "SET", "requirepass", "secret"]);
    let anonymous = patient_for_300_ms(&[&server]);
    anonymous.api().get("/boards/songs/top").problem(502);
    let url = |user: &str, password: &str| format!("redis://{user}:{password}@127.0.0.1:{}", server.port());
    let known = Gateway::builder_of(&[url("", "secret")]).start();
    known.api().post("/boards/songs/members/tide/score", json!({"points": 5})).status(200);
    assert!(!known.log().contains("secret"), "{}", known.log());
    run(
        &mut con,
        &["ACL", "SETUSER", "reader", "on", ">pw", "~*", "+lb.standing", "+@connection", "+info", "+role"],
    );
    let reader = Gateway::builder_of(&[url("reader", "pw")]).start();
    assert_eq!(reader.api().get("/boards/songs/members/tide").value(200)["score"], "5");
    reader.api().get("/boards/songs/top").problem(502);
    reader.api().post("/boards/songs/members/tide/score", json!({"points": 5})).problem(502);
}
