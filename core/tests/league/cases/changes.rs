//! Alterations of rules, and texts of members.

use super::*;

fn shares(promote: u32, demote: u32) -> Alter {
    let [promote, demote] = [promote, demote].map(TierAmount::Count);
    Alter { promote: Some(vec![promote, promote, NONE]), demote: Some(vec![NONE, demote, demote]), ..none() }
}

#[test]
fn shares_altered_in_a_period_count_for_it() {
    let mut league = new(plain());
    join_all(&mut league, 0, "a b c");
    assert_eq!(zones(&mut league, 0, "low", 1), "+==");
    alter(&mut league, WEEK - 1, &Alter { reward: Some(1), ..shares(2, 0) });
    assert_eq!(zones(&mut league, WEEK - 1, "low", 1), "++=");
    let second = join(&mut league, WEEK, "b");
    assert_eq!((tier_of(&second), second.last.unwrap().reward), (1, 0));
    assert_eq!(join(&mut league, WEEK, "a").last.unwrap().reward, 1);
}

/// Alters the rules after a boundary: on a league that was not read since, and on a copy that has done its work.
#[test]
fn shares_altered_after_a_boundary_leave_the_ended_period_alone() {
    let mut league = new(Rules { reward: 1, ..plain() });
    join_all(&mut league, 0, "a b c");
    let mut copy = loaded(&saved(&league));
    work(&mut copy, WEEK);
    for league in [&mut league, &mut copy] {
        alter(league, WEEK, &Alter { reward: Some(3), ..shares(3, 3) });
        look(league, WEEK);
        let reading = league.read(When::Back(1)).unwrap();
        let zones = ["a", "b", "c"].map(|name| reading.standing(name.as_bytes()).unwrap().zone);
        assert_eq!(zones, [GroupZone::Promote, GroupZone::Stay, GroupZone::Stay]);
        let rewards = ["a", "b", "c"].map(|name| join(league, WEEK, name).last.unwrap().reward);
        assert_eq!(rewards, [1, 0, 0]);
        assert_eq!(league.read(When::Now).unwrap().sizes(), [(2, 1), (1, 1), (0, 0)]);
        assert_eq!(zone(league, WEEK, "c"), Some(GroupZone::Promote));
    }
    assert_eq!(saved(&copy), saved(&league));
}

#[test]
fn every_ended_period_has_the_shares_that_it_ended_with() {
    let mut league = new(plain());
    for week in 0..3 {
        let now = week * WEEK;
        alter(&mut league, now, &shares(week as u32, 0));
        join_all(&mut league, now, &format!("a{week} b{week} c{week}"));
    }
    alter(&mut league, 3 * WEEK, &shares(3, 0));
    let promoted = |league: &mut League, week: u64| {
        ["a", "b", "c"].map(|name| tier_of(&join(league, 3 * WEEK, &format!("{name}{week}"))))
    };
    assert_eq!([0, 1, 2].map(|week| promoted(&mut league, week)), [[0, 0, 0], [1, 0, 0], [1, 1, 0]]);
}

#[test]
fn what_cannot_be_changes_nothing() {
    let mut league = new(plain());
    join(&mut league, 0, "a");
    let before = saved(&league);
    let list = |amounts: &[TierAmount]| Some(amounts.to_vec());
    let bad = [
        Alter { promote: list(&[ONE, ONE, ONE]), ..none() },
        Alter { promote: list(&[ONE, NONE]), ..none() },
        Alter { promote: list(&[ONE, ONE, ONE, NONE]), ..none() },
        Alter { demote: list(&[ONE, ONE, ONE]), ..none() },
        Alter { demote: list(&[NONE, ONE, TierAmount::Share(10_001)]), ..none() },
        Alter { group: Some(0), ..none() },
        Alter { group: Some(1_000_001), ..none() },
        Alter { retain: Some(10_001), ..none() },
        Alter { promote: list(&[NONE, NONE, NONE]), group: Some(0), ..none() },
    ];
    for alter in bad {
        assert!(league.alter(&alter, MONDAY).is_err(), "{alter:?}");
        assert_eq!(saved(&league), before, "{alter:?}");
    }
}

#[test]
fn texts_come_with_a_join() {
    let mut league = new(plain());
    assert!(enter(&mut league, &at(0), "a", Some("one")).joined);
    assert_eq!(league.meta(b"a"), Some(&b"one"[..]));
    assert!(!is_applied(enter(&mut league, &at(1), "a", Some("one")).effect));
    assert!(is_applied(enter(&mut league, &at(1), "a", Some("two")).effect));
    assert_eq!((league.meta(b"a"), league.last()), (Some(&b"two"[..]), MONDAY + 1));
    assert!(!is_applied(enter(&mut league, &at(2), "a", None).effect));
    assert!(is_applied(enter(&mut league, &at(2), "a", Some("")).effect));
    assert!(!is_applied(enter(&mut league, &at(3), "a", Some("")).effect));
    assert_eq!(league.meta(b"a"), None);
}

#[test]
fn texts_need_no_join() {
    let mut league = new(plain());
    assert_eq!(league.set_meta(b"a", b""), Ok(false));
    assert_eq!(league.set_meta(b"a", b"text"), Ok(true));
    assert_eq!(league.set_meta(b"a", b"text"), Ok(false));
    assert_eq!(league.meta(b"a"), Some(&b"text"[..]));
    assert_eq!(league.read(When::Now).unwrap().sizes(), [(0, 0); 3]);
    let first = join(&mut league, 0, "a");
    assert_eq!((first.last, tier_of(&first)), (None, 0));
    assert_eq!(league.meta(b"a"), Some(&b"text"[..]));
    assert_eq!(league.set_meta(b"b", b"text"), Ok(true));
    assert_eq!(league.set_meta(b"b", b""), Ok(true));
    assert!(!remove(&mut league, 0, "b"));
}

#[test]
fn rows_carry_the_texts_of_the_present() {
    let mut league = new(flat(3));
    enter(&mut league, &at(0), "a", Some("one"));
    look(&mut league, WEEK);
    league.set_meta(b"a", b"two").unwrap();
    let reading = league.read(When::Back(1)).unwrap();
    let rows = reading.group_of(b"a").unwrap().rows(1);
    assert_eq!(league.meta_of(rows[0].id), Some(&b"two"[..]));
}
