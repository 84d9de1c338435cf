//! The best members of a period with prizes, and which of its winners may get their prizes.

use std::sync::Mutex;

use tokio::time::Instant;

use super::answer::Answer;
use super::operation::Operation;
use super::page::Line;
use super::part_set::PartSet;
use super::round::{Call, Gather, Stop};
use super::scope::{Phase, Scope};
use super::{Patience, Refused};
use crate::nodes::{RetryingClient, Transport};
use crate::spread::asked::Asked;
use crate::spread::root::Root;

/// The best members of a period.
pub enum Best {
    /// The parts do not keep the period.
    Gone,
    /// The rows, best first.
    Rows(Vec<Line>),
}

/// Returns the best members of the period of a view that begins at `start`, up to `count`. If `has_ended` is true, waits until
/// the period has ended on the clocks of all parts.
///
/// # Errors
/// See [`Refused`].
pub async fn best<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    ((view, start), count, has_ended): ((&[u8], i64), u64, bool),
    deadline: Instant,
) -> Result<Best, Refused> {
    let silent = Mutex::new(PartSet::default());
    let call = Call { sender, root, asked, deadline, silent: &silent };
    let scope = Scope::beginning_at(root, view, start);
    let mut patience = Patience::default();
    loop {
        match best_now(&Gather::new(call, scope, Some(start)), count, has_ended).await {
            Ok(best) => return Ok(best),
            Err(stop) => patience.goes_on(call, stop).await?,
        }
    }
}

async fn best_now<T: Transport>(gather: &Gather<'_, T>, count: u64, has_ended: bool) -> Result<Best, Stop> {
    let scope = gather.scope;
    let answers = gather.ask_all(Operation::top(0)).await?;
    let behind = answers.iter().filter(|answer| has_ended && scope.is_running(answer.start, answer.now));
    if let behind @ 1.. = behind.count() {
        return Err(Stop::Apart(u16::try_from(behind).unwrap_or(u16::MAX)));
    }
    if answers.iter().any(|answer| scope.phase(answer.start, answer.now) == Phase::Gone) {
        return Ok(Best::Gone);
    }
    Ok(Best::Rows(gather.page_at(0, count, false).await?.lines))
}

fn may_win_of(members: &[&[u8]]) -> Operation {
    Operation::may_win(members.iter().copied())
}

/// Returns which of these winners of the period of a view may get their prizes: those that are not hidden and were not removed.
///
/// # Errors
/// See [`Refused`].
pub async fn may_win<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    ((view, start), members): ((&[u8], i64), &[Vec<u8>]),
    deadline: Instant,
) -> Result<Vec<bool>, Refused> {
    let silent = Mutex::new(PartSet::default());
    let call = Call { sender, root, asked, deadline, silent: &silent };
    let scope = Scope::beginning_at(root, view, start);
    let mut patience = Patience::default();
    loop {
        match may_win_now(&Gather::new(call, scope, Some(start)), members).await {
            Ok(may_win) => return Ok(may_win),
            Err(stop) => patience.goes_on(call, stop).await?,
        }
    }
}

async fn may_win_now<T: Transport>(gather: &Gather<'_, T>, members: &[Vec<u8>]) -> Result<Vec<bool>, Stop> {
    let told = gather.of_members(members, may_win_of, |answer: &mut Answer, count: usize| {
        let mut told = Vec::with_capacity(count);
        answer.numbers(count, |number| told.push(number > 0))?;
        Ok(told)
    });
    Ok(told.await?.into_iter().map(|(_, may_win)| may_win).collect())
}
