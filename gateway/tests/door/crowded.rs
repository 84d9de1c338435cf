//! Tests of many clients, of clients that do not read, and of the end of the gateway.

use std::io::{Read, Write};

use redis::Value;

use super::{Door, rest};
use crate::servers::{info, query, run, wait_until};

#[test]
fn a_client_that_never_reads_holds_nobody_up() {
    let mut door = Door::start();
    let mut con = door.connection();
    run(&mut con, &["SET", "large", &"x".repeat(1 << 20)]);
    let mut deaf = door.socket();
    deaf.set_nonblocking(true).expect("a socket");
    // Sends requests until the door stops reading from this client.
    let mut full = 0;
    wait_until(|| {
        full = if deaf.write(&b"GET large\r\n".repeat(1_000)).is_ok() { 0 } else { full + 1 };
        full > 20
    });
    for number in 1..=100 {
        assert_eq!(query::<i64, _>(&mut con, &["INCR", "count"]), number);
    }
    // This client does not prevent the gateway from ending either.
    assert!(door.gateway.terminate());
}

#[test]
fn clients_beyond_the_limit_are_turned_away() {
    let door = Door::with(&[("--resp-connections", "2")]);
    let mut first = door.connection();
    let second = door.connection();
    assert_eq!(rest(door.socket()), "-ERR max number of clients reached\r\n");
    assert_eq!(info(&mut first, "clients", "connected_clients"), "2");
    assert_eq!(info(&mut first, "clients", "maxclients"), "2");
    assert_eq!(info(&mut first, "stats", "rejected_connections"), "1");
    drop(second);
    wait_until(|| door.say("PING\r\n") == "+PONG\r\n");
}

#[test]
fn commands_that_were_sent_are_answered_before_the_end() {
    let mut door = Door::start();
    let mut socket = door.socket();
    let mut idle = door.connection();
    assert_eq!(run(&mut idle, &["PING"]), Value::SimpleString("PONG".to_owned()));
    socket.write_all(b"LB.ADD game 5 ann\r\nLB.SCORE game ann\r\n").expect("commands");
    let mut reply = [0; 20];
    socket.read_exact(&mut reply).expect("replies");
    assert_eq!(&reply, b"*3\r\n:5\r\n:1\r\n:1\r\n:5\r\n");
    assert!(door.gateway.terminate());
    assert_eq!(rest(socket), "");
}

#[test]
fn everybody_gets_the_answers_to_their_own_questions() {
    let door = Door::start();
    std::thread::scope(|scope| {
        for client in 0..20 {
            let mut con = door.connection();
            scope.spawn(move || {
                for round in 1..=200 {
                    let member = format!("m{client}");
                    let added: Vec<i64> =
                        query(&mut con, &["LB.ADD", &format!("game{client}"), "1", &member]);
                    assert_eq!(added, [round, 1, 1]);
                    let said = format!("{client}:{round}");
                    assert_eq!(query::<String, _>(&mut con, &["ECHO", &said]), said);
                }
            });
        }
    });
}
