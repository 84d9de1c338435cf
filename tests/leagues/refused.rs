//! What is refused while a league is being restored changes nothing.

use leaderboard_testkit::session::words;
use leaderboard_testkit::{Flavor, Words, digest, err, pipeline, query, run};
use redis::Connection;

use super::corruption::made;
use super::pieces::piece;
use crate::corruption::payload::Payload;
use crate::corruption::{changed, is_served, server};

/// The error text; the league is what it was.
#[track_caller]
fn refused(con: &mut Connection, key: &str, chunk: &[u8]) -> String {
    let before = digest(con, key);
    let text = err(con, &piece(key, chunk));
    assert_eq!(digest(con, key), before, "{text}, but it changed the league");
    text
}

#[test]
fn pieces_that_come_twice_or_too_early_or_too_late_are_refused() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    for kind in ["small", "season", "large"] {
        let chunks = Payload::parse(&made(&mut con, kind)).chunks;
        let (end, parts) = chunks.split_last().expect("pieces");
        for chunk in &chunks[1..] {
            err(&mut con, &piece("new", chunk));
            assert_eq!(query::<u64, _>(&mut con, &["EXISTS", "new"]), 0, "a league without a head");
        }
        for (at, chunk) in parts.iter().enumerate() {
            run(&mut con, &piece("new", chunk));
            refused(&mut con, "new", &chunks[0]);
            refused(&mut con, "new", chunk);
            if at + 1 < parts.len() {
                refused(&mut con, "new", end);
            }
        }
        run(&mut con, &piece("new", end));
        assert_eq!(digest(&mut con, "new"), digest(&mut con, kind), "{kind}");
        for chunk in &chunks {
            refused(&mut con, "new", chunk);
        }
        run(&mut con, &["DEL", "new"]);
    }
}

/// Each piece of a league, whole and damaged, comes to other leagues that are being restored.
#[test]
fn a_refused_piece_changes_nothing() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    for (from, to, apart) in [("small", "ghosts", 7), ("ghosts", "small", 7), ("season", "season", 31)] {
        let chunks = Payload::parse(&made(&mut con, from)).chunks;
        let target = if from == to { chunks.clone() } else { Payload::parse(&made(&mut con, to)).chunks };
        for begun in [1, target.len() / 2, target.len() - 1] {
            target[..begun].iter().for_each(|chunk| _ = run(&mut con, &piece("target", chunk)));
            attack_pieces(&mut con, &chunks, apart);
            run(&mut con, &["DEL", "target"]);
        }
        run(&mut con, &["FLUSHALL"]);
    }
}

fn attack_pieces(con: &mut Connection, chunks: &[Vec<u8>], apart: usize) {
    let mut asked: Vec<Words> = Vec::new();
    for chunk in chunks {
        let cut = (0..=chunk.len()).map(|end| chunk[..end].to_vec());
        let changes = (0..chunk.len()).flat_map(|at| changed(chunk[at]).map(|value| (at, value)));
        let changed = changes.map(|(at, value)| {
            let mut chunk = chunk.clone();
            chunk[at] = value;
            chunk
        });
        for chunk in cut.chain(changed).step_by(apart) {
            asked.push(words("COPY target mixed REPLACE"));
            asked.push(piece("mixed", &chunk));
            asked.push(words("DEBUG DIGEST-VALUE mixed"));
            asked.push(words("LB.LEAGUE.TOP mixed m0"));
        }
    }
    let unchanged = Ok(run(con, &["DEBUG", "DIGEST-VALUE", "target"]));
    for (asked, replies) in asked.chunks(4).zip(pipeline(con, &asked).chunks(4)) {
        let chunk = asked[1][2].escape_ascii();
        assert!(is_served(&replies[3]), "{:?}: {chunk}", replies[3]);
        assert!(replies[1].is_ok() || replies[2] == unchanged, "{:?}, but it changed: {chunk}", replies[1]);
    }
}
