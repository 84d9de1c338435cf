//! Tests of the moments of ended periods: the first 1,000 places keep them, even if the part is saved, copied or
//! replicated.

use leaderboard_core::parts::{Parts, Role};
use leaderboard_testkit::session::say;
use leaderboard_testkit::{
    Flavor, ReplicationStream, Server, bgrewriteaof_and_wait, digest, wait_for_sync, wait_until,
};
use redis::Value::Int;

use super::*;

/// The number of members of the part: more than the number of moments that an ended period stores.
const MANY: usize = 1_200;
/// The number of moments that are stored.
const MOST: usize = 1_000;

/// Returns the names of `count` members of part 0 of 2.
fn names(count: usize) -> Vec<String> {
    let role = Role::Part { number: 0, parts: Parts::new(2, "PARTS").expect("two") };
    let all = (0..).map(|number| format!("m{number}"));
    all.filter(|name| role.check(name.as_bytes()).is_ok()).take(count).collect()
}

/// Makes a part whose members all have the same millisecond, and waits for the end of its second. Returns the moment.
fn ended(con: &mut Connection, members: usize) -> i64 {
    let pairs: String = names(members).iter().map(|name| format!(" 5 {name}")).collect();
    play(con, "LB.CREATE part VIEWS 1s,all RETAIN 1s=5000 PART 0 OF 2");
    play(con, &format!("LB.MADD part{pairs}"));
    let of = format!("part OF {} VIEW all", names(1)[0]);
    let [_, _, Int(moment), ..] = answer(con, &of)[..] else { panic!("no such member") };
    let start = ask(con, &format!("part TOP 0 VIEW 1s AT {moment}"))[4].clone();
    wait_until(|| ask(con, "part TOP 0 VIEW 1s")[4] != start);
    moment
}

/// Returns all replies about the period of a moment: the numbers of members up to this moment and up to the latest
/// moment, the sample of all places, and the rows.
fn told(con: &mut Connection, moment: i64) -> Vec<Vec<Value>> {
    let most = i64::MAX;
    let places = format!("PLACES 4 5 {moment} BEFORE 5 {moment} AFTER 5 {most} BEFORE 5 {most} AFTER");
    ["MNEAR ".to_owned() + &places, "SAMPLE 1024 0 1023".to_owned(), "TOP 2000".to_owned()]
        .iter()
        .map(|question| answer(con, &format!("part {question} VIEW 1s AT {moment}")))
        .collect()
}

/// Waits until the digests are equal. A digest depends on the current second, so both digests must be read in the same
/// second.
fn wait_for_equal_digests(con: &mut Connection, other: &mut Connection) {
    wait_until(|| {
        let [one, other] = [&mut *con, &mut *other].map(|con| {
            ask(con, "part TOP 0");
            digest(con, "part")
        });
        one == other
    });
}

fn counts(all: usize, dated: usize) -> Value {
    ints(&[0, dated as i64, dated as i64, all as i64])
}

#[test]
fn the_first_thousand_keep_their_moments() {
    for flavor in Flavor::all() {
        let mut server = Server::builder(flavor).arg("appendonly", "yes").start();
        let replica = Server::start(flavor);
        replica.replica_of(&server);
        let con = &mut server.connection();
        let moment = ended(con, MANY);
        let before = told(con, moment);
        assert_eq!(before[0], [counts(MANY, MOST)]);
        wait_for_sync(&server, &replica);
        assert_eq!(told(&mut replica.connection(), moment), before);
        wait_for_equal_digests(con, &mut replica.connection());

        // One removed member is before the thousandth place, and one is after it. So one stored moment is lost.
        let all = names(MANY);
        play(con, &format!("LB.REM part {} {} => 2", all[17], all[MANY - 3]));
        let before = told(con, moment);
        assert_eq!(before[0], [counts(MANY - 2, MOST - 1)]);
        wait_for_sync(&server, &replica);
        assert_eq!(told(&mut replica.connection(), moment), before);
        wait_for_equal_digests(con, &mut replica.connection());

        run(con, &["DEBUG", "RELOAD"]);
        assert_eq!(told(con, moment), before);
        server.restart_nosave();
        let con = &mut server.connection();
        assert_eq!(told(con, moment), before);
        bgrewriteaof_and_wait(con);
        server.restart_nosave();
        let con = &mut server.connection();
        assert_eq!(told(con, moment), before);
    }
}

#[test]
fn a_small_part_keeps_them_all() {
    let mut server = Server::start(Flavor::Redis70);
    let con = &mut server.connection();
    let moment = ended(con, 5);
    play(con, &format!("LB.HIDE part {}", names(5)[1]));
    let before = told(con, moment);
    assert_eq!(before[0], [counts(4, 4)]);
    server.restart();
    let con = &mut server.connection();
    assert_eq!(told(con, moment), before);
    play(con, &format!("LB.REM part {}", names(5)[0]));
    assert_eq!(
        answer(con, &format!("part SAMPLE 9 0 -1 VIEW 1s AT {moment}")),
        [list((0..3).map(|place| ints(&[place, 5, moment])))]
    );
}

/// Checks that replicas get the time of a removal, because the moments that remain after the removal depend on it.
#[test]
fn replicas_are_told_when_members_of_a_part_were_removed() {
    let server = Server::start(Flavor::Redis70);
    let con = &mut server.connection();
    five(con);
    play(con, "LB.CREATE whole\nLB.MADD whole 1 ann 2 NOW 3 5");
    let mut stream = ReplicationStream::of(&server);
    play(con, "LB.REM part ann ned\nLB.REMRANGE part 1 1\nLB.REM whole NOW 5 => 2\nLB.REM part ann => 0");
    let sent = stream.take();
    let removals: Vec<Vec<&str>> = sent
        .iter()
        .filter(|command| command.starts_with("LB.REM"))
        .map(|command| command.split(' ').collect())
        .collect();
    assert_eq!(removals.len(), 3, "{sent:?}");
    for (removal, names) in removals.iter().zip([&["ann", "ned"][..], &["jon"]]) {
        assert_eq!((removal[1], removal[2], &removal[4..]), ("part", "NOW", names));
        assert!(removal[3].parse::<u64>().expect("ms") > 1_500_000_000_000);
    }
    assert_eq!(removals[2], ["LB.REM", "whole", "NOW", "5"]);
    assert_eq!(say(con, "LB.COUNT part"), "3");
}
