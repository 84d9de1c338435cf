//! Tests of writes. A write with an id is applied exactly once, whatever is lost. A write without an id is applied at
//! most once, and the error says if the result is unknown.

use std::time::Duration;

use leaderboard_core::calendar::When;
use leaderboard_core::parts::Parts;
use proptest::prelude::*;
use redis::Value;
use tokio::time::Instant;

use super::cases::{BOARD, Case, Rules, case, plain_case, words};
use super::cluster::{Faults, NODES, Simulated, World};
use super::quiet::{TIMEOUT, ask, cases, engine, paused, text};
use super::truth::{Truth, told};
use super::values::error_text;
use crate::spread::Engine;

/// Returns a board of whole numbers, without members.
pub fn empty(case: &Case) -> Case {
    let rules = Rules {
        decimals: 0,
        has_levels: false,
        aggregate: Default::default(),
        views: 0,
        ..case.rules.clone()
    };
    Case { rules, writes: Vec::new(), ..case.clone() }
}

/// Returns a member's score in the view `all`. `None` if the member has no score.
fn score(world: &mut World, parts: Parts, member: &str) -> Option<i64> {
    world.advance();
    let (entries, ..) =
        Truth { world, name: BOARD, parts, only: None }.entries(Some(b"all"), When::Now).unwrap();
    entries.iter().find(|entry| entry.name == member.as_bytes()).map(|entry| entry.score.units())
}

fn faults() -> impl Strategy<Value = Faults> {
    let silent = prop::option::weighted(0.2, 0..NODES);
    (0_u8..40, 0_u8..20, 0_u8..30, 0_u8..30, 0_u64..60, silent).prop_map(
        |(refused, unsent, lost, deaf, slowest, silent)| Faults {
            refused,
            unsent,
            lost,
            deaf,
            until: TIMEOUT * 1000,
            silent: silent.into_iter().collect(),
            slowest,
            ..Faults::default()
        },
    )
}

/// Returns a write of one member, of this kind. If it is carried out once, the member has the score 1.
fn write(kind: u8, member: &str, id: Option<&str>) -> Vec<Vec<u8>> {
    let id = id.map_or_else(String::new, |id| format!(" ID {id}"));
    words(&match kind % 4 {
        0 => format!("LB.ADD game 1 {member}{id}"),
        1 => format!("LB.ROLLADD game 1 {member}{id}"),
        2 => format!("LB.MADD game{id} 1 {member}"),
        _ => format!("LB.ADD game 1 {member} WITHRANK{id}"),
    })
}

/// Returns whether a reply to a write says that the write was applied.
fn is_applied(reply: &Value) -> bool {
    match reply {
        Value::Array(fields) if fields.len() >= 3 => fields[2] == Value::Int(1),
        Value::Array(lines) => lines.first().is_some_and(is_applied),
        _ => false,
    }
}

fn code(reply: &Value) -> String {
    error_text(reply).unwrap_or_default().split(' ').next().unwrap_or_default().to_owned()
}

async fn in_time(engine: &Engine<Simulated>, words: &[Vec<u8>]) -> Result<Value, TestCaseError> {
    let begun = Instant::now();
    let got = ask(engine, words).await;
    let took = begun.elapsed();
    prop_assert!(took <= TIMEOUT + Duration::from_millis(100), "{} took {took:?}", text(words));
    Ok(got)
}

fn check_without_id(case: &Case, kinds: &[u8], faults: &Faults) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        ask(&engine, &words("LB.COUNT game")).await;
        nodes.with(|world| world.disturb(faults.clone()));
        for (number, kind) in kinds.iter().enumerate() {
            let member = format!("m{number}");
            let words = write(*kind, &member, None);
            let got = in_time(&engine, &words).await?;
            let is = nodes.with(|world| score(world, case.rules.parts, &member));
            let message = format!("{}: {} and then {is:?}", text(&words), told(&got));
            match code(&got).as_str() {
                // The rank in the reply may be nil, because some parts did not answer.
                "" => prop_assert!(is == Some(1), "{message}"),
                "UNKNOWN" => prop_assert!(is.is_none() || is == Some(1), "{message}"),
                "PARTSDOWN" => prop_assert!(is.is_none(), "{message}"),
                _ => prop_assert!(false, "{message}"),
            }
        }
        // Commands that are on their way must not be carried out later.
        tokio::time::sleep(TIMEOUT * 3).await;
        for number in 0..kinds.len() {
            let is = nodes.with(|world| score(world, case.rules.parts, &format!("m{number}")));
            prop_assert!(is.is_none() || is == Some(1));
        }
        Ok(())
    })
}

/// Checks writes with ids. Each write is repeated until it has an answer.
fn check_with_ids(case: &Case, kinds: &[u8], faults: &Faults) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        ask(&engine, &words("LB.COUNT game")).await;
        for (number, kind) in kinds.iter().enumerate() {
            nodes.with(|world| world.disturb(faults.clone()));
            let member = format!("m{number}");
            let words = write(*kind, &member, Some(&format!("r{number}")));
            let mut got = Value::Nil;
            for attempt in 0..20 {
                got = in_time(&engine, &words).await?;
                match code(&got).as_str() {
                    "" => {
                        // There is one call and one client, however often the gateway has sent the command.
                        prop_assert!(attempt > 0 || is_applied(&got), "{}: {}", text(&words), told(&got));
                        break;
                    }
                    "UNKNOWN" | "PARTSDOWN" => {}
                    _ => prop_assert!(false, "{}: {}", text(&words), told(&got)),
                }
                if attempt == 1 {
                    nodes.with(|world| world.disturb(Faults { silent: Vec::new(), ..faults.clone() }));
                }
                if attempt == 10 {
                    nodes.with(|world| world.disturb(Faults::default()));
                }
            }
            let is = nodes.with(|world| score(world, case.rules.parts, &member));
            prop_assert!(
                is == Some(1) && code(&got).is_empty(),
                "{}: {} and then {is:?}",
                text(&words),
                told(&got)
            );
        }
        Ok(())
    })
}

/// Returns members with their points, as the words of a command.
fn list(members: &[(usize, i64)]) -> String {
    members.iter().map(|(member, points)| format!("{points} m{member}")).collect::<Vec<_>>().join(" ")
}

/// Adds points to many members with an id, until all parts have answered.
fn check_many(
    case: &Case,
    members: &[(usize, i64)],
    name: &str,
    faults: &Faults,
) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        ask(&engine, &words("LB.COUNT game")).await;
        nodes.with(|world| world.disturb(faults.clone()));
        let asked = words(&format!("{name} game ID once {}", list(members)));
        let mut wanted = std::collections::HashMap::new();
        for (member, points) in members {
            let of = wanted.entry(*member).or_insert(0);
            *of = if name == "LB.MADD" { *of + points } else { *points };
        }
        for attempt in 0..20 {
            let got = in_time(&engine, &asked).await?;
            if code(&got).is_empty() {
                let Value::Array(lines) = &got else { return Err(TestCaseError::fail(told(&got))) };
                prop_assert_eq!(lines.len(), members.len());
                for (line, (member, _)) in lines.iter().zip(members) {
                    let Value::Array(line) = line else { return Err(TestCaseError::fail(told(&got))) };
                    prop_assert!(
                        line.len() == 3 && line[0] == Value::Int(wanted[member]) && line[1] == Value::Nil,
                        "{}: {}",
                        text(&asked),
                        told(&got)
                    );
                }
                break;
            }
            prop_assert!(
                ["PARTSDOWN", "UNKNOWN"].contains(&code(&got).as_str()),
                "{}: {}",
                text(&asked),
                told(&got)
            );
            prop_assert!(attempt < 19);
            if attempt >= 2 {
                nodes.with(|world| world.disturb(Faults::default()));
            }
        }
        for (member, points) in &wanted {
            let is = nodes.with(|world| score(world, case.rules.parts, &format!("m{member}")));
            prop_assert!(is == Some(*points), "{}: m{member} has {is:?}", text(&asked));
        }
        Ok(())
    })
}

/// Removes or hides members while there are many faults. There are no other writes, so each member is either unchanged
/// or removed or hidden.
fn check_lists(case: &Case, members: &[usize], hides: bool, faults: &Faults) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        ask(&engine, &words("LB.COUNT game")).await;
        nodes.with(|world| world.disturb(faults.clone()));
        let names: Vec<_> = members.iter().map(|member| format!("m{member}")).collect();
        let asked = words(&format!("{} game {}", if hides { "LB.HIDE" } else { "LB.REM" }, names.join(" ")));
        let got = in_time(&engine, &asked).await?;
        let distinct: std::collections::BTreeSet<_> = names.iter().collect();
        let left = distinct
            .iter()
            .filter(|name| nodes.with(|world| is_there(world, case.rules.parts, name)))
            .count();
        let message = format!("{}: {} and {left} of {} are left", text(&asked), told(&got), distinct.len());
        match code(&got).as_str() {
            "" => prop_assert!(got == Value::Int(distinct.len() as i64) && left == 0, "{message}"),
            "UNKNOWN" => {}
            // Some commands were surely not carried out.
            "PARTSDOWN" => prop_assert!(left > 0, "{message}"),
            _ => prop_assert!(false, "{message}"),
        }
        Ok(())
    })
}

/// Returns whether a member has an entry and is not hidden.
fn is_there(world: &mut World, parts: Parts, member: &str) -> bool {
    world.advance();
    let (entries, ..) =
        Truth { world, name: BOARD, parts, only: None }.entries(Some(b"all"), When::Now).unwrap();
    entries.iter().any(|entry| entry.name == member.as_bytes() && !entry.hidden)
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn without_an_id_at_most_once(
        case in case(8),
        kinds in prop::collection::vec(any::<u8>(), 1..12),
        faults in faults(),
    ) {
        check_without_id(&empty(&case), &kinds, &faults)?;
    }

    #[test]
    fn with_an_id_exactly_once(
        case in case(8),
        kinds in prop::collection::vec(any::<u8>(), 1..6),
        faults in faults(),
    ) {
        check_with_ids(&empty(&case), &kinds, &faults)?;
    }

    #[test]
    fn many_at_once_are_completed_by_repeating(
        case in case(8),
        members in prop::collection::vec((0_usize..40, 1_i64..5), 1..20),
        sets in any::<bool>(),
        faults in faults(),
    ) {
        check_many(&empty(&case), &members, if sets { "LB.MSET" } else { "LB.MADD" }, &faults)?;
    }

    #[test]
    fn lists_are_carried_out_or_told(
        parts in prop_oneof![Just(2_u16), Just(16)],
        members in prop::collection::vec(0_usize..30, 1..12),
        hides in any::<bool>(),
        seed in any::<u64>(),
        faults in faults(),
    ) {
        check_lists(&Case { seed, ..plain_case(parts, 30) }, &members, hides, &faults)?;
    }
}
