//! Replays a month of real flights into a board. Members are aircraft, points are miles, the flight is the request id,
//! and its departure is the time of the event. It sends every fifth flight twice, as a client does that got no reply;
//! the board must count it once. Then it reads the best aircraft of the month, of the last full day, of the last seven
//! days and of the week, the airlines by the miles of their aircraft, the best aircraft of the first airline, the standing
//! of one aircraft, and the weeks that are stored. It prints each command as a user types it into redis-cli.
//!
//!     cargo run --profile demo --bin replay -- --url redis://127.0.0.1:6379

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use flate2::read::MultiGzDecoder;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use leaderboard_client::{
    Applied, Created, Neighbour, Request, Row, SegmentRow, Standing, add, create, periods, segments,
    standing, top,
};
use redis::Connection;

use client::{PIPELINE, Result, ask_all, connect, failed, typed, whole};

const RETRY_EVERY: usize = 5;
/// Replay a month of real flights into a board of miles flown. An existing key of that name is replaced.
#[derive(Parser)]
struct Options {
    /// The server: redis://host:port or unix:///path/to/socket
    #[arg(long, default_value = "redis://127.0.0.1:6379")]
    url: String,
    /// The board's key; its present value is deleted
    #[arg(long, default_value = "flights:miles")]
    key: String,
    /// Flights as CSV, possibly gzipped; columns as in examples/data/README.md
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/flights-2013-01.csv.gz"))]
    data: PathBuf,
    /// The aircraft whose standing is shown; by default the aircraft of the first flight
    #[arg(long)]
    aircraft: Option<String>,
}

struct Flight {
    at_ms: i64,
    request: String,
    aircraft: String,
    /// The airline, as two letters.
    carrier: String,
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
    let key = options.key.as_str();
    let mut server = connect(&options.url, key)?;
    typed(&mut server, &board(key))?;
    send_flights(&mut server, key, &flights)?;
    print_tops(&mut server, key)?;
    print_airlines(&mut server, key)?;
    let aircraft = options.aircraft.as_ref().unwrap_or(&first.aircraft);
    print_standing(&mut server, key, aircraft)?;
    print_weeks(&mut server, key)
}

/// Makes the board: the whole month, New York's calendar days and weeks, and the last seven days. It uses the time of
/// the events, so that a flight of 2013 counts at its departure. Seven days and seven weeks stay readable. Request ids
/// are remembered for a day. Each aircraft is in the segment of its airline.
fn board(key: &str) -> Request<Created> {
    let rules = create(key).views("all,day,week,day:7").tz("America/New_York").clock("EVENT").retain("7");
    rules.dedup(86_400).segments("carrier:SUM")
}

fn read_flights(path: &Path) -> Result<Vec<Flight>> {
    let file = File::open(path).map_err(failed(format_args!("cannot open {}", path.display())))?;
    let input: Box<dyn Read> = if path.extension().is_some_and(|end| end == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    csv::Reader::from_reader(input)
        .into_deserialize::<(i64, String, String, String, String, u64)>()
        .map(|row| {
            row.map(|(at_ms, request, aircraft, carrier, _, miles)| Flight {
                at_ms,
                request,
                aircraft,
                carrier,
                miles,
            })
        })
        .collect::<std::result::Result<_, _>>()
        .map_err(failed(format_args!("cannot read {}", path.display())))
}

/// Sends the flights in order of departure, each with its own time.
fn send_flights(server: &mut Connection, key: &str, flights: &[Flight]) -> Result<()> {
    let writes = with_retries(flights);
    let progress = ProgressBar::new(writes.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} writes, {per_sec}") {
        progress.set_style(style);
    }
    let started = Instant::now();
    let mut ignored: usize = 0;
    for batch in writes.chunks(PIPELINE) {
        let requests: Vec<Request<Applied>> = batch.iter().map(|flight| write(key, flight)).collect();
        let replies = ask_all(server, requests.iter())?;
        for (request, reply) in requests.iter().zip(replies) {
            let repeated = !request.parse(reply).map_err(failed(request))?.applied;
            ignored = ignored.saturating_add(usize::from(repeated));
        }
        progress.inc(batch.len() as u64);
    }
    progress.finish_and_clear();

    let seconds = started.elapsed().as_secs_f64();
    println!("\nReplayed        {} flights in {seconds:.2} s", count(flights.len()));
    println!("Retries sent    {}", count(writes.len().saturating_sub(flights.len())));
    println!("Retries ignored {}", count(ignored));
    Ok(())
}

/// Returns the flights with retries. A retry directly follows its original, in the same pipeline or at the start of
/// the next one.
fn with_retries(flights: &[Flight]) -> Vec<&Flight> {
    let times = |number: usize| if number.is_multiple_of(RETRY_EVERY) { 2 } else { 1 };
    (1..).zip(flights).flat_map(|(number, flight)| std::iter::repeat_n(flight, times(number))).collect()
}

fn write(key: &str, flight: &Flight) -> Request<Applied> {
    let request = add(key, flight.miles, &flight.aircraft).id(&flight.request).at(flight.at_ms);
    request.segment("carrier", &flight.carrier)
}

/// Prints the best aircraft of several periods. The data ends one hour into a new day, so the last full day is the day
/// before.
fn print_tops(server: &mut Connection, key: &str) -> Result<()> {
    print_top(server, &top(key, 10), "Most miles flown")?;
    let yesterday = top(key, 3).view("day").period("-1");
    print_top(server, &yesterday, "Yesterday, midnight to midnight in New York")?;
    print_top(server, &top(key, 3).view("day:7"), "The last seven days, today included")?;
    print_top(server, &top(key, 3).view("week"), "This week, since Monday")
}

fn print_top(server: &mut Connection, request: &Request<Vec<Row>>, title: &str) -> Result<()> {
    let top = typed(server, request)?;
    println!("{title}\nrank  aircraft      miles");
    for Row { rank, member, score, .. } in top {
        println!("{rank:>4}  {member:<8} {:>10}", HumanCount(whole(&score)?).to_string());
    }
    Ok(())
}

/// Prints the airlines, ranked by the miles of their aircraft, and the best aircraft of the first airline.
fn print_airlines(server: &mut Connection, key: &str) -> Result<()> {
    let airlines = typed(server, &segments(key, "carrier").count(5))?;
    println!("Airlines by the miles of their aircraft\nrank  airline       miles  aircraft");
    for SegmentRow { rank, value, score, members } in &airlines {
        let miles = HumanCount(whole(score)?).to_string();
        println!("{rank:>4}  {value:<8} {miles:>10}  {members:>8}");
    }
    let Some(first) = airlines.first() else { return Ok(()) };
    let best = top(key, 3).in_segment("carrier", &first.value);
    print_top(server, &best, &format!("Most miles flown by aircraft of {}", first.value))
}

fn print_standing(server: &mut Connection, key: &str, aircraft: &str) -> Result<()> {
    let Some(standing) = typed(server, &standing(key, aircraft).view("day:7"))? else {
        println!("{aircraft} has not flown in the last seven days");
        return Ok(());
    };
    println!("Standing of {aircraft} in the last seven days");
    println!("  rank        {} of {}", HumanCount(standing.rank), HumanCount(standing.members));
    println!("  miles       {}", HumanCount(whole(&standing.score)?));
    println!("  percentile  {}", standing.percentile);
    for (name, neighbour) in [("ahead", &standing.ahead), ("behind", &standing.behind)] {
        if let Some(Neighbour { member, score, gap }) = neighbour {
            let (miles, gap) = (HumanCount(whole(score)?), HumanCount(whole(gap)?));
            println!("  {name:<10}  {member} by {gap}, with {miles}");
        }
    }
    print_change(&standing)
}

/// Prints the standing in the seven days that ended a day earlier, and the change since then.
fn print_change(standing: &Standing) -> Result<()> {
    let Some((rank, miles)) = &standing.previous else {
        println!("  previous    none");
        return Ok(());
    };
    println!("  previous    rank {}, with {}", HumanCount(*rank), HumanCount(whole(miles)?));
    println!("  change      {:+}", standing.change.unwrap_or(0));
    Ok(())
}

fn print_weeks(server: &mut Connection, key: &str) -> Result<()> {
    let weeks = typed(server, &periods(key, "week"))?;
    println!("Weeks that can be read\nlabel     aircraft");
    for week in weeks {
        println!("{:<8} {:>9}", week.label, HumanCount(week.members).to_string());
    }
    Ok(())
}

fn count(n: usize) -> String {
    HumanCount(n as u64).to_string()
}
