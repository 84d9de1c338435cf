//! A value that is being restored piece by piece is saved as unfinished. On a replica, after a reload, in another key and
//! in an append-only file it waits for the next piece, and takes no commands before the last.

use leaderboard_testkit::{
    Flavor, Server, Words, bgrewriteaof_and_wait, digest, err, pipeline, query, run, wait_for_sync,
};
use redis::Connection;

use super::payload::Payload;
use super::server;
use crate::persistence::boards::KINDS;
use crate::{counters, leagues};

/// A value of each type in a key of this name, and the command that takes its pieces.
const VALUES: [(&str, &str); 4] = [
    ("big", "LB.RESTORE"),
    ("periods", "LB.RESTORE"),
    ("small_league", "LB.LEAGUE.RESTORE"),
    ("small_counter", "LB.COUNTER.RESTORE"),
];

fn dump(con: &mut Connection, key: &str) -> Vec<u8> {
    let payload = match key {
        "small_league" => leagues::corruption::made(con, "small"),
        "small_counter" => counters::corruption::made(con, "small"),
        _ => super::dump_of(con, key),
    };
    run(con, &["FLUSHALL"]);
    payload
}

fn piece(command: &str, key: &str, chunk: &[u8]) -> Words {
    vec![command.into(), key.into(), chunk.to_vec()]
}

fn give(con: &mut Connection, command: &str, key: &str, pieces: &[Vec<u8>]) {
    let pieces: Vec<Words> = pieces.iter().map(|chunk| piece(command, key, chunk)).collect();
    assert!(pipeline(con, &pieces).iter().all(Result::is_ok), "{command} {key}");
}

/// Calls `check` for values of all types: with the command, all pieces, how many have come, and the digest of the
/// whole value.
fn each_cut(con: &mut Connection, mut check: impl FnMut(&mut Connection, &str, &[Vec<u8>], usize, &str)) {
    assert!(KINDS.iter().any(|kind| kind.key == "periods"));
    for (key, command) in VALUES {
        let payload = dump(con, key);
        let pieces = Payload::parse(&payload).chunks;
        give(con, command, "whole", &pieces);
        let whole = digest(con, "whole");
        run(con, &["DEL", "whole"]);
        let last = pieces.len() - 1;
        let mut cuts = vec![1, pieces.len() / 2, last];
        cuts.dedup();
        for cut in cuts.into_iter().filter(|cut| (1..=last).contains(cut)) {
            give(con, command, "half", &pieces[..cut]);
            check(con, command, &pieces, cut, &whole);
            run(con, &["FLUSHALL"]);
        }
    }
}

/// The value takes the missing pieces, and is whole then.
fn goes_on(con: &mut Connection, command: &str, key: &str, missing: &[Vec<u8>], whole: &str) {
    let read = ["LB.TOP", "LB.LEAGUE.INFO", "LB.COUNTER.INFO"];
    let read =
        read[["LB.RESTORE", "LB.LEAGUE.RESTORE"].iter().position(|name| *name == command).unwrap_or(2)];
    let args: &[&str] = if read == "LB.TOP" { &[read, key, "10"] } else { &[read, key] };
    assert!(err(con, args).starts_with("LOADING the key is being restored"), "{read}");
    give(con, command, key, missing);
    assert_eq!(digest(con, key), whole, "{command} {key}: {} missing", missing.len());
    run(con, args);
}

#[test]
fn a_replica_that_syncs_between_two_pieces_gets_the_whole_value() {
    for flavor in Flavor::all() {
        let primary =
            Server::builder(flavor).arg("rdbcompression", "no").arg("repl-diskless-sync-delay", "0");
        let (primary, replica) = (primary.start(), Server::start(flavor));
        let mut other = replica.connection();
        each_cut(&mut primary.connection(), |con, command, pieces, cut, whole| {
            run(&mut other, &["REPLICAOF", "NO", "ONE"]);
            // The data of another history: the next sync is a full one.
            run(&mut other, &["SET", "own", "history"]);
            replica.replica_of(&primary);
            wait_for_sync(&primary, &replica);
            assert_eq!(digest(&mut other, "half"), digest(con, "half"), "{flavor:?}: {command}");
            goes_on(con, command, "half", &pieces[cut..], whole);
            wait_for_sync(&primary, &replica);
            assert_eq!(digest(&mut other, "half"), whole, "{flavor:?}: {command}");
        });
    }
}

#[test]
fn a_restart_and_a_dump_between_two_pieces_lose_nothing() {
    for flavor in Flavor::all() {
        let server = server(flavor);
        each_cut(&mut server.connection(), |con, command, pieces, cut, whole| {
            let before = digest(con, "half");
            run(con, &["DEBUG", "RELOAD"]);
            assert_eq!(digest(con, "half"), before, "{flavor:?}: {command}");
            let dump: Vec<u8> = query(con, &["DUMP", "half"]);
            run(con, &[b"RESTORE", &b"moved"[..], b"0", &dump]);
            run(con, &["COPY", "half", "copied"]);
            for key in ["half", "moved", "copied"] {
                goes_on(con, command, key, &pieces[cut..], whole);
            }
        });
    }
}

#[test]
fn an_append_only_file_keeps_what_has_come() {
    for flavor in Flavor::all() {
        let args =
            [("save", ""), ("rdbcompression", "no"), ("appendonly", "yes"), ("aof-use-rdb-preamble", "no")];
        let builder =
            args.iter().fold(Server::builder(flavor), |builder, (name, value)| builder.arg(name, value));
        let server = builder.start();
        each_cut(&mut server.connection(), |con, command, pieces, cut, whole| {
            bgrewriteaof_and_wait(con);
            run(con, &["DEBUG", "LOADAOF"]);
            goes_on(con, command, "half", &pieces[cut..], whole);
        });
    }
}

/// The memory of the pieces is told, and freed with the last one.
#[test]
fn pieces_count_as_memory_until_the_last_has_come() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let pieces = Payload::parse(&dump(&mut con, "big")).chunks;
    let (last, first) = pieces.split_last().expect("pieces");
    give(&mut con, "LB.RESTORE", "board", first);
    let usage = |con: &mut Connection| query::<usize, _>(con, &["MEMORY", "USAGE", "board"]);
    let (bytes, before) = (first.iter().map(Vec::len).sum::<usize>(), usage(&mut con));
    give(&mut con, "LB.RESTORE", "board", std::slice::from_ref(last));
    let after = usage(&mut con);
    assert!(before > after + bytes, "{before} {after} {bytes}");
}
