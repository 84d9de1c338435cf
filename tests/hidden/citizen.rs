//! Hiding as the server sees it: events, transactions, scripts, rights, the limit of memory.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, info, run};

use crate::citizen::events::Events;

const TABLE: [(&str, &[&str]); 26] = [
    ("LB.MADD board 5 ann 6 bob 7 cat", &["lb.add board"]),
    ("LB.HIDE board ann bob", &["lb.hide board"]),
    ("LB.HIDE board ann", &[]),
    ("LB.HIDE board ann ghost", &["lb.hide board"]),
    ("LB.HIDE absent ann", &[]),
    ("LB.HIDE board <513>", &[]),
    ("LB.HIDDEN board", &[]),
    ("LB.UNHIDE board cat nobody", &[]),
    ("LB.UNHIDE board cat bob", &["lb.unhide board"]),
    ("LB.UNHIDE board bob", &[]),
    ("LB.UNHIDE absent ann", &[]),
    ("LB.MSET board ID one 5 ann 6 bob", &["lb.set board"]),
    ("LB.MSET board ID one 5 ann 6 bob", &[]),
    ("LB.MSET board ID one 5 ann 7 bob", &[]),
    ("LB.MSET board 5 ann x bob", &[]),
    ("LB.MSET new 5 ann", &["lb.set new"]),
    ("LB.ADD board 5 bob META text", &["lb.add board"]),
    ("LB.SET board 5 bob META text XX", &["lb.set board"]),
    ("LB.REMRANGE board 9 10", &[]),
    ("LB.REMRANGE absent 1 -1", &[]),
    ("LB.REMRANGE board 2 2", &["lb.rem board"]),
    ("LB.REMRANGEBYSCORE board 100 200", &[]),
    ("LB.REMRANGEBYSCORE absent -inf +inf", &[]),
    ("LB.REMRANGEBYSCORE board -inf +inf", &["lb.rem board"]),
    ("LB.STATS board", &[]),
    ("LB.AMONG board MEMBERS 1 ann", &[]),
];

#[test]
fn every_change_is_an_event() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let classes = if flavor == Flavor::Redis62 { "EA" } else { "Ed" };
        Events::of(&server, classes).expect(&mut server.connection(), &TABLE);
    }
}

#[test]
fn falling_out_is_part_of_the_write() {
    let server = Server::start(Flavor::Redis70);
    Events::of(&server, "EA").expect(
        &mut server.connection(),
        &[
            ("LB.CREATE board KEEP 1", &["lb.create board"]),
            ("LB.ADD board 5 ann", &["lb.add board"]),
            ("LB.ADD board 6 bob", &["lb.add board"]),
            ("LB.ADD board 1 cat", &["lb.add board"]),
            ("LB.ALTER board KEEP 2", &["lb.alter board"]),
        ],
    );
}

#[test]
fn transactions_and_scripts_hide() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        r#"LB.MADD board AT 1 5 ann 6 bob 7 cat
           MULTI
           LB.HIDE board bob
           LB.TOP board 9
           LB.UNHIDE board bob
           LB.REMRANGE board 1 1
           LB.MSET board 1 ann 2 dan
           EXEC => [1 [[1 "cat" 7] [2 "ann" 5]] 1 1 [[1 3 1] [2 2 1]]]"#,
    );
    let script = "redis.call('LB.HIDE', KEYS[1], 'bob')
                  return redis.call('LB.AMONG', KEYS[1], 'MEMBERS', 2, 'bob', 'dan')";
    run(&mut con, &["EVAL", script, "1", "board"]);
    play(&mut con, "LB.HIDDEN board => [\"bob\"]");
}

#[test]
fn who_may_read_may_not_hide() {
    for flavor in [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            "LB.MADD board 5 ann 6 bob
             ACL SETUSER reader on >word %R~board +@all => OK
             AUTH reader word => OK",
        );
        for line in [
            "LB.HIDE board ann",
            "LB.UNHIDE board ann",
            "LB.MSET board 5 ann",
            "LB.REMRANGE board 1 1",
            "LB.REMRANGEBYSCORE board 1 1",
        ] {
            assert!(say(&mut con, line).starts_with("NOPERM "), "{flavor:?}: {line}");
        }
        play(
            &mut con,
            "LB.AMONG board MEMBERS 2 ann bob
             LB.HIDDEN board => []
             LB.STATS board
             LB.QUANTILE board 0.5 => [5]
             LB.HISTOGRAM board 1 9 2
             LB.MGETMETA board MEMBERS 1 ann => [nil]",
        );
    }
}

#[test]
fn at_the_limit_of_memory_nobody_is_hidden_and_all_can_be_shown() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            "LB.MADD board AT 1 5 ann 6 bob 7 cat 8 dan\nLB.HIDE board ann\nCONFIG SET maxmemory 1",
        );
        for line in ["LB.HIDE board bob", "LB.MSET board 5 ann", "LB.ADD board 5 ann META text"] {
            assert!(say(&mut con, line).starts_with("OOM "), "{flavor:?}: {line}");
        }
        play(
            &mut con,
            r#"LB.UNHIDE board ann => 1
               LB.REMRANGE board 1 1 => 1
               LB.REMRANGEBYSCORE board 7 7 => 1
               LB.ALTER board KEEP 1 => OK
               LB.TOP board 9 => [[1 "bob" 6]]
               LB.AMONG board MEMBERS 2 ann bob => [[1 "bob" 6 1]]
               LB.STATS board => ["members" 1 "sum" 6 "mean" "6.000000" "min" 6 "max" 6 "median" 6]"#,
        );
    }
}

#[test]
fn a_hidden_member_is_a_member_of_the_server() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.MADD board AT 1 5 ann 6 bob\nLB.HIDE board ann");
    assert_eq!(info(&mut con, "leaderboard", "leaderboard_members"), "2");
    play(&mut con, "LB.REM board ann bob");
    assert_eq!(info(&mut con, "leaderboard", "leaderboard_members"), "0");
    play(&mut con, "LB.HIDE board ann\nDEL board");
    assert_eq!(info(&mut con, "leaderboard", "leaderboard_boards"), "0");
}
