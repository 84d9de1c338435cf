//! The members and scores that everything is filled with, always the same ones, and the pipelines that write them.

use indicatif::{ProgressBar, ProgressStyle};
use redis::{Cmd, Pipeline};

use crate::server::Server;
use crate::{Result, failed};

/// Commands on the way at once: enough to hide the network, and few enough to fit the socket's buffers.
const PIPELINE: usize = 500;
/// How many scores there are: 0 to 1,000,000.
const SCORES: u64 = 1_000_001;
/// A prime above any number of members: stepping by it visits each of them once.
const STEP: u64 = 2_654_435_761;

/// Marsaglia's xorshift: the same scores in each run and for each contestant.
pub struct Random(u64);

impl Random {
    /// The one sequence there is.
    pub fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// The next score.
    fn score(&mut self) -> u64 {
        self.draw() % SCORES
    }
}

/// A member as redis-benchmark names it: 14 bytes.
pub fn member(number: u64) -> String {
    format!("m:{number:012}")
}

/// Members in scattered order, each once, with their scores.
pub fn entries(members: u64) -> impl Iterator<Item = (u64, String)> {
    let mut random = Random::new();
    (0..members).map(move |i| {
        let number = i.wrapping_mul(STEP).checked_rem(members).unwrap_or(0);
        (random.score(), member(number))
    })
}

/// Sends commands in pipelines on a connection of their own, so that its buffers do not count as anybody's memory.
/// Any error among the replies ends it.
pub fn send(
    server: &Server,
    database: u8,
    what: &str,
    total: u64,
    commands: impl Iterator<Item = Cmd>,
) -> Result<()> {
    let mut client = server.client_of(database)?;
    let progress = bar(what, total);
    let mut pipeline = Pipeline::with_capacity(PIPELINE);
    let mut commands = commands.peekable();
    while commands.peek().is_some() {
        pipeline.clear();
        for command in commands.by_ref().take(PIPELINE) {
            pipeline.add_command(command).ignore();
        }
        pipeline.exec(&mut client.0).map_err(failed(what))?;
        progress.inc(pipeline.len() as u64);
    }
    progress.finish_and_clear();
    Ok(())
}

/// Fills a board, one member a command: growth of whatever grows must show in a single one.
pub fn board(server: &Server, key: &str, members: u64) -> Result<()> {
    let adds = entries(members).map(|(score, member)| {
        let mut add = Cmd::with_capacity(4, 64);
        add.arg("LB.ADD").arg(key).arg(score).arg(member);
        add
    });
    send(server, 0, &format!("filling {key}"), members, adds)
}

/// Fills a sorted set likewise.
pub fn zset(server: &Server, database: u8, key: &str, members: u64) -> Result<()> {
    let adds = entries(members).map(|(score, member)| {
        let mut add = Cmd::with_capacity(4, 64);
        add.arg("ZADD").arg(key).arg(score).arg(member);
        add
    });
    send(server, database, &format!("filling {key}"), members, adds)
}

/// A progress bar on standard error, where that is a terminal.
pub fn bar(what: &str, total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total).with_message(what.to_owned());
    match ProgressStyle::with_template("{msg:28} {bar:30} {human_pos}/{human_len} {per_sec} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
