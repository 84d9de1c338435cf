//! What the model keeps of a board: its rules, and all that was applied, in order.

use std::collections::{BTreeMap, BTreeSet};

use super::calendar::{Hours, Unit, View, Zone};
use super::claims::Fixed;
use super::standings::Change;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    Sum,
    Max,
    Last,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    First,
    Last,
    Lex,
    RevLex,
}

/// An applied write of one pair. On SUM boards, points are what was added.
#[derive(Debug, Clone)]
pub struct Write {
    pub member: String,
    pub points: i64,
    /// Whether LB.SET wrote it.
    pub is_set: bool,
    pub at: i64,
    /// The board's now when it was applied.
    pub now: i64,
}

/// A member that came into a segment, or with an empty value left it.
#[derive(Debug, Clone)]
pub struct Move {
    pub member: String,
    pub dimension: String,
    pub value: String,
    pub now: i64,
}

/// A prize table that was set.
#[derive(Debug, Clone)]
pub struct Table {
    pub view: String,
    pub per: String,
    pub places: String,
    pub now: i64,
}

/// The rules for scores, as they are now.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    pub opens: i64,
    pub closes: i64,
    pub hours: Hours,
    /// The greatest number of writes, and the unit with its name.
    pub attempts: Option<(i64, String, Unit)>,
    pub max_members: i64,
    pub bounds: Option<(i64, i64)>,
    pub declared: bool,
}

/// A period of a view, and the dimension of a table or an empty text.
pub type Place = (String, String, i64);

#[derive(Debug, Clone)]
pub struct Board {
    pub zone: Zone,
    pub views: Vec<View>,
    pub aggregate: Aggregate,
    pub descending: bool,
    pub ties: Ties,
    pub has_events: bool,
    /// The time of the last write.
    pub last: i64,
    pub retain: BTreeMap<String, i64>,
    /// The first period that stays readable, of views whose RETAIN was made less.
    pub floor: BTreeMap<String, i64>,
    pub prize_days: i64,
    pub dimensions: Vec<(String, String)>,
    pub writes: Vec<Write>,
    pub moves: Vec<Move>,
    /// Changes of the numbers of segments, and the number of commands so far.
    pub changes: Vec<Change>,
    pub commands: usize,
    pub hidden: BTreeSet<String>,
    pub joined: BTreeSet<String>,
    pub rules: Rules,
    /// Attempts since the rule began: who, and the board's now.
    pub attempts: Vec<(String, i64)>,
    /// Request ids, and what they stand for.
    pub requests: BTreeMap<String, String>,
    pub tables: Vec<Table>,
    pub fixed: BTreeMap<Place, Fixed>,
    /// The ids of claims: place, member.
    pub claims: BTreeMap<String, (Place, String)>,
}

impl Board {
    /// Returns the board's now, where the server's clock shows this.
    pub fn now(&self, clock: i64) -> i64 {
        if self.has_events || (clock < self.last && self.last - clock <= 60_000) { self.last } else { clock }
    }

    /// Returns the view of this name; the default view for an empty one.
    pub fn view(&self, name: &str) -> &View {
        let found = self.views.iter().find(|view| name.is_empty() || view.name == name);
        found.expect("a view")
    }

    /// Says whether a period can be read.
    pub fn is_readable(&self, view: &View, period: i64, now: i64) -> bool {
        let current = view.period(now);
        let floor = self.floor.get(&view.name).copied().unwrap_or(i64::MIN);
        period == current
            || (period < current && period >= floor && period >= current - self.retain[&view.name])
    }

    /// Says whether the contract says clearly what a leap of the clock does to the board.
    pub fn can_leap(&self) -> bool {
        let has_moments = matches!(self.ties, Ties::First | Ties::Last);
        let is_plain = self.dimensions.is_empty() && self.prize_days == 30 && !self.rules.declared;
        !self.has_events && !has_moments && is_plain && self.aggregate != Aggregate::Last
    }
}
