//! Tests with boards that must agree: a board without SHOWN, a board with SHOWN whose shown votes equal the real
//! votes, and a board where each vote adds three shown votes.

use leaderboard_testkit::session::{shown, words as words_of};
use leaderboard_testkit::{Flavor, Server, Words, bgrewriteaof_and_wait, pipeline, run};
use redis::{Connection, Value};

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

const BEGIN: u64 = 1_552_867_200_000;
const MINUTE: u64 = 60_000;

/// Returns a random command for all boards, with `KEY` in place of the key.
fn line(random: &mut Random, step: u64) -> String {
    let at = BEGIN + step * 20_000 - random.below(4) / 3 * random.below(5 * MINUTE).min(step * 20_000);
    let at = at + random.below(40) / 39 * 10 * MINUTE;
    let (voter, member, votes) = (random.below(9), random.below(7), 1 + random.below(4));
    match random.below(30) {
        0 => format!("LB.REM KEY m{member}"),
        1 => "LB.ALTER KEY VIEWS +hour:2".to_owned(),
        2 => "LB.ALTER KEY VIEWS -hour:2".to_owned(),
        3 => "LB.ALTER KEY VIEWS -minute,+90s".to_owned(),
        4 => "LB.ALTER KEY VIEWS -90s,+minute".to_owned(),
        5 => format!("LB.ALTER KEY RETAIN {}", random.below(4)),
        6 => "LB.ALTER KEY VIEWS -all".to_owned(),
        7 => "LB.ALTER KEY VIEWS +all".to_owned(),
        8 => format!("LB.SETMETA KEY m{member} text{step}"),
        9..14 => format!("LB.MVOTE KEY BY v{voter} AT {at} {votes} m{member} 2 m{}", random.below(7)),
        14 => format!("LB.VOTE KEY {votes} m{member} AT {at} ID r{}", random.below(9)),
        _ => format!("LB.VOTE KEY {votes} m{member} BY v{voter} AT {at}"),
    }
}

fn replies(con: &mut Connection, lines: &[String]) -> Vec<Result<Value, String>> {
    let commands: Vec<Words> = lines.iter().map(|line| words_of(line)).collect();
    pipeline(con, &commands)
}

/// Returns all reads of a board, for real or shown votes.
fn reads(key: &str, real: &str) -> Vec<String> {
    let mut lines = vec![format!("LB.VOTERS {key}"), format!("LB.VOTERS {key} MEMBER m1")];
    for view in ["all", "minute", "90s", "minute:3", "hour:2", "day"] {
        lines.push(format!("LB.PERIODS {key} {view}"));
        lines.push(format!("LB.VOTERS {key} VIEW {view}"));
        for period in ["0", "-1", "-2"] {
            lines.push(format!("LB.TOP {key} 9 VIEW {view} PERIOD {period} {real}"));
            lines.push(format!("LB.STANDING {key} m2 VIEW {view} PERIOD {period} {real}"));
            lines.push(format!("LB.VOTERS {key} VIEW {view} PERIOD {period} MEMBER m2"));
        }
    }
    lines
}

fn times(lines: &[Result<Value, String>], factor: i64) -> Vec<Vec<i64>> {
    let score = |row: &Value| match row {
        Value::Array(fields) => match fields[2] {
            Value::Int(score) => score * factor,
            _ => 0,
        },
        _ => 0,
    };
    let scores = |reply: &Result<Value, String>| match reply {
        Ok(Value::Array(rows)) => rows.iter().map(score).collect(),
        _ => Vec::new(),
    };
    lines.iter().map(scores).collect()
}

/// Checks that the boards give the same replies. The plain board has only one count, so it is read without `real`.
#[track_caller]
fn agree(con: &mut Connection, step: u64) {
    let plain = replies(con, &reads("plain", ""));
    for (key, real) in [("same", ""), ("same", "REAL"), ("thrice", "REAL"), ("plain", "REAL")] {
        let lines = reads(key, real);
        for ((line, expected), found) in lines.iter().zip(&plain).zip(replies(con, &lines)) {
            assert_eq!(shown(&found), shown(expected), "step {step}: {line}");
        }
    }
    let tops = |key: &str| -> Vec<String> {
        reads(key, "").into_iter().filter(|line| line.starts_with("LB.TOP")).collect()
    };
    let (plain, thrice) = (replies(con, &tops("plain")), replies(con, &tops("thrice")));
    assert_eq!(times(&thrice, 1), times(&plain, 3), "step {step}");
}

fn plays(seed: u64, steps: u64) {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let (mut random, rules) =
        (Random(seed), "VIEWS all,minute,minute:3,day CLOCK EVENT RETAIN 2 DEDUP 100000");
    let rules = format!("{rules} LIMIT r voter 6 minute LIMIT s member 20 minute");
    for (key, how) in [("plain", ""), ("same", "SHOWN"), ("thrice", "SHOWN")] {
        run(&mut con, &words_of(&format!("LB.CREATE {key} {rules} {how}")));
    }
    for step in 0..steps {
        // Removed members have lost their weight, so it is set again.
        let weights: Vec<String> = (0..7).map(|n| format!("LB.OPTION thrice m{n} WEIGHT 3")).collect();
        assert!(replies(&mut con, &weights).iter().all(Result::is_ok));
        let line = line(&mut random, step);
        let lines = ["plain", "same", "thrice"].map(|key| line.replace("KEY", key));
        let found = replies(&mut con, &lines);
        let held = |at: usize| shown(&found[at]).starts_with("[0 ");
        assert_eq!(shown(&found[0]), shown(&found[1]), "step {step}: {line}");
        assert!(held(0) == held(2) && found[0].is_ok() == found[2].is_ok(), "step {step}: {line} {found:?}");
        if step % 7 == 0 {
            agree(&mut con, step);
        }
        if step % 150 == 149 {
            run(&mut con, &["DEBUG", "RELOAD"]);
            agree(&mut con, step);
        }
    }
}

#[test]
fn two_counts_of_one_vote_agree_through_periods_and_changes() {
    for seed in [1, 2, 3] {
        plays(seed, 400);
    }
}

#[test]
fn a_board_of_sixteen_views_has_both_counts_in_all_of_them() {
    let server = Server::builder(Flavor::Redis70).arg("appendonly", "yes").arg("aof-use-rdb-preamble", "no");
    let mut server = server.start();
    let mut con = server.connection();
    let views = "all,minute,hour,day,week,month,year,1s,2s,3s,day:2,day:366,hour:2,week:2,month:2,year:2";
    let check = |con: &mut Connection| {
        for view in views.split(',') {
            let lines = ["", "REAL", "PERIOD -1", "PERIOD -1 REAL"]
                .map(|rest| format!("LB.TOP poll 9 VIEW {view} {rest}"));
            let found: Vec<String> = replies(con, &lines).iter().map(shown).collect();
            let [now, real] = [&found[0], &found[1]];
            match view {
                "all" => {
                    assert_eq!((&now[..], &real[..]), ("[[1 \"cat\" 7] [2 \"ann\" 6]]", "[[1 \"ann\" 3]]"))
                }
                "1s" | "2s" | "3s" | "minute" | "hour" | "day" | "week" | "month" | "year" => {
                    assert_eq!(&now[..], "[[1 \"cat\" 7] [2 \"ann\" 2]]", "{view}");
                    assert_eq!(&real[..], "[[1 \"ann\" 1]]", "{view}");
                }
                // Rolling views contain only the votes that were cast in them.
                _ => assert_eq!((&now[..], &real[..]), ("[[1 \"ann\" 2]]", "[[1 \"ann\" 1]]"), "{view}"),
            }
        }
    };
    let lines = [
        format!("LB.CREATE poll VIEWS {views} CLOCK EVENT SHOWN"),
        "LB.OPTION poll ann WEIGHT 2".to_owned(),
        "LB.OPTION poll cat INITIAL 7".to_owned(),
        "LB.VOTE poll 2 ann BY v AT 1000".to_owned(),
        "LB.VOTE poll 1 ann BY v AT 94608000000".to_owned(),
    ];
    for reply in replies(&mut con, &lines) {
        assert!(reply.is_ok(), "{reply:?}");
    }
    check(&mut con);
    bgrewriteaof_and_wait(&mut con);
    server.restart_nosave();
    check(&mut server.connection());
}
