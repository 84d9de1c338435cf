//! Tests that a part refuses members of other parts.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, digest, run, wait_for_sync};

use super::{PART, plays};

/// Each command that names members and changes something, with a member of part 2.
const WRONG: &[&str] = &[
    "LB.ADD part 1 bob",
    "LB.ADD part 1 bob AT 1000",
    "LB.ADD part 1 bob ID seen",
    "LB.ROLLADD part 1 bob",
    "LB.MADD part 1 bob",
    "LB.MADD part 1 ann 1 cat 1 bob",
    "LB.SET part 1 bob",
    "LB.SET part 1 bob XX",
    "LB.MSET part 1 ann 1 bob",
    "LB.SETMETA part bob text",
    "LB.SETMETA part bob <0>",
    "LB.OPTION part bob",
    "LB.OPTION part bob WEIGHT 1",
    "LB.OPTION part bob META text",
    "LB.VOTE part 1 bob BY v",
    "LB.MVOTE part 1 ann 1 bob",
    "LB.HIDE part bob",
    "LB.HIDE part ann bob",
    "LB.UNHIDE part bob",
    "LB.REM part ann bob",
    "LB.IMPORT part zset MERGE",
    "LB.IMPORT part zset NX",
    "LB.ADD part 1 bob PARTS 4",
];

#[test]
fn each_write_to_a_member_of_another_part_is_refused() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, PART);
        play(&mut con, "LB.ADD part 1 ann ID seen\nLB.CREATE part VIEWS day:7 PART 0 OF 4 NX => 0");
        play(&mut con, "LB.ALTER part VIEWS +day:7\nZADD zset 1 ann 2 cat 3 bob");
        let (before, mut stream) = (digest(&mut con, "part"), ReplicationStream::of(&server));
        for command in WRONG {
            assert_eq!(say(&mut con, command), "ERR member belongs to part 2", "{flavor:?}: {command}");
        }
        assert_eq!(digest(&mut con, "part"), before);
        assert_eq!(stream.take(), Vec::<String>::new());
    }
}

#[test]
fn the_first_wrong_member_is_told() {
    plays(&format!(
        "{PART}
         LB.MADD part 1 ann 1 dan 1 bob => ERR member belongs to part 3
         LB.REM part max dan => ERR member belongs to part 1
         LB.TOP part 5 => [[1 \"ann\" 7] [2 \"cat\" 5]]"
    ));
}

#[test]
fn own_members_are_written_as_on_any_board() {
    plays(&format!(
        "{PART}
         LB.ADD part 1 cat ID one => [6 2 1]
         LB.ADD part 1 cat ID one => [6 2 0]
         LB.SET part 9 cat => [9 1 1]
         LB.SETMETA part ann text => OK
         LB.VOTE part 1 ann => [1 [[8 2 1]]]
         LB.OPTION part cat META x => OK
         LB.HIDE part cat => 1
         LB.UNHIDE part cat => 1
         ZADD zset 5 ann 5 cat
         LB.IMPORT part zset MERGE => 2
         LB.TOP part 5 => [[1 \"cat\" 14] [2 \"ann\" 13]]
         LB.REMRANGE part 2 2 => 1
         LB.REMRANGEBYSCORE part 14 14 => 1
         LB.COUNT part => 0"
    ));
}

#[test]
fn an_import_in_steps_stops_at_a_member_of_another_part() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, PART);
    play(&mut con, "ZADD zset 3 ann 2 cat 1 bob");
    assert!(say(&mut con, "LB.IMPORT part zset CURSOR 0 COUNT 2 MERGE").ends_with(" 2]"));
    assert_eq!(say(&mut con, "LB.IMPORT part zset CURSOR 0 COUNT 3 MERGE"), "ERR member belongs to part 2");
    play(
        &mut con,
        "LB.TOP part 5 => [[1 \"ann\" 10] [2 \"cat\" 7]]
         LB.CREATE empty PART 0 OF 4
         LB.IMPORT empty zset => ERR member belongs to part 2
         LB.COUNT empty => 0",
    );
}

#[test]
fn reads_know_no_members_of_other_parts() {
    plays(&format!(
        "{PART}
         LB.RANK part bob => nil
         LB.SCORE part bob => nil
         LB.MSCORE part MEMBERS 2 bob ann => [nil [1 7]]
         LB.STANDING part bob => nil
         LB.AROUND part bob 1 => []
         LB.GETMETA part bob => nil
         LB.MGETMETA part MEMBERS 1 bob => [nil]
         LB.AMONG part MEMBERS 2 bob cat => [[1 \"cat\" 5 2]]
         LB.QUOTA part MEMBER bob => []
         LB.VOTERS part MEMBER bob => 0
         LB.UNION union 1 part => 2
         LB.ADD union 9 bob => [9 1 1]"
    ));
}

/// Checks that a replica applies the writes of its primary without checks, even if a client has made another board
/// under the key.
#[test]
fn decided_writes_are_taken() {
    for flavor in Flavor::all() {
        let primary = Server::start(flavor);
        let replica = Server::builder(flavor).arg("replica-read-only", "no").start();
        let (mut con, mut other) = (primary.connection(), replica.connection());
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        play(&mut con, "LB.CREATE part");
        wait_for_sync(&primary, &replica);
        run(&mut other, &["DEL", "part"]);
        play(&mut other, "LB.CREATE part PART 0 OF 4\nLB.ADD part 1 bob => ERR member belongs to part 2");
        play(&mut con, "LB.ADD part 5 bob\nLB.MADD part 1 eve 1 dan\nLB.SET part 9 dan\nLB.VOTE part 1 gus");
        play(&mut con, "LB.SETMETA part bob text\nLB.HIDE part eve bob\nLB.UNHIDE part bob\nLB.REM part dan");
        play(&mut con, "LB.OPTION part hal\nZADD zset 2 ida\nLB.IMPORT part zset MERGE => 1");
        wait_for_sync(&primary, &replica);
        play(
            &mut other,
            r#"LB.TOP part 9 WITHMETA => [[1 "bob" 5 "text"] [2 "ida" 2 nil] [3 "gus" 1 nil]]
               LB.HIDDEN part => ["eve"]
               LB.SCORE part dan => nil"#,
        );
    }
}
