//! Clients that repeat every request without an answer, with its id, until it has one. They note what was acknowledged.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use leaderboard_testkit::random::Random;
use leaderboard_testkit::{Server, wait_until};
use redis::{Connection, RedisError, Value};

use crate::requests::{Drawing, Request, Sums, flag};

/// The answered requests that are repeated after a crash: the last ones, and others.
const LAST: usize = 40;
const OTHERS: usize = 40;
/// How long a client waits for a replica, in milliseconds.
const WAIT: u64 = 300;

/// Why a client stopped.
#[derive(Debug)]
pub enum Trouble {
    /// The connection ended, or no answer came.
    Gone,
    /// The server replied an error.
    Refused(String),
}

/// Expects that a client stopped because the server went away.
///
/// # Panics
/// If it stopped for another reason.
pub fn expect_gone(end: Result<(), Trouble>) {
    match end {
        Err(Trouble::Gone) => {}
        Err(Trouble::Refused(error)) => panic!("a request was refused: {error}"),
        Ok(()) => panic!("a client ended by itself"),
    }
}

/// What the threads of clients share with the one that watches them.
#[derive(Default)]
pub struct Progress {
    /// How many requests were acknowledged.
    pub done: AtomicU64,
    is_over: AtomicBool,
}

/// Ends the clients when it is dropped, in a panic too.
pub struct Ending<'a>(pub &'a Progress);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Relaxed);
    }
}

/// Lets clients write to a server until `act` has ended. `act` can wait until this number of further requests was acknowledged.
///
/// # Panics
/// If a client does not get an answer to each request.
pub fn write_meanwhile(server: &Server, clients: &mut [Client], act: impl FnOnce(&dyn Fn(u64))) {
    let progress = Progress::default();
    thread::scope(|scope| {
        let ending = Ending(&progress);
        let mut threads = Vec::new();
        for client in clients {
            let (mut con, progress) = (server.connection(), &progress);
            threads.push(scope.spawn(move || client.go_on(&mut con, progress)));
        }
        act(&|requests| {
            let next = progress.done.load(Relaxed) + requests;
            let is_any_over = || threads.iter().any(|thread| thread.is_finished());
            wait_until(|| progress.done.load(Relaxed) >= next || is_any_over());
        });
        drop(ending);
        for thread in threads {
            thread.join().unwrap_or_else(|payload| resume_unwind(payload)).expect("answers to all requests");
        }
    });
}

/// A client. Its requests and their answers stay when its connection ends.
pub struct Client {
    /// Where its requests come from.
    pub drawing: Drawing,
    random: Random,
    /// How many requests it sends at once, at the most.
    window: u64,
    /// In how many of 100 writes to its own board a new day begins.
    pub jumps: u64,
    /// Whether an answer counts only when WAIT says that a replica has the request, too.
    pub waits: bool,
    unanswered: VecDeque<Request>,
    answered: Vec<(Request, Option<i64>)>,
    /// How many of the answered requests a replica has.
    replicated: usize,
    /// How many of the answered requests were repeated by `repeat_all`.
    repeated: usize,
    /// What all requests add up to that were acknowledged, and all that were drawn.
    acknowledged: Sums,
    drawn: Sums,
}

impl Client {
    /// The client with this number.
    pub fn new(number: u64, window: u64, random: &mut Random) -> Self {
        Self {
            drawing: Drawing::new(number, Random::new(random.number())),
            random: Random::new(random.number()),
            window,
            jumps: 1,
            waits: false,
            unanswered: VecDeque::new(),
            answered: Vec::new(),
            replicated: 0,
            repeated: 0,
            acknowledged: Sums::new(),
            drawn: Sums::new(),
        }
    }

    /// Writes until the connection or the test ends.
    pub fn go_on(&mut self, con: &mut Connection, progress: &Progress) -> Result<(), Trouble> {
        while !progress.is_over.load(Relaxed) {
            for _ in 0..1 + self.random.below(self.window) {
                let request = self.drawing.draw(self.jumps);
                request.add_to(&mut self.drawn);
                self.unanswered.push_back(request);
            }
            self.send(con, &progress.done)?;
            if self.waits && redis::cmd("WAIT").arg(1).arg(WAIT).query::<u64>(con)? > 0 {
                self.replicated = self.answered.len();
            }
        }
        Ok(())
    }

    /// Sends the requests without an answer, in their order, and reads the answers.
    pub fn send(&mut self, con: &mut Connection, done: &AtomicU64) -> Result<(), Trouble> {
        if self.unanswered.is_empty() {
            return Ok(());
        }
        con.send_packed_command(&packed(self.unanswered.iter()))?;
        while !self.unanswered.is_empty() {
            let flag = flag(&receive(con)?);
            if let Some(request) = self.unanswered.pop_front() {
                request.add_to(&mut self.acknowledged);
                self.answered.push((request, flag));
            }
            done.fetch_add(1, Relaxed);
        }
        Ok(())
    }

    /// Repeats a sample of the answered requests.
    ///
    /// # Panics
    /// If one of them is applied again.
    pub fn repeat_sample(&mut self, con: &mut Connection) {
        let last = self.answered.len().saturating_sub(LAST)..self.answered.len();
        let count = self.answered.len() as u64;
        let others = (0..OTHERS.min(self.answered.len())).map(|_| self.random.below(count) as usize);
        let sample: BTreeSet<usize> = last.chain(others).collect();
        let sample: Vec<_> = sample.into_iter().map(|number| self.answered[number].clone()).collect();
        let lost = sample.iter().zip(are_lost(con, &sample)).filter(|(_, is_lost)| *is_lost);
        let lost: Vec<_> = lost.map(|((request, _), _)| request.shown()).collect();
        assert!(lost.is_empty(), "acknowledged requests were lost:\n{}", lost.join("\n"));
    }

    /// Repeats all answered requests since the last call. Returns how many of them were acknowledged, and how many of these were lost.
    pub fn repeat_all(&mut self, con: &mut Connection) -> [u64; 2] {
        let answered = &self.answered[self.repeated..];
        let count = if self.waits { self.replicated.saturating_sub(self.repeated) } else { answered.len() };
        let lost = are_lost(con, answered).into_iter().take(count).filter(|is_lost| *is_lost).count();
        self.repeated = self.answered.len();
        [count as u64, lost as u64]
    }
}

/// Repeats answered requests. Returns for each one whether it was lost: the server applies it now.
fn are_lost(con: &mut Connection, answered: &[(Request, Option<i64>)]) -> Vec<bool> {
    if answered.is_empty() {
        return Vec::new();
    }
    let requests = answered.iter().map(|(request, _)| request);
    con.send_packed_command(&packed(requests)).expect("a running server");
    let mut is_lost = |(request, before): &(Request, Option<i64>)| {
        let now = flag(&receive(con).expect("an answer"));
        now != if request.is_claim() { *before } else { before.map(|_| 0) }
    };
    answered.iter().map(&mut is_lost).collect()
}

fn packed<'a>(requests: impl Iterator<Item = &'a Request>) -> Vec<u8> {
    requests
        .flat_map(|request| {
            let mut command = redis::Cmd::new();
            request.words.iter().for_each(|word| _ = command.arg(word));
            command.get_packed_command()
        })
        .collect()
}

fn receive(con: &mut Connection) -> Result<Value, Trouble> {
    match con.recv_response()? {
        Value::ServerError(error) => Err(Trouble::Refused(error.to_string())),
        reply => Ok(reply),
    }
}

impl From<RedisError> for Trouble {
    fn from(error: RedisError) -> Self {
        if error.is_io_error() || error.is_connection_dropped() || error.is_timeout() {
            return Self::Gone;
        }
        Self::Refused(error.to_string())
    }
}

/// What the requests of all clients add up to: those that were acknowledged, and those that were drawn.
pub fn sums(clients: &[Client]) -> [Sums; 2] {
    let join = |of: fn(&Client) -> &Sums| {
        let mut sums = Sums::new();
        for (name, sum) in clients.iter().flat_map(of) {
            let joined = sums.entry(name.clone()).or_default();
            *joined = if name.starts_with("cup ") { 1 } else { *joined + sum };
        }
        sums
    };
    [join(|client| &client.acknowledged), join(|client| &client.drawn)]
}

/// Checks that each claimed prize was given to one request, and to no other one.
///
/// # Panics
/// If that is not so.
pub fn check_claims(clients: &[Client]) {
    let mut given = BTreeMap::<&str, i64>::new();
    for (request, flag) in clients.iter().flat_map(|client| &client.answered) {
        if request.is_claim() {
            *given.entry(request.winner()).or_default() += flag.expect("whether it was given");
        }
    }
    let wrong: Vec<_> = given.iter().filter(|(_, times)| **times != 1).collect();
    assert!(wrong.is_empty(), "prizes, and how often they were given: {wrong:?}");
}
