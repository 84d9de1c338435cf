//! Tests of LB.RESTORE and the similar commands of other types, piece by piece. Append-only files contain these
//! commands, but every client can send them.

use std::fs;

use leaderboard_testkit::session::words;
use leaderboard_testkit::{Flavor, Server, Words, bgrewriteaof_and_wait, digest, err, pipeline, query, run};
use redis::{Connection, Value};

use super::corruption::{SMALL, changed, server};
use crate::natives::{NATIVES, Native, dump_of, find, kinds, make};
use leaderboard_testkit::payload::Payload;

const LOADING: &str = "LOADING the key is being restored, and takes no commands until that is done";

/// Makes a value, and returns its pieces.
fn pieces_of(con: &mut Connection, key: &str) -> Vec<Vec<u8>> {
    Payload::parse(&dump_of(con, key)).chunks
}

/// Sends a piece that must be refused. Returns the error text, and checks that the value has not changed.
#[track_caller]
fn refused(con: &mut Connection, native: &Native, key: &str, piece: &[u8]) -> String {
    let before = digest(con, key);
    let text = err(con, &native.piece(key, piece));
    assert_eq!(
        digest(con, key),
        before,
        "{text}, but it changed the {}: {}",
        native.name,
        piece.escape_ascii()
    );
    text
}

/// Tests a past crash of the server: a write moved the board's time, so that the next piece contained a period that
/// had ended.
#[test]
fn pieces_in_their_order_build_a_value_that_takes_no_commands_before_the_last() {
    for flavor in Flavor::all() {
        let server = server(flavor);
        let mut con = server.connection();
        run(&mut con, &["ZADD", "zset", "5", "m"]);
        for key in kinds().map(|kind| kind.key()) {
            let (native, pieces) = (find(key).0, pieces_of(&mut con, key));
            let (end, parts) = pieces.split_last().expect("pieces");
            for piece in parts {
                run(&mut con, &native.piece("again", piece));
                let before = digest(&mut con, "again");
                for (line, reply) in
                    native.waits.iter().zip(pipeline(&mut con, &native.commands(native.waits)))
                {
                    assert_eq!(reply, Err(LOADING.to_owned()), "{flavor:?}: {key}: {line}");
                }
                assert_eq!(digest(&mut con, "again"), before, "{flavor:?}: {key}");
            }
            run(&mut con, &native.piece("again", end));
            assert_eq!(digest(&mut con, "again"), digest(&mut con, key), "{flavor:?}: {key}");
            let dumps = ["again", key].map(|key| query::<Vec<u8>, _>(&mut con, &["DUMP", key]));
            assert!(dumps[0] == dumps[1], "{flavor:?}: {key}");
            run(&mut con, &["DEL", "again"]);
        }
    }
}

#[test]
fn pieces_of_an_append_only_file_build_the_values_again() {
    let builder = Server::builder(Flavor::Redis70).arg("appendonly", "yes").arg("aof-use-rdb-preamble", "no");
    let server = builder.start();
    let mut con = server.connection();
    make(&mut con);
    bgrewriteaof_and_wait(&mut con);
    let commands = commands_of_the_file(&server);
    assert!(commands.iter().all(|command| command[0].ends_with(b"RESTORE") || command[0] == b"SELECT"));
    let before = digests(&mut con);
    run(&mut con, &["FLUSHALL"]);
    assert!(pipeline(&mut con, &commands).iter().all(Result::is_ok));
    assert_eq!(digests(&mut con), before);
}

fn digests(con: &mut Connection) -> Vec<String> {
    kinds().map(|kind| digest(con, kind.key())).collect()
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

/// Reads a mark and a number that are alone on a line.
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

/// Values whose pieces are sent too early, too late and twice.
const DISORDERED: [&str; 13] = [
    "small",
    "big",
    "last",
    "texts",
    "many",
    "small_league",
    "season",
    "large",
    "small_counter",
    "visits",
    "dense",
    "sixteen",
    "ids",
];

#[test]
fn pieces_that_come_twice_or_too_early_or_too_late_are_refused() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    for key in DISORDERED {
        let (native, pieces) = (find(key).0, pieces_of(&mut con, key));
        let (end, parts) = pieces.split_last().expect("pieces");
        for piece in &pieces[1..] {
            err(&mut con, &native.piece("new", piece));
            assert_eq!(query::<u64, _>(&mut con, &["EXISTS", "new"]), 0, "{key}: a value without a head");
        }
        for (at, piece) in parts.iter().enumerate() {
            run(&mut con, &native.piece("new", piece));
            refused(&mut con, native, "new", &pieces[0]);
            refused(&mut con, native, "new", piece);
            if at + 1 < parts.len() {
                refused(&mut con, native, "new", end);
            }
        }
        for piece in parts {
            refused(&mut con, native, "new", piece);
        }
        run(&mut con, &native.piece("new", end));
        assert_eq!(digest(&mut con, "new"), digest(&mut con, key), "{key}");
        for (to, piece) in ["new", key].iter().flat_map(|to| pieces.iter().map(move |piece| (to, piece))) {
            assert_eq!(refused(&mut con, native, to, piece), "ERR the key exists already", "{key}");
        }
        run(&mut con, &["DEL", "new"]);
    }
}

#[test]
fn a_refusal_of_a_piece_says_why() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let (native, pieces) = (find("big").0, pieces_of(&mut con, "big"));
    run(&mut con, &native.piece("new", &pieces[0]));
    run(&mut con, &native.piece("new", &pieces[2]));
    let mut refuses = |piece: &[u8]| refused(&mut con, native, "new", piece);
    assert_eq!(refuses(&pieces[1]), "ERR bad data: entries out of order");
    assert_eq!(refuses(&pieces[pieces.len() - 1]), "ERR bad data: a part is missing");
}

#[test]
fn pieces_for_a_key_of_another_type_are_refused() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    run(&mut con, &["SET", "text", "value"]);
    let pieces: Vec<Vec<u8>> = SMALL.iter().flat_map(|key| pieces_of(&mut con, key)).collect();
    let before = SMALL.map(|key| digest(&mut con, key));
    for native in &NATIVES {
        let others = SMALL.into_iter().filter(|key| find(key).0.prefix != native.prefix);
        for key in others.chain(["text"]) {
            for piece in &pieces {
                assert!(err(&mut con, &native.piece(key, piece)).starts_with("WRONGTYPE"), "{key}");
            }
        }
    }
    assert_eq!(SMALL.map(|key| digest(&mut con, key)), before);
    assert_eq!(query::<String, _>(&mut con, &["GET", "text"]), "value");
}

/// Pairs of values: pieces of the first, complete and damaged, are sent to the second while it is being restored. The
/// number is the distance between two tested variants.
const MIXED: [(&str, &str, usize); 13] = [
    ("small", "lex", 1),
    ("last", "reverse", 11),
    ("reverse", "last", 11),
    ("texts", "small", 199),
    ("poll", "ballot", 3),
    ("many", "ballot", 997),
    ("small_league", "ghosts", 7),
    ("ghosts", "small_league", 7),
    ("season", "season", 31),
    ("small_counter", "small_counter", 3),
    ("small_counter", "sparse", 7),
    ("sparse", "small_counter", 11),
    ("ids", "visits", 997),
];

#[test]
fn a_refused_piece_changes_nothing() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    for (from, to, apart) in MIXED {
        let (native, pieces) = (find(from).0, pieces_of(&mut con, from));
        let target = pieces_of(&mut con, to);
        let mut begun = vec![1, target.len() / 2, target.len() - 1];
        begun.dedup();
        for begun in begun.into_iter().filter(|begun| *begun > 0) {
            target[..begun].iter().for_each(|piece| _ = run(&mut con, &native.piece("target", piece)));
            attack(&mut con, native, &pieces, apart);
            run(&mut con, &["DEL", "target"]);
        }
        run(&mut con, &["FLUSHALL"]);
    }
}

/// Returns the piece cut at each byte, and with each byte changed in each way.
fn damaged(piece: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let cut = (0..=piece.len()).map(|end| piece[..end].to_vec());
    let changes = (0..piece.len()).flat_map(|at| changed(piece[at]).map(|value| (at, value)));
    cut.chain(changes.map(|(at, value)| {
        let mut piece = piece.to_vec();
        piece[at] = value;
        piece
    }))
}

/// Sends damaged pieces to copies of `target`, and to an absent key.
fn attack(con: &mut Connection, native: &Native, pieces: &[Vec<u8>], apart: usize) {
    let asked = pieces.iter().flat_map(|piece| damaged(piece).step_by(apart)).flat_map(|piece| {
        [
            words("COPY target mixed REPLACE"),
            native.piece("mixed", &piece),
            words("DEBUG DIGEST-VALUE mixed"),
            words(&format!("{}INFO mixed", native.prefix)),
            words("DEL fresh"),
            native.piece("fresh", &piece),
            words("EXISTS fresh"),
        ]
    });
    let asked: Vec<Words> = asked.collect();
    let unchanged = Ok(run(con, &["DEBUG", "DIGEST-VALUE", "target"]));
    for (asked, replies) in asked.chunks(7).zip(pipeline(con, &asked).chunks(7)) {
        let piece = asked[1][2].escape_ascii();
        let is_served = replies[3].as_ref().map_or_else(|error| error.starts_with("LOADING"), |_| true);
        assert!(is_served, "{:?}: {piece}", replies[3]);
        assert!(replies[1].is_ok() || replies[2] == unchanged, "{:?}, but it changed: {piece}", replies[1]);
        let made = replies[6] == Ok(Value::Int(1));
        assert_eq!(replies[5].is_ok(), made, "{:?}: {piece}", replies[5]);
    }
}
