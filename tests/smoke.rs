//! Tests that the same build loads in every server version, and that the test harness works.

use std::collections::HashMap;

use leaderboard_testkit::{
    Flavor, ReplicationStream, Server, bgrewriteaof_and_wait, digest, err, info, query, run, wait_for_sync,
};
use redis::Value;

#[test]
fn every_server_loads_the_module() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for mut con in [server.connection(), server.connection_resp3()] {
            assert_eq!(query::<String, _>(&mut con, &["PING"]), "PONG", "{flavor:?}");
            let modules: Vec<HashMap<String, Value>> = query(&mut con, &["MODULE", "LIST"]);
            let leaderboard = Value::BulkString(b"leaderboard".to_vec());
            assert!(modules.iter().any(|module| module.get("name") == Some(&leaderboard)), "{flavor:?}");
        }
    }
}

#[test]
fn data_survives_each_way_to_restart() {
    for flavor in Flavor::all() {
        let mut server =
            Server::builder(flavor).arg("appendonly", "yes").arg("appendfsync", "always").start();
        for restart in [Server::restart, Server::restart_nosave, |server: &mut Server| {
            server.kill9();
            assert!(!server.alive());
            server.start_again();
        }] {
            let mut con = server.connection();
            run(&mut con, &["INCR", "restarts"]);
            bgrewriteaof_and_wait(&mut con);
            let before = digest(&mut con, "restarts");
            restart(&mut server);
            assert!(server.alive());
            assert_eq!(digest(&mut server.connection(), "restarts"), before, "{flavor:?}");
        }
        assert_eq!(query::<u64, _>(&mut server.connection(), &["GET", "restarts"]), 3, "{flavor:?}");
    }
}

#[test]
fn a_replica_follows() {
    for flavor in Flavor::all() {
        let (primary, replica) = (Server::start(flavor), Server::start(flavor));
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        run(&mut primary.connection(), &["SET", "key", "value"]);
        wait_for_sync(&primary, &replica);
        let mut con = replica.connection();
        assert_eq!(info(&mut con, "replication", "role"), "slave");
        assert_eq!(query::<String, _>(&mut con, &["GET", "key"]), "value", "{flavor:?}");
    }
}

#[test]
fn the_replication_stream_is_seen_word_for_word() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        run(&mut con, &["SET", "before", "1"]);
        let mut stream = ReplicationStream::of(&server);
        assert!(stream.take().is_empty(), "{flavor:?}");
        run(&mut con, &[&b"SET"[..], b"key", b"a\xff"]);
        run(&mut con, &["GET", "key"]);
        run(&mut con, &["INCRBYFLOAT", "n", "0.5"]);
        assert_eq!(stream.take(), ["SET key a\\xff", "SET n 0.5 KEEPTTL"], "{flavor:?}");
    }
}

#[test]
fn error_texts_are_those_of_the_wire() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    run(&mut con, &[&b"SET"[..], b"key", b"\0\xff"]);
    assert_eq!(err(&mut con, &["INCR", "key"]), "ERR value is not an integer or out of range");
    let wrong_type = "WRONGTYPE Operation against a key holding the wrong kind of value";
    assert_eq!(err(&mut con, &["LPUSH", "key", "x"]), wrong_type);
}

#[test]
#[should_panic(expected = "BUG REPORT START")]
fn a_crash_fails_the_test() {
    let server = Server::start(Flavor::Redis70);
    // The server crashes, so the connection ends with an error.
    let _ = redis::cmd("DEBUG").arg("SEGFAULT").exec(&mut server.connection());
}
