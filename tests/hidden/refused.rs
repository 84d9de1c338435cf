//! Tests of wrong arguments of LB.HIDE and LB.UNHIDE, and of the maximum number of hidden members on a board.

use leaderboard_testkit::digest;
use leaderboard_testkit::session::{play, say};

use super::plays;
use crate::arguments::Guarded;

#[test]
fn names_have_a_least_and_a_greatest_length() {
    let mut guarded = Guarded::start();
    for command in ["LB.HIDE", "LB.UNHIDE"] {
        for name in ["<0>", "<513>"] {
            guarded.refuses(&format!(
                "{command} KEY {name} => member must have 1 to 512 bytes
                 {command} KEY ann {name} => member must have 1 to 512 bytes
                 {command} KEY ann bob {name} cat => member must have 1 to 512 bytes"
            ));
        }
    }
    guarded.refuses(
        "LB.HIDE KEY => wrong number of arguments for 'LB.HIDE' command
         LB.UNHIDE KEY => wrong number of arguments for 'LB.UNHIDE' command
         LB.HIDDEN KEY ann => wrong number of arguments for 'LB.HIDDEN' command",
    );
    plays(
        "LB.ADD board 5 <512>
         LB.HIDE board <512> => 1
         LB.COUNT board => 0
         LB.UNHIDE board <512> => 1",
    );
}

#[test]
fn a_board_hides_a_thousand_members_and_no_more() {
    const ERROR: &str = "ERR a board can hide at most 1000 members";
    let mut guarded = Guarded::start();
    let names = |from: usize, to: usize| (from..to).map(|n| format!(" m{n}")).collect::<String>();
    guarded.refuses(&format!("LB.HIDE board{} => a board can hide at most 1000 members", names(0, 1_001)));
    let con = &mut guarded.con;
    play(con, &format!("LB.HIDE board{} => 999", names(0, 999)));
    let before = digest(con, "board");
    play(
        con,
        &format!(
            "LB.HIDE board new1 new2 => {ERROR}
             LB.HIDE board m5 new1 m6 new2 => {ERROR}"
        ),
    );
    assert_eq!(digest(con, "board"), before);
    play(
        con,
        &format!(
            "LB.HIDE board new1 m5 new1 => 1
             LB.HIDE board new2 => {ERROR}
             LB.HIDE board m5 m6 => 0
             LB.HIDE board{} => 0
             LB.UNHIDE board m5 => 1
             LB.HIDE board new2 => 1
             LB.REM board new2
             LB.HIDE board new3 => 1
             LB.HIDE board new4 => {ERROR}",
            names(0, 5)
        ),
    );
    let hidden = say(con, "LB.HIDDEN board");
    assert_eq!(hidden.split(' ').count(), 1_000);
}
