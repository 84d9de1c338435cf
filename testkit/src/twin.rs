//! A board, a league or a counter that was saved and loaded again.

use leaderboard_core::league::League;
use leaderboard_core::{Board, Counter, NativeType};

/// What can be saved, and can tell when something about it is wrong.
pub trait Twin: NativeType {
    /// Panics if it is.
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
    /// All there is to it can be read.
    fn look_over(&self) {}
}

/// The chunks that it is saved as.
pub fn saved(value: &impl NativeType) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    value.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

/// What chunks are loaded as.
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
