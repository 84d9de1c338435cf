//! Boards out of ZSETs, ZSETs out of boards, and boards out of several of both, in real servers. What is expected comes
//! from the servers' own ZSETs, from LB.MADD and the reads of boards, and from plain models.

mod errors;
mod export;
mod idle;
mod import;
mod integration;
mod large;
mod merging;
mod model;
mod replication;
mod rights;
mod same;
mod scores;
mod sources;
mod steps;
mod sums;
mod union;

use leaderboard_testkit::session::{self, play, say};
use leaderboard_testkit::{Flavor, Server, Words, info, pipeline, query, run, try_run, words};
use redis::{Connection, FromRedisValue, Value};

use crate::periods::dated;
use scores::{Random, units_of};

/// Members with scores, as a ZSET has them.
type Scored = Vec<(Vec<u8>, f64)>;

/// Each of the servers. Its name is printed, so that a failure tells which one it was.
fn in_each_server(test: impl Fn(&Server)) {
    for flavor in Flavor::all() {
        println!("{flavor:?}");
        test(&Server::start(flavor));
    }
}

/// Plays a session in each server, with `@2019-03-18T10:05` for that moment of UTC.
#[track_caller]
fn plays_everywhere(session: &str) {
    for flavor in Flavor::all() {
        println!("{flavor:?}");
        let server = Server::start(flavor);
        play(&mut server.connection(), &dated(session));
    }
}

/// Makes a ZSET of exactly these members.
fn make_zset(con: &mut Connection, key: &str, members: &[(Vec<u8>, f64)]) {
    let mut commands = vec![words(&["DEL", key])];
    for part in members.chunks(500) {
        let mut zadd = words(&["ZADD", key]);
        for (member, score) in part {
            zadd.extend([format!("{score:?}").into_bytes(), member.clone()]);
        }
        commands.push(zadd);
    }
    all_well(con, &commands);
}

#[track_caller]
fn all_well(con: &mut Connection, commands: &[Words]) -> Vec<Value> {
    let replies = pipeline(con, commands).into_iter().zip(commands);
    let reply = |(reply, command): (Result<Value, String>, &Words)| {
        reply.unwrap_or_else(|error| panic!("{}: {error}", shown(command)))
    };
    replies.map(reply).collect()
}

/// The beginning of a command.
fn shown(command: &Words) -> String {
    let words = command.iter().take(20).map(|word| word.escape_ascii().to_string());
    words.collect::<Vec<_>>().join(" ")
}

/// The members of a ZSET, by ZRANGE or ZREVRANGE.
#[track_caller]
fn zset(con: &mut Connection, range: &str, key: &str) -> Scored {
    let pairs: Vec<(Vec<u8>, String)> = query(con, &[range, key, "0", "-1", "WITHSCORES"]);
    pairs.into_iter().map(|(member, score)| (member, score.parse().expect("a score"))).collect()
}

/// The lines of LB.RANGE over the whole view: each member and its score as text.
#[track_caller]
fn lines(con: &mut Connection, key: &str, options: &[&str]) -> Vec<(Vec<u8>, String)> {
    let command = [&["LB.RANGE", key, "1", "-1"], options].concat();
    let lines: Vec<(usize, Vec<u8>, String)> = query(con, &command);
    for (place, (rank, ..)) in lines.iter().enumerate() {
        assert_eq!(*rank, place + 1, "{key}");
    }
    lines.into_iter().map(|(_, member, score)| (member, score)).collect()
}

/// Names of members, as text.
fn names(lines: &[(Vec<u8>, String)]) -> Vec<String> {
    lines.iter().map(|(member, _)| String::from_utf8_lossy(member).into_owned()).collect()
}

#[track_caller]
fn dump(con: &mut Connection, key: &str) -> Option<Vec<u8>> {
    query(con, &["DUMP", key])
}

/// Runs a command whose error is known, after which the keys are what they were.
#[track_caller]
fn refuses(con: &mut Connection, keys: &[&str], command: &Words, error: &str) {
    let before = state(con, keys);
    assert_eq!(say_words(con, command), error, "{}", shown(command));
    assert!(state(con, keys) == before, "{} has changed something", shown(command));
}

/// The reply to a command, as text.
fn say_words(con: &mut Connection, command: &Words) -> String {
    session::shown(&try_run(con, command))
}

/// What keys hold, how many there are, and how many changes there were.
fn state(con: &mut Connection, keys: &[&str]) -> (Vec<Option<Vec<u8>>>, u64, String) {
    let dumps = keys.iter().map(|key| dump(con, key)).collect();
    let changes = info(con, "persistence", "rdb_changes_since_last_save");
    (dumps, query(con, &["DBSIZE"]), changes)
}

/// A field of a map as RESP2 shows it.
fn field<T: FromRedisValue>(map: &Value, name: &str) -> T {
    let Value::Array(fields) = map else { panic!("no map but {map:?}") };
    let wanted = Value::BulkString(name.into());
    let at = fields.iter().step_by(2).position(|field| *field == wanted);
    let at = at.unwrap_or_else(|| panic!("{map:?} has no {name}"));
    T::from_redis_value_ref(&fields[2 * at + 1]).expect(name)
}

/// Different names of different lengths; some are no text.
fn some_names(random: &mut Random, count: usize) -> Words {
    let name = |number: usize| match random.below(8) {
        0 => [&b"\0\xff\r\n "[..], &number.to_be_bytes()].concat(),
        1 => format!("{number}{}", "long".repeat(random.below(40) as usize)).into_bytes(),
        2 => format!("{number}").into_bytes(),
        3 => number.to_le_bytes().to_vec(),
        _ => format!("member:{number:04}").into_bytes(),
    };
    let mut names: Words = (0..count).map(name).collect();
    names.sort();
    names.dedup();
    // No order of the names may be that in which they are written.
    for at in (1..names.len()).rev() {
        names.swap(at, random.below(at as u64 + 1) as usize);
    }
    names
}

/// A ZSET of many ties, of scores that a board with so many decimals holds.
fn fitting(random: &mut Random, count: usize, decimals: usize) -> Scored {
    let scores: Vec<f64> = (0..count / 4 + 2)
        .map(|_| {
            std::iter::repeat_with(|| random.score(decimals))
                .find(|score| units_of(*score, decimals).is_ok())
                .expect("a score that fits")
        })
        .collect();
    some_names(random, count).into_iter().map(|name| (name, *random.pick(&scores))).collect()
}

/// Where a key is made or not, by the text that EXISTS gives.
#[track_caller]
fn exists(con: &mut Connection, key: &str) -> bool {
    say(con, &format!("EXISTS {key}")) == "1"
}

#[track_caller]
fn made(con: &mut Connection, create: &str) {
    run(con, &session::words(create));
}
