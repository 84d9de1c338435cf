//! LB.UNION and LB.INTER of boards over parts, against the same command of boards on one server.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use super::*;
use crate::spread::simulated::Fault;

/// Makes two boards over four parts and two boards on one server, with the same members.
async fn with_boards(rules: [&str; 2]) -> (Simulated, Engine<Simulated>) {
    let (servers, engine) = start();
    for (board, rules) in ["a", "b"].into_iter().zip(rules) {
        assert_eq!(say(&engine, &format!("LB.CREATE {board} {rules} PARTS 4")).await, "OK");
        assert_eq!(say(&engine, &format!("LB.CREATE one-{board} {rules}")).await, "OK");
    }
    for day in 0..3 {
        for number in 0..60 {
            let (board, score) = (if number % 3 == 0 { "b" } else { "a" }, (number * 7 + day) % 13);
            for key in [board.to_owned(), format!("one-{board}")] {
                // Some members are on both boards.
                say(&engine, &format!("LB.ADD {key} {score} m{}", number % 40)).await;
            }
        }
        servers.state().pass(86_400_000);
    }
    for key in ["a", "one-a"] {
        assert_eq!(say(&engine, &format!("LB.HIDE {key} m1 m2")).await, "2");
    }
    (servers, engine)
}

#[tokio::test(start_paused = true)]
async fn a_combination_is_that_of_whole_boards() {
    let all = "DECIMALS 2 VIEWS all,day";
    for rules in [[all, "VIEWS all,day"], ["ORDER ASC TIES LAST VIEWS day,all", "ORDER ASC VIEWS all,day"]] {
        let (servers, engine) = with_boards(rules).await;
        for (line, options) in [
            ("LB.UNION 2 a b", ""),
            ("LB.UNION 2 b a", " AGGREGATE MAX VIEW all"),
            ("lb.inter 2 a b", " VIEW all TIMEOUT 20000"),
            ("LB.UNION 3 a b a", " WEIGHTS 2 0.5 3 VIEW all"),
            ("LB.UNION 1 a", " PERIOD -1 VIEW day"),
            ("LB.UNION 3 a a b", " PERIOD -1,-2,-2 VIEW day,day,day AGGREGATE MIN"),
            ("LB.INTER 2 a b", " VIEW day PERIOD -1"),
        ] {
            let [name, count, keys] = <[&str; 3]>::try_from(line.splitn(3, ' ').collect::<Vec<_>>()).unwrap();
            let said = say(&engine, &format!("{name} made {count} {keys}{options}")).await;
            let keys = keys.replace('a', "one-a").replace('b', "one-b");
            let options = options.replace(" TIMEOUT 20000", "");
            let whole = shown(&servers.direct(&format!("{name} whole {count} {keys}{options}")));
            assert_eq!(said, whole, "{line}{options}");
            assert_ne!(said, "0", "{line}{options}");
            // Equals that have no moment of their own are in the order of the parts.
            let scores = |rows: String| {
                let mut rows: Vec<_> =
                    rows.split("] [").map(|row| row[row.find(' ').unwrap()..].to_owned()).collect();
                rows.sort_unstable();
                rows
            };
            let rows = say(&engine, "LB.TOP made 100").await;
            assert_eq!(scores(rows), scores(say(&engine, "LB.TOP whole 100").await), "{line}{options}");
            for field in ["order", "ties", "decimals", "views", "aggregate", "dedup", "tz"] {
                assert_eq!(
                    catalog::field(&servers, "made", field),
                    catalog::field(&servers, "whole", field),
                    "{line}: {field}"
                );
            }
            assert_eq!(catalog::field(&servers, "made", "state"), "whole");
            assert_eq!(catalog::field(&servers, "made", "request"), "0");
            assert!(!say(&engine, "LB.PARTS made").await.contains("rules"));
            assert!(say(&engine, "LB.ADD made 1 new").await.ends_with(" 1]"), "the result takes writes");
            assert_eq!(say(&engine, "DEL made whole").await, "2");
        }
        assert_eq!(say(&engine, "LB.UNION made 1 a PERIOD -9 VIEW day").await, "0");
        assert!(servers.keys().iter().all(|key| !key.starts_with("made")), "an empty result leaves nothing");
    }
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_combined_leaves_nothing() {
    let (servers, engine) = with_boards(["VIEWS all", "DECIMALS 2 VIEWS all"]).await;
    assert_eq!(say(&engine, "LB.CREATE eight PARTS 8").await, "OK");
    say(&engine, "LB.ADD b 0.25 m0").await;
    let before = servers.keys();
    let differ = |key: &str| {
        format!("ERR LB.UNION over parts needs boards over the same number of parts: a has 4, {key} has not")
    };
    for (line, error) in [
        ("LB.UNION made 2 a eight", differ("eight")),
        ("LB.UNION made 2 a one-a", differ("one-a")),
        ("LB.UNION made 2 nothing a", differ("nothing")),
        (
            "LB.UNION made 2 a b",
            "ERR the score of 'm0' has more digits than are kept (DECIMALS 0)".to_owned(),
        ),
        ("LB.UNION made 1 a VIEW week", "ERR VIEW 'week' is not a view of this board".to_owned()),
        ("LB.UNION made 2 a b WEIGHTS 1", "ERR WEIGHTS".to_owned()),
        ("LB.UNION made 1 a INCARNATION 5", "ERR unknown option 'INCARNATION'".to_owned()),
        ("LB.UNION made 1 a b", "ERR unknown option 'b'".to_owned()),
        ("LB.UNION made 3 a b", "ERR".to_owned()),
        ("LB.UNION made 0 a", "ERR".to_owned()),
        ("LB.UNION made 1 a TIMEOUT 0", "ERR TIMEOUT is out of range".to_owned()),
        (
            "LB.UNION a 2 a a",
            "BOARDEXISTS the key of a result over parts has to be free: DEL it before".to_owned(),
        ),
        ("LB.UNION one-a 1 a", "BOARDEXISTS the key".to_owned()),
        ("LB.UNION a 1 one-a", "ERR the key holds the root or a part of a board".to_owned()),
        ("LB.UNION ma{d}e 1 a", "ERR".to_owned()),
    ] {
        let said = say(&engine, line).await;
        assert!(said.starts_with(&error), "{line}: {said}");
        assert_eq!(servers.keys(), before, "{line}");
    }
    say(&engine, "LB.CREATE votes PARTS 4 LEVELS gold:DESC:500").await;
    let before = servers.keys();
    assert!(say(&engine, "LB.UNION made 1 votes").await.contains("LEVELS"));
    assert_eq!(servers.keys(), before);
}

#[tokio::test(start_paused = true)]
async fn a_combination_that_broke_off_goes_on_or_is_deleted() {
    let line = "LB.UNION made 2 a b";
    for after in 0.. {
        let (servers, engine) = with_boards(["VIEWS all", "VIEWS all"]).await;
        let whole = shown(&servers.direct("LB.UNION whole 2 one-a one-b"));
        let dying = servers.dying(after);
        let said = say(&super::engine(&dying), line).await;
        if !dying.is_dead() {
            assert_eq!(said, whole);
            break;
        }
        let seen = say(&engine, "LB.COUNT made").await;
        let is_unfinished = seen == "PARTSDOWN this board is being restored" || seen.starts_with("PARTSDOWN");
        assert!(seen == "0" || seen == whole || is_unfinished, "{after}: {seen}");
        let other = say(&engine, "LB.UNION made 1 a").await;
        assert!(other == whole || other.starts_with("BOARDEXISTS") || seen == "0", "{after}: {other}");
        say(&engine, "DEL made").await;
        assert!(servers.keys().iter().all(|key| !key.starts_with("made")), "{after}");
        let dying = servers.dying(after);
        say(&super::engine(&dying), line).await;
        let again = say(&engine, line).await;
        assert!(again == whole || again.starts_with("BOARDEXISTS"), "{after}: {again}");
        assert_eq!(say(&engine, "LB.COUNT made").await, whole, "{after}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_source_that_does_not_answer_is_waited_for() {
    let (servers, engine) = with_boards(["VIEWS all", "VIEWS all"]).await;
    let part =
        String::from_utf8(leaderboard_core::parts::Parts::new(4, "PARTS").unwrap().key(b"made", 2)).unwrap();
    servers.fault(part.as_bytes(), Some(Fault::Cut));
    let said = say(&engine, "LB.UNION made 2 a b TIMEOUT 100").await;
    assert!(said.starts_with("PARTSDOWN") || said.starts_with("UNKNOWN"), "{said}");
    servers.fault(part.as_bytes(), None);
    let whole = shown(&servers.direct("LB.UNION whole 2 one-a one-b"));
    assert_eq!(say(&engine, "LB.UNION made 2 a b").await, whole);
    assert_eq!(say(&engine, "LB.COUNT made").await, whole);
}
