//! Any chunks load into a sound board or are refused without a trace.
#![no_main]

use arbitrary::Arbitrary;
use leaderboard_core::board::{When, Write};
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::time::Origin;
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Decimal, Schema};
use libfuzzer_sys::fuzz_target;

/// What a chunk of an ended period begins with.
const PAST: u8 = 9;

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
    /// Whether there are views of periods, that have begun.
    views: bool,
    head: Head<'a>,
    chunks: Vec<Chunk<'a>>,
}

fn saved(board: &Board) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    board.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

/// An empty board, which has members no more but knows its periods.
fn empty(views: bool) -> Board {
    let kinds: &[&str] = if views { &["day:3", "all", "week"] } else { &["all"] };
    let kind = |name: &&str| Kind::parse(name.as_bytes()).expect("a view");
    let specs: Vec<_> = kinds.iter().map(kind).map(Spec::new).collect();
    let mut board = Board::new(Schema::default(), &specs).expect("sound rules");
    let origin = Origin::Client { wall: 1_700_000_000_000, max_future: 0 };
    let write = Write { at: None, request: None, origin, with_change: false, view: None };
    board.add(&write, Decimal::whole(1), b"ann").expect("a point");
    board.remove(b"ann");
    board
}

fn head(kind: &Head, views: bool) -> Vec<u8> {
    let mut sound = saved(&empty(views)).remove(0);
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
    let mut board = Board::load(&head(&input.head, input.views)).ok()?;
    // A chunk of an ended period is taken up when the next one shows that it was the last.
    let mut pending = false;
    for Chunk { kind, body } in &input.chunks {
        let before = saved(&board);
        // Few kinds, so that most of them exist.
        let kind = kind % 10;
        match board.absorb(&[&[kind], *body].concat()) {
            Ok(_) => pending = kind == PAST,
            Err(_) => assert!(pending || saved(&board) == before, "a refused chunk left traces"),
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
    let rows = board.read(None, When::Now, Tally::Shown).expect("a view").rows(0, u64::MAX, Ranks::Dense);
    let mut names: Vec<_> = rows.map(|row| board.name(row.id).to_vec()).collect();
    names.push(b"somebody new".to_vec());
    for name in names {
        let write = Write { at: Some(at), request: Some(&name), origin, with_change: true, view: None };
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
