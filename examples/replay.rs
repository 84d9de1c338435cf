//! Replays a month of real flights into a board. Members are aircraft, points are miles, the flight is the request id,
//! and its departure is the event time. It sends every fifth flight twice, as a client does that got no answer; the
//! board must count it once. Then it asks for the best of the month, of the last full day, of the last seven days and
//! of the week, for one aircraft's standing, and for the weeks kept. It prints each question as a user would type it
//! into redis-cli.
//!
//!     cargo run --release --example replay -- --url redis://127.0.0.1:6379

mod client;

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use flate2::read::MultiGzDecoder;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use redis::{Cmd, Connection, FromRedisValue, Value, cmd, pipe};

use client::{PIPELINE, Result, ask, connect, failed, field};

const RETRY_EVERY: usize = 5;
/// The whole month, New York's calendar days and weeks, and the last seven days. Event time, so that a flight of 2013
/// counts at its departure. Seven days and weeks stay readable. Request ids are remembered for a day.
const SCHEMA: &str = "VIEWS all,day,week,day:7 TZ America/New_York CLOCK EVENT RETAIN 7 DEDUP 86400";

/// Replay a month of real flights into a board of miles flown. A key of that name is replaced.
#[derive(Parser)]
struct Options {
    /// The server: redis://host:port or unix:///path/to/socket
    #[arg(long, default_value = "redis://127.0.0.1:6379")]
    url: String,
    /// The board's key; what it holds now is deleted
    #[arg(long, default_value = "flights:miles")]
    key: String,
    /// Flights as CSV, may be gzipped; columns as in examples/data/README.md
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/flights-2013-01.csv.gz"))]
    data: PathBuf,
    /// Whose standing to show; the aircraft of the first flight if not given
    #[arg(long)]
    aircraft: Option<String>,
}

struct Flight {
    at_ms: u64,
    request: String,
    aircraft: String,
    miles: u64,
}

fn main() -> ExitCode {
    match replay(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("replay: {error}");
            ExitCode::FAILURE
        }
    }
}

fn replay(options: &Options) -> Result<()> {
    let flights = read_flights(&options.data)?;
    let first = flights.first().ok_or_else(|| format!("{} holds no flights", options.data.display()))?;
    let mut server = connect(&options.url)?;

    let key = options.key.as_str();
    ask::<Value>(&mut server, &["DEL", key])?;
    typed::<Value>(&mut server, "LB.CREATE", key, SCHEMA)?;
    send_flights(&mut server, key, &flights)?;
    print_tops(&mut server, key)?;
    let aircraft = options.aircraft.as_ref().unwrap_or(&first.aircraft);
    print_standing(&mut server, key, aircraft)?;
    print_weeks(&mut server, key)
}

fn read_flights(path: &Path) -> Result<Vec<Flight>> {
    let file = File::open(path).map_err(failed(format_args!("cannot open {}", path.display())))?;
    let input: Box<dyn Read> = if path.extension().is_some_and(|end| end == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    csv::Reader::from_reader(input)
        .into_deserialize::<(u64, String, String, String, String, u64)>()
        .map(|row| {
            row.map(|(at_ms, request, aircraft, _, _, miles)| Flight { at_ms, request, aircraft, miles })
        })
        .collect::<std::result::Result<_, _>>()
        .map_err(failed(format_args!("cannot read {}", path.display())))
}

/// Sends the flights in order of departure, each at its own time.
fn send_flights(server: &mut Connection, key: &str, flights: &[Flight]) -> Result<()> {
    let writes = with_retries(flights);
    let progress = ProgressBar::new(writes.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} writes, {per_sec}") {
        progress.set_style(style);
    }
    let started = Instant::now();
    let mut ignored: usize = 0;
    for batch in writes.chunks(PIPELINE) {
        let mut pipeline = pipe();
        for flight in batch {
            pipeline.add_command(add(key, flight));
        }
        let replies: Vec<(i64, u64, u8)> = pipeline.query(server).map_err(failed("cannot add flights"))?;
        let repeats = replies.iter().filter(|(_score, _rank, applied)| *applied == 0);
        ignored = ignored.saturating_add(repeats.count());
        progress.inc(batch.len() as u64);
    }
    progress.finish_and_clear();

    let seconds = started.elapsed().as_secs_f64();
    println!("\nReplayed        {} flights in {seconds:.2} s", count(flights.len()));
    println!("Retries sent    {}", count(writes.len().saturating_sub(flights.len())));
    println!("Retries ignored {}", count(ignored));
    Ok(())
}

/// The flights with retries. A retry directly follows its original, in the same pipeline or at the start of the next.
fn with_retries(flights: &[Flight]) -> Vec<&Flight> {
    let times = |number: usize| if number.is_multiple_of(RETRY_EVERY) { 2 } else { 1 };
    (1..).zip(flights).flat_map(|(number, flight)| std::iter::repeat_n(flight, times(number))).collect()
}

fn add(key: &str, flight: &Flight) -> Cmd {
    let mut add = cmd("LB.ADD");
    add.arg(key).arg(flight.miles).arg(&flight.aircraft);
    add.arg("ID").arg(&flight.request).arg("AT").arg(flight.at_ms);
    add
}

/// The data ends one hour into a new day, so the last full day is the day before.
fn print_tops(server: &mut Connection, key: &str) -> Result<()> {
    print_top(server, key, "10", "Most miles flown")?;
    print_top(server, key, "3 VIEW day PERIOD -1", "Yesterday, midnight to midnight in New York")?;
    print_top(server, key, "3 VIEW day:7", "The last seven days, today included")?;
    print_top(server, key, "3 VIEW week", "This week, since Monday")
}

fn print_top(server: &mut Connection, key: &str, options: &str, title: &str) -> Result<()> {
    let top: Vec<(u64, String, u64)> = typed(server, "LB.TOP", key, options)?;
    println!("{title}\nrank  aircraft      miles");
    for (rank, aircraft, miles) in top {
        println!("{rank:>4}  {aircraft:<8} {:>10}", HumanCount(miles).to_string());
    }
    Ok(())
}

fn print_standing(server: &mut Connection, key: &str, aircraft: &str) -> Result<()> {
    let options = format!("{aircraft} VIEW day:7");
    let reply: Option<HashMap<String, Value>> = typed(server, "LB.STANDING", key, &options)?;
    let Some(standing) = reply else {
        println!("{aircraft} has not flown in the last seven days");
        return Ok(());
    };
    let rank: u64 = field(&standing, "rank")?;
    let members: u64 = field(&standing, "members")?;
    let score: u64 = field(&standing, "score")?;
    let percentile: String = field(&standing, "percentile")?;
    println!("Standing of {aircraft} in the last seven days");
    println!("  rank        {} of {}", HumanCount(rank), HumanCount(members));
    println!("  miles       {}", HumanCount(score));
    println!("  percentile  {percentile}");
    for name in ["ahead", "behind"] {
        if let Some((other, miles, gap)) = field::<Option<(String, u64, u64)>>(&standing, name)? {
            let (miles, gap) = (HumanCount(miles), HumanCount(gap));
            println!("  {name:<10}  {other} by {gap}, with {miles}");
        }
    }
    print_change(&standing)
}

/// Compares with the seven days that ended a day earlier.
fn print_change(standing: &HashMap<String, Value>) -> Result<()> {
    let Some((rank, miles)) = field::<Option<(u64, u64)>>(standing, "previous")? else {
        println!("  previous    none");
        return Ok(());
    };
    let change: i64 = field(standing, "change")?;
    println!("  previous    rank {}, with {}", HumanCount(rank), HumanCount(miles));
    println!("  change      {change:+}");
    Ok(())
}

fn print_weeks(server: &mut Connection, key: &str) -> Result<()> {
    let weeks: Vec<(String, u64, u64, u64)> = typed(server, "LB.PERIODS", key, "week")?;
    println!("Weeks that can be read\nlabel     aircraft");
    for (label, _start, _end, members) in weeks {
        println!("{label:<8} {:>9}", HumanCount(members).to_string());
    }
    Ok(())
}

/// Sends a command, and shows it as a user would type it.
fn typed<T: FromRedisValue>(server: &mut Connection, command: &str, key: &str, options: &str) -> Result<T> {
    println!("\n> {command} {key} {options}");
    let words: Vec<&str> = [command, key].into_iter().chain(options.split(' ')).collect();
    ask(server, &words)
}

fn count(n: usize) -> String {
    HumanCount(n as u64).to_string()
}
