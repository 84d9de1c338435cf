//! The ratios of earlier runs. They are in a table in the documentation, between two comments, with one column for
//! each server and number of members. A cell contains the ratio for even traffic and, after a slash, the ratio for
//! skewed traffic.

use std::fs;
use std::path::Path;

use crate::goals::Goal;
use client::Result;
use client::failed;

const START: &str = "<!-- figures -->\n";
const END: &str = "<!-- end -->";
/// The heading of the column of names.
const NAMES: &str = "by processor time";

/// The name of the row with the machine's memory latency. It is recorded because it explains differences between
/// machines.
pub const LATENCY: &str = "memory latency, ns";

pub struct Recorded {
    /// The file's text before the table, and after it.
    around: (String, String),
    columns: Vec<String>,
    /// The name and the cells of each row.
    rows: Vec<(String, Vec<String>)>,
}

impl Recorded {
    pub fn read(file: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(file).map_err(failed(format_args!("cannot read {}", file.display())))?;
        let missing = || format!("{} has no table of figures between comments", file.display());
        let (before, rest) = text.split_once(START).ok_or_else(missing)?;
        let (table, after) = rest.split_once(END).ok_or_else(missing)?;
        let mut lines = table.lines().map(cells);
        let columns = lines.next().map(|(_, cells)| cells).unwrap_or_default();
        let rows = lines.skip(1).collect();
        Ok(Self { around: (before.to_owned(), after.to_owned()), columns, rows })
    }

    /// Returns the ratios of a comparison in a column: even traffic, then skewed traffic.
    pub fn get(&self, name: &str, column: &str) -> [Option<f64>; 2] {
        let place = self.columns.iter().position(|other| other == column);
        let row = self.rows.iter().find(|row| row.0 == name);
        let cell = place.zip(row).and_then(|(place, (_, cells))| cells.get(place));
        let mut ratios =
            cell.into_iter().flat_map(|cell| cell.split('/')).map(|ratio| ratio.trim().parse().ok());
        [ratios.next().flatten(), ratios.next().flatten()]
    }

    /// Writes the measured ratios into a column. The other columns do not change.
    pub fn put(&mut self, column: &str, latency: f64, goals: &[Goal]) {
        if !self.columns.iter().any(|other| other == column) {
            self.columns.push(column.to_owned());
        }
        let place = self.columns.iter().position(|other| other == column).unwrap_or(0);
        let latency = (LATENCY.to_owned(), format!("{latency:.0}"));
        for (name, cell) in goals.iter().filter_map(Goal::recorded).chain([latency]) {
            if !self.rows.iter().any(|row| row.0 == name) {
                self.rows.push((name.clone(), Vec::new()));
            }
            for (_, cells) in self.rows.iter_mut().filter(|row| row.0 == name) {
                cells.resize(self.columns.len(), String::new());
                cells.iter_mut().skip(place).take(1).for_each(|old| old.clone_from(&cell));
            }
        }
    }

    pub fn write(&self, file: &Path) -> Result<()> {
        let rule = vec!["---".to_owned(); self.columns.len()];
        let mut table = line(NAMES, &self.columns);
        table.push_str(&line("---", &rule));
        for (name, cells) in &self.rows {
            let missing = vec![String::new(); self.columns.len().saturating_sub(cells.len())];
            table.push_str(&line(name, &[cells.as_slice(), &missing].concat()));
        }
        let (before, after) = &self.around;
        fs::write(file, [before, START, &table, END, after].concat())
            .map_err(failed(format_args!("cannot write {}", file.display())))
    }
}

/// Returns the first cell of a line, and the other cells.
fn cells(line: &str) -> (String, Vec<String>) {
    let mut cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned());
    (cells.next().unwrap_or_default(), cells.collect())
}

fn line(name: &str, cells: &[String]) -> String {
    format!("| {name} | {} |\n", cells.join(" | "))
}
