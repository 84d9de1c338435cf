//! The moments of scores in rolling windows.

use leaderboard_commands::plain::{PlainServer, Settings};
use leaderboard_testkit::session::words;

const DAY: u64 = 86_400_000;
const BEGIN: u64 = 19_700 * DAY;

/// A score that is set to what it is keeps its moment as long as the older write counts in the window, also if a late write gave the
/// member another score for a while.
#[test]
fn a_score_that_is_set_to_what_it_is_keeps_the_moment_of_the_older_write() {
    for late in [false, true] {
        let server = PlainServer::new(Settings::default());
        let run = |line: &str| server.run(&words(line));
        let at = |day: u64| BEGIN + day * DAY;
        run("LB.CREATE b AGGREGATE MIN ORDER DESC CLOCK EVENT VIEWS day:7");
        run(&format!("LB.ADD b 50 ann AT {}", at(2)));
        run(&format!("LB.SET b 50 ann AT {}", at(3)));
        if late {
            run(&format!("LB.ADD b 40 ann AT {}", at(0)));
        }
        for (day, moment) in [(7, 2), (8, 2), (9, 3)] {
            run(&format!("LB.ADD b 70 bob AT {}", at(day) + 9));
            let standing = String::from_utf8(run("LB.STANDING b ann")).expect("text");
            assert!(standing.ends_with(&format!(":{}\r\n", at(moment))), "{late} {day}: {standing}");
        }
    }
}
