//! The benchmark behind `make bench`. One run on one server compares boards with sorted sets and with the Lua script of
//! today's idempotent leaderboards. They take turns, so that other load on the machine affects all of them. Prints
//! tables of medians, ratios, bytes for each member and longest single commands, and writes them to a file.
//!
//!     cargo run --release --example bench -- --members 1000000
//!     cargo run --release --example bench -- --members 20000 --only rolling,switch

mod ballots;
mod contest;
mod counters;
mod fill;
mod goals;
mod idle;
mod latency;
mod leagues;
mod lists;
mod longest;
mod memory;
mod moving;
mod pipelines;
mod reads;
mod report;
mod rolling;
mod server;
mod sizes;
mod speed;
mod switch;
mod turnover;
mod views;
mod votes;
mod week;
mod writer;

use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use crate::report::Figures;
use crate::server::Server;

/// Compare leaderboards with sorted sets and a Lua script, on a private server.
#[derive(Parser)]
struct Options {
    /// Only what matters most, 200,000 members and 2 rounds if nothing else is said: for every change
    #[arg(long)]
    short: bool,
    /// Members on each board, in each sorted set and in each league; voters, where votes are measured; a million if not
    /// given
    #[arg(long, value_parser = clap::value_parser!(u64).range(200..=100_000_000))]
    members: Option<u64>,
    /// Requests in a measured run; expensive ones (a hundred rows, the script of seven days, several commands that are
    /// one write) are sent less often. As many as members if not given, within 20,000 to 1,000,000
    #[arg(long, value_parser = clap::value_parser!(u64).range(1_000..))]
    requests: Option<u64>,
    /// Request ids whose memory is measured; as many as requests if not given
    #[arg(long, value_parser = clap::value_parser!(u64).range(1_000..))]
    ids: Option<u64>,
    /// What to measure, separated by commas; everything if not given
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Section>,
    /// How often the contestants take turns, 3 times if not given; the table shows medians
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    rounds: Option<u64>,
    /// The server to start
    #[arg(long, default_value = "redis-server")]
    server: PathBuf,
    /// The module to load
    #[arg(long, default_value_os_t = default_module())]
    module: PathBuf,
    /// Where to write the table
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/target/bench.md"))]
    out: PathBuf,
}

/// The parts that can be measured separately.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Section {
    /// Memory of small boards
    Small,
    /// Memory of request ids
    Ids,
    /// A big board against a sorted set and a Lua script: requests a second, memory, growth
    Speed,
    /// The commands that end a big board
    Endings,
    /// Commands of a hundred members against a hundred commands
    Lists,
    /// Boards of 10 to 3,000 members
    Sizes,
    /// A board of seven days against the Lua script that keeps them in sorted sets
    Rolling,
    /// Statistics, friends, hidden members, boards that keep their best
    Reads,
    /// A board of five views against one of a single view, and against five sorted sets
    Views,
    /// Memory of a board of seven days
    Memory,
    /// The longest commands around midnight on a board of seven days
    Switch,
    /// Leagues against hashes and sorted sets that do the same; their memory; the ends of weeks
    Leagues,
    /// Votes under limits against commands that count the same; memory of voters; limits that start again
    Votes,
    /// Counters against hashes, one for each precision; their memory
    Counters,
    /// Boards of sorted sets, sorted sets of boards, unions and intersections
    Moving,
}

/// What the short form measures.
const SHORT: [Section; 6] =
    [Section::Speed, Section::Lists, Section::Sizes, Section::Rolling, Section::Views, Section::Votes];

impl Options {
    fn wants(&self, section: Section) -> bool {
        let default = if self.short { &SHORT[..] } else { Section::value_variants() };
        if self.only.is_empty() { default } else { &self.only }.contains(&section)
    }

    fn members(&self) -> u64 {
        self.members.unwrap_or(if self.short { 200_000 } else { 1_000_000 })
    }

    fn rounds(&self) -> u64 {
        self.rounds.unwrap_or(if self.short { 2 } else { 3 })
    }

    fn requests(&self) -> u64 {
        let most = if self.short { 100_000 } else { 1_000_000 };
        self.requests.unwrap_or(self.members().clamp(20_000, most))
    }

    fn ids(&self) -> u64 {
        self.ids.unwrap_or(self.members().clamp(20_000, 1_000_000))
    }
}

/// A readable error text. Each layer adds what it was doing.
type Result<T> = std::result::Result<T, String>;

/// Puts the failed action before an error.
fn failed<E: Display>(what: impl Display) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {error}")
}

/// The module that the Makefile built, else the one in cargo's directory.
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

fn bench(options: &Options) -> Result<()> {
    let server = Server::start(&options.server, &options.module)?;
    let text = report::write(options, &measure(&server, options)?);
    print!("{text}");
    if let Some(folder) = options.out.parent() {
        std::fs::create_dir_all(folder).map_err(failed(format_args!("cannot make {}", folder.display())))?;
    }
    std::fs::write(&options.out, text).map_err(failed(format_args!("cannot write {}", options.out.display())))
}

/// Measures everything that the options select. Empties the server in between.
fn measure(server: &Server, options: &Options) -> Result<Figures> {
    let mut figures =
        Figures { version: server.version()?, latency: latency::nanoseconds(), ..Figures::default() };
    if options.wants(Section::Small) {
        figures.small = memory::small_boards(server, options.members())?;
    }
    if options.wants(Section::Ids) {
        figures.ids = Some(memory::request_ids(server, options.ids())?);
    }
    if options.wants(Section::Speed) || options.wants(Section::Endings) {
        big_board(server, options, &mut figures)?;
        server.empty()?;
    }
    if options.wants(Section::Lists) {
        figures.lists = Some(lists::measure(server, options)?);
        server.empty()?;
    }
    if options.wants(Section::Sizes) {
        figures.sizes = Some(sizes::measure(server, options)?);
        server.empty()?;
    }
    if options.wants(Section::Reads) {
        figures.reads = Some(reads::measure(server, options)?);
        server.empty()?;
    }
    if options.wants(Section::Rolling) {
        figures.rolling = Some(rolling::measure(server, options)?);
        server.empty()?;
    }
    if options.wants(Section::Views) {
        figures.views = Some(views::measure(server, options)?);
        server.empty()?;
    }
    if options.wants(Section::Memory) {
        figures.week = Some(week::memory(server, options.members())?);
    }
    if options.wants(Section::Switch) {
        figures.switch = Some(switch::measure(server, options.members())?);
    }
    if options.wants(Section::Votes) {
        server.empty()?;
        if !options.short {
            figures.ballots = Some(ballots::memory(server, options.members())?);
            figures.turnover = Some(turnover::measure(server, options.members())?);
            server.empty()?;
        }
        figures.votes = Some(votes::measure(server, options)?);
    }
    beyond_boards(server, options, &mut figures)?;
    Ok(figures)
}

/// Other types, and moves between types.
fn beyond_boards(server: &Server, options: &Options, figures: &mut Figures) -> Result<()> {
    if options.wants(Section::Leagues) {
        server.empty()?;
        figures.leagues = Some(leagues::measure(server, options)?);
    }
    if options.wants(Section::Counters) {
        server.empty()?;
        figures.counters = Some(counters::measure(server, options)?);
    }
    if options.wants(Section::Moving) {
        server.empty()?;
        figures.moving = Some(moving::measure(server, options.members())?);
    }
    Ok(())
}

/// Memory comes first, then speed, and last the commands that end the board.
fn big_board(server: &Server, options: &Options, figures: &mut Figures) -> Result<()> {
    figures.big = Some(memory::big_boards(server, options.members())?);
    if options.wants(Section::Speed) {
        figures.speed = Some(speed::measure(server, options)?);
        figures.after = Some(memory::after_runs(server, options.members())?);
    }
    if options.wants(Section::Endings) {
        figures.endings = longest::endings(server)?;
    }
    Ok(())
}
