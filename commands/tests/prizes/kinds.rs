//! Prizes on boards of all kinds: rolling views, shares that are carried over, scores that decay, levels, shown votes, boards
//! that keep their best. A second board with the same writes keeps all periods. Its ranking of a period tells who wins there,
//! also where the first board kept nothing of the period but its winners.

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};
use leaderboard_testkit::random::{Random, seed};

use super::{DAY, shown};

const SESSIONS: u64 = 40;
const CALLS: usize = 60;
const RULES: [&str; 11] = [
    "VIEWS day",
    "VIEWS day:3,all",
    "VIEWS all,day CARRY day=0.5",
    "VIEWS day,hour DECAY day=0.6",
    "VIEWS day:4 AGGREGATE MAX",
    "VIEWS day AGGREGATE LAST ORDER ASC TIES LAST",
    "VIEWS day,day:2 LEVELS a:DESC:50,b:ASC:50",
    "VIEWS day KEEP 3 TIES LEX",
    "VIEWS day:3 SHOWN",
    "VIEWS day:2 DECIMALS 2 ORDER ASC",
    "VIEWS day:3,day TZ America/New_York TIES REVLEX",
];
const TABLE: &str = "1=gold,2-3=silver,1-60%=badge";

/// Returns the prize of a rank, by [`TABLE`].
fn prize(rank: u64, members: u64) -> Option<&'static str> {
    match rank {
        1 => Some("gold"),
        2 | 3 => Some("silver"),
        _ => (rank <= (members * 60).div_ceil(100)).then_some("badge"),
    }
}

struct Session {
    server: PlainServer,
    random: Random,
    now: u64,
    rules: &'static str,
    story: Vec<String>,
}

impl Session {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let rules = *random.pick(&RULES);
        let now = 1_699_923_600_000;
        let settings = Settings { clock: now, protocol: Protocol::Resp2, ..Settings::default() };
        let mut session = Self { server: PlainServer::new(settings), random, now, rules, story: Vec::new() };
        let retain = session.random.below(3);
        let prizes: Vec<_> = session.views().map(|view| format!("PRIZES {view} {TABLE}")).collect();
        let prizes = prizes.join(" ");
        session.run(&format!("LB.CREATE b {rules} CLOCK EVENT RETAIN {retain} PRIZEDAYS 3000 {prizes}"));
        session.run(&format!("LB.CREATE s {rules} CLOCK EVENT RETAIN 3000"));
        if rules.contains("SHOWN") {
            ["b", "s"]
                .iter()
                .for_each(|key| _ = session.run(&format!("LB.OPTION {key} m1 WEIGHT 3 INITIAL 2")));
        }
        session
    }

    fn views(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.rules.split(' ').nth(1).unwrap().split(',').filter(|view| *view != "all")
    }

    fn run(&mut self, line: &str) -> String {
        self.story.push(line.to_owned());
        let words: Vec<_> = line.split(' ').collect();
        let reply = self.server.run(&words);
        shown(&mut &*reply)
    }

    fn points(&mut self) -> String {
        let points = self.random.within(1..9);
        if self.rules.contains("LEVELS") {
            format!("{points}/{}", self.random.below(3))
        } else {
            points.to_string()
        }
    }

    fn write(&mut self) {
        self.now += match self.random.below(10) {
            0..5 => self.random.below(DAY / 8),
            5..8 => DAY - self.now % DAY - self.random.below(2),
            8 => self.random.below(3 * DAY),
            _ => self.random.below(9 * DAY),
        };
        let (points, member) = (self.points(), format!("m{}", self.random.below(9)));
        let at = if self.random.percent(15) { self.now - self.random.below(2 * DAY) } else { self.now };
        let name = if self.rules.contains("SHOWN") { "LB.VOTE" } else { "LB.ADD" };
        let replies = ["b", "s"].map(|key| self.run(&format!("{name} {key} {points} {member} AT {at}")));
        assert_eq!(replies[0], replies[1], "{}", self.story.join("\n"));
    }

    /// Reads the winners of some days that have ended, and compares them with the ranking of the second board.
    fn look(&mut self) {
        let view = *self.random.pick(&self.views().collect::<Vec<_>>());
        let unit = if view == "hour" { DAY / 24 } else { DAY };
        for back in 1..=5 {
            let at = self.now - back * unit;
            let rows = self.run(&format!("LB.TOP s 99 VIEW {view} AT {at}"));
            let rows: Vec<_> = rows[1..rows.len() - 1].split("] ").filter(|row| !row.is_empty()).collect();
            let members = rows.len() as u64;
            let expected = (1..).zip(rows).filter_map(|(rank, row)| {
                Some(format!("{} {} nil", row.trim_matches(['[', ']']), prize(rank, members)?))
            });
            let expected: Vec<_> = expected.collect();
            let page = self.run(&format!("LB.PRIZES b 0 COUNT 99 VIEW {view} AT {at}"));
            let winners = page.strip_prefix("[0 [").unwrap().strip_suffix("]]").unwrap();
            let winners = winners.split("] ").filter(|row| !row.is_empty());
            let winners: Vec<_> = winners.map(|row| row.trim_matches(['[', ']']).to_owned()).collect();
            assert_eq!(winners, expected, "{view} AT {at}\n{}", self.story.join("\n"));
        }
    }
}

#[test]
fn boards_of_all_kinds_have_the_winners_of_their_rankings() {
    let sessions = if std::env::var_os("LEADERBOARD_SEED").is_some() { 1 } else { SESSIONS };
    for number in 0..sessions {
        let seed = seed() + number;
        println!("LEADERBOARD_SEED={seed}");
        let mut session = Session::new(seed);
        for _ in 0..CALLS {
            match session.random.below(20) {
                0..13 => session.write(),
                13..19 => session.look(),
                _ => _ = session.server.reload(),
            }
            let steps = session.random.below(20) as usize;
            session.server.work(steps);
        }
    }
}
