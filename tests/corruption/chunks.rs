//! LB.RESTORE, piece by piece: an append-only file calls it, and so can anybody.

use std::fs;

use leaderboard_testkit::{Flavor, Server, Words, bgrewriteaof_and_wait, digest, err, pipeline, query, run};
use redis::Connection;

use super::payload::Payload;
use super::{changed, dump_of, is_served, server};
use crate::persistence::boards::{KINDS, make};

fn command(key: &str, chunk: &[u8]) -> Words {
    vec![b"LB.RESTORE".to_vec(), key.into(), chunk.to_vec()]
}

fn chunks_of(con: &mut Connection, kind: &str) -> Vec<Vec<u8>> {
    Payload::parse(&dump_of(con, kind)).chunks
}

/// The error text; the board is what it was.
#[track_caller]
fn refused(con: &mut Connection, key: &str, chunk: &[u8]) -> String {
    let before = digest(con, key);
    let text = err(con, &command(key, chunk));
    assert_eq!(digest(con, key), before, "{text}, but it changed the board");
    text
}

#[test]
fn chunks_in_their_order_build_the_board_again() {
    for flavor in Flavor::all() {
        let server = server(flavor);
        let mut con = server.connection();
        for kind in &KINDS {
            for chunk in chunks_of(&mut con, kind.key) {
                run(&mut con, &command("again", &chunk));
            }
            assert_eq!(digest(&mut con, "again"), digest(&mut con, kind.key), "{flavor:?}: {}", kind.key);
            run(&mut con, &["DEL", "again"]);
        }
    }
}

/// Once the server ended: a write moved the clock, so that the next chunk entered a period that was over.
#[test]
fn a_board_that_is_being_restored_takes_no_commands() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    run(&mut con, &["ZADD", "zset", "5", "m"]);
    for kind in &KINDS {
        let chunks = chunks_of(&mut con, kind.key);
        for chunk in &chunks {
            run(&mut con, &command("again", chunk));
            if chunk == chunks.last().expect("the end") {
                break;
            }
            let before = digest(&mut con, "again");
            for line in [
                &["LB.ADD", "again", "1", "m"][..],
                &["LB.VOTE", "again", "1", "m"],
                &["LB.REM", "again", "m"],
                &["LB.SETMETA", "again", "m", "x"],
                &["LB.ALTER", "again", "DEDUP", "5"],
                &["LB.OPTION", "again", "m"],
                &["LB.IMPORT", "again", "zset", "MERGE"],
                &["LB.TOP", "again", "10"],
                &["LB.INFO", "again"],
                &["LB.EXPORT", "again", "zset2"],
                &["LB.UNION", "again", "1", "zset"],
                &["LB.CREATE", "other", "LIKE", "again"],
            ] {
                let text = err(&mut con, line);
                assert_eq!(
                    text,
                    "LOADING the key is being restored, and takes no commands until that is done"
                );
            }
            assert_eq!(digest(&mut con, "again"), before);
        }
        assert_eq!(digest(&mut con, "again"), digest(&mut con, kind.key), "{}", kind.key);
        run(&mut con, &["DEL", "again"]);
    }
}

#[test]
fn chunks_of_an_append_only_file_build_the_boards_again() {
    let builder = Server::builder(Flavor::Redis70).arg("appendonly", "yes").arg("aof-use-rdb-preamble", "no");
    let server = builder.start();
    let mut con = server.connection();
    make(&mut con);
    bgrewriteaof_and_wait(&mut con);
    let commands = commands_of_the_file(&server);
    assert!(commands.iter().all(|command| command[0] == b"LB.RESTORE" || command[0] == b"SELECT"));
    let before = KINDS.map(|kind| digest(&mut con, kind.key));
    run(&mut con, &["FLUSHALL"]);
    assert!(pipeline(&mut con, &commands).iter().all(Result::is_ok));
    assert_eq!(KINDS.map(|kind| digest(&mut con, kind.key)), before);
}

fn commands_of_the_file(server: &Server) -> Vec<Words> {
    let folder = fs::read_dir(server.dir().join("appendonlydir")).expect("files");
    let mut paths = folder.map(|file| file.expect("a file").path());
    let base = paths.find(|path| path.to_string_lossy().contains(".base.aof")).expect("the rewritten file");
    let bytes = fs::read(base).expect("its content");
    let (mut left, mut commands) = (&bytes[..], Vec::new());
    while !left.is_empty() {
        let words = number(&mut left, b'*');
        commands.push((0..words).map(|_| word(&mut left)).collect());
    }
    commands
}

/// A mark and a number in a line of their own.
fn number(left: &mut &[u8], mark: u8) -> usize {
    let end = left.iter().position(|byte| *byte == b'\n').expect("a line");
    let (line, rest) = left.split_at(end + 1);
    *left = rest;
    assert_eq!(line[0], mark);
    str::from_utf8(&line[1..]).expect("digits").trim().parse().expect("a number")
}

fn word(left: &mut &[u8]) -> Vec<u8> {
    let len = number(left, b'$');
    let (word, rest) = left.split_at(len);
    *left = &rest[2..];
    word.to_vec()
}

#[test]
fn chunks_in_a_wrong_order_are_refused() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let chunks = chunks_of(&mut con, "big");
    let (head, end) = (&chunks[0], &chunks[chunks.len() - 1]);
    for chunk in &chunks[1..] {
        err(&mut con, &command("new", chunk));
        assert_eq!(query::<u64, _>(&mut con, &["EXISTS", "new"]), 0, "a board without a head");
    }
    run(&mut con, &command("new", head));
    refused(&mut con, "new", head);
    refused(&mut con, "new", end);
    run(&mut con, &command("new", &chunks[2]));
    assert_eq!(refused(&mut con, "new", &chunks[1]), "ERR bad data: entries out of order");
    for chunk in &chunks[3..chunks.len() - 1] {
        run(&mut con, &command("new", chunk));
    }
    assert_eq!(refused(&mut con, "new", end), "ERR bad data: a part is missing");
}

#[test]
fn chunks_that_come_twice_are_refused() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    for kind in ["small", "big", "last", "texts"] {
        let chunks = chunks_of(&mut con, kind);
        let (end, parts) = chunks.split_last().expect("chunks");
        for chunk in parts {
            run(&mut con, &command("twice", chunk));
            refused(&mut con, "twice", chunk);
        }
        for chunk in parts {
            refused(&mut con, "twice", chunk);
            refused(&mut con, kind, chunk);
        }
        run(&mut con, &command("twice", end));
        assert_eq!(digest(&mut con, "twice"), digest(&mut con, kind));
        run(&mut con, &["DEL", "twice"]);
    }
}

#[test]
fn chunks_for_another_type_are_refused() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    run(&mut con, &["SET", "text", "value"]);
    for chunk in chunks_of(&mut con, "small") {
        assert!(err(&mut con, &command("text", &chunk)).starts_with("WRONGTYPE"));
    }
    assert_eq!(query::<String, _>(&mut con, &["GET", "text"]), "value");
}

/// Each changed chunk goes to a board with members of its own; what is refused leaves the digest alone.
fn attack(con: &mut Connection, chunks: &[Vec<u8>], apart: usize) {
    let mut commands = Vec::new();
    for chunk in chunks {
        let cut = (0..chunk.len()).map(|end| chunk[..end].to_vec());
        let changed = (0..chunk.len()).flat_map(|at| {
            changed(chunk[at]).map(|value| {
                let mut chunk = chunk.clone();
                chunk[at] = value;
                chunk
            })
        });
        commands.extend(cut.chain(changed).step_by(apart).map(|chunk| command("mixed", &chunk)));
    }
    let asked = commands.into_iter().flat_map(|command| {
        let copied = Vec::from(["COPY", "target", "mixed", "REPLACE"].map(|word| word.as_bytes().to_vec()));
        let digested = Vec::from(["DEBUG", "DIGEST-VALUE", "mixed"].map(|word| word.as_bytes().to_vec()));
        let read = Vec::from(["LB.TOP", "mixed", "3"].map(|word| word.as_bytes().to_vec()));
        [copied, command, digested, read]
    });
    let asked: Vec<Words> = asked.collect();
    let before = Ok(run(con, &["DEBUG", "DIGEST-VALUE", "target"]));
    for (asked, replies) in asked.chunks(4).zip(pipeline(con, &asked).chunks(4)) {
        assert!(is_served(&replies[3]), "{:?}", replies[3]);
        let unchanged = replies[2] == before;
        let chunk = asked[1][2].escape_ascii();
        assert!(replies[1].is_ok() || unchanged, "{:?}, but it changed the board: {chunk}", replies[1]);
    }
}

#[test]
fn a_refused_chunk_changes_nothing() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    for (kind, target, apart) in
        [("small", "lex", 1), ("last", "reverse", 11), ("reverse", "last", 11), ("texts", "small", 199)]
    {
        let chunks = chunks_of(&mut con, kind);
        let all = chunks_of(&mut con, target);
        // A whole board takes nothing.
        for chunk in &chunks {
            assert_eq!(refused(&mut con, target, chunk), "ERR the key exists already");
        }
        let but_the_end = all.split_last().expect("the end").1;
        for begun in [but_the_end, &chunks[..1]] {
            begun.iter().for_each(|chunk| _ = run(&mut con, &command("target", chunk)));
            attack(&mut con, &chunks, apart);
            run(&mut con, &["DEL", "target"]);
        }
        run(&mut con, &["FLUSHALL"]);
    }
}
