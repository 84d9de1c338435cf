//! Winners, and claims of prizes.

use redis::Value;

use super::reading::{Items, Parsed, bytes, list, reply, signed, text, unsigned, yes_or_no};
use super::score::score;
use super::{Name, Score};

/// A winner of a period.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Winner {
    /// The rank, from 1: in the segment, for prizes of segments.
    pub rank: u64,
    /// The member.
    pub member: Name,
    /// The score.
    pub score: Score,
    /// The prize.
    pub prize: Name,
    /// When the prize was claimed, in milliseconds.
    pub claimed: Option<i64>,
    /// The segment, for prizes of segments.
    pub value: Option<Name>,
}

/// A page of the winners of a period.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WinnersPage {
    /// The cursor of the next page; 0 after the last page.
    pub cursor: u64,
    /// The winners. A page can have fewer of them than were asked for, also if it is not the last page.
    pub winners: Vec<Winner>,
}

/// A winner in a group of a league.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GroupWinner {
    /// The tier.
    pub tier: String,
    /// The group in its tier, from 1.
    pub group: u64,
    /// The rank in the group, from 1.
    pub rank: u64,
    /// The member.
    pub member: Name,
    /// The score.
    pub score: Score,
    /// The prize.
    pub prize: Name,
    /// When the prize was claimed, in milliseconds.
    pub claimed: Option<i64>,
}

/// A page of the winners of a period of a league.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GroupWinnersPage {
    /// The cursor of the next page; 0 after the last page.
    pub cursor: u64,
    /// The winners. A page can have fewer of them than were asked for, also if it is not the last page.
    pub winners: Vec<GroupWinner>,
}

/// The answer to a claim.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The prize.
    pub prize: Name,
    /// The rank, from 1.
    pub rank: u64,
    /// Whether this is the first claim of the prize, or a repetition of it with the same id: pay then.
    pub is_first: bool,
    /// The segment, for prizes of segments.
    pub value: Option<Name>,
}

fn name(value: Value) -> Parsed<Name> {
    bytes(value).map(Name)
}

fn winner(value: Value) -> Parsed<Winner> {
    let mut items = Items::of(value)?;
    let winner = Winner {
        rank: items.next(unsigned)?,
        member: items.next(name)?,
        score: items.next(score)?,
        prize: items.next(name)?,
        claimed: items.next_optional(signed)?,
        value: items.last(name)?,
    };
    items.end().map(|()| winner)
}

fn group_winner(value: Value) -> Parsed<GroupWinner> {
    let mut items = Items::of(value)?;
    let winner = GroupWinner {
        tier: items.next(text)?,
        group: items.next(unsigned)?,
        rank: items.next(unsigned)?,
        member: items.next(name)?,
        score: items.next(score)?,
        prize: items.next(name)?,
        claimed: items.next_optional(signed)?,
    };
    items.end().map(|()| winner)
}

reply!(GroupWinnersPage, |value| {
    let mut items = Items::of(value)?;
    let cursor = items.next(unsigned)?;
    let winners = items.next(|winners| list(winners, group_winner))?;
    items.end().map(|()| GroupWinnersPage { cursor, winners })
});

reply!(WinnersPage, |value| {
    let mut items = Items::of(value)?;
    let cursor = items.next(unsigned)?;
    let winners = items.next(|winners| list(winners, winner))?;
    items.end().map(|()| WinnersPage { cursor, winners })
});

reply!(Claim, |value: Value| {
    let mut items = Items::of(value)?;
    let claim = Claim {
        prize: items.next(name)?,
        rank: items.next(unsigned)?,
        is_first: items.next(yes_or_no)?,
        value: items.last(name)?,
    };
    items.end().map(|()| claim)
});
