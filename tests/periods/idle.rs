//! Tests of boards without a command for a long time: stopped servers, copies that no client read, and clocks that
//! were corrected.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, Words, digest, query, run, wait_until};
use redis::Connection;

use super::dated;
use crate::replication::failover::append;

/// Starts a server that ran these commands long ago, at the moments that the commands contain, and was stopped since
/// then.
pub fn stopped_since(flavor: Flavor, lines: &str) -> Server {
    let mut server = Server::builder(flavor).arg("appendonly", "yes").start();
    server.shutdown("NOSAVE");
    append(&server, &dated(&format!("SELECT 0\n{lines}")));
    server.start_again();
    server
}

const MARCH: &str = "LB.CREATE board VIEWS month,all,day:7,week RETAIN month=10000,week=0 CARRY week=1
    LB.ADD board 5 ann AT @2019-03-18
    LB.MADD board AT @2019-03-19 4 bob 9 cat
    LB.ADD board 3 bob AT @2019-03-18T10:00 NOW @2019-03-19
    LB.SETMETA board ann Spain";

/// The replies that the board must give years later, whatever happened before.
const LATER: &str = r#"LB.TOP board 9 => []
    LB.TOP board 9 VIEW day:7 => []
    LB.TOP board 9 VIEW day:7 PERIOD -1 => []
    LB.TOP board 9 VIEW week => []
    LB.TOP board 9 VIEW all WITHMETA => [[1 "cat" 9 nil] [2 "bob" 7 nil] [3 "ann" 5 "Spain"]]
    LB.TOP board 9 PERIOD 2019-03 => [[1 "cat" 9] [2 "bob" 7] [3 "ann" 5]]
    LB.TOP board 9 VIEW week PERIOD 2019-W12 => []
    LB.RANK board bob AT @2019-03-31 => 2
    LB.COUNT board PERIOD -1 => 0
    LB.MSCORE board MEMBERS 2 ann bob => [nil nil]"#;

#[test]
fn a_board_saved_in_march_shows_the_present_when_it_is_loaded() {
    for flavor in [Flavor::Redis70, Flavor::Valkey91] {
        let mut server = stopped_since(flavor, MARCH);
        let mut con = server.connection();
        let dump: Vec<u8> = query(&mut con, &["DUMP", "board"]);
        play(&mut con, "COPY board copy => 1");
        play(&mut con, &dated(LATER));
        let read = digest(&mut con, "board");
        assert_eq!(digest(&mut con, "copy"), read, "a copy that was not read");
        play(&mut con, "DEL board");
        let restore: Words = vec![b"RESTORE".to_vec(), b"board".to_vec(), b"0".to_vec(), dump];
        run(&mut con, &restore);
        play(&mut con, &dated(LATER));
        assert_eq!(digest(&mut con, "board"), read, "a dump of March");
        server.restart();
        let mut con = server.connection();
        play(&mut con, &dated(LATER));
        assert_eq!(digest(&mut con, "copy"), read, "a snapshot");
        play(&mut con, "LB.ADD copy 2 ann => [2 1 1]\nLB.TOP copy 9 VIEW week => [[1 \"ann\" 2]]");
    }
}

#[test]
fn a_write_comes_to_the_present_first() {
    let server = stopped_since(Flavor::Redis70, MARCH);
    let mut con = server.connection();
    play(
        &mut con,
        "COPY board late
         LB.ADD board 2 ann WITHCHANGE => [2 1 1 nil nil]
         LB.SET board 5 bob VIEW day:7 WITHCHANGE => [5 1 1 nil nil]
         LB.SCORE board bob VIEW all => 12
         LB.ALTER late VIEWS -day:7 => OK",
    );
    play(&mut con, "LB.TOP late 9 => []");
    play(&mut con, &dated("LB.ADD late 7 ann AT @2019-03-20 => [nil nil 1]"));
    play(&mut con, "LB.SCORE late ann VIEW all => 12\nLB.TOP late 1 PERIOD 2019-03 => [[1 \"cat\" 9]]");
}

/// A view with a period of ten years that ends at the end of 2029. The writes are before and after this moment.
const AHEAD: &str = "LB.CREATE board VIEWS 315360000s,all,315360000s:2 RETAIN 2 CARRY 315360000s=0.5
    LB.MADD board AT @2024-03-18 2 ann 4 bob 1 cat
    LB.MADD board AT @2031-03-18 9 dan 9 ann";

#[test]
fn a_clock_that_is_put_right_takes_its_periods_along() {
    let server = stopped_since(Flavor::Redis70, AHEAD);
    play(
        &mut server.connection(),
        r#"LB.TOP board 9 => [[1 "bob" 4] [2 "ann" 2] [3 "cat" 1]]
           LB.TOP board 9 VIEW 315360000s:2 => [[1 "bob" 4] [2 "ann" 2] [3 "cat" 1]]
           LB.TOP board 9 PERIOD -1 => []
           LB.TOP board 9 VIEW all => [[1 "ann" 11] [2 "dan" 9] [3 "bob" 4] [4 "cat" 1]]
           LB.ADD board 1 ann => [3 2 1]
           DEBUG RELOAD
           LB.SCORE board ann => 3
           LB.SCORE board ann VIEW 315360000s:2 => 3
           LB.REM board ann dan => 2
           LB.TOP board 9 => [[1 "bob" 4] [2 "cat" 1]]"#,
    );
}

fn count(con: &mut Connection, period: &str) -> String {
    say(con, &format!("LB.COUNT board PERIOD {period}"))
}

#[test]
fn the_servers_clock_alone_ends_a_period() {
    let (server, replica) = (Server::start(Flavor::Redis70), Server::start(Flavor::Redis70));
    replica.replica_of(&server);
    let mut con = server.connection();
    play(&mut con, "LB.CREATE board VIEWS 1s,1s:2,all RETAIN 10000\nLB.MADD board 5 ann 4 bob");
    let [start, _]: [u64; 2] = query(&mut con, &["TIME"]);
    wait_until(|| count(&mut con, "0") == "0");
    assert_eq!(say(&mut con, "LB.COUNT board VIEW all"), "2");
    let first = format!("{}", start * 1000);
    let before = format!("{}", (start - 1) * 1000);
    let (here, there) = (count(&mut con, &first), count(&mut con, &before));
    assert!([("2", "0"), ("0", "2")].contains(&(&here, &there)), "{here} at {first}, {there} before");
    wait_until(|| say(&mut con, "LB.COUNT board VIEW 1s:2") == "0");
    wait_until(|| say(&mut replica.connection(), "LB.COUNT board VIEW 1s:2") == "0");
    assert_eq!(say(&mut replica.connection(), "LB.COUNT board VIEW all"), "2");
}
