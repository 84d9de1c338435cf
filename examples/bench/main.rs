//! The benchmark that `make bench` runs. One run on one server compares boards with sorted sets and with the Lua
//! script of today's idempotent leaderboards. These contestants run in turns, so that other load on the machine
//! affects all of them. The benchmark prints tables of medians, ratios, bytes per member and longest single commands,
//! and writes them to a file.
//!
//!     cargo run --release --bin bench -- --members 1000000
//!     cargo run --release --bin bench -- --members 20000 --only rolling,switch
//!     cargo run --release --bin bench -- --short

mod ballots;
mod competitions;
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
mod options;
mod pipelines;
mod reads;
mod recorded;
mod report;
mod rolling;
mod segments;
mod server;
mod servers;
mod sizes;
mod speed;
mod switch;
mod tair;
mod turnover;
mod views;
mod votes;
mod week;
mod writer;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use client::{Result, failed};
use indicatif::HumanCount;

use crate::options::{Options, Section};
use crate::recorded::Recorded;
use crate::report::Figures;
use crate::server::Server;

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
    options.check()?;
    let programs = options.programs();
    // Finds a missing program before the measurement, not after minutes of filling.
    for program in &programs {
        server::version_of(program)?;
    }
    let all: Vec<Figures> = programs.iter().map(|program| on(program, options)).collect::<Result<_>>()?;
    let mut recorded = Recorded::read(&options.recorded)?;
    let text = report::write(options, &all, &recorded);
    print!("{text}");
    if let Some(folder) = options.out.parent() {
        std::fs::create_dir_all(folder).map_err(failed(format_args!("cannot make {}", folder.display())))?;
    }
    std::fs::write(&options.out, text)
        .map_err(failed(format_args!("cannot write {}", options.out.display())))?;
    if options.record {
        all.iter().for_each(|figures| recorded.put(&figures.column, figures.latency, &goals::goals(figures)));
        recorded.write(&options.recorded)?;
    }
    Ok(())
}

fn on(program: &Path, options: &Options) -> Result<Figures> {
    let server = Server::start(program, &options.modules())?;
    measure(&server, options)
}

/// Measures everything that the options select. Empties the server between the parts.
fn measure(server: &Server, options: &Options) -> Result<Figures> {
    let version = server.version()?;
    let column = format!("{version}, {}", HumanCount(options.members()));
    let mut figures = Figures { version, column, latency: latency::nanoseconds(), ..Figures::default() };
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
    if options.wants(Section::Segments) {
        figures.segments = Some(segments::measure(server, options)?);
        server.empty()?;
    }
    if options.wants(Section::Tair) {
        figures.tair = Some(tair::measure(server, options)?);
        server.empty()?;
    }
    if options.wants(Section::Competitions) {
        figures.competitions = Some(competitions::measure(server, options)?);
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
        if !options.is_short() {
            figures.ballots = Some(ballots::memory(server, options.members())?);
            figures.turnover = Some(turnover::measure(server, options.members())?);
            server.empty()?;
        }
        figures.votes = Some(votes::measure(server, options)?);
    }
    beyond_boards(server, options, &mut figures)?;
    Ok(figures)
}

/// Measures leagues, counters, and moves between sorted sets and boards.
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

/// Measures the memory first, then the speed, and last the commands that end the board.
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
