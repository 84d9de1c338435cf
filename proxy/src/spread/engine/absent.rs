//! A key that seems to be absent may be the key of a root that is lost. So the gateway looks for the parts of a board
//! before a client gets the reply of an absent key, and before a write makes a board.

use redis::Value;

use crate::nodes::Command;
use crate::spread::asked::{Asked, Row};
use crate::spread::refusal::is_no_board;

/// The words that make a write require a whole board in its key.
const WHOLE: [&[u8]; 2] = [b"PARTS", b"1"];

/// Returns the place of the words that make a write require a whole board, if the write could make a board.
pub fn guard(asked: &Asked<'_>, words: &[Vec<u8>]) -> Option<usize> {
    let is_guarded = asked.row.makes_board() && asked.row.takes_parts();
    is_guarded.then(|| words.len().saturating_sub(asked.list.len()))
}

/// Adds the words that require a whole board, at this place.
pub fn add_guard(command: &mut Command, place: usize) {
    command.words.splice(place..place, WHOLE.map(<[u8]>::to_vec));
}

/// Takes the words away again. Returns the words of the client.
pub fn without_guard(mut words: Vec<Vec<u8>>, place: Option<usize>) -> Vec<Vec<u8>> {
    if let Some(place) = place {
        words.drain(place..place.saturating_add(WHOLE.len()).min(words.len()));
    }
    words
}

/// Returns whether this may be the reply to a command whose key is absent.
pub fn may_be_absent(row: &Row, value: &Value) -> bool {
    is_no_board(value) || (!row.makes_board() && is_empty(value))
}

/// Returns whether a reply has no data: all of its values are nil, 0 or empty. The cursor behind the last page is the text
/// 0.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Nil | Value::Int(0) => true,
        Value::BulkString(text) => text.is_empty() || text == b"0",
        Value::Array(all) => all.iter().all(is_empty),
        Value::Map(all) => all.iter().all(|(_, value)| is_empty(value)),
        _ => false,
    }
}
