//! Tests of the two counts of one board: the votes that were cast, and the votes that are shown.

use super::plays;

#[test]
fn every_read_gives_the_shown_count_or_the_real_one() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT SHOWN
           LB.OPTION poll ann WEIGHT 3 => OK
           LB.OPTION poll cat INITIAL 10 => OK
           LB.VOTE poll 2 ann AT 1000 => [1 [[6 2 1]]]
           LB.VOTE poll 4 bob AT 2000 => [1 [[4 3 1]]]
           LB.TOP poll 9 => [[1 "cat" 10] [2 "ann" 6] [3 "bob" 4]]
           LB.TOP poll 9 REAL => [[1 "bob" 4] [2 "ann" 2]]
           LB.TOP poll 1 OFFSET 1 REAL => [[2 "ann" 2]]
           LB.TOP poll 9 REAL WITHMETA VIEW all RANKS DENSE => [[1 "bob" 4 nil] [2 "ann" 2 nil]]
           LB.RANGE poll -1 -1 => [[3 "bob" 4]]
           LB.RANGE poll -1 -1 REAL => [[2 "ann" 2]]
           LB.RANGEBYSCORE poll 4 6 => [[2 "ann" 6] [3 "bob" 4]]
           LB.RANGEBYSCORE poll 4 6 REAL => [[1 "bob" 4]]
           LB.AROUND poll ann 1 => [[1 "cat" 10] [2 "ann" 6] [3 "bob" 4]]
           LB.AROUND poll ann 1 REAL => [[1 "bob" 4] [2 "ann" 2]]
           LB.AROUND poll cat 1 REAL => []
           LB.RANK poll ann => 2
           LB.RANK poll cat REAL => nil
           LB.RANK poll ann real => 2
           LB.SCORE poll ann => 6
           LB.SCORE poll ann REAL => 2
           LB.SCORE poll cat REAL => nil
           LB.MSCORE poll MEMBERS 3 ann bob cat => [[2 6] [3 4] [1 10]]
           LB.MSCORE poll REAL MEMBERS 3 ann bob cat => [[2 2] [1 4] nil]
           LB.STANDING poll ann => ["rank" 2 "score" 6 "members" 3 "percentile" "66.67" "ahead" ["cat" 10 4] "behind" ["bob" 4 2] "previous" nil "change" nil "at" 1000]
           LB.STANDING poll ann REAL => ["rank" 2 "score" 2 "members" 2 "percentile" "50.00" "ahead" ["bob" 4 2] "behind" nil "previous" nil "change" nil "at" 1000]
           LB.STANDING poll cat => ["rank" 1 "score" 10 "members" 3 "percentile" "100.00" "ahead" nil "behind" ["ann" 6 4] "previous" nil "change" nil "at" 0]
           LB.STANDING poll cat REAL => nil
           LB.MSTANDING poll MEMBERS 2 cat bob REAL => [nil ["rank" 1 "score" 4 "members" 2 "percentile" "100.00" "ahead" nil "behind" ["ann" 2 2] "previous" nil "change" nil "at" 2000]]
           LB.COUNT poll => 3
           LB.COUNT poll REAL => 2
           LB.COUNT poll 3 6 => 2
           LB.COUNT poll 3 6 REAL => 1
           LB.REM poll bob => 1
           LB.TOP poll 9 REAL => [[1 "ann" 2]]
           LB.CREATE plain CLOCK EVENT
           LB.VOTE plain 4 bob AT 2000 => [1 [[4 1 1]]]
           LB.TOP plain 9 REAL => [[1 "bob" 4]]
           LB.TOP absent 9 REAL => []"#,
    );
}

#[test]
fn a_weight_counts_for_the_votes_that_come_under_it() {
    plays(
        r#"LB.CREATE poll VIEWS all,day CLOCK EVENT SHOWN
           LB.VOTE poll 2 ann AT @2019-03-18T01:00 => [1 [[2 1 1]]]
           LB.OPTION poll ann WEIGHT 3
           LB.VOTE poll 2 ann AT @2019-03-18T02:00 => [1 [[8 1 1]]]
           LB.OPTION poll ann WEIGHT 0
           LB.VOTE poll 2 ann AT @2019-03-18T03:00 => [1 [[8 1 1]]]
           LB.OPTION poll ann WEIGHT 1000000000
           LB.MVOTE poll AT @2019-03-18T04:00 1 ann 1 bob 1 ann => [1 [[2000000008 1 1] [1 2 1] [2000000008 1 1]]]
           LB.TOP poll 9 VIEW day REAL => [[1 "ann" 8] [2 "bob" 1]]
           LB.OPTION poll zed WEIGHT 0
           LB.VOTE poll 5 zed AT @2019-03-18T05:00 => [1 [[0 3 1]]]
           LB.TOP poll 9 REAL => [[1 "ann" 8] [2 "zed" 5] [3 "bob" 1]]
           LB.ADD poll 5 bob AT @2019-03-18T06:00 => [6 2 1]
           LB.TOP poll 9 REAL => [[1 "ann" 8] [2 "bob" 6] [3 "zed" 5]]"#,
    );
}

#[test]
fn initial_votes_are_in_all_at_once_and_in_each_cycle_that_begins() {
    plays(
        r#"LB.CREATE poll VIEWS all,day,day:2,week CLOCK EVENT SHOWN RETAIN 3
           LB.VOTE poll 1 ann AT @2019-03-18T10:00 => [1 [[1 1 1]]]
           LB.OPTION poll bob INITIAL 10 => OK
           LB.OPTION poll cat INITIAL 5 => OK
           LB.TOP poll 9 => [[1 "bob" 10] [2 "cat" 5] [3 "ann" 1]]
           LB.TOP poll 9 REAL => [[1 "ann" 1]]
           LB.TOP poll 9 VIEW day => [[1 "ann" 1]]
           LB.TOP poll 9 VIEW week => [[1 "ann" 1]]
           LB.VOTE poll 7 cat AT @2019-03-19 => [1 [[12 1 1]]]
           LB.TOP poll 9 VIEW day => [[1 "cat" 12] [2 "bob" 10]]
           LB.TOP poll 9 VIEW day REAL => [[1 "cat" 7]]
           LB.TOP poll 9 VIEW day:2 => [[1 "cat" 7] [2 "ann" 1]]
           LB.TOP poll 9 VIEW week => [[1 "cat" 7] [2 "ann" 1]]
           LB.TOP poll 9 VIEW day PERIOD -1 => [[1 "ann" 1]]
           LB.OPTION poll cat INITIAL 4 => OK
           LB.TOP poll 9 => [[1 "cat" 11] [2 "bob" 10] [3 "ann" 1]]
           LB.TOP poll 9 VIEW day => [[1 "cat" 12] [2 "bob" 10]]
           LB.VOTE poll 1 ann AT @2019-03-22 => [1 [[2 3 1]]]
           LB.TOP poll 9 VIEW day => [[1 "bob" 10] [2 "cat" 4] [3 "ann" 1]]
           LB.TOP poll 9 VIEW day PERIOD -1 => [[1 "bob" 10] [2 "cat" 4]]
           LB.TOP poll 9 VIEW day PERIOD -2 => [[1 "bob" 10] [2 "cat" 4]]
           LB.TOP poll 9 VIEW day PERIOD -3 => [[1 "cat" 12] [2 "bob" 10]]
           LB.TOP poll 9 VIEW day PERIOD -1 REAL => []
           LB.TOP poll 9 VIEW day PERIOD -3 REAL => [[1 "cat" 7]]
           LB.STANDING poll ann VIEW day => ["rank" 3 "score" 1 "members" 3 "percentile" "33.33" "ahead" ["cat" 4 3] "behind" nil "previous" nil "change" nil "at" @2019-03-22]
           LB.STANDING poll bob VIEW day PERIOD -2 => ["rank" 1 "score" 10 "members" 2 "percentile" "100.00" "ahead" nil "behind" ["cat" 4 6] "previous" [2 10] "change" 1 "at" nil]
           LB.VOTE poll 1 ann AT @2019-03-25 => [1 [[3 3 1]]]
           LB.TOP poll 9 VIEW week => [[1 "bob" 10] [2 "cat" 4] [3 "ann" 1]]
           LB.TOP poll 9 VIEW day:2 => [[1 "ann" 1]]
           LB.REM poll bob => 1
           LB.OPTION poll cat INITIAL 0 => OK
           LB.TOP poll 9 => [[1 "cat" 7] [2 "ann" 3]]
           LB.TOP poll 9 VIEW day => [[1 "cat" 4] [2 "ann" 1]]
           LB.VOTE poll 1 ann AT @2019-03-26
           LB.TOP poll 9 VIEW day => [[1 "ann" 1]]"#,
    );
}

#[test]
fn initial_votes_from_before_the_first_vote_are_in_the_first_periods() {
    plays(
        r#"LB.CREATE poll VIEWS day,all CLOCK EVENT SHOWN
           LB.OPTION poll bob INITIAL 10 => OK
           LB.TOP poll 9 => []
           LB.TOP poll 9 VIEW all => [[1 "bob" 10]]
           LB.VOTE poll 1 ann AT @2019-03-18 => [1 [[1 2 1]]]
           LB.TOP poll 9 => [[1 "bob" 10] [2 "ann" 1]]
           LB.ALTER poll VIEWS +hour => OK
           LB.TOP poll 9 VIEW hour => []
           LB.VOTE poll 1 ann AT @2019-03-18T01:00 => [1 [[2 2 1]]]
           LB.TOP poll 9 VIEW hour => [[1 "bob" 10] [2 "ann" 1]]"#,
    );
}

#[test]
fn votes_count_whole_on_a_board_with_decimals() {
    plays(
        r#"LB.CREATE poll VIEWS all,day CLOCK EVENT SHOWN DECIMALS 2 LIMIT few voter 5 day
           LB.OPTION poll ann WEIGHT 3 INITIAL 7 => OK
           LB.VOTE poll 2 ann BY v AT 1000 => [1 [["13" 1 1]]]
           LB.ADD poll 0.25 ann AT 1000 => ["13.25" 1 1]
           LB.SCORE poll ann REAL => "2.25"
           LB.QUOTA poll BY v => [["few" 2 5 86399000]]
           LB.OPTIONS poll 0 => ["0" [["member" "ann" "weight" 3 "initial" "7" "meta" nil "real" "2.25" "shown" "13.25" "voters" 1]]]
           LB.VOTE poll 1 bob BY v AT @1970-01-02 => [1 [["1" 2 1]]]
           LB.TOP poll 9 VIEW day => [[1 "ann" "7"] [2 "bob" "1"]]
           LB.TOP poll 9 VIEW day REAL => [[1 "bob" "1"]]"#,
    );
}

#[test]
fn a_score_set_by_hand_moves_both_counts_by_the_difference() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT SHOWN
           LB.OPTION poll ann INITIAL 10
           LB.VOTE poll 2 ann AT 1000 => [1 [[12 1 1]]]
           LB.SET poll 20 ann AT 2000 => [20 1 1]
           LB.SCORE poll ann REAL => 10"#,
    );
}

/// Checks the order of equal members after a vote that is held back. To check a vote of a later day, the board moves
/// to that day, where options start with their initial votes. If it holds the vote back, it moves to its old time
/// again.
#[test]
fn a_vote_held_back_behind_a_boundary_leaves_the_order_of_equals_alone() {
    plays(
        r#"LB.CREATE poll VIEWS day CLOCK EVENT SHOWN CLOSES 80000000 CARRY day=0.5
           LB.VOTE poll 3 ann AT 1000
           LB.VOTE poll 3 bob AT 1000
           LB.OPTION poll ann INITIAL 1
           LB.VOTE poll 1 bob AT 90000000 => [0 "closed" -1]
           LB.OPTION poll ann INITIAL 0
           LB.ADD poll 1 zed AT 90000000 FORCE
           LB.TOP poll 9 => [[1 "ann" 1] [2 "bob" 1] [3 "zed" 1]]"#,
    );
}
