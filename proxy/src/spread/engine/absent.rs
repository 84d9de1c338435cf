//! A key that seems to be absent may be the key of a root that is lost. So the gateway looks for the parts of a board
//! before a client gets the reply of an absent key, and before a write makes a board.

use redis::Value;

use crate::nodes::Command;
use crate::spread::asked::{Asked, Row};
use crate::spread::change;
use crate::spread::refusal::is_no_board;

/// The words that make a write require a whole board in its key.
const WHOLE: [&[u8]; 2] = [b"PARTS", b"1"];

/// Words that the gateway adds to a write that is sent to its key.
#[derive(Debug, Clone, Default)]
pub struct Added {
    /// The place of the words.
    place: usize,
    words: Vec<Vec<u8>>,
    /// Whether the words require that the key holds a whole board.
    pub is_guarded: bool,
}

/// Returns the words that a write gets: those that require a whole board, if the write could make a board and
/// `is_guarded` is true, and the number of the attempt, if the write has an id.
pub fn added(asked: &Asked<'_>, words: &[Vec<u8>], is_guarded: bool) -> Added {
    let is_guarded = is_guarded && asked.row.makes_board() && asked.row.takes("PARTS");
    let whole = WHOLE.iter().filter(|_| is_guarded).map(|word| word.to_vec());
    let more = whole.chain(change::attempt(asked).into_iter().flatten()).collect();
    Added { place: words.len().saturating_sub(asked.list.len()), words: more, is_guarded }
}

impl Added {
    /// Adds the words.
    pub fn add(&self, command: &mut Command) {
        if !self.words.is_empty() {
            command.words.splice(self.place..self.place, self.words.iter().cloned());
        }
    }

    /// Takes the words away again. Returns the words of the client.
    pub fn take_away(&self, mut words: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        words.drain(self.place..self.place.saturating_add(self.words.len()).min(words.len()));
        words
    }
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
