//! Tests of the options that the gateway adds, and of its cache.

use super::door::Door;
use super::parts::part_of;
use super::random::Random;
use super::shared::shared;
use super::wire::{Reply, Wire, bulk};
use crate::servers::wait_until;

fn fill(wire: &mut Wire, name: &str, members: usize) -> Vec<(i64, String)> {
    wire.run(&format!("LB.CREATE {name} PARTS 8"));
    let mut random = Random::new(7);
    let mut list: Vec<_> =
        (0..members).map(|member| (random.below(1_000) as i64, format!("m{member}"))).collect();
    let words: Vec<_> = list.iter().map(|(points, member)| format!("{points} {member}")).collect();
    wire.run(&format!("LB.MADD {name} ID fill AT 1000000000000 {}", words.join(" ")));
    list.sort_by_key(|(points, member)| (-points, part_of(member, 8)));
    list
}

#[test]
fn partial_is_always_told_of_how_many() {
    let place = shared();
    let mut wire = place.door.wire();
    fill(&mut wire, "partial", 30);
    for read in [
        "LB.TOP partial 5",
        "LB.RANGE partial 3 9",
        "LB.RANGEBYSCORE partial 0 500",
        "LB.AROUND partial m3 2",
        "LB.RANK partial m3",
        "LB.RANK partial nobody",
        "LB.SCORE partial m3",
        "LB.STANDING partial m3",
        "LB.STATS partial",
        "LB.COUNT partial",
        "LB.COUNT partial 5 500",
        "LB.QUANTILE partial 0.5",
        "LB.HISTOGRAM partial 0 1000 4",
    ] {
        let whole = wire.run(read);
        for line in [format!("{read} PARTIAL"), format!("{read} TIMEOUT 900 PARTIAL")] {
            let partial = wire.run(&line);
            let [answered, parts, result] = partial.items() else { panic!("{line}: {partial:?}") };
            assert_eq!(result, &whole, "{line}");
            // The gateway may send a read of one member only to the part of this member.
            assert!(answered == parts || read.contains("SCORE partial m3"), "{line}: {partial:?}");
        }
        assert_eq!(wire.run(&format!("{read} TIMEOUT 900")), whole, "{read}");
    }
    let list = "MEMBERS 3 m1 nobody m2";
    for command in ["LB.MSCORE", "LB.AMONG", "LB.MSTANDING"] {
        let whole = wire.run(&format!("{command} partial {list}"));
        assert_eq!(wire.run(&format!("{command} partial PARTIAL {list}")).items()[2], whole, "{command}");
    }
    for wrong in ["PARTIAL PARTIAL", "TIMEOUT", "TIMEOUT x", "TIMEOUT -5", "TIMEOUT 5 TIMEOUT 5"] {
        assert!(wire.say(&format!("LB.TOP partial 5 {wrong}")).is_error(), "{wrong}");
    }
}

#[test]
fn plain_boards_know_nothing_of_these_options() {
    let place = shared();
    let mut wire = place.door.wire();
    wire.run("LB.ADD simple 5 ann");
    for line in [
        "LB.TOP simple 5 PARTIAL",
        "LB.TOP simple 5 TIMEOUT 500",
        "LB.ADD simple 5 ann WITHRANK",
        "LB.RANK simple ann ESTIMATE",
    ] {
        let behind = place.cluster.wire("simple").say(line);
        assert!(behind.is_error(), "{line}");
        assert_eq!(wire.say(line), behind, "{line}");
    }
    assert_eq!(wire.run("LB.SCORE simple ann"), Reply::Int(5));
}

#[test]
fn ranks_of_writes_come_where_they_are_wanted() {
    let place = shared();
    let mut wire = place.door.wire_resp3();
    let list = fill(&mut wire, "ranked", 200);
    for (place, (points, member)) in list.iter().enumerate().step_by(17) {
        let at = "AT 1000000000000";
        let reply = |rank, applied| Reply::Array(vec![Reply::Int(*points), rank, Reply::Int(applied)]);
        let rank = Reply::Int(place as i64 + 1);
        assert_eq!(wire.run(&format!("LB.ADD ranked 0 {member} {at}")), reply(Reply::Nil(b'_'), 1));
        assert_eq!(
            wire.run(&format!("LB.ADD ranked 0 {member} WITHRANK {at} ID {member}")),
            reply(rank.clone(), 1)
        );
        assert_eq!(
            wire.run(&format!("LB.ADD ranked 0 {member} {at} ID {member} WITHRANK")),
            reply(rank.clone(), 0)
        );
        assert_eq!(wire.run(&format!("LB.SET ranked {points} {member} WITHRANK")).items()[1], rank);
    }
    let [first, second] = [&list[40], &list[10]];
    let words = format!("LB.MADD ranked WITHRANK ID both 0 {} 0 {} 0 {}", first.1, second.1, first.1);
    let ranks: Vec<_> = wire.run(&words).items().iter().map(|row| row.items()[1].int()).collect();
    assert_eq!(ranks, [41, 11, 41]);
}

#[test]
fn an_estimate_is_as_near_as_it_says() {
    let place = shared();
    let mut wire = place.door.wire();
    let list = fill(&mut wire, "estimated", 5_000);
    let mut widest = 0;
    for (place, (_, member)) in list.iter().enumerate().step_by(61) {
        let rank = place as i64 + 1;
        assert_eq!(wire.run(&format!("LB.RANK estimated {member}")), Reply::Int(rank));
        let reply = wire.run(&format!("LB.RANK estimated {member} ESTIMATE"));
        let [estimate, error] = reply.items() else { panic!("{reply:?}") };
        assert!((estimate.int() - rank).abs() <= error.int(), "{rank}: {reply:?}");
        assert!(error.int() < 2_500, "{reply:?} says nothing");
        widest = widest.max(error.int());
    }
    assert!(widest > 0, "these are no estimates");
    let nobody = wire.run("LB.RANK estimated nobody ESTIMATE");
    assert!(nobody.is_nil() || nobody.items()[0].is_nil(), "{nobody:?}");
}

#[test]
fn a_top_is_kept_for_as_long_as_one_says() {
    let place = shared();
    let keeping = Door::with(&place.cluster, &["--cache-ms", "300"]);
    let mut wire = keeping.wire();
    fill(&mut wire, "kept", 20);
    let before = wire.run("LB.TOP kept 1");
    place.door.wire().run("LB.ADD kept 5000 champion");
    // At first the reply may be the old or the new one, but soon it must be the new one.
    wait_until(|| {
        let top = wire.run("LB.TOP kept 1");
        let new = top.items()[0].items()[1] == bulk("champion");
        assert!(new || top == before, "{top:?}");
        new
    });
    // A command with other words has a separate entry in the cache.
    assert_eq!(wire.run("LB.TOP kept 1 REV").items()[0].items()[0], Reply::Int(1));
    assert_ne!(wire.run("LB.TOP kept 1 REV"), wire.run("LB.TOP kept 1"));
    assert_eq!(wire.run("lb.top kept 2").items().len(), 2);
}

#[test]
fn replies_are_limited() {
    let place = shared();
    let mut wire = place.door.wire();
    fill(&mut wire, "limits", 50);
    for line in
        ["LB.TOP limits 100001", "LB.TOP limits 99999999999", "LB.AROUND limits m1 ABOVE 100000 BELOW 100000"]
    {
        let reply = wire.say(line);
        let limited = reply.is_error() && reply.error() == "ERR over parts, a reply has at most 100000 rows";
        assert!(limited || reply.items().len() == 50, "{line}: {reply:?}");
    }
    assert_eq!(wire.run("LB.TOP limits 100000").items().len(), 50);
    assert_eq!(wire.run("LB.RANGE limits 1 -1").items().len(), 50);
}
