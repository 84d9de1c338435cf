//! Tests of the exact commands that replicas get for counters.

use leaderboard_testkit::session::{play, say, words};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, digest, run, wait_for_sync};
use redis::Connection;

use crate::replication::stream::Watched;

/// The rules of a counter that a first increase makes, as they are replicated.
const DEFAULTS: &str = "PRECISIONS 1,5,60,300,3600,18000,86400 SAMPLES 120 CLOCK SERVER DEDUP 600";

#[test]
fn a_counter_is_made_with_all_its_rules_spelled_out() {
    for flavor in Flavor::all() {
        let mut watched = Watched::start(flavor);
        for (line, rules) in [
            ("", DEFAULTS),
            ("PRECISIONS 60,1 CLOCK EVENT", "PRECISIONS 1,60 SAMPLES 120 CLOCK EVENT DEDUP 600"),
            ("dedup 0 samples 7", "PRECISIONS 1,5,60,300,3600,18000,86400 SAMPLES 7 CLOCK SERVER DEDUP 0"),
            ("clock server dedup 5 samples 1 precisions 9", "PRECISIONS 9 SAMPLES 1 CLOCK SERVER DEDUP 5"),
        ] {
            let create = format!("LB.COUNTER.CREATE c {rules}");
            watched.sends(&[(&format!("LB.COUNTER.CREATE c {line}"), &[&create]), ("DEL c", &["DEL c"])]);
        }
    }
}

#[test]
fn a_first_increase_is_sent_behind_the_counter_that_it_made() {
    for flavor in Flavor::all() {
        let mut watched = Watched::start(flavor);
        let create = format!("LB.COUNTER.CREATE c {DEFAULTS}");
        let mut first = |line: &str, incr: &str| {
            // The two commands are sent in one transaction. For Redis 6.2, MULTI and EXEC are left out.
            let sent = ["MULTI", &create, incr, "EXEC"];
            let sent = if flavor == Flavor::Redis62 { &sent[1..3] } else { &sent[..] };
            watched.sends(&[(line, sent), ("DEL c", &["DEL c"])]);
        };
        first("LB.COUNTER.INCR c", "LB.COUNTER.INCR c AT now");
        first("LB.COUNTER.INCR c BY 5", "LB.COUNTER.INCR c BY 5 AT now");
        first("lb.counter.incr c id one by -5", "LB.COUNTER.INCR c BY -5 ID one AT now");
        first("LB.COUNTER.INCR c BY 5 AT 1000", "LB.COUNTER.INCR c BY 5 AT 1000 NOW now");
    }
}

#[test]
fn increases_are_sent_with_the_time_they_were_applied_at() {
    for flavor in Flavor::all() {
        let mut watched = Watched::start(flavor);
        play(&mut watched.con, "LB.COUNTER.CREATE c");
        watched.sends(&[("PING", &[&format!("LB.COUNTER.CREATE c {DEFAULTS}")])]);
        watched.sends(&[
            ("LB.COUNTER.INCR c", &["LB.COUNTER.INCR c AT now"]),
            ("LB.COUNTER.INCR c BY 5", &["LB.COUNTER.INCR c BY 5 AT now"]),
            ("LB.COUNTER.INCR c BY 0", &["LB.COUNTER.INCR c BY 0 AT now"]),
            ("lb.counter.incr c id one by -5", &["LB.COUNTER.INCR c BY -5 ID one AT now"]),
            ("LB.COUNTER.INCR c AT 1000", &["LB.COUNTER.INCR c AT 1000 NOW now"]),
            ("LB.COUNTER.INCR c AT 1000 BY 7 ID two", &["LB.COUNTER.INCR c BY 7 ID two AT 1000 NOW now"]),
            (r"LB.COUNTER.INCR c ID \x00\xff BY 2", &[r"LB.COUNTER.INCR c BY 2 ID \x00\xff AT now"]),
            ("LB.COUNTER.ALTER c SAMPLES 5", &["LB.COUNTER.ALTER c SAMPLES 5 NOW now"]),
            (
                "lb.counter.alter c dedup 60 PRECISIONS +7,-1",
                &["LB.COUNTER.ALTER c dedup 60 PRECISIONS +7,-1 NOW now"],
            ),
            ("DEL c", &["DEL c"]),
        ]);
    }
}

#[test]
fn an_event_counter_sends_the_events_time() {
    for flavor in [Flavor::Redis62, Flavor::Redis70] {
        let mut watched = Watched::start(flavor);
        watched.sends(&[
            (
                "LB.COUNTER.CREATE e PRECISIONS 1 CLOCK EVENT",
                &["LB.COUNTER.CREATE e PRECISIONS 1 SAMPLES 120 CLOCK EVENT DEDUP 600"],
            ),
            ("LB.COUNTER.ALTER e DEDUP 60", &["LB.COUNTER.ALTER e DEDUP 60 NOW 0"]),
            ("LB.COUNTER.INCR e AT 5000", &["LB.COUNTER.INCR e AT 5000"]),
            ("LB.COUNTER.INCR e BY 5 ID one AT 5000", &["LB.COUNTER.INCR e BY 5 ID one AT 5000"]),
            ("LB.COUNTER.INCR e BY 5 AT 4999", &["LB.COUNTER.INCR e BY 5 AT 4999 NOW 5000"]),
            ("LB.COUNTER.INCR e BY 5 AT 6000", &["LB.COUNTER.INCR e BY 5 AT 6000"]),
            ("LB.COUNTER.ALTER e SAMPLES 7", &["LB.COUNTER.ALTER e SAMPLES 7 NOW 6000"]),
        ]);
    }
}

#[test]
fn a_moment_a_little_ahead_is_sent_as_now() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.COUNTER.CREATE c");
    let mut stream = ReplicationStream::of(&server);
    let now = super::wall(&mut con);
    play(&mut con, &format!("LB.COUNTER.INCR c AT {} => 1", now + 30_000));
    let sent = stream.take().join(" ");
    let at: u64 = sent.rsplit(' ').next().expect("a time").parse().expect("a time");
    assert!((now..now + 20_000).contains(&at) && !sent.contains("NOW"), "{sent}");
}

/// Returns the names of the commands that were sent.
fn names(sent: &[String]) -> String {
    let name = |line: &String| line.split(' ').next().unwrap_or_default().replace("LB.COUNTER.", "");
    sent.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn transactions_and_scripts_send_only_what_they_changed() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let mut stream = ReplicationStream::of(&server);
        if flavor == Flavor::Redis62 {
            // Before 7.0, a server may replicate a whole script instead of its commands.
            run(&mut con, &["CONFIG", "SET", "lua-replicate-commands", "yes"]);
        }
        play(
            &mut con,
            "MULTI
             LB.COUNTER.INCR c ID one
             LB.COUNTER.INCR c ID one
             LB.COUNTER.GET c 60
             LB.COUNTER.INCR c
             LB.COUNTER.INCR d BY x
             EXEC => ERR BY is not a whole number",
        );
        assert_eq!(names(&stream.take()), "MULTI CREATE INCR INCR EXEC", "{flavor:?}");
        let script = "redis.call('LB.COUNTER.INCR', KEYS[1], 'ID', 'one')
            redis.call('LB.COUNTER.INCR', KEYS[1], 'BY', 5)
            redis.call('LB.COUNTER.INCR', KEYS[2])
            return redis.call('LB.COUNTER.INCR', KEYS[1], 'ID', 'one')";
        run(&mut con, &["EVAL", script, "2", "c", "new"]);
        assert_eq!(names(&stream.take()), "MULTI INCR CREATE INCR EXEC", "{flavor:?}");
    }
}

fn dumps(con: &mut Connection, key: &str) -> (String, Vec<u8>) {
    (digest(con, key), leaderboard_testkit::query(con, &["DUMP", key]))
}

#[test]
fn a_replica_with_other_settings_gets_the_same_counters() {
    for flavor in Flavor::all() {
        let other = ["counter-precisions", "7", "counter-samples", "3"];
        let primary = Server::builder(flavor).module_args(&["counter-samples", "9"]).start();
        let replica = Server::builder(flavor).module_args(&other).start();
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = primary.connection();
        play(
            &mut con,
            "LB.COUNTER.INCR first BY 5 ID one
             LB.COUNTER.INCR first BY 6 AT 1000
             LB.COUNTER.CREATE bare
             LB.COUNTER.CREATE some PRECISIONS 60,5
             LB.COUNTER.INCR some
             LB.COUNTER.CREATE event CLOCK EVENT
             LB.COUNTER.INCR event BY 5 AT 99000",
        );
        wait_for_sync(&primary, &replica);
        let mut there = replica.connection();
        for key in ["first", "bare", "some", "event"] {
            assert_eq!(dumps(&mut there, key), dumps(&mut con, key), "{flavor:?}: {key}");
        }
        let info = say(&mut there, "LB.COUNTER.INFO first");
        assert!(
            info.contains("\"1,5,60,300,3600,18000,86400\"") && info.contains("\"samples\" 9 "),
            "{info}"
        );
        assert!(say(&mut there, "LB.COUNTER.INCR first").starts_with("READONLY"));
        play(&mut there, "LB.COUNTER.MGET 60 KEYS 1 event => [[[60000 5]]]");
    }
}

#[test]
fn an_append_only_file_does_not_take_the_settings_of_its_server() {
    for flavor in Flavor::all() {
        let mut server = Server::builder(flavor).arg("appendonly", "yes").start();
        let mut con = server.connection();
        if flavor != Flavor::Redis62 {
            play(&mut con, "CONFIG SET leaderboard.counter-precisions 9 leaderboard.counter-samples 4");
        }
        play(&mut con, "LB.COUNTER.INCR c BY 5\nLB.COUNTER.CREATE d PRECISIONS 3");
        let before = ["c", "d"].map(|key| dumps(&mut con, key));
        server.restart_nosave();
        assert_eq!(["c", "d"].map(|key| dumps(&mut server.connection(), key)), before, "{flavor:?}");
    }
}

#[test]
fn a_stream_may_not_be_forged() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    for script in [
        "return redis.pcall('LB.COUNTER.INCR', KEYS[1], 'AT', 5, 'NOW', 5)['err']",
        "return redis.pcall('LB.COUNTER.INCR', KEYS[1], 'NOW', 5)['err']",
    ] {
        let reply = leaderboard_testkit::session::shown(&leaderboard_testkit::try_run(
            &mut con,
            &["EVAL", script, "1", "c"],
        ));
        assert!(reply.contains("unknown option"), "{reply}");
    }
    assert_eq!(run(&mut con, &words("EXISTS c")), redis::Value::Int(0));
}
