//! Active defragmentation, where the server has it, moves counters about and changes nothing in them.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, digest, info, query, wait_until};
use redis::Connection;

const COUNTERS: usize = 400;
const ROUNDS: usize = 12;

/// A round of increases that both servers are given: counts of many sizes, ids, changes of rules.
fn churn(con: &mut Connection, round: usize) {
    let mut pipe = redis::pipe();
    for n in 0..COUNTERS {
        let (key, at) = (format!("counter{n}"), round * 1_300 + n);
        let incr = pipe.cmd("LB.COUNTER.INCR").arg(&key).arg("BY").arg(1_usize << ((n * 7 + round) % 40));
        incr.arg("AT").arg(at).ignore();
        pipe.cmd("LB.COUNTER.INCR")
            .arg(&key)
            .arg("ID")
            .arg(format!("r{round}"))
            .arg("AT")
            .arg(at / 2)
            .ignore();
        if (n + round).is_multiple_of(17) {
            pipe.cmd("LB.COUNTER.ALTER").arg(&key).arg("SAMPLES").arg(20 + (n * round) % 300).ignore();
        }
    }
    pipe.exec(con).expect("a round");
}

/// Counters among strings, most of which go again: what is left lies scattered.
fn prepare(con: &mut Connection) {
    let mut strings = redis::pipe();
    for n in 0..COUNTERS {
        play(
            con,
            &format!("LB.COUNTER.CREATE counter{n} PRECISIONS 1,2,60 SAMPLES 300 CLOCK EVENT DEDUP 3600"),
        );
    }
    for round in 0..ROUNDS {
        churn(con, round);
        for string in 0..400 {
            strings.cmd("SET").arg(format!("s{round}-{string}")).arg("s".repeat(16 << (string % 7))).ignore();
        }
        strings.exec(con).expect("strings");
        strings.clear();
    }
    for round in 0..ROUNDS {
        for string in (0..400).filter(|string| string % 10 != 0) {
            strings.cmd("UNLINK").arg(format!("s{round}-{string}")).ignore();
        }
    }
    strings.exec(con).expect("fewer strings");
}

#[test]
fn counters_that_are_moved_about_while_they_change_stay_what_they_are() {
    let (moved, still) = (Server::start(Flavor::Redis82), Server::start(Flavor::Redis82));
    let (mut con, mut model) = (moved.connection(), still.connection());
    prepare(&mut con);
    prepare(&mut model);
    play(
        &mut con,
        "CONFIG SET active-defrag-ignore-bytes 1
         CONFIG SET active-defrag-threshold-lower 0
         CONFIG SET active-defrag-threshold-upper 1
         CONFIG SET active-defrag-cycle-min 60
         CONFIG SET active-defrag-cycle-max 75
         CONFIG SET activedefrag yes",
    );
    let hits =
        |con: &mut Connection| info(con, "stats", "active_defrag_hits").parse::<u64>().expect("a count");
    let mut round = ROUNDS;
    wait_until(|| {
        churn(&mut con, round);
        churn(&mut model, round);
        round += 1;
        round >= 2 * ROUNDS && hits(&mut con) > 300
    });
    play(&mut con, "CONFIG SET activedefrag no");
    for key in (0..COUNTERS).map(|n| format!("counter{n}")) {
        assert_eq!(digest(&mut con, &key), digest(&mut model, &key), "{key} after {round} rounds");
        let [here, there] = [&mut con, &mut model].map(|con| query::<Vec<u8>, _>(con, &["DUMP", &key]));
        assert!(here == there, "{key} after {round} rounds");
    }
    churn(&mut con, round);
    play(&mut con, "DEBUG RELOAD => OK\nFLUSHALL => OK");
}
