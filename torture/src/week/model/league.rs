//! A league: groups of limited size within tiers, and at the end of each day the first of a group move up and the last move down.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono_tz::Tz;

use super::board::{MOST_AHEAD, Member, TooFarAhead};
use super::calendar::{self, Unit};

/// How many members of a group move.
#[derive(Clone, Copy)]
pub enum Amount {
    Number(usize),
    Percent(usize),
}

impl Amount {
    fn of(self, members: usize) -> usize {
        match self {
            Self::Number(number) => number,
            Self::Percent(percent) => members * percent / 100,
        }
    }
}

/// The rules of a league.
#[derive(Clone)]
pub struct Rules {
    pub tiers: Vec<&'static str>,
    pub promote: Vec<Amount>,
    pub demote: Vec<Amount>,
    pub group: usize,
    pub reward: usize,
    pub idle: u64,
    pub retain: usize,
}

/// A member's place in a period.
#[derive(Clone, Copy)]
struct Seat {
    tier: usize,
    group: usize,
    score: i64,
    moment: u64,
    step: u64,
}

/// A group.
#[derive(Clone)]
struct Group {
    size: usize,
    members: Vec<Member>,
}

/// What came of a member's last period.
#[derive(Clone)]
pub struct Last {
    pub start: u64,
    pub tier: usize,
    pub group: usize,
    pub rank: usize,
    pub members: usize,
    pub score: i64,
    pub outcome: Outcome,
    pub reward: usize,
}

/// Where a rank leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Up,
    Stay,
    Down,
}

/// A group's members with their scores, best first.
pub type Table = Vec<(Member, i64)>;

/// The groups of a period, by tier.
pub type Tables = Vec<Vec<Table>>;

/// Where a member stands: tier, group, rank, members and score.
pub type Standing = (usize, usize, usize, usize, i64);

/// What an add answers: score and rank, and whether it was applied.
pub type Added = (Option<(i64, usize)>, bool);

/// A league.
#[derive(Clone)]
pub struct League {
    pub rules: Rules,
    pub zone: Tz,
    pub start: Option<u64>,
    last: u64,
    steps: u64,
    ids: HashSet<u64>,
    groups: Vec<Vec<Group>>,
    seats: HashMap<Member, Seat>,
    outcomes: HashMap<Member, Last>,
    /// The tiers that were set for the next join.
    set: HashMap<Member, usize>,
    /// The ended periods that are kept.
    pub ended: BTreeMap<u64, Tables>,
}

impl League {
    /// A league without members.
    pub fn new(rules: Rules, zone: Tz) -> Self {
        let groups = vec![Vec::new(); rules.tiers.len()];
        Self {
            rules,
            zone,
            start: None,
            last: 0,
            steps: 0,
            ids: HashSet::new(),
            groups,
            seats: HashMap::new(),
            outcomes: HashMap::new(),
            set: HashMap::new(),
            ended: BTreeMap::new(),
        }
    }

    /// Returns the league's now.
    pub fn now(&self, wall: u64) -> u64 {
        self.last.max(wall)
    }

    /// Ends the periods that are over.
    pub fn advance(&mut self, now: u64) {
        let present = calendar::start(Unit::Day, self.zone, now);
        while let Some(start) = self.start.filter(|start| *start < present) {
            let tables = self.tables();
            for (tier, groups) in tables.iter().enumerate() {
                for (group, table) in groups.iter().enumerate() {
                    self.note_outcomes(start, (tier, group), table);
                }
            }
            self.ended.insert(start, tables);
            while self.ended.len() > self.rules.retain {
                self.ended.pop_first();
            }
            self.groups.iter_mut().for_each(Vec::clear);
            self.seats.clear();
            self.start = Some(calendar::next(Unit::Day, self.zone, start));
        }
    }

    fn note_outcomes(&mut self, start: u64, (tier, group): (usize, usize), table: &Table) {
        for (place, (member, score)) in table.iter().enumerate() {
            let rank = place + 1;
            let last = Last {
                start,
                tier,
                group,
                rank,
                members: table.len(),
                score: *score,
                outcome: self.outcome(tier, rank, table.len()),
                reward: if rank <= self.rules.reward { rank } else { 0 },
            };
            self.outcomes.insert(*member, last);
        }
    }

    /// Returns what the end of the period means for a rank.
    pub fn outcome(&self, tier: usize, rank: usize, members: usize) -> Outcome {
        if rank <= self.rules.promote[tier].of(members) {
            Outcome::Up
        } else if rank + self.rules.demote[tier].of(members) > members {
            Outcome::Down
        } else {
            Outcome::Stay
        }
    }

    /// Returns the groups of the present period, by tier.
    pub fn tables(&self) -> Tables {
        let table = |group: &Group| self.table(group);
        self.groups.iter().map(|groups| groups.iter().map(table).collect()).collect()
    }

    fn table(&self, group: &Group) -> Table {
        let mut seats: Vec<(Member, Seat)> =
            group.members.iter().map(|member| (*member, self.seats[member])).collect();
        seats.sort_by_key(|(_, seat)| (-seat.score, seat.moment, seat.step));
        seats.into_iter().map(|(member, seat)| (member, seat.score)).collect()
    }

    /// Returns where a member stands.
    pub fn standing(&self, member: Member) -> Option<Standing> {
        let seat = self.seats.get(&member)?;
        let table = self.table(&self.groups[seat.tier][seat.group]);
        let place = table.iter().position(|(other, _)| *other == member)?;
        Some((seat.tier, seat.group, place + 1, table.len(), seat.score))
    }

    /// Lets a member join. Returns whether it was not in, and what came of its last period.
    pub fn join(&mut self, member: Member, wall: u64) -> (bool, Option<Last>) {
        let now = self.begin(wall);
        if self.seats.contains_key(&member) {
            return (false, None);
        }
        self.last = now;
        self.enter(member, now);
        (true, self.outcomes.remove(&member))
    }

    /// Begins the first period.
    fn begin(&mut self, wall: u64) -> u64 {
        let now = self.now(wall);
        self.start.get_or_insert(calendar::start(Unit::Day, self.zone, now));
        now
    }

    fn enter(&mut self, member: Member, at: u64) {
        let tier = self.next_tier(member);
        self.set.remove(&member);
        let groups = &mut self.groups[tier];
        if groups.last().is_none_or(|group| group.members.len() >= group.size) {
            groups.push(Group { size: self.rules.group, members: Vec::new() });
        }
        let group = groups.len() - 1;
        groups[group].members.push(member);
        self.steps += 1;
        self.seats.insert(member, Seat { tier, group, score: 0, moment: at, step: self.steps });
    }

    fn next_tier(&self, member: Member) -> usize {
        let Some(last) = self.outcomes.get(&member) else {
            return self.set.get(&member).copied().unwrap_or(0);
        };
        let tier = match last.outcome {
            Outcome::Up => last.tier + 1,
            Outcome::Stay => last.tier,
            Outcome::Down => last.tier - 1,
        };
        let (mut skipped, mut start) = (0, calendar::next(Unit::Day, self.zone, last.start));
        while Some(start) != self.start {
            skipped += 1;
            start = calendar::next(Unit::Day, self.zone, start);
        }
        let idle = tier.saturating_sub((skipped * self.rules.idle) as usize);
        self.set.get(&member).copied().unwrap_or(idle)
    }

    /// Adds points. A member that is not in joins first. A moment in a period that has ended changes nothing.
    pub fn add(
        &mut self,
        id: u64,
        member: Member,
        points: i64,
        at: Option<u64>,
        wall: u64,
    ) -> Result<Added, TooFarAhead> {
        let now = self.now(wall);
        if at.is_some_and(|at| at > now + MOST_AHEAD) {
            return Err(TooFarAhead);
        }
        let at = at.unwrap_or(now).min(now);
        let is_late = self.start.is_some_and(|start| at < start);
        if self.ids.contains(&id) || is_late {
            return Ok((self.place(member), false));
        }
        self.begin(wall);
        self.last = now;
        if !self.seats.contains_key(&member) {
            self.enter(member, at);
            self.outcomes.remove(&member);
        }
        self.steps += 1;
        let seat = self.seats.get_mut(&member).expect("a seat");
        seat.moment = seat.moment.max(at);
        seat.score += points;
        seat.step = self.steps;
        self.ids.insert(id);
        Ok((self.place(member), true))
    }

    fn place(&self, member: Member) -> Option<(i64, usize)> {
        self.standing(member).map(|(_, _, rank, _, score)| (score, rank))
    }

    /// Removes a member from the present period and from the tiers. Returns whether it was known.
    pub fn remove(&mut self, member: Member) -> bool {
        let seat = self.seats.remove(&member);
        if let Some(seat) = seat {
            self.groups[seat.tier][seat.group].members.retain(|other| *other != member);
        }
        let was_known = self.outcomes.remove(&member).is_some();
        self.set.remove(&member).is_some() | was_known | seat.is_some()
    }

    /// Sets the tier that a member joins next.
    pub fn set_tier(&mut self, member: Member, tier: usize) {
        self.set.insert(member, tier);
    }
}
