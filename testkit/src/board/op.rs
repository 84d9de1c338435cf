//! Writes as clients send them, and what they are answered with.

use leaderboard_core::board::Condition;

use super::Name;
use super::score::Score;

/// What a write does.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    /// LB.ADD
    Add(Score, Name),
    /// LB.ROLLADD
    Roll(Score, Name),
    /// LB.SET
    Set(Score, Name, Condition),
    /// LB.MADD
    Many(Vec<(Score, Name)>),
    /// LB.MSET
    SetMany(Vec<(Score, Name)>),
    /// LB.VOTE
    Vote(i64, Name),
    /// LB.MVOTE
    VoteMany(Vec<(i64, Name)>),
}

impl Op {
    /// The scores and the members to which the operation gives them.
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

    /// Whether the operation sets scores.
    pub fn sets(&self) -> bool {
        matches!(self, Op::Set(..) | Op::SetMany(_))
    }

    /// Whether the answer has the member's position before the write.
    pub fn is_single(&self) -> bool {
        matches!(self, Op::Add(..) | Op::Roll(..) | Op::Set(..))
    }

    /// Whether the operation is a vote.
    pub fn votes(&self) -> bool {
        matches!(self, Op::Vote(..) | Op::VoteMany(_))
    }
}

/// A write as a client sends it.
#[derive(Debug, Clone)]
pub struct Sent {
    /// What the write does.
    pub op: Op,
    /// The request id.
    pub id: Option<Vec<u8>>,
    /// The number of the view that the answer is about.
    pub view: usize,
    /// The text that the member gets.
    pub meta: Option<Vec<u8>>,
}

/// What became of a write.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fate {
    /// The board's time, and the moment of the event.
    Applied(u64, u64),
    /// The write was applied before.
    Repeated,
    /// The condition of the write is false.
    HeldBack,
}

/// Score and rank, or nothing.
pub type Position = Option<(Score, u64)>;

/// The answer to a write. The position before the write is only given for a write of one member that was applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// What became of it.
    pub fate: Fate,
    /// The positions of the write's members after the write.
    pub now: Vec<Position>,
    /// The position of the only member before the write, if the write was applied.
    pub before: Option<Position>,
}

/// Why a write was not applied.
#[derive(Debug, Clone, PartialEq)]
pub enum Refused {
    /// An error; where levels are to blame, one of these texts.
    Error(Vec<String>),
    /// The contract does not say what comes of it: it is not sent.
    Unsaid,
}
