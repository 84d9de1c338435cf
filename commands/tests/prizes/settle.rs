//! Periods that are settled without a claim.

use super::{DAY, Servers};

const MADE: &str = "LB.CREATE b VIEWS day PRIZES day 1=gold,2-3=silver";

/// A board on the day after ann, bob, cem and dan got 40, 30, 20 and 10 points.
fn day_after() -> Servers {
    let mut servers = Servers::new(10 * DAY + 1);
    servers.says(MADE, "OK");
    for (points, member) in [(40, "ann"), (30, "bob"), (20, "cem"), (10, "dan")] {
        servers.run(&format!("LB.ADD b {points} {member}"));
    }
    servers.set_clock(11 * DAY + 5);
    servers
}

const WON: &str = "[0 [[1 ann 40 gold nil] [2 bob 30 silver nil] [3 cem 20 silver nil]]]";

#[test]
fn from_then_on_nobody_moves_up() {
    let servers = day_after();
    servers.says("LB.HIDE b ann", "1");
    servers.says("LB.SETTLE b", "3");
    servers.says("LB.SETTLE b", "3");
    servers.says("LB.HIDE b bob", "1");
    servers.says("LB.PRIZES b 0", "[0 [[2 cem 20 silver nil] [3 dan 10 silver nil]]]");
    servers.says("LB.UNHIDE b ann", "1");
    servers.says("LB.CLAIM b ann", "nil");
    servers.says("LB.CLAIM b dan ID x", "[silver 3 1]");
    servers.says("LB.CLAIM b dan ID x", "[silver 3 1]");
    servers.says("LB.CLAIM b dan", "[silver 3 0]");
    servers.says("LB.SETTLE b", "3");
}

#[test]
fn a_running_period_and_a_period_without_winners_are_not_settled() {
    let mut servers = day_after();
    servers.says("LB.SETTLE b PERIOD 0", "nil");
    servers.set_clock(13 * DAY);
    servers.says("LB.SETTLE b", "0");
    servers.says("LB.SETTLE b AT 1", "0");
    servers.says("LB.CREATE none VIEWS day", "OK");
    servers.says("LB.SETTLE none", "nil");
    assert!(servers.run("LB.SETTLE b VIEW week").starts_with("ERR"));
    assert!(servers.run("LB.SETTLE b PER country").starts_with("ERR"));
    assert!(servers.run("LB.SETTLE absent").starts_with("NOBOARD"));
}

#[test]
fn a_settled_period_stays_when_the_clock_is_put_back() {
    for is_settled in [false, true] {
        let mut servers = day_after();
        if is_settled {
            servers.says("LB.SETTLE b", "3");
        }
        servers.set_clock(10 * DAY + 50);
        servers.says("LB.ADD b 100 dan", "[110 1 1]");
        servers.set_clock(11 * DAY + 10);
        let won = if is_settled {
            WON
        } else {
            "[0 [[1 dan 110 gold nil] [2 ann 40 silver nil] [3 bob 30 silver nil]]]"
        };
        servers.says("LB.PRIZES b 0", won);
    }
}

#[test]
fn a_period_is_settled_after_it_is_no_longer_kept_and_until_its_days_have_passed() {
    let mut servers = day_after();
    servers.set_clock(20 * DAY);
    servers.says("LB.ADD b 1 eve", "[1 1 1]");
    let first = 10 * DAY;
    servers.says(&format!("LB.PRIZES b 0 AT {first}"), WON);
    servers.says(&format!("LB.SETTLE b AT {first}"), "3");
    servers.says(&format!("LB.CLAIM b bob AT {first}"), "[silver 2 1]");
    servers.set_clock(41 * DAY);
    servers.says(&format!("LB.SETTLE b AT {first}"), "nil");
}

#[test]
fn a_table_of_segments_is_settled_on_its_own() {
    let mut servers = Servers::new(10 * DAY + 1);
    servers.says("LB.CREATE b VIEWS day SEGMENTS land PRIZES day 1=gold PRIZES day 1=king PER land", "OK");
    for (points, member, land) in [(40, "ann", "se"), (30, "bob", "no"), (20, "cem", "no")] {
        servers.run(&format!("LB.ADD b {points} {member} SEGMENT land {land}"));
    }
    servers.set_clock(11 * DAY + 5);
    servers.says("LB.SETTLE b PER land", "2");
    servers.says("LB.HIDE b bob", "1");
    servers.says("LB.HIDE b ann", "1");
    servers.says("LB.PRIZES b 0 PER land", "[0 []]");
    servers.says("LB.PRIZES b 0", "[0 [[1 cem 20 gold nil]]]");
}

/// When all winners were removed, the period stays settled after the boundary, and has no winners to show.
#[test]
fn a_board_without_winners_any_more_is_settled_and_loaded() {
    let mut servers = day_after();
    servers.set_clock(20 * DAY);
    servers.says("LB.ADD b 1 eve", "[1 1 1]");
    let first = 10 * DAY;
    servers.says("LB.REM b ann bob cem", "3");
    // The next boundary is not final until the next write.
    servers.set_clock(21 * DAY);
    servers.says("LB.TOP b 1", "[]");
    servers.says(&format!("LB.SETTLE b AT {first}"), "3");
    servers.says("LB.ADD b 1 eve", "[1 1 1]");
    servers.says(&format!("LB.SETTLE b AT {first}"), "3");
    servers.says(&format!("LB.PRIZES b 0 AT {first}"), "[0 []]");
}

#[test]
fn only_the_first_time_changes_something() {
    let servers = day_after();
    servers.server.take_events();
    servers.says("LB.SETTLE b", "3");
    let events = servers.server.take_events();
    assert!(events.iter().any(|(event, key)| event == "lb.settle" && key == b"b"), "{events:?}");
    let saved = servers.server.saved(b"b");
    for line in [
        "LB.SETTLE b",
        "LB.SETTLE b PERIOD 0",
        "LB.SETTLE b AT 1",
        "LB.SETTLE b VIEW week",
        "LB.SETTLE b PER country",
    ] {
        let words: Vec<_> = line.split(' ').collect();
        servers.server.run(&words);
        assert_eq!(servers.server.take_stream().len(), 0, "{line}");
        assert_eq!(servers.server.take_events(), [], "{line}");
        assert_eq!(servers.server.saved(b"b"), saved, "{line}");
    }
}

#[test]
fn a_refused_command_leaves_nothing() {
    let servers = day_after();
    let saved = servers.server.saved(b"b");
    for line in ["VIEW week", "PER country", "PERIOD x", "AT x", "ID x", "NOW x", "COUNT 1", "PERIOD -1 AT 1"]
    {
        assert!(servers.run(&format!("LB.SETTLE b {line}")).starts_with("ERR"), "{line}");
        assert_eq!(servers.server.saved(b"b"), saved, "{line}");
    }
    servers.says("LB.HIDE b ann", "1");
    servers.says("LB.PRIZES b 0", "[0 [[1 bob 30 gold nil] [2 cem 20 silver nil] [3 dan 10 silver nil]]]");
}

#[test]
fn winners_that_retain_has_fixed_stay_when_the_clock_is_put_back_once_they_are_settled() {
    let first = 10 * DAY;
    for is_settled in [false, true] {
        let mut servers = Servers::new(first + 1);
        servers.says("LB.CREATE b VIEWS day RETAIN 0 PRIZES day 1=gold,2=silver", "OK");
        servers.says("LB.ADD b 40 ann", "[40 1 1]");
        servers.says("LB.ADD b 30 bob", "[30 2 1]");
        servers.set_clock(first + 2 * DAY);
        servers.says("LB.ADD b 1 eve", "[1 1 1]");
        if is_settled {
            let before = servers.server.saved(b"b");
            servers.says(&format!("LB.SETTLE b AT {first}"), "2");
            assert_ne!(servers.server.saved(b"b"), before);
            let settled = servers.server.saved(b"b");
            servers.says(&format!("LB.SETTLE b AT {first}"), "2");
            assert_eq!(servers.server.saved(b"b"), settled);
        }
        servers.set_clock(first + 50);
        servers.says("LB.ADD b 100 dan", "[100 1 1]");
        servers.set_clock(first + DAY + 5);
        let won = if is_settled { "[0 [[1 ann 40 gold nil] [2 bob 30 silver nil]]]" } else { "dan" };
        let rows = servers.run("LB.PRIZES b 0");
        assert!(rows == won || !is_settled && rows.contains(won), "{rows}");
    }
}
