//! Saves parts and roots of boards, and loads them with whole and with damaged bytes.

use super::*;
use crate::board::Alter;
use crate::campaign::RuleChanges;
use crate::parts::{Parts, Role};

fn parts(number: u16) -> Parts {
    Parts::new(number, "PARTS").unwrap()
}

fn board(role: Role) -> Board {
    let kinds = [Kind::All, Kind::Periods { unit: Unit::Day, count: 1 }];
    let mut board = Board::new(Schema { role, ..Schema::default() }, &kinds.map(Spec::new)).unwrap();
    let voting = RuleChanges { opens: Some(5), ..RuleChanges::default() };
    board.alter(&Alter { voting, dedup: Some(7), ..Alter::default() }).unwrap();
    board
}

#[test]
fn what_a_board_is_comes_back() {
    let part = |number, of| Role::Part { number, parts: parts(of) };
    let roles = [Role::Whole, Role::Root(parts(2)), Role::Root(parts(1024)), part(0, 2), part(1023, 1024)];
    for role in roles {
        let mut board = board(role);
        if role.part() == Some(0) {
            board.add(&write(NOW), Decimal::whole(5), b"ann").unwrap();
        }
        let loaded = load(&saved(&board)).unwrap();
        assert_eq!((loaded.schema().role, loaded.rules_hash()), (role, board.rules_hash()));
        assert_eq!(saved(&loaded), saved(&board));
        assert_eq!(loaded.refusal().is_some(), matches!(role, Role::Root(_)));
    }
}

/// Returns the index of the role in the bytes of a head.
fn place(board: &Board) -> usize {
    let heads = [2, 4].map(|number| {
        let mut board = board.clone();
        board.schema.role = Role::Root(parts(number));
        saved(&board).swap_remove(0)
    });
    heads[0].iter().zip(&heads[1]).position(|(one, other)| one != other).unwrap()
}

/// The length of a catalogue entry without numbers. The head of a whole board has none.
const CATALOG: usize = 7;

/// A plain board that is being spread has an entry with its incarnation and the attempt, and with nothing else.
#[test]
fn the_entry_of_a_plain_board_names_an_attempt() {
    let mut plain = board(Role::Whole);
    plain.hold_for_parts((5, 7), (NOW, NOW + 9)).unwrap();
    let chunks = saved(&plain);
    assert_eq!(load(&chunks).unwrap().catalog(), plain.catalog());
    let (head, at) = (&chunks[0], place(&plain) + 2);
    for (byte, wrong) in [(0, 0), (1, 1), (2, 1), (3, 1), (4, 2)] {
        let mut head = head.clone();
        head[at + byte] = wrong;
        assert_eq!(Board::load(&head).err(), Some(Error::Corrupt("the catalogue entry")), "{byte}");
    }
}

#[test]
fn wrong_numbers_are_corrupt() {
    let root = board(Role::Root(parts(2)));
    let (mut head, at) = (saved(&root).swap_remove(0), place(&root));
    for (number, part, is_sound) in
        [(0, 0, true), (0, 1, false), (1, 0, false), (2, 0, true), (2, 2, true), (2, 3, false), (3, 0, false)]
    {
        (head[at], head[at + 1]) = (number, part);
        let mut head = head.clone();
        if number == 0 {
            head.drain(at + 2..at + 2 + CATALOG);
        }
        assert_eq!(Board::load(&head).is_ok(), is_sound, "{number} {part}");
    }
}

/// The saved bytes contain members of a part, but the head declares the board as a root.
#[test]
fn a_root_has_nothing_but_rules() {
    let role = Role::Part { number: 0, parts: parts(2) };
    let mut of_part = board(role);
    of_part.add(&write(NOW), Decimal::whole(5), b"ann").unwrap();
    let mut chunks = saved(&of_part);
    assert!(load(&chunks).is_some());
    chunks[0][place(&of_part) + 1] = 0;
    assert!(load(&chunks).is_none());
}

#[test]
fn parts_have_no_rules_that_need_all_members() {
    let schema = Schema { declared: true, dedup: 7, ..Schema::default() };
    let board = Board::new(schema, &[Spec::new(Kind::All)]).unwrap();
    let mut head = saved(&board).swap_remove(0);
    assert!(Board::load(&head).is_ok_and(|board| board.schema().declared));
    let at = place(&board);
    head[at] = 2;
    head.splice(at + 2..at + 2, [0; CATALOG]);
    assert_eq!(Board::load(&head).err(), Some(Error::Corrupt("the schema")));
}
