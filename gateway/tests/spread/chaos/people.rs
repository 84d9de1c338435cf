//! Clients that write to a board and read it while its servers fail.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use super::breathe;
use crate::servers::wait_until;
use crate::spread::random::Random;
use crate::spread::wire::{Reply, Wire, split};

const WRITERS: u64 = 3;
const READERS: u64 = 3;
const MEMBERS: u64 = 400;

/// Everything that was written: the requests without their key, and the expected scores.
#[derive(Default)]
pub struct Written {
    pub requests: Vec<String>,
    pub scores: HashMap<String, i64>,
}

pub struct Crowd {
    writers: Vec<JoinHandle<Written>>,
    readers: Vec<JoinHandle<()>>,
    ended: Arc<AtomicBool>,
    /// The number of operations that each client has done without an error.
    done: Vec<Arc<AtomicU64>>,
}

impl Crowd {
    /// Starts the clients. They begin when all members are on the board.
    pub fn start(port: u16) -> Crowd {
        let mut first: Vec<_> = (0..WRITERS).map(|number| Writer::new(port, number)).collect();
        for writer in &mut first {
            writer.enter();
        }
        let ended = Arc::new(AtomicBool::new(false));
        let done: Vec<_> = (0..WRITERS + READERS).map(|_| Arc::new(AtomicU64::new(0))).collect();
        let mut counters = done.iter().cloned();
        let writers = first.into_iter().map(|mut writer| {
            let (ended, done) = (ended.clone(), counters.next().expect("a counter"));
            thread::spawn(move || {
                while !ended.load(Ordering::Relaxed) {
                    writer.write();
                    done.fetch_add(1, Ordering::Relaxed);
                }
                writer.written
            })
        });
        let writers = writers.collect();
        let readers = (0..READERS).map(|number| {
            let (ended, done) = (ended.clone(), counters.next().expect("a counter"));
            thread::spawn(move || {
                let mut reader =
                    Reader { port, wire: Wire::to_resp3(port), random: Random::new(number + 50) };
                while !ended.load(Ordering::Relaxed) {
                    if reader.read() {
                        done.fetch_add(1, Ordering::Relaxed);
                    } else {
                        breathe();
                    }
                }
            })
        });
        let readers = readers.collect();
        Crowd { writers, readers, ended, done }
    }

    /// Waits until each client has done more operations.
    #[track_caller]
    pub fn get_on(&self, next: &str) {
        let before: Vec<_> = self.done.iter().map(|done| done.load(Ordering::Relaxed)).collect();
        let gets_on =
            || self.done.iter().zip(&before).all(|(done, before)| done.load(Ordering::Relaxed) > before + 20);
        wait_until(|| {
            let lost = self.readers.iter().any(JoinHandle::is_finished)
                || self.writers.iter().any(JoinHandle::is_finished);
            assert!(!lost, "somebody gave up before {next}");
            gets_on()
        });
    }

    #[track_caller]
    pub fn stop(self) -> Written {
        self.ended.store(true, Ordering::Relaxed);
        self.readers.into_iter().for_each(|reader| reader.join().expect("a reader without complaints"));
        let mut all = Written::default();
        for writer in self.writers {
            let written = writer.join().expect("a writer without complaints");
            all.requests.extend(written.requests);
            all.scores.extend(written.scores);
        }
        all
    }
}

/// Checks that an error is caused by an outage of servers, and not by a wrong request.
fn is_outage(error: &str) -> bool {
    ["PARTSDOWN ", "BUSY ", "UNKNOWN ", "CLUSTERDOWN", "TRYAGAIN", "LOADING", "MASTERDOWN", "READONLY"]
        .iter()
        .any(|code| error.starts_with(code))
}

/// A client that writes to its own members only.
struct Writer {
    wire: Wire,
    number: u64,
    random: Random,
    written: Written,
}

impl Writer {
    fn new(port: u16, number: u64) -> Writer {
        Writer { wire: Wire::to(port), number, random: Random::new(number + 1), written: Written::default() }
    }

    fn name(&self, member: u64) -> String {
        format!("w{}-{member}", self.number)
    }

    /// Adds the writer's members to the board.
    fn enter(&mut self) {
        let pairs: Vec<_> =
            (0..MEMBERS / WRITERS).map(|member| (member as i64 % 7, self.name(member))).collect();
        self.add(&pairs);
    }

    fn write(&mut self) {
        let one = |it: &mut Writer| {
            let member = it.random.below(MEMBERS / WRITERS);
            (it.random.below(5) as i64 + 1, it.name(member))
        };
        let count = if self.random.percent(20) { 8 } else { 1 };
        let pairs: Vec<_> = (0..count).map(|_| one(self)).collect();
        self.add(&pairs);
    }

    /// Adds points, and sends the request again until it succeeds.
    fn add(&mut self, pairs: &[(i64, String)]) {
        let id = format!("{}-{}", self.number, self.written.requests.len());
        let list: Vec<_> = pairs.iter().map(|(points, member)| format!("{points} {member}")).collect();
        let request = match &list[..] {
            [one] => format!("LB.ADD game {one} ID {id}"),
            _ => format!("LB.MADD game ID {id} {}", list.join(" ")),
        };
        let words = split(&request);
        wait_until(|| match self.wire.ask(&words) {
            Reply::Error(error) => {
                assert!(is_outage(&error), "{request}: {error}");
                breathe();
                false
            }
            reply => {
                assert_eq!(
                    reply.items().len(),
                    if list.len() == 1 { 3 } else { list.len() },
                    "{request}: {reply:?}"
                );
                true
            }
        });
        for (points, member) in pairs {
            *self.written.scores.entry(member.clone()).or_default() += points;
        }
        self.written.requests.push(request);
    }
}

struct Reader {
    port: u16,
    wire: Wire,
    random: Random,
}

impl Reader {
    /// Sends a random read. Returns whether a reply came. A wrong reply fails the test.
    fn read(&mut self) -> bool {
        let members = (MEMBERS / WRITERS * WRITERS) as usize;
        let count = *self.random.pick(&[1, 10, 50, 1_000]);
        let first = self.random.below(members as u64) as usize;
        let (line, rows) = match self.random.below(6) {
            0 => (format!("LB.TOP game {count}"), members.min(count)),
            1 => (format!("LB.TOP game {count} OFFSET {first}"), (members - first).min(count)),
            2 => (format!("LB.RANGE game {} {}", first + 1, first + 10), (members - first).min(10)),
            3 => (format!("LB.TOP game {count} PARTIAL"), members.min(count)),
            4 => (format!("LB.AROUND game w1-{} 5 FILL", first % 100), 11),
            _ => ("LB.COUNT game".to_owned(), members),
        };
        let reply = self.wire.say(&line);
        match reply {
            Reply::Error(error) => {
                assert!(is_outage(&error), "{line}: {error}");
                // Some clients connect again after an error.
                if self.random.percent(10) {
                    self.wire = Wire::to_resp3(self.port);
                }
                false
            }
            Reply::Int(count) => {
                assert_eq!(count as usize, rows, "{line}");
                true
            }
            reply if line.ends_with("PARTIAL") => {
                let [answered, parts, rest] = reply.items() else { panic!("{line}: {reply:?}") };
                assert_eq!(parts.int(), i64::from(super::PARTS), "{line}");
                let complete = answered.int() == parts.int();
                sound(&line, rest, complete.then_some(rows));
                complete
            }
            reply => {
                sound(&line, &reply, Some(rows));
                true
            }
        }
    }
}

/// Checks that no member appears twice, that ranks have no gap, and that scores do not increase. A complete page must
/// have all of its rows.
fn sound(line: &str, reply: &Reply, complete: Option<usize>) {
    let rows: Vec<_> = reply
        .items()
        .iter()
        .map(|row| (row.items()[0].int(), row.items()[1].text(), row.items()[2].int()))
        .collect();
    assert!(
        complete.is_none_or(|wanted| rows.len() == wanted),
        "{line}: {} rows, not {complete:?}",
        rows.len()
    );
    let names: HashSet<_> = rows.iter().map(|(_, name, _)| name).collect();
    assert_eq!(names.len(), rows.len(), "{line}: somebody twice in {rows:?}");
    for pair in rows.windows(2) {
        assert_eq!(pair[1].0, pair[0].0 + 1, "{line}: ranks");
        assert!(pair[1].2 <= pair[0].2, "{line}: scores {pair:?}");
    }
}
