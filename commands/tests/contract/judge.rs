//! How the rules for scores judge a write.

use std::collections::BTreeSet;

use super::board::{Board, Rules};
use super::calendar::{is_open, next_open};
use super::writes::Request;

impl Board {
    /// Says whether scores may be written that have this moment.
    fn is_open(&self, ms: i64) -> bool {
        let Rules { opens, closes, hours, .. } = &self.rules;
        ms >= *opens && (*closes == 0 || ms < *closes) && is_open(hours, &self.zone, ms)
    }

    /// Returns how long it is until the board opens; -1 if it never does.
    fn until_open(&self, now: i64) -> i64 {
        let Rules { opens, closes, hours, .. } = &self.rules;
        let next = next_open(hours, &self.zone, now.max(*opens));
        if *closes == 0 || next < *closes { next - now } else { -1 }
    }

    /// Returns what holds a write back before its condition is looked at.
    pub fn closed(&self, at: i64, now: i64) -> Option<String> {
        if self.is_open(at) {
            return None;
        }
        let left = if self.is_open(now) { -1 } else { self.until_open(now) };
        Some(held_back("closed", left))
    }

    /// Returns what holds a write back after its condition.
    pub fn held(&self, request: &Request, at: i64, now: i64) -> Option<String> {
        let Rules { declared, bounds, .. } = &self.rules;
        let members = || request.pairs.iter().map(|pair| &pair.1);
        if *declared && members().any(|member| !self.joined.contains(member)) {
            return Some(held_back("joined", -1));
        }
        let is_outside = |points: i64| bounds.is_some_and(|(min, max)| points < min || points > max);
        if request.pairs.iter().any(|pair| is_outside(pair.0)) {
            return Some(held_back("bounds", -1));
        }
        self.full(request, at, now).or_else(|| self.used_up(request, now))
    }

    fn full(&self, request: &Request, at: i64, now: i64) -> Option<String> {
        let view = self.view("");
        let enters = view.is_all() || (view.period(at) > view.period(now) - view.periods);
        if self.rules.max_members == 0 || self.rules.declared || !enters {
            return None;
        }
        let there: BTreeSet<_> =
            self.ranking(view, view.period(now)).into_iter().map(|entry| entry.member).collect();
        let new: BTreeSet<_> =
            request.pairs.iter().map(|pair| &pair.1).filter(|name| !there.contains(*name)).collect();
        let fits = there.len() + new.len() <= self.rules.max_members as usize;
        let never = new.len() > self.rules.max_members as usize;
        let left = if never { -1 } else { view.unit.left(now) };
        (!new.is_empty() && !fits).then(|| held_back("full", left))
    }

    fn used_up(&self, request: &Request, now: i64) -> Option<String> {
        let (max, _, unit) = self.rules.attempts.as_ref()?;
        let of = |member: &String| request.pairs.iter().filter(|pair| pair.1 == *member).count() as i64;
        let mut members = request.pairs.iter().map(|pair| &pair.1);
        let held = members.any(|member| self.used(member, now) + of(member) > *max);
        let never = request.pairs.iter().any(|pair| of(&pair.1) > *max);
        held.then(|| held_back("attempts", if never { -1 } else { unit.left(now) }))
    }

    /// Returns how many attempts of a member count now.
    fn used(&self, member: &str, now: i64) -> i64 {
        let Some((_, _, unit)) = &self.rules.attempts else { return 0 };
        let mine = self.attempts.iter().filter(|attempt| attempt.0 == member);
        mine.filter(|attempt| unit.period(attempt.1) == unit.period(now)).count() as i64
    }

    /// Returns the rows of LB.QUOTA.
    pub fn quota(&self, member: &str, now: i64) -> Vec<String> {
        let Rules { opens, closes, hours, attempts, max_members, declared, .. } = &self.rules;
        let mut rows = Vec::new();
        if *opens != 0 || *closes != 0 || !hours.is_empty() {
            let is_open = self.is_open(now);
            let left = if is_open { -1 } else { self.until_open(now) };
            rows.push(format!("[closed {} 1 {left}]", i64::from(!is_open)));
        }
        if let Some((max, _, unit)) = attempts {
            rows.push(format!("[attempts {} {max} {}]", self.used(member, now), unit.left(now)));
        }
        if *max_members != 0 {
            let view = self.view("");
            let (used, left) = if *declared {
                (self.joined.len(), -1)
            } else {
                (self.ranking(view, view.period(now)).len(), view.unit.left(now))
            };
            rows.push(format!("[full {used} {max_members} {left}]"));
        }
        rows
    }

    /// Judges LB.JOIN and joins. Returns the reply.
    pub fn join(&mut self, member: &str, id: &str, segments: &[(String, String)], now: i64) -> String {
        let stands_for = format!("JOIN {member}");
        match self.requests.get(id) {
            Some(known) if *known == stands_for => return "0".to_owned(),
            Some(_) => return "!IDREUSED".to_owned(),
            None => {}
        }
        let Rules { closes, max_members, .. } = self.rules;
        let is_new = !self.joined.contains(member);
        if is_new && closes != 0 && now >= closes {
            return held_back("closed", -1);
        }
        if is_new && max_members != 0 && self.joined.len() as i64 >= max_members {
            return held_back("full", -1);
        }
        self.pass(now);
        self.joined.insert(member.to_owned());
        let moves = self.tracked(now, now, |board| {
            segments.iter().filter(|(name, value)| board.put(member, name, value, now)).count()
        });
        // What changes nothing is not applied, and uses up no id.
        if !id.is_empty() && (is_new || moves > 0) {
            self.requests.insert(id.to_owned(), stands_for);
        }
        i64::from(is_new).to_string()
    }
}

fn held_back(rule: &str, left: i64) -> String {
    format!("!HELDBACK {rule} {left}")
}
