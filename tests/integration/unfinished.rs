//! Tests of values that are being restored piece by piece. Such a value is saved as unfinished. On a replica, after a
//! reload, in another key and in an append-only file, it waits for the next piece, and refuses commands until the last
//! piece.

use leaderboard_testkit::{
    Flavor, Server, Words, bgrewriteaof_and_wait, digest, err, pipeline, query, run, wait_for_sync,
};
use redis::Connection;

use super::corruption::server;
use crate::natives::{Native, dump_of, find};
use leaderboard_testkit::payload::Payload;

/// Values of all types.
const VALUES: [&str; 5] = ["big", "periods", "poll", "small_league", "small_counter"];

fn give(con: &mut Connection, native: &Native, key: &str, pieces: &[Vec<u8>]) {
    let pieces: Vec<Words> = pieces.iter().map(|piece| native.piece(key, piece)).collect();
    assert!(pipeline(con, &pieces).iter().all(Result::is_ok), "{}: {key}", native.name);
}

/// Calls `check` for values of all types, with all pieces, the number of pieces that were sent, and the digest of the
/// whole value.
fn each_cut(con: &mut Connection, mut check: impl FnMut(&mut Connection, &Native, &[Vec<u8>], usize, &str)) {
    for key in VALUES {
        let (native, pieces) = (find(key).0, Payload::parse(&dump_of(con, key)).chunks);
        let whole = digest(con, key);
        run(con, &["FLUSHALL"]);
        let last = pieces.len() - 1;
        let mut cuts = vec![1, pieces.len() / 2, last];
        cuts.dedup();
        for cut in cuts.into_iter().filter(|cut| (1..=last).contains(cut)) {
            give(con, native, "half", &pieces[..cut]);
            check(con, native, &pieces, cut, &whole);
            run(con, &["FLUSHALL"]);
        }
    }
}

/// Sends the missing pieces, and checks that the value is complete after them.
fn goes_on(con: &mut Connection, native: &Native, key: &str, missing: &[Vec<u8>], whole: &str) {
    let read = [format!("{}INFO", native.prefix), key.to_owned()];
    assert!(err(con, &read).starts_with("LOADING the key is being restored"), "{read:?}");
    give(con, native, key, missing);
    assert_eq!(digest(con, key), whole, "{} {key}: {} missing", native.name, missing.len());
    run(con, &read);
}

#[test]
fn a_replica_that_syncs_between_two_pieces_gets_the_whole_value() {
    for flavor in Flavor::all() {
        let primary =
            Server::builder(flavor).arg("rdbcompression", "no").arg("repl-diskless-sync-delay", "0");
        let (primary, replica) = (primary.start(), Server::start(flavor));
        let mut other = replica.connection();
        each_cut(&mut primary.connection(), |con, native, pieces, cut, whole| {
            run(&mut other, &["REPLICAOF", "NO", "ONE"]);
            // The replica gets data of its own, so the next sync is a full one.
            run(&mut other, &["SET", "own", "history"]);
            replica.replica_of(&primary);
            wait_for_sync(&primary, &replica);
            assert_eq!(digest(&mut other, "half"), digest(con, "half"), "{flavor:?}: {}", native.name);
            goes_on(con, native, "half", &pieces[cut..], whole);
            wait_for_sync(&primary, &replica);
            assert_eq!(digest(&mut other, "half"), whole, "{flavor:?}: {}", native.name);
        });
    }
}

#[test]
fn a_restart_and_a_dump_between_two_pieces_lose_nothing() {
    for flavor in Flavor::all() {
        let server = server(flavor);
        each_cut(&mut server.connection(), |con, native, pieces, cut, whole| {
            let before = digest(con, "half");
            run(con, &["DEBUG", "RELOAD"]);
            assert_eq!(digest(con, "half"), before, "{flavor:?}: {}", native.name);
            let dump: Vec<u8> = query(con, &["DUMP", "half"]);
            run(con, &[b"RESTORE", &b"moved"[..], b"0", &dump]);
            run(con, &["COPY", "half", "copied"]);
            for key in ["half", "moved", "copied"] {
                goes_on(con, native, key, &pieces[cut..], whole);
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
        each_cut(&mut server.connection(), |con, native, pieces, cut, whole| {
            bgrewriteaof_and_wait(con);
            run(con, &["DEBUG", "LOADAOF"]);
            goes_on(con, native, "half", &pieces[cut..], whole);
        });
    }
}

/// Checks that the memory of the pieces is reported, and freed with the last piece.
#[test]
fn pieces_count_as_memory_until_the_last_has_come() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let pieces = Payload::parse(&dump_of(&mut con, "big")).chunks;
    let native = find("big").0;
    let (last, first) = pieces.split_last().expect("pieces");
    give(&mut con, native, "board", first);
    let usage = |con: &mut Connection| query::<usize, _>(con, &["MEMORY", "USAGE", "board"]);
    let (bytes, before) = (first.iter().map(Vec::len).sum::<usize>(), usage(&mut con));
    give(&mut con, native, "board", std::slice::from_ref(last));
    let after = usage(&mut con);
    assert!(before > after + bytes, "{before} {after} {bytes}");
}
