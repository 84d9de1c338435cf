//! Tests of the keys of these commands: the server finds them, reports their use, checks the rights, and requires that
//! they share a slot.

use leaderboard_testkit::session::{play, say, words};
use leaderboard_testkit::{Flavor, Server, query, run, wait_until};
use redis::Connection;

/// Commands, each with the keys that the server finds in it, or with an error.
const FOUND: [(&str, &str); 13] = [
    ("LB.IMPORT board zset", r#"["board" "zset"]"#),
    ("LB.IMPORT board zset MERGE ROUND AT 5 CURSOR 0 COUNT 5", r#"["board" "zset"]"#),
    ("LB.EXPORT dest board", r#"["dest" "board"]"#),
    ("LB.EXPORT dest board VIEW day COUNT 5", r#"["dest" "board"]"#),
    ("LB.UNION dest 1 one", r#"["dest" "one"]"#),
    ("LB.UNION dest 2 one two", r#"["dest" "one" "two"]"#),
    ("lb.union dest 3 one two one WEIGHTS 1 2 3", r#"["dest" "one" "two" "one"]"#),
    ("LB.INTER dest 2 one two VIEW a,b AGGREGATE MAX REAL", r#"["dest" "one" "two"]"#),
    ("LB.INTER dest 1 WEIGHTS WEIGHTS 1", r#"["dest" "WEIGHTS"]"#),
    ("LB.UNION dest 3 one two", "ERR"),
    ("LB.INTER dest 0 one", "ERR"),
    ("LB.INTER dest -1 one", "ERR"),
    ("LB.UNION dest x one", "ERR"),
];

#[test]
fn the_keys_of_each_command_are_found() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for (line, keys) in FOUND {
            let reply = say(&mut con, &format!("COMMAND GETKEYS {line}"));
            match keys {
                // If the command has fewer keys than its number says, a server may return only the fixed keys.
                "ERR" => assert!(
                    reply.starts_with("ERR ") || reply == r#"["dest"]"#,
                    "{flavor:?}: {line}: {reply}"
                ),
                _ => assert_eq!(reply, keys, "{flavor:?}: {line}"),
            }
        }
        play(&mut con, "PING => PONG");
    }
}

#[test]
fn the_server_tells_what_becomes_of_each_key() {
    for flavor in [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for (line, keys) in [
            ("LB.IMPORT board zset", [("board", "RW"), ("zset", "RO access")]),
            ("LB.EXPORT dest board", [("dest", "OW update"), ("board", "RO access")]),
            ("LB.UNION dest 1 one REAL", [("dest", "OW update"), ("one", "RO access")]),
            ("LB.INTER dest 1 one", [("dest", "OW update"), ("one", "RO access")]),
        ] {
            let command = [words("COMMAND GETKEYSANDFLAGS"), words(line)].concat();
            let found: Vec<(String, Vec<String>)> = query(&mut con, &command);
            for ((key, flags), (expected, wanted)) in found.iter().zip(keys) {
                assert_eq!(key, expected, "{flavor:?}: {line}");
                for flag in wanted.split(' ') {
                    assert!(
                        flags.iter().any(|found| found == flag),
                        "{flavor:?}: {line}: {key} {flags:?}, not {wanted}"
                    );
                }
            }
            assert_eq!(found.len(), 2, "{flavor:?}: {line}");
        }
    }
}

/// Opens a connection of a user with these rights.
fn user(server: &Server, rights: &str) -> Connection {
    play(&mut server.connection(), &format!("ACL SETUSER visitor reset on >word +@all {rights} => OK"));
    let mut con = server.connection();
    play(&mut con, "AUTH visitor word => OK");
    con
}

const DENIED: &str = "NOPERM ";

#[track_caller]
fn allows(con: &mut Connection, flavor: Flavor, lines: &[(&str, bool)]) {
    for (line, allowed) in lines {
        let reply = say(con, line);
        assert_eq!(!reply.starts_with(DENIED), *allowed, "{flavor:?}: {line}: {reply}");
    }
}

#[test]
fn a_user_needs_the_rights_on_all_keys() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = user(&server, "~mine*");
        allows(
            &mut con,
            flavor,
            &[
                ("LB.IMPORT mine1 mine2", true),
                ("LB.IMPORT mine1 theirs", false),
                ("LB.IMPORT theirs mine1", false),
                ("LB.EXPORT mine1 mine2", true),
                ("LB.EXPORT mine1 theirs", false),
                ("LB.EXPORT theirs mine1", false),
                ("LB.UNION mine1 2 mine2 mine3", true),
                ("LB.UNION mine1 2 mine2 theirs", false),
                ("LB.UNION mine1 2 theirs mine2", false),
                ("LB.UNION theirs 1 mine2", false),
                ("LB.UNION mine1 1 mine2 VIEW theirs", true),
                ("LB.INTER mine1 3 mine2 mine3 mine4 WEIGHTS 1 2 3", true),
                ("LB.INTER mine1 3 mine2 mine3 theirs WEIGHTS 1 2 3", false),
                ("LB.INTER theirs 3 mine2 mine3 mine4", false),
            ],
        );
    }
}

#[test]
fn who_may_read_sources_and_write_the_result_may_use_them() {
    for flavor in [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = user(&server, "%R~shown* %W~made* %RW~both*");
        allows(
            &mut con,
            flavor,
            &[
                ("LB.IMPORT both shown", true),
                ("LB.IMPORT shown both", false),
                ("LB.IMPORT both made", false),
                ("LB.EXPORT made shown", true),
                ("LB.EXPORT both both1", true),
                ("LB.EXPORT shown both", false),
                ("LB.EXPORT both made", false),
                ("LB.UNION made 2 shown both", true),
                ("LB.UNION made 2 shown made", false),
                ("LB.UNION shown 1 both", false),
                ("LB.INTER made 2 both shown", true),
                ("LB.INTER both 2 shown made", false),
                ("LB.INTER shown1 2 shown shown2", false),
            ],
        );
    }
}

/// Starts a node that serves all slots alone.
fn node(flavor: Flavor) -> Server {
    let server = Server::builder(flavor).in_cluster().start();
    let slots = (0..16_384).map(|slot| slot.to_string());
    let command: Vec<String> = ["CLUSTER", "ADDSLOTS"].map(str::to_owned).into_iter().chain(slots).collect();
    run(&mut server.connection(), &command);
    server
}

#[test]
fn all_keys_have_to_be_in_one_slot() {
    // All nodes are started first, because each waits two seconds before it serves.
    let servers = Flavor::all().map(node);
    for server in &servers {
        let flavor = server.flavor();
        let mut con = server.connection();
        wait_until(|| query::<String, _>(&mut con, &["CLUSTER", "INFO"]).contains("cluster_state:ok"));
        play(
            &mut con,
            r#"ZADD {s}zset 5 ann 6 bob
               LB.IMPORT {s}board {s}zset => 2
               LB.EXPORT {s}dest {s}board => 2
               LB.UNION {s}sum 3 {s}board {s}dest {s}none WEIGHTS 1 2 3 => 2
               LB.INTER {s}sum 2 {s}sum {s}zset => 2
               LB.TOP {s}sum 9 => [[1 "bob" 24] [2 "ann" 20]]"#,
        );
        for line in [
            "LB.IMPORT {s}board {t}zset NX",
            "LB.IMPORT {t}board {s}zset",
            "LB.EXPORT {t}dest {s}board",
            "LB.EXPORT {s}dest {t}board",
            "LB.UNION {t}sum 1 {s}board",
            "LB.UNION {s}sum 2 {s}board {t}dest",
            "LB.UNION {s}sum 2 {t}dest {s}board",
            "LB.INTER {s}sum 3 {s}board {s}dest {t}none WEIGHTS 1 2 3",
            "LB.INTER {t}sum 2 {s}sum {s}zset",
            "LB.CREATE {t}new LIKE {s}board",
        ] {
            let reply = say(&mut con, line);
            assert!(reply.starts_with("CROSSSLOT "), "{flavor:?}: {line}: {reply}");
        }
        play(&mut con, "DBSIZE => 4\nLB.CREATE {s}new LIKE {s}board LIMIT like voter 5 day => OK");
    }
}
