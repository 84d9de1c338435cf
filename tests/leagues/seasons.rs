//! Tests of whole seasons: promotions and demotions, members who do not join, rewards, and members who were removed.

use super::plays;

/// Plays three weeks of a school's league.
#[test]
fn three_weeks_with_rises_falls_rewards_and_one_who_skips() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS bronze,silver,gold PROMOTE 1,1,0 DEMOTE 0,50%,1 CYCLE week GROUP 3 REWARD 2 CLOCK EVENT IDLE 1 RETAIN 2 DEDUP 1209600
           LB.LEAGUE.ADD league 30 ann AT @2019-03-18T10:00 ID a1 => [30 1 1]
           LB.LEAGUE.ADD league 20 bob AT @2019-03-18T11:00 => [20 2 1]
           LB.LEAGUE.ADD league 10 cat AT @2019-03-19T11:00 => [10 3 1]
           LB.LEAGUE.ADD league 5 dan AT @2019-03-20T11:00 => [5 1 1]
           LB.LEAGUE.JOIN league eve META Eve AT @2019-03-20T12:00 => [place(bronze 2 2 2) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.TIER league fay gold
           LB.LEAGUE.ADD league 1 fay AT @2019-03-21 => [1 1 1]
           LB.LEAGUE.ADD league 30 ann AT @2019-03-24T23:59:59.999 ID a1 => [30 1 0]

           LB.LEAGUE.JOIN league ann AT @2019-03-25T00:00 => [place(silver 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-W12" place(bronze 1 1 3) "score" 30 "outcome" "promoted" "reward" 1]]
           LB.LEAGUE.JOIN league ann AT @2019-03-25T00:01 => [place(silver 1 1 1) "joined" 0 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league bob AT @2019-03-25T08:00 => [place(bronze 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-W12" place(bronze 1 2 3) "score" 20 "outcome" "stayed" "reward" 2]]
           LB.LEAGUE.JOIN league cat AT @2019-03-25T08:00 => [place(bronze 1 2 2) "joined" 1 "waiting" 0 "last" ["period" "2019-W12" place(bronze 1 3 3) "score" 10 "outcome" "stayed" "reward" 0]]
           LB.LEAGUE.ADD league 7 dan AT @2019-03-25T09:00 => [7 1 1]
           LB.LEAGUE.JOIN league dan AT @2019-03-25T09:00 => [place(silver 1 1 2) "joined" 0 "waiting" 0 "last" nil]
           LB.LEAGUE.STANDING league ann => [place(silver 1 2 2) "score" 0 "zone" "demote"]
           LB.LEAGUE.STANDING league fay => nil
           LB.LEAGUE.STANDING league fay PERIOD -1 => [place(gold 1 1 1) "score" 1 "zone" "demote"]
           LB.LEAGUE.ADD league 1 bob AT @2019-03-26 => [1 1 1]

           LB.LEAGUE.JOIN league fay AT @2019-04-01 => [place(bronze 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-W12" place(gold 1 1 1) "score" 1 "outcome" "demoted" "reward" 1]]
           LB.LEAGUE.JOIN league ann AT @2019-04-01 => [place(bronze 1 2 2) "joined" 1 "waiting" 0 "last" ["period" "2019-W13" place(silver 1 2 2) "score" 0 "outcome" "demoted" "reward" 2]]
           LB.LEAGUE.JOIN league dan AT @2019-04-01 => [place(gold 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-W13" place(silver 1 1 2) "score" 7 "outcome" "promoted" "reward" 1]]
           LB.LEAGUE.JOIN league bob AT @2019-04-01 => [place(silver 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-W13" place(bronze 1 1 2) "score" 1 "outcome" "promoted" "reward" 1]]
           LB.LEAGUE.JOIN league eve AT @2019-04-01 => [place(bronze 1 3 3) "joined" 1 "waiting" 0 "last" ["period" "2019-W12" place(bronze 2 2 2) "score" 0 "outcome" "stayed" "reward" 2]]
           LB.LEAGUE.JOIN league cat AT @2019-04-01 => [place(bronze 2 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-W13" place(bronze 1 2 2) "score" 0 "outcome" "stayed" "reward" 2]]
           LB.LEAGUE.GROUP league bronze 1 => [[1 "fay" 0 nil] [2 "ann" 0 nil] [3 "eve" 0 "Eve"]]
           LB.LEAGUE.GROUP league bronze 1 PERIOD -2 => [[1 "ann" 30 nil] [2 "bob" 20 nil] [3 "cat" 10 nil]]
           LB.LEAGUE.GROUP league bronze 2 PERIOD 2019-W12 => [[1 "dan" 5 nil] [2 "eve" 0 "Eve"]]"#,
    );
}

#[test]
fn a_last_season_is_told_however_long_ago_it_was() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS a,b,c,d PROMOTE 1,1,1,0 DEMOTE 0,0,0,0 CYCLE day REWARD 5 CLOCK EVENT RETAIN 0
           LB.LEAGUE.TIER league ann c
           LB.LEAGUE.ADD league 5 ann AT @2019-03-18
           LB.LEAGUE.TIER league bob c
           LB.LEAGUE.ADD league 4 bob AT @2019-03-18
           LB.LEAGUE.ADD league 1 x AT @2019-03-19
           LB.LEAGUE.ADD league 1 x AT @2019-03-20
           LB.LEAGUE.ADD league 1 x AT @2019-05-01
           LB.LEAGUE.STANDING league ann PERIOD 2019-03-18 => nil
           LB.LEAGUE.JOIN league ann AT @2019-05-01 => [place(d 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-03-18" place(c 1 1 2) "score" 5 "outcome" "promoted" "reward" 1]]
           LB.LEAGUE.ALTER league IDLE 1
           LB.LEAGUE.JOIN league bob AT @2024-05-01 => [place(a 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-03-18" place(c 1 2 2) "score" 4 "outcome" "stayed" "reward" 2]]
           LB.LEAGUE.JOIN league ann AT @2024-05-02 => [place(a 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-05-01" place(d 1 1 1) "score" 0 "outcome" "stayed" "reward" 1]]"#,
    );
}

#[test]
fn each_whole_period_away_costs_tiers() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS a,b,c,d,e PROMOTE 1,1,1,1,0 DEMOTE 0,0,0,0,0 CYCLE month CLOCK EVENT IDLE 2 GROUP 1
           LB.LEAGUE.TIER league m e
           LB.LEAGUE.TIER league n e
           LB.LEAGUE.TIER league o d
           LB.LEAGUE.JOIN league m AT @2019-01-31
           LB.LEAGUE.JOIN league n AT @2019-01-31
           LB.LEAGUE.JOIN league o AT @2019-01-31
           LB.LEAGUE.ADD league 1 m AT @2019-02-28
           LB.LEAGUE.STANDING league m => [place(e 1 1 1) "score" 1 "zone" "stay"]
           LB.LEAGUE.ADD league 1 n AT @2019-03-01
           LB.LEAGUE.STANDING league n => [place(c 1 1 1) "score" 1 "zone" "promote"]
           LB.LEAGUE.ALTER league IDLE 1
           LB.LEAGUE.ADD league 1 o AT @2019-04-30
           LB.LEAGUE.STANDING league o => [place(c 1 1 1) "score" 1 "zone" "promote"]
           LB.LEAGUE.ALTER league IDLE 64
           LB.LEAGUE.ADD league 1 o AT @2019-06-30
           LB.LEAGUE.STANDING league o => [place(a 1 1 1) "score" 1 "zone" "promote"]"#,
    );
}

#[test]
fn who_was_removed_is_a_name_in_what_has_ended_and_nothing_else() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE day CLOCK EVENT RETAIN 2
           LB.LEAGUE.ADD league 5 ann AT @2019-03-18
           LB.LEAGUE.SETMETA league ann text
           LB.LEAGUE.ADD league 4 bob AT @2019-03-18
           LB.LEAGUE.ADD league 1 ann AT @2019-03-19
           LB.LEAGUE.JOIN league bob AT @2019-03-19
           LB.LEAGUE.REM league ann => 1
           LB.LEAGUE.REM league ann => 0
           LB.LEAGUE.STANDING league ann => nil
           LB.LEAGUE.GROUP league b 1 => []
           LB.LEAGUE.TOP league bob PERIOD -1 => [[1 "ann" 5 nil] [2 "bob" 4 nil]]
           LB.LEAGUE.STANDING league ann PERIOD -1 => [place(a 1 1 2) "score" 5 "zone" "promote"]
           LB.LEAGUE.JOIN league ann AT @2019-03-19 => [place(a 1 2 2) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.SETMETA league ann new
           LB.LEAGUE.TOP league bob PERIOD -1 => [[1 "ann" 5 "new"] [2 "bob" 4 nil]]
           LB.LEAGUE.JOIN league cat AT @2019-03-20
           LB.LEAGUE.REM league bob => 1
           LB.LEAGUE.TOP league ann PERIOD -1 => [[1 "bob" 0 nil] [2 "ann" 0 "new"]]
           LB.LEAGUE.JOIN league bob AT @2019-03-20 => [place(a 1 2 2) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league ann AT @2019-03-20 => [place(a 1 3 3) "joined" 1 "waiting" 0 "last" ["period" "2019-03-19" place(a 1 2 2) "score" 0 "outcome" "stayed" "reward" 0]]
           LB.LEAGUE.JOIN league bob AT @2019-03-21 => [place(a 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-03-20" place(a 1 2 3) "score" 0 "outcome" "stayed" "reward" 0]]"#,
    );
}

#[test]
fn a_league_of_one_goes_up_and_down() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS a,b PROMOTE 50%,0 DEMOTE 0,1 CYCLE year CLOCK EVENT
           LB.LEAGUE.ADD league 5 ann AT @2019-03-18
           LB.LEAGUE.STANDING league ann => [place(a 1 1 1) "score" 5 "zone" "stay"]
           LB.LEAGUE.ALTER league PROMOTE 1,0
           LB.LEAGUE.STANDING league ann => [place(a 1 1 1) "score" 5 "zone" "promote"]
           LB.LEAGUE.JOIN league ann AT @2020-01-01 => [place(b 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019" place(a 1 1 1) "score" 5 "outcome" "promoted" "reward" 0]]
           LB.LEAGUE.STANDING league ann => [place(b 1 1 1) "score" 0 "zone" "demote"]
           LB.LEAGUE.JOIN league ann AT @2021-01-01 => [place(a 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2020" place(b 1 1 1) "score" 0 "outcome" "demoted" "reward" 0]]"#,
    );
}

#[test]
fn weeks_and_days_are_those_of_the_leagues_zone() {
    plays(
        r#"LB.LEAGUE.CREATE sun TIERS t PROMOTE 0 DEMOTE 0 CYCLE week CLOCK EVENT TZ America/New_York WEEKSTART SUN
           LB.LEAGUE.ADD sun 5 ann AT @2019-03-17T03:59:59.999
           LB.LEAGUE.STANDING sun ann PERIOD 2019-W11 => [place(t 1 1 1) "score" 5 "zone" "stay"]
           LB.LEAGUE.ADD sun 3 ann AT @2019-03-17T04:00 => [3 1 1]
           LB.LEAGUE.STANDING sun ann PERIOD 2019-W12 => [place(t 1 1 1) "score" 3 "zone" "stay"]
           LB.LEAGUE.STANDING sun ann PERIOD -1 => [place(t 1 1 1) "score" 5 "zone" "stay"]
           LB.LEAGUE.CREATE own TIERS t PROMOTE 0 DEMOTE 0 CYCLE 10s CLOCK EVENT ORIGIN 5000
           LB.LEAGUE.ADD own 5 ann AT 14999 => [5 1 1]
           LB.LEAGUE.ADD own 5 ann AT 15000 => [5 1 1]
           LB.LEAGUE.STANDING own ann PERIOD 5000 => [place(t 1 1 1) "score" 5 "zone" "stay"]
           LB.LEAGUE.JOIN own ann AT 25000 => [place(t 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "15000" place(t 1 1 1) "score" 5 "outcome" "stayed" "reward" 0]]
           LB.LEAGUE.CREATE half TIERS t PROMOTE 0 DEMOTE 0 CYCLE day CLOCK EVENT TZ America/New_York JOINUNTIL 0.5
           LB.LEAGUE.JOIN half ann AT @2019-03-10T16:29:59.999 => [place(t 1 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN half bob AT @2019-03-10T16:30 => [place(nil) "joined" 0 "waiting" 1 "last" nil]"#,
    );
}
