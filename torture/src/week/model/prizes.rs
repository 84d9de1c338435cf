//! The winners of an ended period, and their claims.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::board::Member;

/// Which places win.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    Ranks(usize, usize),
    /// From the first place to a share of the members in percent, rounded up.
    Percent(usize),
}

/// Places and their prizes. The first entry that holds a rank wins.
pub type Table = &'static [(Place, &'static str)];

/// A winner.
#[derive(Clone)]
pub struct Winner {
    pub rank: usize,
    pub member: Member,
    pub score: i64,
    pub prize: &'static str,
}

/// The prizes of an ended period.
#[derive(Clone)]
pub struct Payout {
    table: Table,
    /// The winners, once they are fixed.
    fixed: Option<Vec<Winner>>,
    pub claimed: HashMap<Member, u64>,
    claims: HashMap<u64, Member>,
    removed: HashSet<Member>,
}

impl Payout {
    /// The prizes of a period by the table that it had when it ended.
    pub fn new(table: Table) -> Self {
        let (claimed, claims, removed) = Default::default();
        Self { table, fixed: None, claimed, claims, removed }
    }

    /// Returns the winners by the lines that all see now. Fixed winners have their prizes while they are seen, or if they have
    /// claimed them.
    pub fn winners(&self, lines: &[(Member, i64)], hidden: &BTreeSet<Member>) -> Vec<Winner> {
        let keeps = |winner: &&Winner| {
            let is_gone = self.removed.contains(&winner.member) || hidden.contains(&winner.member);
            !is_gone || self.claimed.contains_key(&winner.member)
        };
        match &self.fixed {
            Some(fixed) => fixed.iter().filter(keeps).cloned().collect(),
            None => winners(self.table, lines),
        }
    }

    /// Notes that a member was removed from the board.
    pub fn remove(&mut self, member: Member) {
        self.removed.insert(member);
    }

    /// Claims a member's prize. Returns prize and rank, and whether this is the claim that is paid.
    pub fn claim(
        &mut self,
        member: Member,
        id: u64,
        now: u64,
        (lines, hidden): (&[(Member, i64)], &BTreeSet<Member>),
    ) -> Option<(&'static str, usize, bool)> {
        let winners = self.winners(lines, hidden);
        let own = winners.iter().find(|winner| winner.member == member)?.clone();
        if self.fixed.is_none() {
            self.fixed = Some(winners);
        }
        self.claimed.entry(member).or_insert_with(|| {
            self.claims.insert(id, member);
            now
        });
        Some((own.prize, own.rank, self.claims.get(&id) == Some(&member)))
    }
}

/// Returns who wins what.
fn winners(table: Table, lines: &[(Member, i64)]) -> Vec<Winner> {
    let wins = |place: &Place, rank: usize| match place {
        Place::Ranks(first, last) => (*first..=*last).contains(&rank),
        Place::Percent(percent) => rank <= (lines.len() * percent).div_ceil(100),
    };
    let prize = |rank| table.iter().find(|(place, _)| wins(place, rank)).map(|(_, prize)| *prize);
    let line = |(place, (member, score)): (usize, &(Member, i64))| {
        let rank = place + 1;
        prize(rank).map(|prize| Winner { rank, member: *member, score: *score, prize })
    };
    lines.iter().enumerate().filter_map(line).collect()
}

/// Writes a table as the option `PRIZES` takes it.
pub fn written(table: Table) -> String {
    let entry = |(place, prize): &(Place, &str)| match place {
        Place::Ranks(first, last) if first == last => format!("{first}={prize}"),
        Place::Ranks(first, last) => format!("{first}-{last}={prize}"),
        Place::Percent(percent) => format!("1-{percent}%={prize}"),
    };
    table.iter().map(entry).collect::<Vec<_>>().join(",")
}
