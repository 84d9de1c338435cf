//! Writes the tables for the terminal and the file.

use std::fmt::Write;

use indicatif::HumanCount;

use crate::ballots::Ballots;
use crate::contest::{Runs, Speed, median};
use crate::counters::{self, Counters};
use crate::goals::{HEADINGS, goals};
use crate::leagues::{self, Leagues};
use crate::longest::{Ending, Longest, SLOW_MICROS};
use crate::memory::{Big, Bytes, Ids, Pair};
use crate::moving::{self, Moving};
use crate::options::Options;
use crate::pipelines::Traffic;
use crate::recorded::{LATENCY, Recorded};
use crate::segments::{self, Segments};
use crate::servers;
use crate::switch::Switch;
use crate::tair::Tair;
use crate::turnover::Turnover;
use crate::writer::Phase;

/// All results of one server.
#[derive(Default)]
pub struct Figures {
    pub version: String,
    /// The heading of the column in which the figures are recorded: the server and the number of members.
    pub column: String,
    /// The latency of the machine's memory, in nanoseconds.
    pub latency: f64,
    /// The memory of small boards, by size.
    pub small: Vec<Pair>,
    pub ids: Option<Ids>,
    /// The memory of the big boards after the filling.
    pub big: Option<Big>,
    /// The speed on the big boards.
    pub speed: Option<Speed>,
    /// The big board's bytes per member after the runs.
    pub after: Option<f64>,
    /// The times of the commands that end the big board.
    pub endings: Vec<Ending>,
    /// The speed of commands of a hundred members.
    pub lists: Option<Speed>,
    /// The speed on small boards.
    pub sizes: Option<Speed>,
    /// The speed on boards of seven days.
    pub rolling: Option<Speed>,
    /// The speed of statistics, friends and other reads.
    pub reads: Option<Speed>,
    /// The speed on boards of five views.
    pub views: Option<Speed>,
    /// The speed of boards with rules and prizes.
    pub competitions: Option<Speed>,
    /// The speed and the memory of boards and TairZsets.
    pub tair: Option<Tair>,
    /// The speed and the memory of a board of segments.
    pub segments: Option<Segments>,
    /// The memory of a board of seven days.
    pub week: Option<Pair>,
    /// The longest commands at midnight on this board.
    pub switch: Option<Switch>,
    /// The memory of voters.
    pub ballots: Option<Ballots>,
    /// The votes that are sent when limits start again.
    pub turnover: Option<Turnover>,
    /// The speed of votes.
    pub votes: Option<Speed>,
    /// Leagues: memory, ends of weeks, speed.
    pub leagues: Option<Leagues>,
    /// Counters: memory, speed.
    pub counters: Option<Counters>,
    /// Moves between sorted sets and boards: memory, times.
    pub moving: Option<Moving>,
}

pub type Row = Vec<String>;

/// Writes the reports of all servers, and one table that compares the servers.
pub fn write(options: &Options, all: &[Figures], recorded: &Recorded) -> String {
    let texts: Vec<String> = all.iter().map(|figures| write_one(options, figures, recorded)).collect();
    let mut text = texts.concat();
    if all.len() > 1 {
        servers::write(&mut text, all);
    }
    text
}

fn write_one(options: &Options, figures: &Figures, recorded: &Recorded) -> String {
    let mut text = String::from("# Benchmark\n\n");
    let count = |n| HumanCount(n).to_string();
    let [latency, _] = recorded.get(LATENCY, &figures.column);
    let _ = writeln!(
        text,
        "{}, {} members of 14 bytes, {} requests a run, {} rounds by turns, pipelined by 32, 50 connections. Memory \
         latency {:.0} ns ({}).\n",
        figures.version,
        count(options.members()),
        count(options.requests()),
        options.rounds(),
        figures.latency,
        latency.map_or_else(|| "not recorded".to_owned(), |was| format!("was {was:.0} ns"))
    );
    section(
        &mut text,
        "Goals",
        &HEADINGS,
        goals(figures).iter().map(|goal| goal.row(recorded, &figures.column)),
    );
    let _ = writeln!(
        text,
        "Was: the ratio by CPU time that is recorded for {} members, and the change since. Goals of speed are judged by CPU \
         time.\n",
        figures.column
    );
    write_speed(&mut text, figures);
    write_memory(&mut text, figures);
    write_longest(&mut text, figures);
    if let Some(switch) = &figures.switch {
        write_switch(&mut text, switch);
    }
    if let Some(ballots) = &figures.ballots {
        write_ballots(&mut text, ballots);
    }
    if let Some(turnover) = &figures.turnover {
        write_turnover(&mut text, turnover);
    }
    if let Some(leagues) = &figures.leagues {
        leagues::report::write(&mut text, leagues);
    }
    if let Some(counters) = &figures.counters {
        counters::report::write(&mut text, &counters.memory);
    }
    if let Some(moving) = &figures.moving {
        moving::report::write(&mut text, moving);
    }
    text
}

fn write_speed(text: &mut String, figures: &Figures) {
    let headings = [
        "",
        "requests/s (median)",
        "least",
        "most",
        "CPU µs a request",
        "µs inside the command",
        "longest, ms",
    ];
    let boards = [
        &figures.speed,
        &figures.lists,
        &figures.sizes,
        &figures.reads,
        &figures.rolling,
        &figures.views,
        &figures.votes,
        &figures.competitions,
    ]
    .into_iter()
    .flatten();
    let segments = figures.segments.iter().map(|segments| &segments.speed);
    let tair = figures.tair.iter().map(|tair| &tair.speed);
    let leagues = figures.leagues.iter().map(|leagues| &leagues.speed);
    let counters = figures.counters.iter().map(|counters| &counters.speed);
    let rows: Vec<Row> = boards
        .chain(segments)
        .chain(tair)
        .chain(leagues)
        .chain(counters)
        .flat_map(|speed| &speed.0)
        .map(speed_row)
        .collect();
    if rows.is_empty() {
        return;
    }
    section(text, "Speed", &headings, rows.into_iter());
    if figures.views.is_some() {
        let _ = writeln!(text, "Five ZINCRBY to five keys are one request.\n");
    }
    if let Some(segments) = &figures.segments {
        let _ = writeln!(
            text,
            "5 commands are one write to three sorted sets. A dimension of {} segments takes {:.1} bytes a member (MEMORY \
             USAGE), the sorted sets of the segments take {:.1} (used_memory).\n",
            segments::COUNTRIES,
            segments.more,
            segments.zsets
        );
    }
    if let Some(votes) = &figures.votes {
        write_votes(text, votes);
    }
    if figures.counters.is_some() {
        counters::report::write_speed(text);
    }
}

fn write_votes(text: &mut String, votes: &Speed) {
    let held_back = votes.0.iter().filter(|runs| median(&runs.held_back) > 0.0);
    let shares = held_back.map(|runs| format!("{:.1} % of {}", median(&runs.held_back) * 100.0, runs.name));
    let shares: Vec<String> = shares.collect();
    let shares = if shares.is_empty() { "none".to_owned() } else { shares.join(", ") };
    let _ = writeln!(
        text,
        "13 commands are one vote. Held back: {shares}. The 13 commands check no \
         limit, count a retry twice, and are not one atomic step.\n"
    );
}

fn write_memory(text: &mut String, figures: &Figures) {
    let headings =
        ["bytes a member", "board", "sorted set", "board, MEMORY USAGE", "sorted set, MEMORY USAGE"];
    let rows = memory_rows(figures);
    if !rows.is_empty() {
        section(text, "Memory", &headings, rows.into_iter());
        let _ = writeln!(text, "By used_memory, so with the key and its name, unless it says otherwise.\n");
    }
}

fn write_longest(text: &mut String, figures: &Figures) {
    let rows = longest_rows(figures);
    if rows.is_empty() {
        return;
    }
    section(text, "Longest single commands", &["", "ms", "wait after it, ms"], rows.into_iter());
    let _ = writeln!(
        text,
        "Growth: processor time beyond the usual, of a hundred commands, and in brackets the wall time of one (other \
         programs included); the less of two runs. Ends: median of the command itself, and the longest wait of a PING \
         after it, the least of three.\n"
    );
}

fn write_ballots(text: &mut String, ballots: &Ballots) {
    let headings = ["used_memory", "board", "13 commands"];
    let voters = ballots.voters as f64;
    let rows = [
        vec!["bytes a voter".to_owned(), one(ballots.board), one(ballots.keys)],
        vec!["of these, two limits by voter".to_owned(), one(ballots.limits), String::new()],
        vec!["and unique voters of all options".to_owned(), one(ballots.sketches / voters), String::new()],
    ];
    section(text, "Memory of voters", &headings, rows.into_iter());
    let _ = writeln!(
        text,
        "{} voters (the board estimates {}) voted once within a minute, for 1,000 options. Their sketches take {:.1} MB, \
         one of all time and one in each period of four views, for the board and for each option; none of these 5,005 \
         takes more than 7 KB, however many vote.\n",
        HumanCount(ballots.voters),
        HumanCount(ballots.counted),
        ballots.sketches / 1_000_000.0
    );
}

fn write_turnover(text: &mut String, turnover: &Turnover) {
    let headings = ["one vote at a time", "votes", "usual wait, ms", "longest, CPU ms", "longest wait, ms"];
    section(text, "Limits that start anew", &headings, turnover.phases.iter().map(phase_row));
    let _ = writeln!(
        text,
        "The first vote behind a minute in which all voted takes {:.2} ms, behind midnight {:.2} ms, and an hour later, \
         when the ended day begins to be freed, {:.2} ms (medians of the command itself). The longest slice of work \
         between commands took {:.2} ms (wall time). CPU, wait: as at midnight on a board of 7 days.\n",
        turnover.minute, turnover.midnight, turnover.freed, turnover.slice
    );
}

fn write_switch(text: &mut String, switch: &Switch) {
    let headings = ["one write at a time", "writes", "usual wait, ms", "longest, CPU ms", "longest wait, ms"];
    section(text, "Midnight on a board of 7 days", &headings, switch.phases.iter().map(phase_row));
    let _ = writeln!(
        text,
        "The first command behind midnight takes {:.2} ms, and {:.0} ms where nothing was prepared (medians of the \
         command itself). The next day is prepared in {:.1} s while writes go on, and takes the board to {:.1} bytes a \
         member. The longest slice of work between commands took {:.2} ms (wall time).\n\n\
         CPU: what the server did from one write to the next, beyond the usual. Wait: what the client saw, other \
         programs included. The least of three copies of the board.\n",
        switch.first, switch.unprepared, switch.prepare_seconds, switch.prepared_bytes, switch.slice
    );
}

pub fn phase_row(phase: &Phase) -> Row {
    let Longest { cpu, wall } = phase.longest;
    vec![
        phase.name.to_owned(),
        HumanCount(phase.writes).to_string(),
        format!("{:.3}", phase.usual),
        format!("{cpu:.2}"),
        format!("{wall:.2}"),
    ]
}

fn speed_row(runs: &Runs) -> Row {
    let whole = |rate: f64| HumanCount(rate as u64).to_string();
    vec![
        format!("{}{}", runs.name, if runs.traffic == Traffic::Zipf { ", Zipf" } else { "" }),
        whole(median(&runs.rates)),
        whole(runs.rates.iter().copied().fold(f64::INFINITY, f64::min)),
        whole(runs.rates.iter().copied().fold(0.0, f64::max)),
        format!("{:.2}", median(&runs.cpu)),
        format!("{:.2}", median(&runs.micros)),
        seen(runs.longest),
    ]
}

fn memory_rows(figures: &Figures) -> Vec<Row> {
    let big = figures.big.iter().map(|big| &big.pair);
    let pairs = figures.small.iter().chain(big).map(|pair| pair_row(pair, ""));
    let after = figures.after.map(|after| {
        vec!["after the runs".to_owned(), String::new(), String::new(), one(after), String::new()]
    });
    let ids = figures.ids.as_ref().map(|ids| {
        let Bytes { used, usage } = ids.bytes;
        vec!["a request id".to_owned(), one(used), String::new(), one(usage), String::new()]
    });
    let week = figures.week.iter().map(|pair| pair_row(pair, ", active on 3 of 7 days"));
    let imported = figures.moving.iter().map(|moving| pair_row(&moving.memory, ", imported"));
    pairs.chain(after).chain(ids).chain(week).chain(imported).collect()
}

fn pair_row(pair: &Pair, more: &str) -> Row {
    let Pair { members, board, zset } = pair;
    let label = format!("{} members{more}", HumanCount(*members));
    vec![label, one(board.used), one(zset.used), one(board.usage), one(zset.usage)]
}

fn longest_rows(figures: &Figures) -> Vec<Row> {
    let big = figures.big.as_ref();
    let growth = [
        ("board: LB.ADD while it grows", big.map(|big| big.longest)),
        ("board: LB.ADD while request ids come and go", figures.ids.as_ref().map(|ids| ids.longest)),
        ("sorted set: ZADD while it grows", big.map(|big| big.zset_longest)),
    ];
    let growth = growth.into_iter().filter_map(|(what, longest)| {
        let Longest { cpu, wall } = longest?;
        Some(vec![what.to_owned(), format!("{cpu:.2} ({})", seen(wall)), String::new()])
    });
    let endings = figures.endings.iter();
    let endings = endings
        .map(|end| vec![end.command.clone(), format!("{:.2}", end.millis), format!("{:.2}", end.stall)]);
    growth.chain(endings).collect()
}

/// Writes the time of the longest command. A command that is not in the slow log was faster than the threshold of the
/// slow log.
fn seen(millis: f64) -> String {
    if millis > 0.0 { format!("{millis:.2}") } else { format!("under {}", SLOW_MICROS as f64 / 1_000.0) }
}

pub fn one(value: f64) -> String {
    format!("{value:.1}")
}

/// Writes a heading and a Markdown table. The columns are aligned, so that the source is readable.
pub fn section(text: &mut String, title: &str, headings: &[&str], rows: impl Iterator<Item = Row>) {
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

/// Returns the line that aligns a column: names left, figures right.
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
