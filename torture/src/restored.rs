//! Damaged payloads in real servers: RESTORE refuses what a load in process refuses. What it takes answers calls, is saved and
//! loaded again without a change, and takes memory in proportion to its bytes.

use leaderboard_commands::native::Native;
use leaderboard_core::arrived::LoadingValue;
use leaderboard_core::{Board, Counter, League};
use leaderboard_testkit::calls::Calls;
use leaderboard_testkit::payload::Payload;
use leaderboard_testkit::random::Random;
use leaderboard_testkit::session::words;
use leaderboard_testkit::{Flavor, Server, Words, pipeline, query, run};
use redis::{Connection, Value};

use crate::damage::{Saved, damage};
use crate::digests;
use crate::payloads::{EMPTY, MOST_TIMES, values};
use crate::workers::note;

/// Rounds of a session. Each ends with a reload of all values that were taken.
const ROUNDS: u64 = 25;
/// Damaged payloads of a round.
const PAYLOADS: usize = 200;
/// Calls on each value that was taken.
const CALLS_AFTER: usize = 6;

/// A type of values.
struct Kind {
    /// What the keys begin with that hold such a value in random calls.
    key: &'static str,
    create: &'static str,
    /// Loads a value in process. Returns the number of its chunks.
    load: fn(&Saved) -> Option<usize>,
}

const KINDS: [Kind; 3] = [
    Kind { key: "board", create: "LB.CREATE sample", load: chunks_of::<Board> },
    Kind {
        key: "league",
        create: "LB.LEAGUE.CREATE sample TIERS only PROMOTE 0 DEMOTE 0 CYCLE day",
        load: chunks_of::<League>,
    },
    Kind { key: "counter", create: "LB.COUNTER.CREATE sample", load: chunks_of::<Counter> },
];

fn chunks_of<T: Native>(saved: &Saved) -> Option<usize> {
    let mut loading = LoadingValue::<T>::Nothing;
    for (number, chunk) in saved.iter().enumerate() {
        if loading.take(chunk).ok()? {
            return loading.finish().ok().map(|_| number + 1);
        }
    }
    None
}

/// A damaged value on its way into a server.
struct Sent {
    key: String,
    kind: &'static Kind,
    saved: Saved,
    is_sound: bool,
}

/// Restores damaged values in a server. Returns their number.
pub fn session(seed: u64) -> u64 {
    rounds(seed, ROUNDS)
}

fn rounds(seed: u64, rounds: u64) -> u64 {
    let mut random = Random::new(seed);
    let values = values(seed, &mut random);
    let flavor = Flavor::all()[(seed % 4) as usize];
    let server = Server::start(flavor);
    let mut con = server.connection();
    let frames = KINDS.each_ref().map(|kind| frame(kind, &mut con));
    let mut calls = Calls::default();
    calls.chunks = values.concat();
    for _ in 0..rounds {
        let sent: Vec<Sent> = (0..PAYLOADS).map(|number| draw(number, &values, &mut random)).collect();
        let story = sent.iter().map(|sent| format!("{} {:?}", sent.kind.key, sent.saved));
        note(story.collect::<Vec<_>>().join("\n").as_bytes());
        restore(&sent, &frames, &mut con);
        let calls = sent.iter().flat_map(|sent| calls_on(sent, &calls, &mut random));
        pipeline(&mut con, &calls.collect::<Vec<_>>());
        let before = digests::of(&server);
        run(&mut con, &["DEBUG", "RELOAD"]);
        digests::compare("DEBUG RELOAD", &before, &digests::of(&server));
        run(&mut con, &["FLUSHALL"]);
    }
    let log = server.log();
    assert!(!log.contains("failed inside the module"), "{log}");
    rounds * PAYLOADS as u64
}

/// Returns a payload of this type, to put other chunks into it.
fn frame(kind: &Kind, con: &mut Connection) -> Payload {
    run(con, &words(kind.create));
    let dump: Vec<u8> = query(con, &["DUMP", "sample"]);
    run(con, &["DEL", "sample"]);
    Payload::parse(&dump)
}

/// Draws a damaged value. It ends where a load in process ends: RESTORE refuses all payloads with something behind that.
fn draw(number: usize, values: &[Saved], random: &mut Random) -> Sent {
    let whole = random.pick(values);
    let own = KINDS.iter().find(|kind| (kind.load)(whole).is_some()).expect("a value of a type");
    let kind = if random.percent(97) { own } else { random.pick(&KINDS) };
    let mut saved = whole.clone();
    damage(&mut saved, values, random);
    let chunks = (kind.load)(&saved);
    saved.truncate(chunks.unwrap_or(saved.len()));
    Sent { key: format!("value{number}"), kind, saved, is_sound: chunks.is_some() }
}

/// Restores all values, and judges the replies and the memory.
fn restore(sent: &[Sent], frames: &[Payload; 3], con: &mut Connection) {
    let restore = |sent: &Sent| -> Words {
        let frame = KINDS.iter().zip(frames).find(|(kind, _)| kind.key == sent.kind.key);
        let chunks: Vec<&[u8]> = sent.saved.iter().map(Vec::as_slice).collect();
        let bytes = frame.expect("a frame of each type").1.with(&chunks);
        [b"RESTORE", sent.key.as_bytes(), b"0", &bytes].map(<[u8]>::to_vec).to_vec()
    };
    let replies = pipeline(con, &sent.iter().map(restore).collect::<Vec<_>>());
    for (sent, reply) in sent.iter().zip(replies) {
        let shown = || format!("{} {:?}", sent.kind.key, sent.saved);
        assert_eq!(reply.is_ok(), sent.is_sound, "RESTORE replied {reply:?}: {}", shown());
    }
    let taken: Vec<&Sent> = sent.iter().filter(|sent| sent.is_sound).collect();
    let usage = |sent: &&Sent| words(&format!("MEMORY USAGE {} SAMPLES 0", sent.key));
    for (sent, reply) in taken.iter().zip(pipeline(con, &taken.iter().map(usage).collect::<Vec<_>>())) {
        let bytes: usize = sent.saved.iter().map(Vec::len).sum();
        let is_bounded =
            matches!(reply, Ok(Value::Int(taken)) if taken as usize <= MOST_TIMES * bytes + EMPTY);
        assert!(is_bounded, "{reply:?} bytes for a payload of {bytes}");
    }
}

/// Returns random calls on a value that was taken.
fn calls_on(sent: &Sent, calls: &Calls, random: &mut Random) -> Vec<Words> {
    let mut drawn = Vec::new();
    while sent.is_sound && drawn.len() < CALLS_AFTER {
        let (_, mut words) = calls.draw(random);
        let Some(key) = words.get(1).filter(|key| key.starts_with(sent.kind.key.as_bytes())).cloned() else {
            continue;
        };
        let own = words.iter_mut().filter(|word| **word == key);
        own.for_each(|word| *word = sent.key.clone().into_bytes());
        drawn.push(words);
    }
    drawn
}

#[cfg(test)]
mod tests {
    use crate::workers::Run;

    #[test]
    fn each_server_refuses_what_a_load_in_process_refuses() {
        let run =
            Run::new("payloads", 800, leaderboard_testkit::random::seed()).all(|seed| super::rounds(seed, 1));
        assert!(run.failures.is_empty(), "{run}");
    }
}
