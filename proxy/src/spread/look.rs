//! Looks at parts: whether they exist, and whether they have the root's rules.

use redis::Value;
use tokio::time::Instant;

use crate::nodes::{RetryingClient, Transport};
use crate::spread::gather::{Disagreement, Refused};
use crate::spread::layout::Share;
use crate::spread::refusal::is_no_part;
use crate::spread::root::Root;

/// The result of a look at a part.
#[derive(Debug, Clone, PartialEq)]
pub enum Seen {
    /// The part exists, and its rules have this hash.
    Part(u64),
    /// The key is absent, or it contains something other than this part.
    Gone,
    Silent,
    /// The server refuses to answer, with this error.
    Refused(Value),
}

/// Looks at some parts of a board, at all of them at the same time.
pub async fn look<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    parts: &[u16],
    deadline: Instant,
) -> Vec<(u16, Seen)> {
    let words: [&[u8]; 2] = [b"TOP", b"0"];
    let commands: Vec<_> = parts.iter().map(|part| root.command(*part, b"LB.PART", words, true)).collect();
    let answers = sender.ask(&commands, deadline).await;
    parts
        .iter()
        .zip(answers)
        .map(|(part, answer)| {
            let seen = match answer {
                Err(_) => Seen::Silent,
                Ok(value) if is_no_part(&value) => Seen::Gone,
                Ok(value @ Value::ServerError(_)) => Seen::Refused(value),
                Ok(value) => match head(&value) {
                    Some((number, parts, hash)) if (number, parts) == numbers(root.parts.share(*part)) => {
                        Seen::Part(hash)
                    }
                    _ => Seen::Gone,
                },
            };
            (*part, seen)
        })
        .collect()
}

fn numbers(share: Share) -> (i64, i64) {
    (share.number.into(), share.of.count().into())
}

/// Returns the number of a part, the number of all parts, and the hash of its rules.
fn head(value: &Value) -> Option<(i64, i64, u64)> {
    match value {
        Value::Array(told) => match told.as_slice() {
            [Value::Int(part), Value::Int(parts), Value::Int(hash), ..] => {
                Some((*part, *parts, hash.cast_unsigned()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns the hash of the rules of each part, if all these parts exist.
///
/// # Errors
/// See [`Refused`].
pub fn present(root: &Root, seen: &[(u16, Seen)]) -> Result<Vec<(u16, u64)>, Refused> {
    let silent = seen.iter().filter(|(_, seen)| *seen == Seen::Silent).count();
    let mut hashes = Vec::new();
    for (part, seen) in seen {
        match seen {
            Seen::Part(hash) => hashes.push((*part, *hash)),
            Seen::Gone => return Err(Refused::Disagree(Disagreement::Gone(*part))),
            Seen::Refused(value) => return Err(Refused::Server(value.clone())),
            Seen::Silent => {}
        }
    }
    match silent.try_into() {
        Ok(0) | Err(_) => Ok(hashes),
        Ok(silent) => Err(Refused::PartsDown { silent, parts: root.parts.count() }),
    }
}
