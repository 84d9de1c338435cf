//! A board of the last seven days, with members who were active on three of these days. It is compared with the sorted
//! sets of the usual script: one for each day, one for the last seven days, and one for tomorrow's last seven days.

use redis::Cmd;

use crate::fill::{self, Random, SCORES, STEP, scattered};
use crate::idle;
use crate::memory::{self, Pair};
use crate::server::{Client, Server};
use client::Result;

pub const BOARD: &str = "week";
/// The number of days of the window. The last day is the present day of the board.
pub const DAYS: u64 = 7;
/// The start of the first day, in ms: a midnight in UTC.
const START: u64 = 1_710_720_000_000;
const DAY_MS: u64 = 86_400_000;
const ACTIVE_DAYS: u32 = 3;
/// The number of members in one command.
const LIST: usize = 100;
const SEVEN: &str = "week:seven";
const TOMORROW: &str = "week:tomorrow";

/// Returns the start of a day, in ms.
pub fn day(number: u64) -> u64 {
    number.saturating_mul(DAY_MS).saturating_add(START)
}

/// Measures the memory of the board and of the sorted sets at rest. Only the board remains.
pub fn memory(server: &Server, members: u64) -> Result<Pair> {
    let mut client = server.client()?;
    let (board, ()) = memory::grown(&mut client, &[BOARD], members, || fill_board(server, members))?;
    let days: Vec<String> = (0..DAYS).map(day_key).collect();
    let keys: Vec<&str> = days.iter().map(String::as_str).chain([SEVEN, TOMORROW]).collect();
    let (zset, ()) = memory::grown(&mut client, &keys, members, || fill_zsets(server, members))?;
    agree(&mut client, members)?;
    client.ask::<()>(&[&["UNLINK"], &keys[..]].concat())?;
    Ok(Pair { members, board, zset })
}

/// Fills the board day by day, at 8:00 UTC of each day, and lets the server pack the ended days.
pub fn fill_board(server: &Server, members: u64) -> Result<()> {
    server.client()?.ask::<()>(&["LB.CREATE", BOARD, "VIEWS", "day:7", "CLOCK", "EVENT"])?;
    let week = Week::new(members);
    for number in 0..DAYS {
        let at = day(number).saturating_add(DAY_MS / 3);
        let entries = week.scores(number..=number);
        let mut add = redis::cmd("LB.MADD");
        add.arg(BOARD).arg("AT").arg(at);
        let lists = lists(&add, entries);
        fill::send(server, 0, &format!("{BOARD}, day {number}"), week.commands(), lists)?;
    }
    idle::wait(&mut server.client()?)
}

/// Fills the sorted sets with the result that the script has after the same writes.
fn fill_zsets(server: &Server, members: u64) -> Result<()> {
    let week = Week::new(members);
    let last = DAYS.saturating_sub(1);
    let days = (0..DAYS).map(|number| (day_key(number), number..=number));
    for (key, days) in days.chain([(SEVEN.to_owned(), 0..=last), (TOMORROW.to_owned(), 1..=last)]) {
        let mut add = redis::cmd("ZADD");
        add.arg(&key);
        let lists = lists(&add, week.scores(days));
        fill::send(server, 0, &key, week.commands(), lists)?;
    }
    Ok(())
}

fn day_key(number: u64) -> String {
    format!("week:day:{number}")
}

/// Returns commands that each contain a list of scores and members.
fn lists(start: &Cmd, entries: impl Iterator<Item = (u64, String)>) -> impl Iterator<Item = Cmd> {
    let mut entries = entries.peekable();
    std::iter::from_fn(move || {
        entries.peek()?;
        let mut command = start.clone();
        for (score, member) in entries.by_ref().take(LIST) {
            command.arg(score).arg(member);
        }
        Some(command)
    })
}

/// Checks that the board and the sorted set give the same scores.
fn agree(client: &mut Client, members: u64) -> Result<()> {
    for number in [0, 1, members / 2, members.saturating_sub(1)] {
        let member = fill::member(number);
        let board: u64 = client.ask(&["LB.SCORE", BOARD, &member])?;
        let zset: u64 = client.ask(&["ZSCORE", SEVEN, &member])?;
        if board != zset {
            return Err(format!("{member} has {board} on the board and {zset} in the sorted set"));
        }
    }
    Ok(())
}

/// The days on which each member was active, the same in each run.
struct Week {
    /// The active days of each member, one bit for each day.
    days: Vec<u8>,
}

impl Week {
    fn new(members: u64) -> Self {
        let mut random = Random::new();
        let mut three = || {
            let mut days = 0_u8;
            while days.count_ones() < ACTIVE_DAYS {
                days |= 1 << (random.draw() % DAYS);
            }
            days
        };
        Self { days: (0..members).map(|_| three()).collect() }
    }

    /// Returns the sum of the scores over some days, for each member who was active on any of these days.
    fn scores(&self, days: std::ops::RangeInclusive<u64>) -> impl Iterator<Item = (u64, String)> {
        scattered(self.days.len() as u64).filter_map(move |number| {
            let active = *self.days.get(usize::try_from(number).ok()?)?;
            let days = days.clone().filter(|day| active & 1 << day != 0);
            let score = days.map(|day| points(number, day)).reduce(u64::saturating_add)?;
            Some((score, fill::member(number)))
        })
    }

    /// Returns the approximate number of commands for a day.
    fn commands(&self) -> u64 {
        self.days.len().div_ceil(LIST) as u64
    }
}

/// Returns the points of a member on a day.
fn points(number: u64, day: u64) -> u64 {
    number.wrapping_mul(STEP).wrapping_add(day.wrapping_mul(7_919)) % SCORES
}
