//! Commands and replies as bytes.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

use leaderboard_testkit::Server;

/// A reply.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// A whole number.
    Int(i64),
    /// A string, simple or not.
    Text(Vec<u8>),
    Nil,
    Array(Vec<Reply>),
    /// A map of RESP3.
    Map(Vec<Reply>),
    Error(String),
}

/// A connection that returns the bytes of each reply.
pub struct Wire(UnixStream);

impl Wire {
    /// Connects with protocol 2 or 3.
    pub fn new(server: &Server, protocol: u8) -> Self {
        let mut wire = Self(UnixStream::connect(server.socket()).expect("a connection"));
        wire.ask(&[b"HELLO".to_vec(), protocol.to_string().into_bytes()]);
        wire
    }

    /// Sends a command and returns the reply and its bytes.
    pub fn ask(&mut self, words: &[Vec<u8>]) -> (Reply, Vec<u8>) {
        let mut command = format!("*{}\r\n", words.len()).into_bytes();
        for word in words {
            command.extend(format!("${}\r\n", word.len()).bytes());
            command.extend(word);
            command.extend(b"\r\n");
        }
        self.0.write_all(&command).expect("a command sent");
        let mut bytes = Vec::new();
        let mut chunk = [0; 65_536];
        loop {
            let read = self.0.read(&mut chunk).expect("a reply");
            assert!(read > 0, "the server closed the connection");
            bytes.extend(&chunk[..read]);
            if let Some((_, [])) = parse(&bytes) {
                let bytes = with_fixed_memory(&bytes);
                let reply = parse(&bytes).expect("a whole reply").0;
                return (reply, bytes);
            }
        }
    }
}

/// Sets the bytes of memory that a reply tells to 1000: hash tables are seeded at random, so they differ from run to run.
fn with_fixed_memory(bytes: &[u8]) -> Vec<u8> {
    const NAME: &[u8] = b"memory\r\n:";
    let Some(at) = bytes.windows(NAME.len()).position(|part| part == NAME) else { return bytes.to_vec() };
    let (before, number) = bytes.split_at(at + NAME.len());
    let end = number.iter().position(|byte| *byte == b'\r').expect("the end of the number");
    [before, b"1000", &number[end..]].concat()
}

/// Reads a reply from the beginning of the bytes, if all of it is there. Returns the rest, too.
fn parse(bytes: &[u8]) -> Option<(Reply, &[u8])> {
    let end = bytes.windows(2).position(|two| two == b"\r\n")?;
    let (kind, line, rest) = (bytes[0], &bytes[1..end], &bytes[end + 2..]);
    let text = || String::from_utf8(line.to_vec()).expect("a line of text");
    let number = || text().parse::<i64>().expect("a number");
    let items = |mut rest, count| {
        let mut items = Vec::new();
        for _ in 0..count {
            let (item, after) = parse(rest)?;
            items.push(item);
            rest = after;
        }
        Some((items, rest))
    };
    Some(match kind {
        b':' => (Reply::Int(number()), rest),
        b'+' => (Reply::Text(line.to_vec()), rest),
        b'-' => (Reply::Error(text()), rest),
        b'_' => (Reply::Nil, rest),
        b'$' | b'*' if number() < 0 => (Reply::Nil, rest),
        b'$' => {
            let length = number() as usize;
            let end = length + 2;
            (rest.len() >= end).then(|| (Reply::Text(rest[..length].to_vec()), &rest[end..]))?
        }
        b'*' => {
            let (items, rest) = items(rest, number())?;
            (Reply::Array(items), rest)
        }
        b'%' => {
            let (items, rest) = items(rest, 2 * number())?;
            (Reply::Map(items), rest)
        }
        kind => panic!("a reply of the kind {:?}", char::from(kind)),
    })
}
