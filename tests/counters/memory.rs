//! Compares `MEMORY USAGE` of counters with the growth of the server's memory, and checks that memory is freed.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, query, run};
use redis::Connection;

use crate::integration::usage::{Kind, within_five_percent};

const KINDS: [Kind; 5] = [
    ("2,000 of the defaults", 2_000, "redis.call('LB.COUNTER.INCR', key)"),
    (
        "6,000 of one precision",
        6_000,
        "redis.call('LB.COUNTER.CREATE', key, 'PRECISIONS', 60, 'CLOCK', 'EVENT')
        for n = 1, 20 do redis.call('LB.COUNTER.INCR', key, 'AT', n * 60000) end",
    ),
    (
        "1,500 that fill up with large counts and are altered",
        1_500,
        "redis.call('LB.COUNTER.CREATE', key, 'PRECISIONS', '1,5,60', 'CLOCK', 'EVENT')
        for n = 1, 150 do
            redis.call('LB.COUNTER.INCR', key, 'BY', n % 10 == 0 and 5000000000 or -300, 'AT', n * 1700)
        end
        redis.call('LB.COUNTER.ALTER', key, 'SAMPLES', 70, 'PRECISIONS', '-5,+10')
        redis.call('LB.COUNTER.INCR', key, 'AT', 31000)",
    ),
    ("ids", 20, "for n = 1, 1000 do redis.call('LB.COUNTER.INCR', key, 'ID', 'request' .. n) end"),
    (
        "16 precisions of 10,000",
        4,
        "local list = {}
        for s = 1, 16 do list[s] = s end
        redis.call('LB.COUNTER.CREATE', key, 'PRECISIONS', table.concat(list, ','), 'SAMPLES', 10000,
            'CLOCK', 'EVENT')
        for n = 1, 11000 do redis.call('LB.COUNTER.INCR', key, 'BY', n, 'AT', n * 5000) end",
    ),
];

#[test]
fn memory_usage_is_within_five_percent() {
    within_five_percent(&KINDS);
}

/// Returns the memory that LB.COUNTER.INFO reports, in bytes.
fn memory(con: &mut Connection) -> u64 {
    let info = say(con, "LB.COUNTER.INFO c");
    let (_, rest) = info.split_once("\"memory\" ").expect("the memory");
    rest.trim_end_matches(']').parse().expect("bytes")
}

#[test]
fn fewer_samples_and_precisions_take_less() {
    for flavor in [Flavor::Redis62, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, "LB.COUNTER.CREATE c PRECISIONS 1,2,3 SAMPLES 10000 CLOCK EVENT");
        let script =
            "for n = 1, 10000 do redis.call('LB.COUNTER.INCR', 'c', 'BY', 70000, 'AT', n * 3000) end";
        run(&mut con, &["EVAL", script, "0"]);
        let mut sizes = vec![memory(&mut con)];
        for change in ["PRECISIONS -2", "SAMPLES 1000", "SAMPLES 10 PRECISIONS -3"] {
            play(&mut con, &format!("LB.COUNTER.ALTER c {change} => OK"));
            sizes.push(memory(&mut con));
            assert!(query::<u64, _>(&mut con, &["MEMORY", "USAGE", "c"]) >= sizes[sizes.len() - 1]);
        }
        assert!(sizes.is_sorted_by(|a, b| b + 1_000 < *a), "{flavor:?}: {sizes:?}");
    }
}

#[test]
fn ids_that_are_forgotten_make_room_for_others() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.COUNTER.CREATE c PRECISIONS 60 SAMPLES 3 CLOCK EVENT DEDUP 60");
    let mut ids = |count: u64, at: u64| {
        let script = "for n = 1, ARGV[1] do
            redis.call('LB.COUNTER.INCR', 'c', 'ID', ARGV[2] .. n, 'AT', ARGV[2]) end";
        run(&mut con, &["EVAL", script, "0", &count.to_string(), &at.to_string()]);
        memory(&mut con)
    };
    let few = ids(500, 1_000_000);
    let many = ids(5_000, 2_000_000);
    let later = ids(500, 3_000_000);
    assert!(many > 3 * few && later < many / 2, "{few}, {many}, {later}");
}
