//! What a writer has written: it alone writes to its members, so it knows their scores.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use leaderboard_testkit::random::Random;

use super::nodes::Board;

/// Members of a writer on each board.
const MEMBERS: u64 = 300;
const MOST_POINTS: u64 = 100;

/// Scores of members by the key of their board.
pub type Scores = BTreeMap<String, BTreeMap<String, i64>>;

/// Points for a member, and the member's score when they are counted.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key of the board.
    pub key: String,
    /// The member.
    pub member: String,
    /// The points.
    pub points: i64,
    /// The member's score with these points.
    pub score: i64,
}

/// A writer's choices, and the scores that come of them.
pub struct Book {
    name: String,
    /// Where the choices come from.
    pub random: Random,
    requests: u64,
    scores: Scores,
}

impl Book {
    /// The book of the writer with this name.
    pub fn new(name: &str, random: &mut Random) -> Self {
        let name = name.to_owned();
        Self { name, random: Random::new(random.number()), requests: 0, scores: Scores::new() }
    }

    /// Returns an id that no other request has.
    pub fn id(&mut self) -> String {
        self.requests += 1;
        format!("{}-{}", self.name, self.requests)
    }

    /// Chooses points for a member, and notes them. The writer repeats the request until it is acknowledged.
    pub fn enter(&mut self, board: &Board) -> Entry {
        let member = format!("{}-{}", self.name, self.random.below(MEMBERS));
        let points = 1 + self.random.below(MOST_POINTS) as i64;
        let key = board.key.clone();
        let score = self.scores.entry(key.clone()).or_default().entry(member.clone()).or_default();
        *score += points;
        Entry { key, member, points, score: *score }
    }

    /// Returns the scores that the answer to a first try of many writes at once can have. The gateway may have repeated a write whose
    /// answer was lost. Then the score is as of the last attempt, with points of later writes.
    pub fn range(&self, entry: &Entry) -> RangeInclusive<i64> {
        let last = self.scores.get(&entry.key).and_then(|scores| scores.get(&entry.member));
        entry.score..=last.copied().unwrap_or(entry.score)
    }

    /// Returns a member with its score.
    pub fn any(&mut self, board: &Board) -> Option<(String, i64)> {
        let scores = self.scores.get(&board.key).filter(|scores| !scores.is_empty())?;
        let number = self.random.below(scores.len() as u64) as usize;
        scores.iter().nth(number).map(|(member, score)| (member.clone(), *score))
    }

    /// Returns all scores.
    pub fn close(self) -> Scores {
        self.scores
    }
}

/// Returns the scores of all books.
pub fn joined(books: impl IntoIterator<Item = Scores>) -> Scores {
    let mut all = Scores::new();
    for (key, scores) in books.into_iter().flatten() {
        all.entry(key).or_default().extend(scores);
    }
    all
}
