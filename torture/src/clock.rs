//! Clocks of real servers that leap ahead and back, each for itself, by a second to a year: while clients write, links are cut, files
//! are rewritten, a replica takes over, and a server starts again. Nothing may be lost. When the clocks are right again, readers see
//! the same on all servers.

use leaderboard_testkit::random::Random;
use leaderboard_testkit::{Flavor, Server, info, pipeline, run, session, try_run, wait_for_sync, wait_until};

use crate::clients::{Client, sums, write_meanwhile};
use crate::links::{cut, follow};
use crate::requests::{compare, found, make, without_last_days};
use crate::workers::note;

/// Leaps of a session.
const LEAPS: u64 = 40;
/// How many requests each client sends at once, at the most.
const WINDOWS: [u64; 2] = [4, 40];
/// Acknowledged requests between two leaps, at the most.
const APART: u64 = 400;
const HOUR: i64 = 3_600_000;
/// The lengths of leaps in milliseconds, ahead or back.
const LENGTHS: [i64; 4] = [1_000, HOUR, 24 * HOUR, 366 * 24 * HOUR];
/// What readers see of the periods that the servers' clocks end. Which ended periods come back depends on the leaps of each server.
const READS: [&str; 5] = [
    "LB.TOP sums 20 VIEW hour:3",
    "LB.TOP sums 20 VIEW week",
    "LB.TOP rolling 20 VIEW day:7",
    "LB.TOP votes 20 VIEW hour",
    "LB.TOP votes 20 VIEW day",
];
/// No clock is further than this from the right time.
const FURTHEST: i64 = 1_000 * 24 * HOUR;

/// Lets clocks leap. Returns how often.
pub fn session(seed: u64) -> u64 {
    leaps(seed, LEAPS)
}

fn leaps(seed: u64, leaps: u64) -> u64 {
    let mut leaping = Leaping::new(seed);
    leaping.write_and_leap(leaps / 2);
    leaping.fail_over();
    leaping.write_and_leap(leaps - leaps / 2);
    leaping.check("while the clocks are wrong");
    leaping.restart();
    leaping.check("after a restart");
    leaping.put_right();
    leaping.write_and_leap(0);
    leaping.check("after all clocks were put right");
    leaping.compare_reads();
    leaps
}

/// Three servers: a primary, which comes first, and its replicas.
struct Leaping {
    random: Random,
    servers: Vec<Server>,
    /// How far the clock of each server is ahead, in milliseconds.
    ahead: [i64; 3],
    clients: Vec<Client>,
}

impl Leaping {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let flavor = Flavor::all()[(seed % 4) as usize];
        let preamble = *random.pick(&["yes", "no"]);
        note(format!("{flavor:?}, preamble: {preamble}").as_bytes());
        let start = || {
            let builder = Server::builder(flavor).own_clock().arg("appendonly", "yes");
            let builder = builder.arg("aof-use-rdb-preamble", preamble);
            // Here, a sync by a file can stop for ever when the clock leaps meanwhile: the replica has the file and does not load it.
            let is_by_file = flavor == Flavor::Valkey91;
            if is_by_file { builder.arg("repl-diskless-load", "flush-before-load") } else { builder }.start()
        };
        let servers: Vec<Server> = (0..3).map(|_| start()).collect();
        make(&mut servers[0].connection(), WINDOWS.len() as u64);
        servers[1..].iter().for_each(|replica| replica.replica_of(&servers[0]));
        let clients = (0..).zip(WINDOWS).map(|(number, window)| Client::new(number, window, &mut random));
        let clients = clients.collect();
        Self { random, servers, ahead: [0; 3], clients }
    }

    /// Lets all clients write while clocks leap.
    fn write_and_leap(&mut self, leaps: u64) {
        let Self { random, servers, ahead, clients } = self;
        write_meanwhile(&servers[0], clients, |wait| {
            wait(random.below(APART));
            for _ in 0..leaps {
                happen(servers, random);
                leap_once(servers, ahead, random);
                wait(random.below(APART));
            }
        });
    }

    /// A replica becomes the primary, and the others follow it.
    fn fail_over(&mut self) {
        self.wait_for_replicas();
        self.servers.rotate_left(1);
        self.ahead.rotate_left(1);
        run(&mut self.servers[0].connection(), &["REPLICAOF", "NO", "ONE"]);
        self.servers[1..].iter().for_each(|replica| follow(replica, &self.servers[0]));
    }

    /// The primary starts again from its append-only file.
    fn restart(&mut self) {
        let mut con = self.servers[0].connection();
        // A server that writes its first file does not stop.
        let mut is_over = |field| info(&mut con, "persistence", field) == "0";
        wait_until(|| is_over("aof_rewrite_in_progress") && is_over("aof_rewrite_scheduled"));
        self.servers[0].restart_nosave();
    }

    fn put_right(&mut self) {
        self.ahead = [0; 3];
        self.servers.iter().for_each(|server| server.set_clock(0));
    }

    /// Readers see the same present periods on all servers.
    fn compare_reads(&self) {
        let seen = |server: &Server| pipeline(&mut server.connection(), &READS.map(session::words));
        let primary = seen(&self.servers[0]);
        for replica in &self.servers[1..] {
            for (read, (one, other)) in READS.iter().zip(primary.iter().zip(seen(replica))) {
                assert_eq!(*one, other, "{read}");
            }
        }
    }

    fn wait_for_replicas(&self) {
        self.servers[1..].iter().for_each(|replica| wait_for_sync(&self.servers[0], replica));
    }

    fn check(&self, when: &str) {
        let [_, drawn] = sums(&self.clients).map(without_last_days);
        let drawings = || self.clients.iter().map(|client| &client.drawing);
        self.wait_for_replicas();
        for server in &self.servers {
            let found = without_last_days(found(&mut server.connection(), drawings()));
            compare(when, &found, &drawn, &drawn);
        }
    }
}

/// Sets the clock of one server, or of all servers by the same leap.
fn leap_once(servers: &[Server], ahead: &mut [i64; 3], random: &mut Random) {
    let length = *random.pick(&LENGTHS) * random.pick(&[1, -1]);
    let (chosen, is_for_all) = (random.below(3) as usize, random.percent(30));
    for (number, (server, ahead)) in servers.iter().zip(ahead).enumerate() {
        if is_for_all || number == chosen {
            *ahead = (*ahead + length).clamp(-FURTHEST, FURTHEST);
            server.set_clock(*ahead);
        }
    }
}

/// Begins something that goes on while the clocks leap, or nothing.
fn happen(servers: &[Server], random: &mut Random) {
    match random.below(3) {
        0 => cut(servers, random),
        // Refused while a child process saves.
        1 => _ = try_run(&mut random.pick(servers).connection(), &["BGREWRITEAOF"]),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use leaderboard_testkit::{Flavor, Server, query};

    use crate::workers::Run;

    #[test]
    fn a_server_has_the_clock_that_was_set() {
        for flavor in Flavor::all() {
            let servers = [0, 1].map(|_| Server::builder(flavor).own_clock().start());
            servers[0].set_clock(-super::FURTHEST);
            let [behind, right] = servers.each_ref().map(|server| {
                let [seconds, _]: [i64; 2] = query(&mut server.connection(), &["TIME"]);
                seconds
            });
            let distance = right - behind - super::FURTHEST / 1_000;
            assert!((0..60).contains(&distance), "{flavor:?}: {distance} s");
        }
    }

    #[test]
    fn servers_whose_clocks_leap_lose_nothing() {
        let run =
            Run::new("leaps", 16, leaderboard_testkit::random::seed()).all(|seed| super::leaps(seed, 4));
        assert!(run.failures.is_empty(), "{run}");
    }
}
