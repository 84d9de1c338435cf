//! Tests of these commands with other features of the server: events, WATCH, transactions, scripts and the memory
//! limit.

use leaderboard_testkit::session::{play, say, words};
use leaderboard_testkit::{Flavor, Server, err, info, run};

use crate::integration::events::Events;

const SETUP: &str = "ZADD zset 5 ann
    ZADD half 0.5 ann
    LB.ADD board 5 bob
    LB.CREATE empty
    SET text value";

#[test]
fn changes_are_events_of_the_key_that_changes() {
    for flavor in Flavor::all() {
        println!("{flavor:?}");
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, SETUP);
        // Redis 6.2 has no event class for modules.
        let classes = if flavor == Flavor::Redis62 { "EA" } else { "Ed" };
        Events::of(&server, classes).expect(&mut con, &EVENTS);
    }
}

const EVENTS: [(&str, &[&str]); 16] = [
    ("LB.IMPORT new zset", &["lb.import new"]),
    ("LB.IMPORT new zset", &[]),
    ("LB.IMPORT new zset MERGE", &["lb.import new"]),
    ("LB.IMPORT new zset NX", &[]),
    ("LB.IMPORT new absent MERGE", &[]),
    ("LB.IMPORT new half MERGE", &[]),
    ("LB.IMPORT empty zset CURSOR 0", &["lb.import empty"]),
    ("LB.IMPORT empty zset NX CURSOR 0", &[]),
    ("LB.UNION dest 2 board zset", &["lb.union dest"]),
    ("LB.UNION dest 2 board zset", &["lb.union dest"]),
    ("LB.INTER dest 1 zset", &["lb.inter dest"]),
    ("LB.UNION dest 1 text", &[]),
    ("LB.UNION dest 1 half", &[]),
    ("LB.UNION absent 1 none", &[]),
    ("LB.EXPORT absent none", &[]),
    ("LB.EXPORT dest board VIEW day", &[]),
];

#[test]
fn a_key_that_is_replaced_by_an_export_or_goes_has_an_event() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, SETUP);
        let mut listener = Events::of(&server, "EA");
        for line in [
            "LB.EXPORT dest board",
            "LB.EXPORT dest board",
            "LB.EXPORT dest empty",
            "LB.INTER board 2 board zset",
        ] {
            run(&mut con, &words(line));
            let events = listener.take(&mut con);
            println!("{flavor:?}: {line}: {events:?}");
            assert!(!events.is_empty(), "{flavor:?}: {line}");
            let key = line.split(' ').nth(1).expect("a key");
            assert!(
                events.iter().all(|event| event.ends_with(&format!(" {key}"))),
                "{flavor:?}: {line}: {events:?}"
            );
        }
    }
}

/// Checks whether a transaction that watches these keys fails after this command of another client.
fn breaks(server: &Server, line: &str) -> bool {
    let (mut watcher, mut other) = (server.connection(), server.connection());
    play(&mut other, &format!("FLUSHALL\n{SETUP}\nZADD dest 1 zoe"));
    play(&mut watcher, "WATCH board dest absent empty\nMULTI\nPING");
    say(&mut other, line);
    match say(&mut watcher, "EXEC").as_str() {
        "nil" => true,
        "[PONG]" => false,
        reply => panic!("{line}: {reply}"),
    }
}

#[test]
fn a_change_breaks_a_watch_and_nothing_else_does() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for line in [
            "LB.IMPORT board zset MERGE",
            "LB.IMPORT board zset NX",
            "LB.IMPORT absent zset",
            "LB.IMPORT empty zset CURSOR 0 COUNT 1",
            "LB.EXPORT dest board",
            "LB.EXPORT absent board",
            "LB.EXPORT dest empty",
            "LB.UNION dest 2 board zset",
            "LB.UNION absent 1 zset",
            "LB.UNION board 1 board",
            "LB.INTER dest 2 board zset",
            "LB.INTER board 2 board zset",
        ] {
            assert!(breaks(&server, line), "{flavor:?}: {line}");
        }
        for line in [
            "LB.IMPORT board zset",
            "LB.IMPORT board half MERGE",
            "LB.IMPORT board none MERGE",
            "LB.IMPORT empty none",
            "LB.IMPORT absent none",
            "LB.EXPORT other board",
            "LB.EXPORT dest board VIEW day",
            "LB.EXPORT absent none",
            "LB.EXPORT board board",
            "LB.UNION other 3 board absent dest",
            "LB.UNION dest 1 half",
            "LB.UNION dest 2 board text",
            "LB.INTER absent 2 board zset",
        ] {
            assert!(!breaks(&server, line), "{flavor:?}: {line}");
        }
    }
}

#[test]
fn transactions_and_scripts_see_what_they_have_done() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            r#"ZADD zset 5 ann 6 bob 7 cat
               MULTI
               LB.IMPORT board zset
               LB.IMPORT board zset
               LB.EXPORT copy board COUNT 2
               LB.UNION sum 2 board copy
               LB.INTER zset 2 zset sum WEIGHTS -1 1
               LB.TOP zset 9
               EXEC => ERR the board has members: MERGE adds to them, NX leaves them alone
               LB.TOP sum 9 => [[1 "cat" 14] [2 "bob" 12] [3 "ann" 5]]
               LB.TOP zset 9 => [[1 "cat" 7] [2 "bob" 6] [3 "ann" 0]]"#,
        );
        let script = "redis.call('ZADD', KEYS[1], 1, 'ann', 2, 'bob')
            local step = redis.call('LB.IMPORT', KEYS[2], KEYS[1], 'CURSOR', 0, 'COUNT', 1)
            local rest = redis.call('LB.IMPORT', KEYS[2], KEYS[1], 'NX', 'CURSOR', step[1])
            local error = redis.pcall('LB.UNION', KEYS[3], 2, KEYS[1], KEYS[2], 'WEIGHTS', 1)['err'] and 1
            local sum = redis.call('LB.UNION', KEYS[3], 2, KEYS[1], KEYS[2], 'WEIGHTS', 1, '0.5')
            return {step[2], rest[1], rest[2], error, sum, redis.call('LB.TOP', KEYS[3], 9)}";
        let reply = run(&mut con, &["EVAL", script, "3", "z", "b", "s"]);
        let text = leaderboard_testkit::session::shown(&Ok(reply));
        assert_eq!(text, r#"[1 "0" 1 1 2 [[1 "bob" 3] [2 "ann" 1]]]"#, "{flavor:?}");
        let refused = say(&mut con, "EVAL_RO return{redis.call('LB.EXPORT',KEYS[1],KEYS[2])} 2 a b");
        assert!(refused.starts_with("ERR "), "{flavor:?}: {refused}");
    }
}

#[test]
fn resp3_gets_the_same_replies() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection_resp3();
    play(
        &mut con,
        r#"ZADD zset 5 ann 6 bob
           LB.IMPORT board zset => 2
           LB.IMPORT board zset NX CURSOR 0 => ["0" 0]
           LB.EXPORT dest board => 2
           LB.UNION sum 2 board dest => 2
           LB.INTER sum 2 board none => 0"#,
    );
}

#[test]
fn at_the_limit_of_memory_all_four_are_refused() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, SETUP);
        play(&mut con, "CONFIG SET maxmemory 1");
        for line in [
            "LB.IMPORT empty zset",
            "LB.IMPORT empty none",
            "LB.EXPORT dest board",
            "LB.UNION dest 1 board",
            "LB.INTER dest 1 zset",
        ] {
            assert!(err(&mut con, &words(line)).starts_with("OOM "), "{flavor:?}: {line}");
        }
        play(&mut con, "CONFIG SET maxmemory 0\nLB.IMPORT empty zset => 1\nLB.UNION dest 2 board zset => 2");
    }
}

#[test]
fn a_result_that_does_not_fit_below_the_limit_of_memory_is_refused_and_nothing_changes() {
    const MEMBERS: u32 = 20_000;
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for from in (0..MEMBERS).step_by(1_000) {
            let pairs: Vec<_> =
                (from..from + 1_000).map(|number| format!("{number} member{number}")).collect();
            say(&mut con, &format!("LB.MADD board {}", pairs.join(" ")));
            say(&mut con, &format!("ZADD zset {}", pairs.join(" ")));
        }
        play(&mut con, "LB.CREATE small => OK\nLB.ADD dest 5 ann => [5 1 1]");
        let used = |con: &mut _| info(con, "memory", "used_memory").parse::<u64>().expect("bytes");
        let limit = used(&mut con) + 1_000_000;
        say(&mut con, &format!("CONFIG SET maxmemory {limit}"));
        for line in [
            "LB.UNION dest 2 board zset",
            "LB.INTER dest 2 zset board",
            "LB.EXPORT dest board",
            "LB.IMPORT small zset",
        ] {
            assert!(say(&mut con, line).starts_with("OOM "), "{flavor:?}: {line}");
            assert!(used(&mut con) < limit, "{flavor:?}: {line}");
        }
        play(
            &mut con,
            "LB.SCORE dest ann => 5
             LB.COUNT small => 0
             CONFIG SET maxmemory-policy allkeys-lru => OK
             LB.UNION dest 2 board zset => 20000",
        );
    }
}
