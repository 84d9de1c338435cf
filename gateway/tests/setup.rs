//! Functions that prepare a test.

use redis::Value as Answer;
use serde_json::{Value, json};

use crate::servers::{Server, run};
use crate::support::Api;

/// Runs a command on the server. The words are separated by spaces.
#[track_caller]
pub fn say(server: &Server, command: &str) -> Answer {
    run(&mut server.connection(), &command.split_whitespace().collect::<Vec<_>>())
}

/// Makes a board with these options.
#[track_caller]
pub fn make(api: &Api, key: &str, mut options: Value) {
    options["key"] = json!(key);
    api.post("/boards", options).status(201);
}

/// Returns the JSON of a row without a meta.
pub fn row(rank: u64, member: &str, score: &str) -> Value {
    json!({"rank": rank, "member": member, "score": score})
}

/// Returns the JSON `{"rows": […]}`.
pub fn rows(rows: &[(u64, &str, &str)]) -> Value {
    json!({"rows": rows.iter().map(|&(rank, member, score)| row(rank, member, score)).collect::<Vec<_>>()})
}
