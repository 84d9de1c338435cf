//! Periods: their boundaries, their names, and how long they can be read.

use super::*;

fn at_back(league: &mut League, now: u64, back: u32) -> String {
    look(league, now);
    names(league, When::Back(back), "low", 1)
}

#[test]
fn a_period_begins_with_its_first_millisecond() {
    let mut league = new(flat(5));
    join(&mut league, WEEK - 1, "a");
    assert_eq!(group(&mut league, WEEK - 1, "low", 1), "a");
    assert_eq!(group(&mut league, WEEK, "low", 1), "");
    assert_eq!(at_back(&mut league, WEEK, 1), "a");
    join(&mut league, WEEK, "b");
    assert_eq!(group(&mut league, WEEK, "low", 1), "b");
}

#[test]
fn periods_follow_the_clocks_of_a_zone() {
    let zone = TimeZone::parse(b"America/New_York").unwrap();
    let calendar = Calendar { zone, ..Calendar::default() };
    let mut league = new(Rules { calendar, unit: Unit::Day, ..flat(5) });
    let midnight = 4 * 60 * MINUTE;
    join(&mut league, midnight - 1, "a");
    assert_eq!(join(&mut league, midnight, "a").last.unwrap().start, (MONDAY + midnight - DAY) as i64);
    assert_eq!(names(&league, When::Label(b"2019-03-17"), "low", 1), "a");
    assert_eq!(league.period().unwrap().end - league.period().unwrap().start, DAY as i64);
}

#[test]
fn periods_are_read_by_all_their_names() {
    let mut league = new(flat(5));
    join(&mut league, 0, "a");
    join(&mut league, WEEK, "b");
    for when in [When::Now, When::Back(0), When::Label(b"2019-W13"), When::At(MONDAY + WEEK)] {
        assert_eq!(names(&league, when, "low", 1), "b", "{when:?}");
    }
    for when in [When::Back(1), When::Label(b"2019-W12"), When::At(MONDAY + WEEK - 1)] {
        assert_eq!(names(&league, when, "low", 1), "a", "{when:?}");
    }
    for when in [When::Label(b"2019-W14"), When::At(0), When::At(MONDAY + 9 * WEEK), When::Back(u32::MAX)] {
        assert_eq!(names(&league, when, "low", 1), "", "{when:?}");
    }
    assert!(league.read(When::Label(b"2019-03-17")).is_err());
}

#[test]
fn so_many_calendar_periods_can_be_read() {
    for retain in [0, 1, 2, 3] {
        let mut league = new(Rules { retain, ..flat(5) });
        for (week, name) in [(0, "a"), (1, "b"), (3, "d")] {
            join(&mut league, week * WEEK, name);
        }
        for (back, name) in [(0, "d"), (1, ""), (2, "b"), (3, "a")] {
            let expected = if back > retain { "" } else { name };
            assert_eq!(at_back(&mut league, 3 * WEEK, back), expected, "{back} back of {retain}");
        }
        assert_eq!(at_back(&mut league, 4 * WEEK, 1), if retain > 0 { "d" } else { "" });
    }
}

#[test]
fn a_period_that_nobody_joined_is_empty() {
    let mut league = new(flat(5));
    join(&mut league, 0, "a");
    look(&mut league, WEEK);
    assert_eq!(
        (league.read(When::Now).unwrap().sizes(), group(&mut league, WEEK, "low", 1)),
        (vec![(0, 0)], String::new())
    );
    assert_eq!(zone(&mut league, WEEK, "a"), None);
}

#[test]
fn a_period_stays_as_it_ended() {
    let mut league = new(plain());
    join_all(&mut league, 0, "a b c d");
    score(&mut league, 5, "c b a");
    join_all(&mut league, WEEK, "a b");
    add(&mut league, WEEK, 100, "a");
    work(&mut league, WEEK);
    let mut copy = loaded(&saved(&league));
    for league in [&mut league, &mut copy] {
        assert_eq!(at_back(league, 2 * WEEK, 2), "c b a");
        assert_eq!(names(league, When::Back(2), "low", 2), "d");
        assert_eq!(at_back(league, 2 * WEEK, 1), "a b");
        let reading = league.read(When::Back(2)).unwrap();
        let standing = reading.standing(b"a").unwrap();
        assert_eq!((standing.place.rank, standing.place.score.units()), (3, 1));
        assert_eq!(reading.standing(b"c").unwrap().zone, GroupZone::Promote);
    }
}

#[test]
fn more_that_is_kept_brings_back_nothing_that_was_out_of_reach_at_a_join() {
    let mut league = new(Rules { retain: 1, ..flat(5) });
    for (week, name) in [(0, "a"), (1, "b"), (2, "c")] {
        join(&mut league, week * WEEK, name);
    }
    alter(&mut league, 2 * WEEK, &Alter { retain: Some(5), ..none() });
    assert_eq!([1, 2].map(|back| at_back(&mut league, 2 * WEEK, back)), ["b", ""]);
    join(&mut league, 3 * WEEK, "d");
    assert_eq!([1, 2, 3].map(|back| at_back(&mut league, 3 * WEEK, back)), ["c", "b", ""]);
}

#[test]
fn more_that_is_kept_brings_back_nothing_that_was_out_of_reach_when_less_was_kept() {
    let mut league = new(Rules { retain: 3, ..flat(5) });
    for (week, name) in [(0, "a"), (1, "b"), (2, "c")] {
        join(&mut league, week * WEEK, name);
    }
    alter(&mut league, 2 * WEEK, &Alter { retain: Some(1), ..none() });
    assert_eq!([1, 2].map(|back| at_back(&mut league, 2 * WEEK, back)), ["b", ""]);
    alter(&mut league, 2 * WEEK, &Alter { retain: Some(3), ..none() });
    assert_eq!([1, 2].map(|back| at_back(&mut league, 2 * WEEK, back)), ["b", ""]);
}

#[test]
fn more_that_is_kept_brings_back_nothing_that_was_out_of_reach_until_then() {
    for worker in [false, true] {
        let mut league = new(Rules { retain: 0, ..flat(5) });
        join(&mut league, 0, "a");
        if worker {
            work(&mut league, WEEK);
        }
        alter(&mut league, WEEK, &Alter { retain: Some(1), ..none() });
        assert_eq!(at_back(&mut league, WEEK, 1), "");
        assert_eq!(league.read(When::Back(1)).unwrap().standing(b"a"), None);
    }
}

#[test]
fn a_group_that_is_not_there() {
    let mut league = new(flat(1));
    join_all(&mut league, 0, "a b");
    look(&mut league, 5 * WEEK);
    // The period is not kept, so each of its groups is empty, whatever its number.
    assert_eq!(names(&league, When::Back(5), "low", 7), "");
    join_all(&mut league, 5 * WEEK, "a b");
    let reading = league.read(When::Now).unwrap();
    assert!(reading.group(b"low", 2).unwrap().is_some());
    assert!(reading.group(b"low", 3).is_err() && reading.group(b"low", 0).is_err());
    assert!(reading.group(b"none", 1).is_err());
    assert!(league.read(When::Back(1)).unwrap().group(b"none", 1).is_err());
}
