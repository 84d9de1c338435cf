//! The most costly call of each command, on boards of several sizes, against the bound that the command's row declares.
//! What counts is the time of the thread that runs the command: a server runs it on its main thread.

mod words;
mod world;

use std::fmt;
use std::time::Duration;

use cpu_time::ThreadTime;
use leaderboard_commands::table::{Command, Most, OverParts, commands};

use crate::allocator;
use world::World;

/// The runs of each call. The middle time counts.
const RUNS: usize = 3;

/// A call on boards of one size.
struct Measured {
    time: Duration,
    /// The bytes on the heap after the call that were not there before it: what it wrote, and its reply.
    bytes: usize,
    /// The error that the call got instead of a reply.
    error: Option<String>,
}

/// The calls of all commands at several sizes.
pub struct Stall {
    sizes: Vec<u64>,
    rows: Vec<(&'static Command, Vec<Measured>)>,
}

impl Stall {
    /// Makes the calls on boards of these numbers of members.
    pub fn measure(sizes: &[u64]) -> Self {
        let mut rows: Vec<(&Command, Vec<Measured>)> =
            commands().map(|command| (command, Vec::new())).collect();
        for size in sizes {
            let mut world = World::new(*size);
            for (command, measured) in &mut rows {
                measured.push(worst(command, &mut world));
            }
            eprintln!("{size} members: done");
        }
        Self { sizes: sizes.to_vec(), rows }
    }

    /// Returns the calls that got an error, although a server carries the command out.
    pub fn errors(&self) -> Vec<String> {
        let rows = self.rows.iter().filter(|(command, _)| command.over_parts != OverParts::ByGateway);
        let errors = rows.flat_map(|(command, all)| all.iter().map(move |one| (command, &one.error)));
        let text = |(command, error): (&&Command, &Option<String>)| {
            error.as_ref().map(|error| format!("{}: {error}", command.worst.call))
        };
        errors.filter_map(text).collect()
    }

    /// Returns the calls that took longer than their rows declare.
    pub fn beyond(&self) -> Vec<String> {
        let mut beyond = Vec::new();
        for (command, all) in &self.rows {
            for (size, Measured { time, .. }) in self.sizes.iter().zip(all) {
                let most = command.worst.most.time(*size);
                if *time > most {
                    let call = command.worst.call;
                    beyond.push(format!("{call}: {time:?} at {size} members, declared {most:?}"));
                }
            }
        }
        beyond
    }
}

/// Makes the most costly call of a command.
fn worst(command: &Command, world: &mut World) -> Measured {
    let mut runs: Vec<_> = (0..RUNS).map(|_| run(command, world)).collect();
    runs.sort_by_key(|one| one.time);
    runs.swap_remove(RUNS / 2)
}

fn run(command: &Command, world: &mut World) -> Measured {
    let words = words::of(command.worst.call, world);
    let before = allocator::held();
    let begin = ThreadTime::now();
    let reply = world.server.run(&words);
    let time = begin.elapsed();
    let bytes = allocator::held().saturating_sub(before);
    let error = reply.starts_with(b"-").then(|| reply.escape_ascii().to_string());
    world.restore(&words);
    Measured { time, bytes, error }
}

impl fmt::Display for Stall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| call | declared |")?;
        self.sizes.iter().try_for_each(|size| write!(f, " {size} members |"))?;
        write!(f, "\n|---|---|{}", "---|".repeat(self.sizes.len()))?;
        for (command, all) in &self.rows {
            let declared = match command.worst.most {
                Most::Micros(micros) => format!("{} ms", f64::from(micros) / 1_000.0),
                Most::NanosPerMember(nanos) => format!("{nanos} ns for each member"),
            };
            write!(f, "\n| `{}` | {declared} |", command.worst.call)?;
            for Measured { time, bytes, .. } in all {
                write!(f, " {:.3} ms, {} KB |", time.as_secs_f64() * 1_000.0, bytes / 1_024)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times are not judged here: machines that run tests are busy.
    #[test]
    fn each_command_has_a_call_that_is_carried_out() {
        let stall = Stall::measure(&[1_000]);
        assert!(stall.errors().is_empty(), "{:#?}", stall.errors());
        for (command, _) in &stall.rows {
            let name = command.name.to_string_lossy();
            assert_eq!(command.worst.call.split(' ').next(), Some(&*name));
        }
    }
}
