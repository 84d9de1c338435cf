//! Tests that parts and roots do not change when a server saves, loads or replicates its keys.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, bgrewriteaof_and_wait, digest, query, run, wait_for_sync};
use redis::Connection;

use super::{PART, ROOT, field};

const KEYS: [&str; 4] = ["part", "root", "root1024", "last"];

fn make(con: &mut Connection) {
    play(con, PART);
    play(con, ROOT);
    play(con, "LB.ADD part 1 ann ID one\nLB.SETMETA part cat text\nLB.HIDE part cat");
    play(
        con,
        "LB.CREATE root1024 VIEWS day OPENS 5 CLOSES 9 PARTS 1024\nLB.ALTER root1024 RETAIN 3 NOTIFYTOP 5",
    );
    play(con, "LB.CREATE last PART 1023 OF 1024 LEVELS a:DESC:5,b:ASC:5");
}

/// Returns the data that must be the same after each move of the boards.
fn portrait(con: &mut Connection) -> Vec<[String; 8]> {
    let one = |key: &str| {
        let fields = ["parts", "part", "schema", "keys", "views", "members", "hidden"];
        let [parts, part, schema, keys, views, members, hidden] = fields.map(|name| field(con, key, name));
        [digest(con, key), parts, part, schema, keys, views, members, hidden]
    };
    KEYS.map(one).into()
}

/// Checks that the boards have the same data, and that they still work as a part and a root.
#[track_caller]
fn compare(con: &mut Connection, before: &[[String; 8]]) {
    assert_eq!(portrait(con), before);
    play(
        con,
        "LB.ADD part 1 bob => ERR member belongs to part 2
         LB.ADD part 1 ann ID one => [8 1 0]
         LB.ADD part 1 ann PARTS 8 => NOPART the key is no part of 8
         LB.GETMETA part cat => \"text\"
         LB.TOP root 5 => ERR spread over 4 parts: use a gateway or LB.INFO
         LB.TOP root1024 5 => ERR spread over 1024 parts: use a gateway or LB.INFO
         LB.ADD last 1/1 ann => ERR member belongs to part 145",
    );
}

#[test]
fn a_restart_brings_them_back() {
    for flavor in Flavor::all() {
        let mut server = Server::start(flavor);
        make(&mut server.connection());
        let before = portrait(&mut server.connection());
        server.restart();
        compare(&mut server.connection(), &before);
        run(&mut server.connection(), &["DEBUG", "RELOAD"]);
        compare(&mut server.connection(), &before);
    }
}

#[test]
fn an_append_only_file_brings_them_back() {
    for flavor in Flavor::all() {
        for preamble in ["yes", "no"] {
            let file = Server::builder(flavor).arg("appendonly", "yes");
            let mut server = file.arg("aof-use-rdb-preamble", preamble).start();
            make(&mut server.connection());
            let before = portrait(&mut server.connection());
            server.restart_nosave();
            compare(&mut server.connection(), &before);
            bgrewriteaof_and_wait(&mut server.connection());
            server.restart_nosave();
            compare(&mut server.connection(), &before);
        }
    }
}

#[test]
fn a_replica_has_them() {
    for flavor in Flavor::all() {
        let [primary, early, late] = [(); 3].map(|()| Server::start(flavor));
        early.replica_of(&primary);
        wait_for_sync(&primary, &early);
        make(&mut primary.connection());
        let before = portrait(&mut primary.connection());
        late.replica_of(&primary);
        for replica in [early, late] {
            wait_for_sync(&primary, &replica);
            assert_eq!(portrait(&mut replica.connection()), before, "{flavor:?}");
            assert_eq!(
                say(&mut replica.connection(), "LB.TOP root 5"),
                "ERR spread over 4 parts: use a gateway or LB.INFO"
            );
        }
    }
}

#[test]
fn they_travel_between_servers_and_keys() {
    for flavor in Flavor::all() {
        let [server, other] = [(); 2].map(|()| Server::start(flavor));
        let mut con = server.connection();
        make(&mut con);
        let before = portrait(&mut con);
        for key in KEYS {
            let dump: Vec<u8> = query(&mut con, &["DUMP", key]);
            play(&mut con, &format!("RENAME {key} copy"));
            run(&mut con, &[b"RESTORE", key.as_bytes(), b"0", &dump]);
            assert_eq!(digest(&mut con, "copy"), digest(&mut con, key), "{flavor:?}: {key}");
            run(&mut con, &["DEL", "copy"]);
        }
        compare(&mut con, &before);
        let port = other.port().to_string();
        let words = ["MIGRATE", "127.0.0.1", &port, "", "0", "5000", "KEYS"];
        run(&mut con, &[&words[..], &KEYS].concat());
        compare(&mut other.connection(), &before);
        play(&mut con, "EXISTS part root root1024 last => 0");
    }
}
