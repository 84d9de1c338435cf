//! Boards survive everything that moves data, in each of the servers: nothing that can be seen of them changes,
//! and no request id is applied twice or kept for too long.

pub mod boards;

use leaderboard_testkit::{
    Flavor, Server, Words, bgrewriteaof_and_wait, err, info, query, run, wait_for_sync, wait_until,
};
use redis::Connection;

use boards::{KINDS, Portraits, make};

fn made(server: &Server) -> (Connection, Portraits) {
    let mut con = server.connection();
    make(&mut con);
    let portraits = Portraits::of(&mut con);
    (con, portraits)
}

/// Says which server it was when something fails.
fn in_each_server(test: impl Fn(Flavor)) {
    for flavor in Flavor::all() {
        println!("{flavor:?}");
        test(flavor);
    }
}

#[test]
fn a_snapshot_brings_boards_back() {
    in_each_server(|flavor| {
        let mut server = Server::start(flavor);
        let (_, before) = made(&server);
        server.restart();
        before.compare_and_retry(&mut server.connection());
    });
}

#[test]
fn a_reload_brings_boards_back() {
    in_each_server(|flavor| {
        let server = Server::start(flavor);
        let (mut con, before) = made(&server);
        run(&mut con, &["DEBUG", "RELOAD"]);
        before.compare_and_retry(&mut con);
    });
}

fn through_the_append_only_file(flavor: Flavor, preamble: &str) {
    println!("preamble {preamble}");
    let builder = Server::builder(flavor).arg("appendonly", "yes").arg("aof-use-rdb-preamble", preamble);
    let mut server = builder.start();
    let (_, before) = made(&server);
    server.restart_nosave();
    before.compare_and_retry(&mut server.connection());
    bgrewriteaof_and_wait(&mut server.connection());
    server.restart_nosave();
    before.compare_and_retry(&mut server.connection());
    server.restart_nosave();
    before.compare(&mut server.connection());
}

#[test]
fn an_append_only_file_with_a_snapshot_brings_boards_back() {
    in_each_server(|flavor| through_the_append_only_file(flavor, "yes"));
}

#[test]
fn an_append_only_file_of_commands_brings_boards_back() {
    in_each_server(|flavor| through_the_append_only_file(flavor, "no"));
}

#[test]
fn boards_survive_the_power_going() {
    in_each_server(|flavor| {
        let builder = Server::builder(flavor).arg("appendonly", "yes").arg("appendfsync", "always");
        let mut server = builder.start();
        let (_, before) = made(&server);
        server.kill9();
        server.start_again();
        before.compare_and_retry(&mut server.connection());
    });
}

fn dumps(con: &mut Connection) -> Vec<(&'static str, Vec<u8>)> {
    KINDS.iter().map(|kind| (kind.key, query(con, &["DUMP", kind.key]))).collect()
}

fn restored(key: &str, dump: &[u8], more: &[&str]) -> Words {
    let mut command = vec![b"RESTORE".to_vec(), key.into(), b"0".to_vec(), dump.to_vec()];
    command.extend(more.iter().map(|word| word.as_bytes().to_vec()));
    command
}

#[test]
fn a_dump_is_restored() {
    in_each_server(|flavor| {
        let server = Server::start(flavor);
        let (mut con, before) = made(&server);
        for (key, dump) in dumps(&mut con) {
            assert_eq!(err(&mut con, &restored(key, &dump, &[])), "BUSYKEY Target key name already exists.");
            run(&mut con, &["LB.ADD", key, "0", "changed", "AT", "1700000000000"]);
            run(&mut con, &restored(key, &dump, &["REPLACE"]));
        }
        before.compare_and_retry(&mut con);
        for (key, dump) in dumps(&mut con) {
            run(&mut con, &["SET", key, "of another type"]);
            run(&mut con, &restored(key, &dump, &["REPLACE"]));
        }
        before.compare_and_retry(&mut con);
    });
}

#[test]
fn a_dump_of_an_older_server_is_restored_by_newer_ones() {
    let flavors = [Flavor::Redis62, Flavor::Redis70, Flavor::Redis82];
    let servers = flavors.map(Server::start);
    let (mut con, before) = made(&servers[0]);
    let mut old = dumps(&mut con);
    for server in &servers[1..] {
        let mut con = server.connection();
        for (key, dump) in &old {
            run(&mut con, &restored(key, dump, &[]));
        }
        before.compare_and_retry(&mut con);
        old = dumps(&mut con);
    }
    let refused = err(&mut con, &restored("new", &old[0].1, &[]));
    assert_eq!(refused, "ERR DUMP payload version or checksum are wrong");
}

#[test]
fn a_dump_of_redis_6_is_restored_by_valkey() {
    let (old, new) = (Server::start(Flavor::Redis62), Server::start(Flavor::Valkey91));
    let (mut con, before) = made(&old);
    for (key, dump) in dumps(&mut con) {
        run(&mut new.connection(), &restored(key, &dump, &[]));
    }
    before.compare_and_retry(&mut new.connection());
}

#[test]
fn a_copy_is_a_board_of_its_own() {
    in_each_server(|flavor| {
        let server = Server::start(flavor);
        let (mut con, before) = made(&server);
        for kind in &KINDS {
            assert_eq!(query::<u64, _>(&mut con, &["COPY", kind.key, "copy"]), 1);
            assert_eq!(query::<u64, _>(&mut con, &["COPY", kind.key, "copy"]), 0);
            run(&mut con, &["LB.ADD", kind.key, "0", "changed", "AT", "1700000000000"]);
            run(&mut con, &["LB.SETMETA", kind.key, "t1", "changed"]);
            assert_eq!(query::<u64, _>(&mut con, &["COPY", "copy", kind.key, "REPLACE"]), 1);
            run(&mut con, &["LB.ADD", "copy", "0", "changed", "AT", "1700000000000"]);
            run(&mut con, &["UNLINK", "copy"]);
        }
        before.compare_and_retry(&mut con);
        for kind in &KINDS {
            assert_eq!(query::<u64, _>(&mut con, &["COPY", kind.key, kind.key, "DB", "3"]), 1);
        }
        before.compare(&mut con);
        run(&mut con, &["SELECT", "3"]);
        before.compare_and_retry(&mut con);
    });
}

#[test]
fn boards_move_and_are_renamed() {
    in_each_server(|flavor| {
        let server = Server::start(flavor);
        let (mut con, before) = made(&server);
        for kind in &KINDS {
            run(&mut con, &["RENAME", kind.key, "other"]);
            assert_eq!(query::<u64, _>(&mut con, &["MOVE", "other", "1"]), 1);
            run(&mut con, &["SELECT", "1"]);
            run(&mut con, &["RENAME", "other", kind.key]);
            run(&mut con, &["SELECT", "0"]);
        }
        run(&mut con, &["SWAPDB", "0", "1"]);
        before.compare_and_retry(&mut con);
    });
}

#[test]
fn a_replica_gets_boards_that_were_there_before() {
    in_each_server(|flavor| {
        let (primary, replica) = (Server::start(flavor), Server::start(flavor));
        let (_, before) = made(&primary);
        make(&mut replica.connection());
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        before.compare(&mut replica.connection());
        run(&mut replica.connection(), &["REPLICAOF", "NO", "ONE"]);
        before.compare_and_retry(&mut replica.connection());
    });
}

#[test]
fn a_replica_gets_boards_as_they_are_made_and_goes_on_after_a_gap() {
    in_each_server(|flavor| {
        let (primary, replica) = (Server::start(flavor), Server::start(flavor));
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = primary.connection();
        make(&mut con);
        run(&mut con, &["CLIENT", "KILL", "TYPE", "replica"]);
        run(&mut con, &["LB.ADD", "small", "1", "a", "ID", "in the gap"]);
        let before = Portraits::of(&mut con);
        wait_for_sync(&primary, &replica);
        before.compare(&mut replica.connection());
        assert_eq!(info(&mut con, "stats", "sync_full"), "1", "the gap was not filled from the stream");
        run(&mut replica.connection(), &["REPLICAOF", "NO", "ONE"]);
        before.compare_and_retry(&mut replica.connection());
    });
}

fn left(con: &mut Connection) -> [u64; 2] {
    ["boards", "members"].map(|field| {
        let field = format!("leaderboard_{field}");
        info(con, "leaderboard", &field).parse().expect("a number")
    })
}

#[test]
fn boards_are_counted_as_they_come_and_go() {
    in_each_server(|flavor| {
        let server = Server::start(flavor);
        let (mut con, _) = made(&server);
        for key in ["hidden", "kept"] {
            let hidden: Vec<String> = query(&mut con, &["LB.HIDDEN", key]);
            run(&mut con, &[vec!["LB.UNHIDE".to_owned(), key.to_owned()], hidden].concat());
        }
        let members: u64 = KINDS.iter().map(|kind| query::<u64, _>(&mut con, &["LB.COUNT", kind.key])).sum();
        assert_eq!(left(&mut con), [KINDS.len() as u64, members]);
        run(&mut con, &["DEBUG", "RELOAD"]);
        wait_until(|| left(&mut con) == [KINDS.len() as u64, members]);
    });
}

#[test]
fn boards_are_gone_when_they_are_deleted() {
    in_each_server(|flavor| {
        let ways: [&[&str]; 5] = [
            &[
                "UNLINK", "small", "middle", "big", "last", "lex", "reverse", "empty", "texts", "tiny",
                "periods", "windows", "best", "latest", "hidden", "kept",
            ],
            &[
                "DEL", "small", "middle", "big", "last", "lex", "reverse", "empty", "texts", "tiny",
                "periods", "windows", "best", "latest", "hidden", "kept",
            ],
            &["FLUSHALL", "ASYNC"],
            &["FLUSHALL", "SYNC"],
            &["FLUSHDB"],
        ];
        let server = Server::start(flavor);
        for way in ways {
            let (mut con, _) = made(&server);
            run(&mut con, way);
            assert_eq!(query::<u64, _>(&mut con, &["DBSIZE"]), 0, "{way:?}");
            wait_until(|| left(&mut con)[0] == 0);
        }
    });
}
