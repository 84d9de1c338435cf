//! LB.COUNTER.RESTORE, piece by piece: an append-only file calls it, and so can anybody.

use leaderboard_testkit::session::words;
use leaderboard_testkit::{Flavor, Words, digest, err, query, run};

use super::corruption::made;
use super::kinds::KINDS;
use crate::corruption::payload::Payload;
use crate::corruption::server;

pub fn piece(key: &str, chunk: &[u8]) -> Words {
    vec![b"LB.COUNTER.RESTORE".to_vec(), key.into(), chunk.to_vec()]
}

#[test]
fn pieces_in_their_order_build_a_counter_and_it_takes_no_commands_before_the_last() {
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
                    "INCR again AT 5",
                    "INCR again BY 0 ID x AT 5",
                    "ALTER again SAMPLES 5",
                    "INFO again",
                    "GET again 60",
                    "MGET 60 FILL KEYS 2 again again",
                ] {
                    let text = err(&mut con, &words(&format!("LB.COUNTER.{line}")));
                    assert_eq!(
                        text,
                        "LOADING the key is being restored, and takes no commands until that is done"
                    );
                }
                assert_eq!(digest(&mut con, "again"), before, "{kind}");
            }
            run(&mut con, &piece("again", end));
            assert_eq!(digest(&mut con, "again"), digest(&mut con, kind), "{flavor:?}: {kind}");
            let dumps = ["again", kind].map(|key| query::<Vec<u8>, _>(&mut con, &["DUMP", key]));
            assert!(dumps[0] == dumps[1], "{flavor:?}: {kind}");
            run(&mut con, &["DEL", "again"]);
        }
    }
}

#[test]
fn pieces_of_other_types_are_told_apart() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let counter = Payload::parse(&made(&mut con, "small")).chunks;
    run(&mut con, &words("LB.ADD board 5 ann"));
    run(&mut con, &words("LB.LEAGUE.CREATE league TIERS a PROMOTE 0 DEMOTE 0 CYCLE day"));
    let others =
        ["board", "league"].map(|key| Payload::parse(&query::<Vec<u8>, _>(&mut con, &["DUMP", key])).chunks);
    for (key, command) in [("board", "LB.RESTORE"), ("league", "LB.LEAGUE.RESTORE")] {
        for chunk in counter.iter().chain(others.iter().flatten()) {
            assert!(err(&mut con, &piece(key, chunk)).starts_with("WRONGTYPE"));
            let other: Words = vec![command.into(), b"small".to_vec(), chunk.clone()];
            assert!(err(&mut con, &other).starts_with("WRONGTYPE"));
        }
    }
}
