//! A board that was saved and loaded again, for the tests of boards against models.

use leaderboard_core::Board;

/// The chunks that a board is saved as.
pub fn saved(board: &Board) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    board.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

/// The board that chunks are loaded as.
pub fn loaded(chunks: &[Vec<u8>]) -> Board {
    let (head, rest) = chunks.split_first().unwrap();
    let mut board = Board::load(head).unwrap();
    for (number, chunk) in rest.iter().enumerate() {
        assert_eq!(board.load_chunk(chunk), Ok(number + 1 == rest.len()));
    }
    board.check();
    board
}
