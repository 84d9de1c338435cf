//! Counters survive everything that moves data, in each of the servers: nothing that can be seen of them changes.

use leaderboard_testkit::random::Random;
use leaderboard_testkit::session::play;
use leaderboard_testkit::{
    Flavor, Server, Words, bgrewriteaof_and_wait, digest, info, query, run, wait_for_sync, wait_until,
};
use redis::Connection;

use super::kinds::{BEGIN, KINDS, Portraits, make};
use super::send;

fn made(server: &Server) -> (Connection, Portraits) {
    let mut con = server.connection();
    make(&mut con);
    let portraits = Portraits::of(&mut con);
    (con, portraits)
}

#[test]
fn snapshots_bring_counters_back() {
    for flavor in Flavor::all() {
        let mut server = Server::start(flavor);
        let (mut con, before) = made(&server);
        run(&mut con, &["DEBUG", "RELOAD"]);
        before.compare(&mut con, "DEBUG RELOAD");
        server.restart();
        before.compare(&mut server.connection(), "a snapshot");
    }
}

#[test]
fn append_only_files_bring_counters_back() {
    for flavor in Flavor::all() {
        let preambles: &[&str] = if flavor == Flavor::Redis82 { &["yes", "no"] } else { &["no"] };
        for preamble in preambles {
            let builder = Server::builder(flavor).arg("appendonly", "yes");
            let mut server = builder.arg("aof-use-rdb-preamble", preamble).start();
            let (_, before) = made(&server);
            server.restart_nosave();
            before.compare(&mut server.connection(), "commands");
            bgrewriteaof_and_wait(&mut server.connection());
            server.kill9();
            server.start_again();
            before.compare(&mut server.connection(), "a rewritten file");
        }
    }
}

#[test]
fn keys_are_dumped_copied_renamed_and_moved() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let (mut con, before) = made(&server);
        for kind in &KINDS {
            let dump: Vec<u8> = query(&mut con, &["DUMP", kind.key]);
            run(&mut con, &["DEL", kind.key]);
            run(&mut con, &[&b"RESTORE"[..], kind.key.as_bytes(), b"0", &dump]);
        }
        before.compare(&mut con, "DUMP and RESTORE");
        for kind in &KINDS {
            let key = kind.key;
            play(
                &mut con,
                &format!(
                    "COPY {key} copy => 1
                     COPY {key} copy => 0
                     LB.COUNTER.ALTER {key} SAMPLES 1 => OK
                     LB.COUNTER.INCR {key} AT 1700006400000
                     RENAME copy {key} => OK
                     COPY {key} {key} DB 1 => 1"
                ),
            );
        }
        before.compare(&mut con, "COPY and RENAME");
        play(&mut con, "SWAPDB 0 1 => OK");
        before.compare(&mut con, "SWAPDB");
    }
}

#[test]
fn a_dump_of_an_older_server_is_restored_by_newer_ones() {
    let servers = [Flavor::Redis62, Flavor::Redis70, Flavor::Valkey91].map(Server::start);
    let (mut con, before) = made(&servers[0]);
    let dumps = KINDS.map(|kind| query::<Vec<u8>, _>(&mut con, &["DUMP", kind.key]));
    let digests = KINDS.map(|kind| digest(&mut con, kind.key));
    before.compare(&mut con, "as they were");
    for server in &servers[1..] {
        let mut con = server.connection();
        for ((kind, dump), before) in KINDS.iter().zip(&dumps).zip(&digests) {
            let restore: Words = vec![b"RESTORE".to_vec(), kind.key.into(), b"0".to_vec(), dump.clone()];
            run(&mut con, &restore);
            assert_eq!(digest(&mut con, kind.key), *before, "{}", kind.key);
        }
    }
}

#[test]
fn a_full_sync_brings_counters_to_a_replica_that_goes_on_with_them() {
    for flavor in Flavor::all() {
        let (primary, replica) = (Server::start(flavor), Server::start(flavor));
        let (_, before) = made(&primary);
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = replica.connection();
        before.compare(&mut con, "a full sync");
        play(&mut con, "REPLICAOF NO ONE => OK");
        before.compare(&mut con, "promotion");
    }
}

#[test]
fn counters_migrate_to_another_server() {
    for flavor in Flavor::all() {
        let servers = [Server::start(flavor), Server::start(flavor)];
        let (mut con, before) = made(&servers[0]);
        let port = servers[1].port().to_string();
        for kind in &KINDS {
            let reply: String = query(&mut con, &["MIGRATE", "127.0.0.1", &port, kind.key, "0", "20000"]);
            assert_eq!(reply, "OK", "{flavor:?}: {}", kind.key);
        }
        play(&mut con, "DBSIZE => 0");
        before.compare(&mut servers[1].connection(), "MIGRATE");
    }
}

#[test]
fn counters_are_counted_as_they_come_and_go() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let (mut con, _) = made(&server);
        let counted = |con: &mut Connection| info(con, "leaderboard", "leaderboard_counters");
        let all = KINDS.len();
        assert_eq!(counted(&mut con), all.to_string());
        run(&mut con, &["DEBUG", "RELOAD"]);
        wait_until(|| counted(&mut con) == all.to_string());
        let keys = KINDS.map(|kind| kind.key).join(" ");
        play(&mut con, &format!("COPY live copy => 1\nUNLINK {keys} => {all}"));
        wait_until(|| counted(&mut con) == "1");
        play(&mut con, "FLUSHALL ASYNC");
        wait_until(|| counted(&mut con) == "0");
        assert_eq!(info(&mut con, "leaderboard", "leaderboard_boards"), "0");
    }
}

/// Ways to the same counter, the second longer than the first.
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
        // Counts that were large, far away, cancelled, or dropped leave nothing behind.
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

/// Increases of the last slices that are kept, each of which may come in two parts.
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
            // Another order for the next.
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
    make(&mut con);
    for kind in &KINDS {
        let dump = |con: &mut Connection| query::<Vec<u8>, _>(con, &["DUMP", kind.key]);
        let before = dump(&mut con);
        let lines =
            [1, 5, 60, 3_600, 86_400].map(|s| format!("MGET {s} FROM {BEGIN} FILL KEYS 1 {}", kind.key));
        leaderboard_testkit::pipeline(&mut con, &super::commands(&lines));
        assert!(dump(&mut con) == before, "{}", kind.key);
    }
}
