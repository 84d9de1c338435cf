//! Tests of a cluster with many faults: each answer is right or an error, and it comes in time.

use std::time::Duration;

use proptest::prelude::*;
use redis::Value;
use tokio::time::Instant;

use super::cases::{BOARD, Case, Read, case, plain_case, read, truth, words};
use super::cluster::{Faults, NODES, Simulated, node_of};
use super::quiet::{TIMEOUT, ask, cases, engine, is_same, paused, text};
use super::truth::told;
use super::values::error_text;
use crate::spread::Engine;

/// The time that an answer may take beyond its timeout: the last delay of the command and of the answer.
const GRACE: Duration = Duration::from_millis(60);

fn faults(until: Duration) -> impl Strategy<Value = Faults> {
    let old = prop::option::weighted(0.3, 0..NODES);
    (0_u8..40, 0_u8..20, 0_u8..20, 0_u8..20, 0_u64..40, old).prop_map(
        move |(refused, unsent, lost, deaf, slowest, old)| Faults {
            refused,
            unsent,
            lost,
            deaf,
            until,
            slowest,
            old: old.into_iter().collect(),
            ..Faults::default()
        },
    )
}

/// Returns whether an error says that parts are down.
fn is_down(value: &Value) -> bool {
    error_text(value).is_some_and(|text| text.starts_with("PARTSDOWN "))
}

/// Sends a command, and checks that the answer comes in time.
async fn ask_in_time(engine: &Engine<Simulated>, words: &[Vec<u8>]) -> Result<Value, TestCaseError> {
    let begun = Instant::now();
    let got = tokio::time::timeout(TIMEOUT * 5, ask(engine, words)).await;
    let Ok(got) = got else {
        return Err(TestCaseError::fail(format!("{}: no answer after five times the timeout", text(words))));
    };
    let took = begun.elapsed();
    prop_assert!(took <= TIMEOUT + GRACE, "{} took {took:?}", text(words));
    Ok(got)
}

fn check(case: &Case, reads: &[Read], faults: &Faults, may_fail: bool) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        for read in reads {
            let words = read.words(&case.rules, case.members, nodes.with(|world| world.wall(0)));
            let wanted = nodes.with(|world| {
                world.disturb(faults.clone());
                truth(world, case.rules.parts, None, &words)
            });
            let got = ask_in_time(&engine, &words).await?;
            prop_assert!(
                is_same(&wanted, &got) || (may_fail && is_down(&got)),
                "{}\n wanted {}\n got    {}",
                text(&words),
                told(&wanted),
                told(&got)
            );
        }
        Ok(())
    })
}

/// Returns the parts on nodes that answer.
fn live(case: &Case, silent: &[usize]) -> Vec<u16> {
    let parts = case.rules.parts;
    (0..parts.count()).filter(|part| !silent.contains(&node_of(&parts.key(BOARD, *part)))).collect()
}

/// Returns whether a read asks all parts, whichever member it reads.
fn asks_all(words: &[Vec<u8>]) -> bool {
    let all =
        ["LB.TOP", "LB.RANGE", "LB.RANGEBYSCORE", "LB.STATS", "LB.QUANTILE", "LB.HISTOGRAM", "LB.COUNT"];
    all.iter().any(|name| words[0] == name.as_bytes())
}

fn check_silent(case: &Case, reads: &[Read], node: usize, partial: bool) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        // This command makes the root known.
        ask(&engine, &words("LB.COUNT game")).await;
        let silent = Faults { silent: vec![node], slowest: 4, ..Faults::default() };
        let (live, count) = (live(case, &[node]), case.rules.parts.count());
        for read in reads {
            let mut words = read.words(&case.rules, case.members, nodes.with(|world| world.wall(0)));
            if partial && !asks_all(&words) {
                continue;
            }
            // The stored data of the root may be old by now, and the node of the root is silent.
            nodes.with(|world| world.disturb(Faults { slowest: 4, ..Faults::default() }));
            ask(&engine, &super::cases::words("LB.COUNT game")).await;
            let whole = nodes.with(|world| truth(world, case.rules.parts, None, &words));
            let some = nodes.with(|world| truth(world, case.rules.parts, Some(&live), &words));
            nodes.with(|world| world.disturb(silent.clone()));
            if partial {
                words.push(b"PARTIAL".to_vec());
            }
            let got = ask_in_time(&engine, &words).await?;
            let message = || {
                format!(
                    "{}, {} of {count} parts answer\n all    {}\n some   {}\n got    {}",
                    text(&words),
                    live.len(),
                    told(&whole),
                    told(&some),
                    told(&got)
                )
            };
            if partial && error_text(&some).is_none() {
                let wanted =
                    Value::Array(vec![Value::Int(live.len() as i64), Value::Int(count.into()), some.clone()]);
                prop_assert!(got == wanted, "{}", message());
            } else if partial {
                prop_assert!(error_text(&got).is_some(), "{}", message());
            } else if live.len() == usize::from(count) {
                prop_assert!(is_same(&got, &whole), "{}", message());
            } else if asks_all(&words) {
                let down =
                    format!("PARTSDOWN {} of {count} parts did not answer", usize::from(count) - live.len());
                let is_told = error_text(&got) == Some(down);
                prop_assert!(is_told || error_text(&whole).is_some(), "{}", message());
            } else {
                prop_assert!(is_same(&got, &whole) || is_down(&got), "{}", message());
            }
        }
        Ok(())
    })
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn short_faults_are_waited_for(
        case in case(40),
        reads in prop::collection::vec(read(), 8),
        faults in faults(Duration::from_millis(150)),
    ) {
        check(&case, &reads, &faults, false)?;
    }

    #[test]
    fn long_faults_end_in_errors_at_worst(
        case in case(40),
        reads in prop::collection::vec(read(), 8),
        faults in faults(TIMEOUT * 10),
    ) {
        check(&case, &reads, &faults, true)?;
    }

    #[test]
    fn a_silent_node_is_told(case in case(40), reads in prop::collection::vec(read(), 8), node in 0..NODES) {
        check_silent(&case, &reads, node, false)?;
    }

    #[test]
    fn partial_answers_are_those_of_the_parts_that_answer(
        case in case(40),
        reads in prop::collection::vec(read(), 12),
        node in 0..NODES,
    ) {
        check_silent(&case, &reads, node, true)?;
    }
}

/// Checks that the stored data of the root is used while the node of the root is silent: the other parts answer.
#[test]
fn partial_answers_need_no_root() {
    let case = plain_case(16, 40);
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        ask(&engine, &words("LB.COUNT game")).await;
        let node = node_of(BOARD);
        nodes.with(|world| world.faults.silent = vec![node]);
        let live = live(&case, &[node]);
        for wait in [10, 1_500, 5_000] {
            tokio::time::sleep(Duration::from_millis(wait)).await;
            let top = words("LB.TOP game 10");
            let some = nodes.with(|world| truth(world, case.rules.parts, Some(&live), &top));
            let got = ask_in_time(&engine, &words("LB.TOP game 10 PARTIAL")).await.unwrap();
            let wanted = Value::Array(vec![Value::Int(live.len() as i64), Value::Int(16), some]);
            assert!(got == wanted, "after {wait} ms\n wanted {}\n got    {}", told(&wanted), told(&got));
        }
    });
}
