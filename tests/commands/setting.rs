//! Tests of `LB.MSET`, which does the work of several LB.SET commands in one step.

use leaderboard_testkit::random::{Random, seed};
use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, digest, query};
use redis::Connection;

use super::plays;

#[test]
fn replies_are_positions_at_the_end() {
    plays(
        r#"LB.MSET board 5 ann 6 bob 7 cat => [[5 3 1] [6 2 1] [7 1 1]]
           LB.MSET board 1 ann 9 ann 8 ann => [[8 1 1] [8 1 1] [8 1 1]]
           LB.MSET board 6 ann 6 cat => [[6 2 1] [6 3 1]]
           LB.MSET board VIEW all 0 ann => [[0 3 1]]
           LB.MSET board -9223372036854775807 ann 9223372036854775807 ann => [[9223372036854775807 1 1] [9223372036854775807 1 1]]
           LB.TOP board 9 => [[1 "ann" 9223372036854775807] [2 "bob" 6] [3 "cat" 6]]
           lb.mset board at 5 id One 007 BOB => [[7 2 1]]
           TYPE board => lb-board1"#,
    );
    plays(
        r#"LB.CREATE board AGGREGATE MAX DECIMALS 2
           LB.MSET board 5.5 ann 3.25 ann 4 bob => [["3.25" 2 1] ["3.25" 2 1] ["4" 1 1]]
           LB.CREATE last AGGREGATE LAST CLOCK EVENT
           LB.MSET last AT 2000 5 ann 3 bob => [[5 1 1] [3 2 1]]
           LB.MSET last AT 1000 9 ann 1 cat => [[5 1 1] [1 3 1]]
           LB.MSET last AT 2000 2 ann 4 ann => [[4 1 1] [4 1 1]]"#,
    );
}

#[test]
fn a_score_is_set_in_the_view_that_is_named() {
    plays(
        r#"LB.CREATE board VIEWS all,10s CLOCK EVENT
           LB.MSET board AT 5000 5 ann 4 bob => [[5 1 1] [4 2 1]]
           LB.MSET board AT 15000 VIEW 10s 7 bob 1 ann 2 ann => [[7 1 1] [2 2 1] [2 2 1]]
           LB.TOP board 9 => [[1 "bob" 11] [2 "ann" 7]]
           LB.TOP board 9 VIEW 10s PERIOD -1 => [[1 "ann" 5] [2 "bob" 4]]
           LB.MSET board AT 16000 0 ann 0 bob => [[0 1 1] [0 2 1]]
           LB.TOP board 9 VIEW 10s => [[1 "bob" -4] [2 "ann" -5]]"#,
    );
}

#[test]
fn scores_that_stay_keep_their_moments() {
    plays(
        r#"LB.CREATE board CLOCK EVENT
           LB.MSET board AT 1000 5 ann 5 bob => [[5 1 1] [5 2 1]]
           LB.MSET board AT 2000 5 ann 4 bob 5 bob => [[5 1 1] [5 2 1] [5 2 1]]
           LB.MSET board AT 3000 6 ann 5 ann => [[5 2 1] [5 2 1]]
           LB.TOP board 9 => [[1 "bob" 5] [2 "ann" 5]]"#,
    );
}

#[test]
fn an_id_of_several_scores_is_that_of_nothing_else() {
    const OTHER: &str = "IDREUSED request id was used for a different write";
    plays(&format!(
        "LB.MSET board ID one 5 ann 6 bob => [[5 2 1] [6 1 1]]
         LB.ADD board 9 ann => [14 1 1]
         LB.MSET board ID one 5 ann 6 bob => [[14 1 0] [6 2 0]]
         LB.MSET board VIEW all ID one AT 5 05 ann 6 bob => [[14 1 0] [6 2 0]]
         LB.MSET board ID one 6 bob 5 ann => {OTHER}
         LB.MSET board ID one 5 ann => {OTHER}
         LB.MSET board ID one 5 ann 6 bob 6 bob => {OTHER}
         LB.MADD board ID one 5 ann 6 bob => {OTHER}
         LB.SET board 3 cat ID two => [3 3 1]
         LB.MSET board ID two 3 cat => {OTHER}
         LB.MSET board ID three 3 cat => [[3 3 1]]
         LB.SET board 3 cat ID three => {OTHER}
         LB.ADD board 3 cat ID three => {OTHER}
         LB.MADD board ID three 3 cat => {OTHER}
         LB.REM board ann => 1
         LB.MSET board ID one 5 ann 6 bob => [[nil nil 0] [6 1 0]]
         LB.TOP board 9 => [[1 \"bob\" 6] [2 \"cat\" 3]]"
    ));
}

#[test]
fn all_scores_are_set_or_none() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        "LB.CREATE board VIEWS all,10s CLOCK EVENT
         LB.ADD board 9223372036854775807 ann AT 5000
         LB.CREATE text DECIMALS 2",
    );
    let before = [digest(&mut con, "board"), digest(&mut con, "text")];
    play(
        &mut con,
        "LB.MSET board AT 15000 VIEW 10s 1 bob 5 ann => ERR the score would be out of range
         LB.MSET board AT 15000 ID one VIEW 10s 5 ann -5 ann => ERR the score would be out of range
         LB.MSET board AT 15000 1 bob 9223372036854775808 ann => ERR score is out of range
         LB.MSET board AT 15000 1 bob 1.5 ann => ERR score must be a whole number (DECIMALS 0)
         LB.MSET text 1 bob 1.125 ann => ERR score has more digits than are kept (DECIMALS 2)
         LB.MSET board AT 15000 1 bob x ann => ERR score is not a decimal number
         LB.MSET board AT 15000 1 bob 1 <0> => ERR member must have 1 to 512 bytes
         LB.MSET board AT 15000 1 bob 1 => ERR the list of scores and members is incomplete
         LB.MSET board AT 15000 VIEW day 1 bob => ERR VIEW 'day' is not a view of this board
         LB.MSET board 1 bob => ERR AT is needed with CLOCK EVENT",
    );
    assert_eq!([digest(&mut con, "board"), digest(&mut con, "text")], before);
}

#[test]
fn a_time_before_the_period_is_refused_as_with_one_score() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.CREATE board VIEWS 10s CLOCK EVENT\nLB.ADD board 5 ann AT 25000");
    let one = say(&mut con, "LB.SET board 7 ann AT 15000");
    assert!(one.starts_with("ERR "), "{one}");
    assert_eq!(say(&mut con, "LB.MSET board AT 15000 7 ann"), one);
    assert_eq!(say(&mut con, "LB.MSET board AT 15000 7 bob 7 ann"), one);
    play(&mut con, "LB.TOP board 9 => [[1 \"ann\" 5]]");
}

/// Writes the same scores to two boards, as lists in one command and one by one, and compares the boards.
#[track_caller]
fn twins(con: &mut Connection, random: &mut Random, rules: &str, view: &str) {
    play(con, &format!("FLUSHALL\nLB.CREATE lists CLOCK EVENT {rules}\nLB.CREATE ones CLOCK EVENT {rules}"));
    let mut at = 1_700_000_000_000;
    for _ in 0..40 {
        at += random.below(3) / 2 * random.below(40_000_000);
        let list: Vec<(i64, u64)> =
            (0..1 + random.below(9)).map(|_| (random.below(7) as i64 - 2, random.below(12))).collect();
        let pairs: String = list.iter().map(|(score, member)| format!(" {score} m{member}")).collect();
        let replies: Vec<(i64, i64, i64)> =
            query(con, &format!("LB.MSET lists AT {at} VIEW {view}{pairs}").split(' ').collect::<Vec<_>>());
        for (score, member) in &list {
            play(con, &format!("LB.SET ones {score} m{member} AT {at} VIEW {view}"));
        }
        assert_eq!(digest(con, "lists"), digest(con, "ones"), "{rules} {view}: {pairs}");
        for ((_, member), (score, rank, applied)) in list.iter().zip(replies) {
            let expected = format!("[[{rank} {score}]]");
            assert_eq!(say(con, &format!("LB.MSCORE ones MEMBERS 1 m{member} VIEW {view}")), expected);
            assert_eq!(applied, 1);
        }
    }
}

#[test]
fn a_list_does_what_its_scores_do_one_by_one() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let mut random = Random::new(seed() + 6);
    for (rules, view) in [
        ("VIEWS all", "all"),
        ("VIEWS day,all,day:3 RETAIN 2", "day"),
        ("VIEWS all,day,day:3 TIES LAST ORDER ASC", "day:3"),
        ("VIEWS all,day,day:3 AGGREGATE MAX", "day"),
        ("VIEWS day,day:2 AGGREGATE MIN ORDER ASC TIES LEX", "day:2"),
        ("VIEWS all,day:2,day AGGREGATE LAST", "all"),
        ("VIEWS week,all CARRY week=0.5", "week"),
    ] {
        twins(&mut con, &mut random, rules, view);
    }
}
