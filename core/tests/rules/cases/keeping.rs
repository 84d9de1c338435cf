//! Boards that keep their best members.

use leaderboard_core::schema::{Aggregate, Ties};

use super::{DAY, MIDNIGHT, desk, keeping, viewed, with};
use crate::{play, saved};
use leaderboard_testkit::board::{Op, Rules, Sent};

#[test]
fn the_worst_falls_out() {
    let mut desk = with(keeping(2, &["all"]), &[("ann", 5), ("bob", 7)]);
    assert_eq!(desk.add("cid", [6]), "2 6");
    assert_eq!(desk.top(), "1 bob 7, 2 cid 6");
    assert_eq!(desk.see("all").rank("ann"), None);
}

#[test]
fn a_write_that_does_not_get_in_is_applied() {
    let mut desk = with(keeping(2, &["all"]), &[("ann", 5), ("bob", 7)]);
    assert_eq!(desk.add("cid", [4]), "-");
    // A member that did not get in begins anew at its next write: it has 4 points, not 8.
    assert_eq!(desk.add("cid", [4]), "-");
    assert_eq!(desk.add("cid", [6]), "2 6");
    assert_eq!(desk.top(), "1 bob 7, 2 cid 6");
}

#[test]
fn of_equals_the_later_falls_out() {
    for (ties, reply, rows) in [
        (Ties::First, "-", "1 ann 5, 2 bob 5"),
        (Ties::Last, "1 5", "1 cid 5, 2 bob 5"),
        (Ties::Lex, "-", "1 ann 5, 2 bob 5"),
        (Ties::RevLex, "1 5", "1 cid 5, 2 bob 5"),
    ] {
        let mut desk = with(Rules { ties, ..keeping(2, &["all"]) }, &[("ann", 5), ("bob", 5)]);
        desk.now += 1;
        assert_eq!((desk.add("cid", [5]).as_str(), desk.top().as_str()), (reply, rows), "{ties:?}");
    }
}

#[test]
fn each_view_keeps_its_own_best() {
    let mut desk = with(keeping(2, &["all", "day"]), &[("ann", 9), ("bob", 8)]);
    desk.go_to_day(1);
    assert_eq!(desk.add("cid", [3]), "-");
    assert_eq!(desk.see("day").rows(), "1 cid 3");
    assert_eq!(desk.see("day").ago(1).rows(), "1 ann 9, 2 bob 8");
}

#[test]
fn a_command_is_cut_at_its_end() {
    let mut desk = desk(keeping(1, &["all"]));
    assert_eq!(desk.add_many(&[(5, "ann"), (7, "bob"), (4, "ann")]), "1 9, -, 1 9");
    assert_eq!(desk.top(), "1 ann 9");
    assert_eq!(desk.set_many(&[(11, "cid"), (10, "ann"), (3, "cid")]), "-, 1 10, -");
    assert_eq!(desk.top(), "1 ann 10");
}

#[test]
fn a_hidden_member_takes_nobodys_place() {
    let mut desk = with(keeping(2, &["all"]), &[("ann", 9), ("bob", 8)]);
    desk.hide("ann");
    assert_eq!(desk.add("cid", [1]), "2 1");
    assert_eq!(desk.top(), "1 bob 8, 2 cid 1");
    assert_eq!(desk.see("all").rank("ann"), Some(1));
}

#[test]
fn a_hidden_member_falls_out_after_its_own_write() {
    let mut desk = with(keeping(2, &["all"]), &[("ann", 9), ("bob", 8)]);
    desk.hide("bob eve");
    desk.add("cid", [10]);
    assert_eq!(desk.see("all").rank("bob"), Some(3));
    assert_eq!(desk.add("eve", [1]), "-");
    assert_eq!(desk.see("all").rank("bob"), Some(3));
    assert_eq!(desk.add("bob", [0]), "-");
    assert_eq!(desk.see("all").rank("bob"), None);
    assert_eq!(desk.add("eve", [20]), "1 20");
}

#[test]
fn who_is_shown_again_takes_its_place() {
    let mut desk = with(keeping(2, &["all"]), &[("ann", 9), ("bob", 8)]);
    desk.hide("ann bob");
    desk.add_many(&[(7, "cid"), (6, "dan")]);
    desk.unhide("ann");
    assert_eq!(desk.top(), "1 ann 9, 2 cid 7");
    desk.unhide("bob");
    assert_eq!(desk.top(), "1 ann 9, 2 bob 8");
}

#[test]
fn keep_is_altered_down_at_once_and_up_for_what_comes() {
    let mut desk = with(keeping(4, &["all"]), &[("ann", 9), ("bob", 8), ("cid", 7), ("dan", 6)]);
    desk.keep(2);
    assert_eq!(desk.top(), "1 ann 9, 2 bob 8");
    desk.keep(3);
    assert_eq!(desk.top(), "1 ann 9, 2 bob 8");
    desk.add_many(&[(1, "eve"), (2, "fay")]);
    assert_eq!(desk.top(), "1 ann 9, 2 bob 8, 3 fay 2");
    desk.keep(0);
    desk.add_many(&[(1, "eve"), (1, "gus")]);
    assert_eq!(desk.board.count(), 5);
}

#[test]
fn ended_periods_keep_what_they_had() {
    let mut desk = with(keeping(3, &["day"]), &[("ann", 9), ("bob", 8), ("cid", 7)]);
    desk.go_to_day(1);
    desk.keep(1);
    assert_eq!(desk.see("day").ago(1).rows(), "1 ann 9, 2 bob 8, 3 cid 7");
}

#[test]
fn a_late_write_into_what_has_ended_gets_into_nothing() {
    let mut desk = with(keeping(1, &["day", "all"]), &[("ann", 9)]);
    desk.now = MIDNIGHT + DAY;
    assert_eq!(desk.add_at("bob", 20, DAY - 1), "-");
    assert_eq!(desk.see("all").rows(), "1 bob 20");
    assert_eq!(desk.see("day").ago(1).rows(), "1 ann 9");
    assert_eq!(desk.add_at("ann", 9, DAY), "1 9");
}

#[test]
fn who_falls_out_of_all_is_forgotten_with_its_text() {
    let mut desk = with(keeping(1, &["all"]), &[("ann", 5)]);
    desk.board.set_meta(b"ann", b"A").unwrap();
    desk.add("bob", [6]);
    assert_eq!(desk.meta("ann"), None);
    let sent = Sent { op: Op::Add(vec![1], b"cid".to_vec()), id: None, view: 0, meta: Some(b"C".to_vec()) };
    assert_eq!(desk.send(&sent, None), "-");
    assert_eq!(desk.meta("cid"), None);
}

#[test]
fn who_is_somewhere_or_hidden_keeps_its_text() {
    let mut desk = with(keeping(1, &["all", "day"]), &[("ann", 5)]);
    desk.board.set_meta(b"ann", b"A").unwrap();
    desk.go_to_day(1);
    desk.add("bob", [6]);
    // Ann is still in the period of the day before.
    assert_eq!((desk.see("all").rank("ann"), desk.meta("ann")), (None, Some(&b"A"[..])));
    desk.board.set_meta(b"cid", b"C").unwrap();
    desk.hide("cid");
    assert_eq!(desk.add("cid", [1]), "-");
    assert_eq!(desk.meta("cid"), Some(&b"C"[..]));
}

/// A board that keeps one ended period.
fn short(keep: usize, views: &[&'static str]) -> Rules {
    Rules { retain: 1, ..keeping(keep, views) }
}

/// Adds points with a text.
fn add_with_text(desk: &mut super::Desk, name: &str, points: i64) {
    let op = Op::Add(vec![points], name.into());
    desk.send(&Sent { op, id: None, view: 0, meta: Some(b"text".to_vec()) }, None);
}

#[test]
fn who_was_only_in_a_dropped_period_is_forgotten_with_its_text_at_the_next_change() {
    let mut desk = desk(short(2, &["day"]));
    for (day, name) in (0..).zip(["ann", "bob", "cid", "dan"]) {
        desk.go_to_day(day);
        add_with_text(&mut desk, name, 1);
        add_with_text(&mut desk, "eve", 1);
    }
    // The board keeps the day before the present one.
    let texts =
        |desk: &super::Desk| ["ann", "bob", "cid", "dan", "eve"].map(|name| desk.meta(name).is_some());
    assert_eq!(texts(&desk), [false, false, true, true, true]);
    desk.go_to_day(4);
    assert_eq!(texts(&desk), [false, false, true, true, true], "a read forgets nobody");
    assert!(desk.board.set_meta(b"fay", b"F").unwrap());
    assert_eq!(texts(&desk), [false, false, false, true, true]);
    assert_eq!(desk.meta("fay"), Some(&b"F"[..]), "a text alone stays");
    desk.board.check();
}

#[test]
fn the_change_of_a_member_that_is_forgotten_before_it_stays() {
    for large in [false, true] {
        let mut desk = desk(short(2, &["day"]));
        if large {
            let names: Vec<String> = (0..300).map(|number| format!("m{number}")).collect();
            desk.add_many(&names.iter().map(|name| (0, name.as_str())).collect::<Vec<_>>());
        }
        add_with_text(&mut desk, "ann", 1);
        desk.go_to_day(5);
        desk.add("bob", [1]);
        desk.go_to_day(9);
        // With this change the board forgets bob's period, and nothing of ann is left.
        assert!(desk.board.set_meta(b"ann", b"new").unwrap());
        assert_eq!(desk.meta("ann"), Some(&b"new"[..]));
        desk.add("ann", [1]);
        assert_eq!((desk.meta("ann"), desk.top().as_str()), (Some(&b"new"[..]), "1 ann 1"));
    }
}

#[test]
fn who_comes_back_with_the_write_that_drops_its_period_keeps_its_text() {
    let mut desk = desk(short(1, &["day"]));
    add_with_text(&mut desk, "ann", 1);
    desk.go_to_day(1);
    desk.add("bob", [1]);
    desk.go_to_day(2);
    desk.add("ann", [3]);
    assert_eq!(desk.meta("ann"), Some(&b"text"[..]));
    desk.go_to_day(4);
    assert_eq!(desk.set_many(&[(1, "ann"), (2, "bob")]), "-, 1 2");
    assert_eq!(desk.meta("ann"), Some(&b"text"[..]), "it is in the last period with a write");
    desk.go_to_day(6);
    assert_eq!(desk.set_many(&[(1, "ann"), (2, "bob")]), "-, 1 2");
    assert_eq!(desk.meta("ann"), None);
}

#[test]
fn a_late_write_that_counts_nowhere_leaves_no_text() {
    let mut desk = desk(short(1, &["day"]));
    desk.go_to_day(5);
    desk.add("ann", [1]);
    let op = Op::Add(vec![9], b"bob".to_vec());
    let sent = Sent { op, id: None, view: 0, meta: Some(b"text".to_vec()) };
    assert_eq!(desk.send(&sent, Some(MIDNIGHT)), "-");
    assert_eq!(desk.meta("bob"), None);
    assert!(desk.board.set_meta(b"bob", b"alone").unwrap());
    assert_eq!(desk.meta("bob"), Some(&b"alone"[..]));
    assert_eq!(desk.send(&sent, Some(MIDNIGHT)), "-");
    assert_eq!(desk.meta("bob"), None, "as a member that falls out");
}

#[test]
fn who_was_in_a_dropped_view_is_forgotten_with_its_text() {
    let mut desk = desk(keeping(1, &["all", "day"]));
    add_with_text(&mut desk, "ann", 1);
    desk.go_to_day(1);
    desk.add("bob", [5]);
    assert_eq!(desk.meta("ann"), Some(&b"text"[..]));
    play::drop_view(&mut desk.board, super::kind("day")).unwrap();
    assert_eq!((desk.meta("ann"), desk.top().as_str()), (None, "1 bob 5"));
    desk.board.check();
}

#[test]
fn a_worse_score_on_a_board_of_the_last_one_can_fall_out() {
    let mut desk =
        with(Rules { aggregate: Aggregate::Last, ..keeping(2, &["all"]) }, &[("ann", 9), ("bob", 8)]);
    desk.now += 1;
    assert_eq!(desk.add("ann", [1]), "2 1");
    assert_eq!(desk.add("cid", [2]), "2 2");
    assert_eq!(desk.top(), "1 bob 8, 2 cid 2");
}

#[test]
fn a_request_that_did_not_get_in_is_not_repeated() {
    let mut desk = with(keeping(1, &["all"]), &[("ann", 9)]);
    let sent = Sent { op: Op::Add(vec![5], b"bob".to_vec()), id: Some(b"q".to_vec()), view: 0, meta: None };
    assert_eq!(desk.send(&sent, None), "-");
    desk.remove("ann");
    assert_eq!(desk.send(&sent, None), "- repeated");
}

#[test]
fn neither_with_windows_nor_with_shown_votes() {
    assert!(play::made(&keeping(3, &["all", "day:7"])).is_err());
    assert!(play::made(&Rules { shown: true, ..keeping(3, &["all"]) }).is_err());
    let mut windows = desk(viewed(&["day:7"]));
    assert!(play::set_keep(&mut windows.board, 3).is_err());
    let mut kept = desk(keeping(3, &["all"]));
    assert!(play::add_view(&mut kept.board, super::kind("day:2")).is_err());
    assert!(play::add_view(&mut kept.board, super::kind("hour")).is_ok());
}

#[test]
fn who_falls_out_after_its_last_period_has_gone_leaves_no_trace() {
    let mut desk = with(keeping(1, &["90s"]), &[("bob", 0)]);
    // Four periods later, nothing is left of bob's score.
    desk.now += 4 * 90_000;
    assert_eq!(desk.set_many(&[(0, "bob"), (1, "cid")]), "-, 1 1");
    assert_eq!(desk.set_many(&[(2, "ann")]), "1 2");
    assert_eq!(desk.set_many(&[(0, "ann"), (0, "ann")]), "1 0, 1 0");
    assert_eq!(desk.top(), "1 ann 0");
}

#[test]
fn who_fell_out_before_a_boundary_leaves_no_trace() {
    let rules = Rules { ascending: true, retain: 0, ..keeping(1, &["90s", "day"]) };
    let mut desk = with(rules, &[("ann", 0), ("bob", -1)]);
    desk.now += 90_000;
    let condition = leaderboard_core::board::Condition { present: Some(true), compared: None };
    assert_eq!(desk.write(Op::Set(vec![0], b"cid".to_vec(), condition)), "- held back");
    assert_eq!(desk.add("dan", [-2]), "1 -2");
    assert_eq!(desk.see("day").rows(), "1 dan -2");
    assert_eq!(desk.add("bob", [-3]), "1 -3");
    assert_eq!(desk.see("day").rows(), "1 bob -3");
}

#[test]
fn many_who_fall_out_at_once_leave_what_a_few_at_a_time_leave() {
    let names: Vec<String> = (0..2_500).map(|number| format!("m{number}")).collect();
    let points: Vec<(i64, &str)> =
        names.iter().zip(0..).map(|(name, points)| (points, name.as_str())).collect();
    for views in [&["all"][..], &["all", "day"], &["day", "hour"]] {
        let mut desk = desk(keeping(2_500, views));
        desk.add_many(&points);
        desk.go_to_day(1);
        desk.add_many(&points);
        for name in ["m7", "m2400"] {
            desk.hide(name);
        }
        for name in ["m8", "m9", "m2401"] {
            desk.board.set_meta(name.as_bytes(), b"text").unwrap();
        }
        let mut slowly = desk.board.clone();
        play::set_keep(&mut desk.board, 20).unwrap();
        for keep in [1_900, 1_200, 500, 20] {
            play::set_keep(&mut slowly, keep).unwrap();
        }
        // If many members fall out at once, the board forgets them between commands.
        play::work(&mut desk.board, desk.now, 10_000);
        [&desk.board, &slowly].into_iter().for_each(leaderboard_core::Board::check);
        assert!(saved(&desk.board) == saved(&slowly), "{views:?}");
        assert_eq!(desk.meta("m9").is_some(), views.contains(&"day"), "{views:?}: the day before has it");
    }
}
