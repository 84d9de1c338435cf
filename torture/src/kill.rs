//! Servers that are killed while clients write with request ids. After each restart from the append-only file, the clients repeat the
//! requests without an answer. Nothing that was acknowledged may be lost, and nothing may be counted twice.

use std::panic::resume_unwind;
use std::slice;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

use leaderboard_testkit::random::Random;
use leaderboard_testkit::{Flavor, Server, run, try_run, wait_until};

use crate::clients::{Client, Ending, Progress, check_claims, expect_gone, sums};
use crate::digests::expect_same;
use crate::links::{follow, leave_and_follow};
use crate::pieces::Pieces;
use crate::requests::{compare, found, make};
use crate::workers::note;

/// How often the server of a session is killed.
const CYCLES: u64 = 10;
/// How many requests each client sends at once, at the most.
const WINDOWS: [u64; 3] = [1, 8, 60];
/// Acknowledged requests between the beginning of the work and the kill, at the most.
const LATEST: u64 = 1_500;
/// How often a server is killed once more while it loads, in percent.
const KILLED_AGAIN: u64 = 30;
/// A server that was killed loads its data 10 to 30 ms after its start, and has loaded them after this time, in milliseconds.
const LOADED: u64 = 40;
/// A child process that saves waits this long for each key, so that the server is killed while it saves. In microseconds.
const LONGEST_SAVE: u64 = 6_000;

/// What the server does when it is killed.
#[derive(Clone, Copy, Debug)]
enum Work {
    Writes,
    Boundaries,
    Snapshot,
    Rewrite,
    FullSync,
    Pieces,
}

const WORKS: [Work; 6] =
    [Work::Writes, Work::Boundaries, Work::Snapshot, Work::Rewrite, Work::FullSync, Work::Pieces];

/// Kills a server ten times. Returns how often it was killed.
pub fn session(seed: u64) -> u64 {
    cycles(seed, CYCLES)
}

fn cycles(seed: u64, cycles: u64) -> u64 {
    let mut killed = Killed::new(seed);
    for cycle in 0..cycles {
        killed.cycle(cycle);
    }
    killed.compare_replica();
    cycles
}

struct Killed {
    random: Random,
    server: Server,
    replica: Server,
    clients: Vec<Client>,
    pieces: Pieces,
}

impl Killed {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let flavor = Flavor::all()[(seed % 4) as usize];
        let mut yes_or_no = || *random.pick(&["yes", "no"]);
        let builder = Server::builder(flavor).arg("appendonly", "yes").arg("appendfsync", "always");
        let builder = builder.arg("aof-use-rdb-preamble", yes_or_no());
        // On Redis 6.2, the child of a diskless sync outlives a killed server for ever, and keeps its connections open.
        let diskless = if flavor == Flavor::Redis62 { "no" } else { yes_or_no() };
        let server = builder.arg("repl-diskless-sync", diskless).start();
        make(&mut server.connection(), WINDOWS.len() as u64);
        let clients = (0..).zip(WINDOWS).map(|(number, window)| Client::new(number, window, &mut random));
        let clients = clients.collect();
        Self { clients, server, replica: Server::start(flavor), pieces: Pieces::new(), random }
    }

    fn cycle(&mut self, cycle: u64) {
        let work = *self.random.pick(&WORKS);
        note(format!("{:?}, cycle {cycle}: killed during {work:?}", self.server.flavor()).as_bytes());
        let jumps = if matches!(work, Work::Boundaries) { 30 } else { 1 };
        self.clients.iter_mut().for_each(|client| client.jumps = jumps);
        self.write_until_killed(work);
        while self.random.percent(KILLED_AGAIN) {
            self.server.start_and_kill(Duration::from_millis(self.random.below(LOADED)));
        }
        self.server.start_again();
        self.check();
    }

    /// Lets all clients write, begins the work, and kills the server some requests later.
    fn write_until_killed(&mut self, work: Work) {
        let progress = Progress::default();
        let (delay, latest) = (self.random.below(LONGEST_SAVE), self.random.below(LATEST));
        let [server, replica] = [&mut self.server, &mut self.replica];
        thread::scope(|scope| {
            let _ending = Ending(&progress);
            let mut threads = Vec::new();
            for client in &mut self.clients {
                let (mut con, progress) = (server.connection(), &progress);
                threads.push(scope.spawn(move || client.go_on(&mut con, progress)));
            }
            begin_work(work, server, replica, delay);
            if matches!(work, Work::Pieces) {
                self.pieces.send_some(&mut server.connection(), &mut self.random);
            }
            let last = progress.done.load(Relaxed) + latest;
            wait_until(|| {
                progress.done.load(Relaxed) >= last || threads.iter().any(|thread| thread.is_finished())
            });
            server.kill9();
            for thread in threads {
                expect_gone(thread.join().unwrap_or_else(|payload| resume_unwind(payload)));
            }
        });
    }

    /// Compares the sums before and after the requests without an answer are repeated.
    fn check(&mut self) {
        let mut con = self.server.connection();
        let [acknowledged, drawn] = sums(&self.clients);
        let drawings = || self.clients.iter().map(|client| &client.drawing);
        compare("after the restart", &found(&mut con, drawings()), &acknowledged, &drawn);
        let progress = Progress::default();
        for client in &mut self.clients {
            client.send(&mut con, &progress.done).expect("answers");
            client.repeat_sample(&mut con);
        }
        let drawings = self.clients.iter().map(|client| &client.drawing);
        compare("after the repeats", &found(&mut con, drawings), &drawn, &drawn);
        check_claims(&self.clients);
        self.pieces.finish(&mut con);
    }

    /// The replica has lost its primary many times, and has the same values in the end.
    fn compare_replica(&self) {
        follow(&self.replica, &self.server);
        expect_same(&self.server, slice::from_ref(&self.replica));
    }
}

fn begin_work(work: Work, server: &Server, replica: &Server, delay: u64) {
    let mut con = server.connection();
    run(&mut con, &["CONFIG", "SET", "rdb-key-save-delay", &delay.to_string()]);
    match work {
        Work::Writes | Work::Boundaries | Work::Pieces => {}
        // Refused if the server saves for the replica already.
        Work::Snapshot => _ = try_run(&mut con, &["BGSAVE"]),
        Work::Rewrite => _ = try_run(&mut con, &["BGREWRITEAOF"]),
        Work::FullSync => leave_and_follow(replica, server),
    }
}

#[cfg(test)]
mod tests {
    use crate::workers::Run;

    #[test]
    fn what_was_acknowledged_is_counted_once_after_kills() {
        let run =
            Run::new("kills", 12, leaderboard_testkit::random::seed()).all(|seed| super::cycles(seed, 3));
        assert!(run.failures.is_empty(), "{run}");
    }
}
