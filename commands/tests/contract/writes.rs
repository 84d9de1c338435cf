//! Writes of scores, and what else changes members.

use super::board::{Aggregate, Board, Write};
use super::calendar::View;
use super::replies::{list, or_nil};

/// A write of scores.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// `LB.ADD`, `LB.SET`, `LB.MADD`, `LB.MSET` or `LB.ROLLADD`.
    pub command: &'static str,
    pub pairs: Vec<(i64, String)>,
    pub condition: &'static str,
    pub at: Option<i64>,
    pub id: String,
    pub view: String,
    pub is_forced: bool,
    pub segments: Vec<(String, String)>,
    pub within: String,
}

impl Request {
    fn is_set(&self) -> bool {
        self.command.ends_with("SET")
    }

    fn is_list(&self) -> bool {
        self.command.starts_with("LB.M")
    }

    /// Returns the words of the command.
    pub fn words(&self) -> String {
        let pairs: Vec<_> = self.pairs.iter().map(|(points, member)| format!("{points} {member}")).collect();
        let pairs = pairs.join(" ");
        let mut options = String::new();
        let mut add = |name: &str, value: &str| {
            if !value.is_empty() {
                options += &format!(" {name}{value}");
            }
        };
        add("", self.condition);
        add("ID ", &self.id);
        add("AT ", &self.at.map(|at| at.to_string()).unwrap_or_default());
        if self.command != "LB.ROLLADD" {
            add("VIEW ", &self.view);
        }
        for (name, value) in &self.segments {
            add("SEGMENT ", &format!("{name} {}", if value.is_empty() { "<empty>" } else { value }));
        }
        add("WITHIN ", &self.within);
        add("", if self.is_forced { "FORCE" } else { "" });
        let command = self.command;
        if self.is_list() {
            format!("{command} b{options} {pairs}")
        } else {
            format!("{command} b {pairs}{options}")
        }
    }

    /// Returns what a request id of this write stands for.
    fn stands_for(&self) -> String {
        format!("{} {} {:?}", self.command, self.condition, self.pairs)
    }
}

impl Board {
    /// Applies a write. Returns the reply.
    pub fn write(&mut self, request: &Request, clock: i64) -> String {
        let now = self.now(clock);
        let at = request.at.unwrap_or(now);
        let (at, then) = if self.has_events { (at, now.max(at)) } else { (at.min(now), now) };
        match self.requests.get(&request.id) {
            Some(known) if *known == request.stands_for() => return self.shows(request, now, 0),
            Some(_) => return "!IDREUSED".to_owned(),
            None => {}
        }
        if let Some(reply) = self.judge(request, at, now, then) {
            return reply;
        }
        self.pass(then);
        self.last = then;
        self.tracked(at, then, |board| {
            for (points, member) in &request.pairs {
                board.apply(request, *points, member, (at, then));
            }
        });
        if !request.id.is_empty() {
            self.requests.insert(request.id.clone(), request.stands_for());
        }
        self.shows(request, then, 1)
    }

    /// Returns the reply of a write that is held back.
    fn judge(&self, request: &Request, at: i64, now: i64, then: i64) -> Option<String> {
        let closed = if request.is_forced { None } else { self.closed(at, then) };
        if closed.is_some() {
            return closed;
        }
        if !self.passes(request, then) {
            return Some(self.shows(request, now, 0));
        }
        if request.is_forced { None } else { self.held(request, at, then) }
    }

    /// Says whether the condition of LB.SET holds.
    fn passes(&self, request: &Request, now: i64) -> bool {
        let (score, member) = &request.pairs[0];
        let old = self.score(self.view(&request.view), member, now);
        request.condition.split(' ').all(|word| match word {
            "NX" => old.is_none(),
            "XX" => old.is_some(),
            "GT" => old.is_none_or(|old| *score > old),
            "LT" => old.is_none_or(|old| *score < old),
            _ => true,
        })
    }

    fn score(&self, view: &View, member: &str, now: i64) -> Option<i64> {
        let all = self.ranking(view, view.period(now));
        all.iter().find(|entry| entry.member == member).map(|entry| entry.score)
    }

    fn apply(&mut self, request: &Request, points: i64, member: &str, (at, now): (i64, i64)) {
        let adds = request.is_set() && self.aggregate == Aggregate::Sum;
        let old = if adds { self.score(self.view(&request.view), member, now).unwrap_or(0) } else { 0 };
        let (points, member) = (points - old, member.to_owned());
        for (name, value) in &request.segments {
            self.put(&member, name, value, now);
        }
        if self.rules.attempts.is_some() && !request.is_forced {
            self.attempts.push((member.clone(), now));
        }
        self.writes.push(Write { member, points, is_set: request.is_set(), at, now });
    }

    /// Returns where the members of a write stand.
    fn shows(&self, request: &Request, now: i64, applied: i64) -> String {
        let rows: Vec<_> =
            request.pairs.iter().map(|(_, member)| self.shown(request, member, now, applied)).collect();
        if request.is_list() { list(&rows) } else { rows[0].clone() }
    }

    fn shown(&self, request: &Request, member: &str, now: i64, applied: i64) -> String {
        let view = self.view(&request.view);
        let period = view.period(now);
        let found = self.standing((view, period), member, |_| true);
        let (score, rank) = found.map(|(entry, rank)| (entry.score, rank)).unzip();
        let mut words = vec![or_nil(score), or_nil(rank), applied.to_string()];
        if !request.within.is_empty() {
            words.push(or_nil(self.rank_within((view, period), member, &request.within)));
        }
        list(&words)
    }

    /// Returns a member's rank in its own segment.
    fn rank_within(&self, place: (&View, i64), member: &str, dimension: &str) -> Option<usize> {
        let own = self.segment(member, dimension, place);
        let holds = |other: &str| !own.is_empty() && self.segment(other, dimension, place) == own;
        self.standing(place, member, holds).map(|(_, rank)| rank)
    }

    /// Says whether a member is in a running period.
    pub fn knows(&self, member: &str, now: i64) -> bool {
        self.views.iter().any(|view| self.score(view, member, now).is_some())
    }

    /// Removes a member with all that is kept of it.
    pub fn remove(&mut self, member: &str, now: i64) {
        self.pass(now);
        self.tracked(now, now, |board| {
            board.writes.retain(|write| write.member != member);
            board.moves.retain(|change| change.member != member);
            board.hidden.remove(member);
        });
        self.joined.remove(member);
        for fixed in self.fixed.values_mut() {
            fixed
                .winners
                .iter_mut()
                .filter(|winner| winner.member == member)
                .for_each(|winner| winner.is_removed = true);
        }
    }
}
