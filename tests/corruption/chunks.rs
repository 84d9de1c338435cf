//! LB.RESTORE, piece by piece: an append-only file calls it, and so can anybody.

use std::fs;

use redis::Connection;

use super::payload::Payload;
use super::{changed, dump_of, server};
use crate::persistence::boards::{KINDS, make, make_one};
use crate::support::{
    Flavor, Server, Words, bgrewriteaof_and_wait, digest, err, pipeline, query, run, try_run,
};

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
    let (mut left, mut parser) = (&bytes[..], redis::Parser::new());
    let mut commands = Vec::new();
    while !left.is_empty() {
        if let Some(comment) = left.strip_prefix(b"#") {
            let end = comment.iter().position(|byte| *byte == b'\n').expect("an end");
            left = &comment[end + 1..];
            continue;
        }
        let value = parser.parse_value(&mut left).expect("a command");
        commands.push(redis::from_redis_value(value).expect("words"));
    }
    commands
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
    for chunk in chunks[1..chunks.len() - 1].iter().rev() {
        let _ = try_run(&mut con, &command("new", chunk));
    }
    refused(&mut con, "new", end);
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
        assert!(replies[3].is_ok());
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
        make_one(&mut con, target);
        run(&mut con, &["COPY", target, "target", "REPLACE"]);
        attack(&mut con, &chunks, apart);
        run(&mut con, &["DEL", "target"]);
        run(&mut con, &command("target", &chunks[0]));
        attack(&mut con, &chunks, apart);
        run(&mut con, &["FLUSHALL"]);
    }
}
