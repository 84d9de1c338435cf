//! Tests of the memory that a counter reports.

use leaderboard_core::board::Edit;
use leaderboard_core::counter::{Alter, Counter, Rules};
use leaderboard_core::time::{Clock, TimeSource};
use leaderboard_core::{Event, NativeType};
use leaderboard_testkit::twin::{loaded, saved};

use super::allocator::given;
use super::kinds::{BEGIN, mixed};

/// Numbers of samples: for one allocation of the smallest class, for a few classes, and for pages.
const SAMPLES: [u32; 6] = [1, 2, 7, 120, 1_000, 10_000];

/// The name of a state, and the function that brings a counter into it.
type State = (&'static str, fn(&mut Counter));

const STATES: [State; 11] = [
    ("nothing", |_| {}),
    ("one event", |counter| add(counter, 0, 0, 1)),
    ("an increase by nothing", |counter| add(counter, 0, 0, 0)),
    ("sparse", |counter| every(counter, 61, 1)),
    ("dense", |counter| every(counter, 1, 1)),
    ("great counts", |counter| every(counter, 7, i64::MAX / 1_500)),
    ("negative counts", |counter| every(counter, 7, -300)),
    ("counts that grow", |counter| {
        for bits in 0..60 {
            add(counter, bits, bits, 1 << bits);
        }
    }),
    ("great counts that came to nothing", |counter| {
        every(counter, 7, 1 << 40);
        every(counter, 7, -(1 << 40));
    }),
    ("late", |counter| {
        for number in 0..300 {
            add(counter, 1_500, 1_500 - mixed(number) as u64 % 1_500, 1);
        }
    }),
    ("a leap", |counter| {
        every(counter, 3, 5);
        add(counter, 100_000_000, 100_000_000, 1);
        add(counter, 5_000, 5_000, 1);
    }),
];

fn counter(precisions: &[u32], samples: u32) -> Counter {
    let rules = Rules { precisions: precisions.to_vec(), samples, ..Rules::default() };
    Counter::new(rules).unwrap()
}

/// Counts an event at this number of seconds after `BEGIN`.
fn add(counter: &mut Counter, now: u64, at: u64, by: i64) {
    let origin = TimeSource::Decided { now: Some(BEGIN + now * 1_000) };
    counter.increase(&Event { at: Some(BEGIN + at * 1_000), request: None, origin }, by).unwrap();
}

/// Counts `by` every `seconds` seconds, for 1,500 seconds.
fn every(counter: &mut Counter, seconds: usize, by: i64) {
    (0..1_500).step_by(seconds).for_each(|second| add(counter, second, second, by));
}

/// Counts this number of events with request ids, one event each second.
fn with_ids(counter: &mut Counter, count: u64) {
    let begin = counter.last().max(BEGIN);
    for number in 0..count {
        let id = number.to_le_bytes();
        let origin = TimeSource::Client { wall: begin + number * 1_000, max_future: 0 };
        counter.increase(&Event { at: None, request: Some(&id), origin }, 1).unwrap();
    }
}

/// Compares the reported memory of counters of all sizes in all states, after a change.
fn compare(what: &str, change: impl Fn(&mut Counter)) {
    for precisions in [&[1][..], &[60, 1, 5], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 60]] {
        for samples in SAMPLES {
            for (state, bring) in STATES {
                let before = given();
                let mut counter = Box::new(counter(precisions, samples));
                bring(&mut counter);
                change(&mut counter);
                let (said, taken) = (counter.memory(), given().wrapping_sub(before));
                let count = precisions.len();
                assert_eq!(said, taken, "{what}: {state}, {count} precisions of {samples} samples");
            }
        }
    }
}

#[test]
fn counters_as_they_were_made() {
    compare("new", |_| {});
    compare("copied", |counter| *counter = counter.clone());
    compare("loaded", |counter| *counter = loaded(&saved(counter)));
}

#[test]
fn counters_on_a_clock_of_events() {
    let before = given();
    let mut counter = Box::new(Counter::new(Rules { clock: Clock::Event, ..Rules::default() }).unwrap());
    for number in 0..500 {
        add(&mut counter, mixed(number) as u64, mixed(number) as u64, number as i64);
    }
    assert_eq!(counter.memory(), given().wrapping_sub(before));
}

#[test]
fn counters_with_ids() {
    for count in [1, 2, 9, 100, 1_100] {
        compare("with ids", |counter| with_ids(counter, count));
    }
    compare("with ids, loaded", |counter| {
        with_ids(counter, 300);
        *counter = loaded(&saved(counter));
    });
    compare("with ids that are forgotten", |counter| {
        with_ids(counter, 40);
        (0..20).for_each(|number| add(counter, 200_000 + number, 0, 0));
    });
}

#[test]
fn counters_whose_rules_are_changed() {
    let edits = |edits: &[(u32, Edit)]| Alter { precisions: edits.to_vec(), ..Alter::default() };
    let alter = |counter: &mut Counter, alter: &Alter| counter.alter(alter, counter.last()).unwrap();
    compare("with another precision", |counter| {
        alter(counter, &edits(&[(1, Edit::Drop), (3_600, Edit::Add)]));
    });
    compare("with one precision for another and back", |counter| {
        alter(counter, &edits(&[(1, Edit::Drop), (3_600, Edit::Add)]));
        every(counter, 11, 1 << 33);
        alter(counter, &edits(&[(1, Edit::Add), (3_600, Edit::Drop)]));
        every(counter, 11, 1);
    });
    for samples in [1, 7, 1_000] {
        compare("with other samples", |counter| {
            alter(counter, &Alter { samples: Some(samples), ..Alter::default() });
        });
        compare("with other samples, and events after that", |counter| {
            alter(counter, &Alter { samples: Some(samples), ..Alter::default() });
            every(counter, 13, 1 << 20);
        });
    }
    compare("without dedup", |counter| {
        with_ids(counter, 10);
        alter(counter, &Alter { dedup: Some(0), ..Alter::default() });
        every(counter, 500, 1);
    });
}

#[test]
fn refused_increases_and_alterations() {
    compare("refused", |counter| {
        let origin = TimeSource::Client { wall: counter.last() + 50_000_000, max_future: 0 };
        let id = Some(&b"id"[..]);
        for by in [i64::MAX, i64::MAX, -i64::MAX, -i64::MAX, -i64::MAX] {
            let _ = counter.increase(&Event { at: None, request: None, origin }, by);
            let _ = counter.increase(&Event { at: Some(u64::MAX), request: id, origin }, by);
        }
        let bad = Alter { precisions: vec![(9_999, Edit::Add), (9_998, Edit::Drop)], ..Alter::default() };
        assert!(counter.alter(&bad, counter.last()).is_err());
    });
}
