//! Boards of every kind, and the commands that read them.

mod organiser;
mod periods;

use std::collections::BTreeMap;

use leaderboard_testkit::session::shown;
use leaderboard_testkit::{Words, pipeline, query, run, words};
use redis::{Connection, Value};

use super::{Kind, Native};

pub const BOARD: Native = Native {
    name: "board",
    prefix: "LB.",
    kinds: || KINDS.iter().map(|kind| kind as &dyn Kind).collect(),
    uses: || USES.map(str::to_owned).to_vec(),
    // Not every board has these views. A changed payload may also make a part or a root of a whole board.
    may_fail: &[
        "is not a view of this board",
        "ERR the score would be out of range",
        "ERR spread over ",
        "ERR member belongs to part ",
    ],
    waits: &[
        "ADD again 1 m",
        "VOTE again 1 m",
        "REM again m",
        "SETMETA again m x",
        "ALTER again DEDUP 5",
        "OPTION again m",
        "IMPORT again zset MERGE",
        "TOP again 10",
        "INFO again",
        "EXPORT again zset2",
        "UNION again 1 zset",
        "CREATE other LIKE again",
    ],
};

const USES: [&str; 20] = [
    "INFO KEY",
    "TOP KEY 10 WITHMETA",
    "RANGE KEY -3 -1 RANKS DENSE",
    "RANGEBYSCORE KEY (0 +inf COUNT 3",
    "STANDING KEY a",
    "AROUND KEY m1 2 RANKS COMPETITION",
    "COUNT KEY",
    "ADD KEY 0 a AT 1700000000000 ID new1",
    "ADD KEY 0 newcomer AT 1700000000000 ID new2",
    "SETMETA KEY t1 text",
    "PERIODS KEY day",
    "TOP KEY 5 VIEW day PERIOD -1 RANKS DENSE",
    "STANDING KEY m3 VIEW day:2",
    "ADD KEY 0 a AT 1700086400000",
    "REM KEY m1 c nobody",
    "RANGE KEY -3 -1 VIEW day:2 PERIOD -1",
    "ADD KEY 1 m3 AT 1700000000000",
    "PERIODS KEY day:2",
    "ADD KEY 0 m3 AT 1702592000000",
    "TOP KEY 10 WITHMETA",
];

/// The first moment on boards that use the time of the events, in ms.
pub const BEGIN: u64 = 1_700_000_000_000;

/// The approximate number of members of a board that are read one by one.
const SAMPLE: usize = 100;

/// A board for tests, and the expected behaviour of its request ids.
struct Board {
    key: &'static str,
    make: fn(&str) -> Vec<Words>,
    /// Arguments after `LB.ADD key` of a request that was applied and is remembered.
    remembered: &'static str,
    /// Arguments of a request that was applied, but too long ago to be remembered.
    forgotten: &'static str,
    /// Writes of a later time, after the next end of a period or late. Each is a command without `LB.` and the key.
    later: &'static [&'static str],
}

const KINDS: [Board; 15] = [
    Board { key: "small", make: small, remembered: "1 a ID again", forgotten: "", later: &[] },
    Board {
        key: "middle",
        make: middle,
        remembered: "0.125 m7 ID again AT 1700000000100",
        forgotten: "",
        later: &[],
    },
    Board {
        key: "big",
        make: big,
        remembered: "1 player-3 ID r3 AT 1700000001000",
        forgotten: "",
        later: &[],
    },
    Board {
        key: "last",
        make: last,
        remembered: "5 m1 ID new AT 1700000030000",
        forgotten: "5 m1 ID old AT 1700000030000",
        later: &[],
    },
    Board { key: "lex", make: lex, remembered: "", forgotten: "", later: &[] },
    Board {
        key: "reverse",
        make: reverse,
        remembered: "-1 m1 ID new AT 1700000020000",
        forgotten: "-9 m1 ID old AT 1700000020000",
        later: &[],
    },
    Board {
        key: "empty",
        make: |key| lines(key, &["CREATE DECIMALS 2 DEDUP 0"]),
        remembered: "",
        forgotten: "",
        later: &[],
    },
    Board { key: "texts", make: texts, remembered: "", forgotten: "", later: &[] },
    periods::TINY,
    periods::PERIODS,
    periods::WINDOWS,
    periods::BEST,
    periods::LATEST,
    organiser::HIDDEN,
    organiser::KEPT,
];

/// Returns the commands for lines without `LB.` and the key.
fn lines<T: AsRef<str>>(key: &str, lines: &[T]) -> Vec<Words> {
    let command = |line: &T| {
        let mut parts = line.as_ref().split(' ');
        let name = format!("LB.{}", parts.next().unwrap_or_default());
        [words(&[&name, key]), parts.map(|part| part.as_bytes().to_vec()).collect()].concat()
    };
    lines.iter().map(command).collect()
}

/// Makes a board of ten members on the server's time. Most have equal scores within one millisecond.
fn small(key: &str) -> Vec<Words> {
    let pairs = "5 c 5 a 5 j 5 b 3 h 5 g 3 d 3 i 7 e 3 f";
    let mut all = lines(key, &[format!("MADD ID first {pairs}"), "ADD 1 a ID again".to_owned()]);
    all.push(words(&[b"LB.SETMETA", key.as_bytes(), b"c", b"\0\xff{\"country\": \"PT\"}"]));
    all
}

fn middle(key: &str) -> Vec<Words> {
    let mut all = vec!["CREATE ORDER ASC DECIMALS 3 CLOCK EVENT".to_owned()];
    for n in 0..200 {
        let id = if n % 3 == 0 { format!(" ID r{n}") } else { String::new() };
        all.push(format!("ADD {}.{}5 m{n} AT {}{id}", n % 11, n % 2, BEGIN + n / 20));
    }
    all.push("ADD 0.125 m7 ID again AT 1700000000100".to_owned());
    lines(key, &all)
}

/// Makes a board with more than one chunk: 5,000 members, equal scores within one millisecond, texts, members that
/// have only a text, and request ids.
fn big(key: &str) -> Vec<Words> {
    let mut all = vec!["CREATE CLOCK EVENT DEDUP 3600".to_owned()];
    for batch in 0..10_u64 {
        let pairs = (0..500).map(|n| format!(" {} player-{}", (n * 7919 + batch) % 90, n * 10 + batch));
        all.push(format!("MADD AT {} ID batch{batch}{}", BEGIN + batch / 2, pairs.collect::<String>()));
    }
    all.extend((0..500).map(|n| format!("ADD 1 player-{n} ID r{n} AT {}", BEGIN + 5 + n / 100)));
    all.extend((0..700).map(|n| format!("SETMETA player-{} text-of-{n}", n * 7)));
    all.extend((0..100).map(|n| format!("SETMETA t{n} only-{n}")));
    lines(key, &all)
}

/// Makes a board on which the last score counts: with events that did not change the score, late events, and forgotten
/// and remembered ids.
fn last(key: &str) -> Vec<Words> {
    let mut all = vec!["CREATE AGGREGATE LAST CLOCK EVENT DEDUP 10".to_owned()];
    all.push(format!("ADD 5 m1 ID old AT {BEGIN}"));
    all.extend((0..200).map(|n| format!("ADD {} m{n} AT {}", n % 13, BEGIN + n)));
    all.extend((0..200).step_by(3).map(|n| format!("ADD {} m{n} AT {}", n % 13, BEGIN + 5_000 + n)));
    all.extend((0..200).step_by(5).map(|n| format!("ADD 99 m{n} AT {}", BEGIN + 2_000)));
    all.push(format!("ADD 5 m1 ID new AT {}", BEGIN + 30_000));
    lines(key, &all)
}

fn lex(key: &str) -> Vec<Words> {
    let mut all = lines(key, &["CREATE AGGREGATE MAX TIES REVLEX DECIMALS 9"]);
    for n in 0..300_u16 {
        let points = format!("-{}.00000000{}", n % 7, n % 4);
        let member = [&n.to_be_bytes()[..], b"\0\xff\r\n"].concat();
        all.push(words(&[b"LB.ADD", key.as_bytes(), points.as_bytes(), &member]));
    }
    all.push(words(&[b"LB.ADD", key.as_bytes(), b"-9223372036.854775807", &[b'x'; 512]]));
    all
}

fn reverse(key: &str) -> Vec<Words> {
    let mut all = vec!["CREATE AGGREGATE MIN TIES LAST CLOCK EVENT DEDUP 10".to_owned()];
    all.push(format!("ADD -9 m1 ID old AT {BEGIN}"));
    all.extend((0..140).map(|n| format!("ADD {} m{n} AT {}", n % 5, BEGIN + n % 3)));
    all.push(format!("ADD -1 m1 ID new AT {}", BEGIN + 20_000));
    all.push(format!("REM m2 m3 m{}", 4));
    lines(key, &all)
}

fn texts(key: &str) -> Vec<Words> {
    lines(key, &(0..20).map(|n| format!("SETMETA t{n} {}", "x".repeat(n * 200 + 1))).collect::<Vec<_>>())
}

impl Kind for Board {
    fn key(&self) -> &'static str {
        self.key
    }

    fn make(&self) -> Vec<Words> {
        (self.make)(self.key)
    }

    fn read(&self, con: &mut Connection) -> Vec<(&'static str, String)> {
        let key = self.key;
        let lines = run(con, &["LB.TOP", key, "1000000", "WITHMETA"]);
        let members = members(&lines);
        let apart = members.len() / SAMPLE + 1;
        let standings = standings(&["LB.MSTANDING", key], members.into_iter().step_by(apart));
        let texts: Vec<Words> = (0..20).map(|n| words(&["LB.GETMETA", key, &format!("t{n}")])).collect();
        let mut info: BTreeMap<String, Value> = query(con, &["LB.INFO", key]);
        // These counts start again after a load.
        for own in ["memory", "writes", "repeated", "votes", "held_back"] {
            info.remove(own);
        }
        if info["clock"] == Value::BulkString(b"SERVER".to_vec()) {
            info.remove("now");
        }
        let views = periods::views(con, key, &info["views"]);
        vec![
            ("LB.INFO", format!("{info:?}")),
            ("lines", shown(&Ok(lines))),
            ("standings", shown(&Ok(run(con, &standings)))),
            ("texts", pipeline(con, &texts).iter().map(shown).collect()),
            ("hidden members", shown(&Ok(run(con, &["LB.HIDDEN", key])))),
            ("views", shown(&Ok(Value::Array(views)))),
        ]
    }

    fn later(&self) -> Vec<Words> {
        lines("scratch", self.later)
    }

    fn retry(&self, con: &mut Connection) {
        let add = |key: &str, line: &str| lines(key, &[format!("ADD {line}")]).remove(0);
        if !self.remembered.is_empty() {
            assert_eq!(applied(con, &add(self.key, self.remembered)), Value::Int(0), "{}", self.key);
        }
        if !self.forgotten.is_empty() {
            run(con, &["COPY", self.key, "scratch"]);
            assert_eq!(applied(con, &add("scratch", self.forgotten)), Value::Int(1), "{}", self.key);
            run(con, &["DEL", "scratch"]);
        }
    }
}

/// Returns the command that reads the standings of these members and of an absent member.
fn standings(question: &[&str], members: impl Iterator<Item = Vec<u8>>) -> Words {
    let members: Words = members.collect();
    let count = (members.len() + 1).to_string();
    [words(question), words(&["MEMBERS", &count, "nobody"]), members].concat()
}

fn members(lines: &Value) -> Words {
    let Value::Array(lines) = lines else { panic!("no lines but {lines:?}") };
    let member = |line: &Value| match line {
        Value::Array(fields) => match &fields[1] {
            Value::BulkString(member) => member.clone(),
            other => panic!("no member but {other:?}"),
        },
        other => panic!("no line but {other:?}"),
    };
    lines.iter().map(member).collect()
}

#[track_caller]
fn applied(con: &mut Connection, command: &Words) -> Value {
    let [_, _, applied]: [Value; 3] = query(con, command);
    applied
}
