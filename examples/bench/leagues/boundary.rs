//! Measures single commands around the ends of two weeks of a league in which all members play. After the first end,
//! the module packs the ended week and frees the week before it, which can no longer be read. Few members come back
//! after that. So after the second end, the module has to store the outcomes of all members who did not come back.
//!
//! As in the midnight benchmark, several copies of the league are measured. The result is the smallest of the maxima
//! of the copies.

use super::memory::{LEAGUE, texts, week};
use super::meta;
use crate::contest::median;
use crate::fill::{self, Random};
use crate::server::{Client, Server};
use crate::writer::{self, Phase, Until, Writer};
use crate::{idle, longest, memory};
use client::Result;

/// The key of the measured copy of the league.
const COPY: &str = "boundary";
const TRIES: usize = 3;

/// The results of this measurement.
pub struct Boundary {
    /// The phases, in order of time.
    pub phases: Vec<Phase>,
    /// The first commands after the end of a week, with the median of the milliseconds inside the command.
    pub firsts: Vec<(&'static str, f64)>,
    /// The longest slice of work between commands, in milliseconds.
    pub slice: f64,
    /// Bytes of a member that no longer plays, without name and meta.
    pub settled: f64,
}

/// The results of one copy.
struct Try {
    phases: Vec<Phase>,
    firsts: Vec<(&'static str, f64)>,
    settled: f64,
}

/// Measures copies of the league of [`super::memory`].
pub fn measure(server: &Server, members: u64) -> Result<Boundary> {
    let mut client = server.client()?;
    let progress = fill::bar("weeks end", TRIES as u64);
    let mut tries = Vec::new();
    for _ in 0..TRIES {
        tries.push(one_try(&mut client, members)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    client.ask::<()>(&["UNLINK", COPY])?;
    let names = tries.first().map(|one| one.firsts.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let of = |name| {
        tries.iter().flat_map(|one| &one.firsts).filter(move |first| first.0 == name).map(|first| first.1)
    };
    Ok(Boundary {
        firsts: names
            .into_iter()
            .flatten()
            .map(|name| (name, median(&of(name).collect::<Vec<_>>())))
            .collect(),
        settled: median(&tries.iter().map(|one| one.settled).collect::<Vec<_>>()),
        phases: writer::least(tries.into_iter().map(|one| one.phases)),
        slice: idle::longest_slice(&mut client)?,
    })
}

fn one_try(client: &mut Client, members: u64) -> Result<Try> {
    client.ask::<()>(&["COPY", LEAGUE, COPY, "REPLACE"])?;
    idle::wait(client)?;
    let mut writer = Writer::new(client, move |random, at| any(random, members, at));
    let (second, third) = (week(2), week(3));
    let mut phases = vec![writer.phase("within a week", second.saturating_sub(3_600_000), Until::Time)?];
    let firsts = firsts(writer.client(), second)?;
    phases.push(writer.phase("the ended week is packed", second.saturating_add(1), Until::Idle)?);
    let mut all = firsts;
    all.push((
        "LB.LEAGUE.JOIN, hardly anybody came back",
        first(writer.client(), &join("000000000003", third))?,
    ));
    phases.push(writer.phase("those who stay away are settled", third.saturating_add(1), Until::Idle)?);
    let settled = memory::usage(writer.client(), COPY)? / members as f64 - texts();
    Ok(Try { phases, firsts: all, settled })
}

/// Returns the first command of each kind in a week, with its time in milliseconds.
fn firsts(client: &mut Client, at: u64) -> Result<Vec<(&'static str, f64)>> {
    let commands = [
        ("LB.LEAGUE.JOIN", join("000000000000", at)),
        ("LB.LEAGUE.ADD", add("000000000001", 7, at)),
        ("LB.LEAGUE.TOP", words("TOP", &["m:000000000000"])),
        ("LB.LEAGUE.TOP PERIOD -1", words("TOP", &["m:000000000002", "PERIOD", "-1"])),
        ("LB.LEAGUE.INFO", words("INFO", &[])),
    ];
    commands.into_iter().map(|(name, words)| Ok((name, first(client, &words)?))).collect()
}

fn first(client: &mut Client, words: &[String]) -> Result<f64> {
    longest::timed(client, &words.iter().map(String::as_bytes).collect::<Vec<_>>())
}

/// Returns a command of a random kind, for a random member.
fn any(random: &mut Random, members: u64, at: u64) -> Vec<String> {
    let digits = format!("{:012}", random.draw().checked_rem(members).unwrap_or(0));
    let member = format!("m:{digits}");
    match random.draw() % 6 {
        0 => join(&digits, at),
        1 | 2 => add(&digits, random.draw() % 1_000, at),
        3 => words("TOP", &[&member]),
        4 => words("TOP", &[&member, "PERIOD", "-1"]),
        _ => words("INFO", &[]),
    }
}

fn join(digits: &str, at: u64) -> Vec<String> {
    words("JOIN", &[&format!("m:{digits}"), "META", &meta(digits), "AT", &at.to_string()])
}

fn add(digits: &str, points: u64, at: u64) -> Vec<String> {
    words("ADD", &[&points.to_string(), &format!("m:{digits}"), "AT", &at.to_string()])
}

fn words(command: &str, more: &[&str]) -> Vec<String> {
    let words = [&format!("LB.LEAGUE.{command}"), COPY];
    words.iter().chain(more).map(|&word| word.to_owned()).collect()
}
