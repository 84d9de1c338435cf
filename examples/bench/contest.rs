//! Comparisons: the contestants and their results. Contestants run in turns, so that other load on the machine affects
//! all of them. This program sends all requests. It first draws members evenly, and then so that a few members get
//! most requests.

use redis::Value;

use crate::pipelines::{self, Traffic, draws_members};
use crate::server::{Client, Server};
use crate::{Options, fill, longest};
use client::Result;
use client::failed;

/// Requests in flight at the same time on a connection.
pub const PIPELINE: usize = 32;
/// The command that ends a transaction.
pub const EXEC: &str = "EXEC";
/// A warm-up run is a tenth of a measured run.
const WARM_UP: u64 = 10;

/// A contestant: the commands that it sends, and a check of their replies.
pub struct Contestant {
    /// The name in the tables.
    pub name: &'static str,
    /// The number of the database that contains the contestant's keys.
    pub database: u8,
    /// The commands of a write, or of a read.
    pub commands: Vec<Vec<String>>,
    /// Checks that a value is a correct reply to one of the commands.
    pub reply: fn(&Value) -> bool,
    /// Divides the number of requests. Used for expensive commands.
    pub share: u64,
    /// Requests in flight at the same time on a connection.
    pub pipeline: usize,
    /// The number of members, if it differs from the number in the options.
    pub members: Option<u64>,
}

impl Contestant {
    /// Makes a contestant with one command.
    pub fn new(name: &'static str, words: &[&str], reply: fn(&Value) -> bool) -> Self {
        Self::of_several(name, vec![owned(words)], reply)
    }

    /// Makes a contestant whose request consists of several commands.
    pub fn of_several(name: &'static str, commands: Vec<Vec<String>>, reply: fn(&Value) -> bool) -> Self {
        Self { name, database: 0, commands, reply, share: 1, pipeline: PIPELINE, members: None }
    }

    /// Returns even traffic, and also skewed traffic if the commands draw members.
    fn traffics(&self) -> impl Iterator<Item = Traffic> {
        [Traffic::Uniform, Traffic::Zipf].into_iter().take(if draws_members(&self.commands) { 2 } else { 1 })
    }

    fn members(&self, options: &Options) -> u64 {
        self.members.unwrap_or(options.members())
    }
}

pub fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// The results of a contestant in each round.
pub struct Runs {
    pub name: &'static str,
    pub traffic: Traffic,
    /// Requests per second.
    pub rates: Vec<f64>,
    /// Processor time of the server's main thread for each request, in microseconds. Other load on the machine affects
    /// it less than requests per second.
    pub cpu: Vec<f64>,
    /// Microseconds inside the command (INFO commandstats), without reading the request and sending the reply.
    pub micros: Vec<f64>,
    /// The longest single command in milliseconds; 0 if the slow log has none.
    pub longest: f64,
    /// The share of votes that were held back.
    pub held_back: Vec<f64>,
}

/// The results of all contestants.
pub struct Speed(pub Vec<Runs>);

impl Speed {
    /// Returns the requests per second of one contestant divided by the requests per second of another: the median
    /// over the rounds in which both ran. NaN if they did not run in this traffic.
    pub fn ratio(&self, ours: &str, theirs: &str, traffic: Traffic) -> f64 {
        self.ratio_of(ours, theirs, traffic, |runs| &runs.rates)
    }

    /// Returns how many times less processor time the first contestant used than the second: the median over the
    /// rounds.
    pub fn cpu_ratio(&self, ours: &str, theirs: &str, traffic: Traffic) -> f64 {
        self.ratio_of(theirs, ours, traffic, |runs| &runs.cpu)
    }

    /// Returns whether a contestant ran.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|runs| runs.name == name)
    }

    /// Returns the median time inside the command, in microseconds.
    pub fn micros(&self, name: &str) -> f64 {
        self.0.iter().find(|runs| runs.name == name).map_or(f64::NAN, |runs| median(&runs.micros))
    }

    /// Returns the median processor time of a request, in microseconds.
    pub fn cpu(&self, name: &str) -> f64 {
        self.0.iter().find(|runs| runs.name == name).map_or(f64::NAN, |runs| median(&runs.cpu))
    }

    fn ratio_of(&self, above: &str, below: &str, traffic: Traffic, values: fn(&Runs) -> &[f64]) -> f64 {
        let is = |runs: &&Runs, name| runs.name == name && runs.traffic == traffic;
        let of = |name| self.0.iter().find(|runs| is(runs, name)).map_or(&[][..], values);
        let ratios: Vec<f64> = of(above).iter().zip(of(below)).map(|(above, below)| above / below).collect();
        median(&ratios)
    }
}

/// Returns the middle value, or the mean of the two middle values.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |i: usize| sorted.get(i).copied().unwrap_or(f64::NAN);
    let (lower, upper) = (at(sorted.len().saturating_sub(1) / 2), at(sorted.len() / 2));
    f64::midpoint(lower, upper)
}

/// Runs all contestants. Every second round runs in reverse order, so that no contestant always follows the same other
/// contestant.
pub fn measure(server: &Server, options: &Options, contestants: Vec<Contestant>) -> Result<Speed> {
    let mut client = server.client()?;
    for contestant in &contestants {
        check_replies(server, options, contestant)?;
    }
    longest::start(&mut client)?;
    let mut all: Vec<(&Contestant, Runs)> = contestants.iter().flat_map(entries).collect();
    let turns = options.rounds().saturating_mul(all.len() as u64);
    let progress = fill::bar("taking turns", turns);
    for _ in 0..options.rounds() {
        for (contestant, runs) in &mut all {
            run(server, options, &mut client, contestant, runs)?;
            progress.inc(1);
        }
        all.reverse();
    }
    progress.finish_and_clear();
    if !options.rounds().is_multiple_of(2) {
        all.reverse();
    }
    Ok(Speed(all.into_iter().map(|(_, runs)| runs).collect()))
}

fn entries(who: &Contestant) -> impl Iterator<Item = (&Contestant, Runs)> {
    who.traffics().map(move |traffic| (who, empty(who.name, traffic)))
}

fn empty(name: &'static str, traffic: Traffic) -> Runs {
    Runs {
        name,
        traffic,
        rates: Vec::new(),
        cpu: Vec::new(),
        micros: Vec::new(),
        longest: 0.0,
        held_back: Vec::new(),
    }
}

pub fn is_number(reply: &Value) -> bool {
    matches!(reply, Value::Int(_))
}

pub fn is_text(reply: &Value) -> bool {
    matches!(reply, Value::BulkString(_))
}

/// Checks that a reply is an array of `count` numbers.
pub fn numbers(reply: &Value, count: usize) -> bool {
    matches!(reply, Value::Array(items) if items.len() == count && items.iter().all(is_number))
}

/// Checks that a reply has `count` rows.
pub fn rows(reply: &Value, count: usize) -> bool {
    matches!(reply, Value::Array(items) if items.len() == count)
}

/// Checks the reply to each command, because a speed is meaningless if the replies are wrong.
fn check_replies(server: &Server, options: &Options, who: &Contestant) -> Result<()> {
    let mut client = server.client_of(who.database)?;
    for command in &who.commands {
        let number = |word: &String| pipelines::example(word, who.members(options));
        let words: Vec<String> = command.iter().map(number).collect::<Result<_>>()?;
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
    let number = (runs.rates.len() as u64).saturating_mul(4).saturating_add(runs.traffic as u64);
    let mut connections = pipelines::Connections::open(server.port(), who.database)?;
    let (traffic, members) = (runs.traffic, who.members(options));
    let mut send =
        |requests, number| connections.run(who, requests, pipelines::Run { traffic, members, number });
    send(requests.checked_div(WARM_UP).unwrap_or(0), number)?;
    client.ask::<()>(&["CONFIG", "RESETSTAT"])?;
    longest::take(client)?;
    let held_back = votes_held_back(client)?;
    let before = client.info("cpu")?.cpu_seconds()?;
    let rate = send(requests, number.saturating_add(2))?;
    runs.rates.push(rate);
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

/// Returns the names of the contestant's commands.
fn names(who: &Contestant) -> impl Iterator<Item = &str> {
    who.commands.iter().filter_map(|words| words.first()).map(String::as_str)
}

fn votes_held_back(client: &mut Client) -> Result<f64> {
    client.info("leaderboard")?.number("leaderboard_votes_held_back")
}

/// Checks that the server sent no errors: the measurement counts an error as a reply like any other.
fn check_errors(client: &mut Client, who: &Contestant) -> Result<()> {
    if client.info("stats")?.number("total_error_replies")? > 0.0 {
        let kinds = client.info("errorstats")?.0;
        return Err(format!("errors among the answers to {}: {}", who.name, kinds.trim()));
    }
    Ok(())
}

/// Returns the microseconds inside all commands of a request together. The time of an EXEC includes the time of the
/// commands before it.
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
