//! Random operations on a board, what they do to the model, and how they are told to a server.

use std::cmp::Ordering;

use leaderboard_testkit::random::Random;
use leaderboard_testkit::{Words, words};

use super::board::{Action, Board, Condition, Write};
use super::replies;

/// One operation: the command behind its key, and the reply expected; an error where it says nothing.
pub struct Step {
    pub command: &'static str,
    pub arguments: Words,
    pub expected: Option<redis::Value>,
}

impl Step {
    pub fn words(&self, key: &str) -> Words {
        [words(&[self.command, key]), self.arguments.clone()].concat()
    }
}

/// Makes up operations for one board.
pub struct Operations {
    pub random: Random,
    names: Vec<Vec<u8>>,
    sent: Vec<(Vec<u8>, Action)>,
    clock: u64,
    altered: bool,
}

impl Operations {
    pub fn new(mut random: Random, members: u64) -> Operations {
        let names = (0..members).map(|number| name(&mut random, number)).collect();
        Operations { random, names, sent: Vec::new(), clock: 1_700_000_000_000, altered: false }
    }

    /// A member's name; now and then of nobody.
    pub fn member(&mut self) -> Vec<u8> {
        if self.random.percent(3) { b"nobody".to_vec() } else { self.random.pick(&self.names).clone() }
    }

    pub fn next(&mut self, board: &mut Board) -> Step {
        // What one ALTER forgets, a second must not bring back.
        let again = std::mem::take(&mut self.altered) && self.random.percent(50);
        match self.random.below(100) {
            _ if again => self.alter(board),
            0..6 => self.remove(board),
            6..14 => self.set_meta(board),
            14..17 => self.alter(board),
            17..19 => self.nonsense(board),
            _ => self.write(board),
        }
    }

    /// Points for many members at once.
    pub fn many(&mut self, board: &mut Board, pairs: usize) -> Step {
        let pairs = (0..pairs).map(|_| (self.points(board), self.member())).collect();
        let (id, at) = (self.fresh_id(), self.at());
        self.sent_now(&id, &Action::AddMany(pairs)).done(board, Some(id), at, false)
    }

    fn write(&mut self, board: &mut Board) -> Step {
        let (at, change) = (self.at(), self.random.percent(30));
        if !self.sent.is_empty() && self.random.percent(25) {
            let recent = self.sent.len().saturating_sub(40) as u64;
            let at_index = recent + self.random.below(self.sent.len() as u64 - recent);
            let (id, mut action) = self.sent[at_index as usize].clone();
            if self.random.percent(15) {
                action = self.other_than(&action, board);
            }
            return action.done(board, Some(id), at, change);
        }
        let action = self.action(board);
        if self.random.percent(40) {
            return action.done(board, None, at, change);
        }
        let id = self.fresh_id();
        self.sent_now(&id, &action).done(board, Some(id), at, change)
    }

    fn fresh_id(&mut self) -> Vec<u8> {
        let serial = self.sent.len();
        [format!("r{serial}").as_bytes(), &[0, 0xff][..self.random.below(3) as usize]].concat()
    }

    fn sent_now(&mut self, id: &[u8], action: &Action) -> Action {
        self.sent.push((id.to_vec(), action.clone()));
        action.clone()
    }

    fn other_than(&mut self, action: &Action, board: &Board) -> Action {
        loop {
            let other = self.action(board);
            if let (Action::Set(a, b, _), Action::Set(c, d, _)) = (action, &other)
                && (a, b) == (c, d)
            {
                continue;
            }
            if other != *action {
                return other;
            }
        }
    }

    fn action(&mut self, board: &Board) -> Action {
        match self.random.below(10) {
            0..6 => Action::Add(self.points(board), self.member()),
            6..8 => {
                let count = 1 + self.random.below(6);
                Action::AddMany((0..count).map(|_| (self.points(board), self.member())).collect())
            }
            _ => Action::Set(self.points(board), self.member(), self.condition()),
        }
    }

    fn condition(&mut self) -> Condition {
        let present = *self.random.pick(&[None, None, Some(false), Some(true)]);
        let compared = *self.random.pick(&[None, None, Some(Ordering::Less), Some(Ordering::Greater)]);
        Condition { present, compared: compared.filter(|_| present != Some(false)) }
    }

    /// Few different ones, so that scores are often equal; sometimes near the end of the range.
    fn points(&mut self, board: &Board) -> i64 {
        let unit = 10_i64.pow(board.schema.decimals.min(3));
        match self.random.below(40) {
            0 => *self.random.pick(&[i64::MAX, -i64::MAX, i64::MAX - 1, i64::MAX / 2]),
            1..5 => self.random.below(2_000_000) as i64 - 1_000_000,
            5..9 => 0,
            _ => (self.random.below(9) as i64 - 3) * unit,
        }
    }

    /// Mostly the same millisecond or the next, often late, seldom long after.
    fn at(&mut self) -> u64 {
        let (step, late) = match self.random.below(200) {
            0 => (*self.random.pick(&[700_000, 40_000_000_000, 1_200_000_000_000]), 0),
            1..8 => (self.random.below(20_000), 0),
            8..40 => (0, self.random.below(5_000)),
            _ => (self.random.below(3), 0),
        };
        self.clock += step;
        self.clock - late
    }

    fn remove(&mut self, board: &mut Board) -> Step {
        let members: Words = (0..1 + self.random.below(3)).map(|_| self.member()).collect();
        let removed = members.iter().filter(|member| board.remove(member)).count();
        Step { command: "LB.REM", arguments: members, expected: Some(redis::Value::Int(removed as i64)) }
    }

    fn set_meta(&mut self, board: &mut Board) -> Step {
        let (member, mut meta) = (self.member(), Vec::new());
        if self.random.percent(75) {
            meta = vec![self.random.below(256) as u8; 1 + self.random.below(60) as usize];
        }
        board.set_meta(&member, &meta);
        Step { command: "LB.SETMETA", arguments: vec![member, meta], expected: Some(redis::Value::Okay) }
    }

    fn alter(&mut self, board: &mut Board) -> Step {
        let dedup: u64 = *self.random.pick(&[0, 1, 10, 600, 315_360_000]);
        board.set_dedup(dedup);
        self.altered = true;
        let arguments = words(&["DEDUP", &dedup.to_string()]);
        Step { command: "LB.ALTER", arguments, expected: Some(redis::Value::Okay) }
    }

    /// Refused, whatever the board.
    fn nonsense(&mut self, board: &Board) -> Step {
        let at = self.clock.to_string();
        let fine = format!("0.{}1", "0".repeat(board.schema.decimals as usize));
        let bad: [&[&str]; 6] = [
            &["1", "", "AT", &at],
            &["1e5", "member", "AT", &at],
            &["1", "member"],
            &["1", "member", "ID", "", "AT", &at],
            &["1", "member", "AT", &at, "AT", &at],
            &[&fine, "member", "ID", "never", "AT", &at],
        ];
        let arguments = words(self.random.pick::<&[&str]>(&bad));
        Step { command: "LB.ADD", arguments, expected: None }
    }
}

impl Action {
    /// The step that this makes, the model brought up to it.
    fn done(self, board: &mut Board, id: Option<Vec<u8>>, at: u64, change: bool) -> Step {
        let change = change && !matches!(self, Action::AddMany(_));
        let write = Write { action: self, id, at, change };
        let expected = replies::of_write(board, &write);
        let (command, arguments) = told(&write, board.schema.decimals);
        Step { command, arguments, expected }
    }
}

fn told(write: &Write, decimals: u32) -> (&'static str, Words) {
    let text = |units: i64| replies::decimal(units.unsigned_abs(), units < 0, decimals).into_bytes();
    let mut options = words(&["AT", &write.at.to_string()]);
    if let Some(id) = &write.id {
        options.extend([b"ID".to_vec(), id.clone()]);
    }
    if write.change {
        options.push(b"WITHCHANGE".to_vec());
    }
    match &write.action {
        Action::Add(points, member) => ("LB.ADD", [vec![text(*points), member.clone()], options].concat()),
        Action::AddMany(pairs) => {
            let pairs = pairs.iter().flat_map(|(points, member)| [text(*points), member.clone()]);
            ("LB.MADD", options.into_iter().chain(pairs).collect())
        }
        Action::Set(score, member, condition) => {
            options.extend(words_of(*condition));
            ("LB.SET", [vec![text(*score), member.clone()], options].concat())
        }
    }
}

fn words_of(condition: Condition) -> Words {
    let present = condition.present.map(|wanted| if wanted { "XX" } else { "NX" });
    let compared = condition.compared.map(|wanted| if wanted == Ordering::Less { "LT" } else { "GT" });
    present.into_iter().chain(compared).map(|word| word.as_bytes().to_vec()).collect()
}

fn name(random: &mut Random, number: u64) -> Vec<u8> {
    let mut name = format!("m{number}").into_bytes();
    match random.below(12) {
        0 => name.extend([0, 0xff, b'\n']),
        1 => name.resize(1 + random.below(80) as usize + name.len(), b'.'),
        2 if number < 8 => name.resize(512, b'x'),
        _ => {}
    }
    name
}
