//! Comparisons: who takes part, and the results. Contestants take turns, so that other load on the machine affects all
//! of them.

use std::process::Command;

use redis::Value;

use crate::server::{Client, Server};
use crate::{Options, Result, failed, fill, longest, pipelines};

/// Writes in flight at once on a connection.
pub const PIPELINE: usize = 32;
pub const CLIENTS: usize = 50;
/// redis-benchmark replaces each of these with twelve random digits, a number below the number of members.
pub const RANDOM: &str = "__rand_int__";
/// Ends the commands that are one step.
pub const EXEC: &str = "EXEC";
/// A warm-up run is a tenth of a measured run.
const WARM_UP: u64 = 10;

/// Who takes part: what it sends, and how to check the replies.
pub struct Contestant {
    /// The name in the tables.
    pub name: &'static str,
    /// The database of its keys.
    pub database: u8,
    /// The commands of a write, or of a read.
    pub commands: Vec<Vec<String>>,
    /// Whether this is a right reply to any of them.
    pub reply: fn(&Value) -> bool,
    /// Divides the number of requests, for expensive commands.
    pub share: u64,
    pub sender: Sender,
}

#[derive(Clone, Copy)]
pub enum Sender {
    /// redis-benchmark, the same command over and over.
    RedisBenchmark,
    /// This program. It can send several commands as one write.
    Pipelines,
}

impl Contestant {
    /// One command, sent by redis-benchmark.
    pub fn new(name: &'static str, database: u8, words: &[&str], reply: fn(&Value) -> bool) -> Self {
        let commands = vec![owned(words)];
        Self { name, database, commands, reply, share: 1, sender: Sender::RedisBenchmark }
    }

    /// Several commands that are one write, sent by this program.
    pub fn of_several(name: &'static str, commands: Vec<Vec<String>>, reply: fn(&Value) -> bool) -> Self {
        Self { name, database: 0, commands, reply, share: 1, sender: Sender::Pipelines }
    }
}

pub fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// The results of a contestant, round by round.
pub struct Runs {
    pub name: &'static str,
    /// Requests per second.
    pub rates: Vec<f64>,
    /// Processor time of the server's main thread for each request, in microseconds. Other load on the machine affects
    /// it less than requests per second.
    pub cpu: Vec<f64>,
    /// Microseconds inside the command (INFO commandstats), without reading and answering.
    pub micros: Vec<f64>,
    /// The longest single command in milliseconds; 0 if the slow log has none.
    pub longest: f64,
    /// The share of votes that were held back.
    pub held_back: Vec<f64>,
}

/// The results of all contestants.
pub struct Speed(pub Vec<Runs>);

impl Speed {
    /// How many times more requests one answered than another: the median over the rounds in which both ran.
    pub fn ratio(&self, ours: &str, theirs: &str) -> f64 {
        self.ratio_of(ours, theirs, |runs| &runs.rates)
    }

    /// How many times less processor time one took than another: the same median.
    pub fn cpu_ratio(&self, ours: &str, theirs: &str) -> f64 {
        self.ratio_of(theirs, ours, |runs| &runs.cpu)
    }

    /// Microseconds inside a command, median.
    pub fn micros(&self, name: &str) -> f64 {
        self.0.iter().find(|runs| runs.name == name).map_or(f64::NAN, |runs| median(&runs.micros))
    }

    fn ratio_of(&self, above: &str, below: &str, values: fn(&Runs) -> &[f64]) -> f64 {
        let of = |name| self.0.iter().find(|runs| runs.name == name).map_or(&[][..], values);
        let ratios: Vec<f64> = of(above).iter().zip(of(below)).map(|(above, below)| above / below).collect();
        median(&ratios)
    }
}

/// The middle value, or the mean of the two middle values.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |i: usize| sorted.get(i).copied().unwrap_or(f64::NAN);
    let (lower, upper) = (at(sorted.len().saturating_sub(1) / 2), at(sorted.len() / 2));
    f64::midpoint(lower, upper)
}

/// Runs all contestants. Each second round is in reverse order, so that none always follows the same one.
pub fn measure(server: &Server, options: &Options, contestants: Vec<Contestant>) -> Result<Speed> {
    let mut client = server.client()?;
    for contestant in &contestants {
        check_replies(server, options, contestant)?;
    }
    longest::start(&mut client)?;
    let mut all: Vec<(Contestant, Runs)> = contestants
        .into_iter()
        .map(|one| {
            let runs = empty(one.name);
            (one, runs)
        })
        .collect();
    let turns = options.rounds.saturating_mul(all.len() as u64);
    let progress = fill::bar("taking turns", turns);
    for _ in 0..options.rounds {
        for (contestant, runs) in &mut all {
            run(server, options, &mut client, contestant, runs)?;
            progress.inc(1);
        }
        all.reverse();
    }
    progress.finish_and_clear();
    if !options.rounds.is_multiple_of(2) {
        all.reverse();
    }
    Ok(Speed(all.into_iter().map(|(_, runs)| runs).collect()))
}

fn empty(name: &'static str) -> Runs {
    Runs { name, rates: Vec::new(), cpu: Vec::new(), micros: Vec::new(), longest: 0.0, held_back: Vec::new() }
}

pub fn is_number(reply: &Value) -> bool {
    matches!(reply, Value::Int(_))
}

pub fn is_text(reply: &Value) -> bool {
    matches!(reply, Value::BulkString(_))
}

/// Whether a reply is an array of `count` numbers.
pub fn numbers(reply: &Value, count: usize) -> bool {
    matches!(reply, Value::Array(items) if items.len() == count && items.iter().all(is_number))
}

/// Whether a reply has `count` rows.
pub fn rows(reply: &Value, count: usize) -> bool {
    matches!(reply, Value::Array(items) if items.len() == count)
}

/// Speed means nothing if the answer is wrong.
fn check_replies(server: &Server, options: &Options, who: &Contestant) -> Result<()> {
    let mut client = server.client_of(who.database)?;
    for command in &who.commands {
        let number =
            |word: &String| pipelines::example(&word.replace(RANDOM, "000000000007"), options.members);
        let words: Vec<String> = command.iter().map(number).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let reply: Value = client.ask(&words)?;
        if !(who.reply)(&reply) {
            return Err(format!("{} answered {reply:?}", who.name));
        }
    }
    Ok(())
}

fn run(
    server: &Server,
    options: &Options,
    client: &mut Client,
    who: &Contestant,
    runs: &mut Runs,
) -> Result<()> {
    let requests = options.requests().checked_div(who.share).unwrap_or(0);
    let number = (runs.rates.len() as u64).saturating_mul(2);
    send(server, options, who, requests.checked_div(WARM_UP).unwrap_or(0), number)?;
    client.ask::<()>(&["CONFIG", "RESETSTAT"])?;
    longest::take(client)?;
    let held_back = votes_held_back(client)?;
    let before = client.info("cpu")?.cpu_seconds()?;
    runs.rates.push(send(server, options, who, requests, number.saturating_add(1))?);
    runs.cpu.push((client.info("cpu")?.cpu_seconds()? - before) * 1_000_000.0 / requests as f64);
    runs.held_back.push((votes_held_back(client)? - held_back) / requests as f64);
    check_errors(client, who)?;
    runs.micros.push(micros_inside(client, who)?);
    let slow = longest::take(client)?;
    let ours = |slow: &&longest::Slow| names(who).any(|name| slow.is(name));
    let times = slow.iter().filter(ours).map(|slow| slow.millis);
    runs.longest = times.fold(runs.longest, f64::max);
    Ok(())
}

/// The names of a write's commands.
fn names(who: &Contestant) -> impl Iterator<Item = &str> {
    who.commands.iter().filter_map(|words| words.first()).map(String::as_str)
}

fn votes_held_back(client: &mut Client) -> Result<f64> {
    client.info("leaderboard")?.number("leaderboard_votes_held_back")
}

/// Requests per second. Runs with the same number are equal for all contestants.
fn send(server: &Server, options: &Options, who: &Contestant, requests: u64, number: u64) -> Result<f64> {
    match who.sender {
        Sender::RedisBenchmark => redis_benchmark(server, options, who, requests),
        Sender::Pipelines => pipelines::run(server.port(), &who.commands, options.members, requests, number),
    }
}

fn redis_benchmark(server: &Server, options: &Options, who: &Contestant, requests: u64) -> Result<f64> {
    let output = Command::new(&options.benchmark)
        .args(["-h", "127.0.0.1", "-p", &server.port().to_string(), "--csv"])
        .args(["-P", &PIPELINE.to_string(), "-c", &CLIENTS.to_string()])
        .args(["-r", &options.members.to_string(), "-n", &requests.max(1).to_string()])
        .args(["--dbnum", &who.database.to_string()])
        .args(who.commands.iter().flatten())
        .output()
        .map_err(failed(format_args!("cannot run {}", options.benchmark.display())))?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed on {}: {error}", options.benchmark.display(), who.name));
    }
    rate(&output.stdout).map_err(failed(format_args!("cannot read the result of {}", who.name)))
}

/// The second field of the last line. Newer versions print headings before it.
fn rate(output: &[u8]) -> Result<f64> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(output);
    let last = reader.records().last().ok_or("there is none")?.map_err(failed("not CSV"))?;
    last.get(1).ok_or("no rate")?.parse().map_err(failed("the rate is no number"))
}

/// redis-benchmark counts an error as an answer.
fn check_errors(client: &mut Client, who: &Contestant) -> Result<()> {
    if client.info("stats")?.number("total_error_replies")? > 0.0 {
        let kinds = client.info("errorstats")?.0;
        return Err(format!("errors among the answers to {}: {}", who.name, kinds.trim()));
    }
    Ok(())
}

/// The sum over all commands of a write. The time of an EXEC holds that of the commands before it.
fn micros_inside(client: &mut Client, who: &Contestant) -> Result<f64> {
    let info = client.info("commandstats")?;
    let is_transaction = names(who).any(|name| name == EXEC);
    names(who)
        .filter(|name| !is_transaction || *name == EXEC)
        .map(|name| {
            let line = info.text(&format!("cmdstat_{name}"))?;
            let field = line.split(',').find_map(|field| field.strip_prefix("usec_per_call="));
            field.ok_or("no usec_per_call")?.parse::<f64>().map_err(failed("usec_per_call is no number"))
        })
        .sum()
}
