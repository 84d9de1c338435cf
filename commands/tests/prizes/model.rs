//! What the prizes of a board have to be: a plain model of one view of days on a clock of events, worked out anew from the
//! scores of each period.

use std::collections::{BTreeMap, BTreeSet};

use super::DAY;

/// A place of a table: the ranks from the first number to the second one, or to a share of the members in percent, or all
/// members with a score of at least this.
#[derive(Debug, Clone, Copy)]
pub enum Place {
    Ranks(u64, u64),
    Share(u64, u64),
    AtLeast(i64),
}

/// A table: places and their prizes.
pub type Table = Vec<(Place, String)>;

#[derive(Debug, Clone, Copy)]
struct Entry {
    score: i64,
    moment: u64,
    number: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Winner {
    pub rank: u64,
    pub member: String,
    pub score: i64,
    pub prize: String,
    pub claimed: Option<u64>,
    is_removed: bool,
}

#[derive(Debug)]
pub struct Model {
    pub now: u64,
    retain: u64,
    days: u64,
    writes: u64,
    /// The scores of each day.
    periods: BTreeMap<u64, BTreeMap<String, Entry>>,
    pub hidden: BTreeSet<String>,
    /// The tables, and the moments from which they hold.
    tables: Vec<(u64, Table)>,
    fixed: BTreeMap<u64, Vec<Winner>>,
    claims: BTreeMap<String, (u64, String)>,
    /// The first day that was not looked at when it left RETAIN.
    settled: u64,
}

/// What a claim replies: prize, rank, 1 or 0.
pub type Claimed = Option<(String, u64, bool)>;

impl Model {
    pub fn new(retain: u64, days: u64, table: Table) -> Self {
        Self {
            now: 0,
            retain,
            days,
            writes: 0,
            periods: BTreeMap::new(),
            hidden: BTreeSet::new(),
            tables: vec![(0, table)],
            fixed: BTreeMap::new(),
            claims: BTreeMap::new(),
            settled: 0,
        }
    }

    pub fn today(&self) -> u64 {
        self.now / DAY
    }

    fn is_kept(&self, day: u64) -> bool {
        day + self.retain >= self.today()
    }

    fn is_late(&self, day: u64) -> bool {
        (day + 1 + self.days) * DAY <= self.now
    }

    /// Moves the clock. Days that leave RETAIN are fixed, before anything else happens.
    pub fn move_to(&mut self, now: u64) {
        let before = self.today();
        self.now = self.now.max(now);
        if self.today() == before {
            return;
        }
        let from = self.settled;
        for day in from..self.today() {
            // The horizon is that of the day that begins.
            if !self.is_kept(day) && (day + 1 + self.days) * DAY > self.today() * DAY {
                self.fix(day);
            }
            if !self.is_kept(day) {
                self.settled = day + 1;
            }
        }
        let is_gone = |day: &u64| !self.is_kept(*day) && self.is_late(*day);
        let over: Vec<_> = self.fixed.keys().copied().filter(is_gone).collect();
        for day in over {
            self.fixed.remove(&day);
            self.claims.retain(|_, (of, _)| *of != day);
        }
    }

    /// Says whether nothing is shown of a day. Claims that are repeated with their IDs are answered until it is too late.
    fn is_over(&self, day: u64) -> bool {
        let is_done = self.fixed[&day].iter().all(|winner| winner.claimed.is_some() || winner.is_removed);
        !self.is_kept(day) && (is_done || self.is_late(day))
    }

    pub fn add(&mut self, points: i64, member: &str, at: u64) {
        self.move_to(at);
        self.writes += 1;
        if at / DAY < self.today() {
            return;
        }
        let number = self.writes;
        let day = self.periods.entry(at / DAY).or_default();
        match day.get_mut(member) {
            None => _ = day.insert(member.to_owned(), Entry { score: points, moment: at, number }),
            Some(entry) if points != 0 => {
                *entry = Entry { score: entry.score + points, moment: entry.moment.max(at), number };
            }
            Some(_) => {}
        }
    }

    /// Removes a member. Returns whether anything of it was there to see.
    pub fn remove(&mut self, member: &str) -> bool {
        let oldest = self.today().saturating_sub(self.retain);
        let mut is_known = self.hidden.remove(member);
        for (day, entries) in &mut self.periods {
            is_known |= entries.remove(member).is_some() && *day >= oldest;
        }
        for winner in self.fixed.values_mut().flatten() {
            if winner.member == member && winner.claimed.is_none() && !winner.is_removed {
                winner.is_removed = true;
                is_known = true;
            }
        }
        is_known
    }

    pub fn set_table(&mut self, table: Table) {
        self.tables.retain(|(from, _)| *from < self.now);
        self.tables.push((self.now, table));
    }

    fn ranking(&self, day: u64) -> Vec<(String, i64)> {
        let entries = self.periods.get(&day).into_iter().flatten();
        let mut seen: Vec<_> = entries.filter(|(member, _)| !self.hidden.contains(*member)).collect();
        seen.sort_by_key(|(_, entry)| (-entry.score, entry.moment, entry.number));
        seen.into_iter().map(|(member, entry)| (member.clone(), entry.score)).collect()
    }

    fn would_win(&self, day: u64) -> Vec<Winner> {
        let end = if day == self.today() { u64::MAX } else { (day + 1) * DAY };
        let table = self.tables.iter().rfind(|(from, _)| *from < end).map_or(&[][..], |(_, table)| table);
        let ranking = self.ranking(day);
        let members = ranking.len() as u64;
        let won = |rank: u64, score: i64| {
            let holds = |place: &Place| match *place {
                Place::Ranks(first, last) => (first..=last).contains(&rank),
                Place::Share(first, share) => (first..=(members * share).div_ceil(100)).contains(&rank),
                Place::AtLeast(least) => score >= least,
            };
            table.iter().find(|(place, _)| holds(place)).map(|(_, prize)| prize.clone())
        };
        let ranked = (1..).zip(ranking);
        let winners = ranked.filter_map(|(rank, (member, score))| {
            let prize = won(rank, score)?;
            Some(Winner { rank, member, score, prize, claimed: None, is_removed: false })
        });
        winners.collect()
    }

    fn fix(&mut self, day: u64) {
        let winners = self.would_win(day);
        if !self.fixed.contains_key(&day) && !winners.is_empty() {
            self.fixed.insert(day, winners);
        }
    }

    pub fn winners(&self, day: u64, unclaimed: bool) -> Vec<Winner> {
        let winners = match self.fixed.get(&day) {
            Some(_) if self.is_over(day) => Vec::new(),
            Some(winners) => winners.clone(),
            None if day > self.today() || day < self.settled => Vec::new(),
            None if !self.is_kept(day) && self.is_late(day) => Vec::new(),
            None => self.would_win(day),
        };
        let is_shown = |winner: &Winner| {
            winner.claimed.is_some() || !winner.is_removed && !self.hidden.contains(&winner.member)
        };
        winners
            .into_iter()
            .filter(|winner| is_shown(winner) && !(unclaimed && winner.claimed.is_some()))
            .collect()
    }

    /// Claims a prize. An error is an id that was used for another member.
    pub fn claim(&mut self, member: &str, day: u64, id: Option<&str>) -> Result<Claimed, ()> {
        if let Some((day, of)) = id.and_then(|id| self.claims.get(id)) {
            let winner = self.fixed[day].iter().find(|winner| winner.member == *of).unwrap();
            return if of == member { Ok(Some((winner.prize.clone(), winner.rank, true))) } else { Err(()) };
        }
        if day >= self.today() {
            return Ok(None);
        }
        if !self.winners(day, false).iter().any(|winner| winner.member == member) {
            return Ok(None);
        }
        self.fix(day);
        let now = self.now.max(1);
        let winner = self.fixed.get_mut(&day).unwrap().iter_mut().find(|winner| winner.member == member);
        let winner = winner.unwrap();
        let is_first = winner.claimed.is_none();
        if is_first {
            winner.claimed = Some(now);
            id.map(|id| self.claims.insert(id.to_owned(), (day, member.to_owned())));
        }
        Ok(Some((winner.prize.clone(), winner.rank, is_first)))
    }
}
