//! One view of the model, for real or for shown votes: tables of the points of each period, and the rankings
//! that follow from them.

mod time;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use leaderboard_core::calendar::{Period, Unit};
use leaderboard_core::schema::{Aggregate, Order, Ties};
use leaderboard_core::share::Share;
use leaderboard_core::time::Stamp;
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Error, Schema};
use leaderboard_testkit::name::Name;

/// The highest score. The lowest score is its negative.
const MOST: i128 = i64::MAX as i128;
/// The only period of the view `all`, which covers all of time.
pub const ALWAYS: Period = Period { start: i64::MIN, end: i64::MAX };

/// The declaration of an option.
#[derive(Debug, Clone)]
pub struct Choice {
    pub name: Name,
    pub weight: u32,
    pub initial: i128,
    /// The moment at which the option got its initial votes, and the number of that write among all writes.
    pub given: (u64, u64),
}

/// The effect of a write on a member's score.
#[derive(Debug, Clone, Copy)]
pub enum Change {
    /// Adds these units to a sum, or offers them as a score on other boards.
    Give(i128),
    /// Sets this score. Not used on a board of sums.
    Put(i128),
}

/// The state of a member in the current period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub score: i128,
    /// The moment of the score, and the number of the write among all writes that gave it.
    since: (u64, u64),
    /// The moment of the member's latest event in this view, even if it did not change the score.
    event: u64,
}

#[derive(Debug, Clone, Copy)]
struct Points {
    units: i128,
    /// The same as in `Entry`. Not used on a board of sums.
    since: (u64, u64),
}

/// A line of a ranking: the name, the score, and the moment of the score.
pub type Line = (Name, i128, u64);

#[derive(Debug, Clone)]
pub struct View {
    pub spec: Spec,
    /// Whether options begin each of its periods with their initial votes.
    takes_initials: bool,
    /// The current period, and the start of the first period whose events count. Nothing before the first
    /// write.
    pub span: Option<(Period, i64)>,
    /// The start of the oldest period that can be listed: the period of the first write, or a later one if older
    /// periods are lost.
    pub first: i64,
    /// The points of members in each period that still counts, by the start of the period.
    points: BTreeMap<Name, BTreeMap<i64, Points>>,
    /// What members began this period with: `carried` is a share of the period before, and `started` is the
    /// initial votes of options.
    carried: BTreeMap<Name, i128>,
    started: BTreeMap<Name, i128>,
    share: Option<Share>,
    pub entries: BTreeMap<Name, Entry>,
    /// The orders of ended periods, by the start of the period.
    past: BTreeMap<i64, Vec<Line>>,
}

impl View {
    pub fn new(spec: Spec, is_shown: bool) -> Self {
        Self {
            spec,
            takes_initials: is_shown && matches!(spec.kind, Kind::Periods { count: 1, .. }),
            span: (spec.kind == Kind::All).then_some((ALWAYS, i64::MIN)),
            first: 0,
            points: BTreeMap::new(),
            carried: BTreeMap::new(),
            started: BTreeMap::new(),
            share: None,
            entries: BTreeMap::new(),
            past: BTreeMap::new(),
        }
    }

    /// Returns its unit, and how many periods have to be known. With a carry, these are the current period
    /// and the one before it.
    pub fn reach(&self) -> Option<(Unit, u32)> {
        match self.spec.kind {
            Kind::All => None,
            Kind::Periods { unit, .. } if self.spec.carry.is_some() => Some((unit, 2)),
            Kind::Periods { unit, count } => Some((unit, count.into())),
        }
    }

    fn span_at(&self, schema: &Schema, moment: i64) -> (Period, i64) {
        let Some((unit, count)) = self.reach() else { return (ALWAYS, i64::MIN) };
        let period = schema.calendar.period(unit, moment);
        (period, schema.calendar.back(unit, period.start, count - 1).start)
    }

    /// Begins the first period, at the first write.
    pub fn start(&mut self, schema: &Schema, now: u64, choices: &[Choice]) {
        if self.span.is_none() {
            let span = self.span_at(schema, now as i64);
            (self.span, self.first, self.share) = (Some(span), span.0.start, self.spec.carry);
            self.enter_initials(choices);
        }
    }

    /// Returns whether points of this moment no longer change the score by their full amount.
    pub fn is_over(&self, at: u64) -> bool {
        let begin =
            |(period, from): (Period, i64)| if self.spec.kind.is_rolling() { from } else { period.start };
        self.span.is_some_and(|span| (at as i64) < begin(span))
    }

    /// Returns the start of the period in which a write counts, or nothing if it does not count.
    fn counted_in(&self, schema: &Schema, at: i64) -> Option<i64> {
        self.span.filter(|(_, from)| *from <= at)?;
        Some(self.start_of(schema, at))
    }

    /// Returns the start of the period that contains a moment.
    fn start_of(&self, schema: &Schema, at: i64) -> i64 {
        self.reach().map_or(i64::MIN, |(unit, _)| schema.calendar.period(unit, at).start)
    }

    pub fn apply(
        &mut self,
        schema: &Schema,
        name: &Name,
        change: Change,
        stamp: Stamp,
        arrival: u64,
    ) -> Result<(), Error> {
        let Some(start) = self.counted_in(schema, stamp.at as i64) else { return Ok(()) };
        let old = self.entries.get(name).copied();
        let fresh = |score| Entry { score, since: (stamp.at, arrival), event: stamp.at };
        let new = match (schema.aggregate, change) {
            (Aggregate::Sum, Change::Give(units)) => self.add(name, start, units, fresh(0), stamp)?,
            (Aggregate::Sum, Change::Put(_)) => unreachable!("a sum is set by adding the difference"),
            (Aggregate::Last, Change::Give(score) | Change::Put(score)) => {
                Some(latest(old, fresh(score), stamp))
            }
            (_, Change::Give(score)) => Some(self.offer(schema, name, start, fresh(score))),
            (_, Change::Put(score)) => Some(self.put(schema, name, start, fresh(score))),
        };
        let Some(mut new) = new else {
            self.entries.remove(name);
            return Ok(());
        };
        let key = |entry: Entry| (entry.score, entry.since.0);
        if let Some(old) = old.filter(|old| key(*old) == key(new)) {
            new.since = old.since;
        }
        self.entries.insert(name.clone(), new);
        Ok(())
    }

    /// Adds points to a sum. Returns nothing if the member is not in the view afterwards.
    fn add(
        &mut self,
        name: &Name,
        start: i64,
        units: i128,
        fresh: Entry,
        stamp: Stamp,
    ) -> Result<Option<Entry>, Error> {
        let old = self.entries.get(name).copied();
        let now = self.span.map_or(0, |(period, _)| period.start);
        let own = self.points.entry(name.clone()).or_default();
        let has_own = own.contains_key(&now);
        let before = own.get(&start).map_or(0, |points| points.units);
        let after = in_range(before + units)?;
        own.insert(start, Points { units: after, since: (0, 0) });
        let mut moves = units != 0;
        if self.spec.carry.is_some() && start != now {
            // The write is late, so it changes only the share that is carried over.
            let part = |units: i128| self.share.map_or(0, |share| i128::from(share.of(units as i64)));
            let part = (part(before), part(after));
            moves = part.0 != part.1;
            if part.1 == 0 && !has_own && !self.started.contains_key(name) {
                self.carried.remove(name);
                return Ok(None);
            }
            if old.is_none() && !moves {
                return Ok(None);
            }
            *self.carried.entry(name.clone()).or_default() += part.1 - part.0;
        }
        if let Some(old) = old.filter(|_| !moves) {
            return Ok(Some(old));
        }
        let score = in_range(self.sum(name))?;
        let moment = old.map_or(stamp.at, |old| later(old.since.0, stamp));
        Ok(Some(Entry { score, since: (moment, fresh.since.1), ..fresh }))
    }

    /// Adds initial votes of an option to the view `all`.
    pub fn give(&mut self, name: &Name, units: i128, stamp: Stamp, arrival: u64) {
        *self.started.entry(name.clone()).or_default() += units;
        let old = self.entries.get(name);
        let moment = old.map_or(stamp.at, |old| later(old.since.0, stamp));
        let entry = Entry { score: self.sum(name), since: (moment, arrival), event: stamp.at };
        self.entries.insert(name.clone(), entry);
    }

    /// Returns a member's score: the sum of its points in the current periods, of its carried share, and of its initial
    /// votes.
    fn sum(&self, name: &Name) -> i128 {
        let apart = [&self.carried, &self.started].map(|more| more.get(name).copied().unwrap_or(0));
        let (now, from) = self.span.map_or((0, 0), |(period, from)| (period.start, from));
        let from = if self.spec.carry.is_some() { now } else { from };
        let own = self.points.get(name).into_iter().flat_map(|own| own.range(from..));
        own.map(|(_, points)| points.units).chain(apart).sum()
    }

    fn offer(&mut self, schema: &Schema, name: &Name, start: i64, fresh: Entry) -> Entry {
        let better = |old: i128| match schema.aggregate {
            Aggregate::Min => fresh.score < old,
            _ => fresh.score > old,
        };
        let own = self.points.entry(name.clone()).or_default();
        if own.get(&start).is_none_or(|points| better(points.units)) {
            own.insert(start, points_of(fresh));
        }
        self.entries.get(name).filter(|old| !better(old.score)).copied().unwrap_or(fresh)
    }

    /// Sets a score, which hides the member's points in other periods. An equal score keeps its moment,
    /// except the moment of a later period.
    fn put(&mut self, schema: &Schema, name: &Name, start: i64, fresh: Entry) -> Entry {
        let old = self.entries.get(name).filter(|old| old.score == fresh.score).copied();
        let from = |old: Entry| self.start_of(schema, old.since.0 as i64);
        let old = old.map(|old| (old, from(old))).filter(|(_, from)| *from <= start);
        let own = self.points.entry(name.clone()).or_default();
        let Some((old, from)) = old else {
            *own = BTreeMap::from([(start, points_of(fresh))]);
            return fresh;
        };
        own.retain(|period, points| [from, start].contains(period) && points.units == fresh.score);
        own.entry(start).or_insert_with(|| points_of(fresh));
        old
    }

    pub fn remove(&mut self, name: &Name) -> bool {
        let mut known = self.points.remove(name).is_some() | self.entries.remove(name).is_some();
        self.carried.remove(name);
        self.started.remove(name);
        for lines in self.past.values_mut() {
            let before = lines.len();
            lines.retain(|line| line.0 != *name);
            known |= lines.len() < before;
        }
        self.past.retain(|_, lines| !lines.is_empty());
        known
    }

    /// Returns the order of the current period.
    pub fn ranking(&self, schema: &Schema) -> Vec<Line> {
        let mut all: Vec<_> = self.entries.iter().collect();
        all.sort_by(|a, b| order(schema, *a, *b));
        all.into_iter().map(|(name, entry)| (name.clone(), entry.score, entry.since.0)).collect()
    }

    /// Returns the order of the period with this start, or nothing if it is neither the current period nor a
    /// kept one.
    pub fn ranking_of(&self, schema: &Schema, start: Option<i64>) -> Vec<Line> {
        match (self.spec.kind, self.span, start) {
            (Kind::All, ..) => self.ranking(schema),
            (_, Some((period, _)), Some(start)) if period.start == start => self.ranking(schema),
            (_, _, Some(start)) => self.past.get(&start).cloned().unwrap_or_default(),
            _ => Vec::new(),
        }
    }
}

/// Compares two entries by rank. The entry that ranks higher is ordered first.
fn order(schema: &Schema, (a_name, a): (&Name, &Entry), (b_name, b): (&Name, &Entry)) -> Ordering {
    let by_score = match schema.order {
        Order::Desc => b.score.cmp(&a.score),
        Order::Asc => a.score.cmp(&b.score),
    };
    by_score.then_with(|| match schema.ties {
        Ties::First => a.since.cmp(&b.since),
        Ties::Last => b.since.cmp(&a.since),
        Ties::Lex => a_name.cmp(b_name),
        Ties::RevLex => b_name.cmp(a_name),
    })
}

/// Returns the later one of a moment and the moment of an event. A moment after now comes from a clock that
/// was wrong, so the event replaces it.
fn later(moment: u64, stamp: Stamp) -> u64 {
    if moment > stamp.now { stamp.at } else { moment.max(stamp.at) }
}

/// Returns the entry with the later event. If that event does not change the score, the score keeps its
/// moment.
fn latest(old: Option<Entry>, new: Entry, stamp: Stamp) -> Entry {
    match old {
        Some(old) if later(old.event, stamp) != new.event => old,
        Some(old) if old.score == new.score && old.since.0 <= stamp.now => Entry { event: new.event, ..old },
        _ => new,
    }
}

fn points_of(entry: Entry) -> Points {
    Points { units: entry.score, since: entry.since }
}

fn in_range(units: i128) -> Result<i128, Error> {
    if units.abs() <= MOST { Ok(units) } else { Err(Error::Overflow) }
}
