//! Scores that remain in a window when a period expires: their values, their order, and the write that they
//! come from.

use super::*;

/// Returns a write on a clock of events, this number of days and milliseconds after `MONDAY`.
fn on(day: u64, into: u64) -> Write<'static> {
    late(0, day * DAY + into)
}

/// Runs a test on a board with few members, and on a board with many members.
fn both(test: impl Fn(&mut dyn FnMut(&mut Board))) {
    test(&mut |_| {});
    test(&mut |board| crowd(board, &on(0, 0)));
}

#[test]
fn equals_of_one_millisecond_keep_their_order_where_a_better_score_expires() {
    both(|fill| {
        for (aggregate, sign) in [(Aggregate::Max, 1), (Aggregate::Min, -1)] {
            let order_by = if sign == 1 { Order::Desc } else { Order::Asc };
            let schema = Schema { order: order_by, ..on_events(aggregate) };
            let mut board = board(schema, &[spec("day:2", 2)]);
            if sign == 1 {
                fill(&mut board);
            }
            add(&mut board, &on(0, 0), 9 * sign, b"bob").unwrap();
            add(&mut board, &on(1, 0), 5 * sign, b"ann").unwrap();
            add(&mut board, &on(1, 0), 5 * sign, b"bob").unwrap();
            add(&mut board, &on(2, 0), sign, b"zoe").unwrap();
            let expected = lines(&[("ann", 5 * sign), ("bob", 5 * sign), ("zoe", sign)]);
            assert_eq!(order(&board, "day:2", When::Now), expected);
            assert!(saved(&loaded(&saved(&board))) == saved(&board));
        }
    });
}

#[test]
fn a_score_set_to_what_it_is_counts_in_the_period_in_which_it_was_set() {
    for aggregate in [Aggregate::Max, Aggregate::Min, Aggregate::Last] {
        let mut board = board(on_events(aggregate), &[spec("day:2", 2), spec("day", 2)]);
        add(&mut board, &on(0, 0), 5, b"ann").unwrap();
        set(&mut board, &on(1, 0), 5, b"ann").unwrap();
        assert_eq!(order(&board, "day:2", When::Now), lines(&[("ann", 5)]));
        add(&mut board, &on(2, 0), 1, b"zoe").unwrap();
        assert_eq!(order(&board, "day:2", When::Now), lines(&[("ann", 5), ("zoe", 1)]), "{aggregate}");
    }
}

#[test]
fn a_late_event_in_a_view_added_later_leaves_with_its_own_period() {
    let mut board = board(on_events(Aggregate::Last), &[spec("all", 2)]);
    add(&mut board, &on(1, 0), 3, b"ann").unwrap();
    alter_views(&mut board, "day:2", Edit::Add);
    add(&mut board, &on(0, 0), 7, b"ann").unwrap();
    assert_eq!(order(&board, "day:2", When::Now), lines(&[("ann", 7)]));
    add(&mut board, &on(2, 0), 1, b"zoe").unwrap();
    assert_eq!(order(&board, "day:2", When::Now), lines(&[("zoe", 1)]));
    assert_eq!(order(&board, "all", When::Now), lines(&[("ann", 3), ("zoe", 1)]));
}

#[test]
fn the_latest_event_is_that_of_each_view() {
    // A late write that only the new view counts removes no member from the old view.
    let mut board = board(on_events(Aggregate::Last), &[spec("day:2", 2)]);
    add(&mut board, &on(8, 0), 1, b"ann").unwrap();
    add(&mut board, &on(9, 0), 1, b"ann").unwrap();
    alter_views(&mut board, "all", Edit::Add);
    add(&mut board, &on(0, 0), 2, b"ann").unwrap();
    add(&mut board, &on(10, 0), 0, b"cat").unwrap();
    assert_eq!(order(&board, "day:2", When::Now), lines(&[("ann", 1), ("cat", 0)]));
    // In the new view, the latest event that this view has counted wins.
    add(&mut board, &on(1, 0), 3, b"ann").unwrap();
    add(&mut board, &on(1, 0), 4, b"ann").unwrap();
    assert_eq!(order(&board, "all", When::Now), lines(&[("ann", 4), ("cat", 0)]));
    assert!(saved(&loaded(&saved(&board))) == saved(&board));
}

#[test]
fn late_points_stay_out_of_an_ended_period_whose_only_member_was_removed() {
    const MINUTE: u64 = 60_000;
    let mut board = board(plain(), &[spec("minute:5", 1)]);
    set(&mut board, &at(0), 0, b"ann").unwrap();
    set(&mut board, &at(4 * MINUTE), 0, b"ann").unwrap();
    add(&mut board, &late(6 * MINUTE, 5 * MINUTE), 1, b"bob").unwrap();
    add(&mut board, &late(6 * MINUTE, 4 * MINUTE), 0, b"bob").unwrap();
    board.remove(b"ann");
    for board in [&board, &loaded(&saved(&board))] {
        let members: Vec<_> = board.periods(b"minute:5").unwrap().iter().map(|kept| kept.members).collect();
        assert_eq!(members, [1, 0]);
    }
}

#[test]
fn who_is_only_in_the_oldest_period_that_can_be_read_can_be_removed() {
    let mut board = board(plain(), &[carry("hour", "0.5", 1)]);
    for (points, name) in [(8, b"bob"), (2, b"ann")] {
        add(&mut board, &at(0), points, name).unwrap();
    }
    board.advance(MONDAY + 2 * HOUR);
    assert_eq!(order(&board, "hour", When::Now), []);
    assert_eq!(order(&board, "hour", When::Back(1)), lines(&[("bob", 4), ("ann", 1)]));
    assert!(board.remove(b"ann"));
    assert_eq!(order(&board, "hour", When::Back(1)), lines(&[("bob", 4)]));
}

#[test]
fn a_score_that_was_set_has_its_moment_also_where_the_member_had_it_in_that_period_before() {
    for (ties, expected) in [(Ties::First, [("bob", 5), ("ann", 5)]), (Ties::Last, [("ann", 5), ("bob", 5)])]
    {
        let mut board = board(Schema { ties, ..on_events(Aggregate::Max) }, &[spec("day:3", 2)]);
        add(&mut board, &on(0, 0), 6, b"ann").unwrap();
        add(&mut board, &on(1, 10), 5, b"ann").unwrap();
        add(&mut board, &on(1, 20), 5, b"bob").unwrap();
        set(&mut board, &on(1, 30), 5, b"ann").unwrap();
        assert_eq!(order(&board, "day:3", When::Now), lines(&expected), "{ties}");
        add(&mut board, &on(0, 40), 6, b"ann").unwrap();
        add(&mut board, &on(3, 0), 1, b"zoe").unwrap();
        assert_eq!(order(&board, "day:3", When::Now)[..2], lines(&expected), "{ties}");
    }
}
