//! Carries out the commands of a client in their order. Those that go to one key are sent together; one that asks many
//! parts waits for those before it and holds back those behind it. So a client reads what it wrote.

use std::collections::HashMap;
use std::sync::Arc;

use redis::Value;
use tokio::time::Instant;

use super::{Engine, is_of_root};
use crate::nodes::{Command, CommandError, Transport};
use crate::spread::asked::{Asked, Row};
use crate::spread::root::Root;
use crate::spread::{change, keys, refusal, route, rules};

/// A command of a client, and its place among the replies.
struct Waiting {
    place: usize,
    words: Vec<Vec<u8>>,
    /// When its time began to run.
    begun: Instant,
}

/// What becomes of a command.
enum Plan {
    /// It has its answer.
    Answered(Value),
    /// It is sent together with others; to a part, if there is a root.
    Send(Command, Option<Arc<Root>>),
    /// It is carried out by itself.
    Alone,
}

/// Commands that are sent together, each with the board that it is sent to a part of.
#[derive(Default)]
struct Run {
    commands: Vec<Command>,
    waiting: Vec<(Waiting, Option<Arc<Root>>)>,
}

/// Whether what is known of the boards may be old, so that commands can be planned once more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    First,
    Last,
}

impl<T: Transport> Engine<T> {
    /// Carries out commands whose time began to run at `begun`.
    pub(super) async fn in_order(&self, batch: Vec<Vec<Vec<u8>>>, replies: &mut [Value], begun: Instant) {
        let commands = batch.into_iter().enumerate().map(|(place, words)| Waiting { place, words, begun });
        self.carry_out(commands.collect(), replies, Round::First).await;
    }

    async fn carry_out(&self, commands: Vec<Waiting>, replies: &mut [Value], round: Round) {
        let mut run = Run::default();
        for mut waiting in commands {
            match self.plan(&waiting.words, waiting.begun).await {
                Plan::Answered(value) => answer(replies, waiting.place, value),
                Plan::Send(command, root) => {
                    run.commands.push(command);
                    run.waiting.push((waiting, root));
                }
                Plan::Alone => {
                    if !run.commands.is_empty() {
                        self.send(std::mem::take(&mut run), replies, round).await;
                        waiting.begun = Instant::now();
                    }
                    // In a box, like all that is seldom: what a command over many parts keeps would be moved with every command.
                    let value = Box::pin(self.alone(&waiting.words, waiting.begun)).await;
                    answer(replies, waiting.place, value);
                }
            }
        }
        self.send(run, replies, round).await;
    }

    async fn plan(&self, words: &[Vec<u8>], begun: Instant) -> Plan {
        let Some(row) = words.first().and_then(|name| Row::of(name)) else {
            return if keys::may_be_roots(words) { Plan::Alone } else { as_it_is(words, false) };
        };
        let asked = match Asked::read(row, words) {
            Ok(asked) => asked,
            Err(text) if self.is_root(words) => return Plan::Answered(refusal::error(&text)),
            // The server says best what is wrong with a command.
            Err(_) => return as_it_is(words, false),
        };
        if rules::looks_first(&asked) {
            return Plan::Alone;
        }
        match self.known(&asked, begun).await {
            Err(value) => Plan::Answered(value),
            Ok(None) => as_it_is(words, change::is_repeatable(&asked)),
            Ok(Some(root)) => match change::by_itself(&asked, &root) {
                Some(command) => Plan::Send(command, Some(root)),
                None => Plan::Alone,
            },
        }
    }

    /// Sends a run of commands. Those that met a root, or a part that is none, are planned once more.
    async fn send(&self, run: Run, replies: &mut [Value], round: Round) {
        let Some((first, _)) = run.waiting.first() else { return };
        let (since, deadline) = (Instant::now(), self.deadline(first.begun, None));
        let answers = self.sender.ask(run.commands, deadline).await;
        let mut again = Vec::new();
        for ((waiting, root), got) in run.waiting.into_iter().zip(answers) {
            match settled(&waiting.words, root.as_deref(), got, round) {
                Some(value) => answer(replies, waiting.place, value),
                None => again.push(waiting),
            }
        }
        if again.is_empty() {
            return;
        }
        let again = Box::pin(self.relearn(again, replies, since, deadline)).await;
        Box::pin(self.carry_out(again, replies, Round::Last)).await;
    }

    /// Asks for the roots of these commands. Those whose root does not answer have their answer.
    async fn relearn(
        &self,
        commands: Vec<Waiting>,
        replies: &mut [Value],
        since: Instant,
        deadline: Instant,
    ) -> Vec<Waiting> {
        let mut told: HashMap<Vec<u8>, Result<(), Value>> = HashMap::new();
        let mut left = Vec::new();
        for waiting in commands {
            let name = waiting.words.get(1).cloned().unwrap_or_default();
            if !told.contains_key(&name) {
                let learned = self.learn(&name, since, deadline).await;
                told.insert(name.clone(), learned.map(|_| ()));
            }
            match told.get(&name) {
                Some(Err(value)) => answer(replies, waiting.place, value.clone()),
                _ => left.push(waiting),
            }
        }
        left
    }
}

fn answer(replies: &mut [Value], place: usize, value: Value) {
    if let Some(reply) = replies.get_mut(place) {
        *reply = value;
    }
}

/// A command that goes to its key as it is.
fn as_it_is(words: &[Vec<u8>], is_repeatable: bool) -> Plan {
    match route::as_it_is(words, is_repeatable) {
        Ok(command) => Plan::Send(command, None),
        Err(refused) => Plan::Answered(refused),
    }
}

/// The reply to a command that was sent to one key; none where it has to be planned anew.
fn settled(
    words: &[Vec<u8>],
    root: Option<&Root>,
    got: Result<Value, CommandError>,
    round: Round,
) -> Option<Value> {
    let parts = root.map(|root| root.parts);
    let value = match got {
        Err(failure) => return Some(refusal::unanswered(&failure, parts)),
        Ok(value) => value,
    };
    let row = words.first().and_then(|name| Row::of(name));
    match (root, row) {
        (Some(root), _) if refusal::is_no_part(&value) => {
            (round == Round::Last).then(|| refusal::parts_down(1, root.parts))
        }
        (Some(_), Some(row)) => Some(change::without_ranks(row.name, value)),
        (None, Some(_)) if round == Round::First && is_of_root(words, &value) => None,
        (None, None) if refusal::is_spread(&value) => Some(refusal::not_over_parts(words)),
        _ => Some(value),
    }
}
