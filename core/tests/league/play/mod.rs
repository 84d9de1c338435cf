//! Plays steps on several leagues and on the model, and checks that all of them agree.

mod send;
mod time;

use leaderboard_core::league::{Alter, League, TierAmount};
use leaderboard_core::native::Work;
use leaderboard_core::score::Decimal;
use leaderboard_core::time::{Clock, Stamp, TimeSource};
use leaderboard_core::{Error, NativeType};
use leaderboard_testkit::name::Name;
use proptest::sample::Index;

use crate::compare;
use crate::model::{Model, Op, Told};
use crate::steps::{At, Change, Points, Rules, Step, tier_name};
use crate::{MAX_FUTURE, loaded, saved};
use send::{send, unapplied};

pub struct Play {
    /// The league that is read all the time and does no work between commands.
    league: League,
    /// The league that does work between commands.
    worker: League,
    /// The league that is saved and loaded during the game.
    reloaded: League,
    /// The league that gets only the applied writes, with their moments, and is never read.
    replica: League,
    model: Model,
    wall: u64,
    /// The true time in milliseconds, while the clock is wrong.
    truth: Option<u64>,
    /// The writes that were applied with a request id.
    sent: Vec<Op>,
    name: fn(usize) -> Name,
    members: usize,
}

impl Play {
    pub fn new(rules: &Rules, name: fn(usize) -> Name) -> Self {
        let league = League::new(rules.rules.clone()).unwrap();
        let [worker, reloaded, replica] = [(); 3].map(|()| league.clone());
        let model = Model::new(&rules.rules);
        let (wall, truth, sent, members) = (rules.begin, None, Vec::new(), 0);
        Self { league, worker, reloaded, replica, model, wall, truth, sent, name, members }
    }

    pub fn step(&mut self, step: &Step) {
        match step {
            Step::Join(number, meta, at) => {
                let op = Op::Join(self.name(*number), meta.clone());
                self.write(&op, *at);
            }
            Step::JoinMany(from, count) => self.many(*from, *count, |_, name| Op::Join(name, None)),
            Step::Add(points, number, id, at) => {
                let id = id.map(|id| vec![b'q', id]);
                let op = Op::Add(self.points(*points), self.name(*number), id);
                self.write(&op, *at);
            }
            Step::AddMany(points, from, count) => {
                let points = |number: usize| Decimal::whole(points + (number % 3) as i64);
                self.many(*from, *count, |number, name| Op::Add(points(number), name, None));
            }
            Step::Retry(which, at) => self.retry(which, *at),
            Step::Remove(number) => self.remove(*number),
            Step::SetTier(number, tier) => self.set_tier(*number, *tier),
            Step::SetMeta(number, meta) => self.set_meta(*number, meta),
            Step::Alter(change) => self.alter(change),
            Step::Tick(tick) => self.tick(*tick),
            Step::Reload => self.reloaded = loaded(&saved(&self.reloaded)),
            Step::Work(times) => self.work(*times),
            Step::Compare => self.compare(),
        }
        self.all().into_iter().for_each(|(_, league)| league.check());
    }

    fn now(&self) -> u64 {
        self.model.now(self.wall)
    }

    fn client(&self) -> TimeSource {
        TimeSource::Client { wall: self.wall, max_future: MAX_FUTURE }
    }

    fn name(&mut self, number: usize) -> Name {
        self.members = self.members.max(number + 1);
        (self.name)(number)
    }

    fn names(&self) -> Vec<Name> {
        (0..self.members).map(self.name).collect()
    }

    /// Returns the leagues that clients write to.
    fn leagues(&mut self) -> [(&'static str, &mut League); 3] {
        [("league", &mut self.league), ("worker", &mut self.worker), ("reloaded", &mut self.reloaded)]
    }

    fn all(&mut self) -> [(&'static str, &mut League); 4] {
        let Self { league, worker, reloaded, replica, .. } = self;
        [("league", league), ("worker", worker), ("reloaded", reloaded), ("replica", replica)]
    }

    /// Returns points in the form in which a client writes them.
    fn points(&self, points: Points) -> Decimal {
        let text = match points {
            Points::Whole(points) => return Decimal::whole(points),
            Points::Tenths(tenths) => {
                let sign = if tenths < 0 { "-" } else { "" };
                format!("{sign}{}.{}", tenths.abs() / 10, tenths.abs() % 10)
            }
            Points::Units(units) => units.to_string(),
        };
        Decimal::parse(text.as_bytes(), "points").unwrap()
    }

    fn many(&mut self, from: usize, count: usize, op: impl Fn(usize, Name) -> Op) {
        for number in from..from + count {
            let name = self.name(number % count.max(from + 1));
            self.write(&op(number, name), At::Now);
        }
    }

    fn retry(&mut self, which: &Index, at: At) {
        if !self.sent.is_empty() {
            let op = which.get(&self.sent).clone();
            self.write(&op, at);
        }
    }

    fn write(&mut self, op: &Op, at: At) {
        let at = self.moment(at);
        let showing = self.model.showing_gone(self.now());
        let expected = self.model.write(op, at, self.wall);
        let stamp = expected.as_ref().ok().and_then(Told::stamp);
        let before = stamp.is_none().then(|| self.bytes_now());
        let shown = showing.and_then(|mut showing| unapplied(showing.write(op, at, self.wall)));
        let client = self.client();
        for (what, league) in self.leagues() {
            let got = send(league, op, at, client);
            if shown.as_ref() != Some(&got) {
                assert_eq!(got, expected, "{what}: {op:?} at {at:?}");
            }
        }
        if let Some(stamp) = stamp {
            self.repeat(op, stamp, &expected);
        } else {
            assert!(before == Some(self.bytes_now()), "not applied, but changed: {op:?} at {at:?}");
        }
    }

    /// Sends an applied write to the replica.
    fn repeat(&mut self, op: &Op, stamp: Stamp, expected: &Result<Told, Error>) {
        let origin = TimeSource::Decided { now: Some(stamp.now) };
        let got = send(&mut self.replica, op, Some(stamp.at), origin);
        assert_eq!(&got, expected, "the replica: {op:?} at {stamp:?}");
        if matches!(op, Op::Add(_, _, Some(_))) {
            self.sent.push(op.clone());
        }
    }

    /// Returns the bytes that the league is saved as at this moment.
    fn bytes_now(&self) -> Vec<Vec<u8>> {
        let mut league = self.league.clone();
        league.advance(self.now());
        saved(&league)
    }

    fn moment(&self, at: At) -> Option<u64> {
        let now = match self.model.rules.clock {
            Clock::Event => self.model.last.max(self.wall),
            Clock::Server => self.now(),
        };
        let period = self.model.period(now);
        Some(match at {
            At::Unsaid => return None,
            At::Now if self.model.rules.clock == Clock::Server => return None,
            At::Now => now,
            At::Late(by) => now - by,
            At::Start(by) => (period.start + by) as u64,
            At::Deadline(by) => (self.model.deadline(period) + by) as u64,
            At::Periods(back) => self.model.back(now, back).start as u64,
            At::Ahead(by) => now + by,
        })
    }

    fn remove(&mut self, number: usize) {
        let (name, now) = (self.name(number), self.now());
        let expected = self.model.remove(&name, now);
        for (what, league) in self.all() {
            assert_eq!(league.remove(&name, now), expected, "{what}: {name:?} is removed");
        }
    }

    fn set_tier(&mut self, number: usize, tier: usize) {
        let name = self.name(number);
        let expected = self.model.set_tier(&name, tier_name(tier));
        for (what, league) in self.all() {
            let got = league.set_tier(&name, tier_name(tier)).ok();
            assert_eq!(got, expected, "{what}: {name:?} is moved to tier {tier}");
        }
    }

    fn set_meta(&mut self, number: usize, meta: &[u8]) {
        let name = self.name(number);
        let expected = self.model.set_meta(&name, meta);
        for (what, league) in self.all() {
            assert_eq!(league.set_meta(&name, meta), Ok(expected), "{what}: {name:?} gets {meta:?}");
        }
    }

    /// Returns a change in the form that a league takes.
    fn asked(&self, change: &Change) -> Alter {
        let none = Alter::default();
        let top = self.model.rules.tiers.len() - 1;
        let list = |amounts: &[TierAmount], zero: usize| {
            let mut amounts = amounts[..=top].to_vec();
            amounts[zero] = TierAmount::Count(0);
            Some(amounts)
        };
        match change {
            Change::Promote(amounts) => Alter { promote: list(amounts, top), ..none },
            Change::Demote(amounts) => Alter { demote: list(amounts, 0), ..none },
            Change::Impossible(true) => Alter { promote: Some(vec![TierAmount::Count(1); top + 1]), ..none },
            Change::Impossible(false) => Alter { demote: Some(vec![TierAmount::Count(0); top + 2]), ..none },
            Change::Group(size) => Alter { group: Some(*size), ..none },
            Change::Reward(reward) => Alter { reward: Some(*reward), ..none },
            Change::Dedup(seconds) => Alter { dedup: Some(*seconds), ..none },
            Change::Retain(retain) => Alter { retain: Some(*retain), ..none },
            Change::Idle(idle) => Alter { idle: Some(*idle), ..none },
            Change::JoinUntil(share) => Alter { join_until: Some(*share), ..none },
            Change::Several(alter) => {
                Alter { promote: list(alter.promote.as_ref().unwrap(), top), ..alter.clone() }
            }
        }
    }

    /// Alters the rules, but does nothing if the current period would then be a dropped one.
    fn alter(&mut self, change: &Change) {
        let (alter, now) = (self.asked(change), self.now());
        let mut model = self.model.clone();
        let expected = model.alter(&alter, now);
        if model.is_dropped(now) {
            return;
        }
        self.model = model;
        let before = saved(&self.league);
        for (what, league) in self.all() {
            assert_eq!(league.alter(&alter, now).is_ok(), expected, "{what}: {alter:?}");
        }
        assert!(expected || saved(&self.league) == before, "not altered, but changed: {alter:?}");
    }

    fn work(&mut self, times: u16) {
        let now = self.now();
        for _ in 0..times {
            if !self.worker.has_work() {
                return;
            }
            if let Work::Later(moment) = self.worker.work(now) {
                assert!(moment > now as i64, "work that is late");
                return;
            }
        }
        assert!(times < u16::MAX, "work without end");
    }

    fn advance(&mut self) {
        let now = self.now();
        self.leagues().into_iter().for_each(|(_, league)| league.advance(now));
    }

    /// Compares all leagues with the model, and with each other.
    pub fn compare(&mut self) {
        self.advance();
        let names = self.names();
        compare::all(&self.league, &self.model, self.wall, &names);
        compare::all(&self.worker, &self.model, self.wall, &names);
        let bytes = saved(&self.league);
        assert!(saved(&loaded(&bytes)) == bytes, "loaded it differs");
        let mut replica = self.replica.clone();
        replica.advance(self.now());
        for (what, league) in [("worker", &self.worker), ("replica", &replica), ("reloaded", &self.reloaded)]
        {
            let other = saved(league);
            let apart = other.iter().zip(&bytes).find(|(other, own)| other != own);
            assert!(other == bytes, "{what} differs: {apart:?}");
        }
    }

    /// Ends a game: compares everything, then does all work, and compares again.
    pub fn finish(&mut self) {
        self.compare();
        self.work(u16::MAX);
        self.compare();
        let (wall, now, names) = (self.wall, self.now(), self.names());
        let mut copy = loaded(&saved(&self.worker));
        for league in [&mut copy, &mut self.replica, &mut self.reloaded] {
            league.advance(now);
            compare::all(league, &self.model, wall, &names);
        }
    }
}
