//! LB.LEAGUE.RESTORE, piece by piece: an append-only file calls it, and so can anybody.

use leaderboard_testkit::session::words;
use leaderboard_testkit::{Flavor, Words, digest, err, query, run};

use super::corruption::made;
use super::kinds::KINDS;
use crate::corruption::payload::Payload;
use crate::corruption::server;

pub fn piece(key: &str, chunk: &[u8]) -> Words {
    vec![b"LB.LEAGUE.RESTORE".to_vec(), key.into(), chunk.to_vec()]
}

#[test]
fn pieces_in_their_order_build_a_league_and_it_takes_no_commands_before_the_last() {
    for flavor in Flavor::all() {
        let server = server(flavor);
        let mut con = server.connection();
        for kind in KINDS.iter().map(|kind| kind.key).chain(["small"]) {
            let chunks = Payload::parse(&made(&mut con, kind)).chunks;
            let (end, parts) = chunks.split_last().expect("pieces");
            for chunk in parts {
                run(&mut con, &piece("again", chunk));
                let before = digest(&mut con, "again");
                for line in [
                    "JOIN again m",
                    "ADD again 5 m AT 5",
                    "REM again m0",
                    "SETMETA again m0 x",
                    "ALTER again GROUP 5",
                    "TOP again m0",
                    "INFO again",
                    "STANDING again m1 PERIOD -1",
                ] {
                    let text = err(&mut con, &words(&format!("LB.LEAGUE.{line}")));
                    assert_eq!(
                        text,
                        "LOADING the key is being restored, and takes no commands until that is done"
                    );
                }
                assert_eq!(digest(&mut con, "again"), before, "{kind}");
            }
            run(&mut con, &piece("again", end));
            assert_eq!(digest(&mut con, "again"), digest(&mut con, kind), "{flavor:?}: {kind}");
            run(&mut con, &["DEL", "again"]);
        }
    }
}

#[test]
fn pieces_of_boards_and_leagues_are_told_apart() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let league = Payload::parse(&made(&mut con, "small")).chunks;
    run(&mut con, &words("LB.ADD board 5 ann"));
    let board = Payload::parse(&query::<Vec<u8>, _>(&mut con, &["DUMP", "board"])).chunks;
    for chunk in league.iter().chain(&board) {
        assert!(err(&mut con, &piece("board", chunk)).starts_with("WRONGTYPE"));
        let other: Words = vec![b"LB.RESTORE".to_vec(), b"small".to_vec(), chunk.clone()];
        assert!(err(&mut con, &other).starts_with("WRONGTYPE"));
    }
}
