//! Tests that replicas have the same boards, and that they work with them after they become primaries.

use std::fs::{self, File};
use std::io::Write;

use leaderboard_testkit::session::{play, say, words};
use leaderboard_testkit::{Flavor, Server, digest, info, query, wait_for_sync};
use redis::Connection;

const BOARDS: [&str; 5] = ["board", "late", "event", "last", "emptied"];

/// Writes of each kind. A test sends the requests again after them.
const SESSION: &str = "LB.CREATE board DECIMALS 2 DEDUP 3600
    LB.ADD board 5.25 ann ID one
    LB.MADD board ID two 1 ann 1 bob 1 cat
    LB.SET board 3 bob NX ID held
    LB.SET board 3 bob XX GT ID three
    LB.SETMETA board ann \\x00\\xff
    LB.REM board cat
    LB.ADD late 5 ann ID one AT 1000
    LB.ADD late 5 bob AT 500
    LB.SET late 5 cat AT 700
    LB.CREATE event CLOCK EVENT TIES LAST
    LB.ADD event 5 ann AT 4102444800000 ID one
    LB.ADD event 5 bob AT 1000 ID two
    LB.SET event 5 cat AT 4102444700000 ID three
    LB.CREATE last AGGREGATE LAST CLOCK EVENT ORDER ASC
    LB.ADD last 5 ann AT 2000
    LB.ADD last 5 ann AT 3000
    LB.ADD last 4 ann AT 2500
    LB.ADD emptied 5 ann
    LB.REM emptied ann
    LB.ALTER emptied DEDUP 5";

const REPEATS: &str = r#"LB.ADD board 5.25 ann ID one => ["6.25" 1 0]
    LB.MADD board ID two 1 ann 1 bob 1 cat => [["6.25" 1 0] ["3" 2 0] [nil nil 0]]
    LB.SET board 3 bob XX GT ID three => ["3" 2 0]
    LB.ADD board 6 ann ID one => IDREUSED request id was used for a different write
    LB.ADD late 5 ann ID one => [5 3 0]
    LB.ADD event 5 ann AT 4102444800000 ID one => [5 1 0]
    LB.ADD event 5 bob AT 1000 ID two => [5 3 0]
    LB.SET event 5 cat AT 4102444700000 ID three => [5 2 0]"#;

fn digests(server: &Server) -> [String; 5] {
    let mut con = server.connection();
    BOARDS.map(|board| digest(&mut con, board))
}

fn promote(replica: &Server) -> Connection {
    let mut con = replica.connection();
    play(&mut con, "REPLICAOF NO ONE => OK");
    con
}

#[test]
fn a_replica_holds_the_same_boards() {
    for flavor in Flavor::all() {
        let (primary, replica) = (Server::start(flavor), Server::start(flavor));
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        play(&mut primary.connection(), SESSION);
        wait_for_sync(&primary, &replica);
        assert_eq!(digests(&replica), digests(&primary), "{flavor:?} by the stream");
        let late = Server::start(flavor);
        late.replica_of(&primary);
        wait_for_sync(&primary, &late);
        assert_eq!(digests(&late), digests(&primary), "{flavor:?} by a full sync");
        play(&mut primary.connection(), "LB.ADD board 1 dan\nLB.REM late bob\nLB.ADD event 7 dan AT 2000");
        for replica in [&replica, &late] {
            wait_for_sync(&primary, replica);
            assert_eq!(digests(replica), digests(&primary), "{flavor:?}");
        }
    }
}

#[test]
fn a_promoted_replica_ignores_retries() {
    for flavor in Flavor::all() {
        let (primary, by_stream, by_sync) =
            (Server::start(flavor), Server::start(flavor), Server::start(flavor));
        by_stream.replica_of(&primary);
        wait_for_sync(&primary, &by_stream);
        play(&mut primary.connection(), SESSION);
        by_sync.replica_of(&primary);
        for replica in [&by_stream, &by_sync] {
            wait_for_sync(&primary, replica);
            let mut con = promote(replica);
            let before = digests(replica);
            play(&mut con, REPEATS);
            assert_eq!(digests(replica), before, "{flavor:?}");
            play(&mut con, "LB.ADD board 1 bob => [\"4\" 2 1]");
        }
    }
}

#[test]
fn a_replica_counts_in_info_as_its_primary_does() {
    let (primary, replica) = (Server::start(Flavor::Redis70), Server::start(Flavor::Redis70));
    play(&mut primary.connection(), "LB.MADD before 5 ann 6 bob");
    replica.replica_of(&primary);
    wait_for_sync(&primary, &replica);
    play(&mut primary.connection(), "LB.REM before bob\nLB.CREATE board\nLB.ADD board 5 ann");
    wait_for_sync(&primary, &replica);
    for field in ["leaderboard_boards", "leaderboard_members"] {
        assert_eq!(info(&mut replica.connection(), "leaderboard", field), "2", "{field}");
    }
}

#[test]
fn a_replica_refuses_writes_and_answers_reads() {
    let (primary, replica) = (Server::start(Flavor::Redis70), Server::start(Flavor::Redis70));
    play(&mut primary.connection(), "LB.ADD board 5 ann");
    replica.replica_of(&primary);
    wait_for_sync(&primary, &replica);
    play(
        &mut replica.connection(),
        "LB.RANK board ann => 1
         LB.ADD board 5 ann => READONLY You can't write against a read only replica.
         LB.REM board ann => READONLY You can't write against a read only replica.",
    );
}

#[test]
fn a_primary_that_a_replica_becomes_again_catches_up() {
    let (first, second) = (Server::start(Flavor::Redis70), Server::start(Flavor::Redis70));
    second.replica_of(&first);
    play(&mut first.connection(), SESSION);
    wait_for_sync(&first, &second);
    let mut con = promote(&second);
    play(&mut con, "LB.ADD board 5 ann ID four\nLB.ADD late 5 ann AT 100 ID two");
    first.replica_of(&second);
    wait_for_sync(&second, &first);
    assert_eq!(digests(&first), digests(&second));
    let mut con = promote(&first);
    play(
        &mut con,
        REPEATS.lines().next().map(|line| line.replace("6.25", "11.25")).as_deref().expect("a line"),
    );
    play(&mut con, "LB.ADD board 5 ann ID four => [\"11.25\" 1 0]");
}

/// Appends commands to the append-only file of a stopped server, as a primary with another clock writes them.
pub fn append(server: &Server, lines: &str) {
    let directory = server.dir().join("appendonlydir");
    let files = fs::read_dir(directory).expect("files").map(|file| file.expect("a file").path());
    let last = files.filter(|path| path.to_string_lossy().ends_with(".incr.aof")).max().expect("a file");
    let mut file = File::options().append(true).open(last).expect("a file to append to");
    for line in lines.lines() {
        let mut command = redis::Cmd::new();
        words(line).into_iter().for_each(|word| {
            command.arg(word);
        });
        file.write_all(&command.get_packed_command()).expect("a command written");
    }
}

/// Starts a server whose boards were written by a server whose clock differed by `offset` ms.
fn written_by_another_clock(offset: i64) -> Server {
    let mut server = Server::builder(Flavor::Redis70).arg("appendonly", "yes").start();
    let [seconds, _]: [i64; 2] = query(&mut server.connection(), &["TIME"]);
    let now = seconds * 1000 + offset;
    play(&mut server.connection(), "PING");
    server.shutdown("NOSAVE");
    append(
        &server,
        &format!(
            "SELECT 0
             LB.CREATE board DEDUP 3600
             LB.ADD board 5 ann ID one AT {now}
             LB.ADD board 5 bob ID two AT 1000 NOW {}
             LB.MADD board ID three AT {} 5 cat",
            now + 1,
            now + 2
        ),
    );
    server.start_again();
    server
}

#[test]
fn a_retry_is_ignored_whatever_clock_the_primary_had() {
    const HOUR: i64 = 3_600_000;
    for offset in [HOUR / 2, -HOUR / 2, 24 * HOUR, 10_000] {
        let primary = written_by_another_clock(offset);
        let replica = Server::start(Flavor::Redis70);
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        assert_eq!(
            digest(&mut replica.connection(), "board"),
            digest(&mut primary.connection(), "board"),
            "{offset}"
        );
        let retries = "LB.ADD board 5 ann ID one => [5 2 0]
                       LB.ADD board 5 bob ID two => [5 1 0]
                       LB.MADD board ID three 5 cat => [[5 3 0]]";
        let mut con = promote(&replica);
        play(&mut con, retries);
        play(&mut con, "LB.ADD board 1 dan ID four => [1 4 1]\nLB.ADD board 1 dan ID four => [1 4 0]");
        play(&mut con, retries);
        assert_eq!(say(&mut con, "LB.COUNT board"), "4", "{offset}");
    }
}
