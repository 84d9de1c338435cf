//! Tests of a cluster without faults: each read gives the same reply as one board.

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use redis::Value;

use super::cases::{Case, Read, case, read, truth};
use super::cluster::Simulated;
use super::truth::told;
use super::values::error_text;
use crate::nodes::RetryingClient;
use crate::spread::{Engine, Timing};

/// How long a command waits if it does not have its own TIMEOUT.
pub const TIMEOUT: Duration = Duration::from_secs(1);

/// Returns the settings for this number of cases, multiplied by the number in `SIMULATION_TIMES`. The number of tries
/// for a smaller case is limited, because each try takes long.
pub fn cases(cases: u32) -> ProptestConfig {
    let times = std::env::var("SIMULATION_TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let cases = cases * times;
    ProptestConfig { cases, max_shrink_iters: 400, failure_persistence: None, ..ProptestConfig::default() }
}

/// Returns an engine like the engine of a client of the door.
pub fn engine(nodes: &Simulated) -> Engine<Simulated> {
    caching(nodes, Duration::ZERO)
}

/// Returns an engine that keeps the rows of a top for the duration `cache`.
pub fn caching(nodes: &Simulated, cache: Duration) -> Engine<Simulated> {
    let settings = Timing { timeout: TIMEOUT, gather: TIMEOUT, cache };
    Engine::new(Arc::new(RetryingClient::new(nodes.clone())), settings)
}

/// Runs a test with a clock that moves on when all tasks wait.
pub fn paused<A>(test: impl AsyncFnOnce() -> A) -> A {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.unwrap().block_on(test())
}

/// Returns whether two replies are the same. Two errors are the same if their codes are the same.
pub fn is_same(one: &Value, other: &Value) -> bool {
    match (error_text(one), error_text(other)) {
        (Some(one), Some(other)) => one.split(' ').next() == other.split(' ').next(),
        _ => one == other,
    }
}

/// Sends one command, and returns its reply.
pub async fn ask(engine: &Engine<Simulated>, words: &[Vec<u8>]) -> Value {
    let mut replies = engine.execute(vec![words.to_vec()]).await;
    assert_eq!(replies.len(), 1);
    replies.remove(0)
}

pub fn text(words: &[Vec<u8>]) -> String {
    words.iter().map(|word| String::from_utf8_lossy(word)).collect::<Vec<_>>().join(" ")
}

fn check(case: &Case, reads: &[Read]) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        for read in reads {
            let words = read.words(&case.rules, case.members, nodes.with(|world| world.wall(0)));
            let wanted = nodes.with(|world| truth(world, case.rules.parts, None, &words));
            let got = ask(&engine, &words).await;
            prop_assert!(
                is_same(&wanted, &got),
                "{}\n wanted {}\n got    {}",
                text(&words),
                told(&wanted),
                told(&got)
            );
        }
        let astray = nodes.with(|world| world.asked.astray.clone());
        prop_assert!(astray.is_empty(), "not to the slot of their keys: {astray:?}");
        Ok(())
    })
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn reads_give_what_one_board_gives(case in case(40), reads in prop::collection::vec(read(), 30)) {
        check(&case, &reads)?;
    }

    #[test]
    fn reads_of_many_members_too(case in case(300), reads in prop::collection::vec(read(), 12)) {
        check(&case, &reads)?;
    }
}
