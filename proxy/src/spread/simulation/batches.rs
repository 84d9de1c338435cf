//! Tests of the order of commands in a quiet cluster: a client reads its own writes, and the counts of lists over parts
//! are added up.

use leaderboard_core::parts::Parts;
use proptest::prelude::*;
use redis::Value;

use super::cases::{BOARD, Case, case, plain_case, truth, words};
use super::cluster::World;
use super::quiet::{ask, cases, engine, is_same, paused};
use super::truth::told;
use super::values::error_text;
use super::writing::empty;

/// Checks the writes and the reads of one batch. Each of them must see the commands before it.
fn check_batches(case: &Case, steps: &[(u8, usize, i64)]) -> Result<(), TestCaseError> {
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        let mut twin = empty(case).world();
        let asked: Vec<_> = steps
            .iter()
            // Each write has its own bit. So no two scores are the same, and moments do not affect the order.
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

/// Returns the reply to a command on a board that no other client changes.
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
    fn a_batch_is_carried_out_in_its_order(
        case in case(8),
        steps in prop::collection::vec((any::<u8>(), 0_usize..12, 0_i64..4), 1..25),
    ) {
        check_batches(&empty(&case), &steps)?;
    }
}

/// Checks one command over many parts in a quiet cluster: the reply, and the data that the command leaves.
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

/// Returns `LB.INFO` of the root, with the sums over all parts.
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
