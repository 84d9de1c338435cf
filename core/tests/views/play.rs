//! Plays steps on a board and on everything that has to agree with it.

use leaderboard_core::NativeType;
use leaderboard_core::board::{Alter, Condition, Edit, Effect, Retain, Write};
use leaderboard_core::native::Work;
use leaderboard_core::schema::Aggregate;
use leaderboard_core::time::{Clock, TimeSource};
use leaderboard_core::view::Spec;
use leaderboard_core::{Board, Decimal, Error};

use crate::model::{Model, Op, Told};
use crate::steps::{Action, At, Change, Rules, Step, Tick};
use crate::view::Name;
use crate::{MAX_FUTURE, compare, loaded, saved};

/// The last moment that tests go to.
const LAST: u64 = 4_000_000_000_000;

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
    /// What member names begin with, so that few members make a large board.
    prefix: usize,
    is_wide: bool,
}

impl Play {
    pub fn new(rules: &Rules, prefix: usize) -> Self {
        let board = Board::new(rules.schema, &rules.specs).unwrap();
        let [worker, reloaded, replica] = [(); 3].map(|()| board.clone());
        let model = Model::new(rules.schema, &rules.specs);
        let (wall, is_wide) = (rules.begin, rules.is_wide);
        Self { board, worker, reloaded, replica, model, wall, prefix, is_wide }
    }

    fn name(&self, number: usize) -> Name {
        Name([&vec![b'n'; self.prefix][..], format!("{:04}", number * 7_919 % 10_000).as_bytes()].concat())
    }

    fn now(&self) -> u64 {
        self.model.now(self.wall)
    }

    pub fn step(&mut self, step: &Step) {
        match step {
            Step::Write(action, view, at) => self.write(action, view.index(self.model.views.len()), *at),
            Step::Remove(number) => self.remove(&self.name(*number)),
            Step::SetMeta(number, meta) => self.set_meta(&self.name(*number), meta),
            Step::Tick(tick) => self.tick(*tick),
            Step::Alter(change) => self.alter(change),
            Step::Reload => self.reloaded = loaded(&saved(&self.reloaded)),
            Step::Work(times) => self.work(*times),
            Step::Compare => self.compare(),
        }
        self.board.check();
        self.worker.check();
    }

    fn write(&mut self, action: &Action, view: usize, at: At) {
        let of = |points: &i64| if self.is_wide { wide(*points) } else { *points };
        let op = match action {
            Action::Add(points, number) => Op::Add(of(points), self.name(*number)),
            Action::Roll(points, number) => Op::Roll(of(points), self.name(*number)),
            Action::Set(score, number, condition) => Op::Set(of(score), self.name(*number), *condition),
            Action::SetSame(number) => {
                let name = self.name(*number);
                let score = self.model.score(view, &name).and_then(|score| i64::try_from(score).ok());
                Op::Set(score.unwrap_or(1), name, Condition::default())
            }
            Action::Many(pairs) => {
                Op::Many(pairs.iter().map(|(points, number)| (of(points), self.name(*number))).collect())
            }
        };
        let rolling = |spec: &Spec| spec.kind.is_rolling();
        let view = match op {
            Op::Roll(..) => match self.model.views.iter().position(|view| rolling(&view.spec)) {
                Some(rolling) => rolling,
                None => return,
            },
            _ => view,
        };
        let at = self.moment(at);
        let before = self.bytes_now();
        let expected = self.model.write(&op, view, at, self.wall);
        let name = self.model.views[view].spec.kind.to_string();
        let client = TimeSource::Client { wall: self.wall, max_future: MAX_FUTURE };
        for (what, board) in
            [("board", &mut self.board), ("worker", &mut self.worker), ("reloaded", &mut self.reloaded)]
        {
            let got = send(board, &op, &name, at, client);
            assert_eq!(got, expected, "{what}: {op:?} in {name} at {at:?}");
        }
        let Ok(Told { effect: Effect::Applied(stamp), .. }) = expected else {
            assert!(self.bytes_now() == before, "not applied, but changed: {op:?} at {at:?}");
            return;
        };
        let origin = TimeSource::Decided { now: Some(stamp.now) };
        let got = send(&mut self.replica, &op, &name, Some(stamp.at), origin);
        assert_eq!(got, expected, "the replica: {op:?} in {name} at {at:?}");
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
            At::Epoch(at) => at,
        };
        Some(at)
    }

    fn remove(&mut self, name: &Name) {
        self.advance();
        let expected = self.model.remove(name);
        for board in [&mut self.board, &mut self.worker, &mut self.reloaded, &mut self.replica] {
            // What can still be taken back is known for a while.
            assert!(board.remove(name) || !expected);
        }
    }

    fn set_meta(&mut self, name: &Name, meta: &[u8]) {
        let expected = self.model.set_meta(name, meta);
        for board in [&mut self.board, &mut self.worker, &mut self.reloaded, &mut self.replica] {
            assert_eq!(board.set_meta(name, meta), Ok(expected));
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
        let views = &self.model.views;
        let kind = |which: &proptest::sample::Index| views[which.index(views.len())].spec.kind;
        let mut alter = Alter::default();
        if self.model.schema.aggregate == Aggregate::Last && matches!(change, Change::Add(_)) {
            return;
        }
        match change {
            Change::Add(kind) => alter.views.push((*kind, Edit::Add)),
            Change::Drop(which) => alter.views.push((kind(which), Edit::Drop)),
            Change::Retain(number) => alter.retain = Some(Retain::All(*number)),
            Change::RetainOf(which, number) => {
                alter.retain = Some(Retain::Each(vec![(kind(which), *number)]))
            }
            Change::Carry(which, share) => alter.carry.0.push((kind(which), *share)),
        }
        self.advance();
        self.replica.advance(self.now());
        let before = saved(&self.board);
        let result = self.board.alter(&alter);
        for board in [&mut self.worker, &mut self.reloaded, &mut self.replica] {
            assert_eq!(board.alter(&alter), result);
        }
        if result.is_ok() {
            let specs: Vec<_> = self.board.specs().copied().collect();
            self.model.alter(&alter, &specs);
        } else {
            assert!(saved(&self.board) == before, "not altered, but changed: {alter:?}");
        }
    }

    fn tick(&mut self, tick: Tick) {
        let begin = self.wall;
        match tick {
            Tick::Forward(by) => self.wall += by,
            Tick::Boundary(view, by) => {
                let end = self.end(view, 1);
                self.wall = end.saturating_add_signed(by).max(self.wall);
            }
            Tick::Skip(view, over, into) => self.wall = self.end(view, over) + into,
            Tick::Back(by) => {
                let same = |wall: u64| {
                    let now = self.model.now(wall) as i64;
                    let mut spans = self.model.views.iter().filter_map(|view| view.span);
                    spans.all(|(period, _)| period.start <= now)
                };
                if same(self.wall - by) {
                    self.wall -= by;
                }
            }
            Tick::Peek(view, hops, into) => {
                self.advance();
                for over in hops {
                    self.wall = self.end(view, over) + into;
                    let ahead = self.now();
                    self.board.advance(ahead);
                    self.reloaded.advance(ahead);
                    compare::all(&self.board, &self.model_at(ahead));
                    self.work(3);
                }
                self.wall = begin;
                self.advance();
            }
        }
        if self.wall > LAST {
            self.wall = begin;
        }
    }

    fn model_at(&self, now: u64) -> Model {
        let mut model = self.model.clone();
        model.advance(now);
        model
    }

    /// When so many periods of a view have ended.
    fn end(&self, view: proptest::sample::Index, mut over: u32) -> u64 {
        let view = &self.model.views[view.index(self.model.views.len())];
        let Some((unit, _)) = view.reach() else { return self.wall };
        let mut end = self.wall as i64;
        while over > 0 {
            end = self.model.schema.calendar.period(unit, end).end;
            over -= 1;
        }
        end as u64
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

    /// Compares everything there is.
    pub fn compare(&mut self) {
        self.advance();
        compare::all(&self.board, &self.model);
        compare::all(&self.worker, &self.model);
        let bytes = saved(&self.board);
        assert!(saved(&self.worker) == bytes, "the worker differs");
        assert!(saved(&loaded(&bytes)) == bytes, "loaded it differs");
        let mut replica = self.replica.clone();
        replica.advance(self.now());
        for (what, board) in [("replica", &replica), ("reloaded", &self.reloaded)] {
            board.check();
            assert!(saved(board) == bytes, "{what} differs");
        }
    }

    /// The end of a game: everything, also once all that can be done is done.
    pub fn finish(&mut self) {
        self.compare();
        self.work(u16::MAX);
        self.compare();
        compare::all(&loaded(&saved(&self.worker)), &self.model);
    }
}

/// Sends a write to a board as the commands do.
fn send(board: &mut Board, op: &Op, view: &str, at: Option<u64>, origin: TimeSource) -> Result<Told, Error> {
    let write = Write { at, request: None, origin, with_change: false, view: Some(view.as_bytes()) };
    let decimals = board.schema().decimals;
    let outcome = match op {
        Op::Add(points, name) => board.add(&write, decimal(*points, decimals), name)?,
        Op::Roll(points, name) => board.roll_add(&write, None, decimal(*points, decimals), name)?,
        Op::Set(score, name, condition) => board.set(&write, decimal(*score, decimals), name, *condition)?,
        Op::Many(pairs) => {
            let pairs: Vec<_> =
                pairs.iter().map(|(points, name)| (decimal(*points, decimals), &name[..])).collect();
            let (effect, now) = board.add_many(&write, &pairs)?;
            return Ok(Told { effect, now });
        }
    };
    Ok(Told { effect: outcome.effect, now: vec![outcome.now] })
}

/// Small numbers turned into great ones.
fn wide(points: i64) -> i64 {
    const MOST: i64 = i64::MAX;
    match points {
        1 | 2 => MOST - points,
        3 | 4 => points - MOST,
        5 => MOST / 2,
        6 => -MOST / 2,
        _ => points,
    }
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
