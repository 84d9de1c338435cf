//! Carries out the commands of a client in their order. Commands for single keys are sent together. A command that asks
//! many parts waits for the commands before it, and the commands after it wait for its end. So a client reads its own
//! writes.

use std::collections::HashMap;
use std::sync::Arc;

use redis::Value;
use tokio::time::Instant;

use super::{Engine, absent, is_of_root};
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
    /// The command is sent to its key unchanged, together with others. If `guard` is given, words at this place require
    /// that the key holds a whole board.
    AsItIs { is_repeatable: bool, guard: Option<usize> },
    /// This command is sent to a part of this board, together with others.
    Send(Command, Arc<Root>),
    /// The command is carried out separately from others.
    Alone,
}

/// Where a command of a run is sent.
enum Way {
    /// To a part of this board.
    Part(Arc<Root>),
    /// To its key, with the words of the client, and with words at this place that require a whole board.
    Key { guard: Option<usize> },
}

/// Commands that are sent together. Most commands are sent to their keys, so their words are moved and not copied.
#[derive(Default)]
struct Run {
    commands: Vec<Command>,
    waiting: Vec<(Waiting, Way)>,
}

impl Run {
    fn push(&mut self, command: Command, waiting: Waiting, way: Way) {
        self.commands.push(command);
        self.waiting.push((waiting, way));
    }
}

/// How often the boards of commands were read. A command is planned again if the stored data about its board is old.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    /// The stored data is used. A write does not make a board.
    First,
    /// The boards were read just now. A write may make a board.
    Learned,
    /// The boards were read again, because another client made a board in the meantime.
    Last,
}

impl Round {
    const fn next(self) -> Self {
        match self {
            Self::First => Self::Learned,
            Self::Learned | Self::Last => Self::Last,
        }
    }
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
                Plan::AsItIs { is_repeatable, guard } => {
                    let guard = guard.filter(|_| round == Round::First);
                    match route::as_it_is(std::mem::take(&mut waiting.words), is_repeatable) {
                        Ok(mut command) => {
                            guard.into_iter().for_each(|place| absent::add_guard(&mut command, place));
                            run.push(command, waiting, Way::Key { guard });
                        }
                        Err(refused) => answer(replies, waiting.place, refused),
                    }
                }
                Plan::Send(command, root) => run.push(command, waiting, Way::Part(root)),
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
            // A server would take the options that only gateways send.
            Err(text) if self.is_root(words) || rules::are_rules(row) => {
                return Plan::Answered(refusal::error(&text));
            }
            // The server returns the best error for a command that is wrong.
            Err(_) => return AS_IT_IS,
        };
        if rules::looks_first(&asked) || rules::makes_whole_board(&asked) {
            return Plan::Alone;
        }
        match self.known(&asked, begun).await {
            Err(value) => Plan::Answered(value),
            Ok(None) => Plan::AsItIs {
                is_repeatable: change::is_repeatable(&asked),
                guard: absent::guard(&asked, words),
            },
            Ok(Some(root)) => match change::by_itself(&asked, &root) {
                Some(command) => Plan::Send(command, root),
                None => Plan::Alone,
            },
        }
    }

    /// Sends a run of commands. A command is planned again if its key is found to be a root, if its part does not exist,
    /// or if its key may be absent. Then the later commands of this key that have had no effect are planned again, too,
    /// so that a client reads its own writes.
    async fn send(&self, run: Run, replies: &mut [Value], round: Round) {
        let Some((first, _)) = run.waiting.first() else { return };
        let (since, deadline) = (Instant::now(), self.deadline(first.begun, None));
        let answers = self.sender.ask(&run.commands, deadline).await;
        let mut again: Vec<(Waiting, bool)> = Vec::new();
        for (((mut waiting, way), command), got) in run.waiting.into_iter().zip(run.commands).zip(answers) {
            let is_repeatable = command.repeatable;
            if let Way::Key { guard } = way {
                waiting.words = absent::without_guard(command.words, guard);
            }
            let key = waiting.words.get(1);
            let follows = key.is_some() && again.iter().any(|(earlier, _)| earlier.words.get(1) == key);
            let settled = settled(&waiting.words, &way, got, round);
            let settled = match settled {
                Settled::Absent(_) if follows || (round == Round::First && !self.has_no_root_in(key)) => None,
                Settled::Reply(_) if follows && only_reads(&waiting.words, is_repeatable) => None,
                Settled::Absent(value) | Settled::Reply(value) => Some(value),
                Settled::Again => None,
            };
            match settled {
                Some(value) => answer(replies, waiting.place, value),
                None => again.push((waiting, matches!(way, Way::Part(_)))),
            }
        }
        if again.is_empty() {
            return;
        }
        let again = Box::pin(self.relearn(again, replies, since, deadline)).await;
        Box::pin(self.carry_out(again, replies, round.next())).await;
    }

    fn has_no_root_in(&self, key: Option<&Vec<u8>>) -> bool {
        key.is_none_or(|key| self.has_no_root(key))
    }

    /// Reads the roots of these commands. If a part of a board was missing, all parts are looked at. If the root of a
    /// command does not answer, the command gets this error as its reply. Returns the other commands.
    async fn relearn(
        &self,
        commands: Vec<(Waiting, bool)>,
        replies: &mut [Value],
        since: Instant,
        deadline: Instant,
    ) -> Vec<Waiting> {
        let mut told: HashMap<Vec<u8>, Result<(), Value>> = HashMap::new();
        let mut left = Vec::new();
        for (waiting, is_for_part) in commands {
            let name = waiting.words.get(1).cloned().unwrap_or_default();
            if !told.contains_key(&name) {
                let learned = if is_for_part {
                    self.mend(&name, since, deadline).await
                } else {
                    self.learn(&name, since, deadline).await
                };
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
const AS_IT_IS: Plan = Plan::AsItIs { is_repeatable: false, guard: None };

/// Returns whether a command changes nothing. `is_repeatable` is true for reads that are not in the table of commands.
fn only_reads(words: &[Vec<u8>], is_repeatable: bool) -> bool {
    let row = words.first().and_then(|name| Row::any(name));
    row.map_or(is_repeatable, |row| row.command.only_reads())
}

/// What follows from the answer to a command that was sent to one key.
enum Settled {
    Reply(Value),
    /// This may be the reply to a command whose key is absent. The command had no effect.
    Absent(Value),
    /// The command had no effect, and has to be planned again.
    Again,
}

fn settled(words: &[Vec<u8>], way: &Way, got: Result<Value, CommandError>, round: Round) -> Settled {
    let value = match (got, way) {
        (Err(failure), Way::Part(root)) => {
            return Settled::Reply(refusal::unanswered(&failure, Some(root.parts)));
        }
        (Err(failure), Way::Key { .. }) => return Settled::Reply(refusal::unanswered(&failure, None)),
        (Ok(value), _) => value,
    };
    let row = words.first().and_then(|name| Row::of(name));
    match (way, row) {
        (Way::Part(root), _) if refusal::is_no_part(&value) => match round {
            Round::First | Round::Learned => Settled::Again,
            Round::Last => Settled::Reply(refusal::parts_down(1, root.parts)),
        },
        (Way::Part(_), Some(row)) => Settled::Reply(change::without_ranks(row.name, value)),
        (Way::Key { .. }, Some(_)) if round != Round::Last && is_of_root(words, &value) => Settled::Again,
        // In later rounds, nothing requires a whole board.
        (Way::Key { guard: Some(_) }, Some(_))
            if refusal::is_no_part(&value) && !refusal::is_wrong_type(&value) =>
        {
            Settled::Again
        }
        (Way::Key { .. }, Some(row)) if absent::may_be_absent(row, &value) => Settled::Absent(value),
        (Way::Key { .. }, None) if refusal::is_spread(&value) => {
            Settled::Reply(refusal::not_over_parts(words))
        }
        _ => Settled::Reply(value),
    }
}
