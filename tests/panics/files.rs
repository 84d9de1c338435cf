//! Panics while values are saved and loaded: no file looks whole without a value.

use std::fs;

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{
    Flavor, Server, bgrewriteaof_and_wait, digest, info, query, run, try_run, wait_for_sync, wait_until,
};
use redis::Connection;

use super::Failing;

const SAVING: &str = "saving a value";

#[track_caller]
fn wait_for(con: &mut Connection, field: &str, value: &str) {
    wait_until(|| info(con, "persistence", field) == value);
}

#[test]
fn a_snapshot_that_fails_leaves_the_last_one() {
    Failing::each(|failing, con| {
        play(con, "SAVE => OK");
        let file = failing.server.dir().join("dump.rdb");
        let before = fs::read(&file).unwrap();
        failing.failing(SAVING, || assert!(say(con, "SAVE").starts_with("ERR")));
        failing.failing(SAVING, || {
            run(con, &["BGSAVE"]);
            wait_for(con, "rdb_last_bgsave_status", "err");
        });
        failing.failing(SAVING, || assert!(say(con, "SHUTDOWN SAVE").starts_with("ERR")));
        assert!(fs::read(&file).unwrap() == before);
        play(con, "BGSAVE");
        wait_for(con, "rdb_last_bgsave_status", "ok");
        let mut failing = failing;
        failing.server.restart();
        failing.check();
    });
}

#[test]
fn a_dump_that_fails_cannot_be_restored() {
    Failing::each(|failing, con| {
        for key in super::OTHERS {
            let dump: Vec<u8> = failing.failing(SAVING, || query(con, &["DUMP", key]));
            let refused = try_run(con, &[b"RESTORE", &b"copy"[..], b"0", &dump]);
            assert_eq!(refused, Err("ERR Bad data format".to_owned()), "{key}");
        }
        play(con, "EXISTS copy => 0");
    });
}

#[test]
fn a_replica_waits_until_its_primary_can_be_saved() {
    for (flavor, diskless) in Flavor::all().into_iter().flat_map(|flavor| [(flavor, "no"), (flavor, "yes")]) {
        let failing = Failing::start(Failing::builder(flavor).arg("repl-diskless-sync", diskless));
        let replica = Server::start(flavor);
        failing.failing(SAVING, || replica.replica_of(&failing.server));
        wait_for_sync(&failing.server, &replica);
        for (key, before) in super::OTHERS.iter().zip(&failing.others) {
            assert_eq!(digest(&mut replica.connection(), key), *before, "{flavor:?} {diskless}: {key}");
        }
    }
}

#[test]
fn a_rewrite_that_fails_leaves_the_file() {
    for flavor in Flavor::all() {
        let builder = Failing::builder(flavor).arg("appendonly", "yes").arg("aof-use-rdb-preamble", "no");
        let mut failing = Failing::start(builder);
        let mut con = failing.server.connection();
        failing.failing("rewriting a value", || {
            run(&mut con, &["BGREWRITEAOF"]);
            wait_for(&mut con, "aof_last_bgrewrite_status", "err");
        });
        play(&mut con, "LB.ADD board 5 ann");
        failing.server.restart_nosave();
        failing.check();
        let mut con = failing.server.connection();
        play(&mut con, "LB.SCORE board ann => 5");
        bgrewriteaof_and_wait(&mut con);
    }
}

#[test]
fn a_value_that_cannot_be_loaded_makes_no_key() {
    Failing::each(|failing, con| {
        for key in super::OTHERS {
            let dump: Vec<u8> = query(con, &["DUMP", key]);
            let words = [b"RESTORE", &b"copy"[..], b"0", &dump];
            let refused = failing.failing("loading a value", || try_run(con, &words));
            assert_eq!(refused, Err("ERR Bad data format".to_owned()), "{key}");
            play(con, "EXISTS copy => 0");
            run(con, &words);
            play(con, "DEL copy => 1");
        }
    });
}

/// A server that cannot load its data or its module does not start, and starts with all data when it can.
#[test]
fn a_server_that_fails_at_its_start_does_not_lose_data() {
    Failing::each(|mut failing, _| {
        failing.server.shutdown("SAVE");
        for work in ["loading a value", "loading the module"] {
            failing.set(work);
            failing.server.start_in_vain();
            failing.mend();
            assert!(failing.failures(work) > 0, "{:?}: {work}", failing.server.flavor());
        }
        failing.server.start_again();
        failing.check();
    });
}
