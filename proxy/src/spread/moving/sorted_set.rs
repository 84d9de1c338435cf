//! Reads a sorted set of one node, page by page. A page continues behind a member with its score, and not at a rank: members
//! can enter or leave between two pages.

use std::cmp::Ordering;

use leaderboard_commands::cursor::Cursor;
use redis::Value;
use tokio::time::Instant;

use crate::nodes::{Command, Transport};
use crate::spread::engine::Engine;
use crate::spread::refusal::{Effect, error, unanswered};
use crate::spread::root::key_slot;

/// How often a place is searched, if the sorted set changes during the search.
const TRIES: u32 = 8;

/// A member and its score.
pub type Row = (f64, Vec<u8>);

/// A sorted set, and the end from which it is read.
pub struct SortedSet<'a, T> {
    pub engine: &'a Engine<T>,
    pub key: &'a [u8],
    /// Whether it is read from the greatest score.
    pub is_down: bool,
    pub deadline: Instant,
}

impl<T: Transport> SortedSet<'_, T> {
    /// Returns up to `count` members behind a cursor, and the cursor behind them. A page without members is the end. All
    /// members of a page come from one answer, so none of them is missing.
    ///
    /// # Errors
    /// The reply with the reason.
    pub async fn page(&self, cursor: &Cursor, count: u64) -> Result<(Vec<Row>, Cursor), Value> {
        // One row before the page shows that no row was passed, and one behind it that there are more.
        let most = count.saturating_add(2);
        for attempt in 0..TRIES {
            let from = self.likely_place(cursor, attempt).await?;
            let rows = self.rows(from, most).await?;
            let is_whole = (rows.len() as u64) < most;
            let is_anchored = from == 0 || rows.first().is_some_and(|row| !self.is_behind(row, cursor));
            let mut page: Vec<_> = rows.into_iter().filter(|row| self.is_behind(row, cursor)).collect();
            if !is_anchored || (page.is_empty() && !is_whole) {
                continue;
            }
            let is_end = is_whole && page.len() as u64 <= count;
            page.truncate(usize::try_from(count).unwrap_or(usize::MAX));
            let last = page.last().filter(|_| !is_end);
            let next = last.map_or(Cursor::End, |(score, member)| Cursor::Behind(*score, member.clone()));
            return Ok((page, next));
        }
        Err(error("ERR the sorted set changes too fast to find the place of CURSOR"))
    }

    /// Returns a place at which a page may begin: that of the cursor's member, which is probably still there.
    async fn likely_place(&self, cursor: &Cursor, attempt: u32) -> Result<u64, Value> {
        let Cursor::Behind(_, member) = cursor else { return Ok(0) };
        if attempt == 0 {
            let rank = if self.is_down { "ZREVRANK" } else { "ZRANK" };
            if let Value::Int(rank) = self.ask(rank, [member.clone()]).await? {
                return Ok(u64::try_from(rank).unwrap_or_default());
            }
        }
        Ok(self.up_to(cursor).await?.saturating_sub(1))
    }

    /// Returns how many members are not behind the cursor.
    async fn up_to(&self, cursor: &Cursor) -> Result<u64, Value> {
        let Value::Int(members) = self.ask("ZCARD", []).await? else { return Ok(0) };
        let (mut low, mut high) = (0, u64::try_from(members).unwrap_or_default());
        while low < high {
            let middle = low.midpoint(high);
            let rows = self.rows(middle, 1).await?;
            let is_before = rows.first().is_some_and(|row| !self.is_behind(row, cursor));
            (low, high) = if is_before { (middle.saturating_add(1), high) } else { (low, middle) };
        }
        Ok(low)
    }

    fn is_behind(&self, (score, member): &Row, cursor: &Cursor) -> bool {
        let Cursor::Behind(of, name) = cursor else { return true };
        let order = score.partial_cmp(of).unwrap_or(Ordering::Equal).then_with(|| member.cmp(name));
        if self.is_down { order.is_lt() } else { order.is_gt() }
    }

    /// Returns rows from a place on.
    async fn rows(&self, from: u64, count: u64) -> Result<Vec<Row>, Value> {
        let name = if self.is_down { "ZREVRANGE" } else { "ZRANGE" };
        let last = from.saturating_add(count).saturating_sub(1);
        let [from, last] = [from, last].map(|place| place.to_string().into_bytes());
        let answer = self.ask(name, [from, last, b"WITHSCORES".to_vec()]).await?;
        rows(answer).ok_or_else(|| error("ERR the rows of the sorted set are not understood"))
    }

    async fn ask<const N: usize>(&self, name: &str, arguments: [Vec<u8>; N]) -> Result<Value, Value> {
        let words = [name.as_bytes().to_vec(), self.key.to_vec()].into_iter().chain(arguments).collect();
        let command = Command { slot: Some(key_slot(self.key)), words, repeatable: true };
        match self.engine.one(command, self.deadline).await {
            Ok(refused @ Value::ServerError(_)) => Err(refused),
            Ok(value) => Ok(value),
            Err(failure) => Err(unanswered(&failure, None, Effect::Nothing)),
        }
    }
}

/// Reads rows. They are pairs in RESP3, and a flat list in RESP2.
fn rows(answer: Value) -> Option<Vec<Row>> {
    let Value::Array(values) = answer else { return None };
    let mut flat = Vec::with_capacity(values.len().saturating_mul(2));
    for value in values {
        match value {
            Value::Array(pair) => flat.extend(pair),
            value => flat.push(value),
        }
    }
    let pairs = flat.chunks(2).map(|pair| match pair {
        [Value::BulkString(member), score] => Some((double(score)?, member.clone())),
        _ => None,
    });
    pairs.collect()
}

fn double(value: &Value) -> Option<f64> {
    match value {
        Value::Double(score) => Some(*score),
        Value::BulkString(text) => std::str::from_utf8(text).ok()?.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_in_both_protocols() {
        let word = |text: &str| Value::BulkString(text.into());
        let expected = Some(vec![(0.5, b"a".to_vec()), (f64::INFINITY, b"b".to_vec())]);
        let flat = Value::Array(vec![word("a"), word("0.5"), word("b"), word("inf")]);
        assert_eq!(rows(flat), expected);
        let pair = |name: &str, score| Value::Array(vec![word(name), Value::Double(score)]);
        assert_eq!(rows(Value::Array(vec![pair("a", 0.5), pair("b", f64::INFINITY)])), expected);
        assert_eq!(rows(Value::Array(vec![word("a")])), None);
        assert_eq!(rows(Value::Nil), None);
    }
}
