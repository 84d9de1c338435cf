//! Hidden members.

use leaderboard_core::schema::{Ranks, Ties};

use super::{DAY, MIDNIGHT, desk, keeping, names, plain, viewed, with};
use crate::{loaded, play, saved};
use leaderboard_testkit::board::{Op, Rules};

const SOME: &[(&str, i64)] = &[("ann", 9), ("bob", 7), ("cid", 7), ("dan", 1)];

#[test]
fn others_are_seen_as_if_the_hidden_were_not_there() {
    let mut desk = with(plain(), SOME);
    desk.hide("bob");
    assert_eq!(desk.top(), "1 ann 9, 2 cid 7, 3 dan 1");
    assert_eq!(desk.see("all").rev().rows(), "1 dan 1, 2 cid 7, 3 ann 9");
    assert_eq!(desk.see("all").by(Ranks::Competition).rows(), "1 ann 9, 2 cid 7, 3 dan 1");
    assert_eq!(desk.see("all").between("7", "9"), "1 ann 9, 2 cid 7");
    assert_eq!((desk.see("all").read().len(), desk.board.count()), (3, 3));
    let stats = desk.see("all").read().stats();
    assert_eq!(stats, (3, Some(17), Some(vec![1]), Some(vec![9]), Some(vec![7])));
}

#[test]
fn it_sees_itself_where_it_would_be() {
    let mut desk = with(plain(), SOME);
    desk.hide("ann bob cid");
    let rank = |name: &str, ranks| desk.see("all").by(ranks).rank(name);
    assert_eq!(rank("dan", Ranks::Ordinal), Some(1));
    assert_eq!(rank("ann", Ranks::Ordinal), Some(1));
    // A hidden member does not count in the rank of another hidden member.
    assert_eq!(rank("cid", Ranks::Ordinal), Some(1));
    assert_eq!(desk.see("all").rev().rank("cid"), Some(2));
}

#[test]
fn its_own_standing_counts_it() {
    let mut desk = with(plain(), SOME);
    desk.hide("ann cid");
    let (standing, ..) = desk.see("all").read().standing(b"cid").unwrap();
    assert_eq!((standing.rank, standing.members, standing.percentile), (2, 3, 6_667));
    assert_eq!(standing.ahead, Some((b"bob".to_vec(), vec![7], vec![0])));
    assert_eq!(standing.behind, Some((b"dan".to_vec(), vec![1], vec![6])));
    let (standing, ..) = desk.see("all").read().standing(b"bob").unwrap();
    assert_eq!((standing.rank, standing.members, standing.percentile), (1, 2, 10_000));
    assert_eq!((standing.ahead, standing.behind), (None, Some((b"dan".to_vec(), vec![1], vec![6]))));
}

#[test]
fn dense_ranks_leave_out_scores_that_only_the_hidden_have() {
    let mut desk = with(plain(), &[("a", 9), ("b", 8), ("c", 7), ("d", 7), ("e", 6)]);
    desk.hide("b c");
    assert_eq!(desk.see("all").by(Ranks::Dense).rows(), "1 a 9, 2 d 7, 3 e 6");
    assert_eq!(desk.see("all").by(Ranks::Dense).rev().rows(), "1 e 6, 2 d 7, 3 a 9");
    assert_eq!(desk.see("all").by(Ranks::Dense).rank("b"), Some(2));
    assert_eq!(desk.see("all").by(Ranks::Dense).rank("c"), Some(2));
    assert_eq!(desk.see("all").by(Ranks::Dense).rev().rank("b"), Some(3));
}

#[test]
fn it_goes_on_collecting_and_comes_back_with_all_of_it() {
    let mut desk = with(plain(), SOME);
    desk.hide("dan");
    assert_eq!(desk.add("dan", [7]), "2 8");
    assert_eq!(desk.add("ann", [1]), "1 10");
    assert_eq!(desk.top(), "1 ann 10, 2 bob 7, 3 cid 7");
    desk.unhide("dan");
    assert_eq!(desk.top(), "1 ann 10, 2 dan 8, 3 bob 7, 4 cid 7");
}

#[test]
fn ended_periods_are_seen_without_it_and_with_it_again() {
    let mut desk = with(viewed(&["all", "day", "day:2"]), SOME);
    desk.go_to_day(1);
    desk.hide("ann");
    desk.add("bob", [1]);
    desk.go_to_day(2);
    assert_eq!(desk.see("day").ago(2).rows(), "1 bob 7, 2 cid 7, 3 dan 1");
    assert_eq!(desk.see("day:2").ago(1).rows(), "1 bob 8, 2 cid 7, 3 dan 1");
    assert_eq!(desk.see("day").ago(2).rank("ann"), Some(1));
    desk.unhide("ann");
    assert_eq!(desk.see("day").ago(2).rows(), "1 ann 9, 2 bob 7, 3 cid 7, 4 dan 1");
    assert_eq!(desk.see("day:2").ago(1).rows(), "1 ann 9, 2 bob 8, 3 cid 7, 4 dan 1");
}

#[test]
fn a_period_of_the_hidden_alone_is_listed_with_nobody() {
    let mut desk = with(viewed(&["day"]), &[("ann", 9)]);
    desk.hide("ann");
    desk.go_to_day(1);
    let periods = desk.board.periods(b"day").unwrap();
    assert_eq!(periods.iter().map(|period| period.members).collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn in_the_same_millisecond_it_stands_between_others() {
    for (ties, rank) in [(Ties::First, 2), (Ties::Last, 2), (Ties::Lex, 1), (Ties::RevLex, 3)] {
        let mut desk = desk(Rules { ties, ..plain() });
        desk.add_many(&[(5, "c"), (5, "a"), (5, "b")]);
        desk.hide("a");
        assert_eq!(desk.see("all").rank("a"), Some(rank), "{ties:?}");
        assert_eq!(desk.see("all").by(Ranks::Competition).rank("a"), Some(1));
    }
}

#[test]
fn everybody_can_be_hidden() {
    let mut desk = with(plain(), SOME);
    desk.hide("ann bob cid dan");
    assert_eq!((desk.top().as_str(), desk.board.count()), ("", 0));
    assert!(desk.see("all").read().stats() == (0, Some(0), None, None, None));
    assert_eq!(desk.see("all").quantile(500_000_000), None);
    assert_eq!(desk.see("all").around("bob", 3, 3), "1 bob 7");
    let (standing, ..) = desk.see("all").read().standing(b"bob").unwrap();
    assert_eq!((standing.rank, standing.members, standing.percentile), (1, 1, 10_000));
}

#[test]
fn the_unknown_can_be_hidden_and_come_later() {
    let mut desk = with(plain(), SOME);
    desk.hide("eve");
    assert_eq!(desk.see("all").rank("eve"), None);
    assert_eq!(desk.add("eve", [8]), "2 8");
    assert_eq!(desk.top(), "1 ann 9, 2 bob 7, 3 cid 7, 4 dan 1");
    assert!(!play::hide(&mut desk.board, b"eve"));
    assert!(!play::unhide(&mut desk.board, b"ann"));
    desk.unhide("eve");
    assert_eq!(desk.see("all").range(2, 2), "2 eve 8");
}

/// A board that grows by hidden names goes back to its last write. The next command passes the boundary again.
#[test]
fn many_unknown_can_be_hidden_after_a_boundary() {
    let mut desk = with(viewed(&["day", "day:2"]), SOME);
    desk.go_to_day(1);
    let unknown: Vec<_> = (0..300).map(|number| format!("m{number}").into_bytes()).collect();
    for name in &unknown {
        desk.board.advance(desk.now);
        assert!(play::hide(&mut desk.board, name));
    }
    desk.board.advance(desk.now);
    assert_eq!((desk.top().as_str(), desk.board.count()), ("", 0));
    assert_eq!(desk.see("day").ago(1).rows(), "1 ann 9, 2 bob 7, 3 cid 7, 4 dan 1");
    assert_eq!(desk.see("day:2").rows(), "1 ann 9, 2 bob 7, 3 cid 7, 4 dan 1");
    for name in &unknown {
        desk.board.advance(desk.now);
        assert!(play::unhide(&mut desk.board, name));
    }
    desk.board.advance(desk.now);
    assert_eq!(desk.board.count(), 0);
    assert_eq!(desk.add("ann", [1]), "1 1");
}

#[test]
fn the_hidden_are_listed_by_name() {
    let mut desk = with(plain(), SOME);
    desk.hide("dan zoe Bob bob ann");
    assert_eq!(play::hidden(&desk.board), names("Bob ann bob dan zoe"));
}

#[test]
fn removal_forgets_that_it_was_hidden() {
    let mut desk = with(plain(), SOME);
    desk.hide("bob");
    assert!(desk.remove("bob"));
    assert!(play::hidden(&desk.board).is_empty());
    desk.add("bob", [10]);
    assert_eq!(desk.see("all").range(1, 1), "1 bob 10");
}

#[test]
fn a_saved_board_keeps_who_is_hidden() {
    let mut desk = with(viewed(&["all", "day"]), SOME);
    desk.hide("bob zoe");
    let chunks = saved(&desk.board);
    desk.board = loaded(&chunks);
    assert!(saved(&desk.board) == chunks);
    assert_eq!(play::hidden(&desk.board), names("bob zoe"));
    assert_eq!(desk.top(), "1 ann 9, 2 cid 7, 3 dan 1");
}

#[test]
fn real_votes_hide_as_shown_ones_do() {
    let mut desk = desk(Rules { shown: true, ..plain() });
    play::declare(&mut desk.board, b"ann", 3, play::client(MIDNIGHT));
    for (votes, name) in [(1, "ann"), (2, "bob")] {
        desk.write(Op::Vote(votes, name.into()));
    }
    assert_eq!(desk.top(), "1 ann 3, 2 bob 2");
    assert_eq!(desk.see("all").real().rows(), "1 bob 2, 2 ann 1");
    desk.hide("bob");
    assert_eq!(desk.top(), "1 ann 3");
    assert_eq!(desk.see("all").real().rows(), "1 ann 1");
    assert_eq!(desk.write(Op::Vote(2, b"bob".to_vec())), "1 4");
    assert_eq!(desk.see("all").real().rank("ann"), Some(1));
}

#[test]
fn a_hidden_member_keeps_its_moment() {
    let mut desk = with(plain(), &[("ann", 5), ("bob", 5)]);
    desk.hide("ann");
    desk.now += DAY;
    desk.unhide("ann");
    assert_eq!(desk.top(), "1 ann 5, 2 bob 5");
}

#[test]
fn at_most_a_thousand_are_hidden() {
    let mut desk = desk(keeping(1, &["all"]));
    for number in 0..1_000 {
        assert_eq!(desk.board.hide(format!("m{number}").as_bytes()), Ok(true));
    }
    assert!(desk.board.hide(b"one more").is_err());
    assert_eq!(desk.board.hide(b"m7"), Ok(false));
    desk.unhide("m7");
    assert_eq!(desk.board.hide(b"one more"), Ok(true));
}

#[test]
fn the_hidden_without_a_score_are_members_like_others() {
    let mut desk = desk(plain());
    desk.hide("ann");
    desk.board.check();
    let chunks = saved(&desk.board);
    assert!(saved(&loaded(&chunks)) == chunks);
    desk.unhide("ann");
    desk.board.check();
}
