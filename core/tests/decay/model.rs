//! A model of a board of sums with views that decay, written from the specification. It stores each member of each
//! period, and crosses the boundaries one after the other.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use leaderboard_core::Schema;
use leaderboard_core::schema::{Order, Ties};
use leaderboard_core::share::Share;
use leaderboard_core::time::{Clock, Stamp};
use leaderboard_core::view::{Kind, Spec};

/// A whole share, in billionths.
const WHOLE: i128 = 1_000_000_000;

/// After this number of periods without a write, scores do not change any more.
const LONGEST: u32 = 4_000;

pub type Name = String;

/// The state of a member in the current period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub score: i128,
    /// The moment of the member's last points, and the number of that write.
    pub moment: u64,
    number: u64,
}

/// A line of a ranking: name and score.
pub type Line = (Name, i128);

type Entries = BTreeMap<Name, Entry>;

/// The state of a view at a moment.
#[derive(Debug, Clone, Default)]
struct State {
    /// The start of the current period. `None` before the first write.
    start: Option<i64>,
    entries: Entries,
    /// The orders of ended periods, and whether each period was written to.
    past: BTreeMap<i64, (Vec<Line>, bool)>,
    /// Ranges of ended periods with the same order: the first start, and the start after the last one.
    alike: BTreeMap<i64, i64>,
    /// Entries of future periods, on a clock that was put back.
    aside: BTreeMap<i64, Entries>,
    /// The start of the oldest period that can be read, without the limit of RETAIN.
    since: i64,
    /// The start of the last period before the current one that was written to. It is kept in any case.
    last: i64,
    /// Whether the orders of all periods after `last` follow from the order of `last`.
    follow: bool,
}

#[derive(Debug, Clone)]
pub struct View {
    pub spec: Spec,
    state: State,
    /// The state before the clock moved on. It remains until the next write.
    anchor: Option<Box<State>>,
}

pub struct Model {
    pub schema: Schema,
    pub views: Vec<View>,
    pub last: u64,
    number: u64,
    pub hidden: BTreeSet<Name>,
    /// The members that have a text.
    pub texted: BTreeSet<Name>,
    /// The members that may still have a text: nobody can read the periods that they are in, but the board may not have dropped them.
    pub doubtful: BTreeSet<Name>,
}

impl Model {
    pub fn new(schema: Schema, specs: &[Spec]) -> Self {
        let new = |spec: &Spec| View { spec: *spec, state: State::default(), anchor: None };
        let views = specs.iter().map(new).collect();
        Self {
            schema,
            views,
            last: 0,
            number: 0,
            hidden: BTreeSet::new(),
            texted: BTreeSet::new(),
            doubtful: BTreeSet::new(),
        }
    }

    pub fn advance(&mut self, now: u64) {
        for view in &mut self.views {
            view.advance(&self.schema, now as i64);
        }
        // The next change may drop the periods of these members.
        let unread: Vec<Name> = self.texted.iter().filter(|name| !self.keeps(name)).cloned().collect();
        for name in unread {
            self.texted.remove(&name);
            self.doubtful.insert(name);
        }
    }

    /// Adds points to members, one after the other.
    pub fn add(&mut self, stamp: Stamp, pairs: &[(i64, Name)]) {
        self.advance(stamp.now);
        for view in &mut self.views {
            view.begin(&self.schema, stamp.now as i64);
        }
        for (points, name) in pairs {
            self.number += 1;
            for view in &mut self.views {
                view.add(name, (*points).into(), stamp, self.number);
            }
        }
        self.last = stamp.now;
        self.keep(pairs);
    }

    pub fn unhide(&mut self, name: &Name) {
        if self.hidden.remove(name) && self.keep(&[]) {
            self.views.iter_mut().for_each(|view| view.settle(&self.schema));
        }
    }

    /// Removes the members that rank too low to be kept, and hidden members that were written to and rank too low.
    /// Returns whether there were any. Then forgets the texts of removed members that no read finds.
    fn keep(&mut self, written: &[(i64, Name)]) -> bool {
        let keep = self.schema.keep as usize;
        let mut gone = BTreeSet::new();
        for view in self.views.iter_mut().filter(|_| keep > 0) {
            let mut seen = 0;
            for (name, _) in view.state.lines(&self.schema) {
                let is_hidden = self.hidden.contains(&name);
                if seen >= keep && (!is_hidden || written.iter().any(|(_, other)| *other == name)) {
                    view.state.entries.remove(&name);
                    gone.insert(name);
                }
                seen += usize::from(!is_hidden);
            }
        }
        let unread: Vec<Name> = self.texted.iter().filter(|name| !self.keeps(name)).cloned().collect();
        for name in unread {
            self.texted.remove(&name);
            if !gone.contains(&name) || self.schema.clock == Clock::Server {
                self.doubtful.insert(name);
            }
        }
        !gone.is_empty()
    }

    /// Whether the board keeps a member with its text: it is hidden, or a read of some period finds it. A board with `KEEP` forgets
    /// the others when they fall out, or when their period is dropped. A server's clock may be put back, so there the last period
    /// with a write keeps its members.
    fn keeps(&self, name: &Name) -> bool {
        self.schema.keep == 0
            || self.hidden.contains(name)
            || self.views.iter().any(|view| view.ranks(&self.schema, name))
    }

    pub fn score(&self, view: usize, name: &Name) -> Option<i128> {
        self.views[view].state.entries.get(name).map(|entry| entry.score)
    }

    pub fn remove(&mut self, name: &Name) {
        self.hidden.remove(name);
        self.texted.remove(name);
        self.doubtful.remove(name);
        for view in &mut self.views {
            let states = [Some(&mut view.state), view.anchor.as_deref_mut()];
            states.into_iter().flatten().for_each(|state| state.remove(name));
        }
    }

    /// Gives the views new specifications. Everything before this moment becomes final.
    pub fn alter(&mut self, specs: &[Spec]) {
        for (view, spec) in self.views.iter_mut().zip(specs) {
            view.alter(&self.schema, *spec);
        }
    }
}

impl State {
    fn remove(&mut self, name: &Name) {
        self.entries.remove(name);
        self.past.values_mut().for_each(|(lines, _)| lines.retain(|line| line.0 != *name));
        self.aside.values_mut().for_each(|entries| _ = entries.remove(name));
    }

    /// Returns the members in the order of their ranks.
    fn lines(&self, schema: &Schema) -> Vec<Line> {
        let mut all: Vec<_> = self.entries.iter().collect();
        all.sort_by(|a, b| order(schema, *a, *b));
        all.into_iter().map(|(name, entry)| (name.clone(), entry.score)).collect()
    }

    /// Numbers the entries in the order of these lines.
    fn number(&mut self, schema: &Schema, lines: &[Line]) {
        for (at, (name, _)) in (0..).zip(lines) {
            let number = if schema.ties == Ties::Last { lines.len() as u64 - at } else { at + 1 };
            self.entries.entry(name.clone()).and_modify(|entry| entry.number = number);
        }
    }
}

impl View {
    fn period(&self, schema: &Schema, at: i64) -> Option<(i64, i64)> {
        let Kind::Periods { unit, .. } = self.spec.kind else { return None };
        let period = schema.calendar.period(unit, at);
        Some((period.start, period.end))
    }

    fn back(&self, schema: &Schema, start: i64, count: u32) -> i64 {
        let Kind::Periods { unit, .. } = self.spec.kind else { return start };
        schema.calendar.back(unit, start, count).start
    }

    fn begin(&mut self, schema: &Schema, now: i64) {
        if self.state.start.is_none() {
            let start = self.period(schema, now).map_or(i64::MIN, |(start, _)| start);
            (self.state.start, self.state.since, self.state.last) = (Some(start), start, i64::MAX);
        }
        self.settle(schema);
    }

    /// Makes everything before this moment final: after a write, the state before the clock moved on cannot come
    /// back. Periods that are not kept are lost.
    fn settle(&mut self, schema: &Schema) {
        let Some(start) = self.state.start else { return };
        let anchor = self.anchor.take().and_then(|anchor| anchor.start).unwrap_or(start);
        let (mut last, mut follow) = (anchor, true);
        let within = self.state.aside.range(anchor + 1..start.max(anchor + 1));
        let filled: Vec<_> =
            within.filter(|(_, entries)| !entries.is_empty()).map(|(start, _)| *start).collect();
        if !filled.is_empty() {
            // The orders of these periods do not follow from the anchor alone, so they count as written.
            (last, follow) = (*filled.last().unwrap(), false);
            for origin in filled.into_iter().chain([anchor]) {
                let mut next = origin;
                for _ in 0..=LONGEST {
                    self.state.past.entry(next).and_modify(|(_, is_written)| *is_written = true);
                    next = self.period(schema, next).unwrap().1;
                }
            }
        }
        self.state.since = self.oldest(schema);
        let is_kept = schema.clock == Clock::Server;
        if is_kept && anchor < start {
            (self.state.last, self.state.follow) = (last, follow);
        }
        let State { since, last, follow, .. } = self.state;
        self.state.past.retain(|start, _| since <= *start || last == *start || follow && last < *start);
        self.state.aside.retain(|other, _| *other > start);
    }

    fn advance(&mut self, schema: &Schema, now: i64) {
        let (Some(start), Some((goal, _))) = (self.state.start, self.period(schema, now)) else { return };
        if goal < start {
            self.go_back(schema, goal);
        }
        self.go_on(schema, goal);
    }

    fn go_on(&mut self, schema: &Schema, goal: i64) {
        let Some(begin) = self.state.start.filter(|start| *start < goal) else { return };
        let is_written = self.anchor.is_none();
        self.anchor.get_or_insert_with(|| Box::new(self.state.clone()));
        let kept = self.back(schema, goal, self.spec.retain);
        self.state.alike.split_off(&begin);
        let mut start = begin;
        while start < goal {
            let lines = self.state.lines(schema);
            if !lines.is_empty() {
                self.state.past.insert(start, (lines, is_written && start == begin));
            }
            let next = self.period(schema, start).unwrap().1;
            let before = self.state.entries.clone();
            self.turn();
            // Nothing changes any more before the next entries that were set aside. Only the kept periods have to be
            // visited.
            let is_still = self.state.entries == before;
            let until = self.state.aside.range(next..).next().map_or(kept, |(next, _)| kept.min(*next));
            let end = if is_still { until.clamp(next, goal) } else { next };
            self.state.alike.insert(start, end);
            start = end;
            if let Some(aside) = self.state.aside.get(&start) {
                self.state.entries.extend(aside.clone());
            }
        }
        self.state.start = Some(goal);
    }

    /// Multiplies all scores by the share of the decay, and removes scores of 0.
    fn turn(&mut self) {
        let share = i128::from(self.spec.decay.map_or(0, Share::billionths));
        for entry in self.state.entries.values_mut() {
            // The score is rounded towards 0.
            entry.score = entry.score * share / WHOLE;
        }
        self.state.entries.retain(|_, entry| entry.score != 0);
    }

    fn go_back(&mut self, schema: &Schema, goal: i64) {
        if let Some(anchor) = self.anchor.take() {
            self.state = *anchor;
            if self.state.start <= Some(goal) {
                return;
            }
        }
        let start = self.state.start.unwrap();
        let State { last, follow, .. } = self.state;
        let is_kept = self.oldest(schema) <= goal || last == goal || follow && last < goal;
        let later = self.state.past.split_off(&(goal + 1));
        for (start, (lines, _)) in later.into_iter().filter(|(_, (_, is_written))| *is_written) {
            self.state.aside.insert(start, as_they_stand(schema, &lines, start));
        }
        self.state.aside.insert(start, std::mem::take(&mut self.state.entries));
        let like = self.state.alike.range(..=goal).next_back().filter(|(_, end)| goal < **end);
        let like = like.map_or(goal, |(start, _)| *start);
        let lines = self.state.past.get(&like).map(|(lines, _)| lines.clone()).filter(|_| is_kept);
        self.state.past.remove(&goal);
        self.state.entries = as_they_stand(schema, &lines.unwrap_or_default(), goal);
        self.state.last = if self.state.last < goal { self.state.last } else { i64::MAX };
        self.state.start = Some(goal);
        self.state.since = self.state.since.min(goal);
    }

    /// Returns the start of the oldest period that can be read.
    fn oldest(&self, schema: &Schema) -> i64 {
        let start = self.state.start.unwrap_or(i64::MIN);
        self.state.since.max(self.back(schema, start, self.spec.retain))
    }

    /// Returns whether a member is in the current period, or in an earlier one that can be read.
    fn ranks(&self, schema: &Schema, name: &Name) -> bool {
        let mut kept = self.state.past.range(self.oldest(schema)..);
        self.state.entries.contains_key(name)
            || kept.any(|(_, (lines, _))| lines.iter().any(|line| line.0 == *name))
    }

    fn add(&mut self, name: &Name, points: i128, stamp: Stamp, number: u64) {
        if (stamp.at as i64) < self.state.start.unwrap_or(i64::MIN) {
            return;
        }
        let fresh = Entry { score: points, moment: stamp.at, number };
        let later = |moment: u64| if moment > stamp.now { stamp.at } else { moment.max(stamp.at) };
        let entry = match self.state.entries.get(name) {
            None => fresh,
            Some(old) if points == 0 => *old,
            Some(old) => Entry { score: old.score + points, moment: later(old.moment), number },
        };
        self.state.entries.insert(name.clone(), entry);
    }

    fn alter(&mut self, schema: &Schema, spec: Spec) {
        self.settle(schema);
        if self.spec.decay.is_none() && spec.decay.is_some() {
            let lines = self.state.lines(schema);
            self.state.number(schema, &lines);
        }
        self.spec = spec;
        self.settle(schema);
    }

    /// Returns the starts of the current period and of the earlier periods that can be read, newest first.
    pub fn starts(&self, schema: &Schema) -> Vec<i64> {
        let Some(mut start) = self.state.start else { return Vec::new() };
        let mut starts = vec![start];
        while self.spec.kind != Kind::All && start > self.oldest(schema) {
            start = self.back(schema, start, 1);
            starts.push(start);
        }
        starts
    }

    /// Returns the order of the period with this start.
    pub fn lines(&self, schema: &Schema, start: i64) -> Vec<Line> {
        if self.state.start == Some(start) {
            return self.state.lines(schema);
        }
        let past = self.state.past.get(&start).filter(|_| start >= self.oldest(schema));
        past.map(|(lines, _)| lines.clone()).unwrap_or_default()
    }

    pub fn moment(&self, name: &Name) -> Option<u64> {
        self.state.entries.get(name).map(|entry| entry.moment)
    }
}

/// Returns the entries of an order of which only the scores are known.
fn as_they_stand(schema: &Schema, lines: &[Line], start: i64) -> Entries {
    let entry =
        |(name, score): &Line| (name.clone(), Entry { score: *score, moment: start as u64, number: 0 });
    let mut state = State { entries: lines.iter().map(entry).collect(), ..State::default() };
    state.number(schema, lines);
    state.entries
}

/// Compares two entries by rank. The entry that ranks higher is ordered first.
fn order(schema: &Schema, (a_name, a): (&Name, &Entry), (b_name, b): (&Name, &Entry)) -> Ordering {
    let by_score = match schema.order {
        Order::Desc => b.score.cmp(&a.score),
        Order::Asc => a.score.cmp(&b.score),
    };
    let since = |entry: &Entry| (entry.moment, entry.number);
    by_score.then_with(|| match schema.ties {
        Ties::First => since(a).cmp(&since(b)),
        Ties::Last => since(b).cmp(&since(a)),
        Ties::Lex => a_name.cmp(b_name),
        Ties::RevLex => b_name.cmp(a_name),
    })
}
