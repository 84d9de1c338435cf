//! Tests of the option PARTS of writes.

use leaderboard_testkit::session::{coded, play, say};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, digest};

use super::{PART, ROOT, plays};
use crate::replication::stream::Watched;

/// Returns each write that has the option, on a key and for a number of parts.
fn writes(key: &str, parts: &str) -> Vec<String> {
    [
        "LB.ADD key 1 ann PARTS n",
        "LB.ADD key 1 ann ID same PARTS n AT 5",
        "LB.ROLLADD key 1 ann PARTS n",
        "LB.MADD key PARTS n 1 ann 1 cat",
        "LB.MADD key PARTS n ID x 1 ann 2 ann",
        "LB.SET key 1 ann PARTS n",
        "LB.MSET key PARTS n 1 ann",
        "LB.VOTE key 1 ann PARTS n",
        "LB.MVOTE key PARTS n 1 ann",
        "LB.SETMETA key ann text PARTS n",
        "LB.OPTION key ann PARTS n",
        "LB.REMRANGEBYSCORE key 1 2 PARTS n",
    ]
    .map(|form| form.replace("key", key).replace(" n", &format!(" {parts}")))
    .into()
}

#[test]
fn nothing_is_made_where_there_is_no_part() {
    for flavor in Flavor::all() {
        let server = Server::builder(flavor).start();
        let mut con = server.connection();
        play(&mut con, &format!("{PART}\n{ROOT}\nLB.CREATE whole\nSET text x"));
        let keys = ["part", "root", "whole"];
        let (before, mut stream) = (keys.map(|key| digest(&mut con, key)), ReplicationStream::of(&server));
        let refused = [
            ("absent", "4", "NOPART the key is no part of 4"),
            ("absent", "1024", "NOPART the key is no part of 1024"),
            ("whole", "4", "NOPART the key is no part of 4"),
            ("part", "8", "NOPART the key is no part of 8"),
            ("root", "4", "ERR spread over 4 parts: use a gateway or LB.INFO"),
            ("text", "4", "WRONGTYPE Operation against a key holding the wrong kind of value"),
        ];
        for (key, parts, error) in refused {
            for write in writes(key, parts) {
                assert_eq!(say(&mut con, &write), error, "{flavor:?}: {write}");
            }
        }
        play(&mut con, "EXISTS absent => 0");
        assert_eq!(keys.map(|key| digest(&mut con, key)), before);
        assert_eq!(stream.take(), Vec::<String>::new());
    }
}

#[test]
fn a_server_that_makes_no_boards_says_that_there_is_no_part() {
    let server = Server::builder(Flavor::Redis70).module_args(&["auto-create", "no"]).start();
    let mut con = server.connection();
    play(&mut con, "LB.ADD absent 1 ann => NOBOARD the board does not exist");
    play(&mut con, "LB.ADD absent 1 ann PARTS 4 => NOPART the key is no part of 4");
}

#[test]
fn the_part_itself_is_written_to() {
    plays(&format!(
        "{PART}
         LB.ALTER part VIEWS +day:7
         LB.ADD part 1 ann PARTS 4 => [8 1 1]
         LB.ROLLADD part 1 ann PARTS 4 => [2 1 1]
         LB.MADD part PARTS 4 1 ann 1 cat => [[10 1 1] [6 2 1]]
         LB.MADD part ID x PARTS 4 1 ann => [[11 1 1]]
         LB.SET part 8 cat PARTS 4 WITHCHANGE => [8 2 1 6 2]
         LB.MSET part parts 4 9 cat => [[9 2 1]]
         LB.VOTE part 1 cat PARTS 4 => [1 [[10 2 1]]]
         LB.MVOTE part PARTS 4 1 cat => [1 [[11 2 1]]]
         LB.SETMETA part cat text PARTS 4 => OK
         LB.GETMETA part cat => \"text\"
         LB.OPTION part cat PARTS 4 META other => OK
         LB.GETMETA part cat => \"other\"
         LB.REMRANGEBYSCORE part 11 11 PARTS 4 => 2"
    ));
}

#[test]
fn wrong_numbers_are_refused() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, PART);
    let power = "PARTS must be a power of two, 2 to 1024";
    for (number, error) in [
        ("3", power),
        ("0", power),
        ("2048", power),
        ("65540", power),
        ("-4", "PARTS is out of range"),
        ("99999999999999999999999", "PARTS is out of range"),
        ("x", "PARTS is not a whole number"),
        ("4 PARTS 4", "option PARTS is given twice"),
    ] {
        for write in writes("part", number) {
            assert_eq!(say(&mut con, &write), coded(error), "{write}");
        }
    }
    for write in writes("part", "1") {
        assert_eq!(say(&mut con, &write), "NOPART the key holds no whole board", "{write}");
    }
    play(&mut con, "LB.ADD part 1 ann PARTS => ERR option PARTS needs a value");
}

/// Checks that commands without options before their list accept a member with the name of the option.
#[test]
fn a_member_can_have_the_name_of_the_option() {
    plays(
        "LB.MADD whole 1 PARTS 1 4
         LB.HIDE whole PARTS 4 => 2
         LB.UNHIDE whole PARTS 4 => 2
         LB.REM whole PARTS 4 => 2",
    );
}

#[test]
fn replicas_are_not_sent_the_option() {
    for flavor in Flavor::all() {
        Watched::start(flavor).sends(&[
            ("LB.CREATE part VIEWS day:7 PART 0 OF 4", &["LB.CREATE part VIEWS day:7 PART 0 OF 4"]),
            ("LB.ADD part 1 ann PARTS 4 ID x", &["LB.ADD part 1 ann ID x AT now"]),
            ("LB.ROLLADD part 1 ann PARTS 4", &["LB.ROLLADD part 1 ann AT now"]),
            ("LB.MADD part PARTS 4 1 ann 2 cat", &["LB.MADD part AT now 1 ann 2 cat"]),
            ("LB.SET part 1 ann PARTS 4", &["LB.SET part 1 ann AT now"]),
            ("LB.MSET part PARTS 4 1 ann", &["LB.MSET part AT now 1 ann"]),
            ("LB.VOTE part 1 ann parts 4", &["LB.VOTE part 1 ann AT now"]),
            ("LB.MVOTE part PARTS 4 1 ann", &["LB.MVOTE part AT now 1 ann"]),
            ("LB.SETMETA part ann text PARTS 4", &["LB.SETMETA part ann text"]),
            ("LB.SETMETA part ann PARTS", &["LB.SETMETA part ann PARTS"]),
            ("LB.OPTION part ann PARTS 4 META x", &["LB.OPTION part ann META x NOW now"]),
            ("LB.OPTION part ann META PARTS PARTS 4", &["LB.OPTION part ann META PARTS NOW now"]),
            ("LB.REMRANGEBYSCORE part 3 3 PARTS 4", &["LB.REM part NOW now ann"]),
        ]);
    }
}
