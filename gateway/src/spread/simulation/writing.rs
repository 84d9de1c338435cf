//! Writes: with an id exactly once, whatever is lost; without one at most once, and told where nobody knows.

use std::time::Duration;

use leaderboard_core::calendar::When;
use leaderboard_core::parts::Parts;
use proptest::prelude::*;
use redis::Value;
use tokio::time::Instant;

use super::cases::{BOARD, Case, Rules, case, plain_case, truth, words};
use super::cluster::{Faults, NODES, Simulated, World};
use super::quiet::{TIMEOUT, ask, cases, engine, is_same, paused, text};
use super::truth::{Truth, told};
use super::values::error_text;
use crate::spread::Engine;

/// A board of whole numbers, and nothing written.
fn empty(case: &Case) -> Case {
    let rules = Rules {
        decimals: 0,
        has_levels: false,
        aggregate: Default::default(),
        views: 0,
        ..case.rules.clone()
    };
    Case { rules, writes: Vec::new(), ..case.clone() }
}

/// What a member has in `all`; nothing where it has no score.
fn score(world: &mut World, parts: Parts, member: &str) -> Option<i64> {
    world.advance();
    let (entries, ..) = Truth { keys: &mut world.keys, name: BOARD, parts, only: None }
        .entries(Some(b"all"), When::Now)
        .unwrap();
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
            way: None,
        },
    )
}

/// A write of one member by its kind, which gives it 1 if it is carried out once.
fn write(kind: u8, member: &str, id: Option<&str>) -> Vec<Vec<u8>> {
    let id = id.map_or_else(String::new, |id| format!(" ID {id}"));
    words(&match kind % 4 {
        0 => format!("LB.ADD game 1 {member}{id}"),
        1 => format!("LB.ROLLADD game 1 {member}{id}"),
        2 => format!("LB.MADD game{id} 1 {member}"),
        _ => format!("LB.ADD game 1 {member} WITHRANK{id}"),
    })
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
                // Its rank may be what nobody answered.
                "" => prop_assert!(is == Some(1), "{message}"),
                "UNKNOWN" => prop_assert!(is.is_none() || is == Some(1), "{message}"),
                "PARTSDOWN" => prop_assert!(is.is_none(), "{message}"),
                _ => prop_assert!(false, "{message}"),
            }
        }
        // What is on its way must not be carried out later.
        tokio::time::sleep(TIMEOUT * 3).await;
        for number in 0..kinds.len() {
            let is = nodes.with(|world| score(world, case.rules.parts, &format!("m{number}")));
            prop_assert!(is.is_none() || is == Some(1));
        }
        Ok(())
    })
}

/// Each write is repeated until it has an answer.
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
                    "" => break,
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

/// Members with their points, as the words of a command.
fn list(members: &[(usize, i64)]) -> String {
    members.iter().map(|(member, points)| format!("{points} m{member}")).collect::<Vec<_>>().join(" ")
}

/// Adds many members with an id until all parts have answered.
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

/// Removes or hides members while much goes wrong. Nobody else writes, so each is what it was or what was asked for.
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
            // What was surely not carried out.
            "PARTSDOWN" => prop_assert!(left > 0, "{message}"),
            _ => prop_assert!(false, "{message}"),
        }
        Ok(())
    })
}

/// Whether everybody sees a member.
fn is_there(world: &mut World, parts: Parts, member: &str) -> bool {
    world.advance();
    let (entries, ..) = Truth { keys: &mut world.keys, name: BOARD, parts, only: None }
        .entries(Some(b"all"), When::Now)
        .unwrap();
    entries.iter().any(|entry| entry.name == member.as_bytes() && !entry.hidden)
}

/// Writes and reads of one batch, each of which sees those before it.
fn check_batches(case: &Case, steps: &[(u8, usize, i64)]) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        let mut twin = empty(case).world();
        let asked: Vec<_> = steps
            .iter()
            // Bits that nobody else has: no two scores are the same, so moments decide nothing.
            .zip((0..).map(|bit| 1_i64 << bit))
            .map(|((kind, member, _), points)| match kind % 7 {
                0 => format!("LB.ADD game {points} m{member}"),
                1 => format!("LB.SET game {points} m{member} WITHRANK"),
                2 => format!("LB.RANK game m{member}"),
                3 => "LB.TOP game 10".to_owned(),
                4 => format!("LB.SCORE game m{member}"),
                5 => format!("LB.REM game m{member} m{} m{}", member + 1, member + 7),
                _ => format!("LB.ADD game {points} m{member} WITHCHANGE"),
            })
            .collect();
        let got = engine.execute(asked.iter().map(|asked| words(asked)).collect()).await;
        prop_assert_eq!(got.len(), asked.len());
        for (asked, got) in asked.iter().zip(&got) {
            let wanted = in_order(&mut twin, case.rules.parts, asked);
            prop_assert!(
                is_same(&wanted, got),
                "{asked} in {:?}\n wanted {}\n got    {}",
                steps,
                told(&wanted),
                told(got)
            );
        }
        Ok(())
    })
}

/// What a command gives on a board that only it changes.
fn in_order(world: &mut World, parts: Parts, asked: &str) -> Value {
    world.passed += 1;
    let own: Vec<_> = asked.split(' ').filter(|word| *word != "WITHRANK").collect();
    let with_rank = asked.contains("WITHRANK");
    match own[0] {
        "LB.ADD" | "LB.SET" => {
            let mut sent = words(&own.join(" "));
            let member = sent[3].clone();
            sent[1] = parts.key(BOARD, parts.of(&member));
            let Value::Array(mut reply) = world.run(&sent) else { panic!("{asked}") };
            let mut rank = words("LB.RANK game");
            rank.push(member);
            reply[1] = if with_rank { truth(world, parts, None, &rank) } else { Value::Nil };
            if let Some(before) = reply.get_mut(4) {
                *before = Value::Nil;
            }
            Value::Array(reply)
        }
        "LB.REM" => {
            let mut removed = 0;
            for member in &own[2..] {
                let key = parts.key(BOARD, parts.of(member.as_bytes()));
                let reply = world.run(&[b"LB.REM".to_vec(), key, member.as_bytes().to_vec()]);
                removed += if reply == Value::Int(1) { 1 } else { 0 };
            }
            Value::Int(removed)
        }
        _ => truth(world, parts, None, &words(asked)),
    }
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

    #[test]
    fn a_batch_is_carried_out_in_its_order(
        case in case(8),
        steps in prop::collection::vec((any::<u8>(), 0_usize..12, 0_i64..4), 1..25),
    ) {
        check_batches(&empty(&case), &steps)?;
    }
}

/// One command over many parts, in a quiet cluster: the reply, and what it left.
#[test]
fn lists_over_parts_are_counted_together() {
    let case = Case { writes: Vec::new(), ..plain_case(16, 30) };
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        let names: Vec<_> = (0..30).map(|number| format!("m{number}")).collect();
        let all = names.join(" ");
        let pairs: Vec<_> = names.iter().enumerate().map(|(at, name)| format!("{at} {name}")).collect();
        let script = [
            (format!("LB.MADD game {}", pairs.join(" ")), "ERR over parts, LB.MADD needs ID"),
            ("LB.COUNT game".to_owned(), "0"),
            (format!("LB.MSET game {}", pairs.join(" ")), "ERR over parts, LB.MSET needs ID"),
            ("LB.COUNT game".to_owned(), "0"),
        ];
        for (asked, wanted) in script {
            let got = ask(&engine, &words(&asked)).await;
            assert_eq!(error_text(&got).unwrap_or_else(|| told(&got)), wanted, "{asked}");
        }
        ask(&engine, &words(&format!("LB.MADD game ID x {}", pairs.join(" ")))).await;
        let script = [
            ("LB.COUNT game".to_owned(), "30"),
            (format!("LB.HIDE game {all}"), "30"),
            (format!("LB.HIDE game {all}"), "0"),
            ("LB.COUNT game".to_owned(), "0"),
            ("LB.UNHIDE game m1 m2 m3 nobody".to_owned(), "3"),
            ("LB.TOP game 5".to_owned(), "[[1 m3 3] [2 m2 2] [3 m1 1]]"),
            (format!("LB.UNHIDE game {all}"), "27"),
            ("LB.REMRANGEBYSCORE game 10 +inf".to_owned(), "20"),
            ("LB.REM game m1 m1 m2 nobody".to_owned(), "2"),
            ("LB.COUNT game".to_owned(), "8"),
            ("LB.SETMETA game m5 text".to_owned(), "ok"),
            ("LB.GETMETA game m5".to_owned(), "text"),
        ];
        for (asked, wanted) in script {
            let got = ask(&engine, &words(&asked)).await;
            assert_eq!(told(&got), wanted, "{asked}");
        }
    });
}

/// `LB.INFO` of the root, with what all parts have together.
#[test]
fn what_is_told_of_a_board_is_that_of_all_parts() {
    let case = plain_case(16, 30);
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        ask(&engine, &words("LB.HIDE game m1 m2")).await;
        ask(&engine, &words("LB.ADD game 1 m3 ID one")).await;
        ask(&engine, &words("LB.ADD game 1 m3 ID one")).await;
        let Value::Map(fields) = ask(&engine, &words("LB.INFO game")).await else { panic!("no map") };
        let field = |name: &str| {
            let found = fields.iter().find(|(own, _)| *own == Value::BulkString(name.as_bytes().to_vec()));
            found.map(|(_, value)| told(value))
        };
        let told = [
            "members", "hidden", "requests", "writes", "repeated", "votes", "parts", "part", "views", "order",
        ]
        .map(|name| field(name).unwrap_or_default());
        assert_eq!(told, ["28", "2", "1", "31", "1", "0", "16", "nil", "all,hour,hour:3", "DESC"]);
        assert_eq!(nodes.with(|world| world.asked.astray.clone()), Vec::<String>::new());
    });
}
