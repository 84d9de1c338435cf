//! Tests of a gateway with more to do than it can: what it refuses, what it keeps in memory, and what it says about
//! this.

use std::thread;

use super::door::Door;
use super::shared::shared;
use super::wire::{Reply, split};
use crate::servers::{Flavor, Server, wait_until};
use crate::support::{Api, Gateway};

/// Returns the sum of all samples of a metric whose labels contain this text.
fn metric(api: &Api, name: &str, labels: &str) -> f64 {
    let text = api.get("//metrics").status(200).text().to_owned();
    let samples = text
        .lines()
        .filter_map(|line| line.rsplit_once(' '))
        .filter(|(series, _)| series.split('{').next() == Some(name) && series.contains(labels));
    samples.map(|(_, value)| value.parse::<f64>().expect("a number")).sum()
}

/// Sixteen clients with 200 commands in flight each, for a gateway that carries out one gather at a time.
#[test]
fn overload_is_told_as_busy_and_never_as_parts_that_are_down() {
    const CLIENTS: usize = 16;
    const COMMANDS: usize = 200;
    let place = shared();
    let [patient, gathers, wait] =
        [["--gather-timeout-ms", "20000"], ["--gathers", "8"], ["--gather-wait-ms", "20"]];
    let door = Door::with(&place.cluster, &[["--cache-ms", "0"], patient, gathers, wait].concat());
    let mut wire = door.wire();
    wire.run("LB.CREATE loaded PARTS 8");
    let list: Vec<_> = (0..COMMANDS).map(|member| format!("{} m{member}", COMMANDS - member)).collect();
    wire.run(&format!("LB.MADD loaded ID first {}", list.join(" ")));
    let commands: Vec<_> = (0..COMMANDS).map(|member| split(&format!("LB.RANK loaded m{member}"))).collect();
    let (mut good, mut busy) = (0, 0);
    let replies: Vec<_> = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(|| door.wire().pipeline(&commands))).collect();
        clients.into_iter().flat_map(|client| client.join().expect("replies")).collect()
    });
    for (number, reply) in replies.iter().enumerate() {
        match reply {
            Reply::Error(text) => {
                assert!(text.starts_with("BUSY ") && text.ends_with(" ms"), "{text}");
                busy += 1;
            }
            reply => {
                assert_eq!(*reply, Reply::Int((number % COMMANDS + 1) as i64));
                good += 1;
            }
        }
    }
    assert!(good > 0 && busy > 0, "{good} good, {busy} busy");
    // Writes to one part did not wait, and the gateway is not overloaded any more.
    assert_eq!(wire.run("LB.ADD loaded 1 m0").items()[0], Reply::Int(COMMANDS as i64 + 1));
    assert_eq!(wire.run("LB.RANK loaded m0"), Reply::Int(1));
    let api = door.api();
    assert_eq!(metric(&api, "leaderboard_gateway_gather_errors_total", "code=\"BUSY\""), f64::from(busy));
    assert_eq!(metric(&api, "leaderboard_gateway_gather_errors_total", "code=\"PARTSDOWN\""), 0.0);
    let count = metric(&api, "leaderboard_gateway_gather_seconds_count", "command=\"LB.RANK\"");
    assert_eq!(count, f64::from(good + busy + 1));
    assert_eq!(metric(&api, "leaderboard_gateway_roots", "state=\"whole\""), 1.0);
    assert_eq!(metric(&api, "leaderboard_gateway_gathers_waiting", ""), 0.0);
    api.get("//readyz").status(200);
}

/// Eight clients ask for more pages than their sockets hold, and read nothing.
#[test]
fn unread_replies_have_a_limit() {
    const LIMIT: f64 = 16.0 * 1_048_576.0;
    let place = shared();
    let [patient, reply, replies] =
        [["--gather-timeout-ms", "20000"], ["--reply-mb", "8"], ["--replies-mb", "16"]];
    let door = Door::with(&place.cluster, &[["--cache-ms", "0"], patient, reply, replies].concat());
    let mut wire = door.wire();
    wire.run("LB.CREATE unreadable PARTS 4");
    for batch in 0..10 {
        let list: Vec<_> =
            (0..2_000).map(|member| format!("{member} {}-{batch}-{member}", "x".repeat(80))).collect();
        wire.run(&format!("LB.MADD unreadable ID {batch} {}", list.join(" ")));
    }
    let commands = vec![split("LB.TOP unreadable 100000"); 20];
    let clients: Vec<_> = (0..8)
        .map(|_| {
            let mut client = door.wire();
            client.send(&commands);
            client
        })
        .collect();
    let api = door.api();
    wait_until(|| {
        let unread = metric(&api, "leaderboard_gateway_unread_bytes", "");
        assert!(unread <= LIMIT, "{unread}");
        unread > 0.0
    });
    // The others are served.
    for _ in 0..20 {
        assert_eq!(wire.run("LB.COUNT unreadable"), Reply::Int(20_000));
        assert!(metric(&api, "leaderboard_gateway_unread_bytes", "") <= LIMIT);
    }
    drop(clients);
    wait_until(|| metric(&api, "leaderboard_gateway_unread_bytes", "") == 0.0);
    assert_eq!(wire.run("LB.TOP unreadable 100000").items().len(), 20_000);
}

#[test]
fn a_gateway_is_ready_while_its_servers_answer() {
    let mut server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let api = gateway.api();
    assert_eq!(api.get("//readyz").status(200).text(), "ready\n");
    server.shutdown("SAVE");
    let reply = api.get("//readyz").status(503);
    assert!(reply.header("retry-after").is_some());
    assert!(reply.text().contains("answer"), "{}", reply.text());
    server.start_again();
    wait_until(|| api.get("//readyz").status == 200);
}
