//! Compares buckets with a map.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::members::MAX_SEQUENCE;
use crate::mover::tests::walk_all;
use crate::time::MAX_MILLIS;

type Model = BTreeMap<MemberId, Points>;

/// Returns points. Every third moment has the number of a write; the other moments have the number 0.
const fn points(units: i64, moment: Millis) -> Points {
    let sequence = if moment.is_multiple_of(3) { moment.wrapping_mul(0x9e37_79b9) >> 17 } else { 0 };
    Points { units, moment, sequence: sequence % (MAX_SEQUENCE + 1) }
}

fn check(bucket: &Bucket, model: &Model) {
    bucket.check();
    assert_eq!(bucket.len(), model.len());
    assert_eq!(bucket.is_empty(), model.is_empty());
    assert!(bucket.iter().eq(model.iter().map(|(id, points)| (*id, *points))));
}

fn look(bucket: &Bucket, model: &Model, id: MemberId) {
    bucket.prefetch(id);
    assert_eq!(bucket.get(id), model.get(&id).copied());
    assert_eq!(bucket.contains(id), model.contains_key(&id));
}

#[derive(Debug, Clone)]
enum Step {
    Set(MemberId, Points),
    Remove(MemberId),
    /// Sets the points of several members, from an id on, so that blocks and lists are split.
    Run(MemberId, u32, u16, bool),
    /// Keeps one of each group of this number of members, and removes the other members.
    Thin(usize),
    /// Removes this number of members, from an id on.
    Cut(MemberId, u16),
    Clone,
    Rebuild,
    Drain,
}

fn ids() -> impl Strategy<Value = MemberId> {
    prop_oneof![
        0..200_u32,
        0..200_000_u32,
        any::<u32>(),
        Just(u32::MAX),
        (0..300_u32).prop_map(|n| u32::MAX - n)
    ]
}

fn units() -> impl Strategy<Value = i64> {
    prop_oneof![Just(0), 1..50_000_i64, any::<i64>(), Just(i64::MIN + 1), Just(i64::MIN), Just(i64::MAX)]
}

fn moments() -> impl Strategy<Value = Millis> {
    prop_oneof![Just(0), 1_790_000_000_000..1_790_086_400_000_u64, 0..=MAX_MILLIS, Just(MAX_MILLIS)]
}

/// Generates random steps. `run` is the greatest length of runs and cuts.
fn steps(run: u16, steps: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        12 => (ids(), units(), moments()).prop_map(|(id, units, moment)| Step::Set(id, points(units, moment))),
        6 => ids().prop_map(Step::Remove),
        3 => (ids(), 1..2_000_u32, 1..run, any::<bool>())
            .prop_map(|(id, step, count, up)| Step::Run(id, step, count, up)),
        1 => (2..40_usize).prop_map(Step::Thin),
        1 => (ids(), 1..run).prop_map(|(id, count)| Step::Cut(id, count)),
        1 => Just(Step::Clone),
        1 => Just(Step::Rebuild),
        1 => Just(Step::Drain),
    ];
    proptest::collection::vec(step, 0..steps)
}

fn remove(bucket: &mut Bucket, model: &mut Model, id: MemberId) {
    assert!(bucket.remove(id));
    assert!(!bucket.remove(id));
    model.remove(&id);
}

fn apply(bucket: &mut Bucket, model: &mut Model, step: Step) {
    match step {
        Step::Set(id, points) => {
            bucket.set(id, points);
            model.insert(id, points);
            look(bucket, model, id);
            look(bucket, model, id.wrapping_add(1));
        }
        Step::Remove(id) => {
            // If the member has no points, the next member that has points is used.
            let id = model.range(id..).next().map_or(id, |(id, _)| *id);
            assert_eq!(bucket.remove(id), model.remove(&id).is_some());
            look(bucket, model, id);
        }
        Step::Run(from, step, count, up) => {
            for number in 0..u32::from(count) {
                let number = if up { number } else { u32::from(count) - number };
                let (id, points) = (from.wrapping_add(number * step), points(number.into(), 0));
                bucket.set(id, points);
                model.insert(id, points);
            }
        }
        Step::Thin(keep) => {
            let ids: Vec<_> = model.keys().copied().enumerate().filter(|(n, _)| n % keep != 0).collect();
            ids.iter().for_each(|(_, id)| remove(bucket, model, *id));
        }
        Step::Cut(from, count) => {
            let ids: Vec<_> = model.range(from..).map(|(id, _)| *id).take(count.into()).collect();
            ids.iter().for_each(|id| remove(bucket, model, *id));
        }
        Step::Clone => *bucket = bucket.clone(),
        Step::Rebuild => *bucket = Bucket::of(&bucket.iter().collect::<Vec<_>>()),
        Step::Drain => {
            let mut taken = Vec::new();
            assert_eq!(bucket.drain_some(&mut taken), !model.is_empty());
            let kept = model.len() - taken.len();
            assert!(taken.iter().eq(model.keys().skip(kept)), "not the last ones");
            taken.iter().for_each(|id| _ = model.remove(id));
        }
    }
}

fn play(steps: Vec<Step>) {
    let (mut bucket, mut model) = (Bucket::new(), Model::new());
    for step in steps {
        apply(&mut bucket, &mut model, step);
        check(&bucket, &model);
    }
    let moves = walk_all(|from, mover| Relocation::run(from, mover, |walk| bucket.relocate(walk)));
    assert!(moves <= bucket.effort(), "{moves} steps to move {} allocations", bucket.effort());
    check(&bucket, &model);
    let mut taken = Vec::new();
    while bucket.drain_some(&mut taken) {}
    bucket.check();
    assert_eq!((bucket.len(), bucket.memory()), (0, 0));
    taken.sort_unstable();
    assert!(taken.iter().eq(model.keys()));
}

proptest! {
    #[test]
    fn as_a_map(steps in steps(1_000, 40)) {
        play(steps);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn with_many_lists(steps in steps(60_000, 24)) {
        play(steps);
    }
}

/// Returns 43 % of the ids that an arena gives to a million members.
fn members() -> Vec<MemberId> {
    let (mut random, mut id) = (1, 0);
    let all = (0..1_000_000).map(|_| {
        id += 4 + draw(&mut random) as u32 % 3;
        id
    });
    let mut other = 7;
    all.filter(|_| draw(&mut other) % 100 < 43).collect()
}

fn draw(random: &mut u64) -> u64 {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *random >> 33
}

fn shuffled(mut ids: Vec<MemberId>) -> Vec<MemberId> {
    let mut random = 3;
    for at in (1..ids.len()).rev() {
        ids.swap(at, draw(&mut random) as usize % (at + 1));
    }
    ids
}

fn filled(ids: &[MemberId], moments: bool) -> Bucket {
    let (mut bucket, mut random) = (Bucket::new(), 5);
    for id in ids {
        let units = 1 + draw(&mut random) as i64 % 50_000;
        let moment = if moments { 1_790_000_000_000 + draw(&mut random) % 86_400_000 } else { 0 };
        let sequence = if moments { bucket.len() as u64 } else { 0 };
        bucket.set(*id, Points { units, moment, sequence });
    }
    bucket
}

fn each(bucket: &Bucket) -> f64 {
    bucket.memory() as f64 / bucket.len() as f64
}

#[test]
fn takes_little() {
    let (ascending, random) = (members(), shuffled(members()));
    for (ids, moments, most) in
        [(&random, false, 4.3), (&ascending, false, 4.3), (&random, true, 10.9), (&ascending, true, 9.5)]
    {
        let bucket = filled(ids, moments);
        bucket.check();
        assert!(each(&bucket) < most, "{} bytes an entry", each(&bucket));
    }
}

#[test]
fn a_few_take_less_than_a_hundred_bytes() {
    assert_eq!(Bucket::new().memory(), 0);
    let bucket = filled(&[5, 1_000_000, 4_000_000_000], true);
    assert!(bucket.memory() <= 64, "{} bytes", bucket.memory());
}

#[test]
fn gives_memory_back() {
    let mut bucket = filled(&members(), false);
    let before = bucket.memory();
    for (_, id) in members().into_iter().enumerate().filter(|(number, _)| number % 10 != 0) {
        assert!(bucket.remove(id));
    }
    bucket.check();
    assert!(bucket.memory() < before / 6, "{} bytes of {before} left", bucket.memory());
}
