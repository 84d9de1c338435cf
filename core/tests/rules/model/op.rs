//! Writes as clients send them, and what they are answered with.

use leaderboard_core::board::Condition;

use super::Name;
use super::score::Score;

#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    Add(Score, Name),
    Roll(Score, Name),
    Set(Score, Name, Condition),
    Many(Vec<(Score, Name)>),
    SetMany(Vec<(Score, Name)>),
    Vote(i64, Name),
    VoteMany(Vec<(i64, Name)>),
}

impl Op {
    /// What it gives to whom.
    pub fn pairs(&self) -> Vec<(Score, Name)> {
        match self {
            Op::Add(score, name) | Op::Roll(score, name) | Op::Set(score, name, _) => {
                vec![(score.clone(), name.clone())]
            }
            Op::Many(pairs) | Op::SetMany(pairs) => pairs.clone(),
            Op::Vote(votes, name) => vec![(vec![*votes], name.clone())],
            Op::VoteMany(votes) => votes.iter().map(|(votes, name)| (vec![*votes], name.clone())).collect(),
        }
    }

    pub fn sets(&self) -> bool {
        matches!(self, Op::Set(..) | Op::SetMany(_))
    }

    /// Whether its answer tells where the member stood before.
    pub fn is_single(&self) -> bool {
        matches!(self, Op::Add(..) | Op::Roll(..) | Op::Set(..))
    }

    pub fn votes(&self) -> bool {
        matches!(self, Op::Vote(..) | Op::VoteMany(_))
    }
}

/// A write as a client sends it.
#[derive(Debug, Clone)]
pub struct Sent {
    pub op: Op,
    pub id: Option<Vec<u8>>,
    pub view: usize,
    pub meta: Option<Vec<u8>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fate {
    /// The board's now, and the moment of the event.
    Applied(u64, u64),
    Repeated,
    HeldBack,
}

/// Score and rank, or nothing.
pub type Position = Option<(Score, u64)>;

/// The answer to a write. Where it stood before is only told of one member whose write was applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub fate: Fate,
    pub now: Vec<Position>,
    pub before: Option<Position>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Refused {
    /// An error; where levels are to blame, one of these texts.
    Error(Vec<String>),
    /// The contract does not say what comes of it: it is not sent.
    Unsaid,
}
