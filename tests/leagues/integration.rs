//! Tests of leagues with other features of the server: events, transactions, counters, keys and the memory limit.

use leaderboard_testkit::session::say;
use leaderboard_testkit::{Flavor, Server, info, query, wait_until};
use redis::Connection;

use super::play;

#[test]
fn transactions_and_scripts_join_and_play() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            r#"MULTI
               LB.LEAGUE.CREATE league TIERS a PROMOTE 0 DEMOTE 0 CYCLE year
               LB.LEAGUE.ADD league 5 ann ID one
               LB.LEAGUE.ADD league 5 ann ID one
               LB.LEAGUE.ADD league x ann
               LB.LEAGUE.STANDING league ann
               DISCARD
               EXISTS league => 0
               MULTI
               LB.LEAGUE.CREATE league TIERS a PROMOTE 0 DEMOTE 0 CYCLE year
               LB.LEAGUE.ADD league 5 ann ID one
               LB.LEAGUE.ADD league 5 ann ID one
               LB.LEAGUE.STANDING league ann
               EXEC => [OK [5 1 1] [5 1 0] [place(a 1 1 1) "score" 5 "zone" "stay"]]"#,
        );
        let script = "return redis.call('LB.LEAGUE.ADD', KEYS[1], 2, 'ann')";
        assert_eq!(query::<[u64; 3], _>(&mut con, &["EVAL", script, "1", "league"]), [7, 1, 1]);
        let script = "return redis.pcall('LB.LEAGUE.ADD', KEYS[1], 2, 'ann', 'NOW', 5)['err']";
        let error: String = query(&mut con, &["EVAL", script, "1", "league"]);
        assert!(error.ends_with("unknown option 'NOW'"), "{error}");
    }
}

fn counters(con: &mut Connection) -> String {
    let fields =
        ["leagues", "league_members", "writes", "repeated_requests", "writes_held_back", "boards", "members"];
    fields.map(|field| info(con, "leaderboard", &format!("leaderboard_{field}"))).join(" ")
}

#[test]
fn info_counts_leagues_and_their_members_apart() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for (line, expected) in [
            (
                "CREATE l TIERS a PROMOTE 0 DEMOTE 0 CYCLE 100s CLOCK EVENT JOINUNTIL 0.5 DEDUP 9999",
                "1 0 0 0 0 0 0",
            ),
            ("JOIN l ann AT 110000", "1 1 1 0 0 0 0"),
            ("JOIN l ann AT 110000", "1 1 1 0 0 0 0"),
            ("ADD l 5 bob AT 110000 ID one", "1 2 2 0 0 0 0"),
            ("ADD l 5 bob AT 110000 ID one", "1 2 2 1 0 0 0"),
            ("ADD l 5 cat AT 99999", "1 2 2 1 1 0 0"),
            ("JOIN l cat AT 150000", "1 2 2 1 2 0 0"),
            ("ADD l 5 cat AT 150000", "1 2 2 1 3 0 0"),
            ("ADD l x cat AT 150000", "1 2 2 1 3 0 0"),
            ("TIER l dan a", "1 3 2 1 3 0 0"),
            ("SETMETA l eve x", "1 4 2 1 3 0 0"),
            ("SETMETA l eve <0>", "1 3 2 1 3 0 0"),
            ("REM l ann bob", "1 1 2 1 3 0 0"),
        ] {
            say(&mut con, &format!("LB.LEAGUE.{line}"));
            assert_eq!(counters(&mut con), expected, "{flavor:?}: {line}");
        }
        play(&mut con, "COPY l m\nLB.ADD board 5 ann\nDEBUG RELOAD");
        wait_until(|| counters(&mut con) == "2 2 3 1 3 1 1");
        play(&mut con, "DEL l m board\nFLUSHALL ASYNC");
        wait_until(|| counters(&mut con) == "0 0 3 1 3 0 0");
    }
}

#[test]
fn the_key_of_each_command_is_found() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for line in [
            "CREATE league TIERS key,other PROMOTE 1,0 DEMOTE 0,1 CYCLE day",
            "JOIN league member META key",
            "ADD league 5 member ID key",
            "REM league member key",
            "TIER league member key",
            "SETMETA league member key",
            "TOP league member COUNT 5",
            "GROUP league key 1",
            "STANDING league member PERIOD -1",
            "INFO league",
            "ALTER league GROUP 5",
            "RESTORE league chunk",
        ] {
            let line = format!("COMMAND GETKEYS LB.LEAGUE.{line}");
            assert_eq!(say(&mut con, &line), "[\"league\"]", "{flavor:?}: {line}");
        }
    }
}
