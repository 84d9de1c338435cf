//! Tests of views of periods on replicas: the commands that replicas get, and that their boards are always the same.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, digest, wait_for_sync};
use redis::Connection;

use super::play_dated;
use crate::replication::stream::Watched;

#[test]
fn writes_into_views_are_sent_as_they_were_decided() {
    for flavor in Flavor::all() {
        Watched::start(flavor).sends(&[
            ("LB.ROLLADD roll 5 ann", &["LB.ROLLADD roll 5 ann AT now"]),
            ("lb.rolladd roll 5 ann withchange id one", &["LB.ROLLADD roll 5 ann ID one AT now"]),
            ("LB.ROLLADD roll 5 ann ID one", &[]),
            ("LB.ROLLADD hours 5 ann WINDOW 24 hour", &["LB.ROLLADD hours 5 ann WINDOW 24 hour AT now"]),
            (
                "LB.ROLLADD hours 5 ann AT 1000 ID two window 24 HOUR",
                &["LB.ROLLADD hours 5 ann ID two WINDOW 24 HOUR AT 1000 NOW now"],
            ),
            ("LB.ROLLADD hours 5 ann WINDOW 7 day", &[]),
            (
                "LB.CREATE board VIEWS all,10s,10s:3 CLOCK EVENT CARRY 10s=0.5 RETAIN 2",
                &["LB.CREATE board VIEWS all,10s,10s:3 CLOCK EVENT CARRY 10s=0.5 RETAIN 2"],
            ),
            ("LB.ROLLADD board 5 ann AT 25000", &["LB.ROLLADD board 5 ann AT 25000"]),
            ("LB.ADD board 5 ann AT 15000 VIEW 10s", &["LB.ADD board 5 ann AT 15000 NOW 25000"]),
            ("LB.ADD board 5 ann AT 31000 VIEW 10s:3", &["LB.ADD board 5 ann AT 31000"]),
            ("LB.MADD board AT 29000 VIEW 10s 5 ann", &["LB.MADD board AT 29000 NOW 31000 5 ann"]),
            ("LB.SET board 9 ann AT 32000 VIEW 10s", &["LB.SET board 9 ann AT 32000 VIEW 10s"]),
            (
                "LB.SET board 99 ann GT ID one VIEW 10s:3 AT 31000 XX",
                &["LB.SET board 99 ann XX GT ID one VIEW 10s:3 AT 31000 NOW 32000"],
            ),
            ("LB.SET board 1 ann GT VIEW 10s:3 AT 33000", &[]),
            ("LB.TOP board 5 VIEW 10s PERIOD -1", &[]),
            ("LB.PERIODS board 10s", &[]),
        ]);
    }
}

#[test]
fn changed_rules_are_sent_with_the_moment_of_the_change() {
    for flavor in [Flavor::Redis62, Flavor::Redis70] {
        Watched::start(flavor).sends(&[
            ("LB.CREATE board VIEWS 10s CLOCK EVENT", &["LB.CREATE board VIEWS 10s CLOCK EVENT"]),
            ("LB.ALTER board VIEWS +day", &["LB.ALTER board VIEWS +day NOW 0"]),
            ("LB.ADD board 5 ann AT 25000", &["LB.ADD board 5 ann AT 25000"]),
            ("lb.alter board carry 10s=0.5 RETAIN 3", &["LB.ALTER board carry 10s=0.5 RETAIN 3 NOW 25000"]),
            ("LB.ALTER board VIEWS -day,-10s", &[]),
            ("LB.CREATE live VIEWS day", &["LB.CREATE live VIEWS day"]),
            ("LB.ALTER live VIEWS +week,-day", &["LB.ALTER live VIEWS +week,-day NOW now"]),
            ("LB.ALTER live RETAIN 99999", &[]),
        ]);
    }
}

const BOARDS: [&str; 4] = ["board", "best", "live", "roll"];

/// Steps of commands. After each step, the replicas must have the same boards.
const STEPS: [&str; 9] = [
    "LB.CREATE board VIEWS day,all,day:3,week CLOCK EVENT CARRY week=0.5 RETAIN 2 DEDUP 315360000
     LB.CREATE best VIEWS day:2,day CLOCK EVENT AGGREGATE MAX
     LB.CREATE live VIEWS day,week,day:7 CARRY week=0.1
     LB.ROLLADD roll 5 ann ID one
     LB.MADD board AT @2019-03-18 5 ann 4 bob 4 cat
     LB.MADD best AT @2019-03-18 5 ann 4 bob 4 cat
     LB.MADD live 5 ann 4 bob 4 cat",
    "LB.MADD board AT @2019-03-20 3 dan 1 bob
     LB.ADD best 3 dan AT @2019-03-19
     LB.ADD live 50 dan AT @2019-03-19
     LB.SET live 5 dan VIEW day:7",
    "LB.ADD board 7 cat AT @2019-03-18T10:00
     LB.ADD board 7 eve AT @2019-03-17 ID late
     LB.ADD best 9 bob AT @2019-03-18T10:00
     LB.ROLLADD roll 5 bob WINDOW 7 day AT 1000",
    "LB.REM board bob
     LB.REM best ann
     LB.REM live bob",
    "LB.ALTER board VIEWS +month,-all RETAIN week=5
     LB.ALTER live VIEWS +month,-day CARRY month=0.5
     LB.ALTER best RETAIN 0",
    "LB.ADD board 2 eve AT @2019-03-21
     LB.ADD best 2 eve AT @2019-03-20
     LB.ADD live 2 eve",
    "LB.SET board 9 eve VIEW week AT @2019-03-25
     LB.SET best 0 eve VIEW day AT @2019-03-20T10:00
     LB.SET live 9 ann VIEW month",
    "LB.MADD board AT @2019-03-24 ID m 5 ann 5 fay 5 gus
     LB.SETMETA board fay Spain",
    "LB.ADD board 1 ann AT @2019-05-20
     LB.ADD best 1 ann AT @2019-05-20",
];

/// Commands for a replica after it becomes the primary. Its replies must be those that the old primary would have
/// sent.
const REST: &str = r#"LB.ADD board 7 eve AT @2019-03-17 ID late => [nil nil 0]
    LB.ROLLADD roll 5 ann ID one => [5 1 0]
    LB.TOP board 9 => [[1 "ann" 1]]
    LB.ADD board 4 bob AT @2019-05-19 VIEW day:3 => [4 1 1]
    LB.ADD board 0 bob AT @2019-05-21 VIEW day:3 => [4 1 1]
    LB.TOP board 9 PERIOD -1 => [[1 "ann" 1]]
    LB.TOP board 9 VIEW day:3 PERIOD -1 => [[1 "bob" 4] [2 "ann" 1]]"#;

#[track_caller]
fn equal(primary: &mut Connection, replica: &mut Connection, step: &str) {
    for board in BOARDS {
        assert_eq!(digest(replica, board), digest(primary, board), "{board} after {step}");
    }
}

#[test]
fn a_replica_holds_the_same_views_after_every_step_and_goes_on_with_them() {
    for flavor in Flavor::all() {
        let (primary, replica) = (Server::start(flavor), Server::start(flavor));
        replica.replica_of(&primary);
        let (mut con, mut other) = (primary.connection(), replica.connection());
        for step in STEPS {
            play_dated(&mut con, step);
            wait_for_sync(&primary, &replica);
            equal(&mut con, &mut other, step);
        }
        let late = Server::start(flavor);
        late.replica_of(&primary);
        wait_for_sync(&primary, &late);
        equal(&mut con, &mut late.connection(), "a full sync");
        for promoted in [&replica, &late] {
            let mut con = promoted.connection();
            play(&mut con, "REPLICAOF NO ONE => OK");
            play_dated(&mut con, REST);
        }
        play_dated(&mut con, REST);
        equal(&mut con, &mut other, "going on");
        equal(&mut con, &mut late.connection(), "going on");
    }
}

#[test]
fn a_chain_that_was_never_read_ends_with_the_same_boards() {
    let [first, second, third] = [(); 3].map(|()| Server::start(Flavor::Redis70));
    second.replica_of(&first);
    wait_for_sync(&first, &second);
    third.replica_of(&second);
    for step in STEPS {
        play_dated(&mut first.connection(), step);
    }
    wait_for_sync(&first, &second);
    wait_for_sync(&second, &third);
    equal(&mut first.connection(), &mut third.connection(), "all steps");
}
