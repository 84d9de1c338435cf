//! What counters are made of today, after a well-known recipe: for each precision of a counter a hash, whose fields
//! are the starts of slices, and a sorted set with the names of all hashes, for the program that deletes old slices.
//!
//! It does less, which the comparison ignores. That program has to run, and the work that it makes is not measured.
//! Until it comes, old slices take memory and are in each reply, in no order. An event that is sent again counts twice.
//! Outside of a transaction, others see half an event.

use super::PRECISIONS;
use super::history::History;
use crate::contest::{EXEC, owned};
use crate::fill::send;
use crate::pipelines::slice;
use crate::server::Server;
use client::Result;

/// The hash of one precision.
pub fn hash(precision: u64, counter: &str) -> String {
    format!("count:{precision}:{counter}")
}

/// The hashes of a counter.
pub fn hashes(counter: &str) -> impl Iterator<Item = String> {
    PRECISIONS.into_iter().map(move |precision| hash(precision, counter))
}

/// The commands that count an event in the moment in which they are sent.
pub fn event(known: &str, counter: &str) -> Vec<Vec<String>> {
    let both = |precision| {
        [
            owned(&["ZADD", known, "0", &name(precision, counter)]),
            owned(&["HINCRBY", &hash(precision, counter), &slice(precision), "1"]),
        ]
    };
    PRECISIONS.into_iter().flat_map(both).collect()
}

/// The same in one step.
pub fn transaction(known: &str, counter: &str) -> Vec<Vec<String>> {
    [vec![owned(&["MULTI"])], event(known, counter), vec![owned(&[EXEC])]].concat()
}

/// Writes the hashes of a counter that has this history.
pub fn fill(server: &Server, counter: &str, history: &History) -> Result<()> {
    let commands = history.commands(counter);
    send(server, 0, &format!("hashes of {counter}"), commands.len() as u64, commands.into_iter()).map(|_| ())
}

/// Makes the names of all hashes of so many counters known.
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

/// How the sorted set calls a hash.
fn name(precision: u64, counter: &str) -> String {
    format!("{precision}:{counter}")
}
