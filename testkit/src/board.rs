//! A board as the specification tells it, in the plainest way: each view has a map from members to scores for
//! each period, and everything is sorted anew for each read.

mod alter;
pub mod bound;
mod change;
mod op;
mod place;
pub mod read;
pub mod score;
pub mod segment;
#[cfg(test)]
mod segment_tests;
mod undo;
mod view;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use leaderboard_core::schema::{Aggregate, Ranks, Ties};

use change::{Cause, Change};
pub use op::{Fate, Op, Position, Refused, Sent, Told};
use read::Ranking;
use score::{Level, Score};
use segment::{Dimension, Places};
pub use view::{Entry, KINDS, Kind, View};

/// A member.
pub type Name = Vec<u8>;

/// What the error of a request id says that was used for another write.
pub const REUSED: &str = "request id was used for a different write";

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
    /// The dimensions in which members have segments.
    pub dimensions: Vec<Dimension>,
    /// The segments that the members are in.
    pub places: Places,
    /// How many changes of segments there were.
    steps: u64,
    /// What the command that is being applied changes in segments.
    change: Option<Change>,
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
            dimensions: Vec::new(),
            places: Places::new(),
            steps: 0,
            change: None,
        }
    }

    /// The board's time, at this time of the server's clock.
    pub fn now(&self, wall: u64) -> u64 {
        if self.rules.is_event { self.last } else { self.last.max(wall) }
    }

    /// Whether all views are in the periods of this moment.
    pub fn is_at(&self, now: u64) -> bool {
        self.views.iter().chain(&self.real).all(|view| view.is_at(now))
    }

    /// Lets time go on.
    pub fn advance(&mut self, now: u64) {
        if self.rules.is_event && self.last == 0 {
            return;
        }
        for view in self.views.iter_mut().chain(&mut self.real) {
            view.advance(&self.rules, (&self.places, &self.hidden), now);
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

    /// Does what LB.SETMETA does.
    pub fn change_meta(&mut self, name: &[u8], meta: &[u8]) {
        if self.metas.get(name).map_or(&[][..], Vec::as_slice) == meta {
            return;
        }
        if self.rules.keep > 0 {
            self.drop_periods();
        }
        self.set_meta(name, meta);
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
    /// `keep` visible ones, and the hidden members in `written` whose rank is greater than `keep`. The last member falls
    /// out first.
    pub fn trim(&mut self, written: &[&Name]) {
        let keep = self.rules.keep;
        if keep == 0 {
            return;
        }
        // A member that the write brings into no view is gone, too.
        let is_in = |name: &Name| self.views.iter().any(|view| view.entries.contains_key(name));
        let mut gone: BTreeSet<Name> =
            written.iter().filter(|name| !is_in(name)).map(|name| (*name).clone()).collect();
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
            for name in out.into_iter().rev() {
                self.views[number].entries.remove(&name);
                self.step(Cause::Score);
                gone.insert(name);
            }
        }
        for name in gone {
            self.forget_unless_needed(&name);
        }
    }

    /// The last period with a change needs its members, even if nobody can read it: the clock may be put back.
    fn forget_unless_needed(&mut self, name: &Name) {
        let is_needed = self.views.iter().any(|view| view.needs(name));
        if !is_needed && !self.hidden.contains(name) && !self.weights.contains_key(name) {
            self.metas.remove(name);
            self.unplace(name);
        }
    }

    /// The board changes, and drops periods. If it keeps the best, it forgets members that were in them and are in no other,
    /// with their texts and segments.
    pub fn drop_periods(&mut self) {
        let is_event = self.rules.is_event;
        let views = self.views.iter_mut().chain(&mut self.real);
        let dropped: BTreeSet<Name> = views.flat_map(|view| view.drop_periods(is_event)).collect();
        self.forget(dropped);
    }

    /// If the board keeps the best, it forgets these members with their texts and segments, but for those that it needs.
    pub fn forget(&mut self, names: BTreeSet<Name>) {
        if self.rules.keep == 0 {
            return;
        }
        names.iter().for_each(|name| self.forget_unless_needed(name));
    }

    /// Does the same before a change that is no write, where this matters.
    pub fn drop_periods_at_change(&mut self) {
        if self.rules.keep > 0 || !self.dimensions.is_empty() {
            self.drop_periods();
        }
    }

    /// Hides a member. Whether it was not hidden before.
    pub fn hide(&mut self, name: &[u8]) -> bool {
        if !self.hidden.contains(name) {
            self.drop_periods_at_change();
        }
        let was_seen = self.hidden.insert(name.to_vec());
        self.step(Cause::Move);
        was_seen
    }

    /// Shows a member again. Whether it was hidden.
    pub fn unhide(&mut self, name: &[u8]) -> bool {
        self.unhide_all(&[name]) > 0
    }

    /// Shows several members again, and then removes the entries that `KEEP` does not keep, as after a list of writes. How many
    /// of them were hidden.
    pub fn unhide_all(&mut self, names: &[&[u8]]) -> usize {
        if names.iter().any(|name| self.hidden.contains(*name)) {
            self.drop_periods_at_change();
        }
        let mut shown = 0;
        for name in names {
            shown += usize::from(self.hidden.remove(*name));
            self.step(Cause::Move);
        }
        self.trim(&[]);
        shown
    }

    /// Whether `KEEP` may still have the member, only in periods that nobody can read. The contract leaves open when the board forgets
    /// it, so nobody knows whether its removal is a change.
    pub fn is_only_unreadable(&self, name: &[u8]) -> bool {
        let is_known = self.views.iter().chain(&self.real).any(|view| view.knows(name));
        let may_be = self.views.iter().any(|view| view.needs(name));
        self.rules.keep > 0 && !is_known && may_be && !self.metas.contains_key(name)
    }

    /// Removes a member. Returns whether the board had the member. Returns `None` in cases that the specification
    /// leaves open: the member was only hidden, or all its data is in periods that are not kept.
    pub fn remove(&mut self, name: &[u8]) -> Option<bool> {
        let views = self.views.iter().chain(&self.real);
        let was_there = views.fold(false, |was, view| was | view.knows(name))
            | self.metas.contains_key(name)
            | self.weights.contains_key(name)
            | self.unplace(name);
        if was_there {
            self.drop_periods_at_change();
            self.views.iter_mut().for_each(|view| view.drop_waiting(name));
        }
        for view in self.views.iter_mut().chain(&mut self.real) {
            view.remove(name);
        }
        self.metas.remove(name);
        self.weights.remove(name);
        self.step(Cause::Move);
        let was_something = self.hidden.remove(name) | self.written.remove(name);
        (was_there || !was_something).then_some(was_there)
    }

    /// Whether a score or a vote was ever written.
    pub fn is_written(&self) -> bool {
        self.number > 0
    }
}
