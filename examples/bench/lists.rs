//! Compares commands for a hundred members with a pipeline of a hundred commands for one member.

use redis::Value;

use crate::contest::{self, Contestant, Speed, is_number, is_text, numbers, owned, rows};
use crate::pipelines::{listed, listed_points};
use crate::server::Server;
use crate::{Options, fill};
use client::Result;

/// The names of the contestants.
pub const MADD: &str = "LB.MADD of 100";
pub const ADDS: &str = "100 LB.ADD";
pub const INCRS: &str = "100 ZADD INCR";
/// The number of applied pairs alone as the reply.
pub const MADD_QUIET: &str = "LB.MADD of 100 QUIET";
/// ZADD sets new scores; it does not add points.
pub const ZADD: &str = "ZADD of 100";
pub const MSCORE: &str = "LB.MSCORE of 100";
pub const RANKS: &str = "100 LB.RANK";
pub const ZREVRANKS: &str = "100 ZREVRANK";

/// The number of members in a list.
pub const LIST: u64 = 100;

/// Fills a board and a sorted set, and measures commands for random members.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    fill::board(server, "board", options.members())?;
    fill::zset(server, 0, "zset", options.members())?;
    contest::measure(server, options, contestants())
}

fn contestants() -> Vec<Contestant> {
    let hundred = |reply: &Value| rows(reply, 100);
    let mscore = owned(&["LB.MSCORE", "board", "MEMBERS", &LIST.to_string()]);
    let members = (0..LIST).map(member);
    vec![
        of_hundred(MADD, vec![with_pairs(&["LB.MADD", "board"])], hundred),
        of_hundred(MADD_QUIET, vec![with_pairs(&["LB.MADD", "board", "QUIET"])], is_number),
        of_hundred(
            ADDS,
            each(|number| owned(&["LB.ADD", "board", &listed_points(number), &member(number)])),
            three,
        ),
        of_hundred(INCRS, each(increase), is_text),
        of_hundred(ZADD, vec![with_pairs(&["ZADD", "zset"])], is_number),
        of_hundred(MSCORE, vec![mscore.into_iter().chain(members).collect()], hundred),
        of_hundred(RANKS, each(|number| owned(&["LB.RANK", "board", &member(number)])), is_number),
        of_hundred(ZREVRANKS, each(|number| owned(&["ZREVRANK", "zset", &member(number)])), is_number),
    ]
}

/// Makes a contestant whose request has a hundred members. It sends one pipeline at a time, and half as many members
/// in total as other contestants.
pub fn of_hundred(name: &'static str, commands: Vec<Vec<String>>, reply: fn(&Value) -> bool) -> Contestant {
    Contestant { share: 2 * LIST, pipeline: 1, ..Contestant::of_several(name, commands, reply) }
}

fn each(command: fn(u64) -> Vec<String>) -> Vec<Vec<String>> {
    (0..LIST).map(command).collect()
}

fn increase(number: u64) -> Vec<String> {
    owned(&["ZADD", "zset", "INCR", &listed_points(number), &member(number)])
}

/// Returns a command with these words and a hundred pairs of points and a random member.
pub fn with_pairs(start: &[&str]) -> Vec<String> {
    let pairs = (0..LIST).flat_map(|number| [listed_points(number), member(number)]);
    owned(start).into_iter().chain(pairs).collect()
}

fn member(number: u64) -> String {
    format!("m:{}", listed(number))
}

fn three(reply: &Value) -> bool {
    numbers(reply, 3)
}
