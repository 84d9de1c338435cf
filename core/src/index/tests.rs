//! The index against a sorted list, with all invariants checked after every step.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use std::cmp::Ordering;
use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

/// Members whose name is their number.
#[derive(Default)]
struct Leaves(HashMap<MemberId, LeafId>);

impl Home for Leaves {
    fn leaf(&self, id: MemberId) -> LeafId {
        self.0.get(&id).copied().unwrap_or(NO_LEAF)
    }

    fn set_leaf(&mut self, id: MemberId, leaf: LeafId) {
        self.0.insert(id, leaf);
    }

    fn compare(&self, a: MemberId, b: MemberId) -> Ordering {
        a.cmp(&b)
    }
}

/// The plain model: a list kept in order by inserting behind or before equals.
struct Model {
    ties: Ties,
    list: Vec<(Key, MemberId)>,
}

impl Model {
    fn insert(&mut self, key: Key, id: MemberId) -> u64 {
        let before = |(other, other_id): &(Key, MemberId)| match self.ties {
            Ties::First => *other <= key,
            Ties::Last => other.grade < key.grade || (other.grade == key.grade && other.moment > key.moment),
            Ties::Lex => (other.grade, *other_id) < (key.grade, id),
        };
        let at = self.list.iter().filter(|entry| before(entry)).count();
        self.list.insert(at, (key, id));
        at as u64
    }

    fn remove(&mut self, id: MemberId) -> Option<(usize, Key)> {
        let at = self.list.iter().position(|entry| entry.1 == id)?;
        Some((at, self.list.remove(at).0))
    }
}

#[derive(Debug, Clone)]
enum Step {
    /// Enters the member, or gives it another key.
    Set(MemberId, Key),
    Remove(MemberId),
    /// Removes a run of ranks, so that leaves and inner nodes go.
    Cut(u64, u64),
}

fn key() -> impl Strategy<Value = Key> {
    let grade = prop_oneof![
        4 => 0..50_u64,
        2 => (0..5_000_u64).prop_map(|n| n * 1_000),
        1 => any::<u64>().prop_map(|n| n.min(u64::MAX - 1)),
    ];
    let moment = prop_oneof![3 => 1_000..1_020_u64, 2 => 0..1_u64 << 20, 1 => 0..1_u64 << 47];
    (grade, moment).prop_map(|(grade, moment)| Key { grade, moment })
}

fn steps(members: u32, len: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        16 => (0..members, key()).prop_map(|(id, key)| Step::Set(id, key)),
        3 => (0..members).prop_map(Step::Remove),
        1 => (any::<u64>(), 0..200_u64).prop_map(|(from, len)| Step::Cut(from, len)),
    ];
    proptest::collection::vec(step, 0..len)
}

fn ties() -> impl Strategy<Value = Ties> {
    prop_oneof![Just(Ties::First), Just(Ties::Last), Just(Ties::Lex)]
}

fn take_out(index: &mut Index, home: &mut Leaves, model: &mut Model, id: MemberId) {
    let place = index.find(id, home);
    match model.remove(id) {
        None => assert_eq!(place, None),
        Some((at, key)) => {
            let place = place.unwrap();
            assert_eq!((index.rank(place), place.key), (at as u64, key));
            index.remove(place, id, home);
        }
    }
}

fn apply(index: &mut Index, home: &mut Leaves, model: &mut Model, step: Step) {
    match step {
        Step::Set(id, key) => {
            let rank = match index.find(id, home) {
                Some(place) => index.update(place, key, id, home),
                None => index.insert(key, id, home),
            };
            model.remove(id);
            assert_eq!(rank, model.insert(key, id));
        }
        Step::Remove(id) => take_out(index, home, model, id),
        Step::Cut(from, len) => {
            let from = from % index.len().max(1);
            let gone: Vec<_> = index.iter_from(from).take(len as usize).collect();
            for (_, id) in gone {
                take_out(index, home, model, id);
            }
        }
    }
}

fn compare(index: &Index, home: &Leaves, model: &Model) {
    index.check(home);
    assert_eq!(index.iter_from(0).collect::<Vec<_>>(), model.list);
    assert_eq!(index.len(), model.list.len() as u64);
    let mut dense = 0;
    let mut grade = None;
    for (at, (key, id)) in model.list.iter().enumerate() {
        dense += u64::from(grade != Some(key.grade));
        grade = Some(key.grade);
        let place = index.find(*id, home).unwrap();
        assert_eq!(index.select(at as u64), Some(place));
        assert_eq!((index.rank(place), index.dense_rank(place)), (at as u64, dense));
        let better = model.list.iter().filter(|(other, _)| other.grade < key.grade).count();
        assert_eq!(index.before_grade(key.grade), better as u64);
        let not_worse = model.list.iter().filter(|(other, _)| other.grade <= key.grade).count();
        assert_eq!(index.before_grade(key.grade + 1), not_worse as u64);
    }
}

fn play(index: Index, ties: Ties, steps: Vec<Step>, every: usize) {
    let (mut index, mut home) = (index, Leaves::default());
    let mut model = Model { ties, list: Vec::new() };
    for (number, step) in steps.into_iter().enumerate() {
        apply(&mut index, &mut home, &mut model, step);
        if number % every == 0 {
            index.check(&home);
        }
    }
    compare(&index, &home, &model);
    let mut copy = Index::tree(ties);
    let mut copied = Leaves::default();
    for (key, id) in index.iter_from(0) {
        copy.append(key, id, &mut copied).unwrap();
    }
    compare(&copy, &copied, &model);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn small_as_the_model(ties in ties(), steps in steps(SMALL as u32, 600)) {
        play(Index::small(ties), ties, steps, 1);
    }

    #[test]
    fn tree_as_the_model(ties in ties(), steps in steps(400, 800)) {
        play(Index::tree(ties), ties, steps, 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn deep_tree_as_the_model(ties in ties(), steps in steps(6_000, 12_000)) {
        play(Index::tree(ties), ties, steps, 500);
    }
}

#[test]
fn three_levels_up_and_down_again() {
    for ties in [Ties::First, Ties::Last, Ties::Lex] {
        let (mut index, mut home) = (Index::tree(ties), Leaves::default());
        let count = 400_000_u32;
        for id in 0..count {
            // Two scores in reach of each other and one far away make frames wide and narrow.
            let grade =
                u64::from(id.wrapping_mul(2_654_435_761) % 90_000) * if id % 7 == 0 { 1 << 30 } else { 1 };
            index.insert(Key { grade, moment: u64::from(id / 64) }, id, &mut home);
        }
        index.check(&home);
        assert_eq!(index.len(), u64::from(count));
        while index.len() > 10 {
            let gone: Vec<_> = index.iter_from(index.len() / 3).take(1 + index.len() as usize / 4).collect();
            for (_, id) in gone {
                let place = index.find(id, &home).unwrap();
                index.remove(place, id, &mut home);
            }
            index.check(&home);
        }
        assert!(index.memory() < 200_000, "{} bytes for ten members", index.memory());
    }
}

#[test]
fn appending_refuses_disorder() {
    let key = |grade, moment| Key { grade, moment };
    for (ties, first, second, fine) in [
        (Ties::First, key(1, 5), key(1, 5), true),
        (Ties::First, key(1, 5), key(1, 4), false),
        (Ties::Last, key(1, 5), key(1, 4), true),
        (Ties::Last, key(1, 4), key(1, 5), false),
        (Ties::Lex, key(1, 5), key(1, 0), true),
        (Ties::Lex, key(2, 5), key(1, 5), false),
    ] {
        for mut index in [Index::small(ties), Index::tree(ties)] {
            let mut home = Leaves::default();
            index.append(first, 1, &mut home).unwrap();
            assert_eq!(index.append(second, 2, &mut home).is_ok(), fine, "{ties} {first:?} {second:?}");
        }
    }
}
