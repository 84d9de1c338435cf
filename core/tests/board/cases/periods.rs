//! Views over time: windows, carries, late writes, and clocks that leap.

use super::*;
use leaderboard_core::NativeType;
use leaderboard_core::parts::{Parts, Role};

const MINUTE: u64 = 60_000;

#[test]
fn a_share_is_carried_over_once_and_rounded_down() {
    let mut board = board(of(Aggregate::Sum), &[carry("day", "0.2", 2)]);
    for (points, name) in [(14, b"ann"), (4, b"bob"), (-1, b"cat")] {
        add(&mut board, &at(0), points, name).unwrap();
    }
    board.advance(MONDAY + DAY);
    assert_eq!(order(&board, "day", When::Now), lines(&[("ann", 2), ("cat", -1)]));
    // A late write changes the share that is carried over: ann's share stays 2, bob's changes from 0 to 1,
    // and cat's changes from -1 to 0.
    add(&mut board, &late(DAY, DAY - 1), 0, b"ann").unwrap();
    add(&mut board, &late(DAY, DAY - 1), 1, b"bob").unwrap();
    add(&mut board, &late(DAY, DAY - 1), 1, b"cat").unwrap();
    assert_eq!(order(&board, "day", When::Now), lines(&[("ann", 2), ("bob", 1)]));
    assert_eq!(order(&board, "day", When::Back(1)), lines(&[("ann", 14), ("bob", 4), ("cat", -1)]));
    add(&mut board, &at(DAY), 8, b"bob").unwrap();
    board.advance(MONDAY + 2 * DAY);
    assert_eq!(order(&board, "day", When::Now), lines(&[("bob", 1)]));
    assert_eq!(order(&board, "day", When::Back(1)), lines(&[("bob", 9), ("ann", 2)]));
}

#[test]
fn a_late_write_changes_windows_but_no_period_that_has_ended() {
    let mut board = board(of(Aggregate::Sum), &[spec("all", 2), spec("day", 2), spec("day:3", 2)]);
    add(&mut board, &at(0), 5, b"ann").unwrap();
    board.advance(MONDAY + DAY);
    let outcome = add(&mut board, &Write { view: Some(b"day"), ..late(DAY, 1) }, 7, b"bob").unwrap();
    assert!(matches!(outcome.effect, Effect::Applied(_)) && outcome.now.is_none());
    assert_eq!(order(&board, "all", When::Now), lines(&[("bob", 7), ("ann", 5)]));
    assert_eq!(order(&board, "day", When::Now), []);
    assert_eq!(order(&board, "day:3", When::Now), lines(&[("bob", 7), ("ann", 5)]));
    for view in ["day", "day:3"] {
        assert_eq!(order(&board, view, When::Label(b"2019-03-18")), lines(&[("ann", 5)]));
    }
}

#[test]
fn no_points_keep_a_member_in_a_window_until_their_period_leaves_it() {
    for aggregate in [Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last] {
        let mut board = board(of(aggregate), &[spec("day:2", 2)]);
        add(&mut board, &at(0), 0, b"ann").unwrap();
        for (day, there) in [(1, true), (2, false), (9, false)] {
            board.advance(MONDAY + day * DAY);
            assert_eq!(order(&board, "day:2", When::Now), lines(&[("ann", 0)][..usize::from(there)]));
        }
    }
}

#[test]
fn a_sum_beyond_the_range_is_cut_off_at_a_boundary_and_exact_again_later() {
    let mut board = board(of(Aggregate::Sum), &[spec("day:3", 2)]);
    for (day, points) in [(0, -MOST), (1, MOST), (2, MOST - 7)] {
        add(&mut board, &at(day * DAY), points, b"ann").unwrap();
    }
    assert_eq!(order(&board, "day:3", When::Now), lines(&[("ann", MOST - 7)]));
    board.advance(MONDAY + 3 * DAY);
    assert_eq!(order(&board, "day:3", When::Now), lines(&[("ann", MOST)]));
    assert_eq!(add(&mut board, &at(3 * DAY), -1, b"ann").err(), Some(Error::Overflow));
    add(&mut board, &at(3 * DAY), -MOST, b"ann").unwrap();
    assert_eq!(order(&board, "day:3", When::Now), lines(&[("ann", MOST - 7)]));
    board.advance(MONDAY + 4 * DAY);
    assert_eq!(order(&board, "day:3", When::Now), lines(&[("ann", -7)]));
}

#[test]
fn an_error_begins_no_view_and_applies_no_part_of_a_list() {
    let mut board = board(of(Aggregate::Sum), &[spec("all", 2)]);
    add(&mut board, &at(0), -MOST, b"ann").unwrap();
    alter_views(&mut board, "day:2", Edit::Add);
    let before = saved(&board);
    let twice = [(Decimal::whole(MOST), &b"ann"[..]), (Decimal::whole(MOST), b"ann")];
    assert_eq!(board.add_many(&at(5), &twice).err(), Some(Error::Overflow));
    assert_eq!(add(&mut board, &at(5), -1, b"ann").err(), Some(Error::Overflow));
    assert_eq!(saved(&board), before);
    assert_eq!(board.periods(b"day:2").unwrap().len(), 0);
}

#[test]
fn a_write_of_the_past_that_was_held_back_does_not_move_a_clock_of_events() {
    let mut board = board(on_events(Aggregate::Sum), &[spec("minute", 2), spec("hour", 2)]);
    add(&mut board, &late(0, 0), 1, b"ann").unwrap();
    let before = saved(&board);
    let only = |present| Condition { present: Some(present), compared: None };
    for (minutes, name, present) in [(57, b"bob", true), (59, b"ann", false)] {
        let write = Write { view: Some(b"hour"), ..late(0, minutes * 60_000) };
        let held = board.set(&write, Decimal::whole(1), name, only(present)).unwrap();
        assert_eq!(held.effect, Effect::HeldBack);
    }
    board.advance(board.now(0, 0));
    assert_eq!(saved(&board), before);
}

#[test]
fn an_order_that_was_prepared_follows_the_latest_event() {
    let mut board = board(of(Aggregate::Last), &[spec("minute:5", 2)]);
    crowd(&mut board, &at(240_000));
    add(&mut board, &late(240_000, 0), 2, b"ann").unwrap();
    work(&mut board, 295_000);
    // The score stays the same, so its moment stays too. But the latest event of the member is now this
    // write.
    add(&mut board, &at(295_000), 2, b"ann").unwrap();
    board.advance(MONDAY + 300_000);
    let standing =
        board.read(None, When::Now, Tally::Shown).unwrap().standing(b"ann", Ranks::Ordinal).unwrap();
    assert_eq!((standing.score.units(), standing.at), (2, Some(MONDAY)));
}

#[test]
fn equals_keep_their_order_when_a_view_begins_to_carry_over() {
    for ties in [Ties::First, Ties::Last] {
        let schema = Schema { ties, ..plain() };
        let mut prepared = board(schema, &[spec("hour", 2)]);
        crowd(&mut prepared, &at(0));
        let names = [&b"dan"[..], b"ann", b"cat", b"bob"];
        for name in names {
            add(&mut prepared, &at(0), 3, name).unwrap();
        }
        let half = (kind("hour"), Share::parse(b"0.5", "CARRY").unwrap());
        prepared
            .alter(&Alter { carry: leaderboard_core::board::Carry(vec![half]), ..Alter::default() })
            .unwrap();
        let mut sorted = prepared.clone();
        work(&mut prepared, 3_599_000);
        for board in [&mut prepared, &mut sorted] {
            add(board, &at(3_599_000), 0, b"dan").unwrap();
            board.advance(MONDAY + 3_600_000);
        }
        let mut expected = lines(&[("dan", 1), ("ann", 1), ("cat", 1), ("bob", 1)]);
        if ties == Ties::Last {
            expected.reverse();
        }
        assert_eq!(order(&sorted, "hour", When::Now)[..4], expected);
        assert!(saved(&prepared) == saved(&sorted));
    }
}

#[test]
fn a_step_back_over_a_boundary_leaves_everything_as_if_it_had_not_come() {
    let mut board = board(of(Aggregate::Sum), &[spec("hour:3", 2), carry("hour", "0.5", 2), spec("day", 2)]);
    add(&mut board, &at(3_599_999), 4, b"ann").unwrap();
    let mut asleep = board.clone();
    // The clock goes several hours ahead and back to the first hour. Then it goes ahead again and back to the
    // second hour.
    for back in [3_599_999, 7_199_999] {
        board.advance(MONDAY + 3 * 3_600_000);
        board.advance(MONDAY + back);
        asleep.advance(MONDAY + back);
        board.check();
        assert!(saved(&board) == saved(&asleep), "back at {back}");
    }
}

#[test]
fn a_clock_that_is_put_right_gives_back_the_order_that_was_kept() {
    let mut board = board(of(Aggregate::Sum), &[spec("day", 2), spec("day:2", 2), spec("all", 2)]);
    add(&mut board, &at(5), 3, b"ann").unwrap();
    add(&mut board, &at(6), 2, b"bob").unwrap();
    add(&mut board, &at(DAY + 1), 9, b"bob").unwrap();
    add(&mut board, &at(7), 1, b"cat").unwrap();
    for (view, bob) in [("day", 2), ("day:2", 2), ("all", 11)] {
        let mut expected = lines(&[("ann", 3), ("bob", bob), ("cat", 1)]);
        expected.sort_by_key(|line| -line.1);
        assert_eq!(order(&board, view, When::Now), expected, "{view}");
    }
    assert!(saved(&loaded(&saved(&board))) == saved(&board));
}

#[test]
fn points_of_a_leap_count_when_their_period_comes() {
    for (aggregate, many) in [(Aggregate::Sum, false), (Aggregate::Sum, true), (Aggregate::Max, false)] {
        let mut board = board(of(aggregate), &[spec("day", 2), spec("day:2", 2), spec("all", 2)]);
        if many {
            crowd(&mut board, &at(0));
        }
        let sum = |a: i64, b: i64| if aggregate == Aggregate::Sum { a + b } else { a.max(b) };
        add(&mut board, &at(5), 3, b"ann").unwrap();
        add(&mut board, &at(6), 2, b"bob").unwrap();
        // The clock is a day ahead for one write, then it goes back.
        add(&mut board, &at(DAY + 1), 9, b"bob").unwrap();
        add(&mut board, &at(7), 1, b"cat").unwrap();
        let mut again = loaded(&saved(&board));
        for board in [&mut board, &mut again] {
            board.advance(MONDAY + DAY + 2);
            board.check();
            assert_eq!(order(board, "day", When::Now), lines(&[("bob", 9)]));
            let both = lines(&[("bob", sum(2, 9)), ("ann", 3), ("cat", 1)]);
            assert_eq!(order(board, "day:2", When::Now)[..3], both);
            let first = lines(&[("ann", 3), ("bob", 2), ("cat", 1)]);
            assert_eq!(order(board, "day", When::Back(1))[..3], first);
            assert_eq!(order(board, "day:2", When::Back(1))[..3], first);
            add(board, &at(DAY + 3), 4, b"ann").unwrap();
            assert_eq!(order(board, "day:2", When::Now)[1], ("ann".to_owned(), sum(3, 4)));
        }
        assert!(saved(&board) == saved(&again));
    }
}

#[test]
fn members_are_forgotten_with_the_last_view_that_knew_them() {
    let mut board = board(of(Aggregate::Sum), &[spec("minute", 2)]);
    add(&mut board, &at(0), 1, b"ann").unwrap();
    alter_views(&mut board, "all", Edit::Add);
    alter_views(&mut board, "minute", Edit::Drop);
    board.check();
    assert!(!board.remove(b"ann"));
}

#[test]
fn a_view_that_was_added_and_dropped_leaves_nothing() {
    let mut board = board(of(Aggregate::Sum), &[spec("all", 2)]);
    (0..2).for_each(|moment| crowd(&mut board, &at(moment)));
    let before = board.memory();
    for edit in [Edit::Add, Edit::Drop] {
        alter_views(&mut board, "hour:3", edit);
        crowd(&mut board, &at(1));
        work(&mut board, 1);
    }
    assert!(board.memory() < before + 1_000, "{} bytes, {before} before", board.memory());
}

#[test]
fn a_look_ahead_costs_nothing_when_the_clock_goes_back_further() {
    let mut board = board(of(Aggregate::Sum), &[spec("day:2", 2)]);
    add(&mut board, &at(5), 3, b"ann").unwrap();
    add(&mut board, &at(DAY), 4, b"bob").unwrap();
    // The clock leaps, and only reads follow. Then it is corrected to the first day, before the leap and
    // before bob's write.
    board.advance(MONDAY + 9 * DAY);
    board.advance(MONDAY + 6);
    board.check();
    assert_eq!(order(&board, "day:2", When::Now), lines(&[("ann", 3)]));
    board.advance(MONDAY + DAY + 1);
    assert_eq!(order(&board, "day:2", When::Now), lines(&[("bob", 4), ("ann", 3)]));
}

/// Returns names, scores and moments in a view, best first.
fn entries(board: &Board, view: &str) -> Vec<(String, i64, Option<u64>)> {
    let reading = board.read(Some(view.as_bytes()), When::Now, Tally::Shown).unwrap();
    let lines = order(board, view, When::Now).into_iter();
    let at = |name: &str| reading.standing(name.as_bytes(), Ranks::Ordinal).unwrap().at;
    lines.map(|(name, score)| (name.clone(), score, at(&name).map(|at| at - MONDAY))).collect()
}

#[test]
fn a_clock_that_goes_back_moves_nobodys_moment() {
    let aggregates = [Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last];
    for (aggregate, ties) in aggregates.iter().flat_map(|each| [(*each, Ties::First), (*each, Ties::Last)]) {
        let mut board = board(Schema { ties, ..of(aggregate) }, &[spec("minute:366", 0)]);
        // The last write to ann and the last write to bob do not change a score, but each of them adds points
        // to a period.
        for (now, event, name) in [
            (MINUTE, 0, b"ann"),
            (MINUTE, 30_000, b"eve"),
            (2 * MINUTE, 2 * MINUTE, b"bob"),
            (2 * MINUTE, 2 * MINUTE, b"ann"),
            (2 * MINUTE, 1, b"bob"),
        ] {
            add(&mut board, &late(now, event), 0, name).unwrap();
        }
        let expected = [("ann", 0, Some(0)), ("eve", 0, Some(30_000)), ("bob", 0, Some(2 * MINUTE))];
        let mut expected = expected.map(|(name, score, at)| (name.to_owned(), score, at)).to_vec();
        if ties == Ties::Last {
            expected.reverse();
        }
        let mut asleep = board.clone();
        asleep.advance(MONDAY + 5 * MINUTE);
        // The clock goes ahead. One board is only read there, one is loaded there, and one is written to.
        board.advance(MONDAY + 6 * MINUTE);
        let (mut again, mut leapt) = (loaded(&saved(&board)), board.clone());
        add(&mut leapt, &at(6 * MINUTE), 7, b"zoe").unwrap();
        for board in [&mut asleep, &mut board, &mut again, &mut leapt] {
            board.advance(MONDAY + 5 * MINUTE);
            board.check();
            assert_eq!(entries(board, "minute:366"), expected, "{aggregate}");
        }
        assert!(saved(&board) == saved(&asleep) && saved(&again) == saved(&asleep), "{aggregate}");
    }
}

#[test]
fn the_last_period_that_was_written_in_outlives_a_leap() {
    for (name, spec) in [
        ("day", spec("day", 0)),
        ("day", carry("day", "0.5", 0)),
        ("day:3", spec("day:3", 0)),
        ("day", Spec { decay: Share::from_billionths(500_000_000), ..spec("day", 0) }),
    ] {
        let mut board = board(of(Aggregate::Sum), &[spec]);
        for (day, points, who) in [(0, 4, &b"ann"[..]), (0, 6, b"bob"), (1, 3, b"ann"), (1, 8, b"cat")] {
            add(&mut board, &at(day * DAY), points, who).unwrap();
        }
        let mut never_leapt = board.clone();
        // The clock leaps, and comes back after one write.
        add(&mut board, &at(9 * DAY), 5, b"zoe").unwrap();
        let again = loaded(&saved(&board));
        for mut leapt in [board, again] {
            for day in 1..5 {
                for board in [&mut leapt, &mut never_leapt] {
                    board.advance(MONDAY + day * DAY);
                }
                assert_eq!(order(&leapt, name, When::Now), order(&never_leapt, name, When::Now), "{spec:?}");
            }
            leapt.advance(MONDAY + 9 * DAY);
            never_leapt.advance(MONDAY + DAY);
            leapt.check();
            assert!(order(&leapt, name, When::Now).contains(&lines(&[("zoe", 5)])[0]), "{spec:?}");
        }
    }
}

#[test]
fn the_period_of_the_last_write_outlives_a_second_leap() {
    for (name, spec) in
        [("day", spec("day", 0)), ("day", carry("day", "0.5", 0)), ("day:3", spec("day:3", 0))]
    {
        let mut board = board(of(Aggregate::Sum), &[spec]);
        add(&mut board, &at(0), 4, b"ann").unwrap();
        // Each leap has a write of its own, and each time the clock comes back, a member writes at the right time.
        add(&mut board, &at(9 * DAY), 5, b"zoe").unwrap();
        add(&mut board, &at(HOUR), 8, b"bob").unwrap();
        let right = order(&board, name, When::Now);
        add(&mut board, &at(90 * DAY), 6, b"yan").unwrap();
        let again = loaded(&saved(&board));
        for mut leapt in [board, again] {
            leapt.advance(MONDAY + 2 * HOUR);
            leapt.check();
            assert_eq!(order(&leapt, name, When::Now), right, "{spec:?}");
            leapt.advance(MONDAY + 9 * DAY);
            assert!(order(&leapt, name, When::Now).contains(&lines(&[("zoe", 5)])[0]), "{spec:?}");
        }
    }
}

#[test]
fn a_refused_write_and_a_clock_that_goes_back_leave_the_same_in_a_board_that_was_loaded() {
    let mut board = board(of(Aggregate::Sum), &[spec("minute:366", 0)]);
    let begin = 9 * MINUTE;
    add(&mut board, &late(begin, begin - MINUTE), 0, b"ann").unwrap();
    add(&mut board, &late(begin, begin - 2 * MINUTE + 2_541), -2, b"bob").unwrap();
    set(&mut board, &at(begin), 0, b"ann").unwrap();
    set(&mut board, &late(begin, begin - 2 * MINUTE + 458), -MOST + 3, b"bob").unwrap();
    let now = begin + 4 * MINUTE + 7_252;
    let refused = add(&mut board, &late(now, now - MINUTE), -MOST + 2, b"bob");
    assert_eq!(refused.err(), Some(Error::Overflow));
    let mut again = loaded(&saved(&board));
    for board in [&mut board, &mut again] {
        add(board, &at(now - 55_546), 6, b"cat").unwrap();
    }
    assert!(saved(&board) == saved(&again));
}

#[test]
fn a_best_that_expires_gives_way_to_its_equal_also_while_points_of_a_leap_wait() {
    let mut board = board(of(Aggregate::Max), &[spec("minute:3", 0)]);
    set(&mut board, &at(0), 5, b"ann").unwrap();
    set(&mut board, &at(MINUTE), 5, b"ann").unwrap();
    let mut leapt = board.clone();
    add(&mut leapt, &at(2 * MINUTE + 30_000), 1, b"zoe").unwrap();
    for board in [&mut board, &mut leapt] {
        board.advance(MONDAY + MINUTE);
        assert_eq!(entries(board, "minute:3"), [("ann".to_owned(), 5, Some(0))]);
        board.advance(MONDAY + 3 * MINUTE);
        assert_eq!(entries(board, "minute:3")[0], ("ann".to_owned(), 5, Some(MINUTE)));
    }
}

#[test]
fn an_event_of_a_clock_that_was_wrong_keeps_nobody_in_whose_latest_event_is_older() {
    let mut board = board(of(Aggregate::Last), &[spec("hour:2", 0)]);
    // The clock goes back within the hour. Then an event of the hour before arrives.
    add(&mut board, &at(2 * HOUR - 1), 5, b"ann").unwrap();
    add(&mut board, &late(2 * HOUR - 2 * MINUTE, HOUR - 1), 5, b"ann").unwrap();
    let mut again = loaded(&saved(&board));
    for board in [&mut board, &mut again] {
        assert_eq!(entries(board, "hour:2"), [("ann".to_owned(), 5, Some(HOUR - 1))]);
        board.advance(MONDAY + 2 * HOUR);
        board.check();
        assert_eq!(entries(board, "hour:2"), []);
    }
    assert!(saved(&board) == saved(&again));
}

#[test]
fn a_text_or_a_hidden_member_that_enlarges_a_board_passes_no_boundary_that_a_replica_has_not_passed() {
    let name = |number: usize| {
        format!("{}, with the number {number}", "a member whose name is long".repeat(4)).into_bytes()
    };
    let enters: [fn(&mut Board, &[u8]); 2] = [
        |board, name| _ = board.set_meta(name, b"text").unwrap(),
        |board, name| _ = board.hide(name).unwrap(),
    ];
    for enter in enters {
        let mut replica = board(plain(), &[spec("day:2", 2)]);
        add(&mut replica, &at(0), 1, &name(0)).unwrap();
        for number in 1..300 {
            let mut source = replica.clone();
            source.advance(MONDAY + 2 * DAY);
            enter(&mut source, &name(number));
            enter(&mut replica, &name(number));
            source.check();
            assert!(saved(&source) == saved(&replica), "with {number} members");
        }
    }
}

/// The history keeps points of later periods for ended orders, while older points count again. The moments are those with which
/// a property test found it.
#[test]
fn a_part_whose_clock_was_put_back_twice_is_loaded() {
    let role = Role::Part { number: 1, parts: Parts::TWO };
    let mut own = (0..).map(|number| format!("m{number}")).filter(|name| role.check(name.as_bytes()).is_ok());
    let names: [String; 5] = std::array::from_fn(|_| own.next().unwrap());
    let schema = Schema { role, ..of(Aggregate::Max) };
    let mut board = board(schema, &[spec("hour", 4), spec("all", 4), spec("day:2", 4)]);
    let mut now = 2_571_670_880;
    for _ in 0..2 {
        for (name, points, late_by, pass) in [
            (0, 0, 78_491_136, 0),
            (1, 0, 0, 147_851_134),
            (2, 7, 0, 78_986_306),
            (3, 8, 64_157_670, 135_891_680),
            (4, 7, 53_518_983, 0),
        ] {
            add(&mut board, &late(now, now - late_by), points, names[name].as_bytes()).unwrap();
            now += pass;
        }
        let again = loaded(&saved(&board));
        for when in (0..=4).map(When::Back) {
            assert_eq!(order(&again, "day:2", when), order(&board, "day:2", when));
        }
        now -= 964_329_120;
    }
}
