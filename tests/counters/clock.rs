//! Tests of counters that use the server's time: slices that are deleted without a command, servers that were stopped,
//! and clocks that jumped and were corrected.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, digest, query, wait_for_sync, wait_until};
use redis::Connection;

use super::wall;
use crate::periods::dated;
use crate::periods::idle::stopped_since;

#[test]
fn the_servers_clock_alone_drops_slices_for_every_reader() {
    for flavor in [Flavor::Redis62, Flavor::Redis82] {
        let (server, replica) = (Server::start(flavor), Server::start(flavor));
        replica.replica_of(&server);
        wait_for_sync(&server, &replica);
        let mut con = server.connection();
        play(
            &mut con,
            "MULTI
             LB.COUNTER.CREATE c PRECISIONS 1,315360000 SAMPLES 1
             LB.COUNTER.INCR c BY 5
             LB.COUNTER.GET c 1
             EXEC",
        );
        wait_for_sync(&server, &replica);
        let before = digest(&mut con, "c");
        let mut there = replica.connection();
        for line in ["LB.COUNTER.GET c 1", "LB.COUNTER.GET c 1 FILL"] {
            wait_until(|| say(&mut con, line) == "[]");
            wait_until(|| say(&mut there, line) == "[]");
        }
        wait_until(|| say(&mut there, "LB.COUNTER.MGET 1 KEYS 1 c") == "[[]]");
        assert!(say(&mut con, "LB.COUNTER.GET c 315360000").ends_with(" 5]]"), "{flavor:?}");
        assert_eq!([digest(&mut con, "c"), digest(&mut there, "c")], [before.clone(), before], "{flavor:?}");
    }
}

#[test]
fn the_current_slice_is_that_of_the_servers_clock() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.COUNTER.CREATE c PRECISIONS 1,60,86400");
    let before = wall(&mut con);
    play(&mut con, "LB.COUNTER.INCR c BY 5 => 5");
    let after = wall(&mut con);
    for length in [1_000, 60_000, 86_400_000] {
        let slices: Vec<(u64, i64)> =
            query(&mut con, &["LB.COUNTER.GET", "c", &format!("{}", length / 1_000)]);
        let begins = [before, after].map(|moment| moment / length * length);
        assert!(slices.len() == 1 && begins.contains(&slices[0].0) && slices[0].1 == 5, "{slices:?}");
    }
}

#[test]
fn a_moment_a_little_ahead_counts_as_now() {
    for flavor in [Flavor::Redis62, Flavor::Redis70] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, "LB.COUNTER.CREATE c PRECISIONS 1");
        let (ahead, far) = (wall(&mut con) + 50_000, wall(&mut con) + 80_000);
        play(
            &mut con,
            &format!(
                "LB.COUNTER.INCR c BY 5 AT {ahead} => 5
                 LB.COUNTER.INCR c BY 5 AT {far} => ERR AT is too far in the future (max-future-ms)"
            ),
        );
        let [(start, 5)] = query::<Vec<(u64, i64)>, _>(&mut con, &["LB.COUNTER.GET", "c", "1"])[..] else {
            panic!("one slice")
        };
        assert!(start + 40_000 < ahead, "{start} for {ahead}");
    }
}

const MARCH: &str = "LB.COUNTER.CREATE c PRECISIONS 1,86400,315360000 SAMPLES 3
    LB.COUNTER.INCR c BY 5 AT @2019-03-18
    LB.COUNTER.INCR c BY 2 ID one AT @2019-03-19
    LB.COUNTER.INCR c BY 3 AT @2019-03-18 NOW @2019-03-19";

#[test]
fn a_counter_saved_in_march_shows_the_present_when_it_is_loaded() {
    for flavor in [Flavor::Redis70, Flavor::Valkey91] {
        let mut server = stopped_since(flavor, MARCH);
        let mut con = server.connection();
        let before = digest(&mut con, "c");
        let session = "LB.COUNTER.GET c 1 => []
             LB.COUNTER.GET c 86400 => []
             LB.COUNTER.GET c 86400 FROM 0 FILL => []
             LB.COUNTER.MGET 86400 KEYS 1 c => [[]]
             LB.COUNTER.GET c 315360000 => [[1261440000000 10]]";
        play(&mut con, session);
        let mar = dated("LB.COUNTER.GET c 86400 FROM @2019-03-01 TO @2019-04-01 FILL => []");
        play(&mut con, &mar);
        assert!(say(&mut con, "LB.COUNTER.INFO c").contains(r#""total" 10 "requests" 0 "#));
        assert_eq!(digest(&mut con, "c"), before, "{flavor:?}");
        server.restart();
        let mut con = server.connection();
        play(&mut con, session);
        assert_eq!(digest(&mut con, "c"), before, "{flavor:?}");
        // Its id was forgotten long ago. A late event counts in each precision that still stores its slice.
        play(
            &mut con,
            &dated(
                "LB.COUNTER.INCR c BY 2 ID one AT @2019-03-19 => 12
                 LB.COUNTER.GET c 86400 => []
                 LB.COUNTER.GET c 315360000 => [[1261440000000 12]]",
            ),
        );
    }
}

/// A counter with slices of ten years. The slice that contains 2031 begins at the end of 2029.
const AHEAD: &str = "LB.COUNTER.CREATE c PRECISIONS 86400,315360000 SAMPLES 3
    LB.COUNTER.INCR c BY 4 AT @2024-03-18
    LB.COUNTER.INCR c BY 9 AT @2031-03-18
    LB.COUNTER.INCR c BY 16 ID one AT @2024-03-18 NOW @2031-03-18";
/// The starts of two slices in ms: the slice that contains 2024 and the present, and the slice that contains 2031.
const THIS: &str = "1576800000000";
const NEXT: &str = "1892160000000";

/// Sets by how many milliseconds the clock may go back. Up to this limit, the counter's time stands still.
fn allow(con: &mut Connection, flavor: Flavor, ms: u64) {
    assert_ne!(flavor, Flavor::Redis62);
    play(con, &format!("CONFIG SET leaderboard.max-future-ms {ms} => OK"));
}

const TEN_YEARS: u64 = 315_360_000_000;

#[test]
fn a_clock_that_is_put_right_hides_what_was_counted_ahead() {
    let server = stopped_since(Flavor::Redis70, AHEAD);
    let mut con = server.connection();
    let before = digest(&mut con, "c");
    let right = format!(
        "LB.COUNTER.GET c 86400 => []
         LB.COUNTER.GET c 86400 FROM @2031-03-18 TO @2031-03-19 FILL => []
         LB.COUNTER.GET c 315360000 => [[{THIS} 20]]
         LB.COUNTER.GET c 315360000 TO @2031-03-18 FILL => [[{THIS} 20]]
         LB.COUNTER.GET c 315360000 FROM {NEXT} TO @2031-03-18 FILL => []
         LB.COUNTER.MGET 315360000 KEYS 1 c => [[[{THIS} 20]]]"
    );
    play(&mut con, &dated(&right));
    let info = say(&mut con, "LB.COUNTER.INFO c");
    let now: u64 =
        info.split("\"now\" ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap();
    assert!(now <= wall(&mut con) && info.contains(r#""total" 29 "#), "{info}");
    play(&mut con, "DEBUG RELOAD");
    play(&mut con, &dated(&right));
    assert_eq!(digest(&mut con, "c"), before, "a read dropped something");
}

#[test]
fn a_read_drops_nothing_of_either_time() {
    let server = stopped_since(Flavor::Redis82, AHEAD);
    let mut con = server.connection();
    for _ in 0..2 {
        // If the clock may go back that far, the counter's time stands still at the moment before the jump.
        allow(&mut con, server.flavor(), TEN_YEARS);
        play(
            &mut con,
            &dated(&format!(
                "LB.COUNTER.GET c 86400 => [[@2031-03-18 9]]
                 LB.COUNTER.GET c 86400 FROM @2031-03-17 TO @2031-03-20 FILL => [[@2031-03-17 0] [@2031-03-18 9]]
                 LB.COUNTER.GET c 315360000 => [[{THIS} 20] [{NEXT} 9]]"
            )),
        );
        allow(&mut con, server.flavor(), 60_000);
        play(&mut con, &format!("LB.COUNTER.GET c 86400 => []\nLB.COUNTER.GET c 315360000 => [[{THIS} 20]]"));
    }
}

#[test]
fn the_next_write_drops_what_was_counted_ahead_for_good() {
    for write in ["LB.COUNTER.INCR c BY 0", "LB.COUNTER.INCR c BY 0 AT 5", "LB.COUNTER.ALTER c SAMPLES 4"] {
        let server = stopped_since(Flavor::Redis70, AHEAD);
        let replica = Server::start(Flavor::Redis70);
        replica.replica_of(&server);
        let mut con = server.connection();
        play(&mut con, write);
        play(&mut con, &format!("LB.COUNTER.GET c 315360000 => [[{THIS} 20]]\nLB.COUNTER.INCR c BY 0 => 29"));
        wait_for_sync(&server, &replica);
        assert_eq!(digest(&mut replica.connection(), "c"), digest(&mut con, "c"), "{write}");
        allow(&mut con, server.flavor(), TEN_YEARS);
        let info = say(&mut con, "LB.COUNTER.INFO c");
        assert!(!info.contains(&dated("@2031-03-18")), "{write}: {info}");
        play(
            &mut con,
            &format!("LB.COUNTER.GET c 315360000 FROM {THIS} TO {NEXT} FILL => [[{THIS} 20]]\nDEBUG RELOAD"),
        );
        assert_eq!(digest(&mut replica.connection(), "c"), digest(&mut con, "c"), "{write}");
    }
}

#[test]
fn what_a_leap_dropped_is_gone_when_the_clock_is_put_right() {
    let lines = "LB.COUNTER.CREATE c PRECISIONS 315360000 SAMPLES 1
        LB.COUNTER.INCR c BY 4 AT @2024-03-18
        LB.COUNTER.INCR c BY 9 AT @2031-03-18";
    let server = stopped_since(Flavor::Valkey91, lines);
    play(
        &mut server.connection(),
        &format!(
            "LB.COUNTER.GET c 315360000 => []
             LB.COUNTER.INCR c BY 2 => 15
             LB.COUNTER.GET c 315360000 => [[{THIS} 2]]"
        ),
    );
}

#[test]
fn a_slice_that_has_begun_keeps_what_was_counted_ahead_in_it() {
    let lines = "LB.COUNTER.CREATE c PRECISIONS 86400,315360000 SAMPLES 3
        LB.COUNTER.INCR c BY 4 AT @2024-03-18
        LB.COUNTER.INCR c BY 9 AT @2028-03-18";
    let server = stopped_since(Flavor::Redis70, lines);
    play(
        &mut server.connection(),
        &format!(
            "LB.COUNTER.GET c 315360000 => [[{THIS} 13]]
             LB.COUNTER.GET c 86400 => []
             LB.COUNTER.INCR c => 14
             LB.COUNTER.GET c 315360000 => [[{THIS} 14]]"
        ),
    );
}

#[test]
fn time_stands_still_when_the_clock_goes_back_a_little() {
    let server = stopped_since(Flavor::Redis70, AHEAD);
    let replica = Server::start(Flavor::Redis70);
    replica.replica_of(&server);
    wait_for_sync(&server, &replica);
    let mut con = server.connection();
    allow(&mut con, server.flavor(), TEN_YEARS);
    play(
        &mut con,
        &dated(&format!(
            "LB.COUNTER.INCR c BY 16 ID one => 29
             LB.COUNTER.INCR c BY 32 => 61
             LB.COUNTER.INCR c BY 64 AT @2024-03-18 => 125
             LB.COUNTER.GET c 86400 => [[@2031-03-18 41]]
             LB.COUNTER.GET c 315360000 => [[{THIS} 84] [{NEXT} 41]]"
        )),
    );
    let info = say(&mut con, "LB.COUNTER.INFO c");
    assert!(info.contains(&dated("\"now\" @2031-03-18 ")), "{info}");
    // The replica uses the time that the primary decided, although its own settings would not allow it.
    wait_for_sync(&server, &replica);
    assert_eq!(digest(&mut replica.connection(), "c"), digest(&mut con, "c"));
}

#[test]
fn a_small_step_back_hides_nothing() {
    for flavor in [Flavor::Redis70, Flavor::Redis82] {
        let ahead = wall(&mut Server::start(flavor).connection()) + 40_000;
        let lines = format!("LB.COUNTER.CREATE c PRECISIONS 1\nLB.COUNTER.INCR c BY 9 AT {ahead}");
        let server = stopped_since(flavor, &lines);
        let start = ahead / 1_000 * 1_000;
        play(
            &mut server.connection(),
            &format!(
                "LB.COUNTER.GET c 1 => [[{start} 9]]
                 LB.COUNTER.INCR c => 10
                 LB.COUNTER.GET c 1 => [[{start} 10]]"
            ),
        );
    }
}

#[test]
fn an_event_clock_does_not_know_the_servers() {
    let lines = "LB.COUNTER.CREATE c PRECISIONS 60 SAMPLES 2 CLOCK EVENT
        LB.COUNTER.INCR c BY 9 AT @2031-03-18
        LB.COUNTER.INCR c BY 1 AT @2019-03-18 NOW @2031-03-18";
    for flavor in [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let server = stopped_since(flavor, lines);
        play(
            &mut server.connection(),
            &dated(
                "LB.COUNTER.GET c 60 => [[@2031-03-18 9]]
                 LB.COUNTER.INCR c AT @2041-01-01 => 11
                 LB.COUNTER.GET c 60 => [[@2041-01-01 1]]
                 LB.COUNTER.INCR c AT @2019-01-01 => 12
                 LB.COUNTER.INCR c => ERR AT is needed with CLOCK EVENT",
            ),
        );
    }
}
