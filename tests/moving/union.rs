//! Compares LB.UNION and LB.INTER of random boards and sorted sets with the model.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Words, digest, run, words};
use redis::Connection;

use super::model::{Aggregate, Answer, Question, answer, moments};
use super::scores::{Random, shown};
use super::{
    all_well, exists, field, in_each_server, lines, made, make_zset, say_words, shown as command_shown, state,
};

const VIEWS: [&str; 4] = ["all", "day", "day:3", "month"];
const BOARDS: [&str; 5] = ["b0", "b1", "b2", "b3", "b4"];
const ZSETS: [&str; 2] = ["z0", "z1"];
/// A day in ms, and the first moment of the tests.
const DAY: u64 = 86_400_000;
const BEGIN: u64 = 1_552_867_200_000;

fn member(random: &mut Random) -> String {
    format!("m{}", random.below(9))
}

/// Returns a score with few digits, so that many scores are equal. A few scores have the maximum number of digits.
fn points(random: &mut Random, decimals: usize) -> String {
    let whole = random.below(6) as i64 - 1;
    if random.percent(12) { shown(whole * 7 + random.below(9) as i64, decimals) } else { whole.to_string() }
}

fn make_board(con: &mut Connection, random: &mut Random, key: &str) {
    let mut views = VIEWS;
    views.swap(0, random.below(4) as usize);
    let decimals = *random.pick(&[0, 0, 0, 2, 9]);
    let event = random.percent(85);
    let aggregate = *random.pick(&["SUM", "SUM", "MAX", "LAST"]);
    // Only boards with sums can have shown votes.
    let shown = aggregate == "SUM" && random.percent(30);
    let create = format!(
        "LB.CREATE {key} VIEWS {} ORDER {} TIES {} AGGREGATE {} DECIMALS {decimals} TZ {} WEEKSTART {} ORIGIN {} \
         DEDUP {} CLOCK {} RETAIN 3 {}",
        views.join(","),
        random.pick(&["DESC", "DESC", "ASC"]),
        random.pick(&["FIRST", "FIRST", "LAST", "LEX", "REVLEX"]),
        aggregate,
        random.pick(&["UTC", "+08:00", "America/New_York"]),
        random.pick(&["MON", "SUN"]),
        random.below(3),
        random.below(3) * 600,
        if event { "EVENT" } else { "SERVER" },
        if shown { "SHOWN" } else { "" },
    );
    made(con, create.trim_end());
    let mut now = BEGIN + random.below(3) * DAY / 2;
    let mut commands = Vec::new();
    if shown {
        commands.push(words(&["LB.OPTION", key, &member(random), "WEIGHT", "3"]));
    }
    for _ in 0..random.below(16) {
        // Many writes have the same millisecond.
        now += random.below(3) / 2 * random.below(DAY);
        let at = if event {
            format!("AT {}", now - random.below(5) / 4 * random.below(DAY))
        } else {
            String::new()
        };
        let pairs = (0..=random.below(4)).map(|_| format!("{} {}", points(random, decimals), member(random)));
        let pairs = pairs.collect::<Vec<_>>().join(" ");
        let line = match random.below(12) {
            0 => format!("LB.REM {key} {}", member(random)),
            1 | 2 if shown => format!("LB.VOTE {key} 1 {} {at}", member(random)),
            _ => format!("LB.MADD {key} {at} {pairs}"),
        };
        commands.push(leaderboard_testkit::session::words(&line));
    }
    all_well(con, &commands);
}

/// Makes boards and sorted sets of the same members.
fn make_world(con: &mut Connection, random: &mut Random) {
    run(con, &["FLUSHALL"]);
    for key in BOARDS {
        make_board(con, random, key);
    }
    for key in ZSETS {
        let members = (0..random.below(9)).map(|_| {
            let (name, score) = (member(random), points(random, 1).parse().expect("a score"));
            (name.into_bytes(), score)
        });
        let members: Vec<_> = members.collect();
        make_zset(con, key, &members);
    }
    play(con, "SET text value");
}

fn keys(random: &mut Random) -> Vec<String> {
    let key = |random: &mut Random| match random.below(10) {
        0 => "none".to_owned(),
        1 | 2 => (*random.pick(&ZSETS)).to_owned(),
        _ => (*random.pick(&BOARDS)).to_owned(),
    };
    (0..=random.below(4)).map(|_| key(random)).collect()
}

/// Returns no value, one value for all keys, or one value for each key.
fn some(random: &mut Random, count: usize, one: impl Fn(&mut Random) -> String) -> Vec<String> {
    let count = *random.pick(&[0, 1, count, count]);
    (0..count).map(|_| one(random)).collect()
}

fn question(random: &mut Random) -> Question {
    let keys = keys(random);
    let weight = |random: &mut Random| {
        let weights =
            ["1", "2", "-1", "0.5", "-0.5", "0", "1.000000001", "-0.333333333", "0.000000001", "30", "2.50"];
        (*random.pick(&weights)).to_owned()
    };
    let weights = random.percent(50).then(|| (0..keys.len()).map(|_| weight(random)).collect());
    let views = some(random, keys.len(), |random| (*random.pick(&VIEWS)).to_owned());
    let period = |random: &mut Random| (*random.pick(&["0", "0", "-1", "-2", "-3", "-9"])).to_owned();
    let (periods, at) = match random.below(5) {
        0 => (Vec::new(), Some(BEGIN + random.below(8 * DAY))),
        1 | 2 => (some(random, keys.len(), period), None),
        _ => (Vec::new(), None),
    };
    let dest = if random.percent(15) { random.pick(&keys).clone() } else { "dest".to_owned() };
    Question {
        inter: random.percent(40),
        dest,
        keys,
        weights,
        aggregate: *random.pick(&[
            None,
            None,
            Some(Aggregate::Sum),
            Some(Aggregate::Min),
            Some(Aggregate::Max),
        ]),
        views,
        periods,
        at,
        real: random.percent(20),
    }
}

/// Makes a random key, or none, that the result has to replace.
fn in_the_way(con: &mut Connection, random: &mut Random) {
    play(con, "DEL dest");
    match random.below(5) {
        0 => play(con, "SET dest value"),
        1 => play(con, "ZADD dest 5 ann"),
        2 => play(con, "LB.CREATE dest VIEWS day,all DECIMALS 3\nLB.ADD dest 5 ann\nEXPIRE dest 1000"),
        _ => {}
    }
}

/// Makes the board with single writes, and returns its digest.
fn twin(con: &mut Connection, answer: &Answer) -> String {
    let rules = &answer.rules;
    let others: Vec<String> = rules.others.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let (order, ties, decimals) = (if rules.ascending { "ASC" } else { "DESC" }, &rules.ties, rules.decimals);
    let create = format!("LB.CREATE twin ORDER {order} TIES {ties} DECIMALS {decimals} {}", others.join(" "));
    run(con, &["DEL", "twin"]);
    made(con, &create);
    let entries = answer.in_time();
    let mut adds: Vec<Words> = entries
        .iter()
        .map(|entry| {
            add("twin", &shown(entry.units, decimals), &entry.member, entry.moment.expect("a moment"))
        })
        .collect();
    // This write changes only the board's time, which moves to the present.
    adds.push(add("twin", "0", &entries[0].member, answer.now.expect("a moment")));
    all_well(con, &adds);
    digest(con, "twin")
}

fn add(key: &str, points: &str, member: &[u8], at: u64) -> Words {
    words(&[b"LB.ADD", key.as_bytes(), points.as_bytes(), member, b"AT", at.to_string().as_bytes()])
}

#[track_caller]
fn compare(con: &mut Connection, dest: &str, answer: &Answer, command: &str) {
    let decimals = answer.rules.decimals;
    let board = lines(con, dest, &[]);
    let expected: Vec<_> =
        answer.entries.iter().map(|entry| (entry.member.clone(), shown(entry.units, decimals))).collect();
    assert!(board == expected, "{command}:\n{board:?}\n{:?}", answer.entries);
    let info = run(con, &["LB.INFO", dest]);
    let text = |name| field::<String>(&info, name);
    let order = if answer.rules.ascending { "ASC" } else { "DESC" };
    assert_eq!([text("views"), text("aggregate"), text("order")], ["all", "SUM", order], "{command}");
    assert_eq!(
        [text("ties"), text("decimals")],
        [answer.rules.ties.clone(), decimals.to_string()],
        "{command}"
    );
    for (name, value) in &answer.rules.others {
        assert_eq!(text(name), *value, "{command}: {name}");
    }
    assert_eq!(["shown", "declared", "opens", "closes", "requests"].map(text), ["0"; 5], "{command}");
    let moments = moments(con, dest, &[], &board);
    for (entry, moment) in answer.entries.iter().zip(moments) {
        match entry.moment {
            Some(expected) => assert_eq!(moment, expected, "{command}: {}", entry.member.escape_ascii()),
            None => assert!(moment > BEGIN + 365 * DAY, "{command}: {moment} is not now"),
        }
    }
    // The documentation does not define whether members that are not in an intersection move its time.
    if let Some(now) = answer.now.filter(|_| !command.starts_with("LB.INTER")) {
        assert_eq!(field::<u64>(&info, "now"), now, "{command}");
        // The last write to the twin changes only the time, so the copy gets the same write.
        play(con, &format!("COPY {dest} whole REPLACE"));
        all_well(con, &[add("whole", "0", &answer.in_time()[0].member, now)]);
        assert_eq!(digest(con, "whole"), twin(con, answer), "{command}: another digest than that of writes");
        run(con, &["DEL", "whole", "twin"]);
    }
}

/// The number of commands with a result, without a result, and with an error.
#[derive(Default)]
struct Seen {
    made: usize,
    empty: usize,
    refused: usize,
}

#[track_caller]
fn ask(con: &mut Connection, question: &Question, seen: &mut Seen) {
    let command = question.words();
    let shown = command_shown(&command);
    let answer = answer(con, question);
    let keys: Vec<&str> = BOARDS.into_iter().chain(ZSETS).chain(["dest", "text", "none"]).collect();
    let before = state(con, &keys);
    let reply = say_words(con, &command);
    if reply.starts_with("ERR ") && (answer.refused.contains(&reply) || answer.perhaps.contains(&reply)) {
        assert!(state(con, &keys) == before, "{shown} has changed something");
        seen.refused += 1;
        return;
    }
    assert!(answer.refused.is_empty(), "{shown}: {reply}, none of {:?}", answer.refused);
    assert_eq!(reply, answer.entries.len().to_string(), "{shown}");
    if answer.entries.is_empty() {
        assert!(!exists(con, &question.dest), "{shown}");
        seen.empty += 1;
        return;
    }
    assert_eq!(say(con, &format!("TTL {}", question.dest)), "-1", "{shown}");
    compare(con, &question.dest, &answer, &shown);
    seen.made += 1;
}

#[test]
fn unions_and_intersections_are_what_the_model_tells() {
    in_each_server(|server| {
        let mut con = server.connection();
        let mut random = Random::new(server.flavor() as u64 + 91);
        let mut seen = Seen::default();
        for _ in 0..8 {
            make_world(&mut con, &mut random);
            for _ in 0..15 {
                let question = question(&mut random);
                in_the_way(&mut con, &mut random);
                let source = question.dest != "dest" && exists(&mut con, &question.dest);
                if source {
                    play(&mut con, &format!("COPY {} kept REPLACE", question.dest));
                }
                ask(&mut con, &question, &mut seen);
                play(&mut con, &format!("DEL {}", question.dest));
                if source {
                    play(&mut con, &format!("RENAME kept {}", question.dest));
                }
            }
        }
        println!("{} made, {} empty, {} refused", seen.made, seen.empty, seen.refused);
        assert!(seen.made > 30 && seen.empty > 5 && seen.refused > 5);
    });
}

#[test]
fn the_model_agrees_with_boards_that_are_written_to() {
    let server = leaderboard_testkit::Server::start(leaderboard_testkit::Flavor::Redis70);
    let mut con = server.connection();
    let mut random = Random::new(101);
    let mut compared = 0;
    for _ in 0..8 {
        make_world(&mut con, &mut random);
        for _ in 0..15 {
            let answer = answer(&mut con, &question(&mut random));
            if answer.now.is_none() || answer.entries.is_empty() || !answer.refused.is_empty() {
                continue;
            }
            twin(&mut con, &answer);
            let expected: Vec<_> = answer
                .entries
                .iter()
                .map(|entry| (entry.member.clone(), shown(entry.units, answer.rules.decimals)))
                .collect();
            assert_eq!(lines(&mut con, "twin", &[]), expected);
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared} compared");
}
