//! One table with the comparisons of all servers.

use std::collections::HashMap;
use std::fmt::Write;

use crate::goals::{Goal, goals};
use crate::report::{Figures, section};

/// Writes a table of the ratios by processor time, and a table by requests per second.
pub fn write(text: &mut String, all: &[Figures]) {
    table(text, "All servers, by CPU time", all, Goal::recorded);
    table(text, "All servers, by requests a second", all, Goal::by_requests);
    let _ = writeln!(text, "Uniform / Zipf: behind the slash, members are drawn by Zipf's law.\n");
}

/// Writes a table with a row for each comparison and a column for each server.
fn table(text: &mut String, title: &str, all: &[Figures], compared: fn(&Goal) -> Option<(String, String)>) {
    let of = |figures| goals(figures).iter().filter_map(compared).collect();
    let columns: Vec<HashMap<String, String>> = all.iter().map(of).collect();
    let headings: Vec<&str> = [""].into_iter().chain(all.iter().map(|figures| &*figures.version)).collect();
    let names = all.iter().take(1).flat_map(goals).filter_map(|goal| compared(&goal)).map(|(name, _)| name);
    let rows = names.map(|name| {
        let cells = columns.iter().map(|column| column.get(&name).cloned().unwrap_or_default());
        [name.clone()].into_iter().chain(cells).collect()
    });
    section(text, title, &headings, rows);
}
