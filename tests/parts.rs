//! Tests of boards that are spread over many nodes: parts and roots, and the commands that they refuse. The gateway,
//! which shows the parts as one board, has separate tests.

mod altering;
mod making;
mod members;
mod root;
mod saving;
mod writing;

use leaderboard_testkit::session::{play, shown};
use leaderboard_testkit::{Flavor, Server, query};
use redis::Connection;

/// Part 0 of four parts. Part 0 has ann and cat, part 1 max, part 2 bob and eve, part 3 dan.
const PART: &str = "LB.CREATE part VIEWS all,day PART 0 OF 4
                    LB.MADD part 7 ann 5 cat";

/// A root of a spread board with four parts.
const ROOT: &str = "LB.CREATE root VIEWS all,day PARTS 4";

/// Runs a session on a server of each version.
#[track_caller]
fn plays(session: &str) {
    for flavor in Flavor::all() {
        println!("{flavor:?}");
        play(&mut Server::start(flavor).connection(), session);
    }
}

/// Returns a field of LB.INFO as text.
#[track_caller]
fn field(con: &mut Connection, key: &str, name: &str) -> String {
    let all: Vec<redis::Value> = query(con, &["LB.INFO", key]);
    let pair = all.chunks(2).find(|pair| shown(&Ok(pair[0].clone())) == format!("\"{name}\""));
    shown(&Ok(pair.unwrap_or_else(|| panic!("LB.INFO has no {name}"))[1].clone()))
}

/// Returns the hash of the rules.
#[track_caller]
pub fn hash(con: &mut Connection, key: &str) -> u64 {
    field(con, key, "schema").parse().expect("a whole number from 0")
}

/// Returns the keys of the parts.
#[track_caller]
fn keys(con: &mut Connection, root: &[u8]) -> Vec<Vec<u8>> {
    let command: [&[u8]; 2] = [b"LB.INFO", root];
    let all: Vec<redis::Value> = query(con, &command);
    let name = redis::Value::BulkString(b"keys".into());
    let at = all.iter().position(|value| *value == name).expect("a field");
    redis::from_redis_value(all[at + 1].clone()).expect("an array of keys")
}
