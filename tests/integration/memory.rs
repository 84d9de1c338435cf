//! Tests of memory: the size that a board reports, the memory limit, and active defragmentation.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, info, query, run, wait_until};
use redis::Connection;

use super::fill;

pub fn used(con: &mut Connection) -> f64 {
    // The memory of scripts does not belong to the module.
    run(con, &["SCRIPT", "FLUSH", "SYNC"]);
    info(con, "memory", "used_memory").parse().expect("bytes")
}

/// Returns the memory that boards report, divided by the growth of the server's memory. The memory that the server
/// does not report for any key is measured with small strings under the same names, and subtracted.
fn share(flavor: Flavor, boards: usize, members: usize, extras: impl FnOnce(&mut Connection)) -> f64 {
    let server = Server::start(flavor);
    let mut con = server.connection();
    let empty = used(&mut con);
    strings(&mut con, boards);
    let plain = [used(&mut con) - empty, told(&mut con, boards)];
    play(&mut con, "FLUSHALL SYNC");
    let empty = used(&mut con);
    fill(&mut con, boards, members);
    extras(&mut con);
    let full = [used(&mut con) - empty, told(&mut con, boards)];
    (full[1] - plain[1]) / (full[0] - plain[0])
}

pub fn told(con: &mut Connection, keys: usize) -> f64 {
    let usage = |key| query::<f64, _>(con, &["MEMORY", "USAGE", &format!("board{key}")]);
    (0..keys).map(usage).sum()
}

fn strings(con: &mut Connection, keys: usize) {
    let script = "for key = 0, ARGV[1] - 1 do redis.call('SET', 'board' .. key, 'x') end";
    run(con, &["EVAL", script, "0", &keys.to_string()]);
}

#[track_caller]
fn all_close_to_one(shares: &[(String, f64)]) {
    let wrong: Vec<_> = shares.iter().filter(|(_, share)| (share - 1.0).abs() > 0.15).collect();
    assert!(wrong.is_empty(), "boards tell this share of what they take: {wrong:.2?}");
}

const SIZES: [(usize, usize); 3] = [(2_000, 16), (400, 100), (5, 10_000)];

fn shares(flavors: &[Flavor], call: &str) -> Vec<(String, f64)> {
    let mut shares = Vec::new();
    for flavor in flavors {
        for (boards, members) in SIZES {
            let share = share(*flavor, boards, members, |con| each(con, boards, members, call));
            shares.push((format!("{flavor:?}, {members}"), share));
        }
    }
    shares
}

/// Runs this line of a script for each member of each board.
fn each(con: &mut Connection, boards: usize, members: usize, call: &str) {
    let script = format!(
        "for board = 0, ARGV[1] - 1 do
            for number = 0, ARGV[2] - 1 do
                local key, member = 'board' .. board, string.format('member%08d', number)
                {call}
            end
        end"
    );
    run(con, &["EVAL", &script, "0", &boards.to_string(), &members.to_string()]);
}

#[test]
fn memory_usage_is_what_the_server_has_given() {
    all_close_to_one(&shares(&Flavor::all(), ""));
}

#[test]
fn memory_usage_knows_of_request_ids() {
    let call = "redis.call('LB.ADD', key, 1, member, 'ID', 'request' .. number)";
    all_close_to_one(&shares(&[Flavor::Redis70, Flavor::Valkey91], call));
}

#[test]
fn memory_usage_knows_of_texts() {
    let call = "redis.call('LB.SETMETA', key, member, 'a text of a few words')";
    all_close_to_one(&shares(&[Flavor::Redis70, Flavor::Valkey91], call));
}

/// A script that makes each board again, with views of periods, of which some have ended.
const PERIODS: &str = "
    for board = 0, ARGV[1] - 1 do
        local key = 'board' .. board
        redis.call('DEL', key)
        redis.call('LB.CREATE', key, 'VIEWS', 'all,10s,10s:3', 'CARRY', '10s=0.5', 'RETAIN', 2, 'CLOCK', 'EVENT')
        for period = 1, 4 do
            for first = 0, ARGV[2] - 1, 1000 do
                local words = {}
                for member = first, math.min(first + 1000, ARGV[2]) - 1 do
                    table.insert(words, member * 7919 % 1000)
                    table.insert(words, string.format('member%08d', member))
                end
                redis.call('LB.MADD', key, 'AT', period * 10000, unpack(words))
            end
        end
    end";

#[test]
fn memory_usage_knows_of_periods() {
    let mut shares = Vec::new();
    for flavor in [Flavor::Redis70, Flavor::Valkey91] {
        for (boards, members) in SIZES {
            let words = ["EVAL", PERIODS, "0", &boards.to_string(), &members.to_string()];
            let share = share(flavor, boards, members, |con| drop(run(con, &words)));
            shares.push((format!("{flavor:?}, {members}"), share));
        }
    }
    all_close_to_one(&shares);
}

#[test]
fn memory_shrinks_again_when_periods_go() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    run(&mut con, &["EVAL", PERIODS, "0", "1", "2000"]);
    let mut sizes = vec![told(&mut con, 1)];
    for line in ["RETAIN 0", "VIEWS -10s:3", "VIEWS -10s"] {
        play(&mut con, &format!("LB.ALTER board0 {line}"));
        // Deleted data is freed in small steps.
        wait_until(|| told(&mut con, 1) < sizes[sizes.len() - 1] - 10_000.0);
        sizes.push(told(&mut con, 1));
    }
    assert!(sizes[3] < sizes[0] * 0.6, "{sizes:?}");
}

#[test]
fn boards_can_be_evicted() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    fill(&mut con, 50, 1_000);
    play(&mut con, "CONFIG SET maxmemory-policy allkeys-random");
    let limit = format!("{}", used(&mut con) as u64 - 500_000);
    run(&mut con, &["CONFIG", "SET", "maxmemory", &limit]);
    wait_until(|| query::<u64, _>(&mut con, &["DBSIZE"]) < 50);
    let boards: u64 = query(&mut con, &["DBSIZE"]);
    wait_until(|| info(&mut con, "leaderboard", "leaderboard_boards") == boards.to_string());
}
