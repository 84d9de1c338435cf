//! Plays steps on the model and on boards that have to agree with it: one is read all the time, one does work ahead,
//! one is saved and loaded, and one gets only the applied changes.

use leaderboard_core::board::{Alter, Condition, Decays, Effect, Retain, Write};
use leaderboard_core::calendar::When;
use leaderboard_core::native::Work;
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::time::{Clock, Stamp, TimeSource};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Decimal, NativeType};
use leaderboard_testkit::twin::{loaded, saved};
use proptest::sample::Index;

use crate::model::{Line, Model, Name};
use crate::steps::{At, Rules, Step};

const MAX_FUTURE: u64 = 1_000;
/// The number of members that a game can have at most.
const MEMBERS: usize = 300;

pub struct Play {
    board: Board,
    worker: Board,
    reloaded: Board,
    replica: Board,
    model: Model,
    wall: u64,
    /// The true time in milliseconds, while the clock is wrong.
    truth: Option<u64>,
    /// Whether the clock was ever wrong. After that, servers may keep different data for the clock's return.
    leapt: bool,
}

fn name(number: usize) -> Name {
    // Names have another order than their numbers. Those with great numbers are long, so that many members make a large board.
    let place = number * 7919 % 10_007;
    if number < 100 { format!("m{place}") } else { format!("m{place:0150}") }
}

impl Play {
    pub fn new(rules: &Rules) -> Self {
        let board = Board::new(rules.schema.clone(), &rules.specs).unwrap();
        let [worker, reloaded, replica] = [(); 3].map(|()| board.clone());
        let model = Model::new(rules.schema.clone(), &rules.specs);
        Self { board, worker, reloaded, replica, model, wall: rules.begin, truth: None, leapt: false }
    }

    pub fn step(&mut self, step: &Step) {
        match step {
            Step::Add(points, member, at) => self.add(&[(*points, *member)], *at, None),
            Step::Many(pairs, at) => self.add(pairs, *at, None),
            Step::Texted(points, member, at) => {
                self.model.texted.insert(name(*member));
                self.model.doubtful.remove(&name(*member));
                self.add(&[(*points, *member)], *at, Some(b"text"));
            }
            Step::Crowd(members, points) => {
                let pairs: Vec<_> =
                    (0..*members).map(|member| (points + member as i64 % 4, member)).collect();
                self.add(&pairs, At::Now, None);
            }
            Step::Set(score, member, view) => self.set(*score, *member, *view),
            Step::Remove(member) => self.remove(&name(*member)),
            Step::Hide(member) => self.hide(&name(*member)),
            Step::Unhide(member) => self.unhide(&name(*member)),
            Step::Pass(by) => self.wall += by,
            Step::Boundary(view, by) => {
                self.wall = self.later(*view, 1).saturating_add_signed(*by).max(self.wall);
            }
            Step::Leap(view, over, into) => self.wall = self.later(*view, *over) + into,
            Step::Decay(view, share) => {
                let kind = self.kind(*view);
                self.alter(&Alter { decay: Decays(vec![(kind, *share)]), ..Alter::default() });
            }
            Step::Retain(view, number) => {
                let retain = Some(Retain::Each(vec![(self.kind(*view), *number)]));
                self.alter(&Alter { retain, ..Alter::default() });
            }
            Step::Reload if !self.leapt => self.reloaded = loaded(&saved(&self.reloaded)),
            Step::Reload => {}
            Step::Work(times) => self.work(*times),
            Step::Compare => self.compare(),
            Step::Wrong(view, by) => self.go_wrong(*view, *by),
            Step::Right => self.go_right(),
        }
        self.board.check();
        self.worker.check();
    }

    fn clock(&self) -> Clock {
        self.model.schema.clock
    }

    fn now(&self) -> u64 {
        let source = TimeSource::Client { wall: self.wall, max_future: MAX_FUTURE };
        self.board.now_of(source)
    }

    fn spec(&self, view: Index) -> Spec {
        let periods = self.model.views.iter().map(|view| view.spec).filter(|spec| spec.kind != Kind::All);
        *view.get(&periods.collect::<Vec<_>>())
    }

    fn kind(&self, view: Index) -> Kind {
        self.spec(view).kind
    }

    /// Returns the moment at which this number of periods of a view have ended.
    fn later(&self, view: Index, over: u32) -> u64 {
        let Some((unit, _)) = self.spec(view).reach() else { return self.wall };
        let end = |end, _| self.model.schema.calendar.period(unit, end).end;
        (0..over).fold(self.wall as i64, end) as u64
    }

    fn boards(&mut self) -> [(&'static str, &mut Board); 3] {
        [("board", &mut self.board), ("worker", &mut self.worker), ("reloaded", &mut self.reloaded)]
    }

    fn write(&mut self, at: Option<u64>, act: impl Fn(&mut Board, &Write) -> Effect) -> Option<Stamp> {
        let origin = TimeSource::Client { wall: self.wall, max_future: MAX_FUTURE };
        let write = Write { at, ..Write::new(origin) };
        let mut stamp = None;
        for (what, board) in self.boards() {
            match act(board, &write) {
                Effect::Applied(applied) => assert!(stamp.replace(applied).is_none_or(|old| old == applied)),
                effect => panic!("{what}: {effect:?}"),
            }
        }
        let stamp = stamp?;
        let origin = TimeSource::Decided { now: Some(stamp.now) };
        act(&mut self.replica, &Write { at: Some(stamp.at), origin, ..write });
        Some(stamp)
    }

    fn moment(&self, at: At) -> Option<u64> {
        let now = self.wall.max(self.now());
        match at {
            At::Now if self.clock() == Clock::Server => None,
            At::Now => Some(now),
            At::Late(by) => Some(now - by),
        }
    }

    fn add(&mut self, pairs: &[(i64, usize)], at: At, meta: Option<&[u8]>) {
        let pairs: Vec<_> = pairs.iter().map(|(points, member)| (*points, name(*member))).collect();
        let whole: Vec<_> =
            pairs.iter().map(|(points, name)| (Decimal::whole(*points), name.as_bytes())).collect();
        let stamp = self.write(self.moment(at), |board, write| match &whole[..] {
            [(points, name)] => board.add(&Write { meta, ..*write }, *points, name).unwrap().effect,
            many => board.add_many(write, many).unwrap().0,
        });
        self.model.add(stamp.unwrap(), &pairs);
    }

    /// Sets a score in the first view, at the current moment.
    fn set(&mut self, score: i64, member: usize, _: Index) {
        let name = name(member);
        let stamp = self.write(self.moment(At::Now), |board, write| {
            let set = board.set(write, Decimal::whole(score), name.as_bytes(), Condition::default());
            set.unwrap().effect
        });
        let stamp = stamp.unwrap();
        self.model.advance(stamp.now);
        let old = self.model.score(0, &name).unwrap_or(0);
        self.model.add(stamp, &[(i64::try_from(i128::from(score) - old).unwrap(), name)]);
    }

    fn remove(&mut self, name: &Name) {
        self.advance();
        self.replica.advance(self.now());
        let mut was_there = false;
        for board in [&mut self.board, &mut self.worker, &mut self.reloaded] {
            was_there = board.remove(name.as_bytes());
        }
        // If no read finds a member, nothing is removed, and the removal is not replicated.
        if was_there {
            self.replica.remove(name.as_bytes());
            self.model.remove(name);
        }
    }

    fn hide(&mut self, name: &Name) {
        self.advance();
        self.replica.advance(self.now());
        for board in [&mut self.board, &mut self.worker, &mut self.reloaded, &mut self.replica] {
            board.hide(name.as_bytes()).unwrap();
        }
        self.model.hidden.insert(name.clone());
    }

    fn unhide(&mut self, name: &Name) {
        self.advance();
        self.replica.advance(self.now());
        for board in [&mut self.board, &mut self.worker, &mut self.reloaded, &mut self.replica] {
            board.unhide(name.as_bytes());
        }
        self.model.unhide(name);
    }

    fn advance(&mut self) {
        let now = self.now();
        self.boards().into_iter().for_each(|(_, board)| board.advance(now));
        self.model.advance(now);
    }

    fn alter(&mut self, alter: &Alter) {
        self.advance();
        self.replica.advance(self.now());
        for board in [&mut self.board, &mut self.worker, &mut self.reloaded, &mut self.replica] {
            board.alter(alter).unwrap();
        }
        let specs: Vec<Spec> = self.board.specs().copied().collect();
        self.model.alter(&specs);
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

    fn go_wrong(&mut self, view: Index, by: i32) {
        if self.clock() == Clock::Event {
            return;
        }
        self.leapt = true;
        self.truth.get_or_insert(self.wall);
        let unit = self.spec(view).reach().unwrap().0;
        let calendar = self.model.schema.calendar;
        self.wall = if by < 0 {
            calendar.back(unit, self.wall as i64, by.unsigned_abs()).start as u64
        } else {
            self.later(view, by.unsigned_abs())
        };
        self.advance();
        self.replica.advance(self.now());
    }

    fn go_right(&mut self) {
        if let Some(truth) = self.truth.take() {
            self.wall = truth;
            self.advance();
            self.replica.advance(self.now());
        }
    }

    /// Compares all boards with the model, and with each other.
    pub fn compare(&mut self) {
        self.advance();
        compare(&self.board, &self.model);
        compare(&self.worker, &self.model);
        let bytes = saved(&self.board);
        assert!(saved(&loaded::<Board>(&bytes)) == bytes, "loaded it differs");
        if self.leapt {
            return;
        }
        compare(&self.reloaded, &self.model);
        let mut replica = self.replica.clone();
        replica.advance(self.now());
        for (what, board) in [("worker", &self.worker), ("replica", &replica), ("reloaded", &self.reloaded)] {
            board.check();
            assert!(saved(board) == bytes, "{what} differs");
        }
    }
}

fn compare(board: &Board, model: &Model) {
    for name in (0..MEMBERS).map(name) {
        let has = board.meta(name.as_bytes()).is_some();
        let is_right = model.doubtful.contains(&name) || has == model.texted.contains(&name);
        assert!(is_right, "the text of {name}: {has}");
    }
    for view in &model.views {
        let kind = view.spec.kind.to_string();
        let starts = view.starts(&model.schema);
        let mut counts = Vec::new();
        for (back, start) in starts.iter().enumerate() {
            let lines = seen(model, view.lines(&model.schema, *start));
            let reading = board.read(Some(kind.as_bytes()), When::Back(back as u32), Tally::Shown).unwrap();
            let rows: Vec<Line> = reading
                .rows(0, u64::MAX, Ranks::Ordinal)
                .map(|row| {
                    (String::from_utf8(board.name(row.id).to_vec()).unwrap(), row.score.units().into())
                })
                .collect();
            assert!(rows == lines, "{kind} -{back}: {}\nbut expected {}", cut(&rows), cut(&lines));
            counts.push(lines.len() as u64);
            let before = starts.get(back + 1).map(|start| seen(model, view.lines(&model.schema, *start)));
            let some = lines.iter().enumerate().step_by(lines.len() / 5 + 1);
            for (at, (name, score)) in some {
                let standing = reading.standing(name.as_bytes(), Ranks::Ordinal).unwrap();
                assert_eq!((standing.rank, i128::from(standing.score.units())), (at as u64 + 1, *score));
                assert_eq!(standing.at, (back == 0).then(|| view.moment(name).unwrap()), "{name} in {kind}");
                let place = before.as_ref().and_then(|lines| lines.iter().position(|line| line.0 == *name));
                let previous = place.zip(before.as_ref()).map(|(at, lines)| (at as u64 + 1, lines[at].1));
                let told = standing.previous.map(|(rank, score)| (rank, i128::from(score.units())));
                assert_eq!(told, previous, "{name} in {kind}");
            }
        }
        let periods = board.periods(kind.as_bytes()).unwrap();
        let told: Vec<_> = periods.iter().map(|period| period.members).collect();
        if view.spec.kind != Kind::All {
            assert_eq!(told, counts, "{kind}");
        }
    }
}

/// Returns the lines of an order without the hidden members.
fn seen(model: &Model, mut lines: Vec<Line>) -> Vec<Line> {
    lines.retain(|(name, _)| !model.hidden.contains(name));
    lines
}

fn cut(lines: &[Line]) -> String {
    lines.iter().take(12).map(|(name, score)| format!("{name} {score}, ")).collect()
}
