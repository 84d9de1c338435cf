//! Clocks that were corrected. A write counts in the period of its moment. The period that goes on is not lost, and
//! neither is a period that is yet to come.

use super::*;

/// Returns a league with daily groups. The period before the current one is in reach.
fn daily() -> League {
    new(Rules { unit: Unit::Day, retain: 1, ..plain() })
}

/// Returns a moment in milliseconds: a number of days, and a number of tenths of a day.
const fn day(days: u64, tenths: u64) -> u64 {
    days * DAY + tenths * DAY / 10
}

/// Gives points to two members on the first day.
fn begin(league: &mut League) {
    add(league, day(0, 0), 5, "x");
    add(league, day(0, 0), 3, "y");
}

/// Checks a group at a moment of the first day, in the league and in a copy that was saved and loaded.
fn assert_goes_on(league: &mut League, now: u64, expected: &str) {
    let mut copy = loaded(&saved(league));
    for league in [league, &mut copy] {
        assert_eq!(group(league, now, "low", 1), expected);
        assert!(!join(league, now, "y").joined);
    }
}

#[test]
fn a_period_that_was_written_in_again_outlives_a_second_leap() {
    let mut league = daily();
    begin(&mut league);
    add(&mut league, day(3, 0), 1, "y");
    add(&mut league, day(0, 1), 1, "x");
    add(&mut league, day(6, 0), 1, "y");
    assert_goes_on(&mut league, day(0, 2), "x y");
}

#[test]
fn a_period_outlives_a_leap_that_passes_a_boundary() {
    for retain in 0..3 {
        let mut league = new(Rules { unit: Unit::Day, retain, ..plain() });
        begin(&mut league);
        add(&mut league, day(3, 0), 1, "y");
        add(&mut league, day(4, 0), 1, "y");
        assert_goes_on(&mut league, day(0, 1), "x y");
    }
}

#[test]
fn a_period_outlives_any_number_of_leaps_that_are_put_right() {
    let mut league = new(Rules { unit: Unit::Day, retain: 0, ..plain() });
    begin(&mut league);
    for turn in 1..9 {
        add(&mut league, day(3 * turn, 0), 1, "y");
        add(&mut league, day(3 * turn + 1, 0), 1, "y");
        add(&mut league, day(0, turn), 0, "x");
        assert_goes_on(&mut league, day(0, turn), "x y");
    }
}

#[test]
fn a_period_that_was_set_aside_counts_when_its_time_comes_whether_or_not_anybody_writes_then() {
    for writes in [false, true] {
        let mut league = new(Rules { unit: Unit::Day, idle: 1, ..plain() });
        begin(&mut league);
        // On day 3, two members are in the lowest tier, and y ranks before z.
        assert!(set_tier(&mut league, "y", "low"));
        add(&mut league, day(3, 0), 1, "y");
        join(&mut league, day(3, 0), "z");
        add(&mut league, day(0, 1), 1, "y");
        assert_eq!(zones(&mut league, day(3, 5), "low", 1), "+=");
        if writes {
            add(&mut league, day(3, 5), 0, "y");
        }
        let mut copy = loaded(&saved(&league));
        for league in [&mut league, &mut copy] {
            let next = join(league, day(4, 0), "y");
            let last = next.last.unwrap();
            assert_eq!(
                (last.start, last.zone),
                ((MONDAY + day(3, 0)) as i64, GroupZone::Promote),
                "{writes}"
            );
            assert_eq!(tier_of(&next), 1);
        }
        assert_eq!(saved(&copy), saved(&league));
    }
}

#[test]
fn who_played_in_the_leap_moves_by_the_last_period_before_the_right_one() {
    let mut league = daily();
    begin(&mut league);
    let ahead = join(&mut league, day(3, 0), "y");
    assert_eq!((tier_of(&ahead), ahead.last.map(|last| last.zone)), (0, Some(GroupZone::Stay)));
    assert_eq!(tier_of(&join(&mut league, day(3, 0), "x")), 1);
    let mut copy = loaded(&saved(&league));
    for league in [&mut league, &mut copy] {
        let next = join(league, day(1, 0), "x");
        let last = next.last.unwrap();
        assert_eq!((last.start, last.zone, tier_of(&next)), (MONDAY as i64, GroupZone::Promote, 1));
    }
    assert_eq!(saved(&copy), saved(&league));
}

#[test]
fn what_retain_keeps_is_read_again_when_the_clock_is_put_right() {
    let mut league = daily();
    join(&mut league, day(0, 0), "x");
    join(&mut league, day(1, 0), "y");
    join(&mut league, day(5, 0), "z");
    look(&mut league, day(5, 0));
    assert_eq!(names(&league, When::Back(1), "low", 1), "");
    look(&mut league, day(1, 1));
    assert_eq!(names(&league, When::Back(1), "low", 1), "x");
    assert_eq!(names(&league, When::Now, "low", 1), "y");
}
