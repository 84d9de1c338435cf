//! A voting campaign of one weekend with invented voters. It shows what each rule holds back, sends the votes of the
//! weekend, and sends the reads of an organiser. It sends every fifth vote twice, as a client does that got no reply.
//! It predicts every reply, rule by rule and to the millisecond, and ends at the first difference.
//!
//!     cargo run --profile demo --bin campaign -- --url redis://127.0.0.1:6379

mod ledger;
mod weekend;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use leaderboard_client::{Created, Request, Row, Score, create, option, options, score, top, voters};
use redis::{Connection, FromRedisValue, Value};

use crate::ledger::{Ledger, Verdict};
use crate::weekend::{CHOICES, CLOSES, MINUTE, OPENS, SECOND, Vote, random_vote, weekend};
use client::{PIPELINE, Random, Result, ask, ask_all, connect, failed, typed, whole};

const RETRY_EVERY: u64 = 5;

/// Run a voting campaign of one weekend on a board. An existing key of that name is replaced.
#[derive(Parser)]
struct Options {
    /// The server: redis://host:port or unix:///path/to/socket
    #[arg(long, default_value = "redis://127.0.0.1:6379")]
    url: String,
    /// The board's key; its present value is deleted
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
    let mut server = Server { connection: connect(&options.url, &options.key)?, key: options.key.clone() };
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

/// Makes the board. It uses the time of the events, so that the weekend takes only a second. Request ids are
/// remembered for a day.
fn board(key: &str) -> Request<Created> {
    let board = create(key).views("all,day,hour").tz("Europe/Paris").clock("EVENT").retain("3").dedup(86_400);
    let [opens, closes] = [OPENS, CLOSES].map(u64::cast_signed);
    board
        .shown()
        .declared()
        .opens(opens)
        .closes(closes)
        .limit(&["perminute", "voter", "5", "minute"])
        .limit(&["devices", "voter+terminal", "6", "day"])
        .limit(&["daily", "voter", "8", "day", "BONUS", "channel", "acme", "4"])
        .limit(&["flood", "member", "40", "second"])
}

fn declare(server: &mut Server) -> Result<()> {
    typed(&mut server.connection, &board(&server.key))?;
    println!();
    for (name, weight, initial) in CHOICES {
        let mut choice = option(&server.key, name);
        if weight != 1 {
            choice = choice.weight(weight);
        }
        if initial != 0 {
            choice = choice.initial(initial);
        }
        println!("> {choice}");
        ask(&mut server.connection, &choice)?;
    }
    Ok(())
}

/// Shows the first evening of one voter.
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
        server.vote(vote, ledger)
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
    let quotas = server.show(&partner.quota(&server.key))?;
    ledger.check_quota(&quotas, &partner)
}

/// Sends each vote with its own time, and a retry directly after its original. Returns the first vote that the rule
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
        let requests: Vec<_> = batch.iter().map(|vote| vote.request(&server.key)).collect();
        let replies = ask_all(&mut server.connection, requests.iter())?;
        for ((vote, request), reply) in batch.iter().zip(&requests).zip(replies) {
            let verdict = ledger.count(vote, &request.parse(reply).map_err(failed(request))?)?;
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
        println!("\nA crowd for one option within a second, which takes 40\n> {}", vote.request(&server.key));
        println!("1) (integer) 0\n2) \"{rule}\"\n3) (integer) {wait}");
    }
}

fn too_late(server: &mut Server, ledger: &mut Ledger) -> Result<()> {
    println!("\nAfter closing: -1, never again");
    let vote = Vote { request: None, ..random_vote(&mut Random::new(1), CLOSES) };
    server.vote(&vote, ledger)
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
    let shown = top(&server.key, 8);
    server.print_top(
        &shown,
        "What everybody sees: votes shown, by weight and with what options started with",
    )?;
    let real = top(&server.key, 8).real();
    server.print_top(&real, "What was voted for")?;
    let saturday = top(&server.key, 3).view("day").period("-1");
    server.print_top(&saturday, "On Saturday, midnight to midnight in Paris")
}

fn print_options(server: &mut Server) -> Result<()> {
    let page = typed(&mut server.connection, &options(&server.key, 0).count(8))?;
    println!("What the organiser sees\noption  weight  initial     real    shown  voters");
    let number =
        |votes: &str| votes.parse().map_or_else(|_| votes.to_owned(), |votes| HumanCount(votes).to_string());
    for option in page.options {
        println!(
            "{:<6}  {:>6}  {:>7}  {:>7}  {:>7}  {:>6}",
            option.member,
            HumanCount(option.weight).to_string(),
            HumanCount(option.initial.unsigned_abs()).to_string(),
            number(option.real.as_str()),
            number(option.shown.as_str()),
            HumanCount(option.voters).to_string()
        );
    }
    Ok(())
}

fn print_voters(server: &mut Server) -> Result<()> {
    let of = || voters(&server.key);
    for request in [of(), of().member("ada"), of().view("day").period("2026-05-16")] {
        let voters = typed(&mut server.connection, &request)?;
        println!("(integer) {voters}");
    }
    Ok(())
}

/// Compares the board with the ledger.
fn check(server: &mut Server, ledger: &Ledger) -> Result<()> {
    let key = server.key.clone();
    for (name, weight, initial) in CHOICES {
        let real = ledger.real.get(name).copied().unwrap_or(0);
        same(&format!("votes for {name}"), server.score(&score(&key, name).real())?, real)?;
        let shown = real.saturating_mul(weight).saturating_add(initial);
        same(&format!("votes shown for {name}"), server.score(&score(&key, name))?, shown)?;
        let due = ledger.voters_of.iter().filter(|(option, _)| *option == name).count();
        let voters = ask(&mut server.connection, &voters(&key).member(name))?;
        near(&format!("voters for {name}"), voters, due)?;
    }
    near("voters", ask(&mut server.connection, &voters(&key))?, ledger.voters.len())?;
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

/// Checks that two counts differ by at most 4 %, which is five standard errors of 0.8 %.
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
    /// Sends a vote, shows it as [`show`](Self::show) does, and counts the result.
    fn vote(&mut self, vote: &Vote, ledger: &mut Ledger) -> Result<()> {
        let outcome = self.show(&vote.request(&self.key))?;
        ledger.count(vote, &outcome).map(|_| ())
    }

    /// Sends a command, and shows the command and its reply as redis-cli does.
    fn show<R: FromRedisValue>(&mut self, request: &Request<R>) -> Result<R> {
        println!("> {request}");
        let reply: Value = request.cmd().query(&mut self.connection).map_err(failed(request))?;
        print_reply(&reply, 0);
        println!();
        request.parse(reply).map_err(failed(request))
    }

    fn print_top(&mut self, request: &Request<Vec<Row>>, title: &str) -> Result<()> {
        let top = typed(&mut self.connection, request)?;
        println!("{title}\nrank  option     votes");
        for Row { rank, member, score, .. } in top {
            println!("{rank:>4}  {member:<6} {:>9}", HumanCount(whole(&score)?).to_string());
        }
        Ok(())
    }

    fn score(&mut self, request: &Request<Option<Score>>) -> Result<u64> {
        let score = ask(&mut self.connection, request)?;
        whole(&score.ok_or_else(|| format!("{request}: no score"))?)
    }
}

/// Prints a reply as redis-cli does, without the last line break.
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
