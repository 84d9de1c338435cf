//! A client that shows replies as they are sent: each with its type, and with different nulls of RESP2 and RESP3.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A time limit that is longer than any test waits for one reply.
const PATIENCE: Duration = Duration::from_secs(30);

/// A reply.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reply {
    /// A null. The byte gives its form: `$-1`, `*-1` or `_`.
    Nil(u8),
    Int(i64),
    Bulk(Vec<u8>),
    Simple(String),
    Error(String),
    Array(Vec<Reply>),
    Map(Vec<(Reply, Reply)>),
    /// A reply of a type that these commands never use: its first byte, and the rest of its line.
    Other(u8, String),
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Nil(kind) => write!(f, "nil{}", char::from(*kind)),
            Reply::Int(number) => write!(f, "{number}"),
            Reply::Bulk(bytes) => write!(f, "\"{}\"", bytes.escape_ascii()),
            Reply::Simple(text) => write!(f, "+{text}"),
            Reply::Error(text) => write!(f, "-{text}"),
            Reply::Array(items) => f.debug_list().entries(items).finish(),
            Reply::Map(pairs) => {
                f.debug_map().entries(pairs.iter().map(|(name, value)| (name, value))).finish()
            }
            Reply::Other(kind, rest) => write!(f, "{}{rest}", char::from(*kind)),
        }
    }
}

impl Reply {
    pub fn is_error(&self) -> bool {
        matches!(self, Reply::Error(_))
    }

    pub fn is_nil(&self) -> bool {
        matches!(self, Reply::Nil(_))
    }

    #[track_caller]
    pub fn error(&self) -> &str {
        match self {
            Reply::Error(text) => text,
            other => panic!("no error but {other:?}"),
        }
    }

    #[track_caller]
    pub fn items(&self) -> &[Reply] {
        match self {
            Reply::Array(items) => items,
            other => panic!("no array but {other:?}"),
        }
    }

    #[track_caller]
    pub fn int(&self) -> i64 {
        match self {
            Reply::Int(number) => *number,
            other => panic!("no integer but {other:?}"),
        }
    }

    #[track_caller]
    pub fn text(&self) -> String {
        match self {
            Reply::Bulk(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Reply::Simple(text) => text.clone(),
            other => panic!("no text but {other:?}"),
        }
    }

    /// Returns a field of a map, which may be sent as a flat array.
    #[track_caller]
    pub fn field(&self, name: &str) -> &Reply {
        let found = match self {
            Reply::Map(pairs) => pairs.iter().find(|(key, _)| key.text() == name).map(|(_, value)| value),
            Reply::Array(items) => items.chunks(2).find(|pair| pair[0].text() == name).map(|pair| &pair[1]),
            _ => None,
        };
        found.unwrap_or_else(|| panic!("no {name} in {self:?}"))
    }
}

pub fn bulk(text: impl AsRef<[u8]>) -> Reply {
    Reply::Bulk(text.as_ref().to_vec())
}

/// Splits a line into words.
pub fn split(line: &str) -> Vec<Vec<u8>> {
    line.split_whitespace().map(|word| word.as_bytes().to_vec()).collect()
}

/// A connection to a server or a door.
pub struct Wire(BufReader<TcpStream>);

impl Wire {
    #[track_caller]
    pub fn to(port: u16) -> Wire {
        Wire::try_to(port).expect("a connection")
    }

    pub fn try_to(port: u16) -> std::io::Result<Wire> {
        let socket = TcpStream::connect(("127.0.0.1", port))?;
        socket.set_read_timeout(Some(PATIENCE))?;
        socket.set_nodelay(true)?;
        Ok(Wire(BufReader::new(socket)))
    }

    /// Opens a connection with RESP3.
    #[track_caller]
    pub fn to_resp3(port: u16) -> Wire {
        let mut wire = Wire::to(port);
        let hello = wire.say("HELLO 3");
        assert!(!hello.is_error(), "{hello:?}");
        wire
    }

    /// Sends a command whose words are separated by spaces, and reads the reply.
    #[track_caller]
    pub fn say(&mut self, line: &str) -> Reply {
        self.ask(&split(line))
    }

    /// Sends a command and reads the reply as `say` does. An error fails the test.
    #[track_caller]
    pub fn run(&mut self, line: &str) -> Reply {
        let reply = self.say(line);
        assert!(!reply.is_error(), "{line}: {reply:?}");
        reply
    }

    #[track_caller]
    pub fn ask(&mut self, words: &[Vec<u8>]) -> Reply {
        self.send(&[words.to_vec()]);
        self.read()
    }

    /// Sends all commands at once, and reads the replies.
    #[track_caller]
    pub fn pipeline(&mut self, commands: &[Vec<Vec<u8>>]) -> Vec<Reply> {
        self.send(commands);
        commands.iter().map(|_| self.read()).collect()
    }

    #[track_caller]
    pub fn send(&mut self, commands: &[Vec<Vec<u8>>]) {
        let mut bytes = Vec::new();
        for words in commands {
            bytes.extend_from_slice(format!("*{}\r\n", words.len()).as_bytes());
            for word in words {
                bytes.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
                bytes.extend_from_slice(word);
                bytes.extend_from_slice(b"\r\n");
            }
        }
        self.raw(&bytes);
    }

    #[track_caller]
    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).expect("a request");
    }

    #[track_caller]
    pub fn read(&mut self) -> Reply {
        self.try_read().expect("a reply")
    }

    /// Reads a reply; returns an error if the connection ends instead.
    pub fn try_read(&mut self) -> std::io::Result<Reply> {
        let mut line = Vec::new();
        self.0.read_until(b'\n', &mut line)?;
        let Some((kind, rest)) = line.split_first() else {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        };
        let rest = String::from_utf8_lossy(rest).trim_end_matches("\r\n").to_owned();
        Ok(match *kind {
            b'+' => Reply::Simple(rest),
            b'-' => Reply::Error(rest),
            b':' => Reply::Int(rest.parse().expect("an integer")),
            b'_' => Reply::Nil(b'_'),
            kind @ (b'$' | b'*') if rest == "-1" => Reply::Nil(kind),
            b'$' => Reply::Bulk(self.bytes(rest.parse().expect("a length"))?),
            b'*' => Reply::Array((0..number(&rest)).map(|_| self.try_read()).collect::<Result<_, _>>()?),
            b'%' => {
                let pair = |_| Ok::<_, std::io::Error>((self.try_read()?, self.try_read()?));
                Reply::Map((0..number(&rest)).map(pair).collect::<Result<_, _>>()?)
            }
            kind => Reply::Other(kind, rest),
        })
    }

    /// Checks whether a reply arrives within 300 ms.
    pub fn answers_soon(&mut self) -> bool {
        let socket = self.0.get_mut();
        let limited = socket.set_read_timeout(Some(Duration::from_millis(300)));
        let answered = self.try_read().is_ok();
        limited.is_ok() && answered && self.0.get_mut().set_read_timeout(Some(PATIENCE)).is_ok()
    }

    fn bytes(&mut self, length: usize) -> std::io::Result<Vec<u8>> {
        let mut bytes = vec![0; length + 2];
        self.0.read_exact(&mut bytes)?;
        bytes.truncate(length);
        Ok(bytes)
    }
}

fn number(text: &str) -> usize {
    text.parse().expect("a number of items")
}
