//! Failovers: three sentinels, a primary and two replicas. The primary is killed, or stops for a while, as clients write with request
//! ids. They ask a sentinel for the new primary, and repeat there. Redis may lose what was acknowledged, which is counted here. In the
//! end each request is counted once, and all servers have the same values.

use std::fmt;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use leaderboard_testkit::random::Random;
use leaderboard_testkit::{Flavor, Sentinel, Server, wait_for_sync, wait_until, wait_within};
use redis::Value;

use crate::clients::{Client, Ending, Progress, Trouble, expect_gone, sums};
use crate::digests::expect_same;
use crate::links::follow;
use crate::requests::{compare, found, make};
use crate::workers::note;

/// Failovers of a session.
const TIMES: u64 = 4;
/// How many requests each client sends at once, at the most.
const WINDOWS: [u64; 3] = [1, 8, 60];
/// Acknowledged requests before the primary goes, at the most.
const LATEST: u64 = 4_000;
/// Sentinels whose clock stood still, on a busy machine, do nothing for 30 seconds.
const PATIENCE: Duration = Duration::from_secs(120);
/// A client waits this long for an answer.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Acknowledged requests, and how many of them were lost.
#[derive(Default)]
struct Counts([AtomicU64; 2]);

/// Without WAIT, and with it.
static WITHOUT: Counts = Counts([AtomicU64::new(0), AtomicU64::new(0)]);
static WITH: Counts = Counts([AtomicU64::new(0), AtomicU64::new(0)]);

/// The acknowledged requests of all sessions.
pub struct Losses;

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| acknowledged | requests | lost |\n|---|---|---|")?;
        for (name, Counts([all, lost])) in [("by the primary", &WITHOUT), ("by WAIT 1", &WITH)] {
            write!(f, "\n| {name} | {} | {} |", all.load(Relaxed), lost.load(Relaxed))?;
        }
        Ok(())
    }
}

/// Lets a primary fail four times. Returns the number of failovers.
pub fn session(seed: u64) -> u64 {
    times(seed, TIMES)
}

fn times(seed: u64, times: u64) -> u64 {
    let mut group = Group::new(seed);
    for time in 0..times {
        group.fail_over(time);
    }
    expect_same(&group.servers[group.primary], &group.servers);
    times
}

struct Group {
    random: Random,
    sentinels: Vec<Sentinel>,
    servers: Vec<Server>,
    /// The place of the primary among the servers.
    primary: usize,
    clients: Vec<Client>,
    waits: bool,
}

impl Group {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let flavor = Flavor::all()[(seed % 4) as usize];
        let waits = seed / 4 % 2 == 1;
        let servers: Vec<Server> = (0..3).map(|_| Server::start(flavor)).collect();
        make(&mut servers[0].connection(), WINDOWS.len() as u64);
        servers[1..].iter().for_each(|server| server.replica_of(&servers[0]));
        servers[1..].iter().for_each(|server| wait_for_sync(&servers[0], server));
        let sentinels: Vec<_> = (0..3).map(|_| Sentinel::start(flavor, &servers[0])).collect();
        let client = |(number, window)| {
            let mut client = Client::new(number, window, &mut random);
            // The clients' days do not end: a write that is lost, and repeated on another day, counts in no ended day.
            (client.jumps, client.waits) = (0, waits);
            client
        };
        let clients = (0..).zip(WINDOWS).map(client).collect();
        Self { random, sentinels, servers, primary: 0, clients, waits }
    }

    fn fail_over(&mut self, time: u64) {
        wait_within(PATIENCE, || self.sentinels.iter().all(|sentinel| sentinel.sees(2, 2)));
        let stops = self.random.percent(40);
        let flavor = self.servers[self.primary].flavor();
        note(format!("{flavor:?}, failover {time}, stops: {stops}, WAIT: {}", self.waits).as_bytes());
        self.write_until_gone(stops);
        let old = self.primary;
        wait_within(PATIENCE, || self.agreed().is_some_and(|new| new != old));
        // The old primary may have requests that the new one has not: it loses them.
        if stops {
            self.servers[old].resume()
        } else {
            self.servers[old].start_again()
        }
        wait_within(PATIENCE, || self.agreed().is_some_and(|new| self.is_followed(new)));
        self.primary = self.agreed().expect("a primary");
        self.repeat();
    }

    /// The place of the primary on which most sentinels agree.
    fn agreed(&self) -> Option<usize> {
        let ports: Vec<u16> = self.sentinels.iter().map(Sentinel::primary).collect();
        let votes = |server: &Server| ports.iter().filter(|port| **port == server.port()).count();
        self.servers.iter().position(|server| votes(server) * 2 > ports.len())
    }

    /// Whether all other servers are replicas of this one, and have what it has.
    fn is_followed(&self, new: usize) -> bool {
        let port = self.servers[new].port().to_string();
        let roles: Vec<Option<Role>> = self.servers.iter().map(Role::of).collect();
        // Sentinels make the old primary a replica after eight seconds, which is long.
        if new != self.primary && roles[self.primary] == Some(Role::Primary) {
            follow(&self.servers[self.primary], &self.servers[new]);
        }
        let wanted = |place| if place == new { Role::Primary } else { Role::ReplicaOf(port.clone()) };
        roles.iter().enumerate().all(|(place, role)| *role == Some(wanted(place)))
    }

    /// Lets all clients write, and kills or stops the primary on the way.
    fn write_until_gone(&mut self, stops: bool) {
        let progress = Progress::default();
        let last = self.random.below(LATEST);
        let server = &mut self.servers[self.primary];
        thread::scope(|scope| {
            let _ending = Ending(&progress);
            let mut threads = Vec::new();
            for client in &mut self.clients {
                let (mut con, progress) = (server.connection(), &progress);
                con.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
                threads.push(scope.spawn(move || client.go_on(&mut con, progress)));
            }
            let is_any_over = || threads.iter().any(|thread| thread.is_finished());
            wait_until(|| progress.done.load(Relaxed) >= last || is_any_over());
            if stops {
                server.pause()
            } else {
                server.kill9()
            }
            for thread in threads {
                match thread.join().unwrap_or_else(|payload| resume_unwind(payload)) {
                    // The sentinels may take the primary for gone a moment before it is.
                    Err(Trouble::Refused(error)) if error.starts_with("ReadOnly") => {}
                    end => expect_gone(end),
                }
            }
        });
    }

    /// Repeats the requests without an answer at the new primary, and the others to count those that were lost.
    fn repeat(&mut self) {
        let mut con = self.servers[self.primary].connection();
        let Counts(counts) = if self.waits { &WITH } else { &WITHOUT };
        for client in &mut self.clients {
            for (count, more) in counts.iter().zip(client.repeat_all(&mut con)) {
                count.fetch_add(more, Relaxed);
            }
            client.send(&mut con, &AtomicU64::new(0)).expect("answers");
        }
        let [_, drawn] = sums(&self.clients);
        let drawings = self.clients.iter().map(|client| &client.drawing);
        compare("at the new primary", &found(&mut con, drawings), &drawn, &drawn);
    }
}

/// What a server is.
#[derive(PartialEq)]
enum Role {
    Primary,
    /// With the port of the primary, whose snapshot it has loaded.
    ReplicaOf(String),
    /// A replica that has no link yet.
    Waiting,
}

impl Role {
    /// `None` if no answer comes. Sentinels end all connections to a server whose role they change.
    fn of(server: &Server) -> Option<Self> {
        let mut con = server.connection();
        let role: Vec<Value> = redis::cmd("ROLE").query(&mut con).ok()?;
        let text = |place: usize| redis::from_redis_value_ref::<String>(role.get(place)?).ok();
        match (text(0)?.as_str(), text(3).as_deref()) {
            ("master", _) => Some(Self::Primary),
            (_, Some("connected")) => Some(Self::ReplicaOf(text(2)?)),
            _ => Some(Self::Waiting),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::workers::Run;

    #[test]
    fn requests_are_counted_once_after_a_failover() {
        let run =
            Run::of_one("failovers", leaderboard_testkit::random::seed()).all(|seed| super::times(seed, 1));
        assert!(run.failures.is_empty(), "{run}");
    }
}
