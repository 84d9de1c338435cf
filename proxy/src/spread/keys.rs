//! Commands of the server about keys. A server would apply them only to one key of a board over parts, but the client
//! means the whole board. So a board is deleted as a whole, and everything else is refused. The module cannot refuse
//! these commands: a server does not ask it.

use std::collections::BTreeSet;

use redis::Value;
use tokio::time::Instant;

use crate::nodes::Transport;
use crate::spread::asked::Row;
use crate::spread::catalog::{self, Held};
use crate::spread::engine::Engine;
use crate::spread::refusal::{begun, error, has_no_boards, is_forbidden, name, not_over_parts, root_down};

/// Commands that delete the keys that they name.
const ENDING: [&str; 2] = ["DEL", "UNLINK"];

/// The words of a command that are keys which it would tear apart or overwrite.
enum Keys {
    /// The word at this place.
    At(usize),
    /// The two words behind the name.
    Two,
    /// Every second word.
    Pairs,
    /// The first word is a number. The keys are every second word behind it, as many as the number says.
    Counted,
    /// The word behind one of these words.
    Behind(&'static [&'static str]),
}

/// Commands that would separate the root of a board from its parts, or overwrite a root or a part.
const TEARING: [(&str, Keys); 29] = [
    ("BITOP", Keys::At(2)),
    ("COPY", Keys::Two),
    ("DELEX", Keys::At(1)),
    ("EXPIRE", Keys::At(1)),
    ("EXPIREAT", Keys::At(1)),
    ("GEORADIUS", Keys::Behind(&["STORE", "STOREDIST"])),
    ("GEORADIUSBYMEMBER", Keys::Behind(&["STORE", "STOREDIST"])),
    ("GEOSEARCHSTORE", Keys::At(1)),
    ("GETSET", Keys::At(1)),
    ("MOVE", Keys::At(1)),
    ("MSET", Keys::Pairs),
    ("MSETEX", Keys::Counted),
    ("PEXPIRE", Keys::At(1)),
    ("PEXPIREAT", Keys::At(1)),
    ("PSETEX", Keys::At(1)),
    ("RENAME", Keys::Two),
    ("RENAMENX", Keys::Two),
    ("RESTORE", Keys::At(1)),
    ("RESTORE-ASKING", Keys::At(1)),
    ("SDIFFSTORE", Keys::At(1)),
    ("SET", Keys::At(1)),
    ("SETEX", Keys::At(1)),
    ("SINTERSTORE", Keys::At(1)),
    ("SORT", Keys::Behind(&["STORE"])),
    ("SUNIONSTORE", Keys::At(1)),
    ("ZDIFFSTORE", Keys::At(1)),
    ("ZINTERSTORE", Keys::At(1)),
    ("ZRANGESTORE", Keys::At(1)),
    ("ZUNIONSTORE", Keys::At(1)),
];

impl Keys {
    fn of<'a>(&self, words: &'a [Vec<u8>]) -> Vec<&'a [u8]> {
        let at = |place: usize| words.get(place).map(Vec::as_slice);
        match self {
            Self::At(place) => at(*place).into_iter().collect(),
            Self::Two => at(1).into_iter().chain(at(2)).collect(),
            Self::Pairs => words.iter().skip(1).step_by(2).map(Vec::as_slice).collect(),
            Self::Counted => {
                let count = at(1).and_then(|word| std::str::from_utf8(word).ok()?.parse().ok());
                words.iter().skip(2).step_by(2).take(count.unwrap_or(0)).map(Vec::as_slice).collect()
            }
            Self::Behind(options) => {
                let is_option = |word: &Vec<u8>| options.iter().any(|option| is(word, option));
                let places = words.iter().enumerate().skip(2).filter(|(_, word)| is_option(word));
                places.filter_map(|(place, _)| at(place.saturating_add(1))).collect()
            }
        }
    }
}

fn is(word: &[u8], name: &str) -> bool {
    word.eq_ignore_ascii_case(name.as_bytes())
}

fn is_ending(words: &[Vec<u8>]) -> bool {
    words.first().is_some_and(|word| ENDING.iter().any(|name| is(word, name)))
}

/// Returns the keys that a command would tear apart, overwrite, or fill with a board.
fn torn(words: &[Vec<u8>]) -> Vec<&[u8]> {
    let Some(word) = words.first() else { return Vec::new() };
    if let Some((_, keys)) = TEARING.iter().find(|(name, _)| is(word, name)) {
        return keys.of(words);
    }
    let row = Row::any(word).filter(|row| row.makes_board());
    row.and_then(|row| row.first_key(words)).into_iter().collect()
}

/// Returns whether the gateway has to find out what the keys of a command hold. The command works on one key of the
/// server and not on boards over parts.
pub fn may_be_roots(words: &[Vec<u8>]) -> bool {
    words.len() > 1 && (is_ending(words) || !torn(words).is_empty())
}

/// Carries out a command for which [`may_be_roots`] is true.
pub async fn carry_out<T: Transport>(engine: &Engine<T>, words: &[Vec<u8>], deadline: Instant) -> Value {
    let done = if is_ending(words) {
        end(engine, words, deadline).await
    } else if Row::any(words.first().map(Vec::as_slice).unwrap_or_default()).is_some() {
        make(engine, words, deadline).await
    } else {
        change(engine, words, deadline).await
    };
    done.unwrap_or_else(|value| value)
}

/// Returns what the keys hold. A user who may not look at a key gets the server's answer to the command.
async fn hold<T: Transport>(
    engine: &Engine<T>,
    keys: &[&[u8]],
    deadline: Instant,
) -> Result<Vec<Held>, Value> {
    let held = catalog::hold(engine.sender(), keys.iter().map(|key| key.to_vec()), deadline).await;
    for held in &held {
        match held {
            Held::Silent => return Err(root_down()),
            Held::Refused(error) if !has_no_boards(error) && !is_forbidden(error) => {
                return Err(error.clone());
            }
            _ => {}
        }
    }
    Ok(held)
}

/// Carries out a command that changes one key.
async fn change<T: Transport>(
    engine: &Engine<T>,
    words: &[Vec<u8>],
    deadline: Instant,
) -> Result<Value, Value> {
    let held = hold(engine, &torn(words), deadline).await?;
    if held.iter().any(|held| matches!(held, Held::Root(_) | Held::Part(_))) {
        return Err(not_over_parts(words));
    }
    Ok(engine.pass(words, deadline).await)
}

/// Carries out a command that makes a board in one key, but does not work over parts. The key may be the key of a lost
/// root, and the other keys may be roots.
async fn make<T: Transport>(
    engine: &Engine<T>,
    words: &[Vec<u8>],
    deadline: Instant,
) -> Result<Value, Value> {
    for key in torn(words) {
        if engine.learn(key, Instant::now(), deadline).await?.is_some() {
            return Err(not_over_parts(words));
        }
    }
    let row = words.first().and_then(|name| Row::any(name));
    let sources: BTreeSet<_> = row.into_iter().flat_map(|row| row.keys(words)).collect();
    let held = hold(engine, &sources.into_iter().collect::<Vec<_>>(), deadline).await?;
    if held.iter().any(|held| matches!(held, Held::Root(_))) {
        return Err(not_over_parts(words));
    }
    Ok(engine.pass(words, deadline).await)
}

/// Deletes keys, and boards with all their parts. Returns how many there were.
async fn end<T: Transport>(engine: &Engine<T>, words: &[Vec<u8>], deadline: Instant) -> Result<Value, Value> {
    let Some((command, keys)) = words.split_first() else { return Ok(Value::Nil) };
    let keys: Vec<_> = keys.iter().map(Vec::as_slice).collect();
    let held = hold(engine, &keys, deadline).await?;
    if held.iter().any(|held| matches!(held, Held::Part(_))) {
        let name = name(words);
        return Err(error(&format!("ERR {name}: the key holds a part of a board: name the board")));
    }
    let (mut ended, mut is_over_parts, mut plain, mut copied) = (0_i64, false, Vec::new(), Vec::new());
    for (key, held) in keys.iter().zip(held) {
        if matches!(&held, Held::Plain(board) if board.entry.incarnation > 0) {
            copied.push(*key);
        }
        let found = match held {
            Held::Root(root) => {
                engine.forget(key);
                let deleted = catalog::delete(engine.sender(), key, &root, deadline).await;
                engine.forget(key);
                deleted.map(|()| true).map_err(|error| after(ended, error))?
            }
            Held::Absent => catalog::delete_lost(engine.sender(), key, deadline)
                .await
                .map_err(|error| after(ended, error))?,
            _ => false,
        };
        is_over_parts |= found;
        ended = ended.saturating_add(i64::from(found));
        if !found {
            plain.push(key.to_vec());
        }
    }
    if !is_over_parts && copied.is_empty() {
        return Ok(engine.pass(words, deadline).await);
    }
    for key in plain {
        match engine.pass(&[command.clone(), key], deadline).await {
            Value::Int(number) => ended = ended.saturating_add(number),
            other => return Ok(after(ended, other)),
        }
    }
    // An attempt to spread a plain board may have left copies. They are deleted last: while the plain board exists, the
    // attempt may still go on.
    for key in copied {
        catalog::drop_copies(engine.sender(), key, deadline).await.map_err(begun)?;
    }
    Ok(Value::Int(ended))
}

/// Returns the error of a command that has already deleted this number of keys.
fn after(ended: i64, error: Value) -> Value {
    if ended > 0 { begun(error) } else { error }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use leaderboard_testkit::{Flavor, Server, query};

    use super::*;

    /// Commands that change a key only if it is absent or has another type.
    const HARMLESS: [&str; 3] = ["DELIFEQ", "MSETNX", "SETNX"];

    /// Returns the commands of a server that overwrite or delete a key, whatever it holds.
    fn overwriting(server: &Server) -> BTreeSet<String> {
        let commands: Vec<Value> = query(&mut server.connection(), &["COMMAND"]);
        let has = |value: &Value, flags: &[&str]| {
            let text = format!("{value:?}");
            flags.iter().any(|flag| text.contains(&format!("\"{flag}\"")))
        };
        let name = |value: &Value| match value {
            Value::Array(fields) => match (fields.first(), fields.get(8)) {
                (Some(Value::BulkString(name)), Some(keys)) if has(keys, &["OW", "RM"]) => {
                    Some(String::from_utf8_lossy(name).to_uppercase())
                }
                _ => None,
            },
            _ => None,
        };
        commands.iter().filter_map(name).filter(|name| !name.starts_with("LB.")).collect()
    }

    #[test]
    fn all_commands_that_overwrite_keys_are_known() {
        for flavor in [Flavor::Redis82, Flavor::Valkey91] {
            let found = overwriting(&Server::builder(flavor).start());
            assert!(found.contains("RENAME") && found.contains("DEL"), "{found:?}");
            let is_known = |name: &&String| {
                let names = TEARING.iter().map(|(name, _)| *name).chain(ENDING).chain(HARMLESS);
                names.into_iter().any(|known| known == **name)
            };
            let unknown: Vec<_> = found.iter().filter(|name| !is_known(name)).collect();
            assert!(unknown.is_empty(), "{flavor:?}: {unknown:?}");
        }
    }

    #[test]
    fn the_keys_of_commands() {
        for (line, keys) in [
            ("MSETEX 2 a 1 b 2 EX 5", &["a", "b"][..]),
            ("MSETEX x a 1", &[]),
            ("MSET a 1 b 2", &["a", "b"]),
            ("RENAME a b", &["a", "b"]),
            ("SORT a BY x STORE b", &["b"]),
            ("BITOP AND a b c", &["a"]),
            ("delex a", &["a"]),
            ("GET a", &[]),
        ] {
            let words: Vec<_> = line.split(' ').map(|word| word.as_bytes().to_vec()).collect();
            let torn: Vec<_> = torn(&words).into_iter().map(String::from_utf8_lossy).collect();
            assert_eq!(torn, keys, "{line}");
        }
    }
}
