//! The voters of a board against sets.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

type Period = Option<(u8, i64)>;
type Sets = BTreeMap<Period, BTreeSet<u64>>;

/// What is said in so many words: sets of voters, and nothing hidden that is not gone.
#[derive(Debug, Clone, Default)]
struct Model {
    records: BTreeMap<Option<MemberId>, Sets>,
    floors: BTreeMap<u8, i64>,
}

impl Model {
    fn floor(&self, series: u8) -> i64 {
        self.floors.get(&series).copied().unwrap_or(i64::MIN)
    }

    fn keep(&mut self, keeps: impl Fn(u8, i64) -> bool) {
        for sets in self.records.values_mut() {
            sets.retain(|period, _| period.is_none_or(|(series, start)| keeps(series, start)));
        }
    }

    fn turn(&mut self, series: u8, kept: i64) {
        self.keep(|of, start| of != series || start >= kept);
        self.floors.insert(series, kept);
    }

    fn count(&mut self, voter: u64, option: MemberId, periods: &[(u8, i64)]) {
        let kept = periods.iter().filter(|(series, start)| *start >= self.floor(*series));
        let periods: Vec<Period> = kept.map(|period| Some(*period)).chain([None]).collect();
        for record in [None, Some(option)] {
            let sets = self.records.entry(record).or_default();
            periods.iter().for_each(|period| _ = sets.entry(*period).or_default().insert(voter));
        }
    }

    fn between(&self, option: Option<MemberId>, series: u8, from: i64, to: i64) -> u64 {
        let Some(sets) = self.records.get(&option).filter(|_| from <= to) else { return 0 };
        let periods = sets.range(Some((series, from))..=Some((series, to)));
        periods.flat_map(|(_, voters)| voters).collect::<BTreeSet<_>>().len() as u64
    }
}

/// A hash, the same for a voter in every test.
fn hash(voter: u64) -> u64 {
    let hash = (voter + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(23)
}

#[derive(Debug, Clone)]
enum Step {
    Vote(u64, MemberId, Vec<(u8, i64)>),
    /// So many voters for so many options from one on.
    Crowd(u64, MemberId, u32, Vec<(u8, i64)>),
    Turn(u8, i64),
    DropSeries(u8),
    Remove(MemberId),
    /// Turns the numbers of options about.
    Renumber(MemberId),
    Work,
    Reload,
}

const RANGE: std::ops::Range<i64> = -3..12;

fn periods() -> impl Strategy<Value = Vec<(u8, i64)>> {
    proptest::collection::vec((0..3_u8, RANGE), 0..4)
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..40_u64, 0..200_u32, periods()).prop_map(|(voter, id, at)| Step::Vote(voter, id, at)),
        3 => (1..8_u64, 0..200_u32, 1..90_u32, periods())
            .prop_map(|(voters, id, count, at)| Step::Crowd(voters, id, count, at)),
        4 => (0..3_u8, RANGE).prop_map(|(series, kept)| Step::Turn(series, kept)),
        1 => (0..3_u8).prop_map(Step::DropSeries),
        2 => (0..200_u32).prop_map(Step::Remove),
        1 => (0..300_u32).prop_map(Step::Renumber),
        4 => Just(Step::Work),
        1 => Just(Step::Reload),
    ]
}

fn apply(voters: &mut Voters, model: &mut Model, step: Step) {
    match step {
        Step::Vote(voter, option, periods) => {
            voters.count(hash(voter), option, &periods);
            model.count(voter, option, &periods);
        }
        Step::Crowd(crowd, from, count, periods) => {
            for (voter, option) in (0..crowd).flat_map(|voter| (0..count).map(move |at| (voter, from + at))) {
                voters.count(hash(voter * 7), option, &periods);
                model.count(voter * 7, option, &periods);
            }
        }
        Step::Turn(series, kept) => {
            voters.turn(series, kept);
            model.turn(series, kept);
        }
        Step::DropSeries(series) => {
            voters.drop_series(series);
            model.keep(|of, _| of != series);
            model.floors.insert(series, i64::MAX);
        }
        Step::Remove(option) => {
            voters.remove(option);
            model.records.remove(&Some(option));
        }
        Step::Renumber(mask) => {
            voters.renumber(|option| option ^ mask);
            let records = std::mem::take(&mut model.records).into_iter();
            model.records = records.map(|(id, sets)| (id.map(|id| id ^ mask), sets)).collect();
        }
        Step::Work => _ = voters.work(),
        Step::Reload => *voters = reload(voters, &model.floors),
    }
}

fn reload(voters: &Voters, floors: &BTreeMap<u8, i64>) -> Voters {
    let mut loaded = Voters::default();
    for option in std::iter::once(None).chain(voters.options().map(Some)) {
        for (period, bytes) in saved(voters, option) {
            loaded.restore(option, period, &bytes, 3).expect("saved a moment ago");
        }
    }
    floors.iter().for_each(|(series, kept)| loaded.turn(*series, *kept));
    loaded
}

fn saved(voters: &Voters, option: Option<MemberId>) -> Vec<(Period, Vec<u8>)> {
    let bytes = |sketch: &Sketch| {
        let mut out = Vec::new();
        sketch.save(&mut out);
        out
    };
    voters.sketches(option).map(|(period, sketch)| (period, bytes(sketch))).collect()
}

fn check(voters: &Voters, model: &Model) {
    voters.check();
    assert_eq!(voters.is_empty(), model.records.is_empty());
    assert!(voters.options().eq(model.records.keys().flatten().copied()));
    assert_eq!(voters.len(), voters.options().count());
    for (option, sets) in &model.records {
        let counts = voters.sketches(*option).map(|(period, sketch)| (period, sketch.estimate()));
        assert!(counts.eq(sets.iter().map(|(period, voters)| (*period, voters.len() as u64))));
        assert_eq!(voters.overall(*option), sets[&None].len() as u64);
    }
}

fn look(voters: &Voters, model: &Model, option: Option<MemberId>) {
    for (series, from, to) in [(0, -9, 99), (1, 3, 3), (1, 3, 6), (2, 5, 4), (2, i64::MIN, i64::MAX)] {
        assert_eq!(voters.between(option, series, from, to), model.between(option, series, from, to));
    }
    assert_eq!(voters.overall(Some(1_000_000)), 0);
    assert_eq!(option.is_none_or(|option| voters.contains(option)), voters.sketches(option).count() > 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn voters_are_sets(steps in proptest::collection::vec(step(), 0..40)) {
        let (mut voters, mut model) = (Voters::default(), Model::default());
        for step in steps {
            apply(&mut voters, &mut model, step);
            check(&voters, &model);
            let options: Vec<_> = model.records.keys().copied().take(3).collect();
            options.into_iter().for_each(|option| look(&voters, &model, option));
        }
        let mut steps = 0;
        while voters.work() {
            steps += 1;
            assert!(steps < 1000, "it never ends");
        }
        check(&voters, &model);
        for record in std::iter::once(&voters.board).chain(voters.options.values()) {
            let hidden = record.entries().iter().filter(|entry| voters.floors.hide(entry.slot)).count();
            assert_eq!(hidden, 0, "something expired was not freed");
        }
        // Nothing is left of what is gone.
        let loaded = reload(&voters, &model.floors);
        check(&loaded, &model);
        assert_eq!(loaded.used.allocations, voters.used.allocations);
    }
}

/// Many options with several periods each.
fn big(options: u32, periods: i64) -> Voters {
    let mut voters = Voters::default();
    for (option, start) in (0..options).flat_map(|option| (0..periods).map(move |start| (option, start))) {
        voters.count(hash(start as u64), option, &[(0, start), (1, -start)]);
    }
    voters
}

#[test]
fn what_expires_on_a_big_board_is_freed_in_steps() {
    let mut voters = big(500, 10);
    assert!(voters.is_big());
    voters.turn(0, 0);
    let before = voters.memory();
    voters.turn(0, 10);
    assert_eq!(voters.between(Some(3), 0, 0, 20), 0);
    assert_eq!(voters.between(Some(3), 1, -9, 0), 10);
    assert_eq!(voters.memory(), before);
    let mut steps = 1;
    while voters.work() {
        steps += 1;
        voters.check();
    }
    assert!((50..200).contains(&steps), "{steps}");
    assert!(voters.memory() < before * 2 / 3);
    assert!(!voters.work());
    // Nothing has expired: no round.
    voters.turn(0, 11);
    voters.turn(2, 11);
    assert!(!voters.work());
}

#[test]
fn a_round_is_followed_by_another_where_more_expires_meanwhile() {
    let mut voters = big(500, 10);
    voters.turn(0, 5);
    assert!(voters.work());
    voters.turn(1, -3);
    while voters.work() {}
    assert!(voters.options.values().all(|record| record.len() == 1 + 5 + 4));
}

#[test]
fn a_list_longer_than_a_step_is_freed_too() {
    let mut voters = big(70, 1500);
    voters.turn(1, 0);
    voters.turn(0, 1499);
    let mut steps = 0;
    while voters.work() {
        steps += 1;
        assert!(steps < 10_000);
    }
    assert!(steps > 70);
    assert!(voters.options.values().chain([&voters.board]).all(|record| record.len() == 3));
}

#[test]
fn small_boards_free_at_once_what_expires() {
    let mut voters = big(20, 10);
    assert!(!voters.is_big());
    voters.turn(0, 8);
    assert!(voters.options.values().all(|record| record.len() == 1 + 2 + 10));
    assert!(!voters.work());
}

#[test]
fn what_expired_begins_anew_where_a_clock_is_put_back() {
    for options in [3, 300] {
        let mut voters = big(options, 10);
        voters.turn(0, 9);
        voters.turn(0, 2);
        assert_eq!((2..10).map(|start| voters.between(Some(2), 0, start, start)).sum::<u64>(), 1);
        voters.count(hash(77), 2, &[(0, 4), (0, 1)]);
        assert_eq!(voters.between(Some(2), 0, 0, 8), 1);
        assert_eq!(voters.between(None, 0, 0, 9), 2);
    }
}

/// Moves everything, and wants a pause after each step.
struct Restless(usize);

impl Mover for Restless {
    fn relocate<T>(&mut self, item: Box<T>) -> Box<T> {
        self.0 += 1;
        item
    }
    fn relocate_slice<T>(&mut self, items: Box<[T]>) -> Box<[T]> {
        items
    }
    fn relocate_vec<T>(&mut self, items: Vec<T>) -> Vec<T> {
        self.0 += usize::from(items.capacity() > 0);
        let mut moved = Vec::with_capacity(items.capacity());
        moved.extend(items);
        moved
    }
    fn pause(&mut self) -> bool {
        true
    }
}

#[test]
fn all_memory_can_be_moved() {
    let mut voters = big(20, 10);
    (0..2000).for_each(|voter| voters.count(hash(voter), MemberId::MAX, &[(2, 1)]));
    let (mut mover, mut at, mut steps) = (Restless(0), Some(0), 0);
    while let Some(from) = at {
        at = voters.relocate(from, &mut mover);
        steps += 1;
    }
    voters.check();
    assert_eq!((steps, mover.0), (1 + voters.len(), voters.used.allocations));
    assert_eq!(voters.overall(Some(7)), 10);
}

#[test]
fn what_cannot_be_is_not_restored() {
    let voter = [0; 4];
    let mut voters = Voters::default();
    voters.restore(None, None, &voter, 5).expect("the board's");
    voters.restore(None, Some((1, 7)), &voter, 5).expect("a later slot");
    voters.restore(Some(3), None, &voter, 5).expect("an option's");
    let mut refuse = |option, period, bytes: &[u8], series| {
        assert!(voters.restore(option, period, bytes, series).is_err());
        voters.check();
        assert_eq!(voters.len(), 1);
    };
    refuse(None, None, &voter, 5);
    refuse(None, Some((1, 7)), &voter, 5);
    refuse(None, Some((1, 6)), &voter, 5);
    refuse(None, Some((0, 8)), &voter, 5);
    refuse(None, Some((5, 8)), &voter, 5);
    refuse(None, Some((32, 8)), &voter, 255);
    refuse(None, Some((2, i64::MAX)), &voter, 5);
    refuse(None, Some((2, i64::MIN)), &voter, 5);
    refuse(None, Some((2, 8)), &[], 5);
    refuse(None, Some((2, 8)), &[0; 5], 5);
    refuse(Some(4), Some((2, 8)), &voter, 5);
    refuse(Some(4), None, &[], 5);
    refuse(Some(4), None, &[63, 0, 0, 0], 5);
    voters.restore(None, Some((31, -8)), &voter, 255).expect("the last series");
}

#[test]
fn series_that_cannot_be_are_left_out() {
    let mut voters = Voters::default();
    voters.turn(SERIES, 3);
    voters.count(hash(1), 1, &[(SERIES, 5), (255, 5), (31, i64::MAX), (31, i64::MIN)]);
    voters.drop_series(255);
    assert_eq!(voters.sketches(None).count(), 3);
    assert_eq!(voters.between(None, SERIES, 0, 9), 0);
    assert_eq!(voters.between(None, 255, i64::MIN, i64::MAX), 0);
    assert_eq!(voters.between(None, 31, i64::MIN, i64::MAX), 1);
}
