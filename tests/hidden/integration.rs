//! Tests of hiding with other features of the server: events, transactions, scripts, access rights and the memory
//! limit.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, info, run};

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
