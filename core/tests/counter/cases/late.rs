//! Events whose moment is not now.

use super::*;

#[test]
fn a_late_event_counts_where_its_slice_is_kept() {
    let mut counter = new(&[1, 5, 60], 3);
    add(&mut counter, 30_000, 1);
    put(&mut counter, &of(30_000, 22_000), 10);
    assert_eq!(look(&counter, 30_000, 1), [(30_000, 1)]);
    assert_eq!(look(&counter, 30_000, 5), [(20_000, 10), (30_000, 1)]);
    assert_eq!(look(&counter, 30_000, 60), [(0, 11)]);
    assert_eq!(counter.total(), 11);
}

#[test]
fn too_late_for_all_counts_in_the_total_only() {
    let mut counter = new(&[1, 5], 3);
    add(&mut counter, 30_000, 1);
    assert_eq!(put(&mut counter, &of(30_000, 0), 4), 5);
    assert_eq!(put(&mut counter, &Event { at: Some(0), ..at(30_000) }, 4), 9);
    assert_eq!(look(&counter, 30_000, 1), [(30_000, 1)]);
    assert_eq!(look(&counter, 30_000, 5), [(30_000, 1)]);
}

#[test]
fn the_oldest_moment_that_still_counts() {
    let mut counter = new(&[5], 3);
    add(&mut counter, 12_345, 1);
    put(&mut counter, &of(12_345, 0), 2);
    put(&mut counter, &before(12_345, 1), 4);
    assert_eq!(look(&counter, 12_345, 5), [(0, 2), (10_000, 1)]);
    // One slice later.
    put(&mut counter, &of(15_000, 4_999), 8);
    put(&mut counter, &of(15_000, 5_000), 16);
    assert_eq!(look(&counter, 15_000, 5), [(5_000, 16), (10_000, 1)]);
    assert_eq!(counter.total(), 31);
}

#[test]
fn late_is_as_of_the_now_of_the_write() {
    let mut counter = new(&[1], 3);
    add(&mut counter, 0, 1);
    // At the moment of the earlier write, the counter still kept this slice.
    put(&mut counter, &of(10_000, 500), 1);
    assert_eq!(look(&counter, 10_000, 1), []);
    // After a late event, now is still the time of the clock.
    assert_eq!(counter.last(), MONDAY + 10_000);
    assert_eq!(look(&counter, 0, 1), []);
}

#[test]
fn late_events_stand_in_the_order_of_time() {
    let mut counter = new(&[1], 10);
    for event in [5_000, 2_000, 7_000, 0, 5_999] {
        put(&mut counter, &of(9_000, event), 1);
    }
    assert_eq!(look(&counter, 9_000, 1), [(0, 1), (2_000, 1), (5_000, 2), (7_000, 1)]);
}

#[test]
fn a_late_first_event() {
    let mut counter = new(&[1, 60], 3);
    put(&mut counter, &of(2_500, 0), 1);
    assert_eq!(look(&counter, 2_500, 1), [(0, 1)]);
    assert_eq!(look(&counter, 2_500, 60), [(0, 1)]);
    let mut counter = new(&[1, 60], 3);
    put(&mut counter, &of(3_000, 0), 1);
    assert_eq!((look(&counter, 3_000, 1), look(&counter, 3_000, 60)), (vec![], vec![(0, 1)]));
}

#[test]
fn a_little_ahead_counts_as_now() {
    let mut counter = new(&[1], 100);
    for event in [5_000, 5_001, 5_000 + MAX_FUTURE] {
        let increase = counter.increase(&of(5_000, event), 1).unwrap();
        let now = MONDAY + 5_000;
        assert_eq!(increase.effect, Effect::Applied(Stamp { now, at: now }));
    }
    assert_eq!(look(&counter, 5_000, 1), [(5_000, 3)]);
    assert_eq!(counter.last(), MONDAY + 5_000);
}

#[test]
fn far_ahead_is_refused() {
    let mut counter = new(&[1], 100);
    add(&mut counter, 0, 1);
    let text = refusal(&mut counter, &of(5_000, 5_001 + MAX_FUTURE), 1);
    assert_eq!(text, "AT is too far in the future (max-future-ms)");
    assert_eq!((counter.total(), counter.last()), (1, MONDAY));
}

#[test]
fn what_is_applied_says_when() {
    let mut counter = new(&[1], 3);
    let stamp = |now, at| Effect::Applied(Stamp { now: MONDAY + now, at: MONDAY + at });
    assert_eq!(counter.increase(&at(5_000), 1), Ok(Increase { effect: stamp(5_000, 5_000), total: 1 }));
    assert_eq!(counter.increase(&of(6_000, 10), 1), Ok(Increase { effect: stamp(6_000, 10), total: 2 }));
}
