//! Sends writes to a board as the commands do.

use leaderboard_core::board::{Outcome, Verdict, Vote, Write};
use leaderboard_core::time::TimeSource;
use leaderboard_core::{Board, Decimal, Error, limits};

use crate::model::limit::Ballot;
use crate::model::{Op, Points, Sent, Told};

/// Removes the positions from a reply.
pub fn bare(told: Result<Told, Error>) -> Result<Told, Error> {
    told.map(|told| match told {
        Told::Done { effect, .. } => Told::Done { effect, now: Vec::new(), before: None },
        held_back => held_back,
    })
}

/// Calls a function with a ballot in the form that a board takes.
pub fn with_ballot<T>(ballot: &Ballot, act: impl FnOnce(&limits::Ballot) -> T) -> T {
    let tags: Vec<_> = ballot.tags.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
    act(&limits::Ballot { voter: ballot.voter.map(str::as_bytes), tags: &tags })
}

pub fn send(
    board: &mut Board,
    sent: &Sent,
    view: &str,
    at: Option<u64>,
    origin: TimeSource,
) -> Result<Told, Error> {
    let (request, positions) = (sent.id.as_deref(), sent.positions);
    // The model has no rules of scores.
    let force = true;
    let write = Write { at, request, positions, view: Some(view.as_bytes()), force, ..Write::new(origin) };
    let decimals = board.schema().decimals;
    Ok(match &sent.op {
        Op::Add(points, name) => one(board.add(&write, decimal(*points, decimals)?, name)?),
        Op::Roll(points, name) => one(board.roll_add(&write, None, decimal(*points, decimals)?, name)?),
        Op::Set(score, name, condition) => {
            one(board.set(&write, decimal(*score, decimals)?, name, *condition)?)
        }
        Op::Many(pairs) => {
            let pairs = pairs.iter().map(|(points, name)| Ok((decimal(*points, decimals)?, &name[..])));
            let (effect, now) = board.add_many(&write, &pairs.collect::<Result<Vec<_>, Error>>()?)?;
            Told::Done { effect, now, before: None }
        }
        Op::Vote(ballot, votes, name) => {
            let plain = Write { view: None, ..write };
            let verdict = with_ballot(ballot, |ballot| board.vote(&plain, ballot, (name, *votes)))?;
            judged(verdict, one)
        }
        Op::VoteMany(ballot, votes) => {
            let plain = Write { view: None, ..write };
            let votes: Vec<Vote> = votes.iter().map(|(votes, name)| (&name[..], *votes)).collect();
            let verdict = with_ballot(ballot, |ballot| board.vote_many(&plain, ballot, &votes))?;
            judged(verdict, |(effect, now)| Told::Done { effect, now, before: None })
        }
    })
}

fn one(outcome: Outcome) -> Told {
    Told::Done { effect: outcome.effect, now: vec![outcome.now], before: outcome.before }
}

fn judged<T>(verdict: Verdict<T>, accepted: impl FnOnce(T) -> Told) -> Told {
    match verdict {
        Verdict::Accepted(answer) => accepted(answer),
        Verdict::HeldBack { rule, wait } => Told::HeldBack(String::from_utf8(rule).unwrap(), wait),
    }
}

/// Returns points in the form in which a client writes them.
fn decimal(points: Points, decimals: u8) -> Result<Decimal, Error> {
    let places = usize::from(decimals);
    let text = match points {
        Points::TooFine => format!("1.{:01$}", 1, places + 1),
        Points::Units(units) if places == 0 => units.to_string(),
        Points::Units(units) => {
            let digits = format!("{:01$}", units.unsigned_abs(), places + 1);
            let (whole, fraction) = digits.split_at(digits.len() - places);
            format!("{}{whole}.{fraction}", if units < 0 { "-" } else { "" })
        }
    };
    Decimal::parse(text.as_bytes(), "points")
}
