//! Tests of settings, module arguments, and the fields of INFO.

use std::panic::catch_unwind;

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, info, query, wait_until};
use redis::Connection;

const CONFIGURABLE: [Flavor; 3] = [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91];

/// Sends a write this number of seconds ahead of the server's time, and returns the reply.
fn ahead(con: &mut Connection, seconds: u64) -> String {
    let [now, _]: [u64; 2] = query(con, &["TIME"]);
    say(con, &format!("LB.ADD ahead 0 ann AT {}", (now + seconds) * 1000))
}

const TAKEN: &str = "[0 1 1]";
const REFUSED: &str = "ERR AT is too far in the future (max-future-ms)";

#[test]
fn the_setting_is_shown_and_set() {
    for flavor in CONFIGURABLE {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            r#"CONFIG GET leaderboard.max* => ["leaderboard.max-future-ms" "60000"]
               CONFIG SET leaderboard.max-future-ms 5000 => OK
               CONFIG GET leaderboard.max-future-ms => ["leaderboard.max-future-ms" "5000"]"#,
        );
        assert_eq!(ahead(&mut con, 20), REFUSED, "{flavor:?}");
        play(&mut con, "CONFIG SET leaderboard.max-future-ms 40000 => OK");
        assert_eq!(ahead(&mut con, 20), TAKEN, "{flavor:?}");
        for value in ["-1", "315360000001", "ten", "1.5"] {
            let reply = say(&mut con, &format!("CONFIG SET leaderboard.max-future-ms {value}"));
            assert!(reply.starts_with("ERR CONFIG SET failed"), "{flavor:?}: {reply}");
        }
        play(&mut con, r#"CONFIG GET leaderboard.max* => ["leaderboard.max-future-ms" "40000"]"#);
    }
}

#[test]
fn module_arguments_are_taken_by_every_server() {
    for flavor in Flavor::all() {
        let server = Server::builder(flavor).module_args(&["max-future-ms", "5000"]).start();
        let mut con = server.connection();
        assert_eq!(ahead(&mut con, 20), REFUSED, "{flavor:?}");
        if flavor != Flavor::Redis62 {
            play(&mut con, r#"CONFIG GET leaderboard.max* => ["leaderboard.max-future-ms" "5000"]"#);
        }
        let server = Server::builder(flavor).module_args(&["max-future-ms", "40000"]).start();
        assert_eq!(ahead(&mut server.connection(), 20), TAKEN, "{flavor:?}");
    }
}

#[test]
fn the_length_of_slices_is_set_in_every_way() {
    for flavor in CONFIGURABLE {
        let server = Server::builder(flavor).module_args(&["tick-us", "500"]).start();
        let mut con = server.connection();
        play(
            &mut con,
            r#"CONFIG GET leaderboard.tick-us => ["leaderboard.tick-us" "500"]
               CONFIG SET leaderboard.tick-us 100 => OK
               CONFIG SET leaderboard.tick-us 1000000 => OK
               CONFIG GET leaderboard.tick-us => ["leaderboard.tick-us" "1000000"]"#,
        );
        for value in ["99", "1000001", "-1", "ten"] {
            let reply = say(&mut con, &format!("CONFIG SET leaderboard.tick-us {value}"));
            assert!(reply.starts_with("ERR CONFIG SET failed"), "{flavor:?}: {reply}");
        }
        let configured = Server::builder(flavor).arg("leaderboard.tick-us", "2000").start();
        let line = r#"CONFIG GET leaderboard.tick-us => ["leaderboard.tick-us" "2000"]"#;
        play(&mut configured.connection(), line);
    }
}

#[test]
fn a_line_of_the_configuration_goes_before_an_argument_and_the_default() {
    for flavor in CONFIGURABLE {
        let configured = Server::builder(flavor).arg("leaderboard.max-future-ms", "5000");
        let server = configured.clone().start();
        assert_eq!(ahead(&mut server.connection(), 20), REFUSED, "{flavor:?}");
        let server = configured.module_args(&["max-future-ms", "40000"]).start();
        assert_eq!(ahead(&mut server.connection(), 20), REFUSED, "{flavor:?}");
    }
}

#[test]
fn wrong_module_arguments_refuse_to_load() {
    for flavor in [Flavor::Redis62, Flavor::Redis70] {
        for args in [
            &["max-future-ms"][..],
            &["max-future-ms", "-1"],
            &["max-future-ms", "ten"],
            &["max-future-ms", "315360000001"],
            &["max-future-ms", "5000", "other"],
            &["other", "5000"],
            &["tick-us", "99"],
            &["tick-us", "1000001"],
        ] {
            let started = catch_unwind(|| Server::builder(flavor).module_args(args).start());
            assert!(started.is_err(), "{flavor:?} started with {args:?}");
        }
    }
}

#[track_caller]
fn counts(con: &mut Connection, expected: &str) {
    let fields = ["boards", "members", "writes", "repeated_requests", "writes_held_back"];
    let found = fields.map(|field| info(con, "leaderboard", &format!("leaderboard_{field}")));
    assert_eq!(found.join(" "), expected, "{}", fields.join(" "));
}

#[test]
fn info_counts_writes_repeats_and_what_was_held_back() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        counts(&mut con, "0 0 0 0 0");
        for (line, expected) in [
            ("LB.CREATE board", "1 0 0 0 0"),
            ("LB.ADD board 5 ann ID one", "1 1 1 0 0"),
            ("LB.ADD board 5 ann ID one", "1 1 1 1 0"),
            ("LB.ADD board x ann", "1 1 1 1 0"),
            ("LB.MADD board 5 ann 6 bob", "1 2 2 1 0"),
            ("LB.SET board 1 ann GT", "1 2 2 1 1"),
            ("LB.SET absent 1 ann XX", "1 2 2 1 2"),
            ("LB.SET board 99 ann GT", "1 2 3 1 2"),
            ("LB.SETMETA board cat text", "1 2 3 1 2"),
            ("LB.REM board ann cat", "1 1 3 1 2"),
        ] {
            say(&mut con, line);
            counts(&mut con, expected);
        }
    }
}

#[test]
fn a_board_counts_what_came_of_its_writes() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let figures = |con: &mut Connection, key: &str| {
            let info = say(con, &format!("LB.INFO {key}"));
            info.split_once(" \"writes\" ")
                .expect("figures")
                .1
                .replace('"', "")
                .replace(" segment_counts []", "")
        };
        play(&mut con, "LB.CREATE board CLOCK EVENT LIMIT a voter 2 day LIMIT b member 3 day CLOSES 5000");
        for (line, expected) in [
            ("LB.ADD board 5 ann ID one AT 1000", "1 repeated 0 votes 0 held_back [closed 0 a 0 b 0]]"),
            ("LB.ADD board 5 ann ID one AT 1000", "1 repeated 1 votes 0 held_back [closed 0 a 0 b 0]]"),
            ("LB.ADD board 6 ann ID one AT 1000", "1 repeated 1 votes 0 held_back [closed 0 a 0 b 0]]"),
            ("LB.MADD board AT 1000 5 ann 6 bob", "2 repeated 1 votes 0 held_back [closed 0 a 0 b 0]]"),
            ("LB.SET board 1 ann AT 1000 GT", "2 repeated 1 votes 0 held_back [closed 0 a 0 b 0]]"),
            ("LB.VOTE board 2 ann BY v AT 1000 ID x", "3 repeated 1 votes 1 held_back [closed 0 a 0 b 0]]"),
            ("LB.VOTE board 2 ann BY v AT 1000 ID x", "3 repeated 2 votes 1 held_back [closed 0 a 0 b 0]]"),
            ("LB.VOTE board 1 ann BY v AT 1000", "3 repeated 2 votes 1 held_back [closed 0 a 1 b 0]]"),
            ("LB.VOTE board 2 ann BY w AT 1000", "3 repeated 2 votes 1 held_back [closed 0 a 1 b 1]]"),
            ("LB.MVOTE board BY w AT 1000 1 bob 1 cat", "4 repeated 2 votes 2 held_back [closed 0 a 1 b 1]]"),
            ("LB.VOTE board 1 ann BY x AT 5000", "4 repeated 2 votes 2 held_back [closed 1 a 1 b 1]]"),
            ("LB.ALTER board CLOSES 0 UNLIMIT a", "4 repeated 2 votes 2 held_back [b 1]]"),
        ] {
            say(&mut con, line);
            assert_eq!(figures(&mut con, "board"), expected, "{flavor:?}: {line}");
        }
        play(&mut con, "COPY board copy");
        assert_eq!(figures(&mut con, "copy"), "4 repeated 2 votes 2 held_back [b 1]]");
        play(&mut con, "DEBUG RELOAD");
        assert_eq!(figures(&mut con, "board"), "0 repeated 0 votes 0 held_back [b 0]]");
    }
}

#[test]
fn info_counts_a_board_once_however_it_came_to_be() {
    let mut server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    for (line, expected) in [
        ("LB.ADD board 5 ann", "1 1 1 0 0"),
        ("LB.MADD other 5 ann 6 bob", "2 3 2 0 0"),
        ("COPY other copy", "3 5 2 0 0"),
        ("RENAME copy board", "2 4 2 0 0"),
        ("SET other text", "1 2 2 0 0"),
        ("LB.SETMETA new ann text", "2 2 2 0 0"),
        ("DEL new", "1 2 2 0 0"),
    ] {
        say(&mut con, line);
        counts(&mut con, expected);
    }
    server.restart();
    let mut con = server.connection();
    counts(&mut con, "1 2 0 0 0");
    play(&mut con, "FLUSHALL ASYNC => OK");
    wait_until(|| info(&mut con, "leaderboard", "leaderboard_boards") == "0");
    counts(&mut con, "0 0 0 0 0");
}
