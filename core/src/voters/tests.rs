//! Compares the voters of a board with sets.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

mod model;

use proptest::prelude::*;

use super::*;
use crate::mover::tests::Restless;
use model::{Model, apply, batch, check, hash, in_time, look, reload, step, window};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn voters_are_sets(steps in proptest::collection::vec(step(), 0..40)) {
        let (mut voters, mut model) = (Voters::default(), Model::default());
        for step in steps {
            apply(&mut voters, &mut model, step);
            check(&voters, &model);
            let candidates: Vec<_> = model.records.keys().copied().take(3).collect();
            candidates.into_iter().for_each(|candidate| look(&voters, &model, candidate));
        }
        let mut steps = 0;
        while voters.work() {
            steps += 1;
            assert!(steps < 1000, "it never ends");
        }
        check(&voters, &model);
        for record in std::iter::once(&voters.board).chain(voters.candidates.values()) {
            let hidden = record.entries().iter().filter(|entry| voters.floors.has_expired(entry.slot)).count();
            assert_eq!(hidden, 0, "something expired was not freed");
        }
        // A loaded copy contains no data that was removed.
        let loaded = reload(&voters, &model.floors);
        check(&loaded, &model);
        assert_eq!(loaded.footprint.allocations, voters.footprint.allocations);
    }
}

/// Returns the voters of many candidates with several periods each.
fn big(candidates: u32, periods: i64) -> Voters {
    let mut voters = Voters::default();
    for (candidate, start) in
        (0..candidates).flat_map(|candidate| (0..periods).map(move |start| (candidate, start)))
    {
        voters.count(hash(start as u64), candidate, &[in_time(0, start), in_time(1, -start)]);
    }
    voters
}

#[test]
fn what_expires_on_a_big_board_is_freed_in_steps() {
    let mut voters = big(500, 10);
    assert!(voters.is_big());
    voters.expire_before(0, 0);
    let before = voters.memory();
    voters.expire_before(0, 10_000);
    assert_eq!(voters.within(Some(3), 0, &window(0, 20), false).estimate(), 0);
    assert_eq!(voters.within(Some(3), 1, &window(-9, 0), false).estimate(), 10);
    assert_eq!(voters.memory(), before);
    let mut steps = 1;
    while voters.work() {
        steps += 1;
        voters.check();
    }
    assert!((50..200).contains(&steps), "{steps}");
    assert!(voters.memory() < before * 2 / 3);
    assert!(!voters.work());
    // No period has expired, so no round of freeing begins.
    voters.expire_before(0, 11_000);
    voters.expire_before(2, 11_000);
    assert!(!voters.work());
}

#[test]
fn a_round_is_followed_by_another_where_more_expires_meanwhile() {
    let mut voters = big(500, 10);
    voters.expire_before(0, 5_000);
    assert!(voters.work());
    voters.expire_before(1, -3_000);
    while voters.work() {}
    assert!(voters.candidates.values().all(|record| record.len() == 1 + 5 + 4));
}

#[test]
fn a_list_longer_than_a_step_is_freed_too() {
    let mut voters = big(70, 1500);
    voters.expire_before(1, 0);
    voters.expire_before(0, 1_499_000);
    let mut steps = 0;
    while voters.work() {
        steps += 1;
        assert!(steps < 10_000);
    }
    assert!(steps > 70);
    assert!(voters.candidates.values().chain([&voters.board]).all(|record| record.len() == 3));
}

#[test]
fn small_boards_free_at_once_what_expires() {
    let mut voters = big(20, 10);
    assert!(!voters.is_big());
    voters.expire_before(0, 8_000);
    assert!(voters.candidates.values().all(|record| record.len() == 1 + 2 + 10));
    assert!(!voters.work());
}

#[test]
fn what_expired_begins_anew_where_a_clock_is_put_back() {
    for candidates in [3, 300] {
        let mut voters = big(candidates, 10);
        voters.expire_before(0, 9_000);
        voters.expire_before(0, 2_000);
        let alone = |period| voters.within(Some(2), 0, &window(period, period), true).estimate();
        assert_eq!((2..10).map(alone).sum::<u64>(), 1);
        voters.count(hash(77), 2, &[in_time(0, 4), in_time(0, 1)]);
        assert_eq!(voters.within(Some(2), 0, &window(0, 8), true).estimate(), 1);
        assert_eq!(voters.within(None, 0, &window(0, 9), true).estimate(), 2);
    }
}

#[test]
fn all_memory_can_be_moved() {
    let mut voters = big(20, 10);
    (0..2000).for_each(|voter| voters.count(hash(voter), MemberId::MAX, &[in_time(2, 1)]));
    let (mut mover, mut at, mut steps) = (Restless::default(), Some(0), 0);
    while let Some(from) = at {
        at = Relocation::run(from, &mut mover, |walk| voters.relocate(walk));
        steps += 1;
    }
    voters.check();
    assert_eq!((steps, mover.0), (1 + voters.len(), voters.footprint.allocations));
    assert_eq!(voters.overall(Some(7)).estimate(), 10);
}

#[test]
fn a_late_vote_counts_from_the_period_on_in_which_it_came() {
    let mut voters = Voters::default();
    voters.count(hash(1), 7, &[in_time(0, 1)]);
    voters.count(hash(2), 7, &[batch(0, 1, 2)]);
    for candidate in [None, Some(7)] {
        let ended = |from, to| voters.within(candidate, 0, &window(from, to), true).estimate();
        assert_eq!([ended(1, 1), ended(0, 2), ended(1, 3), ended(2, 3)], [1, 1, 2, 0]);
        assert_eq!(voters.within(candidate, 0, &window(1, 2), false).estimate(), 2);
    }
    // The second period is current again, after the clock was ahead and was put back.
    voters.follow_clock_back(0, &window(1, 2));
    voters.check();
    assert_eq!(voters.within(None, 0, &window(1, 2), true).estimate(), 2);
    assert_eq!(voters.within(None, 0, &window(0, 1), true).estimate(), 1);
    voters.follow_clock_back(0, &window(-2, -1));
    assert_eq!(voters.sketches(None).count(), 2, "one of all time, one of the period ahead");
}

#[test]
fn a_window_tells_how_late_votes_can_be() {
    let window = window(-1, 2);
    assert_eq!(
        [-5, -1, 0, 1, 2, 3].map(|period| window.periods_after(period * 1000)),
        [u16::MAX, 3, 2, 1, 0, 0]
    );
    assert_eq!((window.last(), window.memory()), (Some(2_000), 32));
    assert_eq!((PeriodWindow::default().periods_after(0), PeriodWindow::default().memory()), (u16::MAX, 0));
}

#[test]
fn what_cannot_be_is_not_restored() {
    let voter = [0; 4];
    let of = |series, start, late| Some(VoteBatch { series, start, late });
    let mut voters = Voters::default();
    voters.restore(&[(None, None, &voter)], 5).expect("the board's");
    voters.restore(&[(None, of(1, 7, 2), &voter)], 5).expect("a later slot");
    voters.restore(&[(Some(3), None, &voter)], 5).expect("an option's");
    let mut refuse = |candidate, batch, bytes: &[u8], series| {
        // A valid sketch in the same chunk must not be restored either.
        let saved = [(Some(9), None, &voter[..]), (candidate, batch, bytes)];
        assert!(voters.restore(&saved, series).is_err());
        voters.check();
        assert_eq!(voters.len(), 1);
    };
    refuse(None, None, &voter, 5);
    refuse(None, of(1, 7, 2), &voter, 5);
    refuse(None, of(1, 7, 1), &voter, 5);
    refuse(None, of(1, 6, 3), &voter, 5);
    refuse(None, of(0, 8, 0), &voter, 5);
    refuse(None, of(5, 8, 0), &voter, 5);
    refuse(None, of(32, 8, 0), &voter, 255);
    refuse(None, of(2, i64::MAX, 0), &voter, 5);
    refuse(None, of(2, i64::MIN, 0), &voter, 5);
    refuse(None, of(2, 8, 512), &voter, 5);
    refuse(None, of(2, 8, 0), &[], 5);
    refuse(None, of(2, 8, 0), &[0; 5], 5);
    refuse(Some(4), of(2, 8, 0), &voter, 5);
    refuse(Some(4), None, &[], 5);
    refuse(Some(4), None, &[63, 0, 0, 0], 5);
    voters.restore(&[(None, of(31, -8, 511), &voter)], 255).expect("the last series");
}

#[test]
fn series_that_cannot_be_are_left_out() {
    let mut voters = Voters::default();
    voters.expire_before(SERIES, 3);
    let of = |series, start| VoteBatch { series, start, late: 0 };
    voters.count(hash(1), 1, &[of(SERIES, 5), of(255, 5), of(31, i64::MAX), of(31, i64::MIN)]);
    voters.drop_series(255);
    assert_eq!(voters.sketches(None).count(), 3);
    assert_eq!(voters.within(None, SERIES, &window(-9, 9), false).estimate(), 0);
    assert_eq!(voters.within(None, 255, &window(-9, 9), false).estimate(), 0);
    assert_eq!(voters.within(None, 31, &window(-9, 9), false).estimate(), 0);
    assert_eq!(voters.within(None, 31, &PeriodWindow::default(), false).estimate(), 0);
}
