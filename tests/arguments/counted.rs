//! Tests of refused commands with a counted list of members, and of the options for lines above and below a member.

use leaderboard_testkit::session::{play, say};

use super::Guarded;

/// Commands that need MEMBERS.
const COMMANDS: [&str; 4] = ["LB.MSCORE", "LB.MSTANDING", "LB.AMONG", "LB.MGETMETA"];

#[test]
fn a_counted_list_is_needed() {
    let mut guarded = Guarded::start();
    for command in COMMANDS {
        guarded.refuses(&format!("{command} KEY => MEMBERS is needed"));
    }
    for command in &COMMANDS[..3] {
        guarded.refuses(&format!(
            "{command} KEY VIEW all => MEMBERS is needed
             {command} KEY RANKS DENSE WITHMETA REV => MEMBERS is needed
             {command} KEY ann => unknown option 'ann'
             {command} KEY VIEW all ann bob => unknown option 'ann'"
        ));
    }
    guarded.refuses("LB.MGETMETA KEY ann bob => unknown option 'ann'");
}

#[test]
fn a_list_has_as_many_members_as_it_says() {
    let mut guarded = Guarded::start();
    for command in COMMANDS {
        for count in ["0", "-1", "9223372036854775808", "-9223372036854775808"] {
            guarded.refuses(&format!("{command} KEY MEMBERS {count} ann => MEMBERS is out of range"));
        }
        for count in ["ann", "1.5", "<0>", "1e0", "inf", "\\xff"] {
            guarded.refuses(&format!("{command} KEY MEMBERS {count} ann => MEMBERS is not a whole number"));
        }
        guarded.refuses(&format!(
            "{command} KEY MEMBERS => option MEMBERS needs a value
             {command} KEY MEMBERS 1 => the list of members is incomplete
             {command} KEY MEMBERS 3 ann bob => the list of members is incomplete
             {command} KEY MEMBERS 9223372036854775807 ann bob => the list of members is incomplete
             {command} KEY MEMBERS 1 ann bob => unknown option 'bob'
             {command} KEY MEMBERS 1 ann MEMBERS 1 bob => option MEMBERS is given twice
             {command} KEY members 1 ann Members => option MEMBERS is given twice
             {command} KEY MEMBERS 2 ann <0> => member must have 1 to 512 bytes
             {command} KEY MEMBERS 3 ann <513> => member must have 1 to 512 bytes"
        ));
    }
}

#[test]
fn errors_behind_a_list_are_found_as_before_it() {
    let mut guarded = Guarded::start();
    for command in &COMMANDS[..3] {
        guarded.refuses(&format!(
            "{command} KEY MEMBERS 1 ann FOO => unknown option 'FOO'
             {command} KEY MEMBERS 1 ann VIEW all RANKS => option RANKS needs a value
             {command} KEY REV MEMBERS 1 ann REV => option REV is given twice
             {command} KEY MEMBERS 1 ann PERIOD 0 AT 5 => options PERIOD and AT exclude each other
             {command} KEY RANKS ODD MEMBERS 1 ann => RANKS must be one of ORDINAL, COMPETITION, DENSE
             {command} board MEMBERS 1 ann VIEW day => VIEW 'day' is not a view of this board"
        ));
    }
}

#[test]
fn around_takes_one_number_or_two() {
    let mut guarded = Guarded::start();
    for number in ["x", "1.5", "<0>", "1e3"] {
        guarded.refuses(&format!(
            "LB.AROUND KEY ann ABOVE {number} => ABOVE is not a whole number
             LB.AROUND KEY ann ABOVE 1 BELOW {number} => BELOW is not a whole number
             LB.AROUND KEY ann {number} => count is not a whole number"
        ));
    }
    for number in ["-1", "9223372036854775808"] {
        guarded.refuses(&format!(
            "LB.AROUND KEY ann ABOVE {number} => ABOVE is out of range
             LB.AROUND KEY ann BELOW {number} FILL => BELOW is out of range
             LB.AROUND KEY ann {number} => count is out of range"
        ));
    }
    guarded.refuses(
        "LB.AROUND KEY ann ABOVE => option ABOVE needs a value
         LB.AROUND KEY ann ABOVE 1 BELOW => option BELOW needs a value
         LB.AROUND KEY ann ABOVE 1 ABOVE 1 => option ABOVE is given twice
         LB.AROUND KEY ann 5 FILL FILL => option FILL is given twice
         LB.AROUND KEY ann 5 ABOVE 1 => options count and ABOVE exclude each other
         LB.AROUND KEY ann 5 BELOW 1 => options count and BELOW exclude each other
         LB.AROUND KEY ann 5 BELOW 1 ABOVE 1 FILL => options count and ABOVE exclude each other
         LB.AROUND KEY ann ABOVE 1 5 => unknown option '5'
         LB.AROUND KEY ann => count is needed
         LB.AROUND KEY ann FILL => count is needed
         LB.AROUND KEY ann REV WITHMETA => count is needed
         LB.AROUND KEY ann 5 OFFSET 5 => unknown option 'OFFSET'",
    );
}

#[test]
fn ranks_to_remove_are_ranks() {
    let mut guarded = Guarded::start();
    let zero = "must be a rank: 1 is the top, negative ranks count from the end";
    guarded.refuses(&format!(
        "LB.REMRANGE KEY 0 5 => first {zero}
         LB.REMRANGE KEY 1 -0 => last {zero}
         LB.REMRANGE KEY x 5 => first is not a whole number
         LB.REMRANGE KEY 1 1.5 => last is not a whole number
         LB.REMRANGE KEY 1 9223372036854775808 => last is out of range
         LB.REMRANGE KEY 1 5 VIEW => wrong number of arguments for 'LB.REMRANGE' command
         LB.REMRANGEBYSCORE KEY 1 5 VIEW all => unknown option 'VIEW'"
    ));
    play(&mut guarded.con, "LB.REMRANGE board -5 5 => 1");
    assert_eq!(say(&mut guarded.con, "LB.COUNT board"), "0");
}
