//! Compares `MEMORY USAGE` of leagues with the growth of the server's memory, and checks what is freed between
//! commands.

use leaderboard_testkit::session::say;
use leaderboard_testkit::{Flavor, Server, query, run, wait_until};
use redis::Connection;

use super::play;
use crate::integration::usage::{Kind, within_five_percent};

const KINDS: [Kind; 6] = [
    (
        "leagues of 30",
        300,
        "redis.call('LB.LEAGUE.CREATE', key, 'TIERS', 'a,b', 'PROMOTE', '1,0', 'DEMOTE', '0,1', 'CYCLE', 'day')
        for n = 1, 30 do redis.call('LB.LEAGUE.ADD', key, n % 7, name(n)) end",
    ),
    (
        "a league of 20,000 in groups of 100",
        1,
        "redis.call('LB.LEAGUE.CREATE', key, 'TIERS', 'a,b', 'PROMOTE', '1,0', 'DEMOTE', '0,1', 'CYCLE', 'day',
            'CLOCK', 'EVENT')
        for n = 1, 20000 do redis.call('LB.LEAGUE.ADD', key, n * 7919 % 1000, name(n), 'AT', 86400000) end",
    ),
    (
        "one group of 15,000",
        1,
        "redis.call('LB.LEAGUE.CREATE', key, 'TIERS', 'a', 'PROMOTE', '0', 'DEMOTE', '0', 'CYCLE', 'day', 'GROUP',
            1000000, 'CLOCK', 'EVENT')
        for n = 1, 15000 do redis.call('LB.LEAGUE.ADD', key, n * 7919 % 1000, name(n), 'AT', 86400000) end",
    ),
    (
        "texts and ids",
        10,
        "redis.call('LB.LEAGUE.CREATE', key, 'TIERS', 'a', 'PROMOTE', '0', 'DEMOTE', '0', 'CYCLE', 'day')
        for n = 1, 1000 do
            redis.call('LB.LEAGUE.JOIN', key, name(n), 'META', 'a name and a picture of ' .. n % 50)
            redis.call('LB.LEAGUE.ADD', key, 5, name(n), 'ID', 'request' .. n)
        end",
    ),
    (
        "40 periods of 500",
        8,
        "redis.call('LB.LEAGUE.CREATE', key, 'TIERS', 'a,b,c', 'PROMOTE', '10%,10%,0', 'DEMOTE', '0,10%,10%',
            'CYCLE', 'day', 'RETAIN', 100, 'CLOCK', 'EVENT')
        for day = 1, 40 do
            for n = 1, 500 do
                redis.call('LB.LEAGUE.ADD', key, n * day % 97, name(n * 3 % 700), 'AT', day * 86400000)
            end
        end",
    ),
    (
        "10,000 out of reach",
        1,
        "redis.call('LB.LEAGUE.CREATE', key, 'TIERS', 'a,b,c', 'PROMOTE', '10%,10%,0', 'DEMOTE', '0,10%,10%',
            'CYCLE', 'day', 'RETAIN', 0, 'CLOCK', 'EVENT')
        for day = 1, 10 do
            for n = 1, 1000 do
                redis.call('LB.LEAGUE.ADD', key, n * day % 97, name(day * 1000 + n), 'AT', day * 86400000)
            end
        end",
    ),
];

#[test]
fn memory_usage_is_within_five_percent() {
    within_five_percent(&KINDS);
}

/// Returns the memory that LB.LEAGUE.INFO reports, in bytes.
fn memory(con: &mut Connection) -> u64 {
    let info = say(con, "LB.LEAGUE.INFO league");
    let (_, rest) = info.split_once("\"memory\" ").expect("the memory");
    rest.split(' ').next().unwrap_or_default().parse().expect("bytes")
}

const FILL: &str = "for n = 1, ARGV[1] do
    redis.call('LB.LEAGUE.ADD', 'league', n * 7919 % 1000, 'member' .. n, 'AT', ARGV[2]) end";

#[test]
fn what_is_out_of_reach_is_freed_between_commands() {
    for flavor in [Flavor::Redis62, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, "LB.LEAGUE.CREATE league TIERS a PROMOTE 0 DEMOTE 0 CYCLE 100s CLOCK EVENT RETAIN 50");
        for at in ["100000", "200000", "300000", "400000", "500000"] {
            run(&mut con, &["EVAL", FILL, "0", "10000", at]);
        }
        let full = memory(&mut con);
        assert!(query::<u64, _>(&mut con, &["MEMORY", "USAGE", "league"]) >= full);
        play(&mut con, "LB.LEAGUE.ALTER league RETAIN 0 => OK\nLB.LEAGUE.TOP league member1 PERIOD -1 => []");
        // The last two periods with writes remain.
        wait_until(|| memory(&mut con) < full - 100_000);
        play(
            &mut con,
            r#"LB.LEAGUE.STANDING league member1 => [place(a 1 9 100) "score" 919 "zone" "stay"]
               DEBUG RELOAD
               LB.LEAGUE.STANDING league member1 => [place(a 1 9 100) "score" 919 "zone" "stay"]"#,
        );
    }
}
