//! Tests of calendar views: the current day, week or custom period, and the ended periods that are stored.

use leaderboard_testkit::{Flavor, Server};

use super::{play_dated, plays};

#[test]
fn a_cycle_begins_anew_at_its_boundary_and_the_last_one_stays_as_it_ended() {
    plays(
        r#"LB.CREATE board VIEWS day,all CLOCK EVENT RETAIN 2
           LB.ADD board 5 ann AT @2019-03-18T10:00 => [5 1 1]
           LB.ADD board 7 bob AT @2019-03-18T23:59:59.999 => [7 1 1]
           LB.TOP board 9 => [[1 "bob" 7] [2 "ann" 5]]
           LB.ADD board 1 ann AT @2019-03-19 => [1 1 1]
           LB.TOP board 9 => [[1 "ann" 1]]
           LB.TOP board 9 VIEW all => [[1 "bob" 7] [2 "ann" 6]]
           LB.TOP board 9 PERIOD 0 => [[1 "ann" 1]]
           LB.TOP board 9 PERIOD 2019-03-19 => [[1 "ann" 1]]
           LB.TOP board 9 AT @2019-03-19T23:59:59.999 => [[1 "ann" 1]]
           LB.TOP board 9 PERIOD -1 => [[1 "bob" 7] [2 "ann" 5]]
           LB.TOP board 9 PERIOD 2019-03-18 => [[1 "bob" 7] [2 "ann" 5]]
           LB.TOP board 9 AT @2019-03-18 => [[1 "bob" 7] [2 "ann" 5]]
           LB.TOP board 9 AT @2019-03-18T23:59:59.999 => [[1 "bob" 7] [2 "ann" 5]]
           LB.TOP board 9 PERIOD -2 => []
           LB.TOP board 9 AT @2019-03-20 => []
           LB.TOP board 9 AT 0 => []
           LB.ADD board 2 cat AT @2019-03-20T00:00:00.001 => [2 1 1]
           LB.TOP board 9 PERIOD -2 => [[1 "bob" 7] [2 "ann" 5]]
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 1]]
           LB.ADD board 3 cat AT @2019-03-21 => [3 1 1]
           LB.TOP board 9 PERIOD -2 => [[1 "ann" 1]]
           LB.TOP board 9 PERIOD 2019-03-18 => []
           LB.TOP board 9 PERIOD -3 => []
           LB.TOP board 9 VIEW all => [[1 "bob" 7] [2 "ann" 6] [3 "cat" 5]]"#,
    );
}

#[test]
fn a_past_period_can_be_read_in_every_way() {
    plays(
        r#"LB.CREATE board VIEWS all,day CLOCK EVENT DECIMALS 1
           LB.MADD board AT @2019-03-18T10:00 5 ann 4 bob 4 cat 3.5 dan 1 eve
           LB.SETMETA board cat Spain
           LB.MADD board AT @2019-03-19 9 ann 9 zoe
           LB.RANGE board 2 -2 VIEW day PERIOD -1 WITHMETA => [[2 "bob" "4" nil] [3 "cat" "4" "Spain"] [4 "dan" "3.5" nil]]
           LB.RANGE board -2 -1 PERIOD 2019-03-18 VIEW day RANKS DENSE => [[3 "dan" "3.5"] [4 "eve" "1"]]
           LB.TOP board 2 OFFSET 1 VIEW day PERIOD -1 RANKS COMPETITION => [[2 "bob" "4"] [2 "cat" "4"]]
           LB.TOP board 9 OFFSET 3 VIEW day PERIOD -1 RANKS COMPETITION => [[4 "dan" "3.5"] [5 "eve" "1"]]
           LB.TOP board 9 OFFSET 2 VIEW day PERIOD -1 RANKS DENSE => [[2 "cat" "4"] [3 "dan" "3.5"] [4 "eve" "1"]]
           LB.RANGEBYSCORE board (1 4 VIEW day PERIOD -1 => [[2 "bob" "4"] [3 "cat" "4"] [4 "dan" "3.5"]]
           LB.RANGEBYSCORE board -inf +inf OFFSET 1 COUNT 2 VIEW day AT @2019-03-18 RANKS DENSE => [[2 "bob" "4"] [2 "cat" "4"]]
           LB.AROUND board cat 1 VIEW day PERIOD -1 => [[2 "bob" "4"] [3 "cat" "4"] [4 "dan" "3.5"]]
           LB.AROUND board zoe 1 VIEW day PERIOD -1 => []
           LB.RANK board cat VIEW day PERIOD -1 => 3
           LB.RANK board cat VIEW day PERIOD -1 RANKS COMPETITION => 2
           LB.RANK board eve VIEW day PERIOD -1 RANKS DENSE => 4
           LB.RANK board zoe VIEW day PERIOD -1 => nil
           LB.SCORE board ann VIEW day PERIOD -1 => "5"
           LB.SCORE board ann VIEW day => "9"
           LB.SCORE board zoe VIEW day PERIOD -1 => nil
           LB.MSCORE board VIEW day PERIOD -1 RANKS DENSE MEMBERS 3 eve zoe ann => [[4 "1"] nil [1 "5"]]
           LB.COUNT board VIEW day PERIOD -1 => 5
           LB.COUNT board 3.5 (5 VIEW day PERIOD -1 => 3
           LB.COUNT board VIEW day AT @2019-03-18T23:00 => 5
           LB.COUNT board VIEW day => 2
           LB.COUNT board VIEW day PERIOD 2018-01-01 => 0
           LB.COUNT board => 6"#,
    );
}

#[test]
fn each_unit_has_its_boundaries() {
    plays(
        r#"LB.CREATE board VIEWS minute,hour,day,week,month,year,90s CLOCK EVENT
           LB.ADD board 1 ann AT @2019-12-31T23:59:59.999
           LB.ADD board 2 bob AT @2020-01-01
           LB.PERIODS board minute => [["2020-01-01T00:00" @2020-01-01 @2020-01-01T00:01 1] ["2019-12-31T23:59" @2019-12-31T23:59 @2020-01-01 1]]
           LB.PERIODS board hour => [["2020-01-01T00" @2020-01-01 @2020-01-01T01:00 1] ["2019-12-31T23" @2019-12-31T23:00 @2020-01-01 1]]
           LB.PERIODS board day => [["2020-01-01" @2020-01-01 @2020-01-02 1] ["2019-12-31" @2019-12-31 @2020-01-01 1]]
           LB.PERIODS board week => [["2020-W01" @2019-12-30 @2020-01-06 2]]
           LB.PERIODS board month => [["2020-01" @2020-01-01 @2020-02-01 1] ["2019-12" @2019-12-01 @2020-01-01 1]]
           LB.PERIODS board year => [["2020" @2020-01-01 @2021-01-01 1] ["2019" @2019-01-01 @2020-01-01 1]]
           LB.PERIODS board 90s => [["@2020-01-01" @2020-01-01 @2020-01-01T00:01:30 1] ["@2019-12-31T23:58:30" @2019-12-31T23:58:30 @2020-01-01 1]]
           LB.TOP board 9 VIEW minute PERIOD 2019-12-31T23:59 => [[1 "ann" 1]]
           LB.TOP board 9 VIEW hour PERIOD 2019-12-31T23 => [[1 "ann" 1]]
           LB.TOP board 9 VIEW day PERIOD 2019-12-31 => [[1 "ann" 1]]
           LB.TOP board 9 VIEW week PERIOD 2020-W01 => [[1 "bob" 2] [2 "ann" 1]]
           LB.TOP board 9 VIEW month PERIOD 2019-12 => [[1 "ann" 1]]
           LB.TOP board 9 VIEW year PERIOD 2019 => [[1 "ann" 1]]
           LB.TOP board 9 VIEW 90s PERIOD @2019-12-31T23:58:30 => [[1 "ann" 1]]"#,
    );
}

#[test]
fn custom_seconds_are_counted_from_the_origin() {
    plays(
        r#"LB.CREATE board VIEWS 100s,100s:3 ORIGIN 30000 CLOCK EVENT RETAIN 2
           LB.ADD board 1 ann AT 129999
           LB.ADD board 2 ann AT 130000
           LB.PERIODS board 100s => [["130000" 130000 230000 1] ["30000" 30000 130000 1]]
           LB.PERIODS board 100S:3 => [["130000" 130000 230000 1] ["30000" 30000 130000 1]]
           LB.TOP board 9 PERIOD 30000 => [[1 "ann" 1]]
           LB.TOP board 9 VIEW 100s:3 => [[1 "ann" 3]]
           LB.TOP board 9 AT 30000 => [[1 "ann" 1]]
           LB.TOP board 9 AT 29999 => []
           LB.TOP board 9 PERIOD -70000 => []
           LB.ADD board 4 bob AT 0 => [nil nil 1]
           LB.TOP board 9 VIEW 100s:3 => [[1 "bob" 4] [2 "ann" 3]]
           LB.ADD board 1 cat AT 330000 => [1 1 1]
           LB.TOP board 9 VIEW 100s:3 => [[1 "ann" 2] [2 "cat" 1]]"#,
    );
}

#[test]
fn nothing_is_kept_with_a_retain_of_0_and_each_view_keeps_its_own_number() {
    plays(
        r#"LB.CREATE board VIEWS day,hour,day:2 CLOCK EVENT RETAIN day=0,hour=3
           LB.ADD board 1 ann AT @2019-03-18T10:00
           LB.ADD board 2 ann AT @2019-03-18T11:00
           LB.ADD board 3 ann AT @2019-03-19T12:00
           LB.TOP board 9 PERIOD -1 => []
           LB.TOP board 9 PERIOD 2019-03-18 => []
           LB.PERIODS board day => [["2019-03-19" @2019-03-19 @2019-03-20 1]]
           LB.PERIODS board day:2 => [["2019-03-19" @2019-03-19 @2019-03-20 1] ["2019-03-18" @2019-03-18 @2019-03-19 1]]
           LB.TOP board 9 VIEW day:2 PERIOD -1 => [[1 "ann" 3]]
           LB.TOP board 9 VIEW hour PERIOD 2019-03-18T11 => []
           LB.COUNT board VIEW hour PERIOD -3 => 0
           LB.CREATE none VIEWS day,day:3,week RETAIN 0 CARRY week=1 CLOCK EVENT
           LB.ADD none 1 ann AT @2019-03-18
           LB.ADD none 2 bob AT @2019-03-25
           LB.PERIODS none week => [["2019-W13" @2019-03-25 @2019-04-01 2]]
           LB.TOP none 9 VIEW week => [[1 "bob" 2] [2 "ann" 1]]
           LB.TOP none 9 VIEW week PERIOD -1 => []"#,
    );
}

#[test]
fn periods_that_an_idle_board_skipped_are_empty_and_count_as_kept() {
    plays(
        r#"LB.CREATE board VIEWS day,day:3 CLOCK EVENT RETAIN 3
           LB.ADD board 5 ann AT @2019-03-18
           LB.ADD board 1 bob AT @2019-03-21
           LB.PERIODS board day => [["2019-03-21" @2019-03-21 @2019-03-22 1] ["2019-03-20" @2019-03-20 @2019-03-21 0] ["2019-03-19" @2019-03-19 @2019-03-20 0] ["2019-03-18" @2019-03-18 @2019-03-19 1]]
           LB.TOP board 9 PERIOD -1 => []
           LB.TOP board 9 PERIOD -3 => [[1 "ann" 5]]
           LB.TOP board 9 VIEW day:3 => [[1 "bob" 1]]
           LB.TOP board 9 VIEW day:3 PERIOD -1 => [[1 "ann" 5]]
           LB.TOP board 9 VIEW day:3 PERIOD -2 => [[1 "ann" 5]]
           LB.TOP board 9 VIEW day:3 PERIOD -3 => [[1 "ann" 5]]
           LB.ADD board 1 bob AT @2020-03-21
           LB.TOP board 9 VIEW day:3 => [[1 "bob" 1]]
           LB.COUNT board VIEW day:3 PERIOD -1 => 0
           LB.COUNT board PERIOD -3 => 0
           LB.COUNT board PERIOD 2019-03-21 => 0
           LB.TOP board 9 VIEW day => [[1 "bob" 1]]"#,
    );
}

#[test]
fn a_standing_tells_the_period_before_and_the_change() {
    let server = Server::start(Flavor::Redis70);
    play_dated(
        &mut server.connection(),
        r#"LB.CREATE board VIEWS day,all CLOCK EVENT RETAIN 2
           LB.MADD board AT @2019-03-18 5 ann 4 bob 4 cat
           LB.MADD board AT @2019-03-19 1 ann 4 bob 4 cat 9 dan
           LB.STANDING board bob => ["rank" 2 "score" 4 "members" 4 "percentile" "75.00" "ahead" ["dan" 9 5] "behind" ["cat" 4 0] "previous" [2 4] "change" 0 "at" @2019-03-19]
           LB.STANDING board ann => ["rank" 4 "score" 1 "members" 4 "percentile" "25.00" "ahead" ["cat" 4 3] "behind" nil "previous" [1 5] "change" -3 "at" @2019-03-19]
           LB.STANDING board dan => ["rank" 1 "score" 9 "members" 4 "percentile" "100.00" "ahead" nil "behind" ["bob" 4 5] "previous" nil "change" nil "at" @2019-03-19]
           LB.STANDING board cat RANKS COMPETITION => ["rank" 2 "score" 4 "members" 4 "percentile" "75.00" "ahead" ["bob" 4 0] "behind" ["ann" 1 3] "previous" [2 4] "change" 0 "at" @2019-03-19]
           LB.STANDING board ann RANKS DENSE => ["rank" 3 "score" 1 "members" 4 "percentile" "25.00" "ahead" ["cat" 4 3] "behind" nil "previous" [1 5] "change" -2 "at" @2019-03-19]
           LB.STANDING board cat VIEW all => ["rank" 3 "score" 8 "members" 4 "percentile" "50.00" "ahead" ["bob" 8 0] "behind" ["ann" 6 2] "previous" nil "change" nil "at" @2019-03-19]
           LB.MADD board AT @2019-03-20 7 cat
           LB.STANDING board cat => ["rank" 1 "score" 7 "members" 1 "percentile" "100.00" "ahead" nil "behind" nil "previous" [3 4] "change" 2 "at" @2019-03-20]
           LB.STANDING board cat PERIOD -1 => ["rank" 3 "score" 4 "members" 4 "percentile" "50.00" "ahead" ["bob" 4 0] "behind" ["ann" 1 3] "previous" [3 4] "change" 0 "at" nil]
           LB.STANDING board ann PERIOD -1 RANKS DENSE => ["rank" 3 "score" 1 "members" 4 "percentile" "25.00" "ahead" ["cat" 4 3] "behind" nil "previous" [1 5] "change" -2 "at" nil]
           LB.STANDING board ann PERIOD -2 => ["rank" 1 "score" 5 "members" 3 "percentile" "100.00" "ahead" nil "behind" ["bob" 4 1] "previous" nil "change" nil "at" nil]
           LB.STANDING board ann => nil
           LB.MSTANDING board MEMBERS 2 dan ann PERIOD -2 => [nil ["rank" 1 "score" 5 "members" 3 "percentile" "100.00" "ahead" nil "behind" ["bob" 4 1] "previous" nil "change" nil "at" nil]]"#,
    );
}

#[test]
fn a_member_that_is_removed_leaves_past_periods_too() {
    plays(
        r#"LB.CREATE board VIEWS day,day:3,all CLOCK EVENT RETAIN 2
           LB.MADD board AT @2019-03-18 5 ann 4 bob 3 cat
           LB.MADD board AT @2019-03-19 3 ann 2 bob 1 cat 1 dan
           LB.ADD board 1 dan AT @2019-03-20
           LB.REM board ann nobody => 1
           LB.TOP board 9 PERIOD -2 => [[1 "bob" 4] [2 "cat" 3]]
           LB.TOP board 9 PERIOD -1 => [[1 "bob" 2] [2 "cat" 1] [3 "dan" 1]]
           LB.TOP board 9 VIEW day:3 PERIOD -1 => [[1 "bob" 6] [2 "cat" 4] [3 "dan" 1]]
           LB.TOP board 9 VIEW day:3 => [[1 "bob" 6] [2 "cat" 4] [3 "dan" 2]]
           LB.RANK board cat PERIOD -2 => 2
           LB.COUNT board VIEW all => 3
           LB.REM board ann => 0
           LB.ADD board 1 ann AT @2019-03-20 => [1 2 1]
           LB.TOP board 9 VIEW day:3 => [[1 "bob" 6] [2 "cat" 4] [3 "dan" 2] [4 "ann" 1]]
           LB.ADD board 1 ann AT @2019-03-21
           LB.TOP board 9 VIEW day:3 => [[1 "bob" 2] [2 "dan" 2] [3 "ann" 2] [4 "cat" 1]]
           LB.REM board bob cat dan ann => 4
           LB.PERIODS board day => [["2019-03-21" @2019-03-21 @2019-03-22 0] ["2019-03-20" @2019-03-20 @2019-03-21 0] ["2019-03-19" @2019-03-19 @2019-03-20 0]]"#,
    );
}

#[test]
fn a_member_of_nothing_but_a_past_period_is_removed_as_long_as_that_is_kept() {
    plays(
        "LB.CREATE board VIEWS day CLOCK EVENT
         LB.ADD board 5 ann AT @2019-03-18
         LB.ADD board 5 bob AT @2019-03-18
         LB.ADD board 1 cat AT @2019-03-19
         LB.REM board ann => 1
         LB.ADD board 1 cat AT @2019-03-20
         LB.REM board bob => 0",
    );
}
