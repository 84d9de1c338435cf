//! Tests that the saved bytes of a counter do not depend on how it was made, or in which order, and that reads do not
//! change them.

use leaderboard_testkit::random::Random;
use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, digest, pipeline, query};
use redis::Connection;

use super::{commands, send};
use crate::natives::{find, make_one};

/// Returns pairs of command lists that make the same counter. The second list is longer than the first.
fn ways() -> Vec<[Vec<String>; 2]> {
    let lines = |lines: &str| lines.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let huge = i64::MAX;
    vec![
        [
            lines("CREATE KEY PRECISIONS 1,5,60"),
            lines("CREATE KEY SAMPLES 120 PRECISIONS 60,1,5 DEDUP 600 CLOCK SERVER"),
        ],
        [
            lines("CREATE KEY PRECISIONS 1,60 CLOCK EVENT\nINCR KEY BY 9 AT 61000\nINCR KEY BY 5 AT 62000"),
            lines(
                "CREATE KEY PRECISIONS 1 CLOCK EVENT SAMPLES 9
                 ALTER KEY PRECISIONS +60 SAMPLES 120
                 INCR KEY BY 3 AT 62000
                 INCR KEY BY 4 AT 61999
                 INCR KEY BY 5 AT 61000
                 INCR KEY BY 2 AT 62000
                 INCR KEY BY 0 AT 1000
                 INCR KEY BY 0 AT 62000",
            ),
        ],
        // Counts leave nothing in the saved bytes after they were large, far away, cancelled or deleted.
        [
            lines("CREATE KEY PRECISIONS 1,60 SAMPLES 7 CLOCK EVENT\nINCR KEY BY 5 AT 900000"),
            lines(&format!(
                "CREATE KEY PRECISIONS 1,60 SAMPLES 7 CLOCK EVENT
                 INCR KEY BY {huge} AT 900000
                 INCR KEY BY -{huge} AT 900000
                 INCR KEY BY -{huge} AT 899000
                 INCR KEY BY {huge} AT 899000
                 INCR KEY BY 5 AT 900000"
            )),
        ],
        [
            lines(
                "CREATE KEY PRECISIONS 1,60 SAMPLES 7 CLOCK EVENT\nINCR KEY BY 5 AT 5000\nINCR KEY BY 7 AT 900000",
            ),
            lines(
                "CREATE KEY PRECISIONS 1,3,60 SAMPLES 10000 CLOCK EVENT
                 INCR KEY BY -70000 AT 1000
                 INCR KEY BY 70000 AT 2000
                 INCR KEY BY 1 AT 3000
                 INCR KEY BY 4 AT 4000
                 INCR KEY BY 0 AT 900000
                 ALTER KEY SAMPLES 7 PRECISIONS -3
                 INCR KEY BY 3 AT 900000
                 ALTER KEY PRECISIONS +7
                 INCR KEY BY 4 AT 900000
                 ALTER KEY PRECISIONS -7",
            ),
        ],
    ]
}

#[test]
fn the_bytes_of_a_counter_do_not_tell_how_it_came_about() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    for [short, long] in ways() {
        let made = [("short", &short), ("long", &long)].map(|(key, lines)| {
            send(&mut con, &lines.iter().map(|line| line.replace("KEY", key)).collect::<Vec<_>>());
            (query::<Vec<u8>, _>(&mut con, &["DUMP", key]), digest(&mut con, key))
        });
        assert!(made[0] == made[1], "{}", long.join("\n"));
        play(&mut con, "FLUSHALL");
    }
}

/// Returns increases of the last slices that are stored. An increase may be split into two.
fn increases(random: &mut Random, now: u64) -> Vec<(i64, u64)> {
    let all = (0..60).flat_map(|_| {
        let by = *random.pick(&[1, 2, -1, 130, -40_000, 3_000_000_000, 1 << 45]);
        let at = now - random.below(9_000);
        let part = random.below(100) as i64 - 50;
        if random.percent(40) { vec![(by - part, at), (part, at)] } else { vec![(by, at)] }
    });
    all.collect()
}

#[test]
fn the_bytes_of_a_counter_do_not_tell_the_order_of_its_increases() {
    const NOW: u64 = 1_000_000;
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let mut random = Random::new(5);
    for round in 0..20 {
        let mut all = increases(&mut random, NOW);
        let made = ["first", "second", "third"].map(|key| {
            let mut lines = vec![format!("CREATE {key} PRECISIONS 1,2,60 SAMPLES {} CLOCK EVENT", 3 + round)];
            lines.push(format!("INCR {key} BY 0 AT {NOW}"));
            lines.extend(all.iter().map(|(by, at)| format!("INCR {key} BY {by} AT {at}")));
            send(&mut con, &lines);
            // The next counter gets the increases in another order.
            (0..all.len()).rev().for_each(|at| all.swap(at, random.below(at as u64 + 1) as usize));
            query::<Vec<u8>, _>(&mut con, &["DUMP", key])
        });
        assert!(made[0] == made[1] && made[1] == made[2], "round {round}: {all:?}");
        play(&mut con, "FLUSHALL");
    }
}

#[test]
fn reading_leaves_the_bytes_as_they_are() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let (counters, _) = find("visits");
    for kind in (counters.kinds)() {
        make_one(&mut con, kind);
        let dump = |con: &mut Connection| query::<Vec<u8>, _>(con, &["DUMP", kind.key()]);
        let before = dump(&mut con);
        let key = kind.key();
        let lines =
            [1, 5, 60, 3_600, 86_400].map(|s| format!("MGET {s} FROM 1700006400000 FILL KEYS 1 {key}"));
        pipeline(&mut con, &commands(&lines));
        assert!(dump(&mut con) == before, "{key}");
    }
}
