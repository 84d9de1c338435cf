//! Sends the questions of one round. The questions of one operation to parts on one node are one command, `LB.GATHER`. A
//! part alone is asked with `LB.PART`, and so is each part that is not where the gateway expected it, because only this
//! command is redirected. Servers without `LB.GATHER`, and users who may not run it, are not asked with it for a while.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use leaderboard_commands::answers::{Answers, PartAnswer};
use leaderboard_core::part_list::PartList;
use redis::Value;

use super::super::refusal::{error, is_silence};
use super::answer::{Reply, odd};
use super::operation::Operation;
use super::round::{Gather, Stop, question};
use crate::nodes::{Command, CommandError, Transport};

/// An operation for one part. Questions with the same operation share it.
#[derive(Debug, Clone)]
pub struct Question {
    pub part: u16,
    pub operation: Arc<Operation>,
}

impl Question {
    pub fn new(part: u16, operation: &Arc<Operation>) -> Self {
        Self { part, operation: Arc::clone(operation) }
    }
}

/// Questions that are sent as one command.
struct Batch<'q> {
    operation: &'q Arc<Operation>,
    /// The start of the period that the parts are to read, if it is known.
    start: Option<i64>,
    /// The slot of the first part.
    slot: u16,
    /// The places of the questions, with their parts in ascending order.
    places: Vec<usize>,
    last: u16,
}

impl Batch<'_> {
    /// Returns whether the work for one more part is not too much for one command.
    fn has_room(&self) -> bool {
        let parts = (self.places.len() as u64).saturating_add(1);
        parts.saturating_mul(self.operation.work()) <= MOST_WORK
    }
}

/// The replies so far, by the places of the questions.
struct Replies {
    all: Vec<Option<Reply>>,
    /// The places whose parts have to be asked alone.
    alone: Vec<usize>,
}

/// The approximate number of rows, members or points that a server looks up for one command. While a server answers a
/// command, it does nothing else.
const MOST_WORK: u64 = 4_096;

type Got = Result<Value, CommandError>;

impl<T: Transport> Gather<'_, T> {
    /// Sends questions to parts. Returns the reply to each question, or `None` if no server has replied.
    pub(super) async fn replies(
        &self,
        questions: &[&Question],
        start_of: impl Fn(u16) -> Option<i64>,
    ) -> Result<Vec<Option<Reply>>, Stop> {
        let sender = self.call.sender;
        // The parts of a board that grows or shrinks are not numbered as LB.GATHER needs it.
        let together = sender.gathers().is_on() && !self.call.root.is_moving();
        let batches = self.batches(questions, &start_of, together);
        let commands: Vec<_> = batches.iter().map(|batch| self.command(batch, questions)).collect();
        let got = sender.ask(&commands, self.call.round_deadline()).await;
        let mut replies = Replies { all: questions.iter().map(|_| None).collect(), alone: Vec::new() };
        for (batch, got) in batches.iter().zip(got) {
            match batch.places.as_slice() {
                [place] => replies.set(*place, got),
                places => {
                    if !replies.take(places, got, questions)? {
                        sender.gathers().refuse();
                    }
                }
            }
        }
        if !replies.alone.is_empty() {
            replies.alone.sort_unstable();
            let places = std::mem::take(&mut replies.alone);
            let left = places.iter().filter_map(|place| questions.get(*place));
            let commands: Vec<_> =
                left.map(|question| self.alone(question, start_of(question.part))).collect();
            let got = sender.ask(&commands, self.call.round_deadline()).await;
            places.into_iter().zip(got).for_each(|(place, got)| replies.set(place, got));
        }
        Ok(replies.all)
    }

    /// Divides questions into commands. Unless `together`, each question is a command.
    fn batches<'q>(
        &self,
        questions: &[&'q Question],
        start_of: impl Fn(u16) -> Option<i64>,
        together: bool,
    ) -> Vec<Batch<'q>> {
        let root = self.call.root;
        let transport = self.call.sender.transport();
        let mut batches: Vec<Batch<'q>> = Vec::new();
        // Most questions are for the same operation and node as the question before.
        let mut last = None;
        let mut known: HashMap<_, usize> = HashMap::new();
        for (place, Question { part, operation }) in questions.iter().enumerate() {
            let (slot, start) = (root.parts.slot(&root.name, *part), start_of(*part));
            let kind = (transport.way(Some(slot)), Arc::as_ptr(operation).addr(), start);
            let number = match last {
                _ if !together || Arc::strong_count(operation) == 1 => None,
                Some((before, number)) if before == kind => Some(number),
                _ => known.get(&kind).copied(),
            };
            let batch = number.and_then(|number| batches.get_mut(number));
            let batch = batch.filter(|batch| batch.last < *part && batch.has_room());
            if let Some(batch) = batch {
                batch.places.push(place);
                batch.last = *part;
                last = number.map(|number| (kind, number));
            } else {
                last = Some((kind, batches.len()));
                known.insert(kind, batches.len());
                batches.push(Batch { operation, start, slot, places: vec![place], last: *part });
            }
        }
        batches
    }

    fn command(&self, batch: &Batch<'_>, questions: &[&Question]) -> Command {
        let asked = batch.places.iter().filter_map(|place| questions.get(*place));
        if let [_] = batch.places.as_slice()
            && let Some(question) = asked.clone().next()
        {
            return self.alone(question, batch.start);
        }
        let parts: PartList = asked.map(|question| question.part).collect();
        let words = batch.operation.for_parts(self.call.root, &parts, &self.scope.words(batch.start));
        Command { slot: Some(batch.slot), words, repeatable: true }
    }

    fn alone(&self, Question { part, operation }: &Question, start: Option<i64>) -> Command {
        let root = self.call.root;
        let words = operation.for_part(root.key(*part), *part, self.order, &self.scope.words(start));
        question(root, *part, words)
    }
}

impl Replies {
    fn set(&mut self, place: usize, got: Got) {
        if let Some(reply) = self.all.get_mut(place) {
            *reply = got.ok().map(Reply::Value);
        }
    }

    /// Takes the reply to `LB.GATHER` for these places. Returns whether the server carries out this command for the user.
    fn take(&mut self, places: &[usize], got: Got, questions: &[&Question]) -> Result<bool, Stop> {
        match got {
            Err(_) => {}
            Ok(Value::BulkString(bytes)) => {
                let part = places
                    .first()
                    .and_then(|place| questions.get(*place))
                    .map_or(0, |question| question.part);
                self.unpack(places, &bytes.into(), questions).ok_or_else(|| odd(part))?;
            }
            Ok(Value::ServerError(error)) if is_silence(error.code()) => {
                for place in places {
                    self.set(*place, Ok(Value::ServerError(error.clone())));
                }
            }
            // The answers of the parts alone say best what is wrong, if anything is.
            Ok(_) => {
                self.alone.extend_from_slice(places);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads the answers of the parts. `None` if they are not the answers of exactly these parts.
    fn unpack(&mut self, places: &[usize], bytes: &Bytes, questions: &[&Question]) -> Option<()> {
        let mut answers = Answers::new(bytes);
        for place in places {
            let (part, answer) = answers.next_part()?;
            (part == questions.get(*place)?.part).then_some(())?;
            let reply = match answer {
                PartAnswer::NotHere => {
                    self.alone.push(*place);
                    continue;
                }
                PartAnswer::Error(text) => Reply::Value(error(&String::from_utf8_lossy(text))),
                PartAnswer::Answer(head, elements) => Reply::Packed(head, bytes.slice_ref(elements.rest())),
            };
            *self.all.get_mut(*place)? = Some(reply);
        }
        answers.is_over().then_some(())
    }
}
