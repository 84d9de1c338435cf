//! Tests of counters with other features of the server: events, transactions, statistics, keys and the memory limit.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, info, query, wait_until};
use redis::Connection;

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
    let fields = [
        "counters",
        "writes",
        "repeated_requests",
        "writes_held_back",
        "boards",
        "members",
        "leagues",
        "counter_writes",
        "repeated_counter_requests",
    ];
    fields.map(|field| info(con, "leaderboard", &format!("leaderboard_{field}"))).join(" ")
}

#[test]
fn info_counts_counters_and_increases() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for (line, expected) in [
            ("CREATE c PRECISIONS 1 CLOCK EVENT", "1 0 0 0 0 0 0 0 0"),
            ("INCR c ID one AT 61000", "1 1 0 0 0 0 0 1 0"),
            ("INCR c ID one AT 61000", "1 1 1 0 0 0 0 1 1"),
            ("INCR c BY 2 ID one AT 61000", "1 1 1 0 0 0 0 1 1"),
            ("INCR c", "1 1 1 0 0 0 0 1 1"),
            ("INCR c BY 0 AT 5", "1 2 1 0 0 0 0 2 1"),
            ("INCR d", "2 3 1 0 0 0 0 3 1"),
            ("INCR e BY x", "2 3 1 0 0 0 0 3 1"),
            ("ALTER d SAMPLES 5", "2 3 1 0 0 0 0 3 1"),
            ("GET d 60", "2 3 1 0 0 0 0 3 1"),
        ] {
            say(&mut con, &format!("LB.COUNTER.{line}"));
            assert_eq!(counts(&mut con), expected, "{flavor:?}: {line}");
        }
        play(&mut con, "COPY c f\nRENAME d e\nLB.ADD board 5 ann\nDEBUG RELOAD");
        wait_until(|| counts(&mut con) == "3 4 1 0 1 1 0 3 1");
        play(&mut con, "SET c text\nDEL e board");
        wait_until(|| counts(&mut con) == "1 4 1 0 0 0 0 3 1");
        play(&mut con, "FLUSHALL ASYNC");
        wait_until(|| counts(&mut con) == "0 4 1 0 0 0 0 3 1");
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
