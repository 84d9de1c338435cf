//! Compares members with a map of names.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::index::{LeafId, MemberLookup, MemberStore, NO_LEAF};
use crate::mover::tests::walk_all;

fn check(members: &Members, model: &HashMap<Vec<u8>, MemberId>) {
    assert_eq!(members.len(), model.len());
    for (name, id) in model {
        assert_eq!(members.find(name), Some(*id));
        assert_eq!(members.name(*id), name);
    }
}

fn play(mut members: Members, steps: Vec<(bool, Vec<u8>)>) -> Members {
    let mut model = HashMap::new();
    for (enter, name) in steps {
        match (enter, model.remove(&name)) {
            (_, Some(id)) => {
                members.remove(id);
                assert_eq!(members.find(&name), None);
            }
            (true, None) if !members.outgrown_by(1, name.len()) => {
                let id = members.insert(&name).unwrap();
                model.insert(name, id);
            }
            (_, None) => assert_eq!(members.find(&name), None),
        }
    }
    check(&members, &model);
    let numbers = members.enlarge().unwrap();
    let renumbered = model.into_iter().map(|(name, id)| (name, numbers.of(id)));
    check(&members, &renumbered.collect());
    members
}

fn names() -> impl Strategy<Value = Vec<(bool, Vec<u8>)>> {
    let name = prop_oneof![
        proptest::collection::vec(0..3_u8, 1..6),
        proptest::collection::vec(any::<u8>(), 1..40),
        (1..=MAX_NAME).prop_map(|len| vec![b'x'; len]),
    ];
    proptest::collection::vec((prop::bool::weighted(0.8), name), 0..400)
}

proptest! {
    #[test]
    fn small_boards(steps in names()) {
        play(Members::default(), steps);
    }

    #[test]
    fn large_boards(steps in names()) {
        play(Members::large(), steps);
    }
}

#[test]
fn room_of_members_that_left_is_used_again() {
    let mut members = Members::large();
    for round in 0..50 {
        let ids: Vec<_> =
            (0..1000).map(|n| members.insert(format!("{round}:{n:08}").as_bytes()).unwrap()).collect();
        ids.into_iter().for_each(|id| members.remove(id));
    }
    assert!(members.memory() < 60_000, "{} bytes", members.memory());
    let mut small = Members::default();
    for round in 0..1000 {
        let ids: Vec<_> =
            (0..20).map(|n| small.insert(&vec![n; 1 + (round + usize::from(n)) % 9]).unwrap()).collect();
        ids.into_iter().for_each(|id| small.remove(id));
    }
    assert!(small.memory() < 400, "{} bytes", small.memory());
}

#[test]
fn leaves_are_remembered() {
    let mut members = Members::large();
    let leaf = members.add_leaf_column();
    let id = members.insert(b"ann").unwrap();
    assert_eq!(members.index_members(leaf, None).leaf(id), NO_LEAF);
    members.index_members_mut(leaf, None).set_leaf(id, 77);
    assert_eq!((members.index_members(leaf, None).leaf(id), members.name(id)), (77, &b"ann"[..]));
}

#[test]
fn numbers_that_are_too_great_for_their_columns_are_beside_them() {
    let mut members = Members::large();
    let columns = [members.add_leaf_column(), members.add_short_column()];
    let id = members.insert(b"ann").unwrap();
    let other = members.insert(b"bob").unwrap();
    for (column, most) in columns.into_iter().zip([0xff_fffe, 0xfffe]) {
        members.set(other, column, 5);
        let greatest = [0xffff * 256 - 1, 0xffff * 256, NO_LEAF - 1];
        for number in [0, most, most + 1, most + 2].into_iter().chain(greatest).chain([most, 7]) {
            members.set_leaf(id, column, number);
            assert_eq!(members.leaf(id, column), number);
            assert_eq!(members.beside.as_ref().is_some_and(|beside| !beside.is_empty()), number > most);
        }
        members.set_leaf(id, column, most + 1);
        members.set_leaf(id, column, NO_LEAF);
        assert_eq!((members.get(id, column), members.leaf(id, column)), (None, NO_LEAF));
        assert!(members.beside.as_ref().is_none_or(|beside| beside.is_empty()));
        assert_eq!(members.get(other, column), Some(5));
    }
    columns.into_iter().for_each(|column| members.set_leaf(id, column, NO_LEAF - 1));
    members.remove(id);
    assert!(members.beside.as_ref().is_none_or(|beside| beside.is_empty()));
    assert_eq!((members.name(other), members.leaf(other, columns[1])), (&b"bob"[..], 5));
}

/// The expected numbers of each column, by member.
type ColumnValues = Vec<HashMap<MemberId, u64>>;

fn check_columns(members: &Members, columns: &[Column], leaves: &ColumnValues, sequences: &ColumnValues) {
    for pair in columns.chunks_exact(2).enumerate() {
        let (number, &[leaf, sequence]) = pair else { unreachable!() };
        let index_members = members.index_members(leaf, Some(sequence));
        for (id, value) in &leaves[number] {
            // Small boards store no leaves.
            let expected = if members.is_large() { *value as LeafId } else { NO_LEAF };
            assert_eq!(index_members.leaf(*id), expected);
        }
        for (id, value) in &sequences[number] {
            assert_eq!(members.sequence(*id, sequence), *value);
            assert_eq!(index_members.sequence(*id, 0), Some(*value));
        }
    }
}

fn fill(
    members: &mut Members,
    columns: &[Column],
    ids: &[MemberId],
    salt: u64,
) -> (ColumnValues, ColumnValues) {
    let (mut leaves, mut sequences) = (ColumnValues::new(), ColumnValues::new());
    for (number, pair) in columns.chunks_exact(2).enumerate() {
        let &[leaf, sequence] = pair else { unreachable!() };
        let value = |id: MemberId| (u64::from(id) + 1) * (number as u64 + 1) * salt;
        for id in ids {
            members.index_members_mut(leaf, None).set_leaf(*id, value(*id) as LeafId);
            members.set_sequence(*id, sequence, (value(*id) << 16) % (MAX_SEQUENCE + 1));
        }
        leaves.push(ids.iter().map(|id| (*id, u64::from(value(*id) as LeafId))).collect());
        sequences.push(ids.iter().map(|id| (*id, (value(*id) << 16) % (MAX_SEQUENCE + 1))).collect());
    }
    (leaves, sequences)
}

fn some_names(from: u32, to: u32) -> impl Iterator<Item = Vec<u8>> {
    (from..to).map(|number| [&number.to_be_bytes()[..], &vec![b'n'; number as usize % 40]].concat())
}

#[test]
fn columns_that_come_when_members_are_there_lie_beside_the_records() {
    let mut members = Members::large();
    let mut columns = vec![members.add_leaf_column(), members.add_sequence_column()];
    let mut ids: Vec<_> = some_names(0, 50).map(|name| members.insert(&name).unwrap()).collect();
    columns.extend([members.add_leaf_column(), members.add_sequence_column()]);
    ids.extend(some_names(50, 100).map(|name| members.insert(&name).unwrap()));
    for column in &columns {
        assert_eq!(members.index_members(*column, None).leaf(ids[7]), NO_LEAF);
    }
    let (leaves, sequences) = fill(&mut members, &columns, &ids, 1_000_003);
    check_columns(&members, &columns, &leaves, &sequences);
    for (name, id) in some_names(0, 100).zip(&ids) {
        assert_eq!((members.find(&name), members.name(*id)), (Some(*id), &name[..]));
    }
    // The new member gets the record of a removed member, but none of the removed member's numbers.
    members.remove(ids[3]);
    let again = members.insert(&some_names(3, 4).next().unwrap()).unwrap();
    assert_eq!(again, ids[3]);
    assert_eq!(
        columns.iter().map(|column| members.index_members(*column, None).leaf(again)).min(),
        Some(NO_LEAF)
    );
    // After all records were removed, new records have room for the new columns.
    ids.iter().for_each(|id| members.remove(*id));
    assert!(members.beside.as_ref().is_none_or(|beside| beside.is_empty()));
    columns.extend([members.add_leaf_column(), members.add_sequence_column()]);
    let ids: Vec<_> = some_names(0, 200).map(|name| members.insert(&name).unwrap()).collect();
    let (leaves, sequences) = fill(&mut members, &columns, &ids, 998_244_353);
    check_columns(&members, &columns, &leaves, &sequences);
}

#[test]
fn columns_of_few_members_move_into_the_records_when_these_become_many() {
    let mut members = Members::default();
    let mut columns = vec![members.add_leaf_column(), members.add_sequence_column()];
    let ids: Vec<_> = some_names(0, 60).map(|name| members.insert(&name).unwrap()).collect();
    columns.extend([members.add_leaf_column(), members.add_sequence_column()]);
    let (leaves, sequences) = fill(&mut members, &columns, &ids, 1_000_003);
    check_columns(&members, &columns, &leaves, &sequences);
    let numbers = members.enlarge().unwrap();
    for column in [columns[1], columns[3]] {
        members.move_column(column, &numbers);
    }
    assert!(members.beside.as_ref().is_none_or(|beside| beside.is_empty()));
    let renumbered = |values: ColumnValues| -> ColumnValues {
        let one = |values: HashMap<MemberId, u64>| {
            values.into_iter().map(|(id, value)| (numbers.of(id), value)).collect()
        };
        values.into_iter().map(one).collect()
    };
    check_columns(
        &members,
        &columns,
        &ColumnValues::from([HashMap::new(), HashMap::new()]),
        &renumbered(sequences),
    );
    let ids: Vec<_> = some_names(0, 60).map(|name| members.find(&name).unwrap()).collect();
    columns.extend([members.add_leaf_column(), members.add_sequence_column()]);
    let (leaves, sequences) = fill(&mut members, &columns, &ids, 17);
    check_columns(&members, &columns, &leaves, &sequences);
}

/// A step on one of a few members: it sets a number in a column, clears it, or lets the member leave or come again.
fn column_steps() -> impl Strategy<Value = Vec<(usize, usize, Option<Option<u64>>)>> {
    let number = prop_oneof![
        0..4_u64,
        0xfffc..0x1_0003_u64,
        (1..=256_u64, 0..3_u64).prop_map(|(quotient, more)| quotient * 0xffff + more - 1),
        0..0x200_0000_u64,
    ];
    let step = prop_oneof![8 => number.prop_map(|number| Some(Some(number))), 2 => Just(Some(None)), 1 => Just(None)];
    proptest::collection::vec((0..300_usize, 0..5_usize, step), 0..600)
}

proptest! {
    #[test]
    fn columns_as_maps(steps in column_steps()) {
        let mut members = Members::large();
        let mut columns = vec![members.add_short_column(), members.add_leaf_column(), members.add_short_column()];
        let names: Vec<_> = some_names(0, 300).collect();
        let mut ids: Vec<_> = names.iter().map(|name| members.insert(name).unwrap()).collect();
        columns.extend([members.add_short_column(), members.add_leaf_column()]);
        let mut model = HashMap::new();
        for (member, column, step) in steps {
            match step {
                Some(Some(number)) => {
                    members.set(ids[member], columns[column], number);
                    model.insert((member, column), number);
                }
                Some(None) => {
                    members.clear(ids[member], columns[column]);
                    model.remove(&(member, column));
                }
                None => {
                    members.remove(ids[member]);
                    ids[member] = members.insert(&names[member]).unwrap();
                    model.retain(|(other, _), _| *other != member);
                }
            }
        }
        walk_all(|from, mover| Relocation::run(from, mover, |walk| members.relocate(walk)));
        let copy = members.clone();
        for (member, id) in ids.iter().enumerate() {
            for (number, column) in columns.iter().enumerate() {
                let expected = model.get(&(member, number)).copied();
                prop_assert_eq!(copy.get(*id, *column), expected, "member {}, column {}", member, number);
            }
        }
        ids.iter().for_each(|id| members.remove(*id));
        prop_assert!(members.beside.as_ref().is_none_or(|beside| beside.is_empty()));
    }
}

#[test]
fn upper_bytes_take_a_byte_for_the_smallest_record() {
    let mut members = Members::large();
    let (_, column) = (members.add_leaf_column(), members.add_short_column());
    let ids: Vec<_> = (0..10_000).map(|n| members.insert(format!("{n:04}").as_bytes()).unwrap()).collect();
    let before = members.memory();
    ids.iter().for_each(|id| members.set(*id, column, 70_000));
    // Records of 12 bytes, of which the smallest have 8.
    let taken = members.memory() - before;
    assert!((15_000..25_000).contains(&taken), "{taken} bytes");
    ids.iter().for_each(|id| members.set(*id, column, 5));
    assert!(members.memory() - before < 200);
}
