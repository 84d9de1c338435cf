//! `LB.CREATE name … PARTS n`: it makes the first part, then the other parts, then the root. If two gateways make a
//! board at the same time, the gateway that makes the first part decides the rules.

use leaderboard_core::Schema;
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use super::{first_error, trial, unanswered};
use crate::nodes::{Command, Transport};
use crate::spread::asked::Asked;
use crate::spread::engine::Engine;
use crate::spread::look::{Seen, look, present};
use crate::spread::refusal::{self, error};
use crate::spread::root::{Root, key_slot};

/// Makes the board. What an earlier, incomplete command has made is not made again.
///
/// # Errors
/// The reply with the reason why the board is not made.
pub async fn create<T: Transport>(
    engine: &Engine<T>,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Value> {
    let command = asked.command(asked.key, &[], std::iter::empty());
    let Some(parts) = parts(asked) else { return Ok(engine.pass(&command, deadline).await) };
    if asked.has("LIKE") {
        return Err(error("ERR over parts, LIKE is not known"));
    }
    // If the key is not free, the server returns the best error.
    if !is_free(engine, asked.key, deadline).await? {
        return Ok(engine.pass(&command, deadline).await);
    }
    let mut root =
        Root { name: asked.key.to_vec(), parts, hash: 0, schema: Schema::default(), specs: Vec::new() };
    let rules = rules(asked);
    root.hash = trial::hash(engine, &root, &rules, None, deadline).await?;
    let others: Vec<_> = (1..parts.count()).collect();
    make(engine, &root, &rules, &[0], deadline).await?;
    make(engine, &root, &rules, &others, deadline).await?;
    make_root(engine, asked, &command, deadline).await
}

/// Returns the number of parts, or `None` if the command is wrong and the server has to give the error.
fn parts(asked: &Asked<'_>) -> Option<Parts> {
    let number = std::str::from_utf8(asked.value("PARTS")?).ok()?.parse().ok()?;
    let parts = Parts::new(number, "PARTS").ok()?;
    (!asked.has("PART") && !asked.key.contains(&b'{')).then_some(parts)
}

/// Returns all options that are rules, that is, all except `PARTS` and `NX`.
fn rules(asked: &Asked<'_>) -> Vec<Vec<u8>> {
    let rules = asked.options.iter().filter(|given| !["PARTS", "NX"].contains(&given.word()));
    rules
        .flat_map(|given| {
            std::iter::once(given.word().as_bytes().to_vec()).chain(given.values.iter().cloned())
        })
        .collect()
}

async fn is_free<T: Transport>(engine: &Engine<T>, key: &[u8], deadline: Instant) -> Result<bool, Value> {
    let words = vec![b"LB.INFO".to_vec(), key.to_vec()];
    let command = Command { slot: Some(key_slot(key)), words, repeatable: true };
    let told = engine.one(command, deadline).await;
    Ok(told.map_err(|failure| refusal::unanswered(&failure, None))? == Value::Nil)
}

/// Makes the parts among these that do not exist yet, then checks that all of these parts have the rules of the root.
async fn make<T: Transport>(
    engine: &Engine<T>,
    root: &Root,
    rules: &[Vec<u8>],
    parts: &[u16],
    deadline: Instant,
) -> Result<(), Value> {
    let count = root.parts.count().to_string();
    let commands = parts.iter().map(|part| {
        let number = part.to_string();
        let which = ["PART", &number, "OF", &count, "NX"];
        let words = rules.iter().map(Vec::as_slice).chain(which.iter().map(|word| word.as_bytes()));
        root.command(*part, b"LB.CREATE", words, true)
    });
    let answers = engine.sender().ask(&commands.collect::<Vec<_>>(), deadline).await;
    unanswered(&answers, root)?;
    first_error(answers)?;
    let seen = look(engine.sender(), root, parts, deadline).await;
    let is_other = |seen: &Seen| match seen {
        Seen::Part(hash) => *hash != root.hash,
        // The part was not made because its key has another board.
        Seen::Gone => true,
        Seen::Silent | Seen::Refused(_) => false,
    };
    match seen.iter().find(|(_, seen)| is_other(seen)) {
        Some((part, _)) => Err(error(&format!("ERR part {part} exists with other rules"))),
        None => present(root, &seen).map(|_| ()).map_err(|refused| refusal::reply(Err(refused), root.parts)),
    }
}

/// Makes the root with the command of the client. If another client has made the root in the meantime, this is in the
/// server's reply.
async fn make_root<T: Transport>(
    engine: &Engine<T>,
    asked: &Asked<'_>,
    command: &[Vec<u8>],
    deadline: Instant,
) -> Result<Value, Value> {
    let command = Command { slot: Some(key_slot(asked.key)), words: command.to_vec(), repeatable: false };
    engine.one(command, deadline).await.map_err(|failure| refusal::unanswered(&failure, None))
}
