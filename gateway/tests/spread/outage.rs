//! Tests of a node that does not reply: reads are complete or an error, and writes report what is known.

use super::cluster::Cluster;
use super::door::Door;
use super::parts::{members_of, part_keys, part_of};
use super::wire::{Reply, Wire};
use crate::servers::{Flavor, wait_until};
use crate::support::signal;

const PARTS: u16 = 16;
const MEMBERS: usize = 200;

/// Members, grouped by whether the node of their part replies.
struct Split {
    silent: Vec<u16>,
    left: Vec<String>,
    lost: Vec<String>,
}

impl Split {
    fn of(cluster: &Cluster, stopped: usize) -> Split {
        let keys = part_keys("game", PARTS);
        let silent: Vec<u16> =
            (0..PARTS).filter(|part| cluster.home(&keys[usize::from(*part)]) == stopped).collect();
        let names = (0..MEMBERS).map(|member| format!("m{member}"));
        let (lost, left) = names.partition(|name| silent.contains(&part_of(name, PARTS)));
        Split { silent, left, lost }
    }
}

#[test]
fn a_node_that_is_silent_makes_errors_that_say_what_is_known() {
    let cluster = Cluster::start(Flavor::Redis70);
    let door = Door::of(&cluster);
    let mut wire = door.wire();
    wire.run(&format!("LB.CREATE game PARTS {PARTS}"));
    let list: Vec<_> = (0..MEMBERS).map(|member| format!("{member} m{member}")).collect();
    wire.run(&format!("LB.MADD game ID first {}", list.join(" ")));
    // The node of the root keeps running, because a gateway that has lost the rules could report nothing.
    let stopped = cluster.other_primary(cluster.home("game"));
    let split = Split::of(&cluster, stopped);
    assert!(!split.silent.is_empty() && !split.lost.is_empty());
    let process = cluster.process(stopped);
    signal(process, "STOP");

    let unknown = "UNKNOWN the write may have been carried out: no answer came";
    assert_eq!(wire.say(&format!("LB.ADD game 1000 {}", split.lost[0])).error(), unknown);
    let down = format!("PARTSDOWN {} of {PARTS} parts did not answer", split.silent.len());
    for read in
        ["LB.TOP game 5", "LB.COUNT game", "LB.STATS game", "LB.RANGE game 1 -1", "LB.TOP game 5 TIMEOUT 300"]
    {
        assert_eq!(wire.say(read).error(), down, "{read}");
    }
    partial_reads(&mut wire, &split);
    writes(&mut wire, &split);

    // Requests to the other parts are served in the meantime, on the same connection and on another one.
    let other = &split.left[0];
    assert!(!wire.say(&format!("LB.ADD game 0 {other}")).is_error());
    assert!(!door.wire().say(&format!("LB.SCORE game {other}")).is_error());

    signal(process, "CONT");
    wait_until(|| !wire.say("LB.COUNT game").is_error());
    the_same_again(&mut wire, &split);
}

fn partial_reads(wire: &mut Wire, split: &Split) {
    let answered = i64::from(PARTS) - split.silent.len() as i64;
    let mut ask = |line: &str| {
        let reply = wire.run(line);
        let [told, parts, result] = reply.items() else { panic!("{line}: {reply:?}") };
        assert_eq!([told.int(), parts.int()], [answered, i64::from(PARTS)], "{line}");
        result.clone()
    };
    assert_eq!(ask("LB.COUNT game PARTIAL TIMEOUT 300"), Reply::Int(split.left.len() as i64));
    let names = |rows: Reply| rows.items().iter().map(|row| row.items()[1].text()).collect::<Vec<_>>();
    let mut best = split.left.clone();
    best.reverse();
    assert_eq!(names(ask("LB.TOP game 10 PARTIAL TIMEOUT 300")), best[..10]);
    assert_eq!(names(ask("LB.RANGE game 1 -1 PARTIAL TIMEOUT 300")), best);
    let sum: i64 = split.left.iter().map(|name| name[1..].parse::<i64>().unwrap()).sum();
    assert_eq!(ask("LB.STATS game PARTIAL TIMEOUT 300").field("sum"), &Reply::Int(sum));
    let rank = best.iter().position(|name| *name == split.left[0]).expect("a rank") as i64 + 1;
    assert_eq!(ask(&format!("LB.RANK game {} PARTIAL TIMEOUT 300", split.left[0])), Reply::Int(rank));
    // If the part of a member does not reply, nothing is known about this member, even if other parts reply.
    for read in ["LB.RANK", "LB.STANDING"] {
        let reply = wire.run(&format!("{read} game {} PARTIAL TIMEOUT 300", split.lost[0]));
        let [told, parts, result] = reply.items() else { panic!("{read}: {reply:?}") };
        assert!(told < parts && result.is_nil(), "{read}: {reply:?}");
    }
}

fn writes(wire: &mut Wire, split: &Split) {
    let lost = &split.lost[0];
    for write in ["LB.ADD game 0 MEMBER", "LB.SETMETA game MEMBER text", "LB.HIDE game MEMBER"] {
        let reply = wire.say(&write.replace("MEMBER", lost));
        // If the gateway is sure that it sent nothing, its error says so.
        assert!(
            ["PARTSDOWN 1 of ", "UNKNOWN "].iter().any(|code| reply.error().starts_with(code)),
            "{write}: {reply:?}"
        );
    }
    let reply = wire.say(&format!("LB.ADD game 5 {} ID again TIMEOUT 300", split.lost[1]));
    assert!(["PARTSDOWN 1 of ", "UNKNOWN "].iter().any(|code| reply.error().starts_with(code)), "{reply:?}");
    // For a list, the error gives the number of parts that do not reply. The other parts have applied their share.
    let list = format!("LB.MADD game ID list TIMEOUT 300 5 {} 5 {}", split.lost[1], split.left[1]);
    let told = wire.say(&list);
    let some = "parts did not answer, and other parts may have carried out the write: repeat it with its ID";
    assert!(told.error().starts_with("UNKNOWN 1 of ") && told.error().ends_with(some), "{told:?}");
    let score = split.left[1][1..].parse::<i64>().unwrap() + 5;
    assert_eq!(wire.run(&format!("LB.SCORE game {}", split.left[1])), Reply::Int(score));
}

/// Checks that repeated writes with ids counted once, and that the write without an id counted once or not at all.
fn the_same_again(wire: &mut Wire, split: &Split) {
    let score = |name: &str| name[1..].parse::<i64>().unwrap();
    wire.run(&format!("LB.UNHIDE game {}", split.lost[0]));
    let reply = wire.run(&format!("LB.ADD game 5 {} ID again", split.lost[1]));
    assert!([5, 10].contains(&(reply.items()[0].int() - score(&split.lost[1]))), "{reply:?}");
    let list = format!("LB.MADD game ID list 5 {} 5 {}", split.lost[1], split.left[1]);
    let told: Vec<_> = wire.run(&list).items().iter().map(|row| row.items()[0].int()).collect();
    assert_eq!(told, [score(&split.lost[1]) + 10, score(&split.left[1]) + 5]);
    let unsure = wire.run(&format!("LB.SCORE game {}", split.lost[0])).int() - score(&split.lost[0]);
    assert!([0, 1_000].contains(&unsure), "{unsure}");
    assert_eq!(wire.run("LB.COUNT game"), Reply::Int(MEMBERS as i64));
}

/// Kills a primary for good. Its parts are not available until its replica has taken over.
#[test]
fn a_gateway_follows_to_the_replica() {
    let mut cluster = Cluster::start(Flavor::Valkey91);
    let door = Door::of(&cluster);
    let mut wire = door.wire();
    wire.run("LB.CREATE game PARTS 4");
    let members = members_of(3, 4, 5);
    for member in &members {
        wire.run(&format!("LB.ADD game 1 {member} ID {member}"));
    }
    let stopped = cluster.home(&part_keys("game", 4)[3]);
    cluster.wait_until_replicas_have_all();
    cluster.node_timeout("1000");
    cluster.nodes[stopped].kill9();
    wait_until(|| {
        let reply = wire.say("LB.TOP game 9");
        assert!(reply.is_error() || reply.items().len() == members.len(), "{reply:?}");
        !reply.is_error()
    });
    for member in &members {
        let reply = wire.run(&format!("LB.ADD game 1 {member} ID {member}"));
        assert_eq!(reply.items()[2], Reply::Int(0), "{reply:?}");
    }
}
