//! Tests of votes with other features of the server: events, transactions, counters, memory and clusters.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, digest, info, query, run, wait_until};
use redis::Connection;

use super::play_dated;

#[test]
fn transactions_and_scripts_vote() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            r#"LB.CREATE poll LIMIT r voter 2 all
               MULTI
               LB.VOTE poll 2 ann BY v
               LB.VOTE poll 1 ann BY v
               LB.QUOTA poll BY v
               EXEC => [[1 [[2 1 1]]] [0 "r" -1] [["r" 2 2 -1]]]"#,
        );
        let script = "return redis.call('LB.VOTE', KEYS[1], 1, 'ann', 'BY', 'v')";
        let held: (u64, String, i64) = query(&mut con, &["EVAL", script, "1", "poll"]);
        assert_eq!(held, (0, "r".to_owned(), -1));
    }
}

fn counters(con: &mut Connection) -> String {
    let fields = ["writes", "repeated_requests", "writes_held_back", "votes_held_back", "members"];
    fields.map(|field| info(con, "leaderboard", &format!("leaderboard_{field}"))).join(" ")
}

#[test]
fn info_counts_votes_and_those_held_back_apart() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for (line, expected) in [
            ("LB.CREATE poll LIMIT r voter 2 all", "0 0 0 0 0"),
            ("LB.VOTE poll 1 ann BY v ID one", "1 0 0 0 1"),
            ("LB.VOTE poll 1 ann BY v ID one", "1 1 0 0 1"),
            ("LB.VOTE poll 2 ann BY v", "1 1 0 1 1"),
            ("LB.MVOTE poll BY v 2 ann 1 bob", "1 1 0 2 1"),
            ("LB.MVOTE poll BY w 1 ann 1 bob", "2 1 0 2 2"),
            ("LB.VOTE poll 1 ann", "2 1 0 2 2"),
            ("LB.VOTE poll 0 ann BY w", "2 1 0 2 2"),
            ("LB.QUOTA poll BY v", "2 1 0 2 2"),
            ("LB.ALTER poll CLOSES 1", "2 1 0 2 2"),
            ("LB.VOTE poll 1 ann BY x", "2 1 0 3 2"),
            ("LB.SET poll 0 ann GT", "2 1 1 3 2"),
        ] {
            say(&mut con, line);
            assert_eq!(counters(&mut con), expected, "{flavor:?}: {line}");
        }
    }
}

#[test]
fn votes_held_back_do_not_grow_the_append_only_file() {
    let server =
        Server::builder(Flavor::Redis70).arg("appendonly", "yes").arg("appendfsync", "always").start();
    let mut con = server.connection();
    play(
        &mut con,
        "LB.CREATE poll CLOCK EVENT LIMIT r voter 2 minute
         LB.VOTE poll 2 ann BY v AT 1000 ID one",
    );
    let size = |con: &mut Connection| -> [String; 3] {
        [
            info(con, "persistence", "aof_current_size"),
            info(con, "replication", "master_repl_offset"),
            info(con, "persistence", "rdb_changes_since_last_save"),
        ]
    };
    let whole = |con: &mut Connection, held_back: u64| {
        let info = say(con, "LB.INFO poll");
        let figure = format!(r#""held_back" ["r" {held_back}] "segment_counts" []]"#);
        info.strip_suffix(&figure).map(str::to_owned).expect("a figure")
    };
    let (before, told, sizes) = (digest(&mut con, "poll"), whole(&mut con, 0), size(&mut con));
    for n in 0..500 {
        let at = 1000 + n * 100;
        play(&mut con, &format!(r#"LB.VOTE poll 1 m{n} BY v AT {at} ID n{n} => [0 "r" {}]"#, 60_000 - at));
    }
    assert_eq!(size(&mut con), sizes);
    assert_eq!((digest(&mut con, "poll"), whole(&mut con, 500)), (before, told));
    assert_eq!(info(&mut con, "leaderboard", "leaderboard_votes_held_back"), "500");
    play(&mut con, "LB.VOTE poll 1 ann BY v AT 60000 ID n7 => [1 [[3 1 1]]]");
}

fn usage(con: &mut Connection) -> [u64; 2] {
    let told: std::collections::HashMap<String, redis::Value> = query(con, &["LB.INFO", "poll"]);
    let redis::Value::Int(memory) = told["memory"] else { panic!("no size but {:?}", told["memory"]) };
    [memory.unsigned_abs(), query(con, &["MEMORY", "USAGE", "poll"])]
}

#[test]
fn memory_of_active_voters_is_given_back_after_their_period() {
    const VOTERS: u64 = 20_000;
    for flavor in [Flavor::Redis70, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let used = |con: &mut Connection| info(con, "memory", "used_memory").parse::<u64>().expect("bytes");
        play(
            &mut con,
            "LB.CREATE poll CLOCK EVENT LIMIT r voter 1 minute
             LB.VOTE poll 1 ann BY v AT 0",
        );
        // The script stays in memory during both measurements.
        let script = "for n = 1, ARGV[1] do
            redis.call('LB.VOTE', 'poll', 1, 'ann', 'BY', 'voter' .. n, 'AT', ARGV[2]) end";
        run(&mut con, &["EVAL", script, "0", "0", "0"]);
        let (before, server_before) = (usage(&mut con), used(&mut con));
        run(&mut con, &["EVAL", script, "0", &VOTERS.to_string(), "0"]);
        let full = usage(&mut con);
        for (before, full) in before.iter().zip(full) {
            let each = (full - before) / VOTERS;
            assert!((12..=60).contains(&each), "{flavor:?}: {each} bytes for a voter");
        }
        let grown = used(&mut con).saturating_sub(server_before);
        let told = full[1] - before[1];
        assert!(
            told * 10 > grown * 7 && told * 7 < grown * 10 + 7 * 100_000,
            "{flavor:?}: {told} of {grown}"
        );
        play(&mut con, "LB.VOTE poll 1 ann BY v AT 60000\nLB.VOTE poll 1 ann BY v AT 130000");
        // Counts that have expired are freed in small steps.
        wait_until(|| usage(&mut con)[0] < before[0] + VOTERS);
        play(&mut con, r#"LB.VOTE poll 1 ann BY v AT 130000 => [0 "r" 50000]"#);
        play(&mut con, "DEL poll");
    }
}

#[test]
fn the_key_of_each_command_is_found_wherever_other_words_stand() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for line in [
            "LB.VOTE poll 1 ann BY key TAG key other ID x",
            "LB.MVOTE poll BY other TAG a b 1 ann 2 bob",
            "LB.QUOTA poll BY v MEMBER ann",
            "LB.OPTION poll ann WEIGHT 2",
            "LB.OPTIONS poll 0 COUNT 5",
            "LB.VOTERS poll MEMBER ann VIEW day",
            "LB.CREATE poll LIMIT a voter 5 day BONUS channel acme 5",
            "LB.ALTER poll UNLIMIT a",
        ] {
            assert_eq!(say(&mut con, &format!("COMMAND GETKEYS {line}")), "[\"poll\"]", "{flavor:?}: {line}");
        }
    }
}

#[test]
fn a_campaign_that_expires_begins_anew() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play_dated(
        &mut con,
        "LB.CREATE poll LIMIT r voter 1 all
         LB.VOTE poll 1 ann BY v => [1 [[1 1 1]]]
         LB.VOTE poll 1 ann BY v => [0 \"r\" -1]
         PEXPIRE poll 1",
    );
    wait_until(|| say(&mut con, "EXISTS poll") == "0");
    play(&mut con, "LB.QUOTA poll BY v => []\nLB.VOTE poll 1 ann BY v => [1 [[1 1 1]]]\nLB.VOTERS poll => 1");
}
