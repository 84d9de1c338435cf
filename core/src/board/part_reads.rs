//! What a gatherer reads from one part of a spread board: places by score and moment, and entries with their moments.
//! An unknown moment counts as behind all others with the same score. So within a part, places are always in the
//! order of score and moment.

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
    /// How many visible members are before it.
    pub before: u64,
    /// The exact score.
    pub score: Score,
    /// When it got this score, or the substitute for an unknown moment.
    pub moment: Millis,
    /// Whether only the member itself sees it.
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
    /// Which part it is, and of how many parts.
    ///
    /// # Errors
    /// [`Error::NotAPart`].
    pub const fn part(&self) -> Result<(u16, Parts), Error> {
        match self.schema.role {
            Role::Part { number, parts } => Ok((number, parts)),
            Role::Whole | Role::Root(_) => Err(Error::NotAPart),
        }
    }

    /// The start of a period of a view, whether it is kept or not, when the board's clock shows `now`: 0 for the
    /// endless period. `None` if there is no such period.
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
    /// The place beside all entries with a score and a moment. The score may be one that no member has.
    ///
    /// # Errors
    /// The errors of scores, naming `score`.
    pub fn point(&self, score: Amount, moment: Millis, side: Side) -> Result<Point, Error> {
        let schema = self.board.schema();
        let rank_key = schema.rank_key(score.to_score(schema, "score")?);
        Ok(Point { key: Key { rank_key, moment }, is_behind: side == Side::After })
    }

    /// How many visible members are before a place.
    #[must_use]
    pub fn before_point(&self, point: Point) -> u64 {
        self.seen.before_point(point)
    }

    /// The place of a member, whether it is hidden or not.
    #[must_use]
    pub fn dated_place(&self, member: &[u8]) -> Option<DatedPlace> {
        self.find(member).map(|at| self.dated_at(&at))
    }

    fn dated_at(&self, at: &Standpoint) -> DatedPlace {
        let Key { rank_key, moment } = self.seen.dated_key(at);
        let score = self.board.schema().score(rank_key);
        DatedPlace { before: at.before, score, moment, is_hidden: at.is_hidden }
    }

    /// Up to `most` entries at equal distances between two places, including the entries at both places. Places count
    /// from 0 on, or back from the last place, which is -1.
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
