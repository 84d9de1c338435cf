//! A campaign: votes for options, real and shown, with limits for voters, options and devices.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono_tz::Tz;

use super::board::{Board, Member, Span, TooFarAhead};
use super::calendar::{self, Unit};

/// What a limit counts by.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    Voter,
    Option,
}

/// A limit.
#[derive(Clone)]
pub struct Limit {
    pub name: &'static str,
    pub scope: Scope,
    pub most: u64,
    pub unit: Unit,
    /// More votes for those who come through the partner.
    pub bonus: u64,
}

/// A request to vote.
pub struct Vote<'a> {
    pub id: u64,
    pub voter: usize,
    /// Options and votes.
    pub pairs: &'a [(Member, i64)],
    pub by_partner: bool,
    pub at: Option<u64>,
}

/// What came of a vote.
#[derive(Debug)]
pub enum Judged {
    /// Score and rank of each option.
    Accepted(Vec<Option<(u64, i64)>>),
    Repeated(Vec<Option<(u64, i64)>>),
    /// The rule, and the milliseconds until it starts anew; `None`: never.
    HeldBack(&'static str, Option<u64>),
}

/// The voters of the options and of all (`None`).
type Voters = HashMap<Option<Member>, HashSet<usize>>;

/// A campaign.
#[derive(Clone)]
pub struct Campaign {
    pub shown: Board,
    pub real: Board,
    pub zone: Tz,
    pub opens: u64,
    pub closes: u64,
    pub limits: Vec<Limit>,
    pub weights: Vec<i64>,
    /// By limit and what it counts by: the period, and the votes used in it.
    used: HashMap<(&'static str, usize), (u64, u64)>,
    pub voters: Voters,
    /// The voters in the present period of each view.
    pub present: Vec<Voters>,
    /// The numbers of voters of ended periods, by view and start.
    pub ended: BTreeMap<(usize, u64), HashMap<Option<Member>, usize>>,
}

impl Campaign {
    /// A campaign without votes. Its first view is `all`.
    pub fn new(zone: Tz, options: usize, views: &[(&'static str, Span, usize)], limits: Vec<Limit>) -> Self {
        Self {
            shown: Board::new(false, zone, options, views),
            real: Board::new(false, zone, options, views),
            zone,
            opens: 0,
            closes: u64::MAX,
            limits,
            weights: vec![1; options],
            used: HashMap::new(),
            voters: Voters::new(),
            present: vec![Voters::new(); views.len()],
            ended: BTreeMap::new(),
        }
    }

    /// Declares an option with its weight and its initial votes, before the first vote.
    pub fn declare(&mut self, option: Member, weight: i64, initial: i64, wall: u64) {
        self.weights[option] = weight;
        for view in &mut self.shown.views {
            view.initial[option] = initial;
        }
        if initial != 0 {
            self.shown.steps += 1;
            let time = (wall, wall, self.shown.steps);
            self.shown.views[0].add(option, initial, time);
        }
    }

    /// Ends the periods that are over.
    pub fn advance(&mut self, now: u64) {
        self.real.advance(now, |_, _, _| {});
        let (present, ended) = (&mut self.present, &mut self.ended);
        self.shown.advance(now, |view, start, _| {
            let voters = std::mem::take(&mut present[view]);
            ended.insert((view, start), voters.into_iter().map(|(of, all)| (of, all.len())).collect());
        });
        let views = &self.shown.views;
        self.ended.retain(|(view, start), _| views[*view].ended.contains_key(start));
    }

    /// Whether a server may have freed what the last vote has used of a limit: it keeps that for an eighth of the period.
    pub fn last_votes_may_be_freed(&self, now: u64) -> bool {
        let end = |limit: &Limit| {
            let next = calendar::next(limit.unit, self.zone, self.shown.last);
            next + (next - calendar::start(limit.unit, self.zone, self.shown.last)) / 8
        };
        self.limits.iter().any(|limit| end(limit) <= now)
    }

    /// Judges a vote, and counts it.
    pub fn vote(&mut self, vote: &Vote, wall: u64) -> Result<Judged, TooFarAhead> {
        let (at, now) = self.shown.moment(vote.at, wall)?;
        if self.shown.knows(vote.id) {
            return Ok(Judged::Repeated(self.standings(vote.pairs)));
        }
        if at < self.opens || at >= self.closes {
            let is_early = now < self.opens;
            return Ok(Judged::HeldBack("closed", is_early.then(|| self.opens - now)));
        }
        for limit in &self.limits {
            if let Some(wait) = self.exceeded(limit, vote, now) {
                return Ok(Judged::HeldBack(limit.name, wait));
            }
        }
        self.count(vote, at, now);
        Ok(Judged::Accepted(self.standings(vote.pairs)))
    }

    fn standings(&self, pairs: &[(Member, i64)]) -> Vec<Option<(u64, i64)>> {
        let view = &self.shown.views[0];
        pairs.iter().map(|(option, _)| self.shown.standing(view, *option)).collect()
    }

    /// Returns how long to wait if the votes would be too many for a limit.
    fn exceeded(&self, limit: &Limit, vote: &Vote, now: u64) -> Option<Option<u64>> {
        let most = limit.most + if vote.by_partner { limit.bonus } else { 0 };
        let too_many = |(by, votes): &(usize, u64)| self.used(limit, *by, now) + votes > most;
        let (_, votes) = asked(limit.scope, vote).into_iter().find(too_many)?;
        Some((votes <= most).then(|| calendar::next(limit.unit, self.zone, now) - now))
    }

    /// Returns the votes that are used of a limit.
    pub fn used(&self, limit: &Limit, by: usize, now: u64) -> u64 {
        let period = calendar::start(limit.unit, self.zone, now);
        self.used.get(&(limit.name, by)).filter(|(start, _)| *start == period).map_or(0, |(_, used)| *used)
    }

    fn count(&mut self, vote: &Vote, at: u64, now: u64) {
        for limit in self.limits.clone() {
            let period = calendar::start(limit.unit, self.zone, now);
            for (by, votes) in asked(limit.scope, vote) {
                let used = self.used(&limit, by, now) + votes;
                self.used.insert((limit.name, by), (period, used));
            }
        }
        let shown: Vec<_> =
            vote.pairs.iter().map(|(option, votes)| (*option, votes * self.weights[*option])).collect();
        self.shown.add(Some(vote.id), &shown, (at, now));
        self.real.add(None, vote.pairs, (at, now));
        let of = vote.pairs.iter().map(|(option, _)| Some(*option)).chain([None]);
        for of in of {
            self.voters.entry(of).or_default().insert(vote.voter);
            for (view, voters) in self.shown.views.iter().zip(&mut self.present) {
                if Some(view.period(at)) == view.start {
                    voters.entry(of).or_default().insert(vote.voter);
                }
            }
        }
    }
}

/// Returns what a vote asks of a limit: the votes for each of what it counts by.
fn asked(scope: Scope, vote: &Vote) -> Vec<(usize, u64)> {
    match scope {
        Scope::Voter => vec![(vote.voter, vote.pairs.iter().map(|(_, votes)| *votes as u64).sum())],
        Scope::Option => vote.pairs.iter().map(|(option, votes)| (*option, *votes as u64)).collect(),
    }
}
