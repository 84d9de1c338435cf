//! Counters that reached the same value in different ways. They save the same bytes.

use super::*;

/// Stands for the epoch in a list of moments after `MONDAY`.
const LONG_AGO: u64 = u64::MAX;

fn are_same(counters: &[Counter]) {
    let bytes = saved(&counters[0]);
    for (number, counter) in counters.iter().enumerate() {
        assert!(saved(counter) == bytes, "number {number}");
        assert!(saved(&loaded(&bytes)) == bytes, "number {number}, loaded");
    }
}

/// Returns a counter with these events. An event is the server's time, the event's own time (both in milliseconds after
/// `MONDAY`), and the amount to add.
fn with(precisions: &[u32], samples: u32, events: &[(u64, u64, i64)]) -> Counter {
    let mut counter = new(precisions, samples);
    for (now, event, by) in events {
        let at = if *event == LONG_AGO { 0 } else { MONDAY + event };
        put(&mut counter, &Event { at: Some(at), ..super::at(*now) }, *by);
    }
    counter
}

#[test]
fn the_order_of_events() {
    are_same(&[
        with(&[1, 60], 5, &[(4_000, 1_000, 1), (4_000, 2_000, 2), (4_000, 4_000, 3)]),
        with(&[1, 60], 5, &[(4_000, 4_000, 3), (4_000, 1_000, 1), (4_000, 2_000, 2)]),
        with(&[1, 60], 5, &[(1_000, 1_000, 1), (2_000, 2_000, 2), (4_000, 4_000, 3)]),
    ]);
}

#[test]
fn moments_within_a_slice() {
    are_same(&[
        with(&[1, 60], 5, &[(4_999, 4_000, 5), (4_999, 1_001, 1)]),
        with(&[1, 60], 5, &[(4_999, 4_001, 2), (4_999, 1_999, 1), (4_999, 4_999, 3)]),
    ]);
}

#[test]
fn counts_that_came_to_nothing() {
    are_same(&[
        with(&[1, 60], 5, &[(4_000, 4_000, 0)]),
        with(&[1, 60], 5, &[(1_000, 1_000, 7), (4_000, 1_500, -7)]),
        with(&[1, 60], 5, &[(1_000, 1_000, MOST), (4_000, 4_000, 0), (4_000, 1_500, -MOST)]),
        with(&[1, 60], 5, &[(0, 0, 0), (4_000, 3_000, 0)]),
    ]);
}

#[test]
fn slices_that_are_gone() {
    let (day, later) = (DAY, DAY + 1);
    are_same(&[
        with(&[1, 60], 3, &[(0, 0, 5), (day, day, 1), (later, later, 0)]),
        with(&[1, 60], 3, &[(day, day, 1), (later, 0, 5)]),
        with(&[1, 60], 3, &[(later, 0, 6), (later, later, 1), (later, 0, -1)]),
    ]);
}

#[test]
fn slices_that_are_not_kept_any_more_as_of_the_last_write() {
    let mut read = with(&[1, 60], 3, &[(0, 0, 5)]);
    let unread = read.clone();
    read.advance(MONDAY + DAY);
    look(&read, DAY, 1);
    are_same(&[read, unread]);
}

#[test]
fn counts_that_were_great_for_a_while() {
    are_same(&[
        with(&[1, 60], 3, &[(0, 0, 1)]),
        with(&[1, 60], 3, &[(0, 0, MOST), (0, 0, 1 - MOST)]),
        with(&[1, 60], 3, &[(0, 0, -70_000), (0, 0, 70_001)]),
    ]);
}

#[test]
fn a_leap_that_was_put_right() {
    let leapt = |precisions: &[u32]| with(precisions, 3, &[(DAY, DAY, 5), (0, 0, 1)]);
    let plain = |precisions: &[u32]| with(precisions, 3, &[(0, LONG_AGO, 5), (0, 0, 1)]);
    are_same(&[leapt(&[1, 60]), plain(&[1, 60])]);
    // The slice of the day contains the leap too.
    let day = |events: &[(u64, u64, i64)]| with(&[86_400], 3, events);
    are_same(&[day(&[(HOUR, HOUR, 5), (0, 0, 1)]), day(&[(0, 0, 6)])]);
}

#[test]
fn precisions_named_in_another_order() {
    let mut one = new(&[60, 1, 5], 3);
    let mut other = new(&[1, 5, 60], 3);
    add(&mut one, 0, 1);
    add(&mut other, 0, 1);
    are_same(&[one, other]);
}

#[test]
fn precisions_added_later() {
    let mut one = new(&[60], 3);
    alter(&mut one, 0, &precisions(&[(5, Edit::Add), (1, Edit::Add)]));
    let mut other = new(&[1, 7, 5], 3);
    alter(&mut other, 0, &precisions(&[(60, Edit::Add), (7, Edit::Drop)]));
    let mut made = new(&[1, 5, 60], 3);
    for counter in [&mut one, &mut other, &mut made] {
        add(counter, 0, 1);
    }
    are_same(&[one, other, made]);
}

#[test]
fn samples_changed_there_and_back() {
    let mut made = new(&[1, 60], 5);
    let mut fewer = new(&[1, 60], 5);
    let mut more = new(&[1, 60], 5);
    alter(&mut fewer, 0, &samples(1));
    alter(&mut fewer, 0, &samples(5));
    for counter in [&mut made, &mut fewer, &mut more] {
        add_all(counter, &[0, 1_000, 4_000]);
    }
    alter(&mut more, 4_000, &samples(1_000));
    alter(&mut more, 4_000, &samples(5));
    are_same(&[made, fewer, more]);
}

#[test]
fn samples_that_were_dropped_and_those_that_never_were() {
    let mut one = with(&[1], 5, &[(1_000, 1_000, 3), (4_000, 4_000, 2)]);
    alter(&mut one, 4_000, &samples(2));
    let mut other = with(&[1], 2, &[(1_000, 1_000, 3), (4_000, 4_000, 2)]);
    are_same(&[one.clone(), other.clone()]);
    alter(&mut one, 4_000, &samples(5));
    alter(&mut other, 4_000, &samples(5));
    are_same(&[one, other]);
}

#[test]
fn ids_that_are_forgotten() {
    let mut with_ids = new(&[1, 60], 3);
    let mut without = with_ids.clone();
    for number in 0..50_u64 {
        let id = number.to_le_bytes();
        put(&mut with_ids, &Event { request: Some(&id), ..at(number) }, 1);
        put(&mut without, &at(number), 1);
    }
    add(&mut with_ids, DAY, 1);
    add(&mut without, DAY, 1);
    are_same(&[with_ids, without]);
}

#[test]
fn ids_after_a_leap_that_was_put_right() {
    let mut leapt = new(&[1, 60], 3);
    let mut plain = leapt.clone();
    put(&mut leapt, &with_id(at(HOUR), "a"), 1);
    add(&mut leapt, 0, 0);
    put(&mut plain, &with_id(before(0, DAY), "a"), 1);
    are_same(&[leapt, plain]);
}

#[test]
fn requests_that_were_repeated_or_refused() {
    let mut one = new(&[1], 3);
    let mut other = one.clone();
    for counter in [&mut one, &mut other] {
        put(counter, &with_id(at(0), "a"), 1);
    }
    for _ in 0..20 {
        repeat(&mut one, &with_id(at(HOUR / 10), "a"), 1);
        refusal(&mut one, &with_id(at(HOUR / 10), "a"), 2);
        refusal(&mut one, &at(HOUR), MOST);
        assert!(one.alter(&samples(0), MONDAY + HOUR).is_err());
    }
    are_same(&[one, other]);
}

#[test]
fn what_differs_is_saved_differently() {
    let base = || with(&[1, 60], 3, &[(4_000, 4_000, 1)]);
    let different = [
        base(),
        with(&[1, 60], 3, &[(4_001, 4_000, 1)]),
        with(&[1, 60], 3, &[(4_000, 4_000, 2)]),
        with(&[1, 60], 3, &[(4_000, 3_000, 1)]),
        with(&[1, 60], 4, &[(4_000, 4_000, 1)]),
        with(&[1, 61], 3, &[(4_000, 4_000, 1)]),
        with(&[1], 3, &[(4_000, 4_000, 1)]),
        with(&[1, 60], 3, &[(4_000, LONG_AGO, 1), (4_000, 4_000, 0)]),
    ];
    for (one, counter) in different.iter().enumerate() {
        for other in &different[..one] {
            assert!(saved(counter) != saved(other), "number {one}");
        }
    }
}
