//! Fills counters: one counter from events, and many counters as copies of it.

use leaderboard_client::counters;
use redis::Cmd;

use super::history::{Events, History};
use super::{PRECISIONS, today};
use crate::fill::send;
use crate::server::{Client, Server};
use client::Result;

/// The counter that is copied.
const MODEL: &str = "model";

/// Makes counters with these names from the same events. They use the server's clock or the clock of the events.
pub fn counters(
    server: &Server,
    clock: &str,
    all: impl Iterator<Item = Events>,
    names: impl Iterator<Item = String>,
) -> Result<()> {
    server.client()?.ask::<()>(&["LB.COUNTER.CREATE", MODEL, "CLOCK", clock])?;
    let events = all.map(|Events { second, count }| {
        let mut increase = Cmd::with_capacity(6, 96);
        increase.arg("LB.COUNTER.INCR").arg(MODEL).arg("BY").arg(count);
        increase.arg("AT").arg(second.saturating_mul(1_000));
        increase
    });
    send(server, 0, "counting", 0, events)?;
    copy(server, names.map(|name| (MODEL.to_owned(), name)))?;
    server.client()?.ask(&["UNLINK", MODEL])
}

/// Makes the hashes of counters with these names and this history, for the given precisions only.
pub fn hashes(
    server: &Server,
    precisions: &[u64],
    history: &History,
    names: impl Iterator<Item = String>,
) -> Result<()> {
    today::fill(server, MODEL, history)?;
    let both = |name: String| {
        let pair = move |precision: &u64| (today::hash(*precision, MODEL), today::hash(*precision, &name));
        precisions.iter().map(pair)
    };
    copy(server, names.flat_map(both))?;
    let models: Vec<String> = PRECISIONS.map(|precision| today::hash(precision, MODEL)).into();
    let words: Vec<&str> = ["UNLINK"].into_iter().chain(models.iter().map(String::as_str)).collect();
    server.client()?.ask(&words)
}

fn copy(server: &Server, pairs: impl Iterator<Item = (String, String)>) -> Result<()> {
    let copies = pairs.map(|(from, to)| {
        let mut copy = Cmd::with_capacity(3, 96);
        copy.arg("COPY").arg(from).arg(to);
        copy
    });
    send(server, 0, "copying counters", 0, copies).map(|_| ())
}

/// Checks that a counter returns this history.
pub fn agree(client: &mut Client, counter: &str, history: &History) -> Result<()> {
    for (precision, counts) in history.slices() {
        let read = client.lb(&counters::get(counter, precision))?;
        let read = read.iter().map(|slice| (slice.start.unsigned_abs() / 1_000, slice.count.unsigned_abs()));
        if !read.eq(counts.iter().map(|(start, count)| (*start, *count))) {
            return Err(format!("{counter} and the hash of its precision {precision} differ"));
        }
    }
    Ok(())
}
