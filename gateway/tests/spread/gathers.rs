//! Tests of LB.GATHER in clusters: a node answers only for the parts that it serves, and the gateway finds the others.

use leaderboard_testkit::slots::{part_key, slot};

use super::cluster::Cluster;
use super::door::Door;
use super::wire::{Reply, Wire};
use crate::servers::{Flavor, query, run};
use crate::support::signal;

const PARTS: u16 = 16;
const CLUSTERS: [Flavor; 3] = [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91];
const MEMBERS: usize = 100;

fn fill(wire: &mut Wire) {
    wire.run(&format!("LB.CREATE game PARTS {PARTS}"));
    let list: Vec<_> = (0..MEMBERS).map(|member| format!("{member} m{member}")).collect();
    wire.run(&format!("LB.MADD game ID first {}", list.join(" ")));
}

/// Asks a node for all parts. Returns the parts that it serves, as the reply says.
fn served(wire: &mut Wire) -> Vec<u16> {
    let Reply::Bulk(bytes) = wire.say(&format!("LB.GATHER game {PARTS} 0-{} TOP 1", PARTS - 1)) else {
        panic!()
    };
    let (mut left, mut parts) = (bytes.as_slice(), Vec::new());
    while !left.is_empty() {
        let length = u64::from_le_bytes(left[3..11].try_into().unwrap()) as usize;
        if left[2] == 0 {
            parts.push(u16::from_le_bytes([left[0], left[1]]));
        }
        assert_eq!(left[2] == 1, length == 0);
        left = &left[11 + length..];
    }
    parts
}

fn home(cluster: &Cluster, part: u16) -> usize {
    cluster.home(&part_key("game", PARTS, part))
}

fn calls(cluster: &Cluster, command: &str) -> u64 {
    let count = |stats: String| {
        let stats = stats.to_lowercase();
        let line = stats.lines().find_map(|line| line.strip_prefix(&format!("cmdstat_{command}:calls=")));
        line.map_or(0, |line| line.split(',').next().unwrap().parse().unwrap())
    };
    cluster.nodes.iter().map(|node| count(query(&mut node.connection(), &["INFO", "commandstats"]))).sum()
}

#[test]
fn a_node_answers_for_the_parts_that_it_serves_and_no_other() {
    for flavor in CLUSTERS {
        let cluster = Cluster::start(flavor);
        let door = Door::with(&cluster, &["--cache-ms", "0"]);
        let mut wire = door.wire();
        fill(&mut wire);
        cluster.wait_until_replicas_have_all();
        for (number, node) in cluster.nodes.iter().enumerate() {
            let own: Vec<_> = (0..PARTS).filter(|part| home(&cluster, *part) == number).collect();
            // A replica has the keys, but not the latest writes for sure.
            assert_eq!(served(&mut Wire::to(node.port())), own, "{flavor:?} {number}");
        }
        let before = calls(&cluster, "lb.part");
        assert_eq!(wire.run("LB.COUNT game").int(), MEMBERS as i64);
        let rank = wire.run("LB.RANK game m99").int();
        assert_eq!((rank, calls(&cluster, "lb.part") - before), (1, 1), "{flavor:?}");
        assert!(calls(&cluster, "lb.gather") > 0);
    }
}

#[test]
fn a_part_that_moves_is_found_in_each_state_of_its_slot() {
    for flavor in CLUSTERS {
        let cluster = Cluster::start(flavor);
        let door = Door::with(&cluster, &["--cache-ms", "0"]);
        let mut wire = door.wire();
        fill(&mut wire);
        let moved = part_key("game", PARTS, 3);
        let number = slot(&moved);
        let from = cluster.primary_of(number);
        let to = cluster.other_primary(from);
        let ids = [cluster.id(from), cluster.id(to)];
        let mut cons = [cluster.nodes[from].connection(), cluster.nodes[to].connection()];
        let mut wires = [from, to].map(|node| Wire::to(cluster.nodes[node].port()));
        let number = number.to_string();
        let mut check = |wires: &mut [Wire; 2], where_: Option<usize>| {
            for (node, wire) in wires.iter_mut().enumerate() {
                assert_eq!(served(wire).contains(&3), where_ == Some(node), "{flavor:?} {where_:?} {node}");
            }
            assert_eq!(wire.run("LB.COUNT game").int(), MEMBERS as i64, "{flavor:?} {where_:?}");
            assert_eq!(wire.run("LB.RANK game m0").int(), MEMBERS as i64);
        };
        check(&mut wires, Some(0));
        run(&mut cons[1], &["CLUSTER", "SETSLOT", &number, "IMPORTING", &ids[0]]);
        run(&mut cons[0], &["CLUSTER", "SETSLOT", &number, "MIGRATING", &ids[1]]);
        check(&mut wires, Some(0));
        let port = cluster.nodes[to].port().to_string();
        run(&mut cons[0], &["MIGRATE", "127.0.0.1", &port, &moved, "0", "20000"]);
        // The new node has the key, but the slot is not its own yet: a client has to ask for it there.
        check(&mut wires, None);
        for con in cons.iter_mut().rev() {
            run(con, &["CLUSTER", "SETSLOT", &number, "NODE", &ids[1]]);
        }
        check(&mut wires, Some(1));
    }
}

#[test]
fn a_user_without_the_command_reads_part_by_part() {
    let cluster = Cluster::start(Flavor::Redis82);
    cluster.everywhere("ACL SETUSER plain on >plain-pass ~game* +@all -lb.gather");
    cluster.everywhere("ACL SETUSER whole on >whole-pass ~game* +@all");
    cluster.everywhere("ACL SETUSER narrow on >narrow-pass ~game +@all");
    let door = Door::with(&cluster, &["--cache-ms", "0"]);
    fill(&mut door.wire());
    for name in ["plain", "whole"] {
        let mut wire = door.wire();
        wire.run(&format!("AUTH {name} {name}-pass"));
        let before = [calls(&cluster, "lb.part"), calls(&cluster, "lb.gather")];
        for _ in 0..3 {
            assert_eq!(wire.run("LB.COUNT game").int(), MEMBERS as i64, "{name}");
        }
        let after = [calls(&cluster, "lb.part") - before[0], calls(&cluster, "lb.gather") - before[1]];
        let expected = if name == "plain" { [3 * u64::from(PARTS), 0] } else { [0, 9] };
        assert_eq!(after, expected, "{name}");
    }
    let mut wire = door.wire();
    wire.run("AUTH narrow narrow-pass");
    assert!(wire.say("LB.COUNT game").error().starts_with("NOPERM "));
}

#[test]
fn servers_that_cannot_check_rights_are_asked_part_by_part() {
    let cluster = Cluster::start(Flavor::Redis62);
    let door = Door::with(&cluster, &["--cache-ms", "0"]);
    let mut wire = door.wire();
    fill(&mut wire);
    for _ in 0..3 {
        assert_eq!(wire.run("LB.COUNT game").int(), MEMBERS as i64);
    }
    assert!(calls(&cluster, "lb.part") >= 3 * u64::from(PARTS));
    // Each node has refused the command at most once.
    assert!(calls(&cluster, "lb.gather") <= 3);
}

#[test]
fn a_node_that_was_replaced_gives_no_old_answer() {
    let cluster = Cluster::start(Flavor::Redis70);
    let door = Door::with(&cluster, &["--cache-ms", "0"]);
    let mut wire = door.wire();
    fill(&mut wire);
    cluster.wait_until_replicas_have_all();
    let old = home(&cluster, 5);
    let process = cluster.process(old);
    let own: Vec<_> = (0..PARTS).filter(|part| home(&cluster, *part) == old).collect();
    signal(process, "STOP");
    run(&mut cluster.nodes[old + 3].connection(), &["CLUSTER", "FAILOVER", "TAKEOVER"]);
    let mut new = Wire::to(cluster.nodes[old + 3].port());
    crate::servers::wait_until(|| served(&mut new) == own);
    let key = part_key("game", PARTS, 5);
    let member = leaderboard_testkit::slots::members_of(5, PARTS, 1).remove(0);
    assert!(!new.say(&format!("LB.ADD {key} 1000 {member} PARTS {PARTS}")).is_error());
    signal(process, "CONT");
    crate::servers::wait_until(|| served(&mut Wire::to(cluster.nodes[old].port())).is_empty());
    assert_eq!(wire.run(&format!("LB.RANK game {member} TIMEOUT 20000")).int(), 1);
}
