//! Requests that are sent again.

use super::*;

const REUSED: &str = "request id was used for a different write";

#[test]
fn a_repeated_request_answers_the_total_as_it_is() {
    let mut counter = new(&[1], 3);
    assert_eq!(put(&mut counter, &with_id(at(0), "a"), 5), 5);
    assert_eq!(add(&mut counter, 0, 2), 7);
    assert_eq!(repeat(&mut counter, &with_id(at(1_000), "a"), 5), 7);
    assert_eq!(look(&counter, 1_000, 1), [(0, 7)]);
    assert_eq!(counter.requests(MONDAY + 1_000), 1);
    assert_eq!(counter.last(), MONDAY);
}

#[test]
fn the_moment_of_a_repeated_request_does_not_matter() {
    let mut counter = new(&[1], 3);
    put(&mut counter, &with_id(of(1_000, 500), "a"), 5);
    for event in [of(1_000, 0), of(1_000, 1_000), of(1_000, 30_000), before(1_000, DAY), at(2_000)] {
        assert_eq!(repeat(&mut counter, &with_id(event, "a"), 5), 5);
    }
}

#[test]
fn the_same_id_with_another_amount_is_refused() {
    let mut counter = new(&[1], 3);
    put(&mut counter, &with_id(at(0), "a"), 5);
    for by in [4, 6, -5, 0, 1, MOST] {
        assert_eq!(refusal(&mut counter, &with_id(at(0), "a"), by), REUSED);
    }
    put(&mut counter, &with_id(at(0), "zero"), 0);
    assert_eq!(repeat(&mut counter, &with_id(at(0), "zero"), 0), 5);
    assert_eq!(refusal(&mut counter, &with_id(at(0), "zero"), 1), REUSED);
}

#[test]
fn ids_are_compared_as_bytes() {
    let mut counter = new(&[1], 3);
    let ids: [&[u8]; 6] = [b"a", b"A", b"a\0", b"\xff\xfe", &[b'x'; 256], &[b'x'; 255]];
    for (number, id) in ids.into_iter().enumerate() {
        put(&mut counter, &Event { request: Some(id), ..at(0) }, number as i64);
    }
    for (number, id) in ids.into_iter().enumerate() {
        assert_eq!(repeat(&mut counter, &Event { request: Some(id), ..at(0) }, number as i64), 15);
    }
    assert_eq!(counter.requests(MONDAY), 6);
}

#[test]
fn without_dedup_every_request_counts() {
    let mut counter = Counter::new(Rules { dedup: 0, ..rules(&[1], 3) }).unwrap();
    assert_eq!(put(&mut counter, &with_id(at(0), "a"), 5), 5);
    assert_eq!(put(&mut counter, &with_id(at(0), "a"), 5), 10);
    assert_eq!(put(&mut counter, &with_id(at(0), "a"), 1), 11);
    assert_eq!(counter.requests(MONDAY), 0);
}

#[test]
fn an_id_is_remembered_for_dedup_seconds() {
    let mut counter = Counter::new(Rules { dedup: 2, ..rules(&[1], 3) }).unwrap();
    put(&mut counter, &with_id(at(0), "a"), 5);
    assert_eq!(counter.requests(MONDAY + 2_000), 1);
    assert_eq!(repeat(&mut counter, &with_id(at(2_000), "a"), 5), 5);
    // A repeat does not make the id younger.
    assert_eq!(counter.requests(MONDAY + 2_001), 0);
    assert_eq!(put(&mut counter, &with_id(at(2_001), "a"), 6), 11);
    assert_eq!(repeat(&mut counter, &with_id(at(4_001), "a"), 6), 11);
    assert_eq!(counter.requests(MONDAY + 4_001), 1);
}

#[test]
fn a_request_is_as_old_as_its_write_not_as_its_event() {
    let mut counter = new(&[1], 3);
    put(&mut counter, &with_id(before(0, DAY), "a"), 5);
    assert_eq!(repeat(&mut counter, &with_id(at(600_000), "a"), 5), 5);
}

#[test]
fn a_clock_of_events_tells_how_old_a_request_is() {
    let mut counter = following(&[1], 3);
    put(&mut counter, &with_id(of(0, 0), "a"), 1);
    put(&mut counter, &of(0, 600_000), 1);
    assert_eq!(repeat(&mut counter, &with_id(of(DAY, 0), "a"), 1), 2);
    // At the moment of the event that comes with it, the id is too old.
    assert_eq!(put(&mut counter, &with_id(of(DAY, 600_001), "a"), 1), 3);
}

#[test]
fn the_id_of_a_refused_request_is_not_remembered() {
    let mut counter = new(&[1], 3);
    add(&mut counter, 0, MOST);
    refusal(&mut counter, &with_id(at(0), "a"), 1);
    refusal(&mut counter, &with_id(of(0, DAY), "b"), 1);
    assert_eq!(counter.requests(MONDAY), 0);
    put(&mut counter, &with_id(at(0), "a"), -1);
    put(&mut counter, &with_id(at(0), "b"), -1);
}

#[test]
fn a_repeat_that_would_be_out_of_range_is_a_repeat() {
    let mut counter = new(&[1], 3);
    put(&mut counter, &with_id(at(0), "a"), MOST);
    assert_eq!(repeat(&mut counter, &with_id(at(0), "a"), MOST), MOST);
}

#[test]
fn dedup_made_shorter_and_longer_again() {
    let mut counter = new(&[1], 3);
    put(&mut counter, &with_id(at(0), "a"), 1);
    put(&mut counter, &with_id(at(5_000), "b"), 1);
    alter(&mut counter, 5_000, &dedup(3));
    assert_eq!(counter.requests(MONDAY + 5_000), 1);
    alter(&mut counter, 5_000, &dedup(600));
    assert_eq!(counter.rules().dedup, 600);
    assert_eq!(counter.requests(MONDAY + 5_000), 1, "what was gone stays gone");
    assert_eq!(repeat(&mut counter, &with_id(at(5_000), "b"), 1), 2);
    assert_eq!(put(&mut counter, &with_id(at(5_000), "a"), 1), 3);
}

#[test]
fn dedup_switched_off_and_on_again() {
    let mut counter = new(&[1], 3);
    put(&mut counter, &with_id(at(1), "a"), 1);
    alter(&mut counter, 10, &dedup(0));
    assert_eq!(counter.requests(MONDAY + 10), 0);
    put(&mut counter, &with_id(at(20), "a"), 1);
    put(&mut counter, &with_id(at(20), "b"), 1);
    alter(&mut counter, 30, &dedup(600));
    assert_eq!(counter.requests(MONDAY + 30), 0);
    assert_eq!(put(&mut counter, &with_id(at(40), "b"), 1), 4);
}

#[test]
fn ids_stay_through_a_leap_that_is_put_right() {
    let mut counter = new(&[1], 3);
    put(&mut counter, &with_id(at(0), "a"), 1);
    put(&mut counter, &with_id(at(5 * MINUTE), "leap"), 1);
    assert_eq!(repeat(&mut counter, &with_id(at(1_000), "leap"), 1), 2);
    add(&mut counter, 1_000, 1);
    // For the first id, five minutes have passed. For the second one, no time has passed.
    for event in [at(1_000), at(5 * MINUTE + 1_000)] {
        assert_eq!(repeat(&mut counter, &with_id(event, "a"), 1), 3);
    }
    assert_eq!(repeat(&mut counter, &with_id(at(10 * MINUTE + 1_000), "leap"), 1), 3);
    assert_eq!(put(&mut counter, &with_id(at(5 * MINUTE + 1_001), "a"), 1), 4);
}

#[test]
fn dedup_switched_off_in_the_moment_of_a_request() {
    let mut counter = new(&[1], 3);
    let mut plain = counter.clone();
    put(&mut counter, &with_id(at(0), "a"), 1);
    put(&mut plain, &at(0), 1);
    for counter in [&mut counter, &mut plain] {
        alter(counter, 0, &dedup(0));
        assert_eq!(counter.requests(MONDAY), 0);
    }
    assert!(saved(&counter) == saved(&plain), "an id that nobody remembers is saved");
    alter(&mut counter, 0, &dedup(600));
    assert_eq!(counter.requests(MONDAY), 0, "what was gone stays gone");
    assert_eq!(put(&mut counter, &with_id(at(0), "a"), 1), 2);
}
