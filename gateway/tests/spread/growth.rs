//! Boards that grow in a real cluster, while clients write to them and read them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::door::Door;
use super::parts::part_keys;
use super::shared::shared;
use super::wire::{Reply, Wire, bulk};
use crate::servers::wait_until;

const MEMBERS: usize = 600;
/// The number of parts that the board gets.
const PARTS: u16 = 8;

/// Ends the clients of the test when it is dropped.
pub struct End<'a>(pub &'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Writes to members of a board until `ends`, and reads each member after its write. Returns the scores. Every acknowledged write
/// counts once, and a write that is repeated with its id is not counted again.
pub fn write(
    wire: &mut Wire,
    (board, timeout): (&str, &str),
    client: usize,
    ends: &AtomicBool,
) -> BTreeMap<String, i64> {
    let mut scores = BTreeMap::new();
    let mut step = 0;
    while !ends.load(Ordering::Relaxed) || step < 2 * MEMBERS {
        let member = format!("m{client}-{}", step % MEMBERS);
        let score = scores.entry(member.clone()).or_insert(0);
        *score += 1;
        let line = format!("LB.ADD {board} 1 {member} ID {client}-{step}{timeout}");
        assert_eq!(wire.say(&line).items()[0], Reply::Int(*score), "{line}");
        if step % 7 == 0 {
            assert_eq!(wire.say(&line).items()[..1], [Reply::Int(*score)], "{line}");
        }
        let read = wire.say(&format!("LB.MSCORE {board}{timeout} MEMBERS 1 {member}"));
        assert_eq!(read.items()[0].items()[1], Reply::Int(*score), "{member}");
        step += 1;
    }
    scores
}

/// Checks that replicas have done the same as their primaries.
pub fn check_replicas(keys: Vec<String>) {
    let cluster = &shared().cluster;
    cluster.wait_until_replicas_have_all();
    for key in keys {
        let home = cluster.home(&key);
        let digest =
            |node: usize| Wire::to(cluster.nodes[node].port()).run(&format!("DEBUG DIGEST-VALUE {key}"));
        assert_eq!(digest(home), digest(home + 3), "{key}");
    }
}

/// A plain board does not take `TIMEOUT`, so its clients use the timeouts of the gateway.
#[test]
fn a_plain_board_gets_parts_while_it_is_written_to() {
    let place = shared();
    let mut wire = place.door.wire();
    assert_eq!(wire.run("LB.CREATE flat VIEWS all,day").text(), "OK");
    let (door, ends) = (Door::patient(&place.cluster), AtomicBool::new(false));
    let scores: BTreeMap<_, _> = thread::scope(|scope| {
        let writers: Vec<_> = (0..3)
            .map(|client| {
                let (door, ends) = (&door, &ends);
                scope.spawn(move || write(&mut door.wire(), ("flat", ""), client, ends))
            })
            .collect();
        let end = End(&ends);
        let all = Reply::Array(vec![Reply::Int(4); 2]);
        wait_until(|| wire.run("LB.RESHARD flat 4 TIMEOUT 5000") == all);
        drop(end);
        writers.into_iter().flat_map(|writer| writer.join().expect("a writer")).collect()
    });
    assert_eq!(wire.run("LB.COUNT flat").int() as usize, scores.len());
    for (member, score) in &scores {
        assert_eq!(wire.run(&format!("LB.SCORE flat {member}")), Reply::Int(*score), "{member}");
    }
    assert_eq!(wire.run("LB.REPAIR flat"), Reply::Array(Vec::new()));
    for row in wire.run("LB.PARTS flat").items() {
        assert!(row.items()[9].is_nil(), "{row:?}");
    }
    check_replicas(part_keys("flat", 4).into_iter().chain(["flat".to_owned()]).collect());
    assert_eq!(wire.run("DEL flat"), Reply::Int(1));
}

#[test]
fn a_board_grows_while_it_is_written_to_and_read() {
    let place = shared();
    let mut wire = place.door.wire();
    assert_eq!(wire.run("LB.CREATE big VIEWS all,day PARTS 2").text(), "OK");
    // The other clients use another gateway than the one that splits the parts.
    let (door, ends) = (Door::of(&place.cluster), AtomicBool::new(false));
    let (scores, sums) = thread::scope(|scope| {
        let writers: Vec<_> = (0..3)
            .map(|client| {
                let (door, ends) = (&door, &ends);
                scope.spawn(move || write(&mut door.wire(), ("big", " TIMEOUT 20000"), client, ends))
            })
            .collect();
        let reader = scope.spawn(|| {
            let (mut wire, mut sums) = (door.wire(), Vec::new());
            while !ends.load(Ordering::Relaxed) {
                let stats = wire.say("LB.STATS big TIMEOUT 20000");
                sums.push(stats.field("sum").int());
            }
            sums
        });
        // The clients also end if the board does not grow.
        let end = End(&ends);
        for parts in [4, PARTS.into()] {
            // Each part waits for a replica, so the command may have to be repeated.
            let all = Reply::Array(vec![Reply::Int(parts); 2]);
            wait_until(|| wire.run(&format!("LB.RESHARD big {parts} TIMEOUT 5000")) == all);
        }
        drop(end);
        let scores: BTreeMap<_, _> =
            writers.into_iter().flat_map(|writer| writer.join().expect("a writer")).collect();
        (scores, reader.join().expect("a reader"))
    });
    assert!(sums.is_sorted(), "nothing that was read is missing in a later read");
    assert_eq!(wire.run("LB.COUNT big").int() as usize, scores.len());
    let sum: i64 = scores.values().sum();
    assert_eq!(*wire.run("LB.STATS big").field("sum"), Reply::Int(sum));
    for (member, score) in &scores {
        assert_eq!(wire.run(&format!("LB.SCORE big {member}")), Reply::Int(*score), "{member}");
    }
    let info = wire.run("LB.INFO big");
    assert_eq!((info.field("parts").int(), info.field("state").text()), (PARTS.into(), "whole".to_owned()));
    assert_eq!(wire.run("LB.REPAIR big"), Reply::Array(Vec::new()));
    for row in wire.run("LB.PARTS big").items() {
        assert!(row.items()[9].is_nil(), "{row:?}");
    }
    check_replicas(part_keys("big", PARTS));
    assert_eq!(wire.run("DEL big"), Reply::Int(1));
    for key in part_keys("big", PARTS) {
        assert_eq!(place.behind(&key, &format!("EXISTS {key}")), Reply::Int(0));
    }
    assert_eq!(wire.say("PING big"), bulk("big"));
}
