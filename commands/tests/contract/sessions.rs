//! Random sessions.

use leaderboard_testkit::random::seed;

use super::board::{Aggregate, Table, Ties};
use super::making;
use super::session::Session;
use super::writes::Request;

const CALLS: usize = 120;

/// Returns how many sessions are run: `$CONTRACT_SESSIONS`, or a number that takes some seconds.
fn sessions() -> u64 {
    std::env::var("CONTRACT_SESSIONS").map_or(20, |count| count.parse().expect("a number"))
}

/// All sessions are run. Of those that fail, the one with the shortest story is told.
#[test]
fn random_sessions_are_as_the_contract_says() {
    let seed = seed();
    let mut failed = Vec::new();
    std::panic::set_hook(Box::new(|_| {}));
    for number in 0..sessions() {
        let number = seed.wrapping_mul(1_000_003).wrapping_add(number);
        if let Err(told) = std::panic::catch_unwind(|| one_session(number)) {
            let told = told.downcast_ref::<String>().cloned().unwrap_or_default();
            failed.push((told.lines().count(), format!("session {number}: {told}")));
        }
    }
    drop(std::panic::take_hook());
    failed.sort();
    assert!(failed.is_empty(), "{} sessions failed. The shortest:\n{}", failed.len(), failed[0].1);
}

fn one_session(seed: u64) {
    let mut session = Session::new(seed);
    let first = Request {
        command: "LB.ADD",
        pairs: vec![(3, "m0".to_owned())],
        is_forced: true,
        ..Request::default()
    };
    let at = session.board.has_events.then_some(session.clock());
    session.writes(&Request { at, ..first });
    for _ in 0..session.random.below(7) {
        session.moves();
        if session.board.rules.declared {
            session.joins();
        }
    }
    for _ in 0..CALLS {
        session.call();
        session.compare();
    }
    if std::env::var("CONTRACT_TOLD").is_ok() {
        println!("{}", session.told());
    }
}

impl Session {
    fn call(&mut self) {
        let is_late = self.board.rules.closes != 0 && self.board.rules.closes <= self.now();
        if is_late && self.random.percent(20) {
            self.board.rules.closes = 0;
            self.says("LB.ALTER b CLOSES 0", "OK");
        }
        if self.can_leap && self.leaps() {
            return;
        }
        if !self.board.has_events && self.right_clock.is_none() {
            let clock = self.clock();
            let step = making::step(&mut self.random, &self.board, clock);
            let next =
                if self.has_rules && self.random.percent(15) { self.next_change() } else { clock + step };
            self.server.settings.clock = next.max(clock) as u64;
        }
        let kind = self.random.below(if self.has_rules { 127 } else { 107 });
        match kind {
            100..102 => self.alters_retain(),
            102..104 => self.settles(),
            104..107 => self.counts(),
            107..114 => self.alters_rules(),
            114..127 => self.joins(),
            0..35 => self.random_write(),
            35..50 => self.random_claim(),
            50..65 => self.random_prizes(),
            65..71 => self.random_read(),
            71..75 => self.random_segments(),
            75..83 => self.hides_or_removes(),
            83..87 => self.moves(),
            87..90 if self.right_clock.is_none() => self.alters_tables(),
            90..93 => self.moves_clock(),
            93..95 => self.reload(),
            95..97 => self.compare(),
            _ => self.server.work(self.ids as usize % 5),
        }
    }

    pub fn member(&mut self) -> String {
        format!("m{}", self.random.below(7))
    }

    pub fn view(&mut self) -> String {
        if self.random.percent(40) { String::new() } else { self.random.pick(&self.board.views).name.clone() }
    }

    pub fn dimension(&mut self) -> Option<String> {
        let all = &self.board.dimensions;
        if all.is_empty() { None } else { Some(self.random.pick(all).0.clone()) }
    }

    /// Returns an id: mostly a new one, else one of the last ones.
    pub fn id(&mut self, name: &str) -> String {
        match self.random.below(10) {
            0..4 => String::new(),
            4..8 => {
                self.ids += 1;
                format!("{name}{}", self.ids)
            }
            _ => format!("{name}{}", self.ids.saturating_sub(self.random.below(6))),
        }
    }

    /// Returns a moment at or before now, often just at a boundary.
    pub fn past(&mut self) -> i64 {
        let now = self.now();
        let view = self.random.pick(&self.board.views).clone();
        if view.is_all() || self.random.percent(20) {
            return now - self.random.within(0..100_000_000);
        }
        let period = view.period(now) - self.random.within(0..4);
        (view.unit.start(period) + self.random.within(-1..2)).min(now)
    }

    fn random_write(&mut self) {
        let commands = ["LB.ADD", "LB.ADD", "LB.SET", "LB.MADD", "LB.MSET"];
        let command = *self.random.pick(&commands);
        let is_list = command.starts_with("LB.M");
        let is_set = command.ends_with("SET");
        let count = if is_list { self.random.within(1..4) } else { 1 };
        let pairs = (0..count).map(|_| (self.random.within(-4..15), self.member())).collect();
        let view = self.view();
        let conditions: [&'static str; 6] = ["NX", "XX", "GT", "LT", "XX GT", "XX LT"];
        let has_condition = command == "LB.SET" && self.random.percent(50);
        let drawn: &&str = self.random.pick(&conditions);
        let condition = if has_condition { *drawn } else { "" };
        let mut segments = Vec::new();
        if self.random.percent(40) {
            segments.extend(self.dimension().map(|name| (name, self.value())));
        }
        let has_within = !is_list && self.random.percent(40);
        let request = Request {
            command,
            pairs,
            condition,
            at: self.moment(is_set, &view),
            id: self.id("r"),
            view,
            is_forced: self.random.percent(10),
            segments,
            within: if has_within { self.dimension().unwrap_or_default() } else { String::new() },
        };
        if self.is_clear(&request) {
            self.writes(&request);
        }
    }

    /// Says whether the contract says clearly what this write does.
    fn is_clear(&self, request: &Request) -> bool {
        let is_set = request.command.ends_with("SET");
        let has_rolling = self.board.views.iter().any(|view| view.is_rolling());
        // See `findings`: the place among equals of one moment, where a late write counts no more.
        let now = self.now();
        let at = request.at.unwrap_or(now);
        let mut rolling = self.board.views.iter().filter(|view| view.is_rolling());
        let has_times = matches!(self.board.ties, Ties::First | Ties::Last);
        if has_times && rolling.any(|view| view.period(at) < view.period(now)) {
            return false;
        }
        // Whether a late write that also moves its member counts by its AT or by now, the contract leaves open.
        if has_times && at < now && !request.segments.is_empty() {
            return false;
        }
        // See `findings`: how long a list waits that never fits.
        let max = self.board.rules.max_members as usize;
        let is_too_long = max > 0 && request.pairs.len() > max;
        !(is_too_long || is_set && has_rolling && self.board.aggregate == Aggregate::Max)
    }

    pub fn value(&mut self) -> String {
        (*self.random.pick(&["DE", "DE", "FR", "FR", "US", ""])).to_owned()
    }

    fn moment(&mut self, is_set: bool, view: &str) -> Option<i64> {
        let now = self.now();
        if self.right_clock.is_some() {
            return None;
        }
        let at = if self.random.percent(35) {
            self.past()
        } else {
            let then = if self.has_rules && self.random.percent(20) { self.next_change() } else { now };
            let step = making::step(&mut self.random, &self.board, now);
            if self.board.has_events { then.max(now + step * i64::from(then == now)) } else { now }
        };
        let view = self.board.view(view);
        let at = if is_set && !view.is_all() { at.max(view.unit.start(view.period(now))) } else { at };
        (self.board.has_events || self.random.percent(30)).then_some(at)
    }

    pub fn writes(&mut self, request: &Request) {
        let expected = self.board.write(request, self.clock());
        self.says(&request.words(), &expected);
    }

    fn hides_or_removes(&mut self) {
        let member = self.member();
        let now = self.now();
        self.board.pass(now);
        match self.random.below(10) {
            0..4 => {
                let is_new = self.board.tracked(now, now, |board| board.hidden.insert(member.clone()));
                self.says(&format!("LB.HIDE b {member}"), &i64::from(is_new).to_string());
            }
            4..8 => {
                let was_hidden = self.board.tracked(now, now, |board| board.hidden.remove(&member));
                self.says(&format!("LB.UNHIDE b {member}"), &i64::from(was_hidden).to_string());
            }
            // See `findings`: the removal of somebody whom the board does not know.
            _ if self.board.knows(&member, now) => {
                self.board.remove(&member, now);
                self.says(&format!("LB.REM b {member}"), "1");
            }
            _ => {}
        }
    }

    fn moves(&mut self) {
        let Some(name) = self.dimension() else { return };
        let (member, value, now) = (self.member(), self.value(), self.now());
        self.board.pass(now);
        let changes = self.board.tracked(now, now, |board| board.put(&member, &name, &value, now));
        let value = if value.is_empty() { "<empty>" } else { &value };
        self.says(&format!("LB.SEGMENT b {member} {name} {value}"), &i64::from(changes).to_string());
    }

    fn alters_tables(&mut self) {
        let now = self.now();
        self.board.pass(now);
        let views: Vec<_> = self.board.views.iter().filter(|view| !view.is_all()).cloned().collect();
        if views.is_empty() {
            return;
        }
        let view = self.random.pick(&views).name.clone();
        let per = if self.random.percent(40) { self.dimension().unwrap_or_default() } else { String::new() };
        let places = if self.random.percent(20) { String::new() } else { making::places(&mut self.random) };
        let table = Table { view, per, places, now };
        self.says(&format!("LB.ALTER b{}", making::table_words(&table)), "OK");
        self.board.tables.push(table);
    }

    fn moves_clock(&mut self) {
        let now = self.now();
        let then = now + making::step(&mut self.random, &self.board, now);
        if self.board.has_events && then > now {
            self.board.last = then;
            self.board.pass(then);
            self.says(&format!("LB.ALTER b NOW {then}"), "OK");
        }
    }
}
