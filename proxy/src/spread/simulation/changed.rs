//! Tests with parts that have changed: a part is deleted, a part has other rules, or the board is made again.

use std::time::Duration;

use leaderboard_core::parts;
use leaderboard_core::parts::Parts;
use proptest::prelude::*;
use redis::Value;
use tokio::time::Instant;

use super::cases::{BOARD, Case, Step, case, perform, plain_case, truth, words};
use super::cluster::{Event, Faults};
use super::quiet::{ask, cases, engine, is_same, paused};
use super::truth::told;
use super::values::error_text;

const READS: [&str; 6] = [
    "LB.TOP game 5",
    "LB.RANGE game 3 9",
    "LB.RANK game m1",
    "LB.COUNT game",
    "LB.QUANTILE game 0.5",
    "LB.STANDING game m1",
];

fn is_error(value: &Value, start: &str) -> bool {
    error_text(value).is_some_and(|text| text.starts_with(start))
}

fn a_part_is_gone(case: &Case, part: u16, events: usize) -> Result<(), TestCaseError> {
    paused(async || {
        for asked in READS {
            let nodes = case.nodes();
            let engine = engine(&nodes);
            ask(&engine, &words("LB.COUNT game")).await;
            let parts = case.rules.parts;
            let key = parts.key(BOARD, part % parts.count());
            let wanted = nodes.with(|world| truth(world, parts, None, &words(asked)));
            nodes.with(|world| match events {
                0 => _ = world.run(&[b"DEL".to_vec(), key]),
                _ => world.events.push_back((events, Event::Delete(key.clone()))),
            });
            let got = ask(&engine, &words(asked)).await;
            let texts = [
                format!("PARTSDOWN 1 of {} parts", parts.count()),
                format!("PARTSDOWN part {} of ", part % parts.count()),
            ];
            let is_down = texts.iter().any(|text| is_error(&got, text));
            let is_own = parts.of(b"m1") == part % parts.count();
            // If the member's own part does not contain the member, the reply can be right without the deleted part.
            let may_be_right = events > 0 || (wanted == Value::Nil && !is_own);
            prop_assert!(
                is_down || (may_be_right && is_same(&wanted, &got)),
                "{asked} without part {}\n wanted {}\n got {}",
                part % parts.count(),
                told(&wanted),
                told(&got)
            );
        }
        Ok(())
    })
}

/// Checks reads when a part is replaced by an empty part with other rules than the root, before or during the read.
fn a_part_has_other_rules(case: &Case, part: u16, events: usize) -> Result<(), TestCaseError> {
    paused(async || {
        for asked in READS {
            let nodes = case.nodes();
            let engine = engine(&nodes);
            ask(&engine, &words("LB.COUNT game")).await;
            let parts = case.rules.parts;
            let number = part % parts.count();
            let wanted = nodes.with(|world| {
                let wanted = truth(world, parts, None, &words(asked));
                world.events.push_back((events, Event::MakeAnew(parts.key(BOARD, number))));
                if events == 0 {
                    world.happen();
                }
                wanted
            });
            let got = ask(&engine, &words(asked)).await;
            let is_own = parts.of(b"m1") == number;
            let may_be_right = events > 0 || (wanted == Value::Nil && !is_own);
            prop_assert!(
                is_error(&got, "ERR the parts do not agree") || (may_be_right && is_same(&wanted, &got)),
                "{asked}, part {number} is made anew after {events} commands\n wanted {}\n got {}",
                told(&wanted),
                told(&got)
            );
        }
        Ok(())
    })
}

/// Checks reads when the whole board is replaced by a board with another number of parts or other rules, and with
/// members.
fn the_board_is_new(case: &Case, count: u16, decimals: u8) -> Result<(), TestCaseError> {
    paused(async || {
        for asked in READS {
            let nodes = case.nodes();
            let engine = engine(&nodes);
            ask(&engine, &words("LB.COUNT game")).await;
            let mut rules = case.rules.clone();
            rules.parts = Parts::new(count, "PARTS").unwrap();
            rules.decimals = decimals;
            let wanted = nodes.with(|world| {
                world.hold(rules.boards());
                world.advance();
                for number in 0..case.members {
                    perform(world, &rules, &Step::Add(number, (number % 4) as i64));
                }
                truth(world, rules.parts, None, &words(asked))
            });
            let got = ask(&engine, &words(asked)).await;
            prop_assert!(
                is_same(&wanted, &got),
                "{asked}, {} parts are {count} now\n wanted {}\n got {}",
                case.rules.parts.count(),
                told(&wanted),
                told(&got)
            );
        }
        Ok(())
    })
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_deleted_part_is_told(case in case(30), part in any::<u16>(), events in 0_usize..40) {
        a_part_is_gone(&case, part, events)?;
    }

    #[test]
    fn a_part_with_other_rules_is_told(case in case(30), part in any::<u16>(), events in 0_usize..40) {
        a_part_has_other_rules(&case, part, events)?;
    }

    #[test]
    fn a_board_that_was_made_anew_is_read(
        case in case(30),
        count in prop_oneof![Just(2_u16), Just(8), Just(16)],
        decimals in 0_u8..3,
    ) {
        the_board_is_new(&case, count, decimals)?;
    }
}

/// Checks that a root whose data is old is read again, and that no command waits for this.
#[test]
fn a_root_is_asked_again_beside_the_next_use() {
    let case = plain_case(16, 20);
    paused(async || {
        let nodes = case.nodes();
        nodes.with(|world| world.faults = Faults { way: Some(20), ..Faults::default() });
        let engine = engine(&nodes);
        ask(&engine, &words("LB.TOP game 3")).await;
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_millis(1_500)).await;
            let begun = Instant::now();
            ask(&engine, &words("LB.TOP game 3")).await;
            let rounds = begun.elapsed().as_millis() / 20;
            let by_name = nodes.with(|world| world.asked.by_name.clone());
            assert!(rounds <= 1, "{rounds} rounds: {by_name:?}");
        }
        let asked = nodes.with(|world| world.asked.by_name["LB.INFO"]);
        assert!(asked >= 2, "the root was asked {asked} times");
    });
}

#[test]
fn keys_of_the_simulation_lie_on_all_nodes() {
    let parts = Parts::new(16, "PARTS").unwrap();
    let nodes: std::collections::BTreeSet<_> =
        (0..16).map(|part| super::cluster::node_of(&parts.key(BOARD, part))).collect();
    assert_eq!(nodes.len(), super::cluster::NODES);
    assert_eq!(super::cluster::slot_of(b"game:{12}"), parts::slot(b"12"));
}
