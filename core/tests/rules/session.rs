//! Plays a session on a board, on other boards that have to agree with it, and on the model.

use leaderboard_core::Board;
use proptest::sample::Index;

use crate::compare::{self, Dice};
use crate::steps::{Action, At, Points, Step, Write};
use crate::{loaded, play, saved};
use leaderboard_testkit::board::score::Score;
use leaderboard_testkit::board::{Fate, KINDS, Model, Name, Op, Refused, Rules, Sent};

/// The maximum number of names that do not make a board grow.
const FEW: usize = 100;
/// A midnight, UTC.
const BEGIN: u64 = 1_699_920_000_000;
/// The end of all sessions, in milliseconds.
const END: u64 = BEGIN + 3_000 * 86_400_000;

pub struct Session {
    /// The board itself, a board that works ahead, and a board that is saved and loaded during the session.
    boards: [Board; 3],
    /// A board that gets only the applied changes, with their moments.
    replica: Board,
    model: Model,
    wall: u64,
    /// The writes that were sent with a request id and applied.
    sent: Vec<Sent>,
    members: usize,
}

const WORKER: usize = 1;
const RELOADED: usize = 2;
const BOARDS: [&str; 3] = ["board", "worker", "reloaded"];

/// Returns a name. Names have several forms and lengths.
fn name(number: usize) -> Name {
    let mut name = format!("m{number}").into_bytes();
    match number % 7 {
        1 => name.extend([0, 0xff]),
        2 => name[0] = 0xe9,
        3 => name.resize(24, b'x'),
        // With these names, 300 members make a large board.
        5 | 6 if number >= 100 => name.resize(480, b'x'),
        4 => name = format!("{number}").into_bytes(),
        _ => {}
    }
    name
}

impl Session {
    pub fn new(rules: &Rules) -> Self {
        let board = play::made(rules).unwrap();
        let [worker, reloaded, replica] = [(); 3].map(|()| board.clone());
        Self {
            boards: [board, worker, reloaded],
            replica,
            model: Model::new(rules.clone()),
            wall: BEGIN + 3_600_000,
            sent: Vec::new(),
            members: 0,
        }
    }

    pub fn step(&mut self, step: &Step) {
        match step {
            Step::Write(write) => self.act(write),
            Step::Retry(which, at, meta) => self.retry(which, *at, meta.as_ref()),
            Step::Hide(who) => who.iter().for_each(|who| self.hide(&name(*who))),
            Step::HideTop(view, count) => {
                let view = view.get(&self.model.views);
                let lines =
                    self.model.ranking(&view.entries).rows(leaderboard_core::schema::Ranks::Ordinal, false);
                lines.into_iter().take(*count).for_each(|(_, name, _)| self.hide(&name));
            }
            Step::HideAll => (0..self.members).for_each(|who| self.hide(&name(who))),
            Step::Unhide(who) => who.iter().for_each(|who| self.unhide(&name(*who))),
            Step::UnhideAll => {
                let hidden = self.model.hidden.clone();
                hidden.iter().for_each(|name| self.unhide(name));
            }
            Step::Remove(who) => self.remove(&name(*who)),
            Step::RemoveRange(first, last) => self.remove_range(*first, *last),
            Step::SetMeta(who, meta) => self.set_meta(*who, meta),
            Step::Declare(who, weight) => self.declare(*who, *weight),
            Step::Forward(by) => self.go_to(self.wall + by),
            Step::Boundary(view, by) => self.go_to(self.end(view, 1).saturating_add_signed(*by)),
            Step::Skip(view, over, into) => self.go_to(self.end(view, *over) + into),
            Step::Keep(keep) => self.keep(*keep),
            Step::AddView(kind) => self.add_view(kind),
            Step::Reload => self.reload(),
            Step::Work(times) => {
                let now = self.now();
                play::work(&mut self.boards[WORKER], now, *times);
            }
            Step::Compare(seed) => self.compare(&mut Dice(*seed), true),
        }
        self.boards.iter().for_each(Board::check);
    }

    pub fn finish(&mut self) {
        self.compare(&mut Dice(7), false);
    }

    fn now(&self) -> u64 {
        self.model.now(self.wall)
    }

    fn go_to(&mut self, wall: u64) {
        if (self.wall..END).contains(&wall) {
            self.wall = wall;
        }
    }

    /// Returns the moment at which this number of periods of a view have ended.
    fn end(&self, view: &Index, over: u64) -> u64 {
        let length = view.get(&self.model.rules.kinds).length;
        self.wall.checked_div(length).map_or(self.wall, |period| (period + over) * length)
    }

    fn advance(&mut self) {
        let now = self.now();
        self.model.advance(now);
        self.boards.iter_mut().for_each(|board| board.advance(now));
    }

    fn member(&mut self, number: usize) -> Name {
        self.members = self.members.max(number + 1);
        name(number)
    }

    /// Returns points in the form that the board takes.
    fn score(&self, points: &Points) -> Score {
        let rules = &self.model.rules;
        let has_window = rules.kinds.iter().any(|kind| kind.is_rolling());
        let (raw, is_loose) = match points {
            Points::Small(raw) => (*raw, false),
            Points::Loose(raw) => (*raw, true),
            Points::Wide(units) if rules.levels.is_empty() && !has_window => {
                return vec![(*units).max(-i64::MAX)];
            }
            Points::Wide(_) => ([1; 8], false),
            Points::Zero => ([0; 8], false),
        };
        if rules.levels.is_empty() {
            return vec![raw[0]];
        }
        let points = rules.levels.iter().zip(raw);
        points.map(|(level, raw)| if is_loose { raw } else { raw.clamp(-level.max, level.max) }).collect()
    }

    fn pairs(&mut self, pairs: &[(Points, usize)]) -> Vec<(Score, Name)> {
        pairs.iter().map(|(points, who)| (self.score(points), self.member(*who))).collect()
    }

    fn act(&mut self, write: &Write) {
        let mut view = write.view.index(self.model.views.len());
        let op = match &write.action {
            Action::Add(points, who) => Op::Add(self.score(points), self.member(*who)),
            Action::Roll(points, who) => {
                let Some(rolling) = self.model.rules.kinds.iter().position(|kind| kind.is_rolling()) else {
                    return;
                };
                view = rolling;
                Op::Roll(self.score(points), self.member(*who))
            }
            Action::Set(score, who, condition) => Op::Set(self.score(score), self.member(*who), *condition),
            Action::SetSame(who) => {
                self.advance();
                let name = self.member(*who);
                let score =
                    self.model.score(view, &name).unwrap_or_else(|| self.score(&Points::Small([1; 8])));
                Op::Set(score, name, leaderboard_core::board::Condition::default())
            }
            Action::Many(pairs) => Op::Many(self.pairs(pairs)),
            Action::SetMany(pairs) => Op::SetMany(self.pairs(pairs)),
            Action::Vote(votes, who) => Op::Vote(*votes, self.member(*who)),
            Action::VoteMany(votes) => {
                Op::VoteMany(votes.iter().map(|(votes, who)| (*votes, self.member(*who))).collect())
            }
        };
        if op.votes() {
            view = 0;
        }
        let meta = write.meta.clone().filter(|_| matches!(op, Op::Add(..) | Op::Set(..)));
        let id = write.id.map(|id| vec![b'q', id]);
        self.write(&Sent { op, id, view, meta }, write.at);
    }

    fn retry(&mut self, which: &Index, at: At, meta: Option<&Vec<u8>>) {
        if !self.sent.is_empty() {
            let sent = which.get(&self.sent);
            let meta = meta.cloned().filter(|_| matches!(sent.op, Op::Add(..) | Op::Set(..)));
            self.write(&Sent { meta, ..sent.clone() }, at);
        }
    }

    fn moment(&self, at: At) -> Option<u64> {
        let is_event = self.model.rules.is_event;
        let now = if is_event { self.model.last.max(self.wall) } else { self.now() };
        let length = |view: &Index| view.get(&self.model.rules.kinds).length;
        Some(match at {
            At::Now if !is_event => return None,
            At::Now => now,
            At::Late(by) => now - by,
            At::Periods(view, back, into) => match length(&view) {
                0 => now - into,
                length => ((now / length - back) * length + into % length).min(now),
            },
            At::Boundary(view, by) => match length(&view) {
                0 => now,
                length => (now / length * length).saturating_add_signed(by).min(now),
            },
            At::Ahead(by) => now + by,
        })
    }

    fn write(&mut self, sent: &Sent, at: At) {
        let at = self.moment(at);
        let before = self.bytes();
        let expected = self.model.write(sent, at, self.wall);
        if expected == Err(Refused::Unsaid) {
            return self.advance();
        }
        let rules = self.model.rules.clone();
        for (what, board) in BOARDS.iter().zip(&mut self.boards) {
            let got = play::send(board, &rules, sent, at, play::client(self.wall));
            let what = format!("{what}: {sent:?} at {at:?} {}", self.wall);
            match (&expected, got) {
                (Ok(expected), Ok(got)) => assert_eq!(got, *expected, "{what}"),
                (Err(Refused::Error(texts)), Err(error)) => {
                    let is_said = texts.is_empty() || texts.contains(&error.to_string());
                    assert!(is_said, "{what}: {error}, not {texts:?}");
                }
                (expected, got) => panic!("{what}: {got:?}, not {expected:?}"),
            }
        }
        match expected.map(|told| told.fate) {
            Ok(Fate::Applied(now, at)) => {
                play::send(&mut self.replica, &rules, sent, Some(at), play::decided(now)).unwrap();
                if sent.id.is_some() {
                    self.sent.push(sent.clone());
                }
            }
            _ => assert!(self.bytes() == before, "not applied, but changed: {sent:?} at {at:?}"),
        }
    }

    /// Returns the bytes that the board is saved as at this moment.
    fn bytes(&self) -> Vec<Vec<u8>> {
        let mut board = self.boards[0].clone();
        board.advance(self.now());
        saved(&board)
    }

    /// Returns the names of all members so far, and one unknown name.
    fn names(&self) -> Vec<Name> {
        (0..self.members + 1).map(name).collect()
    }

    fn all_boards(&mut self) -> impl Iterator<Item = &mut Board> {
        self.boards.iter_mut().chain([&mut self.replica])
    }

    /// Goes on in time, for a change that is sent to replicas with the board's time if the board keeps its best.
    fn advance_for_change(&mut self) {
        self.advance();
        if self.model.rules.keep > 0 {
            let now = self.now();
            self.replica.advance(now);
        }
    }

    fn hide(&mut self, name: &[u8]) {
        self.advance_for_change();
        let expected = self.model.hide(name);
        self.all_boards().for_each(|board| assert_eq!(play::hide(board, name), expected, "LB.HIDE"));
    }

    fn unhide(&mut self, name: &[u8]) {
        self.advance();
        let now = self.now();
        self.replica.advance(now);
        let expected = self.model.unhide(name);
        self.all_boards().for_each(|board| assert_eq!(play::unhide(board, name), expected, "LB.UNHIDE"));
    }

    fn remove(&mut self, name: &[u8]) {
        self.advance_for_change();
        let expected = self.model.remove(name);
        for board in self.all_boards() {
            let got = board.remove(name);
            assert_eq!(got, expected.unwrap_or(got), "LB.REM {}", name.escape_ascii());
        }
    }

    fn remove_range(&mut self, first: i64, last: i64) {
        self.advance();
        let rules = self.model.rules.clone();
        let view = (rules.kinds[0], leaderboard_core::schema::Tally::Shown);
        let rows = play::Read::new(&self.boards[0], &rules, view, 0).range(first, last);
        rows.iter().for_each(|(_, name, _)| self.remove(name));
    }

    fn set_meta(&mut self, who: usize, meta: &[u8]) {
        self.advance_for_change();
        let name = self.member(who);
        self.model.change_meta(&name, meta);
        self.all_boards().for_each(|board| assert!(board.set_meta(&name, meta).is_ok()));
    }

    fn declare(&mut self, who: usize, weight: i64) {
        self.advance();
        let (name, now, wall) = (self.member(who), self.now(), self.wall);
        if self.model.weights.insert(name.clone(), weight) != Some(weight) {
            self.model.drop_periods();
        }
        self.boards.iter_mut().for_each(|board| play::declare(board, &name, weight, play::client(wall)));
        play::declare(&mut self.replica, &name, weight, play::decided(now));
    }

    fn keep(&mut self, keep: usize) {
        self.advance();
        let now = self.now();
        self.replica.advance(now);
        let is_possible = self.model.set_keep(keep);
        if is_possible {
            self.model.drop_periods();
        }
        for board in self.all_boards() {
            assert_eq!(play::set_keep(board, keep).is_ok(), is_possible, "LB.ALTER KEEP {keep}");
        }
    }

    fn add_view(&mut self, kind: &Index) {
        self.advance();
        let (kind, now) = (*kind.get(KINDS), self.now());
        self.replica.advance(now);
        let is_possible = self.model.add_view(kind, now);
        if is_possible {
            self.model.drop_periods();
        }
        for board in self.all_boards() {
            assert_eq!(play::add_view(board, kind).is_ok(), is_possible, "LB.ALTER VIEWS +{}", kind.name);
        }
        self.advance();
    }

    /// Saves and loads a board, and checks that the loaded board is saved as the same bytes.
    fn reload(&mut self) {
        let bytes = saved(&self.boards[RELOADED]);
        self.boards[RELOADED] = loaded(&bytes);
        assert!(saved(&self.boards[RELOADED]) == bytes, "a loaded board is saved as another one");
    }

    fn compare(&mut self, dice: &mut Dice, some: bool) {
        self.advance();
        let now = self.now();
        let mut replica = self.replica.clone();
        replica.advance(now);
        let bytes = saved(&self.boards[0]);
        for (what, board) in BOARDS.iter().zip(&self.boards).skip(1) {
            assert!(saved(board) == bytes, "{what} is saved as another one");
        }
        let names = self.names();
        let which = dice.below(4);
        for (number, board) in self.boards.iter().chain([&replica]).enumerate() {
            if !some || number == which {
                compare::all(board, &self.model, &names, dice, some);
            }
        }
        if !some {
            self.undo(dice);
        }
    }

    /// Checks that hiding all members and showing them again leaves the same board. A board of few members may change
    /// once: it grows for many names, and then the last boundary before its last write is final. Each command
    /// advances the board, as in a server: a board that grows goes back to the moment of its last write. A board that keeps its
    /// best makes its last boundary final when a member is hidden.
    fn undo(&self, dice: &mut Dice) {
        let mut board = self.boards[0].clone();
        let now = self.now();
        let names: Vec<Name> =
            self.names().into_iter().filter(|name| !self.model.hidden.contains(name)).collect();
        let mut bytes = saved(&board);
        let may_change = names.len() > FEW || self.model.rules.keep > 0;
        for round in 0..if may_change { 2 } else { 1 } {
            for name in &names {
                board.advance(now);
                assert!(play::hide(&mut board, name));
            }
            board.advance(now);
            assert_eq!(board.count(), 0, "everybody is hidden");
            for name in &names {
                board.advance(now);
                assert!(play::unhide(&mut board, name));
            }
            let again = saved(&board);
            assert!(may_change && round == 0 || again == bytes, "hidden and shown again is another board");
            bytes = again;
        }
        board.advance(now);
        compare::all(&board, &self.model, &[], dice, true);
    }
}
