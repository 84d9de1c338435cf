//! `LB.PARTS`: what is in each part of a board, and what is wrong with it.

use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use super::lost::{find, keys};
use super::repair::root;
use super::survey::{Found, Held, expiries, hold};
use crate::nodes::{RetryingClient, Transport};
use crate::spread::refusal::text;
use crate::spread::root::key_slot;

/// Returns the reply, or nil if the key has no board over parts.
///
/// # Errors
/// The reply to the client, if no server answers for the root.
pub async fn list<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    deadline: Instant,
) -> Result<Value, Value> {
    let root = root(sender, name, deadline).await?;
    let (parts, keys) = match &root {
        Some(root) => {
            (Some(root.parts), (0..root.parts.count()).map(|part| root.parts.key(name, part)).collect())
        }
        None => {
            let found = find(sender, name, deadline).await?;
            let keys = keys(name, &found);
            (u16::try_from(keys.len()).ok().and_then(|count| Parts::new(count, "PARTS").ok()), keys)
        }
    };
    let Some(parts) = parts else { return Ok(Value::Nil) };
    let expiries = expiries(sender, &keys, deadline).await;
    let held = hold(sender, keys.clone(), deadline).await;
    let rows = (0_u16..).zip(keys).zip(held).zip(expiries).map(|(((number, key), held), expiry)| {
        let node = sender.transport().node(key_slot(&key));
        let mut problem = problem(root.as_ref(), parts, number, &held);
        if let (None, Some(expiry)) = (&problem, expiry) {
            problem = Some(format!("the key expires in {expiry} ms"));
        }
        row(number, key, node, &held, problem)
    });
    Ok(Value::Array(rows.collect()))
}

fn problem(root: Option<&Found>, parts: Parts, number: u16, held: &Held) -> Option<String> {
    let part = match held {
        Held::Silent => return Some("its node does not answer".to_owned()),
        Held::Refused(error) => return text(error),
        Held::Absent => return Some("it does not exist".to_owned()),
        Held::Root(_) | Held::Other => return Some("its key holds something else".to_owned()),
        Held::Part(part) => part,
    };
    let Some(root) = root else { return Some("its root is lost".to_owned()) };
    if (part.parts, part.number) != (parts, number) {
        return Some(format!("its key holds part {} of {}", part.number, part.parts.count()));
    }
    if part.entry.incarnation != root.entry.incarnation {
        return Some("it belongs to another board that had this name".to_owned());
    }
    (part.hash != root.hash)
        .then(|| format!("its rules are not those of the root, number {}", root.entry.revision))
}

fn row(number: u16, key: Vec<u8>, node: Option<String>, held: &Held, problem: Option<String>) -> Value {
    let slot = key_slot(&key);
    let text = |text: Option<String>| text.map_or(Value::Nil, |text| Value::BulkString(text.into_bytes()));
    let info = match held {
        Held::Part(part) => Some(part),
        _ => None,
    };
    let field = |name| info.and_then(|part| part.info.number(name));
    let int = |number: Option<i64>| number.map_or(Value::Nil, Value::Int);
    let (now, last) = (field("now").unwrap_or_default(), field("last").filter(|last| *last > 0));
    Value::Array(vec![
        Value::Int(number.into()),
        Value::BulkString(key),
        Value::Int(slot.into()),
        text(node),
        int(field("incarnation")),
        int(field("revision")),
        int(field("members")),
        int(field("memory")),
        int(last.map(|last| now.saturating_sub(last).max(0))),
        text(problem),
    ])
}
