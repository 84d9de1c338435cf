//! What the examples share: a connection that does not wait for ever, and errors for people.

use std::collections::HashMap;
use std::fmt::Display;
use std::time::Duration;

use redis::{Connection, FromRedisValue, Value};

/// Writes on the way at once: enough to hide the network, and few enough to fit the socket's buffers.
pub const PIPELINE: usize = 256;
const TIMEOUT: Duration = Duration::from_secs(10);

/// Error text for people, each layer adding what it was doing.
pub type Result<T> = std::result::Result<T, String>;

/// Puts what was being done before an error.
pub fn failed<E: Display>(what: impl Display) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {error}")
}

/// Connects to a server.
///
/// # Errors
/// Where that cannot be reached within ten seconds.
pub fn connect(url: &str) -> Result<Connection> {
    let server = redis::Client::open(url)
        .and_then(|client| client.get_connection_with_timeout(TIMEOUT))
        .map_err(failed(format_args!("cannot connect to {url}")))?;
    server.set_read_timeout(Some(TIMEOUT)).map_err(failed("cannot set a timeout"))?;
    Ok(server)
}

/// Asks for something in the words of a command.
///
/// # Errors
/// The server's, or that the reply is of another kind.
pub fn ask<T: FromRedisValue>(server: &mut Connection, words: &[&str]) -> Result<T> {
    let mut command = redis::Cmd::new();
    command.arg(words);
    command.query(server).map_err(failed(words.join(" ")))
}

/// A field of a map.
///
/// # Errors
/// Where there is none, or it is of another kind.
pub fn field<T: FromRedisValue>(map: &HashMap<String, Value>, name: &str) -> Result<T> {
    let value = map.get(name).ok_or_else(|| format!("the reply has no {name}"))?;
    redis::from_redis_value_ref(value).map_err(failed(format_args!("cannot read {name}")))
}
