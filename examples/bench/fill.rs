//! The members and scores that fill all keys, the same in each run, and the pipelines that write them.

use std::convert::Infallible;

use indicatif::{ProgressBar, ProgressStyle};
use rand::TryRng;
use redis::{Cmd, Pipeline};

use crate::contest;
use crate::server::{Info, Server};
use client::Result;
use client::failed;

/// Commands between two readings of the processor time. They are few, so that a pause is visible.
const STEP_COMMANDS: usize = 100;
/// Steps in flight at the same time: enough to hide the delay of the network, and few enough to fit the buffers of the
/// socket.
const PIPELINE_STEPS: usize = 5;
/// The number of different scores: 0 to 1,000,000.
pub const SCORES: u64 = 1_000_001;
/// A prime greater than any number of members, so that steps of this size visit each member once.
pub const STEP: u64 = 2_654_435_761;

/// Marsaglia's xorshift. It gives the same scores in each run and for each contestant.
pub struct Random(u64);

impl Random {
    /// Returns the first sequence.
    pub fn new() -> Self {
        Self::of(0)
    }

    /// Returns the sequence with this number.
    pub fn of(number: u64) -> Self {
        Self(number.wrapping_mul(STEP).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15).max(1))
    }

    pub fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn score(&mut self) -> u64 {
        self.draw() % SCORES
    }
}

impl TryRng for Random {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> std::result::Result<u32, Infallible> {
        Ok((self.draw() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> std::result::Result<u64, Infallible> {
        Ok(self.draw())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> std::result::Result<(), Infallible> {
        for some in bytes.chunks_mut(8) {
            some.copy_from_slice(self.draw().to_le_bytes().get(..some.len()).unwrap_or_default());
        }
        Ok(())
    }
}

/// Returns a member's name of 14 bytes.
pub fn member(number: u64) -> String {
    format!("m:{number:012}")
}

/// Returns each member once, in scattered order, with a score.
pub fn entries(members: u64) -> impl Iterator<Item = (u64, String)> {
    numbered(members).map(|(score, number)| (score, member(number)))
}

/// Returns the scores and the numbers of the same members, in the same order.
pub fn numbered(members: u64) -> impl Iterator<Item = (u64, u64)> {
    let mut random = Random::new();
    scattered(members).map(move |number| (random.score(), number))
}

/// Sends commands in pipelines on a separate connection, so that its buffers do not count as memory of the keys. Stops
/// at the first error reply. Returns how much longer than usual the longest step took, in milliseconds of the server's
/// processor time. This is an upper limit for each single command, and for the server's work between commands.
pub fn send(
    server: &Server,
    database: u8,
    what: &str,
    total: u64,
    commands: impl Iterator<Item = Cmd>,
) -> Result<f64> {
    let mut client = server.client_of(database)?;
    let progress = bar(what, total);
    let mut pipeline = Pipeline::new();
    let mut commands = commands.peekable();
    let mut clock = Vec::new();
    while commands.peek().is_some() {
        pipeline.clear();
        for _ in 0..PIPELINE_STEPS {
            add_step(&mut pipeline, &mut commands);
        }
        let replies: Vec<String> = pipeline.query(&mut client.0).map_err(failed(what))?;
        for reply in replies {
            clock.push(Info(reply).cpu_seconds()?);
        }
        progress.inc(STEP_COMMANDS.saturating_mul(PIPELINE_STEPS) as u64);
    }
    progress.finish_and_clear();
    let steps: Vec<f64> = clock.iter().zip(clock.iter().skip(1)).map(|(from, to)| to - from).collect();
    let longest = steps.iter().copied().fold(0.0, f64::max);
    Ok(if steps.is_empty() { 0.0 } else { (longest - contest::median(&steps)) * 1_000.0 })
}

/// Adds the next commands of a step to the pipeline, then a reading of the processor time.
fn add_step(pipeline: &mut Pipeline, commands: &mut impl Iterator<Item = Cmd>) {
    for command in commands.by_ref().take(STEP_COMMANDS) {
        pipeline.add_command(command).ignore();
    }
    pipeline.cmd("INFO").arg("cpu");
}

/// Returns the number of each member once, in scattered order.
pub fn scattered(members: u64) -> impl Iterator<Item = u64> {
    (0..members).map(move |i| i.wrapping_mul(STEP).checked_rem(members).unwrap_or(0))
}

/// Fills a board. Each command adds one member, so that growth of the board is visible in a single command.
pub fn board(server: &Server, key: &str, members: u64) -> Result<f64> {
    let adds = entries(members).map(|(score, member)| {
        let mut add = Cmd::with_capacity(4, 64);
        add.arg("LB.ADD").arg(key).arg(score).arg(member);
        add
    });
    send(server, 0, &format!("filling {key}"), members, adds)
}

/// Fills a board on a clock of events in the same way, with all events at one moment.
pub fn board_at(server: &Server, key: &str, members: u64, at: u64) -> Result<f64> {
    let adds = entries(members).map(|(score, member)| {
        let mut add = Cmd::with_capacity(6, 80);
        add.arg("LB.ADD").arg(key).arg(score).arg(member).arg("AT").arg(at);
        add
    });
    send(server, 0, &format!("filling {key}"), members, adds)
}

/// Fills a sorted set in the same way as a board.
pub fn zset(server: &Server, database: u8, key: &str, members: u64) -> Result<f64> {
    zset_of(server, database, key, members, entries(members))
}

/// Fills a sorted set with these scores and members. `members` is used for the progress bar.
pub fn zset_of(
    server: &Server,
    database: u8,
    key: &str,
    members: u64,
    entries: impl Iterator<Item = (u64, String)>,
) -> Result<f64> {
    let adds = entries.map(|(score, member)| {
        let mut add = Cmd::with_capacity(4, 64);
        add.arg("ZADD").arg(key).arg(score).arg(member);
        add
    });
    send(server, database, &format!("filling {key}"), members, adds)
}

/// Makes a progress bar on standard error, if standard error is a terminal.
pub fn bar(what: &str, total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total).with_message(what.to_owned());
    match ProgressStyle::with_template("{msg:28} {bar:30} {human_pos}/{human_len} {per_sec} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
