//! Random sessions on boards with rules of scores, against a model that works all out from the writes that were applied. What
//! a rule holds back changes no byte of the board and sends replicas nothing.

mod clock;
mod model;

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};
use leaderboard_testkit::random::{Random, seed};

use clock::{AUTUMN, DAY, HOUR, SPRING, STEP, Unit, Window, Zone};
use model::{Condition, Model, Outcome, View, Write};

const SESSIONS: u64 = 150;
const CALLS: usize = 200;
const MEMBERS: u64 = 7;

struct Session {
    server: PlainServer,
    replica: PlainServer,
    model: Model,
    random: Random,
    story: Vec<String>,
}

impl Session {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let zone = *random.pick(&[Zone::Utc, Zone::Berlin]);
        let views = [View::One(Unit::All), View::One(Unit::Day), View::One(Unit::Hour), View::ThreeDays];
        let view = *random.pick(&views);
        let (has_events, is_declared) = (random.percent(60), random.percent(40));
        let begin = *random.pick(&[SPRING, AUTUMN, SPRING + 9 * DAY]) - 2 * DAY + random.below(DAY);
        let settings = Settings { clock: begin, protocol: Protocol::Resp2, ..Settings::default() };
        let [server, replica] = [settings.clone(), settings].map(PlainServer::new);
        let now = if has_events { 0 } else { begin };
        let model = Model::new((zone, view), has_events, is_declared, now);
        let mut session = Self { server, replica, model, random, story: Vec::new() };
        let clock = if has_events { " CLOCK EVENT" } else { "" };
        let declared = if is_declared { " DECLARED" } else { "" };
        let views = if view == View::One(Unit::All) { "all" } else { &format!("{},all", view.word()) };
        session.says(
            &format!("LB.CREATE b VIEWS {views} TZ {} DEDUP 9999999{clock}{declared}", zone.word()),
            "+OK",
        );
        if has_events {
            let first = Write { at: Some(begin), force: true, ..session.plain(1, 0) };
            session.write(&first);
        }
        session
    }

    fn plain(&self, points: i64, member: u64) -> Write {
        let pairs = vec![(points, format!("m{member}"))];
        Write { pairs, sets: false, condition: Condition::No, at: None, id: None, force: false }
    }

    /// Runs a command. What is refused sends replicas nothing, and changes no byte on a clock of events.
    fn run(&mut self, words: &str) -> String {
        self.story.push(format!("{} {words}", self.server.settings.clock));
        let words: Vec<_> = words.split(' ').map(|word| if word == "<empty>" { "" } else { word }).collect();
        let before = self.server.saved(b"b");
        let reply = String::from_utf8(self.server.run(&words)).unwrap();
        let stream = self.server.take_stream();
        if reply.starts_with('-') {
            assert!(stream.is_empty(), "{}", self.story());
            assert!(!self.model.has_events || self.server.saved(b"b") == before, "{}", self.story());
        }
        for words in stream {
            let applied = self.replica.apply(&words);
            assert!(!applied.starts_with(b"-"), "{}: {}", applied.escape_ascii(), self.story());
        }
        reply.trim_end().replace("\r\n", " ")
    }

    fn says(&mut self, words: &str, expected: &str) {
        let reply = self.run(words);
        assert_eq!(reply, expected, "{}", self.story());
    }

    fn story(&self) -> String {
        format!("\n{}\n", self.story.join("\n"))
    }

    /// A moment: often one at which something begins or ends, or beside it.
    fn moment(&mut self) -> u64 {
        let (zone, now, opening) = (self.model.zone, self.model.now, self.model.opening.clone());
        let mut edges =
            vec![now, Unit::Day.period(zone, now).1, Unit::Hour.period(zone, now).1, SPRING, AUTUMN];
        edges.extend([opening.opens, opening.closes].into_iter().filter(|edge| *edge > 0));
        edges.push(now - now % STEP + STEP * (1 + self.random.below(96)));
        let edge = match self.random.below(10) {
            0..6 => *self.random.pick(&edges) + self.random.below(3) - 1,
            6 => now + self.random.below(3 * DAY),
            7 => now.saturating_sub(self.random.below(3 * DAY)),
            _ => now,
        };
        // No leap is so long that the session leaves the weeks around a change of clocks.
        edge.clamp(now.saturating_sub(4 * DAY), now + 4 * DAY)
    }

    fn pass_time(&mut self) {
        if self.model.has_events || self.random.percent(50) {
            return;
        }
        let next = self.moment().max(self.model.now);
        self.model.now = next;
        self.server.settings.clock = next;
        self.replica.settings.clock = next;
    }

    fn draw(&mut self) -> Write {
        let sets = self.random.percent(30);
        let count = if self.random.percent(25) { 1 + self.random.below(4) } else { 1 };
        let pairs =
            (0..count).map(|_| (self.random.within(-2..7), format!("m{}", self.random.below(MEMBERS))));
        let pairs: Vec<_> = pairs.collect();
        let conditions = [Condition::No, Condition::Nx, Condition::Xx, Condition::Gt, Condition::Lt];
        let condition = if sets && count == 1 { *self.random.pick(&conditions) } else { Condition::No };
        let at = match (self.model.has_events, sets) {
            (true, _) => Some(self.moment()),
            (false, false) if self.random.percent(30) => Some(self.moment()),
            (false, _) => None,
        };
        // A score cannot be set in a period that has ended, and no write is in the future.
        let at = at.map(|at| if sets { at.max(self.model.now) } else { at });
        let at = at.map(|at| if self.model.has_events { at } else { at.min(self.model.now) });
        let id = self.random.percent(30).then(|| self.random.below(60));
        Write { pairs, sets, condition, at, id, force: self.random.percent(8) }
    }

    fn write(&mut self, write: &Write) {
        let Write { pairs, sets, condition, at, id, force } = write;
        let mut options = String::new();
        options.push_str(match condition {
            Condition::No => "",
            Condition::Nx => " NX",
            Condition::Xx => " XX",
            Condition::Gt => " GT",
            Condition::Lt => " LT",
        });
        at.iter().for_each(|at| options.push_str(&format!(" AT {at}")));
        id.iter().for_each(|id| options.push_str(&format!(" ID r{id}")));
        options.push_str(if *force { " FORCE" } else { "" });
        let list: Vec<_> = pairs.iter().map(|(number, member)| format!("{number} {member}")).collect();
        let name = if *sets { "SET" } else { "ADD" };
        let words = match list.as_slice() {
            [one] => format!("LB.{name} b {one}{options}"),
            many => format!("LB.M{name} b{options} {}", many.join(" ")),
        };
        let expected = self.model.write(write);
        let reply = self.run(&words);
        let got = read(&reply, pairs.len());
        assert_eq!(got, Some(expected), "{reply}{}", self.story());
    }

    fn alter(&mut self) {
        let moment = self.moment();
        let opening = &mut self.model.opening;
        // Most boards are open, or hardly any other rule would be reached.
        let change = *self.random.pick(&[0, 1, 2, 2, 2, 2, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8]);
        let words = match change {
            0 if opening.closes == 0 || moment < opening.closes => {
                opening.opens = moment;
                format!("OPENS {moment}")
            }
            1 if moment > opening.opens => {
                opening.closes = moment;
                format!("CLOSES {moment}")
            }
            2 => {
                (opening.opens, opening.closes) = (0, 0);
                "OPENS 0 CLOSES 0".to_owned()
            }
            3 => {
                let windows = 1 + self.random.below(3);
                opening.hours = (0..windows).map(|_| window(&mut self.random)).collect();
                format!("HOURS {}", opening.hours.iter().map(Window::word).collect::<Vec<_>>().join(","))
            }
            4 => {
                opening.hours.clear();
                "HOURS <empty>".to_owned()
            }
            5 => {
                let (most, unit) =
                    (self.random.below(5), *self.random.pick(&[Unit::Hour, Unit::Day, Unit::All]));
                self.model.set_attempts(most, unit);
                format!("ATTEMPTS {most} {}", unit.word())
            }
            6 => {
                self.model.most_members = self.random.below(MEMBERS);
                format!("MAXMEMBERS {}", self.model.most_members)
            }
            7 if self.random.percent(50) => {
                self.model.bounds = None;
                "BOUNDS -inf +inf".to_owned()
            }
            7 => {
                let min = self.random.within(-2..4);
                self.model.bounds = Some((min, 5));
                format!("BOUNDS ({} 5", min - 1)
            }
            _ if self.model.has_events => {
                self.model.now = self.model.now.max(moment);
                format!("NOW {}", self.model.now)
            }
            _ => return,
        };
        self.says(&format!("LB.ALTER b {words}"), "+OK");
    }

    fn entrant(&mut self) {
        let member = format!("m{}", self.random.below(MEMBERS));
        if !self.model.is_declared {
            self.says(&format!("LB.JOIN b {member}"), "-ERR LB.JOIN needs a board with DECLARED");
            return;
        }
        match self.random.below(4) {
            0 => {
                let was_in = self.model.joined.remove(&member);
                self.says(&format!("LB.LEAVE b {member}"), if was_in { ":1" } else { ":0" });
            }
            1 => match self.model.join(&member, true) {
                Ok(_) => self.says(&format!("LB.OPTION b {member}"), "+OK"),
                Err(rule) => self.says(&format!("LB.OPTION b {member}"), &format!("-HELDBACK {rule} -1")),
            },
            _ => match self.model.join(&member, false) {
                Ok(is_new) => {
                    self.says(&format!("LB.JOIN b {member}"), if is_new { ":1" } else { ":0" });
                }
                Err(rule) => self.says(&format!("LB.JOIN b {member}"), &format!("-HELDBACK {rule} -1")),
            },
        }
    }

    fn quota(&mut self) {
        let member = format!("m{}", self.random.below(MEMBERS));
        let rows = self.model.quota(&member);
        let text = rows
            .iter()
            .map(|(rule, used, max, ms)| format!(" *4 ${} {rule} :{used} :{max} :{ms}", rule.len()));
        let expected = format!("*{}{}", rows.len(), text.collect::<String>());
        self.says(&format!("LB.QUOTA b MEMBER {member}"), &expected);
    }

    fn go_on(&mut self) {
        self.pass_time();
        match self.random.below(100) {
            0..60 => {
                let write = self.draw();
                self.write(&write);
            }
            60..72 => self.alter(),
            72..84 => self.entrant(),
            84..93 => self.quota(),
            93..95 => {
                let member = format!("m{}", self.random.below(MEMBERS));
                self.model.remove(&member);
                self.run(&format!("LB.REM b {member}"));
            }
            95..97 => {
                let member = format!("m{}", self.random.below(MEMBERS));
                let command = *self.random.pick(&["LB.HIDE", "LB.UNHIDE"]);
                self.run(&format!("{command} b {member}"));
            }
            97..99 => self.server.work(200),
            _ => assert!(self.server.reload().is_empty(), "{}", self.story()),
        }
    }

    /// The replica has the same board, after both were read.
    fn finish(&mut self) {
        self.says("EXISTS b", ":1");
        for server in [&self.server, &self.replica] {
            server.run(&["LB.COUNT", "b"]);
        }
        assert!(self.server.saved(b"b") == self.replica.saved(b"b"), "the replica differs {}", self.story());
    }
}

fn window(random: &mut Random) -> Window {
    let from = random.below(96) * STEP;
    let to = match (1 + random.below(96)) * STEP {
        to if to == from => from + STEP,
        to => to,
    };
    Window { days: (random.below(7), random.below(7)), from, to: to.min(24 * HOUR) }
}

/// Reads the reply to a write of this number of pairs.
fn read(reply: &str, pairs: usize) -> Option<Outcome> {
    if let Some(held_back) = reply.strip_prefix("-HELDBACK ") {
        let (rule, wait) = held_back.split_once(' ')?;
        let rules = ["closed", "joined", "bounds", "full", "attempts"];
        let rule = rules.into_iter().find(|name| *name == rule)?;
        return Some(Outcome::HeldBack(rule, wait.parse().ok()?));
    }
    if reply.starts_with("-IDREUSED ") {
        return Some(Outcome::Reused);
    }
    // A hidden member is ranked for itself. A rank is a number, or nil beside a nil score.
    let mut words = reply.split(' ');
    if pairs > 1 && words.next()? != format!("*{pairs}") {
        return None;
    }
    let (mut scores, mut applied) = (Vec::new(), false);
    for _ in 0..pairs {
        let ("*3", score, _, flag) = (words.next()?, words.next()?, words.next()?, words.next()?) else {
            return None;
        };
        scores.push(score.strip_prefix(':').and_then(|score| score.parse().ok()));
        applied = flag == ":1";
    }
    Some(Outcome::Done(scores, applied))
}

#[test]
fn rules_hold_back_what_the_plain_model_does() {
    let first = seed() * 1_000_000;
    for number in 0..SESSIONS {
        let mut session = Session::new(first + number);
        (0..CALLS).for_each(|_| session.go_on());
        session.finish();
    }
}
