//! Tests of late writes: ended periods do not change, and a late write counts in all other periods that contain its
//! moment.

use super::plays;

#[test]
fn a_late_write_counts_wherever_its_moment_still_counts() {
    plays(
        r#"LB.CREATE board VIEWS day,week,day:3,all CLOCK EVENT RETAIN 3
           LB.MADD board AT @2019-03-18T10:00 5 ann 4 bob
           LB.MADD board AT @2019-03-20T10:00 1 ann 1 cat
           LB.ADD board 7 bob AT @2019-03-18T12:00 => [nil nil 1]
           LB.TOP board 9 => [[1 "ann" 1] [2 "cat" 1]]
           LB.TOP board 9 PERIOD 2019-03-18 => [[1 "ann" 5] [2 "bob" 4]]
           LB.TOP board 9 VIEW day:3 => [[1 "bob" 11] [2 "ann" 6] [3 "cat" 1]]
           LB.TOP board 9 VIEW day:3 PERIOD -1 => [[1 "ann" 5] [2 "bob" 4]]
           LB.TOP board 9 VIEW week => [[1 "bob" 11] [2 "ann" 6] [3 "cat" 1]]
           LB.TOP board 9 VIEW all => [[1 "bob" 11] [2 "ann" 6] [3 "cat" 1]]
           LB.ADD board 2 dan AT @2019-03-17T23:59:59.999 VIEW day:3 => [nil nil 1]
           LB.TOP board 9 VIEW all OFFSET 2 => [[3 "dan" 2] [4 "cat" 1]]
           LB.COUNT board VIEW week => 3
           LB.ADD board 3 dan AT @2019-03-19 VIEW day:3 WITHCHANGE => [3 3 1 nil nil]
           LB.ADD board 0 eve AT @2019-03-19 VIEW week => [0 5 1]
           LB.ADD board 0 ann AT @2019-03-21 VIEW day:3 => [1 2 1]
           LB.TOP board 9 VIEW day:3 => [[1 "dan" 3] [2 "ann" 1] [3 "cat" 1] [4 "eve" 0]]"#,
    );
}

#[test]
fn a_late_write_moves_what_was_carried() {
    plays(
        r#"LB.CREATE board VIEWS week,all CLOCK EVENT CARRY week=0.5 RETAIN 2
           LB.MADD board AT @2019-03-18 5 ann 1 bob
           LB.ADD board 1 cat AT @2019-03-25
           LB.TOP board 9 => [[1 "ann" 2] [2 "cat" 1]]
           LB.ADD board 1 ann AT @2019-03-18T10:00 => [3 1 1]
           LB.ADD board 1 ann AT @2019-03-18T10:00 => [3 1 1]
           LB.ADD board 1 bob AT @2019-03-18T10:00 => [1 2 1]
           LB.ADD board 1 dan AT @2019-03-24 => [nil nil 1]
           LB.ADD board -2 bob AT @2019-03-24 => [nil nil 1]
           LB.TOP board 9 => [[1 "ann" 3] [2 "cat" 1]]
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 5] [2 "bob" 1]]
           LB.ADD board -9 cat AT @2019-03-24 => [-4 2 1]
           LB.ADD board 9 cat AT @2019-03-24 => [1 2 1]
           LB.ADD board 100 ann AT @2019-03-17 => [3 1 1]
           LB.ADD board 0 cat AT @2019-04-01
           LB.TOP board 9 => [[1 "cat" 0]]
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 3] [2 "cat" 1]]
           LB.TOP board 9 VIEW all => [[1 "ann" 107] [2 "dan" 1] [3 "cat" 1] [4 "bob" 0]]"#,
    );
}

#[test]
fn a_late_write_to_the_best_counts_in_its_own_period() {
    plays(
        r#"LB.CREATE board VIEWS day:2,day,all CLOCK EVENT AGGREGATE MAX
           LB.ADD board 5 ann AT @2019-03-18
           LB.ADD board 3 ann AT @2019-03-19
           LB.ADD board 9 ann AT @2019-03-18T10:00 => [9 1 1]
           LB.ADD board 99 ann AT @2019-03-17T10:00 => [9 1 1]
           LB.SCORE board ann VIEW day => 3
           LB.SCORE board ann VIEW all => 99
           LB.SCORE board ann VIEW day PERIOD -1 => 5
           LB.ADD board 1 bob AT @2019-03-20
           LB.TOP board 9 => [[1 "ann" 3] [2 "bob" 1]]"#,
    );
}

#[test]
fn a_score_is_set_in_the_current_period_and_all_views_move_by_the_difference() {
    plays(
        r#"LB.CREATE board VIEWS all,day,day:2 CLOCK EVENT
           LB.ADD board 10 ann AT @2019-03-18
           LB.SET board 4 ann VIEW day AT @2019-03-19 => [4 1 1]
           LB.MSCORE board MEMBERS 1 ann => [[1 14]]
           LB.SET board 1 ann VIEW day AT @2019-03-19 WITHCHANGE => [1 1 1 4 1]
           LB.SCORE board ann => 11
           LB.SCORE board ann VIEW day:2 => 11
           LB.SET board 20 ann AT @2019-03-19 => [20 1 1]
           LB.SCORE board ann VIEW day => 10
           LB.SET board 0 ann VIEW day:2 AT @2019-03-20 => [0 1 1]
           LB.SCORE board ann VIEW day => -10
           LB.SCORE board ann VIEW all => 10
           LB.SET board 5 bob NX VIEW day AT @2019-03-20 => [5 1 1]
           LB.SET board 6 bob NX VIEW day AT @2019-03-20 => [5 1 0]
           LB.SET board 3 bob GT VIEW day AT @2019-03-20 => [5 1 0]
           LB.SET board 7 ann XX VIEW day AT @2019-03-21 => [-10 2 0]
           LB.SET board 1 bob NX VIEW day AT @2019-03-21 => [1 1 1]
           LB.SCORE board bob => 6
           LB.TOP board 9 VIEW day PERIOD -1 => [[1 "bob" 5] [2 "ann" -10]]"#,
    );
}

#[test]
fn a_score_that_is_set_where_the_best_counts_is_written_to_every_view() {
    plays(
        r#"LB.CREATE board VIEWS all,day,day:3 CLOCK EVENT AGGREGATE MAX RETAIN 3
           LB.ADD board 9 ann AT @2019-03-18
           LB.ADD board 5 ann AT @2019-03-19
           LB.SET board 2 ann AT @2019-03-19T10:00 => [2 1 1]
           LB.SCORE board ann VIEW day => 2
           LB.SCORE board ann VIEW day:3 => 2
           LB.SCORE board ann VIEW day PERIOD -1 => 9
           LB.ADD board 1 bob AT @2019-03-20 => [1 2 1]
           LB.SCORE board ann VIEW day:3 => 2
           LB.SET board 3 ann GT VIEW day AT @2019-03-20 => [3 1 1]
           LB.SET board 3 ann GT VIEW day:3 AT @2019-03-20 => [3 1 0]
           LB.ADD board 0 bob AT @2019-03-22
           LB.TOP board 9 VIEW day:3 => [[1 "ann" 3] [2 "bob" 1]]"#,
    );
}

#[test]
fn many_points_at_once_count_in_every_view_or_in_none() {
    plays(
        r#"LB.CREATE board VIEWS day,day:2,all CLOCK EVENT
           LB.MADD board AT @2019-03-18 VIEW all 5 ann 9223372036854775807 bob 2 ann => [[7 2 1] [9223372036854775807 1 1] [7 2 1]]
           LB.MADD board AT @2019-03-19 VIEW day 1 cat 1 bob => ERR the score would be out of range
           LB.COUNT board => 2
           LB.MADD board AT @2019-03-20 1 cat 1 bob => ERR the score would be out of range
           LB.COUNT board => 2
           LB.MADD board AT @2019-03-19 VIEW day:2 ID one 1 cat -1 bob 1 ann => [[1 3 1] [9223372036854775806 1 1] [8 2 1]]
           LB.MADD board AT @2019-03-19 VIEW day ID one 1 cat -1 bob 1 ann => [[1 1 0] [-1 3 0] [1 2 0]]
           LB.MADD board AT @2019-03-18 1 cat 1 dan => [[1 1 1] [nil nil 1]]
           LB.TOP board 9 VIEW day:2 OFFSET 1 => [[2 "ann" 8] [3 "cat" 2] [4 "dan" 1]]
           LB.ADD below -10 ann
           LB.MADD below 9223372036854775807 ann 5 ann => [[9223372036854775802 1 1] [9223372036854775802 1 1]]"#,
    );
}
