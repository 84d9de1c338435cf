//! Tests of LB.GATHER, which asks several parts on one server: it answers what LB.PART answers, and checks the rights of
//! the client to each key.

use leaderboard_commands::answers::{Answers, Element, Elements, PartAnswer};
use leaderboard_testkit::session::{play, say, words};
use leaderboard_testkit::slots::{members_of, part_key};
use leaderboard_testkit::{Flavor, Server, run};
use redis::{Connection, Value};

use super::HEAD;

const PARTS: u16 = 4;
const SIX_TWO: &str = "ERR this server cannot check the rights to the keys of parts: Redis 7.0 or later can";
const WITH_RIGHTS: [Flavor; 3] = [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91];

/// Makes all parts of a board except for one, each with some members.
fn board(con: &mut Connection, rules: &str, scores: [&str; 3], absent: u16) {
    for part in (0..PARTS).filter(|part| *part != absent) {
        let key = part_key("game", PARTS, part);
        play(con, &format!("LB.CREATE {key} {rules} PART {part} OF {PARTS}"));
        for (member, score) in members_of(part, PARTS, 3).iter().zip(scores) {
            run(con, &words(&format!("LB.ADD {key} {score} {member} AT 1000")));
            run(con, &words(&format!("LB.SETMETA {key} {member} text")));
        }
    }
}

/// Parts, and what is told about each.
type Told = Vec<(u16, Option<Result<Vec<Value>, String>>)>;

/// Returns the parts in a reply, and what it says about each: the elements of its answer, an error, or nothing for a part
/// that is not here.
fn told(reply: &Value) -> Told {
    let Value::BulkString(bytes) = reply else { panic!("{reply:?}") };
    let mut answers = Answers::new(bytes);
    let mut all = Vec::new();
    while let Some((part, answer)) = answers.next_part() {
        all.push((
            part,
            match answer {
                PartAnswer::NotHere => None,
                PartAnswer::Error(text) => Some(Err(String::from_utf8(text.to_vec()).unwrap())),
                PartAnswer::Answer(head, elements) => {
                    assert_eq!((head.part, head.parts), (part, PARTS));
                    Some(Ok(values(elements)))
                }
            },
        ));
    }
    assert!(answers.is_over());
    all
}

fn values(mut elements: Elements) -> Vec<Value> {
    std::iter::from_fn(|| value(&mut elements)).collect()
}

fn value(elements: &mut Elements) -> Option<Value> {
    Some(match elements.next_element()? {
        Element::Nil => Value::Nil,
        Element::Number(number) => Value::Int(number),
        Element::Bytes(bytes) => Value::BulkString(bytes.to_vec()),
        Element::List(count) => Value::Array((0..count).map(|_| value(elements).unwrap()).collect()),
    })
}

fn gather(con: &mut Connection, parts: &str, operation: &str) -> Told {
    told(&run(con, &words(&format!("LB.GATHER game {PARTS} {parts} {operation}"))))
}

/// Returns what LB.PART answers, without the head.
fn alone(con: &mut Connection, part: u16, operation: &str) -> Vec<Value> {
    let key = part_key("game", PARTS, part);
    match run(con, &words(&format!("LB.PART {key} {operation}"))) {
        Value::Array(mut values) => values.split_off(HEAD),
        other => panic!("{other:?}"),
    }
}

#[test]
fn several_parts_answer_as_each_does_alone() {
    let operations = [
        "TOP 2 WITHMETA",
        "TOP 5 OFFSET 1 REV VIEW day",
        "NEAR 5 1000 AFTER 1 1",
        "SAMPLE 5 0 -1",
        "BETWEEN 0 6 2",
        "STATS",
        "HISTOGRAM 0 10 2",
        "MNEAR PLACES 2 5 1000 BEFORE 5 1000 AFTER",
        "TOP 1 PERIOD 1999-01-01 VIEW day",
    ];
    for flavor in WITH_RIGHTS {
        let server = Server::start(flavor);
        let mut con = server.connection();
        board(&mut con, "VIEWS all,day", ["5", "7", "-1"], 2);
        for operation in operations {
            let expected: Vec<_> = (0..PARTS)
                .map(|part| (part, (part != 2).then(|| Ok(alone(&mut con, part, operation)))))
                .collect();
            assert_eq!(gather(&mut con, "0-3", operation), expected, "{flavor:?} {operation}");
        }
        let some = gather(&mut con, "1,3", "TOP 1");
        assert_eq!(some.iter().map(|(part, _)| *part).collect::<Vec<_>>(), [1, 3]);
        // The side of a part that is named depends on the part that answers.
        for (part, side) in [(0, "AFTER"), (1, "BEFORE"), (3, "BEFORE")] {
            let named = gather(&mut con, &part.to_string(), "NEAR 5 1000 1 0 0 VIEW all");
            let expected = alone(&mut con, part, &format!("NEAR 5 1000 {side} 0 0"));
            assert_eq!(named, [(part, Some(Ok(expected.clone())))], "{part}");
            assert_eq!(alone(&mut con, part, "NEAR 5 1000 1 0 0"), expected, "{part}");
        }
        let named = gather(&mut con, "3", "NEAR 5 1000 1 0 0 REV");
        assert_eq!(named, [(3, Some(Ok(alone(&mut con, 3, "NEAR 5 1000 AFTER 0 0 REV"))))]);
        assert_eq!(say(&mut con, "MULTI"), "OK");
        assert_eq!(say(&mut con, "LB.GATHER game 4 0 STATS"), "QUEUED");
        assert!(!say(&mut con, "EXEC").contains("ERR"));
    }
}

#[test]
fn scores_are_smallest_units() {
    let server = Server::start(Flavor::Redis82);
    let mut con = server.connection();
    board(&mut con, "DECIMALS 2", ["1.5", "0.01", "7"], 1);
    let sample = |units: [i64; 3]| {
        let entry =
            |(before, units): (i64, i64)| Value::Array([before, units, 1_000].map(Value::Int).to_vec());
        Some(Ok(vec![Value::Array((0..).zip(units).map(entry).collect())]))
    };
    assert_eq!(gather(&mut con, "0", "SAMPLE 3 0 2"), [(0, sample([700, 150, 1]))]);
    run(&mut con, &["FLUSHALL"]);
    board(&mut con, "LEVELS gold:DESC:9,silver:DESC:9", ["1/2", "0/3", "2/0"], 1);
    let units = |gold: i64, silver: i64| gold * 19 + silver;
    assert_eq!(gather(&mut con, "3", "SAMPLE 3 0 2"), [(3, sample([units(2, 0), units(1, 2), units(0, 3)]))]);
}

#[test]
fn what_is_wrong_with_a_part_is_told_for_this_part() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    board(&mut con, "VIEWS all", ["5", "7", "9"], 2);
    let keys = (0..PARTS).map(|part| part_key("game", PARTS, part)).collect::<Vec<_>>();
    play(&mut con, &format!("SET {} text", keys[2]));
    run(&mut con, &["DEL", &keys[1]]);
    play(&mut con, &format!("LB.CREATE {} VIEWS all", keys[1]));
    let error = |text: &str| Some(Err(text.to_owned()));
    assert_eq!(
        gather(&mut con, "1-2", "TOP 1"),
        [
            (1, error("NOPART the key is no part of a board")),
            (2, error("WRONGTYPE Operation against a key holding the wrong kind of value")),
        ]
    );
    let view = error("ERR VIEW 'day' is not a view of this board");
    assert_eq!(gather(&mut con, "0,3", "TOP 1 VIEW day"), [(0, view.clone()), (3, view)]);
    for (wrong, text) in [
        ("game 3 0 TOP 1", "ERR parts must be a power of two, 2 to 1024"),
        ("game 2048 0 TOP 1", "ERR parts must be a power of two, 2 to 1024"),
        ("game 4 4 TOP 1", "ERR which must be ascending numbers of parts, such as 0-20,43"),
        ("game 4 1,0 TOP 1", "ERR which must be ascending numbers of parts, such as 0-20,43"),
        ("game 4 0 LEAST 1", "ERR operation must be one of"),
        ("game 4 0 TOP x", "ERR count is not a whole number"),
        ("game 4 0 NEAR 5 5 1024 1 1", "ERR the side must be one of BEFORE, AFTER, or the number of a part"),
        ("a{b} 4 0 TOP 1", "ERR PARTS: the name of the key may not contain {"),
        ("game 4", "ERR wrong number of arguments"),
    ] {
        let told = say(&mut con, &format!("LB.GATHER {wrong}"));
        assert!(told.starts_with(text), "{wrong}: {told}");
    }
}

#[test]
fn a_client_needs_the_right_to_each_key() {
    for flavor in WITH_RIGHTS {
        let server = Server::start(flavor);
        let mut con = server.connection();
        board(&mut con, "VIEWS all", ["5", "7", "9"], 1);
        let key = part_key("game", PARTS, 0);
        for (user, rights) in [
            ("some", format!("~{key} +@all")),
            ("write", "%W~* +@all".to_owned()),
            ("other", "~* +@all -lb.part".to_owned()),
            ("all", "%R~game* -@all +lb.part +lb.gather".to_owned()),
        ] {
            play(&mut server.connection(), &format!("ACL SETUSER {user} on nopass {rights} => OK"));
        }
        let as_user = |user: &str, parts: &str| {
            let mut con = server.connection();
            play(&mut con, &format!("AUTH {user} any => OK"));
            say(&mut con, &format!("LB.GATHER game 4 {parts} STATS"))
        };
        let denied = "NOPERM No permissions to access the key of a part";
        assert!(!as_user("some", "0").contains("NOPERM"), "{flavor:?}");
        // Nobody learns whether a key exists.
        for parts in ["1", "0-1", "0,3"] {
            assert_eq!(as_user("some", parts), denied, "{flavor:?} {parts}");
        }
        for user in ["write", "other"] {
            assert_eq!(as_user(user, "0"), denied, "{flavor:?} {user}");
        }
        assert!(!as_user("all", "0-3").contains("NOPERM"), "{flavor:?}");
        let script = r#"return redis.pcall("LB.GATHER","game","4","0","STATS")"#;
        let told = run_script(&mut con, script);
        assert!(told.contains("only a connected client can ask parts"), "{flavor:?} {told}");
    }
    let old = Server::start(Flavor::Redis62);
    assert_eq!(say(&mut old.connection(), "LB.GATHER game 4 0-3 TOP 5"), SIX_TWO);
}

fn run_script(con: &mut Connection, script: &str) -> String {
    match redis::cmd("EVAL").arg(script).arg(0).query::<Value>(con) {
        Ok(value) => format!("{value:?}"),
        Err(error) => error.to_string(),
    }
}
