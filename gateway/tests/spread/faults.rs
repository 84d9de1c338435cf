//! Tests of boards that are not complete: a part is missing, rules differ, or a board is only partly made or made
//! again.

use std::thread;

use super::parts::{members_of, part_key, part_keys, part_of};
use super::shared::{Place, shared};
use super::wire::{Reply, Wire, bulk};
use crate::servers::{Flavor, Server, wait_until};

/// Reads that need all parts of the board.
const READS: [&str; 12] = [
    "LB.TOP KEY 5",
    "LB.TOP KEY 5 OFFSET 3",
    "LB.RANGE KEY 1 -1",
    "LB.RANGEBYSCORE KEY 0 100",
    "LB.AROUND KEY m0 2",
    "LB.RANK KEY m0",
    "LB.STANDING KEY m0",
    "LB.MSCORE KEY MEMBERS 2 m0 m1",
    "LB.STATS KEY",
    "LB.QUANTILE KEY 0.5",
    "LB.HISTOGRAM KEY 0 9 3",
    "LB.COUNT KEY",
];
const MEMBERS: i64 = 40;

/// Makes a board in which each member has its number as points, so `m7` has seven points.
fn fill(wire: &mut Wire, name: &str, options: &str) {
    assert_eq!(wire.run(&format!("LB.CREATE {name} {options}")), Reply::Simple("OK".to_owned()));
    refill(wire, name);
}

fn refill(wire: &mut Wire, name: &str) {
    let list: Vec<_> = (0..MEMBERS).map(|member| format!("{member} m{member}")).collect();
    let reply = wire.run(&format!("LB.MADD {name} ID first {}", list.join(" ")));
    for (member, row) in reply.items().iter().enumerate() {
        assert_eq!(row.items()[0].int(), member as i64);
    }
}

/// Checks that a board has the content that `fill` wrote.
#[track_caller]
fn is_whole(wire: &mut Wire, name: &str) {
    assert_eq!(wire.run(&format!("LB.COUNT {name}")).int(), MEMBERS);
    let names: Vec<_> =
        wire.run(&format!("LB.TOP {name} 100")).items().iter().map(|row| row.items()[1].text()).collect();
    let expected: Vec<_> = (0..MEMBERS).rev().map(|member| format!("m{member}")).collect();
    assert_eq!(names, expected);
}

#[track_caller]
fn all_reads_fail(wire: &mut Wire, name: &str, codes: &[&str]) {
    for read in READS {
        let read = read.replace("KEY", name);
        let error = wire.say(&read);
        let text = error.error();
        assert!(codes.iter().any(|code| text.starts_with(code)), "{read}: {text}");
    }
}

#[test]
fn a_part_that_is_gone_is_never_a_short_answer() {
    let place = shared();
    let mut wire = place.door.wire();
    fill(&mut wire, "gone", "PARTS 4");
    let key = part_key("gone", 4, 2);
    place.behind(&key, &format!("DEL {key}"));
    all_reads_fail(&mut wire, "gone", &["PARTSDOWN part 2 of 4 is lost, with its members"]);
    let partial = wire.run("LB.COUNT gone PARTIAL");
    let left = (0..MEMBERS).filter(|member| part_of(&format!("m{member}"), 4) != 2).count() as i64;
    assert_eq!(partial, Reply::Array(vec![Reply::Int(3), Reply::Int(4), Reply::Int(left)]));
    assert_eq!(wire.run("LB.TOP gone 100 PARTIAL").items()[2].items().len() as i64, left);

    let lost =
        (0..MEMBERS).map(|member| format!("m{member}")).find(|name| part_of(name, 4) == 2).expect("one");
    for write in [
        "LB.ADD gone 1 MEMBER ID a",
        "LB.ADD gone 1 MEMBER",
        "LB.SET gone 1 MEMBER",
        "LB.SETMETA gone MEMBER x",
        "LB.REM gone MEMBER",
        "LB.HIDE gone MEMBER",
        "LB.MADD gone ID b 1 MEMBER 1 m0 1 m1 1 m2 1 m3 1 m4",
    ] {
        let error = wire.say(&write.replace("MEMBER", &lost));
        assert!(error.error().starts_with("PARTSDOWN part "), "{write}: {error:?}");
        assert_eq!(place.behind(&key, &format!("EXISTS {key}")), Reply::Int(0), "{write}");
    }
    assert!(wire.say("LB.CREATE gone PARTS 4").error().starts_with("BOARDEXISTS"));
    assert_eq!(wire.run("DEL gone"), Reply::Int(1));
}

#[test]
fn rules_that_differ_are_an_error() {
    let place = shared();
    let mut wire = place.door.wire();
    fill(&mut wire, "differs", "VIEWS all,day PARTS 4");
    let key = part_key("differs", 4, 1);
    place.behind(&key, &format!("LB.ALTER {key} RETAIN 9"));
    all_reads_fail(&mut wire, "differs", &["ERR the parts do not agree"]);
    place.behind(&key, &format!("LB.ALTER {key} RETAIN 1"));
    is_whole(&mut wire, "differs");

    // The root has another number of parts than its parts.
    fill(&mut wire, "wrong", "PARTS 4");
    // A part may also report that a member belongs to another part.
    let codes = ["ERR the parts do not agree", "ERR member belongs to part ", "PARTSDOWN "];
    for parts in [2, 8] {
        place.behind("wrong", "DEL wrong");
        place.behind("wrong", &format!("LB.CREATE wrong PARTS {parts}"));
        // The data that a gateway has stored about a board may be one second old.
        wait_until(|| wire.say("LB.COUNT wrong").is_error());
        all_reads_fail(&mut wire, "wrong", &codes);
        all_reads_fail(&mut place.door.wire(), "wrong", &codes);
        for member in 0..MEMBERS {
            let reply = wire.say(&format!("LB.ADD wrong 1 m{member} ID wrong-{parts}-{member}"));
            assert!(reply.is_error(), "{reply:?}");
        }
    }
    place.behind("wrong", "DEL wrong");
    wait_until(|| !wire.say("LB.REPAIR wrong").is_error());
    is_whole(&mut wire, "wrong");
}

/// Makes some parts of a board, as a gateway does that is killed before it is done.
fn half_make(place: &Place, name: &str, options: &str, parts: u16, made: &[u16]) {
    for part in made {
        let key = part_key(name, parts, *part);
        place.behind(&key, &format!("LB.CREATE {key} {options} PART {part} OF {parts}"));
    }
}

#[test]
fn parts_without_a_root_are_an_error_until_they_are_repaired_or_deleted() {
    let place = shared();
    let mut wire = place.door.wire();
    let member = &members_of(1, 8, 1)[0];
    for mends in ["LB.REPAIR half FORCE", "DEL half"] {
        half_make(&place, "half", "VIEWS all,day ORDER ASC", 8, &[0, 1, 2, 5]);
        let key = part_key("half", 8, 1);
        place.behind(&key, &format!("LB.ADD {key} 5 {member}"));
        let lost = "PARTSDOWN the root of this board is lost, but part ";
        all_reads_fail(&mut wire, "half", &[lost]);
        for line in
            ["LB.ADD half 5 ann", "LB.CREATE half", "LB.CREATE half PARTS 8", "LB.SETMETA half ann text"]
        {
            assert!(wire.say(line).error().starts_with(lost), "{line}");
        }
        assert_eq!(wire.run("LB.PARTS half").items().len(), 8);
        let refused = wire.say("LB.REPAIR half");
        assert!(refused.error().starts_with("PARTSDOWN part 3 of 8 is lost"), "{refused:?}");
        wire.run(mends);
        if mends.starts_with("LB.REPAIR") {
            assert_eq!(wire.run("LB.TOP half 5").items()[0].items()[1], bulk(member));
            assert_eq!(wire.run("LB.INFO half").field("order").text(), "ASC");
            assert_eq!(wire.run("LB.REPAIR half"), Reply::Array(Vec::new()));
            assert_eq!(wire.run("DEL half"), Reply::Int(1));
        }
        for key in part_keys("half", 8).into_iter().chain(["half".to_owned()]) {
            assert_eq!(place.behind(&key, &format!("EXISTS {key}")), Reply::Int(0), "{mends}");
        }
    }
}

#[test]
fn a_board_is_not_made_over_other_keys() {
    let place = shared();
    let mut wire = place.door.wire();
    let key = part_key("other", 8, 3);
    for command in [
        format!("LB.CREATE {key}"),
        format!("LB.CREATE {key} PART 3 OF 8"),
        format!("LB.CREATE {key} PART 3 OF 4"),
        format!("SET {key} text"),
    ] {
        place.behind(&key, &command);
        let refused = wire.say("LB.CREATE other PARTS 8");
        assert!(refused.error().contains("part 3"), "{command}: {refused:?}");
        assert_eq!(place.behind("other", "EXISTS other"), Reply::Int(0));
        place.behind(&key, &format!("DEL {key}"));
    }
    wire.run("LB.CREATE other PARTS 8");
    refill(&mut wire, "other");
    is_whole(&mut wire, "other");
}

#[test]
fn of_boards_that_are_made_at_once_there_is_one() {
    let place = shared();
    for round in 0..6 {
        let name = format!("race-{round}");
        // In every second round, the two clients give different rules.
        let options = ["", if round % 2 == 0 { "" } else { "ORDER ASC" }];
        let replies: Vec<_> = thread::scope(|scope| {
            let create = |options: &'static str| {
                let (mut wire, name) = (place.door.wire(), &name);
                scope.spawn(move || wire.say(&format!("LB.CREATE {name} {options} PARTS 16")))
            };
            let both = options.map(create);
            both.map(|one| one.join().expect("a reply")).into_iter().collect()
        });
        let made = replies.iter().filter(|reply| !reply.is_error()).count();
        // The same command may be a repetition, whose client did not get the first reply.
        let expected = if round % 2 == 0 { 1..=2 } else { 1..=1 };
        assert!(expected.contains(&made), "{replies:?}");
        let mut wire = place.door.wire();
        if made > 0 {
            let won = replies.iter().position(|reply| !reply.is_error()).expect("one");
            let order = wire.run(&format!("LB.INFO {name}")).field("order").text();
            assert_eq!(order, if options[won].is_empty() { "DESC" } else { "ASC" });
            refill(&mut wire, &name);
            assert_eq!(wire.run(&format!("LB.COUNT {name}")).int(), MEMBERS);
        }
    }
}

#[test]
fn rules_that_are_half_changed_are_changed_by_doing_it_again() {
    let place = shared();
    let mut wire = place.door.wire();
    fill(&mut wire, "alter", "VIEWS all,day PARTS 4");
    assert_eq!(wire.run("LB.ALTER alter RETAIN 3").text(), "OK");
    is_whole(&mut wire, "alter");
    for part in [0, 2] {
        let key = part_key("alter", 4, part);
        place.behind(&key, &format!("LB.ALTER {key} RETAIN 7 VIEWS +week"));
    }
    all_reads_fail(&mut wire, "alter", &["ERR the parts do not agree"]);
    assert_eq!(wire.run("LB.ALTER alter RETAIN 7 VIEWS +week").text(), "OK");
    is_whole(&mut wire, "alter");
    assert_eq!(wire.run("LB.COUNT alter VIEW week").int(), 0);
    let hash = wire.run("LB.INFO alter").field("schema").clone();
    for key in part_keys("alter", 4) {
        assert_eq!(*place.behind(&key, &format!("LB.INFO {key}")).field("schema"), hash);
    }
    // An alteration that no part accepts changes nothing.
    for wrong in ["KEEP 5", "RETAIN 0", "VIEWS +never", "LIMIT a member 5 day", ""] {
        assert!(wire.say(&format!("LB.ALTER alter {wrong}")).is_error(), "{wrong}");
    }
    is_whole(&mut wire, "alter");
    assert!(wire.say("LB.ALTER absent RETAIN 3").error().starts_with("NOBOARD"));
}

#[test]
fn a_board_goes_with_all_of_its_parts() {
    let place = shared();
    let mut wire = place.door.wire();
    for command in ["DEL", "UNLINK"] {
        fill(&mut wire, "going", "PARTS 8");
        assert_eq!(wire.run("EXISTS going"), Reply::Int(1));
        assert_eq!(wire.run("TYPE going"), place.behind("going", "TYPE going"));
        assert_eq!(wire.run(&format!("{command} going")), Reply::Int(1));
        for key in part_keys("going", 8).into_iter().chain(["going".to_owned()]) {
            assert_eq!(place.behind(&key, &format!("EXISTS {key}")), Reply::Int(0), "{key}");
        }
        assert_eq!(wire.run(&format!("{command} going")), Reply::Int(0));
        assert_eq!(wire.run("EXISTS going"), Reply::Int(0));
        assert_eq!(wire.run("LB.TOP going 5"), Reply::Array(Vec::new()));
    }
}

/// Makes the board again through another gateway, with another number of parts, while the first gateway still has the
/// old data.
#[test]
fn a_board_that_was_made_anew_is_known_at_once() {
    let place = shared();
    let other = super::door::Door::of(&place.cluster);
    let (mut wire, mut others) = (place.door.wire(), other.wire());
    fill(&mut wire, "anew", "PARTS 4");
    is_whole(&mut wire, "anew");
    for (round, options) in
        ["PARTS 16", "PARTS 2", "PARTS 8", "PARTS 8 ORDER ASC", "PARTS 4"].into_iter().enumerate()
    {
        others.run("DEL anew");
        others.run(&format!("LB.CREATE anew {options}"));
        for member in 0..10 {
            let reply = wire.run(&format!("LB.ADD anew {member} new{member} ID {round}-{member}"));
            assert_eq!(reply.items()[0].int(), member);
        }
        let list: Vec<_> = (10..30).map(|member| format!("{member} new{member}")).collect();
        wire.run(&format!("LB.MADD anew ID {round} {}", list.join(" ")));
        for wire in [&mut wire, &mut others] {
            assert_eq!(wire.run("LB.COUNT anew").int(), 30, "{options}");
            assert_eq!(wire.run("LB.TOP anew 100").items().len(), 30, "{options}");
        }
    }
    // The key becomes a plain board, and then a spread board again.
    others.run("DEL anew");
    place.behind("anew", "LB.ADD anew 5 ann");
    assert_eq!(wire.run("LB.TOP anew 5").items().len(), 1);
    assert_eq!(wire.run("LB.ADD anew 5 ann").items()[0], Reply::Int(10));
    assert_eq!(wire.run("DEL anew"), Reply::Int(1));
    others.run("LB.CREATE anew PARTS 4");
    wire.run("LB.ADD anew 5 ann");
    assert_eq!(place.behind("anew", "EXISTS anew"), Reply::Int(1));
    assert_eq!(others.run("LB.COUNT anew"), Reply::Int(1));
}

#[test]
fn lists_over_parts_need_an_id() {
    let place = shared();
    let mut wire = place.door.wire();
    wire.run("LB.CREATE lists PARTS 4");
    let alike = members_of(1, 4, 2);
    let stranger = &members_of(2, 4, 1)[0];
    for command in ["LB.MADD", "LB.MSET", "LB.MVOTE"] {
        let error = wire.say(&format!("{command} lists 1 {} 1 {stranger}", alike[0]));
        assert_eq!(error.error(), format!("ERR over parts, {command} needs ID"));
        assert_eq!(wire.run("LB.COUNT lists"), Reply::Int(0), "{command}");
    }
    wire.run(&format!("LB.MADD lists 1 {} 1 {}", alike[0], alike[1]));
    assert_eq!(wire.run("LB.COUNT lists"), Reply::Int(2));
    for refused in
        ["LB.UNION elsewhere 1 lists", "LB.INTER {lists}dest 2 other lists", "LB.UNION lists 1 other"]
    {
        let error = wire.say(refused);
        let why = "does not work over parts: it makes one board in one step of one server";
        assert!(error.error().contains(why), "{refused}: {error:?}");
    }
    assert_eq!(wire.run("LB.COUNT lists"), Reply::Int(2));
}

/// No server lets a module refuse RENAME. A part is missed under its name, and is found again under it.
#[test]
fn a_part_that_was_renamed_is_missed_and_comes_back() {
    let place = shared();
    let mut wire = place.door.wire();
    fill(&mut wire, "renamed", "PARTS 4");
    let key = part_key("renamed", 4, 2);
    let tag = &key[key.find('{').expect("a tag")..];
    let lost = "PARTSDOWN part 2 of 4 is lost, with its members";
    place.behind(&key, &format!("RENAME {key} away{tag}"));
    all_reads_fail(&mut wire, "renamed", &[lost]);
    assert!(wire.say("LB.REPAIR renamed").error().starts_with(lost), "FORCE would make an empty part");
    let parts = wire.run("LB.PARTS renamed");
    let problem = parts.items()[2].items().last().expect("a problem").text();
    assert_eq!(problem, "it does not exist");
    place.behind(&key, &format!("RENAME away{tag} {key}"));
    is_whole(&mut wire, "renamed");
    assert_eq!(wire.run("LB.REPAIR renamed").items().len(), 0, "nothing is left to do");
}

#[test]
fn an_expiry_of_a_part_is_shown_and_taken_away() {
    let place = shared();
    let mut wire = place.door.wire();
    fill(&mut wire, "expiring", "PARTS 4");
    for key in ["expiring".to_owned(), part_key("expiring", 4, 1)] {
        place.behind(&key, &format!("EXPIRE {key} 1000"));
    }
    let parts = wire.run("LB.PARTS expiring");
    let problem = parts.items()[1].items().last().expect("a problem").text();
    assert!(problem.starts_with("the key expires in "), "{problem}");
    let done: Vec<_> = wire.run("LB.REPAIR expiring").items().iter().map(Reply::text).collect();
    assert_eq!(done, ["took the expiry of the root away", "took the expiry of part 1 away"]);
    for key in ["expiring".to_owned(), part_key("expiring", 4, 1)] {
        assert_eq!(place.behind(&key, &format!("TTL {key}")), Reply::Int(-1));
    }
    is_whole(&mut wire, "expiring");
}

#[test]
fn a_root_and_a_part_cannot_be_copied_on_any_server() {
    for flavor in [Flavor::Redis62, Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::builder(flavor).start();
        let mut wire = Wire::to(server.port());
        wire.run("LB.CREATE root PARTS 4");
        let part = part_key("root", 4, 1);
        wire.run(&format!("LB.CREATE {part} PART 1 OF 4"));
        for key in ["root", &part] {
            for copy in [format!("COPY {key} copy"), format!("COPY {key} copy REPLACE")] {
                let refused = wire.say(&copy);
                assert!(refused.is_error(), "{flavor:?}: {copy}: {refused:?}");
            }
            assert_eq!(wire.run("EXISTS copy"), Reply::Int(0), "{flavor:?}");
            assert!(!wire.run(&format!("LB.INFO {key}")).is_nil(), "{flavor:?}");
        }
        wire.run("LB.ADD board 5 ann");
        assert_eq!(wire.run("COPY board copy"), Reply::Int(1), "other boards are copied");
    }
}
