//! Groups: how they fill, and the order in them.

use super::*;

#[test]
fn groups_fill_in_the_order_of_joining() {
    let mut league = new(flat(3));
    join_all(&mut league, 0, "a b c d e f g");
    assert_eq!(group(&mut league, 0, "low", 1), "a b c");
    assert_eq!(group(&mut league, 0, "low", 2), "d e f");
    assert_eq!(group(&mut league, 0, "low", 3), "g");
    assert_eq!(league.read(When::Now).unwrap().sizes(), [(7, 3)]);
}

#[test]
fn each_tier_has_groups_of_its_own() {
    let mut league = new(plain());
    place_in(&mut league, 0, "mid", "a b c d");
    join_all(&mut league, 0, "e");
    assert_eq!(league.read(When::Now).unwrap().sizes(), [(1, 1), (4, 2), (0, 0)]);
    assert_eq!(group(&mut league, 0, "mid", 2), "d");
    assert_eq!(group(&mut league, 0, "low", 1), "e");
    assert_eq!(group(&mut league, 0, "top", 1), "");
}

#[test]
fn the_last_group_is_filled_again_and_earlier_ones_are_not() {
    let mut league = new(flat(2));
    join_all(&mut league, 0, "a b c d");
    assert!(remove(&mut league, 0, "a"));
    assert!(remove(&mut league, 0, "c"));
    join_all(&mut league, 0, "e f");
    assert_eq!(group(&mut league, 0, "low", 1), "b");
    assert_eq!(group(&mut league, 0, "low", 2), "d e");
    assert_eq!(group(&mut league, 0, "low", 3), "f");
}

#[test]
fn a_group_that_lost_all_keeps_its_number() {
    let mut league = new(flat(1));
    join_all(&mut league, 0, "a b c");
    for name in ["a", "b"] {
        assert!(remove(&mut league, 0, name));
    }
    assert_eq!(league.read(When::Now).unwrap().sizes(), [(1, 3)]);
    assert_eq!((1..4).map(|number| group(&mut league, 0, "low", number)).collect::<Vec<_>>(), ["", "", "c"]);
    assert!(remove(&mut league, 0, "c"));
    assert_eq!(league.read(When::Now).unwrap().sizes(), [(0, 3)]);
    assert_eq!(join(&mut league, 0, "d").place.unwrap().group, 3);
    assert_eq!(join(&mut league, 0, "e").place.unwrap().group, 4);
    let mut copy = loaded(&saved(&league));
    look(&mut copy, 0);
    assert_eq!(copy.read(When::Now).unwrap().sizes(), [(2, 4)]);
}

#[test]
fn a_new_size_is_for_groups_opened_later() {
    let mut league = new(flat(2));
    join_all(&mut league, 0, "a b c");
    alter(&mut league, 0, &Alter { group: Some(3), ..none() });
    join_all(&mut league, 0, "d e f g h");
    assert_eq!(group(&mut league, 0, "low", 2), "c d");
    assert_eq!(group(&mut league, 0, "low", 3), "e f g");
    alter(&mut league, 0, &Alter { group: Some(1), ..none() });
    join_all(&mut league, 0, "i");
    assert_eq!(group(&mut league, 0, "low", 4), "h i");
    let mut copy = loaded(&saved(&league));
    for league in [&mut league, &mut copy] {
        join_all(league, 0, "j k l");
        assert_eq!(group(league, 0, "low", 4), "h i j");
        assert_eq!(group(league, 0, "low", 6), "l");
    }
}

#[test]
fn who_joined_first_stands_first_without_points() {
    let mut league = new(flat(5));
    join(&mut league, 5, "b");
    enter(&mut league, &of(6, 4), "a", None);
    join(&mut league, 6, "c");
    assert_eq!(group(&mut league, 6, "low", 1), "a b c");
}

#[test]
fn more_points_rank_higher_and_none_lower_than_some() {
    let mut league = new(flat(5));
    assert_eq!(add(&mut league, 0, -2, "a"), (-2, 1));
    assert_eq!(add(&mut league, 1, 0, "b"), (0, 1));
    assert_eq!(add(&mut league, 2, 3, "c"), (3, 1));
    assert_eq!(add(&mut league, 3, -4, "c"), (-1, 2));
    assert_eq!(group(&mut league, 3, "low", 1), "b c a");
}

#[test]
fn a_group_of_several_hundred() {
    let mut league = new(flat(300));
    for number in 0..300 {
        join(&mut league, number, &format!("{number:03}"));
    }
    assert_eq!(add(&mut league, 400, 1, "299"), (1, 1));
    assert_eq!(add(&mut league, 401, 1, "150"), (1, 2));
    assert_eq!(add(&mut league, 402, -1, "000"), (-1, 300));
    for league in [&mut loaded(&saved(&league)), &mut league] {
        let order = group(league, 402, "low", 1);
        assert!(order.starts_with("299 150 001 002") && order.ends_with("297 298 000"));
        assert!(remove(league, 402, "150"));
        assert_eq!(join(league, 403, "new").place.unwrap().rank, 299);
        assert_eq!(join(league, 403, "more").place.unwrap().group, 2);
    }
}

#[test]
fn so_many_rows_are_told_as_are_asked_for() {
    let mut league = new(flat(4));
    join_all(&mut league, 0, "a b c");
    look(&mut league, 0);
    let reading = league.read(When::Now).unwrap();
    let group = reading.group_of(b"b").unwrap();
    assert_eq!([0, 1, 3, 9].map(|count| group.rows(count).len()), [0, 1, 3, 3]);
    assert_eq!((group.tier(), group.number(), group.len()), (0, 1, 3));
    assert!(reading.group_of(b"x").is_none());
}

#[test]
fn of_equal_scores_who_joined_first_can_be_first() {
    let order = |ties| {
        let mut league = new(Rules { ties, ..flat(9) });
        // The first two join within the same millisecond.
        join_all(&mut league, 0, "ann bob");
        join_all(&mut league, 1, "cat");
        for (moment, name) in [(2, "cat"), (3, "bob"), (4, "ann")] {
            add(&mut league, moment, 5, name);
        }
        let before = group(&mut league, 4, "low", 1);
        assert!(saved(&loaded(&saved(&league))) == saved(&league));
        let mut league = loaded(&saved(&league));
        add(&mut league, 5, 5, "bob");
        add(&mut league, 6, 5, "ann");
        (before, group(&mut league, 6, "low", 1))
    };
    assert_eq!(order(LeagueTies::Joined), ("ann bob cat".to_owned(), "ann bob cat".to_owned()));
    assert_eq!(order(LeagueTies::Scored), ("cat bob ann".to_owned(), "bob ann cat".to_owned()));
}
