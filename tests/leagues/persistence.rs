//! Leagues survive everything that moves data, in each of the servers: nothing that can be seen of them changes.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{
    Flavor, Server, Words, bgrewriteaof_and_wait, info, query, run, wait_for_sync, wait_until,
};
use redis::Connection;

use super::kinds::{KINDS, Portraits, make};

fn made(server: &Server) -> (Connection, Portraits) {
    let mut con = server.connection();
    make(&mut con);
    let portraits = Portraits::of(&mut con);
    (con, portraits)
}

#[test]
fn snapshots_bring_leagues_back() {
    for flavor in Flavor::all() {
        let mut server = Server::start(flavor);
        let (mut con, before) = made(&server);
        run(&mut con, &["DEBUG", "RELOAD"]);
        before.compare(&mut con, "DEBUG RELOAD");
        server.restart();
        before.compare(&mut server.connection(), "a snapshot");
    }
}

#[test]
fn append_only_files_bring_leagues_back() {
    for flavor in Flavor::all() {
        // What a snapshot within the file is, the snapshots tell.
        let preambles: &[&str] = if flavor == Flavor::Redis82 { &["yes", "no"] } else { &["no"] };
        for preamble in preambles {
            let builder = Server::builder(flavor).arg("appendonly", "yes");
            let mut server = builder.arg("aof-use-rdb-preamble", preamble).start();
            let (_, before) = made(&server);
            server.restart_nosave();
            before.compare(&mut server.connection(), "commands");
            bgrewriteaof_and_wait(&mut server.connection());
            server.kill9();
            server.start_again();
            before.compare(&mut server.connection(), "a rewritten file");
        }
    }
}

#[test]
fn keys_are_dumped_copied_renamed_and_moved() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let (mut con, before) = made(&server);
        for kind in &KINDS {
            let dump: Vec<u8> = query(&mut con, &["DUMP", kind.key]);
            run(&mut con, &["DEL", kind.key]);
            run(&mut con, &[&b"RESTORE"[..], kind.key.as_bytes(), b"0", &dump]);
        }
        before.compare(&mut con, "DUMP and RESTORE");
        for kind in &KINDS {
            let key = kind.key;
            play(
                &mut con,
                &format!(
                    "COPY {key} copy => 1
                     LB.LEAGUE.SETMETA {key} m1 changed => OK
                     LB.LEAGUE.REM {key} m1 => 1
                     RENAME copy {key} => OK
                     COPY {key} {key} DB 1 => 1"
                ),
            );
        }
        before.compare(&mut con, "COPY and RENAME");
        play(&mut con, "SWAPDB 0 1 => OK");
        before.compare(&mut con, "SWAPDB");
    }
}

#[test]
fn a_dump_of_an_older_server_is_restored_by_newer_ones() {
    let servers = [Flavor::Redis62, Flavor::Redis70, Flavor::Valkey91].map(Server::start);
    let (mut con, _) = made(&servers[0]);
    let dumps = KINDS.map(|kind| query::<Vec<u8>, _>(&mut con, &["DUMP", kind.key]));
    let digests = KINDS.map(|kind| leaderboard_testkit::digest(&mut con, kind.key));
    for server in &servers[1..] {
        let mut con = server.connection();
        for ((kind, dump), digest) in KINDS.iter().zip(&dumps).zip(&digests) {
            let restore: Words = vec![b"RESTORE".to_vec(), kind.key.into(), b"0".to_vec(), dump.clone()];
            run(&mut con, &restore);
            assert_eq!(leaderboard_testkit::digest(&mut con, kind.key), *digest, "{}", kind.key);
        }
    }
}

#[test]
fn a_full_sync_brings_leagues_to_a_replica_that_goes_on_with_them() {
    for flavor in Flavor::all() {
        let (primary, replica) = (Server::start(flavor), Server::start(flavor));
        let (_, before) = made(&primary);
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = replica.connection();
        before.compare(&mut con, "a full sync");
        play(&mut con, "REPLICAOF NO ONE => OK");
        before.compare(&mut con, "promotion");
    }
}

fn counted(con: &mut Connection) -> [u64; 2] {
    let count = |field| info(con, "leaderboard", field).parse().expect("a number");
    ["leaderboard_leagues", "leaderboard_league_members"].map(count)
}

#[test]
fn leagues_are_counted_as_they_come_and_go() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let (mut con, _) = made(&server);
        let keys = KINDS.map(|kind| kind.key).join(" ");
        // Who is out of reach, and has nothing else, is forgotten between commands.
        run(&mut con, &["DEBUG", "RELOAD"]);
        wait_until(|| counted(&mut con)[0] == KINDS.len() as u64);
        let before = counted(&mut con);
        assert!(before[1] > 1_700, "{before:?}");
        run(&mut con, &["DEBUG", "RELOAD"]);
        wait_until(|| counted(&mut con) == before);
        play(&mut con, &format!("UNLINK {keys} => {}", KINDS.len()));
        wait_until(|| counted(&mut con) == [0, 0]);
        assert_eq!(info(&mut con, "leaderboard", "leaderboard_boards"), "0");
    }
}

#[test]
fn leagues_migrate_to_another_server() {
    for flavor in [Flavor::Redis62, Flavor::Redis82, Flavor::Valkey91] {
        let servers = [Server::start(flavor), Server::start(flavor)];
        let (mut con, before) = made(&servers[0]);
        let port = servers[1].port().to_string();
        for kind in &KINDS {
            let reply: String = query(&mut con, &["MIGRATE", "127.0.0.1", &port, kind.key, "0", "20000"]);
            assert_eq!(reply, "OK", "{flavor:?}: {}", kind.key);
        }
        play(&mut con, "DBSIZE => 0");
        before.compare(&mut servers[1].connection(), "MIGRATE");
    }
}
