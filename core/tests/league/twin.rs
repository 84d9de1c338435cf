//! A league that was saved and loaded again.

use leaderboard_core::NativeType;
use leaderboard_core::league::League;

/// The chunks that a league is saved as.
pub fn saved(league: &League) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    league.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

/// The league that chunks are loaded as.
pub fn loaded(chunks: &[Vec<u8>]) -> League {
    let (head, rest) = chunks.split_first().unwrap();
    let mut league = League::load(head).unwrap();
    for (number, chunk) in rest.iter().enumerate() {
        assert_eq!(league.load_chunk(chunk), Ok(number + 1 == rest.len()));
    }
    assert!(!league.is_loading());
    league.check();
    league
}
