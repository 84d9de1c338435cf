//! Finds the hash of rules that no part has yet. For this, the gateway makes a temporary board (a board on trial) with
//! these rules, reads its hash, and deletes the board. So the server checks all options before a part is made or
//! altered, and the gateway notices parts with other rules. If this gateway cannot delete the board, the board expires.

use std::fmt::Write as _;
use std::time::Duration;

use redis::Value;
use tokio::time::Instant;

use crate::nodes::{Command, CommandError, Transport};
use crate::spread::engine::Engine;
use crate::spread::info::Info;
use crate::spread::refusal::{error, unanswered};
use crate::spread::root::{Root, key_slot};

/// The time to live of a board on trial, in milliseconds.
const LIFE: &[u8] = b"60000";
/// For how long the gateway tries to delete the board, even after the deadline of the command.
const DELETING: Duration = Duration::from_millis(500);

/// Returns a key that nothing else uses, in the slot of the root and of part 0. It has the form of the key of a part,
/// so each user who may use the keys of parts may use it, too.
fn key(root: &Root) -> Vec<u8> {
    let mut random = [0; 8];
    // If there are no random bytes, two trials at the same time could get the same key. Then one of the two commands
    // fails with the error that the rules differ.
    let _ = getrandom::fill(&mut random);
    let digits = random.iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    });
    [root.key(0), format!("{{{digits}}}").into_bytes()].concat()
}

/// Makes part 0 with these options on trial, then alters it if `alter` has options. Returns the hash of its rules.
///
/// # Errors
/// The reply if the server refuses or does not answer.
pub async fn hash<T: Transport>(
    engine: &Engine<T>,
    root: &Root,
    create: &[Vec<u8>],
    alter: Option<&[Vec<u8>]>,
    deadline: Instant,
) -> Result<u64, Value> {
    let key = key(root);
    // A user who may not delete the board must not make it. So the gateway first sends the deletion, to see whether it
    // is allowed.
    send(engine, &key, b"DEL", &[], true, deadline).await?;
    let told = tell(engine, root, &key, create, alter, deadline).await;
    // The gateway deletes the board even if it is uncertain whether the board was created.
    let deadline = Instant::now().checked_add(DELETING).unwrap_or(deadline);
    let ended = send(engine, &key, b"DEL", &[], true, deadline).await;
    told.and_then(|hash| ended.map(|_| hash))
}

async fn tell<T: Transport>(
    engine: &Engine<T>,
    root: &Root,
    key: &[u8],
    create: &[Vec<u8>],
    alter: Option<&[Vec<u8>]>,
    deadline: Instant,
) -> Result<u64, Value> {
    let count = root.parts.count().to_string();
    let part = ["PART", "0", "OF", &count, "NX"].map(|word| word.as_bytes().to_vec());
    let made = Command {
        slot: Some(key_slot(key)),
        words: [&[b"LB.CREATE".to_vec(), key.to_vec()], create, &part].concat(),
        repeatable: true,
    };
    let words = [&b"PEXPIRE"[..], key, LIFE].map(<[u8]>::to_vec).to_vec();
    let expires = Command { slot: made.slot, words, repeatable: true };
    // If the user may not set a time to live, the board is made without one.
    let answers = engine.sender().ask(&[made, expires], deadline).await;
    judged(answers.into_iter().next())?;
    if let Some(alter) = alter {
        send(engine, key, b"LB.ALTER", alter, false, deadline).await?;
    }
    let info = Info::of(send(engine, key, b"LB.INFO", &[], true, deadline).await?);
    let hash = info.and_then(|info| info.number("schema"));
    hash.map(i64::cast_unsigned).ok_or_else(|| error("ERR the servers do not know boards over parts"))
}

async fn send<T: Transport>(
    engine: &Engine<T>,
    key: &[u8],
    name: &[u8],
    arguments: &[Vec<u8>],
    repeatable: bool,
    deadline: Instant,
) -> Result<Value, Value> {
    let mut words = vec![name.to_vec(), key.to_vec()];
    words.extend_from_slice(arguments);
    judged(Some(engine.one(Command { slot: Some(key_slot(key)), words, repeatable }, deadline).await))
}

/// Returns the answer of a server. An error of the server and a missing answer are errors.
fn judged(answer: Option<Result<Value, CommandError>>) -> Result<Value, Value> {
    match answer {
        Some(Ok(error @ Value::ServerError(_))) => Err(error),
        Some(Ok(value)) => Ok(value),
        Some(Err(failure)) => Err(unanswered(&failure, None)),
        None => Err(error("ERR nothing was sent")),
    }
}
