//! A board as the specification tells it, in the plainest way: each view has a map from members to scores for
//! each period, and everything is sorted anew for each read.

mod op;
pub mod read;
pub mod score;
mod view;

use std::collections::{BTreeMap, BTreeSet};

use leaderboard_core::schema::{Aggregate, Ranks, Ties};

pub use op::{Fate, Op, Position, Refused, Sent, Told};
use read::Ranking;
use score::{Level, Score};
pub use view::{Entry, Kind, View};

/// A member.
pub type Name = Vec<u8>;

/// How far ahead of now an `AT` may lie, in milliseconds.
pub const MAX_FUTURE: u64 = 60_000;

/// What a board is made for.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Whether the least score is the best.
    pub ascending: bool,
    /// What a write makes of a score.
    pub aggregate: Aggregate,
    /// Which of two equals is first.
    pub ties: Ties,
    /// Digits behind the point.
    pub decimals: u8,
    /// Whether the board's clock follows the moments of events.
    pub is_event: bool,
    /// None: scores are plain numbers.
    pub levels: Vec<Level>,
    /// The kinds of the views, the default one first.
    pub kinds: Vec<Kind>,
    /// How many ended periods stay readable.
    pub retain: u64,
    /// How many members a view keeps; 0 for all.
    pub keep: usize,
    /// Whether shown votes are counted beside the real votes.
    pub shown: bool,
}

/// A board.
#[derive(Debug, Clone)]
pub struct Model {
    /// The board's rules.
    pub rules: Rules,
    /// The greatest time seen.
    pub last: u64,
    /// The board's views, the default view first.
    pub views: Vec<View>,
    /// The real votes, where they are counted apart.
    pub real: Vec<View>,
    /// Members that readers do not see.
    pub hidden: BTreeSet<Name>,
    /// Texts of members.
    pub metas: BTreeMap<Name, Vec<u8>>,
    /// How much a vote for a member counts.
    pub weights: BTreeMap<Name, i64>,
    /// For how many seconds request ids are remembered. None: for ever.
    pub dedup: Option<u64>,
    requests: BTreeMap<Vec<u8>, (Op, u64)>,
    /// How many single writes there were.
    number: u64,
    /// Who was written to since it was removed.
    written: BTreeSet<Name>,
}

impl Model {
    /// A board without members.
    pub fn new(rules: Rules) -> Self {
        let views: Vec<View> = rules.kinds.iter().map(|kind| View::new(*kind)).collect();
        let real = if rules.shown { views.clone() } else { Vec::new() };
        Self {
            rules,
            last: 0,
            views,
            real,
            hidden: BTreeSet::new(),
            metas: BTreeMap::new(),
            weights: BTreeMap::new(),
            dedup: None,
            requests: BTreeMap::new(),
            number: 0,
            written: BTreeSet::new(),
        }
    }

    /// The board's time, at this time of the server's clock.
    pub fn now(&self, wall: u64) -> u64 {
        if self.rules.is_event { self.last } else { self.last.max(wall) }
    }

    /// Lets time go on.
    pub fn advance(&mut self, now: u64) {
        if self.rules.is_event && self.last == 0 {
            return;
        }
        for view in self.views.iter_mut().chain(&mut self.real) {
            view.advance(&self.rules, now);
        }
    }

    /// The entries in their order.
    pub fn ranking(&self, entries: &BTreeMap<Name, Entry>) -> Ranking {
        Ranking::new(&self.rules, entries, &self.hidden)
    }

    /// The score of a member in a view.
    pub fn score(&self, view: usize, name: &[u8]) -> Option<Score> {
        self.views[view].entries.get(name).map(|entry| entry.score.clone())
    }

    /// The positions of the members of a write.
    fn positions(&self, sent: &Sent) -> Vec<Position> {
        let ranking = self.ranking(&self.views[sent.view].entries);
        let of =
            |name: &[u8]| ranking.position(name, Ranks::Ordinal, false).map(|(rank, score)| (score, rank));
        sent.op.pairs().iter().map(|(_, name)| of(name)).collect()
    }

    fn told(&self, sent: &Sent, fate: Fate) -> Told {
        Told { fate, now: self.positions(sent), before: None }
    }

    /// The board's time, and the moment of the event.
    fn stamp(&self, at: Option<u64>, wall: u64) -> Result<(u64, u64), Refused> {
        let error = || Refused::Error(Vec::new());
        if self.rules.is_event {
            let at = at.ok_or_else(error)?;
            return Ok((self.last.max(at), at));
        }
        let now = self.now(wall);
        let at = at.unwrap_or(now);
        if at > now + MAX_FUTURE { Err(error()) } else { Ok((now, at.min(now))) }
    }

    /// Applies a write at this time of the server's clock. A refused write changes nothing.
    pub fn write(&mut self, sent: &Sent, at: Option<u64>, wall: u64) -> Result<Told, Refused> {
        let (now, at) = self.stamp(at, wall)?;
        if !self.rules.is_event {
            self.advance(now);
        }
        let pairs = sent.op.pairs();
        self.points_within(&pairs)?;
        let known = sent.id.as_ref().and_then(|id| self.requests.get(id));
        match known.filter(|(_, time)| self.remembers(*time, now)) {
            Some((op, _)) if *op == sent.op => return Ok(self.told(sent, Fate::Repeated)),
            Some(_) => return Err(Refused::Error(Vec::new())),
            None => {}
        }
        let mut next = self.clone();
        next.last = now;
        next.advance(now);
        next.in_time(sent, now, at)?;
        let before = sent.op.is_single().then(|| next.positions(sent).remove(0));
        if !next.allows(sent) {
            return Ok(self.told(sent, Fate::HeldBack));
        }
        for (score, name) in &pairs {
            next.number += 1;
            next.written.insert(name.clone());
            next.give(sent, score, name, at)?;
            next.within(name)?;
        }
        next.finish(sent, &pairs);
        *self = next;
        Ok(Told { before, ..self.told(sent, Fate::Applied(now, at)) })
    }

    fn remembers(&self, time: u64, now: u64) -> bool {
        self.dedup.is_none_or(|seconds| seconds > 0 && now - time <= seconds * 1_000)
    }

    /// How many request ids are remembered.
    pub fn remembered(&self) -> usize {
        self.requests.values().filter(|(_, time)| self.remembers(*time, self.last)).count()
    }

    /// What is forgotten stays forgotten, even if ids are remembered for longer from now on.
    pub fn set_dedup(&mut self, seconds: u64) {
        let kept: BTreeMap<_, _> = std::mem::take(&mut self.requests);
        let kept = kept.into_iter().filter(|(_, (_, time))| seconds > 0 && self.remembers(*time, self.last));
        self.requests = kept.collect();
        self.dedup = Some(seconds);
    }

    /// A score is set in the current periods of its view.
    fn in_time(&self, sent: &Sent, now: u64, at: u64) -> Result<(), Refused> {
        let target = &self.views[sent.view];
        let Kind { length, count, .. } = target.kind;
        let is_before = target.kind.is_period() && now / length - at / length >= count;
        if !sent.op.sets() || self.rules.aggregate != Aggregate::Sum || !is_before {
            return Ok(());
        }
        match self.allows(sent) {
            true => Err(Refused::Error(Vec::new())),
            false => Err(Refused::Unsaid),
        }
    }

    fn allows(&self, sent: &Sent) -> bool {
        let Op::Set(score, name, condition) = &sent.op else { return true };
        let old = self.score(sent.view, name);
        condition.present.is_none_or(|wanted| wanted == old.is_some())
            && condition.compared.is_none_or(|wanted| {
                old.is_none_or(|old| score::compare(&self.rules.levels, score, &old) == wanted)
            })
    }

    /// Points of a level stay within its range.
    fn points_within(&self, pairs: &[(Score, Name)]) -> Result<(), Refused> {
        let mut texts = Vec::new();
        for (score, _) in pairs {
            for (level, points) in self.rules.levels.iter().zip(score) {
                if points.abs() > level.max {
                    let argument = ["points", "score"];
                    texts.extend(argument.map(|arg| format!("{arg}: level {} is out of range", level.name)));
                }
            }
        }
        if texts.is_empty() { Ok(()) } else { Err(Refused::Error(texts)) }
    }

    fn give(&mut self, sent: &Sent, score: &Score, name: &Name, at: u64) -> Result<(), Refused> {
        let (number, is_sum) = (self.number, self.rules.aggregate == Aggregate::Sum);
        let mut sets = sent.op.sets();
        let mut points = score.clone();
        // A board of one view takes the score as it is, however far it is from the old one.
        let is_alone = matches!(self.views[..], [ref view] if !view.kind.is_rolling()) && !self.rules.shown;
        if sets && is_sum && !is_alone {
            let old = self.score(sent.view, name).unwrap_or_else(|| vec![0; score.len()]);
            let difference: Option<Score> = points
                .iter()
                .zip(&old)
                .map(|(new, old)| new.checked_sub(*old).filter(|by| *by != i64::MIN))
                .collect();
            // Whether a difference beyond the range of scores can be added is not said.
            points = difference.ok_or(Refused::Unsaid)?;
            sets = false;
        }
        let weight = if self.rules.shown { self.weights.get(name).copied().unwrap_or(1) } else { 1 };
        let shown: Score = points.iter().map(|points| points * weight).collect();
        for view in &mut self.views {
            view.give(&self.rules, sets, (name, &shown), at, number);
        }
        for view in &mut self.real {
            view.give(&self.rules, sets, (name, &points), at, number);
        }
        Ok(())
    }

    /// All scores stay within their range. In a window, the scores of each run of its periods do so too.
    fn within(&self, name: &[u8]) -> Result<(), Refused> {
        let views = self.views.iter().chain(&self.real);
        let texts: Vec<String> = views.flat_map(|view| view.beyond(&self.rules, name)).collect();
        if texts.is_empty() { Ok(()) } else { Err(Refused::Error(texts)) }
    }

    fn finish(&mut self, sent: &Sent, pairs: &[(Score, Name)]) {
        if let Some(id) = &sent.id {
            self.requests.insert(id.clone(), (sent.op.clone(), self.last));
        }
        if let (Some(meta), [(_, name)]) = (&sent.meta, pairs) {
            self.set_meta(name, meta);
        }
        let written: Vec<&Name> = pairs.iter().map(|(_, name)| name).collect();
        self.trim(&written);
    }

    /// Sets a member's text. An empty text removes the member's text.
    pub fn set_meta(&mut self, name: &[u8], meta: &[u8]) {
        if meta.is_empty() {
            self.metas.remove(name);
        } else {
            self.metas.insert(name.to_vec(), meta.to_vec());
        }
    }

    /// Removes the entries that `KEEP` does not keep. In each view, these are the visible members behind the first
    /// `keep` visible ones, and the hidden members in `written` whose rank is greater than `keep`.
    pub fn trim(&mut self, written: &[&Name]) {
        let keep = self.rules.keep;
        if keep == 0 {
            return;
        }
        let mut gone = BTreeSet::new();
        for number in 0..self.views.len() {
            let ranking = self.ranking(&self.views[number].entries);
            let seen = ranking.seen(false);
            let mut out: Vec<Name> = seen.iter().skip(keep).map(|line| line.name.clone()).collect();
            for name in written.iter().filter(|name| self.hidden.contains(**name)) {
                let place = ranking.position(name, Ranks::Ordinal, false);
                if place.is_some_and(|(rank, _)| rank > keep as u64) {
                    out.push((*name).clone());
                }
            }
            for name in out {
                self.views[number].entries.remove(&name);
                gone.insert(name);
            }
        }
        for name in gone {
            if !self.views.iter().any(|view| view.knows(&name)) && !self.hidden.contains(&name) {
                self.metas.remove(&name);
            }
        }
    }

    /// Hides a member. Whether it was not hidden before.
    pub fn hide(&mut self, name: &[u8]) -> bool {
        self.hidden.insert(name.to_vec())
    }

    /// Shows a member again. Whether it was hidden.
    pub fn unhide(&mut self, name: &[u8]) -> bool {
        let was_hidden = self.hidden.remove(name);
        self.trim(&[]);
        was_hidden
    }

    /// Removes a member. Returns whether the board had the member. Returns `None` in cases that the specification
    /// leaves open: the member was only hidden, or all its data is in periods that are not kept.
    pub fn remove(&mut self, name: &[u8]) -> Option<bool> {
        let views = self.views.iter().chain(&self.real);
        let was_there = views.fold(false, |was, view| was | view.knows(name))
            | self.metas.contains_key(name)
            | self.weights.contains_key(name);
        for view in self.views.iter_mut().chain(&mut self.real) {
            view.remove(name);
        }
        self.metas.remove(name);
        self.weights.remove(name);
        let was_something = self.hidden.remove(name) | self.written.remove(name);
        (was_there || !was_something).then_some(was_there)
    }

    /// Sets how many members a view keeps. Whether the board can do so.
    pub fn set_keep(&mut self, keep: usize) -> bool {
        let is_possible =
            keep == 0 || !self.rules.shown && self.views.iter().all(|view| !view.kind.is_rolling());
        if is_possible {
            self.rules.keep = keep;
            self.trim(&[]);
        }
        is_possible
    }

    /// Whether the board can have one more view of this kind. It has one ended period to read.
    pub fn add_view(&mut self, kind: Kind, now: u64) -> bool {
        if self.rules.kinds.contains(&kind) || self.rules.keep > 0 && kind.is_rolling() {
            return false;
        }
        self.rules.kinds.push(kind);
        let mut view = View::new(kind);
        view.retain = Some(1);
        self.views.push(view.clone());
        if self.rules.shown {
            self.real.push(view);
        }
        self.advance(now);
        true
    }
}
