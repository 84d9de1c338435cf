//! Members against a map of names.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

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
    let numbers: HashMap<_, _> = members.enlarge().unwrap().into_iter().collect();
    let renumbered = model.into_iter().map(|(name, id)| (name, *numbers.get(&id).unwrap_or(&id)));
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
    let id = members.insert(b"ann").unwrap();
    assert_eq!(members.leaf(id), NO_LEAF);
    members.set_leaf(id, 77);
    assert_eq!((members.leaf(id), members.name(id)), (77, &b"ann"[..]));
}
