//! Sends commands until they are answered.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use redis::{ServerErrorKind, Value};
use tokio::time::{Instant, sleep};

use super::figures::{Figures, count};
use super::gathers::Gathers;
use super::{AttemptError, Command, CommandError, Transport, written};
use crate::load;

#[cfg(test)]
mod tests;

/// The first pause is between half of this time and all of it. Each further pause is twice as long.
const FIRST: Duration = Duration::from_millis(10);
/// The longest pause.
const LONGEST: Duration = Duration::from_millis(100);
/// If less time than this is left, nothing is sent again.
pub const SHORTEST: Duration = Duration::from_millis(5);

/// Sends commands over a [`Transport`], and sends them again if they were surely not carried out.
pub struct RetryingClient<T> {
    transport: T,
    figures: Arc<Figures>,
    gathers: Gathers,
}

/// Commands that are sent together: their places in the list.
struct Attempt {
    places: Vec<usize>,
    answers: Vec<Result<Value, AttemptError>>,
    number: u32,
}

/// The result of an attempt for one command.
enum Verdict {
    Done(Result<Value, CommandError>),
    /// The command has to be sent again, for this reason.
    Again(String),
}

impl<T: Transport> RetryingClient<T> {
    #[cfg(test)]
    pub fn new(transport: T) -> Self {
        Self::counting(transport, Arc::default())
    }

    /// Returns a client that adds its counts to `figures`, which other clients may share.
    pub const fn counting(transport: T, figures: Arc<Figures>) -> Self {
        Self { transport, figures, gathers: Gathers::new() }
    }

    pub const fn transport(&self) -> &T {
        &self.transport
    }

    /// Returns whether the servers answer for several parts at once.
    pub const fn gathers(&self) -> &Gathers {
        &self.gathers
    }

    /// Sends commands until all are answered, or until the deadline. The answers are in the order of the commands.
    ///
    /// Commands of a slot are always sent together and in their order, so a later command never overtakes one that is
    /// sent again. Commands for other nodes do not wait for them.
    pub async fn ask(&self, commands: &[Command], deadline: Instant) -> Vec<Result<Value, CommandError>> {
        count(&self.figures.sent, commands.len());
        load::note_sent(commands.len());
        let mut answers: Vec<Option<Result<Value, CommandError>>> = commands.iter().map(|_| None).collect();
        let mut ways = self.by_way(commands, 0..commands.len());
        // Most lists go to one node and are answered at once. The state for all others is in a box.
        let mut number = 0;
        if let [places] = ways.as_mut_slice() {
            let attempt = self.attempt(commands, std::mem::take(places), number, deadline).await;
            ways = self.left(commands, attempt, &mut answers, deadline);
            number = 1;
        }
        if !ways.is_empty() {
            Box::pin(self.at_once(commands, ways, number, &mut answers, deadline)).await;
        }
        let answers: Vec<_> = answers.into_iter().map(|answer| answer.unwrap_or_else(unanswered)).collect();
        count(&self.figures.silent, answers.iter().filter(|answer| answer.is_err()).count());
        answers
    }

    /// Sends the commands of all nodes at the same time. `number` is the number of the attempt.
    async fn at_once(
        &self,
        commands: &[Command],
        ways: Vec<Vec<usize>>,
        number: u32,
        answers: &mut [Option<Result<Value, CommandError>>],
        deadline: Instant,
    ) {
        let mut under_way: FuturesUnordered<_> =
            ways.into_iter().map(|places| self.attempt(commands, places, number, deadline)).collect();
        while let Some(attempt) = under_way.next().await {
            let number = attempt.number.saturating_add(1);
            for places in self.left(commands, attempt, answers, deadline) {
                under_way.push(self.attempt(commands, places, number, deadline));
            }
        }
    }

    /// Notes the answers of an attempt. Returns the places of the commands that have to be sent again.
    fn left(
        &self,
        commands: &[Command],
        attempt: Attempt,
        answers: &mut [Option<Result<Value, CommandError>>],
        deadline: Instant,
    ) -> Vec<Vec<usize>> {
        let left = judge(commands, attempt, answers, deadline);
        count(&self.figures.repeated, left.len());
        load::note_repeated(left.len());
        self.by_way(commands, left)
    }

    /// Returns the places, grouped by the nodes to which their commands are sent.
    fn by_way(&self, commands: &[Command], places: impl IntoIterator<Item = usize>) -> Vec<Vec<usize>> {
        let mut ways: Vec<(usize, Vec<usize>)> = Vec::new();
        for place in places {
            let way = self.transport.way(commands.get(place).and_then(|command| command.slot));
            match ways.iter_mut().find(|(known, _)| *known == way) {
                Some((_, places)) => places.push(place),
                None => ways.push((way, vec![place])),
            }
        }
        ways.into_iter().map(|(_, places)| places).collect()
    }

    async fn attempt(
        &self,
        commands: &[Command],
        places: Vec<usize>,
        number: u32,
        deadline: Instant,
    ) -> Attempt {
        if number > 0 {
            sleep(pause(number).min(remaining(deadline).mul_f64(0.5))).await;
        }
        let chosen: Vec<&Command> = places.iter().filter_map(|place| commands.get(*place)).collect();
        let note = || written::note(&chosen, |slot| self.transport.node(slot));
        let is_noted = note();
        let answers = self.transport.send_by(&chosen, deadline).await;
        // The first command of a user finds out which node has which slots.
        if !is_noted {
            note();
        }
        Attempt { places, answers, number }
    }
}

/// Notes the answers of an attempt. Returns the places of the commands that have to be sent again, in their order.
///
/// A node can refuse a command and yet answer a later command of the same slot. An example is a replica that becomes a
/// primary in between, or a replica that answers only reads. Such an answer came too early. If the later command is
/// repeatable, it is sent again, too.
fn judge(
    commands: &[Command],
    attempt: Attempt,
    answers: &mut [Option<Result<Value, CommandError>>],
    deadline: Instant,
) -> Vec<usize> {
    let has_time = remaining(deadline) >= SHORTEST;
    let mut left = Vec::new();
    let mut behind: Vec<Option<u16>> = Vec::new();
    for (place, told) in attempt.places.into_iter().zip(attempt.answers) {
        let Some(command) = commands.get(place) else { continue };
        let Some(kept) = answers.get_mut(place) else { continue };
        let is_early = command.repeatable && behind.contains(&command.slot);
        let may_be_done = match &told {
            Err(AttemptError::Lost(reason)) => Some(reason.clone()),
            Ok(_) if is_early => Some("the answer came too early".to_owned()),
            _ => None,
        };
        // An attempt that fails later does not undo this one. If no answer comes, this error is the result.
        if let Some(reason) = may_be_done {
            *kept = Some(Err(CommandError::Unknown(reason)));
        }
        match verdict(told, command.repeatable) {
            Verdict::Again(_) if has_time => {
                left.push(place);
                if !behind.contains(&command.slot) {
                    behind.push(command.slot);
                }
            }
            Verdict::Done(_) if is_early => left.push(place),
            Verdict::Done(answer) => *kept = Some(answer),
            Verdict::Again(reason) => _ = kept.get_or_insert(Err(CommandError::Silent(reason))),
        }
    }
    left
}

fn verdict(told: Result<Value, AttemptError>, is_repeatable: bool) -> Verdict {
    match told {
        Ok(Value::ServerError(error)) if error.kind().is_some_and(was_not_carried_out) => {
            Verdict::Again(error.to_string())
        }
        Ok(answer) => Verdict::Done(Ok(answer)),
        Err(AttemptError::Lost(reason)) if !is_repeatable => {
            Verdict::Done(Err(CommandError::Unknown(reason)))
        }
        Err(AttemptError::NotSent(reason) | AttemptError::Lost(reason)) => Verdict::Again(reason),
    }
}

/// Returns whether this error means that the command was not carried out, and may succeed later or on another node.
pub const fn was_not_carried_out(kind: ServerErrorKind) -> bool {
    use ServerErrorKind::{Ask, BusyLoading, ClusterDown, MasterDown, Moved, ReadOnly, TryAgain};
    matches!(kind, Ask | BusyLoading | ClusterDown | MasterDown | Moved | ReadOnly | TryAgain)
}

fn unanswered() -> Result<Value, CommandError> {
    Err(CommandError::Unknown("fewer answers than commands".to_owned()))
}

pub fn remaining(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Returns the pause before an attempt. Pauses grow and are random in part, so that many commands that wait for the
/// same node are not all sent again at the same time.
pub fn pause(number: u32) -> Duration {
    let doublings = number.saturating_sub(1).min(10);
    let longest = FIRST.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST);
    let random = getrandom::u32().map_or(1.0, |random| f64::from(random) / f64::from(u32::MAX));
    longest.mul_f64(0.5 + random / 2.0)
}
