//! Tests of ended periods whose parts have more members than stored moments. Among equal scores, members without a
//! known moment come last.

use leaderboard_core::parts::Parts;
use leaderboard_core::schema::Ties;
use redis::Value;

use super::cases::{Case, Rules, Step, perform, truth, words};
use super::cluster::NODES;
use super::quiet::{ask, engine, is_same, paused};
use super::truth::told;

fn check(ties: Ties) {
    let rules = Rules {
        parts: Parts::new(2, "PARTS").unwrap(),
        order: Default::default(),
        ties,
        aggregate: Default::default(),
        decimals: 0,
        has_levels: false,
        views: 1,
        retain: 2,
    };
    let case = Case { rules, members: 3_000, writes: Vec::new(), skews: [0, 70, 140], seed: 3 };
    assert_eq!(case.skews.len(), NODES);
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        nodes.with(|world| {
            for number in 0..case.members {
                if number % 40 == 0 {
                    world.passed += 1;
                }
                perform(world, &case.rules, &Step::Add(number, (number % 3) as i64));
            }
            perform(world, &case.rules, &Step::Hide(7));
            world.passed += 3_600_000;
            world.advance();
        });
        let asked = [
            "LB.TOP game 100 PERIOD -1",
            "LB.RANGE game 950 1050 PERIOD -1",
            "LB.RANGE game 1990 2110 PERIOD -1",
            "LB.RANGE game -200 -1 PERIOD -1",
            "LB.RANGE game 1 3000 PERIOD -1 REV",
            "LB.AROUND game m8 20 PERIOD -1",
            "LB.AROUND game m2990 20 PERIOD -1 RANKS COMPETITION",
            "LB.MSCORE game PERIOD -1 MEMBERS 5 m0 m1 m7 m2999 m1500",
            "LB.AMONG game PERIOD -1 RANKS DENSE MEMBERS 5 m0 m1 m7 m2999 m1500",
            "LB.STANDING game m2000 PERIOD -1",
            "LB.STANDING game m2000",
            "LB.RANK game m2999 PERIOD -1",
            "LB.QUANTILE game 0.1 0.5 0.9 PERIOD -1",
        ];
        for asked in asked {
            let wanted = nodes.with(|world| truth(world, case.rules.parts, None, &words(asked)));
            let got = ask(&engine, &words(asked)).await;
            assert!(!matches!(wanted, Value::ServerError(_)), "{asked}: {}", told(&wanted));
            assert!(
                is_same(&wanted, &got),
                "{asked}, {ties}\n wanted {}\n got    {}",
                told(&wanted),
                told(&got)
            );
        }
    });
}

#[test]
fn who_had_it_first() {
    check(Ties::First);
}

#[test]
fn who_got_it_last() {
    check(Ties::Last);
}
