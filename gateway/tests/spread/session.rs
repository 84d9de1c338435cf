//! Tests of the door as a server: its small commands, its refusals, and the order of replies.

use redis::Connection;

use super::parts::members_of;
use super::shared::shared;
use super::wire::{Reply, bulk, split};

#[test]
fn what_needs_one_server_is_refused() {
    let place = shared();
    let mut wire = place.door.wire();
    for line in [
        "EXEC",
        "DISCARD",
        "WATCH key",
        "UNWATCH",
        "SUBSCRIBE news",
        "PSUBSCRIBE news",
        "SSUBSCRIBE news",
        "MONITOR",
    ] {
        let name = line.split(' ').next().unwrap_or_default();
        assert_eq!(wire.say(line).error(), format!("ERR {name} does not work through the gateway"));
    }
    assert_eq!(wire.say("PING"), Reply::Simple("PONG".to_owned()));
    // Clients send the commands of a transaction together with MULTI. None of them is carried out.
    let error = "ERR MULTI does not work through the gateway, which ends the connection";
    assert_eq!(wire.say("MULTI").error(), error);
    assert!(wire.try_read().is_err());
}

#[test]
fn small_commands_answer_as_a_server() {
    let place = shared();
    let mut wire = place.door.wire();
    assert_eq!(wire.say("PING hello"), bulk("hello"));
    assert_eq!(wire.say("ECHO hello"), bulk("hello"));
    assert_eq!(wire.say("SELECT 0").text(), "OK");
    assert!(wire.say("SELECT 1").is_error());
    assert!(wire.say("CLIENT ID").int() > 0);
    assert_eq!(wire.say("CLIENT SETNAME me").text(), "OK");
    assert_eq!(wire.say("CLIENT GETNAME"), bulk("me"));
    assert_eq!(wire.say("CLIENT SETINFO LIB-NAME test").text(), "OK");
    assert!(wire.say("INFO").text().contains("uptime"));
    assert!(!wire.say("COMMAND").items().is_empty());
    assert_eq!(wire.say("RESET").text(), "RESET");
    let hello = wire.say("HELLO 3 SETNAME other");
    assert_eq!(*hello.field("proto"), Reply::Int(3));
    assert_eq!(*hello.field("server"), bulk("leaderboard"));
    assert_eq!(*hello.field("role"), bulk("master"));
    assert_eq!(wire.say("CLIENT GETNAME"), bulk("other"));
    assert_eq!(wire.say("LB.RANK nothing ann"), Reply::Nil(b'_'));
    assert!(wire.say("HELLO 4").error().starts_with("NOPROTO"));
    let hello = wire.say("HELLO 2");
    assert_eq!(*hello.field("proto"), Reply::Int(2));
    assert_eq!(wire.say("LB.RANK nothing ann"), Reply::Nil(b'$'));
    assert!(wire.say("NONSENSE 1 2").is_error());
    assert!(wire.say("LB.NONSENSE key").is_error());
    assert!(wire.say("LB.TOP").is_error());
    assert!(wire.say("GET").is_error());
    assert_eq!(wire.say("QUIT").text(), "OK");
    assert!(wire.try_read().is_err());
}

#[test]
fn other_types_and_plain_boards_pass_through() {
    let place = shared();
    let mut wire = place.door.wire();
    assert_eq!(wire.run("SET text value").text(), "OK");
    assert_eq!(wire.run("GET text"), bulk("value"));
    assert!(wire.say("LB.TOP text 5").error().starts_with("WRONGTYPE"));
    assert_eq!(
        wire.run("LB.ADD through 5 ann"),
        Reply::Array(vec![Reply::Int(5), Reply::Int(1), Reply::Int(1)])
    );
    assert_eq!(wire.run("LB.COUNTER.INCR clicks BY 3"), Reply::Int(3));
    assert_eq!(wire.run("LB.LEAGUE.CREATE play TIERS a PROMOTE 0 DEMOTE 0 CYCLE day").text(), "OK");
    assert!(!wire.run("LB.LEAGUE.JOIN play ann").items().is_empty());
    for line in [
        "LB.STANDING through ann",
        "LB.STATS through",
        "LB.TOP through 5",
        "LB.RANK through bob",
        "LB.LEAGUE.STANDING play ann",
    ] {
        let key = line.split(' ').nth(1).expect("a key");
        assert_eq!(wire.run(line), place.behind(key, line), "{line}");
        assert_eq!(place.door.wire_resp3().run(line), place.cluster.wire_resp3(key).run(line), "{line}");
    }
}

/// Checks that a client that sends many commands at once gets the replies in the same order, and reads its own writes.
#[test]
fn replies_come_in_order_and_see_what_was_written() {
    let place = shared();
    let mut wire = place.door.wire();
    wire.run("LB.CREATE order PARTS 16");
    wire.run("LB.CREATE order-plain");
    let mut commands = Vec::new();
    let mut expected = Vec::new();
    for round in 1..=60 {
        let member = format!("m{}", round % 7);
        // In the first seven rounds, each member is new.
        let (score, seen) = ((round - 1) / 7 + 1, round.min(7));
        commands.push(format!("LB.ADD order 1 {member}"));
        expected.push(format!("[{score}, nil$, 1]"));
        commands.push(format!("LB.SCORE order {member}"));
        expected.push(score.to_string());
        commands.push("LB.COUNT order".to_owned());
        expected.push(seen.to_string());
        commands.push(format!("LB.ADD order-plain 1 {member}"));
        expected.push(String::new());
        commands.push("LB.STATS order".to_owned());
        expected.push(String::new());
        commands.push(format!("ECHO {round}"));
        expected.push(format!("\"{round}\""));
        commands.push("LB.TOP order".to_owned());
        expected.push("-".to_owned());
        commands.push("LB.TOP order 100".to_owned());
        expected.push(String::new());
    }
    let words: Vec<_> = commands.iter().map(|line| split(line)).collect();
    let replies = wire.pipeline(&words);
    for (number, reply) in replies.iter().enumerate() {
        let (command, expected) = (&commands[number], &expected[number]);
        let round = number as i64 / 8 + 1;
        match command.as_str() {
            "LB.STATS order" => assert_eq!(*reply.field("sum"), Reply::Int(round), "{number}"),
            "LB.TOP order 100" => {
                let sum: i64 = reply.items().iter().map(|row| row.items()[2].int()).sum();
                assert_eq!(sum, round, "{number}: {reply:?}");
            }
            "LB.TOP order" => assert!(reply.is_error(), "{reply:?}"),
            _ if expected.is_empty() => assert_eq!(reply.items().len(), 3),
            _ => assert_eq!(format!("{reply:?}"), *expected, "{number}: {command}"),
        }
    }
}

#[test]
fn inline_commands_and_odd_bytes_are_understood() {
    let place = shared();
    let mut wire = place.door.wire();
    wire.raw(b"PING\r\n  ping   hello \r\n\r\nECHO \"two words\"\r\n");
    assert_eq!(wire.read(), Reply::Simple("PONG".to_owned()));
    assert_eq!(wire.read(), bulk("hello"));
    assert_eq!(wire.read(), bulk("two words"));
    wire.run("LB.CREATE bytes PARTS 4");
    let odd = b"\x00\xff\r\n$3\r\n{m}".to_vec();
    let words = |command: &str, rest: &[&[u8]]| {
        let mut words = vec![command.as_bytes().to_vec(), b"bytes".to_vec()];
        words.extend(rest.iter().map(|word| word.to_vec()));
        words
    };
    assert_eq!(wire.ask(&words("LB.ADD", &[b"5", &odd])).items()[0], Reply::Int(5));
    assert_eq!(wire.ask(&words("LB.RANK", &[&odd])), Reply::Int(1));
    assert_eq!(wire.run("LB.TOP bytes 1").items()[0].items()[1], Reply::Bulk(odd));
    // Words of options can also be names of members.
    let name = &members_of(0, 4, 1)[0];
    wire.run("LB.ADD bytes 1 PARTIAL");
    wire.run("LB.ADD bytes 1 TIMEOUT");
    wire.run(&format!("LB.SETMETA bytes {name} WITHRANK"));
    assert_eq!(wire.run("LB.SCORE bytes PARTIAL"), Reply::Int(1));
    assert_eq!(wire.run("LB.MSCORE bytes MEMBERS 2 TIMEOUT PARTIAL").items().len(), 2);
    assert_eq!(wire.run("LB.REM bytes TIMEOUT PARTIAL"), Reply::Int(2));
    assert_eq!(wire.run(&format!("LB.GETMETA bytes {name}")), bulk("WITHRANK"));
    // Garbage ends this connection, and no other connection.
    let mut garbage = place.door.wire();
    garbage.raw(b"*1\r\n+PING\r\n");
    assert!(matches!(garbage.try_read(), Ok(Reply::Error(_)) | Err(_)));
    assert!(garbage.try_read().is_err());
    assert_eq!(wire.say("PING"), Reply::Simple("PONG".to_owned()));
}

#[test]
fn client_libraries_are_at_home() {
    let place = shared();
    for parameters in ["", "?protocol=resp3"] {
        let mut con: Connection = place.door.connection(parameters);
        let name = format!("library{}", parameters.len());
        let run = |con: &mut Connection, line: &str| {
            let mut command = redis::Cmd::new();
            line.split(' ').for_each(|word| {
                command.arg(word);
            });
            command.query::<redis::Value>(con).unwrap_or_else(|error| panic!("{line}: {error}"))
        };
        run(&mut con, &format!("LB.CREATE {name} PARTS 4"));
        run(&mut con, &format!("LB.ADD {name} 5 ann"));
        let top: Vec<(u64, String, i64)> =
            redis::from_redis_value(run(&mut con, &format!("LB.TOP {name} 5"))).expect("rows");
        assert_eq!(top, [(1, "ann".to_owned(), 5)]);
        let stats: std::collections::HashMap<String, redis::Value> =
            redis::from_redis_value(run(&mut con, &format!("LB.STATS {name}"))).expect("a map");
        assert_eq!(stats["members"], redis::Value::Int(1));
    }
}
