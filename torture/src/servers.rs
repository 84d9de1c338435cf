//! Random commands in real servers: boards against their model, and calls of all commands of the table. Every reply is compared, or its
//! shape is checked. On the way the server is restarted in all ways, which changes nothing. A replica always has the same values.

use std::slice;

use leaderboard_commands::plain::Protocol;
use leaderboard_testkit::board::Rules;
use leaderboard_testkit::calls::Calls;
use leaderboard_testkit::pair::{Call, PROFILES, Pair, Profile, rules};
use leaderboard_testkit::played::pair;
use leaderboard_testkit::random::Random;
use leaderboard_testkit::{Flavor, Server, Words, pipeline, rewrite_and_restart, run, words};
use redis::Connection;

use crate::digests::{self, expect_same};
use crate::workers::note;

/// Restarts of a session.
const ROUNDS: u64 = 8;
/// Laps between two restarts. A restart takes as long as thousands of calls.
const LAPS: u64 = 10;
/// Calls on each board with a model in a lap.
const STEPS: usize = 60;
/// Batches of calls of all commands in a lap, and the calls in each. The shapes of all their replies are checked.
const BATCHES: usize = 8;
const BATCH: usize = 50;
/// The members of the boards with a model.
const MEMBERS: [u64; 3] = [6, 30, 400];
/// Calls that a failure shows.
const SHOWN: usize = 400;

/// A name, and what a server goes through.
type Trip = (&'static str, fn(&mut Server));

const TRIPS: [Trip; 5] = [
    ("DEBUG RELOAD", |server| _ = run(&mut server.connection(), &["DEBUG", "RELOAD"])),
    ("the append-only file", Server::restart_nosave),
    ("a rewrite in commands", |server| rewrite_and_restart(server, "no")),
    ("a rewrite with a snapshot", |server| rewrite_and_restart(server, "yes")),
    ("a kill", |server| {
        server.kill9();
        server.start_again();
    }),
];

/// Plays a session. Returns the number of calls.
pub fn session(seed: u64) -> u64 {
    rounds(seed, ROUNDS, LAPS)
}

fn rounds(seed: u64, rounds: u64, laps: u64) -> u64 {
    rounds_in(Flavor::all()[(seed % 4) as usize], seed, rounds, laps)
}

/// Plays a session with this number of restarts, and of laps before each, in a server of this kind. Returns the number of
/// calls.
pub fn rounds_in(flavor: Flavor, seed: u64, rounds: u64, laps: u64) -> u64 {
    let mut played = Played::new(flavor, seed);
    (0..rounds).for_each(|_| played.round(laps));
    played.count
}

struct Played {
    server: Server,
    replica: Server,
    protocol: Protocol,
    random: Random,
    pairs: Vec<Pair>,
    calls: Calls,
    /// The last calls, for the story of a failure.
    last: Vec<String>,
    count: u64,
}

impl Played {
    fn new(flavor: Flavor, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let server = Server::builder(flavor).arg("appendonly", "yes").arg("appendfsync", "always").start();
        let replica = Server::start(flavor);
        replica.replica_of(&server);
        // Redis 6.2 replies no maps to modules' clients.
        let is_old = flavor == Flavor::Redis62;
        let protocol = if is_old || random.percent(50) { Protocol::Resp2 } else { Protocol::Resp3 };
        let (calls, pairs, last) = (Calls::default(), Vec::new(), Vec::new());
        let mut played = Self { server, replica, protocol, random, pairs, calls, last, count: 0 };
        MEMBERS.iter().for_each(|members| played.add_board(*members));
        played
    }

    /// Makes a board with a model. Its clock follows its events, since the clock of a server cannot be set.
    fn add_board(&mut self, members: u64) {
        let profile = *self.random.pick(&[&PROFILES[..], &[Profile::Segments]].concat());
        let rules = Rules { is_event: true, ..rules(&mut self.random, profile) };
        let own = Random::new(self.random.number());
        let key = format!("model{}", self.pairs.len());
        let (pair, creation) = pair(&key, profile, rules, (&mut self.random, own), members);
        self.pairs.push(pair);
        self.play(vec![creation]);
    }

    fn round(&mut self, laps: u64) {
        (0..laps).for_each(|_| self.lap());
        self.travel();
        for number in 0..self.pairs.len() {
            let calls = self.pairs[number].whole();
            self.play(calls);
        }
    }

    fn lap(&mut self) {
        for number in 0..self.pairs.len() {
            let pair = &mut self.pairs[number];
            let next = |_| {
                pair.pass_time();
                pair.draw()
            };
            let calls = (0..STEPS).map(next).collect();
            self.play(calls);
        }
        (0..BATCHES).for_each(|_| self.call_all_commands());
        expect_same(&self.server, slice::from_ref(&self.replica));
    }

    /// Makes calls whose replies the model knows.
    fn play(&mut self, calls: Vec<Call>) {
        let commands: Vec<Words> = calls.iter().map(|call| call.words.clone()).collect();
        for (call, reply) in calls.iter().zip(self.send(&commands)) {
            let is_right = call.expected.is_served(&reply, self.protocol);
            assert!(is_right, "{}\ngot {reply:?}\n{:?}", shown(&call.words), call.expected);
        }
    }

    /// Makes calls of all commands of the table, and some that copy or remove keys.
    fn call_all_commands(&mut self) {
        let random = &mut self.random;
        let commands = (0..BATCH).map(|_| match random.below(100) {
            0 => words(&["DEL", &key(random)]),
            1 => words(&["COPY", &key(random), &key(random), "REPLACE"]),
            2 => words(&["RENAME", &key(random), &key(random)]),
            _ => self.calls.draw(random).1,
        });
        let commands: Vec<Words> = commands.collect();
        self.send(&commands);
    }

    fn send(&mut self, commands: &[Words]) -> Vec<Result<redis::Value, String>> {
        self.count += commands.len() as u64;
        self.last.extend(commands.iter().map(shown));
        self.last.drain(..self.last.len().saturating_sub(SHOWN));
        note(self.last.join("\n").as_bytes());
        pipeline(&mut self.connection(), commands)
    }

    /// Lets the server go through something that changes nothing.
    fn travel(&mut self) {
        let (name, trip) = *self.random.pick(&TRIPS);
        let before = digests::of(&self.server);
        trip(&mut self.server);
        digests::compare(name, &before, &digests::of(&self.server));
    }

    fn connection(&self) -> Connection {
        match self.protocol {
            Protocol::Resp2 => self.server.connection(),
            Protocol::Resp3 => self.server.connection_resp3(),
        }
    }
}

/// A key that the calls of all commands name.
fn key(random: &mut Random) -> String {
    format!("{}{}", random.pick(&["board", "league", "counter", "set"]), random.below(4))
}

fn shown(words: &Words) -> String {
    words.join(&b" "[..]).escape_ascii().to_string()
}

#[cfg(test)]
mod tests {
    use crate::workers::Run;

    #[test]
    fn each_server_does_what_the_model_does() {
        let run = Run::new("calls", 4_000, leaderboard_testkit::random::seed())
            .all(|seed| super::rounds(seed, 1, 1));
        assert!(run.failures.is_empty(), "{run}");
    }
}
