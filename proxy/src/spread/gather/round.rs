//! One round of a read: parts are asked at the same time, and their answers are checked. The answers have to be of one
//! board and one period.
//!
//! At the boundary of two periods, the clocks of the parts may not agree on the current period. Then the parts that are
//! ahead are asked again, for the period with the smallest start. A part whose clock is behind is never asked for a
//! period that has not begun there: it would answer that the period has no members.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use redis::Value;
use tokio::time::Instant;

use super::super::asked::{Asked, Own};
use super::super::refusal::{is_no_part, is_no_view, is_of_other_part};
use super::super::root::Root;
use super::answer::Answer;
use super::operation::Operation;
use super::order::Order;
use super::scope::{Phase, Scope};
use super::{Disagreement, Refused};
use crate::nodes::{Command, RetryingClient, Transport};

/// The reason why a gather ends before it has an answer.
#[derive(Debug)]
pub enum Stop {
    Refused(Refused),
    /// A part is still in an earlier period, which has this start. All parts have to be read for that period.
    Behind(i64),
    /// This number of parts are in another period than the other parts, and cannot read the period of the other parts
    /// yet. They can read it later, when their clocks have moved on.
    Apart(u16),
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<leaderboard_core::Error> for Stop {
    fn from(error: leaderboard_core::Error) -> Self {
        Self::Refused(Refused::Invalid(format!("ERR {error}")))
    }
}

/// The state that all rounds of a read share.
pub struct Call<'a, T> {
    pub sender: &'a RetryingClient<T>,
    pub root: &'a Root,
    pub asked: &'a Asked<'a>,
    pub deadline: Instant,
    /// The parts that did not answer, if the client accepts an answer that lacks some parts.
    pub silent: &'a Mutex<BTreeSet<u16>>,
}

impl<T> Clone for Call<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Call<'_, T> {}

/// A read of one period of a view.
pub struct Gather<'a, T> {
    pub call: Call<'a, T>,
    pub scope: Scope<'a>,
    pub order: Order,
    known: Mutex<Period>,
}

/// The state of the period that is read.
#[derive(Debug, Clone, Default)]
struct Period {
    /// The start of the period, according to the answers so far.
    start: Option<i64>,
    phase: Option<Phase>,
    /// The parts that are in this period, or that read it because the request contained its start.
    joined: BTreeSet<u16>,
    /// Whether the requests to all parts contain the start of the period.
    is_pinned: bool,
}

/// For each part, its number and its answers, in the order of the operations.
pub type Answers = Vec<(u16, Vec<Answer>)>;

impl<'a, T: Transport> Gather<'a, T> {
    pub fn new(call: Call<'a, T>, scope: Scope<'a>, start: Option<i64>) -> Self {
        let order = Order::new(&call.root.schema, scope.is_from_last());
        let known = Period { start, is_pinned: start.is_some(), ..Period::default() };
        Self { call, scope, order, known: Mutex::new(known) }
    }

    pub fn parts(&self) -> std::ops::Range<u16> {
        0..self.call.root.parts.count()
    }

    /// Returns the start of the period, if an answer has already given it.
    pub fn start(&self) -> Option<i64> {
        self.known().start
    }

    fn known(&self) -> Period {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn is_silent(&self, part: u16) -> bool {
        self.call.silent.lock().unwrap_or_else(PoisonError::into_inner).contains(&part)
    }

    /// Sends the same request to all parts.
    pub async fn ask_all(&self, operation: Operation) -> Result<Vec<Answer>, Stop> {
        self.ask_one_each(self.parts().map(|part| (part, operation.clone()))).await
    }

    /// Sends one request to each of these parts.
    pub async fn ask_one_each(
        &self,
        questions: impl Iterator<Item = (u16, Operation)>,
    ) -> Result<Vec<Answer>, Stop> {
        let answers = self.ask(questions.map(|(part, operation)| (part, vec![operation])).collect()).await?;
        Ok(answers.into_iter().flat_map(|(_, answers)| answers).collect())
    }

    /// Asks parts. Parts that do not answer are left out if the client accepts that.
    pub async fn ask(&self, questions: Vec<(u16, Vec<Operation>)>) -> Result<Answers, Stop> {
        let known = self.known();
        let answers = self.send(questions.clone(), |part| self.start_for(&known, part)).await?;
        self.agree(questions, answers).await
    }

    /// Returns the start of the period that a part is to read. The period is sure to have begun at that part.
    fn start_for(&self, known: &Period, part: u16) -> Option<i64> {
        known.start.filter(|_| known.is_pinned || known.joined.contains(&part))
    }

    /// Makes sure that all answers are of one period: asks parts again if they answered for a later period.
    async fn agree(
        &self,
        questions: Vec<(u16, Vec<Operation>)>,
        mut answers: Answers,
    ) -> Result<Answers, Stop> {
        let known = self.known();
        let starts = || answers.iter().flat_map(|(_, answers)| answers.iter().map(|answer| answer.start));
        let Some(smallest) = starts().chain(known.start.map(Some)).min() else { return Ok(answers) };
        if let (Some(start), Some(smallest)) = (known.start, smallest)
            && smallest < start
        {
            return Err(Stop::Behind(smallest));
        }
        let ahead: BTreeSet<u16> = answers
            .iter()
            .filter(|(_, answers)| answers.iter().any(|answer| answer.start != smallest))
            .map(|(part, _)| *part)
            .collect();
        if !ahead.is_empty() {
            let Some(start) = smallest.filter(|_| self.scope.moves()) else {
                return Err(Stop::Apart(ahead.len() as u16));
            };
            let again = questions.into_iter().filter(|(part, _)| ahead.contains(part)).collect();
            let again = self.send(again, |_| Some(start)).await?;
            answers.retain(|(part, _)| !ahead.contains(part));
            answers.extend(again);
            answers.sort_by_key(|(part, _)| *part);
        }
        self.join(smallest, answers.iter().flat_map(|(_, answers)| answers))?;
        Ok(answers)
    }

    /// Notes that these parts read the period that begins at `start`.
    pub fn join<'b>(
        &self,
        start: Option<i64>,
        answers: impl IntoIterator<Item = &'b Answer>,
    ) -> Result<(), Stop> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for answer in answers {
            let phase = self.scope.phase(answer.start, answer.now);
            if answer.start != start || known.phase.is_some_and(|known| known != phase) {
                return Err(Stop::Apart(1));
            }
            known.phase = Some(phase);
            known.joined.insert(answer.part);
        }
        known.start = start;
        Ok(())
    }

    /// Sends requests to parts, and reads the answers.
    async fn send(
        &self,
        questions: Vec<(u16, Vec<Operation>)>,
        start_of: impl Fn(u16) -> Option<i64>,
    ) -> Result<Answers, Stop> {
        let Call { sender, root, .. } = self.call;
        let mut commands = Vec::with_capacity(questions.len());
        let mut asked = Vec::with_capacity(questions.len());
        for (part, operations) in questions {
            if self.is_silent(part) {
                continue;
            }
            let key = root.parts.key(&root.name, part);
            let options = self.scope.words(start_of(part));
            asked.push((part, operations.len()));
            commands.extend(
                operations
                    .into_iter()
                    .map(|operation| question(root, part, operation.command(&key, options.clone()))),
            );
        }
        let replies = sender.ask(&commands, self.call.round_deadline()).await;
        self.call.sort_out(asked, replies.into_iter().map(Result::ok))
    }
}

/// Returns a command to a part.
pub fn question(root: &Root, part: u16, words: Vec<Vec<u8>>) -> Command {
    Command { slot: Some(root.parts.slot(&root.name, part)), words, repeatable: true }
}

impl<T: Transport> Call<'_, T> {
    fn is_partial(&self) -> bool {
        self.asked.wants(Own::Partial)
    }

    /// Returns the deadline of a round. If the client accepts an answer that lacks some parts, a round gets half of the
    /// time that is left, because later rounds need time, too.
    pub fn round_deadline(&self) -> Instant {
        let now = Instant::now();
        let half = self.deadline.saturating_duration_since(now).checked_div(2).unwrap_or_default();
        if self.is_partial() { now.checked_add(half).unwrap_or(self.deadline) } else { self.deadline }
    }

    /// Reads the replies. `asked` contains each part and the number of its operations. Three things end the gather, in
    /// this order: an error of a part, a part that is different from the data of the root, and a part that does not
    /// answer.
    pub fn sort_out(
        &self,
        asked: Vec<(u16, usize)>,
        mut replies: impl Iterator<Item = Option<Value>>,
    ) -> Result<Answers, Stop> {
        let (mut answers, mut silent, mut other) = (Vec::with_capacity(asked.len()), Vec::new(), None);
        for (part, count) in asked {
            let replies: Vec<_> = replies.by_ref().take(count).collect();
            match self.read(part, count, replies) {
                Ok(Some(read)) => answers.push((part, read)),
                Ok(None) => silent.push(part),
                Err(Refused::Disagree(disagreement)) if self.counts_as_silent(disagreement) => {
                    silent.push(part)
                }
                Err(refused @ Refused::Disagree(_)) => other = other.or(Some(refused)),
                Err(refused) => return Err(refused.into()),
            }
        }
        match other {
            Some(refused) => Err(refused.into()),
            None => self.leave_out(silent).map(|()| answers),
        }
    }

    /// Returns the answers of one part, or `None` if the part is silent.
    fn read(
        &self,
        part: u16,
        count: usize,
        replies: Vec<Option<Value>>,
    ) -> Result<Option<Vec<Answer>>, Refused> {
        let mut answers = Vec::with_capacity(count);
        for reply in replies {
            match reply {
                None => return Ok(None),
                Some(Value::ServerError(error)) if is_silence(error.code()) => return Ok(None),
                Some(error) if is_no_part(&error) => {
                    return Err(Refused::Disagree(Disagreement::Gone(part)));
                }
                Some(error) if is_of_other_part(&error) => {
                    return Err(Refused::Disagree(Disagreement::Other(part)));
                }
                // The root has the view, so this part has other rules.
                Some(error) if is_no_view(&error) && self.knows_view() => {
                    return Err(Refused::Disagree(Disagreement::Rules(part)));
                }
                Some(error @ Value::ServerError(_)) => return Err(Refused::Server(error)),
                Some(value) => answers.push(Answer::new(self.root, part, value)?),
            }
        }
        Ok(Some(answers).filter(|answers| answers.len() == count))
    }

    /// Returns whether the board has the view of the command, as far as the gateway knows.
    fn knows_view(&self) -> bool {
        Scope::new(self.root, self.asked, false).is_ok_and(|scope| scope.has_spec())
    }

    /// Returns whether a part that is different from the data of the root is left out like a silent part.
    fn counts_as_silent(&self, disagreement: Disagreement) -> bool {
        self.asked.is_settled() && (self.is_partial() || matches!(disagreement, Disagreement::Gone(_)))
    }

    /// Continues with the other parts if the client accepts an answer that lacks these parts.
    pub fn leave_out(&self, parts: Vec<u16>) -> Result<(), Stop> {
        if parts.is_empty() {
            return Ok(());
        }
        if !self.is_partial() {
            return Err(self.down(parts.len()).into());
        }
        self.silent.lock().unwrap_or_else(PoisonError::into_inner).extend(parts);
        Ok(())
    }

    /// Returns the error when `silent` parts did not answer.
    pub fn down(&self, silent: usize) -> Refused {
        Refused::PartsDown { silent: silent.try_into().unwrap_or(u16::MAX), parts: self.root.parts.count() }
    }
}

/// Returns whether an error says that the part cannot answer at present. The sender has already tried until the
/// deadline.
fn is_silence(code: &str) -> bool {
    ["MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "READONLY"].contains(&code)
}
