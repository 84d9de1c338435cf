//! Tests of hidden members in periods: the current period, periods that ended before, and periods that end while
//! members are hidden.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};

use super::plays;

const BOARD: &str = "LB.CREATE board VIEWS 10s,all,10s:2 CLOCK EVENT RETAIN 3
                     LB.MADD board AT 5000 9 ann 8 bob 7 cat
                     LB.MADD board AT 15000 1 cat 2 ann 3 bob";

#[test]
fn they_are_gone_from_ended_periods_too() {
    plays(&format!(
        r#"{BOARD}
           LB.HIDE board bob => 1
           LB.TOP board 9 => [[1 "ann" 2] [2 "cat" 1]]
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 9] [2 "cat" 7]]
           LB.TOP board 9 VIEW 10s:2 => [[1 "ann" 11] [2 "cat" 8]]
           LB.TOP board 9 VIEW 10s:2 PERIOD -1 => [[1 "ann" 9] [2 "cat" 7]]
           LB.RANK board cat PERIOD -1 => 2
           LB.RANK board bob PERIOD -1 => 2
           LB.RANK board bob => 1
           LB.MSCORE board MEMBERS 3 ann bob cat PERIOD -1 RANKS DENSE => [[1 9] [2 8] [2 7]]
           LB.AROUND board bob 1 PERIOD -1 => [[1 "ann" 9] [2 "bob" 8] [2 "cat" 7]]
           LB.AROUND board cat 1 PERIOD -1 REV => [[1 "cat" 7] [2 "ann" 9]]
           LB.AMONG board MEMBERS 3 ann bob cat PERIOD -1 => [[1 "ann" 9 1] [2 "cat" 7 2]]
           LB.COUNT board PERIOD -1 => 2
           LB.COUNT board 8 9 PERIOD -1 => 1
           LB.QUANTILE board 0 1 PERIOD -1 => [7 9]
           LB.HISTOGRAM board 7 9 2 PERIOD -1 => [[7 8 1] [8 9 1]]
           LB.RANGEBYSCORE board 7 8 PERIOD -1 => [[2 "cat" 7]]
           LB.RANGE board -1 -1 AT 5000 => [[2 "cat" 7]]
           LB.PERIODS board 10s => [["10000" 10000 20000 2] ["0" 0 10000 2]]
           LB.UNHIDE board bob => 1
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 9] [2 "bob" 8] [3 "cat" 7]]
           LB.TOP board 9 => [[1 "bob" 3] [2 "ann" 2] [3 "cat" 1]]
           LB.PERIODS board 10s => [["10000" 10000 20000 3] ["0" 0 10000 3]]"#
    ));
}

#[test]
fn they_go_on_collecting_while_periods_end() {
    plays(&format!(
        r#"{BOARD}
           LB.HIDE board bob => 1
           LB.ADD board 4 bob AT 16000 => [7 1 1]
           LB.ADD board 6 bob AT 25000 => [6 1 1]
           LB.TOP board 9 => []
           LB.ADD board 5 ann AT 35000 => [5 1 1]
           LB.TOP board 9 PERIOD -1 => []
           LB.TOP board 9 PERIOD -2 => [[1 "ann" 2] [2 "cat" 1]]
           LB.RANK board bob PERIOD -2 => 1
           LB.SCORE board bob PERIOD -1 => 6
           LB.COUNT board PERIOD -1 => 0
           LB.UNHIDE board bob => 1
           LB.TOP board 9 PERIOD -1 => [[1 "bob" 6]]
           LB.TOP board 9 PERIOD -2 => [[1 "bob" 7] [2 "ann" 2] [3 "cat" 1]]
           LB.TOP board 9 VIEW 10s:2 => [[1 "bob" 6] [2 "ann" 5]]
           LB.TOP board 9 VIEW 10s:2 PERIOD -1 => [[1 "bob" 13] [2 "ann" 2] [3 "cat" 1]]
           LB.TOP board 9 VIEW all => [[1 "bob" 21] [2 "ann" 16] [3 "cat" 8]]"#
    ));
}

#[test]
fn a_standing_looks_back_with_the_same_eyes() {
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        &format!(
            r#"{BOARD}
               LB.HIDE board bob
               LB.STANDING board cat => ["rank" 2 "score" 1 "members" 2 "percentile" "50.00" "ahead" ["ann" 2 1] "behind" nil "previous" [2 7] "change" 0 "at" 15000]
               LB.STANDING board bob => ["rank" 1 "score" 3 "members" 3 "percentile" "100.00" "ahead" nil "behind" ["ann" 2 1] "previous" [2 8] "change" 1 "at" 15000]
               LB.STANDING board bob PERIOD -1 => ["rank" 2 "score" 8 "members" 3 "percentile" "66.67" "ahead" ["ann" 9 1] "behind" ["cat" 7 1] "previous" nil "change" nil "at" nil]
               LB.STANDING board cat PERIOD -1 => ["rank" 2 "score" 7 "members" 2 "percentile" "50.00" "ahead" ["ann" 9 2] "behind" nil "previous" nil "change" nil "at" nil]
               LB.STATS board PERIOD -1 => ["members" 2 "sum" 16 "mean" "8.000000" "min" 7 "max" 9 "median" 7]
               LB.ADD board 1 ann AT 25000
               LB.STANDING board ann => ["rank" 1 "score" 1 "members" 1 "percentile" "100.00" "ahead" nil "behind" nil "previous" [1 2] "change" 0 "at" 25000]"#
        ),
    );
}

#[test]
fn shares_carried_over_are_hidden_as_well() {
    plays(
        r#"LB.CREATE board VIEWS 10s CLOCK EVENT CARRY 10s=0.5 RETAIN 3
           LB.MADD board AT 5000 9 ann 8 bob 7 cat
           LB.HIDE board bob
           LB.ADD board 1 dan AT 15000 => [1 3 1]
           LB.TOP board 9 => [[1 "ann" 4] [2 "cat" 3] [3 "dan" 1]]
           LB.MSCORE board MEMBERS 1 bob => [[2 4]]
           LB.UNHIDE board bob
           LB.TOP board 9 => [[1 "ann" 4] [2 "bob" 4] [3 "cat" 3] [4 "dan" 1]]"#,
    );
}

#[test]
fn views_come_and_go_while_members_are_hidden() {
    plays(&format!(
        r#"{BOARD}
           LB.HIDE board bob ghost
           LB.ALTER board VIEWS +20s,-10s:2,-all => OK
           LB.COUNT board VIEW 20s => 0
           LB.MADD board AT 16000 5 bob 4 ann 3 ghost => [[8 1 1] [6 1 1] [3 2 1]]
           LB.TOP board 9 VIEW 20s => [[1 "ann" 4]]
           LB.MSCORE board MEMBERS 2 bob ghost VIEW 20s => [[1 5] [2 3]]
           LB.ADD board 1 cat AT 25000
           LB.TOP board 9 VIEW 20s PERIOD -1 => [[1 "ann" 4]]
           LB.HIDDEN board => ["bob" "ghost"]
           LB.UNHIDE board ghost bob
           LB.TOP board 9 VIEW 20s PERIOD -1 => [[1 "bob" 5] [2 "ann" 4] [3 "ghost" 3]]"#
    ));
}

#[test]
fn a_late_write_of_a_hidden_member_changes_no_ended_period() {
    plays(&format!(
        r#"{BOARD}
           LB.HIDE board bob
           LB.ADD board 50 bob AT 6000 => [3 1 1]
           LB.UNHIDE board bob
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 9] [2 "bob" 8] [3 "cat" 7]]
           LB.SCORE board bob VIEW all => 61
           LB.HIDE board bob zoe
           LB.ALTER board RETAIN 1 => OK
           LB.ADD board 1 cat AT 25000
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 2] [2 "cat" 1]]
           LB.TOP board 9 PERIOD -2 => []
           LB.REM board bob => 1
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 2] [2 "cat" 1]]
           LB.HIDDEN board => ["zoe"]"#
    ));
}
