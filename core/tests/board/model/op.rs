//! What a write asks for, and what is answered.

use leaderboard_core::board::{Condition, Effect, Position};
use leaderboard_core::{Error, Schema};
use leaderboard_testkit::name::Name;

use super::limit::Ballot;

/// Points as a client sends them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Points {
    /// So many smallest units of the board.
    Units(i64),
    /// A number with one digit more than the board keeps.
    TooFine,
}

impl Points {
    pub fn units(self) -> i128 {
        match self {
            Self::Units(units) => units.into(),
            Self::TooFine => unreachable!("refused before"),
        }
    }
}

/// What a write asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    Add(Points, Name),
    /// Adds, and is answered with the position in a rolling view.
    Roll(Points, Name),
    Set(Points, Name, Condition),
    Many(Vec<(Points, Name)>),
    Vote(Ballot, u64, Name),
    VoteMany(Ballot, Vec<(u64, Name)>),
}

impl Op {
    /// Whether all its numbers can be scores of the board.
    pub fn check(&self, schema: &Schema) -> Result<(), Error> {
        let (argument, points) = match self {
            Self::Add(points, _) | Self::Roll(points, _) => ("points", vec![*points]),
            Self::Set(points, ..) => ("score", vec![*points]),
            Self::Many(pairs) => ("points", pairs.iter().map(|pair| pair.0).collect()),
            Self::Vote(..) | Self::VoteMany(..) => return Ok(()),
        };
        match points.contains(&Points::TooFine) {
            true => Err(Error::TooManyDigits(argument, schema.decimals)),
            false => Ok(()),
        }
    }

    /// What has to be the same in a retry: not the tags.
    pub fn printed(&self) -> Self {
        let plain = |ballot: &Ballot| Ballot { tags: Vec::new(), ..ballot.clone() };
        match self {
            Self::Vote(ballot, votes, name) => Self::Vote(plain(ballot), *votes, name.clone()),
            Self::VoteMany(ballot, votes) => Self::VoteMany(plain(ballot), votes.clone()),
            op => op.clone(),
        }
    }

    /// The ballot and the votes, if it is a vote.
    pub fn votes(&self) -> Option<(&Ballot, Vec<(u64, Name)>)> {
        match self {
            Self::Vote(ballot, votes, name) => Some((ballot, vec![(*votes, name.clone())])),
            Self::VoteMany(ballot, votes) => Some((ballot, votes.clone())),
            _ => None,
        }
    }

    /// Whose positions are answered.
    pub fn names(&self) -> Vec<&Name> {
        match self {
            Self::Add(_, name) | Self::Roll(_, name) | Self::Set(_, name, _) | Self::Vote(.., name) => {
                vec![name]
            }
            Self::Many(pairs) => pairs.iter().map(|pair| &pair.1).collect(),
            Self::VoteMany(_, votes) => votes.iter().map(|vote| &vote.1).collect(),
        }
    }

    /// Whether it names a list, whose positions before are never told.
    pub fn is_list(&self) -> bool {
        matches!(self, Self::Many(_) | Self::VoteMany(..))
    }
}

/// A write on its way to a board.
#[derive(Debug, Clone)]
pub struct Sent {
    pub op: Op,
    pub id: Option<Vec<u8>>,
    /// The number of the view whose positions are answered.
    pub view: usize,
    pub with_change: bool,
}

/// What is answered, where it is no error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    Done { effect: Effect, now: Vec<Option<Position>>, before: Option<Position> },
    HeldBack(String, Option<u64>),
}
