//! Tests of several clients of one gateway at the same time, and of the roots and tops that they share.

use std::time::Duration;

use futures_util::future::join_all;
use proptest::prelude::*;
use redis::Value;

use super::cases::{Case, Read, case, read, truth, words};
use super::cluster::{Asked, Faults};
use super::quiet::{ask, caching, cases, engine, is_same, paused, text};
use super::truth::told;

/// Checks reads that all start at about the same time: for a board that is not known yet, and again when the stored
/// data about the board is old.
fn check(case: &Case, reads: &[Read], slowest: u64) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        for wait in [0, 990, 1_100] {
            tokio::time::sleep(Duration::from_millis(wait)).await;
            let asked: Vec<_> = nodes.with(|world| {
                world.disturb(Faults { slowest, ..Faults::default() });
                let wall = world.wall(0);
                let asked = reads.iter().map(|read| read.words(&case.rules, case.members, wall));
                asked.map(|words| (truth(world, case.rules.parts, None, &words), words)).collect()
            });
            let started = asked.iter().enumerate().map(async |(number, (_, words))| {
                // Some reads start a little later.
                tokio::time::sleep(Duration::from_millis(number as u64 % 4)).await;
                ask(&engine, words).await
            });
            for ((wanted, words), got) in asked.iter().zip(join_all(started).await) {
                prop_assert!(
                    is_same(wanted, &got),
                    "{} beside {} others\n wanted {}\n got    {}",
                    text(words),
                    asked.len() - 1,
                    told(wanted),
                    told(&got)
                );
            }
        }
        Ok(())
    })
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn clients_do_not_disturb_each_other(
        case in case(30),
        reads in prop::collection::vec(read(), 2..12),
        slowest in 0_u64..30,
    ) {
        check(&case, &reads, slowest)?;
    }

    /// A top is gathered once for all clients that request it at the same time. The result is kept for a while, but not
    /// longer.
    #[test]
    fn tops_are_shared(case in case(30), count in 1_u64..20) {
        let parts = usize::from(case.rules.parts.count());
        paused(async || {
            let nodes = case.nodes();
            let engine = caching(&nodes, Duration::from_millis(100));
            let top = words(&format!("LB.TOP game {count}"));
            ask(&engine, &words("LB.COUNT game")).await;
            nodes.with(|world| world.asked = Asked::default());
            let replies = join_all((0..8).map(|_| ask(&engine, &top))).await;
            let wanted = nodes.with(|world| truth(world, case.rules.parts, None, &top));
            prop_assert!(replies.iter().all(|got| *got == wanted), "{}", told(&replies[0]));
            // A second round asks only the parts that have more rows.
            let asked = nodes.with(|world| world.asked.commands);
            prop_assert!(asked <= 2 * parts, "{asked} commands for 8 who asked {parts} parts at once");
            ask(&engine, &top).await;
            prop_assert_eq!(nodes.with(|world| world.asked.commands), asked);
            // A member overtakes all other members. A reply may be as old as the cache, but not older.
            let new = words(&format!("LB.SET game {} m999", case.rules.amount(if wins_high(&case) { 3_000 } else { -3_000 })));
            let set = ask(&engine, &new).await;
            prop_assert!(matches!(set, Value::Array(_)), "{}", told(&set));
            tokio::time::sleep(Duration::from_millis(120)).await;
            let wanted = nodes.with(|world| truth(world, case.rules.parts, None, &top));
            let got = ask(&engine, &top).await;
            prop_assert!(got == wanted, "wanted {}\n got {}", told(&wanted), told(&got));
            Ok(())
        })?;
    }
}

fn wins_high(case: &Case) -> bool {
    case.rules.schema().order == leaderboard_core::schema::Order::Desc
}
