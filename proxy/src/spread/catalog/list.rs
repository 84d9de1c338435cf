//! `LB.PARTS`: what is in each part of a board, and what is wrong with it.

use leaderboard_core::catalog::Hold;
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use super::lost::{find, keys};
use super::pairs::layout;
use super::repair::root;
use super::survey::{Found, Held, expiries, hold, hold_parts};
use crate::nodes::{RetryingClient, Transport};
use crate::spread::layout::{Layout, Share};
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
    let root = match root {
        Some(root) => Some(with_layout(sender, name, root, deadline).await),
        None => None,
    };
    let (parts, keys) = match &root {
        Some(root) => {
            (Some(root.layout), (0..root.layout.count()).map(|part| root.layout.key(name, part)).collect())
        }
        None => {
            let found = find(sender, name, deadline).await?;
            let keys = keys(name, &found);
            let count = u16::try_from(keys.len()).ok().and_then(|count| Parts::new(count, "PARTS").ok());
            (count.map(Layout::from), keys)
        }
    };
    let Some(parts) = parts else { return Ok(Value::Nil) };
    let expiries = expiries(sender, &keys, deadline).await;
    let held = hold(sender, keys.clone(), deadline).await;
    let rows = (0_u16..).zip(keys).zip(held).zip(expiries).map(|(((number, key), held), expiry)| {
        let node = sender.transport().node(key_slot(&key));
        let share = parts.share(number);
        let mut problem = problem(root.as_ref(), share, &held);
        if let (None, Some(expiry)) = (&problem, expiry) {
            problem = Some(format!("the key expires in {expiry} ms"));
        }
        row(share.number, key, node, &held, problem)
    });
    Ok(Value::Array(rows.collect()))
}

/// Returns a root with its layout: the parts that are halves while it grows or shrinks.
async fn with_layout<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: Found,
    deadline: Instant,
) -> Found {
    let Some(target) = root.entry.target else { return root };
    let held = hold_parts(sender, name, target, deadline).await;
    Found { layout: layout(&root, target, &held), ..root }
}

fn problem(root: Option<&Found>, share: Share, held: &Held) -> Option<String> {
    let part = match held {
        Held::Silent => return Some("its node does not answer".to_owned()),
        Held::Refused(error) => return text(error),
        Held::Absent => return Some("it does not exist".to_owned()),
        Held::Root(_) | Held::Plain(_) | Held::Other => {
            return Some("its key holds something else".to_owned());
        }
        Held::Part(part) => part,
    };
    let Some(root) = root else { return Some("its root is lost".to_owned()) };
    if (part.parts, part.number) != (share.of, share.number) {
        return Some(format!("its key holds part {} of {}", part.number, part.parts.count()));
    }
    if part.entry.incarnation != root.entry.incarnation {
        return Some("it belongs to another board that had this name".to_owned());
    }
    if root.hash_over(share.of) != Some(part.hash) {
        return Some(format!("its rules are not those of the root, number {}", root.entry.revision));
    }
    part.entry.hold.map(|hold| match hold {
        Hold::Split { .. } => "it is being split or merged, and takes no writes".to_owned(),
        Hold::Copy { .. } => "it is a copy, or given away, and takes no writes yet".to_owned(),
    })
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
