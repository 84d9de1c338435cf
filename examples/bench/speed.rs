//! A big board against a sorted set and against the Lua script of today's idempotent leaderboards.

use crate::contest::{self, Contestant, RANDOM, Speed, is_number, is_text, numbers, rows};
use crate::server::Server;
use crate::{Options, Result};

/// Today's idempotent leaderboards with fair ties: the id is a key of its own, the score is before the point. After the
/// point, the time runs down, so that earlier ranks higher: 28 bits of seconds last for eight years. Keys: sorted set,
/// id. Arguments: points, member, seconds since the season's start.
const SCRIPT: &str = "\
if not redis.call('SET', KEYS[2], 1, 'NX', 'EX', 600) then
  local score = redis.call('ZSCORE', KEYS[1], ARGV[2])
  return {score and math.floor(score), redis.call('ZREVRANK', KEYS[1], ARGV[2])}
end
local score = math.floor(redis.call('ZSCORE', KEYS[1], ARGV[2]) or 0) + ARGV[1]
redis.call('ZADD', KEYS[1], score + 1 - (ARGV[3] + 1) / 268435456, ARGV[2])
return {score, redis.call('ZREVRANK', KEYS[1], ARGV[2])}";

/// The contestants' names.
pub const ADD: &str = "LB.ADD";
/// With a request id.
pub const ADD_ID: &str = "LB.ADD with ID";
/// A plain addition.
pub const ZINCRBY: &str = "ZINCRBY";
/// Idempotent and fair.
pub const LUA: &str = "Lua script with id";
/// One rank.
pub const RANK: &str = "LB.RANK";
/// One rank of a sorted set.
pub const ZREVRANK: &str = "ZREVRANK";
/// A hundred rows.
pub const TOP: &str = "LB.TOP 100";
/// A hundred rows of a sorted set.
pub const ZREVRANGE: &str = "ZREVRANGE 0 99 WITHSCORES";
/// No work: the maximum of the server and the load generator.
pub const CEILING: &str = "ECHO (no work)";

/// Measures requests per second.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    let script: String = server.client()?.ask(&["SCRIPT", "LOAD", SCRIPT])?;
    contest::measure(server, options, contestants(&script))
}

fn contestants(script: &str) -> Vec<Contestant> {
    let member = "m:__rand_int__";
    let id = &RANDOM.repeat(3);
    let key = &format!("id:{id}");
    let script = ["EVALSHA", script, "2", "script", key, RANDOM, member, RANDOM];
    let hundred = ["ZREVRANGE", "zset", "0", "99", "WITHSCORES"];
    let three = |reply: &_| numbers(reply, 3);
    let seldom = |contestant| Contestant { share: 20, ..contestant };
    vec![
        Contestant::new(ADD, 0, &["LB.ADD", "board", RANDOM, member], three),
        Contestant::new(ADD_ID, 0, &["LB.ADD", "board:ids", RANDOM, member, "ID", id], three),
        Contestant::new(ZINCRBY, 0, &["ZINCRBY", "zset", RANDOM, member], is_text),
        Contestant::new(LUA, 1, &script, |reply| numbers(reply, 2)),
        Contestant::new(RANK, 0, &["LB.RANK", "board", member], is_number),
        Contestant::new(ZREVRANK, 0, &["ZREVRANK", "zset", member], is_number),
        seldom(Contestant::new(TOP, 0, &["LB.TOP", "board", "100"], |reply| rows(reply, 100))),
        seldom(Contestant::new(ZREVRANGE, 0, &hundred, |reply| rows(reply, 200))),
        Contestant::new(CEILING, 0, &["ECHO", member], is_text),
    ]
}
