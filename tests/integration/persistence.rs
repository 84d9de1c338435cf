//! Tests that values of all types survive every way to move data, on each server: no visible data changes, and no
//! request id is applied twice or stored for too long.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{
    Flavor, Server, Words, bgrewriteaof_and_wait, err, info, query, run, wait_for_sync, wait_until,
};
use redis::Connection;

use crate::natives::{NATIVES, Portraits, kinds, make};

fn made(server: &Server) -> (Connection, Portraits) {
    let mut con = server.connection();
    make(&mut con);
    let portraits = Portraits::of(&mut con);
    (con, portraits)
}

/// Runs the test on each server, and prints the server's name, so that a failure shows it.
fn in_each_server(test: impl Fn(Flavor)) {
    for flavor in Flavor::all() {
        println!("{flavor:?}");
        test(flavor);
    }
}

#[test]
fn snapshots_bring_values_back() {
    in_each_server(|flavor| {
        let mut server = Server::start(flavor);
        let (mut con, before) = made(&server);
        run(&mut con, &["DEBUG", "RELOAD"]);
        before.compare(&mut con, "DEBUG RELOAD");
        server.restart();
        before.compare(&mut server.connection(), "a snapshot");
    });
}

fn through_the_append_only_file(flavor: Flavor, preamble: &str) {
    let builder = Server::builder(flavor).arg("appendonly", "yes").arg("appendfsync", "always");
    let mut server = builder.arg("aof-use-rdb-preamble", preamble).start();
    let (_, before) = made(&server);
    server.kill9();
    server.start_again();
    before.compare(&mut server.connection(), "a power failure");
    server.restart_nosave();
    before.compare(&mut server.connection(), "commands");
    bgrewriteaof_and_wait(&mut server.connection());
    server.restart_nosave();
    before.compare(&mut server.connection(), "a rewritten file");
    server.kill9();
    server.start_again();
    before.compare(&mut server.connection(), "a power failure after the rewriting");
}

#[test]
fn append_only_files_with_a_snapshot_bring_values_back() {
    in_each_server(|flavor| through_the_append_only_file(flavor, "yes"));
}

#[test]
fn append_only_files_of_commands_bring_values_back() {
    in_each_server(|flavor| through_the_append_only_file(flavor, "no"));
}

fn dumps(con: &mut Connection) -> Vec<(&'static str, Vec<u8>)> {
    kinds().map(|kind| (kind.key(), query(con, &["DUMP", kind.key()]))).collect()
}

fn restored(key: &str, dump: &[u8], more: &[&str]) -> Words {
    let mut command = vec![b"RESTORE".to_vec(), key.into(), b"0".to_vec(), dump.to_vec()];
    command.extend(more.iter().map(|word| word.as_bytes().to_vec()));
    command
}

/// Replaces the value of a key by another value.
fn change(con: &mut Connection, key: &str) {
    run(con, &["DEL", key]);
    let other = match crate::natives::find(key).0.prefix {
        "LB." => format!("LB.ADD {key} 5 changed"),
        "LB.LEAGUE." => format!("LB.LEAGUE.CREATE {key} TIERS t PROMOTE 0 DEMOTE 0 CYCLE hour"),
        _ => format!("LB.COUNTER.INCR {key} BY 7"),
    };
    play(con, &other);
}

#[test]
fn a_dump_is_restored() {
    in_each_server(|flavor| {
        let server = Server::start(flavor);
        let (mut con, before) = made(&server);
        for (key, dump) in dumps(&mut con) {
            assert_eq!(err(&mut con, &restored(key, &dump, &[])), "BUSYKEY Target key name already exists.");
            change(&mut con, key);
            run(&mut con, &restored(key, &dump, &["REPLACE"]));
        }
        before.compare(&mut con, "in place of a value of the type");
        for (key, dump) in dumps(&mut con) {
            run(&mut con, &["SET", key, "of another type"]);
            run(&mut con, &restored(key, &dump, &["REPLACE"]));
        }
        before.compare(&mut con, "in place of a text");
        for (key, dump) in dumps(&mut con) {
            run(&mut con, &["DEL", key]);
            run(&mut con, &restored(key, &dump, &[]));
        }
        before.compare(&mut con, "in place of nothing");
    });
}

#[test]
fn a_dump_of_an_older_server_is_restored_by_newer_ones() {
    let flavors = [Flavor::Redis62, Flavor::Redis70, Flavor::Redis82];
    let servers = flavors.map(Server::start);
    let (mut con, before) = made(&servers[0]);
    let oldest = dumps(&mut con);
    let mut old = oldest.clone();
    for server in &servers[1..] {
        let mut con = server.connection();
        for (key, dump) in &old {
            run(&mut con, &restored(key, dump, &[]));
        }
        before.compare(&mut con, "a newer server");
        old = dumps(&mut con);
    }
    let refused = err(&mut con, &restored("new", &old[0].1, &[]));
    assert_eq!(refused, "ERR DUMP payload version or checksum are wrong");
    let valkey = Server::start(Flavor::Valkey91);
    for (key, dump) in &oldest {
        run(&mut valkey.connection(), &restored(key, dump, &[]));
    }
    before.compare(&mut valkey.connection(), "Valkey");
}

#[test]
fn a_copy_is_a_value_of_its_own() {
    in_each_server(|flavor| {
        let server = Server::start(flavor);
        let (mut con, before) = made(&server);
        for key in kinds().map(|kind| kind.key()) {
            play(&mut con, &format!("COPY {key} copy => 1\nCOPY {key} copy => 0"));
            written(&mut con, key);
            play(&mut con, &format!("COPY copy {key} REPLACE => 1"));
            written(&mut con, "copy");
            play(&mut con, "UNLINK copy");
        }
        before.compare(&mut con, "COPY and back");
        for key in kinds().map(|kind| kind.key()) {
            play(&mut con, &format!("COPY {key} {key} DB 3 => 1"));
        }
        before.compare(&mut con, "COPY to another database");
        run(&mut con, &["SELECT", "3"]);
        before.compare(&mut con, "the other database");
    });
}

/// Writes to a value in a way that its type allows. The server's time is later than all events.
fn written(con: &mut Connection, key: &str) {
    let before = leaderboard_testkit::digest(con, key);
    let stored: String = query(con, &["TYPE", key]);
    let line = match &stored[..] {
        "lb-league" => format!("LB.LEAGUE.SETMETA {key} m1 changed"),
        "lb-countr" => format!("LB.COUNTER.ALTER {key} SAMPLES 1"),
        _ => format!("LB.SETMETA {key} t1 changed"),
    };
    play(con, &line);
    assert_ne!(leaderboard_testkit::digest(con, key), before, "{line}");
}

#[test]
fn values_move_and_are_renamed() {
    in_each_server(|flavor| {
        let server = Server::start(flavor);
        let (mut con, before) = made(&server);
        for key in kinds().map(|kind| kind.key()) {
            play(
                &mut con,
                &format!("RENAME {key} other\nMOVE other 1 => 1\nSELECT 1\nRENAME other {key}\nSELECT 0"),
            );
        }
        run(&mut con, &["SWAPDB", "0", "1"]);
        before.compare(&mut con, "RENAME, MOVE and SWAPDB");
    });
}

#[test]
fn values_migrate_to_another_server() {
    in_each_server(|flavor| {
        let servers = [Server::start(flavor), Server::start(flavor)];
        let (mut con, before) = made(&servers[0]);
        let port = servers[1].port().to_string();
        for kind in kinds() {
            let reply: String = query(&mut con, &["MIGRATE", "127.0.0.1", &port, kind.key(), "0", "20000"]);
            assert_eq!(reply, "OK", "{}", kind.key());
        }
        play(&mut con, "DBSIZE => 0");
        before.compare(&mut servers[1].connection(), "MIGRATE");
    });
}

#[test]
fn a_replica_gets_values_that_were_there_before_and_goes_on_with_them() {
    in_each_server(|flavor| {
        let (primary, replica) = (Server::start(flavor), Server::start(flavor));
        let (_, before) = made(&primary);
        make(&mut replica.connection());
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        before.compare(&mut replica.connection(), "a full sync");
        run(&mut replica.connection(), &["REPLICAOF", "NO", "ONE"]);
        before.compare(&mut replica.connection(), "promotion");
    });
}

#[test]
fn a_replica_gets_values_as_they_are_made_and_goes_on_after_a_gap() {
    in_each_server(|flavor| {
        let primary = Server::builder(flavor).arg("repl-backlog-size", "64mb").start();
        let replica = Server::start(flavor);
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = primary.connection();
        make(&mut con);
        run(&mut con, &["CLIENT", "KILL", "TYPE", "replica"]);
        run(&mut con, &["LB.ADD", "small", "1", "a", "ID", "in the gap"]);
        let before = Portraits::of(&mut con);
        wait_for_sync(&primary, &replica);
        before.compare(&mut replica.connection(), "the stream");
        assert_eq!(info(&mut con, "stats", "sync_full"), "1", "the gap was not filled from the stream");
        run(&mut replica.connection(), &["REPLICAOF", "NO", "ONE"]);
        before.compare(&mut replica.connection(), "promotion");
    });
}

fn figure(con: &mut Connection, field: &str) -> u64 {
    info(con, "leaderboard", &format!("leaderboard_{field}")).parse().expect("a number")
}

/// Returns the numbers of boards, leagues and counters.
fn counted(con: &mut Connection) -> [u64; 3] {
    ["boards", "leagues", "counters"].map(|field| figure(con, field))
}

/// Returns how many values of these types the table has.
fn made_of(types: &[&str]) -> u64 {
    let natives = NATIVES.iter().filter(|native| types.contains(&native.name));
    natives.map(|native| (native.kinds)().len() as u64).sum()
}

#[test]
fn values_and_members_are_counted_as_they_come_and_go() {
    in_each_server(|flavor| {
        let server = Server::start(flavor);
        let (mut con, _) = made(&server);
        let all = [&["board", "campaign"][..], &["league"], &["counter"]].map(made_of);
        assert_eq!(counted(&mut con), all);
        // LB.COUNT does not count hidden members, so they are shown first.
        for key in ["hidden", "kept"] {
            let hidden: Vec<String> = query(&mut con, &["LB.HIDDEN", key]);
            run(&mut con, &[vec!["LB.UNHIDE".to_owned(), key.to_owned()], hidden].concat());
        }
        let boards = NATIVES.iter().filter(|native| native.prefix == "LB.");
        let boards = boards.flat_map(|native| (native.kinds)());
        let members: u64 = boards.map(|kind| query::<u64, _>(&mut con, &["LB.COUNT", kind.key()])).sum();
        // Between commands, a league forgets members who are only in periods that can no longer be read.
        run(&mut con, &["DEBUG", "RELOAD"]);
        wait_until(|| counted(&mut con) == all);
        let of_leagues = figure(&mut con, "league_members");
        assert!(of_leagues > 1_500, "{of_leagues}");
        run(&mut con, &["DEBUG", "RELOAD"]);
        wait_until(|| counted(&mut con) == all);
        wait_until(|| {
            ["members", "league_members"].map(|field| figure(&mut con, field)) == [members, of_leagues]
        });
        let keys = kinds().map(|kind| kind.key()).collect::<Vec<_>>().join(" ");
        play(&mut con, "COPY live one\nCOPY year two\nCOPY small three");
        play(&mut con, &format!("UNLINK {keys} => {}", kinds().count()));
        wait_until(|| counted(&mut con) == [1; 3]);
    });
}

#[test]
fn values_are_gone_when_they_are_deleted() {
    in_each_server(|flavor| {
        let keys = kinds().map(|kind| kind.key()).collect::<Vec<_>>().join(" ");
        let server = Server::start(flavor);
        for way in
            [&format!("UNLINK {keys}"), &format!("DEL {keys}"), "FLUSHALL ASYNC", "FLUSHALL SYNC", "FLUSHDB"]
        {
            let (mut con, _) = made(&server);
            play(&mut con, &format!("{way}\nDBSIZE => 0"));
            wait_until(|| counted(&mut con) == [0; 3]);
            wait_until(|| ["members", "league_members"].map(|field| figure(&mut con, field)) == [0; 2]);
        }
    });
}
