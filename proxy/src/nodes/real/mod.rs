//! Tests of the connections to the nodes, with real servers. From outside the program, these promises cannot be tested
//! one by one, so the tests are here.
#![allow(clippy::arithmetic_side_effects, reason = "a test that fails ought to panic")]

mod clusters;
mod nodes;
mod replicas;
mod users;

use std::time::Duration;

use leaderboard_testkit as servers;
use redis::Value;
use tokio::time::Instant;

use super::{Cluster, Command, CommandError, Credentials, Pools, RetryingClient};
use servers::Server;

/// This timeout is long, because a slow machine is not a failure. Tests in which something has to end at the deadline
/// use a timeout of their own.
const TIMEOUT: Duration = Duration::from_secs(20);

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

fn pools(servers: &[&Server]) -> Pools {
    let urls: Vec<_> = servers.iter().map(|server| format!("redis://127.0.0.1:{}", server.port())).collect();
    Pools::new(&urls).unwrap()
}

/// Returns a command. If it has a key, the key is the second word.
fn command(line: &str) -> Command {
    let words: Vec<Vec<u8>> = line.split(' ').map(|word| word.as_bytes().to_vec()).collect();
    let repeatable = ["GET", "PING"].iter().any(|read| words[0] == read.as_bytes());
    Command { slot: words.get(1).map(|key| leaderboard_core::parts::slot(key)), words, repeatable }
}

async fn ask_within(
    sender: &RetryingClient<Cluster>,
    lines: &[impl AsRef<str>],
    timeout: Duration,
) -> Vec<Result<Value, CommandError>> {
    let commands: Vec<_> = lines.iter().map(|line| command(line.as_ref())).collect();
    sender.ask(&commands, Instant::now() + timeout).await
}

/// Returns the answers as texts. A command without an answer fails the test.
async fn ask(sender: &RetryingClient<Cluster>, lines: &[impl AsRef<str>]) -> Vec<String> {
    let answers = ask_within(sender, lines, TIMEOUT).await;
    answers.into_iter().map(|answer| text(answer.unwrap_or_else(|failure| panic!("{failure:?}")))).collect()
}

fn text(value: Value) -> String {
    match value {
        Value::ServerError(error) => format!("{} {}", error.code(), error.details().unwrap_or_default()),
        Value::Okay => "OK".to_owned(),
        Value::Nil => "nil".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::SimpleString(text) => text,
        Value::BulkString(bytes) => String::from_utf8(bytes).unwrap(),
        other => format!("{other:?}"),
    }
}

async fn anybody(pools: &Pools) -> std::sync::Arc<RetryingClient<Cluster>> {
    pools.of(&Credentials::default()).await.unwrap()
}

fn signal(process: u32, name: &str) {
    let done = std::process::Command::new("kill").args([format!("-{name}"), process.to_string()]).status();
    assert!(done.unwrap().success());
}

/// Returns the process id of a server.
fn process(server: &Server) -> u32 {
    servers::info(&mut server.connection(), "server", "process_id").parse().unwrap()
}
