//! Random sessions.

use leaderboard_testkit::random::seed;

use super::board::{Aggregate, Table};
use super::claims::Asked;
use super::making;
use super::reads::Read;
use super::replies::{elements, list, or_nil};
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
    for _ in 0..CALLS {
        session.call();
    }
    if std::env::var("CONTRACT_TOLD").is_ok() {
        println!("{}", session.told());
    }
}

impl Session {
    fn call(&mut self) {
        if !self.board.has_events {
            let clock = self.clock();
            let step = making::step(&mut self.random, &self.board, clock);
            let next =
                if self.has_rules && self.random.percent(30) { self.next_change() } else { clock + step };
            self.server.settings.clock = next.max(clock) as u64;
        }
        let kind = self.random.below(if self.has_rules { 120 } else { 100 });
        match kind {
            100..107 => self.alters_rules(),
            107..120 => self.joins(),
            0..35 => self.random_write(),
            35..50 => self.random_claim(),
            50..65 => self.random_prizes(),
            65..71 => self.random_read(),
            71..75 => self.random_segments(),
            75..83 => self.hides_or_removes(),
            83..87 => self.moves(),
            87..90 => self.alters_tables(),
            90..93 => self.moves_clock(),
            93..95 => self.reload(),
            95..97 => self.compare(),
            _ => self.server.work(self.ids as usize % 5),
        }
    }

    pub fn member(&mut self) -> String {
        format!("m{}", self.random.below(7))
    }

    fn view(&mut self) -> String {
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
    fn past(&mut self) -> i64 {
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
        let mut segments = Vec::new();
        if self.random.percent(40) {
            segments.extend(self.dimension().map(|name| (name, self.value())));
        }
        let has_within = !is_list && self.random.percent(40);
        let drawn: &&str = self.random.pick(&conditions);
        let condition = if has_condition { *drawn } else { "" };
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
        // The contract does not say how long a list waits that never fits.
        let max = self.board.rules.max_members as usize;
        let is_too_long = max > 0 && request.pairs.len() > max;
        !(is_too_long || is_set && has_rolling && self.board.aggregate == Aggregate::Max)
    }

    pub fn value(&mut self) -> String {
        (*self.random.pick(&["DE", "FR", "US", ""])).to_owned()
    }

    fn moment(&mut self, is_set: bool, view: &str) -> Option<i64> {
        let now = self.now();
        let at = if self.random.percent(35) {
            self.past()
        } else {
            let then = if self.has_rules && self.random.percent(40) { self.next_change() } else { now };
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

    /// Returns a table and a period, mostly with winners, and a member, mostly a winner.
    fn asked(&mut self) -> (Asked, String) {
        let now = self.now();
        self.board.pass(now);
        let known = self.board.known_places(now);
        if known.is_empty() || self.random.percent(15) {
            return (self.any_asked(), self.member());
        }
        let (place, winners) = self.random.pick(&known).clone();
        let member =
            if self.random.percent(20) { self.member() } else { self.random.pick(&winners).member.clone() };
        let view = self.board.view(&place.0).clone();
        let back = view.period(now) - place.2;
        let mut asked = Asked { view: place.0, per: place.1, ..Asked::default() };
        match self.random.below(4) {
            0 if back == 1 => {}
            0 | 1 => {
                let begin = view.unit.start(place.2);
                let end = begin + view.unit.len - 1;
                asked.at = Some(*self.random.pick(&[begin, end, begin + view.unit.len / 2]));
            }
            _ => asked.back = Some(back),
        }
        self.leaves_view_out(&mut asked);
        (asked, member)
    }

    fn any_asked(&mut self) -> Asked {
        let mut asked = Asked::default();
        if self.random.percent(40) {
            asked.per = self.dimension().unwrap_or_default();
        }
        let views: Vec<_> = self.board.tables.iter().map(|table| table.view.clone()).collect();
        if !views.is_empty() {
            asked.view = self.random.pick(&views).clone();
        }
        match self.random.below(10) {
            0..3 => {}
            3..8 => asked.back = Some(self.random.within(0..7)),
            _ => asked.at = Some(self.past()),
        }
        self.leaves_view_out(&mut asked);
        asked
    }

    /// Leaves VIEW out where it is the view by default, and sometimes elsewhere.
    fn leaves_view_out(&mut self, asked: &mut Asked) {
        let short = Asked { view: String::new(), ..asked.clone() };
        let default = self.board.place(&short, self.now()).map(|place| place.0);
        if default.is_some_and(|view| view == asked.view || self.random.percent(10))
            && self.random.percent(50)
        {
            *asked = short;
        }
    }

    fn asks(asked: &Asked) -> String {
        let view = if asked.view.is_empty() { String::new() } else { format!(" VIEW {}", asked.view) };
        let per = if asked.per.is_empty() { String::new() } else { format!(" PER {}", asked.per) };
        let period = match (asked.at, asked.back) {
            (Some(at), _) => format!(" AT {at}"),
            (None, Some(0)) => " PERIOD 0".to_owned(),
            (None, Some(back)) => format!(" PERIOD -{back}"),
            (None, None) => String::new(),
        };
        view + &per + &period
    }

    fn is_asked(&self, asked: &Asked) -> bool {
        !asked.view.is_empty() || self.board.place(asked, self.now()).is_some()
    }

    fn random_claim(&mut self) {
        let (asked, member) = self.asked();
        let used: Vec<_> = self.board.claims.iter().map(|(id, (_, who))| (id.clone(), who.clone())).collect();
        let (mut id, mut member) = (self.id("c"), member);
        if !used.is_empty() && self.random.percent(25) {
            let (old, who) = self.random.pick(&used).clone();
            id = old;
            member = if self.random.percent(70) { who } else { member };
        }
        // How long the id of a claim is known where all of a period is claimed beyond RETAIN, the contract leaves open.
        self.board.pass(self.now());
        let is_gone = self.board.claims.get(&id).is_some_and(|(place, _)| self.board.is_gone(place));
        if is_gone || !self.is_asked(&asked) {
            return;
        }
        let expected = self.board.claim(&member, &asked, &id, self.now());
        let id = if id.is_empty() { id } else { format!(" ID {id}") };
        self.says(&format!("LB.CLAIM b {member}{}{id}", Self::asks(&asked)), &expected);
    }

    fn random_prizes(&mut self) {
        let (asked, _) = self.asked();
        if !self.is_asked(&asked) {
            return;
        }
        self.board.pass(self.now());
        let is_unclaimed = self.random.percent(30);
        let mut expected = self.board.prize_rows(&asked, is_unclaimed, self.now());
        let count = self.random.within(1..5);
        let unclaimed = if is_unclaimed { " UNCLAIMED" } else { "" };
        let (mut rows, mut cursor) = (Vec::new(), "0".to_owned());
        loop {
            let reply =
                self.run(&format!("LB.PRIZES b {cursor} COUNT {count}{}{unclaimed}", Self::asks(&asked)));
            let page = elements(&reply);
            let shown = elements(&page[1]);
            assert!(shown.len() <= count as usize, "a page\n{}", self.told());
            rows.extend(shown);
            cursor = page[0].clone();
            if cursor == "0" {
                break;
            }
        }
        if !asked.per.is_empty() {
            rows.sort();
            expected.sort();
        }
        assert_eq!(rows, expected, "the rows, and what the contract says\n{}", self.told());
    }

    /// Returns a view and a period.
    pub fn read(&mut self) -> Read {
        let mut read = Read { view: self.view(), back: self.random.within(0..4), ..Read::default() };
        if self.board.view(&read.view).is_all() || self.random.percent(40) {
            read.back = 0;
        } else if self.random.percent(20) {
            read.at = Some(self.past());
        }
        read.is_reversed = self.random.percent(20);
        read
    }

    fn random_read(&mut self) {
        let mut read = self.read();
        if self.random.percent(40) {
            read.inside =
                self.dimension().map(|name| (name, self.random.pick(&["DE", "FR", "US"]).to_string()));
        }
        let now = self.now();
        let member = self.member();
        if self.random.percent(50) {
            let expected = self.board.top(&read, 5, now);
            self.says(&format!("LB.TOP b 5{}", read.words()), &expected);
        }
        if read.inside.is_none() && self.random.percent(60) {
            read.within = self.dimension().unwrap_or_default();
        }
        let own = self.board.own(&read, &member, now);
        self.says(&format!("LB.RANK b {member}{}", read.words()), &or_nil(own.map(|own| own.1)));
        let stands = self.board.standing_of(&read, &member, now);
        let reply = self.run(&format!("LB.STANDING b {member}{}", read.words()));
        let shown = (reply != "-").then(|| {
            let words = elements(&reply);
            ["rank", "score", "members", "previous", "change"]
                .map(|name| words[words.iter().position(|word| word == name).expect("a field") + 1].clone())
        });
        assert_eq!(shown, stands, "the standing, and what the contract says\n{}", self.told());
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
            _ => {
                self.board.remove(&member, now);
                self.run(&format!("LB.REM b {member}"));
            }
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

#[allow(dead_code, reason = "used soon")]
fn unused() -> String {
    list(&[""])
}
