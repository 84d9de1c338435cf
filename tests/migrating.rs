//! Tests of the steps in docs/migrating.md: the script moves a sorted set while applications write to it, and keys for
//! hours, days, weeks and months become one board.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use leaderboard_testkit::{Flavor, Server, query, run};
use redis::Connection;

fn example(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/migrate").join(name))
        .expect("an example")
}

/// Runs the script as a user does.
fn migrate(server: &Server, step: &str) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/migrate/migrate.sh");
    let port = server.port().to_string();
    let mut command = Command::new(script);
    command.args(["scores", "board", "-p", &port]).env("STEP", step).output().expect("the script runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Fills a sorted set with members of a few different scores. Many of these scores are not exact in binary.
fn fill(con: &mut Connection, members: u64) {
    for member in 0..members {
        let score = format!("{}.{}", member * 7919 % 50, member % 10);
        run(con, &["ZADD", "scores", &score, &format!("player\n{member}")]);
    }
}

/// Returns the names of a sorted set or a board in order. Leaves out members that were written to during the move.
fn order(con: &mut Connection, command: &[&str], per_row: usize, name: usize) -> Vec<Vec<u8>> {
    let flat: Vec<redis::Value> = query(con, command);
    let names = flat.chunks(per_row).map(|row| match &row[name] {
        redis::Value::BulkString(bytes) => bytes.clone(),
        other => panic!("{other:?}"),
    });
    names.filter(|name| !name.starts_with(b"written")).collect()
}

/// Sends the writes of an application while a sorted set is moved: to existing and to new members. Returns the number
/// of writes.
fn write_until(server: &Server, stop: &AtomicBool) -> u64 {
    let (mut con, lua) = (server.connection(), example("write.lua"));
    let mut writes = 0;
    while !stop.load(Ordering::Relaxed) {
        let member = format!("written {}", writes * 31 % 400);
        run(&mut con, &["EVAL", &lua, "2", "scores", "board", "0.1", &member, "1"]);
        writes += 1;
    }
    writes
}

#[test]
fn a_sorted_set_becomes_a_board_while_it_is_written_to() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        fill(&mut con, 1_500);
        for member in (0..400).step_by(2) {
            run(&mut con, &["ZADD", "scores", "25.5", &format!("written {member}")]);
        }
        run(&mut con, &["LB.CREATE", "board", "DECIMALS", "1"]);
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let writer = scope.spawn(|| write_until(&server, &stop));
            let output = migrate(&server, "100");
            stop.store(true, Ordering::Relaxed);
            assert!(output.status.success(), "{flavor:?}: {}", said(&output));
            assert!(writer.join().expect("the writer") > 0);
        });
        let again = migrate(&server, "1000");
        assert!(again.status.success() && said(&again).starts_with("imported 0 members"), "{}", said(&again));
        let shown = order(&mut con, &["ZREVRANGE", "scores", "0", "-1"], 1, 0);
        let rows: Vec<Vec<redis::Value>> = query(&mut con, &["LB.TOP", "board", "100000"]);
        let names = rows.into_iter().map(|mut row| match row.swap_remove(1) {
            redis::Value::BulkString(name) => name,
            other => panic!("{other:?}"),
        });
        let names: Vec<_> = names.filter(|name| !name.starts_with(b"written")).collect();
        assert_eq!(names, shown, "{flavor:?}");
    }
}

#[test]
fn the_script_tells_when_the_two_differ() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    fill(&mut con, 50);
    run(&mut con, &["LB.CREATE", "board", "DECIMALS", "1"]);
    assert!(migrate(&server, "10").status.success());
    run(&mut con, &["ZINCRBY", "scores", "1", "player\n3"]);
    let output = migrate(&server, "10");
    assert!(!output.status.success());
    assert_eq!(
        said(&output),
        "imported 0 members; the others had been written already\n\
         compared 50 members: 1 differ, the sorted set has 0 more\n"
    );
    let server = Server::start(Flavor::Redis70);
    run(&mut server.connection(), &["SET", "scores", "x"]);
    assert!(!migrate(&server, "10").status.success());
}

/// Runs the document's commands for keys of several periods, beginning with the longest period.
#[test]
fn keys_of_several_periods_become_one_board() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    // A Wednesday at noon. The month began before the week.
    let now = 1_773_835_200_000_u64;
    let starts = [
        ("all", 0),
        ("month", 1_772_323_200_000),
        ("week", 1_773_619_200_000),
        ("day", 1_773_792_000_000),
        ("hour", now),
    ];
    let points =
        [("all", [100, 7]), ("month", [50, 7]), ("week", [20, 7]), ("day", [11, 0]), ("hour", [3, 0])];
    for (key, [ann, bob]) in points {
        run(&mut con, &["ZADD", &format!("lb:{key}"), &ann.to_string(), "ann"]);
        if bob > 0 {
            run(&mut con, &["ZADD", &format!("lb:{key}"), &bob.to_string(), "bob"]);
        }
    }
    run(&mut con, &["LB.CREATE", "board", "VIEWS", "all,month,week,day,hour", "CLOCK", "EVENT"]);
    // On a board that uses the time of the events, a write must first move the time to the present.
    run(&mut con, &["LB.ADD", "board", "0", "ann", "AT", &now.to_string()]);
    for (at, (key, start)) in starts.iter().enumerate() {
        let start = start.max(&1).to_string();
        let mut source = format!("lb:{key}");
        if let Some((next, _)) = starts.get(at + 1) {
            run(
                &mut con,
                &["ZUNIONSTORE", "rest", "2", &source, &format!("lb:{next}"), "WEIGHTS", "1", "-1"],
            );
            "rest".clone_into(&mut source);
        }
        run(&mut con, &["LB.IMPORT", "board", &source, "MERGE", "AT", &start]);
    }
    for (key, [ann, bob]) in points {
        let score = |con: &mut Connection, name| {
            query::<Option<i64>, _>(con, &["LB.SCORE", "board", name, "VIEW", key])
        };
        assert_eq!(score(&mut con, "ann"), Some(ann), "{key}");
        assert_eq!(score(&mut con, "bob").unwrap_or(0), bob, "{key}");
    }
}

#[test]
fn the_document_shows_the_scripts_as_they_are() {
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/migrating.md"))
        .expect("a document");
    for name in ["write.lua", "compare.lua"] {
        assert!(document.contains(example(name).trim_end()), "{name}");
    }
}
