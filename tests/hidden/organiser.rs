//! Tests of what an organiser sees of hidden members, and of commands that do not see them.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server};

use super::{FIVE, on_five, plays};

#[test]
fn info_counts_those_who_are_seen_and_those_who_are_not() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, FIVE);
    let mut counts = |line: &str, members: usize, hidden: usize| {
        play(&mut con, line);
        let info = say(&mut con, "LB.INFO board");
        assert!(info.contains(&format!("\"members\" {members} \"hidden\" {hidden} ")), "{line}: {info}");
    };
    counts("PING", 3, 2);
    counts("LB.HIDE board ghost", 3, 3);
    counts("LB.HIDE board ann", 2, 4);
    counts("LB.UNHIDE board bob", 3, 3);
    counts("LB.REM board dan ghost", 3, 1);
    counts("LB.UNHIDE board ann", 4, 0);
}

#[test]
fn an_export_has_those_who_are_seen() {
    on_five(
        r#"LB.EXPORT dest board => 3
           ZREVRANGE dest 0 -1 => ["ann" "cat" "eve"]
           LB.EXPORT dest board COUNT 2 => 2
           ZREVRANGE dest 0 -1 => ["ann" "cat"]
           LB.EXPORT dest board COUNT 1 REV => 1
           ZREVRANGE dest 0 -1 => ["eve"]
           LB.HIDE board ann cat eve
           LB.EXPORT dest board => 0
           EXISTS dest => 0"#,
    );
}

#[test]
fn unions_read_what_everybody_sees() {
    on_five(
        r#"LB.MADD other AT 2 1 bob 2 dan 3 zoe
           LB.UNION sum 2 board other => 6
           LB.TOP sum 9 => [[1 "ann" 50] [2 "cat" 40] [3 "eve" 20] [4 "zoe" 3] [5 "dan" 2] [6 "bob" 1]]
           LB.HIDDEN sum => []
           LB.INTER both 2 board other => 0
           LB.UNION sum 1 board => 3
           LB.TOP sum 9 => [[1 "ann" 50] [2 "cat" 40] [3 "eve" 20]]
           LB.UNION board 1 board => 3
           LB.HIDDEN board => []
           LB.TOP board 9 => [[1 "ann" 50] [2 "cat" 40] [3 "eve" 20]]
           LB.SCORE board bob => nil"#,
    );
    plays(
        r#"LB.CREATE board VIEWS 10s CLOCK EVENT RETAIN 2
           LB.MADD board AT 5000 9 ann 8 bob 7 cat
           LB.MADD board AT 15000 1 ann 2 bob
           LB.HIDE board bob
           LB.EXPORT dest board PERIOD -1 => 2
           ZREVRANGE dest 0 -1 => ["ann" "cat"]
           LB.UNION sum 1 board PERIOD -1 => 2
           LB.TOP sum 9 => [[1 "ann" 9] [2 "cat" 7]]
           LB.INTER sum 2 board dest => 1
           LB.TOP sum 9 => [[1 "ann" 10]]"#,
    );
}

#[test]
fn an_import_does_not_show_anybody() {
    plays(
        r#"ZADD zset 5 ann 4 bob
           LB.CREATE board
           LB.HIDE board bob => 1
           LB.IMPORT board zset
           LB.TOP board 9 => [[1 "ann" 5]]
           LB.SCORE board bob => 4
           LB.IMPORT board zset MERGE
           LB.TOP board 9 => [[1 "ann" 10]]
           LB.UNHIDE board bob => 1
           LB.TOP board 9 => [[1 "ann" 10] [2 "bob" 8]]"#,
    );
}

#[test]
fn options_and_voters_are_told_in_full() {
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        r#"LB.CREATE poll DECLARED SHOWN LIMIT once voter 9 all
           LB.OPTION poll ann META first WEIGHT 2
           LB.OPTION poll bob META second
           LB.VOTE poll 1 ann BY one => [1 [[2 1 1]]]
           LB.HIDE poll bob => 1
           LB.VOTE poll 9 bob BY two => [1 [[9 1 1]]]
           LB.VOTE poll 1 bob BY two => [0 "once" -1]
           LB.TOP poll 9 => [[1 "ann" 2]]
           LB.TOP poll 9 REAL => [[1 "ann" 1]]
           LB.OPTIONS poll 0 => ["0" [["member" "ann" "weight" 2 "initial" 0 "meta" "first" "real" 1 "shown" 2 "voters" 1] ["member" "bob" "weight" 1 "initial" 0 "meta" "second" "real" 9 "shown" 9 "voters" 1]]]
           LB.VOTERS poll => 2
           LB.VOTERS poll MEMBER bob => 1
           LB.QUOTA poll BY two => [["once" 9 9 -1]]
           LB.MSCORE poll MEMBERS 2 ann bob REAL => [[1 1] [1 9]]
           LB.UNHIDE poll bob => 1
           LB.TOP poll 9 => [[1 "bob" 9] [2 "ann" 2]]"#,
    );
}

#[test]
fn request_ids_of_hidden_members_work() {
    on_five(
        "LB.ADD board 5 bob ID one => [45 2 1]
         LB.ADD board 5 bob ID one => [45 2 0]
         LB.UNHIDE board bob
         LB.ADD board 5 bob ID one => [45 2 0]
         LB.RANK board cat => 3",
    );
}
