//! Tests of the commands that replicas get for lists of scores, removals by rank and score, hidden members, and metas.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, ReplicationStream, Server, digest, wait_for_sync};

use super::stream::Watched;

#[test]
fn lists_of_scores_are_sent_with_their_time() {
    for flavor in Flavor::all() {
        Watched::start(flavor).sends(&[
            ("LB.MSET board 5 ann 6 bob", &["LB.MSET board AT now 5 ann 6 bob"]),
            ("lb.mset board view all 5 ann", &["LB.MSET board VIEW all AT now 5 ann"]),
            ("LB.MSET board AT 1000 5 ann", &["LB.MSET board AT 1000 NOW now 5 ann"]),
            ("LB.MSET board ID one 5 ann 4 ann", &["LB.MSET board ID one AT now 5 ann 4 ann"]),
            ("LB.MSET board AT 1 ID two 6 bob 5 ann", &["LB.MSET board ID two AT 1 NOW now 6 bob 5 ann"]),
            ("LB.MSET board ID one 5 ann 4 ann", &[]),
            ("LB.MSET board ID one 5 ann", &[]),
            ("LB.MSET board 5 ann 5", &[]),
            ("LB.MSET board 5 ann x bob", &[]),
            (r"LB.MSET board ID \x00 5 \xff", &[r"LB.MSET board ID \x00 AT now 5 \xff"]),
        ]);
    }
    Watched::start(Flavor::Redis70).sends(&[
        ("LB.CREATE board VIEWS all,10s CLOCK EVENT", &["LB.CREATE board VIEWS all,10s CLOCK EVENT"]),
        ("LB.MSET board AT 32000 VIEW 10s 9 ann", &["LB.MSET board AT 32000 VIEW 10s 9 ann"]),
        ("LB.MSET board AT 31000 ID one 8 ann", &["LB.MSET board ID one AT 31000 NOW 32000 8 ann"]),
    ]);
}

#[test]
fn removals_by_rank_and_score_send_names() {
    for flavor in Flavor::all() {
        let mut watched = Watched::start(flavor);
        play(
            &mut watched.con,
            r"LB.MADD board AT 1 9 ann 8 bob 7 cat 6 dan 5 eve 4 \x00\xff 3 gus
              LB.HIDE board bob",
        );
        watched.sends(&[(
            "LB.COUNT board",
            &[
                r"LB.MADD board AT 1 NOW now 9 ann 8 bob 7 cat 6 dan 5 eve 4 \x00\xff 3 gus",
                "LB.HIDE board bob",
            ],
        )]);
        watched.sends(&[
            ("LB.REMRANGE board 1 2", &["LB.REM board ann cat"]),
            ("LB.REMRANGE board 1 2 3", &[]),
            ("LB.REMRANGE board 9 10", &[]),
            ("LB.REMRANGE absent 1 -1", &[]),
            ("LB.REMRANGEBYSCORE board 4 (6", &[r"LB.REM board eve \x00\xff"]),
            ("LB.REMRANGEBYSCORE board 100 200", &[]),
            ("LB.REMRANGEBYSCORE absent -inf +inf", &[]),
            ("LB.REMRANGE board 1 -1", &["LB.REM board dan gus"]),
            ("LB.REMRANGEBYSCORE board -inf +inf", &[]),
        ]);
    }
}

#[test]
fn hiding_is_sent_if_it_changes_something() {
    for flavor in Flavor::all() {
        let mut watched = Watched::start(flavor);
        play(&mut watched.con, "LB.CREATE board");
        watched.sends(&[("PING", &["LB.CREATE board"])]);
        watched.sends(&[
            ("LB.HIDE board ann bob", &["LB.HIDE board ann bob"]),
            ("LB.HIDE board ann bob", &[]),
            (r"LB.HIDE board \x00\xff", &[r"LB.HIDE board \x00\xff"]),
            ("LB.HIDE absent ann", &[]),
            ("LB.HIDE board <513>", &[]),
            ("LB.HIDDEN board", &[]),
            ("LB.UNHIDE board bob", &["LB.UNHIDE board NOW now bob"]),
            ("LB.UNHIDE board bob", &[]),
            ("LB.UNHIDE absent ann", &[]),
            ("LB.REM board ann", &["LB.REM board ann"]),
            ("LB.UNHIDE board ann", &[]),
        ]);
    }
}

#[test]
fn a_meta_goes_with_the_write() {
    for flavor in Flavor::all() {
        Watched::start(flavor).sends(&[
            ("LB.ADD board 5 ann META text", &["LB.ADD board 5 ann META text AT now"]),
            ("LB.ADD board 5 ann ID one META text", &["LB.ADD board 5 ann ID one META text AT now"]),
            ("LB.ADD board 5 ann ID one META other", &[]),
            ("LB.ADD board 5 ann META \\x00 AT 9", &["LB.ADD board 5 ann META \\x00 AT 9 NOW now"]),
            ("LB.SET board 5 ann META <0> XX", &["LB.SET board 5 ann XX META  AT now"]),
            ("LB.SET board 4 ann META text GT", &[]),
            ("LB.SET board 5 zoe META text XX", &[]),
            ("LB.ADD board 5 ann META <4097>", &[]),
            ("LB.MGETMETA board MEMBERS 1 ann", &[]),
        ]);
    }
    Watched::start(Flavor::Redis70).sends(&[
        ("LB.CREATE poll SHOWN", &["LB.CREATE poll SHOWN"]),
        ("LB.OPTION poll ann META text WEIGHT 2", &["LB.OPTION poll ann META text WEIGHT 2 NOW now"]),
        ("LB.OPTION poll ann META other", &["LB.OPTION poll ann META other NOW now"]),
    ]);
}

#[test]
fn boards_that_keep_their_best_send_what_was_written() {
    Watched::start(Flavor::Redis70).sends(&[
        ("LB.CREATE board KEEP 1", &["LB.CREATE board KEEP 1"]),
        ("LB.ADD board 5 ann", &["LB.ADD board 5 ann AT now"]),
        ("LB.ADD board 1 bob", &["LB.ADD board 1 bob AT now"]),
        ("LB.ADD board 1 bob ID one META text", &["LB.ADD board 1 bob ID one META text AT now"]),
        ("LB.ALTER board KEEP 2", &["LB.ALTER board KEEP 2 NOW now"]),
        ("LB.ALTER board KEEP -1", &[]),
        // The time decides which ended periods are dropped, with their members.
        ("LB.SETMETA board ann text", &["LB.SETMETA board ann text NOW now"]),
        ("LB.SETMETA board ann text", &[]),
        ("LB.SETMETA board ann more NOW 1", &[]),
        ("LB.HIDE board ann", &["LB.HIDE board NOW now ann"]),
    ]);
}

#[test]
fn a_removal_of_thousands_is_one_step_on_a_replica_too() {
    for flavor in Flavor::all() {
        let mut primary = Server::builder(flavor).arg("appendonly", "yes").start();
        let replica = Server::start(flavor);
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = primary.connection();
        let mut stream = ReplicationStream::of(&primary);
        for first in (0..60_000).step_by(20_000) {
            let pairs = (first..first + 20_000).map(|n| format!(" {} m{n}", n % 50)).collect::<String>();
            play(&mut con, &format!("LB.MADD board AT 1{pairs}"));
        }
        stream.take();
        play(&mut con, "LB.REMRANGE board 101 50000 => 49900");
        let sent = stream.take();
        let names = sent.iter().filter(|command| command.starts_with("LB.REM board "));
        assert_eq!(names.map(|command| command.split(' ').count() - 2).sum::<usize>(), 49_900);
        let framed = sent.len() == 1 || sent.first().is_some_and(|first| first == "MULTI");
        assert!(framed, "{flavor:?}: {} commands", sent.len());
        play(&mut con, "LB.REMRANGEBYSCORE board 3 5 => 3600");
        let whole = digest(&mut con, "board");
        wait_for_sync(&primary, &replica);
        assert_eq!(digest(&mut replica.connection(), "board"), whole, "{flavor:?}");
        primary.restart_nosave();
        assert_eq!(digest(&mut primary.connection(), "board"), whole, "{flavor:?}");
    }
}
