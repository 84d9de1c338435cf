//! Shared by the examples: a connection with timeouts, and readable errors.

use std::collections::HashMap;
use std::fmt::Display;
use std::time::Duration;

use redis::{Connection, FromRedisValue, Value};

/// Writes in flight at once: enough to hide the network, and few enough to fit the socket's buffers.
pub const PIPELINE: usize = 256;
const TIMEOUT: Duration = Duration::from_secs(10);

/// A readable error text. Each layer adds what it was doing.
pub type Result<T> = std::result::Result<T, String>;

/// Puts the failed action before an error.
pub fn failed<E: Display>(what: impl Display) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {error}")
}

/// Connects to a server.
///
/// # Errors
/// If the server does not answer within ten seconds.
pub fn connect(url: &str) -> Result<Connection> {
    let server = redis::Client::open(url)
        .and_then(|client| client.get_connection_with_timeout(TIMEOUT))
        .map_err(failed(format_args!("cannot connect to {url}")))?;
    server.set_read_timeout(Some(TIMEOUT)).map_err(failed("cannot set a timeout"))?;
    Ok(server)
}

/// Sends a command and converts its reply.
///
/// # Errors
/// The server's error, or a reply of another type.
pub fn ask<T: FromRedisValue>(server: &mut Connection, words: &[&str]) -> Result<T> {
    let mut command = redis::Cmd::new();
    command.arg(words);
    command.query(server).map_err(failed(words.join(" ")))
}

/// A field of a map.
///
/// # Errors
/// If the field is missing or has another type.
pub fn field<T: FromRedisValue>(map: &HashMap<String, Value>, name: &str) -> Result<T> {
    let value = map.get(name).ok_or_else(|| format!("the reply has no {name}"))?;
    redis::from_redis_value_ref(value).map_err(failed(format_args!("cannot read {name}")))
}
