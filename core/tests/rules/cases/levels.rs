//! Scores of several levels.

use leaderboard_core::levels::Levels;
use leaderboard_core::schema::{Aggregate, Order, Tally};

use super::{DAY, Desk, MIDNIGHT, desk, level, medals, viewed};
use crate::play;
use leaderboard_testkit::board::score::{code, decoded};
use leaderboard_testkit::board::{Kind, Rules};

fn of(kinds: Vec<Kind>) -> Rules {
    Rules { kinds, ..medals() }
}

fn some() -> Desk {
    let mut desk = desk(medals());
    for (name, score) in [("a", [2, 9, 5]), ("b", [2, 9, 1]), ("c", [3, 0, 50]), ("d", [-1, 100, 0])] {
        desk.now += 1;
        desk.add(name, score);
    }
    desk
}

#[test]
fn the_first_level_that_differs_decides() {
    assert_eq!(some().top(), "1 c 3/0/50, 2 b 2/9/1, 3 a 2/9/5, 4 d -1/100/0");
}

#[test]
fn points_are_added_level_by_level() {
    let mut desk = some();
    assert_eq!(desk.add("a", [0, 1, -10]), "2 2/10/-5");
    assert_eq!(desk.add("d", [4, -100, 0]), "1 3/0/0");
    assert_eq!(desk.top(), "1 d 3/0/0, 2 c 3/0/50, 3 a 2/10/-5, 4 b 2/9/1");
}

#[test]
fn a_level_that_leaves_its_range_is_named_and_nothing_changes() {
    let mut desk = some();
    assert_eq!(desk.add("d", [0, 1, 0]), "level silver would be out of range");
    assert_eq!(desk.add("a", [0, 0, 96]), "level faults would be out of range");
    assert_eq!(desk.add("a", [101, 0, 0]), "points: level gold is out of range");
    assert_eq!(desk.add("a", [0, 0, 95]), "3 2/9/100");
}

#[test]
fn as_many_numbers_as_levels() {
    let mut desk = desk(medals());
    let write = play::write(desk.now);
    for text in ["5", "1/2", "1/2/3/4", "1//3", "1/2/3.5", "/1/2", "1/2/", "a/b/c", "1/2/+3", ""] {
        let points = leaderboard_core::Amount::parse(text.as_bytes(), "points");
        let told = points.and_then(|points| desk.board.add(&write, points, b"a"));
        assert!(told.is_err(), "{text}: {told:?}");
    }
    assert_eq!(desk.top(), "");
}

#[test]
fn a_score_is_set_by_the_difference_of_each_level() {
    let mut desk = desk(of(viewed(&["day", "all"]).kinds));
    desk.add("a", [50, 50, 50]);
    desk.now = MIDNIGHT + DAY;
    desk.add("a", [1, 2, 3]);
    assert_eq!(desk.set("a", [5, 1, 3]), "1 5/1/3");
    assert_eq!(desk.see("all").rows(), "1 a 55/51/53");
    assert_eq!(desk.set("a", [51, 1, 3]), "level gold would be out of range");
}

#[test]
fn a_window_can_never_leave_the_range_later() {
    let mut desk = desk(of(viewed(&["day:2"]).kinds));
    desk.add("a", [-100, 0, 0]);
    desk.go_to_day(1);
    assert_eq!(desk.add("a", [100, 0, 0]), "1 0/0/0");
    // The window would be 1/0/0. But the second day alone would be 101/0/0.
    assert_eq!(desk.add("a", [1, 0, 0]), "level gold would be out of range");
    desk.go_to_day(2);
    assert_eq!(desk.see("day:2").rows(), "1 a 100/0/0");
    assert_eq!(desk.add("a", [0, 7, 0]), "1 100/7/0");
    assert_eq!(desk.see("day:2").ago(1).rows(), "1 a 0/0/0");
}

#[test]
fn bests_are_compared_as_wholes() {
    let mut desk = desk(Rules { aggregate: Aggregate::Max, ..medals() });
    desk.add("a", [1, 5, 5]);
    desk.add("a", [1, 4, 0]);
    assert_eq!(desk.top(), "1 a 1/5/5");
    desk.add("a", [1, 5, 4]);
    assert_eq!(desk.top(), "1 a 1/5/4");
    desk.add("a", [2, -100, 100]);
    assert_eq!(desk.top(), "1 a 2/-100/100");
}

#[test]
fn bounds_may_lie_beyond_a_level() {
    let desk = some();
    let look = desk.see("all");
    assert_eq!(look.between("2/9/5", "3/0/50"), "1 c 3/0/50, 2 b 2/9/1, 3 a 2/9/5");
    // Fewer faults are better, so 2/9/1 is the better end.
    assert_eq!(look.between("2/9/5", "(2/9/1"), "3 a 2/9/5");
    assert_eq!(look.between("(2/9/5", "2/9/1"), "2 b 2/9/1");
    assert_eq!(look.between("2/9/1000", "+inf"), "1 c 3/0/50, 2 b 2/9/1, 3 a 2/9/5");
    assert_eq!(look.between("2/9/-1000", "+inf"), "1 c 3/0/50");
    assert_eq!(look.between("2/500/0", "+inf"), "1 c 3/0/50");
    assert_eq!(look.between("2/-500/0", "+inf"), "1 c 3/0/50, 2 b 2/9/1, 3 a 2/9/5");
    assert_eq!(look.between("5000/0/0", "+inf"), "");
    assert_eq!(look.between("-inf", "-5000/0/0"), "");
    assert_eq!(look.between("-99999999999999999999999/0/0", "0/0/0"), "4 d -1/100/0");
}

#[test]
fn gaps_are_the_better_minus_the_worse() {
    let desk = some();
    let gap = |name: &str, rev: bool| {
        let look = if rev { desk.see("all").rev() } else { desk.see("all") };
        let (standing, ..) = look.read().standing(name.as_bytes()).unwrap();
        (standing.ahead.map(|(_, _, gap)| gap), standing.behind.map(|(_, _, gap)| gap))
    };
    assert_eq!(gap("b", false), (Some(vec![1, -9, 49]), Some(vec![0, 0, -4])));
    assert_eq!(gap("b", true), (Some(vec![0, 0, -4]), Some(vec![1, -9, 49])));
    assert_eq!(gap("d", false), (Some(vec![3, -91, 5]), None));
}

#[test]
fn figures_of_levels_have_no_sum() {
    let desk = some();
    let read = desk.see("all").read();
    let stats = (4, None, Some(vec![-1, 100, 0]), Some(vec![3, 0, 50]), Some(vec![2, 9, 5]));
    assert_eq!(read.stats(), stats);
    assert_eq!(read.quantile(750_000_000), Some(vec![2, 9, 1]));
}

#[test]
fn one_level_is_a_tuple_too() {
    let mut desk = desk(Rules { levels: vec![level("time", true, 1_000)], ..medals() });
    desk.add("a", [90]);
    desk.add("b", [80]);
    assert_eq!(desk.top(), "1 b 80, 2 a 90");
    assert_eq!(desk.see("all").between("90", "80"), "1 b 80, 2 a 90");
    assert_eq!(desk.see("all").between("80", "90"), "");
}

#[test]
fn hidden_members_and_kept_ones_have_levels() {
    let mut desk = desk(Rules { keep: 2, ..medals() });
    desk.add("a", [1, 0, 9]);
    desk.add("b", [1, 0, 8]);
    assert_eq!(desk.add("c", [1, 0, 10]), "-");
    desk.hide("b");
    assert_eq!(desk.add("c", [1, 0, 10]), "2 1/0/10");
    assert_eq!(desk.top(), "1 a 1/0/9, 2 c 1/0/10");
    desk.unhide("b");
    assert_eq!(desk.top(), "1 b 1/0/8, 2 a 1/0/9");
}

#[test]
fn codes_are_those_of_the_weights() {
    let levels = medals().levels;
    // The weights of the levels are 201 * 201, 201 and 1.
    assert_eq!(code(&levels, &[1, 2, 3]), 40_401 + 402 - 3);
    assert_eq!(decoded(&levels, 40_401 + 402 - 3), [1, 2, 3]);
    let desk = some();
    let reading = desk.board.read(None, leaderboard_core::calendar::When::Now, Tally::Shown).unwrap();
    assert_eq!(reading.score(b"d").unwrap().units(), -40_401 + 100 * 201);
}

#[test]
fn the_list_of_levels() {
    for text in [
        "gold:DESC:0",
        "gold:DESC",
        "gold:UP:5",
        "gold:DESC:5,gold:ASC:5",
        ":DESC:5",
        "go ld:DESC:5",
        "gold:DESC:5,",
        "gold:DESC:-5",
        "a:DESC:1,b:DESC:1,c:DESC:1,d:DESC:1,e:DESC:1,f:DESC:1,g:DESC:1,h:DESC:1,i:DESC:1",
        "a:DESC:2000000000,b:DESC:2000000000,c:DESC:1",
        "",
    ] {
        assert!(Levels::parse(text.as_bytes()).is_err(), "{text}");
    }
    let name = "x".repeat(32);
    assert!(Levels::parse(format!("{name}:DESC:5").as_bytes()).is_ok());
    assert!(Levels::parse(format!("{name}x:DESC:5").as_bytes()).is_err());
    // The highest code of one level is its maximum: (2 * max + 1 - 1) / 2.
    assert!(Levels::parse(b"a:desc:9223372036854775807").is_ok());
    assert!(Levels::parse(b"a:DESC:2147483647,b_-9:ASC:2147483647").is_ok());
    assert_eq!(Levels::parse(b"a:asc:7,b:DESC:12").unwrap().to_string(), "a:ASC:7,b:DESC:12");
}

#[test]
fn what_does_not_go_with_levels() {
    assert!(play::made(&Rules { decimals: 2, ..medals() }).is_err());
    assert!(play::made(&Rules { shown: true, ..medals() }).is_err());
    assert!(play::made(&medals()).is_ok());
    assert_eq!(desk(medals()).board.schema().order, Order::Desc);
}
