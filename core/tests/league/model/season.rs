//! One period of a league as it was played: groups, entries, scores and moments.

use std::cmp::Reverse;

use super::Name;
use super::table::{Line, Shares};

#[derive(Debug, Clone)]
pub struct Entry {
    pub name: Name,
    pub score: i64,
    /// The moment of this score, in milliseconds.
    pub moment: i64,
    /// The number of the write that gave it this score.
    pub arrival: u64,
    /// Whether the member was removed while another period was current. The entry leaves this period when the period
    /// is written to.
    pub gone: bool,
}

#[derive(Debug, Clone)]
pub struct Group {
    /// The maximum number of entries: the size of groups in the rules when the group was opened.
    size: usize,
    pub entries: Vec<Entry>,
}

impl Group {
    /// Sorts the entries: higher scores first, then earlier moments, then earlier writes.
    fn sort(&mut self) {
        self.entries.sort_by_key(|entry| (Reverse(entry.score), entry.moment, entry.arrival));
    }
}

#[derive(Debug, Clone)]
pub struct Season {
    /// The groups of each tier. The entries of each group are in order.
    pub tiers: Vec<Vec<Group>>,
    /// The shares that it ended with, if the shares of the league were altered since.
    pub shares: Option<Shares>,
    /// Whether it was out of reach when rules were altered. It cannot be read again, unless it is written to.
    pub is_lost: bool,
    /// Whether it was out of reach and not one of the last periods that were written to. The contract does not say
    /// what happens if a clock goes back to it.
    pub is_dropped: bool,
    /// The number of the turn in which the last series of writes to it began. Later turns have higher numbers.
    pub written: u64,
}

impl Season {
    pub fn new(tiers: usize, written: u64) -> Self {
        Self { tiers: vec![Vec::new(); tiers], shares: None, is_lost: false, is_dropped: false, written }
    }

    fn groups(&mut self) -> impl Iterator<Item = &mut Group> {
        self.tiers.iter_mut().flatten()
    }

    /// Returns the names of all members that are in it. Removed members are not in it.
    pub fn names(&self) -> Vec<Name> {
        let entries = self.tiers.iter().flatten().flat_map(|group| &group.entries);
        entries.filter(|entry| !entry.gone).map(|entry| entry.name.clone()).collect()
    }

    /// Puts an entry into the last group of a tier, or into a new group if that one is full.
    pub fn enter(&mut self, tier: usize, size: usize, entry: Entry) {
        let groups = &mut self.tiers[tier];
        if groups.last().is_none_or(|group| group.entries.len() >= group.size) {
            groups.push(Group { size, entries: Vec::new() });
        }
        let group = groups.last_mut().unwrap();
        group.entries.push(entry);
        group.sort();
    }

    /// Changes the entry of a member.
    pub fn change(&mut self, name: &Name, change: impl Fn(&mut Entry)) {
        for group in self.groups() {
            group.entries.iter_mut().filter(|entry| entry.name == *name).for_each(&change);
            group.sort();
        }
    }

    pub fn remove(&mut self, name: &Name) {
        self.groups().for_each(|group| group.entries.retain(|entry| entry.name != *name));
    }

    /// Returns whether any member of it was removed while another period was current.
    pub fn has_gone(&self) -> bool {
        self.tiers.iter().flatten().flat_map(|group| &group.entries).any(|entry| entry.gone)
    }

    /// Prepares the period for a write: members that were removed while another period was current leave it.
    pub fn touch(&mut self) {
        self.groups().for_each(|group| group.entries.retain(|entry| !entry.gone));
        self.is_lost = false;
        self.is_dropped = false;
    }

    /// Continues the period after other periods were written to. The order stays, but all moments become its start, or 0 where
    /// they stand for the order of joining.
    pub fn go_on(&mut self, moment: i64, arrivals: &mut u64) {
        for entry in self.groups().flat_map(|group| &mut group.entries) {
            *arrivals += 1;
            (entry.moment, entry.arrival) = (moment, *arrivals);
        }
    }

    /// Returns its rows, with or without members that were removed while another period was current.
    pub fn lines(&self, with_gone: bool) -> Vec<Vec<Vec<Line>>> {
        let shown = |entry: &&Entry| with_gone || !entry.gone;
        let line = |entry: &Entry| Line { name: entry.name.clone(), score: entry.score };
        let group = |group: &Group| group.entries.iter().filter(shown).map(line).collect();
        self.tiers.iter().map(|groups| groups.iter().map(group).collect()).collect()
    }
}
