//! Clients of several gateways do random things with one board, while gateways die, commands come late, and nodes lose
//! what they wrote last.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use leaderboard_testkit::random::Random;
use redis::Value;
use tokio::time::sleep;

use super::super::simulation::cluster::NODES;
use super::super::simulation::quiet::paused;
use super::super::tests::shown;
use super::cluster::{Cluster, Faults};
use super::gateway::{Death, Gateway};
use super::history::{Deletion, History, NEVER, Read, WRITES, Write};
use super::seeds;
use super::state::settle;
use super::step::Told;

/// What can go wrong in a storm.
#[derive(Clone, Copy)]
struct Weather {
    gateways: usize,
    commands: usize,
    faults: Faults,
    /// Whether gateways die.
    deaths: bool,
    /// How often nodes lose changes.
    losses: usize,
}

const MEMBERS: u64 = 10;

struct Storm {
    cluster: Cluster,
    history: RefCell<History>,
    random: RefCell<Random>,
    weather: Weather,
    parts: u16,
}

impl Storm {
    fn below(&self, end: u64) -> u64 {
        self.random.borrow_mut().below(end)
    }

    fn start(&self, number: usize) -> Gateway {
        let name = ["A", "B", "C"][number];
        let death = if self.below(2) == 0 { Death::Before } else { Death::After };
        let lives =
            if self.weather.deaths && self.below(2) == 0 { 1 + self.below(60) as usize } else { usize::MAX };
        Gateway::dying(&self.cluster, name, lives, death)
    }

    /// Lets a client send its commands. If its gateway dies, it goes on with another one.
    async fn client(&self, number: usize) {
        let mut gateway = self.start(number);
        for _ in 0..self.weather.commands {
            let wait = self.below(15);
            sleep(Duration::from_millis(wait)).await;
            if gateway.is_dead() {
                gateway = self.start(number);
            }
            match self.below(100) {
                0..30 => self.write(&mut gateway, number).await,
                30..48 => self.read(&gateway).await,
                48..60 => {
                    let member = self.below(MEMBERS);
                    self.score(&gateway, member).await;
                }
                60..72 => self.create(&gateway).await,
                72..82 => self.alter(&gateway).await,
                82..90 => self.delete(&gateway).await,
                90..96 => self.repair(&gateway).await,
                _ => _ = gateway.ask("LB.PARTS game").await,
            }
        }
    }

    async fn write(&self, gateway: &mut Gateway, number: usize) {
        let member = format!("m{}", self.below(MEMBERS));
        let (place, line) = {
            let mut history = self.history.borrow_mut();
            let digit = history.writes.iter().filter(|write| write.member == member).count() as u32;
            if digit >= WRITES {
                return;
            }
            let start = self.cluster.tick();
            let line = format!("LB.ADD game {} {member} ID {member}-{digit}", 1_u64 << (2 * digit));
            history.writes.push(Write { member, digit, start, end: NEVER, attempts: 0 });
            (history.writes.len() - 1, line)
        };
        for _ in 0..3 {
            if gateway.is_dead() {
                *gateway = self.start(number);
            }
            self.history.borrow_mut().writes[place].attempts += 1;
            match gateway.ask(&line).await {
                Some(Value::Array(_)) => {
                    self.history.borrow_mut().writes[place].end = self.cluster.tick();
                    return;
                }
                Some(reply) => self.check_error(&line, &shown(&reply)),
                None => {}
            }
        }
    }

    async fn read(&self, gateway: &Gateway) {
        let start = self.cluster.tick();
        if let Some(reply) = gateway.ask("LB.TOP game 100").await {
            self.note_read(start, &reply);
        }
    }

    /// Notes a complete reply to LB.TOP.
    fn note_read(&self, start: u64, reply: &Value) {
        let Value::Array(rows) = reply else { return self.check_error("LB.TOP", &shown(reply)) };
        let row = |row: &Value| match row {
            Value::Array(row) => match row.as_slice() {
                [_, name, Value::Int(score)] => (shown(name), *score),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        let scores: BTreeMap<_, _> = rows.iter().map(row).collect();
        assert_eq!(scores.len(), rows.len(), "a member twice");
        let read = Read { start, end: self.cluster.tick(), scores, only: None };
        self.history.borrow_mut().reads.push(read);
    }

    async fn score(&self, gateway: &Gateway, member: u64) {
        let (member, start) = (format!("m{member}"), self.cluster.tick());
        let line = format!("LB.SCORE game {member}");
        let mut scores = BTreeMap::new();
        match gateway.ask(&line).await {
            Some(Value::Int(score)) => _ = scores.insert(member.clone(), score),
            Some(Value::Nil) => {}
            Some(reply) => return self.check_error(&line, &shown(&reply)),
            None => return,
        }
        let read = Read { start, end: self.cluster.tick(), scores, only: Some(member) };
        self.history.borrow_mut().reads.push(read);
    }

    async fn create(&self, gateway: &Gateway) {
        let parts = if self.below(4) == 0 { 2 << self.below(3) } else { self.parts };
        let dedup = 3600 + self.below(100);
        self.history.borrow_mut().counts.push(parts);
        let line = format!("LB.CREATE game VIEWS all DEDUP {dedup} PARTS {parts}");
        self.tell(gateway, &line).await;
    }

    async fn alter(&self, gateway: &Gateway) {
        let change = ["VIEWS +hour", "VIEWS -hour", "VIEWS +week", "DEDUP"][self.below(4) as usize];
        let number = if change == "DEDUP" { format!(" {}", 3700 + self.below(100)) } else { String::new() };
        self.tell(gateway, &format!("LB.ALTER game {change}{number}")).await;
    }

    /// Sends a command, and checks its error if it has one.
    async fn tell(&self, gateway: &Gateway, line: &str) -> Option<Value> {
        let reply = gateway.ask(line).await?;
        self.check_error(line, &shown(&reply));
        Some(reply)
    }

    async fn delete(&self, gateway: &Gateway) {
        let place = {
            let mut history = self.history.borrow_mut();
            let start = self.cluster.tick();
            history.deletions.push(Deletion { start, end: NEVER, is_sure: false });
            history.deletions.len() - 1
        };
        if let Some(Value::Int(_)) = self.tell(gateway, "DEL game").await {
            let end = self.cluster.tick();
            let deletion = &mut self.history.borrow_mut().deletions[place];
            (deletion.end, deletion.is_sure) = (end, true);
        }
    }

    async fn repair(&self, gateway: &Gateway) {
        let Some(reply) = self.tell(gateway, "LB.REPAIR game").await else { return };
        if !shown(&reply).contains("FORCE") || self.below(2) == 0 {
            return;
        }
        let place = {
            let mut history = self.history.borrow_mut();
            history.forced.push(Deletion { start: self.cluster.tick(), end: NEVER, is_sure: false });
            history.forced.len() - 1
        };
        if let Some(reply) = self.tell(gateway, "LB.REPAIR game FORCE").await {
            let told = shown(&reply);
            // The deletions that it does not tell do not count.
            if told.starts_with('[') {
                let loses = told.contains("made part") || told.contains("deleted part");
                let end = if loses { self.cluster.tick() } else { 0 };
                self.history.borrow_mut().forced[place].end = end;
            }
        }
    }

    /// Checks that an error is one that a client can understand.
    fn check_error(&self, line: &str, reply: &str) {
        let known = ["PARTSDOWN ", "UNKNOWN ", "BOARDEXISTS ", "NOBOARD ", "STALE "];
        let allowed = [
            "ERR view '",
            "ERR VIEW '",
            "ERR VIEWS '",
            "ERR the key holds no board over parts",
            "ERR the parts do not agree",
        ];
        let is_error = reply
            .split(' ')
            .next()
            .is_some_and(|code| code.len() > 2 && code.bytes().all(|byte| byte.is_ascii_uppercase()));
        let is_known = known.iter().chain(&allowed).any(|text| reply.starts_with(text));
        assert!(!is_error || is_known, "{line}: {reply}");
    }

    /// Nodes lose their last changes, from time to time.
    async fn losses(&self) {
        for _ in 0..self.weather.losses {
            let wait = self.below(300);
            sleep(Duration::from_millis(wait)).await;
            let (node, changes) = (self.below(NODES as u64) as usize, 1 + self.below(6) as usize);
            let mut world = self.cluster.world();
            if self.below(10) == 0 { world.flush(node) } else { world.fail_over(node, changes) }
        }
    }
}

fn run(seed: u64, weather: Weather) {
    paused(async || {
        let cluster = Cluster::new(seed);
        let guard = Told(&cluster, format!("LEADERBOARD_SEED={seed}"));
        cluster.world().faults = weather.faults;
        let mut random = Random::new(seed + 1_000_000);
        let parts = 2 << random.below(3);
        let storm = Storm {
            cluster: cluster.clone(),
            history: RefCell::default(),
            random: RefCell::new(random),
            weather,
            parts,
        };
        storm.history.borrow_mut().counts.push(parts);
        tokio::join!(join_all((0..weather.gateways).map(|number| storm.client(number))), storm.losses());
        // All that is under way arrives.
        sleep(Duration::from_secs(10)).await;
        cluster.world().faults = Faults::default();
        cluster.note("the storm is over");
        check_end(&storm).await;
        let mut history = storm.history.into_inner();
        history.losses.clone_from(&cluster.world().losses);
        history.plain.clone_from(&cluster.world().plain);
        if let Err(wrong) = history.check() {
            panic!("{wrong}");
        }
        drop(guard);
    });
}

/// Mends the board, and reads it for the last time.
async fn check_end(storm: &Storm) {
    let start = storm.cluster.tick();
    let (_, forced) = settle(&storm.cluster).await;
    if !forced.is_empty() {
        let deletion = Deletion { start, end: storm.cluster.tick(), is_sure: false };
        storm.history.borrow_mut().forced.push(deletion);
    }
    let gateway = Gateway::new(&storm.cluster, "R");
    let start = storm.cluster.tick();
    let reply = gateway.ask("LB.TOP game 100").await.unwrap();
    assert!(matches!(reply, Value::Array(_)), "{}", shown(&reply));
    storm.note_read(start, &reply);
}

const CALM: Weather = Weather {
    gateways: 2,
    commands: 12,
    faults: Faults { unsent: 0, lost: 0, deaf: 0, refused: 0, late: 0, slowest: 6 },
    deaths: false,
    losses: 0,
};

#[test]
fn gateways_at_once() {
    seeds(50).for_each(|seed| run(seed, CALM));
    seeds(30).for_each(|seed| run(seed, Weather { gateways: 3, ..CALM }));
}

#[test]
fn gateways_that_die() {
    seeds(60).for_each(|seed| run(seed, Weather { deaths: true, ..CALM }));
}

#[test]
fn commands_that_are_lost_or_late() {
    let faults = Faults { unsent: 3, lost: 3, deaf: 3, refused: 3, late: 4, slowest: 6 };
    seeds(60).for_each(|seed| run(seed, Weather { faults, deaths: true, ..CALM }));
}

#[test]
fn nodes_that_lose_changes() {
    let faults = Faults { deaf: 2, late: 2, ..CALM.faults };
    seeds(110).for_each(|seed| run(seed, Weather { faults, deaths: true, losses: 3, ..CALM }));
}
