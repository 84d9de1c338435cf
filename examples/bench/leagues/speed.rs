//! The speed of joins, additions and reads of a group, in a league and with today's keys. This program sends all
//! requests.

use redis::Value;

use super::{fill, meta, today};
use crate::Options;
use crate::contest::{self, Contestant, Speed, is_number, is_text, numbers, owned, rows};
use crate::pipelines::{JOINER, PLAYER, POINTS, REQUEST};
use crate::server::Server;
use client::Result;

/// Joins in a league.
pub const JOIN: &str = "LB.LEAGUE.JOIN with META";
/// Joins with today's keys.
pub const JOIN_KEYS: &str = "HGET, HINCRBY, HSET, ZADD, HSET";
pub const ADD: &str = "LB.LEAGUE.ADD";
/// Additions with today's keys.
pub const ADD_KEYS: &str = "HGET, ZINCRBY, ZREVRANK";
/// Additions with today's keys as one script.
pub const ADD_LUA: &str = "Lua: HGET, ZINCRBY, ZREVRANK";
/// Additions in a league with a request id.
pub const ADD_ID: &str = "LB.LEAGUE.ADD with ID";
/// Additions with today's keys and a request id.
pub const ADD_ID_KEYS: &str = "Lua: SET NX EX, HGET, ZINCRBY, ZREVRANK";
/// Reads of a hundred rows with metas.
pub const TOP: &str = "LB.LEAGUE.TOP, 100 rows with meta";
/// Reads of a hundred rows with today's keys.
pub const TOP_KEYS: &str = "ZREVRANGE WITHSCORES, HMGET of 100";

/// The number of items in the reply to a join.
const JOIN_WORDS: usize = 14;

/// Fills two leagues (one is for writes with request ids) and today's keys, and measures all contestants.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    for key in ["league", "league:ids"] {
        fill::create(server, key, "")?;
        fill::metas(server, key, options.members())?;
        fill::scores(server, key, options.members(), None)?;
    }
    today::fill(server, options.members())?;
    let mut client = server.client()?;
    let scripts =
        [today::SCRIPT, today::SCRIPT_ID].map(|script| client.ask::<String>(&["SCRIPT", "LOAD", script]));
    let [plain, with_id] = scripts;
    contest::measure(server, options, contestants(&plain?, &with_id?))
}

fn contestants(plain: &str, with_id: &str) -> Vec<Contestant> {
    let (joiner, player) = (&format!("m:{JOINER}"), &format!("m:{PLAYER}"));
    // A single number of twelve digits would repeat among millions of requests.
    let id = &format!("{REQUEST}:{PLAYER}");
    let one = |name, words: &[&str], reply| Contestant::of_several(name, vec![owned(words)], reply);
    let scripted = vec![today::scripted(with_id, Some(&format!("id:{id}")))];
    let three = |reply: &Value| numbers(reply, 3);
    let fewer = |share, contestant| Contestant { share, ..contestant };
    vec![
        fewer(
            10,
            one(JOIN, &["LB.LEAGUE.JOIN", "league", joiner, "META", &meta(JOINER)], |reply| {
                rows(reply, JOIN_WORDS)
            }),
        ),
        fewer(
            10,
            Contestant::of_several(JOIN_KEYS, today::join(), |reply| {
                is_number(reply) || *reply == Value::Nil
            }),
        ),
        one(ADD, &["LB.LEAGUE.ADD", "league", POINTS, player], three),
        fewer(4, Contestant::of_several(ADD_KEYS, today::add(), |reply| is_number(reply) || is_text(reply))),
        fewer(4, Contestant::of_several(ADD_LUA, vec![today::scripted(plain, None)], |reply| rows(reply, 2))),
        one(ADD_ID, &["LB.LEAGUE.ADD", "league:ids", POINTS, player, "ID", id], three),
        fewer(4, Contestant::of_several(ADD_ID_KEYS, scripted, |reply| rows(reply, 2))),
        fewer(20, one(TOP, &["LB.LEAGUE.TOP", "league", player], |reply| rows(reply, 100))),
        fewer(
            20,
            Contestant::of_several(TOP_KEYS, today::read(), |reply| rows(reply, 100) || rows(reply, 200)),
        ),
    ]
}
