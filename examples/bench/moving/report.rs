//! Writes the tables of moves between sorted sets and boards.

use std::fmt::Write;

use indicatif::HumanCount;

use super::Moving;
use super::combine::Duel;
use super::import::Import;
use super::time::Time;
use crate::report::{Row, section};

pub fn write(text: &mut String, moving: &Moving) {
    let headings =
        ["LB.IMPORT into views", "in one command, ms", "steps", "longest step, ms", "all steps, ms"];
    section(text, "Imports", &headings, moving.imports.iter().map(import_row));
    let headings = ["", "boards, ms", "sorted sets, ms"];
    section(text, "Exports, unions, intersections", &headings, moving.duels.iter().map(duel_row));
    let _ = writeln!(
        text,
        "{} members each; of two, half are the same. Steps look at 1,000 members each. Processor time, and in brackets \
         the wall time inside the command (other programs included): medians, of the longest step the least of three \
         tries.\n",
        HumanCount(moving.memory.members)
    );
}

fn import_row(import: &Import) -> Row {
    let Import { views, whole, steps, longest, total } = import;
    vec![(*views).to_owned(), both(whole), steps.to_string(), both(longest), both(total)]
}

fn duel_row(duel: &Duel) -> Row {
    vec![duel.name.to_owned(), both(&duel.board), both(&duel.zset)]
}

fn both(Time { cpu, wall }: &Time) -> String {
    format!("{cpu:.1} ({wall:.1})")
}
