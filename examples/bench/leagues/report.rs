//! Writes the tables of leagues.

use std::fmt::Write;

use indicatif::HumanCount;

use super::Leagues;
use super::boundary::Boundary;
use super::memory::{Memory, texts};
use crate::report::{one, phase_row, section};

/// Writes the tables of the memory and of the ends of weeks.
pub fn write(text: &mut String, leagues: &Leagues) {
    write_memory(text, &leagues.memory, &leagues.boundary);
    write_boundary(text, &leagues.boundary);
}

fn write_memory(text: &mut String, memory: &Memory, boundary: &Boundary) {
    let headings = ["bytes a member", "league", "keys", "league, MEMORY USAGE", "keys, MEMORY USAGE"];
    let row = |what: &str, league: [Option<f64>; 2], keys: [Option<f64>; 2]| {
        let [used, usage] = league.map(|value| value.map_or_else(String::new, one));
        let [keys_used, keys_usage] = keys.map(|value| value.map_or_else(String::new, one));
        vec![what.to_owned(), used, keys_used, usage, keys_usage]
    };
    let both = |bytes: crate::memory::Bytes| [Some(bytes.used), Some(bytes.usage)];
    let rows = [
        row("in a running week", both(memory.running), both(memory.today.running)),
        row("in each week that is kept, in addition", both(memory.packed), both(memory.today.past)),
        row("of one that plays no more, all told", [None, Some(boundary.settled)], [None, None]),
    ];
    section(text, "Memory of leagues", &headings, rows.into_iter());
    let _ = writeln!(
        text,
        "{} members in groups of {}, beside their names and metas ({} bytes). By used_memory, unless it says otherwise. \
         The keys: a hash of places, a hash of profiles, a sorted set for each group.\n",
        HumanCount(memory.members),
        super::GROUP,
        texts()
    );
}

fn write_boundary(text: &mut String, boundary: &Boundary) {
    let headings =
        ["one command at a time", "commands", "usual wait, ms", "longest, CPU ms", "longest wait, ms"];
    section(text, "The ends of two weeks of a league", &headings, boundary.phases.iter().map(phase_row));
    let firsts =
        boundary.firsts.iter().map(|(name, millis)| vec![(*name).to_owned(), format!("{millis:.3}")]);
    section(text, "The first commands behind the end of a week", &["", "ms"], firsts);
    let _ = writeln!(
        text,
        "The commands: joins, additions, reads of groups of the week and of the ended one, INFO, of random members. First \
         commands: medians of the command itself. The longest slice of work between commands took {:.2} ms (wall time). \
         CPU, wait: as at midnight on a board of 7 days.\n",
        boundary.slice
    );
}
