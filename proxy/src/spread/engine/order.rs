//! Carries out the commands of a client in their order. Commands for single keys are sent together. A command that asks
//! many parts waits for the commands before it, and the commands after it wait for its end. So a client reads its own
//! writes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use redis::Value;
use tokio::time::Instant;

use super::absent::Added;
use super::{Engine, absent, is_of_root};
use crate::load::Lost;
use crate::nodes::{Command, CommandError, Transport};
use crate::spread::asked::{Asked, Row};
use crate::spread::refusal::Effect;
use crate::spread::root::Root;
use crate::spread::{change, keys, moving, refusal, route, rules};

/// A command of a client, and its place among the replies.
struct Waiting {
    place: usize,
    words: Vec<Vec<u8>>,
    /// The time when the timeout of the command began to run: its turn had come.
    begun: Instant,
    /// When the gateway began to carry out the commands that came together with this one.
    came: Instant,
}

/// The way in which a command is carried out.
enum Plan {
    /// The command already has its reply.
    Answered(Value),
    /// The command is sent to its key, together with others.
    AsItIs { is_repeatable: bool, added: Added },
    /// This command is sent to a part of this board, together with others.
    Send(Command, Arc<Root>),
    /// The command is carried out separately from others.
    Alone,
}

impl Plan {
    /// Returns the plan for a command that is sent unchanged, and must not be sent twice.
    fn unchanged() -> Self {
        Self::AsItIs { is_repeatable: false, added: Added::default() }
    }
}

/// Where a command of a run is sent.
enum Way {
    /// To a part of this board.
    Part(Arc<Root>),
    /// To its key, with the words of the client and these words.
    Key(Added),
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
        let commands =
            batch.into_iter().enumerate().map(|(place, words)| Waiting { place, words, begun, came: begun });
        self.carry_out(commands.collect(), replies, Round::First).await;
    }

    async fn carry_out(&self, commands: Vec<Waiting>, replies: &mut [Value], round: Round) {
        let mut run = Run::default();
        // The time that earlier commands took over many parts is not time of the later ones.
        let mut turn = None;
        for mut waiting in commands {
            waiting.begun = turn.unwrap_or(waiting.begun);
            match self.plan(&waiting.words, waiting.begun, round).await {
                Plan::Answered(value) => answer(replies, waiting.place, value),
                Plan::AsItIs { is_repeatable, added } => {
                    match route::as_it_is(std::mem::take(&mut waiting.words), is_repeatable) {
                        Ok(mut command) => {
                            added.add(&mut command);
                            run.push(command, waiting, Way::Key(added));
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
                    let value = Box::pin(self.alone(&waiting.words, waiting.begun, waiting.came)).await;
                    answer(replies, waiting.place, value);
                    turn = Some(Instant::now());
                }
            }
        }
        self.send(run, replies, round).await;
    }

    async fn plan(&self, words: &[Vec<u8>], begun: Instant, round: Round) -> Plan {
        let Some(row) = words.first().and_then(|name| Row::of(name)) else {
            return if keys::may_be_roots(words) { Plan::Alone } else { Plan::unchanged() };
        };
        let asked = match Asked::read(row, words) {
            Ok(asked) => asked,
            // A server would take the options that only gateways send, or refuse keys that are on several nodes.
            Err(text) if self.is_root(words) || rules::are_rules(row) || moving::moves(row) => {
                return Plan::Answered(refusal::error(&text));
            }
            // The server returns the best error for a command that is wrong.
            Err(_) => return Plan::unchanged(),
        };
        if rules::looks_first(&asked) || rules::makes_whole_board(&asked) || moving::moves(row) {
            return Plan::Alone;
        }
        match self.known(&asked, begun).await {
            Err(value) => Plan::Answered(value),
            Ok(None) => Plan::AsItIs {
                is_repeatable: change::is_repeatable(&asked),
                added: absent::added(&asked, words, round == Round::First),
            },
            Ok(Some(root)) => match change::by_itself(&asked, &root) {
                Some(command) => Plan::Send(command, root),
                None => Plan::Alone,
            },
        }
    }

    /// Sends a run of commands. A command is planned again if its key is found to be a root, if its part does not exist,
    /// or if its key may be absent. Then the later commands of this key that have had no effect are planned again, too,
    /// so that a client reads its own writes. A write that was applied shows that its key has a whole board: then an empty
    /// reply is right, and asking again would show what a later command wrote.
    async fn send(&self, run: Run, replies: &mut [Value], round: Round) {
        let Some((first, _)) = run.waiting.first() else { return };
        let (since, deadline) = (Instant::now(), self.deadline(first.begun, None));
        let answers = self.sender.ask(&run.commands, deadline).await;
        let mut settled_run = Vec::with_capacity(answers.len());
        for (((mut waiting, way), command), got) in run.waiting.into_iter().zip(run.commands).zip(answers) {
            self.note_unanswered(&way, &command, &got);
            let is_repeatable = command.repeatable;
            if let Way::Key(added) = &way {
                waiting.words = added.take_away(command.words);
            }
            let settled = settled(&waiting.words, &way, got, round, is_repeatable);
            settled_run.push((waiting, way, is_repeatable, settled));
        }
        let whole = whole_boards(&settled_run);
        let mut again: Vec<(Waiting, bool)> = Vec::new();
        for (waiting, way, is_repeatable, settled) in settled_run {
            let key = waiting.words.get(1);
            let follows = key.is_some() && again.iter().any(|(earlier, _)| earlier.words.get(1) == key);
            let is_whole = !follows && key.is_some_and(|key| whole.contains(key));
            let settled = match settled {
                Settled::Absent(value) if is_whole && !refusal::is_no_board(&value) => Some(value),
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

    /// Counts a command for a part that got no answer.
    fn note_unanswered(&self, way: &Way, command: &Command, got: &Result<Value, CommandError>) {
        let (Way::Part(root), Err(failure)) = (way, got) else { return };
        let (code, reason) = match failure {
            CommandError::Unknown(reason) => ("UNKNOWN", reason),
            CommandError::Silent(reason) => ("PARTSDOWN", reason),
        };
        let reason = if reason.ends_with("in time") { "timeout" } else { "connection" };
        let is_of = |part: &u16| Some(root.parts.slot(&root.name, *part)) == command.slot;
        let part = (0..root.parts.count()).find(is_of);
        self.load.unanswered.add(Lost { code, reason, part });
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

/// Returns the keys of a run that a write has shown to have whole boards. It is empty if no command asks for it.
fn whole_boards(run: &[(Waiting, Way, bool, Settled)]) -> HashSet<Vec<u8>> {
    if !run.iter().any(|(.., settled)| matches!(settled, Settled::Absent(_))) {
        return HashSet::new();
    }
    let writes = run.iter().filter(|(waiting, way, is_repeatable, settled)| {
        let is_applied = matches!(settled, Settled::Reply(value) if !matches!(value, Value::ServerError(_)));
        let is_known = waiting.words.first().and_then(|name| Row::of(name)).is_some();
        matches!(way, Way::Key(_)) && is_known && is_applied && !only_reads(&waiting.words, *is_repeatable)
    });
    writes.filter_map(|(waiting, ..)| waiting.words.get(1).cloned()).collect()
}

fn answer(replies: &mut [Value], place: usize, value: Value) {
    if let Some(reply) = replies.get_mut(place) {
        *reply = value;
    }
}

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

/// Returns what a command changes. `is_repeatable` is true for reads, and for writes with an id.
fn effect(words: &[Vec<u8>], is_repeatable: bool) -> Effect {
    match (only_reads(words, is_repeatable), is_repeatable) {
        (true, _) => Effect::Nothing,
        (false, true) => Effect::OnceForId,
        (false, false) => Effect::Each,
    }
}

fn settled(
    words: &[Vec<u8>],
    way: &Way,
    got: Result<Value, CommandError>,
    round: Round,
    is_repeatable: bool,
) -> Settled {
    let value = match got {
        Ok(value) => value,
        Err(failure) => {
            let parts = match way {
                Way::Part(root) => Some(root.parts),
                Way::Key(_) => None,
            };
            return Settled::Reply(refusal::unanswered(&failure, parts, effect(words, is_repeatable)));
        }
    };
    let row = words.first().and_then(|name| Row::of(name));
    match (way, row) {
        (Way::Part(root), _) if refusal::is_no_part(&value) => match round {
            Round::First | Round::Learned => Settled::Again,
            // Each part of a board that grows or shrinks can be split or merged between two rounds.
            Round::Last if root.is_moving() => Settled::Again,
            Round::Last => Settled::Reply(refusal::parts_down(1, root.parts)),
        },
        (Way::Part(_), Some(row)) => Settled::Reply(change::without_ranks(row.name, value)),
        (Way::Key(_), Some(_)) if round != Round::Last && is_of_root(words, &value) => Settled::Again,
        // The key may have a root that lost its last change of rules, and parts that have the view.
        (Way::Key(_), Some(_)) if round == Round::First && refusal::is_no_view(&value) => Settled::Again,
        // In later rounds, nothing requires a whole board.
        (Way::Key(added), Some(_))
            if added.is_guarded && refusal::is_no_part(&value) && !refusal::is_wrong_type(&value) =>
        {
            Settled::Again
        }
        (Way::Key(_), Some(row)) if absent::may_be_absent(row, &value) => Settled::Absent(value),
        // Failovers between the rounds, or other gateways, made a plain board a root again.
        (Way::Key(_), Some(_)) if refusal::is_spread(&value) => Settled::Reply(refusal::root_changes()),
        (Way::Key(_), None) if refusal::is_spread(&value) => Settled::Reply(refusal::not_over_parts(words)),
        _ => Settled::Reply(value),
    }
}
