//! Tests of the keys of counter commands, mainly of LB.COUNTER.MGET: every server finds them, and access rights
//! protect them.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server};
use redis::Connection;

#[test]
fn the_keys_of_each_command_are_found() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for line in [
            "CREATE counter PRECISIONS 1 CLOCK EVENT",
            "INCR counter",
            "INCR counter BY 5 ID other AT 5",
            "GET counter 60",
            "GET counter 60 FROM 5 TO 6 FILL",
            "ALTER counter PRECISIONS +5",
            "INFO counter",
            "RESTORE counter chunk",
        ] {
            let line = format!("COMMAND GETKEYS LB.COUNTER.{line}");
            assert_eq!(say(&mut con, &line), "[\"counter\"]", "{flavor:?}: {line}");
        }
        for (line, keys) in [
            ("MGET 60 KEYS 1 a", r#"["a"]"#),
            ("MGET 60 KEYS 3 a b a", r#"["a" "b" "a"]"#),
            ("mget 60 fill from 5 to 6 keys 2 a b", r#"["a" "b"]"#),
            ("MGET 60 TO 5 KEYS 2 keys KEYS", r#"["keys" "KEYS"]"#),
            ("MGET 60 KEYS 1 60", r#"["60"]"#),
            ("MGET 60 KEYS 02 a b", r#"["a" "b"]"#),
            (
                "MGET 60 KEYS 12 a b c d e f g h i j k l",
                r#"["a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l"]"#,
            ),
        ] {
            let line = format!("COMMAND GETKEYS LB.COUNTER.{line}");
            assert_eq!(say(&mut con, &line), keys, "{flavor:?}: {line}");
        }
    }
}

/// Key lists that have a wrong length or a wrong form. The user has no right on the key `b`.
const BAD: [&str; 18] = [
    "60 KEYS 2 b",
    "60 KEYS 0 b",
    "60 KEYS -1 b",
    "60 KEYS x b",
    "60 KEYS 1",
    "60 KEYS",
    "60 b",
    "60 FROM KEYS 1 b",
    "60 KEYS 1 a b",
    "60 KEYS 1 a KEYS 1 b",
    "60 KEYS 1 a FILL KEYS 1 b",
    "KEYS 1 a KEYS 1 b",
    "60 KEYS +1 b",
    "60 KEYS 1.0 b",
    "60 KEYS \\x201 b",
    "60 KEYS 1\\x00 b",
    "60 KEYS 0x1 b",
    "60 KEYS 4294967297 b",
];

#[test]
fn keys_that_cannot_be_found_are_not_read() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, "LB.COUNTER.INCR b");
        for line in BAD {
            let found = say(&mut con, &format!("COMMAND GETKEYS LB.COUNTER.MGET {line}"));
            assert!(found.starts_with("ERR ") || found.starts_with('['), "{flavor:?}: {line}: {found}");
            let read = say(&mut con, &format!("LB.COUNTER.MGET {line}"));
            assert!(read.starts_with("ERR "), "{flavor:?}: {line}: {read}");
        }
    }
}

/// Opens a connection of a user with these rights.
fn user(server: &Server, rights: &str) -> Connection {
    play(&mut server.connection(), &format!("ACL SETUSER visitor reset on >word {rights} => OK"));
    let mut con = server.connection();
    play(&mut con, "AUTH visitor word => OK");
    con
}

#[track_caller]
fn refused(con: &mut Connection, line: &str) {
    let reply = say(con, &format!("LB.COUNTER.{line}"));
    assert!(reply.starts_with("NOPERM "), "{line}: {reply}");
}

#[test]
fn a_user_reads_only_counters_it_may_use() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        play(&mut server.connection(), "LB.COUNTER.INCR b\nLB.COUNTER.INCR a1");
        let mut con = user(&server, "~a* +@all");
        play(
            &mut con,
            "LB.COUNTER.MGET 60 KEYS 2 a2 a3 => [[] []]
             LB.COUNTER.INCR a2 => 1",
        );
        for line in [
            "MGET 60 KEYS 1 b",
            "MGET 60 KEYS 2 a1 b",
            "MGET 60 KEYS 3 b a1 a2",
            "mget 60 from 5 to 10 fill keys 2 a1 b",
            "MGET 60 FILL FROM 5 KEYS 3 a1 a2 b",
            "GET b 60",
            "INFO b",
            "INCR b",
            "ALTER b SAMPLES 5",
            "CREATE c",
        ] {
            refused(&mut con, line);
        }
        // No form of the list reveals a count of the other key.
        for line in BAD.map(str::to_owned).into_iter().chain([
            "60 KEYS 01 b".to_owned(),
            "60 KEYS 02 a1 b".to_owned(),
            "60 KEYS 1 b KEYS 1 a1".to_owned(),
        ]) {
            let reply = say(&mut con, &format!("LB.COUNTER.MGET {line}"));
            assert!(
                ["ERR ", "NOPERM "].iter().any(|begin| reply.starts_with(begin)),
                "{flavor:?}: {line}: {reply}"
            );
        }
    }
}

#[test]
fn a_user_may_read_some_counters_and_write_others() {
    for flavor in [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = user(&server, "%R~shown %RW~mine %W~sink +@all");
        play(
            &mut con,
            "LB.COUNTER.INCR mine BY 0 => 0
             LB.COUNTER.MGET 60 KEYS 3 shown mine shown => [[] [] []]
             LB.COUNTER.GET shown 60 => []
             LB.COUNTER.INFO shown => nil",
        );
        refused(&mut con, "MGET 60 KEYS 2 shown sink");
        refused(&mut con, "GET sink 60");
        for line in ["INCR shown", "CREATE shown", "ALTER shown SAMPLES 5", "RESTORE shown x"] {
            refused(&mut con, line);
        }
    }
}

#[test]
fn a_user_who_may_only_read_reads() {
    // Older servers do not assign the commands of a module to categories.
    for flavor in [Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = user(&server, "~* +@read");
        play(
            &mut con,
            "LB.COUNTER.GET c 60 => []
             LB.COUNTER.MGET 60 KEYS 2 c d => [[] []]
             LB.COUNTER.INFO c => nil",
        );
        for line in ["INCR c", "CREATE c", "ALTER c SAMPLES 5", "RESTORE c x"] {
            refused(&mut con, line);
        }
        let mut con = user(&server, "~* +@write");
        play(&mut con, "LB.COUNTER.INCR c BY 0 => 0\nLB.COUNTER.ALTER c SAMPLES 5 => OK");
        for line in ["GET c 60", "MGET 60 KEYS 1 c", "INFO c"] {
            refused(&mut con, line);
        }
    }
}

#[test]
fn a_script_that_may_only_read_reads_counters_and_increases_none() {
    for flavor in [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let mut eval = |script: &str| {
            leaderboard_testkit::session::shown(&leaderboard_testkit::try_run(
                &mut con,
                &["EVAL_RO", script, "1", "c"],
            ))
        };
        assert_eq!(
            eval("return redis.call('LB.COUNTER.MGET', 60, 'KEYS', 1, KEYS[1])"),
            "[[]]",
            "{flavor:?}"
        );
        assert!(
            eval("return redis.call('LB.COUNTER.INCR', KEYS[1])").contains("read-only scripts"),
            "{flavor:?}"
        );
    }
}
