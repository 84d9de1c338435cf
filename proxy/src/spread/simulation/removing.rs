//! Random tests of `LB.REMRANGE` and `LB.EXPORT`: they remove and store exactly the members that one board shows.

use proptest::prelude::*;
use redis::Value;

use super::cases::{BOARD, Case, case, truth, words};
use super::cluster::Simulated;
use super::quiet::{ask, cases, engine, paused};
use super::truth::told;
use super::values::error_text;
use crate::spread::root::key_slot;

/// Returns the names in the reply to a read with `FLAT`.
fn names(value: &Value) -> Vec<String> {
    let Value::Array(flat) = value else { panic!("{}", told(value)) };
    flat.iter().skip(1).step_by(2).map(told).collect()
}

fn expected(nodes: &Simulated, case: &Case, read: &str) -> Value {
    nodes.with(|world| truth(world, case.rules.parts, None, &words(read)))
}

fn check_removal(case: &Case, first: i64, last: i64) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        let removed = names(&expected(&nodes, case, &format!("LB.RANGE game {first} {last} FLAT")));
        let mut left = names(&expected(&nodes, case, "LB.RANGE game 1 -1 FLAT"));
        let hidden = expected(&nodes, case, "LB.HIDDEN game");
        left.retain(|name| !removed.contains(name));
        let command = format!("LB.REMRANGE game {first} {last}");
        let got = ask(&engine, &words(&command)).await;
        prop_assert_eq!(&got, &Value::Int(removed.len() as i64), "{}", &command);
        prop_assert_eq!(names(&expected(&nodes, case, "LB.RANGE game 1 -1 FLAT")), left, "{}", &command);
        prop_assert_eq!(expected(&nodes, case, "LB.HIDDEN game"), hidden, "hidden members have no rank");
        Ok(())
    })
}

fn check_export(case: &Case, count: Option<u64>, options: &str) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        let most = count.unwrap_or(100_000);
        let shown = expected(&nodes, case, &format!("LB.TOP game {most} FLAT{options}"));
        let count = count.map_or_else(String::new, |count| format!(" COUNT {count}"));
        let got = ask(&engine, &words(&format!("LB.EXPORT dest game{count}{options}"))).await;
        if let Some(refused) = error_text(&shown) {
            prop_assert_eq!(error_text(&got), Some(refused), "{}", options);
            return Ok(());
        }
        let mut shown = names(&shown);
        prop_assert_eq!(&got, &Value::Int(shown.len() as i64), "{}{}", &count, options);
        let stored = nodes.with(|world| world.run(&words("ZRANGE dest 0 -1 WITHSCORES")));
        let Value::Array(stored) = stored else { return Err(TestCaseError::fail(told(&stored))) };
        let mut stored: Vec<_> = stored.iter().step_by(2).map(told).collect();
        shown.sort();
        stored.sort();
        prop_assert_eq!(stored, shown, "{}{}", &count, options);
        prop_assert!(nodes.with(|world| world.asked.astray.is_empty()));
        prop_assert!(key_slot(BOARD) != key_slot(b"dest"), "they are on different nodes");
        Ok(())
    })
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_range_is_removed_as_it_is_shown(
        case in case(60),
        (first, last) in (1_i64..20, 1_i64..20),
        (from_end, to_end) in (any::<bool>(), any::<bool>()),
    ) {
        let rank = |rank: i64, is_from_end: bool| if is_from_end { -rank } else { rank };
        check_removal(&case, rank(first, from_end), rank(last, to_end))?;
    }

    #[test]
    fn an_export_has_the_members_that_one_board_shows(
        case in case(80),
        count in prop_oneof![Just(None), (0_u64..90).prop_map(Some)],
        options in prop_oneof![
            Just(""), Just(" VIEW hour"), Just(" VIEW all"), Just(" PERIOD -1"), Just(" VIEW hour:3 PERIOD -1"), Just(" REV"),
        ],
    ) {
        check_export(&case, count, options)?;
    }
}
