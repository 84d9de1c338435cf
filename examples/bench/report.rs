//! The tables, for the terminal and for the file alike.

use std::fmt::Write;

use indicatif::HumanCount;

use crate::Options;
use crate::longest::{Ending, Longest, SLOW_MICROS};
use crate::memory::{Big, Bytes, Ids, Pair};
use crate::speed::{self, Runs, Speed};

/// Everything that was measured.
pub struct Figures {
    /// The server's name and version.
    pub version: String,
    /// Small boards, by size.
    pub small: Vec<Pair>,
    /// Request ids.
    pub ids: Ids,
    /// The big boards after filling.
    pub big: Big,
    /// The runs.
    pub speed: Speed,
    /// The big board's bytes a member after the runs.
    pub after: f64,
    /// The big board's ends.
    pub endings: Vec<Ending>,
}

/// A goal and what was reached.
struct Goal {
    what: String,
    reached: f64,
    /// The same by processor time, for speed.
    by_cpu: Option<f64>,
    limit: f64,
    unit: &'static str,
    /// Speed wants more, all else less.
    more: bool,
}

type Row = Vec<String>;

/// The whole text.
pub fn write(options: &Options, figures: &Figures) -> String {
    let mut text = String::from("# Benchmark\n\n");
    let count = |n| HumanCount(n).to_string();
    let _ = writeln!(
        text,
        "{}, {} members of 14 bytes, {} requests a run, {} rounds by turns, pipelined by 32, 50 connections.\n",
        figures.version,
        count(options.members),
        count(options.requests),
        options.rounds
    );
    section(
        &mut text,
        "Goals",
        &["", "reached", "by CPU time", "goal", "met"],
        goals(figures).iter().map(Goal::row),
    );
    let headings = [
        "",
        "requests/s (median)",
        "least",
        "most",
        "CPU µs a request",
        "µs inside the command",
        "longest, ms",
    ];
    section(&mut text, "Speed", &headings, figures.speed.0.iter().map(speed_row));
    let headings =
        ["bytes a member", "board", "sorted set", "board, MEMORY USAGE", "sorted set, MEMORY USAGE"];
    section(&mut text, "Memory", &headings, memory_rows(figures));
    let _ = writeln!(text, "By used_memory, so with the key and its name, unless it says otherwise.\n");
    section(&mut text, "Longest single commands", &["", "ms", "wait after it, ms"], longest_rows(figures));
    let _ = writeln!(
        text,
        "Growth: processor time beyond the usual, of a hundred commands, and in brackets the wall time of one (other \
         programs included); the less of two runs. Ends: median of the command itself, and the longest wait of a PING \
         after it, the least of three.\n"
    );
    text
}

fn goals(figures: &Figures) -> Vec<Goal> {
    let ratio = |ours: &str, theirs: &str, limit| Goal {
        what: format!("{ours} / {theirs}"),
        reached: figures.speed.ratio(ours, theirs),
        by_cpu: Some(figures.speed.cpu_ratio(ours, theirs)),
        limit,
        unit: "×",
        more: true,
    };
    let most = |what: &str, reached, limit, unit| Goal {
        what: what.to_owned(),
        reached,
        by_cpu: None,
        limit,
        unit,
        more: false,
    };
    let small = figures.small.iter().map(|pair| pair.board.used).fold(0.0, f64::max);
    let big = figures.big.pair.board.used;
    vec![
        ratio(speed::ADD, speed::ZINCRBY, 5.0),
        ratio(speed::ADD_ID, speed::LUA, 5.0),
        ratio(speed::RANK, speed::ZREVRANK, 4.0),
        ratio(speed::TOP, speed::ZREVRANGE, 2.0),
        most(&format!("bytes a member, {} members", HumanCount(figures.big.pair.members)), big, 45.0, ""),
        most("bytes a member, 16 to 128 members (worst)", small, 45.0, ""),
        most("bytes a request id", figures.ids.bytes.used, 40.0, ""),
        most("longest single command", longest(figures), 5.0, " ms"),
    ]
}

/// The longest that is the module's doing.
fn longest(figures: &Figures) -> f64 {
    let growth = [figures.big.longest.cpu, figures.ids.longest.cpu].into_iter();
    let endings = figures.endings.iter().filter(|ending| ending.counts).map(|ending| ending.millis);
    growth.chain(endings).fold(0.0, f64::max)
}

impl Goal {
    fn row(&self) -> Row {
        let met = if self.more { self.reached >= self.limit } else { self.reached <= self.limit };
        let bound = if self.more { "at least" } else { "at most" };
        let digits = if self.unit.is_empty() { 1 } else { 2 };
        vec![
            self.what.clone(),
            format!("{:.digits$}{}", self.reached, self.unit),
            self.by_cpu.map_or_else(String::new, |ratio| format!("{ratio:.2}{}", self.unit)),
            format!("{bound} {}{}", self.limit, self.unit),
            if met { "yes" } else { "no" }.to_owned(),
        ]
    }
}

fn speed_row(runs: &Runs) -> Row {
    let whole = |rate: f64| HumanCount(rate as u64).to_string();
    vec![
        runs.name.to_owned(),
        whole(speed::median(&runs.rates)),
        whole(runs.rates.iter().copied().fold(f64::INFINITY, f64::min)),
        whole(runs.rates.iter().copied().fold(0.0, f64::max)),
        format!("{:.2}", speed::median(&runs.cpu)),
        format!("{:.2}", speed::median(&runs.micros)),
        seen(runs.longest),
    ]
}

fn memory_rows(figures: &Figures) -> impl Iterator<Item = Row> {
    let pairs = figures.small.iter().chain([&figures.big.pair]).map(pair_row);
    let after =
        vec!["after the runs".to_owned(), String::new(), String::new(), one(figures.after), String::new()];
    let Bytes { used, usage } = figures.ids.bytes;
    let ids = vec!["a request id".to_owned(), one(used), String::new(), one(usage), String::new()];
    pairs.chain([after, ids])
}

fn pair_row(pair: &Pair) -> Row {
    let Pair { members, board, zset } = pair;
    let label = format!("{} members", HumanCount(*members));
    vec![label, one(board.used), one(zset.used), one(board.usage), one(zset.usage)]
}

fn longest_rows(figures: &Figures) -> impl Iterator<Item = Row> {
    let growth = [
        ("board: LB.ADD while it grows", figures.big.longest),
        ("board: LB.ADD while request ids come and go", figures.ids.longest),
        ("sorted set: ZADD while it grows", figures.big.zset_longest),
    ];
    let growth = growth.into_iter().map(|(what, longest): (_, Longest)| {
        vec![what.to_owned(), format!("{:.2} ({})", longest.cpu, seen(longest.wall)), String::new()]
    });
    let endings = figures.endings.iter();
    growth.chain(
        endings
            .map(|end| vec![end.command.clone(), format!("{:.2}", end.millis), format!("{:.2}", end.stall)]),
    )
}

/// What is not in the slow log was faster than its threshold.
fn seen(millis: f64) -> String {
    if millis > 0.0 { format!("{millis:.2}") } else { format!("under {}", SLOW_MICROS as f64 / 1_000.0) }
}

fn one(value: f64) -> String {
    format!("{value:.1}")
}

/// A heading and a table in Markdown, its columns aligned for those who read it as it is.
fn section(text: &mut String, title: &str, headings: &[&str], rows: impl Iterator<Item = Row>) {
    let headings: Row = headings.iter().map(|&heading| heading.to_owned()).collect();
    let rows: Vec<Row> = rows.collect();
    let widths: Vec<usize> = headings
        .iter()
        .enumerate()
        .map(|(i, heading)| {
            rows.iter().filter_map(|row| row.get(i)).chain([heading]).map(|cell| cell.chars().count()).max()
        })
        .map(|width| width.unwrap_or(0))
        .collect();
    let _ = writeln!(text, "## {title}\n");
    line(text, &headings, &widths);
    let rules: Row = (0..).zip(&widths).map(|(i, &width)| rule(i, width)).collect();
    line(text, &rules, &widths);
    for row in &rows {
        line(text, row, &widths);
    }
    text.push('\n');
}

/// Names on the left, figures on the right.
fn rule(column: u32, width: usize) -> String {
    let dashes = "-".repeat(width.saturating_sub(1));
    if column == 0 { format!(":{dashes}") } else { format!("{dashes}:") }
}

fn line(text: &mut String, cells: &[String], widths: &[usize]) {
    for (i, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        let _ = if i == 0 { write!(text, "| {cell:<width$} |") } else { write!(text, " {cell:>width$} |") };
    }
    text.push('\n');
}
