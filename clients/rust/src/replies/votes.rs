//! What came of votes, and the options of a campaign.

use redis::Value;

use super::reading::{Fields, Items, Parsed, bytes, list, reply, signed, text, unsigned, yes_or_no};
use super::score::{applied, score};
use super::{Applied, Name, Score};

/// What came of a request to vote.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum VoteOutcome {
    /// The votes count, or counted before if the request is repeated: one for each member given.
    Accepted(Vec<Applied>),
    /// A rule holds them back, and nothing has changed.
    HeldBack {
        /// The name of the rule; `closed` before OPENS and from CLOSES on.
        rule: String,
        /// The ms until the rule starts again; -1 if waiting does not help.
        retry_after_ms: i64,
    },
}

reply!(VoteOutcome, |value| {
    let mut items = Items::of(value)?;
    let outcome = if items.next(yes_or_no)? {
        VoteOutcome::Accepted(items.next(|positions| list(positions, applied))?)
    } else {
        VoteOutcome::HeldBack { rule: items.next(text)?, retry_after_ms: items.next(signed)? }
    };
    items.end().map(|()| outcome)
});

/// What a voter has used of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Quota {
    /// The name of the rule.
    pub rule: String,
    /// Votes counted in this period.
    pub used: u64,
    /// Votes allowed, with bonuses.
    pub max: u64,
    /// The ms until the rule starts again; -1 if never.
    pub ms: i64,
}

reply!(Quota, |value| {
    let mut items = Items::of(value)?;
    let quota = Quota {
        rule: items.next(text)?,
        used: items.next(unsigned)?,
        max: items.next(unsigned)?,
        ms: items.next(signed)?,
    };
    items.end().map(|()| quota)
});

/// An option that can be voted for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VotingOption {
    /// Its name.
    pub member: Name,
    /// How many shown votes one vote adds.
    pub weight: u64,
    /// The shown votes that it started with.
    pub initial: i64,
    /// The text beside it.
    pub meta: Option<Vec<u8>>,
    /// The votes as they were cast.
    pub real: Score,
    /// The votes as the public sees them.
    pub shown: Score,
    /// How many different voters there were.
    pub voters: u64,
}

fn voting_option(value: Value) -> Parsed<VotingOption> {
    let mut fields = Fields::of(value)?;
    Ok(VotingOption {
        member: Name(fields.take("member", bytes)?),
        weight: fields.take("weight", unsigned)?,
        initial: fields.take("initial", signed)?,
        meta: fields.take_optional("meta", bytes)?,
        real: fields.take("real", score)?,
        shown: fields.take("shown", score)?,
        voters: fields.take("voters", unsigned)?,
    })
}

reply!(VotingOption, voting_option);

/// A page of the declared options.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OptionsPage {
    /// The cursor of the next page; 0 after the last page.
    pub cursor: u64,
    /// The options in the order in which they were declared.
    pub options: Vec<VotingOption>,
}

reply!(OptionsPage, |value| {
    let mut items = Items::of(value)?;
    let cursor = items.next(unsigned)?;
    let options = items.next(|options| list(options, voting_option))?;
    items.end().map(|()| OptionsPage { cursor, options })
});
