//! How a write of scores or votes changes the board.

use std::collections::BTreeMap;

use leaderboard_core::schema::{Aggregate, Ranks};

use super::change::Cause;
use super::score::{self, Score};
use super::segment::Placed;
use super::undo::Undo;
use super::{Fate, Kind, MAX_FUTURE, Model, Name, Op, Position, REUSED, Refused, Sent, Told};

impl Model {
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
        self.write_placing(sent, &[], at, wall)
    }

    /// Applies a write that also puts all its members into these segments.
    pub fn write_placing(
        &mut self,
        sent: &Sent,
        placed: &[Placed],
        at: Option<u64>,
        wall: u64,
    ) -> Result<Told, Refused> {
        let (now, at) = self.stamp(at, wall)?;
        let pairs = sent.op.pairs();
        self.points_within(&pairs)?;
        let undo = Undo::new(self, &pairs, now);
        let is_event = self.rules.is_event;
        if !is_event {
            self.advance(now);
        }
        let told = match self.judge(sent, (&pairs, placed), (now, at)) {
            Ok(told) if matches!(told.fate, Fate::Applied(..)) => return Ok(told),
            told => told,
        };
        undo.restore(self, &pairs);
        match told {
            // The clock of the events does not move.
            Ok(told) if is_event => Ok(self.told(sent, told.fate)),
            told => told,
        }
    }

    /// What becomes of a write. What is not applied has to be taken back.
    fn judge(
        &mut self,
        sent: &Sent,
        (pairs, placed): (&[(Score, Name)], &[Placed]),
        (now, at): (u64, u64),
    ) -> Result<Told, Refused> {
        let known = sent.id.as_ref().and_then(|id| self.requests.get(id));
        match known.filter(|(_, time)| self.remembers(*time, now)) {
            Some((op, _)) if *op == sent.op => return Ok(self.told(sent, Fate::Repeated)),
            Some(_) => return Err(Refused::Error(vec![REUSED.to_owned()])),
            None => {}
        }
        self.last = now;
        self.advance(now);
        self.in_time(sent, now, at)?;
        let before = sent.op.is_single().then(|| self.positions(sent).remove(0));
        if !self.allows(sent) {
            return Ok(self.told(sent, Fate::HeldBack));
        }
        self.begin();
        for (score, name) in pairs {
            placed.iter().for_each(|(dimension, value)| _ = self.place(name, dimension, value));
            self.number += 1;
            self.give(sent, score, name, at)?;
            self.within(name)?;
            self.step(Cause::Score);
        }
        self.finish(sent, pairs);
        self.end(at, now);
        Ok(Told { before, ..self.told(sent, Fate::Applied(now, at)) })
    }

    fn remembers(&self, time: u64, now: u64) -> bool {
        self.dedup.is_none_or(|seconds| seconds > 0 && now - time <= seconds * 1_000)
    }

    /// How many request ids are remembered, at this time of the board.
    pub fn remembered(&self, now: u64) -> usize {
        self.requests.values().filter(|(_, time)| self.remembers(*time, now)).count()
    }

    /// Whether the same ids are remembered now as at the last write. The contract does not say whether a change that is no write
    /// moves the time of the ids.
    pub fn ids_are_sure(&self, now: u64) -> bool {
        let mut times = self.requests.values().map(|(_, time)| *time);
        times.all(|time| self.remembers(time, now) == self.remembers(time, self.last))
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
        if self.number == pairs.len() as u64 {
            self.views.iter_mut().chain(&mut self.real).for_each(|view| view.first = view.current);
        }
        if let Some(id) = &sent.id {
            self.requests.insert(id.clone(), (sent.op.clone(), self.last));
        }
        if let (Some(meta), [(_, name)]) = (&sent.meta, pairs) {
            self.set_meta(name, meta);
        }
        self.written.extend(pairs.iter().map(|(_, name)| name.clone()));
        let written: Vec<&Name> = pairs.iter().map(|(_, name)| name).collect();
        self.drop_periods();
        self.trim(&written);
    }
}
