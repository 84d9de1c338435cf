//! A board that sums up points, equal scores in the order in which members got them: for each view the points of each member in
//! each period of its window. Everything that is read is computed from these points.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use chrono_tz::Tz;

use super::calendar::{self, Unit};

/// The number of a member.
pub type Member = usize;

/// How far ahead of now a moment may be.
pub const MOST_AHEAD: u64 = 60_000;

/// Where a member stands. Among equal scores and moments, the one that was applied earlier stands first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub score: i64,
    pub moment: u64,
    pub step: u64,
}

impl Entry {
    /// Returns what entries are ordered by, best first.
    pub fn place(&self) -> (Reverse<i64>, u64, u64) {
        (Reverse(self.score), self.moment, self.step)
    }
}

/// What a member got in one period of a view.
#[derive(Clone, Copy)]
struct Cell {
    sum: i64,
    moment: u64,
    /// Whether a write has changed the score: a write of 0 points only enters the member.
    is_changed: bool,
}

/// Which periods a view ranks by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Span {
    All,
    /// A number of periods, the present one included.
    Last(u64, Unit),
}

/// A view.
#[derive(Clone)]
pub struct View {
    pub name: &'static str,
    pub span: Span,
    zone: Tz,
    pub retain: usize,
    /// The start of the present period; `None` before the first write.
    pub start: Option<u64>,
    cells: BTreeMap<u64, Vec<Option<Cell>>>,
    /// The number of the last write that changed a member's score here.
    steps: Vec<u64>,
    /// The present entries.
    pub entries: Vec<Option<Entry>>,
    /// The points with which members begin each period.
    pub initial: Vec<i64>,
    /// The ended periods that are kept: members and scores, best first.
    pub ended: BTreeMap<u64, Vec<(Member, i64)>>,
}

impl View {
    /// A view without entries.
    pub fn new(name: &'static str, span: Span, zone: Tz, retain: usize, members: usize) -> Self {
        Self {
            name,
            span,
            zone,
            retain,
            start: None,
            cells: BTreeMap::new(),
            steps: vec![0; members],
            entries: vec![None; members],
            initial: vec![0; members],
            ended: BTreeMap::new(),
        }
    }

    /// Returns the start of the period that holds a moment.
    pub fn period(&self, at: u64) -> u64 {
        match self.span {
            Span::All => 0,
            Span::Last(_, unit) => calendar::start(unit, self.zone, at),
        }
    }

    /// Returns the start of the period that is `back` periods before the present one. `None` before the first write.
    pub fn earlier(&self, back: u64) -> Option<u64> {
        let start = self.start?;
        match self.span {
            Span::All => None,
            Span::Last(_, unit) => Some(calendar::earlier(unit, self.zone, start, back)),
        }
    }

    /// Returns the name of the day or week that is `back` periods before the present one.
    pub fn label(&self, back: u64) -> Option<String> {
        let start = self.earlier(back)?;
        match self.span {
            Span::Last(_, Unit::Day) => Some(calendar::day_label(self.zone, start)),
            Span::Last(_, Unit::Week) => Some(calendar::week_label(self.zone, start)),
            _ => None,
        }
    }

    /// The start of the first period that counts.
    fn oldest(&self) -> u64 {
        match self.span {
            Span::All => 0,
            Span::Last(number, _) => self.earlier(number - 1).unwrap_or(0),
        }
    }

    /// Ends the periods that are over. `end` sees the view as each of them ends.
    fn advance(&mut self, now: u64, mut end: impl FnMut(u64, &View)) {
        let Span::Last(_, unit) = self.span else { return };
        let present = self.period(now);
        while let Some(start) = self.start.filter(|start| *start < present) {
            end(start, self);
            self.ended.insert(start, self.ranking());
            self.begin(calendar::next(unit, self.zone, start));
            self.trim();
        }
    }

    /// Begins a period.
    pub fn begin(&mut self, start: u64) {
        self.start = Some(start);
        let oldest = self.oldest();
        self.cells.retain(|start, _| *start >= oldest);
        let initial =
            |points: &i64| (*points != 0).then_some(Cell { sum: *points, moment: start, is_changed: true });
        if self.span != Span::All && self.initial.iter().any(|points| *points != 0) {
            self.cells.insert(start, self.initial.iter().map(initial).collect());
            self.steps.fill(0);
        }
        self.compute_all();
    }

    /// Drops the ended periods beyond the number that is kept.
    pub fn trim(&mut self) {
        while self.ended.len() > self.retain {
            self.ended.pop_first();
        }
    }

    fn compute_all(&mut self) {
        (0..self.entries.len()).for_each(|member| self.compute(member));
    }

    fn compute(&mut self, member: Member) {
        let cells: Vec<Cell> = self.cells.values().filter_map(|cells| cells[member]).collect();
        let changed = cells.iter().filter(|cell| cell.is_changed).map(|cell| cell.moment).max();
        let moment = changed.or_else(|| cells.iter().map(|cell| cell.moment).min());
        let score = cells.iter().map(|cell| cell.sum).sum();
        self.entries[member] = moment.map(|moment| Entry { score, moment, step: self.steps[member] });
    }

    /// Adds points at a moment. Nothing happens if its period does not count any more.
    pub fn add(&mut self, member: Member, points: i64, (at, now, step): (u64, u64, u64)) {
        let (period, members) = (self.period(at), self.entries.len());
        if self.start.is_none() {
            self.begin(self.period(now));
        }
        if period < self.oldest() {
            return;
        }
        let cells = self.cells.entry(period).or_insert_with(|| vec![None; members]);
        let is_new = self.entries[member].is_none();
        let cell = cells[member].get_or_insert(Cell { sum: 0, moment: at, is_changed: false });
        cell.sum += points;
        if points != 0 {
            cell.moment = cell.moment.max(at);
            cell.is_changed = true;
        }
        if points != 0 || is_new {
            self.steps[member] = step;
        }
        self.compute(member);
    }

    fn remove(&mut self, member: Member) {
        self.cells.values_mut().for_each(|cells| cells[member] = None);
        self.ended.values_mut().for_each(|lines| lines.retain(|(other, _)| *other != member));
        self.entries[member] = None;
    }

    /// Returns all members with their scores, best first, hidden ones too.
    pub fn ranking(&self) -> Vec<(Member, i64)> {
        let mut ranking: Vec<(Member, Entry)> = self.all().collect();
        ranking.sort_by_key(|(_, entry)| entry.place());
        ranking.into_iter().map(|(member, entry)| (member, entry.score)).collect()
    }

    /// Returns all members with their entries.
    pub fn all(&self) -> impl Iterator<Item = (Member, Entry)> {
        self.entries.iter().enumerate().filter_map(|(member, entry)| Some((member, (*entry)?)))
    }
}

/// A board.
#[derive(Clone)]
pub struct Board {
    /// Whether the greatest moment of all writes is now. Else it is the server's clock.
    is_event: bool,
    zone: Tz,
    members: usize,
    pub views: Vec<View>,
    pub hidden: BTreeSet<Member>,
    /// The greatest now at which something was written.
    pub last: u64,
    /// The ids of the requests that were applied.
    ids: HashSet<u64>,
    /// The number of writes.
    pub steps: u64,
}

/// A moment that is too far ahead of the server's clock.
#[derive(Debug, PartialEq)]
pub struct TooFarAhead;

impl Board {
    /// A board without members. Views have a name, periods, and the number of ended periods that they keep.
    pub fn new(is_event: bool, zone: Tz, members: usize, views: &[(&'static str, Span, usize)]) -> Self {
        let views =
            views.iter().map(|(name, span, retain)| View::new(name, *span, zone, *retain, members)).collect();
        Self {
            is_event,
            zone,
            members,
            views,
            hidden: BTreeSet::new(),
            last: 0,
            ids: HashSet::new(),
            steps: 0,
        }
    }

    /// Adds a view, which begins empty.
    pub fn add_view(&mut self, name: &'static str, span: Span, retain: usize, wall: u64) {
        let mut view = View::new(name, span, self.zone, retain, self.members);
        view.begin(view.period(self.now(wall)));
        self.views.push(view);
    }

    /// Returns the view with this name.
    pub fn view(&self, name: &str) -> &View {
        self.views.iter().find(|view| view.name == name).expect("a view")
    }

    /// Returns the board's now.
    pub fn now(&self, wall: u64) -> u64 {
        if self.is_event { self.last } else { self.last.max(wall) }
    }

    /// Ends the periods that are over. `end` gets the number of a view, the start of the period, and the view at its end.
    pub fn advance(&mut self, now: u64, mut end: impl FnMut(usize, u64, &View)) {
        for (number, view) in self.views.iter_mut().enumerate() {
            view.advance(now, |start, view| end(number, start, view));
        }
    }

    /// Returns the moment at which a write counts, and the now that it makes.
    pub fn moment(&self, at: Option<u64>, wall: u64) -> Result<(u64, u64), TooFarAhead> {
        let now = self.now(wall);
        match at {
            Some(at) if self.is_event => Ok((at, now.max(at))),
            Some(at) if at > now + MOST_AHEAD => Err(TooFarAhead),
            at => Ok((at.unwrap_or(now).min(now), now)),
        }
    }

    /// Whether this request was applied before.
    pub fn knows(&self, id: u64) -> bool {
        self.ids.contains(&id)
    }

    /// Adds points to members, at a moment and a now that [`Self::moment`] gave. The board has been advanced to this now.
    pub fn add(&mut self, id: Option<u64>, pairs: &[(Member, i64)], (at, now): (u64, u64)) {
        self.last = now;
        self.ids.extend(id);
        for (member, points) in pairs {
            self.steps += 1;
            let time = (at, now, self.steps);
            self.views.iter_mut().for_each(|view| view.add(*member, *points, time));
        }
    }

    /// Removes a member from all views and periods. Returns whether it was there.
    pub fn remove(&mut self, member: Member) -> bool {
        let is_known = |view: &View| {
            view.entries[member].is_some() || view.ended.values().flatten().any(|(other, _)| *other == member)
        };
        let was_there = self.views.iter().any(is_known);
        self.views.iter_mut().for_each(|view| view.remove(member));
        self.hidden.remove(&member);
        was_there
    }

    /// Returns the rank and the score of a member, among the members that are not hidden.
    pub fn standing(&self, view: &View, member: Member) -> Option<(u64, i64)> {
        let own = view.entries[member]?;
        let is_better = |(other, entry): &(Member, Entry)| {
            *other != member && entry.place() < own.place() && !self.hidden.contains(other)
        };
        Some((1 + view.all().filter(is_better).count() as u64, own.score))
    }

    /// Returns the present ranking, without hidden members.
    pub fn ranking(&self, view: &View) -> Vec<(Member, i64)> {
        self.without_hidden(view.ranking())
    }

    /// Returns the ranking of the period that is `back` periods before the present one, as all see it now.
    pub fn past(&self, view: &View, back: u64) -> Vec<(Member, i64)> {
        view.earlier(back).map_or_else(Vec::new, |start| self.past_of(view, start))
    }

    /// Returns the ranking of the ended period that began then, as all see it now.
    pub fn past_of(&self, view: &View, start: u64) -> Vec<(Member, i64)> {
        self.without_hidden(view.ended.get(&start).cloned().unwrap_or_default())
    }

    fn without_hidden(&self, mut lines: Vec<(Member, i64)>) -> Vec<(Member, i64)> {
        lines.retain(|(member, _)| !self.hidden.contains(member));
        lines
    }
}
