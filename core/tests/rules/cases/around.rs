//! Rows around a member, and members among others.

use leaderboard_core::schema::Ranks;

use super::{Desk, plain, with};

fn seven() -> Desk {
    with(plain(), &[("a", 9), ("b", 8), ("c", 7), ("d", 6), ("e", 5), ("f", 4), ("g", 3)])
}

#[test]
fn above_and_below_are_counted_apart() {
    let desk = seven();
    assert_eq!(desk.see("all").around("d", 2, 1), "2 b 8, 3 c 7, 4 d 6, 5 e 5");
    assert_eq!(desk.see("all").around("d", 0, 2), "4 d 6, 5 e 5, 6 f 4");
    assert_eq!(desk.see("all").around("d", 0, 0), "4 d 6");
}

#[test]
fn without_fill_an_end_cuts_off() {
    let desk = seven();
    assert_eq!(desk.see("all").around("a", 3, 1), "1 a 9, 2 b 8");
    assert_eq!(desk.see("all").around("g", 1, 5), "6 f 4, 7 g 3");
}

#[test]
fn what_is_missing_at_one_end_comes_from_the_other() {
    let desk = seven();
    assert_eq!(desk.see("all").filled("b", 2, 2), "1 a 9, 2 b 8, 3 c 7, 4 d 6, 5 e 5");
    assert_eq!(desk.see("all").filled("f", 2, 2), "3 c 7, 4 d 6, 5 e 5, 6 f 4, 7 g 3");
    assert_eq!(desk.see("all").filled("a", 3, 0), "1 a 9, 2 b 8, 3 c 7, 4 d 6");
    assert_eq!(desk.see("all").filled("d", 1, 1), "3 c 7, 4 d 6, 5 e 5");
}

#[test]
fn more_than_there_are_is_all_of_them() {
    let desk = seven();
    let all = "1 a 9, 2 b 8, 3 c 7, 4 d 6, 5 e 5, 6 f 4, 7 g 3";
    assert_eq!(desk.see("all").filled("c", 5, 3), all);
    assert_eq!(desk.see("all").filled("c", u64::MAX, u64::MAX), all);
    assert_eq!(desk.see("all").around("c", u64::MAX, 0), "1 a 9, 2 b 8, 3 c 7");
}

#[test]
fn above_is_towards_the_first_place_from_the_end_too() {
    let desk = seven();
    assert_eq!(desk.see("all").rev().around("f", 1, 2), "1 g 3, 2 f 4, 3 e 5, 4 d 6");
    assert_eq!(desk.see("all").rev().filled("f", 3, 1), "1 g 3, 2 f 4, 3 e 5, 4 d 6, 5 c 7");
}

#[test]
fn about_nobody_there_are_no_rows() {
    assert_eq!(seven().see("all").filled("nobody", 3, 3), "");
}

#[test]
fn about_a_hidden_member_there_is_its_own_row_at_its_place() {
    let mut desk = seven();
    desk.hide("c e");
    assert_eq!(desk.see("all").around("c", 1, 2), "2 b 8, 3 c 7, 3 d 6, 4 f 4");
    assert_eq!(desk.see("all").around("d", 1, 1), "2 b 8, 3 d 6, 4 f 4");
    assert_eq!(desk.see("all").rev().around("c", 1, 1), "3 d 6, 4 c 7, 4 b 8");
    assert_eq!(desk.see("all").filled("c", 0, 9), "1 a 9, 2 b 8, 3 c 7, 3 d 6, 4 f 4, 5 g 3");
}

#[test]
fn among_friends_places_are_counted_anew() {
    let desk = seven();
    assert_eq!(desk.see("all").among("f b d nobody b"), "1 b 8 (2), 2 d 6 (4), 3 f 4 (6)");
    assert_eq!(desk.see("all").rev().among("f b d"), "1 f 4 (2), 2 d 6 (4), 3 b 8 (6)");
    assert_eq!(desk.see("all").among("nobody"), "");
}

#[test]
fn among_friends_places_are_counted_as_ranks_are() {
    let desk = with(plain(), &[("a", 9), ("b", 7), ("c", 7), ("d", 7), ("e", 5), ("f", 1)]);
    let look = |ranks| desk.see("all").by(ranks).among("c d e b");
    assert_eq!(look(Ranks::Ordinal), "1 b 7 (2), 2 c 7 (3), 3 d 7 (4), 4 e 5 (5)");
    assert_eq!(look(Ranks::Competition), "1 b 7 (2), 1 c 7 (2), 1 d 7 (2), 4 e 5 (5)");
    assert_eq!(look(Ranks::Dense), "1 b 7 (2), 1 c 7 (2), 1 d 7 (2), 2 e 5 (3)");
    let from_the_end = desk.see("all").by(Ranks::Competition).rev().among("c f a");
    assert_eq!(from_the_end, "1 f 1 (1), 2 c 7 (3), 3 a 9 (6)");
}

#[test]
fn hidden_friends_are_left_out() {
    let mut desk = seven();
    desk.hide("b");
    assert_eq!(desk.see("all").among("a b c"), "1 a 9 (1), 2 c 7 (2)");
}
