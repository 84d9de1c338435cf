//! One period of a league as it was played: who is in which group, with what score and since when.

use std::cmp::Reverse;

use super::Name;
use super::table::{Line, Shares};

#[derive(Debug, Clone)]
pub struct Entry {
    pub name: Name,
    pub score: i64,
    /// When it got this score.
    pub moment: i64,
    /// The number of the write that gave it this score.
    pub arrival: u64,
    /// Removed while another period was current: it is out of this one when that is written to.
    pub gone: bool,
}

#[derive(Debug, Clone)]
pub struct Group {
    /// How many may come in, as the rules said when it was opened.
    size: usize,
    pub entries: Vec<Entry>,
}

impl Group {
    /// The order: greater scores, earlier moments, earlier writes.
    fn sort(&mut self) {
        self.entries.sort_by_key(|entry| (Reverse(entry.score), entry.moment, entry.arrival));
    }
}

#[derive(Debug, Clone)]
pub struct Season {
    /// The groups of each tier, each in its order.
    pub tiers: Vec<Vec<Group>>,
    /// The shares that it ended with, if the league's have been altered since.
    pub shares: Option<Shares>,
    /// Out of reach when rules were altered: it is not read again, unless it is written to.
    pub is_lost: bool,
    /// Out of reach, and not one of the last that were written to: what becomes of it when a clock goes back to
    /// it is not told.
    pub is_dropped: bool,
    /// When writes began to come to it, after they had come to others: the greater, the later.
    pub written: u64,
}

impl Season {
    pub fn new(tiers: usize, written: u64) -> Self {
        Self { tiers: vec![Vec::new(); tiers], shares: None, is_lost: false, is_dropped: false, written }
    }

    fn groups(&mut self) -> impl Iterator<Item = &mut Group> {
        self.tiers.iter_mut().flatten()
    }

    /// All who are in it, now that it is current.
    pub fn names(&self) -> Vec<Name> {
        let entries = self.tiers.iter().flatten().flat_map(|group| &group.entries);
        entries.filter(|entry| !entry.gone).map(|entry| entry.name.clone()).collect()
    }

    /// Puts an entry into the last group of a tier, or opens one for it.
    pub fn enter(&mut self, tier: usize, size: usize, entry: Entry) {
        let groups = &mut self.tiers[tier];
        if groups.last().is_none_or(|group| group.entries.len() >= group.size) {
            groups.push(Group { size, entries: Vec::new() });
        }
        let group = groups.last_mut().unwrap();
        group.entries.push(entry);
        group.sort();
    }

    /// Changes an entry.
    pub fn change(&mut self, name: &Name, change: impl Fn(&mut Entry)) {
        for group in self.groups() {
            group.entries.iter_mut().filter(|entry| entry.name == *name).for_each(&change);
            group.sort();
        }
    }

    pub fn remove(&mut self, name: &Name) {
        self.groups().for_each(|group| group.entries.retain(|entry| entry.name != *name));
    }

    /// Whether anybody in it was removed while another one was current.
    pub fn has_gone(&self) -> bool {
        self.tiers.iter().flatten().flat_map(|group| &group.entries).any(|entry| entry.gone)
    }

    /// A write comes to it: who was removed while another one was current is no longer there.
    pub fn touch(&mut self) {
        self.groups().for_each(|group| group.entries.retain(|entry| !entry.gone));
        self.is_lost = false;
        self.is_dropped = false;
    }

    /// It goes on after other periods: the order stays, but all moments are its start.
    pub fn go_on(&mut self, start: i64, arrivals: &mut u64) {
        for entry in self.groups().flat_map(|group| &mut group.entries) {
            *arrivals += 1;
            (entry.moment, entry.arrival) = (start, *arrivals);
        }
    }

    /// What is read of it, with or without those who were removed while another one was current.
    pub fn lines(&self, with_gone: bool) -> Vec<Vec<Vec<Line>>> {
        let shown = |entry: &&Entry| with_gone || !entry.gone;
        let line = |entry: &Entry| Line { name: entry.name.clone(), score: entry.score };
        let group = |group: &Group| group.entries.iter().filter(shown).map(line).collect();
        self.tiers.iter().map(|groups| groups.iter().map(group).collect()).collect()
    }
}
