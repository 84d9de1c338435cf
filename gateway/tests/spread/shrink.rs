//! A board that shrinks in a real cluster until it is plain, while clients write to it and read it.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::thread;

use super::door::Door;
use super::growth::{End, check_replicas, write};
use super::parts::part_keys;
use super::shared::shared;
use super::wire::Reply;
use crate::servers::wait_until;

/// A plain board does not take `TIMEOUT`, so its clients use the timeouts of the gateway.
#[test]
fn a_board_shrinks_to_a_plain_board_while_it_is_written_to_and_read() {
    let place = shared();
    let mut wire = place.door.wire();
    assert_eq!(wire.run("LB.CREATE small VIEWS all,day PARTS 8").text(), "OK");
    let (door, ends) = (Door::patient(&place.cluster), AtomicBool::new(false));
    let (scores, sums) = thread::scope(|scope| {
        let writers: Vec<_> = (0..3)
            .map(|client| {
                let (door, ends) = (&door, &ends);
                scope.spawn(move || write(&mut door.wire(), ("small", ""), client, ends))
            })
            .collect();
        let reader = scope.spawn(|| {
            let (mut wire, mut sums) = (door.wire(), Vec::new());
            while !ends.load(Ordering::Relaxed) {
                sums.push(wire.say("LB.STATS small").field("sum").int());
            }
            sums
        });
        // The clients also end if the board does not shrink.
        let end = End(&ends);
        for parts in [4, 2] {
            // Each part waits for a replica, so the command may have to be repeated.
            let all = Reply::Array(vec![Reply::Int(parts); 2]);
            wait_until(|| wire.run(&format!("LB.RESHARD small {parts} TIMEOUT 5000")) == all);
            assert_eq!(wire.run("LB.REPAIR small"), Reply::Array(Vec::new()));
        }
        wait_until(|| wire.run("LB.RESHARD small 1 TIMEOUT 5000") == Reply::Array(vec![Reply::Int(1); 2]));
        drop(end);
        let scores: BTreeMap<_, _> =
            writers.into_iter().flat_map(|writer| writer.join().expect("a writer")).collect();
        (scores, reader.join().expect("a reader"))
    });
    assert!(sums.is_sorted(), "nothing that was read is missing in a later read");
    assert_eq!(wire.run("LB.COUNT small").int() as usize, scores.len());
    let sum: i64 = scores.values().sum();
    assert_eq!(*wire.run("LB.STATS small").field("sum"), Reply::Int(sum));
    for (member, score) in &scores {
        assert_eq!(wire.run(&format!("LB.SCORE small {member}")), Reply::Int(*score), "{member}");
    }
    assert_eq!(wire.run("LB.INFO small").field("parts").int(), 0);
    for key in part_keys("small", 8) {
        assert_eq!(place.behind(&key, &format!("EXISTS {key}")), Reply::Int(0));
    }
    check_replicas(vec!["small".to_owned()]);
    assert_eq!(wire.run("DEL small"), Reply::Int(1));
}
