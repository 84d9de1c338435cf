//! Commands and their replies in a line, and waiting for what takes a moment.

use std::thread;
use std::time::{Duration, Instant};

use redis::{Connection, FromRedisValue, RedisError, Value};

use super::server::Server;

/// How long anything may take before a test gives up: much, since a slow machine is no failure.
pub const PATIENCE: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(5);

/// The reply, or the error text as it came over the wire.
pub fn try_run<A: AsRef<[u8]>>(con: &mut Connection, args: &[A]) -> Result<Value, String> {
    let mut command = redis::Cmd::new();
    for arg in args {
        command.arg(arg.as_ref());
    }
    command.query(con).map_err(|error| wire_text(&error))
}

/// The client splits an error into its code and the rest.
fn wire_text(error: &RedisError) -> String {
    match (error.code(), error.detail()) {
        (Some(code), Some(detail)) => format!("{code} {detail}"),
        (Some(code), None) => code.to_owned(),
        (None, _) => panic!("no reply: {error}"),
    }
}

/// The reply; an error fails the test.
#[track_caller]
pub fn run<A: AsRef<[u8]>>(con: &mut Connection, args: &[A]) -> Value {
    match try_run(con, args) {
        Ok(reply) => reply,
        Err(error) => panic!("{}: {error}", shown(args)),
    }
}

/// The reply as a type of the test's choice.
#[track_caller]
pub fn query<T: FromRedisValue, A: AsRef<[u8]>>(con: &mut Connection, args: &[A]) -> T {
    let reply = run(con, args);
    match T::from_redis_value_ref(&reply) {
        Ok(value) => value,
        Err(error) => panic!("{}: {error}: {reply:?}", shown(args)),
    }
}

/// The error text; any other reply fails the test.
#[track_caller]
pub fn err<A: AsRef<[u8]>>(con: &mut Connection, args: &[A]) -> String {
    match try_run(con, args) {
        Ok(reply) => panic!("{}: no error but {reply:?}", shown(args)),
        Err(error) => error,
    }
}

/// Long commands are cut: a failing MADD of a million members should stay readable.
fn shown<A: AsRef<[u8]>>(args: &[A]) -> String {
    const ARGS: usize = 20;
    let words = args.iter().take(ARGS).map(|arg| arg.as_ref().escape_ascii().to_string());
    let mut line = words.collect::<Vec<_>>().join(" ");
    if args.len() > ARGS {
        line.push_str(" ...");
    }
    line
}

/// A field of `INFO section`; the module's own are named `leaderboard_...`.
#[track_caller]
pub fn info(con: &mut Connection, section: &str, field: &str) -> String {
    let text: String = query(con, &["INFO", section]);
    let value = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    value.unwrap_or_else(|| panic!("INFO {section} has no {field}:\n{text}")).trim().to_owned()
}

/// What the server takes for the content of a key: equal for equal boards, whatever way they were made.
#[track_caller]
pub fn digest(con: &mut Connection, key: &str) -> String {
    let [digest]: [String; 1] = query(con, &["DEBUG", "DIGEST-VALUE", key]);
    digest
}

#[track_caller]
pub fn wait_until(mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "waited for {PATIENCE:?} in vain");
        thread::sleep(POLL);
    }
}

/// Until the replica has applied all that the primary has written so far.
#[track_caller]
pub fn wait_for_sync(primary: &Server, replica: &Server) {
    let (mut primary, mut replica) = (primary.connection(), replica.connection());
    wait_until(|| {
        info(&mut replica, "replication", "master_link_status") == "up"
            && info(&mut replica, "replication", "slave_repl_offset")
                == info(&mut primary, "replication", "master_repl_offset")
    });
}

/// Afterwards the AOF says the same in the least commands.
#[track_caller]
pub fn bgrewriteaof_and_wait(con: &mut Connection) {
    run(con, &["BGREWRITEAOF"]);
    let mut is = |field, value| info(con, "persistence", field) == value;
    wait_until(|| is("aof_rewrite_in_progress", "0") && is("aof_rewrite_scheduled", "0"));
    assert!(is("aof_last_bgrewrite_status", "ok"), "the rewrite of the AOF failed");
}
