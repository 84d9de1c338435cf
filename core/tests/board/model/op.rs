//! Writes that the model gets, and their replies.

use leaderboard_core::board::{Condition, Effect, Position, Positions};
use leaderboard_core::{Error, Schema};
use leaderboard_testkit::name::Name;

use super::limit::Ballot;

/// Points as a client sends them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Points {
    /// A number of smallest units of the board.
    Units(i64),
    /// A number with one decimal more than the board allows.
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

/// A write, without its request id and its moment.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    Add(Points, Name),
    /// Adds points, like `Add`. The reply contains the position in a rolling view.
    Roll(Points, Name),
    Set(Points, Name, Condition),
    Many(Vec<(Points, Name)>),
    Vote(Ballot, u64, Name),
    VoteMany(Ballot, Vec<(u64, Name)>),
}

impl Op {
    /// Checks that the board has enough decimals for all numbers of the write.
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

    /// Returns the part of the write that must be the same in a retry: everything except the tags.
    pub fn printed(&self) -> Self {
        let plain = |ballot: &Ballot| Ballot { tags: Vec::new(), ..ballot.clone() };
        match self {
            Self::Vote(ballot, votes, name) => Self::Vote(plain(ballot), *votes, name.clone()),
            Self::VoteMany(ballot, votes) => Self::VoteMany(plain(ballot), votes.clone()),
            op => op.clone(),
        }
    }

    /// Returns the ballot and the votes, if the write is a vote.
    pub fn votes(&self) -> Option<(&Ballot, Vec<(u64, Name)>)> {
        match self {
            Self::Vote(ballot, votes, name) => Some((ballot, vec![(*votes, name.clone())])),
            Self::VoteMany(ballot, votes) => Some((ballot, votes.clone())),
            _ => None,
        }
    }

    /// Returns the members whose positions the reply contains.
    pub fn names(&self) -> Vec<&Name> {
        match self {
            Self::Add(_, name) | Self::Roll(_, name) | Self::Set(_, name, _) | Self::Vote(.., name) => {
                vec![name]
            }
            Self::Many(pairs) => pairs.iter().map(|pair| &pair.1).collect(),
            Self::VoteMany(_, votes) => votes.iter().map(|vote| &vote.1).collect(),
        }
    }

    /// Returns whether the write names a list of members. The reply to a list contains no positions before
    /// the write.
    pub fn is_list(&self) -> bool {
        matches!(self, Self::Many(_) | Self::VoteMany(..))
    }
}

/// A write with everything that is sent to a board, except its moment.
#[derive(Debug, Clone)]
pub struct Sent {
    pub op: Op,
    pub id: Option<Vec<u8>>,
    /// The number of the view whose positions the reply contains.
    pub view: usize,
    pub positions: Positions,
}

/// The reply to a write that is not an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    Done { effect: Effect, now: Vec<Option<Position>>, before: Option<Position> },
    HeldBack(String, Option<u64>),
}
