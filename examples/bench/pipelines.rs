//! Sends requests of one or several commands. Each request draws random numbers, such as points and a member, and uses
//! the same numbers in all its commands. The module [`places`] describes the placeholders for these numbers, and
//! [`crowd`] describes which members are popular.

mod crowd;
mod places;

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

pub use crowd::Traffic;
pub use places::{
    COUNTRY, GROUP, JOINED, JOINER, MEMBER, OPTION, OPTIONS, PAGE, PLAYER, POINTS, REQUEST, VOTER,
    draws_members, example, listed, listed_points, mate, page, slice,
};

use crate::contest::Contestant;
use crate::fill::Random;
use client::Result;
use client::failed;
use crowd::Crowds;
use places::{Draw, Place};

const CLIENTS: usize = 50;
/// The maximum wait for a reply. Only a server that hangs takes this long.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The settings for the random numbers of a run. Runs with the same number draw the same values for all contestants;
/// runs with different numbers draw different values.
#[derive(Clone, Copy)]
pub struct Run {
    pub traffic: Traffic,
    pub members: u64,
    pub number: u64,
}

/// Connections to the server, opened before the measurement.
pub struct Connections(Vec<TcpStream>);

impl Connections {
    pub fn open(port: u16, database: u8) -> Result<Self> {
        (0..CLIENTS).map(|_| connect(port, database)).collect::<Result<_>>().map(Self)
    }

    /// Returns the requests per second. Uses the connections in turn, with one pipeline on each.
    pub fn run(&mut self, who: &Contestant, requests: u64, run: Run) -> Result<f64> {
        let mut waiting = VecDeque::new();
        let mut batch = Batch::new(who, run)?;
        let batches = requests.div_ceil(who.pipeline as u64).max(1);
        let replies = who.commands.len().saturating_mul(who.pipeline);
        let started = Instant::now();
        for _ in 0..batches {
            let mut connection = match self.0.pop() {
                Some(connection) => connection,
                None => answered(waiting.pop_front(), replies)?,
            };
            batch.draw();
            connection.write_all(&batch.bytes).map_err(failed("cannot send a pipeline"))?;
            waiting.push_back(connection);
        }
        while !waiting.is_empty() {
            self.0.push(answered(waiting.pop_front(), replies)?);
        }
        Ok(batches.saturating_mul(who.pipeline as u64) as f64 / started.elapsed().as_secs_f64())
    }
}

fn connect(port: u16, database: u8) -> Result<TcpStream> {
    let connection = TcpStream::connect(("127.0.0.1", port)).map_err(failed("cannot connect"))?;
    connection.set_nodelay(true).map_err(failed("cannot send at once"))?;
    connection.set_read_timeout(Some(TIMEOUT)).map_err(failed("cannot set a timeout"))?;
    let select = redis::cmd("SELECT").arg(database).get_packed_command();
    (&connection).write_all(&select).map_err(failed("cannot choose a database"))?;
    answered(Some(connection), 1)
}

/// Reads this number of replies.
fn answered(connection: Option<TcpStream>, replies: usize) -> Result<TcpStream> {
    let mut connection = connection.ok_or("no connection waits for an answer")?;
    let mut buffer = [0; 65_536];
    let mut replies = Replies { left: replies, text: 0, begun: None };
    while !replies.are_complete() {
        let read = connection.read(&mut buffer).map_err(failed("no answer to a pipeline"))?;
        let some = buffer.get(..read).unwrap_or_default();
        if some.is_empty() {
            return Err("the server closed the connection".to_owned());
        }
        replies.take(some);
    }
    Ok(connection)
}

/// Counts RESP2 replies.
struct Replies {
    /// The number of replies and array items that have not arrived.
    left: usize,
    /// The number of bytes of a text that have not arrived.
    text: usize,
    /// The part that has arrived of an unfinished line.
    begun: Option<Line>,
}

/// Used in place of the first byte of a nil.
const NIL: u8 = b'_';
/// The number of bytes after a text.
const TEXT_END: usize = 2;

/// The first byte of a line, and the number after it.
#[derive(Clone, Copy)]
struct Line(u8, usize);

impl Replies {
    const fn are_complete(&self) -> bool {
        self.left == 0 && self.text == 0
    }

    fn take(&mut self, mut some: &[u8]) {
        while let Some((&byte, rest)) = some.split_first() {
            if self.text > 0 {
                let taken = self.text.min(some.len());
                self.text = self.text.saturating_sub(taken);
                some = some.get(taken..).unwrap_or_default();
                continue;
            }
            if matches!(self.begun, Some(Line(kind, _)) if !matches!(kind, b'*' | b'$')) && byte != b'\n' {
                some = from_line_end(rest);
                continue;
            }
            some = rest;
            self.begun = match (self.begun, byte) {
                (None, kind) => Some(Line(kind, 0)),
                (Some(line), b'\n') => {
                    self.end(line);
                    None
                }
                (Some(Line(kind @ (b'*' | b'$'), number)), b'0'..=b'9') => {
                    let digit = usize::from(byte.saturating_sub(b'0'));
                    Some(Line(kind, number.saturating_mul(10).saturating_add(digit)))
                }
                (Some(Line(b'*' | b'$', _)), b'-') => Some(Line(NIL, 0)),
                (same, _) => same,
            };
        }
    }

    /// Handles the end of a line. An array ends with its last item, a text with the bytes after this line.
    fn end(&mut self, Line(kind, number): Line) {
        let items = if kind == b'*' { number } else { 0 };
        self.left = self.left.saturating_add(items).saturating_sub(1);
        self.text = if kind == b'$' { number.saturating_add(TEXT_END) } else { 0 };
    }
}

/// Skips the part of a line whose content does not matter. Returns the rest, from the last byte of the line on.
fn from_line_end(some: &[u8]) -> &[u8] {
    let end = some.iter().position(|&byte| byte == b'\n').unwrap_or(some.len());
    some.get(end..).unwrap_or_default()
}

/// The requests of one pipeline. Only their numbers are replaced before they are sent.
struct Batch {
    bytes: Vec<u8>,
    /// The number of bytes of a request.
    length: usize,
    /// The places of the numbers in a request.
    places: Vec<Place>,
    random: Random,
    crowds: Crowds,
    /// The number of the next request, counted over all runs.
    next: u64,
}

impl Batch {
    fn new(who: &Contestant, run: Run) -> Result<Self> {
        let mut request = Vec::new();
        for words in &who.commands {
            let words: Vec<&[u8]> = words.iter().map(String::as_bytes).collect();
            let mut command = redis::Cmd::new();
            command.arg(words);
            request.extend(command.get_packed_command());
        }
        Ok(Self {
            length: request.len(),
            places: places::places(&request),
            bytes: request.repeat(who.pipeline),
            random: Random::of(run.number),
            crowds: Crowds::new(run.traffic, run.members)?,
            next: places::first_of_run(run.number),
        })
    }

    /// Writes new numbers into all requests.
    fn draw(&mut self) {
        for request in self.bytes.chunks_exact_mut(self.length) {
            let mut draw = Draw::new(&self.crowds, self.next, &mut self.random);
            self.next = self.next.saturating_add(1);
            for place in &self.places {
                let digits = draw.digits(place.number);
                place.fill(request, &digits);
            }
        }
    }
}
