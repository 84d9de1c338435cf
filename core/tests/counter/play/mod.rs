//! Plays steps on several counters and on the model, and checks that all of them agree.

mod send;
mod time;

use leaderboard_core::NativeType;
use leaderboard_core::board::Edit;
use leaderboard_core::counter::{Alter, Counter};
use leaderboard_core::time::{MAX_MILLIS, Stamp, TimeSource};
use proptest::sample::Index;

use crate::compare;
use crate::model::{Model, Refusal, Told, Write, slice};
use crate::mover::Restless;
use crate::rebuilt::rebuilt;
use crate::steps::{Act, At, By, Change, Decided, Looks, Rules, Step};
use crate::{loaded, saved};
use send::send;
pub use time::start;

pub struct Play {
    /// The counter that is compared with the model after each step.
    counter: Counter,
    /// The counter that is moved and copied between commands, and advanced to moments in the future.
    worker: Counter,
    /// The counter that is saved and loaded during the game.
    reloaded: Counter,
    /// The counter that gets only the applied writes, with their moments.
    replica: Counter,
    model: Model,
    wall: u64,
    max_future: u64,
    /// The true time in milliseconds, while the clock is wrong.
    truth: Option<u64>,
    /// The writes that were applied with a request id.
    sent: Vec<Write>,
    /// The number of request ids that were ever sent.
    ids: usize,
    /// The step at which the next move of the worker continues.
    moves: usize,
}

impl Play {
    pub fn new(Rules { rules, begin, max_future }: &Rules) -> Self {
        let counter = Counter::new(rules.clone()).unwrap();
        let [worker, reloaded, replica] = [(); 3].map(|()| counter.clone());
        Self {
            counter,
            worker,
            reloaded,
            replica,
            model: Model::new(rules),
            wall: *begin,
            max_future: *max_future,
            truth: None,
            sent: Vec::new(),
            ids: 0,
            moves: 0,
        }
    }

    pub fn step(&mut self, step: &Step) {
        match &step.act {
            Act::Increase(by, id, at) => self.increase(*by, *id, *at),
            Act::Burst(count, gap) => self.burst(*count, *gap),
            Act::Retry(which, more, at) => self.retry(which, *more, *at),
            Act::Decided(decided, by, id) => self.decided(*decided, *by, *id),
            Act::Alter(change) => self.alter(change),
            Act::Tick(tick) => self.tick(*tick),
            Act::Reload => self.reloaded = loaded(&saved(&self.reloaded)),
            Act::Copy => self.worker = self.worker.clone(),
            Act::Move(steps) => self.relocate(*steps),
        }
        self.compare(step.looks.clone());
    }

    fn now(&self) -> u64 {
        self.model.now(self.wall, self.max_future)
    }

    fn client(&self) -> TimeSource {
        TimeSource::Client { wall: self.wall, max_future: self.max_future }
    }

    /// Returns the counters that clients write to.
    fn counters(&mut self) -> [(&'static str, &mut Counter); 3] {
        [("counter", &mut self.counter), ("worker", &mut self.worker), ("reloaded", &mut self.reloaded)]
    }

    fn all(&mut self) -> [(&'static str, &mut Counter); 4] {
        let Self { counter, worker, reloaded, replica, .. } = self;
        [("counter", counter), ("worker", worker), ("reloaded", reloaded), ("replica", replica)]
    }

    fn increase(&mut self, by: By, id: Option<u8>, at: At) {
        let at = self.moment(at);
        let by = self.amount(by, at.unwrap_or_else(|| self.now()));
        self.write(&Write { by, id: id.map(name), at });
    }

    /// Returns an amount that a client can send.
    fn amount(&self, by: By, moment: u64) -> i64 {
        let most = i128::from(i64::MAX);
        let to_end = |count: i128, up: bool, more: i64| {
            if up { most - count + i128::from(more) } else { -most - count - i128::from(more) }
        };
        let count = |which: Index| {
            let precision = *which.get(self.precisions());
            self.model.count_of(precision, slice(precision, moment))
        };
        let by = match by {
            By::Just(by) => by.into(),
            By::TotalToEnd(up, more) => to_end(self.model.total, up, more),
            By::SliceToEnd(which, up, more) => to_end(count(which), up, more),
            By::Undo(which) => -count(which),
        };
        by.clamp(-most, most) as i64
    }

    fn burst(&mut self, count: u8, gap: u64) {
        for _ in 0..count {
            self.increase(By::Just(1), None, At::Now);
            self.tick(crate::steps::Tick::Forward(gap));
        }
    }

    fn retry(&mut self, which: &Index, more: i64, at: At) {
        if !self.sent.is_empty() {
            let Write { by, id, .. } = which.get(&self.sent).clone();
            let by = by.saturating_add(more).max(-i64::MAX);
            self.write(&Write { by, id, at: self.moment(at) });
        }
    }

    fn write(&mut self, write: &Write) {
        let (client, before) = (self.client(), saved(&self.counter));
        let expected = self.model.increase(write, client);
        for (what, counter) in self.counters() {
            assert_same(send(counter, write, client), expected, what, write);
        }
        match expected {
            Ok(Told { stamp: Some(stamp), .. }) => self.repeat(write, stamp, expected),
            _ => assert!(before == saved(&self.counter), "not applied, but changed: {write:?}"),
        }
    }

    /// Sends an applied write to the replica.
    fn repeat(&mut self, write: &Write, stamp: Stamp, expected: Result<Told, Refusal>) {
        let origin = TimeSource::Decided { now: Some(stamp.now) };
        let decided = Write { at: Some(stamp.at), ..write.clone() };
        assert_same(send(&mut self.replica, &decided, origin), expected, "replica", &decided);
        if write.id.is_some() {
            self.sent.push(write.clone());
            self.ids += 1;
        }
    }

    /// Sends a write that another server decided to all counters.
    fn decided(&mut self, Decided { now, at }: Decided, by: i64, id: Option<u8>) {
        let base = self.now();
        if base > MAX_MILLIS - 200_000 {
            return;
        }
        let origin = TimeSource::Decided { now: now.map(|now| base.saturating_add_signed(now)) };
        let write = Write { by, id: id.map(name), at: Some(base.saturating_add_signed(at)) };
        let expected = self.model.increase(&write, origin);
        for (what, counter) in self.all() {
            assert_same(send(counter, &write, origin), expected, what, &write);
        }
        self.ids += 1;
    }

    /// Returns a change in the form that a counter takes.
    fn asked(&self, change: &Change) -> Alter {
        let precisions = |edits: Vec<(u32, Edit)>| Alter { precisions: edits, ..Alter::default() };
        let own = |which: &Index| *which.get(self.precisions());
        let edit = |is_added: bool| if is_added { Edit::Add } else { Edit::Drop };
        match change {
            Change::Add(precision) => precisions(vec![(*precision, Edit::Add)]),
            Change::Drop(which) => precisions(vec![(own(which), Edit::Drop)]),
            Change::Replace(which, other) => precisions(vec![(own(which), Edit::Drop), (*other, Edit::Add)]),
            Change::Edits(edits) => {
                precisions(edits.iter().map(|(precision, is_added)| (*precision, edit(*is_added))).collect())
            }
            Change::Samples(samples) => Alter { samples: Some(*samples), ..Alter::default() },
            Change::Dedup(dedup) => Alter { dedup: Some(*dedup), ..Alter::default() },
            Change::Several(which, other, samples, dedup) => Alter {
                precisions: vec![(*other, Edit::Add), (own(which), Edit::Drop)],
                samples: Some(*samples),
                dedup: Some(*dedup),
            },
        }
    }

    fn alter(&mut self, change: &Change) {
        let (alter, now, before) = (self.asked(change), self.now(), saved(&self.counter));
        let expected = self.model.alter(&alter, now);
        for (what, counter) in self.all() {
            assert_eq!(counter.alter(&alter, now).is_ok(), expected, "{what}: {alter:?}");
        }
        assert!(expected || saved(&self.counter) == before, "not altered, but changed: {alter:?}");
    }

    /// Moves some parts of the worker, and advances it to a later moment.
    fn relocate(&mut self, steps: usize) {
        let memory = self.worker.memory();
        self.moves = Restless::new(steps).walk(&mut self.worker, self.moves).unwrap_or(0);
        assert_eq!(self.worker.memory(), memory, "moved it takes more or less");
        let later = self.now() + 100_000;
        self.worker.advance(later);
        if self.worker.has_work() {
            self.worker.work(later);
        }
    }

    /// Compares the counter with the model, and all counters with each other.
    fn compare(&mut self, looks: Looks) {
        let (wall, max_future, ids) = (self.wall, self.max_future, self.ids);
        compare::all(&self.counter, &self.model, (wall, max_future), looks);
        let bytes = saved(&self.counter);
        for (what, counter) in self.all() {
            let other = saved(counter);
            let apart = other.iter().zip(&bytes).find(|(other, own)| other != own);
            assert!(other == bytes, "{what} differs: {apart:?}");
        }
        let model = &self.model;
        for counter in [&self.counter, &self.worker, &self.reloaded, &self.replica] {
            compare::memory(counter, model, ids);
        }
    }

    /// Ends a game: compares all counters with the model again, and also a counter that reached the same value in
    /// another way.
    pub fn finish(&mut self) {
        let clock = (self.wall, self.max_future);
        let mut copies = vec![self.worker.clone(), self.reloaded.clone(), self.replica.clone()];
        copies.push(loaded(&saved(&self.counter)));
        copies.extend(rebuilt(&self.model));
        for (number, copy) in copies.iter().enumerate() {
            assert!(saved(copy) == saved(&self.counter), "copy {number} differs: {:?}", saved(copy));
            compare::all(copy, &self.model, clock, Looks::new(0));
        }
    }
}

fn name(id: u8) -> Vec<u8> {
    vec![b'q', id]
}

fn assert_same(got: Result<Told, String>, expected: Result<Told, Refusal>, what: &str, write: &Write) {
    assert_eq!(got, expected.map_err(str::to_owned), "{what}: {write:?}");
}
