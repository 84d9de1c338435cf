//! Plays steps on a board and on everything that has to agree with it.

mod time;

use leaderboard_core::NativeType;
use leaderboard_core::board::{Alter, Declaration, Edit, Effect, Retain, Verdict, Vote, Write};
use leaderboard_core::limits;
use leaderboard_core::native::Work;
use leaderboard_core::time::{Clock, Stamp, TimeSource};
use leaderboard_core::view::Kind;
use leaderboard_core::{Board, Decimal};
use proptest::sample::Index;

use crate::limit::{Ballot, Rule};
use crate::model::{Model, Op, Refused, Told};
use crate::steps::{Action, At, Change, Rules, Step, Tick};
use crate::view::Name;
use crate::{MAX_FUTURE, compare, loaded, saved};

/// The last moment that tests go to.
const LAST: u64 = 2_000_000_000_000;

pub struct Play {
    /// Is read all the time.
    board: Board,
    /// Does ahead what can be done ahead.
    worker: Board,
    /// Is saved and loaded again on the way.
    reloaded: Board,
    /// Gets only what was applied, with its time, and is left alone for as long as that takes.
    replica: Board,
    model: Model,
    wall: u64,
    /// The true time, while the clock is ahead.
    truth: Option<u64>,
    /// What was applied with a request id.
    sent: Vec<(Op, Vec<u8>, usize)>,
    /// What member names begin with, so that few members make a large board.
    prefix: usize,
    members: usize,
}

impl Play {
    pub fn new(rules: &Rules, prefix: usize) -> Self {
        let mut board = Board::new(rules.schema, &rules.specs).unwrap();
        let mut model = Model::new(rules.schema, &rules.specs);
        let mut alter = Alter::default();
        alter.voting.limits = rules.limits.iter().map(Rule::made).collect();
        alter.voting.opens = rules.hours.0.map(|after| rules.begin + after);
        alter.voting.closes = rules.hours.1.map(|after| rules.begin + rules.hours.0.unwrap_or(0) + after);
        board.alter(&alter).unwrap();
        model.alter(&alter, &rules.limits, &rules.specs, rules.begin);
        let [worker, reloaded, replica] = [(); 3].map(|()| board.clone());
        let (wall, sent, truth) = (rules.begin, Vec::new(), None);
        Self { board, worker, reloaded, replica, model, wall, truth, sent, prefix, members: 0 }
    }

    fn name(&mut self, number: usize) -> Name {
        self.members = self.members.max(number + 1);
        named(self.prefix, number)
    }

    fn now(&self) -> u64 {
        self.model.now(self.wall)
    }

    pub fn step(&mut self, step: &Step) {
        match step {
            Step::Write(action, id, view, at) => {
                let op = self.op(action);
                let id = id.map(|id| vec![b'q', id]);
                self.write(&op, id, view.index(self.model.views.len()), *at);
            }
            Step::Retry(which, at) => {
                if !self.sent.is_empty() {
                    let (op, id, view) = self.sent[which.index(self.sent.len())].clone();
                    self.write(&op, Some(id), view.min(self.model.views.len() - 1), *at);
                }
            }
            Step::Declare(number, weight, initial) => self.declare(*number, *weight, *initial),
            Step::Remove(number) => self.remove(*number),
            Step::Tick(tick) => self.tick(*tick),
            Step::Alter(change) => self.alter(change),
            Step::Quota(ballot, member, at) => self.quota(ballot, *member, *at),
            // What is kept for a clock that is put back is each server's own affair.
            Step::Reload if self.truth.is_none() && !self.model.leapt => {
                self.reloaded = loaded(&saved(&self.reloaded))
            }
            Step::Work(times) if self.truth.is_none() && !self.model.leapt => self.work(*times),
            Step::Reload | Step::Work(_) => {}
            Step::Compare => self.compare(),
        }
        self.board.check();
        self.worker.check();
    }

    fn op(&mut self, action: &Action) -> Op {
        match action {
            Action::Vote(ballot, votes, name) => Op::Vote(ballot.clone(), *votes, self.name(*name)),
            Action::VoteMany(ballot, votes) => {
                let votes = votes.iter().map(|(votes, name)| (*votes, self.name(*name))).collect();
                Op::VoteMany(ballot.clone(), votes)
            }
            Action::Add(points, name) => Op::Add(*points, self.name(*name)),
            Action::Many(pairs) => {
                Op::Many(pairs.iter().map(|(points, name)| (*points, self.name(*name))).collect())
            }
            Action::Set(score, name) => Op::Set(*score, self.name(*name)),
        }
    }

    fn write(&mut self, op: &Op, id: Option<Vec<u8>>, view: usize, at: At) {
        let name = self.model.views[view].spec.kind.to_string();
        if self.model.leapt && matches!(op, Op::Set(..)) && name != "all" {
            return;
        }
        let at = self.moment(at);
        let before = self.bytes_now();
        let expected = self.model.write(op, id.as_deref(), view, at, self.wall);
        let client = TimeSource::Client { wall: self.wall, max_future: MAX_FUTURE };
        let is_followed = !self.model.leapt || self.model.views[view].spec.kind == Kind::All;
        for (what, board) in
            [("board", &mut self.board), ("worker", &mut self.worker), ("reloaded", &mut self.reloaded)]
        {
            let got = send(board, op, id.as_deref(), &name, at, client);
            if is_followed && !matches!(op, Op::Vote(..) | Op::VoteMany(..)) || !self.model.leapt {
                assert_eq!(got, expected, "{what}: {op:?} in {name} at {at:?}, wall {}", self.wall);
            } else {
                assert_eq!(bare(got), bare(expected.clone()), "{what}: {op:?} in {name} at {at:?}");
            }
        }
        let Ok(Told::Done(Effect::Applied(stamp), _)) = expected else {
            assert!(self.bytes_now() == before, "not applied, but changed: {op:?} at {at:?}");
            self.advance();
            return;
        };
        let origin = TimeSource::Decided { now: Some(stamp.now) };
        let got = send(&mut self.replica, op, id.as_deref(), &name, Some(stamp.at), origin);
        assert_eq!(bare(got), bare(expected), "the replica: {op:?} in {name} at {at:?}");
        if let Some(id) = id {
            self.sent.push((op.clone(), id, view));
        }
    }

    fn bytes_now(&self) -> Vec<Vec<u8>> {
        let mut board = self.board.clone();
        board.advance(self.now());
        saved(&board)
    }

    fn moment(&self, at: At) -> Option<u64> {
        let now = match self.model.schema.clock {
            Clock::Event => self.model.last.max(self.wall),
            Clock::Server => self.now(),
        };
        let at = match at {
            At::Unsaid if self.model.schema.clock == Clock::Server => return None,
            At::Unsaid => now,
            At::Late(by) => now - by,
            At::Periods(view, back, into) => {
                let view = &self.model.views[view.index(self.model.views.len())];
                let Some((unit, _)) = view.reach() else { return Some(now - into) };
                let period = self.model.schema.calendar.back(unit, now as i64, back);
                ((period.start + into as i64).clamp(period.start, period.end - 1).max(0) as u64).min(now)
            }
            At::Ahead(by) => now + by,
        };
        Some(at)
    }

    fn declare(&mut self, number: usize, weight: Option<u32>, initial: Option<u64>) {
        let name = self.name(number);
        let (weight, initial) = if self.model.schema.shown { (weight, initial) } else { (None, None) };
        let now = self.now();
        let applied = Effect::Applied(Stamp { now, at: now });
        let has_changed = self.model.declare(&name, weight, initial, now);
        let expected = if has_changed { applied } else { Effect::Repeated };
        let client = TimeSource::Client { wall: self.wall, max_future: MAX_FUTURE };
        let said = Declaration { weight, initial };
        for board in [&mut self.board, &mut self.worker, &mut self.reloaded] {
            assert_eq!(board.declare(&name, said, client), Ok(expected));
        }
        if has_changed {
            let origin = TimeSource::Decided { now: Some(now) };
            assert_eq!(self.replica.declare(&name, said, origin), Ok(expected));
        }
    }

    fn remove(&mut self, number: usize) {
        let name = self.name(number);
        self.advance();
        let expected = self.model.remove(&name) && !self.model.leapt;
        for board in [&mut self.board, &mut self.worker, &mut self.reloaded, &mut self.replica] {
            // What can still be taken back is known for a while.
            assert!(board.remove(&name) || !expected);
        }
    }

    fn advance(&mut self) {
        let now = self.now();
        self.model.advance(now);
        for board in [&mut self.board, &mut self.worker, &mut self.reloaded] {
            board.advance(now);
        }
    }

    /// Everything that is altered stands at the same moment.
    fn alter(&mut self, change: &Change) {
        let now = self.now();
        let kind = |which: &Index| self.model.views[which.index(self.model.views.len())].spec.kind;
        let (mut alter, mut rules) = (Alter::default(), Vec::new());
        match change {
            Change::AddView(kind) => alter.views.push((*kind, Edit::Add)),
            Change::DropView(which) => alter.views.push((kind(which), Edit::Drop)),
            Change::Retain(number) => alter.retain = Some(Retain::All(*number)),
            Change::Limits(lifted, limits) => {
                alter.voting.lifted = lifted.iter().map(|name| format!("r{name}").into_bytes()).collect();
                alter.voting.limits = limits.iter().map(Rule::made).collect();
                rules.clone_from(limits);
            }
            Change::VotingWindow(opens, closes) => {
                let moment = |by: &Option<i64>| by.map_or(0, |by| now.saturating_add_signed(by));
                alter.voting.opens = opens.as_ref().map(moment);
                alter.voting.closes = closes.as_ref().map(moment);
            }
        }
        self.advance();
        self.replica.advance(now);
        let before = saved(&self.board);
        let result = self.board.alter(&alter);
        for board in [&mut self.worker, &mut self.reloaded, &mut self.replica] {
            assert_eq!(board.alter(&alter), result);
        }
        if result.is_ok() {
            let specs: Vec<_> = self.board.specs().copied().collect();
            self.model.alter(&alter, &rules, &specs, now);
        } else {
            assert!(saved(&self.board) == before, "not altered, but changed: {alter:?}");
        }
    }

    fn quota(&mut self, ballot: &Ballot, member: Option<usize>, at: At) {
        let at = self.moment(at);
        let member = member.map(|number| self.name(number));
        let now = match at {
            None => Ok(self.now()),
            Some(_) => self.model.stamp(at, self.wall).map(|stamp| stamp.now),
        };
        let expected = now.map(|now| self.model.quota(ballot, member.as_ref(), now));
        let client = TimeSource::Client { wall: self.wall, max_future: MAX_FUTURE };
        for board in [&self.board, &self.worker, &self.reloaded] {
            assert_eq!(compare::quota(board, ballot, member.as_ref(), at, client), expected, "at {at:?}");
        }
    }

    fn work(&mut self, times: u16) {
        let now = self.now();
        for _ in 0..times {
            if let Work::Later(moment) = self.worker.work(now) {
                assert!(moment > now as i64, "work that is late");
                return;
            }
        }
        assert!(times < u16::MAX, "work without end");
    }

    fn names(&self) -> Vec<Name> {
        (0..self.members).map(|number| named(self.prefix, number)).collect()
    }

    /// Compares everything there is.
    pub fn compare(&mut self) {
        self.advance();
        let (now, names) = (self.now(), self.names());
        compare::all(&self.board, &self.model, now, &names);
        compare::all(&self.worker, &self.model, now, &names);
        let bytes = saved(&self.board);
        assert!(saved(&loaded(&bytes)) == bytes, "loaded it differs");
        let mut replica = self.replica.clone();
        replica.advance(now);
        for (what, board) in [("worker", &self.worker), ("replica", &replica), ("reloaded", &self.reloaded)] {
            board.check();
            let other = saved(board);
            let apart = other.iter().zip(&bytes).find(|(other, own)| other != own);
            assert!(other == bytes, "{what} differs: {apart:?}");
        }
    }

    /// The end of a game: everything, also once all that can be done is done.
    pub fn finish(&mut self) {
        self.compare();
        if self.truth.is_none() && !self.model.leapt {
            self.work(u16::MAX);
            self.compare();
        }
        if self.model.leapt {
            return;
        }
        compare::all(&loaded(&saved(&self.worker)), &self.model, self.now(), &self.names());
    }
}

fn named(prefix: usize, number: usize) -> Name {
    Name([&vec![b'n'; prefix][..], format!("{:04}", number * 7_919 % 10_000).as_bytes()].concat())
}

/// An answer without positions.
fn bare(told: Result<Told, Refused>) -> Result<Told, Refused> {
    told.map(|told| match told {
        Told::Done(effect, _) => Told::Done(effect, Vec::new()),
        held_back => held_back,
    })
}

/// A ballot as a board takes it.
pub fn with_ballot<T>(ballot: &Ballot, act: impl FnOnce(&limits::Ballot) -> T) -> T {
    let tags: Vec<_> = ballot.tags.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
    act(&limits::Ballot { voter: ballot.voter.map(str::as_bytes), tags: &tags })
}

/// Sends a write to a board as the commands do.
fn send(
    board: &mut Board,
    op: &Op,
    request: Option<&[u8]>,
    view: &str,
    at: Option<u64>,
    origin: TimeSource,
) -> Result<Told, Refused> {
    let write = Write { at, request, origin, with_change: false, view: Some(view.as_bytes()) };
    let plain = Write { view: None, ..write };
    let decimals = board.schema().decimals;
    Ok(match op {
        Op::Vote(ballot, votes, name) => {
            match with_ballot(ballot, |ballot| board.vote(&plain, ballot, (name, *votes)))? {
                Verdict::Accepted(outcome) => Told::Done(outcome.effect, vec![outcome.now]),
                Verdict::HeldBack { rule, wait } => Told::HeldBack(String::from_utf8(rule).unwrap(), wait),
            }
        }
        Op::VoteMany(ballot, votes) => {
            let votes: Vec<Vote> = votes.iter().map(|(votes, name)| (&name[..], *votes)).collect();
            match with_ballot(ballot, |ballot| board.vote_many(&plain, ballot, &votes))? {
                Verdict::Accepted((effect, now)) => Told::Done(effect, now),
                Verdict::HeldBack { rule, wait } => Told::HeldBack(String::from_utf8(rule).unwrap(), wait),
            }
        }
        Op::Add(points, name) => {
            let outcome = board.add(&write, decimal(*points, decimals), name)?;
            Told::Done(outcome.effect, vec![outcome.now])
        }
        Op::Set(score, name) => {
            let outcome = board.set(&write, decimal(*score, decimals), name, Default::default())?;
            Told::Done(outcome.effect, vec![outcome.now])
        }
        Op::Many(pairs) => {
            let pairs: Vec<_> =
                pairs.iter().map(|(points, name)| (decimal(*points, decimals), &name[..])).collect();
            let (effect, now) = board.add_many(&write, &pairs)?;
            Told::Done(effect, now)
        }
    })
}

/// So many smallest units of a board.
fn decimal(units: i64, decimals: u8) -> Decimal {
    let places = usize::from(decimals);
    let digits = format!("{:01$}", units.unsigned_abs(), places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if units < 0 { "-" } else { "" };
    let point = if places == 0 { "" } else { "." };
    Decimal::parse(format!("{sign}{whole}{point}{fraction}").as_bytes(), "points").unwrap()
}
