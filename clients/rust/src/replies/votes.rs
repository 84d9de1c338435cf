//! The results of votes, and the options of a campaign.

use redis::Value;

use super::reading::{Fields, Items, Parsed, bytes, list, reply, signed, text, unsigned, yes_or_no};
use super::score::{applied, score};
use super::{Applied, Name, Score};

/// The result of a request to vote.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum VoteOutcome {
    /// The votes count. A repeated request also gives this, if its votes were counted before. Contains one item for
    /// each member of the request.
    Accepted(Vec<Applied>),
    /// A rule holds the votes back, and nothing has changed.
    HeldBack {
        /// The name of the rule; `closed` before OPENS and from CLOSES on.
        rule: String,
        /// The time in ms until the rule starts again; -1 if waiting does not help.
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

/// How much of a rule a voter has used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Quota {
    /// The name of the rule.
    pub rule: String,
    /// The number of votes counted in the present unit of time.
    pub used: u64,
    /// The number of votes allowed, including bonuses.
    pub max: u64,
    /// The time in ms until the rule starts again; -1 if it never does.
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

/// An option that can get votes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VotingOption {
    /// The name of the option.
    pub member: Name,
    /// How many shown votes one vote adds.
    pub weight: u64,
    /// The shown votes with which the option started.
    pub initial: i64,
    /// The text of the option.
    pub meta: Option<Vec<u8>>,
    /// The votes that were cast.
    pub real: Score,
    /// The votes that the public sees.
    pub shown: Score,
    /// The number of different voters.
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
