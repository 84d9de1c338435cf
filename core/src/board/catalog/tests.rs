use super::*;
use crate::board::{parse_edits, parse_views};
use crate::catalog::Hold;
use crate::parts::Parts;
use proptest::prelude::*;
use proptest::sample::subsequence;

fn parts() -> Parts {
    Parts::new(8, "PARTS").unwrap()
}

fn made(role: Role, views: &[u8], entry: CatalogEntry) -> Board {
    let schema = Schema { role, ..Schema::default() };
    let mut board = Board::new(schema, &parse_views(views).unwrap()).unwrap();
    board.set_catalog(entry).unwrap();
    board
}

fn entry(incarnation: u64, revision: u64, state: State) -> CatalogEntry {
    CatalogEntry { incarnation, revision, state, ..CatalogEntry::default() }
}

fn adopt(board: &mut Board, from: &Board, revision: u64) -> Result<(), Error> {
    let rules = from.rules();
    board.adopt(from.catalog().incarnation, revision, (&rules.schema, &rules.specs, &rules.voting))
}

fn reloaded(board: &Board) -> Board {
    let mut chunks: Vec<Vec<u8>> = Vec::new();
    board.save(|chunk| chunks.push(chunk.to_vec()));
    let mut loaded = Board::load(&chunks[0]).unwrap();
    chunks[1..].iter().for_each(|chunk| _ = loaded.load_chunk(chunk).unwrap());
    loaded
}

#[test]
fn the_entry_is_saved() {
    let saved = CatalogEntry {
        incarnation: (1 << 63) - 1,
        revision: 7,
        request: 12,
        state: State::Altering,
        ..CatalogEntry::default()
    };
    let growing = CatalogEntry { state: State::Growing, target: parts().doubled(), ..saved };
    let split = CatalogEntry { hold: Some(Hold::Split { token: 5, until: 1_700_000_000_000 }), ..saved };
    let copy = CatalogEntry { hold: Some(Hold::Copy { token: 5 }), ..saved };
    let restoring = CatalogEntry { state: State::Restoring, ..saved };
    for role in [Role::Root(parts()), Role::Part { number: 3, parts: parts() }] {
        for saved in [saved, growing, split, copy, restoring] {
            let board = made(role, b"all,day", saved);
            let loaded = reloaded(&board);
            assert_eq!((loaded.catalog(), loaded.rules_hash()), (saved, board.rules_hash()));
        }
    }
}

#[test]
fn the_rules_of_a_board_that_is_restored_stay() {
    let restoring = entry(5, 3, State::Restoring);
    assert_eq!(restoring.altered(Some(4), 9), Err(Error::Stale("state")));
    assert_eq!(restoring.adopted(4, true), Err(Error::Stale("state")));
    assert_eq!(restoring.completed(2, true), Err(Error::Stale("revision")));
    let whole = CatalogEntry { request: 9, ..restoring }.completed(3, false);
    assert_eq!(whole, Ok(CatalogEntry { request: 9, ..entry(5, 3, State::Whole) }));
    assert_eq!(entry(5, 3, State::Whole).reborn(6), entry(6, 3, State::Whole));
}

#[test]
fn a_whole_board_has_no_entry() {
    let mut board = Board::new(Schema::default(), &parse_views(b"all").unwrap()).unwrap();
    assert_eq!(board.set_catalog(entry(5, 0, State::Whole)), Err(Error::NeedsParts("INCARNATION")));
    assert_eq!(board.alter_numbered(&Alter::default(), Some(1), None), Err(Error::NeedsParts("REVISION")));
    assert_eq!(board.bound_entry(0), Err(Error::NotAPart));
    assert_eq!(board.catalog(), CatalogEntry::default());
}

#[test]
fn only_the_next_number_alters_a_root() {
    let mut root = made(Role::Root(parts()), b"all", entry(5, 3, State::Whole));
    let alter = Alter { views: parse_edits(b"+day").unwrap(), ..Alter::default() };
    for revision in [3, 5] {
        assert_eq!(root.alter_numbered(&alter, Some(revision), Some(9)), Err(Error::Stale("revision")));
    }
    assert_eq!((root.specs().count(), root.state()), (1, State::Whole));
    root.alter_numbered(&alter, Some(4), Some(9)).unwrap();
    assert_eq!(root.catalog(), CatalogEntry { request: 9, ..entry(5, 4, State::Altering) });
    // A refused change of rules does not take a number.
    assert!(root.alter_numbered(&alter, Some(5), Some(9)).is_err());
    assert_eq!(root.catalog().revision, 4);
}

#[test]
fn a_board_that_ends_takes_no_rules() {
    let mut root = made(Role::Root(parts()), b"all", entry(5, 3, State::Ending));
    let other = made(Role::Root(parts()), b"all,day", entry(5, 4, State::Whole));
    assert_eq!(root.alter_numbered(&Alter::default(), None, None), Err(Error::Stale("state")));
    assert_eq!(adopt(&mut root, &other, 4), Err(Error::Stale("state")));
    assert_eq!(root.catalog().completed(3, true), Err(Error::Stale("state")));
}

#[test]
fn rules_of_another_board_are_not_adopted() {
    let mut part = made(Role::Part { number: 3, parts: parts() }, b"all", entry(5, 3, State::Whole));
    let other = made(Role::Root(parts()), b"all,day", entry(6, 4, State::Whole));
    assert_eq!(adopt(&mut part, &other, 4), Err(Error::Stale("incarnation")));
    let mut other = made(Role::Root(parts()), b"all,day", entry(5, 4, State::Whole));
    assert_eq!(adopt(&mut part, &other, 2), Err(Error::Stale("revision")));
    other.schema.decimals = 2;
    assert_eq!(adopt(&mut part, &other, 4), Err(Error::OtherRules));
    assert_eq!((part.catalog().revision, part.specs().count()), (3, 1));
}

#[test]
fn the_incarnation_is_in_the_hash_of_the_rules() {
    let hash =
        |incarnation| made(Role::Root(parts()), b"all", entry(incarnation, 3, State::Whole)).rules_hash();
    assert_ne!(hash(5), hash(6));
    assert_ne!(hash(5), hash(0));
    let later = made(Role::Root(parts()), b"all", entry(5, 4, State::Making)).rules_hash();
    assert_eq!(hash(5), later);
}

/// These values were recorded. A gateway and servers of different versions work together only if they never change.
#[test]
fn hashes_are_the_same_in_all_versions() {
    let root = made(Role::Root(parts()), b"all", entry(0, 0, State::Whole));
    let part = made(Role::Part { number: 7, parts: parts() }, b"all,day,week", entry(77, 2, State::Whole));
    assert_eq!([root.rules_hash(), part.rules_hash()], RECORDED);
}

const RECORDED: [u64; 2] = [965_077_042_036_779_467, 6_458_162_900_509_165_360];

proptest! {
    /// A part takes the rules of its root, in whatever order either got its views.
    #[test]
    fn a_part_that_adopts_the_rules_agrees_with_its_root(
        one in subsequence(vec!["day", "week", "month", "day:3"], 0..=4).prop_shuffle(),
        other in subsequence(vec!["day", "week", "month", "day:3"], 0..=4).prop_shuffle(),
        dedup in 0..3_u32,
    ) {
        let list = |views: &[&str]| [&["all"], views].concat().join(",").into_bytes();
        let mut root = made(Role::Root(parts()), &list(&one), entry(5, 3, State::Whole));
        root.alter_numbered(&Alter { dedup: Some(dedup), ..Alter::default() }, Some(4), None).unwrap();
        let mut part = made(Role::Part { number: 1, parts: parts() }, &list(&other), entry(5, 1, State::Whole));
        adopt(&mut part, &root, 4).unwrap();
        prop_assert_eq!(part.rules_hash(), root.rules_hash());
        prop_assert_eq!(part.catalog(), entry(5, 4, State::Whole));
        prop_assert_eq!(reloaded(&part).rules_hash(), root.rules_hash());
    }
}
