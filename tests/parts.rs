//! Boards over many nodes: what a part and a root are, and what they refuse. The gateway, which makes one board of them,
//! has tests of its own.

mod altering;
mod making;
mod members;
mod root;
mod saving;
mod writing;

use leaderboard_testkit::session::{play, shown};
use leaderboard_testkit::{Flavor, Server, query};
use redis::Connection;

/// Of four parts, part 0 has ann and cat, part 1 max, part 2 bob and eve, part 3 dan.
const PART: &str = "LB.CREATE part VIEWS all,day PART 0 OF 4
                    LB.MADD part 7 ann 5 cat";

/// A root of four parts.
const ROOT: &str = "LB.CREATE root VIEWS all,day PARTS 4";

/// Plays a session on a server of each kind.
#[track_caller]
fn plays(session: &str) {
    for flavor in Flavor::all() {
        println!("{flavor:?}");
        play(&mut Server::start(flavor).connection(), session);
    }
}

/// A field of LB.INFO, as text.
#[track_caller]
fn field(con: &mut Connection, key: &str, name: &str) -> String {
    let all: Vec<redis::Value> = query(con, &["LB.INFO", key]);
    let pair = all.chunks(2).find(|pair| shown(&Ok(pair[0].clone())) == format!("\"{name}\""));
    shown(&Ok(pair.unwrap_or_else(|| panic!("LB.INFO has no {name}"))[1].clone()))
}

/// The hash of the rules.
#[track_caller]
pub fn hash(con: &mut Connection, key: &str) -> u64 {
    field(con, key, "schema").parse().expect("a whole number from 0")
}

/// The keys of the parts.
#[track_caller]
fn keys(con: &mut Connection, root: &[u8]) -> Vec<Vec<u8>> {
    let command: [&[u8]; 2] = [b"LB.INFO", root];
    let all: Vec<redis::Value> = query(con, &command);
    let name = redis::Value::BulkString(b"keys".into());
    let at = all.iter().position(|value| *value == name).expect("a field");
    redis::from_redis_value(all[at + 1].clone()).expect("an array of keys")
}
