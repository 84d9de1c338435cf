//! Tests of `QUIET`: the reply to a write is the number of items that it has applied, and the write does all else.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server};

#[test]
fn the_reply_is_the_number_of_applied_items() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for mut con in [server.connection(), server.connection_resp3()] {
            play(
                &mut con,
                r#"LB.CREATE board VIEWS all,day:2 CLOCK EVENT => OK
                   LB.ADD board 5 ann AT 1000 QUIET => 1
                   LB.ADD board 5 ann AT 1000 ID r QUIET => 1
                   LB.ADD board 5 ann AT 1000 ID r QUIET => 0
                   LB.ADD board 5 ann AT 1000 ID r => [10 1 0]
                   LB.ROLLADD board 1 bob AT 1000 QUIET WINDOW 2 day => 1
                   LB.MADD board AT 2000 QUIET ID m 1 cat 1 cat 1 dan => 3
                   LB.MADD board QUIET AT 2000 ID m 1 cat 1 cat 1 dan => 0
                   LB.MADD board AT 2000 ID m 1 cat 1 cat 1 dan => [[2 2 0] [2 2 0] [1 4 0]]
                   LB.SET board 7 eve AT 3000 quiet => 1
                   LB.SET board 9 eve AT 3000 NX QUIET => 0
                   LB.SET board 1 eve AT 3000 GT QUIET => 0
                   LB.MSET board QUIET AT 4000 3 eve 4 fay => 2
                   LB.TOP board 9 => [[1 "ann" 10] [2 "fay" 4] [3 "eve" 3] [4 "cat" 2] [5 "bob" 1] [6 "dan" 1]]
                   LB.ADD absent 0 ann QUIET META Ann => 1
                   LB.TOP absent 1 WITHMETA => [[1 "ann" 0 "Ann"]]
                   LB.COUNTER.INCR hits BY 40 ID i QUIET => 1
                   LB.COUNTER.INCR hits BY 40 ID i QUIET => 0
                   LB.COUNTER.INCR hits BY 2 => 42
                   LB.LEAGUE.CREATE league TIERS low,high PROMOTE 1,0 DEMOTE 0,1 CYCLE day CLOCK EVENT => OK
                   LB.LEAGUE.ADD league 5 ann ID l AT 1000 QUIET => 1
                   LB.LEAGUE.ADD league 5 ann ID l AT 1000 QUIET => 0
                   LB.LEAGUE.ADD league 1 ann AT 1000 => [6 1 1]
                   FLUSHALL"#,
            );
        }
    }
}

/// A vote that a rule holds back has applied nothing. The same request without QUIET says which rule that is, or that
/// the vote has counted before.
#[test]
fn votes_say_how_many_were_counted() {
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        r#"LB.CREATE poll VIEWS all CLOCK EVENT LIMIT daily voter 3 day => OK
           LB.VOTE poll 1 tide BY u ID v AT 1000 QUIET => 1
           LB.VOTE poll 1 tide BY u ID v AT 1000 QUIET => 0
           LB.VOTE poll 1 tide BY u ID v AT 1000 => [1 [[1 1 0]]]
           LB.MVOTE poll BY u AT 1000 QUIET 1 tide 1 reef => 2
           LB.MVOTE poll BY u AT 1000 QUIET 1 tide 1 reef => 0
           LB.VOTE poll 1 tide BY u ID w AT 1000 QUIET => 0
           LB.VOTE poll 1 tide BY u ID w AT 1000 => [0 "daily" 86399000]
           LB.TOP poll 2 => [[1 "tide" 2] [2 "reef" 1]]"#,
    );
}

/// A rule for scores is an error as without QUIET, because the number 0 would not tell it from a repeated request.
#[test]
fn rules_for_scores_are_errors() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.CREATE board OPENS 4000000000000 => OK");
    let reply = say(&mut con, "LB.ADD board 11 ann QUIET");
    assert!(reply.contains("HELDBACK closed"), "{reply}");
    play(&mut con, "LB.ADD board 11 ann FORCE QUIET => 1");
}
