//! Members that go up, members that go down, and rewards.

use super::*;

#[test]
fn a_league_of_one_member_works() {
    let mut league = new(plain());
    join(&mut league, 0, "a");
    assert_eq!(zone(&mut league, 0, "a"), Some(GroupZone::Promote));
    let next = join(&mut league, WEEK, "a");
    assert_eq!((tier_of(&next), next.last.unwrap().zone), (1, GroupZone::Promote));
    let next = join(&mut league, 2 * WEEK, "a");
    assert_eq!((tier_of(&next), next.last.unwrap().zone), (2, GroupZone::Promote));
    let next = join(&mut league, 3 * WEEK, "a");
    assert_eq!((tier_of(&next), next.last.unwrap().zone), (1, GroupZone::Demote));
}

#[test]
fn one_member_of_one_tier_stays() {
    let mut league = new(flat(1));
    join(&mut league, 0, "a");
    let next = join(&mut league, WEEK, "a");
    assert_eq!((tier_of(&next), next.last.unwrap().zone), (0, GroupZone::Stay));
}

#[test]
fn promotion_wins_where_zones_overlap() {
    let mut league = new(sharing(TierAmount::Count(3), TierAmount::Count(3), 5));
    place_in(&mut league, 0, "mid", "a b c d e");
    assert_eq!(zones(&mut league, 0, "mid", 1), "+++--");
    let mut league = new(sharing(TierAmount::Count(1_000_000), TierAmount::Count(1_000_000), 5));
    place_in(&mut league, 0, "mid", "a b");
    assert_eq!(zones(&mut league, 0, "mid", 1), "++");
    let mut league = new(sharing(NONE, TierAmount::Count(1_000_000), 5));
    place_in(&mut league, 0, "mid", "a b");
    assert_eq!(zones(&mut league, 0, "mid", 1), "--");
}

#[test]
fn shares_are_rounded_down() {
    let mut league = new(sharing(TierAmount::Share(3_333), TierAmount::Share(2_000), 100));
    place_in(&mut league, 0, "mid", "a b c");
    assert_eq!(zones(&mut league, 0, "mid", 1), "===");
    place_in(&mut league, 0, "mid", "d");
    assert_eq!(zones(&mut league, 0, "mid", 1), "+===");
    place_in(&mut league, 0, "mid", "e");
    assert_eq!(zones(&mut league, 0, "mid", 1), "+===-");
    place_in(&mut league, 0, "mid", "f g h i j");
    assert_eq!(zones(&mut league, 0, "mid", 1), "+++=====--");
    let mut league = new(sharing(TierAmount::Share(10_000), NONE, 100));
    place_in(&mut league, 0, "mid", "a b c");
    assert_eq!(zones(&mut league, 0, "mid", 1), "+++");
}

#[test]
fn a_share_is_one_of_who_is_in_the_group_now() {
    let mut league = new(sharing(TierAmount::Share(5_000), NONE, 4));
    place_in(&mut league, 0, "mid", "a b c d e");
    assert_eq!(zones(&mut league, 0, "mid", 1), "++==");
    assert_eq!(zones(&mut league, 0, "mid", 2), "=");
    assert!(remove(&mut league, 0, "a"));
    assert_eq!(zones(&mut league, 0, "mid", 1), "+==");
}

#[test]
fn rewards_are_the_first_ranks_of_each_group() {
    let mut league = new(Rules { reward: 2, ..flat(3) });
    join_all(&mut league, 0, "a b c d");
    score(&mut league, 1, "b a c");
    let reward = |league: &mut League, name| join(league, WEEK, name).last.unwrap().reward;
    assert_eq!(["a", "b", "c", "d"].map(|name| reward(&mut league, name)), [2, 1, 0, 1]);
}

#[test]
fn what_is_shown_live_is_what_comes() {
    let mut league = new(sharing(TierAmount::Share(4_000), TierAmount::Share(4_000), 7));
    place_in(&mut league, 0, "mid", "a b c d e f g");
    score(&mut league, 1, "g f e d c b a");
    let all = "gfedcba";
    let live: Vec<_> = all.chars().map(|name| zone(&mut league, 2, &name.to_string()).unwrap()).collect();
    let ended = |league: &mut League, name: char| join(league, WEEK, &name.to_string()).last.unwrap().zone;
    assert_eq!(all.chars().map(|name| ended(&mut league, name)).collect::<Vec<_>>(), live);
}
