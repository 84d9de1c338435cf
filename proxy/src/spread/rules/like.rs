//! `LB.CREATE … LIKE other` of a spread board. The other board can be on another node, so its server cannot take the
//! rules from there. The gateway reads the rules, and writes them out as options.

use leaderboard_commands::plain::PlainServer;
use leaderboard_core::Error;
use redis::Value;
use tokio::time::Instant;

use crate::nodes::{Command, Transport};
use crate::spread::asked::Asked;
use crate::spread::catalog::{prizes_of, rules_of};
use crate::spread::engine::Engine;
use crate::spread::info::Info;
use crate::spread::refusal::{error, root_down};
use crate::spread::root::key_slot;

/// The key of the other board in the server in memory.
const OTHER: &[u8] = b"other";
/// The key of the new board there.
const NEW: &[u8] = b"new";

/// Returns the command without `LIKE`: all rules of the new board are options.
///
/// # Errors
/// The reply with the reason why the board cannot have these rules.
pub async fn written_out<T: Transport>(
    engine: &Engine<T>,
    asked: &Asked<'_>,
    other: &[u8],
    deadline: Instant,
) -> Result<Vec<Vec<u8>>, Value> {
    // This finishes what another gateway has begun with the other board, and finds out whether its root is lost.
    engine.learn(other, Instant::now(), deadline).await?;
    let words = vec![b"LB.INFO".to_vec(), other.to_vec()];
    let command = Command { slot: Some(key_slot(other)), words, repeatable: true };
    let info = match engine.one(command, deadline).await {
        Err(_) => return Err(root_down()),
        Ok(refused @ Value::ServerError(_)) => return Err(refused),
        Ok(answer) => Info::of(answer).ok_or_else(|| error(&format!("NOBOARD {}", Error::NoSuchBoard)))?,
    };
    let rules = merged(&info, asked)?;
    let parts = asked.value("PARTS").unwrap_or_default();
    let head = [b"LB.CREATE".to_vec(), asked.key.to_vec(), b"PARTS".to_vec(), parts.to_vec()];
    Ok(head.into_iter().chain(rules).collect())
}

/// Returns the command for a key that is not free, with its own key in `LIKE`. The server does not read the other board
/// then. If the key has become free, the command makes nothing: there is no board to take the rules from.
pub fn itself(asked: &Asked<'_>) -> Vec<Vec<u8>> {
    with_keys(asked, asked.key, asked.key)
}

/// Returns the command with these keys of the new board and of the board of `LIKE`.
fn with_keys(asked: &Asked<'_>, new: &[u8], other: &[u8]) -> Vec<Vec<u8>> {
    let mut words = vec![b"LB.CREATE".to_vec(), new.to_vec()];
    for given in &asked.options {
        words.push(given.word().as_bytes().to_vec());
        if given.word() == "LIKE" {
            words.push(other.to_vec());
        } else {
            words.extend_from_slice(given.values);
        }
    }
    words
}

/// Returns the rules of the other board, with the options of the command in their place. The handler of `LB.CREATE` puts
/// them together, in a server in memory, so the result is the same as on one node.
fn merged(info: &Info, asked: &Asked<'_>) -> Result<Vec<Vec<u8>>, Value> {
    if matches!(info.get("limit"), Some(Value::Array(limits)) if !limits.is_empty()) {
        return Err(error(&format!("ERR {}", Error::NotWithParts("LIMIT"))));
    }
    let server = PlainServer::default();
    let other = [b"LB.CREATE".to_vec(), OTHER.to_vec()]
        .into_iter()
        .chain(rules_of(info))
        .chain(prizes_of(info))
        .chain(not_of_parts(info));
    run(&server, &other.collect::<Vec<_>>())?;
    run(&server, &with_keys(asked, NEW, OTHER))?;
    let made = run(&server, &[b"LB.INFO".to_vec(), NEW.to_vec()])?;
    let made = Info::of(made).ok_or_else(root_down)?;
    Ok([rules_of(&made), prizes_of(&made)].concat())
}

/// Returns the rules of a board that parts cannot have, as options. If no option of the command replaces them, they are
/// an error that names them.
fn not_of_parts(info: &Info) -> impl Iterator<Item = Vec<u8>> {
    let has = |field: &str| info.number(field).unwrap_or_default() > 0;
    let flags = [("shown", "SHOWN"), ("declared", "DECLARED")];
    let flags = flags.into_iter().filter(|(field, _)| has(field)).map(|(_, option)| option.to_owned());
    let keep = info.number("keep").filter(|keep| *keep > 0);
    let keep = keep.into_iter().flat_map(|keep| ["KEEP".to_owned(), keep.to_string()]);
    flags.chain(keep).map(String::into_bytes).collect::<Vec<_>>().into_iter()
}

fn run(server: &PlainServer, words: &[Vec<u8>]) -> Result<Value, Value> {
    match redis::parse_redis_value(&server.run(words)) {
        Ok(refused @ Value::ServerError(_)) => Err(refused),
        Ok(value) => Ok(value),
        Err(failure) => {
            Err(error(&format!("ERR the rules of the other board are not understood: {failure}")))
        }
    }
}
