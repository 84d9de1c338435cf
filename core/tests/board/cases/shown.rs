//! Initial votes of options, and the weights of their votes.

use super::*;

#[test]
fn initial_votes_given_while_periods_run_count_in_all_at_once_and_elsewhere_from_the_next_on() {
    let mut board = viewed(with_shown(), &["all", "day", "hour", "day:2"]);
    vote(&mut board, &at(5), &by("v"), 3, "ann");
    declare(&mut board, 6, "ann", None, Some(10));
    declare(&mut board, 6, "bob", None, Some(2));
    let none = lines(&[("ann", 3)]);
    assert_eq!(order(&board, "all", When::Now), lines(&[("ann", 13), ("bob", 2)]));
    for view in ["day", "hour", "day:2"] {
        assert_eq!(order(&board, view, When::Now), none);
    }
    board.advance(MONDAY + HOUR);
    assert_eq!(order(&board, "hour", When::Now), lines(&[("ann", 10), ("bob", 2)]));
    assert_eq!(order(&board, "hour", When::Back(1)), none);
    assert_eq!(order(&board, "day", When::Now), none);
    board.advance(MONDAY + DAY);
    assert_eq!(order(&board, "day", When::Now), lines(&[("ann", 10), ("bob", 2)]));
    assert_eq!(order(&board, "day", When::Back(1)), none);
    assert_eq!(order(&board, "day:2", When::Now), none);
    for view in ["all", "day:2"] {
        assert_eq!(real(&board, view), none);
    }
    assert_eq!(real(&board, "day"), []);
    // A new number of initial votes changes the view `all` by the difference. It does not change the current
    // day.
    declare(&mut board, DAY, "ann", None, Some(4));
    assert_eq!(order(&board, "all", When::Now), lines(&[("ann", 7), ("bob", 2)]));
    assert_eq!(order(&board, "day", When::Now), lines(&[("ann", 10), ("bob", 2)]));
    assert!(saved(&loaded(&saved(&board))) == saved(&board));
}

#[test]
fn a_view_that_had_not_begun_begins_with_initial_votes_and_a_score_is_set_on_top_of_them() {
    for begun in [false, true] {
        let mut board = viewed(with_shown(), &["day", "all"]);
        declare(&mut board, 0, "ann", None, Some(10));
        assert_eq!(order(&board, "day", When::Now), []);
        if begun {
            vote(&mut board, &at(1), &by("v"), 1, "bob");
            assert_eq!(order(&board, "day", When::Now), lines(&[("ann", 10), ("bob", 1)]));
        }
        let outcome = board.set(&at(2), Decimal::whole(7), b"ann", Condition::default()).unwrap();
        assert_eq!(outcome.now.unwrap().score.units(), 7, "with the view begun: {begun}");
        assert_eq!(real(&board, "day").into_iter().rfind(|line| line.0 == "ann").unwrap().1, -3);
    }
}

#[test]
fn a_weight_counts_from_now_on_and_never_in_real_votes() {
    let mut board = viewed(with_shown(), &["all", "day"]);
    vote(&mut board, &at(0), &by("v"), 2, "ann");
    declare(&mut board, 1, "ann", Some(10), None);
    vote(&mut board, &at(2), &by("v"), 2, "ann");
    declare(&mut board, 3, "ann", Some(0), None);
    vote(&mut board, &at(4), &by("w"), 5, "ann");
    board.add(&at(5), Decimal::whole(3), b"ann").unwrap();
    for view in ["all", "day"] {
        assert_eq!(order(&board, view, When::Now), lines(&[("ann", 2 + 20 + 3)]));
        assert_eq!(real(&board, view), lines(&[("ann", 9 + 3)]));
    }
    let [ann] = listed(&board)[..] else { panic!("one option") };
    assert_eq!((ann.candidate.weight, ann.real.units(), ann.shown.units(), ann.voters), (0, 12, 25, 2));
    // An option whose first vote has weight 0 is ranked with score 0.
    declare(&mut board, 6, "bob", Some(0), None);
    vote(&mut board, &at(6), &by("v"), 1, "bob");
    assert_eq!(order(&board, "day", When::Now), lines(&[("ann", 25), ("bob", 0)]));
}

#[test]
fn initial_votes_are_there_on_top_of_what_is_carried_over_but_are_not_carried_themselves() {
    let mut board = board(with_shown(), &[carry("day", "0.5", 3), spec("all", 0)]);
    declare(&mut board, 0, "ann", None, Some(10));
    vote(&mut board, &at(1), &by("v"), 8, "ann");
    assert_eq!(order(&board, "day", When::Now), lines(&[("ann", 18)]));
    board.advance(MONDAY + DAY);
    assert_eq!(order(&board, "day", When::Now), lines(&[("ann", 14)]));
    assert_eq!(real(&board, "day"), lines(&[("ann", 4)]));
    board.advance(MONDAY + 2 * DAY);
    assert_eq!(order(&board, "day", When::Now), lines(&[("ann", 10)]));
    assert_eq!(real(&board, "day"), []);
    assert_eq!(order(&board, "day", When::Back(2)), lines(&[("ann", 18)]));
}

#[test]
fn days_that_nobody_saw_have_initial_votes_too() {
    for day in [spec("day", 5), carry("day", "0.5", 5)] {
        let mut board = board(with_shown(), &[day, spec("all", 0)]);
        declare(&mut board, 0, "ann", None, Some(3));
        vote(&mut board, &at(0), &by("v"), 2, "bob");
        declare(&mut board, 1, "cat", None, Some(1));
        let mut awake = board.clone();
        for day in 1..=3 {
            awake.advance(MONDAY + day * DAY);
        }
        board.advance(MONDAY + 3 * DAY);
        assert!(saved(&board) == saved(&awake));
        // Bob carries 1 over into the second day, and got this score before cat.
        let second = if day.carry.is_some() {
            vec![("ann", 3), ("bob", 1), ("cat", 1)]
        } else {
            vec![("ann", 3), ("cat", 1)]
        };
        let days = [
            (0, lines(&[("ann", 3), ("cat", 1)])),
            (1, lines(&[("ann", 3), ("cat", 1)])),
            (2, lines(&second)),
        ];
        for (back, expected) in days {
            assert_eq!(order(&board, "day", When::Back(back)), expected, "{back} days ago");
        }
        assert_eq!(order(&board, "day", When::Back(3)), lines(&[("ann", 3), ("bob", 2)]));
        assert_eq!(order(&board, "day", When::Back(4)), []);
        assert_eq!(board.periods(b"day").unwrap().len(), 4);
        assert!(saved(&loaded(&saved(&board))) == saved(&board));
    }
}

#[test]
fn equal_options_stand_in_the_order_in_which_they_were_given_their_votes() {
    for day in [spec("day", 5), carry("day", "0.5", 5)] {
        let mut board = board(with_shown(), &[day, spec("all", 0)]);
        declare(&mut board, 0, "ann", None, None);
        declare(&mut board, 0, "bob", None, Some(1));
        declare(&mut board, 0, "ann", None, Some(1));
        vote(&mut board, &at(0), &by("v"), 1, "cat");
        let mut asleep = board.clone();
        asleep.advance(MONDAY + 2 * DAY);
        board.advance(MONDAY + DAY);
        board.advance(MONDAY + 2 * DAY);
        for (what, board) in [("awake", &board), ("asleep", &asleep)] {
            for view in ["all", "day"] {
                assert_eq!(
                    order(board, view, When::Now)[..2],
                    lines(&[("bob", 1), ("ann", 1)]),
                    "{what}, {view}"
                );
            }
            assert_eq!(order(board, "day", When::Back(1))[..2], lines(&[("bob", 1), ("ann", 1)]), "{what}");
        }
    }
}

#[test]
fn a_board_that_grows_keeps_options_voters_and_what_they_start_with() {
    let mut board = limited(with_shown(), &["all", "day"], &["daily voter 1000 day"]);
    declare(&mut board, 0, "zoe", Some(3), Some(7));
    declare(&mut board, 0, "amy", None, Some(1));
    vote(&mut board, &at(1), &by("v"), 2, "zoe");
    vote(&mut board, &at(1), &by("w"), 1, "zoe");
    for number in 0..300 {
        let name = format!("member {number}");
        vote(&mut board, &at(2), &by("v"), 1, &name);
        if number == 150 {
            declare(&mut board, 2, "member 9", None, Some(5));
        }
    }
    for number in 0..100 {
        vote(&mut board, &at(2), &by("w"), 1, &format!("member {number:0300}"));
    }
    for mut board in [board.clone(), loaded(&saved(&board))] {
        let names: Vec<_> = listed(&board).iter().map(|option| board.name(option.id).to_vec()).collect();
        assert_eq!(names, [&b"zoe"[..], b"amy", b"member 9"]);
        let zoe = listed(&board)[0];
        assert_eq!((zoe.real.units(), zoe.shown.units(), zoe.voters), (3, 16, 2));
        assert_eq!(board.voters(Some(b"member 200"), Some(b"day"), None), Ok(1));
        assert_eq!(quota(&board, 2, &by("v"), None), [(302, 1000, Some(DAY - 2))]);
        board.advance(MONDAY + DAY);
        board.check();
        assert_eq!(order(&board, "day", When::Now), lines(&[("zoe", 7), ("member 9", 5), ("amy", 1)]));
        assert_eq!(real(&board, "day"), []);
        assert_eq!(board.read(Some(b"day"), When::Back(1), Tally::Shown).unwrap().len(), 402);
    }
}

#[test]
fn an_option_declared_on_a_clock_that_leapt_is_the_same_on_a_replica_that_was_never_read() {
    let mut board = viewed(with_shown(), &["hour", "all"]);
    vote(&mut board, &at(0), &by("v"), 1, "ann");
    let mut replica = board.clone();
    board.advance(MONDAY + HOUR);
    declare(&mut board, 2 * HOUR, "ann", None, Some(1));
    let said = Declaration { initial: Some(1), ..Declaration::default() };
    replica.declare(b"ann", said, TimeSource::Decided { now: Some(MONDAY + 2 * HOUR) }).unwrap();
    for board in [&mut board, &mut replica] {
        board.advance(MONDAY + HOUR);
        assert_eq!(order(board, "hour", When::Now), []);
        assert_eq!(order(board, "hour", When::Back(1)), lines(&[("ann", 1)]));
    }
    assert!(saved(&board) == saved(&replica));
}
