//! Sends the large commands for parts. Each node has at most two of them at the same time: while one is on its way or on
//! the disk, the node carries out the other one. So the memory of this program does not depend on the number of parts.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::iter;
use redis::Value;
use tokio::time::Instant;

use super::said;
use crate::nodes::{CommandError, RetryingClient, Transactional, Transport};
use crate::spread::key_slot;

/// How many large commands a node has at the same time.
const AT_ONCE: usize = 2;
/// How long small commands may take.
const SHORT: Duration = Duration::from_secs(5);
/// How long the commands for one part may take, with a failover.
const LONG: Duration = Duration::from_secs(120);

/// Returns the deadline of a small command that is sent now.
pub fn soon() -> Instant {
    after(SHORT)
}

/// Returns the deadline of the commands for one part that are sent now.
pub fn later() -> Instant {
    after(LONG)
}

fn after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now)
}

/// Does a job for each of these keys of parts, for all nodes at the same time. Returns the results in any order. After
/// the first error, no further job begins.
///
/// # Errors
/// The first error of a job.
pub async fn for_each<T: Transport, A, F: Future<Output = Result<A, String>>>(
    sender: &RetryingClient<T>,
    parts: Vec<(u16, Vec<u8>)>,
    job: impl Fn(u16, Vec<u8>) -> F,
) -> Result<Vec<A>, String> {
    let mut nodes: BTreeMap<usize, Vec<F>> = BTreeMap::new();
    for (part, key) in parts {
        let node = sender.transport().way(Some(key_slot(&key)));
        nodes.entry(node).or_default().push(job(part, key));
    }
    let of_node = |jobs: Vec<F>| iter(jobs).buffer_unordered(AT_ONCE).boxed_local();
    let mut done = iter(nodes.into_values()).flat_map_unordered(None, of_node);
    let mut results = Vec::new();
    while let Some(result) = done.next().await {
        results.push(result?);
    }
    Ok(results)
}

/// The result of a transaction.
pub enum Outcome {
    /// The answers of the commands.
    Done(Vec<Value>),
    /// It may have been carried out.
    Unknown,
}

/// Sends commands to the key of a part, as a transaction.
///
/// # Errors
/// If the server refuses all of them, or does not answer by the deadline.
pub async fn transaction<T: Transactional>(
    sender: &RetryingClient<T>,
    key: &[u8],
    commands: &[Vec<Vec<u8>>],
    deadline: Instant,
) -> Result<Outcome, String> {
    match sender.transaction(Some(key_slot(key)), commands, deadline).await {
        Ok(Ok(answers)) => Ok(Outcome::Done(answers)),
        Ok(Err(refused)) => Err(said(&refused)),
        Err(CommandError::Unknown(_)) if Instant::now() < deadline => Ok(Outcome::Unknown),
        Err(CommandError::Unknown(reason) | CommandError::Silent(reason)) => {
            Err(format!("no server answers: {reason}"))
        }
    }
}
