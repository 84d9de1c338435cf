//! Plays steps on several boards and on the model, and checks that all of them agree.

mod listen;
mod send;
mod time;

use leaderboard_core::Board;
use leaderboard_core::NativeType;
use leaderboard_core::board::{Alter, Condition, Declaration, Edit, Effect, Retain};
use leaderboard_core::native::Work;
use leaderboard_core::schema::Aggregate;
use leaderboard_core::time::{Clock, Stamp, TimeSource};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_testkit::name::Name;
use proptest::sample::Index;

use crate::model::limit::{Ballot, Rule};
use crate::model::{Model, Op, Points, Sent, Told};
use crate::steps::{Action, At, Change, Profile, Rules, Step, Write};
use crate::{MAX_FUTURE, compare, loaded, saved};
pub use send::with_ballot;
use send::{bare, send};

pub struct Play {
    /// The board that is read all the time.
    board: Board,
    /// The board that does work ahead.
    worker: Board,
    /// The board that is saved and loaded during the game.
    reloaded: Board,
    /// The board that gets only the applied changes, with their moments, and is advanced as rarely as
    /// possible.
    replica: Board,
    model: Model,
    begin: u64,
    wall: u64,
    /// The true time in milliseconds, while the clock is wrong.
    truth: Option<u64>,
    /// The writes that were applied with a request id.
    sent: Vec<Sent>,
    name: fn(usize) -> Name,
    members: usize,
    is_plain: bool,
    is_voted: bool,
    is_wide: bool,
    /// The names at the top of the board after the last step.
    top: Vec<Vec<u8>>,
}

impl Play {
    pub fn new(rules: &Rules, name: fn(usize) -> Name) -> Self {
        let mut board = Board::new(rules.schema.clone(), &rules.specs).unwrap();
        let mut model = Model::new(rules.schema.clone(), &rules.specs);
        let begin = rules.begin;
        let mut alter = Alter::default();
        alter.voting.limits = rules.limits.iter().map(Rule::made).collect();
        alter.voting.opens = rules.hours.0.map(|after| begin + after);
        alter.voting.closes = rules.hours.1.map(|after| begin + rules.hours.0.unwrap_or(0) + after);
        board.alter(&alter).unwrap();
        model.alter(&alter, &rules.limits, &rules.specs, begin);
        let [worker, reloaded, replica] = [(); 3].map(|()| board.clone());
        Self {
            board,
            worker,
            reloaded,
            replica,
            model,
            begin,
            wall: begin,
            truth: None,
            sent: Vec::new(),
            name,
            members: 0,
            is_plain: rules.profile == Profile::Plain,
            is_voted: rules.profile == Profile::Votes,
            is_wide: rules.is_wide,
            top: Vec::new(),
        }
    }

    pub fn step(&mut self, step: &Step) {
        let watched = self.board.schema().notify_top;
        match step {
            Step::Write(write) => self.act(write),
            Step::Retry(which, at) => self.retry(which, *at),
            Step::Declare(number, weight, initial) => self.declare(*number, *weight, *initial),
            Step::Remove(number) => self.remove(*number),
            Step::SetMeta(number, meta) => self.set_meta(*number, meta),
            Step::Tick(tick) => self.tick(*tick),
            Step::Alter(change) => self.alter(change),
            Step::Quota(ballot, member, at) => self.quota(ballot, *member, *at),
            Step::Reload if self.is_settled() => self.reloaded = loaded(&saved(&self.reloaded)),
            Step::Reload => {}
            Step::Work(times) => self.work(*times),
            Step::Compare => self.compare(),
        }
        self.board.check();
        self.worker.check();
        self.listen(self.board.schema().notify_top != watched);
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

    /// Returns the members whose votes are compared: all members so far, or none if the board is not voted
    /// on.
    fn names(&self) -> Vec<Name> {
        let members = if self.is_voted { self.members } else { 0 };
        (0..members).map(self.name).collect()
    }

    /// Returns the boards that clients write to. All of them are at the same moment.
    fn boards(&mut self) -> [(&'static str, &mut Board); 3] {
        [("board", &mut self.board), ("worker", &mut self.worker), ("reloaded", &mut self.reloaded)]
    }

    /// Returns whether the clock is right and no leap had to be corrected. After a leap, servers may keep
    /// different data for the clock's return. Boards of `Profile::Plain` keep no such data.
    fn is_settled(&self) -> bool {
        self.is_plain || self.truth.is_none() && !self.model.leapt
    }

    fn act(&mut self, write: &Write) {
        let view = write.view.index(self.model.views.len());
        let Some((op, view)) = self.op(&write.action, view) else { return };
        let id = write.id.map(|id| vec![b'q', id]);
        self.write(&Sent { op, id, view, positions: write.positions }, write.at);
    }

    fn retry(&mut self, which: &Index, at: At) {
        if self.sent.is_empty() {
            return;
        }
        let mut sent = which.get(&self.sent).clone();
        sent.view = match sent.op {
            Op::Roll(..) => self.rolling().unwrap_or(usize::MAX),
            _ => sent.view.min(self.model.views.len() - 1),
        };
        if sent.view < self.model.views.len() {
            self.write(&sent, at);
        }
    }

    /// Turns an action into a write, and returns it with the view of the positions in its reply.
    fn op(&mut self, action: &Action, view: usize) -> Option<(Op, usize)> {
        let is_wide = self.is_wide;
        let of = |points: &Points| if is_wide { wide(*points) } else { *points };
        let op = match action {
            Action::Add(points, number) => Op::Add(of(points), self.name(*number)),
            Action::Roll(points, number) => {
                let op = Op::Roll(of(points), self.name(*number));
                return self.rolling().map(|view| (op, view));
            }
            Action::Set(score, number, condition) => Op::Set(of(score), self.name(*number), *condition),
            Action::SetSame(number) => {
                let name = self.name(*number);
                let score = self.model.score(view, &name).and_then(|score| i64::try_from(score).ok());
                Op::Set(Points::Units(score.unwrap_or(1)), name, Condition::default())
            }
            Action::Many(pairs) => {
                Op::Many(pairs.iter().map(|(points, number)| (of(points), self.name(*number))).collect())
            }
            Action::Vote(ballot, votes, number) => Op::Vote(ballot.clone(), *votes, self.name(*number)),
            Action::VoteMany(ballot, votes) => {
                let votes = votes.iter().map(|(votes, number)| (*votes, self.name(*number))).collect();
                Op::VoteMany(ballot.clone(), votes)
            }
        };
        Some((op, view))
    }

    fn rolling(&self) -> Option<usize> {
        self.model.views.iter().position(|view| view.spec.kind.is_rolling())
    }

    fn write(&mut self, sent: &Sent, at: At) {
        let name = self.model.views[sent.view].spec.kind;
        let is_vote = sent.op.votes().is_some();
        // After a leap, the model follows only the view `all`, and no votes.
        let is_followed = !self.model.leapt || name == Kind::All && !is_vote;
        if !is_followed && matches!(sent.op, Op::Set(..)) {
            return;
        }
        let at = self.moment(at);
        let before = self.bytes_now();
        let expected = self.model.write(sent, at, self.wall);
        let (client, view) = (self.client(), name.to_string());
        let same = |told| if is_followed { told } else { bare(told) };
        for (what, board) in self.boards() {
            let got = same(send(board, sent, &view, at, client));
            assert_eq!(got, same(expected.clone()), "{what}: {sent:?} in {view} at {at:?}");
        }
        let Ok(Told::Done { effect: Effect::Applied(stamp), .. }) = expected else {
            assert!(self.bytes_now() == before, "not applied, but changed: {sent:?} at {at:?}");
            // On a server's clock, the views have crossed boundaries all the same. The model has to cross them too,
            // so that the clock is not put back over them.
            self.advance();
            return;
        };
        let origin = TimeSource::Decided { now: Some(stamp.now) };
        let got = same(send(&mut self.replica, sent, &view, Some(stamp.at), origin));
        assert_eq!(got, same(expected), "the replica: {sent:?} in {view} at {at:?}");
        if sent.id.is_some() {
            self.sent.push(sent.clone());
        }
    }

    fn bytes_now(&self) -> Vec<Vec<u8>> {
        let mut board = self.board.clone();
        board.advance(self.now());
        saved(&board)
    }

    fn moment(&self, at: At) -> Option<u64> {
        let now = match self.model.schema.clock {
            Clock::Event if self.is_plain => self.model.last.max(self.begin),
            Clock::Event => self.model.last.max(self.wall),
            Clock::Server => self.now(),
        };
        Some(match at {
            At::Unsaid => return None,
            At::Now if self.model.schema.clock == Clock::Server => return None,
            At::Now => now,
            At::Late(by) => now - by,
            At::Periods(view, back, into) => {
                let Some((unit, _)) = view.get(&self.model.views).reach() else { return Some(now - into) };
                let period = self.model.schema.calendar.back(unit, now as i64, back);
                ((period.start + into as i64).clamp(period.start, period.end - 1).max(0) as u64).min(now)
            }
            At::Ahead(by) => now + by,
            At::Epoch(at) => at,
        })
    }

    fn declare(&mut self, number: usize, weight: Option<u32>, initial: Option<u64>) {
        let name = self.name(number);
        let (weight, initial) = if self.model.schema.shown { (weight, initial) } else { (None, None) };
        let now = self.now();
        let has_changed = self.model.declare(&name, weight, initial, now);
        let expected = if has_changed { Effect::Applied(Stamp { now, at: now }) } else { Effect::Repeated };
        let (client, said) = (self.client(), Declaration { weight, initial, ..Declaration::default() });
        for (what, board) in self.boards() {
            assert_eq!(board.declare(&name, said, client), Ok(expected), "{what}");
        }
        if has_changed {
            let origin = TimeSource::Decided { now: Some(now) };
            assert_eq!(self.replica.declare(&name, said, origin), Ok(expected));
        }
    }

    fn remove(&mut self, number: usize) {
        let name = self.name(number);
        self.advance();
        let known = self.model.remove(&name);
        let expected = known && !self.model.leapt;
        let mut is_sent = false;
        for board in [&mut self.board, &mut self.worker, &mut self.reloaded] {
            let removed = board.remove(&name);
            // A board may still contain the member in data that it keeps for a clock that goes back.
            assert!(removed == expected || removed && !self.is_plain, "{name:?} was there: {known}");
            is_sent = removed;
        }
        // A removal goes to the replica only if it removed something. Then the replica removes something too.
        assert!(!is_sent || self.replica.remove(&name));
    }

    fn set_meta(&mut self, number: usize, meta: &[u8]) {
        let name = self.name(number);
        let expected = self.model.set_meta(&name, meta);
        for board in [&mut self.board, &mut self.worker, &mut self.reloaded, &mut self.replica] {
            assert_eq!(board.set_meta(&name, meta), Ok(expected));
        }
    }

    fn advance(&mut self) {
        let now = self.now();
        self.model.advance(now);
        self.boards().into_iter().for_each(|(_, board)| board.advance(now));
    }

    /// Returns a change in the form that a board takes, and its limits in the form that the model takes.
    fn asked(&self, change: &Change) -> (Alter, Vec<Rule>) {
        let kind = |which: &Index| which.get(&self.model.views).spec.kind;
        let (mut alter, mut rules) = (Alter::default(), Vec::new());
        match change {
            Change::AddView(kind) => alter.views.push((*kind, Edit::Add)),
            Change::DropView(which) => alter.views.push((kind(which), Edit::Drop)),
            Change::Retain(number) => alter.retain = Some(Retain::All(*number)),
            Change::RetainOf(which, number) => {
                alter.retain = Some(Retain::Each(vec![(kind(which), *number)]))
            }
            Change::Carry(which, share) => alter.carry.0.push((kind(which), *share)),
            Change::NotifyTop(places) => alter.notify_top = Some(*places),
            Change::Dedup(seconds) => alter.dedup = Some(*seconds),
            Change::Limits(lifted, limits) => {
                alter.voting.lifted = lifted.iter().map(|name| format!("r{name}").into_bytes()).collect();
                alter.voting.limits = limits.iter().map(Rule::made).collect();
                rules.clone_from(limits);
            }
            Change::Hours(opens, closes) => {
                let now = self.now();
                let moment = |by: &Option<i64>| by.map_or(0, |by| now.saturating_add_signed(by));
                alter.voting.opens = opens.as_ref().map(moment);
                alter.voting.closes = closes.as_ref().map(moment);
            }
        }
        (alter, rules)
    }

    /// Alters all boards and the model at the same moment.
    fn alter(&mut self, change: &Change) {
        // On a board of last scores, an added view does not contain the events before it was added.
        if self.model.schema.aggregate == Aggregate::Last && matches!(change, Change::AddView(_)) {
            return;
        }
        let (alter, rules) = self.asked(change);
        let now = self.now();
        self.advance();
        self.replica.advance(now);
        let before = saved(&self.board);
        let result = self.board.alter(&alter);
        for board in [&mut self.worker, &mut self.reloaded, &mut self.replica] {
            assert_eq!(board.alter(&alter), result);
        }
        if result.is_ok() {
            let specs: Vec<Spec> = self.board.specs().copied().collect();
            self.model.alter(&alter, &rules, &specs, now);
        } else {
            assert!(!matches!(change, Change::Dedup(_) | Change::NotifyTop(_)), "{result:?}");
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
        let client = self.client();
        for (what, board) in self.boards() {
            let got = compare::votes::quota(board, ballot, member.as_ref(), at, client);
            assert_eq!(got, expected, "{what}: {ballot:?} at {at:?}");
        }
    }

    fn work(&mut self, times: u16) {
        let now = self.now();
        for _ in 0..if self.is_settled() { times } else { 0 } {
            if let Work::Later(moment) = self.worker.work(now) {
                assert!(moment > now as i64, "work that is late");
                return;
            }
        }
        assert!(times < u16::MAX || !self.is_settled(), "work without end");
    }

    /// Compares all boards with the model, and with each other.
    pub fn compare(&mut self) {
        self.advance();
        let names = self.names();
        compare::all(&self.board, &self.model, self.wall, &names);
        if !self.is_plain {
            compare::all(&self.worker, &self.model, self.wall, &names);
        }
        let bytes = saved(&self.board);
        assert!(saved(&loaded(&bytes)) == bytes, "loaded it differs");
        let mut replica = self.replica.clone();
        replica.advance(self.now());
        for (what, board) in [("worker", &self.worker), ("replica", &replica), ("reloaded", &self.reloaded)] {
            board.check();
            let other = saved(board);
            let apart = other.iter().zip(&bytes).find(|(other, own)| other != own);
            assert!(other == bytes, "{what} differs: {apart:?}");
        }
    }

    /// Ends a game: compares everything, then does all work ahead, and compares again.
    pub fn finish(&mut self) {
        self.compare();
        if self.is_settled() {
            self.work(u16::MAX);
            self.compare();
        }
        if !self.model.leapt {
            // The saved bytes have the state at the last write, so the loaded board is advanced before the
            // comparison.
            let mut again: Board = loaded(&saved(&self.worker));
            again.advance(self.now());
            compare::all(&again, &self.model, self.wall, &self.names());
        }
    }
}

/// Replaces small numbers with numbers at the ends of the range or halfway to them.
fn wide(points: Points) -> Points {
    const MOST: i64 = i64::MAX;
    match points {
        Points::Units(units @ (1 | 2)) => Points::Units(MOST - units),
        Points::Units(units @ (3 | 4)) => Points::Units(units - MOST),
        Points::Units(5) => Points::Units(MOST / 2),
        Points::Units(6) => Points::Units(-MOST / 2),
        points => points,
    }
}
