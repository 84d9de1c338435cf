//! Leagues and the rest of the server: events, transactions, counters, keys, the limit of memory.

use leaderboard_testkit::session::say;
use leaderboard_testkit::{Flavor, Server, err, info, query, run, wait_until};
use redis::Connection;

use super::{kinds, play};
use crate::citizen::events::Events;

const EVENTS: [(&str, &[&str]); 32] = [
    (
        "CREATE league TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 100s CLOCK EVENT JOINUNTIL 0.5",
        &["create league"],
    ),
    ("CREATE league TIERS a PROMOTE 0 DEMOTE 0 CYCLE day", &[]),
    ("CREATE other TIERS a PROMOTE 1 DEMOTE 0 CYCLE day", &[]),
    ("JOIN league ann AT 110000", &["join league"]),
    ("JOIN league ann AT 120000", &[]),
    ("JOIN league ann AT 120000 META x", &["setmeta league"]),
    ("JOIN league ann AT 120000 META x", &[]),
    ("JOIN league bob AT 120000 META x", &["join league"]),
    ("JOIN league cat AT 99999", &[]),
    ("JOIN league cat AT 150000", &[]),
    ("JOIN absent cat AT 150000", &[]),
    ("ADD league 5 ann AT 130000 ID one", &["add league"]),
    ("ADD league 5 ann AT 130000 ID one", &[]),
    ("ADD league 6 ann AT 130000 ID one", &[]),
    ("ADD league 0 dan AT 130000", &["add league"]),
    ("ADD league 5 cat AT 99999", &[]),
    ("ADD league 5 cat AT 150000", &[]),
    ("ADD league x ann AT 130000", &[]),
    ("TIER league ann b", &["tier league"]),
    ("TIER league ann b", &[]),
    ("TIER league ann c", &[]),
    ("SETMETA league ann y", &["setmeta league"]),
    ("SETMETA league ann y", &[]),
    ("SETMETA league nobody <0>", &[]),
    ("ALTER league GROUP 5", &["alter league"]),
    ("ALTER league GROUP 0", &[]),
    ("REM league nobody", &[]),
    ("REM league ann nobody bob", &["rem league"]),
    ("REM absent ann", &[]),
    ("TOP league dan", &[]),
    ("STANDING league dan", &[]),
    ("RESTORE absent nonsense", &[]),
];

#[test]
fn every_change_is_an_event() {
    for (flavor, classes) in
        [(Flavor::Redis62, "EA"), (Flavor::Redis70, "Ed"), (Flavor::Redis82, "Ed"), (Flavor::Valkey91, "Ed")]
    {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let mut events = Events::of(&server, classes);
        for (line, expected) in EVENTS {
            let expected: Vec<String> = expected.iter().map(|event| format!("lb.league.{event}")).collect();
            let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            events.expect(&mut con, &[(&format!("LB.LEAGUE.{line}"), &expected)]);
        }
    }
}

#[test]
fn a_piece_of_a_saved_league_is_an_event() {
    let server = Server::builder(Flavor::Redis70).arg("rdbcompression", "no").start();
    let mut con = server.connection();
    play(&mut con, "LB.LEAGUE.CREATE league TIERS a PROMOTE 0 DEMOTE 0 CYCLE day");
    let dump: Vec<u8> = query(&mut con, &["DUMP", "league"]);
    let head: String = crate::corruption::payload::Payload::parse(&dump).chunks[0]
        .iter()
        .map(|byte| format!("\\x{byte:02x}"))
        .collect();
    Events::of(&server, "EA")
        .expect(&mut con, &[(&format!("LB.LEAGUE.RESTORE again {head}"), &["lb.league.restore again"])]);
}

/// Whether a transaction that watches the league fails after this line of another client.
fn breaks(server: &Server, line: &str) -> bool {
    let (mut watcher, mut other) = (server.connection(), server.connection());
    play(
        &mut other,
        "FLUSHALL
         LB.LEAGUE.CREATE league TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 100s CLOCK EVENT JOINUNTIL 0.5
         LB.LEAGUE.ADD league 5 ann AT 110000 ID one
         LB.LEAGUE.SETMETA league ann text
         LB.LEAGUE.TIER league ann b",
    );
    play(&mut watcher, "WATCH league absent\nMULTI\nPING");
    say(&mut other, &format!("LB.LEAGUE.{line}"));
    say(&mut watcher, "EXEC") == "nil"
}

#[test]
fn changes_break_a_watch_and_nothing_else_does() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for line in [
            "JOIN league bob AT 110000",
            "JOIN league ann AT 110000 META other",
            "ADD league 5 ann AT 110000",
            "ADD league 0 ann AT 110000",
            "REM league ann",
            "TIER league ann a",
            "SETMETA league ann other",
            "ALTER league GROUP 5",
            "CREATE absent TIERS a PROMOTE 0 DEMOTE 0 CYCLE day",
        ] {
            assert!(breaks(&server, line), "{flavor:?}: {line}");
        }
        for line in [
            "JOIN league ann AT 120000",
            "JOIN league bob AT 99999",
            "JOIN league bob AT 150000",
            "ADD league 5 ann AT 110000 ID one",
            "ADD league x ann AT 110000",
            "REM league nobody",
            "TIER league ann b",
            "SETMETA league ann text",
            "TOP league ann PERIOD -1",
            "INFO league",
        ] {
            assert!(!breaks(&server, line), "{flavor:?}: {line}");
        }
    }
}

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
fn at_the_limit_of_memory_leagues_can_be_read_and_made_smaller() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            "LB.LEAGUE.CREATE league TIERS a PROMOTE 0 DEMOTE 0 CYCLE year
             LB.LEAGUE.ADD league 5 ann
             LB.LEAGUE.ADD league 6 bob
             CONFIG SET maxmemory 1",
        );
        for line in [
            "CREATE other TIERS a PROMOTE 0 DEMOTE 0 CYCLE day",
            "JOIN league cat",
            "ADD league 5 ann",
            "TIER league ann a",
            "SETMETA league ann x",
            "RESTORE other x",
        ] {
            let words = leaderboard_testkit::session::words(&format!("LB.LEAGUE.{line}"));
            assert!(err(&mut con, &words).starts_with("OOM "), "{flavor:?}: {line}");
        }
        play(
            &mut con,
            r#"LB.LEAGUE.TOP league ann => [[1 "bob" 6 nil] [2 "ann" 5 nil]]
               LB.LEAGUE.REM league bob => 1
               LB.LEAGUE.ALTER league GROUP 5 => OK
               CONFIG SET maxmemory 0
               LB.LEAGUE.ADD league 5 ann => [10 1 1]"#,
        );
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

#[test]
fn object_scan_and_expiry_take_a_league_as_any_value() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        kinds::make(&mut con);
        play(
            &mut con,
            "TYPE season => lb-league
             OBJECT ENCODING season => \"raw\"
             SCAN 0 TYPE lb-league COUNT 100
             DEBUG OBJECT season
             TOUCH season large => 2
             CONFIG SET maxmemory-policy allkeys-lfu
             OBJECT FREQ season
             EXPIRE season 1000 => 1
             LB.LEAGUE.SETMETA season m0 x => OK
             TTL season => 1000
             PEXPIRE season 1 => 1",
        );
        wait_until(|| say(&mut con, "EXISTS season") == "0");
        play(
            &mut con,
            "LB.LEAGUE.TOP season m0 => []\nLB.LEAGUE.ADD season 1 m0 => ERR the league does not exist",
        );
    }
}

#[test]
fn a_large_league_goes_at_once_and_gives_its_memory_back() {
    const MEMBERS: u64 = 20_000;
    const FILL: &str = "
        redis.call('LB.LEAGUE.CREATE', 'large', 'TIERS', 'a,b', 'PROMOTE', '1,0', 'DEMOTE', '0,1', 'CYCLE', 'day',
            'CLOCK', 'EVENT')
        for day = 1, 2 do
            for n = 1, ARGV[1] do
                redis.call('LB.LEAGUE.ADD', 'large', n % 100, 'member' .. n, 'AT', day * 86400000)
            end
        end";
    for flavor in [Flavor::Redis62, Flavor::Valkey91] {
        let server = Server::builder(flavor).arg("slowlog-log-slower-than", "-1").start();
        let mut con = server.connection();
        for end in ["UNLINK large", "FLUSHALL ASYNC", "SET large text"] {
            play(&mut con, "DEL large");
            run(&mut con, &["EVAL", FILL, "0", "1"]);
            play(&mut con, "DEL large");
            let used = |con: &mut _| info(con, "memory", "used_memory").parse::<u64>().expect("bytes");
            let before = used(&mut con);
            run(&mut con, &["EVAL", FILL, "0", &MEMBERS.to_string()]);
            assert!(used(&mut con) > before + 30 * MEMBERS, "{flavor:?}: {end}");
            play(&mut con, end);
            wait_until(|| used(&mut con) < before + 10 * MEMBERS);
        }
    }
}
