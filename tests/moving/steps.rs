//! Tests of LB.IMPORT in steps: the size of each step, that each member is read once, and changes between the steps.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use leaderboard_testkit::session::{self, play, say};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, Words, query, run, wait_for_sync, words};
use redis::Connection;

use super::scores::{Random, read, shown, units_of};
use super::{
    Scored, all_well, dump, exists, fitting, in_each_server, lines, made, make_zset, refuses, say_words,
    state, zset,
};

/// Runs one step. Returns the next cursor and the number of imported members.
#[track_caller]
fn step(con: &mut Connection, options: &[&str], cursor: &str, count: Option<usize>) -> (String, usize) {
    let mut command = session::words("LB.IMPORT board zset");
    command.extend(options.iter().map(|word| word.as_bytes().to_vec()));
    command.extend(["CURSOR", cursor].map(|word| word.as_bytes().to_vec()));
    if let Some(count) = count {
        command.extend(["COUNT", &count.to_string()].map(|word| word.as_bytes().to_vec()));
    }
    let (next, imported): (Vec<u8>, usize) = query(con, &command);
    assert!(!next.is_empty() && next.iter().all(u8::is_ascii_graphic), "{}", next.escape_ascii());
    assert!(imported <= count.unwrap_or(1_000), "{imported} imported");
    (String::from_utf8(next).expect("a text"), imported)
}

/// Runs all steps, and calls `between` after each of them. Returns the number of imported members and the number of
/// steps.
fn steps(
    con: &mut Connection,
    options: &[&str],
    count: Option<usize>,
    mut between: impl FnMut(&mut Connection),
) -> (usize, usize) {
    let (mut cursor, mut imported, mut steps) = ("0".to_owned(), 0, 0);
    loop {
        let (next, more) = step(con, options, &cursor, count);
        (cursor, imported, steps) = (next, imported + more, steps + 1);
        if cursor == "0" {
            return (imported, steps);
        }
        assert!(steps < 100_000, "the steps have no end");
        between(con);
    }
}

#[test]
fn steps_of_any_size_end_in_the_same_order() {
    in_each_server(|server| {
        let mut con = server.connection();
        let mut random = Random::new(server.flavor() as u64 + 31);
        for size in [1, 50, 200] {
            for rules in
                ["ORDER DESC", "ORDER ASC", "TIES LAST", "ORDER ASC TIES LAST", "TIES LEX DECIMALS 2"]
            {
                let members = fitting(&mut random, size, if rules.contains("DECIMALS") { 2 } else { 0 });
                make_zset(&mut con, "zset", &members);
                run(&mut con, &["DEL", "whole"]);
                made(&mut con, &format!("LB.CREATE whole {rules} CLOCK EVENT"));
                run(&mut con, &["LB.IMPORT", "whole", "zset", "AT", "1000"]);
                let whole = (lines(&mut con, "whole", &[]), dump(&mut con, "whole"));
                let all = members.len();
                for count in [1, 3, 40, all - 1, all, all + 1, 1_000_000_000] {
                    let count = count.max(1);
                    run(&mut con, &["DEL", "board"]);
                    made(&mut con, &format!("LB.CREATE board {rules} CLOCK EVENT"));
                    let (imported, steps) = steps(&mut con, &["MERGE", "AT", "1000"], Some(count), |_| {});
                    assert_eq!(imported, all);
                    assert!(steps >= all.div_ceil(count), "{steps} steps of {count} for {all} members");
                    let board = (lines(&mut con, "board", &[]), dump(&mut con, "board"));
                    assert!(board.0 == whole.0, "{rules}, {all} by {count}");
                    assert!(board.1 == whole.1, "{rules}, {all} by {count}: other bytes");
                }
            }
        }
    });
}

#[test]
fn steps_at_later_and_later_moments_keep_the_order_too() {
    in_each_server(|server| {
        let mut con = server.connection();
        let members = fitting(&mut Random::new(4), 200, 0);
        make_zset(&mut con, "zset", &members);
        for (order, range) in [("DESC", "ZREVRANGE"), ("ASC", "ZRANGE")] {
            for ties in ["FIRST", "LAST"] {
                run(&mut con, &["DEL", "board"]);
                made(&mut con, &format!("LB.CREATE board ORDER {order} TIES {ties} CLOCK EVENT"));
                let (mut cursor, mut at) = ("0".to_owned(), 1_000);
                while cursor != "0" || at == 1_000 {
                    cursor = step(&mut con, &["NX", "AT", &at.to_string()], &cursor, Some(17)).0;
                    at += 1;
                }
                let board: Words = lines(&mut con, "board", &[]).into_iter().map(|line| line.0).collect();
                let zset: Words = zset(&mut con, range, "zset").into_iter().map(|pair| pair.0).collect();
                assert!(board == zset, "{order} {ties}");
            }
        }
    });
}

#[test]
fn a_step_looks_at_a_thousand_members_unless_told_otherwise() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let members: Scored = (0..2_500).map(|n| (format!("m{n}").into_bytes(), (n % 7) as f64)).collect();
    make_zset(&mut con, "zset", &members);
    let (cursor, imported) = step(&mut con, &[], "0", None);
    assert_eq!(imported, 1_000);
    refuses(
        &mut con,
        &["board"],
        &session::words(&format!("LB.IMPORT board zset CURSOR {cursor}")),
        "ERR the board has members: MERGE adds to them, NX leaves them alone",
    );
    let (cursor, imported) = step(&mut con, &["NX"], &cursor, None);
    assert_eq!(imported, 1_000);
    let (cursor, imported) = step(&mut con, &["MERGE"], &cursor, Some(200));
    assert_eq!(imported, 200);
    let (cursor, imported) = step(&mut con, &["NX"], &cursor, None);
    assert_eq!((cursor.as_str(), imported), ("0", 300));
    play(&mut con, "LB.COUNT board => 2500");
    let (imported, steps) = steps(&mut con, &["NX"], None, |_| {});
    assert!(imported == 0 && steps >= 3, "{imported} imported again in {steps} steps");
}

/// A change of a sorted set between two steps.
enum Change {
    Put(Vec<u8>, f64),
    Drop(Vec<u8>),
}

impl Change {
    fn of_zset(&self) -> Words {
        match self {
            Change::Put(member, score) => {
                words(&[&b"ZADD"[..], b"zset", format!("{score:?}").as_bytes(), member])
            }
            Change::Drop(member) => words(&[&b"ZREM"[..], b"zset", &member[..]]),
        }
    }

    /// Returns the same change of the board, as a client sends it that writes to both during the move.
    fn of_board(&self, decimals: usize) -> Words {
        match self {
            Change::Put(member, score) => {
                let units = units_of(*score, decimals).expect("a score that fits");
                words(&[&b"LB.SET"[..], b"board", shown(units, decimals).as_bytes(), member])
            }
            Change::Drop(member) => words(&[&b"LB.REM"[..], b"board", &member[..]]),
        }
    }
}

/// Makes the changes of a sorted set between two steps. Members in `staying` keep their score.
struct Churn {
    random: Random,
    decimals: usize,
    staying: HashMap<Vec<u8>, f64>,
    made: u64,
}

impl Churn {
    /// Makes a sorted set in which half of the members stay.
    fn begin(con: &mut Connection, mut random: Random, size: usize, decimals: usize) -> Churn {
        let mut members = fitting(&mut random, size, decimals);
        // Members that are imported several times must stay in range.
        members.iter_mut().filter(|(_, score)| score.abs() > 1e9).for_each(|(_, score)| *score = 7.0);
        // Up to this size, a sorted set is stored as a list, and above it as a skip list.
        let listed = *random.pick(&["0", "128", "10000"]);
        run(con, &["CONFIG", "SET", "zset-max-ziplist-entries", listed]);
        make_zset(con, "zset", &members);
        let staying = members.into_iter().step_by(2).collect();
        Churn { random, decimals, staying, made: 0 }
    }

    /// Returns a random score, often the score of an existing member.
    fn score(&mut self, members: &[(Vec<u8>, f64)]) -> f64 {
        if members.is_empty() || self.random.percent(30) {
            return self.random.below(50) as f64 / 10_f64.powi(self.decimals as i32);
        }
        self.random.pick(members).1
    }

    /// Returns changes of members who do not stay. Many of them are members that the last step imported.
    fn changes(&mut self, con: &mut Connection, brought: &[Vec<u8>]) -> Vec<Change> {
        let members = zset(con, "ZRANGE", "zset");
        let going: Words = members
            .iter()
            .map(|pair| pair.0.clone())
            .filter(|name| !self.staying.contains_key(name))
            .collect();
        let near: Words = brought.iter().filter(|name| going.contains(name)).cloned().collect();
        let count = self.random.below(6);
        (0..count)
            .map(|_| {
                let from = if self.random.percent(50) { &near } else { &going };
                self.change(&members, from)
            })
            .collect()
    }

    fn change(&mut self, members: &[(Vec<u8>, f64)], from: &[Vec<u8>]) -> Change {
        let score = self.score(members);
        self.made += 1;
        if from.is_empty() || self.random.percent(25) {
            let length = self.random.below(90) as usize;
            return Change::Put(format!("new{}{}", self.made, "n".repeat(length)).into_bytes(), score);
        }
        let member = self.random.pick(from).clone();
        if self.random.percent(35) { Change::Drop(member) } else { Change::Put(member, score) }
    }
}

/// Returns the members of the board, which show what a step has imported.
fn board(con: &mut Connection) -> BTreeMap<Vec<u8>, String> {
    if exists(con, "board") { lines(con, "board", &[]).into_iter().collect() } else { BTreeMap::new() }
}

fn brought(con: &mut Connection, known: &mut BTreeSet<Vec<u8>>) -> Words {
    let now: BTreeSet<Vec<u8>> = board(con).into_keys().collect();
    let brought = now.difference(known).cloned().collect();
    *known = now;
    brought
}

#[test]
fn who_stays_is_imported_once_whatever_else_changes() {
    in_each_server(|server| {
        let mut con = server.connection();
        for round in 0..8 {
            let mut random = Random::new(server.flavor() as u64 * 100 + round);
            let (size, decimals) = (*random.pick(&[10, 60, 150]), *random.pick(&[0, 2]));
            let count = *random.pick(&[1, 2, 5, 30]);
            let order = *random.pick(&["DESC", "ASC", "DESC TIES LAST", "ASC TIES LAST", "DESC TIES LEX"]);
            let mut churn = Churn::begin(&mut con, random, size, decimals);
            run(&mut con, &["DEL", "board"]);
            made(&mut con, &format!("LB.CREATE board ORDER {order} DECIMALS {decimals}"));
            let mut known = BTreeSet::new();
            steps(&mut con, &["MERGE"], Some(count), |con| {
                let brought = brought(con, &mut known);
                let changes: Vec<Words> = churn.changes(con, &brought).iter().map(Change::of_zset).collect();
                all_well(con, &changes);
            });
            let board = board(&mut con);
            for (member, score) in &churn.staying {
                let shown = board.get(member).map(|text| read(text, decimals));
                let units = units_of(*score, decimals).ok();
                assert_eq!(shown, units, "{}, {order}, {size} by {count}", member.escape_ascii());
            }
        }
    });
}

#[test]
fn a_board_that_is_written_to_beside_the_zset_ends_equal_to_it() {
    in_each_server(|server| {
        let mut con = server.connection();
        for round in 0..8 {
            let mut random = Random::new(server.flavor() as u64 * 100 + round + 50);
            let (size, decimals) = (*random.pick(&[10, 60, 150]), *random.pick(&[0, 2]));
            let count = *random.pick(&[1, 2, 5, 30]);
            let order = *random.pick(&["DESC", "ASC", "DESC TIES LAST", "ASC TIES LEX"]);
            let mut churn = Churn::begin(&mut con, random, size, decimals);
            run(&mut con, &["DEL", "board"]);
            made(&mut con, &format!("LB.CREATE board ORDER {order} DECIMALS {decimals}"));
            let mut known = BTreeSet::new();
            steps(&mut con, &["NX"], Some(count), |con| {
                let brought = brought(con, &mut known);
                for change in churn.changes(con, &brought) {
                    all_well(con, &[change.of_zset(), change.of_board(decimals)]);
                }
            });
            let zset: BTreeMap<Vec<u8>, i64> = zset(&mut con, "ZRANGE", "zset")
                .into_iter()
                .map(|(member, score)| (member, units_of(score, decimals).expect("a score that fits")))
                .collect();
            let board: BTreeMap<Vec<u8>, i64> =
                board(&mut con).into_iter().map(|(member, text)| (member, read(&text, decimals))).collect();
            assert!(board == zset, "{order}, {size} by {count}:\n{board:?}\n{zset:?}");
        }
    });
}

#[test]
fn a_zset_that_is_gone_or_another_ends_or_goes_on() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, "ZADD zset 5 ann 6 bob 7 cat 8 dan");
        let (cursor, imported) = step(&mut con, &[], "0", Some(2));
        assert_eq!(imported, 2);
        let stepping = format!("LB.IMPORT board zset NX CURSOR {cursor}");
        run(&mut con, &["RENAME", "zset", "away"]);
        let before = state(&mut con, &["board"]);
        assert_eq!(say(&mut con, &stepping), "[\"0\" 0]");
        assert!(state(&mut con, &["board"]) == before);
        run(&mut con, &["SET", "zset", "text"]);
        assert!(say(&mut con, &stepping).starts_with("WRONGTYPE "));
        play(&mut con, "RENAME away zset");
        assert_eq!(say(&mut con, &stepping), "[\"0\" 2]");
        play(&mut con, "LB.COUNT board => 4");
    });
}

#[test]
fn a_cursor_outlives_a_restart_and_a_failover() {
    for flavor in [Flavor::Redis62, Flavor::Valkey91] {
        let (mut primary, replica) = (Server::start(flavor), Server::start(flavor));
        replica.replica_of(&primary);
        let mut con = primary.connection();
        let members = fitting(&mut Random::new(8), 100, 0);
        make_zset(&mut con, "zset", &members);
        let (cursor, first) = step(&mut con, &[], "0", Some(30));
        wait_for_sync(&primary, &replica);
        primary.restart();
        play(&mut replica.connection(), "REPLICAOF NO ONE => OK");
        for mut con in [primary.connection(), replica.connection()] {
            let (mut cursor, mut imported) = (cursor.clone(), first);
            while cursor != "0" {
                let (next, more) = step(&mut con, &["NX"], &cursor, Some(30));
                (cursor, imported) = (next, imported + more);
            }
            assert_eq!(imported, members.len(), "{flavor:?}");
            let board: Words = lines(&mut con, "board", &[]).into_iter().map(|line| line.0).collect();
            let zset: Words = zset(&mut con, "ZREVRANGE", "zset").into_iter().map(|pair| pair.0).collect();
            assert!(board == zset, "{flavor:?}");
        }
    }
}

const NO_CURSOR: &str = "ERR CURSOR is not a cursor of LB.IMPORT";

#[test]
fn what_is_no_cursor_is_refused() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, "ZADD zset 5 ann 6 bob\nLB.ADD board 5 cat\nLB.CREATE event CLOCK EVENT");
        for cursor in [
            "nonsense",
            "<0>",
            "-1",
            "1e5",
            "\\x00",
            "\\xff\\xfe",
            "<600>",
            "<70000>",
            "0\\x20",
            "+0",
            "NX",
            "*",
        ] {
            for line in ["LB.IMPORT board zset NX CURSOR _", "LB.IMPORT absent zset CURSOR _ COUNT 5"] {
                let line = line.replace('_', cursor);
                refuses(&mut con, &["board", "absent", "event"], &session::words(&line), NO_CURSOR);
            }
        }
    });
}

#[test]
fn a_cursor_with_a_fault_does_no_harm() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let mut random = Random::new(12);
    let members = fitting(&mut random, 60, 2);
    make_zset(&mut con, "zset", &members);
    made(&mut con, "LB.CREATE empty DECIMALS 2");
    let mut cursors = Vec::new();
    for count in [1, 7, 20] {
        play(&mut con, "DEL board\nCOPY empty board");
        let mut cursor = step(&mut con, &["NX"], "0", Some(count)).0;
        while cursor != "0" {
            cursors.push(cursor.clone());
            cursor = step(&mut con, &["NX"], &cursor, Some(count)).0;
        }
    }
    let mut refused = 0;
    for _ in 0..1_500 {
        let mut cursor = random.pick(&cursors).clone().into_bytes();
        let at = random.below(cursor.len() as u64) as usize;
        match random.below(5) {
            // If these bytes are a part of a double, it becomes infinite or NaN.
            4 => cursor
                .splice(..at.min(4), *random.pick(&[*b"7ff8", *b"fff8", *b"7ff0", *b"FFF0"]))
                .for_each(drop),
            0 => cursor.truncate(at),
            1 => cursor[at] = random.below(256) as u8,
            2 => cursor.insert(at, b'!' + random.below(90) as u8),
            _ => cursor = cursor.repeat(2),
        }
        play(&mut con, "DEL board\nCOPY empty board");
        let mut command = session::words("LB.IMPORT board zset NX COUNT 5 CURSOR");
        command.push(cursor);
        match say_words(&mut con, &command).as_str() {
            NO_CURSOR => {
                refused += 1;
                play(&mut con, "LB.COUNT board => 0");
            }
            reply => assert!(reply.starts_with("[\""), "{reply}"),
        }
    }
    println!("{refused} of 1500 refused");
    assert!(refused > 0);
}

#[test]
fn a_step_that_fails_changes_nothing_and_can_be_taken_again() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, "ZADD zset 9 ann 8 bob 7 cat 6 dan 5 eve 4 fay 3 gus");
        for bad in ["ann", "dan", "gus"] {
            let score = query::<f64, _>(&mut con, &["ZSCORE", "zset", bad]);
            run(&mut con, &["ZINCRBY", "zset", "0.5", bad]);
            run(&mut con, &["DEL", "board"]);
            let mut stream = ReplicationStream::of(server);
            let (mut cursor, mut seen) = ("0".to_owned(), 0);
            let refused = loop {
                let line = format!("LB.IMPORT board zset NX CURSOR {cursor} COUNT 2");
                stream.take();
                let before = state(&mut con, &["board"]);
                let reply = say(&mut con, &line);
                if reply.starts_with("ERR ") {
                    assert!(state(&mut con, &["board"]) == before && stream.take().is_empty(), "{line}");
                    break reply;
                }
                let (next, more) = step_of(&reply);
                (cursor, seen) = (next, seen + more);
                assert!(cursor != "0", "nothing was refused");
            };
            let named = format!("the score of '{bad}' has more digits than are kept (DECIMALS 0)");
            assert_eq!(refused, format!("ERR {named}"));
            run(&mut con, &["ZADD", "zset", &score.to_string(), bad]);
            while cursor != "0" || seen == 0 {
                let (next, more) = step(&mut con, &["NX"], &cursor, Some(2));
                (cursor, seen) = (next, seen + more);
            }
            assert_eq!(seen, 7, "{bad}");
            play(&mut con, r#"LB.TOP board 3 => [[1 "ann" 9] [2 "bob" 8] [3 "cat" 7]]"#);
        }
    });
}

/// Returns the cursor and the number of members in a reply that was written as text.
fn step_of(reply: &str) -> (String, usize) {
    let inner = reply.trim_matches(['[', ']']);
    let (cursor, imported) = inner.rsplit_once(' ').expect("two parts");
    (cursor.trim_matches('"').to_owned(), imported.parse().expect("a number"))
}

#[test]
fn zsets_that_grow_while_they_are_stepped_through_are_read_in_both_encodings() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let small: Scored = (0..20).map(|n| (format!("m{n:03}").into_bytes(), f64::from(n % 3))).collect();
        make_zset(&mut con, "zset", &small);
        let (mut cursor, mut round) = ("0".to_owned(), 0);
        while cursor != "0" || round == 0 {
            let line = format!("LB.IMPORT board zset NX CURSOR {cursor} COUNT 3");
            let (next, _): (String, usize) = query(&mut con, &session::words(&line));
            cursor = next;
            round += 1;
            if round == 3 {
                // This long member changes the sorted set from a list of pairs to a skip list.
                run(&mut con, &session::words("ZADD zset 1 <200>"));
            }
        }
        let missing: Vec<&(Vec<u8>, f64)> = small
            .iter()
            .filter(|(member, _)| {
                query::<Option<u64>, _>(&mut con, &[b"LB.SCORE", &b"board"[..], member]).is_none()
            })
            .collect();
        assert!(missing.is_empty(), "{flavor:?}: {missing:?}");
    }
}
