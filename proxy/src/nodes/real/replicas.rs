//! Tests with servers that are not in a cluster: a single server, or a replica set.

use std::sync::atomic::Ordering;

use super::servers::{Flavor, Server, run, wait_until};
use super::{CommandError, anybody, ask, ask_within, pools, runtime};

#[test]
fn one_server_has_all_slots() {
    for flavor in Flavor::all() {
        let mut server = Server::start(flavor);
        runtime().block_on(async {
            let pools = pools(&[&server]);
            let sender = anybody(&pools).await;
            let open = || pools.figures().connections.load(Ordering::Relaxed);
            let lines = ["SET a 1", "LB.CREATE board", "LB.ADD board 5 ann", "GET a", "PING"];
            let answers = ask(&sender, &lines).await;
            assert_eq!((answers[0].as_str(), answers[3].as_str(), answers[4].as_str()), ("OK", "1", "PONG"));
            // A connection breaks while it is not in use: no write is lost with it.
            server.restart();
            wait_until(|| open() == 0);
            let answers = ask_within(&sender, &["SET a 2", "GET a"], super::TIMEOUT).await;
            assert!(answers.iter().all(Result::is_ok), "{flavor:?}: {answers:?}");
            server.kill9();
            wait_until(|| open() == 0);
            let answers = ask_within(&sender, &["SET a 2"], std::time::Duration::from_millis(100)).await;
            assert!(matches!(answers[0], Err(CommandError::Silent(_))), "{flavor:?}: {answers:?}");
            server.start_again();
            assert_eq!(ask(&sender, &["SET a 3"]).await, ["OK"]);
            assert_eq!(open(), 1);
        });
    }
}

#[test]
fn the_primary_of_a_replica_set_is_found_again() {
    for flavor in [Flavor::Redis62, Flavor::Redis70, Flavor::Valkey91] {
        let mut servers = [Server::start(flavor), Server::start(flavor)];
        let wait = |replica: &Server| {
            let status =
                || super::servers::info(&mut replica.connection(), "replication", "master_link_status");
            wait_until(|| status() == "up");
        };
        servers[0].replica_of(&servers[1]);
        wait(&servers[0]);
        runtime().block_on(async {
            let pools = pools(&[&servers[0], &servers[1]]);
            let sender = anybody(&pools).await;
            assert_eq!(ask(&sender, &["SET a 1", "GET a"]).await, ["OK", "1"]);
            // The primary and the replica change roles. The connection stays open, and answers READONLY.
            run(&mut servers[0].connection(), &["REPLICAOF", "NO", "ONE"]);
            servers[1].replica_of(&servers[0]);
            wait(&servers[1]);
            assert_eq!(ask(&sender, &["SET a 2", "GET a"]).await, ["OK", "2"], "{flavor:?}");
            // The primary ends. WAIT only counts the writes of its own connection, so the test asks the replica.
            let two = redis::Value::BulkString(b"2".to_vec());
            wait_until(|| run(&mut servers[1].connection(), &["GET", "a"]) == two);
            let open = || pools.figures().connections.load(Ordering::Relaxed);
            let before = open();
            servers[0].kill9();
            wait_until(|| open() < before);
            run(&mut servers[1].connection(), &["REPLICAOF", "NO", "ONE"]);
            assert_eq!(ask(&sender, &["GET a", "SET a 3"]).await, ["2", "OK"], "{flavor:?}");
        });
    }
}
