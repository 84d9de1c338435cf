//! Reads of one part of a spread board, for the process that gathers the parts: places by score and moment, and
//! entries with their moments. An unknown moment counts as behind all other moments with the same score. So within
//! a part, places are always in the order of score and moment.

use super::periods::Missing;
use super::{Board, Reading};
use crate::Error;
use crate::amount::Amount;
use crate::calendar::When;
use crate::index::Key;
use crate::parts::{Parts, Role};
use crate::score::Score;
use crate::time::Millis;
use crate::view::{Point, Standpoint};

/// The place of an entry of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatedPlace {
    /// How many visible members are before the place.
    pub before: u64,
    /// The exact score.
    pub score: Score,
    /// When the member got this score, or the substitute for an unknown moment.
    pub moment: Millis,
    /// Whether the member is hidden.
    pub is_hidden: bool,
}

/// The side of equal entries on which a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The equal entries are behind the place.
    Before,
    /// The equal entries are before the place.
    After,
}

impl Board {
    /// Returns the number of this part, and the number of parts.
    ///
    /// # Errors
    /// [`Error::NotAPart`].
    pub const fn part(&self) -> Result<(u16, Parts), Error> {
        match self.schema.role {
            Role::Part { number, parts } => Ok((number, parts)),
            Role::Whole | Role::Root(_) => Err(Error::NotAPart),
        }
    }

    /// Returns the start of a period of a view when the board's clock shows `now`, whether the period is kept or
    /// not. It is 0 for the endless period. `None` if there is no such period.
    ///
    /// # Errors
    /// [`Error::NoSuchView`], [`Error::BadPeriod`].
    pub fn start_of_period(
        &self,
        view: Option<&[u8]>,
        when: When,
        now: Millis,
    ) -> Result<Option<i64>, Error> {
        let view = self.views.get(self.view(view)?).ok_or(Error::NoView)?;
        let Some((unit, _)) = view.spec.reach() else {
            let start = self.start_of(view, when)?;
            return Ok(matches!(start, Err(Missing::Endless)).then_some(0));
        };
        let calendar = &self.schema.calendar;
        let current = calendar.period(unit, i64::try_from(now).unwrap_or(i64::MAX)).start;
        when.start(calendar, unit, Some(current), u32::MAX)
    }
}

impl<'a> Reading<'a> {
    /// Returns the place before or behind all entries with this score and moment. The score need not be the score
    /// of a member.
    ///
    /// # Errors
    /// The errors of [`Amount::to_score`], naming `score`.
    pub fn point(&self, score: Amount, moment: Millis, side: Side) -> Result<Point, Error> {
        let schema = self.board.schema();
        let rank_key = schema.rank_key(score.to_score(schema, "score")?);
        Ok(Point { key: Key { rank_key, moment }, is_behind: side == Side::After })
    }

    /// Returns how many visible members are before a place.
    #[must_use]
    pub fn before_point(&self, point: Point) -> u64 {
        self.seen.before_point(point)
    }

    /// Returns the place of a member, whether it is hidden or not.
    #[must_use]
    pub fn dated_place(&self, member: &[u8]) -> Option<DatedPlace> {
        self.find(member).map(|at| self.dated_at(&at))
    }

    fn dated_at(&self, at: &Standpoint) -> DatedPlace {
        let Key { rank_key, moment } = self.seen.dated_key(at);
        let score = self.board.schema().score(rank_key);
        DatedPlace { before: at.before, score, moment, is_hidden: at.is_hidden }
    }

    /// Returns up to `most` entries at equal distances between two places, including the entries at both places.
    /// Places are counted from 0, or backwards from the last place, which is -1.
    pub fn sample(&self, most: u64, first: i64, last: i64) -> impl Iterator<Item = DatedPlace> {
        let len = i128::from(self.len());
        let place = |place: i64| match i128::from(place) {
            place @ 0.. => place,
            place => place.saturating_add(len),
        };
        let first = place(first).max(0);
        let distance = place(last).min(len.saturating_sub(1)).saturating_sub(first);
        let count = distance.saturating_add(1).clamp(0, most.into());
        let places = (0..count).map(move |number| {
            let share = distance.saturating_mul(number).checked_div(count.saturating_sub(1));
            first.saturating_add(share.unwrap_or(0))
        });
        let read = *self;
        places.filter_map(move |place| Some(read.dated_at(&read.seen.select(u64::try_from(place).ok()?)?)))
    }
}
