//! The counts that a board keeps of its own work.

use super::*;

fn figures(board: &Board) -> [u64; 3] {
    let figures = board.figures();
    [figures.writes, figures.repeated, figures.votes]
}

fn held_back(board: &Board) -> Vec<(String, u64)> {
    let name = |name: &[u8]| String::from_utf8(name.to_vec()).unwrap();
    board.held_back().map(|(rule, count)| (name(rule), count)).collect()
}

fn asked(now: u64, request: &'static [u8]) -> Write<'static> {
    Write { request: Some(request), ..at(now) }
}

#[test]
fn writes_and_repeats_are_counted_and_what_is_refused_is_not() {
    let mut board = new(plain());
    add(&mut board, &asked(5, b"one"), 1, b"ann").unwrap();
    assert_eq!(figures(&board), [1, 0, 0]);
    add(&mut board, &asked(6, b"one"), 1, b"ann").unwrap();
    assert_eq!(figures(&board), [1, 1, 0]);
    add(&mut board, &asked(6, b"one"), 2, b"ann").unwrap_err();
    let present = Condition { present: Some(false), compared: None };
    board.set(&at(7), Decimal::whole(5), b"ann", present).unwrap();
    board.set_meta(b"ann", b"text").unwrap();
    assert!(board.remove(b"ann"));
    assert_eq!(figures(&board), [1, 1, 0]);
    let names: Vec<_> = (0..1_200).map(|number| format!("m{number}")).collect();
    let pairs: Vec<_> = names.iter().map(|name| (Score::from_units(1).unwrap(), name.as_bytes())).collect();
    board.import(&at(8), &pairs).unwrap();
    assert_eq!(figures(&board), [2, 1, 0]);
    assert_eq!(figures(&board.clone()), [2, 1, 0]);
    assert_eq!(figures(&loaded(&saved(&board))), [0, 0, 0]);
}

#[test]
fn votes_are_counted_by_what_held_them_back() {
    let mut board = limited(plain(), &["all"], &["day voter 2 day", "flood member 3 day"]);
    alter(&mut board, RuleChanges { closes: Some(MONDAY + 100), ..RuleChanges::default() });
    let mut vote = |now, voter: &[u8], votes| {
        let ballot = Ballot { voter: Some(voter), tags: &[] };
        board.vote(&at(now), &ballot, (b"ann", votes)).unwrap();
    };
    vote(1, b"v", 2);
    vote(2, b"v", 1);
    vote(3, b"v", 1);
    vote(4, b"w", 1);
    vote(5, b"w", 1);
    vote(100, b"w", 1);
    let count = |closed: u64, day: u64, flood: u64| {
        vec![("closed".to_owned(), closed), ("day".to_owned(), day), ("flood".to_owned(), flood)]
    };
    assert_eq!((figures(&board), held_back(&board)), ([2, 0, 2], count(1, 2, 1)));
    // When a rule is removed, its count is removed too.
    let lifted = vec![b"day".to_vec()];
    alter(
        &mut board,
        RuleChanges { lifted, limits: vec![limit("flood member 9 day")], ..RuleChanges::default() },
    );
    alter(&mut board, RuleChanges { limits: vec![limit("day voter 1 day")], ..RuleChanges::default() });
    assert_eq!(held_back(&board), [("closed".to_owned(), 1), ("flood".to_owned(), 1), ("day".to_owned(), 0)]);
}
