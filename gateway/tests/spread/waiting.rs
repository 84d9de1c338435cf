//! Tests of `WAIT`: it waits for the replicas of the nodes to which the connection has written.

use super::cluster::Cluster;
use super::door::Door;
use super::shared::shared;
use super::wire::{Reply, Wire};
use crate::servers::{Flavor, wait_until};
use crate::support::signal;

/// Replicas follow their primaries in this order.
const PRIMARIES: usize = 3;

/// Returns what the replica of a key has, without its primary.
fn on_replica(cluster: &Cluster, key: &str) -> Reply {
    let mut replica = Wire::to(cluster.nodes[cluster.home(key) + PRIMARIES].port());
    replica.run("READONLY");
    replica.run(&format!("GET {key}"))
}

#[test]
fn a_replica_has_what_was_waited_for() {
    let place = shared();
    let mut wire = place.door.wire();
    assert_eq!(wire.run("WAIT 1 1000"), Reply::Int(0), "this connection has written nothing");
    for number in 0..20 {
        let key = format!("waited-{number}");
        wire.run(&format!("SET {key} text"));
        assert_eq!(wire.run("WAIT 1 30000"), Reply::Int(1));
        assert_eq!(on_replica(&place.cluster, &key).text(), "text");
    }
    wire.run("LB.CREATE waited-board PARTS 8");
    assert_eq!(wire.run("WAIT 1 30000"), Reply::Int(1));
    let list: Vec<_> = (0..40).map(|member| format!("1 m{member}")).collect();
    for write in [
        "LB.ADD waited-board 5 m1".to_owned(),
        format!("LB.MADD waited-board ID all {}", list.join(" ")),
        "LB.REM waited-board m1 m2 m3".to_owned(),
        "DEL waited-board".to_owned(),
    ] {
        wire.run(&write);
        assert_eq!(wire.run("WAIT 1 30000"), Reply::Int(1), "{write}");
    }
    assert!(wire.run("WAIT 0 0").int() <= 1, "what is there already is told at once");
    assert_eq!(wire.run("WAIT 2 50"), Reply::Int(1), "no node has two replicas");
    assert_eq!(wire.say("WAIT x 50").error(), "ERR numreplicas is not a whole number");
    assert_eq!(wire.say("WAITAOF 1 0 0").error(), "ERR WAITAOF does not work through the gateway");
}

/// Other clients use the connections of the same user meanwhile.
#[test]
fn a_replica_that_stands_still_holds_back_only_the_client_that_waits() {
    for flavor in [Flavor::Redis62, Flavor::Valkey91] {
        let cluster = Cluster::start(flavor);
        let door = Door::of(&cluster);
        let (mut wire, mut other) = (door.wire(), door.wire());
        wire.run("SET key text");
        assert_eq!(wire.run("WAIT 1 30000"), Reply::Int(1), "{flavor:?}");
        let replica = cluster.process(cluster.home("key") + PRIMARIES);
        signal(replica, "STOP");
        wire.run("SET key other");
        wire.send(&[super::wire::split("WAIT 1 30000")]);
        for number in 0..20 {
            other.run(&format!("SET key text-{number}"));
        }
        assert_eq!(other.run("WAIT 1 200"), Reply::Int(0), "{flavor:?}");
        signal(replica, "CONT");
        assert_eq!(wire.read(), Reply::Int(1), "{flavor:?}");
        assert_eq!(other.run("WAIT 1 30000"), Reply::Int(1), "{flavor:?}");
        assert_eq!(on_replica(&cluster, "key").text(), "text-19", "{flavor:?}");
    }
}

#[test]
fn a_server_that_has_taken_over_does_not_count_for_earlier_writes() {
    let cluster = Cluster::start(Flavor::Redis82);
    let door = Door::of(&cluster);
    let mut wire = door.wire();
    let home = cluster.home("key");
    wire.run("SET key text");
    assert_eq!(wire.run("WAIT 1 30000"), Reply::Int(1));
    wire.run("SET key lost");
    // The replica takes over, and the old primary becomes its replica.
    Wire::to(cluster.nodes[home + PRIMARIES].port()).run("CLUSTER FAILOVER TAKEOVER");
    wait_until(|| cluster.primary_of(super::parts::slot("key")) == home + PRIMARIES);
    cluster.wait_until_well();
    assert_eq!(wire.run("WAIT 1 1000"), Reply::Int(0), "the write may be lost");
    wire.run("SET key again");
    assert_eq!(wire.run("WAIT 1 30000"), Reply::Int(1), "the new primary has a replica");
}
