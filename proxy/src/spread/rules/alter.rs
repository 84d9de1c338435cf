//! `LB.ALTER` of a spread board: it alters the root, then gives the parts the rules of the root. The new rules get the
//! next number. So of two commands at the same time, the second is carried out on the rules that the first has made.

use leaderboard_core::Error;
use redis::Value;
use tokio::time::{Instant, sleep};

use crate::nodes::{Command, CommandError, Transport, pause};
use crate::spread::asked::Asked;
use crate::spread::catalog::{self, State};
use crate::spread::engine::Engine;
use crate::spread::refusal::{self, error, is_stale, root_down, unknown};
use crate::spread::root::{Root, key_slot};

/// Alters the board. A command that was carried out, but whose client did not get the reply, is not carried out again.
///
/// # Errors
/// The reply with the reason why the board is not altered.
pub async fn alter<T: Transport>(
    engine: &Engine<T>,
    words: &[Vec<u8>],
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Value> {
    if asked.options.is_empty() {
        return Ok(engine.pass(words, deadline).await);
    }
    let command = asked.command(asked.key, &[], std::iter::empty());
    let request = catalog::request(&command);
    let mut unanswered = Unanswered::default();
    loop {
        let Some(root) = engine.learn(asked.key, Instant::now(), deadline).await? else {
            return Ok(engine.pass(words, deadline).await);
        };
        if root.is_moving() {
            let is_growing = root.entry.state == State::Growing;
            let why = if is_growing { Error::Growing } else { Error::Shrinking };
            return Err(error(&format!("ERR {why}")));
        }
        let is_done = root.entry.request == request;
        if !is_done && unanswered.may_be_done(root.entry.revision) {
            return Err(unknown());
        }
        if is_done || alter_root(engine, &root, &command, request, &mut unanswered, deadline).await? {
            let mended = catalog::mend(engine.sender(), asked.key, Some(request), deadline).await;
            return match mended.map_err(refusal::begun)? {
                Some(_) => Ok(Value::Okay),
                None => Err(error("NOBOARD another client has deleted the board")),
            };
        }
        if Instant::now() >= deadline {
            return Err(unanswered.or("PARTSDOWN other clients alter this board all the time"));
        }
    }
}

/// The attempts to alter the root whose answer was lost.
#[derive(Default)]
struct Unanswered {
    /// The number that the last of them gives to the new rules.
    revision: Option<u64>,
    attempts: u32,
}

impl Unanswered {
    /// Returns whether the root may have taken the number of an attempt from this command. The root has another request
    /// now. If it has just this number, another command was first.
    fn may_be_done(&self, revision: u64) -> bool {
        self.revision.is_some_and(|number| revision > number)
    }

    /// Returns the error for the client: this one if the command was surely not carried out.
    fn or(&self, text: &str) -> Value {
        if self.revision.is_some() { unknown() } else { error(text) }
    }
}

/// Alters the root. Returns whether its rules are those of this command now; `false` if this is not known, or if another
/// client has altered it first.
async fn alter_root<T: Transport>(
    engine: &Engine<T>,
    root: &Root,
    command: &[Vec<u8>],
    request: u64,
    unanswered: &mut Unanswered,
    deadline: Instant,
) -> Result<bool, Value> {
    let revision = root.entry.revision.saturating_add(1);
    let numbers = [("REVISION", revision), ("REQUEST", request)];
    let numbers = numbers.into_iter().flat_map(|(word, number)| [word.to_owned(), number.to_string()]);
    let words = command.iter().cloned().chain(numbers.map(String::into_bytes)).collect();
    // The root is read again before a repetition: another client may have altered it after a lost answer.
    let command = Command { slot: Some(key_slot(&root.name)), words, repeatable: false };
    match engine.one(command, deadline).await {
        Ok(error @ Value::ServerError(_)) if !is_stale(&error) => Err(error),
        Ok(Value::ServerError(_)) => Ok(false),
        Ok(_) => Ok(true),
        Err(CommandError::Silent(_)) if unanswered.revision.is_none() => Err(root_down()),
        Err(CommandError::Silent(_)) => Err(unknown()),
        Err(CommandError::Unknown(_)) => {
            unanswered.revision = Some(revision);
            unanswered.attempts = unanswered.attempts.saturating_add(1);
            sleep(pause(unanswered.attempts)).await;
            Ok(false)
        }
    }
}
