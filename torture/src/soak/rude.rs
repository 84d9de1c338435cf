//! Clients that behave badly: they leave in the middle of a request or before its answer, read slowly, or send garbage. The gateway
//! owes them nothing, but it must not suffer: nothing of them may stay, and half a request may not be carried out.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use leaderboard_testkit::random::Random;

use super::shared::{Client, PATIENCE, Shared};
use super::wire::{packed, words};

/// The board of these clients, which nobody checks but for `HALF`.
pub const LOOSE: &str = "loose";
/// The member of requests that are never sent to their end.
pub const HALF: &str = "half";
/// The longest time in which a slow client reads nothing, in milliseconds.
const SLOWEST: u64 = 1_500;
/// A client pauses for less than this number of milliseconds.
const REST: u64 = 60;
/// The length of garbage, at most.
const GARBAGE: u64 = 400;

/// A client that behaves badly, each time in another way.
pub struct Rude<'a> {
    shared: &'a Shared,
    random: Random,
}

impl<'a> Rude<'a> {
    /// A rude client.
    pub fn new(shared: &'a Shared, random: &mut Random) -> Self {
        Self { shared, random: Random::new(random.number()) }
    }

    /// Returns a whole HTTP request that adds a point to a member.
    fn post(&self, member: &str) -> Vec<u8> {
        let (token, body) = (&self.shared.tokens.rude, r#"{"points": 1}"#);
        let path = format!("/api/v1/boards/{LOOSE}/members/{member}/score");
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}");
        let kind = format!("Content-Type: application/json\r\nContent-Length: {}", body.len());
        format!("{head}\r\n{kind}\r\n\r\n{body}").into_bytes()
    }

    /// Returns a whole HTTP request for a large page.
    fn page(&self) -> Vec<u8> {
        let (token, key) = (&self.shared.tokens.rude, &self.shared.boards[0].key);
        let path = format!("/api/v1/boards/{key}/top?count=1000");
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n")
            .into_bytes()
    }

    /// Leaves in the middle of a request.
    fn leave_midway(&mut self) -> io::Result<()> {
        let command = packed(&[words(&format!("LB.ADD {LOOSE} 1 {HALF}"))]);
        let (door, request) = match self.random.below(2) {
            0 => (self.shared.http, self.post(HALF)),
            _ => (self.shared.resp, command),
        };
        let end = self.random.below(request.len() as u64) as usize;
        connect(door)?.write_all(&request[..end])
    }

    /// Leaves before the answer.
    fn leave_early(&mut self) -> io::Result<()> {
        let [add, top] =
            [format!("LB.ADD {LOOSE} 1 gone"), format!("LB.TOP {} 1000", self.shared.boards[0].key)];
        let (door, request) = match self.random.below(4) {
            0 => (self.shared.http, self.post("gone")),
            1 => (self.shared.http, self.page()),
            2 => (self.shared.resp, packed(&[words(&add)]).repeat(20)),
            _ => (self.shared.resp, packed(&[words(&top)]).repeat(20)),
        };
        let mut socket = connect(door)?;
        socket.write_all(&request)?;
        if self.random.percent(50) {
            // Takes the first bytes of the answer.
            let _ = socket.read(&mut [0; 64])?;
        }
        Ok(())
    }

    /// Reads nothing for some time, and then a part or all of the answer.
    fn read_slowly(&mut self) -> io::Result<()> {
        let top = words(&format!("LB.TOP {} 1000", self.shared.boards[0].key));
        let (door, request) = match self.random.below(2) {
            0 => (self.shared.http, self.page().repeat(8)),
            _ => (self.shared.resp, packed(&[top]).repeat(60)),
        };
        let mut socket = connect(door)?;
        socket.write_all(&request)?;
        thread::sleep(Duration::from_millis(self.random.below(SLOWEST)));
        if self.random.percent(50) {
            socket.shutdown(Shutdown::Write)?;
            io::copy(&mut socket, &mut io::sink())?;
        }
        Ok(())
    }

    /// Sends garbage, and waits until the gateway has closed the connection.
    fn send_garbage(&mut self) -> io::Result<()> {
        let door = *self.random.pick(&[self.shared.http, self.shared.resp]);
        // Bytes that have a meaning in a protocol are more frequent than others.
        const KNOWN: &[u8] = b"*$\r\n0129 \"'GET/:HTP1.";
        let length = self.random.below(GARBAGE);
        let bytes = (0..length).map(|_| {
            let is_known = self.random.percent(80);
            if is_known { *self.random.pick(KNOWN) } else { self.random.below(256) as u8 }
        });
        let bytes: Vec<u8> = bytes.collect();
        let mut socket = connect(door)?;
        socket.write_all(&bytes)?;
        socket.shutdown(Shutdown::Write)?;
        io::copy(&mut socket, &mut io::sink())?;
        Ok(())
    }
}

impl Client for Rude<'_> {
    fn step(&mut self) -> Result<(), String> {
        thread::sleep(Duration::from_millis(self.random.below(REST)));
        let (what, done) = match self.random.below(5) {
            0 => ("leaves in the middle", self.leave_midway()),
            1 => ("leaves early", self.leave_early()),
            2 => ("reads slowly", self.read_slowly()),
            _ => ("sends garbage", self.send_garbage()),
        };
        match done {
            // The gateway may close the connection of such a client at any time. What it may not do is to leave it waiting.
            Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => {
                Err(format!("a client that {what} waits in vain: {error}"))
            }
            _ => Ok(()),
        }
    }
}

fn connect(door: SocketAddr) -> io::Result<TcpStream> {
    let socket = TcpStream::connect(door)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    socket.set_write_timeout(Some(PATIENCE))?;
    Ok(socket)
}
