//! Limits that start again on a board with many active voters. Measures single votes, one after the other: after the
//! end of a minute, after midnight, and while expired counts are freed.
//!
//! As in the midnight benchmark, several copies are measured. The result is the smallest of the maxima of the copies.

use crate::ballots::{self, BOARD};
use crate::contest::median;
use crate::fill::{self, Random};
use crate::idle;
use crate::pipelines::OPTIONS;
use crate::server::{Client, Server};
use crate::writer::{self, Phase, Until, Writer};
use client::Result;

/// The key of the measured copy of the board.
const COPY: &str = "turnover";
const TRIES: usize = 3;
const MINUTE: u64 = 60_000;
/// For how many ms the counts of a minute are stored after its end.
const MINUTE_KEPT: u64 = MINUTE / 8;
/// For how many ms the counts of a day are stored after its end.
const DAY_KEPT: u64 = 60 * MINUTE;

/// The results of this measurement.
pub struct Turnover {
    /// The phases, in order of time.
    pub phases: Vec<Phase>,
    /// Milliseconds inside the first vote after a minute, median.
    pub minute: f64,
    /// Milliseconds inside the first vote after midnight, median.
    pub midnight: f64,
    /// Milliseconds inside the first vote after the counts of the ended day expire, median.
    pub freed: f64,
    /// The longest slice of work between commands, in milliseconds.
    pub slice: f64,
}

/// The results of one copy.
struct Try {
    phases: Vec<Phase>,
    minute: f64,
    midnight: f64,
    freed: f64,
}

/// Measures copies of the board of [`ballots::memory`].
pub fn measure(server: &Server, voters: u64) -> Result<Turnover> {
    let mut client = server.client()?;
    let progress = fill::bar("limits start anew", TRIES as u64);
    let mut tries = Vec::new();
    for _ in 0..TRIES {
        tries.push(one_try(&mut client, voters)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    client.ask::<()>(&["UNLINK", COPY])?;
    let middle = |value: fn(&Try) -> f64| median(&tries.iter().map(value).collect::<Vec<_>>());
    Ok(Turnover {
        minute: middle(|one| one.minute),
        midnight: middle(|one| one.midnight),
        freed: middle(|one| one.freed),
        phases: writer::least(tries.into_iter().map(|one| one.phases)),
        slice: idle::longest_slice(&mut client)?,
    })
}

/// Measures the end of the minute in which all voters voted and, on another copy, the end of the day.
fn one_try(client: &mut Client, voters: u64) -> Result<Try> {
    let ended = ballots::moment().next_multiple_of(MINUTE);
    let mut writer = on_copy(client, voters)?;
    let mut phases = vec![writer.phase("within a minute", ballots::moment(), Until::Time)?];
    let minute = writer.first(ended)?;
    phases.push(writer.phase("after it", ended.saturating_add(1), Until::Time)?);
    let later = ended.saturating_add(MINUTE / 2).saturating_add(MINUTE_KEPT);
    phases.push(writer.phase("the minute is freed", later, Until::Idle)?);
    let ended = ballots::midnight();
    let mut writer = on_copy(client, voters)?;
    let midnight = writer.first(ended)?;
    phases.push(writer.phase("after midnight", ended.saturating_add(1), Until::Idle)?);
    let later = ended.saturating_add(DAY_KEPT).saturating_add(1);
    let freed = writer.first(later)?;
    phases.push(writer.phase("the day is freed", later.saturating_add(1), Until::Idle)?);
    Ok(Try { phases, minute, midnight, freed })
}

/// Makes a copy of the board, and a writer that sends random votes to the copy.
fn on_copy(client: &mut Client, voters: u64) -> Result<Writer<'_>> {
    client.ask::<()>(&["COPY", BOARD, COPY, "REPLACE"])?;
    idle::wait(client)?;
    Ok(Writer::new(client, move |random: &mut Random, at| {
        let voter = ballots::digits(random.draw().checked_rem(voters).unwrap_or(0));
        let option = ballots::option(&ballots::digits(random.draw() % OPTIONS));
        let vote = ["LB.VOTE".into(), COPY.into(), "1".into(), option];
        let at = ["AT".into(), at.to_string()];
        [&vote[..], &ballots::by(&voter), &at].concat()
    }))
}
