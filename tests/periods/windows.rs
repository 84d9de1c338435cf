//! Tests of rolling views and of carried shares.

use super::plays;

#[test]
fn a_window_moves_on_at_each_midnight_and_members_with_nothing_left_leave() {
    plays(
        r#"LB.CREATE board VIEWS day:7 CLOCK EVENT RETAIN 7
           LB.ADD board 10 ann AT @2019-03-18T10:00 => [10 1 1]
           LB.ADD board 6 bob AT @2019-03-19T10:00 => [6 2 1]
           LB.ADD board 3 ann AT @2019-03-20T10:00 => [13 1 1]
           LB.ADD board 1 cat AT @2019-03-24T23:59:59.999 => [1 3 1]
           LB.TOP board 9 => [[1 "ann" 13] [2 "bob" 6] [3 "cat" 1]]
           LB.ADD board 0 cat AT @2019-03-25 => [1 3 1]
           LB.TOP board 9 => [[1 "bob" 6] [2 "ann" 3] [3 "cat" 1]]
           LB.ADD board 0 cat AT @2019-03-26 => [1 2 1]
           LB.TOP board 9 => [[1 "ann" 3] [2 "cat" 1]]
           LB.ADD board 0 dan AT @2019-03-27 => [0 2 1]
           LB.TOP board 9 => [[1 "cat" 1] [2 "dan" 0]]
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 3] [2 "cat" 1]]
           LB.TOP board 9 PERIOD -2 => [[1 "bob" 6] [2 "ann" 3] [3 "cat" 1]]
           LB.TOP board 9 PERIOD 2019-03-24 => [[1 "ann" 13] [2 "bob" 6] [3 "cat" 1]]
           LB.TOP board 9 PERIOD 2019-03-23 => [[1 "ann" 13] [2 "bob" 6]]
           LB.TOP board 9 PERIOD 2019-03-20 => [[1 "ann" 13] [2 "bob" 6]]"#,
    );
}

#[test]
fn zero_points_keep_a_member_in_the_window_while_their_day_is_in_it() {
    plays(
        r#"LB.CREATE board VIEWS day:2 CLOCK EVENT
           LB.ADD board 5 ann AT @2019-03-18
           LB.ADD board 0 ann AT @2019-03-19
           LB.ADD board 1 bob AT @2019-03-20
           LB.TOP board 9 => [[1 "bob" 1] [2 "ann" 0]]
           LB.ADD board 1 bob AT @2019-03-21
           LB.TOP board 9 => [[1 "bob" 2]]
           LB.ADD board 5 cat AT @2019-03-21
           LB.ADD board -5 cat AT @2019-03-21
           LB.ADD board 0 bob AT @2019-03-22
           LB.TOP board 9 => [[1 "bob" 1] [2 "cat" 0]]"#,
    );
}

#[test]
fn equals_of_one_millisecond_keep_their_order_over_boundaries() {
    plays(
        r#"LB.CREATE board VIEWS day:3 CLOCK EVENT RETAIN 3
           LB.CREATE last VIEWS day:3 CLOCK EVENT TIES LAST
           LB.CREATE lex VIEWS day:3 CLOCK EVENT TIES LEX
           LB.MADD board AT @2019-03-18 9 dan 8 bob
           LB.MADD last AT @2019-03-18 9 dan 8 bob
           LB.MADD lex AT @2019-03-18 9 dan 8 bob
           LB.MADD board AT @2019-03-19 5 cat 5 ann 5 dan 5 bob 5 eve
           LB.MADD last AT @2019-03-19 5 cat 5 ann 5 dan 5 bob 5 eve
           LB.MADD lex AT @2019-03-19 5 cat 5 ann 5 dan 5 bob 5 eve
           LB.MADD board AT @2019-03-20T10:00 2 ann 3 cat
           LB.TOP board 9 => [[1 "dan" 14] [2 "bob" 13] [3 "cat" 8] [4 "ann" 7] [5 "eve" 5]]
           LB.ADD board 0 eve AT @2019-03-21 => [5 5 1]
           LB.ADD last 0 eve AT @2019-03-21 => [5 1 1]
           LB.ADD lex 0 eve AT @2019-03-21 => [5 5 1]
           LB.TOP board 9 => [[1 "cat" 8] [2 "ann" 7] [3 "dan" 5] [4 "bob" 5] [5 "eve" 5]]
           LB.TOP last 9 => [[1 "eve" 5] [2 "bob" 5] [3 "dan" 5] [4 "ann" 5] [5 "cat" 5]]
           LB.TOP lex 9 => [[1 "ann" 5] [2 "bob" 5] [3 "cat" 5] [4 "dan" 5] [5 "eve" 5]]
           LB.TOP board 9 PERIOD -2 => [[1 "dan" 14] [2 "bob" 13] [3 "cat" 5] [4 "ann" 5] [5 "eve" 5]]
           LB.ADD board 0 zoe AT @2019-03-22
           LB.TOP board 9 => [[1 "cat" 3] [2 "ann" 2] [3 "eve" 0] [4 "zoe" 0]]"#,
    );
}

#[test]
fn an_earlier_moment_wins_whatever_the_boundary_leaves_of_a_score() {
    plays(
        r#"LB.CREATE board VIEWS day:2 CLOCK EVENT
           LB.ADD board 9 ann AT @2019-03-18
           LB.ADD board 2 bob AT @2019-03-19T10:00
           LB.ADD board 2 ann AT @2019-03-19T09:00
           LB.ADD board 1 cat AT @2019-03-19T08:00
           LB.ADD board 1 cat AT @2019-03-19T11:00
           LB.ADD board 2 dan AT @2019-03-20
           LB.TOP board 9 => [[1 "ann" 2] [2 "bob" 2] [3 "cat" 2] [4 "dan" 2]]"#,
    );
}

#[test]
fn the_best_of_a_window_gives_way_to_the_next_best() {
    plays(
        r#"LB.CREATE max VIEWS day:3,all CLOCK EVENT AGGREGATE MAX RETAIN 3
           LB.ADD max 9 ann AT @2019-03-18T10:00 => [9 1 1]
           LB.ADD max 7 ann AT @2019-03-19T10:00 => [9 1 1]
           LB.ADD max 7 bob AT @2019-03-19T09:00 => [7 2 1]
           LB.ADD max 8 ann AT @2019-03-19T11:00 => [9 1 1]
           LB.ADD max 3 ann AT @2019-03-20 => [9 1 1]
           LB.ADD max 8 cat AT @2019-03-20 => [8 2 1]
           LB.ADD max 1 bob AT @2019-03-21 => [7 3 1]
           LB.TOP max 9 => [[1 "ann" 8] [2 "cat" 8] [3 "bob" 7]]
           LB.TOP max 9 PERIOD -1 => [[1 "ann" 9] [2 "cat" 8] [3 "bob" 7]]
           LB.ADD max 0 dan AT @2019-03-22 => [0 4 1]
           LB.TOP max 9 => [[1 "cat" 8] [2 "ann" 3] [3 "bob" 1] [4 "dan" 0]]
           LB.TOP max 9 VIEW all => [[1 "ann" 9] [2 "cat" 8] [3 "bob" 7] [4 "dan" 0]]
           LB.CREATE min VIEWS day:2 CLOCK EVENT AGGREGATE MIN ORDER ASC
           LB.ADD min 3 ann AT @2019-03-18 => [3 1 1]
           LB.ADD min 5 ann AT @2019-03-19 => [3 1 1]
           LB.ADD min 4 bob AT @2019-03-19 => [4 2 1]
           LB.ADD min 9 bob AT @2019-03-20 => [4 1 1]
           LB.TOP min 9 => [[1 "bob" 4] [2 "ann" 5]]
           LB.ADD min 8 cat AT @2019-03-21 => [8 1 1]
           LB.TOP min 9 => [[1 "cat" 8] [2 "bob" 9]]"#,
    );
}

#[test]
fn the_last_of_a_window_is_the_latest_event_in_it() {
    plays(
        r#"LB.CREATE board VIEWS day:3,day CLOCK EVENT AGGREGATE LAST RETAIN 3
           LB.ADD board 9 ann AT @2019-03-18T10:00 => [9 1 1]
           LB.ADD board 4 bob AT @2019-03-18T10:00 => [4 2 1]
           LB.ADD board 2 ann AT @2019-03-19T10:00 => [2 2 1]
           LB.ADD board 8 ann AT @2019-03-19T09:00 => [2 2 1]
           LB.ADD board 4 bob AT @2019-03-20T10:00 => [4 1 1]
           LB.TOP board 9 => [[1 "bob" 4] [2 "ann" 2]]
           LB.TOP board 9 VIEW day => [[1 "bob" 4]]
           LB.ADD board 1 cat AT @2019-03-21 => [1 3 1]
           LB.TOP board 9 => [[1 "bob" 4] [2 "ann" 2] [3 "cat" 1]]
           LB.ADD board 1 cat AT @2019-03-22 => [1 2 1]
           LB.TOP board 9 => [[1 "bob" 4] [2 "cat" 1]]
           LB.ADD board 1 cat AT @2019-03-23 => [1 1 1]
           LB.TOP board 9 => [[1 "cat" 1]]
           LB.TOP board 9 PERIOD -1 => [[1 "bob" 4] [2 "cat" 1]]"#,
    );
}

#[test]
fn a_share_of_the_last_period_is_carried_over_once() {
    plays(
        r#"LB.CREATE board VIEWS week,all CLOCK EVENT CARRY week=0.2 RETAIN 3
           LB.MADD board AT @2019-03-18 10 ann 14 bob 4 cat -7 dan -1 eve 0 fay
           LB.ADD board 0 gus AT @2019-03-25 => [0 3 1]
           LB.TOP board 9 => [[1 "ann" 2] [2 "bob" 2] [3 "gus" 0] [4 "eve" -1] [5 "dan" -2]]
           LB.ADD board 10 ann AT @2019-03-25 => [12 1 1]
           LB.ADD board 3 cat AT @2019-03-25 => [3 2 1]
           LB.TOP board 9 PERIOD -1 => [[1 "bob" 14] [2 "ann" 10] [3 "cat" 4] [4 "fay" 0] [5 "eve" -1] [6 "dan" -7]]
           LB.ADD board 1 hal AT @2019-04-01 => [1 2 1]
           LB.TOP board 9 => [[1 "ann" 2] [2 "hal" 1]]
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 12] [2 "cat" 3] [3 "bob" 2] [4 "gus" 0] [5 "eve" -1] [6 "dan" -2]]
           LB.ADD board 0 hal AT @2019-04-22 => [0 1 1]
           LB.TOP board 9 => [[1 "hal" 0]]
           LB.TOP board 9 PERIOD -1 => []
           LB.TOP board 9 PERIOD -2 => []
           LB.TOP board 9 PERIOD -3 => [[1 "ann" 2] [2 "hal" 1]]
           LB.TOP board 9 VIEW all => [[1 "ann" 20] [2 "bob" 14] [3 "cat" 7] [4 "hal" 1] [5 "fay" 0] [6 "gus" 0] [7 "eve" -1] [8 "dan" -7]]"#,
    );
}

#[test]
fn what_is_carried_is_kept_of_weeks_that_nobody_played() {
    plays(
        r#"LB.CREATE board VIEWS week CLOCK EVENT CARRY week=0.5 RETAIN 3 DECIMALS 1
           LB.MADD board AT @2019-03-18 1.1 ann 0.1 bob -0.1 cat
           LB.ADD board 0 dan AT @2019-04-08
           LB.TOP board 9 => [[1 "dan" "0"]]
           LB.TOP board 9 PERIOD -1 => []
           LB.TOP board 9 PERIOD -2 => [[1 "ann" "0.5"] [2 "cat" "-0.1"]]
           LB.TOP board 9 PERIOD 2019-W12 => [[1 "ann" "1.1"] [2 "bob" "0.1"] [3 "cat" "-0.1"]]"#,
    );
}

#[test]
fn all_of_a_period_may_be_carried_over_but_not_on() {
    plays(
        r#"LB.CREATE board VIEWS 10s CLOCK EVENT CARRY 10S=1 ORDER ASC
           LB.ADD board 9223372036854775807 ann AT 5000
           LB.ADD board -9223372036854775807 bob AT 5000
           LB.ADD board 0 cat AT 10000 => [0 2 1]
           LB.TOP board 9 => [[1 "bob" -9223372036854775807] [2 "cat" 0] [3 "ann" 9223372036854775807]]
           LB.ADD board 1 ann AT 10000 => ERR the score would be out of range
           LB.ADD board -1 ann AT 10000 => [9223372036854775806 3 1]
           LB.ADD board 0 cat AT 20000 => [0 2 1]
           LB.TOP board 9 => [[1 "ann" -1] [2 "cat" 0]]"#,
    );
}

#[test]
fn a_first_rolling_write_makes_a_board() {
    plays(
        r#"LB.ROLLADD week 5 ann => [5 1 1]
           LB.ROLLADD week 3 bob WITHCHANGE => [3 2 1 nil nil]
           LB.ROLLADD week 3 bob WITHCHANGE ID one => [6 1 1 3 2]
           LB.ROLLADD week 3 bob ID one WITHCHANGE => [6 1 0 6 1]
           LB.ROLLADD week 3 bob ID one WINDOW 7 DAY => [6 1 0]
           LB.ROLLADD week 4 bob ID one => IDREUSED request id was used for a different write
           LB.ADD week 3 bob ID one => IDREUSED request id was used for a different write
           LB.ADD week 3 bob ID two => [9 1 1]
           LB.ROLLADD week 3 bob ID two => IDREUSED request id was used for a different write
           LB.PERIODS week all => ERR VIEW 'all' is not a view of this board
           LB.TOP week 9 VIEW day:7 => [[1 "bob" 9] [2 "ann" 5]]
           LB.ROLLADD hours 5 ann WINDOW 24 hour ID x => [5 1 1]
           LB.TOP hours 9 VIEW hour:24 => [[1 "ann" 5]]
           LB.ROLLADD hours 5 ann WINDOW 366 90s => ERR WINDOW '90s:366' is not a view of this board
           LB.ROLLADD hours 5 ann WINDOW 7 day => ERR WINDOW 'day:7' is not a view of this board
           LB.ADD plain 5 ann
           LB.ROLLADD plain 5 ann => ERR WINDOW is needed: the board has no rolling view
           LB.ROLLADD plain 5 ann WINDOW 7 day => ERR WINDOW 'day:7' is not a view of this board"#,
    );
}

#[test]
fn a_rolling_write_answers_in_the_first_rolling_view_or_that_of_the_window() {
    plays(
        r#"LB.CREATE board VIEWS all,day,day:3,day:2 CLOCK EVENT
           LB.ROLLADD board 5 ann AT @2019-03-18 => [5 1 1]
           LB.ROLLADD board 4 bob AT @2019-03-19 => [4 2 1]
           LB.ROLLADD board 1 ann AT @2019-03-20 => [6 1 1]
           LB.ROLLADD board 1 ann WINDOW 2 day AT @2019-03-20 WITHCHANGE => [2 2 1 1 2]
           LB.ROLLADD board 0 ann WINDOW 3 day AT @2019-03-20 => [7 1 1]
           LB.TOP board 9 VIEW day => [[1 "ann" 2]]
           LB.TOP board 9 => [[1 "ann" 7] [2 "bob" 4]]
           LB.ROLLADD board 1 ann => ERR AT is needed with CLOCK EVENT"#,
    );
}

#[test]
fn up_to_366_periods_of_a_unit_and_16_views_of_a_board() {
    plays(
        r#"LB.CREATE board VIEWS day:366,all,minute,hour,day,week,month,year,1s,2s,3s,1s:2,2s:2,day:2,day:3,month:12 CLOCK EVENT
           LB.ADD board 1 ann AT @2019-01-01 => [1 1 1]
           LB.ADD board 2 ann AT @2020-01-01 => [3 1 1]
           LB.ADD board 4 ann AT @2020-01-02 => [6 1 1]
           LB.TOP board 9 VIEW month:12 => [[1 "ann" 6]]
           LB.TOP board 9 VIEW day:3 => [[1 "ann" 6]]
           LB.TOP board 9 VIEW year PERIOD 2019 => [[1 "ann" 1]]
           LB.SCORE board ann => 6
           LB.SCORE board ann VIEW all => 7"#,
    );
}
