//! The clock of a game: it goes on, leaps, is corrected, or stops at a boundary.

use proptest::sample::Index;

use super::Play;
use crate::compare;
use crate::model::Model;
use crate::steps::Tick;

/// The last moment of a game, in milliseconds.
const LAST: u64 = 4_000_000_000_000;

impl Play {
    pub(super) fn tick(&mut self, tick: Tick) {
        let begin = self.wall;
        if self.truth.is_some() && !self.is_plain && !matches!(tick, Tick::Correct) {
            return;
        }
        match tick {
            Tick::Forward(by) => {
                self.wall += by;
                self.truth = self.truth.map(|truth| truth + by);
            }
            Tick::Boundary(view, by) => {
                let end = self.end(view, 1);
                self.wall = end.saturating_add_signed(by).max(self.wall);
            }
            Tick::Skip(view, over, into) => self.wall = self.end(view, over) + into,
            Tick::Back(by) if self.is_in_the_same_periods(self.wall - by) => self.wall -= by,
            Tick::Back(_) => {}
            Tick::Peek(view, hops, into) => self.peek(view, hops, into),
            Tick::Wrong(by) if !self.model.leapt => {
                self.truth.get_or_insert(self.wall);
                self.wall = self.wall.saturating_add_signed(by);
            }
            Tick::Wrong(_) => {}
            Tick::Correct => self.correct(),
        }
        if self.wall > LAST {
            self.wall = begin;
        }
    }

    /// Moves the clock ahead twice and compares each time, then moves the clock back.
    fn peek(&mut self, view: Index, hops: [u32; 2], into: u64) {
        if self.model.leapt {
            return;
        }
        let begin = self.wall;
        self.advance();
        for over in hops {
            self.wall = self.end(view, over) + into;
            let ahead = self.now();
            self.board.advance(ahead);
            self.reloaded.advance(ahead);
            let mut model = self.model.clone();
            model.advance(ahead);
            compare::all(&self.board, &model, self.wall, &self.names());
            self.work(3);
        }
        self.wall = begin;
        self.advance();
    }

    /// Corrects the clock.
    fn correct(&mut self) {
        let Some(truth) = self.truth.take() else { return };
        self.wall = truth;
        if !self.is_plain {
            self.model.put_back(self.now());
            // The clock has come back to this period, so all boards and the model have to visit it.
            self.advance();
            self.replica.advance(self.now());
        }
    }

    /// Returns whether the clock stays in the current periods of all views and limits if it goes back to
    /// `wall`. Small steps back can add up to a correction of the clock. A saved board contains neither the
    /// votes used in other periods nor the points that have left the windows. So a loaded board cannot go
    /// back over a boundary as a board can that was never saved.
    fn is_in_the_same_periods(&self, wall: u64) -> bool {
        let Model { schema, views, limits, last, .. } = &self.model;
        let views = views.iter().filter_map(|view| Some(view.span?.0));
        let limits = limits.iter().map(|limit| limit.rule.period(&schema.calendar, *last));
        let now = self.model.now(wall) as i64;
        views.chain(limits).all(|period| period.start <= now)
    }

    /// Returns the moment at which this number of periods of a view have ended.
    fn end(&self, view: Index, over: u32) -> u64 {
        let Some((unit, _)) = view.get(&self.model.views).reach() else { return self.wall };
        let calendar = &self.model.schema.calendar;
        (0..over).fold(self.wall as i64, |end, _| calendar.period(unit, end).end) as u64
    }
}
