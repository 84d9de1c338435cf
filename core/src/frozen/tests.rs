//! Frozen orders against a plain list.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::*;

type Entries = Vec<(u64, MemberId)>;

fn freezer(entries: &[(u64, MemberId)]) -> Freezer {
    let mut freezer = Freezer::new();
    for (grade, id) in entries {
        freezer.push(*grade, *id);
    }
    assert_eq!(freezer.len(), entries.len() as u64);
    freezer
}

fn freeze(entries: &[(u64, MemberId)]) -> Frozen {
    freezer(entries).finish().unwrap()
}

/// Numbers without a pattern, the same every time.
fn scattered(seed: u64) -> u64 {
    let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 7
}

/// So many members with ids about five apart, and grades below `grades`.
fn board(len: u32, grades: u64) -> Entries {
    let id = |number: u32| number * 5 + (scattered(u64::from(number)) % 3) as u32;
    let mut entries: Entries = (0..len).map(|n| (scattered(u64::from(n) << 32) % grades, id(n))).collect();
    entries.sort_by_key(|(grade, id)| (*grade, scattered(u64::from(*id))));
    entries
}

/// All queries against the entries that are left.
fn compare(frozen: &Frozen, left: &[(u64, MemberId)], others: &[u64], absent: &[MemberId]) {
    assert_eq!(frozen.len(), left.len() as u64);
    assert_eq!(frozen.is_empty(), left.is_empty());
    assert_eq!(frozen.iter_from(0).collect::<Entries>(), left);
    let (mut grades, mut first) = (0, 0);
    for (at, entry) in left.iter().enumerate() {
        let rank = at as u64;
        if at == 0 || left[at - 1].0 != entry.0 {
            (grades, first) = (grades + 1, rank);
        }
        assert_eq!(frozen.place(entry.1), Some(rank));
        assert_eq!(frozen.entry(rank), Some(*entry));
        assert_eq!(frozen.dense(rank), grades, "dense rank of {at}");
        assert_eq!(frozen.before_grade(entry.0), first);
        let iter = frozen.iter_from(rank);
        assert_eq!(iter.len(), left.len() - at);
        assert!(iter.take(3).eq(left[at..].iter().take(3).copied()), "entries from {at}");
    }
    let len = left.len() as u64;
    for beyond in [len, len + 1, u64::MAX] {
        assert_eq!((frozen.entry(beyond), frozen.dense(beyond)), (None, grades));
        assert_eq!(frozen.iter_from(beyond).next(), None);
    }
    for grade in others {
        let before = left.partition_point(|entry| entry.0 < *grade);
        assert_eq!(frozen.before_grade(*grade), before as u64, "before grade {grade}");
    }
    let there: HashSet<_> = left.iter().map(|entry| entry.1).collect();
    for id in absent.iter().filter(|id| !there.contains(id)) {
        assert_eq!(frozen.place(*id), None, "member {id}");
    }
}

fn drain(mut frozen: Frozen) -> Vec<MemberId> {
    let mut all = Vec::new();
    while frozen.drain_some(&mut all) {}
    assert!(!frozen.drain_some(&mut all));
    assert_eq!(frozen.chunks(), [0; 6]);
    all.sort_unstable();
    all
}

fn sorted_ids(entries: &[(u64, MemberId)]) -> Vec<MemberId> {
    let mut ids: Vec<_> = entries.iter().map(|entry| entry.1).collect();
    ids.sort_unstable();
    ids
}

fn grade() -> impl Strategy<Value = u64> {
    prop_oneof![
        6 => 0..20_u64,
        4 => 1_000..3_000_u64,
        1 => any::<u64>(),
        1 => prop_oneof![Just(0), Just(u64::MAX), Just(u64::MAX - 1)],
    ]
}

fn id() -> impl Strategy<Value = MemberId> {
    prop_oneof![
        6 => 0..20_000_u32,
        2 => 70_000..70_500_u32,
        1 => any::<u32>(),
        1 => prop_oneof![Just(0), Just(u32::MAX), Just(1 << 16)],
    ]
}

fn entries(most: usize) -> impl Strategy<Value = Entries> {
    let narrow = proptest::collection::vec((0..20_u64, id()), 0..most);
    let wide = proptest::collection::vec((any::<u64>(), any::<u32>()), 0..most);
    let mixed = proptest::collection::vec((grade(), id()), 0..most);
    prop_oneof![narrow, wide, mixed].prop_map(|mut entries: Entries| {
        let mut ids = HashSet::new();
        entries.retain(|entry| ids.insert(entry.1));
        entries.sort_by_key(|entry| entry.0);
        entries
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn as_a_list(
        entries in entries(3_000),
        // Runs of ranks, and of members in the order of a hash, that are removed.
        cuts in proptest::collection::vec((any::<u64>(), 0..400_usize, any::<bool>()), 0..8),
        others in proptest::collection::vec(grade(), 20),
        absent in proptest::collection::vec(id(), 20),
    ) {
        let mut frozen = freeze(&entries);
        let mut left = entries.clone();
        compare(&frozen, &left, &others, &absent);
        for (seed, len, run) in cuts {
            let mut gone = left.clone();
            if !run {
                gone.sort_by_key(|entry| scattered(seed ^ u64::from(entry.1)));
            }
            gone.rotate_left((seed % (left.len() as u64 + 1)) as usize);
            gone.truncate(len);
            for (_, id) in &gone {
                prop_assert!(frozen.remove(*id));
                prop_assert!(!frozen.remove(*id));
            }
            let gone: HashSet<_> = gone.iter().map(|entry| entry.1).collect();
            left.retain(|entry| !gone.contains(&entry.1));
        }
        frozen.check();
        let all: Vec<_> = entries.iter().map(|entry| entry.1).chain(absent).collect();
        compare(&frozen, &left, &others, &all);
        prop_assert_eq!(drain(frozen), sorted_ids(&left));
    }

    #[test]
    fn nobody_twice(entries in entries(600), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        prop_assume!(entries.len() > 1);
        let (from, to) = (from.index(entries.len()), to.index(entries.len()));
        let mut twice = entries;
        twice[to].1 = twice[from].1;
        prop_assert_eq!(freezer(&twice).finish().is_some(), from == to);
    }
}

#[test]
fn a_large_board_in_steps() {
    let stays = |entry: &(u64, MemberId)| scattered(u64::from(entry.1)).is_multiple_of(3);
    let entries = board(300_000, 40_000);
    let mut freezer = freezer(&entries);
    let (mut steps, mut peak) = (1, 0);
    while freezer.step() {
        steps += 1;
        peak = peak.max(freezer.memory());
    }
    let copy = freezer.clone();
    let mut frozen = freezer.finish().unwrap();
    assert!(steps > 300, "{steps} steps");
    frozen.check();
    let each = |bytes: usize| bytes as f64 / 300_000.0;
    assert!(each(frozen.memory()) < 7.0, "{} bytes a member", each(frozen.memory()));
    let spare = each(peak - frozen.memory());
    assert!(spare < 10.0, "{spare} bytes a member while it is built");
    assert!(frozen.iter_from(0).eq(entries.iter().copied()));
    for (_, id) in entries.iter().filter(|entry| !stays(entry)) {
        assert!(frozen.remove(*id));
    }
    frozen.check();
    let left: Entries = entries.iter().copied().filter(|entry| stays(entry)).collect();
    let mut grades = HashMap::new();
    for (rank, (grade, _)) in left.iter().enumerate() {
        let next = grades.len() as u64 + 1;
        let dense = *grades.entry(*grade).or_insert(next);
        if rank % 97 == 0 {
            assert_eq!(frozen.dense(rank as u64), dense);
        }
    }
    assert!(frozen.iter_from(0).eq(left.iter().copied()));
    assert_eq!(drain(frozen), sorted_ids(&left));
    assert_eq!(drain(copy.finish().unwrap()), sorted_ids(&entries));
}

#[test]
fn a_small_board_is_small() {
    let lists = |frozen: &Frozen| frozen.memory() - bytes_of::<Frozen>(1);
    let frozen = freeze(&board(200, 100_000));
    assert!(lists(&frozen) < 200 * 12, "{} bytes", lists(&frozen));
    let entries: Entries = (0..200).map(|n| (u64::from(n) * 500, n * 20_000_000)).collect();
    let frozen = freeze(&entries);
    frozen.check();
    assert!(lists(&frozen) < 200 * 12 + 300, "{} bytes", lists(&frozen));
    assert!(lists(&freeze(&[])) < 300);
}

#[test]
fn ids_side_by_side_and_far_off() {
    // Full chunks of an arena, then nothing for long, then both ends of one more.
    let mut ids: Vec<MemberId> = (60_000..200_000).collect();
    ids.extend([3_000_000_000, u32::MAX - 1, u32::MAX]);
    let mut entries: Entries = ids.iter().map(|id| (scattered(u64::from(*id)) % 9, *id)).collect();
    entries.sort_by_key(|entry| entry.0);
    let frozen = freeze(&entries);
    frozen.check();
    for absent in [0, 59_999, 200_000, 2_999_999_999, 3_000_000_001, u32::MAX - 2] {
        assert_eq!(frozen.place(absent), None);
    }
}

#[test]
fn a_chunk_with_more_than_it_has_ids() {
    let entries: Entries = (0..70_000).map(|n| (0, n % 35_000)).collect();
    assert!(freezer(&entries).finish().is_none());
}

#[test]
fn out_of_order() {
    let mut worse_first = freezer(&[(7, 1)]);
    worse_first.push(6, 2);
    assert!(!worse_first.step());
    assert!(worse_first.finish().is_none());
    let mut late = freezer(&[(7, 1)]);
    assert!(late.step());
    late.push(7, 2);
    assert!(late.finish().is_none());
    assert!(Freezer::default().is_empty());
    freeze(&[]).check();
}

#[test]
fn built_by_another_thread() {
    const fn movable<T: Send + Sync + Clone + std::fmt::Debug + 'static>() {}
    movable::<Freezer>();
    movable::<Frozen>();
}

/// Moves everything, and wants a pause each time.
struct Everything(usize);

impl Mover for Everything {
    fn relocate<T>(&mut self, item: Box<T>) -> Box<T> {
        self.0 += 1;
        Box::new(*item)
    }

    fn relocate_slice<T>(&mut self, items: Box<[T]>) -> Box<[T]> {
        self.0 += 1;
        items.into_iter().collect()
    }

    fn relocate_vec<T>(&mut self, items: Vec<T>) -> Vec<T> {
        self.0 += 1;
        let mut moved = Vec::with_capacity(items.capacity());
        moved.extend(items);
        moved
    }

    fn pause(&mut self) -> bool {
        true
    }
}

#[test]
fn moved_by_the_allocator() {
    let mut frozen = freeze(&board(30_000, 500));
    for rank in 9_000..9_100 {
        let (_, id) = frozen.entry(rank).unwrap();
        assert!(frozen.remove(id));
    }
    let (before, memory): (Entries, _) = (frozen.iter_from(0).collect(), frozen.memory());
    let mut mover = Everything(0);
    let mut next = Some(0);
    while let Some(from) = next {
        next = frozen.relocate(from, &mut mover);
    }
    assert!(mover.0 <= frozen.effort() && mover.0 + 16 > frozen.effort(), "{} moves", mover.0);
    assert_eq!(frozen.memory(), memory);
    frozen.check();
    assert!(frozen.iter_from(0).eq(before));
}
