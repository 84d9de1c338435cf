//! Tests of the module's work between commands for big boards. This work changes no data, only the time that the end
//! of a period takes. It is done for every board before its period ends.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, Words, digest, info, pipeline, query, run, wait_until, words};
use redis::{Connection, Value};

const CREATE: &str = "VIEWS 3600s:3,all,3600s RETAIN 3 CLOCK EVENT CARRY 3600s=0.5";
/// An hour in ms.
const HOUR: u64 = 3_600_000;

fn batch(key: &str, members: usize, at: u64, step: usize) -> Words {
    let mut madd = words(&["LB.MADD", key, "AT", &at.to_string()]);
    for n in 0..members {
        madd.extend(words(&[(n * step % 97).to_string(), format!("m{n}")]));
    }
    madd
}

/// Makes a board at the end of its third hour, when the module prepares the next hour.
fn fill(key: &str, members: usize) -> Vec<Words> {
    let create = format!("LB.CREATE {key} {CREATE}");
    let hours = [(HOUR - 1, 7919), (2 * HOUR - 1, 104_729), (3 * HOUR - 5, 31)];
    let batches = hours.into_iter().map(|(at, step)| batch(key, members, at, step));
    [words(&create.split(' ').collect::<Vec<_>>())].into_iter().chain(batches).collect()
}

/// Returns writes that are sent while the module prepares the next period.
fn between(key: &str, round: usize) -> Vec<Words> {
    let at = (3 * HOUR - 4).to_string();
    let m = |n: usize| format!("m{}", n * 7 % 3_000);
    vec![
        words(&["LB.ADD", key, "5", &m(round), "AT", &at]),
        words(&["LB.ADD", key, "50", &m(round + 40), "AT", &HOUR.to_string()]),
        words(&["LB.ADD", key, "1", &format!("new{round}"), "AT", &at]),
        words(&["LB.REM", key, &m(round + 80), &m(round + 81)]),
        words(&["LB.SET", key, "3", &m(round + 120), "AT", &at, "VIEW", "3600s"]),
    ]
}

/// Returns the writes after the end of the period.
fn after(key: &str) -> Vec<Words> {
    vec![
        words(&["LB.ADD", key, "1", "m1", "AT", &(3 * HOUR).to_string()]),
        words(&["LB.ADD", key, "9", "m2", "AT", &(2 * HOUR).to_string()]),
        words(&["LB.REM", key, "m3", "m4", "m5"]),
    ]
}

fn spent(con: &mut Connection) -> u64 {
    info(con, "leaderboard", "leaderboard_preparing_usec").parse().expect("microseconds")
}

#[track_caller]
fn sent(con: &mut Connection, commands: &[Words]) {
    for (command, reply) in commands.iter().zip(pipeline(con, commands)) {
        assert!(reply.is_ok(), "{}: {reply:?}", command[0].escape_ascii());
    }
}

/// Sends the same commands in one transaction, so that the module cannot prepare anything between them.
#[track_caller]
fn sent_at_once(con: &mut Connection, commands: Vec<Words>) {
    let whole = [vec![words(&["MULTI"])], commands, vec![words(&["EXEC"])]].concat();
    let replies = pipeline(con, &whole);
    let Some(Ok(Value::Array(replies))) = replies.last() else { panic!("{:?}", replies.last()) };
    assert!(replies.iter().all(|reply| !matches!(reply, Value::ServerError(_))), "{replies:?}");
}

#[track_caller]
fn same(con: &mut Connection, key: &str, twin: &str) {
    for view in ["3600s:3", "3600s", "all"] {
        for period in ["0", "-1", "-2", "-3"] {
            let top = |key| words(&["LB.TOP", key, "5000", "VIEW", view, "PERIOD", period]);
            assert!(run(con, &top(key)) == run(con, &top(twin)), "{key}: {view} {period}");
        }
    }
    assert_eq!(digest(con, key), digest(con, twin), "{key}");
}

/// The number of rounds of writes on each server. After a few rounds, the preparation has just begun; after many
/// rounds, it is done.
const ROUNDS: [(Flavor, usize); 4] =
    [(Flavor::Redis62, 3), (Flavor::Redis70, 30), (Flavor::Redis82, 100), (Flavor::Valkey91, 200)];

#[test]
fn a_prepared_boundary_is_the_same_as_one_that_was_not() {
    for (flavor, rounds) in ROUNDS {
        let server = Server::builder(flavor).module_args(&["tick-us", "100"]).start();
        let mut con = server.connection();
        sent(&mut con, &fill("board", 3_000));
        wait_until(|| spent(&mut con) > 0);
        let mut all = fill("twin", 3_000);
        for round in 0..rounds {
            sent(&mut con, &between("board", round));
            all.extend(between("twin", round));
        }
        sent(&mut con, &after("board"));
        all.extend(after("twin"));
        let before = spent(&mut con);
        sent_at_once(&mut con, all);
        same(&mut con, "board", "twin");
        // The packing of ended periods and the freeing of deleted data also change nothing.
        wait_until(|| spent(&mut con) > before);
        same(&mut con, "board", "twin");
        play(&mut con, "DEBUG RELOAD");
        same(&mut con, "board", "twin");
    }
}

/// Makes boards with every kind of unfinished work: preparing, packing and freeing.
fn pending(con: &mut Connection, keys: &[String]) {
    for (number, key) in keys.iter().enumerate() {
        let mut all = fill(key, 1_500);
        if number % 3 > 0 {
            all.extend(after(key));
        }
        if number % 3 > 1 {
            all.push(words(&["LB.ALTER", key, "VIEWS", "-all,+1s", "RETAIN", "0"]));
        }
        sent(con, &all);
    }
}

const WAYS: [&str; 10] = [
    "DEL KEY",
    "UNLINK KEY",
    "RENAME KEY other",
    "COPY KEY other REPLACE",
    "SET KEY text",
    "EXPIRE KEY 0",
    "MOVE KEY 1",
    "LB.ALTER KEY VIEWS -3600s:3",
    "COPY KEY KEY DB 2 REPLACE",
    "RESTORE KEY",
];

fn go(con: &mut Connection, way: &str, key: &str) {
    if way.starts_with("RESTORE") {
        let Value::BulkString(dump) = run(con, &["DUMP", key]) else { panic!("no dump") };
        let restore: [&[u8]; 5] = [b"RESTORE", key.as_bytes(), b"0", &dump, b"REPLACE"];
        run(con, &restore);
        return;
    }
    play(con, &way.replace("KEY", key));
}

#[test]
fn boards_may_go_at_any_moment_of_the_work_on_them() {
    for flavor in [Flavor::Redis62, Flavor::Redis70, Flavor::Valkey91] {
        let server = Server::builder(flavor).module_args(&["tick-us", "100"]).start();
        let mut con = server.connection();
        for (number, way) in WAYS.into_iter().enumerate() {
            let keys: Vec<String> = (0..3).map(|key| format!("board{number}-{key}")).collect();
            let before = spent(&mut con);
            pending(&mut con, &keys);
            wait_until(|| spent(&mut con) > before);
            keys.iter().for_each(|key| go(&mut con, way, key));
            if number % 4 == 3 {
                let way = ["FLUSHALL ASYNC", "DEBUG RELOAD", "FLUSHALL", "SWAPDB 0 1"][number / 4];
                play(&mut con, way);
            }
        }
        let before = spent(&mut con);
        pending(&mut con, &["last".to_owned()]);
        wait_until(|| spent(&mut con) > before);
        play(&mut con, "FLUSHALL ASYNC => OK");
        wait_until(|| info(&mut con, "leaderboard", "leaderboard_boards") == "0");
        assert_eq!(info(&mut con, "leaderboard", "leaderboard_members"), "0", "{flavor:?}");
    }
}

#[test]
fn small_boards_and_boards_without_periods_are_no_work() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.CREATE all CLOCK EVENT");
    sent(&mut con, &[batch("all", 1_500, HOUR, 7)]);
    play(
        &mut con,
        "LB.CREATE small VIEWS 1s,1s:3 CLOCK EVENT\nLB.MADD small AT 1999 5 a 6 b\nLB.ADD small 1 a AT 3000",
    );
    play(&mut con, "LB.CREATE big VIEWS 3600s:3 CLOCK EVENT");
    sent(&mut con, &[batch("big", 1_500, 3 * HOUR - 5, 7)]);
    wait_until(|| spent(&mut con) > 0);
    slices(&mut con);
    // From here on, slices may take as long as they need.
    play(&mut con, "CONFIG SET leaderboard.tick-us 1000000\nLB.CREATE long VIEWS 3600s:3 CLOCK EVENT");
    sent(&mut con, &[batch("long", 60_000, 3 * HOUR - 5, 7)]);
    wait_until(|| slices(&mut con) > 5_000);
}

/// Returns the longest slice so far, and checks that it agrees with the other figures.
#[track_caller]
fn slices(con: &mut Connection) -> u64 {
    let text: String = query(con, &["INFO", "leaderboard"]);
    let field = |name| -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.unwrap_or_else(|| panic!("no {name}")).trim().parse().expect("a number")
    };
    let longest = field("leaderboard_longest_slice_usec");
    let over = [field("leaderboard_slices_over_1ms"), field("leaderboard_slices_over_5ms")];
    assert!(0 < longest && longest <= field("leaderboard_preparing_usec"));
    assert_eq!(over.map(|count| count > 0), [longest > 1_000, longest > 5_000], "{text}");
    assert!(over[1] <= over[0]);
    longest
}
