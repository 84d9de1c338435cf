//! Tests of LB.LEAGUE.TOP, LB.LEAGUE.GROUP and LB.LEAGUE.STANDING: rows, zones, periods, and absent members and
//! groups.

use super::plays;

const PLAYED: &str = r#"LB.LEAGUE.CREATE league TIERS bronze,silver,gold PROMOTE 1,50%,0 DEMOTE 0,1,1 CYCLE week CLOCK EVENT GROUP 3 RETAIN 2
    LB.LEAGUE.ADD league 5 ann AT @2019-03-18
    LB.LEAGUE.ADD league 4 bob AT @2019-03-18
    LB.LEAGUE.JOIN league cat META text AT @2019-03-18
    LB.LEAGUE.ADD league 1 dan AT @2019-03-18
    LB.LEAGUE.ADD league 2 ann AT @2019-03-25
    LB.LEAGUE.ADD league 3 bob AT @2019-03-25
    LB.LEAGUE.ADD league 4 dan AT @2019-03-25
    LB.LEAGUE.JOIN league eve AT @2019-04-01
"#;

#[track_caller]
fn reads(lines: &str) {
    plays(&format!("{PLAYED}{lines}"));
}

#[test]
fn a_group_is_read_by_member_and_by_place() {
    reads(
        r#"LB.LEAGUE.TOP league eve => [[1 "eve" 0 nil]]
           LB.LEAGUE.TOP league ann => []
           LB.LEAGUE.TOP league ann PERIOD 0 => []
           LB.LEAGUE.TOP league ann PERIOD -2 => [[1 "ann" 5 nil] [2 "bob" 4 nil] [3 "cat" 0 "text"]]
           LB.LEAGUE.TOP league cat PERIOD -2 COUNT 2 => [[1 "ann" 5 nil] [2 "bob" 4 nil]]
           LB.LEAGUE.TOP league cat COUNT 0 PERIOD -2 => []
           LB.LEAGUE.TOP league cat COUNT 9223372036854775807 PERIOD 2019-W12 => [[1 "ann" 5 nil] [2 "bob" 4 nil] [3 "cat" 0 "text"]]
           LB.LEAGUE.TOP league dan PERIOD 2019-W12 => [[1 "dan" 1 nil]]
           LB.LEAGUE.TOP league dan PERIOD -1 => [[1 "dan" 4 nil] [2 "ann" 2 nil]]
           LB.LEAGUE.GROUP league silver 1 PERIOD -1 => [[1 "dan" 4 nil] [2 "ann" 2 nil]]
           LB.LEAGUE.GROUP league bronze 1 PERIOD -1 => [[1 "bob" 3 nil]]
           LB.LEAGUE.GROUP league bronze 2 PERIOD 2019-W12 => [[1 "dan" 1 nil]]
           LB.LEAGUE.GROUP league bronze 1 COUNT 1 PERIOD 2019-W12 => [[1 "ann" 5 nil]]
           LB.LEAGUE.GROUP league gold 1 PERIOD 2019-W12 => []
           LB.LEAGUE.GROUP league gold 1 => []
           LB.LEAGUE.GROUP league bronze 1 => [[1 "eve" 0 nil]]"#,
    );
}

#[test]
fn a_standing_tells_where_the_member_moves() {
    reads(
        r#"LB.LEAGUE.STANDING league eve => [place(bronze 1 1 1) "score" 0 "zone" "promote"]
           LB.LEAGUE.STANDING league ann => nil
           LB.LEAGUE.STANDING league ann PERIOD -1 => [place(silver 1 2 2) "score" 2 "zone" "demote"]
           LB.LEAGUE.STANDING league dan PERIOD -1 => [place(silver 1 1 2) "score" 4 "zone" "promote"]
           LB.LEAGUE.STANDING league dan PERIOD -2 => [place(bronze 2 1 1) "score" 1 "zone" "promote"]
           LB.LEAGUE.STANDING league cat PERIOD -2 => [place(bronze 1 3 3) "score" 0 "zone" "stay"]
           LB.LEAGUE.STANDING league cat PERIOD -1 => nil"#,
    );
}

#[test]
fn periods_go_by_number_and_label_and_those_not_kept_are_empty() {
    reads(
        r#"LB.LEAGUE.STANDING league ann PERIOD 2019-W13 => [place(silver 1 2 2) "score" 2 "zone" "demote"]
           LB.LEAGUE.STANDING league eve PERIOD 2019-W14 => [place(bronze 1 1 1) "score" 0 "zone" "promote"]
           LB.LEAGUE.STANDING league eve PERIOD 2019-W15 => nil
           LB.LEAGUE.STANDING league ann PERIOD 2019-W11 => nil
           LB.LEAGUE.STANDING league ann PERIOD -3 => nil
           LB.LEAGUE.STANDING league ann PERIOD -10000 => nil
           LB.LEAGUE.TOP league ann PERIOD -3 => []
           LB.LEAGUE.GROUP league bronze 1 PERIOD -3 => []
           LB.LEAGUE.GROUP league bronze 77 PERIOD -3 => []
           LB.LEAGUE.GROUP league bronze 77 PERIOD 2019-W15 => []
           LB.LEAGUE.ALTER league RETAIN 1 => OK
           LB.LEAGUE.STANDING league dan PERIOD -2 => nil
           LB.LEAGUE.ALTER league RETAIN 9 => OK
           LB.LEAGUE.STANDING league dan PERIOD -2 => nil
           LB.LEAGUE.GROUP league bronze 1 PERIOD -2 => []
           LB.LEAGUE.STANDING league dan PERIOD -1 => [place(silver 1 1 2) "score" 4 "zone" "promote"]"#,
    );
}

#[test]
fn what_is_absent_is_nil_or_empty() {
    plays(
        r#"LB.LEAGUE.TOP absent ann => []
           LB.LEAGUE.TOP absent ann COUNT 5 PERIOD -1 => []
           LB.LEAGUE.GROUP absent gold 1 => []
           LB.LEAGUE.GROUP absent gold 99 PERIOD 2019-W12 => []
           LB.LEAGUE.STANDING absent ann => nil
           LB.LEAGUE.STANDING absent ann PERIOD -1 => nil
           LB.LEAGUE.INFO absent => nil
           LB.LEAGUE.REM absent ann => 0
           LB.LEAGUE.CREATE league TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE week CLOCK EVENT
           LB.LEAGUE.TOP league ann => []
           LB.LEAGUE.STANDING league ann => nil
           LB.LEAGUE.GROUP league a 1 => []
           LB.LEAGUE.GROUP league b 1 => []
           LB.LEAGUE.REM league ann => 0
           LB.LEAGUE.TIER league ann b => OK
           LB.LEAGUE.SETMETA league ann text => OK
           LB.LEAGUE.TOP league ann => []
           LB.LEAGUE.STANDING league ann => nil
           EXISTS absent => 0"#,
    );
}

#[test]
fn zones_follow_shares_counts_and_the_size_of_the_group() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS low,mid,top PROMOTE 2,40%,0 DEMOTE 0,34%,33.33% CYCLE week CLOCK EVENT
           LB.LEAGUE.ADD league 3 a AT 1000
           LB.LEAGUE.STANDING league a => [place(low 1 1 1) "score" 3 "zone" "promote"]
           LB.LEAGUE.ADD league 2 b AT 1000
           LB.LEAGUE.ADD league 1 c AT 1000
           LB.LEAGUE.STANDING league b => [place(low 1 2 3) "score" 2 "zone" "promote"]
           LB.LEAGUE.STANDING league c => [place(low 1 3 3) "score" 1 "zone" "stay"]
           LB.LEAGUE.TIER league d mid
           LB.LEAGUE.TIER league e mid
           LB.LEAGUE.TIER league f mid
           LB.LEAGUE.ADD league 3 d AT 1000
           LB.LEAGUE.STANDING league d => [place(mid 1 1 1) "score" 3 "zone" "stay"]
           LB.LEAGUE.ADD league 2 e AT 1000
           LB.LEAGUE.ADD league 1 f AT 1000
           LB.LEAGUE.STANDING league d => [place(mid 1 1 3) "score" 3 "zone" "promote"]
           LB.LEAGUE.STANDING league e => [place(mid 1 2 3) "score" 2 "zone" "stay"]
           LB.LEAGUE.STANDING league f => [place(mid 1 3 3) "score" 1 "zone" "demote"]
           LB.LEAGUE.ALTER league PROMOTE 1,100%,0 DEMOTE 0,100%,9
           LB.LEAGUE.STANDING league f => [place(mid 1 3 3) "score" 1 "zone" "promote"]
           LB.LEAGUE.STANDING league b => [place(low 1 2 3) "score" 2 "zone" "stay"]"#,
    );
}
