//! A board in a key, and its orders as lists. A part keeps the moments of ended periods, so the lists of periods that
//! end are noted here, by what the board shows just before.

use std::collections::HashMap;
use std::sync::Arc;

use leaderboard_core::calendar::{Unit, When};
use leaderboard_core::schema::{Tally, Ties};
use leaderboard_core::view::Kind;
use leaderboard_core::{Board, Error, NativeType, Score};

use super::words::{Read, refused};

/// How far ahead of a server's clock a moment may lie.
pub const MAX_FUTURE: u64 = 60_000;
/// So many moments of an ended period are kept by each part.
const KEPT_MOMENTS: usize = 1_000;

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
    /// Where the period starts; nothing for one that is none.
    pub start: Option<i64>,
    /// Whether it is the current one, whose moments are all known.
    pub is_current: bool,
    /// Hidden members included.
    pub entries: Vec<Entry>,
}

impl Order {
    /// Those that everybody sees.
    pub fn seen(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.hidden)
    }
}

type Moments = HashMap<Vec<u8>, u64>;

/// A board in a key.
pub struct Key {
    pub board: Board,
    /// The clock of its node when it was last used.
    pub now: u64,
    /// The moments of the first members of ended periods, by the number of the view and the start.
    ended: HashMap<(usize, i64), Moments>,
    /// Orders that were looked at since the last change.
    orders: HashMap<(usize, Option<i64>), Arc<Order>>,
}

impl Key {
    pub fn new(board: Board) -> Self {
        Self { board, now: 0, ended: HashMap::new(), orders: HashMap::new() }
    }

    /// Its now by a node's clock.
    pub fn now_at(&self, wall: u64) -> u64 {
        self.board.now(wall, MAX_FUTURE)
    }

    /// Brings it to the node's clock. Notes the moments of periods that end.
    pub fn advance(&mut self, wall: u64) {
        let now = self.now_at(wall);
        if self.now > 0 && now > self.now {
            self.note_ended(now);
        }
        if now != self.now {
            self.board.advance(now);
            self.orders.clear();
        }
        self.now = now;
    }

    /// After a change.
    pub fn changed(&mut self) {
        self.orders.clear();
    }

    fn note_ended(&mut self, now: u64) {
        let calendar = self.board.schema().calendar;
        let specs: Vec<_> = self.board.specs().copied().collect();
        for (view, spec) in specs.iter().enumerate() {
            let Kind::Periods { unit, .. } = spec.kind else { continue };
            let current = calendar.period(unit, now.cast_signed()).start;
            let last = calendar.period(unit, self.now.cast_signed()).start;
            let kept = calendar.back(unit, current, spec.retain).start;
            let mut period = calendar.period(unit, last.max(kept));
            while period.start < current {
                let mut before = self.shown();
                before.advance(period.end.cast_unsigned() - 1);
                let read =
                    before.read(Some(spec.kind.to_string().as_bytes()), When::Now, Tally::Shown).unwrap();
                let mut moments = Moments::new();
                read.dated(|id, _, moment| {
                    if moments.len() < KEPT_MOMENTS {
                        moments.insert(before.name(id).to_vec(), moment);
                    }
                });
                self.ended.insert((view, period.start), moments);
                period = calendar.period(unit, period.end);
            }
        }
    }

    /// The same board where nobody is hidden.
    fn shown(&self) -> Board {
        let mut board = self.board.clone();
        let hidden: Vec<_> = board.hidden().into_iter().map(<[u8]>::to_vec).collect();
        for name in hidden {
            board.unhide(&name);
        }
        board
    }

    /// The view and its unit.
    fn view(&self, name: Option<&[u8]>) -> Read<(usize, Option<Unit>)> {
        let view = self.board.view(name).map_err(refused)?;
        let unit = self.board.specs().nth(view).and_then(|spec| spec.reach()).map(|(unit, _)| unit);
        Ok((view, unit))
    }

    /// Where a period starts, whether it is kept or not.
    pub fn start(&self, name: Option<&[u8]>, when: When) -> Read<Option<i64>> {
        let (_, unit) = self.view(name)?;
        let Some(unit) = unit else {
            return Ok(match when {
                When::Back(1..) | When::Ahead => None,
                When::Label(label) => {
                    return Err(refused(Error::BadPeriod(leaderboard_core::error::Quoted::new(label))));
                }
                _ => Some(0),
            });
        };
        let calendar = &self.board.schema().calendar;
        let current = calendar.period(unit, self.now.cast_signed()).start;
        Ok(match when {
            When::Now => Some(current),
            When::Ahead => None,
            When::Back(count) => Some(calendar.back(unit, current, count).start),
            When::At(at) => Some(calendar.period(unit, at.cast_signed()).start),
            When::Label(label) => calendar
                .parse(unit, label)
                .map_err(|_| refused(Error::BadPeriod(leaderboard_core::error::Quoted::new(label))))?
                .map(|period| period.start),
        })
    }

    /// The order of a period, hidden members included.
    pub fn order(&mut self, name: Option<&[u8]>, when: When) -> Read<Arc<Order>> {
        let (view, unit) = self.view(name)?;
        let start = self.start(name, when)?;
        if let Some(known) = self.orders.get(&(view, start)) {
            return Ok(known.clone());
        }
        let clone = (self.board.count_hidden() > 0).then(|| self.shown());
        let board = clone.as_ref().unwrap_or(&self.board);
        let hidden: std::collections::HashSet<_> = self.board.hidden().into_iter().collect();
        // A period that is no such holds nobody.
        let read = match start {
            None => None,
            Some(_) => Some(board.read(name, when, Tally::Shown).map_err(refused)?),
        };
        let calendar = &self.board.schema().calendar;
        let is_current =
            unit.is_none_or(|unit| start == Some(calendar.period(unit, self.now.cast_signed()).start));
        let ended = self.ended.get(&(view, start.unwrap_or(0))).filter(|_| !is_current);
        let unknown = if self.board.schema().ties == Ties::Last { 0 } else { i64::MAX.cast_unsigned() };
        let mut entries = Vec::new();
        if let Some(read) = read {
            read.dated(|id, score, dated| {
                let name = board.name(id);
                let moment = if is_current {
                    dated
                } else {
                    ended.and_then(|all| all.get(name)).copied().unwrap_or(unknown)
                };
                entries.push(Entry { name: name.to_vec(), score, moment, hidden: hidden.contains(name) });
            });
        }
        let order = Arc::new(Order { start, is_current, entries });
        self.orders.insert((view, start), order.clone());
        Ok(order)
    }
}
