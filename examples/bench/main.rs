//! The benchmark behind `make bench`: one server, one run, boards against sorted sets and against the Lua script that
//! idempotent leaderboards use today, taking turns, so that whatever else the machine does hits all of them. Prints a
//! table of medians and ratios, of bytes a member and of the longest single commands, and writes it to a file.
//!
//!     cargo run --release --example bench -- --members 1000000

mod fill;
mod longest;
mod memory;
mod report;
mod server;
mod speed;

use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::report::Figures;
use crate::server::Server;

/// Compare leaderboards with sorted sets and a Lua script, on a private server.
#[derive(Parser)]
struct Options {
    /// Members on each board and in each sorted set
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(200..=100_000_000))]
    members: u64,
    /// Requests in a measured run; rows of a hundred are asked for a twentieth as often
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1_000..))]
    requests: u64,
    /// Request ids to measure the memory of one
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1_000..))]
    ids: u64,
    /// How often the contestants take turns; the table shows medians
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    rounds: u64,
    /// The server to start
    #[arg(long, default_value = "redis-server")]
    server: PathBuf,
    /// The load generator
    #[arg(long, default_value = "redis-benchmark")]
    benchmark: PathBuf,
    /// The module to load
    #[arg(long, default_value_os_t = default_module())]
    module: PathBuf,
    /// Where to write the table
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/target/bench.md"))]
    out: PathBuf,
}

/// Error text for people, each layer adding what it was doing.
type Result<T> = std::result::Result<T, String>;

/// Says what failed, in front of why.
fn failed<E: Display>(what: impl Display) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {error}")
}

/// The module that the Makefile built, else where cargo leaves it.
fn default_module() -> PathBuf {
    std::env::var_os("LEADERBOARD_MODULE").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/target/release/libleaderboard.so")),
        PathBuf::from,
    )
}

fn main() -> ExitCode {
    match bench(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Memory comes first, while the server is empty, then speed, and last the commands that end the big board.
fn bench(options: &Options) -> Result<()> {
    server::version_of(&options.benchmark)?;
    let server = Server::start(&options.server, &options.module)?;
    let small = memory::small_boards(&server)?;
    let ids = memory::request_ids(&server, options.ids)?;
    let big = memory::big_boards(&server, options.members)?;
    let speed = speed::measure(&server, options)?;
    let after = memory::after_runs(&server, options.members)?;
    let endings = longest::endings(&server)?;

    let figures = Figures { version: server.version()?, small, ids, big, speed, after, endings };
    let text = report::write(options, &figures);
    print!("{text}");
    if let Some(folder) = options.out.parent() {
        std::fs::create_dir_all(folder).map_err(failed(format_args!("cannot make {}", folder.display())))?;
    }
    std::fs::write(&options.out, text).map_err(failed(format_args!("cannot write {}", options.out.display())))
}
