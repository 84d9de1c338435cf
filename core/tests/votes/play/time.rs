//! The clock of a game: it goes on, leaps, is put right, or stands at a boundary.

use super::*;

impl Play {
    pub(super) fn tick(&mut self, tick: Tick) {
        let begin = self.wall;
        if self.truth.is_some() && !matches!(tick, Tick::Correct) {
            return;
        }
        match tick {
            Tick::Forward(by) => self.wall += by,
            Tick::Boundary(view, by) => {
                let end = self.end(view, 1);
                self.wall = end.saturating_add_signed(by).max(self.wall);
            }
            Tick::Skip(view, over, into) => self.wall = self.end(view, over) + into,
            Tick::Back(by) if self.is_in_the_same_periods(self.wall - by) => self.wall -= by,
            Tick::Back(_) => {}
            Tick::Peek(view, over, into) if !self.model.leapt => {
                self.advance();
                self.wall = self.end(view, over) + into;
                let ahead = self.now();
                self.board.advance(ahead);
                self.reloaded.advance(ahead);
                let mut there = self.model.clone();
                there.advance(ahead);
                compare::all(&self.board, &there, ahead, &self.names());
                self.wall = begin;
                self.advance();
            }
            Tick::Peek(..) => {}
            Tick::Leap(_) if self.model.leapt => {}
            Tick::Leap(by) => {
                self.truth = Some(self.wall);
                self.wall += by;
            }
            Tick::Correct => {
                if let Some(truth) = self.truth.take() {
                    self.wall = truth;
                    self.model.put_back(self.now());
                    // A period that a clock came back to is one that was seen.
                    self.advance();
                    self.replica.advance(self.now());
                }
            }
        }
        if self.wall > LAST {
            self.wall = begin;
        }
    }

    /// Whether a clock that is put back so far stays in the periods of views and limits. Two small steps
    /// can put it right; what was used in the periods behind it is not saved then.
    fn is_in_the_same_periods(&self, wall: u64) -> bool {
        let Model { schema, views, limits, last, .. } = &self.model;
        let views = views.iter().filter_map(|view| Some(view.span?.0));
        let limits = limits.iter().map(|limit| limit.rule.period(&schema.calendar, *last));
        let now = self.model.now(wall) as i64;
        views.chain(limits).all(|period| period.start <= now)
    }

    /// When so many periods of a view have ended.
    fn end(&self, view: Index, over: u32) -> u64 {
        let view = &self.model.views[view.index(self.model.views.len())];
        let Some((unit, _)) = view.reach() else { return self.wall };
        let calendar = &self.model.schema.calendar;
        (0..over).fold(self.wall as i64, |end, _| calendar.period(unit, end).end) as u64
    }
}
