//! Tests with writers that use request ids, and readers, while slots move and nodes fail. No member appears twice, no
//! reply is incomplete, and at the end the board contains each confirmed point once.

mod people;

use std::collections::HashMap;
use std::thread;
use std::time::Duration;

use people::Crowd;

use super::cluster::Cluster;
use super::door::Door;
use super::parts::{part_keys, slot};
use super::wire::Wire;
use crate::servers::{Flavor, run, wait_until};

const PARTS: u16 = 16;

/// An event in a cluster that clients write to and read at the same time.
type Event = fn(&mut Cluster);

/// Starts a cluster with a spread board and its clients, and runs the events one after the other. Between two events,
/// every writer and every reader must make progress.
fn go_through(flavor: Flavor, events: &[(&str, Event)]) {
    let mut cluster = Cluster::start(flavor);
    let door = Door::of(&cluster);
    door.wire().run(&format!("LB.CREATE game DEDUP 3600 PARTS {PARTS}"));
    let crowd = Crowd::start(door.port);
    // Waits, so that a node that fails does not lose the first data.
    cluster.wait_until_replicas_have_all();
    cluster.node_timeout("1500");
    for (name, event) in events {
        crowd.get_on(name);
        event(&mut cluster);
        cluster.wait_until_well();
    }
    crowd.get_on("the end");
    let written = crowd.stop();
    // A killed server may have lost writes that it had confirmed. A client that wants to be sure sends them again.
    let mut wire = door.wire();
    let again: Vec<_> = written.requests.iter().map(|request| super::wire::split(request)).collect();
    for batch in again.chunks(1_000) {
        let refused = wire.pipeline(batch).into_iter().find(|reply| reply.is_error());
        assert!(refused.is_none(), "{refused:?}");
    }
    let rows = wire.run("LB.TOP game 100000");
    let scores: HashMap<_, _> =
        rows.items().iter().map(|row| (row.items()[1].text(), row.items()[2].int())).collect();
    assert_eq!(scores, written.scores);
    let sum: i64 = written.scores.values().sum();
    assert_eq!(wire.run("LB.STATS game").field("sum").int(), sum);
    assert_eq!(wire.run("LB.COUNT game").int(), written.scores.len() as i64);
}

/// Moves the slots of some parts, key by key.
fn move_slots(cluster: &mut Cluster) {
    for key in part_keys("game", PARTS).iter().step_by(3) {
        cluster.move_slot(slot(key), cluster.other_primary(cluster.home(key)));
    }
}

/// Moves slots with the command of Valkey 9.
fn migrate_slots(cluster: &mut Cluster) {
    for key in part_keys("game", PARTS).iter().skip(1).step_by(3) {
        let from = cluster.home(key);
        cluster.migrate_slots(from, cluster.other_primary(from), (slot(key), slot(key)));
    }
}

/// Kills the primary of a part. Its replica takes over, and the killed node returns as a replica.
fn kill_a_primary(cluster: &mut Cluster) {
    let (slot, old) = the_first(cluster);
    cluster.nodes[old].kill9();
    wait_until(|| cluster.primary_of(slot) != old);
    cluster.nodes[old].start_again();
}

/// Stops a primary for longer than the other nodes wait for it.
fn stop_a_primary(cluster: &mut Cluster) {
    let (slot, old) = the_first(cluster);
    let process = cluster.process(old);
    crate::support::signal(process, "STOP");
    wait_until(|| cluster.primary_of(slot) != old);
    crate::support::signal(process, "CONT");
}

/// Pauses a primary, so that it sends no reply for longer than a request waits.
fn pause_a_primary(cluster: &mut Cluster) {
    let (_, primary) = the_first(cluster);
    // The other nodes of the cluster still see this node as running.
    run(&mut cluster.nodes[primary].connection(), &["CLIENT", "PAUSE", "1300"]);
    Wire::to(cluster.nodes[primary].port()).say("LB.COUNT nothing");
}

/// Restarts all nodes, one after the other.
fn restart_all(cluster: &mut Cluster) {
    cluster.node_timeout("60000");
    for number in 0..cluster.nodes.len() {
        cluster.nodes[number].restart();
        cluster.wait_until_well();
    }
    cluster.node_timeout("1500");
}

fn the_first(cluster: &Cluster) -> (u16, usize) {
    let slot = slot(&part_keys("game", PARTS)[0]);
    (slot, cluster.primary_of(slot))
}

const MOVE: (&str, Event) = ("slots that move by MIGRATE", move_slots);
const MIGRATE: (&str, Event) = ("slots that move by MIGRATESLOTS", migrate_slots);
const KILL: (&str, Event) = ("a primary that is killed", kill_a_primary);
const STOP: (&str, Event) = ("a primary that is stopped", stop_a_primary);
const PAUSE: (&str, Event) = ("a primary that pauses", pause_a_primary);
const RESTART: (&str, Event) = ("nodes that restart", restart_all);

#[test]
fn redis_62_goes_through_it() {
    go_through(Flavor::Redis62, &[MOVE, KILL]);
}

#[test]
fn redis_70_goes_through_it() {
    go_through(Flavor::Redis70, &[MOVE, PAUSE, STOP, RESTART]);
}

#[test]
fn redis_82_goes_through_it() {
    go_through(Flavor::Redis82, &[MOVE, KILL, PAUSE]);
}

#[test]
fn valkey_91_goes_through_it() {
    go_through(Flavor::Valkey91, &[MIGRATE, KILL, STOP, MIGRATE]);
}

/// Waits the time that clients wait before they try again.
fn breathe() {
    thread::sleep(Duration::from_millis(5));
}
