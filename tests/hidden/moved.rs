//! Tests that hidden members stay hidden when their board is saved, copied or replicated. The tests of `persistence`
//! move such boards through every server; these tests check the replies.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, Words, bgrewriteaof_and_wait, digest, query, run, wait_for_sync};
use redis::Connection;

const MAKE: &str = "LB.CREATE board VIEWS 10s,all CLOCK EVENT RETAIN 3
                    LB.MADD board AT 5000 9 ann 8 bob 7 cat
                    LB.HIDE board bob ghost
                    LB.MADD board AT 15000 1 cat 2 ann 3 bob
                    LB.SETMETA board ghost text";

/// The replies of a board with hidden members, which must be the same after each move.
const SEEN: &str = r#"LB.HIDDEN KEY => ["bob" "ghost"]
                      LB.TOP KEY 9 => [[1 "ann" 2] [2 "cat" 1]]
                      LB.TOP KEY 9 PERIOD -1 => [[1 "ann" 9] [2 "cat" 7]]
                      LB.MSCORE KEY MEMBERS 2 bob ghost => [[1 3] nil]
                      LB.RANK KEY bob PERIOD -1 => 2
                      LB.GETMETA KEY ghost => "text""#;

/// Checks the board, then changes a copy of it and shows its hidden members again. The board itself must not change.
#[track_caller]
fn is_seen(con: &mut Connection, key: &str, whole: &str) {
    assert_eq!(digest(con, key), whole);
    play(con, &SEEN.replace("KEY", key));
    play(
        con,
        &format!(
            r#"COPY {key} scratch => 1
               LB.UNHIDE scratch bob => 1
               LB.TOP scratch 9 => [[1 "bob" 3] [2 "ann" 2] [3 "cat" 1]]
               LB.TOP scratch 9 PERIOD -1 => [[1 "ann" 9] [2 "bob" 8] [3 "cat" 7]]
               LB.ADD scratch 5 ghost AT 25000 => [5 1 1]
               LB.TOP scratch 9 => []
               LB.UNHIDE scratch ghost => 1
               LB.TOP scratch 9 WITHMETA => [[1 "ghost" 5 "text"]]
               DEL scratch => 1"#
        ),
    );
}

#[test]
fn snapshots_and_append_only_files_have_them() {
    for flavor in Flavor::all() {
        for preamble in ["yes", "no"] {
            let builder = Server::builder(flavor).arg("appendonly", "yes");
            let mut server = builder.arg("aof-use-rdb-preamble", preamble).start();
            play(&mut server.connection(), MAKE);
            let whole = digest(&mut server.connection(), "board");
            is_seen(&mut server.connection(), "board", &whole);
            server.restart_nosave();
            is_seen(&mut server.connection(), "board", &whole);
            bgrewriteaof_and_wait(&mut server.connection());
            server.restart_nosave();
            is_seen(&mut server.connection(), "board", &whole);
            play(&mut server.connection(), "DEBUG RELOAD => OK");
            is_seen(&mut server.connection(), "board", &whole);
        }
        let mut server = Server::start(flavor);
        play(&mut server.connection(), MAKE);
        let whole = digest(&mut server.connection(), "board");
        server.restart();
        is_seen(&mut server.connection(), "board", &whole);
    }
}

#[test]
fn copies_and_dumps_have_them() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, MAKE);
        let whole = digest(&mut con, "board");
        play(&mut con, "COPY board copy => 1");
        is_seen(&mut con, "copy", &whole);
        let dump: Vec<u8> = query(&mut con, &["DUMP", "board"]);
        let restore: Words = vec![b"RESTORE".to_vec(), b"other".to_vec(), b"0".to_vec(), dump];
        run(&mut con, &restore);
        is_seen(&mut con, "other", &whole);
        play(&mut con, "LB.UNHIDE copy bob ghost => 2\nLB.HIDDEN copy => []");
        is_seen(&mut con, "board", &whole);
    }
}

#[test]
fn replicas_have_them() {
    for flavor in Flavor::all() {
        let [primary, before, meanwhile] = [(); 3].map(|()| Server::start(flavor));
        meanwhile.replica_of(&primary);
        wait_for_sync(&primary, &meanwhile);
        let mut con = primary.connection();
        play(&mut con, MAKE);
        let whole = digest(&mut con, "board");
        before.replica_of(&primary);
        for replica in [before, meanwhile] {
            wait_for_sync(&primary, &replica);
            let mut con = replica.connection();
            play(&mut con, &SEEN.replace("KEY", "board"));
            assert!(say(&mut con, "LB.HIDE board ann").starts_with("READONLY "));
            run(&mut con, &["REPLICAOF", "NO", "ONE"]);
            is_seen(&mut con, "board", &whole);
        }
    }
}

#[test]
fn a_hidden_member_decides_as_one_who_is_seen_on_both_sides() {
    let [primary, replica] = [(); 2].map(|()| Server::start(Flavor::Redis70));
    replica.replica_of(&primary);
    wait_for_sync(&primary, &replica);
    let mut con = primary.connection();
    play(
        &mut con,
        "LB.CREATE board VIEWS all,10s CLOCK EVENT KEEP 3
         LB.ADD board 1 m0 AT 1000
         LB.HIDE board m1 m3 m5 m7 m9 => 5",
    );
    for n in 0..200_u64 {
        let (member, points, at) = (n * 7 % 12, n * 7919 % 13, 1000 + n * 300);
        play(&mut con, &format!("LB.ADD board {points} m{member} AT {at} META text{n}"));
        match n % 25 {
            7 => play(&mut con, "LB.UNHIDE board m3 m5"),
            19 => play(&mut con, "LB.HIDE board m3 m5 m2"),
            23 => play(&mut con, "LB.REM board m2 m7"),
            _ => {}
        }
    }
    let whole = digest(&mut con, "board");
    wait_for_sync(&primary, &replica);
    assert_eq!(digest(&mut replica.connection(), "board"), whole);
}
