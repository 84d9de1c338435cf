//! Replicas and append-only files hold the same counters after any mix of requests.

use leaderboard_testkit::random::Random;
use leaderboard_testkit::session::{play, shown, words};
use leaderboard_testkit::{
    Flavor, Server, Words, bgrewriteaof_and_wait, digest, pipeline, query, run, wait_for_sync,
};
use redis::Connection;

const COUNTERS: [&str; 4] = ["seconds", "hours", "short", "live"];

const SETUP: &str = "LB.COUNTER.CREATE seconds PRECISIONS 1,7,60 SAMPLES 50 CLOCK EVENT DEDUP 864000
    LB.COUNTER.CREATE hours PRECISIONS 3600,86400 SAMPLES 3 CLOCK EVENT DEDUP 1
    LB.COUNTER.CREATE short PRECISIONS 1,2 SAMPLES 1 DEDUP 1
    LB.COUNTER.INCR live";

/// Requests of all kinds; what takes a time comes from the last hours, and some of it is late.
fn requests(random: &mut Random, count: u64, from: u64) -> Vec<Words> {
    let line = |random: &mut Random, step: u64| {
        let key = *random.pick(&COUNTERS);
        let is_event = ["seconds", "hours"].contains(&key);
        let apart = if key == "hours" { 400_000 } else { 700 };
        let at = 1_552_867_200_000 + step * apart - random.below(3) / 2 * random.below(step * apart + 1);
        let at = match (is_event, random.below(5)) {
            (true, _) => format!(" AT {at}"),
            (false, 0) => " AT 1552867200000".to_owned(),
            (false, _) => String::new(),
        };
        let by = *random.pick(&["1", "0", "-3", "70000", "-70000", "5000000000", "4611686018427387904"]);
        let id = if random.percent(30) { format!(" ID r{}", random.below(200)) } else { String::new() };
        let n = random.below(9);
        match random.below(40) {
            0 => format!("ALTER {key} SAMPLES {}", 1 + n * n),
            1 => format!("ALTER {key} DEDUP {}", n * 30_000),
            2 => format!("ALTER {key} PRECISIONS +{}", 2 + n),
            3 => format!("ALTER {key} PRECISIONS -{}", 2 + n),
            4 => format!("ALTER {key} PRECISIONS +{},-{} SAMPLES {}", 2 + n, 3 + n, 40 + n),
            5..10 => format!("INCR {key}{id}{at}"),
            _ => format!("INCR {key} BY {by}{id}{at}"),
        }
    };
    (from..from + count).map(|step| words(&format!("LB.COUNTER.{}", line(random, step)))).collect()
}

fn digests(con: &mut Connection) -> [(String, Vec<u8>); 4] {
    COUNTERS.map(|key| (digest(con, key), query(con, &["DUMP", key])))
}

/// What can be read, but for the counters whose slices pass meanwhile.
fn seen(con: &mut Connection) -> Vec<String> {
    let precisions = [1, 2, 5, 7, 60, 3_600, 86_400];
    let lines = precisions
        .into_iter()
        .flat_map(|s| ["seconds", "hours"].map(|key| words(&format!("LB.COUNTER.GET {key} {s} FILL"))));
    pipeline(con, &lines.collect::<Vec<_>>()).iter().map(shown).collect()
}

#[test]
fn replicas_and_files_hold_the_same_after_any_mix_of_requests() {
    for flavor in [Flavor::Redis62, Flavor::Redis82, Flavor::Valkey91] {
        let preamble = if flavor == Flavor::Redis82 { "yes" } else { "no" };
        let aof = Server::builder(flavor).arg("appendonly", "yes").arg("aof-use-rdb-preamble", preamble);
        let (mut primary, replica) = (aof.start(), Server::start(flavor));
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = primary.connection();
        play(&mut con, SETUP);
        let mut random = Random::new(flavor as u64 + 17);
        let [mut done, mut refused] = [0; 2];
        for round in 0..5 {
            for reply in pipeline(&mut con, &requests(&mut random, 500, round * 500)) {
                let reply = shown(&reply);
                assert!(!reply.contains("inside the module"), "{reply}");
                let is_refused = ["ERR", "IDREUSED"].iter().any(|code| reply.starts_with(code));
                refused += u32::from(is_refused);
                done += u32::from(!is_refused);
            }
            // Reading changes nothing, here or there.
            let (here, there) = (seen(&mut con), {
                wait_for_sync(&primary, &replica);
                seen(&mut replica.connection())
            });
            assert_eq!(there, here, "{flavor:?}, round {round}");
            assert!(digests(&mut replica.connection()) == digests(&mut con), "{flavor:?}, round {round}");
            match round {
                1 | 4 => drop(run(&mut con, &["DEBUG", "RELOAD"])),
                2 => bgrewriteaof_and_wait(&mut con),
                3 => drop(run(&mut replica.connection(), &["DEBUG", "RELOAD"])),
                _ => {}
            }
        }
        assert!(done > 1_500 && refused > 100, "{done} done, {refused} refused");
        let before = (digests(&mut con), seen(&mut con));
        primary.restart_nosave();
        let mut con = primary.connection();
        assert!((digests(&mut con), seen(&mut con)) == before, "{flavor:?}, from the file");
    }
}
