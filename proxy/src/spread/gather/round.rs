//! One round of a read: parts are asked at the same time, and their answers are checked. The answers have to be of one
//! board and one period.
//!
//! At the boundary of two periods, the clocks of the parts may not agree on the current period. Then the parts that are
//! ahead are asked again, for the period with the smallest start. A part whose clock is behind is never asked for a
//! period that has not begun there: it would answer that the period has no members. If the parts that are ahead no
//! longer keep the period with the smallest start, the other parts are asked again, for the period after it.

use std::sync::{Arc, Mutex, PoisonError};

use redis::Value;
use tokio::time::Instant;

use super::super::asked::{Asked, Own};
use super::super::refusal::{is_no_part, is_no_view, is_of_other_part, is_silence};
use super::super::root::Root;
use super::answer::{Answer, Reply};
use super::ask::Question;
use super::operation::Operation;
use super::order::Order;
use super::part_set::PartSet;
use super::scope::{Phase, Scope};
use super::{Disagreement, Refused};
use crate::nodes::{Command, RetryingClient, Transport};

/// The reason why a gather ends before it has an answer.
#[derive(Debug)]
pub enum Stop {
    Refused(Refused),
    /// The answer of a part shows that all parts have to be read for another period, which has this start.
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
    pub silent: &'a Mutex<PartSet>,
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
#[derive(Debug, Clone, Copy, Default)]
struct Period {
    /// The start of the period, according to the answers so far.
    start: Option<i64>,
    phase: Option<Phase>,
    /// The parts that are in this period, or that read it because the request contained its start.
    joined: PartSet,
    /// Whether the requests to all parts contain the start of the period.
    is_pinned: bool,
}

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
        *self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the parts that did not answer.
    pub fn silent(&self) -> PartSet {
        *self.call.silent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks all parts the same.
    pub async fn ask_all(&self, operation: Operation) -> Result<Vec<Answer>, Stop> {
        self.ask_each(self.parts(), operation).await
    }

    /// Asks these parts the same. The parts are ascending.
    pub async fn ask_each(
        &self,
        parts: impl IntoIterator<Item = u16>,
        operation: Operation,
    ) -> Result<Vec<Answer>, Stop> {
        let operation = Arc::new(operation);
        self.ask(parts.into_iter().map(|part| Question::new(part, &operation)).collect()).await
    }

    /// Asks parts, which are ascending. Returns the answers in the order of the questions. Parts that do not answer are
    /// left out if the client accepts that.
    pub async fn ask(&self, questions: Vec<Question>) -> Result<Vec<Answer>, Stop> {
        let known = self.known();
        let all: Vec<_> = questions.iter().collect();
        let answers = self.send(all, |part| start_for(&known, part)).await?;
        self.agree(&questions, answers).await
    }

    /// Makes sure that all answers are of one period: asks parts again if they answered for another period.
    async fn agree(&self, questions: &[Question], mut answers: Vec<Answer>) -> Result<Vec<Answer>, Stop> {
        let known = self.known();
        let starts = || answers.iter().map(|answer| answer.start);
        let all = starts().chain(known.start.map(Some));
        let chosen = if self.scope.prefers_later() { all.max() } else { all.min() };
        let Some(chosen) = chosen else { return Ok(answers) };
        if let (Some(start), Some(chosen)) = (known.start, chosen)
            && chosen != start
        {
            return Err(Stop::Behind(chosen));
        }
        let others: PartSet =
            answers.iter().filter(|answer| answer.start != chosen).map(|answer| answer.part).collect();
        if !others.is_empty() {
            let Some(start) = chosen.filter(|_| self.scope.moves()) else {
                return Err(Stop::Apart(others.len()));
            };
            let again = questions.iter().filter(|question| others.contains(question.part)).collect();
            let again = self.send(again, |_| Some(start)).await?;
            answers.retain(|answer| !others.contains(answer.part));
            answers.extend(again);
            // The order of the answers of each part stays.
            answers.sort_by_key(|answer| answer.part);
        }
        self.join(chosen, &answers)?;
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

    /// Sends questions to parts, and reads the answers.
    async fn send(
        &self,
        mut questions: Vec<&Question>,
        start_of: impl Fn(u16) -> Option<i64>,
    ) -> Result<Vec<Answer>, Stop> {
        let silent = self.silent();
        questions.retain(|question| !silent.contains(question.part));
        let replies = self.replies(&questions, start_of).await?;
        self.call.sort_out(questions.iter().map(|question| question.part).zip(replies))
    }
}

/// Returns the start of the period that a part is to read. The period is sure to have begun at that part.
fn start_for(known: &Period, part: u16) -> Option<i64> {
    known.start.filter(|_| known.is_pinned || known.joined.contains(part))
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

    /// Reads the replies of parts. Four things end the gather, in this order: an error of a part, a part that is
    /// different from the data of the root, a view that neither the root nor any part has, and a part that does not
    /// answer.
    pub fn sort_out(&self, replies: impl Iterator<Item = (u16, Option<Reply>)>) -> Result<Vec<Answer>, Stop> {
        let mut answers = Vec::with_capacity(replies.size_hint().0);
        let (mut silent, mut other, mut no_view) = (PartSet::default(), None, None);
        for (part, reply) in replies {
            match self.read(part, reply) {
                Ok(Some(answer)) => answers.push(answer),
                Ok(None) => silent.insert(part),
                Err(Refused::Disagree(disagreement)) if self.counts_as_silent(disagreement) => {
                    silent.insert(part);
                }
                Err(refused @ Refused::Disagree(_)) => other = other.or(Some(refused)),
                Err(Refused::Server(error)) if is_no_view(&error) => no_view = Some(Refused::Server(error)),
                Err(refused) => return Err(refused.into()),
            }
        }
        if let Some(refused) = other.or(no_view) {
            return Err(refused.into());
        }
        if !silent.is_empty() {
            self.leave_out(&silent)?;
            answers.retain(|answer| !silent.contains(answer.part));
        }
        Ok(answers)
    }

    /// Returns the answer of a part, or `None` if the part is silent.
    fn read(&self, part: u16, reply: Option<Reply>) -> Result<Option<Answer>, Refused> {
        match reply {
            None => Ok(None),
            Some(Reply::Value(error @ Value::ServerError(_))) => self.judge(part, error),
            Some(reply) => Answer::new(self.root, part, reply).map(Some),
        }
    }

    /// Returns what follows from the error of a part.
    fn judge(&self, part: u16, value: Value) -> Result<Option<Answer>, Refused> {
        match &value {
            Value::ServerError(error) if is_silence(error.code()) => Ok(None),
            value if is_no_part(value) => Err(Refused::Disagree(Disagreement::Gone(part))),
            value if is_of_other_part(value) => Err(Refused::Disagree(Disagreement::Other(part))),
            // The root has the view, so this part has other rules.
            value if is_no_view(value) && self.knows_view() => {
                Err(Refused::Disagree(Disagreement::Rules(part)))
            }
            _ => Err(Refused::Server(value)),
        }
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
    fn leave_out(&self, parts: &PartSet) -> Result<(), Stop> {
        if !self.is_partial() {
            return Err(self.down(parts.len().into()).into());
        }
        self.silent.lock().unwrap_or_else(PoisonError::into_inner).add(parts);
        Ok(())
    }

    /// Returns the error when `silent` parts did not answer.
    pub fn down(&self, silent: usize) -> Refused {
        Refused::PartsDown { silent: silent.try_into().unwrap_or(u16::MAX), parts: self.root.parts.count() }
    }
}
