//! Tests of voting on real servers: limits, real and shown votes, declared options, and voters. The boards use the
//! time of the events unless a test says otherwise, so no test waits for the end of a period.

mod campaign;
mod defaults;
mod errors;
mod integration;
mod limits;
mod options;
mod persistence;
mod replication;
mod shown;
mod twins;
mod voters;
mod zones;

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server};
use redis::Connection;

use crate::periods::dated;

/// Runs a session that gives the same replies in both protocols, except for maps, which are written as flat arrays.
/// `@2019-03-18T10:05` is replaced by this moment in UTC, in milliseconds.
#[track_caller]
pub fn plays(session: &str) {
    let server = Server::start(Flavor::Redis70);
    play_dated(&mut server.connection(), session);
    let mut con = server.connection_resp3();
    play(&mut con, "FLUSHALL");
    for line in dated(session).lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once(" => ") {
            Some((command, expected)) => {
                assert_eq!(flat(&say(&mut con, command)), expected.trim(), "{command}");
            }
            None => play(&mut con, line),
        }
    }
}

/// Returns a RESP3 reply in the form of RESP2.
fn flat(reply: &str) -> String {
    reply.replace("\": ", "\" ").replace(", \"", " \"").replace('{', "[").replace('}', "]")
}

#[track_caller]
pub fn play_dated(con: &mut Connection, session: &str) {
    play(con, &dated(session));
}
