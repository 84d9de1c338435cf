//! Shared by the examples: a connection with timeouts, functions that print their commands, and readable errors.

use std::fmt::Display;
use std::time::Duration;

use leaderboard_client::{Leaderboard, Request, Score};
use redis::{Connection, FromRedisValue, Value};

/// Writes in flight at the same time: enough to hide the delay of the network, and few enough to fit the buffers of
/// the socket.
pub const PIPELINE: usize = 256;
const TIMEOUT: Duration = Duration::from_secs(10);

/// A result with a readable error text. Each function adds the action that failed.
pub type Result<T> = std::result::Result<T, String>;

/// Writes the failed action before an error.
pub fn failed<E: Display>(what: impl Display) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {error}")
}

/// Connects to a server, and deletes the key.
///
/// # Errors
/// Returns an error if the server does not reply within ten seconds.
pub fn connect(url: &str, key: &str) -> Result<Connection> {
    let mut server = redis::Client::open(url)
        .and_then(|client| client.get_connection_with_timeout(TIMEOUT))
        .map_err(failed(format_args!("cannot connect to {url}")))?;
    server.set_read_timeout(Some(TIMEOUT)).map_err(failed("cannot set a timeout"))?;
    redis::cmd("DEL").arg(key).exec(&mut server).map_err(failed(format_args!("DEL {key}")))?;
    Ok(server)
}

/// Sends a command.
///
/// # Errors
/// Returns the server's error, or an error if the reply has another form.
pub fn ask<R: FromRedisValue>(server: &mut Connection, request: &Request<R>) -> Result<R> {
    server.lb(request).map_err(failed(request))
}

/// Sends a command, and prints it as a user types it.
///
/// # Errors
/// Returns the same errors as [`ask`].
pub fn typed<R: FromRedisValue>(server: &mut Connection, request: &Request<R>) -> Result<R> {
    println!("\n> {request}");
    ask(server, request)
}

/// Sends many commands in one pipeline.
///
/// # Errors
/// Returns the first error of the server.
pub fn ask_all<C: Into<redis::Cmd>>(
    server: &mut Connection,
    commands: impl Iterator<Item = C>,
) -> Result<Vec<Value>> {
    let mut pipeline = redis::pipe();
    for command in commands {
        pipeline.add_command(command.into());
    }
    pipeline.query(server).map_err(failed("cannot send many commands"))
}

/// Reads a score of a board of whole numbers.
///
/// # Errors
/// Returns an error if the score is not a whole number.
pub fn whole(score: &Score) -> Result<u64> {
    score.as_str().parse().map_err(failed(format_args!("the score {score}")))
}

/// Knuth's linear congruential generator, which gives the same numbers in each run.
pub struct Random(u64);

impl Random {
    /// Makes the sequence of this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number below a limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33).checked_rem(limit).unwrap_or(0)
    }

    /// Returns the next number from `begin` on, and below `end`.
    pub fn from(&mut self, begin: u64, end: u64) -> u64 {
        self.below(end.saturating_sub(begin)).saturating_add(begin)
    }
}
