//! Random rules for scores, who joins, and what is left.

use super::calendar::{DAY, HOUR, hours};
use super::making;
use super::session::Session;

const HOURS: [&str; 6] = [
    "mon-sun=08:00-20:00",
    "mon-fri=18:00-20:00,sat-sun=10:00-22:00",
    "mon-sun=22:00-02:00",
    "wed=00:00-24:00,thu=12:30-12:31",
    "sun=23:00-01:00,mon=00:30-03:00",
    "sat-tue=09:00-08:59",
];

const RULES: [&str; 10] = [
    "OPENS",
    "CLOSES",
    "HOURS",
    "ATTEMPTS",
    "ATTEMPTS",
    "ATTEMPTS",
    "MAXMEMBERS",
    "MAXMEMBERS",
    "BOUNDS",
    "DECLARED",
];

const UNITS: [&str; 7] = ["day", "hour", "week", "all", "minute", "5400s", "second"];

impl Session {
    /// Changes one or two rules.
    pub fn alters_rules(&mut self) {
        let old = self.board.clone();
        let first = self.rule();
        let mut words = first.1.clone();
        let second = self.rule();
        if self.random.percent(30) && second.0 != first.0 {
            words += &second.1;
            self.takes(&second);
        }
        self.takes(&first);
        let rules = &self.board.rules;
        if rules.closes != 0 && rules.opens >= rules.closes {
            self.board = old;
            return;
        }
        let now = self.now();
        self.board.pass(now);
        self.says(&format!("LB.ALTER b{words}"), "OK");
    }

    /// Returns a random option, and its words.
    fn rule(&mut self) -> (&'static str, String) {
        let ends = self.random.percent(50);
        let name = *self.random.pick(&RULES);
        let words = match name {
            "HOURS" if ends => "<empty>".to_owned(),
            "HOURS" => (*self.random.pick(&HOURS)).to_owned(),
            "ATTEMPTS" if ends => "0 all".to_owned(),
            "ATTEMPTS" => self.attempts(),
            "BOUNDS" if ends => "-inf +inf".to_owned(),
            "BOUNDS" => self.bounds(),
            "DECLARED" => String::new(),
            _ if ends => "0".to_owned(),
            "MAXMEMBERS" => self.random.within(1..7).to_string(),
            _ => self.moment_of(name).to_string(),
        };
        if name == "DECLARED" && self.random.percent(80) {
            return ("MAXMEMBERS", " MAXMEMBERS 0".to_owned());
        }
        (name, format!(" {name} {words}").trim_end().to_owned())
    }

    fn attempts(&mut self) -> String {
        let old = self.board.rules.attempts.as_ref().map(|rule| rule.1.clone());
        let unit = (*self.random.pick(&UNITS)).to_owned();
        let unit = if self.random.percent(50) { old.unwrap_or(unit) } else { unit };
        format!("{} {unit}", self.random.within(1..5))
    }

    fn bounds(&mut self) -> String {
        let min = self.random.within(-5..5);
        let max = min + self.random.within(0..12);
        let sides = [
            (min.to_string(), max.to_string()),
            (format!("({min}"), format!("({}", max + 2)),
            ("-inf".to_owned(), max.to_string()),
            (min.to_string(), "+inf".to_owned()),
        ];
        let (min, max) = self.random.pick(&sides).clone();
        format!("{min} {max}")
    }

    /// Returns a moment near now at which the board opens or closes.
    fn moment_of(&mut self, name: &str) -> i64 {
        let now = self.now();
        let far = *self.random.pick(&[0, 1, 1_000, HOUR, DAY]);
        let ahead = if name == "CLOSES" { 85 } else { 30 };
        (now + if self.random.percent(ahead) { far } else { -far }).max(1)
    }

    /// The model takes an option over.
    fn takes(&mut self, (name, words): &(&'static str, String)) {
        let value = words.trim_start().strip_prefix(name).expect("the option").trim();
        let value = if value == "<empty>" { "" } else { value };
        let rules = &mut self.board.rules;
        match *name {
            "OPENS" => rules.opens = value.parse().expect("a moment"),
            "CLOSES" => rules.closes = value.parse().expect("a moment"),
            "HOURS" => rules.hours = hours(value),
            "MAXMEMBERS" => rules.max_members = value.parse().expect("a number"),
            "BOUNDS" => rules.bounds = read_bounds(value),
            "ATTEMPTS" => self.takes_attempts(value),
            _ => rules.declared = true,
        }
    }

    fn takes_attempts(&mut self, value: &str) {
        let (max, unit) = value.split_once(' ').expect("a unit");
        let old = self.board.rules.attempts.as_ref().map(|rule| rule.1.as_str());
        if old != Some(unit) {
            self.board.attempts.clear();
        }
        let rule = (max.parse().expect("a number"), unit.to_owned(), self.board.zone.unit(unit));
        self.board.rules.attempts = Some(rule).filter(|rule| rule.0 != 0);
    }

    /// Somebody joins, leaves, or asks what is left.
    pub fn joins(&mut self) {
        let (member, now) = (self.member(), self.now());
        let is_declared = self.board.rules.declared;
        match self.random.below(10) {
            0..6 if is_declared => self.joins_now(&member, now),
            6 if is_declared => {
                let was_in = self.board.joined.remove(&member);
                self.says(&format!("LB.LEAVE b {member}"), &i64::from(was_in).to_string());
            }
            _ => {
                let rows = self.board.quota(&member, now);
                self.says(&format!("LB.QUOTA b MEMBER {member}"), &super::replies::list(&rows));
            }
        }
    }

    fn joins_now(&mut self, member: &str, now: i64) {
        // See `findings`: an id of a member that only moves.
        let id = if self.board.joined.contains(member) { String::new() } else { self.id("j") };
        let segments: Vec<_> = self.dimension().map(|name| (name, self.value())).into_iter().collect();
        let expected = self.board.join(member, &id, &segments, now);
        let id = if id.is_empty() { id } else { format!(" ID {id}") };
        let segments = segments.iter().map(|(name, value)| {
            format!(" SEGMENT {name} {}", if value.is_empty() { "<empty>" } else { value })
        });
        self.says(&format!("LB.JOIN b {member}{id}{}", segments.collect::<String>()), &expected);
    }

    /// Moves the clock to a moment at which a rule may change.
    pub fn next_change(&mut self) -> i64 {
        let now = self.now();
        let step = making::step(&mut self.random, &self.board, now);
        let rules = &self.board.rules;
        let mut moments = vec![now + step, rules.opens, rules.closes];
        moments.extend(rules.attempts.as_ref().map(|rule| now + rule.2.left(now).max(0)));
        let mut open = super::calendar::next_open(&rules.hours, &self.board.zone, now);
        if open == now {
            open = (now / HOUR + 1) * HOUR;
        }
        moments.push(open);
        let moment = *self.random.pick(&moments) + self.random.within(-1..2);
        if moment > now && moment < now + 9 * DAY { moment } else { now + step }
    }
}

fn read_bounds(text: &str) -> Option<(i64, i64)> {
    let (min, max) = text.split_once(' ').expect("two bounds");
    let bound = |text: &str, open: i64, inf: i64| match text.strip_prefix('(') {
        Some(text) => text.parse::<i64>().expect("a bound") + open,
        None if text.ends_with("inf") => inf,
        None => text.parse().expect("a bound"),
    };
    Some((bound(min, 1, i64::MIN), bound(max, -1, i64::MAX)))
}
