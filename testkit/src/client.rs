//! Sends single commands, checks their replies, and converts them.

use redis::{Connection, FromRedisValue, RedisError, Value};

use super::shapes;

/// Sends a command. Returns the reply, or the text of the error as the server sent it.
pub fn try_run<A: AsRef<[u8]>>(con: &mut Connection, args: &[A]) -> Result<Value, String> {
    let mut command = redis::Cmd::new();
    for arg in args {
        command.arg(arg.as_ref());
    }
    let reply = command.query(con).map_err(|error| wire_text(&error));
    shapes::check(args, reply.as_ref().map_err(String::as_str));
    reply
}

/// Joins the code and the rest of an error, because the Redis client splits them.
fn wire_text(error: &RedisError) -> String {
    match (error.code(), error.detail()) {
        (Some(code), Some(detail)) => format!("{code} {detail}"),
        (Some(code), None) => code.to_owned(),
        (None, _) => panic!("no reply: {error}"),
    }
}

/// Sends a command, and returns the reply. An error fails the test.
#[track_caller]
pub fn run<A: AsRef<[u8]>>(con: &mut Connection, args: &[A]) -> Value {
    match try_run(con, args) {
        Ok(reply) => reply,
        Err(error) => panic!("{}: {error}", shown(args)),
    }
}

/// Sends a command, and returns the reply as a type that the test chooses.
#[track_caller]
pub fn query<T: FromRedisValue, A: AsRef<[u8]>>(con: &mut Connection, args: &[A]) -> T {
    let reply = run(con, args);
    match T::from_redis_value_ref(&reply) {
        Ok(value) => value,
        Err(error) => panic!("{}: {error}: {reply:?}", shown(args)),
    }
}

/// Sends a command, and returns the text of the error. Any other reply fails the test.
#[track_caller]
pub fn err<A: AsRef<[u8]>>(con: &mut Connection, args: &[A]) -> String {
    match try_run(con, args) {
        Ok(reply) => panic!("{}: no error but {reply:?}", shown(args)),
        Err(error) => error,
    }
}

/// Returns a command as text, cut after 20 words, so that a failing MADD of a million members stays readable.
fn shown<A: AsRef<[u8]>>(args: &[A]) -> String {
    const ARGS: usize = 20;
    let words = args.iter().take(ARGS).map(|arg| arg.as_ref().escape_ascii().to_string());
    let mut line = words.collect::<Vec<_>>().join(" ");
    if args.len() > ARGS {
        line.push_str(" ...");
    }
    line
}

/// Returns a field of `INFO section`. The module's fields begin with `leaderboard_`.
#[track_caller]
pub fn info(con: &mut Connection, section: &str, field: &str) -> String {
    let text: String = query(con, &["INFO", section]);
    let value = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    value.unwrap_or_else(|| panic!("INFO {section} has no {field}:\n{text}")).trim().to_owned()
}

/// Returns the server's digest of a key's value. Equal boards have equal digests, however they were made.
#[track_caller]
pub fn digest(con: &mut Connection, key: &str) -> String {
    let [digest]: [String; 1] = query(con, &["DEBUG", "DIGEST-VALUE", key]);
    digest
}
