//! Tests of commands that move, copy, remove or list over parts, with keys on several nodes: each is compared with a plain
//! board.

use super::cluster::Cluster;
use super::door::Door;
use super::shared::{Place, shared};
use super::wire::{Reply, Wire};
use crate::servers::{Flavor, wait_until};

/// Fills a spread board and its plain twin, whose name ends in `-plain`, with members of distinct scores.
fn twins(wire: &mut Wire, name: &str, members: usize) {
    for created in [format!("{name} PARTS 8"), format!("{name}-plain")] {
        wire.run(&format!("LB.CREATE {created} VIEWS all,day DECIMALS 2"));
    }
    let words: Vec<_> =
        (0..members).map(|member| format!("{}.5 m{member}", member * 7_919 % 100_003)).collect();
    for key in [name.to_owned(), format!("{name}-plain")] {
        wire.run(&format!("LB.MADD {key} ID fill AT 1000000000000 {}", words.join(" ")));
    }
}

fn set(wire: &mut Wire, key: &str) -> Reply {
    wire.run(&format!("ZRANGE {key} 0 -1 WITHSCORES"))
}

/// Returns all keys of the cluster that begin with this text.
fn keys(place: &Place, name: &str) -> usize {
    let of_node =
        |line: &str, node: usize| Wire::to(place.cluster.nodes[node].port()).run(line).items().len();
    (0..3).map(|node| of_node(&format!("KEYS {name}*"), node)).sum()
}

#[test]
fn a_range_of_ranks_is_removed() {
    let place = shared();
    let mut wire = place.door.wire();
    twins(&mut wire, "ranged", 300);
    for range in ["1 10", "-5 -1", "100 120", "7 7", "9 3", "280 400"] {
        let wanted = wire.run(&format!("LB.REMRANGE ranged-plain {range}"));
        assert_eq!(wire.run(&format!("LB.REMRANGE ranged {range}")), wanted, "{range}");
        let left = wire.run("LB.TOP ranged-plain 1000");
        assert_eq!(wire.run("LB.TOP ranged 1000"), left, "{range}");
    }
}

#[test]
fn a_board_is_exported_to_a_key_of_any_node() {
    let place = shared();
    for (number, mut wire) in [place.door.wire(), place.door.wire_resp3()].into_iter().enumerate() {
        let name = format!("export{number}");
        twins(&mut wire, &name, 2_500);
        let plain_dest = format!("{{{name}-plain}}dest");
        for (options, dests) in [
            ("", ["out-a", "out-b"]),
            (" COUNT 100", ["out-c", "out-d"]),
            (" COUNT 40 REV VIEW all", ["out-a", "out-e"]),
        ] {
            let wanted = wire.run(&format!("LB.EXPORT {plain_dest} {name}-plain{options}"));
            for dest in dests {
                wire.run(&format!("SET {dest} text"));
                assert_eq!(
                    wire.run(&format!("LB.EXPORT {dest} {name}{options} TIMEOUT 20000")),
                    wanted,
                    "{options}"
                );
                assert_eq!(set(&mut wire, dest), set(&mut wire, &plain_dest), "{options}");
                assert_eq!(wire.run(&format!("PTTL {dest}")), Reply::Int(-1));
            }
        }
        assert_eq!(wire.run(&format!("LB.EXPORT out-a {name} VIEW day TIMEOUT 20000")), Reply::Int(0));
        assert_eq!(wire.run("EXISTS out-a"), Reply::Int(0));
        for dest in [&name, &format!("{name}-plain")] {
            let refused = wire.say(&format!("LB.EXPORT {dest} {name}"));
            assert_eq!(refused.is_error(), *dest == name, "{refused:?}");
        }
    }
    // Nothing is left beside the keys.
    assert_eq!(keys(&place, "out-"), 4);
}

#[test]
fn a_sorted_set_of_any_node_is_imported() {
    let place = shared();
    for (number, mut wire) in [place.door.wire(), place.door.wire_resp3()].into_iter().enumerate() {
        let name = format!("import{number}");
        let words: Vec<_> = (0..700).map(|member| format!("{}.25 m{member}", member % 90)).collect();
        for key in [format!("{name}-set"), format!("{{{name}-plain}}set")] {
            wire.run(&format!("ZADD {key} {}", words.join(" ")));
        }
        for (key, from) in
            [(name.clone(), format!("{name}-set")), (format!("{name}-plain"), format!("{{{name}-plain}}set"))]
        {
            let parts = if key == name { " PARTS 8" } else { "" };
            wire.run(&format!("LB.CREATE {key} DECIMALS 2{parts}"));
            for mode in ["", "MERGE"] {
                let (mut cursor, mut imported) = ("0".to_owned(), 0);
                let id = if parts.is_empty() || mode.is_empty() { "" } else { "ID again" };
                loop {
                    let mode = if mode.is_empty() && imported > 0 { "NX" } else { mode };
                    let step = format!("LB.IMPORT {key} {from} CURSOR {cursor} COUNT 60 {mode} {id}");
                    let reply = wire.run(step.trim_end());
                    imported += reply.items()[1].int();
                    cursor = reply.items()[0].text();
                    if cursor == "0" {
                        break;
                    }
                }
                assert_eq!(imported, 700, "{key} {mode}");
            }
        }
        for (key, dest) in
            [(name.clone(), "imported"), (format!("{name}-plain"), &format!("{{{name}-plain}}dest"))]
        {
            assert_eq!(wire.run(&format!("LB.EXPORT {dest} {key}")), Reply::Int(700));
        }
        assert_eq!(set(&mut wire, "imported"), set(&mut wire, &format!("{{{name}-plain}}dest")));
        assert_eq!(wire.run(&format!("LB.SCORE {name} m3")).text(), "6.5");
    }
}

#[test]
fn a_board_is_made_like_another_of_any_node() {
    let place = shared();
    let mut wire = place.door.wire();
    for (other, rules) in
        [("like-a", "VIEWS day,all DECIMALS 3 TZ Europe/Rome"), ("like-b", "ORDER ASC TIES LAST PARTS 4")]
    {
        wire.run(&format!("LB.CREATE {other} {rules}"));
        let made = format!("{other}-made");
        wire.run(&format!("LB.CREATE {made} LIKE {other} PARTS 8 DEDUP 77"));
        let [old, new] = [other, &made].map(|key| wire.run(&format!("LB.INFO {key}")));
        for field in ["views", "order", "ties", "decimals", "tz", "retain"] {
            let of = |info: &Reply| {
                let items = info.items();
                let at = items.iter().step_by(2).position(|name| name.text() == field).expect("a field");
                items[2 * at + 1].clone()
            };
            assert_eq!(of(&new), of(&old), "{field}");
        }
        wire.run(&format!("LB.ADD {made} 5 ann"));
        assert_eq!(wire.run(&format!("LB.COUNT {made}")), Reply::Int(1));
    }
    wire.run("LB.CREATE like-votes SHOWN");
    let refused = wire.say("LB.CREATE like-c LIKE like-votes PARTS 8");
    assert_eq!(refused.error(), "ERR SHOWN is not possible with parts");
}

#[test]
fn voters_and_options_of_all_parts() {
    let place = shared();
    let mut wire = place.door.wire();
    for key in ["polls PARTS 8", "polls-plain"] {
        wire.run(&format!("LB.CREATE {key} VIEWS all,hour"));
    }
    for key in ["polls", "polls-plain"] {
        for vote in 0..300 {
            wire.run(&format!("LB.VOTE {key} 1 m{} BY v{}", vote % 17, vote % 41));
        }
        for option in 0..17 {
            wire.run(&format!("LB.OPTION {key} m{option}"));
        }
    }
    for options in ["", " VIEW hour", " MEMBER m3", " MEMBER nobody", " PERIOD -1 VIEW hour"] {
        let wanted = wire.run(&format!("LB.VOTERS polls-plain{options}"));
        assert_eq!(wire.run(&format!("LB.VOTERS polls{options}")), wanted, "{options}");
    }
    let mut rows = |key: &str, count: usize| {
        let (mut cursor, mut rows) = ("0".to_owned(), Vec::new());
        loop {
            let page = wire.run(&format!("LB.OPTIONS {key} {cursor} COUNT {count}"));
            rows.extend(page.items()[1].items().iter().map(|row| format!("{row:?}")));
            cursor = page.items()[0].text();
            if cursor == "0" {
                rows.sort();
                return rows;
            }
        }
    };
    let wanted = rows("polls-plain", 100);
    assert_eq!(wanted.len(), 17);
    assert_eq!([rows("polls", 3), rows("polls", 100)], [wanted.clone(), wanted]);
    assert_eq!(wire.run("LB.QUOTA polls BY v1").items().len(), 0);
}

/// Exports and imports go on while slots have no primary, and end when replicas take over.
#[test]
fn an_export_waits_for_a_failover() {
    let cluster = Cluster::start(Flavor::Valkey91);
    let door = Door::of(&cluster);
    let mut wire = door.wire();
    twins(&mut wire, "failing", 500);
    cluster.wait_until_replicas_have_all();
    let home = cluster.home("failing-dest");
    Wire::to(cluster.nodes[home + 3].port()).run("CLUSTER FAILOVER TAKEOVER");
    wait_until(|| {
        let reply = wire.say("LB.EXPORT failing-dest failing TIMEOUT 5000");
        let is_outage =
            reply.is_error() && ["PARTSDOWN", "UNKNOWN"].iter().any(|code| reply.error().starts_with(code));
        assert!(is_outage || reply == Reply::Int(500), "{reply:?}");
        !is_outage
    });
    assert_eq!(wire.run("ZCARD failing-dest"), Reply::Int(500));
}
