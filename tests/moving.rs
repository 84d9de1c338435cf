//! Tests of boards made from sorted sets, sorted sets made from boards, and boards made from several of both, on real
//! servers. The expected results come from the servers' sorted sets, from LB.MADD and the reads of boards, and from
//! simple models.

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

/// The members of a sorted set with their scores.
type Scored = Vec<(Vec<u8>, f64)>;

/// Runs the test on each server, and prints the server's name, so that a failure shows it.
fn in_each_server(test: impl Fn(&Server)) {
    for flavor in Flavor::all() {
        println!("{flavor:?}");
        test(&Server::start(flavor));
    }
}

/// Runs a session on each server. `@2019-03-18T10:05` is replaced by this moment in UTC.
#[track_caller]
fn plays_everywhere(session: &str) {
    for flavor in Flavor::all() {
        println!("{flavor:?}");
        let server = Server::start(flavor);
        play(&mut server.connection(), &dated(session));
    }
}

/// Makes a sorted set of exactly these members.
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

/// Returns the first words of a command, for error texts.
fn shown(command: &Words) -> String {
    let words = command.iter().take(20).map(|word| word.escape_ascii().to_string());
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the members of a sorted set, read with ZRANGE or ZREVRANGE.
#[track_caller]
fn zset(con: &mut Connection, range: &str, key: &str) -> Scored {
    let pairs: Vec<(Vec<u8>, String)> = query(con, &[range, key, "0", "-1", "WITHSCORES"]);
    pairs.into_iter().map(|(member, score)| (member, score.parse().expect("a score"))).collect()
}

/// Returns the lines of LB.RANGE for the whole view: each member and its score as text.
#[track_caller]
fn lines(con: &mut Connection, key: &str, options: &[&str]) -> Vec<(Vec<u8>, String)> {
    let command = [&["LB.RANGE", key, "1", "-1"], options].concat();
    let lines: Vec<(usize, Vec<u8>, String)> = query(con, &command);
    for (place, (rank, ..)) in lines.iter().enumerate() {
        assert_eq!(*rank, place + 1, "{key}");
    }
    lines.into_iter().map(|(_, member, score)| (member, score)).collect()
}

/// Returns the names of the members as text.
fn names(lines: &[(Vec<u8>, String)]) -> Vec<String> {
    lines.iter().map(|(member, _)| String::from_utf8_lossy(member).into_owned()).collect()
}

#[track_caller]
fn dump(con: &mut Connection, key: &str) -> Option<Vec<u8>> {
    query(con, &["DUMP", key])
}

/// Runs a command, and checks its error and that the keys have not changed.
#[track_caller]
fn refuses(con: &mut Connection, keys: &[&str], command: &Words, error: &str) {
    let before = state(con, keys);
    assert_eq!(say_words(con, command), error, "{}", shown(command));
    assert!(state(con, keys) == before, "{} has changed something", shown(command));
}

/// Runs a command, and returns the reply as text.
fn say_words(con: &mut Connection, command: &Words) -> String {
    session::shown(&try_run(con, command))
}

/// Returns the values of these keys, the number of all keys, and the number of changes.
fn state(con: &mut Connection, keys: &[&str]) -> (Vec<Option<Vec<u8>>>, u64, String) {
    let dumps = keys.iter().map(|key| dump(con, key)).collect();
    let changes = info(con, "persistence", "rdb_changes_since_last_save");
    (dumps, query(con, &["DBSIZE"]), changes)
}

/// Returns a field of a map in the form of RESP2.
fn field<T: FromRedisValue>(map: &Value, name: &str) -> T {
    let Value::Array(fields) = map else { panic!("no map but {map:?}") };
    let wanted = Value::BulkString(name.into());
    let at = fields.iter().step_by(2).position(|field| *field == wanted);
    let at = at.unwrap_or_else(|| panic!("{map:?} has no {name}"));
    T::from_redis_value_ref(&fields[2 * at + 1]).expect(name)
}

/// Returns different names of different lengths. Some are not valid text.
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
    // The names are written in random order, so that no sorted order is the order of the writes.
    for at in (1..names.len()).rev() {
        names.swap(at, random.below(at as u64 + 1) as usize);
    }
    names
}

/// Returns a sorted set with many equal scores. A board with this number of decimals can hold all of them.
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

/// Checks with EXISTS whether a key exists.
#[track_caller]
fn exists(con: &mut Connection, key: &str) -> bool {
    say(con, &format!("EXISTS {key}")) == "1"
}

#[track_caller]
fn made(con: &mut Connection, create: &str) {
    run(con, &session::words(create));
}
