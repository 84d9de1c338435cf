//! Sends many commands in batches. Each batch takes one round trip.

use redis::{Connection, ConnectionLike, Value};

use crate::shapes;
use crate::words::Words;

/// The number of replies of a batch whose shapes are checked. The commands of a batch are much the same, and checking
/// each reply of a million would take longer than the commands.
const CHECKED: usize = 50;

/// Sends all commands. Returns the reply to each command, or the text of its error.
#[track_caller]
pub fn pipeline(con: &mut Connection, commands: &[Words]) -> Vec<Result<Value, String>> {
    /// Small enough that neither side waits long for the other with full buffers.
    const BATCH: usize = 2_000;
    commands.chunks(BATCH).flat_map(|batch| send(con, batch)).collect()
}

fn send(con: &mut Connection, commands: &[Words]) -> Vec<Result<Value, String>> {
    let mut packed = Vec::new();
    for command in commands {
        packed.extend_from_slice(format!("*{}\r\n", command.len()).as_bytes());
        for word in command {
            packed.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
            packed.extend_from_slice(word);
            packed.extend_from_slice(b"\r\n");
        }
    }
    let replies = con.req_packed_commands(&packed, 0, commands.len()).expect("replies");
    let replies: Vec<_> = replies.into_iter().map(result).collect();
    for (command, reply) in commands.iter().zip(&replies).take(CHECKED) {
        shapes::check(command, reply.as_ref().map_err(String::as_str));
    }
    replies
}

fn result(reply: Value) -> Result<Value, String> {
    match reply {
        Value::ServerError(error) => {
            Err(format!("{} {}", error.code(), error.details().unwrap_or_default()).trim_end().to_owned())
        }
        reply => Ok(reply),
    }
}
