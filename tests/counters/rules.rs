//! Tests of the rules of a counter: LB.COUNTER.CREATE sets them, and LB.COUNTER.INFO returns them.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, query};
use redis::Connection;

use crate::votes::plays;

/// Returns the start of the reply to LB.COUNTER.INFO, up to the memory, in RESP2 and in RESP3.
fn told(flat: &str) -> [String; 2] {
    let words: Vec<&str> = flat.split(' ').collect();
    let pairs = words.chunks(2).map(|pair| format!("{}: {}", pair[0], pair[1]));
    [format!("[{flat} \"memory\" "), format!("{{{}, \"memory\": ", pairs.collect::<Vec<_>>().join(", "))]
}

/// Checks that the reply begins with `begin`, followed by a number of bytes.
#[track_caller]
fn tells(con: &mut Connection, key: &str, begin: &str) {
    let info = say(con, &format!("LB.COUNTER.INFO {key}"));
    let rest = info.strip_prefix(begin).unwrap_or_else(|| panic!("{info}\ndoes not begin with\n{begin}"));
    let bytes: u64 = rest[..rest.len() - 1].parse().expect("bytes");
    assert!((40..100_000).contains(&bytes), "{bytes} bytes");
}

const TOLD: &str =
    r#""precisions" "1,5,60" "clock" "EVENT" "samples" 7 "dedup" 60 "total" -4 "requests" 2 "now" 61000"#;

#[test]
fn info_is_a_map_with_its_fields_in_their_order() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        play(
            &mut server.connection(),
            "LB.COUNTER.CREATE c PRECISIONS 60,1,5 SAMPLES 7 CLOCK EVENT DEDUP 60 => OK
             LB.COUNTER.INCR c ID one AT 61000
             LB.COUNTER.INCR c BY -5 ID two AT 60000
             LB.COUNTER.INCR c BY -5 ID two AT 60000",
        );
        let [flat, map] = told(TOLD);
        tells(&mut server.connection(), "c", &flat);
        // Modules cannot return maps on Redis 6.2.
        let map = if flavor == Flavor::Redis62 { flat } else { map };
        tells(&mut server.connection_resp3(), "c", &map);
    }
}

const DEFAULTS: &str =
    r#""precisions" "1,5,60,300,3600,18000,86400" "clock" "SERVER" "samples" 120 "dedup" 600"#;

#[test]
fn rules_have_defaults() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, "LB.COUNTER.CREATE made => OK\nLB.COUNTER.INCR come BY 3 ID one => 3");
        for (key, rest) in [("made", r#""total" 0 "requests" 0"#), ("come", r#""total" 3 "requests" 1"#)] {
            let info = say(&mut con, &format!("LB.COUNTER.INFO {key}"));
            assert!(info.starts_with(&format!("[{DEFAULTS} {rest} \"now\" ")), "{flavor:?}: {info}");
        }
    }
}

#[test]
fn the_servers_clock_is_told_as_the_counters_now() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.COUNTER.CREATE c");
    let before = super::wall(&mut con);
    let info = say(&mut con, "LB.COUNTER.INFO c");
    let now: u64 =
        info.split("\"now\" ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap();
    assert!((before..=super::wall(&mut con)).contains(&now), "{before}: {info}");
}

#[test]
fn precisions_are_kept_in_ascending_order() {
    for (named, kept) in [
        ("1", "1"),
        ("315360000", "315360000"),
        ("60,1", "1,60"),
        ("9,10,8,100", "8,9,10,100"),
        ("16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"),
    ] {
        let server = Server::start(Flavor::Redis70);
        let mut con = server.connection();
        play(&mut con, &format!("LB.COUNTER.CREATE c PRECISIONS {named} => OK"));
        let info: Vec<redis::Value> = query(&mut con, &["LB.COUNTER.INFO", "c"]);
        assert_eq!(info[1], redis::Value::BulkString(kept.into()), "{named}");
    }
}

#[test]
fn options_come_in_any_order_and_in_any_letters() {
    plays(
        r#"lb.counter.create c dedup 0 clock event samples 10000 precisions 5 => OK
           LB.COUNTER.CREATE d CLOCK server PRECISIONS 5 SAMPLES 1 DEDUP 315360000 => OK
           LB.COUNTER.CREATE e => OK
           EXISTS c d e => 3"#,
    );
}

#[test]
fn a_counter_stays_without_counts_until_it_is_deleted() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1 SAMPLES 1 CLOCK EVENT
         LB.COUNTER.INCR c BY 5 AT 1000
         LB.COUNTER.INCR c BY -5 AT 5000 => 0
         LB.COUNTER.INCR c BY 5 AT 5000 => 5
         EXISTS c => 1
         LB.COUNTER.CREATE c => ERR the key exists already
         DEL c => 1
         LB.COUNTER.CREATE c => OK",
    );
}

#[test]
fn ids_that_are_forgotten_are_not_counted() {
    for flavor in [Flavor::Redis70, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            "LB.COUNTER.CREATE c PRECISIONS 1 CLOCK EVENT DEDUP 60
             LB.COUNTER.INCR c ID one AT 1000
             LB.COUNTER.INCR c ID two AT 2000
             LB.COUNTER.INCR c ID two AT 2000",
        );
        assert!(say(&mut con, "LB.COUNTER.INFO c").contains(r#""requests" 2 "now" 2000"#));
        play(&mut con, "LB.COUNTER.INCR c AT 9000000");
        assert!(say(&mut con, "LB.COUNTER.INFO c").contains(r#""requests" 0 "now" 9000000"#));
        play(&mut con, "LB.COUNTER.INCR c ID new AT 9000000\nLB.COUNTER.ALTER c DEDUP 0");
        assert!(say(&mut con, "LB.COUNTER.INFO c").contains(r#""requests" 0 "now" 9000000"#));
    }
}
