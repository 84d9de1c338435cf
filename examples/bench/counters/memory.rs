//! Bytes of a counter: a counter of a single event, and counters that count all day.

use super::history::{Events, History};
use super::{PRECISIONS, fill, today};
use crate::memory::{self, Bytes};
use crate::server::{Client, Server};
use crate::week;
use client::Result;

/// The number of counters of each kind.
const COUNTERS: u64 = 2_000;
/// The number of counters when a day's slices are not deleted: each of them then uses as much memory as thousands.
const LEFT: u64 = 10;
const KNOWN: &str = "known:";
const DAY: u64 = 86_400;

/// The memory of counters.
pub struct Memory {
    pub fates: Vec<Fate>,
}

/// The events that a counter has counted, and the bytes of one counter.
pub struct Fate {
    pub what: &'static str,
    pub counter: Bytes,
    /// The hashes and their names, if a program deletes old slices as soon as it may.
    pub cleaned: Bytes,
    /// The hashes and their names, if old slices are not deleted.
    pub left: Bytes,
}

/// Measures each kind on an empty server.
pub fn measure(server: &Server) -> Result<Memory> {
    let names = known(server)?;
    let kinds = [
        ("one event", 1, 1),
        ("one event a second, for a day", DAY, 1),
        ("1,000 events a second, for a day", DAY, 1_000),
    ];
    let fates = kinds.map(|(what, seconds, count)| fate(server, what, seconds, count, names));
    Ok(Memory { fates: fates.into_iter().collect::<Result<_>>()? })
}

/// Returns one counter's share of the sorted set.
fn known(server: &Server) -> Result<Bytes> {
    server.empty()?;
    let known = || today::know(server, KNOWN, names(COUNTERS));
    Ok(memory::grown(&mut server.client()?, &[KNOWN], COUNTERS, known)?.0)
}

fn fate(server: &Server, what: &'static str, seconds: u64, count: u64, names: Bytes) -> Result<Fate> {
    server.empty()?;
    let mut client = server.client()?;
    let start = week::day(0) / 1_000;
    let events = (0..seconds).map(|second| Events { second: start.saturating_add(second), count });
    let all = History::of(events.clone());
    let cleaned = all.cleaned();
    let counter = counters(server, events)?;
    fill::agree(&mut client, &name(0), &cleaned)?;
    let known = |bytes: Bytes| Bytes { used: bytes.used + names.used, usage: bytes.usage + names.usage };
    Ok(Fate {
        what,
        counter,
        cleaned: known(hashes(server, &mut client, COUNTERS, &cleaned)?),
        left: known(hashes(server, &mut client, LEFT, &all)?),
    })
}

fn counters(server: &Server, events: impl Iterator<Item = Events>) -> Result<Bytes> {
    let keys: Vec<String> = names(COUNTERS).collect();
    grown(&mut server.client()?, &keys, COUNTERS, || fill::counters(server, "EVENT", events, names(COUNTERS)))
}

fn hashes(server: &Server, client: &mut Client, counters: u64, history: &History) -> Result<Bytes> {
    server.empty()?;
    let keys: Vec<String> =
        names(counters).flat_map(|name| today::hashes(&name).collect::<Vec<_>>()).collect();
    grown(client, &keys, counters, || fill::hashes(server, &PRECISIONS, history, names(counters)))
}

fn grown(
    client: &mut Client,
    keys: &[String],
    count: u64,
    fill: impl FnOnce() -> Result<()>,
) -> Result<Bytes> {
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    Ok(memory::grown(client, &keys, count, fill)?.0)
}

fn names(counters: u64) -> impl Iterator<Item = String> {
    (0..counters).map(name)
}

fn name(number: u64) -> String {
    format!("page:{number:012}")
}
