//! Sends single writes around a boundary between periods, and measures the client's wait and the server's work in each
//! phase.

use std::time::{Duration, Instant};

use redis::Cmd;

use crate::contest::median;
use crate::fill::Random;
use crate::idle::{self, Watch};
use crate::longest::{self, Longest};
use crate::server::Client;
use client::Result;
use client::failed;

/// The length of a phase that does not wait for the end of work.
const PHASE: Duration = Duration::from_millis(800);
/// The maximum length of a phase by the board's clock, in ms. This clock advances a millisecond with each write.
const PHASE_MS: u64 = 30_000;

/// The results of a phase, in which writes are sent one at a time.
#[derive(Clone)]
pub struct Phase {
    /// The name in the tables.
    pub name: &'static str,
    /// The number of writes.
    pub writes: u64,
    /// The usual time from the request to the reply, in milliseconds.
    pub usual: f64,
    pub longest: Longest,
}

/// Returns, for each phase, the smallest of the maxima of several tries.
pub fn least(mut all: impl Iterator<Item = Vec<Phase>>) -> Vec<Phase> {
    let mut phases = all.next().unwrap_or_default();
    for others in all {
        for (phase, other) in phases.iter_mut().zip(others) {
            phase.longest = phase.longest.least(other.longest);
        }
    }
    phases
}

/// The end of a phase.
pub enum Until {
    /// The phase ends after a fixed time.
    Time,
    /// The phase ends when the module has no more work.
    Idle,
}

/// Makes the words of a write from random numbers and the board's time.
type MakeCommand = dyn Fn(&mut Random, u64) -> Vec<String>;

/// Sends random writes, one at a time.
pub struct Writer<'a> {
    client: &'a mut Client,
    command: Box<MakeCommand>,
    random: Random,
    at: u64,
    /// The board's time at which the clock stops in a phase, in ms.
    until: u64,
}

impl<'a> Writer<'a> {
    /// Makes a writer of the commands that `command` makes.
    pub fn new(client: &'a mut Client, command: impl Fn(&mut Random, u64) -> Vec<String> + 'static) -> Self {
        Self { client, command: Box::new(command), random: Random::new(), at: 0, until: 0 }
    }

    pub fn client(&mut self) -> &mut Client {
        self.client
    }

    /// Returns the milliseconds inside the first command at this time of the board.
    pub fn first(&mut self, at: u64) -> Result<f64> {
        self.at = at;
        let words = (self.command)(&mut self.random, at);
        let words: Vec<&[u8]> = words.iter().map(String::as_bytes).collect();
        longest::timed(self.client, &words)
    }

    /// Sends writes, beginning at this time of the board, until the phase ends. Returns the results.
    pub fn phase(&mut self, name: &'static str, from: u64, until: Until) -> Result<Phase> {
        (self.at, self.until) = (from, from.saturating_add(PHASE_MS));
        let mut steps = Steps::default();
        let (started, mut looked) = (Instant::now(), Instant::now());
        let mut watch = Watch::new();
        let mut cpu = self.cpu()?;
        loop {
            steps.wall.push(self.write()?);
            let now = self.cpu()?;
            steps.cpu.push((now - cpu) * 1_000.0);
            cpu = now;
            if looked.elapsed() < idle::LOOK {
                continue;
            }
            looked = Instant::now();
            let ended = match until {
                Until::Time => started.elapsed() > PHASE,
                Until::Idle => watch.is_quiet(self.client)?,
            };
            if ended {
                return Ok(steps.phase(name));
            }
            cpu = self.cpu()?;
        }
    }

    /// Sends a write. Returns the milliseconds until the reply.
    fn write(&mut self) -> Result<f64> {
        self.at = self.at.saturating_add(1).min(self.until);
        let mut command = Cmd::new();
        command.arg((self.command)(&mut self.random, self.at));
        let sent = Instant::now();
        command.exec(&mut self.client.0).map_err(failed("cannot write to the board"))?;
        Ok(sent.elapsed().as_secs_f64() * 1_000.0)
    }

    fn cpu(&mut self) -> Result<f64> {
        self.client.info("cpu")?.cpu_seconds()
    }
}

/// Milliseconds of a phase's writes: the client's wait and the server's work.
#[derive(Default)]
struct Steps {
    wall: Vec<f64>,
    cpu: Vec<f64>,
}

impl Steps {
    fn phase(&self, name: &'static str) -> Phase {
        let most = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
        let longest = Longest { cpu: most(&self.cpu) - median(&self.cpu), wall: most(&self.wall) };
        Phase { name, writes: self.wall.len() as u64, usual: median(&self.wall), longest }
    }
}
