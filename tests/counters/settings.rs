//! Tests of the settings that give the default rules of a counter.

use std::panic::catch_unwind;

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, query};
use redis::{Connection, Value};

const CONFIGURABLE: [Flavor; 3] = [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91];

/// Checks the precisions and samples of new counters, made by a first increase and by LB.COUNTER.CREATE.
#[track_caller]
fn made(con: &mut Connection, precisions: &str, samples: i64) {
    play(con, "DEL first hand\nLB.COUNTER.INCR first => 1\nLB.COUNTER.CREATE hand => OK");
    for key in ["first", "hand"] {
        let info: Vec<Value> = query(con, &["LB.COUNTER.INFO", key]);
        assert_eq!(info[1], Value::BulkString(precisions.into()), "{key}");
        assert_eq!(info[5], Value::Int(samples), "{key}");
        assert_eq!([&info[3], &info[7]], [&Value::BulkString("SERVER".into()), &Value::Int(600)], "{key}");
    }
}

#[test]
fn settings_are_shown_and_set() {
    for flavor in CONFIGURABLE {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            r#"CONFIG GET leaderboard.counter-precisions => ["leaderboard.counter-precisions" "1,5,60,300,3600,18000,86400"]
               CONFIG GET leaderboard.counter-samples => ["leaderboard.counter-samples" "120"]
               CONFIG SET leaderboard.counter-precisions 7,60 => OK
               CONFIG GET leaderboard.counter-precisions => ["leaderboard.counter-precisions" "7,60"]
               CONFIG SET leaderboard.counter-samples 10000 => OK
               CONFIG SET leaderboard.counter-samples 1 => OK
               CONFIG SET leaderboard.counter-samples 9 => OK
               CONFIG GET leaderboard.counter-samples => ["leaderboard.counter-samples" "9"]"#,
        );
        made(&mut con, "7,60", 9);
        play(
            &mut con,
            "CONFIG SET leaderboard.counter-precisions 86400,1 leaderboard.counter-samples 5 => OK",
        );
        made(&mut con, "1,86400", 5);
        // An option of a command has priority over its setting. This is true for each option separately.
        play(&mut con, "LB.COUNTER.CREATE own SAMPLES 3\nLB.COUNTER.CREATE other PRECISIONS 2");
        for (key, begin) in [
            ("own", r#""1,86400" "clock" "SERVER" "samples" 3"#),
            ("other", r#""2" "clock" "SERVER" "samples" 5"#),
        ] {
            let info = say(&mut con, &format!("LB.COUNTER.INFO {key}"));
            assert!(info.starts_with(&format!("[\"precisions\" {begin} ")), "{info}");
        }
    }
}

/// Lists of precisions that are not valid, each with words of the error.
const BAD: [&str; 14] = [
    "<0>",
    "0",
    "-1",
    "+1",
    "01",
    "1.5",
    "x",
    "1,1",
    "5,60,5",
    "1,,2",
    "1,",
    "315360001",
    "\\x201",
    "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
];

#[test]
fn bad_values_are_refused_with_the_reason() {
    for flavor in CONFIGURABLE {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let values = BAD.map(|value| ("precisions", value)).into_iter();
        for (setting, value) in values.chain(["0", "10001", "-1", "x", "1.5"].map(|value| ("samples", value)))
        {
            let reply = say(&mut con, &format!("CONFIG SET leaderboard.counter-{setting} {value}"));
            let begin = format!(
                "ERR CONFIG SET failed (possibly related to argument 'leaderboard.counter-{setting}') - "
            );
            let reason = reply.strip_prefix(&begin).unwrap_or_else(|| panic!("{flavor:?}: {value}: {reply}"));
            assert!(reason.len() > 10, "{flavor:?}: {value}: {reason}");
        }
        // If one command changes two settings, it sets both or none.
        for line in [
            "counter-precisions 7 leaderboard.counter-samples 0",
            "counter-samples 7 leaderboard.counter-precisions 0",
        ] {
            let reply = say(&mut con, &format!("CONFIG SET leaderboard.{line}"));
            assert!(reply.starts_with("ERR CONFIG SET failed"), "{flavor:?}: {reply}");
        }
        play(
            &mut con,
            r#"CONFIG GET leaderboard.counter-precisions => ["leaderboard.counter-precisions" "1,5,60,300,3600,18000,86400"]
               CONFIG GET leaderboard.counter-samples => ["leaderboard.counter-samples" "120"]"#,
        );
        made(&mut con, "1,5,60,300,3600,18000,86400", 120);
    }
}

#[test]
fn module_arguments_are_taken_by_every_server() {
    for flavor in Flavor::all() {
        let arguments = ["counter-samples", "10000", "counter-precisions", "60,1,5"];
        let server = Server::builder(flavor).module_args(&arguments).start();
        made(&mut server.connection(), "1,5,60", 10_000);
        let server = Server::builder(flavor).module_args(&["counter-samples", "1"]).start();
        made(&mut server.connection(), "1,5,60,300,3600,18000,86400", 1);
    }
}

#[test]
fn a_line_of_the_configuration_goes_before_an_argument() {
    for flavor in CONFIGURABLE {
        let configured = Server::builder(flavor)
            .arg("leaderboard.counter-precisions", "30,7")
            .arg("leaderboard.counter-samples", "8");
        let server = configured.module_args(&["counter-precisions", "9", "counter-samples", "4"]).start();
        made(&mut server.connection(), "7,30", 8);
    }
}

#[test]
fn wrong_module_arguments_refuse_to_load() {
    for flavor in [Flavor::Redis62, Flavor::Redis70] {
        for args in [
            &["counter-precisions"][..],
            &["counter-precisions", "0"],
            &["counter-precisions", "5,5"],
            &["counter-precisions", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"],
            &["counter-samples", "0"],
            &["counter-samples", "10001"],
            &["counter-samples", "x"],
        ] {
            let started = catch_unwind(|| Server::builder(flavor).module_args(args).start());
            assert!(started.is_err(), "{flavor:?} started with {args:?}");
        }
    }
}

#[test]
fn counters_are_made_where_boards_are_not() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        "CONFIG SET leaderboard.auto-create no => OK
         LB.COUNTER.INCR counter BY 2 => 2
         LB.ADD board 1 ann => NOBOARD the board does not exist",
    );
}
