//! Any chunks load into a sound board or are refused without a trace.
#![no_main]

use arbitrary::Arbitrary;
use leaderboard_core::board::Write;
use leaderboard_core::schema::Ranks;
use leaderboard_core::time::Origin;
use leaderboard_core::{Board, Decimal, Schema};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
enum Head<'a> {
    /// That of an empty board, so that the other chunks are reached at all.
    Sound,
    /// A sound one with some bytes changed.
    Changed([(u8, u8); 3]),
    Any(&'a [u8]),
}

#[derive(Debug, Arbitrary)]
struct Chunk<'a> {
    kind: u8,
    body: &'a [u8],
}

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    head: Head<'a>,
    chunks: Vec<Chunk<'a>>,
}

fn saved(board: &Board) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    board.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

fn head(kind: &Head) -> Vec<u8> {
    let mut sound = Board::new(Schema::default()).map(|board| saved(&board).remove(0)).unwrap();
    match kind {
        Head::Any(bytes) => return bytes.to_vec(),
        Head::Sound => {}
        Head::Changed(changes) => {
            for (at, byte) in changes {
                let len = sound.len();
                sound[usize::from(*at) % len] = *byte;
            }
        }
    }
    sound
}

fn load(input: &Input) -> Option<Board> {
    let mut board = Board::load(&head(&input.head)).ok()?;
    for Chunk { kind, body } in &input.chunks {
        let before = saved(&board);
        // Few kinds, so that most of them exist.
        if board.absorb(&[&[kind % 8], *body].concat()).is_err() {
            assert!(saved(&board) == before, "a refused chunk left traces");
        }
        board.check();
    }
    Some(board)
}

fn reload(chunks: &[Vec<u8>]) -> Board {
    let mut board = Board::load(&chunks[0]).expect("a saved head");
    for (number, chunk) in chunks.iter().enumerate().skip(1) {
        assert_eq!(board.absorb(chunk), Ok(number + 1 == chunks.len()));
    }
    board.check();
    board
}

/// Writes to everybody there is, and to somebody new.
fn go_on(board: &mut Board) {
    let at = board.last().saturating_sub(1);
    let origin = Origin::Client { wall: board.last(), max_future: 60_000 };
    let rows = board.rows(0, u64::MAX, Ranks::Dense);
    let mut names: Vec<_> = rows.map(|row| board.name(row.id).to_vec()).collect();
    names.push(b"somebody new".to_vec());
    for name in names {
        let write = Write { at: Some(at), request: Some(&name), origin, with_change: true };
        let _ = board.add(&write, Decimal::whole(1), &name);
    }
    board.check();
}

fuzz_target!(|input: Input| {
    if let Some(mut board) = load(&input) {
        let chunks = saved(&board);
        assert!(saved(&reload(&chunks)) == chunks, "saved, loaded and saved it differs");
        go_on(&mut board);
        reload(&saved(&board));
    }
});
