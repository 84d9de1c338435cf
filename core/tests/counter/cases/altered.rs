//! Counters whose rules are changed.

use super::*;

const ADD: Edit = Edit::Add;
const DROP: Edit = Edit::Drop;

#[test]
fn a_precision_that_is_added_begins_empty() {
    let mut counter = new(&[60], 3);
    add(&mut counter, 500, 5);
    alter(&mut counter, 700, &precisions(&[(1, ADD)]));
    assert_eq!(counter.rules().precisions, [1, 60]);
    assert_eq!(look(&counter, 700, 1), []);
    add(&mut counter, 900, 2);
    assert_eq!(look(&counter, 900, 1), [(0, 2)], "not what the slice had counted before");
    assert_eq!(look(&counter, 900, 60), [(0, 7)]);
    assert_eq!(counter.total(), 7);
}

#[test]
fn late_events_count_in_a_precision_that_was_added() {
    let mut counter = new(&[60], 3);
    add(&mut counter, 2_500, 5);
    alter(&mut counter, 2_500, &precisions(&[(1, ADD)]));
    put(&mut counter, &of(2_500, 0), 1);
    put(&mut counter, &of(2_500, 1_999), 2);
    put(&mut counter, &before(2_500, 1), 4);
    assert_eq!(look(&counter, 2_500, 1), [(0, 1), (1_000, 2)]);
    assert_eq!(look(&counter, 2_500, 60), [(-60_000, 4), (0, 8)]);
}

#[test]
fn a_precision_that_is_dropped_is_not_kept() {
    let mut counter = new(&[1, 5, 60], 3);
    add(&mut counter, 0, 1);
    alter(&mut counter, 0, &precisions(&[(5, DROP)]));
    assert_eq!(counter.rules().precisions, [1, 60]);
    let error = counter.read(5, Range::default(), MONDAY).unwrap_err();
    assert_eq!(error.to_string(), "precision 5 is not kept by this counter");
    add(&mut counter, 500, 1);
    assert_eq!(look(&counter, 500, 1), [(0, 2)]);
    assert_eq!(look(&counter, 500, 60), [(0, 2)]);
}

#[test]
fn a_precision_that_is_dropped_and_added_again_begins_empty() {
    let mut counter = new(&[1, 60], 3);
    add(&mut counter, 0, 1);
    alter(&mut counter, 0, &precisions(&[(1, DROP)]));
    alter(&mut counter, 0, &precisions(&[(1, ADD)]));
    assert_eq!(look(&counter, 0, 1), []);
    assert_eq!(look(&counter, 0, 60), [(0, 1)]);
    add(&mut counter, 100, 4);
    assert_eq!(look(&counter, 100, 1), [(0, 4)]);
}

#[test]
fn several_precisions_at_once() {
    let mut counter = new(&[1, 60], 3);
    add(&mut counter, 0, 1);
    alter(&mut counter, 0, &precisions(&[(300, ADD), (1, DROP), (5, ADD)]));
    assert_eq!(counter.rules().precisions, [5, 60, 300]);
    add(&mut counter, 0, 2);
    let counts = [5, 60, 300].map(|precision| look(&counter, 0, precision)[0].1);
    assert_eq!(counts, [2, 3, 2]);
}

#[test]
fn all_precisions_may_be_replaced() {
    let mut counter = new(&[1], 3);
    add(&mut counter, 0, 1);
    alter(&mut counter, 0, &precisions(&[(1, DROP), (2, ADD)]));
    alter(&mut counter, 0, &precisions(&[(3, ADD), (2, DROP)]));
    assert_eq!((counter.rules().precisions.clone(), look(&counter, 0, 3)), (vec![3], vec![]));
}

/// Tries an alteration that must fail and change nothing. Returns the text of the error.
fn is_refused(counter: &Counter, change: &Alter) -> String {
    let mut copy = counter.clone();
    let error = copy.alter(change, MONDAY + DAY).unwrap_err();
    assert!(saved(&copy) == saved(counter), "refused, but changed: {change:?}");
    assert_eq!(copy.rules().precisions, counter.rules().precisions);
    assert_eq!(look(&copy, 0, 1), look(counter, 0, 1));
    error.to_string()
}

#[test]
fn precisions_that_cannot_be_added_or_dropped() {
    let mut counter = new(&[1, 60], 3);
    add(&mut counter, 0, 1);
    let refused: &[&[(u32, Edit)]] = &[
        &[(1, ADD)],
        &[(60, ADD)],
        &[(7, DROP)],
        &[(7, ADD), (60, ADD)],
        &[(7, ADD), (8, DROP)],
        &[(7, ADD), (7, ADD)],
        &[(7, ADD), (7, DROP)],
        &[(60, DROP), (60, DROP)],
        &[(60, DROP), (60, ADD)],
        &[(1, DROP), (60, DROP)],
        &[(0, ADD)],
        &[(0, DROP)],
        &[(315_360_001, ADD)],
        &[(u32::MAX, ADD)],
    ];
    for edits in refused {
        is_refused(&counter, &precisions(edits));
    }
    alter(&mut counter, 0, &precisions(&[(315_360_000, ADD)]));
    assert_eq!(counter.rules().precisions, [1, 60, 315_360_000]);
}

#[test]
fn more_precisions_than_there_may_be() {
    let many: Vec<u32> = (1..=MAX_PRECISIONS as u32).collect();
    let mut counter = new(&many, 3);
    add(&mut counter, 0, 1);
    is_refused(&counter, &precisions(&[(17, ADD)]));
    is_refused(&counter, &precisions(&[(17, ADD), (2, DROP), (18, ADD)]));
    // Only the number of precisions after all edits counts.
    alter(&mut counter, 0, &precisions(&[(17, ADD), (2, DROP)]));
    assert_eq!(counter.rules().precisions.len(), MAX_PRECISIONS);
    assert_eq!((look(&counter, 0, 1), look(&counter, 0, 17)), (vec![(0, 1)], vec![]));
    let edits: Vec<_> = (1..=17).filter(|number| *number != 2).map(|number| (number, DROP)).collect();
    is_refused(&counter, &precisions(&edits));
    alter(&mut counter, 0, &precisions(&edits[..15]));
    assert_eq!(counter.rules().precisions, [17]);
}

#[test]
fn numbers_out_of_range() {
    let mut counter = new(&[1], 3);
    add(&mut counter, 0, 1);
    assert_eq!(is_refused(&counter, &samples(0)), "SAMPLES is out of range");
    assert_eq!(is_refused(&counter, &samples(MAX_SAMPLES + 1)), "SAMPLES is out of range");
    assert_eq!(is_refused(&counter, &dedup(315_360_001)), "DEDUP is out of range");
    let half = Alter { samples: Some(5), ..precisions(&[(1, ADD)]) };
    is_refused(&counter, &half);
    is_refused(&counter, &Alter { dedup: Some(u32::MAX), ..samples(5) });
    alter(&mut counter, 0, &Alter { dedup: Some(315_360_000), ..samples(MAX_SAMPLES) });
    assert_eq!((counter.rules().samples, counter.rules().dedup), (10_000, 315_360_000));
    assert_eq!(look(&counter, 0, 1), [(0, 1)]);
}

#[test]
fn fewer_samples_drop_the_oldest_at_once() {
    let mut counter = new(&[1, 5], 5);
    add_all(&mut counter, &[0, 1_000, 2_000, 3_000, 4_000]);
    alter(&mut counter, 4_000, &samples(2));
    assert_eq!(look(&counter, 4_000, 1), [(3_000, 1), (4_000, 1)]);
    assert_eq!(look(&counter, 4_000, 5), [(0, 5)]);
    alter(&mut counter, 4_000, &samples(5));
    assert_eq!(look(&counter, 4_000, 1), [(3_000, 1), (4_000, 1)], "what was gone stays gone");
    assert_eq!(counter.total(), 5);
}

#[test]
fn more_samples_keep_more_from_now_on() {
    let mut counter = new(&[1], 2);
    add_all(&mut counter, &[0, 1_000, 2_000]);
    alter(&mut counter, 2_000, &samples(4));
    assert_eq!(look(&counter, 2_000, 1), [(1_000, 1), (2_000, 1)]);
    add_all(&mut counter, &[3_000, 4_000]);
    assert_eq!(look(&counter, 4_000, 1), [(1_000, 1), (2_000, 1), (3_000, 1), (4_000, 1)]);
    assert_eq!(look(&counter, 5_000, 1), [(2_000, 1), (3_000, 1), (4_000, 1)]);
}

#[test]
fn late_events_count_in_slices_that_more_samples_keep() {
    let mut counter = new(&[1], 1);
    add_all(&mut counter, &[0, 3_000]);
    alter(&mut counter, 3_000, &samples(4));
    put(&mut counter, &of(3_000, 0), 5);
    assert_eq!(look(&counter, 3_000, 1), [(0, 5), (3_000, 1)]);
}

#[test]
fn what_time_took_away_stays_gone() {
    let mut counter = new(&[1], 3);
    add_all(&mut counter, &[0, 1_000, 2_000]);
    // The alteration is two slices later, and there is no write in between.
    alter(&mut counter, 4_000, &samples(100));
    assert_eq!(look(&counter, 4_000, 1), [(2_000, 1)]);
    let filled = get(&counter, 4_000, 1, range(Some(0), None, true));
    assert_eq!(filled, [(0, 0), (1_000, 0), (2_000, 1)]);
}

#[test]
fn an_alteration_during_a_leap_drops_what_is_gone_then() {
    let mut counter = new(&[1, 60], 3);
    add(&mut counter, 0, 1);
    alter(&mut counter, 2 * MINUTE, &precisions(&[(5, ADD)]));
    alter(&mut counter, 2 * MINUTE, &samples(1_000));
    assert_eq!(look(&counter, 2 * MINUTE, 1), []);
    assert_eq!(look(&counter, 2 * MINUTE, 60), [(0, 1)]);
}

#[test]
fn an_alteration_of_a_clock_of_events_is_as_of_its_last_event() {
    let mut counter = following(&[1], 3);
    for event in [0, 1_000, 2_000] {
        put(&mut counter, &of(0, event), 1);
    }
    alter(&mut counter, DAY, &samples(5));
    assert_eq!(look(&counter, 0, 1), [(0, 1), (1_000, 1), (2_000, 1)]);
    alter(&mut counter, DAY, &samples(2));
    assert_eq!(look(&counter, 0, 1), [(1_000, 1), (2_000, 1)]);
}

#[test]
fn everything_else_stays() {
    let mut counter = new(&[1, 60], 3);
    put(&mut counter, &with_id(at(0), "a"), 5);
    let change = Alter { precisions: vec![(5, ADD), (60, DROP)], samples: Some(7), dedup: Some(900) };
    alter(&mut counter, 500, &change);
    let rules = counter.rules();
    assert_eq!((&rules.precisions[..], rules.samples, rules.dedup), (&[1, 5][..], 7, 900));
    assert_eq!(rules.clock, Clock::Server);
    assert_eq!((counter.total(), counter.requests(MONDAY + 500)), (5, 1));
    assert_eq!(look(&counter, 500, 1), [(0, 5)]);
    assert_eq!(repeat(&mut counter, &with_id(at(600), "a"), 5), 5);
}

#[test]
fn altered_before_anything_was_counted() {
    let mut counter = new(&[1], 3);
    alter(&mut counter, 0, &Alter { samples: Some(2), ..precisions(&[(1, DROP), (5, ADD)]) });
    add_all(&mut counter, &[0, 5_000]);
    assert_eq!(look(&counter, 5_000, 5), [(0, 1), (5_000, 1)]);
    assert_eq!(look(&counter, 10_000, 5), [(5_000, 1)]);
}

#[test]
fn samples_up_and_down_many_times() {
    let mut counter = new(&[1], 1);
    for turn in 0..40_u64 {
        let count = [1, 2, 3, 7, 64, 5][turn as usize % 6];
        alter(&mut counter, turn * 1_000, &samples(count));
        add(&mut counter, turn * 1_000, turn as i64 + 1);
        let shown = look(&counter, turn * 1_000, 1);
        assert_eq!(shown.last(), Some(&(turn as i64 * 1_000, turn as i64 + 1)));
        assert!(shown.len() <= count as usize);
    }
    // From turn 36 to turn 37, the counter kept one sample, so the earlier counts are gone.
    assert_eq!(look(&counter, 39_000, 1), [(37_000, 38), (38_000, 39), (39_000, 40)]);
}

#[test]
fn an_alteration_is_a_write_of_its_moment() {
    let mut counter = new(&[1, 60], 3);
    add(&mut counter, 0, 1);
    add(&mut counter, HOUR, 2);
    // The clock is corrected. The alteration drops the slices of the leap, as any other write does.
    alter(&mut counter, 1_000, &dedup(300));
    assert_eq!(look(&counter, HOUR, 1), []);
    assert_eq!(look(&counter, HOUR, 60), []);
    // The alteration has moved the counter's clock, so a clock that is behind it stands still.
    alter(&mut counter, 30_000, &dedup(600));
    assert_eq!(counter.now_of(client(10_000)), MONDAY + 30_000);
    assert_eq!(counter.total(), 3);
}

#[test]
fn nothing_to_alter() {
    let mut counter = new(&[1], 3);
    add_all(&mut counter, &[0, 1_000]);
    // Each command names at least one option, so no command makes this call.
    let _ = counter.alter(&Alter::default(), MONDAY + 1_000);
    assert_eq!(look(&counter, 1_000, 1), [(0, 1), (1_000, 1)]);
    assert_eq!((counter.rules().samples, counter.rules().dedup), (3, 600));
}
