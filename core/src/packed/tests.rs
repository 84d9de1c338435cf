//! Compares packed orders with a plain list.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::*;
use crate::mover::tests::Restless;

type Ranked = Vec<(u64, MemberId)>;

fn packer(entries: &[(u64, MemberId)]) -> Packer {
    let mut packer = Packer::new();
    for (rank_key, id) in entries {
        packer.push(*rank_key, *id);
    }
    packer
}

fn pack(entries: &[(u64, MemberId)]) -> PackedOrder {
    packer(entries).finish().unwrap()
}

/// Returns numbers without a pattern. They are the same in every run.
fn scattered(seed: u64) -> u64 {
    let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 7
}

/// Returns `len` members with ids about five apart, and with rank keys below `rank_keys`.
fn board(len: u32, rank_keys: u64) -> Ranked {
    let id = |number: u32| number * 5 + (scattered(u64::from(number)) % 3) as u32;
    let mut entries: Ranked = (0..len).map(|n| (scattered(u64::from(n) << 32) % rank_keys, id(n))).collect();
    entries.sort_by_key(|(rank_key, id)| (*rank_key, scattered(u64::from(*id))));
    entries
}

/// Compares the results of all queries with the entries that were not removed.
fn compare(packed: &PackedOrder, left: &[(u64, MemberId)], others: &[u64], absent: &[MemberId]) {
    assert_eq!(packed.len(), left.len() as u64);
    assert_eq!(packed.iter_from(0).collect::<Ranked>(), left);
    let (mut rank_keys, mut first) = (0, 0);
    for (at, entry) in left.iter().enumerate() {
        let rank = at as u64;
        if at == 0 || left[at - 1].0 != entry.0 {
            (rank_keys, first) = (rank_keys + 1, rank);
        }
        assert_eq!(packed.place(entry.1), Some(rank));
        assert_eq!(packed.entry(rank), Some(*entry));
        assert_eq!(packed.dense(rank), rank_keys, "dense rank of {at}");
        assert_eq!(packed.before_rank_key(entry.0), first);
        let iter = packed.iter_from(rank);
        assert_eq!(iter.len(), left.len() - at);
        assert!(iter.take(3).eq(left[at..].iter().take(3).copied()), "entries from {at}");
    }
    let len = left.len() as u64;
    for beyond in [len, len + 1, u64::MAX] {
        assert_eq!((packed.entry(beyond), packed.dense(beyond)), (None, rank_keys));
        assert_eq!(packed.iter_from(beyond).next(), None);
    }
    for rank_key in others {
        let before = left.partition_point(|entry| entry.0 < *rank_key);
        assert_eq!(packed.before_rank_key(*rank_key), before as u64, "before rank_key {rank_key}");
    }
    let there: HashSet<_> = left.iter().map(|entry| entry.1).collect();
    for id in absent.iter().filter(|id| !there.contains(id)) {
        assert_eq!(packed.place(*id), None, "member {id}");
    }
}

fn drain(mut packed: PackedOrder) -> Vec<MemberId> {
    let mut all = Vec::new();
    while packed.drain_some(&mut all) {}
    assert!(!packed.drain_some(&mut all));
    assert_eq!(packed.order.allocations() + packed.members.allocations(), 6);
    all.sort_unstable();
    all
}

fn sorted_ids(entries: &[(u64, MemberId)]) -> Vec<MemberId> {
    let mut ids: Vec<_> = entries.iter().map(|entry| entry.1).collect();
    ids.sort_unstable();
    ids
}

fn rank_key() -> impl Strategy<Value = u64> {
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

fn entries(most: usize) -> impl Strategy<Value = Ranked> {
    let narrow = proptest::collection::vec((0..20_u64, id()), 0..most);
    let wide = proptest::collection::vec((any::<u64>(), any::<u32>()), 0..most);
    let mixed = proptest::collection::vec((rank_key(), id()), 0..most);
    prop_oneof![narrow, wide, mixed].prop_map(|mut entries: Ranked| {
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
        // The entries to remove: ranges of ranks, or random members.
        cuts in proptest::collection::vec((any::<u64>(), 0..400_usize, any::<bool>()), 0..8),
        others in proptest::collection::vec(rank_key(), 20),
        absent in proptest::collection::vec(id(), 20),
    ) {
        let mut packed = pack(&entries);
        let mut left = entries.clone();
        compare(&packed, &left, &others, &absent);
        for (seed, len, run) in cuts {
            let mut gone = left.clone();
            if !run {
                gone.sort_by_key(|entry| scattered(seed ^ u64::from(entry.1)));
            }
            gone.rotate_left((seed % (left.len() as u64 + 1)) as usize);
            gone.truncate(len);
            for (_, id) in &gone {
                prop_assert!(packed.remove(*id));
                prop_assert!(!packed.remove(*id));
            }
            let gone: HashSet<_> = gone.iter().map(|entry| entry.1).collect();
            left.retain(|entry| !gone.contains(&entry.1));
        }
        packed.check();
        let all: Vec<_> = entries.iter().map(|entry| entry.1).chain(absent).collect();
        compare(&packed, &left, &others, &all);
        prop_assert_eq!(drain(packed), sorted_ids(&left));
    }

    #[test]
    fn nobody_twice(entries in entries(600), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        prop_assume!(entries.len() > 1);
        let (from, to) = (from.index(entries.len()), to.index(entries.len()));
        let mut twice = entries;
        twice[to].1 = twice[from].1;
        prop_assert_eq!(packer(&twice).finish().is_some(), from == to);
    }
}

#[test]
fn a_large_board_in_steps() {
    let stays = |entry: &(u64, MemberId)| scattered(u64::from(entry.1)).is_multiple_of(3);
    let entries = board(300_000, 40_000);
    let mut packer = packer(&entries);
    let (mut steps, mut peak) = (1, 0);
    while packer.step() {
        steps += 1;
        peak = peak.max(packer.memory());
    }
    let copy = packer.clone();
    let mut packed = packer.finish().unwrap();
    assert!(steps > 300, "{steps} steps");
    packed.check();
    let each = |bytes: usize| bytes as f64 / 300_000.0;
    assert!(each(packed.memory()) < 7.0, "{} bytes a member", each(packed.memory()));
    let spare = each(peak - packed.memory());
    assert!(spare < 10.0, "{spare} bytes a member while it is built");
    assert!(packed.iter_from(0).eq(entries.iter().copied()));
    for (_, id) in entries.iter().filter(|entry| !stays(entry)) {
        assert!(packed.remove(*id));
    }
    packed.check();
    let left: Ranked = entries.iter().copied().filter(|entry| stays(entry)).collect();
    let mut rank_keys = HashMap::new();
    for (rank, (rank_key, _)) in left.iter().enumerate() {
        let next = rank_keys.len() as u64 + 1;
        let dense = *rank_keys.entry(*rank_key).or_insert(next);
        if rank % 97 == 0 {
            assert_eq!(packed.dense(rank as u64), dense);
        }
    }
    assert!(packed.iter_from(0).eq(left.iter().copied()));
    assert_eq!(drain(packed), sorted_ids(&left));
    assert_eq!(drain(copy.finish().unwrap()), sorted_ids(&entries));
}

#[test]
fn a_small_board_is_small() {
    let lists = |packed: &PackedOrder| packed.memory() - bytes_of::<PackedOrder>(1);
    let packed = pack(&board(200, 100_000));
    assert!(lists(&packed) < 200 * 12, "{} bytes", lists(&packed));
    let entries: Ranked = (0..200).map(|n| (u64::from(n) * 500, n * 20_000_000)).collect();
    let packed = pack(&entries);
    packed.check();
    assert!(lists(&packed) < 200 * 12 + 300, "{} bytes", lists(&packed));
    assert!(lists(&pack(&[])) < 300);
}

#[test]
fn ids_side_by_side_and_far_off() {
    // Ids of full chunks of an arena, then a long gap, then ids from both ends of one more chunk.
    let mut ids: Vec<MemberId> = (60_000..200_000).collect();
    ids.extend([3_000_000_000, u32::MAX - 1, u32::MAX]);
    let mut entries: Ranked = ids.iter().map(|id| (scattered(u64::from(*id)) % 9, *id)).collect();
    entries.sort_by_key(|entry| entry.0);
    let packed = pack(&entries);
    packed.check();
    for absent in [0, 59_999, 200_000, 2_999_999_999, 3_000_000_001, u32::MAX - 2] {
        assert_eq!(packed.place(absent), None);
    }
}

#[test]
fn a_chunk_with_more_than_it_has_ids() {
    let entries: Ranked = (0..70_000).map(|n| (0, n % 35_000)).collect();
    assert!(packer(&entries).finish().is_none());
}

#[test]
fn out_of_order() {
    let mut worse_first = packer(&[(7, 1)]);
    worse_first.push(6, 2);
    assert!(!worse_first.step());
    assert!(worse_first.finish().is_none());
    let mut late = packer(&[(7, 1)]);
    assert!(late.step());
    late.push(7, 2);
    assert!(late.finish().is_none());
    pack(&[]).check();
}

#[test]
fn built_by_another_thread() {
    const fn movable<T: Send + Sync + Clone + std::fmt::Debug + 'static>() {}
    movable::<Packer>();
    movable::<PackedOrder>();
}

#[test]
fn moved_by_the_allocator() {
    let mut packed = pack(&board(30_000, 500));
    for rank in 9_000..9_100 {
        let (_, id) = packed.entry(rank).unwrap();
        assert!(packed.remove(id));
    }
    let (before, memory): (Ranked, _) = (packed.iter_from(0).collect(), packed.memory());
    let mut mover = Restless::default();
    let mut next = Some(0);
    while let Some(from) = next {
        next = Relocation::run(from, &mut mover, |walk| packed.relocate(walk));
    }
    assert!(mover.0 <= packed.effort() && mover.0 + 16 > packed.effort(), "{} moves", mover.0);
    assert_eq!(packed.memory(), memory);
    packed.check();
    assert!(packed.iter_from(0).eq(before));
}
