//! Tests of the sender over simulated nodes, with a clock that the test moves: they check which commands are repeated,
//! in which order, and until when.
#![allow(clippy::arithmetic_side_effects, reason = "a test that fails ought to panic")]

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use proptest::prelude::*;
use redis::Value;
use tokio::time::{Instant, sleep};

use crate::nodes::{AttemptError, Command, CommandError, RetryingClient, Transport};

const TIMEOUT: Duration = Duration::from_secs(1);

/// What happens to the commands of a slot in one attempt.
#[derive(Debug, Clone)]
enum Fate {
    /// This number of commands are carried out, and the other commands get this answer.
    Refused(usize, &'static str),
    /// This number of commands get this answer, and the other commands are carried out.
    Late(usize, &'static str),
    /// The connection is refused.
    NotSent,
    /// This number of commands are carried out, and no answer comes.
    Lost(usize),
    /// This number of commands are carried out, and no answer comes before the deadline.
    Never(usize),
    /// No answer comes before the deadline either, but nothing is carried out, and the nodes notice this before the
    /// deadline.
    Slow(u64),
}

const REFUSALS: [&str; 7] = [
    "MOVED 5 127.0.0.1:1",
    "ASK 5 127.0.0.1:1",
    "TRYAGAIN Multiple keys request during rehashing of slot",
    "LOADING Redis is loading the dataset in memory",
    "CLUSTERDOWN The cluster is down",
    "MASTERDOWN Link with MASTER is down",
    "READONLY You can't write against a read only replica.",
];

/// Nodes that first behave as the test orders, and then carry out all commands.
#[derive(Default)]
struct Simulated {
    fates: Mutex<HashMap<Option<u16>, VecDeque<Fate>>>,
    /// The commands that were carried out.
    done: Mutex<Vec<(Option<u16>, Vec<u8>)>>,
    attempts: AtomicUsize,
    /// The number of groups of slots. The commands of a group are sent together.
    ways: usize,
}

impl Simulated {
    fn new(fates: impl IntoIterator<Item = (u16, Vec<Fate>)>) -> Self {
        let fates = fates.into_iter().map(|(slot, fates)| (Some(slot), fates.into())).collect();
        Self { fates: Mutex::new(fates), ways: 3, ..Self::default() }
    }

    fn carry_out(&self, command: &Command) -> Value {
        let word = command.words[0].clone();
        self.done.lock().unwrap().push((command.slot, word.clone()));
        Value::BulkString(word)
    }

    /// Returns the answers to the commands of a slot.
    async fn slot(&self, commands: &[&Command]) -> Vec<Result<Value, AttemptError>> {
        let fate = {
            let mut fates = self.fates.lock().unwrap_or_else(PoisonError::into_inner);
            fates.get_mut(&commands[0].slot).and_then(VecDeque::pop_front)
        };
        let carry_out = |number: usize| {
            commands[..number.min(commands.len())].iter().map(|command| Ok(self.carry_out(command)))
        };
        let lost = || commands.iter().map(|_| Err(AttemptError::Lost("closed".to_owned()))).collect();
        match fate {
            None => carry_out(commands.len()).collect(),
            Some(Fate::Refused(number, error)) => {
                let mut answers: Vec<_> = carry_out(number).collect();
                answers.resize(commands.len(), Ok(server_error(error)));
                answers
            }
            Some(Fate::Late(number, error)) => {
                let number = number.min(commands.len());
                let late = commands[number..].iter().map(|command| Ok(self.carry_out(command)));
                (0..number).map(|_| Ok(server_error(error))).chain(late).collect()
            }
            Some(Fate::NotSent) => {
                commands.iter().map(|_| Err(AttemptError::NotSent("refused".to_owned()))).collect()
            }
            Some(Fate::Lost(number)) => {
                carry_out(number).for_each(drop);
                lost()
            }
            Some(Fate::Never(number)) => {
                carry_out(number).for_each(drop);
                std::future::pending().await
            }
            Some(Fate::Slow(millis)) => {
                sleep(Duration::from_millis(millis)).await;
                lost()
            }
        }
    }
}

impl Transport for Simulated {
    async fn send(&self, commands: &[&Command]) -> Vec<Result<Value, AttemptError>> {
        self.attempts.fetch_add(1, Ordering::Relaxed);
        let mut answers: Vec<_> = commands.iter().map(|_| None).collect();
        let mut slots: Vec<_> = commands.iter().map(|command| command.slot).collect();
        slots.sort_unstable();
        slots.dedup();
        for slot in slots {
            let places: Vec<_> = (0..commands.len()).filter(|at| commands[*at].slot == slot).collect();
            let chosen: Vec<_> = places.iter().map(|at| commands[*at]).collect();
            for (place, answer) in places.into_iter().zip(self.slot(&chosen).await) {
                answers[place] = Some(answer);
            }
        }
        answers.into_iter().map(Option::unwrap).collect()
    }

    /// Returns the group of a slot. With each attempt, slots belong to other groups, as when slots are moved between
    /// nodes.
    fn way(&self, slot: Option<u16>) -> usize {
        let slot = slot.map_or(0, usize::from);
        (slot + self.attempts.load(Ordering::Relaxed)) % self.ways.max(1)
    }
}

fn server_error(error: &str) -> Value {
    redis::parse_redis_value(format!("-{error}\r\n").as_bytes()).unwrap()
}

fn command(slot: u16, name: &str, repeatable: bool) -> Command {
    Command { slot: Some(slot), words: vec![name.as_bytes().to_vec()], repeatable }
}

fn read(slot: u16, name: &str) -> Command {
    command(slot, name, true)
}

fn write(slot: u16, name: &str) -> Command {
    command(slot, name, false)
}

fn done(name: &str) -> Result<Value, CommandError> {
    Ok(Value::BulkString(name.as_bytes().to_vec()))
}

/// The answers, the commands that were carried out, and the time that all of this took.
struct Outcome {
    answers: Vec<Result<Value, CommandError>>,
    done: Vec<(Option<u16>, Vec<u8>)>,
    took: Duration,
    attempts: usize,
}

impl Outcome {
    fn times(&self, name: &str) -> usize {
        self.done.iter().filter(|(_, word)| word == name.as_bytes()).count()
    }
}

fn play(nodes: Simulated, commands: Vec<Command>) -> Outcome {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let began = Instant::now();
        let sender = RetryingClient::new(nodes);
        let answers = sender.ask(&commands, began + TIMEOUT).await;
        Outcome {
            answers,
            took: began.elapsed(),
            done: sender.transport().done.lock().unwrap().clone(),
            attempts: sender.transport().attempts.load(Ordering::Relaxed),
        }
    })
}

#[test]
fn refusals_are_sent_again_until_they_are_answered() {
    for error in REFUSALS {
        let nodes = Simulated::new([(5, vec![Fate::Refused(0, error); 4])]);
        let outcome = play(nodes, vec![write(5, "a"), read(5, "b"), write(9, "c")]);
        assert_eq!(outcome.answers, [done("a"), done("b"), done("c")], "{error}");
        assert!(["a", "b", "c"].iter().all(|name| outcome.times(name) == 1), "{error}");
        assert!(outcome.took > Duration::ZERO && outcome.took < TIMEOUT / 2, "{error}: {:?}", outcome.took);
    }
}

#[test]
fn other_errors_are_answers() {
    for error in [
        "CROSSSLOT Keys in request don't hash to the same slot",
        "ERR the key is being restored",
        "NOAUTH x",
        "OOM x",
    ] {
        let outcome = play(Simulated::new([(5, vec![Fate::Refused(0, error)])]), vec![write(5, "a")]);
        assert_eq!(outcome.answers, [Ok(server_error(error))]);
        assert_eq!((outcome.attempts, outcome.took), (1, Duration::ZERO));
    }
}

#[test]
fn an_attempt_at_a_node_that_refuses_for_good_ends_at_the_deadline() {
    for fate in [Fate::NotSent, Fate::Refused(0, REFUSALS[0]), Fate::Refused(0, REFUSALS[4])] {
        let outcome = play(Simulated::new([(5, vec![fate; 1_000])]), vec![write(5, "a"), write(6, "b")]);
        assert!(matches!(&outcome.answers[0], Err(CommandError::Silent(reason)) if !reason.is_empty()));
        assert_eq!(outcome.answers[1], done("b"));
        assert!(outcome.took <= TIMEOUT && outcome.took >= TIMEOUT * 9 / 10, "{:?}", outcome.took);
        // Pauses grow to 100 ms, and become shorter when little time is left.
        assert!((12..40).contains(&outcome.attempts), "{}", outcome.attempts);
    }
}

#[test]
fn a_write_whose_answer_is_lost_is_not_repeated_without_an_id() {
    let nodes = Simulated::new([(5, vec![Fate::Lost(2)])]);
    let outcome = play(nodes, vec![write(5, "a"), read(5, "b")]);
    assert_eq!(outcome.answers, [Err(CommandError::Unknown("closed".to_owned())), done("b")]);
    assert_eq!((outcome.times("a"), outcome.times("b")), (1, 2));
    // The error is known at once.
    let outcome = play(Simulated::new([(5, vec![Fate::Lost(0)])]), vec![write(5, "a")]);
    assert_eq!((outcome.took, outcome.times("a")), (Duration::ZERO, 0));
}

/// The first attempt may have been carried out, although the node refuses all later ones.
#[test]
fn a_repeated_write_that_may_be_done_is_not_told_as_silent() {
    for later in [Fate::NotSent, Fate::Refused(0, REFUSALS[6])] {
        let fates = std::iter::once(Fate::Lost(1)).chain(vec![later; 1_000]).collect();
        let outcome = play(Simulated::new([(5, fates)]), vec![read(5, "a")]);
        assert!(matches!(outcome.answers[0], Err(CommandError::Unknown(_))), "{:?}", outcome.answers);
        assert_eq!(outcome.times("a"), 1);
    }
}

#[test]
fn a_node_that_never_answers_holds_back_nobody_else() {
    let nodes = Simulated::new([(3, vec![Fate::Never(1)]), (5, vec![Fate::Refused(0, REFUSALS[0]); 3])]);
    let outcome = play(nodes, vec![write(3, "a"), write(5, "b"), read(3, "c"), read(4, "d")]);
    assert!(matches!(outcome.answers[0], Err(CommandError::Unknown(_))));
    assert!(matches!(outcome.answers[2], Err(CommandError::Unknown(_))));
    assert_eq!(outcome.answers[1], done("b"));
    assert_eq!(outcome.answers[3], done("d"));
    assert_eq!((outcome.times("a"), outcome.took), (1, TIMEOUT));
}

#[test]
fn what_was_read_before_a_write_that_comes_first_is_read_again() {
    let nodes = Simulated::new([(5, vec![Fate::Late(1, REFUSALS[6])])]);
    let outcome = play(nodes, vec![write(5, "a"), read(5, "b"), write(5, "c"), read(6, "d")]);
    assert_eq!(outcome.answers, ["a", "b", "c", "d"].map(done));
    let of_slot: Vec<_> =
        outcome.done.iter().filter(|(slot, _)| *slot == Some(5)).map(|(_, word)| word).collect();
    assert_eq!(of_slot, [b"b", b"c", b"a", b"b"]);
    assert_eq!(outcome.times("d"), 1);
}

#[test]
fn figures_count_what_happened() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let sender =
            RetryingClient::new(Simulated::new([(5, vec![Fate::NotSent; 2]), (6, vec![Fate::Lost(1)])]));
        sender.ask(&[read(5, "a"), write(6, "b"), read(7, "c")], Instant::now() + TIMEOUT).await;
        let count = |figure: &std::sync::atomic::AtomicU64| figure.load(Ordering::Relaxed);
        let figures = &sender.figures;
        assert_eq!((count(&figures.sent), count(&figures.repeated), count(&figures.silent)), (3, 2, 1));
        assert!(sender.ask(&[], Instant::now()).await.is_empty());
    });
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        4 => (0..6_usize, prop::sample::select(REFUSALS.to_vec())).prop_map(|(n, error)| Fate::Refused(n, error)),
        2 => Just(Fate::NotSent),
        2 => (0..6_usize).prop_map(Fate::Lost),
        1 => (0..6_usize).prop_map(Fate::Never),
        1 => (1..1_500_u64).prop_map(Fate::Slow),
    ]
}

proptest! {
    /// Tests these promises for random behaviours of the nodes: each command gets one answer in time. A write without
    /// an id is carried out at most once, and its answer agrees with this. Writes of a slot are carried out in their
    /// order.
    #[test]
    fn any_schedule_keeps_the_promises(
        kinds in prop::collection::vec((0..5_u16, any::<bool>()), 0..24),
        fates in prop::collection::vec(prop::collection::vec(fate(), 0..12), 5),
        ways in 1..4_usize,
    ) {
        let commands: Vec<Command> = kinds
            .iter()
            .enumerate()
            .map(|(number, (slot, repeatable))| command(*slot, &format!("{number:03}"), *repeatable))
            .collect();
        let mut nodes = Simulated::new((0..).zip(fates));
        nodes.ways = ways;
        let outcome = play(nodes, commands.clone());
        prop_assert_eq!(outcome.answers.len(), commands.len());
        prop_assert!(outcome.took <= TIMEOUT, "{:?}", outcome.took);
        for (command, answer) in commands.iter().zip(&outcome.answers) {
            let name = str::from_utf8(&command.words[0]).unwrap();
            let times = outcome.times(name);
            match answer {
                Ok(value) => prop_assert_eq!(value, &Value::BulkString(command.words[0].clone())),
                Err(CommandError::Silent(_)) => prop_assert_eq!(times, 0),
                Err(CommandError::Unknown(_)) => {}
            }
            prop_assert!(command.repeatable || times <= 1, "{name} was carried out {times} times");
            prop_assert!(answer.is_err() || times >= 1, "{name} was answered, and not carried out");
        }
        for slot in 0..5 {
            let mut first: Vec<&Vec<u8>> = Vec::new();
            for (_, word) in outcome.done.iter().filter(|(of, _)| *of == Some(slot)) {
                if !first.contains(&word) {
                    first.push(word);
                }
            }
            prop_assert!(first.is_sorted(), "slot {slot}: {first:?}");
        }
    }
}
