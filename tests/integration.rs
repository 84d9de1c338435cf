//! Tests of everything that the module must support as a part of the server, mostly for all native types: events,
//! transactions, scripts, settings, memory, other commands on keys, persistence, and damaged data.

mod changes;
mod clocks;
mod corruption;
mod creation;
mod defrag;
pub mod events;
mod full;
pub mod memory;
mod news;
mod object;
mod persistence;
mod pieces;
mod replicas;
mod settings;
mod transactions;
mod unfinished;
pub mod usage;

use leaderboard_testkit::run;
use redis::Connection;

/// Makes boards with this number of members each, named `board0` and so on. A script on the server makes them, so that
/// client buffers and replies do not use memory or time; the script's garbage is freed.
fn fill(con: &mut Connection, boards: usize, members: usize) {
    const SCRIPT: &str = "
        for board = 0, ARGV[1] - 1 do
            for first = 0, ARGV[2] - 1, 1000 do
                local words = {}
                for member = first, math.min(first + 1000, ARGV[2]) - 1 do
                    table.insert(words, member * 7919 % 1000)
                    table.insert(words, string.format('member%08d', member))
                end
                redis.call('LB.MADD', 'board' .. board, 'AT', 1, unpack(words))
            end
        end";
    run(con, &["EVAL", SCRIPT, "0", &boards.to_string(), &members.to_string()]);
    run(con, &["SCRIPT", "FLUSH", "SYNC"]);
}
