//! Boundaries that no write has made final: commands pay as if a write had come first.

use super::{DAY, Servers};

const BEGIN: u64 = 10 * DAY;

/// A board on the server's clock, of which `ann`, `bob` and `eve` have 5, 4 and 3 points in the tenth day.
fn served(rules: &str) -> Servers {
    let servers = Servers::new(BEGIN);
    servers.says(&format!("LB.CREATE b {rules}"), "OK");
    servers.run("LB.MADD b 5 ann 4 bob 3 eve");
    servers
}

#[test]
fn a_claim_pays_by_its_own_table_after_another_was_ended() {
    let mut servers = served("VIEWS day,day:2 RETAIN 1 PRIZES day 1=own PRIZES day:2 1-3=other");
    servers.says("LB.ALTER b PRIZES day ''", "OK");
    servers.set_clock(BEGIN + DAY);
    servers.says("LB.CLAIM b bob VIEW day:2 ID x", "[other 2 1]");
    servers.says("LB.CLAIM b bob VIEW day:2 ID x", "[other 2 1]");
    servers.set_clock(BEGIN + 2 * DAY);
    servers.says("LB.CLAIM b eve VIEW day:2 AT 864000000 ID y", "[other 3 1]");
    servers.says("LB.CLAIM b eve VIEW day AT 864000000", "nil");
}

#[test]
fn an_ended_table_does_not_change_the_default_view_later() {
    let servers = Servers::new(0);
    let tables = "PRIZES day 1=daily PRIZES day:2 1=both";
    servers.says(&format!("LB.CREATE b VIEWS day,day:2 CLOCK EVENT RETAIN 1 PRIZEDAYS 1 {tables}"), "OK");
    servers.says("LB.ADD b 80 m8 AT 5", "[80 1 1]");
    servers.says("LB.PRIZES b 0 PERIOD 0", "[0 [[1 m8 80 daily nil]]]");
    servers.says(&format!("LB.ALTER b NOW {DAY}"), "OK");
    servers.says("LB.ALTER b PRIZES day ''", "OK");
    servers.says("LB.PRIZES b 0 PERIOD 0", "[0 [[1 m8 80 both nil]]]");
    servers.says(&format!("LB.ALTER b NOW {}", 5 * DAY), "OK");
    servers.says(&format!("LB.ADD b 7 m1 AT {}", 5 * DAY), "[7 1 1]");
    servers.says("LB.PRIZES b 0 PERIOD 0", "[0 [[1 m1 7 both nil]]]");
}

#[test]
fn a_removed_winner_loses_its_prize_before_the_first_write_too() {
    let mut servers = served("VIEWS day RETAIN 0 PRIZES day 1-3=prize");
    servers.set_clock(BEGIN + 2 * DAY);
    servers.says("LB.REM b ann", "1");
    servers.says("LB.REM b ann", "0");
    servers.says("LB.CLAIM b ann PERIOD -2", "nil");
    servers.says("LB.PRIZES b 0 PERIOD -2", "[0 [[2 bob 4 prize nil] [3 eve 3 prize nil]]]");
}

#[test]
fn nobody_moves_up_in_a_period_that_has_left_retain() {
    for command in ["LB.HIDE", "LB.REM"] {
        let mut servers = served("VIEWS day RETAIN 0 PRIZES day 1=gold,2=silver");
        servers.set_clock(BEGIN + 2 * DAY);
        servers.says(&format!("{command} b ann"), "1");
        servers.says("LB.CLAIM b bob PERIOD -2", "[silver 2 1]");
        servers.says("LB.CLAIM b eve PERIOD -2", "nil");
    }
    let mut servers = served("VIEWS day RETAIN 0 PRIZES day 1=gold,2=silver");
    servers.says("LB.HIDE b ann", "1");
    servers.set_clock(BEGIN + 2 * DAY);
    servers.says("LB.UNHIDE b ann", "1");
    servers.says("LB.CLAIM b ann PERIOD -2", "nil");
    servers.says("LB.CLAIM b bob PERIOD -2", "[gold 1 1]");
}

#[test]
fn a_quiet_week_of_minutes_loses_no_prize() {
    for rules in [
        "minute",
        "minute:5",
        "minute CARRY minute=0.5",
        "minute DECAY minute=0.5",
        "minute RETAIN 3 SEGMENTS c",
        "minute:2 AGGREGATE MAX",
    ] {
        let servers = Servers::new(0);
        let view = rules.split(' ').next().unwrap();
        servers.says(&format!("LB.CREATE b VIEWS {rules} CLOCK EVENT PRIZES {view} 1=gold"), "OK");
        servers.says("LB.ADD b 8 ann AT 120001", "[8 1 1]");
        servers.says(&format!("LB.ALTER b NOW {}", 8 * DAY), "OK");
        servers.says("LB.PRIZES b 0 AT 120001", "[0 [[1 ann 8 gold nil]]]");
        servers.says(&format!("LB.ADD b 1 bob AT {}", 8 * DAY), "[1 1 1]");
        servers.says("LB.CLAIM b ann AT 120001", "[gold 1 1]");
    }
}

#[test]
fn a_removed_winner_of_a_league_loses_its_prize_before_the_first_write_too() {
    let mut servers = Servers::new(BEGIN);
    servers.says(
        "LB.LEAGUE.CREATE b TIERS a PROMOTE 0 DEMOTE 0 CYCLE day RETAIN 0 PRIZES a 1=gold,2=silver",
        "OK",
    );
    servers.run("LB.LEAGUE.ADD b 5 ann");
    servers.run("LB.LEAGUE.ADD b 4 bob");
    servers.run("LB.LEAGUE.ADD b 3 eve");
    servers.set_clock(BEGIN + 2 * DAY);
    servers.says("LB.LEAGUE.REM b ann", "1");
    servers.says("LB.LEAGUE.CLAIM b ann PERIOD -2", "nil");
    let claim = servers.run("LB.LEAGUE.CLAIM b bob PERIOD -2");
    assert_eq!(claim, "[silver 2 1]");
    servers.says("LB.LEAGUE.CLAIM b eve PERIOD -2", "nil");
}

#[test]
fn a_quiet_week_after_the_end_of_a_table_loses_no_prize() {
    let servers = Servers::new(0);
    servers.says("LB.CREATE b VIEWS minute CLOCK EVENT RETAIN 5 PRIZES minute 1=gold", "OK");
    servers.says("LB.ADD b 8 ann AT 120001", "[8 1 1]");
    servers.says("LB.ALTER b NOW 180001", "OK");
    servers.says("LB.ALTER b PRIZES minute ''", "OK");
    servers.says(&format!("LB.ADD b 1 bob AT {}", 8 * DAY), "[1 1 1]");
    servers.says("LB.CLAIM b bob PERIOD -1", "nil");
    servers.says("LB.CLAIM b ann AT 120001", "[gold 1 1]");
}

#[test]
fn winners_are_fixed_anew_after_a_clock_was_put_right() {
    let mut servers = served("VIEWS day RETAIN 0 PRIZES day 1=gold");
    servers.set_clock(BEGIN + 3 * DAY);
    servers.says("LB.HIDE b eve", "1");
    servers.set_clock(BEGIN + 5);
    servers.says("LB.ADD b 9 bob", "[13 1 1]");
    servers.set_clock(BEGIN + 3 * DAY);
    servers.says("LB.REM b eve", "1");
    servers.says("LB.CLAIM b ann PERIOD -3", "nil");
    servers.says("LB.CLAIM b bob PERIOD -3", "[gold 1 1]");
}

#[test]
fn winners_of_a_league_are_fixed_anew_after_a_clock_was_put_right() {
    let mut servers = Servers::new(BEGIN);
    let rules = "TIERS a PROMOTE 0 DEMOTE 0 CYCLE day RETAIN 0 PRIZES a 1=gold";
    servers.says(&format!("LB.LEAGUE.CREATE b {rules}"), "OK");
    servers.run("LB.LEAGUE.ADD b 5 ann");
    servers.run("LB.LEAGUE.ADD b 4 bob");
    servers.run("LB.LEAGUE.ADD b 3 eve");
    servers.says("LB.LEAGUE.REM b eve", "1");
    servers.set_clock(BEGIN + 3 * DAY);
    servers.says("LB.LEAGUE.REM b eve", "0");
    servers.set_clock(BEGIN + 5);
    servers.run("LB.LEAGUE.ADD b 9 bob");
    servers.set_clock(BEGIN + 3 * DAY);
    servers.says("LB.LEAGUE.REM b eve", "0");
    servers.says("LB.LEAGUE.CLAIM b ann PERIOD -3", "nil");
    let claim = servers.run("LB.LEAGUE.CLAIM b bob PERIOD -3");
    assert!(claim.starts_with("[gold 1 1"), "{claim}");
}
