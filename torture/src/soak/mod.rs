//! A soak of the gateway: clients of many kinds come through both doors while servers stop, die and lose their links. In the end each
//! point that was acknowledged is counted once, no answer was of a kind that is not documented, no request waited in vain, and memory
//! and descriptors of the gateway are back where they were.

mod book;
mod faults;
mod followers;
mod gateway;
mod ledger;
mod nodes;
mod picture;
mod readers;
mod refused;
mod rows;
mod rude;
mod shared;
mod story;
mod tally;
mod tries;
mod watch;
mod web;
mod web_writer;
mod wire;
mod wire_writer;

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use leaderboard_testkit::random::Random;
use leaderboard_testkit::{Flavor, Server};

use book::{Scores, joined};
use faults::{Faults, Mark};
use followers::Follower;
use gateway::Gateway;
use readers::{WebReader, WireReader};
use refused::Refused;
use rude::Rude;
use shared::{Client, PATIENCE, Shared};
pub use story::Story;
use watch::Watch;
use web_writer::WebWriter;
use wire::Wire;
use wire_writer::WireWriter;

/// Clients of each kind.
const WRITERS: usize = 4;
const READERS: usize = 3;
const FOLLOWERS: usize = 3;
const RUDE: usize = 3;
/// How long the gateway works for all clients before the load.
const WARM: Duration = Duration::from_millis(500);
/// When the gateway has closed nothing for this time after that, it has closed all that its clients have left.
const CLOSED: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_millis(50);

/// How long a soak takes, and how its faults follow each other.
struct Pace {
    /// The time of the load. It ends later if not each kind of fault was made.
    time: Duration,
    /// The time between two faults, in milliseconds.
    apart: Range<i64>,
    /// For how long a server is stopped or down, or the doors are crowded, in milliseconds.
    lasting: Range<i64>,
}

/// Soaks the gateway for some minutes. Draws a picture and writes the tables beside the program.
pub fn run(minutes: u64, seed: u64) -> Story {
    let pace = Pace { time: Duration::from_secs(minutes * 60), apart: 3_000..15_000, lasting: 500..4_000 };
    let story = soak(&pace, seed);
    let folder = std::env::current_exe().expect("the program's path");
    let folder = folder.parent().expect("a folder");
    std::fs::write(folder.join("soak.svg"), picture::draw(&story)).expect("a picture");
    std::fs::write(folder.join("soak.txt"), story.to_string()).expect("a report");
    story
}

fn soak(pace: &Pace, seed: u64) -> Story {
    let mut random = Random::new(seed);
    let mut nodes = nodes::start(Flavor::all()[(seed % 4) as usize]);
    let (gateway, tokens) = Gateway::start(nodes.iter().map(Server::port));
    let shared = Shared::new(gateway.http(), gateway.resp(), tokens, nodes::boards());
    make_boards(&shared);
    let processes = [gateway.process(), nodes::process(&nodes[0]), nodes::process(&nodes[1])];
    // The gateway opens what it needs for all kinds of requests.
    let (_, warmed) = load(&shared, "warm", &mut random, |_| thread::sleep(WARM));
    let before = wait_for_descriptors(&Watch::new(processes), 0, CLOSED);
    shared.tally.take();
    let watch = Watch::new(processes);
    let ((history, marks, probes), scores) = thread::scope(|scope| {
        load(&shared, "", &mut random, |random| {
            let seen = scope.spawn(|| watch.follow(&shared));
            let (marks, probes) = fault(&shared, &watch, &mut nodes, random, pace);
            shared.end();
            (seen.join().expect("samples"), marks, probes)
        })
    });
    let after = wait_for_descriptors(&watch, before, PATIENCE);
    let mut findings = shared.findings();
    if after > before {
        findings.push(format!("{before} descriptors before the load, and {after} after it"));
    }
    let scores = joined([warmed, scores].into_iter().chain(probes));
    findings.extend(ledger::check(&shared, &nodes, &scores));
    let members = scores.values().map(|scores| scores.len() as i64).sum();
    let points = scores.values().flat_map(|scores| scores.values()).sum();
    let (descriptors, written) = ([before, after], [members, points]);
    let mut story = Story { seed, history, marks, descriptors, written, findings };
    story.judge();
    story
}

fn make_boards(shared: &Shared) {
    let mut wire = Wire::new(shared);
    for command in nodes::commands(&shared.boards) {
        wire.insist(&command).expect("a board");
    }
}

/// Returns the clients that do not write to boards whose scores are checked.
fn guests<'a>(shared: &'a Shared, random: &mut Random) -> Vec<Box<dyn Client + Send + 'a>> {
    let mut guests: Vec<Box<dyn Client + Send + 'a>> = vec![Box::new(Refused::new(shared, random))];
    for _ in 0..READERS {
        guests.push(Box::new(WebReader::new(shared, random)));
        guests.push(Box::new(WireReader::new(shared, random)));
    }
    (0..FOLLOWERS).for_each(|_| guests.push(Box::new(Follower::new(shared, random))));
    (0..RUDE).for_each(|_| guests.push(Box::new(Rude::new(shared, random))));
    guests
}

/// Lets all clients work while `act` acts. Returns what it returns, and the scores that were acknowledged. The name of each writer
/// begins with `prefix`.
fn load<T>(
    shared: &Shared,
    prefix: &str,
    random: &mut Random,
    act: impl FnOnce(&mut Random) -> T,
) -> (T, Scores) {
    shared.begin();
    thread::scope(|scope| {
        let ending = Ending(shared);
        for mut guest in guests(shared, random) {
            scope.spawn(move || work(shared, &mut *guest));
        }
        let mut writers = Vec::new();
        for number in 0..WRITERS {
            let mut web = WebWriter::new(shared, &format!("{prefix}web{number}"), random);
            let mut wire = WireWriter::new(shared, &format!("{prefix}wire{number}"), random);
            writers.push(scope.spawn(move || {
                work(shared, &mut web);
                web.close().close()
            }));
            writers.push(scope.spawn(move || {
                work(shared, &mut wire);
                wire.close().close()
            }));
        }
        let acted = act(random);
        drop(ending);
        let books = writers.into_iter().map(|writer| writer.join().expect("a writer that ended"));
        (acted, joined(books))
    })
}

/// Makes faults for some time, and at least one of each kind. Returns them, and the scores of the members that probes wrote to.
fn fault(
    shared: &Shared,
    watch: &Watch,
    nodes: &mut [Server],
    random: &mut Random,
    pace: &Pace,
) -> (Vec<Mark>, [Scores; 2]) {
    let end = Instant::now() + pace.time;
    let mut faults = Faults::new(shared, watch, nodes, pace.lasting.clone(), random);
    while !shared.is_over() && (Instant::now() < end || !faults.had_all()) {
        thread::sleep(Duration::from_millis(random.within(pace.apart.clone()) as u64));
        faults.strike().unwrap_or_else(|error| shared.found(error));
    }
    faults.close()
}

/// Lets a client work until the load ends.
fn work(shared: &Shared, client: &mut dyn Client) {
    while !shared.is_over() {
        client.step().unwrap_or_else(|error| shared.found(error));
    }
}

/// Waits until the gateway has no more descriptors than this, or closes none for some time. Returns how many it has.
fn wait_for_descriptors(watch: &Watch, wanted: usize, patience: Duration) -> usize {
    let open = || watch.look(0).map_or(0, |used| used.descriptors);
    let (mut fewest, mut seen) = (open(), Instant::now());
    while fewest > wanted && seen.elapsed() < patience {
        thread::sleep(POLL);
        let now = open();
        if now < fewest {
            (fewest, seen) = (now, Instant::now());
        }
    }
    fewest
}

/// Ends the load when it is dropped.
struct Ending<'a>(&'a Shared);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    #[test]
    fn the_gateway_goes_through_faults_and_loses_nothing() {
        let seed = leaderboard_testkit::random::seed();
        let pace = super::Pace { time: Duration::from_secs(1), apart: 50..200, lasting: 200..600 };
        let story = super::soak(&pace, seed);
        assert!(story.findings.is_empty(), "{story}");
        assert!(super::picture::draw(&story).contains("</svg>"));
    }
}
