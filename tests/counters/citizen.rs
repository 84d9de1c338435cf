//! Counters and the rest of the server: events, transactions, statistics, keys, the limit of memory.

use leaderboard_testkit::session::{play, say, words};
use leaderboard_testkit::{Flavor, Server, err, info, query, run, wait_until};
use redis::Connection;

use crate::citizen::events::Events;

const EVENTS: [(&str, &[&str]); 24] = [
    ("CREATE counter PRECISIONS 1,60 CLOCK EVENT", &["create counter"]),
    ("CREATE counter", &[]),
    ("CREATE other PRECISIONS 0", &[]),
    ("INCR counter AT 61000", &["incr counter"]),
    ("INCR counter BY 0 AT 61000", &["incr counter"]),
    ("INCR counter BY 5 ID one AT 61000", &["incr counter"]),
    ("INCR counter BY 5 ID one AT 61000", &[]),
    ("INCR counter BY 6 ID one AT 61000", &[]),
    ("INCR counter AT 5", &["incr counter"]),
    ("INCR counter", &[]),
    ("INCR counter BY x AT 61000", &[]),
    ("INCR counter BY 9223372036854775807 AT 61000", &[]),
    ("INCR other BY x", &[]),
    ("ALTER counter SAMPLES 5", &["alter counter"]),
    ("ALTER counter PRECISIONS +5", &["alter counter"]),
    ("ALTER counter PRECISIONS +5", &[]),
    ("ALTER absent SAMPLES 5", &[]),
    ("GET counter 60", &[]),
    ("GET absent 60", &[]),
    ("MGET 60 KEYS 2 counter absent", &[]),
    ("INFO counter", &[]),
    ("RESTORE absent nonsense", &[]),
    ("RESTORE counter nonsense", &[]),
    ("INCR counter BY 1 AT 999000", &["incr counter"]),
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
            let expected: Vec<String> = expected.iter().map(|event| format!("lb.counter.{event}")).collect();
            let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            events.expect(&mut con, &[(&format!("LB.COUNTER.{line}"), &expected)]);
        }
    }
}

/// As with boards that a first write makes.
#[test]
fn a_first_increase_is_one_event() {
    let server = Server::start(Flavor::Redis70);
    Events::of(&server, "Ed").expect(
        &mut server.connection(),
        &[("LB.COUNTER.INCR new", &["lb.counter.incr new"]), ("LB.ADD board 5 ann", &["lb.add board"])],
    );
}

#[test]
fn a_piece_of_a_saved_counter_is_an_event() {
    let server = Server::builder(Flavor::Redis70).arg("rdbcompression", "no").start();
    let mut con = server.connection();
    play(&mut con, "LB.COUNTER.CREATE counter");
    let dump: Vec<u8> = query(&mut con, &["DUMP", "counter"]);
    let head: String = crate::corruption::payload::Payload::parse(&dump).chunks[0]
        .iter()
        .map(|byte| format!("\\x{byte:02x}"))
        .collect();
    Events::of(&server, "EA")
        .expect(&mut con, &[(&format!("LB.COUNTER.RESTORE again {head}"), &["lb.counter.restore again"])]);
}

/// Whether a transaction that watches the counter fails after this line of another client.
fn breaks(server: &Server, line: &str) -> bool {
    let (mut watcher, mut other) = (server.connection(), server.connection());
    play(
        &mut other,
        "FLUSHALL
         LB.COUNTER.CREATE counter PRECISIONS 1,60 CLOCK EVENT
         LB.COUNTER.INCR counter BY 5 ID one AT 61000",
    );
    play(&mut watcher, "WATCH counter absent\nMULTI\nPING");
    say(&mut other, &format!("LB.COUNTER.{line}"));
    say(&mut watcher, "EXEC") == "nil"
}

#[test]
fn changes_break_a_watch_and_nothing_else_does() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for line in [
            "INCR counter AT 61000",
            "INCR counter BY 0 AT 61000",
            "INCR counter BY 5 AT 5",
            "INCR absent",
            "CREATE absent",
            "ALTER counter SAMPLES 5",
            "ALTER counter PRECISIONS -1",
        ] {
            assert!(breaks(&server, line), "{flavor:?}: {line}");
        }
        for line in [
            "INCR counter BY 5 ID one AT 61000",
            "INCR counter BY 5 ID one AT 99000",
            "INCR counter BY 6 ID one AT 61000",
            "INCR counter",
            "INCR counter BY x AT 61000",
            "INCR counter BY 9223372036854775807 AT 61000",
            "INCR absent BY x",
            "CREATE counter",
            "CREATE absent SAMPLES 0",
            "ALTER counter SAMPLES 0",
            "ALTER counter PRECISIONS +1",
            "ALTER absent SAMPLES 5",
            "GET counter 60 FILL",
            "MGET 60 KEYS 2 counter absent",
            "INFO counter",
            "INFO absent",
        ] {
            assert!(!breaks(&server, line), "{flavor:?}: {line}");
        }
    }
}

#[test]
fn transactions_and_scripts_count_and_read() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            "MULTI
             LB.COUNTER.INCR c
             DISCARD
             EXISTS c => 0
             MULTI
             LB.COUNTER.CREATE c PRECISIONS 1,60 CLOCK EVENT
             LB.COUNTER.INCR c BY 5 ID one AT 61000
             LB.COUNTER.INCR c BY 5 ID one AT 61000
             LB.COUNTER.MGET 60 KEYS 2 c absent
             EXEC => [OK 5 5 [[[60000 5]] []]]
             MULTI
             LB.COUNTER.INCR c BY 1 AT 61000
             LB.COUNTER.INCR c
             LB.COUNTER.INCR c BY 2 AT 61000
             EXEC => ERR AT is needed with CLOCK EVENT
             LB.COUNTER.GET c 1 => [[61000 8]]",
        );
        let mut eval = |script: &str| {
            let reply = leaderboard_testkit::try_run(&mut con, &["EVAL", script, "1", "c"]);
            leaderboard_testkit::session::shown(&reply)
        };
        assert_eq!(eval("return redis.call('LB.COUNTER.INCR', KEYS[1], 'BY', -3, 'AT', 60000)"), "5");
        assert_eq!(eval("return redis.call('LB.COUNTER.GET', KEYS[1], 1)"), "[[60000 -3] [61000 8]]");
        assert_eq!(eval("return redis.call('LB.COUNTER.GET', KEYS[1], 60)[1][2]"), "5");
        assert_eq!(eval("return redis.call('LB.COUNTER.MGET', 60, 'KEYS', 1, KEYS[1])"), "[[[60000 5]]]");
        let error = eval("return redis.pcall('LB.COUNTER.INCR', KEYS[1], 'BY', 'x', 'AT', 5)['err']");
        assert!(error.ends_with("BY is not a whole number\""), "{error}");
    }
}

fn counts(con: &mut Connection) -> String {
    let fields =
        ["counters", "writes", "repeated_requests", "writes_held_back", "boards", "members", "leagues"];
    fields.map(|field| info(con, "leaderboard", &format!("leaderboard_{field}"))).join(" ")
}

#[test]
fn info_counts_counters_and_increases() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for (line, expected) in [
            ("CREATE c PRECISIONS 1 CLOCK EVENT", "1 0 0 0 0 0 0"),
            ("INCR c ID one AT 61000", "1 1 0 0 0 0 0"),
            ("INCR c ID one AT 61000", "1 1 1 0 0 0 0"),
            ("INCR c BY 2 ID one AT 61000", "1 1 1 0 0 0 0"),
            ("INCR c", "1 1 1 0 0 0 0"),
            ("INCR c BY 0 AT 5", "1 2 1 0 0 0 0"),
            ("INCR d", "2 3 1 0 0 0 0"),
            ("INCR e BY x", "2 3 1 0 0 0 0"),
            ("ALTER d SAMPLES 5", "2 3 1 0 0 0 0"),
            ("GET d 60", "2 3 1 0 0 0 0"),
        ] {
            say(&mut con, &format!("LB.COUNTER.{line}"));
            assert_eq!(counts(&mut con), expected, "{flavor:?}: {line}");
        }
        play(&mut con, "COPY c f\nRENAME d e\nLB.ADD board 5 ann\nDEBUG RELOAD");
        wait_until(|| counts(&mut con) == "3 4 1 0 1 1 0");
        play(&mut con, "SET c text\nDEL e board");
        wait_until(|| counts(&mut con) == "1 4 1 0 0 0 0");
        play(&mut con, "FLUSHALL ASYNC");
        wait_until(|| counts(&mut con) == "0 4 1 0 0 0 0");
    }
}

#[test]
fn at_the_limit_of_memory_counters_can_be_read_and_made_smaller() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            "LB.COUNTER.CREATE c PRECISIONS 1,60 CLOCK EVENT
             LB.COUNTER.INCR c BY 5 AT 61000
             CONFIG SET maxmemory 1",
        );
        for line in ["CREATE other", "INCR c AT 61000", "INCR other", "RESTORE other x"] {
            assert!(
                err(&mut con, &words(&format!("LB.COUNTER.{line}"))).starts_with("OOM "),
                "{flavor:?}: {line}"
            );
        }
        play(
            &mut con,
            "LB.COUNTER.GET c 60 => [[60000 5]]
             LB.COUNTER.MGET 60 KEYS 1 c => [[[60000 5]]]
             LB.COUNTER.ALTER c SAMPLES 5 PRECISIONS -1 => OK
             CONFIG SET maxmemory 0
             LB.COUNTER.INCR c AT 61000 => 6",
        );
    }
}

#[test]
fn object_scan_and_expiry_take_a_counter_as_any_value() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, "LB.COUNTER.INCR c BY 5");
        play(
            &mut con,
            "TYPE c => lb-countr
                 OBJECT ENCODING c => \"raw\"
                 SCAN 0 TYPE lb-countr => [\"0\" [\"c\"]]
                 DEBUG OBJECT c
                 TOUCH c => 1
                 CONFIG SET maxmemory-policy allkeys-lfu
                 OBJECT FREQ c
                 EXPIRE c 1000 => 1
                 LB.COUNTER.INCR c BY 5 => 10
                 TTL c => 1000
                 COPY c d => 1
                 PEXPIRE c 1 => 1",
        );
        wait_until(|| say(&mut con, "EXISTS c") == "0");
        play(&mut con, "LB.COUNTER.GET c 60 => []\nLB.COUNTER.INCR c => 1\nTTL c => -1\nPERSIST d => 1");
    }
}

/// Makes a counter with as many slices as it can have.
const FILL: &str = "
    local list = {}
    for s = 1, 16 do list[s] = s end
    redis.call('LB.COUNTER.CREATE', 'large', 'PRECISIONS', table.concat(list, ','), 'SAMPLES', 10000,
        'CLOCK', 'EVENT')
    for n = 1, ARGV[1] do redis.call('LB.COUNTER.INCR', 'large', 'BY', 5000000000 + n, 'AT', n * 16000) end";

#[test]
fn a_large_counter_goes_at_once_and_gives_its_memory_back() {
    const SLICES: u64 = 8_000;
    for flavor in [Flavor::Redis62, Flavor::Valkey91] {
        let server = Server::builder(flavor).arg("slowlog-log-slower-than", "-1").start();
        let mut con = server.connection();
        for end in ["UNLINK large", "FLUSHALL ASYNC", "SET large text", "DEL large"] {
            play(&mut con, "DEL large");
            run(&mut con, &["EVAL", FILL, "0", "1"]);
            play(&mut con, "DEL large");
            let used = |con: &mut _| info(con, "memory", "used_memory").parse::<u64>().expect("bytes");
            let before = used(&mut con);
            run(&mut con, &["EVAL", FILL, "0", &SLICES.to_string()]);
            assert!(used(&mut con) > before + 30 * SLICES, "{flavor:?}: {end}");
            play(&mut con, end);
            wait_until(|| used(&mut con) < before + 10 * SLICES);
        }
    }
}

#[test]
fn flags_and_categories_are_those_of_what_a_command_does() {
    for flavor in [Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for (category, commands) in [
            ("leaderboard", "alter create get incr info mget restore"),
            ("read", "get info mget"),
            ("write", "alter create incr restore"),
            ("fast", "create incr"),
            ("slow", "alter get info mget restore"),
        ] {
            let mut names: Vec<String> = query(&mut con, &["ACL", "CAT", category]);
            names.retain_mut(|name| {
                *name = name.to_lowercase();
                name.starts_with("lb.counter.")
            });
            names.sort();
            let names = names.join(" ").replace("lb.counter.", "");
            assert_eq!(names, commands, "{flavor:?}: {category}");
        }
    }
}
