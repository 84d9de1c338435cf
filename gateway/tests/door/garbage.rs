//! Tests with bytes that no real client sends.

use std::io::{Read, Write};

use super::{Door, rest};

#[test]
fn what_is_no_request_ends_the_connection() {
    let door = Door::start();
    for (bytes, expected) in [
        (&b"*x\r\n"[..], "-ERR Protocol error: invalid multibulk length\r\n"),
        (b"*1\r\n+PING\r\n", "-ERR Protocol error: expected '$', got '+'\r\n"),
        (b"*1\r\n$-5\r\n", "-ERR Protocol error: invalid bulk length\r\n"),
        (b"*1\r\n$4\r\nPINGPONG", "-ERR Protocol error: expected the end of a line behind a bulk string\r\n"),
        (b"say \"x\r\n", "-ERR Protocol error: unbalanced quotes in request\r\n"),
        (b"PING\r\n*1\r\n!", "+PONG\r\n-ERR Protocol error: expected '$', got '!'\r\n"),
        (
            b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "-ERR wrong number of arguments for 'get' command\r\n-ERR this is no HTTP server\r\n",
        ),
    ] {
        assert_eq!(door.say(bytes), expected, "{}", bytes.escape_ascii());
    }
    assert!(door.say(vec![b'x'; 100_000]).starts_with("-ERR Protocol error: too big inline request"));
}

#[test]
fn random_bytes_do_no_harm() {
    let door = Door::start();
    // Xorshift, which gives the same bytes in each run.
    let mut state = 88_172_645_463_325_252_u64;
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..500)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                // Bytes that have a meaning in the protocol are more frequent than other bytes.
                let known = b"*$\r\n0129 \"'x";
                known.get(state as usize % 20).copied().unwrap_or((state >> 32) as u8)
            })
            .collect();
        door.say(bytes);
    }
    assert_eq!(door.say("PING\r\n"), "+PONG\r\n");
}

#[test]
fn half_a_command_is_not_carried_out() {
    let door = Door::start();
    let whole = "*4\r\n$6\r\nLB.ADD\r\n$4\r\ngame\r\n$1\r\n5\r\n$3\r\nann\r\n";
    for end in 0..whole.len() {
        assert_eq!(door.say(&whole[..end]), "", "{end}");
    }
    assert_eq!(door.say("EXISTS game\r\n"), ":0\r\n");
    assert_eq!(door.say(whole), "*3\r\n:5\r\n:1\r\n:1\r\n");
}

#[test]
fn a_command_may_come_byte_by_byte() {
    let door = Door::start();
    let mut socket = door.socket();
    for byte in b"*2\r\n$4\r\nECHO\r\n$5\r\nhello\r\nPING\r\n" {
        socket.write_all(&[*byte]).expect("a byte");
    }
    let mut reply = [0; 18];
    socket.read_exact(&mut reply).expect("replies");
    assert_eq!(&reply, b"$5\r\nhello\r\n+PONG\r\n");
    socket.write_all(b"QUIT\r\n").expect("a command");
    assert_eq!(rest(socket), "+OK\r\n");
}
