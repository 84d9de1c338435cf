//! Clocks that leap, and are put right: whatever they show, no prize of a day is paid to two members, and none is paid twice.

use std::collections::BTreeMap;

use leaderboard_testkit::random::{Random, seed};

use super::{DAY, Servers};

const SESSIONS: u64 = 60;
const CALLS: usize = 120;
const MEMBERS: u64 = 6;
const BEGIN: u64 = 1_699_920_000_000;

struct Session {
    servers: Servers,
    random: Random,
    clock: u64,
    /// The member that was paid, by the day and the rank.
    paid: BTreeMap<(u64, String), String>,
    claims: u64,
}

impl Session {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        // The moments of equal scores in a rolling view are not known any more after a clock has gone back and forth.
        let (view, ties) = *random.pick(&[("day", "FIRST"), ("day:3", "LEX")]);
        let retain = random.below(3);
        // A read while the clock is put back can change the saved start of the readable periods, which replicas do not hear of.
        let servers = Servers { compares_bytes: false, ..Servers::new(BEGIN) };
        let rules = format!("VIEWS {view},all RETAIN {retain} TIES {ties} PRIZEDAYS 3000");
        servers.says(&format!("LB.CREATE b {rules} PRIZES {view} 1=gold,2-3=silver,1-80%=badge"), "OK");
        Self { servers, random, clock: BEGIN, paid: BTreeMap::new(), claims: 0 }
    }

    fn leap(&mut self) {
        self.clock = match self.random.below(8) {
            0 => self.clock.saturating_sub(self.random.below(3 * DAY)),
            1 => self.clock + self.random.below(4 * DAY),
            2 => self.clock + DAY - self.clock % DAY,
            3 => self.clock + DAY - self.clock % DAY - 1,
            _ => self.clock + self.random.below(DAY / 6),
        };
        self.servers.set_clock(self.clock);
    }

    fn claim(&mut self) {
        let member = format!("m{}", self.random.below(MEMBERS));
        let day = (self.clock / DAY).saturating_sub(self.random.below(5));
        self.claims += 1;
        let words = format!("LB.CLAIM b {member} AT {} ID c{}", day * DAY, self.claims);
        let reply = self.servers.run(&words);
        if reply == "nil" {
            return;
        }
        let claimed: Vec<_> = reply.trim_matches(['[', ']']).split(' ').collect();
        let [_, rank, is_first] = claimed[..] else { panic!("{words}: {reply}") };
        let before = self.paid.get(&(day, rank.to_owned()));
        match is_first {
            "1" => {
                assert_eq!(before, None, "{words}: {reply}, but it was paid");
                assert!(
                    !self.paid.iter().any(|((of, _), who)| *of == day && *who == member),
                    "{words}: {reply}, but {member} was paid for another rank"
                );
                self.paid.insert((day, rank.to_owned()), member);
                self.servers.says(&words, &reply);
            }
            _ => assert_eq!(before, Some(&member), "{words}: {reply}"),
        }
    }

    /// Compares the claims in the list of winners with those that were made.
    fn look(&mut self) {
        let day = (self.clock / DAY).saturating_sub(self.random.below(5));
        let page = self.servers.run(&format!("LB.PRIZES b 0 COUNT 100 AT {}", day * DAY));
        let rows = page.strip_prefix("[0 [").unwrap().strip_suffix("]]").unwrap();
        let mut claimed = 0;
        for row in rows.split("] ").filter(|row| !row.is_empty()) {
            let words: Vec<_> = row.trim_matches(['[', ']']).split(' ').collect();
            let [rank, member, _, _, moment] = words[..] else { panic!("{row}") };
            if moment != "nil" {
                claimed += 1;
                assert_eq!(
                    self.paid.get(&(day, rank.to_owned())).map(String::as_str),
                    Some(member),
                    "{page}"
                );
            }
        }
        let paid = self.paid.keys().filter(|(of, _)| *of == day).count();
        // Beyond RETAIN, a day is forgotten when all its winners have claimed.
        assert!(claimed == paid || rows.is_empty(), "day {day}: {page} after {:?}", self.paid);
    }

    fn call(&mut self) {
        self.leap();
        match self.random.below(10) {
            0..5 => {
                let (points, member) = (1 + self.random.below(9), self.random.below(MEMBERS));
                self.servers.run(&format!("LB.ADD b {points} m{member}"));
            }
            5..8 => self.claim(),
            _ => self.look(),
        }
    }
}

#[test]
fn no_clock_pays_a_prize_twice() {
    let sessions = if std::env::var_os("LEADERBOARD_SEED").is_some() { 1 } else { SESSIONS };
    for number in 0..sessions {
        let seed = seed() + number;
        println!("LEADERBOARD_SEED={seed}");
        let mut session = Session::new(seed);
        (0..CALLS).for_each(|_| session.call());
    }
}
