//! Plays steps on a board and on everything that has to agree with it.

use leaderboard_core::board::{Alter, Effect, Write};
use leaderboard_core::time::{Clock, Stamp, TimeSource};
use leaderboard_core::{Board, Decimal, Error, Schema};

use crate::model::{Model, Op, Points, Sent, Told};
use crate::steps::{At, Step, Tick};
use crate::{START, client, compare, loaded, new, saved};

pub struct Play {
    pub board: Board,
    /// Gets what clients send, as the board does, but is saved and loaded again on the way.
    twin: Board,
    /// Gets only what was applied, with its time.
    replica: Board,
    pub model: Model,
    wall: u64,
    /// What the clock would show if it had not jumped.
    true_time: u64,
    requests: Vec<Sent>,
}

impl Play {
    pub fn new(schema: Schema) -> Self {
        let board = new(schema);
        Self {
            twin: board.clone(),
            replica: board.clone(),
            board,
            model: Model::new(schema),
            wall: START,
            true_time: START,
            requests: Vec::new(),
        }
    }

    pub fn step(&mut self, step: &Step) {
        match step {
            Step::Write(sent, at) => self.write(sent, *at),
            Step::Retry(which, at) => {
                if let Some(at_random) = self.requests.len().checked_sub(1).map(|last| which.index(last + 1))
                {
                    self.write(&self.requests[at_random].clone(), *at);
                }
            }
            Step::Remove(name) => self.remove(name),
            Step::SetMeta(name, meta) => self.set_meta(name, meta),
            Step::Tick(tick) => self.tick(*tick),
            Step::Dedup(seconds) => self.set_dedup(*seconds),
            Step::Reload => self.twin = loaded(&saved(&self.twin)),
        }
        self.board.check();
    }

    fn write(&mut self, sent: &Sent, at: At) {
        let at = self.moment(at);
        let before = saved(&self.board);
        let expected = self.model.write(sent, at, self.wall);
        let got = send(&mut self.board, sent, at, client(self.wall));
        assert_eq!(got, expected, "{sent:?} at {at:?}");
        assert_eq!(send(&mut self.twin, sent, at, client(self.wall)), expected, "the twin: {sent:?}");
        match expected {
            Ok(Told { effect: Effect::Applied(stamp), now, .. }) => {
                self.replicate(sent, stamp, &now);
                self.requests.extend(sent.id.as_ref().map(|_| sent.clone()));
            }
            _ => assert_eq!(saved(&self.board), before, "not applied, but changed: {sent:?}"),
        }
    }

    fn moment(&self, at: At) -> Option<u64> {
        let now = match self.model.schema.clock {
            Clock::Event => self.model.last.max(START),
            Clock::Server => self.model.now(self.wall),
        };
        match at {
            At::Unsaid => None,
            At::Late(by) => Some(now - by),
            At::Ahead(by) => Some(now + by),
        }
    }

    fn replicate(&mut self, sent: &Sent, stamp: Stamp, now: &[Option<leaderboard_core::board::Position>]) {
        let origin = TimeSource::Decided { now: Some(stamp.now) };
        let told = send(&mut self.replica, sent, Some(stamp.at), origin).unwrap();
        assert_eq!((told.effect, &told.now[..]), (Effect::Applied(stamp), now), "the replica: {sent:?}");
    }

    fn everywhere<T: PartialEq + std::fmt::Debug>(&mut self, expected: &T, change: impl Fn(&mut Board) -> T) {
        for board in [&mut self.board, &mut self.twin, &mut self.replica] {
            assert_eq!(change(board), *expected);
        }
    }

    fn remove(&mut self, name: &[u8]) {
        let expected = self.model.remove(name);
        self.everywhere(&expected, |board| board.remove(name));
    }

    fn set_meta(&mut self, name: &[u8], meta: &[u8]) {
        let expected = Ok(self.model.set_meta(name, meta));
        self.everywhere(&expected, |board| board.set_meta(name, meta));
    }

    fn set_dedup(&mut self, seconds: u32) {
        self.model.set_dedup(seconds);
        self.everywhere(&Ok(()), |board| board.alter(&Alter { dedup: Some(seconds), ..Alter::default() }));
    }

    fn tick(&mut self, tick: Tick) {
        match tick {
            Tick::Forward(by) => {
                self.wall += by;
                self.true_time += by;
            }
            Tick::Back(by) => self.wall -= by,
            Tick::Jump(by) => self.wall += by,
            Tick::Correct => self.wall = self.true_time,
        }
    }

    /// Compares everything there is.
    pub fn compare(&self) {
        compare::all(&self.board, &self.model, self.wall);
        let bytes = saved(&self.board);
        assert!(saved(&self.twin) == bytes, "the twin differs");
        assert!(saved(&self.replica) == bytes, "the replica differs");
        assert!(saved(&loaded(&bytes)) == bytes, "loaded it differs");
        self.twin.check();
        self.replica.check();
    }
}

/// Sends a write to a board as the commands do.
pub fn send(board: &mut Board, sent: &Sent, at: Option<u64>, origin: TimeSource) -> Result<Told, Error> {
    let write = Write { at, request: sent.id.as_deref(), origin, with_change: sent.with_change, view: None };
    let decimals = board.schema().decimals;
    let outcome = match &sent.op {
        Op::Add(points, name) => board.add(&write, decimal(*points, decimals, "points")?, name)?,
        Op::Set(score, name, condition) => {
            board.set(&write, decimal(*score, decimals, "score")?, name, *condition)?
        }
        Op::Many(pairs) => {
            let pairs = pairs
                .iter()
                .map(|(points, name)| Ok((decimal(*points, decimals, "points")?, &name[..])))
                .collect::<Result<Vec<_>, Error>>()?;
            let (effect, now) = board.add_many(&write, &pairs)?;
            return Ok(Told { effect, now, before: None });
        }
    };
    Ok(Told { effect: outcome.effect, now: vec![outcome.now], before: outcome.before })
}

fn decimal(points: Points, decimals: u8, argument: &'static str) -> Result<Decimal, Error> {
    let places = usize::from(decimals);
    let text = match points {
        Points::TooFine => format!("1.{:01$}", 1, places + 1),
        Points::Units(units) if places == 0 => units.to_string(),
        Points::Units(units) => {
            let digits = format!("{:01$}", units.unsigned_abs(), places + 1);
            let (whole, fraction) = digits.split_at(digits.len() - places);
            format!("{}{whole}.{fraction}", if units < 0 { "-" } else { "" })
        }
    };
    Decimal::parse(text.as_bytes(), argument)
}
