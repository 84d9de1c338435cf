//! Writes of the model: joins and points.

use leaderboard_core::board::Position;
use leaderboard_core::calendar::Period;
use leaderboard_core::league::{GroupZone, Last, LeagueTies, Place};
use leaderboard_core::score::Decimal;
use leaderboard_core::time::Stamp;
use leaderboard_core::{Error, Score};

use super::season::{Entry, Season};
use super::{Member, Model, Name};

/// A write, without its moment.
#[derive(Debug, Clone)]
pub enum Op {
    Join(Name, Option<Vec<u8>>),
    /// Points for a member. The request id is optional.
    Add(Decimal, Name, Option<Vec<u8>>),
}

/// The reply to a write. It has a stamp if the write was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    Joining { stamp: Option<Stamp>, place: Option<Place>, joined: bool, waiting: bool, last: Option<Last> },
    Outcome { stamp: Option<Stamp>, now: Option<Position> },
}

impl Told {
    pub const fn stamp(&self) -> Option<Stamp> {
        match self {
            Self::Joining { stamp, .. } | Self::Outcome { stamp, .. } => *stamp,
        }
    }
}

/// The reason why a member may or may not write to the current period.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Door {
    IsIn,
    Open,
    Waits,
    Late,
}

fn position(place: Option<Place>) -> Option<Position> {
    place.map(|place| Position { score: place.score, rank: place.rank })
}

impl Model {
    pub fn write(&mut self, op: &Op, at: Option<u64>, wall: u64) -> Result<Told, Error> {
        match op {
            Op::Join(name, meta) => self.join(name, meta.as_deref(), at, wall),
            Op::Add(points, name, id) => self.add(*points, name, id.as_deref(), at, wall),
        }
    }

    /// Returns the place of a member as a reply contains it.
    fn place(&self, name: &Name, now: u64) -> Option<Place> {
        self.current(now).place(name)
    }

    fn door(&self, name: &Name, stamp: Stamp) -> Door {
        let period = self.period(stamp.now);
        if (stamp.at as i64) < period.start {
            Door::Late
        } else if self.is_in(name, stamp.now) {
            Door::IsIn
        } else if stamp.at as i64 >= self.deadline(period) {
            Door::Waits
        } else {
            Door::Open
        }
    }

    fn join(&mut self, name: &Name, meta: Option<&[u8]>, at: Option<u64>, wall: u64) -> Result<Told, Error> {
        let stamp = self.stamp(at, wall)?;
        let door = self.door(name, stamp);
        let changes = meta.is_some_and(|meta| self.meta(name).unwrap_or_default() != meta);
        let mut last = None;
        let is_applied = door == Door::Open || door == Door::IsIn && changes;
        if is_applied {
            self.begin(stamp.now);
            if door == Door::Open {
                last = self.enter(name, stamp);
            }
            if let Some(meta) = meta {
                self.set_meta(name, meta);
            }
            self.finish(name, stamp);
        }
        Ok(Told::Joining {
            stamp: is_applied.then_some(stamp),
            place: self.place(name, stamp.now),
            joined: door == Door::Open,
            waiting: door == Door::Waits,
            last,
        })
    }

    fn add(
        &mut self,
        points: Decimal,
        name: &Name,
        id: Option<&[u8]>,
        at: Option<u64>,
        wall: u64,
    ) -> Result<Told, Error> {
        let points = points.to_score(self.rules.decimals, "points")?;
        let stamp = self.stamp(at, wall)?;
        let asked = (name.clone(), points.units());
        if self.is_repeated(id, &asked, stamp)? {
            // A repeated write does not move a clock of events.
            return Ok(Told::Outcome { stamp: None, now: position(self.place(name, self.now(wall))) });
        }
        let door = self.door(name, stamp);
        if matches!(door, Door::Late | Door::Waits) {
            return Ok(Told::Outcome { stamp: None, now: position(self.place(name, stamp.now)) });
        }
        let score = self.sum(name, points, stamp)?;
        self.begin(stamp.now);
        if door == Door::Open {
            self.enter(name, stamp);
        }
        if points != Score::ZERO {
            self.give(name, score, stamp);
        }
        self.finish(name, stamp);
        if let Some(id) = id {
            self.requests.remember(self.rules.dedup, id, asked, stamp.now);
        }
        Ok(Told::Outcome { stamp: Some(stamp), now: position(self.place(name, stamp.now)) })
    }

    fn is_repeated(&self, id: Option<&[u8]>, asked: &(Name, i64), stamp: Stamp) -> Result<bool, Error> {
        let now = stamp.now.max(self.last);
        id.map_or(Ok(false), |id| self.requests.is_repeated(self.rules.dedup, id, asked, now))
    }

    /// Returns the score of a member after it gets these points.
    fn sum(&self, name: &Name, points: Score, stamp: Stamp) -> Result<Score, Error> {
        let score = self.entry(name, stamp.now).map_or(0, |place| place.score.units());
        score.checked_add(points.units()).and_then(Score::from_units).ok_or(Error::Overflow)
    }

    fn give(&mut self, name: &Name, score: Score, stamp: Stamp) {
        self.arrivals += 1;
        let (start, arrival, ties) = (self.period(stamp.now).start, self.arrivals, self.rules.ties);
        self.seasons.get_mut(&start).unwrap().change(name, |entry| {
            entry.score = score.units();
            if ties == LeagueTies::Scored {
                entry.moment = entry.moment.max(stamp.at as i64);
            }
            entry.arrival = arrival;
        });
    }

    /// Begins an applied write. If the write before came to another period, the current period goes on: all its
    /// members are active in it again, as if they had joined. Members of periods between the other period and this
    /// one become active in those periods.
    pub(super) fn begin(&mut self, now: u64) {
        let start = self.period(now).start;
        let open = self.open.replace(start);
        if open == Some(start) {
            self.seasons.get_mut(&start).unwrap().touch();
            return;
        }
        self.turns += 1;
        let passed = open.map_or(start, |open| open + 1)..start.max(open.unwrap_or(start) + 1);
        let passed: Vec<_> = self
            .seasons
            .range(passed)
            .filter(|(_, season)| !season.is_dropped)
            .map(|(start, season)| (*start, season.names()))
            .collect();
        for (start, names) in passed.into_iter().filter(|(passed, _)| *passed < start) {
            self.make_active(start, names);
        }
        if let Some(season) = self.seasons.get_mut(&start) {
            season.touch();
            season.written = self.turns;
            let moment = if self.rules.ties == LeagueTies::Joined { 0 } else { start };
            season.go_on(moment, &mut self.arrivals);
            let names = season.names();
            self.make_active(start, names);
        }
        self.drop_before(self.back(now, self.rules.retain).start);
    }

    fn make_active(&mut self, start: i64, names: Vec<Name>) {
        names.into_iter().for_each(|name| self.members.get_mut(&name).unwrap().active = Some(start));
    }

    /// Ends an applied write.
    fn finish(&mut self, name: &Name, stamp: Stamp) {
        let start = self.period(stamp.now).start;
        self.members.get_mut(name).unwrap().active = Some(start);
        self.move_clock(stamp.now);
    }

    /// Makes `now` the moment of the last applied write.
    pub(super) fn move_clock(&mut self, now: u64) {
        self.requests.turn_back(self.last.saturating_sub(now));
        self.last = now;
    }

    /// Lets a member join the current period. Returns its outcome of the last period that it was in.
    fn enter(&mut self, name: &Name, stamp: Stamp) -> Option<Last> {
        let period = self.period(stamp.now);
        let (tier, last) = self.tier_at(name, period);
        let member =
            Member { active: Some(period.start), tier: None, meta: self.meta(name).map(<[u8]>::to_vec) };
        self.members.insert(name.clone(), member);
        self.arrivals += 1;
        let arrival = self.arrivals;
        // Where equal scores are in the order of joining, later joins have later numbers in place of moments.
        let moment = if self.rules.ties == LeagueTies::Joined { arrival as i64 } else { stamp.at as i64 };
        let entry = Entry { name: name.clone(), score: 0, moment, arrival, gone: false };
        let (tiers, size) = (self.rules.tiers.len(), self.rules.group as usize);
        let turns = self.turns;
        let season = self.seasons.entry(period.start).or_insert_with(|| Season::new(tiers, turns));
        season.enter(tier, size, entry);
        last
    }

    /// Returns the tier in which a member joins a period, and its outcome of the last period that it was in.
    fn tier_at(&self, name: &Name, period: Period) -> (usize, Option<Last>) {
        let member = self.members.get(name).cloned().unwrap_or_default();
        let (tier, last) = match (member.active, self.last_before(name, period.start)) {
            (None, _) => (0, None),
            (_, Some(start)) => {
                let last = self.last_of(name, start);
                let idle = self.rules.idle as usize * self.skipped(start, period);
                (self.moved(&last).saturating_sub(idle), Some(last))
            }
            (Some(start), None) => (self.table(start, true).place(name).unwrap().tier, None),
        };
        (member.tier.unwrap_or(tier), last)
    }

    /// Returns the start of the last period before `start` that a member was in.
    fn last_before(&self, name: &Name, start: i64) -> Option<i64> {
        let active = self.members.get(name)?.active?;
        let is_in = |season: &Season| !season.is_dropped && season.names().contains(name);
        let earlier = || self.seasons.range(..start).rev().find(|(_, season)| is_in(season));
        if active < start { Some(active) } else { earlier().map(|(start, _)| *start) }
    }

    fn last_of(&self, name: &Name, start: i64) -> Last {
        let table = self.table(start, true);
        let place = table.place(name).unwrap();
        Last { start, place, zone: table.shares.zone(&place), reward: table.shares.reward(&place) }
    }

    fn moved(&self, last: &Last) -> usize {
        match last.zone {
            GroupZone::Promote => (last.place.tier + 1).min(self.rules.tiers.len() - 1),
            GroupZone::Stay => last.place.tier,
            GroupZone::Demote => last.place.tier.saturating_sub(1),
        }
    }

    /// Returns the number of periods between two periods. It counts up to the number of tiers.
    fn skipped(&self, start: i64, period: Period) -> usize {
        let mut next = self.period(start as u64).end;
        let mut count = 0;
        while next < period.start && count < self.rules.tiers.len() {
            next = self.period(next as u64).end;
            count += 1;
        }
        count
    }
}
