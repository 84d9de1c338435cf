//! The clock of a game: it goes on, is wrong, is put right, or stands at a boundary.

use proptest::sample::Index;

use super::Play;
use crate::compare;
use crate::model::Model;
use crate::steps::Tick;

/// The last moment that games go to.
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

    /// Looks ahead twice, and goes back.
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

    /// Puts the clock right.
    fn correct(&mut self) {
        let Some(truth) = self.truth.take() else { return };
        self.wall = truth;
        if !self.is_plain {
            self.model.put_back(self.now());
            // A period that a clock came back to is one that was seen.
            self.advance();
            self.replica.advance(self.now());
        }
    }

    /// Whether a clock that is put back so far stays in the periods of views and limits. Two small steps
    /// can put it right. But what was used in the periods behind it is not saved, and neither is what has
    /// left the windows of views since: a board that was loaded cannot go back as one that was not.
    fn is_in_the_same_periods(&self, wall: u64) -> bool {
        let Model { schema, views, limits, last, .. } = &self.model;
        let views = views.iter().filter_map(|view| Some(view.span?.0));
        let limits = limits.iter().map(|limit| limit.rule.period(&schema.calendar, *last));
        let now = self.model.now(wall) as i64;
        views.chain(limits).all(|period| period.start <= now)
    }

    /// When so many periods of a view have ended.
    fn end(&self, view: Index, over: u32) -> u64 {
        let Some((unit, _)) = view.get(&self.model.views).reach() else { return self.wall };
        let calendar = &self.model.schema.calendar;
        (0..over).fold(self.wall as i64, |end, _| calendar.period(unit, end).end) as u64
    }
}
