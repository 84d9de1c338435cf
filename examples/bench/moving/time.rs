//! The time of long commands. The wall time is the time for which other clients have to wait. Load from other programs
//! makes the wall time longer, but affects the processor time only a little.

use crate::contest::median;
use crate::longest;
use crate::server::Client;
use client::Result;

/// Times in milliseconds.
#[derive(Clone, Copy, Default)]
pub struct Time {
    /// Processor time of the server's main thread.
    pub cpu: f64,
    /// Wall time inside the command.
    pub wall: f64,
}

impl Time {
    /// Returns the time of the commands with this name that `send` sends.
    pub fn of(client: &mut Client, name: &str, send: impl FnOnce(&mut Client) -> Result<()>) -> Result<Self> {
        let before = client.info("cpu")?.cpu_seconds()?;
        let wall = longest::timed_all(client, name, send)?.iter().sum();
        let cpu = (client.info("cpu")?.cpu_seconds()? - before) * 1_000.0;
        Ok(Self { cpu, wall })
    }

    /// Runs a command and returns how long it took.
    pub fn of_words(client: &mut Client, words: &[&str]) -> Result<Self> {
        Self::of(client, words.first().copied().unwrap_or_default(), |client| client.ask(words))
    }

    pub fn sum(all: &[Self]) -> Self {
        Self::each(all, |times| times.iter().sum())
    }

    pub fn longest(all: &[Self]) -> Self {
        Self::each(all, |times| times.iter().copied().fold(0.0, f64::max))
    }

    pub fn least(all: &[Self]) -> Self {
        Self::each(all, |times| times.iter().copied().fold(f64::INFINITY, f64::min))
    }

    pub fn median(all: &[Self]) -> Self {
        Self::each(all, median)
    }

    fn each(all: &[Self], of: impl Fn(&[f64]) -> f64) -> Self {
        let values = |value: fn(&Self) -> f64| of(&all.iter().map(value).collect::<Vec<_>>());
        Self { cpu: values(|time| time.cpu), wall: values(|time| time.wall) }
    }
}
