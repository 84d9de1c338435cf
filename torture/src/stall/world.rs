//! The boards, the league and the counter on which the calls are made.

use std::hint::black_box;

use leaderboard_commands::plain::{PlainServer, Settings, Words};
use leaderboard_core::{Board, Counter, League};
use leaderboard_testkit::slots::{part_key, part_of};

const MINUTE: u64 = 60_000;
const DAY: u64 = 24 * 60 * MINUTE;
/// A Monday.
const BEGIN: u64 = 1_699_833_600_000;
/// Members of a command while the boards are filled.
const BATCH: u64 = 1_000;
/// Members of a guild, which is a segment.
const GUILD: u64 = 30;
/// Options of the board of votes.
const OPTIONS: u64 = 1_000;
/// Periods of the board of many periods, and slices of the counter.
const PERIODS: u64 = 10_000;
/// Allocations after which a freed value costs nothing any more.
const ALLOCATIONS: usize = 1_000;
const SIXTEEN: &str =
    "all,hour,day,week,month,hour:2,hour:3,hour:4,day:2,day:3,day:4,day:5,day:6,day:7,week:2,week:4";

/// Returns the key of the part that is being split.
pub fn split_key() -> Vec<u8> {
    part_key("split", 4, 0).into_bytes()
}

/// A value as it was before the calls.
enum Kept {
    Board(Box<Board>),
    League(Box<League>),
    Counter(Box<Counter>),
}

/// A server with the values.
pub struct World {
    pub server: PlainServer,
    /// The members of the largest boards.
    pub members: u64,
    kept: Vec<(Vec<u8>, Kept)>,
    fresh: u64,
}

impl World {
    /// Fills boards with this number of members, or a part of it.
    pub fn new(members: u64) -> Self {
        let server = PlainServer::new(Settings { clock: BEGIN, ..Settings::default() });
        let mut world = Self { server, members, kept: Vec::new(), fresh: 0 };
        world.fill_plain();
        world.fill_many_periods();
        world.fill_league();
        world.fill_days();
        world.fill_votes();
        world.fill_counter();
        world.fill_parts();
        world.settle();
        world.keep();
        world
    }

    /// Returns the name of a member.
    pub fn member(&self, number: u64) -> Vec<u8> {
        format!("player{number:08}").into_bytes()
    }

    /// Returns a name that is not used yet.
    pub fn fresh(&mut self) -> Vec<u8> {
        self.fresh += 1;
        format!("new{}", self.fresh).into_bytes()
    }

    /// Returns the first piece of a saved value of a command's type.
    pub fn chunk(&self, call: &str) -> Vec<u8> {
        let key = match call {
            _ if call.starts_with("LB.LEAGUE.") => "league",
            _ if call.starts_with("LB.COUNTER.") => "counter",
            _ => "all",
        };
        self.server.saved(key.as_bytes()).unwrap_or_default().swap_remove(0)
    }

    /// Puts the values of a call's keys back as they were before it.
    pub fn restore(&self, words: &Words) {
        for (key, kept) in self.kept.iter().filter(|(key, _)| words.contains(key)) {
            match kept {
                Kept::Board(board) => self.server.put(key, (**board).clone()),
                Kept::League(league) => self.server.put(key, (**league).clone()),
                Kept::Counter(counter) => self.server.put(key, (**counter).clone()),
            }
        }
        self.server.take_stream();
        self.server.take_events();
        // The allocator sorts the pieces of the freed value in its next large allocations, which takes milliseconds.
        (0..ALLOCATIONS).for_each(|_| drop(black_box(Vec::<u8>::with_capacity(64 << 10))));
    }

    fn keep(&mut self) {
        for key in self.server.keys() {
            let board = self.server.with(&key, |board: &mut Board| Kept::Board(Box::new(board.clone())));
            let league =
                || self.server.with(&key, |league: &mut League| Kept::League(Box::new(league.clone())));
            let counter =
                || self.server.with(&key, |counter: &mut Counter| Kept::Counter(Box::new(counter.clone())));
            let kept = board.or_else(league).or_else(counter);
            self.kept.extend(kept.map(|kept| (key, kept)));
        }
    }

    fn run(&self, call: &str) {
        self.run_words(call.split(' ').map(|word| word.as_bytes().to_vec()).collect());
    }

    fn run_words(&self, words: Words) {
        let reply = self.server.run(&words);
        assert!(!reply.starts_with(b"-"), "{:?}: {}", words.first(), reply.escape_ascii());
        self.server.take_stream();
        self.server.take_events();
    }

    /// Adds points to members, with these words before them.
    fn add(&self, call: &str, numbers: impl Iterator<Item = u64>) {
        let before: Words = call.split(' ').map(|word| word.as_bytes().to_vec()).collect();
        let mut numbers = numbers.peekable();
        while numbers.peek().is_some() {
            let mut words = before.clone();
            for number in numbers.by_ref().take(BATCH as usize) {
                let points = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44;
                words.extend([points.to_string().into_bytes(), self.member(number)]);
            }
            self.run_words(words);
        }
    }

    fn pass(&mut self, millis: u64) {
        self.server.settings.clock += millis;
    }

    /// Ends what the boundaries before the present have left to do: they are not a part of a call's time.
    fn settle(&mut self) {
        for key in ["all", "hidden", "long", "days", "wide", "prizes", "segments"] {
            self.add(&format!("LB.MADD {key}"), [self.members / 2].into_iter());
        }
        self.server.work(usize::MAX);
    }

    fn fill_plain(&mut self) {
        self.run("LB.CREATE all");
        self.add("LB.MADD all", 0..self.members);
        self.run("LB.EXPORT set all");
    }

    /// Makes two parts of boards, and begins to split one of them.
    fn fill_parts(&mut self) {
        let split = String::from_utf8_lossy(&split_key()).into_owned();
        for key in ["part", &split] {
            self.run(&format!("LB.CREATE {key} PART 0 OF 2 INCARNATION 7"));
            let own = |number: &u64| part_of(&String::from_utf8_lossy(&self.member(*number)), 2) == 0;
            self.add(&format!("LB.MADD {key}"), (0..self.members).filter(own));
        }
        self.run(&format!("LB.CATALOG {split} SPLIT 7 9 0 2 600000"));
    }

    fn fill_many_periods(&mut self) {
        self.run("LB.CREATE long VIEWS minute RETAIN 10000");
        for minute in 0..PERIODS {
            self.pass(MINUTE);
            self.add("LB.MADD long", [minute % 100 * self.members / 100].into_iter());
        }
    }

    fn fill_league(&mut self) {
        self.run(
            "LB.LEAGUE.CREATE league TIERS bronze,silver,gold PROMOTE 5,5,0 DEMOTE 0,5,5 CYCLE week GROUP 30 RETAIN 4 \
             PRIZES bronze 1=cup,2-3=medal",
        );
        for week in 0..3 {
            let step = if week < 2 { 4 } else { self.members as usize };
            for number in (0..self.members).step_by(step).chain([self.members / 2]) {
                let member = String::from_utf8_lossy(&self.member(number)).into_owned();
                self.run(&format!("LB.LEAGUE.ADD league {} {member}", number % 977));
            }
            self.pass(if week < 2 { 7 * DAY } else { 0 });
        }
    }

    /// Boards over ten days, the last one of which has begun.
    fn fill_days(&mut self) {
        // The counter is filled after this, on the same day.
        self.pass(DAY - self.server.settings.clock % DAY);
        self.run("LB.CREATE days VIEWS day,day:7,all RETAIN 30");
        self.run(&format!("LB.CREATE wide VIEWS {SIXTEEN} RETAIN 60"));
        self.run("LB.CREATE prizes VIEWS day PRIZES day 1=gold,2-50%=silver");
        for key in ["segments", "hidden"] {
            self.run(&format!(
                "LB.CREATE {key} VIEWS day,day:7,all RETAIN 3 SEGMENTS country:SUM,guild:BEST"
            ));
        }
        let middle = self.members / 2;
        for day in 0..10 {
            self.pass(DAY);
            self.add(
                "LB.MADD days",
                (0..self.members).filter(|number| number % 10 == day || *number == middle),
            );
            self.add("LB.MADD wide", (0..self.members).step_by(20).chain([middle]));
            if day == 8 {
                self.add("LB.MADD prizes", (0..self.members).step_by(10).chain([middle]));
                self.fill_segments("segments");
                self.fill_segments("hidden");
            }
            self.server.work(usize::MAX);
        }
        self.add("LB.MADD prizes", [0].into_iter());
        self.add("LB.MADD segments", [0].into_iter());
        let hidden = (0..BATCH).map(|at| self.member(at * self.members / BATCH));
        self.run_words(
            ["LB.HIDE", "hidden"].map(|word| word.as_bytes().to_vec()).into_iter().chain(hidden).collect(),
        );
    }

    fn fill_segments(&self, key: &str) {
        for first in (0..self.members).step_by(GUILD as usize) {
            let guild = first / GUILD;
            let call = format!("LB.MADD {key} SEGMENT country c{} SEGMENT guild g{guild}", guild % 200);
            self.add(&call, first..(first + GUILD).min(self.members));
        }
    }

    fn fill_votes(&mut self) {
        self.run("LB.CREATE votes VIEWS all,hour,day SHOWN DECLARED");
        self.run(
            "LB.ALTER votes LIMIT each voter 5 day LIMIT address ip 9 hour LIMIT device voter+device 3 week",
        );
        for option in 0..OPTIONS {
            self.run(&format!("LB.OPTION votes o{option} WEIGHT 2"));
        }
        for voter in 0..(self.members / 10).min(100_000) {
            let option = voter % OPTIONS;
            self.run(&format!("LB.VOTE votes 1 o{option} BY v{voter} TAG ip {voter} TAG device {voter}"));
        }
    }

    fn fill_counter(&mut self) {
        self.run("LB.COUNTER.CREATE counter PRECISIONS 1,60 SAMPLES 10000");
        for _ in 0..PERIODS {
            self.pass(1_000);
            self.run("LB.COUNTER.INCR counter");
        }
    }
}
