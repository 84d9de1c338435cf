//! Bytes per member and per request id, measured with used_memory and MEMORY USAGE.

use std::thread::sleep;
use std::time::Duration;

use redis::{Cmd, Pipeline, cmd};

use crate::fill::{self, Random};
use crate::longest::{self, Longest};
use crate::server::{Client, Server};
use client::Result;
use client::failed;

/// The number of members in all boards of one size together. It is so large that the server's own memory does not
/// matter, and it is a multiple of all sizes.
const SMALL_MEMBERS: u64 = 320_000;
/// The same number in a benchmark with few members.
const FEWEST_MEMBERS: u64 = 32_000;
const SMALL_SIZES: [u64; 4] = [16, 32, 64, 128];
/// A separate database: its table of keys starts empty for each measurement.
const SMALL_DATABASE: u8 = 2;
/// Commands in one pipeline.
const PIPELINE: usize = 500;

/// Bytes per member, measured in two ways.
#[derive(Clone, Copy)]
pub struct Bytes {
    /// Growth of used_memory, which includes the name of the key and its entry in the database.
    pub used: f64,
    /// The value of MEMORY USAGE.
    pub usage: f64,
}

/// A board and a sorted set with the same members.
pub struct Pair {
    /// The number of members in each of the two.
    pub members: u64,
    /// The board's bytes per member.
    pub board: Bytes,
    /// The sorted set's bytes per member.
    pub zset: Bytes,
}

/// The big boards, and the longest commands during the filling.
pub struct Big {
    /// Bytes per member after the filling.
    pub pair: Pair,
    /// The longest LB.ADD during the filling.
    pub longest: Longest,
    /// The longest ZADD during the filling.
    pub zset_longest: Longest,
}

pub struct Ids {
    /// Bytes per request id.
    pub bytes: Bytes,
    /// The longest LB.ADD with a request id, while the number of ids grows and while ids are deleted.
    pub longest: Longest,
}

/// Compares thousands of boards of each small size with the same number of sorted sets.
pub fn small_boards(server: &Server, members: u64) -> Result<Vec<Pair>> {
    let total = if members < SMALL_MEMBERS { FEWEST_MEMBERS } else { SMALL_MEMBERS };
    SMALL_SIZES
        .iter()
        .map(|&members| {
            let board = small(server, "LB.ADD", total, members)?;
            let zset = small(server, "ZADD", total, members)?;
            Ok(Pair { members, board, zset })
        })
        .collect()
}

/// Fills the boards and sorted sets of the comparison, two of each: one for writes with a request id, one for writes
/// without it.
pub fn big_boards(server: &Server, members: u64) -> Result<Big> {
    let mut client = server.client()?;
    longest::start(&mut client)?;
    let (board, first) = grown(&mut client, &["board"], members, || fill::board(server, "board", members))?;
    let first = Longest::of(first, &longest::take(&mut client)?, "LB.ADD");
    let second = fill::board(server, "board:ids", members)?;
    let second = Longest::of(second, &longest::take(&mut client)?, "LB.ADD");
    let (zset, third) = grown(&mut client, &["zset"], members, || fill::zset(server, 0, "zset", members))?;
    let third = Longest::of(third, &longest::take(&mut client)?, "ZADD");
    let fourth = fill::zset(server, 1, "script", members)?;
    let fourth = Longest::of(fourth, &longest::take(&mut client)?, "ZADD");
    let pair = Pair { members, board, zset };
    Ok(Big { pair, longest: first.least(second), zset_longest: third.least(fourth) })
}

/// Returns MEMORY USAGE per member for the board without request ids, after its writes moved the members.
pub fn after_runs(server: &Server, members: u64) -> Result<f64> {
    usage(&mut server.client()?, "board").map(|bytes| bytes / members as f64)
}

/// Writes 0 points, so that a board of one member grows only by the request ids. Uses two boards, because the longest
/// command is the smaller maximum of two runs.
pub fn request_ids(server: &Server, ids: u64) -> Result<Ids> {
    let mut client = server.client()?;
    longest::start(&mut client)?;
    for key in ["ids:1", "ids:2"] {
        client.ask::<()>(&["LB.CREATE", key, "CLOCK", "EVENT", "DEDUP", "600"])?;
        client.ask::<()>(&["LB.ADD", key, "0", "one", "AT", "1"])?;
    }
    let bare = usage(&mut client, "ids:1")?;
    let (mut bytes, sent) = grown(&mut client, &["ids:1"], ids, || send_ids(server, "ids:1", ids))?;
    bytes.usage -= bare / ids as f64;
    let outlived = outlive_ids(server, "ids:1", ids)?;
    let first = Longest::of(sent.max(outlived), &longest::take(&mut client)?, "LB.ADD");
    let again = send_ids(server, "ids:2", ids)?.max(outlive_ids(server, "ids:2", ids)?);
    let second = Longest::of(again, &longest::take(&mut client)?, "LB.ADD");
    client.ask::<()>(&["FLUSHALL", "SYNC"])?;
    Ok(Ids { bytes, longest: first.least(second) })
}

/// Sends ten ids in each millisecond, so that the board remembers all of them.
fn send_ids(server: &Server, key: &str, ids: u64) -> Result<f64> {
    let mut random = Random::new();
    let adds = (0..ids).map(|i| {
        let mut add = cmd("LB.ADD");
        add.arg(key).arg(0).arg("one").arg("ID").arg(format!("{:016x}", random.draw()));
        add.arg("AT").arg((i / 10).saturating_add(2));
        add
    });
    fill::send(server, 0, "adding request ids", ids, adds)
}

/// Sends writes long after the last id. At the first of these writes, all ids have expired.
fn outlive_ids(server: &Server, key: &str, ids: u64) -> Result<f64> {
    let adds = (0..ids).map(|i| {
        let mut add = cmd("LB.ADD");
        add.arg(key).arg(0).arg("one").arg("AT").arg(i.saturating_add(10_000_000_000));
        add
    });
    fill::send(server, 0, "forgetting request ids", ids, adds)
}

/// Runs `fill`, which fills keys. Returns the memory that the keys use, and the result of `fill`.
pub fn grown<T>(
    client: &mut Client,
    keys: &[&str],
    count: u64,
    fill: impl FnOnce() -> Result<T>,
) -> Result<(Bytes, T)> {
    let before = used(client)?;
    let told = fill()?;
    let used = used(client)? - before;
    let mut sum = 0.0;
    for key in keys {
        sum += usage(client, key)?;
    }
    Ok((Bytes { used: used / count as f64, usage: sum / count as f64 }, told))
}

/// Fills boards or sorted sets of one small size, and returns their bytes per member. They grow in turns, one member
/// at a time, as in real use.
fn small(server: &Server, command: &str, total: u64, members: u64) -> Result<Bytes> {
    let mut client = server.client_of(SMALL_DATABASE)?;
    client.ask::<()>(&["FLUSHDB", "SYNC"])?;
    let before = used(&mut client)?;
    let keys = total.checked_div(members).unwrap_or(1);
    let adds = fill::entries(total).zip((0..keys).cycle()).map(|((score, member), number)| {
        let mut add = cmd(command);
        add.arg(small_key(number)).arg(score).arg(member);
        add
    });
    fill::send(server, SMALL_DATABASE, &format!("{command} {members} members"), total, adds)?;
    let used = used(&mut client)? - before;
    let usage = usage_of_all(&mut client, keys)?;
    client.ask::<()>(&["FLUSHDB", "SYNC"])?;
    let total = total as f64;
    Ok(Bytes { used: used / total, usage: usage / total })
}

fn small_key(number: u64) -> String {
    format!("board:{number:06}")
}

/// Returns used_memory. Waits a moment before, because the server needs this time to notice that a client has
/// disconnected, and to finish a rehash.
fn used(client: &mut Client) -> Result<f64> {
    sleep(Duration::from_millis(400));
    client.info("memory")?.number("used_memory")
}

/// Returns MEMORY USAGE of the whole key.
pub fn usage(client: &mut Client, key: &str) -> Result<f64> {
    client.ask(&["MEMORY", "USAGE", key, "SAMPLES", "0"])
}

fn usage_of_all(client: &mut Client, keys: u64) -> Result<f64> {
    let all: Vec<u64> = (0..keys).collect();
    let mut total = 0.0;
    for some in all.chunks(PIPELINE) {
        let mut pipeline = Pipeline::with_capacity(PIPELINE);
        for &number in some {
            pipeline.add_command(usage_command(&small_key(number)));
        }
        let sizes: Vec<f64> = pipeline.query(&mut client.0).map_err(failed("cannot ask MEMORY USAGE"))?;
        total += sizes.iter().sum::<f64>();
    }
    Ok(total)
}

fn usage_command(key: &str) -> Cmd {
    let mut command = cmd("MEMORY");
    command.arg("USAGE").arg(key).arg("SAMPLES").arg(0);
    command
}
