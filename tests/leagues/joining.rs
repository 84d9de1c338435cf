//! Tests of LB.LEAGUE.JOIN: groups, places, metas, and joins that change nothing.

use super::plays;

#[test]
fn a_member_joins_the_lowest_tier_and_is_in() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS bronze,silver PROMOTE 1,0 DEMOTE 0,1 CYCLE week CLOCK EVENT => OK
           LB.LEAGUE.JOIN league ann AT @2019-03-18T10:00 => [place(bronze 1 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league ann AT @2019-03-18T11:00 => [place(bronze 1 1 1) "joined" 0 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league bob AT @2019-03-18T10:00 => [place(bronze 1 2 2) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league cat AT @2019-03-18T09:00 => [place(bronze 1 1 3) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league \x00\xff AT @2019-03-18T12:00 => [place(bronze 1 4 4) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league <512> AT @2019-03-18T12:00 => [place(bronze 1 5 5) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.TOP league bob COUNT 4 => [[1 "cat" 0 nil] [2 "ann" 0 nil] [3 "bob" 0 nil] [4 "\x00\xff" 0 nil]]
           LB.LEAGUE.JOIN league bob AT @2019-03-18T08:00 => [place(bronze 1 3 5) "joined" 0 "waiting" 0 "last" nil]"#,
    );
}

#[test]
fn groups_fill_in_the_order_of_joining() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS bronze,silver PROMOTE 1,0 DEMOTE 0,1 CYCLE week CLOCK EVENT GROUP 2
           LB.LEAGUE.JOIN league a AT @2019-03-18 => [place(bronze 1 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league b AT @2019-03-18 => [place(bronze 1 2 2) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league c AT @2019-03-18 => [place(bronze 2 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.TIER league x silver => OK
           LB.LEAGUE.JOIN league x AT @2019-03-18 => [place(silver 1 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.REM league a => 1
           LB.LEAGUE.JOIN league d AT @2019-03-18 => [place(bronze 2 2 2) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.REM league c d => 2
           LB.LEAGUE.GROUP league bronze 2 => []
           LB.LEAGUE.JOIN league e AT @2019-03-18 => [place(bronze 2 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league f AT @2019-03-18 => [place(bronze 2 2 2) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league g AT @2019-03-18 => [place(bronze 3 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.REM league e f => 2
           LB.LEAGUE.GROUP league bronze 2 => []
           LB.LEAGUE.ADD league 1 h AT @2019-03-18 => [1 1 1]
           LB.LEAGUE.STANDING league h => [place(bronze 3 1 2) "score" 1 "zone" "promote"]"#,
    );
}

#[test]
fn a_group_keeps_the_size_that_it_was_opened_with() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS t PROMOTE 0 DEMOTE 0 CYCLE day CLOCK EVENT GROUP 2
           LB.LEAGUE.JOIN league a AT 1000 => [place(t 1 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.ALTER league GROUP 3 => OK
           LB.LEAGUE.JOIN league b AT 1000 => [place(t 1 2 2) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league c AT 1000 => [place(t 2 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.ALTER league GROUP 1 => OK
           LB.LEAGUE.JOIN league d AT 1000 => [place(t 2 2 2) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league e AT 1000 => [place(t 2 3 3) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league f AT 1000 => [place(t 3 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league g AT 1000 => [place(t 4 1 1) "joined" 1 "waiting" 0 "last" nil]"#,
    );
}

#[test]
fn a_late_join_shows_where_the_member_stands_and_does_nothing() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS bronze PROMOTE 0 DEMOTE 0 CYCLE week CLOCK EVENT
           LB.LEAGUE.JOIN league ann AT @2019-03-19 META one
           LB.LEAGUE.JOIN league ann AT @2019-03-17 META two => [place(bronze 1 1 1) "joined" 0 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league bob AT @2019-03-17T23:59:59.999 META two => [place(nil) "joined" 0 "waiting" 0 "last" nil]
           LB.LEAGUE.TOP league ann => [[1 "ann" 0 "one"]]
           LB.LEAGUE.SETMETA league bob <0> => OK
           LB.LEAGUE.REM league bob => 0
           LB.LEAGUE.JOIN league bob AT @2019-03-18 => [place(bronze 1 1 2) "joined" 1 "waiting" 0 "last" nil]"#,
    );
}

#[test]
fn who_comes_after_the_deadline_waits_for_the_next_period() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS bronze PROMOTE 0 DEMOTE 0 CYCLE day CLOCK EVENT JOINUNTIL 0.5
           LB.LEAGUE.JOIN league ann AT @2019-03-18T11:59:59.999 => [place(bronze 1 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league bob AT @2019-03-18T12:00 META text => [place(nil) "joined" 0 "waiting" 1 "last" nil]
           LB.LEAGUE.ADD league 5 bob AT @2019-03-18T12:00 ID one => [nil nil 0]
           LB.LEAGUE.JOIN league ann AT @2019-03-18T12:00 META here => [place(bronze 1 1 1) "joined" 0 "waiting" 0 "last" nil]
           LB.LEAGUE.ADD league 5 ann AT @2019-03-18T23:00 => [5 1 1]
           LB.LEAGUE.ADD league 5 bob AT @2019-03-18T11:00 ID one => [5 1 1]
           LB.LEAGUE.TOP league bob => [[1 "bob" 5 nil] [2 "ann" 5 "here"]]
           LB.LEAGUE.JOIN league cat AT @2019-03-18T23:30 => [place(nil) "joined" 0 "waiting" 1 "last" nil]
           LB.LEAGUE.JOIN league cat AT @2019-03-19 => [place(bronze 1 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.ALTER league JOINUNTIL 1 => OK
           LB.LEAGUE.JOIN league dan AT @2019-03-19T23:59:59.999 => [place(bronze 1 2 2) "joined" 1 "waiting" 0 "last" nil]"#,
    );
}

#[test]
fn a_first_write_that_waits_or_is_late_makes_no_member_known() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS bronze PROMOTE 0 DEMOTE 0 CYCLE day CLOCK EVENT JOINUNTIL 0.5
           LB.LEAGUE.JOIN league ann AT @2019-03-18T13:00 META text => [place(nil) "joined" 0 "waiting" 1 "last" nil]
           LB.LEAGUE.ADD league 5 ann AT @2019-03-18T13:00 => [nil nil 0]
           LB.LEAGUE.REM league ann => 0
           LB.LEAGUE.JOIN league ann AT 5 => [place(bronze 1 1 1) "joined" 1 "waiting" 0 "last" nil]"#,
    );
}

#[test]
fn a_join_sets_the_meta_and_an_empty_one_deletes_it() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS t PROMOTE 0 DEMOTE 0 CYCLE day CLOCK EVENT
           LB.LEAGUE.JOIN league ann AT 1000 META name="Ann"
           LB.LEAGUE.TOP league ann => [[1 "ann" 0 "name=\"Ann\""]]
           LB.LEAGUE.JOIN league ann AT 1000
           LB.LEAGUE.TOP league ann => [[1 "ann" 0 "name=\"Ann\""]]
           LB.LEAGUE.JOIN league ann META \x00\xff AT 1000 => [place(t 1 1 1) "joined" 0 "waiting" 0 "last" nil]
           LB.LEAGUE.TOP league ann => [[1 "ann" 0 "\x00\xff"]]
           LB.LEAGUE.JOIN league ann META <0> AT 1000 => [place(t 1 1 1) "joined" 0 "waiting" 0 "last" nil]
           LB.LEAGUE.TOP league ann => [[1 "ann" 0 nil]]
           LB.LEAGUE.JOIN league bob META <0> AT 1000
           LB.LEAGUE.SETMETA league bob <4096> => OK
           LB.LEAGUE.SETMETA league new text => OK
           LB.LEAGUE.JOIN league new AT 2000
           LB.LEAGUE.GROUP league t 1 COUNT 1 => [[1 "ann" 0 nil]]
           LB.LEAGUE.SETMETA league bob x => OK
           LB.LEAGUE.TOP league bob => [[1 "ann" 0 nil] [2 "bob" 0 "x"] [3 "new" 0 "text"]]
           LB.LEAGUE.SETMETA league bob <0> => OK
           LB.LEAGUE.SETMETA league nobody <0> => OK
           LB.LEAGUE.TOP league bob => [[1 "ann" 0 nil] [2 "bob" 0 nil] [3 "new" 0 "text"]]
           LB.LEAGUE.REM league nobody => 0"#,
    );
}

#[test]
fn a_join_that_only_changes_a_meta_moves_the_clock_and_one_that_does_nothing_does_not() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS t PROMOTE 0 DEMOTE 0 CYCLE day CLOCK EVENT RETAIN 5
           LB.LEAGUE.JOIN league ann AT @2019-03-18T10:00 META a
           LB.LEAGUE.JOIN league ann AT @2019-03-18T12:00 META a
           LB.LEAGUE.ADD league 0 bob AT @2019-03-18T11:00 => [0 2 1]
           LB.LEAGUE.JOIN league ann AT @2019-03-18T12:00 META b
           LB.LEAGUE.STANDING league ann PERIOD 0 => [place(t 1 1 2) "score" 0 "zone" "stay"]
           LB.LEAGUE.TOP league ann => [[1 "ann" 0 "b"] [2 "bob" 0 nil]]"#,
    );
}

#[test]
fn a_late_join_counts_by_its_own_moment_and_one_that_waits_moves_no_clock() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS low,high PROMOTE 1,0 DEMOTE 0,1 CYCLE 10s CLOCK EVENT JOINUNTIL 0.5 => OK
           LB.LEAGUE.GROUP league high 1 => []
           LB.LEAGUE.GROUP league high 2 => ERR group does not exist: the tier has 0
           LB.LEAGUE.JOIN league ann AT 1000 => [place(low 1 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league bob AT 19000 => [place(nil) "joined" 0 "waiting" 1 "last" nil]
           LB.LEAGUE.ADD league 5 bob AT 19000 => [nil nil 0]
           LB.LEAGUE.STANDING league ann => [place(low 1 1 1) "score" 0 "zone" "promote"]
           LB.LEAGUE.ADD league 5 ann AT 8000 => [5 1 1]
           LB.LEAGUE.JOIN league bob AT 5000 => [place(nil) "joined" 0 "waiting" 1 "last" nil]
           LB.LEAGUE.JOIN league bob AT 4999 => [place(low 1 2 2) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.STANDING league ann PERIOD 10000 => nil
           LB.LEAGUE.GROUP league low 1 PERIOD 10000 => []"#,
    );
}
