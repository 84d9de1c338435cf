//! Gives the members of an index new keys, and compares the new index with a sorted list.

use super::*;

/// Makes scores equal, and lets some leave: the new index must be the sorted list of the new keys.
pub fn refill(index: &Index, members: &Leaves, model: &Model) {
    let ties = model.ties;
    let worst = model.list.last().map_or(0, |(key, _)| key.rank_key);
    for (divisor, leaving) in
        [(1, u64::MAX), (3, 4), (1_000, 0), (1 << 20, 1 << 42), (u64::MAX, 1), (7, worst / 7)]
    {
        let order = |a: &(Key, MemberId), b: &(Key, MemberId)| {
            compare_keys(ties, a.0, b.0).then_with(|| match ties {
                Ties::Lex => a.1.cmp(&b.1),
                Ties::RevLex => b.1.cmp(&a.1),
                Ties::First | Ties::Last => Ordering::Equal,
            })
        };
        let change = |entries: &mut [(Key, MemberId)]| {
            entries.iter_mut().for_each(|(key, _)| key.rank_key /= divisor);
        };
        let mut list = model.list.clone();
        change(&mut list);
        list.retain(|(key, _)| key.rank_key != leaving);
        list.sort_by(order);
        let mut leaves = Leaves { leaves: members.leaves.clone(), sequences: None };
        assert_eq!(NewKeys { change, order, leaving }.entries_of(index), list);
        let (new, moved) = index.refilled(NewKeys { change, order, leaving });
        store_moved(&moved, &mut leaves);
        new.check(&leaves);
        assert_eq!(new.iter_from(0).collect::<Vec<_>>(), list);
    }
}

#[test]
fn equal_scores_of_many_leaves() {
    for ties in [Ties::First, Ties::Last, Ties::Lex, Ties::RevLex] {
        let mut list: Vec<_> = (0..30_000_u32)
            .map(|number| {
                let hash = number.wrapping_mul(2_654_435_761);
                let rank_key = u64::from(hash % 400);
                // Leaves of equal moments are narrow. They get entries with other moments, and need another leaf then.
                let moment = if rank_key % 2 == 0 { 1 << 20 } else { u64::from(hash) >> (hash % 24) };
                (Key { rank_key, moment }, id_of(number))
            })
            .collect();
        list.sort_by(|a, b| {
            compare_keys(ties, a.0, b.0).then(if ties == Ties::RevLex {
                b.1.cmp(&a.1)
            } else {
                a.1.cmp(&b.1)
            })
        });
        let (mut index, mut members) = (Index::tree(ties), Leaves::default());
        index.append_all(&list, &mut members);
        index.check(&members);
        refill(&index, &members, &Model { ties, list });
    }
}

#[test]
fn leaves_of_narrow_entries_are_loose() {
    let key = |number: u32| Key { rank_key: u64::from(number) << 40 | 0xffff_ffff, moment: 5 };
    let list: Vec<_> = (0..10_000).map(|number| (key(number), id_of(number))).collect();
    let (mut index, mut members) = (Index::tree(Ties::First), Leaves::default());
    index.append_all(&list, &mut members);
    assert!(!index.is_loose());
    let change = |entries: &mut [(Key, MemberId)]| {
        entries.iter_mut().for_each(|(key, _)| key.rank_key >>= 40);
    };
    let new = NewKeys { change, order: |_: &_, _: &_| Ordering::Less, leaving: u64::MAX };
    let (narrow, moved) = index.refilled(new);
    assert!(moved.is_empty() && narrow.is_loose() && narrow.memory() == index.memory());
    let entries: Vec<_> = narrow.iter_from(0).collect();
    let mut built = Index::tree(Ties::First);
    built.append_all(&entries, &mut members);
    assert!(!built.is_loose() && built.memory() < narrow.memory() * 2 / 3);
}
