//! A board beside its model: random commands on the board as words, and the replies that the contract expects. A test sets
//! the clock of its server to that of the pair, and runs the words in it.

mod asks;
mod changes;
mod creation;
mod cut;
mod evening;
mod placing;
mod reads;
mod reply;
mod segments;
#[cfg(test)]
mod segments_tests;
mod served;
mod shown;
mod time;
mod whole;
mod writes;

use leaderboard_core::schema::{Aggregate, Ties};

use crate::board::segment::Dimension;
use crate::board::{KINDS, Model, Name, Rules, Sent};
use crate::random::Random;
use crate::{Words, words};

use evening::Watched;

pub use creation::{PROFILES, Profile, dimensions, rules};
pub use reply::{Expected, Reply};

/// The clock at the beginning: an hour after a midnight.
pub const BEGIN: u64 = 1_699_923_600_000;

/// A command, and what it has to reply.
#[derive(Debug, Clone)]
pub struct Call {
    /// The command.
    pub words: Words,
    /// The reply.
    pub expected: Expected,
}

/// A board and its model.
pub struct Pair {
    /// The board's key.
    pub key: String,
    /// What the board has to be.
    pub model: Model,
    /// Where all choices come from.
    pub random: Random,
    /// The server's clock.
    pub wall: u64,
    /// The greatest time that the clock showed.
    latest: u64,
    /// The clock at the last change that was no write. The clock does not go back before it: the contract does not say
    /// whether such a change moves the board's time.
    changed: u64,
    /// While the clock is wrong: what it showed before, and how many calls are left until it is put right.
    leap: Option<(u64, u64)>,
    names: Vec<Name>,
    /// The writes with a request id, applied or not.
    sent: Vec<Sent>,
    serial: u64,
    /// Whether the session is about segments.
    is_segmented: bool,
    /// Segments that the last command may have changed.
    watched: Option<Watched>,
}

impl Pair {
    /// A board with these rules, and the command that makes it.
    pub fn new(key: &str, rules: Rules, random: Random, members: u64) -> (Self, Call) {
        Self::made(key, rules, &[], random, members)
    }

    /// A board with these rules and dimensions, and the command that makes it. The session is about segments, even if the
    /// board has no dimension at first.
    pub fn with_segments(
        key: &str,
        rules: Rules,
        dimensions: &[Dimension],
        random: Random,
        members: u64,
    ) -> (Self, Call) {
        let (pair, call) = Self::made(key, rules, dimensions, random, members);
        (Self { is_segmented: true, ..pair }, call)
    }

    fn made(
        key: &str,
        rules: Rules,
        dimensions: &[Dimension],
        mut random: Random,
        members: u64,
    ) -> (Self, Call) {
        let dedup = *random.pick(&[600, 600, 10, 1, 0]);
        let words = creation::creation(&mut random, key, (&rules, dimensions), dedup);
        let mut model = Model::new(rules);
        model.set_dedup(dedup);
        model.dimensions = dimensions.to_vec();
        let names = (0..members).map(|number| name(&mut random, number)).collect();
        let (sent, serial) = (Vec::new(), 0);
        let (wall, latest, changed) = (BEGIN, BEGIN, 0);
        let pair = Self {
            key: key.to_owned(),
            model,
            random,
            wall,
            latest,
            changed,
            leap: None,
            names,
            sent,
            serial,
            is_segmented: false,
            watched: None,
        };
        (pair, Call { words, expected: Expected::Reply(Reply::Ok) })
    }

    /// A board that its first write makes, and this write.
    pub fn unmade(key: &str, random: Random, members: u64) -> (Self, Call) {
        let rules = Rules {
            ascending: false,
            aggregate: Aggregate::Sum,
            ties: Ties::First,
            decimals: 0,
            is_event: false,
            levels: Vec::new(),
            kinds: vec![KINDS[0]],
            retain: 1,
            keep: 0,
            shown: false,
        };
        let (mut pair, _) = Self::new(key, rules, random, members);
        pair.model.set_dedup(600);
        // A refused write makes no board.
        let mut writes = std::iter::repeat_with(|| pair.crowd());
        let first = writes.find(|call| !matches!(call.expected, Expected::Error(_)));
        let first = first.expect("a write that is not refused");
        (pair, first)
    }

    /// A random command. The model is brought up to it.
    pub fn draw(&mut self) -> Call {
        loop {
            if let Some(call) = self.draw_segments() {
                return call;
            }
            let call = match self.random.below(100) {
                _ if self.leap.is_some() => Some(self.read()),
                0..40 => self.write(),
                40..52 => Some(self.change()),
                52..54 => Some(self.nonsense()),
                _ => Some(self.read()),
            };
            if let Some(call) = call {
                return call;
            }
        }
    }

    /// A command on the board.
    fn call(&mut self, command: &str, rest: &[Words], expected: impl Into<Expected>) -> Call {
        let command = if self.random.percent(10) { command.to_lowercase() } else { command.to_owned() };
        let words = [words(&[command.as_str(), &self.key]), rest.concat()].concat();
        Call { words, expected: expected.into() }
    }

    /// A member's name, now and then one that the board never gets.
    fn member(&mut self) -> Name {
        if self.random.percent(3) { b"nobody".to_vec() } else { self.random.pick(&self.names).clone() }
    }

    fn members(&mut self, most: u64) -> Vec<Name> {
        (0..1 + self.random.below(most)).map(|_| self.member()).collect()
    }

    /// The options in any order.
    fn shuffled(&mut self, mut options: Vec<Words>) -> Words {
        self.random.shuffle(&mut options);
        options.concat()
    }

    /// Brings the model up to the present.
    fn advance(&mut self) {
        let now = self.model.now(self.wall);
        self.model.advance(now);
    }
}

impl From<Reply> for Expected {
    fn from(reply: Reply) -> Self {
        Self::Reply(reply)
    }
}

/// Names of all kinds.
fn name(random: &mut Random, number: u64) -> Name {
    let mut name = format!("m{number}").into_bytes();
    match random.below(12) {
        0 => name.extend([0, 0xff, b'\n']),
        1 => name.resize(1 + random.below(80) as usize + name.len(), b'.'),
        2 => name[0] = 0xe9,
        3 => name = number.to_string().into_bytes(),
        4 if number < 3 => name.resize(512, b'x'),
        // Together with these names, 400 members make a large board.
        4 | 5 if number >= 100 => name.resize(512, b'x'),
        _ => {}
    }
    name
}
