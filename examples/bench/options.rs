//! The options of the benchmark: what it measures, and with which programs.

use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use client::Result;

/// Compare leaderboards with sorted sets and a Lua script, on a private server.
#[derive(Parser)]
pub struct Options {
    /// Only the most important sections, by default with 200,000 members and 2 rounds: for every change
    #[arg(long)]
    short: bool,
    /// The short form on Redis 6.2, 7.0 (or the program of --server) and 8.2, and Valkey 9.1 (make servers), in one
    /// table
    #[arg(long)]
    servers: bool,
    /// Members on each board, in each sorted set and in each league, and the number of voters in the sections of
    /// votes; a million by default
    #[arg(long, value_parser = clap::value_parser!(u64).range(200..=100_000_000))]
    members: Option<u64>,
    /// Requests in a measured run; expensive ones (a hundred rows, the script of seven days, several commands that are
    /// one write) are sent less often. By default as many as members, but at least 20,000 and at most 1,000,000
    /// (100,000 with --short)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1_000..))]
    requests: Option<u64>,
    /// Request ids whose memory is measured; by default as many as members, but at least 20,000 and at most 1,000,000
    #[arg(long, value_parser = clap::value_parser!(u64).range(1_000..))]
    ids: Option<u64>,
    /// The sections to measure, separated by commas; all sections by default
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Section>,
    /// How many rounds of turns the contestants run, 3 by default; the table shows medians
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    rounds: Option<u64>,
    /// The server to start
    #[arg(long, default_value = "redis-server")]
    pub server: PathBuf,
    /// The module to load
    #[arg(long, default_value_os_t = default_module())]
    module: PathBuf,
    /// The module TairZset, for the section tair
    #[arg(long)]
    tair: Option<PathBuf>,
    /// Write the ratios into the table with which later runs are compared
    #[arg(long)]
    pub record: bool,
    /// The file that contains this table
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/speed.md"))]
    pub recorded: PathBuf,
    /// Where to write the report
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/bench.md"))]
    pub out: PathBuf,
}

/// The parts that can be measured separately.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Section {
    /// Memory of small boards
    Small,
    /// Memory of request ids
    Ids,
    /// A big board compared with a sorted set and a Lua script: requests per second, memory, growth
    Speed,
    /// The commands that end a big board
    Endings,
    /// Commands for a hundred members compared with a hundred commands
    Lists,
    /// Boards of 10 to 3,000 members
    Sizes,
    /// A board of seven days compared with the Lua script that stores them in sorted sets
    Rolling,
    /// Statistics, friends, hidden members, and boards that keep only their best members
    Reads,
    /// A board of five views compared with a board of one view, and with five sorted sets
    Views,
    /// A board of 200 segments compared with sorted sets of all members, of each segment and of the totals
    Segments,
    /// Boards compared with sorted sets of the module TairZset; only with --tair
    Tair,
    /// Boards with a rule of attempts or a prize table, claims and winners
    Competitions,
    /// Memory of a board of seven days
    Memory,
    /// The longest commands around midnight on a board of seven days
    Switch,
    /// Leagues compared with hashes and sorted sets that do the same work; their memory; the ends of weeks
    Leagues,
    /// Votes under limits compared with commands that count the same; memory of voters; limits that start again
    Votes,
    /// Counters compared with hashes, one for each precision; their memory
    Counters,
    /// Boards made from sorted sets, sorted sets made from boards, unions and intersections
    Moving,
}

/// The sections that the short form measures.
const SHORT: [Section; 6] =
    [Section::Speed, Section::Lists, Section::Sizes, Section::Rolling, Section::Views, Section::Votes];

/// The folder of the additional servers that the tests use.
const SERVERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/servers");

impl Options {
    pub fn is_short(&self) -> bool {
        self.short || self.servers
    }

    /// Returns the programs of the servers to measure.
    pub fn programs(&self) -> Vec<PathBuf> {
        let other = |name| PathBuf::from(SERVERS).join(name).join("server");
        let installed = self.server.clone();
        if self.servers {
            vec![other("redis-6.2"), installed, other("redis-8.2"), other("valkey-9.1")]
        } else {
            vec![installed]
        }
    }

    pub fn wants(&self, section: Section) -> bool {
        let default = if self.is_short() { &SHORT[..] } else { Section::value_variants() };
        let is_wanted = if self.only.is_empty() { default } else { &self.only }.contains(&section);
        is_wanted && (section != Section::Tair || self.tair.is_some())
    }

    /// Checks options that depend on each other.
    pub fn check(&self) -> Result<()> {
        let lacks = self.only.contains(&Section::Tair) && self.tair.is_none();
        if lacks { Err("the section tair needs --tair with the module".to_owned()) } else { Ok(()) }
    }

    /// Returns the modules that the server loads.
    pub fn modules(&self) -> Vec<&Path> {
        [&self.module].into_iter().chain(&self.tair).map(PathBuf::as_path).collect()
    }

    pub fn members(&self) -> u64 {
        self.members.unwrap_or(if self.is_short() { 200_000 } else { 1_000_000 })
    }

    pub fn rounds(&self) -> u64 {
        self.rounds.unwrap_or(if self.is_short() { 2 } else { 3 })
    }

    pub fn requests(&self) -> u64 {
        let most = if self.is_short() { 100_000 } else { 1_000_000 };
        self.requests.unwrap_or(self.members().clamp(20_000, most))
    }

    pub fn ids(&self) -> u64 {
        self.ids.unwrap_or(self.members().clamp(20_000, 1_000_000))
    }
}

/// Returns the module that the Makefile built, or the module in cargo's folder if there is no such module.
fn default_module() -> PathBuf {
    std::env::var_os("LEADERBOARD_MODULE").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/release/libleaderboard.so")),
        PathBuf::from,
    )
}
