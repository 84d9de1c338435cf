//! Tests of `FLAT` and `PACKED`: pages in other forms, compared with the rows of the normal form.

use std::collections::HashMap;

use leaderboard_testkit::random::{Random, seed};
use leaderboard_testkit::session::{play, say, words};
use leaderboard_testkit::slots::members_of;
use leaderboard_testkit::{Flavor, Server, query, run};
use redis::{Connection, Value};

use super::plays;
use crate::questions::ranking::{Row, rows};

/// Views and periods. Every board has the first ones.
const PERIODS: [&str; 6] = ["all", "day", "day PERIOD -1", "day PERIOD -2", "day:3", "day:3 PERIOD -1"];
/// The substitute for a moment that is not known, on boards without TIES LAST.
const UNKNOWN: i64 = i64::MAX;

const FOUR: &str = "LB.CREATE board DECIMALS 1 CLOCK EVENT VIEWS all,day
                    LB.MADD board AT 1000 50.5 ann 40 bob 30 dan
                    LB.ADD board 40 cat AT 2000
                    LB.SETMETA board cat text";

#[test]
fn flat_pages_begin_with_the_first_rank() {
    plays(&format!(
        r#"{FOUR}
           LB.TOP board 2 FLAT => [1 "ann" "50.5" "bob" "40"]
           LB.TOP board 2 OFFSET 1 flat WITHMETA => [2 "bob" "40" nil "cat" "40" "text"]
           LB.TOP board 9 FLAT REV RANKS ORDINAL => [1 "dan" "30" "cat" "40" "bob" "40" "ann" "50.5"]
           LB.RANGE board -2 -1 FLAT => [3 "cat" "40" "dan" "30"]
           LB.RANGEBYSCORE board 40 45 RANKS ORDINAL FLAT => [2 "bob" "40" "cat" "40"]
           LB.RANGEBYSCORE board 30 45 OFFSET 1 COUNT 1 FLAT => [3 "cat" "40"]
           LB.AROUND board cat 1 FLAT => [2 "bob" "40" "cat" "40" "dan" "30"]
           LB.AROUND board ann 1 FILL FLAT => [1 "ann" "50.5" "bob" "40" "cat" "40"]
           LB.AROUND board cat ABOVE 0 BELOW 9 REV FLAT => [2 "cat" "40" "bob" "40" "ann" "50.5"]
           LB.MADD whole 7 ann 5 bob
           LB.TOP whole 9 FLAT => [1 "ann" 7 "bob" 5]"#
    ));
}

#[test]
fn packed_pages_are_one_string_behind_the_first_rank() {
    plays(&format!(
        r#"{FOUR}
           LB.TOP board 1 PACKED => [1 "\xf9\x01\x00\x00\x00\x00\x00\x00\xe8\x03\x00\x00\x00\x00\x00\x00\x03\x00ann"]
           LB.RANGE board 3 3 packed WITHMETA => [3 "\x90\x01\x00\x00\x00\x00\x00\x00\xd0\x07\x00\x00\x00\x00\x00\x00\x03\x00cat\x04\x00text"]
           LB.AROUND board dan 0 WITHMETA PACKED => [4 ",\x01\x00\x00\x00\x00\x00\x00\xe8\x03\x00\x00\x00\x00\x00\x00\x03\x00dan\xff\xff"]
           LB.CREATE medals LEVELS gold:DESC:9,silver:DESC:9 CLOCK EVENT
           LB.ADD medals 1/2 nor AT 1
           LB.TOP medals 1 PACKED => [1 "\x15\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x03\x00nor"]"#
    ));
}

#[test]
fn no_rows_are_an_empty_array() {
    for form in ["FLAT", "PACKED", "FLAT WITHMETA", "PACKED WITHMETA"] {
        plays(&format!(
            "LB.TOP absent 5 {form} => []
             LB.RANGE absent 1 5 {form} => []
             LB.RANGEBYSCORE absent 1 5 {form} => []
             LB.AROUND absent ann 5 {form} => []
             {FOUR}
             LB.TOP board 0 {form} => []
             LB.TOP board 5 OFFSET 4 {form} => []
             LB.TOP board 5 VIEW day PERIOD -5 {form} => []
             LB.RANGE board 3 2 {form} => []
             LB.RANGEBYSCORE board 31 39 {form} => []
             LB.AROUND board nobody 5 {form} => []"
        ));
    }
}

#[test]
fn other_ranks_and_both_forms_are_errors() {
    for key in ["board", "absent"] {
        for command in ["LB.TOP KEY 5", "LB.RANGE KEY 1 5", "LB.RANGEBYSCORE KEY 1 5", "LB.AROUND KEY ann 5"]
        {
            let command = command.replace("KEY", key);
            plays(&format!(
                "{FOUR}
                 {command} FLAT PACKED => ERR options FLAT and PACKED exclude each other
                 {command} PACKED FLAT => ERR options FLAT and PACKED exclude each other
                 {command} FLAT FLAT => ERR option FLAT is given twice
                 {command} FLAT RANKS COMPETITION => ERR options FLAT and RANKS COMPETITION exclude each other
                 {command} RANKS DENSE WITHMETA FLAT => ERR options FLAT and RANKS DENSE exclude each other
                 {command} RANKS COMPETITION PACKED => ERR options PACKED and RANKS COMPETITION exclude each other
                 {command} PACKED REV RANKS DENSE => ERR options PACKED and RANKS DENSE exclude each other"
            ));
        }
    }
    plays("LB.AMONG board FLAT MEMBERS 1 ann => ERR unknown option 'FLAT'");
}

#[test]
fn the_own_line_of_a_hidden_member_counts() {
    plays(&format!(
        r#"{FOUR}
           LB.HIDE board bob => 1
           LB.AROUND board bob 9 => [[1 "ann" "50.5"] [2 "bob" "40"] [2 "cat" "40"] [3 "dan" "30"]]
           LB.AROUND board bob 9 FLAT => [1 "ann" "50.5" "bob" "40" "cat" "40" "dan" "30"]
           LB.AROUND board bob BELOW 1 FLAT => [2 "bob" "40" "cat" "40"]
           LB.AROUND board bob 0 PACKED WITHMETA => [2 "\x90\x01\x00\x00\x00\x00\x00\x00\xe8\x03\x00\x00\x00\x00\x00\x00\x03\x00bob\xff\xff"]
           LB.AROUND board bob ABOVE 1 REV FLAT => [2 "cat" "40" "bob" "40"]
           LB.AROUND board cat 9 FLAT => [1 "ann" "50.5" "cat" "40" "dan" "30"]
           LB.TOP board 9 FLAT => [1 "ann" "50.5" "cat" "40" "dan" "30"]"#
    ));
}

#[test]
fn every_server_gives_all_forms_in_both_protocols() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for mut con in [server.connection(), server.connection_resp3()] {
            let mut random = Random::new(seed());
            play(&mut con, "FLUSHALL\nLB.CREATE board VIEWS all CLOCK EVENT");
            for _ in 0..5 {
                write(&mut con, &mut random, Kind::Whole, 1_700_000_000_000);
            }
            compare(&mut con, &mut random, &Kind::Whole, " VIEW all", Some(0));
        }
    }
}

/// The form of scores.
#[derive(Clone, Copy)]
enum Kind {
    Whole,
    Hundredths,
    /// Two levels, each up to 99.
    Levels,
    /// Real and shown votes.
    Votes,
}

impl Kind {
    fn score(self, random: &mut Random) -> String {
        let (sign, number) = (if random.percent(20) { "-" } else { "" }, random.below(40));
        match self {
            Self::Whole => format!("{sign}{number}"),
            Self::Hundredths => format!("{sign}{number}.{}", random.below(4)),
            Self::Levels => format!("{number}/{}", random.below(3)),
            Self::Votes => format!("{}", 1 + random.below(9)),
        }
    }

    /// Returns a score in smallest units.
    fn units(self, score: &Value) -> i64 {
        match (self, score) {
            (Self::Whole | Self::Votes, Value::Int(score)) => *score,
            (Self::Hundredths, score) => {
                let text = text(score);
                let (whole, digits) = text.split_once('.').unwrap_or((&text, ""));
                format!("{whole}{digits:0<2}").parse().unwrap()
            }
            (Self::Levels, score) => {
                let text = text(score);
                let (wins, goals) = text.split_once('/').unwrap();
                wins.parse::<i64>().unwrap() * 199 + goals.parse::<i64>().unwrap()
            }
            (_, other) => panic!("a score of another form: {other:?}"),
        }
    }
}

fn write(con: &mut Connection, random: &mut Random, kind: Kind, at: u64) {
    for _ in 0..1 + random.below(40) {
        let member = format!("m{}{}", random.below(70), "x".repeat(random.below(3) as usize * 20));
        let at = at + random.below(50);
        let score = kind.score(random);
        let line = match (random.below(20), kind) {
            (0, _) => format!("LB.REM board {member}"),
            (1, _) => format!("LB.HIDE board {member}"),
            (2, _) => format!("LB.UNHIDE board {member}"),
            (3 | 4, _) => format!("LB.SETMETA board {member} text{at}"),
            (5, Kind::Votes) => format!("LB.OPTION board {member} INITIAL {score} WEIGHT 3"),
            (_, Kind::Votes) => format!("LB.VOTE board {score} {member} AT {at}"),
            (5, _) => format!("LB.SET board {score} {member} AT {at}"),
            _ => format!("LB.ADD board {score} {member} AT {at}"),
        };
        // The reply does not matter: a write may be refused because an option already exists or a member does not
        // exist.
        say(con, &line);
    }
}

/// Returns the rows of a page, each as a list of its items.
fn page(con: &mut Connection, line: &str) -> Vec<Vec<Value>> {
    let Value::Array(rows) = run(con, &words(line)) else { panic!("{line}") };
    let parts = |row| if let Value::Array(parts) = row { parts } else { panic!("{line}: {row:?}") };
    rows.into_iter().map(parts).collect()
}

/// Returns the expected flat form: the rank of the first row, then all rows without their ranks, in one array.
fn flat(rows: &[Vec<Value>]) -> Value {
    let first = rows.first().map(|row| row[0].clone());
    Value::Array(first.into_iter().chain(rows.iter().flat_map(|row| row[1..].to_vec())).collect())
}

fn text(value: &Value) -> String {
    let Value::BulkString(bytes) = value else { panic!("no string but {value:?}") };
    String::from_utf8(bytes.clone()).unwrap()
}

/// Returns the moment when a member got its score; `None` in past periods.
fn moment(con: &mut Connection, options: &str, member: &Value) -> Option<i64> {
    let line = format!("LB.STANDING board {}{options}", text(member));
    let standing: HashMap<String, Value> = query(con, &line.split(' ').collect::<Vec<_>>());
    if let Value::Int(at) = standing["at"] { Some(at) } else { None }
}

/// Compares all forms of a page. `unknown` is the substitute for a moment that is not known.
fn compare_page(con: &mut Connection, line: &str, kind: &Kind, options: &str, unknown: Option<i64>) -> usize {
    let nested = page(con, line);
    assert_eq!(run(con, &words(&format!("{line} FLAT"))), flat(&nested), "{line}");
    let packed = run(con, &words(&format!("{line} PACKED")));
    let with_meta = line.contains("WITHMETA");
    let told = match &packed {
        Value::Array(parts) if nested.is_empty() => {
            assert!(parts.is_empty(), "{line}");
            return 0;
        }
        Value::Array(parts) => {
            assert_eq!((parts.len(), &parts[0]), (2, &nested[0][0]), "{line}");
            rows(&parts[1], with_meta)
        }
        other => panic!("{line}: {other:?}"),
    };
    let expected: Vec<_> = nested
        .iter()
        .map(|row| {
            let moment = moment(con, options, &row[1]).or(unknown).expect("a moment");
            let meta = row.get(3).filter(|meta| **meta != Value::Nil).map(text);
            Row { name: text(&row[1]), score: kind.units(&row[2]), moment, meta }
        })
        .collect();
    assert_eq!(told, expected, "{line}");
    nested.len()
}

/// Compares pages of all commands. Returns the number of their rows.
fn compare(
    con: &mut Connection,
    random: &mut Random,
    kind: &Kind,
    options: &str,
    unknown: Option<i64>,
) -> usize {
    let pages = [
        "LB.TOP board 100".to_owned(),
        format!("LB.TOP board {} OFFSET {}", random.below(40), random.below(60)),
        format!("LB.RANGE board {} {}", 1 + random.below(50), 1 + random.below(50)),
        format!("LB.RANGE board -{} -{}", 1 + random.below(50), 1 + random.below(9)),
        format!("LB.RANGEBYSCORE board {} {}", kind.score(random), kind.score(random)),
        format!("LB.RANGEBYSCORE board -inf +inf OFFSET {} COUNT {}", random.below(30), random.below(30)),
    ];
    let shown = page(con, &format!("LB.TOP board 100{options}"));
    let around = shown.first().map(|_| {
        let member = text(&random.pick(&shown)[1]);
        let fill = random.pick(&["", " FILL"]);
        match random.below(2) {
            0 => format!("LB.AROUND board {member} {}{fill}", random.below(20)),
            _ => format!("LB.AROUND board {member} ABOVE {} BELOW {}", random.below(9), random.below(40)),
        }
    });
    let pages = pages.into_iter().chain(around);
    pages
        .map(|page| {
            let more = random.pick(&["", " WITHMETA", " REV", " REV WITHMETA", " RANKS ORDINAL"]);
            compare_page(con, &format!("{page}{options}{more}"), kind, options, unknown)
        })
        .sum()
}

#[test]
fn all_forms_tell_the_same() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let mut rows = 0;
    for (number, (kind, rules)) in [
        (Kind::Whole, "ORDER DESC"),
        (Kind::Whole, "ORDER ASC AGGREGATE MIN TIES LAST"),
        (Kind::Whole, "TIES LEX"),
        (Kind::Whole, "AGGREGATE MAX TIES REVLEX ORDER ASC"),
        (Kind::Hundredths, "DECIMALS 2 TIES LAST"),
        (Kind::Hundredths, "DECIMALS 2 KEEP 30"),
        (Kind::Levels, "LEVELS wins:DESC:99,goals:DESC:99"),
        (Kind::Votes, "SHOWN"),
    ]
    .into_iter()
    .enumerate()
    {
        let mut random = Random::new(seed() * 10 + number as u64);
        let (views, periods) = match rules.contains("KEEP") {
            true => ("all,day", &PERIODS[..4]),
            false => ("all,day,day:3", &PERIODS[..]),
        };
        let made = format!("LB.CREATE board VIEWS {views} CLOCK EVENT RETAIN 3 {rules}");
        play(&mut con, &format!("FLUSHALL\n{made} => OK"));
        let unknown = Some(if rules.contains("TIES LAST") { 0 } else { UNKNOWN });
        let mut at = 1_700_000_000_000;
        for _ in 0..8 {
            at += random.below(2) * random.below(100_000_000);
            write(&mut con, &mut random, kind, at);
            for view in periods {
                let real = if matches!(kind, Kind::Votes) && random.percent(50) { " REAL" } else { "" };
                rows += compare(&mut con, &mut random, &kind, &format!(" VIEW {view}{real}"), unknown);
            }
        }
    }
    assert!(rows > 5_000, "{rows} rows were compared");
}

#[test]
fn parts_give_the_rows_that_a_gatherer_gets() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.CREATE board PART 0 OF 2 => OK");
    let members = members_of(0, 2, 300);
    for (number, member) in members.iter().enumerate() {
        play(&mut con, &format!("LB.ADD board {} {member} AT 17000{:08}", number % 7, number % 97));
    }
    play(&mut con, &format!("LB.SETMETA board {} text\nLB.HIDE board {}", members[5], members[6]));
    for more in ["", " WITHMETA", " REV", " REV WITHMETA", " OFFSET 200"] {
        let mut last = |command: &str| {
            let reply = run(&mut con, &words(&format!("{command}{more}")));
            if let Value::Array(parts) = reply {
                parts.last().cloned()
            } else {
                panic!("{command}: {reply:?}")
            }
        };
        let packed = last("LB.TOP board 250 PACKED");
        assert_eq!(packed, last("LB.PART board TOP 250"), "{more}");
    }
}
