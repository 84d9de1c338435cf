//! The ranks in the replies to writes. A part only has its own members, so the ranks of the part are removed from the
//! reply. If the client wants ranks, the gateway asks all parts for them.

use redis::Value;
use tokio::time::Instant;

use crate::nodes::{RetryingClient, Transport};
use crate::spread::asked::{Asked, Row};
use crate::spread::change::members;
use crate::spread::gather;
use crate::spread::root::Root;

/// The places of the ranks in a reply: score, rank, applied, score before, rank before.
const RANKS: [usize; 2] = [1, 4];

/// The place of the flag that says whether the item was applied.
const APPLIED: usize = 2;

/// Replaces the ranks within a part by nil in a reply.
pub fn without_ranks(command: &str, mut value: Value) -> Value {
    for position in positions(command, &mut value) {
        for place in RANKS {
            set(position, place, Value::Nil);
        }
    }
    value
}

/// Sets the current ranks over all parts. They stay nil if the parts do not answer, because the write is already done.
pub async fn fill<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    mut value: Value,
    deadline: Instant,
) -> Value {
    let mut written = positions(asked.row.name, &mut value);
    if written.is_empty() {
        return value;
    }
    let words = question(root, asked);
    let question = words.first().and_then(|name| Row::of(name)).and_then(|row| Asked::read(row, &words).ok());
    let Some(question) = question else { return value };
    let Ok(Value::Array(told)) = gather::read(sender, root, &question, deadline).await else { return value };
    for (position, told) in written.iter_mut().zip(told) {
        if let Value::Array(told) = told
            && let Some(rank) = told.into_iter().next()
        {
            set(position, 1, rank);
        }
    }
    value
}

/// Returns how many items of a write were applied, from the reply with a position for each of them.
pub fn applied(command: &str, mut value: Value) -> Value {
    let is_applied = |position: &&mut Value| match position {
        Value::Array(position) => position.get(APPLIED) == Some(&Value::Int(1)),
        _ => false,
    };
    let applied = positions(command, &mut value).iter().filter(|position| is_applied(position)).count();
    Value::Int(i64::try_from(applied).unwrap_or(i64::MAX))
}

/// Returns a read of the ranks of all members that were written, in their order.
fn question(root: &Root, asked: &Asked<'_>) -> Vec<Vec<u8>> {
    let members = members(asked);
    let count = members.len().to_string().into_bytes();
    let mut words = vec![b"LB.MSCORE".to_vec(), root.name.clone()];
    if let Some(view) = view(root, asked) {
        words.extend([b"VIEW".to_vec(), view]);
    }
    words.extend([b"MEMBERS".to_vec(), count]);
    words.extend(members.into_iter().map(<[u8]>::to_vec));
    words
}

/// Returns the view of the reply, or `None` for the default view.
fn view(root: &Root, asked: &Asked<'_>) -> Option<Vec<u8>> {
    if asked.row.name != "LB.ROLLADD" {
        return asked.value("VIEW").map(<[u8]>::to_vec);
    }
    match asked.values("WINDOW") {
        Some([count, unit]) => Some([unit, b":".as_slice(), count].concat()),
        _ => root
            .specs
            .iter()
            .find(|spec| spec.kind.is_rolling())
            .map(|spec| spec.kind.to_string().into_bytes()),
    }
}

/// Returns the reply for each member, within the reply to a write.
fn positions<'v>(command: &str, value: &'v mut Value) -> Vec<&'v mut Value> {
    match (command, value) {
        ("LB.ADD" | "LB.ROLLADD" | "LB.SET", value @ Value::Array(_)) => vec![value],
        ("LB.MADD" | "LB.MSET", Value::Array(all)) => all.iter_mut().collect(),
        ("LB.VOTE" | "LB.MVOTE", Value::Array(verdict)) => match verdict.as_mut_slice() {
            [Value::Int(1), Value::Array(all)] => all.iter_mut().collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn set(position: &mut Value, place: usize, value: Value) {
    if let Value::Array(position) = position
        && let Some(rank) = position.get_mut(place)
    {
        *rank = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_ends_in_a_millisecond_is_no_applied_vote() {
        let held_back = vec![Value::Int(0), Value::BulkString(b"daily".to_vec()), Value::Int(1)];
        assert_eq!(applied("LB.MVOTE", Value::Array(held_back)), Value::Int(0));
        let row = |applied| Value::Array(vec![Value::Int(0), Value::Int(7), Value::Int(applied)]);
        let rows = Value::Array(vec![row(1), row(0), row(1)]);
        assert_eq!(applied("LB.MVOTE", Value::Array(vec![Value::Int(1), rows.clone()])), Value::Int(2));
        assert_eq!(applied("LB.MADD", rows), Value::Int(2));
    }
}
