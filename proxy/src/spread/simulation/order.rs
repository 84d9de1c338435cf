//! The order of a part's period as a list, as the core computes it.

use std::collections::HashSet;

use leaderboard_core::calendar::{Unit, When};
use leaderboard_core::error::Quoted;
use leaderboard_core::schema::{Order as Direction, Tally, Ties};
use leaderboard_core::{Board, Error, Schema, Score};

/// A member in an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: Vec<u8>,
    pub score: Score,
    pub moment: u64,
    pub hidden: bool,
}

/// The order of a period.
#[derive(Debug)]
pub struct Order {
    /// The start of the period. `None` if there is no such period.
    pub start: Option<i64>,
    /// Whether the period is the current period. All moments of the current period are known.
    pub is_current: bool,
    /// The entries, including hidden members.
    pub entries: Vec<Entry>,
}

/// Returns the place of an entry by score and moment: the best entry has the smallest place.
pub fn place(schema: &Schema, score: Score, moment: u64) -> (i128, i128) {
    let (units, moment) = (i128::from(score.units()), i128::from(moment));
    (
        if schema.order == Direction::Asc { units } else { -units },
        if schema.ties == Ties::Last { -moment } else { moment },
    )
}

/// Returns a copy of the board without hidden members: all of them are shown.
fn shown(board: &Board) -> Board {
    let mut shown = board.clone();
    for name in board.hidden() {
        shown.unhide(name);
    }
    shown
}

fn unit(board: &Board, view: Option<&[u8]>) -> Result<Option<Unit>, Error> {
    let view = board.view(view)?;
    Ok(board.specs().nth(view).and_then(|spec| spec.reach()).map(|(unit, _)| unit))
}

/// Returns the start of a period, even if the period is not kept.
fn start(board: &Board, unit: Option<Unit>, when: When, now: u64) -> Result<Option<i64>, Error> {
    let Some(unit) = unit else {
        return match when {
            When::Back(1..) | When::Ahead => Ok(None),
            When::Label(label) => Err(Error::BadPeriod(Quoted::new(label))),
            _ => Ok(Some(0)),
        };
    };
    let calendar = &board.schema().calendar;
    let current = calendar.period(unit, now.cast_signed()).start;
    Ok(match when {
        When::Now => Some(current),
        When::Ahead => None,
        When::Back(count) => Some(calendar.back(unit, current, count).start),
        When::At(at) => Some(calendar.period(unit, at.cast_signed()).start),
        When::Label(label) => calendar
            .parse(unit, label)
            .map_err(|_| Error::BadPeriod(Quoted::new(label)))?
            .map(|period| period.start),
    })
}

/// Returns the order of a period of a part, at the part's current time.
pub fn order(board: &Board, view: Option<&[u8]>, when: When, now: u64) -> Result<Order, Error> {
    let unit = unit(board, view)?;
    let start = start(board, unit, when, now)?;
    let current = unit.map(|unit| board.schema().calendar.period(unit, now.cast_signed()).start);
    let is_current = current.is_none_or(|current| start == Some(current));
    let mut entries = Vec::new();
    // A period that does not exist has no members.
    if start.is_some() {
        let (read, hidden) = (board.read(view, when, Tally::Shown)?, board.hidden());
        let hidden: HashSet<_> = hidden.into_iter().collect();
        let all = if hidden.is_empty() { None } else { Some(shown(board)) };
        let all = all.as_ref().unwrap_or(board);
        all.read(view, when, Tally::Shown)?.dated(|id, score, _| {
            let name = all.name(id);
            let moment = read.dated_place(name).unwrap().moment;
            entries.push(Entry { name: name.to_vec(), score, moment, hidden: hidden.contains(name) });
        });
    }
    Ok(Order { start, is_current, entries })
}
