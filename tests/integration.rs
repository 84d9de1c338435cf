//! What the module owes the server, most of it for all native types alike: events, transactions, scripts, settings,
//! memory, other commands on keys, persistence, and damaged data.

mod changes;
mod corruption;
mod creation;
mod defrag;
pub mod events;
mod full;
pub mod memory;
mod news;
mod object;
pub mod payload;
mod persistence;
mod pieces;
mod replicas;
mod settings;
mod transactions;
mod unfinished;
pub mod usage;

use leaderboard_testkit::run;
use redis::Connection;

/// Makes boards of so many members each, `board0` and on, in the server itself: neither buffers of a client nor a
/// script's garbage are left in its memory, and no time goes into replies.
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
