//! Tests of refused commands: the error names each wrong argument, and the command has changed nothing.

mod accepted;
mod counted;
mod lists;
mod options;
mod values;

use leaderboard_testkit::session::{coded, play, say};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, info, query};
use redis::Connection;

/// A server with boards of several kinds and a key of another type. It observes everything that a command could
/// change.
pub struct Guarded {
    pub con: Connection,
    stream: ReplicationStream,
    server: Server,
}

const BOARDS: [&str; 6] = ["board", "cents", "event", "full", "worst", "asked"];

impl Guarded {
    pub fn start() -> Guarded {
        Guarded::of(Flavor::Redis70)
    }

    fn of(flavor: Flavor) -> Guarded {
        let server = Server::builder(flavor).arg("repl-ping-replica-period", "3600").start();
        let mut con = server.connection();
        play(
            &mut con,
            "SET text value
             LB.CREATE board SEGMENTS 5
             LB.ADD board 5 ann AT 1000
             LB.CREATE cents DECIMALS 2
             LB.ADD cents 1.25 ann
             LB.CREATE event CLOCK EVENT
             LB.ADD event 5 ann AT 1000
             LB.ADD full 9223372036854775807 ann
             LB.ADD worst -9223372036854775807 ann
             LB.ADD asked 5 ann ID request",
        );
        let stream = ReplicationStream::of(&server);
        Guarded { con, stream, server }
    }

    /// Runs lines that each contain a command and its error. `KEY` is replaced first by a board, then by an absent
    /// key.
    pub fn refuses(&mut self, lines: &str) {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (command, error) = line.split_once(" => ").expect("a command and its error");
            for key in if line.contains("KEY") { &["board", "absent"][..] } else { &[""] } {
                self.refuses_one(&command.replace("KEY", key), error);
            }
        }
        assert!(self.stream.take().is_empty(), "errors were replicated");
    }

    #[track_caller]
    fn refuses_one(&mut self, command: &str, error: &str) {
        let before = self.state();
        assert_eq!(say(&mut self.con, command), coded(error), "{command}");
        assert_eq!(self.state(), before, "{command} has changed something");
    }

    fn state(&mut self) -> (Vec<String>, u64, [String; 2]) {
        let mut digests = vec!["DEBUG", "DIGEST-VALUE"];
        digests.extend(BOARDS);
        (
            query(&mut self.con, &digests),
            query(&mut self.con, &["DBSIZE"]),
            [
                info(&mut self.con, "persistence", "rdb_changes_since_last_save"),
                info(&mut self.con, "replication", "master_repl_offset"),
            ],
        )
    }
}
