//! The clock of a game: it goes on, leaps, is corrected, or stops at a boundary.

use leaderboard_core::NativeType;

use super::Play;
use crate::compare;
use crate::steps::Tick;

/// The first and the last moment of a game, in milliseconds.
const FIRST: u64 = 500_000_000_000;
const LAST: u64 = 4_000_000_000_000;

impl Play {
    pub(super) fn tick(&mut self, tick: Tick) {
        let begin = self.wall;
        match tick {
            Tick::Forward(by) => {
                self.wall += by;
                self.truth = self.truth.map(|truth| truth + by);
            }
            Tick::Boundary(by) => self.wall = self.end(1).saturating_add_signed(by).max(self.wall),
            Tick::Deadline(by) => {
                let deadline = self.model.deadline(self.model.period(self.wall));
                self.wall = self.wall.max((deadline + by) as u64);
            }
            Tick::Skip(over, into) => self.wall = self.end(over) + into,
            Tick::Back(by) => self.wall -= by,
            Tick::BackTo(over, into) => {
                self.wall = (self.model.back(self.wall, over).start as u64 + into).min(self.wall);
            }
            Tick::Peek(hops, into) => self.peek(hops, into),
            Tick::Leap(over, into) => {
                self.truth.get_or_insert(self.wall);
                self.wall = self.end(over) + into;
            }
            Tick::Correct => self.wall = self.truth.take().unwrap_or(self.wall),
        }
        if !(FIRST..LAST).contains(&self.wall) || self.model.is_dropped(self.now()) {
            self.wall = begin;
        }
    }

    /// Moves the clock ahead twice and compares each time, then moves the clock back.
    fn peek(&mut self, hops: [u32; 2], into: u64) {
        let begin = self.wall;
        let names = self.names();
        for over in hops {
            self.wall = self.end(over) + into;
            if self.model.is_dropped(self.now()) {
                continue;
            }
            self.advance();
            compare::all(&self.league, &self.model, self.wall, &names);
            self.work(3);
        }
        self.wall = begin;
        let now = self.now();
        self.league.advance(now);
        compare::all(&self.league, &self.model, self.wall, &names);
    }

    /// Returns the moment at which this number of periods have ended.
    fn end(&self, over: u32) -> u64 {
        (0..over).fold(self.wall, |end, _| self.model.period(end).end as u64)
    }
}
