//! Tests of LB.LEAGUE.CREATE, LB.LEAGUE.ALTER, LB.LEAGUE.TIER and LB.LEAGUE.INFO: rules, the rules that can be
//! changed, and when a change takes effect.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server};

use super::plays;

/// Returns the value of a field in the reply of LB.LEAGUE.INFO.
fn field(info: &str, name: &str) -> String {
    let (_, rest) = info.split_once(&format!("\"{name}\" ")).expect("the field");
    let end = match rest.as_bytes()[0] {
        b'[' => rest.find(']').expect("the end of an array") + 1,
        _ => rest.find(' ').unwrap_or(rest.len() - 1),
    };
    rest[..end].to_owned()
}

#[track_caller]
fn tells(con: &mut redis::Connection, key: &str, fields: &str) {
    let info = say(con, &format!("LB.LEAGUE.INFO {key}"));
    for line in fields.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (name, expected) = line.split_once(' ').expect("a field and its value");
        assert_eq!(field(&info, name), expected, "{key}: {name}");
    }
}

#[test]
fn a_league_has_the_documented_defaults() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.LEAGUE.CREATE league TIERS a,b PROMOTE 10,0 DEMOTE 0,20% CYCLE week");
    tells(
        &mut con,
        "league",
        r#"tiers "a,b"
           promote "10,0"
           demote "0,20%"
           cycle "week"
           joinuntil "1"
           tz "UTC"
           weekstart "MON"
           clock "SERVER"
           group 100
           reward 0
           idle 0
           retain 1
           decimals 0
           origin 0
           dedup 600
           known 0
           requests 0
           members [0 0]
           groups [0 0]"#,
    );
}

#[test]
fn all_rules_can_be_said_and_are_told() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        "lb.league.create league dedup 5 clock event decimals 3 origin 7 weekstart SUN tz Asia/Shanghai retain 9
             idle 2 joinuntil 0.125 reward 3 group 1000000 cycle WEEK demote 0,0%,7,100% promote 3,0.01%,1000000,0
             tiers a,b,\\xff,d => OK"
            .replace("\n             ", " ")
            .as_str(),
    );
    let rules = r#"tiers "a,b,\xff,d"
        promote "3,0.01%,1000000,0"
        demote "0,0%,7,100%"
        cycle "week"
        joinuntil "0.125"
        tz "Asia/Shanghai"
        weekstart "SUN"
        clock "EVENT"
        group 1000000
        reward 3
        idle 2
        retain 9
        decimals 3
        origin 7
        dedup 5"#;
    tells(&mut con, "league", rules);
    play(&mut con, &crate::periods::dated("LB.LEAGUE.ADD league 0.125 ann AT @2019-03-16T16:00 ID one"));
    let now = r#"period "2019-W12"
        start @2019-03-16T16:00
        end @2019-03-23T16:00
        now @2019-03-16T16:00
        known 1
        requests 1
        members [1 0 0 0]
        groups [1 0 0 0]"#;
    tells(&mut con, "league", &crate::periods::dated(now));
    play(&mut con, "DEBUG RELOAD");
    tells(&mut con, "league", rules);
    tells(&mut con, "league", &crate::periods::dated(now));
    assert!(field(&say(&mut con, "LB.LEAGUE.INFO league"), "memory").parse::<u64>().unwrap() > 0);
}

#[test]
fn what_may_change_does_and_the_rest_stays() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        "LB.LEAGUE.CREATE league TIERS a,b PROMOTE 10,0 DEMOTE 0,20% CYCLE 10s CLOCK EVENT DECIMALS 1
         LB.LEAGUE.ALTER league PROMOTE 5%,0 => OK
         LB.LEAGUE.ALTER league dedup 7 idle 1 RETAIN 10000 REWARD 1000000 GROUP 1 JOINUNTIL 0.5 DEMOTE 0,1 => OK",
    );
    tells(
        &mut con,
        "league",
        r#"tiers "a,b"
           promote "5%,0"
           demote "0,1"
           cycle "10s"
           joinuntil "0.5"
           clock "EVENT"
           group 1
           reward 1000000
           idle 1
           retain 10000
           decimals 1
           dedup 7"#,
    );
}

#[test]
fn limits_of_the_rules_are_taken() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let names: Vec<String> = (0..64).map(|n| format!("t{n}")).collect();
    let (names, zeros) = (names.join(","), vec!["0"; 64].join(","));
    play(
        &mut con,
        &format!(
            "LB.LEAGUE.CREATE many TIERS {names} PROMOTE {zeros} DEMOTE {zeros} CYCLE 1s IDLE 64 RETAIN 10000 => OK
             LB.LEAGUE.CREATE long TIERS <64>,x PROMOTE 0,0 DEMOTE 0,0 CYCLE year DECIMALS 9 => OK
             LB.LEAGUE.CREATE one TIERS t PROMOTE 0 DEMOTE 0% CYCLE month JOINUNTIL 0.000000001 GROUP 1 => OK
             LB.LEAGUE.CREATE bytes TIERS \\xff\\xfe,A,a PROMOTE 1,1,0 DEMOTE 0,1,1 CYCLE minute JOINUNTIL 1.0 => OK
             LB.LEAGUE.CREATE whole TIERS a,b PROMOTE 100%,0.00% DEMOTE 0,100% CYCLE hour DEDUP 0 => OK"
        ),
    );
    tells(&mut con, "many", &format!("tiers \"{names}\""));
    tells(&mut con, "one", "joinuntil \"0.000000001\"\ndemote \"0%\"");
    play(&mut con, "DEBUG RELOAD");
    tells(&mut con, "many", &format!("tiers \"{names}\""));
}

#[test]
fn shares_altered_in_a_period_count_for_it_and_not_for_those_that_ended() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE week CLOCK EVENT REWARD 1 RETAIN 2
           LB.LEAGUE.ADD league 3 x AT @2019-03-18
           LB.LEAGUE.ADD league 2 y AT @2019-03-18
           LB.LEAGUE.ADD league 1 z AT @2019-03-18
           LB.LEAGUE.ADD league 1 x AT @2019-03-25
           LB.LEAGUE.ALTER league PROMOTE 3,0 DEMOTE 0,0 REWARD 9
           LB.LEAGUE.STANDING league x => [place(b 1 1 1) "score" 1 "zone" "stay"]
           LB.LEAGUE.STANDING league y PERIOD -1 => [place(a 1 2 3) "score" 2 "zone" "stay"]
           LB.LEAGUE.JOIN league y AT @2019-03-25 => [place(a 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-W12" place(a 1 2 3) "score" 2 "outcome" "stayed" "reward" 0]]
           LB.LEAGUE.STANDING league y => [place(a 1 1 1) "score" 0 "zone" "promote"]
           LB.LEAGUE.JOIN league x AT @2019-04-01 => [place(b 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-W13" place(b 1 1 1) "score" 1 "outcome" "stayed" "reward" 1]]
           LB.LEAGUE.JOIN league y AT @2019-04-01 => [place(b 1 2 2) "joined" 1 "waiting" 0 "last" ["period" "2019-W13" place(a 1 1 1) "score" 0 "outcome" "promoted" "reward" 1]]"#,
    );
}

#[test]
fn a_tier_that_is_set_counts_once_at_the_next_join() {
    plays(
        r#"LB.LEAGUE.CREATE league TIERS a,b,c PROMOTE 1,1,0 DEMOTE 0,0,1 CYCLE day CLOCK EVENT IDLE 1
           LB.LEAGUE.TIER league new c => OK
           LB.LEAGUE.JOIN league new AT @2019-03-18 => [place(c 1 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league ann AT @2019-03-18
           LB.LEAGUE.TIER league ann c => OK
           LB.LEAGUE.TIER league new c => OK
           LB.LEAGUE.STANDING league ann => [place(a 1 1 1) "score" 0 "zone" "promote"]
           LB.LEAGUE.JOIN league ann AT @2019-03-18T10:00 => [place(a 1 1 1) "joined" 0 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league new AT @2019-03-25 => [place(c 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-03-18" place(c 1 1 1) "score" 0 "outcome" "demoted" "reward" 0]]
           LB.LEAGUE.ADD league 1 ann AT @2019-03-25 => [1 1 1]
           LB.LEAGUE.STANDING league ann => [place(c 1 1 2) "score" 1 "zone" "stay"]
           LB.LEAGUE.JOIN league ann AT @2019-03-26 => [place(c 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-03-25" place(c 1 1 2) "score" 1 "outcome" "stayed" "reward" 0]]
           LB.LEAGUE.JOIN league new AT @2019-03-26 => [place(b 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-03-25" place(c 1 2 2) "score" 0 "outcome" "demoted" "reward" 0]]
           LB.LEAGUE.TIER league ann c
           LB.LEAGUE.TIER league ann a
           LB.LEAGUE.JOIN league ann AT @2019-03-27 => [place(a 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-03-26" place(c 1 1 1) "score" 0 "outcome" "demoted" "reward" 0]]"#,
    );
}
