//! Boards of every kind, and what can be seen of them.

mod organiser;
mod periods;

use std::collections::HashMap;

use leaderboard_testkit::{Words, digest, info, pipeline, query, run, words};
use redis::{Connection, Value};

/// Where event clocks begin.
pub const BEGIN: u64 = 1_700_000_000_000;

/// About how many members of a board are asked for one by one.
const SAMPLE: usize = 100;

/// A board to be made, and what its request ids ought to do ever after.
pub struct Kind {
    pub key: &'static str,
    make: fn(&str) -> Vec<Words>,
    /// Arguments behind `LB.ADD key` that were applied before.
    remembered: &'static str,
    /// Likewise, but too long ago.
    forgotten: &'static str,
    /// What is written later, behind the next boundary or late: commands without `LB.` and the key.
    later: &'static [&'static str],
}

pub const KINDS: [Kind; 15] = [
    Kind { key: "small", make: small, remembered: "1 a ID again", forgotten: "", later: &[] },
    Kind {
        key: "middle",
        make: middle,
        remembered: "0.125 m7 ID again AT 1700000000100",
        forgotten: "",
        later: &[],
    },
    Kind {
        key: "big",
        make: big,
        remembered: "1 player-3 ID r3 AT 1700000001000",
        forgotten: "",
        later: &[],
    },
    Kind {
        key: "last",
        make: last,
        remembered: "5 m1 ID new AT 1700000030000",
        forgotten: "5 m1 ID old AT 1700000030000",
        later: &[],
    },
    Kind { key: "lex", make: lex, remembered: "", forgotten: "", later: &[] },
    Kind {
        key: "reverse",
        make: reverse,
        remembered: "-1 m1 ID new AT 1700000020000",
        forgotten: "-9 m1 ID old AT 1700000020000",
        later: &[],
    },
    Kind {
        key: "empty",
        make: |key| lines(key, &["CREATE DECIMALS 2 DEDUP 0"]),
        remembered: "",
        forgotten: "",
        later: &[],
    },
    Kind { key: "texts", make: texts, remembered: "", forgotten: "", later: &[] },
    periods::TINY,
    periods::PERIODS,
    periods::WINDOWS,
    periods::BEST,
    periods::LATEST,
    organiser::HIDDEN,
    organiser::KEPT,
];

/// Commands without `LB.` and the key.
fn lines<T: AsRef<str>>(key: &str, lines: &[T]) -> Vec<Words> {
    let command = |line: &T| {
        let mut parts = line.as_ref().split(' ');
        let name = format!("LB.{}", parts.next().unwrap_or_default());
        [words(&[&name, key]), parts.map(|part| part.as_bytes().to_vec()).collect()].concat()
    };
    lines.iter().map(command).collect()
}

/// Ten members, most of them equal within one millisecond, on the server's clock.
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

/// More than one chunk: 5,000 members, ties within one millisecond, texts, members with nothing but a text, request ids.
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

/// The last score counts; events that left it as it was, late ones, ids forgotten and remembered.
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

/// Makes all boards in the connection's database.
pub fn make(con: &mut Connection) {
    let commands: Vec<Words> = KINDS.iter().flat_map(|kind| (kind.make)(kind.key)).collect();
    for (command, reply) in commands.iter().zip(pipeline(con, &commands)) {
        assert!(reply.is_ok(), "{}: {reply:?}", command.join(&b' ').escape_ascii());
    }
}

/// Makes one board.
pub fn make_one(con: &mut Connection, key: &str) {
    let kind = KINDS.iter().find(|kind| kind.key == key).expect("a kind of board");
    assert!(pipeline(con, &(kind.make)(key)).iter().all(Result::is_ok), "{key}");
}

/// All that can be read of a board.
#[derive(PartialEq)]
struct Portrait {
    digest: String,
    lines: Value,
    standings: Value,
    texts: Vec<Result<Value, String>>,
    hidden: Value,
    info: HashMap<String, Value>,
    views: Vec<Value>,
    /// What it will be after what is written later.
    later: String,
}

impl Portrait {
    fn of(con: &mut Connection, kind: &Kind) -> Portrait {
        let key = kind.key;
        let lines = run(con, &["LB.TOP", key, "1000000", "WITHMETA"]);
        let members = members(&lines);
        let apart = members.len() / SAMPLE + 1;
        let command = standings(&["LB.MSTANDING", key], members.into_iter().step_by(apart));
        let texts: Vec<Words> = (0..20).map(|n| words(&["LB.GETMETA", key, &format!("t{n}")])).collect();
        let mut info: HashMap<String, Value> = query(con, &["LB.INFO", key]);
        // What is counted begins anew.
        for own in ["memory", "writes", "repeated", "votes", "held_back"] {
            info.remove(own);
        }
        if info["clock"] == Value::BulkString(b"SERVER".to_vec()) {
            info.remove("now");
        }
        let views = periods::views(con, key, &info["views"]);
        let (standings, texts) = (run(con, &command), pipeline(con, &texts));
        let hidden = run(con, &["LB.HIDDEN", key]);
        let (digest, later) = (digest(con, key), later(con, kind));
        Portrait { digest, lines, standings, texts, hidden, info, views, later }
    }
}

/// The digest of a copy that was written to.
fn later(con: &mut Connection, kind: &Kind) -> String {
    if kind.later.is_empty() || is_replica(con) {
        return String::new();
    }
    run(con, &["COPY", kind.key, "scratch"]);
    let replies = pipeline(con, &lines("scratch", kind.later));
    assert!(replies.iter().all(Result::is_ok), "{}: {replies:?}", kind.key);
    let digest = digest(con, "scratch");
    run(con, &["DEL", "scratch"]);
    digest
}

fn is_replica(con: &mut Connection) -> bool {
    info(con, "replication", "role") == "slave"
}

/// Asks for the standings of nobody and of these members.
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

/// What all boards look like.
pub struct Portraits(Vec<Portrait>);

impl Portraits {
    pub fn of(con: &mut Connection) -> Portraits {
        Portraits(KINDS.iter().map(|kind| Portrait::of(con, kind)).collect())
    }

    /// Nothing has changed for those who read.
    #[track_caller]
    pub fn compare(&self, con: &mut Connection) {
        for (kind, before) in KINDS.iter().zip(&self.0) {
            let (key, now) = (kind.key, Portrait::of(con, kind));
            assert_eq!(now.info, before.info, "{key}: LB.INFO");
            assert!(now.lines == before.lines, "{key}: other lines:\n{:?}", now.lines);
            assert!(now.standings == before.standings, "{key}: other standings:\n{:?}", now.standings);
            assert_eq!(now.texts, before.texts, "{key}: other texts");
            assert_eq!(now.hidden, before.hidden, "{key}: other hidden members");
            for (now, before) in now.views.iter().zip(&before.views) {
                assert_eq!(now, before, "{key}: other views");
            }
            assert_eq!(now.digest, before.digest, "{key}: another digest");
            if !(now.later.is_empty() || before.later.is_empty()) {
                assert_eq!(now.later, before.later, "{key}: another digest after more writes");
            }
        }
    }

    /// Nor for those who write: what was applied is not applied again, what is forgotten is.
    #[track_caller]
    pub fn compare_and_retry(&self, con: &mut Connection) {
        self.compare(con);
        for kind in &KINDS {
            retry(con, kind);
        }
        for (kind, before) in KINDS.iter().zip(&self.0) {
            assert_eq!(digest(con, kind.key), before.digest, "{}: changed by a retry", kind.key);
        }
    }
}

#[track_caller]
fn retry(con: &mut Connection, kind: &Kind) {
    let add = |key: &str, line: &str| lines(key, &[format!("ADD {line}")]).remove(0);
    if !kind.remembered.is_empty() {
        assert_eq!(applied(con, &add(kind.key, kind.remembered)), Value::Int(0), "{}", kind.key);
    }
    if !kind.forgotten.is_empty() {
        run(con, &["COPY", kind.key, "scratch"]);
        assert_eq!(applied(con, &add("scratch", kind.forgotten)), Value::Int(1), "{}", kind.key);
        run(con, &["DEL", "scratch"]);
    }
}

#[track_caller]
fn applied(con: &mut Connection, command: &Words) -> Value {
    let [_, _, applied]: [Value; 3] = query(con, command);
    applied
}
