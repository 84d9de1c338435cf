//! Counters in real servers: totals, slices of several precisions, and all that a native type owes. Counters have event
//! clocks where nothing else is said, so no test waits for time to pass.

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

/// The commands of lines without `LB.COUNTER.`
fn commands<T: AsRef<str>>(lines: &[T]) -> Vec<Words> {
    lines.iter().map(|line| words(&format!("LB.COUNTER.{}", line.as_ref()))).collect()
}

/// Sends such lines, none of which may be refused.
#[track_caller]
fn send<T: AsRef<str>>(con: &mut Connection, lines: &[T]) {
    for (line, reply) in lines.iter().zip(pipeline(con, &commands(lines))) {
        assert!(reply.is_ok(), "{}: {reply:?}", line.as_ref());
    }
}

/// The server's clock in milliseconds.
fn wall(con: &mut Connection) -> u64 {
    let [seconds, micros]: [u64; 2] = query(con, &["TIME"]);
    seconds * 1_000 + micros / 1_000
}
