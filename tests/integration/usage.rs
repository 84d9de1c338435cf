//! Compares `MEMORY USAGE` with the growth of the server's memory, for boards of all kinds.

use leaderboard_testkit::{Flavor, Server, run, wait_until};
use redis::Connection;

use super::memory::{told, used};

/// A kind of board: its name, the number of boards to make, and the script that makes the board `key`.
pub type Kind = (&'static str, usize, &'static str);

/// Functions that all scripts use.
const COMMON: &str = "
    local function name(number)
        return string.format('member%08d', number)
    end
    local function fill(key, members, at)
        for first = 0, members - 1, 500 do
            local words = {}
            for number = first, math.min(first + 500, members) - 1 do
                table.insert(words, (number + at) * 7919 % 1000)
                table.insert(words, name(number))
            end
            redis.call('LB.MADD', key, 'AT', at, unpack(words))
        end
    end";

const KINDS: [Kind; 15] = [
    ("10 members", 3_000, "fill(key, 10, 1)"),
    ("100,000 members", 1, "fill(key, 100000, 1)"),
    (
        "request ids",
        20,
        "for number = 0, 999 do redis.call('LB.ADD', key, 1, name(number), 'ID', 'request' .. number) end",
    ),
    (
        "texts",
        20,
        "fill(key, 1000, 1)
        for number = 0, 999 do redis.call('LB.SETMETA', key, name(number), 'a few words ' .. number % 7) end",
    ),
    (
        "texts of few, in no order",
        500,
        "fill(key, 20, 1)
        for number = 0, 19 do redis.call('LB.SETMETA', key, name(number * 7 % 20), 'x') end",
    ),
    (
        "five views",
        100,
        "redis.call('LB.CREATE', key, 'VIEWS', 'all,hour,day,week,month', 'CLOCK', 'EVENT')
        for hour = 1, 3 do fill(key, 200, hour * 3600000) end",
    ),
    (
        "few members, on the server's clock",
        2_000,
        "redis.call('LB.CREATE', key, 'VIEWS', 'all,day')
        for number = 0, 3 do redis.call('LB.ADD', key, number, name(number)) end",
    ),
    (
        "rolling, best scores",
        100,
        "redis.call('LB.CREATE', key, 'VIEWS', 'all,day:7', 'AGGREGATE', 'MAX', 'CLOCK', 'EVENT')
        for day = 1, 4 do fill(key, 300, day * 86400000) end",
    ),
    (
        "1,500 periods of 200",
        1,
        "redis.call('LB.CREATE', key, 'VIEWS', 'minute', 'RETAIN', 10000, 'CLOCK', 'EVENT')
        for minute = 1, 1500 do fill(key, 200, minute * 60000) end",
    ),
    (
        "4,000 periods of 5 of 1,000",
        1,
        "redis.call('LB.CREATE', key, 'VIEWS', 'minute', 'RETAIN', 10000, 'CLOCK', 'EVENT')
        fill(key, 1000, 1)
        for minute = 1, 4000 do fill(key, 5, minute * 60000) end",
    ),
    (
        "3,000 periods of 5",
        2,
        "redis.call('LB.CREATE', key, 'VIEWS', 'minute', 'RETAIN', 10000, 'CLOCK', 'EVENT')
        for minute = 1, 3000 do fill(key, 5, minute * 60000) end",
    ),
    (
        "last scores that repeat",
        20,
        "redis.call('LB.CREATE', key, 'AGGREGATE', 'LAST', 'CLOCK', 'EVENT')
        fill(key, 2000, 1)
        fill(key, 2000, 1001)",
    ),
    (
        "votes and limits",
        500,
        "redis.call('LB.CREATE', key, 'VIEWS', 'all,hour,day,week,month', 'CLOCK', 'EVENT',
            'LIMIT', 'daily', 'voter', 5, 'day', 'LIMIT', 'flood', 'member', 1000, 'second')
        for vote = 1, 15 do
            redis.call('LB.VOTE', key, 1, name(vote % 5), 'BY', 'voter' .. vote % 4, 'AT', vote * 1000)
        end",
    ),
    (
        "declared options",
        300,
        "redis.call('LB.CREATE', key, 'VIEWS', 'all,hour,day', 'CLOCK', 'EVENT', 'SHOWN', 'DECLARED')
        for number = 1, 10 do
            redis.call('LB.OPTION', key, name(number), 'WEIGHT', 2, 'INITIAL', number)
            redis.call('LB.VOTE', key, 1, name(number), 'AT', 3600000 * number)
        end",
    ),
    (
        "many voters",
        2,
        "redis.call('LB.CREATE', key, 'VIEWS', 'all,hour,day', 'CLOCK', 'EVENT')
        for vote = 1, 30000 do
            redis.call('LB.VOTE', key, 1, name(vote % 7), 'BY', 'voter' .. vote, 'AT', vote)
        end",
    ),
];

/// How many times in a row, some milliseconds apart, a server's memory must be the same before it counts as stable.
const LOOKS: u32 = 25;

/// Runs the script for each board.
fn make(con: &mut Connection, boards: usize, script: &str) {
    let each = format!("{COMMON} for board = 1, ARGV[1] do local key = 'board' .. board - 1 {script} end");
    run(con, &["EVAL", &each, "0", &boards.to_string()]);
}

/// Returns the memory that these keys report, and the growth of the server's memory.
fn grown(boards: usize, script: &str) -> [f64; 2] {
    // The server must not use memory for commands that it runs for the first time or that take long.
    let builder = Server::builder(Flavor::Redis70).arg("latency-tracking", "no");
    let server = builder.arg("slowlog-log-slower-than", "-1").start();
    let mut con = server.connection();
    make(&mut con, 0, script);
    let before = used(&mut con);
    make(&mut con, boards, script);
    // Between commands, boards continue with the work for their periods.
    let (mut after, mut same) = (used(&mut con), 0);
    wait_until(|| {
        let now = used(&mut con);
        same = if now == after { same + 1 } else { 0 };
        after = now;
        same == LOOKS
    });
    [told(&mut con, boards), after - before]
}

/// Returns the memory that boards report, divided by the growth of the server's memory. The server's own memory for a
/// key is measured with small strings under the same names, and subtracted.
fn share((_, boards, script): Kind) -> f64 {
    let (boards, strings) = (grown(boards, script), grown(boards, "redis.call('SET', key, 'x')"));
    (boards[0] - strings[0]) / (boards[1] - strings[1])
}

/// Fails unless the reported memory of all these kinds is correct within five percent.
#[track_caller]
pub fn within_five_percent(kinds: &[Kind]) {
    let shares: Vec<_> = kinds.iter().map(|kind| (kind.0, share(*kind))).collect();
    for (name, share) in &shares {
        println!("{name:<52} {share:.3}");
    }
    let wrong: Vec<_> = shares.iter().filter(|(_, share)| (share - 1.0).abs() > 0.05).collect();
    assert!(wrong.is_empty(), "this share of what they take is told: {wrong:.3?}");
}

#[test]
fn memory_usage_is_within_five_percent_for_boards_of_all_kinds() {
    within_five_percent(&KINDS);
}
