//! Tests of leagues that use the server's time: periods that end without a command, servers that were stopped, and
//! clocks that jumped and were corrected.

use leaderboard_testkit::session::say;
use leaderboard_testkit::{Flavor, Server, digest, query, wait_for_sync, wait_until};
use redis::Connection;

use super::{placed, play};
use crate::periods::idle::stopped_since;

fn now(con: &mut Connection) -> u64 {
    let [seconds, micros]: [u64; 2] = query(con, &["TIME"]);
    seconds * 1_000 + micros / 1_000
}

/// Makes a league with seasons of one second, and runs these lines in the same transaction, so that all are in one
/// season. Returns the start of this season in ms.
fn begin(con: &mut Connection, lines: &str) -> u64 {
    let rules = "TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 1s REWARD 1 RETAIN 10000";
    let create = format!("LB.LEAGUE.CREATE live {rules} ORIGIN {}", now(con));
    play(con, &format!("MULTI\n{create}\n{lines}\nLB.LEAGUE.INFO live"));
    let told = say(con, "EXEC");
    let (_, start) = told.split_once("\"start\" ").expect("the beginning");
    start.split(' ').next().unwrap_or_default().parse().expect("a moment")
}

/// Waits until the server's clock reaches a moment.
fn pass(con: &mut Connection, moment: u64) {
    wait_until(|| now(con) >= moment);
}

#[test]
fn the_servers_clock_alone_ends_a_season() {
    let server = Server::start(Flavor::Redis82);
    let mut con = server.connection();
    let start = begin(&mut con, "LB.LEAGUE.ADD live 5 ann\nLB.LEAGUE.ADD live 4 bob");
    pass(&mut con, start + 1_000);
    play(
        &mut con,
        &format!(
            r#"LB.LEAGUE.STANDING live ann => nil
                   LB.LEAGUE.GROUP live a 1 => []
                   LB.LEAGUE.TOP live bob PERIOD {start} => [[1 "ann" 5 nil] [2 "bob" 4 nil]]
                   LB.LEAGUE.ADD live 9 bob AT {} => [nil nil 0]
                   LB.LEAGUE.JOIN live ann => [place(b 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "{start}" place(a 1 1 2) "score" 5 "outcome" "promoted" "reward" 1]]"#,
            start + 999
        ),
    );
}

#[test]
fn who_is_removed_right_behind_a_boundary_stays_in_what_has_ended() {
    let builder = Server::builder(Flavor::Redis62).arg("appendonly", "yes");
    let (mut server, replica) = (builder.start(), Server::start(Flavor::Redis62));
    replica.replica_of(&server);
    let mut con = server.connection();
    let start = begin(
        &mut con,
        "LB.LEAGUE.ADD live 5 ann
         LB.LEAGUE.ADD live 4 bob
         LB.LEAGUE.ADD live 3 NOW
         LB.LEAGUE.REM live bob",
    );
    wait_for_sync(&server, &replica);
    pass(&mut con, start + 1_000);
    play(&mut con, "LB.LEAGUE.REM live NOW bob => 1");
    let ended = format!(
        r#"LB.LEAGUE.TOP live ann PERIOD {start} => [[1 "ann" 5 nil] [2 "NOW" 3 nil]]
               LB.LEAGUE.TOP live NOW => []
               LB.LEAGUE.TOP live bob PERIOD {start} => []"#
    );
    play(&mut con, &ended);
    wait_for_sync(&server, &replica);
    play(&mut replica.connection(), &ended);
    let before = digest(&mut con, "live");
    assert_eq!(digest(&mut replica.connection(), "live"), before);
    server.restart_nosave();
    let mut con = server.connection();
    play(&mut con, &ended);
    assert_eq!(digest(&mut con, "live"), before, "from the file");
    play(&mut con, "LB.LEAGUE.JOIN live NOW => [place(a 1 1 1) \"joined\" 1 \"waiting\" 0 \"last\" nil]");
}

const MARCH: &str =
    "LB.LEAGUE.CREATE league TIERS a,b,c PROMOTE 1,1,0 DEMOTE 0,1,1 CYCLE month REWARD 1 RETAIN 10000
    LB.LEAGUE.ADD league 5 ann AT @2019-03-18 ID one
    LB.LEAGUE.ADD league 4 bob AT @2019-03-19
    LB.LEAGUE.JOIN league cat META Spain AT @2019-03-19
    LB.LEAGUE.TIER league cat c";

#[test]
fn a_league_saved_in_march_goes_on_years_later() {
    for flavor in [Flavor::Redis70, Flavor::Valkey91] {
        let mut server = stopped_since(flavor, MARCH);
        let mut con = server.connection();
        let before = digest(&mut con, "league");
        let session = crate::periods::dated(&placed(
            r#"LB.LEAGUE.TOP league ann => []
               LB.LEAGUE.TOP league ann PERIOD 2019-03 => [[1 "ann" 5 nil] [2 "bob" 4 nil] [3 "cat" 0 "Spain"]]
               LB.LEAGUE.TOP league ann PERIOD -1 => []
               LB.LEAGUE.ADD league 5 ann AT @2019-03-20 => [nil nil 0]"#,
        ));
        play(&mut con, &session);
        assert_eq!(digest(&mut con, "league"), before, "{flavor:?}");
        server.restart();
        let mut con = server.connection();
        play(&mut con, &session);
        assert_eq!(digest(&mut con, "league"), before, "{flavor:?}");
        play(
            &mut con,
            r#"LB.LEAGUE.JOIN league ann => [place(b 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-03" place(a 1 1 3) "score" 5 "outcome" "promoted" "reward" 1]]
               LB.LEAGUE.ALTER league IDLE 1 PROMOTE 3,3,0
               LB.LEAGUE.JOIN league bob => [place(a 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-03" place(a 1 2 3) "score" 4 "outcome" "stayed" "reward" 0]]
               LB.LEAGUE.JOIN league cat => [place(c 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-03" place(a 1 3 3) "score" 0 "outcome" "stayed" "reward" 0]]"#,
        );
    }
}

/// A league with seasons of ten years. The second of these seasons begins at the end of 2029.
const AHEAD: &str =
    "LB.LEAGUE.CREATE league TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 315360000s RETAIN 2 IDLE 1
    LB.LEAGUE.ADD league 4 bob AT @2024-03-18
    LB.LEAGUE.ADD league 4 ann AT @2024-03-19
    LB.LEAGUE.ADD league 1 cat AT @2024-03-20
    LB.LEAGUE.TIER league eve b
    LB.LEAGUE.ADD league 9 ann AT @2031-03-18
    LB.LEAGUE.ADD league 9 eve AT @2031-03-18
    LB.LEAGUE.ADD league 9 bob AT @2031-03-18
    LB.LEAGUE.REM league NOW @2031-03-18 bob";

#[test]
fn a_clock_that_is_put_right_finds_its_season_again() {
    let server = stopped_since(Flavor::Redis70, AHEAD);
    let mut con = server.connection();
    let before = digest(&mut con, "league");
    play(
        &mut con,
        r#"LB.LEAGUE.STANDING league ann => [place(a 1 2 3) "score" 4 "zone" "stay"]
           LB.LEAGUE.STANDING league eve => nil
           LB.LEAGUE.STANDING league ann PERIOD -1 => nil
           LB.LEAGUE.STANDING league ann PERIOD 1892160000000 => nil
           LB.LEAGUE.TOP league ann => [[1 "bob" 4 nil] [2 "ann" 4 nil] [3 "cat" 1 nil]]
           DEBUG RELOAD"#,
    );
    assert_eq!(digest(&mut con, "league"), before);
    play(
        &mut con,
        r#"LB.LEAGUE.JOIN league ann => [place(a 1 2 3) "joined" 0 "waiting" 0 "last" nil]
           LB.LEAGUE.JOIN league eve => [place(b 1 1 1) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.ADD league 1 ann => [5 1 1]
           LB.LEAGUE.ADD league 4 cat => [5 2 1]
           LB.LEAGUE.JOIN league bob => [place(a 1 3 3) "joined" 1 "waiting" 0 "last" nil]
           LB.LEAGUE.TOP league ann => [[1 "ann" 5 nil] [2 "cat" 5 nil] [3 "bob" 0 nil]]"#,
    );
    let after = say(&mut con, "LB.LEAGUE.TOP league ann");
    play(&mut con, "DEBUG RELOAD");
    assert_eq!(say(&mut con, "LB.LEAGUE.TOP league ann"), after);
}
