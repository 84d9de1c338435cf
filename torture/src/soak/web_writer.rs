//! Clients that add points through HTTP. Each request has an id, and is repeated until it is acknowledged.

use std::ops::RangeInclusive;

use leaderboard_testkit::random::Random;
use serde_json::{Value, json};

use super::book::{Book, Entry};
use super::nodes::Board;
use super::shared::{Client, Shared};
use super::tries::{TRIES, rest, until_done};
use super::web::Web;

/// Writes of a batch, at most.
const BATCH: u64 = 20;

/// A writer through HTTP.
pub struct WebWriter<'a> {
    web: Web<'a>,
    book: Book,
}

impl<'a> WebWriter<'a> {
    /// A writer with a name of its own.
    pub fn new(shared: &'a Shared, name: &str, random: &mut Random) -> Self {
        Self { web: Web::new(shared, &shared.tokens.player), book: Book::new(name, random) }
    }

    /// Ends the work, and returns the book.
    pub fn close(self) -> Book {
        self.book
    }

    /// Adds points to a member within `most` tries. Returns how many it took.
    pub fn add(&mut self, board: &Board, most: usize) -> Result<usize, String> {
        let (id, entry) = (self.book.id(), self.book.enter(board));
        let path = format!("/boards/{}/members/{}/score", board.key, entry.member);
        let body = json!({ "points": entry.points });
        let send = || self.web.post(&path, Some(&id), &body)?.unless_away();
        let (added, tries) = until_done(most, send)?;
        expect_added(&format!("{path} {id}"), &added, &self.book.range(&entry), tries > 1)?;
        if self.book.random.percent(5) {
            let (again, _) = until_done(most, send)?;
            let expected = [&json!(entry.score.to_string()), &json!(false)];
            if [&again["score"], &again["applied"]] != expected {
                return Err(format!("{path} {id}, repeated: {again}, not {expected:?}"));
            }
        }
        Ok(tries)
    }

    /// Sends a batch, and repeats what was not carried out.
    fn batch(&mut self) -> Result<(), String> {
        let boards = &self.web.shared.boards;
        let mut writes: Vec<(Value, Entry)> = Vec::new();
        for _ in 0..1 + self.book.random.below(BATCH) {
            let board = self.book.random.pick(boards);
            let (id, entry) = (self.book.id(), self.book.enter(board));
            let op = json!({"op": "add", "key": board.key, "member": entry.member, "points": entry.points, "id": id});
            writes.push((op, entry));
        }
        let mut is_first = true;
        let send = || {
            let ops: Vec<&Value> = writes.iter().map(|(op, _)| op).collect();
            let Some(body) = self.web.post("/batch", None, &json!({ "ops": ops }))?.unless_away()? else {
                is_first = false;
                return Ok(None);
            };
            let results = body["results"].as_array().filter(|results| results.len() == writes.len());
            let results = results.ok_or_else(|| format!("not a result for each operation: {body}"))?;
            let is_whole = is_first && results.iter().all(|result| result["status"] == 200);
            let mut left = Vec::new();
            for ((op, entry), result) in writes.drain(..).zip(results) {
                match result["status"].as_u64() {
                    Some(503 | 504) => left.push((op, entry)),
                    // If a part of the batch was repeated, scores have grown meanwhile.
                    Some(200) if is_whole => {
                        expect_added(&op.to_string(), &result["body"], &self.book.range(&entry), false)?;
                    }
                    Some(200) => {}
                    _ => return Err(format!("{op}: {result}")),
                }
            }
            is_first = false;
            writes = left;
            Ok(writes.is_empty().then_some(()))
        };
        until_done(TRIES, send).map(|_| ())
    }

    /// Reads a member. Nobody else writes to it, so its score is known.
    fn look(&mut self) -> Result<(), String> {
        let board = self.book.random.pick(&self.web.shared.boards);
        let Some((member, score)) = self.book.any(board) else { return Ok(()) };
        let path = format!("/boards/{}/members/{member}", board.key);
        match self.web.get(&path)?.unless_away()? {
            Some(body) if body["score"].as_str() != Some(&score.to_string()) => {
                Err(format!("{path}: {body}, not {score}"))
            }
            _ => Ok(()),
        }
    }
}

impl Client for WebWriter<'_> {
    fn step(&mut self) -> Result<(), String> {
        rest(&mut self.book.random);
        match self.book.random.below(10) {
            0 => self.batch(),
            1 => self.look(),
            _ => {
                let boards = &self.web.shared.boards;
                let board = self.book.random.pick(boards);
                self.add(board, TRIES).map(|_| ())
            }
        }
    }
}

/// Checks the answer to a write. If it is repeated, an earlier try may have applied it.
fn expect_added(
    what: &str,
    added: &Value,
    scores: &RangeInclusive<i64>,
    is_repeated: bool,
) -> Result<(), String> {
    let score = added["score"].as_str().and_then(|score| score.parse().ok());
    let is_score_right = score.is_some_and(|score: i64| scores.contains(&score));
    if is_score_right && (is_repeated || added["applied"] == true) {
        return Ok(());
    }
    Err(format!("{what}, repeated: {is_repeated}: {added}, not {scores:?}"))
}
