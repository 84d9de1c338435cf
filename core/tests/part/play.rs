//! Plays steps on four copies of a part that have to agree: one is read all the time, one does work ahead, one is
//! saved and loaded, and one gets only the applied changes. A whole board gets the same writes, and no member is
//! hidden on it. Its current orders, with their moments, are the orders that the parts have to report. A copy of
//! these orders from the end of each period is the order that the parts have to report for the ended period.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use leaderboard_core::board::{Condition, Effect, Write};
use leaderboard_core::calendar::{Unit, When};
use leaderboard_core::native::Work;
use leaderboard_core::parts::Role;
use leaderboard_core::schema::{Ranks, Schema, Tally};
use leaderboard_core::time::{Stamp, TimeSource};
use leaderboard_core::view::Spec;
use leaderboard_core::{Board, Decimal, NativeType};
use leaderboard_testkit::twin::{loaded, saved};

use crate::list::{Asked, Entry, List, Name, unknown};
use crate::steps::{Rules, Step, role};

const MAX_FUTURE: u64 = 1_000;
/// The maximum number of moments that a part keeps of an ended period.
const MOST: usize = 1_000;

/// An ended period.
struct Ended {
    entries: Vec<Entry>,
    /// The number of moments that are known, from the top of the order down.
    dated: usize,
}

pub struct Play {
    board: Board,
    worker: Board,
    reloaded: Board,
    replica: Board,
    whole: Board,
    specs: Vec<Spec>,
    hidden: BTreeSet<Name>,
    /// The ended periods, by number of the view and start of the period.
    ended: BTreeMap<(usize, i64), Ended>,
    wall: u64,
}

/// Returns the name of a member of the part. Names have another order than their numbers. Those with great numbers are long, so
/// that many members make a large board.
fn name(number: usize) -> Name {
    static NAMES: OnceLock<Vec<Name>> = OnceLock::new();
    let names = || {
        let all = (0..10_007).map(|number| {
            let place = number * 7919 % 10_007;
            if number < 400 { format!("m{place}") } else { format!("m{place:0150}") }
        });
        all.filter(|name| role().check(name.as_bytes()).is_ok()).collect()
    };
    NAMES.get_or_init(names)[number].clone()
}

fn text(spec: &Spec) -> String {
    spec.kind.to_string()
}

fn unit(spec: &Spec) -> Option<Unit> {
    spec.reach().map(|(unit, _)| unit)
}

impl Play {
    pub fn new(rules: &Rules) -> Self {
        let board = Board::new(rules.schema.clone(), &rules.specs).unwrap();
        let [worker, reloaded, replica] = [(); 3].map(|()| board.clone());
        let whole = Schema { role: Role::Whole, ..rules.schema.clone() };
        let whole = Board::new(whole, &rules.specs).unwrap();
        let specs = rules.specs.clone();
        let (hidden, ended) = (BTreeSet::new(), BTreeMap::new());
        Self { board, worker, reloaded, replica, whole, specs, hidden, ended, wall: rules.begin }
    }

    pub fn step(&mut self, step: &Step) {
        match step {
            Step::Add(points, member, late) => self.add(&[(*points, *member)], late.map(|by| self.wall - by)),
            Step::Crowd(members, points) => {
                let pairs: Vec<_> =
                    (0..*members).map(|member| (points + member as i64 % 4, member)).collect();
                self.add(&pairs, None);
            }
            Step::Set(score, member) => self.set(*score, *member),
            Step::Remove(member) => self.remove(&name(*member)),
            Step::RemoveMany(member, count) => {
                (*member..member + count).for_each(|member| self.remove(&name(member)));
            }
            Step::Hide(member) => self.hide(&name(*member), true),
            Step::Unhide(member) => self.hide(&name(*member), false),
            Step::Pass(by) => self.pass(self.wall + by),
            Step::Leap(view, over, more) => self.pass(self.later(*view, *over) + more),
            Step::Reload => self.reloaded = loaded(&saved(&self.reloaded)),
            Step::Work(times) => self.work(*times),
            Step::Compare => self.compare(),
        }
        self.board.check();
        self.worker.check();
        self.reloaded.check();
    }

    fn now(&self) -> u64 {
        self.board.now_of(TimeSource::Client { wall: self.wall, max_future: MAX_FUTURE })
    }

    /// Returns the moment at which this number of periods of a view have ended.
    fn later(&self, view: usize, over: u32) -> u64 {
        let units: Vec<_> = self.specs.iter().filter_map(unit).collect();
        let end = |end, _| self.board.schema().calendar.period(units[view % units.len()], end).end;
        (0..over).fold(self.wall as i64, end) as u64
    }

    fn parts(&mut self) -> [&mut Board; 3] {
        [&mut self.board, &mut self.worker, &mut self.reloaded]
    }

    fn write(&mut self, at: Option<u64>, act: impl Fn(&mut Board, &Write) -> Effect) {
        self.advance();
        let origin = TimeSource::Client { wall: self.wall, max_future: MAX_FUTURE };
        let write = Write { at, ..Write::new(origin) };
        let mut stamp: Option<Stamp> = None;
        let Self { board, worker, reloaded, whole, .. } = self;
        for board in [board, worker, reloaded, whole] {
            match act(board, &write) {
                Effect::Applied(applied) => assert!(stamp.replace(applied).is_none_or(|old| old == applied)),
                effect => panic!("{effect:?}"),
            }
        }
        let stamp = stamp.unwrap();
        let origin = TimeSource::Decided { now: Some(stamp.now) };
        act(&mut self.replica, &Write { at: Some(stamp.at), origin, ..write });
    }

    fn add(&mut self, pairs: &[(i64, usize)], at: Option<u64>) {
        let names: Vec<_> = pairs.iter().map(|(points, member)| (*points, name(*member))).collect();
        let pairs: Vec<_> =
            names.iter().map(|(points, name)| (Decimal::whole(*points), name.as_bytes())).collect();
        self.write(at, |board, write| board.add_many(write, &pairs).unwrap().0);
    }

    fn set(&mut self, score: i64, member: usize) {
        let name = name(member);
        self.write(None, |board, write| {
            board.set(write, Decimal::whole(score), name.as_bytes(), Condition::default()).unwrap().effect
        });
    }

    fn remove(&mut self, name: &Name) {
        self.advance();
        let now = self.now();
        let is_known = self.board.remove(name.as_bytes());
        assert_eq!(self.worker.remove(name.as_bytes()), is_known);
        assert_eq!(self.reloaded.remove(name.as_bytes()), is_known);
        self.whole.remove(name.as_bytes());
        self.hidden.remove(name);
        if !is_known {
            return;
        }
        self.replica.advance(now);
        assert!(self.replica.remove(name.as_bytes()));
        for ((view, _), Ended { entries, dated }) in &mut self.ended {
            let spec = self.specs[*view];
            let passes_on = spec.decay.is_some()
                || spec.reach().is_some_and(|(_, count)| count > 1)
                || spec.carry.is_some();
            let place = entries.iter().position(|entry| entry.name == *name);
            if passes_on || place.is_some_and(|place| place < *dated) {
                *dated = dated.saturating_sub(1);
            }
            place.into_iter().for_each(|place| _ = entries.remove(place));
        }
    }

    fn hide(&mut self, name: &Name, is_hidden: bool) {
        self.advance();
        self.replica.advance(self.now());
        let Self { board, worker, reloaded, replica, .. } = self;
        for board in [board, worker, reloaded, replica] {
            match is_hidden {
                true => _ = board.hide(name.as_bytes()).unwrap(),
                false => _ = board.unhide(name.as_bytes()),
            }
        }
        if is_hidden {
            self.hidden.insert(name.clone());
        } else {
            self.hidden.remove(name);
        }
    }

    fn advance(&mut self) {
        let now = self.now();
        self.parts().into_iter().for_each(|board| board.advance(now));
        self.whole.advance(now);
    }

    /// Lets time pass, and stores the orders of all periods that end.
    fn pass(&mut self, wall: u64) {
        self.advance();
        let begun = self.whole.last() > 0;
        for (view, spec) in self.specs.iter().enumerate().filter(|_| begun) {
            let Some(unit) = unit(spec) else { continue };
            let calendar = self.board.schema().calendar;
            let mut whole = self.whole.clone();
            let mut period = calendar.period(unit, self.now() as i64);
            while period.end <= wall as i64 {
                whole.advance(period.start as u64);
                let entries = current(&whole, spec);
                self.ended.insert((view, period.start), Ended { entries, dated: MOST });
                period = calendar.period(unit, period.end);
            }
        }
        self.wall = wall;
    }

    fn work(&mut self, times: u16) {
        let now = self.now();
        for _ in 0..times {
            if let Work::Later(_) = self.worker.work(now) {
                return;
            }
        }
        assert!(times < u16::MAX, "work without end");
    }

    /// Compares all parts with the lists, and with each other.
    pub fn compare(&mut self) {
        self.advance();
        let mut replica = self.replica.clone();
        replica.advance(self.now());
        let bytes = saved(&self.board);
        assert!(saved(&loaded::<Board>(&bytes)) == bytes, "loaded it differs");
        let parts = [
            ("board", &self.board),
            ("worker", &self.worker),
            ("reloaded", &self.reloaded),
            ("replica", &replica),
        ];
        for (what, part) in parts {
            part.check();
            assert!(saved(part) == bytes, "{what} is saved in another way");
            self.specs.iter().enumerate().for_each(|view| self.compare_view((what, part), view));
        }
    }

    fn compare_view(&self, (what, part): (&str, &Board), (view, spec): (usize, &Spec)) {
        let (schema, now) = (part.schema(), self.now());
        for back in 0..=spec.retain + 1 {
            let when = When::Back(back);
            let name = text(spec);
            let start = part.start_of_period(Some(name.as_bytes()), when, now).unwrap();
            let reading = part.read(Some(name.as_bytes()), when, Tally::Shown).unwrap();
            let Some((unit, _)) = spec.reach() else {
                assert_eq!(start, (back == 0).then_some(0));
                if back == 0 {
                    let entries = current(&self.whole, spec);
                    let list = List { entries: &entries, hidden: &self.hidden, schema };
                    list.compare(&Asked { board: part, reading, what: format!("{what} {name}") });
                }
                continue;
            };
            let expected = schema.calendar.back(unit, now as i64, back).start;
            assert_eq!(start, Some(expected), "{what} {name} -{back}");
            let entries =
                if back == 0 { current(&self.whole, spec) } else { self.ended(view, spec, when, expected) };
            let list = List { entries: &entries, hidden: &self.hidden, schema };
            list.compare(&Asked { board: part, reading, what: format!("{what} {name} -{back}") });
        }
    }

    /// Returns the order of an ended period, or nothing if it cannot be read.
    fn ended(&self, view: usize, spec: &Spec, when: When, start: i64) -> Vec<Entry> {
        let reading = self.whole.read(Some(text(spec).as_bytes()), when, Tally::Shown).unwrap();
        let rows: Vec<_> = reading.rows(0, u64::MAX, Ranks::Ordinal).collect();
        let Some(ended) = self.ended.get(&(view, start)).filter(|_| !rows.is_empty()) else {
            return Vec::new();
        };
        let told = rows.iter().map(|row| (self.whole.name(row.id), row.score.units()));
        assert!(told.eq(ended.entries.iter().map(|entry| (entry.name.as_bytes(), entry.score))));
        let unknown = unknown(self.board.schema().ties);
        let dated = |(place, entry): (usize, &Entry)| Entry {
            moment: if place < ended.dated { entry.moment } else { unknown },
            ..entry.clone()
        };
        ended.entries.iter().enumerate().map(dated).collect()
    }
}

/// Returns the current order of a view.
fn current(whole: &Board, spec: &Spec) -> Vec<Entry> {
    let reading = whole.read(Some(text(spec).as_bytes()), When::Now, Tally::Shown).unwrap();
    let mut entries = Vec::new();
    reading.dated(|id, score, moment| {
        let name = String::from_utf8(whole.name(id).to_vec()).unwrap();
        entries.push(Entry { name, score: score.units(), moment });
    });
    entries
}
