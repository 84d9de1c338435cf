//! Tests with other writes between the rounds of a read: no member occurs twice, and no unwritten member is missing.

use std::collections::{HashMap, HashSet};

use leaderboard_core::calendar::When;
use proptest::prelude::*;
use redis::Value;

use super::cases::{BOARD, Case, Step, case, perform, step, words};
use super::cluster::{Event, Faults, World};
use super::quiet::{ask, cases, engine, paused, text};
use super::truth::{Truth, name, told};

/// Returns the rank of each member that is not hidden, by the member's name. Ranks begin at 1.
fn ranking(world: &mut World, case: &Case) -> HashMap<Vec<u8>, u64> {
    world.advance();
    let parts = case.rules.parts;
    let entries = Truth { world, name: BOARD, parts, only: None }.entries(None, When::Now).unwrap().0;
    let seen = entries.into_iter().filter(|entry| !entry.hidden);
    seen.zip(1..).map(|(entry, rank)| (entry.name, rank)).collect()
}

/// Returns the rank and the name of each line.
fn lines(reply: &Value) -> Option<Vec<(u64, Vec<u8>)>> {
    let Value::Array(lines) = reply else { return None };
    let line = |line: &Value| match line {
        Value::Array(fields) => match fields.as_slice() {
            [Value::Int(rank), Value::BulkString(name), ..] => Some((rank.cast_unsigned(), name.clone())),
            _ => None,
        },
        _ => None,
    };
    lines.iter().map(line).collect()
}

fn is_hidden(world: &World, case: &Case, member: usize) -> bool {
    let parts = case.rules.parts;
    let key = parts.key(BOARD, parts.of(&name(member)));
    world.look(&key, |board, _| board.hidden().contains(&name(member).as_slice())).unwrap()
}

fn member(step: &Step) -> Option<usize> {
    match step {
        Step::Add(member, _)
        | Step::Set(member, _)
        | Step::Remove(member)
        | Step::Hide(member)
        | Step::Unhide(member)
        | Step::Meta(member, _) => Some(*member),
        Step::Pass(_) => None,
    }
}

fn check(
    case: &Case,
    writes: &[(usize, Step)],
    first: u64,
    count: u64,
    about: usize,
) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        let asked = [
            format!("LB.RANGE game {first} {}", first + count - 1),
            format!("LB.TOP game {count} OFFSET {}", first - 1),
            format!("LB.RANK game m{about}"),
            format!("LB.AROUND game m{about} {count}"),
        ];
        ask(&engine, &words("LB.COUNT game")).await;
        for (number, asked) in asked.iter().enumerate() {
            let before = nodes.with(|world| {
                world.faults = Faults { slowest: 6, ..Faults::default() };
                let before = ranking(world, case);
                let events = writes
                    .iter()
                    .filter_map(|(after, step)| Some((*after, Event::Write(step.words(&case.rules)?))));
                world.events = events.collect();
                before
            });
            let got = ask(&engine, &words(asked)).await;
            let left = nodes.with(|world| std::mem::take(&mut world.events).len());
            let done = writes.len() - left;
            // The remaining writes happen now, so that all four reads have the same number of writes.
            nodes.with(|world| {
                for (_, step) in writes.iter().skip(done) {
                    perform(world, &case.rules, step);
                }
            });
            let done = done as u64;
            let written: HashSet<_> = writes.iter().filter_map(|(_, step)| member(step)).map(name).collect();
            let message = || {
                format!(
                    "{asked}, {done} writes meanwhile {writes:?}\n before {before:?}\n got {}",
                    told(&got)
                )
            };
            if number == 2 {
                if let (Value::Int(rank), Some(old), false) =
                    (&got, before.get(&name(about)), written.contains(&name(about)))
                {
                    prop_assert!(rank.cast_unsigned().abs_diff(*old) <= done, "{}", message());
                }
                continue;
            }
            let Some(lines) = lines(&got) else {
                return Err(TestCaseError::fail(message()));
            };
            let names: HashSet<_> = lines.iter().map(|(_, name)| name).collect();
            prop_assert_eq!(names.len(), lines.len(), "twice: {}", message());
            // A hidden member sees itself. Its rank is also the rank of the next member behind it.
            if number == 3 && nodes.with(|world| is_hidden(world, case, about)) {
                continue;
            }
            prop_assert!(lines.windows(2).all(|two| two[0].0 + 1 == two[1].0), "ranks: {}", message());
            for (rank, name) in lines.iter().filter(|(_, name)| !written.contains(name)) {
                let old = before.get(name);
                prop_assert!(
                    old.is_some_and(|old| old.abs_diff(*rank) <= done),
                    "{}: {}",
                    text(std::slice::from_ref(name)),
                    message()
                );
            }
            if number < 2 {
                let inside = first + done..(first + count).saturating_sub(done);
                for (name, _) in before.iter().filter(|(_, rank)| inside.contains(rank)) {
                    let is_there = names.contains(name) || written.contains(name);
                    prop_assert!(is_there, "missing {}: {}", text(std::slice::from_ref(name)), message());
                }
            }
        }
        Ok(())
    })
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn nobody_comes_twice_or_is_missing(
        case in case(120),
        writes in prop::collection::vec((0_usize..30, step(120)), 0..5),
        first in 1_u64..80,
        count in 1_u64..30,
        about in 0_usize..120,
    ) {
        check(&case, &writes, first, count, about)?;
    }
}
