//! The long tests, as long as one likes: `make torture-commands N=1000000`. Each prints what it did, and the seed that repeats
//! it; a failure prints its story and ends the program with 1. `make test` runs a short form of each. `docs/trust.md` says
//! what was reached.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails ought to panic"
)]

mod allocator;
mod clients;
mod clock;
mod commands;
mod cut;
mod damage;
mod digests;
mod failover;
mod kill;
mod links;
mod memory;
mod payloads;
mod pieces;
mod requests;
mod restored;
mod servers;
mod soak;
mod stall;
mod svg;
mod week;
mod workers;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use stall::Stall;
use workers::Run;

/// Long tests of the leaderboards.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    test: Test,
    /// Where all random choices come from.
    #[arg(long, default_value_t = 1, global = true)]
    seed: u64,
    /// Only the session with this number, which a failure names.
    #[arg(long, global = true)]
    session: Option<u64>,
}

#[derive(Subcommand)]
enum Test {
    /// Random commands of all kinds in process, against the model and a replica.
    Commands {
        /// At least this number of calls.
        calls: u64,
    },
    /// Random commands of all kinds in real servers, against the model and a replica, with restarts on the way.
    Servers {
        /// At least this number of calls.
        calls: u64,
    },
    /// Damaged payloads of all types in process.
    Payloads {
        /// At least this number of payloads.
        payloads: u64,
    },
    /// Damaged payloads of all types in real servers, with reloads of what they take.
    Restored {
        /// At least this number of payloads.
        payloads: u64,
    },
    /// Servers that are killed while clients write with request ids, and start again from the append-only file.
    Kill {
        /// At least this number of kills.
        cycles: u64,
    },
    /// Append-only files that are cut at each of their last 4,096 bytes: 16,384 cuts cover all of them on four servers.
    Cut {
        /// At least this number of cuts.
        cuts: u64,
    },
    /// Primaries that are killed or stop while clients write with request ids, and replicas that sentinels promote.
    Failover {
        /// At least this number of failovers.
        times: u64,
    },
    /// Servers whose clocks leap, each for itself, while clients write and links are cut.
    Clock {
        /// At least this number of leaps.
        leaps: u64,
    },
    /// Random commands and freed values in a server that `$LEADERBOARD_UNDER` runs: a checker of memory and its options.
    Memory {
        /// At least this number of calls.
        calls: u64,
    },
    /// The most costly call of each command, against the bound that its row of the table declares.
    Stall {
        /// The numbers of members.
        #[arg(long, value_delimiter = ',', default_values_t = [1_000, 100_000, 1_000_000])]
        members: Vec<u64>,
    },
    /// Simulated weeks of a game service in process, against a plain model, each with a picture of what happened.
    Week {
        /// The number of weeks.
        weeks: u64,
    },
    /// The gateway under clients of all kinds through both doors, while servers stop, die and lose their links, with a picture.
    Soak {
        /// At least this number of minutes.
        minutes: u64,
    },
    /// Links between a primary and its replicas that are cut while clients write.
    Links {
        /// At least this number of cuts.
        cuts: u64,
    },
}

fn main() -> ExitCode {
    let Args { test, seed, session } = Args::parse();
    let run = |what, wanted| match session {
        Some(number) => Run::of_one(what, number),
        None => Run::new(what, wanted, seed),
    };
    let run = match test {
        Test::Stall { members } => return stall(&members),
        Test::Soak { minutes } => return soak(minutes, seed),
        Test::Commands { calls } => run("calls", calls).all(commands::session),
        Test::Servers { calls } => run("calls", calls).all(servers::session),
        Test::Memory { calls } => run("calls", calls).all(memory::session),
        Test::Payloads { payloads } => run("payloads", payloads).all(payloads::session),
        Test::Restored { payloads } => run("payloads", payloads).all(restored::session),
        Test::Week { weeks } => run("weeks", weeks).all(week::session),
        Test::Kill { cycles } => run("kills", cycles).all(kill::session),
        Test::Cut { cuts } => run("cuts", cuts).all(cut::session),
        Test::Failover { times } => {
            let run = run("failovers", times).all(failover::session);
            println!("{}\n", failover::Losses);
            run
        }
        Test::Clock { leaps } => run("leaps of clocks", leaps).all(clock::session),
        Test::Links { cuts } => run("cuts of links", cuts).all(links::session),
    };
    println!("{run}");
    if run.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn stall(members: &[u64]) -> ExitCode {
    let stall = Stall::measure(members);
    println!("{stall}\n");
    let found = [stall.errors(), stall.beyond()].concat();
    found.iter().for_each(|line| println!("{line}"));
    if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn soak(minutes: u64, seed: u64) -> ExitCode {
    let story = soak::run(minutes, seed);
    println!("{story}");
    if story.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
