//! Commands about keys. A server would apply them only to the key of the root, but the client means the whole board.

use futures_util::future::join_all;
use redis::Value;
use tokio::time::Instant;

use crate::nodes::{Command, CommandError, Transport};
use crate::spread::engine::Engine;
use crate::spread::refusal::{not_over_parts, parts_down, unanswered};
use crate::spread::root::{Root, key_slot};

/// Commands that delete the keys that they name.
const ENDING: [&str; 2] = ["DEL", "UNLINK"];
/// Commands that change one key, and would separate the root of a board from its parts.
const TEARING: [&str; 8] =
    ["COPY", "EXPIRE", "EXPIREAT", "MOVE", "PEXPIRE", "PEXPIREAT", "RENAME", "RENAMENX"];

fn is_one_of(words: &[Vec<u8>], names: &[&str]) -> bool {
    words.first().is_some_and(|name| names.iter().any(|one| name.eq_ignore_ascii_case(one.as_bytes())))
}

/// Returns whether the gateway has to find out if the keys of a command have roots.
pub fn may_be_roots(words: &[Vec<u8>]) -> bool {
    words.len() > 1 && (is_one_of(words, &ENDING) || is_one_of(words, &TEARING))
}

/// Carries out a command for which [`may_be_roots`] is true.
pub async fn carry_out<T: Transport>(engine: &Engine<T>, words: &[Vec<u8>], deadline: Instant) -> Value {
    let (name, keys) = match words {
        [name, key, ..] if is_one_of(words, &TEARING) => (name, std::slice::from_ref(key)),
        [name, keys @ ..] => (name, keys),
        [] => return Value::Nil,
    };
    let since = Instant::now();
    let learned = join_all(keys.iter().map(|key| engine.learn(key, since, deadline))).await;
    let roots: Vec<_> = match learned.into_iter().collect::<Result<_, _>>() {
        Ok(roots) => roots,
        Err(value) => return value,
    };
    if roots.iter().all(Option::is_none) {
        return engine.pass(words, deadline).await;
    }
    if is_one_of(words, &TEARING) {
        return not_over_parts(words);
    }
    let mut ended = 0_i64;
    for (key, root) in keys.iter().zip(roots) {
        let value = match root {
            Some(root) => end(engine, name, &root, deadline).await,
            None => engine.pass(&[name.clone(), key.clone()], deadline).await,
        };
        match value {
            Value::Int(number) => ended = ended.saturating_add(number),
            other => return other,
        }
    }
    Value::Int(ended)
}

/// Deletes all parts of a board, then its root. So if this is not completed, the remaining parts still have a root.
async fn end<T: Transport>(engine: &Engine<T>, name: &[u8], root: &Root, deadline: Instant) -> Value {
    let parts = 0..root.parts.count();
    let commands = parts.map(|part| root.command(part, name, [], true));
    let answers = engine.sender().ask(&commands.collect::<Vec<_>>(), deadline).await;
    match missing(&answers) {
        Err(value) => return value,
        Ok(0) => {}
        Ok(silent) => return parts_down(silent, root.parts),
    }
    let words = vec![name.to_vec(), root.name.clone()];
    let command = Command { slot: Some(key_slot(&root.name)), words, repeatable: true };
    let ended = engine.one(command, deadline).await;
    engine.forget(&root.name);
    match ended {
        // The root may already be gone: another client deleted it at the same time, or the server got this command
        // twice.
        Ok(Value::Int(_)) => Value::Int(1),
        Ok(other) => other,
        Err(failure) => unanswered(&failure, None),
    }
}

/// Returns how many parts did not answer.
///
/// # Errors
/// The first error of a server.
fn missing(answers: &[Result<Value, CommandError>]) -> Result<usize, Value> {
    if let Some(Ok(error)) = answers.iter().find(|answer| matches!(answer, Ok(Value::ServerError(_)))) {
        return Err(error.clone());
    }
    Ok(answers.iter().filter(|answer| answer.is_err()).count())
}
