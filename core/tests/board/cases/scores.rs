//! Scores, their moments and their range, on boards with the one view `all`.

use super::*;

/// Returns a write whose event happened this number of milliseconds after `MONDAY`. The current time is long
/// after that.
fn then(event: u64) -> Write<'static> {
    late(1_000_000, event)
}

/// Returns a member's score, and the moment of the score in milliseconds after `MONDAY`.
fn stands(board: &Board, member: &[u8]) -> Option<(i64, u64)> {
    let standing = now(board).standing(member, Ranks::Ordinal)?;
    Some((standing.score.units(), standing.at? - MONDAY))
}

fn names(board: &Board) -> Vec<&[u8]> {
    now(board).rows(0, u64::MAX, Ranks::Ordinal).map(|row| board.name(row.id)).collect()
}

#[test]
fn no_points_enter_an_absent_member_with_score_zero() {
    for aggregate in [Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last] {
        let mut board = new(of(aggregate));
        let outcome = add(&mut board, &then(5), 0, b"ann").unwrap();
        assert!(matches!(outcome.effect, Effect::Applied(_)));
        assert_eq!(stands(&board, b"ann"), Some((0, 5)), "{aggregate}");
    }
}

#[test]
fn a_write_that_leaves_a_score_as_it_is_keeps_its_moment() {
    for (aggregate, points) in [
        (Aggregate::Sum, 0),
        (Aggregate::Max, 7),
        (Aggregate::Max, 6),
        (Aggregate::Min, 7),
        (Aggregate::Min, 8),
        (Aggregate::Last, 7),
    ] {
        let mut board = new(of(aggregate));
        add(&mut board, &then(5), 7, b"ann").unwrap();
        add(&mut board, &then(9), points, b"ann").unwrap();
        set(&mut board, &then(11), 7, b"ann").unwrap();
        assert_eq!(stands(&board, b"ann"), Some((7, 5)), "{aggregate} {points}");
    }
}

#[test]
fn a_late_write() {
    for (aggregate, points, expected) in [
        (Aggregate::Sum, 3, (10, 50)),
        (Aggregate::Max, 9, (9, 20)),
        (Aggregate::Min, 3, (3, 20)),
        (Aggregate::Last, 3, (7, 50)),
    ] {
        let mut board = new(of(aggregate));
        add(&mut board, &then(50), 7, b"ann").unwrap();
        add(&mut board, &then(20), points, b"ann").unwrap();
        assert_eq!(stands(&board, b"ann"), Some(expected), "{aggregate}");
    }
    let mut sum = new(of(Aggregate::Sum));
    add(&mut sum, &then(50), 7, b"ann").unwrap();
    set(&mut sum, &then(20), 3, b"ann").unwrap();
    assert_eq!(stands(&sum, b"ann"), Some((3, 50)));
}

/// Returns all orders in which this number of events can arrive.
fn permutations(len: usize) -> Vec<Vec<usize>> {
    if len == 0 {
        return vec![Vec::new()];
    }
    let insert = |rest: Vec<usize>, place: usize| [&rest[..place], &[len - 1], &rest[place..]].concat();
    permutations(len - 1)
        .into_iter()
        .flat_map(|rest| (0..len).map(move |place| insert(rest.clone(), place)))
        .collect()
}

#[test]
fn on_a_last_board_the_latest_event_wins_in_whatever_order_they_come() {
    // The two latest events have the same score. The later one does not change the moment of the score, but
    // it keeps out every older event.
    let events = [(10, 1), (20, 2), (25, 3), (30, 2), (40, 2)];
    for order in permutations(events.len()) {
        let (mut live, mut reloaded) = (new(of(Aggregate::Last)), new(of(Aggregate::Last)));
        for (after, score) in order.iter().map(|number| events[*number]) {
            add(&mut live, &then(after), score, b"ann").unwrap();
            set(&mut reloaded, &then(after), score, b"ann").unwrap();
            reloaded = loaded(&saved(&reloaded));
        }
        assert_eq!(now(&live).score(b"ann").map(Score::units), Some(2), "{order:?}");
        assert_eq!(saved(&live), saved(&reloaded), "{order:?}");
    }
}

#[test]
fn a_later_event_with_the_same_score_keeps_an_older_one_out() {
    let mut board = new(of(Aggregate::Last));
    for (after, score, expected) in
        [(10, 1, (1, 10)), (30, 1, (1, 10)), (20, 2, (1, 10)), (30, 3, (3, 30)), (29, 4, (3, 30))]
    {
        add(&mut board, &then(after), score, b"ann").unwrap();
        assert_eq!(stands(&board, b"ann"), Some(expected), "{score} at {after}");
    }
    // A member that was removed begins anew when it gets points again.
    assert!(board.remove(b"ann"));
    add(&mut board, &then(5), 9, b"ann").unwrap();
    assert_eq!(stands(&board, b"ann"), Some((9, 5)));
}

#[test]
fn ten_thousand_equals_keep_the_order_in_which_they_came() {
    let name = |number: u32| format!("{:04x}", number.wrapping_mul(40_503) & 0xffff).into_bytes();
    let arrived: Vec<_> = (0..10_000).map(name).collect();
    for ties in [Ties::First, Ties::Last, Ties::Lex, Ties::RevLex] {
        let mut expected: Vec<&[u8]> = arrived.iter().map(|name| &name[..]).collect();
        match ties {
            Ties::First => {}
            Ties::Last => expected.reverse(),
            Ties::Lex => expected.sort_unstable(),
            Ties::RevLex => expected.sort_unstable_by(|a, b| b.cmp(a)),
        }
        let mut one_by_one = new(Schema { ties, ..plain() });
        for member in &arrived {
            one_by_one.add(&then(5), Decimal::whole(3), member).unwrap();
        }
        let mut at_once = new(Schema { ties, ..plain() });
        let pairs: Vec<_> = arrived.iter().map(|name| (Decimal::whole(3), &name[..])).collect();
        at_once.add_many(&then(5), &pairs).unwrap();
        at_once.check();
        assert!(names(&one_by_one) == expected, "{ties}");
        assert!(names(&at_once) == expected, "{ties} in one command");
        assert!(names(&loaded(&saved(&one_by_one))) == expected, "{ties} loaded");
    }
}

#[test]
fn the_ends_of_the_range_are_exact() {
    for order in [Order::Desc, Order::Asc] {
        let mut board = new(Schema { order, ..plain() });
        let scores = [MOST, MOST - 1, MOST - 2, 0, -(MOST - 2), -(MOST - 1), -MOST];
        for score in scores {
            add(&mut board, &then(1), score, score.to_string().as_bytes()).unwrap();
        }
        let mut shown: Vec<_> =
            now(&board).rows(0, u64::MAX, Ranks::Ordinal).map(|row| row.score.units()).collect();
        if order == Order::Asc {
            shown.reverse();
        }
        assert_eq!(shown, scores);
        assert_eq!(saved(&loaded(&saved(&board))), saved(&board));
        assert_eq!(now(&board).count_between(Score::MIN, Score::MAX), 7);
        assert_eq!(now(&board).count_between(Score::MAX, Score::MAX), 1);
    }
}

#[test]
fn a_sum_out_of_range_is_an_error_and_changes_nothing() {
    let mut board = new(of(Aggregate::Sum));
    add(&mut board, &then(1), MOST - 1, b"top").unwrap();
    add(&mut board, &then(1), -MOST, b"low").unwrap();
    let before = saved(&board);
    let [top, low, new] = [&b"top"[..], b"low", b"new"];
    let lists: [&[(i64, &[u8])]; 6] = [
        &[(2, top)],
        &[(-1, low)],
        &[(MOST, new), (1, new), (-1, new)],
        &[(1, top), (1, top), (-2, top)],
        &[(5, new), (-1, low)],
        &[(-MOST, new), (-MOST, new), (MOST, new)],
    ];
    for list in lists {
        let pairs: Vec<_> = list.iter().map(|(points, name)| (Decimal::whole(*points), *name)).collect();
        let write = Write { request: Some(b"id"), ..then(3) };
        assert_eq!(board.add_many(&write, &pairs).err(), Some(Error::Overflow), "{list:?}");
        assert_eq!(saved(&board), before);
    }
    assert_eq!(add(&mut board, &then(2), 2, top).err(), Some(Error::Overflow));
    let pairs = [(1, top), (-1, top), (1, low), (MOST, new), (-1, new)];
    board.add_many(&then(3), &pairs.map(|(points, name)| (Decimal::whole(points), name))).unwrap();
    assert_eq!(
        pairs.map(|(_, name)| stands(&board, name).unwrap().0),
        [MOST - 1, MOST - 1, 1 - MOST, MOST - 1, MOST - 1]
    );
}

#[test]
fn only_a_sum_can_overflow() {
    for aggregate in [Aggregate::Max, Aggregate::Min, Aggregate::Last] {
        let mut board = new(of(aggregate));
        let pairs = [(Decimal::whole(MOST), &b"ann"[..]), (Decimal::whole(MOST), b"ann")];
        board.add_many(&then(1), &pairs).unwrap();
        assert_eq!(stands(&board, b"ann"), Some((MOST, 1)), "{aggregate}");
    }
}

#[test]
fn a_score_can_be_set_from_one_end_to_the_other() {
    for aggregate in [Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last] {
        let mut board = new(of(aggregate));
        for (after, score) in [(1, MOST), (2, -MOST), (3, MOST)] {
            set(&mut board, &then(after), score, b"ann").unwrap();
            assert_eq!(stands(&board, b"ann"), Some((score, after)), "{aggregate}");
        }
    }
}

#[test]
fn the_one_number_of_64_bits_that_is_no_score_is_refused() {
    let mut board = new(of(Aggregate::Sum));
    assert_eq!(add(&mut board, &then(1), i64::MIN, b"ann").err(), Some(Error::OutOfRange("points")));
    assert_eq!(set(&mut board, &then(1), i64::MIN, b"ann").err(), Some(Error::OutOfRange("score")));
    assert!(board.is_empty());
}

#[test]
fn few_members_with_the_longest_names_come_and_go() {
    let name = |number: u8| vec![number; 512];
    for len in [16, 70, 127, 128] {
        let mut board = new(of(Aggregate::Sum));
        let names: Vec<_> = (0..len).map(name).collect();
        let pairs: Vec<_> = names.iter().map(|name| (Decimal::whole(1), &name[..])).collect();
        board.add_many(&then(1), &pairs).unwrap();
        board.check();
        // The last member stays, so that the free space of all other members is one block.
        for name in &names[..names.len() - 1] {
            assert!(board.remove(name));
        }
        for short in 0..40_u8 {
            add(&mut board, &then(2), 1, &[short]).unwrap();
        }
        assert_eq!((board.len(), stands(&board, &names[names.len() - 1])), (41, Some((1, 1))), "{len}");
    }
}

#[test]
fn a_text_needs_no_score_and_stays_through_growth() {
    let mut board = new(of(Aggregate::Sum));
    assert_eq!(board.set_meta(b"fan", b""), Ok(false));
    assert_eq!(board.set_meta(b"fan", b"in the stands"), Ok(true));
    assert_eq!(board.set_meta(b"fan", b"in the stands"), Ok(false));
    assert_eq!((board.len(), stands(&board, b"fan")), (0, None));
    for number in 0..1_100_u32 {
        add(&mut board, &then(1), 1, &number.to_le_bytes()).unwrap();
    }
    let board = &mut loaded(&saved(&board));
    assert_eq!((board.len(), board.meta(b"fan")), (1_100, Some(&b"in the stands"[..])));
    add(board, &then(2), 4, b"fan").unwrap();
    assert_eq!(board.set_meta(b"fan", b""), Ok(true));
    assert_eq!((board.meta(b"fan"), stands(board, b"fan")), (None, Some((4, 2))));
}
