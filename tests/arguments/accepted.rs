//! Tests of commands that look wrong but are accepted: names and ids of any bytes, and lists of any length. Also tests
//! that every command refuses a key of another type.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, query};

use super::Guarded;
use crate::docs::commands;

#[test]
fn a_key_of_another_type_is_refused_by_every_command() {
    let mut guarded = Guarded::start();
    let keys = ["text", "list", "hash", "set", "zset", "stream"];
    play(
        &mut guarded.con,
        "RPUSH list a
         HSET hash a 1
         SADD set a
         ZADD zset 1 a
         XADD stream 1-1 a 1",
    );
    guarded.stream.take();
    let before = guarded.state();
    // The keys of parts follow from the name of a board, so LB.GATHER reads other keys. The others are for a gateway.
    let others = ["LB.GATHER", "LB.PARTS", "LB.REPAIR", "LB.RESHARD"];
    let commands = commands(&guarded.server).into_iter();
    for command in commands.filter(|command| !others.contains(&command.name.as_str())) {
        let unites = ["LB.UNION", "LB.INTER"].contains(&command.name.as_str());
        for key in keys.into_iter().filter(|key| !(unites && *key == "zset")) {
            let line = command.words(key, None).join(" ");
            let error = "WRONGTYPE Operation against a key holding the wrong kind of value";
            assert_eq!(say(&mut guarded.con, &line), error, "{line}");
        }
    }
    assert_eq!(guarded.state(), before);
    assert!(guarded.stream.take().is_empty());
}

#[test]
fn reads_of_an_absent_key_make_no_key() {
    let mut guarded = Guarded::start();
    let before = guarded.state();
    for command in commands(&guarded.server) {
        if command.reads() {
            say(&mut guarded.con, &command.words("absent", None).join(" "));
        }
    }
    play(
        &mut guarded.con,
        "LB.REM absent member => 0
         LB.SETMETA absent member <0> => OK
         LB.SET absent 5 member XX => [nil nil 0]
         EXISTS absent => 0",
    );
    assert_eq!(guarded.state(), before);
    assert!(guarded.stream.take().is_empty());
}

#[test]
fn members_and_ids_of_any_bytes_are_taken_by_every_command() {
    for flavor in [Flavor::Redis62, Flavor::Redis70] {
        let server = Server::start(flavor);
        for mut con in [server.connection(), server.connection_resp3()] {
            play(
                &mut con,
                r#"DEL board
                   LB.ADD board 5 \x00\xff ID \xff\x00\x0d\x0a => [5 1 1]
                   LB.ADD board 5 \x00\xff ID \xff\x00\x0d\x0a => [5 1 0]
                   LB.ADD board 1 \x00 ID \xff\x00 => [1 2 1]
                   LB.SET board 3 \x00\x00 ID \xff => [3 2 1]
                   LB.MADD board ID \x00 1 \x00\xff 1 \x0d\x0a => [[6 1 1] [1 4 1]]
                   LB.SETMETA board \x00\xff \xfe\x00 => OK
                   LB.GETMETA board \x00\xff => "\xfe\x00"
                   LB.TOP board 2 WITHMETA => [[1 "\x00\xff" 6 "\xfe\x00"] [2 "\x00\x00" 3 nil]]
                   LB.RANGE board -1 -1 => [[4 "\r\n" 1]]
                   LB.RANGEBYSCORE board 6 6 => [[1 "\x00\xff" 6]]
                   LB.AROUND board \x00\xff 0 => [[1 "\x00\xff" 6]]
                   LB.RANK board \x00\xff => 1
                   LB.SCORE board \x00 => 1
                   LB.MSCORE board MEMBERS 2 \x00\xff \xff\x00 => [[1 6] nil]
                   LB.REM board \x00\xff \xff\x00 => 1
                   LB.RANK board \x00\xff => nil
                   PING => PONG"#,
            );
        }
    }
}

#[test]
fn the_longest_texts_are_taken() {
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        "LB.ADD board 5 <512> ID <256> => [5 1 1]
         LB.ADD board 5 <512> ID <256> => [5 1 0]
         LB.SETMETA board <512> <4096> => OK
         LB.RANK board <512> => 1
         LB.RANK board <511> => nil
         LB.CREATE long DECIMALS 9 DEDUP 315360000 => OK
         LB.CREATE short DECIMALS 0 DEDUP 0 => OK
         LB.CREATE event CLOCK EVENT => OK
         LB.ADD event 5 ann AT 253402300799999 => [5 1 1]",
    );
}

#[test]
fn numbers_are_taken_in_all_their_forms() {
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        r#"LB.SET board 9223372036854775807 max => [9223372036854775807 1 1]
           LB.SET board -9223372036854775807 min => [-9223372036854775807 2 1]
           LB.SET board 007 bond => [7 2 1]
           LB.SET board -0 zero => [0 3 1]
           LB.CREATE cents DECIMALS 2
           LB.SET cents 92233720368547758.07 max => ["92233720368547758.07" 1 1]
           LB.SET cents 1.5 m => ["1.5" 2 1]
           LB.ADD cents 0.50 m => ["2" 2 1]
           LB.ADD cents -2 m => ["0" 2 1]
           LB.ADD cents -0.01 m => ["-0.01" 2 1]"#,
    );
}

#[test]
fn a_million_members_in_one_command() {
    const MEMBERS: usize = 1_000_000;
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let mut command = redis::cmd("LB.MADD");
    command.arg("board");
    for member in 0..MEMBERS {
        command.arg(member % 1_000).arg(member);
    }
    // The reply has so many items that the client needs more time for it than the server, so the reply is skipped.
    con.send_packed_command(&redis::cmd("CLIENT").arg("REPLY").arg("SKIP").get_packed_command()).unwrap();
    con.send_packed_command(&command.get_packed_command()).unwrap();
    assert_eq!(query::<usize, _>(&mut con, &["LB.COUNT", "board"]), MEMBERS);
    play(
        &mut con,
        r#"LB.RANK board 999999 => 1000
           LB.RANK board 999 => 1
           LB.SCORE board 998 => 998
           LB.COUNT board 0 0 => 1000"#,
    );
}
