//! Clients that follow live rankings: they open a stream, read some events, and close it.

use std::fmt::Display;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use leaderboard_testkit::random::Random;
use serde_json::Value;

use super::rows;
use super::shared::{Client, PATIENCE, Shared};
use super::tally::Door;

/// Events of a stream that are read, at most.
const EVENTS: u64 = 12;
/// Rows of an event, at most.
const ROWS: usize = 20;
/// How often a follower looks whether the load ends.
const LOOK: Duration = Duration::from_millis(200);

/// A follower.
pub struct Follower<'a> {
    shared: &'a Shared,
    random: Random,
}

impl<'a> Follower<'a> {
    /// A follower.
    pub fn new(shared: &'a Shared, random: &mut Random) -> Self {
        Self { shared, random: Random::new(random.number()) }
    }
}

impl Client for Follower<'_> {
    fn step(&mut self) -> Result<(), String> {
        let board = self.random.pick(&self.shared.boards);
        let path = format!("/boards/{}/live?count={ROWS}", board.key);
        let told = |error: &dyn Display| format!("{path}: {error}");
        let mut stream = Stream::open(self.shared, &path).map_err(|error| told(&error))?;
        for _ in 0..1 + self.random.below(EVENTS) {
            match stream.next().map_err(|error| told(&error))? {
                Event::Rows(rows) => _ = rows::check(&path, rows::of_body(&rows), ROWS)?,
                Event::Alive => {}
                Event::End => break,
            }
            self.shared.tally.add(Door::Http, [1, 0, 0], None);
        }
        Ok(())
    }
}

enum Event {
    Rows(Value),
    /// A comment, which says that the stream is alive.
    Alive,
    /// The board cannot be read, or the stream was refused, or it ended, or the load ends.
    End,
}

struct Stream<'a> {
    shared: &'a Shared,
    reader: BufReader<TcpStream>,
    /// The name of the event that is read.
    event: String,
}

impl<'a> Stream<'a> {
    fn open(shared: &'a Shared, path: &str) -> io::Result<Self> {
        let mut socket = TcpStream::connect(shared.http)?;
        socket.set_read_timeout(Some(LOOK))?;
        let token = &shared.tokens.viewer;
        let head = format!("GET /api/v1{path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}");
        socket.write_all(format!("{head}\r\n\r\n").as_bytes())?;
        Ok(Self { shared, reader: BufReader::new(socket), event: String::new() })
    }

    fn next(&mut self) -> Result<Event, String> {
        while let Some(line) = self.line().map_err(|error| error.to_string())? {
            match line.split_once(": ") {
                None if line.starts_with("HTTP/1.1 ") => match line.split(' ').nth(1) {
                    Some("200") => {}
                    Some("503") => return Ok(Event::End),
                    _ => return Err(line),
                },
                None if line.starts_with(':') => return Ok(Event::Alive),
                Some(("event", name)) => name.clone_into(&mut self.event),
                Some(("data", data)) if self.event == "rows" => {
                    return serde_json::from_str(data)
                        .map(Event::Rows)
                        .map_err(|error| format!("{error}: {data}"));
                }
                Some(("data", _)) if self.event == "problem" => return Ok(Event::End),
                Some(("data", data)) => return Err(format!("event {}: {data}", self.event)),
                _ => {}
            }
        }
        Ok(Event::End)
    }

    /// Returns the next line, or `None` at the end of the stream or of the load. A stream that is silent for long is an error.
    fn line(&mut self) -> io::Result<Option<String>> {
        let begin = Instant::now();
        let mut line = Vec::new();
        loop {
            match self.reader.read_until(b'\n', &mut line) {
                Ok(0) => return Ok(None),
                Ok(_) => return Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned())),
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
                Err(_) if self.shared.is_over() => return Ok(None),
                Err(error) if begin.elapsed() > PATIENCE => return Err(error),
                Err(_) => {}
            }
        }
    }
}
