//! A view: what members have in the current period, what they got in each period of a window, and the
//! periods that ended.

use std::collections::{BTreeMap, BTreeSet};

use leaderboard_core::schema::Aggregate;

use super::score::{self, Score};
use super::segment::{Ended, Marks, Places};
use super::{Name, Rules};

/// What a view is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Milliseconds of a period; 0 for everything ever.
    pub length: u64,
    /// How many periods count.
    pub count: u64,
}

impl Kind {
    /// Whether it has periods.
    pub const fn is_period(self) -> bool {
        self.length > 0
    }

    /// Whether several periods count.
    pub const fn is_rolling(self) -> bool {
        self.count > 1
    }
}

const SECOND: u64 = 1_000;
const HOUR: u64 = 3_600 * SECOND;
const DAY: u64 = 24 * HOUR;

const fn kind(name: &'static str, length: u64, count: u64) -> Kind {
    Kind { name, length, count }
}

/// Kinds for random boards. The first four have single periods.
pub const KINDS: &[Kind] = &[
    kind("all", 0, 1),
    kind("day", DAY, 1),
    kind("hour", HOUR, 1),
    kind("90s", 90 * SECOND, 1),
    kind("day:7", DAY, 7),
    kind("day:2", DAY, 2),
    kind("hour:3", HOUR, 3),
    kind("90s:4", 90 * SECOND, 4),
];

/// The state of a member in a period.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The member's score.
    pub score: Score,
    /// The time at which the member got this score, in milliseconds.
    pub moment: u64,
    /// The number of the write that gave this score.
    pub number: u64,
    /// The time of the latest event that is part of this entry, in milliseconds.
    event: u64,
    /// The period that the score is from.
    from: u64,
}

/// The data of one member in the current periods of a view.
pub struct Held {
    entry: Option<Entry>,
    cells: Vec<(u64, Entry)>,
}

/// A view of the model: its kind, and the members' scores in its current and its ended periods.
#[derive(Debug, Clone)]
pub struct View {
    /// What it is made for.
    pub kind: Kind,
    /// The number of the first period that is kept. At first, this is the period of the first write. `None` for a view
    /// that was added later: the contract does not say when such a view begins.
    pub first: Option<u64>,
    /// The number of the current period.
    pub current: Option<u64>,
    /// The current period.
    pub entries: BTreeMap<Name, Entry>,
    /// What members got in each period of a window.
    cells: BTreeMap<u64, BTreeMap<Name, Entry>>,
    /// The periods that ended, as they did.
    pub past: BTreeMap<u64, BTreeMap<Name, Entry>>,
    /// When the segments of the current period got their scores.
    pub marks: Marks,
    /// The segments of the periods that ended, as they were then.
    pub ended: BTreeMap<u64, Ended>,
    /// How many ended periods it keeps, if not as many as the board's rules say.
    pub retain: Option<u64>,
    /// Who was in the periods that cannot be read any more, but that the board has not dropped yet.
    waiting: BTreeMap<u64, BTreeSet<Name>>,
    /// The period of the last change of the board, and the last period before it in which the board changed.
    changed: (Option<u64>, Option<u64>),
}

impl View {
    /// A view without members.
    pub fn new(kind: Kind) -> Self {
        let (entries, cells, past) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (marks, ended) = (Marks::new(), BTreeMap::new());
        let (waiting, changed) = (BTreeMap::new(), (None, None));
        Self {
            kind,
            first: None,
            current: None,
            entries,
            cells,
            past,
            marks,
            ended,
            retain: None,
            waiting,
            changed,
        }
    }

    /// Whether the member is in it, or was in a period that is kept.
    pub fn knows(&self, name: &[u8]) -> bool {
        let maps = self.past.values().chain(self.cells.values()).chain([&self.entries]);
        maps.fold(false, |is, map| is | map.contains_key(name))
    }

    /// Removes a member from all periods.
    pub fn remove(&mut self, name: &[u8]) {
        for map in self.past.values_mut().chain(self.cells.values_mut()).chain([&mut self.entries]) {
            map.remove(name);
        }
    }

    /// Whether this moment is in the current period.
    pub fn is_at(&self, now: u64) -> bool {
        !self.kind.is_period() || self.current == Some(now / self.kind.length)
    }

    /// What the member has.
    pub fn held(&self, name: &[u8]) -> Held {
        let cells = self.cells.iter().filter_map(|(from, cell)| Some((*from, cell.get(name)?.clone())));
        Held { entry: self.entries.get(name).cloned(), cells: cells.collect() }
    }

    /// Gives the member exactly this.
    pub fn put(&mut self, name: &Name, held: Held) {
        self.entries.remove(name);
        self.entries.extend(held.entry.map(|entry| (name.clone(), entry)));
        self.cells.values_mut().for_each(|cell| drop(cell.remove(name)));
        for (from, entry) in held.cells {
            self.cells.entry(from).or_default().insert(name.clone(), entry);
        }
    }

    /// Sets how many ended periods it keeps.
    pub fn set_retain(&mut self, retain: u64) {
        self.retain = Some(retain);
        self.forget(retain);
    }

    /// What is forgotten stays forgotten, even if more periods are kept from now on.
    fn forget(&mut self, retain: u64) {
        let Some(current) = self.current else { return };
        let gone = self.past.iter().filter(|(start, _)| *start + retain < current);
        self.waiting.extend(gone.map(|(start, entries)| (*start, entries.keys().cloned().collect())));
        self.past.retain(|start, _| start + retain >= current);
        self.ended.retain(|start, _| start + retain >= current);
        self.first = self.first.map(|first| first.max(current.saturating_sub(retain)));
    }

    /// The board changes, and drops the periods that nobody can read any more. A clock of the server may be put back, so the last
    /// period with a change stays. Who was in the dropped periods.
    pub fn drop_periods(&mut self, is_event: bool) -> BTreeSet<Name> {
        if self.changed.0 != self.current {
            self.changed = (self.current, self.changed.0);
        }
        let last = self.changed.1.filter(|_| !is_event);
        let stays = |start: &u64| last.is_some_and(|last| last <= *start);
        let (staying, gone) =
            std::mem::take(&mut self.waiting).into_iter().partition(|(start, _)| stays(start));
        self.waiting = staying;
        let gone: BTreeMap<u64, BTreeSet<Name>> = gone;
        gone.into_values().flatten().collect()
    }

    /// Removes a member from the periods that nobody can read.
    pub fn drop_waiting(&mut self, name: &[u8]) {
        self.waiting.values_mut().for_each(|names| _ = names.remove(name));
    }

    /// Who is in the view, or was in a period that is not dropped.
    pub fn everybody(&self) -> BTreeSet<Name> {
        let names = self.past.values().flat_map(BTreeMap::keys).chain(self.waiting.values().flatten());
        names.chain(self.entries.keys()).cloned().collect()
    }

    /// Whether the board still needs the member: it is in the view, or in a period that is not dropped.
    pub fn needs(&self, name: &[u8]) -> bool {
        self.knows(name) || self.waiting.values().any(|names| names.contains(name))
    }

    /// Ends periods up to this moment. In them, members are in the segments in which they are now.
    pub fn advance(&mut self, rules: &Rules, (places, hidden): (&Places, &BTreeSet<Name>), now: u64) {
        if !self.kind.is_period() {
            return;
        }
        let period = now / self.kind.length;
        let mut current = *self.current.get_or_insert(period);
        while current < period {
            if self.entries.is_empty() && self.cells.is_empty() {
                // All further periods are empty.
                current = period;
                break;
            }
            self.past.insert(current, self.entries.clone());
            let seen = self.entries.keys().filter(|name| !hidden.contains(*name)).cloned().collect();
            let ended = Ended { places: places.clone(), marks: self.marks.clone(), seen };
            self.ended.insert(current, ended);
            current += 1;
            self.turn(rules, current);
        }
        self.current = Some(current);
        self.forget(self.retain.unwrap_or(rules.retain));
    }

    fn turn(&mut self, rules: &Rules, current: u64) {
        let count = self.kind.count;
        self.cells.retain(|period, _| period + count > current);
        if !self.kind.is_rolling() {
            self.entries.clear();
            self.marks.clear();
            return;
        }
        for (name, entry) in std::mem::take(&mut self.entries) {
            let left: Vec<&Entry> = self.cells.values().filter_map(|cell| cell.get(&name)).collect();
            let is_kept = entry.from + count > current;
            if let Some(entry) = after_boundary(rules, entry, is_kept, &left) {
                self.entries.insert(name, entry);
            }
        }
    }

    /// Points, or with `sets` a score, that count from this moment on.
    pub fn give(&mut self, rules: &Rules, sets: bool, (name, points): (&Name, &Score), at: u64, number: u64) {
        let from = if self.kind.is_period() { at / self.kind.length } else { 0 };
        let current = self.current.unwrap_or(from);
        if self.kind.is_period() && from + self.kind.count <= current {
            return;
        }
        let new = Entry { score: points.clone(), moment: at, number, event: at, from };
        if self.kind.is_rolling() {
            if sets && matches!(rules.aggregate, Aggregate::Max | Aggregate::Min) {
                // The older write of the same score still counts.
                let same = self.entries.get(name).filter(|old| old.score == *points && old.from <= from);
                let older = same.map(|old| old.from);
                // A score that changes is got by this write, also in a period whose best it was before.
                let is_other = |period: u64| (older.is_none() || period != from) && Some(period) != older;
                let others = self.cells.iter_mut().filter(|(period, _)| is_other(**period));
                others.for_each(|(_, cell)| drop(cell.remove(name)));
                if self.entries.get(name).is_some_and(|entry| entry.from > from) {
                    self.entries.remove(name);
                }
            }
            given(self.cells.entry(from).or_default(), rules, sets, name, new.clone());
        }
        given(&mut self.entries, rules, sets, name, new);
    }

    /// What errors say of a member's scores that are out of range: in a window also those of its periods, and with levels also
    /// those of runs of periods.
    pub fn beyond(&self, rules: &Rules, name: &[u8]) -> Vec<String> {
        let own = self.entries.get(name);
        let mut texts = own.map_or_else(Vec::new, |entry| score::beyond(&rules.levels, &entry.score));
        if !self.kind.is_rolling() || rules.aggregate != Aggregate::Sum {
            return texts;
        }
        if rules.levels.is_empty() {
            let cells = self.cells.values().filter_map(|cell| cell.get(name));
            texts.extend(cells.flat_map(|cell| score::beyond(&rules.levels, &cell.score)));
        } else {
            texts.extend(self.cells.keys().flat_map(|from| self.beyond_from(rules, *from, name)));
        }
        texts
    }

    /// The same of the runs of periods that begin then.
    fn beyond_from(&self, rules: &Rules, from: u64, name: &[u8]) -> Vec<String> {
        let mut sum: Option<Score> = None;
        let mut texts = Vec::new();
        for cell in self.cells.range(from..).filter_map(|(_, cell)| cell.get(name)) {
            let next = match sum {
                Some(sum) => score::sum(&sum, &cell.score),
                None => cell.score.clone(),
            };
            texts.extend(score::beyond(&rules.levels, &next));
            sum = Some(next);
        }
        texts
    }
}

/// What a member has after a boundary: of the periods that are left, oldest first.
fn after_boundary(rules: &Rules, entry: Entry, is_kept: bool, left: &[&Entry]) -> Option<Entry> {
    let first = *left.first()?;
    Some(match rules.aggregate {
        Aggregate::Sum => Entry { score: score::total(left.iter().map(|cell| &cell.score)), ..entry },
        Aggregate::Last => entry,
        Aggregate::Max | Aggregate::Min if is_kept => entry,
        // Of equal bests, that of the older period counts.
        Aggregate::Max | Aggregate::Min => left.iter().skip(1).fold(first.clone(), |best, cell| {
            if score::is_new_best(rules, &cell.score, &best.score) { (*cell).clone() } else { best }
        }),
    })
}

fn given(entries: &mut BTreeMap<Name, Entry>, rules: &Rules, sets: bool, name: &Name, new: Entry) {
    let Some(old) = entries.get(name).cloned() else {
        entries.insert(name.clone(), new);
        return;
    };
    let is_same = new.score == old.score;
    let entry = match rules.aggregate {
        Aggregate::Sum if sets && is_same => old,
        Aggregate::Sum if sets => Entry { moment: old.moment.max(new.moment), ..new },
        Aggregate::Sum if new.score.iter().all(|points| *points == 0) => old,
        Aggregate::Sum => {
            let moment = old.moment.max(new.moment);
            Entry { score: score::sum(&old.score, &new.score), moment, ..new }
        }
        Aggregate::Last if new.event < old.event => old,
        Aggregate::Last if is_same => Entry { event: new.event, from: new.from, ..old },
        Aggregate::Last => new,
        Aggregate::Max | Aggregate::Min if is_same => old,
        Aggregate::Max | Aggregate::Min if sets || score::is_new_best(rules, &new.score, &old.score) => new,
        Aggregate::Max | Aggregate::Min => old,
    };
    entries.insert(name.clone(), entry);
}
