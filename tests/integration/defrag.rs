//! Tests that active defragmentation moves values of all types and does not change their content, on servers that have
//! it.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, digest, info, query, run, wait_until};
use redis::Connection;

use super::fill;

const BOARDS: usize = 60;
const LEAGUES: usize = 8;
const COUNTERS: usize = 400;
const ROUNDS: usize = 20;

/// Sends a round of writes, the same to both servers: names of many lengths, ids, texts and removals.
fn churn(con: &mut Connection, round: usize) {
    let mut pipe = redis::pipe();
    for board in 0..BOARDS {
        let key = format!("board{board}");
        // Every second round passes the end of a period.
        let at = 1_000 * round;
        let madd = pipe.cmd("LB.MADD").arg(&key).arg("AT").arg(at);
        for step in 0..40 {
            let member = (round * 40 + step) * 31 % 500;
            madd.arg(member * 7 % 300).arg(format!("{}{member}", "m".repeat(member % 30)));
        }
        madd.ignore();
        let name = |member: usize| format!("{}{member}", "m".repeat(member % 30));
        let member = name(round * 13 % 500);
        pipe.cmd("LB.ADD").arg(&key).arg(5).arg(&member).arg("AT").arg(at).arg("ID").arg(round).ignore();
        pipe.cmd("LB.SETMETA").arg(&key).arg(&member).arg("t".repeat(round % 100)).ignore();
        pipe.cmd("LB.REM").arg(&key).arg(name(round * 7 % 500)).ignore();
    }
    for key in (0..LEAGUES).map(|league| format!("league{league}")) {
        play_round(&mut pipe, &key, round);
    }
    for number in 0..COUNTERS {
        count_round(&mut pipe, number, round);
    }
    pipe.exec(con).expect("a round");
}

/// Sends a round of writes to a league: groups of many sizes, texts, ids, changed tiers and removals.
fn play_round(pipe: &mut redis::Pipeline, key: &str, round: usize) {
    let (at, name) = (1_000 * round, |member: usize| format!("{}{member}", "m".repeat(member % 30)));
    for step in 0..30 {
        let member = (round * 30 + step) * 31 % 700;
        let add = pipe.cmd("LB.LEAGUE.ADD").arg(key).arg(member * 7 % 90).arg(name(member)).arg("AT").arg(at);
        add.arg("ID").arg(format!("{round}-{step}")).ignore();
    }
    let text = "t".repeat(round % 100);
    pipe.cmd("LB.LEAGUE.SETMETA").arg(key).arg(name(round * 13 % 700)).arg(text).ignore();
    pipe.cmd("LB.LEAGUE.TIER").arg(key).arg(name(round * 17 % 700)).arg("b").ignore();
    pipe.cmd("LB.LEAGUE.REM").arg(key).arg(name(round * 7 % 700)).ignore();
}

/// Sends a round of writes to a counter: counts of many sizes, ids and changed rules.
fn count_round(pipe: &mut redis::Pipeline, number: usize, round: usize) {
    let (key, at) = (format!("counter{number}"), round * 1_300 + number);
    let by = 1_usize << ((number * 7 + round) % 40);
    pipe.cmd("LB.COUNTER.INCR").arg(&key).arg("BY").arg(by).arg("AT").arg(at).ignore();
    pipe.cmd("LB.COUNTER.INCR").arg(&key).arg("ID").arg(format!("r{round}")).arg("AT").arg(at / 2).ignore();
    if (number + round).is_multiple_of(17) {
        let samples = 20 + (number * round) % 300;
        pipe.cmd("LB.COUNTER.ALTER").arg(&key).arg("SAMPLES").arg(samples).ignore();
    }
}

/// Returns the keys of all values.
fn keys() -> impl Iterator<Item = String> {
    let all = [("board", BOARDS), ("league", LEAGUES), ("counter", COUNTERS)].into_iter();
    all.flat_map(|(name, count)| (0..count).map(move |number| format!("{name}{number}")))
}

/// Makes the values between strings, and deletes most of the strings, so that the remaining memory is fragmented.
fn prepare(con: &mut Connection) {
    let mut strings = redis::pipe();
    for board in 0..BOARDS {
        let key = format!("board{board}");
        let views = ["VIEWS", "all,2s,2s:4", "CARRY", "2s=0.5", "RETAIN", "5"];
        run(con, &[&["LB.CREATE", &key, "CLOCK", "EVENT", "DEDUP", "3600"][..], &views].concat());
    }
    for league in (0..LEAGUES).map(|league| format!("league{league}")) {
        let rules = "TIERS a,b PROMOTE 3,0 DEMOTE 0,3 CYCLE 2s CLOCK EVENT GROUP 20 RETAIN 5 DEDUP 3600";
        play(con, &format!("LB.LEAGUE.CREATE {league} {rules}"));
    }
    for number in 0..COUNTERS {
        let rules = "PRECISIONS 1,2,60 SAMPLES 300 CLOCK EVENT DEDUP 3600";
        play(con, &format!("LB.COUNTER.CREATE counter{number} {rules}"));
    }
    for round in 0..ROUNDS {
        churn(con, round);
        for string in 0..200 {
            let bytes = 16 << (string % 7);
            strings.cmd("SET").arg(format!("string{round}-{string}")).arg("s".repeat(bytes)).ignore();
        }
        strings.exec(con).expect("strings");
        strings.clear();
    }
    for round in 0..ROUNDS {
        for string in (0..200).filter(|string| string % 10 != 0) {
            strings.cmd("UNLINK").arg(format!("string{round}-{string}")).ignore();
        }
    }
    strings.exec(con).expect("fewer strings");
    fill(con, 1, 50_000);
}

#[test]
fn values_that_are_moved_about_while_they_change_stay_what_they_are() {
    let (moved, still) = (Server::start(Flavor::Redis82), Server::start(Flavor::Redis82));
    let (mut con, mut model) = (moved.connection(), still.connection());
    prepare(&mut con);
    prepare(&mut model);
    play(
        &mut con,
        "CONFIG SET active-defrag-ignore-bytes 1
         CONFIG SET active-defrag-threshold-lower 0
         CONFIG SET active-defrag-threshold-upper 1
         CONFIG SET active-defrag-cycle-min 60
         CONFIG SET active-defrag-cycle-max 75
         CONFIG SET activedefrag yes",
    );
    let hits =
        |con: &mut Connection| info(con, "stats", "active_defrag_hits").parse::<u64>().expect("a count");
    let mut round = ROUNDS;
    wait_until(|| {
        churn(&mut con, round);
        churn(&mut model, round);
        round += 1;
        round >= 2 * ROUNDS && hits(&mut con) > 300
    });
    play(&mut con, "CONFIG SET activedefrag no");
    for key in keys() {
        assert_eq!(digest(&mut con, &key), digest(&mut model, &key), "{key} after {round} rounds");
        let [here, there] = [&mut con, &mut model].map(|con| query::<Vec<u8>, _>(con, &["DUMP", &key]));
        assert!(here == there, "{key} after {round} rounds");
    }
    churn(&mut con, round);
    play(&mut con, "DEBUG RELOAD => OK\nFLUSHALL => OK");
}
