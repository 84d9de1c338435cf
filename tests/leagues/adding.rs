//! Tests of LB.LEAGUE.ADD and LB.LEAGUE.REM: scores, order in a group, request ids, and members who leave and return.

use super::plays;

#[test]
fn points_are_added_and_rank_within_the_group() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS t PROMOTE 0 DEMOTE 0 CYCLE week CLOCK EVENT GROUP 3
           LB.LEAGUE.ADD league 5 ann AT @2019-03-18T10:00 => [5 1 1]
           LB.LEAGUE.ADD league 5 bob AT @2019-03-18T09:00 => [5 1 1]
           LB.LEAGUE.ADD league 7 cat AT @2019-03-18T11:00 => [7 1 1]
           LB.LEAGUE.ADD league 9 dan AT @2019-03-18T11:00 => [9 1 1]
           LB.LEAGUE.ADD league 2 ann AT @2019-03-18T11:00 => [7 2 1]
           LB.LEAGUE.ADD league 2 bob AT @2019-03-18T10:59 => [7 1 1]
           LB.LEAGUE.TOP league cat => [[1 "bob" 7 nil] [2 "cat" 7 nil] [3 "ann" 7 nil]]
           LB.LEAGUE.ADD league -8 cat AT @2019-03-18T12:00 => [-1 3 1]
           LB.LEAGUE.ADD league 0 cat AT @2019-03-18T13:00 => [-1 3 1]
           LB.LEAGUE.ADD league -8 ann AT @2019-03-18T13:00 => [-1 3 1]
           LB.LEAGUE.TOP league ann => [[1 "bob" 7 nil] [2 "cat" -1 nil] [3 "ann" -1 nil]]
           LB.LEAGUE.TOP league dan => [[1 "dan" 9 nil]]"#,
    );
}

#[test]
fn a_score_keeps_the_later_of_two_moments_and_no_points_leave_it() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS t PROMOTE 0 DEMOTE 0 CYCLE week CLOCK EVENT
           LB.LEAGUE.ADD league 5 ann AT @2019-03-19T10:00 => [5 1 1]
           LB.LEAGUE.ADD league 6 bob AT @2019-03-19T11:00 => [6 1 1]
           LB.LEAGUE.ADD league 1 ann AT @2019-03-19T08:00 => [6 1 1]
           LB.LEAGUE.ADD league 6 cat AT @2019-03-19T09:00 => [6 1 1]
           LB.LEAGUE.ADD league 0 cat AT @2019-03-19T23:00 => [6 1 1]
           LB.LEAGUE.ADD league 6 dan AT @2019-03-19T11:00 => [6 4 1]
           LB.LEAGUE.TOP league ann => [[1 "cat" 6 nil] [2 "ann" 6 nil] [3 "bob" 6 nil] [4 "dan" 6 nil]]
           LB.LEAGUE.ADD league 1 cat AT @2019-03-19T09:00 => [7 1 1]
           LB.LEAGUE.ADD league -1 cat AT @2019-03-19T09:00 => [6 1 1]
           LB.LEAGUE.ADD league 1 ann AT @2019-03-19T09:00 => [7 1 1]
           LB.LEAGUE.ADD league -1 ann AT @2019-03-19T11:00 => [6 4 1]
           LB.LEAGUE.TOP league ann => [[1 "cat" 6 nil] [2 "bob" 6 nil] [3 "dan" 6 nil] [4 "ann" 6 nil]]"#,
    );
}

#[test]
fn points_of_a_period_that_has_ended_are_lost() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS t PROMOTE 0 DEMOTE 0 CYCLE week CLOCK EVENT
           LB.LEAGUE.ADD league 5 ann AT @2019-03-17T23:00 => [5 1 1]
           LB.LEAGUE.ADD league 3 bob AT @2019-03-18 => [3 1 1]
           LB.LEAGUE.ADD league 9 ann AT @2019-03-17T23:59:59.999 ID one => [nil nil 0]
           LB.LEAGUE.ADD league 9 bob AT @2019-03-17 ID two => [3 1 0]
           LB.LEAGUE.ADD league 9 new AT @2019-03-01 => [nil nil 0]
           LB.LEAGUE.TOP league ann PERIOD -1 => [[1 "ann" 5 nil]]
           LB.LEAGUE.GROUP league t 1 => [[1 "bob" 3 nil]]
           LB.LEAGUE.ADD league 9 ann AT @2019-03-18 ID one => [9 1 1]
           LB.LEAGUE.ADD league 9 bob AT @2019-03-18 ID two => [12 1 1]
           LB.LEAGUE.REM league new => 0"#,
    );
}

#[test]
fn a_request_counts_once() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS t PROMOTE 0 DEMOTE 0 CYCLE day CLOCK EVENT DEDUP 86400 JOINUNTIL 0.5
           LB.LEAGUE.ADD league 5 ann AT @2019-03-18T10:00 ID one => [5 1 1]
           LB.LEAGUE.ADD league 5 ann AT @2019-03-18T11:00 ID one => [5 1 0]
           LB.LEAGUE.ADD league 6 ann AT @2019-03-18T11:00 ID one => IDREUSED request id was used for a different write
           LB.LEAGUE.ADD league 5 bob AT @2019-03-18T11:00 ID one => IDREUSED request id was used for a different write
           LB.LEAGUE.ADD league 6 ann AT @2019-03-17 ID one => IDREUSED request id was used for a different write
           LB.LEAGUE.ADD league 5 ann AT @2019-03-17 ID one => [5 1 0]
           LB.LEAGUE.ADD league 0 bob AT @2019-03-18T10:00 ID two => [0 2 1]
           LB.LEAGUE.ADD league -0 bob AT @2019-03-18T10:00 ID two => [0 2 0]
           LB.LEAGUE.REM league ann => 1
           LB.LEAGUE.ADD league 5 ann AT @2019-03-18T11:00 ID one => [nil nil 0]
           LB.LEAGUE.ADD league 5 ann AT @2019-03-18T11:00 ID three => [5 1 1]
           LB.LEAGUE.ADD league 1 new AT @2019-03-19 => [1 1 1]
           LB.LEAGUE.ADD league 5 ann AT @2019-03-18T11:00 ID three => [nil nil 0]
           LB.LEAGUE.ADD league 5 ann AT @2019-03-19T10:59 ID three => [nil nil 0]
           LB.LEAGUE.JOIN league new AT @2019-03-19T11:30 META x
           LB.LEAGUE.ADD league 5 ann AT @2019-03-19T11:45 ID three => [5 1 1]"#,
    );
}

#[test]
fn a_shorter_memory_of_requests_forgets_at_once_and_none_remembers_nothing() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS t PROMOTE 0 DEMOTE 0 CYCLE day CLOCK EVENT DEDUP 3600
           LB.LEAGUE.ADD league 5 ann AT 1000000 ID one => [5 1 1]
           LB.LEAGUE.ADD league 5 ann AT 2000000 ID two => [10 1 1]
           LB.LEAGUE.ALTER league DEDUP 600 => OK
           LB.LEAGUE.ALTER league DEDUP 3600 => OK
           LB.LEAGUE.ADD league 5 ann AT 2000000 ID two => [10 1 0]
           LB.LEAGUE.ADD league 5 ann AT 2000000 ID one => [15 1 1]
           LB.LEAGUE.ALTER league DEDUP 0 => OK
           LB.LEAGUE.ADD league 5 ann AT 2000000 ID two => [20 1 1]
           LB.LEAGUE.ADD league 5 ann AT 2000000 ID two => [25 1 1]"#,
    );
}

#[test]
fn scores_are_exact_decimals() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS t,u PROMOTE 1,0 DEMOTE 0,1 CYCLE day CLOCK EVENT DECIMALS 2 REWARD 1
           LB.LEAGUE.ADD league 0.1 ann AT 1000 => ["0.1" 1 1]
           LB.LEAGUE.ADD league 0.20 ann AT 1000 => ["0.3" 1 1]
           LB.LEAGUE.ADD league -1.25 bob AT 1000 => ["-1.25" 2 1]
           LB.LEAGUE.ADD league 92233720368547758.07 cat AT 1000 => ["92233720368547758.07" 1 1]
           LB.LEAGUE.ADD league 0 dan AT 1000 => ["0" 3 1]
           LB.LEAGUE.TOP league ann => [[1 "cat" "92233720368547758.07" nil] [2 "ann" "0.3" nil] [3 "dan" "0" nil] [4 "bob" "-1.25" nil]]
           LB.LEAGUE.STANDING league bob => [place(t 1 4 4) "score" "-1.25" "zone" "stay"]
           LB.LEAGUE.JOIN league cat AT 86400000 => [place(u 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "1970-01-01" place(t 1 1 4) "score" "92233720368547758.07" "outcome" "promoted" "reward" 1]]
           LB.LEAGUE.JOIN league bob AT 86400000 => [place(t 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "1970-01-01" place(t 1 4 4) "score" "-1.25" "outcome" "stayed" "reward" 0]]"#,
    );
}

#[test]
fn scores_reach_to_both_ends_of_their_range() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS t PROMOTE 0 DEMOTE 0 CYCLE day CLOCK EVENT
           LB.LEAGUE.ADD league 9223372036854775807 ann AT 1000 => [9223372036854775807 1 1]
           LB.LEAGUE.ADD league -9223372036854775807 bob AT 1000 => [-9223372036854775807 2 1]
           LB.LEAGUE.ADD league 1 ann AT 1000 => ERR the score would be out of range
           LB.LEAGUE.ADD league -1 bob AT 1000 => ERR the score would be out of range
           LB.LEAGUE.ADD league -9223372036854775807 ann AT 1000 => [0 1 1]
           LB.LEAGUE.ADD league 9223372036854775807 bob AT 1000 => [0 2 1]"#,
    );
}

#[test]
fn who_is_removed_leaves_the_group_and_comes_back_as_new() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS t,u PROMOTE 1,0 DEMOTE 0,1 CYCLE day CLOCK EVENT
           LB.LEAGUE.ADD league 5 ann AT 1000
           LB.LEAGUE.ADD league 4 bob AT 1000
           LB.LEAGUE.SETMETA league ann text
           LB.LEAGUE.ADD league 3 NOW AT 1000 => [3 3 1]
           LB.LEAGUE.TIER league idle u
           LB.LEAGUE.SETMETA league reader text
           LB.LEAGUE.REM league ann ann nobody idle reader => 3
           LB.LEAGUE.REM league ann idle reader => 0
           LB.LEAGUE.STANDING league ann => nil
           LB.LEAGUE.STANDING league NOW => [place(t 1 2 2) "score" 3 "zone" "stay"]
           LB.LEAGUE.REM league NOW => 1
           LB.LEAGUE.STANDING league bob => [place(t 1 1 1) "score" 4 "zone" "promote"]
           LB.LEAGUE.JOIN league ann AT 1000 => [place(t 1 2 2) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league idle AT 1000 => [place(t 1 3 3) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.TOP league bob => [[1 "bob" 4 nil] [2 "ann" 0 nil] [3 "idle" 0 nil]]
           LB.LEAGUE.REM league NOW 5 => 0
           LB.LEAGUE.REM league NOW now bob => 1"#,
    );
}
