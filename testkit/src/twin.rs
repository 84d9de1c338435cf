//! Saves and loads a board, a league or a counter.

use leaderboard_core::league::League;
use leaderboard_core::{Board, Counter, NativeType};

/// A value that can be saved, loaded and checked.
pub trait Twin: NativeType {
    /// Panics if the value is inconsistent.
    fn look_over(&self);
}

impl Twin for Board {
    fn look_over(&self) {
        self.check();
    }
}

impl Twin for League {
    fn look_over(&self) {
        self.check();
    }
}

impl Twin for Counter {
    /// Does nothing: a counter has no check of its own, because reads return its whole state.
    fn look_over(&self) {}
}

/// Returns the chunks that a value is saved as.
pub fn saved(value: &impl NativeType) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    value.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

/// Returns the value that is loaded from these chunks. Panics if they are invalid.
pub fn loaded<T: Twin>(chunks: &[Vec<u8>]) -> T {
    let (head, rest) = chunks.split_first().unwrap();
    let mut value = T::load(head).unwrap();
    for (number, chunk) in rest.iter().enumerate() {
        assert_eq!(value.load_chunk(chunk), Ok(number + 1 == rest.len()));
    }
    assert!(!value.is_loading());
    value.look_over();
    value
}
