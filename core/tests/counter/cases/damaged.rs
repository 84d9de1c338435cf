//! Bytes that are not a valid counter.

use super::saves::{all, broad_one, long_one};
use super::*;

/// Loads chunks as they arrive from the append-only file. The list may end before the last chunk.
fn load(chunks: &[Vec<u8>]) -> Result<Counter, Error> {
    let (head, rest) = chunks.split_first().ok_or(Error::Loading)?;
    let mut counter = Counter::load(head)?;
    for chunk in rest {
        if let Err(error) = counter.load_chunk(chunk) {
            ask(&counter);
            return Err(error);
        }
    }
    if counter.is_loading() {
        ask(&counter);
        return Err(Error::Loading);
    }
    Ok(counter)
}

/// Reads everything from a counter that may be damaged or still loading, and checks the replies.
fn ask(counter: &Counter) {
    assert!(counter.memory() >= size_of::<Counter>());
    counter.effort();
    let rules = counter.rules();
    assert!((1..=MAX_PRECISIONS).contains(&rules.precisions.len()));
    assert!(rules.precisions.is_sorted_by(|one, other| one < other));
    assert!((1..=MAX_SAMPLES).contains(&rules.samples));
    for now in [0, counter.last(), counter.last().saturating_add(5_000), MAX_MILLIS] {
        let _ = counter.requests(now);
        for precision in &rules.precisions {
            let samples = counter.read(*precision, Range::default(), now).unwrap();
            assert!(samples.len() <= rules.samples as usize);
            let length = u64::from(*precision) * 1_000;
            assert!(samples.iter().all(|sample| sample.start % length == 0 && sample.start <= now));
            assert!(samples.iter().all(|sample| sample.count != 0 && sample.count > i64::MIN));
            assert!(samples.is_sorted_by(|one, other| one.start < other.start));
        }
    }
}

/// Makes the calls that clients make.
fn go_on(counter: &mut Counter) {
    let last = counter.last();
    for wall in [last, last.saturating_add(2_000), last.saturating_add(DAY), 0] {
        let origin = TimeSource::Client { wall: wall.min(MAX_MILLIS), max_future: MAX_FUTURE };
        for by in [1, -MOST] {
            let late = Some(wall.min(MAX_MILLIS).saturating_sub(1_000));
            _ = counter.increase(&Event { at: late, request: Some(b"a"), origin }, by);
        }
        ask(counter);
    }
    counter.alter(&samples(2), counter.last()).unwrap();
    ask(counter);
}

/// Loads damaged bytes. Returns whether they load. If they do, checks that the counter is consistent.
fn try_damaged(damaged: &[Vec<u8>]) -> bool {
    let Ok(mut counter) = load(damaged) else { return false };
    ask(&counter);
    let bytes = saved(&counter);
    assert!(saved(&loaded(&bytes)) == bytes);
    go_on(&mut counter);
    let bytes = saved(&counter);
    assert!(saved(&loaded(&bytes)) == bytes);
    true
}

#[test]
fn no_bytes() {
    assert!(Counter::load(&[]).is_err());
    for byte in 0..=255 {
        assert!(Counter::load(&[byte]).is_err());
        try_damaged(&[vec![byte; 9], vec![byte; 3]]);
    }
}

#[test]
fn each_byte_changed() {
    for (_, counter) in all() {
        let chunks = saved(&counter);
        for (number, chunk) in chunks.iter().enumerate() {
            for (at, old) in chunk.iter().enumerate() {
                let flips = (0..8).map(|bit| old ^ (1 << bit));
                for byte in flips.chain([0, 0xff, old.wrapping_add(1)]) {
                    let mut damaged = chunks.clone();
                    damaged[number][at] = byte;
                    try_damaged(&damaged);
                }
            }
        }
    }
}

#[test]
fn chunks_that_are_too_short() {
    for (name, counter) in all() {
        let chunks = saved(&counter);
        for (number, chunk) in chunks.iter().enumerate() {
            for len in 0..chunk.len() {
                let mut damaged = chunks.clone();
                damaged[number].truncate(len);
                assert!(!try_damaged(&damaged), "{name}: {len} bytes of chunk {number}");
            }
        }
    }
}

#[test]
fn chunks_that_are_too_long() {
    for (_, counter) in all() {
        let chunks = saved(&counter);
        for number in 0..chunks.len() {
            for byte in [0, 1, 0x80, 0xff] {
                let mut damaged = chunks.clone();
                damaged[number].push(byte);
                try_damaged(&damaged);
            }
        }
    }
}

#[test]
fn bytes_left_out_or_put_in() {
    for (_, counter) in all() {
        let chunks = saved(&counter);
        for number in 0..chunks.len() {
            for at in 0..chunks[number].len() {
                let mut damaged = chunks.clone();
                damaged[number].remove(at);
                try_damaged(&damaged);
                for byte in [0, 1, 0xff] {
                    let mut damaged = chunks.clone();
                    damaged[number].insert(at, byte);
                    try_damaged(&damaged);
                }
            }
        }
    }
}

/// Checks that each chunk is needed, exactly once, and in its place.
fn chunks_in_disorder(name: &str, chunks: &[Vec<u8>]) {
    for at in 0..chunks.len() {
        let mut without = chunks.to_vec();
        without.remove(at);
        assert!(!try_damaged(&without), "{name} without chunk {at}");
        let mut twice = chunks.to_vec();
        twice.insert(at, chunks[at].clone());
        assert!(!try_damaged(&twice), "{name} with chunk {at} twice");
        let mut after = chunks.to_vec();
        after.push(chunks[at].clone());
        assert!(!try_damaged(&after), "{name} with chunk {at} after the end");
        for other in at.saturating_sub(2)..at {
            let mut swapped = chunks.to_vec();
            swapped.swap(other, at);
            try_damaged(&swapped);
        }
    }
}

#[test]
fn chunks_that_are_missing_or_come_twice() {
    for (name, counter) in all() {
        chunks_in_disorder(name, &saved(&counter));
    }
    chunks_in_disorder("a broad one", &saved(&broad_one()));
    chunks_in_disorder("a long one", &saved(&long_one()));
}

#[test]
fn what_is_whole_takes_no_chunk() {
    for (name, counter) in all() {
        let bytes = saved(&counter);
        let mut copy = loaded(&bytes);
        for chunk in &bytes {
            assert!(copy.load_chunk(chunk).is_err(), "{name}");
            assert!(!copy.is_loading() && saved(&copy) == bytes, "{name}");
        }
    }
}

#[test]
fn chunks_of_one_counter_in_another() {
    let all: Vec<_> = all().iter().map(|(_, counter)| saved(counter)).collect();
    for one in &all {
        for other in &all {
            let mixed: Vec<_> = one[..1].iter().chain(&other[1..]).cloned().collect();
            try_damaged(&mixed);
        }
    }
}

#[test]
fn a_refused_chunk_leaves_no_traces() {
    for counter in [broad_one(), long_one()] {
        let chunks = saved(&counter);
        let mut copy = Counter::load(&chunks[0]).unwrap();
        for (number, chunk) in chunks.iter().enumerate().skip(1) {
            let before = saved(&copy);
            let cut = &chunk[..chunk.len() - 1];
            assert!(copy.load_chunk(cut).is_err(), "chunk {number} without its last byte");
            assert!(saved(&copy) == before, "chunk {number} left traces");
            assert_eq!(copy.load_chunk(chunk), Ok(number + 1 == chunks.len()));
        }
        assert!(saved(&copy) == chunks);
    }
}
