//! Reads in the reversed order, kinds of ranks, and ties.

use leaderboard_core::schema::{Aggregate, Ranks, Ties};

use super::{DAY, desk, plain, viewed, with};
use leaderboard_testkit::board::Rules;

const SOME: &[(&str, i64)] = &[("ann", 9), ("bob", 5), ("cid", 5), ("dan", 1)];

fn tied(ties: Ties) -> Rules {
    Rules { ties, ..plain() }
}

#[test]
fn ordinal_ranks_are_reversed_exactly() {
    let desk = with(plain(), SOME);
    assert_eq!(desk.top(), "1 ann 9, 2 bob 5, 3 cid 5, 4 dan 1");
    assert_eq!(desk.see("all").rev().rows(), "1 dan 1, 2 cid 5, 3 bob 5, 4 ann 9");
}

#[test]
fn competition_ranks_from_the_end_count_worse_scores() {
    let desk = with(plain(), SOME);
    let look = desk.see("all").by(Ranks::Competition);
    assert_eq!(look.rows(), "1 ann 9, 2 bob 5, 2 cid 5, 4 dan 1");
    assert_eq!(look.rev().rows(), "1 dan 1, 2 cid 5, 2 bob 5, 4 ann 9");
}

#[test]
fn dense_ranks_from_the_end_count_distinct_worse_scores() {
    let desk = with(plain(), SOME);
    let look = desk.see("all").by(Ranks::Dense);
    assert_eq!(look.rows(), "1 ann 9, 2 bob 5, 2 cid 5, 3 dan 1");
    assert_eq!(look.rev().rows(), "1 dan 1, 2 cid 5, 2 bob 5, 3 ann 9");
}

#[test]
fn ranges_are_counted_from_the_end() {
    let desk = with(plain(), SOME);
    let look = desk.see("all").rev();
    assert_eq!(look.range(1, 2), "1 dan 1, 2 cid 5");
    assert_eq!(look.range(-1, -1), "4 ann 9");
    assert_eq!(look.range(3, 9), "3 bob 5, 4 ann 9");
    assert_eq!(look.between("1", "5"), "1 dan 1, 2 cid 5, 3 bob 5");
}

#[test]
fn an_offset_in_the_middle_of_equals_has_their_rank() {
    let desk = with(plain(), SOME);
    let read = desk.see("all").by(Ranks::Competition).rev().read();
    assert_eq!(read.rows(2, 1), [(2, b"bob".to_vec(), vec![5])]);
}

#[test]
fn standings_from_the_end() {
    let desk = with(plain(), SOME);
    let (standing, ..) = desk.see("all").rev().read().standing(b"cid").unwrap();
    assert_eq!((standing.rank, standing.members, standing.percentile), (2, 4, 7_500));
    assert_eq!(standing.ahead, Some((b"dan".to_vec(), vec![1], vec![4])));
    assert_eq!(standing.behind, Some((b"bob".to_vec(), vec![5], vec![0])));
    let (last, ..) = desk.see("all").rev().read().standing(b"ann").unwrap();
    assert_eq!((last.rank, last.percentile, last.behind), (4, 2_500, None));
}

#[test]
fn the_share_at_or_below_counts_equals_by_the_ranks() {
    let desk = with(plain(), SOME);
    let percentile = |ranks| desk.see("all").by(ranks).read().standing(b"cid").unwrap().0.percentile;
    assert_eq!([Ranks::Ordinal, Ranks::Competition, Ranks::Dense].map(percentile), [5_000, 7_500, 7_500]);
}

#[test]
fn the_place_in_the_period_before_is_counted_from_the_end_too() {
    let mut desk = with(viewed(&["day"]), SOME);
    desk.now = super::MIDNIGHT + DAY;
    desk.add("ann", [3]);
    desk.add("dan", [4]);
    let (standing, previous, _) = desk.see("day").rev().read().standing(b"ann").unwrap();
    assert_eq!((standing.rank, previous), (1, Some((4, vec![9]))));
    let (_, previous, _) = desk.see("day").read().standing(b"ann").unwrap();
    assert_eq!(previous, Some((1, vec![9])));
}

#[test]
fn the_end_of_an_ascending_board_is_its_greatest_score() {
    let desk = with(Rules { ascending: true, ..plain() }, SOME);
    assert_eq!(desk.top(), "1 dan 1, 2 bob 5, 3 cid 5, 4 ann 9");
    assert_eq!(desk.see("all").rev().rows(), "1 ann 9, 2 cid 5, 3 bob 5, 4 dan 1");
}

#[test]
fn ended_periods_are_read_from_the_end() {
    let mut desk = with(viewed(&["all", "day"]), SOME);
    desk.go_to_day(2);
    assert_eq!(desk.see("day").ago(2).rev().rows(), "1 dan 1, 2 cid 5, 3 bob 5, 4 ann 9");
    assert_eq!(desk.see("day").ago(1).rev().rows(), "");
}

#[test]
fn in_the_same_millisecond_the_one_applied_earlier_is_first() {
    for (ties, rows) in [
        (Ties::First, "1 b 5, 2 c 5, 3 a 5"),
        (Ties::Last, "1 a 5, 2 c 5, 3 b 5"),
        (Ties::Lex, "1 a 5, 2 b 5, 3 c 5"),
        (Ties::RevLex, "1 c 5, 2 b 5, 3 a 5"),
    ] {
        let mut desk = desk(tied(ties));
        ["b", "c", "a"].iter().for_each(|name| drop(desk.add(name, [5])));
        assert_eq!(desk.top(), rows, "{ties:?}");
    }
}

#[test]
fn names_descend_byte_by_byte() {
    let mut desk = desk(tied(Ties::RevLex));
    ["a", "ab", "b", "B", "é"].iter().for_each(|name| drop(desk.add(name, [1])));
    assert_eq!(desk.top(), "1 é 1, 2 b 1, 3 ab 1, 4 a 1, 5 B 1");
    assert_eq!(desk.see("all").rev().rows(), "1 B 1, 2 a 1, 3 ab 1, 4 b 1, 5 é 1");
}

#[test]
fn descending_names_ignore_the_direction_of_scores() {
    let mut desk = desk(Rules { ascending: true, ..tied(Ties::RevLex) });
    desk.add_many(&[(1, "a"), (1, "b"), (0, "c")]);
    assert_eq!(desk.top(), "1 c 0, 2 b 1, 3 a 1");
}

#[test]
fn a_late_best_has_its_own_moment() {
    let mut desk = desk(Rules { aggregate: Aggregate::Max, ..plain() });
    desk.now += 500;
    desk.add_at("ann", 7, 400);
    desk.add_at("bob", 7, 300);
    assert_eq!(desk.top(), "1 bob 7, 2 ann 7");
    // An equal score is no new best score, so the moment stays.
    desk.add_at("ann", 7, 200);
    assert_eq!(desk.top(), "1 bob 7, 2 ann 7");
}
