//! Sends pipelines in which a write is several commands, which redis-benchmark cannot: each with random points for a
//! random member, the same ones in all commands of the write.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::contest::{CLIENTS, PIPELINE};
use crate::fill::Random;
use crate::{Result, failed};

/// Twelve digits come here, the points of the write.
pub const POINTS: &str = "__points____";
/// And here, those of the member's name.
pub const MEMBER: &str = "__member____";

/// Only an error among the replies, which has fewer lines, lets one wait for so long.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Writes a second. The server is asked on as many connections as redis-benchmark uses, in turns, one pipeline on
/// each; a write is answered with so many lines.
pub fn run(port: u16, commands: &[Vec<String>], lines: usize, members: u64, writes: u64) -> Result<f64> {
    let mut idle: Vec<TcpStream> = (0..CLIENTS).map(|_| connect(port)).collect::<Result<_>>()?;
    let mut waiting = VecDeque::new();
    let mut batch = Batch::new(commands);
    let mut random = Random::new();
    let batches = writes.div_ceil(PIPELINE as u64).max(1);
    let lines = lines.saturating_mul(PIPELINE);
    let started = Instant::now();
    for _ in 0..batches {
        let mut connection = match idle.pop() {
            Some(connection) => connection,
            None => answered(waiting.pop_front(), lines)?,
        };
        batch.draw(&mut random, members);
        connection.write_all(&batch.bytes).map_err(failed("cannot send a pipeline"))?;
        waiting.push_back(connection);
    }
    while !waiting.is_empty() {
        answered(waiting.pop_front(), lines)?;
    }
    Ok(batches.saturating_mul(PIPELINE as u64) as f64 / started.elapsed().as_secs_f64())
}

fn connect(port: u16) -> Result<TcpStream> {
    let connection = TcpStream::connect(("127.0.0.1", port)).map_err(failed("cannot connect"))?;
    connection.set_nodelay(true).map_err(failed("cannot send at once"))?;
    connection.set_read_timeout(Some(TIMEOUT)).map_err(failed("cannot set a timeout"))?;
    Ok(connection)
}

/// Reads so many lines.
fn answered(connection: Option<TcpStream>, lines: usize) -> Result<TcpStream> {
    let mut connection = connection.ok_or("no connection waits for an answer")?;
    let mut buffer = [0; 16_384];
    let mut left = lines;
    while left > 0 {
        let read = connection.read(&mut buffer).map_err(failed("no answer to a pipeline"))?;
        let some = buffer.get(..read).unwrap_or_default();
        if some.is_empty() {
            return Err("the server closed the connection".to_owned());
        }
        left = left.saturating_sub(some.iter().filter(|&&byte| byte == b'\n').count());
    }
    Ok(connection)
}

/// As many writes as go on the way at once, ready to be sent but for the numbers in them.
struct Batch {
    bytes: Vec<u8>,
    writes: Vec<Places>,
}

/// Where the numbers of a write go.
struct Places {
    points: Vec<usize>,
    member: Vec<usize>,
}

impl Batch {
    fn new(commands: &[Vec<String>]) -> Self {
        let mut write = Vec::new();
        for words in commands {
            let words: Vec<&[u8]> = words.iter().map(String::as_bytes).collect();
            let mut command = redis::Cmd::new();
            command.arg(words);
            write.extend(command.get_packed_command());
        }
        let starts = (0..PIPELINE).map(|number| number.saturating_mul(write.len()));
        let writes = starts.map(|start| Places {
            points: places(&write, POINTS, start),
            member: places(&write, MEMBER, start),
        });
        Self { writes: writes.collect(), bytes: write.repeat(PIPELINE) }
    }

    /// Puts new numbers below the number of members in.
    fn draw(&mut self, random: &mut Random, members: u64) {
        for write in &self.writes {
            for places in [&write.points, &write.member] {
                let digits = digits(random.draw().checked_rem(members).unwrap_or(0));
                for &place in places {
                    let end = place.saturating_add(digits.len());
                    if let Some(here) = self.bytes.get_mut(place..end) {
                        here.copy_from_slice(&digits);
                    }
                }
            }
        }
    }
}

fn places(write: &[u8], word: &str, start: usize) -> Vec<usize> {
    let found = write.windows(word.len()).enumerate().filter(|(_, some)| *some == word.as_bytes());
    found.map(|(place, _)| start.saturating_add(place)).collect()
}

/// As redis-benchmark writes them.
fn digits(mut number: u64) -> [u8; MEMBER.len()] {
    let mut digits = [b'0'; MEMBER.len()];
    for digit in digits.iter_mut().rev() {
        *digit = b'0'.saturating_add((number % 10) as u8);
        number /= 10;
    }
    digits
}
