//! What happened in a week: for the picture and the report.

use std::collections::BTreeMap;
use std::fmt;

use chrono_tz::Tz;

use super::expected::Model;
use super::model::board::Member;
use super::model::calendar::{self, HOUR, Unit};
use super::operator::Event;
use super::players::name;
use super::request::{Action, Request};
use super::service::Tally;

/// The zone of the arena.
pub const ZONE: Tz = Tz::Europe__Berlin;
/// The kinds of requests.
pub const KINDS: [&str; 7] = ["arena", "form", "nations", "league", "votes", "pages", "claims"];
/// Members whose ranks the picture shows.
const FIRST: usize = 10;

/// A story.
pub struct Story {
    pub seed: u64,
    pub begin: u64,
    pub days: u64,
    /// The requests of each kind by hour.
    pub busy: Vec<[u64; KINDS.len()]>,
    /// The ranks of all members in the arena's `all`, by hour.
    ranks: Vec<BTreeMap<Member, usize>>,
    /// What happened, and when.
    pub marks: Vec<(u64, Event)>,
    /// Requests that failovers lost. Their clients repeated them.
    lost: u64,
    tally: Tally,
    claims: usize,
    voters: usize,
}

impl Story {
    /// A story without events.
    pub fn new(seed: u64, begin: u64, days: u64) -> Self {
        Self {
            seed,
            begin,
            days,
            busy: vec![[0; KINDS.len()]; days as usize * 24],
            ranks: Vec::new(),
            marks: Vec::new(),
            lost: 0,
            tally: Tally::default(),
            claims: 0,
            voters: 0,
        }
    }

    /// Counts a request.
    pub fn count(&mut self, time: u64, request: &Request) {
        let kind = match request.action {
            Action::Roll { .. } => 1,
            Action::Nation { .. } | Action::Place { .. } => 2,
            Action::Join { .. } | Action::Play { .. } => 3,
            Action::Vote { .. } => 4,
            Action::Count { .. } => 5,
            Action::Claim { .. } => 6,
            _ => 0,
        };
        let hour = (time - self.begin) / HOUR;
        if let Some(kinds) = self.busy.get_mut(hour as usize) {
            kinds[kind] += 1;
        }
    }

    /// Notes an event.
    pub fn mark(&mut self, time: u64, event: Event) {
        self.marks.push((time, event));
    }

    /// Notes requests that a failover lost.
    pub fn lose(&mut self, requests: usize) {
        self.lost += requests as u64;
    }

    /// Notes the ranks at a full hour.
    pub fn look(&mut self, model: &Model) {
        let ranking = model.arena.ranking(model.arena.view("all"));
        let ranks = ranking.into_iter().zip(1..).map(|((member, _), rank)| (member, rank));
        self.ranks.push(ranks.collect());
    }

    /// Notes the numbers of the whole week.
    pub fn end(&mut self, tally: Tally, model: &Model) {
        self.tally = tally;
        self.claims = model.payouts.values().map(|payout| payout.claimed.len()).sum();
        self.voters = model.finals.voters.get(&None).map_or(0, std::collections::HashSet::len);
    }

    /// Returns the members that were first in the end, each with its ranks: hours since the begin, and the rank.
    pub fn first(&self) -> Vec<(String, Vec<(u64, usize)>)> {
        let Some(last) = self.ranks.last() else { return Vec::new() };
        let mut first: Vec<(usize, Member)> =
            last.iter().filter(|(_, rank)| **rank <= FIRST).map(|(member, rank)| (*rank, *member)).collect();
        first.sort_unstable();
        let ranks = |member: Member| {
            let hours = (1..).zip(&self.ranks);
            hours.filter_map(|(hour, ranks)| Some((hour, *ranks.get(&member)?))).collect()
        };
        first.into_iter().map(|(_, member)| (name(member), ranks(member))).collect()
    }

    /// Returns the midnights of the arena.
    pub fn midnights(&self) -> Vec<u64> {
        let end = self.begin + self.days * calendar::DAY;
        let next = |at: &u64| Some(calendar::next(Unit::Day, ZONE, *at));
        std::iter::successors(next(&self.begin), next).take_while(|at| *at < end).collect()
    }

    /// Returns the full hours at which clocks of the arena's zone or New York's change.
    pub fn changes(&self) -> Vec<(u64, Tz)> {
        let hours = (1..self.days * 24).map(|hour| self.begin + hour * HOUR);
        let zones = [ZONE, Tz::America__New_York, Tz::Australia__Sydney];
        let is_change =
            |(at, zone): &(u64, Tz)| calendar::offset(*zone, *at) != calendar::offset(*zone, *at - 1);
        hours.flat_map(|at| zones.map(|zone| (at, zone))).filter(is_change).collect()
    }
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { applied, unchanged, refused, reads } = self.tally;
        writeln!(f, "A week of a game service, seed {}, in the time of {ZONE}", self.seed)?;
        let (begin, end) = (self.begin, self.begin + self.days * calendar::DAY);
        writeln!(f, "from {} to {}", calendar::shown(ZONE, begin), calendar::shown(ZONE, end))?;
        for (at, zone) in self.changes() {
            writeln!(f, "clocks change in {zone}: {}", calendar::shown(ZONE, at))?;
        }
        let requests = applied + unchanged + refused;
        writeln!(
            f,
            "{requests} requests: {applied} applied, {refused} refused with an error, {unchanged} without effect"
        )?;
        writeln!(f, "{} lost in failovers, and repeated", self.lost)?;
        writeln!(f, "{reads} reads compared on two servers, {} hours", self.ranks.len())?;
        writeln!(f, "{} prizes claimed in days that are kept, {} voters", self.claims, self.voters)?;
        writeln!(f, "\nrequests: {}", KINDS.join(", "))?;
        for day in 0..self.days {
            let hours = self.busy.iter().skip(day as usize * 24).take(24);
            let sums = hours.fold([0; KINDS.len()], |mut sums, hour| {
                sums.iter_mut().zip(hour).for_each(|(sum, number)| *sum += number);
                sums
            });
            writeln!(f, "day {}: {sums:?}", day + 1)?;
        }
        writeln!(f, "\nfirst in the end, with their ranks at the end of each day:")?;
        for (name, ranks) in self.first() {
            let days: Vec<usize> =
                ranks.iter().filter(|(hour, _)| hour % 24 == 0).map(|(_, rank)| *rank).collect();
            writeln!(f, "{name} {days:?}")?;
        }
        writeln!(f, "\nwhat happened:")?;
        self.marks.iter().try_for_each(|(at, event)| writeln!(f, "{} {event:?}", calendar::shown(ZONE, *at)))
    }
}
