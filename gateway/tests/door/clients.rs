//! Tests with programs and libraries that real users have.

use std::process::Command;

use redis::{Value, pipe};

use super::Door;
use crate::servers::{Server, query, run, try_run};

/// Returns the output of redis-cli.
fn cli(door: &Door, arguments: &[&str]) -> String {
    let port = door.address().port().to_string();
    let output = Command::new("redis-cli").args(["-p", &port]).args(arguments).output().expect("redis-cli");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[test]
fn redis_cli_talks_to_the_door() {
    let door = Door::start();
    assert_eq!(cli(&door, &["PING"]), "PONG");
    assert_eq!(cli(&door, &["LB.ADD", "game", "5", "ann"]), "5\n1\n1");
    assert_eq!(cli(&door, &["LB.ADD", "game", "7", "bob"]), "7\n1\n1");
    assert_eq!(cli(&door, &["LB.TOP", "game", "10"]), "1\nbob\n7\n2\nann\n5");
    assert_eq!(cli(&door, &["-3", "LB.TOP", "game", "10"]), "1\nbob\n7\n2\nann\n5");
    let hello = cli(&door, &["HELLO", "3"]);
    assert!(hello.starts_with("server leaderboard\n") && hello.contains("proto 3"), "{hello}");
    assert!(cli(&door, &["COMMAND", "DOCS", "LB.TOP"]).to_lowercase().contains("lb.top"));
    assert_eq!(cli(&door, &["LB.TOP", "game"]), cli_of(&door.server, &["LB.TOP", "game"]));
    assert_eq!(cli(&door, &["NOSUCH", "a"]), cli_of(&door.server, &["NOSUCH", "a"]));
}

fn cli_of(server: &Server, arguments: &[&str]) -> String {
    let port = server.port().to_string();
    let output = Command::new("redis-cli").args(["-p", &port]).args(arguments).output().expect("redis-cli");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Sends the same commands to the door and to the server, and compares the replies and their types.
#[test]
fn replies_are_those_of_the_server() {
    let door = Door::start();
    for command in [
        "SET text hello",
        "LB.CREATE game VIEWS all,week DECIMALS 1",
        "LB.ADD game 5 ann ID x",
        "LB.SET game 8.5 bob",
    ] {
        run(&mut door.connection(), &command.split(' ').collect::<Vec<_>>());
    }
    let commands = [
        "LB.CREATE game",
        "LB.ADD game 5 ann ID x",
        "LB.TOP game 10",
        "LB.RANK game ann",
        "LB.RANK game nobody",
        "LB.STANDING game ann VIEW week",
        "LB.STANDING game nobody",
        "LB.STATS game",
        "LB.MSCORE game MEMBERS 2 ann nobody",
        "LB.INFO nothing",
        "LB.TOP text 10",
        "LB.TOP game ten",
        "LB.TOP",
        "GET text",
        "GET nothing",
        "TYPE game",
        "EXISTS game",
    ];
    let pairs = [
        (door.connection(), door.server.connection()),
        (door.connection_of("redis", "?protocol=resp3"), door.server.connection_resp3()),
    ];
    for (mut through, mut straight) in pairs {
        for command in commands {
            let words: Vec<_> = command.split(' ').collect();
            assert_eq!(try_run(&mut through, &words), try_run(&mut straight, &words), "{command}");
        }
        // The times differ; the fields and their types must not differ.
        let [info, expected] = [&mut through, &mut straight].map(|con| run(con, &["LB.INFO", "game"]));
        assert_eq!(names(&info), names(&expected));
    }
}

fn names(reply: &Value) -> Vec<String> {
    let pairs = reply.as_map_iter().expect("a map");
    pairs.map(|(name, _)| redis::from_redis_value_ref(name).expect("a name")).collect()
}

#[test]
fn ten_thousand_commands_in_one_go_keep_their_order() {
    let door = Door::start();
    for behind in ["", "?protocol=resp3"] {
        let mut con = door.connection_of("redis", behind);
        run(&mut con, &["DEL", "game"]);
        let mut pipeline = pipe();
        for number in 1..=10_000 {
            match number % 100 {
                0 => pipeline.cmd("ECHO").arg(number),
                _ => pipeline.cmd("LB.ADD").arg("game").arg(number).arg(format!("m{number}")),
            };
        }
        let replies: Vec<Value> = pipeline.query(&mut con).expect("replies");
        assert_eq!(replies.len(), 10_000);
        for (number, reply) in (1_i64..).zip(&replies) {
            match reply {
                Value::BulkString(text) => assert_eq!(text, &number.to_string().into_bytes()),
                Value::Array(items) => assert_eq!(items[..2], [Value::Int(number), Value::Int(1)]),
                other => panic!("{number}: {other:?}"),
            }
        }
        assert_eq!(query::<i64, _>(&mut con, &["LB.COUNT", "game"]), 9_900);
    }
}

#[test]
fn a_large_request_and_a_large_reply_go_through() {
    // A debug build can need more than the usual two seconds for 50,000 members.
    let door = Door::with(&[("--timeout-ms", "20000")]);
    let mut con = door.connection();
    let large = "x".repeat(20 << 20);
    assert_eq!(run(&mut con, &["SET", "large", &large]), Value::Okay);
    assert_eq!(query::<String, _>(&mut con, &["GET", "large"]), large);
    let many: Vec<String> = ["LB.MADD".to_owned(), "game".to_owned()]
        .into_iter()
        .chain((0..50_000).flat_map(|number| [number.to_string(), format!("m{number}")]))
        .collect();
    run(&mut con, &many);
    let rows: Vec<Value> = query(&mut con, &["LB.TOP", "game", "50000"]);
    assert_eq!(rows.len(), 50_000);
}
