//! Compares a big board with a sorted set and with the Lua script of today's idempotent leaderboards.

use crate::Options;
use crate::contest::{self, Contestant, Speed, is_number, is_text, numbers, owned, rows};
use crate::pipelines::{MEMBER, POINTS, REQUEST};
use crate::server::Server;
use client::Result;

/// Today's idempotent leaderboards with fair ties. The request id is a separate key. In the sorted set, the digits
/// before the decimal point are the score. The digits after it are a time that runs down, so that the earlier member
/// ranks higher: 28 bits of seconds are enough for eight years. Keys: sorted set, id. Arguments: points, member,
/// seconds since the start of the season.
const SCRIPT: &str = "\
if not redis.call('SET', KEYS[2], 1, 'NX', 'EX', 600) then
  local score = redis.call('ZSCORE', KEYS[1], ARGV[2])
  return {score and math.floor(score), redis.call('ZREVRANK', KEYS[1], ARGV[2])}
end
local score = math.floor(redis.call('ZSCORE', KEYS[1], ARGV[2]) or 0) + ARGV[1]
redis.call('ZADD', KEYS[1], score + 1 - (ARGV[3] + 1) / 268435456, ARGV[2])
return {score, redis.call('ZREVRANK', KEYS[1], ARGV[2])}";

/// Adds points and returns score and rank, as LB.ADD does, but without an id and with ties by name. Key: sorted set.
/// Arguments: points, member.
const BOTH_SCRIPT: &str = "\
return {redis.call('ZINCRBY', KEYS[1], ARGV[1], ARGV[2]), redis.call('ZREVRANK', KEYS[1], ARGV[2])}";

/// Additions to a board.
pub const ADD: &str = "LB.ADD";
/// Additions to a board with a request id.
pub const ADD_ID: &str = "LB.ADD with ID";
/// Plain additions to a sorted set.
pub const ZINCRBY: &str = "ZINCRBY";
/// Additions to a sorted set, and the rank after them, in one pipeline.
pub const BOTH: &str = "ZINCRBY and ZREVRANK";
/// The same in one script.
pub const BOTH_LUA: &str = "Lua script of both";
/// Additions to a sorted set with a request id and fair ties.
pub const LUA: &str = "Lua script with id";
/// The rank of one member.
pub const RANK: &str = "LB.RANK";
/// The rank of one member of a sorted set.
pub const ZREVRANK: &str = "ZREVRANK";
/// The first hundred rows.
pub const TOP: &str = "LB.TOP 100";
/// The same rows in one list, without their ranks.
pub const TOP_FLAT: &str = "LB.TOP 100 FLAT";
/// The same rows in one string.
pub const TOP_PACKED: &str = "LB.TOP 100 PACKED";
/// The first hundred rows of a sorted set.
pub const ZREVRANGE: &str = "ZREVRANGE 0 99 WITHSCORES";
/// A command without work, which gives the maximum speed of the server and this program.
pub const CEILING: &str = "ECHO (no work)";

const PACKED: [&str; 4] = ["LB.TOP", "board", "100", "PACKED"];
const HUNDRED: [&str; 5] = ["ZREVRANGE", "zset", "0", "99", "WITHSCORES"];
/// A moment of the season, in seconds since its start.
const SECONDS: &str = "7654321";

/// Measures the requests per second.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    let script: String = server.client()?.ask(&["SCRIPT", "LOAD", SCRIPT])?;
    let both = score_and_rank([BOTH, BOTH_LUA], "zset", &load_both(server)?);
    contest::measure(server, options, contestants(&script).into_iter().chain(both).collect())
}

/// Loads the script for [`score_and_rank`], and returns its digest.
pub fn load_both(server: &Server) -> Result<String> {
    server.client()?.ask(&["SCRIPT", "LOAD", BOTH_SCRIPT])
}

/// Returns contestants that do the work of LB.ADD on a sorted set: by two commands in a pipeline, and by the script.
pub fn score_and_rank([both, lua]: [&'static str; 2], zset: &str, script: &str) -> [Contestant; 2] {
    let member = &format!("m:{MEMBER}");
    let commands = vec![owned(&["ZINCRBY", zset, POINTS, member]), owned(&["ZREVRANK", zset, member])];
    [
        Contestant::of_several(both, commands, |reply| is_text(reply) || is_number(reply)),
        Contestant::new(lua, &["EVALSHA", script, "1", zset, POINTS, member], |reply| rows(reply, 2)),
    ]
}

fn contestants(script: &str) -> Vec<Contestant> {
    let member = &format!("m:{MEMBER}");
    // A single number of twelve digits would repeat among millions of requests.
    let id = &format!("{REQUEST}:{MEMBER}");
    let script = ["EVALSHA", script, "2", "script", &format!("id:{id}"), POINTS, member, SECONDS];
    let three = |reply: &_| numbers(reply, 3);
    let seldom = |contestant| Contestant { share: 20, ..contestant };
    vec![
        Contestant::new(ADD, &["LB.ADD", "board", POINTS, member], three),
        Contestant::new(ADD_ID, &["LB.ADD", "board:ids", POINTS, member, "ID", id], three),
        Contestant::new(ZINCRBY, &["ZINCRBY", "zset", POINTS, member], is_text),
        Contestant { database: 1, share: 4, ..Contestant::new(LUA, &script, |reply| numbers(reply, 2)) },
        Contestant::new(RANK, &["LB.RANK", "board", member], is_number),
        Contestant::new(ZREVRANK, &["ZREVRANK", "zset", member], is_number),
        seldom(Contestant::new(TOP, &["LB.TOP", "board", "100"], |reply| rows(reply, 100))),
        seldom(Contestant::new(TOP_FLAT, &["LB.TOP", "board", "100", "FLAT"], |reply| rows(reply, 201))),
        Contestant { share: 5, ..Contestant::new(TOP_PACKED, &PACKED, |reply| rows(reply, 2)) },
        seldom(Contestant::new(ZREVRANGE, &HUNDRED, |reply| rows(reply, 200))),
        Contestant::new(CEILING, &["ECHO", REQUEST], is_text),
    ]
}
