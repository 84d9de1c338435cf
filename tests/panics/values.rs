//! Panics while the server copies, measures, frees or moves a value, and in settings.

use leaderboard_testkit::session::{play, say, words};
use leaderboard_testkit::{Flavor, digest, err, info, pipeline, query, run, wait_until};
use redis::Connection;

use super::Failing;

/// Makes a board so large that a thread frees it.
fn make_large(con: &mut Connection) {
    let text = "t".repeat(100);
    let texts: Vec<_> =
        (0..5_000).map(|member| words(&format!("LB.SETMETA large member{member} {text}"))).collect();
    play(con, "LB.CREATE large");
    assert!(pipeline(con, &texts).iter().all(Result::is_ok));
}

fn used_memory(con: &mut Connection) -> u64 {
    info(con, "memory", "used_memory").parse().expect("a number")
}

#[test]
fn a_value_that_is_not_freed_is_lost_memory() {
    Failing::each(|failing, con| {
        for line in ["DEL board", "UNLINK board", "SET board text", "FLUSHDB ASYNC"] {
            play(con, "SELECT 1\nLB.CREATE board VIEWS all,3600s:3\nLB.ADD board 5 ann");
            failing.failing("freeing a value", || assert!(!say(con, line).starts_with("ERR"), "{line}"));
            play(con, "DEL board\nLB.ADD board 5 ann => [5 1 1]\nDEL board => 1");
        }
    });
}

#[test]
fn a_value_whose_effort_is_unknown_is_freed() {
    Failing::each(|failing, con| {
        play(con, "LB.ADD board 5 ann");
        failing.failing("weighing a value", || play(con, "UNLINK board => 1\nEXISTS board => 0"));
    });
}

#[test]
fn the_thread_that_frees_values_goes_on_after_a_failure() {
    Failing::each(|failing, con| {
        make_large(con);
        failing.failing("freeing a large value", || play(con, "DEL large => 1"));
        let before = used_memory(con);
        make_large(con);
        let with_board = used_memory(con);
        play(con, "DEL large => 1");
        wait_until(|| used_memory(con) < before + (with_board - before) / 2);
    });
}

#[test]
fn a_copy_that_fails_makes_no_key() {
    for flavor in Flavor::all() {
        let failing = Failing::start(Failing::builder(flavor));
        let mut con = failing.server.connection();
        play(&mut con, "LB.ADD board 5 ann");
        failing.failing("copying a value", || {
            assert!(err(&mut con, &["COPY", "board", "copy"]).starts_with("ERR"));
        });
        play(&mut con, "EXISTS copy => 0\nCOPY board copy => 1");
        assert_eq!(digest(&mut con, "copy"), digest(&mut con, "board"));
    }
}

#[test]
fn a_value_that_fails_has_another_digest_and_less_memory() {
    Failing::each(|failing, con| {
        play(con, "LB.ADD board 5 ann");
        let before = digest(con, "board");
        let usage: u64 = failing.failing("measuring a value", || query(con, &["MEMORY", "USAGE", "board"]));
        assert!(usage < query(con, &["MEMORY", "USAGE", "board"]));
        failing.failing("the digest of a value", || {
            assert_ne!(digest(con, "board"), before);
        });
        assert_eq!(digest(con, "board"), before);
    });
}

#[test]
fn a_value_that_cannot_be_moved_stays_where_it_is() {
    let failing = Failing::start(Failing::builder(Flavor::Redis82));
    let mut con = failing.server.connection();
    make_large(&mut con);
    let before = digest(&mut con, "large");
    failing.failing("defragmenting a value", || {
        play(
            &mut con,
            "CONFIG SET active-defrag-ignore-bytes 1
             CONFIG SET active-defrag-threshold-lower 0
             CONFIG SET active-defrag-threshold-upper 1
             CONFIG SET activedefrag yes",
        );
    });
    assert_eq!(digest(&mut con, "large"), before);
}

#[test]
fn info_is_empty_if_it_fails() {
    Failing::each(|failing, con| {
        failing.failing("INFO", || {
            assert!(!query::<String, _>(con, &["INFO", "leaderboard"]).contains("leaderboard_boards"));
        });
        info(con, "leaderboard", "leaderboard_boards");
    });
}

#[test]
fn a_setting_that_fails_is_not_changed() {
    for flavor in [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let failing = Failing::start(Failing::builder(flavor));
        let mut con = failing.server.connection();
        let name = "leaderboard.counter-precisions";
        failing.failing("changing a setting", || {
            assert!(err(&mut con, &["CONFIG", "SET", name, "7"]).contains("failed inside the module"));
        });
        failing.failing("reading a setting", || run(&mut con, &["CONFIG", "GET", name]));
        play(&mut con, &format!("CONFIG GET {name} => [\"{name}\" \"1,5,60,300,3600,18000,86400\"]"));
    }
}
