//! Each view keeps its best, and ended periods keep what they had.

use super::plays;

#[test]
fn a_member_may_be_out_of_one_view_and_in_another() {
    plays(
        r#"LB.CREATE board VIEWS all,10s CLOCK EVENT KEEP 2 RETAIN 2
           LB.MADD board AT 5000 9 ann 8 bob 7 cat => [[9 1 1] [8 2 1] [nil nil 1]]
           LB.SCORE board cat VIEW 10s => nil
           LB.ADD board 1 dan AT 15000 META text => [nil nil 1]
           LB.RANK board dan VIEW 10s => 1
           LB.GETMETA board dan => "text"
           LB.ADD board 7 dan AT 16000 => [nil nil 1]
           LB.SCORE board dan VIEW 10s => 8
           LB.ADD board 10 dan AT 17000 => [10 1 1]
           LB.SCORE board dan VIEW 10s => 18
           LB.TOP board 9 => [[1 "dan" 10] [2 "ann" 9]]
           LB.TOP board 9 VIEW 10s => [[1 "dan" 18]]
           LB.TOP board 9 VIEW 10s PERIOD -1 => [[1 "ann" 9] [2 "bob" 8]]"#,
    );
}

#[test]
fn a_reply_is_that_of_the_view_that_is_named() {
    plays(
        r#"LB.CREATE board VIEWS all,10s CLOCK EVENT KEEP 1
           LB.ADD board 9 ann AT 5000
           LB.ADD board 3 bob AT 15000 VIEW 10s WITHCHANGE => [3 1 1 nil nil]
           LB.ADD board 4 bob AT 15000 VIEW all WITHCHANGE => [nil nil 1 nil nil]
           LB.MADD board AT 15000 VIEW 10s 1 bob 2 cat => [[8 1 1] [nil nil 1]]"#,
    );
}

#[test]
fn who_is_in_an_ended_period_is_not_forgotten() {
    plays(
        r#"LB.CREATE board VIEWS all,10s CLOCK EVENT KEEP 2 RETAIN 2
           LB.ADD board 9 ann AT 5000 META first
           LB.ADD board 8 bob AT 5000 META second
           LB.ADD board 7 cat AT 5000 META third => [nil nil 1]
           LB.ADD board 20 dan AT 15000 => [20 1 1]
           LB.RANK board bob => nil
           LB.MGETMETA board MEMBERS 3 ann bob cat => ["first" "second" nil]
           LB.TOP board 9 VIEW 10s PERIOD -1 WITHMETA => [[1 "ann" 9 "first"] [2 "bob" 8 "second"]]
           LB.ADD board 30 eve AT 25000 => [30 1 1]
           LB.RANK board ann => nil
           LB.TOP board 9 VIEW 10s PERIOD -2 WITHMETA => [[1 "ann" 9 "first"] [2 "bob" 8 "second"]]
           LB.PERIODS board 10s => [["20000" 20000 30000 1] ["10000" 10000 20000 1] ["0" 0 10000 2]]"#,
    );
}

#[test]
fn an_ended_period_has_its_best_and_a_late_write_changes_nothing_of_it() {
    plays(
        r#"LB.CREATE board VIEWS 10s,all CLOCK EVENT KEEP 2 RETAIN 3
           LB.MADD board AT 5000 9 ann 8 bob 7 cat 6 dan
           LB.ADD board 1 ann AT 15000
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 9] [2 "bob" 8]]
           LB.ADD board 50 cat AT 6000 => [nil nil 1]
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 9] [2 "bob" 8]]
           LB.TOP board 9 VIEW all => [[1 "cat" 50] [2 "ann" 10]]
           LB.RANK board cat => nil"#,
    );
}

#[test]
fn a_board_without_long_periods_forgets_with_the_last_view() {
    plays(
        r#"LB.CREATE board VIEWS 10s CLOCK EVENT KEEP 1 RETAIN 0
           LB.ADD board 5 ann AT 5000 META text
           LB.ADD board 6 bob AT 5000 => [6 1 1]
           LB.GETMETA board ann => nil
           LB.ADD board 1 ann AT 15000 => [1 1 1]
           LB.TOP board 9 => [[1 "ann" 1]]"#,
    );
}

#[test]
fn best_and_last_scores_are_kept_as_well() {
    plays(
        r#"LB.CREATE max AGGREGATE MAX KEEP 2
           LB.MADD max 5 ann 4 bob
           LB.ADD max 3 bob => [4 2 1]
           LB.ADD max 3 cat => [nil nil 1]
           LB.ADD max 6 cat => [6 1 1]
           LB.ADD max 4 bob => [nil nil 1]
           LB.SET max 1 cat => [1 2 1]
           LB.ADD max 2 bob => [2 2 1]
           LB.TOP max 9 => [[1 "ann" 5] [2 "bob" 2]]
           LB.CREATE last AGGREGATE LAST CLOCK EVENT KEEP 2
           LB.MADD last AT 1000 5 ann 4 bob
           LB.ADD last 6 cat AT 2000 => [6 1 1]
           LB.ADD last 7 bob AT 500 => [7 1 1]
           LB.TOP last 9 => [[1 "bob" 7] [2 "cat" 6]]"#,
    );
}
