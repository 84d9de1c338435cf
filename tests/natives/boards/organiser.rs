//! Boards that show only a part of their members: with hidden members, and with views that store only the best.

use leaderboard_testkit::Words;

use super::{BEGIN, Board, lines};

const DAY: u64 = 86_400_000;

/// A board with members who were hidden before their first points, shown again, hidden in ended periods, or who have
/// only a text.
pub const HIDDEN: Board = Board {
    key: "hidden",
    make: hidden,
    remembered: "2 m1 ID r5 AT 1700432000001",
    forgotten: "",
    later: &[
        "UNHIDE m1 ghost",
        "ADD 5 m9 AT 1700530000000",
        "ADD 5 ghost AT 1700530000000",
        "HIDE m2 m3",
        "REM m10",
        "ADD 3 m10 AT 1700620000000",
        "UNHIDE m9 m2 t1",
        "ADD 1 m1 AT 1700800000000",
    ],
};

/// A board with members who dropped out of one view or of all views. Some of them still have texts. It also has hidden
/// members who are still in the views.
pub const KEPT: Board = Board {
    key: "kept",
    make: kept,
    remembered: "0 low ID low AT 1700259200000",
    forgotten: "",
    later: &[
        "ADD 50 m1 AT 1700259300000",
        "ADD 40 m7 AT 1700260000000",
        "MADD AT 1700260000000 900 new1 901 new2 1 new3",
        "UNHIDE m5 m6",
        "ADD 1 m5 AT 1700350000000",
        "ALTER KEEP 5",
        "ADD 7 m8 AT 1700440000000",
        "ALTER KEEP 0",
        "ADD 7 m9 AT 1700440000000",
    ],
};

fn hidden(key: &str) -> Vec<Words> {
    let mut all = vec!["CREATE VIEWS day,all,day:3,week CARRY week=0.5 CLOCK EVENT RETAIN 3".to_owned()];
    all.push("HIDE m33 ghost m2 m3".to_owned());
    for day in 0..6 {
        let at = BEGIN + day * DAY;
        let pairs = (0..30).map(|n| format!(" {} m{}", (n * 31 + day) % 7, (n * 7 + day * 5) % 40));
        all.push(format!("MADD AT {at}{}", pairs.collect::<String>()));
        all.push(format!("ADD 2 m1 ID r{day} AT {}", at + 1));
        match day {
            1 => all.push("HIDE m1 m9".to_owned()),
            3 => all.push("UNHIDE m2 m3 nobody".to_owned()),
            4 => all.push("HIDE m10 t1".to_owned()),
            _ => {}
        }
    }
    all.push("SETMETA t1 only-a-text".to_owned());
    all.push("SETMETA m1 of-a-hidden-member".to_owned());
    lines(key, &all)
}

fn kept(key: &str) -> Vec<Words> {
    let mut all = vec!["CREATE VIEWS all,day CLOCK EVENT RETAIN 2 KEEP 20".to_owned()];
    all.push("HIDE m5 m6 t2".to_owned());
    for day in 0..4 {
        for n in 0..60 {
            let at = BEGIN + day * DAY + n / 3;
            all.push(format!(
                "ADD {} m{} AT {at} META text-{day}-{n}",
                n * 7919 % 23,
                (n * 7 + day * 11) % 90
            ));
        }
        all.push(format!("MSET AT {} 9 m80 8 m81 9 m82", BEGIN + day * DAY + 50));
    }
    all.push("ADD 0 low ID low AT 1700259200000 META text".to_owned());
    lines(key, &all)
}
