//! Random writes to a board. There are few different scores, so many members have equal scores, and the test sets the
//! moments.

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use super::parts::part_of;
use super::random::Random;
use super::wire::Reply;

pub const HOUR: u64 = 3_600_000;
const MEMBERS: u64 = 60;

/// The form of points.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Points {
    Whole,
    Cents,
    Levels,
}

/// The rules of a board.
#[derive(Clone, Copy)]
pub struct Rules {
    pub options: &'static str,
    pub points: Points,
    pub parts: u16,
}

pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_millis() as u64
}

/// Makes the random writes of a client.
pub struct Play {
    pub random: Random,
    rules: Rules,
    /// Whether all writes have different moments.
    distinct: bool,
    began: u64,
    used: BTreeSet<u64>,
    requests: Vec<Vec<String>>,
    counted: u64,
}

impl Play {
    pub fn new(seed: u64, rules: Rules, distinct: bool) -> Play {
        let (random, used) = (Random::new(seed), BTreeSet::new());
        Play { random, rules, distinct, began: now(), used, requests: Vec::new(), counted: 0 }
    }

    /// Checks whether the hour in which the play began has ended. Boards then begin a new period, each at a slightly
    /// different moment.
    pub fn hour_ended(&self) -> bool {
        now() / HOUR != self.began / HOUR
    }

    pub fn member(&mut self) -> String {
        format!("m{}", self.random.below(MEMBERS))
    }

    pub fn points(&mut self) -> String {
        match self.rules.points {
            Points::Whole => (self.random.below(9) as i64 - 2).to_string(),
            Points::Cents => format!("{}.{}5", self.random.below(3), self.random.below(3)),
            Points::Levels => format!("{}/{}", self.random.below(3), self.random.below(4)),
        }
    }

    /// Returns a moment of this hour or of the hours before.
    pub fn moment(&mut self) -> u64 {
        if !self.distinct {
            return self.began / 1_000 * 1_000 - 1_000 * (1 + self.random.below(3));
        }
        loop {
            let since = if self.random.percent(60) { self.began % HOUR } else { 3 * HOUR };
            let at = self.began - self.random.below(since.max(10_000));
            if self.used.insert(at) {
                return at;
            }
        }
    }

    /// Returns points and names of several members. If a write with a single moment would make members of different
    /// parts equal, all members are of one part.
    fn list(&mut self) -> Vec<String> {
        let first = self.member();
        let alike = |member: &String| part_of(member, self.rules.parts) == part_of(&first, self.rules.parts);
        let others: Vec<_> = (0..MEMBERS).map(|number| format!("m{number}")).filter(alike).collect();
        let mut list = vec![first];
        for _ in 0..self.random.below(5) {
            let other = if self.distinct { self.random.pick(&others).clone() } else { self.member() };
            list.push(other);
        }
        list
    }

    /// Returns the words of a write without the key.
    pub fn write(&mut self) -> Vec<String> {
        if !self.requests.is_empty() && self.random.percent(6) {
            let requests = self.requests.clone();
            return self.random.pick(&requests).clone();
        }
        let words = self.fresh();
        if words.iter().any(|word| word == "ID") {
            self.requests.push(words.clone());
        }
        words
    }

    fn fresh(&mut self) -> Vec<String> {
        let member = self.member();
        match self.random.below(100) {
            0..40 => self.one("LB.ADD", &member),
            40..55 => self.one("LB.SET", &member),
            55..62 if self.rules.points != Points::Levels => self.one("LB.ROLLADD", &member),
            55..74 => self.many("LB.MADD"),
            74..80 => self.many("LB.MSET"),
            80..86 => vec!["LB.REM".into(), member, self.member()],
            86..90 => {
                let meta = if self.random.percent(30) {
                    String::new()
                } else {
                    format!("text-{}", self.random.below(9))
                };
                vec!["LB.SETMETA".into(), member, meta]
            }
            // A hidden member ranks in a special way among equal members, so members are hidden only in plays without
            // equal moments.
            90..94 if self.distinct => vec!["LB.HIDE".into(), member, self.member()],
            94..97 if self.distinct => vec!["LB.UNHIDE".into(), member, self.member()],
            97 if self.rules.points == Points::Whole => {
                let least = 14 + self.random.below(9);
                vec!["LB.REMRANGEBYSCORE".into(), format!("({least}"), (least + 2).to_string()]
            }
            98 if self.rules.options.is_empty() => self.one("LB.VOTE", &member),
            _ => self.one("LB.ADD", &member),
        }
    }

    fn id(&mut self) -> Vec<String> {
        self.counted += 1;
        vec!["ID".into(), format!("request-{}", self.counted)]
    }

    fn one(&mut self, command: &str, member: &str) -> Vec<String> {
        let points = if command == "LB.VOTE" { "2".to_owned() } else { self.points() };
        let mut words = vec![command.to_owned(), points, member.to_owned()];
        words.extend(["AT".to_owned(), self.moment().to_string()]);
        if self.random.percent(40) {
            words.extend(self.id());
        }
        if command == "LB.SET" && self.random.percent(40) {
            words.push((*self.random.pick(&["NX", "XX", "GT", "LT"])).to_owned());
        }
        if command == "LB.ADD" && self.random.percent(20) {
            words.extend(["VIEW".to_owned(), (*self.random.pick(&["all", "hour", "day:7"])).to_owned()]);
        }
        if command != "LB.VOTE" && self.random.percent(20) {
            words.push("WITHCHANGE".to_owned());
        }
        words
    }

    fn many(&mut self, command: &str) -> Vec<String> {
        let mut words = vec![command.to_owned()];
        words.extend(self.id());
        words.extend(["AT".to_owned(), self.moment().to_string()]);
        for member in self.list() {
            words.extend([self.points(), member]);
        }
        words
    }

    /// Returns the write with the option for the rank, if the rank is to be requested.
    pub fn ranked(&mut self, words: &[String]) -> Option<Vec<String>> {
        let at = match words[0].as_str() {
            "LB.ADD" | "LB.SET" | "LB.ROLLADD" | "LB.VOTE" => words.len(),
            "LB.MADD" | "LB.MSET" => 1,
            _ => return None,
        };
        // If equal members are in another order, their ranks differ too.
        (self.distinct && self.random.percent(40)).then(|| {
            let mut words = words.to_vec();
            words.insert(at, "WITHRANK".to_owned());
            words
        })
    }
}

/// Returns the expected reply of a spread board, made from the reply of a plain board: without the rank, unless it was
/// requested, and without the rank before the write.
pub fn as_spread(command: &str, reply: &Reply, ranked: bool, nil: &Reply) -> Reply {
    let Reply::Array(items) = reply else { return reply.clone() };
    let mut items = items.clone();
    match command {
        "LB.ADD" | "LB.SET" | "LB.ROLLADD" => {
            if !ranked {
                items[1] = nil.clone();
            }
            if let Some(before) = items.get_mut(4) {
                *before = nil.clone();
            }
        }
        "LB.MADD" | "LB.MSET" => {
            items = items.iter().map(|item| as_spread("LB.ADD", item, ranked, nil)).collect();
        }
        "LB.VOTE" => items[1] = as_spread("LB.MADD", &items[1], ranked, nil),
        _ => {}
    }
    Reply::Array(items)
}
