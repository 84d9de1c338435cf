//! WAIT: waits for the replicas of the nodes to which the connection has written.

use std::sync::Arc;
use std::time::Duration;

use leaderboard_core::integer::natural;
use redis::Value;
use tokio::time::Instant;

use super::Answer;
use crate::resp::session::Session;
use crate::resp::users::{User as _, Users};

/// The longest time that a client can wait.
const LONGEST: Duration = Duration::from_secs(60);

/// Answers `WAIT replicas ms`. Like servers, 0 ms means no limit; here, the limit is [`LONGEST`].
///
/// # Errors
/// The error that the client gets.
pub async fn answer<U: Users>(session: &mut Session<U>, arguments: &[Vec<u8>]) -> Answer {
    let [replicas, millis] = arguments else { return Err("ERR syntax error".to_owned()) };
    let wanted = natural(replicas, "numreplicas").map_err(|error| format!("ERR {error}"))?;
    let wait = match natural(millis, "timeout").map_err(|error| format!("ERR {error}"))? {
        0 => LONGEST,
        millis => Duration::from_millis(millis).min(LONGEST),
    };
    let now = Instant::now();
    let (user, written) = (session.user().await?, Arc::clone(&session.written));
    match user.wait(&written, wanted, now.checked_add(wait).unwrap_or(now)).await {
        Ok(count) => Ok(Value::Int(i64::try_from(count).unwrap_or(i64::MAX))),
        Err(error) => Ok(error),
    }
}
