//! Tests of periods that end while a board is read, and of ended periods.

use super::plays::now;
use super::random::Random;
use super::shared::shared;
use super::wire::{Reply, Wire, split};
use crate::servers::wait_until;

const LENGTH: u64 = 3_000;
const MEMBERS: u64 = 120;

/// Sends the same writes to a spread board and a plain board within one period, each write with its own moment.
/// Returns the start of the period, and the number at the end of the boards' names.
fn fill(spread: &mut Wire, plain: &mut Wire, name: &str, options: &str) -> (u64, u64) {
    let mut round = 0;
    let mut start = 0;
    wait_until(|| {
        round += 1;
        let key = format!("{name}-{round}");
        spread.run(&format!("LB.CREATE {key} VIEWS all,3s RETAIN 20 {options} PARTS 8"));
        plain.run(&format!("LB.CREATE {name}-plain-{round} VIEWS all,3s RETAIN 20 {options}"));
        start = now() / LENGTH * LENGTH;
        let until = now();
        let mut random = Random::new(5);
        let add = |key: &str, member: u64, points: u64| {
            // Members with the same moment have different scores.
            let at = (start + member).min(until);
            split(&format!("LB.ADD {key} {points} m{member} AT {at}"))
        };
        let points: Vec<_> = (0..MEMBERS).map(|_| random.below(6)).collect();
        let of = |key: &str| -> Vec<_> {
            (0..MEMBERS).map(|member| add(key, member, points[member as usize])).collect()
        };
        let replies =
            [spread.pipeline(&of(&key)), plain.pipeline(&of(&format!("{name}-plain-{round}")))].concat();
        assert!(replies.iter().all(|reply| !reply.is_error()), "{replies:?}");
        until > start + MEMBERS && now() < start + LENGTH
    });
    (start, round)
}

#[test]
fn a_period_that_has_ended_is_that_of_a_plain_board() {
    let place = shared();
    for (name, options) in [
        ("ended", ""),
        ("ended-last", "TIES LAST"),
        ("ended-carry", "CARRY 3s=0.5"),
        ("ended-asc", "ORDER ASC"),
    ] {
        let (mut spread, mut plain) = (place.door.wire(), place.door.wire());
        let (start, round) = fill(&mut spread, &mut plain, name, options);
        wait_until(|| now() > start + LENGTH);
        let mut reads = Vec::new();
        for period in [
            format!("AT {start}"),
            format!("PERIOD {start}"),
            format!("AT {}", start + LENGTH),
            format!("AT {}", start - 1),
        ] {
            for read in [
                "LB.TOP KEY 10",
                "LB.TOP KEY 200",
                "LB.TOP KEY 10 OFFSET 55",
                "LB.RANGE KEY 50 70 REV",
                "LB.RANK KEY m7",
                "LB.RANK KEY m8 RANKS COMPETITION",
                "LB.RANK KEY m8 RANKS DENSE",
                "LB.AROUND KEY m9 4",
                "LB.STANDING KEY m3",
                "LB.STATS KEY",
                "LB.QUANTILE KEY 0.3 0.7",
                "LB.COUNT KEY 2 4",
                "LB.RANGEBYSCORE KEY 2 (5 OFFSET 3 COUNT 9",
                "LB.HISTOGRAM KEY 0 6 3",
                "LB.SCORE KEY m4",
            ] {
                reads.push(format!("{read} VIEW 3s {period}"));
            }
            for read in [
                "LB.MSCORE KEY VIEW 3s PERIOD MEMBERS 3 m1 m2 nobody",
                "LB.AMONG KEY VIEW 3s PERIOD MEMBERS 4 m1 m2 m3 m4",
            ] {
                reads.push(read.replace("PERIOD", &period));
            }
        }
        for read in reads {
            let asked = [format!("{name}-{round}"), format!("{name}-plain-{round}")]
                .map(|key| read.replace("KEY", &key));
            let [spread, plain] = [spread.say(&asked[0]), plain.say(&asked[1])];
            assert_eq!(spread, plain, "{options}: {read}");
        }
    }
}

/// Writes for all members in one period and for none in the next. A reply must contain all of them or none.
#[test]
fn no_reply_mixes_two_periods() {
    let place = shared();
    let mut wires = [place.door.wire(), place.door.wire()];
    wires[0].run("LB.CREATE turning VIEWS 1s RETAIN 9 PARTS 16");
    let list: Vec<_> = (0..MEMBERS).map(|member| format!("1 m{member}")).collect();
    let (mut turns, mut written) = (0, 0);
    wait_until(|| {
        let second = now() / 1_000;
        if second > written {
            let reply = wires[0].run(&format!(
                "LB.MADD turning ID t{second} AT {} {}",
                second * 1_000,
                list.join(" ")
            ));
            assert_eq!(reply.items().len(), MEMBERS as usize);
            // A write that was applied after the end of the second is not in the expected period.
            if now() / 1_000 > second {
                return false;
            }
            written = second;
            turns += 1;
        }
        let began = now() / 1_000;
        for line in ["LB.TOP turning 1000", "LB.COUNT turning", "LB.RANGE turning 1 -1"] {
            let reply = wires[1].run(line);
            let shown = if let Reply::Int(count) = reply { count as u64 } else { reply.items().len() as u64 };
            // A second in which only a part of the writes was applied is not checked.
            if written == began {
                assert!([0, MEMBERS].contains(&shown), "{line}: {shown} rows");
            }
        }
        turns > 4
    });
}
