//! Random writes of scores and votes.

use std::cmp::Ordering;
use std::slice;

use leaderboard_core::board::Condition;
use leaderboard_core::schema::Aggregate;

use super::placing::Extras;
use super::reply::{Expected, Reply};
use super::{Call, Pair, shown};
use crate::board::score::{self, Score};
use crate::board::{Fate, Name, Op, REUSED, Refused, Sent, Told};
use crate::{Words, words};

/// Writes that a repeated request is chosen from.
const RECENT: u64 = 30;

impl Pair {
    /// A random write. Nothing if the contract does not say what comes of it.
    pub fn write(&mut self) -> Option<Call> {
        let sent = self.sent();
        self.send(sent)
    }

    /// A write of points for all members.
    pub fn crowd(&mut self) -> Call {
        loop {
            let names = self.names.clone();
            let op = if self.model.rules.shown {
                Op::VoteMany(names.into_iter().map(|name| (self.count(), name)).collect())
            } else {
                Op::Many(names.into_iter().map(|name| (self.points(), name)).collect())
            };
            if let Some(call) = self.send(Sent { op, id: None, view: 0, meta: None }) {
                return call;
            }
        }
    }

    /// Sends a write. Nothing if the contract does not say what comes of it.
    pub fn send(&mut self, sent: Sent) -> Option<Call> {
        let at = self.moment();
        let extras = self.extras(&sent.op);
        self.send_with(sent, at, &extras)
    }

    /// Sends a write with this moment and these options.
    pub fn send_with(&mut self, sent: Sent, at: Option<u64>, extras: &Extras) -> Option<Call> {
        let told = self.model.write_placing(&sent, &extras.placed, at, self.wall);
        if told == Err(Refused::Unsaid) {
            return None;
        }
        let (command, rest) = self.written(&sent, at, extras);
        let expected = self.replied(&sent, told, extras);
        if sent.id.is_some() {
            self.sent.push(sent);
        }
        Some(self.call(command, &[rest], expected))
    }

    fn sent(&mut self) -> Sent {
        if !self.sent.is_empty() && self.random.percent(20) {
            return self.again();
        }
        let (op, view) = self.op();
        let id = self.random.percent(30).then(|| self.fresh_id());
        let has_meta = matches!(op, Op::Add(..) | Op::Set(..)) && self.random.percent(15);
        let meta = has_meta.then(|| self.text());
        Sent { op, id, view, meta }
    }

    /// A request once more, sometimes with other contents.
    fn again(&mut self) -> Sent {
        let first = (self.sent.len() as u64).saturating_sub(RECENT);
        let number = first + self.random.below(self.sent.len() as u64 - first);
        let sent = self.sent[number as usize].clone();
        let rolling = self.model.views.iter().position(|view| view.kind.is_rolling());
        match (&sent.op, rolling) {
            (Op::Roll(..), Some(view)) if self.random.percent(80) => return Sent { view, ..sent },
            (Op::Roll(..), _) => {}
            _ if self.random.percent(80) => return sent,
            _ => {}
        }
        let (op, view) = self.op();
        let is_single = matches!(op, Op::Add(..) | Op::Set(..));
        Sent { op, view, meta: sent.meta.filter(|_| is_single), ..sent }
    }

    fn fresh_id(&mut self) -> Vec<u8> {
        self.serial += 1;
        let end = [0, 0xff];
        let len = self.random.below(3) as usize;
        [format!("r{}", self.serial).as_bytes(), &end[..len]].concat()
    }

    /// A text for a member; now and then an empty one.
    pub fn text(&mut self) -> Vec<u8> {
        let most = *self.random.pick(&[4, 4, 61]);
        vec![self.random.below(256) as u8; self.random.below(most) as usize]
    }

    /// What is written, and the view that the reply is about.
    fn op(&mut self) -> (Op, usize) {
        let view = self.random.below(self.model.views.len() as u64) as usize;
        if self.model.rules.shown {
            return (self.votes(), 0);
        }
        let op = match self.random.below(100) {
            0..40 => Op::Add(self.points(), self.member()),
            40..50 => match self.model.views.iter().position(|view| view.kind.is_rolling()) {
                Some(view) => return (Op::Roll(self.points(), self.member()), view),
                None => Op::Add(self.points(), self.member()),
            },
            50..65 => Op::Set(self.points(), self.member(), self.condition()),
            65..73 => self.same_score(view),
            73..85 => Op::Many(self.pairs()),
            85..97 => Op::SetMany(self.pairs()),
            _ if self.counts_votes() => return (self.votes(), 0),
            _ => Op::Many(self.pairs()),
        };
        (op, view)
    }

    fn counts_votes(&self) -> bool {
        let rules = &self.model.rules;
        rules.levels.is_empty() && rules.decimals == 0 && rules.aggregate == Aggregate::Sum
    }

    fn votes(&mut self) -> Op {
        let mut vote = || (self.count(), self.member());
        let mut votes: Vec<(i64, Name)> = (0..3).map(|_| vote()).collect();
        votes.truncate(1 + self.random.below(3) as usize);
        match &votes[..] {
            [(votes, name)] => Op::Vote(*votes, name.clone()),
            _ => Op::VoteMany(votes),
        }
    }

    /// A few votes.
    fn count(&mut self) -> i64 {
        self.random.within(1..5)
    }

    fn pairs(&mut self) -> Vec<(Score, Name)> {
        (0..1 + self.random.below(6)).map(|_| (self.points(), self.member())).collect()
    }

    /// The score that a member has.
    fn same_score(&mut self, view: usize) -> Op {
        let name = self.member();
        let score = self.model.score(view, &name).unwrap_or_else(|| self.points());
        Op::Set(score, name, Condition::default())
    }

    fn condition(&mut self) -> Condition {
        let present = *self.random.pick(&[None, None, Some(false), Some(true)]);
        let compared = *self.random.pick(&[None, None, Some(Ordering::Less), Some(Ordering::Greater)]);
        Condition { present, compared: compared.filter(|_| present != Some(false)) }
    }

    /// Points of few different values, so that scores are often equal; sometimes near the end of the range.
    pub fn points(&mut self) -> Score {
        if !self.model.rules.levels.is_empty() {
            return self.leveled();
        }
        let rules = &self.model.rules;
        let is_narrow = rules.shown || rules.kinds.iter().any(|kind| kind.is_rolling());
        let unit = 10_i64.pow(u32::from(rules.decimals.min(3)));
        let points = match self.random.below(60) {
            0 if !is_narrow => *self.random.pick(&[i64::MAX, -i64::MAX, i64::MAX - 1, i64::MAX / 2]),
            0..4 => self.random.within(-900..900),
            4..8 => 0,
            8..12 => self.random.within(-3..7),
            _ => self.random.within(-3..7) * unit,
        };
        vec![points]
    }

    fn leveled(&mut self) -> Score {
        let levels = self.model.rules.levels.clone();
        let is_loose = self.random.percent(5);
        let mut points = |max: i64| {
            let points = self.random.within(-3..7);
            if is_loose { points * 20 } else { points.clamp(-max, max) }
        };
        levels.iter().map(|level| points(level.max)).collect()
    }

    /// The command of a write, and its words behind the key.
    fn written(&mut self, sent: &Sent, at: Option<u64>, extras: &Extras) -> (&'static str, Words) {
        let options = self.options(sent, at, extras);
        let options = self.shuffled(options);
        let pairs = self.said(sent);
        let behind = |command| (command, [options.clone(), pairs.clone()].concat());
        let before = |command| (command, [pairs.clone(), options.clone()].concat());
        match &sent.op {
            Op::Add(..) => before("LB.ADD"),
            Op::Roll(..) => before("LB.ROLLADD"),
            Op::Set(..) => before("LB.SET"),
            Op::Vote(..) => before("LB.VOTE"),
            Op::Many(_) => behind("LB.MADD"),
            Op::SetMany(_) => behind("LB.MSET"),
            Op::VoteMany(_) => behind("LB.MVOTE"),
        }
    }

    fn options(&mut self, sent: &Sent, at: Option<u64>, extras: &Extras) -> Vec<Words> {
        let mut options = extras.words();
        options.extend(at.map(|at| words(&["AT", &at.to_string()])));
        options.extend(sent.id.as_ref().map(|id| words(&[b"ID", &id[..]])));
        options.extend(sent.meta.as_ref().map(|meta| words(&[b"META", &meta[..]])));
        let has_view = !matches!(sent.op, Op::Roll(..)) && !sent.op.votes();
        if has_view && (sent.view > 0 || self.random.percent(20)) {
            options.push(words(&["VIEW", self.model.views[sent.view].kind.name]));
        }
        if let Op::Set(_, _, condition) = &sent.op {
            options.extend(condition.present.map(|wanted| words(&[if wanted { "XX" } else { "NX" }])));
            let word = |wanted| if wanted == Ordering::Less { "LT" } else { "GT" };
            options.extend(condition.compared.map(|wanted| words(&[word(wanted)])));
        }
        let votes = sent.op.votes().then(|| sent.op.pairs().iter().map(|(votes, _)| votes[0]).sum::<i64>());
        if votes.is_some_and(|votes| votes % 2 == 0) {
            options.push(words(&["BY", "voter"]));
        }
        options
    }

    /// The pairs of a write as clients may write them: zeros at the end of a fraction do not count.
    fn said(&mut self, sent: &Sent) -> Words {
        let mut said = Words::new();
        for (points, name) in sent.op.pairs() {
            let rules = &self.model.rules;
            let mut text = if sent.op.votes() { points[0].to_string() } else { score::shown(rules, &points) };
            if !sent.op.votes() && rules.levels.is_empty() && self.random.percent(10) {
                text += if text.contains('.') { "0000000000" } else { ".000" };
            }
            said.extend([text.into_bytes(), name]);
        }
        said
    }

    fn replied(&mut self, sent: &Sent, told: Result<Told, Refused>, extras: &Extras) -> Expected {
        let told = match told {
            Ok(told) => told,
            Err(Refused::Error(texts)) => {
                return Expected::Error(texts.iter().map(|text| coded(text)).collect());
            }
            Err(Refused::Unsaid) => unreachable!("it is not sent"),
        };
        let within = extras.within.map(|dimension| self.rank_within(sent, dimension));
        let rules = &self.model.rules;
        let applied = Reply::Int(i64::from(matches!(told.fate, Fate::Applied(..))));
        let line = |place| [&shown::position(rules, place)[..], slice::from_ref(&applied)].concat();
        if sent.op.is_single() {
            let before = told.before.as_ref().unwrap_or(&told.now[0]);
            let before = if extras.change { shown::position(rules, before).to_vec() } else { Vec::new() };
            let within = within.into_iter().collect();
            return Reply::Array([line(&told.now[0]), before, within].concat()).into();
        }
        let lines = Reply::Array(told.now.iter().map(|place| Reply::Array(line(place))).collect());
        if sent.op.votes() { Reply::Array(vec![Reply::Int(1), lines]).into() } else { lines.into() }
    }
}

/// An error's text behind its code.
fn coded(text: &str) -> String {
    format!("{} {text}", if text == REUSED { "IDREUSED" } else { "ERR" })
}
