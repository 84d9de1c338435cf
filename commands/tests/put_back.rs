//! Boards with segments whose server's clock was put back across boundaries: what is saved then can be loaded.

use leaderboard_commands::plain::{PlainServer, Settings};
use leaderboard_testkit::session::words;

const BEGIN: u64 = 1_700_000_010_000;
const PERIOD: u64 = 90_000;

fn run(server: &mut PlainServer, at: u64, line: &str) {
    server.settings.clock = at;
    let reply = server.run(&words(line));
    assert!(!reply.starts_with(b"-"), "{line}: {}", reply.escape_ascii());
}

/// A board with writes in these periods, each in a new segment. Its clock goes on by `more` periods, is read, and is put back by
/// `back` periods.
fn check(views: &str, metric: &str, periods: [u64; 3], more: u64, back: u64) {
    let case = format!("{views} {metric} {periods:?} +{more} -{back}");
    let mut server = PlainServer::new(Settings { clock: BEGIN, ..Settings::default() });
    run(&mut server, BEGIN, &format!("LB.CREATE b VIEWS {views} RETAIN 2 SEGMENTS x:{metric}"));
    for (number, period) in periods.iter().enumerate() {
        let at = BEGIN + period * PERIOD;
        run(&mut server, at, &format!("LB.ADD b 1 m{number} SEGMENT x s{number}"));
        run(&mut server, at + 5, &format!("LB.ADD b 1 m{number} SEGMENT x s{}", number + 1));
    }
    let last = BEGIN + (periods[2] + more) * PERIOD;
    run(&mut server, last, "LB.SEGMENTS b x");
    run(&mut server, last - back * PERIOD, "LB.SEGMENTS b x");
    let before = server.saved(b"b");
    assert!(server.reload().is_empty(), "{case}: it cannot be loaded");
    assert_eq!(server.saved(b"b"), before, "{case}");
    run(&mut server, last - back * PERIOD + 7, "LB.ADD b 1 new SEGMENT x s1");
    assert!(server.reload().is_empty(), "{case}: it cannot be loaded after a write");
}

/// A segment that was new after the moment to which the clock went back kept the number of its change, so the board could not be
/// loaded.
#[test]
fn a_board_with_segments_can_be_loaded_wherever_its_clock_was_put_back_to() {
    for views in ["90s", "90s:3", "hour:2,90s"] {
        for metric in ["SUM", "COUNT", "BEST"] {
            for periods in [[0, 1, 2], [0, 1, 500], [0, 3, 4]] {
                for back in [1, 2, 3, 5, 100, 700, 1_000_000] {
                    check(views, metric, periods, 0, back);
                    check(views, metric, periods, 1, back);
                }
            }
        }
    }
}
