//! Values that released versions have saved: this version reads them, and they answer as they did. The file of a version stays
//! as it was written when the version was released, `UPDATE_SAVED=1` writes that of this version.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use leaderboard_commands::table;
use leaderboard_testkit::session::{say, words};
use leaderboard_testkit::{Flavor, Server, query, try_run};
use redis::Connection;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a version saved of the keys of one session, and what it answered about them.
#[derive(Serialize, Deserialize)]
struct Saved {
    session: String,
    /// Keys with their dumps, in hexadecimal digits. Redis 6.2 made them, so all servers read them.
    keys: Vec<(String, String)>,
    /// Commands that read, with their replies.
    reads: Vec<(String, String)>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/saved")
}

/// Returns the sessions that the clients are tested with, as lines: they have all types and options.
fn sessions() -> Vec<(String, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/vectors.json");
    let vectors: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    // A word is a text in which each character is a byte.
    let word = |word: &Value| {
        let bytes = word.as_str().unwrap().chars().map(|byte| u8::try_from(u32::from(byte)).unwrap());
        String::from_utf8(bytes.collect()).unwrap()
    };
    let line =
        |call: &Value| call["words"].as_array().unwrap().iter().map(word).collect::<Vec<_>>().join(" ");
    let session = |session: &Value| {
        let lines = session["calls"].as_array().unwrap().iter().map(line).collect();
        (session["name"].as_str().unwrap().to_owned(), lines)
    };
    vectors["sessions"].as_array().unwrap().iter().map(session).collect()
}

/// Returns whether a command reads. LB.FIND is left out: it promises no order of members.
fn only_reads(line: &str) -> bool {
    let name = line.split(' ').next().unwrap();
    name != "LB.FIND"
        && table::commands().any(|command| command.name.to_str() == Ok(name) && command.only_reads())
}

/// Returns a reply without what is counted anew since a value was loaded, and without its memory.
fn lasting(con: &mut Connection, line: &str) -> String {
    let reply = say(con, line);
    let fields = ["memory", "writes", "repeated", "votes", "held_back"];
    let skipped = |word: &str| fields.iter().any(|field| word == format!("\"{field}\""));
    let mut all = reply.split(' ').peekable();
    let mut kept = Vec::new();
    while let Some(word) = all.next() {
        if skipped(word) {
            all.next();
            // A map of counts.
            while all.peek().is_some_and(|next| !next.starts_with('"')) {
                all.next();
            }
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

fn save(con: &mut Connection, (name, lines): (String, Vec<String>)) -> Saved {
    say(con, "FLUSHALL");
    for line in &lines {
        let _ = try_run(con, &words(line));
    }
    let keys: BTreeSet<String> = query(con, &["KEYS", "*"]);
    let hex = |bytes: Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let keys = keys.into_iter().map(|key| (key.clone(), hex(query(con, &["DUMP", &key])))).collect();
    let reads = lines.iter().filter(|line| only_reads(line)).map(|line| (line.clone(), lasting(con, line)));
    Saved { session: name, keys, reads: reads.collect() }
}

fn restore(con: &mut Connection, saved: &Saved) {
    say(con, "FLUSHALL");
    for (key, dump) in &saved.keys {
        let bytes = (0..dump.len()).step_by(2).map(|at| u8::from_str_radix(&dump[at..at + 2], 16).unwrap());
        let words = [b"RESTORE".to_vec(), key.clone().into_bytes(), b"0".to_vec(), bytes.collect()];
        assert_eq!(try_run(con, &words), Ok(redis::Value::Okay), "{} {key}", saved.session);
    }
}

#[test]
fn what_released_versions_saved_is_read() {
    let own = folder().join(concat!(env!("CARGO_PKG_VERSION"), ".json"));
    if std::env::var_os("UPDATE_SAVED").is_some() {
        let server = Server::start(Flavor::Redis62);
        let mut con = server.connection();
        let saved: Vec<_> = sessions().into_iter().map(|session| save(&mut con, session)).collect();
        fs::create_dir_all(folder()).unwrap();
        fs::write(&own, serde_json::to_string_pretty(&saved).unwrap() + "\n").unwrap();
    }
    let files: Vec<_> = fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(files.contains(&own), "{} is missing: UPDATE_SAVED=1 writes it", own.display());
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for file in &files {
            let all: Vec<Saved> = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
            for saved in all {
                restore(&mut con, &saved);
                for (line, reply) in &saved.reads {
                    assert_eq!(&lasting(&mut con, line), reply, "{flavor:?} {}: {line}", file.display());
                }
            }
        }
    }
}
