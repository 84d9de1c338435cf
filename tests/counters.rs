//! Tests of counters on real servers: totals, slices of several precisions, and everything that a native type must
//! support. The counters use the time of the events unless a test says otherwise, so no test waits for time to pass.

mod altering;
mod bytes;
mod clock;
mod cluster;
mod counting;
mod errors;
mod integration;
mod keys;
mod memory;
mod reading;
mod replication;
mod requests;
mod rules;
mod settings;
mod shapes;
mod twin;
mod values;

use leaderboard_testkit::session::words;
use leaderboard_testkit::{Words, pipeline, query};
use redis::Connection;

/// Returns the commands for lines without the prefix `LB.COUNTER.`.
fn commands<T: AsRef<str>>(lines: &[T]) -> Vec<Words> {
    lines.iter().map(|line| words(&format!("LB.COUNTER.{}", line.as_ref()))).collect()
}

/// Sends such lines. The test fails if the server refuses one of them.
#[track_caller]
fn send<T: AsRef<str>>(con: &mut Connection, lines: &[T]) {
    for (line, reply) in lines.iter().zip(pipeline(con, &commands(lines))) {
        assert!(reply.is_ok(), "{}: {reply:?}", line.as_ref());
    }
}

/// Returns the server's time in milliseconds.
fn wall(con: &mut Connection) -> u64 {
    let [seconds, micros]: [u64; 2] = query(con, &["TIME"]);
    seconds * 1_000 + micros / 1_000
}
