//! Midnight on a board of the last seven days. Measures single writes, one after the other: while the module prepares
//! the next day, across the boundary, and while it packs the ended day.
//!
//! Processor time is the server's work. Wall time is the client's wait, and includes the effect of other programs.
//! Each phase is measured on several copies of the board. The result is the smallest of the maxima of the copies.

use std::time::Instant;

use crate::contest::median;
use crate::fill::{self, Random};
use crate::server::{Client, Server};
use crate::week::{self, BOARD, DAYS, day};
use crate::writer::{self, Phase, Until, Writer};
use crate::{idle, memory};
use client::Result;

/// The key of the measured copy of the board.
const COPY: &str = "switch";
const TRIES: usize = 3;
const MINUTE: u64 = 60_000;

/// The results of this measurement.
pub struct Switch {
    /// The phases, in order of time.
    pub phases: Vec<Phase>,
    /// Milliseconds inside the first command after the boundary, median.
    pub first: f64,
    /// Milliseconds inside the first command after the boundary if the next day is not prepared, median.
    pub unprepared: f64,
    /// Seconds until the next day was prepared, while writes were sent.
    pub prepare_seconds: f64,
    /// The longest slice of work between commands, in milliseconds.
    pub slice: f64,
    /// Bytes per member when the next day is prepared.
    pub prepared_bytes: f64,
}

/// The results of one copy.
struct Try {
    phases: Vec<Phase>,
    first: f64,
    prepare_seconds: f64,
    prepared_bytes: f64,
}

/// Measures the boundary on copies of the board. Fills the board if the key is absent.
pub fn measure(server: &Server, members: u64) -> Result<Switch> {
    let mut client = server.client()?;
    if client.ask::<u64>(&["EXISTS", BOARD])? == 0 {
        week::fill_board(server, members)?;
    }
    let progress = fill::bar("midnight", TRIES as u64);
    let mut tries = Vec::new();
    let mut unprepared = Vec::new();
    for _ in 0..TRIES {
        tries.push(one_try(&mut client, members)?);
        unprepared.push(unprepared_try(&mut client, members)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    client.ask::<()>(&["UNLINK", COPY])?;
    let middle = |value: fn(&Try) -> f64| median(&tries.iter().map(value).collect::<Vec<_>>());
    Ok(Switch {
        first: middle(|one| one.first),
        prepare_seconds: middle(|one| one.prepare_seconds),
        prepared_bytes: middle(|one| one.prepared_bytes),
        phases: writer::least(tries.into_iter().map(|one| one.phases)),
        unprepared: median(&unprepared),
        slice: idle::longest_slice(&mut client)?,
    })
}

fn one_try(client: &mut Client, members: u64) -> Result<Try> {
    let midnight = day(DAYS);
    let mut writer = on_copy(client, members)?;
    let mut phases = vec![writer.phase("at noon", midnight.saturating_sub(12 * 60 * MINUTE), Until::Time)?];
    let started = Instant::now();
    phases.push(writer.phase(
        "the next day is prepared",
        midnight.saturating_sub(10 * MINUTE),
        Until::Idle,
    )?);
    let prepare_seconds = started.elapsed().as_secs_f64();
    let prepared_bytes = memory::usage(writer.client(), COPY)? / members as f64;
    phases.push(writer.phase("the next day is ready", midnight.saturating_sub(MINUTE), Until::Time)?);
    let first = writer.first(midnight)?;
    phases.push(writer.phase("after midnight", midnight.saturating_add(1), Until::Time)?);
    let later = midnight.saturating_add(2 * MINUTE);
    phases.push(writer.phase("the last day is packed", later, Until::Idle)?);
    Ok(Try { phases, first, prepare_seconds, prepared_bytes })
}

/// Measures the first write of the next day directly after the morning, so that the next day is not prepared.
fn unprepared_try(client: &mut Client, members: u64) -> Result<f64> {
    let mut writer = on_copy(client, members)?;
    writer.first(day(DAYS))
}

/// Makes a copy of the board, and a writer that adds points to random members of the copy.
fn on_copy(client: &mut Client, members: u64) -> Result<Writer<'_>> {
    client.ask::<()>(&["COPY", BOARD, COPY, "REPLACE"])?;
    idle::wait(client)?;
    Ok(Writer::new(client, move |random: &mut Random, at| {
        let number = random.draw().checked_rem(members).unwrap_or(0);
        let (member, points) = (fill::member(number), random.draw() % 1_000);
        vec!["LB.ADD".into(), COPY.into(), points.to_string(), member, "AT".into(), at.to_string()]
    }))
}
