//! What the places of a period win.

use std::collections::BTreeMap;

use super::board::{Board, Place};
use super::calendar::View;
use super::ranking::Entry;
use super::replies::or_nil;

/// A winner of a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Winner {
    pub rank: usize,
    pub member: String,
    pub score: i64,
    pub prize: String,
    /// The segment, in a table of a dimension.
    pub value: String,
    /// When the prize was claimed, and the id of the claim.
    pub claimed: Option<(i64, String)>,
    /// Whether LB.REM took the winner away since the places were fixed.
    pub is_removed: bool,
}

impl Winner {
    /// Returns the row of LB.PRIZES.
    pub fn row(&self) -> String {
        let Winner { rank, member, score, prize, value, .. } = self;
        let claimed = or_nil(self.claimed.as_ref().map(|claim| claim.0));
        let value = if value.is_empty() { String::new() } else { format!(" {value}") };
        format!("[{rank} {member} {score} {prize} {claimed}{value}]")
    }
}

impl Board {
    /// Returns the table by which a period is paid: the last one that was set before it ended.
    pub fn table(&self, view: &View, per: &str, period: i64) -> &str {
        let mut all = self.tables.iter().rev();
        let found =
            all.find(|table| table.view == view.name && table.per == per && view.period(table.now) <= period);
        found.map_or("", |table| table.places.as_str())
    }

    /// Works out the winners of a period from those who are there and not hidden.
    pub fn winners(&self, (view, per, period): &Place) -> Vec<Winner> {
        let view = self.view(view);
        let table = self.table(view, per, *period);
        let mut groups: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        for entry in self.visible(view, *period) {
            let value = if per.is_empty() { "" } else { self.segment(&entry.member, per, (view, *period)) };
            if per.is_empty() || !value.is_empty() {
                groups.entry(value.to_owned()).or_default().push(entry);
            }
        }
        groups.iter().flat_map(|(value, group)| winners_of(table, value, group)).collect()
    }
}

fn winners_of(table: &str, value: &str, group: &[Entry]) -> Vec<Winner> {
    let mut all = Vec::new();
    for (place, entry) in group.iter().enumerate() {
        if let Some(prize) = prize(table, place + 1, entry.score, group.len()) {
            let (member, value) = (entry.member.clone(), value.to_owned());
            let (rank, score) = (place + 1, entry.score);
            all.push(Winner { rank, member, score, prize, value, claimed: None, is_removed: false });
        }
    }
    all
}

/// Returns what a place wins: the first entry of the table that holds it.
fn prize(table: &str, rank: usize, score: i64, members: usize) -> Option<String> {
    let mut entries = table.split(',').filter(|entry| !entry.is_empty());
    entries.find_map(|entry| {
        let (place, prize) = entry.rsplit_once('=').expect("a prize");
        holds(place, rank, score, members).then(|| prize.to_owned())
    })
}

fn holds(place: &str, rank: usize, score: i64, members: usize) -> bool {
    if let Some(least) = place.strip_prefix(">=") {
        return score >= least.parse().expect("a score");
    }
    if let Some(greatest) = place.strip_prefix("<=") {
        return score <= greatest.parse().expect("a score");
    }
    let (first, last) = place.split_once('-').unwrap_or((place, place));
    let last =
        last.strip_suffix('%').map_or_else(|| last.parse().expect("a rank"), |share| part(share, members));
    (first.parse().expect("a rank")..=last).contains(&rank)
}

/// Returns a share of the members, rounded up.
fn part(share: &str, members: usize) -> usize {
    let (whole, digits) = share.split_once('.').unwrap_or((share, ""));
    let hundredths: usize = format!("{whole}{digits:0<2}").parse().expect("a share");
    (hundredths * members).div_ceil(10_000)
}
