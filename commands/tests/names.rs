//! LB.FIND and LB.HISTORY, in whole commands.

use std::collections::BTreeSet;

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};
use leaderboard_testkit::random::{Random, seed};

const DAY: u64 = 86_400_000;

fn server(clock: u64) -> PlainServer {
    PlainServer::new(Settings { clock, protocol: Protocol::Resp2, ..Settings::default() })
}

/// Runs a command, and returns the words of its reply without the lengths of texts.
#[track_caller]
fn run(server: &PlainServer, line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let reply = String::from_utf8(server.run(&words)).unwrap();
    assert!(!reply.starts_with('-'), "{line}: {reply}");
    let lines = reply.split("\r\n").filter(|line| !line.is_empty());
    lines.filter(|line| !line.starts_with('$') || *line == "$-1").map(str::to_owned).collect()
}

/// Returns the error that a command gets.
#[track_caller]
fn refused(server: &PlainServer, line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let reply = String::from_utf8(server.run(&words)).unwrap();
    assert!(reply.starts_with('-'), "{line}: {reply}");
    reply
}

#[test]
fn a_members_last_periods_are_listed_the_running_one_first() {
    let mut server = server(10 * DAY);
    run(&server, "LB.CREATE b VIEWS day,all RETAIN 3");
    for (day, points, member) in [(10, 5, "ann"), (10, 7, "bob"), (12, 9, "ann"), (14, 3, "bob")] {
        server.settings.clock = day * DAY;
        run(&server, &format!("LB.ADD b {points} {member}"));
    }
    let start = |day: u64| format!(":{}", day * DAY);
    let expected = [
        "*4",
        "*5",
        "1970-01-15",
        &start(14),
        "$-1",
        "$-1",
        ":1",
        "*5",
        "1970-01-14",
        &start(13),
        "$-1",
        "$-1",
        ":0",
        "*5",
        "1970-01-13",
        &start(12),
        ":1",
        ":9",
        ":1",
        "*5",
        "1970-01-12",
        &start(11),
        "$-1",
        "$-1",
        ":0",
    ];
    assert_eq!(run(&server, "LB.HISTORY b ann"), expected);
    assert_eq!(run(&server, "LB.HISTORY b ann COUNT 2"), [&["*2"], &expected[1..13]].concat());
    assert_eq!(run(&server, "LB.HISTORY b ann VIEW all"), ["*1", "*5", "all", "$-1", ":1", ":14", ":2"]);
    assert_eq!(run(&server, "LB.HISTORY absent ann"), ["*0"]);
    for (line, reason) in [
        ("LB.HISTORY b ann COUNT 0", "COUNT"),
        ("LB.HISTORY b ann COUNT 1001", "COUNT"),
        ("LB.HISTORY b ann VIEW week", "week"),
        ("LB.HISTORY b ann IN land se", "land"),
        ("LB.HISTORY b ann PERIOD -1", "PERIOD"),
    ] {
        assert!(refused(&server, line).contains(reason), "{line}");
    }
}

/// Each row of LB.HISTORY says what LB.RANK, LB.SCORE and LB.COUNT say of its period.
#[test]
fn a_history_is_what_single_reads_say() {
    for round in 0..40 {
        let mut random = Random::new(seed() + round);
        let mut server = server(100 * DAY);
        let view = *random.pick(&["day", "day:3", "week", "3600s"]);
        let aggregate = *random.pick(&["SUM", "MAX", "LAST"]);
        let retain = random.below(6);
        run(
            &server,
            &format!("LB.CREATE b VIEWS {view},all AGGREGATE {aggregate} RETAIN {retain} SEGMENTS land"),
        );
        for _ in 0..120 {
            server.settings.clock += *random.pick(&[0, 1, DAY / 24, DAY, 3 * DAY]);
            let member = format!("m{}", random.below(6));
            match random.below(10) {
                0 => _ = run(&server, &format!("LB.HIDE b {member}")),
                1 => _ = run(&server, &format!("LB.UNHIDE b {member}")),
                2 => _ = run(&server, &format!("LB.REM b {member}")),
                _ => {
                    let (points, land) = (random.below(9), random.below(3));
                    run(&server, &format!("LB.ADD b {points} {member} SEGMENT land l{land}"));
                }
            }
            if random.percent(80) {
                continue;
            }
            let options = *random.pick(&["", " IN land l1", " WITHIN land", " RANKS DENSE", " REV"]);
            let rows = run(&server, &format!("LB.HISTORY b {member}{options} COUNT 100"));
            let periods = run(&server, &format!("LB.PERIODS b {view}"));
            assert_eq!(rows[0], periods[0]);
            for (back, (row, period)) in rows[1..].chunks(6).zip(periods[1..].chunks(5)).enumerate() {
                assert_eq!((&row[1], &row[2]), (&period[1], &period[2]));
                let ask = |command: &str| run(&server, &format!("{command}{options} PERIOD -{back}"));
                assert_eq!(vec![row[3].clone()], ask(&format!("LB.RANK b {member}")), "{row:?}");
                let without_order = options.replace(" RANKS DENSE", "").replace(" REV", "");
                let score = run(&server, &format!("LB.SCORE b {member}{without_order} PERIOD -{back}"));
                assert_eq!(vec![row[4].clone()], score, "{row:?}");
                if options != " WITHIN land" {
                    let standing = ask(&format!("LB.STANDING b {member}"));
                    let counted = standing.iter().position(|word| word == "members");
                    let count = run(&server, &format!("LB.COUNT b{without_order} PERIOD -{back}"));
                    let count = counted.map_or(&count[0], |at| &standing[at + 1]);
                    assert_eq!(&row[5], count, "{row:?}");
                }
            }
        }
    }
}

/// Finds all members, and returns their rows: name, score and rank.
fn found(server: &PlainServer, pattern: &str, count: u64) -> Vec<[String; 3]> {
    let (mut rows, mut cursor) = (Vec::new(), "0".to_owned());
    loop {
        let reply = run(server, &format!("LB.FIND b {cursor} {pattern} COUNT {count}"));
        rows.extend(reply[3..].chunks(4).map(|row| [row[1].clone(), row[2].clone(), row[3].clone()]));
        cursor.clone_from(&reply[1]);
        if cursor == "0" {
            return rows;
        }
    }
}

#[test]
fn members_are_found_by_patterns_of_their_names() {
    let server = server(10 * DAY);
    run(&server, "LB.CREATE b VIEWS all");
    assert_eq!(run(&server, "LB.FIND absent 0 *"), ["*2", "0", "*0"]);
    for number in 0..1_200 {
        run(&server, &format!("LB.ADD b {number} m{number} META text{number}"));
    }
    run(&server, "LB.SETMETA b mute silent");
    run(&server, "LB.HIDE b m55");
    let names = |pattern: &str, count| -> BTreeSet<String> {
        let rows = found(&server, pattern, count);
        let names: BTreeSet<String> = rows.iter().map(|[name, ..]| name.clone()).collect();
        assert_eq!(names.len(), rows.len());
        names
    };
    for count in [1, 7, 1_000, 10_000] {
        assert_eq!(names("*", count).len(), 1_200);
        assert_eq!(
            names("m?5", count),
            (0..10).filter(|n| *n != 5).filter(|n| *n > 0).map(|n| format!("m{n}5")).collect()
        );
        assert_eq!(names("nobody*", count), BTreeSet::new());
    }
    assert_eq!(
        found(&server, "m99[89]", 10_000).into_iter().collect::<BTreeSet<_>>(),
        [["m998", ":998", ":202"], ["m999", ":999", ":201"]].map(|row| row.map(str::to_owned)).into()
    );
    assert_eq!(found(&server, "mut[e]", 10_000), [["mute", "$-1", "$-1"].map(str::to_owned)]);
    let with_meta = run(&server, "LB.FIND b 0 m999 WITHMETA COUNT 10000");
    assert_eq!(with_meta[3..], ["*4", "m999", ":999", ":201", "text999"]);
    let long = format!("LB.FIND b 0 {}", "*".repeat(513));
    for (line, reason) in [
        ("LB.FIND b 0 * COUNT 0", "COUNT"),
        ("LB.FIND b 0 * COUNT 10001", "COUNT"),
        ("LB.FIND b x *", "cursor"),
        ("LB.FIND b 12345 *", "CURSOR is not a cursor of LB.FIND"),
        (&long, "pattern"),
    ] {
        assert!(refused(&server, line).contains(reason), "{}", refused(&server, line));
    }
}
