//! Boards with views of periods: calendar periods, rolling periods and carried shares, with several ended periods.

use leaderboard_testkit::{Words, run, words};
use redis::{Connection, Value};

use super::{BEGIN, Board, lines, members, standings};

const DAY: u64 = 86_400_000;

/// A calendar view, a rolling view and a carried share, with one ended period each.
pub const TINY: Board = Board {
    key: "tiny",
    make: |key| {
        lines(
            key,
            &[
                "CREATE VIEWS day,day:2,week CARRY week=0.5 CLOCK EVENT",
                "MADD AT 1699900000000 5 a 5 m1 2 c",
                "MADD AT 1700000000000 ID r 1 c 1 m3",
            ],
        )
    },
    remembered: "",
    forgotten: "",
    later: &["ADD 1 a AT 1700000000000", "ADD 1 c AT 1700090000000", "ADD 1 c AT 1700600000000"],
};

/// Members, equal scores, late writes and removals on twelve days. The last write is just after the end of a period.
pub const PERIODS: Board = Board {
    key: "periods",
    make: periods,
    remembered: "2 m1 ID r11 AT 1700950400001",
    forgotten: "",
    later: &[
        "ADD 1.5 m3 AT 1700900000000",
        "ADD 3 m9 AT 1701000000000",
        "ADD 0.25 m2 AT 1700990000000",
        "REM m5",
        "ALTER RETAIN 5",
        "ADD 2 late AT 1700500000000",
        "ADD 0.5 m1 AT 1701700000000",
    ],
};

/// A board with more than one chunk. The server prepares its next period at any time.
pub const WINDOWS: Board = Board {
    key: "windows",
    make: windows,
    remembered: "1 m7 ID r AT 1700400000000",
    forgotten: "",
    later: &[
        "ADD 4 m100 AT 1700400001000",
        "ADD 5 m200 AT 1700300000000",
        "MADD AT 1700403600000 5 m1 5 m2 5 new",
        "REM m4 m8 m15",
        "ADD 1 m16 AT 1700490000000",
        "ADD 7 m23 AT 1700480000000",
        "ADD 1 m42 AT 1700600000000",
    ],
};

pub const BEST: Board = Board {
    key: "best",
    make: |key| scores(key, "MAX VIEWS day:3,all,day,hour:30 TIES LAST RETAIN day=0,day:3=4"),
    remembered: "",
    forgotten: "",
    later: &[
        "ADD 9 m3 AT 1700259300000",
        "SET 1 m1 VIEW day AT 1700260000000",
        "ADD 5 m7 AT 1700346000000",
        "ADD 0 m8 AT 1700442000000",
    ],
};

pub const LATEST: Board = Board {
    key: "latest",
    make: |key| scores(key, "LAST VIEWS day:2,day ORDER ASC TZ Asia/Kathmandu RETAIN 3"),
    remembered: "",
    forgotten: "",
    later: &[
        "ADD 9 m3 AT 1700250000000",
        "ADD 8 m3 AT 1700260000000",
        "SET 8 m4 AT 1700346000000",
        "ADD 0 m8 AT 1700442000000",
    ],
};

fn periods(key: &str) -> Vec<Words> {
    let rules =
        "VIEWS day,all,day:7,week,90s CARRY week=0.25 RETAIN day=3,week=2,90s=0 DECIMALS 2 CLOCK EVENT";
    let mut all = vec![format!("CREATE {rules} TZ America/New_York")];
    for day in 0..12 {
        let at = BEGIN + day * DAY;
        all.push(format!("MADD AT {at} {day}.5 m{} 2 m{} 2 m{} -1 m{}", day % 5, day % 7, day % 3, day % 11));
        all.push(format!("ADD 2 m1 ID r{day} AT {}", at + 1));
        all.push(format!("ADD 0.75 m{} AT {}", day % 4, at.saturating_sub(2 * DAY)));
    }
    all.push("REM m6 nobody".to_owned());
    all.push("SETMETA m1 text".to_owned());
    lines(key, &all)
}

fn windows(key: &str) -> Vec<Words> {
    let mut all =
        vec!["CREATE VIEWS day:3,all,hour:2,week,day CARRY week=0.5 RETAIN 3 CLOCK EVENT".to_owned()];
    for batch in 0..12_u64 {
        let pairs = (0..250).map(|n| format!(" {} m{}", (n * 7919 + batch) % 40, (n + batch * 250) % 2_500));
        all.push(format!("MADD AT {}{}", BEGIN + batch * DAY / 3, pairs.collect::<String>()));
    }
    all.push(format!("REM {}", (0..100).map(|n| format!("m{}", n * 17)).collect::<Vec<_>>().join(" ")));
    all.push("ADD 1 m7 ID r AT 1700400000000".to_owned());
    all.push("ADD 3 m9 AT 1700390000000".to_owned());
    lines(key, &all)
}

fn scores(key: &str, rules: &str) -> Vec<Words> {
    let mut all = vec![format!("CREATE CLOCK EVENT AGGREGATE {rules}")];
    for n in 0..140_u64 {
        let at = BEGIN + n % 4 * DAY + n % 3;
        all.push(format!("ADD {} m{} AT {at}", n * 31 % 10, n % 45));
    }
    lines(key, &all)
}

/// Returns everything that can be read of a board's views: the list of periods, and the members and their places in
/// the periods that are stored.
pub fn views(con: &mut Connection, key: &str, names: &Value) -> Vec<Value> {
    let Value::BulkString(names) = names else { panic!("no names but {names:?}") };
    let names = String::from_utf8(names.clone()).expect("names");
    names.split(',').flat_map(|view| view_of(con, key, view)).collect()
}

fn view_of(con: &mut Connection, key: &str, view: &str) -> Vec<Value> {
    let mut all = vec![run(con, &["LB.PERIODS", key, view])];
    for period in ["0", "-1", "-2", "-3"] {
        let lines = run(con, &["LB.TOP", key, "40", "VIEW", view, "PERIOD", period, "RANKS", "DENSE"]);
        let some = members(&lines).into_iter().step_by(7).chain(words(&["m1", "m9"]));
        let command = standings(&["LB.MSTANDING", key, "VIEW", view, "PERIOD", period], some);
        all.extend([lines, run(con, &command)]);
        all.push(run(con, &["LB.RANGE", key, "-20", "-1", "VIEW", view, "PERIOD", period]));
        all.push(run(con, &["LB.COUNT", key, "2", "9", "VIEW", view, "PERIOD", period]));
    }
    all
}
