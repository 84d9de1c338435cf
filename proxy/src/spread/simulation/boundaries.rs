//! Periods end on one node earlier than on another: all parts answer for one period.

use proptest::prelude::*;
use redis::Value;

use super::cases::{Case, Read, Rules, case, read, truth};
use super::cluster::{Event, Faults};
use super::quiet::{ask, cases, engine, is_same, paused, text};
use super::truth::told;

const HOUR: u64 = 3_600_000;

/// A read of the current hour, or the one before.
fn of_an_hour(read: &Read, rules: &Rules, members: usize, wall: u64) -> Option<Vec<Vec<u8>>> {
    let read = Read { options: read.options | 0b1111, ..read.clone() };
    // Without a view or period of its own.
    let mut words = read.words(rules, members, wall);
    if let Some(at) = words.iter().position(|word| word == b"PERIOD" || word == b"AT") {
        words.drain(at..at + 2);
    }
    let kinds: [&[u8]; 11] = [
        b"LB.TOP",
        b"LB.RANGE",
        b"LB.RANGEBYSCORE",
        b"LB.AROUND",
        b"LB.RANK",
        b"LB.MSCORE",
        b"LB.AMONG",
        b"LB.COUNT",
        b"LB.QUANTILE",
        b"LB.STANDING",
        b"LB.MSTANDING",
    ];
    kinds.contains(&words[0].as_slice()).then_some(words)
}

/// The moment of a score is told in current periods only, and a part ahead of others reads an ended one.
fn without_at(reply: &Value) -> Value {
    match reply {
        Value::Array(items) => Value::Array(items.iter().map(without_at).collect()),
        Value::Map(fields) => {
            let at = Value::BulkString(b"at".to_vec());
            Value::Map(fields.iter().filter(|(name, _)| *name != at).cloned().collect())
        }
        other => other.clone(),
    }
}

fn with(words: &[Vec<u8>], more: &str) -> Vec<Vec<u8>> {
    words.iter().cloned().chain(super::cases::words(more)).collect()
}

/// Reads while the nodes' clocks lie on both sides of a boundary. With `turns`, time passes between rounds.
fn check(
    case: &Case,
    reads: &[Read],
    before: u64,
    back: u64,
    turns: Option<usize>,
) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        // Who writes in the last minute of the hour is in it.
        nodes.with(|world| {
            world.faults = Faults { slowest: 4, ..Faults::default() };
            let wall = world.wall(0);
            world.passed += HOUR - wall % HOUR - 30_000;
            world.advance();
            for number in 0..case.members {
                let step = super::cases::Step::Add(number, (number % 3) as i64);
                super::cases::perform(world, &case.rules, &step);
            }
        });
        for read in reads {
            let wall = nodes.with(|world| world.wall(0));
            let Some(mut words) = of_an_hour(read, &case.rules, case.members, wall) else { continue };
            words.extend(super::cases::words("VIEW hour"));
            let boundary = nodes.with(|world| {
                let wall = world.wall(0);
                let boundary = wall - wall % HOUR + HOUR;
                if boundary - wall > before {
                    world.passed += boundary - wall - before;
                }
                boundary
            });
            let asked = if back == 0 { words.clone() } else { with(&words, &format!("PERIOD -{back}")) };
            let of = |start: u64| with(&words, &format!("AT {}", start + 1 - back * HOUR));
            let candidates = [0, HOUR].map(|later| {
                nodes.with(|world| truth(world, case.rules.parts, None, &of(boundary - HOUR + later)))
            });
            if let Some(commands) = turns {
                nodes.with(|world| world.events.push_back((commands, Event::Pass(before))));
            }
            let got = ask(&engine, &asked).await;
            nodes.with(|world| world.events.clear());
            // Nobody wrote, so the hour that began is empty where it is the current one.
            prop_assert!(
                candidates.iter().any(|wanted| is_same(&without_at(wanted), &without_at(&got))),
                "{} at {before} ms before the hour, skews {:?}\n old {}\n new {}\n got {}",
                text(&asked),
                case.skews,
                told(&candidates[0]),
                told(&candidates[1]),
                told(&got)
            );
        }
        Ok(())
    })
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn parts_ahead_are_asked_for_the_period_of_the_others(
        case in case(40),
        reads in prop::collection::vec(read(), 3),
        before in 1_u64..250,
        back in 0_u64..2,
        turns in prop::option::of(1_usize..40),
    ) {
        let rules = Rules { views: 0, retain: 3, ..case.rules.clone() };
        check(&Case { rules, ..case }, &reads, before, back, turns)?;
    }
}
