//! `KEEP` beside LB.HIDE: who takes a place, what LB.UNHIDE cuts, and whose texts stay.

use super::plays;

#[test]
fn hidden_members_take_no_place_and_unhide_cuts_current_periods_alone() {
    plays(
        r#"LB.CREATE board VIEWS 10s,all CLOCK EVENT KEEP 2 RETAIN 2
           LB.MADD board AT 1000 9 ann 8 bob
           LB.HIDE board ann => 1
           LB.ADD board 7 cat AT 2000 => [7 2 1]
           LB.ADD board 6 dan AT 3000 => [nil nil 1]
           LB.ADD board 1 eve AT 12000 => [1 1 1]
           LB.TOP board 9 PERIOD -1 => [[1 "bob" 8] [2 "cat" 7]]
           LB.UNHIDE board ann => 1
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 9] [2 "bob" 8] [3 "cat" 7]]
           LB.TOP board 9 VIEW all => [[1 "ann" 9] [2 "bob" 8]]
           LB.SCORE board cat VIEW all => nil"#,
    );
}

#[test]
fn a_hidden_member_falls_out_by_its_own_write_only() {
    plays(
        r#"LB.CREATE board CLOCK EVENT KEEP 1
           LB.ADD board 5 ann AT 1
           LB.HIDE board ann => 1
           LB.ADD board 9 bob AT 2 => [9 1 1]
           LB.SCORE board ann => 5
           LB.ADD board 1 ann AT 3 => [nil nil 1]
           LB.SCORE board ann => nil"#,
    );
}

#[test]
fn a_hidden_member_keeps_its_text_and_who_falls_out_by_unhide_does_not() {
    plays(
        r#"LB.CREATE board CLOCK EVENT KEEP 1
           LB.ADD board 5 ann AT 1 META first
           LB.ADD board 4 bob AT 1 META second => [nil nil 1]
           LB.MGETMETA board MEMBERS 2 ann bob => ["first" nil]
           LB.HIDE board ann cat => 2
           LB.ADD board 9 dan AT 2 => [9 1 1]
           LB.ADD board 1 cat AT 3 META third => [nil nil 1]
           LB.MGETMETA board MEMBERS 2 ann cat => ["first" "third"]
           LB.UNHIDE board ann cat => 2
           LB.MGETMETA board MEMBERS 2 ann cat => [nil "third"]
           LB.REM board cat => 1
           LB.GETMETA board cat => nil"#,
    );
}
