//! Members that are removed.

use super::*;

#[test]
fn others_move_up() {
    let mut league = new(flat(3));
    join_all(&mut league, 0, "a b c");
    assert!(remove(&mut league, 0, "b"));
    assert!(!remove(&mut league, 0, "b"));
    assert_eq!(group(&mut league, 0, "low", 1), "a c");
    assert_eq!(join(&mut league, 0, "c").place.unwrap().rank, 2);
}

#[test]
fn who_was_removed_is_as_new() {
    let mut league = new(plain());
    join(&mut league, 0, "a");
    join(&mut league, WEEK, "a");
    set_tier(&mut league, "a", "top");
    league.set_meta(b"a", b"text").unwrap();
    assert!(remove(&mut league, WEEK, "a"));
    assert_eq!(league.meta(b"a"), None);
    let again = join(&mut league, WEEK, "a");
    assert_eq!((tier_of(&again), again.last, again.joined), (0, None, true));
    // Its points after the removal count.
    let next = join(&mut league, 2 * WEEK, "a");
    assert_eq!((tier_of(&next), next.last.unwrap().place.tier), (1, 0));
}

#[test]
fn who_has_anything_to_keep_is_known() {
    let mut league = new(plain());
    assert!(!remove(&mut league, 0, "a"));
    set_tier(&mut league, "a", "low");
    assert!(remove(&mut league, 0, "a"));
    league.set_meta(b"a", b"text").unwrap();
    assert!(remove(&mut league, 0, "a"));
    join(&mut league, 0, "a");
    // The member has not been given its outcome of long ago yet, so there is something to remove.
    assert!(remove(&mut league, 50 * WEEK, "a"));
    assert!(!remove(&mut league, 50 * WEEK, "a"));
}

#[test]
fn ended_periods_keep_who_was_removed() {
    let mut league = new(plain());
    join_all(&mut league, 0, "a b c d");
    league.set_meta(b"a", b"text").unwrap();
    join(&mut league, WEEK, "a");
    assert!(remove(&mut league, WEEK, "a"));
    // The member is only in an ended period, so there is nothing to remove.
    assert!(!remove(&mut league, WEEK, "a"));
    let mut copy = loaded(&saved(&league));
    for league in [&mut league, &mut copy] {
        assert_eq!(group(league, WEEK, "mid", 1), "");
        assert_eq!(names(league, When::Back(1), "low", 1), "a b c");
        let reading = league.read(When::Back(1)).unwrap();
        assert_eq!(reading.standing(b"a").unwrap().place.rank, 1);
        let rows = reading.group_of(b"a").unwrap().rows(1);
        assert_eq!((league.name(rows[0].id), league.meta_of(rows[0].id)), (&b"a"[..], None));
        // The outcomes of the other members stay the same.
        assert_eq!(last_place(&join(league, WEEK, "b").last.unwrap()), (0, 1, 2, 3, 0));
        assert_eq!(join(league, WEEK, "a").last, None);
        assert_eq!(names(league, When::Back(1), "low", 1), "a b c");
    }
    assert_eq!(saved(&copy), saved(&league));
}

#[test]
fn who_leaves_before_the_end_counts_for_nobody() {
    let mut league = new(plain());
    join_all(&mut league, 0, "a b c");
    assert!(remove(&mut league, WEEK - 1, "a"));
    let second = join(&mut league, WEEK, "b");
    assert_eq!((tier_of(&second), last_place(&second.last.unwrap())), (1, (0, 1, 1, 2, 0)));
}

#[test]
fn who_leaves_after_the_end_counted() {
    let mut league = new(plain());
    join_all(&mut league, 0, "a b c");
    // No read or write has crossed the boundary yet.
    assert!(remove(&mut league, WEEK, "a"));
    let second = join(&mut league, WEEK, "b");
    assert_eq!((tier_of(&second), last_place(&second.last.unwrap())), (0, (0, 1, 2, 3, 0)));
}

#[test]
fn all_can_leave() {
    let mut league = new(flat(2));
    join_all(&mut league, 0, "a b c");
    for name in ["a", "b", "c"] {
        assert!(remove(&mut league, 0, name));
    }
    let mut copy = loaded(&saved(&league));
    for league in [&mut league, &mut copy] {
        look(league, 0);
        assert_eq!(league.read(When::Now).unwrap().sizes(), [(0, 2)]);
        assert_eq!(join(league, 1, "d").place.unwrap().group, 2);
        look(league, WEEK);
        assert_eq!(names(league, When::Back(1), "low", 2), "d");
    }
}
