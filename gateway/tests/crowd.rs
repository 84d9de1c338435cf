//! Tests of many clients at the same time: each client gets the reply to its own request.

use std::thread;

use serde_json::json;

use crate::servers::{Flavor, Server, info, wait_until};
use crate::setup::say;
use crate::support::{Api, Gateway, shared, signal};

const CLIENTS: usize = 8;

/// Lets a client write to its own member. The score contains the number of the client and the number of its requests.
fn play(api: &Api, client: usize) {
    let path = format!("/boards/crowd/members/m{client}");
    for round in 1..=30 {
        let score = (client * 1000 + round).to_string();
        let id = format!("{client}:{round}");
        let points = if round == 1 { client * 1000 + 1 } else { 1 };
        for is_first in [true, false] {
            let written = api.once(&id).post(&format!("{path}/score"), json!({"points": points})).value(200);
            assert_eq!([&written["score"], &written["applied"]], [&json!(score), &json!(is_first)]);
        }
        assert_eq!(api.get(&path).value(200)["score"], *score);
        let ops = json!({"ops": [{"op": "score", "key": "crowd", "members": [format!("m{client}")]}, {"op": "count", "key": format!("none:{client}")}]});
        let results = api.post("/batch", ops).value(200)["results"].clone();
        assert!(results[0]["body"].to_string().contains(&format!("\"{score}\"")), "{results}");
        assert_eq!(results[1]["body"], json!({"members": 0}));
    }
}

#[test]
fn answers_are_not_mixed_up() {
    let pair = shared();
    let api = pair.api();
    thread::scope(|scope| {
        for client in 1..=CLIENTS {
            let api = &api;
            scope.spawn(move || play(api, client));
        }
    });
    let stats = api.get("/boards/crowd/stats").value(200);
    let sum: usize = (1..=CLIENTS).map(|client| client * 1000 + 30).sum();
    assert_eq!([&stats["members"], &stats["sum"]], [&json!(CLIENTS), &json!(sum.to_string())]);
}

#[test]
fn late_answers_are_nobody_elses() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::builder(&[&server]).arg("--timeout-ms", "100").start();
    let api = gateway.api();
    for member in 0..50 {
        say(&server, &format!("LB.ADD songs {member} m{member}"));
    }
    let process = info(&mut server.connection(), "server", "process_id").parse().expect("a number");
    for _ in 0..3 {
        signal(process, "STOP");
        for member in 0..5 {
            api.get(&format!("/boards/songs/members/m{member}")).problem(503);
        }
        signal(process, "CONT");
        wait_until(|| api.get("/boards/songs/count").status == 200);
        for member in 0..50 {
            let score = api.get(&format!("/boards/songs/members/m{member}")).value(200)["score"].clone();
            assert_eq!(score, member.to_string());
        }
    }
}
