//! Panics in the work between commands.

use leaderboard_testkit::session::play;
use leaderboard_testkit::wait_until;
use redis::Connection;

use super::{Failing, OTHERS};
use crate::integration::events::Events;

#[test]
fn work_that_fails_once_goes_on_later() {
    Failing::each(|failing, con| {
        failing.failing("work between commands", || play(con, "LB.ADD board 5 ann"));
        play(con, "LB.SCORE board ann => 5");
    });
}

/// Makes a board on which the module works between commands.
fn make_big(con: &mut Connection, key: &str) {
    play(con, &format!("LB.CREATE {key} VIEWS 1s,all"));
    let rows = (0..3_000).map(|member| format!("{member} member{member}"));
    let words = [format!("LB.MADD {key}")].into_iter().chain(rows).collect::<Vec<_>>().join(" ");
    play(con, &words);
}

/// The log would be flooded if the module tried the same work again and again.
#[test]
fn no_work_is_done_on_a_value_after_it_failed() {
    Failing::each(|failing, con| {
        failing.failing("work on a value", || make_big(con, "board"));
        failing.set("work on a value");
        make_big(con, "new");
        wait_until(|| failing.failures("work on a value") >= 2);
        // Periods end, so there is new work on the boards. Meanwhile the timer works many times.
        let mut events = Events::of(&failing.server, "EAd");
        play(con, "LB.CREATE clock VIEWS all,1s");
        for _ in 0..2 {
            play(con, "LB.ADD clock 5 ann");
            events.wait_for(con, &["lb.period clock"]);
        }
        failing.mend();
        let failures = failing.failures("work on a value");
        let values = OTHERS.len() + 3;
        assert!(failures <= values, "{failures} failures of {values} values");
        play(con, "LB.SCORE board member1 VIEW all => 1\nLB.SCORE new member1 VIEW all => 1");
    });
}

#[test]
fn an_end_of_a_period_that_fails_is_published_later() {
    Failing::each(|failing, con| {
        play(con, "LB.CREATE board VIEWS 1s,all NOTIFYTOP 3\nLB.ADD board 5 ann");
        failing.failing("a look at the end of a period", || ());
        play(con, "LB.SCORE board ann VIEW all => 5");
    });
}

#[test]
fn a_key_whose_renaming_is_not_followed_is_whole() {
    Failing::each(|failing, con| {
        play(con, "LB.CREATE board VIEWS all,1s\nLB.ADD board 5 ann");
        failing.failing("following a renamed key", || play(con, "RENAME board other => OK"));
        play(con, "LB.SCORE other ann VIEW all => 5");
    });
}
