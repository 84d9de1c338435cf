//! Measures the speed of events and reads, on counters and on the keys of the usual recipe (see `today`). This program
//! sends all requests.
//!
//! Most events go to new pages. The hashes of a new page have few fields, so a field is found fast. The hashes of an
//! old page have a field for each slice that a counter would keep. The hashes for the reads also have these fields and
//! no older ones.

use leaderboard_client::counters;
use redis::Value;

use super::history::{Events, History};
use super::{DASHBOARD, PAGES, PRECISIONS, SAMPLES, fill, today};
use crate::Options;
use crate::contest::{self, Contestant, Speed, is_number, owned, rows};
use crate::pipelines::{PAGE, REQUEST, page};
use crate::server::{Client, Server};
use client::Result;

/// Events on counters.
pub const INCR: &str = "LB.COUNTER.INCR, 7 precisions, 10,000 pages";
/// Events on counters, with a request id.
pub const INCR_ID: &str = "LB.COUNTER.INCR with ID, 10,000 pages";
/// Events as separate commands on today's keys.
pub const KEYS: &str = "7 × ZADD, HINCRBY, 10,000 pages";
/// The same commands as one transaction.
pub const STEP: &str = "MULTI, 7 × ZADD, HINCRBY, EXEC, 10,000 pages";
pub const OLD: &str = "LB.COUNTER.INCR, 10,000 old pages";
pub const OLD_KEYS: &str = "7 × ZADD, HINCRBY, 10,000 old pages";
pub const HOT: &str = "LB.COUNTER.INCR, one page";
pub const HOT_KEYS: &str = "7 × ZADD, HINCRBY, one page";
/// Reads of one precision of a counter.
pub const GET: &str = "LB.COUNTER.GET, 120 samples";
pub const HGETALL: &str = "HGETALL, 120 fields";
/// Reads of one precision of several counters.
pub const MGET: &str = "LB.COUNTER.MGET of 20";
pub const HGETALLS: &str = "20 HGETALL";

/// The precision that is read, in seconds.
const READ: u64 = 60;
/// Divides the number of requests. All events of a run are sent to both sides, so that their counts are equal.
const SHARE: u64 = 4;

/// Fills the old pages and the pages for reads. Then sends events to random pages.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    server.empty()?;
    let mut client = server.client()?;
    old_pages(server, &mut client)?;
    let speed = contest::measure(server, options, contestants())?;
    agree(&mut client)?;
    Ok(speed)
}

/// Gives the old pages as many slices of each precision as are stored.
fn old_pages(server: &Server, client: &mut Client) -> Result<()> {
    let (now, _): (u64, u64) = client.ask(&["TIME"])?;
    let back = |number: u64| PRECISIONS.map(|precision| now.saturating_sub(number.saturating_mul(precision)));
    let seconds = (0..SAMPLES as u64).flat_map(back);
    let events: Vec<Events> =
        (1..=200).cycle().zip(seconds).map(|(count, second)| Events { second, count }).collect();
    let history = History::of(events.iter().copied()).cleaned();
    fill::counters(server, "SERVER", events.iter().copied(), pages("old"))?;
    fill::hashes(server, &PRECISIONS, &history, pages("old"))?;
    today::know(server, "known:old", pages("old"))?;
    fill::counters(server, "EVENT", events.iter().copied(), pages("read"))?;
    fill::hashes(server, &[READ], &history, pages("read"))?;
    pages("read").take(1).try_for_each(|counter| fill::agree(client, &counter, &history))
}

fn pages(kind: &'static str) -> impl Iterator<Item = String> {
    (0..PAGES).map(move |number| format!("{kind}:{number:012}"))
}

fn contestants() -> Vec<Contestant> {
    let of = |kind: &str| format!("{kind}:{PAGE}");
    let events =
        |name, commands, reply| Contestant { share: SHARE, ..Contestant::of_several(name, commands, reply) };
    let increase =
        |name, words: &[&str]| events(name, vec![owned(&[&["LB.COUNTER.INCR"], words].concat())], is_number);
    // A single number of twelve digits would repeat among millions of requests.
    let id = &format!("{REQUEST}:{PAGE}");
    let mut all = vec![
        increase(INCR, &[&of("new")]),
        increase(INCR_ID, &[&of("ids"), "ID", id]),
        events(KEYS, today::event("known:new", &of("new")), is_number),
        events(STEP, today::transaction("known:step", &of("step")), is_of_step),
        increase(OLD, &[&of("old")]),
        events(OLD_KEYS, today::event("known:old", &of("old")), is_number),
        increase(HOT, &["hot"]),
        events(HOT_KEYS, today::event("known:hot", "hot"), is_number),
    ];
    all.extend(reads());
    all
}

fn reads() -> [Contestant; 4] {
    let precision = &READ.to_string();
    let dashboard: Vec<String> = (0..DASHBOARD).map(|number| format!("read:{}", page(number))).collect();
    let hgetall = |counter: &String| owned(&["HGETALL", &today::hash(READ, counter)]);
    let mget = owned(&["LB.COUNTER.MGET", precision, "KEYS", &DASHBOARD.to_string()]);
    let one = format!("read:{PAGE}");
    let get = owned(&["LB.COUNTER.GET", &one, precision]);
    let fewer = |share, contestant| Contestant { share, ..contestant };
    [
        fewer(20, Contestant::of_several(GET, vec![get], is_sampled)),
        fewer(20, Contestant::of_several(HGETALL, vec![hgetall(&one)], is_hash)),
        fewer(200, Contestant::of_several(MGET, vec![[mget, dashboard.clone()].concat()], is_dashboard)),
        fewer(200, Contestant::of_several(HGETALLS, dashboard.iter().map(hgetall).collect(), is_hash)),
    ]
}

/// Checks that a value is a reply to one of the commands from MULTI to EXEC.
fn is_of_step(reply: &Value) -> bool {
    let counts = PRECISIONS.len().saturating_mul(2);
    matches!(reply, Value::Okay | Value::SimpleString(_)) || contest::numbers(reply, counts)
}

fn is_sampled(reply: &Value) -> bool {
    let Value::Array(samples) = reply else { return false };
    samples.len() == SAMPLES && samples.iter().all(|sample| contest::numbers(sample, 2))
}

fn is_dashboard(reply: &Value) -> bool {
    let Value::Array(counters) = reply else { return false };
    counters.len() as u64 == DASHBOARD && counters.iter().all(is_sampled)
}

fn is_hash(reply: &Value) -> bool {
    rows(reply, SAMPLES.saturating_mul(2))
}

/// Checks that both sides counted the same events for each page.
fn agree(client: &mut Client) -> Result<()> {
    for (counter, step) in pages("new").zip(pages("step")).chain([("hot".to_owned(), "hot".to_owned())]) {
        let samples = client.lb(&counters::get(&counter, 86_400))?;
        let counted: u64 = samples.iter().map(|slice| slice.count.unsigned_abs()).sum();
        for name in [&counter, &step] {
            let counts: Vec<u64> = client.ask(&["HVALS", &today::hash(86_400, name)])?;
            let sum: u64 = counts.iter().sum();
            if sum != counted {
                return Err(format!("{counter} has {counted} events and the hash of {name} has {sum}"));
            }
        }
    }
    Ok(())
}
