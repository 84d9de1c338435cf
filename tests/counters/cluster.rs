//! Tests of counters in a cluster: counters that are read by one command must be in one slot.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, info, query, run, wait_until};
use redis::Connection;

/// Starts a node of each server version. Each node serves all slots alone.
fn nodes() -> [Server; 4] {
    let nodes = Flavor::all().map(|flavor| Server::builder(flavor).in_cluster().start());
    let slots: Vec<String> = (0..16_384).map(|slot: u32| slot.to_string()).collect();
    for node in &nodes {
        let words: Vec<&str> =
            ["CLUSTER", "ADDSLOTS"].into_iter().chain(slots.iter().map(String::as_str)).collect();
        run(&mut node.connection(), &words);
    }
    for node in &nodes {
        let mut con = node.connection();
        wait_until(|| query::<String, _>(&mut con, &["CLUSTER", "INFO"]).contains("cluster_state:ok"));
    }
    nodes
}

#[track_caller]
fn crosses(con: &mut Connection, line: &str) {
    let reply = say(con, line);
    assert!(reply.starts_with("CROSSSLOT "), "{line}: {reply}");
}

#[test]
fn counters_of_one_slot_are_read_at_once_and_of_two_are_not() {
    for node in nodes() {
        println!("{:?}", node.flavor());
        let mut con = node.connection();
        assert_eq!(info(&mut con, "cluster", "cluster_enabled"), "1");
        play(
            &mut con,
            "LB.COUNTER.CREATE {x}a PRECISIONS 60 CLOCK EVENT
             LB.COUNTER.INCR {x}a BY 5 AT 60000
             LB.COUNTER.CREATE {x}b PRECISIONS 60 CLOCK EVENT
             LB.COUNTER.INCR {x}b BY 6 AT 60000
             LB.COUNTER.INCR {y}c => 1
             LB.COUNTER.MGET 60 KEYS 3 {x}a {x}b {x}none => [[[60000 5]] [[60000 6]] []]
             LB.COUNTER.MGET 60 FILL KEYS 1 {x}a => [[[60000 5]]]",
        );
        for line in [
            "LB.COUNTER.MGET 60 KEYS 2 {x}a {y}c",
            "LB.COUNTER.MGET 60 KEYS 3 {x}a {x}b {y}none",
            "lb.counter.mget 60 from 5 to 6 fill keys 2 {y}c {x}a",
            "LB.COUNTER.MGET 60 FROM 5 KEYS 4 {y}c {y}c {y}c {x}a",
        ] {
            crosses(&mut con, line);
        }
    }
}
