//! `KEEP` with LB.CREATE, LB.ALTER and LB.INFO, and what it cannot stand beside.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, digest};

use super::plays;
use crate::arguments::Guarded;

#[test]
fn a_board_is_made_smaller_at_once() {
    plays(
        r#"LB.CREATE board VIEWS all,10s CLOCK EVENT RETAIN 2
           LB.MADD board AT 5000 9 ann 8 bob 7 cat 6 dan
           LB.MADD board AT 15000 1 ann 2 bob 3 cat
           LB.SETMETA board dan text
           LB.ALTER board KEEP 2 => OK
           LB.TOP board 9 => [[1 "ann" 10] [2 "bob" 10]]
           LB.TOP board 9 VIEW 10s => [[1 "cat" 3] [2 "bob" 2]]
           LB.TOP board 9 VIEW 10s PERIOD -1 => [[1 "ann" 9] [2 "bob" 8] [3 "cat" 7] [4 "dan" 6]]
           LB.GETMETA board dan => "text"
           LB.ADD board 5 eve AT 16000 => [nil nil 1]
           LB.ALTER board KEEP 0 => OK
           LB.ADD board 5 eve AT 16000 => [5 3 1]
           LB.ALTER board KEEP 1 RETAIN 0 => OK
           LB.TOP board 9 => [[1 "ann" 10]]
           LB.ALTER board KEEP 4294967295 => OK
           LB.COUNT board => 1"#,
    );
}

#[test]
fn rules_of_a_source_are_not_those_of_a_union() {
    plays(
        r#"LB.CREATE one KEEP 2
           LB.MADD one 9 ann 8 bob
           LB.MADD two 1 cat 2 dan
           LB.UNION sum 2 one two => 4
           LB.COUNT sum => 4
           LB.UNION one 2 one two => 4
           LB.ADD one 1 eve => [1 5 1]"#,
    );
}

#[test]
fn who_falls_out_at_once_is_forgotten() {
    plays(
        r#"LB.MADD board AT 1 9 ann 8 bob 7 cat 6 dan
           LB.SETMETA board dan text
           LB.SETMETA board only text
           LB.HIDE board cat
           LB.ALTER board KEEP 1 => OK
           LB.GETMETA board dan => nil
           LB.TOP board 9 => [[1 "ann" 9]]
           LB.SCORE board cat => 7
           LB.RANK board cat => 2
           LB.HIDDEN board => ["cat"]"#,
    );
}

#[test]
fn info_tells_how_many_are_kept() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let mut keeps = |line: &str, expected: &str| {
        play(&mut con, line);
        let info = say(&mut con, "LB.INFO board");
        assert!(info.contains(&format!("\"keep\" {expected} ")), "{line}: {info}");
    };
    keeps("LB.CREATE board", "0");
    keeps("LB.ALTER board KEEP 7", "7");
    keeps("LB.ALTER board DEDUP 5", "7");
    keeps("LB.ALTER board KEEP 4294967295", "4294967295");
    keeps("LB.ALTER board KEEP 0", "0");
    keeps("FLUSHALL\nLB.CREATE board keep 3", "3");
}

#[test]
fn numbers_to_keep_have_a_range() {
    let mut guarded = Guarded::start();
    for command in ["LB.CREATE absent", "LB.ALTER board", "LB.ALTER absent"] {
        for keep in ["x", "1.5", "<0>", "inf", "1e3"] {
            guarded.refuses(&format!("{command} KEEP {keep} => KEEP is not a whole number"));
        }
        for keep in ["-1", "4294967296", "9223372036854775808"] {
            guarded.refuses(&format!("{command} KEEP {keep} => KEEP is out of range"));
        }
        guarded.refuses(&format!("{command} KEEP => option KEEP needs a value"));
        guarded.refuses(&format!("{command} KEEP 5 KEEP 5 => option KEEP is given twice"));
    }
}

#[test]
fn windows_and_shares_cannot_keep_their_best() {
    let mut guarded = Guarded::start();
    let error = |view| format!("KEEP cannot keep the best of view '{view}': it is rolling or carries over");
    let (rolling, carrying) = (error("day:7"), error("week"));
    guarded.refuses(&format!(
        "LB.CREATE absent VIEWS all,day:7 KEEP 5 => {rolling}
         LB.CREATE absent KEEP 5 VIEWS day:7 => {rolling}
         LB.CREATE absent VIEWS all,week CARRY week=0.5 KEEP 5 => {carrying}
         LB.CREATE absent KEEP 5 SHOWN => KEEP is not possible with SHOWN"
    ));
    play(
        &mut guarded.con,
        "LB.CREATE rolling VIEWS all,day:7
         LB.ADD rolling 5 ann
         LB.CREATE carrying VIEWS all,week CARRY week=0.5
         LB.ADD carrying 5 ann
         LB.CREATE keeping VIEWS all,week KEEP 5
         LB.ADD keeping 5 ann
         LB.CREATE shown SHOWN
         LB.OPTION shown ann WEIGHT 5",
    );
    let keys = ["rolling", "carrying", "keeping", "shown"];
    let before = keys.map(|key| digest(&mut guarded.con, key));
    play(
        &mut guarded.con,
        &format!(
            "LB.ALTER rolling KEEP 5 => ERR {rolling}
             LB.ALTER carrying KEEP 5 => ERR {carrying}
             LB.ALTER keeping VIEWS +day:7 => ERR {rolling}
             LB.ALTER keeping CARRY week=0.5 => ERR {carrying}
             LB.ALTER keeping VIEWS +day:7 KEEP 3 => ERR {rolling}"
        ),
    );
    let refused = say(&mut guarded.con, "LB.ALTER shown KEEP 5");
    assert!(refused.starts_with("ERR ") && refused.contains("SHOWN"), "{refused}");
    assert_eq!(keys.map(|key| digest(&mut guarded.con, key)), before);
    play(
        &mut guarded.con,
        "LB.ALTER rolling KEEP 5 VIEWS -day:7 => OK
         LB.ALTER carrying CARRY week=0 KEEP 5 => OK
         LB.ALTER keeping KEEP 0 VIEWS +day:7 CARRY week=0.5 => OK
         LB.ALTER shown KEEP 0 => OK
         LB.CREATE zero SHOWN KEEP 0 => OK
         LB.ROLLADD rolling 5 ann => ERR WINDOW is needed: the board has no rolling view",
    );
}
