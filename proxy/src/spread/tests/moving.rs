//! Tests of boards over parts that are exported to a sorted set, and of sorted sets that are imported.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use super::*;
use crate::spread::simulated::Fault;

/// Adds members with distinct scores to the board `game`, and to the board `one` on one server.
async fn with_members(rules: &str, members: usize) -> (Simulated, Engine<Simulated>) {
    let (servers, engine) = start();
    for key in ["game PARTS 4", "one"] {
        assert_eq!(say(&engine, &format!("LB.CREATE {key} {rules}")).await, "OK");
    }
    for number in 0..members {
        let score = number * 13 % 151;
        let line = |key: &str| format!("LB.ADD {key} {score} m{number}");
        assert!(
            say_all(&engine, &[&line("game"), &line("one")]).await.iter().all(|said| said.starts_with('['))
        );
    }
    (servers, engine)
}

fn set_of(servers: &Simulated, key: &str) -> String {
    shown(&servers.direct(&format!("ZRANGE {key} 0 -1 WITHSCORES")))
}

/// Returns the keys that are not keys of the board.
fn other_keys(servers: &Simulated) -> Vec<String> {
    servers.keys().into_iter().filter(|key| !key.starts_with("game")).collect()
}

#[tokio::test(start_paused = true)]
async fn an_export_is_that_of_one_board() {
    for rules in ["VIEWS all,day DECIMALS 2", "ORDER ASC VIEWS day,all", "LEVELS gold:DESC:500", "DECIMALS 9"]
    {
        let (servers, engine) = with_members(rules, 150).await;
        say(&engine, "LB.HIDE game m3 m4").await;
        say(&engine, "LB.HIDE one m3 m4").await;
        let options = [
            "",
            " COUNT 0",
            " COUNT 1",
            " COUNT 17",
            " COUNT 148",
            " COUNT 1000000000",
            " COUNT 20 REV",
            " VIEW all",
            " PERIOD -1",
            " VIEW day PERIOD 0",
            " VIEW nothing",
            " COUNT x",
            " AT 5 PERIOD 0",
            " REAL",
        ];
        for option in options {
            servers.direct("SET dest text");
            let wanted = shown(&servers.direct(&format!("LB.EXPORT dest one{option}")));
            let rows = set_of(&servers, "dest");
            servers.direct("SET dest text");
            assert_eq!(
                say(&engine, &format!("LB.EXPORT dest game{option}")).await,
                wanted,
                "{rules}: {option}"
            );
            assert_eq!(set_of(&servers, "dest"), rows, "{rules}: {option}");
            let left = servers.direct("PTTL dest");
            assert!(matches!(left, Value::Int(-1 | -2)), "dest does not expire: {left:?}");
            servers.direct("DEL dest");
        }
        assert_eq!(other_keys(&servers), ["one"], "nothing is left beside dest");
    }
}

#[tokio::test(start_paused = true)]
async fn an_export_that_fails_leaves_dest_as_it_was() {
    let (servers, engine) = with_members("VIEWS all", 100).await;
    servers.direct("ZADD dest 7 x");
    servers.fault(&key(2), Some(Fault::Cut));
    let down = "PARTSDOWN 1 of 4 parts did not answer";
    for command in ["LB.EXPORT dest game TIMEOUT 100", "LB.EXPORT dest game COUNT 50 TIMEOUT 100"] {
        assert_eq!(say(&engine, command).await, down);
    }
    servers.fault(&key(2), None);
    for (command, said) in
        [("ZADD", "OOM no"), ("PERSIST", "NOPERM no"), ("ZCARD", "NOPERM no"), ("RENAME", "NOPERM no")]
    {
        servers.fault(b"*", Some(Fault::Refuses(command, said)));
        assert_eq!(say(&engine, "LB.EXPORT dest game").await, said);
        servers.fault(b"*", None);
        assert_eq!(set_of(&servers, "dest"), "[x 7]");
    }
    servers.fault(b"*", Some(Fault::Lost("RENAME")));
    let unknown = "UNKNOWN the write may have been carried out: no answer came";
    assert_eq!(say(&engine, "LB.EXPORT dest game").await, unknown);
    servers.fault(b"*", None);
    assert_eq!(servers.direct("ZCARD dest"), Value::Int(100));
    assert_eq!(say(&engine, "LB.EXPORT game game").await, "ERR dest must be another key than key");
    assert_eq!(say(&engine, "LB.EXPORT dest game TIMEOUT 0").await, "ERR TIMEOUT is out of range");
    // What a dead gateway leaves expires, unless it dies directly behind the first piece, or between the last two commands.
    let mut lasting = 0;
    for after in 0.. {
        let dying = servers.dying(after);
        say(&super::engine(&dying), "LB.EXPORT dest game").await;
        for key in other_keys(&servers).iter().filter(|key| key.starts_with("dest:")) {
            lasting += usize::from(servers.direct(&format!("PTTL {key}")) == Value::Int(-1));
            servers.direct(&format!("DEL {key}"));
        }
        assert_eq!(servers.direct("ZCARD dest"), Value::Int(100));
        if !dying.is_dead() {
            break;
        }
    }
    assert_eq!(lasting, 2);
}

/// Imports a whole sorted set in steps, which `say` carries out. Returns how many members were imported.
async fn import(say: impl AsyncFn(String) -> String, command: &str) -> u64 {
    let (mut cursor, mut imported) = ("0".to_owned(), 0);
    for step in 0.. {
        // The first step makes members.
        let mode = if step > 0 && !command.contains("MERGE") && !command.contains("NX") { " NX" } else { "" };
        let said = say(format!("{command}{mode} CURSOR {cursor}")).await;
        let (next, count) = said.trim_matches(['[', ']']).split_once(' ').unwrap_or_else(|| panic!("{said}"));
        imported += count.parse::<u64>().unwrap_or_else(|_| panic!("{said}"));
        cursor = next.to_owned();
        if cursor == "0" {
            break;
        }
    }
    imported
}

fn fill(servers: &Simulated, members: usize) {
    for number in 0..members {
        servers.direct(&format!("ZADD set {} m{number}", number * 7 % 11));
    }
}

#[tokio::test(start_paused = true)]
async fn an_import_is_that_of_one_board() {
    for rules in [
        "VIEWS all,day",
        "ORDER ASC DECIMALS 2",
        "TIES LAST",
        "AGGREGATE MAX",
        "AGGREGATE LAST VIEWS day,all",
    ] {
        for (before, mode) in [(0, ""), (30, " NX"), (30, " MERGE ID i")] {
            for count in [1, 7, 1_000] {
                let (servers, engine) = with_members(rules, before).await;
                fill(&servers, 80);
                let of_one = format!("LB.IMPORT one set{} COUNT {count}", mode.replace(" ID i", ""));
                let wanted = import(async |line| shown(&servers.direct(&line)), &of_one).await;
                let over_parts = format!("LB.IMPORT game set{mode} COUNT {count}");
                let got = import(async |line| say(&engine, &line).await, &over_parts).await;
                assert_eq!(got, wanted, "{rules}{mode} COUNT {count}");
                assert!(say(&engine, "LB.EXPORT game-dest game").await != "0");
                assert!(servers.direct("LB.EXPORT one-dest one") != Value::Int(0));
                // A key of a part begins with the name of its board.
                assert_eq!(set_of(&servers, "game-dest"), set_of(&servers, "one-dest"), "{rules}{mode}");
                assert_eq!(
                    say(&engine, "LB.COUNT game VIEW all").await,
                    say(&engine, "LB.COUNT one VIEW all").await
                );
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn equal_scores_keep_their_order_within_a_part() {
    for (rules, reads) in [
        ("", "ZREVRANGE"),
        ("ORDER ASC", "ZRANGE"),
        ("TIES LAST", "ZREVRANGE"),
        ("ORDER ASC TIES LAST", "ZRANGE"),
    ] {
        let (servers, engine) = with_members(format!("VIEWS all {rules}").trim_end(), 0).await;
        fill(&servers, 60);
        assert_eq!(import(async |line| say(&engine, &line).await, "LB.IMPORT game set").await, 60);
        let Value::Array(order) = servers.direct(&format!("{reads} set 0 -1")) else { panic!() };
        let order: Vec<_> = order.iter().map(shown).filter(|word| word.starts_with('m')).collect();
        for part in 0..4 {
            let part_key = String::from_utf8(key(part)).unwrap();
            let Value::Array(rows) = servers.direct(&format!("LB.TOP {part_key} 100 FLAT")) else { panic!() };
            let names: Vec<_> = rows.iter().skip(1).step_by(2).map(shown).collect();
            let own: Vec<_> = order.iter().filter(|name| names.contains(name)).cloned().collect();
            assert_eq!(names, own, "{rules}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_that_broke_off_is_completed() {
    let (servers, engine) = with_members("VIEWS all", 0).await;
    fill(&servers, 40);
    servers.fault(&key(1), Some(Fault::Cut));
    let down = "PARTSDOWN 1 of 4 parts did not answer";
    let step = "LB.IMPORT game set CURSOR 0 TIMEOUT 100";
    assert_eq!(say(&engine, step).await, down, "nobody knows whether the board has members");
    servers.fault(&key(1), Some(Fault::Lost("LB.MADD")));
    let not_all = "PARTSDOWN not all of 4 parts answered: repeat the step with NX";
    assert_eq!(say(&engine, step).await, not_all);
    servers.fault(&key(1), None);
    assert_eq!(
        say(&engine, step).await,
        "ERR the board has members: MERGE adds to them, NX leaves them alone"
    );
    assert_eq!(say(&engine, &format!("{step} NX")).await, "[0 0]");
    say(&engine, "LB.EXPORT dest game").await;
    assert_eq!(set_of(&servers, "dest"), set_of(&servers, "set"));
    // With MERGE, the id says that it is the same step.
    let merge = "LB.IMPORT game set MERGE ID i CURSOR 0";
    servers.fault(&key(2), Some(Fault::Lost("LB.MADD")));
    let lost = say(&engine, &format!("{merge} TIMEOUT 100")).await;
    assert!(
        lost.starts_with(
            "UNKNOWN 1 of 4 parts did not answer, and other parts may have carried out the write: repeat"
        ),
        "{lost}"
    );
    servers.fault(&key(2), None);
    for _ in 0..3 {
        assert_eq!(say(&engine, merge).await, "[0 40]");
    }
    say(&engine, "LB.EXPORT dest game").await;
    for number in 0..40 {
        servers.direct(&format!("ZADD set {} m{number}", number * 7 % 11 * 2));
    }
    assert_eq!(set_of(&servers, "dest"), set_of(&servers, "set"), "each member counts twice, and not more");
}

#[tokio::test(start_paused = true)]
async fn a_member_whose_score_stays_is_imported_once() {
    let (servers, engine) = with_members("VIEWS all", 0).await;
    fill(&servers, 60);
    let mut cursor = "0".to_owned();
    for step in 0.. {
        let said = say(&engine, &format!("LB.IMPORT game set MERGE ID i COUNT 3 CURSOR {cursor}")).await;
        cursor = said.trim_matches(['[', ']']).split(' ').next().unwrap().to_owned();
        if cursor == "0" {
            break;
        }
        // Others enter before and behind, and the member of the cursor leaves or moves.
        servers.direct(&format!("ZADD set {} new{step} -5 low{step}", 3 + step % 9));
        let digits = &cursor[16..];
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        let name = String::from_utf8((0..digits.len()).step_by(2).map(byte).collect()).unwrap();
        match step % 3 {
            0 => _ = servers.direct(&format!("ZREM set {name}")),
            1 => _ = servers.direct(&format!("ZADD set -9 {name}x 99 {name}y")),
            _ => {}
        }
    }
    for number in 0..60 {
        assert_eq!(say(&engine, &format!("LB.SCORE game m{number}")).await, (number * 7 % 11).to_string());
    }
}

#[tokio::test(start_paused = true)]
async fn imports_that_are_refused() {
    let (servers, engine) = with_members("VIEWS all", 0).await;
    servers.direct("ZADD set 1.5 half 1 whole");
    servers.direct("SET text x");
    servers.direct("LB.CREATE games LEVELS gold:DESC:9");
    assert_eq!(say(&engine, "LB.CREATE levels LEVELS gold:DESC:9 PARTS 4").await, "OK");
    for (line, said) in [
        ("LB.IMPORT game set", "ERR CURSOR is needed"),
        ("LB.IMPORT game set CURSOR 0 COUNT 0", "ERR COUNT is out of range"),
        ("LB.IMPORT game set CURSOR x", "ERR CURSOR is not a cursor of LB.IMPORT"),
        ("LB.IMPORT game set MERGE CURSOR 0", "ERR over parts, LB.IMPORT with MERGE needs ID"),
        ("LB.IMPORT game text CURSOR 0", "WRONGTYPE Operation against a key holding the wrong kind of value"),
        ("LB.IMPORT game game CURSOR 0", "WRONGTYPE Operation against a key holding the wrong kind of value"),
        ("LB.IMPORT game set CURSOR 0", "ERR the score of 'half' has more digits than are kept (DECIMALS 0)"),
        ("LB.IMPORT game absent CURSOR 0", "[0 0]"),
        ("LB.COUNT game", "0"),
        ("LB.IMPORT game set CURSOR 0 ROUND", "[0 2]"),
        ("LB.SCORE game half", "2"),
    ] {
        assert_eq!(say(&engine, line).await, said, "{line}");
    }
    let levels = say(&engine, "LB.IMPORT levels set CURSOR 0").await;
    assert_eq!(levels, shown(&servers.direct("LB.IMPORT games set CURSOR 0")));
    assert!(levels.starts_with("ERR "), "{levels}");
    // A board that is not over parts, and its option.
    assert_eq!(say(&engine, "LB.IMPORT {set}plain set CURSOR 0 ROUND").await, "[0 2]");
    assert!(say(&engine, "LB.IMPORT {set}plain set CURSOR 0 ROUND NX ID x").await.starts_with("ERR "));
}
