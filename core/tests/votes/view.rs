//! One view of a board of sums, for one of the two counts, done plainly: what members got stands in a
//! table by period, and every score is added up from it.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use leaderboard_core::Schema;
use leaderboard_core::calendar::{Period, Unit};
use leaderboard_core::schema::{Order, Ties};
use leaderboard_core::time::Stamp;
use leaderboard_core::view::{Kind, Share, Spec};

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

/// What an option was declared with.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub name: Name,
    pub weight: u32,
    pub initial: i128,
    /// When it was given the initial votes, and by which write among all.
    pub given: (u64, u64),
}

/// Where a member has got to in the current period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub score: i128,
    /// The moment of the score, and which write among all brought it.
    pub since: (u64, u64),
}

/// A line of a ranking: name, score, and when the member got it.
pub type Line = (Name, i128, u64);

#[derive(Debug, Clone)]
pub struct View {
    pub spec: Spec,
    /// Whether options start its periods with votes.
    takes_initials: bool,
    /// The current period, and since when points count in it; nothing before the first write.
    pub span: Option<(Period, i64)>,
    /// Start of the first period with a write.
    pub first: i64,
    /// What members got in each period that still counts.
    points: BTreeMap<(i64, Name), i128>,
    /// What members began this period with: of the one before, by a share, and as options.
    carried: BTreeMap<Name, i128>,
    started: BTreeMap<Name, i128>,
    share: Option<Share>,
    pub entries: BTreeMap<Name, Entry>,
    /// Orders of ended periods by their starts.
    pub past: BTreeMap<i64, Vec<Line>>,
}

/// All of time is one period of the view `all`.
pub const ALWAYS: Period = Period { start: i64::MIN, end: i64::MAX };

impl View {
    pub fn new(spec: Spec, is_shown: bool) -> Self {
        let is_cycle = matches!(spec.kind, Kind::Periods { count: 1, .. });
        Self {
            spec,
            takes_initials: is_cycle && is_shown,
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
    pub fn start(&mut self, schema: &Schema, now: u64, candidates: &[Candidate]) {
        if self.span.is_none() {
            let span = self.span_at(schema, now as i64);
            (self.span, self.first, self.share) = (Some(span), span.0.start, self.spec.carry);
            self.enter_initials(candidates);
        }
    }

    /// Whether points of a moment no longer move the score as they are.
    pub fn is_over(&self, at: u64) -> bool {
        let begin =
            |(period, from): (Period, i64)| if self.spec.kind.is_rolling() { from } else { period.start };
        self.span.is_some_and(|span| (at as i64) < begin(span))
    }

    /// Start of the period that a write counts in, if it counts.
    pub fn counted_in(&self, schema: &Schema, at: i64) -> Option<i64> {
        self.span.filter(|(_, from)| *from <= at)?;
        Some(self.reach().map_or(i64::MIN, |(unit, _)| schema.calendar.period(unit, at).start))
    }

    pub fn add(&mut self, schema: &Schema, name: &Name, units: i128, stamp: Stamp, sequence: u64) {
        let Some(start) = self.counted_in(schema, stamp.at as i64) else { return };
        let now = self.span.map_or(0, |(period, _)| period.start);
        let old = self.entries.get(name).copied();
        let points = self.points.entry((start, name.clone())).or_default();
        let before = *points;
        *points += units;
        let after = *points;
        let mut moves = units != 0;
        if self.spec.carry.is_some() && start != now {
            // It was late, and only what is carried over tells of it.
            let part = |units: i128| self.share.map_or(0, |share| i128::from(share.of(units as i64)));
            moves = part(before) != part(after);
            if part(after) == 0 {
                self.carried.remove(name);
            } else {
                self.carried.insert(name.clone(), part(after));
            }
            let has_points = self.points.contains_key(&(now, name.clone()));
            if part(after) == 0 && !has_points && !self.started.contains_key(name) {
                self.entries.remove(name);
                return;
            }
            if old.is_none() && !moves {
                return;
            }
        }
        let score = self.sum(name);
        let since = match old {
            None => (stamp.at, sequence),
            Some(old) if !moves => old.since,
            Some(old) => {
                let moment = later(old.since.0, stamp);
                if (old.score, old.since.0) == (score, moment) { old.since } else { (moment, sequence) }
            }
        };
        self.entries.insert(name.clone(), Entry { score, since });
    }

    /// Shown votes that an option has from now on beside all others, in the view `all`.
    pub fn give(&mut self, name: &Name, units: i128, stamp: Stamp, sequence: u64) {
        *self.started.entry(name.clone()).or_default() += units;
        let score = self.sum(name);
        let old = self.entries.get(name);
        let moment = old.map_or(stamp.at, |old| later(old.since.0, stamp));
        self.entries.insert(name.clone(), Entry { score, since: (moment, sequence) });
    }

    /// The sum of all that counts.
    fn sum(&self, name: &Name) -> i128 {
        let apart = [&self.carried, &self.started].map(|more| more.get(name).copied().unwrap_or(0));
        let (now, from) = self.span.map_or((0, 0), |(period, from)| (period.start, from));
        let from = if self.spec.carry.is_some() { now } else { from };
        let own = self.points.iter().filter(|((start, other), _)| *start >= from && other == name);
        own.map(|(_, units)| units).sum::<i128>() + apart.iter().sum::<i128>()
    }

    /// Goes on to the period of a moment, one boundary after the other.
    pub fn advance(&mut self, schema: &Schema, now: u64, candidates: &[Candidate]) {
        let (Some((unit, count)), Some(mut span)) = (self.reach(), self.span) else { return };
        let goal = self.span_at(schema, now as i64);
        let mut turns = 0;
        while span.0.start < goal.0.start {
            let ended = self.ranking(schema);
            if !ended.is_empty() {
                self.past.insert(span.0.start, ended);
            }
            turns += 1;
            let mut next = span.0.end;
            if turns > count {
                // All periods are alike from here on; only those that are kept matter.
                next = next.max(schema.calendar.back(unit, goal.0.start, self.spec.retain).start);
            }
            span = self.span_at(schema, next);
            self.span = Some(span);
            self.points.retain(|(start, _), _| *start >= span.1);
            self.turn();
            self.enter_initials(candidates);
            self.forget(schema, unit);
        }
    }

    /// What is left of each member when a period has begun.
    fn turn(&mut self) {
        self.carried.clear();
        self.started.clear();
        self.share = self.spec.carry;
        let Some((period, from)) = self.span else { return };
        for (name, entry) in std::mem::take(&mut self.entries) {
            let is_left = match self.spec.carry {
                Some(share) => {
                    let before = self.points.get(&(from, name.clone())).filter(|_| from < period.start);
                    let part = before.map_or(0, |before| i128::from(share.of(*before as i64)));
                    if part != 0 {
                        self.carried.insert(name.clone(), part);
                    }
                    part != 0
                }
                None => self.points.keys().any(|(_, other)| *other == name),
            };
            if is_left {
                let score = self.sum(&name);
                self.entries.insert(name, Entry { score, ..entry });
            }
        }
    }

    /// Options begin a period with their votes, beside what they carried over.
    fn enter_initials(&mut self, candidates: &[Candidate]) {
        for candidate in candidates.iter().filter(|candidate| self.takes_initials && candidate.initial != 0) {
            self.started.insert(candidate.name.clone(), candidate.initial);
            let since = self
                .entries
                .get(&candidate.name)
                .map_or(candidate.given, |old| old.since.max(candidate.given));
            let score = self.sum(&candidate.name);
            self.entries.insert(candidate.name.clone(), Entry { score, since });
        }
    }

    /// Forgets the periods that are not to be kept.
    pub fn forget(&mut self, schema: &Schema, unit: Unit) {
        let Some((period, _)) = self.span else { return };
        let kept = schema.calendar.back(unit, period.start, self.spec.retain).start;
        self.past.retain(|start, _| *start >= kept);
    }

    /// The period of a moment, once there is one; also on a clock that was put back.
    pub fn present(&self, schema: &Schema, now: u64) -> Option<Period> {
        self.span.map(|_| self.span_at(schema, now as i64).0)
    }

    /// A clock that is put back to a moment makes that period one that was seen.
    pub fn put_back(&mut self, schema: &Schema, now: u64) {
        self.first = self.present(schema, now).map_or(self.first, |period| self.first.min(period.start));
    }

    /// What has not been kept until now stays gone, whatever is kept from now on.
    pub fn let_go(&mut self, schema: &Schema, now: u64) {
        let (Some((unit, _)), Some(period)) = (self.reach(), self.present(schema, now)) else { return };
        self.first = self.first.max(schema.calendar.back(unit, period.start, self.spec.retain).start);
    }

    pub fn remove(&mut self, name: &Name) {
        self.entries.remove(name);
        self.points.retain(|(_, other), _| other != name);
        self.carried.remove(name);
        self.started.remove(name);
        for lines in self.past.values_mut() {
            lines.retain(|line| line.0 != *name);
        }
        self.past.retain(|_, lines| !lines.is_empty());
    }

    /// Whether anything tells of a member.
    pub fn knows(&self, name: &Name) -> bool {
        self.entries.contains_key(name) || self.past.values().flatten().any(|line| line.0 == *name)
    }

    /// The order of the current period.
    pub fn ranking(&self, schema: &Schema) -> Vec<Line> {
        let mut all: Vec<_> = self.entries.iter().collect();
        all.sort_by(|a, b| order(schema, *a, *b));
        all.into_iter().map(|(name, entry)| (name.clone(), entry.score, entry.since.0)).collect()
    }

    /// The order of a period by its start; nothing where it is neither the current one nor kept.
    pub fn ranking_of(&self, schema: &Schema, start: Option<i64>) -> Vec<Line> {
        match (self.spec.kind, self.span, start) {
            (Kind::All, ..) => self.ranking(schema),
            (_, Some((period, _)), Some(start)) if period.start == start => self.ranking(schema),
            (_, _, Some(start)) => self.past.get(&start).cloned().unwrap_or_default(),
            _ => Vec::new(),
        }
    }
}

/// Who ranks higher.
fn order(schema: &Schema, (a_name, a): (&Name, &Entry), (b_name, b): (&Name, &Entry)) -> Ordering {
    let by_score = match schema.order {
        Order::Desc => b.score.cmp(&a.score),
        Order::Asc => a.score.cmp(&b.score),
    };
    by_score.then_with(|| match schema.ties {
        Ties::First => a.since.cmp(&b.since),
        Ties::Last => b.since.cmp(&a.since),
        Ties::Lex => a_name.cmp(b_name),
    })
}

/// The later of a moment and an event; but a moment after now comes from a clock that was wrong.
fn later(moment: u64, stamp: Stamp) -> u64 {
    if moment > stamp.now { stamp.at } else { moment.max(stamp.at) }
}
