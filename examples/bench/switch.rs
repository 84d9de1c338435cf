//! Midnight on a board of the last seven days: how long single writes take, one after the other, while the next day is
//! prepared, across the boundary, and while the ended day is packed.
//!
//! As with growth, processor time tells what the server did and wall time what a client waited, other programs
//! included. Each phase is measured on several copies of the board, and the least of their longest ones counts.

use std::time::{Duration, Instant};

use redis::Cmd;

use crate::contest::median;
use crate::fill::{self, Random};
use crate::idle::{self, Watch};
use crate::longest::{self, Longest};
use crate::server::{Client, Server};
use crate::week::{self, BOARD, DAYS, day};
use crate::{Result, failed, memory};

/// What is measured is a copy.
const COPY: &str = "switch";
const TRIES: usize = 3;
/// How long a phase takes that does not wait for work to end.
const PHASE: Duration = Duration::from_millis(800);
const MINUTE: u64 = 60_000;
/// And by the board's clock at the most, which goes on by a millisecond a write.
const PHASE_MS: u64 = MINUTE / 2;

/// Writes of a phase, one at a time.
#[derive(Clone)]
pub struct Phase {
    /// When, for people.
    pub name: &'static str,
    /// How many.
    pub writes: u64,
    /// The usual time from sending to the answer, in milliseconds.
    pub usual: f64,
    /// The longest.
    pub longest: Longest,
}

/// Everything about the boundary.
pub struct Switch {
    /// In the order of time.
    pub phases: Vec<Phase>,
    /// Milliseconds inside the first command behind the boundary, median.
    pub first: f64,
    /// The same where nothing was prepared.
    pub unprepared: f64,
    /// Seconds until the next day was prepared, writes going on.
    pub prepare_seconds: f64,
    /// The longest slice between commands, in milliseconds.
    pub slice: f64,
    /// Bytes a member of the board when the next day is prepared.
    pub prepared_bytes: f64,
}

/// One time.
struct Try {
    phases: Vec<Phase>,
    first: f64,
    prepare_seconds: f64,
    prepared_bytes: f64,
}

/// Measures the boundary on copies of the board, which is filled if there is none.
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
        phases: least(tries),
        unprepared: median(&unprepared),
        slice: idle::longest_slice(&mut client)?,
    })
}

/// Phase by phase.
fn least(tries: Vec<Try>) -> Vec<Phase> {
    let mut all = tries.into_iter().map(|one| one.phases);
    let mut phases = all.next().unwrap_or_default();
    for others in all {
        for (phase, other) in phases.iter_mut().zip(others) {
            phase.longest = phase.longest.least(other.longest);
        }
    }
    phases
}

fn one_try(client: &mut Client, members: u64) -> Result<Try> {
    let midnight = day(DAYS);
    let mut writer = Writer::on_copy(client, members)?;
    let mut phases = vec![writer.phase("at noon", midnight.saturating_sub(12 * 60 * MINUTE), Until::Time)?];
    let started = Instant::now();
    phases.push(writer.phase(
        "the next day is prepared",
        midnight.saturating_sub(10 * MINUTE),
        Until::Idle,
    )?);
    let prepare_seconds = started.elapsed().as_secs_f64();
    let prepared_bytes = memory::usage(writer.client, COPY)? / members as f64;
    phases.push(writer.phase("the next day is ready", midnight.saturating_sub(MINUTE), Until::Time)?);
    let first = writer.first(midnight)?;
    phases.push(writer.phase("after midnight", midnight.saturating_add(1), Until::Time)?);
    let later = midnight.saturating_add(2 * MINUTE);
    phases.push(writer.phase("the last day is packed", later, Until::Idle)?);
    Ok(Try { phases, first, prepare_seconds, prepared_bytes })
}

/// From the morning to the next day at once.
fn unprepared_try(client: &mut Client, members: u64) -> Result<f64> {
    let mut writer = Writer::on_copy(client, members)?;
    writer.first(day(DAYS))
}

/// When a phase ends.
enum Until {
    /// After some time.
    Time,
    /// When the module has nothing more to do.
    Idle,
}

/// Writes to random members, one at a time.
struct Writer<'a> {
    client: &'a mut Client,
    members: u64,
    random: Random,
    at: u64,
    /// The latest moment of a phase.
    until: u64,
}

impl<'a> Writer<'a> {
    fn on_copy(client: &'a mut Client, members: u64) -> Result<Self> {
        client.ask::<()>(&["COPY", BOARD, COPY, "REPLACE"])?;
        idle::wait(client)?;
        Ok(Self { client, members, random: Random::new(), at: 0, until: 0 })
    }

    fn words(&mut self) -> [String; 6] {
        let number = self.random.draw().checked_rem(self.members).unwrap_or(0);
        let (member, points) = (fill::member(number), self.random.draw() % 1_000);
        ["LB.ADD".into(), COPY.into(), points.to_string(), member, "AT".into(), self.at.to_string()]
    }

    /// Milliseconds inside the first command at a time.
    fn first(&mut self, at: u64) -> Result<f64> {
        self.at = at;
        let words = self.words();
        longest::timed(self.client, &words.each_ref().map(String::as_bytes))
    }

    /// Writes from some time of the board on.
    fn phase(&mut self, name: &'static str, from: u64, until: Until) -> Result<Phase> {
        (self.at, self.until) = (from, from.saturating_add(PHASE_MS));
        let mut steps = Steps::default();
        let (started, mut looked) = (Instant::now(), Instant::now());
        let mut watch = Watch::new();
        let mut cpu = self.cpu()?;
        loop {
            steps.wall.push(self.write()?);
            let now = self.cpu()?;
            steps.cpu.push((now - cpu) * 1_000.0);
            cpu = now;
            if looked.elapsed() < idle::LOOK {
                continue;
            }
            looked = Instant::now();
            let ended = match until {
                Until::Time => started.elapsed() > PHASE,
                Until::Idle => watch.is_quiet(self.client)?,
            };
            if ended {
                return Ok(steps.phase(name));
            }
            cpu = self.cpu()?;
        }
    }

    /// Milliseconds from sending to the answer.
    fn write(&mut self) -> Result<f64> {
        self.at = self.at.saturating_add(1).min(self.until);
        let mut command = Cmd::new();
        command.arg(&self.words());
        let sent = Instant::now();
        command.exec(&mut self.client.0).map_err(failed("cannot write to the board"))?;
        Ok(sent.elapsed().as_secs_f64() * 1_000.0)
    }

    fn cpu(&mut self) -> Result<f64> {
        self.client.info("cpu")?.cpu_seconds()
    }
}

/// Milliseconds of a phase's writes: what each client waited, and what the server did meanwhile.
#[derive(Default)]
struct Steps {
    wall: Vec<f64>,
    cpu: Vec<f64>,
}

impl Steps {
    fn phase(&self, name: &'static str) -> Phase {
        let most = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
        let longest = Longest { cpu: most(&self.cpu) - median(&self.cpu), wall: most(&self.wall) };
        Phase { name, writes: self.wall.len() as u64, usual: median(&self.wall), longest }
    }
}
