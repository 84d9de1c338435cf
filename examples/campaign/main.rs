//! A voting campaign of one weekend with made-up voters. It shows what each rule holds back, sends the votes of the
//! weekend, and asks what an organiser asks. It sends every fifth vote twice, as a client does that got no answer. It
//! predicts every answer, rule by rule and to the millisecond, and ends at the first difference.
//!
//!     cargo run --release --example campaign -- --url redis://127.0.0.1:6379

#[path = "../client/mod.rs"]
mod client;
mod ledger;
mod weekend;

use std::collections::HashMap;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use redis::{Cmd, Connection, FromRedisValue, Value};

use crate::client::{PIPELINE, Result, ask, connect, failed, field};
use crate::ledger::{Ledger, Verdict};
use crate::weekend::{CHOICES, CLOSES, MINUTE, OPENS, Random, SECOND, Vote, weekend};

const RETRY_EVERY: u64 = 5;

/// Event time, so that the weekend takes a second. Request ids are remembered for a day.
const SCHEMA: &str = "VIEWS all,day,hour TZ Europe/Paris CLOCK EVENT RETAIN 3 DEDUP 86400 SHOWN DECLARED \
                      OPENS 1778860800000 CLOSES 1779048000000 \
                      LIMIT perminute voter 5 minute LIMIT devices voter+terminal 6 day \
                      LIMIT daily voter 8 day BONUS channel acme 4 LIMIT flood member 40 second";
/// Run a voting campaign of one weekend on a board. A key of that name is replaced.
#[derive(Parser)]
struct Options {
    /// The server: redis://host:port or unix:///path/to/socket
    #[arg(long, default_value = "redis://127.0.0.1:6379")]
    url: String,
    /// The board's key; what it holds now is deleted
    #[arg(long, default_value = "finals")]
    key: String,
}

fn main() -> ExitCode {
    match campaign(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("campaign: {error}");
            ExitCode::FAILURE
        }
    }
}

fn campaign(options: &Options) -> Result<()> {
    let mut server = Server { connection: connect(&options.url)?, key: options.key.clone() };
    let mut ledger = Ledger::default();
    declare(&mut server)?;
    one_evening(&mut server, &mut ledger)?;
    let flooded = send_weekend(&mut server, &mut ledger, &weekend())?;
    print_flooded(&server, flooded);
    too_late(&mut server, &mut ledger)?;
    print_counts(&ledger);
    print_standings(&mut server)?;
    print_options(&mut server)?;
    print_voters(&mut server)?;
    check(&mut server, &ledger)
}

fn declare(server: &mut Server) -> Result<()> {
    server.ask::<Value>("DEL", "")?;
    server.typed::<Value>("LB.CREATE", SCHEMA)?;
    println!();
    for (name, weight, initial) in CHOICES {
        let weight = if weight == 1 { String::new() } else { format!(" WEIGHT {weight}") };
        let initial = if initial == 0 { String::new() } else { format!(" INITIAL {initial}") };
        println!("> LB.OPTION {} {name}{weight}{initial}", server.key);
        server.ask::<Value>("LB.OPTION", &format!("{name}{weight}{initial}"))?;
    }
    Ok(())
}

/// The first evening of one voter.
fn one_evening(server: &mut Server, ledger: &mut Ledger) -> Result<()> {
    let first = Vote {
        at: OPENS.saturating_sub(10 * MINUTE),
        votes: 1,
        option: "ada",
        voter: "zoe".to_owned(),
        terminal: "phone",
        partner: false,
        request: None,
    };
    let mut show = |title: &str, vote: &Vote| {
        println!("\n{title}");
        server.show(vote, ledger)
    };
    show("Ten minutes before opening: held back, and how many ms to wait", &first)?;
    let id = Some("zoe-1".to_owned());
    let four = Vote { at: OPENS.saturating_add(10 * SECOND), votes: 4, request: id, ..first.clone() };
    show("Four votes at once, just after opening: score and rank", &four)?;
    show("The same request again, as a retry: 0, nothing is counted twice", &four)?;
    let more = Vote { at: OPENS.saturating_add(20 * SECOND), votes: 2, ..first.clone() };
    show("Two more would be six in this minute: again in 40 seconds", &more)?;
    let later = Vote { at: OPENS.saturating_add(MINUTE), ..more.clone() };
    show("They count in the next minute", &later)?;
    let seventh = Vote { at: later.at.saturating_add(MINUTE), votes: 1, ..more };
    show("The seventh from one device: again after midnight in Paris", &seventh)?;
    let laptop = Vote { votes: 2, terminal: "laptop", option: "cora", ..seventh };
    show("From another device, for one whose votes are shown twice", &laptop)?;
    let ninth = Vote { votes: 1, ..laptop };
    show("The ninth of the day", &ninth)?;
    let partner = Vote { partner: true, ..ninth };
    show("The partner's voters have four more", &partner)?;
    println!("\nWhat is left to this voter: rule, used, at most, ms until it starts anew");
    let at = partner.at;
    let ballot = format!("BY zoe MEMBER cora TAG terminal laptop TAG channel acme AT {at}");
    println!("> LB.QUOTA {} {ballot}", server.key);
    let quota = server.ask("LB.QUOTA", &ballot)?;
    print_reply(&quota, 0);
    println!();
    ledger.check_quota(&quota, &partner)
}

/// Sends each vote at its own time, and a retry directly after its original. Returns the first vote that the rule
/// `flood` held back.
fn send_weekend(server: &mut Server, ledger: &mut Ledger, votes: &[Vote]) -> Result<Option<(Vote, Verdict)>> {
    let times = |number: u64| if number.is_multiple_of(RETRY_EVERY) { 2 } else { 1 };
    let writes: Vec<&Vote> =
        (1..).zip(votes).flat_map(|(number, vote)| std::iter::repeat_n(vote, times(number))).collect();
    let progress = ProgressBar::new(writes.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} votes, {per_sec}") {
        progress.set_style(style);
    }
    let started = Instant::now();
    let mut flooded = None;
    for batch in writes.chunks(PIPELINE) {
        let mut pipeline = redis::pipe();
        for vote in batch {
            pipeline.add_command(command(&vote.words(&server.key)));
        }
        let replies: Vec<Value> = pipeline.query(&mut server.connection).map_err(failed("cannot vote"))?;
        for (vote, reply) in batch.iter().zip(&replies) {
            let verdict = ledger.count(vote, reply)?;
            if matches!(&verdict, Verdict::HeldBack(rule, _) if rule == "flood") {
                flooded.get_or_insert(((*vote).clone(), verdict));
            }
        }
        progress.inc(batch.len() as u64);
    }
    progress.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();
    println!("\nThe weekend: {} votes and retries sent in {seconds:.2} s", HumanCount(writes.len() as u64));
    Ok(flooded)
}

fn print_flooded(server: &Server, flooded: Option<(Vote, Verdict)>) {
    if let Some((vote, Verdict::HeldBack(rule, wait))) = flooded {
        println!(
            "\nA crowd for one option within a second, which takes 40\n> {}",
            vote.words(&server.key).join(" ")
        );
        println!("1) (integer) 0\n2) \"{rule}\"\n3) (integer) {wait}");
    }
}

fn too_late(server: &mut Server, ledger: &mut Ledger) -> Result<()> {
    println!("\nAfter closing: -1, never again");
    let vote = Vote { request: None, ..Random::new(1).vote(CLOSES) };
    server.show(&vote, ledger)
}

fn print_counts(ledger: &Ledger) {
    let line = |what: &str, count: u64| println!("{what:<22} {:>8}", HumanCount(count).to_string());
    println!("\nAll requests");
    line("sent", ledger.sent);
    line("counted", ledger.counted);
    line("repeated, not counted", ledger.repeated);
    for (rule, count) in &ledger.held_back {
        line(&format!("held back by {rule}"), *count);
    }
}

fn print_standings(server: &mut Server) -> Result<()> {
    server
        .print_top("8", "What everybody sees: votes shown, by weight and with what options started with")?;
    server.print_top("8 REAL", "What was voted for")?;
    server.print_top("3 VIEW day PERIOD -1", "On Saturday, midnight to midnight in Paris")
}

fn print_options(server: &mut Server) -> Result<()> {
    type Page = (u64, Vec<HashMap<String, Value>>);
    let (_cursor, options) = server.typed::<Page>("LB.OPTIONS", "0 COUNT 8")?;
    println!("What the organiser sees\noption  weight  initial     real    shown  voters");
    for option in &options {
        let number = |name| field::<u64>(option, name).map(|n| HumanCount(n).to_string());
        println!(
            "{:<6}  {:>6}  {:>7}  {:>7}  {:>7}  {:>6}",
            field::<String>(option, "member")?,
            number("weight")?,
            number("initial")?,
            number("real")?,
            number("shown")?,
            number("voters")?
        );
    }
    Ok(())
}

fn print_voters(server: &mut Server) -> Result<()> {
    for options in ["", "MEMBER ada", "VIEW day PERIOD 2026-05-16"] {
        let voters = server.typed::<Value>("LB.VOTERS", options)?;
        print_reply(&voters, 0);
        println!();
    }
    Ok(())
}

/// Compares the board with the ledger.
fn check(server: &mut Server, ledger: &Ledger) -> Result<()> {
    for (name, weight, initial) in CHOICES {
        let real = ledger.real.get(name).copied().unwrap_or(0);
        same(&format!("votes for {name}"), server.ask("LB.SCORE", &format!("{name} REAL"))?, real)?;
        let shown = real.saturating_mul(weight).saturating_add(initial);
        same(&format!("votes shown for {name}"), server.ask("LB.SCORE", name)?, shown)?;
        let voters = ledger.voters_of.iter().filter(|(option, _)| *option == name).count();
        near(&format!("voters for {name}"), server.ask("LB.VOTERS", &format!("MEMBER {name}"))?, voters)?;
    }
    near("voters", server.ask("LB.VOTERS", "")?, ledger.voters.len())?;
    let total: u64 = ledger.real.values().sum();
    println!(
        "\nChecked: each answer, rule and wait; {} votes, real and shown, to the vote; {} voters, within 4 %",
        HumanCount(total),
        HumanCount(ledger.voters.len() as u64)
    );
    Ok(())
}

fn same(what: &str, theirs: u64, ours: u64) -> Result<()> {
    if theirs == ours { Ok(()) } else { Err(format!("{what}: {theirs} on the board, {ours} counted here")) }
}

/// Checks that two counts differ by at most five standard errors of 0.8 %.
fn near(what: &str, theirs: u64, ours: usize) -> Result<()> {
    let ours = ours as u64;
    if theirs.abs_diff(ours) <= ours / 25 { Ok(()) } else { same(what, theirs, ours) }
}

/// A connection and the board's key.
struct Server {
    connection: Connection,
    key: String,
}

impl Server {
    /// Sends a vote, shows command and reply as in redis-cli, and counts the result.
    fn show(&mut self, vote: &Vote, ledger: &mut Ledger) -> Result<()> {
        let words = vote.words(&self.key);
        println!("> {}", words.join(" "));
        let reply = command(&words).query(&mut self.connection).map_err(failed("cannot vote"))?;
        print_reply(&reply, 0);
        println!();
        ledger.count(vote, &reply).map(|_| ())
    }

    fn print_top(&mut self, options: &str, title: &str) -> Result<()> {
        let top: Vec<(u64, String, u64)> = self.typed("LB.TOP", options)?;
        println!("{title}\nrank  option     votes");
        for (rank, option, votes) in top {
            println!("{rank:>4}  {option:<6} {:>9}", HumanCount(votes).to_string());
        }
        Ok(())
    }

    /// Sends a command, and shows it as a user would type it.
    fn typed<T: FromRedisValue>(&mut self, name: &str, options: &str) -> Result<T> {
        println!("\n> {}", format!("{name} {} {options}", self.key).trim_end());
        self.ask(name, options)
    }

    fn ask<T: FromRedisValue>(&mut self, name: &str, options: &str) -> Result<T> {
        let words: Vec<&str> = [name, &self.key].into_iter().chain(options.split_whitespace()).collect();
        ask(&mut self.connection, &words)
    }
}

fn command(words: &[String]) -> Cmd {
    let mut command = Cmd::new();
    command.arg(words);
    command
}

/// Prints a reply as redis-cli does, without the end of the last line.
fn print_reply(reply: &Value, indent: usize) {
    match reply {
        Value::Array(items) => {
            let width = items.len().to_string().len();
            for (number, item) in (1..).zip(items) {
                let before = if number == 1 { "" } else { &*format!("\n{}", " ".repeat(indent)) };
                print!("{before}{number:>width$}) ");
                print_reply(item, indent.saturating_add(width).saturating_add(2));
            }
        }
        Value::Int(number) => print!("(integer) {number}"),
        Value::BulkString(text) => print!("{:?}", String::from_utf8_lossy(text)),
        other => print!("{other:?}"),
    }
}
