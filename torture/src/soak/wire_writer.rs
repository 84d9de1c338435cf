//! Clients that add points through the RESP door, in pipelines. Each request has an id, and is repeated until it is acknowledged.

use leaderboard_testkit::random::Random;
use redis::Value;

use super::book::{Book, Entry};
use super::nodes::Board;
use super::shared::{Client, Shared};
use super::tries::{TRIES, rest, until_done};
use super::wire::{Answer, Wire};

/// Commands of a pipeline, and members of one command, at most.
const PIPELINE: u64 = 40;
const LIST: u64 = 8;

/// A write of the RESP door.
struct Write {
    words: Vec<String>,
    expected: Expected,
}

/// The reply to a first try.
enum Expected {
    /// The score with this entry, which was applied.
    Score(Entry),
    /// The number of applied items.
    Applied(i64),
    /// A list with this number of items.
    Items(usize),
}

/// A writer through the RESP door.
pub struct WireWriter<'a> {
    shared: &'a Shared,
    wire: Wire<'a>,
    book: Book,
}

impl<'a> WireWriter<'a> {
    /// A writer with a name of its own.
    pub fn new(shared: &'a Shared, name: &str, random: &mut Random) -> Self {
        Self { shared, wire: Wire::new(shared), book: Book::new(name, random) }
    }

    /// Ends the work, and returns the book.
    pub fn close(self) -> Book {
        self.book
    }

    /// Sends a write to a board within `most` tries. Returns how many it took.
    pub fn add(&mut self, board: &Board, most: usize) -> Result<usize, String> {
        let write = self.draw(board);
        self.send(vec![write], most)
    }

    /// Sends writes in a pipeline, and repeats those without a reply, in their order.
    fn send(&mut self, mut writes: Vec<Write>, most: usize) -> Result<usize, String> {
        let mut is_first = true;
        let (wire, book) = (&mut self.wire, &self.book);
        let attempt = || {
            let commands: Vec<_> = writes.iter().map(|write| write.words.clone()).collect();
            let answers = wire.ask(&commands)?;
            let is_whole = is_first && answers.iter().all(|answer| matches!(answer, Answer::Good(_)));
            let mut left = Vec::new();
            for (write, answer) in writes.drain(..).zip(answers) {
                match answer {
                    Answer::Away => left.push(write),
                    // If a part of the pipeline was repeated, scores have grown meanwhile.
                    Answer::Good(reply) if is_whole => expect_reply(book, &write, &reply)?,
                    Answer::Good(_) => {}
                }
            }
            is_first = false;
            writes = left;
            Ok(writes.is_empty().then_some(()))
        };
        until_done(most, attempt).map(|(_, tries)| tries)
    }

    fn draw(&mut self, board: &Board) -> Write {
        let (id, key) = (self.book.id(), board.key.clone());
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let count = if self.book.random.percent(80) { 1 } else { 2 + self.book.random.below(LIST - 1) };
        let entries: Vec<Entry> = (0..count).map(|_| self.book.enter(board)).collect();
        let is_quiet = self.book.random.percent(50);
        let mut command = match &entries[..] {
            [one] => words(&["LB.ADD", &key, &one.points.to_string(), &one.member, "ID", &id]),
            _ => words(&["LB.MADD", &key, "ID", &id]),
        };
        if is_quiet {
            command.push("QUIET".to_owned());
        }
        if count > 1 {
            command.extend(entries.iter().flat_map(|entry| [entry.points.to_string(), entry.member.clone()]));
        }
        let expected = match (is_quiet, &entries[..]) {
            (true, _) => Expected::Applied(count as i64),
            (false, [one]) => Expected::Score(one.clone()),
            (false, _) => Expected::Items(entries.len()),
        };
        Write { words: command, expected }
    }

    /// Reads a member. Nobody else writes to it, so its score is known.
    fn look(&mut self) -> Result<(), String> {
        let board = self.book.random.pick(&self.shared.boards);
        let Some((member, score)) = self.book.any(board) else { return Ok(()) };
        let command = ["LB.SCORE", &board.key, &member].map(str::to_owned).to_vec();
        match &self.wire.ask(&[command])?[..] {
            [Answer::Good(reply)] if *reply != Value::Int(score) => {
                Err(format!("{} {member}: {reply:?}, not {score}", board.key))
            }
            _ => Ok(()),
        }
    }
}

impl Client for WireWriter<'_> {
    fn step(&mut self) -> Result<(), String> {
        rest(&mut self.book.random);
        if self.book.random.percent(10) {
            return self.look();
        }
        let count = 1 + self.book.random.below(PIPELINE);
        let shared = self.shared;
        let mut draw = |_| {
            let board = self.book.random.pick(&shared.boards);
            self.draw(board)
        };
        let writes = (0..count).map(&mut draw).collect();
        self.send(writes, TRIES).map(|_| ())
    }
}

fn expect_reply(book: &Book, write: &Write, reply: &Value) -> Result<(), String> {
    let is_right = match (&write.expected, reply) {
        // The rank of a spread board is nil.
        (Expected::Score(entry), Value::Array(items)) => match &items[..] {
            [Value::Int(found), _, Value::Int(1)] => book.range(entry).contains(found),
            _ => false,
        },
        (Expected::Applied(count), Value::Int(applied)) => count == applied,
        (Expected::Items(count), Value::Array(items)) => items.len() == *count,
        _ => false,
    };
    if is_right { Ok(()) } else { Err(format!("{:?}: {reply:?}", write.words)) }
}
