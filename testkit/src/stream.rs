//! Reads the replication stream: the commands that a primary sends to its replicas.

use std::io::{BufRead, BufReader, Read, Write, copy, sink};
use std::os::unix::net::UnixStream;

use redis::Connection;

use super::client::run;
use super::server::Server;
use super::wait::PATIENCE;

/// A command that ends one reading. It goes through the stream and changes no key.
const MARK: [&str; 3] = ["PUBLISH", "replication-stream", "mark"];

/// A reader of a server's replication stream.
pub struct ReplicationStream {
    con: Connection,
    stream: BufReader<UnixStream>,
    parser: redis::Parser,
}

impl ReplicationStream {
    /// Connects to a server, and starts to read its stream.
    pub fn of(server: &Server) -> ReplicationStream {
        let mut socket = UnixStream::connect(server.socket()).expect("a connection");
        socket.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        socket.write_all(b"SYNC\r\n").expect("a request for the stream");
        let mut stream = BufReader::new(socket);
        skip_snapshot(&mut stream);
        let mut it = ReplicationStream { con: server.connection(), stream, parser: redis::Parser::new() };
        it.take();
        it
    }

    /// Returns the commands since the last call, each in one line, with bytes beyond ASCII escaped. SELECT, PING and
    /// REPLCONF are left out, because the server sends them at any time.
    pub fn take(&mut self) -> Vec<String> {
        run(&mut self.con, &MARK);
        let mut commands = Vec::new();
        loop {
            let command = self.next();
            let name = command.split(' ').next().unwrap_or_default();
            match name {
                _ if command == MARK.join(" ") => return commands,
                "SELECT" | "PING" | "REPLCONF" => {}
                _ => commands.push(command),
            }
        }
    }

    fn next(&mut self) -> String {
        let value = self.parser.parse_value(&mut self.stream).expect("a command in the stream");
        let words: Vec<Vec<u8>> = redis::from_redis_value(value).expect("words");
        words.iter().map(|word| word.escape_ascii().to_string()).collect::<Vec<_>>().join(" ")
    }
}

/// Skips the snapshot before the stream: a line with `$` and a length, and this number of bytes.
fn skip_snapshot(stream: &mut impl BufRead) {
    let mut line = String::new();
    while line.trim().is_empty() {
        line.clear();
        // The server sends empty lines while it makes the snapshot.
        stream.read_line(&mut line).expect("the head of the snapshot");
    }
    let length = line.trim().strip_prefix('$').and_then(|length| length.parse().ok());
    let length: u64 = length.unwrap_or_else(|| panic!("no snapshot but {line:?}"));
    let read = copy(&mut stream.take(length), &mut sink()).expect("the snapshot");
    assert_eq!(read, length, "the snapshot ended early");
}
