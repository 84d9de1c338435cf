//! Compares the index with a sorted list, and checks all invariants after each step.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use std::cmp::Ordering;
use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

mod new_keys;

/// The leaves and write numbers of members whose name is their number.
#[derive(Default)]
struct Leaves {
    leaves: HashMap<MemberId, LeafId>,
    /// The number of each member's last write, if writes have numbers.
    sequences: Option<HashMap<MemberId, u64>>,
}

impl MemberLookup for Leaves {
    fn leaf(&self, id: MemberId) -> LeafId {
        self.leaves.get(&id).copied().unwrap_or(NO_LEAF)
    }

    fn compare(&self, a: MemberId, b: MemberId) -> Ordering {
        a.cmp(&b)
    }

    fn sequence(&self, id: MemberId, _moment: Millis) -> Option<u64> {
        self.sequences.as_ref()?.get(&id).copied()
    }
}

impl MemberStore for Leaves {
    fn set_leaf(&mut self, id: MemberId, leaf: LeafId) {
        self.leaves.insert(id, leaf);
    }
}

/// The model: a sorted list, in which a new entry is inserted behind or before the entries with an equal key.
struct Model {
    ties: Ties,
    list: Vec<(Key, MemberId)>,
}

impl Model {
    fn insert(&mut self, key: Key, id: MemberId) -> u64 {
        let before = |(other, other_id): &(Key, MemberId)| match self.ties {
            Ties::First => *other <= key,
            Ties::Last => {
                other.rank_key < key.rank_key || (other.rank_key == key.rank_key && other.moment > key.moment)
            }
            Ties::Lex => (other.rank_key, *other_id) < (key.rank_key, id),
            Ties::RevLex => (other.rank_key, id) < (key.rank_key, *other_id),
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
    /// Inserts the member with this number, or changes its key.
    Set(u32, Key),
    Remove(u32),
    /// Sets the keys of several members with consecutive numbers. Each key is the same distance behind the previous
    /// key.
    Run(u32, Key, u64, u32),
    /// Removes the entries of a range of ranks, so that leaves and inner nodes are removed.
    Cut(u64, u64),
}

/// Returns the id of the member with this number. The ids of some members have equal lower or upper halves.
fn id_of(number: u32) -> MemberId {
    let upper = if number % 64 == 63 { 0x7fff } else { number % 4 };
    (upper << 17) | (number / 4)
}

fn key() -> impl Strategy<Value = Key> {
    let rank_key = prop_oneof![
        4 => 0..50_u64,
        2 => (0..5_000_u64).prop_map(|n| n * 1_000),
        1 => any::<u64>().prop_map(|n| n.min(u64::MAX - 1)),
    ];
    let moment =
        prop_oneof![3 => 1_000..1_020_u64, 2 => 0..1_u64 << 20, 1 => 0..1_u64 << 47, 1 => any::<u64>()];
    (rank_key, moment).prop_map(|(rank_key, moment)| Key { rank_key, moment })
}

fn steps(members: u32, len: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        16 => (0..members, key()).prop_map(|(number, key)| Step::Set(number, key)),
        3 => (0..members).prop_map(Step::Remove),
        1 => (0..members, key(), 0..3_u64, 0..50_u32).prop_map(|(number, key, step, len)| {
            Step::Run(number, Key { rank_key: key.rank_key / 2 + (1 << 62), ..key }, step, len)
        }),
        1 => (any::<u64>(), 0..200_u64).prop_map(|(from, len)| Step::Cut(from, len)),
    ];
    proptest::collection::vec(step, 0..len)
}

fn ties() -> impl Strategy<Value = Ties> {
    prop_oneof![Just(Ties::First), Just(Ties::Last), Just(Ties::Lex), Just(Ties::RevLex)]
}

fn take_out(index: &mut Index, members: &mut Leaves, model: &mut Model, id: MemberId) {
    let place = index.find(id, members);
    match model.remove(id) {
        None => assert_eq!(place, None),
        Some((at, key)) => {
            let place = place.unwrap();
            assert_eq!((index.rank(place), place.key), (at as u64, key));
            index.remove(place, id, members);
        }
    }
}

fn apply(index: &mut Index, members: &mut Leaves, model: &mut Model, step: Step) {
    match step {
        Step::Set(number, key) => {
            let id = id_of(number);
            let rank = match index.find(id, members) {
                Some(place) => {
                    let landed = index.update(place, key, id, members);
                    index.before(landed)
                }
                None => index.insert(key, id, members),
            };
            model.remove(id);
            assert_eq!(rank, model.insert(key, id));
        }
        Step::Remove(number) => take_out(index, members, model, id_of(number)),
        Step::Run(first, key, step, len) => {
            for (place, number) in (first..first + len).enumerate() {
                let rank_key = key.rank_key + place as u64 * step;
                apply(index, members, model, Step::Set(number, Key { rank_key, ..key }));
            }
        }
        Step::Cut(from, len) => {
            let from = from % index.len().max(1);
            let gone: Vec<_> = index.iter_from(from).take(len as usize).collect();
            for (_, id) in gone {
                take_out(index, members, model, id);
            }
        }
    }
}

fn compare(index: &Index, members: &Leaves, model: &Model) {
    index.check(members);
    assert_eq!(index.iter_from(0).collect::<Vec<_>>(), model.list);
    let (mut iter, mut read) = (index.iter_from(0), Vec::new());
    while read.len() < model.list.len() {
        iter.read(1 + read.len() % 40, &mut read);
    }
    assert_eq!(read, model.list);
    assert_eq!(index.len(), model.list.len() as u64);
    let mut dense = 0;
    let mut rank_key = None;
    for (at, (key, id)) in model.list.iter().enumerate() {
        dense += u64::from(rank_key != Some(key.rank_key));
        rank_key = Some(key.rank_key);
        let place = index.find(*id, members).unwrap();
        assert_eq!(index.select(at as u64), Some(place));
        assert_eq!((index.rank(place), index.dense_rank(place)), (at as u64, dense));
        let better = model.list.iter().filter(|(other, _)| other.rank_key < key.rank_key).count();
        assert_eq!(index.before_rank_key(key.rank_key), better as u64);
        let not_worse = model.list.iter().filter(|(other, _)| other.rank_key <= key.rank_key).count();
        assert_eq!(index.before_rank_key(key.rank_key + 1), not_worse as u64);
    }
}

fn play(index: Index, ties: Ties, steps: Vec<Step>, every: usize) {
    let (mut index, mut members) = (index, Leaves::default());
    let mut model = Model { ties, list: Vec::new() };
    for (number, step) in steps.into_iter().enumerate() {
        apply(&mut index, &mut members, &mut model, step);
        if number % every == 0 {
            index.check(&members);
        }
    }
    compare(&index, &members, &model);
    let mut copy = Index::tree(ties);
    let mut copied = Leaves::default();
    for entry in index.iter_from(0) {
        copy.append_checked(&[entry], &mut copied).unwrap();
    }
    compare(&copy, &copied, &model);
    let entries: Vec<_> = index.iter_from(0).collect();
    let mut together = Index::tree(ties);
    let (first, second) = entries.split_at(entries.len() / 3);
    together.append_all(first, &mut copied);
    together.append_all(second, &mut copied);
    together.check(&copied);
    compare(&together, &copied, &model);
    new_keys::refill(&index, &members, &model);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn small_as_the_model(ties in ties(), steps in steps(MOST_SMALL as u32, 600)) {
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
    for ties in [Ties::First, Ties::Last, Ties::Lex, Ties::RevLex] {
        let (mut index, mut members) = (Index::tree(ties), Leaves::default());
        let count = 400_000_u32;
        for number in 0..count {
            let id = id_of(number);
            // Most scores are close together and some scores are far from them, so there are narrow and wide
            // frames.
            let rank_key = u64::from(number.wrapping_mul(2_654_435_761) % 90_000)
                * if number % 7 == 0 { 1 << 30 } else { 1 };
            index.insert(Key { rank_key, moment: u64::from(number / 64) }, id, &mut members);
        }
        index.check(&members);
        assert_eq!(index.len(), u64::from(count));
        while index.len() > 10 {
            let gone: Vec<_> = index.iter_from(index.len() / 3).take(1 + index.len() as usize / 4).collect();
            for (_, id) in gone {
                let place = index.find(id, &members).unwrap();
                index.remove(place, id, &mut members);
            }
            index.check(&members);
        }
        assert!(index.memory() < 200_000, "{} bytes for ten members", index.memory());
    }
}

#[test]
fn appending_refuses_disorder() {
    let key = |rank_key, moment| Key { rank_key, moment };
    for (ties, first, second, fine) in [
        (Ties::First, key(1, 5), key(1, 5), true),
        (Ties::First, key(1, 5), key(1, 4), false),
        (Ties::Last, key(1, 5), key(1, 4), true),
        (Ties::Last, key(1, 4), key(1, 5), false),
        (Ties::Lex, key(1, 5), key(1, 0), true),
        (Ties::Lex, key(2, 5), key(1, 5), false),
        (Ties::RevLex, key(1, 5), key(1, 6), false),
        (Ties::RevLex, key(1, 5), key(2, 5), true),
    ] {
        for mut index in [Index::small(ties), Index::tree(ties)] {
            let mut members = Leaves::default();
            index.append_checked(&[(first, 1)], &mut members).unwrap();
            let second = index.append_checked(&[(second, 2)], &mut members);
            assert_eq!(second.is_ok(), fine, "{ties} {first:?} {second:?}");
            assert_eq!(index.len(), if fine { 2 } else { 1 });
            let mut list = if ties == Ties::First { Index::small(ties) } else { Index::tree(ties) };
            let third = (key(0, 5), 3);
            assert!(
                list.append_checked(&[third, (first, 1), third], &mut members).is_err(),
                "{ties} {first:?}"
            );
            assert_eq!(list.len(), 0);
        }
    }
}

/// An entry whose write has a number. Such entries may be inserted in any order.
#[derive(Debug, Clone, Copy)]
struct Numbered {
    key: Key,
    id: MemberId,
    sequence: u64,
}

fn by_sequence(ties: Ties, a: Numbered, b: Numbered) -> Ordering {
    compare_keys(ties, a.key, b.key).then_with(|| match ties {
        Ties::First => a.sequence.cmp(&b.sequence),
        Ties::Last => b.sequence.cmp(&a.sequence),
        Ties::Lex => a.id.cmp(&b.id),
        Ties::RevLex => b.id.cmp(&a.id),
    })
}

fn numbered_steps() -> impl Strategy<Value = Vec<(MemberId, Option<Key>, u64)>> {
    // There are few different keys, so that some leaves are full of entries with equal keys.
    let key = (0..3_u64, 7..9_u64).prop_map(|(rank_key, moment)| Key { rank_key, moment });
    let step = (0..600_u32, proptest::option::weighted(0.9, key), any::<u16>());
    let steps = proptest::collection::vec(step, 0..1_500);
    let unique =
        |(number, (id, key, sequence)): (u64, (_, _, u16))| (id, key, u64::from(sequence) << 16 | number);
    steps.prop_map(move |steps| (0..).zip(steps).map(unique).collect())
}

fn play_numbered(mut index: Index, ties: Ties, count: u32, steps: Vec<(MemberId, Option<Key>, u64)>) {
    let mut members = Leaves { sequences: Some(HashMap::new()), ..Leaves::default() };
    let mut model: Vec<Numbered> = Vec::new();
    for (id, key, sequence) in steps {
        let id = id_of(id % count);
        model.retain(|entry| entry.id != id);
        match (index.find(id, &members), key) {
            (Some(place), None) => index.remove(place, id, &mut members),
            (None, None) => {}
            (place, Some(key)) => {
                // The number is stored while the entry is still at its old place.
                members.sequences.as_mut().unwrap().insert(id, sequence);
                let entry = Numbered { key, id, sequence };
                let at = model.partition_point(|other| by_sequence(ties, *other, entry).is_lt());
                model.insert(at, entry);
                let rank = match place {
                    Some(place) => {
                        let landed = index.update(place, key, id, &mut members);
                        index.before(landed)
                    }
                    None => index.insert(key, id, &mut members),
                };
                assert_eq!(rank, at as u64);
            }
        }
    }
    index.check(&members);
    let expected: Vec<_> = model.iter().map(|entry| (entry.key, entry.id)).collect();
    assert_eq!(index.iter_from(0).collect::<Vec<_>>(), expected);
    for key in (0..4).flat_map(|rank_key| (6..10).map(move |moment| Key { rank_key, moment })) {
        let before = expected.iter().filter(|entry| compare_keys(ties, entry.0, key).is_lt()).count();
        assert_eq!(index.before_key(key), before as u64, "{key:?}");
    }
    let mut drained = Vec::new();
    while index.drain_some(&mut drained) {}
    drained.sort_unstable();
    let mut all: Vec<_> = expected.iter().map(|entry| entry.1).collect();
    all.sort_unstable();
    assert_eq!(drained, all);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn equals_stand_by_the_numbers_of_their_writes(ties in ties(), steps in numbered_steps()) {
        play_numbered(Index::tree(ties), ties, 600, steps.clone());
        play_numbered(Index::small(ties), ties, MOST_SMALL as u32, steps);
    }

    #[test]
    fn a_leaf_of_another_index_is_no_entry(ties in ties(), first in steps(400, 500), second in steps(400, 500)) {
        let (mut members, mut before) = (Leaves::default(), Model { ties, list: Vec::new() });
        let mut index = Index::tree(ties);
        first.into_iter().for_each(|step| apply(&mut index, &mut members, &mut before, step));
        // In a new index, members still have leaves of the old index.
        let (mut index, mut model) = (Index::tree(ties), Model { ties, list: Vec::new() });
        for id in 0..400 {
            prop_assert_eq!(index.find(id, &members), None);
        }
        second.into_iter().for_each(|step| apply(&mut index, &mut members, &mut model, step));
        for id in 0..400 {
            let there = model.list.iter().any(|entry| entry.1 == id);
            prop_assert_eq!(index.find(id, &members).is_some(), there);
        }
        compare(&index, &members, &model);
    }
}
