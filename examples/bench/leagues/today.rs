//! The keys that do the work of leagues today: a hash with each member's group, a hash with each tier's number of
//! members, a sorted set for each group, and a hash with all profiles.
//!
//! These keys do less than a league, and the comparison ignores this. The group's name comes from the hash or follows
//! from the count, so a real client has to wait for it before it sends the next command; here both commands are sent
//! at the same time. Members with equal points are ordered by name. No program moves the members at the end of a week.

use redis::Cmd;

use crate::contest::owned;
use crate::fill::{entries, member, send};
use crate::leagues::{self, meta};
use crate::memory::{self, Bytes};
use crate::pipelines::{GROUP, JOINED, JOINER, PLAYER, POINTS, mate};
use crate::server::Server;
use client::Result;

const PLACES: &str = "places";
const COUNTS: &str = "counts";
const PROFILES: &str = "profiles";

/// Bytes per member.
pub struct Today {
    /// Bytes of all keys.
    pub running: Bytes,
    /// Bytes of the keys of a week that is over: all keys except the profiles.
    pub past: Bytes,
}

/// Returns the commands with which a new member joins the last group.
pub fn join() -> Vec<Vec<String>> {
    let (member, group) = (format!("m:{JOINER}"), key(JOINED));
    vec![
        owned(&["HGET", PLACES, &member]),
        owned(&["HINCRBY", COUNTS, "bronze", "1"]),
        owned(&["HSET", PLACES, &member, &group]),
        owned(&["ZADD", &group, "0", &member]),
        owned(&["HSET", PROFILES, &member, &meta(JOINER)]),
    ]
}

/// Returns the commands that add points to a member and read its rank.
pub fn add() -> Vec<Vec<String>> {
    let (member, group) = (format!("m:{PLAYER}"), key(GROUP));
    vec![
        owned(&["HGET", PLACES, &member]),
        owned(&["ZINCRBY", &group, POINTS, &member]),
        owned(&["ZREVRANK", &group, &member]),
    ]
}

/// A script of the same commands. Keys: places. Arguments: points, member.
pub const SCRIPT: &str = "\
local group = redis.call('HGET', KEYS[1], ARGV[2])
return {redis.call('ZINCRBY', group, ARGV[1], ARGV[2]), redis.call('ZREVRANK', group, ARGV[2])}";

/// The same script, which adds the points only once for each id. Keys: places, id. Arguments: points, member.
pub const SCRIPT_ID: &str = "\
local group = redis.call('HGET', KEYS[1], ARGV[2])
if redis.call('SET', KEYS[2], 1, 'NX', 'EX', 600) then
  return {redis.call('ZINCRBY', group, ARGV[1], ARGV[2]), redis.call('ZREVRANK', group, ARGV[2])}
end
return {redis.call('ZSCORE', group, ARGV[2]), redis.call('ZREVRANK', group, ARGV[2])}";

/// Returns the words that call a script, with or without an id.
pub fn scripted(script: &str, id: Option<&str>) -> Vec<String> {
    let (keys, member) = (if id.is_some() { "2" } else { "1" }, format!("m:{PLAYER}"));
    let words = ["EVALSHA", script, keys, PLACES].into_iter().chain(id).chain([POINTS, &member]);
    words.map(str::to_owned).collect()
}

/// Returns the commands that read a member's group with scores and profiles.
pub fn read() -> Vec<Vec<String>> {
    let mates = (0..leagues::GROUP).map(|number| format!("m:{}", mate(number)));
    let profiles = owned(&["HMGET", PROFILES]).into_iter().chain(mates);
    vec![owned(&["ZREVRANGE", &key(GROUP), "0", "-1", "WITHSCORES"]), profiles.collect()]
}

/// Returns the key of a group.
fn key(number: &str) -> String {
    format!("g:{number}")
}

/// Fills the keys with the same members, metas and scores as a league.
pub fn fill(server: &Server, members: u64) -> Result<()> {
    profiles(server, members)?;
    groups(server, members)
}

fn profiles(server: &Server, members: u64) -> Result<()> {
    let profiles =
        (0..members).map(|number| command(&["HSET", PROFILES, &member(number), &meta(&digits(number))]));
    send(server, 0, "profiles", members, profiles).map(|_| ())
}

fn groups(server: &Server, members: u64) -> Result<()> {
    let joins = (0..).zip(entries(members)).flat_map(|(seat, (score, member))| {
        let group = key(&digits(leagues::group(seat)));
        [
            command(&["HINCRBY", COUNTS, "bronze", "1"]),
            command(&["HSET", PLACES, &member, &group]),
            command(&["ZADD", &group, &score.to_string(), &member]),
        ]
    });
    send(server, 0, "groups", members.saturating_mul(3), joins).map(|_| ())
}

/// Measures the memory of these keys.
pub fn memory(server: &Server, members: u64) -> Result<Today> {
    let mut client = server.client()?;
    let names = (0..members.div_ceil(leagues::GROUP)).map(|number| key(&digits(number)));
    let names: Vec<String> = names.chain([PLACES.to_owned(), COUNTS.to_owned()]).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (past, ()) = memory::grown(&mut client, &names, members, || groups(server, members))?;
    let (profiles, ()) = memory::grown(&mut client, &[PROFILES], members, || profiles(server, members))?;
    let running = Bytes { used: past.used + profiles.used, usage: past.usage + profiles.usage };
    Ok(Today { running, past })
}

fn digits(number: u64) -> String {
    format!("{number:012}")
}

fn command(words: &[&str]) -> Cmd {
    let mut command = Cmd::with_capacity(4, 128);
    command.arg(words);
    command
}
