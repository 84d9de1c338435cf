//! Tests with clusters: slots that move, nodes that end, and nodes that stop answering.

use std::sync::atomic::Ordering;
use std::time::Duration;

use leaderboard_core::parts::slot;

use super::nodes::Nodes;
use super::servers::{Flavor, Server, run, wait_until};
use super::{CommandError, anybody, ask, ask_within, pools, process, runtime, signal};

fn keys(number: usize) -> Vec<String> {
    (0..number).map(|number| format!("key{number}")).collect()
}

/// Returns a key of the node with this number.
fn key_of(node: usize) -> String {
    keys(1_000).into_iter().find(|key| Nodes::owner(slot(key.as_bytes())) == node).unwrap()
}

#[test]
fn commands_reach_the_nodes_that_have_their_slots() {
    for flavor in Flavor::all() {
        let nodes = Nodes::start(flavor);
        runtime().block_on(async {
            // The one given node names the other nodes.
            let pools = pools(&[&nodes.0[1]]);
            let sender = anybody(&pools).await;
            let keys = keys(100);
            let sets: Vec<_> = keys.iter().map(|key| format!("SET {key} of:{key}")).collect();
            assert!(ask(&sender, &sets).await.iter().all(|answer| answer == "OK"), "{flavor:?}");
            let gets: Vec<_> = keys.iter().map(|key| format!("GET {key}")).collect();
            let expected: Vec<_> = keys.iter().map(|key| format!("of:{key}")).collect();
            assert_eq!(ask(&sender, &gets).await, expected, "{flavor:?}");
            assert_eq!(pools.figures().redirected.load(Ordering::Relaxed), 0, "{flavor:?}");
            assert_eq!(pools.figures().connections.load(Ordering::Relaxed), 3, "{flavor:?}");
            let mixed = ["PING", "MGET key1 key2", "NOSUCH key1", "GET key1"];
            let answers = ask(&sender, &mixed).await;
            assert_eq!((answers[0].as_str(), answers[3].as_str()), ("PONG", "of:key1"));
            assert!(
                answers[1].starts_with("CROSSSLOT") && answers[2].starts_with("ERR unknown"),
                "{answers:?}"
            );
        });
    }
}

#[test]
fn a_slot_that_moves_is_followed() {
    for flavor in Flavor::all() {
        let nodes = Nodes::start(flavor);
        let (a, b) = ("{t}a", "{t}b");
        let tag = slot(b"t");
        let (from, to) = (Nodes::owner(tag), (Nodes::owner(tag) + 1) % 3);
        let count = |line: &str| {
            let mut command = super::command(line);
            command.slot = Some(tag);
            command
        };
        runtime().block_on(async {
            let pools = pools(&nodes.all());
            let sender = anybody(&pools).await;
            let mut expected = 0;
            let mut play = async |redirected: bool| {
                let before = pools.figures().redirected.load(Ordering::Relaxed);
                expected += 2;
                let lines =
                    [format!("INCR {a}"), format!("INCR {b}"), format!("INCR {a}"), format!("INCR {b}")];
                let deadline = tokio::time::Instant::now() + super::TIMEOUT;
                let answers =
                    sender.ask(&lines.iter().map(|line| count(line)).collect::<Vec<_>>(), deadline).await;
                let answers: Vec<_> =
                    answers.into_iter().map(|answer| super::text(answer.unwrap())).collect();
                let (first, second) = ((expected - 1).to_string(), expected.to_string());
                assert_eq!(answers, [first.clone(), first, second.clone(), second], "{flavor:?}");
                let redirects = pools.figures().redirected.load(Ordering::Relaxed) > before;
                assert_eq!(redirects, redirected, "{flavor:?}");
            };
            play(false).await;
            nodes.begin(tag, from, to);
            play(false).await;
            nodes.migrate(from, to, &[a]);
            play(true).await;
            nodes.migrate(from, to, &[b]);
            play(true).await;
            nodes.end(tag, from, to);
            play(true).await;
            play(false).await;
        });
    }
}

#[test]
fn keys_that_are_half_moved_are_waited_for() {
    let nodes = Nodes::start(Flavor::Redis70);
    let tag = slot(b"t");
    let (from, to) = (Nodes::owner(tag), (Nodes::owner(tag) + 1) % 3);
    runtime().block_on(async {
        let pools = pools(&nodes.all());
        let sender = anybody(&pools).await;
        assert_eq!(ask(&sender, &["PING"]).await, ["PONG"]);
        let mut both = super::command("MSET {t}a 1 {t}b 2");
        both.slot = Some(tag);
        run(&mut nodes.0[from].connection(), &["MSET", "{t}a", "x", "{t}b", "x"]);
        nodes.begin(tag, from, to);
        nodes.migrate(from, to, &["{t}a"]);
        let deadline = tokio::time::Instant::now() + super::TIMEOUT;
        let both = [both];
        let waits = sender.ask(&both, deadline);
        let moves = async {
            let is_repeated = || pools.figures().repeated.load(Ordering::Relaxed) > 1;
            while !is_repeated() {
                tokio::task::yield_now().await;
            }
            nodes.migrate(from, to, &["{t}b"]);
            nodes.end(tag, from, to);
        };
        let (answers, ()) = tokio::join!(waits, moves);
        assert_eq!(answers, [Ok(redis::Value::Okay)]);
    });
}

#[test]
fn a_primary_that_ends_is_replaced_by_its_replica() {
    for flavor in [Flavor::Redis62, Flavor::Redis70, Flavor::Valkey91] {
        let mut nodes = Nodes::with_replicas(flavor, 1);
        let key = key_of(0);
        let lines = [format!("SET {key} 1"), format!("GET {key}"), format!("SET {} 1", key_of(1))];
        runtime().block_on(async {
            let pools = pools(&nodes.all());
            let sender = anybody(&pools).await;
            assert_eq!(ask(&sender, &lines).await, ["OK", "1", "OK"]);
            run(&mut nodes.0[0].connection(), &["WAIT", "1", "5000"]);
            let open = || pools.figures().connections.load(Ordering::Relaxed);
            let before = open();
            nodes.0[0].kill9();
            wait_until(|| open() < before);
            // The connection broke before anything was sent, so the write was surely not carried out and is sent again.
            assert_eq!(ask(&sender, &lines).await, ["OK", "1", "OK"], "{flavor:?}");
            assert!(pools.figures().repeated.load(Ordering::Relaxed) > 0);
        });
    }
}

#[test]
fn a_primary_that_stands_still_holds_back_nobody_else() {
    let nodes = Nodes::start(Flavor::Redis70);
    let (still, well) = (key_of(0), key_of(1));
    let lines =
        [format!("INCR {still}"), format!("INCR {well}"), format!("GET {still}"), format!("GET {well}")];
    let process = process(&nodes.0[0]);
    runtime().block_on(async {
        let pools = pools(&nodes.all());
        let sender = anybody(&pools).await;
        assert_eq!(ask(&sender, &lines).await, ["1", "1", "1", "1"]);
        signal(process, "STOP");
        let began = std::time::Instant::now();
        let answers = ask_within(&sender, &lines, Duration::from_millis(600)).await;
        let took = began.elapsed();
        let again = ask_within(&sender, &lines[..2], Duration::from_millis(300)).await;
        signal(process, "CONT");
        let (said, failed): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.is_ok());
        assert_eq!(said.len(), 2, "{answers:?}");
        assert!(failed.iter().all(|answer| matches!(answer, Err(CommandError::Unknown(_)))), "{failed:?}");
        assert!(took < Duration::from_secs(5), "{took:?}");
        // The first connection was closed, and connecting again fails. So it is clear that nothing was sent.
        assert!(matches!(again[0], Err(CommandError::Silent(_))), "{again:?}");
        assert!(again[1].is_ok());
        // The first write was sent before: the node carries it out when it continues. The second write was not sent, so
        // it is not carried out.
        assert_eq!(ask(&sender, &lines[2..]).await, ["2", "3"]);
    });
}

#[test]
fn a_user_who_may_not_look_at_the_cluster_follows_redirects() {
    for flavor in Flavor::all() {
        let nodes = Nodes::start(flavor);
        for node in &nodes.0 {
            allow(node);
        }
        runtime().block_on(async {
            let pools = pools(&nodes.all());
            let who = super::Credentials { user: Some("few".to_owned()), password: Some("few".to_owned()) };
            let sender = pools.of(&who).await.unwrap();
            let sets: Vec<_> = keys(100).iter().map(|key| format!("SET {key} 1")).collect();
            for round in 0..2 {
                assert!(ask(&sender, &sets).await.iter().all(|answer| answer == "OK"), "{flavor:?}");
                let redirected = pools.figures().redirected.load(Ordering::Relaxed);
                assert!((1..=100).contains(&redirected), "{flavor:?}: {round}: {redirected}");
            }
        });
    }
}

fn allow(node: &Server) {
    run(&mut node.connection(), &["ACL", "SETUSER", "few", "on", ">few", "~*", "+set"]);
}
