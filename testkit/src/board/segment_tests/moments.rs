//! The moments of segments, and the order of equal ones.

use leaderboard_core::schema::Ties;

use super::super::segment::Rule;
use super::super::{Op, Rules};
use super::{BEGIN, DAY, desk, plain};

#[test]
fn boundaries_of_windows_change_scores_but_no_moments() {
    let mut desk = desk(plain(&["day:2"]), Rule::Sum);
    desk.join(4, "ann", "de");
    desk.join(5, "bob", "fr");
    desk.wall += DAY;
    desk.join(3, "cid", "fr");
    desk.join(3, "dan", "de");
    assert_eq!(desk.shown(), "fr=8/2 de=7/2");
    desk.wall += DAY;
    desk.model.advance(desk.wall);
    assert_eq!(desk.shown(), "fr=3/1 de=3/1");
    desk.wall += DAY;
    desk.model.advance(desk.wall);
    assert_eq!(desk.shown(), "");
    assert_eq!(desk.ended(1), "fr=3/1 de=3/1");
    assert_eq!(desk.ended(2), "fr=8/2 de=7/2");
}

#[test]
fn equal_segments_stand_by_the_moment_of_their_last_change() {
    for (ties, expected) in [
        (Ties::First, "it=5/1 de=5/2 fr=5/1"),
        (Ties::Last, "fr=5/1 de=5/2 it=5/1"),
        (Ties::Lex, "de=5/2 fr=5/1 it=5/1"),
        (Ties::RevLex, "it=5/1 fr=5/1 de=5/2"),
    ] {
        let mut desk = desk(Rules { ties, ..plain(&["all"]) }, Rule::Sum);
        desk.join(2, "ann", "de");
        desk.join(5, "cid", "it");
        desk.join(3, "bob", "de");
        desk.join(5, "dan", "fr");
        desk.add(0, "cid");
        assert_eq!(desk.shown(), expected, "{ties:?}");
    }
}

#[test]
fn at_one_moment_the_segment_that_a_member_leaves_changes_first() {
    let mut desk = desk(plain(&["all"]), Rule::Count);
    desk.join(1, "ann", "fr");
    desk.join(1, "bob", "fr");
    desk.move_to("ann", "de");
    assert_eq!(desk.shown(), "fr=1/1 de=1/1");
    desk.move_to("ann", "fr");
    desk.move_to("bob", "de");
    assert_eq!(desk.shown(), "fr=1/1 de=1/1");
    desk.model.rules.ties = Ties::Last;
    assert_eq!(desk.shown(), "de=1/1 fr=1/1");
}

#[test]
fn the_best_has_the_moment_of_its_member() {
    for (ties, expected) in
        [(Ties::First, "fr=5/2 de=5/1"), (Ties::Last, "fr=5/2 de=5/1"), (Ties::Lex, "de=5/1 fr=5/2")]
    {
        let mut desk = desk(Rules { ties, ..plain(&["all"]) }, Rule::Best);
        desk.join(5, "ann", "fr");
        desk.join(5, "bob", "de");
        desk.join(5, "cid", "fr");
        assert_eq!(desk.shown(), expected, "{ties:?}");
    }
}

#[test]
fn hiding_and_showing_again_are_changes_of_the_score() {
    let mut desk = desk(plain(&["all"]), Rule::Sum);
    desk.join(5, "ann", "de");
    desk.join(5, "bob", "fr");
    assert_eq!(desk.shown(), "de=5/1 fr=5/1");
    desk.hide("ann");
    desk.turn(|model| model.unhide(b"ann"));
    assert_eq!(desk.shown(), "fr=5/1 de=5/1");
}

#[test]
fn a_write_changes_a_segment_at_its_own_moment_and_a_move_now() {
    let mut desk = desk(plain(&["all"]), Rule::Sum);
    desk.join(1, "ann", "de");
    desk.join(6, "bob", "fr");
    desk.wall += 1_000;
    desk.send(Op::Add(vec![5], b"ann".to_vec()), &[], Some(BEGIN)).unwrap();
    assert_eq!(desk.shown(), "de=6/1 fr=6/1");
    desk.send(Op::Add(vec![0], b"cid".to_vec()), &[("land", "de")], Some(BEGIN)).unwrap();
    assert_eq!(desk.shown(), "de=6/2 fr=6/1", "no score has changed");
    desk.send(Op::Add(vec![2], b"dan".to_vec()), &[("land", "it")], Some(BEGIN)).unwrap();
    desk.send(Op::Add(vec![-2], b"dan".to_vec()), &[("land", "de")], Some(BEGIN)).unwrap();
    assert_eq!(desk.shown(), "de=6/3 fr=6/1", "taken as a whole, the command changes no score");
    desk.send(Op::Add(vec![2], b"eve".to_vec()), &[("land", "it")], None).unwrap();
    desk.move_to("eve", "de");
    desk.send(Op::Add(vec![-2], b"eve".to_vec()), &[("land", "fr")], Some(BEGIN)).unwrap();
    assert_eq!(desk.shown(), "fr=6/2 de=6/3", "the member left now, whatever the AT");
}
