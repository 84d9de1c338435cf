//! Tests with periods that end earlier on one node than on another: all parts must reply for one period.

use proptest::prelude::*;
use redis::Value;

use super::cases::{Case, Read, Rules, case, read, truth};
use super::cluster::{Event, Faults};
use super::quiet::{ask, cases, engine, is_same, paused, text};
use super::truth::told;

const HOUR: u64 = 3_600_000;

/// Returns a read of the current hour or the hour before; `None` if the read is of another kind.
fn of_an_hour(read: &Read, rules: &Rules, members: usize, wall: u64) -> Option<Vec<Vec<u8>>> {
    let read = Read { options: read.options | 0b1111, ..read.clone() };
    // The options for another view or period are removed.
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
    // These commands also read the period before, which has to be kept, too.
    let is_kept = rules.retain > 1 || !words[0].ends_with(b"STANDING");
    (is_kept && kinds.contains(&words[0].as_slice())).then_some(words)
}

/// Removes the moments of scores from a reply. A reply contains them for current periods only, and a part whose clock
/// is ahead reads an ended period.
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
        // Writes in the last minute of the hour belong to this hour.
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
            // There are no writes in the new hour, so it is empty where it is the current hour.
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
        retain in prop_oneof![Just(1_u32), Just(3)],
    ) {
        let rules = Rules { views: 0, retain, ..case.rules.clone() };
        check(&Case { rules, ..case }, &reads, before, back, turns)?;
    }
}

/// With RETAIN 1, a part whose clock is ahead keeps only the hour that has just ended. The other parts still write into
/// this hour. All parts answer for it, although the clocks differ by more than the timeout.
#[test]
fn the_last_hour_is_read_although_clocks_differ_and_nothing_else_is_kept() {
    let rules = Rules { views: 0, retain: 1, ..super::cases::plain_case(16, 20).rules };
    let case = Case { rules, skews: [2_000, 0, 1_000], ..super::cases::plain_case(16, 20) };
    paused(async || {
        let nodes = case.nodes();
        let engine = engine(&nodes);
        let boundary = nodes.with(|world| {
            let wall = world.wall(1);
            let boundary = wall - wall % HOUR + HOUR;
            world.passed += boundary - wall - 30_000;
            world.advance();
            for number in 0..20 {
                super::cases::perform(world, &case.rules, &super::cases::Step::Add(number, number as i64));
            }
            // The first node is two seconds ahead of the second, and one second is left there.
            world.passed += 29_000;
            boundary
        });
        for read in
            ["LB.TOP game 9", "LB.COUNT game", "LB.QUANTILE game 0.5", "LB.RANGE game 3 12", "LB.STATS game"]
        {
            let read = super::cases::words(&format!("{read} VIEW hour"));
            let wanted = nodes.with(|world| {
                truth(world, case.rules.parts, None, &with(&read, &format!("AT {}", boundary - 1)))
            });
            let got = ask(&engine, &with(&read, "PERIOD -1")).await;
            assert!(
                is_same(&without_at(&wanted), &without_at(&got)),
                "{}\n wanted {}\n got {}",
                text(&read),
                told(&wanted),
                told(&got)
            );
        }
    });
}
