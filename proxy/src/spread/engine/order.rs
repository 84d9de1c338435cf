//! Carries out the commands of a client in their order. Commands for single keys are sent together. A command that asks
//! many parts waits for the commands before it, and the commands after it wait for its end. So a client reads its own
//! writes.

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
    /// The time when the timeout of the command began to run.
    begun: Instant,
}

/// The way in which a command is carried out.
enum Plan {
    /// The command already has its reply.
    Answered(Value),
    /// The command is sent to its key unchanged, together with others.
    AsItIs { is_repeatable: bool },
    /// This command is sent to a part of this board, together with others.
    Send(Command, Arc<Root>),
    /// The command is carried out separately from others.
    Alone,
}

/// Commands that are sent together. A command for a part of a board has the root of this board. A command without a
/// root has the words of the client. Most commands have no root, so their words are moved and not copied.
#[derive(Default)]
struct Run {
    commands: Vec<Command>,
    waiting: Vec<(Waiting, Option<Arc<Root>>)>,
}

impl Run {
    fn push(&mut self, command: Command, waiting: Waiting, root: Option<Arc<Root>>) {
        self.commands.push(command);
        self.waiting.push((waiting, root));
    }
}

/// Whether commands can be planned again, because the stored data about their boards may be old: yes in the first
/// round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    First,
    Last,
}

impl<T: Transport> Engine<T> {
    /// Carries out commands whose timeout began to run at `begun`.
    pub(super) async fn in_order(&self, batch: Vec<Vec<Vec<u8>>>, replies: &mut [Value], begun: Instant) {
        let commands = batch.into_iter().enumerate().map(|(place, words)| Waiting { place, words, begun });
        self.carry_out(commands.collect(), replies, Round::First).await;
    }

    async fn carry_out(&self, commands: Vec<Waiting>, replies: &mut [Value], round: Round) {
        let mut run = Run::default();
        for mut waiting in commands {
            match self.plan(&waiting.words, waiting.begun).await {
                Plan::Answered(value) => answer(replies, waiting.place, value),
                Plan::AsItIs { is_repeatable } => {
                    match route::as_it_is(std::mem::take(&mut waiting.words), is_repeatable) {
                        Ok(command) => run.push(command, waiting, None),
                        Err(refused) => answer(replies, waiting.place, refused),
                    }
                }
                Plan::Send(command, root) => run.push(command, waiting, Some(root)),
                Plan::Alone => {
                    if !run.commands.is_empty() {
                        self.send(std::mem::take(&mut run), replies, round).await;
                        waiting.begun = Instant::now();
                    }
                    // This is in a box, like all rare cases. Otherwise every command would move the large state of a
                    // command over many parts.
                    let value = Box::pin(self.alone(&waiting.words, waiting.begun)).await;
                    answer(replies, waiting.place, value);
                }
            }
        }
        self.send(run, replies, round).await;
    }

    async fn plan(&self, words: &[Vec<u8>], begun: Instant) -> Plan {
        let Some(row) = words.first().and_then(|name| Row::of(name)) else {
            return if keys::may_be_roots(words) { Plan::Alone } else { AS_IT_IS };
        };
        let asked = match Asked::read(row, words) {
            Ok(asked) => asked,
            Err(text) if self.is_root(words) => return Plan::Answered(refusal::error(&text)),
            // The server returns the best error for a command that is wrong.
            Err(_) => return AS_IT_IS,
        };
        if rules::looks_first(&asked) {
            return Plan::Alone;
        }
        match self.known(&asked, begun).await {
            Err(value) => Plan::Answered(value),
            Ok(None) => Plan::AsItIs { is_repeatable: change::is_repeatable(&asked) },
            Ok(Some(root)) => match change::by_itself(&asked, &root) {
                Some(command) => Plan::Send(command, root),
                None => Plan::Alone,
            },
        }
    }

    /// Sends a run of commands. A command is planned again if its key is found to be a root, or if its part does not
    /// exist.
    async fn send(&self, run: Run, replies: &mut [Value], round: Round) {
        let Some((first, _)) = run.waiting.first() else { return };
        let (since, deadline) = (Instant::now(), self.deadline(first.begun, None));
        let answers = self.sender.ask(&run.commands, deadline).await;
        let mut again = Vec::new();
        for (((mut waiting, root), command), got) in run.waiting.into_iter().zip(run.commands).zip(answers) {
            if root.is_none() {
                waiting.words = command.words;
            }
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

    /// Reads the roots of these commands. If the root of a command does not answer, the command gets this error as its
    /// reply. Returns the other commands.
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

/// The plan for a command that must not be sent twice.
const AS_IT_IS: Plan = Plan::AsItIs { is_repeatable: false };

/// Returns the reply to a command that was sent to one key, or `None` if the command has to be planned again.
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
