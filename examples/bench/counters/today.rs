//! The keys that do the work of counters today, after a well-known recipe. Each precision of a counter has a hash,
//! whose fields are the starts of slices. A sorted set contains the names of all hashes, for the program that deletes
//! old slices.
//!
//! These keys do less than a counter, and the comparison ignores this. The cleaning program has to run, and its work
//! is not measured. Until it runs, old slices use memory and are part of each reply, in no order. An event that is
//! sent again counts twice. Outside of a transaction, other clients can see an event that is only half written.

use super::PRECISIONS;
use super::history::History;
use crate::contest::{EXEC, owned};
use crate::fill::send;
use crate::pipelines::slice;
use crate::server::Server;
use client::Result;

/// Returns the key of the hash of one precision.
pub fn hash(precision: u64, counter: &str) -> String {
    format!("count:{precision}:{counter}")
}

/// Returns the keys of all hashes of a counter.
pub fn hashes(counter: &str) -> impl Iterator<Item = String> {
    PRECISIONS.into_iter().map(move |precision| hash(precision, counter))
}

/// Returns the commands that count an event at the moment when they are sent.
pub fn event(known: &str, counter: &str) -> Vec<Vec<String>> {
    let both = |precision| {
        [
            owned(&["ZADD", known, "0", &name(precision, counter)]),
            owned(&["HINCRBY", &hash(precision, counter), &slice(precision), "1"]),
        ]
    };
    PRECISIONS.into_iter().flat_map(both).collect()
}

/// Returns the same commands as one transaction.
pub fn transaction(known: &str, counter: &str) -> Vec<Vec<String>> {
    [vec![owned(&["MULTI"])], event(known, counter), vec![owned(&[EXEC])]].concat()
}

/// Writes the hashes of a counter that has this history.
pub fn fill(server: &Server, counter: &str, history: &History) -> Result<()> {
    let commands = history.commands(counter);
    send(server, 0, &format!("hashes of {counter}"), commands.len() as u64, commands.into_iter()).map(|_| ())
}

/// Adds the names of all hashes of these counters to the sorted set.
pub fn know(server: &Server, known: &str, counters: impl Iterator<Item = String>) -> Result<()> {
    let adds = counters.flat_map(|counter| {
        PRECISIONS.map(|precision| {
            let mut add = redis::Cmd::with_capacity(4, 64);
            add.arg("ZADD").arg(known).arg(0).arg(name(precision, &counter));
            add
        })
    });
    send(server, 0, known, 0, adds).map(|_| ())
}

/// Returns the name of a hash in the sorted set.
fn name(precision: u64, counter: &str) -> String {
    format!("{precision}:{counter}")
}
