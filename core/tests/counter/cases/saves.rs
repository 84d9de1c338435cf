//! Counters that are saved and loaded again.

use super::*;

/// Returns counters in all kinds of states.
pub fn all() -> Vec<(&'static str, Counter)> {
    let mut all = vec![
        ("new", new(&[1], 1)),
        ("new with defaults", Counter::new(Rules::default()).unwrap()),
        ("new with all precisions", new(&(1..=16).collect::<Vec<_>>(), MAX_SAMPLES)),
        ("new on a clock of events", following(&[1, 315_360_000], 5)),
        ("new without dedup", Counter::new(Rules { dedup: 0, ..rules(&[60], 3) }).unwrap()),
    ];
    let mut add = |name, make: &dyn Fn(&mut Counter)| {
        let mut counter = new(&[1, 5, 60], 6);
        make(&mut counter);
        all.push((name, counter));
    };
    add("one event", &|counter| _ = add_one(counter));
    add("sparse", &sparse);
    add("dense", &dense);
    add("great counts", &great);
    add("ids", &ids);
    add("altered", &altered);
    add("precisions that were added", &|counter| {
        dense(counter);
        alter(counter, 6_000, &precisions(&[(2, Edit::Add), (3_600, Edit::Add)]));
    });
    add("a leap", &|counter| {
        dense(counter);
        super::add(counter, DAY, 3);
    });
    add("after a leap", &|counter| {
        ids(counter);
        super::add(counter, DAY, 3);
        super::add(counter, 7_000, 3);
    });
    add("slices that came to 0", &|counter| {
        dense(counter);
        dense_by(counter, -1);
    });
    add("total alone", &|counter| {
        dense(counter);
        super::add(counter, DAY, -2);
        super::add(counter, DAY, 2);
    });
    all
}

fn add_one(counter: &mut Counter) -> i64 {
    add(counter, 500, 1)
}

fn dense_by(counter: &mut Counter, by: i64) {
    for moment in (0..6_000).step_by(250) {
        put(counter, &of(5_999, moment), by);
    }
}

fn dense(counter: &mut Counter) {
    dense_by(counter, 1);
}

fn sparse(counter: &mut Counter) {
    add(counter, 0, 1);
    add(counter, 5_500, -1);
    add(counter, 25_000, 70_000);
    add(counter, 5 * MINUTE, 1);
}

fn great(counter: &mut Counter) {
    for (number, by) in [1, 200, 40_000, 3_000_000_000, MOST - 3_000_040_201, -MOST].into_iter().enumerate() {
        add(counter, number as u64 * 1_000, by);
    }
}

fn ids(counter: &mut Counter) {
    for (number, id) in ["a", "b", "c", "d"].into_iter().enumerate() {
        put(counter, &with_id(at(number as u64 * 1_500), id), number as i64);
    }
}

fn altered(counter: &mut Counter) {
    dense(counter);
    ids(counter);
    let edits = precisions(&[(1, Edit::Drop), (2, Edit::Add)]);
    alter(counter, 6_000, &Alter { samples: Some(9), dedup: Some(30), ..edits });
    add(counter, 7_000, 3);
}

#[test]
fn what_is_loaded_is_the_same() {
    for (name, counter) in all() {
        let bytes = saved(&counter);
        let copy = loaded(&bytes);
        assert!(saved(&copy) == bytes, "{name}");
        assert_eq!(copy.total(), counter.total(), "{name}");
        assert_eq!(copy.last(), counter.last(), "{name}");
        assert_eq!(copy.members(), counter.members(), "{name}");
        let (own, other) = (counter.rules(), copy.rules());
        assert_eq!(own.precisions, other.precisions, "{name}");
        assert_eq!((own.samples, own.clock, own.dedup), (other.samples, other.clock, other.dedup), "{name}");
        for now in [0, 5_999, 7_000, 12_000, MINUTE, DAY, DAY + MINUTE] {
            assert_eq!(copy.requests(MONDAY + now), counter.requests(MONDAY + now), "{name} at {now}");
            for precision in &own.precisions {
                assert_eq!(look(&copy, now, *precision), look(&counter, now, *precision), "{name} at {now}");
            }
        }
    }
}

#[test]
fn what_is_loaded_goes_on_in_the_same_way() {
    for (name, mut counter) in all() {
        let mut copy = loaded(&saved(&counter));
        let events =
            [of(8_000, 7_000), with_id(of(8_500, 0), "a"), of(30_000, 29_000), of(DAY, DAY), of(0, 0)];
        for (number, event) in events.into_iter().enumerate() {
            let by = number as i64;
            let got = copy.increase(&event, by).map_err(|error| error.to_string());
            assert_eq!(got, counter.increase(&event, by).map_err(|error| error.to_string()), "{name}");
            assert!(saved(&copy) == saved(&counter), "{name}, step {number}");
        }
        let change = samples(2);
        alter(&mut copy, DAY, &change);
        alter(&mut counter, DAY, &change);
        assert!(saved(&copy) == saved(&counter), "{name}, altered");
    }
}

#[test]
fn what_is_copied_is_apart() {
    for (name, counter) in all() {
        let bytes = saved(&counter);
        let mut copy = counter.clone();
        assert!(saved(&copy) == bytes, "{name}");
        copy.increase(&of(2 * DAY, 2 * DAY), 1).unwrap();
        copy.alter(&samples(1), MONDAY + 2 * DAY).unwrap();
        assert!(saved(&copy) != bytes && saved(&counter) == bytes, "{name}");
    }
}

#[test]
fn what_was_sent_twice_is_known_after_loading() {
    let mut counter = new(&[1], 3);
    put(&mut counter, &with_id(at(0), "a"), 5);
    let mut copy = loaded(&saved(&counter));
    assert_eq!(repeat(&mut copy, &with_id(at(600_000), "a"), 5), 5);
    assert_eq!(put(&mut copy, &with_id(at(600_001), "a"), 5), 10);
}

#[test]
fn great_counters_are_saved_in_several_chunks() {
    for counter in [broad_one(), long_one()] {
        let chunks = saved(&counter);
        assert!(chunks.len() > 3, "in {} chunks", chunks.len());
        assert!(chunks.iter().all(|chunk| chunk.len() < 80 * 1024));
        let copy = loaded(&chunks);
        assert!(saved(&copy) == chunks);
        for precision in &counter.rules().precisions {
            assert_eq!(look(&copy, DAY, *precision), look(&counter, DAY, *precision));
        }
    }
}

/// Returns a counter with many slices in all precisions, and with many ids.
pub fn broad_one() -> Counter {
    let precisions: Vec<_> = (1..=16).collect();
    let mut counter = new(&precisions, 500);
    for number in 0..1_000_u64 {
        let by = (number as i64 * 7_919 % 1_000 - 500) << 40;
        put(&mut counter, &of(DAY, DAY - number * 1_000), by);
    }
    for number in 0..500_u32 {
        let id = number.to_le_bytes();
        put(&mut counter, &Event { request: Some(&id), ..at(DAY) }, 1);
    }
    counter
}

/// Returns a counter with the maximum number of slices of one precision, and with high counts.
pub fn long_one() -> Counter {
    let mut counter = new(&[1, 60], MAX_SAMPLES);
    for number in 0..u64::from(MAX_SAMPLES) {
        let by = (number as i64 * 7_919 % 1_000 - 500) << 40;
        put(&mut counter, &of(DAY, DAY - number * 1_000), by);
    }
    counter
}
