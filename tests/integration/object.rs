//! Tests that values of all types support what the server does with every key: OBJECT, SCAN, expiry, and the removal
//! of large values.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, info, run, wait_until};
use redis::Connection;

struct Case {
    /// The name of the type on the server.
    stored: &'static str,
    make: &'static str,
    write: &'static str,
    /// A command that makes the value again after it has expired.
    anew: &'static str,
    /// A script that makes a large value of ARGV[1] items in the key `large`; the number of items; and the minimum
    /// number of bytes of an item.
    fill: &'static str,
    items: u64,
    bytes: u64,
}

const CASES: [Case; 3] = [
    Case {
        stored: "lb-board1",
        make: "LB.ADD key 5 ann",
        write: "LB.ADD key 5 ann => [10 1 1]",
        anew: "LB.RANK key ann => nil\nLB.ADD key 1 ann => [1 1 1]",
        fill: "for n = 1, ARGV[1], 1000 do
                   local words = {}
                   for member = n, math.min(n + 999, ARGV[1]) do
                       table.insert(words, member * 7919 % 1000)
                       table.insert(words, string.format('member%08d', member))
                   end
                   redis.call('LB.MADD', 'large', 'AT', 1, unpack(words))
               end",
        items: 100_000,
        bytes: 20,
    },
    Case {
        stored: "lb-league",
        make: "LB.LEAGUE.CREATE key TIERS a PROMOTE 0 DEMOTE 0 CYCLE year\nLB.LEAGUE.ADD key 5 ann",
        write: "LB.LEAGUE.SETMETA key ann x => OK",
        anew: "LB.LEAGUE.TOP key ann => []
               LB.LEAGUE.ADD key 1 ann => ERR the league does not exist
               LB.LEAGUE.CREATE key TIERS a PROMOTE 0 DEMOTE 0 CYCLE year => OK",
        fill: "redis.call('LB.LEAGUE.CREATE', 'large', 'TIERS', 'a,b', 'PROMOTE', '1,0', 'DEMOTE', '0,1', 'CYCLE',
                   'day', 'CLOCK', 'EVENT')
               for day = 1, 2 do
                   for n = 1, ARGV[1] do
                       redis.call('LB.LEAGUE.ADD', 'large', n % 100, 'member' .. n, 'AT', day * 86400000)
                   end
               end",
        items: 20_000,
        bytes: 30,
    },
    Case {
        stored: "lb-countr",
        make: "LB.COUNTER.INCR key BY 5",
        write: "LB.COUNTER.INCR key BY 5 => 10",
        anew: "LB.COUNTER.GET key 60 => []\nLB.COUNTER.INCR key => 1",
        fill: "local list = {}
               for s = 1, 16 do list[s] = s end
               redis.call('LB.COUNTER.CREATE', 'large', 'PRECISIONS', table.concat(list, ','), 'SAMPLES', 10000,
                   'CLOCK', 'EVENT')
               for n = 1, ARGV[1] do
                   redis.call('LB.COUNTER.INCR', 'large', 'BY', 5000000000 + n, 'AT', n * 16000)
               end",
        items: 8_000,
        bytes: 30,
    },
];

#[test]
fn object_scan_and_expiry_take_a_value_as_any_other() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for Case { stored, make, write, anew, .. } in &CASES {
            play(
                &mut con,
                &format!(
                    "CONFIG SET maxmemory-policy noeviction
                     {make}
                     TYPE key => {stored}
                     OBJECT ENCODING key => \"raw\"
                     OBJECT REFCOUNT key => 1
                     OBJECT IDLETIME key => 0
                     SCAN 0 TYPE {stored} => [\"0\" [\"key\"]]
                     DEBUG OBJECT key
                     TOUCH key => 1
                     CONFIG SET maxmemory-policy allkeys-lfu
                     EXPIRE key 1000 => 1
                     {write}
                     TTL key => 1000
                     COPY key other => 1
                     PERSIST key => 1
                     PEXPIRE key 1 => 1"
                ),
            );
            wait_until(|| say(&mut con, "EXISTS key") == "0");
            play(&mut con, &format!("{anew}\nTTL key => -1\nPERSIST other => 1"));
            assert!(say(&mut con, "OBJECT FREQ key").parse::<u8>().is_ok(), "{flavor:?}");
            play(&mut con, "EXPIREAT key 1 => 1\nEXISTS key => 0\nDEL other");
        }
    }
}

fn used(con: &mut Connection) -> u64 {
    info(con, "memory", "used_memory").parse().expect("bytes")
}

#[test]
fn a_large_value_goes_at_once_and_gives_its_memory_back() {
    for flavor in Flavor::all() {
        // On a busy machine, commands are slow, and the slow log would use memory. So the slow log is off.
        let server = Server::builder(flavor).arg("slowlog-log-slower-than", "-1").start();
        let mut con = server.connection();
        for Case { fill, items, bytes, .. } in &CASES {
            run(&mut con, &["EVAL", fill, "0", "1"]);
            for end in [
                "UNLINK large",
                "DEL large",
                "FLUSHALL ASYNC",
                "FLUSHALL SYNC",
                "SET large text",
                "FLUSHDB ASYNC",
            ] {
                play(&mut con, "DEL large");
                let before = used(&mut con);
                run(&mut con, &["EVAL", fill, "0", &items.to_string()]);
                assert!(used(&mut con) > before + bytes * items, "{flavor:?}: {end}");
                play(&mut con, end);
                let kind = say(&mut con, "TYPE large");
                assert!(!kind.starts_with("lb-"), "{flavor:?}: {end}");
                wait_until(|| used(&mut con) < before + bytes * items / 3);
            }
        }
    }
}
