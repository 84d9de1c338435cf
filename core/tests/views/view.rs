//! One view of the model: plain tables of what each period brought, and what follows from them.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use leaderboard_core::calendar::{Period, Unit};
use leaderboard_core::schema::{Aggregate, Order, Ties};
use leaderboard_core::time::Stamp;
use leaderboard_core::view::{Kind, Share, Spec};
use leaderboard_core::{Error, Schema};

/// The greatest score; the least is minus this.
pub const MOST: i128 = i64::MAX as i128;

/// A member's name, of which the end tells it from others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(pub Vec<u8>);

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0[self.len().saturating_sub(4)..].escape_ascii())
    }
}

impl Deref for Name {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// What a write does to a member's score.
#[derive(Debug, Clone, Copy)]
pub enum Change {
    /// Adds, or offers, so many units.
    Give(i128),
    /// Gives this score; not on a board of sums.
    Put(i128),
}

/// Where a member has got to in the current period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub score: i128,
    pub moment: u64,
    /// When, among all writes, it got this score or moment.
    sequence: u64,
    /// Its latest event here, whatever came of it.
    event: u64,
}

#[derive(Debug, Clone, Copy)]
struct Points {
    units: i128,
    /// When it got these, and by which of all writes; not used where scores are added up.
    moment: u64,
    sequence: u64,
}

/// A line of a ranking: name, score, and when the member got it.
pub type Line = (Name, i128, u64);

#[derive(Debug, Clone)]
pub struct View {
    pub spec: Spec,
    /// The current period, and since when events count; nothing before the first write.
    pub span: Option<(Period, i64)>,
    /// Start of the first period with a write.
    pub since: i64,
    /// What members got in each period that still counts.
    points: BTreeMap<(i64, Name), Points>,
    /// What members began this period with, and by which share of the one before.
    carried: BTreeMap<Name, i128>,
    share: Option<Share>,
    pub entries: BTreeMap<Name, Entry>,
    /// Orders of ended periods by their starts.
    pub past: BTreeMap<i64, Vec<Line>>,
}

/// All of time is one period of the view `all`.
const ALWAYS: Period = Period { start: i64::MIN, end: i64::MAX };

impl View {
    pub fn new(spec: Spec) -> Self {
        let span = (spec.kind == Kind::All).then_some((ALWAYS, i64::MIN));
        let (points, carried) = (BTreeMap::new(), BTreeMap::new());
        let (entries, past) = (BTreeMap::new(), BTreeMap::new());
        Self { spec, span, since: 0, points, carried, share: None, entries, past }
    }

    /// Its unit, and how many periods are looked at.
    pub fn reach(&self) -> Option<(Unit, u32)> {
        match self.spec.kind {
            Kind::All => None,
            Kind::Periods { unit, count } => Some((unit, count.into())),
        }
        .map(|(unit, count)| (unit, if self.spec.carry.is_some() { 2 } else { count }))
    }

    pub fn span_at(&self, schema: &Schema, moment: i64) -> (Period, i64) {
        let Some((unit, count)) = self.reach() else { return (ALWAYS, i64::MIN) };
        let period = schema.calendar.period(unit, moment);
        (period, schema.calendar.back(unit, period.start, count - 1).start)
    }

    /// The first write begins the first period.
    pub fn start(&mut self, schema: &Schema, now: u64) {
        if self.span.is_none() {
            let span = self.span_at(schema, now as i64);
            (self.span, self.since, self.share) = (Some(span), span.0.start, self.spec.carry);
        }
    }

    /// What has not been kept until now stays gone, whatever is kept from now on.
    pub fn let_go(&mut self, schema: &Schema) {
        let (Some((unit, _)), Some((period, _))) = (self.reach(), self.span) else { return };
        self.since = self.since.max(schema.calendar.back(unit, period.start, self.spec.retain).start);
    }

    /// Whether points of a moment no longer move the score as they are.
    pub fn is_over(&self, at: u64) -> bool {
        let begin =
            |(period, from): (Period, i64)| if self.spec.kind.is_rolling() { from } else { period.start };
        self.span.is_some_and(|span| (at as i64) < begin(span))
    }

    /// Start of the period that a write counts in, if it counts.
    fn counted_in(&self, schema: &Schema, at: i64) -> Option<i64> {
        let (_, from) = self.span.filter(|(_, from)| *from <= at)?;
        debug_assert!(from <= at);
        Some(self.reach().map_or(i64::MIN, |(unit, _)| schema.calendar.period(unit, at).start))
    }

    pub fn apply(
        &mut self,
        schema: &Schema,
        name: &Name,
        change: Change,
        stamp: Stamp,
        sequence: u64,
    ) -> Result<(), Error> {
        let Some(start) = self.counted_in(schema, stamp.at as i64) else { return Ok(()) };
        let old = self.entries.get(name).copied();
        let fresh = Entry { score: 0, moment: stamp.at, sequence, event: stamp.at };
        let new = match (schema.aggregate, change) {
            (Aggregate::Sum, Change::Give(units)) => self.add(name, start, units, old, fresh, stamp)?,
            (Aggregate::Sum, Change::Put(_)) => unreachable!("a sum is set by adding the difference"),
            (Aggregate::Last, Change::Give(score) | Change::Put(score)) => {
                Some(latest(old, Entry { score, ..fresh }, stamp))
            }
            (_, Change::Give(score)) => Some(self.offer(schema, name, start, Entry { score, ..fresh }, old)),
            (_, Change::Put(score)) => Some(self.put(name, start, Entry { score, ..fresh }, old)),
        };
        let Some(mut new) = new else {
            self.entries.remove(name);
            return Ok(());
        };
        let key = |entry: Entry| (entry.score, entry.moment);
        if let Some(old) = old.filter(|old| key(*old) == key(new)) {
            new.sequence = old.sequence;
        }
        self.entries.insert(name.clone(), new);
        Ok(())
    }

    /// Adds points; nothing where that leaves the member out of the view.
    fn add(
        &mut self,
        name: &Name,
        start: i64,
        units: i128,
        old: Option<Entry>,
        fresh: Entry,
        stamp: Stamp,
    ) -> Result<Option<Entry>, Error> {
        let key = (start, name.clone());
        let before = self.points.get(&key).map_or(0, |points| points.units);
        let after = in_range(before + units)?;
        self.points.insert(key, Points { units: after, moment: 0, sequence: 0 });
        let now = self.span.map_or(0, |(period, _)| period.start);
        let mut moves = units != 0;
        if self.spec.carry.is_some() && start != now {
            let part = |units: i128| self.share.map_or(0, |share| i128::from(share.of(units as i64)));
            let part = (part(before), part(after));
            moves = part.0 != part.1;
            let has_points = self.points.contains_key(&(now, name.clone()));
            if part.1 == 0 && !has_points {
                self.carried.remove(name);
                return Ok(None);
            }
            if old.is_none() && !moves {
                return Ok(None);
            }
            *self.carried.entry(name.clone()).or_default() += part.1 - part.0;
        }
        let Some(old) = old else {
            return Ok(Some(Entry { score: in_range(self.sum(name))?, ..fresh }));
        };
        if !moves {
            return Ok(Some(old));
        }
        let moment = later(old.moment, stamp);
        Ok(Some(Entry { score: in_range(self.sum(name))?, moment, ..fresh }))
    }

    /// The sum of all that counts.
    fn sum(&self, name: &Name) -> i128 {
        if matches!(self.spec.kind, Kind::Periods { count: 1, .. }) {
            let now = self.span.map_or(0, |(period, _)| period.start);
            let own = self.points.get(&(now, name.clone())).map_or(0, |points| points.units);
            return own + self.carried.get(name).copied().unwrap_or(0);
        }
        self.of(name).map(|(_, points)| points.units).sum()
    }

    /// What a member has in each period that counts.
    fn of<'a>(&'a self, name: &'a Name) -> impl Iterator<Item = (i64, Points)> + 'a {
        let from = self.span.map_or(i64::MAX, |(_, from)| from);
        let own = move |((start, other), _): &(&(i64, Name), &Points)| *start >= from && other == name;
        self.points.iter().filter(own).map(|((start, _), points)| (*start, *points))
    }

    fn offer(&mut self, schema: &Schema, name: &Name, start: i64, fresh: Entry, old: Option<Entry>) -> Entry {
        let better = |old: i128| match schema.aggregate {
            Aggregate::Min => fresh.score < old,
            _ => fresh.score > old,
        };
        let key = (start, name.clone());
        if self.points.get(&key).is_none_or(|points| better(points.units)) {
            self.points.insert(key, points_of(fresh));
        }
        old.filter(|old| !better(old.score)).unwrap_or(fresh)
    }

    fn put(&mut self, name: &Name, start: i64, fresh: Entry, old: Option<Entry>) -> Entry {
        let key = (start, name.clone());
        if let Some(old) = old.filter(|old| old.score == fresh.score) {
            // It has this score already, but now also by what it got in this period.
            if self.points.get(&key).is_none_or(|points| points.units != fresh.score) {
                self.points.insert(key, points_of(fresh));
            }
            return old;
        }
        self.points.retain(|(_, other), _| other != name);
        self.points.insert(key, points_of(fresh));
        fresh
    }

    /// Goes on to the period of a moment, one boundary after the other.
    pub fn advance(&mut self, schema: &Schema, now: u64) {
        let (Some(unit), Some(mut span)) = (self.reach().map(|(unit, _)| unit), self.span) else { return };
        let goal = self.span_at(schema, now as i64);
        while span.0.start < goal.0.start {
            let ended = self.ranking(schema);
            let next = if ended.is_empty() { goal } else { self.span_at(schema, span.0.end) };
            if !ended.is_empty() {
                self.past.insert(span.0.start, ended);
            }
            span = next;
            self.span = Some(span);
            self.points.retain(|(start, _), _| *start >= span.1);
            self.carried.clear();
            self.share = self.spec.carry;
            let entries = std::mem::take(&mut self.entries);
            for (name, entry) in entries {
                if let Some(entry) = self.left(schema, &name, entry) {
                    self.entries.insert(name, entry);
                }
            }
            self.forget(schema, unit);
        }
    }

    /// Forgets the periods that are not to be kept.
    pub fn forget(&mut self, schema: &Schema, unit: Unit) {
        let Some((period, _)) = self.span else { return };
        let kept = schema.calendar.back(unit, period.start, self.spec.retain).start;
        self.past.retain(|start, _| *start >= kept);
    }

    /// What is left of an entry when a period has begun.
    fn left(&mut self, schema: &Schema, name: &Name, entry: Entry) -> Option<Entry> {
        let (period, from) = self.span?;
        if let Some(share) = self.spec.carry {
            let before = self.points.get(&(from, name.clone())).filter(|_| from < period.start)?;
            let carried = i128::from(share.of(before.units as i64));
            if carried == 0 {
                return None;
            }
            self.carried.insert(name.clone(), carried);
            return Some(Entry { score: carried, ..entry });
        }
        let counts = |moment: u64| moment as i64 >= from;
        match schema.aggregate {
            Aggregate::Sum => {
                self.of(name).next()?;
                Some(Entry { score: self.sum(name).clamp(-MOST, MOST), ..entry })
            }
            Aggregate::Last => Some(entry).filter(|entry| counts(entry.event)),
            Aggregate::Max | Aggregate::Min if counts(entry.moment) => Some(entry),
            aggregate => {
                let sign = if aggregate == Aggregate::Min { 1 } else { -1 };
                let all = self.of(name).map(|(_, points)| points);
                let best = all.min_by_key(|points| (sign * points.units, points.moment))?;
                Some(Entry { score: best.units, moment: best.moment, sequence: best.sequence, ..entry })
            }
        }
    }

    pub fn remove(&mut self, name: &Name) -> bool {
        let mut known = self.entries.remove(name).is_some();
        self.points.retain(|(_, other), _| other != name);
        self.carried.remove(name);
        for lines in self.past.values_mut() {
            let before = lines.len();
            lines.retain(|line| line.0 != *name);
            known |= lines.len() < before;
        }
        self.past.retain(|_, lines| !lines.is_empty());
        known
    }

    /// Whether a period that counts still tells of a member, ranked or not.
    pub fn remembers(&self, name: &Name) -> bool {
        self.points.keys().any(|(_, other)| other == name)
    }

    /// Nothing is carried over any more: what was carried in is as good as points of this period.
    pub fn end_carry(&mut self) {
        let Some((period, _)) = self.span else { return };
        self.carried.clear();
        let entries = self.entries.iter();
        let own = |(name, entry): (&Name, &Entry)| {
            ((period.start, name.clone()), Points { units: entry.score, moment: 0, sequence: 0 })
        };
        self.points = entries.map(own).collect();
    }

    /// From now on it matters who came first, but that is known of equals only: by their order.
    pub fn number_anew(&mut self, schema: &Schema) {
        let mut names: Vec<_> = self.ranking(schema).into_iter().map(|line| line.0).collect();
        if schema.ties == Ties::Last {
            names.reverse();
        }
        for (number, name) in (0..).zip(names) {
            self.entries.entry(name).and_modify(|entry| entry.sequence = number);
        }
    }

    /// The order of the current period.
    pub fn ranking(&self, schema: &Schema) -> Vec<Line> {
        let mut all: Vec<_> = self.entries.iter().collect();
        all.sort_by(|a, b| order(schema, *a, *b));
        all.into_iter().map(|(name, entry)| (name.clone(), entry.score, entry.moment)).collect()
    }
}

/// Who ranks higher.
fn order(schema: &Schema, (a_name, a): (&Name, &Entry), (b_name, b): (&Name, &Entry)) -> Ordering {
    let by_score = match schema.order {
        Order::Desc => b.score.cmp(&a.score),
        Order::Asc => a.score.cmp(&b.score),
    };
    by_score.then_with(|| match schema.ties {
        Ties::First => (a.moment, a.sequence).cmp(&(b.moment, b.sequence)),
        Ties::Last => (b.moment, b.sequence).cmp(&(a.moment, a.sequence)),
        Ties::Lex => a_name.cmp(b_name),
    })
}

/// The later of a moment and an event; but a moment after now comes from a clock that was wrong.
fn later(moment: u64, stamp: Stamp) -> u64 {
    if moment > stamp.now { stamp.at } else { moment.max(stamp.at) }
}

/// The later event wins; a score that it leaves as it is keeps its moment.
fn latest(old: Option<Entry>, new: Entry, stamp: Stamp) -> Entry {
    match old {
        Some(old) if later(old.event, stamp) != new.event => old,
        Some(old) if old.score == new.score && old.moment <= stamp.now => Entry { event: new.event, ..old },
        _ => new,
    }
}

fn points_of(entry: Entry) -> Points {
    Points { units: entry.score, moment: entry.moment, sequence: entry.sequence }
}

fn in_range(units: i128) -> Result<i128, Error> {
    if units.abs() <= MOST { Ok(units) } else { Err(Error::Overflow) }
}
