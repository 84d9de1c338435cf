//! An append-only file that ends in the middle of a transaction, as after a crash. The servers drop the transaction, but leave its whole
//! commands in the file, so these are applied when the file is loaded once more.

use std::fs::File;

use leaderboard_testkit::session::words;
use leaderboard_testkit::{Flavor, Server, pipeline, query, run};
use redis::Connection;

const WRITES: [&str; 5] = [
    "LB.ADD board 5 ann ID r",
    "LB.MADD list ID r 5 ann 7 bob",
    "LB.VOTE votes 1 ann BY voter ID r",
    "LB.COUNTER.INCR counter BY 3 ID r",
    "LB.LEAGUE.ADD league 4 ann ID r",
];
const READS: [&str; 5] = [
    "LB.SCORE board ann",
    "LB.SCORE list bob",
    "LB.SCORE votes ann",
    "LB.COUNTER.INCR counter BY 0",
    "LB.LEAGUE.STANDING league ann",
];

fn make(con: &mut Connection) {
    for line in [
        "LB.CREATE votes LIMIT daily voter 9 day",
        "LB.LEAGUE.CREATE league TIERS t PROMOTE 0 DEMOTE 0 CYCLE week",
        "LB.LEAGUE.JOIN league ann",
    ] {
        run(con, &words(line));
    }
}

/// Makes all writes in one transaction.
fn write(con: &mut Connection) {
    let all = ["MULTI"].into_iter().chain(WRITES).chain(["EXEC"]);
    let replies = pipeline(con, &all.map(words).collect::<Vec<_>>());
    assert!(replies.iter().all(Result::is_ok), "{replies:?}");
}

fn sums(con: &mut Connection) -> Vec<String> {
    let reply = |line: &str| format!("{:?}", query::<redis::Value, _>(con, &words(line)));
    READS.map(reply).to_vec()
}

#[test]
fn what_a_server_leaves_of_a_torn_transaction_and_its_repeat_count_once() {
    for flavor in Flavor::all() {
        let builder = Server::builder(flavor).arg("appendonly", "yes").arg("appendfsync", "always");
        let mut server = builder.arg("aof-use-rdb-preamble", "no").start();
        let con = &mut server.connection();
        make(con);
        let before = sums(con);
        write(con);
        let path = server.append_only_file();
        let whole = std::fs::read(&path).unwrap();
        let end = whole.windows(4).rposition(|bytes| bytes == b"EXEC").unwrap();
        let after = sums(con);
        assert!(before.iter().zip(&after).all(|(before, after)| before != after), "{after:?}");
        server.kill9();
        File::options().write(true).open(&path).unwrap().set_len(end as u64 + 2).unwrap();
        server.start_again();
        assert_eq!(sums(&mut server.connection()), before, "{flavor:?}");
        write(&mut server.connection());
        assert_eq!(sums(&mut server.connection()), after, "{flavor:?}");
        server.kill9();
        server.start_again();
        assert_eq!(sums(&mut server.connection()), after, "{flavor:?}");
    }
}
