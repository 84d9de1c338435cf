//! Tests of invalid arguments. Each command is refused, with the exact text if the documentation promises one, and
//! nothing has changed.

use leaderboard_testkit::session::{self, play};
use leaderboard_testkit::{Flavor, ReplicationStream};
use redis::Connection;

use super::{in_each_server, refuses, say_words, state};

const SETUP: &str = "LB.CREATE board VIEWS day,all CLOCK EVENT RETAIN 2
    LB.ADD board 5 ann AT 1000
    LB.ADD other 7 bob
    LB.CREATE fresh
    ZADD zset 5 ann 6 bob
    LB.ADD dest 1 zoe
    SET text value";
const KEYS: [&str; 7] = ["board", "other", "fresh", "zset", "dest", "text", "absent"];

/// Runs lines that each contain a command and its error. Without an error in the line, any error is accepted.
#[track_caller]
fn all_refused(con: &mut Connection, lines: &str) {
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once(" => ") {
            Some((command, error)) => refuses(con, &KEYS, &session::words(command), &format!("ERR {error}")),
            None => refuses_somehow(con, line),
        }
    }
}

/// Checks whether the error is about the number of arguments. Redis 6.2 does not count arguments; there, the error
/// says that the list of keys is not complete.
fn counted_by_the_server(line: &str) -> bool {
    line.contains("wrong number of arguments")
}

#[track_caller]
fn refuses_somehow(con: &mut Connection, line: &str) {
    let before = state(con, &KEYS);
    let reply = say_words(con, &session::words(line));
    println!("{line} => {reply}");
    assert!(reply.starts_with("ERR ") && reply.len() < 300, "{line}: {reply}");
    assert!(state(con, &KEYS) == before, "{line} has changed something");
}

const IMPORTS: &str = "LB.IMPORT KEY zset MERGE NX => options MERGE and NX exclude each other
    LB.IMPORT KEY zset NX ROUND MERGE => options MERGE and NX exclude each other
    LB.IMPORT KEY zset MERGE merge => option MERGE is given twice
    LB.IMPORT KEY zset NX NX => option NX is given twice
    LB.IMPORT KEY zset ROUND ROUND => option ROUND is given twice
    LB.IMPORT KEY zset AT 5 AT 5 => option AT is given twice
    LB.IMPORT KEY zset AT => option AT needs a value
    LB.IMPORT KEY zset AT 5.5 => AT is not a whole number
    LB.IMPORT KEY zset AT -1 => AT is out of range
    LB.IMPORT KEY zset FOO => unknown option 'FOO'
    LB.IMPORT KEY zset XX => unknown option 'XX'
    LB.IMPORT KEY zset <0> => unknown option ''
    LB.IMPORT KEY zset <300> => unknown option 'mmmmmmmmmmmmmmmmmmmmmmmm...'
    LB.IMPORT KEY zset NOW 5 => unknown option 'NOW'
    LB.IMPORT KEY zset MERGE AT 5 NOW 5 => unknown option 'NOW'
    LB.IMPORT KEY zset ID one => unknown option 'ID'
    LB.IMPORT KEY zset VIEW all => unknown option 'VIEW'
    LB.IMPORT KEY zset zset => unknown option 'zset'
    LB.IMPORT KEY zset COUNT 5
    LB.IMPORT KEY zset MERGE AT 5 COUNT 5 ROUND
    LB.IMPORT KEY zset CURSOR => option CURSOR needs a value
    LB.IMPORT KEY zset CURSOR 0 CURSOR 0 => option CURSOR is given twice
    LB.IMPORT KEY zset CURSOR 0 COUNT => option COUNT needs a value
    LB.IMPORT KEY zset CURSOR 0 COUNT 5 COUNT 5 => option COUNT is given twice
    LB.IMPORT KEY zset CURSOR 0 COUNT 0 => COUNT is out of range
    LB.IMPORT KEY zset CURSOR 0 COUNT -1 => COUNT is out of range
    LB.IMPORT KEY zset CURSOR 0 COUNT 9223372036854775808 => COUNT is out of range
    LB.IMPORT KEY zset CURSOR 0 COUNT many => COUNT is not a whole number
    LB.IMPORT KEY zset CURSOR 0 COUNT 1.5 => COUNT is not a whole number
    LB.IMPORT KEY zset CURSOR nonsense => CURSOR is not a cursor of LB.IMPORT
    LB.IMPORT KEY => wrong number of arguments for 'LB.IMPORT' command
    LB.IMPORT => wrong number of arguments for 'LB.IMPORT' command";

#[test]
fn arguments_of_an_import_are_checked() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, SETUP);
        let mut stream = ReplicationStream::of(server);
        for key in ["other", "fresh", "absent"] {
            all_refused(&mut con, &IMPORTS.replace("KEY", key));
        }
        assert!(stream.take().is_empty(), "errors were replicated");
    });
}

const UNIONS: &str = "COMMAND DEST 0 board
    COMMAND DEST 0
    COMMAND DEST -1 board
    COMMAND DEST x board
    COMMAND DEST 1.5 board
    COMMAND DEST <0> board
    COMMAND DEST 2 board
    COMMAND DEST 3 board other
    COMMAND DEST 99999999999999999999 board
    COMMAND DEST 9223372036854775807 board
    COMMAND DEST 4294967297 board
    COMMAND DEST 1 board board
    COMMAND DEST 1 board FOO => unknown option 'FOO'
    COMMAND DEST 1 board <300> => unknown option 'mmmmmmmmmmmmmmmmmmmmmmmm...'
    COMMAND DEST 1 board WITHSCORES => unknown option 'WITHSCORES'
    COMMAND DEST 1 board COUNT 5 => unknown option 'COUNT'
    COMMAND DEST 1 board REAL REAL => option REAL is given twice
    COMMAND DEST 1 board AGGREGATE => option AGGREGATE needs a value
    COMMAND DEST 1 board AGGREGATE AVG => AGGREGATE must be one of SUM, MIN, MAX
    COMMAND DEST 1 board AGGREGATE LAST => AGGREGATE must be one of SUM, MIN, MAX
    COMMAND DEST 1 board AGGREGATE SUM AGGREGATE MAX => option AGGREGATE is given twice
    COMMAND DEST 1 board WEIGHTS
    COMMAND DEST 2 board other WEIGHTS 1
    COMMAND DEST 2 board other WEIGHTS 1 AGGREGATE SUM
    COMMAND DEST 1 board WEIGHTS 1 2
    COMMAND DEST 1 board WEIGHTS x
    COMMAND DEST 1 board WEIGHTS 1e5
    COMMAND DEST 1 board WEIGHTS inf
    COMMAND DEST 1 board WEIGHTS nan
    COMMAND DEST 1 board WEIGHTS <0>
    COMMAND DEST 1 board WEIGHTS +1
    COMMAND DEST 1 board WEIGHTS .5
    COMMAND DEST 1 board WEIGHTS 1.
    COMMAND DEST 1 board WEIGHTS 0.0000000001
    COMMAND DEST 1 board WEIGHTS 99999999999999999999999999999
    COMMAND DEST 1 board WEIGHTS 1 WEIGHTS 1
    COMMAND DEST 1 board VIEW => option VIEW needs a value
    COMMAND DEST 1 board VIEW all VIEW all => option VIEW is given twice
    COMMAND DEST 1 board VIEW week => VIEW 'week' is not a view of this board
    COMMAND DEST 1 board VIEW nonsense => VIEW 'nonsense' is not a view of this board
    COMMAND DEST 2 other board VIEW day => VIEW 'day' is not a view of this board
    COMMAND DEST 2 other board VIEW day,all => VIEW 'day' is not a view of this board
    COMMAND DEST 2 other board VIEW all,week => VIEW 'week' is not a view of this board
    COMMAND DEST 3 board board board VIEW all,day
    COMMAND DEST 1 board VIEW all,day
    COMMAND DEST 2 board board VIEW all,day,all
    COMMAND DEST 2 board board VIEW all,
    COMMAND DEST 2 board board VIEW ,all
    COMMAND DEST 1 board PERIOD => option PERIOD needs a value
    COMMAND DEST 1 board PERIOD 0 PERIOD 0 => option PERIOD is given twice
    COMMAND DEST 1 board PERIOD 0 AT 5 => options PERIOD and AT exclude each other
    COMMAND DEST 1 board AT 5 REAL PERIOD 0 => options PERIOD and AT exclude each other
    COMMAND DEST 3 board board board PERIOD 0,-1
    COMMAND DEST 1 board PERIOD 0,-1
    COMMAND DEST 2 board board PERIOD 0,
    COMMAND DEST 1 board PERIOD 01
    COMMAND DEST 1 board PERIOD yesterday
    COMMAND DEST 1 board PERIOD 2019-W12
    COMMAND DEST 2 board board PERIOD 0,yesterday
    COMMAND DEST 1 board AT => option AT needs a value
    COMMAND DEST 1 board AT noon => AT is not a whole number
    COMMAND DEST 1 board AT -1 => AT is out of range
    COMMAND DEST 1 board AT 5,6
    COMMAND DEST 1 => wrong number of arguments for 'COMMAND' command
    COMMAND DEST => wrong number of arguments for 'COMMAND' command";

#[test]
fn arguments_of_unions_and_intersections_are_checked() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, SETUP);
        let mut stream = ReplicationStream::of(server);
        for command in ["LB.UNION", "LB.INTER"] {
            for dest in ["dest", "absent", "board"] {
                let lines = UNIONS.replace("COMMAND", command).replace("DEST", dest);
                let counts = server.flavor() != Flavor::Redis62;
                let lines = lines.lines().filter(|line| counts || !counted_by_the_server(line));
                all_refused(&mut con, &lines.collect::<Vec<_>>().join("\n"));
            }
        }
        assert!(stream.take().is_empty(), "errors were replicated");
    });
}

#[test]
fn options_come_in_any_order_and_case() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, SETUP);
        play(
            &mut con,
            r#"lb.union dest 2 board other weights 2 3 view all aggregate max real at 1000 => 2
               LB.TOP dest 9 => [[1 "bob" 21] [2 "ann" 10]]
               LB.UNION dest 2 board other REAL PERIOD 0 AGGREGATE Sum VIEW ALL WEIGHTS 1 -1 => 2
               LB.TOP dest 9 => [[1 "ann" 5] [2 "bob" -7]]
               LB.UNION dest 2 board zset VIEW Day,all WEIGHTS 1 1 PERIOD 0,0 => 2
               LB.TOP dest 9 => [[1 "ann" 10] [2 "bob" 6]]
               Lb.Inter dest 2 board zset => 1
               LB.UNION dest 1 WEIGHTS => 0
               LB.UNION dest 2 VIEW board WEIGHTS 1 1 => 1"#,
        );
    });
}
